"""What is like the dice that were read, where none was: of their colour and size, and apart from what is around it.

Networks cannot tell what they overlook, and dice mostly lie beside others of their set. Colours are CIE 1976 L*a*b*, in
which a distance of some 2 is just seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.events import Box, box_times
from companion.ports import Picture
from companion.vision.views import usual_width

Window: TypeAlias = tuple[slice, slice]

DIE_PX, MOST_PX = 14.0, 420  # a die is as wide in the picture that is searched, or this as its longer side
SHOWN = 1.2  # times a box: so far a die's sides may be seen, and lie others that touch it
CORE, AROUND = 0.56, 2.0  # times a box: where a die's body is, mostly, and the ground around it
SAME = 7.0  # distance of colours from which two bodies are searched for each
LEAST_APART, MOST_APART = 9.0, 36.0  # distance of a body from its ground: with less, nothing can be told
LIKE, LEAST_LIKE, MOST_LIKE = 0.5, 5.0, 13.0  # share of that distance within which a colour is the body's
EDGED = 0.8  # and share of it that what is around another such thing must be apart from the body, at least;
RAGGED = 20  # percent of what is around it may be nearer: a thing of this colour may touch it
WIDE, NARROW, AREA, FULL = (0.5, 1.6), 0.3, 0.25, 0.5  # in widths and squares of a die, and as a share of its box
MARGIN = 4  # pixels around a thing, the inner one of which is its blurred edge
SQUARE = np.ones((3, 3), np.uint8)  # a pixel and the eight around it
LEVELS = np.array([100 / 255, 1, 1], np.float32)  # of OpenCV's bytes to L*, a* and b*


def like_dice(picture: Picture, dice: Sequence[Box], others: Sequence[Box] = ()) -> list[Box]:
    """Boxes (x, y, w, h in the picture's pixels) of what is much like one of the dice that lie in these boxes.

    `others`: where dice lie, too, which it need not be like; there nothing is searched.
    """
    if not dice:
        return []
    usual = usual_width(dice)
    factor = min(1.0, DIE_PX / usual, MOST_PX / max(picture.shape[:2]))
    lab = _colours(picture, factor)
    boxes = [box_times(box, factor) for box in dice]
    free = np.ones(lab.shape[1:], bool)
    for box in (*boxes, *(box_times(box, factor) for box in others)):
        free[_window(box, SHOWN)] = False
    found = (place for away, apart in _bodies(lab, boxes, free) for place in _things(away, apart, free, usual * factor))
    return [box_times(place, 1 / factor) for place in found]


def _colours(picture: Picture, factor: float) -> NDArray[np.float32]:
    """3×h×w: the picture so many times as large, mostly by halves, which are quick."""
    size = (max(1, round(picture.shape[1] * factor)), max(1, round(picture.shape[0] * factor)))
    while picture.shape[1] >= 2 * size[0] and min(picture.shape[:2]) > 1:
        picture = np.asarray(cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    small = cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR)
    planes = cv2.split(cv2.cvtColor(small, cv2.COLOR_BGR2LAB))  # all in one transposed go takes ten times as long
    return np.stack([plane * level for plane, level in zip(planes, LEVELS, strict=True)])


def _window(box: Box, times: float) -> Window:
    """A box so many times as large, as rows and columns."""
    x, y, width, height = box
    sides = ((y + height / 2, height), (x + width / 2, width))
    rows, columns = (
        slice(max(0, round(middle - times * side / 2)), max(0, round(middle + times * side / 2)))
        for middle, side in sides
    )
    return rows, columns


def _bodies(
    lab: NDArray[np.float32], boxes: Iterable[Box], free: NDArray[np.bool_]
) -> Iterator[tuple[NDArray[np.float32], float]]:
    """Of each colour of a body: the distance of every pixel from it, and that of the ground around the die."""
    known: list[NDArray[np.float32]] = []
    for box in boxes:
        core, around = lab[:, *_window(box, CORE)].reshape(3, -1), _window(box, AROUND)
        if not core.size or not free[around].any():
            continue
        body = np.asarray(np.median(core, axis=1), np.float32)
        if any(float(np.linalg.norm(body - other)) < SAME for other in known):
            continue
        known.append(body)
        away = np.sqrt(sum(np.square(plane - level) for plane, level in zip(lab, body, strict=True)))
        apart = _at_rank(away[around][free[around]], 25)
        if apart >= LEAST_APART:
            yield away, apart


def _at_rank(levels: NDArray[np.float32], percent: int) -> float:
    """The level that so many percent of some are below."""
    rank = len(levels) * percent // 100
    return float(np.partition(levels, rank)[rank])


def _things(
    away: NDArray[np.float32], apart: float, free: NDArray[np.bool_], die_px: float
) -> Iterator[tuple[int, int, int, int]]:
    """Boxes of what has a body's colour, a die's size, and nothing of that colour around it."""
    near = (away < min(max(LIKE * apart, LEAST_LIKE), MOST_LIKE)) & free
    least = min(max(EDGED * apart, LEAST_APART), MOST_APART)
    whole = cv2.morphologyEx(near.astype(np.uint8), cv2.MORPH_CLOSE, SQUARE)  # pips included
    count, parts, stats, _ = cv2.connectedComponentsWithStats(whole, connectivity=4)
    for part in range(1, count):
        x, y, width, height, area = (int(number) for number in stats[part])
        longer, shorter = max(width, height) / die_px, min(width, height) / die_px
        if not WIDE[0] <= longer <= WIDE[1] or shorter < NARROW or area < max(AREA * die_px**2, FULL * width * height):
            continue
        rows, columns = slice(max(0, y - MARGIN), y + height + MARGIN), slice(max(0, x - MARGIN), x + width + MARGIN)
        thing = (parts[rows, columns] == part).astype(np.uint8)
        around = (cv2.dilate(thing, SQUARE, iterations=MARGIN - 1) > cv2.dilate(thing, SQUARE)) & free[rows, columns]
        if around.any() and _at_rank(away[rows, columns][around], RAGGED) >= least:
            yield x, y, width, height
