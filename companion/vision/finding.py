"""From a picture to places where a die could lie: the finder network over as few scales as needed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Picture
from companion.vision.networks import CELL_PX, CROP_PX, FILL, FinderNet

LEVELS_PX = (320, 112, 48)  # longer sides searched at first sight: dice of 4 % to 100 % of the picture
FINE_LEVELS_PX = (512, 832, 1280)  # searched one after the other while no die is found, or only tiny ones
TINY_PX = 18.0  # smaller dice in a searched picture are taken for larger ones: they are found better one level finer
BEST_PX = 22.0  # size of dice in the searched picture once their scale is known
NEARLY = (0.82, 1.4)  # of the best scale: a picture searched between them need not be searched again
TRUSTED_PX = (11.0, 56.0)  # what the finder says of dice in other sizes is ignored
LARGEST_FACTOR = 1.5  # a picture is not enlarged more: that adds no pips
LEAST_HEAT = 0.11
MOST_PLACES = 32
SAME_KIND = 1.5  # times larger or smaller: still the same thing seen twice
SAME_PLACE = 0.55  # of the larger size: two places closer than that are one die


Glimpse = tuple[Picture, NDArray[np.float32], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a die could lie: centre and size of the whole die in pixels, and the finder's chance that it is one."""

    x: float
    y: float
    size: float
    heat: float

    @property
    def box(self) -> tuple[float, float, float, float]:
        return (self.x - self.size / 2, self.y - self.size / 2, self.size, self.size)


