"""A table that was switched off: whatever the journal holds and whatever the settings are now, it starts again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.events import Settled, Stirred
from companion.journal import Journal
from companion.table.picture import view
from companion.table.resume import resume
from companion.table.state import Table, to_note
from companion.view import Mood
from tests.app.household import after, house, press, reading
from tests.app.test_loop import StillClock
from tests.app.test_loop_games import lived


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "journal.db") as opened:
        yield opened


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
    table = after(Table(), home, *press(*["ok"] * 8), Stirred(), Settled(reading(2, 1)), *press("more", "ok"))
    keep(journal, replace(table, sighting=reading(5, 6, shift=90)))
    again = resume(journal, home).table
    assert again == replace(table.anew(), fresh=False, stirred=False)
    assert view(again, home).ring.mood is Mood.TURN


# --- a game that the settings do not allow ---------------------------------------------------------------------------

CHESS = '{"do":"start","game":"chess","players":["Ana","Bo"]}'


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
    table = after(Table(), home, *press(*["ok"] * 8), Stirred(), Settled(reading(2, 1)))
    keep(journal, table)
    journal.note(json.dumps(to_note(after(Table(), home, *press("ok", "ok")))))
    again = resume(journal, home).table
    assert (again.match, again.seats, again.answers) == (table.match, table.seats, ())
    assert view(again, home).page == view(table, home).page
