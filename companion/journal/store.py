"""The journal: what was accepted at the table, durable before it is shown."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TypeAlias

from companion.games import RULES_VERSION
from companion.games.roll import DEFAULT, Board
from companion.journal import aside, faults, schema
from companion.journal.connecting import WRITER_BUSY_S, connection, reading
from companion.journal.lock import LOCK, held_alone, real
from companion.journal.record import Entry, Head, Kind, Record, Summary, board_line, intact, origin, record_of, seal
from companion.journal.salvage import Progress

Files: TypeAlias = tuple[tuple[int, int] | None, ...]  # device and inode of each


def utc_now() -> datetime:
    return datetime.now(UTC)


class Journal:
    """An open journal. Every call that returns has its line on the disk; one that raises JournalError has written
    nothing and may be repeated. One thread at a time.

    The sitting that lines are added to is the latest one, until `new_sitting` or `begin`.
    `mended`: whether anything was sound of the damaged journal that this one took the place of; None where there was
    none, or `mend_told` was called since.
    """

    def __init__(self, path: Path, database: sqlite3.Connection, wall: Callable[[], datetime], board: Board) -> None:
        self.path = path
        self._database = database
        self._wall = wall
        self._held = ExitStack()
        self._board = board_line(board)
        self._current: int | None = None
        self._opened: Files = ()
        self.mended: bool | None = None

    @classmethod
    def open(cls, path: Path, *, board: Board = DEFAULT, wall: Callable[[], datetime] = utc_now) -> Journal:
        """Opens the journal to write it, makes it and its folder if there is none, and holds it alone.

        `board`: the configured one, noted with every sitting. `wall`: the clock on the wall.
        Raises JournalLocked, JournalCorrupt, JournalNewer, JournalOlder, JournalFull, JournalReadOnly,
        JournalOutOfReach, NotAJournal.
        """
        path = real(path)
        with ExitStack() as held, faults.told(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            schema.inspect(path)  # a file that is not ours gets no lock file beside it
            held.enter_context(held_alone(path))
            if not schema.inspect(path):
                _begin(path, wall)
            database = held.enter_context(connection(path, str(path.absolute()), busy_s=WRITER_BUSY_S))
            journal = cls(path, database, wall, board)
            journal._prepare()
            schema.saved(path).unlink(missing_ok=True)  # of damage that was none when looked at again
            journal._held = held.pop_all()
            return journal

    @classmethod
    def look(cls, path: Path, tell: Callable[[str], None] = lambda _text: None) -> Journal:
        """Opens an existing journal to read it only, also while the daemon writes it or from a full or read-only disk.

        `tell` gets a finished text where its newest lines cannot be seen. Raises JournalError if there is none,
        JournalClosed where this user may not read it, and as `open`.
        """
        path = real(path)
        if not _may_look(path):
            raise faults.missing(path)
        with ExitStack() as held:
            database = held.enter_context(reading(path, tell))
            journal = cls(path, database, utc_now, DEFAULT)
            journal._check()
            journal._held = held.pop_all()
            return journal

    def close(self) -> None:
        """Twice is harmless."""
        self._held.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    # -- writing

    def new_sitting(self) -> int:
        """Opens a sitting: what is noted from now on is the set-up of a new game. Returns its number.

        Of the sitting before, all presses but the last are let go: nobody resumes it.
        """
        opened = self._now()
        self._check_place()
        with self._told():
            self._database.execute(_LET_GO)
            row = self._database.execute(
                "INSERT INTO sittings (opened, rules, board) VALUES (?, ?, ?)", (opened, RULES_VERSION, self._board)
            )
            self._current = row.lastrowid
        assert self._current is not None
        return self._current

    def begin(self, start_line: str, at_s: float = 0.0) -> int:
        """Writes the line that starts a game, in a sitting of its own if this one has a game, or notes another board
        than is configured now. Returns its number."""
        if self.sets_up() and self._has_this_board():
            self._open_now()
        else:
            self.new_sitting()
        assert self._current is not None
        self._write(Kind.START, start_line, at_s)
        return self._current

    def append(self, action_line: str, at_s: float) -> None:
        """Writes an accepted action (undo included), `at_s` seconds since the start."""
        self._write(Kind.ACTION, action_line, at_s)

    def note(self, press_line: str, at_s: float = 0.0) -> None:
        """Writes a fact of the dialogue, which counts until the next action."""
        self._write(Kind.PRESS, press_line, at_s)

    def finish(self, outcome_line: str, at_s: float = 0.0) -> None:
        """Writes how the game ended. An action after that (an undo) opens it again."""
        self._write(Kind.FINISH, outcome_line, at_s)

    def mend_told(self) -> None:
        """The players know that the journal was damaged."""
        if self.mended is not None:
            self._check_place()
            with self._told():
                schema.forget_mended(self._database)
            self.mended = None

    @contextmanager
    def together(self) -> Iterator[None]:
        """What is written inside is on the disk as a whole when this ends, or not at all."""
        before = self._current
        with self._told():
            self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
            with self._told():
                self._database.execute("COMMIT")
        except BaseException:
            self._current = before
            with suppress(sqlite3.Error):  # SQLite itself has rolled back where it could not commit
                self._database.execute("ROLLBACK")
            raise

    def _open_now(self) -> None:
        """The sitting was opened when the last game was left, weeks ago perhaps: now it is that of a game. Its presses
        get the seals that follow from that."""
        assert self._current is not None
        _, presses = self._sound(self._current)
        head = (self._current, self._now(), RULES_VERSION, self._board)
        self._check_place()
        with nullcontext() if self._database.in_transaction else self.together(), self._told():
            self._database.execute("DELETE FROM entries WHERE sitting = ?", (self._current,))
            self._database.execute("REPLACE INTO sittings VALUES (?, ?, ?, ?)", head)  # which no trigger hears
            for press in presses:
                self._insert(press, seal(origin(*head), press))

    def _now(self) -> str:
        return self._wall().astimezone(UTC).isoformat(timespec="seconds")

    def _write(self, kind: Kind, line: str, at_s: float) -> None:
        if self._current is None:
            raise ValueError("no sitting is open: call new_sitting first")
        if "\n" in line:
            raise ValueError("an entry is one line")
        self._check_place()
        with self._told():
            seq, before = self._tail(self._current)
            entry = Entry(seq, kind, float(at_s), line)
            self._insert(entry, seal(before, entry))

    def _insert(self, entry: Entry, sealed: str) -> None:
        self._database.execute(
            "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)",
            (self._current, entry.seq, entry.kind.value, entry.at_s, entry.line, sealed),
        )

    def _check_place(self) -> None:
        """SQLite writes on, without a word, into files that were removed: what goes there is lost at the next start."""
        if _files(self.path) != self._opened:
            raise faults.gone(self.path)

    def _tail(self, number: int) -> tuple[int, str]:
        """The next place in a sitting, and the seal that its chain has come to."""
        latest = self._database.execute("SELECT max(seq) FROM entries WHERE sitting = ?", (number,)).fetchone()[0]
        spoken = self._database.execute(_LAST_SPOKEN, (number,)).fetchone()
        if spoken is not None:
            return latest + 1, spoken[0]
        head = self._database.execute("SELECT number, opened, rules, board FROM sittings WHERE number = ?", (number,))
        return 0 if latest is None else latest + 1, origin(*head.fetchone())

    def _begun(self, number: int) -> bool:
        with self._told():
            return self._database.execute(_BEGUN, (number,)).fetchone() is not None

    def _has_this_board(self) -> bool:
        with self._told():
            found = self._database.execute("SELECT board FROM sittings WHERE number = ?", (self._current,)).fetchone()
        return bool(found[0] == self._board)

    # -- reading

    def sets_up(self) -> bool:
        """Whether a game is being set up: there is a sitting, and it has none yet. Quick, however long it is."""
        return self._current is not None and not self._begun(self._current)

    def latest(self) -> Record | None:
        """The latest sitting, whether it ended or not: where the players left the table. Raises as `read`."""
        latest = self.newest()
        return None if latest is None else self.read(latest)

    def games(self) -> tuple[Summary, ...]:
        """A line about every game that was begun, oldest first."""
        with self._told():
            rows = self._database.execute(_SUMMARIES).fetchall()
        return tuple(Summary(*row) for row in rows)

    def read(self, number: int) -> Record:
        """A sitting with all its lines. Raises KeyError if there is none, JournalCorrupt if its lines are damaged, and
        JournalUnread if they are not such as this companion writes."""
        head, entries = self._sound(number)
        try:
            return record_of(head, entries)
        except ValueError as error:
            raise faults.unread(self.path, number, str(error)) from error

    def read_through(self, progress: Progress = lambda _done, _whole: None) -> None:
        """Reads the latest sitting and every game, though it be of another companion. `progress` gets how many were
        read, and of how many. Raises JournalCorrupt at the first that is damaged."""
        numbers = dict.fromkeys(filter(None, (self.newest(), *(game.number for game in self.games()))))
        for done, number in enumerate(numbers, 1):
            with suppress(faults.JournalUnread):
                self.read(number)
            progress(done, len(numbers))

    def _sound(self, number: int) -> tuple[Head, tuple[Entry, ...]]:
        """A sitting, whatever its lines say. Raises KeyError and JournalCorrupt."""
        with self._told(), self._at_once():
            head: Head | None = self._database.execute(
                "SELECT number, opened, rules, board FROM sittings WHERE number = ?", (number,)
            ).fetchone()
            rows = self._database.execute(
                "SELECT seq, kind, at_s, line, seal FROM entries WHERE sitting = ? ORDER BY seq", (number,)
            ).fetchall()
        if head is None:
            raise KeyError(number)
        known = all(kind in _KINDS for _, kind, *_ in rows)
        sealed = tuple((Entry(seq, Kind(kind), at_s, line), mark) for seq, kind, at_s, line, mark in rows if known)
        if not known or len(intact(origin(*head), sealed)) < len(sealed):
            raise faults.corrupt(self.path, f"the lines of game {number} were changed")
        return head, tuple(entry for entry, _ in sealed)

    @contextmanager
    def _at_once(self) -> Iterator[None]:
        """What is read within was there at one time, though a game may begin meanwhile at another's hands."""
        if self._database.in_transaction:
            yield
            return
        self._database.execute("BEGIN")
        try:
            yield
        finally:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")

    def newest(self) -> int | None:
        """The number of the latest sitting."""
        with self._told():
            number: int | None = self._database.execute("SELECT max(number) FROM sittings").fetchone()[0]
        return number

    # -- opening

    def _prepare(self) -> None:
        with self._told():
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = FULL")
        self._check()
        with self._told():
            schema.renew(self._database)
            self.mended = schema.mended(self._database)
        self._current = self.newest()
        if self._current is not None:
            self._sound(self._current)
        self._opened = _files(self.path)

    def _check(self) -> None:
        """The keys and the index, too: through damaged ones SQLite seeks in vain, and says nothing. What is asked after
        the first look trusts the pages, and comes to no good end in damaged ones."""
        with self._told():
            answer = self._database.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if answer != "ok":
                raise faults.corrupt(self.path, " ".join(answer.split()))
            if schema.has_columns_of_another_time(self._database):
                raise faults.older(self.path)
            if not schema.is_as_made(self._database):
                raise faults.corrupt(self.path, "its tables or what guards them were changed")
            if self._database.execute("PRAGMA foreign_key_check(entries)").fetchone() is not None:
                raise faults.corrupt(self.path, "lines in it belong to no game")

    def _told(self) -> AbstractContextManager[None]:
        return faults.told(self.path)


