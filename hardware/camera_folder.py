"""A camera that plays a folder of pictures, one roll after the other."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from companion.paths import reason
from companion.pictures import SUFFIXES, BadPicture, load
from companion.ports import Clock, DeviceLost, Frame, Locks, Picture
from hardware.pace import Pace
from hardware.pictures import emptied, empty_file, listed, ordered


class FolderCamera:
    """Shows the empty tray for `empty_s`, a picture until its roll was taken, the empty tray again, and so on.

    After the last picture the tray stays empty. A file that is no picture is left out, and `warn` told why. The empty
    tray is the folder's `empty.*`, or the ground of the picture that comes next.
    """

    remedy = "open it again"

    def __init__(
        self,
        folder: Path,
        *,
        clock: Clock,
        order: Path | None = None,
        empty_s: float = 1.0,
        fps: float = 10.0,
        warn: Callable[[str], None] = lambda _text: None,
    ) -> None:
        self._clock = clock
        self._pace = Pace(clock, fps)
        self._empty_s = empty_s
        self._warn = warn
        self._taken = threading.Event()
        self._closed = False
        try:
            self._left = listed(folder) if order is None else _in_order(folder, order)
            empty = empty_file(folder)
        except OSError as error:
            cause = f"the pictures in {folder} cannot be listed: {reason(error)}"
            raise DeviceLost("camera", cause, "name a folder of pictures") from error
        if not self._left:
            kinds = ", ".join(sorted(SUFFIXES))
            raise DeviceLost("camera", f"{folder} holds no picture", f"put pictures there ({kinds})")
        self._empty = self._kept(empty) if empty is not None else None
        self._shown: Picture | None = None
        self._next: Picture | None = None
        self._empty_until_s = 0.0
        self._tray: Picture
        self._clear()
        if self._next is None:
            raise DeviceLost("camera", f"no picture in {folder} can be read", "put pictures there that can be")

    def frame(self, timeout_s: float) -> Frame | None:
        if self._closed:
            raise DeviceLost("camera", "the folder camera is closed", self.remedy)
        now_s = self._pace.wait(timeout_s)
        return None if now_s is None else Frame(self._picture(now_s), now_s)

    def rolled(self) -> None:
        self._taken.set()

    def locks(self) -> Locks:
        """Pictures that were taken already need none."""
        return Locks()

    def close(self) -> None:
        self._closed = True

    def _picture(self, now_s: float) -> Picture:
        if self._shown is not None and self._taken.is_set():
            self._clear()
        elif self._next is not None and now_s >= self._empty_until_s:
            self._shown, self._next = self._next, None
            self._taken.clear()
        return self._tray if self._shown is None else self._shown

    def _clear(self) -> None:
        """Takes the dice off the tray and looks for the next picture."""
        self._shown = None
        self._next = self._read_next()
        if self._empty is not None:
            self._tray = self._empty
        elif self._next is not None:
            self._tray = emptied(self._next)
        self._empty_until_s = self._clock.now_s() + self._empty_s

    def _read_next(self) -> Picture | None:
        while self._left:
            picture = self._kept(self._left.pop(0))
            if picture is not None:
                return picture
        return None

    def _kept(self, path: Path) -> Picture | None:
        try:
            return load(path)
        except BadPicture as error:
            self._warn(f"{path} is left out: {error}")
            return None


def _in_order(folder: Path, order: Path) -> list[Path]:
    """Raises DeviceLost for a file `order` that cannot be read."""
    try:
        return ordered(folder, order)
    except (OSError, ValueError) as error:
        remedy = "name a text file with the name of a picture in each line"
        raise DeviceLost("camera", f"the order {order} cannot be read: {reason(error)}", remedy) from error
