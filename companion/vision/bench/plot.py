"""The bench's plot: confusion and calibration side by side, drawn with OpenCV alone."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np

from companion.ports import Picture
from companion.vision.bench.accuracy import MISSED, NONE

SIDE_PX = 560
MARGIN_PX = 70
INK, PALE, BLUE, GREY = (40, 40, 40), (235, 235, 235), (190, 110, 30), (150, 150, 150)
PALEST = (255, 255, 255)
COUNTED, NAMED = 0.42, 0.5  # scale of the numbers of dice, and of the names of what is labelled,
LEFT_PX, LETTERS = 8, 12  # where these begin, and of each so many: more would be too small to read
FONT = cv2.FONT_HERSHEY_SIMPLEX
TICKS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1.0)
LEAST_WRONG = 0.001  # share of mistakes at the end of an axis, where none are, too


def plot(confused: Counter[tuple[str, str]], calibrated: Sequence[tuple[float, float, int]]) -> Picture:
    """A picture of both, 2 × SIDE_PX wide."""
    return np.hstack([_confusion(confused), _calibration(calibrated)])


def _write(
    canvas: Picture, text: str, at: tuple[int, int], size: float = 0.5, colour: tuple[int, int, int] = INK
) -> None:
    cv2.putText(canvas, text, at, FONT, size, colour, 1, cv2.LINE_AA)


def _confusion(confused: Counter[tuple[str, str]]) -> Picture:
    canvas = np.full((SIDE_PX, SIDE_PX, 3), 255, np.uint8)
    _write(canvas, "labelled (down) read as (across)", (MARGIN_PX, 30), 0.6)
    rows = [*sorted({one for one, _ in confused if one != NONE}, key=_rank), NONE]
    columns = [*sorted({two for _, two in confused if two != MISSED}, key=_rank), MISSED]
    cell = (SIDE_PX - 2 * MARGIN_PX) // max(len(rows), len(columns))
    for r, row in enumerate(rows):
        name = row[:LETTERS]
        _write(canvas, name, (LEFT_PX, MARGIN_PX + r * cell + cell // 2), _fitting(name, MARGIN_PX - LEFT_PX, NAMED))
        whole = max(1, sum(confused[row, column] for column in columns))
        for c, column in enumerate(columns):
            x, y = MARGIN_PX + c * cell, MARGIN_PX + r * cell
            share = confused[row, column] / whole
            fill = tuple(int(255 - share * (255 - part)) for part in BLUE)
            cv2.rectangle(canvas, (x, y), (x + cell - 2, y + cell - 2), fill, -1)
            if dice := confused[row, column]:
                _write(
                    canvas, str(dice), (x + 4, y + cell // 2), _fitting(str(dice), cell), PALEST if share > 0.5 else INK
                )
    for c, column in enumerate(columns):
        size = COUNTED if column == columns[-1] else _fitting(column, cell)  # beside the last one there is room
        _write(canvas, column, (MARGIN_PX + c * cell, MARGIN_PX - 8), size)
    return canvas


def _rank(name: str) -> tuple[bool, int, str]:
    """Values by number, then signs by name."""
    return not name.isdecimal(), int(name) if name.isdecimal() else 0, name


def _fitting(text: str, cell: int, most: float = COUNTED) -> float:
    """The scale of writing, `most` at the most, at which a text stays in its cell."""
    (width, _), _ = cv2.getTextSize(text, FONT, most, 1)
    return most * min(1.0, (cell - 6) / max(1, width))


def _calibration(calibrated: Sequence[tuple[float, float, int]]) -> Picture:
    canvas = np.full((SIDE_PX, SIDE_PX, 3), 255, np.uint8)
    _write(canvas, "confidence (across), share right (up), dice", (MARGIN_PX, 30), 0.6)
    span = SIDE_PX - 2 * MARGIN_PX

    def at(x: float, y: float) -> tuple[int, int]:
        return MARGIN_PX + round(_along(x) * span), SIDE_PX - MARGIN_PX - round(_along(y) * span)

    for tick in TICKS:
        cv2.line(canvas, at(0, tick), at(1, tick), PALE, 1)
        cv2.line(canvas, at(tick, 0), at(tick, 1), PALE, 1)
        _write(canvas, f"{tick:g}", (MARGIN_PX - 48, at(0, tick)[1] + 4))
        _write(canvas, f"{tick:g}", (at(tick, 0)[0] - 12, SIDE_PX - MARGIN_PX + 20))
    cv2.line(canvas, at(0, 0), at(1, 1), GREY, 1, cv2.LINE_AA)
    points = [at(confidence, right) for confidence, right, _ in calibrated]
    for one, two in pairwise(points):
        cv2.line(canvas, one, two, BLUE, 2, cv2.LINE_AA)
    for (x, y), (_confidence, right, dice) in zip(points, calibrated, strict=True):
        cv2.circle(canvas, (x, y), 4, BLUE, -1, cv2.LINE_AA)
        _write(canvas, str(dice), (x - 4 * len(str(dice)), y + 18 if 0 < right < 1 else y - 8), 0.4)
    return canvas


def _along(share: float) -> float:
    """Where a share of 0–1 lies along an axis: as far from 0 to 0.9 as from 0.9 to 0.99."""
    return math.log(max(1 - share, LEAST_WRONG)) / math.log(LEAST_WRONG)
