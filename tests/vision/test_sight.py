"""Which pictures can show dice at all, how dark ones are lit, and where light could hide a die."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.events import Why
from companion.ports import Picture
from companion.vision.sight import black, blind, burnt_places, lit

HIGH, WIDE = 240, 320


def plain(grey: float = 120, *, high: int = HIGH, wide: int = WIDE) -> Picture:
    """A table whose one side is a little lighter."""
    shade = np.linspace(grey - 2, grey + 2, wide).clip(0, 255)
    return np.broadcast_to(shade[None, :, None], (high, wide, 3)).astype(np.uint8)


def partly(share: float, light: int, *, grey: float) -> Picture:
    """So much of a table has another light."""
    picture = plain(grey).copy()
    picture[:, : round(share * WIDE)] = light
    return picture


def grainy(sigma: float, *, high: int = HIGH, wide: int = WIDE) -> Picture:
    """The same noise in all colours."""
    noise = np.random.default_rng(1).normal(120, sigma, (high, wide, 1))
    return np.repeat(noise.clip(0, 255).astype(np.uint8), 3, axis=2)


def large(picture: Picture, way: int = cv2.INTER_LINEAR) -> Picture:
    """Four times as wide."""
    return np.asarray(cv2.resize(picture, None, fx=4, fy=4, interpolation=way), np.uint8)


def edge(contrast: float, blur_px: float) -> Picture:
    picture = np.full((HIGH, WIDE, 3), 60, np.uint8)
    picture[:, WIDE // 2 :] = round(60 + contrast)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), blur_px), np.uint8)


def thing(levels: float, blur_px: float = 0.5) -> Picture:
    """A square that is so much lighter than what it lies on."""
    picture = plain().astype(np.float32)
    picture[100:124, 150:174] += levels
    return np.clip(cv2.GaussianBlur(picture, (0, 0), blur_px), 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("picture", "why"),
    [
        pytest.param(plain(), None, id="plain"),
        pytest.param(plain(high=150, wide=190), Why.SMALL, id="short"),
        pytest.param(plain(high=90, wide=400), Why.SMALL, id="narrow"),
        pytest.param(plain(high=105, wide=210), None, id="small"),
        pytest.param(plain(15), Why.DARK, id="black"),
        pytest.param(plain(25), None, id="dark"),
        pytest.param(partly(0.01, 200, grey=8), Why.DARK, id="a gleam in the dark"),
        pytest.param(partly(0.04, 200, grey=8), None, id="a light in the dark"),
        pytest.param(plain(235), None, id="a white table"),
        pytest.param(partly(0.05, 60, grey=255), Why.GLARE, id="burnt out"),
        pytest.param(partly(0.2, 60, grey=255), None, id="burnt out but for a part"),
        pytest.param(np.full((HIGH, WIDE, 3), 120, np.uint8), Why.FAINT, id="no camera's picture"),
        pytest.param(grainy(13), None, id="grain"),
        pytest.param(grainy(22), Why.FAINT, id="noise"),
        pytest.param(grainy(22, high=960, wide=1280), Why.FAINT, id="noise of single pixels"),
        pytest.param(
            np.kron(grainy(60, high=40, wide=54), np.ones((24, 24, 1), np.uint8)), Why.FAINT, id="a coarse pattern"
        ),
        pytest.param(np.hstack([grainy(40), plain(wide=60)]), None, id="a pattern beside a calm ground"),
        pytest.param(edge(120, 5), Why.BLURRED, id="blurred"),
        pytest.param(edge(120, 3), None, id="soft"),
        pytest.param(large(edge(120, 5)), Why.BLURRED, id="blurred, large"),
        pytest.param(large(edge(120, 3)), None, id="soft, large"),
        pytest.param(edge(70, 10), None, id="a plain table lit from one side"),
        pytest.param(edge(180, 40), Why.BLURRED, id="more contrast than light alone makes, and no edge anywhere"),
        pytest.param(thing(60), None, id="a thing on a plain table"),
        pytest.param(thing(60, blur_px=4), Why.BLURRED, id="a blurred thing"),
        pytest.param(thing(20, blur_px=4), None, id="hardly a thing"),
    ],
)
def test_a_picture_in_which_no_die_could_be_seen_says_why(picture: Picture, why: Why | None) -> None:
    assert blind(picture) is why


@pytest.mark.parametrize(
    ("colour", "gain"),
    [((70, 70, 70), 2.0), ((10, 10, 70), 2.0), ((10, 10, 10), 8.0), ((150, 150, 150), 1.0)],
)
def test_a_dark_picture_is_lit_by_its_lightest_colour_but_not_without_end(
    colour: tuple[int, int, int], gain: float
) -> None:
    lighter, told = lit(np.full((HIGH, WIDE, 3), colour, np.uint8))
    assert told == pytest.approx(gain)
    assert lighter[0, 0].tolist() == [round(gain * part) for part in colour]


def test_a_gleam_does_not_keep_a_dark_picture_from_being_lit() -> None:
    gleaming = plain(30).copy()
    gleaming[100:110, 100:110] = 255
    assert lit(gleaming)[1] > 4
    assert lit(partly(0.03, 255, grey=30))[1] == 1


def test_a_picture_of_a_covered_lens_is_lit_as_far_as_any_can_be() -> None:
    lighter, gain = lit(np.zeros((HIGH, WIDE, 3), np.uint8))
    assert (lighter.max(), gain) == (0, 8.0)


def test_black_is_where_hardly_a_place_is_lighter_than_the_noise_of_a_covered_lens() -> None:
    assert black(np.full(100, 15))
    assert not black(np.full(100, 25))


def lamp(width: int, grey: int = 255) -> Picture:
    picture = plain().copy()
    cv2.circle(picture, (WIDE // 2, HIGH // 2), width // 2, (grey,) * 3, cv2.FILLED)
    return picture


def blue_lamp(width: int) -> Picture:
    picture = lamp(width)
    picture[..., 1:] = plain()[..., 1:]
    return picture


@pytest.mark.parametrize(
    ("picture", "hidden"),
    [
        pytest.param(lamp(50), True, id="a lamp"),
        pytest.param(lamp(50, 243), True, id="a lamp to a sensor that gains less and less"),
        pytest.param(lamp(50, 230), False, id="a light spot"),
        pytest.param(lamp(25), False, id="a small lamp"),
        pytest.param(blue_lamp(50), False, id="a lamp in one colour"),
        pytest.param(plain(), False, id="no lamp"),
        pytest.param(partly(0.3, 255, grey=120), True, id="a part of the table"),
        pytest.param(partly(0.5, 255, grey=120), False, id="a white ground"),
    ],
)
def test_a_burnt_out_place_as_large_as_a_die_may_hide_one_unless_it_is_the_ground(
    picture: Picture, hidden: bool
) -> None:
    assert bool(burnt_places(picture, 40.0)) is hidden


def test_each_burnt_out_place_is_told_with_its_size() -> None:
    picture = plain().copy()
    for x, width in ((60, 50), (160, 25), (240, 80)):
        cv2.circle(picture, (x, 120), width // 2, (255,) * 3, cv2.FILLED)
    boxes = sorted(burnt_places(picture, 40.0))
    assert np.allclose(boxes, [(35, 95, 50, 50), (200, 80, 80, 80)], atol=12)


def test_burnt_out_places_are_found_for_dice_of_few_pixels_too() -> None:
    assert burnt_places(plain(), 7.0) == []
    ((x, y, width, height),) = burnt_places(lamp(12), 7.0)
    assert np.allclose((x, y, width, height), (WIDE / 2 - 6, HIGH / 2 - 6, 12, 12), atol=3)
