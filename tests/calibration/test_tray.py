"""The tray from its markers: where its corners lie, how large a pixel is, and what is wrong in plain words."""

from __future__ import annotations

from itertools import permutations, product

import cv2
import numpy as np
import pytest

from calibration.judging import FAULTS, Fault, Verdict, judge
from calibration.markers import LARGE, SMALL, Stickers, cells
from calibration.overlay import FLOOR, MARKER, gridded
from calibration.simulated import DrawnSetup, Wrongs
from calibration.steps import Wants
from calibration.tray import Found, Tray, by_hand, find_markers, measure
from companion.locale import ENGLISH, LANGUAGES, texts
from companion.vision.scene import new_table
from tests.bench.hard_tables import calibrating

SCENE = new_table(np.random.default_rng(1)).scene


def seen(wrongs: Wrongs, stickers: Stickers | None = LARGE) -> tuple[DrawnSetup, Verdict]:
    setup = DrawnSetup(SCENE, wrongs)
    picture = setup.picture(np.random.default_rng(2), stickers=stickers)
    return setup, judge(picture, find_markers(picture))


@pytest.mark.parametrize("number", [3, 9, 10], ids=["spots", "scatter", "granite"])
def test_spotted_cloth_shows_no_markers(number: int) -> None:
    hands = calibrating(number, 100)
    hands.lay(Wants())
    assert [find_markers(hands.picture(float(second))).numbers for second in range(3)] == [()] * 3


@pytest.mark.parametrize(("number", "px", "numbers"), [(3, 60, (3,)), (37, 60, ()), (3, 7, ())])
def test_a_marker_of_another_set_or_too_small_to_be_one_is_none(number: int, px: int, numbers: tuple[int, ...]) -> None:
    page = np.full((200, 200, 3), 255, np.uint8)
    page[70 : 70 + px, 70 : 70 + px] = cv2.resize(cells(number), (px, px), interpolation=cv2.INTER_NEAREST)[..., None]
    assert find_markers(page).numbers == numbers


def corners_off_mm(setup: DrawnSetup, tray: Tray) -> float:
    width, depth = setup.tray_mm
    floor = np.array([(0, 0), (width, 0), (width, depth), (0, depth)])
    return float(np.linalg.norm(tray.mm(setup.corners) - floor, axis=1).max())


@pytest.mark.parametrize("stickers", [LARGE, SMALL], ids=lambda stickers: stickers.name)
def test_tray_corners_lie_within_a_millimetre_and_its_scale_within_a_hundredth(stickers: Stickers) -> None:
    setup, verdict = seen(Wrongs(), stickers)
    assert verdict.tray is not None
    assert verdict.faults == ()
    truth = by_hand(setup.corners, setup.tray_mm)
    assert corners_off_mm(setup, verdict.tray) < 1.0
    assert verdict.tray.mm_per_px == pytest.approx(truth.mm_per_px, rel=0.01)
    assert verdict.tilt_deg == pytest.approx(setup.scene.camera.tilt_deg, abs=2.0)


