from __future__ import annotations

import os
import sys
import threading
import types
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest
from standins import FakeClock

from companion.devices import STALE_S
from companion.ports import DeviceLost, Locks
from hardware.camera_picamera2 import Picamera2Camera


class FakeJob:
    def __init__(self, signal) -> None:
        self.signal = signal
        self.result: object = None

    def get_result(self):
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


class FakeRequest:
    def __init__(self, camera, level) -> None:
        self.camera = camera
        self.level = level
        camera.held += 1

    def make_array(self, name):
        assert name == "main"
        width, height = self.camera.config["main"]["size"]
        return np.full((height, width + 16, 3), self.level, np.uint8)

    def get_metadata(self):
        return self.camera.metadata

    def release(self):
        self.camera.held -= 1


class FakePicamera2:
    """As picamera2's source behaves: jobs are served in order, one at a time, and the camera stops only when its stop
    comes to the head of the queue."""

    camera_controls = dict.fromkeys(
        ["FrameRate", "AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains", "AfMode", "LensPosition"]
    )

    sensor_resolution = (3280, 2464)
    metadata: Mapping[str, object] = MappingProxyType(
        {"ExposureTime": 9000, "AnalogueGain": 2.5, "ColourGains": (1.5, 1.7), "LensPosition": 4.2, "Lux": 90}
    )

    def __init__(self, number: int = 0) -> None:
        self.number = number
        self.calls: list[str] = []
        self.controls: list[dict[str, object]] = []
        self.jobs: list[FakeJob] = []
        self.held = 0
        self.config: dict[str, dict[str, object]] = {}

    def create_video_configuration(self, main, controls, sensor):
        return {"main": main, "controls": controls, "sensor": sensor}

    def configure(self, config):
        self.calls.append("configure")
        self.config = config

    def camera_configuration(self):
        return self.config

    def start(self):
        self.calls.append("start")

    def set_controls(self, controls):
        self.controls.append(controls)

    def capture_request(self, wait, signal_function):
        assert wait is False
        self.jobs.append(FakeJob(signal_function))
        return self.jobs[-1]

    def cancel_all_and_flush(self):
        self.calls.append("cancel")
        self.jobs.clear()

    def close(self):
        assert not self.jobs, "the stop waits behind a job that waits for a picture: a dead end"
        self.calls.append("close")

    def deliver(self, level=100, result=None):
        """The picture that a waiting job gets, from picamera2's own thread."""
        job = self.jobs.pop(0)
        job.result = result or FakeRequest(self, level)
        thread = threading.Thread(target=job.signal, args=(job,))
        thread.start()
        thread.join()


AUTOMATIC = {"AeEnable": True, "AwbEnable": True, "AfMode": 2}
LOCKED = {
    "AeEnable": False,
    "AwbEnable": False,
    "ExposureTime": 9000,
    "AnalogueGain": 2.5,
    "ColourGains": (1.5, 1.7),
    "AfMode": 0,
    "LensPosition": 4.2,
}


def opened(clock=None, **settings):
    fake = FakePicamera2()
    return fake, Picamera2Camera(clock=clock or FakeClock(), make=lambda number: fake, **settings)


def take(fake, camera, level=100):
    assert camera.frame(0) is None
    fake.deliver(level)
    return camera.frame(0)


def test_pictures_come_in_bgr_cut_to_their_size_and_buffers_go_back():
    fake, camera = opened(size=(640, 480), fps=8)
    assert fake.config == {
        "main": {"size": (640, 480), "format": "RGB888"},
        "controls": {"FrameRate": 8},
        "sensor": {"output_size": (1640, 1232)},
    }
    frame = take(fake, camera)
    assert (frame.picture.shape, frame.taken_s, fake.held) == ((480, 640, 3), 100.0, 0)
    camera.close()
    camera.close()
    assert fake.calls == ["configure", "start", "close"]


@pytest.mark.parametrize("fps", [0.5, 1, 2])
def test_a_camera_that_is_asked_for_few_pictures_gives_its_first_one_before_it_is_taken_for_lost(fps):
    """libcamera shows none of the first pictures of a start: six while the exposure is found, two that it mistrusts."""
    fake, camera = opened(fps=fps)
    assert 8 / fake.config["controls"]["FrameRate"] < STALE_S
    camera.close()


