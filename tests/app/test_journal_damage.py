"""A damaged journal: what is sound of it stays, what became of it is told, and the table plays on."""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self

import pytest

from companion.events import Fact, Knocked, Press, Settled, Stirred
from companion.games.roll import Board
from companion.journal import (
    Journal,
    JournalCorrupt,
    JournalError,
    JournalFull,
    JournalOutOfReach,
    Kind,
    NotAJournal,
    Record,
    Salvage,
    kept_aside,
    mend,
    open_telling,
    schema,
)
from companion.journal.salvage import LINES, _Reading, _rows, sound
from companion.loop import Loop, Outlets, places
from companion.table.picture import view
from companion.table.resume import resume
from companion.table.state import Table
from companion.view import Mood, Prompt, Sign
from hardware.clock import SystemClock
from tests.app.household import after, house, press, reading

WHEN = datetime(2026, 1, 31, 12, 0, 5, tzinfo=UTC)
START = '{"do":"start","game":"free","players":["Ana"]}'
HOME = house()
MENDED = Prompt("Games damaged", ("Look at the game, please",), Sign.TROUBLE)
LOST = Prompt("Saved games lost", ("The old file is kept",), Sign.TROUBLE)


def roll(number: int) -> str:
    return json.dumps({"do": "roll", "dice": [1 + number % 6], "number": number})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def played(path: Path) -> Path:
    """A game of 9 rolls that ended, and one of 20 that did not, with a note after each roll."""
    with Journal.open(path) as journal:
        journal.begin(START)
        for number in range(9):
            journal.append(roll(number), number)
        journal.finish("{}", 9)
        journal.begin(START)
        for number in range(100, 120):
            journal.append(roll(number), number)
            journal.note(json.dumps({"after": number}), number)
    return path


def flip(path: Path, text: str, other: str) -> None:
    content = path.read_bytes()
    assert content.count(text.encode()) == 1
    path.write_bytes(content.replace(text.encode(), other.encode()))