@pytest.mark.parametrize(
    ("wrongs", "kind", "where"),
    [
        (Wrongs(hidden=(2,)), "hidden", "2"),
        (Wrongs(light=0.05), "dark", ""),
        (Wrongs(light=2.0), "bright", ""),
        (Wrongs(glare=(90, 65)), "glare", "in the middle"),
        (Wrongs(glare=(150, 65)), "glare", "right"),
        (Wrongs(blur_px=3.0), "blurred", ""),
        (Wrongs(tilt_deg=42), "tilted", ""),
        (Wrongs(noise=0.2), "grainy", ""),
        (Wrongs(distance=2.2), "far", ""),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_wrong_is_named(wrongs: Wrongs, kind: str, where: str) -> None:
    _setup, verdict = seen(wrongs)
    assert Fault(kind, where) in verdict.faults
    assert not verdict.good


def test_haze_is_named() -> None:
    clear = DrawnSetup(SCENE).picture(np.random.default_rng(2))
    hazy = np.asarray(150 + clear * 0.35, np.uint8)
    assert judge(hazy, find_markers(hazy)).faults == (Fault("hazy"),)


def test_a_grid_shows_which_markers_were_seen_and_the_tray() -> None:
    picture = DrawnSetup(SCENE).picture(np.random.default_rng(2))
    found = find_markers(picture)
    tray = measure(found, LARGE)
    drawn = gridded(picture, found, tray)
    for corners, colour in (*((quad, MARKER) for quad in found.corners), (tray.corners, FLOOR)):
        x, y = np.round((corners[0] + corners[1]) / 2).astype(int)  # in the middle of the far side
        assert (drawn[y - 2 : y + 3, x - 2 : x + 3] == colour).all(axis=2).any()


def test_small_stickers_seen_blurred_ask_for_large_ones() -> None:
    _setup, verdict = seen(Wrongs(blur_px=0.8), SMALL)
    assert Fault("small") in verdict.faults


def lying(order: tuple[int, ...] = (0, 1, 2, 3), turned_deg: tuple[int, ...] = (0, 0, 0, 0)) -> Verdict:
    """By markers of which these lie in the corners, far left first, turned clockwise."""
    picture = DrawnSetup(SCENE).picture(np.random.default_rng(2))
    there, corners = find_markers(picture).of(LARGE), []
    for place, deg in enumerate(turned_deg):
        quad = np.roll(there[place], -(deg // 90), axis=0)
        middle, rest = quad.mean(axis=0), np.radians(deg % 90)
        turn = np.array([(np.cos(rest), np.sin(rest)), (-np.sin(rest), np.cos(rest))])
        corners.append(middle + (quad - middle) @ turn)
    return judge(picture, Found(order, tuple(corners)))


@pytest.mark.parametrize("order", [each for each in permutations(range(4)) if each != (0, 1, 2, 3)])
def test_markers_in_the_wrong_corners_are_said_to_be_so_and_not_the_camera_to_be_tilted(order: tuple[int, ...]) -> None:
    verdict = lying(order)
    assert verdict.faults == (Fault("mixed"),)
    assert verdict.tray is None


@pytest.mark.parametrize("deg", [90, 180, 270])
def test_a_marker_whose_number_is_not_away_from_the_players_is_named(deg: int) -> None:
    assert lying(turned_deg=(0, 0, deg, 0)).faults == (Fault("turned", "2"),)
    assert lying(turned_deg=(deg, 0, 0, deg)).faults == (Fault("turned", "0"), Fault("turned", "3"))
    assert lying(turned_deg=(deg,) * 4).faults == (Fault("mixed"),)


def test_a_marker_that_was_pushed_askew_is_not_said_to_be_turned() -> None:
    assert lying().faults == ()
    for deg in (20, 340):
        assert [fault.kind for fault in lying(turned_deg=(0, deg, 0, 0)).faults] == ["loose"]


def test_markers_nearer_to_each_other_than_any_tray_lets_them_lie_are_askew() -> None:
    heap = tuple(3 * LARGE.corners_mm(place, (58.0, 58.0)) + 20 for place in range(4))
    verdict = judge(DrawnSetup(SCENE).picture(np.random.default_rng(2)), Found((0, 1, 2, 3), heap))
    assert verdict.faults == (Fault("loose"),)
    assert verdict.tray is None


def test_a_tray_without_markers_asks_for_them() -> None:
    _setup, verdict = seen(Wrongs(), None)
    assert verdict.faults == (Fault("none"),)
    assert verdict.tray is None


def test_every_fault_has_words_and_a_remedy() -> None:
    assert [Fault(kind, "2").words(ENGLISH) for kind in ("hidden", "dark")] == [
        ("Marker 2 is hidden", "Uncover it"),
        ("Too dark", "More light, please"),
    ]
    assert all(title and remedy for title, remedy in FAULTS.values())
    for kind, language in product(FAULTS, LANGUAGES):
        assert not {"{", "}"} & {*"".join(Fault(kind, "2").words(texts(language)))}


def test_corners_given_by_hand_make_the_same_tray_as_markers() -> None:
    setup, verdict = seen(Wrongs())
    assert verdict.tray is not None
    tray = by_hand(setup.corners, setup.tray_mm)
    assert np.allclose(tray.corners, verdict.tray.corners, atol=1.0)


@pytest.mark.parametrize("order", [(0, 1, 3, 2), (3, 2, 1, 0)])
def test_corners_by_hand_that_cross_or_run_the_wrong_way_are_refused(order: tuple[int, ...]) -> None:
    corners = np.array([(10, 10), (100, 12), (98, 80), (12, 82)], float)[list(order)]
    with pytest.raises(ValueError, match="clockwise"):
        by_hand(corners, (180, 130))


def test_fewer_than_four_markers_measure_nothing() -> None:
    picture = DrawnSetup(SCENE, Wrongs(hidden=(1,))).picture(np.random.default_rng(2))
    with pytest.raises(ValueError, match="3 of 4"):
        measure(find_markers(picture), LARGE)
