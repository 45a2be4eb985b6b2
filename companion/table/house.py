"""What a household has settled once and for all: seats, names and the usual settings. Made from the configuration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.games.roll import DEFAULT, Board
from companion.locale import ENGLISH, Texts
from companion.ports import Colour


@dataclass(frozen=True, slots=True)
class HouseSeat:
    """A place at the table: its colour's name, the colour itself, and where on the ring it lies (0 ≤ place < 1)."""

    name: str
    colour: Colour
    place: float


@dataclass(frozen=True, slots=True)
class Region:
    """A colour region of the board (R2)."""

    name: str
    colour: Colour


@dataclass(frozen=True, slots=True)
class House:
    """`names`: offered when players are named. `players`: how many are thought of first.

    `usual`: members of a `start` that hold unless changed, by game. `ends`: the usual amount of each way in which a
    game of Cat may end (C9). `regions`: one for each of the board's colour
    regions, in order. `has_camera`: else all dice are entered by button. `reads_wild`: whether the camera was taught
    the Wild die; else its face is entered by button.
    """

    seats: tuple[HouseSeat, ...]
    regions: tuple[Region, ...]
    names: tuple[str, ...] = ()
    players: int = 2
    games: tuple[str, ...] = ("roll",)
    usual: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    ends: Mapping[str, Any] = field(default_factory=dict)
    board: Board = DEFAULT
    texts: Texts = ENGLISH
    has_camera: bool = True
    reads_wild: bool = False

    @property
    def wild_spaces(self) -> tuple[int, ...]:
        return tuple(number for number, space in enumerate(self.board.spaces) if space.kind == "wild")
