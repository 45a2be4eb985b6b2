"""Things of games: dominoes, bricks, cards, chips, boards, tokens and balls."""

from __future__ import annotations

import math

import cv2
import numpy as np

from tests.bench.dotted.palette import (
    BLACK,
    BLUE,
    BRASS,
    GREEN,
    GREY,
    IVORY,
    ORANGE,
    PURPLE,
    RED,
    TURQUOISE,
    VIVID,
    WHITE,
    WOODS,
    Bytes,
    Colour,
    Point,
    cloud,
    near,
    one_of,
    shaded,
    wood,
)
from tests.bench.dotted.piece import (
    LEAST,
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
    oval,
    polygon,
    slab,
    write,
)
from tests.bench.dotted.scene import Scene, any_turn, draw_top, place, some, spots

# Where the signs of playing cards stand, across and down, each as a share of the inner field.
SIDES, ROWS_OF_FOUR = (0.0, 1.0), (0.0, 1 / 3, 2 / 3, 1.0)
CARD: dict[int, tuple[Point, ...]] = {
    1: ((0.5, 0.5),),
    2: ((0.5, 0.0), (0.5, 1.0)),
    3: ((0.5, 0.0), (0.5, 0.5), (0.5, 1.0)),
    4: tuple((x, y) for x in SIDES for y in SIDES),
    5: (*((x, y) for x in SIDES for y in SIDES), (0.5, 0.5)),
    6: tuple((x, y) for x in SIDES for y in (0.0, 0.5, 1.0)),
    7: (*((x, y) for x in SIDES for y in (0.0, 0.5, 1.0)), (0.5, 0.25)),
    8: (*((x, y) for x in SIDES for y in (0.0, 0.5, 1.0)), (0.5, 0.25), (0.5, 0.75)),
    9: (*((x, y) for x in SIDES for y in ROWS_OF_FOUR), (0.5, 0.5)),
    10: (*((x, y) for x in SIDES for y in ROWS_OF_FOUR), (0.5, 1 / 6), (0.5, 5 / 6)),
}


def dominoes(scene: Scene) -> None:
    """Domino stones, strewn or laid in a row where doubles lie across."""
    rng = scene.rng
    body, ink = ((IVORY, BLACK), (BLACK, WHITE), (WHITE, None), (one_of(rng, VIVID), WHITE))[int(rng.integers(4))]
    most = int(rng.choice((6, 6, 9)))
    spans = some(scene, 50)
    pin = rng.random() < 0.4
    if rng.random() < 0.5:
        for at, span in spots(scene, spans):
            a, b = (int(v) for v in rng.integers(0, most + 1, 2))
            place(scene, _domino(rng, span, a, b, body, ink, pin), at, any_turn(rng))
        return
    long, turn, now = spans[0], any_turn(rng), int(rng.integers(0, most + 1))
    step, count = long * 1.03, int(rng.integers(3, 9))
    lengths = []
    values = []
    for _ in range(count):
        after = now if rng.random() < 0.3 else int(rng.integers(0, most + 1))
        values.append((now, after))
        lengths.append(step / 2 if now == after else step)
        now = after
    along = -sum(lengths) / 2
    for (a, b), length in zip(values, lengths, strict=True):
        way = along + length / 2
        at = (scene.middle[0] + way * math.cos(turn), scene.middle[1] + way * math.sin(turn))
        place(
            scene, _domino(rng, long, a, b, body, ink, pin), at, turn + (math.pi / 2 if a == b else rng.normal(0, 0.02))
        )
        along += length


def _domino(
    rng: np.random.Generator, long: float, a: int, b: int, body: Colour, ink: Colour | None, pin: bool
) -> Piece:
    colours = (GREY, BLUE, GREEN, RED, (90, 60, 40), (30, 130, 220), PURPLE, BLACK, TURQUOISE, ORANGE)
    wide = long / 2
    piece = blank(long + 4, wide + 4, near(rng, body, 3), long * 0.1, 0.35)
    slab(piece.mask, 2, 2, long, wide, long * 0.05)
    bevel(piece, long * 0.012, long * 0.02)
    pits = area(piece)
    for value, left in ((a, 0.0), (b, wide)):
        dots = area(piece)
        spread = 0.27 if value < 7 else 0.29
        for spot in PLACES[value]:
            row, column = divmod(spot, 3)
            at = (2 + left + wide * (0.5 + spread * (row - 1)), 2 + wide * (0.5 + spread * (column - 1)))
            disc(dots, at, wide * (0.085 if value < 7 else 0.075))
        dye(piece, dots, ink or colours[value])
        pits |= dots
    lift(piece, pits, -long * 0.02, long * 0.008)
    groove = area(piece)
    slab(groove, 2 + wide - long * 0.009, 2 + wide * 0.1, long * 0.018, wide * 0.8, 1)
    dye(piece, groove, shaded(body, 0.5) if ink is None else ink)
    if pin:
        head = area(piece)
        disc(head, (2 + wide, 2 + wide / 2), wide * 0.06)
        dye(piece, head, BRASS)
        lift(piece, head, long * 0.02, 1.5)
    return piece


