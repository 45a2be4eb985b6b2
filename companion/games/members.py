"""Strict reading of one line's members. What no state of the game could accept is Malformed, said in plain words.

A line is a mapping as JSON gives it: text, whole and other numbers, booleans, lists and mappings.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from companion.core import Malformed

Message: TypeAlias = Mapping[str, object]

LARGEST = 9007199254740991  # the largest whole number that every JSON reader keeps exactly
EVERYWHERE = frozenset({"do", "at"})  # members that every line may have


class Misshapen(Malformed):
    """A line has not the members of such a line: an example tells more than the fault alone."""


def check(message: Message, *required: str, optional: tuple[str, ...] = ()) -> None:
    """Raises Misshapen unless the line has each required member and no unknown one."""
    allowed = EVERYWHERE.union(required, optional)
    for name in message:
        if name not in allowed:
            raise Misshapen(f"unknown member {quoted(name)}")
    for name in required:
        if name not in message:
            raise Misshapen(f'member "{name}" is missing')


def quoted(text: object) -> str:
    """A text as an error message may repeat it: short, and harmless on any terminal."""
    if not isinstance(text, str):
        return "that is no text"
    return ascii(text if len(text) <= 40 else text[:40] + "...")


def points(message: Mapping[str, Any]) -> int:
    """What an accepted `score` says, by the total or by each card (R19, C7)."""
    return int(message["total"]) if "total" in message else sum(message["cards"])


def whole(value: object, what: str, low: int, high: int = LARGEST) -> int:
    """A whole number from `low` to `high`. `true` and 3.0 are none."""
    if type(value) is not int:
        raise Malformed(f"{what} must be a whole number")
    if not low <= value <= high:
        shown = str(value) if abs(value) <= LARGEST else "too large"
        raise Malformed(f"{what} is {shown}; it must be {_between(low, high)}")
    return value


def _between(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def counted(count: int, one: str, more: str) -> str:
    """So many, as a sentence says it."""
    return f"{count} {one if count == 1 else more}"


def number(value: object, what: str) -> int | float:
    """A finite number, fractions allowed."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Malformed(f"{what} must be a number")
    try:
        finite = math.isfinite(value)
    except OverflowError:
        finite = False
    if not finite:
        raise Malformed(f"{what} must be a finite number")
    return value


def moment_s(message: Message) -> int | float | None:
    """`at`: seconds since the start, 0 or more; None where the line has none."""
    if "at" not in message:
        return None
    at_s = number(message["at"], "at")
    if at_s < 0:
        raise Malformed("at is negative; it counts seconds since the start")
    return at_s


def flag(value: object, what: str) -> bool:
    if not isinstance(value, bool):
        raise Malformed(f"{what} must be true or false")
    return value


def one_of(value: object, what: str, *choices: str) -> str:
    if not isinstance(value, str) or value not in choices:
        raise Malformed(f"{what} must be one of {', '.join(choices)}")
    return value


def several(value: object, what: str, low: int, high: int) -> Sequence[object]:
    """A list of `low` to `high` values."""
    if not isinstance(value, list | tuple):
        raise Malformed(f"{what} must be a list")
    if not low <= len(value) <= high:
        raise Malformed(f"{what} has {counted(len(value), 'value', 'values')}; it must have {_between(low, high)}")
    return value


def dice(value: object, most: int) -> tuple[int, ...]:
    """1 to `most` number dice (R1)."""
    shown = several(value, "dice", 1, most)
    for place, pips in enumerate(shown, start=1):
        if type(pips) is not int:
            raise Malformed(f"die {place} must be a whole number; number dice show 1–6")
        if not 1 <= pips <= 6:
            seen = pips if abs(pips) <= LARGEST else "too much"
            raise Malformed(f"die {place} shows {seen}; number dice show 1–6")
    return tuple(whole(pips, "a die", 1, 6) for pips in shown)


def which(value: object, most: int) -> tuple[int, ...]:
    """Indices of the dice to re-roll: at least one, ascending, distinct, each below `most`."""
    chosen = tuple(whole(index, "a die in which", 0, most - 1) for index in several(value, "which", 1, most))
    if any(later <= earlier for earlier, later in pairwise(chosen)):
        raise Malformed("which must be ascending, each die once")
    return chosen


def rerolled(message: Message, most: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """`which` and `dice` of a line that throws some of at most so many dice anew: as many values as dice."""
    check(message, "which", "dice")
    chosen, thrown = which(message["which"], most), dice(message["dice"], most)
    if len(chosen) != len(thrown):
        given = counted(len(thrown), "new value is", "new values are")
        raise Malformed(f"which names {counted(len(chosen), 'die', 'dice')}, and {given} given")
    return chosen, thrown


def player(message: Message, players: Sequence[str]) -> int:
    """The index of one of the `players`."""
    return whole(message["player"], "player", 0, len(players) - 1)


def cards(value: object, what: str, count: int) -> tuple[int, ...]:
    """Exactly `count` values of number cards, 0–9 (R3, C1)."""
    return tuple(whole(card, f"a card in {what}", 0, 9) for card in several(value, what, count, count))


def names(value: object, low: int, high: int) -> tuple[str, ...]:
    """`low` to `high` distinct names, none empty, compared as written."""
    called: list[str] = []
    for name in several(value, "players", low, high):
        if not isinstance(name, str) or not name:
            raise Malformed("a player's name must be a text that is not empty")
        if any("\ud800" <= sign <= "\udfff" for sign in name):
            raise Malformed("a player's name holds half a character, which is no text that can be written down")
        called.append(name)
    if len(set(called)) < len(called):
        raise Malformed("two players have the same name")
    return tuple(called)


def inside(value: object, what: str) -> Message:
    """An object that is itself a member's value."""
    if not isinstance(value, Mapping):
        raise Malformed(f"{what} must be an object")
    return value
