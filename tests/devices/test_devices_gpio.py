from __future__ import annotations

import os
import queue
import subprocess
import sys
import tempfile
import threading
import warnings
from pathlib import Path

import gpiozero
import pytest
from standins import FakeClock, Overtaken

from companion.events import Button, Press
from companion.ports import DeviceLost
from hardware.buttons_gpio import GpioButtons, GpioKnock, stuck_words
from hardware.clock import SystemClock
from hardware.gpio_lines import GpioLines

PINS = {Button.BACK: (5,), Button.LESS: (6,), Button.MORE: (13,), Button.OK: (19, 26)}


@pytest.fixture
def told():
    return queue.SimpleQueue()


@pytest.fixture
def only_when_woken(monkeypatch):
    """The lines are looked at for no other reason than that something moved, is due or closes."""
    monkeypatch.setattr("hardware.buttons_gpio.LOOK_S", 3600.0)


def listening(told, **settings) -> GpioButtons:
    buttons = GpioButtons(PINS, clock=SystemClock(), **settings)
    buttons.listen(told.put, told.put, told.put)
    return buttons


def strike(pin, *, bounces=8):
    """Down, bouncing; the caller lets go."""
    for _ in range(bounces):
        pin.drive_low()
        pin.drive_high()
    pin.drive_low()


def test_bouncing_edges_of_four_buttons_are_one_press_each(factory):
    clock = FakeClock()
    buttons = GpioButtons(PINS, clock=clock)
    told = []
    for pins in PINS.values():
        for number in pins:
            pin = factory.pin(number)
            for level in (pin.drive_low, pin.drive_high):
                for _ in range(8):
                    pin.drive_low()
                    told += buttons.look()
                    pin.drive_high()
                    told += buttons.look()
                    clock.sleep(0.001)
                level()
                told += buttons.look()
                clock.sleep(0.03)
                told += buttons.look()
    assert told == [Press(button) for button, pins in PINS.items() for _ in pins]
    buttons.close()


def test_a_look_that_hangs_in_the_driver_can_be_seen_and_when_it_began(factory, monkeypatch):
    clock, entered, freed = FakeClock(), threading.Event(), threading.Event()
    buttons = GpioButtons(PINS, clock=clock)
    assert buttons.looking_since_s() is None
    buttons.look()
    assert buttons.looking_since_s() is None
    monkeypatch.setattr(GpioButtons, "_is_down", lambda _buttons, _button: entered.set() or not freed.wait(30))
    looking = threading.Thread(target=buttons.look)
    looking.start()
    entered.wait(30)
    began_s = clock.now_s()
    clock.sleep(7)
    assert buttons.looking_since_s() == began_s
    freed.set()
    looking.join()
    assert buttons.looking_since_s() is None
    buttons.close()


def test_a_button_kept_down_is_held_then_stuck_then_well_again(factory, told, only_when_woken):
    buttons = listening(told, settle_s=0.001, hold_s=0.01, stuck_s=0.03)
    pin = factory.pin(6)
    strike(pin)
    assert told.get(timeout=10) == Press(Button.LESS, held=True)
    assert told.get(timeout=10) == "LESS has been down for too long; let it go, or check its wires"
    pin.drive_high()
    assert told.get(timeout=10) == ""
    buttons.close()


def test_a_press_whose_edge_is_lost_is_heard(factory, told):
    class Idle(threading.Event):
        """The contact closes without an edge when the thread that looks has nothing to do."""

        def wait(self, timeout=None):
            factory.pin(6)._state = False
            return super().wait(timeout)

    buttons = GpioButtons(PINS, clock=SystemClock(), settle_s=0.001, hold_s=0.01)
    buttons._wake = Idle()
    buttons.listen(told.put, told.put, told.put)
    assert told.get(timeout=10) == Press(Button.LESS, held=True)
    buttons.close()
    assert told.empty()


def test_a_button_down_at_the_beginning_does_not_count(factory, told):
    buttons = GpioButtons(PINS, clock=SystemClock(), settle_s=0.001, hold_s=0.01)
    factory.pin(19).drive_low()  # opening pulled it up
    buttons.listen(told.put, told.put, told.put)
    factory.pin(19).drive_high()
    strike(factory.pin(5))
    assert told.get(timeout=10) == Press(Button.BACK, held=True)
    factory.pin(5).drive_high()
    buttons.close()
    assert told.empty()


