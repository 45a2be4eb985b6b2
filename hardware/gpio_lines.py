"""GPIO output lines as luma.core wants them (the part of RPi.GPIO it calls), over gpiozero.

RPi.GPIO itself does not work on a Pi 5; gpiozero finds a driver that does.
"""

from __future__ import annotations

from types import TracebackType

from gpiozero import GPIOZeroError, OutputDevice


class GpioLines:
    """Raises OSError where a line cannot be had."""

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
        try:
            self._lines[pin] = OutputDevice(pin)
        except GPIOZeroError as error:
            raise OSError(f"GPIO {pin} cannot be used: {error}") from error

    def output(self, pin: int, level: int) -> None:
        self._lines[pin].value = level

    def cleanup(self, pins: object = None) -> None:
        while self._lines:
            self._lines.popitem()[1].close()
