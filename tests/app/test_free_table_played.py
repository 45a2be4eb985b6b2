"""The free table, played: whose turn it is, the dice, the totals and the rolls, by camera and by button (F1)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.events import Settled, Stirred
from companion.table.picture import expects_dice, view
from companion.table.state import Table
from companion.view import Count, Mood, Prompt, Rolled, Row, Sheet, Sign, Winner
from tests.app.household import after, house, play, press, reading

HOME = house(8, games=("free",), usual={"free": {"dice": 6}})


@pytest.mark.parametrize("seed", range(6))
def test_F1_a_whole_game_by_chance_is_played_until_the_players_end_it(seed: int) -> None:
    table = Table()
    for _fact, decision in play(HOME, seed):
        table = decision.table
        assert (table.trouble, table.notice) == ("", None)
        assert (view(table, HOME).ring.mood is Mood.READING) == (expects_dice(table) is not None)
    page = view(table, HOME).page
    assert isinstance(page, Winner)
    assert page.names == ()


def sat(*last: str) -> Table:
    """Two players with up to six dice; the second starts."""
    return after(Table(), HOME, *press("ok", "ok", *["ok"] * 4, "more", "ok", *(last or ("ok",))))


def rolled(table: Table, *values: int, shift: float = 0.0, sure: bool = True) -> Table:
    return after(table, HOME, Stirred(), Settled(reading(*values, shift=shift, sure=sure)))


def state_of(table: Table) -> Any:
    assert table.match is not None
    return table.match.public


def test_F1_the_first_player_is_chosen_and_play_goes_round_from_there() -> None:
    table = sat()
    assert [player["name"] for player in state_of(table)["players"]] == ["Yellow", "Red"]
    assert table.seats == (1, 0)
    assert view(after(rolled(table, 3), HOME, *press("ok")), HOME).header.name == "Red"


def test_dice_that_are_asked_about_anew_while_they_are_typed_leave_what_was_typed() -> None:
    table = rolled(sat(), 2, 3, sure=False)
    table = after(table, HOME, *press("less", "ok", "more", "ok"))  # two dice, the first of which is a three
    left = rolled(table, 3, shift=70, sure=False)
    assert view(left, HOME).page == view(table, HOME).page
    assert state_of(after(left, HOME, *press("ok")))["dice"] == [3, 3]


def test_F1_where_one_die_is_rolled_nobody_is_asked_how_many() -> None:
    home = house(8, games=("free",), usual={"free": {"dice": 1}})
    table = after(Table(), home, *press(*["ok"] * 8, "less"))
    assert view(table, home).page == Rolled((None,), None, "Type the dice", cursor=0)
    assert state_of(after(table, home, *press("more", "ok")))["dice"] == [1]


def test_F1_one_player_may_play_alone() -> None:
    table = after(Table(), HOME, *press("ok", "less", "ok", "ok", "ok", "ok"))
    assert [player["name"] for player in state_of(table)["players"]] == ["Red"]


def test_F1_six_dice_are_read_and_a_seventh_is_asked_about() -> None:
    assert expects_dice(sat()) == (1, 6)
    page = view(rolled(sat(), 1, 2, 3, 4, 5, 6), HOME).page
    assert page == Rolled((1, 2, 3, 4, 5, 6), 21, "Sum: 0 + 21")
    assert state_of(rolled(sat(), 1, 2, 3, 4, 5, 6, 6))["dice"] is None
    assert expects_dice(sat("less", "less", "less", "ok")) == (1, 3)


def test_F1_marked_dice_are_rolled_again_freely() -> None:
    table = rolled(sat(), 2, 3, 5)
    table = after(table, HOME, *press("more", "less", "more", "more", "less", "ok"))  # mark the first and the third
    assert expects_dice(table) == (3, 3)
    table = rolled(table, 6, 3, 1, shift=70)
    assert sorted(state_of(table)["dice"]) == [1, 3, 6]
    assert view(rolled(after(table, HOME, *press("more", "ok")), 4, 4, 4, shift=9), HOME).page == Rolled(
        (4, 4, 4), 12, "Sum: 0 + 12"
    )


def test_F1_dice_that_were_not_thrown_again_are_no_reroll_when_one_is_chosen_later() -> None:
    table = after(rolled(rolled(sat(), 2, 1), 2, 5, shift=5), HOME, *press("back", "more", "more", "less", "ok"))
    assert state_of(table)["dice"] == [2, 1]
    assert view(table, HOME).page == Prompt("Roll 1 die again", ("The 1",), Sign.DICE)


def test_F1_a_reroll_that_the_camera_read_while_it_was_typed_is_taken_by_turning_back() -> None:
    table = rolled(after(rolled(sat(), 2, 1), HOME, *press("more", "ok", "less")), 5, 6, shift=90)
    table = after(table, HOME, *press("back"))
    assert state_of(table)["dice"] == [5, 6]
    assert isinstance(view(table, HOME).page, Rolled)


def test_F1_dice_thrown_again_without_a_word_are_asked_about() -> None:
    table = rolled(rolled(sat(), 2, 3), 2, 5, shift=70)
    assert state_of(table)["dice"] == [2, 3]
    assert sorted(state_of(after(table, HOME, *press("ok")))["dice"]) == [2, 5]
    assert state_of(after(table, HOME, *press("back")))["dice"] == [2, 3]


def test_a_misread_roll_is_put_right() -> None:
    table = after(rolled(sat(), 2, 3), HOME, *press("less", "ok", "more", "ok", "ok"))
    assert state_of(table)["dice"] == [3, 3]


def test_F1_how_many_dice_lie_there_can_be_put_right_up_to_the_number_agreed_on() -> None:
    table = after(rolled(sat("less", "less", "ok"), 2, 3), HOME, *press("less"))
    assert view(table, HOME).page == Count("How many dice?", 2, 1, 4)
    assert state_of(after(table, HOME, *press("less", "ok", "ok")))["dice"] == [2]
    assert state_of(after(table, HOME, *press("more", "ok", "ok", "ok", "more", "ok")))["dice"] == [2, 3, 1]


def test_F1_a_single_die_is_put_right_at_once_where_one_was_agreed_on() -> None:
    table = after(rolled(sat(*["less"] * 5, "ok"), 2), HOME, *press("less"))
    assert view(table, HOME).page == Rolled((2,), 2, "Type the dice", cursor=0)


def test_F1_after_a_reroll_the_number_of_dice_stays() -> None:
    table = rolled(after(rolled(sat(), 2, 3), HOME, *press("more", "less", "ok")), 6, 3, shift=70)
    table = after(table, HOME, *press("less"))
    assert view(table, HOME).page == Rolled((6, 3), 9, "Type the dice", cursor=0)
    assert state_of(after(table, HOME, *press("less", "ok", "ok")))["dice"] == [5, 3]


def test_F1_the_sums_and_every_roll_can_be_paged() -> None:
    table = after(rolled(sat(), 2, 3), HOME, *press("ok"))
    table = after(rolled(table, 6, shift=70), HOME, *press("ok"))
    table = after(rolled(table, 1, 1, 1, shift=140), HOME, *press("ok", "more"))
    pages = []
    for _page in range(3):
        pages.append(view(table, HOME).page)
        table = after(table, HOME, *press("more"))
    assert pages == [
        Sheet("Sums", (Row("Yellow", "8"), Row("Red", "6", "turn"))),
        Sheet("Yellow", (Row("2: 1 1 1", "3"), Row("1: 2 3", "5"))),
        Sheet("Red", (Row("1: 6", "6"),)),
    ]


def test_many_rolls_are_paged() -> None:
    table = sat()
    for turn in range(14):
        table = after(rolled(table, turn % 6 + 1, shift=70.0 * turn), HOME, *press("ok"))
    table = after(table, HOME, *press("more", "more", "more"))
    rows = (Row("4: 1", "1"), Row("3: 5", "5"), Row("2: 3", "3"))
    assert view(table, HOME).page == Sheet("Yellow", rows)


def test_the_sums_of_eight_are_two_pages() -> None:
    table = after(Table(), HOME, *press("ok", *["more"] * 6, "ok", *["ok"] * 16, "ok", "ok", "more"))
    pages = [view(after(table, HOME, *press(*["more"] * n)), HOME).page for n in range(2)]
    assert [(page.title, len(page.rows)) for page in pages if isinstance(page, Sheet)] == [("Sums", 4)] * 2
    assert pages[0] != pages[1]


def test_F1_the_game_ends_when_the_players_say_so_twice() -> None:
    asked = after(rolled(sat(), 2, 3), HOME, *press("ok", "ok"))
    assert state_of(after(asked, HOME, *press("ok")))["step"] == "roll"
    over = after(asked, HOME, *press("more", "ok"))
    assert view(over, HOME).page == Winner("The end", (), (Row("Yellow", "5"), Row("Red", "0")))
    again = after(over, HOME, *press("ok", "more", "ok"))
    assert again.match is None
    assert again.last is not None
