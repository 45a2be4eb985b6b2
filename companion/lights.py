"""The ring of LEDs: one RingView in, one colour an LED out. Pure; what moves, moves with the beat that is passed in.

Within this module LEDs are counted clockwise from the one in front of the first seat and of the board's space 0.
Levels are fractions of full current, which the eye takes for more: a tenth is still plainly seen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

from companion.ports import Colour
from companion.view import Mood, RingView, Seat

Lights: TypeAlias = dict[int, Colour]  # LED, counted clockwise -> its colour; the others are dark

DARK: Colour = (0, 0, 0)
WHITE: Colour = (255, 255, 255)
RED: Colour = (255, 0, 0)
FULL, ARC, WAITING, WAY, GLIMMER = 1.0, 0.35, 0.1, 0.15, 0.04
WIDEST_ARC = 1 / 6  # of the ring: two seats' arcs should not look like the whole table
ARC_OF_GAP = 0.8  # of the distance to the next seat, so that a dark gap parts neighbours
ROUNDING = 1e-9  # of the ring; an LED on the very edge of an arc is in it
BREATH_BEATS = 16
RUNNING_BEATS = 1  # between two steps of what runs along the ring
CHASE_LEDS = 3  # LEDs of one colour in the winners' chase


@dataclass(frozen=True, slots=True)
class RingLayout:
    """Where the LEDs are. `leds`: 1 or more. `first`: the LED in front of the first seat and of the board's space 0.

    `clockwise`: whether LED numbers grow clockwise, seen from above. `brightness`: 0-1, the most any LED may get.
    `reading`: level of the still white light while dice are thrown and read, before brightness; 0 is dark.
    `spaces`: the LED in front of each board space, clockwise; where it is of another length, spaces lie evenly.
    """

    leds: int
    first: int = 0
    clockwise: bool = True
    brightness: float = 0.4
    reading: float = 0.2
    spaces: tuple[int, ...] = ()

    def clockwise_of(self, led: int) -> int:
        """An LED by its number, counted clockwise from the first."""
        return (led - self.first if self.clockwise else self.first - led) % self.leds


def colours(ring: RingView, layout: RingLayout, beat: int) -> tuple[Colour, ...]:
    """The colour of every LED, LED 0 first. `beat` counts up, some a second; it is ignored while dice are read."""
    lights = _lights(ring, layout, beat)
    clockwise = (layout.clockwise_of(led) for led in range(layout.leds))
    return tuple(_level(lights.get(place, DARK), layout.brightness) for place in clockwise)


def _lights(ring: RingView, layout: RingLayout, beat: int) -> Lights:
    match ring.mood:
        case Mood.READING:
            return _all(layout.leds, _level(WHITE, layout.reading))
        case Mood.IDLE:
            return _all(layout.leds, _level(WHITE, GLIMMER * _breath(beat)))
        case Mood.SETUP:
            seats = _seated(ring, layout.leds)
            return _all(layout.leds, _level(WHITE, GLIMMER)) | seats | _standing(ring, layout, beat)
        case Mood.TURN:
            return _playing(ring, layout, beat)
        case Mood.FINAL:
            return _playing(ring, layout, beat, heartbeat=True)
        case Mood.WINNER:
            return _winners(ring, layout.leds, beat)
        case Mood.TROUBLE:
            return _alarm(layout.leds, beat) | _playing(ring, layout, beat)


def _all(leds: int, colour: Colour) -> Lights:
    return dict.fromkeys(range(leds), colour)


def _seated(ring: RingView, leds: int) -> Lights:
    """Every seat that plays, waiting in its colour; the one that is asked about shines."""
    lights: Lights = {}
    for number, seat in enumerate(ring.seats):
        if not seat.dark:
            level = ARC if number == ring.active else WAITING
            lights |= dict.fromkeys(arc(ring.seats, number, leds), _level(seat.colour, level))
    return lights


def _playing(ring: RingView, layout: RingLayout, beat: int, *, heartbeat: bool = False) -> Lights:
    """Whose turn it is and who is still to come, or, where it is nobody's as while hands are revealed, all who play;
    over them the way, and every token beside the landing and the pawn."""
    leds, standing = layout.leds, _standing(ring, layout, beat)
    turn = _still_to_come(ring, leds) | _active(ring, leds, beat, heartbeat=heartbeat)
    seats = _seated(ring, leds) if ring.active is None else turn
    return seats | _running(ring, layout, beat) | _tokens(ring, leds, standing) | standing


def _active(ring: RingView, leds: int, beat: int, *, heartbeat: bool) -> Lights:
    """The active seat's arc in its colour."""
    if ring.active is None or not 0 <= ring.active < len(ring.seats):
        return {}
    level = ARC * (1 if not heartbeat or beat % 4 < 2 else 0.4)
    return dict.fromkeys(arc(ring.seats, ring.active, leds), _level(ring.seats[ring.active].colour, level))


