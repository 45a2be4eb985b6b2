"""The dialogue at the table: whole games by button and dice, and what happens when dice and players do not agree."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from companion.events import (
    NOWHERE,
    Button,
    Cleared,
    Die,
    Press,
    Reading,
    Settled,
    Stilled,
    Stirred,
    Why,
)
from companion.games.roll import Board
from companion.table.decide import decide
from companion.table.picture import expects_dice, view
from companion.table.state import Table, to_note, with_note
from companion.view import (
    Choose,
    Count,
    Mood,
    Prompt,
    Rolled,
    Sign,
)
from tests.app.household import (
    after,
    dice_of,
    found,
    house,
    play,
    press,
    reading,
    reading_of,
    restarted,
    slept,
    started,
    step_of,
)

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


def test_R4_a_large_pool_is_where_its_entry_begins_and_ends() -> None:
    home = house(usual={"roll": {"cards": "ask", "pool": 50}})
    table = after(Table(), home, *press(*["ok"] * 7, "less", "ok", "ok"))
    assert view(table, home).page == Count("Tokens in the pool", 50, 0, 50)
    assert view(after(table, home, *press("less")), home).page == Count("Tokens in the pool", 49, 0, 50)


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
        (3, press("ok"), "4 rats? 5 new cards"),
        (3, press("more", "ok"), "1, 2 or 3 dice"),  # what takes a rat's place makes them no more
        (1, press("ok", "ok"), "4 rats? 5 new cards"),
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
    tracked = after(Table(), house(usual={"roll": {"cards": "track"}}), *press(*["ok"] * 14))
    assert view(started(), home).page == Prompt("Roll the dice", ("4 rats? 5 new cards",), Sign.DICE)
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
        ((), Why.GLARE, "It dazzles me", "Move the lamp a little"),
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


@pytest.mark.parametrize("lying", [reading_of(2, 3), found(2, 3)])
def test_dice_that_come_to_lie_while_players_sit_down_are_asked_about_once_the_game_begins(lying: Settled) -> None:
    home = house()
    table = after(Table(), home, *press("ok", "ok"), Stirred(), lying, *press(*["ok"] * 7))
    assert (step_of(table), dice_of(table)) == ("roll", None)
    assert view(table, home).page == Rolled((2, 3), None, "", "Are these the dice?", sign=Sign.ASK)


def test_the_same_dice_read_again_after_a_restart_are_not_rolled_twice() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 4)), *press("ok"))
    again = with_note(replace(table, fresh=True), to_note(table))
    later = after(again, home, Settled(reading(2, 4)))
    assert later.sighting is None


def test_a_question_about_dice_is_asked_again_once_a_hand_has_passed_over_them() -> None:
    home = house()
    dice = Settled(reading(2, 3, sure=False))
    asked = after(started(), home, Stirred(), dice)
    under = after(asked, home, Stirred(Why.HAND))
    assert view(under, home).page == Prompt("Roll the dice", ("4 rats? 5 new cards",), Sign.DICE)
    assert view(after(under, home, Stilled()), home) == view(asked, home)
    assert view(after(asked, home, Stirred(), Stirred(Why.HAND), Stilled()), home) == view(asked, home)
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


def test_dice_thrown_too_early_are_asked_about_at_the_next_turn_whenever_a_hand_passes() -> None:
    home = house()
    taking = after(started(), home, Stirred(), Settled(reading(2, 1)), *press("ok"))
    early = after(taking, home, Stirred(), Settled(reading(5, 5, shift=200)))
    pages = []
    for before, later in (((), ()), ((Stirred(Why.HAND),), (Stilled(),)), ((Stirred(Why.HAND), Stilled()), ())):
        table = after(early, home, *before)
        while step_of(table) != "roll":
            table = after(table, home, *press("ok"))
        pages.append(view(after(table, home, *later), home).page)
    asked = Rolled((5, 5), None, "", "Are these the dice?", sign=Sign.ASK)
    assert pages == [asked] * 3


def test_dice_that_lie_as_they_were_rolled_are_not_asked_about_at_the_next_step_once_a_hand_has_passed() -> None:
    home = house()
    rolled = Settled(reading(2, 3))
    table = after(started(), home, Stirred(), rolled)
    again = after(replace(table, sighting=rolled.reading), home, Stirred(Why.HAND), *press("ok"), Stilled())
    assert (step_of(again), again.sighting) == ("take", None)


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
    moved = after(restarted(table), home, found(2, 6, shift=70))
    assert view(moved, home).page == Rolled((2, 6), None, "A die moved", "Are these the dice?", sign=Sign.ASK)
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


def test_after_a_reroll_that_was_asked_about_is_taken_back_it_is_said_that_other_dice_lie_there() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 3)), *press("more", "more", "ok"))
    again = after(table, home, Stirred(), Settled(reading(6, 3, sure=False, shift=80)), *press("ok"))
    assert sorted(dice_of(again) or ()) == [3, 6]
    page = view(after(again, home, *press("back", "more", "ok")), home).page
    assert isinstance(page, Rolled)
    assert (page.dice, page.note) == ((2, 3), "Other dice lie there")


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
    assert view(table, home).labels == ("No", "Fix", "", "Yes")
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


def test_R9_dice_thrown_again_by_a_player_without_tokens_have_only_moved() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 3)))
    for shift in (80.0, 160.0):
        table = after(table, home, *press("more", "ok"), Stirred(), Settled(reading(5, 6, shift=shift)))
    assert table.match is not None
    assert table.match.public["players"][0]["tokens"] == 0
    thrown = after(table, home, Stirred(), Settled(reading(1, 4, shift=240.0)))
    page = view(thrown, home).page
    assert isinstance(page, Rolled)
    assert (page.dice, page.note) == ((5, 6), "A die moved")
    assert view(thrown, home).labels == ("Menu", "Fix", "", "Move")


def test_R9_dice_that_showed_the_same_are_re_rolled_together_where_both_were_thrown_again() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 2)), Stirred(), Settled(reading(5, 6, shift=80)))
    table = after(table, home, *press("ok"))
    assert table.match is not None
    assert table.match.log[-1] == {"do": "reroll", "which": [0, 1], "dice": [5, 6]}


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
    assert view(table, home).page == Rolled((2, 3), None, "As before?", "Are these the dice?", sign=Sign.ASK)
    agreed = after(table, home, *press("ok"))
    assert (dice_of(agreed), agreed.match and agreed.match.public["players"][0]["tokens"]) == ((2, 3), 1)


@pytest.mark.parametrize(
    "later",
    [reading(5, 6, sure=False, shift=80), reading(2, 3, sure=False, shift=80), reading(2), reading(2, 3, 6)],
)
def test_R9_dice_that_are_not_surely_the_same_number_are_never_a_reroll(later: Reading) -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 3)), Stirred(), Settled(later))
    assert view(table, home).page == Rolled((2, 3), 5, "Yellow", "A die moved", sign=Sign.CHOICE)
    assert view(table, home).labels == ("Menu", "Fix", "Re-roll", "Move")


def test_R9_a_die_added_after_the_roll_is_never_a_reroll() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 3)), Stirred(), Settled(reading(2, 3, 6)))
    assert dice_of(table) == (2, 3)
    page = view(table, home).page
    assert isinstance(page, Rolled)
    assert page.note == "A die moved"


def test_a_nudged_die_that_still_shows_the_same_changes_nothing() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 3)))
    assert view(after(table, home, Stirred(), Settled(reading(2, 3, shift=40))), home) == view(table, home)


def test_dice_that_lie_as_rolled_again_while_a_roll_is_put_right_are_not_said_to_have_moved() -> None:
    home = house()
    rolled = after(started(), home, Stirred(), Settled(reading(2, 3)))
    fixing = after(rolled, home, Stirred(), Settled(reading(2, 3, 6)), *press("less"))
    back = after(fixing, home, Stirred(), Settled(reading(2, 3, shift=40)), *press("back"))
    assert view(back, home) == view(rolled, home)


def test_a_die_that_reads_otherwise_though_nothing_stirred_is_not_asked_about_at_the_next_turn() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(3)), *press("ok"))
    assert step_of(table) == "take"
    assert after(table, home, Settled(reading(4).unsure(Why.CHANGED))) == table


def test_a_misread_roll_is_put_right_and_costs_nothing() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 3)))
    table = after(table, home, *press("less", "ok", "more", "ok", "ok"))
    assert dice_of(table) == (3, 3)
    assert table.match is not None
    assert table.match.public["players"][0]["tokens"] == 2


def test_a_roll_that_was_put_right_is_what_lies_there() -> None:
    home = house()
    table = after(started(), home, Stirred(), Settled(reading(2, 3)), *press("less", "ok", "more", "ok"))
    fixed = decide(table, Press(Button.OK), home, 0.0)
    assert fixed.rolled == (3, 3)
    assert view(fixed.table, home).page == Rolled((3, 3), 6, "Yellow", "Take the card and 1 token", sign=Sign.TOKEN)


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
    for yes in (press("ok", "ok"), press("more", *["ok"] * 4)):
        begun = after(again, home, *yes)
        assert begun.match is not None
        assert begun.match.log[0] == changed.match.log[0]
    elsewhere = replace(home, board=Board((("peek", "token"),) * 5))  # where space 4 is not a Wild one
    begun = after(again, elsewhere, *press("ok", "ok"))
    assert begun.match is not None
    assert begun.match.log[0]["pawn"] == 0
