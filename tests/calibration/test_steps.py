"""The steps: what they say, that nothing is kept before it is accepted, and that a drawn table passes them."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import steps
from calibration.profile import FILE, ButtonsFacts, CheckFacts, DiceFacts, Profile, RingFacts, keep, load, save
from calibration.simulated import DrawnHands, Wrongs
from calibration.use import Drift, moved_mm, reader_of, tray_of, width_px
from companion.cli import main
from companion.cli.calibrate import begun
from companion.cli.run import profile_of
from companion.config import Camera, Config, Files
from companion.events import Button, Die, Reading
from companion.locale import ENGLISH
from companion.ports import Picture
from companion.screen import draw
from companion.view import Header, Mood, Prompt, RingView, View

DAY = date(2026, 5, 31)
DICE = DiceFacts(DAY, 16.0, 50.0, (200.0, 200.0, 200.0), (9.0, 9.0, 9.0), 3)
DARK = np.zeros((480, 640, 3), np.uint8)


def title(step: steps.Step) -> str:
    page = step.page(ENGLISH)
    draw(View(Header(), page, step.labels(ENGLISH), RingView(Mood.SETUP)))
    return page.title if isinstance(page, Prompt) else ""


def made(step: steps.Next) -> Profile:
    assert isinstance(step, steps.Done)
    return step.made(Profile(), {name: f"{name}.png" for name in step.pictures})


def going(step: steps.Next) -> steps.Step:
    assert not isinstance(step, steps.Done | steps.Left)
    return step


def camera_step(wrongs: Wrongs | None = None) -> tuple[steps.Step, DrawnHands]:
    hands = DrawnHands(1, wrongs)
    step = steps.CameraStep("simulated", "0", DAY)
    hands.lay(step.wants)
    return step.seen(hands.picture(0.0)), hands


def test_camera_step_keeps_the_tray_after_markers_and_empty_tray_were_accepted() -> None:
    step, hands = camera_step()
    assert title(step) == "Tray found"
    step = going(step.pressed(Button.OK, 0.0))
    assert title(step.seen(hands.picture(0.0))) == "Markers out, please"
    hands.lay(step.wants)
    profile = made(step.seen(hands.picture(0.0)).pressed(Button.OK, 0.0))
    assert profile.camera is not None
    assert profile.camera.tray_mm == pytest.approx((180, 130), abs=1)
    assert profile.camera.size == (640, 480)
    tray = tray_of(profile)
    assert tray is not None
    assert np.allclose(tray.mm(tray.corners)[2], profile.camera.tray_mm, atol=0.1)
    assert width_px(profile) == pytest.approx(16 / profile.camera.mm_per_px)


@pytest.mark.parametrize(
    ("wrongs", "said"),
    [
        (Wrongs(hidden=(2,)), "Marker 2 is hidden"),
        (Wrongs(light=0.05), "Too dark"),
        (Wrongs(tilt_deg=42), "The camera is tilted"),
        (Wrongs(blur_px=3.0), "Blurred"),
    ],
)
def test_camera_step_says_what_is_wrong_and_accepts_nothing(wrongs: Wrongs, said: str) -> None:
    step, _hands = camera_step(wrongs)
    assert title(step) == said
    assert step.pressed(Button.OK, 0.0) is step
    assert step.labels(ENGLISH) == ("Back", "", "", "")
    assert isinstance(step.pressed(Button.BACK, 0.0), steps.Left)


def die(value: int, x: float, side: float = 50.0) -> Die:
    return Die(value, (x, 200.0, side, side), 0.99, ((x + side / 2, 225.0),))


def test_dice_step_refuses_dice_that_contradict_each_other() -> None:
    readings = [Reading((die(1, 100.0),), True), Reading((die(1, 100.0, side=80.0),), True)]
    step = steps.DiceStep(lambda _picture: readings.pop(0), DAY, 0.3).seen(DARK)
    step = going(step.pressed(Button.OK, 0.0))
    step = going(step.pressed(Button.OK, 0.0))
    assert title(step) == "These dice differ"
    assert isinstance(step, steps.DiceStep)
    assert len(step.throws) == 1


def test_dice_step_keeps_size_and_colours() -> None:
    step: steps.Next = steps.DiceStep(lambda _picture: Reading((die(1, 100.0),), True), DAY, 0.3).seen(DARK + 9)
    for _throw in range(steps.DICE_THROWS):
        step = going(step).pressed(Button.OK, 0.0)
    dice = made(step).dice
    assert dice is not None
    assert (dice.edge_mm, dice.width_px, dice.body, dice.throws) == (15.0, 50.0, (9, 9, 9), 3)


def test_ring_step_walks_a_light() -> None:
    step: steps.Step = steps.RingStep(DAY, leds=12)
    assert step.lights.index(steps.LIT) == 11
    step = going(going(step.pressed(Button.LESS, 0.0)).pressed(Button.OK, 0.0))
    assert (len(step.lights), step.lights.index(steps.LIT)) == (11, 0)
    step = going(going(step.pressed(Button.LESS, 0.0)).pressed(Button.OK, 0.0))
    assert step.lights[10] == steps.LIT
    assert step.lights[0] > step.lights[1]
    step = going(step.pressed(Button.MORE, 0.0))
    assert step.lights[9] > step.lights[8]
    assert made(step.pressed(Button.OK, 0.0)).ring == RingFacts(DAY, 11, 10, False)


def test_buttons_step_counts_what_bounces_and_waits_for_the_right_one() -> None:
    step: steps.Next = steps.ButtonsStep(DAY)
    step = going(step.pressed(Button.OK, 0.0))  # type: ignore[union-attr]
    assert step.page(ENGLISH) == Prompt("Press the 1st button", ("That was another one",))
    for button, now_s in (
        (Button.BACK, 1.0),
        (Button.BACK, 1.02),
        (Button.LESS, 2.0),
        (Button.MORE, 3.0),
        (Button.OK, 4.0),
    ):
        step = going(step).pressed(button, now_s)
    assert made(step).buttons == ButtonsFacts(DAY, 6, 1, 20.0)


def test_check_step_counts_exact_unsure_and_wrong() -> None:
    def read(_picture: Picture) -> Reading:
        return Reading((die(1, 0.0),), sure=len(told) != 1)

    told = [Button.OK, Button.OK, Button.MORE]
    step: steps.Next = steps.CheckStep(read, DAY, throws=3).seen(DARK)
    while told:
        step = going(going(step).pressed(Button.OK, 0.0)).pressed(told.pop(), 0.0)
    assert made(step).check == CheckFacts(DAY, 3, 1, 1, 1, None)


def test_a_drawn_table_is_calibrated_without_hands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("camera", "ring", "buttons"):
        assert main(["calibrate", name, "--simulated", "--auto", "--folder", str(tmp_path)]) == 0
    profile = load(tmp_path)
    assert profile.camera is not None
    assert profile.ring == RingFacts(date.today(), 60, 0, True)
    assert profile.dice is None
    assert "Tray found – 180 × 130 mm" in capsys.readouterr().out


def test_a_step_that_needs_the_tray_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "wild", "--simulated", "--auto", "--folder", str(tmp_path)]) == 1
    assert "run companion calibrate camera first" in capsys.readouterr().err
    assert not (tmp_path / FILE).exists()


def test_a_broken_profile_is_named_and_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / FILE).write_text("version = 7\n")
    assert main(["calibrate", "camera", "--simulated", "--auto", "--folder", str(tmp_path)]) == 1
    assert f"{tmp_path / FILE}: version: 1 was expected" in capsys.readouterr().err
    assert (tmp_path / FILE).read_text() == "version = 7\n"


def test_sheet_and_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "sheet", "--paper", "letter", "--out", str(tmp_path / "m.pdf")]) == 0
    assert (tmp_path / "m.pdf").read_bytes().startswith(b"%PDF-1.4")
    assert main(["calibrate", "show", "--folder", str(tmp_path)]) == 0
    assert "nothing is calibrated yet" in capsys.readouterr().out
    save(Profile(ring=RingFacts(DAY, 60, 0, True)), tmp_path)
    assert main(["calibrate", "show", "--folder", str(tmp_path)]) == 0
    assert "leds = 60" in capsys.readouterr().out


@pytest.mark.parametrize(("shift_cm", "moved"), [((0.0, 0.0), False), ((0.8, 0.0), True), ((0.0, -0.7), True)])
def test_a_moved_camera_is_noticed_with_dice_in_the_tray(shift_cm: tuple[float, float], moved: bool) -> None:
    step, hands = camera_step()
    step = going(step.pressed(Button.OK, 0.0))
    hands.lay(step.wants)
    empty = hands.picture(0.0)
    profile = made(step.seen(empty).pressed(Button.OK, 0.0))
    later = DrawnHands(1, replace(Wrongs(), shift_cm=shift_cm))
    later.lay(steps.Wants(dice=3))
    off = moved_mm(profile, empty, later.picture(0.0))
    assert off is not None
    assert (off > 3.0) is moved
    if moved:
        assert off == pytest.approx(10 * max(map(abs, shift_cm)), rel=0.25)


def test_the_wild_die_is_read_in_pictures_beside_number_dice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    step, hands = camera_step()
    step = going(step.pressed(Button.OK, 0.0))
    hands.lay(step.wants)
    profile = kept(going(step).seen(hands.picture(0.0)).pressed(Button.OK, 0.0), Profile(), tmp_path)
    step = begun("wild", profile, Config(), tmp_path, simulated=True)
    ended: steps.Next = replace(step, wanted=("lowest", "highest", "swap") * 2)  # type: ignore[type-var]
    while not isinstance(ended, steps.Done):
        hands.lay(going(ended).wants)
        ended = going(ended).seen(hands.picture(0.0)).pressed(Button.OK, 0.0)
    profile = kept(ended, profile, tmp_path)
    hands.lay(steps.Wants(face="swap", throw=99))
    cv2.imwrite(str(tmp_path / "throw.png"), hands.picture(0.0))
    capsys.readouterr()
    assert main(["read", "--json", "--wild", str(tmp_path), str(tmp_path / "throw.png")]) == 0
    row = json.loads(capsys.readouterr().out)
    assert row["wild"]["face"] == "swap"
    assert row["wild"]["confidence"] > 0.5
    assert row["dice"] == []


def kept(done: steps.Next, profile: Profile, folder: Path) -> Profile:
    assert isinstance(done, steps.Done)
    names = {name: keep(picture, name, folder) for name, picture in done.pictures.items()}
    profile = done.made(profile, names)
    save(profile, folder)
    assert load(folder) == profile
    return profile


def test_a_profile_without_a_wild_die_cannot_read_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "--wild", str(tmp_path), "x.png"]) == 2
    assert "run companion calibrate wild" in capsys.readouterr().err


def test_play_uses_the_calibration_of_this_camera_only(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    step, hands = camera_step()
    step = going(step.pressed(Button.OK, 0.0))
    hands.lay(step.wants)
    kept(step.seen(hands.picture(0.0)).pressed(Button.OK, 0.0), Profile(dice=DICE), tmp_path)
    files = Files(calibration=tmp_path)
    assert reader_of(profile_of(Config(camera=Camera(kind="simulated"), files=files))).scale_px == 50.0
    assert reader_of(profile_of(Config(camera=Camera(kind="simulated", size=(320, 240)), files=files))).scale_px is None
    assert "calibrated for pictures of 640×480 pixels, and now they have 320×240" in caplog.text
    (tmp_path / FILE).write_text("version = 9\n")
    assert reader_of(profile_of(Config(camera=Camera(kind="simulated"), files=files))).scale_px is None
    assert "version: 1 was expected" in caplog.text


def test_a_moved_camera_is_said_once(tmp_path: Path) -> None:
    step, hands = camera_step()
    step = going(step.pressed(Button.OK, 0.0))
    hands.lay(step.wants)
    profile = kept(step.seen(hands.picture(0.0)).pressed(Button.OK, 0.0), Profile(), tmp_path)
    said: list[str] = []
    drift = Drift(profile, tmp_path, said.append)
    moved = DrawnHands(1, Wrongs(shift_cm=(0.8, 0.0)))
    for camera in (hands, moved, moved, hands):
        drift.seen(camera.picture(0.0), Reading((), True))
    assert said == ["the camera or the tray moved by 8 mm; put it back, or run companion calibrate camera"]
