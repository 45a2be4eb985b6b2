"""Dice that lie there since the last roll, what is to be taken, and the end of a game, at the table."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from companion import referee
from companion.demo.robot import Lying, Push, move
from companion.events import (
    Button,
    Press,
    Settled,
    Stirred,
)
from companion.referee import begin, legal
from companion.table.picture import view
from companion.table.state import Table
from companion.view import (
    Choose,
    Count,
    Header,
    Prompt,
    Row,
    Sheet,
    Sign,
    Winner,
)
from tests.app.household import (
    after,
    dice_of,
    house,
    landed,
    press,
    reading,
    started,
    step_of,
)


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
