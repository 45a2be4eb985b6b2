"""Reading with a calibration: only while camera and tray stand where they stood, and the Wild die apart."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from leading import SIMULATED, ok, seen

from calibration import steps
from calibration.facts import Profile
from calibration.place import FAR_MM, Place
from calibration.play import CalibratedEyes
from calibration.profile import keep, save
from calibration.simulated import DrawnHands, Wrongs
from calibration.use import mask_of
from companion.config import Camera
from companion.doctor.calibrated import calibrated, moved
from companion.doctor.finding import State
from companion.events import CalibrationTold, Fit, Settled, Why, WildDie, WildSettled
from companion.ports import Frame, Picture
from companion.vision.eyes import Eyes, Sight
from companion.vision.settle import Patience, Settler
from companion.watch import Watch
from tests.app.household import reading


@cache
def table() -> tuple[Profile, Picture, Picture]:
    """A camera's profile, the empty tray, and three dice with the Wild die in it."""
    hands = DrawnHands(5)
    step: steps.Next = steps.CameraStep(SIMULATED)
    while not isinstance(step, steps.Done):
        step = ok(seen(step, hands))
    hands.lay(steps.Wants(dice=3, face="swap"))
    return step.made(Profile(), {"empty": "empty.png"}), step.pictures["empty"], hands.picture(0.0)


def elsewhere(wrongs: Wrongs) -> Picture:
    hands = DrawnHands(5, wrongs)
    hands.lay(steps.Wants(dice=3, face="swap"))
    return hands.picture(0.0)


def moved_mm(picture: Picture) -> float | None:
    profile, empty, _dice = table()
    floor = mask_of(profile)
    assert profile.camera is not None
    assert floor is not None
    return Place(profile.camera.mm_per_px, empty, floor).moved_mm(picture)


def test_dice_and_another_light_move_no_camera() -> None:
    assert moved_mm(table()[2]) == pytest.approx(0.0, abs=0.5)
    assert moved_mm(elsewhere(Wrongs(light=0.4, shade=0.4))) == pytest.approx(0.0, abs=0.5)


@pytest.mark.parametrize(("shift_cm", "mm"), [((0.5, 0.0), 5.0), ((0.0, -0.4), 4.0), ((8.0, 3.0), FAR_MM)])
def test_a_moved_camera_is_noticed_with_dice_in_the_tray(shift_cm: tuple[float, float], mm: float) -> None:
    assert moved_mm(elsewhere(Wrongs(shift_cm=shift_cm))) == pytest.approx(mm, rel=0.2)


def grainy(picture: Picture, seed: int) -> Picture:
    noise = np.random.default_rng(seed).normal(0, 8, picture.shape[:2])[..., None]
    return np.asarray(np.clip(picture + noise, 0, 255), np.uint8)


def test_noise_makes_no_marks_of_even_ground() -> None:
    even, floor = np.full((480, 640, 3), 90, np.uint8), np.zeros((480, 640), np.uint8)
    cv2.rectangle(even, (120, 90), (520, 390), (110, 100, 95), cv2.FILLED)
    cv2.rectangle(floor, (120, 90), (520, 390), 255, cv2.FILLED)
    assert Place(0.35, grainy(even, 1), floor).moved_mm(grainy(even, 2)) is None


def test_a_grainy_camera_that_stands_is_not_moved_and_one_that_moved_is() -> None:
    profile, empty, dice = table()
    floor = mask_of(profile)
    assert profile.camera is not None
    assert floor is not None
    place = Place(profile.camera.mm_per_px, grainy(empty, 1), floor)
    assert place.moved_mm(grainy(dice, 2)) == pytest.approx(0.0, abs=0.7)
    assert place.moved_mm(grainy(elsewhere(Wrongs(shift_cm=(0.5, 0.0))), 3)) == pytest.approx(5.0, rel=0.2)


def test_in_the_dark_nothing_can_be_told() -> None:
    assert moved_mm(np.zeros_like(table()[1])) is None


def test_an_arm_over_one_side_of_the_tray_moves_no_camera() -> None:
    picture = table()[2].copy()
    picture[:, :200] = 128
    off = moved_mm(picture)
    assert off is None or off < 0.5


