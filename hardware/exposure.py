"""When to keep a camera's exposure as it is, and when to let it find a new one. Pure.

A fixed exposure makes a die look the same in every picture, and the ring's light cannot fool the camera; but when the
room's light changes for good, or the lens was covered, it must be found anew.
"""

from __future__ import annotations

from enum import Enum

SETTLE_S = 2.0  # automatic exposure and white balance of a Camera Module settle within about a second
CHANGED_S = 3.0  # a hand reaching in is gone by then
RATIO = 2.0  # dice change a tray's mean brightness by far less, a lamp by more
DARKEST = 4.0  # of 255; below, a ratio means nothing


class Exposure(Enum):
    KEEP = "keep"  # go on as before
    LOCK = "lock"  # fix exposure, gain, white balance and focus as they are now
    FREE = "free"  # let them find new values


class ExposureWatch:
    """Told each picture's mean brightness (0-255), says once when to lock and when to free."""

    def __init__(self, now_s: float) -> None:
        self._settled_s = now_s + SETTLE_S
        self._locked_at: float | None = None
        self._other_since_s: float | None = None

    def see(self, brightness: float, now_s: float) -> Exposure:
        bright = max(brightness, DARKEST)
        if self._locked_at is None:
            if now_s < self._settled_s:
                return Exposure.KEEP
            self._locked_at, self._other_since_s = bright, None
            return Exposure.LOCK
        if 1 / RATIO < bright / self._locked_at < RATIO:
            self._other_since_s = None
        elif self._other_since_s is None:
            self._other_since_s = now_s
        elif now_s - self._other_since_s >= CHANGED_S:
            self._locked_at, self._settled_s = None, now_s + SETTLE_S
            return Exposure.FREE
        return Exposure.KEEP
