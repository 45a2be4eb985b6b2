"""A table that was switched off: whatever the journal holds and whatever the settings are now, it starts again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from companion.events import Button, Fact, Press, Settled, Stirred, WildDie
from companion.games.roll import Board
from companion.games.roll.board import Kind
from companion.journal import Journal
from companion.table.house import House
from companion.table.picture import view
from companion.table.resume import resume
from companion.table.state import Dialogue, Table, to_note
from companion.view import Choose, Count, Mood, Prompt, Sign
from tests.app.household import after, house, press, reading, slept
from tests.app.test_loop import StillClock
from tests.app.test_loop_games import lived

Regions: TypeAlias = tuple[tuple[Kind, ...], ...]


def keep(journal: Journal, table: Table) -> None:
    """The table's game and dialogue, as the loop writes them."""
    assert table.match is not None
    start, *actions = table.match.log
    journal.begin(json.dumps(start))
    for action in actions:
        journal.append(json.dumps(action), 0.0)
    journal.note(json.dumps(to_note(table)))


@pytest.mark.parametrize("game", ["roll", "free"])
def test_a_dialogue_that_was_left_without_a_question_begins_anew(game: str, journal: Journal) -> None:
    home = house(games=(game,))
    table = after(Table(), home, *press(*["ok"] * 9), Stirred(), Settled(reading(2, 1)), *press("more", "ok"))
    keep(journal, replace(table, sighting=reading(5, 6, shift=90)))
    again = resume(journal, home).table
    assert again == slept(table.anew())
    assert view(again, home).ring.mood is Mood.TURN


@pytest.mark.parametrize("to_menu", [(), (Press(Button.BACK, held=True),)])
def test_dice_thrown_again_behind_the_menu_are_taken_when_it_is_closed_after_a_restart(
    to_menu: tuple[Fact, ...], journal: Journal
) -> None:
    home = house()
    asked = after(Table(), home, *press(*["ok"] * 9), Stirred(), Settled(reading(2, 1)), *press("more", "ok"))
    keep(journal, after(asked, home, Press(Button.BACK, held=True), Stirred(), Settled(reading(5, 6, shift=90))))
    again = after(resume(journal, home).table, home, *to_menu, *press("ok"))
    assert again.match is not None
    assert again.match.public["dice"] == [5, 6]


def test_a_wild_die_that_was_agreed_to_and_not_told_is_seen_again_after_a_restart(journal: Journal) -> None:
    home = house(reads_wild=True)
    table = after(Table(), home, *press(*["ok"] * 9), Stirred(), Settled(reading(4)), *press("ok"))
    agreed = replace(table, answers=(("how", "as seen"),), wild=WildDie("swap", (200.0, 100.0, 30.0, 30.0), 0.9))
    keep(journal, agreed)
    assert resume(journal, home).table == replace(table, fresh=False, stirred=False)


def test_a_menu_that_an_earlier_version_left_open_has_nothing_below_it(journal: Journal) -> None:
    home = house()
    table = after(Table(), home, *press(*["ok"] * 9), Press(Button.BACK, held=True))
    keep(journal, table)
    earlier = {key: value for key, value in to_note(table).items() if key != "under"}
    journal.note(json.dumps(earlier))
    assert resume(journal, home).table == table


def test_a_menu_is_resumed_at_the_entry_it_stood_at(journal: Journal) -> None:
    home = house()
    table = after(Table(), home, *press(*["ok"] * 9), Press(Button.BACK, held=True), *press("more", "ok", "more"))
    assert view(table, home).page == Choose("End this game?", ("No, go on", "Yes, end it"), 1)
    keep(journal, table)
    assert resume(journal, home).table == table


# --- notes of another version -----------------------------------------------------------------------------------------

