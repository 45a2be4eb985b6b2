"""A receiver of Adalight frames that takes nothing on trust, as WLED's does (wled00/wled_serial.cpp).

It has no time-out inside a frame, and what comes outside of one it takes for commands.
"""

from __future__ import annotations

from companion.ports import Colour
from hardware.adalight import COMMANDS, HELLO, MAGIC

VERSION = b"WLED 2406290\r\n"


class SimReceiver:
    """`shown`: every frame shown so far. `obeyed`: every command byte obeyed, the hello excepted.

    `answers`: what it sent back. `torn`: headers that were not followed through.
    """

    def __init__(self) -> None:
        self.shown: list[tuple[Colour, ...]] = []
        self.obeyed = bytearray()
        self.answers = bytearray()
        self.torn = 0
        self._header = bytearray()
        self._payload = bytearray()
        self._missing = 0

    def take(self, data: bytes) -> None:
        for byte in data:
            if self._missing:
                self._colour(byte)
            elif self._header or byte == MAGIC[0]:
                self._head(byte)
            elif byte == HELLO[0]:
                self.answers += VERSION
            elif byte in COMMANDS:
                self.obeyed.append(byte)

    @property
    def waiting(self) -> int:
        """Bytes missing of a frame that began."""
        return self._missing

    def _head(self, byte: int) -> None:
        self._header.append(byte)
        so_far = bytes(self._header)
        right = so_far == MAGIC[: len(so_far)] if len(so_far) <= 3 else True
        if len(so_far) == 6:
            high, low, check = so_far[3:]
            right = check == high ^ low ^ 0x55
            if right:
                self._missing = 3 * (high * 256 + low + 1)
        if not right:
            self.torn += 1
        if not right or len(so_far) == 6:
            self._header.clear()

    def _colour(self, byte: int) -> None:
        self._payload.append(byte)
        self._missing -= 1
        if not self._missing:
            parts = iter(self._payload)
            self.shown.append(tuple(zip(parts, parts, parts, strict=True)))
            self._payload.clear()