def bricks(scene: Scene) -> None:
    """Toy bricks with studs, loose or on a baseplate."""
    rng = scene.rng
    shapes = ((1, 1), (1, 2), (2, 2), (2, 3), (2, 4), (1, 3), (1, 4))
    unit = scene.span(16, 75)
    turned = any_turn(rng)
    plate = rng.random() < 0.4
    if plate:
        ground, deep, wide = one_of(rng, (GREEN, GREY, BLUE, (130, 190, 210))), *scene.paint.shape[:2]
        all_over = rng.random() < 0.5
        nx, ny = (
            (int(max(wide, deep) * 1.4 / unit),) * 2
            if all_over
            else (int(rng.integers(6, 13)), int(rng.integers(6, 13)))
        )
        place(scene, _baseplate(nx, ny, unit, ground), scene.middle, turned)
    chosen = [shapes[int(rng.integers(len(shapes)))] for _ in range(int(rng.integers(1, 9)))]
    for (at, _), (a, b) in zip(spots(scene, [math.hypot(*shape) * unit for shape in chosen]), chosen, strict=False):
        if plate:
            at, turn = _snapped(scene, at, turned, unit, (nx, ny), (a, b)), turned
        else:
            turn = any_turn(rng)
        _brick(scene, at, turn, unit, a, b, one_of(rng, (*VIVID, WHITE, BLACK, GREY), 6))


def _snapped(
    scene: Scene, at: Point, turn: float, unit: float, whole: tuple[int, int], shape: tuple[int, int]
) -> Point:
    """The place nearest to a point where a brick's studs lie over those of the plate."""
    c, s = math.cos(turn), math.sin(turn)
    dx, dy = at[0] - scene.middle[0], at[1] - scene.middle[1]
    along = [dx * c + dy * s, -dx * s + dy * c]
    for i, (count, size) in enumerate(zip(whole, (shape[1], shape[0]), strict=True)):
        odd = ((count - size) % 2) / 2
        most = (count - size) / 2 * unit
        along[i] = float(np.clip((round(along[i] / unit - odd) + odd) * unit, -most, most))
    return scene.middle[0] + along[0] * c - along[1] * s, scene.middle[1] + along[0] * s + along[1] * c


def _baseplate(nx: int, ny: int, unit: float, colour: Colour) -> Piece:
    piece = blank(nx * unit, ny * unit, colour, unit * 0.15, 0.35)
    slab(piece.mask, 1, 1, nx * unit - 2, ny * unit - 2, unit * 0.2)
    studs = area(piece)
    for x in range(nx):
        for y in range(ny):
            disc(studs, ((x + 0.5) * unit, (y + 0.5) * unit), unit * 0.3)
    lift(piece, studs, unit * 0.14, unit * 0.03)
    return piece


def _brick(scene: Scene, at: Point, turn: float, unit: float, a: int, b: int, colour: Colour) -> None:
    high = unit * (1.2 if scene.rng.random() < 0.7 else 0.4)
    w, h = b * unit, a * unit
    body = blank(w + 4, h + 4, colour, high, 0.4)
    slab(body.mask, 2, 2, w - 1, h - 1, unit * 0.05)
    bevel(body, unit * 0.02, unit * 0.02)
    place(scene, body, at, turn)
    stud, middle, radius = button_shape(unit * 0.6, colour, unit * 0.2, 0.4)
    bevel(stud, unit * 0.025, unit * 0.03)
    mark = area(stud)
    write(mark, "TOY", middle, radius * 0.5, 255)
    lift(stud, mark, unit * 0.02, 0.7)
    c, s = math.cos(turn), math.sin(turn)
    studs = [((x - (b - 1) / 2) * unit, (y - (a - 1) / 2) * unit) for x in range(b) for y in range(a)]
    for x, y in sorted(studs, key=lambda spot: spot[0] * s + spot[1] * c):  # far ones first, near ones hide them
        place(scene, stud, scene.above((at[0] + x * c - y * s, at[1] + x * s + y * c), high), turn)


