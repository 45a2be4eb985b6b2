"""How dice lie: which of them stayed, and which went."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.events import NOWHERE, Die, Reading, Why, WildDie
from companion.lie import Lie, compare, lies_in, moved_as_one, same_lie, same_wild

BEFORE = ((1, 0, 300), (2, 100, 300))


def lying(*dice: tuple[int | None, float, float]) -> Reading:
    """Dice 20 pixels wide: value and place of each."""
    return Reading(tuple(Die(value, (x, y, 20, 16), 1.0) for value, x, y in dice), True)


@pytest.mark.parametrize(
    ("after", "lie"),
    [
        (((2, 106, 301), (1, 0, 300)), Lie(kept=((0, 1), (1, 0)), shoved=(), turned=(), gone=(), come=())),
        (((1, 0, 300), (None, 100, 300)), Lie(kept=((0, 0), (1, 1)), shoved=(), turned=(), gone=(), come=())),
        (((1, 0, 300), (4, 102, 300)), Lie(kept=((0, 0),), shoved=(), turned=((1, 1),), gone=(), come=())),
        (((1, 0, 300), (2, 109, 300)), Lie(kept=((0, 0),), shoved=((1, 1),), turned=(), gone=(), come=())),
        (((1, 0, 300), (2, 124, 300)), Lie(kept=((0, 0),), shoved=((1, 1),), turned=(), gone=(), come=())),
        (((1, 0, 300),), Lie(kept=((0, 0),), shoved=(), turned=(), gone=(1,), come=())),
        (((1, 0, 300), (2, 134, 300)), Lie(kept=((0, 0),), shoved=(), turned=(), gone=(1,), come=(1,))),
        ((*BEFORE, (2, 200, 300)), Lie(kept=((0, 0), (1, 1)), shoved=(), turned=(), gone=(), come=(2,))),
    ],
    ids=(
        "all stay",
        "one is not read",
        "one is turned over",
        "one is shoved",
        "one is knocked aside",
        "one is away",
        "one is thrown",
        "one more is thrown",
    ),
)
def test_what_became_of_each_die(after: tuple[tuple[int | None, float, float], ...], lie: Lie) -> None:
    assert compare(lying(*BEFORE), lying(*after)) == lie
    assert same_lie(lying(*BEFORE), lying(*after)) == (after[0] == (2, 106, 301))


def test_dice_that_were_not_read_lie_the_same_only_unread() -> None:
    unread = lying((None, 0, 0), (2, 100, 0))
    assert same_lie(unread, lying((2, 101, 0), (None, 1, 0)))
    assert not same_lie(unread, lying((3, 0, 0), (2, 100, 0)))
    assert compare(unread, lying((3, 0, 0), (2, 100, 0))).kept == ((0, 0), (1, 1))


def test_each_die_is_only_one_of_those_near_it_the_nearest() -> None:
    one, two = lying((1, 0, 0), (2, 24, 0)), lying((2, 22, 0))
    assert compare(one, two) == Lie(kept=((1, 0),), shoved=(), turned=(), gone=(0,), come=())
    assert compare(two, one) == Lie(kept=((0, 1),), shoved=(), turned=(), gone=(), come=(0,))


def test_dice_that_nobody_saw_lie_the_same_wherever_their_values_lie() -> None:
    entered = Reading((Die(2, NOWHERE, 1.0), Die(1, NOWHERE, 1.0)), True)
    assert same_lie(entered, lying(*BEFORE))
    assert not same_lie(entered, lying((1, 0, 0), (3, 100, 0)))


def test_a_wild_die_lies_the_same_where_it_lay_with_the_face_it_had_or_none_that_was_read() -> None:
    def wild(face: str | None, x: float = 50.0) -> WildDie:
        return WildDie(face, (x, 50.0, 30.0, 30.0), 1.0)

    assert same_wild(wild("swap"), wild("swap", 59.0))
    assert not same_wild(wild("swap"), wild("swap", 65.0))
    assert not same_wild(wild("swap"), wild("lowest"))
    assert same_wild(wild(None), wild("lowest"))
    assert same_wild(wild("lowest"), wild(None))


@pytest.mark.parametrize(
    ("after", "as_one"),
    [
        (((1, 300, 100), (2, 400, 100)), True),
        (((2, 300, 100), (1, 300, 200)), True),  # turned, as a camera may be
        (((1, 300, 100), (2, 403, 106)), True),
        (((1, 300, 100), (2, 410, 100)), False),
        (((1, 300, 100), (3, 400, 100)), False),
        (((1, 300, 100),), False),
        (((2, 400, 100), (1, 300, 100)), True),
    ],
)
def test_dice_move_as_one_where_they_lie_to_each_other_as_before(
    after: tuple[tuple[int, float, float], ...], as_one: bool
) -> None:
    assert moved_as_one(lying(*BEFORE), lying(*after)) is as_one


def test_dice_of_which_one_moved_otherwise_did_not_move_as_one() -> None:
    before = lying(*BEFORE, (3, 200, 300))
    assert moved_as_one(before, lying((2, 400, 100), (1, 300, 100), (3, 500, 100)))
    assert not moved_as_one(before, lying((1, 300, 100), (2, 400, 100), (3, 400, 200)))


def test_dice_that_changed_places_did_not_move_as_one() -> None:
    before = lying((1, 0, 0), (2, 100, 0), (3, 0, 200))
    for after in (((2, 0, 0), (1, 100, 0), (3, 0, 200)), ((1, 0, 0), (3, 100, 0), (2, 0, 200))):
        assert not moved_as_one(before, lying(*after))


def test_dice_that_show_the_same_or_nothing_move_as_one_too() -> None:
    before = lying((2, 0, 0), (2, 100, 0), (None, 0, 200))
    assert moved_as_one(before, lying((None, 300, 200), (2, 400, 0), (2, 300, 0)))
    assert not moved_as_one(before, lying((None, 300, 100), (2, 400, 0), (2, 300, 0)))


def test_only_dice_that_were_taken_away_are_only_gone() -> None:
    lies = [compare(lying(*BEFORE), lying(*after)) for after in (BEFORE, BEFORE[:1], ((5, 0, 300),), ((5, 50, 0),), ())]
    assert [lie.only_gone for lie in lies] == [False, True, False, False, True]
    assert [lie.untouched for lie in lies] == [True, False, False, False, False]


def test_how_far_a_die_lies_from_where_it_lay_is_told_by_the_longest_side_of_its_boxes() -> None:
    """The middles are 9 pixels apart, the boxes 20 and 40 wide."""
    small, wide = (Reading((Die(1, (x, 0, width, 16), 1.0),), True) for x, width in ((0, 20), (-1, 40)))
    assert compare(small, wide).kept == compare(wide, small).kept == ((0, 0),)
    assert compare(small, lying((1, 9, 0))).shoved == ((0, 0),)


def test_a_middle_on_the_edge_of_a_box_lies_in_it() -> None:
    box = (10.0, 20.0, 30.0, 40.0)
    inside = [(10.0, 20.0), (40.0, 60.0), (25.0, 40.0)]
    outside = [(9.0, 40.0), (41.0, 40.0), (25.0, 19.0), (25.0, 61.0)]
    assert [lies_in((x - 2, y - 3, 4.0, 6.0), box) for x, y in inside + outside] == [True] * 3 + [False] * 4


def test_a_die_alone_does_not_tell_whether_it_moved_as_one() -> None:
    assert not moved_as_one(lying((1, 0, 300)), lying((1, 300, 100)))


SEEN = Reading(
    (Die(5, (10.0, 20.0, 30.0, 40.0), 0.9, ((15.0, 30.0), (25.0, 50.0))), Die(None, (50.0, 60.0, 70.0, 80.0), 0.0)),
    sure=False,
    why=Why.FAINT,
    doubts=((1.0, 2.0, 3.0, 4.0),),
    if_twice=True,
)


def test_what_was_seen_lies_at_the_same_place_in_a_picture_of_another_size() -> None:
    assert SEEN.times(2) == replace(
        SEEN,
        dice=(
            Die(5, (20.0, 40.0, 60.0, 80.0), 0.9, ((30.0, 60.0), (50.0, 100.0))),
            Die(None, (100.0, 120.0, 140.0, 160.0), 0.0),
        ),
        doubts=((2.0, 4.0, 6.0, 8.0),),
    )


def test_what_was_seen_lies_at_the_same_place_in_a_picture_that_shows_more_beside_it() -> None:
    assert SEEN.moved(100, 1000) == replace(
        SEEN,
        dice=(
            Die(5, (110.0, 1020.0, 30.0, 40.0), 0.9, ((115.0, 1030.0), (125.0, 1050.0))),
            Die(None, (150.0, 1060.0, 70.0, 80.0), 0.0),
        ),
        doubts=((101.0, 1002.0, 3.0, 4.0),),
    )


def test_a_reading_has_no_total_while_a_die_is_not_read() -> None:
    assert (SEEN.values, SEEN.total) == ((5, None), None)
    assert (lying((5, 0, 0), (1, 50, 0)).total, lying().total) == (6, 0)


def test_a_human_must_look_unless_a_reading_is_sure_or_would_be_seen_twice() -> None:
    kinds = [replace(SEEN, sure=sure, if_twice=twice).asks for sure in (False, True) for twice in (False, True)]
    assert kinds == [True, False, False, False]
    doubted = replace(SEEN, sure=False, why=Why.GLARE, if_twice=False)
    assert SEEN.unsure(Why.GLARE) == doubted
    assert SEEN.unsure(Why.GLARE, ()) == replace(doubted, doubts=())
