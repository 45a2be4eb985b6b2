"""Pictures of things with dots that are no dice, drawn as photos of a table would show them.

    python -m tests.bench.dotted FOLDER [--kinds KIND ...] [--count N] [--first N]

It writes FOLDER/KIND/NNNNN.png and FOLDER/labels.jsonl; every label says that no dice lie in its picture. A reader of
dice that is sure of a die in any of them is wrong.

These drawings judge. Nothing may ever be taught with them, and no rule, bound or number chosen by them: a reader that
has been fitted to them passes, whatever it does on real tables, and the judge is lost. They were drawn from what such
things look like on real tables, without a look at what the reader is taught with; who changes them keeps to that.

A picture is drawn at twice its size on a flat ground, each thing as a piece with colour, outline and relief that one
light shades; a camera above or aslant then looks at the ground, and the lens, the sensor and the file add their part.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from tests.bench.labelled import Shown, command

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Colour = tuple[int, int, int]  # blue, green, red
Point = tuple[float, float]
Drawer = Callable[["Scene"], None]

SIZES = ((640, 480), (480, 640), (800, 600))
FINE = 2  # drawn so many times larger and shrunk by area, for smooth edges
SHIFT = 4  # bits behind the point in coordinates that OpenCV draws with
LEAST, MOST = 30, 250  # pixels across, of a thing in a picture
STEEPEST = 0.75  # radians that a camera looks aslant
FROM_ABOVE = 0.35  # of the pictures
SPECULAR = 40.0  # how small a gleam is
TRIES = 60  # to find a free place for one more thing
COARSE = 4  # shadows are soft: a quarter of the pixels each way is enough for them
MOST_STEPS = 14  # of a shadow that a high thing casts
MOST_WALL = 250  # steps of a wall, which are counted in bytes

BLACK, WHITE, IVORY = (25, 24, 24), (240, 242, 243), (205, 228, 236)
GREY, STEEL, BRASS = (128, 128, 128), (186, 182, 178), (70, 150, 190)
RED, GREEN, BLUE, YELLOW = (40, 35, 200), (60, 140, 40), (170, 90, 30), (50, 200, 240)
ORANGE, PURPLE, PINK, TURQUOISE = (30, 120, 235), (130, 65, 110), (170, 130, 235), (170, 170, 40)
VIVID = (RED, GREEN, BLUE, YELLOW, ORANGE, PURPLE, PINK, TURQUOISE)
PLAIN = (WHITE, IVORY, GREY, BLACK, (60, 55, 50), (200, 205, 210), (150, 175, 195), (110, 100, 80), (60, 75, 100))
WOODS = ((70, 110, 160), (50, 80, 120), (110, 160, 200), (40, 55, 85), (130, 175, 205))

# Which of nine places, row by row, hold a dot for each number, as on dominoes.
PLACES: tuple[tuple[int, ...], ...] = (
    (),
    (4,),
    (2, 6),
    (2, 4, 6),
    (0, 2, 6, 8),
    (0, 2, 4, 6, 8),
    (0, 2, 3, 5, 6, 8),
    (0, 2, 3, 4, 5, 6, 8),
    (0, 1, 2, 3, 5, 6, 7, 8),
    (0, 1, 2, 3, 4, 5, 6, 7, 8),
)

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


# --- pieces: what a thing looks like from straight above


@dataclass
class Piece:
    """A thing before it lies anywhere. `thick`: of its rim above the ground; `relief`: its top above that rim."""

    colour: Bytes
    mask: Bytes
    relief: Floats
    thick: float = 0.0
    gloss: float = 0.1
    side: Colour | None = None


def blank(w: float, h: float, colour: Colour, thick: float = 0.0, gloss: float = 0.1) -> Piece:
    """A piece that has no outline yet."""
    shape = (max(4, round(h)), max(4, round(w)))
    colours = np.full((*shape, 3), colour, np.uint8)
    return Piece(colours, np.zeros(shape, np.uint8), np.zeros(shape, np.float32), thick, gloss)


def fixed(points: Sequence[Point] | npt.NDArray[np.float64]) -> npt.NDArray[np.int32]:
    """Points as OpenCV takes them, with bits behind the point."""
    return np.round(np.asarray(points, np.float64) * (1 << SHIFT)).astype(np.int32)


def disc(image: Bytes, at: Point, radius: float, value: int | Colour = 255) -> None:
    """A filled circle."""
    x, y = (round(v * (1 << SHIFT)) for v in at)
    cv2.circle(image, (x, y), max(1, round(radius * (1 << SHIFT))), value, cv2.FILLED, cv2.LINE_AA, SHIFT)


def polygon(image: Bytes, points: Sequence[Point] | npt.NDArray[np.float64], value: int | Colour = 255) -> None:
    """A filled polygon."""
    cv2.fillPoly(image, [fixed(points)], value, cv2.LINE_AA, SHIFT)


def oval(image: Bytes, at: Point, rx: float, ry: float, turn: float = 0.0, value: int | Colour = 255) -> None:
    """A filled ellipse, turned by radians."""
    polygon(image, ellipse(at, rx, ry, turn), value)


def ellipse(at: Point, rx: float, ry: float, turn: float = 0.0, corners: int = 48) -> npt.NDArray[np.float64]:
    """The points of an ellipse."""
    around = np.linspace(0, 2 * math.pi, corners, endpoint=False)
    x, y = rx * np.cos(around), ry * np.sin(around)
    c, s = math.cos(turn), math.sin(turn)
    return np.stack([at[0] + x * c - y * s, at[1] + x * s + y * c], 1)


def slab(image: Bytes, left: float, top: float, w: float, h: float, round_: float, value: int | Colour = 255) -> None:
    """A filled rectangle with round corners."""
    r = max(0.5, min(round_, w / 2, h / 2))
    corners = ((left + w - r, top + h - r), (left + r, top + h - r), (left + r, top + r), (left + w - r, top + r))
    points = []
    for i, (x, y) in enumerate(corners):
        for angle in np.linspace(i * math.pi / 2, (i + 1) * math.pi / 2, 8):
            points.append((x + r * math.cos(angle), y + r * math.sin(angle)))
    polygon(image, points, value)


def line(image: Bytes, points: Sequence[Point] | npt.NDArray[np.float64], width: float, value: int | Colour) -> None:
    """A line through points."""
    cv2.polylines(image, [fixed(points)], False, value, max(1, round(width)), cv2.LINE_AA, SHIFT)


def write(image: Bytes, text: str, at: Point, height: float, value: int | Colour, bold: float = 0.13) -> None:
    """A text with its middle at a point."""
    scale, width = height / 22, max(1, round(height * bold))
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, width)
    corner = (round(at[0] - w / 2), round(at[1] + h / 2))
    cv2.putText(image, text, corner, cv2.FONT_HERSHEY_SIMPLEX, scale, value, width, cv2.LINE_AA)


def area(piece: Piece) -> Bytes:
    """An empty area of a piece, to draw in."""
    return np.zeros_like(piece.mask)


def dye(piece: Piece, where: Bytes, colour: Colour | Bytes) -> None:
    """Colours an area of a piece."""
    x, y, w, h = cv2.boundingRect(where)
    share = where[y : y + h, x : x + w, None].astype(np.float32) / 255
    new = colour[y : y + h, x : x + w] if isinstance(colour, np.ndarray) else np.asarray(colour, np.float32)
    part = piece.colour[y : y + h, x : x + w]
    part[:] = part * (1 - share) + new * share


def lift(piece: Piece, where: Bytes, by: float, soft: float = 1.0) -> None:
    """Raises an area of a piece, or sinks it where `by` is below 0, with edges as wide as `soft`."""
    piece.relief += cv2.GaussianBlur(where, (0, 0), max(0.5, soft)).astype(np.float32) * np.float32(by / 255)


def dome(piece: Piece, at: Point, rx: float, ry: float, high: float) -> None:
    """Raises half an ellipsoid, or hollows a bowl where `high` is below 0."""
    h, w = piece.mask.shape
    y, x = np.ogrid[:h, :w]
    inside = 1 - ((x - at[0]) / rx) ** 2 - ((y - at[1]) / ry) ** 2
    piece.relief += (high * np.sqrt(np.maximum(inside, 0))).astype(np.float32)


def bevel(piece: Piece, width: float, high: float) -> None:
    """Rounds the edges of a piece."""
    lift(piece, cv2.erode(piece.mask, np.ones((3, 3), np.uint8), iterations=max(1, round(width))), high, width)


def mottle(piece: Piece, rng: np.random.Generator, strength: float, cells: Sequence[int] = (24, 6, 2)) -> None:
    """Makes the colour of a piece uneven."""
    change = cloud(piece.mask.shape, rng, cells)[..., None] * np.float32(strength)
    piece.colour = np.clip(piece.colour + change, 0, 255).astype(np.uint8)


def button_shape(across: float, colour: Colour, thick: float, gloss: float) -> tuple[Piece, Point, float]:
    """A round piece with its middle and radius."""
    piece = blank(across + 4, across + 4, colour, thick, gloss)
    middle, radius = (across / 2 + 2, across / 2 + 2), across / 2
    disc(piece.mask, middle, radius)
    return piece, middle, radius


# --- colours and textures


def cloud(shape: tuple[int, ...], rng: np.random.Generator, cells: Sequence[int]) -> Floats:
    """Noise of some sizes of grain, about −1 to 1."""
    h, w = shape[:2]
    whole = np.zeros((h, w), np.float32)
    for cell in cells:
        grain = rng.standard_normal((h // cell + 2, w // cell + 2), np.float32)
        if cell > 1:
            grain = cv2.resize(grain, (w + 2 * cell, h + 2 * cell), interpolation=cv2.INTER_LINEAR)
        whole += grain[:h, :w]
    return whole / np.float32(1.5 * math.sqrt(len(cells)))


def near(rng: np.random.Generator, colour: Colour, by: float = 14.0) -> Colour:
    """A colour much like another."""
    bright = 1 + rng.normal(0, by / 90)
    b, g, r = (int(np.clip(v * bright + rng.normal(0, by / 3), 8, 248)) for v in colour)
    return b, g, r


def shaded(colour: Colour, by: float) -> Colour:
    """A colour made darker or brighter."""
    b, g, r = (int(np.clip(v * by, 0, 255)) for v in colour)
    return b, g, r


def one_of(rng: np.random.Generator, colours: Sequence[Colour], by: float = 14.0) -> Colour:
    """One colour by lot, not quite as listed."""
    return near(rng, colours[int(rng.integers(len(colours)))], by)


def wood(shape: tuple[int, ...], rng: np.random.Generator, colour: Colour) -> Bytes:
    """Wood whose grain runs across."""
    h, w = shape[:2]
    bent = cloud((h, w), rng, (170,)) * 20 + np.arange(h, dtype=np.float32)[:, None]
    rings = np.sin(bent * np.float32(rng.uniform(0.08, 0.3)) + 2 * cloud((h, w), rng, (50,)))
    change = 1 + np.float32(rng.uniform(0.02, 0.06)) * rings
    for long, strength in ((25, 0.05), (140, 0.06)):
        fibre = rng.standard_normal((h, w // long + 2), np.float32)
        change += np.float32(strength) * cv2.resize(fibre, (w, h), interpolation=cv2.INTER_LINEAR)
    return np.clip(np.asarray(colour, np.float32) * change[..., None], 0, 255).astype(np.uint8)


def _planks(shape: tuple[int, int], rng: np.random.Generator) -> Bytes:
    colour = one_of(rng, WOODS)
    ground = wood(shape, rng, colour)
    if rng.random() < 0.6:
        high = int(rng.uniform(60, 180))
        for top in range(int(rng.uniform(0, high)), shape[0], high):
            ground[top : top + high] = np.clip(ground[top : top + high] * rng.uniform(0.88, 1.1), 0, 255)
            ground[top : top + 2] = ground[top : top + 2] // 2
    return np.ascontiguousarray(ground)


def _cloth(shape: tuple[int, int], rng: np.random.Generator) -> Bytes:
    colour = np.asarray(one_of(rng, (*VIVID, *PLAIN, *PLAIN)), np.float32)
    y, x = np.ogrid[: shape[0], : shape[1]]
    step = rng.uniform(1.2, 2.6)
    weave = (np.sin(x * step) * np.sin(y * step)).astype(np.float32) * 0.06
    change = 1 + weave + 0.03 * cloud(shape, rng, (1,)) + 0.05 * cloud(shape, rng, (90,))
    ground = colour * change[..., None]
    if rng.random() < 0.25:
        wide = int(rng.uniform(20, 80))
        ground[:, (np.arange(shape[1]) // wide) % 2 == 0] *= 0.8
        ground[(np.arange(shape[0]) // wide) % 2 == 0] *= 0.8
    return np.clip(ground, 0, 255).astype(np.uint8)


def _paper(shape: tuple[int, int], rng: np.random.Generator) -> Bytes:
    colour = np.asarray(one_of(rng, (WHITE, IVORY, (170, 200, 215), (225, 220, 210)), 8), np.float32)
    change = 1 + 0.015 * cloud(shape, rng, (1, 3)) + 0.02 * cloud(shape, rng, (70,))
    return np.clip(colour * change[..., None], 0, 255).astype(np.uint8)


def _felt(shape: tuple[int, int], rng: np.random.Generator) -> Bytes:
    colour = np.asarray(
        one_of(rng, ((60, 100, 30), (110, 60, 25), (40, 30, 130), (60, 60, 60), (50, 60, 90))), np.float32
    )
    change = 1 + 0.12 * cloud(shape, rng, (1, 2)) + 0.06 * cloud(shape, rng, (60,))
    return np.clip(colour * change[..., None], 0, 255).astype(np.uint8)


def _plastic(shape: tuple[int, int], rng: np.random.Generator) -> Bytes:
    colour = np.asarray(one_of(rng, (*VIVID, *PLAIN, *PLAIN)), np.float32)
    change = 1 + 0.01 * cloud(shape, rng, (1,)) + 0.04 * cloud(shape, rng, (200,))
    return np.clip(colour * change[..., None] + 6 * cloud(shape, rng, (150,))[..., None], 0, 255).astype(np.uint8)


def _stone(shape: tuple[int, int], rng: np.random.Generator) -> Bytes:
    colour = np.asarray(one_of(rng, ((120, 125, 130), (190, 195, 200), (60, 60, 64), (140, 160, 180))), np.float32)
    change = 1 + 0.11 * cloud(shape, rng, (1, 3, 7)) + 0.05 * cloud(shape, rng, (50,))
    return np.clip(colour * change[..., None], 0, 255).astype(np.uint8)


def _moss(shape: tuple[int, int], rng: np.random.Generator) -> Bytes:
    colour = np.asarray(one_of(rng, ((40, 110, 70), (45, 90, 60), (40, 80, 95))), np.float32)
    ground = colour * (1 + 0.2 * cloud(shape, rng, (2, 5, 20, 60)))[..., None]
    drawn = np.clip(ground, 0, 255).astype(np.uint8)
    for _ in range(shape[0] * shape[1] // 500):
        x, y, turn = rng.uniform(0, shape[1]), rng.uniform(0, shape[0]), rng.uniform(0, 2 * math.pi)
        blade = ((x, y), (x + 12 * math.cos(turn), y + 12 * math.sin(turn)))
        line(drawn, blade, 1, shaded((50, 120, 80), rng.uniform(0.4, 1.5)))
    return drawn


def _wall(shape: tuple[int, int], rng: np.random.Generator) -> Bytes:
    colour = np.asarray(one_of(rng, (WHITE, IVORY, (200, 205, 190), (180, 190, 215), (150, 160, 130))), np.float32)
    bumps = cloud(shape, rng, (3, 6))
    relief = bumps - np.roll(bumps, 1, 0)
    return np.clip(colour * (1 + 0.05 * relief + 0.02 * cloud(shape, rng, (120,)))[..., None], 0, 255).astype(np.uint8)


TABLES = (_planks, _planks, _cloth, _paper, _felt, _plastic, _stone)


# --- the scene: ground, light and camera


@dataclass
class Scene:
    """A ground that things are put on. `light` points towards the light, and y is down, towards who looks."""

    rng: np.random.Generator
    size: tuple[int, int]
    tilt: float
    far: float
    light: Floats
    dark: float
    soft: float
    foot: Point = (0.0, 0.0)
    paint: Bytes = field(default_factory=lambda: np.zeros((1, 1, 3), np.uint8))
    view: npt.NDArray[np.float64] = field(default_factory=lambda: np.eye(3))

    @property
    def cast(self) -> Point:
        """How far a shadow goes for each pixel of height."""
        return -float(self.light[0] / self.light[2]), -float(self.light[1] / self.light[2])

    @property
    def middle(self) -> Point:
        """The point of the ground that the camera looks at."""
        return self.on_ground(self.size[0] * FINE / 2, self.size[1] * FINE / 2)

    def lean(self, at: Point) -> Point:
        """How far what stands above a point of the ground seems moved, for each pixel of height."""
        high = self.far * math.cos(self.tilt)
        return (at[0] - self.foot[0]) / high, (at[1] - self.foot[1]) / high

    @property
    def gleam(self) -> Floats:
        """Which way a surface faces that throws the light into the camera."""
        half = self.light + np.asarray([0, math.sin(self.tilt), math.cos(self.tilt)], np.float32)
        return half / np.float32(np.linalg.norm(half))

    def above(self, at: Point, high: float) -> Point:
        """Where what stands `high` above a point of the ground is drawn, as if it lay on the ground.

        For what stands on another thing: its shadow falls on that one.
        """
        lean = self.lean(at)
        return at[0] + lean[0] * high, at[1] + lean[1] * high

    def on_ground(self, x: float, y: float) -> Point:
        """The point of the ground that a point of the fine picture shows."""
        u, v, w = np.linalg.inv(self.view) @ (x, y, 1.0)
        return float(u / w), float(v / w)

    def span(self, least: float = LEAST, most: float = MOST) -> float:
        """How far a thing goes across on the ground, by lot; small ones as likely as large ones."""
        top = max(least, min(most, 0.62 * min(self.size)))
        return FINE * math.exp(self.rng.uniform(math.log(least), math.log(top)))


def begin(
    rng: np.random.Generator, size: tuple[int, int], grounds: Sequence[Callable[..., Bytes]], steep: float
) -> Scene:
    """An empty scene. `steep`: how many radians aslant it may be looked at, at most."""
    w, h = size[0] * FINE, size[1] * FINE
    tilt = 0.0 if rng.random() < FROM_ABOVE else float(rng.uniform(0.08, steep))
    far = float(rng.uniform(2.0, 4.0)) * max(w, h)
    around, high = rng.uniform(0, 2 * math.pi), rng.uniform(0.6, 1.3)
    light = np.asarray(
        [math.cos(around) * math.cos(high), math.sin(around) * math.cos(high), math.sin(high)], np.float32
    )
    scene = Scene(rng, size, tilt, far, light, float(rng.uniform(0.22, 0.55)), float(rng.uniform(0.06, 0.3)))
    seen = np.asarray([[far, 0, 0], [0, far * math.cos(tilt), 0], [0, -math.sin(tilt), far]]) / far
    seen = np.asarray([[1, 0, w / 2], [0, 1, h / 2], [0, 0, 1]]) @ seen
    corners = [np.linalg.inv(seen) @ (x, y, 1.0) for x in (0, w) for y in (0, h)]
    flat = np.asarray([corner[:2] / corner[2] for corner in corners])
    left, top = np.floor(flat.min(0)) - 2
    wide, deep = np.ceil(flat.max(0) - (left, top)).astype(int) + 4
    scene.view = seen @ np.asarray([[1, 0, left], [0, 1, top], [0, 0, 1]])
    scene.foot = (-left, -top + far * math.sin(tilt))
    coarse = (int(deep) // FINE + 1, int(wide) // FINE + 1)
    make = grounds[int(rng.integers(len(grounds)))]
    upright = rng.random() < 0.5
    ground = make(coarse[::-1] if upright else coarse, rng)
    ground = np.ascontiguousarray(ground.transpose(1, 0, 2)) if upright else ground
    scene.paint = cv2.resize(ground, (int(wide), int(deep)), interpolation=cv2.INTER_LINEAR)
    return scene


def place(scene: Scene, piece: Piece, at: Point, turn: float = 0.0, base: float = 0.0, tall: float = 0.0) -> None:
    """Puts a piece on the ground with its middle over a point, `base` above the ground, turned by radians.

    `tall`: 1 for a ball, which looks round from everywhere; 0 for what is flat.
    """
    h, w = piece.mask.shape
    lean, cast = scene.lean(at), scene.cast
    top = piece.thick + max(0.0, float(piece.relief.max()))
    stretch = 1 + tall * (1 / math.cos(scene.tilt) - 1)
    reach = math.hypot(w, h) / 2 * stretch + (base + top) * max(math.hypot(*lean), math.hypot(*cast)) + 12
    reach += 3 * scene.soft * top
    deep, wide = scene.paint.shape[:2]
    left, upper = max(0, math.floor(at[0] - reach)), max(0, math.floor(at[1] - reach))
    right, lower = min(wide, math.ceil(at[0] + reach)), min(deep, math.ceil(at[1] + reach))
    if right - left < 2 * COARSE or lower - upper < 2 * COARSE:
        return
    part = scene.paint[upper:lower, left:right]
    c, s = math.cos(turn), math.sin(turn)
    lay = np.asarray([[c, -s, 0], [s * stretch, c * stretch, 0]])
    lay[:, 2] = (at[0] - left, at[1] - upper) - lay[:, :2] @ (w / 2, h / 2)
    _shadow(scene, piece, part, lay, base, top)
    if piece.thick * math.hypot(*lean) > 1:
        _sides(scene, piece, part, lay, base, lean)
    _top(scene, piece, part, _moved(lay, lean, base + piece.thick))


def _moved(lay: npt.NDArray[np.float64], way: Point, by: float) -> npt.NDArray[np.float64]:
    moved = lay.copy()
    moved[:, 2] += np.asarray(way) * by
    return moved


def _shadow(scene: Scene, piece: Piece, part: Bytes, lay: npt.NDArray[np.float64], base: float, top: float) -> None:
    """Darkens what a piece keeps the light from."""
    size = (part.shape[1] // COARSE, part.shape[0] // COARSE)
    scale = np.asarray([[size[0] / part.shape[1]], [size[1] / part.shape[0]]])
    steps = int(np.clip(math.hypot(*scene.cast) * top / 6, 1, MOST_STEPS))
    dark = np.zeros((size[1], size[0]), np.uint8)
    for height in np.linspace(0, top, steps + 1):
        solid = piece.mask if height <= piece.thick else np.where(piece.relief >= height - piece.thick, piece.mask, 0)
        layer = cv2.warpAffine(solid, _moved(lay, scene.cast, base + float(height)) * scale, size)
        np.maximum(dark, layer, out=dark)
    spread = (2.5 + scene.soft * top) / COARSE
    share = cv2.resize(cv2.GaussianBlur(dark, (0, 0), spread), part.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    depth = scene.dark * min(1.0, 0.35 + top / 12)
    part[:] = cv2.multiply(part, cv2.merge([255 - cv2.convertScaleAbs(share, alpha=depth)] * 3), scale=1 / 255)


def _sides(scene: Scene, piece: Piece, part: Bytes, lay: npt.NDArray[np.float64], base: float, lean: Point) -> None:
    """Draws the wall of a thick piece, from the ground up."""
    h, w = part.shape[:2]
    outline = cv2.warpAffine(piece.mask, _moved(lay, lean, base), (w, h))
    slope = cv2.GaussianBlur(outline, (0, 0), 3).astype(np.float32)
    gx, gy = cv2.Sobel(slope, cv2.CV_32F, 1, 0), cv2.Sobel(slope, cv2.CV_32F, 0, 1)
    facing = -(gx * scene.light[0] + gy * scene.light[1]) / (cv2.magnitude(gx, gy) + 1)
    bright = np.clip(0.55 + 0.5 * facing, 0.25, 1.05)
    colour = cv2.mean(piece.colour, piece.mask)[:3] if piece.side is None else piece.side
    steps = min(MOST_WALL, math.ceil(piece.thick * math.hypot(*lean) / 1.5))
    moves = np.outer(np.linspace(0, piece.thick, steps + 1), lean[::-1]).round().astype(int).clip((-h, -w), (h, w))
    solid, levels = (outline > 127).astype(np.uint8), np.zeros((h, w), np.uint8)
    for level, (down, along) in enumerate(moves, 1):
        seen = levels[max(0, down) : h + min(0, down), max(0, along) : w + min(0, along)]
        source = solid[max(0, -down) : h + min(0, -down), max(0, -along) : w + min(0, -along)]
        np.maximum(seen, source * np.uint8(level), out=seen)
    rows, columns = np.nonzero(levels)
    back = moves[levels[rows, columns] - 1]
    shades = bright[rows - back[:, 0], columns - back[:, 1]]
    part[rows, columns] = np.clip(shades[:, None] * np.asarray(colour, np.float32), 0, 255)


def _top(scene: Scene, piece: Piece, part: Bytes, lay: npt.NDArray[np.float64]) -> None:
    """Draws the upper side of a piece as the light shades it."""
    mask = cv2.warpAffine(piece.mask, lay, part.shape[1::-1])
    x, y, w, h = cv2.boundingRect(mask)
    if not w or not h:
        return
    lay = _moved(lay, (-x, -y), 1)
    part, alpha = part[y : y + h, x : x + w], mask[y : y + h, x : x + w, None].astype(np.float32) / 255
    colour = cv2.warpAffine(piece.colour, lay, (w, h), borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    if piece.relief.any():
        relief = cv2.warpAffine(piece.relief, lay, (w, h), borderMode=cv2.BORDER_REPLICATE)
        nx, ny = -cv2.Sobel(relief, cv2.CV_32F, 1, 0, scale=1 / 8), -cv2.Sobel(relief, cv2.CV_32F, 0, 1, scale=1 / 8)
        length = np.sqrt(nx * nx + ny * ny + 1)
        lit = (nx * scene.light[0] + ny * scene.light[1] + scene.light[2]) / length
        colour *= (0.42 + 0.58 * np.clip(lit / scene.light[2], 0, 1.5))[..., None]
        half = scene.gleam
        gleam = np.clip((nx * half[0] + ny * half[1] + half[2]) / length, 0, 1) ** SPECULAR
        colour += (gleam * np.float32(230 * piece.gloss))[..., None]
    part[:] = np.clip(part * (1 - alpha) + colour * alpha, 0, 255)


def spots(scene: Scene, spans: Sequence[float], gap: float = 1.08) -> Iterator[tuple[Point, float]]:
    """Free places on the ground for round things as wide as `spans`, with these; fewer where there is no more room."""
    w, h = scene.size[0] * FINE, scene.size[1] * FINE
    taken: list[tuple[Point, float]] = []
    for span in spans:
        edge = min(span * 0.4, 0.45 * w, 0.45 * h)
        for _ in range(TRIES):
            at = scene.on_ground(scene.rng.uniform(edge, w - edge), scene.rng.uniform(edge, h - edge))
            if all(math.dist(at, other) > gap * (span + wide) / 2 for other, wide in taken):
                taken.append((at, span))
                yield at, span
                break


def some(scene: Scene, least: float = LEAST, most: float = MOST, number: int = 8) -> list[float]:
    """How wide the things of a picture are: about alike, 1 to `number` of them."""
    span = scene.span(least, most)
    return [span * float(scene.rng.uniform(0.88, 1.12)) for _ in range(int(scene.rng.integers(1, number + 1)))]


def any_turn(rng: np.random.Generator) -> float:
    """A turn by lot, in radians."""
    return float(rng.uniform(0, 2 * math.pi))


def photo(scene: Scene) -> Bytes:
    """What the camera makes of a scene."""
    rng, (w, h) = scene.rng, scene.size
    fine = cv2.warpPerspective(scene.paint, scene.view, (w * FINE, h * FINE), borderMode=cv2.BORDER_REPLICATE)
    seen = cv2.resize(fine, (w, h), interpolation=cv2.INTER_AREA).astype(np.float32)
    y, x = np.mgrid[-1 : 1 : h * 1j, -1 : 1 : w * 1j].astype(np.float32)
    way, strength = any_turn(rng), rng.uniform(0, 0.3)
    evenness = 1 + np.float32(strength) * (x * np.float32(math.cos(way)) + y * np.float32(math.sin(way))) / 2
    evenness *= 1 - np.float32(rng.uniform(0, 0.2)) * (x * x + y * y)
    if rng.random() < 0.3:  # a patch of light from a window or a lamp
        cx, cy, wide = rng.uniform(-0.8, 0.8), rng.uniform(-0.8, 0.8), rng.uniform(0.3, 0.9)
        evenness += np.float32(rng.uniform(0.1, 0.3)) * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / wide**2).astype(
            np.float32
        )
    warm = rng.normal(0, 0.06)
    seen *= evenness[..., None] * np.asarray([1 - warm, 1, 1 + warm], np.float32) * np.float32(rng.uniform(0.7, 1.12))
    if rng.random() < 0.7:
        seen = cv2.GaussianBlur(seen, (0, 0), float(rng.uniform(0.3, 1.1)))
    seen += rng.standard_normal(seen.shape, np.float32) * np.float32(rng.uniform(0.8, 5.5))
    picture = np.clip(seen, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 95))])[1]
        picture = cv2.imdecode(coded, cv2.IMREAD_COLOR).astype(np.uint8)
    return picture


# --- the kinds, each of which draws its things on a scene


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


def ladybirds(scene: Scene) -> None:
    """Ladybirds from above, live or wooden."""
    for at, span in spots(scene, some(scene)):
        piece = _ladybird(scene.rng, span)
        place(scene, piece, at, any_turn(scene.rng), tall=0.3)


def _ladybird(rng: np.random.Generator, span: float) -> Piece:
    side = span * 1.3
    shell = one_of(rng, (RED, RED, (35, 70, 215), ORANGE, YELLOW))
    piece = blank(side, side, BLACK, span * 0.05, rng.uniform(0.3, 0.9))
    mid = side / 2
    for way in (-1, 1):
        for leg, (x, y) in enumerate(((-0.34, 0.46), (0.0, 0.54), (0.3, 0.5))):
            root, knee = (mid + span * x * 0.7, mid + way * span * 0.3), (mid + span * x, mid + way * span * y * 0.9)
            end = (mid + span * (x + 0.06 * (leg - 1)), mid + way * span * y * 1.1)
            line(piece.mask, (root, knee, end), span * 0.035, 255)
        feeler = ((mid + span * 0.45, mid + way * span * 0.08), (mid + span * 0.6, mid + way * span * 0.2))
        line(piece.mask, feeler, span * 0.02, 255)
    body, head = area(piece), area(piece)
    oval(head, (mid + span * 0.4, mid), span * 0.15, span * 0.2)
    oval(body, (mid - span * 0.06, mid), span * 0.44, span * 0.39)
    neck = area(piece)
    oval(neck, (mid + span * 0.3, mid), span * 0.17, span * 0.3)
    piece.mask |= head | body | neck
    for way in (-1, 1):
        cheek = area(piece)
        oval(cheek, (mid + span * 0.35, mid + way * span * 0.18), span * 0.05, span * 0.075, way * 0.5)
        dye(piece, cheek, WHITE)
    dye(piece, body, shell)
    marks = area(piece)
    pairs = ((-0.02, 0.2), (-0.25, 0.16), (0.14, 0.25), (-0.16, 0.3))[: int(rng.integers(1, 5))]
    for x, y in pairs:
        size = span * rng.uniform(0.055, 0.085)
        for way in (-1, 1):
            oval(marks, (mid + span * x, mid + way * span * y), size, size * rng.uniform(0.85, 1.1), way * 0.3)
    oval(marks, (mid + span * 0.24, mid), span * 0.1, span * 0.07)
    line(marks, ((mid + span * 0.3, mid), (mid - span * 0.5, mid)), span * 0.018, 255)
    dye(piece, marks & body, BLACK)
    dome(piece, (mid - span * 0.06, mid), span * 0.45, span * 0.4, span * 0.26)
    dome(piece, (mid + span * 0.38, mid), span * 0.18, span * 0.24, span * 0.12)
    return piece


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


def toadstools(scene: Scene) -> None:
    """Toadstools with white spots, from above or lying on their side."""
    rng = scene.rng
    for at, span in spots(scene, some(scene)):
        if rng.random() < 0.6:
            place(scene, _cap(rng, span), at, any_turn(rng), tall=0.4)
        else:
            place(scene, _lying(rng, span), at, any_turn(rng), tall=0.3)


def _cap(rng: np.random.Generator, span: float) -> Piece:
    piece, middle, radius = button_shape(span, one_of(rng, (RED, RED, (30, 70, 210), (60, 100, 150))), span * 0.1, 0.5)
    piece.mask[:] = 0
    rim = ellipse(middle, radius, radius, corners=36) - middle
    wobble = cv2.GaussianBlur(rng.normal(0, 0.05, (1, 36)), (0, 0), 2)[0]
    polygon(piece.mask, rim * (0.97 + wobble)[:, None] + middle)
    dome(piece, middle, radius * 1.02, radius * 1.02, span * rng.uniform(0.2, 0.4))
    _warts(piece, rng, middle, radius * 0.85, span)
    return piece


def _warts(piece: Piece, rng: np.random.Generator, middle: Point, reach: float, span: float) -> None:
    warts = area(piece)
    toy = rng.random() < 0.4
    for _ in range(int(rng.integers(5, 22))):
        away, around = reach * math.sqrt(rng.random()), any_turn(rng)
        size = span * (rng.uniform(0.05, 0.085) if toy else rng.uniform(0.02, 0.06))
        at = (middle[0] + away * math.cos(around), middle[1] + away * math.sin(around))
        squeeze = max(0.45, math.sqrt(max(0.0, 1 - (away / reach) ** 2)))
        points = ellipse(at, size * squeeze, size, around, 14)
        polygon(warts, points if toy else points + rng.normal(0, size * 0.14, points.shape))
    warts &= piece.mask
    dye(piece, warts, near(rng, (215, 228, 235), 8))
    if not toy:
        lift(piece, warts, span * 0.02, span * 0.01)


def _lying(rng: np.random.Generator, span: float) -> Piece:
    piece = blank(span + 4, span + 4, near(rng, (195, 215, 228), 8), span * 0.02, 0.3)
    mid = span / 2 + 2
    stem = [
        (mid - span * 0.1, span * 0.4),
        (mid + span * 0.1, span * 0.4),
        (mid + span * 0.15, span),
        (mid - span * 0.15, span),
    ]
    polygon(piece.mask, stem)
    oval(piece.mask, (mid, span * 0.97), span * 0.15, span * 0.05)
    lift(piece, piece.mask, span * 0.12, span * 0.04)
    cap, gills = area(piece), area(piece)
    arc = ellipse((mid, span * 0.5), span * 0.48, span * 0.46)
    polygon(cap, [(x, min(y, span * 0.52)) for x, y in arc])
    oval(gills, (mid, span * 0.52), span * 0.46, span * 0.06)
    piece.mask |= cap | gills
    dye(piece, gills, (165, 190, 205))
    dye(piece, cap, one_of(rng, (RED, RED, (30, 70, 210), PURPLE)))
    lift(piece, cap, span * 0.2, span * 0.09)
    only = blank(span + 4, span + 4, RED)
    only.mask = cap
    only.colour = piece.colour
    _warts(only, rng, (mid, span * 0.32), span * 0.38, span)
    piece.colour, piece.relief = only.colour, piece.relief + only.relief
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


def biscuits(scene: Scene) -> None:
    """Biscuits and crackers with the holes that a baker pricks."""
    rng = scene.rng
    shape = int(rng.integers(3))
    for at, span in spots(scene, some(scene, 50)):
        place(scene, _biscuit(rng, span, shape), at, any_turn(rng))


def _biscuit(rng: np.random.Generator, span: float, shape: int) -> Piece:
    wide, high = span, span * (1.0 if shape == 0 else rng.choice((0.6, 0.72, 1.0)))
    piece = blank(wide + 8, high + 8, near(rng, (115, 175, 220), 10), span * 0.09, 0.05)
    mid = ((wide + 8) / 2, (high + 8) / 2)
    if shape == 0:
        disc(piece.mask, mid, span / 2)
    else:
        slab(piece.mask, 4, 4, wide, high, span * 0.06)
    if rng.random() < 0.6:  # a wavy edge
        step = span * 0.07
        if shape == 0:
            edge = [(mid[0] + span / 2 * math.cos(a), mid[1] + span / 2 * math.sin(a)) for a in np.arange(0, 6.28, 0.2)]
        else:
            across, down = np.arange(4 + step / 2, wide + 4, step), np.arange(4 + step / 2, high + 4, step)
            edge = [(x, y) for x in across for y in (4.0, high + 4)] + [(x, y) for y in down for x in (4.0, wide + 4)]
        for at in edge:
            disc(piece.mask, at, step * 0.3, 0)
    baked = cv2.GaussianBlur(255 - piece.mask, (0, 0), span * 0.05)
    dye(piece, cv2.convertScaleAbs(baked, alpha=1.3), (45, 95, 150))
    mottle(piece, rng, 9, (int(span / 5) + 2, 5, 2))
    holes = area(piece)
    nx = int(rng.integers(2, 6))
    ny = nx if shape == 0 else max(2, round(nx * high / wide))
    size = span * rng.uniform(0.014, 0.028)
    for x in np.linspace(-0.32, 0.32, nx) * wide:
        for y in np.linspace(-0.3, 0.3, ny) * high:
            disc(holes, (mid[0] + x + rng.normal(0, 1), mid[1] + y + rng.normal(0, 1)), size)
    dye(piece, holes, (45, 75, 110))
    lift(piece, holes, -span * 0.04, span * 0.012)
    bevel(piece, span * 0.02, span * 0.05)
    piece.relief += cloud(piece.mask.shape, rng, (int(span / 8) + 2, 6)) * np.float32(span * 0.006)
    return piece


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
    _top(scene, spot, scene.paint, np.asarray([[1, 0, x + half[0] - middle[0]], [0, 1, y + half[1] - middle[1]]]))


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


# Each kind: what draws it, what it may lie on, and how steeply it may be looked at.
DRAWERS: dict[str, tuple[Drawer, tuple[Callable[..., Bytes], ...], float]] = {
    "dominoes": (dominoes, TABLES, STEEPEST),
    "ladybirds": (ladybirds, (*TABLES, _moss, _moss, _moss), 0.5),
    "buttons": (buttons, (*TABLES, _cloth, _cloth), STEEPEST),
    "perforated": (perforated, TABLES, STEEPEST),
    "bricks": (bricks, TABLES, STEEPEST),
    "cards": (cards, (*TABLES, _felt, _felt), STEEPEST),
    "chips": (chips, (*TABLES, _felt, _felt), STEEPEST),
    "toadstools": (toadstools, (*TABLES, _moss, _moss, _moss), 0.5),
    "sockets": (sockets, (*TABLES, _wall, _wall, _wall, _wall), 0.4),
    "biscuits": (biscuits, TABLES, STEEPEST),
    "napkins": (napkins, TABLES, STEEPEST),
    "balls": (balls, TABLES, STEEPEST),
    "keys": (keys, TABLES, STEEPEST),
    "lamps": (lamps, (*TABLES, _wall, _wall), 0.45),
    "colanders": (colanders, TABLES, 0.5),
    "boards": (boards, TABLES, 0.6),
    "tokens": (tokens, TABLES, 0.6),
    "targets": (targets, (*TABLES, _wall, _wall), 0.5),
    "wrappings": (wrappings, TABLES, STEEPEST),
    "drawn": (drawn, TABLES, STEEPEST),
}
KINDS = tuple(DRAWERS)


def render(kind: str, seed: int, size: tuple[int, int] | None = None) -> Bytes:
    """A picture of things of a kind; the same seed gives the same one. `size`: width and height, else by lot."""
    rng = np.random.default_rng([KINDS.index(kind), seed])
    by_lot = SIZES[int(rng.integers(len(SIZES)))]
    draw, grounds, steep = DRAWERS[kind]
    scene = begin(rng, size or by_lot, grounds, steep)
    draw(scene)
    return photo(scene)


def main(arguments: Sequence[str] | None = None) -> None:
    """Draws what the command line asks for; no dice lie in any picture."""

    def shown(kind: str, seed: int) -> Shown:
        return Shown(render(kind, seed))

    command(arguments, description=__doc__, kinds=KINDS, count=50, first=1, render=shown)


if __name__ == "__main__":
    main()
