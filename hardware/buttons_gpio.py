"""Push buttons, or a HAT's joystick and keys, on GPIO lines: each connects its line to ground."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial

from gpiozero import DigitalInputDevice

from companion.events import Button, Press
from companion.ports import Clock, DeviceLost
from hardware.debounce import Debouncer, Stuck
from hardware.gpio_lines import let_lgpio_write, spare_fallbacks

Pins = Mapping[Button, Sequence[int]]
QUIET_S = 0.5  # between two knocks: one shakes its switch for a while
LOOK_S = 0.25  # the longest between two looks at the lines
CLOSE_S = 0.5  # a look at the lines takes far less, unless the driver hangs
REMEDY = "check the pin numbers, that no other program uses them, and that the user is in the group gpio"


def open_input(pin: int, device: str) -> DigitalInputDevice:
    """A line with its pull-up on. Raises DeviceLost in the name of `device`."""
    let_lgpio_write()
    spare_fallbacks()
    try:
        return DigitalInputDevice(pin, pull_up=True)
    except Exception as error:  # gpiozero's, or one of the driver below it: lgpio's is a class of its own
        raise DeviceLost(device, f"GPIO {pin} cannot be read: {str(error) or type(error).__name__}", REMEDY) from error


class GpioButtons:
    """`pins`: for each button its GPIOs by BCM number; several on one button do the same.

    Levels are looked at, not counted: a thread looks every LOOK_S, and an edge only wakes it sooner. A press whose
    edges are lost is heard all the same if it lasts for so long.
    """

    def __init__(
        self, pins: Pins, *, clock: Clock, settle_s: float = 0.025, hold_s: float = 1.0, stuck_s: float = 20.0
    ) -> None:
        self._clock = clock
        self._debouncer = Debouncer(settle_s=settle_s, hold_s=hold_s, stuck_s=stuck_s)
        self._lines: dict[Button, list[DigitalInputDevice]] = {button: [] for button in Button}
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        self._felt: Callable[[Button, float], None] | None = None
        self._looking_since_s: float | None = None
        with ExitStack() as undo:
            for button, numbers in pins.items():
                for number in numbers:
                    line = open_input(number, "buttons")
                    undo.callback(line.close)
                    self._lines[button].append(line)
            self._opened = undo.pop_all()

    def listen(
        self, pressed: Callable[[Press], None], ailing: Callable[[str], None], failed: Callable[[Exception], None]
    ) -> None:
        if self._thread is not None or self._closing.is_set():
            raise DeviceLost("buttons", "the buttons are closed or already listened to", "open them again")
        self._debouncer.begin(self.down(), self._clock.now_s())
        for button, lines in self._lines.items():
            for line in lines:
                line.when_activated = line.when_deactivated = partial(self._moved, button)
        self._thread = threading.Thread(
            target=self._run, args=(pressed, ailing, failed), name="gpio buttons", daemon=True
        )
        self._thread.start()

    def feel(self, edge: Callable[[Button, float], None]) -> None:
        self._felt = edge

    def down(self) -> tuple[Button, ...]:
        return tuple(button for button in Button if self._is_down(button))

    def looking_since_s(self) -> float | None:
        return self._looking_since_s

    def close(self) -> None:
        self._closing.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(CLOSE_S)
        self._opened.close()

    def _moved(self, button: Button) -> None:
        """In the driver's thread."""
        if self._felt is not None:
            self._felt(button, self._clock.now_s())
        self._wake.set()

    def _run(
        self, pressed: Callable[[Press], None], ailing: Callable[[str], None], failed: Callable[[Exception], None]
    ) -> None:
        try:
            self._tell(pressed, ailing)
        except Exception as error:  # whatever a driver raises, somebody must hear that these buttons are deaf
            if not self._closing.is_set():
                failed(error)

    def _tell(self, pressed: Callable[[Press], None], ailing: Callable[[str], None]) -> None:
        """Until they are closed."""
        while self._goes_on():
            for told in self.look():
                match told:
                    case Press():
                        pressed(told)
                    case Stuck(buttons):
                        ailing(stuck_words(buttons))
            self._wake.wait(self._wait_s())

    def _wait_s(self) -> float:
        due_s = self._debouncer.due_s()
        return LOOK_S if due_s is None else min(LOOK_S, max(0.0, due_s - self._clock.now_s()))

    def _goes_on(self) -> bool:
        """Looks after clearing: what moves or closes from here on wakes the next wait."""
        self._wake.clear()
        return not self._closing.is_set()

    def look(self) -> list[Press | Stuck]:
        """One look at all lines: what it tells. Only the thread calls it once there is one."""
        now_s = self._clock.now_s()
        self._looking_since_s = now_s
        for button in Button:
            self._debouncer.level(button, down=self._is_down(button), now_s=now_s)
        self._looking_since_s = None
        return self._debouncer.tick(now_s)

    def _is_down(self, button: Button) -> bool:
        """Raises DeviceLost."""
        try:
            return any(line.is_active for line in self._lines[button])
        except Exception as error:  # as in open_input
            raise DeviceLost("buttons", f"{button.name} cannot be read: {error}", REMEDY) from error


def stuck_words(buttons: Sequence[Button]) -> str:
    """What ails stuck buttons; "" when there are none."""
    if not buttons:
        return ""
    names = " and ".join(button.name for button in buttons)
    have, them, their = ("has", "it", "its") if len(buttons) == 1 else ("have", "them", "their")
    return f"{names} {have} been down for too long; let {them} go, or check {their} wires"


class GpioKnock:
    """A piezo or vibration switch that feels a knock on the table."""

    def __init__(self, pin: int, *, clock: Clock, knocked: Callable[[], None]) -> None:
        self._clock = clock
        self._knocked = knocked
        self._last_s = float("-inf")
        self._line = open_input(pin, "knock")
        self._line.when_activated = self._felt

    def close(self) -> None:
        self._line.close()

    def _felt(self) -> None:
        now_s = self._clock.now_s()
        if now_s - self._last_s >= QUIET_S:
            self._knocked()
        self._last_s = now_s
