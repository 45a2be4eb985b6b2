"""What lies on the table in a game of Roll, and the part of it that everyone may see (R21)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, TypedDict

from companion.games.roll.board import DEFAULT, Board, Kind
from companion.games.roll.events import Face

Step: TypeAlias = Literal[
    "roll", "accept", "wild", "wild_accept", "take", "peek", "swap", "discard", "refill", "redeal", "reveal", "over"
]
Market: TypeAlias = tuple[int | None, ...]

STARTING_TOKENS = 2  # R4
FIRST_RAT = 7  # R3
MOST_RATS = 3  # R14


def is_rat(card: int) -> bool:
    """R3: 7, 8 and 9 are rats."""
    return card >= FIRST_RAT


@dataclass(frozen=True, slots=True)
class Settings:
    """What is agreed before the game. `pool`: tokens left after dealing. `market`: the first five face-up cards, with
    `cards = "track"` only."""

    players: tuple[str, ...]
    first: int = 0
    pawn: int = 0
    pool: int = 20
    cards: Literal["ask", "track"] = "ask"
    market: tuple[int, ...] | None = field(default=None, repr=False)  # a card taken from it lies face-down later
    board: Board = DEFAULT

    @property
    def needed(self) -> int:
        """R7: how many cards complete a row."""
        return 5 if len(self.players) == 2 else 4


@dataclass(frozen=True, slots=True)
class Player:
    """One seat. `row`: the face-down cards by slot, each the value that was public when it was taken (R20), else None.

    `total`: of the revealed cards; None before the reveal.
    """

    name: str
    tokens: int = STARTING_TOKENS
    row: tuple[int | None, ...] = field(default=(None,), repr=False)
    total: int | None = None

    def with_card(self, slot: int, card: int | None) -> Player:
        return replace(self, row=(*self.row[:slot], card, *self.row[slot + 1 :]))


@dataclass(frozen=True, slots=True)
class State:
    """One moment of a game. Never changes; every event gives a new one.

    `market`: None with `cards = "ask"`; a region's card is None from its taking to the refill.
    `was_complete`: the acting player had all cards when this turn began (R16).
    `held`: value, where known, of the card a complete player took and has not yet made room for (R17).
    `turns_left`: in the final round, the present turn included; else None.
    """

    settings: Settings
    players: tuple[Player, ...]
    pawn: int
    pool: int
    market: Market | None
    step: Step
    player: int | None
    turn: int = 1
    dice: tuple[int, ...] | None = None
    wild: Face | None = None
    was_complete: bool = False
    held: int | None = field(default=None, repr=False)
    final_round: bool = False
    turns_left: int | None = None

    @property
    def acting(self) -> int:
        """The number of the player whose turn it is."""
        assert self.player is not None, f"nobody's turn at {self.step}"
        return self.player

    @property
    def mover(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.acting]

    @property
    def space(self) -> Kind:
        """What the space under the pawn means in this turn; for a player with all cards it no longer matters (R16)."""
        return "wild" if self.was_complete else self.settings.board.spaces[self.pawn].kind

    def is_complete(self, player: int) -> bool:
        return len(self.players[player].row) == self.settings.needed

    @property
    def all_complete(self) -> bool:
        """R18: the last player has reached the cards needed."""
        return all(self.is_complete(player) for player in range(len(self.players)))

    @property
    def too_many_rats(self) -> bool:
        """R14: more than three of the market are rats. Never known with `cards = "ask"`."""
        rats = [card for card in self.market or () if card is not None and is_rat(card)]
        return len(rats) > MOST_RATS

    def with_player(self, number: int, player: Player) -> State:
        return replace(self, players=(*self.players[:number], player, *self.players[number + 1 :]))


class PublicPlayer(TypedDict):
    name: str
    tokens: int
    cards: int
    complete: bool
    revealed: bool


class Public(TypedDict):
    """The protocol's `state` of Roll."""

    game: Literal["roll"]
    turn: int
    player: int | None
    step: Step
    dice: list[int] | None
    wild: Face | None
    total: int | None
    pawn: int
    pool: int
    market: list[int | None] | None
    players: list[PublicPlayer]
    needed: int
    final_round: bool
    turns_left: int | None
    totals: list[int] | None
    winners: list[int] | None


def public(state: State) -> Public:
    """All that outputs may ever show (R21)."""
    over = state.step == "over"
    return {
        "game": "roll",
        "turn": state.turn,
        "player": state.player,
        "step": state.step,
        "dice": None if state.dice is None else list(state.dice),
        "wild": state.wild,
        "total": None if state.dice is None else sum(state.dice),
        "pawn": state.pawn,
        "pool": state.pool,
        "market": None if state.market is None else list(state.market),
        "players": [_public_player(state, number) for number in range(len(state.players))],
        "needed": state.settings.needed,
        "final_round": state.final_round,
        "turns_left": state.turns_left,
        "totals": list(totals(state)) if over else None,
        "winners": list(winners(state)) if over else None,
    }


def _public_player(state: State, number: int) -> PublicPlayer:
    player = state.players[number]
    return {
        "name": player.name,
        "tokens": player.tokens,
        "cards": len(player.row),
        "complete": state.is_complete(number),
        "revealed": player.total is not None,
    }


def totals(state: State) -> tuple[int, ...]:
    """R19: each player's cards added up, once all are revealed."""
    return tuple(player.total for player in state.players if player.total is not None)


def winners(state: State) -> tuple[int, ...]:
    """R19: the lowest total wins; equal lowest totals share the win."""
    added = totals(state)
    return tuple(player for player, total in enumerate(added) if total == min(added))
