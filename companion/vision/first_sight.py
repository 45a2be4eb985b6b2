"""First sight of a picture: which places are looked at while nobody knows how large its dice are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.vision.engines import Floats
from companion.vision.finding import (
    FINE_LEVELS_PX,
    LEVELS_PX,
    TINY_PX,
    beside,
    find,
    find_at_all_scales,
    find_finer,
    find_touching,
    one_each,
)
from companion.vision.networks import CLASSES, FaceNet, FinderNet, softmax
from companion.vision.views import Place, Views

ROUGHLY = 7  # places looked at to learn the scale
GOOD_SCORE = 0.4
OTHERS_HEAT = 0.4  # a die of quite another size must be this likely
LIKE_HEAT = 0.16  # one of about the usual size, that only the rough search saw, this likely
MOST_OTHERS = 8
CLOSELY = 1.7  # times larger or smaller than usual: found by the close search


def first_sight(views: Views, finder: FinderNet, faces: FaceNet, *, finer: bool = True) -> list[Place]:
    """Places of dice of unknown size: roughly at all scales, then closely at the scale of what looks most like dice.

    `finer`: where no die is seen, or only tiny ones, look for tiny ones; that takes several times as long.
    """
    rough = find_at_all_scales(views, finder)
    telling = rough[:ROUGHLY]
    for level in range(len(FINE_LEVELS_PX) if finer else 0):
        if _good_enough(views, telling, faces, level):
            break
        rough = telling = find_finer(views, finder, level)[:ROUGHLY] + telling
    telling = sorted(telling, key=lambda place: -place.heat)[:ROUGHLY]
    scores = _scores(views, telling, faces)
    if not any(scores):
        return rough[:ROUGHLY]
    usual = weighted_median([place.size for place in telling], scores)
    close = find(views, finder, usual)
    close += find_touching(views, finder, usual, close)
    likely = [p for p in rough if p.heat > (LIKE_HEAT if 1 / CLOSELY < p.size / usual < CLOSELY else OTHERS_HEAT)]
    return close + one_each(beside(likely, close))[:MOST_OTHERS]


def _scores(views: Views, places: list[Place], faces: FaceNet) -> list[float]:
    """How much each place looks like a die, 0–1."""
    chances = chances_at(views, places, faces)
    return [place.heat * float(row[1:].max()) for place, row in zip(places, chances, strict=True)]


def chances_at(views: Views, places: Sequence[Place], faces: FaceNet) -> Floats:
    """Of nothing, each value and unreadable at n places, n×8, by a glimpse at each."""
    return softmax(glimpses(views, places, faces)[1]) if places else np.empty((0, CLASSES), np.float32)


def glimpses(views: Views, places: Sequence[Place], net: FaceNet) -> tuple[NDArray[np.uint8], Floats, Floats]:
    """Crops of places, their logits and planes of pips; what was looked at before is not looked at again."""
    fresh = [place for place in places if place not in views.glimpsed]
    if fresh:
        new = np.stack([views.crop(place) for place in fresh])
        views.glimpsed.update(zip(fresh, zip(new, *net(new), strict=True), strict=True))
    crops, logits, pips = zip(*(views.glimpsed[place] for place in places), strict=True)
    return np.stack(crops), np.stack(logits), np.stack(pips)


def _good_enough(views: Views, places: list[Place], faces: FaceNet, level: int) -> bool:
    """Is there a likely die that is not so small that a finer search would see it much better.

    No place scores more than its heat: the others are not looked at.
    """
    searched = ([LEVELS_PX[0], *FINE_LEVELS_PX])[level]
    large = [p for p in places if p.heat > GOOD_SCORE and p.size * searched / views.longer_px >= TINY_PX]
    return any(score > GOOD_SCORE for score in _scores(views, large, faces))


def weighted_median(sizes: list[float], weights: list[float]) -> float:
    """The size up to which half of the squared weights lie: what looks most like a die counts most."""
    order = np.argsort(sizes)
    heaped = np.cumsum(np.array(weights)[order] ** 2)
    return float(sizes[order[int(np.searchsorted(heaped, heaped[-1] / 2))]])
