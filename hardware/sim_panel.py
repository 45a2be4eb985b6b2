"""A model of the panels' controllers: from the bytes on the bus to the picture on the glass.

Sources: Solomon Systech SSD1306 rev 1.1 and SSD1309 rev 1.1, Sino Wealth SH1106 V2.3, chapters on commands. The glass
is mounted as on the usual modules: segment remap A1 and scan direction C8 show memory column 0, row 0 at the upper
left.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from smbus2 import i2c_msg

PAGES, COLUMNS, ROWS = 8, 128, 64
SMBUS_BLOCK = 32  # bytes that one SMBus block transfer carries
COMMANDS, DATA = 0x00, 0x40  # control bytes
SH1106_COLUMNS = 132
SH1106_FIRST = 2  # of its 132 columns the glass has 128, from this one

# how many argument bytes follow a command; what is not listed here is a single byte
ARGUMENTS = {
    "ssd1306": {
        **dict.fromkeys((0x20, 0x81, 0x8D, 0xA8, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB), 1),
        **dict.fromkeys((0x21, 0x22, 0xA3), 2),
        **dict.fromkeys((0x29, 0x2A), 5),
        **dict.fromkeys((0x26, 0x27), 6),
    },
    "sh1106": dict.fromkeys((0x81, 0xA8, 0xAD, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB), 1),
}
ARGUMENTS["ssd1309"] = ARGUMENTS["ssd1306"]
PUMPED = {"ssd1306"}  # needs its charge pump switched on; the others have it on after reset, or a supply of their own


@dataclass
class Registers:
    """As after reset."""

    on: bool = False
    pump: bool = False
    remapped: bool = False
    scan_reversed: bool = False
    inverse: bool = False
    all_lit: bool = False
    horizontal: bool = False  # addressing: horizontal, or page by page
    contrast: int = 0x7F
    start_line: int = 0
    offset: int = 0
    rows: int = ROWS
    com_pins: int = 0x12
    page: int = 0
    column: int = 0
    columns: tuple[int, int] = (0, COLUMNS - 1)
    pages: tuple[int, int] = (0, PAGES - 1)
    awaiting: list[int] = field(default_factory=list)  # a command whose arguments have not all come


class SimPanel:
    """A controller with its glass. `contents` seeds what its memory holds after power comes, which is never nothing."""

    def __init__(self, driver: str = "ssd1306", *, contents: int = 1) -> None:
        self._driver = driver
        self._contents = contents
        self.transfers = 0
        self.powered = False
        self.power_on()

    def power_on(self) -> None:
        width = SH1106_COLUMNS if self._driver == "sh1106" else COLUMNS
        noise = np.random.default_rng(self._contents)
        self.memory: NDArray[np.uint8] = noise.integers(0, 256, (PAGES, width), dtype=np.uint8)
        self.registers = Registers()
        self.powered = True

    def power_off(self) -> None:
        self.powered = False

    def reset(self) -> None:
        """The RES pin: registers as after power, memory kept."""
        self.registers = Registers()

    def command(self, data: Sequence[int]) -> None:
        for byte in data:
            self._byte(byte)

    def data(self, data: Sequence[int]) -> None:
        for byte in data:
            self._store(byte)

    @property
    def lit(self) -> bool:
        """Whether the glass shows anything at all."""
        return self.powered and self.registers.on and (self.registers.pump or self._driver not in PUMPED)

    def glass(self) -> Image.Image:
        """What is seen, 128×64, mode "1"."""
        if not self.lit:
            return Image.new("1", (COLUMNS, ROWS))
        r = self.registers
        assert (r.rows, r.com_pins) == (ROWS, 0x12), "the glass is wired for 64 rows with alternating COM pins"
        bits = np.unpackbits(self.memory, axis=0, bitorder="little").astype(bool)
        seen = np.roll(bits, -(r.start_line + r.offset), axis=0)
        seen = seen if r.scan_reversed else seen[::-1]
        seen = seen if r.remapped else seen[:, ::-1]
        first = SH1106_FIRST if self._driver == "sh1106" else 0
        seen = seen[:, first : first + COLUMNS] | r.all_lit
        return Image.fromarray(seen ^ r.inverse)

    def _byte(self, byte: int) -> None:
        r = self.registers
        r.awaiting.append(byte)
        if len(r.awaiting) > ARGUMENTS[self._driver].get(r.awaiting[0], 0):
            command, *arguments = r.awaiting
            r.awaiting = []
            self._obey(command, arguments)

    def _obey(self, command: int, arguments: list[int]) -> None:
        r = self.registers
        paged = self._driver == "sh1106" or not r.horizontal
        match command, arguments:
            case (low, []) if low <= 0x0F and paged:
                r.column = (r.column & 0xF0) | low
            case (high, []) if 0x10 <= high <= 0x1F and paged:
                r.column = (r.column & 0x0F) | (high & 0x0F) << 4
            case (0x20, [mode]):
                r.horizontal = mode == 0
            case (0x21, [first, last]):
                r.columns, r.column = (first, last), first
            case (0x22, [first, last]):
                r.pages, r.page = (first, last), first
            case (line, []) if 0x40 <= line <= 0x7F:
                r.start_line = line - 0x40
            case (0x81, [contrast]):
                r.contrast = contrast
            case (0x8D, [pump]):
                r.pump = bool(pump & 0x04)
            case (0xA0 | 0xA1, []):
                r.remapped = command == 0xA1
            case (0xA4 | 0xA5, []):
                r.all_lit = command == 0xA5
            case (0xA6 | 0xA7, []):
                r.inverse = command == 0xA7
            case (0xA8, [rows]):
                r.rows = rows + 1
            case (0xAE | 0xAF, []):
                r.on = command == 0xAF
            case (page, []) if 0xB0 <= page <= 0xB7 and paged:
                r.page = page - 0xB0
            case (0xC0 | 0xC8, []):
                r.scan_reversed = command == 0xC8
            case (0xD3, [offset]):
                r.offset = offset
            case (0xDA, [pins]):
                r.com_pins = pins

    def _store(self, byte: int) -> None:
        r = self.registers
        if r.column < self.memory.shape[1]:
            self.memory[r.page, r.column] = byte
        r.column += 1
        if self._driver != "sh1106" and r.horizontal and r.column > r.columns[1]:
            r.column = r.columns[0]
            r.page = r.page + 1 if r.page < r.pages[1] else r.pages[0]


class SimBus:
    """An I2C bus, as smbus2 shows it, with one panel on it that can be made to fail.

    `fail(error, after=n)`: once n more transfers went well, each raises OSError with that number, until `mend()`.
    """

    def __init__(self, panel: SimPanel, address: int = 0x3C) -> None:
        self.panel = panel
        self.transfers = 0
        self.closed = False
        self._address = address
        self._error: int | None = None
        self._error_from = 0

    def fail(self, error: int, *, after: int = 0) -> None:
        self._error, self._error_from = error, self.transfers + after

    def mend(self) -> None:
        self._error = None

    def write_i2c_block_data(self, address: int, control: int, data: Sequence[int]) -> None:
        if len(data) > SMBUS_BLOCK:
            raise ValueError(f"an SMBus block carries {SMBUS_BLOCK} bytes, not {len(data)}")
        self._transfer(address, control, data)

    def i2c_rdwr(self, message: i2c_msg) -> None:
        control, *data = bytes(message)
        self._transfer(message.addr, control, data)

    def close(self) -> None:
        self.closed = True

    def _transfer(self, address: int, control: int, data: Sequence[int]) -> None:
        if self._error is not None and self.transfers >= self._error_from:
            raise OSError(self._error, os.strerror(self._error))
        if address != self._address or not self.panel.powered or self.closed:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))  # nobody acknowledges
        self.transfers += 1
        if control == COMMANDS:
            self.panel.command(data)
        elif control == DATA:
            self.panel.data(data)
        else:
            raise AssertionError(f"control byte {control:#x} is neither command nor data")


class SimSpi:
    """A panel on SPI: spidev's calls and RPi.GPIO's, with the data/command and reset lines as luma drives them."""

    LOW, HIGH = 0, 1
    OUT = "out"
    TRANSFER = 4096
    DC, RST = 24, 25

    def __init__(self, panel: SimPanel) -> None:
        self.panel = panel
        self.max_speed_hz = 0
        self.mode = 0
        self._levels: dict[int, int] = {}
        self._opened = False
        self._error: int | None = None

    def fail(self, error: int) -> None:
        self._error = error

    def mend(self) -> None:
        self._error = None

    def open(self, port: int, device: int) -> None:
        if (port, device) != (0, 0):
            raise OSError(errno.ENOENT, os.strerror(errno.ENOENT))
        self._opened = True

    def close(self) -> None:
        self._opened = False

    def setup(self, pin: int, mode: str) -> None:
        self._levels[pin] = self.LOW

    def output(self, pin: int, level: int) -> None:
        self._levels[pin] = level
        if pin == self.RST and level == self.LOW:
            self.panel.reset()

    def cleanup(self, pins: object = None) -> None:
        self._levels.clear()

    def writebytes(self, data: Sequence[int]) -> None:
        if self._error is not None:
            raise OSError(self._error, os.strerror(self._error))
        assert self._opened
        assert len(data) <= self.TRANSFER
        assert self._levels[self.RST] == self.HIGH, "a panel held in reset takes nothing"
        if self.panel.powered:  # SPI has no answer: bytes to a dead panel are lost silently
            (self.panel.data if self._levels[self.DC] == self.HIGH else self.panel.command)(data)