def rewrite(path: Path, change: str) -> None:
    """Changes lines as damage does: what guards them lets it, and is there as before."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        (guard,) = database.execute("SELECT sql FROM sqlite_master WHERE name = 'entries_stay'").fetchone()
        database.executescript(f"DROP TRIGGER entries_stay; {change}; {guard}")


def records(path: Path) -> list[Record]:
    with Journal.look(path) as journal:
        return [journal.read(game.number) for game in journal.games()]


def opened(path: Path) -> tuple[list[str], Prompt | None]:
    """What a daemon that opens the journal tells on its log, and on its screen."""
    told: list[str] = []
    with open_telling(path, told.append, wall=lambda: WHEN) as journal:
        found = resume(journal, HOME).table.notice if journal.mended is not None else None
    return told, found


# -- what stays


def test_of_a_game_with_a_broken_line_those_before_it_stay_and_other_games_whole(played: Path) -> None:
    first, second = records(played)
    flip(played, '"number": 110', '"number": 111')
    damaged = played.read_bytes()
    told: list[str] = []
    with open_telling(played, told.append, wall=lambda: WHEN) as journal:
        cut = journal.latest()
        assert cut is not None
        assert cut == replace(second, entries=second.entries[:21])  # the start, 10 rolls, 10 notes
        journal.append(roll(110), 200)
    aside = played.with_name("journal.db.corrupt-2026-01-31T120005")
    assert records(played)[0] == first
    assert aside.read_bytes() == damaged
    assert kept_aside(played) == (aside,)
    assert told == [
        f"journal {played}: it is damaged (the lines of game 2 were changed)",
        f"the damaged journal is kept as {aside}; 2 games are carried into a new one, game 2 up to its line 11",
    ]


def test_of_a_journal_that_was_mended_only_counts_are_kept_in_mind(played: Path) -> None:
    flip(played, '"number": 110', '"number": 111')
    aside = played.with_name("journal.db.corrupt-2026-01-31T120005")
    assert mend(played, WHEN) == Salvage(aside, carried=2, games=2, cut=((2, 11),))


def test_a_broken_press_alone_costs_nothing_else(played: Path) -> None:
    _, second = records(played)
    flip(played, '{"after": 119}', '{"after": 118}')
    told, _ = opened(played)
    assert records(played)[1] == replace(second, entries=second.entries[:-1])
    assert told[1].endswith("; 2 games are carried into a new one")


def test_a_game_whose_start_is_broken_is_not_carried_but_the_others_are(played: Path) -> None:
    first, _ = records(played)
    rewrite(played, "UPDATE entries SET line = replace(line, 'Ana', 'Eve') WHERE sitting = 2 AND kind = 'start'")
    told, _ = opened(played)
    assert records(played) == [first]
    assert told[1].endswith("; one game is carried into a new one; of game 2 nothing is sound")


def test_a_game_of_which_only_what_was_pressed_before_it_is_sound_is_named_as_lost(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.new_sitting()
        journal.note('{"seats": []}')
        journal.begin(START)
        journal.append(roll(1), 1)
        journal.new_sitting()
        journal.note('{"seats": []}')
    rewrite(path, "UPDATE entries SET line = replace(line, 'Ana', 'Eve') WHERE kind = 'start'")
    assert str(mend(path, WHEN)).endswith("; 0 games are carried into a new one; of game 1 nothing is sound")


def test_a_sitting_that_was_no_game_is_not_named_as_a_lost_one(played: Path) -> None:
    with Journal.open(played) as journal:
        journal.new_sitting()
        journal.note('{"seats": []}')
    rewrite(played, "UPDATE entries SET line = '{}' WHERE sitting = 3")
    assert mend(played, WHEN).lost == ()


@pytest.mark.parametrize(
    ("lost", "named"),
    [
        (2, "; of games 1, 2 nothing is sound"),
        (8, "; of games 1, 2, 3, 4, 5, 6, 7, 8 nothing is sound"),
        (9, "; of 9 games nothing is sound"),
    ],
)
def test_many_games_that_are_lost_are_counted(path: Path, lost: int, named: str) -> None:
    with Journal.open(path) as journal:
        for _ in range(lost + 1):
            journal.begin(START)
    rewrite(path, f"UPDATE entries SET line = replace(line, 'Ana', 'Eve') WHERE sitting <= {lost}")
    assert str(mend(path, WHEN)).endswith(f"; one game is carried into a new one{named}")


def test_a_game_whose_head_is_gone_is_named_but_no_number_that_damage_made(played: Path) -> None:
    with closing(sqlite3.connect(played, isolation_level=None)) as database:
        database.executescript("DROP TRIGGER sittings_last; DELETE FROM sittings WHERE number = 1")
        for line in ("action", "start"):
            database.execute("INSERT INTO entries VALUES (?, 1, ?, 0, '{}', '')", (7 if line == "start" else 9, line))
    assert mend(played, WHEN).lost == (1,)


def test_a_new_game_after_that_follows_the_numbers_of_those_kept(played: Path) -> None:
    flip(played, '"number": 110', '"number": 111')
    with open_telling(played, lambda _text: None) as journal:
        assert journal.begin(START) == 3
    with Journal.open(played) as journal:
        assert [game.actions for game in journal.games()] == [9, 10, 0]


def is_beginning(found: Record, whole: Record) -> bool:
    """Whether no line of the game is other than it was; presses may be missing."""
    spoken = [entry for entry in found.entries if entry.kind is not Kind.PRESS]
    wanted = [entry for entry in whole.entries if entry.kind is not Kind.PRESS]
    return spoken == wanted[: len(spoken)] and set(found.entries) <= set(whole.entries)


@pytest.mark.parametrize("burst", [1, 40])
def test_wherever_bytes_are_flipped_the_table_opens_and_no_line_is_another(
    played: Path, tmp_path: Path, burst: int
) -> None:
    whole, sound, chance = (
        played.read_bytes(),
        {record.number: record for record in records(played)},
        random.Random(burst),
    )
    mended = 0
    for number in range(60):
        path = tmp_path / str(number) / "journal.db"
        path.parent.mkdir()
        flipped = bytearray(whole)
        place = chance.randrange(100, len(whole) - burst)  # the header's damage has tests of its own
        for at in range(place, place + burst):
            flipped[at] ^= 1 << chance.randrange(8)
        path.write_bytes(bytes(flipped))
        with open_telling(path, lambda _text: None) as journal:
            mended += journal.mended is True
            for game in journal.games():
                with suppress(JournalCorrupt):  # an old game's damage stops nobody
                    assert is_beginning(journal.read(game.number), sound[game.number])
        shutil.rmtree(path.parent)
    assert mended > 3


@pytest.mark.parametrize(
    ("key", "other", "kept", "cut"),
    [
        (b"\x02\x10press", b"\x42\x10press", 20, ""),
        (b"\x02\x10press", b"\x02\x50press", 20, ""),
        (b"\x02\x0faction", b"\x03\x0faction", 7, ", game 2 up to its line 8"),
        (b"\x02\x0faction", b"\x02\x0eaction", 7, ", game 2 up to its line 8"),
    ],
    ids=["a press of no game", "a press out of order", "a line of no game", "two lines in one place"],
)
def test_of_a_game_with_a_key_damaged_nothing_is_lost_without_a_word_and_what_is_played_on_stays(
    played: Path, key: bytes, other: bytes, kept: int, cut: str
) -> None:
    first, second = records(played)
    content = played.read_bytes()
    assert content.count(key) == 1
    played.write_bytes(content.replace(key, other))
    told: list[str] = []
    with open_telling(played, told.append) as journal:
        journal.append(roll(500), 500)
    assert told[1].endswith(f"; 2 games are carried into a new one{cut}")
    with open_telling(played, told.append) as journal:
        again = journal.read(2)
    assert len(told) == 2
    assert [entry.line for entry in again.actions] == [entry.line for entry in second.actions[:kept]] + [roll(500)]
    assert records(played)[0] == first


@pytest.mark.parametrize("number", [1, 5], ids=["of another", "of none"])
def test_of_a_game_whose_number_is_damaged_no_line_is_lost(path: Path, number: int) -> None:
    hours = iter(range(9))
    with Journal.open(path, wall=lambda: WHEN + timedelta(hours=next(hours))) as journal:
        for game in range(2):
            journal.begin(START)
            journal.append(roll(game), 1)
    whole, content = records(path), path.read_bytes()
    at = content.index(whole[1].opened.encode()) - 7  # the number stands before a head of six bytes
    assert content[at] == 2
    path.write_bytes(content[:at] + bytes([number]) + content[at + 1 :])
    told, _ = opened(path)
    assert told[1].endswith("; 2 games are carried into a new one")
    assert records(path) == whole


def test_whatever_page_lies_in_anothers_place_it_is_noticed_or_the_game_can_be_played_on(
    played: Path, tmp_path: Path
) -> None:
    whole, sound = played.read_bytes(), {record.number: record for record in records(played)}
    pages, noticed = range(len(whole) // 4096), 0
    path = tmp_path / "other" / "journal.db"
    for place, taken in ((place, taken) for place in pages[1:] for taken in pages if taken != place):
        path.parent.mkdir()
        path.with_name("journal.db.lock").touch()
        page = whole[taken * 4096 : (taken + 1) * 4096]
        path.write_bytes(whole[: place * 4096] + page + whole[(place + 1) * 4096 :])
        with open_telling(path, lambda _text: None) as journal:
            noticed += journal.mended is not None
            journal.begin(START)
            journal.append(roll(500), 500)
            for game in journal.games()[:-1]:
                with suppress(JournalCorrupt):  # an old game's damage stops nobody
                    assert is_beginning(journal.read(game.number), sound[game.number])
        shutil.rmtree(path.parent)
    assert noticed > 10


def test_a_page_that_cannot_be_read_hides_none_of_the_games_beyond(path: Path) -> None:
    with Journal.open(path) as journal:
        for game in range(40):
            journal.begin(START)
            for number in range(8):
                journal.append(roll(1000 + 10 * game + number), number)
    whole = {record.number: record for record in records(path)}
    content = path.read_bytes()
    page = content.index(b'"number": 1203') // 4096  # in the middle of game 21
    path.write_bytes(content[: page * 4096] + bytes(4096) + content[(page + 1) * 4096 :])
    told, _ = opened(path)
    found = records(path)
    assert {1, 17, 24, 40} < {record.number for record in found}
    assert all(is_beginning(record, whole[record.number]) for record in found)
    assert sum(len(record.actions) for record in found) > 270
    assert "games are carried into a new one, game" in told[1]


def many_games(path: Path, games: int) -> dict[int, Record]:
    with Journal.open(path) as journal, journal.together():
        for game in range(games):
            journal.begin(START)
            for number in range(8):
                journal.append(roll(1000 + 10 * game + number), number)
    return {record.number: record for record in records(path)}


def test_beside_pages_that_cannot_be_read_every_game_that_is_not_on_them_stays_whole(path: Path) -> None:
    """Those before, behind and between."""
    whole, content = many_games(path, 40), path.read_bytes()
    lost = [content.index(b'"number": %d' % number) // 4096 * 4096 for number in (1133, 1263)]
    spoilt = b"".join(content[page : page + 4096] for page in lost)
    for page in lost:
        content = content[:page] + bytes(4096) + content[page + 4096 :]
    path.write_bytes(content)
    torn = {n for n, record in whole.items() if any(entry.line.encode() in spoilt for entry in record.actions)}
    opened(path)
    found = {record.number: record for record in records(path)}
    assert 4 < len(torn) < 16
    assert {number: found.get(number) for number in whole.keys() - torn} == {
        number: record for number, record in whole.items() if number not in torn
    }


def test_a_journal_is_mended_game_by_game_and_tells_how_far_it_has_come(path: Path) -> None:
    many_games(path, 5)
    told: list[tuple[int, int]] = []
    came = [(sitting.number, told[-1]) for sitting in sound(path, lambda *far: told.append(far))]
    assert came == [(1, (0, 5)), (2, (1, 5)), (3, (2, 5)), (4, (3, 5)), (5, (4, 5))]
    assert told == [*[(0, 5)] * 5, (1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]


@pytest.mark.parametrize("fill", [b"\x00", b"\xff"], ids=["zero", "ones"])
def test_whatever_part_of_512_bytes_is_lost_the_table_opens_and_no_line_is_another(path: Path, fill: bytes) -> None:
    """SQLite 3.40 asks for more memory than there is when its keys are checked where the part from 14848 is ones."""
    with Journal.open(path) as journal:
        journal.new_sitting()
        for number in range(3):
            journal.note(json.dumps({"p": number}))
        journal.begin(json.dumps({"start": "roll", "n": "x" * 100}))
        for number in range(12):
            journal.append(json.dumps({"do": number, "t": "y" * 50}), number)
        journal.note(json.dumps({"q": 1}), 20)
    (whole,), content = records(path), path.read_bytes()
    damaged, kept = 0, 0
    for part in range(0, len(content), 512):
        path.write_bytes(content[:part] + fill * 512 + content[part + 512 :])
        with open_telling(path, lambda _text: None) as journal:
            damaged += journal.mended is not None
            for game in journal.games():
                found = journal.read(game.number)
                assert is_beginning(found, whole)
                kept += len(found.entries) > 0
    assert (damaged > 10, kept > 20) == (True, True)


def test_a_length_beyond_memory_ends_what_is_read_and_not_what_was(
    played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Short:
        """Rows of which the third has a length that damage made."""

        def execute(self, _query: str, _values: object = ()) -> Self:
            return self

        def __iter__(self) -> Iterator[tuple[int]]:
            yield from ((1,), (2,))
            raise MemoryError

        def fetchall(self) -> list[tuple[int]]:
            return list(self)

    assert _rows(Short(), "") == ({(1,): None, (2,): None}, False)  # type: ignore[arg-type]
    with Journal.open(played) as journal:
        monkeypatch.setattr(journal, "_database", Short())
        with pytest.raises(JournalCorrupt, match="a length in it is beyond all measure"):
            journal.games()


def test_a_line_longer_than_sqlite_reads_is_damage(played: Path) -> None:
    with Journal.open(played) as journal:
        journal._database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 40)
        with pytest.raises(JournalCorrupt, match="too big"):
            journal.read(1)


def everything_is_carried(path: Path, what: str) -> None:
    whole = records(Path(f"{path}.whole"))
    with pytest.raises(JournalCorrupt, match=what):
        Journal.look(path)
    told: list[str] = []
    with open_telling(path, told.append) as journal:
        assert told[1].endswith("; 2 games are carried into a new one")
        assert [journal.read(number) for number in (1, 2)] == whole
        journal.new_sitting()
        journal.begin(START)


CHANGED = "its tables or what guards them were changed"


@pytest.mark.parametrize(
    ("words", "others", "what"),
    [
        ("WHEN old.kind <> 'press'", "WHEN old.kine <> 'press'", CHANGED),
        ("WHEN old.kind <> 'press'", "WHEN old.kind <> 'qress'", CHANGED),
        ("sittings_last BEFORE DELETE ON", "sittings_last BEFORE INSERT ON", CHANGED),
        ("sqlite_sequence(name,seq)", "sqlite_sequence(name,req)", CHANGED),
        ("entries_stay BEFORE UPDATE", "entries_stay BEFOSE UPDATE", "malformed"),
        ("spoken ON entries (sitting, seq) WHERE", "spoken ON entries (sitting, seq) WHEVE", "malformed"),
    ],
)
def test_damage_that_would_be_met_only_on_writing_is_noticed_before_and_costs_no_game(
    played: Path, words: str, others: str, what: str
) -> None:
    shutil.copy(played, f"{played}.whole")
    flip(played, words, others)
    everything_is_carried(played, what)


@pytest.mark.parametrize("versions", [(3, 2), (0, 2), (2, 0), (2, 1), (2, 6), (255, 255)])
def test_a_header_that_names_versions_which_there_are_not_costs_no_game_nor_the_newest_lines(
    played: Path, versions: tuple[int, int]
) -> None:
    with Journal.open(played) as journal:
        journal.append(roll(500), 500)
        for ending in ("", "-wal"):
            shutil.copy(f"{played}{ending}", f"{played}.whole{ending}")
    whole = Path(f"{played}.whole")
    damaged = bytearray(whole.read_bytes())
    damaged[18:20] = versions
    played.write_bytes(bytes(damaged))
    shutil.copy(f"{whole}-wal", f"{played}-wal")
    everything_is_carried(played, "its header names another version")


def test_a_journal_that_another_program_copied_or_put_something_into_is_as_good_as_any(played: Path) -> None:
    whole = records(played)
    copy = played.with_name("copy.db")
    with closing(sqlite3.connect(played)) as database:
        database.executescript(f"CREATE TABLE mine (note); ANALYZE; VACUUM INTO '{copy}'")
    assert copy.read_bytes()[18:20] == b"\x01\x01"
    assert records(copy) == whole
    with open_telling(copy, lambda _text: None) as journal:
        assert journal.mended is None
        journal.append(roll(500), 500)


def test_presses_go_also_from_a_journal_that_was_made_before_they_might(played: Path) -> None:
    whole = records(played)
    with closing(sqlite3.connect(played, isolation_level=None)) as database:
        database.executescript(f"DROP TRIGGER entries_last; {schema.ENTRIES_LAST_ONCE}")
    assert records(played) == whole
    with open_telling(played, lambda _text: None) as journal:
        journal.begin(START)
        assert journal.mended is None
        assert [entry.line for entry in journal.read(2).entries if entry.kind is Kind.PRESS] == ['{"after": 119}']
        with pytest.raises(sqlite3.IntegrityError, match="a journal only grows"):
            journal._database.execute("DELETE FROM entries WHERE kind = 'action'")


def test_where_sqlite_cannot_read_the_file_it_is_kept_and_a_new_one_begun(played: Path) -> None:
    content = played.read_bytes()
    played.write_bytes(content[:100] + bytes(len(content) - 100))
    told, notice = opened(played)
    aside = played.with_name("journal.db.corrupt-2026-01-31T120005")
    assert told[1] == f"the damaged journal is kept as {aside}; nothing in it is sound, and a new one is begun"
    assert notice == LOST
    assert records(played) == []


@pytest.mark.parametrize(
    ("begin", "end", "fill"),
    [(0, 4096, b"\x00"), (0, 4096, b"\xff"), (0, 512, b"\x00"), (16, 100, b"\x00"), (0, 40_960, b"\x00")],
    ids=["first page zero", "first page ones", "first sector zero", "header zero", "all zero"],
)
def test_a_journal_whose_beginning_is_blank_is_kept_and_a_new_one_begun(
    played: Path, begin: int, end: int, fill: bytes
) -> None:
    played.with_name("journal.db.lock").unlink()  # as one that was copied here
    content = played.read_bytes()
    damaged = content[:begin] + fill * (min(end, len(content)) - begin) + content[end:]
    played.write_bytes(damaged)
    told, notice = opened(played)
    aside = played.with_name("journal.db.corrupt-2026-01-31T120005")
    assert told == [
        f"journal {played}: it is damaged (its beginning is blank)",
        f"the damaged journal is kept as {aside}; nothing in it is sound, and a new one is begun",
    ]
    assert notice == LOST
    assert aside.read_bytes() == damaged


def test_a_journal_that_ends_within_its_header_is_a_damaged_one(played: Path) -> None:
    played.with_name("journal.db.lock").unlink()  # as one that was copied here
    for ending in ("-wal", "-shm"):
        played.with_name(played.name + ending).unlink(missing_ok=True)
    played.write_bytes(played.read_bytes()[:60])
    told, notice = opened(played)
    assert told[0] == f"journal {played}: it is damaged (it was cut short)"
    assert notice == LOST


@pytest.mark.parametrize(
    ("begin", "end", "what"),
    [(0, 4096, "it is another kind of file"), (68, 72, "it is the database of another program")],
    ids=["first page", "its mark"],
)
def test_where_a_companion_wrote_a_journal_whatever_lies_there_now_is_a_damaged_one(
    played: Path, begin: int, end: int, what: str
) -> None:
    content = played.read_bytes()
    damaged = content[:begin] + random.Random(3).randbytes(end - begin) + content[end:]
    played.write_bytes(damaged)
    told, _ = opened(played)
    assert told[0] == f"journal {played}: it is damaged ({what})"
    assert played.with_name("journal.db.corrupt-2026-01-31T120005").read_bytes() == damaged


@pytest.mark.parametrize("lock", [None, "held by another program"])
def test_a_file_that_no_companion_wrote_is_never_set_aside(path: Path, lock: str | None) -> None:
    path.write_text("my shopping list")
    if lock is not None:
        path.with_name("journal.db.lock").write_text(lock)
    with pytest.raises(NotAJournal):
        open_telling(path, lambda _text: None)
    assert path.read_text() == "my shopping list"
    assert kept_aside(path) == ()


# -- what may happen meanwhile


@pytest.mark.parametrize("moved", range(5))
def test_a_power_cut_while_a_journal_is_mended_loses_nothing(
    played: Path, moved: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The power fails before the first, the second … file is moved."""
    flip(played, '"number": 110', '"number": 111')
    cut_short(played, moved, monkeypatch)
    opened(played)
    with Journal.open(played) as journal:
        assert journal.mended
    assert [len(record.actions) for record in records(played)] == [9, 10]
    assert not played.with_name("journal.db.saved").exists()