def _may_look(path: Path) -> bool:
    """As `schema.inspect`. Raises JournalClosed where this user may not read it."""
    try:
        return schema.inspect(path)
    except faults.JournalReadOnly as fault:
        raise faults.closed(path, fault.cause) from fault


def _files(path: Path) -> Files:
    """Which files lie at the journal's places now: its own, and the lock that keeps a second companion off."""
    return tuple(_file(path.with_name(path.name + ending)) for ending in (*aside.PARTS, LOCK))


def _file(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


_KINDS = frozenset(kind.value for kind in Kind)
_SPOKEN = "entries INDEXED BY spoken WHERE sitting = ? AND kind <> 'press'"  # else SQLite looks through the presses
_LAST_SPOKEN = f"SELECT seal FROM {_SPOKEN} ORDER BY seq DESC LIMIT 1"
_BEGUN = f"SELECT 1 FROM {_SPOKEN} AND kind = 'start' LIMIT 1"
_LET_GO = """
DELETE FROM entries WHERE kind = 'press' AND sitting = (SELECT max(number) FROM sittings) AND seq < (
    SELECT max(seq) FROM entries later WHERE later.sitting = entries.sitting AND later.kind = 'press')
"""
_SUMMARIES = """
SELECT s.number, s.opened, s.rules,
    (SELECT line FROM entries e WHERE e.sitting = s.number AND kind = 'start'),
    (SELECT count(*) FROM entries e WHERE e.sitting = s.number AND kind = 'action'),
    (SELECT max(at_s) FROM entries e WHERE e.sitting = s.number AND seq BETWEEN
        (SELECT min(seq) FROM entries begun WHERE begun.sitting = s.number AND kind = 'start') AND
        (SELECT CASE kind WHEN 'finish' THEN seq ELSE 9e99 END FROM entries last
            WHERE last.sitting = s.number AND kind <> 'press' ORDER BY seq DESC LIMIT 1)),
    (SELECT CASE kind WHEN 'finish' THEN line END FROM entries e
        WHERE e.sitting = s.number AND kind <> 'press' ORDER BY seq DESC LIMIT 1)
FROM sittings s
WHERE EXISTS (SELECT 1 FROM entries e WHERE e.sitting = s.number AND kind = 'start')
ORDER BY s.number
"""


def _begin(path: Path, wall: Callable[[], datetime]) -> None:
    """In an empty place: a log that lies there alone is another journal's, or empty, as left by who only read one."""
    if aside.holds_lines(path):
        aside.move(path, wall())
    aside.clear(path)
    schema.begin(path)
