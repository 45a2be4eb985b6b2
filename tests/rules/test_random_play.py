"""Random complete games of every kind end lawfully, keep their invariants, and are told again by their log."""

from __future__ import annotations

import json
import random
from itertools import islice

import pytest
from at_the_table import do, new

from companion.core import Malformed, Refused
from companion.referee import Match, begin, legal, parse, play, to_message

MOST_TURNS = 2_000  # no random game is as long


def choose(match: Match, chance: random.Random):
    """A random legal line; of very many, one that is quick to name."""
    if match.ask.step == "redeal":
        return do("redeal", market=[chance.randrange(10) for _ in range(5)])
    if match.ask.step == "reveal":
        return reveal(match, chance)
    if match.ask.step == "score":
        left = [player for player, seat in enumerate(match.state.players) if not seat.out and seat.score is None]
        return do("score", player=chance.choice(left), total=chance.randrange(37))
    lines = list(islice(legal(match), 3000))
    first = [line for line in lines if line["do"] != "reroll"]
    return chance.choice(lines if chance.random() < 0.3 else first)


def reveal(match: Match, chance: random.Random):
    left = [player for player, seat in enumerate(match.state.players) if seat.total is None]
    player = chance.choice(left)
    if chance.random() < 0.3:
        return do("reveal", player=player, total=chance.randrange(9 * match.settings.needed + 1))
    known = match.state.players[player].row
    return do("reveal", player=player, cards=[chance.randrange(10) if card is None else card for card in known])


def game(match: Match, chance: random.Random, watch):
    """Plays to the end; `watch` sees every step."""
    while match.ask.actions:
        line = choose(match, chance)
        assert parse(match, line) in match.ask
        following = play(match, line, 0)
        watch(match, line, following)
        match = following
        assert match.public["turn"] < MOST_TURNS
    assert list(legal(match)) == []
    assert list(match.ask) == []
    assert match.outcome is not None
    return match


def told_again(match: Match) -> None:
    start, *actions = json.loads(json.dumps(match.log))
    again = begin(start)
    for action, at_s in zip(actions, match.times_s[1:], strict=True):
        again = play(again, action, at_s)
    assert (again, again.public, again.bound_s) == (match, match.public, match.bound_s)
    assert (again.log, again.times_s) == (match.log, match.times_s)


def watch_roll(before: Match, line, now: Match) -> None:
    old, new = before.public, now.public
    tokens = [state["pool"] + sum(player["tokens"] for player in state["players"]) for state in (old, new)]
    assert tokens[0] == tokens[1]
    assert min(player["tokens"] for player in new["players"]) >= 0
    assert new["pool"] >= 0
    grown = [b["cards"] - a["cards"] for a, b in zip(old["players"], new["players"], strict=True)]
    assert sum(grown) == (line["do"] == "take" and not before.state.was_complete)
    assert all(player["cards"] <= new["needed"] for player in new["players"])
    assert all(player["complete"] == (player["cards"] == new["needed"]) for player in new["players"])
    assert sum(player["cards"] for player in new["players"]) + 5 <= 45
    assert new["total"] == (None if new["dice"] is None else sum(new["dice"]))
    assert (new["turns_left"] is not None) == (new["final_round"] and new["step"] not in ("reveal", "over"))
    if new["step"] == "roll":
        assert not new["players"][new["player"]]["complete"]
    if new["turn"] > old["turn"]:
        assert (new["turn"], new["player"]) == (old["turn"] + 1, (old["player"] + 1) % len(new["players"]))
        assert now.public["market"] is None or sum(card >= 7 for card in new["market"]) <= 3


