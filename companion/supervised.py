"""One device that may come and go: opened when due, given up when it fails, its health told when it changes."""

from __future__ import annotations

import logging
import threading
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Generic, Protocol, TypeVar

from companion.events import DeviceChanged, Health
from companion.ports import DeviceLost

log = logging.getLogger(__name__)

STEADY_S = 3.0  # what fails sooner after it was opened has not come back, whatever it did meanwhile


class Closable(Protocol):
    def close(self) -> None: ...


D = TypeVar("D", bound=Closable)
Report = Callable[[DeviceChanged], None]


@dataclass(frozen=True, slots=True)
class Backoff:
    """Seconds to wait before the next try. The longest leaves time to open and draw within 5 s of the cable."""

    first_s: float = 0.2
    longest_s: float = 3.0

    def after(self, failures: int) -> float:
        return float(min(self.longest_s, self.first_s * 2 ** min(failures - 1, 16)))


def spoken(role: str) -> str:
    """What the log calls a role: what shows may be a panel, a terminal or pictures in a folder."""
    return "screen" if role == "oled" else role


class Roles:
    """Several devices may play one role: it is lost while any of them is, and back when none is any more."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._lost: defaultdict[str, set[object]] = defaultdict(set)
        self._hearing = threading.Lock()

    def one(self) -> Report:
        """Where one more device reports its health. From any thread."""
        return partial(self._heard, object())

    def _heard(self, device: object, fact: DeviceChanged) -> None:
        say = log.info if fact.health is Health.OK else log.warning
        say("%s", ": ".join(filter(None, (spoken(fact.device), fact.health.value, fact.detail))))
        with self._hearing:
            lost = self._lost[fact.device]
            was_lost = bool(lost)
            if fact.health is Health.OK:
                lost.discard(device)
            else:
                lost.add(device)
            if not (was_lost and lost):
                self._report(fact)


class Supervised(Generic[D]):
    """One device: opened when due, given up when it fails, its health told when it changes. No thread."""

    def __init__(self, role: str, open_: Callable[[], D], report: Report) -> None:
        self._role = role
        self._open = open_
        self._report = report
        self._backoff = Backoff()
        self._device: D | None = None
        self._opened_s = float("-inf")
        self._proven = False  # since it was opened
        self._failures = 0  # since it last was steady
        self._due_s = float("-inf")
        self._unforeseen = ""  # what was last told with its trace
        self._said: DeviceChanged | None = None
        self._saying = threading.Lock()

    @property
    def device(self) -> D | None:
        return self._device

    @property
    def health(self) -> Health | None:
        """As last told; None before it was."""
        return self._said.health if self._said is not None else None

    def ready(self, now_s: float) -> D | None:
        """The open device; opens it when a try is due, None while it is lost."""
        if self._device is None and now_s >= self._due_s:
            try:
                self._device = self._open()
                self._opened_s, self._proven = now_s, False
            except Exception as error:  # whatever a driver raises, the game goes on
                self.failed(error, now_s)
        return self._device

    def wait_s(self, now_s: float) -> float:
        """Seconds until the next try to open it."""
        return max(0.0, self._due_s - now_s)

    def worked(self, ailment: str = "") -> None:
        """The device did what it is for; with an `ailment` not all of it."""
        self._proven = True
        self.say(Health.LOST if ailment else Health.OK, ailment)

    def failed(self, error: Exception, now_s: float) -> None:
        """Gives the device up until the next try. The log gets the trace of what is not foreseen, once in a row."""
        if not isinstance(error, DeviceLost) and repr(error) != self._unforeseen:
            self._unforeseen = repr(error)
            log.error("%s failed in an unforeseen way", spoken(self._role), exc_info=error)
        self._failures = 1 if self._was_steady(now_s) else self._failures + 1
        self.close()
        self._due_s = now_s + self._backoff.after(self._failures)
        self.say(Health.LOST, str(error) or type(error).__name__)

    def _was_steady(self, now_s: float) -> bool:
        return self._device is not None and self._proven and now_s - self._opened_s >= STEADY_S

    def say(self, health: Health, detail: str = "") -> None:
        """Reports the health if it differs from what was said last. From any thread."""
        fact = DeviceChanged(self._role, health, detail)
        with self._saying:
            if fact == self._said:
                return
            self._said = fact
            self._report(fact)

    def close(self) -> None:
        device, self._device = self._device, None
        if device is not None:
            try:
                device.close()
            except Exception as error:
                log.warning("%s did not close: %s", spoken(self._role), error)
