"""Does anything move between two pictures, or has only the light changed? Cheap enough for every frame.

A picture is looked at as some 7,000 cells. What a lamp or the camera's automatic exposure does to all of them alike
is taken out first; what is left in single cells, and more than the camera's noise, has moved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Picture
from companion.vision.sight import black
from companion.vision.surface import MEAN

Cells: TypeAlias = NDArray[np.floating[Any]]  # 72 × 96 × 3, 0–255
Share: TypeAlias = tuple[float, float, float, float]  # x, y, w, h as shares of the picture's sides

_COLUMNS, _ROWS = 96, 72  # a die of 28 pixels at 640 × 480 is four cells wide
_LEAST = 5.0  # grey levels a cell must change by; a JPEG's flicker stays below
_NOISE = 4.0  # times the median noise; two cells side by side pass that by chance in no hour of frames
_DRIFT = 0.6  # share of a change of brightness that cells may differ by, since cameras are not linear
_FEWEST = 2  # cells side by side that must change
_LIGHT = 0.04  # change of brightness that counts as another light
_WIDE = 0.3  # share of cells that only a lamp that does not light them alike, or a great hand, changes at once
_ALIKE = 0.7  # correlation of edges from which on the same things are seen in another light
_HAND = 0.12  # share of cells, side by side, that three dice do not change
_REPLACED = 0.6  # share of a die's cells that change when it is lifted away
_ALL = 0.5  # share of cells that change where a sheet lies over nearly everything: then the median is no noise
_AROUND = 0.8  # of a die's sides around its box: its shadow falls no further
_INSIDE = slice(_ROWS // 8, -(_ROWS // 8)), slice(_COLUMNS // 8, -(_COLUMNS // 8))  # of a picture, not at its rim
_FINGERTIP = 8  # cells that show that a hand reaches there
_REACHES = 2.0  # dice: what comes from the rim and is larger than so many may hide one
_DARK, _BRIGHT = 8.0, 250.0  # grey levels below and above which a cell says nothing about the light
_TELLING = 20  # one of so many cells at least must be between them, or nothing is known of a colour's light


class Change(Enum):
    NONE = "none"
    LIGHT = "light"
    MOTION = "motion"
    HAND = "hand"


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """A picture as cells."""

    cells: Cells


def glance(picture: Picture) -> Glance:
    """The cells of a height × width × 3 picture of any size."""
    return Glance(cv2.resize(picture, (_COLUMNS, _ROWS), interpolation=cv2.INTER_AREA).astype(np.float32))


def change(before: Glance, after: Glance) -> Change:
    """What has changed between two pictures of one camera that does not move."""
    raw = _apart(before.cells, after.cells)
    if raw.max() <= _LEAST:
        return Change.NONE
    gain = _gain(before.cells, after.cells)
    rest, moved = _moved(before.cells, after.cells, gain)
    spot = _largest(moved)
    if spot < _FEWEST:
        lit = bool(np.any(np.abs(gain - 1) > _LIGHT)) or (dark(before) and not dark(after))  # black tells no gain
        return Change.LIGHT if lit else Change.NONE
    if float((rest > _LEAST).mean()) > _WIDE and _same_edges(before.cells, after.cells):
        return Change.LIGHT
    return Change.HAND if spot > _HAND * rest.size else Change.MOTION


def dark(seen: Glance) -> bool:
    """Is it too dark to tell whether anything lies there."""
    return black(seen.cells)


def differs(before: Glance, after: Glance, box: Share) -> bool:
    """Whether something else is to be seen in a box (x, y, w, h as shares of the picture's sides)."""
    where = _cells(box)
    if not after.cells[where].size:
        return False
    adapted = _brighter(before.cells[where], _gain(before.cells, after.cells))
    rest = _apart(adapted, after.cells[where])
    return float((rest > _LEAST).mean()) > _REPLACED


def unlike(before: Glance, after: Glance, boxes: Sequence[Share]) -> list[Share]:
    """The boxes (as of `differs`) in which something else is to be seen, be it noisy or lit unevenly."""
    _, moved = _moved(before.cells, after.cells, _gain(before.cells, after.cells))
    within = [(box, moved[_cells(box)]) for box in boxes]
    return [box for box, cells in within if cells.size and float(cells.mean()) > _REPLACED]


def veiled(before: Glance, after: Glance, boxes: Sequence[Share]) -> bool:
    """Whether what is to be seen in one of these boxes (as of `differs`) goes on beyond it, by more than a die.

    So it does where a hand or a sheet lies over a die, and not where a die was taken up, its shadow with it.
    """
    rest, moved = _moved(before.cells, after.cells, _gain(before.cells, after.cells))
    if float((rest > _LEAST).mean()) > _ALL and not _same_edges(before.cells, after.cells):
        return bool(boxes)
    spots = np.asarray(cv2.connectedComponents(np.asarray(moved, np.uint8))[1], np.intp)
    beyond = spots.copy()
    for box in boxes:
        beyond[_cells(box, _AROUND)] = 0
    sizes = np.bincount(beyond.ravel(), minlength=int(spots.max()) + 1)
    return any(
        sizes[spot] > spots[_cells(box)].size for box in boxes for spot in np.unique(spots[_cells(box)]) if spot > 0
    )


def reached_into(before: Glance, after: Glance, boxes: Sequence[Share]) -> bool:
    """Whether something that could hide a die reaches into the picture since, beside these boxes (as of `differs`).

    So does a hand, with its fingers, or a sleeve: it comes from the rim, and is larger than two dice. Where it looks
    like the rim, or no dice tell how large they are, it is told by its own size. An arm beside the tray, which shows at
    the picture's rim alone, reaches into nothing. Dice and their shadows are none.
    """
    rest, moved = _moved(before.cells, after.cells, _gain(before.cells, after.cells))
    if float((rest > _LEAST).mean()) > _WIDE and _same_edges(before.cells, after.cells):
        return False
    beyond = moved.copy()
    sizes = [beyond[_cells(box)].size for box in boxes]
    for box in boxes:
        beyond[_cells(box, _AROUND)] = False
    spots = np.asarray(cv2.connectedComponents(np.asarray(beyond, np.uint8))[1], np.intp)
    rim = np.unique(np.concatenate([spots[0], spots[-1], spots[:, 0], spots[:, -1]]))
    least = _REACHES * float(np.median(sizes)) if sizes else _HAND * beyond.size
    from_rim = int(np.isin(spots, rim[rim > 0]).sum())
    inside = int(beyond[_INSIDE].sum())
    return (from_rim > least and inside >= _FINGERTIP) or _largest(beyond) > _HAND * beyond.size


def _moved(before: Cells, after: Cells, gain: Cells) -> tuple[Cells, NDArray[np.bool_]]:
    """How much each cell differs beyond the light that changed for all, and whether that is more than noise."""
    adapted = _brighter(before, gain)
    rest = _apart(adapted, after)
    return rest, rest > _LEAST + _NOISE * float(np.median(rest[::2])) + _DRIFT * _apart(adapted, before)


def _cells(box: Share, around: float = 0.0) -> tuple[slice, slice]:
    """The rows and columns of a box, and so many of its sides around it."""
    x, y, w, h = box
    left, top = int((x - around * w) * _COLUMNS), int((y - around * h) * _ROWS)
    right, bottom = int((x + w + around * w) * _COLUMNS) + 1, int((y + h + around * h) * _ROWS) + 1
    return slice(max(top, 0), max(bottom, 0)), slice(max(left, 0), max(right, 0))


def _largest(moved: Cells | NDArray[np.bool_]) -> int:
    """Cells of the largest connected spot of changed ones."""
    _, _, spots, _ = cv2.connectedComponentsWithStats(np.asarray(moved, np.uint8))
    return int(spots[1:, cv2.CC_STAT_AREA].max()) if len(spots) > 1 else 0


def _apart(one: Cells, two: Cells) -> Cells:
    """How many grey levels cells differ by, all three colours together."""
    return np.asarray(cv2.transform(cv2.absdiff(one, two), MEAN), np.float32)


def _gain(before: Cells, after: Cells) -> Cells:
    """How much brighter each colour became, by what most cells say."""
    gains = np.ones(3, np.float32)
    for colour in range(3):
        one, two = before[::2, ::2, colour], after[::2, ::2, colour]  # a quarter of the cells says it as well
        lit = (one > _DARK) & (one < _BRIGHT) & (two < _BRIGHT)
        if np.count_nonzero(lit) > lit.size // _TELLING:
            gains[colour] = np.median(two[lit] / one[lit])
    return gains


def _brighter(cells: Cells, gain: Cells) -> Cells:
    """So much brighter, as a camera shows it: what is white already stays so."""
    return np.minimum(cells * gain, 255)


def _same_edges(before: Cells, after: Cells) -> bool:
    one, two = _edges(before), _edges(after)
    strength = float(np.sqrt((one * one).sum() * (two * two).sum()))
    return strength > 0 and float((one * two).sum()) / strength > _ALIKE


def _edges(cells: Cells) -> Cells:
    """Edges relative to their neighbourhood's brightness, so that a lamp leaves them as they are."""
    grey = np.log(cells.mean(axis=2) + _DARK)
    return np.asarray(cv2.Laplacian(grey, cv2.CV_32F), np.float32)
