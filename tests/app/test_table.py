"""The dialogue at the table: whole games by button and dice, and what happens when dice and players do not agree."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from companion import referee
from companion.demo.robot import Lying, Push, move
from companion.events import (
    NOWHERE,
    Button,
    Cleared,
    DeviceChanged,
    Die,
    Health,
    Press,
    Reading,
    Settled,
    Stilled,
    Stirred,
    Why,
)
from companion.games.roll import Board
from companion.locale import ENGLISH
from companion.referee import begin, legal
from companion.table.picture import expects_dice, view
from companion.table.questions import (
    LETTERS,
    Cursor,
    Dice,
    Keys,
    Leaves,
    Left,
    Marks,
    Name,
    Number,
    Pick,
    Question,
    speaks,
)
from companion.table.roll import subsets
from companion.table.state import Table, to_note, with_note
from companion.view import (
    Choose,
    Count,
    Header,
    Mood,
    Page,
    Prompt,
    Rolled,
    Row,
    Sheet,
    Sign,
    Spell,
    Winner,
    at_cursor,
)
from tests.app.household import after, house, play, press, reading, slept

GAMES = [(seed, cards, pool) for seed in range(6) for cards in ("ask", "track") for pool in (0, 20)]


@pytest.mark.parametrize(("seed", "cards", "pool"), GAMES)
def test_a_whole_game_by_chance_ends_with_a_winner(seed: int, cards: str, pool: int) -> None:
    home = house(usual={"roll": {"cards": cards, "pool": pool}})
    table = Table()
    for _fact, decision in play(home, seed):
        table = decision.table
        shown = view(table, home)
        assert (table.trouble, table.notice) == ("", None)
        assert shown.ring.mood is not Mood.READING or expects_dice(table)
    assert table.match is not None
    assert table.match.outcome is not None
    assert view(table, home).ring.mood is Mood.WINNER


@pytest.mark.parametrize("seed", range(4))
def test_every_moment_can_be_resumed_from_its_note(seed: int) -> None:
    home = house()
    for _fact, decision in play(home, seed):
        table = decision.table
        note = json.loads(json.dumps(to_note(table)))
        again = with_note(Table(match=table.match, last=table.last), note)
        assert again == slept(table)
        assert view(again, home) == view(replace(table, stirred=False), home)


# --- number dice -----------------------------------------------------------------------------------------------------


def started(**usual: object) -> Table:
    """Two players, the first to roll."""
    home = house(usual={"roll": usual})
    start = press("ok", "ok", "ok", "ok", "ok", "ok", "ok", "ok")
    table = after(Table(), home, *start)
    assert table.match is not None
    return table


def test_R4_a_large_pool_is_where_its_entry_begins_and_ends() -> None:
    home = house(usual={"roll": {"cards": "ask", "pool": 50}})
    table = after(Table(), home, *press(*["ok"] * 7, "less", "ok", "ok"))
    assert view(table, home).page == Count("Tokens in the pool", 50, 0, 50)
    assert view(after(table, home, *press("less")), home).page == Count("Tokens in the pool", 49, 0, 50)


def dice_of(table: Table) -> tuple[int, ...] | None:
    assert table.match is not None
    dice = table.match.public["dice"]
    return None if dice is None else tuple(dice)


def step_of(table: Table) -> str:
    assert table.match is not None
    return str(table.match.public["step"])


def test_R8_a_sure_settled_roll_is_taken_at_once_and_shown_with_its_landing() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 3)))
    assert dice_of(table) == (2, 3)
    page = view(table, home).page
    assert isinstance(page, Rolled)
    assert (page.dice, page.total, page.text) == ((2, 3), 5, "Yellow")


@pytest.mark.parametrize(
    ("space", "taken", "line"),
    [
        (3, press("ok"), "4 rats? Deal 5 new cards"),
        (3, press("more", "ok"), "1, 2 or 3 dice"),  # what takes a rat's place makes them no more
        (1, press("ok", "ok"), "4 rats? Deal 5 new cards"),
        (1, press("more", "ok", "ok"), "1, 2 or 3 dice"),  # from the draw pile
    ],
)
def test_R14_R22_too_many_rats_are_reminded_of_after_a_turn_that_may_have_brought_one(
    space: int, taken: tuple[Press, ...], line: str
) -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(space)), *press("ok"), *taken)
    while step_of(table) == "peek":
        table = after(table, home, *press("more", "more", "ok"))
    assert view(table, home).page == Prompt("Roll the dice", (line,), Sign.DICE)


def test_R14_R22_too_many_rats_are_reminded_of_after_the_setup_where_nobody_follows_the_cards() -> None:
    home = house()
    tracked = after(Table(), house(usual={"roll": {"cards": "track"}}), *press(*["ok"] * 13))
    assert view(started(), home).page == Prompt("Roll the dice", ("4 rats? Deal 5 new cards",), Sign.DICE)
    assert view(tracked, home).page == Prompt("Roll the dice", ("1, 2 or 3 dice",), Sign.DICE)


def test_R14_R22_too_many_rats_are_not_reminded_of_after_a_turn_in_which_no_card_was_taken() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(4)), *press("ok"), *press("more", "more", "ok", "ok"))
    assert step_of(table) == "swap"
    table = after(table, home, *press("ok"))  # No swap
    assert view(table, home).page == Prompt("Roll the dice", ("1, 2 or 3 dice",), Sign.DICE)


@pytest.mark.parametrize("values", [(2,), (2, 3), (2, 3, 6)])
def test_an_unsure_reading_asks_and_never_shows_a_total(values: tuple[int, ...]) -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(*values, sure=False)))
    assert dice_of(table) is None
    assert view(table, home).page == Rolled(values, None, "I am not sure", "Are these the dice?", sign=Sign.ASK)
    assert dice_of(after(table, home, *press("ok"))) == values


@pytest.mark.parametrize(
    ("values", "why", "text", "note"),
    [
        ((2, None), None, "I am not sure", "Check the dice"),
        ((2, None), Why.TOUCHING, "The dice touch", "Push them apart"),
        ((1, 2, 3, 4), None, "Wrong number of dice", "Count!"),
        ((), None, "I see no dice", "Roll into the tray"),
        ((), Why.GLARE, "The light dazzles", "Move the lamp a little"),
    ],
)
def test_dice_that_cannot_be_the_roll_as_they_were_seen_are_typed_and_it_is_said_why(
    values: tuple[int | None, ...], why: Why | None, text: str, note: str
) -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(replace(reading(*values, sure=False), why=why)))
    assert view(table, home).page == Rolled(values, None, text, note, sign=Sign.ASK)
    assert view(table, home).labels == ("Menu", "Type", "", "")
    assert after(table, home, *press("ok")) == table


def test_dice_that_were_typed_since_they_could_not_be_read_are_not_said_to_be_others() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, None, sure=False)))
    table = after(table, home, *press("less", "ok", "ok", "less", "less", "less", "ok"))
    assert view(table, home).page == Rolled((2, 4), 6, "Yellow", "Take the card and 1 token", sign=Sign.TOKEN)


def test_an_unsure_reading_can_be_corrected_from_what_was_seen() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, None, sure=False)))
    table = after(table, home, *press("less", "ok", "ok", "less", "less", "less", "ok"))
    assert dice_of(table) == (2, 4)


def test_a_die_that_nobody_read_is_shown_as_such_and_not_passed_until_it_is_typed() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, None, 6, sure=False)), *press("less", "ok", "ok"))
    assert view(table, home).page == Rolled((2, None, 6), None, "Type the dice", cursor=1)
    assert view(table, home).labels == ("Back", "−", "+", "")
    assert after(table, home, *press("ok")) == table
    assert view(after(table, home, *press("more")), home).page == Rolled((2, 1, 6), 9, "Type the dice", cursor=1)
    noted = json.loads(json.dumps(to_note(table)))
    assert view(with_note(table, noted), home) == view(table, home)


@pytest.mark.parametrize("later", [reading(2, 3, 6, shift=9), reading(2, sure=False), reading(5, 5, 5, 5)])
@pytest.mark.parametrize("typed", [(), ("ok",), ("ok", "more", "ok")])
def test_what_a_typing_player_sees_stands_whatever_the_camera_reads_meanwhile(
    later: Reading, typed: tuple[str, ...]
) -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, None, 6, sure=False)), *press("less", *typed))
    meanwhile = after(table, home, Stirred(), Settled(later))
    assert (view(meanwhile, home).page, view(meanwhile, home).labels) == (
        view(table, home).page,
        view(table, home).labels,
    )
    back = after(meanwhile, home, *press(*["back"] * (typed.count("ok") + 1)))
    assert view(back, home).page.dice == later.values  # type: ignore[union-attr]


@pytest.mark.parametrize("values", [(1, 2, 3, 4), (1, 1, 1, 1, 1)])
def test_R8_more_than_three_dice_are_asked_about_even_if_read_surely(values: tuple[int, ...]) -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(*values)))
    assert dice_of(table) is None
    assert view(table, home).page == Rolled(values, None, "Wrong number of dice", "Count!", sign=Sign.ASK)
    assert view(table, home).labels[3] == ""


def test_dice_can_be_entered_without_any_camera() -> None:
    home = house()
    table = after(started(), home, *press("less", "more", "ok", "more", "more", "ok", "less", "ok"))
    assert dice_of(table) == (2, 6)


def test_dice_that_lie_in_the_tray_when_the_turn_begins_are_no_roll() -> None:
    home = house()
    table = after(started(), home, Settled(reading(2, 3)))
    assert dice_of(table) is None
    assert view(table, home).page.total is None  # type: ignore[union-attr]


def test_the_same_dice_read_again_after_a_restart_are_not_rolled_twice() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 4)), *press("ok"))
    again = with_note(replace(table, fresh=True), to_note(table))
    later = after(again, home, Settled(reading(2, 4)))
    assert later.sighting is None


def restarted(table: Table) -> Table:
    """In the next life of the daemon."""
    return with_note(replace(slept(table), sighting=None, wild=None), to_note(table))


def test_a_question_about_dice_is_asked_again_once_a_hand_has_passed_over_them() -> None:
    home = house()
    dice = Settled(reading(2, 3, sure=False))
    asked = after(started(), home, Stirred(), dice)
    under = after(asked, home, Stirred(Why.HAND))
    assert view(under, home).page == Prompt("Roll the dice", ("4 rats? Deal 5 new cards",), Sign.DICE)
    assert view(after(under, home, Stilled()), home) == view(asked, home)
    assert dice_of(after(under, home, Stilled(), *press("ok"))) == (2, 3)
    for gone in (Cleared(), Settled(reading(4, sure=False))):
        later = after(under, home, gone)
        assert after(later, home, Stirred(), Stilled()) == replace(later, fresh=True)
    assert restarted(under) == restarted(started())


def test_a_question_about_dice_waits_for_a_player_who_types_while_a_hand_passes() -> None:
    home = house()
    asked = after(started(), home, Stirred(), Settled(reading(2, 3, 6, sure=False)), Stirred(Why.HAND))
    typing = after(asked, home, *press("less", "more"))
    assert view(typing, home).page == Count("How many dice?", 2, 1, 3)
    still = after(typing, home, Stilled())
    assert view(still, home) == view(typing, home)
    assert view(after(still, home, *press("back")), home).page.dice == (2, 3, 6)  # type: ignore[union-attr]


def test_R9_a_throw_nobody_spoke_of_is_asked_about_again_once_a_hand_has_passed_but_not_once_it_was_denied() -> None:
    home = house()
    thrown = after(started(), home, Stirred(), Settled(reading(2, 3)), Stirred(), Settled(reading(2, 6)))
    hand = (Stirred(Why.HAND), Stilled())
    assert view(after(thrown, home, *hand), home) == view(thrown, home)
    denied = after(thrown, home, *press("back"))
    assert view(after(denied, home, *hand), home) == view(denied, home)
    assert after(denied, home, Stirred(Why.HAND), *press("more"), Stilled()).sighting is None


def test_R9_a_reroll_that_waits_below_the_menu_is_done_once_the_hand_that_closed_it_is_away() -> None:
    home = house()
    rerolling = after(started(), home, Stirred(), Settled(reading(2, 3)), *press("more", "ok"))
    below = after(rerolling, home, Press(Button.BACK, held=True), Stirred(), Settled(reading(6, 6)))
    assert (below.menu, dice_of(below)) == (True, (2, 3))
    closed = after(below, home, Stirred(Why.HAND), *press("back"))
    assert (closed.menu, dice_of(closed)) == (False, (2, 3))
    assert dice_of(after(closed, home, Stilled())) == (6, 6)


def test_dice_that_were_asked_about_are_no_roll_of_the_next_step_once_a_hand_has_passed() -> None:
    home = house()
    thrown = after(started(), home, Stirred(), Settled(reading(2, 3)), Stirred(), Settled(reading(2, 6)))
    moved = after(thrown, home, *press("back"), Stirred(Why.HAND), *press("ok"), Stilled())
    assert (step_of(moved), moved.sighting) == ("take", None)


def found(*values: int, shift: float = 0.0) -> Settled:
    """Dice that lay in the tray before anybody watched it."""
    return replace(reading_of(*values, shift=shift), found=True)


def reading_of(*values: int, shift: float = 0.0) -> Settled:
    return Settled(reading(*values, shift=shift))


def test_dice_that_a_hand_passed_over_after_a_restart_are_no_roll_of_the_next_player() -> None:
    home = house(games=("free",))
    begun = after(Table(), home, *press(*["ok"] * 8))
    table = restarted(after(begun, home, Stirred(), Settled(reading(2, 4)), *press("ok")))
    assert table.match is not None
    for lying in (found(2, 4), reading_of(2, 4), found(6, 1, shift=70)):
        later = after(table, home, Stirred(Why.HAND), lying)
        assert later.match == table.match
    assert view(later, home).page.total is None  # type: ignore[union-attr]  # other dice are asked about
    thrown = after(table, home, found(2, 4), Stirred(), Settled(reading(6, 1, shift=70)))
    assert dice_of(thrown) == (6, 1)


def test_R9_dice_that_a_hand_passed_over_after_a_restart_spend_no_token() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(1, 3)), *press("more", "ok"))
    for lying in (found(1, 3), reading_of(1, 3), found(2, 6, shift=70)):
        assert after(restarted(table), home, Stirred(Why.HAND), lying).match == table.match
    unseen = Reading(tuple(Die(value, NOWHERE, 1.0) for value in (1, 3)), sure=True)
    typed = after(restarted(replace(table, seen=unseen)), home, Stirred(Why.HAND), found(1, 3))
    assert (typed.match, typed.sighting) == (table.match, None)


def test_dice_that_were_typed_for_one_was_not_read_are_no_throw_once_all_can_be_read() -> None:
    """They touched, and are pushed apart, as the screen asked for."""
    home = house(games=("free",))
    table = after(Table(), home, *press(*["ok"] * 8), Stirred(), Settled(reading(None, 4, sure=False)))
    table = after(table, home, *press("less", "ok", "more", "ok", "ok"))
    assert dice_of(table) == (1, 4)
    apart = (Stirred(), Settled(reading(1, 4, shift=9)))
    for waiting in (after(table, home, *press("ok")), after(table, home, *press("more", "ok"))):
        assert after(waiting, home, *apart).match == waiting.match
        assert dice_of(after(waiting, home, Stirred(), Settled(reading(6, 4, shift=9)))) == (6, 4)


def test_R9_dice_that_were_typed_unseen_spend_no_token_once_they_are_seen() -> None:
    home = house()
    table = after(started(), home, *press("less", "ok", "more", "more", "ok"))
    (typed,) = dice_of(table) or ()
    again = after(table, home, *press("more", "ok"))
    assert after(again, home, Stirred(), Settled(reading(typed))).match == again.match
    assert dice_of(after(again, home, Stirred(), Settled(reading(6)))) == (6,)


def test_a_question_about_dice_that_lie_as_they_lay_is_not_left_to_the_next_player() -> None:
    home = house(games=("free",))
    thrown = (Stirred(), Settled(reading(2, 4)))
    table = after(Table(), home, *press(*["ok"] * 8), *thrown, *press("more", "ok"), Stirred(), Cleared(), *thrown)
    assert view(table, home).labels[-1] == "Yes"
    table = after(table, home, *press("back", "back", "ok"))
    assert (step_of(table), table.sighting) == ("roll", None)


def test_dice_of_an_early_throw_are_asked_about_though_nobody_saw_them_come() -> None:
    home = house()
    moving = after(started(), home, Stirred(), Settled(reading(2)), *press("ok"))
    assert step_of(moving) not in ("roll", "accept")
    assert after(restarted(moving), home, Stirred(), found(2)).sighting is None
    assert after(restarted(moving), home, Stirred(), found(5, 6, shift=70)).sighting is not None


def test_why_a_re_roll_cannot_be_read_is_told_after_a_restart_too() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(3, 5)), *press("more", "more", "ok"))
    leans = Settled(reading(None, 5, sure=False, shift=70))
    leans = Settled(replace(leans.reading, why=Why.COCKED))
    before = after(table, home, Stirred(), leans)
    assert view(after(restarted(before), home, replace(leans, found=True)), home).page == view(before, home).page


def test_R9_a_die_that_was_rolled_again_to_where_it_lay_or_unseen_is_asked_about() -> None:
    """The watch tells a throw once: dropped without a question, it would be waited for until somebody types."""
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(1)), *press("more", "ok"))
    same = after(table, home, Stirred(), Cleared(), Stirred(), Settled(reading(1)))
    unseen = after(restarted(table), home, Stirred(), found(2, shift=70))
    for asked, value in ((same, 1), (unseen, 2)):
        assert asked.match == table.match
        assert view(asked, home).labels[-1] == "Yes"
        assert dice_of(after(asked, home, *press("ok"))) == (value,)


def test_R9_chosen_dice_are_rolled_again_from_the_tray() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 3)))
    table = after(table, home, *press("more", "more", "ok"))  # re-roll, only the 2
    assert expects_dice(table) == (2, 2)
    table = after(table, home, Stirred(), Settled(reading(6, 3, shift=80)))
    assert sorted(dice_of(table) or ()) == [3, 6]
    assert table.match is not None
    assert table.match.public["players"][0]["tokens"] == 1
    assert table.match.log[-1]["which"] == [0]


def test_R9_a_die_that_was_to_stay_and_did_not_is_named() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 3)))
    table = after(table, home, *press("more", "more", "ok"), Stirred(), Settled(reading(2, 6, shift=80)))
    page = view(table, home).page
    assert isinstance(page, Rolled)
    assert (page.total, page.text, page.note) == (None, "3 must stay", "Put it back as it was")
    assert sorted(dice_of(after(table, home, Stirred(), Settled(reading(6, 3)))) or ()) == [3, 6]
    assert view(table, home).labels[0] == "Back"
    assert expects_dice(after(table, home, *press("back", "back"))) is None  # other dice may be chosen


def test_while_players_sit_down_the_ring_shows_the_seat_asked_about_and_those_taken() -> None:
    def lit(table: Table) -> tuple[list[int], int | None]:
        ring = view(table, home).ring
        return [n for n, seat in enumerate(ring.seats) if not seat.dark], ring.active

    home = house()
    table = after(Table(), home, *press("ok", "ok", "ok"))
    assert lit(table) == ([0], 0)
    table = after(table, home, *press("more"))
    assert lit(table) == ([1], 1)
    table = after(table, home, *press("ok"))
    assert lit(table) == ([1], None)
    table = after(table, home, *press("ok", "less", "less"))
    assert lit(table) == ([1, 4], 4)
    again = after(started().without_game(), home, *press("ok", "ok"))
    assert lit(again) == ([0, 1], None)


def test_who_is_called_by_a_colour_sits_there_unless_somebody_else_does() -> None:
    home = house()
    green = after(Table(), home, *press("ok", "ok", "more", "more", "ok"))
    assert view(green, home).page == Choose("Green: seat?", ("Red", "Yellow", "Green", "Blue", "Pink"), 2)
    elsewhere = after(green, home, *press("less", "less", "ok"))
    options = ("Yellow", "Blue", "Pink", "New name")  # neither the name that is taken, nor the colour
    assert view(elsewhere, home).page == Choose("Player 2: name?", options, 0)
    yellow = after(elsewhere, home, *press("ok"))
    assert view(yellow, home).page == Choose("Yellow: seat?", ("Yellow", "Green", "Blue", "Pink"), 0)
    known = house(names=("Green",))
    table = after(Table(), known, *press("ok", "ok", "more", "ok", "more", "more", "ok", "ok"))  # Red in green light
    assert view(table, known).page == Choose("Green: seat?", ("Red", "Yellow", "Blue", "Pink"), 0)


def test_R9_what_is_doubted_in_a_reroll_is_said() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 3)), *press("more", "more", "ok"), Stirred())
    for seen, words in (
        (reading(3), "Wrong number of dice"),
        (reading(2, 6, sure=False), "I am not sure"),
        (reading(6, 3, sure=False), "I am not sure"),
    ):
        page = view(after(table, home, Settled(seen)), home).page
        assert isinstance(page, Rolled)
        assert page.text == words


def test_R9_a_reroll_that_the_camera_read_while_it_was_typed_is_taken_by_turning_back() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 1)), *press("more", "ok", "less"))
    table = after(table, home, Stirred(), Settled(reading(5, 6, shift=90)), *press("back"))
    assert dice_of(table) == (5, 6)
    assert isinstance(view(table, home).page, Rolled)


def test_R9_dice_that_were_to_stay_and_did_not_are_named_as_many() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 3, 6)), *press("more", "more", "ok"))
    page = view(after(table, home, Stirred(), Settled(reading(1, 1, 1))), home).page
    assert isinstance(page, Rolled)
    assert (page.text, page.note) == ("3 6 must stay", "Put them back as they were")


def test_after_a_reroll_is_taken_back_it_is_said_that_other_dice_lie_there_until_they_do_not() -> None:
    home = house()
    rolled = after(started(), home, Stirred(), Settled(reading(2, 3)))
    again = after(rolled, home, *press("more", "more", "ok"), Stirred(), Settled(reading(6, 3, shift=80)))
    undone = after(again, home, *press("back", "more", "ok"))
    page = view(undone, home).page
    assert isinstance(page, Rolled)
    assert (page.dice, page.note) == ((2, 3), "Other dice lie there")
    assert view(after(undone, home, Stirred(), Settled(reading(2, 3))), home).page == view(rolled, home).page
    assert view(after(undone, home, Stirred(), Cleared()), home).page == view(rolled, home).page


def test_a_reroll_typed_by_mistake_and_taken_back_leaves_no_word_of_dice_that_nobody_saw() -> None:
    home = house()
    rolled = after(started(), home, *press("less", "ok", "more", "ok"))
    again = after(rolled, home, *press("more", "ok", "less", "more", "more", "ok"))
    assert dice_of(again) == (2,)
    assert view(after(again, home, *press("back", "more", "ok")), home).page == view(rolled, home).page


def test_a_sure_reading_that_waited_for_a_typing_player_is_asked_about_without_a_reason() -> None:
    home = house()
    table = after(started(), home, *press("less"), Stirred(), Settled(reading(3, 4)), *press("back"))
    page = view(table, home).page
    assert isinstance(page, Rolled)
    assert (page.dice, page.total, page.text, page.note) == ((3, 4), None, "", "Are these the dice?")


def test_R9_dice_thrown_again_without_a_word_are_asked_about() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 3)), Stirred(), Settled(reading(5, 3, shift=90)))
    assert dice_of(table) == (2, 3)
    yes, no = after(table, home, *press("ok")), after(table, home, *press("back"))
    assert sorted(dice_of(yes) or ()) == [3, 5]
    assert dice_of(no) == (2, 3)


def test_R9_of_two_dice_that_showed_the_same_only_the_one_that_was_thrown_again_is_re_rolled() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 2)), Stirred(), Settled(reading(2, 5, shift=80)))
    assert view(table, home).page == Rolled((2, 5), None, "Re-roll for 1 token?", sign=Sign.ASK)
    table = after(table, home, *press("ok"))
    assert table.match is not None
    assert table.match.log[-1] == {"do": "reroll", "which": [0], "dice": [5]}


def test_R9_which_dice_are_to_be_rolled_again_is_said() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 3)), *press("more"))
    assert view(table, home).page == Choose("Re-roll which?", ("All dice", "The 2", "The 3"))
    both, one = after(table, home, *press("ok")), after(table, home, *press("less", "ok"))
    assert view(both, home).page == Prompt("Roll 2 dice again", ("All dice",), Sign.DICE)
    assert view(one, home).page == Prompt("Roll 1 die again", ("The 3",), Sign.DICE)
    single = after(started(), home, Stirred(), Settled(reading(3)), *press("more"))
    assert view(single, home).page == Prompt("Roll 1 die again", ("The 3",), Sign.DICE)


def test_R9_dice_that_were_not_thrown_again_are_no_reroll_when_one_is_chosen_later() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 1)), Stirred(), Settled(reading(2, 5, shift=5)))
    table = after(table, home, *press("back", "more", "more", "more", "ok"))  # no; re-roll, only the 1
    assert dice_of(table) == (2, 1)
    assert view(table, home).page == Prompt("Roll 1 die again", ("The 1",), Sign.DICE)
    table = after(table, home, Stirred(), Settled(reading(2, 4, shift=90)))
    assert dice_of(table) == (2, 4)
    assert table.match is not None
    assert table.match.public["players"][0]["tokens"] == 1


def test_R9_a_reroll_that_lies_as_the_roll_did_is_asked_about_as_such() -> None:
    home = house()
    rolled = (Stirred(), Settled(reading(2, 3)))
    table = after(started(), home, *rolled, *press("more", "ok"), *rolled)
    assert (dice_of(table), table.match and table.match.public["players"][0]["tokens"]) == ((2, 3), 2)
    assert view(table, home).page == Rolled((2, 3), None, "The same as before", "Are these the dice?", sign=Sign.ASK)
    agreed = after(table, home, *press("ok"))
    assert (dice_of(agreed), agreed.match and agreed.match.public["players"][0]["tokens"]) == ((2, 3), 1)


@pytest.mark.parametrize("later", [reading(5, 6, sure=False, shift=80), reading(2), reading(2, 3, 6)])
def test_R9_dice_that_are_not_surely_the_same_number_are_never_a_reroll(later: Reading) -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 3)), Stirred(), Settled(later))
    assert view(table, home).page == Rolled((2, 3), 5, "Yellow", "A die was moved", sign=Sign.CHOICE)
    assert view(table, home).labels == ("Menu", "Fix", "Re-roll", "Move")


def test_R9_a_die_added_after_the_roll_is_never_a_reroll() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 3)), Stirred(), Settled(reading(2, 3, 6)))
    assert dice_of(table) == (2, 3)
    page = view(table, home).page
    assert isinstance(page, Rolled)
    assert page.note == "A die was moved"


def test_a_nudged_die_that_still_shows_the_same_changes_nothing() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 3)))
    assert view(after(table, home, Stirred(), Settled(reading(2, 3, shift=40))), home) == view(table, home)


def test_a_misread_roll_is_put_right_and_costs_nothing() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 3)))
    table = after(table, home, *press("less", "ok", "more", "ok", "ok"))
    assert dice_of(table) == (3, 3)
    assert table.match is not None
    assert table.match.public["players"][0]["tokens"] == 2


@pytest.mark.parametrize(
    ("pressed", "meant"),
    [
        (("more", "ok", "ok", "ok", "less", "ok"), (3, 5, 6)),  # a third die was overlooked
        (("less", "ok", "ok"), (3,)),  # what was counted as a second one is none
        (("ok", "ok", "ok"), (3, 5)),
    ],
)
def test_R8_how_many_dice_lie_there_can_be_put_right(pressed: tuple[str, ...], meant: tuple[int, ...]) -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(3, 5)), *press("less"))
    assert view(table, home).page == Count("How many dice?", 2, 1, 3)
    table = after(table, home, *press(*pressed))
    assert (dice_of(table), step_of(table)) == (meant, "accept")
    assert table.match is not None
    assert table.match.log[-2:] == ({"do": "undo"}, {"do": "roll", "dice": list(meant)})
    assert step_of(after(table, home, *press("ok"))) != "accept"


def test_R8_a_roll_of_a_later_turn_is_put_right_as_that_turns_own() -> None:
    home = house(games=("free",))
    table = after(Table(), home, *press(*["ok"] * 8), Stirred(), Settled(reading(2, 4)), *press("ok"))
    table = after(table, home, Stirred(), Settled(reading(3, 5, shift=70)), *press("less"))
    assert view(table, home).page == Count("How many dice?", 2, 1, 2)
    table = after(table, home, *press("less", "ok", "more", "ok"))
    assert table.match is not None
    assert table.match.log[-2:] == ({"do": "undo"}, {"do": "roll", "dice": [4]})
    assert table.match.public["players"][0]["rolls"] == [(2, 4)]


def test_turning_back_leaves_the_roll_as_it_was_read() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(3, 5)))
    typing = after(table, home, *press("less", "more", "ok", "more"))
    assert after(typing, home, *press("back", "back")) == table


def test_a_correction_that_an_earlier_version_left_unfinished_asks_for_the_number_first() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(3, 5)), *press("less"))
    noted = {**to_note(table), "answers": [["how", "fix"]], "cursor": [4, 5, 1]}
    assert view(with_note(table, json.loads(json.dumps(noted))), home) == view(table, home)


def test_a_correction_is_resumed_at_the_die_it_stood_at() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(3, 5)), *press("less", "more", "ok", "more", "ok"))
    resumed = with_note(table, json.loads(json.dumps(to_note(table))))
    assert view(resumed, home).page == Rolled((4, 5, None), None, "Type the dice", cursor=1)
    assert dice_of(after(resumed, home, *press("ok", "more", "ok"))) == (4, 5, 1)


@pytest.mark.parametrize("later", [reading(3, None, 6, sure=False), reading(3, 4, 5)])
def test_what_is_typed_to_put_a_roll_right_stands_whatever_the_camera_reads_meanwhile(later: Reading) -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 4, 6)), *press("less", "ok", "more"))
    meanwhile = after(table, home, Stirred(), Settled(later))
    assert view(meanwhile, home).page == view(table, home).page
    assert dice_of(after(meanwhile, home, *press("ok", "ok", "ok"))) == (3, 4, 6)


def test_a_misread_die_is_put_right_after_a_reroll_of_the_other_and_the_token_stays_spent() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 3)), *press("more", "more", "ok"))
    table = after(table, home, Stirred(), Settled(reading(6, 3, shift=80)))
    table = after(table, home, *press("less", "ok", "more", "ok"))
    assert dice_of(table) == (6, 4)
    assert table.match is not None
    assert table.match.public["players"][0]["tokens"] == 1


def test_a_misread_die_is_put_right_in_the_throw_that_it_was_last_thrown_in() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 3)), *press("more", "more", "ok"))
    table = after(table, home, Stirred(), Settled(reading(6, 3, shift=80)), *press(*["more"] * 3, "ok"))
    table = after(table, home, Stirred(), Settled(reading(6, 5, shift=160)), *press("less", "more", "ok", "ok"))
    assert table.match is not None
    assert table.match.log[-3:] == (
        {"do": "roll", "dice": [2, 3]},
        {"do": "reroll", "which": [0], "dice": [1]},
        {"do": "reroll", "which": [1], "dice": [5]},
    )


def test_a_roll_cannot_slip_in_while_the_menu_is_open() -> None:
    home = house()
    table = after(started(), home, *press("back"), Stirred(), Settled(reading(2, 3)))
    assert dice_of(table) is None
    assert table.menu
    back = after(table, home, *press("ok"))
    assert not back.menu


def test_a_rematch_of_roll_is_played_as_the_last_game_was() -> None:
    home = house()
    changed = after(Table(), home, *press(*["ok"] * 7, "more", "ok", "ok", "more", "ok", "more", "ok"))
    assert changed.match is not None
    assert changed.match.log[0].items() >= {"cards": "ask", "pool": 21, "pawn": 4}.items()
    again = after(changed, home, *press("back", "less", "ok", "more", "ok", "ok", "ok", "ok"))
    assert view(again, home).page == Choose("As last time?", ("Yes", "Change"))
    for yes in (press("ok"), press("more", *["ok"] * 4)):
        begun = after(again, home, *yes)
        assert begun.match is not None
        assert begun.match.log[0] == changed.match.log[0]
    elsewhere = replace(home, board=Board((("peek", "token"),) * 5))  # where space 4 is not a Wild one
    begun = after(again, elsewhere, *press("ok"))
    assert begun.match is not None
    assert "pawn" not in begun.match.log[0]


# --- the menu lies over the dialogue ----------------------------------------------------------------------------------

MENU = Press(Button.BACK, held=True)
WAYS_OUT = [("ok",), ("back",), ("less", "ok", "ok")]  # "Go on", back, and a new game that is thought better of


@pytest.mark.parametrize("out", WAYS_OUT)
def test_a_roll_that_the_camera_read_while_the_menu_was_open_is_asked_about_however_it_is_left(
    out: tuple[str, ...],
) -> None:
    home = house()
    table = after(started(), home, *press("back"), Stirred(), Settled(reading(2, 3)), *press(*out))
    shown = view(table, home).page
    assert isinstance(shown, Rolled)
    assert (shown.dice, shown.note) == ((2, 3), "Are these the dice?")
    assert dice_of(after(table, home, *press("ok"))) == (2, 3)


@pytest.mark.parametrize("out", WAYS_OUT)
@pytest.mark.parametrize("game", ["roll", "cat", "free"])
def test_opening_the_menu_changes_nothing_at_any_moment_of_a_game(game: str, out: tuple[str, ...]) -> None:
    home = house(games=(game,), reads_wild=True)
    for n, (_fact, decision) in enumerate(play(home, seed=7)):
        table = decision.table
        if n % 5 == 0 and table.match is not None:
            again = after(table, home, MENU, *press(*out))
            assert (again.match, again.answers) == (table.match, table.answers)
            assert view(again, home) == view(table, home)


@pytest.mark.parametrize("out", [("ok",), ("back",)])
def test_a_set_up_waits_below_the_menu_letter_by_letter_and_over_a_restart(out: tuple[str, ...]) -> None:
    home = house()
    spelled = after(Table(), home, *press("ok", "ok", "less", "ok", "ok", "more", "ok", "more"))
    assert isinstance(view(spelled, home).page, Spell)
    opened = after(spelled, home, MENU)
    assert view(opened, home).page.title == "Menu"  # type: ignore[union-attr]
    noted = with_note(Table(), json.loads(json.dumps(to_note(opened))))
    for table in (opened, noted):
        assert view(after(table, home, *press(*out)), home) == view(spelled, home)


def test_the_ring_shows_who_sits_there_while_the_menu_lies_over_the_set_up() -> None:
    home = house()
    sat = after(Table(), home, *press("ok", "ok", "ok", "ok"))
    opened = view(after(sat, home, MENU), home).ring
    assert opened == view(sat, home).ring


def test_R9_dice_that_were_thrown_again_behind_the_menu_are_the_reroll_once_it_is_closed() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 3)), *press("more", "ok"), MENU)
    thrown = after(table, home, Stirred(), Settled(reading(5, 6, shift=80)))
    assert dice_of(thrown) == (2, 3)
    for out in ("ok", "back"):
        assert dice_of(after(thrown, home, *press(out))) == (5, 6)
    noted = with_note(Table(match=thrown.match), json.loads(json.dumps(to_note(thrown))))
    assert dice_of(after(noted, home, *press("ok"))) == (5, 6)


def test_what_is_being_typed_stands_below_the_menu_whatever_is_read_meanwhile() -> None:
    home = house()
    typing = after(started(), home, Stirred(), Settled(reading(2, None, sure=False)), *press("less", "ok"))
    opened = after(typing, home, MENU, Stirred(), Settled(reading(6, 6, shift=80)))
    assert view(after(opened, home, *press("ok")), home).page == view(typing, home).page


def test_a_denied_reroll_is_asked_about_anew_where_other_dice_came_to_lie_behind_the_menu() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 3)), Stirred(), Settled(reading(2, 5, shift=80)))
    denied = after(table, home, *press("back"))
    thrown = after(denied, home, MENU, Stirred(), Settled(reading(6, 3, shift=40)), *press("ok"))
    assert view(thrown, home).page.text == "Re-roll for 1 token?"  # type: ignore[union-attr]


def test_R5_R6_cards_and_wild_spaces_are_called_by_their_regions() -> None:
    home = house(usual={"roll": {"cards": "track"}})
    dealt, titles = after(Table(), home, *press(*["ok"] * 8)), []
    for _card in range(5):
        titles.append(view(dealt, home).page.title)  # type: ignore[union-attr]
        dealt = after(dealt, home, *press("ok"))
    assert titles == ["Red card", "Yellow card", "Green card", "Blue card", "Pink card"]
    asked = after(Table(), home, *press(*["ok"] * 7, "more", "ok", "ok", "ok"))
    spaces = ("Before Red", "Before Yellow", "Before Green", "Before Blue", "Before Pink")
    assert view(asked, home).page == Choose("Where is the pawn?", spaces)


@pytest.mark.parametrize(
    ("market", "shown"),
    [
        ([1, 1, 3, 4, 5], Choose("Take: Lowest card", ("Red: 1", "Yellow: 1"))),  # R12: the player chooses
        ([0, 7, 8, 9, 5], Count("Rats! New Red card", 0, 0, 9)),  # R14, once a rat more lies there
    ],
)
def test_R12_R14_cards_that_lie_face_up_are_called_by_their_regions(market: list[int], shown: Page) -> None:
    match = begin({"do": "start", "game": "roll", "players": ["Ana", "Bo"], "cards": "track", "market": market})
    for action in ({"do": "roll", "dice": [4]}, {"do": "accept"}, {"do": "wild", "face": "lowest"}, {"do": "accept"}):
        match = referee.play(match, action, 0.0)
    table = Table(match=match, seats=(0, 1))
    if isinstance(shown, Count):
        table = after(table, house(), *press("ok"))
        assert view(table, house()).page == Count("New Red card", 0, 0, 9)
        table = after(table, house(), *press("less", "ok"))
    assert view(table, house()).page == shown


def played(*actions: dict[str, object]) -> Table:
    """Three play Roll, and these actions were taken."""
    match = begin({"do": "start", "game": "roll", "players": ["Ana", "Bo", "Cleo"]})
    for action in actions:
        match = referee.play(match, action, 0.0)
    return Table(match=match, seats=(0, 1, 2))


def landed(pips: int) -> tuple[dict[str, object], ...]:
    return {"do": "roll", "dice": [pips]}, {"do": "accept"}


def faced(face: str) -> tuple[dict[str, object], ...]:
    return {"do": "wild", "face": face}, {"do": "accept"}


CARD: dict[str, object] = {"do": "take", "from": "market", "rat": False}
TWO_EACH = (*landed(2), CARD, *landed(4), CARD)  # but for Cleo
ALL_FOUR = (*landed(2), CARD, *(action for _turn in range(8) for action in (*landed(4), CARD)))


@pytest.mark.parametrize(
    ("actions", "pages"),
    [
        (
            landed(1),
            {
                (): Choose("Take which card?", ("Face-up card", "Draw pile")),
                ("ok",): Choose("Red card: a rat? (7-9)", ("No", "Yes, a rat")),
                ("more", "ok"): Choose("Draw pile: a rat? (7-9)", ("No", "Yes, a rat")),
            },
        ),
        (
            (*TWO_EACH, *landed(1), CARD),
            {
                (): Choose("Peek at cards?", ("No", "Yes, peek")),
                ("more", "ok"): Choose("Look at whose?", ("Ana", "Bo", "My own cards")),
                ("more", "ok", "more", "ok"): Choose("Which card?", ("Card 1", "Card 2")),
            },
        ),
        (
            (*TWO_EACH, *landed(2), *faced("swap")),
            {
                (): Choose("Swap two cards?", ("No", "Yes, swap")),
                ("more", "ok"): Choose("Swap with whom?", ("Ana", "Bo")),
                ("more", "ok", "ok"): Choose("for their card", ("Card 1", "Card 2")),
            },
        ),
        (
            (*ALL_FOUR, *faced("highest")),
            {(): Choose("Highest card: a rat? (7-9)", ("No", "Yes, a rat"))},
        ),
        (
            (*ALL_FOUR, *faced("highest"), CARD),
            {(): Choose("Discard which?", ("Card 1", "Card 2", "Card 3", "Card 4"))},
        ),
        (
            (*ALL_FOUR, *faced("swap")),
            {("more", "ok"): Choose("Swap my card", ("Card 1", "Card 2", "Card 3", "Card 4"))},
        ),
    ],
    ids=("choice", "peek", "swap", "a complete player's card", "discard", "a complete player's swap"),
)
def test_R10_R12_R17_what_is_asked_of_a_card_in_whole_pages(
    actions: tuple[dict[str, object], ...], pages: dict[tuple[str, ...], Page]
) -> None:
    home, table = house(), played(*actions)
    assert {pressed: view(after(table, home, *press(*pressed)), home).page for pressed in pages} == pages


# --- questions --------------------------------------------------------------------------------------------------------


LEAVES = Leaves((Prompt("A"), Prompt("B"), Prompt("C")), 1)


@pytest.mark.parametrize(
    ("question", "foreign"),
    [
        (Pick("", ((1, "A"), (2, "B")), 1), (None, (), "0:A", 2)),
        (Number("", 1, 3, 2), (None, (), "0:A", 0, 4)),
        (Dice("", (1, 2), 1), (None, (), "0:A", 1, (1, 0), (1, 2, 3, 0))),
        (Name("", "Ana", 1), (None, (), (1,), 1)),
        (Keys(Prompt("A")), (None, (), "0:A", 1)),
        (LEAVES, (None, (), "0:A", 3)),
        (Marks("", (3, 4), (1,), 1), (None, (), "0:A", 1)),
    ],
    ids=lambda each: type(each).__name__,
)
def test_a_cursor_that_is_no_question_of_its_own_is_left_alone(question: Question, foreign: tuple[Cursor, ...]) -> None:
    assert question.at(question.cursor) == question
    assert [question.at(cursor) for cursor in foreign] == [question] * len(foreign)


@pytest.mark.parametrize(
    ("page", "cursor"),
    [
        (Choose("", ("A", "B"), 1), ("B",)),
        (Count("", 3, 1, 6), ("3",)),
        (Rolled((4, None), None, cursor=0), ("4",)),
        (Rolled((4, None), None, cursor=1), ("?",)),
        (Rolled((4, None), None), ()),
        (Spell("", "An", "a"), ("a",)),
        (Prompt("A"), ()),
    ],
)
def test_what_the_buttons_act_on_is_told_as_the_page_shows_it(page: Page, cursor: tuple[str, ...]) -> None:
    assert at_cursor(page) == cursor


def test_leaves_are_turned_round_the_ends_and_laid_away() -> None:
    turned = LEAVES.pressed(Button.LESS)
    assert (LEAVES.page(), LEAVES.pressed(Button.MORE)) == (Prompt("B"), replace(LEAVES, index=2))
    assert turned == replace(LEAVES, index=0)
    assert turned.pressed(Button.LESS) == replace(LEAVES, index=2)  # type: ignore[union-attr]
    assert replace(LEAVES, index=2).pressed(Button.MORE) == replace(LEAVES, index=0)
    assert LEAVES.pressed(Button.BACK) == LEAVES.pressed(Button.OK) == Left()


def test_marks_go_round_the_end() -> None:
    marks = Marks("", (3, 4), (1,), 1)
    assert (marks.pressed(Button.MORE), marks.pressed(Button.LESS)) == (
        replace(marks, index=0),
        replace(marks, marked=()),
    )


# --- names ------------------------------------------------------------------------------------------------------------


def spelling(*letters: str, title: str = "Name?") -> Name:
    """These letters taken, and the next one under the cursor."""
    *taken, at = letters
    name = Name(title)
    for letter in taken:
        name = replace(name, place=LETTERS.index(letter)).pressed(Button.OK)  # type: ignore[assignment]
    return replace(name, place=LETTERS.index(at))


@pytest.mark.parametrize(
    ("letters", "label"),
    [
        ("A", "Add"),
        ("AB", "Add"),
        ("A ", "Add"),
        ("A✓", "Done"),
        ("A←", "Erase"),
        ("✓", ""),
        ("←", ""),
        (" ", ""),
        ("ABCDEFGHIJK", ""),
        ("ABCDEFGHIJ←", "Erase"),
    ],
)
def test_what_ok_does_to_a_name_is_what_it_says(letters: str, label: str) -> None:
    name = spelling(*letters)
    assert name.labels(ENGLISH)[3] == label
    assert (name.pressed(Button.OK) == name) == (label == "")


def test_a_name_is_erased_letter_by_letter_and_ended_by_the_ok_after_its_tenth() -> None:
    erased = Name("Name?", "An")
    assert replace(erased, text="Ana").pressed(Button.BACK) == erased
    assert replace(spelling("←"), text="Ana").pressed(Button.OK) == replace(spelling("←"), text="An")
    nine, ten = (replace(spelling("A"), text="B" * had).pressed(Button.OK) for had in (8, 9))
    assert nine == replace(spelling("A"), text="BBBBBBBBa")
    assert ten == replace(spelling("✓"), text="BBBBBBBBBa")


def test_a_button_that_does_nothing_has_no_label_and_marks_say_which_way_they_go() -> None:
    one, two = ((1, "A"),), ((1, "A"), (2, "B"))
    assert Pick("", one).labels(ENGLISH) == ("Back", "", "", "OK")
    assert Pick("", two).labels(ENGLISH) == ("Back", "◀", "▶", "OK")
    assert Number("", 2, 2, 2).labels(ENGLISH) == ("Back", "", "", "OK")
    assert Number("", 2, 3, 2).labels(ENGLISH) == ("Back", "−", "+", "OK")
    assert Marks("", (3, 4), (1,), 0).labels(ENGLISH) == ("Back", "Mark", "▶", "OK")
    assert Marks("", (3, 4), (1,), 1).labels(ENGLISH) == ("Back", "Unmark", "▶", "OK")
    assert Marks("", (3, 4)).labels(ENGLISH) == ("Back", "Mark", "▶", "All")
    assert Dice("", (3, 4), 0).labels(ENGLISH) == ("Back", "−", "+", "Next")
    assert Dice("", (3, 4), 1).labels(ENGLISH) == ("Back", "−", "+", "OK")
    assert Leaves((Prompt("A"),)).labels(ENGLISH) == ("Back", "", "", "OK")
    assert Leaves((Prompt("A"), Prompt("B"))).labels(ENGLISH) == ("Back", "◀", "▶", "OK")
    assert spelling("A").labels(ENGLISH) == ("Back", "◀", "▶", "Add")
    assert spelling("A", "B").labels(ENGLISH) == ("Erase", "◀", "▶", "Add")


@pytest.mark.parametrize(
    ("label", "told"), [("", False), ("OK", False), ("Yes", False), ("Right", False), ("Sum", True)]
)
def test_what_agrees_to_a_page_does_not_say_what_it_does_while_another_one_stands_there(label: str, told: bool) -> None:
    keys = Keys(Prompt("10 points?", (), Sign.CAT), {Button.OK: (True, label)})
    assert speaks(keys, Button.OK, ENGLISH) is told
    assert not speaks(keys, Button.LESS, ENGLISH)
    assert not speaks(Number("How many?", 1, 3, 1), Button.OK, ENGLISH)


def test_turning_back_shows_the_answer_that_was_given() -> None:
    home = house()
    two = after(Table(), home, *press("ok", "ok", "less", "ok"))  # a new name
    spelled = after(two, home, *press("more", "ok", "less", "less", "ok"))
    assert view(spelled, home).page == Choose("B: seat?", ("Red", "Yellow", "Green", "Blue", "Pink"), 0)
    name = after(spelled, home, *press("back"))
    assert view(name, home).page == Spell("Name?", "B", "✓", less="←", more="a")
    assert after(name, home, *press("ok")) == spelled
    known = after(name, home, *press("back", "back"))
    assert view(known, home).page == Choose(
        "Player 1: name?", ("Red", "Yellow", "Green", "Blue", "Pink", "New name"), 5
    )
    many = after(Table(), home, *press("ok", "more", "more", "ok"))
    assert view(after(many, home, *press("back")), home).page == Count("How many players?", 4, 2, 5)
    menu = after(started(), home, *press("back", "more", "ok"))
    free = after(Table(), house(games=("free",)), *press(*["ok"] * 8), Stirred(), Settled(reading(2, 4)))
    again = after(free, home, *press("more", "more", "less", "ok", "back"))
    assert view(again, home).page == Rolled((2, 4), 6, "Re-roll which?", selected=(1,), cursor=0)
    assert view(menu, home).page == Choose("End this game?", ("No, go on", "Yes, end it"), 0)
    assert view(after(menu, home, *press("back")), home).page == Choose("Menu", ("Go on", "New game"), 1)


def test_R5_a_card_of_the_market_that_was_typed_wrong_is_put_right_from_what_was_typed() -> None:
    home = house(usual={"roll": {"cards": "track"}})
    table = after(Table(), home, *press(*["ok"] * 8, *["more"] * 7, "ok"))
    assert view(table, home).page == Count("Yellow card", 0, 0, 9, (7,))
    assert view(after(table, home, *press("back")), home).page == Count("Red card", 7, 0, 9)


def test_a_blank_in_a_name_can_be_seen() -> None:
    assert spelling("A", "-").page() == Spell("Name?", "A", "-", "9", "␣")
    assert spelling("A", " ").page() == Spell("Name?", "A", "␣", "-", "←")


def test_a_name_that_nobody_has_is_taken_as_it_was_spelled() -> None:
    home = house(names=())
    spelled = after(Table(), home, *press("ok", "ok", "less", "ok", "ok", "less", "ok"))  # A new name: A, and done
    table = after(spelled, home, *press(*["ok"] * 5))
    assert table.match is not None
    assert table.match.log[0]["players"][0] == "A"


def test_a_name_that_is_taken_is_told_and_kept() -> None:
    home = house(names=("A",))
    table = after(Table(), home, *press("ok", "ok", "ok", "ok", "less", "ok"))  # A sits down; a new name
    asked = after(table, home, *press("ok", "less", "ok"))  # A, and done
    assert view(asked, home).page == Spell("Taken! Another name?", "A", "a", "✓", "b")


def test_a_name_that_is_taken_and_was_erased_does_not_come_back() -> None:
    home = house(names=("A",))
    table = after(Table(), home, *press("ok", "ok", "ok", "ok", "less", "ok", "ok", "less", "ok"))
    asked = after(table, home, *press("back", "back"))  # erases the A, and leaves
    assert view(asked, home).page == Choose("Player 2: name?", ("Yellow", "Green", "Blue", "Pink", "New name"), 4)
    assert asked.answers[-1][0] == "seat 0"


def test_a_name_that_looks_like_another_is_the_same_name() -> None:
    home = house(names=("A\u0301na", "Ána", "Á"))
    asked = after(Table(), home, *press("ok", "ok"))
    assert view(asked, home).page.options[:3] == ("Ána", "Á", "Red")  # type: ignore[union-attr]
    spelled = after(asked, home, *press("more", "ok", "ok", "less", "ok"))  # Á sits down; a new name
    again = after(
        spelled, home, *press(*["more"] * LETTERS.index("Á"), "ok", *["less"] * (LETTERS.index("Á") + 1), "ok")
    )
    assert view(again, home).page.title == "Taken! Another name?"  # type: ignore[union-attr]


def test_any_configured_name_can_be_played_with() -> None:
    home = house(games=("cat",), names=("…", "None"))
    table = after(Table(), home, *press(*["ok"] * 8))
    assert table.match is not None
    assert table.match.log[0]["players"] == ["…", "None"]


# --- menu, devices, presses ------------------------------------------------------------------------------------------


def test_undo_takes_back_the_last_step() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 3)), *press("back", "more", "ok"))
    assert step_of(table) == "roll"


def test_a_new_game_needs_a_second_word() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 3)), *press("back", "less", "ok"))
    assert step_of(after(table, home, *press("ok"))) == "accept"
    left = after(table, home, *press("more", "ok"))
    assert left.match is None
    assert left.last is not None


def test_nothing_that_was_seen_of_a_game_is_left_once_it_is_ended() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 3)), Stirred(), Settled(reading(2, 3, 6)))
    assert None not in (table.sighting, table.seen)
    left = after(table, home, *press("back", "less", "ok", "more", "ok"))
    assert left.last is not None
    assert replace(left, fresh=False, stirred=False) == Table(last=left.last)


def test_holding_back_opens_the_menu_from_within_a_question() -> None:
    home = house()
    table = after(started(), home, *press("less", "more"), Press(press("back")[0].button, held=True))
    assert table.menu


@pytest.mark.parametrize("name", ["less", "more", "ok"])
def test_a_long_press_is_a_press_but_of_the_button_that_opens_the_menu(name: str) -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 3)))
    assert after(table, home, Press(Button(name), held=True)) == after(table, home, *press(name))


def test_a_question_that_turning_back_leaves_for_the_menu_says_so() -> None:
    home = house()
    choosing = after(started(), home, Stirred(), Settled(reading(1)), *press("ok"))  # a space of choice
    assert view(choosing, home).labels[0] == "Menu"
    assert after(choosing, home, *press("back")).menu
    assert view(after(choosing, home, *press("ok")), home).labels[0] == "Back"
    assert view(after(choosing, home, *press("back")), home).labels[0] == "Back"


def test_a_lost_device_shows_and_a_found_one_does_not() -> None:
    home = house()
    lost = after(started(), home, DeviceChanged("camera", Health.LOST, "no camera"))
    assert view(lost, home).lost == ("camera",)
    assert view(after(lost, home, DeviceChanged("camera", Health.OK)), home).lost == ()


def test_the_ring_is_still_while_dice_are_expected_even_if_a_device_is_lost() -> None:
    home = house()
    lost = after(started(), home, DeviceChanged("oled", Health.LOST, "gone"))
    assert view(lost, home).ring.mood is Mood.READING
    assert view(after(lost, home, Stirred(), Settled(reading(1))), home).ring.mood is Mood.TROUBLE


def test_the_same_players_may_play_again_without_naming_themselves() -> None:
    home = house()
    table = after(started(), home, *press("back", "less", "ok", "more", "ok"))
    again = after(table, home, *press("ok", "ok", "ok", "ok"))
    assert again.match is not None
    assert [player["name"] for player in again.match.public["players"]] == ["Red", "Yellow"]
    assert again.seats == (0, 1)


def test_who_played_another_game_before_is_offered_by_name() -> None:
    home = house(games=("roll", "free"), names=("Ana",))
    table = after(Table(), home, *press("ok", "ok", "ok", "less", "ok"))  # a new name
    table = after(table, home, *press("more", "ok", "less", "less", "ok"))  # B
    table = after(table, home, *press("ok", "ok", "ok", "ok", "ok"))
    assert table.match is not None
    free = after(table.without_game(), home, *press("ok", "more", "ok", "ok"))
    options = ("Ana", "B", "Red", "Yellow", "Green", "Blue", "Pink", "New name")
    assert view(free, home).page == Choose("Player 1: name?", options, 0)


def test_a_cleared_tray_forgets_what_was_seen() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, sure=False)), Cleared())
    assert table.sighting is None


def test_R9_an_emptied_tray_is_no_longer_doubted_while_dice_are_to_be_thrown_again() -> None:
    home = house()
    chosen = after(started(), home, Stirred(), Settled(reading(2, 3)), *press("more", "more", "ok"))
    asked = view(chosen, home).page
    assert isinstance(asked, Prompt)
    doubted = after(chosen, home, Stirred(), Settled(reading(2, shift=9.0)))
    assert isinstance(view(doubted, home).page, Rolled)
    for fact in (Stirred(), Cleared()):
        assert view(after(doubted, home, fact), home).page == asked


def test_R9_of_dice_that_show_the_same_one_choice_is_offered() -> None:
    assert subsets((4,)) == ((0,),)
    assert subsets((4, 4)) == ((0, 1), (0,))
    assert subsets((4, 2, 4)) == ((0, 1, 2), (0,), (1,), (0, 1), (0, 2))


# --- dice that lie there since the last roll -------------------------------------------------------------------------


def next_to_roll(table: Table) -> Table:
    """The roll is accepted and a card taken: the next player is to roll."""
    home = house()
    while step_of(table) != "roll":
        table = after(table, home, *press("ok"))
    return table


@pytest.mark.parametrize("unseen", [(), press("less", "more", "ok", "more", "more", "ok", "less", "ok")])
def test_dice_that_nobody_touched_since_their_roll_are_not_the_next_players(unseen: tuple[Press, ...]) -> None:
    """The camera was away, or hidden, while they were thrown and entered; now it reads them."""
    home = house()
    thrown = (Stirred(), *(unseen or (Settled(reading(2, 6)),)))
    table = next_to_roll(after(started(), home, *thrown))
    table = after(table, home, Settled(reading(2, 6, shift=1.0 if unseen else 200.0)))
    assert (step_of(table), dice_of(table)) == ("roll", None)
    assert dice_of(after(table, home, Stirred(), Settled(reading(5)))) == (5,)


def test_dice_entered_unseen_are_not_taken_for_the_next_roll_when_a_hand_passes_over_them() -> None:
    home = house()
    typed = press("less", "more", "ok", "more", "more", "ok", "less", "ok")
    table = next_to_roll(after(started(), home, *typed))
    table = after(table, home, Stirred(), Settled(reading(6, 2)))
    assert dice_of(table) is None
    assert view(table, home).labels[3] == "Yes"
    assert dice_of(after(table, home, *press("ok"))) == (6, 2)


@pytest.mark.parametrize(
    ("acted", "title", "line", "sign"),
    [
        (
            ({"do": "wild", "face": "lowest"}, {"do": "accept"}),
            "Take: Lowest card",
            "Take the lowest card",
            Sign.LOWEST,
        ),
        (
            ({"do": "wild", "face": "highest"}, {"do": "accept"}),
            "Take: Highest card",
            "Take the highest card",
            Sign.HIGHEST,
        ),
        ((), "Take: Red card", "Take the card and 1 token", Sign.TOKEN),
    ],
)
def test_R12_R23_what_is_to_be_taken_is_told_by_the_face_that_was_rolled_else_by_the_space(
    acted: tuple[dict[str, object], ...], title: str, line: str, sign: Sign
) -> None:
    start = {"do": "start", "game": "roll", "players": ["Ana", "Bo"], "cards": "track", "market": [1, 2, 3, 4, 5]}
    match = begin(start)
    for action in ({"do": "roll", "dice": [4 if acted else 2]}, {"do": "accept"}, *acted):
        match = referee.play(match, action, 0.0)
    assert view(Table(match=match, seats=(0, 1)), house()).page == Prompt(title, (line,), sign)


def test_a_tap_too_many_on_the_ok_that_ended_the_game_does_not_throw_it_away() -> None:
    home, table = house(), at_reveal("Ana", "Bo")
    revealed = after(table, home, *press("ok", *["ok"] * 5, *["ok"] * 5))
    over = view(revealed, home)
    assert isinstance(over.page, Winner)
    tapped = after(revealed, home, *press("ok"))
    assert view(tapped, home).page == Choose("New game?", ("No", "Yes"))
    for no in ("ok", "back"):
        assert view(after(tapped, home, *press(no)), home) == over
    left = after(tapped, home, *press("more", "ok"))
    assert left.last is not None
    assert left == Table(last=left.last)


def at_reveal(*names: str) -> Table:
    """A game by chance until all cards are revealed (R19)."""
    match, chance = begin({"do": "start", "game": "roll", "players": list(names)}), random.Random(1)
    while match.ask.step != "reveal":
        match = referee.play(match, chance.choice(tuple(legal(match))), 0.0)
    return Table(match=match, seats=tuple(range(len(names))))


def at_audit() -> Table:
    """Three have taken nothing but ones from the market, and all cards are revealed (R20)."""
    match = begin(
        {"do": "start", "game": "roll", "players": ["Ana", "Bo", "Cleo"], "cards": "track", "market": [1] * 5}
    )
    for pips in (2, *[4] * 8):
        for action in (*landed(pips), {"do": "take", "from": "market"}, {"do": "refill", "value": 1}):
            match = referee.play(match, action, 0.0)
    for _turn in range(3):
        match = referee.play(match, {"do": "skip"}, 0.0)
    return Table(match=match, seats=(0, 1, 2))


def test_R20_a_hand_that_cannot_be_is_entered_again_or_kept_as_played() -> None:
    home, table = house(), at_audit()
    one = after(table, home, *press("ok", "ok", "more", "ok", "ok", "more", "ok"))
    assert view(one, home).page == Prompt("Card 3 looks wrong", ("Look again?",), Sign.ASK)
    several = after(table, home, *press("ok", *["ok"] * 4))
    assert view(several, home).page == Prompt("Cards 2 3 4 look wrong", ("Look again?",), Sign.ASK)
    assert view(several, home).labels == ("Again", "", "", "Keep")
    assert after(several, home, *press("back")) == table
    kept = after(several, home, *press("ok"))
    assert kept.match is not None
    assert kept.match.log[-1] == {"do": "reveal", "player": 0, "cards": [0, 0, 0, 0], "force": True}
    assert view(kept, home).page == Choose("All cards up! Whose?", ("Bo", "Cleo"))


def menu_of(table: Table) -> tuple[str, ...]:
    page = view(after(table, house(), *press("back")), house()).page
    assert isinstance(page, Choose)
    return page.options


def test_R19_at_the_end_every_total_can_be_read_under_no_flag() -> None:
    home, table = house(), at_reveal("Ana", "Bo", "Cy")
    assert "Scores" not in menu_of(table)  # R21
    match = table.match
    for player, total in enumerate((12, 7, 7)):
        assert match is not None
        match = referee.play(match, {"do": "reveal", "player": player, "total": total}, 0.0)
    over = replace(table, match=match)
    rows = (Row("Bo", "7", "winner"), Row("Cy", "7", "winner"), Row("Ana", "12"))
    shown, sheet = view(over, home), view(after(over, home, *press("less")), home)
    assert (shown.header, shown.labels) == (Header(), ("Menu", "Scores", "", "New game"))
    assert shown.page == Winner("Winners!", ("Bo", "Cy"), rows)
    assert (sheet.header, sheet.page) == (Header(), Sheet("Points", rows))
    assert view(after(over, home, *press("less", "ok")), home) == shown
    assert "Scores" in menu_of(over)


@pytest.mark.parametrize("name", ["{Ana}", "A}", "{n}", "{name}", "{0}"])
def test_R19_a_name_may_hold_any_sign(name: str) -> None:
    table = after(at_reveal(name, "Bo"), house(), *press("ok", "ok"))
    assert view(table, house()).page == Count(f"{name}: card 2", 0, 0, 9, (0,))


def test_a_robot_that_types_a_roll_goes_on_when_the_camera_has_read_it() -> None:
    home = house()
    table = after(started(), home, Stirred(), *press("less", "more", "ok"))
    typing, goal = move(table, home, Lying((1, 3)), None, random.Random(0), thrown=True)
    assert (typing, goal) == (Push(Button.MORE), (1, 3))
    table = after(table, home, Settled(reading(3, 1)))
    assert move(table, home, Lying((3, 1)), goal, random.Random(0), thrown=True) == (typing, goal)
