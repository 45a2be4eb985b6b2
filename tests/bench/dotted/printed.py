"""Printed and drawn dots: napkins, targets, wrappings, and dice drawn on paper."""

from __future__ import annotations

import math

import cv2
import numpy as np

from tests.bench.dotted.palette import (
    BLACK,
    BLUE,
    BRASS,
    GREY,
    IVORY,
    RED,
    VIVID,
    WHITE,
    YELLOW,
    Bytes,
    Colour,
    Point,
    cloud,
    near,
    one_of,
    shaded,
)
from tests.bench.dotted.piece import (
    PLACES,
    Piece,
    area,
    bevel,
    blank,
    button_shape,
    disc,
    dome,
    dye,
    ellipse,
    lift,
    line,
    mottle,
    oval,
    polygon,
    slab,
    write,
)
from tests.bench.dotted.scene import Scene, any_turn, place, some, spots


def napkins(scene: Scene) -> None:
    """Napkins with dots, folded or crumpled a little, or a whole cloth with dots."""
    rng = scene.rng
    deep, wide = scene.paint.shape[:2]
    if rng.random() < 0.4:
        place(
            scene, _dotted_cloth(rng, wide * 1.45, deep * 1.45, scene.span(40, 200), False), scene.middle, any_turn(rng)
        )
        return
    for at, span in spots(scene, some(scene, 140, 300, number=3)):
        place(
            scene,
            _dotted_cloth(rng, span, span * rng.choice((0.5, 1.0, 1.0)), span * rng.uniform(0.2, 0.6), True),
            at,
            any_turn(rng),
        )


def _dotted_cloth(rng: np.random.Generator, w: float, h: float, cell: float, folded: bool) -> Piece:
    ground, ink = one_of(rng, (*VIVID, WHITE, IVORY, BLACK)), one_of(rng, (WHITE, WHITE, *VIVID, BLACK))
    while sum(abs(a - b) for a, b in zip(ground, ink, strict=True)) < 140:
        ink = one_of(rng, (WHITE, BLACK, *VIVID))
    piece = blank(w, h, ground, 4, 0.03)
    slab(piece.mask, 2, 2, w - 4, h - 4, 4)
    dye(piece, _dots(piece, rng, cell), ink)
    mottle(piece, rng, 4, (2, 1))
    folds = cloud((int(h), int(w)), rng, (int(cell * 1.2) + 8, int(cell * 0.6) + 8))
    piece.relief += cv2.resize(cv2.GaussianBlur(folds, (0, 0), cell * 0.12 + 2), piece.mask.shape[::-1]) * np.float32(
        cell * 0.09
    )
    if folded and rng.random() < 0.7:
        crease = area(piece)
        line(crease, ((w / 2, 0), (w / 2, h)), 5, 255)
        line(crease, ((0, h / 2), (w, h / 2)), 5, 255)
        lift(piece, crease, -6, 3)
    return piece


def _dots(piece: Piece, rng: np.random.Generator, cell: float) -> Bytes:
    """A pattern of dots, in rows, staggered or strewn, two or three of them to a cell each way."""
    h, w = piece.mask.shape
    dots = area(piece)
    step = max(12.0, cell / rng.uniform(1.5, 3.2))
    size = step * rng.uniform(0.12, 0.34)
    pattern = int(rng.integers(3))
    for row, y in enumerate(np.arange(step / 2, h, step * (0.87 if pattern == 1 else 1))):
        for x in np.arange(step / 2 + (step / 2 if pattern == 1 and row % 2 else 0), w, step):
            jitter = rng.normal(0, step * 0.16, 2) if pattern == 2 else (0, 0)
            disc(dots, (x + jitter[0], y + jitter[1]), size * (rng.uniform(0.5, 1.3) if pattern == 2 else 1))
    return dots


def targets(scene: Scene) -> None:
    """Dartboards, targets, and toys with large eyes."""
    rng = scene.rng
    make = (_dartboard, _rounds, _face)[int(rng.integers(3))]
    for at, span in spots(scene, some(scene, 60, 300)):
        place(scene, make(rng, span), at, float(rng.normal(0, 0.4)))


