"""Ground, light and camera: things are laid on a scene, of which a photo is taken."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from tests.bench.dotted.palette import Bytes, Floats, Point
from tests.bench.dotted.piece import LEAST, MOST, Piece

FINE = 2  # drawn so many times larger and shrunk by area, for smooth edges
FROM_ABOVE = 0.35  # of the pictures
SPECULAR = 40.0  # how small a gleam is
TRIES = 60  # to find a free place for one more thing
COARSE = 4  # shadows are soft: a quarter of the pixels each way is enough for them
MOST_STEPS = 14  # of a shadow that a high thing casts
MOST_WALL = 250  # steps of a wall, which are counted in bytes


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
    draw_top(scene, piece, part, _moved(lay, lean, base + piece.thick))


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


def draw_top(scene: Scene, piece: Piece, part: Bytes, lay: npt.NDArray[np.float64]) -> None:
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


def turned(at: Point, turn: float, x: float, y: float) -> Point:
    """The point of the ground x, y away from another, along a turned thing's sides."""
    c, s = math.cos(turn), math.sin(turn)
    return at[0] + x * c - y * s, at[1] + x * s + y * c
