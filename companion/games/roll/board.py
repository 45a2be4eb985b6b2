"""The circular board (R2): five colour regions, one black Wild space before each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias, cast, get_args

Kind: TypeAlias = Literal["wild", "choice", "token", "peek"]
REGIONS = 5


@dataclass(frozen=True, slots=True)
class Space:
    """One space. `region` is its colour region's number; None on a Wild space."""

    kind: Kind
    region: int | None


@dataclass(frozen=True, slots=True)
class Board:
    """The spaces inside each region, clockwise. The Wild space before each region is not written: it is always there.

    Raises ValueError for a layout that R2 does not allow.
    """

    regions: tuple[tuple[Kind, ...], ...] = (("choice", "token", "peek"),) * REGIONS

    def __post_init__(self) -> None:
        if len(self.regions) != REGIONS:
            raise ValueError(f"R2: the board has {REGIONS} regions, not {len(self.regions)}")
        for number, kinds in enumerate(self.regions):
            if not kinds:
                raise ValueError(f"R2: region {number} has no space; it needs at least one")
            for kind in kinds:
                if kind == "wild":
                    raise ValueError(f"R2: region {number} holds a Wild space; exactly one lies between two regions")
                if kind not in get_args(Kind):
                    raise ValueError(f"R2: region {number} holds {kind!r}; a space is choice, token or peek")

    @classmethod
    def of(cls, regions: Iterable[Iterable[str]]) -> Board:
        """The board with these spaces in each region, as a configuration names them. Raises ValueError."""
        return cls(tuple(tuple(cast(Kind, kind) for kind in kinds) for kinds in regions))

    @property
    def spaces(self) -> tuple[Space, ...]:
        """All spaces, clockwise. Space 0 is the Wild space before region 0."""
        return _spaces(self.regions)

    def is_wild(self, space: int) -> bool:
        return self.spaces[space].kind == "wild"

    def move(self, pawn: int, total: int) -> int:
        """Where the pawn comes to stand (R8): `total` spaces clockwise."""
        return (pawn + total) % len(self.spaces)


@cache
def _spaces(regions: tuple[tuple[Kind, ...], ...]) -> tuple[Space, ...]:
    return tuple(
        space
        for number, kinds in enumerate(regions)
        for space in (Space("wild", None), *(Space(kind, number) for kind in kinds))
    )


DEFAULT = Board()
