"""The menu over the dialogue, and presses while devices are lost."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from companion import referee
from companion.events import (
    Button,
    Cleared,
    DeviceChanged,
    Health,
    Press,
    Settled,
    Stirred,
)
from companion.referee import begin
from companion.table.picture import view
from companion.table.roll import subsets
from companion.table.state import Table, to_note, with_note
from companion.view import (
    Choose,
    Count,
    Mood,
    Page,
    Prompt,
    Rolled,
    Spell,
)
from tests.app.household import (
    after,
    dice_of,
    house,
    landed,
    play,
    press,
    reading,
    started,
    step_of,
)

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
    dealt, titles = after(Table(), home, *press(*["ok"] * 9)), []
    for _card in range(5):
        titles.append(view(dealt, home).page.title)  # type: ignore[union-attr]
        dealt = after(dealt, home, *press("ok"))
    assert titles == ["Red card", "Yellow card", "Green card", "Blue card", "Pink card"]
    spaces = ("Before Red", "Before Yellow", "Before Green", "Before Blue", "Before Pink")
    for settings in (("ok",), ("more", "ok", "ok", "ok")):  # asked also where all else is as usual: nothing shows it
        asked = after(Table(), home, *press(*["ok"] * 7, *settings))
        assert view(asked, home).page == Choose("Where is the pawn?", spaces)
        assert [view(after(asked, home, *press(*["more"] * way)), home).ring.pawn for way in (0, 2)] == [0, 8]
        begun = after(asked, home, *press("more", "ok", *["ok"] * 5))
        assert begun.match is not None
        assert begun.match.public["pawn"] == home.wild_spaces[1]


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
                ("more", "ok", "ok"): Choose("For which of theirs?", ("Card 1", "Card 2")),
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
            {("more", "ok"): Choose("Which of yours?", ("Card 1", "Card 2", "Card 3", "Card 4"))},
        ),
    ],
    ids=("choice", "peek", "swap", "a complete player's card", "discard", "a complete player's swap"),
)
def test_R10_R12_R17_what_is_asked_of_a_card_in_whole_pages(
    actions: tuple[dict[str, object], ...], pages: dict[tuple[str, ...], Page]
) -> None:
    home, table = house(), played(*actions)
    assert {pressed: view(after(table, home, *press(*pressed)), home).page for pressed in pages} == pages


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
    again = after(table, home, *press("ok", "ok", "ok", "ok", "ok"))
    assert again.match is not None
    assert [player["name"] for player in again.match.public["players"]] == ["Red", "Yellow"]
    assert again.seats == (0, 1)


def test_who_played_another_game_before_is_offered_by_name() -> None:
    home = house(games=("roll", "free"), names=("Ana",))
    table = after(Table(), home, *press("ok", "ok", "ok", "less", "ok"))  # a new name
    table = after(table, home, *press("more", "ok", "less", "less", "ok"))  # B
    table = after(table, home, *press(*["ok"] * 6))
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