def test_every_edge_is_felt_below_the_debouncing_with_its_time(factory, told):
    clock = FakeClock()
    buttons = GpioButtons(PINS, clock=clock)
    edges = []
    buttons.feel(lambda button, at_s: edges.append((button, at_s)))
    buttons.listen(told.put, told.put, told.put)
    pin = factory.pin(26)
    for level in (pin.drive_low, pin.drive_high, pin.drive_low):
        level()
        clock.sleep(0.001)
    buttons.close()
    assert edges == [(Button.OK, pytest.approx(100.0 + n / 1000)) for n in range(3)]


def failing(monkeypatch, pin):
    def read():
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(pin, "_get_state", read)


def test_a_line_that_cannot_be_read_any_more_is_told_and_the_same_lines_can_be_opened_anew(factory, told, monkeypatch):
    buttons = listening(told)
    with monkeypatch.context() as broken:
        failing(broken, factory.pin(6))
        factory.pin(5).drive_low()
        assert str(told.get(timeout=10)).startswith("LESS cannot be read: [Errno 5] Input/output error; check the pin")
        buttons.close()
        with pytest.raises(DeviceLost, match=r"GPIO 6 cannot be read: \[Errno 5\]"):
            GpioButtons(PINS, clock=SystemClock())
    factory.pin(5).drive_high()
    again = listening(told, settle_s=0.001, hold_s=0.01)
    strike(factory.pin(6))
    assert told.get(timeout=10) == Press(Button.LESS, held=True)
    again.close()


def test_closing_gives_the_lines_back_ends_the_thread_and_may_be_repeated(factory, told):
    buttons = listening(told)
    buttons.close()
    buttons.close()
    assert "gpio buttons" not in {thread.name for thread in threading.enumerate()}
    GpioButtons(PINS, clock=SystemClock()).close()
    with pytest.raises(DeviceLost, match="closed"):
        buttons.listen(told.put, told.put, told.put)


def test_a_close_that_overtakes_the_look_at_the_lines_is_not_lost(factory, told, only_when_woken):
    buttons = GpioButtons(PINS, clock=SystemClock())
    closing = threading.Thread(target=buttons.close)
    buttons._wake = Overtaken(lambda: (closing.start(), buttons._closing.wait(10)))
    buttons.listen(told.put, told.put, told.put)
    buttons._thread.join(10)
    assert not buttons._thread.is_alive()
    closing.join(10)
    assert told.empty()


def test_closing_does_not_wait_for_a_driver_that_hangs(factory, told, monkeypatch):
    buttons, entered, freed = listening(told), threading.Event(), threading.Event()
    monkeypatch.setattr(factory.pin(6), "_get_state", lambda: (entered.set(), freed.wait(30))[1])
    monkeypatch.setattr("hardware.buttons_gpio.CLOSE_S", 0.01)
    factory.pin(5).drive_low()
    assert entered.wait(10)
    buttons.close()
    assert buttons._thread.is_alive()
    freed.set()
    buttons._thread.join(10)
    assert told.empty()


def test_a_pin_that_is_taken_tells_which_and_gives_the_others_back(factory):
    with gpiozero.OutputDevice(13), pytest.raises(DeviceLost, match=r"GPIO 13 cannot be read: .*; check the pin"):
        GpioButtons(PINS, clock=SystemClock())
    GpioButtons(PINS, clock=SystemClock()).close()


class LgpioError(Exception):
    """As lgpio's own: of no other class."""


def busy(*_):
    raise LgpioError("GPIO busy")


def test_an_error_of_the_driver_below_is_a_lost_device(factory, told, monkeypatch):
    buttons = listening(told)
    monkeypatch.setattr(factory.pin(6), "_get_state", busy)
    factory.pin(5).drive_low()
    assert str(told.get(timeout=10)).startswith("LESS cannot be read: GPIO busy; check the pin numbers")
    buttons.close()
    monkeypatch.setattr(factory.pin(21), "_get_state", busy)
    with pytest.raises(DeviceLost, match="GPIO 21 cannot be read: GPIO busy; check the pin"):
        GpioKnock(21, clock=FakeClock(), knocked=told.put)


