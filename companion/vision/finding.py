"""From a picture to places where a die could lie: the finder network over as few scales as needed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypedDict, Unpack

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.events import Box
from companion.ports import Picture
from companion.vision.networks import BLOCK_PX, CELL_PX, CROP_PX, FILL, FinderNet
from companion.vision.sight import lit

LEVELS_PX = (320, 112, 48)  # longer sides searched at first sight: dice of 4 % to 100 % of the picture
FINE_LEVELS_PX = (560, 1120)  # searched while no die is found, or only tiny ones
TINY_PX = 18.0  # smaller dice in a searched picture are taken for larger ones: they are found better one level finer
BEST_PX = 22.0  # size of dice in the searched picture once their scale is known,
STILL_BEST_PX = 25.0  # and once it is known from frames before, or SPARING of it: nothing then looks more closely
PARTED_PX, PARTED_HEAT = 38.0, 0.2  # size at which dice that touch are told apart best, and heat of one more of them
SPARING = (1.0, 0.99, 0.98, 0.97, 0.96, 0.95, 0.94)  # times as large, where that saves blocks
NEARLY = (0.82, 1.7)  # of the best scale: one searched between them will do; beyond, large dice outgrow TRUSTED_PX
TRUSTED_PX = (11.0, 56.0)  # what the finder says of dice in other sizes is ignored
LARGEST_FACTOR = 1.5  # a picture is not enlarged more: that adds no pips
MUCH = 1.3  # times smaller
LEAST_HEAT = 0.07  # of a place that is looked at: on strewn ground dice have no more
HINTS = ((11.0, 0.06), (8.0, 0.03))  # nearly all dice of so many pixels, in collections never seen, have more heat
TILE_PX = 88  # side of the parts of a finer picture that are searched
TILE_RIM_PX = 16  # what is found closer to a tile's rim was seen too little of
HINT_REACH_PX = 15  # from a tile's middle: its dice lie well inside
STRONG_HINT = 0.2  # as hot as many a die: always searched,
MOST_WEAK = 6  # while no more tiles are for weaker ones: far dice are among them, and all that clutters a table
WORTH_WHOLE = 1.1  # of the area of the tiles: a picture no larger is searched as a whole
SOON_DONE = 60_000  # pixels: so is one that takes no longer than the search of a usual one
STILL_WHOLE = 240_000  # pixels: so is one made to look for tiny dice: in shade, or pale, they leave no rougher hint
MOST_PLACES = 32
RIM_DEPTH = 1.3  # of a die, from the picture's rim: so wide a band shows of a die all that the rim leaves of it
PEAK_CELLS = 5  # across: a cell with none hotter within is a peak
SAME_KIND = 1.5  # times larger or smaller: still the same thing seen twice
SAME_PLACE = 0.55  # of the larger size: two places closer than that are one die
SAME_PEAK = 0.3  # and two so close are that at any scale; a place between two dice that touch is not


Hint = tuple[float, float, float]
Peak = tuple[int, int]
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
    each searched scale, down to faint ones, hottest first.
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
        return _resized(self._half(factor), (max(8, width), max(8, height)))

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
        """The smallest stored half that is no smaller than wanted."""
        level = max(0, int(np.floor(np.log2(1 / max(factor, 1e-3)) + 0.25)))
        while len(self._halves) <= level and min(self._halves[-1].shape[:2]) > 16:
            self._halves.append(
                np.asarray(cv2.resize(self._halves[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
            )
        return self._halves[min(level, len(self._halves) - 1)]


def _resized(picture: Picture, size: tuple[int, int]) -> Picture:
    """By area where it shrinks much: a little, that takes four times as long and shows no more."""
    much = picture.shape[1] > MUCH * size[0]
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA if much else cv2.INTER_LINEAR), np.uint8)


def find(views: Views, net: FinderNet, scale_px: float) -> list[Place]:
    """Places of dice of about a known size, likeliest first; from a search at nearly that scale if there was one."""
    best = min(BEST_PX / scale_px, LARGEST_FACTOR)
    near = [factor for factor in views.searched if NEARLY[0] < factor / best < NEARLY[1]]
    if near:
        return one_each(views.searched[min(near, key=lambda factor: abs(np.log(factor / best)))])
    return one_each(_search_near_hints(views, net, best, scale_px))


def find_touching(views: Views, net: FinderNet, scale_px: float, known: list[Place]) -> list[Place]:
    """Places of dice of about a known size that a search at a larger scale tells from the `known` ones.

    Of dice that touch one in seven has no peak of its own where dice are BEST_PX wide, and one in twelve at PARTED_PX.
    A known place may lie between two of them, nearer to each than two dice can be: which are dice, the faces tell.
    """
    if not known:
        return []
    closer = _search_near_hints(views, net, min(PARTED_PX / scale_px, LARGEST_FACTOR), scale_px)
    likely = [p for p in closer if p.heat > PARTED_HEAT and 1 / SAME_KIND < p.size / scale_px < SAME_KIND]
    return beside(one_each(likely), known, SAME_PEAK)


def find_again(views: Views, net: FinderNet, scale_px: float) -> list[Place]:
    """Places of dice of a size that is known from frames before, likeliest first: the quickest search that finds them.

    The finder takes whole blocks; of the scales down to SPARING, the one at which the picture fills the fewest.
    """
    factor = min(STILL_BEST_PX / scale_px, LARGEST_FACTOR)

    def blocks(share: float) -> int:
        return math.prod(math.ceil(side / BLOCK_PX) for side in views.sides(factor * share))

    return one_each(_search(views, net, factor * min(SPARING, key=blocks)))


def find_at_all_scales(views: Views, net: FinderNet) -> list[Place]:
    """Places where dice of any size could lie, likeliest first."""
    factors = [min(level / views.longer_px, LARGEST_FACTOR) for level in LEVELS_PX]
    return one_each([place for factor in factors for place in _search(views, net, factor)])


def find_finer(views: Views, net: FinderNet, level: int) -> list[Place]:
    """Places of small dice; none where the picture has no more pixels to offer than were searched already."""
    if views.longer_px < 0.7 * FINE_LEVELS_PX[level]:
        return []
    factor = min(1.0, FINE_LEVELS_PX[level] / views.longer_px)
    return one_each(_search_near_hints(views, net, factor, TINY_PX / factor, STILL_WHOLE))


@dataclass(frozen=True, slots=True, eq=False)
class Band:
    """A band along one side of a picture, `depth` pixels wide, right of its mirror image: h×2·depth×3.

    `scale`: pixels of the picture to one of it. `upright`: along the left or right side, else turned along the upper or
    lower one. `far`: None for the left and upper side, else where the right or lower one is, in pixels of the picture.
    """

    shown: Picture
    depth: int
    scale: float
    upright: bool
    far: float | None

    def search(self, net: FinderNet) -> list[Place]:
        """Places of dice in the picture, or beyond its rim, where whole dice of the band are found once more.

        Half a die is no die to the finder, but beside its mirror image it looks much like one.
        """
        heat, sizes = net(self.shown)
        across = _places(_peaks(heat), heat, sizes, (self.scale, self.scale), (-self.depth * self.scale, 0.0))
        return [self._in_picture(place) for place in across]

    def _in_picture(self, place: Place) -> Place:
        from_side = place.x if self.far is None else self.far - place.x
        x, y = (from_side, place.y) if self.upright else (place.y, from_side)
        return replace(place, x=x, y=y)


def bands(views: Views, scale_px: float) -> Iterator[Band]:
    """Those along the picture's four sides, so wide that they show of dice of that size all that the rim leaves."""
    small = views.scaled(min(BEST_PX / scale_px, LARGEST_FACTOR))
    scale = views.picture.shape[1] / small.shape[1]
    depth = min(round(RIM_DEPTH * scale_px / scale), *(side // 2 for side in small.shape[:2]))
    for upright in (True, False):
        picture = small if upright else small.transpose(1, 0, 2)
        for far in (None, picture.shape[1] * scale):
            band = (picture if far is None else picture[:, ::-1])[:, :depth]
            shown = np.ascontiguousarray(np.hstack([band[:, ::-1], band]))
            yield Band(shown, depth, scale, upright, far)


def _search(views: Views, net: FinderNet, factor: float) -> list[Place]:
    """In the whole picture."""
    if factor not in views.searched:
        small = views.scaled(factor)
        heat, sizes = net(small)
        scale = views.picture.shape[1] / small.shape[1], views.picture.shape[0] / small.shape[0]
        peaks = _peaks(heat)
        views.searched[factor] = _places(peaks, heat, sizes, scale)
        views.hints[factor] = _hints(peaks, heat, scale)
    return views.searched[factor]


def _search_near_hints(
    views: Views, net: FinderNet, factor: float, scale_px: float, whole_px: int = SOON_DONE
) -> list[Place]:
    """Only in tiles where a rougher search left hints, if one could see dice of that size and the tiles are few.

    A picture of less than `whole_px` pixels at that scale is searched as a whole.
    """
    height, width = views.sides(factor)
    small = min(height, width) < TILE_PX or height * width < whole_px
    if small or factor in views.searched or not views.hints:
        return _search(views, net, factor)
    rough = max((other for other in views.hints if other < factor), default=min(views.hints))
    least = next((heat for size_px, heat in HINTS if rough * scale_px >= size_px), HINTS[-1][1])
    hints = [(heat, x * factor, y * factor) for heat, x, y in views.hints[rough] if heat >= least]
    corners = _tiles(hints, width, height)
    if height * width < WORTH_WHOLE * TILE_PX**2 * len(corners):
        return _search(views, net, factor)
    views.searched[factor] = _search_tiles(views, net, factor, corners, (height, width)) if corners else []
    return views.searched[factor]


def _tiles(hints: list[Hint], width: int, height: int) -> list[tuple[int, int]]:
    """Upper left corners of tiles around hints, the hottest hints first, a hint that lies in a tile needing none."""
    corners: list[tuple[int, int]] = []
    middles: list[tuple[float, float]] = []
    weak = 0
    for heat, x, y in hints:
        if any(max(abs(x - mx), abs(y - my)) < HINT_REACH_PX for mx, my in middles):
            continue
        weak += heat < STRONG_HINT
        if weak > MOST_WEAK:
            break
        left, top = round(x - TILE_PX / 2), round(y - TILE_PX / 2)
        corners.append((min(max(left, 0), width - TILE_PX), min(max(top, 0), height - TILE_PX)))
        middles.append((x, y))
    return corners


def _search_tiles(
    views: Views, net: FinderNet, factor: float, corners: list[tuple[int, int]], size: tuple[int, int]
) -> list[Place]:
    """`size`: height and width of the whole picture at that scale."""
    tiles = [views.tile(factor, left, top) for left, top in corners]
    answers = zip(*net.windows([tile for tile, _, _ in tiles]), strict=True)
    found, hints = [], []
    for (left, top), (_, scale, corner), (heat, sizes) in zip(corners, tiles, answers, strict=True):
        rim = np.full(heat.shape, True)
        inner = [
            slice(
                0 if start == 0 else TILE_RIM_PX // CELL_PX,
                TILE_PX // CELL_PX if start + TILE_PX >= side else (TILE_PX - TILE_RIM_PX) // CELL_PX,
            )
            for start, side in zip((top, left), size, strict=True)
        ]
        rim[inner[0], inner[1]] = False
        heat[rim] = 0
        peaks = _peaks(heat)
        found += _places(peaks, heat, sizes, scale, corner)
        hints += _hints(peaks, heat, scale, corner)
    views.hints[factor] = sorted(hints, reverse=True)
    return found


def _peaks(heat: NDArray[np.float32]) -> list[Peak]:
    """Rows and columns, down to the faintest peak that is a hint."""
    highest = cv2.dilate(heat, np.ones((PEAK_CELLS, PEAK_CELLS), np.uint8))
    rows, columns = np.nonzero((heat >= highest) & (heat > HINTS[-1][1]))
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def _hints(
    peaks: list[Peak],
    heat: NDArray[np.float32],
    scale: tuple[float, float],
    corner: tuple[float, float] = (0.0, 0.0),
) -> list[Hint]:
    """All peaks, hottest first."""
    ordered = sorted(((float(heat[peak]), *peak) for peak in peaks), reverse=True)
    return [
        (hot, (column + 0.5) * CELL_PX * scale[0] + corner[0], (row + 0.5) * CELL_PX * scale[1] + corner[1])
        for hot, row, column in ordered
    ]


def _places(
    peaks: list[Peak],
    heat: NDArray[np.float32],
    sizes: NDArray[np.float32],
    scale: tuple[float, float],
    corner: tuple[float, float] = (0.0, 0.0),
) -> list[Place]:
    """The peaks that are dice. `scale`: pixels of the picture to one of the part searched, from its `corner` on."""
    found = []
    for row, column in peaks:
        size = float(sizes[row, column])
        if heat[row, column] > LEAST_HEAT and TRUSTED_PX[0] <= size <= TRUSTED_PX[1]:
            x, y = _between_cells(heat, row, column)
            at = x * CELL_PX * scale[0] + corner[0], y * CELL_PX * scale[1] + corner[1]
            found.append(Place(*at, size * (scale[0] + scale[1]) / 2, float(heat[row, column])))
    return found


def _between_cells(heat: NDArray[np.float32], row: int, column: int) -> tuple[float, float]:
    """The peak's place in cells, to a fraction: where a parabola through it and its neighbours is highest."""

    def offset(before: float, at: float, after: float) -> float:
        bend = before - 2 * at + after
        return 0.0 if bend >= -1e-6 else min(0.5, max(-0.5, 0.5 * (before - after) / bend))

    height, width = heat.shape
    middle = float(heat[row, column])
    dx = offset(float(heat[row, column - 1]), middle, float(heat[row, column + 1])) if 0 < column < width - 1 else 0.0
    dy = offset(float(heat[row - 1, column]), middle, float(heat[row + 1, column])) if 0 < row < height - 1 else 0.0
    return column + 0.5 + dx, row + 0.5 + dy


def usual_width(boxes: Iterable[Box]) -> float:
    """Of dice, the median of the longer sides of their boxes (x, y, w, h). There must be some."""
    return float(np.median([max(width, height) for _, _, width, height in boxes]))


def one_each(places: list[Place]) -> list[Place]:
    """The surest place of each thing; what lies in a much larger thing (a pip in a die?) stays, to be looked at."""
    kept: list[Place] = []
    for place in sorted(places, key=lambda place: -place.heat):
        if not any(_same(place, other) for other in kept):
            kept.append(place)
        if len(kept) == MOST_PLACES:
            break
    return kept


def beside(places: list[Place], known: list[Place], apart: float = SAME_PLACE) -> list[Place]:
    """The places that show something else than the known ones; `apart`: how far from these, in their size."""
    return [place for place in places if not any(_same(place, other, apart) for other in known)]


def _same(one: Place, two: Place, apart: float = SAME_PLACE) -> bool:
    larger, smaller = max(one.size, two.size), min(one.size, two.size)
    near = np.hypot(one.x - two.x, one.y - two.y) < apart * (larger + smaller) / 2
    return bool(near) and larger < SAME_KIND * smaller