def test_a_camera_that_was_moved_is_told_once_and_so_is_its_return(tmp_path: Path) -> None:
    profile, empty, dice = table()
    assert profile.camera is not None
    profile = replace(profile, camera=replace(profile.camera, empty=keep(empty, "empty", tmp_path)))
    said: list[str] = []
    eyes = CalibratedEyes(profile, tmp_path, warn=said.append)
    moved, small = elsewhere(Wrongs(shift_cm=(0.5, 0.0))), np.ascontiguousarray(dice[::2, ::2])
    told = []
    for picture in (dice, moved, moved, dice, small, dice):
        eyes.see(picture)
        told.append(eyes.facts())
    holds, gone, other = (CalibrationTold(fit) for fit in (Fit.HOLDS, Fit.MOVED, Fit.OTHER))
    assert told == [(), (gone,), (), (holds,), (other,), (holds,)]
    assert said == [
        "the camera or the tray moved by 5 mm; put it back, or run companion calibrate camera",
        "the camera and the tray stand as they were calibrated",
        "pictures have 320×240 pixels now; run companion calibrate camera",
        "the camera and the tray stand as they were calibrated",
    ]


def test_where_nothing_tells_whether_the_camera_moved_a_calibration_holds_again_with_the_size_of_pictures(
    tmp_path: Path,
) -> None:
    profile, _empty, _dice = table()
    assert profile.camera is not None
    even = np.full((480, 640, 3), 90, np.uint8)
    profile = replace(profile, camera=replace(profile.camera, empty=keep(grainy(even, 1), "empty", tmp_path)))
    said: list[str] = []
    eyes = CalibratedEyes(profile, tmp_path, warn=said.append)
    told = []
    for picture in (even, np.ascontiguousarray(even[::2, ::2]), even, even):
        eyes.see(grainy(picture, 2))
        told.append(eyes.facts())
    assert told == [(), (CalibrationTold(Fit.OTHER),), (CalibrationTold(Fit.HOLDS),), ()]
    assert said == [
        "pictures have 320×240 pixels now; run companion calibrate camera",
        "pictures are again as large as they were calibrated",
    ]


def test_a_calibrated_table_judges_frames_of_every_kind(tmp_path: Path) -> None:
    profile, empty, dice = table()
    assert profile.camera is not None
    profile = replace(profile, camera=replace(profile.camera, empty=keep(empty, "empty", tmp_path)))
    deep = dice.astype(np.uint16) * 257
    over = np.dstack([dice, np.full(dice.shape[:2], 255, np.uint8)])
    grey = cv2.cvtColor(dice, cv2.COLOR_BGR2GRAY)
    for frame in (dice, deep, over, grey):
        eyes = CalibratedEyes(profile, tmp_path)
        assert len(eyes.see(frame).reading.dice) >= 3
        assert eyes.facts() == ()


def test_the_doctor_tells_a_moved_camera_another_size_and_a_torn_picture(tmp_path: Path) -> None:
    profile, empty, dice = table()
    assert profile.camera is not None
    facts = replace(profile.camera, empty=keep(empty, "empty", tmp_path))
    save(replace(profile, camera=facts), tmp_path)
    camera = Camera(kind="simulated")
    assert calibrated(camera, tmp_path).state is State.OK
    assert moved(camera, tmp_path, dice) == ""
    assert moved(camera, tmp_path, elsewhere(Wrongs(shift_cm=(0.5, 0.0)))) == (
        "it or the tray moved by 5 mm since the table was calibrated"
    )
    assert moved(camera, tmp_path, dice[::2, ::2]) == "pictures had 640×480 pixels when the table was calibrated"
    (tmp_path / facts.empty).write_bytes(b"")
    assert calibrated(camera, tmp_path).state is State.DEGRADED
    assert moved(camera, tmp_path, dice) == ""


# --- what the watch makes of it ---------------------------------------------------------------------------------------


