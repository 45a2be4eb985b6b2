"""Dice that the picture's rim cuts off: beside its mirror image, what is left of one looks much like a whole die.

Nobody can tell what such a die shows, or whether it counts, but a total without it is not to be told as certain.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import mean
from typing import TypeAlias

import cv2
import numpy as np

from companion.events import Box, middle_of
from companion.ports import Picture
from companion.vision.bands import Band, bands
from companion.vision.networks import NOTHING, FaceNet, FinderNet, Networks, softmax
from companion.vision.views import Place, Views, usual_width

Point: TypeAlias = tuple[float, float]

WARM, HOT = 0.2, 0.4  # heat of a place that the first finder sees, and the mean of all, of what may be a die;
SIZE = (0.6, 1.5)  # of the dice that were read: much of one left looks wider, little of it narrower,
MOST_NOTHING = 0.3  # and most chance of no die, the mean of all faces: rims of trays, cables and keys mostly have more
ITSELF = 0.6  # of a die, from its middle or from that of its mirror image: there lies that die
ACROSS = 0.6  # of its size, from the rim: what is further away is whole, or nothing
NEAR = 0.35  # of a die: two finders that differ by so much see the same


def cut_off(views: Views, dice: Sequence[Box], pairs: Sequence[Networks]) -> list[Box]:
    """Boxes (x, y, w, h, inside the picture) of what may be left of dice about as large as those in these boxes.

    `pairs`: of networks, all of which must take it for a die; they look one after the other, as most rims show nothing.
    """
    if not dice:
        return []
    usual, taken = usual_width(dice), _mirrored(dice, views)
    first, *others = (pair.finder for pair in pairs)
    hot: list[Place] = []
    for band in bands(views, usual):
        places = [place for place in band.search(first) if _may_be_cut(place, views, taken, usual)]
        hot += _hot(band, places, others, usual) if places else []
    plain = _faced(views, hot, [pair.faces for pair in pairs]) if hot else []
    return [within(place.box, views.picture) for place in plain]


def _may_be_cut(place: Place, views: Views, taken: Sequence[Point], usual: float) -> bool:
    """Is it somewhat hot, as large as dice, across the rim, and none of those that were read, nor the image of one."""
    height, width = views.picture.shape[:2]
    from_rim = min(place.x, place.y, width - place.x, height - place.y)
    if place.heat < WARM or not SIZE[0] < place.size / usual < SIZE[1] or abs(from_rim) > ACROSS * place.size:
        return False
    return all(math.hypot(place.x - x, place.y - y) >= ITSELF * usual for x, y in taken)


def _mirrored(dice: Sequence[Box], views: Views) -> list[Point]:
    """The middles of dice, and those of their images beyond each side of the picture."""
    height, width = views.picture.shape[:2]
    middles = [middle_of(box) for box in dice]
    images = [image for x, y in middles for image in ((-x, y), (2 * width - x, y), (x, -y), (x, 2 * height - y))]
    return middles + images


def _hot(band: Band, places: Sequence[Place], others: Sequence[FinderNet], usual: float) -> list[Place]:
    """Those of a band that are hot enough in the mean of all finders."""
    seen = [band.search(finder) for finder in others]

    def heat(place: Place, found: Sequence[Place]) -> float:
        near = (one.heat for one in found if math.hypot(one.x - place.x, one.y - place.y) < NEAR * usual)
        return max(near, default=0.0)

    return [place for place in places if mean([place.heat, *(heat(place, found) for found in seen)]) >= HOT]


def _faced(views: Views, places: Sequence[Place], faces: Sequence[FaceNet]) -> list[Place]:
    """Those that the faces take for a die, whatever it shows, beside what the rim mirrors."""
    crops = np.stack([views.crop(place, beyond_rim=cv2.BORDER_REFLECT) for place in places])
    nothing = np.mean([softmax(net(crops)[0])[:, NOTHING] for net in faces], axis=0)
    return [place for place, chance in zip(places, nothing, strict=True) if chance < MOST_NOTHING]


def within(box: Box, picture: Picture) -> Box:
    """What of a box lies in a picture; a side is 0 where none does."""
    x, y, w, h = box
    height, width = picture.shape[:2]
    left, top = max(0.0, x), max(0.0, y)
    return left, top, max(0.0, min(float(width), x + w) - left), max(0.0, min(float(height), y + h) - top)
