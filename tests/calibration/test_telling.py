"""One fault of many is told, long enough to be read, and it is the one that is so."""

from __future__ import annotations

from itertools import pairwise

import pytest
from leading import SIMULATED, going, title

from calibration import steps
from calibration.judging import Fault
from calibration.simulated import WRONGS, DrawnHands
from calibration.telling import HELD_S, Told, told_after

TILTED, FAR = Fault("tilted"), Fault("far")
HIDDEN, LOOSE = Fault("hidden", "3"), Fault("loose")

SAID = {
    "blurred": "Blurred",
    "dark": "Too dark",
    "far": "The camera is too far away",
    "glare": "Glare in the middle",
    "grainy": "The picture is grainy",
    "hidden": "Marker 2 is hidden",
    "tilted": "The camera is tilted",
    "uneven": "Dark at marker 2",
}


@pytest.mark.once
@pytest.mark.parametrize("wrong", sorted(WRONGS))
def test_a_drawn_table_with_something_wrong_comes_to_its_own_reason_and_stays_there(wrong: str) -> None:
    hands, step = DrawnHands(0, WRONGS[wrong]), going(steps.CameraStep(SIMULATED))
    hands.lay(step.wants)
    said = []
    for n in range(12):
        step = step.seen(hands.picture(n / 5), n / 5)
        said.append(title(step))
    assert said[-1] == SAID[wrong]
    assert sum(one != other for one, other in pairwise(said)) <= 1


def test_a_picture_from_afar_is_not_told_to_be_blurred() -> None:
    hands, step = DrawnHands(2, WRONGS["far"]), going(steps.CameraStep(SIMULATED))
    hands.lay(step.wants)
    step = step.seen(hands.picture(0.0), 0.0)
    assert isinstance(step, steps.CameraStep)
    assert step.shown is not None
    assert step.shown.verdict.faults == (FAR, Fault("blurred"))
    assert title(step) == SAID["far"]


def test_what_is_wrong_with_the_whole_picture_is_told_before_markers_that_it_hides() -> None:
    told = told_after(None, (HIDDEN,), 0.0)
    assert told == Told(HIDDEN, 0.0)
    told = told_after(told, (TILTED, LOOSE), 0.1)
    assert told == Told(TILTED, 0.1)
    assert told_after(told, (HIDDEN,), 0.2) == told
    assert told_after(told, (HIDDEN,), 0.1 + HELD_S) == Told(HIDDEN, 0.1 + HELD_S)


def test_what_was_told_stays_while_it_is_seen_and_a_little_longer() -> None:
    told = told_after(None, (FAR,), 0.0)
    for n in range(1, 50):
        told = told_after(told, (TILTED, FAR) if n % 2 else (TILTED,), n / 10)
        assert told is not None
        assert told.fault == FAR
    assert told_after(told, (TILTED,), 4.9 + HELD_S) == Told(TILTED, 4.9 + HELD_S)


def test_a_good_picture_forgets_nothing_of_what_was_told_just_before() -> None:
    told = Told(TILTED, 1.0)
    assert told_after(told, (), 1.1) == told
    assert told_after(None, (), 1.1) is None
