"""Things of a house: buttons, plates with holes, sockets, keys, lamps and colanders."""

from __future__ import annotations

import math
from collections.abc import Iterator

import cv2
import numpy as np

from tests.bench.dotted.palette import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    IVORY,
    ORANGE,
    RED,
    STEEL,
    VIVID,
    WHITE,
    YELLOW,
    Colour,
    Point,
    one_of,
    shaded,
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
    write,
)
from tests.bench.dotted.scene import Scene, any_turn, place, some, spots


def buttons(scene: Scene) -> None:
    """Shirt and coat buttons with two or four holes, loose or sewn on."""
    rng = scene.rng
    alike = rng.random() < 0.5
    colour = one_of(rng, (*VIVID, WHITE, IVORY, BLACK, GREY, (60, 90, 130)))
    holes, sewn = int(rng.choice((2, 4))), rng.random() < 0.3
    for at, span in spots(scene, some(scene)):
        if not alike:
            colour, holes = one_of(rng, (*VIVID, WHITE, IVORY, BLACK, GREY, (60, 90, 130))), int(rng.choice((2, 4)))
        place(scene, _button(rng, span, colour, holes, sewn), at, any_turn(rng))


def _button(rng: np.random.Generator, span: float, colour: Colour, holes: int, sewn: bool) -> Piece:
    piece, middle, radius = button_shape(span, colour, span * 0.08, rng.uniform(0.2, 0.7))
    if rng.random() < 0.5:  # horn or mother of pearl
        mottle(piece, rng, rng.uniform(6, 22), (int(span / 4) + 2, int(span / 9) + 2))
    bevel(piece, span * 0.03, span * 0.06)
    well = area(piece)
    disc(well, middle, radius * rng.uniform(0.55, 0.78))
    lift(piece, well, -span * rng.uniform(0.03, 0.06), span * 0.02)
    away, size = radius * rng.uniform(0.2, 0.28), radius * rng.uniform(0.08, 0.12)
    turns = np.arange(holes) * 2 * math.pi / holes + math.pi / 4
    places = [(middle[0] + away * math.cos(t), middle[1] + away * math.sin(t)) for t in turns]
    pits = area(piece)
    for at in places:
        disc(pits, at, size)
    lift(piece, pits, -span * 0.03, span * 0.008)
    if sewn:
        dye(piece, pits, shaded(colour, 0.3))
        thread, stitch = one_of(rng, (*VIVID, WHITE, BLACK)), area(piece)
        for i in range(holes // 2):
            line(stitch, (places[i], places[i + holes // 2]), size * 1.4, 255)
        dye(piece, stitch, thread)
        lift(piece, stitch, span * 0.03, span * 0.01)
    else:
        piece.mask &= ~pits
    return piece


def perforated(scene: Scene) -> None:
    """A sheet of perforated metal or of pegboard, or strips of it."""
    rng = scene.rng
    deep, wide = scene.paint.shape[:2]
    if rng.random() < 0.4:
        place(scene, _holed(rng, wide * 1.5, deep * 1.5, scene.span(30, 110)), scene.middle, any_turn(rng))
        return
    for at, span in spots(scene, some(scene, 110, number=4)):
        long = span * rng.uniform(0.8, 1.0)
        place(scene, _holed(rng, long, long * rng.uniform(0.3, 1.0), span * rng.uniform(0.25, 0.5)), at, any_turn(rng))


def _holed(rng: np.random.Generator, w: float, h: float, cell: float) -> Piece:
    """A sheet whose holes lie some pixels apart; a cell holds two or three of them each way."""
    step = max(14.0, cell / rng.uniform(1.5, 3))
    board = rng.random() < 0.4
    colour = one_of(
        rng, ((90, 140, 180), WHITE, (110, 150, 180)) if board else (STEEL, STEEL, BLACK, (150, 160, 165), BLUE)
    )
    piece = blank(w, h, colour, 14 if board else 8, 0.1 if board else 0.5)
    slab(piece.mask, 2, 2, w - 4, h - 4, min(w, h) * rng.uniform(0, 0.08))
    mottle(piece, rng, 5 if board else 9, (90, 2) if board else (60,))
    holes, stagger, size = area(piece), rng.random() < 0.45, step * rng.uniform(0.14, 0.32)
    square = rng.random() < 0.15
    for row, y in enumerate(np.arange(step * 0.7, h - step * 0.5, step * (0.87 if stagger else 1))):
        for x in np.arange(step * (1.2 if stagger and row % 2 else 0.7), w - step * 0.5, step):
            if square:
                slab(holes, x - size, y - size, 2 * size, 2 * size, size * 0.2)
            else:
                disc(holes, (x, y), size)
    if rng.random() < 0.6:  # what lies below is in the dark
        dye(piece, holes, shaded(colour, 0.12))
        lift(piece, holes, -size * 0.5, size * 0.12)
    else:
        piece.mask &= ~holes
    return piece


def sockets(scene: Scene) -> None:
    """Power sockets on a wall or a strip, and plugs seen from the front."""
    rng = scene.rng
    style, body = int(rng.integers(4)), one_of(rng, (WHITE, WHITE, IVORY, BLACK, STEEL), 6)
    if rng.random() < 0.3:
        for at, span in spots(scene, some(scene)):
            _plug(scene, at, span, style, one_of(rng, (WHITE, BLACK, GREY)))
        return
    if rng.random() < 0.4:
        span, count = scene.span(50, 110), int(rng.integers(3, 7))
        place(scene, _strip(rng, span, count, style, body), scene.middle, any_turn(rng))
        return
    for at, span in spots(scene, some(scene, 60, number=4), 1.7):
        count = int(rng.integers(1, 4)) if span < 200 else 1
        place(scene, _plate(rng, span, count, style, body), at, float(rng.normal(0, 0.1)))


def _plate(rng: np.random.Generator, span: float, count: int, style: int, body: Colour) -> Piece:
    w = span * (count * 0.9 + 0.1)
    piece = blank(w + 4, span + 4, body, span * 0.06, 0.3)
    slab(piece.mask, 2, 2, w, span, span * rng.uniform(0.02, 0.1))
    bevel(piece, span * 0.015, span * 0.03)
    for i in range(count):
        _outlet(piece, (2 + span * (0.5 + 0.9 * i), 2 + span / 2), span * 0.38, style, 0.0)
    return piece


def _strip(rng: np.random.Generator, span: float, count: int, style: int, body: Colour) -> Piece:
    w = span * (count + 0.9)
    piece = blank(w + 4, span * 1.2 + 4, body, span * 0.35, 0.3)
    slab(piece.mask, 2, 2, w, span * 1.2, span * 0.2)
    bevel(piece, span * 0.04, span * 0.06)
    turn = float(rng.choice((0.0, math.pi / 4, math.pi / 2)))
    for i in range(count):
        _outlet(piece, (2 + span * (0.6 + i), 2 + span * 0.6), span * 0.43, style, turn)
    key = area(piece)
    slab(key, 2 + span * (count + 0.25), span * 0.35, span * 0.4, span * 0.55, span * 0.05)
    dye(piece, key, one_of(rng, (RED, ORANGE, BLACK)))
    lift(piece, key, span * 0.06, span * 0.03)
    return piece


def _outlet(piece: Piece, at: Point, radius: float, style: int, turn: float) -> None:
    """The openings of one socket: round with two holes, three slots, two slots and a hole, or three holes in a row."""
    c, s = math.cos(turn), math.sin(turn)
    holes = area(piece)

    def spot(x: float, y: float) -> Point:
        return at[0] + radius * (x * c - y * s), at[1] + radius * (x * s + y * c)

    def slot(x: float, y: float, w: float, h: float) -> None:
        corners = ((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h))
        polygon(holes, [spot(*corner) for corner in corners])

    if style in (0, 3):
        well = area(piece)
        disc(well, at, radius)
        lift(piece, well, -radius * 0.35, radius * 0.04)
        dye(piece, well, (piece.colour * 0.9).astype(np.uint8))
    if style == 0:
        clips = area(piece)
        for y in (-0.92, 0.92):
            polygon(clips, [spot(x, y + z) for x, z in ((-0.12, -0.1), (0.12, -0.1), (0.12, 0.1), (-0.12, 0.1))])
        dye(piece, clips, STEEL)
    if style in (0, 3):
        for x in (-0.42, 0.42):
            disc(holes, spot(x, 0), radius * 0.14)
        if style == 3:
            disc(holes, spot(0, 0.22), radius * 0.13)
    elif style == 1:
        slot(0, -0.45, 0.1, 0.22)
        slot(-0.48, 0.35, 0.2, 0.09)
        slot(0.48, 0.35, 0.2, 0.09)
    else:
        slot(-0.3, -0.1, 0.06, 0.25)
        slot(0.3, -0.1, 0.06, 0.2)
        disc(holes, spot(0, 0.48), radius * 0.15)
    dye(piece, holes, (18, 18, 18))
    lift(piece, holes, -radius * 0.1, radius * 0.03)


def _plug(scene: Scene, at: Point, span: float, style: int, colour: Colour) -> None:
    """A plug that stands on its back, its pins towards who looks, with its cable."""
    rng, turn = scene.rng, any_turn(scene.rng)
    away = np.linspace(0, 1, 16)
    bend = rng.uniform(-0.5, 0.5)
    cable = blank(span * 5, span * 3, shaded(colour, 0.9), span * 0.1, 0.2)
    points = np.stack([span * (2.5 + 2.4 * away), span * (1.5 + bend * np.sin(away * 4))], 1)
    line(cable.mask, points, span * 0.12, 255)
    lift(cable, cable.mask, span * 0.06, span * 0.03)
    place(scene, cable, at, turn + math.pi / 2)
    body, middle, radius = button_shape(span, colour, span * 0.5, 0.25)
    bevel(body, span * 0.03, span * 0.05)
    if style == 0:
        clip = area(body)
        for y in (-1, 1):
            slab(clip, middle[0] - span * 0.07, middle[1] + y * radius * 0.92 - span * 0.05, span * 0.14, span * 0.1, 2)
        dye(body, clip, STEEL)
    place(scene, body, at, turn)
    pins = ((-0.42, 0.0), (0.42, 0.0)) if style in (0, 2) else ((-0.42, 0.25), (0.42, 0.25), (0.0, -0.4))
    c, s = math.cos(turn), math.sin(turn)
    for x, y in sorted(pins, key=lambda pin: pin[0] * s + pin[1] * c):
        pin, _, _ = button_shape(span * 0.12, STEEL, span * 0.35, 0.6)
        bevel(pin, span * 0.015, span * 0.03)
        foot = (at[0] + radius * (x * c - y * s), at[1] + radius * (x * s + y * c))
        place(scene, pin, scene.above(foot, body.thick))


def keys(scene: Scene) -> None:
    """Calculators and remote controls with round keys."""
    rng = scene.rng
    for at, span in spots(scene, some(scene, 120, 330, number=3), 1.0):
        piece = _calculator(rng, span) if rng.random() < 0.45 else _remote(rng, span)
        place(scene, piece, at, any_turn(rng) if rng.random() < 0.6 else float(rng.normal(0, 0.15)))


def _calculator(rng: np.random.Generator, high: float) -> Piece:
    wide = high * rng.uniform(0.55, 0.75)
    piece = blank(wide + 4, high + 4, one_of(rng, (BLACK, GREY, WHITE, *VIVID)), high * 0.06, 0.25)
    slab(piece.mask, 2, 2, wide, high, high * 0.05)
    bevel(piece, high * 0.012, high * 0.02)
    screen = area(piece)
    slab(screen, wide * 0.1, high * 0.08, wide * 0.8, high * 0.17, 4)
    dye(piece, screen, (135, 160, 150))
    lift(piece, screen, -high * 0.01, 1.5)
    digits = str(int(rng.integers(0, 99999)))
    write(piece.colour, digits, (wide * 0.62, high * 0.165), high * 0.065, (50, 55, 50), 0.08)
    names = ("7", "8", "9", "/", "4", "5", "6", "x", "1", "2", "3", "-", "0", ".", "=", "+", "C", "M", "%", "#")
    rows = int(rng.choice((4, 5)))
    body, tone = one_of(rng, (GREY, WHITE, (60, 60, 60))), one_of(rng, (ORANGE, RED, (100, 100, 100)))
    for i in range(4 * rows):
        row, column = divmod(i, 4)
        at = (wide * (0.17 + 0.22 * column), high * (0.36 + 0.58 / rows * row))
        _key(piece, at, min(wide * 0.085, high * 0.25 / rows), tone if column == 3 else body, names[i])
    return piece


def _remote(rng: np.random.Generator, high: float) -> Piece:
    wide = high * rng.uniform(0.25, 0.34)
    piece = blank(wide + 4, high + 4, one_of(rng, (BLACK, BLACK, (70, 70, 72), STEEL, WHITE)), high * 0.06, 0.3)
    slab(piece.mask, 2, 2, wide, high, wide * rng.uniform(0.1, 0.45))
    bevel(piece, high * 0.015, high * 0.03)
    body = one_of(rng, ((75, 75, 78), GREY, (190, 190, 190)))
    _key(piece, (wide * 0.25, high * 0.07), wide * 0.08, RED, "")
    wheel = rng.random() < 0.6
    top = 0.16
    if wheel:
        _key(piece, (wide / 2 + 2, high * 0.26), wide * 0.36, body, "")
        _key(piece, (wide / 2 + 2, high * 0.26), wide * 0.15, shaded(body, 0.8), "OK")
        top = 0.45
    rows, columns = int(rng.integers(3, 7)), int(rng.choice((2, 3, 3)))
    named = rng.random() < 0.6
    for row in range(rows):
        for column in range(columns):
            at = (wide * (column + 0.7) / (columns + 0.4) + 2, high * (top + (0.93 - top) * row / (rows - 0.3)))
            size = min(wide * 0.3 / columns, high * (0.9 - top) / rows * 0.4)
            _key(piece, at, size, body, str((row * columns + column + 1) % 10) if named else "")
    for i, colour in enumerate((RED, GREEN, YELLOW, BLUE)):
        _key(piece, (wide * (0.17 + 0.22 * i) + 2, high * 0.96), wide * 0.06, colour, "")
    return piece


def _key(piece: Piece, at: Point, radius: float, colour: Colour, name: str) -> None:
    """A round key that stands out."""
    where = area(piece)
    disc(where, at, radius)
    dye(piece, where, colour)
    lift(piece, where, radius * 0.3, max(0.7, radius * 0.12))
    if name:
        ink = BLACK if sum(colour) > 360 else WHITE
        write(piece.colour, name, at, radius * (0.9 if len(name) == 1 else 0.7), ink, 0.1)


def lamps(scene: Scene) -> None:
    """Traffic lights, panels of lamps and the fronts of stereos."""
    rng = scene.rng
    make = (_traffic_light, _lamp_panel, _stereo)[int(rng.integers(3))]
    for at, span in spots(scene, some(scene, 110, 330, number=3)):
        place(scene, make(rng, span), at, float(rng.choice((0, math.pi / 2)) + rng.normal(0, 0.12)))


def _traffic_light(rng: np.random.Generator, high: float) -> Piece:
    wide = high * 0.4
    piece = blank(wide + 4, high + 4, one_of(rng, (BLACK, (40, 60, 40), YELLOW), 8), high * 0.1, 0.15)
    slab(piece.mask, 2, 2, wide, high, wide * 0.15)
    bevel(piece, high * 0.01, high * 0.02)
    lit = int(rng.integers(3))
    for i, colour in enumerate(((50, 40, 235), (40, 190, 250), (120, 220, 60))):
        at = (wide / 2 + 2, high * (0.19 + 0.31 * i))
        hood = area(piece)
        disc(hood, (at[0], at[1] - high * 0.02), wide * 0.38)
        dye(piece, hood, (16, 16, 16))
        _lamp(piece, at, wide * 0.31, colour, i == lit)
    return piece


def _lamp(piece: Piece, at: Point, radius: float, colour: Colour, lit: bool) -> None:
    """A round lamp; a lit one is white in the middle and shines on what is around it."""
    where = area(piece)
    disc(where, at, radius)
    if lit:
        dye(piece, cv2.convertScaleAbs(cv2.GaussianBlur(where, (0, 0), radius * 0.6), alpha=0.7), colour)
    dye(piece, where, colour if lit else shaded(colour, 0.3))
    if lit:
        heart = area(piece)
        disc(heart, at, radius * 0.6)
        dye(piece, cv2.GaussianBlur(heart, (0, 0), max(0.6, radius * 0.3)), (235, 245, 245))
    else:
        dome(piece, at, radius, radius, radius * 0.3)


def _lamp_panel(rng: np.random.Generator, span: float) -> Piece:
    nx, ny = int(rng.integers(2, 9)), int(rng.integers(2, 9))
    unit = span / max(nx, ny)
    w, h = (nx + 0.6) * unit, (ny + 0.6) * unit
    piece = blank(w + 4, h + 4, one_of(rng, (BLACK, (35, 60, 30), (50, 50, 50)), 6), span * 0.04, 0.2)
    slab(piece.mask, 2, 2, w, h, unit * 0.15)
    colour = one_of(rng, ((60, 50, 235), (120, 220, 60), (40, 190, 250), (240, 150, 60), (230, 240, 240)), 8)
    share, size = rng.uniform(0.2, 0.9), rng.uniform(0.22, 0.42)
    for x in range(nx):
        for y in range(ny):
            at = (2 + (x + 0.8) * unit, 2 + (y + 0.8) * unit)
            _lamp(piece, at, unit * size, colour, rng.random() < share)
    return piece


def _stereo(rng: np.random.Generator, wide: float) -> Piece:
    high = wide * rng.uniform(0.3, 0.45)
    colour = one_of(rng, (BLACK, STEEL, (60, 60, 62), (120, 160, 190)), 6)
    piece = blank(wide + 4, high + 4, colour, wide * 0.08, 0.25)
    slab(piece.mask, 2, 2, wide, high, 5)
    mottle(piece, rng, 4, (90, 1))
    screen = area(piece)
    slab(screen, wide * 0.28, high * 0.15, wide * 0.4, high * 0.3, 3)
    dye(piece, screen, (35, 25, 20))
    write(
        piece.colour,
        f"{rng.integers(87, 108)}.{rng.integers(10)}",
        (wide * 0.48, high * 0.3),
        high * 0.2,
        (220, 200, 60),
        0.08,
    )
    knobs = [(0.14, 0.5, 0.28), (0.85, 0.5, 0.3)]
    knobs += [(0.3 + 0.09 * i, 0.73, 0.1) for i in range(int(rng.integers(2, 6)))]
    for x, y, size in knobs:
        at, radius, turn = (wide * x, high * y), high * size, rng.uniform(2.4, 7.0)
        ticks = area(piece)
        for mark in np.linspace(2.4, 7.0, 11):
            disc(
                ticks,
                (at[0] + radius * 1.2 * math.cos(mark), at[1] + radius * 1.2 * math.sin(mark)),
                max(0.8, radius * 0.05),
            )
        dye(piece, ticks, WHITE if sum(colour) < 330 else BLACK)
        _key(piece, at, radius, STEEL if sum(colour) < 330 else (60, 60, 60), "")
        tip = (at[0] + radius * 0.85 * math.cos(turn), at[1] + radius * 0.85 * math.sin(turn))
        start = (at[0] + radius * 0.4 * math.cos(turn), at[1] + radius * 0.4 * math.sin(turn))
        line(piece.colour, (start, tip), max(1.0, radius * 0.1), BLACK if sum(colour) < 330 else WHITE)
    for i in range(int(rng.integers(1, 5))):
        _lamp(piece, (wide * (0.32 + 0.05 * i), high * 0.54), high * 0.025, (60, 220, 60), True)
    return piece


def colanders(scene: Scene) -> None:
    """Colanders and shower heads."""
    rng = scene.rng
    shower = rng.random() < 0.5
    for at, span in spots(scene, some(scene, 80, 300, number=3), 1.3):
        turn = any_turn(rng)
        towards = math.atan2(float(scene.light[1]), float(scene.light[0])) - turn
        place(scene, _shower(rng, span) if shower else _colander(rng, span, towards), at, turn)


def _rings(middle: Point, reach: float, count: int, rng: np.random.Generator) -> Iterator[Point]:
    """Places on rings around a middle, about as far from each other as the rings."""
    if rng.random() < 0.7:
        yield middle
    for ring in range(1, count + 1):
        many, start = 6 * ring, rng.uniform(0, 1)
        for i in range(many):
            turn = (i + start) * 2 * math.pi / many
            yield middle[0] + reach * ring / count * math.cos(turn), middle[1] + reach * ring / count * math.sin(turn)


def _colander(rng: np.random.Generator, span: float, towards: float) -> Piece:
    """A bowl with holes, whose wall keeps the light from its floor. `towards`: the side that the light comes from."""
    side = span * 1.35
    colour = one_of(rng, (STEEL, STEEL, WHITE, *VIVID))
    piece = blank(side, side, colour, span * 0.08, 0.25)
    middle, radius = (side / 2, side / 2), span / 2
    for way in (-1, 1):
        grip, gap = area(piece), area(piece)
        for part, away, w, h, round_ in ((grip, 1.1, 0.24, 0.32, 0.1), (gap, 1.13, 0.14, 0.2, 0.06)):
            left, top = middle[0] + way * radius * away - span * w / 2, middle[1] - span * h / 2
            slab(part, left, top, span * w, span * h, span * round_)
        piece.mask |= grip & ~gap
    disc(piece.mask, middle, radius)
    rim = area(piece)
    disc(rim, middle, radius)
    lift(piece, rim, span * 0.03, span * 0.012)
    dome(piece, middle, radius * 0.92, radius * 0.92, -span * 0.34)
    piece.relief = np.maximum(cv2.GaussianBlur(piece.relief, (0, 0), 1.5), -span * np.float32(0.28))
    bowl, lit = area(piece), area(piece)
    disc(bowl, middle, radius * 0.92)
    shift = radius * rng.uniform(0.3, 0.6)
    disc(lit, (middle[0] - shift * math.cos(towards), middle[1] - shift * math.sin(towards)), radius * 0.92)
    dark = cv2.GaussianBlur(bowl & ~lit, (0, 0), span * 0.02) & bowl
    dye(piece, bowl, shaded(colour, 0.85))
    dye(piece, cv2.convertScaleAbs(dark, alpha=0.8), shaded(colour, 0.4))
    holes, size = area(piece), span * rng.uniform(0.012, 0.02)
    for at in _rings(middle, radius * 0.8, int(rng.integers(4, 8)), rng):
        disc(holes, at, size)
    dye(piece, holes, (40, 40, 42))
    return piece


def _shower(rng: np.random.Generator, span: float) -> Piece:
    long = span * 1.5
    piece = blank(long * 2, span + 8, STEEL, span * 0.08, 0.8)
    middle, radius = (long, span / 2 + 4), span / 2
    grip = area(piece)
    slab(grip, long + span * 0.3, middle[1] - span * 0.11, long - span * 0.3, span * 0.22, span * 0.1)
    piece.mask |= grip
    lift(piece, grip, span * 0.1, span * 0.05)
    disc(piece.mask, middle, radius)
    head, face = area(piece), area(piece)
    disc(head, middle, radius)
    lift(piece, head, span * 0.08, span * 0.025)
    disc(face, middle, radius * 0.87)
    dye(piece, face, one_of(rng, (WHITE, (170, 170, 172), (80, 80, 84), (60, 62, 62))))
    lift(piece, face, -span * 0.015, span * 0.01)
    nozzles, tips = area(piece), area(piece)
    rings = int(rng.integers(2, 6))
    for at in _rings(middle, radius * 0.74, rings, rng):
        disc(nozzles, at, radius * 0.16 / rings**0.7)
        disc(tips, at, radius * 0.05 / rings**0.5)
    dye(piece, nozzles, one_of(rng, ((150, 150, 150), (90, 90, 95), (200, 180, 120), WHITE)))
    lift(piece, nozzles, span * 0.02, span * 0.008)
    dye(piece, tips, (25, 25, 25))
    return piece