@pytest.mark.parametrize("pool", [0, 1, 20])
@pytest.mark.parametrize("cards", ["ask", "track"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_games_of_roll_end_lawfully(players, cards, pool):
    for seed in range(3):
        chance = random.Random(f"{players} {cards} {pool} {seed}")
        market = {"market": [chance.randrange(10) for _ in range(5)]} if cards == "track" else {}
        first = chance.randrange(players)
        match = new("roll", players, cards=cards, pool=pool, first=first, pawn=4 * chance.randrange(5), **market)
        last_turns: list[int] = []

        def watch(before, line, now, last_turns=last_turns):
            watch_roll(before, line, now)
            if before.public["turns_left"] is not None and now.public["turns_left"] != before.public["turns_left"]:
                last_turns.append(before.ask.player)

        match = game(match, chance, watch)
        assert sorted(last_turns) == list(range(players))
        totals = match.public["totals"]
        assert match.public["winners"] == [player for player in range(players) if totals[player] == min(totals)]
        told_again(match)


def watch_cat(before: Match, line, now: Match) -> None:
    old, new = before.public, now.public
    if new["step"] in ("turn", "replace", "use", "draw", "end"):
        assert not new["players"][new["player"]]["out"]
    assert (new["card"] is not None) == (new["step"] in ("use", "replace"))
    if new["step"] == "draw":
        assert new["chances"] in (1, 2)
    if old["knocked"] is not None and new["knocked"] is not None:
        assert new["knocked"] == old["knocked"]
    if line["do"] == "deal" and new["step"] == "turn":
        assert new["round"] == old["round"] + 1


@pytest.mark.parametrize("younger", [False, True])
@pytest.mark.parametrize("pace", ["light", "full"])
@pytest.mark.parametrize(
    "ending",
    [
        {},
        {"end": {"limit": 40}},
        {"end": {"rounds": 3}},
        {"end": {"minutes": 2}},
        {"end": {"rounds": 3}, "scores": False},
        {"end": {"minutes": 2}, "scores": False},
    ],
)
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_random_games_of_cat_end_lawfully(players, ending, pace, younger):
    chance = random.Random(f"{players} {ending} {pace} {younger}")
    match = new("cat", players, dealer=chance.randrange(players), pace=pace, younger=younger, **ending)
    seconds = 0.0
    while match.ask.actions:
        line = choose(match, chance)
        named = {"at": seconds} if chance.random() < 0.5 else {}  # a clock may run ahead of the times that are named
        following = play(match, line | named, seconds + 30)
        watch_cat(match, line, following)
        match, seconds = following, seconds + chance.choice((0, 0.5))
    assert match.outcome is not None
    assert match.public["winners"] == list(match.outcome.winners) != []
    told_again(match)


@pytest.mark.parametrize("players", range(1, 9))
def test_random_games_of_the_free_table(players):
    chance = random.Random(players)
    match = new("free", players, dice=chance.randrange(1, 4))
    for _ in range(60):
        lines = [line for line in islice(legal(match), 3000) if line["do"] != "end"]
        match = play(match, chance.choice(lines), 0)
        rolls = sum(len(player["rolls"]) for player in match.public["players"])
        assert match.public["turn"] == rolls + 1
    match = play(match, do("end"), 0)
    told_again(match)


@pytest.mark.parametrize("settings", [{"cards": "ask"}, {"cards": "track", "market": [1, 7, 2, 9, 3]}])
def test_undo_gives_back_every_earlier_state_and_is_told_in_the_log(settings):
    chance = random.Random(7)
    match = new("roll", 3, **settings)
    states = [match.state]
    while match.ask.actions:
        match = play(match, choose(match, chance), 0)
        states.append(match.state)
    for state in reversed(states[:-1]):
        match = play(match, do("undo"), 0)
        assert match.state == state
    assert not match.can_undo
    with pytest.raises(Refused):
        play(match, do("undo"), 0)
    assert len(match.log) == 2 * len(states) - 1
    told_again(match)
    match = play(match, choose(match, chance), 0)
    told_again(match)


@pytest.mark.parametrize("game", ["roll", "cat", "free"])
def test_what_stands_is_the_log_without_what_was_taken_back(game):
    chance = random.Random(11)
    match = new(game, 3)
    assert list(match.standing) == []
    for moment in range(150):
        takes_back = match.can_undo and (not match.ask.actions or chance.random() < 0.4)
        line = do("undo") if takes_back else choose(match, chance)
        match = play(match, line | {"at": moment}, 0)
        assert list(match.standing) == left(match.log)


def left(log):
    """The actions of a log that were not taken back, the newest first."""
    found = []
    for line in log[1:]:
        found = found[1:] if line["do"] == "undo" else [line, *found]
    return found


def test_every_legal_line_means_its_event_and_back():
    chance = random.Random(3)
    for match in (new("roll", 2), new("cat", 3, pace="full"), new("free", 2)):
        for _ in range(80):
            events = list(islice(match.ask, 500))
            assert [parse(match, to_message(match, event)) for event in events] == events
            if not events:
                break
            match = play(match, choose(match, chance), 0)


def test_a_match_begins_with_start_and_with_nothing_else():
    start = do("start", game="free", players=["Ana"])
    assert begin(start).log == (start,) == (begin(start).start_line,)
    for other in (start | {"do": "roll"}, {name: start[name] for name in ("game", "players")}):
        with pytest.raises(Malformed, match="a match begins with start"):
            begin(other)


def test_a_very_long_game_is_let_go_of_without_trouble():
    match = new("free", 1, dice=1)
    line, undo = do("roll", dice=[1]), do("undo")
    for _ in range(30_000):
        match = play(play(match, line, 0), undo, 0)
    assert len(match.log) == match.length == 60_001
    del match


def test_a_match_played_with_and_without_at_in_turns_is_told_again():
    match = new("cat", 2, end={"minutes": 1})
    lines = (do("knock"), 90), (do("end", at=5), 0), (do("score", player=0, total=3), 90), (do("undo", at=7), 0)
    for line, clock_s in (*lines, (do("score", player=0, total=3), 0), (do("score", player=1, total=4, at=59), 0)):
        match = play(match, line, clock_s)
    assert match.times_s == (0, 90, 5, 90, 7, 7, 59)
    assert [line.get("at") for line in match.log] == [None, None, 5, None, 7, None, 59]
    assert match.ask.step == "deal"
    told_again(match)


def test_a_log_is_its_readers_own_copy():
    start = do("start", game="roll", players=["Ana", "Bo"])
    match = begin(start)
    start["players"].append("Cleo")
    match.log[0]["players"].clear()
    match.start_line["players"].clear()
    assert match.log == (match.start_line,) == (do("start", game="roll", players=["Ana", "Bo"]),)
    match = play(match, do("roll", dice=[1, 2]), 0)
    next(match.standing)["dice"].clear()
    assert match.log[1] == next(match.standing) == do("roll", dice=[1, 2])
