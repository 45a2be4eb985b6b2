"""What looks make of a roll: which places count, which raise a doubt, and which must not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from companion.events import Die, Why
from companion.vision.gleam import Gleam
from companion.vision.looking import Look
from companion.vision.networks import NOTHING, UNREAD
from companion.vision.ruler import logistic, value_features
from companion.vision.verdict import verdict
from tests.vision.plain_looks import RULER, WIDTH, look, read


def test_plain_dice_apart_are_sure() -> None:
    assert read(look(3), look(5, x=150)) == ((3, 5), None)


def test_a_place_that_may_be_a_die_keeps_a_roll_unsure() -> None:
    assert read(look(3), look(5, x=150, nothing=0.6)) == ((3,), Why.STRAY)


def test_a_die_that_nothing_else_than_the_class_names_is_unsure() -> None:
    alone = replace(look(4), spotted=None, pips=((1.0, 1.0),))
    assert read(alone)[1] is Why.FAINT
    assert read(replace(alone, spotted=4)) == ((4,), None)


def test_a_die_that_is_asked_about_for_its_value_is_never_given_the_confidence_of_a_sure_one() -> None:
    """A sign that is likeliest a three: the ruler alone would give it 0.93."""
    sign = look(3)
    sign.chances[3] = 0.51
    trusting = replace(RULER, value_weights=(5.0, *RULER.value_weights[1:]))
    (die,) = verdict([sign], trusting, count=None).dice
    assert die.confidence == pytest.approx(RULER.sure_die - 0.01)
    (plain,) = verdict([look(3)], trusting, count=None).dice
    assert plain.confidence > 0.99


def test_a_die_is_given_the_confidence_that_the_ruler_measures() -> None:
    measured = logistic(RULER.value_weights, value_features(look(3), WIDTH))
    (die,) = verdict([look(3)], RULER, count=None).dice
    assert die.confidence == pytest.approx(measured, abs=1e-4)
    vague = look(3)
    vague.chances[3] = 0.6
    (die,) = verdict([vague], RULER, count=None).dice
    assert die.confidence == pytest.approx(logistic(RULER.value_weights, value_features(vague, WIDTH)), abs=1e-4)


def test_a_die_shows_the_pips_that_explain_its_value() -> None:
    three = ((1.0, 1.0), (2.0, 2.0), (3.0, 3.0))
    seen = replace(look(3), pips=((1.0, 1.0),), recounts=(3, 3))
    shown = [verdict([one], RULER, count=None).dice[0].pips for one in (seen, replace(seen, explained=three))]
    assert shown == [seen.pips, three]


def test_the_pips_counted_in_further_looks_are_other_opinions() -> None:
    alone = replace(look(4), spotted=None, pips=((1.0, 1.0),), recounts=(5, 6))
    assert read(alone)[1] is Why.FAINT
    assert read(replace(alone, recounts=(5, 4))) == ((4,), None)


def test_another_number_that_more_opinions_name_makes_a_value_unsure() -> None:
    """Two small dice side by side, seen as one: what each look counts there is chance."""
    alone = replace(look(4), pips=((1.0, 1.0),) * 3)
    assert read(alone) == ((4,), None)
    assert read(replace(alone, recounts=(3,)))[1] is Why.FAINT
    assert read(replace(alone, recounts=(3, 4))) == ((4,), None)
    assert read(replace(alone, recounts=(5,))) == ((4,), None)


def test_a_four_in_which_geometry_sees_a_pip_in_the_middle_is_unsure_unless_it_was_plain_at_first() -> None:
    glaring = replace(look(4), spotted=5)
    assert read(glaring) == ((4,), None)
    assert read(replace(glaring, recounts=(4, 4)))[1] is Why.FAINT
    assert read(replace(look(2), spotted=3, recounts=(2, 2)))[1] is Why.FAINT
    assert read(replace(look(5), spotted=6, recounts=(5, 5))) == ((5,), None)


def test_opinions_that_each_name_another_number_say_nothing_for_any() -> None:
    """A gleaming hammer's head was a six so: to the class, and in one of two further looks."""
    seen = replace(look(6), pips=((1.0, 1.0),) * 4, spotted=3, recounts=(5, 6))
    assert read(seen)[1] is Why.FAINT
    assert read(replace(seen, recounts=(6, 6))) == ((6,), None)
    assert read(replace(seen, recounts=(6,))) == ((6,), None)
    assert read(replace(seen, spotted=None)) == ((6,), None)


