"""A roll is taken once: not early, not twice, and what becomes of its dice afterwards is noticed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.events import Cleared, Die, Fact, Reading, Settled, Stilled, Stirred, Why
from companion.lie import compare
from companion.vision.scene import Cube, Moment, Thing, scatter
from companion.vision.settle import Patience, Settler
from companion.vision.stillness import Change, change, glance
from tests.vision.tape import Tape


def lying(tape: Tape, *values: int, kept: dict[int, Cube] | None = None) -> tuple[Cube, ...]:
    return scatter(tape.table, values, tape.rng, kept=kept)


def settled(facts: list[Fact]) -> list[tuple[tuple[int | None, ...], bool, Why | None]]:
    return [(fact.reading.values, fact.reading.sure, fact.reading.why) for fact in facts if isinstance(fact, Settled)]


def rolled(tape: Tape, *values: int) -> tuple[Cube, ...]:
    """A throw into the empty tray that was taken."""
    dice = lying(tape, *values)
    tape.hold((), 1)
    assert settled(tape.throw((), dice) + tape.hold(dice, 2)) == [(values, True, None)]
    return dice


@pytest.mark.parametrize("seed", range(4))
def test_a_throw_is_told_once_and_only_when_it_lies_still(seed: int) -> None:
    tape = Tape(seed)
    dice = lying(tape, 3, 5, 1)
    assert tape.hold((), 1) == [Cleared()]
    thrown = tape.throw((), dice)
    assert thrown == [Stirred()]
    (fact,) = tape.hold(dice, 3)
    assert isinstance(fact, Settled)
    assert (fact.reading.values, fact.reading.sure) == ((3, 5, 1), True)


def test_the_reader_is_left_alone_while_nothing_happens() -> None:
    tape = Tape()
    dice = rolled(tape, 2, 2)
    before = tape.reads
    assert tape.hold(dice, 1) == []
    assert tape.reads == before


def test_a_slow_reader_may_read_as_often_as_it_takes() -> None:
    tape = Tape(fps=0.4)
    dice = lying(tape, 3, 5)
    assert tape.hold((), 12.5) == [Cleared()]
    assert settled(tape.hold(dice, 12.5)) == [((3, 5), True, None)]


def test_a_new_throw_after_a_taken_one_is_told() -> None:
    tape = Tape(1)
    first = rolled(tape, 4, 4)
    second = lying(tape, 4, 4, 6)
    assert settled(tape.throw(first, second) + tape.hold(second, 1)) == [((4, 4, 6), True, None)]


def test_R9_a_rethrown_die_is_told_apart_from_the_kept_ones() -> None:
    tape = Tape(2)
    first = rolled(tape, 1, 6, 5)
    before = tape.seen()
    tries = (lying(tape, 3, 6, 5, kept={1: first[1], 2: first[2]}) for _ in range(99))
    second = next(dice for dice in tries if abs(dice[0].x - first[0].x) > 4)
    facts = tape.throw(first, second) + tape.hold(second, 1)
    assert settled(facts) == [((3, 6, 5), True, None)]
    lie = compare(before, tape.seen())
    assert (lie.kept, lie.gone, lie.come) == (((1, 1), (2, 2)), (0,), (0,))


def test_dice_that_are_shaken_for_long_are_no_news_until_thrown() -> None:
    tape = Tape(3)
    first = rolled(tape, 1, 6)
    tape.throw(first, first[1:])
    assert tape.hold(first[1:], 2) == []
    again = (replace(first[0], x=first[0].x + 1.4), first[1])  # close to where it was, with the value it had
    facts = tape.throw(first[1:], again) + tape.hold(again, 1)
    assert settled(facts) == [((1, 6), True, None)]


def test_fewer_dice_thrown_to_where_others_lay_with_their_values_are_asked_about() -> None:
    tape = Tape(3)
    first = rolled(tape, 1, 6)
    tape.throw(first, ())
    second = (replace(first[0], x=first[0].x + 1.4),)
    assert settled(tape.throw((), second) + tape.hold(second, 1)) == [((1,), False, Why.CHANGED)]


def test_a_hand_that_touches_nothing_ends_in_stillness_and_no_roll() -> None:
    tape = Tape(4)
    dice = rolled(tape, 2, 3)
    facts: list[Fact] = []
    for step in range(8):
        reach = -12 + 8 * np.sin(np.pi * step / 7)
        facts += tape.show(Moment(dice, Thing("hand", 4, float(reach), 90, 9, 1)))
    facts += tape.hold(dice, 1)
    assert [fact for fact in facts if not isinstance(fact, Stirred)] == [Stilled()]
    assert isinstance(facts[0], Stirred)


@pytest.mark.parametrize("brightness", [0.45, 0.8, 1.3])
def test_a_lamp_is_no_throw(brightness: float) -> None:
    tape = Tape(5)
    dice = rolled(tape, 2, 3, 4)
    reads = tape.reads
    facts = tape.hold(dice, 1, brightness=brightness) + tape.hold(dice, 1)
    assert settled(facts) == []
    assert tape.reads > reads


def test_a_light_switched_off_and_on_is_no_throw() -> None:
    tape = Tape(5)
    dice = rolled(tape, 2, 3, 4)
    facts = tape.hold(dice, 1.5, brightness=0.0) + tape.hold(dice, 1.5)
    assert [fact for fact in facts if isinstance(fact, Settled | Cleared)] == []


def test_dice_in_the_dark_are_asked_about() -> None:
    tape = Tape(5)
    assert settled(tape.hold(lying(tape, 2), 3.5, brightness=0.0)) == [((), False, Why.DARK)]


@pytest.mark.parametrize(("known", "sure", "why"), [(True, True, None), (False, False, Why.FAINT)])
def test_dice_thrown_under_a_covered_lens_are_told_once_it_is_free(known: bool, sure: bool, why: Why | None) -> None:
    tape = Tape(5)
    tape.hold((), 1)
    dice = lying(tape, 2)
    tape.hold(dice, 3.5, brightness=0.0)
    tape.reader = None if known else lambda _picture, afresh=False: replace(tape.seen(), sure=False, why=Why.FAINT)
    assert settled(tape.hold(dice, 4)) == [((2,), sure, why)]


def test_a_lens_covered_and_freed_over_dice_that_were_taken_is_no_throw() -> None:
    tape = Tape(5)
    dice = rolled(tape, 2, 4)
    facts = tape.hold(dice, 5, brightness=0.0) + tape.hold(dice, 5)
    assert settled(facts) == []


def test_automatic_exposure_may_drift_while_dice_lie() -> None:
    tape = Tape(6)
    dice = lying(tape, 5, 1)
    tape.hold((), 1)
    tape.throw((), dice)
    facts = [fact for step in range(24) for fact in tape.show(Moment(dice), brightness=1 + 0.015 * step)]
    assert settled(facts) == [((5, 1), True, None)]


def test_a_die_turned_over_after_the_roll_is_said_once() -> None:
    tape = Tape(7)
    dice = rolled(tape, 2, 3)
    turned = (replace(dice[0], value=6, x=dice[0].x + 0.3), dice[1])
    facts = tape.hold(turned, 1.5)
    assert settled(facts) == [((6, 3), False, Why.CHANGED)]
    assert tape.hold(turned, 2) == []


def test_a_die_that_is_only_shoved_changes_nothing() -> None:
    tape = Tape(8)
    dice = rolled(tape, 2, 3)
    shoved = (replace(dice[0], x=dice[0].x + 0.9), dice[1])
    assert tape.hold(shoved, 1.5) == [Stirred(), Stilled()]


def test_another_number_of_dice_than_must_lie_there_is_unsure() -> None:
    tape = Tape(9)
    dice = lying(tape, 2, 3)
    tape.hold((), 2, count=3)
    facts = tape.throw((), dice, count=3) + tape.hold(dice, 3.5, count=3)
    assert settled(facts) == [((2, 3), False, Why.COUNT)]


def test_a_cocked_die_is_asked_about_and_told_again_when_it_was_put_right() -> None:
    tape = Tape(10)
    straight = lying(tape, 2, 3)
    cocked = (replace(straight[0], lean_deg=30), straight[1])
    tape.hold((), 1)
    assert settled(tape.throw((), cocked) + tape.hold(cocked, 3.5)) == [((None, 3), False, Why.COCKED)]
    assert settled(tape.hold(straight, 1.5)) == [((2, 3), True, None)]


def test_dice_entered_by_button_are_not_told_again() -> None:
    tape = Tape(10)
    straight = lying(tape, 2, 3)
    cocked = (replace(straight[0], lean_deg=30), straight[1])
    tape.hold((), 1)
    tape.throw((), cocked)
    tape.hold(cocked, 3.5)
    tape.settler.taken()
    assert settled(tape.hold(straight, 1.5)) == []


def test_dice_entered_before_any_were_told_do_not_hide_the_next_throw() -> None:
    tape = Tape(10)
    first, second = lying(tape, 2, 3), lying(tape, 5)
    tape.hold((), 1)
    assert tape.throw((), first)[:1] == [Stirred()]
    tape.settler.taken()
    assert tape.throw(first, second)[:1] == [Stirred()]
    assert settled(tape.hold(second, 1.5)) == [((5,), True, None)]


def test_a_slow_reader_is_not_taken_for_an_unsure_one() -> None:
    tape = Tape(10, fps=0.4)
    dice = lying(tape, 2, 3)
    tape.hold((), 10)
    assert settled(tape.hold(dice, 12)) == [((2, 3), True, None)]


def test_an_emptied_tray_is_told_once() -> None:
    tape = Tape(11)
    dice = rolled(tape, 6)
    facts = tape.throw(dice, ()) + tape.hold((), 1.5)
    assert [fact for fact in facts if not isinstance(fact, Stirred)] == [Cleared()]


def test_readings_that_disagree_end_unsure() -> None:
    picture = Tape(12).painter.picture(Moment(), np.random.default_rng(0)).picture
    values = iter([3, 4] * 50)
    settler = Settler(Patience(still_s=0.2, readings=2, ask_after_s=1.0))

    def read(_picture: object, *, afresh: bool = False) -> Reading:
        return Reading((Die(next(values), (10, 10, 20, 20), 0.9),), True)

    facts = [fact for step in range(30) for fact in settler.feed(picture, step / 10, read)]
    assert [(fact.reading.sure, fact.reading.why) for fact in facts if isinstance(fact, Settled)] == [
        (False, Why.FAINT)
    ]


def test_noise_is_no_motion_and_another_picture_is() -> None:
    tape = Tape(13)
    dice = lying(tape, 2, 3)
    one, two = (tape.painter.picture(Moment(dice), tape.rng).picture for _ in range(2))
    dark = tape.painter.picture(Moment(dice), tape.rng, brightness=0.5).picture
    empty = tape.painter.picture(Moment(), tape.rng).picture
    assert change(glance(one), glance(two)) is Change.NONE
    assert change(glance(one), glance(dark)) is Change.LIGHT
    assert change(glance(one), glance(empty)) is Change.MOTION
    hand = tape.painter.picture(Moment(dice, Thing("hand", 0, 0, 90, 9, 1)), tape.rng).picture
    assert change(glance(one), glance(hand)) is Change.HAND
