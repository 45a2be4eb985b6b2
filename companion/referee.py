"""One match of any game: a line goes in, a new match comes out or the line is refused.

The daemon and the protocol drive this same value. It is immutable: a refused line leaves nothing changed, and undo
is a line like any other. Time comes in with each line, in seconds since the start.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol, TypeAlias

from companion.core import Ask, Illegal, Malformed, Outcome
from companion.games import cat, examples, free, members, roll
from companion.games.members import Message

Settings: TypeAlias = roll.Settings | cat.Settings | free.Settings
State: TypeAlias = roll.State | cat.State | free.State


class Rules(Protocol):
    """What each game's module offers. `apply` is given the line's time; only timed games look at it."""

    ACTIONS: frozenset[str]
    PLAYERS: tuple[int, int]

    def start(self, settings: Any) -> Any: ...
    def ask(self, state: Any) -> Ask[Any]: ...
    def apply(self, state: Any, event: Any, at_s: float) -> Any: ...
    def outcome(self, state: Any) -> Outcome | None: ...
    def public(self, state: Any) -> Any: ...
    def parse(self, message: Message, settings: Any) -> Any: ...
    def to_message(self, event: Any) -> dict[str, object]: ...


GAMES: Mapping[str, Rules] = {"roll": roll, "cat": cat, "free": free}

ACTIONS = frozenset(action for rules in GAMES.values() for action in rules.ACTIONS)


@dataclass(frozen=True, slots=True)
class _Link:
    """One accepted line, when it happened, and all before it; matches share them. `number`: from 1."""

    line: dict[str, object]
    at_s: float
    earlier: _Link | None
    number: int

    @classmethod
    def after(cls, earlier: _Link | None, line: dict[str, object], at_s: float) -> _Link:
        return cls(line, at_s, earlier, 1 if earlier is None else earlier.number + 1)


@dataclass(frozen=True, slots=True)
class Match:
    """One game in play, whatever game it is.

    `game`: the protocol's name. `settings`, `state`: the game's own frozen types. `bound_s`: no later line may name a
    time below it. Nothing that is printed of a match shows a face-down card (R21); its lines are not printed.
    """

    game: str
    settings: Settings
    state: State
    bound_s: float = field(compare=False)
    _log: _Link = field(repr=False, compare=False)
    _before: Match | None = field(default=None, repr=False, compare=False)
    _latest: dict[str, object] | None = field(default=None, repr=False, compare=False)

    @property
    def _rules(self) -> Rules:
        return GAMES[self.game]

    @property
    def ask(self) -> Ask[Any]:
        """Who must act, at which step, and what is legal now."""
        return self._rules.ask(self.state)

    @property
    def public(self) -> dict[str, Any]:
        """The protocol's `state`: all that may ever be shown."""
        shown: dict[str, Any] = self._rules.public(self.state)
        return shown

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it runs."""
        return self._rules.outcome(self.state)

    @property
    def can_undo(self) -> bool:
        return self._before is not None

    @property
    def log(self) -> tuple[dict[str, object], ...]:
        """Every accepted line since and with `start`, undo included, with an `at` where one was named.

        With `times_s` they are what the match is made of: `play`, given each line and its time, plays it again.
        """
        return tuple(copy.deepcopy(link.line) for link in self._links())

    @property
    def length(self) -> int:
        """How many lines the log has."""
        return self._log.number

    @property
    def start_line(self) -> dict[str, object]:
        """The line that began the match, the first of the log."""
        return copy.deepcopy(self._links()[0].line)

    @property
    def standing(self) -> Iterator[dict[str, object]]:
        """The actions since the start that were not taken back, the newest first, lazily."""
        match: Match | None = self
        while match is not None and match._latest is not None:
            yield copy.deepcopy(match._latest)
            match = match._before

    @property
    def times_s(self) -> tuple[float, ...]:
        """When each line of the log happened, in seconds since the start. They may go back: a time that a line names
        is held against those named before it, not against the clock's."""
        return tuple(link.at_s for link in self._links())

    def _links(self) -> tuple[_Link, ...]:
        links = []
        link: _Link | None = self._log
        while link is not None:
            links.append(link)
            link = link.earlier
        return tuple(reversed(links))


