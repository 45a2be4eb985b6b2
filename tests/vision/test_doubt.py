"""What is not taken for a die but could be one is asked about; what is plainly another thing is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.events import Why
from companion.vision.doubt import NO_DIE_BESIDE
from companion.vision.finding import Place
from companion.vision.verdict import verdict
from tests.vision.plain_looks import RULER, WIDTH, look, read


@pytest.mark.parametrize("times", [NO_DIE_BESIDE * 1.1, 1 / (NO_DIE_BESIDE * 1.1)])
def test_nothing_of_quite_another_size_than_the_dice_is_held_for_a_die(times: float) -> None:
    """A mesh of carpet a fifth as wide as the dice beside it."""
    assert read(look(3), look(5, x=250, nothing=0.6, size=WIDTH * times)) == ((3,), None)


@pytest.mark.parametrize("times", [NO_DIE_BESIDE * 0.9, 1 / (NO_DIE_BESIDE * 0.9)])
def test_a_small_or_large_die_beside_others_still_raises_a_doubt(times: float) -> None:
    assert read(look(3), look(5, x=250, nothing=0.6, size=WIDTH * times)) == ((3,), Why.STRAY)


def test_where_no_die_is_sure_a_place_of_any_size_raises_a_doubt() -> None:
    assert read(look(5, nothing=0.6, size=WIDTH / 5)) == ((), Why.STRAY)


def test_a_table_with_a_warm_place_is_not_surely_empty_whatever_the_face_network_says() -> None:
    """A die without any sign on its upper face shows no face."""
    assert read(look(1, nothing=0.95, heat=0.18)) == ((), Why.STRAY)
    assert read(look(1, nothing=0.95, heat=0.13)) == ((), None)


def test_one_look_that_sees_a_die_where_others_do_not_raises_a_doubt() -> None:
    """A dark die with red pips, seen as one only in stretched colours."""
    hidden = look(5, x=150, nothing=0.9, heat=0.45)
    assert read(look(3), hidden) == ((3,), None)
    assert read(look(3), replace(hidden, nothing=0.3)) == ((3,), Why.STRAY)
    assert read(look(3), replace(hidden, nothing=0.7)) == ((3,), None)


def test_what_is_surely_a_die_to_the_finder_raises_a_doubt_whatever_the_face_network_says() -> None:
    assert read(look(3), look(1, x=150, nothing=0.97, heat=0.55)) == ((3,), Why.STRAY)
    assert read(look(3), look(1, x=150, nothing=0.97, heat=0.45)) == ((3,), None)


def test_what_the_finder_sees_as_it_sees_the_dice_raises_a_doubt_unless_every_look_sees_nothing() -> None:
    """A dark die with a mirrored lamp around its one pip, beside dice that were found no better."""
    like = replace(look(1, x=150, nothing=0.9, heat=0.4), nothing=0.75)
    assert read(look(3, heat=0.45), like) == ((3,), Why.STRAY)
    assert read(look(3, heat=0.45), replace(like, nothing=0.85)) == ((3,), None)
    assert read(look(3, heat=0.6), like) == ((3,), None)
    assert read(look(3, heat=0.45, size=WIDTH * 1.4), like) == ((3,), None)


def test_a_die_that_cannot_be_read_raises_a_doubt_though_it_is_hardly_found() -> None:
    by_heat = replace(RULER, die_weights=(0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0))
    unread = look(1, x=150, heat=0.22)
    unread.chances[:] = (0.3, 0.05, 0, 0, 0, 0, 0, 0.65)
    assert verdict([look(3), unread], by_heat, count=None).why is Why.STRAY
    assert verdict([look(3), replace(unread, place=Place(150.0, 50.0, WIDTH, 0.15))], by_heat, count=None).sure
