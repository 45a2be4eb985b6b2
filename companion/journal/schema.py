"""The journal's file: what marks it as one, its tables, and how a new one comes into being.

Triggers refuse to change any line and to delete one of a game; only the presses of a dialogue long over may go, or
years of play would make the file slow to open. Every line bears a seal (see record.py), since SQLite itself does not
notice a flipped bit inside a text.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import TypeAlias

from companion.journal import faults, lock
from companion.journal.connecting import KNOWN_VERSIONS, VERSIONS
from companion.journal.salvage import Sound
from companion.paths import sync_folder

FORMAT = 1  # user_version; raised whenever the tables change
LIKELY = range(1, 101)  # no companion will ever have changed its tables so often: beyond is a damaged number
APPLICATION = 0x52415431  # "RAT1": application_id, so that no other database is taken for a journal
MAGIC = b"SQLite format 3\x00"
HEADER_BYTES = 100  # of the database header, https://www.sqlite.org/fileformat.html#the_database_header
BLANK = (b"\x00", b"\xff")  # what a disk or card answers, again and again, for a part that it lost

COLUMNS = {"sittings": 4, "entries": 6}
TABLES = f"""
CREATE TABLE sittings (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    opened TEXT NOT NULL,
    rules INTEGER NOT NULL,
    board TEXT NOT NULL
) STRICT;
CREATE TABLE entries (
    sitting INTEGER NOT NULL REFERENCES sittings (number),
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('press', 'start', 'action', 'finish')),
    at_s REAL NOT NULL,
    line TEXT NOT NULL,
    seal TEXT NOT NULL,
    PRIMARY KEY (sitting, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX spoken ON entries (sitting, seq) WHERE kind <> 'press';
CREATE TRIGGER sittings_stay BEFORE UPDATE ON sittings BEGIN SELECT RAISE(ABORT, 'a journal only grows'); END;
CREATE TRIGGER sittings_last BEFORE DELETE ON sittings BEGIN SELECT RAISE(ABORT, 'a journal only grows'); END;
CREATE TRIGGER entries_stay BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'a journal only grows'); END;
CREATE TRIGGER entries_last BEFORE DELETE ON entries WHEN old.kind <> 'press' BEGIN
    SELECT RAISE(ABORT, 'a journal only grows');