def begin(message: Message, *, board: roll.Board = roll.DEFAULT) -> Match:
    """A new match from a `start` line. `board` is the configured one, for Roll. Raises Malformed."""
    if message.get("do") != "start":
        raise Malformed("a match begins with start")
    at_s = members.moment_s(message) or 0
    settings = _settings(message, board)
    line = copy.deepcopy({**message})
    game = str(message["game"])
    return Match(game, settings, GAMES[game].start(settings), at_s, _Link.after(None, line, at_s))


def _settings(message: Message, board: roll.Board) -> Settings:
    try:
        return _read_settings(message, board)
    except members.Misshapen as wrong:
        game = message.get("game")
        raise _with_example(wrong, examples.of(str(game) if game in GAMES else "roll", "start", message)) from None


def _with_example(wrong: members.Misshapen, example: str) -> Malformed:
    return Malformed(f"{wrong.message}; an example: {example}")


def _read_settings(message: Message, board: roll.Board) -> Settings:
    match message.get("game"):
        case "roll":
            return roll.settings(message, board)
        case "cat":
            return cat.settings(message)
        case "free":
            return free.settings(message)
        case None:
            raise members.Misshapen('member "game" is missing')
        case _:
            raise Malformed(f"game must be one of {', '.join(GAMES)}")


def play(match: Match, message: Message, clock_s: float) -> Match:
    """The match after an action or an undo; `match` itself never changes.

    `clock_s`: seconds since the start by the clock, for a line without `at`.
    Raises Malformed, Illegal or Audit.
    """
    do = action(message)
    if do == "undo":
        members.check(message)
    elif do not in match._rules.ACTIONS:
        known = ", ".join(sorted(match._rules.ACTIONS))
        raise Malformed(f"{members.quoted(do)} is no action of {match.game}; these are: {known}")
    event = None if do == "undo" else parse(match, message)
    at_s = _happens_at_s(match, message, clock_s)
    named: dict[str, object] = {"at": at_s} if "at" in message else {}
    bound_s = at_s if named else match.bound_s
    if event is None:
        log = _Link.after(match._log, {"do": "undo"} | named, at_s)
        return replace(_undone(match), bound_s=bound_s, _log=log)
    state, line = match._rules.apply(match.state, event, at_s), match._rules.to_message(event) | named
    return Match(match.game, match.settings, state, bound_s, _Link.after(match._log, line, at_s), match, line)


def action(message: Message) -> str:
    """The line's `do`. Raises Malformed where it has none, or an `at` that no line can have."""
    members.moment_s(message)
    if "do" not in message:
        raise Malformed(f'member "do" is missing; an example: {examples.written(examples.STATE)}')
    do = message["do"]
    if not isinstance(do, str):
        raise Malformed("do must be a text")
    return do


def look(match: Match, message: Message) -> None:
    """What a `state` line asks for changes nothing; it is only checked. Raises Malformed or Illegal."""
    members.check(message)
    _happens_at_s(match, message, match.bound_s)


def _happens_at_s(match: Match, message: Message, clock_s: float) -> float:
    named_s = members.moment_s(message)
    if named_s is None:
        return max(match.bound_s, clock_s)
    if named_s < match.bound_s:
        raise Illegal(f"at never goes back: {named_s} s is before {match.bound_s} s")
    return named_s


def _undone(match: Match) -> Match:
    if match._before is None:
        raise Illegal("nothing to undo: this is the start of the game")
    return match._before


def legal(match: Match) -> Iterator[dict[str, object]]:
    """Every legal action's line once, in its plainest form, lazily. Where hands are revealed there are very many."""
    return (match._rules.to_message(event) for event in match.ask)


def parse(match: Match, message: Message) -> Any:
    """The typed event that an action's line means in this match. Raises Malformed."""
    try:
        return match._rules.parse(message, match.settings)
    except members.Misshapen as wrong:
        example = examples.of(match.game, str(message["do"]), message, partial(_is_well_formed, match))
        raise _with_example(wrong, example) from None


def _is_well_formed(match: Match, message: Message) -> bool:
    try:
        match._rules.parse(message, match.settings)
    except Malformed:
        return False
    return True


def to_message(match: Match, event: Any) -> dict[str, object]:
    """The line that means a typed event; `parse` gives the event back."""
    return match._rules.to_message(event)