def _dartboard(rng: np.random.Generator, span: float) -> Piece:
    piece, middle, radius = button_shape(span, BLACK, span * 0.05, 0.1)
    order = (20, 1, 18, 4, 13, 6, 10, 15, 2, 17, 3, 19, 7, 16, 8, 11, 14, 9, 12, 5)
    dark, pale, warm, cool = (28, 28, 28), (165, 205, 220), (40, 35, 190), (60, 120, 30)
    for outer, even, odd in ((0.76, warm, cool), (0.72, dark, pale), (0.48, warm, cool), (0.44, dark, pale)):
        for i in range(20):
            a, b = (math.radians(18 * (i + d) - 90) for d in (-0.5, 0.5))
            arc = [
                (middle[0] + radius * outer * math.cos(t), middle[1] + radius * outer * math.sin(t))
                for t in np.linspace(a, b, 4)
            ]
            polygon(piece.colour, [middle, *arc], odd if i % 2 else even)
    disc(piece.colour, middle, radius * 0.075, cool)
    disc(piece.colour, middle, radius * 0.035, warm)
    for i, number in enumerate(order):
        turn = math.radians(18 * i - 90)
        at = (middle[0] + radius * 0.88 * math.cos(turn), middle[1] + radius * 0.88 * math.sin(turn))
        write(piece.colour, str(number), at, radius * 0.12, WHITE, 0.1)
    mottle(piece, rng, 6, (2, 1))
    bevel(piece, span * 0.01, span * 0.01)
    return piece


def _rounds(rng: np.random.Generator, span: float) -> Piece:
    sheet = rng.random() < 0.5
    piece, middle, radius = button_shape(span, WHITE, 2 if sheet else span * 0.04, 0.08)
    if sheet:
        piece.mask[:] = 255
        radius *= 0.93
    archery = (WHITE, WHITE, BLACK, BLACK, (200, 150, 50), (200, 150, 50), RED, RED, YELLOW, YELLOW)
    plain = (one_of(rng, VIVID), WHITE) * int(rng.integers(2, 4)) + (one_of(rng, (RED, BLACK)),)
    colours = archery if rng.random() < 0.5 else plain
    for i, colour in enumerate(colours):
        share = 1 - i / len(colours)
        disc(piece.colour, middle, radius * share, shaded(colour, 0.8))
        disc(piece.colour, middle, radius * share - 1.5, colour)
    holes = area(piece)
    for _ in range(int(rng.integers(0, 8))):
        disc(
            holes,
            (middle[0] + rng.normal(0, radius * 0.3), middle[1] + rng.normal(0, radius * 0.3)),
            radius * 0.025 + 1,
        )
    dye(piece, holes & piece.mask, (30, 30, 30))
    return piece


def _face(rng: np.random.Generator, span: float) -> Piece:
    """A soft toy's head, or a creature of felt, with round eyes."""
    side = span * 1.1
    colour = one_of(rng, (*VIVID, (60, 90, 130), GREY, IVORY))
    piece = blank(side, side, colour, span * 0.08, 0.05)
    middle = (side / 2, side * 0.54)
    for way in (-1, 1):
        disc(piece.mask, (middle[0] + way * span * 0.3, middle[1] - span * 0.36), span * 0.14)
    oval(piece.mask, middle, span * 0.46, span * 0.43)
    mottle(piece, rng, 16, (3, 2))
    dome(piece, middle, span * 0.48, span * 0.46, span * 0.25)
    muzzle, nose = area(piece), area(piece)
    oval(muzzle, (middle[0], middle[1] + span * 0.17), span * 0.2, span * 0.15)
    dye(piece, muzzle, shaded(colour, 1.35))
    oval(nose, (middle[0], middle[1] + span * 0.1), span * 0.065, span * 0.045)
    mouth = [(middle[0] + span * 0.1 * x, middle[1] + span * (0.24 - 0.04 * x * x)) for x in np.linspace(-1, 1, 9)]
    line(nose, mouth, span * 0.015, 255)
    dye(piece, nose, BLACK)
    look, size = any_turn(rng), span * rng.uniform(0.09, 0.13)
    for way in (-1, 1):
        at = (middle[0] + way * span * 0.16, middle[1] - span * 0.1)
        white, pupil, gleam = area(piece), area(piece), area(piece)
        disc(white, at, size)
        disc(pupil, (at[0] + size * 0.3 * math.cos(look), at[1] + size * 0.3 * math.sin(look)), size * 0.55)
        disc(gleam, (at[0] - size * 0.2, at[1] - size * 0.3), size * 0.13)
        dye(piece, white, WHITE)
        dye(piece, pupil, BLACK)
        dye(piece, gleam, WHITE)
        lift(piece, white, size * 0.3, size * 0.1)
    return piece


