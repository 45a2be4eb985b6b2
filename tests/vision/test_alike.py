"""Things much like the dice that were read: told where networks overlooked them."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.events import Box, Why
from companion.ports import Picture
from companion.vision import reader as reading
from companion.vision.alike import like_dice
from companion.vision.reader import Reader, Survey
from companion.vision.scene import draw
from companion.vision.views import Views
from tests.vision.drawn_photos import two_dice

DIE = 40
FELT, IVORY, RED = (60, 90, 40), (215, 230, 235), (40, 40, 190)


def at(x: float, y: float) -> Box:
    return x - DIE / 2, y - DIE / 2, DIE, DIE


def tray(*things: tuple[int, int, tuple[int, int, int]], felt: tuple[int, int, int] = FELT, size: int = DIE) -> Picture:
    """Squares with three spots each on felt, as a camera sees it."""
    picture = np.full((240, 320, 3), felt, np.uint8)
    half = size // 2
    for x, y, colour in things:
        cv2.rectangle(picture, (x - half, y - half), (x + half, y + half), colour, cv2.FILLED)
        for away in (-size // 4, 0, size // 4):
            cv2.circle(picture, (x + away, y + away), size // 12, (20, 20, 20), cv2.FILLED)
    noise = np.random.default_rng(1).normal(0, 3, picture.shape)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 0.8) + noise, 0, 255).astype(np.uint8)


def middles(boxes: list[Box]) -> list[tuple[int, int]]:
    return sorted((round(x + w / 2), round(y + h / 2)) for x, y, w, h in boxes)


@pytest.mark.parametrize("felt", [FELT, (30, 30, 200), (10, 10, 10), (170, 190, 200)])
def test_a_die_of_the_set_that_was_not_read_is_told(felt: tuple[int, int, int]) -> None:
    picture = tray((60, 60, IVORY), (200, 150, IVORY), felt=felt)
    (found,) = middles(like_dice(picture, [at(60, 60)]))
    assert found == pytest.approx((200, 150), abs=5)
    assert like_dice(picture, [at(60, 60), at(200, 150)]) == []
    assert like_dice(picture, [at(60, 60)], [at(200, 150)]) == [], "somebody else reads it"


def test_one_that_touches_a_die_is_told() -> None:
    (found,) = middles(like_dice(tray((60, 60, IVORY), (60 + DIE, 60, IVORY)), [at(60, 60)]))
    assert found == pytest.approx((60 + DIE, 60), abs=8)


def test_of_dice_of_two_colours_each_has_its_like() -> None:
    picture = tray((60, 60, IVORY), (120, 60, RED), (200, 150, IVORY), (260, 60, RED))
    assert len(like_dice(picture, [at(60, 60), at(120, 60)])) == 2
    assert len(like_dice(picture, [at(60, 60)])) == 1, "a red one is not like an ivory one"


@pytest.mark.parametrize("size", [14, 80])
def test_what_is_much_smaller_or_larger_is_not_like_a_die(size: int) -> None:
    picture = tray((60, 60, IVORY))
    other = tray((200, 150, IVORY), size=size)
    assert like_dice(np.hstack([picture[:, :130], other[:, 130:]]), [at(60, 60)]) == []


def test_ground_that_fades_into_the_colour_of_dice_is_not_like_them() -> None:
    picture = tray((60, 60, IVORY))
    y, x = np.mgrid[:240, :320]
    shine = np.exp(-(((x - 220) / 45) ** 2 + ((y - 150) / 45) ** 2))[..., None]
    shone = (picture + shine * (np.array(IVORY) - picture)).astype(np.uint8)
    assert like_dice(shone, [at(60, 60)]) == []


def test_dice_of_the_colour_of_their_ground_tell_nothing() -> None:
    assert like_dice(tray((60, 60, IVORY), (200, 150, IVORY), felt=(212, 228, 232)), [at(60, 60)]) == []


def test_no_dice_are_like_nothing_and_one_at_the_rim_is_searched_for() -> None:
    assert like_dice(tray((60, 60, IVORY)), []) == []
    assert len(like_dice(tray((10, 60, IVORY), (200, 150, IVORY)), [at(10, 60)])) == 1


class Overlooking(Reader):
    """Finds nothing in the right half of a picture."""

    def survey(self, views: Views, **how: bool) -> Survey:
        whole = super().survey(views, **how)
        return replace(whole, looks=[look for look in whole.looks if look.place.x < views.taken.shape[1] / 2])


@pytest.fixture
def picture() -> Picture:
    return draw(two_dice((2, 5)), np.random.default_rng(1)).picture


def test_a_reading_is_unsure_where_a_die_like_its_own_was_overlooked_and_shows_it(picture: Picture) -> None:
    whole, part = Reader().read(picture), Overlooking().read(picture)
    assert whole.sure
    (die,) = part.dice
    (left,) = part.doubts
    assert (die.value, part.sure, part.why) == (2, False, Why.STRAY)
    (x, y), (overlooked,) = (left[0] + left[2] / 2, left[1] + left[3] / 2), [d for d in whole.dice if d.value == 5]
    assert np.hypot(x - overlooked.centre[0], y - overlooked.centre[1]) < overlooked.box[2] / 3


def test_what_lies_outside_of_the_tray_need_not_be_read(picture: Picture) -> None:
    mask = np.full(picture.shape[:2], 255, np.uint8)
    mask[:, picture.shape[1] // 2 :] = 0
    assert Overlooking(mask=mask).read(picture).sure


def test_told_how_many_must_lie_there_nothing_is_searched_for(
    picture: Picture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "like_dice", None)
    assert Reader().read(picture, count=2).sure
    with pytest.raises(TypeError):
        Reader().read(picture)
