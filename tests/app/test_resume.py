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