def cards(scene: Scene) -> None:
    """Playing cards, strewn, or held together as a fan; some lie on their faces."""
    rng = scene.rng
    spans = some(scene, 90, 330)
    back = one_of(rng, (RED, BLUE, GREEN, BLACK))
    if rng.random() < 0.35:
        count, start, step = int(rng.integers(3, 8)), any_turn(rng), rng.uniform(0.12, 0.3)
        hub = (scene.middle[0] - spans[0] * 0.7 * math.sin(start), scene.middle[1] + spans[0] * 0.7 * math.cos(start))
        for i in range(count):
            turn = start + (i - count / 2) * step
            at = (hub[0] + spans[0] * 0.8 * math.sin(turn), hub[1] - spans[0] * 0.8 * math.cos(turn))
            place(scene, _card(rng, spans[0], back, False), at, turn)
        return
    for at, span in spots(scene, spans, rng.uniform(0.6, 1.1)):
        place(scene, _card(rng, span, back, rng.random() < 0.15), at, any_turn(rng))


def _card(rng: np.random.Generator, high: float, back: Colour, hidden: bool) -> Piece:
    wide = high * 0.69
    piece = blank(wide + 4, high + 4, near(rng, WHITE, 4), 2, 0.1)
    slab(piece.mask, 2, 2, wide, high, high * 0.035)
    if hidden:
        inner = area(piece)
        slab(inner, wide * 0.07, wide * 0.07, wide * 0.88, high - wide * 0.12, 3)
        dye(piece, inner, back)
        dots, step = area(piece), wide * 0.09
        for row, y in enumerate(np.arange(wide * 0.14, high - wide * 0.1, step)):
            for x in np.arange(wide * 0.14 + (row % 2) * step / 2, wide * 0.92, step):
                disc(dots, (x, y), step * 0.22)
        dye(piece, dots, WHITE)
        return piece
    suit, value = int(rng.integers(4)), int(rng.integers(1, 11))
    colour = (30, 25, 190) if suit < 2 else BLACK
    signs = area(piece)
    size = high * (0.13 if value == 1 else 0.066)
    for x, y in CARD[value]:
        at = (wide * (0.3 + 0.4 * x) + 2, high * (0.17 + 0.66 * y) + 2)
        _sign(signs, suit, at, size, y > 0.5)
    index = area(piece)
    write(index, "A" if value == 1 else str(value), (wide * 0.09 + 2, high * 0.075), high * 0.062, 255)
    _sign(index, suit, (wide * 0.09 + 2, high * 0.145), high * 0.026, False)
    dye(piece, signs | index | cv2.rotate(index, cv2.ROTATE_180), colour)
    return piece


def _sign(image: Bytes, suit: int, at: Point, size: float, turned: bool) -> None:
    """A heart, diamond, spade or club."""
    up = -1 if turned else 1
    t = np.linspace(0, 2 * math.pi, 40)
    heart = (
        np.stack([16 * np.sin(t) ** 3, -(13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t))], 1)
        / 16
    )
    stem = np.asarray([(-0.12, 0.2), (0.12, 0.2), (0.38, 1.05), (-0.38, 1.05)])
    if suit == 0:
        polygon(image, heart * size * up + at)
    elif suit == 1:
        polygon(image, np.asarray([(0, -1.15), (0.8, 0), (0, 1.15), (-0.8, 0)]) * size * up + at)
    elif suit == 2:
        polygon(image, heart * (1, -0.95) * size * up + at)
        polygon(image, stem * size * up + at)
    else:
        for x, y in ((0, -0.55), (-0.52, 0.2), (0.52, 0.2)):
            disc(image, (at[0] + x * size * up, at[1] + y * size * up), size * 0.47)
        polygon(image, stem * size * up + at)


def chips(scene: Scene) -> None:
    """Poker chips with spots on their edges, single or piled up."""
    rng = scene.rng
    for at, span in spots(scene, some(scene), 1.15):
        pile = int(rng.integers(2, 7)) if rng.random() < 0.35 else 1
        colour = one_of(rng, (*VIVID, WHITE, BLACK))
        count = int(rng.choice((4, 6, 8)))
        thick = span * 0.085
        spot = WHITE if max(colour) < 215 or min(colour) < 90 else one_of(rng, (BLUE, RED, BLACK))
        text = str(rng.choice(("1", "5", "10", "25", "50", "100", "")))
        for level in range(pile):
            piece = _chip(span, colour, spot, count, text, thick)
            aside = (at[0] + rng.normal(0, span * 0.012), at[1] + rng.normal(0, span * 0.012))
            place(scene, piece, scene.above(aside, thick * level), any_turn(rng))


