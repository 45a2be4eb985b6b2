"""What a settler tells of dice drawn as plain squares: each of its rules alone, frame by frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from companion.events import Cleared, Die, Fact, Reading, Settled, Stilled, Stirred, Why
from companion.ports import Picture
from companion.vision.settle import Settler
from tests.vision.tape import told

Lying = tuple[int | None, int, int]  # value, x and y of a die's corner
WIDTH = 12
FRAME_S = 0.125
ONE, TWO = (3, 20, 20), (5, 60, 40)


class Tray:
    """A tray under a settler; the reader knows what lies there, and says `why` it is unsure."""

    def __init__(self) -> None:
        self.settler, self.now_s, self.reads = Settler(), 100.0, 0
        self.why: Why | None = None
        self.dice: Sequence[Lying] = ()
        self.covered = False  # lies a hand, which does not move, over the first die
        self.buried = False  # or over most of the tray
        self.rim = False  # has the tray one that is all edges
        self.blind = False  # are dice overlooked that lie in full view, as where a finger touches them
        self.uneven = False  # was a lamp lit at one side
        self.finger = False  # or where one lies over most of the first one
        self.fist = False  # or a small hand over it and beside it
        self.afresh: Sequence[Lying] | None = None  # what it sees then, if not the same,
        self.sure_afresh = False  # and whether it is sure of that, whatever `why` says
        self.if_twice = False  # is what is unsure sure if it is seen twice,
        self.doubted_afresh = False  # and not so then
        self.fresh_reads = 0

    def picture(self, *, hand: bool = False, light: float = 1.0) -> Picture:
        shown = np.full((72, 96, 3), 100, np.uint8)
        for value, x, y in self.dice:
            shown[y : y + WIDTH, x : x + WIDTH] = 180
            shown[y + 2 : y + 4 + (value or 0), x + 3 : x + 9] = 40
        if hand:
            shown[:30, 60:] = 160
        if self.covered:
            shown[10:66, 14:50] = 150
        if self.finger:
            shown[22:32, 20:32] = 140
        if self.fist:
            shown[12:34, 16:52] = 150
        if self.uneven:
            shown = np.asarray(shown * np.linspace(0.8, 1.4, 96)[None, :, None], np.uint8)
        if self.rim:
            shown[::2, 80:] = 250
        if self.buried:
            shown[10:66, 14:60] = 150
        return np.asarray(shown * light, np.uint8)

    def reading(self, *dice: Lying) -> Reading:
        seen = tuple(Die(value, (x, y, WIDTH, WIDTH), 1.0) for value, x, y in dice)
        return Reading(seen, self.why is None, self.why, if_twice=self.if_twice)

    def _read(self, _picture: Picture, *, afresh: bool = False) -> Reading:
        if self.covered or self.buried or self.blind:
            return Reading((), False, Why.EMPTY)
        if afresh:
            self.fresh_reads += 1
            fresh = self.reading(*(self.dice if self.afresh is None else self.afresh))
            fresh = replace(fresh, if_twice=False) if self.doubted_afresh else fresh
            return replace(fresh, sure=True, why=None) if self.sure_afresh else fresh
        self.reads += 1
        return self.reading(*self.dice)

    def show(
        self,
        *dice: Lying,
        seconds: float = FRAME_S,
        count: int | None = None,
        most: int | None = None,
        **how: float,
    ) -> list[Fact]:
        """What is told while these dice lie so for so long, a single frame if nothing is said."""
        self.dice = dice
        facts: list[Fact] = []
        for _ in range(round(seconds / FRAME_S)):
            self.now_s += FRAME_S
            shown = self.picture(**how)  # type: ignore[arg-type]
            facts += self.settler.feed(shown, self.now_s, self._read, count=count, most=most)
        return facts

    def throw(self, *dice: Lying) -> list[Fact]:
        """Taken up, and thrown: what is told once they lie still."""
        self.show(seconds=0.25)
        self.show((1, 40, 30))
        return [fact for fact in self.show(*dice, seconds=2) if not isinstance(fact, Stirred)]


def tray(*dice: Lying) -> Tray:
    """One on which these dice were thrown, told and taken."""
    made = Tray()
    assert made.show(seconds=1) == [Cleared()]
    assert made.throw(*dice) == [Settled(made.reading(*dice))]
    return made


def changed(made: Tray, *dice: Lying) -> Settled:
    return Settled(replace(made.reading(*dice), sure=False, why=Why.CHANGED))


def test_dice_that_may_have_lain_there_before_the_watch_began_are_said_to_be_found() -> None:
    made = Tray()
    assert made.show(ONE, hand=True) == []
    assert told(made.show(ONE, seconds=2)) == [Settled(made.reading(ONE), found=True)]
    assert told(made.throw(TWO)) == [Settled(made.reading(TWO))]


def test_an_arm_that_rested_beside_the_empty_tray_and_comes_back_may_hide_a_die() -> None:
    """So the tray without it is what the next throw is held against, and no older one with it."""
    made = Tray()
    made.show(seconds=1)
    made.show(seconds=4, hand=True)
    made.show(seconds=1)
    assert told(made.throw(ONE)) == [Settled(made.reading(ONE))]
    made.settler.taken((3,))
    made.show(seconds=2)
    made.show((1, 40, 30))
    (fact,) = told(made.show(TWO, seconds=5, hand=True))
    assert (fact.reading.sure, fact.reading.why) == (False, Why.HAND)


def test_dice_that_were_found_and_asked_about_are_so_until_they_are_read_or_entered() -> None:
    for entered in (False, True):
        made = Tray()
        made.why = Why.HAND
        assert told(made.show(ONE, seconds=4)) == [Settled(made.reading(ONE), found=True)]
        if entered:
            made.settler.taken((3,))
        made.why = None
        assert told(made.throw(TWO)) == [Settled(made.reading(TWO), found=not entered)]


def test_time_in_which_nobody_looked_is_no_patience() -> None:
    made = Tray()
    made.why = Why.FAINT
    made.show(ONE, seconds=1)
    made.now_s += 10
    made.settler.resumed()
    assert made.show(ONE, seconds=2.5) == []
    assert told(made.show(ONE, seconds=1)) == [Settled(made.reading(ONE), found=True)]


def test_what_was_read_before_nobody_looked_is_not_among_the_readings_that_agree() -> None:
    made = Tray()
    while made.reads < 2:
        assert made.show(ONE) == []
    made.now_s += 10
    made.settler.resumed()
    while made.reads < 4:
        assert made.show(ONE) == []
    assert made.show(ONE) == [Settled(made.reading(ONE), found=True)]


def test_dice_that_are_thrown_while_nobody_looks_are_a_throw() -> None:
    made = tray(ONE)
    made.now_s += 10
    made.settler.resumed()
    assert made.show(TWO) == [Stirred()]
    assert told(made.show(TWO, seconds=2)) == [Settled(made.reading(TWO))]


def test_dice_that_still_lie_there_once_somebody_looks_again_are_no_news() -> None:
    made = tray(ONE)
    made.settler.resumed()
    assert made.show(ONE, seconds=5) == []


def test_what_is_sure_is_read_afresh_once_before_it_is_told() -> None:
    made = tray(ONE, TWO)
    assert made.fresh_reads == 1


def test_a_die_more_that_is_seen_afresh_is_asked_about() -> None:
    made = Tray()
    made.afresh = (ONE, TWO)
    (fact,) = told(made.throw(ONE) + made.show(ONE, seconds=2))
    assert (fact.reading.values, fact.reading.sure, fact.reading.why) == ((3, 5), False, Why.STRAY)


def test_another_value_that_is_read_afresh_is_asked_about() -> None:
    made = Tray()
    made.afresh = ((4, 20, 20),)
    (fact,) = told(made.throw(ONE) + made.show(ONE, seconds=2))
    assert (fact.reading.values, fact.reading.sure, fact.reading.why) == ((3,), False, Why.FAINT)


def test_a_die_that_is_overlooked_afresh_is_asked_about() -> None:
    made = Tray()
    made.afresh = (ONE,)
    (fact,) = told(made.throw(ONE, TWO) + made.show(ONE, TWO, seconds=2))
    assert (fact.reading.values, fact.reading.sure, fact.reading.why) == ((3, 5), False, Why.FAINT)


def test_one_that_is_overlooked_afresh_is_no_reason_to_ask_where_the_number_is_told() -> None:
    made = Tray()
    made.afresh = (ONE,)
    assert told(made.show(ONE, TWO, seconds=2, count=2)) == [Settled(made.reading(ONE, TWO), found=True)]


def unsure(why: Why, *, afresh: Sequence[Lying] | None = None) -> Tray:
    """A tray that is only sure of what it reads afresh."""
    made = Tray()
    made.why, made.afresh, made.sure_afresh = why, afresh, True
    return made


def test_unsure_dice_that_are_surely_the_same_afresh_are_told_as_sure_ones_are() -> None:
    made = unsure(Why.TOUCHING)
    assert told(made.throw(ONE, TWO)) == [Settled(replace(made.reading(ONE, TWO), sure=True, why=None), found=True)]
    assert made.fresh_reads == 1


def test_unsure_dice_are_read_afresh_as_soon_as_readings_agree_and_before_they_are_asked_about() -> None:
    made = Tray()
    made.why = Why.TOUCHING
    made.throw(ONE, TWO)
    assert made.fresh_reads == 1
    assert told(made.show(ONE, TWO, seconds=2)) == [Settled(made.reading(ONE, TWO), found=True)]
    assert made.fresh_reads == 2


@pytest.mark.parametrize(("afresh", "sure"), [((ONE, TWO), True), ((ONE, (2, *TWO[1:])), False)])
def test_what_is_sure_only_if_seen_twice_is_told_as_sure_where_a_fresh_look_sees_the_same(
    afresh: Sequence[Lying], sure: bool
) -> None:
    made = Tray()
    made.why, made.if_twice, made.afresh = Why.TOUCHING, True, afresh
    (fact,) = told(made.throw(ONE, TWO) + made.show(ONE, TWO, seconds=2))
    assert (fact.reading.values, fact.reading.sure) == ((3, 5), sure)


@pytest.mark.parametrize("count", [2, None])
def test_a_value_that_a_fresh_look_doubts_is_told_as_sure_where_the_number_of_dice_is_known(count: int | None) -> None:
    made = Tray()
    made.why, made.if_twice, made.doubted_afresh = Why.TOUCHING, True, True
    made.show(count=count, seconds=1)
    (fact,) = told(made.show(ONE, TWO, count=count, seconds=5))
    assert (fact.reading.values, fact.reading.sure) == ((3, 5), count is not None)


def test_dice_are_asked_about_no_sooner_than_they_were_read_as_often_as_must_agree() -> None:
    """Where a reading takes two seconds."""
    made = Tray()
    made.why = Why.TOUCHING
    for _frame in range(3):
        assert made.show(ONE) == []
        made.now_s += 2
    assert made.show(ONE) == [Settled(made.reading(ONE), found=True)]


def test_where_something_more_may_be_a_die_a_fresh_look_that_does_not_see_it_decides_nothing() -> None:
    made = unsure(Why.STRAY)
    assert told(made.throw(ONE, TWO) + made.show(ONE, TWO, seconds=2)) == [Settled(made.reading(ONE, TWO), found=True)]


def test_unsure_dice_that_differ_afresh_are_asked_about_as_seen_by_the_look_that_sees_more() -> None:
    made = unsure(Why.COUNT, afresh=(ONE, TWO))
    (fact,) = told(made.throw(ONE) + made.show(ONE, seconds=2, count=2))
    assert (fact.reading.values, fact.reading.sure, fact.reading.why) == ((3, 5), False, Why.FAINT)
    made = unsure(Why.FAINT, afresh=(ONE,))
    (fact,) = told(made.throw(ONE, TWO) + made.show(ONE, TWO, seconds=2))
    assert (fact.reading.values, fact.reading.sure, fact.reading.why) == ((3, 5), False, Why.FAINT)


def test_dice_that_are_surely_another_number_than_must_lie_there_afresh_too_are_asked_about() -> None:
    made = unsure(Why.FAINT)
    made.throw(ONE)
    (fact,) = told(made.show(ONE, TWO, seconds=4, count=3))
    assert (fact.reading.values, fact.reading.sure, fact.reading.why) == ((3, 5), False, Why.COUNT)


class Wavering(Tray):
    """Its reader sees a three and a four in turn, and afresh is sure of a three."""

    def _read(self, picture: Picture, *, afresh: bool = False) -> Reading:
        reading = super()._read(picture, afresh=afresh)
        values = (ONE,) if afresh or self.reads % 2 else ((4, *ONE[1:]),)
        return replace(reading, dice=self.reading(*values).dice)


def test_unsure_dice_that_are_read_otherwise_from_frame_to_frame_are_not_sure_by_one_fresh_look() -> None:
    made = Wavering()
    made.why, made.sure_afresh = Why.FAINT, True
    made.throw(ONE)
    (fact,) = told(made.show(ONE, seconds=3))
    assert (fact.reading.sure, fact.reading.why) == (False, Why.FAINT)


def test_dice_are_told_as_sure_once_a_fresh_look_sees_the_same_again() -> None:
    made = Tray()
    made.afresh = (ONE, TWO)
    made.show(ONE, seconds=1)
    assert made.fresh_reads
    made.afresh = None
    assert told(made.show(ONE, seconds=1)) == [Settled(made.reading(ONE), found=True)]


def test_what_is_sure_after_a_doubt_is_read_afresh_too_before_it_is_told() -> None:
    made = Tray()
    made.why = Why.FAINT
    assert told(made.show(ONE, seconds=1.5)) == []
    assert made.fresh_reads == 1, "the doubt was looked at a second time, and stayed"
    made.why, made.afresh = None, (ONE, TWO)
    (fact,) = told(made.show(ONE, seconds=3))
    assert (fact.reading.values, fact.reading.sure, fact.reading.why) == ((3, 5), False, Why.STRAY)


def test_dice_are_read_three_times_once_they_lay_still_for_half_a_second() -> None:
    made = Tray()
    made.show()
    assert made.show(ONE) == [Stirred()]
    assert (made.show(ONE, seconds=0.375), made.reads) == ([], 0)
    assert (made.show(ONE, seconds=0.25), made.reads) == ([], 2)
    assert made.show(ONE) == [Settled(made.reading(ONE), found=True)]


def test_unsure_dice_are_asked_about_after_three_seconds_and_once() -> None:
    made = Tray()
    made.why = Why.COCKED
    made.show()
    assert made.show(ONE, seconds=3) == [Stirred()]
    assert made.show(ONE) == [Settled(made.reading(ONE), found=True)]
    assert made.show(ONE, seconds=5) == []


def test_light_is_no_motion_for_dice_that_wait_and_a_reason_to_read_those_that_were_told_again() -> None:
    made = Tray()
    made.show()
    made.show(ONE, seconds=0.375)
    assert made.show(ONE, seconds=0.5, light=0.8) == [Settled(made.reading(ONE), found=True)]
    reads = made.reads
    assert made.show(ONE, seconds=0.375) == []
    assert made.reads == reads  # in this light, too, they must lie still first
    assert made.show(ONE, seconds=1.5) == []
    assert made.reads == reads + 3


def flickering(made: Tray, *dice: Lying, frames: int) -> list[Fact]:
    """What is told under a light that is another one in each frame."""
    return [fact for n in range(frames) for fact in made.show(*dice, light=(1.0, 0.8)[n % 2])]


def test_dice_under_a_light_that_flickers_are_told_as_in_any_other() -> None:
    made = Tray()
    made.show()
    assert flickering(made, ONE, TWO, frames=8) == [Stirred(), Settled(made.reading(ONE, TWO), found=True)]
    assert flickering(made, ONE, TWO, frames=40) == []


def test_unsure_dice_under_a_light_that_flickers_are_asked_about_after_three_seconds() -> None:
    made = Tray()
    made.why = Why.COCKED
    made.show()
    assert flickering(made, ONE, frames=24) == [Stirred()]
    assert flickering(made, ONE, frames=1) == [Settled(made.reading(ONE), found=True)]
    assert flickering(made, ONE, frames=40) == []


def test_what_moves_is_told_once_and_a_hand_once_more() -> None:
    made = tray(ONE)
    assert made.show((3, 24, 20)) == [Stirred()]
    assert made.show((3, 28, 20)) == []
    assert made.show((3, 28, 20), hand=True) == [Stirred(Why.HAND)]
    assert made.show((3, 32, 20)) == []
    assert made.show((3, 32, 20), hand=True) == []


def test_after_a_hand_no_other_motion_is_told() -> None:
    made = tray(ONE)
    assert made.show(ONE, hand=True) == [Stirred(Why.HAND)]
    assert made.show((3, 24, 20)) == []


def test_an_empty_tray_is_told_once_until_something_moved() -> None:
    made = Tray()
    assert made.show(seconds=5) == [Cleared()]
    assert made.show(seconds=1, light=0.7) == []
    assert made.show(hand=True) == [Stirred(Why.HAND)]
    assert made.show(seconds=1) == [Cleared()]


@pytest.mark.parametrize("why", [None, Why.EMPTY])
def test_a_tray_in_which_dice_are_awaited_is_as_empty_as_any(why: Why | None) -> None:
    made = Tray()
    made.why = why
    assert made.show(seconds=1, count=2) == [Cleared()]


@pytest.mark.parametrize("count", [None, 2])
@pytest.mark.parametrize("why", [Why.STRAY, Why.GLARE])
def test_a_tray_in_which_something_may_lie_is_not_empty_whatever_is_awaited(why: Why, count: int | None) -> None:
    made = Tray()
    made.why = why
    assert made.show(seconds=4, count=count) == [Settled(made.reading(), found=True)]


def test_dice_that_were_hidden_from_view_are_no_new_roll() -> None:
    made = tray(ONE)
    made.why = Why.GLARE
    facts = made.show(seconds=4, count=1)
    made.why = None
    facts += made.show(ONE, seconds=1, count=1)
    assert [fact for fact in facts if not isinstance(fact, Stirred)] == [Stilled()]


def test_another_number_of_dice_than_must_lie_there_is_unsure() -> None:
    made = Tray()
    made.show(seconds=1)
    facts = made.show(ONE, seconds=4, count=2)
    assert facts == [Stirred(), Settled(replace(made.reading(ONE), sure=False, why=Why.COUNT))]
    assert made.show(ONE, TWO, seconds=1, count=2) == [Stirred(), Settled(made.reading(ONE, TWO))]


def test_dice_thrown_again_to_where_they_lay_with_the_values_they_had_are_no_news() -> None:
    made = tray(ONE, TWO)
    assert made.throw(ONE, TWO) == [Stilled()]


def test_dice_that_were_taken_up_and_lie_a_little_aside_were_thrown() -> None:
    made = tray(ONE, TWO)
    aside = (3, 28, 20)
    assert made.throw(aside, TWO) == [Settled(made.reading(aside, TWO))]


def test_one_of_two_dice_taken_up_for_a_moment_that_lies_a_little_aside_was_thrown() -> None:
    made, aside = tray(ONE, TWO), (3, 28, 20)
    made.show(TWO, seconds=0.25)
    made.show((1, 40, 10), TWO)
    assert told(made.show(aside, TWO, seconds=2)) == [Settled(made.reading(aside, TWO))]


def test_so_it_was_though_the_dice_were_shoved_or_turned_over_before() -> None:
    for before in ((3, 24, 20), (4, 20, 20)):
        made, aside = tray(ONE, TWO), (before[0], 30, 20)
        made.show(before, TWO, seconds=2)
        made.show(TWO, seconds=0.25)
        made.show((1, 40, 10), TWO)
        assert told(made.show(aside, TWO, seconds=2)) == [Settled(made.reading(aside, TWO))]


def test_a_die_taken_up_beside_a_hand_that_rests_and_laid_a_little_aside_was_thrown() -> None:
    made, aside = tray(ONE, TWO), (3, 28, 20)
    assert made.show(TWO, seconds=2, hand=True) == [Stirred(Why.HAND)]
    assert told(made.show(aside, TWO, seconds=2)) == [Settled(made.reading(aside, TWO))]


def test_a_die_thrown_beside_those_that_were_told_makes_a_new_throw() -> None:
    made = tray(ONE)
    assert made.show(ONE, TWO, seconds=2) == [Stirred(), Settled(made.reading(ONE, TWO))]


def test_dice_that_were_only_shoved_are_no_news_and_are_known_where_they_lie_now() -> None:
    made = tray(ONE, TWO)
    for x in (28, 36, 44):
        assert made.show((3, x, 20), TWO, seconds=2) == [Stirred(), Stilled()]


def test_dice_hidden_by_a_hand_that_rests_were_not_taken_up() -> None:
    made = tray(ONE, (5, 66, 8))
    assert made.show(ONE, (5, 66, 8), seconds=0.375, hand=True) == [Stirred(Why.HAND)]
    assert made.show(ONE, (5, 74, 8), seconds=2) == [Stilled()]


def test_what_creeps_away_is_noticed_however_little_moves_from_frame_to_frame() -> None:
    made = tray(ONE)
    facts: list[Fact] = []
    for fading in range(10):
        shown = made.picture()
        shown[20:32, 20:32] -= np.uint8(3 * fading)
        made.now_s += FRAME_S
        facts += made.settler.feed(shown, made.now_s, made._read)
    assert facts == [Stirred()]


def test_a_die_turned_over_in_place_is_asked_about_once() -> None:
    made = tray(ONE, TWO)
    turned = (4, 20, 20)
    assert made.show(turned, TWO, seconds=2) == [Stirred(), changed(made, turned, TWO)]
    assert made.show(turned, TWO, seconds=2, light=0.8) == []


def test_of_dice_some_of_which_are_shaken_nothing_is_told_until_they_are_thrown() -> None:
    made = tray(ONE, TWO)
    assert made.show(TWO, seconds=2) == [Stirred()]
    assert made.show((6, 22, 20), TWO, seconds=2) == [Settled(made.reading((6, 22, 20), TWO))]


def test_of_dice_some_of_which_are_shaken_for_long_nothing_is_asked_though_the_others_are_unsure() -> None:
    made = tray(ONE, TWO)
    made.show(TWO, seconds=2)
    made.why = Why.FAINT
    made.show((1, 30, 50), TWO)
    assert told(made.show(TWO, seconds=5)) == []


def test_a_die_nudged_as_another_is_taken_up_is_no_news_nor_is_what_still_lies_after_more_of_that() -> None:
    made = tray(ONE, TWO)
    nudged = (5, 54, 40)
    assert made.show(nudged, seconds=2) == [Stirred()]
    made = tray(ONE, TWO)
    made.show(TWO, seconds=2)
    assert made.show(TWO, hand=True) == [Stirred(Why.HAND)]
    assert made.show(TWO, seconds=2) == []


def test_a_die_knocked_aside_while_another_was_taken_up_is_asked_about() -> None:
    made = tray(ONE, TWO)
    assert made.show(TWO, seconds=2) == [Stirred()]
    knocked = (5, 52, 40)
    assert made.show(knocked, seconds=2) == [changed(made, knocked)]


def test_unsure_dice_are_told_again_only_after_something_moved_or_once_they_are_sure() -> None:
    made = Tray()
    made.show(seconds=1)
    made.why = Why.COCKED
    assert made.throw(ONE) == []
    assert made.show(ONE, seconds=2) == [Settled(made.reading(ONE))]
    assert made.show(ONE, seconds=4, light=0.8) == []
    assert made.show((3, 24, 20), seconds=4) == [Stirred(), Settled(made.reading((3, 24, 20)))]
    made.why = None
    assert made.show((3, 28, 20), seconds=1) == [Stirred(), Settled(made.reading((3, 28, 20)))]


def test_unsure_dice_are_no_news_of_those_that_were_taken_unless_others_lie_there() -> None:
    made = tray(ONE, TWO)
    made.why = Why.COCKED
    assert made.show((3, 24, 20), TWO, seconds=4) == [Stirred(), Stilled()]
    assert made.show(TWO, seconds=4) == [Stirred()]
    made.why = Why.FAINT
    assert made.show((4, 24, 20), TWO, seconds=4) == [Settled(made.reading((4, 24, 20), TWO))]


def test_other_dice_that_were_thrown_are_asked_about_though_fewer() -> None:
    made = tray(ONE, TWO)
    made.why = Why.COCKED
    made.show(seconds=0.25)
    other = (6, 34, 52)
    assert made.show(other, seconds=4) == [Settled(made.reading(other))]


def test_dice_that_are_unsure_where_they_were_shoved_were_not_taken_up() -> None:
    made = tray(ONE, TWO)
    made.why = Why.FAINT
    assert made.show((3, 24, 20), TWO, seconds=4) == [Stirred(), Stilled()]
    made.why = None
    assert made.show((3, 28, 20), TWO, seconds=2) == [Stirred(), Stilled()]


class Misread(Tray):
    """Its reader sees other dice in dim light."""

    dim: tuple[Lying, ...] = ()

    def _read(self, picture: Picture, *, afresh: bool = False) -> Reading:
        return self.reading(*(self.dim if picture[0, 0, 0] < 80 else self.dice))


@pytest.mark.parametrize("dim", [(4, 20, 20), (3, 60, 10)], ids=["turned", "elsewhere"])
@pytest.mark.parametrize("why", [None, Why.FAINT])
def test_what_is_read_otherwise_in_another_light_was_not_thrown(dim: Lying, why: Why | None) -> None:
    made = Misread()
    made.show(seconds=1)
    made.throw(ONE, TWO)
    made.dim, made.why = (dim, TWO), why
    assert made.show(ONE, TWO, seconds=5, light=0.7) == ([changed(made, dim, TWO)] if why is None else [])


def test_readings_must_agree_in_place_and_value_and_sureness() -> None:
    made = Tray()
    made.show(seconds=1)
    made.show(ONE, seconds=0.75)
    made.why = Why.FAINT
    made.show(ONE)
    made.why = None
    assert made.show(ONE, seconds=0.25) == []
    assert made.show(ONE) == [Settled(made.reading(ONE))]


def test_dice_entered_by_button_are_told_again_only_when_others_were_thrown() -> None:
    made = Tray()
    made.show(seconds=1)
    made.why = Why.COCKED
    made.show(ONE, seconds=4)
    made.settler.taken()
    made.why = None
    assert made.show((4, 24, 20), seconds=2) == [Stirred(), Stilled()]  # it was entered as what it shows
    assert made.throw((6, 70, 10)) == [Settled(made.reading((6, 70, 10)))]


def asked(*dice: Lying, why: Why = Why.GLARE) -> Tray:
    """One on which these dice were thrown and are asked about; from now on the reader is sure."""
    made = Tray()
    made.show(seconds=1)
    made.why = why
    made.throw(*dice)
    assert made.show(*dice, seconds=2) == [Settled(made.reading(*dice))]
    made.why = None
    return made


def test_what_is_left_of_dice_that_were_asked_about_is_no_throw_in_any_light_until_the_others_are_thrown() -> None:
    made = asked(ONE, TWO)
    left = changed(made, TWO)
    assert made.show(TWO, seconds=2) == [Stirred(), left]
    assert made.show(TWO, seconds=2, light=0.8) == [left]
    assert made.show(TWO, seconds=2) == [left]
    assert made.show((6, 70, 10), TWO, seconds=2) == [Stirred(), Settled(made.reading((6, 70, 10), TWO))]


def test_dice_that_were_asked_about_and_are_laid_back_are_told_once_they_are_sure() -> None:
    made = asked(ONE, TWO)
    made.show(TWO, seconds=2)
    assert made.show(ONE, TWO, seconds=2) == [Stirred(), Settled(made.reading(ONE, TWO))]


def test_an_unsure_reading_of_what_is_left_keeps_its_own_reason() -> None:
    made = asked(ONE, TWO)
    made.why = Why.COCKED
    assert made.show(TWO, seconds=4) == [Stirred(), Settled(made.reading(TWO))]
    made.why = None
    assert made.show(TWO, seconds=2, light=0.8) == [changed(made, TWO)]


def test_what_is_left_and_was_entered_is_the_roll_from_then_on() -> None:
    made = asked(ONE, TWO)
    made.show(TWO, seconds=2)
    made.settler.taken((5,))
    assert made.show(TWO, seconds=2, light=0.8) == []
    assert made.show((4, 60, 40), seconds=2) == [Stirred(), changed(made, (4, 60, 40))]
    assert made.show(ONE, (4, 60, 40), seconds=2) == [Stirred(), Settled(made.reading(ONE, (4, 60, 40)))]


def test_what_is_left_and_was_entered_is_thrown_once_it_was_taken_up() -> None:
    made = asked(ONE, TWO)
    made.show(TWO, seconds=2)
    made.settler.taken((5,))
    assert made.throw((5, 68, 40)) == [Settled(made.reading((5, 68, 40)))]


def test_dice_that_move_as_what_was_left_is_entered_are_a_throw() -> None:
    made = asked(ONE, TWO)
    made.show(TWO, seconds=2)
    assert made.show((1, 20, 50), TWO) == [Stirred()]
    made.settler.taken((5,))
    assert made.show(ONE, TWO, seconds=2) == [Settled(made.reading(ONE, TWO))]


def test_of_too_many_dice_the_right_number_is_told_once_the_others_are_away() -> None:
    made = Tray()
    made.show(seconds=1)
    made.show(ONE, TWO, seconds=4, count=1)
    assert made.show(TWO, seconds=2, count=1) == [Stirred(), Settled(made.reading(TWO))]


def test_what_is_left_of_too_many_dice_is_asked_about_as_the_players_chose_which() -> None:
    made = Tray()
    made.show(seconds=1)
    three = (ONE, TWO, (1, 20, 50))
    assert told(made.show(*three, seconds=4, most=1)) == [Settled(made.reading(*three).unsure(Why.COUNT))]
    assert told(made.show(ONE, TWO, seconds=4, most=1)) == [Settled(made.reading(ONE, TWO).unsure(Why.COUNT))]
    assert told(made.show(TWO, seconds=4, most=1)) == [changed(made, TWO)]
    assert told(made.show((5, 20, 50), seconds=4, most=1)) == [Settled(made.reading((5, 20, 50)))]


def test_as_many_dice_as_may_be_thrown_are_told_surely() -> None:
    made = Tray()
    made.show(seconds=1)
    assert told(made.show(ONE, TWO, seconds=4, most=2)) == [Settled(made.reading(ONE, TWO))]


def test_dice_that_cannot_be_read_well_after_a_hand_are_said_to_lie_still_too() -> None:
    made = tray(ONE, TWO)
    made.why = Why.FAINT
    assert made.show(ONE, TWO, seconds=0.5, hand=True) == [Stirred(Why.HAND)]
    assert made.show(ONE, TWO, seconds=6) == [Stilled()]
    assert made.show(ONE, TWO, hand=True) == [Stirred(Why.HAND)]
    made.why = None
    assert made.show(ONE, TWO, seconds=2) == [Stilled()]


def test_a_die_that_was_never_read_and_lies_where_it_lay_was_not_thrown() -> None:
    made = Tray()
    made.show(seconds=1)
    made.why, unread = Why.FAINT, (None, *TWO[1:])
    made.show(ONE, unread, seconds=4)
    made.settler.taken((3, 5))
    made.show(ONE, seconds=4)  # overlooked
    assert told(made.show(ONE, unread, seconds=4)) == []


def test_a_die_that_cannot_be_read_thrown_to_where_one_was_taken_up_is_asked_about() -> None:
    made = tray(ONE)
    made.show(seconds=1)
    made.why = Why.FAINT
    unread = (None, *ONE[1:])
    assert told(made.show(unread, seconds=4)) == [Settled(made.reading(unread))]
    made = tray(ONE)
    made.why = Why.FAINT
    assert made.show(unread, seconds=4) == [Stirred(), Stilled()], "it was not taken up"


def test_fewer_dice_in_another_light_were_not_taken_up() -> None:
    made = asked(ONE, TWO)
    made.show(ONE, TWO, seconds=0.25, light=0.8)
    made.dice = (ONE,)
    facts: list[Fact] = []
    for _frame in range(8):  # the second die is still in the picture
        made.now_s += FRAME_S
        shown = Tray()
        shown.dice = (ONE, TWO)
        facts += made.settler.feed(shown.picture(light=0.8), made.now_s, made._read)
    assert facts == [Settled(made.reading(ONE))]


def test_a_die_turned_over_is_no_throw_though_what_it_shows_is_unsure() -> None:
    made = tray(ONE, TWO)
    made.why = Why.GLARE
    turned = (4, 20, 20)
    assert made.show(turned, TWO, seconds=4) == [Stirred(), changed(made, turned, TWO)]


@pytest.mark.parametrize(("values", "noticed"), [((3, 5), True), ((5, 3), True), ((2, 5), False), ((), False)])
@pytest.mark.parametrize("why", [None, Why.FAINT])
def test_a_die_turned_over_is_noticed_if_it_was_taken_as_what_it_was_asked_about_as(
    values: tuple[int, ...], noticed: bool, why: Why | None
) -> None:
    made = asked(ONE, TWO)
    made.settler.taken(values)
    turned = (4, 24, 20)
    made.why = why
    other = Settled(made.reading(turned, TWO)) if why else Stilled()
    assert made.show(turned, TWO, seconds=4) == [Stirred(), changed(made, turned, TWO) if noticed else other]


def test_of_dice_entered_before_any_were_told_the_next_motion_is_a_new_one() -> None:
    made = Tray()
    made.show(seconds=1)
    assert made.show(ONE) == [Stirred()]
    made.settler.taken()
    assert made.show((3, 28, 20)) == [Stirred()]
    assert made.show((3, 28, 20), seconds=1) == [Settled(made.reading((3, 28, 20)))]


@pytest.mark.parametrize("later", [ONE, (3, 27, 24)])
def test_a_die_that_a_hand_hid_is_no_new_roll_though_it_was_shoved(later: Lying) -> None:
    made = tray(ONE)
    made.covered = True
    assert made.show(ONE, seconds=2) == [Stirred(Why.HAND)]
    made.covered = False
    assert made.show(later, seconds=2) == [Stilled()]


@pytest.mark.parametrize("dice", [(ONE,), (ONE, TWO)])
def test_a_die_that_a_small_hand_hid_is_no_new_roll_either(dice: tuple[Lying, ...]) -> None:
    made = tray(*dice)
    made.fist = True
    made.blind = len(dice) == 1
    assert made.show(*dice[1:], seconds=2) == [Stirred()]
    made.fist = made.blind = False
    assert made.show((3, 27, 24), *dice[1:], seconds=2) == [Stilled()]


def test_a_die_that_was_turned_under_a_hand_is_asked_about() -> None:
    made = tray(ONE)
    made.covered = True
    made.show(ONE, seconds=2)
    made.covered = False
    assert told(made.show((4, 20, 20), seconds=2)) == [changed(made, (4, 20, 20))]


def test_a_die_that_was_taken_up_behind_a_hand_is_gone_once_that_is_away() -> None:
    made = tray(ONE)
    made.covered = True
    made.show(ONE, seconds=2)
    made.covered = False
    assert Cleared() in made.show(seconds=2)
    assert told(made.throw(ONE)) == [Settled(made.reading(ONE))]


def test_a_tray_is_empty_though_a_hand_lay_over_its_rim_when_its_dice_were_told() -> None:
    made = Tray()
    made.show(seconds=1)
    made.show(seconds=0.25)
    touched = (5, 66, 28)
    assert told(made.show(touched, seconds=2, count=1, hand=True)) == [Settled(made.reading(touched))]
    assert Cleared() in made.show(seconds=2)


def handed(made: Tray, *dice: Lying) -> Settled:
    return Settled(made.reading(*dice).unsure(Why.HAND))


def test_dice_beside_a_hand_that_rests_are_asked_about_as_it_may_hide_one_more() -> None:
    made = Tray()
    made.show(seconds=1)
    assert told(made.show(ONE, seconds=2.5, hand=True)) == []
    assert told(made.show(ONE, seconds=2, hand=True)) == [handed(made, ONE)]
    assert told(made.show(ONE, seconds=2)) == [Settled(made.reading(ONE))]


def test_a_hand_that_goes_before_anybody_is_asked_only_delays_a_throw() -> None:
    made = Tray()
    made.show(seconds=1)
    assert told(made.show(ONE, seconds=2, hand=True)) == []
    assert told(made.show(ONE, seconds=2)) == [Settled(made.reading(ONE))]


def test_a_hand_hides_none_of_as_many_dice_as_must_lie_there() -> None:
    made = Tray()
    made.show(seconds=1)
    assert told(made.show(ONE, seconds=2, count=1, hand=True)) == [Settled(made.reading(ONE))]


def test_what_lies_at_the_rim_of_an_empty_tray_is_no_hand() -> None:
    made = Tray()
    assert made.show(seconds=1, hand=True) == [Cleared()]
    assert told(made.show(ONE, seconds=2, hand=True)) == [Settled(made.reading(ONE))]


def test_a_tray_is_empty_though_a_hand_rests_at_its_rim() -> None:
    made = Tray()
    made.show(seconds=1)
    assert made.show(seconds=4, hand=True) == [Stirred(Why.HAND), Cleared()]
    made = tray(ONE)
    assert made.show(seconds=4, hand=True) == [Stirred(Why.HAND), Cleared()]


def test_dice_beside_a_hand_that_are_sure_only_if_seen_twice_are_asked_about_as_all_are() -> None:
    made = Tray()
    made.show(seconds=1)
    made.why, made.if_twice = Why.TOUCHING, True
    (fact,) = told(made.show(ONE, TWO, seconds=5, hand=True))
    assert (fact.reading.values, fact.reading.sure, fact.reading.why) == ((3, 5), False, Why.HAND)


def test_unsure_dice_beside_a_hand_keep_their_own_reason() -> None:
    made = Tray()
    made.show(seconds=1)
    made.why = Why.COCKED
    assert told(made.show(ONE, seconds=5, hand=True)) == [Settled(made.reading(ONE))]


def test_what_is_laid_at_the_rim_is_asked_about_with_one_throw_only() -> None:
    made = tray(ONE)
    assert told(made.show(ONE, TWO, seconds=5, hand=True)) == [handed(made, ONE, TWO)]
    made.settler.taken([3, 5])
    made.show((1, 40, 40), hand=True)
    three = (2, 40, 50)
    assert told(made.show(ONE, TWO, three, seconds=2, hand=True)) == [Settled(made.reading(ONE, TWO, three))]


def test_what_stood_at_the_rim_when_dice_were_taken_hides_none_of_the_next_throw() -> None:
    """A cup that is taken away to throw, and put back."""
    made = tray(ONE)
    made.show(ONE, TWO, seconds=5, hand=True)
    made.settler.taken([3, 5])
    assert Cleared() in made.show(seconds=1)
    other = (2, 40, 50)
    assert told(made.show(other, seconds=2, hand=True)) == [Settled(made.reading(other))]


@pytest.mark.parametrize("taken_away", [False, True])
def test_a_hand_beside_dice_that_were_asked_about_and_not_taken_may_hide_one_of_the_next_throw(
    taken_away: bool,
) -> None:
    made = asked_under_a_hand()
    if taken_away:
        made.show(seconds=1)
    made.show((1, 40, 40), hand=True)
    assert told(made.show(TWO, seconds=5, hand=True)) == [handed(made, TWO)]


def test_another_light_does_not_make_dice_beside_a_hand_sure() -> None:
    made = asked_under_a_hand()
    assert made.show(ONE, seconds=5, hand=True, light=0.8) == []


def asked_under_a_hand() -> Tray:
    """One on which dice were thrown of which a hand hides one, and asked about."""
    made = Tray()
    made.show(seconds=1)
    assert told(made.show(ONE, seconds=5, hand=True)) == [handed(made, ONE)]
    return made


def test_a_die_that_a_hand_hid_when_it_was_entered_is_no_new_throw_once_that_is_away() -> None:
    made = asked_under_a_hand()
    made.settler.taken([3, 5])
    assert made.show(ONE, TWO, seconds=2) == [Stirred(Why.HAND), Stilled()]
    assert told(made.show(ONE, (4, 60, 40), seconds=2)) == [changed(made, ONE, (4, 60, 40))]


def test_a_die_that_was_entered_is_no_new_throw_either_once_the_others_were_seen_again_without_it() -> None:
    made = asked_under_a_hand()
    made.settler.taken([3, 5])
    made.show(ONE)
    assert made.show(ONE, seconds=2, hand=True) == [Stilled()]
    assert told(made.show(ONE, TWO, seconds=2)) == []


def test_nor_is_it_if_they_were_unsure_under_the_hand() -> None:
    made = asked_under_a_hand()
    made.settler.taken([3, 5])
    made.show(ONE)
    made.why = Why.FAINT
    assert told(made.show(ONE, seconds=5, hand=True)) == []
    made.why = None
    assert told(made.show(ONE, TWO, seconds=2)) == []


@pytest.mark.parametrize("why", [None, Why.FAINT])
def test_a_die_that_comes_after_the_hand_went_away_is_a_throw_though_as_many_were_entered(why: Why | None) -> None:
    made = asked_under_a_hand()
    made.settler.taken([3, 5])
    made.why = why
    assert told(made.show(ONE, seconds=5)) == []
    made.why = None
    assert told(made.show(ONE, TWO, seconds=2)) == [Settled(made.reading(ONE, TWO))]


def test_where_no_hand_hid_it_a_die_that_comes_is_a_throw_though_as_many_were_entered() -> None:
    made = asked(ONE)
    made.settler.taken([3, 5])
    assert told(made.show(ONE, TWO, seconds=2)) == [Settled(made.reading(ONE, TWO))]


def test_dice_that_were_taken_up_and_thrown_are_a_throw_though_one_lies_where_it_lay_beside_the_hand() -> None:
    made = asked_under_a_hand()
    made.settler.taken([3, 5])
    made.show(seconds=0.25, hand=True)
    made.show((1, 40, 50))
    assert told(made.show(ONE, TWO, seconds=2)) == [Settled(made.reading(ONE, TWO))]


def test_a_die_that_comes_to_light_and_is_unsure_is_no_news() -> None:
    made = asked_under_a_hand()
    made.settler.taken([3, 5])
    made.why = Why.FAINT
    assert told(made.show(ONE, TWO, seconds=5)) == []


def test_a_die_that_a_hand_hid_and_that_shows_something_else_than_was_entered_is_asked_about() -> None:
    made = asked_under_a_hand()
    made.settler.taken([3, 4])
    assert told(made.show(ONE, TWO, seconds=2)) == [changed(made, ONE, TWO)]


@pytest.mark.parametrize("entered", [[3], [3, 5, 5]])
def test_a_die_that_was_not_entered_is_a_new_throw(entered: list[int]) -> None:
    made = asked_under_a_hand()
    made.settler.taken(entered)
    assert told(made.show(ONE, TWO, seconds=2)) == [Settled(made.reading(ONE, TWO))]


def test_dice_that_were_thrown_again_are_a_throw_though_they_show_what_was_entered() -> None:
    made = asked_under_a_hand()
    made.settler.taken([3, 5])
    other = (5, 20, 50)
    assert told(made.show(TWO, (3, 40, 8), seconds=2)) == [Settled(made.reading(TWO, (3, 40, 8)))]
    made.settler.taken([5, 3])
    assert told(made.throw(TWO, (3, 40, 8), other)) == [Settled(made.reading(TWO, (3, 40, 8), other))]


def test_a_hand_that_rests_beside_dice_that_were_taken_is_no_news() -> None:
    made = tray(ONE, TWO)
    assert made.show(ONE, TWO, seconds=5, hand=True) == [Stirred(Why.HAND), Stilled()]


def test_a_hand_that_rests_beside_one_die_that_was_taken_is_no_news_either() -> None:
    made = tray(ONE)
    assert made.show(ONE, seconds=5, hand=True) == [Stirred(Why.HAND), Stilled()]


def test_dice_that_lie_elsewhere_as_they_lay_to_each_other_were_not_thrown() -> None:
    """So all are seen where somebody pushed the camera."""
    made = tray(ONE, TWO)
    pushed = tuple((value, x + 24, y + 10) for value, x, y in (ONE, TWO))
    assert told(made.show(*pushed, seconds=2)) == [changed(made, *pushed)]
    thrown = tray(ONE, TWO)
    assert told(thrown.throw(*pushed)) == [Settled(thrown.reading(*pushed))]


def test_nor_were_they_where_the_hand_that_pushed_the_camera_still_shows() -> None:
    made = tray(ONE, TWO)
    pushed = ((3, 30, 34), (5, 70, 54))
    assert told(made.show(*pushed, seconds=5, hand=True)) == [changed(made, *pushed)]


def test_where_no_empty_tray_was_seen_dice_that_are_not_seen_are_gone() -> None:
    """Or a hand that lay over the tray's rim when they were told would keep it from ever being empty."""
    made, touched = Tray(), (5, 66, 28)
    assert told(made.show(touched, seconds=2, hand=True)) == [Settled(made.reading(touched), found=True)]
    assert Cleared() in made.show(seconds=2)
    assert told(made.throw(touched)) == [Settled(made.reading(touched))]