def wrappings(scene: Scene) -> None:
    """Wrapping paper with dots, parcels in it, and confetti."""
    rng = scene.rng
    deep, wide = scene.paint.shape[:2]
    style = int(rng.integers(3))
    if style == 0:
        place(scene, _confetti(rng, wide, deep), scene.middle)
        return
    if style == 1:
        place(scene, _dotted_paper(rng, wide * 1.4, deep * 1.4, scene.span(40, 200), 1), scene.middle, any_turn(rng))
        return
    for at, span in spots(scene, some(scene, 80, 260, number=4), 1.3):
        w, h = span * rng.uniform(0.6, 0.85), span * rng.uniform(0.45, 0.75)
        parcel, turn = (
            _dotted_paper(rng, w, h, span * rng.uniform(0.2, 0.6), span * rng.uniform(0.15, 0.4)),
            any_turn(rng),
        )
        _ribbon(parcel, rng)
        place(scene, parcel, at, turn)
        bow = _bow(span * 0.3, one_of(rng, (RED, BRASS, WHITE, BLUE)))
        place(scene, bow, scene.above(at, parcel.thick), turn + 0.4)


def _dotted_paper(rng: np.random.Generator, w: float, h: float, cell: float, thick: float) -> Piece:
    ground = one_of(rng, (*VIVID, WHITE, IVORY, BLACK, (90, 140, 180)))
    piece = blank(w, h, ground, thick, 0.25)
    slab(piece.mask, 2, 2, w - 4, h - 4, 3)
    several = rng.random() < 0.4
    inks = [one_of(rng, (*VIVID, WHITE)) for _ in range(3 if several else 1)]
    while min(sum(abs(a - b) for a, b in zip(ground, ink, strict=True)) for ink in inks) < 140:
        inks = [one_of(rng, (*VIVID, WHITE, BLACK)) for _ in inks]
    dots = _dots(piece, rng, cell)
    if several:
        count, numbers = cv2.connectedComponents((dots > 0).astype(np.uint8))
        dye(piece, dots, np.asarray(inks, np.uint8)[rng.integers(0, len(inks), count)][numbers])
    else:
        dye(piece, dots, inks[0])
    crumple = np.abs(cloud(piece.mask.shape, rng, (int(cell * 2) + 8, int(cell) + 8)))
    piece.relief += cv2.GaussianBlur(crumple, (0, 0), 3) * np.float32(cell * 0.05)
    return piece


def _ribbon(parcel: Piece, rng: np.random.Generator) -> None:
    h, w = parcel.mask.shape
    band, wide = area(parcel), min(w, h) * 0.06
    slab(band, w / 2 - wide, 2, 2 * wide, h - 4, 1)
    slab(band, 2, h / 2 - wide, w - 4, 2 * wide, 1)
    dye(parcel, band, one_of(rng, (RED, BRASS, WHITE, BLUE)))
    lift(parcel, band, 2, 1)


def _bow(span: float, colour: Colour) -> Piece:
    piece = blank(span * 1.1, span * 0.8, colour, 2, 0.5)
    middle = (span * 0.55, span * 0.4)
    for way in (-1, 1):
        loop = area(piece)
        oval(loop, (middle[0] + way * span * 0.25, middle[1]), span * 0.26, span * 0.16, way * 0.3)
        piece.mask |= loop
        lift(piece, loop, span * 0.12, span * 0.05)
        end = (middle[0] + way * span * 0.35, middle[1] + span * 0.36)
        line(piece.mask, (middle, end), span * 0.09, 255)
    knot = area(piece)
    disc(knot, middle, span * 0.09)
    piece.mask |= knot
    lift(piece, knot, span * 0.08, span * 0.03)
    return piece


def _confetti(rng: np.random.Generator, w: int, h: int) -> Piece:
    piece = blank(w, h, WHITE, 3, 0.1)
    size = rng.uniform(9, 34)
    alike = rng.random() < 0.5
    inks = [one_of(rng, (*VIVID, WHITE)) for _ in range(1 if rng.random() < 0.3 else 6)]
    for _ in range(int(min(600, rng.uniform(0.05, 0.35) * w * h / size**2 / 3))):
        at, ink = (rng.uniform(0, w), rng.uniform(0, h)), inks[int(rng.integers(len(inks)))]
        r = size * (1 if alike else rng.uniform(0.6, 1.3))
        flat, turn = rng.uniform(0.75, 1.0), any_turn(rng)
        points = ellipse(at, r, r * flat, turn, 20)
        polygon(piece.mask, points)
        polygon(piece.colour, ellipse(at, r + 1, r * flat + 1, turn, 20), shaded(ink, rng.uniform(0.8, 1.1)))
    return piece


