"""A USB camera's exposure, colours and focus: fixed, read back, and what it refuses said."""

from __future__ import annotations

import threading

import cv2
import numpy as np
import pytest
from standins import FakeClock

from companion.ports import Locks
from hardware.camera_capture import CaptureCamera, usb_camera
from hardware.camera_turned import TurnedCamera
from hardware.usb_controls import LOOK_S, UsbControls, fix, sight, told

# What switches each automatic, and its values for by itself and by hand: cameras refuse any other
AUTO = {
    cv2.CAP_PROP_EXPOSURE: (cv2.CAP_PROP_AUTO_EXPOSURE, 3, 1),
    cv2.CAP_PROP_WB_TEMPERATURE: (cv2.CAP_PROP_AUTO_WB, 1, 0),
    cv2.CAP_PROP_FOCUS: (cv2.CAP_PROP_AUTOFOCUS, 1, 0),
}


class Webcam:
    """As V4L2 behaves: it refuses what it has not (and tells -1), and each control whose automatic is on; it rounds.

    `has`: its controls with their least, most and step. `tells`: whether it tells where an automatic control stands.
    The picture's grey level goes with exposure and gain as a camera's gamma makes it.
    """

    def __init__(self, has=None, *, tells=True, light=1.0) -> None:
        self.has = has or {
            cv2.CAP_PROP_EXPOSURE: (3, 2047, 1),
            cv2.CAP_PROP_GAIN: (0, 255, 1),
            cv2.CAP_PROP_WB_TEMPERATURE: (2800, 6500, 10),
            cv2.CAP_PROP_FOCUS: (0, 250, 5),
        }
        self.tells = tells
        self.light = light
        self.auto = {setting: value for control, (setting, value, _) in AUTO.items() if control in self.has}
        self.values = {cv2.CAP_PROP_EXPOSURE: 250.0, cv2.CAP_PROP_GAIN: 64.0, cv2.CAP_PROP_WB_TEMPERATURE: 4000.0,
                       cv2.CAP_PROP_FOCUS: 0.0}  # fmt: skip
        self.asked: list[tuple[int, float]] = []
        self.users: set[int] = set()

    def automatic(self, control) -> bool:
        setting, on, _ = AUTO.get(control, (None, None, None))
        return setting in self.auto and self.auto[setting] == on

    def get(self, setting):
        self.users.add(threading.get_ident())
        if setting in self.auto:
            return self.auto[setting]
        if setting not in self.has:
            return -1.0
        return self.found(setting) if self.tells else self.values[setting]

    def found(self, control) -> float:
        """Where a control really stands."""
        best = {cv2.CAP_PROP_EXPOSURE: 157 / self.light, cv2.CAP_PROP_WB_TEMPERATURE: 4600.0, cv2.CAP_PROP_FOCUS: 30.0}
        return best[control] if self.automatic(control) else self.values[control]

    def set(self, setting, value):
        self.users.add(threading.get_ident())
        self.asked.append((setting, value))
        if setting in self.auto:
            known = any(value in values for switch, *values in AUTO.values() if switch == setting)
            self.auto[setting] = value if known else self.auto[setting]
            return known
        if setting not in self.has or self.automatic(setting):
            return False
        least, most, step = self.has[setting]
        self.values[setting] = float(min(most, max(least, least + round((value - least) / step) * step)))
        return True

    def picture(self) -> np.ndarray:
        exposure = self.found(cv2.CAP_PROP_EXPOSURE) if cv2.CAP_PROP_EXPOSURE in self.has else 157 / self.light
        level = 110 * (exposure * self.light / 157) ** (1 / 2.2)
        warm = self.found(cv2.CAP_PROP_WB_TEMPERATURE) / 4600 if cv2.CAP_PROP_WB_TEMPERATURE in self.has else 1.0
        picture = np.empty((48, 64, 3), float)
        picture[:] = np.array([level / warm, level, level * warm])
        picture[::2] *= 1.1
        if cv2.CAP_PROP_FOCUS in self.has and abs(self.found(cv2.CAP_PROP_FOCUS) - 30) > 10:
            picture = cv2.GaussianBlur(picture, (0, 0), 3)
        return np.clip(picture, 0, 255).astype(np.uint8)

    # --- and as a capture that CaptureCamera reads ---

    def isOpened(self) -> bool:
        return True

    def read(self):
        self.users.add(threading.get_ident())
        return True, self.picture()

    def release(self) -> None: ...


