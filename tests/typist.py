"""Somebody at a terminal: a command runs in it, keys are typed into it, and its screen is looked at."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Sequence
from functools import partial
from operator import eq, ne
from typing import TypeAlias

from hardware.terminal import BEGIN, END, ENTER, HALF_BLOCK_LINES, LEAVE

FRAME = re.compile(re.escape(BEGIN.encode()) + b"(.*?)" + re.escape(END.encode()), re.DOTALL)
ROW = re.compile(rb"\x1b\[(\d+);1H(.*?)\x1b\[0m\x1b\[K", re.DOTALL)  # as hardware.terminal sends a line that changed
Lines: TypeAlias = tuple[str, ...]
DARK: Lines = (" " * 128,) * HALF_BLOCK_LINES
BLOCK = "█"  # every page has keys below it, and these are full of it
PATIENCE_S = 60.0  # for an answer of the screen


def _lit(picture: Lines) -> bool:
    """The panel shows something, not only the lines and lights around it: what is typed earlier may be dropped."""
    return any(BLOCK in row for row in picture)


class Typist:
    """`command` runs in a new pseudo-terminal, large enough for half blocks.

    `pictures`: all that its 128×64 screen showed, each as lines of text.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._master, self._slave = pty.openpty()
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 130, 0, 0))
        self._modes = termios.tcgetattr(self._slave)
        self._bytes = b""
        self._drawn = 0  # so many of the bytes are in the pictures
        self.pictures = [DARK]
        self._command = subprocess.Popen(command, stdin=self._slave, stdout=self._slave, stderr=self._slave)

    @property
    def told(self) -> str:
        """All that was written to the terminal, but for a letter of which a part is still to come."""
        return self._bytes.decode(errors="ignore")

    @property
    def after(self) -> str:
        """What was written after the picture was gone."""
        return self.told.rpartition(LEAVE)[2]

    def play(self, script: str) -> None:
        """Types a key each time the screen has answered the one before, the first one when the screen is on.

        Keys are parted by blanks, SPACE is the space bar, and what follows a hash is a remark.
        """
        self._look(_lit, "the screen stays dark")
        while termios.tcgetattr(self._slave)[3] & termios.ICANON:  # what is typed before is thrown away
            self._read(0.05)
        for key in (key for line in script.splitlines() for key in line.split("#", 1)[0].split()):
            before = self.pictures[-1]
            self.type(key)
            self._look(partial(ne, before), f"the screen does not answer {key}")

    def type(self, key: str) -> None:
        """Strikes one key, and waits for nothing."""
        os.write(self._master, b" " if key == "SPACE" else key.encode())

    def sees(self, picture: Lines) -> None:
        """Waits until the screen shows this."""
        self._look(partial(eq, picture), "this was not expected:")

    def reads(self, word: str) -> None:
        """Waits until this is written to the terminal."""
        self._look(lambda _picture: word in self.told, f"{word} is not written")

    def ended(self) -> int:
        """Reads to the end of the command. Returns its exit status."""
        while self._command.poll() is None:
            self._read(0.05)
        while self._read(0.0):
            pass
        return self._command.returncode

    def interrupt(self, number: signal.Signals = signal.SIGINT) -> None:
        self._command.send_signal(number)

    def kill(self) -> None:
        """At once, and waits until it is dead."""
        self._command.kill()
        self._command.wait()

    def left_clean(self) -> bool:
        """Whether the terminal is as it was, its modes and what stood on it."""
        return self.told.rfind(ENTER) < self.told.rfind(LEAVE) and self.modes_left()

    def modes_left(self) -> bool:
        """Whether the terminal's modes are as they were, of a command that draws nothing."""
        return termios.tcgetattr(self._slave) == self._modes

    def close(self) -> None:
        if self._command.poll() is None:
            self.kill()
        os.close(self._master)
        os.close(self._slave)

    def _look(self, until: Callable[[Lines], bool], but: str) -> None:
        end_s = time.monotonic() + PATIENCE_S  # the lights never stand still
        while not until(self.pictures[-1]):
            assert time.monotonic() < end_s, "\n".join((but, *self.pictures[-1]))
            self._read(max(0.0, end_s - time.monotonic()))

    def _read(self, seconds: float) -> bool:
        """Whether something came in so many seconds."""
        if not select.select([self._master], [], [], seconds)[0]:
            return False
        self._bytes += os.read(self._master, 65536)
        for frame in FRAME.finditer(self._bytes, self._drawn):
            self._drawn = frame.end()
            self._draw(frame[1])
        return True

    def _draw(self, frame: bytes) -> None:
        rows = list(self.pictures[-1])
        for row in ROW.finditer(frame):
            if int(row[1]) <= len(rows):
                rows[int(row[1]) - 1] = row[2].decode()
        if tuple(rows) != self.pictures[-1]:
            self.pictures.append(tuple(rows))
