"""Runs in the Debian that tests/bench/virtual_camera.py prepares: the project's adapter on the real picamera2."""

from __future__ import annotations

import sys
import time
import types
from typing import Any

import numpy as np

# What picamera2 imports and this camera does not need: kernel mode setting, and raw pictures.
kms = types.ModuleType("pykms")
kms.PixelFormat = types.SimpleNamespace(**dict.fromkeys(["RGB888", "BGR888", "XRGB8888", "XBGR8888", "YUV420", "YVU420", "MJPEG"]))  # type: ignore[attr-defined]  # fmt: skip # noqa: E501
definitions, core = types.ModuleType("pidng.camdefs"), types.ModuleType("pidng.core")
definitions.Picamera2Camera = core.PICAM2DNG = object  # type: ignore[attr-defined]
for module in (kms, types.ModuleType("pidng"), definitions, core):
    sys.modules[module.__name__] = module

from picamera2.allocators import LibcameraAllocator  # noqa: E402
from picamera2.picamera2 import Picamera2  # noqa: E402
from picamera2.request import CompletedRequest  # noqa: E402

from companion.devices import CameraWorker  # noqa: E402
from companion.events import DeviceChanged, Health  # noqa: E402
from companion.ports import DeviceLost, Frame  # noqa: E402
from hardware.camera_picamera2 import Picamera2Camera  # noqa: E402
from hardware.clock import SystemClock  # noqa: E402

SIZE = (1024, 768)
CORNERS = {(100, 100): (20, 60, 220), (700, 100): (200, 90, 30)}  # row, column: blue, green, red of the JPEG
TOLERANCE = 25  # the virtual camera converts to YUV with a range of its own
PICTURES = 30


def nv12(self: CompletedRequest, name: str) -> Any:
    """picamera2 makes no array of NV12, the only format that the virtual camera has."""
    stride, height = self.config[name]["stride"], self.config[name]["size"][1]
    return np.asarray(self.make_buffer(name))[: stride * height * 3 // 2].reshape(height * 3 // 2, stride)


def made(number: int) -> Picamera2:
    camera = Picamera2(number)
    camera.allocator = LibcameraAllocator(camera.camera)  # the other one makes buffers of one plane
    return camera


def main() -> int:
    Picamera2._get_raw_modes = lambda self: [{"format": "NV12", "size": SIZE}]  # the virtual camera has no raw mode
    CompletedRequest.make_array = nv12
    clock = SystemClock()
    frames: list[Frame] = []
    said: list[DeviceChanged] = []
    worker = CameraWorker(
        lambda: Picamera2Camera(clock=clock, size=SIZE, make=made), said.append, clock=clock, deliver=frames.append
    )
    worker.start()
    begun_s = time.monotonic()
    while len(frames) < PICTURES and time.monotonic() - begun_s < 60:
        time.sleep(0.1)
    took_s = time.monotonic() - begun_s
    worker.stop()
    stopped_s = time.monotonic()
    ended = worker.join(5)
    print(f"{len(frames)} pictures after {took_s:.1f} s; health: {[(f.health.value, f.detail) for f in said]}")
    print(f"ended {time.monotonic() - stopped_s:.2f} s after it was told to")
    try:
        Picamera2Camera(clock=clock, device="5")
        none = ""
    except DeviceLost as lost:
        none = str(lost)
    print(f"a camera that is not there: {none}")
    right = all(
        frame.picture.shape == (SIZE[1], SIZE[0], 3)
        and all(np.abs(frame.picture[at].astype(int) - bgr).max() <= TOLERANCE for at, bgr in CORNERS.items())
        for frame in frames
    )
    good = right and ended and len(frames) >= PICTURES and said[-1].health is Health.OK and "module 5" in none
    print("good" if good else "NOT GOOD")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
