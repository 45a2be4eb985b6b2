"""Can a picture show dice at all: one too dark, burnt out, blurred or restless says nothing about an empty table."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.events import Box, Why, box_times
from companion.ports import Mask, Picture

SMALLEST_PX = (200, 100)  # longer and shorter side: dice plain to the eye are overlooked in smaller pictures
SEEN_PX = 320  # longer side that a picture is judged at
BLACK, BLACK_SHARE = 20.0, 0.02  # grey level that only one in fifty places of a black picture reaches
WHITE = 248.0  # grey level that nearly all pass in a burnt-out one
PLAIN, SOFT = 90.0, 0.1  # grey levels of contrast that a plain, empty table lit from one side has at most; and the
THING_PX = 31  # of 320: no die is wider. What stands out from what is so near,
STANDS_OUT, SOFT_THING = 25.0, 0.22  # by so many levels, has no such steep edge where it is blurred by 2
FEW = 0.002  # share of pixels that may be odd ones
PART_PX = 16  # side of the parts whose contrast is taken
CALM = 0.05  # share of the parts that are calmer even in a picture of cloth or carpet
FLAT = 0.5  # grey levels of contrast: a camera's picture, even of a bare wall, has more
LIT = 140.0  # level that the lightest hundredth of a dark picture is raised to; pictures in fair light have more
MOST_GAIN = 8.0  # beyond it there are too few levels left to tell a die from noise,
DIM_GAIN = 7.0  # and from here on too few to be sure that no other die lies there
STEP_PX = 6  # light is measured in every so many pixels of both directions
BURNT = 238  # level of all colours, noise taken off, from which nothing is left to see; sensors end below 255
LIGHT_GROUND = 0.4  # of the picture: where more is burnt out it is the ground, and a die stands out by its pips
LEAST_BURNT = 64  # of 255: as much of a square as wide as a burnt-out die is burnt out in the noisiest picture
PARTS = 8  # of a die's width: how finely burnt places are measured
RESTLESS = 16.0  # grey levels, deviation: where even those have more, a die's pips are lost in noise or pattern


def lit(picture: Picture) -> tuple[Picture, float]:
    """The picture as bright as one in fair light, and how many times brighter than it was: 1 for most."""
    blue, green, red = _some(picture, STEP_PX)
    lightest = float(np.percentile(np.maximum(np.maximum(blue, green), red), 99))
    gain = min(MOST_GAIN, max(1.0, LIT / max(lightest, 1.0)))
    return (picture if gain == 1 else np.asarray(cv2.convertScaleAbs(picture, alpha=gain), np.uint8)), gain


def black(levels: NDArray[Any]) -> bool:
    """Whether these grey levels, or levels of colours, 0–255, are of a picture too dark to tell what lies there."""
    return bool(np.count_nonzero(levels >= BLACK) <= BLACK_SHARE * levels.size)


def blind(picture: Picture) -> Why | None:
    """Why no die could be seen in a picture, None if one could."""
    if max(picture.shape[:2]) < SMALLEST_PX[0] or min(picture.shape[:2]) < SMALLEST_PX[1]:
        return Why.SMALL
    grey = _small(picture)
    smooth = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 0.7)
    if black(smooth):
        return Why.DARK
    if float(np.quantile(smooth, 0.1)) > WHITE:
        return Why.GLARE
    contrast = _contrast(smooth)
    if contrast < FLAT or restless(grey) or restless(_middle(picture)):
        return Why.FAINT
    return Why.BLURRED if _blurred(smooth, contrast) else None


def _blurred(levels: NDArray[Any], whole: float) -> bool:
    """Has a picture that shows something no edge that is steep for its contrast: the `whole` one's, or its things'.

    Light falls off slowly across a table: that is no contrast of things.
    """
    across, down = (cv2.Sobel(levels, cv2.CV_32F, *step, scale=1 / 8) for step in ((1, 0), (0, 1)))
    steepest = _but_few(cv2.magnitude(across, down))[1]
    things = _contrast(levels - cv2.blur(levels, (THING_PX, THING_PX)))
    return (whole > PLAIN and steepest < SOFT * whole) or (things > STANDS_OUT and steepest < SOFT_THING * things)


def _contrast(levels: NDArray[Any]) -> float:
    """By every other pixel of both directions, which is quicker: levels are smooth."""
    darkest, brightest = _but_few(levels[::2, ::2])
    return brightest - darkest


def _but_few(levels: NDArray[Any]) -> tuple[float, float]:
    """The least and the greatest, but for a few odd ones."""
    odd = int(FEW * levels.size)
    ranked = np.partition(levels.ravel(), (odd, -odd - 1))
    return float(ranked[odd]), float(ranked[-odd - 1])


def burnt_places(picture: Picture, die_px: float) -> list[Box]:
    """Boxes of what is burnt out, as large as a die or larger, so that one could lie there unseen."""
    step = max(1, int(die_px / PARTS))
    across = max(3, round(0.9 * die_px / step))
    if cv2.blur(burnt_out(np.ascontiguousarray(picture[::step, ::step])), (across, across)).max() < LEAST_BURNT:
        return []
    height, width = picture.shape[:2]
    calm = cv2.resize(picture, (max(1, width // step), max(1, height // step)), interpolation=cv2.INTER_AREA)
    burnt = burnt_out(np.asarray(cv2.blur(calm, (2, 2)), np.uint8))
    if not 0 < cv2.countNonZero(burnt) < LIGHT_GROUND * burnt.size:
        return []
    die = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (across, across))
    middles = cv2.erode(burnt, die)
    if not middles.any():
        return []
    _count, _labels, found, _middles = cv2.connectedComponentsWithStats(cv2.dilate(middles, die))
    return [box_times((float(x), float(y), float(w), float(h)), step) for x, y, w, h, _area in found[1:]]


def burnt_out(picture: Picture, level: int = BURNT) -> Mask:
    """Not zero where all colours have at least this level, so that nothing is left to see."""
    return np.asarray(cv2.inRange(picture, (level,) * 3, (255,) * 3), np.uint8)


def _some(picture: Picture, step: int) -> tuple[NDArray[np.uint8], ...]:
    """Blue, green and red of every so many pixels: numpy compares whole planes much faster than the colours of each."""
    return tuple(picture[::step, ::step, channel] for channel in range(3))


def restless(grey: NDArray[Any]) -> bool:
    """Is there no calm part: the picture is noise, or a pattern in which no die's pips could be told."""
    levels = grey.astype(np.float32)
    mean, squares = cv2.blur(levels, (PART_PX, PART_PX)), cv2.blur(levels * levels, (PART_PX, PART_PX))
    return float(np.quantile(squares - mean * mean, CALM)) > RESTLESS**2


def _small(picture: Picture) -> NDArray[Any]:
    height, width = picture.shape[:2]
    factor = min(1.0, SEEN_PX / max(height, width))
    size = max(8, round(width * factor)), max(8, round(height * factor))
    return cv2.cvtColor(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)


def _middle(picture: Picture) -> NDArray[Any]:
    """At its own scale, where noise of single pixels is not averaged away."""
    top, left = (max(0, (side - SEEN_PX) // 2) for side in picture.shape[:2])
    part = np.ascontiguousarray(picture[top : top + SEEN_PX, left : left + SEEN_PX])
    return cv2.cvtColor(part, cv2.COLOR_BGR2GRAY)
