"""Flat things that look like dice: phones with their lenses, pictures of dice in print and on screens, ludo boards."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from tests.bench.dotted.palette import (
    BLACK,
    BLUE,
    BRASS,
    GREEN,
    GREY,
    IVORY,
    ORANGE,
    RED,
    STEEL,
    VIVID,
    WHITE,
    WOODS,
    YELLOW,
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
    polygon,
    slab,
    write,
)
from tests.bench.dotted.scene import FINE, Scene, any_turn, place

Corners = npt.NDArray[np.float64]
# Bodies of phones, as they are sold.
BODIES = (BLACK, (52, 48, 46), (58, 56, 55), GREY, (205, 208, 210), (225, 230, 232), (150, 185, 205), (195, 175, 150))
BRIGHT_BODIES = ((200, 215, 190), (215, 190, 200), (205, 190, 235), RED, (95, 60, 30), (75, 85, 50), (120, 205, 235))
PHONE_WIDE, PHONE_LONG, PHONE_THICK = 72.0, 150.0, 8.0  # mm
# What lies where on a bump, in mm from its middle: lenses, the flash and small sensors; and how large the bump is.
Layout = tuple[tuple[float, float], float, tuple[Point, ...], tuple[Point, ...], tuple[Point, ...]]
LAYOUTS: dict[str, Layout] = {
    "square": ((34, 34), 11.5, ((-8, -8), (8, -8), (-8, 8), (8, 8)), (), ()),
    "close": ((26, 26), 8.5, ((-6, -6), (6, -6), (-6, 6), (6, 6)), (), ()),
    "three": ((37, 38), 15.0, ((-8.4, -8.8), (-8.4, 8.8), (8.6, 0)), ((8.6, -12.5),), ((8.6, 12.5),)),
    "two and two": ((29, 30), 11.0, ((-6.5, -6.7), (-6.5, 6.7)), ((7, -6.7),), ((7, 6.7),)),
    "diagonal": ((30, 30), 12.0, ((-6.4, -6.4), (6.6, 6.6)), ((6.6, -6.6),), ((-6.8, 7.4),)),
    "column": ((25, 55), 12.0, ((0, -17), (0, 0), (0, 17)), (), ()),
    "pair": ((17, 36), 12.0, ((0, -9), (0, 9)), (), ()),
    "thick column": ((30, 46), 10.0, ((-5, -15), (-5, -2), (-5, 11)), ((7, -14),), ((7, -4),)),
    "round": ((40, 40), 10.5, ((-8, -8), (8, -8), (-8, 8), (8, 8)), ((0, 16),), ()),
    "bar": ((60, 18), 11.0, ((-16, 0), (-3, 0), (10, 0)), ((21, 0),), ()),
}
SUITS_OF_LUDO = ((45, 40, 205), (60, 150, 45), (60, 205, 245), (190, 100, 35))


def phones(scene: Scene) -> None:
    """Phones that lie face down: what a table sees of them is their lenses."""
    rng = scene.rng
    unit = scene.span(45, 300) * rng.uniform(1.0, 1.8) / PHONE_WIDE  # a millimetre
    at = _within(scene, 0.2)
    turn = any_turn(rng) if rng.random() < 0.6 else float(rng.normal(0, 0.25))
    for number in range(2 if rng.random() < 0.25 else 1):  # two lie side by side
        body = one_of(rng, (*BODIES, *BRIGHT_BODIES), 8)
        name = list(LAYOUTS)[int(rng.integers(len(LAYOUTS)))]
        aside, up = rng.uniform(108, 130) * unit * rng.choice((-1, 1)), rng.uniform(-25, 25) * unit
        _phone(scene, at if number == 0 else _turned(at, turn, aside, up), turn, unit, body, name)


def _within(scene: Scene, edge: float) -> Point:
    """A point of the ground by lot that the picture shows, not nearer to its sides than a share `edge`."""
    w, h = scene.size[0] * FINE, scene.size[1] * FINE
    return scene.on_ground(scene.rng.uniform(edge, 1 - edge) * w, scene.rng.uniform(edge, 1 - edge) * h)


def _turned(at: Point, turn: float, x: float, y: float) -> Point:
    """The point of the ground x, y away from another, along a turned thing's sides."""
    c, s = math.cos(turn), math.sin(turn)
    return at[0] + x * c - y * s, at[1] + x * s + y * c


