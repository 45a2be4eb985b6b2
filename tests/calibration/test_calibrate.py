"""The command `companion calibrate`, and what play makes of what it kept."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from leading import DAY, camera_step, kept, measured_camera, ok, seen, title
from standins import FakeClock

from calibration import steps
from calibration.facts import ButtonsFacts, DiceFacts, Profile, RingFacts
from calibration.guide import Guide
from calibration.profile import FILE, load, save
from calibration.simulated import DrawnHands
from calibration.tray import Found, find_markers
from calibration.use import in_place, locks_of, reader_of
from companion.cli import main
from companion.cli.calibrate_steps import begun
from companion.cli.calibrate_table import Ailments
from companion.cli.run import calibration_of
from companion.compose import layout_of
from companion.config import Buttons, Camera, Config, Files, Ring, calibration_folder
from companion.doctor.calibrated import calibrated
from companion.doctor.finding import State
from companion.events import Button, CalibrationTold, Fit, Press
from companion.lights import colours
from companion.ports import Colour, DeviceLost, Frame, Locks
from companion.screen import draw
from companion.serve import Rig
from companion.view import Mood, RingView, View
from companion.vision.colours import Kind
from companion.vision.overlay import BAR_PX, SURE
from hardware.camera_simulated import SimulatedCamera

DICE = DiceFacts(DAY, 16.0, 48.0, 60.0, 3, 3, (Kind((200.0, 200.0, 200.0), (9.0, 9.0, 9.0)),))
RING = RingFacts(DAY, 40, 4, False, (4, 34, 24, 14, 9, 3, 2, 1), tuple(range(20)))


def calibrate(folder: Path, *words: str) -> int:
    return main(["calibrate", *words, "--simulated", "--auto", "--folder", str(folder)])


def test_a_drawn_table_is_calibrated_without_hands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("camera", "dice", "ring", "buttons"):
        assert calibrate(tmp_path, name) == 0
    profile = load(tmp_path)
    assert profile.camera is not None
    assert profile.ring is not None
    assert (profile.ring.leds, profile.ring.seats) == (60, (0, 8, 16, 24, 32, 40, 48, 56))
    assert profile.ring.spaces == tuple(range(0, 60, 3))
    assert profile.dice is not None
    assert profile.dice.edge_mm == pytest.approx(16, rel=0.1)
    told = capsys.readouterr().out
    assert "Tray found – 180 × 130 mm" in told
    assert f"ring: kept in {tmp_path / FILE}" in told


def test_a_drawn_table_is_calibrated_by_corners_read_off_a_grid(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grid = tmp_path / "tray.png"
    assert calibrate(tmp_path, "camera", "--grid", str(grid)) == 0
    assert cv2.imread(str(grid)).shape == (480, 640, 3)
    assert not (tmp_path / FILE).exists()
    corners = [f"{x:.0f},{y:.0f}" for x, y in DrawnHands(0).setup.corners]
    assert calibrate(tmp_path, "camera", "--corners", *corners, "--tray", "180x130") == 0
    camera = load(tmp_path).camera
    assert camera is not None
    assert (camera.markers, camera.tray_mm) == ("by hand", (180.0, 130.0))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("blurred", "Blurred – Focus the lens, wipe it"),
        ("dark", "Too dark – More light, please"),
        ("far", "The camera is too far away – Bring it nearer"),
        ("glare", "Glare in the middle – Move the lamp a little"),
        ("grainy", "The picture is grainy – More light, please"),
        ("hidden", "Marker 2 is hidden – Uncover it"),
        ("tilted", "The camera is tilted – Let it look straight down"),
        ("uneven", "Dark at marker"),
    ],
)
def test_a_drawn_table_with_something_wrong_is_refused_with_the_reason_and_keeps_nothing(
    wrong: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calibration.guide.SHORT_PATIENCE", 2)
    assert calibrate(tmp_path, "camera", "--wrong", wrong) == 1
    assert f"the drawn table does not pass: {said}" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("wrong", "said"),
    [("dark", "Too dark – More light, please"), ("far", "Too small for dice – Roll number dice, then OK")],
)
def test_drawn_dice_with_something_wrong_are_given_up_with_the_reason_and_not_kept(
    wrong: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert calibrate(tmp_path, "camera") == 0
    assert calibrate(tmp_path, "dice", "--wrong", wrong) == 1
    assert f"the drawn table does not pass: {said}" in capsys.readouterr().err
    assert load(tmp_path).dice is None


def test_a_drawn_table_that_does_not_pass_is_given_up_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pictures: list[float] = []
    take = SimulatedCamera.frame

    def taken(camera: SimulatedCamera, timeout_s: float) -> Frame | None:
        pictures.append(timeout_s)
        return take(camera, timeout_s)

    monkeypatch.setattr(SimulatedCamera, "frame", taken)
    assert calibrate(tmp_path, "camera", "--wrong", "dark") == 1
    assert len(pictures) < 20  # a grainy one takes 0.3 s


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("camera", "--tray", "180x130"), "--corners and --tray go together"),
        (("camera", "--corners", "1,1", "9,1", "1,9", "9,9", "--tray", "180x130"), "clockwise, from the far left one"),
        (
            ("camera", "--corners", "74,66", "565,66", "9999,425", "56,42", "--tray", "180x130"),
            "the near right corner 9999,425 lies outside the picture (640×480)",
        ),
        (
            ("camera", "--corners", "-5,66", "565,66", "583,425", "56,-42.5", "--tray", "180x130"),
            "the far left corner -5,66 lies outside the picture (640×480)",
        ),
        (("dice", "--grid", "x.png"), "--grid belongs to companion calibrate camera"),
        (("--tray", "180x130"), "--tray belongs to companion calibrate camera"),
        (("show", "--paper", "letter", "--out", "z.pdf"), "--paper belongs to companion calibrate sheet"),
        (("sheet", "--config", "some.toml"), "companion calibrate sheet takes no --config"),
        (("show",), "companion calibrate show takes no --auto"),
        (("ring", "--wrong", "dark"), "companion calibrate ring takes no --wrong"),
        (("buttons", "--wrong", "dark"), "companion calibrate buttons takes no --wrong"),
        (("wild", "--wrong", "dark"), "companion calibrate wild takes no --wrong"),
        (("check", "--wrong", "dark"), "companion calibrate check takes no --wrong"),
        (("dice", "--wrong", "hidden"), "dice takes no --wrong hidden, but dark or far; camera takes all"),
    ],
)
def test_options_that_make_no_sense_are_explained(
    words: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert calibrate(tmp_path, *words) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ("--corners", "1;1", "2,2", "3,3", "4,4"),
        ("--corners", "-1,x", "2,2", "3,3", "4,4"),
        ("--tray", "18"),
        ("--tray", "0x9"),
    ],
)
def test_corners_and_sizes_that_are_none_are_refused(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        calibrate(tmp_path, "camera", *words)
    assert "such as" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("corners", "tray", "said"),
    [
        (
            (0, 1, 2, (56, 4250)),
            "180x130",
            "the near left corner 56,4250 lies outside the picture (640×480): "
            "look whether it was read off right, or move the camera higher",
        ),
        ((0, 1, 2, 3), "130x180", "1.4 times as wide as deep, and by the size 0.7 times: the far left corner comes"),
        ((3, 0, 1, 2), "180x130", "0.7 times as wide as deep, and by the size 1.4 times: the far left corner comes"),
    ],
    ids=["outside", "swapped", "from the near left"],
)
def test_corners_that_cannot_be_are_refused_and_shown_on_a_grid_all_the_same(
    corners: tuple[int | tuple[int, int], ...],
    tray: str,
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    real = [(round(x), round(y)) for x, y in DrawnHands(0).setup.corners]
    given = [real[corner] if isinstance(corner, int) else corner for corner in corners]
    words = ("camera", "--corners", *(f"{x},{y}" for x, y in given), "--tray", tray)
    assert calibrate(tmp_path / "kept", *words) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "kept").exists()
    assert calibrate(tmp_path / "kept", *words, "--grid", str(tmp_path / "tray.png")) == 2
    assert said in capsys.readouterr().err
    assert (tmp_path / "tray.png").exists()


@pytest.mark.parametrize("words", [("--auto",), ("--wrong", "dark"), ("--seed", "4"), ("--seed", "0")])
def test_at_a_real_table_nothing_is_drawn_and_people_press(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", *words, "--folder", str(tmp_path)]) == 2
    assert f"companion calibrate: {words[0]} needs --simulated; " in capsys.readouterr().err


def test_a_step_that_needs_the_tray_says_how_it_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert calibrate(tmp_path, "wild", "--seed", "4") == 1
    first = f"first run companion calibrate camera --simulated --folder {tmp_path} --seed 4\n"
    assert capsys.readouterr().err.endswith(first)
    assert not (tmp_path / FILE).exists()


@pytest.mark.parametrize("name", ["dice", "wild", "check"])
@pytest.mark.parametrize(
    ("camera", "size", "said"),
    [
        (Camera(kind="usb"), None, "calibrated for camera simulated 0, and now it is usb 0"),
        (Camera(kind="simulated", device="1"), None, "calibrated for camera simulated 0, and now it is simulated 1"),
        (
            Camera(kind="simulated"),
            (320, 240),
            "pictures have 320×240 pixels now, and had 640×480 in the calibration",
        ),
    ],
)
def test_a_step_on_another_cameras_tray_says_how_that_is_measured(
    name: str, camera: Camera, size: tuple[int, int] | None, said: str, tmp_path: Path
) -> None:
    review, _hands = measured_camera()
    profile = kept(review, Profile(), tmp_path)
    with pytest.raises(ValueError, match=f"^{said}: first run companion calibrate camera$"):
        begun(name, profile, Config(camera=camera), tmp_path, size=size)
    assert isinstance(begun("buttons", profile, Config(camera=camera), tmp_path, size=size), steps.ButtonsStep)


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (
            "camera",
            "the configuration has no camera; without one only companion calibrate ring or "
            "companion calibrate buttons can be called",
        ),
        ("ring", "the configuration has no ring; ring.kind says what it is"),
    ],
)
def test_what_is_not_configured_is_not_measured(
    step: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "companion.toml"
    config.write_text('preset = "laptop"\ncamera.kind = "none"\nring.kind = "none"\n')
    assert main(["calibrate", step, "--config", str(config), "--folder", str(tmp_path)]) == 1
    assert capsys.readouterr().err.endswith(f"companion calibrate: {said}\n")


@pytest.mark.parametrize(("dice", "asks"), [(None, "Roll 3 dice"), (1, "Roll 1 die"), (5, "Roll 3 dice")])
def test_the_check_is_of_the_tables_dice_up_to_three(dice: int | None, asks: str, tmp_path: Path) -> None:
    review, hands = measured_camera()
    profile = kept(review, Profile(dice=None if dice is None else replace(DICE, dice=dice)), tmp_path)
    step = begun("check", profile, Config(camera=Camera(kind="simulated")), tmp_path)
    assert isinstance(step, steps.CheckStep)
    assert title(step) == asks
    hands.lay(steps.Wants(dice=2))
    reading = step.read(hands.picture(0.0))
    assert (len(reading.dice), reading.sure) == (2, False)


def test_a_drawn_table_is_checked_without_hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def short(*given: Any, **named: Any) -> steps.Step:
        step = begun(*given, **named)
        return replace(step, throws=2) if isinstance(step, steps.CheckStep) else step

    monkeypatch.setattr("companion.cli.calibrate.begun", short)
    assert calibrate(tmp_path, "camera") == 0
    assert calibrate(tmp_path, "check") == 0
    check = load(tmp_path).check
    assert check is not None
    assert (check.throws, check.exact, check.wrong) == (2, 2, 0)


def test_a_stream_is_measured_under_its_address(tmp_path: Path) -> None:
    camera = Camera(kind="video", url="http://us:secret@10.0.0.5/cam")
    step = begun("camera", Profile(), Config(camera=camera), tmp_path)
    assert isinstance(step, steps.CameraStep)
    assert (step.camera.kind, step.camera.device) == ("video", "http://10.0.0.5/cam")


def test_a_step_looks_how_large_the_cameras_pictures_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert calibrate(tmp_path, "camera") == 0
    picture = DrawnHands.picture
    monkeypatch.setattr(DrawnHands, "picture", lambda self, now_s: np.ascontiguousarray(picture(self, now_s)[::2, ::2]))
    assert calibrate(tmp_path, "dice") == 1
    said = "pixels now, and had 640×480 in the calibration: first run companion calibrate camera --simulated --folder"
    assert said in capsys.readouterr().err


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """The drawn table's camera takes a second for each picture, as one does that was just opened."""
    take = SimulatedCamera.frame
    monkeypatch.setattr(
        SimulatedCamera, "frame", lambda camera, timeout_s: take(camera, timeout_s) if timeout_s >= 1 else None
    )


