"""What the referee follows in a game of Cat: whose turn it is, what was declared, and the score; never the cards."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, TypeAlias, TypedDict

from companion.games.cat.events import Card, Top

Step: TypeAlias = Literal["turn", "replace", "use", "draw", "end", "score", "deal", "over"]

SLOTS = 4  # C2
OUTER = frozenset({0, 3})  # C2, C11
NONE_UP: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Rounds:
    """C9: after so many rounds the game is over."""

    count: int


@dataclass(frozen=True, slots=True)
class Minutes:
    """C9: no new round starts once the time is up. Fractions allowed."""

    count: int | float

    def are_up(self, at_s: float) -> bool:
        """Reckoned on the decimals as written: 8.3 minutes are up at 498 s, not one rounding error of a float later."""
        return Fraction(str(at_s)) >= 60 * Fraction(str(self.count))


@dataclass(frozen=True, slots=True)
class Limit:
    """C9: who reaches so many points is out."""

    points: int


Ending: TypeAlias = Rounds | Minutes | Limit

DEFAULT_END = Limit(100)


@dataclass(frozen=True, slots=True)
class Settings:
    """What is agreed before the game. `scores`: points are added up; without, rounds won are counted (C12).

    `younger`: outer cards lie face-up (C11). `pace`: "light", a turn is just ended; "full", every draw is declared.
    """

    players: tuple[str, ...]
    dealer: int = 0
    end: Ending = DEFAULT_END
    scores: bool = True
    younger: bool = False
    pace: Literal["light", "full"] = "light"


@dataclass(frozen=True, slots=True)
class Player:
    """One seat. `total`: points of all scored rounds. `score`: points of the present round, None until entered.

    `face_up`: slots whose card lies face-up (C11).
    """

    name: str
    total: int = 0
    wins: int = 0
    out: bool = False
    score: int | None = None
    face_up: frozenset[int] = NONE_UP


@dataclass(frozen=True, slots=True)
class State:
    """One moment of a game. Never changes; every event gives a new one.

    `card`: drawn and not yet played. `chances`: draws left of a Draw 2, None outside one. `turns_left`: after a knock,
    the present turn included. `winners`: None until the game is over.
    """

    settings: Settings
    players: tuple[Player, ...]
    dealer: int
    player: int | None
    step: Step = "turn"
    round: int = 1
    knocked: int | None = None
    turns_left: int | None = None
    discard_top: Top | None = None
    card: Card | None = None
    chances: int | None = None
    winners: tuple[int, ...] | None = None

    @property
    def acting(self) -> int:
        """The number of the player whose turn it is."""
        assert self.player is not None, f"nobody's turn at {self.step}"
        return self.player

    @property
    def still_in(self) -> tuple[int, ...]:
        """C10: the players who are not out, ascending."""
        return tuple(number for number, player in enumerate(self.players) if not player.out)

    def left_of(self, number: int) -> int:
        """C3, C10: the next player clockwise who is not out."""
        count = len(self.players)
        around = ((number + step) % count for step in range(1, count + 1))
        return next(player for player in around if not self.players[player].out)

    def with_player(self, number: int, player: Player) -> State:
        return replace(self, players=(*self.players[:number], player, *self.players[number + 1 :]))


class PublicPlayer(TypedDict):
    name: str
    total: int | None
    wins: int | None
    out: bool
    scored: bool


class Public(TypedDict):
    """The protocol's `state` of Cat."""

    game: Literal["cat"]
    round: int
    dealer: int
    player: int | None
    step: Step
    knocked: int | None
    turns_left: int | None
    discard_top: Top | None
    card: Card | None
    chances: int | None
    players: list[PublicPlayer]
    winners: list[int] | None


def public(state: State) -> Public:
    """All that outputs may ever show; the referee knows no face-down card of Cat."""
    return {
        "game": "cat",
        "round": state.round,
        "dealer": state.dealer,
        "player": state.player,
        "step": state.step,
        "knocked": state.knocked,
        "turns_left": state.turns_left,
        "discard_top": state.discard_top,
        "card": state.card,
        "chances": state.chances,
        "players": [_public_player(player, scores=state.settings.scores) for player in state.players],
        "winners": None if state.winners is None else list(state.winners),
    }


def _public_player(player: Player, *, scores: bool) -> PublicPlayer:
    return {
        "name": player.name,
        "total": player.total if scores else None,
        "wins": None if scores else player.wins,
        "out": player.out,
        "scored": player.score is not None,
    }
