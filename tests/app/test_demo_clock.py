"""The demo's clock runs as fast as told, and no faster than the pictures come."""

from __future__ import annotations

import time

import pytest

from companion.demo.clocks import FastClock
from hardware.pace import Pace

FPS = 10.0


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The wall's seconds, which pass by being slept, or added to."""
    passed = [100.0]

    def sleep(seconds: float) -> None:
        passed[0] += seconds

    monkeypatch.setattr(time, "monotonic", lambda: passed[0])
    monkeypatch.setattr(time, "sleep", sleep)
    return passed


def pictures(clock: FastClock, wall: list[float], *, work_s: float) -> tuple[list[float], float]:
    """When eleven pictures were taken, by the clock, and how many seconds of the wall that took.

    `work_s`: how long the wall's clock runs while each is read.
    """
    pace, began_s = Pace(clock, FPS), wall[0]
    taken = []
    for _picture in range(11):
        taken.append(pace.wait(1.0) or 0.0)
        wall[0] += work_s
    return taken, wall[0] - work_s - began_s


@pytest.mark.parametrize(
    ("speed", "work_s", "took_s"),
    [(1.0, 0.02, 1.0), (20.0, 0.003, 0.05), (20.0, 0.03, 0.3), (0.5, 0.02, 2.0), (None, 0.02, 0.2)],
    ids=["as real time", "faster", "as fast as it can", "slower", "max"],
)
def test_pictures_come_at_the_same_times_of_the_clock_at_any_speed(
    wall: list[float], speed: float | None, work_s: float, took_s: float
) -> None:
    taken, took = pictures(FastClock(speed), wall, work_s=work_s)
    assert taken == pytest.approx([number / FPS for number in range(11)])
    assert took == pytest.approx(took_s)


def test_threads_that_sleep_at_a_time_sleep_through_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = FastClock(1.0)
    other = iter((True,))

    def sleep(_seconds: float) -> None:
        if next(other, False):  # while this one sleeps
            clock.sleep(2.0)

    monkeypatch.setattr(time, "sleep", sleep)
    clock.sleep(1.0)
    assert clock.now_s() == 2.0


def test_time_lost_is_not_made_up_for(wall: list[float]) -> None:
    clock = FastClock(10.0)
    pictures(clock, wall, work_s=0.5)
    clock.sleep(1.0)
    assert pictures(clock, wall, work_s=0.0)[1] == pytest.approx(0.1)
