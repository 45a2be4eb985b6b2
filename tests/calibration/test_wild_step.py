"""The Wild die is shown face by face; what is confused is asked for again, and said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from leading import DAY, SIMULATED, going, lines, made, measured_camera, ok, seen, title

from calibration import steps
from calibration.profile import Profile
from calibration.simulated import DrawnHands, Wrongs
from calibration.steps.wild import ROUNDS, confusing
from calibration.use import mask_of, top_of, width_px
from companion.events import Button
from companion.locale import ENGLISH
from companion.view import Prompt, Sign


@pytest.fixture
def begun() -> tuple[steps.WildStep, DrawnHands]:
    review, hands = measured_camera()
    assert isinstance(review, steps.Review)
    profile: Profile = made(review)
    width = width_px(profile)
    assert width is not None
    return steps.WildStep(DAY, width, review.done.pictures["empty"], mask_of(profile)), hands


def shown(step: steps.Next, hands: DrawnHands, face: str, throw: int) -> steps.Next:
    """A face is shown that may not be the one that was asked for."""
    hands.lay(steps.Wants(face=face, throw=1000 + throw))
    return ok(going(step).seen(hands.picture(0.0), 0.0))


def test_every_face_is_asked_for_in_turn_and_told_apart(begun) -> None:
    step, hands = begun
    assert step.page(ENGLISH) == Prompt("Show: Lowest", ("4 more times, turned", "OK when it lies still"), Sign.LOWEST)
    asked = []
    ended: steps.Next = step
    for _try in range(40):
        if isinstance(ended, steps.Review):
            break
        asked.append(title(ended))
        ended = ok(seen(ended, hands))
    assert list(dict.fromkeys(asked))[:3] == ["Show: Lowest", "Show: Highest", "Show: Swap"]
    assert asked[-3:] == ["Now roll number dice"] * 3
    wild = made(ended).wild
    assert wild is not None
    assert (title(ended) == "I know all faces") == (wild.confused == ())
    assert f"{len(wild.examples)} examples" in lines(ended)
    assert [example.face for example in wild.examples[:12]] == ["lowest"] * 4 + ["highest"] * 4 + ["swap"] * 4
    assert {example.face for example in wild.examples[-9:]} == {"number"}


def test_faces_shown_as_one_another_are_named_asked_for_again_and_kept_with_a_warning(begun) -> None:
    step, hands = begun
    told: steps.Next = replace(step, wanted=("lowest",) * 3 + ("highest",) * 3 + ("swap",) * 3)
    faces = iter(["lowest", "lowest", "highest", "highest", "highest", "lowest", "swap", "swap", "swap"])
    for n, face in enumerate(faces):
        told = shown(told, hands, face, n)
    assert title(told) in ("Show: Lowest", "Show: Highest")
    assert lines(told)[0] in ("Lowest looks like Highest", "Highest looks like Lowest")
    for n in range(100):
        step_now = going(told)
        if not isinstance(step_now, steps.WildStep) or not step_now.wanted:
            break
        wrong = "swap" if step_now.wanted[0] == "lowest" else "lowest"  # shown wrongly again and again
        told = shown(told, hands, wrong, 100 + n)
    assert isinstance(told, steps.WildStep)
    assert told.rounds == ROUNDS
    while not isinstance(told, steps.Review):
        told = ok(seen(told, hands))
    assert "looks like" in title(told)
    assert lines(told)[0] == "I will often ask"
    wild = made(told).wild
    assert wild is not None
    assert "lowest" in wild.confused


def test_nothing_or_too_much_in_the_tray_is_no_example(begun) -> None:
    step, hands = begun
    hands.lay(steps.Wants(throw=500))
    empty = ok(step.seen(hands.picture(0.0), 0.0))
    assert (title(empty), lines(empty)[0]) == ("I see no die", "Show: Lowest")
    hands.lay(steps.Wants(dice=2, throw=501))
    two = ok(step.seen(hands.picture(0.0), 0.0))
    assert title(two) == "Only the Wild die, please"
    assert going(two).pressed(Button.BACK, 0.0) == steps.Left()


def test_back_takes_one_example_back(begun) -> None:
    step, hands = begun
    once = ok(seen(step, hands))
    assert lines(once)[0] == "3 more times, turned"
    assert lines(going(once).pressed(Button.BACK, 0.0))[0] == "4 more times, turned"


def test_a_face_seldom_not_sure_is_well_known_and_one_taken_for_another_never_is() -> None:
    faces = ["lowest"] * 8 + ["swap"] * 4
    assert confusing((("lowest", ""),), faces) == ()
    assert confusing((("lowest", ""), ("lowest", "")), faces) == (("lowest", ""),)
    assert confusing((("lowest", "swap"),), faces) == (("lowest", "swap"),)


def test_the_middle_of_a_dies_top_is_known_from_a_slant() -> None:
    """What is seen of it reaches down its side; beside that, its icon could lie outside of what is compared."""
    hands = DrawnHands(1, Wrongs(tilt_deg=25))
    step: steps.Next = steps.CameraStep(SIMULATED)
    while not isinstance(step, steps.Done):
        step = ok(seen(step, hands))
    profile = step.made(Profile(), {"empty": "empty.png"})
    top = top_of(profile)
    middle, above = (hands.setup.view.pixels(np.array([(0.0, 0.0, z)]))[0] for z in (0.8, 1.6))
    assert np.hypot(*(above - middle)) > 5
    assert top(tuple(middle)) == pytest.approx(tuple(above), abs=2.0)


def test_without_a_known_tray_a_dies_middle_is_its_tops() -> None:
    assert top_of(Profile())((3.0, 4.0)) == (3.0, 4.0)
