"""What all Buttons do, whatever they are made of."""

from __future__ import annotations

import queue
import termios
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory
from pseudo import Line
from standins import FakeClock

from companion.events import Button, Press
from companion.ports import Buttons, DeviceLost
from hardware.buttons_gpio import GpioButtons
from hardware.buttons_keyboard import Keyboard
from hardware.buttons_script import ScriptButtons
from hardware.clock import SystemClock

PINS = {Button.BACK: (5,), Button.LESS: (6,), Button.MORE: (13,), Button.OK: (19,)}
PLAYED = [Press(Button.OK), Press(Button.BACK, held=True), Press(Button.LESS), Press(Button.MORE)]


@dataclass
class Bench:
    """Buttons, and a hand that presses PLAYED on them once somebody listens. `hold`: closes a contact for good."""

    buttons: Buttons
    play: Callable[[], None]
    hold: Callable[[Button], None] | None = None


class FingerClock(FakeClock):
    """Stands still but for the test, and counts how often the thread that looks at the lines asked for the time."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = threading.Condition()
        self.times = 0

    def now_s(self) -> float:
        with self.asked:
            self.times += 1
            self.asked.notify_all()
            return super().now_s()

    def pass_(self, seconds: float, wake: Callable[[], None]) -> None:
        """Lets time pass once the lines were looked at as they are, and returns once they were looked at again.

        The thread asks twice a round, and a round may be under way: so three times more.
        """
        for step_s in (seconds, 0.0):
            with self.asked:
                goal = self.times + 3
                while self.times < goal:
                    wake()
                    self.asked.wait(1)
            self.sleep(step_s)


def on_gpio(tmp_path, monkeypatch) -> Iterator[Bench]:
    factory = MockFactory()
    monkeypatch.setattr(gpiozero.Device, "pin_factory", factory)
    clock = FingerClock()
    buttons = GpioButtons(PINS, clock=clock, settle_s=0.002, hold_s=0.05, stuck_s=0.2)

    def play() -> None:
        for press in PLAYED:
            pin = factory.pin(PINS[press.button][0])
            for _ in range(5):
                pin.drive_low()
                pin.drive_high()
            pin.drive_low()
            clock.pass_(0.01, buttons._wake.set)
            clock.pass_(0.1 if press.held else 0.01, buttons._wake.set)
            pin.drive_high()
            clock.pass_(0.01, buttons._wake.set)

    yield Bench(buttons, play, lambda button: factory.pin(PINS[button][0]).drive_low())
    factory.close()


def on_a_keyboard(tmp_path, monkeypatch) -> Iterator[Bench]:
    line = Line()
    attributes = termios.tcgetattr(line.slave)
    attributes[3] |= termios.ICANON | termios.ECHO  # as a shell leaves a terminal
    termios.tcsetattr(line.slave, termios.TCSANOW, attributes)
    before = termios.tcgetattr(line.slave)
    keyboard = Keyboard(fd=line.slave)
    assert termios.tcgetattr(line.slave) != before
    yield Bench(keyboard, lambda: line.type(b"\rA\x1b[D\x1b[C"))
    assert termios.tcgetattr(line.slave) == before
    line.close()


def by_script(tmp_path, monkeypatch) -> Iterator[Bench]:
    script = tmp_path / "presses.txt"
    script.write_text("until listened\nOK\nhold BACK\nLESS\nMORE\n")
    listened = threading.Event()
    yield Bench(
        ScriptButtons(script, clock=SystemClock(), stands=lambda: ("listened",) * listened.is_set()), listened.set
    )


def really(tmp_path, monkeypatch) -> Iterator[Bench]:
    yield Bench(GpioButtons(PINS, clock=SystemClock()), lambda: None)  # press OK, hold BACK, press LESS, press MORE


@pytest.fixture(
    params=[
        pytest.param(on_gpio, id="gpio"),
        pytest.param(on_a_keyboard, id="keyboard"),
        pytest.param(by_script, id="script"),
        pytest.param(really, id="real", marks=pytest.mark.real),
    ]
)
def bench(request, tmp_path, monkeypatch):
    making = request.param(tmp_path, monkeypatch)
    bench = next(making)
    yield bench
    bench.buttons.close()
    assert next(making, None) is None


@pytest.fixture
def told():
    return queue.SimpleQueue()


def test_presses_arrive_in_their_order_each_once(bench, told):
    bench.buttons.listen(told.put, told.put, told.put)
    bench.play()
    assert [told.get(timeout=30) for _ in PLAYED] == PLAYED
    bench.buttons.close()
    assert told.empty()


def test_nobody_listens_twice(bench, told):
    bench.buttons.listen(told.put, told.put, told.put)
    with pytest.raises(DeviceLost):
        bench.buttons.listen(told.put, told.put, told.put)


def test_no_button_is_down_that_nobody_holds(bench, told):
    assert bench.buttons.down() == ()
    bench.buttons.listen(told.put, told.put, told.put)
    assert bench.buttons.down() == ()


def test_buttons_that_are_held_are_down_before_and_while_somebody_listens(bench, told):
    if bench.hold is None:
        pytest.skip("keys and scripts tell presses only; hold the real ones yourself")
    bench.hold(Button.OK)
    assert bench.buttons.down() == (Button.OK,)
    bench.buttons.listen(told.put, told.put, told.put)
    bench.hold(Button.LESS)
    assert bench.buttons.down() == (Button.LESS, Button.OK)


def test_closing_twice_is_harmless_leaves_no_thread_and_ends_listening(bench, told):
    before = threading.active_count()
    bench.buttons.listen(told.put, told.put, told.put)
    bench.buttons.close()
    bench.buttons.close()
    assert threading.active_count() == before
    with pytest.raises(DeviceLost):
        bench.buttons.listen(told.put, told.put, told.put)


def test_buttons_nobody_listened_to_close(bench):
    bench.buttons.close()