def watched(controls, webcam, seconds, clock, change=lambda picture: picture) -> None:
    for _ in range(round(10 * seconds)):
        clock.sleep(0.1)
        controls.see(webcam, change(webcam.picture()), clock.now_s())


def begun(webcam, asked=None) -> tuple[UsbControls, FakeClock]:
    clock = FakeClock()
    controls = UsbControls(asked)
    controls.begin(webcam, clock.now_s())
    return controls, clock


def grey(webcam) -> float:
    return sight(webcam.picture()).brightness


def test_what_automatic_found_is_kept_once_it_settled():
    webcam = Webcam()
    before = grey(webcam)
    controls, clock = begun(webcam)
    watched(controls, webcam, 1, clock)
    assert controls.locks == Locks()
    watched(controls, webcam, 3, clock)
    assert controls.locks == Locks(15700.0, 64.0, None, 4600.0, None, 30.0, pytest.approx(before, abs=1))
    assert not any(webcam.automatic(control) for control in AUTO)
    webcam.light = 0.8  # a cloud: the exposure stays
    watched(controls, webcam, 5, clock)
    assert controls.locks.exposure_us == 15700


def test_what_another_program_set_by_hand_is_found_anew():
    webcam = Webcam()
    fix(webcam, Locks(exposure_us=90_000.0, white_k=2800.0, focus=250.0))
    controls, clock = begun(webcam)
    watched(controls, webcam, 4, clock)
    assert (controls.locks.exposure_us, controls.locks.white_k, controls.locks.focus) == (15700, 4600, 30)


def test_a_light_that_changes_later_frees_what_was_kept_and_it_is_found_anew(caplog):
    webcam = Webcam()
    controls, clock = begun(webcam)
    watched(controls, webcam, 4, clock)
    webcam.light = 0.1
    with caplog.at_level("INFO"):
        watched(controls, webcam, 4, clock)
    assert controls.locks == Locks()
    assert all(webcam.automatic(control) for control in AUTO)
    assert caplog.messages == ["the light changed: the camera finds a new exposure"]
    watched(controls, webcam, 4, clock)
    assert controls.locks.exposure_us == pytest.approx(157000)


def tinted(*shares):
    return lambda picture: (picture * np.array(shares)).astype(np.uint8)


def blurred(share):
    return lambda picture: cv2.addWeighted(picture, 1 - share, cv2.GaussianBlur(picture, (0, 0), 3), share, 0)


@pytest.mark.parametrize(
    ("change", "given_up"),
    [
        (tinted(0.8, 1, 1), {"white_k"}),
        (tinted(1, 1, 0.8), {"white_k"}),
        (tinted(0.92, 0.92, 0.92), set()),
        (blurred(0.5), {"focus"}),
        (blurred(0.2), set()),
    ],
)
def test_only_what_the_picture_shows_to_have_changed_is_given_up(change, given_up):
    webcam = Webcam()
    controls, clock = begun(webcam)
    watched(controls, webcam, 2.1, clock)
    watched(controls, webcam, 2, clock, change)
    found = controls.locks
    assert {lock for lock in ("exposure_us", "gain", "white_k", "focus") if getattr(found, lock) is None} == given_up
    assert found.exposure_us == 15700


def test_a_gain_or_focus_of_nothing_is_one_but_no_exposure_is():
    webcam = Webcam()
    webcam.found = lambda control: 0.0  # type: ignore[method-assign]
    assert told(webcam) == Locks(gain=0.0, focus=0.0)


