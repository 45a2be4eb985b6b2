"""The keys of the table, its games and the board."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.config import kinds
from companion.config.kinds import Colour, Problems, key, optional, sections
from companion.config.parts import MOST_LEDS
from companion.games.roll.board import REGIONS
from companion.locale import LANGUAGES, SOURCE_LANGUAGE

NAME_LONGEST = 12  # letters of usual width: what the screen's top line holds beside tokens and the last round's flag
NEAREST = 1 / MOST_LEDS  # turns between two seats: neighbouring LEDs of the largest ring


@dataclass(frozen=True, slots=True)
class Seat:
    name: str = key(kinds.name(NAME_LONGEST), "seat", "What players call it, usually its colour.")
    colour: Colour | None = optional(
        kinds.colour(), (255, 0, 0), "Its colour on the ring. Left out: one that no other seat has."
    )
    place: float | None = optional(
        kinds.number(0, 0.999),
        0.0,
        "Where it lies around the ring, clockwise from the first LED: 0.25 is a quarter turn. Left out: evenly spaced.",
    )


# colours that neighbours can be told apart by, whatever colours one sees
COLOURS: Mapping[str, Colour] = {
    "red": (255, 0, 0),
    "yellow": (255, 160, 0),
    "green": (0, 200, 80),
    "cyan": (0, 170, 170),
    "blue": (0, 20, 255),
    "purple": (150, 50, 255),
    "pink": (255, 40, 120),
    "white": (160, 160, 160),
}
SEATS = tuple(Seat(name, colour) for name, colour in COLOURS.items())


@dataclass(frozen=True, slots=True)
class Table:
    language: str = key(
        kinds.one_of(*LANGUAGES),
        SOURCE_LANGUAGE,
        "Language of screens: English, Spanish, Finnish or Danish.",
    )
    games: tuple[str, ...] = key(
        kinds.list_of(kinds.one_of("roll", "cat", "free"), 1, 3),
        ("roll", "cat", "free"),
        "Games offered, the usual one first.",
    )
    names: tuple[str, ...] = key(
        kinds.list_of(kinds.name(NAME_LONGEST), 0, 20),
        (),
        "Names offered when players are named, so that nobody has to spell. In Latin letters.",
    )
    seat: tuple[Seat, ...] = sections(
        Seat,
        SEATS,
        "The seats, clockwise, one table each. They go together: with one, all of these are replaced.",
        low=1,
        high=8,
    )

    @property
    def places(self) -> tuple[float, ...]:
        """Where each seat lies around the ring, in turns: as configured, else evenly spaced."""
        even = (number / len(self.seat) for number in range(len(self.seat)))
        return tuple(
            seat.place if seat.place is not None else place for seat, place in zip(self.seat, even, strict=True)
        )

    @property
    def colours(self) -> tuple[Colour, ...]:
        """Each seat's: its own, else the one that it is named for, or the next of the usual ones that no seat has."""
        own = {seat.colour for seat in self.seat}
        named = ({name: colour for name, colour in COLOURS.items() if colour not in own}).get
        given = [seat.colour or named(seat.name.casefold()) for seat in self.seat]
        free = (colour for colour in COLOURS.values() if colour not in given)
        return tuple(colour or next(free) for colour in given)

    def problems(self) -> Problems:
        yield from _named_alike("names", "player", self.names)
        yield from _named_alike("seat", "seat", [seat.name for seat in self.seat])
        many = [game for game in self.games if game != "free"]
        if many and len(self.seat) < 2:
            alone = 'one seat is enough only for games = ["free"]'
            yield "seat", f"a second seat for {' and '.join(many)} ({alone})"
        yield from self._coloured_alike()
        yield from self._placed_alike()

    def _coloured_alike(self) -> Problems:
        for colour, times in Counter(seat.colour for seat in self.seat).items():
            if colour is not None and times > 1:
                yield "seat", f"a colour of its own for each seat ({kinds.hashed(colour)} is there {times} times)"

    def _placed_alike(self) -> Problems:
        """Each seat that lies where one before it does."""
        seats = tuple(self._lying())
        for at, (told, place) in enumerate(seats):
            if first := next((before for before, other in seats[:at] if _apart(place, other) < NEAREST), ""):
                yield "seat", f"a place of its own for each seat ({first} and {told})"

    def _lying(self) -> Iterator[tuple[str, float]]:
        """Each seat in words, with its place."""
        for seat, place in zip(self.seat, self.places, strict=True):
            evenly = ", evenly spaced" if seat.place is None else ""
            yield f'"{seat.name}" at {place:.3g}{evenly}', place


