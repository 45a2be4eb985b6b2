"""Stand-ins for the devices' tests: time that only moves when told, and devices that fail when told."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from companion.events import Button, DeviceChanged, Press
from companion.ports import Colour, DeviceLost, Frame
from hardware.adalight import NUDGED


class FakeClock:
    """Time stands still but for `sleep`."""

    def __init__(self, now_s: float = 100.0) -> None:
        self.time_s = now_s

    def now_s(self) -> float:
        return self.time_s

    def sleep(self, seconds: float) -> None:
        assert seconds >= 0
        self.time_s += seconds


class Bench:
    """A device of any kind on the bench: what was done to it, and whether its cable is in."""

    def __init__(self, clock: FakeClock) -> None:
        self.clock = clock
        self.plugged = True
        self.opened = 0
        self.open_now = 0
        self.done: list[object] = []
        self.frames: list[Frame | None] = []
        self.listeners: list[tuple[Callable[[Press], None], Callable[[str], None], Callable[[Exception], None]]] = []
        self.looking_since_s: float | None = None
        self.said: list[DeviceChanged] = []

    def open(self) -> BenchDevice:
        self.need_cable()
        self.opened += 1
        self.open_now += 1
        return BenchDevice(self)

    def need_cable(self) -> None:
        if not self.plugged:
            raise DeviceLost("bench", "the cable is out", "plug it in")


class BenchDevice:
    remedy = "look after it"

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.closed = False

    def show(self, value: object) -> None:
        self.bench.need_cable()
        self.bench.done.append(value)

    def refresh(self) -> None:
        self.bench.need_cable()
        self.bench.done.append("refresh")

    def frame(self, timeout_s: float) -> Frame | None:
        self.bench.need_cable()
        if self.bench.frames:
            return self.bench.frames.pop(0)
        self.bench.clock.sleep(timeout_s)
        return None

    def rolled(self) -> None:
        self.bench.done.append("rolled")

    def listen(
        self, pressed: Callable[[Press], None], ailing: Callable[[str], None], failed: Callable[[Exception], None]
    ) -> None:
        self.bench.need_cable()
        self.bench.listeners.append((pressed, ailing, failed))

    def down(self) -> tuple[Button, ...]:
        return ()

    def looking_since_s(self) -> float | None:
        return self.bench.looking_since_s

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self.bench.open_now -= 1


class Overtaken(threading.Event):
    """Something happens just before it is cleared, once."""

    def __init__(self, before: Callable[[], None]) -> None:
        super().__init__()
        self._before: Callable[[], None] | None = before

    def clear(self) -> None:
        before, self._before = self._before, None
        if before is not None:
            before()
        super().clear()


class Hung:
    """A device whose call does not return until it is freed."""

    def __init__(self) -> None:
        self.entered = threading.Event()
        self.freed = threading.Event()

    def show(self, value: object) -> None:
        self.entered.set()
        self.freed.wait(30)

    def refresh(self) -> None: ...

    def close(self) -> None: ...


def nudged(colours: Sequence[Colour]) -> tuple[tuple[int, ...], ...]:
    """The colours as a ring gets them: no byte of theirs commands anything."""
    return tuple(tuple(bytes(colour).translate(NUDGED)) for colour in colours)