def _phone(scene: Scene, bump_at: Point, turn: float, unit: float, body: Colour, name: str) -> None:
    """A phone whose bump lies over a point; the rest of it may go beyond the picture."""
    rng = scene.rng
    (wide, high), across, lenses, flashes, sensors = LAYOUTS[name]
    matt, cased = rng.random() < 0.45, rng.random() < 0.3
    x, y = wide / 2 + rng.uniform(2.5, 5) - PHONE_WIDE / 2, high / 2 + rng.uniform(2.5, 5) - PHONE_LONG / 2
    if name in ("bar", "round") or (name == "column" and rng.random() < 0.2):
        x = 0.0
        y += 6 if name == "bar" else 3
    at = _turned(bump_at, turn, -x * unit, -y * unit)
    shell = one_of(rng, (*BODIES, *BRIGHT_BODIES, *VIVID), 8) if cased else body
    thick = PHONE_THICK + (2.5 if cased else 0)
    back = _back(rng, unit, shell, matt or cased, thick)
    if cased:  # the bump lies in a hole of the case
        hole = area(back)
        middle = (back.mask.shape[1] / 2 + x * unit, back.mask.shape[0] / 2 + y * unit)
        w, h = (wide + 3) * unit, (high + 3) * unit
        slab(hole, middle[0] - w / 2, middle[1] - h / 2, w, h, (w / 2 if name == "round" else 9 * unit))
        dye(back, hole, shaded(body, 0.8))
        lift(back, hole, -1.8 * unit, 0.4 * unit)
    place(scene, back, at, turn)
    level = thick - (1.8 if cased else 0)
    loose = not cased and name in ("column", "pair", "thick column", "two and two") and rng.random() < 0.35
    if not loose:
        rise = rng.uniform(0.8, 2.6)
        plate = near(rng, body, 3) if rng.random() < 0.6 else shaded(body, rng.uniform(0.75, 1.12))
        plate = one_of(rng, (BLACK, (35, 33, 32)), 4) if rng.random() < 0.2 else plate
        place(scene, _bump(rng, unit, name, plate, rise), scene.above(_spot(at, turn, unit, x, y), level * unit), turn)
        level += rise
    ring = (shaded(body, 0.7), shaded(body, 1.15), one_of(rng, (STEEL, (60, 58, 56), BLACK, (150, 175, 195)), 8))
    metal = ring[int(rng.integers(3))]
    tint = one_of(rng, ((90, 45, 35), (80, 40, 60), (60, 60, 30), (45, 40, 38)), 8)
    raised = rng.uniform(0.3, 1.8)
    spots = [(lens, across, True) for lens in lenses] + [(flash, rng.uniform(4.5, 6.5), False) for flash in flashes]
    spots += [(sensor, rng.uniform(2.5, 6), True) for sensor in sensors if rng.random() < 0.8]
    if rng.random() < 0.5 and name in ("column", "pair", "bar"):
        spots.append(((0.0, high / 2 - 3.5) if name == "column" else (wide / 2 + 5, 0.0), 4.5, False))
    spots.sort(key=lambda one: one[0][0] * math.sin(turn) + one[0][1] * math.cos(turn))
    for (dx, dy), size, glass in spots:
        piece = _lens(scene, size * unit, metal, tint, raised * unit) if glass else _flash(size * unit)
        place(scene, piece, scene.above(_spot(at, turn, unit, x + dx, y + dy), level * unit), turn)


def _spot(at: Point, turn: float, unit: float, x: float, y: float) -> Point:
    return _turned(at, turn, x * unit, y * unit)


def _back(rng: np.random.Generator, unit: float, colour: Colour, matt: bool, thick: float) -> Piece:
    """The back of a phone: glass shows a window or a lamp, a matt one hardly anything."""
    w, h = PHONE_WIDE * unit, PHONE_LONG * unit
    piece = blank(w + 4, h + 4, colour, thick * unit, 0.08 if matt else 0.35)
    slab(piece.mask, 2, 2, w, h, rng.uniform(7, 13) * unit)
    piece.side = shaded(colour, rng.uniform(0.6, 1.2))
    _sheen(piece, rng, 5.0 if matt else 16.0)
    mark = rng.random()
    middle = (w / 2 + 2, h / 2 + 2)
    faint = shaded(colour, 1.35) if sum(colour) < 360 else shaded(colour, 0.8)
    if mark < 0.3:
        sign = area(piece)
        polygon(sign, ellipse(middle, 6 * unit, 6.6 * unit))
        disc(sign, (middle[0] + 5.5 * unit, middle[1] - unit), 2.2 * unit, 0)
        dye(piece, sign, faint)
    elif mark < 0.6:
        write(piece.colour, "mobile", (middle[0], h * 0.86), 5 * unit, faint, 0.1)
    if matt:
        mottle(piece, rng, 2.5, (2, 1))
    else:
        _reflection(piece, rng, rng.uniform(0.08, 0.35))
        _smudges(piece, rng)
    bevel(piece, 1.2 * unit, 1.1 * unit)
    return piece


