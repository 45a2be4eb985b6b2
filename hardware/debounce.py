"""From the bouncing levels of contacts to presses. Pure: time is passed in.

A level counts once it stayed the same for `settle_s`. A press is short, told when the button is let go, or held, told
once after `hold_s`. While one button is down the others do not count, so of two at once the first wins; a button that
is still down after `stuck_s` is told to be stuck, and no longer stands in the way of the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from companion.events import Button, Press


@dataclass(frozen=True, slots=True)
class Stuck:
    """The buttons that have been down for too long, in their order; none once all were let go."""

    buttons: tuple[Button, ...]


@dataclass(slots=True)
class Contact:
    """`raw`: the level as last seen, since `raw_s`. `down`: the level that counts, since `down_s`."""

    raw: bool = False
    raw_s: float = 0.0
    began_s: float | None = None  # when `raw` first differed from `down`, bounces included
    down: bool = False
    down_s: float = 0.0
    stuck: bool = False


class Debouncer:
    """`level` whenever a level is seen, `tick` at the latest when `due_s` says so."""

    def __init__(self, *, settle_s: float = 0.025, hold_s: float = 1.0, stuck_s: float = 20.0) -> None:
        self._settle_s = settle_s
        self._hold_s = hold_s
        self._stuck_s = stuck_s
        self._contacts = {button: Contact() for button in Button}
        self._pressing: Button | None = None  # the one button whose press is under way
        self._held = False  # and whether it was told to be held

    def begin(self, down: Iterable[Button], now_s: float) -> None:
        """Buttons that are down before anybody listened: they do not count until they were let go."""
        for button in down:
            self._contacts[button] = Contact(raw=True, raw_s=now_s, down=True, down_s=now_s)

    def level(self, button: Button, *, down: bool, now_s: float) -> None:
        contact = self._contacts[button]
        if down != contact.raw:
            contact.raw, contact.raw_s = down, now_s
            contact.began_s = now_s if contact.began_s is None else contact.began_s

    def tick(self, now_s: float) -> list[Press | Stuck]:
        """What came of it up to now."""
        told = [press for button in self._settled(now_s) for press in self._changed(button, now_s)]
        told += self._holding(now_s)
        return [*told, *self._sticking(now_s)]

    def due_s(self) -> float | None:
        """When `tick` may have something to tell if no level changes before; None for never."""
        return min((due for button in Button for due in self._dues(button)), default=None)

    def _dues(self, button: Button) -> Iterator[float]:
        contact = self._contacts[button]
        if contact.began_s is not None:
            yield contact.raw_s + self._settle_s
        if contact.down and not contact.stuck:
            yield contact.down_s + self._stuck_s
        if button is self._pressing and self._may_hold(contact):
            yield contact.down_s + self._hold_s

    def _settled(self, now_s: float) -> list[Button]:
        """Buttons whose level has been quiet for long enough, the one that moved first before the others."""
        moving = [(c.began_s, button) for button, c in self._contacts.items() if c.began_s is not None]
        order = [button for _, button in sorted(moving, key=lambda one: one[0])]
        return [button for button in order if now_s >= self._contacts[button].raw_s + self._settle_s]

    def _changed(self, button: Button, now_s: float) -> Iterator[Press]:
        contact = self._contacts[button]
        began_s, contact.began_s = contact.began_s, None
        if contact.raw == contact.down:
            return  # it only bounced
        contact.down = contact.raw
        if contact.down:
            contact.down_s = now_s if began_s is None else began_s
            if self._pressing is None:
                self._pressing, self._held = button, False
        elif button is self._pressing:
            self._pressing = None
            if not self._held:
                yield Press(button, held=contact.raw_s - contact.down_s >= self._hold_s)

    def _holding(self, now_s: float) -> Iterator[Press]:
        button = self._pressing
        if button is None:
            return
        contact = self._contacts[button]
        if self._may_hold(contact) and now_s >= contact.down_s + self._hold_s:
            self._held = True
            yield Press(button, held=True)

    def _may_hold(self, contact: Contact) -> bool:
        """Not once it was let go, even if that is still to settle."""
        return contact.raw and not self._held

    def _sticking(self, now_s: float) -> Iterator[Stuck]:
        before = self._stuck()
        for button, contact in self._contacts.items():
            contact.stuck = contact.down and now_s >= contact.down_s + self._stuck_s
            if contact.stuck and button is self._pressing:
                self._pressing = None
        if self._stuck() != before:
            yield Stuck(self._stuck())

    def _stuck(self) -> tuple[Button, ...]:
        return tuple(button for button, contact in self._contacts.items() if contact.stuck)
