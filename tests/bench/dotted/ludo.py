"""Boards of ludo and their men."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tests.bench.dotted.palette import (
    BLACK,
    BRASS,
    GREEN,
    IVORY,
    RED,
    WHITE,
    WOODS,
    Bytes,
    Colour,
    Point,
    near,
    one_of,
    shaded,
    wood,
)
from tests.bench.dotted.piece import (
    Piece,
    area,
    bevel,
    blank,
    button_shape,
    disc,
    dome,
    dye,
    lift,
    line,
    mottle,
    polygon,
    slab,
)
from tests.bench.dotted.scene import FINE, Scene, any_turn, place, turned

SUITS_OF_LUDO = ((45, 40, 205), (60, 150, 45), (60, 205, 245), (190, 100, 35))


def ludo(scene: Scene) -> None:
    """Boards of ludo, whole or from near: yards with four rounds, tracks, arrows, and pawns."""
    rng = scene.rng
    squares = rng.random() < 0.6
    side = scene.span(200, 700) * rng.uniform(1.2, 1.6)
    if rng.random() < 0.5:
        side *= rng.uniform(1.6, 3.2)  # from near
    colours = [near(rng, colour, 8) for colour in SUITS_OF_LUDO]
    if not squares and rng.random() < 0.3:
        colours[3] = near(rng, BLACK, 8)
    colours = [colours[int(i)] for i in rng.permutation(4)]
    piece, fields, yards = _squared(rng, side, colours) if squares else _rounded(rng, side, colours)
    if rng.random() < 0.6:
        fold = area(piece)
        line(fold, ((side / 2, 0), (side / 2, side)), 4, 255)
        lift(piece, fold, -3, 2)
    turn = any_turn(rng) if rng.random() < 0.4 else float(rng.normal(0, 0.2) + rng.integers(4) * math.pi / 2)
    seen = yards[int(rng.integers(4))][int(rng.integers(4))] if side > 1.2 * min(scene.size) * FINE else (0.0, 0.0)
    at = turned(scene.middle, turn, -seen[0] * rng.uniform(0.7, 1.1), -seen[1] * rng.uniform(0.7, 1.1))
    place(scene, piece, at, turn)
    unit = side / 15 if squares else side / 12.5
    flat, men = rng.random() < 0.25, []
    for suit in range(4):
        home, away = rng.choice((0, 2, 4, 4)), int(rng.integers(0, 3))
        men += [(spot, suit) for spot in yards[suit][: int(home)]]
        men += [(fields[int(rng.integers(len(fields)))], suit) for _ in range(away)]
    stands = dict(men)  # one man to a field
    if rng.random() < 0.3:
        stands = {}
    on_ground = [(turned(at, turn, *spot), suit) for spot, suit in stands.items()]
    for spot, suit in sorted(on_ground, key=lambda man: man[0][1]):
        _man(scene, scene.above(spot, piece.thick), unit, colours[suit], flat)


def _man(scene: Scene, at: Point, unit: float, colour: Colour, flat: bool) -> None:
    """A pawn with a round head, or a flat counter."""
    colour = shaded(colour, 0.85)
    if flat:
        counter, middle, radius = button_shape(unit * 0.68, colour, unit * 0.18, 0.4)
        ring = area(counter)
        disc(ring, middle, radius * 0.75)
        lift(counter, ring, -unit * 0.03, unit * 0.015 + 0.5)
        bevel(counter, unit * 0.03, unit * 0.03)
        place(scene, counter, at)
        return
    high = 0.0
    for share in np.linspace(0.62, 0.24, 9):
        level, _, _ = button_shape(unit * share, colour, unit * 0.1, 0.3)
        bevel(level, unit * 0.02 + 1, unit * 0.02)
        place(scene, level, scene.above(at, high))
        high += unit * 0.1
    head, middle, radius = button_shape(unit * 0.44, colour, 0, 0.7)
    dome(head, middle, radius, radius, radius)
    place(scene, head, scene.above(at, high + unit * 0.12), tall=1.0)


def _arrow(image: Bytes, at: Point, size: float, quarter: int, colour: Colour) -> None:
    """An arrow that points along a quarter turn."""
    shape = np.asarray(
        [(-0.4, -0.12), (0.05, -0.12), (0.05, -0.32), (0.42, 0), (0.05, 0.32), (0.05, 0.12), (-0.4, 0.12)]
    )
    c, s = round(math.cos(quarter * math.pi / 2)), round(math.sin(quarter * math.pi / 2))
    polygon(image, shape @ np.asarray([[c, s], [-s, c]]) * size + np.asarray(at), colour)


def _star(image: Bytes, at: Point, size: float, colour: Colour) -> None:
    turns = np.arange(10) * math.pi / 5 - math.pi / 2
    reach = np.where(np.arange(10) % 2, 0.17, 0.42) * size
    polygon(image, np.stack([at[0] + reach * np.cos(turns), at[1] + reach * np.sin(turns)], 1), colour)


Yards = list[list[Point]]


def _squared(rng: np.random.Generator, side: float, colours: Sequence[Colour]) -> tuple[Piece, list[Point], Yards]:
    """A board whose track is a cross of squares; its yards are squares with four rounds."""
    paper = near(rng, WHITE, 5)
    piece = blank(side, side, paper, side * 0.012, rng.uniform(0.05, 0.3))
    slab(piece.mask, 1, 1, side - 2, side - 2, side * 0.01)
    unit = side * 0.96 / 15
    pen, ink = max(1.0, unit * 0.05), one_of(rng, (BLACK, (70, 70, 70), (90, 70, 60)), 5)
    inverse, ringed = rng.random() < 0.4, rng.random() < 0.7
    fields: list[Point] = []
    yards: Yards = []

    def spot(x: float, y: float) -> Point:
        return side * 0.02 + x * unit, side * 0.02 + y * unit

    def field(x: int, y: int, colour: Colour) -> Point:
        left, top = spot(x, y)
        slab(piece.colour, left, top, unit, unit, 1, ink)
        slab(piece.colour, left + pen / 2, top + pen / 2, unit - pen, unit - pen, 1, colour)
        return spot(x + 0.5, y + 0.5)

    for x in range(15):
        for y in range(15):
            if (6 <= x <= 8) != (6 <= y <= 8):
                at = field(x, y, paper)
                fields.append((at[0] - side / 2, at[1] - side / 2))
    ways = ((1, 0), (0, 1), (-1, 0), (0, -1))
    for suit, ((dx, dy), colour) in enumerate(zip(ways, colours, strict=True)):
        for step in range(2, 7):  # the way home
            field(7 - dx * step, 7 - dy * step, colour)
        start = (7 - dx * 6 + dy, 7 - dy * 6 - dx)
        at = field(*start, colour)
        _arrow(piece.colour, at, unit, suit, WHITE)
        entry = spot(7.5 - dx * 7, 7.5 - dy * 7)
        _arrow(piece.colour, entry, unit, suit, colour)
        _star(piece.colour, spot(7.5 - dx * 5 - dy, 7.5 - dy * 5 + dx), unit, ink)
        corner = spot(7.5 - 1.5 * (dx + dy), 7.5 - 1.5 * (dy - dx))
        other = spot(7.5 - 1.5 * (dx - dy), 7.5 - 1.5 * (dy + dx))
        polygon(piece.colour, (spot(7.5, 7.5), corner, other), colour)
        line(piece.colour, (corner, spot(7.5, 7.5), other), pen, ink)
        # the yard lies beside the start
        cx, cy = 7.5 - 4.5 * (dx - dy), 7.5 - 4.5 * (dx + dy)
        left, top = spot(cx - 3, cy - 3)
        slab(piece.colour, left, top, unit * 6, unit * 6, 1, ink)
        slab(piece.colour, left + pen, top + pen, unit * 6 - 2 * pen, unit * 6 - 2 * pen, 1, colour)
        inner = unit * 4
        left, top = spot(cx - 2, cy - 2)
        slab(piece.colour, left, top, inner, inner, unit * (0.6 if ringed else 0.05), colour if inverse else paper)
        yards.append([])
        for off_x, off_y in ((-0.95, -0.95), (0.95, -0.95), (-0.95, 0.95), (0.95, 0.95)):
            at = spot(cx + off_x, cy + off_y)
            disc(piece.colour, at, unit * 0.52, ink)
            disc(piece.colour, at, unit * 0.47, paper if inverse else colour)
            if ringed and not inverse:
                disc(piece.colour, at, unit * 0.33, shaded(colour, 0.8))
            yards[-1].append((at[0] - side / 2, at[1] - side / 2))
    mottle(piece, rng, 3, (60, 2))
    return piece, fields, yards


def _rounded(rng: np.random.Generator, side: float, colours: Sequence[Colour]) -> tuple[Piece, list[Point], Yards]:
    """A board whose track is a cross of rounds on a line; its yards are four rounds each, of paper or of wood."""
    wooden = rng.random() < 0.35
    piece = blank(side, side, one_of(rng, ((120, 215, 240), (150, 225, 245), IVORY, (140, 200, 225)), 8), side * 0.015)
    if wooden:
        piece.colour = wood(piece.mask.shape, rng, one_of(rng, WOODS))
    slab(piece.mask, 1, 1, side - 2, side - 2, side * 0.02)
    unit, radius = side / 12.5, side / 12.5 * rng.uniform(0.34, 0.42)
    ink, border = one_of(rng, (BLACK, (40, 40, 60)), 4), one_of(rng, (RED, BRASS, BLACK, GREEN))
    line(
        piece.colour,
        [(side * a, side * b) for a, b in ((0.03, 0.03), (0.97, 0.03), (0.97, 0.97), (0.03, 0.97), (0.03, 0.03))],
        side * 0.012,
        border,
    )

    def spot(x: float, y: float) -> Point:
        return side / 2 + x * unit, side / 2 + y * unit

    def round_(at: Point, colour: Colour) -> Point:
        disc(piece.colour, at, radius, ink)
        disc(piece.colour, at, radius * 0.9, colour)
        if wooden:
            hole = area(piece)
            disc(hole, at, radius * 0.35)
            dye(piece, hole, (25, 30, 40))
        return at[0] - side / 2, at[1] - side / 2

    fields: list[Point] = []
    yards: Yards = []
    way = [(-5, -1), (-1, -1), (-1, -5), (1, -5), (1, -1), (5, -1), (5, 1), (1, 1), (1, 5), (-1, 5), (-1, 1), (-5, 1)]
    line(piece.colour, [spot(x, y) for x, y in (*way, way[0])], unit * 0.06, ink)
    for (x, y), (to_x, to_y) in zip(way, (*way[1:], way[0]), strict=True):
        steps = max(abs(to_x - x), abs(to_y - y))
        for step in range(steps):
            at = spot(x + (to_x - x) * step / steps, y + (to_y - y) * step / steps)
            fields.append(round_(at, near(rng, WHITE, 3)))
    for suit, ((dx, dy), colour) in enumerate(zip(((1, 0), (0, 1), (-1, 0), (0, -1)), colours, strict=True)):
        for step in range(1, 5):
            round_(spot(-dx * step, -dy * step), colour)
        round_(spot(-dx * 5 + dy, -dy * 5 - dx), colour)
        _arrow(piece.colour, spot(-dx * 5 + dy * 1.9, -dy * 5 - dx * 1.9), unit * 0.7, suit, ink)
        yards.append(
            [
                round_(spot(-4.5 * (dx - dy) + x, -4.5 * (dx + dy) + y), colour)
                for x, y in ((-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5))
            ]
        )
    mottle(piece, rng, 3, (60, 2))
    return piece, fields, yards
