"""Bars of one colour along a picture's sides, as letter boxes, frames and torn files have them, are no part of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.ports import Picture

EVEN = 6  # levels that the pixels of a bar's line differ by at most, packed as JPEG; a camera's noise has more
LEAST = 0.02  # of a side: narrower ones hide nothing and change nothing
RINGS_PX, RINGING = 10, 24  # lines beside the picture that JPEG spoils, and by how many levels
STEP_PX = 3  # lines within which a bar ends; a table's edge is seldom so straight, and so level
ITS_OWN, OTHERS = 12, 0.5  # levels by which the picture's pixels differ from the bar, and their share from which on
MOST = 0.8  # of a side: what is left must show something


def inside(picture: Picture) -> tuple[slice, slice]:
    """The rows and columns of what is no bar: all of them for most pictures.

    Bars leave a picture that reaches its own corners; even ground around one large die leaves that die, whose corners
    are rounded, so that ground is seen in them.
    """
    whole = slice(0, picture.shape[0]), slice(0, picture.shape[1])
    kept = _peeled(picture, whole)
    return whole if _is_ground(picture, kept) else kept


def _peeled(picture: Picture, kept: tuple[slice, slice]) -> tuple[slice, slice]:
    rows, columns = kept
    while True:  # a bar that does not go to the corners is one only once the others are away
        before = rows, columns
        rows = _between(picture[rows, columns], rows)
        columns = _between(picture[rows, columns].swapaxes(0, 1), columns)
        if (rows, columns) == before:
            return before


def _is_ground(picture: Picture, kept: tuple[slice, slice]) -> bool:
    """Whether what was taken for bars on two sides and more is seen in all corners of what they leave, too."""
    rest = picture[kept]
    if picture.shape[0] == rest.shape[0] or picture.shape[1] == rest.shape[1]:
        return False
    return bool(_of(rest[[0, 0, -1, -1], [0, -1, 0, -1]], picture[0, 0].astype(np.int16), ITS_OWN).all())


def _between(lines: NDArray[np.uint8], kept: slice) -> slice:
    first, last = _bar(lines), _bar(lines[::-1])
    return kept if first + last > MOST * len(lines) else slice(kept.start + first, kept.stop - last)


def _bar(lines: NDArray[np.uint8]) -> int:
    """How many of the first lines are a bar's: all of one colour, which ends at once along most of their length."""
    colour = lines[0, 0].astype(np.int16)
    even = next((n for n, line in enumerate(lines) if not _of(line, colour, EVEN).all()), 0)
    if even < LEAST * len(lines):
        return 0
    near = range(even, min(even + RINGS_PX, len(lines)))
    end = next((n for n in near if _of(lines[n], colour, ITS_OWN).mean() < OTHERS), 0)
    return end if end and _of(lines[max(0, end - STEP_PX)], colour, RINGING).all() else 0


def _of(line: NDArray[np.uint8], colour: NDArray[np.int16], levels: int) -> NDArray[np.bool_]:
    return np.asarray((np.abs(line - colour) <= levels).all(axis=-1))
