"""The shape every game has: ask, apply, outcome. Pure: no clock, no chance, no device.

A game is a module of functions over its own frozen state:

    start(settings)          -> State
    ask(state)               -> Ask[Event]     who must act, and what is legal now
    apply(state, event, at_s) -> State         raises Illegal (or Audit); `state` itself never changes
    outcome(state)           -> Outcome | None
    public(state)            -> a TypedDict    the protocol's `state`: all that outputs may ever show (R21)

Chance is an input (dice are physical), time is an input (`at_s`, seconds since the start).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

E = TypeVar("E")


class Refused(ValueError):
    """An action that is not taken. `code` is the protocol's, `message` names the rule where there is one."""

    code = "refused"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Malformed(Refused):
    """No state of this game could ever accept it."""

    code = "malformed"


class Illegal(Refused):
    """Well-formed, but the rules forbid it now."""

    code = "illegal"


class Audit(Refused):
    """A revealed hand contradicts what was public (R20). `slots`: the contradicting slots, ascending."""

    code = "audit"

    def __init__(self, message: str, slots: tuple[int, ...]) -> None:
        super().__init__(message)
        self.slots = slots


@dataclass(frozen=True, slots=True)
class Ask(Generic[E]):
    """Who must act and what is legal. `event in ask` is the referee; iterating it yields every legal event, lazily,
    once and in its plainest form.

    `player`: number of who must act; None where anyone may, or the game is over (`actions` is then empty).
    `actions`: the protocol's `do` names that are legal now, sorted.
    """

    player: int | None
    step: str
    actions: tuple[str, ...]
    permits: Callable[[E], bool] = field(repr=False, compare=False)
    events: Callable[[], Iterator[E]] = field(repr=False, compare=False)

    def __contains__(self, event: E) -> bool:
        return self.permits(event)

    def __iter__(self) -> Iterator[E]:
        return self.events()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended. `winners`: player numbers, ascending; several share the win."""

    winners: tuple[int, ...]
    totals: tuple[int, ...]
