"""What the picture that is kept of the empty tray must not show."""

from __future__ import annotations

import pytest

from calibration.bare import Bare, bare_as_read
from companion.events import Die, Reading, Why

BOX = (20.0, 20.0, 12.0, 12.0)
PIPS = ((22.0, 22.0), (26.0, 26.0), (30.0, 30.0))


@pytest.mark.parametrize(
    ("reading", "bare"),
    [
        pytest.param(Reading((), sure=True), Bare.EMPTY, id="nothing"),
        pytest.param(Reading((), sure=False, why=Why.GLARE, doubts=(BOX,)), Bare.EMPTY, id="a lamp's mirror image"),
        pytest.param(Reading((), sure=False, why=Why.STRAY, doubts=(BOX,)), Bare.DOUBTFUL, id="what may be a die"),
        pytest.param(Reading((Die(3, BOX, 0.99, PIPS[:2]),), sure=True), Bare.DOUBTFUL, id="a print"),
        pytest.param(Reading((Die(3, BOX, 0.99, PIPS),), sure=True), Bare.DICE, id="a die"),
    ],
)
def test_what_is_like_a_die_is_asked_about_and_a_lamp_is_not(reading: Reading, bare: Bare) -> None:
    assert bare_as_read(reading) is bare
