"""Dice that touch others: faint to the finder, or found beside where they lie, but as plain as any to the faces.

Of dice in a row, face by face, the finder overlooks one in six; where they truly lie, the faces read nine in ten of
these. So faces look around what hints at such a die.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations, product
from statistics import median

from companion.vision.again import KEENER
from companion.vision.engines import Floats
from companion.vision.finding import TRUSTED_PX
from companion.vision.first_sight import chances_at, glimpses
from companion.vision.networks import NOTHING, UNREAD, FaceNet, softmax
from companion.vision.views import Place, Views, apart

PLAIN = 0.8  # chance of a value at what is plainly a die: others may touch it,
LIKELY, KEENLY = 0.5, 0.7  # and at what is taken for one of them, to small faces, and with the keen ones
TOUCHING = (0.5, 1.35)  # how far from a plain die, in sizes, one that touches it may be hinted at,
ANOTHER = 0.6  # and how far away it is at least
SAME = 0.5  # sizes: two places nearer than that show one die,
SAME_HINT = 0.2  # and two hints so near lead to the same
IN_A_ROW, NEXT_BUT_ONE = (0.75, 1.25), (1.6, 2.4)  # sizes from one die of a row to the next, and to the one after that
FAINT = 0.05  # heat of what nothing but a row hints at
REFUSED = 0.35  # sizes: what lies so near to what keen faces took for no die is none, either
MOST_HINTS, MOST_WORTH = 12, 6
WORTH = 0.2  # chance of a die at a hint: with less, hardly any lies around it
STEPS = (-0.22, 0.0, 0.22)  # sizes, across and down, that a die may lie beside its hint


def with_overlooked(views: Views, places: Sequence[Place], faces: FaceNet, keen: FaceNet) -> list[Place]:
    """The places, and what shows a face, to both networks, beside one of these that plainly does.

    A place that shows none so plainly gives way to one that does, if both can be but one die.
    """
    seen = dict(zip(places, _values(chances_at(views, places, faces)), strict=True))
    plain = [place for place, value in seen.items() if value > PLAIN]
    hints = _hints(views, places, plain)
    worth = [hint for hint, row in zip(hints, chances_at(views, hints, faces), strict=True) if 1 - row[NOTHING] > WORTH]
    tried = _around(worth[:MOST_WORTH], plain)
    values = _values(chances_at(views, tried, faces))
    refused: list[Place] = []
    for place, value in sorted(zip(tried, values, strict=True), key=lambda pair: -pair[1]):
        same = [other for other in seen if apart(place, other) < SAME]
        better = value > LIKELY and all(seen[other] < min(value, PLAIN) for other in same)
        if not better or any(apart(place, other) < REFUSED for other in refused):
            continue
        if _keenly(views, place, faces, keen) < KEENLY:
            refused.append(place)
            continue
        for other in same:
            del seen[other]
        seen[replace(place, heat=max(one.heat for one in (place, *same)))] = value
    return list(seen)


def lacking(places: Sequence[Place], others: Sequence[Place]) -> list[Place]:
    """Which of the others show a thing that none of the places does."""
    return [other for other in others if all(apart(other, place) >= SAME for place in places)]


def _values(chances: Floats) -> list[float]:
    """The chance of each place's likeliest value."""
    return [float(row[1:UNREAD].max()) for row in chances]


def _keenly(views: Views, place: Place, faces: FaceNet, keen: FaceNet) -> float:
    """The chance of its likeliest value, by keen faces, too."""
    small, (logits, _) = glimpses(views, [place], faces)[1], keen(views.crop(place)[None])
    return _values(softmax((small + KEENER * logits) / (1 + KEENER)))[0]


def _hints(views: Views, places: Sequence[Place], plain: Sequence[Place]) -> list[Place]:
    """Where a die as large as the plain ones may touch one of these, hottest first.

    Peaks of any search hint at it, however faint, places that are not plain, and rows of plain dice.
    """
    if not plain:
        return []
    size = median(place.size for place in plain)
    peaks = [
        Place(x, y, size, heat)
        for factor, hints in views.hints.items()
        if TRUSTED_PX[0] <= factor * size <= TRUSTED_PX[1]
        for heat, x, y in hints
    ]
    found = [*peaks, *(replace(place, size=size) for place in places), *_in_rows(plain)]
    kept: list[Place] = []
    for hint in sorted(found, key=lambda place: -place.heat):
        touches = TOUCHING[0] < min(apart(hint, die) for die in plain) < TOUCHING[1]
        if touches and all(apart(hint, other) > SAME_HINT for other in kept):
            kept.append(hint)
    return kept[:MOST_HINTS]


def _in_rows(plain: Sequence[Place]) -> Iterator[Place]:
    """Where rows of dice go on, or lack one."""
    for one, two in permutations(plain, 2):
        across, down, size = two.x - one.x, two.y - one.y, (one.size + two.size) / 2
        if IN_A_ROW[0] < apart(one, two) < IN_A_ROW[1]:
            yield Place(two.x + across, two.y + down, size, FAINT)
        elif NEXT_BUT_ONE[0] < apart(one, two) < NEXT_BUT_ONE[1]:
            yield Place(one.x + across / 2, one.y + down / 2, size, FAINT)


def _around(hints: Sequence[Place], plain: Sequence[Place]) -> list[Place]:
    """Each hint, and beside it in all directions, but for where a plain die lies."""
    moved = (
        replace(hint, x=hint.x + across * hint.size, y=hint.y + down * hint.size)
        for hint in hints
        for across, down in product(STEPS, STEPS)
    )
    return [place for place in dict.fromkeys(moved) if all(apart(place, die) > ANOTHER for die in plain)]
