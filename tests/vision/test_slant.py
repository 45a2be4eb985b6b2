"""All dice that lie flat show their faces alike: one whose face is seen elsewhere leans, or is another thing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.events import Why
from companion.vision.looking import Look
from companion.vision.slant import elsewhere
from companion.vision.verdict import verdict
from tests.vision.plain_looks import RULER, WIDTH, look, read

SEEN = 0.3 * WIDTH  # how far above its middle the face up of a die is seen from a slant


def shifted(seen: Look, right: float, down: float) -> Look:
    """The same die, its face seen so many pixels elsewhere."""
    return replace(seen, pips=tuple((x + right, y + down) for x, y in seen.pips))


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


def test_what_shows_other_pips_than_its_value_tells_nothing_and_nothing_is_told_of_it() -> None:
    half_seen = replace(look(4, x=150), pips=((120.0, 20.0),))
    assert elsewhere([look(2), half_seen]) == [False, False]
    assert elsewhere([half_seen]) == elsewhere([look(2)]) == [False]
    assert elsewhere([]) == []


def test_a_die_that_is_hardly_seen_says_nothing_of_the_others() -> None:
    hardly = shifted(look(4, x=150), 0, SEEN)
    hardly.chances[4] = 0.6
    assert elsewhere([look(2), hardly]) == [False, True]