END;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {FORMAT};
"""
# In a journal that took the place of a damaged one: whether anything was sound, until the players know of it. Earlier
# companions leave it as it lies.
MENDED = "mended"
NOTE_MENDED = f"CREATE TABLE {MENDED} AS SELECT EXISTS (SELECT 1 FROM sittings) AS some"
ENTRIES_LAST = "entries_last"
ENTRIES_LAST_ONCE = (  # of the same format, before presses might go; found in journals of that time
    "CREATE TRIGGER entries_last BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'a journal only grows'); END"
)

Parts: TypeAlias = dict[str, tuple[str, str, str]]  # by their names: kind, table and words


def inspect(path: Path) -> bool:
    """Whether a journal of this format lies at `path`; False if nothing does. Reads the header and touches nothing.

    Raises NotAJournal, JournalOutOfReach, JournalCorrupt, JournalNewer, or what the system answers.
    """
    try:
        if path.exists() and not path.is_file():
            raise faults.not_a_journal(path, "it is not a file")
        if not path.exists() and path.is_symlink():
            raise faults.unplugged(path, path)
        if not path.exists():
            return False
        with path.open("rb") as file:
            header = file.read(HEADER_BYTES)
    except OSError as error:
        raise faults.from_os(path, error) from error
    _judge(path, header)
    return True


def has_columns_of_another_time(database: sqlite3.Connection) -> bool:
    """Whether its tables have more or fewer columns than these, as before FORMAT told them apart. Damage does not
    make that of a schema which SQLite can still read."""
    found = {
        table: database.execute("SELECT count(*) FROM pragma_table_info(?)", (table,)).fetchone()[0]
        for table in COLUMNS
    }
    return any(count not in (0, COLUMNS[table]) for table, count in found.items())


def is_as_made(database: sqlite3.Connection) -> bool:
    """Whether tables, index and triggers are those of a journal, to the letter. SQLite notices a flipped bit
    in a trigger only when a line is to be written. What else was put beside them is none of our business."""
    found, made = _parts(database), _made()
    if _is_of_once(found):
        found[ENTRIES_LAST] = made[ENTRIES_LAST]
    return made.items() <= found.items()


def renew(database: sqlite3.Connection) -> None:
    """Lets the presses go, too, from a journal that was made before they might."""
    if _is_of_once(_parts(database)):
        database.executescript(f"BEGIN; DROP TRIGGER {ENTRIES_LAST}; {_made()[ENTRIES_LAST][2]}; COMMIT")


def mended(database: sqlite3.Connection) -> bool | None:
    """Whether anything was sound of the damaged journal that this one took the place of; None where there was none, or
    the players know of it."""
    noted = MENDED in _parts(database) and database.execute(f"SELECT some FROM {MENDED}").fetchone()
    return bool(noted[0]) if noted else None


def forget_mended(database: sqlite3.Connection) -> None:
    """The players know of it."""
    database.execute(f"DELETE FROM {MENDED}")


def _is_of_once(parts: Parts) -> bool:
    return ENTRIES_LAST in parts and parts[ENTRIES_LAST][2] == ENTRIES_LAST_ONCE


@cache
def _made() -> Parts:
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(TABLES)
        return _parts(database)


def _parts(database: sqlite3.Connection) -> Parts:
    rows = database.execute("SELECT name, type, tbl_name, sql FROM sqlite_master")
    return {name: (kind, table, words) for name, kind, table, words in rows}


def _judge(path: Path, header: bytes) -> None:
    if not header:
        raise faults.corrupt(path, "it is empty")
    if _is_blank(header[: len(MAGIC)]):
        raise faults.corrupt(path, "its beginning is blank")
    if not header.startswith(MAGIC[: len(header)]):
        raise _strange(path, "it is another kind of file")
    if len(header) < HEADER_BYTES:
        raise faults.corrupt(path, "it was cut short")
    if _is_blank(header[len(MAGIC) :]):
        raise faults.corrupt(path, "its beginning is blank")
    application, version = int.from_bytes(header[68:72], "big"), int.from_bytes(header[60:64], "big")
    if application != APPLICATION:
        raise _strange(path, "it is the database of another program")
    if version not in LIKELY:
        raise _strange(path, f"its format is {version}, which is none")
    if version > FORMAT:
        raise faults.newer(path, version, FORMAT)
    if header[VERSIONS] not in KNOWN_VERSIONS:
        raise faults.corrupt(path, "its header names another version of SQLite's files")


def _is_blank(part: bytes) -> bool:
    return part in {fill * len(part) for fill in BLANK}


def _strange(path: Path, what: str) -> faults.JournalError:
    """What lies there is no journal: damage where a companion wrote one, else something that is not ours."""
    return faults.corrupt(path, what) if lock.lies_beside(path) else faults.not_a_journal(path, what)


def saved(path: Path) -> Path:
    """Where what was sound in a damaged journal waits until that is out of the way."""
    return path.with_name(path.name + ".saved")


def begin(path: Path) -> None:
    """Puts a journal where there is none: what was saved of a damaged one, if a power cut left it waiting; or an empty
    one. No log may lie there: SQLite would take it for the new journal's."""
    waiting = saved(path)
    try:
        if waiting.exists():
            waiting.replace(path)
            sync_folder(path.parent)
            return
    except OSError as error:
        raise faults.from_os(path, error) from error
    create(path)


def create(path: Path, carried: Iterable[Sound] | None = None) -> None:
    """Makes a journal, whole or not at all: it is built under another name and then moved into place.

    `carried`: what is sound of a damaged one whose place it takes, which it notes.
    """
    draft = path.with_name(path.name + ".new")
    try:
        draft.unlink(missing_ok=True)
        _fill(draft, carried)
        draft.replace(path)
        sync_folder(path.parent)
    except sqlite3.Error as error:
        raise faults.from_sqlite(path, error) from error
    except OSError as error:
        raise faults.from_os(path, error) from error


def _fill(draft: Path, carried: Iterable[Sound] | None) -> None:
    with closing(sqlite3.connect(draft.absolute(), isolation_level=None)) as database:
        database.execute("PRAGMA synchronous = FULL")
        database.executescript(f"BEGIN; {TABLES}")
        for sitting in carried or ():
            database.execute("INSERT INTO sittings VALUES (?, ?, ?, ?)", sitting.head)
            database.executemany(
                "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)",
                (
                    (sitting.number, entry.seq, entry.kind.value, entry.at_s, entry.line, seal)
                    for entry, seal in sitting.entries
                ),
            )
        if carried is not None:
            database.execute(NOTE_MENDED)
        database.execute("COMMIT")
        database.execute("PRAGMA journal_mode = WAL")
