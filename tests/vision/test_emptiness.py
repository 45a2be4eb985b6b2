"""Where a place looks as it did when the tray was empty, but for the light: each limit from both its sides."""

from __future__ import annotations

import numpy as np
import pytest

from companion.ports import Picture
from companion.vision.emptiness import EmptyTray, Floats
from companion.vision.views import Place

SIDE, MIDDLE = 160, 79.5
PLACE = Place(MIDDLE, MIDDLE, 100.0, 0.5)  # looked at 120 wide, and smoothed by 3 and by 6 pixels
ACROSS = np.arange(SIDE) - MIDDLE
CHECKERS = np.indices((SIDE, SIDE)).sum(axis=0) % 2 * 2 - 1  # as noise of 3.95, of which smoothing leaves nothing


def ground(level: float, red: float = 1.0) -> Floats:
    """Evenly grey, or so much redder."""
    return np.full((SIDE, SIDE, 3), level) * (1.0, 1.0, red)


def striped(level: float, rise: float, width_px: float) -> Floats:
    """Soft stripes as much lighter and darker, so wide each pair of them."""
    return ground(level) + rise * np.cos(2 * np.pi * ACROSS / width_px)[None, :, None]


def grainy(picture: Floats, rise: float) -> Floats:
    return picture + rise * CHECKERS[..., None]


def slanting(level: float, low: float, high: float) -> Floats:
    """In light that rises from one side of what is looked at to the other."""
    return ground(level) * (low + (high - low) * (ACROSS / 120 + 0.5))[None, :, None]


def empty(now: Floats, then: Floats, place: Place = PLACE) -> bool:
    return EmptyTray(_picture(then)).looks_empty(_picture(now), place)


def _picture(levels: Floats) -> Picture:
    return np.asarray(np.round(levels).clip(0, 255), np.uint8)


def one_colour(levels: Floats, colour: int) -> Floats:
    """With what differs from place to place in one colour alone."""
    others = np.broadcast_to(levels.mean(axis=(0, 1)), levels.shape).copy()
    others[..., colour] = levels[..., colour]
    return others


@pytest.mark.parametrize(
    ("level", "rise", "looks_empty"), [(20, 6.2, True), (20, 7.2, False), (200, 20, True), (200, 23, False)]
)
def test_what_differs_more_than_two_pictures_of_one_thing_do_is_something_else(
    level: float, rise: float, looks_empty: bool
) -> None:
    assert empty(striped(level, rise, 120), ground(level)) is looks_empty


def test_one_colour_that_differs_is_enough() -> None:
    assert not empty(one_colour(striped(50, 12, 120), 1), ground(50))


def test_the_brightest_colour_tells_how_much_all_may_differ() -> None:
    red = ground(40, 5.0)
    assert empty(red + striped(0, 15, 120), red)


@pytest.mark.parametrize(
    ("rise", "width_px", "looks_empty"), [(11.4, 24, True), (13.5, 24, False)], ids=["finer", "as wide"]
)
def test_what_is_as_wide_as_pips_is_seen(rise: float, width_px: float, looks_empty: bool) -> None:
    assert empty(striped(50, rise, width_px), ground(50)) is looks_empty


@pytest.mark.parametrize(("rise", "width_px"), [(9.9, 120), (11.8, 60)])
def test_what_noise_hides_finely_is_seen_roughly(rise: float, width_px: float) -> None:
    assert empty(grainy(ground(50.5), 6.5), ground(50))
    assert not empty(grainy(striped(50.5, rise, width_px), 6.5), ground(50))


@pytest.mark.parametrize(("noise", "rise", "looks_empty"), [(5.5, 12.6, True), (4.5, 13.6, False), (0, 12.6, False)])
def test_noise_of_either_picture_may_differ(noise: float, rise: float, looks_empty: bool) -> None:
    """Stripes so fine that they do not outlast rough smoothing."""
    stripes = striped(40.5, rise, 24)
    assert empty(grainy(stripes, noise), ground(40)) is looks_empty
    assert empty(stripes, grainy(ground(40.5), noise)) is looks_empty


def test_where_noise_alone_differs_too_much_nothing_can_be_told() -> None:
    assert empty(grainy(ground(60), 6), ground(60))
    assert not empty(grainy(ground(60), 8), ground(60))
    assert not empty(one_colour(grainy(ground(60), 8), 2), ground(60))


def patched(top: int, left: int, high: int, wide: int) -> Floats:
    """A ground, and half as light a thing on it."""
    picture = ground(100)
    picture[top : top + high, left : left + wide] = 50
    return picture


@pytest.mark.parametrize(("high", "wide", "looks_empty"), [(9, 10, True), (11, 11, False)])
def test_a_speck_or_a_crumb_may_lie_there(high: int, wide: int, looks_empty: bool) -> None:
    """Of 120 by 120 pixels so many differ, and a few around them."""
    assert empty(patched(70, 70, high, wide), ground(100)) is looks_empty


@pytest.mark.parametrize(("beside_px", "looks_empty"), [(48, False), (62, True)])
def test_a_little_of_the_ground_around_it_must_look_alike_too(beside_px: int, looks_empty: bool) -> None:
    """What lies so far from the middle, on the side."""
    assert empty(patched(20, 80 + beside_px, 120, 10), ground(100)) is looks_empty


@pytest.mark.parametrize(("times", "looks_empty"), [(2.2, True), (1 / 2.2, True), (2.8, False), (1 / 2.8, False)])
def test_light_may_have_changed_but_not_beyond_measure(times: float, looks_empty: bool) -> None:
    level = 80.0 if times > 1 else 200.0
    assert empty(ground(level * times), ground(level)) is looks_empty


