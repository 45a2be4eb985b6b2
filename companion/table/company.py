"""Who sits at the table, for the game to come or for the one before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.referee import Match


@dataclass(frozen=True, slots=True)
class Company:
    """Who is about to play. `names`, and `seats` (indices into the configured ones), clockwise round the table.

    `dealer`: whose turn it is to deal, where the game has one. `start`: of the game that the same people played before.
    """

    names: tuple[str, ...]
    seats: tuple[int, ...]
    dealer: int = 0
    start: Mapping[str, Any] = field(default_factory=dict)

    def agreed_on(self, *members: str) -> dict[str, Any]:
        """Those of a start's members as the game before had them."""
        return {member: self.start[member] for member in members if member in self.start}


@dataclass(frozen=True, slots=True)
class Sitting:
    """Who played last, so that the same people need not name themselves again.

    `message`: that game's start. `dealer`: who dealt last, None where the game has no dealer.
    """

    message: Mapping[str, Any]
    seats: tuple[int, ...]
    dealer: int | None = None

    @property
    def game(self) -> str:
        return str(self.message["game"])

    @property
    def company(self) -> Company:
        """The same players again, who play as they played; C3: the player to the left of the last dealer deals."""
        names = tuple(self.message["players"])
        dealer = 0 if self.dealer is None else (self.dealer + 1) % len(names)
        return Company(names, self.seats, dealer, self.message)


def sitting(match: Match, seats: tuple[int, ...]) -> Sitting:
    """Who plays this match."""
    return Sitting(match.start_line, seats, match.public.get("dealer"))
