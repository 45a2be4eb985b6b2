"""What is not taken for a die but could be one is asked about; what is plainly another thing is not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.events import Why
from companion.vision.verdict import verdict
from companion.vision.views import Place
from tests.vision.plain_looks import RULER, WIDTH, look, read

BY_BOTH = replace(RULER, die_weights=(-9.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0))  # only both networks together raise a doubt


@pytest.mark.parametrize("times", [4.5, 1 / 4.5])
def test_nothing_of_quite_another_size_than_the_dice_is_held_for_a_die(times: float) -> None:
    """A mesh of carpet hardly a quarter as wide as the dice beside it."""
    assert read(look(3), look(5, x=250, nothing=0.6, size=WIDTH * times)) == ((3,), None)


@pytest.mark.parametrize("times", [2.5, 1 / 2.5])
def test_a_small_or_large_die_beside_others_still_raises_a_doubt(times: float) -> None:
    """The widest dice in shops beside the smallest."""
    assert read(look(3), look(5, x=250, nothing=0.6, size=WIDTH * times)) == ((3,), Why.STRAY)


def test_where_no_die_is_sure_a_place_of_any_size_raises_a_doubt() -> None:
    assert read(look(5, nothing=0.6, size=WIDTH / 5)) == ((), Why.STRAY)


def test_a_table_with_a_warm_place_is_not_surely_empty_whatever_the_face_network_says() -> None:
    """A die without any sign on its upper face shows no face."""
    assert read(look(1, nothing=0.95, heat=0.18)) == ((), Why.STRAY)
    assert read(look(1, nothing=0.95, heat=0.13)) == ((), None)


def test_a_table_with_a_place_that_is_likelier_something_than_nothing_is_not_surely_empty() -> None:
    """A die that a hard shadow crosses, hardly found."""
    assert verdict([look(1, nothing=0.45, heat=0.07)], BY_BOTH, count=None).why is Why.STRAY
    assert verdict([look(1, nothing=0.55, heat=0.07)], BY_BOTH, count=None).sure
    assert verdict([look(3), look(1, x=150, nothing=0.45, heat=0.07)], BY_BOTH, count=None).sure


def test_one_look_that_sees_a_die_where_others_do_not_raises_a_doubt() -> None:
    """A dark die with red pips, seen as one only in stretched colours."""
    hidden = look(5, x=150, nothing=0.9, heat=0.45)
    assert read(look(3), hidden) == ((3,), None)
    assert read(look(3), replace(hidden, least_nothing=0.3)) == ((3,), Why.STRAY)
    assert read(look(3), replace(hidden, least_nothing=0.7)) == ((3,), None)
    faint = replace(hidden, place=Place(150.0, 50.0, WIDTH, 0.3))
    assert read(look(3), replace(faint, least_nothing=0.2)) == ((3,), None)  # one look alone must be plainer than all


def test_what_is_surely_a_die_to_the_finder_raises_a_doubt_whatever_the_face_network_says() -> None:
    assert read(look(3), look(1, x=150, nothing=0.97, heat=0.55)) == ((3,), Why.STRAY)
    assert read(look(3), look(1, x=150, nothing=0.97, heat=0.45)) == ((3,), None)


def test_what_the_finder_sees_as_it_sees_the_dice_raises_a_doubt_unless_every_look_sees_nothing() -> None:
    """A dark die with a mirrored lamp around its one pip, beside dice that were found no better."""
    like = replace(look(1, x=150, nothing=0.9, heat=0.4), least_nothing=0.75)
    assert read(look(3, heat=0.45), like) == ((3,), Why.STRAY)
    assert read(look(3, heat=0.45), replace(like, least_nothing=0.85)) == ((3,), None)
    assert read(look(3, heat=0.6), like) == ((3,), None)
    assert read(look(3, heat=0.45, size=WIDTH * 1.4), like) == ((3,), None)


def test_a_die_that_cannot_be_read_raises_a_doubt_though_it_is_hardly_found() -> None:
    by_heat = replace(RULER, die_weights=(0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0))
    unread = look(1, x=150, heat=0.22)
    unread.chances[:] = (0.3, 0.05, 0, 0, 0, 0, 0, 0.65)
    assert verdict([look(3), unread], by_heat, count=None).why is Why.STRAY
    perhaps = replace(unread, chances=np.array((0.5, 0.1, 0, 0, 0, 0, 0, 0.4), np.float32))
    assert verdict([look(3), perhaps], by_heat, count=None).sure
    assert verdict([look(3), replace(unread, place=Place(150.0, 50.0, WIDTH, 0.15))], by_heat, count=None).sure


def test_a_face_that_is_plainly_seen_raises_a_doubt_though_the_finder_hardly_saw_a_die() -> None:
    """A brown die on dotted cloth: both networks together, and the measured chance, make little of it."""

    def beside(value: float, nothing: float, *, cut: bool = False) -> Why | None:
        chances = np.full(8, (1 - value) / 7, np.float32)
        chances[1] = value
        faint = replace(look(1, x=150, heat=0.12), chances=chances, least_nothing=nothing, cut=cut)
        return verdict([look(3), faint], BY_BOTH, count=None).why

    assert beside(0.6, nothing=0.04) is Why.STRAY
    assert beside(0.6, nothing=0.06) is None
    assert beside(0.45, nothing=0.04) is None
    assert beside(0.6, nothing=0.04, cut=True) is Why.CUT
    assert beside(0.6, nothing=0.06, cut=True) is None


def test_an_empty_table_must_look_less_like_dice_to_both_networks_than_what_lies_beside_some() -> None:
    alike, beside = (look(5, x=150, nothing=0.3, heat=heat) for heat in (0.15, 0.35))
    assert verdict([alike], BY_BOTH, count=None).why is Why.STRAY
    assert verdict([look(5, nothing=0.55, heat=0.1)], BY_BOTH, count=None).sure
    assert verdict([look(3), alike], BY_BOTH, count=None).sure
    assert verdict([look(3), beside], BY_BOTH, count=None).why is Why.STRAY


def test_where_even_plain_dice_are_found_faintly_less_is_asked_of_another_one() -> None:
    """In noise or the dark, where the finder is certain of nothing."""
    found, hardly = (look(5, x=150, nothing=nothing, heat=0.2) for nothing in (0.25, 0.4))
    assert verdict([look(3, heat=0.3), found], BY_BOTH, count=None).why is Why.STRAY
    assert verdict([look(3, heat=0.3), hardly], BY_BOTH, count=None).sure
    assert verdict([look(3, heat=0.9), found], BY_BOTH, count=None).sure


def test_a_faint_place_whose_measured_chance_is_high_raises_a_doubt() -> None:
    """The finder saw hardly anything there, and the faces' network something."""
    unsure, nothing = (look(5, x=150, nothing=nothing, heat=0.12) for nothing in (0.55, 0.85))
    for beside in ((), (look(3),)):
        assert read(*beside, unsure)[1] is Why.STRAY
        assert read(*beside, nothing)[1] is None


def test_a_die_cut_by_the_rim_raises_a_doubt_only_where_it_is_likely_one() -> None:
    half, other = (replace(look(5, x=150, nothing=nothing), cut=True) for nothing in (0.01, 0.6))
    assert read(look(3), half) == ((3,), Why.CUT)
    assert read(look(3), other) == ((3,), None)
    assert read(other) == ((), None)
