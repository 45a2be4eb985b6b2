"""A lamp mirrored in the middle of a face: it looks like a pip on a two or four, or hides one of a three or five.

Light is added there, so that what is mirrored is lighter than what it lies among. Colours are CIE 1976 L*a*b*, in which
a distance of some 2 is just seen.
"""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Picture
from companion.vision.alike import LEVELS
from companion.vision.networks import inner
from companion.vision.sight import burnt_out

Middles = NDArray[np.float64]  # of pips in a crop, n×2: x and y
Colours = NDArray[np.float64]  # n×3, or one: L*, a* and b*

WITH_MIDDLE, WITHOUT = (3, 5), (2, 4)  # pips of the faces that differ by one in the middle
UNLIKE = 12.0  # distance of the middle pip's colour from the others' that is more than noise,
MORE, MUCH = 0.25, 14.0  # and, less how far these differ, share of what they stand out from the die by, or distance;
HUE = 25.0  # or distance by a* and b* alone, as of a faint gleam on a blue die from its white pips
FAINT = 4.0  # pips that stand out by less
LIGHTER = 20.0  # L* by which the middle of a face without a pip there is lighter than the die,
BURNT = 252  # or level of all colours from which nothing is left to see,
BURNT_THERE, BURNT_ALL = 0.3, 0.75  # on so much of the middle at least, and on less of the whole face
MIDDLE_PX = 6  # half the side of what is looked at: a pip, and where light around it hides its edge


def gleaming(crops: NDArray[np.uint8], centres: Mapping[int, Middles]) -> set[int]:
    """Which crops show a face that may have one pip more or less, for a lamp is mirrored in its middle.

    `crops`: n×h×w×3, BGR, a die in the middle of each. `centres`: of some of them, its pips, m×2, x and y.
    """
    some = [number for number, pips in centres.items() if len(pips) in (*WITH_MIDDLE, *WITHOUT)]
    if not some:
        return set()
    lab = _colours(crops[some])
    bodies = np.median(inner(lab)[:, ::2, ::2].reshape(len(some), -1, 3), axis=1) * LEVELS
    looked = zip(some, lab, bodies, strict=True)
    return {number for number, colours, body in looked if _gleams(crops[number], colours, centres[number], body)}


def _colours(crops: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Smoothed, in OpenCV's L*, a* and b*; all at once."""
    below = np.ascontiguousarray(crops).reshape(-1, *crops.shape[2:])
    return np.asarray(cv2.cvtColor(cv2.blur(below, (3, 3)), cv2.COLOR_BGR2LAB), np.uint8).reshape(crops.shape)


def _gleams(crop: Picture, colours: NDArray[np.uint8], pips: Middles, body: Colours) -> bool:
    if len(pips) in WITH_MIDDLE:
        return _shows_one_more(_at(colours, pips), pips, body)
    middle = pips.mean(axis=0)
    return bool(_at(colours, middle[None])[0, 0] > body[0] + LIGHTER) or _burnt_out(crop, middle)


def _shows_one_more(colours: Colours, pips: Middles, body: Colours) -> bool:
    """Is the middle one of these pips so much lighter than the others, or of such another hue, that it may be none."""
    middle = int(np.argmin(np.linalg.norm(pips - pips.mean(axis=0), axis=1)))
    others = np.delete(colours, middle, axis=0)
    usual = np.sort(others, axis=0)[(len(others) - 1) // 2 : len(others) // 2 + 1].mean(axis=0)  # the median, sooner
    unlike = float(np.linalg.norm(colours[middle] - usual))
    differ = float(np.linalg.norm(others - usual, axis=1).max())
    least = min(MUCH, MORE * max(FAINT, float(np.linalg.norm(usual - body))))
    lighter = bool(colours[middle, 0] > usual[0]) and unlike > UNLIKE and unlike - differ > least
    return lighter or float(np.linalg.norm((colours[middle] - usual)[1:])) > HUE


def _burnt_out(crop: Picture, middle: Middles) -> bool:
    """Is nothing left to see in the middle of a face of which the rest is not so bright."""
    column, row = np.clip(middle.astype(int), MIDDLE_PX, len(crop) - MIDDLE_PX).tolist()
    there = crop[row - MIDDLE_PX : row + MIDDLE_PX, column - MIDDLE_PX : column + MIDDLE_PX]
    return _share_burnt(there) > BURNT_THERE and _share_burnt(inner(crop)) < BURNT_ALL


def _share_burnt(part: Picture) -> float:
    """The share of its pixels."""
    burnt = burnt_out(part, BURNT)
    return float(cv2.countNonZero(burnt) / burnt.size)


def _at(colours: NDArray[np.uint8], points: Middles) -> Colours:
    """L*, a* and b* at points, n×2, x and y: n×3."""
    columns, rows = np.clip(points.astype(int), 0, len(colours) - 1).T
    return np.asarray(colours[rows, columns] * LEVELS, np.float64)
