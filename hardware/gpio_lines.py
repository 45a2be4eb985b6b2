"""GPIO output lines as luma.core wants them (the part of RPi.GPIO it calls), over gpiozero.

RPi.GPIO itself does not work on a Pi 5; gpiozero finds a driver that does.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from gpiozero import OutputDevice, PinFactoryFallback


class GpioLines:
    """Raises OSError where a line cannot be had or set, and ImportError where there is no driver."""

    LOW, HIGH = 0, 1
    OUT = "out"

    def __init__(self) -> None:
        self._lines: dict[int, OutputDevice] = {}

    def __enter__(self) -> GpioLines:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.cleanup()

    def setup(self, pin: int, mode: str) -> None:
        assert mode == self.OUT
        let_lgpio_write()
        spare_fallbacks()
        with _told(pin):
            self._lines[pin] = OutputDevice(pin)

    def output(self, pin: int, level: int) -> None:
        with _told(pin):
            self._lines[pin].value = level

    def cleanup(self, pins: object = None) -> None:
        while self._lines:
            self._lines.popitem()[1].close()


def let_lgpio_write() -> None:
    """lgpio writes a file into the current folder when it is imported; into one of its own if that one is read-only.

    Called before any line is opened: gpiozero looks for its driver but once. In a folder that all share the file may
    lie already, and be another user's.
    """
    if "LG_WD" not in os.environ and not os.access(Path.cwd(), os.W_OK):
        os.environ["LG_WD"] = folder = tempfile.mkdtemp(prefix="companion-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)


def spare_fallbacks() -> None:
    """gpiozero warns of each driver that it does not find. Whether there is one is told where a line is opened."""
    warnings.filterwarnings("ignore", category=PinFactoryFallback)


@contextmanager
def _told(pin: int) -> Iterator[None]:
    """Any other error of gpiozero, or of the driver below it, as one of the system: lgpio's is a class of its own."""
    try:
        yield
    except (ImportError, OSError):
        raise
    except Exception as error:
        raise OSError(f"GPIO {pin} cannot be used: {error}") from error
