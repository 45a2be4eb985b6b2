"""What the dialogue of a game looks at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.events import Reading, WildDie
from companion.referee import Match, legal
from companion.table.asking import Message
from companion.table.house import House


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment of a game. `state`: the public one of `match`. `sighting`: a reading that waits for the players' word.

    `wild`: the Wild die that waits so. `seen`: the reading that the latest roll was taken from, while its dice lie
    there untouched. `at_s`: seconds since the start; they may change what is told, never what is asked.
    """

    match: Match
    state: Any
    house: House
    sighting: Reading | None = None
    at_s: float = 0.0
    wild: WildDie | None = None
    seen: Reading | None = None

    @property
    def legal(self) -> Iterator[Message]:
        """The lines of all legal actions, lazily."""
        return legal(self.match)

    @property
    def standing(self) -> Iterator[Message]:
        """The actions since the start that were not taken back, the newest first, lazily."""
        return self.match.standing

    @property
    def name(self) -> str:
        """Who must act."""
        return str(self.state["players"][self.state["player"]]["name"])
