"""A count of legal lines pins the rules, as perft does in chess; trying every line there is checks the count."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import suppress
from itertools import islice

import pytest
from at_the_table import (
    ACCEPT,
    SKIP,
    after,
    all_complete,
    collect,
    do,
    land,
    new,
    roll,
    to_reveal,
    until_complete,
    wild,
)
from every_line import Line, accepted, accepted_lines, cat_lines, free_lines, roll_lines
from test_random_play import choose

from companion.core import Malformed
from companion.games.roll import Board
from companion.referee import Match, begin, legal, parse, play

TRACK = {"cards": "track", "market": [3, 7, 1, 9, 1]}

POSITIONS: dict[str, Callable[[], Match]] = {
    "ask: start": lambda: new("roll", 2),
    "ask: one die": lambda: after(new("roll", 2), roll(4)),
    "ask: three dice, one token": lambda: after(new("roll", 3), roll(1, 2, 3), do("reroll", which=[0], dice=[1])),
    "ask: choice": lambda: land(new("roll", 3), "choice"),
    "ask: token": lambda: land(new("roll", 3), "token"),
    "ask: wild": lambda: land(new("roll", 3), "wild"),
    "ask: swap": lambda: wild(collect(new("roll", 3)), "swap"),
    "ask: peek": lambda: after(land(collect(new("roll", 3)), "peek"), do("take", source="market", rat=True)),
    "ask: last to complete": lambda: land(until_complete(new("roll", 2), 0), "peek"),
    "ask: final round": lambda: all_complete(new("roll", 2)),
    "ask: last turn": lambda: after(all_complete(new("roll", 2)), SKIP),
    "track: start": lambda: new("roll", 2, **TRACK),
    "track: one die": lambda: after(new("roll", 2, **TRACK), roll(3)),
    "track: choice": lambda: land(new("roll", 3, **TRACK), "choice"),
    "track: peek": lambda: land(new("roll", 3, **TRACK), "peek"),
    "track: lowest, a tie": lambda: wild(new("roll", 3, **TRACK), "lowest"),
    "track: highest": lambda: wild(new("roll", 3, **TRACK), "highest"),
    "track: final round": lambda: all_complete(new("roll", 2, **TRACK)),
    "track: discard": lambda: after(
        wild(all_complete(new("roll", 2, **TRACK)), "highest"), do("take", source="market", region=1)
    ),
    "cat: light": lambda: new("cat", 3),
    "cat: full": lambda: new("cat", 3, pace="full"),
    "cat: full, younger": lambda: new("cat", 3, pace="full", younger=True),
    "cat: swap": lambda: after(new("cat", 4, pace="full"), do("draw", source="deck", card="swap")),
    "cat: Draw 2": lambda: after(new("cat", 2, pace="full"), do("draw", source="deck", card="draw2"), do("draw2")),
    "free: one die": lambda: new("free", 2, dice=1),
    "free: two dice": lambda: after(new("free", 2), roll(1, 2)),
}

# position -> how many ways there are to play one, two, three and four lines on from it
COUNTS: dict[str, tuple[int, ...]] = {
    "ask: start": (258, 75_894),
    "ask: one die": (7, 45, 65, 3_258),
    "ask: three dice, one token": (343, 344, 1_462),
    "ask: choice": (4, 1_032),
    "ask: token": (2, 516),
    "ask: wild": (3, 12, 43, 1_854),
    "ask: swap": (4, 1_032),
    "ask: peek": (5, 1_290),
    "ask: last to complete": (2, 14, 56, 3_780),
    "ask: final round": (4, 16),
    "ask: last turn": (4,),
    "track: start": (258, 75_894),
    "track: one die": (7, 43, 51, 1_189),
    "track: choice": (3, 526),
    "track: peek": (1, 4, 40, 10_320),
    "track: lowest, a tie": (2, 20, 5_160),
    "track: highest": (1, 10, 2_580),
    "track: final round": (4, 16),
    "track: discard": (5, 50, 200),
    "cat: light": (2, 3, 4, 30_115),
    "cat: full": (5, 57, 116, 515),
    "cat: full, younger": (5, 33, 68, 299),
    "cat: swap": (49, 98, 392, 6_370),
    "cat: Draw 2": (4, 33, 76, 397),
    "free: one die": (7, 48, 330, 2_268),
    "free: two dice": (50, 2_443, 119_112),
}


def perft(match: Match, depth: int, known: dict[tuple[object, int], int]) -> int:
    """The number of legal lines of this length. Equal states are counted once."""
    if depth == 0:
        return 1
    key = match.state, depth
    if key not in known:
        known[key] = sum(1 if depth == 1 else perft(play(match, line, 0), depth - 1, known) for line in legal(match))
    return known[key]


@pytest.mark.parametrize("position", COUNTS)
def test_the_count_of_legal_lines(position):
    match = POSITIONS[position]()
    known: dict[tuple[object, int], int] = {}
    depths = range(1, len(COUNTS[position]) + 1)
    assert tuple(perft(match, depth, known) for depth in depths) == COUNTS[position]


def test_every_position_is_counted():
    assert list(COUNTS) == list(POSITIONS)


def every_line(match: Match):
    players = len(match.settings.players)
    match match.game:
        case "roll":
            return roll_lines(players, match.public["market"] is not None)
        case "cat":
            return cat_lines(players)
    return free_lines(match.settings.dice)


def spelled(lines) -> set[str]:
    return {json.dumps(line, sort_keys=True) for line in lines}


def tried(match: Match, depth: int) -> int:
    """The same count by trying every line there is."""
    lines = accepted_lines(match, every_line(match))
    return len(lines) if depth == 1 else sum(tried(play(match, line, 0), depth - 1) for line in lines)


@pytest.mark.parametrize(
    ("position", "depth"),
    [
        *((position, 1) for position in POSITIONS),
        ("ask: one die", 2),
        ("ask: wild", 3),
        ("ask: choice", 2),
        ("ask: final round", 2),
        ("track: peek", 3),
        ("track: lowest, a tie", 2),
        ("track: discard", 2),
        ("cat: light", 3),
        ("cat: full", 4),
        ("cat: full, younger", 3),
        ("cat: Draw 2", 4),
        ("free: one die", 4),
    ],
)
def test_trying_every_line_there_is_gives_the_same_count(position, depth):
    assert tried(POSITIONS[position](), depth) == COUNTS[position][depth - 1]


def check_some(match: Match, universe: list[Line], chance: random.Random) -> None:
    """Of some lines that there are and some that are legal: accepted is what is named legal, and nothing else."""
    named = list(legal(match))
    plain = {"do": "take", "from": "market"}
    some = [*chance.sample(universe, min(80, len(universe))), *chance.sample(named, min(20, len(named))), plain]
    assert spelled(accepted_lines(match, some)) == spelled(some) & spelled(named)
    for line in some:
        with suppress(Malformed):
            assert (parse(match, line) in match.ask) is accepted(match, line)


def small_board(chance: random.Random) -> Board:
    kinds = ("choice", "token", "peek")
    return Board(tuple(tuple(chance.choice(kinds) for _ in range(chance.randrange(1, 4))) for _ in range(5)))


@pytest.mark.parametrize("cards", ["ask", "track"])
@pytest.mark.parametrize("players", [2, 3, 5])
def test_what_is_named_legal_is_what_is_accepted_all_through_a_game_of_roll(players, cards):
    chance = random.Random(f"{players} {cards}")
    market = {"market": [9, 9, 9, 9, 0]} if cards == "track" else {}
    names = [str(player) for player in range(players)]
    start = do("start", game="roll", players=names, cards=cards, pool=chance.randrange(9)) | market
    match = begin(start, board=small_board(chance))
    universe = list(roll_lines(players, cards == "track"))
    seen = set()
    while match.ask.step != "reveal":
        if match.ask.step != "redeal":
            check_some(match, universe, chance)
        assert {line["do"] for line in islice(legal(match), 400)} == set(match.ask.actions)
        seen.add(match.ask.step)
        match = play(match, choose(match, chance), 0)
    assert seen >= {"roll", "accept", "wild", "wild_accept", "take"}


@pytest.mark.parametrize("younger", [False, True])
@pytest.mark.parametrize("pace", ["light", "full"])
def test_what_is_named_legal_is_what_is_accepted_all_through_a_game_of_cat(pace, younger):
    chance = random.Random(f"{pace} {younger}")
    match = new("cat", 4, pace=pace, younger=younger, end={"limit": 70})
    universe = list(cat_lines(4))
    while match.ask.actions:
        if match.ask.step != "score":
            check_some(match, universe, chance)
        match = play(match, choose(match, chance), 0)


@pytest.mark.parametrize("dice", [1, 3])
def test_what_is_named_legal_is_what_is_accepted_all_through_a_free_game(dice):
    chance = random.Random(dice)
    match = new("free", 2, dice=dice)
    universe = list(free_lines(dice))
    seen = set()
    while match.ask.actions:
        check_some(match, universe, chance)
        seen.add(match.ask.step)
        match = play(match, choose(match, chance), 0)
    assert seen == {"roll", "accept"}


def test_there_are_a_hundred_thousand_redeals():
    match = new("roll", 2, cards="track", market=[9, 9, 9, 9, 9])
    events = list(match.ask)
    assert len(set(events)) == len(events) == 10**5
    chance = random.Random(1)
    for event in chance.sample(events, 200):
        assert event in match.ask


def test_every_hand_and_every_total_can_be_revealed_and_only_contradicting_hands_are_forced():
    match = to_reveal(new("roll", 3, cards="track", market=[1, 1, 1, 1, 1]))
    match = after(match, *(do("reveal", player=player, total=0) for player in (0, 2)))
    row = match.state.players[1].row
    lines = list(legal(match))
    assert len(lines) == 37 + 10**4
    plain = [line["cards"] for line in lines if "cards" in line and "force" not in line]
    assert plain == [[card, *row[1:]] for card in range(10)]
    for line in random.Random(1).sample(lines, 200):
        assert accepted(match, line)
        if line.pop("force", None):
            assert not accepted(match, line)
            assert parse(match, line) not in match.ask


def test_every_score_can_be_entered():
    match = after(new("cat", 2), do("knock"), do("end"))
    assert len(list(match.ask)) == 2 * (37 + 10**4)
    assert accepted(match, do("score", player=0, total=36))


def test_accept_is_the_only_line_without_a_token():
    match = after(new("roll", 2), roll(1), *[do("reroll", which=[0], dice=[4])] * 2)
    assert list(legal(match)) == [ACCEPT]