CHESS = '{"do":"start","game":"chess","players":["Ana","Bo"]}'
DIE = [3, [1.0, 2.0, 30.0, 30.0], 0.6]
LATER: dict[str, dict[str, Any]] = {
    "another doubt": {"sighting": {"dice": [DIE], "sure": False, "why": "sticky"}},
    "more of a die": {"seen": {"dice": [[*DIE, "red"]], "sure": True, "why": None}},
    "another shape": {"answers": {"how": "sung"}},
    "another answer": {"menu": True, "answers": [[["a", "list"], 1]]},
    "fewer seats": {"seats": [1]},
    "more seats": {"seats": [0, 1, 2]},
    "seats of another kind": {"seats": ["left", "right"]},
    "no seat at all": {"seats": [-1, 0]},
}


def noted(game: str, change: dict[str, Any], journal: Journal, *, without: str = "") -> Table:
    """The table after a game of two at the seats 1 and 0, of which the newest note is changed."""
    journal.begin(json.dumps({"do": "start", "game": game, "players": ["Ana", "Bo"]}))
    note = to_note(Table(seats=(1, 0)))
    journal.note(json.dumps(note))
    changed = {name: value for name, value in (note | change).items() if name != without}
    journal.note(json.dumps(changed))
    table = resume(journal, house()).table
    assert view(table, house()).page is not None
    return table


@pytest.mark.parametrize("game", ["roll", "cat", "free"])
@pytest.mark.parametrize("change", LATER.values(), ids=LATER)
def test_a_dialogue_that_another_version_noted_otherwise_begins_anew_in_the_same_game(
    game: str, change: dict[str, Any], journal: Journal
) -> None:
    table = noted(game, change, journal)
    assert table.match is not None
    assert (table.match.game, table.seats, table.answers, table.sighting) == (game, (1, 0), (), None)


@pytest.mark.parametrize("cursor", [["x", 9, 9], [1, 1, 9]])
def test_a_cursor_that_points_at_nothing_begins_the_dialogue_anew(cursor: list[Any], journal: Journal) -> None:
    table = noted("roll", {"answers": [["how", "enter"], ["number", 2]], "cursor": cursor}, journal)
    assert (table.answers, table.cursor) == ((), None)


@pytest.mark.parametrize("cursor", [["x", 9, 9], [1, 1, 9]])
def test_a_cursor_that_points_at_nothing_below_the_menu_begins_the_dialogue_anew_there(
    cursor: list[Any], journal: Journal
) -> None:
    below = {"answers": [["how", "enter"], ["number", 2]], "cursor": cursor}
    table = noted("roll", {"menu": True, "under": below}, journal)
    assert (table.menu, table.under) == (True, Dialogue())
    assert after(table, house(), *press("ok")) == table.without_menu()


@pytest.mark.parametrize("missing", ["seats", "menu", "answers", "cursor", "sighting", "seen"])
def test_a_note_that_lacks_what_this_version_notes_is_none(missing: str, journal: Journal) -> None:
    table = noted("free", {"cursor": 1}, journal, without=missing)
    assert (table.seats, table.cursor) == ((1, 0), None)


def test_seats_that_no_note_tells_are_taken_in_order(journal: Journal) -> None:
    journal.begin(json.dumps({"do": "start", "game": "free", "players": ["Ana", "Bo"]}))
    journal.note(json.dumps({"seats": "round the table"}))
    assert resume(journal, house()).table.seats == (0, 1)


def test_a_set_up_that_another_version_noted_otherwise_begins_anew(journal: Journal) -> None:
    journal.begin(json.dumps({"do": "start", "game": "free", "players": ["Ana", "Bo"]}))
    journal.note(json.dumps(to_note(Table()) | {"seats": ["left", "right"]}))
    journal.new_sitting()
    journal.note("[]")
    assert resume(journal, house()).table == Table()


@pytest.mark.parametrize(("start", "action"), [("xyz", ""), ("[1]", ""), (CHESS, "[]"), (CHESS, "{")])
def test_a_game_that_another_companion_wrote_otherwise_is_left_alone_and_said_so(
    start: str, action: str, journal: Journal
) -> None:
    journal.begin(start)
    if action:
        journal.append(action, 0.0)
    path = journal.path
    journal.close()
    with Journal.open(path) as again:
        table, _shown = lived(again, house(), StillClock(), *press("ok"))
        text = "The last game does not fit the settings: another companion wrote it"
        assert resume(again, house()).table.notice == Prompt("Attention!", (text,), Sign.TROUBLE)
        assert (table.match, table.notice) == (None, None)
        lived(again, house(), StillClock(), *press(*["ok"] * 10))
        assert resume(again, house()).table.match is not None


