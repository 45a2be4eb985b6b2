"""USB cameras and network streams through OpenCV, which raises nothing and may block for long."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

import cv2

from companion.address import without_secrets
from companion.ports import Clock, DeviceLost, Frame, Locks, Picture
from hardware.hush import hush
from hardware.pixels import as_bgr
from hardware.usb_controls import Adjustable, UsbControls

OPEN_S = 5.0  # a USB camera opens in a second, a stream in two
FAILURES = 5  # pictures in a row that may fail, torn ones among them, before the camera is given up
JOIN_S = 0.5
STREAM_TIMEOUT_MS = 4000
AT_HAND = "check its cable, its name in the configuration, and that no other program uses it"
FAR_AWAY = "check its address in the configuration, that it runs, and the network between"


class Capture(Adjustable, Protocol):
    """What is used of cv2.VideoCapture."""

    def isOpened(self) -> bool: ...  # noqa: N802

    def read(self) -> tuple[bool, object]: ...

    def release(self) -> None: ...


class CaptureCamera:
    """Keeps the newest picture of a capture that `open_` opens. `name` is what messages call it.

    Its own thread opens, reads and releases the capture, since each of these may block and none may run beside another.
    A thread that is still blocked in the driver is left behind by `close`, and refuses the next opening until it ended.
    `controls`: keeps exposure, colours and focus; None where a camera has none, or sees to them itself.
    `remedy`: what is to be done where it is lost.
    """

    def __init__(
        self,
        name: str,
        open_: Callable[[], Capture],
        *,
        clock: Clock,
        open_s: float = OPEN_S,
        controls: UsbControls | None = None,
        remedy: str = AT_HAND,
    ) -> None:
        self._name = name
        self.remedy = remedy
        self._controls = controls
        self._open = open_
        self._clock = clock
        self._news = threading.Condition()
        self._opened = False
        self._failed = ""
        self._closing = False
        self._newest: Frame | None = None
        thread_name = f"camera {name}"
        if any(thread.name == thread_name for thread in threading.enumerate()):
            raise self._lost("still does not answer")
        self._thread = threading.Thread(target=self._run, name=thread_name, daemon=True)
        self._thread.start()
        with self._news:
            self._news.wait_for(lambda: self._opened or self._failed, open_s)
        if not self._opened:
            self.close()
            raise self._lost(self._failed or f"did not open within {open_s:.0f} s")

    def frame(self, timeout_s: float) -> Frame | None:
        with self._news:
            self._news.wait_for(lambda: self._newest or self._failed or self._closing, timeout_s)
            frame, self._newest = self._newest, None
            if frame is None and (self._failed or self._closing):
                raise self._lost(self._failed or "is closed")
            return frame

    def rolled(self) -> None:
        """Real dice go on by themselves."""

    def locks(self) -> Locks:
        return Locks() if self._controls is None else self._controls.locks

    def close(self) -> None:
        with self._news:
            self._closing = True
            self._news.notify_all()
        self._thread.join(JOIN_S)

    def _run(self) -> None:
        try:
            with ExitStack() as undo:
                capture = self._open()
                undo.callback(capture.release)
                if capture.isOpened():
                    self._tell(opened=True)
                    self._read(capture)
                else:
                    self._tell(failed="cannot be opened")
        except Exception as error:  # a thread has nobody to raise it to
            self._tell(failed=f"failed: {error}")

    def _read(self, capture: Capture) -> None:
        failures = 0
        if self._controls is not None:
            self._controls.begin(capture, self._clock.now_s())
        while failures < FAILURES:
            good, raw = capture.read()
            if self._closing:
                return
            picture = as_bgr(raw) if good else None
            failures = 0 if picture is not None else failures + 1
            if picture is not None:
                self._keep(picture)
                if self._controls is not None:
                    self._controls.see(capture, picture, self._clock.now_s())
        self._tell(failed="stopped delivering pictures")

    def _keep(self, picture: Picture) -> None:
        with self._news:
            self._newest = Frame(picture, self._clock.now_s())
            self._news.notify_all()

    def _tell(self, *, opened: bool = False, failed: str = "") -> None:
        with self._news:
            self._opened, self._failed = self._opened or opened, failed
            self._news.notify_all()

    def _lost(self, cause: str) -> DeviceLost:
        return DeviceLost("camera", f"camera {self._name} {cause}", self.remedy)


def usb_camera(
    device: str, *, size: tuple[int, int], fps: float, clock: Clock, locks: Locks | None = None
) -> CaptureCamera:
    """A camera on V4L2: `device` is its number or its file, e.g. "0" or "/dev/video0". `locks`: as calibrated."""
    path = Path(f"/dev/video{device}" if device.isdecimal() else device)
    if not path.exists():
        raise DeviceLost("camera", f"there is no camera {path}", "plug it in, or name it in the configuration")
    return CaptureCamera(str(path), lambda: _v4l2(path, size, fps), clock=clock, controls=UsbControls(locks))


def _v4l2(path: Path, size: tuple[int, int], fps: float) -> cv2.VideoCapture:
    """What a camera does not understand it leaves as it was."""
    hush()
    capture = cv2.VideoCapture(str(path), cv2.CAP_V4L2)
    for setting, value in (
        (cv2.CAP_PROP_FOURCC, float(cv2.VideoWriter.fourcc(*"MJPG"))),  # else USB 2 carries large pictures too slowly
        (cv2.CAP_PROP_FRAME_WIDTH, size[0]),
        (cv2.CAP_PROP_FRAME_HEIGHT, size[1]),
        (cv2.CAP_PROP_FPS, fps),
        (cv2.CAP_PROP_BUFFERSIZE, 1),
    ):
        capture.set(setting, value)
    return capture


def stream_camera(url: str, *, clock: Clock) -> CaptureCamera:
    """A stream such as HTTP MJPEG or RTSP. Messages call it by what of its address may be told."""
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, STREAM_TIMEOUT_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, STREAM_TIMEOUT_MS]
    hush()
    return CaptureCamera(
        without_secrets(url), lambda: cv2.VideoCapture(url, cv2.CAP_FFMPEG, limits), clock=clock, remedy=FAR_AWAY
    )
