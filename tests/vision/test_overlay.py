"""The overlay shows what was seen, and what it is unsure of."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.events import Die, Reading, Why, WildDie
from companion.vision.overlay import SURE, UNSURE, headline, overlay, wild_overlay

GROUND = np.full((480, 640, 3), 90, np.uint8)
BAR_PX = 34  # the verdict above the picture


def changed(reading):
    """Where the picture below the bar was drawn on."""
    drawn = overlay(GROUND, reading)
    assert drawn.shape == (480 + BAR_PX, 640, 3)
    return np.any(drawn[BAR_PX:] != 90, axis=2)


def test_a_die_is_framed_and_its_pips_are_dotted():
    seen = changed(Reading((Die(1, (100, 200, 60, 60), 0.99, ((130, 230),)),), sure=True))
    assert seen[200, 130]
    assert seen[230, 130]
    assert not seen[300:, :].any()


def test_a_name_lies_on_no_other_die():
    """Where one lies above, the name stands below its die, and tells what it tells of one that lies alone."""
    die, above = Die(4, (100, 200, 30, 30), 0.99, ()), Die(4, (90, 140, 70, 56), 0.99, ())
    alone, both = (changed(Reading(dice, sure=True)) for dice in ((die,), (die, above)))
    assert alone[182:198, 100:180].any()
    assert np.array_equal(alone[182:198, 100:180], both[232:248, 100:180])


def test_among_dice_on_all_sides_its_value_alone_is_named():
    die = Die(4, (300, 200, 30, 30), 0.99, ())
    around = [(x, y, 40, 40) for x in (245, 345) for y in (140, 195, 250)]
    crowd = (die, *(Die(1, box, 0.99, ()) for box in around))
    alone, among = (changed(Reading(dice, sure=True))[180:199, 300:312] for dice in ((die,), crowd))
    assert np.array_equal(alone, among)
    assert not changed(Reading(crowd, sure=True))[180:199, 320:343].any()


def name_of(x, y):
    """What is written beside a die at this place in a picture of 640 × 480, between its first and last sign."""
    seen = changed(Reading((Die(4, (x, y, 30, 30), 0.95, ()),), sure=True))
    beside = [seen[: max(0, y - 1)], seen[y + 32 :]]
    columns, rows = (np.flatnonzero(np.vstack(beside).any(axis=axis)) for axis in (0, 1))
    return np.vstack(beside)[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]


@pytest.mark.parametrize("x", [605, -12, 630])
def test_a_name_at_the_rim_is_written_whole(x):
    assert np.array_equal(name_of(x, 200), name_of(300, 200))


def colour_of(reading):
    """Of the first die's frame."""
    x, y, w, _h = reading.dice[0].box
    return tuple(overlay(GROUND, reading)[BAR_PX + y, x + w // 2])


def test_a_die_that_is_asked_about_has_the_colour_of_doubt_however_sure_its_value():
    die, away, into = (Die(4, (x, 200, 60, 60), 0.99, ()) for x in (100, 300, 145))
    asked = Reading((die, away), sure=False, why=Why.FAINT)
    assert colour_of(asked) == SURE
    assert colour_of(replace(asked, doubts=(die.box,))) == UNSURE
    assert colour_of(replace(asked, doubts=((120, 220, 200, 30),))) == SURE, "its middle lies elsewhere"
    touching = replace(asked, why=Why.TOUCHING, dice=(die, into, away))
    assert colour_of(touching) == UNSURE
    assert colour_of(replace(touching, dice=(away, die, into))) == SURE
    assert colour_of(replace(touching, why=Why.FAINT)) == SURE


def test_a_doubt_in_a_die_is_no_thing_beside_it():
    reading = Reading((Die(4, (100, 200, 60, 60), 0.99, ()),), sure=False, why=Why.FAINT)
    half, whole = (changed(replace(reading, doubts=((100, 200, wide, 60),))) for wide in (40, 60))
    assert np.array_equal(half, whole)
    glare = changed(replace(reading, doubts=((60, 160, 140, 140),)))
    assert glare[160, 65]


def test_the_name_of_a_die_as_large_as_the_picture_stays_in_it():
    seen = changed(Reading((Die(4, (4, 4, 632, 470), 0.95, ()),), sure=True))
    assert seen[463:471, 8:19].any()


def test_writing_is_black_around_its_signs():
    """Its colour alone would be lost on ground of that colour."""
    light = np.full((480, 640, 3), 255, np.uint8)
    drawn = overlay(light, Reading((Die(4, (300, 200, 90, 90), 0.95, ()),), sure=True))
    name = drawn[BAR_PX + 180 : BAR_PX + 197, 300:400].astype(int)
    signs = (np.abs(name - SURE).max(axis=2) < 30).astype(np.uint8)
    around = (cv2.dilate(signs, np.ones((3, 3), np.uint8)) > 0) & (signs == 0)
    assert signs.sum() > 100
    assert np.median(name[around].max(axis=1)) < 120


def test_what_could_be_a_die_has_marked_corners():
    seen = changed(Reading((), sure=False, why=Why.FAINT, doubts=((400, 100, 80, 80),)))
    assert seen[100, 405]
    assert seen[180, 475]
    assert not seen[140, 400]  # corners only: no frame, as a die has
    drawn = overlay(GROUND, Reading((), sure=False, why=Why.FAINT, doubts=((400, 100, 80, 80),)))
    assert tuple(drawn[BAR_PX + 100, 405]) == UNSURE


def test_above_a_narrow_picture_the_verdict_is_as_large_as_elsewhere():
    narrow = overlay(np.full((640, 40, 3), 90, np.uint8), Reading((), sure=False, why=Why.GLARE))
    wide = overlay(np.full((640, 400, 3), 90, np.uint8), Reading((), sure=False, why=Why.GLARE))
    assert np.array_equal(narrow[:-640], wide[:-640])
    assert (narrow[-640:, :40] == 90).all()


@pytest.mark.parametrize("is_crowded", [False, True])
def test_a_die_that_is_asked_about_has_a_question_mark_for_who_does_not_tell_its_colour(is_crowded):
    """Beside how sure it is, and beside its value where that alone has room."""
    die = Die(4, (300, 200, 30, 30), 0.99, ())
    around = [Die(1, (x, y, 40, 40), 0.99, ()) for x in (245, 355) for y in (140, 195, 250)]
    reading = Reading((die, *around) if is_crowded else (die,), sure=False, why=Why.DARK)
    sure, asked = (changed(replace(reading, doubts=doubts))[180:199] for doubts in ((), (die.box,)))
    assert np.array_equal(sure[:, 292:309], asked[:, 292:309]), "the value"
    assert asked[:, 312:321].sum() > sure[:, 312:321].sum()


def test_no_value_is_told_to_be_beyond_all_doubt():
    nearly, wholly = (overlay(GROUND, Reading((Die(4, (100, 200, 60, 60), c, ()),), sure=True)) for c in (0.99, 1.0))
    assert np.array_equal(nearly, wholly)


@pytest.mark.parametrize("size", [(480, 640), (640, 300), (64, 64), (3000, 4000), (40, 2000)])
def test_the_verdict_fits_above_pictures_of_any_size(size):
    """Nothing of it is cut off at the rim, and in large pictures it is as large, for its size, as in usual ones."""
    ground = np.full((*size, 3), 90, np.uint8)
    dice = tuple(Die(value, (1, 1, 10, 10), 0.5, ()) for value in (1, 1, 2, 4, 4, 4, 4, 5, 5, 6))
    drawn = overlay(ground, Reading(dice, sure=False, why=Why.GLARE))
    factor = max(1.0, 640 / max(size))
    bar = drawn[: drawn.shape[0] - round(size[0] * factor)]
    written = np.flatnonzero(np.any(bar > 100, axis=2).any(axis=0))
    assert written.min() >= 4
    assert written.max() < drawn.shape[1] - 2
    assert bar.shape[0] >= BAR_PX * max(1.0, max(size) / 1000)


def test_what_does_not_fit_on_one_line_goes_on_a_second():
    dice = tuple(Die(value, (1, 1, 10, 10), 0.5, ()) for value in (1, 1, 2, 4, 4, 4, 4, 5, 5, 6))
    asked = overlay(GROUND, Reading(dice, sure=False, why=Why.GLARE))
    told = overlay(GROUND, Reading(dice[:2], sure=True))
    assert asked.shape[0] > told.shape[0] == 480 + BAR_PX


@pytest.mark.parametrize(
    ("dice", "told"),
    [((), "no dice"), ((3,), "3"), ((None,), "?"), ((5, 3), "3 + 5 = 8"), ((3, None), "? + 3 = ?")],
)
def test_the_verdict_tells_a_sum_where_there_is_one(dice, told):
    seen = tuple(Die(value, (1, 1, 10, 10), 0.95, ()) for value in dice)
    assert headline(Reading(seen, sure=True)) == f"{told}, sure"


@pytest.mark.parametrize(("face", "why", "colour"), [("swap", None, SURE), (None, Why.FAINT, UNSURE)])
def test_the_wild_die_is_framed_under_its_verdict(face, why, colour):
    drawn = wild_overlay(GROUND, WildDie(face, (100, 200, 60, 60), 0.99, why))
    assert tuple(drawn[BAR_PX + 200, 130]) == colour
    assert np.any(np.all(drawn[:BAR_PX] == colour, axis=2))
    assert np.all(drawn[BAR_PX + 270 :] == 90)


@pytest.mark.parametrize(
    ("face", "why", "colour", "told"),
    [
        ("swap", None, SURE, "3, sure; Wild die: swap"),
        (None, Why.GLARE, UNSURE, "3, sure; Wild die: unsure: glare that may hide pips, or a die"),
    ],
)
def test_the_wild_die_is_framed_beside_number_dice_and_told_with_them(face, why, colour, told):
    reading = Reading((Die(3, (400, 200, 60, 60), 0.99, ()),), sure=True)
    wild = WildDie(face, (100, 200, 60, 60), 0.9, why)
    drawn = overlay(GROUND, reading, wild=wild)
    assert headline(reading, wild=wild) == told
    assert tuple(drawn[BAR_PX + 200, 130]) == colour
    assert np.any(np.all(drawn[:BAR_PX] == colour, axis=2))
    assert tuple(drawn[-280, 430]) == SURE, "the number dice are as sure as without it"