@pytest.mark.parametrize(("chance", "why"), [(0.94, Why.FAINT), (0.96, None)])
def test_where_one_opinion_names_the_value_and_one_another_number_it_must_be_nearly_certain(
    chance: float, why: Why | None
) -> None:
    chances = np.full(8, (1 - chance) / 6, np.float32)
    chances[NOTHING], chances[5] = 0.0, chance
    generous = replace(RULER, sure_die=0.6, sure_roll=0.6)
    seen = replace(look(5), chances=chances, pips=((1.0, 1.0),) * 4)
    assert verdict([seen], generous, count=None).why is why


TRUSTING = replace(RULER, value_weights=(9.0, *RULER.value_weights[1:]))


@pytest.mark.parametrize(
    ("chance", "recounts", "colours", "why"),
    [
        (0.94, (4, 3), None, Why.FAINT),
        (0.96, (4, 3), None, None),
        (0.89, (3, 3), None, None),
        (0.89, (4, 3), 3, None),
        (0.89, (4, 3), 4, Why.FAINT),
        (0.89, (4, 4, 3), 3, None),
    ],
)
def test_where_another_number_is_named_as_often_the_value_must_be_likelier(
    chance: float, recounts: tuple[int, ...], colours: int | None, why: Why | None
) -> None:
    """From a slant, glare on a dark two: the three of a side face was sure, to the class and half of the others."""
    seen = replace(look(3), pips=((1.0, 1.0),) * 4, recounts=recounts)
    seen.chances[:] = (1 - chance) / 7
    seen.chances[3] = chance
    assert verdict([seen], TRUSTING, count=1, counted={} if colours is None else {seen: colours}).why is why


@pytest.mark.parametrize(
    ("chance", "bright", "why"), [(0.85, 61, None), (0.85, 59, Why.FAINT), (0.95, 59, None), (0.85, 40, Why.DARK)]
)
@pytest.mark.parametrize("coloured", [False, True])
def test_a_value_in_the_dark_must_be_likelier_even_where_colours_name_it(
    chance: float, bright: float, why: Why | None, coloured: bool
) -> None:
    """A slate two in little light: noise hid a pip from three looks and from the colours."""
    seen = replace(look(3), bright=bright)
    seen.chances[:] = (1 - chance) / 7
    seen.chances[3] = chance
    assert verdict([seen], TRUSTING, count=1, counted={seen: 3} if coloured else {}).why is why


@pytest.mark.parametrize("thing", [{"heat": 0.5}, {"size": 1.4 * WIDTH}, {"size": WIDTH / 1.4}])
def test_a_one_that_may_be_another_thing_with_a_spot_is_asked_about(thing: dict[str, float]) -> None:
    """A marble is seldom found as plainly as the dice beside it, or just as large."""
    assert verdict([look(4, x=150), look(1, nothing=0.08, **thing)], TRUSTING, count=None).why is Why.FAINT
    assert verdict([look(4, x=150), look(1, nothing=0.06, **thing)], TRUSTING, count=None).sure


def test_a_one_that_the_finder_sees_as_it_sees_plain_dice_beside_it_may_be_more_like_nothing() -> None:
    def certain(beside: Look, nothing: float) -> bool:
        reading = verdict([beside, look(1, nothing=nothing, heat=0.65)], TRUSTING, count=None)
        return reading.dice[1].confidence >= RULER.sure_die

    four, two, one = look(4, x=150), look(2, x=150), look(1, x=150)
    assert certain(four, 0.19)
    assert certain(two, 0.19)
    assert not certain(four, 0.21)
    assert not certain(one, 0.12)  # it may be a marble as well
    assert not certain(replace(four, spotted=None, pips=()), 0.12)  # it is not plain itself
    assert not certain(look(4, x=150, nothing=0.08), 0.12)  # nor is this one


