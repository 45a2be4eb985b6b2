"""When to keep a camera's exposure as it is, and when to let it find a new one; and whether it kept it. Pure.

A fixed exposure makes a die look the same in every picture, and the ring's light cannot fool the camera; but when the
room's light changes for good, or the lens was covered, it must be found anew.
"""

from __future__ import annotations

from dataclasses import fields
from enum import Enum

from companion.ports import Locks

SETTLE_S = 2.0  # automatic exposure and white balance of a Camera Module settle within about a second
CHANGED_S = 3.0  # a hand reaching in is gone by then
RATIO = 2.0  # dice change a tray's mean brightness by far less, a lamp by more
DARKEST = 4.0  # of 255; below, a ratio means nothing
NEAR = 0.06  # share by which what a camera took may differ from what it was told: it has steps of its own
NAMES = {
    "exposure_us": "exposure",
    "gain": "gain",
    "white_gains": "white balance",
    "white_k": "white balance",
    "lens_dioptres": "focus",
    "focus": "focus",
}


class Exposure(Enum):
    KEEP = "keep"  # go on as before
    LOCK = "lock"  # fix exposure, gain, white balance and focus as they are now
    FREE = "free"  # let them find new values


class ExposureWatch:
    """Told each picture's mean brightness (0-255), says once when to lock and when to free.

    `locked_at`: the brightness that a camera which is locked from the beginning should give.
    """

    def __init__(self, now_s: float, *, locked_at: float | None = None) -> None:
        self._settled_s = now_s + SETTLE_S
        self._locked_at = None if locked_at is None else max(locked_at, DARKEST)
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


def kept(asked: Locks, found: Locks) -> str:
    """In plain words, which of the calibrated settings a camera took and which it refused."""
    taken: list[str] = []
    refused: list[str] = []
    for each in fields(asked):
        value = getattr(asked, each.name)
        if each.name in NAMES and value is not None:
            (taken if near(value, getattr(found, each.name)) else refused).append(NAMES[each.name])
    told = [f"the camera keeps {', '.join(taken)} as calibrated" if taken else ""]
    told += [f"it refuses {', '.join(refused)}: run companion calibrate camera again" if refused else ""]
    return "; ".join(part for part in told if part)


def near(asked: float | tuple[float, float], found: float | tuple[float, float] | None) -> bool:
    if found is None:
        return False
    one, two = (value if isinstance(value, tuple) else (value,) for value in (asked, found))
    return all(abs(a - b) <= NEAR * max(abs(a), 1.0) for a, b in zip(one, two, strict=True))