class Told:
    """Eyes that tell what they are told to."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.news: tuple[CalibrationTold, ...] = ()
        self.knows_wild = True

    def see(self, picture: Picture, *, count: int | None = None, afresh: bool = False) -> Sight:
        return self.sight

    def facts(self) -> tuple[CalibrationTold, ...]:
        news, self.news = self.news, ()
        return news


WILD = WildDie("swap", (300.0, 100.0, 30.0, 30.0), 0.99)
PATIENCE = Patience(still_s=0.5, readings=2, ask_after_s=2.0)


def looked(watch: Watch, grey: int, frames: int = 10, *, begins_s: float = 0.0) -> list[object]:
    """What a watch tells of a still grey picture; another grey is a motion before it."""
    picture = np.full((120, 160, 3), grey, np.uint8)
    picture[:60, :60] = 255 - grey
    return [fact for n in range(frames) for fact in watch.look(Frame(picture, begins_s + 0.25 * n))]


def test_number_dice_and_the_wild_die_are_told_each_once() -> None:
    eyes = Told(Sight(reading(2, 3), WILD))
    watch = Watch(eyes, Settler(PATIENCE), wild=Settler(PATIENCE))
    assert looked(watch, 60) == [Settled(reading(2, 3), found=True), WildSettled(WILD, found=True)]
    eyes.sight = Sight(reading(2, 3), replace(WILD, box=(30.0, 90.0, 30.0, 30.0)))
    facts = looked(watch, 200, begins_s=10.0)
    assert [fact for fact in facts if isinstance(fact, Settled)] == []
    assert WildSettled(eyes.sight.wild) in facts  # type: ignore[arg-type]


def test_an_unsure_wild_die_is_told_when_patience_ends_and_again_when_it_was_put_right() -> None:
    leans = replace(WILD, face=None, confidence=0.0, why=Why.COCKED)
    eyes = Told(Sight(reading(), leans))
    watch = Watch(eyes, Settler(PATIENCE), wild=Settler(PATIENCE))
    assert WildSettled(leans, found=True) in looked(watch, 60, 12)
    eyes.sight = Sight(reading(), WILD)
    assert WildSettled(WILD, found=True) in looked(watch, 200, begins_s=10.0)


def test_an_unsure_wild_die_that_was_entered_by_button_is_not_told_again() -> None:
    eyes = Told(Sight(reading(), replace(WILD, face=None, confidence=0.0, why=Why.FAINT)))
    watch = Watch(eyes, Settler(PATIENCE), wild=Settler(PATIENCE))
    looked(watch, 60, 12)
    watch.wild_taken()
    eyes.sight = Sight(reading(), WILD)
    assert not [fact for fact in looked(watch, 200, begins_s=10.0) if isinstance(fact, WildSettled)]


def test_dice_that_lie_elsewhere_since_the_camera_was_moved_are_asked_about() -> None:
    eyes = Told(Sight(reading(2, 3), WILD))
    eyes.news = (CalibrationTold(Fit.MOVED),)
    watch = Watch(eyes, Settler(PATIENCE), wild=Settler(PATIENCE))
    facts = looked(watch, 60)
    assert facts == [
        CalibrationTold(Fit.MOVED),
        Settled(replace(reading(2, 3), sure=False, why=Why.CHANGED), found=True),
        WildSettled(replace(WILD, face=None, confidence=0.0, why=Why.CHANGED), found=True),
    ]
    eyes.sight = Sight(reading(5, 5, shift=200.0))
    assert Settled(reading(5, 5, shift=200.0)) in looked(watch, 200, begins_s=10.0)


def test_where_the_wild_die_cannot_be_looked_for_it_is_not_taken_for_gone() -> None:
    eyes = Told(Sight(reading(), WILD))
    watch = Watch(eyes, Settler(PATIENCE), wild=Settler(PATIENCE))
    assert WildSettled(WILD, found=True) in looked(watch, 60)
    eyes.sight = Sight(reading(), blind=True)
    looked(watch, 200, 12, begins_s=10.0)
    eyes.sight = Sight(reading(), WILD)
    assert not [fact for fact in looked(watch, 60, begins_s=20.0) if isinstance(fact, WildSettled)]


def test_eyes_that_were_taught_nothing_know_no_wild_die() -> None:
    assert not Eyes(None).knows_wild  # type: ignore[arg-type]


def test_a_picture_that_is_looked_at_again_is_not_measured_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile, empty, dice = table()
    assert profile.camera is not None
    profile = replace(profile, camera=replace(profile.camera, empty=keep(empty, "empty", tmp_path)))
    eyes, measured = CalibratedEyes(profile, tmp_path), []
    moved = Place.moved_mm
    monkeypatch.setattr(Place, "moved_mm", lambda place, picture: measured.append(1) or moved(place, picture))
    first, again = eyes.see(dice), eyes.see(dice, afresh=True)
    assert len(measured) == 1
    assert first.reading.values == again.reading.values
