"""What is known of a table: the empty tray is known again, its dice by their colours, and nothing foreign vanishes."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from calibration.simulated import DrawnHands, Wrongs
from calibration.steps import Wants
from companion.ports import Picture
from companion.vision.colours import Kind, alike, counted, kinds_of
from companion.vision.emptiness import EmptyTray
from companion.vision.known import Known
from companion.vision.looking import Look
from companion.vision.scene.model import Cube, Ground
from companion.vision.views import Place
from tests.vision.plain_looks import look

SCATTERED = Wrongs(floor=Ground("scatter", ((0.22, 0.3, 0.42), (0.75, 0.78, 0.8)), grain=0.1, scale=12, seed=4))
FELT = Wrongs()
WHITE = Kind((230.0, 235.0, 240.0), (15.0, 15.0, 15.0))
PX = 56.0  # of a whole die in these pictures


@cache
def emptied(wrongs: Wrongs) -> EmptyTray:
    return EmptyTray(DrawnHands(2, wrongs).picture(0.0))


def played(wrongs: Wrongs, *cubes: Cube) -> tuple[Picture, list[Place]]:
    """A picture of the tray of `emptied` with these dice in it, and where they lie."""
    hands = DrawnHands(2, wrongs)
    hands.lay_beside(*cubes)
    tops = hands.setup.view.pixels(np.array([(cube.x, cube.y, cube.size / 2) for cube in cubes]).reshape(-1, 3))
    sizes = [PX * cube.size / 1.6 for cube in cubes]
    return hands.picture(0.0), [Place(float(x), float(y), px, 0.5) for (x, y), px in zip(tops, sizes, strict=True)]


GRID = [Place(x, y, size, 0.5) for x in (150.0, 300.0, 450.0) for y in (150.0, 260.0) for size in (PX, 80.0)]


@pytest.mark.parametrize("wrongs", [FELT, SCATTERED], ids=["felt", "scattered"])
@pytest.mark.parametrize("light", [1.0, 0.6, 1.4])
def test_the_empty_tray_looks_empty_in_another_light(wrongs: Wrongs, light: float) -> None:
    picture, _ = played(replace(wrongs, light=light))
    assert [emptied(wrongs).looks_empty(picture, place) for place in GRID] == [True] * len(GRID)


PURE = {"red": (0.0, 0.0, 0.8), "green": (0.0, 0.6, 0.0), "blue": (0.8, 0.0, 0.0), "yellow": (0.0, 0.75, 0.8)}


def painted(colour: str) -> Wrongs:
    return Wrongs(floor=Ground("plain", (PURE[colour],) * 2, grain=0.1))


@pytest.mark.parametrize("colour", PURE)
@pytest.mark.parametrize(
    "other",
    [
        {},
        {"light": 0.6},
        {"light": 1.4},
        {"shade": 0.2},
        {"noise": 0.03},
        {"white": (1.1, 1.0, 0.95)},
        {"light": 0.6, "white": (0.9, 1.0, 1.1)},
    ],
    ids=["same", "darker", "lighter", "shaded", "grainy", "cool", "darker and warm"],
)
def test_an_empty_tray_of_a_pure_colour_looks_empty_in_another_light(colour: str, other: dict[str, Any]) -> None:
    tray = painted(colour)
    picture, _ = played(replace(tray, **other))
    assert [emptied(tray).looks_empty(picture, place) for place in GRID] == [True] * len(GRID)


@pytest.mark.parametrize("colour", PURE)
@pytest.mark.parametrize("light", [1.0, 0.6, 1.4])
@pytest.mark.parametrize("size", [0.6, 1.0, 1.6])
def test_no_die_looks_empty_in_a_tray_of_a_pure_colour(colour: str, light: float, size: float) -> None:
    drawn, floor, tray = DrawnHands(2).look, PURE[colour], painted(colour)
    dark, half = (0.06, 0.06, 0.06), (floor[0] / 2, floor[1] / 2, floor[2] / 2)
    dice = (((0.92, 0.94, 0.95), dark), (dark, (0.2, 0.2, 0.2)), (floor, dark), (half, dark), ((0.1, 0.1, 0.35), dark))
    cubes = [
        Cube(1 + n, -6 + 3 * n, 2 * (-1) ** n, 25.0 * n, size, replace(drawn, body=body, second=body, pips=pips))
        for n, (body, pips) in enumerate(dice)
    ]
    picture, places = played(replace(tray, light=light), *cubes)
    assert [emptied(tray).looks_empty(picture, place) for place in places] == [False] * len(cubes)


LIKE_THE_FLOOR = DrawnHands(2).setup.scene.ground.palette[0]


@pytest.mark.parametrize("wrongs", [FELT, SCATTERED], ids=["felt", "scattered"])
@pytest.mark.parametrize("light", [1.0, 0.5, 1.5])
@pytest.mark.parametrize("size", [1.0, 1.6, 2.2])
def test_no_die_looks_empty_whatever_its_colour_size_and_light(wrongs: Wrongs, light: float, size: float) -> None:
    drawn = DrawnHands(2).look
    bodies = ((0.92, 0.94, 0.95), (0.06, 0.06, 0.06), (0.14, 0.1, 0.72), LIKE_THE_FLOOR)
    cubes = [
        Cube(1 + n, -6 + 4 * n, 2 * (-1) ** n, 25.0 * n, size, replace(drawn, body=body, second=body))
        for n, body in enumerate(bodies)
    ]
    picture, places = played(replace(wrongs, light=light), *cubes)
    assert [emptied(wrongs).looks_empty(picture, place) for place in places] == [False] * len(bodies)


def test_a_tray_that_was_moved_looks_empty_nowhere_where_there_is_a_pattern() -> None:
    picture, _ = played(replace(SCATTERED, shift_cm=(0.5, 0.3)))
    assert not any(emptied(SCATTERED).looks_empty(picture, place) for place in GRID)


def test_nothing_looks_empty_where_it_cannot_be_told() -> None:
    place = GRID[0]
    same, _ = played(FELT)
    dark, _ = played(replace(FELT, light=0.01))
    noisy, _ = played(replace(FELT, noise=0.6))
    outside = Place(-100.0, -100.0, PX, 0.5)
    tray = emptied(FELT)
    assert tray.looks_empty(same, place)
    assert not tray.looks_empty(same[::2, ::2], place)
    assert not tray.looks_empty(dark, place)
    assert not tray.looks_empty(noisy, place)
    assert not tray.looks_empty(same, outside)


# --- colours ----------------------------------------------------------------------------------------------------------


@cache
def thrown(light: float) -> tuple[Picture, tuple[Place, ...], tuple[int, ...]]:
    hands = DrawnHands(2, Wrongs(light=light), dice=((0.92, 0.94, 0.95), (0.06, 0.06, 0.06)))
    hands.lay(Wants(dice=6))
    tops = hands.setup.view.pixels(np.array([(cube.x, cube.y, cube.size) for cube in hands.lying]))
    return hands.picture(0.0), tuple(Place(float(x), float(y), PX, 0.9) for x, y in tops), hands.values


@pytest.mark.parametrize("light", [1.0, 0.5, 0.25])
def test_pips_of_the_tables_own_dice_are_counted_in_any_light(light: float) -> None:
    picture, places, values = thrown(light)
    assert tuple(counted(picture, [(place, (place.x, place.y)) for place in places], (WHITE,))) == values


def seen(place: Place, *pips: tuple[float, float]) -> Look:
    return replace(look(3), place=place, pips=pips)


def test_a_place_that_looks_empty_is_left_out_where_the_empty_tray_is_known() -> None:
    picture, (die,) = played(FELT, Cube(4, 0, 0, 20.0, 1.6, DrawnHands(2).look))
    corners = [place for place in GRID if abs(place.x - die.x) > 2 * PX]
    looks = [seen(place) for place in (*corners, die)]
    assert corners
    assert Known(emptied(FELT)).sifted(picture, looks) == looks[-1:]
    assert Known().sifted(picture, looks) == looks


def test_pips_are_counted_by_colours_only_of_dice_whose_colours_are_known() -> None:
    picture, places, values = thrown(1.0)
    looks = [seen(place) for place in places]
    red = Kind((40.0, 30.0, 200.0), (240.0, 240.0, 240.0))
    assert Known(kinds=(red, WHITE)).counted(picture, looks) == dict(zip(looks, values, strict=True))
    assert Known(kinds=(red,)).counted(picture, looks) == {}
    assert Known().counted(picture, looks) == {}


def test_pips_are_counted_around_the_middle_of_those_that_the_network_sees() -> None:
    """From a slant a die's top lies above the middle of all that is seen of it."""
    picture, places, values = thrown(1.0)
    slanted = [
        seen(replace(place, y=place.y + PX / 5), (place.x - 5, place.y - 3), (place.x + 5, place.y + 3))
        for place in places
    ]
    assert tuple(Known(kinds=(WHITE,)).counted(picture, slanted).values()) == values


