"""Corners and a size of the tray that people gave, held against the camera's pictures."""

from __future__ import annotations

import math

import numpy as np

from calibration.tray import GUESSED_FOCAL, Tray, axes, in_picture
from companion.ports import Floats

CORNERS = ("far left", "far right", "near right", "near left")
FOCALS = (0.3, 2.0)  # of the picture's longer side: wider lenses are fish eyes, and longer ones foreshorten alike
# How many times sides may be off their ratio, as logarithms.
READ_OFF = math.log(1.15)  # as fingers and bent lenses read them off
SQUEEZED = math.log(1.4)  # in wide pictures that a camera squeezes into narrow ones, 1.33 times
TOO_FAR = math.log(1.75)  # for any reason


class Misgiven(ValueError):
    """Corners or a size that cannot be what the camera sees; the text says which, and what was expected."""


def require_inside(corners: Floats, picture_size: tuple[int, int]) -> None:
    """Raises Misgiven where a corner lies outside the picture, whatever the corners make together."""
    for name, corner, inside in zip(CORNERS, corners, in_picture(corners, *picture_size), strict=True):
        if not inside:
            place, size = "{:g},{:g}".format(*corner), "×".join(map(str, picture_size))
            raise Misgiven(
                f"the {name} corner {place} lies outside the picture ({size}): "
                "look whether it was read off right, or move the camera higher"
            )


def require_fit(tray: Tray, picture_size: tuple[int, int]) -> None:
    """Raises Misgiven where a corner lies outside the picture, or corners and size contradict each other."""
    require_inside(tray.corners, picture_size)
    if _contradict(tray, picture_size):
        given = tray.size_mm[0] / tray.size_mm[1]
        seen = given * _stretch(tray, picture_size, GUESSED_FOCAL)
        raise Misgiven(
            f"by the corners the tray is about {seen:.1f} times as wide as deep, and by the size {given:.1f} times: "
            "the far left corner comes first, then clockwise, and the width before the depth"
        )


def _contradict(tray: Tray, picture_size: tuple[int, int]) -> bool:
    """Sides too far from those given for any slant and lens, or far from them and as given in the other order."""
    width, depth = tray.size_mm
    least, most = sorted(math.log(_stretch(tray, picture_size, focal)) for focal in FOCALS)
    turned = 2 * math.log(width / depth)
    off, off_turned = _off(least, most), _off(least + turned, most + turned)
    return off > TOO_FAR or (off > SQUEEZED and off_turned < READ_OFF)


def _off(least: float, most: float) -> float:
    """How far zero lies outside."""
    return max(least, -most, 0.0)


def _stretch(tray: Tray, picture_size: tuple[int, int], focal: float) -> float:
    """How much wider the tray is seen than was given, against its depth. `focal`: of the picture's longer side.

    A millimetre of the floor is as long in both directions, once it is seen along the lines of sight (Zhang 2000).
    """
    lens = np.array([focal * max(picture_size), focal * max(picture_size), 1.0])
    one, two = axes(tray, picture_size)
    return float(np.linalg.norm(one / lens) / np.linalg.norm(two / lens))