@pytest.mark.parametrize(
    ("nothing", "colours", "sure"), [(0.19, 4, True), (0.21, 4, False), (0.08, None, False), (0.08, 5, False)]
)
def test_a_die_whose_value_the_colours_of_the_tables_own_dice_name_may_be_more_like_nothing(
    nothing: float, colours: int | None, sure: bool
) -> None:
    seen = look(4, nothing=nothing)
    told = {} if colours is None else {seen: colours}
    assert verdict([seen], TRUSTING, count=1, counted=told).sure is sure


def test_a_die_that_may_be_held_or_cocked_is_asked_about() -> None:
    held, flat = (look(4), look(4))
    held.chances[UNREAD], flat.chances[UNREAD] = 0.09, 0.06
    assert read(look(5, x=150), held)[1] is Why.FAINT
    assert read(look(5, x=150), flat) == ((5, 4), None)


def test_a_tray_with_one_die_in_it_is_not_taken_for_a_one() -> None:
    assert read(replace(look(1), filling=0.36))[1] is Why.FAINT
    assert read(replace(look(1), filling=0.3)) == ((1,), None)
    assert read(replace(look(5), filling=0.7)) == ((5,), None)


def test_a_tray_with_several_dice_in_it_is_not_taken_for_one_that_has_them_for_pips() -> None:
    assert read(replace(look(3), filling=0.84)) == ((3,), Why.FAINT)


def test_a_face_that_is_plainly_read_is_a_die_however_faintly_the_finder_saw_one() -> None:
    """Beside spots as large as pips, a die is hard to tell as one: its face is not."""
    by_heat = replace(RULER, die_weights=(0.0, 0.0, 10.0, 0.0, 0.0, 0.0, 0.0))
    faint = look(5, heat=0.3)
    assert verdict([faint], by_heat, count=1).sure
    assert not verdict([replace(faint, spotted=4, pips=())], by_heat, count=None).dice
    assert verdict([look(5, nothing=0.15, heat=0.3)], by_heat, count=None).dice
    assert not verdict([look(5, nothing=0.22, heat=0.3)], by_heat, count=None).dice


def test_where_a_die_was_hardly_found_another_one_may_have_been_overlooked() -> None:
    assert read(look(5, heat=0.26)) == ((5,), None)
    assert read(look(5, heat=0.2)) == ((5,), Why.FAINT)


def test_where_as_many_as_must_lie_there_are_confirmed_by_their_colours_none_was_overlooked() -> None:
    five, six = look(5, heat=0.2), look(6, x=150)
    assert verdict([five, six], RULER, count=2, counted={five: 5, six: 6}).sure
    assert not verdict([five, six], RULER, count=None, counted={five: 5, six: 6}).sure
    assert not verdict([five, six], RULER, count=2, counted={six: 6}).sure
    assert not verdict([five, six], RULER, count=2).sure


def test_dice_that_are_less_sure_together_are_so_where_their_colours_confirm_as_many_as_must_lie_there() -> None:
    strict = replace(RULER, sure_roll=0.9999)
    five, six = look(5), look(6, x=150)
    assert verdict([five, six], strict, count=2).why is Why.FAINT
    assert verdict([five, six], strict, count=2, counted={five: 5, six: 6}).sure
    assert verdict([five, six], strict, count=None, counted={five: 5, six: 6}).why is Why.FAINT


@pytest.mark.parametrize("seen", [look(1, nothing=0.05), replace(look(6, nothing=0.05), spotted=5)])
def test_one_thing_alone_that_may_be_none_is_a_die_where_it_is_confirmed_by_its_colours(seen: Look) -> None:
    assert verdict([seen], TRUSTING, count=1).why is Why.FAINT
    assert verdict([seen], TRUSTING, count=1, counted={seen: seen.value}).sure
    assert verdict([seen], TRUSTING, count=None, counted={seen: seen.value}).why is Why.FAINT


