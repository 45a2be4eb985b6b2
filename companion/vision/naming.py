"""Where names are written beside the boxes that they name: on no other box, on no other name. Pure geometry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Corners = NDArray[np.int64]  # n×4: left, top, right and foot of each


class Rect(NamedTuple):
    """In whole pixels; `right` and `foot` are beyond it."""

    left: int
    top: int
    right: int
    foot: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is written on: its sides, how near its rim writing comes, a line's height, how far it stays off others."""

    width: int
    height: int
    rim: int
    line: int
    apart: int


class Named(NamedTuple):
    """A name, and where it is written."""

    text: str
    at: Rect


def names(sheet: Sheet, boxes: Sequence[Rect], wide: Sequence[Sequence[tuple[str, int]]]) -> list[Named]:
    """A name for each box, one after the other, the first of its texts that there is room for.

    `wide`: the texts that would name each box, the most telling first, at least one, and how wide each is, in pixels.
    The last is written where it covers least if there is room for none.
    """
    told: list[Named] = []
    taken = np.array(boxes, np.int64).reshape(-1, 4)
    for number, (box, texts) in enumerate(zip(boxes, wide, strict=True)):
        told.append(_named(sheet, box, texts, np.delete(taken, number, axis=0)))
        taken = np.vstack([taken, told[-1].at])
    return told


def _named(sheet: Sheet, box: Rect, texts: Sequence[tuple[str, int]], others: Corners) -> Named:
    places = [Named(text, place) for text, width in texts for place in _places(sheet, box, width)]
    free = (name for name in places if not _covered(_around(name.at, sheet.apart), others))
    last = [name for name in places if name.text == texts[-1][0]]
    return next(free, None) or min(last, key=lambda name: _covered(name.at, others))


def _places(sheet: Sheet, box: Rect, width: int) -> list[Rect]:
    """Above a box, below it, to its right and to its left, as far as there is room; at the foot of one too large."""
    middle = (box.top + box.foot - sheet.line) // 2
    most_left, lowest = sheet.width - width - sheet.rim, sheet.height - sheet.line
    corners = (
        (box.left, box.top - sheet.line),
        (box.right - width, box.top - sheet.line),
        (box.left, box.foot),
        (box.right - width, box.foot),
        (box.right + sheet.apart, middle),
        (box.left - sheet.apart - width, middle),
        (box.left, lowest),
    )
    within = [(max(sheet.rim, min(left, most_left)), top) for left, top in corners]
    *places, foot = [Rect(left, top, left + width, top + sheet.line) for left, top in within]
    own = np.array([box])
    return [place for place in places if 0 < place.top <= lowest and not _covered(place, own)] or [foot]


def _around(rect: Rect, margin: int) -> Rect:
    return Rect(rect.left - margin, rect.top - margin, rect.right + margin, rect.foot + margin)


def _covered(rect: Rect, others: Corners) -> int:
    """Pixels that one has in common with others, those of each."""
    wide = np.minimum(rect.right, others[:, 2]) - np.maximum(rect.left, others[:, 0])
    high = np.minimum(rect.foot, others[:, 3]) - np.maximum(rect.top, others[:, 1])
    return int((np.maximum(wide, 0) * np.maximum(high, 0)).sum())
