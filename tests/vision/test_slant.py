"""All dice that lie flat show their faces alike: one whose face is seen elsewhere leans, or is another thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from companion.events import Why
from companion.vision.looking import Look
from companion.vision.slant import APART, aside
from companion.vision.verdict import verdict
from tests.vision.plain_looks import RULER, WIDTH, look, read

SEEN = 0.3 * WIDTH  # how far above its middle the face up of a die is seen from a slant


def shifted(seen: Look, right: float, down: float) -> Look:
    """The same die, its face seen so many pixels elsewhere."""
    return replace(seen, pips=tuple((x + right, y + down) for x, y in seen.pips))


def elsewhere(looks: Sequence[Look]) -> list[bool]:
    return [far is not None and far > APART for far in aside(looks)]


def test_a_face_seen_elsewhere_than_all_others_is_asked_about_at_its_die() -> None:
    pawn = shifted(look(1, x=150), -0.1 * WIDTH, -SEEN)
    looks = [look(2), pawn, look(5, x=250)]
    assert elsewhere(looks) == [False, True, False]
    reading = verdict(looks, RULER, count=3)
    assert (reading.values, reading.why) == ((2, 1, 5), Why.COCKED)
    assert [die.confidence < RULER.sure_die for die in reading.dice] == [False, True, False]


def test_of_two_faces_seen_in_two_ways_nobody_knows_which_lies_flat() -> None:
    assert elsewhere([look(2), shifted(look(1, x=150), 0, -SEEN)]) == [True, True]


def test_from_a_slant_all_faces_are_seen_above_their_middles() -> None:
    looks = [shifted(look(value, x=100 * value), 0, -SEEN) for value in (2, 3, 5)]
    assert read(*looks) == ((2, 3, 5), None)
    assert elsewhere([*looks, look(4, x=700)])[-1], "and the side below one is none of them"


@pytest.mark.parametrize(("further", "leans"), [(0.05, False), (0.0, False), (-0.1, True), (0.15, True)])
def test_under_a_near_camera_faces_are_seen_the_further_out_the_further_away_they_lie(
    further: float, *, leans: bool
) -> None:
    """`further`: of a die, for each die that one lies further from the middle of the picture."""
    looks = [shifted(look(3, x=320 + 40 * away), further * WIDTH * away, 0) for away in (-6, 0, 6)]
    assert any(elsewhere(looks)) is leans


@pytest.fixture
def half_seen() -> Look:
    return replace(look(4, x=350), pips=((320.0, 20.0),))


def test_what_shows_other_pips_than_its_value_tells_nothing_and_nothing_is_told_of_it(half_seen: Look) -> None:
    assert aside([look(2), half_seen]) == [None, None]
    assert aside([half_seen]) == aside([look(2)]) == [None]
    assert aside([]) == []
    assert aside([look(2), half_seen, look(3, x=250)]) == [pytest.approx(0), None, pytest.approx(0)]


LENIENT = replace(RULER, sure_die=0.6, sure_roll=0.4)
ODD = {"like a leaning one": (0.01, 0.15), "like no die": (0.15, 0.01)}


def doubted(nothing: float, unread: float, value: int = 4) -> Look:
    """A die whose value is plain, but with these chances of no die, and of one that cannot be read."""
    seen = look(value, x=150, heat=0.4)
    seen.chances[:] = 0.0
    seen.chances[[0, value, 7]] = nothing, 1 - nothing - unread, unread
    return seen


@pytest.mark.parametrize(("nothing", "unread"), ODD.values(), ids=ODD)
@pytest.mark.parametrize(("away", "flat"), [(0.05, True), (0.15, False)])
def test_what_is_somewhat_like_another_thing_but_shows_its_face_as_the_dice_beside_it_is_one_if_seen_so_twice(
    nothing: float, unread: float, away: float, *, flat: bool
) -> None:
    odd = shifted(doubted(nothing, unread), away * WIDTH, 0)
    reading = verdict([look(2), odd, look(5, x=250)], LENIENT, count=None)
    assert (reading.values, reading.sure, reading.if_twice) == ((2, 4, 5), False, flat)
    assert [die.confidence < LENIENT.sure_die for die in reading.dice] == [False, not flat, False]


@pytest.mark.parametrize(("away", "flat"), [(0.1, True), (0.15, False)])
def test_but_not_beside_one_that_shows_its_own_somewhat_elsewhere(away: float, *, flat: bool) -> None:
    others = [look(2), look(5, x=250), shifted(look(3, x=350), 0, away * WIDTH)]
    reading = verdict([*others, doubted(0.01, 0.15)], LENIENT, count=None)
    assert (reading.values, reading.sure, reading.if_twice) == ((2, 5, 3, 4), False, flat)


@pytest.mark.parametrize(("nothing", "unread"), [(0.01, 0.22), (0.22, 0.01)])
def test_but_not_what_is_more_like_it(nothing: float, unread: float) -> None:
    assert not verdict([look(2), doubted(nothing, unread), look(5, x=250)], LENIENT, count=None).if_twice


def test_nor_what_is_somewhat_like_no_die_and_has_one_spot_or_lies_beside_what_has() -> None:
    """Marbles and buttons show one spot in their middles, as ones do."""
    for value, other in ((1, 5), (4, 1)):
        assert not verdict([look(other), doubted(0.15, 0.01, value)], LENIENT, count=None).if_twice


def test_nor_what_lies_alone_or_beside_what_tells_nothing(half_seen: Look) -> None:
    for others in ([], [half_seen]):
        assert not verdict([doubted(0.01, 0.15), *others], LENIENT, count=None).if_twice


def test_a_die_that_is_hardly_seen_says_nothing_of_the_others() -> None:
    hardly = shifted(look(4, x=150), 0, SEEN)
    hardly.chances[4] = 0.6
    assert elsewhere([look(2), hardly]) == [False, True]