def test_where_no_die_is_likelier_right_than_wrong_there_may_be_none() -> None:
    """Print and leaves are at times taken for dice of no certain value; beside a die that is read, they still count."""
    vague = look(2, x=150)
    vague.chances[:] = (0.2, 0.15, 0.2, 0.15, 0.1, 0.1, 0.05, 0.05)
    assert read(vague) == ((), Why.STRAY)
    assert read(vague, count=0) == ((), Why.STRAY)
    assert read(look(3), vague) == ((3, 2), Why.FAINT)
    unread = look(2, x=150)
    unread.chances[:] = (0.005, 0.05, 0.05, 0.05, 0, 0, 0, 0.845)
    assert read(unread)[0] == (None,)
    assert verdict([unread], RULER, count=None).dice == (Die(None, unread.place.box, 0.0, ()),)
    hardly_odd = replace(unread, chances=np.array((0.2, 0.05, 0.05, 0.05, 0, 0, 0, 0.65), np.float32))
    assert read(hardly_odd) == ((), Why.STRAY)  # leaves, a wheel, a block of wood: asked about as what may be a die
    assert read(hardly_odd, vague) == ((), Why.STRAY)
    assert read(hardly_odd, count=1)[0] == (None,)
    assert read(look(3), hardly_odd) == ((3,), Why.STRAY)
    assert set(read(look(3), hardly_odd, count=2)[0]) == {3, None}
    hardly = replace(vague, chances=np.array((0.2, 0.1, 0.4, 0.1, 0.1, 0.05, 0.05, 0), np.float32))
    assert read(hardly) == ((), Why.STRAY)


@pytest.mark.parametrize(("nothing", "dice", "why"), [(0.005, (3, None), Why.NOT_PIPS), (0.02, (3,), Why.STRAY)])
@pytest.mark.parametrize("size", [WIDTH, 4 * WIDTH])
def test_what_cannot_be_read_counts_as_a_die_where_it_is_plainly_one_and_else_is_asked_about(
    nothing: float, dice: tuple[int | None, ...], why: Why, size: float
) -> None:
    """A block of wood, a rubber, a token: of whatever size, what was taken for a die before is not passed over."""
    thing = look(1, x=150, size=size)
    thing.chances[:] = (nothing, *(0.01,) * 6, 0.94 - nothing)
    reading = verdict([look(3), thing], RULER, count=None)
    assert (tuple(die.value for die in reading.dice), reading.why, reading.asks) == (dice, why, True)
    assert (thing.place.box in reading.doubts) is (why is Why.STRAY)
    assert {die.value for die in verdict([look(3), thing], RULER, count=2).dice} == {3, None}


def test_dice_seen_into_each_other_are_unsure() -> None:
    """The side face of one may be taken for another; dice that only touch are two."""
    assert read(look(3), look(5, x=50 + 0.75 * WIDTH)) == ((3, 5), Why.TOUCHING)
    assert read(look(3), look(5, x=50 + WIDTH)) == ((3, 5), None)


ALMOST_SOFT = replace(look(5, x=150), sharp=0.15)


@pytest.mark.parametrize(
    ("other", "why"),
    [
        pytest.param(look(5, x=50 + 0.75 * WIDTH), Why.TOUCHING, id="into each other"),
        pytest.param(replace(look(5, x=150), at_rim=True), Why.FAINT, id="at the rim"),
        pytest.param(look(5, x=150, heat=0.2), Why.FAINT, id="found faintly"),
        pytest.param(ALMOST_SOFT, Why.BLURRED, id="somewhat blurred"),
    ],
)
def test_what_may_be_a_fault_of_one_look_is_unsure_unless_two_see_the_same(other: Look, why: Why) -> None:
    reading = verdict([look(3), other], RULER, count=None)
    assert (reading.sure, reading.why, reading.if_twice, reading.asks) == (False, why, True, False)
    plain = verdict([look(3), look(5, x=150)], RULER, count=None)
    assert (plain.sure, plain.if_twice, plain.asks) == (True, False, False)


@pytest.mark.parametrize(
    "looks",
    [
        pytest.param((replace(look(3), gleam=Gleam(likely=True)),), id="a lamp mirrored in it"),
        pytest.param((replace(look(3), spotted=4, pips=((1.0, 1.0),), at_rim=True),), id="other opinions"),
        pytest.param((look(3, x=50 + 0.75 * WIDTH), look(5, nothing=0.2)), id="hardly a die"),
        pytest.param((look(3), look(5, x=150, heat=0.2), look(4, x=250, nothing=0.6)), id="what may be one more"),
        pytest.param((look(3), replace(ALMOST_SOFT, sharp=0.13)), id="more blurred"),
        pytest.param((look(3), replace(look(5, x=150, size=1.8 * WIDTH), at_rim=True)), id="much larger"),
    ],
)
def test_what_two_looks_may_both_be_deceived_by_is_asked_about_however_often_it_is_seen(looks: Sequence[Look]) -> None:
    reading = verdict(looks, RULER, count=None)
    assert (reading.sure, reading.if_twice, reading.asks) == (False, False, True)


