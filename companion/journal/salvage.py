"""What of a damaged journal is sound: every game up to its first broken line, as far as SQLite can read it.

The seals (see record.py) tell. Lines are carried as they are, seals and all, so that what was saved is as good as new,
and a broken line is never mended by guess. No key is trusted: SQLite, which seeks by them, stops at a damaged one.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from companion.journal import faults
from companion.journal.connecting import aloof
from companion.journal.record import Entry, Head, Kind, Sealed, intact, origin

UNJUDGED = "PRAGMA writable_schema = ON"  # a trigger or index that SQLite cannot parse keeps no table from being read
UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError, MemoryError)  # what reading comes to where a page is damaged
KINDS = frozenset(kind.value for kind in Kind)
HEADS = "SELECT number, opened, rules, board FROM sittings ORDER BY number {way}"
NUMBERED = "typeof(sitting) = 'integer' AND typeof(seq) = 'integer'"
ENTRIES = f"SELECT sitting, seq, kind, at_s, line, seal FROM entries WHERE {NUMBERED}"
LINES = ENTRIES + " ORDER BY sitting {way}, seq {way}"
LINES_OF = ENTRIES + " AND sitting = ? ORDER BY seq {way}"
SITTING = itemgetter(0)  # of a line
MOST_NAMED = 8  # games by their numbers, of those that are lost

Progress: TypeAlias = Callable[[int, int], None]
Lose: TypeAlias = Callable[[int], None]
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
    def spoken(self) -> int:
        """How many lines of the game there are."""
        return sum(entry.kind is not Kind.PRESS for entry, _ in self.entries)

    @property
    def carried(self) -> Carried:
        is_game = any(entry.kind is Kind.START for entry, _ in self.entries)
        return Carried(self.number, self.spoken, is_game=is_game, is_whole=self.is_whole)


@dataclass(frozen=True, slots=True)
class Carried:
    """What is told of a sitting that was carried into a new journal: `spoken` lines of a game, or none."""

    number: int
    spoken: int
    is_game: bool
    is_whole: bool


@dataclass(frozen=True, slots=True)
class Salvage:
    """A damaged journal, kept as `aside`, and what of it was carried into a new one: counts, for lines are many.

    `carried`: how many sittings, `games`: how many of them are games, `cut`: those of the games that lost lines, by
    their numbers, each with how many are left, `lost`: the numbers of games of which nothing is sound.
    """

    aside: Path
    carried: int
    games: int
    cut: tuple[tuple[int, int], ...] = ()
    lost: tuple[int, ...] = ()

    @classmethod
    def of(cls, aside: Path, carried: Collection[Carried], lost: Collection[int]) -> Salvage:
        games = [sitting for sitting in carried if sitting.is_game]
        cut = tuple(sorted((game.number, game.spoken) for game in games if not game.is_whole))
        return cls(aside, len(carried), len(games), cut, tuple(sorted(lost)))

    def __str__(self) -> str:
        if not self.carried:
            return f"the damaged journal is kept as {self.aside}; nothing in it is sound, and a new one is begun"
        cut = "".join(f", game {number} up to its line {spoken}" for number, spoken in self.cut)
        what = "one game is" if self.games == 1 else f"{self.games} games are"
        return f"the damaged journal is kept as {self.aside}; {what} carried into a new one{cut}{self._gone}"

    @property
    def _gone(self) -> str:
        """What is told of the games that are lost; "" for none."""
        match self.lost:
            case ():
                return ""
            case (number,):
                return f"; of game {number} nothing is sound"
            case numbers if len(numbers) <= MOST_NAMED:
                return f"; of games {', '.join(map(str, numbers))} nothing is sound"
            case numbers:
                return f"; of {len(numbers)} games nothing is sound"


def sound(
    path: Path, progress: Progress = lambda _done, _whole: None, lose: Lose = lambda _number: None
) -> Iterator[Sound]:
    """All that is sound in a journal that nobody writes, a sitting after another; nothing where SQLite cannot read it.
    Touches nothing.

    `progress` gets, sitting by sitting, how many were judged, and of how many; `lose` the number of each game of
    which nothing is sound, as far as that can be told. Raises JournalFull where its newest lines cannot be read for
    want of room.
    """

    def refuse(_unseen: str) -> NoReturn:
        raise faults.full(path)

    with aloof(path, refuse) as database:
        with suppress(*UNREADABLE):
            database.execute(UNJUDGED)
        yield from _sittings(database, progress, lose)


def _sittings(database: sqlite3.Connection, progress: Progress, lose: Lose) -> Iterator[Sound]:
    """Each under the head that its seals follow from: its own, or one whose number is damaged, so that it has no lines
    or shares them.

    The lines are read more than once: first to know which sittings damage scattered or tore, and then to take all the
    others one by one.
    """
    heads = _heads(database)
    begun = partial(progress, 0, len(heads))
    runs, are_all = _runs(database, begun)
    seeks = {} if are_all else {number: _sought(database, number, begun) for number in heads.keys() | runs.keys()}
    lined = runs.keys() | {number for number, (rows, _) in seeks.items() if rows}
    astray = [head for number, own in heads.items() if len(own) > 1 or number not in lined for head in own]
    apart = {number for number in lined if runs[number] != 1 or (seeks and not seeks[number][1])}
    for done, (number, rows) in enumerate(_gathered(database, apart, are_all=are_all), 1):
        sought, is_whole = _rows(database, LINES_OF, number) if seeks else ({}, True)
        own = ((number, *head[1:]) for head in (*heads.get(number, ()), *astray))
        tries = (_sound(head, rows | sought, are_all=is_whole) for head in own)
        found = tuple(islice((found for found in tries if found.entries), 1))
        yield from found
        if not any(kept.spoken for kept in found) and _was_game(rows | sought, has_head=number in heads):
            lose(number)
        progress(done, len(lined))


def _sound(head: Head, rows: Rows, *, are_all: bool) -> Sound:
    known = sorted((row for row in rows if row[2] in KINDS), key=lambda row: row[1])
    sealed = ((Entry(seq, Kind(kind), at_s, line), seal) for _, seq, kind, at_s, line, seal in known)
    found = Sound(head, intact(origin(*head), sealed), is_whole=are_all)
    return replace(found, is_whole=are_all and found.spoken == sum(row[2] != Kind.PRESS.value for row in rows))


def _was_game(rows: Rows, *, has_head: bool) -> bool:
    """Whether these lines were a game's. Without a head their number may itself be damaged: one alone tells nothing."""
    spoken = {row[2] for row in rows} & (KINDS - {Kind.PRESS.value})
    return bool(spoken) if has_head else Kind.START.value in spoken and len(rows) > 1


