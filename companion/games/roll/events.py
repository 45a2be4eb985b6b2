"""What happens in a game of Roll. Each event is one action of the protocol; `do` is its name there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias, get_args

Face: TypeAlias = Literal["lowest", "highest", "swap"]
FACES: tuple[Face, ...] = get_args(Face)  # R12: each twice on the default Wild die


@dataclass(frozen=True, slots=True)
class Roll:
    """R8: 1–3 number dice, as they lie."""

    do: ClassVar[str] = "roll"
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Accept:
    """R9, R10: no more re-rolls; the pawn moves, or the Wild die counts."""

    do: ClassVar[str] = "accept"


@dataclass(frozen=True, slots=True)
class Reroll:
    """R9: a token for throwing the dice at `which` again; `dice` are their new values."""

    do: ClassVar[str] = "reroll"
    which: tuple[int, ...]
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RerollWild:
    """R12: a token for throwing the Wild die again."""

    do: ClassVar[str] = "reroll"
    face: Face


@dataclass(frozen=True, slots=True)
class Wild:
    """R12: the Wild die shows `face`."""

    do: ClassVar[str] = "wild"
    face: Face


@dataclass(frozen=True, slots=True)
class Skip:
    """R16: a player with all cards does not roll."""

    do: ClassVar[str] = "skip"


@dataclass(frozen=True, slots=True)
class Take:
    """R10, R12: a card from the market or the draw pile. `rat`: 7–9 or not, where the referee has to be told.

    `region`: which market card, where the rules leave a choice (always None with `cards = "ask"`).
    """

    do: ClassVar[str] = "take"
    source: Literal["market", "deck"]
    rat: bool | None = None
    region: int | None = None


@dataclass(frozen=True, slots=True)
class Peek:
    """R10: look at all own cards (`slot` None), or at one card of one opponent."""

    do: ClassVar[str] = "peek"
    player: int
    slot: int | None = None


@dataclass(frozen=True, slots=True)
class Swap:
    """R12: own slot `mine` for slot `theirs` of `player`; neither looks."""

    do: ClassVar[str] = "swap"
    mine: int
    player: int
    theirs: int


@dataclass(frozen=True, slots=True)
class Decline:
    """R10, R12: a peek or a swap not made."""

    do: ClassVar[str] = "decline"


@dataclass(frozen=True, slots=True)
class Discard:
    """R17: the older card at `slot` goes under the draw pile; the new card takes its place."""

    do: ClassVar[str] = "discard"
    slot: int


@dataclass(frozen=True, slots=True)
class Refill:
    """R14, R23: the card dealt where the taken one lay."""

    do: ClassVar[str] = "refill"
    value: int


@dataclass(frozen=True, slots=True)
class Redeal:
    """R14, R23: five new market cards, since more than three were rats."""

    do: ClassVar[str] = "redeal"
    market: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Reveal:
    """R19, R20: a player's cards by slot, or only their total. `force`: as played, whatever the audit says."""

    do: ClassVar[str] = "reveal"
    player: int
    cards: tuple[int, ...] | None = None
    total: int | None = None
    force: bool = False


Event: TypeAlias = (
    Roll
    | Accept
    | Reroll
    | RerollWild
    | Wild
    | Skip
    | Take
    | Peek
    | Swap
    | Decline
    | Discard
    | Refill
    | Redeal
    | Reveal
)

ACTIONS = frozenset(
    kind.do for kind in (Roll, Accept, Reroll, Wild, Skip, Take, Peek, Swap, Decline, Discard, Refill, Redeal, Reveal)
)
