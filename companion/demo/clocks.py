"""Clocks that run faster than the wall's."""

from __future__ import annotations

import time


class FastClock:
    """Runs `speed` times as fast as real time; with None nobody ever waits, and time passes by being slept."""

    def __init__(self, speed: float | None) -> None:
        self._speed = speed
        self._slept_s = 0.0

    def now_s(self) -> float:
        return self._slept_s if self._speed is None else time.monotonic() * self._speed

    def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            return
        if self._speed is None:
            self._slept_s += seconds
        else:
            time.sleep(seconds / self._speed)
