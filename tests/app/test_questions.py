"""Questions that four buttons answer, names among them: what a press makes of each."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.events import (
    Button,
    Knocked,
    Settled,
    Stirred,
)
from companion.locale import ENGLISH
from companion.table.picture import view
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
from companion.table.state import Table
from companion.view import (
    Choose,
    Count,
    Page,
    Prompt,
    Rolled,
    Sign,
    Spell,
    at_cursor,
)
from tests.app.household import (
    after,
    house,
    press,
    reading,
    started,
)

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
    table = after(Table(), home, *press(*["ok"] * 9, *["more"] * 7, "ok"))
    assert view(table, home).page == Count("Yellow card", 0, 0, 9, (7,))
    assert view(after(table, home, *press("back")), home).page == Count("Red card", 7, 0, 9)


def test_a_blank_in_a_name_can_be_seen() -> None:
    assert spelling("A", "-").page() == Spell("Name?", "A", "-", "9", "␣")
    assert spelling("A", " ").page() == Spell("Name?", "A", "␣", "-", "←")


def test_a_name_that_nobody_has_is_taken_as_it_was_spelled() -> None:
    home = house(names=())
    spelled = after(Table(), home, *press("ok", "ok", "less", "ok", "ok", "less", "ok"))  # A new name: A, and done
    table = after(spelled, home, *press(*["ok"] * 6))
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


def test_a_name_with_braces_is_shown_as_it_is() -> None:
    home = house(games=("cat",), names=("{n}", "{"))
    asked = after(Table(), home, *press(*["ok"] * 3))
    assert view(asked, home).page.title == "{n}: seat?"  # type: ignore[union-attr]
    table = after(asked, home, *press(*["ok"] * 5))
    assert view(table, home).page.lines[-1] == "{n} deals"  # type: ignore[union-attr]
    hand = after(table, home, Knocked(), *press("ok", "ok"))
    assert view(hand, home).page.title == "{n}: card 1"  # type: ignore[union-attr]