def drawn(scene: Scene) -> None:
    """Paper with flat pictures of dice: drawn by pen, printed on a game board, or on a sheet for scores."""
    rng = scene.rng
    make = (_pen_sheet, _game_board, _score_sheet)[int(rng.integers(3))]
    span = scene.span(300, 700) * 1.3
    turn = any_turn(rng) if rng.random() < 0.4 else float(rng.normal(0, 0.25))
    place(scene, make(rng, span), scene.middle, turn)


def _sheet(rng: np.random.Generator, w: float, h: float) -> Piece:
    piece = blank(w, h, near(rng, (232, 238, 240), 6), 2, 0.02)
    slab(piece.mask, 1, 1, w - 2, h - 2, 2)
    mottle(piece, rng, 2.5, (60, 2))
    if rng.random() < 0.4:
        fold = area(piece)
        line(fold, ((w / 2, 0), (w / 2 + rng.normal(0, 4), h)), 4, 255)
        lift(piece, fold, -3, 2)
    return piece


def _pen_sheet(rng: np.random.Generator, span: float) -> Piece:
    """Squares with dots drawn by hand, on plain, squared or ruled paper; some as cubes aslant."""
    w, h = span, span * rng.uniform(0.7, 1.3)
    piece = _sheet(rng, w, h)
    ruled, step = int(rng.integers(3)), rng.uniform(20, 34)
    if ruled:
        for y in np.arange(step, h, step):
            line(piece.colour, ((0, y), (w, y)), 1, (215, 200, 180))
        for x in np.arange(step, w if ruled == 2 else 0, step):
            line(piece.colour, ((x, 0), (x, h)), 1, (215, 200, 180))
    ink = one_of(rng, (BLACK, (120, 40, 20), (60, 60, 60), RED))
    size, pen = span * rng.uniform(0.1, 0.34), rng.uniform(2.5, 6.5)
    cubes, filled = rng.random() < 0.3, rng.random() < 0.2
    value = int(rng.integers(1, 7))
    for y in np.arange(size * 0.8, h - size * 0.6, size * 1.45):
        for x in np.arange(size * 0.8, w - size * 0.6, size * 1.45):
            at = (x + rng.normal(0, size * 0.06), y + rng.normal(0, size * 0.06))
            _pen_die(piece.colour, rng, at, size * rng.uniform(0.9, 1.05), value, ink, pen, cubes, filled)
            value = value % 6 + 1
    return piece


def _pen_die(
    image: Bytes,
    rng: np.random.Generator,
    at: Point,
    size: float,
    value: int,
    ink: Colour,
    pen: float,
    cube: bool,
    filled: bool,
) -> None:
    turn = rng.normal(0, 0.06)
    c, s = math.cos(turn), math.sin(turn)

    def spot(x: float, y: float) -> Point:
        return at[0] + size * (x * c - y * s), at[1] + size * (x * s + y * c)

    def stroke(a: Point, b: Point) -> None:
        t = np.linspace(-0.03, 1.03, 9)
        wobble = cv2.GaussianBlur(rng.normal(0, 0.03, (9, 2)), (0, 0), 1.2)
        points = [
            spot(a[0] + (b[0] - a[0]) * u + d[0], a[1] + (b[1] - a[1]) * u + d[1])
            for u, d in zip(t, wobble, strict=True)
        ]
        line(image, points, pen, ink)

    corners = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
    if filled:
        polygon(image, [spot(*corner) for corner in corners], shaded(ink, 1.8))
    for i in range(4):
        stroke(corners[i], corners[(i + 1) % 4])
    if cube:
        for a, b in (((-0.5, -0.5), (-0.3, -0.7)), ((0.5, -0.5), (0.7, -0.7)), ((0.5, 0.5), (0.7, 0.3))):
            stroke(a, b)
        stroke((-0.3, -0.7), (0.7, -0.7))
        stroke((0.7, -0.7), (0.7, 0.3))
    for spot_of_nine in PLACES[value]:
        row, column = divmod(spot_of_nine, 3)
        x, y = 0.28 * (column - 1) + rng.normal(0, 0.015), 0.28 * (row - 1) + rng.normal(0, 0.015)
        blob = ellipse(spot(x, y), size * 0.085, size * 0.075, any_turn(rng), 12)
        polygon(image, blob + rng.normal(0, size * 0.004, blob.shape), WHITE if filled else ink)


