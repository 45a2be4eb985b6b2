"""A camera that plays a video file in its own time."""

from __future__ import annotations

from pathlib import Path

import cv2

from companion.address import without_secrets
from companion.paths import is_named_pipe, reason
from companion.ports import Clock, DeviceLost, Frame, Locks, Picture
from hardware.hush import hush
from hardware.pixels import as_bgr

USUAL_FPS = 25.0  # of a file that does not say
MOST_FPS = 240.0


class VideoCamera:
    """`file` may also be a pattern of numbered pictures such as tray_%03d.png.

    Pictures that fall due while nobody asks are left out, as with a real camera; where reading them takes longer than
    they play, it plays on late. After the last one the tray stays as it is.
    """

    remedy = "open it again"

    def __init__(self, file: Path, *, clock: Clock) -> None:
        self._file = file
        self._clock = clock
        _look_for(file)
        hush()
        self._capture = cv2.VideoCapture(str(file))
        first = self._read()
        if first is None:
            self.close()
            raise DeviceLost("camera", f"{file} is not a video, or torn", "name a video file or a stream's address")
        self._last: Picture = first
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        self._every_s = 1 / (fps if 0 < fps <= MOST_FPS else USUAL_FPS)
        self._due_s = clock.now_s()
        self._first = True

    def frame(self, timeout_s: float) -> Frame | None:
        if not self._capture.isOpened():
            raise DeviceLost("camera", f"the video {self._file} is closed", self.remedy)
        asked_s = self._clock.now_s()
        early_s = self._due_s - asked_s
        if early_s > 0:
            self._clock.sleep(min(early_s, timeout_s))
        if early_s > timeout_s:
            return None
        return Frame(self._next(asked_s + timeout_s), self._clock.now_s())

    def rolled(self) -> None:
        """A video goes on by itself."""

    def locks(self) -> Locks:
        """Pictures that were taken already need none."""
        return Locks()

    def close(self) -> None:
        self._capture.release()

    def _next(self, until_s: float) -> Picture:
        """The picture that is due now; those before it are read and passed over, as far as there is time."""
        self._step()
        while self._due_s <= self._clock.now_s() < until_s and self._step():
            pass
        self._due_s = max(self._due_s, self._clock.now_s())
        return self._last

    def _step(self) -> bool:
        """Goes on by one picture; whether there was one. The first was read on opening."""
        self._due_s += self._every_s
        if self._first:
            self._first = False
            return True
        picture = self._read()
        self._last = self._last if picture is None else picture
        return picture is not None

    def _read(self) -> Picture | None:
        good, raw = self._capture.read()
        return as_bgr(raw) if good else None


def _look_for(file: Path) -> None:
    """Raises DeviceLost for what is no video that can be read: OpenCV tells no reason."""
    told = without_secrets(str(file))  # it may be meant as an address
    try:
        if is_named_pipe(file):  # OpenCV would wait in it for a writer, deaf to signals
            raise DeviceLost("camera", f"{told} is a pipe and no video", "save what comes out of it to a file")
        if file.exists():
            file.open("rb").close()
        elif "%" not in file.name:
            raise DeviceLost("camera", f"there is no video {told}", "name a video file or a stream's address")
    except OSError as error:
        cause = f"the video {told} cannot be read: {reason(error)}"
        raise DeviceLost("camera", cause, "name a video file that may be read") from error
