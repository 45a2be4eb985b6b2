"""How dice lie: which of them stayed, and which went."""

from __future__ import annotations

import pytest

from companion.events import Die, Reading
from companion.lie import Lie, compare, same_lie

BEFORE = ((1, 0, 0), (2, 100, 0))


def lying(*dice: tuple[int | None, float, float]) -> Reading:
    """Dice of 20 pixels: value and place of each."""
    return Reading(tuple(Die(value, (x, y, 20, 20), 1.0) for value, x, y in dice), True)


@pytest.mark.parametrize(
    ("after", "lie"),
    [
        (((2, 102, 1), (1, 0, 0)), Lie(kept=((0, 1), (1, 0)), shoved=(), turned=(), gone=(), come=())),
        (((1, 0, 0), (None, 100, 0)), Lie(kept=((0, 0), (1, 1)), shoved=(), turned=(), gone=(), come=())),
        (((1, 0, 0), (4, 102, 0)), Lie(kept=((0, 0),), shoved=(), turned=((1, 1),), gone=(), come=())),
        (((1, 0, 0), (2, 116, 0)), Lie(kept=((0, 0),), shoved=((1, 1),), turned=(), gone=(), come=())),
        (((1, 0, 0),), Lie(kept=((0, 0),), shoved=(), turned=(), gone=(1,), come=())),
        (((1, 0, 0), (2, 60, 90)), Lie(kept=((0, 0),), shoved=(), turned=(), gone=(1,), come=(1,))),
    ],
    ids=("all stay", "one is not read", "one is turned over", "one is shoved", "one is away", "one is thrown"),
)
def test_what_became_of_each_die(after: tuple[tuple[int | None, float, float], ...], lie: Lie) -> None:
    assert compare(lying(*BEFORE), lying(*after)) == lie
    assert same_lie(lying(*BEFORE), lying(*after)) == (after[0] == (2, 102, 1))


def test_dice_that_were_not_read_lie_the_same_only_unread() -> None:
    unread = lying((None, 0, 0), (2, 100, 0))
    assert same_lie(unread, lying((2, 101, 0), (None, 1, 0)))
    assert not same_lie(unread, lying((3, 0, 0), (2, 100, 0)))
