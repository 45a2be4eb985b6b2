"""Corners and a size that people gave: what cannot be is refused, and never what can."""

from __future__ import annotations

import math

import numpy as np
import pytest

from calibration.given import Misgiven, require_fit
from calibration.tray import by_hand
from companion.ports import Floats

SIZE = (1280, 720)
SWAPPED = ((180.0, 130.0), (130.0, 180.0), (160.0, 120.0), (400.0, 150.0))
TRAYS = (*SWAPPED, (150.0, 400.0), (200.0, 170.0), (200.0, 190.0), (250.0, 250.0))
CAMERAS = (*((focal, pixel) for focal in (0.35, 0.8, 1.2) for pixel in (0.75, 1.0, 1.33)), (2.5, 1.0), (8.0, 1.0))


def corners(tray_mm: tuple[float, float], focal: float, tilt_deg: float, turn_deg: float, squeezed: float) -> Floats:
    """Of a tray in the middle of the picture, as large as fits. `focal`: of the picture's width, of an ideal lens.

    `turn_deg`: of the tray on the table, to which the camera leans. `squeezed`: how much wider pixels are than high.
    """
    width, depth = tray_mm
    flat = np.array([(-width, -depth), (width, -depth), (width, depth), (-width, depth)]) / 2
    turn, tilt = math.radians(turn_deg), math.radians(tilt_deg)
    x, y = (flat @ np.array([(math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))])).T
    return _fitted(x, y, tilt, focal, squeezed)


def _fitted(x: Floats, y: Floats, tilt: float, focal: float, squeezed: float) -> Floats:
    for away in np.geomspace(0.3, 30, 200) * 400:
        z = away - y * math.sin(tilt)
        px = focal * SIZE[0] * np.column_stack([x / squeezed, y * math.cos(tilt)]) / z[:, None]
        if (z > 0).all() and (np.abs(px) < (600, 340)).all():
            return np.asarray(px + np.array(SIZE) / 2)
    raise AssertionError("it never fits")


@pytest.mark.parametrize("tray_mm", TRAYS)
@pytest.mark.parametrize(("focal", "squeezed"), CAMERAS)
def test_what_can_be_is_never_refused(tray_mm: tuple[float, float], focal: float, squeezed: float) -> None:
    for tilt_deg in (0, 10, 20, 33):
        for turn_deg in range(0, 360, 30):
            seen = corners(tray_mm, focal, tilt_deg, turn_deg, squeezed)
            require_fit(by_hand(np.round(seen), tray_mm), SIZE)


@pytest.mark.parametrize("tray_mm", SWAPPED)
@pytest.mark.parametrize("focal", [0.77, 1.2])
def test_width_and_depth_in_the_other_order_are_refused(tray_mm: tuple[float, float], focal: float) -> None:
    for tilt_deg in (0, 8, 15):
        for turn_deg in (0, 90, 180, 270):
            seen = corners(tray_mm, focal, tilt_deg, turn_deg, 1.0)
            with pytest.raises(Misgiven, match="the far left corner comes first, then clockwise, and the width before"):
                require_fit(by_hand(seen, tray_mm[::-1]), SIZE)
            with pytest.raises(Misgiven, match="times as wide as deep, and by the size"):
                require_fit(by_hand(np.roll(seen, 1, axis=0), tray_mm), SIZE)


def test_a_size_that_no_slant_explains_is_refused() -> None:
    seen = corners((180.0, 130.0), 1.0, 10, 0, 1.0)
    with pytest.raises(Misgiven, match=r"about 1\.4 times as wide as deep, and by the size 6\.0 times"):
        require_fit(by_hand(seen, (180.0, 30.0)), SIZE)


@pytest.mark.parametrize(("at", "name"), [(0, "far left"), (1, "far right"), (2, "near right"), (3, "near left")])
def test_a_corner_outside_the_picture_is_named(at: int, name: str) -> None:
    given = corners((180.0, 130.0), 1.0, 10, 0, 1.0).round()
    middle = given.mean(axis=0)
    given[at] = middle + 4 * (given[at] - middle)
    with pytest.raises(Misgiven, match=rf"^the {name} corner -?\d+(\.\d+)?,-?\d+(\.\d+)? lies outside .*\(1280×720\)"):
        require_fit(by_hand(given, (180.0, 130.0)), SIZE)