def _chip(span: float, colour: Colour, spot: Colour, count: int, text: str, thick: float) -> Piece:
    piece, middle, radius = button_shape(span, colour, thick, 0.25)
    piece.side = shaded(colour, 0.9)
    edge = area(piece)
    for turn in np.arange(count) * 2 * math.pi / count:
        half = 0.9 / count
        points = [
            (middle[0] + r * math.cos(a), middle[1] + r * math.sin(a))
            for r, a in (
                (radius, turn - half),
                (radius, turn + half),
                (radius * 0.76, turn + half),
                (radius * 0.76, turn - half),
            )
        ]
        polygon(edge, points)
    dye(piece, edge, spot)
    ring, inner = area(piece), area(piece)
    disc(ring, middle, radius * 0.66)
    disc(inner, middle, radius * 0.6)
    dye(piece, ring, spot)
    dye(piece, inner, WHITE if text else colour)
    if text:
        write(piece.colour, text, middle, radius * (0.55 if len(text) < 3 else 0.38), shaded(colour, 0.6))
    lift(piece, inner, -span * 0.015, span * 0.01)
    bevel(piece, span * 0.015, span * 0.02)
    return piece


def balls(scene: Scene) -> None:
    """Bowling balls with three holes, or marbles with a gleam."""
    rng = scene.rng
    bowling = rng.random() < 0.45
    for at, span in spots(scene, some(scene, 50 if bowling else LEAST)):
        piece = _bowling_ball(rng, span) if bowling else _marble(rng, span)
        _ball(scene, piece, at, span)


def _ball(scene: Scene, piece: Piece, at: Point, span: float) -> None:
    """Puts a ball on the ground, with the dark below it."""
    foot, _, _ = button_shape(span * 0.5, BLACK, 0, 0)
    dark = cv2.GaussianBlur(foot.mask, (0, 0), span * 0.08)
    foot.mask = cv2.convertScaleAbs(dark, alpha=0.5)
    place(scene, foot, at)
    place(scene, piece, at, any_turn(scene.rng), span / 2, 1.0)
    spot, middle, _ = button_shape(span * 0.14, WHITE, 0, 0)
    spot.mask = cv2.GaussianBlur(spot.mask, (0, 0), max(0.8, span * 0.012))
    (x, y), half = scene.above(at, span / 2), scene.gleam * span / 2
    draw_top(scene, spot, scene.paint, np.asarray([[1, 0, x + half[0] - middle[0]], [0, 1, y + half[1] - middle[1]]]))


def _bowling_ball(rng: np.random.Generator, span: float) -> Piece:
    piece, middle, radius = button_shape(span, one_of(rng, (*VIVID, BLACK, BLACK, (60, 30, 50))), 0, 0.6)
    if rng.random() < 0.6:
        swirl = np.clip(cloud(piece.mask.shape, rng, (int(span / 4) + 2, int(span / 9) + 2)) * 300, 0, 200).astype(
            np.uint8
        )
        dye(piece, swirl, one_of(rng, (*VIVID, BLACK, WHITE)))
    dome(piece, middle, radius, radius, radius)
    holes = area(piece)
    off = (rng.uniform(-0.3, 0.3), rng.uniform(-0.3, 0.3))
    for x, y, size in ((-0.14, -0.16, 0.085), (0.14, -0.16, 0.085), (0.0, 0.2, 0.105)):
        at = (off[0] + x, off[1] + y)
        flat = max(0.5, math.sqrt(max(0.0, 1 - at[0] ** 2 - at[1] ** 2)))
        spot = (middle[0] + radius * at[0], middle[1] + radius * at[1])
        oval(holes, spot, size * radius * flat, size * radius, math.atan2(at[1], at[0]))
    dye(piece, holes, (12, 12, 12))
    lift(piece, holes, -span * 0.02, span * 0.006)
    return piece


