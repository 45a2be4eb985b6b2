"""Dice beside those that were read, which the finder did not see: told by spots and by what the faces see there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.events import Die, Why
from companion.ports import Picture
from companion.vision.beside import MOST_PLACES, faces_at, spotted
from companion.vision.networks import AGAIN, packed
from companion.vision.reader import Reader, Survey
from companion.vision.scene import Cube, Scene, draw
from companion.vision.scene import Look as DieLook
from companion.vision.views import Views

BLUE = DieLook(body=(0.1, 0.15, 0.5), pips=(0.92, 0.92, 0.92))
APART = 1.7  # centimetres: the dice are 1.6 wide


def table(*dice: Cube) -> Picture:
    return draw(Scene(dice), np.random.default_rng(3)).picture


@pytest.fixture(scope="module")
def touching() -> Picture:
    """An ivory three, and beside it a blue six with white pips."""
    return table(Cube(3, -APART / 2, 0.0, 20.0), Cube(6, APART / 2, 0.5, 20.0, look=BLUE))


class Overlooking(Reader):
    """Sees no six."""

    def survey(self, views: Views, **how: bool) -> Survey:
        whole = super().survey(views, **how)
        return replace(whole, looks=[look for look in whole.looks if look.value != 6])


def beside(picture: Picture, *dice: Die) -> list[tuple[float, float, float, float]]:
    views = Views(picture)
    return faces_at(views, spotted(views, dice), packed(AGAIN).faces)


def test_a_die_of_another_colour_that_was_overlooked_beside_one_is_asked_about_and_shown(touching: Picture) -> None:
    whole, part = Reader().read(touching), Overlooking().read(touching)
    assert ({die.value for die in whole.dice}, len(whole.dice), whole.sure) == ({3, 6}, 2, True)
    six = next(die for die in whole.dice if die.value == 6)
    assert (part.values, part.sure, part.why) == ((3,), False, Why.STRAY)
    assert part.doubts
    for x, y, width, height in part.doubts:
        assert np.hypot(x + width / 2 - six.centre[0], y + height / 2 - six.centre[1]) < six.box[2] / 2


def test_dice_that_were_read_or_are_read_by_someone_else_are_not_told(touching: Picture) -> None:
    three, six = sorted(Reader().read(touching).dice, key=lambda die: die.value or 0)
    assert beside(touching, three)
    assert beside(touching, three, six) == []
    assert spotted(Views(touching), [three], [six.box]) == []
    assert spotted(Views(touching), []) == []


def test_told_how_many_must_lie_there_none_is_searched_for(touching: Picture) -> None:
    assert Overlooking().read(touching, count=1).sure


def test_spots_around_a_die_that_are_no_face_are_looked_at_and_not_told() -> None:
    picture = table(Cube(3, 0.0, 0.0, 20.0))
    (die,) = Reader().read(picture).dice
    assert spotted(Views(picture), [die]) == []
    y, x = np.mgrid[: picture.shape[0], : picture.shape[1]]
    step = die.box[2] / 2.5
    dots = np.hypot((x % step) - step / 2, (y % step) - step / 2) < die.box[2] / 12
    far = np.hypot(x - die.centre[0], y - die.centre[1]) > 0.8 * die.box[2]
    picture[dots & far] = 15
    assert len(spotted(Views(picture), [die])) == MOST_PLACES
    assert beside(picture, die) == []


def test_at_the_rim_and_without_a_pip_there_is_nothing_to_tell() -> None:
    picture = table(Cube(3, 0.0, 0.0, 20.0))
    (die,) = Reader().read(picture).dice
    x, y = die.centre
    corner = np.ascontiguousarray(picture[int(y) - 8 :, int(x) - 8 :])
    assert spotted(Views(corner), [Die(3, (8 - die.box[2] / 2, 8 - die.box[3] / 2, *die.box[2:]), 0.9)]) == []
    assert spotted(Views(corner), [Die(1, (-30.0, -30.0, 60.0, 60.0), 0.9, ((-90.0, 2.0),))]) == []
