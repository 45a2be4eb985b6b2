"""What a fact costs at a table is the same however long the game has been played."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from companion.events import Fact, Settled, Stirred, TimePassed
from companion.referee import Match, begin, play
from companion.table.decide import decide
from companion.table.picture import expects_dice, expects_wild, view
from companion.table.state import Table
from tests.app.household import house, press, reading

HOME = house(usual={"free": {"dice": 6}})
LITTLE, LONG = 20, 1000
THROWN = Stirred(), Settled(reading(1, 2, 3, 4, 5, 6))
TWO_THROWN = Stirred(), Settled(reading(3, 4))
FACTS = {
    "nothing": (TimePassed(),),
    "the tray is stirred": (Stirred(),),
    "the menu": press("back", "more"),
    "an undo": press("back", "more", "ok"),
}


def played(game: str, *lines: dict[str, object], times: int) -> Table:
    match: Match = begin(
        {"do": "start", "game": game, "players": ["Ana", "Bo"]} | ({"dice": 6} if game == "free" else {})
    )
    for line in lines * times:
        match = play(match, line, 0.0)
    return Table(match=match, seats=(0, 1))


def free(times: int) -> Table:
    return played("free", {"do": "roll", "dice": [1, 2, 3, 4, 5, 6]}, {"do": "accept"}, times=times)


def free_taken_back(times: int) -> Table:
    return played("free", {"do": "roll", "dice": [1, 2, 3, 4, 5, 6]}, {"do": "undo"}, times=times)


def roll(times: int) -> Table:
    return played("roll", {"do": "roll", "dice": [1, 2]}, {"do": "undo"}, times=times)


def cat(times: int) -> Table:
    return played("cat", {"do": "end"}, times=times)


def cat_taken_back(times: int) -> Table:
    return played("cat", {"do": "knock"}, {"do": "undo"}, times=times)


def effort(table: Table, facts: tuple[Fact, ...]) -> int:
    """How many functions are called, of Python and of C, to decide the facts and to draw what comes of them."""
    calls = 0

    def count(_frame: FrameType, what: str, _of: object) -> None:
        nonlocal calls
        calls += what in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        for fact in facts:
            table = decide(table, fact, HOME, 0.0).table
            expects_dice(table), expects_wild(table, HOME), view(table, HOME)
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize("facts", FACTS.values(), ids=FACTS)
@pytest.mark.parametrize("table", [free, free_taken_back, roll, cat, cat_taken_back])
def test_a_fact_takes_no_longer_in_a_long_game(table: Callable[[int], Table], facts: tuple[Fact, ...]) -> None:
    assert effort(table(LONG), facts) < 1.5 * effort(table(LITTLE), facts)


@pytest.mark.parametrize(
    ("table", "facts"),
    [
        (free, (*THROWN, *press("ok"))),
        (free, (*THROWN, *press("less", "ok", *["ok"] * 6))),
        (roll, TWO_THROWN),
        (roll, (*TWO_THROWN, *press("less", "ok", "ok", "ok"))),
    ],
    ids=["a roll", "a roll put right", "a roll of Roll", "one put right"],
)
def test_a_roll_takes_no_longer_in_a_long_game(table: Callable[[int], Table], facts: tuple[Fact, ...]) -> None:
    assert effort(table(LONG), facts) < 1.5 * effort(table(LITTLE), facts)