@dataclass(frozen=True, slots=True)
class Roll:
    cards: str = key(
        kinds.one_of("ask", "track"), "ask", "How closely cards are followed: ask if rat or not, or track values."
    )
    pool: int = key(kinds.whole(0, 1000), 20, "Re-roll tokens left in the centre after dealing.")

    @property
    def usual(self) -> dict[str, Any]:
        """Members of a `start` line that hold unless the players change them."""
        return {"cards": self.cards, "pool": self.pool}


@dataclass(frozen=True, slots=True)
class Cat:
    end: str = key(
        kinds.one_of("limit", "rounds", "minutes"), "limit", "What ends the game; the key of that name says when."
    )
    limit: int = key(kinds.whole(1, 10_000), 100, "Points that put a player out.")
    rounds: int = key(kinds.whole(1, 1000), 5, "Number of rounds.")
    minutes: float = key(kinds.number(1, 1440), 30.0, "Minutes after which no new round starts.")
    scores: bool = key(kinds.yes_no(), True, "Whether points are written down; without them rounds won are counted.")
    younger: bool = key(kinds.yes_no(), False, "The variant for younger players.")
    pace: str = key(
        kinds.one_of("light", "full"), "light", "light: a turn is just ended. full: every draw is declared."
    )

    @property
    def usual(self) -> dict[str, Any]:
        """Members of a `start` line that hold unless the players change them."""
        end = {self.end: self.ends[self.end]}
        return {"end": end, "scores": self.scores, "younger": self.younger, "pace": self.pace}

    @property
    def ends(self) -> dict[str, Any]:
        """When each way to end a game ends it, unless the players change that."""
        return {"limit": self.limit, "rounds": self.rounds, "minutes": self.minutes}

    def problems(self) -> Problems:
        if not self.scores and self.end == "limit":
            yield "end", '"rounds" or "minutes", since without scores there are no points to limit'


@dataclass(frozen=True, slots=True)
class Free:
    dice: int = key(kinds.whole(1, 6), 2, "Number of dice at most.")

    @property
    def usual(self) -> dict[str, Any]:
        """Members of a `start` line that hold unless the players change them."""
        return {"dice": self.dice}


UNNAMED = "region"


@dataclass(frozen=True, slots=True)
class Region:
    name: str = key(kinds.name(NAME_LONGEST), UNNAMED, "Its colour's name; without one it is told by its number.")
    colour: Colour = key(kinds.colour(), (255, 255, 255), "Its colour on the ring.")
    spaces: tuple[str, ...] = key(
        kinds.list_of(kinds.one_of("choice", "token", "peek"), 1, 20, distinct=False),
        ("choice", "token", "peek"),
        "Its spaces, clockwise. The Wild space before it is always there and not written.",
    )


BOARD_REGIONS = tuple(Region(name, COLOURS[name]) for name in ("red", "yellow", "green", "blue", "purple"))


@dataclass(frozen=True, slots=True)
class Board:
    region: tuple[Region, ...] = sections(
        Region,
        BOARD_REGIONS,
        "The colour regions of the Roll board, clockwise from space 0: five tables, or none for these.",
        low=REGIONS,
        high=REGIONS,
    )

    def problems(self) -> Problems:
        yield from _named_alike("region", "region", [one.name for one in self.region if one.name != UNNAMED])


def _named_alike(key: str, what: str, names: Sequence[str]) -> Problems:
    """Names that players cannot tell apart, who see the first letter large."""
    seen = [unicodedata.normalize("NFC", name).casefold() for name in names]
    for name, times in Counter(seen).items():
        if times > 1:
            yield key, f'a name of its own for each {what} ("{names[seen.index(name)]}" is there {times} times)'


def _apart(one: float, other: float) -> float:
    """Distance round the ring of two places on it, in turns."""
    away = abs(one - other)
    return min(away, 1 - away)