def test_a_die_that_is_overlooked_where_a_hand_rests_beside_it_still_lies_there() -> None:
    made = tray(ONE)
    made.blind = True
    assert made.show(ONE, seconds=2, hand=True) == [Stirred(Why.HAND)]
    made.blind = False
    assert made.show(ONE, seconds=2) == [Stilled()]


def test_a_die_that_is_overlooked_for_long_lies_there_as_long_as_it_looks_as_it_did() -> None:
    made = tray(ONE)
    made.blind = True
    assert made.show(ONE, seconds=12, hand=True) == [Stirred(Why.HAND)]


def test_a_die_under_a_hand_still_lies_there_however_long_that_rests() -> None:
    made = tray(ONE)
    made.fist = made.blind = True
    assert made.show(ONE, seconds=12) == [Stirred()]


def test_a_die_under_a_hand_that_hides_most_of_a_tray_but_its_rim_still_lies_there() -> None:
    made = Tray()
    made.rim = True
    made.show(seconds=1)
    made.throw(ONE)
    made.show(ONE, hand=True)
    made.buried = True
    assert made.show(ONE, seconds=2) == []
    made.buried = False
    assert made.show(ONE, seconds=2) == [Stilled()]


def test_a_die_under_a_finger_that_is_seen_no_more_still_lies_there() -> None:
    made = tray(ONE)
    made.finger = made.blind = True
    assert made.show(ONE, seconds=4) == [Stirred()]
    made.finger = made.blind = False
    assert made.show(ONE, seconds=2) == [Stilled()]


def test_where_something_else_stays_for_longer_than_a_hand_would_the_die_is_gone() -> None:
    made = tray(ONE)
    made.finger = made.blind = True
    assert made.show(ONE, seconds=11) == [Stirred(), Cleared()]


def test_as_long_as_one_of_several_dice_that_are_overlooked_looks_as_it_did_the_tray_is_not_empty() -> None:
    made = tray(ONE, TWO)
    made.finger = made.blind = True
    assert made.show(ONE, TWO, seconds=12) == [Stirred()]


def test_a_tray_that_a_lamp_lights_unevenly_is_empty_at_once_and_the_next_throw_is_one() -> None:
    made = tray(ONE)
    made.uneven = True
    made.show(ONE, seconds=2)
    assert made.show(seconds=1) == [Stirred(), Cleared()]
    assert told(made.throw(ONE)) == [Settled(made.reading(ONE))]
