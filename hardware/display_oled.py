"""The OLED: a luma.oled driver on I2C or SPI, behind the Display port."""

from __future__ import annotations

import errno
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from shutil import which

from luma.core.interface.serial import i2c, spi
from PIL import Image

from companion.ports import SCREEN_SIZE, DeviceLost
from hardware.glass import require_screen, same_picture
from hardware.gpio_lines import GpioLines
from hardware.oled_panel import Connection, Panel

PERMISSION = {errno.EACCES, errno.EPERM}
GPIO_LIBRARY = "lgpio"  # gpiozero names none where it finds no driver at all; this one works on every Pi


class OledDisplay:
    """One connection to a panel. `connect` opens it; `where` names it in messages, e.g. "0x3C on I2C bus 1"."""

    def __init__(self, panel: Panel, connect: Callable[[], Connection], *, where: str) -> None:
        self._panel = panel
        self._where = where
        self._shown = Image.new("1", SCREEN_SIZE)
        self._well = False
        self._connection: Connection | None = None
        with ExitStack() as undo:
            try:
                connection = connect()
                undo.callback(connection.cleanup)
                panel.plug(connection)
                undo.callback(panel.plug, None)
                self._renew()
            except Exception as error:  # of the system, of luma, or of whatever drives its lines
                raise self._lost(error) from error
            undo.pop_all()
        self._connection = connection

    def show(self, image: Image.Image) -> None:
        require_screen(image)
        if self._well and same_picture(self._shown, image):
            return
        self._shown = image.copy()
        self._send(lambda: self._panel.draw(self._shown))

    def refresh(self) -> None:
        self._send(lambda: self._panel.renew(self._shown))

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            self._panel.plug(None)
            connection.cleanup()

    def _send(self, what: Callable[[], None]) -> None:
        if self._connection is None:
            raise DeviceLost("oled", "the OLED is closed", "open it again")
        try:
            if self._well:
                self._well = False
                what()
                self._well = True
            else:
                self._renew()
        except Exception as error:  # as when it was opened
            raise self._lost(error) from error

    def _renew(self) -> None:
        self._panel.start(self._shown)
        self._well = True

    def _lost(self, error: Exception) -> DeviceLost:
        match error:
            case ImportError():
                remedy = f"install the system package python3-{error.name or GPIO_LIBRARY}"
            case _ if _number(error) in PERMISSION:
                remedy = "let the companion's user into the groups i2c, spi and gpio"
            case _ if _number(error) == errno.ENOENT:
                by = "with raspi-config, Interface Options" if which("raspi-config") else "by the means of this system"
                remedy = f"switch the bus on {by}"
            case _:
                remedy = "check its wires, and address and driver in the configuration"
        return DeviceLost("oled", f"the OLED at {self._where} failed: {error}", remedy)


def _number(error: Exception) -> int | None:
    """The system's error number, also of an error that luma put into its own words."""
    cause = error if isinstance(error, OSError) else error.__context__
    return cause.errno if isinstance(cause, OSError) else None


def on_i2c(*, port: int = 1, address: int = 0x3C) -> Callable[[], Connection]:
    """Opens the panel at `address` of /dev/i2c-`port`."""
    return lambda: i2c(port=port, address=address)


def on_spi(*, port: int = 0, device: int = 0, dc: int = 24, rst: int = 25) -> Callable[[], Connection]:
    """Opens the panel on /dev/spidev`port`.`device`; `dc` and `rst` are the GPIOs of data/command and reset."""
    return lambda: _Spi(port, device, dc, rst)


class _Spi:
    """luma's SPI with the GPIO lines it needs, closed together."""

    def __init__(self, port: int, device: int, dc: int, rst: int) -> None:
        with ExitStack() as undo:
            lines = undo.enter_context(GpioLines())
            self._spi = spi(gpio=lines, port=port, device=device, gpio_DC=dc, gpio_RST=rst)
            undo.callback(self._spi.cleanup)
            self._open = undo.pop_all()

    def command(self, *command: int) -> None:
        self._spi.command(*command)

    def data(self, data: Sequence[int]) -> None:
        self._spi.data(data)

    def cleanup(self) -> None:
        self._open.close()
