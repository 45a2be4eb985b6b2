"""The keyboard of a terminal as the four buttons."""

from __future__ import annotations

import atexit
import os
import select
import termios
import threading
import tty
from collections.abc import Callable
from contextlib import suppress

from companion.events import Button, Press
from companion.ports import DeviceLost
from hardware.job_control import left, occupies
from hardware.keys import PRESSES, keys

ESCAPE_S = 0.05  # a lone escape is a key; the rest of an arrow's sequence follows faster than this
GONE = "the keyboard's terminal is gone"
REMEDY = "run the companion in a terminal or choose other buttons"


class Keyboard:
    """Reads single keys of the terminal on `fd` (0: standard input), which `close()` or the program's end puts back.

    So does Ctrl-Z for as long as the program is stopped, where that `gives_way`.
    `other` is called, from the reading thread, with each key that is no button, e.g. " ".
    """

    def __init__(self, *, fd: int = 0, other: Callable[[str], None] | None = None) -> None:
        self._fd = fd
        self._other = other or (lambda key: None)
        self._thread: threading.Thread | None = None
        try:
            self._before = termios.tcgetattr(fd)
            tty.setcbreak(fd)
        except termios.error as error:
            raise DeviceLost("buttons", "standard input is not a terminal", REMEDY) from error
        atexit.register(self._restore)
        self._stop_read, self._stop_write = os.pipe()
        self._closed = False
        self._lock = threading.RLock()  # so that nobody takes the terminal again while it is closed
        occupies(self)

    def listen(
        self, pressed: Callable[[Press], None], ailing: Callable[[str], None], failed: Callable[[Exception], None]
    ) -> None:
        if self._thread is not None or self._closed:
            raise DeviceLost("buttons", "the keyboard is closed or already listened to", "open it again")
        self._thread = threading.Thread(target=self._read, args=(pressed, failed), name="keyboard", daemon=True)
        self._thread.start()

    def feel(self, edge: Callable[[Button, float], None]) -> None:
        """Keys tell no edges."""

    def down(self) -> tuple[Button, ...]:
        return ()

    def looking_since_s(self) -> float | None:
        return None

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        os.write(self._stop_write, b".")
        if self._thread is not None:
            self._thread.join()
        os.close(self._stop_read)
        os.close(self._stop_write)
        atexit.unregister(self._restore)
        left(self)
        with self._lock:
            self._restore()

    def hand_back(self) -> None:
        self._restore()

    def take_again(self) -> None:
        """In the background the program is stopped here, until it comes to the front."""
        with self._lock, suppress(termios.error):
            if not self._closed:
                tty.setcbreak(self._fd, termios.TCSANOW)  # without dropping what is typed

    def _read(self, pressed: Callable[[Press], None], failed: Callable[[Exception], None]) -> None:
        try:
            self._tell(pressed)
        except Exception as error:  # whatever befell it, somebody must hear that this keyboard is deaf
            failed(error)

    def _tell(self, pressed: Callable[[Press], None]) -> None:
        """Until it is closed. Raises DeviceLost."""
        rest = b""
        while True:
            ready, _, _ = select.select([self._fd, self._stop_read], [], [], ESCAPE_S if rest else None)
            if self._stop_read in ready:
                return
            struck = self._bytes() if ready else b""
            if ready and not struck:
                raise DeviceLost("buttons", GONE, REMEDY)
            found, rest = keys(rest + struck, last=not ready)
            for key in found:
                if press := PRESSES.get(key):
                    pressed(press)
                else:
                    self._other(key)

    def _bytes(self) -> bytes:
        try:
            return os.read(self._fd, 1024)
        except OSError:
            return b""

    def _restore(self) -> None:
        try:
            termios.tcsetattr(self._fd, termios.TCSADRAIN, self._before)
        except termios.error:
            return  # the terminal is gone: there is nothing to restore