# Modes of each sensor as its driver in Linux lists them, the ones that see everything first
MODES = {
    "ov5647 (Module 1)": ([(2592, 1944), (1296, 972)], [(1920, 1080), (640, 480)]),
    "imx219 (Module 2)": ([(3280, 2464), (1640, 1232)], [(1920, 1080), (640, 480)]),
    "imx708 (Module 3)": ([(4608, 2592), (2304, 1296)], [(1536, 864)]),
    "imx477 (HQ)": ([(4056, 3040), (2028, 1520)], [(2028, 1080), (1332, 990)]),
}


@pytest.mark.parametrize(
    ("size", "mode"),
    [((640, 480), 1), ((1280, 960), 1), ((1280, 720), 1), ((2560, 1440), 0), ((1296, 972), 1), ((640, 1600), 0)],
)
@pytest.mark.parametrize("module", MODES)
def test_the_sensor_sees_everything_and_not_only_the_middle(module, size, mode, monkeypatch):
    whole, cut = MODES[module]
    monkeypatch.setattr(FakePicamera2, "sensor_resolution", whole[0])
    fake, camera = opened(size=size)
    assert mode_of(fake.config, [*whole, *cut]) == whole[mode]
    camera.close()


def mode_of(config, modes):
    """The one that picamera2 chooses, by the score of its _make_libcamera_config."""
    width, height = config["sensor"].get("output_size", config["main"]["size"])

    def short(wanted, given):
        return 2 * (wanted - given) if given < wanted else (given - wanted) / 4

    def score(mode):
        shape = short(width / height, mode[0] / mode[1])
        return short(width, mode[0]) + short(height, mode[1]) + 1500 * shape

    return min(modes, key=score)


def test_a_stalled_camera_gives_none_keeps_one_job_and_can_be_closed():
    fake, camera = opened()
    assert [camera.frame(0.001) for _ in range(3)] == [None] * 3
    assert len(fake.jobs) == 1
    camera.close()
    camera.close()
    assert fake.calls[-2:] == ["cancel", "close"]


def test_exposure_gain_white_balance_and_focus_are_kept_once_settled_and_found_anew_when_the_light_changes():
    clock = FakeClock()
    fake, camera = opened(clock, size=(64, 48))
    for level, seconds in ((100, 3), (20, 6)):
        for _ in range(10 * seconds):
            take(fake, camera, level)
            clock.sleep(0.1)
    assert fake.controls == [AUTOMATIC, LOCKED, AUTOMATIC, LOCKED]
    assert camera.locks() == replace(CALIBRATED, brightness=20.0)
    camera.close()


CALIBRATED = Locks(exposure_us=9000.0, gain=2.5, white_gains=(1.5, 1.7), lens_dioptres=4.2, brightness=100.0)


def test_what_the_camera_is_fixed_to_is_known_before_its_first_picture():
    for settings, locks in (({}, Locks()), ({"locks": CALIBRATED}, CALIBRATED)):
        _, camera = opened(**settings)
        assert camera.locks() == locks
        camera.close()


def test_what_a_camera_does_not_tell_is_not_fixed_and_a_lens_that_tells_no_place_stays_automatic():
    clock = FakeClock()
    fake, camera = opened(clock, size=(64, 48))
    fake.metadata = {"ExposureTime": 9000}
    pass_seconds(fake, camera, clock, 3)
    assert fake.controls[-1] == {"AeEnable": False, "AwbEnable": False, "ExposureTime": 9000, "AfMode": 2}
    camera.close()


def test_an_exposure_is_asked_for_in_whole_microseconds():
    fake, camera = opened(locks=replace(CALIBRATED, exposure_us=8999.6))
    asked = fake.controls[0]["ExposureTime"]
    assert (asked, type(asked)) == (9000, int)
    camera.close()


def test_a_camera_that_takes_a_while_to_be_as_it_was_told_has_refused_nothing(caplog):
    clock = FakeClock()
    fake, camera = opened(clock, size=(64, 48), locks=CALIBRATED)
    taken, fake.metadata = fake.metadata, {"ExposureTime": 100, "AnalogueGain": 1.0}
    with caplog.at_level("INFO"):
        pass_seconds(fake, camera, clock, 1)
        fake.metadata = taken
        pass_seconds(fake, camera, clock, 2)
    assert caplog.messages == ["the camera keeps exposure, gain, white balance, focus as calibrated"]
    camera.close()


def pass_seconds(fake, camera, clock, seconds, level=100):
    for _ in range(10 * seconds):
        take(fake, camera, level)
        clock.sleep(0.1)