def test_another_number_of_dice_than_told_is_asked_about_however_often_it_is_seen() -> None:
    reading = verdict([replace(look(3), at_rim=True)], RULER, count=2)
    assert (reading.why, reading.if_twice) == (Why.COUNT, False)
    assert verdict([replace(look(3), at_rim=True)], RULER, count=1).if_twice


def test_another_number_than_told_is_unsure() -> None:
    assert read(look(3), look(5, x=150), count=3)[1] is Why.COUNT
    assert read(count=3) == ((), Why.EMPTY)
    assert read(replace(look(6), cut=True), count=3) == ((), Why.STRAY)


@pytest.mark.parametrize(
    ("sizes", "why"),
    [
        ((1, 1.7), None),
        ((1, 1.8), Why.FAINT),
        ((1, 1, 1.8), Why.FAINT),
        ((1, 1, 1 / 1.8), Why.FAINT),
        ((1, 1.4, 1.8), None),
    ],
)
def test_a_die_much_larger_or_smaller_than_the_others_is_unsure(sizes: tuple[float, ...], why: Why | None) -> None:
    """One held up before the camera, or two small ones side by side seen as one; not the far end of a steep view."""
    assert read(*(look(3, x=150 * i, size=WIDTH * size) for i, size in enumerate(sizes)))[1] is why


def test_of_a_told_number_the_likeliest_doubts_are_shown_as_dice_and_asked_about() -> None:
    less, more = look(5, x=150, nothing=0.66), look(6, x=250, nothing=0.58)
    assert read(look(3), less, more) == ((3,), Why.STRAY)
    assert read(look(3), less, more, count=2) == ((3, 6), Why.FAINT)
    assert read(look(3), less, more, count=3) == ((3, 6, 5), Why.FAINT)
    assert read(look(3), less, more, count=4) == ((3, 6, 5), Why.COUNT)
    assert read(look(3), replace(look(6, x=250), cut=True), count=2) == ((3,), Why.COUNT)
    assert verdict([look(3), less, more], RULER, count=2).doubts == (less.place.box,)


def test_beside_as_many_dice_as_must_lie_there_or_more_no_doubt_is_shown_as_one() -> None:
    doubts = (look(2, x=250, nothing=0.6), look(6, x=350, nothing=0.6))
    assert read(look(3), look(5, x=150), *doubts, count=2) == ((3, 5), Why.STRAY)
    assert read(look(3), look(5, x=150), *doubts, count=1) == ((3, 5), Why.COUNT)


def test_beside_as_many_dice_as_must_lie_there_confirmed_by_their_colours_a_vague_thing_is_none() -> None:
    """A round token beside the table's own dice; a plainly read die, or one in their colours, still counts."""
    own, token, vague = look(3), look(2, x=150), look(6, x=250, nothing=0.6)
    token.chances[:] = (0.1, 0.2, 0.25, 0.15, 0.1, 0.1, 0.05, 0.05)

    def told(*looks: Look, count: int | None, colours: dict[Look, int]) -> tuple[tuple[int | None, ...], Why | None]:
        reading = verdict(looks, RULER, count=count, counted=colours)
        return tuple(die.value for die in reading.dice), reading.why

    assert told(own, token, vague, count=1, colours={own: 3}) == ((3,), None)
    assert told(own, token, vague, count=None, colours={own: 3}) == ((3, 2), Why.FAINT)
    assert told(own, token, count=2, colours={own: 3}) == ((3, 2), Why.FAINT)
    assert told(own, token, count=1, colours={own: 3, token: 4}) == ((3, 2), Why.COUNT)
    assert told(own, look(5, x=150), count=1, colours={own: 3}) == ((3, 5), Why.COUNT)
    blurred = replace(own, sharp=0.08)
    assert told(blurred, token, count=1, colours={blurred: 3}) == ((3, 2), Why.COUNT)
    assert told(own, vague, count=1, colours={own: 3, vague: 6}) == ((3,), Why.STRAY)
    assert told(own, replace(vague, cut=True, chances=token.chances), count=1, colours={own: 3}) == ((3,), Why.CUT)


