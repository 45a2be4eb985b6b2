"""What of a damaged journal is sound: every game up to its first broken line, as far as SQLite can read it.

The seals (see record.py) tell. Lines are carried as they are, seals and all, so that what was saved is as good as new,
and a broken line is never mended by guess.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import Any, NoReturn

from companion.journal import faults
from companion.journal.connecting import aloof
from companion.journal.record import Entry, Kind, Sealed, intact, origin

KINDS = frozenset(kind.value for kind in Kind)
HEADS = "SELECT number, opened, rules, board FROM sittings ORDER BY number"
LINES = "SELECT seq, kind, at_s, line, seal FROM entries WHERE sitting = ? ORDER BY seq"


@dataclass(frozen=True, slots=True)
class Sound:
    """What is sound of a sitting. `head`: its row. `is_whole`: no line of the game is missing; presses may be."""

    head: tuple[int, str, int, str]
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
        return _spoken(entry.kind.value for entry, _ in self.entries)


@dataclass(frozen=True, slots=True)
class Salvage:
    """A damaged journal, kept as `aside`, and what of it was carried into a new one."""

    aside: Path
    carried: tuple[Sound, ...]

    def __str__(self) -> str:
        if not self.carried:
            return f"the damaged journal is kept as {self.aside}; a new one is begun"
        games = [sitting for sitting in self.carried if sitting.is_game]
        cut = "".join(f", game {game.number} up to its line {game.spoken}" for game in games if not game.is_whole)
        return f"the damaged journal is kept as {self.aside}; {len(games)} games are carried into a new one{cut}"


def sound(path: Path) -> tuple[Sound, ...]:
    """All that is sound in a journal that nobody writes; nothing where SQLite cannot read it. Touches nothing.

    Raises JournalFull where its newest lines cannot be read for want of room.
    """

    def refuse(_unseen: str) -> NoReturn:
        raise faults.full(path)

    with aloof(path, refuse) as database:
        sittings = [_sound(database, head) for head in _heads(database)]
    return tuple(sitting for sitting in sittings if sitting.entries)


def _heads(database: sqlite3.Connection) -> list[Any]:
    """From both ends: a page that cannot be read hides none that lie beyond it."""
    (first, _), (last, _) = _rows(database, HEADS), _rows(database, f"{HEADS} DESC")
    heads = {head[0]: head for head in (*first, *last)}
    return [heads[number] for number in sorted(heads)]


def _sound(database: sqlite3.Connection, head: tuple[int, str, int, str]) -> Sound:
    rows, are_all = _rows(database, LINES, head[0])
    known = takewhile(lambda row: row[1] in KINDS, rows)
    sealed = ((Entry(seq, Kind(kind), at_s, line), seal) for seq, kind, at_s, line, seal in known)
    entries = intact(origin(*head), sealed)
    found = Sound(head, entries, is_whole=are_all)
    return replace(found, is_whole=are_all and found.spoken == _spoken(row[1] for row in rows))


def _spoken(kinds: Iterable[str]) -> int:
    return sum(kind != Kind.PRESS.value for kind in kinds)


def _rows(database: sqlite3.Connection, query: str, *values: object) -> tuple[list[Any], bool]:
    """As many as SQLite can read, and whether they are all: damage ends them."""
    rows: list[Any] = []
    with suppress(sqlite3.DatabaseError, UnicodeDecodeError):
        for row in database.execute(query, values):
            rows.append(row)
        return rows, True
    return rows, False
