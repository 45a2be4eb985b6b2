"""Things that are no dice but have marks, laid by chance on pictures.

Scenes are drawn with things that have a body; most of what deceives a finder in real rooms is flat and printed.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Picture
from companion.vision.train.canvas import SIDE_PX, Canvas, colours, lay_over
from companion.vision.train.oddments import ODDMENTS, ball
from companion.vision.train.spotted import DOMINO_PX, SPOTTED, domino

ROUNDEST = 0.88  # of a ball's width: its height, from any side
SPOTTED_SHARE = 0.4  # of the things have spots as dice do


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """A thing on a SIDE_PX square canvas: its picture, how much it covers, 0–255, and whether it lies flat.

    `part`: how wide what looks most like a die is, in its middle, of the canvas.
    """

    picture: Picture
    cover: NDArray[np.uint8]
    flat: bool
    part: float = 1.0


def thing(rng: np.random.Generator) -> Thing:
    """One thing by chance."""
    body, ink = colours(rng)
    picture = np.full((SIDE_PX, SIDE_PX, 3), body, np.uint8)
    canvas = Canvas(picture, np.zeros((SIDE_PX, SIDE_PX), np.uint8), body, ink, rng)
    kinds = SPOTTED if rng.random() < SPOTTED_SHARE else ODDMENTS
    kind = kinds[int(rng.integers(len(kinds)))]
    kind(canvas)
    part = 2 * DOMINO_PX / SIDE_PX if kind is domino else 1.0
    return Thing(canvas.picture, canvas.cover, flat=kind is not ball, part=part)


def lay(
    picture: Picture, rng: np.random.Generator, *, at: tuple[float, float], size_px: float, of_part: bool = False
) -> None:
    """Lays one thing by chance on a picture, turned and, if it is flat, slanted, about `size_px` wide, in place.

    `of_part`: so wide is the part of it that looks most like a die.
    """
    made = thing(rng)
    size_px /= made.part if of_part else 1.0
    matrix = _slanted(rng, at, size_px, flattest=0.5 if made.flat else ROUNDEST)
    part, matrix = _reached(picture, matrix)
    height, width = part.shape[:2]
    if not part.size:
        return
    shrunk = size_px / SIDE_PX
    soft = 0.4 / shrunk if shrunk < 0.8 else 0.0
    flat, cover = made.picture, made.cover
    if soft:
        flat, cover = (np.asarray(cv2.GaussianBlur(side, (0, 0), soft), np.uint8) for side in (flat, cover))
    warped = cv2.warpPerspective(flat, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    lay_over(part, warped, cv2.warpPerspective(cover, matrix, (width, height)))


def _reached(picture: Picture, matrix: NDArray[np.float64]) -> tuple[Picture, NDArray[np.float64]]:
    """The part of a picture that a canvas comes to lie on, and the canvas's way there. Changed, the picture is, too."""
    sides = np.array([[[0, 0]], [[SIDE_PX, 0]], [[SIDE_PX, SIDE_PX]], [[0, SIDE_PX]]], np.float64)
    corners = cv2.perspectiveTransform(sides, matrix)[:, 0]
    most = picture.shape[1], picture.shape[0]
    left, top = (int(place) for place in np.clip(np.floor(corners.min(axis=0)) - 1, 0, most))
    right, low = (int(place) for place in np.clip(np.ceil(corners.max(axis=0)) + 2, 0, most))
    return picture[top:low, left:right], np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]]) @ matrix


def _slanted(
    rng: np.random.Generator, at: tuple[float, float], size_px: float, *, flattest: float
) -> NDArray[np.float64]:
    """Canvas to picture: any turn, a slant that leaves `flattest` of a side at least, a little perspective."""
    half = size_px / 2
    turn, along = rng.uniform(0, 2 * np.pi, 2)
    flat = rng.uniform(flattest, 1)
    slanted = turned(along) @ np.diag([1, flat]) @ turned(-along)
    corners = np.array([[-half, -half], [half, -half], [half, half], [-half, half]]) @ (slanted @ turned(turn)).T
    corners = corners * rng.uniform(0.88, 1.0, (4, 1)) + np.array(at)
    canvas = np.array([[0, 0], [SIDE_PX, 0], [SIDE_PX, SIDE_PX], [0, SIDE_PX]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(canvas, corners.astype(np.float32)), np.float64)


def turned(angle: float) -> NDArray[np.float64]:
    """The 2×2 matrix that turns by an angle in radians."""
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