def test_a_die_that_is_partly_outside_the_picture_is_said_to_be_and_another_doubt_before_it() -> None:
    half, more = replace(look(6, x=250), cut=True), look(5, x=150, nothing=0.58)
    assert read(look(3), half) == ((3,), Why.CUT)
    assert read(look(3), half, more) == ((3,), Why.STRAY)


def test_a_value_hardly_likelier_than_others_is_unsure_though_all_opinions_name_it() -> None:
    """Glare joins two white pips: the class, its pips and geometry all see one."""
    chances = np.full(8, 0.07, np.float32)
    chances[1] = 0.51
    assert read(replace(look(1), chances=chances))[1] is Why.FAINT
    easy = replace(RULER, sure_die=0.0, sure_roll=0.0)
    assert not verdict([replace(look(1), chances=chances)], easy, count=1).sure
    assert verdict([look(1)], easy, count=1).sure


@pytest.mark.parametrize(
    ("spotted", "chance", "why"), [(5, 0.75, None), (5, 0.65, Why.FAINT), (2, 0.75, Why.FAINT), (2, 0.85, None)]
)
def test_where_geometry_sees_another_number_the_value_must_be_likelier(
    spotted: int, chance: float, why: Why | None
) -> None:
    chances = np.full(8, (1 - chance) / 6, np.float32)
    chances[NOTHING], chances[5] = 0.0, chance
    generous = replace(RULER, sure_die=0.6, sure_roll=0.6)
    seen = replace(look(5), chances=chances, spotted=spotted, recounts=(5,))
    assert verdict([seen], generous, count=None).why is why


@pytest.mark.parametrize(
    ("odd", "pips", "recounts", "spotted", "value"),
    [
        (0.45, 3, (), None, 4),
        (0.55, 3, (), None, None),
        (0.55, 3, (3, 5), 5, None),
        (0.55, 4, (), None, 4),
        (0.86, 3, (4,), None, 4),
        (0.91, 3, (), 4, 4),
        (0.93, 4, (4, 4), 4, None),
    ],
)
def test_a_die_likelier_cocked_or_odd_than_not_is_asked_about_with_a_value_only_if_another_opinion_names_it(
    odd: float, pips: int, recounts: tuple[int, ...], spotted: int | None, value: int | None
) -> None:
    """A pip in a lamp's ring is much like a sign; but signs have next to no chance to be that number."""
    chances = np.full(8, 0.005, np.float32)
    chances[4], chances[UNREAD] = 0.97 - odd, odd
    seen = replace(look(4, x=150), chances=chances, pips=((1.0, 1.0),) * pips, recounts=recounts, spotted=spotted)
    assert read(look(3), seen) == ((3, value), Why.COCKED)


@pytest.mark.parametrize(("colours", "sure"), [(4, True), (5, False), (None, True)])
def test_another_number_that_geometry_and_the_colours_both_name_makes_a_value_unsure(
    colours: int | None, sure: bool
) -> None:
    """In the dark a pip in the middle is lost in the noise, to the network's class and pips alike."""
    seen = replace(look(4), spotted=5)
    assert verdict([seen], RULER, count=1, counted={} if colours is None else {seen: colours}).sure is sure


def test_the_colours_of_the_tables_dice_are_enough_to_name_a_value_alone() -> None:
    glaring = replace(look(4), spotted=3, pips=((1.0, 1.0),) * 3)
    assert not verdict([glaring], RULER, count=1).sure
    assert verdict([glaring], RULER, count=1, counted={glaring: 4}).sure


def likely(value: int, chance: float, **other: float) -> Look:
    """A die to all opinions, though the class gives other values a little."""
    seen = look(value, **other)
    seen.chances[1:UNREAD], seen.chances[value] = (0.99 - chance) / 5, chance
    return seen


def test_pips_counted_by_colours_make_a_value_likelier_or_less_likely() -> None:
    for chance, colours, sure in (
        (0.72, None, False),
        (0.72, 4, True),
        (0.9, None, True),
        (0.9, 5, False),
        (0.97, 5, True),
    ):
        seen = likely(4, chance)
        told = {} if colours is None else {seen: colours}
        assert verdict([seen], RULER, count=1, counted=told).sure is sure, (chance, colours)