# --- a game that the settings do not allow ---------------------------------------------------------------------------


def test_a_game_that_is_left_alone_may_go_on_until_another_one_is_set_up(journal: Journal) -> None:
    journal.begin(CHESS)
    lived(journal, house(), StillClock(), Settled(reading(3)), *press("ok", "back", "ok"))
    assert [entry.line for entry in journal.read(1).entries] == [CHESS]
    assert journal.latest() == journal.read(1)
    lived(journal, house(), StillClock(), *press("ok", "ok"))
    assert [entry.line for entry in journal.read(1).entries] == [CHESS]
    assert resume(journal, house()).table.given == {"welcome": True}


def test_a_game_beside_which_another_one_was_being_set_up_goes_on_as_it_stood(journal: Journal) -> None:
    home = house()
    table = after(Table(), home, *press(*["ok"] * 9), Stirred(), Settled(reading(2, 1)))
    keep(journal, table)
    journal.note(json.dumps(to_note(after(Table(), home, *press("ok", "ok")))))
    again = resume(journal, home).table
    assert (again.match, again.seats, again.answers) == (table.match, table.seats, ())
    assert view(again, home).page == view(table, home).page


@pytest.mark.parametrize("left", [5, 7])
def test_a_game_at_seats_that_are_gone_is_left_alone_and_said_so(left: int, journal: Journal) -> None:
    home, smaller = house(8, games=("free",)), house(left, games=("free",))
    at_the_end = press("ok", "ok", "ok", "less", "ok", "ok", "less", "less", "ok")  # two players, at the last two seats
    begun, _view = lived(journal, home, StillClock(), *at_the_end, *press("ok", "ok"))
    assert begun.seats == (6, 7)
    table, shown = lived(journal, smaller, StillClock())
    assert shown.page == Prompt(
        "Attention!", ("The last game does not fit the settings: a seat is gone",), Sign.TROUBLE
    )
    assert table.match is None
    assert resume(journal, home).table == begun
    _table, shown = lived(journal, smaller, StillClock(), *press("ok", "ok", "ok"))
    assert isinstance(shown.page, Choose)
    assert shown.page.title == "Player 1: name?"


def test_players_whose_seats_are_gone_are_not_offered_to_play_again(journal: Journal) -> None:
    home, smaller = house(8, games=("free",)), house(5, games=("free",))
    at_the_end = press("ok", "ok", "ok", "less", "ok", "ok", "less", "less", "ok")
    ended = press("ok", "more", "ok", "ok", "more", "ok")  # the game, and away from it
    table, _view = lived(journal, home, StillClock(), *at_the_end, *press("ok", "ok"), *ended)
    assert table.match is None
    assert resume(journal, home).table.last == table.last is not None
    assert resume(journal, smaller).table.last is None


@pytest.mark.parametrize("to", [house(5, games=("free",)), house(8, games=("roll",)), house(5, games=("cat", "roll"))])
def test_an_interrupted_set_up_asks_again_what_the_settings_no_longer_offer(to: House, journal: Journal) -> None:
    home = house(8, games=("free",))
    seven = press("ok", *["more"] * 5, "ok", *["less", "less", "ok", "less", "ok"] * 6)
    lived(journal, home, StillClock(), *seven)
    table, _view = lived(journal, to, StillClock())
    assert set(table.given) <= {"welcome"}
    for _each in range(30):
        table = after(table, to, *press("ok"))
    assert table.match is not None
    assert (table.trouble, table.notice) == ("", None)