@pytest.mark.parametrize("turned", [False, True], ids=["across", "down"])
@pytest.mark.parametrize(("low", "high", "looks_empty"), [(0.6, 1.4, True), (0.3, 1.1, False), (1.0, 2.8, False)])
def test_light_may_rise_evenly_from_side_to_side(low: float, high: float, looks_empty: bool, turned: bool) -> None:
    lit = slanting(85, low, high)
    assert empty(lit.transpose(1, 0, 2) if turned else lit, ground(85)) is looks_empty


@pytest.mark.parametrize(("times", "looks_empty"), [(1.17, True), (1 / 1.17, True), (1.24, False), (1 / 1.24, False)])
def test_light_may_have_turned_a_little_redder_or_less_red(times: float, looks_empty: bool) -> None:
    """Beside what differs between any two pictures."""
    assert empty(ground(150, times) + striped(0, 10, 120), ground(150)) is looks_empty


@pytest.mark.parametrize(
    ("now", "then", "looks_empty"), [(18, 18, True), (14, 14, False), (14, 30, False), (30, 14, False)]
)
def test_what_is_dark_shows_nothing(now: float, then: float, looks_empty: bool) -> None:
    assert empty(ground(now), ground(then)) is looks_empty


@pytest.mark.parametrize(("wide", "looks_empty"), [(24, True), (6, False)])
def test_a_dark_tray_shows_something_where_a_part_of_it_is_light(wide: int, looks_empty: bool) -> None:
    dark = ground(8)
    dark[:, 20 : 20 + wide] = 60
    assert empty(dark, dark) is looks_empty


def coloured(*levels: float) -> Floats:
    """Evenly of these levels of blue, green and red."""
    return np.broadcast_to(np.array(levels), (SIDE, SIDE, 3)).copy()


@pytest.mark.parametrize("others", [0.0, 2.0, 10.0])
@pytest.mark.parametrize("turn", range(3), ids=["red", "blue", "green"])
@pytest.mark.parametrize("times", [0.5, 1.0, 1.2])
def test_what_a_sensor_makes_of_colours_that_are_hardly_there_is_no_other_light(
    times: float, turn: int, others: float
) -> None:
    for now in (0.0, 2.0, 10.0):
        then, lit = coloured(others, others, 200), coloured(now, now, times * 200)
        assert empty(np.roll(lit, turn, axis=2), np.roll(then, turn, axis=2))


@pytest.mark.parametrize(
    ("then", "now", "looks_empty"), [(11, 15, True), (15, 11, True), (13, 17, False), (18, 13, False)]
)
def test_a_colour_that_is_dark_both_then_and_now_does_not_tell_the_light(
    then: float, now: float, looks_empty: bool
) -> None:
    """The ratio is less where it is told."""
    assert empty(coloured(now, 150, 150), coloured(then, 150, 150)) is looks_empty


def test_colours_that_are_dark_do_not_make_another_too_light() -> None:
    """Where two that are dark became darker, the third is not taken for too light."""
    assert empty(coloured(5, 5, 45), coloured(15, 15, 45))


@pytest.mark.parametrize(("wide", "looks_empty"), [(24, False), (3, True)])
def test_a_colour_tells_the_light_where_a_part_is_light_in_it(wide: int, looks_empty: bool) -> None:
    then, now = coloured(0, 100, 100), coloured(0, 100, 100)
    then[:, 30 : 30 + wide, 0], now[:, 30 : 30 + wide, 0] = 30, 40
    assert empty(now, then) is looks_empty


def test_a_tray_of_specks_in_one_colour_each_is_the_same_in_the_same_light() -> None:
    """Every colour is dark in nine tenths of it, and all together are not."""
    specks = coloured(0, 0, 0)
    for colour in range(3):
        specks[70:90, 30 + 40 * colour : 50 + 40 * colour, colour] = 200
    assert empty(specks, specks)


@pytest.mark.parametrize("colour", range(3), ids=["blue", "green", "red"])
def test_what_is_light_where_its_colour_was_dark_is_something_else(colour: int) -> None:
    tray = coloured(*(200.0 if one != colour else 1.0 for one in range(3)))
    thing = tray.copy()
    thing[70:84, 70:84, colour] = 60
    assert not empty(thing, tray)
    assert not empty(tray, thing)


def test_dark_colours_of_another_light_differ_no_more_than_any_two_pictures() -> None:
    """Of what is dark itself little is allowed; where another colour is bright, a lens and JPEG mix the colours."""
    assert empty(coloured(1, 8, 60), coloured(8, 1, 60))
    assert not empty(coloured(15, 1, 40), coloured(1, 1, 40))


@pytest.mark.parametrize("turned", [False, True], ids=["across", "down"])
@pytest.mark.parametrize("far", [False, True], ids=["near", "far"])
@pytest.mark.parametrize(("shown_px", "looks_empty"), [(50, True), (10, True), (7, False), (-5, False)])
def test_enough_of_a_place_at_the_rim_must_be_in_the_picture(
    shown_px: int, looks_empty: bool, far: bool, turned: bool
) -> None:
    middle = shown_px - 60
    at = (SIDE - middle if far else middle, 80)
    place = Place(*(reversed(at) if turned else at), 100.0, 0.5)
    assert empty(ground(100), ground(100), place) is looks_empty


@pytest.mark.parametrize(("rise", "looks_empty"), [(11.4, True), (14.7, False)])
def test_of_a_small_place_more_is_smoothed(rise: float, looks_empty: bool) -> None:
    """By a pixel at least."""
    assert empty(striped(30, rise, 6), ground(30), Place(80, 80, 20.0, 0.5)) is looks_empty


def test_a_picture_of_another_size_shows_another_tray() -> None:
    assert not empty(ground(100)[:-1], ground(100))