class Views:
    """One picture at many scales; each half is made once, by area, so that small pips do not alias.

    What was found at each scale is kept in `searched`, what was seen at each place (crop, logits, pips) in `glimpsed`.
    """

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.searched: dict[float, list[Place]] = {}
        self.glimpsed: dict[Place, Glimpse] = {}
        self._halves = [picture]

    @cached_property
    def longer_px(self) -> int:
        return int(max(self.picture.shape[:2]))

    def scaled(self, factor: float) -> Picture:
        height, width = self.picture.shape[:2]
        size = (max(8, round(width * factor)), max(8, round(height * factor)))
        base = self._half(factor)
        return np.asarray(
            cv2.resize(base, size, interpolation=cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR), np.uint8
        )

    def crop(self, place: Place, *, turn_deg: float = 0.0, zoom: float = 1.0, flip: bool = False) -> Picture:
        """CROP_PX square around a place, the die FILL wide."""
        matrix = self.crop_matrix(place, turn_deg=turn_deg, zoom=zoom, flip=flip)
        factor = zoom * FILL / place.size
        base = self._half(factor)
        shrunk = base.shape[1] / self.picture.shape[1], base.shape[0] / self.picture.shape[0]
        matrix[:, 0] /= shrunk[0]
        matrix[:, 1] /= shrunk[1]
        flags = cv2.INTER_LINEAR
        return np.asarray(
            cv2.warpAffine(base, matrix, (CROP_PX, CROP_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
        )

    @staticmethod
    def crop_matrix(
        place: Place, *, turn_deg: float = 0.0, zoom: float = 1.0, flip: bool = False
    ) -> NDArray[np.float64]:
        """Picture to crop, 2×3."""
        factor = zoom * FILL / place.size
        cosine, sine = factor * math.cos(math.radians(turn_deg)), factor * math.sin(math.radians(turn_deg))
        along, down = (-cosine, -sine) if flip else (cosine, sine)
        return np.array(
            [
                [along, -sine, CROP_PX / 2 - along * place.x + sine * place.y],
                [down, cosine, CROP_PX / 2 - down * place.x - cosine * place.y],
            ]
        )

    def _half(self, factor: float) -> Picture:
        """The smallest stored half that is no smaller than wanted."""
        level = max(0, int(np.floor(np.log2(1 / max(factor, 1e-3)) + 0.25)))
        while len(self._halves) <= level and min(self._halves[-1].shape[:2]) > 16:
            self._halves.append(
                np.asarray(cv2.resize(self._halves[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
            )
        return self._halves[min(level, len(self._halves) - 1)]


def find(views: Views, net: FinderNet, scale_px: float) -> list[Place]:
    """Places of dice of about a known size, likeliest first; from a search at nearly that scale if there was one."""
    best = min(BEST_PX / scale_px, LARGEST_FACTOR)
    near = [factor for factor in views.searched if NEARLY[0] < factor / best < NEARLY[1]]
    return one_each(_search(views, net, min(near, key=lambda factor: abs(np.log(factor / best)), default=best)))


def find_at_all_scales(views: Views, net: FinderNet) -> list[Place]:
    """Places where dice of any size could lie, likeliest first."""
    factors = [min(level / views.longer_px, LARGEST_FACTOR) for level in LEVELS_PX]
    return one_each([place for factor in factors for place in _search(views, net, factor)])


def find_finer(views: Views, net: FinderNet, level: int) -> list[Place]:
    """Places of small dice; none where the picture has no more pixels to offer than were searched already."""
    if views.longer_px < 0.7 * FINE_LEVELS_PX[level]:
        return []
    return one_each(_search(views, net, min(1.0, FINE_LEVELS_PX[level] / views.longer_px)))


def _search(views: Views, net: FinderNet, factor: float) -> list[Place]:
    if factor not in views.searched:
        views.searched[factor] = _search_anew(views, net, factor)
    return views.searched[factor]


def _search_anew(views: Views, net: FinderNet, factor: float) -> list[Place]:
    small = views.scaled(factor)
    heat, sizes = net(small)
    highest = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= highest) & (heat > LEAST_HEAT))
    across, down = views.picture.shape[1] / small.shape[1], views.picture.shape[0] / small.shape[0]
    found = []
    for row, column in zip(rows, columns, strict=True):
        size = float(sizes[row, column])
        if TRUSTED_PX[0] <= size <= TRUSTED_PX[1]:
            x, y = _between_cells(heat, int(row), int(column))
            found.append(
                Place(x * CELL_PX * across, y * CELL_PX * down, size * (across + down) / 2, float(heat[row, column]))
            )
    return found


def _between_cells(heat: NDArray[np.float32], row: int, column: int) -> tuple[float, float]:
    """The peak's place in cells, to a fraction: where a parabola through it and its neighbours is highest."""

    def offset(before: float, at: float, after: float) -> float:
        bend = before - 2 * at + after
        return 0.0 if bend >= -1e-6 else float(np.clip(0.5 * (before - after) / bend, -0.5, 0.5))

    height, width = heat.shape
    middle = float(heat[row, column])
    dx = offset(float(heat[row, column - 1]), middle, float(heat[row, column + 1])) if 0 < column < width - 1 else 0.0
    dy = offset(float(heat[row - 1, column]), middle, float(heat[row + 1, column])) if 0 < row < height - 1 else 0.0
    return column + 0.5 + dx, row + 0.5 + dy


def one_each(places: list[Place]) -> list[Place]:
    """The surest place of each thing; what lies in a much larger thing (a pip in a die?) stays, to be looked at."""
    kept: list[Place] = []
    for place in sorted(places, key=lambda place: -place.heat):
        if not any(_same(place, other) for other in kept):
            kept.append(place)
        if len(kept) == MOST_PLACES:
            break
    return kept


def beside(places: list[Place], known: list[Place]) -> list[Place]:
    """The places that show something else than the known ones."""
    return [place for place in places if not any(_same(place, other) for other in known)]


def _same(one: Place, two: Place) -> bool:
    larger, smaller = max(one.size, two.size), min(one.size, two.size)
    near = np.hypot(one.x - two.x, one.y - two.y) < SAME_PLACE * larger
    return bool(near) and larger < SAME_KIND * smaller