def _tokens(ring: RingView, leds: int, standing: Lights) -> Lights:
    """On the active seat's arc one bright LED a token, apart from each other where there is room."""
    if ring.active is None or not 0 <= ring.active < len(ring.seats):
        return {}
    seat = ring.seats[ring.active]
    places = tuple(led for led in arc(ring.seats, ring.active, leds) if led not in standing)
    return dict.fromkeys(_token_places(places, seat.tokens), _level(seat.colour, FULL))


def _token_places(places: tuple[int, ...], tokens: int) -> tuple[int, ...]:
    """Every other LED in the middle of the arc, or side by side where they are too many for that."""
    step = 2 if 2 * tokens - 1 <= len(places) else 1
    shown = max(0, min(tokens, len(places)))
    start = (len(places) - (step * (shown - 1) + 1)) // 2
    return places[start::step][:shown]


def _still_to_come(ring: RingView, leds: int) -> Lights:
    """While turns are counted down: the seats that have one left wait in their colour, the others are dark."""
    if ring.countdown is None or ring.active is None:
        return {}
    playing = [number % len(ring.seats) for number in range(ring.active, ring.active + len(ring.seats))]
    coming = [number for number in playing if not ring.seats[number].dark][: max(0, ring.countdown)]
    lights: Lights = {}
    for number in coming:
        lights |= dict.fromkeys(arc(ring.seats, number, leds), _level(ring.seats[number].colour, WAITING))
    return lights


def _running(ring: RingView, layout: RingLayout, beat: int) -> Lights:
    """The way dim, with a light running along it."""
    if ring.pawn is None or ring.landing is None or not _on_board(ring, ring.pawn) or not _on_board(ring, ring.landing):
        return {}
    way = _way(ring.pawn, ring.landing, ring.spaces)
    runner = beat // RUNNING_BEATS % (len(way) + 1)
    lights: Lights = {}
    for step, space in enumerate(way):
        level = FULL if step == runner else WAY
        lights |= dict.fromkeys(board_leds(space, ring.spaces, layout), _level(_space_colour(ring, space), level))
    return lights


def _standing(ring: RingView, layout: RingLayout, beat: int) -> Lights:
    """The landing space blinking in its colour, and the pawn white."""
    if ring.pawn is None or not _on_board(ring, ring.pawn):
        return {}
    pawn = dict.fromkeys(board_leds(ring.pawn, ring.spaces, layout), WHITE)
    if ring.landing is None or not _on_board(ring, ring.landing):
        return pawn
    level = WAY if beat % 4 == 3 else FULL
    place = board_leds(ring.landing, ring.spaces, layout)
    return dict.fromkeys(place, _level(_space_colour(ring, ring.landing), level)) | pawn


def _on_board(ring: RingView, space: int) -> bool:
    return 0 <= space < ring.spaces