def _printed_die(image: Bytes, at: Point, size: float, value: int, face: Colour, ink: Colour) -> None:
    """The picture of a die's face as a printer would set it."""
    slab(image, at[0] - size / 2, at[1] - size / 2, size, size, size * 0.15, ink)
    rim = max(1.0, size * 0.05)
    slab(image, at[0] - size / 2 + rim, at[1] - size / 2 + rim, size - 2 * rim, size - 2 * rim, size * 0.12, face)
    for spot in PLACES[value]:
        row, column = divmod(spot, 3)
        disc(image, (at[0] + size * 0.26 * (column - 1), at[1] + size * 0.26 * (row - 1)), size * 0.09, ink)


def _game_board(rng: np.random.Generator, span: float) -> Piece:
    """A board whose way of coloured fields goes around; some fields show a die."""
    piece = blank(span, span, one_of(rng, (IVORY, (150, 190, 160), (190, 170, 140), (120, 170, 200))), 6, 0.15)
    slab(piece.mask, 1, 1, span - 2, span - 2, 6)
    count = int(rng.integers(5, 10))
    unit = span * 0.94 / count
    colours = [one_of(rng, (*VIVID, WHITE, IVORY)) for _ in range(4)]
    number = 0
    for x in range(count):
        for y in range(count):
            if 0 < x < count - 1 and 0 < y < count - 1:
                continue
            left, top = span * 0.03 + x * unit, span * 0.03 + y * unit
            slab(piece.colour, left + 1, top + 1, unit - 2, unit - 2, 2, BLACK)
            slab(piece.colour, left + 3, top + 3, unit - 6, unit - 6, 2, colours[number % 4])
            at = (left + unit / 2, top + unit / 2)
            if rng.random() < 0.45:
                _printed_die(piece.colour, at, unit * 0.6, int(rng.integers(1, 7)), WHITE, BLACK)
            else:
                write(piece.colour, str(number + 1), at, unit * 0.28, BLACK, 0.1)
            number += 1
    middle, free = span / 2, unit * (count - 2)
    disc(piece.colour, (middle, middle), free * 0.42, colours[0])
    disc(piece.colour, (middle, middle), free * 0.38, WHITE)
    write(
        piece.colour,
        str(rng.choice(("GO!", "LUDO", "RALLY", "ROLL"))),
        (middle, middle - free * 0.1),
        free * 0.16,
        BLACK,
    )
    if rng.random() < 0.5:
        for way in (-1, 1):
            value = int(rng.integers(1, 7))
            _printed_die(
                piece.colour, (middle + way * free * 0.11, middle + free * 0.15), free * 0.17, value, WHITE, RED
            )
    return piece


def _score_sheet(rng: np.random.Generator, span: float) -> Piece:
    """A table for scores: a face of a die at the head of each line, and numbers by hand."""
    w, h = span * rng.uniform(0.65, 0.9), span
    piece = _sheet(rng, w, h)
    rows, columns = int(rng.integers(7, 13)), int(rng.integers(3, 7))
    left, top, unit = w * 0.06, h * 0.1, h * 0.84 / rows
    head = w * 0.34
    step = (w * 0.94 - head) / columns
    ink = one_of(rng, (BLACK, BLUE, (60, 60, 60)))
    write(piece.colour, str(rng.choice(("SCORE", "GAME 1", "POINTS"))), (w / 2, h * 0.05), h * 0.04, ink)
    for row in range(rows + 1):
        line(piece.colour, ((left, top + row * unit), (w * 0.94, top + row * unit)), 2, ink)
    for x in (left, *(head + step * i for i in range(columns + 1))):
        line(piece.colour, ((x, top), (x, top + rows * unit)), 2, ink)
    pen = one_of(rng, (BLACK, (150, 60, 30), RED))
    for row in range(rows):
        y = top + (row + 0.5) * unit
        if row < 6:
            for i in range(int(rng.choice((1, 1, 3))) if unit * 2.6 < head - left else 1):
                _printed_die(piece.colour, (left + unit * (0.6 + 0.85 * i), y), unit * 0.7, row + 1, WHITE, ink)
        else:
            write(
                piece.colour,
                ("SUM", "BONUS", "3 x", "4 x", "FULL", "ALL")[row - 6],
                ((left + head) / 2, y),
                unit * 0.3,
                ink,
                0.1,
            )
        for column in range(columns):
            if rng.random() < 0.5:
                at = (head + step * (column + 0.5) + rng.normal(0, 3), y + rng.normal(0, 3))
                write(piece.colour, str(int(rng.integers(1, 31))), at, unit * 0.42, pen, 0.09)
    return piece
