"""What happens in a game of Cat. Each event is one action of the protocol; `do` is its name there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

Card: TypeAlias = Literal["number", "peek", "swap", "draw2"]
Top: TypeAlias = Literal["number", "power"]


@dataclass(frozen=True, slots=True)
class End:
    """C4: the turn is over, without a knock."""

    do: ClassVar[str] = "end"


@dataclass(frozen=True, slots=True)
class Knock:
    """C6: the turn is over, and every other player has exactly one more."""

    do: ClassVar[str] = "knock"


@dataclass(frozen=True, slots=True)
class Draw:
    """C4: the top discard (`card` None), or the top of the draw pile and what kind of card it is."""

    do: ClassVar[str] = "draw"
    source: Literal["discard", "deck"]
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class Replace:
    """C4: the drawn number card goes to `slot`; the card that lay there is discarded, and is a number or power card."""

    do: ClassVar[str] = "replace"
    slot: int
    discarded: Top


@dataclass(frozen=True, slots=True)
class Discard:
    """C4: the drawn card is not used."""

    do: ClassVar[str] = "discard"


@dataclass(frozen=True, slots=True)
class Peek:
    """C5: the Peek card: a look at one own card."""

    do: ClassVar[str] = "peek"
    slot: int


@dataclass(frozen=True, slots=True)
class Swap:
    """C5: the Swap card: own slot `mine` for slot `theirs` of `player`, unseen."""

    do: ClassVar[str] = "swap"
    mine: int
    player: int
    theirs: int


@dataclass(frozen=True, slots=True)
class Draw2:
    """C5: the Draw 2 card: two chances, the second only if the first card is discarded."""

    do: ClassVar[str] = "draw2"


@dataclass(frozen=True, slots=True)
class Score:
    """C7: a player's four number cards, or their total."""

    do: ClassVar[str] = "score"
    player: int
    cards: tuple[int, ...] | None = None
    total: int | None = None


@dataclass(frozen=True, slots=True)
class Deal:
    """C2, C3: the next dealer has dealt, and a number card is turned up."""

    do: ClassVar[str] = "deal"


Event: TypeAlias = End | Knock | Draw | Replace | Discard | Peek | Swap | Draw2 | Score | Deal

ACTIONS = frozenset(kind.do for kind in (End, Knock, Draw, Replace, Discard, Peek, Swap, Draw2, Score, Deal))
