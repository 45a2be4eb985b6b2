"""Presses of OK that answer what somebody has read: each leads to another question."""

from __future__ import annotations

from collections.abc import Callable

from companion.events import Button, Press
from companion.ports import Clock

DOUBLE_S = 0.4  # from one press of OK to the next: sooner nobody has read what the first one led to
TOGETHER_S = 0.02  # no finger presses twice so soon: a script does, or what was pasted into a terminal


class Single:
    """Passes on to `pressed` what one device hears, but for the second press of a double one of OK.

    What it led to would be accepted unseen, and what was shown to the camera be taken twice. The buttons that choose a
    number are pressed quickly, and so are both passed on.
    """

    def __init__(self, clock: Clock, pressed: Callable[[Press], None]) -> None:
        self._clock = clock
        self._pressed = pressed
        self._last_s: float | None = None

    def heard(self, press: Press) -> None:
        """To be called as it comes, in the thread of the device."""
        now_s = self._clock.now_s()
        since_s = None if self._last_s is None else now_s - self._last_s
        self._last_s = now_s if press.button is Button.OK else None
        if since_s is None or press.button is not Button.OK or not TOGETHER_S < since_s < DOUBLE_S:
            self._pressed(press)