def test_each_die_and_all_together_must_be_certain_enough() -> None:
    assert read(likely(4, 0.83))[1] is Why.FAINT  # it alone is enough for a roll, but not for a die
    assert read(likely(4, 0.88))[1] is None
    assert read(likely(4, 0.88), likely(3, 0.88, x=150))[1] is Why.FAINT


def test_a_die_at_the_rim_may_be_cut_off_and_is_unsure() -> None:
    assert read(replace(look(4), at_rim=True)) == ((4,), Why.FAINT)


def test_a_blurred_die_is_unsure_though_all_opinions_name_its_value() -> None:
    assert read(replace(look(4), sharp=0.08)) == ((4,), Why.BLURRED)
    assert read(replace(look(4), sharp=0.13), count=1) == ((4,), None)


def test_a_die_with_a_lamp_mirrored_in_its_middle_is_unsure_though_all_opinions_name_it() -> None:
    assert read(look(5), look(2, x=150.0)) == ((5, 2), None)
    assert read(replace(look(5), gleam=Gleam(likely=True)), look(2, x=150.0)) == ((5, 2), Why.GLARE)
    assert read(replace(look(5), gleam=Gleam(likely=True)), look(2, x=150.0), count=2) == ((5, 2), Why.GLARE)


@pytest.mark.parametrize("gleam", [Gleam(), Gleam(likely=True), Gleam(plain=True)])
def test_only_a_lamp_that_is_plainly_mirrored_is_told_to_deceive_other_looks(gleam: Gleam) -> None:
    one, other = replace(look(5), gleam=gleam), look(2, x=150.0)
    reading = verdict([one, other], RULER, count=None)
    assert reading.dazzled == gleam.plain
    assert reading.asks == any(gleam)
    as_without_it = replace(one, pips=(*one.pips, (0.0, 0.0)))  # six spots in what is a five
    seen_through = verdict([as_without_it, other], RULER, count=None)
    assert not seen_through.dazzled
    assert seen_through.asks == gleam.likely


def test_beside_a_soft_die_another_one_may_not_be_seen_unless_their_number_is_told() -> None:
    soft = replace(look(4, size=34.0), sharp=0.15)
    assert read(soft, look(2, x=150, size=34.0)) == ((4, 2), Why.BLURRED)
    assert read(soft, look(2, x=150, size=34.0), count=2) == ((4, 2), None)
    assert read(replace(soft, sharp=0.17)) == ((4,), None)
    assert read(replace(look(4, size=26.0), sharp=0.15)) == ((4,), None)  # coarse, not blurred
    assert verdict([soft], RULER, count=None, counted={soft: 4}).sure  # of the table's own, whose colors are known


WEAK = replace(look(4), spotted=None, pips=((1.0, 1.0),) * 2)  # hardly anything names its value


def odd(chance: float, pips: int) -> Look:
    seen = replace(look(4), pips=((50.0, 50.0),) * pips)
    seen.chances[4], seen.chances[UNREAD] = 0.98 - chance, chance
    return seen


@pytest.mark.parametrize(
    ("seen", "why"),
    [
        (WEAK, Why.FAINT),
        (replace(WEAK, bright=60.0), Why.FAINT),
        (replace(WEAK, bright=38.0), Why.DARK),
        (replace(WEAK, sharp=0.2), Why.FAINT),
        (replace(WEAK, sharp=0.14), Why.BLURRED),
        (replace(WEAK, sharp=0.14, bright=38.0), Why.DARK),
        (replace(WEAK, glare=0.1), Why.FAINT),
        (replace(WEAK, glare=0.15), Why.GLARE),
        (replace(WEAK, glare=0.15, pips=((50.0, 50.0),) * 4, recounts=(3, 3)), Why.FAINT),
        (odd(0.2, pips=4), Why.FAINT),
        (odd(0.3, pips=2), Why.COCKED),
        (odd(0.3, pips=1), Why.NOT_PIPS),
    ],
)
def test_a_player_is_told_what_keeps_a_die_from_being_read(seen: Look, why: Why) -> None:
    assert read(look(3, x=150), seen)[1] is why


