"""What a picture that leaves something to ask shows in other shapes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.events import Box, Die, Reading, Why
from companion.ports import Picture
from companion.vision.eyes import Eyes, alone
from companion.vision.reader import Reader
from companion.vision.scene import draw, random_scene
from companion.vision.shapes import NARROWER, PLAINER, WIDER, agreed, in_shape, plainness, seen_otherwise
from companion.vision.twice import BY_ONE

PICTURE = np.zeros((120, 160, 3), np.uint8)
THREE, FIVE = Die(3, (20, 20, 12, 12), 0.95), Die(5, (60, 40, 12, 12), 0.95)
FOUR = replace(FIVE, value=4)
BOTH_SHAPES = [(120, 120), (90, 160)]  # heights and widths of the picture narrower, and wider
FURTHER = {NARROWER: (120, 90), WIDER: (68, 160)}  # and once more so


def sure(*dice: Die, confidence: float = 0.99) -> Reading:
    return Reading(tuple(replace(die, confidence=confidence) for die in dice), True)


def unsure(*dice: Die, confidence: float = 0.6, why: Why = Why.FAINT, doubts: tuple[Box, ...] = ()) -> Reading:
    return Reading(tuple(replace(die, confidence=confidence) for die in dice), False, why, doubts)


UNCLEAR = unsure(THREE, FIVE, confidence=0.3)
ASKED = unsure(THREE, FIVE)


class Looks:
    """What is seen in pictures of these sizes, as of the whole picture's pixels; UNCLEAR in all others."""

    def __init__(self, seen: Mapping[tuple[int, int], Reading]) -> None:
        self._seen = seen
        self.sizes: list[tuple[int, ...]] = []

    def __call__(self, picture: Picture) -> Reading:
        height, width = picture.shape[:2]
        self.sizes.append((height, width))
        seen = self._seen.get((height, width), UNCLEAR)
        return seen.times(width / PICTURE.shape[1], height / PICTURE.shape[0])


def told(reading: Reading) -> list[tuple[int | None, Box]]:
    return [(die.value, tuple(round(side, 6) for side in die.box)) for die in reading.dice]


@pytest.mark.parametrize(
    "reading",
    [
        pytest.param(sure(THREE, FIVE), id="sure"),
        pytest.param(sure(), id="surely empty"),
        pytest.param(unsure(why=Why.STRAY), id="no dice, but what may be one"),
        pytest.param(unsure(THREE, FIVE, why=Why.CUT), id="half a die at the rim"),
        pytest.param(replace(ASKED, dazzled=True), id="a lamp is mirrored"),
    ],
)
def test_what_no_other_shape_could_tell_is_looked_at_no_more(reading: Reading) -> None:
    looks = Looks({})
    assert seen_otherwise(reading, PICTURE, looks) is reading
    assert looks.sizes == []


@pytest.mark.parametrize("size", BOTH_SHAPES)
def test_what_another_shape_surely_shows_alike_is_sure(size: tuple[int, int]) -> None:
    looks = Looks({size: sure(THREE, FIVE)})
    found = seen_otherwise(ASKED, PICTURE, looks)
    assert found.sure
    assert told(found) == told(ASKED)
    assert looks.sizes == BOTH_SHAPES[: BOTH_SHAPES.index(size) + 1]


def test_what_two_other_shapes_show_alike_and_one_surely_is_sure() -> None:
    found = seen_otherwise(ASKED, PICTURE, Looks({(120, 120): unsure(THREE, FOUR), (90, 160): sure(THREE, FOUR)}))
    assert found.sure
    assert found.values == (3, 4)


@pytest.mark.parametrize(("confidence", "asked"), [(BY_ONE, True), (BY_ONE - 0.01, False)])
def test_a_die_that_only_some_shapes_show_is_asked_about(confidence: float, asked: bool) -> None:
    more = replace(ASKED, dice=(*ASKED.dice, Die(1, (100.0, 80.0, 12.0, 12.0), confidence)))
    in_another = seen_otherwise(ASKED, PICTURE, Looks({(120, 120): more, (90, 160): sure(THREE, FIVE)}))
    in_its_own = seen_otherwise(more, PICTURE, Looks({(120, 120): ASKED, (90, 160): sure(THREE, FIVE)}))
    assert [in_another.sure, in_its_own.sure] == [not asked] * 2


def test_a_die_that_only_other_shapes_show_is_asked_about() -> None:
    fewer = unsure(THREE)
    found = seen_otherwise(fewer, PICTURE, Looks({(120, 120): unsure(THREE, FOUR), (90, 160): sure(THREE, FOUR)}))
    assert not found.sure
    assert found.values == (3, 4)


def test_what_one_shape_alone_surely_shows_is_asked_about_where_it_differs() -> None:
    found = seen_otherwise(ASKED, PICTURE, Looks({(90, 160): sure(THREE, FOUR)}))
    assert (found.sure, found.why, found.values) == (False, Why.FAINT, (3, 4))
    assert [tuple(round(side, 6) for side in box) for box in found.doubts] == [FOUR.box]