def test_what_was_calibrated_is_locked_from_the_beginning_and_read_back(caplog):
    clock = FakeClock()
    fake, camera = opened(clock, size=(64, 48), locks=CALIBRATED)
    with caplog.at_level("INFO"):
        pass_seconds(fake, camera, clock, 5)
    assert fake.controls == [LOCKED]
    assert camera.locks() == CALIBRATED
    assert caplog.messages == ["the camera keeps exposure, gain, white balance, focus as calibrated"]
    camera.close()


def test_what_the_camera_did_not_take_is_said_plainly(caplog):
    clock = FakeClock()
    fake, camera = opened(clock, size=(64, 48), locks=replace(CALIBRATED, exposure_us=20000.0, lens_dioptres=8.0))
    with caplog.at_level("INFO"):
        pass_seconds(fake, camera, clock, 3)
    assert camera.locks().exposure_us == 9000
    assert caplog.messages == [
        "the camera keeps gain, white balance as calibrated; "
        "it refuses exposure, focus: run companion calibrate camera again"
    ]
    camera.close()


def test_in_another_light_than_calibrated_the_exposure_is_found_anew(caplog):
    clock = FakeClock()
    fake, camera = opened(clock, size=(64, 48), locks=CALIBRATED)
    with caplog.at_level("INFO"):
        pass_seconds(fake, camera, clock, 4, level=20)
    assert caplog.messages[1:] == ["the light changed: the camera finds a new exposure"]
    assert camera.locks() == Locks()
    pass_seconds(fake, camera, clock, 2, level=20)
    assert fake.controls == [LOCKED, AUTOMATIC, LOCKED]
    camera.close()


def test_a_calibration_that_knows_no_exposure_locks_nothing_beforehand():
    fake, camera = opened(size=(64, 48), locks=Locks(brightness=90.0))
    assert fake.controls == [AUTOMATIC]
    camera.close()


def test_a_camera_without_these_controls_is_left_alone(monkeypatch):
    monkeypatch.setattr(FakePicamera2, "camera_controls", {})
    clock = FakeClock()
    fake, camera = opened(clock)
    take(fake, camera)
    clock.sleep(3)
    take(fake, camera)
    assert fake.controls == [{}, {}]
    camera.close()


def test_an_error_of_a_job_is_a_lost_camera():
    fake, camera = opened()
    assert camera.frame(0) is None
    fake.deliver(result=RuntimeError("Camera frontend has timed out!"))
    with pytest.raises(DeviceLost, match="the camera module failed: Camera frontend has timed out!; check its ribbon"):
        camera.frame(0)
    camera.close()


class Nameless(Exception):
    """Says nothing of itself."""


@pytest.mark.parametrize(
    ("failed", "told"),
    [
        (RuntimeError("failed to acquire"), "failed to acquire; end the other program that uses it"),
        (RuntimeError("Device Busy"), "Device Busy; end the other program that uses it"),
        (Nameless(), "Nameless; check its ribbon cable on both ends"),
    ],
)
def test_a_module_that_fails_is_told_with_its_first_cause_and_what_to_do(failed, told):
    def none(_number):
        try:
            try:
                raise failed
            except Exception as first:
                raise RuntimeError("not opened") from first
        except RuntimeError as second:
            raise RuntimeError("its beginning did not complete") from second

    with pytest.raises(DeviceLost, match=f"^the camera module failed: {told}$"):
        Picamera2Camera(clock=FakeClock(), make=none)


def test_no_camera_and_no_picamera2_tell_what_to_do(monkeypatch):
    def none(number):
        raise RuntimeError("Camera(s) not found")

    with pytest.raises(DeviceLost, match=r"Camera\(s\) not found; check its ribbon cable"):
        Picamera2Camera(clock=FakeClock(), make=none)
    with pytest.raises(DeviceLost, match='camera modules are numbered, and "/dev/video0" is no number; name it 0 or 1'):
        Picamera2Camera(clock=FakeClock(), device="/dev/video0", make=none)
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(DeviceLost, match="apt install --no-install-recommends python3-picamera2"):
        Picamera2Camera(clock=FakeClock())


