"""What a thing looks like from straight above: a piece with colour, outline and relief, and how it is drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from tests.bench.dotted.palette import Bytes, Colour, Floats, Point, cloud

SHIFT = 4  # bits behind the point in coordinates that OpenCV draws with
LEAST, MOST = 30, 250  # pixels across, of a thing in a picture
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
