"""The Wild die is shown face by face; what is confused is asked for again, and said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from leading import DAY, SIMULATED, going, lines, made, measured_camera, ok, seen, title

from calibration import steps
from calibration.facts import Profile
from calibration.simulated import DrawnHands, Wrongs
from calibration.steps.wild import ROUNDS, confusing
from calibration.taught import taught
from calibration.use import level_of, mask_of, top_of, width_px, wild_of
from companion.events import Button
from companion.games.roll import FACES
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


@pytest.mark.once
def test_a_calibrated_table_tells_each_wild_die_that_lies_flat_and_asks_about_leaning_ones(tmp_path: Path) -> None:
    """Dice measured a tenth too wide would be asked about here, too narrow or unlevelled ones that lean be told."""
    hands = DrawnHands(3, wild=((0.92, 0.94, 0.95), (0.06, 0.06, 0.06)))
    reader = wild_of(taught(hands, tmp_path, DAY), tmp_path)
    assert reader is not None

    def told(throw: int, *, lean_deg: float) -> str | None:
        hands.lay(steps.Wants(dice=throw % 4, face=FACES[throw % 3], throw=throw))
        hands.tilt(lean_deg, 37.0 * throw)
        wild = reader.read(hands.picture(0.0))
        return None if wild is None else wild.face

    assert [told(throw, lean_deg=0.0) for throw in range(18)] == [*FACES] * 6
    assert [told(throw, lean_deg=29.0) for throw in range(18, 24)] == [None] * 6


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


def test_a_wild_die_that_was_left_among_number_dice_is_not_learned_as_one(begun) -> None:
    step, hands = begun
    known = step
    while isinstance(known, steps.WildStep) and known.wanted:
        known = ok(seen(known, hands))
    hands.lay(steps.Wants(dice=2, face="swap", throw=700))
    told = ok(going(known).seen(hands.picture(0.0), 0.0))
    assert (title(told), lines(told)) == ("Take the Wild die out", ("OK if it is out", "0 of 3"))
    assert going(told).refused
    hands.lay(steps.Wants(dice=2, throw=701))
    once = ok(going(told).seen(hands.picture(0.0), 0.0))
    assert (title(once), lines(once)) == ("Now roll number dice", ("OK when they lie still", "1 of 3"))


def test_a_number_die_that_looks_like_the_wild_die_is_learned_once_people_say_so(begun) -> None:
    step, hands = begun
    known = step
    while isinstance(known, steps.WildStep) and known.wanted:
        known = ok(seen(known, hands))
    hands.lay(steps.Wants(face="swap", throw=700))
    alike = going(known).seen(hands.picture(0.0), 0.0)
    assert title(ok(alike)) == "Take the Wild die out"
    assert lines(ok(ok(alike)))[1] == "1 of 3"


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


def test_back_takes_all_throws_of_number_dice_back_and_then_one_example(begun) -> None:
    step, hands = begun
    known = replace(step, wanted=("swap",))
    while not lines(known)[1].startswith("2 of"):
        known = ok(seen(known, hands))
    back = going(known).pressed(Button.BACK, 0.0)
    assert (title(back), lines(back)) == ("Now roll number dice", ("OK when they lie still", "0 of 3"))
    assert title(going(back).pressed(Button.BACK, 0.0)) == "Show: Swap"


def test_an_empty_tray_shows_no_number_dice(begun) -> None:
    step, hands = begun
    known = ok(seen(replace(step, wanted=("swap",)), hands))
    hands.lay(steps.Wants(throw=500))
    empty = ok(going(known).seen(hands.picture(0.0), 0.0))
    assert (title(empty), lines(empty)) == ("I see no dice", ("OK when they lie still", "0 of 3"))


def test_back_goes_past_confused_faces_to_one_that_is_well_known(begun) -> None:
    step, hands = begun
    confused = (("lowest", "highest"), ("highest", "lowest"))
    once = going(shown(replace(step, wanted=("swap", "lowest"), confused=confused), hands, "swap", 0))
    assert (title(once), lines(once)) == ("Show: Lowest", ("Lowest looks like Highest", "1 more time, turned"))
    back = once.pressed(Button.BACK, 0.0)
    assert (title(back), lines(back)) == ("Show: Swap", ("1 more time, turned", "OK when it lies still"))


def test_a_face_seldom_not_sure_is_well_known_and_one_taken_for_another_never_is() -> None:
    faces = ["lowest"] * 8 + ["swap"] * 4
    assert confusing((("lowest", ""),), faces) == ()
    assert confusing((("lowest", ""), ("lowest", "")), faces) == (("lowest", ""),)
    assert confusing((("lowest", "swap"),), faces) == (("lowest", "swap"),)


@pytest.fixture(scope="module")
def slanted() -> tuple[Profile, DrawnHands]:
    hands = DrawnHands(1, Wrongs(tilt_deg=25))
    step: steps.Next = steps.CameraStep(SIMULATED)
    while not isinstance(step, steps.Done):
        step = ok(seen(step, hands))
    return step.made(Profile(), {"empty": "empty.png"}), hands


def test_the_middle_of_a_dies_top_is_known_from_a_slant(slanted) -> None:
    """What is seen of it reaches down its side; beside that, its icon could lie outside of what is compared."""
    profile, hands = slanted
    top = top_of(profile)
    middle, above = (hands.setup.view.pixels(np.array([(0.0, 0.0, z)]))[0] for z in (0.8, 1.6))
    assert np.hypot(*(above - middle)) > 5
    assert top(tuple(middle)) == pytest.approx(tuple(above), abs=2.0)


@pytest.mark.parametrize("place_cm", [(0.0, 0.0), (7.0, 5.0), (-7.0, -5.0)])
def test_a_die_is_compared_as_seen_from_straight_above(slanted, place_cm: tuple[float, float]) -> None:
    """Else a die that lies flat in a corner is as narrow as one that leans."""
    profile, hands = slanted
    x, y = place_cm
    at, right, away = hands.setup.view.pixels(np.array([(x, y, 1.6), (x + 0.8, y, 1.6), (x, y + 0.8, 1.6)]))
    sides = np.column_stack([right - at, away - at])
    level = level_of(profile)(tuple(at)) @ sides
    squeezes = [narrow / wide for wide, narrow in (np.linalg.svd(seen_so)[1] for seen_so in (sides, level))]
    assert squeezes[0] < 0.96
    assert squeezes[1] > 0.985
    assert np.linalg.det(level) == pytest.approx(np.linalg.det(sides))


def test_without_a_known_tray_a_dies_middle_is_its_tops_and_it_is_seen_from_above() -> None:
    assert top_of(Profile())((3.0, 4.0)) == (3.0, 4.0)
    assert level_of(Profile())((3.0, 4.0)).tolist() == [[1, 0], [0, 1]]