@pytest.mark.usefixtures("slow")
def test_corners_and_a_size_that_contradict_each_other_are_refused_however_late_the_first_picture_comes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corners = [f"{x:.0f},{y:.0f}" for x, y in DrawnHands(0).setup.corners]
    assert calibrate(tmp_path, "camera", "--corners", *corners, "--tray", "130x180") == 2
    assert "and the width before the depth" in capsys.readouterr().err


def test_a_ring_that_does_not_answer_is_left_as_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = DeviceLost("ring", "the ring does not answer", "check its cable")
    whole = Guide.through

    def through(self: Guide, step: steps.Step, name: str, *, reading: tuple[Colour, ...]) -> steps.Done | None:
        if isinstance(step, steps.RingStep):
            raise gone
        return whole(self, step, name, reading=reading)

    monkeypatch.setattr(Guide, "through", through)
    monkeypatch.setattr("companion.cli.calibrate.STEPS", ("camera", "ring", "buttons"))
    assert calibrate(tmp_path) == 1
    assert capsys.readouterr().out.splitlines()[-3:] == [
        f"camera: kept in {tmp_path / FILE}",
        "ring: left as it was, since the ring does not answer; check its cable",
        f"buttons: kept in {tmp_path / FILE}",
    ]
    assert calibrate(tmp_path, "ring") == 1
    assert capsys.readouterr().err == "companion calibrate: the ring does not answer; check its cable\n"
    assert load(tmp_path).ring is None


