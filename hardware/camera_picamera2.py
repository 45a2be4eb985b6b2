"""Raspberry Pi camera modules through picamera2, which comes with the system and is only imported when it is used.

Written against picamera2's documented interface (The Picamera2 Library, and its source) and run with it on libcamera's
virtual camera (tests/bench/virtual_camera.py); not tried on a camera module.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from typing import Any

from companion.ports import Clock, DeviceLost, Frame, Locks, Picture
from hardware.exposure import SETTLE_S, Exposure, ExposureWatch, kept
from hardware.pixels import from_libcamera

log = logging.getLogger(__name__)

REMEDY = "check its ribbon cable on both ends"
AF_MANUAL, AF_CONTINUOUS = 0, 2  # libcamera's AfModeEnum
AUTOMATIC = {"AeEnable": True, "AwbEnable": True, "AfMode": AF_CONTINUOUS}
SAMPLE = 16  # every 16th pixel each way is enough for a mean brightness
SLOWEST_FPS = 5.0  # libcamera keeps the first pictures of each start, up to eight: slower, a camera seems lost by then
LOCKS = {  # read from the metadata and then set
    "exposure_us": "ExposureTime",
    "gain": "AnalogueGain",
    "white_gains": "ColourGains",
    "lens_dioptres": "LensPosition",
}


class Picamera2Camera:
    """Camera number `device`, e.g. "0". `locks`: as calibrated; without them it finds its own, and keeps those.

    Pictures are `size` large and show all that the sensor sees, but for what is cut off to give them that shape. They
    come `fps` a second, or SLOWEST_FPS if that is more: who wants fewer asks for fewer. `make` makes the Picamera2,
    which tests replace.
    """

    remedy = REMEDY

    def __init__(
        self,
        *,
        clock: Clock,
        device: str = "0",
        size: tuple[int, int] = (640, 480),
        fps: float = 10.0,
        locks: Locks | None = None,
        make: Callable[[int], Any] | None = None,
    ) -> None:
        self._clock = clock
        self._asked = locks if locks is not None and locks.exposure_us is not None else None
        self._locks = self._asked or Locks()
        self._arrived = threading.Event()
        self._job: Any = None
        self._closed = False
        if not device.isdecimal():
            raise DeviceLost("camera", f'camera modules are numbered, and "{device}" is no number', "name it 0 or 1")
        with ExitStack() as undo:
            try:
                self._camera = (make or _picamera2)(int(device))
                undo.callback(self._camera.close)
                self._configure(size, fps)
                self._camera.start()
            # picamera2 and libcamera raise many kinds, RuntimeError where there is no camera
            except Exception as error:
                raise _lost(error) from error
            self._undo = undo.pop_all()
        self._watch = ExposureWatch(clock.now_s(), locked_at=self._asked.brightness if self._asked else None)
        self._due_s = clock.now_s() + SETTLE_S  # by then what was asked for shows in the metadata

    def frame(self, timeout_s: float) -> Frame | None:
        """Waits on a job that is kept when the time is over, since picamera2's own waiting has no end."""
        if self._closed:
            raise DeviceLost("camera", "the camera module is closed", "open it again")
        try:
            if self._job is None:
                self._arrived.clear()
                self._job = self._camera.capture_request(wait=False, signal_function=lambda job: self._arrived.set())
            if not self._arrived.wait(timeout_s):
                return None
            job, self._job = self._job, None
            return self._taken(job.get_result())
        except Exception as error:
            raise _lost(error) from error

    def rolled(self) -> None:
        """Real dice go on by themselves."""

    def locks(self) -> Locks:
        return self._locks

    def close(self) -> None:
        """A job that still waits for a picture would hold up the stop behind it for ever: it is cancelled before."""
        self._closed = True
        if self._job is not None:
            self._job = None
            if (cancel := getattr(self._camera, "cancel_all_and_flush", None)) is not None:
                cancel()
        self._undo.close()

    def _configure(self, size: tuple[int, int], fps: float) -> None:
        camera = self._camera
        wanted = camera.create_video_configuration(
            main={"size": size, "format": "RGB888"},
            controls={"FrameRate": max(fps, SLOWEST_FPS)},
            sensor={"output_size": whole_view(camera.sensor_resolution, size)},
        )
        camera.configure(wanted)
        given = camera.camera_configuration()["main"]
        self._format, self._size = str(given["format"]), (int(given["size"][0]), int(given["size"][1]))
        camera.set_controls(self._supported(AUTOMATIC if self._asked is None else fixed(self._asked)))

    def _taken(self, request: Any) -> Frame:
        try:
            picture = from_libcamera(request.make_array("main"), self._format, self._size)
            now_s = self._clock.now_s()
            self._expose(picture, now_s, request.get_metadata)
        finally:
            request.release()
        return Frame(picture, now_s)

    def _expose(self, picture: Picture, now_s: float, metadata: Callable[[], Mapping[str, Any]]) -> None:
        if self._asked is not None and now_s >= self._due_s:
            self._locks = replace(told(metadata()), brightness=self._asked.brightness)
            log.info("%s", kept(self._asked, self._locks))
            self._asked = None
        brightness = float(picture[::SAMPLE, ::SAMPLE].mean())
        match self._watch.see(brightness, now_s):
            case Exposure.LOCK:
                self._locks = replace(told(metadata()), brightness=brightness)
                self._camera.set_controls(self._supported(fixed(self._locks)))
            case Exposure.FREE:
                self._asked, self._locks = None, Locks()
                log.info("the light changed: the camera finds a new exposure")
                self._camera.set_controls(self._supported(AUTOMATIC))

    def _supported(self, controls: dict[str, Any]) -> dict[str, Any]:
        """Those the camera has: Module 2 has no motor, and a simulated pipeline not even an exposure."""
        return {name: value for name, value in controls.items() if name in self._camera.camera_controls}


