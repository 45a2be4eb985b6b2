"""Every well-formed line of a game, written down from the protocol's tables and not from the code that plays it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import Any

from companion.core import Refused
from companion.referee import Match, play

Line = dict[str, Any]
PIPS = range(1, 7)


def with_dice(most: int) -> Iterator[Line]:
    for count in range(1, most + 1):
        yield from ({"do": "roll", "dice": list(dice)} for dice in product(PIPS, repeat=count))
        for which in combinations(range(most), count):
            for dice in product(PIPS, repeat=count):
                yield {"do": "reroll", "which": list(which), "dice": list(dice)}


def roll_lines(players: int, track: bool) -> Iterator[Line]:
    """All of Roll but `redeal` and `reveal`, of which there are too many."""
    slots = range(5 if players == 2 else 4)
    seats = range(players)
    yield from with_dice(3)
    yield from ({"do": name} for name in ("accept", "skip", "decline"))
    for face in ("lowest", "highest", "swap"):
        yield {"do": "wild", "face": face}
        yield {"do": "reroll", "face": face}
    yield from ({"do": "take", "from": "deck", "rat": rat} for rat in (False, True))
    if track:
        yield {"do": "take", "from": "market"}
        yield from ({"do": "take", "from": "market", "region": region} for region in range(5))
    else:
        yield from ({"do": "take", "from": "market", "rat": rat} for rat in (False, True))
    yield from ({"do": "peek", "player": player} for player in seats)
    yield from ({"do": "peek", "player": player, "slot": slot} for player, slot in product(seats, slots))
    for mine, player, theirs in product(slots, seats, slots):
        yield {"do": "swap", "mine": mine, "player": player, "theirs": theirs}
    yield from ({"do": "discard", "slot": slot} for slot in slots)
    yield from ({"do": "refill", "value": value} for value in range(10))


def cat_lines(players: int) -> Iterator[Line]:
    """All of Cat but `score`, of which there are too many."""
    yield from ({"do": name} for name in ("end", "knock", "discard", "draw2", "deal"))
    yield {"do": "draw", "from": "discard"}
    yield from ({"do": "draw", "from": "deck", "card": card} for card in ("number", "peek", "swap", "draw2"))
    for slot in range(4):
        yield {"do": "peek", "slot": slot}
        yield from ({"do": "replace", "slot": slot, "discarded": top} for top in ("number", "power"))
    for mine, player, theirs in product(range(4), range(players), range(4)):
        yield {"do": "swap", "mine": mine, "player": player, "theirs": theirs}


def free_lines(most: int) -> Iterator[Line]:
    yield from with_dice(most)
    yield from ({"do": name} for name in ("accept", "end"))


def accepted(match: Match, line: Line) -> bool:
    try:
        play(match, line, 0)
    except Refused:
        return False
    return True


def accepted_lines(match: Match, lines: Iterable[Line]) -> list[Line]:
    """Those that the referee takes, each in its plainest form: without the region that goes without saying."""
    taken = [line for line in lines if accepted(match, line)]
    if {"do": "take", "from": "market"} in taken:
        taken = [line for line in taken if "region" not in line]
    return taken