@pytest.mark.parametrize("camera", ['kind = "none"', 'kind = "usb"\ndevice = "/dev/there-is-none"'])
def test_ring_and_buttons_are_measured_without_a_camera(
    camera: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "companion.toml"
    config.write_text(f'ring.kind = "terminal"\n[camera]\n{camera}\n')
    patient = Dying((*Button, Button.OK), PULLED)
    monkeypatch.setattr("companion.cli.calibrate_table.rig_of", lambda _config, clock: Rig(buttons=(lambda: patient,)))
    words = ("--config", str(config), "--folder", str(tmp_path))
    assert main(["calibrate", "buttons", *words]) == 0
    assert f"buttons: kept in {tmp_path / FILE}" in capsys.readouterr().out
    assert load(tmp_path).buttons is not None
    assert main(["calibrate", "ring", *words]) == 2, "the first press turns back"
    assert capsys.readouterr().out.endswith("ring: left as it was\n")
    assert main(["calibrate", "camera", *words]) == 1
    without = "without one only companion calibrate ring or companion calibrate buttons can be called"
    assert (without if "none" in camera.partition("\n")[0] else "there is no camera") in capsys.readouterr().err


class Dying:
    """Buttons that hear these presses, and then fail."""

    def __init__(self, presses: Sequence[Button], error: Exception) -> None:
        self._presses, self._error = presses, error

    def listen(
        self, pressed: Callable[[Press], None], _ailing: Callable[[str], None], failed: Callable[[Exception], None]
    ) -> None:
        for button in self._presses:
            pressed(Press(button))
        failed(self._error)

    def feel(self, edge: Callable[[Button, float], None]) -> None: ...

    def down(self) -> tuple[Button, ...]:
        return ()

    def looking_since_s(self) -> float | None:
        return None

    def close(self) -> None: ...


PULLED = DeviceLost("buttons", "the buttons are gone", "check their wires")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (PULLED, "the buttons are gone; check their wires"),
        (RuntimeError("pin busy"), "the buttons failed: pin busy; begin again"),
        (RuntimeError(), "the buttons failed: RuntimeError; begin again"),
    ],
)
def test_buttons_that_hear_no_more_end_it_with_what_was_kept_before(
    error: Exception, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    dying = Dying((*Button, Button.OK), error)
    monkeypatch.setattr("companion.cli.calibrate_table.rig_of", lambda _config, clock: Rig(buttons=(lambda: dying,)))
    monkeypatch.setattr("companion.cli.calibrate.STEPS", ("buttons", "camera"))
    assert main(["calibrate", "--simulated", "--folder", str(tmp_path)]) == 1
    told = capsys.readouterr()
    assert told.out.splitlines()[-1] == f"buttons: kept in {tmp_path / FILE}"
    assert told.err == f"companion calibrate: {said}\n"
    assert load(tmp_path).buttons is not None


def test_what_is_wrong_with_one_device_of_several_holds_until_that_is_well_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ailments = Ailments()
    for number, text, ails in (
        (0, "OK is stuck", True),
        (1, "", True),
        (1, "BACK is stuck", True),
        (0, "", True),
        (1, "", False),
    ):
        ailments.tell(number, text)
        assert ailments.any() is ails
    assert capsys.readouterr().err == "OK is stuck\nBACK is stuck\n"


@dataclass
class Strip:
    """A ring that takes any number of colours."""

    shown: list[Sequence[Colour]] = field(default_factory=list)
    closed: bool = False

    def show(self, colours: Sequence[Colour]) -> None:
        self.shown.append(colours)

    def close(self) -> None:
        self.closed = True


def test_the_ring_lights_the_tray_as_in_play_and_is_given_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    strip, fingers = Strip(), Dying((*Button, Button.OK), PULLED)
    rig = Rig(ring=lambda: strip, buttons=(lambda: fingers,))
    monkeypatch.setattr("companion.cli.calibrate_table.rig_of", lambda _config, clock: rig)
    assert main(["calibrate", "buttons", "--simulated", "--folder", str(tmp_path)]) == 0
    reading = colours(RingView(Mood.READING), layout_of(Config().ring), 0)
    assert set(strip.shown) == {reading}
    assert strip.closed


class Stuck(Dying):
    """Buttons of which one is stuck before these are pressed."""

    def listen(
        self, pressed: Callable[[Press], None], ailing: Callable[[str], None], failed: Callable[[Exception], None]
    ) -> None:
        ailing("LESS has been down for too long")
        for button in self._presses:
            pressed(Press(button))


def test_a_stuck_button_is_shown_on_the_screen_while_others_are_pressed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    screens: list[View] = []
    monkeypatch.setattr("calibration.guide.draw", lambda view: screens.append(view) or draw(view))
    stuck = Stuck((*Button, Button.OK), PULLED)
    monkeypatch.setattr("companion.cli.calibrate_table.rig_of", lambda _config, clock: Rig(buttons=(lambda: stuck,)))
    assert main(["calibrate", "buttons", "--simulated", "--folder", str(tmp_path)]) == 0
    assert {(view.header.name, view.lost) for view in screens} == {("Button trouble", ("buttons",))}
    assert capsys.readouterr().err == "LESS has been down for too long\n"


class Fingers(Dying):
    """Buttons that are pressed one so many seconds after the other."""

    def __init__(self, clock: FakeClock, apart_s: float) -> None:
        super().__init__((*Button, Button.OK), PULLED)
        self._clock, self._apart_s = clock, apart_s

    def listen(
        self, pressed: Callable[[Press], None], _ailing: Callable[[str], None], failed: Callable[[Exception], None]
    ) -> None:
        for button in self._presses:
            self._clock.sleep(self._apart_s)
            pressed(Press(button))
        failed(self._error)


@pytest.mark.parametrize(("apart_s", "status"), [(0.2, 1), (0.6, 0)])
def test_what_was_measured_is_not_kept_by_the_second_press_of_a_double_one(
    apart_s: float, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = FakeClock()
    monkeypatch.setattr("companion.cli.calibrate.SystemClock", lambda: clock)
    fingers = Fingers(clock, apart_s)
    monkeypatch.setattr("companion.cli.calibrate_table.rig_of", lambda _config, clock: Rig(buttons=(lambda: fingers,)))
    assert main(["calibrate", "buttons", "--simulated", "--folder", str(tmp_path)]) == status
    assert (load(tmp_path).buttons is not None) is (status == 0)


def drawn_beside(folder: Path) -> tuple[Path, list[str]]:
    """Where the drawn table of a configuration in `folder` is kept, and what names that configuration."""
    config = folder / "companion.toml"
    config.write_text('preset = "laptop"\nfiles.calibration = "calibration"\n')
    return folder / "calibration" / "simulated", ["--simulated", "--auto", "--config", str(config)]


def test_a_broken_profile_is_put_aside_once_the_camera_is_measured_anew(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn, words = drawn_beside(tmp_path)
    for n, broken in enumerate(("version = 7\n", "version = 2\n[camera", "[mine]\n"), 1):
        drawn.mkdir(parents=True, exist_ok=True)
        (drawn / FILE).write_text(broken)
        assert main(["calibrate", "camera", *words]) == 0
        told = capsys.readouterr()
        assert told.err.startswith(f"{drawn / FILE}: ")
        assert told.err.endswith("; it is put aside once the camera is measured anew\n")
        assert f"what was broken is kept as {drawn / f'profile-broken-{n}.toml'}\n" in told.out
        assert (drawn / f"profile-broken-{n}.toml").read_text() == broken
        assert load(drawn).camera is not None


def test_a_broken_profile_stays_where_the_camera_was_not_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn, words = drawn_beside(tmp_path)
    drawn.mkdir(parents=True)
    (drawn / FILE).write_text("version = 7\n")
    assert main(["calibrate", "dice", *words]) == 1
    assert capsys.readouterr().err == (
        f"companion calibrate: {drawn / FILE}: version: it was written by a newer companion; this one reads 1 to 2; "
        f"first run companion calibrate camera --simulated --config {tmp_path}/companion.toml, which puts it aside\n"
    )

    def interrupted(self: steps.CameraStep, picture: object, now_s: float) -> steps.Step:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(steps.CameraStep, "seen", interrupted)
        assert main(["calibrate", *words]) == 130
    monkeypatch.setattr("os.fsync", full_disk)
    assert main(["calibrate", "camera", *words]) == 1
    assert [(file.name, file.read_text()) for file in drawn.iterdir()] == [(FILE, "version = 7\n")]


def full_disk(_fd: int) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_pictures_of_a_profile_that_was_put_aside_stay(tmp_path: Path) -> None:
    drawn, words = drawn_beside(tmp_path)
    assert main(["calibrate", "camera", *words]) == 0
    before = load(drawn).camera
    assert before is not None
    (drawn / FILE).write_text((drawn / FILE).read_text().replace("version = 2", "version = 7"))
    assert main(["calibrate", "camera", *words, "--seed", "3"]) == 0
    assert (drawn / before.empty).exists()


def test_a_drawn_table_puts_no_broken_profile_of_a_named_folder_aside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / FILE).write_text("version = 7\n")
    assert calibrate(tmp_path, "camera") == 1
    told = capsys.readouterr().err
    assert f"{tmp_path / FILE}: version: it was written by a newer companion" in told
    assert "it may be a real table's, which is put aside only without --simulated" in told
    assert told.endswith("; name another --folder, or none\n")
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [(FILE, "version = 7\n")]


@pytest.mark.parametrize(
    ("whole", "broken"),
    [("version = 2", "version = 9"), ("tilt_deg", "tilt"), ("[dice]", "[dice")],
    ids=["newer", "another key", "torn"],
)
def test_a_broken_profile_that_says_it_is_a_drawn_tables_is_put_aside_in_a_named_folder_too(
    whole: str, broken: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    review, _hands = measured_camera()
    kept(review, Profile(dice=DICE), tmp_path)
    before = (tmp_path / FILE).read_text().replace(whole, broken)
    (tmp_path / FILE).write_text(before)
    assert calibrate(tmp_path, "dice") == 1
    first = f"first run companion calibrate camera --simulated --folder {tmp_path}, which puts it aside\n"
    assert capsys.readouterr().err.endswith(first)
    assert calibrate(tmp_path, "camera") == 0
    assert (tmp_path / "profile-broken-1.toml").read_text() == before
    assert load(tmp_path).camera is not None


def test_a_full_disk_leaves_the_profile_and_its_pictures_as_they_were(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert calibrate(tmp_path, "camera") == 0
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    real, written = os.fsync, []

    def full_disk(fd: int) -> None:
        """Room for a picture or two, and then none."""
        written.append(fd)
        if len(written) > 6:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(fd)

    monkeypatch.setattr("os.fsync", full_disk)
    assert calibrate(tmp_path, "wild") == 1
    assert "cannot be written: No space left on device; make room there" in capsys.readouterr().err
    monkeypatch.undo()
    assert {name: (tmp_path / name).read_bytes() for name in before} == before
    assert load(tmp_path).wild is None


@pytest.mark.parametrize(
    ("fault", "remedy"),
    [
        (errno.EROFS, "make it writable, or "),
        (errno.EACCES, "make it writable, or "),
        (errno.ENOSPC, "make room there, or "),
        (errno.ENOTDIR, ""),
    ],
)
def test_a_folder_that_cannot_be_written_is_told_before_anything_is_measured(
    fault: int, remedy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def shut(**_named: object) -> None:
        raise OSError(fault, os.strerror(fault))

    monkeypatch.setattr("tempfile.TemporaryFile", shut)
    assert calibrate(tmp_path / "new" / "folder", "camera") == 1
    folder, after = tmp_path / "new" / "folder", f"{remedy}name another --folder"
    assert capsys.readouterr() == (
        "",
        f"companion calibrate: {folder} cannot be written: {os.strerror(fault)}; {after}. "
        "What was kept before is as it was\n",
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("folder", ["/dev/null", "/dev/null/table"])
def test_a_folder_that_cannot_be_made_is_told_before_anything_is_measured(
    folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert calibrate(Path(folder), "buttons") == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"companion calibrate: {folder} cannot be written: ")


def test_a_folder_that_was_tried_and_did_not_exist_is_not_there_before_something_is_kept(tmp_path: Path) -> None:
    assert calibrate(tmp_path / "new" / "folder", "dice") == 1
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_changes_nothing_and_says_what_was_kept_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(self: steps.DiceStep, picture: object, now_s: float) -> steps.Step:
        raise KeyboardInterrupt

    monkeypatch.setattr(steps.DiceStep, "seen", interrupted)
    assert calibrate(tmp_path, "all") == 130
    assert f"camera: kept in {tmp_path / FILE}" in capsys.readouterr().out
    assert load(tmp_path).dice is None


def test_pictures_that_nothing_names_any_more_go_and_others_stay(tmp_path: Path) -> None:
    (tmp_path / "holiday.png").write_bytes(b"ours")
    for seed in ("1", "2"):
        assert calibrate(tmp_path, "camera", "--seed", seed) == 0
    camera = load(tmp_path).camera
    assert camera is not None
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(["holiday.png", FILE, camera.empty])


def test_what_was_half_written_when_the_power_went_goes_and_other_files_stay(tmp_path: Path) -> None:
    half = (f"{FILE}.part", "empty-0123456789.png.part", "wild-swap-3-0123456789.png.part")
    ours = (".nomedia", f".{FILE}.swp", "empty.png.part")
    for name in half + ours:
        (tmp_path / name).write_bytes(b"torn")
    assert calibrate(tmp_path, "buttons") == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted((FILE, *ours))


@pytest.mark.parametrize("step", ["show", "camera", "dice"])
def test_a_profile_that_this_user_may_not_read_is_not_put_aside(
    step: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def shut(_file: Path, _expected: str) -> bytes:
        raise PermissionError(errno.EACCES, "Permission denied")

    (tmp_path / FILE).write_text("version = 2\n")
    monkeypatch.setattr("calibration.profile.content_of", shut)
    monkeypatch.setattr("calibration.profile.way_in", lambda file: f"ask the owner of {file}")
    assert main(["calibrate", step, "--folder", str(tmp_path)]) == 1
    cause = f"{tmp_path / FILE}: it cannot be read: Permission denied"
    assert capsys.readouterr() == ("", f"companion calibrate: {cause}; ask the owner of {tmp_path / FILE}\n")
    assert [file.name for file in tmp_path.iterdir()] == [FILE]


def test_a_picture_that_cannot_be_taken_away_is_told_and_what_was_measured_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def shut(_profile: Profile, _folder: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("calibration.kept.tidy", shut)
    assert calibrate(tmp_path, "buttons") == 0
    told = capsys.readouterr()
    assert (f"pictures of earlier calibrations stay in {tmp_path}: Permission denied\n" in told.out, told.err) == (
        True,
        "",
    )
    assert load(tmp_path).buttons is not None


def real_profile(folder: Path) -> dict[str, bytes]:
    """A real table's profile with its pictures, as `calibrate` leaves it; the content of each of its files."""
    review, _hands = measured_camera()
    profile = kept(review, Profile(), folder)
    assert profile.camera is not None
    save(replace(profile, camera=replace(profile.camera, kind="usb")), folder)
    (folder / "wild-swap-0-0123456789.png").write_bytes(b"of an earlier Wild die")
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_a_drawn_table_is_kept_apart_from_the_real_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    real, config = tmp_path / "calibration", tmp_path / "companion.toml"
    before = real_profile(real)
    config.write_text('preset = "laptop"\nfiles.calibration = "calibration"\n')
    for name in ("camera", "dice"):
        assert main(["calibrate", name, "--simulated", "--auto", "--config", str(config)]) == 0
    drawn = real / "simulated"
    assert f"dice: kept in {drawn / FILE}" in capsys.readouterr().out
    assert {file.name: file.read_bytes() for file in real.iterdir() if file != drawn} == before
    played = Config(camera=Camera(kind="simulated"), files=Files(calibration=real))
    profile, eyes = calibration_of(played, calibration_folder(played, {}))
    assert (profile, eyes.facts()) == (load(drawn), ())
    assert profile.dice is not None


@pytest.mark.parametrize(
    ("there", "found"),
    [
        (real_profile, 'camera.kind = "usb"'),
        (lambda folder: save(Profile(ring=RING), folder), "no camera is kept there"),
    ],
)
def test_a_drawn_table_is_not_kept_in_a_named_folder_where_a_real_one_may_lie(
    there: Callable[[Path], object], found: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    there(tmp_path)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert calibrate(tmp_path, "buttons") == 1
    told = capsys.readouterr().err
    assert f'{tmp_path / FILE}: {found}, but "simulated" was expected' in told
    assert "name another --folder, or none" in told
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


IN_A_TERMINAL = "run the companion in a terminal that can be drawn on"
NO_TERMINAL = f"the terminal cannot be drawn on: the output is not a terminal; {IN_A_TERMINAL}"
NO_KEYS = "standard input is not a terminal; run the companion in a terminal or choose other buttons"


def laptop(folder: Path) -> Path:
    """Its configuration."""
    config = folder / "companion.toml"
    config.write_text('preset = "laptop"\n')
    return config


def test_a_drawn_table_without_a_terminal_is_told_what_can_be_done_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", "--simulated", "--config", str(laptop(tmp_path))]) == 1
    advice = "companion calibrate: no buttons answer; run it in a terminal, or let it press by itself with --auto"
    assert capsys.readouterr().err.splitlines() == [NO_TERMINAL, NO_KEYS, advice]


def test_a_table_whose_buttons_do_not_answer_is_told_of_the_keyboard(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "companion.toml"
    config.write_text('[[display]]\nkind = "none"\n[[buttons]]\nkind = "none"\n')
    assert main(["calibrate", "--simulated", "--config", str(config)]) == 1
    advice = 'no buttons answer; with kind = "keyboard" in [[buttons]] a terminal is enough'
    assert capsys.readouterr().err == f"companion calibrate: {advice}\n"


def test_a_grid_is_drawn_of_markers_that_fit_no_tray_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hands = DrawnHands(0)
    hands.lay(steps.Wants(stickers=True))
    found = find_markers(hands.picture(0.0))
    assert sorted(found.numbers) == [0, 1, 2, 3]
    turned = Found(found.numbers, tuple(np.roll(corners, 2, axis=0) for corners in found.corners))
    monkeypatch.setattr("companion.cli.calibrate.find_markers", lambda _picture: turned)
    assert calibrate(tmp_path, "camera", "--grid", str(tmp_path / "tray.png")) == 0
    assert (tmp_path / "tray.png").exists()


@pytest.mark.parametrize(("pictures", "status"), [(0, 1), (1, 0)])
def test_a_grid_is_drawn_over_the_last_picture_that_came(
    pictures: int, status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    take, coming = SimulatedCamera.frame, [True] * pictures
    monkeypatch.setattr(
        SimulatedCamera, "frame", lambda camera, timeout_s: take(camera, timeout_s) if coming and coming.pop() else None
    )
    assert calibrate(tmp_path, "camera", "--grid", str(tmp_path / "tray.png")) == status
    assert (tmp_path / "tray.png").exists() is (status == 0)
    assert ("the camera gives no pictures" in capsys.readouterr().err) is (status == 1)


def test_a_grid_needs_no_screen_no_ring_and_no_buttons(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["calibrate", "camera", "--simulated", "--config", str(laptop(tmp_path))]
    assert main([*words, "--grid", str(tmp_path / "tray.png")]) == 0
    assert capsys.readouterr().err == ""


def test_no_grid_is_put_among_the_photos_that_the_camera_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = tmp_path / "photos" / "1.png"
    photo.parent.mkdir()
    cv2.imwrite(str(photo), np.full((480, 640, 3), 120, np.uint8))
    content = photo.read_bytes()
    (tmp_path / "companion.toml").write_text('camera = {kind = "folder", path = "photos"}\n')
    monkeypatch.chdir(tmp_path)
    words = ["calibrate", "camera", "--config", "companion.toml", "--grid"]
    assert main([*words, "photos/1.png"]) == 1
    told = "photos/1.png would be shown by the camera as a photo the next time; name a file elsewhere"
    assert capsys.readouterr().err == f"companion calibrate: {told}\n"
    assert photo.read_bytes() == content
    assert main([*words, "tray.png"]) == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_file_that_finds_no_room_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet, grid = tmp_path / "full.pdf", tmp_path / "full.png"
    for file in (sheet, grid):
        file.symlink_to("/dev/full")
    assert main(["calibrate", "sheet", "--out", str(sheet)]) == 1
    assert calibrate(tmp_path, "camera", "--grid", str(grid)) == 1
    said = [f"companion calibrate: cannot write {file}: No space left on device" for file in (sheet, grid)]
    assert capsys.readouterr().err.splitlines() == said


@pytest.mark.parametrize(
    ("words", "name", "said"),
    [
        (("sheet", "--out"), "x.png", "a sheet is a .pdf file"),
        (("sheet", "--out"), "folder/", "a sheet is a .pdf file"),
        (("sheet", "--out"), "folder.pdf/", "a sheet is a .pdf file"),
        (("camera", "--simulated", "--grid"), "g.jpg", "a grid is a .png file"),
        (("camera", "--simulated", "--grid"), "g", "a grid is a .png file"),
    ],
)
def test_a_sheet_or_grid_under_the_name_of_another_kind_is_refused(
    words: tuple[str, ...], name: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["calibrate", *words, f"{tmp_path}/{name}"])
    assert ended.value.code == 2
    assert f"argument {words[-1]}: '{tmp_path}/{name}': {said}\n" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_closed_pipe_ends_it_quietly(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "companion", "calibrate", "camera", "--simulated", "--auto"]
    ended = subprocess.run([*command, "--folder", str(tmp_path)], stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (ended.stderr, ended.returncode) == (b"", 141)


def test_sheet_and_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "sheet", "--paper", "letter", "--out", str(tmp_path / "m.pdf")]) == 0
    assert (tmp_path / "m.pdf").read_bytes().startswith(b"%PDF-1.4")
    assert main(["calibrate", "show", "--folder", str(tmp_path)]) == 0
    assert "nothing is calibrated yet" in capsys.readouterr().out
    save(Profile(ring=RING), tmp_path)
    assert main(["calibrate", "show", "--folder", str(tmp_path)]) == 0
    assert "leds = 40" in capsys.readouterr().out


def test_the_wild_die_is_read_in_pictures_beside_number_dice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    review, hands = measured_camera()
    profile = kept(review, Profile(), tmp_path)
    step = begun("wild", profile, Config(camera=Camera(kind="simulated")), tmp_path)
    ended: steps.Next = replace(step, wanted=("lowest", "highest", "swap") * 2)  # type: ignore[type-var]
    while not isinstance(ended, steps.Review):
        ended = ok(seen(ended, hands))
    profile = kept(ended, profile, tmp_path)
    hands.lay(steps.Wants(face="swap", throw=99))
    cv2.imwrite(str(tmp_path / "throw.png"), hands.picture(0.0))
    capsys.readouterr()
    seen_in = ("--wild", str(tmp_path), str(tmp_path / "throw.png"))
    assert main(["read", "--json", *seen_in]) == 0
    row = json.loads(capsys.readouterr().out)
    assert (row["wild"]["face"], row["wild"]["why"], row["wild"]["reason"]) == ("swap", None, None)
    assert row["wild"]["confidence"] > 0.5
    assert row["dice"] == []
    (tmp_path / "seen").mkdir()
    assert main(["read", "--overlay", str(tmp_path / "seen"), *seen_in]) == 0
    assert capsys.readouterr().out.endswith("throw.png: no dice, sure; Wild die: swap\n")
    x, y, _w, _h = map(round, row["wild"]["box"])
    (drawn,) = (cv2.imread(str(file)) for file in (tmp_path / "seen").iterdir())
    assert tuple(drawn[BAR_PX + y, x]) == SURE, "it is framed"


def test_a_profile_without_a_wild_die_cannot_read_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "--wild", str(tmp_path), "x.png"]) == 2
    assert "run companion calibrate wild" in capsys.readouterr().err


def test_play_uses_the_calibration_of_this_camera_only(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    config = Config(camera=Camera(kind="simulated"))
    profile, eyes = calibration_of(config, tmp_path)
    assert (profile, eyes.facts()) == (Profile(), ())
    review, _hands = measured_camera()
    buttons = ButtonsFacts(DAY, 4, 2, 20.0, 40)
    profile = kept(review, Profile(dice=DICE, ring=RING, buttons=buttons), tmp_path)
    found, eyes = calibration_of(config, tmp_path)
    assert (found, eyes.facts(), reader_of(found, tmp_path).scale_px) == (profile, (), 60.0)
    other, eyes = calibration_of(Config(camera=Camera(kind="usb")), tmp_path)
    assert (other, eyes.facts()) == (Profile(ring=RING, buttons=buttons), (CalibrationTold(Fit.OTHER),))
    assert "calibrated for camera simulated 0, and now it is usb 0" in caplog.text
    (tmp_path / FILE).write_text("version = 9\n")
    broken, eyes = calibration_of(config, tmp_path)
    assert (broken, eyes.facts()) == (Profile(), (CalibrationTold(Fit.BROKEN),))
    assert "version: it was written by a newer companion; this one reads 1 to 2; update companion" in caplog.text


def test_a_calibration_holds_for_the_pictures_that_come_whatever_size_was_asked_for(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    review, hands = measured_camera()
    profile = kept(review, Profile(), tmp_path)
    camera = Camera(kind="simulated", size=(1920, 1080), rotate=90)
    found, eyes = calibration_of(Config(camera=camera), tmp_path)
    picture = hands.picture(0.0)
    eyes.see(picture)
    assert (found, eyes.facts()) == (profile, ())
    assert calibrated(camera, tmp_path).state is State.OK
    eyes.see(np.ascontiguousarray(picture[::2, ::2]))
    assert eyes.facts() == (CalibrationTold(Fit.OTHER),)
    assert "pictures have 320×240 pixels now" in caplog.text


def test_steps_are_measured_in_the_light_that_the_measured_ring_gives_in_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[tuple[Colour, ...]] = []

    class Leads:
        def __init__(self, *_table: object, **_told: object) -> None: ...

        def through(self, _step: steps.Step, _name: str, *, reading: tuple[Colour, ...]) -> None:
            given.append(reading)

    monkeypatch.setattr("companion.cli.calibrate.Guide", Leads)
    config = tmp_path / "companion.toml"
    config.write_text('ring.brightness = 1.0\nfiles.calibration = "calibration"\n')
    save(Profile(ring=RING), tmp_path / "calibration" / "simulated")
    assert main(["calibrate", "camera", "--simulated", "--auto", "--config", str(config)]) == 2
    assert given == [((51, 51, 51),) * RING.leds]


def test_play_takes_ring_seats_and_buttons_as_they_were_measured() -> None:
    config = Config(buttons=(Buttons(), Buttons(debounce_ms=50)))
    now = in_place(config, Profile(ring=RING, buttons=ButtonsFacts(DAY, 4, 3, 15.0, 30)))
    assert (now.ring.leds, now.ring.first, now.ring.clockwise, now.ring.spaces) == (40, 4, False, tuple(range(20)))
    assert now.table.places == (0.0, 0.25, 0.5, 0.75, 0.875, 0.025, 0.05, 0.075)
    assert [section.debounce_ms for section in now.buttons] == [30, 50]
    assert in_place(config, Profile()) == config


@pytest.mark.parametrize(("leds", "spaces"), [(39, ()), (40, tuple(range(20, 40)))])
def test_board_spaces_that_were_not_measured_lie_as_configured_unless_the_ring_is_shorter(
    leds: int, spaces: tuple[int, ...]
) -> None:
    config = Config(ring=Ring(leds=60, spaces=tuple(range(20, 40))))
    now = in_place(config, Profile(ring=RingFacts(DAY, leds, 0, True))).ring
    assert (now.leds, now.spaces) == (leds, spaces)


def test_seats_that_were_measured_for_another_number_of_players_stay_as_configured() -> None:
    config = Config()
    fewer = replace(RING, seats=(4, 20))
    assert in_place(config, Profile(ring=fewer)).table == config.table


def test_the_camera_is_locked_again_as_it_was_calibrated(tmp_path: Path) -> None:
    step, hands = camera_step()
    locks = Locks(exposure_us=9000.0, gain=2.0, white_k=4600.0, focus=30.0)
    assert isinstance(step, steps.CameraStep)
    review = ok(seen(ok(replace(step, camera=replace(step.camera, locks=locks))), hands))
    profile = kept(review, Profile(), tmp_path)
    found = locks_of(profile, tmp_path)
    assert found is not None
    assert found == replace(locks, brightness=found.brightness)
    assert found.brightness == pytest.approx(float(np.mean(hands.picture(0.0))), rel=0.02)
    assert locks_of(Profile(), tmp_path) is None


@pytest.mark.parametrize("torn", [b"", b"\x89PNG\r\n\x1a\nand no more"])
def test_a_torn_picture_of_a_profile_is_broken_and_not_missing(
    torn: bytes, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    review, _hands = measured_camera()
    profile = kept(review, Profile(), tmp_path)
    assert profile.camera is not None
    (tmp_path / profile.camera.empty).write_bytes(torn)
    left, eyes = calibration_of(Config(camera=Camera(kind="simulated")), tmp_path)
    assert (left, eyes.facts()) == (Profile(), (CalibrationTold(Fit.BROKEN),))
    assert f"the picture {profile.camera.empty} is torn" in caplog.text


def test_today_is_the_day_that_is_kept(tmp_path: Path) -> None:
    assert calibrate(tmp_path, "buttons") == 0
    assert load(tmp_path).buttons == ButtonsFacts(date.today(), 4, 0)
