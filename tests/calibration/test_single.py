"""A double press of OK answers one question, and not the next one, which nobody has read yet."""

from __future__ import annotations

from queue import SimpleQueue

import numpy as np
import pytest
from leading import DAY
from standins import FakeClock

from calibration import steps
from calibration.guide import Guide, Table
from calibration.single import DOUBLE_S, TOGETHER_S, Single
from companion.events import Button, Press
from companion.locale import ENGLISH
from hardware.camera_simulated import SimulatedCamera

GREY = np.full((48, 64, 3), 90, np.uint8)
OK, MORE, BACK = Button.OK, Button.MORE, Button.BACK


def heard(*presses: tuple[float, Button]) -> list[Button]:
    """What is passed on of presses, each so many seconds after the one before."""
    clock, passed = FakeClock(), list[Press]()
    single = Single(clock, passed.append)
    for after_s, button in presses:
        clock.sleep(after_s)
        single.heard(Press(button))
    return [press.button for press in passed]


@pytest.mark.parametrize(
    ("presses", "passed"),
    [
        (((0, OK), (0.15, OK)), [OK]),
        (((0, OK), (0.35, OK), (0.35, OK)), [OK]),
        (((0, OK), (DOUBLE_S + 0.01, OK)), [OK, OK]),
        (((0, OK), (0, OK), (TOGETHER_S / 2, OK)), [OK, OK, OK]),
        (((0, MORE), (0.15, MORE), (0.15, OK)), [MORE, MORE, OK]),
        (((0, OK), (0.15, BACK), (0.15, OK)), [OK, BACK, OK]),
    ],
    ids=["double", "triple", "twice", "by a script", "a number", "another between"],
)
def test_only_the_second_press_of_a_double_one_of_ok_is_not_passed_on(
    presses: tuple[tuple[float, Button], ...], passed: list[Button]
) -> None:
    assert heard(*presses) == passed


def test_what_was_measured_is_shown_until_somebody_has_read_it() -> None:
    """The fourth button is OK, too, and keeps what it led to."""
    clock, presses = FakeClock(), SimpleQueue[Press]()
    single = Single(clock, presses.put)
    for button in (*Button, OK):
        clock.sleep(0.2)
        single.heard(Press(button))
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        if line.startswith("The buttons work") and presses.empty():
            presses.put(Press(BACK))  # again, which leads to where a long press leaves
            presses.put(Press(BACK, held=True))

    led = Table(SimulatedCamera(lambda _now_s: GREY, clock=clock), (), None, 0, presses, SimpleQueue())
    assert Guide(led, clock=clock, texts=ENGLISH, say=say).through(steps.ButtonsStep(DAY)) is None
    assert "The buttons work – Keys do not bounce   [Again |  |  | Keep]" in said
