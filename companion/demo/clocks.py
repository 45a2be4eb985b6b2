"""Clocks that run faster than the wall's."""

from __future__ import annotations

import threading
import time


class FastClock:
    """Time passes by being slept, `speed` times as fast as real time; with None nobody ever waits.

    What is done between two sleeps takes no time here. Where it takes longer than there is, the clock falls behind:
    a slow machine sees as much of each throw as a fast one. Threads that sleep at a time sleep through the same time.
    """

    def __init__(self, speed: float | None) -> None:
        self._speed = speed
        self._slept_s = 0.0
        self._woke_s = time.monotonic()
        self._passing = threading.Lock()

    def now_s(self) -> float:
        return self._slept_s

    def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            return
        due_s = self._slept_s + seconds
        if self._speed is not None:
            time.sleep(max(0.0, self._woke_s + seconds / self._speed - time.monotonic()))
        with self._passing:
            self._slept_s, self._woke_s = max(self._slept_s, due_s), time.monotonic()
