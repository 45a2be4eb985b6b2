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
    """The rows and columns of what is no bar: all of them for most pictures."""
    rows, columns = slice(0, picture.shape[0]), slice(0, picture.shape[1])
    for _ in range(2):  # a bar that does not go to the corners is one only once the others are away
        rows = _between(picture[rows, columns], rows)
        columns = _between(picture[rows, columns].swapaxes(0, 1), columns)
    return rows, columns


def _between(lines: NDArray[np.uint8], kept: slice) -> slice:
    first, last = _bar(lines), _bar(lines[::-1])
    return kept if first + last > MOST * len(lines) else slice(kept.start + first, kept.stop - last)


def _bar(lines: NDArray[np.uint8]) -> int:
    """How many of the first lines are a bar's: all of one colour, which ends at once along most of their length."""
    colour = np.median(lines[0], axis=0)
    even = next((n for n, line in enumerate(lines) if not _of(line, colour, EVEN).all()), 0)
    if even < LEAST * len(lines):
        return 0
    ends = (n for n in range(even, min(even + RINGS_PX, len(lines))) if _of(lines[n], colour, ITS_OWN).mean() < OTHERS)
    for end in ends:
        return end if _of(lines[end - STEP_PX], colour, RINGING).all() else 0
    return 0


def _of(line: NDArray[np.uint8], colour: NDArray[np.floating], levels: int) -> NDArray[np.bool_]:
    return np.asarray(np.all(np.abs(line.astype(np.float32) - colour) <= levels, axis=-1))
