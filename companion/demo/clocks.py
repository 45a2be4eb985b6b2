"""Clocks that run faster than the wall's."""

from __future__ import annotations

import time


class FastClock:
    """Time passes by being slept by one thread, `speed` times as fast as real time; with None nobody ever waits.

    What is done between two sleeps takes no time here. Where it takes longer than there is, the clock falls behind:
    a slow machine sees as much of each throw as a fast one.
    """

    def __init__(self, speed: float | None) -> None:
        self._speed = speed
        self._slept_s = 0.0
        self._woke_s = time.monotonic()

    def now_s(self) -> float:
        return self._slept_s

    def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            return
        self._slept_s += seconds
        if self._speed is not None:
            time.sleep(max(0.0, self._woke_s + seconds / self._speed - time.monotonic()))
            self._woke_s = time.monotonic()