@pytest.fixture
def library(monkeypatch):
    """picamera2 as its source behaves: it knows the cameras of its first look until it is reset, makes a pipe before it
    looks for the camera, and closes nothing of one that it did not come to hold."""

    class Library(FakePicamera2):
        plugged = 0  # cameras at the cables
        busy = False  # whether another program has them
        chained = True  # whether an error names its cause
        pipes: list[int] = []  # noqa: RUF012
        looks = 0

        class _cm:  # noqa: N801
            known = None

            @classmethod
            def reset(cls):
                cls.known = Library.plugged
                Library.looks += 1

        @staticmethod
        def global_camera_info():
            if Library._cm.known is None:
                Library._cm.reset()
            return [{"Num": number} for number in range(Library._cm.known)]

        def __init__(self, number):
            reading, self.notifyme_w = os.pipe()
            self.notifymeread = os.fdopen(reading, "rb")
            self.pipes += [reading, self.notifyme_w]
            self.is_open = False
            super().__init__(number)
            self.global_camera_info()[number]
            try:
                if self.busy:
                    raise RuntimeError("Failed to acquire camera: Device or resource busy")
            except RuntimeError as error:
                failed = RuntimeError("Camera __init__ sequence did not complete.")
                if not self.chained:
                    raise failed  # noqa: B904
                raise failed from error
            self.is_open = True

        def close(self):
            if self.is_open:
                self.is_open = False
                super().close()
                self.notifymeread.close()
                os.close(self.notifyme_w)

    installed = types.ModuleType("picamera2")
    installed.Picamera2 = Library
    monkeypatch.setitem(sys.modules, "picamera2", installed)
    return Library


def left_open(numbers):
    return [number for number in numbers if is_open(number)]


def is_open(number):
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def test_a_module_that_is_missing_is_named_and_looked_for_anew_each_time(library):
    library.plugged = 1
    for _ in range(3):
        with pytest.raises(DeviceLost, match="there is no camera module 1; check its ribbon cable"):
            Picamera2Camera(clock=FakeClock(), device="1")
    assert (library.looks, library.pipes) == (4, [])


def test_a_module_whose_driver_comes_after_the_first_look_is_found(library):
    with pytest.raises(DeviceLost, match="there is no camera module 0"):
        Picamera2Camera(clock=FakeClock())
    library.plugged = 1
    camera = Picamera2Camera(clock=FakeClock())
    camera.close()
    assert left_open(library.pipes) == []


def test_a_module_that_is_there_is_not_looked_for_twice(library):
    library.plugged = 1
    for _ in range(3):
        Picamera2Camera(clock=FakeClock()).close()
    assert library.looks == 1


@pytest.mark.parametrize("manager", ["_cm", "reset"])
def test_a_picamera2_that_cannot_be_made_to_look_again_is_left_as_it_is(library, manager, monkeypatch):
    if manager == "_cm":
        monkeypatch.setattr(library, "global_camera_info", list)
        monkeypatch.delattr(library, "_cm")
    else:
        library.global_camera_info()
        monkeypatch.delattr(library._cm, "reset")
    with pytest.raises(DeviceLost, match="there is no camera module 0"):
        Picamera2Camera(clock=FakeClock())


@pytest.mark.parametrize("chained", [True, False])
def test_a_module_that_another_program_uses_is_told_as_that_and_leaves_nothing_open(library, chained):
    library.plugged, library.busy, library.chained = 1, True, chained
    busy = "failed: Failed to acquire camera: Device or resource busy; end the other program that uses it"
    with pytest.raises(DeviceLost, match=busy):
        Picamera2Camera(clock=FakeClock())
    assert len(library.pipes) == 2
    assert left_open(library.pipes) == []
    library.busy = False
    Picamera2Camera(clock=FakeClock()).close()


@pytest.mark.parametrize("ending", ["fails", "lets its pipe go", "has no pipe", "closes nothing"])
def test_a_module_that_fails_to_open_leaves_nothing_open_whatever_its_close_does(library, ending, monkeypatch):
    """Each version of picamera2 comes this far in another way."""
    library.plugged, library.busy = 1, True
    close, closed = library.close, []

    def ends(camera):
        closed.append(camera)
        if ending == "fails":
            raise AttributeError("_preview")
        if ending != "closes nothing":
            camera.notifymeread.close()
            os.close(camera.notifyme_w)
        if ending == "has no pipe":
            del camera.notifymeread
        return close(camera)

    monkeypatch.setattr(library, "close", ends)
    with pytest.raises(DeviceLost, match="Device or resource busy; end the other program"):
        Picamera2Camera(clock=FakeClock())
    assert (len(closed), left_open(library.pipes)) == (1, [])


def test_a_camera_that_cannot_be_configured_is_closed_again(monkeypatch):
    def refuse(self, config):
        raise ValueError("size")

    fake = FakePicamera2()
    monkeypatch.setattr(FakePicamera2, "configure", refuse)
    with pytest.raises(DeviceLost, match="size"):
        Picamera2Camera(clock=FakeClock(), make=lambda number: fake)
    assert fake.calls == ["close"]