def test_an_interrupted_set_up_keeps_what_is_still_offered_and_where_the_cursor_may_stand(journal: Journal) -> None:
    home, smaller = house(8, games=("free",)), house(5, games=("free",))
    table, _view = lived(journal, home, StillClock(), *press("ok", "ok", "ok", "less", "ok"))
    assert resume(journal, home).table == table
    assert dict(resume(journal, smaller).table.answers) == {"welcome": True, "players": 2, "name 0": "Red"}


def test_a_number_of_players_that_has_no_seats_any_more_is_not_gone_on_from(journal: Journal) -> None:
    home, smaller = house(8, games=("free",)), house(5, games=("free",))
    lived(journal, home, StillClock(), *press("ok", *["more"] * 5))
    _table, shown = lived(journal, smaller, StillClock())
    assert shown.page == Count("How many players?", 2, 1, 5, ())


@pytest.mark.parametrize("other", [(("peek",),) * 5, (("token", "choice", "peek"),) * 5])
def test_R2_a_game_on_another_board_is_left_alone_and_said_so(other: Regions, journal: Journal) -> None:
    home = house()
    table, _view = lived(journal, home, StillClock(), *press(*["ok"] * 9), Stirred(), Settled(reading(2, 1)))
    _table, shown = lived(journal, replace(home, board=Board(other)), StillClock(), *press("ok", "back"))
    assert shown.page == Choose("Menu", ("Go on",), 0)
    notice = resume(journal, replace(home, board=Board(other))).table.notice
    text = "The last game does not fit the settings: another board"
    assert notice == Prompt("Attention!", (text,), Sign.TROUBLE)
    assert resume(journal, home).table == slept(table)


def test_R2_a_game_goes_on_on_the_board_it_was_begun_on(tmp_path: Path) -> None:
    home = house(board=Board((("peek",),) * 5))
    with Journal.open(tmp_path / "journal.db", board=home.board) as journal:
        rolled = Stirred(), Settled(reading(1))
        table, _view = lived(journal, home, StillClock(), *press(*["ok"] * 9), *rolled, *press("ok"))
        again = resume(journal, home).table
    assert (again.match, again.notice) == (table.match, None)
    assert again.match is not None
    assert again.match.public["step"] == "take"


def test_an_answer_to_a_question_that_is_no_more_asked_ends_what_is_kept_of_a_set_up(journal: Journal) -> None:
    journal.new_sitting()
    journal.note(json.dumps(to_note(Table(answers=(("welcome", True), ("colour", 3), ("players", 2))))))
    assert resume(journal, house(games=("free",))).table.answers == (("welcome", True),)


def test_those_who_played_the_latest_game_are_offered_to_play_again(journal: Journal) -> None:
    for names in (["Ana", "Bo"], ["Cleo", "Dan"]):
        journal.new_sitting()
        journal.begin(json.dumps({"do": "start", "game": "free", "players": names}))
        journal.note(json.dumps(to_note(Table(seats=(0, 1)))))
    journal.new_sitting()
    journal.note(json.dumps(to_note(Table())))
    last = resume(journal, house()).table.last
    assert last is not None
    assert last.message["players"] == ["Cleo", "Dan"]


def test_a_set_up_begun_where_a_game_was_left_alone_goes_on_after_a_restart(journal: Journal) -> None:
    home = house(games=("roll",))
    lived(journal, home, StillClock(), *press(*["ok"] * 9))
    other = replace(home, board=Board((("peek",),) * 5))
    left, shown = lived(journal, other, StillClock(), *press("ok", "ok", "more", "ok", "ok", "ok"))
    assert shown.page == Choose("Red: seat?", ("Red", "Yellow", "Green", "Blue", "Pink"), 0)
    assert resume(journal, other).table == left


def test_a_game_without_a_board_goes_on_whatever_the_board_is(journal: Journal) -> None:
    home = house(games=("cat",))
    table, _view = lived(journal, home, StillClock(), *press(*["ok"] * 9))
    again = resume(journal, replace(home, board=Board((("peek",),) * 5))).table
    assert (again.match, again.notice) == (table.match, None)