def _sheen(piece: Piece, rng: np.random.Generator, strength: float) -> None:
    """Brighter on one side than on the other, as a smooth thing that mirrors a room."""
    h, w = piece.mask.shape
    y, x = np.mgrid[-1 : 1 : h * 1j, -1 : 1 : w * 1j].astype(np.float32)
    way = any_turn(rng)
    change = x * np.float32(math.cos(way)) + y * np.float32(math.sin(way))
    piece.colour = np.clip(piece.colour + (change * np.float32(strength))[..., None], 0, 255).astype(np.uint8)


def _reflection(piece: Piece, rng: np.random.Generator, strength: float) -> None:
    """A window or a lamp that a glass mirrors: a soft bright stripe or patch."""
    h, w = piece.mask.shape
    bright = area(piece)
    if rng.random() < 0.6:
        left, wide, slope = rng.uniform(-0.3, 0.9) * w, rng.uniform(0.15, 0.6) * w, rng.uniform(-0.7, 0.7) * w
        polygon(bright, ((left, 0), (left + wide, 0), (left + wide + slope, h), (left + slope, h)))
    else:
        at = (rng.uniform(0, w), rng.uniform(0, h))
        polygon(bright, ellipse(at, w * rng.uniform(0.1, 0.4), w * rng.uniform(0.1, 0.5), any_turn(rng)))
    soft = cv2.GaussianBlur(bright, (0, 0), w * rng.uniform(0.01, 0.09) + 1)
    dye(piece, cv2.convertScaleAbs(soft, alpha=strength), (250, 248, 245))


def _smudges(piece: Piece, rng: np.random.Generator) -> None:
    """Where fingers were."""
    h, w = piece.mask.shape
    for _ in range(int(rng.integers(0, 5))):
        print_ = area(piece)
        at, size = (rng.uniform(0, w), rng.uniform(0.2, 1) * h), w * rng.uniform(0.06, 0.12)
        polygon(print_, ellipse(at, size, size * 1.4, any_turn(rng)))
        soft = cv2.GaussianBlur(print_, (0, 0), size * 0.3)
        dye(piece, cv2.convertScaleAbs(soft, alpha=float(rng.uniform(0.02, 0.07))), (190, 195, 200))


def _bump(rng: np.random.Generator, unit: float, name: str, colour: Colour, rise: float) -> Piece:
    w, h = (side * unit for side in LAYOUTS[name][0])
    piece = blank(w + 4, h + 4, colour, rise * unit, 0.3)
    narrow = name in ("column", "pair", "bar") and rng.random() < 0.6
    round_ = min(w, h) / 2 if narrow or name == "round" else rng.uniform(5, 10) * unit
    slab(piece.mask, 2, 2, w, h, round_)
    piece.side = shaded(colour, 0.85)
    if rng.random() < 0.5:
        _reflection(piece, rng, rng.uniform(0.05, 0.25))
    _sheen(piece, rng, 8)
    bevel(piece, 0.7 * unit, 0.8 * unit)
    return piece


