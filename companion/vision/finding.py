"""From a picture to places where a die could lie: the finder network over as few scales as needed."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.networks import BLOCK_PX, CELL_PX, FinderNet
from companion.vision.views import TILE_PX, Hint, Place, Views

LEVELS_PX = (320, 112, 48)  # longer sides searched at first sight: dice of 4 % to 100 % of the picture
FINE_LEVELS_PX = (560, 1120)  # searched while no die is found, or only tiny ones
FINER = 0.7  # of such a side: a picture whose own is shorter has too few pixels that were not searched already
TINY_PX = 18.0  # smaller dice in a searched picture are taken for larger ones: they are found better one level finer
BEST_PX = 22.0  # size of dice in the searched picture once their scale is known,
STILL_BEST_PX = 25.0  # and once it is known from frames before, or SPARING of it: nothing then looks more closely
PARTED_PX, PARTED_HEAT = 38.0, 0.2  # size at which dice that touch are told apart best, and heat of one more of them
SPARING = (1.0, 0.99, 0.98, 0.97, 0.96, 0.95, 0.94)  # times as large, where that saves blocks
NEARLY = (0.82, 1.7)  # of the best scale: one searched between them will do; beyond, large dice outgrow TRUSTED_PX
TRUSTED_PX = (11.0, 56.0)  # what the finder says of dice in other sizes is ignored
LARGEST_FACTOR = 1.5  # a picture is not enlarged more: that adds no pips
LEAST_HEAT = 0.07  # of a place that is looked at: on strewn ground dice have no more
HINTS = ((11.0, 0.06), (8.0, 0.03))  # nearly all dice of so many pixels, in collections never seen, have more heat
TILE_RIM_PX = 16  # what is found closer to a tile's rim was seen too little of
HINT_REACH_PX = 15  # from a tile's middle: its dice lie well inside
STRONG_HINT = 0.2  # as hot as many a die: always searched,
MOST_WEAK = 6  # while no more tiles are for weaker ones: far dice are among them, and all that clutters a table
WORTH_WHOLE = 1.1  # of the area of the tiles: a picture no larger is searched as a whole
SOON_DONE = 60_000  # pixels: so is one that takes no longer than the search of a usual one
STILL_WHOLE = 240_000  # pixels: so is one made to look for tiny dice: in shade, or pale, they leave no rougher hint
MOST_PLACES = 32
PEAK_CELLS = 5  # across: a cell with none hotter within is a peak
SAME_KIND = 1.5  # times larger or smaller: still the same thing seen twice
SAME_PLACE = 0.55  # of the larger size: two places closer than that are one die
SAME_PEAK = 0.3  # and two so close are that at any scale; a place between two dice that touch is not

Peak = tuple[int, int]


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
    if views.longer_px < FINER * FINE_LEVELS_PX[level]:
        return []
    factor = min(1.0, FINE_LEVELS_PX[level] / views.longer_px)
    return one_each(_search_near_hints(views, net, factor, TINY_PX / factor, STILL_WHOLE))


def _search(views: Views, net: FinderNet, factor: float) -> list[Place]:
    """In the whole picture."""
    if factor not in views.searched:
        small = views.scaled(factor)
        heat, sizes = net(small)
        scale = views.picture.shape[1] / small.shape[1], views.picture.shape[0] / small.shape[0]
        peaks = peaks_of(heat)
        views.searched[factor] = places_at(peaks, heat, sizes, scale)
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
    enough = height * width / (WORTH_WHOLE * TILE_PX**2)
    corners = _tiles(hints, width, height, enough)
    if len(corners) > enough:
        return _search(views, net, factor)
    views.searched[factor] = _search_tiles(views, net, factor, corners, (height, width)) if corners else []
    return views.searched[factor]


def _tiles(hints: list[Hint], width: int, height: int, enough: float) -> list[tuple[int, int]]:
    """Upper left corners of tiles around hints, the hottest hints first, a hint that lies in a tile needing none.

    None after the first that is more than `enough`.
    """
    corners: list[tuple[int, int]] = []
    middles: list[tuple[float, float]] = []
    weak = 0
    for heat, x, y in hints:
        if any(max(abs(x - mx), abs(y - my)) < HINT_REACH_PX for mx, my in middles):
            continue
        weak += heat < STRONG_HINT
        if weak > MOST_WEAK or len(corners) > enough:
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
        peaks = peaks_of(heat)
        found += places_at(peaks, heat, sizes, scale, corner)
        hints += _hints(peaks, heat, scale, corner)
    views.hints[factor] = sorted(hints, reverse=True)
    return found


def peaks_of(heat: NDArray[np.float32]) -> list[Peak]:
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


def places_at(
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
