from __future__ import annotations

import itertools
import random

import pytest

from companion.events import Button, Press
from hardware.debounce import Debouncer, Stuck

BACK, LESS, MORE, OK = Button
SETTLE_S, HOLD_S, STUCK_S = 0.025, 1.0, 20.0


class Finger:
    """Moves contacts and notes what the debouncer tells, and when, in milliseconds."""

    def __init__(self, down=()) -> None:
        self.debouncer = Debouncer(settle_s=SETTLE_S, hold_s=HOLD_S, stuck_s=STUCK_S)
        self.debouncer.begin(down, 0.0)
        self.told: list[tuple[int, Press | Stuck]] = []

    def until(self, now_s: float) -> None:
        """Lets time pass; the debouncer is asked only when it says that it must be."""
        while (due_s := self.debouncer.due_s()) is not None and due_s <= now_s:
            self.tick(due_s)
        self.tick(now_s)

    def tick(self, now_s: float) -> None:
        self.told += [(round(1000 * now_s), told) for told in self.debouncer.tick(now_s)]

    def edge(self, button: Button, at_s: float, *, down: bool, bounces: int = 0) -> float:
        """A level change that bounces, one edge a millisecond. Returns when it is over."""
        self.until(at_s)
        for number in range(2 * bounces + 1):
            self.debouncer.level(button, down=down ^ bool(number % 2), now_s=at_s + number / 1000)
            self.tick(at_s + number / 1000)
        return at_s + 2 * bounces / 1000

    def press(self, button: Button, from_s: float, to_s: float, bounces: int = 0) -> None:
        self.edge(button, from_s, down=True, bounces=bounces)
        self.edge(button, to_s, down=False, bounces=bounces)


@pytest.mark.parametrize("bounces", [0, 1, 5, 12])
def test_a_bouncing_press_is_one_press(bounces):
    finger = Finger()
    finger.press(OK, 1.0, 1.2, bounces)
    finger.until(5)
    assert finger.told == [(1225 + 2 * bounces, Press(OK))]


def test_a_spike_shorter_than_the_settling_is_none():
    finger = Finger()
    finger.press(OK, 1.0, 1.02)
    finger.until(5)
    assert finger.told == []


def test_a_gap_shorter_than_the_settling_does_not_end_a_press():
    finger = Finger()
    finger.edge(OK, 1.0, down=True)
    finger.edge(OK, 1.1, down=False)
    finger.edge(OK, 1.12, down=True)
    finger.edge(OK, 1.3, down=False)
    finger.until(5)
    assert finger.told == [(1325, Press(OK))]


def test_a_long_press_is_told_once_while_down_and_is_not_also_a_short_one():
    finger = Finger()
    finger.press(LESS, 1.0, 4.0, bounces=3)
    finger.until(9)
    assert finger.told == [(2000, Press(LESS, held=True))]


def test_a_press_just_short_of_holding_is_short():
    finger = Finger()
    finger.press(LESS, 1.0, 1.97)
    finger.until(9)
    assert finger.told == [(1995, Press(LESS))]


@pytest.mark.parametrize(("let_go_s", "bounces"), [(1.98, 0), (1.999, 0), (1.99, 3)])
def test_a_press_let_go_before_it_is_held_is_short_though_its_end_settles_later(let_go_s, bounces):
    finger = Finger()
    finger.press(LESS, 1.0, let_go_s, bounces)
    finger.until(9)
    assert finger.told == [(round(1000 * let_go_s) + 2 * bounces + 25, Press(LESS))]


def test_a_gap_shorter_than_the_settling_about_the_time_of_holding_does_not_end_a_long_press():
    finger = Finger()
    finger.edge(LESS, 1.0, down=True)
    finger.edge(LESS, 1.99, down=False)
    finger.edge(LESS, 2.01, down=True)
    finger.edge(LESS, 3.0, down=False)
    finger.until(9)
    assert finger.told == [(2010, Press(LESS, held=True))]


def test_a_press_let_go_unseen_after_the_holding_time_is_a_long_one():
    finger = Finger()
    finger.edge(LESS, 1.0, down=True)
    finger.tick(1.1)
    finger.debouncer.level(LESS, down=False, now_s=3.0)
    finger.tick(3.1)
    assert finger.told == [(3100, Press(LESS, held=True))]


@pytest.mark.parametrize("second_up_s", [1.05, 1.5])
def test_of_two_at_once_the_first_wins(second_up_s):
    finger = Finger()
    finger.edge(OK, 1.0, down=True)
    finger.edge(BACK, 1.001, down=True)
    first, second = sorted([(1.2, OK), (second_up_s, BACK)])
    finger.edge(first[1], first[0], down=False)
    finger.edge(second[1], second[0], down=False)
    finger.until(5)
    assert finger.told == [(1225, Press(OK))]


def test_a_button_that_was_down_beside_another_counts_again_once_let_go():
    finger = Finger()
    finger.edge(OK, 1.0, down=True)
    finger.press(BACK, 1.1, 1.5)
    finger.edge(OK, 2.0, down=False)
    finger.press(BACK, 3.0, 3.1)
    finger.until(5)
    assert finger.told == [(2000, Press(OK, held=True)), (3125, Press(BACK))]


def test_a_button_held_for_ever_is_one_long_press_then_stuck_and_the_others_work():
    finger = Finger()
    finger.edge(OK, 1.0, down=True)
    finger.until(30)
    finger.press(BACK, 40, 40.1)
    finger.edge(OK, 50, down=False)
    finger.press(OK, 60, 60.1)
    finger.until(99)
    assert finger.told == [
        (2000, Press(OK, held=True)),
        (21000, Stuck((OK,))),
        (40125, Press(BACK)),
        (50025, Stuck(())),
        (60125, Press(OK)),
    ]


def test_a_button_that_is_down_from_the_beginning_does_not_count_and_is_stuck_in_time():
    finger = Finger(down=[MORE, LESS])
    finger.press(OK, 1.0, 1.1)
    finger.edge(LESS, 3.0, down=False)
    finger.press(LESS, 4.0, 4.1)
    finger.until(99)
    assert finger.told == [(1125, Press(OK)), (4125, Press(LESS)), (20000, Stuck((MORE,)))]


def test_a_debouncer_at_rest_asks_for_nothing():
    assert Debouncer().due_s() is None
    finger = Finger()
    finger.press(OK, 1, 1.1)
    finger.until(2)
    assert finger.debouncer.due_s() is None


def test_any_storm_of_edges_ends_in_rest_and_tells_nothing_twice():
    for seed in range(15):
        storm = random.Random(seed)
        finger = Finger()
        now_s = 0.0
        for _ in range(400):
            now_s += storm.choice((0.001, 0.01, 0.05, 0.3))
            finger.edge(storm.choice(list(Button)), now_s, down=storm.random() < 0.5)
        for button in Button:
            finger.edge(button, now_s + 1, down=False)
        finger.until(now_s + 60)
        assert finger.debouncer.due_s() is None
        assert not any(isinstance(told, Stuck) for _, told in finger.told)
        times = [time for time, _ in finger.told]
        assert times == sorted(times)
        assert min(later - earlier for earlier, later in itertools.pairwise(times)) >= 25
