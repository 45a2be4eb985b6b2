"""Phones that lie face down, and their lenses."""

from __future__ import annotations

import math

import cv2
import numpy as np

from tests.bench.dotted.palette import (
    BLACK,
    GREY,
    RED,
    STEEL,
    VIVID,
    Colour,
    Point,
    near,
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
    dye,
    ellipse,
    lift,
    mottle,
    polygon,
    slab,
    write,
)
from tests.bench.dotted.scene import FINE, Scene, any_turn, place, turned

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
        _phone(scene, at if number == 0 else turned(at, turn, aside, up), turn, unit, body, name)


def _within(scene: Scene, edge: float) -> Point:
    """A point of the ground by lot that the picture shows, not nearer to its sides than a share `edge`."""
    w, h = scene.size[0] * FINE, scene.size[1] * FINE
    return scene.on_ground(scene.rng.uniform(edge, 1 - edge) * w, scene.rng.uniform(edge, 1 - edge) * h)


def _phone(scene: Scene, bump_at: Point, turn: float, unit: float, body: Colour, name: str) -> None:
    """A phone whose bump lies over a point; the rest of it may go beyond the picture."""
    rng = scene.rng
    (wide, high), across, lenses, flashes, sensors = LAYOUTS[name]
    matt, cased = rng.random() < 0.45, rng.random() < 0.3
    x, y = wide / 2 + rng.uniform(2.5, 5) - PHONE_WIDE / 2, high / 2 + rng.uniform(2.5, 5) - PHONE_LONG / 2
    if name in ("bar", "round") or (name == "column" and rng.random() < 0.2):
        x = 0.0
        y += 6 if name == "bar" else 3
    at = turned(bump_at, turn, -x * unit, -y * unit)
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
    return turned(at, turn, x * unit, y * unit)


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
        reflection(piece, rng, rng.uniform(0.08, 0.35))
        smudges(piece, rng)
    bevel(piece, 1.2 * unit, 1.1 * unit)
    return piece


def _sheen(piece: Piece, rng: np.random.Generator, strength: float) -> None:
    """Brighter on one side than on the other, as a smooth thing that mirrors a room."""
    h, w = piece.mask.shape
    y, x = np.mgrid[-1 : 1 : h * 1j, -1 : 1 : w * 1j].astype(np.float32)
    way = any_turn(rng)
    change = x * np.float32(math.cos(way)) + y * np.float32(math.sin(way))
    piece.colour = np.clip(piece.colour + (change * np.float32(strength))[..., None], 0, 255).astype(np.uint8)


def reflection(piece: Piece, rng: np.random.Generator, strength: float) -> None:
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


def smudges(piece: Piece, rng: np.random.Generator) -> None:
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
        reflection(piece, rng, rng.uniform(0.05, 0.25))
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