def whole_view(resolution: tuple[int, int], size: tuple[int, int]) -> tuple[int, int]:
    """The mode in which a sensor sees everything, its pixels joined by fours where pictures of that size need no more.

    By itself picamera2 takes the mode nearest to the picture, and that may see only the middle: 39 % each way of
    Module 2 for 640×480 (https://github.com/raspberrypi/picamera2/issues/1233).
    """
    joined = (resolution[0] // 2, resolution[1] // 2)
    return joined if size[0] <= joined[0] and size[1] <= joined[1] else resolution


def told(metadata: Mapping[str, Any]) -> Locks:
    """Where each control stood when a picture was taken."""
    return Locks(**{lock: metadata.get(name) for lock, name in LOCKS.items()})


def fixed(locks: Locks) -> dict[str, Any]:
    """The controls that keep a camera so. A lens that tells no place stays automatic."""
    values = {name: getattr(locks, lock) for lock, name in LOCKS.items() if getattr(locks, lock) is not None}
    focus = AF_CONTINUOUS if locks.lens_dioptres is None else AF_MANUAL
    return {"AeEnable": False, "AwbEnable": False, **whole(values), "AfMode": focus}


def whole(values: dict[str, Any]) -> dict[str, Any]:
    """libcamera wants the exposure in whole microseconds."""
    return {name: round(value) if name == "ExposureTime" else value for name, value in values.items()}


def _picamera2(device: int) -> Any:
    from picamera2 import Picamera2  # the system's package, absent elsewhere

    if not _found(Picamera2, device):
        raise RuntimeError(f"there is no camera module {device}")
    camera = Picamera2.__new__(Picamera2)
    try:
        camera.__init__(device)
    except Exception:
        _let_go(camera)
        raise
    return camera


def _found(library: Any, device: int) -> bool:
    """Whether there is a camera of this number, by a fresh list of them where the one that is kept lacks it.

    picamera2 keeps what libcamera found at its first look: a module whose driver came later is never in it. While a
    camera of this process is in use, libcamera hands out the same list again, and that camera is left in peace.
    """
    if device < len(library.global_camera_info()):
        return True
    forget = getattr(getattr(library, "_cm", None), "reset", None)  # not in its documentation, nor in every version
    if forget is None:
        return False
    forget()
    return device < len(library.global_camera_info())


def _let_go(camera: Any) -> None:
    """Closes the pipe of a Picamera2 that did not come to hold its camera, which its own `close` leaves open then."""
    with suppress(Exception):
        camera.close()
    reading = getattr(camera, "notifymeread", None)
    if reading is not None and not reading.closed:
        reading.close()
        os.close(camera.notifyme_w)


def _lost(error: Exception) -> DeviceLost:
    if isinstance(error, ImportError):
        return DeviceLost(
            "camera",
            f"picamera2 is not installed: {error}",
            "apt install --no-install-recommends python3-picamera2, or choose another camera",
        )
    first = _first_cause(error)
    text = str(first) or type(first).__name__
    busy = "acquire" in text or "busy" in text.lower()  # libcamera's words for a camera that another program has
    remedy = "end the other program that uses it" if busy else REMEDY
    return DeviceLost("camera", f"the camera module failed: {text}", remedy)


def _first_cause(error: BaseException) -> BaseException:
    """picamera2 says only that its beginning did not complete. Older ones raise that without naming the cause."""
    while (before := error.__cause__ or error.__context__) is not None:
        error = before
    return error
