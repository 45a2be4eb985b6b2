"""F1, the free table."""

from __future__ import annotations

import pytest
from at_the_table import ACCEPT, after, do, illegal, malformed, new, roll

from companion.core import Malformed, Outcome
from companion.referee import begin

END = do("end")


@pytest.mark.parametrize("players", range(1, 9))
def test_F1_one_to_eight_players_take_turns(players):
    match = new("free", players)
    order = []
    for _ in range(players + 1):
        order.append((match.public["turn"], match.ask.player))
        match = after(match, roll(1), ACCEPT)
    assert order == [(turn + 1, turn % players) for turn in range(players + 1)]


@pytest.mark.parametrize("players", [[], list("abcdefghi")])
def test_F1_not_more_players_and_not_fewer(players):
    with pytest.raises(Malformed):
        begin(do("start", game="free", players=players))


@pytest.mark.parametrize("most", [1, 2, 6])
def test_F1_any_number_of_dice_up_to_the_setting(most):
    match = new("free", 1, dice=most)
    for count in range(1, most + 1):
        assert after(match, roll(*[6] * count)).public["total"] == 6 * count
    malformed(match, roll(*[6] * (most + 1)))
    malformed(match, roll())
    malformed(match, roll(7))


@pytest.mark.parametrize("dice", [0, 7, 2.0, True])
def test_F1_one_to_six_dice(dice):
    with pytest.raises(Malformed):
        new("free", 1, dice=dice)


def test_F1_the_whole_state_with_totals_and_history():
    match = new("free", 2, dice=3)
    blank = {"name": "Ana", "rolls": [], "sum": 0}
    assert match.public == {
        "game": "free",
        "turn": 1,
        "player": 0,
        "step": "roll",
        "dice": None,
        "total": None,
        "players": [blank, blank | {"name": "Bo"}],
    }
    match = after(match, roll(1, 2, 3), do("reroll", which=[0, 2], dice=[6, 5]))
    assert match.public == {
        "game": "free",
        "turn": 1,
        "player": 0,
        "step": "accept",
        "dice": [6, 2, 5],
        "total": 13,
        "players": [blank, blank | {"name": "Bo"}],
    }
    match = after(match, ACCEPT, roll(4), ACCEPT, roll(1), ACCEPT)
    assert match.public == {
        "game": "free",
        "turn": 4,
        "player": 1,
        "step": "roll",
        "dice": None,
        "total": None,
        "players": [{"name": "Ana", "rolls": [(6, 2, 5), (1,)], "sum": 14}, {"name": "Bo", "rolls": [(4,)], "sum": 4}],
    }


def test_F1_a_table_that_is_never_closed_keeps_each_roll_once():
    match = new("free", 1)
    states = []
    for number in range(2000):
        match = after(match, roll(number % 6 + 1, 6), ACCEPT)
        states.append(match.state)
    assert match.public["players"][0]["rolls"] == [(number % 6 + 1, 6) for number in range(2000)]
    own = {id(page): len(page) for state in states for page in (state.players[0].pages, *state.players[0].pages)}
    assert sum(own.values()) < 2000 * 64
    assert (
        states[-1]
        == after(new("free", 1), *(act for dice in states[-1].players[0].rolls for act in (roll(*dice), ACCEPT))).state
    )


def test_F1_rerolls_are_free_and_of_dice_that_lie_there():
    match = after(new("free", 1, dice=4), roll(1, 1))
    for pips in (2, 3, 4, 5):
        match = after(match, do("reroll", which=[1], dice=[pips]))
    assert match.public["dice"] == [1, 5]
    illegal(match, do("reroll", which=[2], dice=[1]), "F1")
    illegal(match, do("reroll", which=[0, 2], dice=[1, 1]), "F1")
    malformed(match, do("reroll", which=[4], dice=[1]))
    malformed(match, do("reroll", which=[1, 0], dice=[1, 1]))
    malformed(match, do("reroll", which=[1], dice=[1, 1]))
    malformed(match, do("reroll", face="swap"))


def test_F1_only_whose_turn_it_is_is_enforced():
    match = new("free", 2)
    assert (match.ask.actions, match.outcome) == (("end", "roll"), None)
    illegal(match, ACCEPT, "F1")
    match = after(match, roll(1, 2))
    assert match.ask.actions == ("accept", "end", "reroll")
    illegal(match, roll(1), "F1")


@pytest.mark.parametrize("pending", [[], [roll(5, 5)]])
def test_F1_end_closes_the_game_and_drops_an_unaccepted_roll(pending):
    match = after(new("free", 2), roll(1, 2), ACCEPT, *pending, END)
    assert match.public == {
        "game": "free",
        "turn": 2,
        "player": None,
        "step": "over",
        "dice": None,
        "total": None,
        "players": [{"name": "Ana", "rolls": [(1, 2)], "sum": 3}, {"name": "Bo", "rolls": [], "sum": 0}],
    }
    assert match.ask.actions == ()
    assert match.outcome == Outcome((), (3, 0))
    illegal(match, END, "F1")
    assert after(match, do("undo")).ask.step == ("accept" if pending else "roll")