def test_an_error_of_the_driver_below_an_output_line_is_one_of_the_system(factory, monkeypatch):
    lines = GpioLines()
    lines.setup(24, lines.OUT)
    monkeypatch.setattr(factory.pin(25), "output_with_state", busy)
    with pytest.raises(OSError, match="GPIO 25 cannot be used: GPIO busy"):
        lines.setup(25, lines.OUT)
    monkeypatch.setattr(factory.pin(24), "_set_state", busy)
    with pytest.raises(OSError, match="GPIO 24 cannot be used: GPIO busy"):
        lines.output(24, lines.HIGH)
    lines.cleanup()


@pytest.mark.parametrize(
    ("open_", "lost", "told"),
    [
        (lambda: GpioButtons(PINS, clock=SystemClock()), DeviceLost, "GPIO 5 cannot be read: "),
        (lambda: GpioLines().setup(24, GpioLines.OUT), ImportError, "^"),
    ],
    ids=["buttons", "panel"],
)
def test_a_machine_without_gpio_is_told_as_lost_and_warned_of_by_nobody(open_, lost, told, monkeypatch):
    def none():
        warnings.warn(gpiozero.PinFactoryFallback("Falling back from lgpio: No module named 'lgpio'"), stacklevel=2)
        raise gpiozero.exc.BadPinFactory("Unable to load any default pin factory!")

    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.setattr(gpiozero.Device, "_default_pin_factory", staticmethod(none))
    with pytest.raises(lost, match=f"{told}Unable to load any default pin factory"):
        open_()


def opened_output():
    with GpioLines() as lines:
        lines.setup(24, lines.OUT)


@pytest.mark.parametrize(
    "open_", [lambda: GpioButtons(PINS, clock=SystemClock()).close(), opened_output], ids=["buttons", "panel"]
)
def test_lgpio_writes_its_file_elsewhere_where_the_current_folder_is_read_only(factory, tmp_path, monkeypatch, open_):
    monkeypatch.delenv("LG_WD", raising=False)
    open_()
    assert "LG_WD" not in os.environ
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    open_()
    open_()
    [folder] = tmp_path.iterdir()  # not the one that all share: another user's file may lie there
    assert os.environ.pop("LG_WD") == str(folder)
    assert folder.stat().st_mode & 0o777 == 0o700


READ_ONLY = """
import os, sys, tempfile
from hardware.gpio_lines import let_lgpio_write
os.environ.pop("LG_WD", None)
os.access = lambda path, mode: False
tempfile.tempdir = sys.argv[1]
let_lgpio_write()
print(os.environ["LG_WD"])
"""


def test_where_lgpio_wrote_its_file_nothing_is_left_when_the_program_ends(tmp_path):
    ended = subprocess.run([sys.executable, "-c", READ_ONLY, tmp_path], capture_output=True, text=True, check=True)
    assert Path(ended.stdout).parent == tmp_path
    assert list(tmp_path.iterdir()) == []


def test_output_lines_that_were_let_go_can_be_had_again(factory):
    kept = [GpioLines(), GpioLines()]
    for lines in kept:
        with lines:
            lines.setup(24, lines.OUT)
            lines.setup(25, lines.OUT)


def test_a_knock_is_told_once_however_long_the_table_shakes(factory):
    clock = FakeClock()
    knocks = []
    knock = GpioKnock(21, clock=clock, knocked=lambda: knocks.append(clock.now_s()))
    pin = factory.pin(21)
    for _ in range(20):
        pin.drive_low()
        pin.drive_high()
        clock.sleep(0.1)
    clock.sleep(1)
    pin.drive_low()
    assert knocks == [100.0, pytest.approx(103)]
    knock.close()


def test_several_that_are_stuck_are_named_together() -> None:
    several = "LESS and OK have been down for too long; let them go, or check their wires"
    assert stuck_words((Button.LESS, Button.OK)) == several
