"""The pace of a camera that has no sensor to keep it."""

from __future__ import annotations

from companion.ports import Clock


class Pace:
    """At most `fps` pictures a second, the first one at once. A slow taker gets fewer, never a backlog."""

    def __init__(self, clock: Clock, fps: float) -> None:
        if fps <= 0:
            raise ValueError(f"fps is {fps}; more than 0 was expected")
        self._clock = clock
        self._every_s = 1 / fps
        self._due_s = clock.now_s()

    def wait(self, timeout_s: float) -> float | None:
        """Sleeps until the next picture is due and returns the time, or None if it is not due within `timeout_s`."""
        early_s = self._due_s - self._clock.now_s()
        if early_s > 0:
            self._clock.sleep(min(early_s, timeout_s))
        if early_s > timeout_s:
            return None
        now_s = self._clock.now_s()
        self._due_s = now_s + self._every_s
        return now_s
