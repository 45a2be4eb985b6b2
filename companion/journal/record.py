"""What a journal holds, as values: entries, the record of a game, and a line about each."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from companion.games.roll import DEFAULT, Board


class Kind(Enum):
    PRESS = "press"  # a fact of the dialogue: a button, a reading
    START = "start"  # the protocol line that began the game
    ACTION = "action"  # a protocol line that the referee accepted, undo included
    FINISH = "finish"  # how it ended


LINES = (Kind.START, Kind.ACTION)  # what the referee is told


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a sitting. `seq` grows along it; `at_s`: seconds since the start of the game."""

    seq: int
    kind: Kind
    at_s: float
    line: str


Sealed: TypeAlias = tuple[Entry, str]  # with the seal it bears
Head: TypeAlias = tuple[int, str, int, str]  # of a sitting: number, opened, rules, board


@dataclass(frozen=True, slots=True)
class Record:
    """A sitting: the dialogue of its set-up, the start, the actions. All lines are JSON objects.

    `opened`: when the game started, or the sitting was opened for its set-up: wall-clock time, ISO 8601 in UTC, only
    ever shown (a clock may be wrong or jump). `rules`: version of the rules it was played by. `entries`: everything, in
    order. `board`: that of Roll, as configured then.
    """

    number: int
    opened: str
    rules: int
    entries: tuple[Entry, ...]
    board: Board = DEFAULT

    @property
    def start(self) -> str | None:
        """The protocol line that began the game; None while players still set it up."""
        return next((entry.line for entry in self.entries if entry.kind is Kind.START), None)

    @property
    def actions(self) -> tuple[Entry, ...]:
        """The accepted actions after the start, undo included."""
        return tuple(entry for entry in self.entries if entry.kind is Kind.ACTION)

    @property
    def presses(self) -> tuple[Entry, ...]:
        """The facts of the dialogue since the last action (since the beginning, before the start)."""
        spoken = max((entry.seq for entry in self.entries if entry.kind is not Kind.PRESS), default=-1)
        return tuple(entry for entry in self.entries if entry.seq > spoken)

    @property
    def finish(self) -> str | None:
        """How it ended, or None while it may go on. An action after the end (an undo) opens the game again."""
        spoken = [entry for entry in self.entries if entry.kind is not Kind.PRESS]
        return spoken[-1].line if spoken and spoken[-1].kind is Kind.FINISH else None

    @property
    def last_at_s(self) -> float:
        """The latest time noted, in seconds since the start: where the clock goes on after a restart.

        What was noted before the start was so on another clock.
        """
        started = next((entry.seq for entry in self.entries if entry.kind is Kind.START), 0)
        return max((entry.at_s for entry in self.entries if entry.seq >= started), default=0.0)

    @property
    def messages(self) -> tuple[dict[str, Any], ...]:
        """Start and actions, each with its `at`."""
        return tuple(_message(entry) for entry in self.entries if entry.kind in LINES)

    @property
    def lines(self) -> tuple[str, ...]:
        """The messages as protocol lines: input for `companion referee`."""
        return tuple(_timed(entry) for entry in self.entries if entry.kind in LINES)


@dataclass(frozen=True, slots=True)
class Summary:
    """A line about a game that was begun. `actions` counts the accepted ones; `finish` None while it may go on.

    `last_at_s`: how long it lasted: to its end, and not to what is pressed at a table that is left on after that.
    """

    number: int
    opened: str
    rules: int
    start: str
    actions: int
    last_at_s: float
    finish: str | None


def record_of(head: Head, entries: tuple[Entry, ...]) -> Record:
    """A sitting as a value. Raises ValueError, which says what of it is not as this companion writes it."""
    number, opened, rules, board = head
    for entry in entries:
        if entry.kind is not Kind.PRESS and not _is_object(entry.line):
            raise ValueError(f"its line {entry.seq} is no JSON object")
        if not math.isfinite(entry.at_s):
            raise ValueError(f"its line {entry.seq} has no time")
    return Record(number, opened, rules, entries, board_of(board))


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _message(entry: Entry) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(entry.line)
    message.setdefault("at", entry.at_s)
    return message


def _timed(entry: Entry) -> str:
    return entry.line if "at" in json.loads(entry.line) else json.dumps(_message(entry))


def origin(number: int, opened: str, rules: int, board: str) -> str:
    """The seal a sitting's chain begins with."""
    return _digest(f"{number}\n{opened}\n{rules}\n{board}")


def board_line(board: Board) -> str:
    return json.dumps(board.regions)


def board_of(line: str) -> Board:
    """Raises ValueError."""
    try:
        return Board(tuple(tuple(region) for region in json.loads(line)))
    except (TypeError, json.JSONDecodeError, RecursionError) as error:
        raise ValueError("its board is none") from error


def seal(before: str, entry: Entry) -> str:
    """The seal of an entry, over its content and the last seal of the game before it.

    A changed line, or a missing one of the game, breaks the chain; presses hang on it and may go.
    """
    return _digest(f"{before}\n{entry.seq}\n{entry.kind.value}\n{entry.at_s!r}\n{entry.line}")


def intact(start: str, entries: Iterable[Sealed]) -> tuple[Sealed, ...]:
    """The entries that bear the seal which follows from those before them: after the first line of the game that is
    missing or broken there are none."""
    kept: list[Sealed] = []
    before, last_seq = start, -1
    for entry, sealed in entries:
        if sealed != seal(before, entry) or entry.seq <= last_seq:
            continue
        kept.append((entry, sealed))
        last_seq = entry.seq
        before = before if entry.kind is Kind.PRESS else sealed
    return tuple(kept)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
