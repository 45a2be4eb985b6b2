"""What of a damaged journal is sound: every game up to its first broken line, as far as SQLite can read it.

The seals (see record.py) tell. Lines are carried as they are, seals and all, so that what was saved is as good as new,
and a broken line is never mended by guess. No key is trusted: SQLite, which seeks by them, stops at a damaged one.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from companion.journal import faults
from companion.journal.connecting import aloof
from companion.journal.record import Entry, Head, Kind, Sealed, intact, origin

UNJUDGED = "PRAGMA writable_schema = ON"  # a trigger or index that SQLite cannot parse keeps no table from being read
KINDS = frozenset(kind.value for kind in Kind)
HEADS = "SELECT number, opened, rules, board FROM sittings ORDER BY number {way}"
NUMBERED = "typeof(sitting) = 'integer' AND typeof(seq) = 'integer'"
LINES = f"SELECT sitting, seq, kind, at_s, line, seal FROM entries WHERE {NUMBERED}"
BY_KEY = " ORDER BY sitting {way}, seq {way}"

Rows: TypeAlias = dict[Any, None]  # each once: a page that lies in another's place brings its own again


@dataclass(frozen=True, slots=True)
class Sound:
    """What is sound of a sitting. `head`: its row. `is_whole`: no line of the game is missing; presses may be."""

    head: Head
    entries: tuple[Sealed, ...]
    is_whole: bool

    @property
    def number(self) -> int:
        return self.head[0]

    @property
    def is_game(self) -> bool:
        return any(entry.kind is Kind.START for entry, _ in self.entries)

    @property
    def spoken(self) -> int:
        """How many lines of the game there are."""
        return sum(entry.kind is not Kind.PRESS for entry, _ in self.entries)


@dataclass(frozen=True, slots=True)
class Salvage:
    """A damaged journal, kept as `aside`, and what of it was carried into a new one: counts, for lines are many.

    `carried`: how many sittings, `games`: how many of them are games, `cut`: those of the games that lost lines, by
    their numbers, each with how many are left.
    """

    aside: Path
    carried: int
    games: int
    cut: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, aside: Path, carried: Sequence[Sound]) -> Salvage:
        games = [sitting for sitting in carried if sitting.is_game]
        cut = tuple((game.number, game.spoken) for game in games if not game.is_whole)
        return cls(aside, len(carried), len(games), cut)

    def __str__(self) -> str:
        if not self.carried:
            return f"the damaged journal is kept as {self.aside}; a new one is begun"
        cut = "".join(f", game {number} up to its line {spoken}" for number, spoken in self.cut)
        what = "one game is" if self.games == 1 else f"{self.games} games are"
        return f"the damaged journal is kept as {self.aside}; {what} carried into a new one{cut}"


def sound(path: Path) -> tuple[Sound, ...]:
    """All that is sound in a journal that nobody writes; nothing where SQLite cannot read it. Touches nothing.

    Raises JournalFull where its newest lines cannot be read for want of room.
    """

    def refuse(_unseen: str) -> NoReturn:
        raise faults.full(path)

    with aloof(path, refuse) as database:
        with suppress(sqlite3.DatabaseError, UnicodeDecodeError, MemoryError):
            database.execute(UNJUDGED)
        heads = list(_from_both_ends(database, HEADS)[0])
        lines = _lines(database, {head[0] for head in heads})
    return tuple(_sittings(heads, lines))


def _sittings(heads: list[Head], lines: dict[int, tuple[Rows, bool]]) -> Iterator[Sound]:
    """Each under the head that its seals follow from: its own, or one whose number is damaged, so that it has no lines
    or shares them."""
    bearers = Counter(head[0] for head in heads)
    astray = [head for head in heads if bearers[head[0]] > 1 or not lines[head[0]][0]]
    for number, (rows, are_all) in sorted(lines.items()):
        own = [head for head in heads if head[0] == number]
        tries = (_sound((number, *head[1:]), rows, are_all=are_all) for head in (*own, *astray))
        yield from [found for found in tries if found.entries][:1]


def _sound(head: Head, rows: Rows, *, are_all: bool) -> Sound:
    known = sorted((row for row in rows if row[2] in KINDS), key=lambda row: row[1])
    sealed = ((Entry(seq, Kind(kind), at_s, line), seal) for _, seq, kind, at_s, line, seal in known)
    found = Sound(head, intact(origin(*head), sealed), is_whole=are_all)
    return replace(found, is_whole=are_all and found.spoken == sum(row[2] != Kind.PRESS.value for row in rows))


def _lines(database: sqlite3.Connection, numbers: Iterable[int]) -> dict[int, tuple[Rows, bool]]:
    """The lines of each sitting, and whether they are all: as they lie, since a seek ends at a key out of order; where
    a page cannot be read, by seeking, too, which reaches what lies between two such pages."""
    scanned, are_all = _from_both_ends(database, LINES + BY_KEY)
    found: dict[int, Rows] = {number: {} for number in numbers}
    for row in scanned:
        found.setdefault(row[0], {})[row] = None
    if are_all:
        return {number: (rows, True) for number, rows in found.items()}
    sought = {number: _rows(database, f"{LINES} AND sitting = ?", number) for number in found}
    return {number: (rows | sought[number][0], sought[number][1]) for number, rows in found.items()}


def _from_both_ends(database: sqlite3.Connection, query: str) -> tuple[Rows, bool]:
    """A page that cannot be read hides none that lie beyond it."""
    first, are_all = _rows(database, query.format(way="ASC"))
    last, _ = _rows(database, query.format(way="DESC"))
    return first | last, are_all


def _rows(database: sqlite3.Connection, query: str, *values: object) -> tuple[Rows, bool]:
    """As many as SQLite can read, and whether they are all: damage ends them."""
    rows: Rows = {}
    with suppress(sqlite3.DatabaseError, UnicodeDecodeError, MemoryError):
        for row in database.execute(query, values):
            rows[row] = None
        return rows, True
    return rows, False
