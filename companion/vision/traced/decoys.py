"""Things by lot whose spots are set as on a die, and which are none: all around these tells each for something else."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from companion.vision.scene.faces import PIPS
from companion.vision.traced.looks import any_colour, between, screen_colour
from companion.vision.traced.model import Colour, Mark, Thing, Top

OF_ONE_KIND = 0.5  # of the scenes show one kind of them alone: a domino does not lie by itself
GAP = 0.25  # between two of them, at least
PATIENCE = 200
BLACK = (0.01, 0.01, 0.01)


def decoys(rng: np.random.Generator, count: int, half: float) -> tuple[Thing, ...]:
    """Up to so many, apart from each other, in the middle of a table of which 2 × `half` can be seen."""
    kinds = tuple(DECOYS)
    one = str(rng.choice(kinds)) if rng.random() < OF_ONE_KIND else None
    found: list[Thing] = []
    for _ in range(PATIENCE):
        if len(found) == count:
            break
        x, y = (float(at) for at in rng.uniform(-0.8 * half, 0.8 * half, 2))
        thing = decoy(rng, one or str(rng.choice(kinds)), x, y)
        if all(math.hypot(x - other.x, y - other.y) > _reach(thing) + _reach(other) + GAP for other in found):
            found.append(thing)
    return tuple(found)


def _reach(thing: Thing) -> float:
    return math.hypot(*thing.shape[:2]) / 2


def decoy(rng: np.random.Generator, kind: str, x: float, y: float) -> Thing:
    """One of a kind. Raises KeyError for a kind that is none of DECOYS."""
    drawn, coloured = DECOYS[kind]
    shape, top = drawn(rng)
    colour = coloured(rng)
    return Thing(
        kind=kind,
        x=x,
        y=y,
        size=1.0,
        yaw=between(rng, (0, 2 * math.pi)),
        colour=colour,
        roughness=between(rng, (0.1, 0.7)),
        shape=shape,
        top=top,
    )


Drawn = tuple[tuple[float, float, float], Top]
"""The sides of a thing, across, along and up, and what is on its top."""


def _domino(rng: np.random.Generator) -> Drawn:
    wide = between(rng, (0.8, 1.5))
    radius, apart = wide * between(rng, (0.06, 0.13)), wide * between(rng, (0.22, 0.31))
    marks = [Mark(0, 0, wide * between(rng, (0.3, 0.5)), wide * between(rng, (0.01, 0.04)), square=True)]
    for middle in (-wide / 2, wide / 2):
        places = PIPS.get(str(rng.integers(7)), ())
        marks += [Mark(apart * u, middle + apart * v, radius, radius) for u, v in places]
    if rng.random() < 0.3:
        marks[0] = Mark(0, 0, radius / 2, radius / 2)  # a rivet in place of the bar
    shape = wide, 2 * wide * between(rng, (0.95, 1.05)), wide * between(rng, (0.1, 0.5))
    return shape, Top(tuple(marks), _ink(rng), dent=_dent(rng), rounding=wide * between(rng, (0.02, 0.15)))


def _button(rng: np.random.Generator) -> Drawn:
    wide, holes = between(rng, (0.7, 1.6)), int(rng.choice((2, 4, 4)))
    apart, radius = wide * between(rng, (0.09, 0.16)), wide * between(rng, (0.04, 0.08))
    marks = [Mark(apart * u, apart * v, radius, radius) for u, v in _around(holes)]
    high = wide * between(rng, (0.1, 0.25))
    rim = between(rng, (0, 0.08)) * wide
    return (wide, wide, high), Top(
        tuple(marks), BLACK, dent=1.0, through=rng.random() < 0.6, rounding=high / 3, rim=rim
    )


def _socket(rng: np.random.Generator) -> Drawn:
    """Round holes near the middle of a well, or slots, some of them with a third one below."""
    wide = between(rng, (1.0, 2.2))
    apart, radius = wide * between(rng, (0.1, 0.17)), wide * between(rng, (0.03, 0.06))
    slots = rng.random() < 0.5
    high = radius * between(rng, (1.8, 3)) if slots else radius
    marks = [Mark(side * apart, 0.0, radius, high, square=slots) for side in (-1, 1)]
    if slots and rng.random() < 0.6:
        marks.append(Mark(0.0, -2 * apart, radius, radius))
    top = Top(tuple(marks), BLACK, dent=1.0, rounding=wide * between(rng, (0.03, 0.12)), rim=wide * 0.38)
    return (wide, wide, wide * between(rng, (0.1, 0.6))), top


def _plate(rng: np.random.Generator) -> Drawn:
    step, across, along = between(rng, (0.2, 0.55)), int(rng.integers(3, 8)), int(rng.integers(3, 10))
    radius, square, offset = step * between(rng, (0.18, 0.38)), rng.random() < 0.2, rng.random() < 0.35
    shifts = (-0.25 * offset, 0.25 * offset)
    marks = [
        Mark(step * (u + shifts[row % 2]), step * v, radius, radius, square=square)
        for row, u, v in _grid(across, along)
    ]
    shape = step * (across + offset), step * (along + 0.2), between(rng, (0.04, 0.2))
    return shape, Top(tuple(marks), BLACK, metal=rng.random() < 0.7, through=True, rounding=0.02)


def _biscuit(rng: np.random.Generator) -> Drawn:
    wide, long = between(rng, (1.0, 2.4)), between(rng, (0.9, 1.5))
    rows, columns = int(rng.integers(3, 6)), int(rng.integers(3, 6))
    radius = wide * between(rng, (0.015, 0.05))
    jitter = rng.normal(0, 0.012 * wide, (rows, columns, 2))
    marks = [
        Mark(
            wide * (0.7 * (column + 0.5) / columns - 0.35) + jitter[row, column, 0],
            wide * long * (0.7 * (row + 0.5) / rows - 0.35) + jitter[row, column, 1],
            radius,
            radius,
        )
        for row in range(rows)
        for column in range(columns)
    ]
    shade = screen_colour(0.07, 0.7, between(rng, (0.2, 0.45)))
    rough = between(rng, (0.15, 0.35))
    return (wide, wide * long, wide * between(rng, (0.12, 0.3))), Top(
        tuple(marks), shade, dent=1.0, rounding=0.06 * wide, grain=between(rng, (2, 8)), rough=rough
    )


def _ladybird(rng: np.random.Generator) -> Drawn:
    wide, long = between(rng, (0.8, 1.6)), between(rng, (1.0, 1.35))
    rows, radius = int(rng.integers(1, 5)), wide * between(rng, (0.06, 0.13))
    marks: list[Mark] = []
    for row in range(rows):
        along = wide * long * (0.75 * (row + 0.5) / rows - 0.375)
        reach = wide * between(rng, (0.16, 0.3)) * math.sqrt(1 - (2 * along / (wide * long)) ** 2)
        marks += [Mark(side * reach, along, radius, radius * between(rng, (0.8, 1.2))) for side in (-1, 1)]
    if rng.random() < 0.5:
        marks.append(Mark(0, wide * long * between(rng, (-0.1, 0.35)), radius, radius))
    if rng.random() < 0.8:
        marks.append(Mark(0, 0, wide * between(rng, (0.01, 0.03)), wide * long / 2, square=True))
    ink = BLACK if rng.random() < 0.75 else _ink(rng)
    return (wide, wide * long, wide * between(rng, (0.35, 0.6))), Top(tuple(marks), ink)


def _brick(rng: np.random.Generator) -> Drawn:
    step = between(rng, (0.4, 1.1))
    across, along = ((1, 1), (1, 2), (2, 2), (2, 3), (2, 4), (1, 3), (1, 4))[int(rng.integers(7))]
    radius = step * between(rng, (0.27, 0.34))
    studs = tuple(Mark(step * u, step * v, radius, radius) for _, u, v in _grid(across, along))
    shape = step * across, step * along, step * between(rng, (0.4, 1.2))
    return shape, Top((), BLACK, rounding=0.02 * step, studs=studs)


def _grid(across: int, along: int) -> Iterator[tuple[int, float, float]]:
    """Places one step apart around a middle, row by row, each with the number of its row."""
    for row in range(along):
        for column in range(across):
            yield row, column - (across - 1) / 2, row - (along - 1) / 2


def _around(count: int) -> tuple[tuple[float, float], ...]:
    """Places around a middle, as far apart as they can be; four as the corners of a square."""
    turns = 2 * np.pi * (np.arange(count) + 0.5) / count
    return tuple((float(math.sqrt(2) * np.cos(turn)), float(math.sqrt(2) * np.sin(turn))) for turn in turns)


def _ink(rng: np.random.Generator) -> Colour:
    if rng.random() < 0.7:
        return BLACK if rng.random() < 0.6 else screen_colour(0, 0, 0.95)
    return any_colour(rng)


def _dent(rng: np.random.Generator) -> float:
    return 0.0 if rng.random() < 0.25 else between(rng, (0.3, 1))


def _plain_body(rng: np.random.Generator) -> Colour:
    if rng.random() < 0.5:
        return screen_colour(0.1, between(rng, (0, 0.25)), between(rng, (0.75, 1)))
    return screen_colour(0, 0, between(rng, (0.02, 0.2))) if rng.random() < 0.4 else any_colour(rng)


def _steel(rng: np.random.Generator) -> Colour:
    return screen_colour(0.1, between(rng, (0, 0.3)), between(rng, (0.5, 0.9)))


def _baked(rng: np.random.Generator) -> Colour:
    return screen_colour(between(rng, (0.06, 0.12)), between(rng, (0.3, 0.75)), between(rng, (0.55, 0.95)))


def _wing(rng: np.random.Generator) -> Colour:
    if rng.random() < 0.25:
        return any_colour(rng)
    return screen_colour(between(rng, (-0.03, 0.13)), between(rng, (0.75, 1)), between(rng, (0.55, 1)))


DECOYS: dict[str, tuple[Callable[[np.random.Generator], Drawn], Callable[[np.random.Generator], Colour]]] = {
    "domino": (_domino, _plain_body),
    "button": (_button, any_colour),
    "socket": (_socket, _plain_body),
    "plate": (_plate, _steel),
    "biscuit": (_biscuit, _baked),
    "ladybird": (_ladybird, _wing),
    "brick": (_brick, any_colour),
}
"""By lot, of each kind: its sides and its top, and the colour of its body."""