def _marble(rng: np.random.Generator, span: float) -> Piece:
    colour = one_of(rng, (*VIVID, WHITE, BLACK, (150, 160, 120)))
    piece, middle, radius = button_shape(span, colour, 0, 0.8)
    other = one_of(rng, (*VIVID, WHITE))
    style = int(rng.integers(3))
    if style == 0:  # a twisted ribbon in glass
        around = np.linspace(-1, 1, 20)
        for shift in (-0.12, 0.12):
            wave = 0.28 * np.sin(around * 2.4 + shift * 9) + shift
            points = np.stack([middle[0] + radius * 0.8 * around, middle[1] + radius * wave], 1)
            ribbon = area(piece)
            line(ribbon, points, radius * 0.2, 255)
            dye(piece, cv2.GaussianBlur(ribbon, (0, 0), span * 0.015), other if shift < 0 else WHITE)
    elif style == 1:
        swirl = np.clip(cloud(piece.mask.shape, rng, (int(span / 3) + 2, int(span / 8) + 2)) * 400, 0, 255).astype(
            np.uint8
        )
        dye(piece, swirl, other)
    dome(piece, middle, radius, radius, radius * 0.9)
    return piece


def boards(scene: Scene) -> None:
    """Boards of wood with hollows: for mancala with beans, or for solitaire with marbles or pegs."""
    rng = scene.rng
    span, turn = scene.span(180, 420), any_turn(rng)
    mancala = rng.random() < 0.5
    piece, hollows, size = _mancala(rng, span * 1.35) if mancala else _solitaire(rng, span)
    place(scene, piece, scene.middle, turn)
    c, s = math.cos(turn), math.sin(turn)
    colours = [one_of(rng, (*VIVID, WHITE, BLACK)) for _ in range(int(rng.integers(1, 5)))]
    full = rng.uniform(0.3, 0.97)
    for x, y in sorted(hollows, key=lambda spot: spot[0] * s + spot[1] * c):
        many = int(rng.integers(0, 5)) if mancala else int(rng.random() < full)
        for _ in range(many):
            off = rng.normal(0, size * 0.4, 2) if mancala else (0.0, 0.0)
            across = size * (0.55 if mancala else 1.5)
            ball, middle, radius = button_shape(across, colours[int(rng.integers(len(colours)))], 0, 0.8)
            dome(ball, middle, radius, radius, radius * 0.9)
            up = (x + off[0], y + off[1])
            at = (scene.middle[0] + up[0] * c - up[1] * s, scene.middle[1] + up[0] * s + up[1] * c)
            place(scene, ball, scene.above(at, piece.thick), tall=1.0)


def _mancala(rng: np.random.Generator, long: float) -> tuple[Piece, list[Point], float]:
    wide = long * 0.3
    piece = blank(long + 4, wide + 4, one_of(rng, WOODS), long * 0.05, 0.15)
    piece.colour = wood(piece.mask.shape, rng, one_of(rng, WOODS))
    slab(piece.mask, 2, 2, long, wide, wide * rng.uniform(0.1, 0.5))
    bevel(piece, long * 0.008, long * 0.015)
    size = long * 0.048
    hollows = [(long * (x - 2.5) * 0.118, wide * y) for x in range(6) for y in (-0.23, 0.23)]
    middle = (long / 2 + 2, wide / 2 + 2)
    for x, y in hollows:
        _hollow(piece, (middle[0] + x, middle[1] + y), size, size)
    for x in (-0.43, 0.43):
        _hollow(piece, (middle[0] + x * long, middle[1]), size * 0.95, wide * 0.38)
    return piece, hollows, size


def _hollow(piece: Piece, at: Point, rx: float, ry: float) -> None:
    """A hollow in wood, darker towards its bottom."""
    dome(piece, at, rx, ry, -min(rx, ry) * 0.75)
    where = area(piece)
    oval(where, at, rx, ry)
    dye(piece, where, (piece.colour * 0.8).astype(np.uint8))


def _solitaire(rng: np.random.Generator, span: float) -> tuple[Piece, list[Point], float]:
    piece, middle, _ = button_shape(span, BLACK, span * 0.06, 0.15)
    piece.colour = wood(piece.mask.shape, rng, one_of(rng, WOODS))
    bevel(piece, span * 0.015, span * 0.025)
    groove, inner = area(piece), area(piece)
    disc(groove, middle, span * 0.46)
    disc(inner, middle, span * 0.42)
    lift(piece, groove & ~inner, -span * 0.015, span * 0.006)
    unit = span * 0.112
    size = unit * 0.3
    hollows = [(x * unit, y * unit) for x in range(-3, 4) for y in range(-3, 4) if abs(x) < 2 or abs(y) < 2]
    for x, y in hollows:
        _hollow(piece, (middle[0] + x, middle[1] + y), size, size)
    return piece, hollows, size


