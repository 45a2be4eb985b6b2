"""Dice that the picture's rim cuts off are asked about, on every side, and nothing else there is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.events import Box, Why
from companion.ports import Picture
from companion.vision.eyes import alone
from companion.vision.networks import AGAIN, FIRST, packed
from companion.vision.reader import Reader
from companion.vision.rim import cut_off, within
from companion.vision.scene import Cube, Scene, draw
from companion.vision.scene import Look as DieLook
from companion.vision.views import Views

BLUE = DieLook(body=(0.1, 0.15, 0.5), pips=(0.92, 0.92, 0.92))
SHARE = 0.6  # of the die that is outside,
SHARES = np.arange(0.62, 0.78, 0.01)  # or where hardly anything is left of it
PAIRS = (packed(FIRST), packed(AGAIN))


@pytest.fixture(scope="module")
def whole() -> Picture:
    """A blue five at the left, and an ivory three further right."""
    dice = (Cube(5, -2.2, 0.4, 10.0, look=BLUE), Cube(3, 2.0, 0.0, 20.0))
    return draw(Scene(dice), np.random.default_rng(3)).picture


def five_of(picture: Picture) -> Box:
    return next(die.box for die in Reader().read(picture).dice if die.value == 5)


def without_left(picture: Picture, columns: float) -> Picture:
    return np.ascontiguousarray(picture[:, round(columns) :])


def cut_at(whole: Picture, share: float) -> Picture:
    x, _, width, _ = five_of(whole)
    return without_left(whole, x + share * width)


@pytest.fixture(scope="module")
def halved(whole: Picture) -> Picture:
    return cut_at(whole, SHARE)


@pytest.fixture(scope="module")
def sliver(whole: Picture) -> Picture:
    """So little is left of the five that the finder alone sees nothing there, and the search of the rim does."""
    for picture in (cut_at(whole, share) for share in SHARES):
        told = Reader().read(picture, count=1)
        if told.sure and cut_off(Views(picture), [told.dice[0].box], PAIRS):
            return picture
    raise AssertionError("the search of the rim sees no more than the finder alone")


@pytest.mark.parametrize("turns", range(4))
def test_half_a_die_at_any_side_is_asked_about_and_shown(halved: Picture, turns: int) -> None:
    picture = np.ascontiguousarray(np.rot90(halved, turns))
    reading = Reader().read(picture)
    assert (reading.values, reading.sure, reading.why) == ((3,), False, Why.CUT)
    for left in (reading.doubts, cut_off(Views(picture), [reading.dice[0].box], PAIRS)):
        (x, y, width, height), *others = left
        assert not others
        sides = picture.shape[1], picture.shape[0]
        touched = [x == 0, y + height == sides[1], x + width == sides[0], y == 0]  # counterclockwise from the left
        assert [side for side in range(4) if touched[side]] == [turns]
        assert 0.3 < min(width, height) / max(width, height) < 0.8
    assert not alone(picture).reading.sure


def test_told_how_many_must_lie_there_the_rim_is_not_searched(sliver: Picture) -> None:
    assert Reader().read(sliver, count=1).sure


def test_the_rim_is_searched_at_first_sight_only_for_it_takes_a_while(sliver: Picture) -> None:
    reader = Reader()
    assert reader.read(sliver).why is Why.CUT
    assert reader.read(sliver).sure
    assert reader.read(sliver, afresh=True).why is Why.CUT


def test_what_lies_outside_the_tray_is_not_told(sliver: Picture) -> None:
    mask = np.zeros(sliver.shape[:2], np.uint8)
    mask[:, 60:] = 255
    assert Reader(mask=mask).read(sliver).sure


def test_whole_dice_near_the_rim_and_dice_read_by_someone_else_are_not_told(whole: Picture) -> None:
    x, y, width, height = five_of(whole)
    near = without_left(whole, x - 3)
    assert cut_off(Views(near), [(3, y, width, height)], PAIRS) == []
    assert cut_off(Views(near), [], PAIRS) == []
    halved = without_left(whole, x + width / 2)
    three = Reader().read(halved).dice[0].box
    assert len(cut_off(Views(halved), [three], PAIRS)) == 1
    assert cut_off(Views(halved), [three, (-width / 2, y, width, height)], PAIRS) == []


def test_the_edge_of_a_cloth_and_a_cable_at_the_rim_are_no_dice(whole: Picture) -> None:
    x, _, width, _ = five_of(whole)
    picture = without_left(whole, x + 1.1 * width)
    picture[:, :20] = (40, 60, 90)
    cv2.line(picture, (0, 60), (120, 30), (20, 20, 20), 9)
    cv2.circle(picture, (0, 400), 30, (25, 25, 25), cv2.FILLED)
    assert Reader().read(picture).sure


def test_both_pairs_must_take_it_for_a_die(halved: Picture) -> None:
    class Blind:
        def __call__(self, picture: Picture) -> tuple[np.ndarray, np.ndarray]:
            heat, sizes = packed(AGAIN).finder(picture)
            return 0 * heat, sizes

    three = Reader().read(halved).dice[0].box
    blind = packed(AGAIN)._replace(finder=Blind())
    assert cut_off(Views(halved), [three], PAIRS)
    assert cut_off(Views(halved), [three], (packed(FIRST), blind)) == []


def test_of_a_box_beyond_the_rim_nothing_lies_in_the_picture(whole: Picture) -> None:
    wide = whole.shape[1]
    assert within((-10.0, 20.0, 30.0, 30.0), whole) == (0.0, 20.0, 20.0, 30.0)
    assert within((-46.0, 20.0, 44.0, 44.0), whole) == (0.0, 20.0, 0.0, 44.0)
    assert within((wide + 2.0, -50.0, 44.0, 44.0), whole)[2:] == (0.0, 0.0)
