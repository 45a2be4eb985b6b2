"""What a look measures beside its value: where the die lies, its light, its edges, its pips, and geometry's opinion."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.ports import Picture
from companion.vision.engines import Floats
from companion.vision.looking import Look, look
from companion.vision.networks import CLASSES, CROP_PX, FILL
from companion.vision.scene.faces import PIPS
from companion.vision.views import Place, Views

HIGH, WIDE = 240, 320
SIZE = 2 * FILL  # a crop shows two pixels of the picture as one
MIDDLE = Place(160.0, 120.0, SIZE, 0.7)


class Told:
    """A face network that sees one value with these pips, x and y in a crop, and a chance of nothing."""

    def __init__(self, value: int, pips: list[tuple[float, float]], *, nothing: float = 0.001) -> None:
        self._chances = np.full(CLASSES, 0.001, np.float32)
        self._chances[0], self._chances[value] = nothing, 0.993 - nothing
        self._plane = np.zeros((CROP_PX // 2, CROP_PX // 2), np.float32)
        for x, y in pips:
            self._plane[int(y / 2), int(x / 2)] = 0.9

    def __call__(self, crops: NDArray[np.uint8]) -> tuple[Floats, Floats]:
        return np.stack([np.log(self._chances)] * len(crops)), np.stack([self._plane] * len(crops))


def spots(value: int, *, x: float = 32.0, y: float = 32.0) -> list[tuple[float, float]]:
    """Where a face 36 pixels wide, its middle at x and y, has its pips in a crop."""
    return [(x + 9 * across, y + 9 * down) for across, down in PIPS[str(value)]]


def seen(picture: Picture, place: Place = MIDDLE, net: Told | None = None) -> Look:
    (one,) = look(Views(picture), [place], net or Told(4, spots(4)))  # type: ignore[arg-type]
    return one


def table(grey: int = 120) -> Picture:
    return np.full((HIGH, WIDE, 3), grey, np.uint8)


@pytest.mark.parametrize("rim", ["left", "top", "right", "bottom"])
@pytest.mark.parametrize(
    ("beyond", "at_rim", "cut"),
    [(-0.025, False, False), (-0.015, True, False), (0.3, True, False), (0.45, True, True)],
)
def test_a_die_at_the_rim_is_known_and_one_that_is_cut_off(rim: str, beyond: float, at_rim: bool, cut: bool) -> None:
    """`beyond`: the share of its size that it reaches out of the picture."""
    inside = SIZE * (0.5 - beyond)
    x = {"left": inside, "right": WIDE - inside}.get(rim, MIDDLE.x)
    y = {"top": inside, "bottom": HIGH - inside}.get(rim, MIDDLE.y)
    one = seen(table(), Place(x, y, SIZE, 0.7))
    assert (one.at_rim, one.cut) == (at_rim, cut)


def test_a_look_tells_how_much_of_the_pictures_shorter_side_it_fills() -> None:
    assert seen(table(), Place(160.0, 120.0, 60.0, 0.7)).filling == pytest.approx(60 / HIGH)


@pytest.mark.parametrize(("share", "bright"), [(0.25, 60), (0.05, 30)])
def test_a_dies_brightest_tenth_is_told_in_the_cameras_grey_levels_though_dark_pictures_are_lit(
    share: float, bright: float
) -> None:
    picture = table(30)
    half = SIZE / FILL * CROP_PX / 4  # of the part of the picture that is the face
    picture[:, : round(MIDDLE.x - half + 2 * half * share)] = 60
    assert seen(picture).bright == pytest.approx(bright, abs=2)


@pytest.mark.parametrize(("colour", "glare"), [((255, 255, 255), 0.25), ((240, 240, 240), 0), ((0, 255, 255), 0)])
def test_only_what_is_burnt_out_in_all_colours_is_glare(colour: tuple[int, int, int], glare: float) -> None:
    picture = table()
    picture[: round(MIDDLE.y), : round(MIDDLE.x)] = colour
    assert seen(picture).glare == pytest.approx(glare, abs=0.04)


def edge(light: int, *, down: bool = False, blur_px: float = 0.0) -> Picture:
    picture = table()
    picture[(slice(round(MIDDLE.y), None), slice(None)) if down else (slice(None), slice(round(MIDDLE.x), None))] = (
        light
    )
    return picture if blur_px == 0 else np.asarray(cv2.GaussianBlur(picture, (0, 0), blur_px), np.uint8)


def test_sharpness_is_that_of_the_steepest_edge_whatever_its_contrast_and_direction() -> None:
    sharp = [seen(edge(light, down=down)).sharp for light in (145, 240) for down in (False, True)]
    assert min(sharp) > 0.4
    assert max(sharp) < 1.3 * min(sharp)
    assert seen(edge(240, blur_px=6.0)).sharp < 0.16


def test_neither_a_speck_nor_a_step_of_few_levels_is_a_sharp_edge() -> None:
    assert seen(edge(122)).sharp < 0.25
    speck = table()
    speck[120:122, 160:162] = 255  # a pixel of the crop
    assert seen(speck).sharp == 0


def test_pips_are_told_where_they_lie_in_the_picture() -> None:
    one = seen(table(), net=Told(1, [(17, 21)]))
    assert one.pips == ((MIDDLE.x - 30, MIDDLE.y - 22),)


@pytest.mark.parametrize(("named", "value", "apart"), [(4, 6, 1.0), (5, 6, 1.0), (3, 3, 0.0), (6, 6, 0.0)])
def test_pips_that_lie_as_on_a_six_outvote_a_four_or_five_that_is_then_never_sure(
    named: int, value: int, apart: float
) -> None:
    """Thick pips of a six flow into each other; what differs so much between looks is not told for certain."""
    one = seen(table(), net=Told(named, spots(6)))
    assert (one.value, one.apart) == (value, apart)
    assert one.chance > 0.9
    assert float(one.chances.sum()) == pytest.approx(1, abs=0.01)


def die(value: int, *, x: float = 32.0, y: float = 32.0) -> Picture:
    """A die whose upper face has its middle at x and y of the crop."""
    picture = np.full((HIGH, WIDE, 3), 200, np.uint8)
    for across, down in spots(value, x=x, y=y):
        at = round(MIDDLE.x + 2 * (across - 32)), round(MIDDLE.y + 2 * (down - 32))
        cv2.circle(picture, at, 7, (30, 30, 30), cv2.FILLED, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("value", range(1, 7))
def test_geometry_sees_the_value_in_the_middle_of_the_crop_or_where_the_networks_pips_are(value: int) -> None:
    assert seen(die(value), net=Told(value, [])).spotted == value
    assert seen(die(value, x=38, y=23), net=Told(value, spots(value, x=38, y=23))).spotted == value


def test_geometry_is_not_asked_about_what_is_likelier_nothing() -> None:
    assert seen(die(5), net=Told(5, spots(5), nothing=0.45)).spotted == 5
    assert seen(die(5), net=Told(5, spots(5), nothing=0.55)).spotted is None
