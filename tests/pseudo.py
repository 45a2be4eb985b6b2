"""Pseudo-terminals as serial ports and windows."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import termios
import time
import tty
from contextlib import suppress

MARK = b"\x00\x01end\x01\x00"


class Line:
    """A pseudo-terminal: `name` is what a program opens, the other end is the test's."""

    def __init__(self, columns: int = 80, lines: int = 24) -> None:
        self.master, self.slave = pty.openpty()
        tty.setraw(self.slave)
        self.name = os.ttyname(self.slave)
        self.resize(columns, lines)

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def received(self) -> bytes:
        """All that was sent so far: the kernel hands it over in order, so it is complete once a mark comes through."""
        os.write(self.slave, MARK)
        got = b""
        while not got.endswith(MARK):
            assert select.select([self.master], [], [], 10)[0], "the pseudo-terminal lost the mark"
            got += os.read(self.master, 65536)
        return got[: -len(MARK)]

    def send(self, data: bytes) -> None:
        """As if the device had sent it; returns once it can be read."""
        os.write(self.master, data)
        assert select.select([self.slave], [], [], 10)[0]

    def type(self, keys: bytes) -> None:
        """As if somebody struck them, for a thread that reads already."""
        os.write(self.master, keys)

    def clog(self) -> None:
        """As if the device took nothing any more: returns once the kernel holds all that it can, and has moved all of
        it that it could towards this end."""
        writer = os.open(self.name, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
        try:
            waits = -1
            while waits != (waits := self._waits()) or select.select([], [writer], [], 0)[1]:
                with suppress(BlockingIOError):
                    while True:
                        os.write(writer, bytes(4096))
                time.sleep(0.05)
        finally:
            os.close(writer)

    def _waits(self) -> int:
        """How many bytes this end could read."""
        return int(struct.unpack("i", fcntl.ioctl(self.master, termios.FIONREAD, bytes(4)))[0])

    def unplug(self) -> None:
        if self.master >= 0:
            os.close(self.master)
            self.master = -1

    def close(self) -> None:
        self.unplug()
        os.close(self.slave)
