"""What every Camera does, whatever it is made of."""

from __future__ import annotations

import contextlib
import itertools
import sys
import threading
from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from standins import FakeClock

from companion.ports import Camera, Clock, DeviceLost
from hardware.camera_capture import CaptureCamera, usb_camera
from hardware.camera_folder import FolderCamera
from hardware.camera_picamera2 import Picamera2Camera
from hardware.camera_simulated import SimulatedCamera
from hardware.camera_turned import TurnedCamera
from hardware.camera_video import VideoCamera
from hardware.clock import SystemClock

SIZE = (48, 64)


def gradient() -> np.ndarray:
    return np.broadcast_to(np.arange(SIZE[1], dtype=np.uint8)[None, :, None], (*SIZE, 3)).copy()


def of_a_folder(tmp_path) -> tuple[Camera, Clock]:
    cv2.imwrite(str(tmp_path / "a.png"), gradient())
    clock = FakeClock()
    return FolderCamera(tmp_path, clock=clock), clock


def of_a_video(tmp_path) -> tuple[Camera, Clock]:
    path = tmp_path / "tray.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, SIZE[::-1])
    for _ in range(5):
        writer.write(gradient())
    writer.release()
    clock = FakeClock()
    return VideoCamera(path, clock=clock), clock


def simulated(tmp_path) -> tuple[Camera, Clock]:
    clock = FakeClock()
    return SimulatedCamera(lambda now_s: gradient(), clock=clock), clock


def turned(tmp_path) -> tuple[Camera, Clock]:
    camera, clock = simulated(tmp_path)
    return TurnedCamera(camera, 180), clock


class Endless:
    """A capture that always has a picture, at the pace of whoever looks."""

    def __init__(self) -> None:
        self.wanted = threading.Event()

    def isOpened(self) -> bool:
        return True

    def read(self):
        self.wanted.wait(0.001)
        return True, gradient()

    def release(self) -> None: ...


def captured(tmp_path) -> tuple[Camera, Clock]:
    clock = SystemClock()
    return CaptureCamera("endless", Endless, clock=clock), clock


class Module:
    """picamera2 with a camera that delivers at once."""

    camera_controls = ()
    sensor_resolution = SIZE[::-1]

    def create_video_configuration(self, **settings):
        return settings

    def configure(self, configuration):
        self.configuration = configuration

    def camera_configuration(self):
        return self.configuration

    def set_controls(self, controls): ...

    def start(self): ...

    def close(self): ...

    def capture_request(self, wait, signal_function):
        signal_function(self)
        return self

    def get_result(self):
        return self

    def make_array(self, name):
        return gradient()

    def get_metadata(self):
        return {}

    def release(self): ...


def module(tmp_path) -> tuple[Camera, Clock]:
    clock = FakeClock()
    ticks = itertools.count(100)
    clock.now_s = lambda: float(next(ticks))  # type: ignore[method-assign]
    return Picamera2Camera(clock=clock, size=SIZE[::-1], make=lambda number: Module()), clock


def a_real_module(tmp_path) -> tuple[Camera, Clock]:
    clock = SystemClock()
    return Picamera2Camera(clock=clock), clock


def a_real_usb_camera(tmp_path) -> tuple[Camera, Clock]:
    clock = SystemClock()
    return usb_camera("0", size=(640, 480), fps=10, clock=clock), clock


@pytest.fixture(
    params=[
        of_a_folder,
        of_a_video,
        simulated,
        turned,
        captured,
        module,
        pytest.param(a_real_module, marks=pytest.mark.real),
        pytest.param(a_real_usb_camera, marks=pytest.mark.real),
    ]
)
def camera(request, tmp_path) -> Iterator[Camera]:
    camera, _ = request.param(tmp_path)
    yield camera
    camera.close()


def test_pictures_are_bgr_of_one_size_and_their_times_go_forward(camera):
    frames = [camera.frame(5.0) for _ in range(4)]
    assert {frame.picture.dtype for frame in frames} == {np.dtype(np.uint8)}
    (shape,) = {frame.picture.shape for frame in frames}
    assert shape[2] == 3
    times = [frame.taken_s for frame in frames]
    assert times == sorted(set(times))


def test_a_roll_that_was_taken_is_harmless_from_any_thread(camera):
    camera.frame(5.0)
    thread = threading.Thread(target=camera.rolled)
    thread.start()
    thread.join()
    assert camera.frame(5.0) is not None


def test_what_to_do_where_no_picture_comes_is_known(camera):
    assert camera.remedy


def test_closing_twice_is_harmless_and_a_closed_camera_sees_nothing(camera):
    camera.frame(5.0)
    camera.close()
    camera.close()
    with contextlib.suppress(DeviceLost):
        camera.frame(0.1)  # the last picture may still be at hand
    with pytest.raises(DeviceLost) as lost:
        camera.frame(0.1)
    assert lost.value.device == "camera"
    assert lost.value.remedy


def test_picamera2_is_not_imported_where_it_is_not_asked_for():
    assert "picamera2" not in sys.modules