def _heads(database: sqlite3.Connection) -> dict[int, list[Head]]:
    """By their numbers, which damage may have made the same."""
    found: dict[int, list[Head]] = {}
    for head in _rows(database, HEADS)[0]:
        found.setdefault(head[0], []).append(head)
    return found


def _runs(database: sqlite3.Connection, progress: Callable[[], None]) -> tuple[Counter[int], bool]:
    """How often one comes upon each sitting on the way along the lines, once unless damage scattered them; and whether
    these are all."""
    runs: Counter[int] = Counter()
    lines = _Reading(database, LINES)
    for number, _ in groupby(lines, key=SITTING):
        runs[number] += 1
        progress()
    return runs, lines.are_all


def _sought(database: sqlite3.Connection, number: int, progress: Callable[[], None]) -> tuple[bool, bool]:
    """Whether a seek, which reaches what lies between two pages that cannot be read, brings lines, and all of them."""
    rows, are_all = _rows(database, LINES_OF, number)
    progress()
    return bool(rows), are_all


def _gathered(database: sqlite3.Connection, apart: Collection[int], *, are_all: bool) -> Iterator[tuple[int, Rows]]:
    """The lines of each sitting as they lie, since a seek ends at a key out of order. Those `apart` come last: not all
    of their lines lie together, or SQLite cannot seek them, and what fails on the way ends the way, too.

    Raises OSError where SQLite reads otherwise than the first time: a disk that fails now and then would lose lines.
    """
    kept: dict[int, Rows] = {number: {} for number in apart}
    reading = _Reading(database, LINES)
    for number, lines in groupby(reading, key=SITTING):
        if number in kept:
            kept[number].update(dict.fromkeys(lines))
        else:
            yield number, dict.fromkeys(lines)
    if reading.are_all != are_all:
        raise OSError(errno.EIO, os.strerror(errno.EIO))
    yield from kept.items()


def _rows(database: sqlite3.Connection, query: str, *values: object) -> tuple[Rows, bool]:
    """As many as SQLite can read, and whether they are all."""
    reading = _Reading(database, query, *values)
    return dict.fromkeys(reading), reading.are_all


class _Reading:
    """The rows of a query: from the first, and where damage ends them, from the last, too, so that a page which cannot
    be read hides none that lie beyond it. `are_all`: whether damage ended none, once they are read."""

    def __init__(self, database: sqlite3.Connection, query: str, *values: object) -> None:
        self._database = database
        self._query = query
        self._values = values
        self.are_all = False

    def __iter__(self) -> Iterator[Any]:
        for way in ("ASC", "DESC"):
            with suppress(*UNREADABLE):
                yield from self._database.execute(self._query.format(way=way), self._values)
                self.are_all = way == "ASC"
                return