def _lens(scene: Scene, across: float, metal: Colour, tint: Colour, raised: float) -> Piece:
    """A lens: a ring of metal around dark glass, in it a coloured coat, the dark pupil, and lamps as small glints."""
    rng = scene.rng
    piece, middle, radius = button_shape(across, metal, raised, 0.5)
    bevel(piece, across * 0.03, across * 0.03)
    glass = rng.uniform(0.78, 0.9)
    for share, colour in (
        (glass, (16, 15, 15)),
        (glass * 0.78, (38, 35, 33)),
        (glass * 0.72, (14, 13, 13)),
        (glass * 0.55, tint),
        (glass * 0.38, (10, 9, 9)),
    ):
        where = area(piece)
        disc(where, middle, radius * share)
        dye(piece, where, colour)
    pit = area(piece)
    disc(pit, middle, radius * glass)
    lift(piece, pit, -across * 0.02, max(0.6, across * 0.012))
    for _ in range(int(rng.integers(1, 3))):
        glint = area(piece)
        off = radius * glass * rng.uniform(0.2, 0.6)
        way = math.atan2(float(scene.light[1]), float(scene.light[0])) + rng.normal(0, 0.5)
        at = (middle[0] + off * math.cos(way), middle[1] + off * math.sin(way))
        size = radius * rng.uniform(0.06, 0.16)
        polygon(glint, ellipse(at, size * 1.4, size, way + math.pi / 2, 24))
        glint = cv2.GaussianBlur(glint, (0, 0), max(0.6, size * 0.3)).astype(np.uint8)
        dye(piece, cv2.convertScaleAbs(glint, alpha=float(rng.uniform(0.4, 1.0))), (250, 245, 240))
    crescent, inner = area(piece), area(piece)
    disc(crescent, middle, radius * glass * 0.95)
    disc(inner, (middle[0] - radius * 0.12, middle[1] + radius * 0.1), radius * glass * 0.95)
    sky = cv2.GaussianBlur(crescent & ~inner, (0, 0), max(0.6, radius * 0.04))
    dye(piece, cv2.convertScaleAbs(sky, alpha=float(rng.uniform(0.05, 0.35))), (220, 205, 195))
    return piece


def _flash(across: float) -> Piece:
    piece, middle, radius = button_shape(across, (205, 222, 228), 0.5, 0.4)
    inner = area(piece)
    disc(inner, middle, radius * 0.6)
    dye(piece, inner, (150, 208, 228))
    bevel(piece, across * 0.06, across * 0.03)
    return piece


def pictures(scene: Scene) -> None:
    """Dice in pictures: on a game's box, on a sheet of rules, on a phone's lit screen, as signs on cards."""
    rng = scene.rng
    make = (_box, _rules, _screen, _sign_cards)[int(rng.integers(4))]
    make(scene)