def test_of_several_reasons_that_is_told_which_a_player_can_mend_first() -> None:
    dark = replace(WEAK, bright=38.0)
    glaring = replace(look(4, x=150), pips=WEAK.pips, glare=0.15)
    assert read(dark, glaring)[1] is read(glaring, dark)[1] is Why.DARK
    faint, close = replace(look(4, x=150), pips=WEAK.pips), look(3, x=50 + 0.85 * WIDTH)
    assert read(faint, close, WEAK)[1] is read(WEAK, close, faint)[1] is Why.TOUCHING


def test_a_die_that_is_weak_where_another_one_touches_it_is_said_to_touch() -> None:
    assert read(look(3, x=50 + 0.85 * WIDTH), WEAK)[1] is Why.TOUCHING
    assert read(look(3, x=50 + 1.1 * WIDTH), WEAK)[1] is Why.FAINT


def unclear(chance: float, *, odd: float = 0.2, nothing: float = 0.1, heat: float = 0.7, size: float = WIDTH) -> Look:
    """Something at x = 50 that is no more a one than so, but likely a die."""
    seen = look(1, nothing=nothing, heat=heat, size=size)
    seen.chances[1:UNREAD], seen.chances[1], seen.chances[UNREAD] = (1 - nothing - odd - chance) / 5, chance, odd
    return seen


@pytest.mark.parametrize(
    ("thing", "values", "why"),
    [
        (unclear(0.28), (4, 1), Why.FAINT),
        (unclear(0.28, heat=0.45), (4,), Why.STRAY),
        (unclear(0.28, heat=0.5), (4, 1), Why.FAINT),
        (unclear(0.28, heat=0.45, size=1.4 * WIDTH), (4,), Why.STRAY),
        (unclear(0.28, size=1.4 * WIDTH), (4, 1), Why.FAINT),
        (unclear(0.32, heat=0.45), (4, 1), Why.FAINT),
        (unclear(0.28, heat=0.45, odd=0.6), (4,), Why.STRAY),
        (unclear(0.28, heat=0.45, odd=0.6, nothing=0.008), (4, 1), Why.NOT_PIPS),
        (unclear(0.28, heat=0.45, odd=0.4, nothing=0.008), (4,), Why.STRAY),
        (unclear(0.28, odd=0.6), (4, 1), Why.NOT_PIPS),
    ],
)
def test_what_is_unlike_the_dice_beside_it_and_hardly_has_a_value_is_asked_about_but_no_die(
    thing: Look, values: tuple[int | None, ...], why: Why
) -> None:
    """What the finder is sure of is a die all the same: of sets never seen, dark ones with red pips are found so."""
    assert read(look(4, x=150), thing) == (values, why)


def test_what_the_finder_sees_as_it_sees_the_plain_dice_is_one_though_it_hardly_has_a_value() -> None:
    assert read(look(4, x=150, heat=0.45), unclear(0.28, heat=0.42)) == ((4, 1), Why.FAINT)
    assert read(look(4, x=150, heat=0.45), unclear(0.28, heat=0.36)) == ((4,), Why.STRAY)


def test_where_no_plain_die_lies_nothing_is_unlike_it() -> None:
    assert read(look(1, x=150), unclear(0.28, heat=0.5))[0] == (1, 1)


def test_where_ones_alone_lie_each_must_be_a_die_more_plainly() -> None:
    """A marble with a gleam on an empty table; beside a die of another value it is judged as any one."""
    marble, plain = look(1, nothing=0.05), look(1, x=150)
    assert read(marble) == ((1,), Why.FAINT)
    assert read(marble, plain) == ((1, 1), Why.FAINT)
    assert read(plain) == ((1,), None)
    assert read(marble, look(4, x=150)) == ((1, 4), None)


def test_what_lies_alone_must_be_a_die_more_plainly_where_geometry_sees_another_number() -> None:
    """A button with four holes, say."""
    as_a_four = look(4, nothing=0.04)
    button = replace(as_a_four, spotted=6)
    assert read(as_a_four) == ((4,), None)
    assert read(button) == ((4,), Why.FAINT)
    assert read(replace(look(4, nothing=0.02), spotted=6)) == ((4,), None)
    assert read(button, look(3, x=150)) == ((4, 3), None)
