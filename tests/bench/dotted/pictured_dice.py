"""Dice as who makes pictures draws them: cubes that tumble, and single sides as signs."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from tests.bench.dotted.palette import (
    BLACK,
    BLUE,
    GREEN,
    IVORY,
    ORANGE,
    RED,
    WHITE,
    YELLOW,
    Bytes,
    Colour,
    Point,
    near,
    one_of,
    shaded,
)
from tests.bench.dotted.piece import PLACES, ellipse, line, polygon

Corners = npt.NDArray[np.float64]


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


def cube(
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


def front(
    image: Bytes,
    at: Point,
    size: float,
    value: int,
    body: Colour,
    ink: Colour,
    turn: float = 0.0,
    *,
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


def dice_colours(rng: np.random.Generator) -> tuple[Colour, Colour]:
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