class LateWebcam(Webcam):
    """What is set shows half a second later."""

    def picture(self) -> np.ndarray:
        self.coming = [*getattr(self, "coming", []), super().picture()]
        return self.coming[max(0, len(self.coming) - 6)]


def test_a_camera_is_corrected_only_once_its_pictures_show_what_was_set():
    webcam = LateWebcam({cv2.CAP_PROP_EXPOSURE: (3, 2047, 1)}, tells=False)
    before = grey(webcam)
    controls, clock = begun(webcam)
    watched(controls, webcam, 6, clock)
    assert grey(webcam) == pytest.approx(before, rel=0.12)
    assert controls.locks == Locks(exposure_us=pytest.approx(15700, rel=0.3), brightness=pytest.approx(grey(webcam)))
    assert len([setting for setting, _ in webcam.asked if setting == cv2.CAP_PROP_EXPOSURE]) == 2


def test_what_is_fixed_already_stays_so_while_the_exposure_is_corrected():
    webcam = Webcam(tells=False)
    webcam.values |= {cv2.CAP_PROP_WB_TEMPERATURE: 4600.0, cv2.CAP_PROP_FOCUS: 30.0}
    controls, clock = begun(webcam)
    watched(controls, webcam, 5, clock)
    assert controls.locks.exposure_us == pytest.approx(15700, rel=0.3)
    assert (controls.locks.gain, controls.locks.white_k, controls.locks.focus) == (64, 4600, 30)


def test_a_camera_that_does_not_tell_its_automatic_exposure_is_given_the_same_brightness(caplog):
    webcam = Webcam({cv2.CAP_PROP_EXPOSURE: (3, 2047, 1)}, tells=False)
    before = grey(webcam)
    controls, clock = begun(webcam)
    watched(controls, webcam, 2 + 6 * LOOK_S, clock)
    assert grey(webcam) == pytest.approx(before, rel=0.12)
    assert controls.locks.exposure_us == pytest.approx(15700, rel=0.3)
    assert controls.locks.gain is None


def test_colours_and_focus_that_are_not_told_stay_automatic(caplog):
    webcam = Webcam(tells=False)
    webcam.values[cv2.CAP_PROP_EXPOSURE] = 157.0
    controls, clock = begun(webcam)
    with caplog.at_level("INFO"):
        watched(controls, webcam, 5, clock)
    assert (controls.locks.white_k, controls.locks.focus) == (None, None)
    assert webcam.automatic(cv2.CAP_PROP_WB_TEMPERATURE)
    assert webcam.automatic(cv2.CAP_PROP_FOCUS)
    assert not webcam.automatic(cv2.CAP_PROP_EXPOSURE)
    assert "the camera does not tell its white balance: that stays automatic" in caplog.messages
    assert "the camera does not tell its focus: that stays automatic" in caplog.messages


def test_an_exposure_that_cannot_be_matched_stays_automatic(caplog):
    webcam = Webcam({cv2.CAP_PROP_EXPOSURE: (3, 20, 1)}, tells=False)  # by hand it never gets bright enough
    controls, clock = begun(webcam)
    with caplog.at_level("INFO"):
        watched(controls, webcam, 8, clock)
    assert controls.locks.exposure_us is None
    assert webcam.automatic(cv2.CAP_PROP_EXPOSURE)
    assert "the camera does not tell its exposure: that stays automatic" in caplog.messages


def test_what_was_calibrated_is_set_at_once_and_what_is_refused_is_said(caplog):
    webcam = Webcam({cv2.CAP_PROP_EXPOSURE: (3, 2047, 1), cv2.CAP_PROP_WB_TEMPERATURE: (2800, 6500, 10)})
    asked = Locks(exposure_us=20000.0, gain=64.0, white_k=5004.0, focus=30.0, brightness=120.0)
    with caplog.at_level("INFO"):
        controls, clock = begun(webcam, asked)
    assert controls.locks == Locks(exposure_us=20000.0, white_k=5000.0, brightness=120.0)
    assert caplog.messages == [
        "the camera keeps exposure, white balance as calibrated; "
        "it refuses gain, focus: run companion calibrate camera again"
    ]
    watched(controls, webcam, 5, clock)
    assert controls.locks.exposure_us == 20000