@pytest.mark.parametrize("shape", [NARROWER, WIDER])
def test_the_plainest_of_unsure_readings_is_shown_and_its_shape_is_gone_on_with(shape: float) -> None:
    size = BOTH_SHAPES[(NARROWER, WIDER).index(shape)]
    plainer = unsure(THREE, FOUR, confidence=0.8, why=Why.TOUCHING)
    looks = Looks({size: plainer, FURTHER[shape]: UNCLEAR})
    found = seen_otherwise(ASKED, PICTURE, looks)
    assert (found.sure, found.why, found.values) == (False, Why.TOUCHING, (3, 4))
    assert looks.sizes == [*BOTH_SHAPES, FURTHER[shape]]
    further = Looks({size: plainer, FURTHER[shape]: unsure(FOUR, confidence=0.9)})
    assert seen_otherwise(unsure(THREE, FIVE, confidence=0.1), PICTURE, further).values == (4,)
    both = Looks({size: plainer, FURTHER[shape]: sure(THREE, FOUR)})
    assert seen_otherwise(ASKED, PICTURE, both).sure


def test_a_little_plainer_in_another_shape_is_not_enough() -> None:
    odds = math.log(0.6 / 0.4) + PLAINER
    for more, values in ((-0.01, (3, 5)), (0.01, (3, 4))):
        chance = 1 / (1 + math.exp(-odds - more))
        looks = Looks({(120, 120): unsure(THREE, FOUR, confidence=chance)})
        assert seen_otherwise(ASKED, PICTURE, looks).values == values


def test_sure_if_seen_twice_is_not_once_it_is_asked_about() -> None:
    assert not seen_otherwise(replace(ASKED, if_twice=True), PICTURE, Looks({})).if_twice


def test_a_shape_that_lacks_a_plain_die_is_less_plain() -> None:
    whole = unsure(THREE, replace(FIVE, confidence=0.9), confidence=0.92)
    part = unsure(THREE, confidence=0.95)
    assert plainness(part) > plainness(whole)
    assert plainness(part, [whole, part]) < plainness(whole, [whole, part])
    hardly = replace(whole, dice=(whole.dice[0], replace(FIVE, confidence=0.89)))
    assert plainness(part, [hardly, part]) == plainness(part)


def test_what_may_be_one_more_die_makes_a_reading_less_plain_unless_it_is_one_of_its_dice() -> None:
    doubted = replace(ASKED, doubts=((100.0, 90.0, 12.0, 12.0),))
    assert plainness(doubted) < plainness(ASKED)
    assert plainness(replace(ASKED, doubts=(FIVE.box,))) == plainness(ASKED)
    assert plainness(unsure()) == -math.inf


def test_confidences_beyond_all_measure_count_as_much_as_others() -> None:
    assert plainness(unsure(THREE, confidence=0.0)) == plainness(unsure(THREE, confidence=0.01))
    assert plainness(unsure(THREE, confidence=1.0)) == plainness(unsure(THREE, confidence=0.9999))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(ASKED, unsure(THREE, FIVE), id="neither is sure"),
        pytest.param(unsure(THREE, FOUR), sure(THREE, FIVE), id="another value"),
        pytest.param(unsure(THREE), sure(THREE, FIVE), id="a die more"),
        pytest.param(unsure(), sure(), id="no dice"),
        pytest.param(replace(ASKED, dazzled=True), sure(THREE, FIVE), id="a lamp is mirrored"),
        pytest.param(ASKED, replace(sure(THREE, FIVE), dazzled=True), id="and in the other"),
        pytest.param(unsure(THREE, FIVE, why=Why.CUT), sure(THREE, FIVE), id="half a die at the rim"),
        pytest.param(sure(THREE, FIVE), unsure(THREE, FIVE, why=Why.CUT), id="and in the other look"),
        pytest.param(unsure(FIVE), sure(FIVE), id="a thing alone, whose value is in doubt"),
        pytest.param(sure(FIVE), unsure(FIVE), id="and to the other look"),
    ],
)
def test_readings_that_do_not_agree(one: Reading, other: Reading) -> None:
    assert agreed(one, other) is None


def test_a_die_alone_is_sure_where_only_something_else_was_in_doubt() -> None:
    assert agreed(unsure(FIVE, why=Why.STRAY), sure(FIVE)) == sure(FIVE)


def test_a_narrow_picture_is_pressed_no_further_than_to_a_pixel() -> None:
    for shape in (1, 400, 3), (400, 1, 3):
        for one in NARROWER, WIDER:
            assert in_shape(np.zeros(shape, np.uint8), one, lambda _: sure(THREE)).values == (3,)


def pressed(shape: float, seed: int) -> tuple[Picture, list[int]]:
    """A kind table of four dice, that much less wide, and what they show, in order."""
    rng = np.random.default_rng(seed)
    drawn = draw(random_scene(rng, hardness=0.0, dice=4, die_px=(40.0, 40.0)), rng)
    height, width = drawn.picture.shape[:2]
    narrow = cv2.resize(drawn.picture, (round(width * shape), height), interpolation=cv2.INTER_AREA)
    return np.asarray(narrow, np.uint8), sorted(die.value or 0 for die in drawn.truth)


@pytest.mark.once
def test_dice_that_were_pressed_narrow_are_read_as_what_they_were() -> None:
    right, before, unlike = 0, 0, 0
    for seed in (1, 5, 6, 8, 9):
        picture, values = pressed(9 / 16, seed)
        plain, found = Eyes(Reader()).see_twice(picture).reading, alone(picture).reading
        before += sorted(value or 0 for value in plain.values) == values
        right += sorted(value or 0 for value in found.values) == values
        unlike += plain.sure and found != plain
    assert unlike == 0
    assert right >= before + 3