def _tumbled(rng: np.random.Generator) -> Corners:
    """How a die in a picture is turned: aslant from above, one corner or one side towards who looks."""
    around, down, roll = rng.uniform(0, 2 * math.pi), rng.uniform(0.45, 1.1), rng.normal(0, 0.25)
    c, s = math.cos(around), math.sin(around)
    turn = np.asarray([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    c, s = math.cos(down), math.sin(down)
    turn = np.asarray([[1, 0, 0], [0, s, -c], [0, c, s]]) @ turn
    c, s = math.cos(roll), math.sin(roll)
    return np.asarray(np.asarray([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ turn, np.float64)


def _square(corner: float) -> Corners:
    """The points of a square of side 1 around 0 whose corners are round."""
    frame = [
        ellipse((x * (0.5 - corner), y * (0.5 - corner)), corner, corner, 0, 24)
        for x, y in ((1, 1), (1, -1), (-1, -1), (-1, 1))
    ]
    return _hull(np.concatenate(frame))


def _hull(points: Corners) -> Corners:
    return np.asarray(cv2.convexHull(points.astype(np.float32))[:, 0], np.float64)


def _cube(
    image: Bytes, rng: np.random.Generator, at: Point, size: float, body: Colour, ink: Colour, outline: Colour | None
) -> None:
    """A die as who makes pictures draws it: three sides of a cube with round corners, by lines or by shades."""
    turn = _tumbled(rng)
    order = rng.permutation(3)
    values = [(1, 6), (2, 5), (3, 4)]
    sides = []
    for axis in range(3):
        pair = values[int(order[axis])]
        for way, value in zip((-1.0, 1.0), pair, strict=True):
            sides.append((axis, way, value))

    def seen(points: Corners) -> Corners:
        moved = points @ turn.T
        near_ = 1 / (1 - moved[:, 2] * 0.12)
        return np.stack([at[0] + size * moved[:, 0] * near_, at[1] + size * moved[:, 1] * near_], 1)

    def on_side(axis: int, way: float, flat: Corners) -> Corners:
        points = np.full((len(flat), 3), 0.5 * way)
        points[:, [i for i in range(3) if i != axis]] = flat
        return points

    rim = _square(0.13)
    shown = [(axis, way, value) for axis, way, value in sides if turn[2, axis] * way > 0]
    whole = np.concatenate([seen(on_side(axis, way, rim)) for axis, way, _ in shown])
    hull = _hull(whole)
    pen = max(1.5, size * 0.035)
    if outline is not None:
        polygon(image, hull, outline)
        line(image, np.concatenate([hull, hull[:2]]), pen * 2, outline)
    else:
        polygon(image, hull, shaded(body, 0.88 if max(body) > 60 else 1.6))
    for axis, way, value in shown:
        normal = turn[:, axis] * way
        if normal[2] < 0.2:  # too aslant to be more than an edge
            continue
        bright = 0.72 + 0.3 * float(-0.35 * normal[0] - 0.75 * normal[1] + 0.55 * normal[2])
        face = shaded(body, bright * (1.03 if max(body) > 60 else 1.3))
        polygon(image, seen(on_side(axis, way, rim * (0.98 if outline is None else 0.94))), face)
        spread, dot = 0.26, 0.1 if value < 6 else 0.09
        for place_ in PLACES[value]:
            row, column = divmod(place_, 3)
            pip = ellipse((spread * (column - 1), spread * (row - 1)), dot, dot, 0, 24)
            polygon(image, seen(on_side(axis, way, pip)), ink if outline is not None else shaded(ink, bright))


def _front(
    image: Bytes,
    at: Point,
    size: float,
    value: int,
    body: Colour,
    ink: Colour,
    turn: float = 0.0,
    outlined: bool = True,
) -> None:
    """One side of a die as a sign: a square with round corners and its dots, with an outline or solid."""
    c, s = math.cos(turn), math.sin(turn)
    rim = _square(0.14)
    spin = np.asarray([[c, s], [-s, c]])

    def laid(points: Corners, by: float = 1.0) -> Corners:
        return np.asarray(points * by @ spin * size + np.asarray(at), np.float64)

    if outlined:
        polygon(image, laid(rim), ink)
    polygon(image, laid(rim, 0.88 if outlined else 1.0), body)
    for place_ in PLACES[value]:
        row, column = divmod(place_, 3)
        polygon(image, laid(ellipse((0.26 * (column - 1), 0.26 * (row - 1)), 0.09, 0.09, 0, 24)), ink)


def _dice_colours(rng: np.random.Generator) -> tuple[Colour, Colour]:
    """The body and the dots of pictured dice."""
    pairs = (
        (WHITE, BLACK),
        (WHITE, BLACK),
        (IVORY, BLACK),
        (RED, WHITE),
        (BLACK, WHITE),
        (BLUE, WHITE),
        (GREEN, WHITE),
    )
    body, ink = pairs[int(rng.integers(len(pairs)))]
    return (one_of(rng, (ORANGE, YELLOW), 8), BLACK) if rng.random() < 0.12 else (near(rng, body, 5), ink)


def _printing(piece: Piece, rng: np.random.Generator) -> None:
    """Print is not quite even, and its colours are duller than on a screen."""
    mottle(piece, rng, 3, (40, 2))
    piece.colour = np.clip(piece.colour.astype(np.float32) * 0.93 + 9, 0, 255).astype(np.uint8)


def _box(scene: Scene) -> None:
    """The lid of a game's box, with a title and dice that tumble; from near, a part of it."""
    rng = scene.rng
    h = scene.span(200, 700) * rng.uniform(1.2, 2.6)
    w = h * rng.choice((0.7, 1.0, 1.4))
    ground, other = one_of(rng, (*VIVID, BLACK, IVORY, (110, 60, 40))), one_of(rng, (*VIVID, BLACK, WHITE))
    piece = blank(w, h, ground, h * rng.uniform(0.04, 0.16), 0.25)
    slab(piece.mask, 2, 2, w - 4, h - 4, h * 0.008)
    down = np.linspace(0, 1, piece.mask.shape[0], dtype=np.float32)[:, None, None]
    fade = np.float32(rng.uniform(0.1, 0.8))
    blend = np.asarray(ground, np.float32) * (1 - down * fade) + np.asarray(other, np.float32) * down * fade
    piece.colour[:] = np.clip(blend, 0, 255).astype(np.uint8)
    middle = (w * rng.uniform(0.4, 0.6), h * rng.uniform(0.55, 0.66))
    if rng.random() < 0.5:  # rays from behind the dice
        pale = shaded(ground, 1.25)
        for turn in np.arange(0, 2 * math.pi, math.pi / 9):
            ends = [(middle[0] + 2 * h * math.cos(a), middle[1] + 2 * h * math.sin(a)) for a in (turn, turn + 0.17)]
            polygon(piece.colour, [middle, *ends], pale)
    band = h * 0.1
    title = str(rng.choice(("DICE DASH", "SIX UP", "ROLL IT!", "LUCKY 7", "FARM RACE", "THE DUKE", "KNIFFLIG")))
    high = min(band * 0.9, w * 0.8 / len(title))
    for edge, colour in ((0.3, BLACK), (0.16, near(rng, one_of(rng, (WHITE, YELLOW, IVORY)), 3))):
        write(piece.colour, title, (w / 2, h * 0.14), high, colour, edge)
    body, ink = _dice_colours(rng)
    outline = one_of(rng, (BLACK, (60, 30, 20)), 4) if rng.random() < 0.4 else None
    size, count, mixed = min(w, h) * rng.uniform(0.14, 0.3), int(rng.integers(1, 6)), rng.random() < 0.4
    start = any_turn(rng)
    for number in range(count):
        off = 0.0 if count == 1 else size * (1.0 + 0.2 * count) * rng.uniform(0.75, 1.0)
        way = start + number * 2 * math.pi / count
        at = (middle[0] + off * math.cos(way), middle[1] + off * math.sin(way) * 0.75)
        if mixed:
            body, ink = _dice_colours(rng)
        _dark_below(piece, at, size, rng.random() < 0.6 and outline is None)
        _cube(piece.colour, rng, at, size * rng.uniform(0.85, 1.1), body, ink, outline)
    signs = ("2-4", "8+", "30 min", "2-6", "99")
    for number in range(3):
        at = (w * (0.1 + 0.11 * number), h * 0.94)
        disc(piece.colour, at, h * 0.035, WHITE)
        write(piece.colour, signs[int(rng.integers(len(signs)))], at, h * 0.014, BLACK)
    _printing(piece, rng)
    if rng.random() < 0.4:
        _reflection(piece, rng, rng.uniform(0.08, 0.25))
    bevel(piece, h * 0.004, h * 0.003)
    turn = any_turn(rng) if rng.random() < 0.3 else float(rng.normal(0, 0.3))
    off = ((middle[0] - w / 2) * rng.uniform(0.5, 1), (middle[1] - h / 2) * rng.uniform(0.5, 1))
    place(scene, piece, _turned(scene.middle, turn, -off[0], -off[1]), turn)


def _dark_below(piece: Piece, at: Point, size: float, wanted: bool) -> None:
    """The shadow that is drawn with a die."""
    if wanted:
        dark = area(piece)
        polygon(dark, ellipse((at[0] + size * 0.15, at[1] + size * 0.5), size * 0.75, size * 0.35))
        soft = cv2.GaussianBlur(dark, (0, 0), size * 0.1)
        dye(piece, cv2.convertScaleAbs(soft, alpha=0.45), (20, 18, 18))


def _text(image: Bytes, rng: np.random.Generator, box: tuple[float, float, float, float], high: float) -> None:
    """Lines of print in a box (left, top, width, height): too small to be more than words of grey."""
    left, top, wide, deep = box
    for y in np.arange(top + high / 2, top + deep, high * 1.6):
        x, end = left, left + wide * (1 if rng.random() < 0.85 else rng.uniform(0.3, 0.9))
        while x < end:
            long = min(high * rng.uniform(0.8, 4.5), end - x)
            slab(image, x, y - high * 0.22, long, high * 0.44, high * 0.15, (95, 92, 90))
            for up in np.arange(x + high * 0.3, x + long, high * 0.75):
                if rng.random() < 0.35:
                    slab(image, up, y - high * 0.5, high * 0.16, high * 0.6, 1, (95, 92, 90))
            x += long + high * 0.45


def _rules(scene: Scene) -> None:
    """A sheet or a booklet of rules: columns of text, and dice that show what counts."""
    rng = scene.rng
    h = scene.span(250, 700) * rng.uniform(1.4, 2.6)
    w = h * rng.uniform(0.66, 0.75)
    piece = blank(w, h, near(rng, (230, 236, 238), 6), 3, 0.06)
    slab(piece.mask, 1, 1, w - 2, h - 2, 2)
    accent = one_of(rng, (*VIVID, BLACK))
    size = w * rng.uniform(0.09, 0.2)
    body, ink = _dice_colours(rng)
    outlined, solid = rng.random() < 0.6, rng.random() < 0.5
    if not outlined and max(body) > 150 and min(body) > 150:
        body, ink = shaded(accent, 0.9), WHITE
    high = h * rng.uniform(0.008, 0.012)
    y = h * 0.05
    write(piece.colour, str(rng.choice(("RULES", "HOW TO PLAY", "SPIELREGEL"))), (w / 2, y), h * 0.026, accent, 0.16)
    y += h * 0.03
    while y < h * 0.9:
        slab(piece.colour, w * 0.08, y, w * rng.uniform(0.2, 0.4), high * 1.1, 1, accent)
        y += high * 3
        deep = h * rng.uniform(0.03, 0.09)
        _text(piece.colour, rng, (w * 0.08, y, w * 0.84, deep), high)
        y += deep + size * 0.8
        if y + size > h * 0.95:
            break
        if rng.random() < 0.35:
            slab(piece.colour, w * 0.06, y - size * 0.75, w * 0.88, size * 1.5, size * 0.15, shaded(accent, 1.5))
        count = int(rng.integers(1, 6))
        step = min(size * 1.3, w * 0.8 / count)
        for number in range(count):
            at = (w * 0.1 + size / 2 + step * number, y)
            if solid:
                _cube(piece.colour, rng, at, min(size, step) * 0.68, body, ink, ink if outlined else None)
            else:
                _front(
                    piece.colour,
                    at,
                    min(size, step) * 0.9,
                    int(rng.integers(1, 7)),
                    body,
                    ink,
                    rng.normal(0, 0.1),
                    outlined,
                )
        room = w * 0.9 - (w * 0.1 + size + step * count)
        if room > w * 0.1:
            _text(piece.colour, rng, (w * 0.92 - room, y - size * 0.3, room, size * 0.6), high)
        y += size * 0.95
    _printing(piece, rng)
    folds = int(rng.integers(0, 3))
    for number in range(folds):
        fold = area(piece)
        across = h * (number + 1) / (folds + 1)
        line(fold, ((0, across), (w, across)), 4, 255)
        lift(piece, fold, float(rng.choice((-4, 4))), 3)
    swell = cloud(piece.mask.shape, rng, (int(w / 2) + 8,))
    piece.relief += cv2.GaussianBlur(swell, (0, 0), w * 0.06) * np.float32(w * 0.02)
    turn = any_turn(rng) if rng.random() < 0.3 else float(rng.normal(0, 0.3))
    place(scene, piece, _turned(scene.middle, turn, 0, rng.uniform(-0.25, 0.25) * h), turn)


def _screen(scene: Scene) -> None:
    """A phone that lies on its back; an app on its lit screen throws dice."""
    rng = scene.rng
    unit = scene.span(90, 400) * rng.uniform(1.0, 2.2) / PHONE_WIDE
    w, h = PHONE_WIDE * unit, PHONE_LONG * unit
    piece = blank(w + 4, h + 4, BLACK, PHONE_THICK * unit, 0.3)
    slab(piece.mask, 2, 2, w, h, 9 * unit)
    piece.side = one_of(rng, (BLACK, STEEL, (90, 85, 80)), 8)
    image, edge = piece.colour.copy(), 3 * unit
    ground = one_of(rng, (GREEN, (70, 100, 35), BLUE, BLACK, WHITE, (60, 40, 40), (235, 225, 215), RED, (120, 60, 90)))
    image[:] = ground
    if rng.random() < 0.4:
        near_middle = np.hypot(
            *np.meshgrid(*(np.linspace(-1, 1, n, dtype=np.float32) for n in (image.shape[1], image.shape[0])))
        )
        image = np.clip(image * (1.15 - 0.3 * near_middle)[..., None], 0, 255).astype(np.uint8)
    dark = sum(ground) < 380
    word = WHITE if dark else BLACK
    write(image, "12:41", (w * 0.16, h * 0.035), 3 * unit, word)
    slab(image, w * 0.82, h * 0.03, w * 0.08, 2.4 * unit, unit, word)
    write(image, str(rng.choice(("Dice", "Roll 3", "Player 2", "Total"))), (w / 2, h * 0.11), 5 * unit, word)
    button = one_of(rng, (ORANGE, RED, BLUE, (200, 160, 40)))
    slab(image, w * 0.25, h * 0.87, w * 0.5, h * 0.065, 5 * unit, button)
    write(image, str(rng.choice(("ROLL", "THROW", "AGAIN"))), (w / 2, h * 0.903), 4 * unit, WHITE)
    body, ink = _dice_colours(rng)
    if abs(sum(body) - sum(ground)) < 150:
        body, ink = (WHITE, BLACK) if dark else (RED, WHITE)
    columns, rows = ((1, 1), (1, 2), (2, 2), (2, 3), (1, 3))[int(rng.integers(5))]
    style = int(rng.integers(3))
    step = min(w * 0.86 / columns, h * 0.66 / rows)
    size = step * rng.uniform(0.55, 0.8)
    for number in range(columns * rows):
        row, column = divmod(number, columns)
        at = (w / 2 + step * (column - (columns - 1) / 2), h * 0.49 + step * (row - (rows - 1) / 2))
        turn = rng.normal(0, 0.4) if style == 1 else 0.0
        if style == 2:
            _cube(image, rng, at, size * 0.75, body, ink, None)
        else:
            value = int(rng.integers(1, 7))
            if style == 1:
                _front(
                    image, (at[0] + size * 0.06, at[1] + size * 0.08), size, 1, *(shaded(ground, 0.6),) * 2, turn, False
                )
            _front(image, at, size, value, body, ink, turn, style == 0 and rng.random() < 0.5)
    glow = np.clip(image.astype(np.float32) * rng.uniform(0.85, 1.15) + np.asarray((14, 9, 6), np.float32), 0, 255)
    lit = area(piece)
    slab(lit, 2 + edge, 2 + edge, w - 2 * edge, h - 2 * edge, 6.5 * unit)
    dye(piece, lit, glow.astype(np.uint8))
    disc(piece.colour, (w / 2 + 2, 7 * unit), 1.7 * unit, (12, 12, 12))
    _reflection(piece, rng, rng.uniform(0.03, 0.25))
    _smudges(piece, rng)
    bevel(piece, unit, unit * 0.8)
    turn = any_turn(rng) if rng.random() < 0.5 else float(rng.normal(0, 0.25))
    near_it = rng.uniform(-0.12, 0.12) * min(scene.size) * FINE
    place(scene, piece, (scene.middle[0] + near_it, scene.middle[1] - near_it), turn)


def _sign_cards(scene: Scene) -> None:
    """Cards of a game with dice as signs on them: large, in a frame, or small in the corners."""
    rng = scene.rng
    high = scene.span(120, 420) * rng.uniform(1.0, 1.5)
    wide, count = high * 0.69, int(rng.integers(1, 6))
    ground = one_of(rng, (*VIVID, WHITE, IVORY, (90, 120, 150)))
    start, step = float(rng.normal(0, 0.4)), rng.uniform(-0.2, 0.2)
    style = int(rng.integers(3))
    body, ink = _dice_colours(rng)
    for number in range(count):
        piece = blank(wide + 4, high + 4, near(rng, WHITE, 4), 3, 0.15)
        slab(piece.mask, 2, 2, wide, high, high * 0.04)
        inner = area(piece)
        slab(inner, wide * 0.06, wide * 0.06, wide * 0.89, high - wide * 0.11, high * 0.03)
        dye(piece, inner, ground if rng.random() < 0.7 else one_of(rng, (*VIVID, IVORY)))
        middle = (wide / 2 + 2, high * 0.42)
        frame = rng.random() < 0.5
        if frame:
            disc(piece.colour, middle, wide * 0.34, shaded(ground, 0.6))
            disc(piece.colour, middle, wide * 0.31, one_of(rng, (WHITE, IVORY, (200, 215, 225)), 5))
        size = wide * (0.34 if frame else rng.uniform(0.3, 0.55))
        if style == 0:
            _cube(piece.colour, rng, middle, size * 0.85, body, ink, ink)
        elif style == 1:
            _front(piece.colour, middle, size, int(rng.integers(1, 7)), body, ink, rng.normal(0, 0.2))
        else:
            for way in (-1, 1):
                at = (middle[0] + way * size * 0.36, middle[1] + way * size * 0.2)
                _cube(piece.colour, rng, at, size * 0.55, body, ink, None)
        slab(piece.colour, wide * 0.1, high * 0.7, wide * 0.81, high * 0.24, high * 0.02, (225, 235, 238))
        _text(piece.colour, rng, (wide * 0.15, high * 0.73, wide * 0.7, high * 0.18), high * 0.024)
        if rng.random() < 0.6:
            for x in (0.17, 0.83):
                _front(piece.colour, (wide * x + 2, high * 0.1), wide * 0.14, int(rng.integers(1, 7)), WHITE, BLACK)
        _printing(piece, rng)
        turn = start + step * (number - count / 2)
        along = (number - (count - 1) / 2) * wide * rng.uniform(0.7, 1.1)
        place(scene, piece, _turned(scene.middle, turn, along, rng.normal(0, high * 0.05)), turn)


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
    at = _turned(scene.middle, turn, -seen[0] * rng.uniform(0.7, 1.1), -seen[1] * rng.uniform(0.7, 1.1))
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
    on_ground = [(_turned(at, turn, *spot), suit) for spot, suit in stands.items()]
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
