"""The journal: what was accepted is on the disk before anything shows it, and comes back exactly."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, suppress
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from companion.games import RULES_VERSION
from companion.games.roll import DEFAULT, Board
from companion.journal import Entry, Journal, Kind, Record, Summary

NOON = datetime(2026, 1, 31, 12, 0, tzinfo=timezone(timedelta(hours=2)))
START = '{"do":"start","game":"roll","players":["Ana","Bo"]}'
ROLL = '{"do":"roll","dice":[3,4]}'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def open_journal(path: Path) -> Journal:
    return Journal.open(path, wall=lambda: NOON)


def latest(journal: Journal) -> Record:
    record = journal.latest()
    assert record is not None
    return record


def test_a_new_journal_is_made_with_its_folder_and_holds_nothing(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "deep" / "er" / "journal.db") as journal:
        assert journal.latest() is None
        assert journal.games() == ()


@pytest.mark.parametrize("name", ["file:x.db", ":memory:"])
def test_a_name_that_means_something_else_to_sqlite_is_a_files(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with Journal.open(Path(name)) as journal:
        journal.begin(START)
    with Journal.look(Path(name)) as journal:
        assert len(journal.games()) == 1
    assert {file.name.removesuffix(".lock") for file in tmp_path.iterdir()} <= {name, f"{name}-wal", f"{name}-shm"}


def test_however_many_presses_wait_for_an_action_none_is_looked_through_to_write_another(path: Path) -> None:
    with open_journal(path) as journal:
        journal.begin(START)
        asked: list[str] = []
        journal._database.set_trace_callback(asked.append)
        journal.note('{"press":"ok"}')
        assert not journal.sets_up()
        journal._database.set_trace_callback(None)
        told = [words for words in asked if "kind" in words and words.startswith("SELECT")]
        plans = [journal._database.execute(f"EXPLAIN QUERY PLAN {words}").fetchall() for words in told]
    assert len(plans) == 2
    assert all("INDEX spoken" in step[-1] for plan in plans for step in plan), plans


def test_a_game_comes_back_with_its_setup_start_actions_and_trailing_presses(path: Path) -> None:
    with open_journal(path) as journal:
        journal.new_sitting()
        journal.note('{"press":"ok"}')
        journal.begin(START)
        journal.append(ROLL, 1.5)
        journal.note('{"press":"more"}', 2.25)
        journal.note('{"press":"less"}', 2.5)
    with open_journal(path) as journal:
        record = latest(journal)
    entries = (
        Entry(0, Kind.PRESS, 0.0, '{"press":"ok"}'),
        Entry(1, Kind.START, 0.0, START),
        Entry(2, Kind.ACTION, 1.5, ROLL),
        Entry(3, Kind.PRESS, 2.25, '{"press":"more"}'),
        Entry(4, Kind.PRESS, 2.5, '{"press":"less"}'),
    )
    assert record == Record(1, "2026-01-31T10:00:00+00:00", RULES_VERSION, entries)
    assert record.start == START
    assert record.actions == entries[2:3]
    assert record.presses == entries[3:]
    assert record.finish is None
    assert record.last_at_s == 2.5


def test_before_the_start_all_presses_are_the_dialogue_to_resume(path: Path) -> None:
    with open_journal(path) as journal:
        journal.new_sitting()
        journal.note("{}")
        record = latest(journal)
        assert (record.start, record.presses) == (None, (Entry(0, Kind.PRESS, 0.0, "{}"),))
        assert journal.games() == ()


def test_presses_before_an_action_no_longer_count(path: Path) -> None:
    with open_journal(path) as journal:
        journal.begin(START)
        journal.note("{}")
        journal.append(ROLL, 1)
        record = latest(journal)
    assert record.presses == ()


def test_lines_are_protocol_lines_with_the_time_they_happened(path: Path) -> None:
    timed = '{"do":"accept","at":4}'
    with open_journal(path) as journal:
        journal.begin(START, 0.5)
        journal.note("{}", 1)
        journal.append(ROLL, 3)
        journal.append(timed, 4)
        record = journal.read(1)
    assert [json.loads(line) for line in record.lines] == [
        {**json.loads(START), "at": 0.5},
        {"do": "roll", "dice": [3, 4], "at": 3.0},
        {"do": "accept", "at": 4},
    ]


def test_lines_are_added_to_the_unfinished_game_after_opening_again(path: Path) -> None:
    with open_journal(path) as journal:
        journal.begin(START)
    with open_journal(path) as journal:
        journal.append(ROLL, 1)
        assert [entry.line for entry in journal.read(1).actions] == [ROLL]


def test_a_finished_game_is_not_continued_but_an_undo_after_the_end_opens_it_again(path: Path) -> None:
    with open_journal(path) as journal:
        journal.begin(START)
        journal.finish('{"winners":[0]}', 9)
        assert latest(journal).finish == '{"winners":[0]}'
        journal.append('{"do":"undo"}', 10)
        assert latest(journal).finish is None


def test_a_finished_game_is_opened_again_by_an_undo_even_after_a_restart(path: Path) -> None:
    with open_journal(path) as journal:
        number = journal.begin(START)
        journal.append(ROLL, 1)
        journal.finish("{}")
    with open_journal(path) as journal:
        assert latest(journal).finish == "{}"
        journal.append('{"do":"undo"}', 2)
        record = latest(journal)
        assert (record.number, record.finish) == (number, None)


def test_what_is_written_together_is_there_as_a_whole_or_not_at_all(path: Path) -> None:
    with open_journal(path) as journal:
        number = journal.begin(START)
        with suppress(InterruptedError), journal.together():
            journal.append(ROLL, 1)
            journal.new_sitting()
            raise InterruptedError
        with journal.together():
            journal.append(ROLL, 2)
            journal.note("{}")
        record = latest(journal)
        assert record.number == number
        assert [entry.at_s for entry in record.actions] == [2.0]


def test_a_new_sitting_lets_the_presses_of_those_before_go_but_the_last(path: Path) -> None:
    with open_journal(path) as journal:
        journal.new_sitting()
        journal.note("1")
        journal.begin(START)
        for at_s in range(5):
            journal.note("{}", at_s)
            journal.append(ROLL, at_s)
        journal.note('"seats"', 5)
        journal.note('"last"', 6)
        whole = journal.read(1)
        journal.new_sitting()
        journal.note('"new"')
        kept = journal.read(1)
        assert kept.lines == whole.lines
        assert [entry.line for entry in kept.entries if entry.kind is Kind.PRESS] == ['"last"']
        journal.begin(START)
        assert [entry.line for entry in journal.read(2).entries] == ['"new"', START]


def test_only_the_latest_sitting_is_continued(path: Path) -> None:
    with open_journal(path) as journal:
        journal.begin(START)
        journal.begin(START)
        journal.finish("{}")
        assert (latest(journal).number, latest(journal).finish) == (2, "{}")


def test_games_are_listed_in_order_with_what_became_of_them(path: Path) -> None:
    with open_journal(path) as journal:
        journal.begin(START)
        journal.append(ROLL, 1)
        journal.append('{"do":"undo"}', 7.5)
        journal.finish('{"winners":[1]}', 8)
        journal.begin(START)
        journal.note("{}", 3)
        journal.new_sitting()
        games = journal.games()
    opened = "2026-01-31T10:00:00+00:00"
    assert games == (
        Summary(1, opened, RULES_VERSION, START, 2, 8.0, '{"winners":[1]}'),
        Summary(2, opened, RULES_VERSION, START, 0, 3.0, None),
    )


def test_C9_a_game_lasts_from_its_start_whenever_it_was_set_up(path: Path) -> None:
    with open_journal(path) as journal:
        journal.new_sitting()
        journal.note("{}", 7200)
        setting_up = latest(journal)
        journal.begin(START)
        journal.append(ROLL, 61)
        record, games = latest(journal), journal.games()
    assert (setting_up.last_at_s, record.last_at_s, games[0].last_at_s) == (7200, 61, 61)


def test_a_game_lasts_to_its_end_however_long_the_table_is_left_on_after_that(path: Path) -> None:
    with open_journal(path) as journal:
        journal.begin(START)
        journal.append(ROLL, 61)
        journal.finish("{}", 61)
        journal.note("{}", 43200)
        finished = journal.games()[0].last_at_s
        journal.append('{"do":"undo"}', 43260)
        journal.note("{}", 43270)
        (reopened,) = journal.games()
    assert (finished, reopened.last_at_s, reopened.finish) == (61, 43270, None)


def test_an_unknown_game_is_a_key_error(path: Path) -> None:
    with open_journal(path) as journal, pytest.raises(KeyError):
        journal.read(7)


def test_an_entry_is_one_line(path: Path) -> None:
    with open_journal(path) as journal, pytest.raises(ValueError, match="one line"):
        journal.begin("{}\n{}")


def test_names_of_all_scripts_come_back_as_they_were(path: Path) -> None:
    start = json.dumps({"do": "start", "players": ["Åse", "\0", "📣", 'q"\\'], "game": "roll"}, ensure_ascii=False)
    with open_journal(path) as journal:
        journal.begin(start)
    with open_journal(path) as journal:
        assert journal.read(1).start == start


def test_the_daemon_and_a_reader_use_it_at_once(path: Path) -> None:
    with open_journal(path) as journal:
        journal.begin(START)
        with Journal.look(path) as reader:
            journal.append(ROLL, 1)
            assert reader.read(1) == journal.read(1)


def test_a_journal_that_came_back_from_a_copy_is_written_ahead_again(path: Path) -> None:
    """Else whoever reads it keeps the table waiting."""
    with open_journal(path) as journal:
        journal.begin(START)
    with closing(sqlite3.connect(path)) as copied:
        assert copied.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)
    with open_journal(path) as journal:
        assert journal._database.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_every_commit_is_synced_and_no_line_is_ever_changed_or_deleted(path: Path) -> None:
    with open_journal(path) as journal:
        journal.begin(START)
        assert journal._database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert journal._database.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
    with closing(sqlite3.connect(path)) as database:
        for change in (
            "UPDATE entries SET line = ''",
            "DELETE FROM entries WHERE seq = 0",
            "UPDATE sittings SET rules = 0",
        ):
            with pytest.raises(sqlite3.IntegrityError, match="only grows"):
                database.execute(change)


def test_a_game_knows_the_board_it_was_played_on(path: Path) -> None:
    odd = Board((("peek",), ("choice", "choice"), ("token",), ("peek",), ("token", "peek")))
    with Journal.open(path, board=odd) as journal:
        journal.begin(START)
    with Journal.open(path) as journal:
        journal.begin(START)
        assert [journal.read(number).board for number in (1, 2)] == [odd, DEFAULT]


def test_a_game_that_was_set_up_before_the_board_was_changed_knows_the_one_it_is_played_on(path: Path) -> None:
    with Journal.open(path, board=Board((("peek",),) * 5)) as journal:
        journal.new_sitting()
        journal.note("{}")
    with Journal.open(path) as journal:
        record = journal.read(journal.begin(START))
    assert (record.number, record.board, record.start) == (2, DEFAULT, START)


def test_a_game_that_was_set_up_long_ago_bears_the_time_of_its_start(path: Path) -> None:
    later = NOON + timedelta(days=60)
    with open_journal(path) as journal:
        journal.begin(START)
        number = journal.new_sitting()
        journal.note('{"press":"ok"}')
        journal.note('{"press":"more"}')
    with Journal.open(path, wall=lambda: later) as journal:
        assert journal.begin(START) == number
        journal.append(ROLL, 1.5)
    with open_journal(path) as journal:
        first, second = (journal.read(game.number) for game in journal.games())
    assert (first.opened, second.opened) == ("2026-01-31T10:00:00+00:00", "2026-04-01T10:00:00+00:00")
    assert [entry.line for entry in second.entries] == ['{"press":"ok"}', '{"press":"more"}', START, ROLL]


def test_a_start_that_is_not_kept_leaves_its_set_up_as_it_was(path: Path) -> None:
    with open_journal(path) as journal:
        journal.new_sitting()
        journal.note('{"press":"ok"}')
        before = journal.latest()
    with Journal.open(path, wall=lambda: NOON + timedelta(days=60)) as journal:
        with suppress(ZeroDivisionError), journal.together():
            journal.begin(START)
            raise ZeroDivisionError
        assert journal.latest() == before


def test_close_twice_is_harmless(path: Path) -> None:
    journal = open_journal(path)
    journal.close()
    journal.close()


def test_a_game_that_begins_while_its_set_up_is_read_is_read_as_it_was(path: Path) -> None:
    with open_journal(path) as journal, Journal.look(path) as reader:
        journal.new_sitting()
        journal.note('{"press":"ok"}')

        def begun_meanwhile(statement: str) -> None:
            if "FROM entries" in statement:
                reader._database.set_trace_callback(None)
                journal.begin(START)

        reader._database.set_trace_callback(begun_meanwhile)
        assert [entry.kind for entry in reader.read(1).entries] == [Kind.PRESS]
        assert [entry.kind for entry in reader.read(1).entries] == [Kind.PRESS, Kind.START]