def tokens(scene: Scene) -> None:
    """Spinning tops, tokens, figures and pawns that have one dot."""
    rng = scene.rng
    make = (_spinning_top, _token, _figure, _pawn)
    mixed, chosen = rng.random() < 0.3, make[int(rng.integers(4))]
    for at, span in spots(scene, some(scene), 1.15):
        (make[int(rng.integers(4))] if mixed else chosen)(scene, at, span)


def _spinning_top(scene: Scene, at: Point, span: float) -> None:
    rng = scene.rng
    piece, middle, radius = button_shape(span, one_of(rng, (*VIVID, *WOODS)), span * 0.08, 0.4)
    for share in np.linspace(0.9, 0.25, int(rng.integers(1, 5))):
        ring = area(piece)
        disc(ring, middle, radius * share)
        dye(piece, ring, one_of(rng, (*VIVID, WHITE, *WOODS)))
    dome(piece, middle, radius * 1.05, radius * 1.05, span * 0.12)
    place(scene, piece, at, 0.0, span * 0.08)
    stick, hub, _ = button_shape(span * 0.15, one_of(rng, (*WOODS, RED, BLACK)), span * 0.35, 0.4)
    dome(stick, hub, span * 0.08, span * 0.08, span * 0.04)
    place(scene, stick, scene.above(at, span * 0.2))


def _token(scene: Scene, at: Point, span: float) -> None:
    rng = scene.rng
    colour = one_of(rng, (*VIVID, WHITE, BLACK, IVORY))
    piece = blank(span + 4, span + 4, colour, span * 0.07, 0.3)
    middle, radius, corners = (span / 2 + 2, span / 2 + 2), span / 2, int(rng.choice((3, 6, 8, 40)))
    polygon(piece.mask, ellipse(middle, radius, radius, corners=corners))
    bevel(piece, span * 0.02, span * 0.03)
    dot = area(piece)
    disc(dot, middle, radius * rng.uniform(0.12, 0.3))
    dye(piece, dot, BLACK if sum(colour) > 330 else WHITE)
    lift(piece, dot, -span * 0.02, span * 0.01)
    place(scene, piece, at, any_turn(rng))


def _figure(scene: Scene, at: Point, span: float) -> None:
    """A figure with arms and legs, as board games have them, lying."""
    rng = scene.rng
    colour = one_of(rng, (*VIVID, BLACK, WHITE))
    piece = blank(span + 4, span + 4, colour, span * 0.28, 0.2)
    half = [(0.0, 0.2), (0.12, 0.33), (0.3, 0.36), (0.49, 0.44), (0.5, 0.55), (0.26, 0.6), (0.34, 0.74), (0.46, 0.94)]
    half += [(0.44, 0.98), (0.14, 0.98), (0.0, 0.8)]
    outline = half + [(-x, y) for x, y in reversed(half)]
    polygon(piece.mask, [(span * (0.5 + x) + 2, span * y + 2) for x, y in outline])
    disc(piece.mask, (span * 0.5 + 2, span * 0.19 + 2), span * 0.17)
    bevel(piece, span * 0.015, span * 0.03)
    dot = area(piece)
    disc(dot, (span * 0.5 + 2, span * rng.choice((0.2, 0.5)) + 2), span * 0.07)
    dye(piece, dot, BLACK if sum(colour) > 330 else WHITE)
    place(scene, piece, at, any_turn(rng))


def _pawn(scene: Scene, at: Point, span: float) -> None:
    rng = scene.rng
    colour = one_of(rng, (*VIVID, BLACK, WHITE, *WOODS))
    high = 0.0
    for share, up in ((1.0, 0.12), (0.78, 0.1), (0.55, 0.22), (0.4, 0.3)):
        level, middle, radius = button_shape(span * share, colour, span * up, 0.4)
        bevel(level, span * 0.02, span * 0.03)
        place(scene, level, scene.above(at, high))
        high += span * up
    head, middle, radius = button_shape(span * 0.5, colour, 0, 0.7)
    dome(head, middle, radius, radius, radius)
    dot = area(head)
    disc(dot, middle, radius * 0.3)
    dye(head, dot, BLACK if sum(colour) > 330 else WHITE)
    place(scene, head, scene.above(at, high + span * 0.1), any_turn(rng), tall=1.0)
