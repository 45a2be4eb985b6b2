"""What two looks at the same dice come to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from companion.events import Die, Reading, Why
from companion.vision.ruler import ruler
from companion.vision.twice import BY_ONE, CERTAIN, both, contradicted, joined, seconded, unseconded
from companion.vision.verdict import SHORT

THREE, FIVE, FOUR = Die(3, (20, 20, 12, 12), 0.99), Die(5, (60, 40, 12, 12), 0.99), Die(4, (20, 20, 12, 12), 0.99)
UNREAD = Die(None, (60, 40, 12, 12), 0.2)
FOUR_AWAY = Die(4, (20, 80, 12, 12), 0.99)


def sure(*dice: Die) -> Reading:
    return Reading(dice, True)


def unsure(*dice: Die, why: Why = Why.FAINT, doubted: Sequence[Die] = ()) -> Reading:
    return Reading(dice, False, why, tuple(die.box for die in doubted))


@pytest.mark.parametrize(
    "second",
    [
        pytest.param(sure(THREE, FIVE), id="the same"),
        pytest.param(unsure(THREE, FIVE), id="the same, unsure"),
        pytest.param(unsure(THREE, UNREAD), id="one unread"),
        pytest.param(unsure(THREE, why=Why.COUNT), id="one overlooked of a number that is told"),
        pytest.param(unsure(why=Why.EMPTY), id="all overlooked of a number that is told"),
    ],
)
def test_what_a_second_look_does_not_contradict_stays_sure(second: Reading) -> None:
    assert contradicted(sure(THREE, FIVE), second) is None
    assert both(sure(THREE, FIVE), second) == sure(THREE, FIVE)


@pytest.mark.parametrize("second", [sure(THREE, FIVE), unsure(THREE, FIVE, why=Why.COCKED)])
def test_one_die_more_in_a_second_look_is_asked_about_and_shown(second: Reading) -> None:
    assert both(sure(THREE), second) == unsure(THREE, FIVE, why=Why.STRAY, doubted=[FIVE])


@pytest.mark.parametrize("why", [Why.STRAY, Why.CUT])
def test_what_may_be_one_more_die_to_a_second_look_is_asked_about(why: Why) -> None:
    second = unsure(THREE, why=why, doubted=[FIVE])
    assert both(sure(THREE), second) == second


@pytest.mark.parametrize("other", [sure(THREE, FIVE), replace(unsure(THREE, FIVE, why=Why.TOUCHING), if_twice=True)])
def test_a_lamp_that_one_look_plainly_sees_mirrored_deceives_the_other(other: Reading) -> None:
    doubted = replace(FIVE, confidence=CERTAIN - SHORT)
    dazzled = replace(unsure(THREE, doubted, why=Why.GLARE), dazzled=True)
    asked = unsure(THREE, FIVE, why=Why.GLARE, doubted=[FIVE])
    for told in (both(other, dazzled), both(dazzled, other)):
        assert replace(told, dazzled=False) == asked
    assert both(sure(THREE, FIVE), replace(dazzled, dazzled=False)).sure
    assert both(replace(dazzled, why=Why.COUNT), dazzled).why is Why.COUNT


@pytest.mark.parametrize("second", [sure(THREE), unsure(THREE, why=Why.GLARE), sure()], ids=["sure", "unsure", "none"])
def test_one_die_less_in_a_second_look_is_asked_about_and_shown(second: Reading) -> None:
    seen = second.dice
    assert both(sure(THREE, FIVE), second) == unsure(THREE, FIVE, doubted=[FIVE] if seen else [THREE, FIVE])


def test_dice_that_no_other_look_confirms_are_asked_about_and_an_empty_table_is_empty() -> None:
    assert unseconded(sure(THREE, FIVE)) == unsure(THREE, FIVE)
    assert unseconded(unsure(THREE, why=Why.GLARE)) == unsure(THREE, why=Why.GLARE)
    assert unseconded(sure()) == sure()


def test_one_die_more_that_is_hardly_seen_is_asked_about_at_its_place() -> None:
    hardly = less(FIVE, BY_ONE - 0.01)
    assert both(sure(THREE), unsure(THREE, hardly)) == Reading((THREE,), False, Why.STRAY, (FIVE.box,))


def test_what_may_be_a_die_to_the_look_that_contradicts_stays_in_doubt() -> None:
    second = Reading((THREE, FIVE), False, Why.STRAY, (FOUR_AWAY.box,))
    assert both(sure(THREE), second) == replace(second, doubts=(FOUR_AWAY.box, FIVE.box))


def test_half_a_die_in_a_second_look_is_asked_about_at_its_place() -> None:
    half = Reading((THREE,), False, Why.CUT, ((0, 40, 6, 12),))
    assert both(sure(THREE), half) == half
    in_a_die = Reading((THREE,), False, Why.CUT, ((22, 20, 6, 12),))
    assert both(sure(THREE), in_a_die) == in_a_die


def test_of_two_values_the_surer_one_is_asked_about() -> None:
    assert both(sure(THREE, FIVE), unsure(FOUR, FIVE)) == unsure(THREE, FIVE, doubted=[THREE])
    assert both(sure(less(THREE, 0.95), FIVE), sure(FOUR, FIVE)) == unsure(FOUR, FIVE, doubted=[FOUR])


def test_a_die_that_one_of_two_looks_doubts_is_asked_about_at_its_place() -> None:
    one, two = unsure(THREE, less(FIVE, CERTAIN)), unsure(less(THREE, CERTAIN - 0.01), FIVE)
    assert both(one, two) == unsure(THREE, FIVE, doubted=[THREE])


@pytest.mark.parametrize("why", [Why.FAINT, Why.TOUCHING, Why.BLURRED, Why.GLARE, Why.COUNT])
def test_what_was_doubted_is_sure_where_a_second_look_surely_sees_the_same(why: Why) -> None:
    assert seconded(unsure(THREE, FIVE, why=why), sure(FIVE, THREE)) == sure(FIVE, THREE)


@pytest.mark.parametrize(
    ("reading", "second"),
    [
        pytest.param(unsure(THREE, why=Why.STRAY), sure(THREE), id="what may be one more was perhaps overlooked"),
        pytest.param(unsure(THREE, why=Why.CUT), sure(THREE), id="half a die was perhaps overlooked"),
        pytest.param(unsure(THREE), unsure(THREE, why=Why.GLARE), id="the second is unsure"),
        pytest.param(unsure(THREE), sure(FOUR), id="another value"),
        pytest.param(unsure(THREE), sure(THREE, FIVE), id="one more"),
        pytest.param(unsure(THREE, FIVE), sure(THREE), id="one overlooked"),
        pytest.param(unsure(THREE, UNREAD), sure(THREE, FIVE), id="a value that was not read"),
    ],
)
def test_what_was_doubted_stays_unsure_otherwise(reading: Reading, second: Reading) -> None:
    assert seconded(reading, second) == reading


def once(*dice: Die, why: Why = Why.TOUCHING) -> Reading:
    """What is sure only if it is seen twice."""
    return Reading(dice, False, why, if_twice=True)


def test_what_is_sure_only_if_seen_twice_is_where_both_looks_see_the_same() -> None:
    assert both(once(THREE, FIVE), once(FIVE, THREE)) == sure(THREE, FIVE)
    assert both(once(THREE, why=Why.FAINT), once(THREE, why=Why.BLURRED)) == sure(THREE)
    assert both(once(THREE, FIVE), sure(FIVE, THREE)) == sure(FIVE, THREE)
    assert both(sure(THREE, FIVE), once(FIVE, THREE)) == sure(THREE, FIVE)


@pytest.mark.parametrize(
    "second",
    [
        pytest.param(once(FOUR, FIVE), id="another value"),
        pytest.param(once(THREE), id="one overlooked"),
        pytest.param(unsure(THREE, FIVE), id="the same, asked about"),
    ],
)
def test_what_is_sure_only_if_seen_twice_is_asked_about_otherwise(second: Reading) -> None:
    told = both(once(THREE, FIVE), second)
    assert (told.dice, told.sure, told.why) == ((THREE, FIVE), False, Why.TOUCHING)
    assert not both(second, once(THREE, FIVE)).sure


FAINT_FIVE = replace(FIVE, confidence=CERTAIN - SHORT)


@pytest.mark.parametrize("why", [Why.FAINT, Why.TOUCHING])
def test_where_the_number_is_told_one_look_may_doubt_a_value_that_is_plain_to_the_other(why: Why) -> None:
    doubting = unsure(THREE, FAINT_FIVE, why=why)
    for one, other in ((once(FIVE, THREE), doubting), (doubting, once(FIVE, THREE))):
        assert both(one, other, told=True) == sure(FIVE, THREE)
        assert not both(one, other).sure, "another die may lie there that neither sees"


@pytest.mark.parametrize(
    "second",
    [
        *(unsure(THREE, FAINT_FIVE, why=why) for why in Why if why not in (Why.FAINT, Why.TOUCHING)),
        pytest.param(unsure(THREE, FAINT_FIVE, doubted=[FOUR_AWAY]), id="something left"),
        pytest.param(unsure(FOUR, FAINT_FIVE), id="another value"),
        pytest.param(unsure(THREE, UNREAD), id="one not read"),
        pytest.param(unsure(THREE), id="one overlooked"),
        pytest.param(unsure(THREE, FIVE, FOUR_AWAY), id="one more"),
        pytest.param(replace(unsure(THREE, FAINT_FIVE), dazzled=True), id="a lamp"),
    ],
)
def test_what_it_must_not_doubt_is_asked_about_though_the_number_is_told(second: Reading) -> None:
    assert not both(once(THREE, FIVE), second, told=True).sure
    assert not both(second, once(THREE, FIVE), told=True).sure


def test_values_that_neither_look_is_sure_of_are_asked_about_though_the_number_is_told() -> None:
    assert not both(unsure(THREE, FAINT_FIVE), unsure(THREE, FAINT_FIVE), told=True).sure


def test_one_more_die_in_one_of_two_looks_is_asked_about() -> None:
    assert both(once(THREE), once(THREE, FIVE)) == unsure(THREE, FIVE, why=Why.TOUCHING, doubted=[FIVE])


def test_what_is_made_unsure_stays_so_however_often_it_is_seen() -> None:
    made = once(THREE).unsure(Why.STRAY, (FIVE.box,))
    assert made == Reading((THREE,), False, Why.STRAY, (FIVE.box,))
    assert made.unsure(Why.GLARE).doubts == (FIVE.box,)
    assert not both(made, once(THREE)).sure


@pytest.mark.parametrize("second", [sure(THREE, FIVE), unsure(THREE, FIVE, why=Why.GLARE)], ids=["sure", "unsure"])
def test_of_two_looks_that_differ_the_one_that_sees_more_is_asked_about(second: Reading) -> None:
    told = unsure(THREE, FIVE, why=second.why or Why.FAINT, doubted=[FIVE])
    assert both(unsure(THREE, why=Why.COUNT), second) == told
    assert both(unsure(*second.dice), sure(THREE)) == unsure(THREE, FIVE, doubted=[FIVE])


def less(die: Die, confidence: float) -> Die:
    return replace(die, confidence=confidence)


def test_of_two_unsure_looks_each_die_is_shown_as_the_surer_one_sees_it() -> None:
    one, two = unsure(less(THREE, 0.8), less(FIVE, 0.3)), unsure(less(FOUR, 0.4), FIVE, why=Why.GLARE)
    told = unsure(less(THREE, 0.8), FIVE, doubted=[THREE, FIVE])
    assert both(one, two) == told
    assert both(two, one) == replace(told, why=Why.GLARE)
    assert both(unsure(THREE, UNREAD), unsure(THREE, FIVE)) == unsure(THREE, FIVE, doubted=[FIVE])


@pytest.mark.parametrize("first", [False, True])
def test_a_die_that_one_of_two_unsure_looks_sees_is_shown_where_that_is_rather_sure_of_it(*, first: bool) -> None:
    for confidence in (BY_ONE, BY_ONE - 0.01):
        more = less(FIVE, confidence)
        looks = (unsure(THREE, more), unsure(THREE)) if first else (unsure(THREE), unsure(THREE, more))
        shown = confidence >= BY_ONE
        told = unsure(*((THREE, more) if shown else (THREE,)), doubted=[FIVE])
        assert both(*looks) == told


def test_what_may_be_one_more_die_and_is_one_to_the_other_look_is_a_die_and_asked_about_once() -> None:
    near, away = (62.0, 41.0, 12.0, 12.0), (100.0, 40.0, 12.0, 12.0)
    stray = Reading((THREE, FOUR_AWAY), False, Why.STRAY, (near, away))
    told = both(stray, unsure(FIVE))
    assert told == Reading((THREE, FOUR_AWAY, FIVE), False, Why.STRAY, (near, away, THREE.box, FOUR_AWAY.box))


def test_two_looks_that_see_no_die_leave_the_doubts_of_the_first() -> None:
    stray = Reading((), False, Why.STRAY, (FIVE.box,))
    assert both(stray, Reading((), False, Why.EMPTY)) == stray
    assert joined(stray, sure()) == stray


@pytest.mark.parametrize("second", [sure(THREE, FIVE), sure(FOUR), sure(), unsure(THREE)])
def test_what_is_joined_is_never_sure(second: Reading) -> None:
    told = joined(unsure(THREE, why=Why.STRAY), second)
    assert (told.sure, told.if_twice, told.asks) == (False, False, True)


def test_of_two_looks_that_are_joined_the_unsure_one_gives_the_reason_though_it_sees_less() -> None:
    assert joined(sure(THREE, FIVE), unsure(THREE, why=Why.GLARE)) == unsure(THREE, FIVE, why=Why.GLARE, doubted=[FIVE])


def test_a_wrong_number_of_dice_is_the_reason_only_while_it_is_the_number_that_is_shown() -> None:
    """Each look overlooks another die of the three that must lie there: three are shown, one of them seen but once."""
    one, two = unsure(THREE, FIVE, why=Why.COUNT), unsure(FIVE, FOUR_AWAY, why=Why.COUNT)
    told = both(one, two)
    assert told == unsure(FIVE, THREE, FOUR_AWAY, why=Why.STRAY, doubted=[THREE, FOUR_AWAY])
    assert both(one, unsure(THREE, why=Why.COUNT)) == replace(one, doubts=(FIVE.box,))


def test_what_may_be_a_die_to_either_look_stays_in_doubt_once() -> None:
    here, there = (100, 10, 12, 12), (10, 100, 12, 12)
    one, two = unsure(FIVE), Reading((FIVE,), False, Why.STRAY, (here, there))
    assert both(one, two) == unsure(FIVE).unsure(Why.FAINT, (here, there))
    three = Reading((FIVE,), False, Why.STRAY, ((101, 11, 12, 12),))
    assert both(three, two).doubts == ((101, 11, 12, 12), there)


def test_what_one_look_hardly_sees_is_no_die_though_there_is_no_other() -> None:
    hardly = less(THREE, BY_ONE - 0.2)
    assert both(unsure(), unsure(hardly)) == Reading((), False, Why.FAINT, (THREE.box,))
    assert both(sure(), unsure(hardly)) == Reading((), False, Why.STRAY, (THREE.box,))


def test_no_die_that_is_asked_about_has_the_confidence_of_one_that_is_not() -> None:
    measured = ruler().sure_die
    assert measured - SHORT < CERTAIN <= measured