def _way(pawn: int, landing: int, spaces: int) -> list[int]:
    """The spaces between the two, clockwise."""
    return [(pawn + step) % spaces for step in range(1, (landing - pawn) % spaces)]


def _space_colour(ring: RingView, space: int) -> Colour:
    return ring.space_colours[space] if space < len(ring.space_colours) else WHITE


def _winners(ring: RingView, leds: int, beat: int) -> Lights:
    """The winners' colours chase each other round the ring; their own arcs shine."""
    won = [number for number in ring.winners if 0 <= number < len(ring.seats)]
    bands = [_level(ring.seats[number].colour, ARC) for number in won] or [_level(WHITE, ARC)]
    bands = [band for colour in bands for band in (colour, DARK)]
    lights = {led: bands[(led - beat) // CHASE_LEDS % len(bands)] for led in range(leds)}
    for number in won:
        lights |= dict.fromkeys(arc(ring.seats, number, leds), ring.seats[number].colour)
    return lights


def _alarm(leds: int, beat: int) -> Lights:
    """Every third LED glows red, on and off: something is lost, and the game goes on."""
    return dict.fromkeys(range(0, leds, 3), _level(RED, WAITING if beat % 8 < 4 else 0))


def arc(seats: tuple[Seat, ...], number: int, leds: int) -> tuple[int, ...]:
    """The LEDs in front of a seat, clockwise: at least one, and none nearer to another seat."""
    place = seats[number].place % 1
    gaps = [_apart(place, other.place % 1) for n, other in enumerate(seats) if n != number]
    width = min([WIDEST_ARC, *(ARC_OF_GAP * gap for gap in gaps)])
    centre = math.floor((place + ROUNDING) * leds + 0.5)  # a half always up: to even, two seats would share an LED
    reach = int(leds * width) + 1
    near = (centre + step for step in range(-reach, reach + 1))
    within = dict.fromkeys(led % leds for led in near if abs(led / leds - place) <= width / 2 + ROUNDING)
    return tuple(within) or (centre % leds,)


def board_leds(space: int, spaces: int, layout: RingLayout) -> tuple[int, ...]:
    """The LEDs of a board space, clockwise: about where it was found, halfway to its neighbours, which stay apart."""
    if len(layout.spaces) != spaces:
        return space_leds(space, spaces, layout.leds)
    before, here, after = (layout.clockwise_of(layout.spaces[(space + step) % spaces]) for step in (-1, 0, 1))
    back = 0 if before == here else (here - before - 1) % layout.leds // 2
    on = (after - here - 2) % layout.leds // 2
    crowded = after == here or (after - here) % layout.leds == 1
    return tuple((here + step) % layout.leds for step in range(-back, 1 if crowded else on + 1))


def space_leds(space: int, spaces: int, leds: int) -> tuple[int, ...]:
    """The LEDs of a board space, clockwise: at least one; of three or more the last stays dark as a gap."""
    start, end = (-(-((2 * space + side) * leds) // (2 * spaces)) for side in (-1, 1))
    if end <= start:
        return (round(space * leds / spaces) % leds,)
    end -= 1 if end - start >= 3 else 0
    return tuple(led % leds for led in range(start, end))


def _apart(one: float, other: float) -> float:
    """Distance round the ring of two places on it, in turns."""
    away = abs(one - other)
    return min(away, 1 - away)


def _breath(beat: int) -> float:
    """Rises and falls between 0.25 and 1."""
    half = BREATH_BEATS // 2
    return 0.25 + 0.75 * abs(beat % BREATH_BEATS - half) / half


def _level(colour: Colour, level: float) -> Colour:
    """The colour at a fraction of its current; what is lit at all stays lit."""
    red, green, blue = (_part(part, level) for part in colour)
    return red, green, blue


def _part(part: int, level: float) -> int:
    scaled = max(0, min(255, part)) * max(0.0, min(1.0, level))
    return max(1, round(scaled)) if scaled > 0 else 0