@pytest.mark.parametrize(
    "other",
    [
        Kind((40.0, 30.0, 200.0), (240.0, 240.0, 240.0)),
        Kind((15.0, 15.0, 15.0), (235.0, 235.0, 235.0)),
        Kind((230.0, 235.0, 240.0), (200.0, 60.0, 30.0)),
    ],
    ids=["red", "black", "blue pips"],
)
def test_dice_of_no_known_kind_are_not_counted(other: Kind) -> None:
    picture, places, _values = thrown(1.0)
    assert set(counted(picture, [(place, (place.x, place.y)) for place in places], (other,))) == {None}


def test_dice_are_of_one_kind_in_shade_and_light_and_of_several_else() -> None:
    shaded = Kind((140.0, 142.0, 146.0), (9.0, 9.0, 9.0))
    red, black = Kind((40.0, 30.0, 200.0), (240.0, 240.0, 240.0)), Kind((15.0, 15.0, 15.0), (235.0, 235.0, 235.0))
    grey = Kind((60.0, 60.0, 60.0), (235.0, 235.0, 235.0))
    assert alike(WHITE, shaded)
    assert kinds_of([WHITE, red, shaded, black, red]) == (Kind((185.0, 188.0, 193.0), (12.0, 12.0, 12.0)), red, black)
    assert not alike(red, black)
    assert not alike(WHITE, black)
    assert kinds_of([]) == ()
    assert alike(grey, black)  # pips tell little of how dark a nearly black body is