@pytest.mark.parametrize("moved", range(5))
def test_a_power_cut_while_a_journal_gives_way_in_which_nothing_is_sound_keeps_nobody_from_being_told(
    played: Path, moved: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    played.write_bytes(bytes(played.stat().st_size))
    cut_short(played, moved, monkeypatch)
    assert opened(played)[1] == LOST
    assert records(played) == []


def cut_short(path: Path, moved: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mends a journal until so many files were moved."""
    left = [None] * moved
    whole_rename, whole_replace = Path.rename, Path.replace

    def cut() -> None:
        if not left:
            raise InterruptedError
        left.pop()

    with monkeypatch.context() as failing, suppress(InterruptedError, JournalError):
        failing.setattr(Path, "rename", lambda file, to: (cut(), whole_rename(file, to))[1])
        failing.setattr(Path, "replace", lambda file, to: (cut(), whole_replace(file, to))[1])
        mend(path, WHEN)


def test_who_could_write_a_damaged_journal_can_write_the_one_in_its_place(
    played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root may mend the journal of the service."""
    given: list[tuple[str, int, int]] = []
    monkeypatch.setattr(os, "chown", lambda file, *to, follow_symlinks: given.append((file.name, *to)))
    played.chmod(0o660)
    owner = played.stat()
    flip(played, '"number": 110', '"number": 111')
    opened(played)
    assert played.stat().st_mode & 0o777 == 0o660
    assert given == [(f"journal.db.{part}", owner.st_uid, owner.st_gid) for part in ("lock", "saved")]


def test_no_room_to_mend_it_leaves_the_damaged_journal_where_it_is(
    played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flip(played, '"number": 110', '"number": 111')
    damaged = played.read_bytes()

    def no_room(path: Path, _carried: object) -> None:
        raise JournalFull(path, "the disk is full", "free some space")

    told: list[str] = []
    with monkeypatch.context() as full:
        full.setattr("companion.journal.schema.create", no_room)
        with pytest.raises(JournalFull):
            open_telling(played, told.append)
    assert (played.read_bytes(), told) == (damaged, [])


def test_a_disk_that_fails_while_a_journal_is_mended_costs_no_game(
    played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second time that the lines are read it gives but the first three."""
    flip(played, '"number": 110', '"number": 111')
    damaged, whole, times = played.read_bytes(), _Reading.__iter__, [2]

    def failing(reading: _Reading) -> Iterator[tuple[object, ...]]:
        rows = list(whole(reading))
        times[0] -= reading._query == LINES
        reading.are_all = reading.are_all and times[0] > 0
        yield from rows if times[0] > 0 else rows[:3]

    with monkeypatch.context() as unsteady:
        unsteady.setattr(_Reading, "__iter__", failing)
        with pytest.raises(JournalOutOfReach, match="Input/output error"):
            open_telling(played, lambda _text: None)
    assert played.read_bytes() == damaged
    opened(played)
    assert [len(record.actions) for record in records(played)] == [9, 10]


def test_a_log_without_its_journal_is_not_taken_for_a_new_ones(tmp_path: Path) -> None:
    other, path = tmp_path / "other" / "journal.db", tmp_path / "journal.db"
    with Journal.open(other) as journal:
        journal.begin(START)
        shutil.copy(f"{other}-wal", f"{path}-wal")
    with Journal.open(path, wall=lambda: WHEN) as journal:
        assert journal.games() == ()
    assert path.with_name("journal.db.corrupt-2026-01-31T120005-wal").exists()


def test_where_a_journal_was_removed_after_somebody_looked_at_it_nothing_is_called_corrupt(played: Path) -> None:
    with Journal.look(played):
        pass
    assert played.with_name("journal.db-shm").exists()
    played.unlink()
    with Journal.open(played, wall=lambda: WHEN) as journal:
        assert journal.games() == ()
    assert sorted(file.name for file in played.parent.iterdir()) == ["journal.db", "journal.db.lock"]


# -- the table


def begun_game(journal: Journal) -> Table:
    """A game of two whose first player rolled and moved, as the loop wrote it."""
    home, outlets = HOME, Outlets(lambda *_: None)
    loop = Loop(resume(journal, home), house=home, journal=journal, clock=SystemClock(), outlets=outlets)
    for fact in (*press("ok") * 9, Stirred(), Settled(reading(2, 3)), *press("ok")):
        loop.put(fact)
    loop.stop()
    loop.run()
    return loop.table


def said_at_start(path: Path, *facts: Fact) -> Prompt | None:
    """What a daemon says first, before it decides on some facts and ends."""
    with open_telling(path, lambda _text: None) as journal:
        outlets = Outlets(lambda *_: None)
        loop = Loop(resume(journal, HOME), house=HOME, journal=journal, clock=SystemClock(), outlets=outlets)
        said = loop.table.notice
        for fact in facts:
            loop.put(fact)
        loop.stop()
        loop.run()
        return said


@pytest.mark.parametrize("said", [MENDED, LOST])
def test_that_games_were_damaged_is_said_at_each_start_until_somebody_pressed_a_button(
    said: Prompt, path: Path
) -> None:
    with Journal.open(path) as journal:
        begun_game(journal)
    if said is MENDED:
        flip(path, '"do": "accept"', '"do": "accapt"')
    else:
        path.write_bytes(bytes(path.stat().st_size))
    assert said_at_start(path, Stirred(), Knocked()) == said
    assert said_at_start(path) == said
    assert said_at_start(path, *press("ok")) == said
    assert said_at_start(path) is None


def test_a_game_that_is_left_alone_hides_for_no_longer_than_itself_that_games_were_damaged(path: Path) -> None:
    with Journal.open(path) as journal:
        begun_game(journal)
    mend(path, WHEN)
    other = replace(HOME, board=Board((("peek",),) * 5))
    with Journal.open(path) as journal:
        outlets = Outlets(lambda *_: None)
        loop = Loop(resume(journal, other), house=other, journal=journal, clock=SystemClock(), outlets=outlets)
        assert loop.table.notice not in (None, MENDED)
        loop.put(press("ok")[0])
        loop.stop()
        loop.run()
    assert said_at_start(path) == MENDED


def test_the_table_goes_on_from_the_last_sound_line_and_says_that_games_were_damaged(path: Path) -> None:
    with Journal.open(path) as journal:
        before = begun_game(journal)
        record = journal.latest()
    assert before.match is not None
    assert record is not None
    assert len(record.actions) == 2
    flip(path, '"do": "accept"', '"do": "accapt"')
    with open_telling(path, lambda _text: None) as journal:
        table = resume(journal, HOME).table
    assert table.match is not None
    assert table.match.log == before.match.log[:2]  # the start and the roll
    shown = view(table, HOME)
    assert (shown.page, shown.labels) == (MENDED, ("", "", "", "OK"))
    assert places(table, HOME) == ("notice",)


def test_seats_are_taken_in_order_where_the_notes_of_them_are_broken(path: Path) -> None:
    with Journal.open(path) as journal:
        seats = begun_game(journal).seats
    rewrite(path, "UPDATE entries SET line = line || ' ' WHERE kind = 'press'")
    with open_telling(path, lambda _text: None) as journal:
        table = resume(journal, HOME).table
    assert table.seats == tuple(range(len(seats)))
    assert view(after(table, HOME, *press("ok")), HOME).page


def test_a_notice_stays_until_a_button_puts_it_away_and_that_press_does_nothing_else() -> None:
    table = replace(Table(), notice=MENDED)
    assert view(table, HOME).ring.mood is Mood.TROUBLE
    assert after(table, HOME, Stirred(), Settled(reading(3))).notice == MENDED
    assert after(table, HOME, Knocked()) == table
    for fact in (*press("ok", "less"), Press(press("back")[0].button, held=True)):
        assert after(table, HOME, fact) == Table()


def test_a_damaged_game_before_this_one_keeps_no_table_from_starting(path: Path) -> None:
    with Journal.open(path) as journal:
        begun_game(journal)
        journal.new_sitting()
    flip(path, '"do": "accept"', '"do": "accapt"')
    with open_telling(path, lambda _text: None) as journal:
        assert resume(journal, HOME).table.last is None
        assert journal.mended is None


@pytest.mark.parametrize("running", [True, False], ids=["a game goes on", "a game is set up"])
def test_a_letter_made_unreadable_in_a_game_before_this_one_keeps_no_table_from_starting(
    path: Path, running: bool
) -> None:
    with Journal.open(path) as journal:
        table = begun_game(journal)
        record = journal.latest()
        assert record is not None
        journal.new_sitting()
        if running:
            for entry in record.entries:
                journal._write(entry.kind, entry.line, entry.at_s)
    unreadable = "CAST(replace(CAST(line AS BLOB), x'706c', x'f06c') AS TEXT)"
    rewrite(path, f"UPDATE entries SET line = {unreadable} WHERE sitting = 1 AND kind = 'start'")
    with open_telling(path, lambda _text: None) as journal:
        again = resume(journal, HOME).table
        assert (again.match, again.last) == (table.match if running else None, None)
        assert journal.mended is None
        assert len(journal.games()) == 1 + running


def test_a_game_that_the_settings_do_not_allow_is_said_until_it_is_read(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.begin('{"do":"start","game":"chess","players":["Ana","Bo"]}')
        table = resume(journal, HOME).table
    shown = view(after(table, HOME, Stirred()), HOME).page
    assert isinstance(shown, Prompt)
    assert shown.title == "Attention!"
    assert shown.lines[0].startswith("The last game does not fit the settings: ")
    assert view(after(table, HOME, *press("ok")), HOME) == view(Table(), HOME)
