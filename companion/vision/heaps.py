"""Which places show a die, and which only a part of one, a heap of dice, or what another place shows better."""

from __future__ import annotations

import math

from companion.vision.engines import Floats
from companion.vision.finding import SAME_PLACE
from companion.vision.networks import NOTHING, UNREAD
from companion.vision.views import Place

OTHER_SIZE = 1.8  # times larger or smaller: no two dice side by side; below it, they may be, and touch
OTHER_KIND = 2.8  # times larger: a die to its pip, or a heap to a die; below, it is one thing seen twice
HELD = 0.6  # of a larger thing's size from its middle: what lies so near is a part of it
LIKELY = 0.6  # chance of a value from which a place is a die rather than a pip
PLAINLY_READ = 0.9  # chance of a value,
TWO_FACES = 0.62  # and distance, in their size, from which two faces so plain are those of two dice
PIP_SHARE = 0.35  # of its likeliest part's score that a die must have, not to be a heap of dice


def plainly_read(chances: Floats) -> list[bool]:
    """Of each look, whether it is plain what number it shows."""
    return [float(row[1:UNREAD].max()) > PLAINLY_READ for row in chances]


def parts_of_others(places: list[Place], chances: Floats) -> set[int]:
    """Places that are only a part of a die, such as a pip, or only a heap of dice.

    A pip, looked at alone, is at most a one. So where something larger holds a likely die of two or more, it is a heap
    (a tray, say); else what it holds are its pips, if it is itself nearly as likely a die.
    """
    scores = [place.heat * float(1 - row[NOTHING]) for place, row in zip(places, chances, strict=True)]
    plain = plainly_read(chances)
    heaps: set[int] = set()
    while True:
        parts = _doubles(places, scores, plain, heaps)
        heap = _pips_or_heap(places, chances, scores, parts)
        if heap is None:
            return parts
        heaps.add(heap)  # what was taken for the same as the heap may be a die in it


def _pips_or_heap(places: list[Place], chances: Floats, scores: list[float], parts: set[int]) -> int | None:
    """Adds the pips of dice to the parts; the first heap of dice that is met, None for none."""
    for large in sorted(range(len(places)), key=lambda i: places[i].size):
        if large in parts:
            continue
        held = [i for i in range(len(places)) if i not in parts and _holds(places[large], places[i])]
        if not held:
            continue
        best = max(scores[i] for i in held)
        dice = any(float(chances[i, 2:UNREAD].max()) > LIKELY and scores[i] > scores[large] / 2 for i in held)
        if dice or scores[large] < PIP_SHARE * best:
            return large
        parts.update(held)
    return None


def _doubles(places: list[Place], scores: list[float], plain: list[bool], gone: set[int]) -> set[int]:
    """Places close to a likelier one of about their size, and those that are gone. `plain`: is a face read there."""
    kept: list[int] = []
    for i in sorted(set(range(len(places))) - gone, key=lambda i: -scores[i]):
        if not any(_double(places[i], places[k], faces=plain[i] and plain[k]) for k in kept):
            kept.append(i)
    return set(range(len(places))) - set(kept)


def _double(one: Place, two: Place, *, faces: bool) -> bool:
    """Are two places the same thing. `faces`: both show one plainly, so further apart they are two dice that touch."""
    larger, smaller = max(one.size, two.size), min(one.size, two.size)
    reach = (larger + smaller) / 2 if larger < OTHER_SIZE * smaller else larger
    across, down = abs(one.x - two.x), abs(one.y - two.y)
    near = max(across, down) < SAME_PLACE * reach and not (faces and math.hypot(across, down) > TWO_FACES * reach)
    return near and larger < OTHER_KIND * smaller


def _holds(large: Place, small: Place) -> bool:
    away = max(abs(large.x - small.x), abs(large.y - small.y))
    return large.size >= OTHER_KIND * small.size and away < HELD * large.size