def test_a_calibration_that_knows_no_exposure_fixes_nothing_beforehand():
    webcam = Webcam()
    controls, _ = begun(webcam, Locks(white_k=2800.0, brightness=90.0))
    assert controls.locks == Locks()
    assert webcam.automatic(cv2.CAP_PROP_WB_TEMPERATURE)


def test_in_quite_another_light_the_exposure_is_found_anew():
    webcam = Webcam(light=0.1)
    controls, clock = begun(webcam, Locks(exposure_us=15700.0, brightness=110.0))
    watched(controls, webcam, 4, clock)
    assert controls.locks == Locks()
    watched(controls, webcam, 4, clock)
    assert controls.locks.exposure_us == pytest.approx(157000)


def test_a_camera_without_any_control_is_left_alone():
    webcam = Webcam({0: (0, 0, 1)})
    assert told(webcam) == Locks()
    assert fix(webcam, Locks(exposure_us=1.0, focus=1.0)) == Locks()
    controls, clock = begun(webcam)
    watched(controls, webcam, 4, clock)
    assert controls.locks == Locks(brightness=pytest.approx(grey(webcam), abs=1))


@pytest.mark.parametrize("change", [tinted(0.5, 0.8, 0.8), blurred(0.5)])
def test_of_a_camera_without_controls_nothing_is_given_up_whatever_changes(change, caplog):
    webcam = Webcam({0: (0, 0, 1)})
    controls, clock = begun(webcam)
    with caplog.at_level("INFO"):
        watched(controls, webcam, 2.1, clock)
        watched(controls, webcam, 2, clock, change)
    assert controls.locks == Locks(brightness=pytest.approx(sight(change(webcam.picture())).brightness))
    assert caplog.messages == []


def test_a_usb_camera_is_asked_for_its_pictures_first_and_then_fixed_as_calibrated(tmp_path, monkeypatch):
    webcam, opened = Webcam(), []
    monkeypatch.setattr(cv2, "VideoCapture", lambda *how: opened.append(how) or webcam)
    device = tmp_path / "video7"
    device.touch()
    camera = usb_camera(str(device), size=(800, 600), fps=15, clock=FakeClock(), locks=Locks(exposure_us=9900.0))
    assert camera.frame(10) is not None
    camera.close()
    assert opened == [(str(device), cv2.CAP_V4L2)]
    assert webcam.asked[:5] == [
        (cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG")),
        (cv2.CAP_PROP_FRAME_WIDTH, 800),
        (cv2.CAP_PROP_FRAME_HEIGHT, 600),
        (cv2.CAP_PROP_FPS, 15),
        (cv2.CAP_PROP_BUFFERSIZE, 1),
    ]
    assert camera.locks().exposure_us == 9900


def test_a_camera_that_is_read_keeps_what_automatic_found():
    webcam, clock = Webcam(), FakeClock()
    camera = CaptureCamera("cam", lambda: webcam, clock=clock, controls=UsbControls(None))
    for _ in range(50):
        assert camera.frame(10) is not None
        clock.sleep(0.1)
    camera.close()
    assert camera.locks().exposure_us == 15700


def test_only_the_thread_that_reads_touches_the_controls():
    webcam = Webcam()
    clock = FakeClock()
    camera = CaptureCamera("cam", lambda: webcam, clock=clock, controls=UsbControls(Locks(exposure_us=9900.0)))
    assert camera.frame(10) is not None
    camera.close()
    assert camera.locks().exposure_us == TurnedCamera(camera, 90).locks().exposure_us == 9900
    assert len(webcam.users) == 1
