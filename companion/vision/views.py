"""A picture as it is looked at: at any scale, in tiles, and in crops of the places where a die could lie."""

from __future__ import annotations

import math
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import TypedDict, Unpack

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.events import Box
from companion.ports import Picture
from companion.vision.networks import CROP_PX, FILL
from companion.vision.sight import lit

MUCH = 1.3  # times smaller
TILE_PX = 88  # side of the parts of a finer picture that are searched
ALMOST = 0.25  # of a halving: a half that is smaller than wanted by less will do, enlarged by a fifth at most
LEAST_FACTOR = 1e-3  # as which any smaller one counts: a picture has few halves
LEAST_SIDE_PX = 8  # of a picture made smaller, however narrow it is
LEAST_HALVED_PX = 16  # a half with a shorter side of no more is not halved again

Points = tuple[tuple[float, float], ...]
Hint = tuple[float, float, float]
Glimpse = tuple[Picture, NDArray[np.float32], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a die could lie: centre and size of the whole die in pixels, and the finder's chance that it is one."""

    x: float
    y: float
    size: float
    heat: float

    @property
    def box(self) -> Box:
        return (self.x - self.size / 2, self.y - self.size / 2, self.size, self.size)


def apart(one: Place, two: Place) -> float:
    """Distance of two places, in their mean size."""
    return 2 * math.hypot(one.x - two.x, one.y - two.y) / (one.size + two.size)


class View(TypedDict, total=False):
    """How a crop is taken: turned about the die's middle, enlarged, mirrored.

    `tall`: the picture made so many times higher, as a camera further above would see a face that lies flat; `lift`:
    the crop's middle so much of the die's size above the die's.
    """

    turn_deg: float
    zoom: float
    flip: bool
    tall: float
    lift: float


class Views:
    """A picture, in fair light, at many scales; each half is made once, by area, so that small pips do not alias.

    `taken`: as the camera took it; `picture`: `gain` times as bright, if that is dark. `searched`: what was found at
    each scale; `glimpsed`: what was seen at each place (crop, logits, pips). `hints`: heat, x and y of all peaks of
    each searched scale, down to faint ones, hottest first. These three are one pair's answers: another pair, or whoever
    wants another opinion, looks at `unsearched()`.
    """

    def __init__(self, taken: Picture) -> None:
        self.taken = taken
        self.picture, self.gain = lit(taken)
        self.searched: dict[float, list[Place]] = {}
        self.hints: dict[float, list[Hint]] = {}
        self.glimpsed: dict[Place, Glimpse] = {}
        self._halves = [self.picture]

    def unsearched(self) -> Views:
        """The same picture, in which nothing was searched yet: for another look at it. Its halves are shared."""
        other = copy(self)
        other.searched, other.hints, other.glimpsed = {}, {}, {}
        return other

    @cached_property
    def longer_px(self) -> int:
        return int(max(self.picture.shape[:2]))

    def scaled(self, factor: float) -> Picture:
        height, width = self.sides(factor)
        return _resized(self._half(factor), (max(LEAST_SIDE_PX, width), max(LEAST_SIDE_PX, height)))

    def sides(self, factor: float) -> tuple[int, int]:
        """Height and width of the picture at a scale."""
        height, width = self.picture.shape[:2]
        return round(height * factor), round(width * factor)

    def tile(self, factor: float, left: int, top: int) -> tuple[Picture, tuple[float, float], tuple[float, float]]:
        """TILE_PX square of the picture at a scale, its pixels in those of the picture, and its corner there.

        The same as from the whole picture at that scale, but for a fraction of a pixel, without making that.
        """
        base = self._half(factor)
        (height, width), whole = base.shape[:2], self.picture.shape[:2]
        starts, ends, steps = [], [], []
        for side, full, at in ((width, whole[1], left), (height, whole[0], top)):
            ratio = side / round(full * factor)
            starts.append(math.floor(at * ratio))
            ends.append(min(side, math.ceil((at + TILE_PX) * ratio)))
            steps.append(full / side)
        part = base[starts[1] : ends[1], starts[0] : ends[0]]
        tile = _resized(part, (TILE_PX, TILE_PX))
        across, down = ((end - start) / TILE_PX * step for start, end, step in zip(starts, ends, steps, strict=True))
        corner = starts[0] * steps[0], starts[1] * steps[1]
        return tile, (across, down), corner

    def crop(self, place: Place, *, beyond_rim: int = cv2.BORDER_REPLICATE, **view: Unpack[View]) -> Picture:
        """CROP_PX square around a place, the die FILL wide, as of `View`. `beyond_rim`: one of OpenCV's borders."""
        matrix = self.crop_matrix(place, **view)
        factor = view.get("zoom", 1.0) * FILL / place.size
        base = self._half(factor)
        shrunk = base.shape[1] / self.picture.shape[1], base.shape[0] / self.picture.shape[0]
        matrix[:, 0] /= shrunk[0]
        matrix[:, 1] /= shrunk[1]
        size, flags = (CROP_PX, CROP_PX), cv2.INTER_LINEAR
        return np.asarray(cv2.warpAffine(base, matrix, size, flags=flags, borderMode=beyond_rim), np.uint8)

    @staticmethod
    def crop_matrix(
        place: Place,
        *,
        turn_deg: float = 0.0,
        zoom: float = 1.0,
        flip: bool = False,
        tall: float = 1.0,
        lift: float = 0.0,
    ) -> NDArray[np.float64]:
        """Picture to crop, 2×3, as of `View`."""
        factor = zoom * FILL / place.size
        cosine, sine = factor * math.cos(math.radians(turn_deg)), factor * math.sin(math.radians(turn_deg))
        along, down = (-cosine, -sine) if flip else (cosine, sine)
        linear = np.array([[along, -sine * tall], [down, cosine * tall]])
        middle = linear @ (place.x, place.y - lift * place.size)
        return np.column_stack([linear, CROP_PX / 2 - middle])

    def _half(self, factor: float) -> Picture:
        """The smallest half that is as large as wanted, or ALMOST. Made, with those before it, once it is wanted."""
        level = max(0, int(np.floor(np.log2(1 / max(factor, LEAST_FACTOR)) + ALMOST)))
        while len(self._halves) <= level and min(self._halves[-1].shape[:2]) > LEAST_HALVED_PX:
            self._halves.append(
                np.asarray(cv2.resize(self._halves[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
            )
        return self._halves[min(level, len(self._halves) - 1)]


def _resized(picture: Picture, size: tuple[int, int]) -> Picture:
    """By area where it shrinks much: a little, that takes four times as long and shows no more."""
    much = picture.shape[1] > MUCH * size[0]
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA if much else cv2.INTER_LINEAR), np.uint8)


def in_picture(centres: NDArray[np.float64], place: Place, view: View) -> Points:
    """Where in the picture what lies at these places, n×2, of a crop lies."""
    matrix = cv2.invertAffineTransform(Views.crop_matrix(place, **view))
    return tuple(map(tuple, (centres @ matrix[:, :2].T + matrix[:, 2]).tolist()))


def usual_width(boxes: Iterable[Box]) -> float:
    """Of dice, the median of the longer sides of their boxes (x, y, w, h). There must be some."""
    return float(np.median([max(width, height) for _, _, width, height in boxes]))
