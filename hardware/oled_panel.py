"""luma.oled's drivers behind a wire that can be plugged in again.

A luma driver sends its set-up when it is made and registers a hook for the program's end, which holds on to it for
ever. So each driver is made once, on a wire that leads nowhere, and its set-up is kept: it can then be sent again as
often as a panel needs it, on whichever connection there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from luma.oled.device import sh1106, ssd1306, ssd1309
from PIL import Image

DRIVERS = {"ssd1306": ssd1306, "sh1106": sh1106, "ssd1309": ssd1309}
DISPLAY_OFF, DISPLAY_ON, SET_CONTRAST, NO_OPERATION = 0xAE, 0xAF, 0x81, 0xE3
LONGEST_ARGUMENTS = 6  # bytes that a command cut off by an error may still be waiting for (SSD1306: scroll set-up)


class Connection(Protocol):
    """What luma calls a serial interface. Raises OSError or luma.core.error.Error."""

    def command(self, *command: int) -> None: ...

    def data(self, data: Sequence[int]) -> None: ...

    def cleanup(self) -> None: ...


class _Wire:
    """Stands between driver and connection: records what the driver sends while nothing is plugged in."""

    def __init__(self) -> None:
        self.to: Connection | None = None
        self.commands: list[tuple[int, ...]] = []

    def command(self, *command: int) -> None:
        if self.to is None:
            self.commands.append(command)
        else:
            self.to.command(*command)

    def data(self, data: Sequence[int]) -> None:
        if self.to is not None:
            self.to.data(data)

    def cleanup(self) -> None:
        """luma calls this at the program's end; who plugged a connection in closes it."""


class Panel:
    """A panel of 128×64 pixels, of the kind `driver`, turned by 0 or 180 degrees, `contrast` 0-255.

    Made once and kept, while connections come and go. All methods raise what the connection raises.
    """

    def __init__(self, driver: str, *, rotate_deg: int = 0, contrast: int = 160) -> None:
        if rotate_deg not in (0, 180):
            raise ValueError(f"the picture can be turned by 0 or 180 degrees, not {rotate_deg}")
        self._wire = _Wire()
        self._driver = DRIVERS[driver](self._wire, rotate=rotate_deg // 90)
        self._driver.persist = True  # the hook at the program's end leaves the panel alone
        self._setup = self._wire.commands[0]
        assert self._setup[0] == DISPLAY_OFF, "luma's set-up begins by switching the panel off"
        self._contrast = contrast

    def plug(self, connection: Connection | None) -> None:
        self._wire.to = connection
        self._wire.commands.clear()

    def start(self, image: Image.Image) -> None:
        """Sets the panel up from whatever state it is in and shows `image`; what its memory held is never seen."""
        self._wire.command(*[NO_OPERATION] * LONGEST_ARGUMENTS)
        self._wire.command(*self._setup)
        self._light(image)

    def renew(self, image: Image.Image) -> None:
        """The same without switching it off, so that a panel that is well does not flicker."""
        self._wire.command(*self._setup[1:])
        self._light(image)

    def draw(self, image: Image.Image) -> None:
        self._driver.display(image)

    def _light(self, image: Image.Image) -> None:
        self._wire.command(SET_CONTRAST, self._contrast)
        self._driver.display(image)
        self._wire.command(DISPLAY_ON)
