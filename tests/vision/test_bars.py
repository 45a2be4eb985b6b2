"""Bars of one colour along a picture's sides are no part of it, and nothing else is taken for one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.events import Why
from companion.ports import Picture
from companion.vision.bars import inside
from companion.vision.eyes import alone
from companion.vision.scene import Cube, Scene, draw

WHITE, GREY, BLACK = (255, 255, 255), (128, 128, 128), (0, 0, 0)


@pytest.fixture(scope="module")
def whole() -> Picture:
    dice = (Cube(5, -2.2, 0.4, 10.0), Cube(3, 2.0, 0.0, 20.0))
    return draw(Scene(dice), np.random.default_rng(3)).picture


def framed(picture: Picture, top: int, bottom: int, left: int, right: int, colour: tuple[int, int, int]) -> Picture:
    bars = cv2.copyMakeBorder(picture, top, bottom, left, right, cv2.BORDER_CONSTANT, value=colour)
    return np.asarray(bars, np.uint8)


def bounds(picture: Picture) -> tuple[int, int, int, int]:
    """How much is left out at the top, the bottom, the left and the right."""
    rows, columns = inside(picture)
    height, width = picture.shape[:2]
    return rows.start, height - rows.stop, columns.start, width - columns.stop


@pytest.mark.parametrize("colour", [WHITE, GREY, BLACK])
@pytest.mark.parametrize("wide", [(60, 60, 0, 0), (0, 0, 80, 40), (30, 70, 30, 30), (0, 90, 0, 0)])
def test_bars_at_any_side_are_left_out(
    whole: Picture, wide: tuple[int, int, int, int], colour: tuple[int, ...]
) -> None:
    assert bounds(framed(whole, *wide, colour)) == wide  # type: ignore[arg-type]


@pytest.mark.parametrize("wide", [(2, 0, 0, 0), (0, 0, 0, 2), (2, 3, 2, 2)])
def test_narrow_bars_of_a_small_picture_are_left_out(wide: tuple[int, int, int, int]) -> None:
    small = np.random.default_rng(3).integers(0, 200, (80, 90, 3), np.uint8)
    assert bounds(framed(small, *wide, WHITE)) == wide


def test_a_frame_within_a_frame_is_left_out(whole: Picture) -> None:
    assert bounds(framed(framed(whole, 20, 20, 20, 20, WHITE), 40, 0, 0, 0, BLACK)) == (60, 20, 20, 20)


@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_a_frame_is_left_out_around_a_picture_that_is_as_dark_in_three_of_its_corners(
    whole: Picture, turns: int
) -> None:
    dark = whole.copy()
    dark[:12, :12] = dark[:12, -12:] = dark[-12:, :12] = 0
    assert bounds(framed(np.rot90(dark, turns), 30, 70, 40, 50, BLACK)) == (30, 70, 40, 50)


@pytest.mark.parametrize("wide", [(60, 60, 0, 0), (0, 0, 80, 40)])
def test_bars_at_two_sides_are_left_out_though_the_picture_is_as_dark_in_all_its_corners(
    whole: Picture, wide: tuple[int, int, int, int]
) -> None:
    dark = whole.copy()
    for rows in (slice(12), slice(-12, None)):
        dark[rows, :12] = dark[rows, -12:] = 0
    assert bounds(framed(dark, *wide, BLACK)) == wide


def test_where_hardly_anything_would_be_left_nothing_is_left_out(whole: Picture) -> None:
    assert bounds(framed(whole[200:300], 250, 250, 0, 0, BLACK)) == (0, 0, 0, 0)
    assert bounds(framed(whole[200:300], 150, 150, 0, 0, BLACK)) == (150, 150, 0, 0)


@pytest.mark.parametrize("quality", [95, 60])
def test_bars_that_are_packed_as_jpeg_are_left_out_but_for_what_rings(whole: Picture, quality: int) -> None:
    packed = cv2.imencode(".jpg", framed(whole, 60, 60, 40, 40, WHITE), [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    told = bounds(np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8))
    assert np.allclose(told, (60, 60, 40, 40), atol=8)


def test_a_picture_without_bars_stays_whole(whole: Picture) -> None:
    assert bounds(whole) == (0, 0, 0, 0)


def test_a_plain_picture_is_no_bar(whole: Picture) -> None:
    assert bounds(np.full_like(whole, 255)) == (0, 0, 0, 0)


def test_what_a_window_burns_out_is_no_bar_as_it_ends_slowly(whole: Picture) -> None:
    lamp = np.clip(np.linspace(900, 0, whole.shape[0]), 0, 255)[:, None, None]
    burnt = np.clip(whole + lamp, 0, 255).astype(np.uint8)
    assert (burnt[:20] == 255).all()
    assert bounds(burnt) == (0, 0, 0, 0)


def test_even_ground_beyond_a_slanted_edge_is_no_bar(whole: Picture) -> None:
    slanted = whole.copy()
    height, width = whole.shape[:2]
    cv2.fillPoly(slanted, [np.array([(0, 0), (width, 0), (width, 60), (0, 40)], np.int32)], BLACK)
    assert height > 100
    assert bounds(slanted) == (0, 0, 0, 0)


@pytest.mark.parametrize("ground", [255, 30])
@pytest.mark.parametrize("share", [0.55, 0.8])
def test_even_ground_around_one_large_die_is_no_bar(share: float, ground: int) -> None:
    """Of a scan, or a shop's photo: its corners are rounded, so that ground is seen in them."""
    side, picture = round(share * 480), np.full((480, 640, 3), ground, np.uint8)
    top, left, round_px = (480 - side) // 2, (640 - side) // 2, side // 8
    for dx, dy in ((round_px, 0), (0, round_px)):
        corners = (left + dx, top + dy), (left + side - dx, top + side - dy)
        cv2.rectangle(picture, *corners, (60, 60, 200), -1)
    for x in (left + round_px, left + side - round_px):
        for y in (top + round_px, top + side - round_px):
            cv2.circle(picture, (x, y), round_px, (60, 60, 200), -1)
    assert bounds(picture) == (0, 0, 0, 0)


def test_a_table_at_which_the_wild_die_was_taught_is_seen_whole(whole: Picture) -> None:
    seen: list[tuple[int, ...]] = []

    class Taught:
        def find(self, picture: Picture) -> None:
            seen.append(picture.shape)

    barred = framed(whole, 60, 60, 0, 0, BLACK)
    alone(barred, wild=Taught())  # type: ignore[arg-type]
    assert seen == [barred.shape]


def test_dice_between_bars_are_read_as_without_them_and_lie_where_they_are_seen(whole: Picture) -> None:
    plain, barred = alone(whole).reading, alone(framed(whole, 90, 50, 70, 0, WHITE)).reading
    assert plain.sure
    assert barred == plain.moved(70, 90)


def test_a_die_that_a_torn_file_cuts_off_is_asked_about(whole: Picture) -> None:
    """Such a file is opened with grey where nothing came."""
    five = next(die.box for die in alone(whole).reading.dice if die.value == 5)
    three = next(die.box for die in alone(whole).reading.dice if die.value == 3)
    torn = np.rot90(whole).copy()  # so that the five lies at the bottom
    torn[-round(five[0] + 0.55 * five[2]) :] = GREY
    assert three[0] > five[0] + five[2]
    reading = alone(np.ascontiguousarray(torn)).reading
    assert (reading.values, reading.sure, reading.why) == ((3,), False, Why.CUT)
