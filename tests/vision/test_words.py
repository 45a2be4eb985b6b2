"""Why a reading is unsure, as it is said."""

from __future__ import annotations

import pytest

from companion.events import Die, Reading, Why
from companion.vision.words import WORDS, in_words

DIE = Die(3, (20.0, 20.0, 12.0, 12.0), 0.99)
THERE = (60.0, 20.0, 12.0, 12.0)


@pytest.mark.parametrize("why", Why)
def test_every_reason_has_words(why: Why) -> None:
    assert in_words(Reading((DIE,), sure=False, why=why)) == WORDS[why]
    assert in_words(Reading((), sure=False, why=why))


def test_what_is_sure_has_no_reason() -> None:
    assert in_words(Reading((DIE,), sure=True)) is None


@pytest.mark.parametrize(
    ("why", "doubts", "said"),
    [
        pytest.param(Why.STRAY, (THERE,), "something that may be a die", id="there are no dice that it is else than"),
        pytest.param(Why.FAINT, (THERE,), "something that may be a die", id="what one look hardly sees"),
        pytest.param(Why.FAINT, (), "nothing can be told apart in this picture", id="noise shows no face"),
        pytest.param(Why.GLARE, (THERE,), WORDS[Why.GLARE], id="others are of the picture"),
    ],
)
def test_where_there_are_no_dice_the_reason_speaks_of_none(why: Why, doubts: tuple, said: str) -> None:
    assert in_words(Reading((), sure=False, why=why, doubts=doubts)) == said


@pytest.mark.parametrize(
    ("seen", "count", "said"),
    [
        (1, 3, "1 die was found, and 3 must lie there"),
        (2, 1, "2 dice were found, and 1 must lie there"),
        (0, 2, "0 dice were found, and 2 must lie there"),
        (2, None, WORDS[Why.COUNT]),
        (2, 2, WORDS[Why.COUNT]),  # another look saw another number
    ],
)
def test_a_wrong_number_of_dice_is_told_with_both_numbers(seen: int, count: int | None, said: str) -> None:
    assert in_words(Reading((DIE,) * seen, sure=False, why=Why.COUNT), count=count) == said
