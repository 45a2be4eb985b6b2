"""Things that have spots set as on a die, and are none: ladybirds, dominoes, playing cards, bricks.

Each is plainly something else by what is around its spots: a head, another half, a card's corners, studs of one colour.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from companion.ports import Picture
from companion.vision.scene.faces import PIPS
from companion.vision.train.canvas import BLACK, MIDDLE, SIDE_PX, Canvas, Colour, box, ellipse, write

DOMINO_PX = 26  # half the width of a domino


def _ladybird(canvas: Canvas) -> None:
    """A ladybird: a round back of two halves with spots on both, a head at one end."""
    rng = canvas.rng
    back = ((20, 20, 200), (20, 110, 240), (30, 200, 235))[int(rng.integers(3))] if rng.random() < 0.7 else canvas.body
    spots = BLACK if rng.random() < 0.7 else canvas.ink
    wide, long = rng.uniform(38, 56), rng.uniform(48, 62)
    head = wide * rng.uniform(0.35, 0.7), long * rng.uniform(0.2, 0.35)
    middle = MIDDLE + int(head[1] / 2)
    ellipse(canvas, (MIDDLE, middle - long), head, BLACK)
    ellipse(canvas, (MIDDLE, middle), (wide, long), back)
    top, low = (MIDDLE, int(middle - long)), (MIDDLE, int(middle + long))
    if rng.random() < 0.8:
        cv2.line(canvas.picture, top, low, spots, int(rng.integers(1, 6)), cv2.LINE_AA)
    radius, rows = rng.uniform(5, 11), int(rng.integers(1, 5))
    for row in range(rows):
        y = middle + long * (1.5 * (row + 0.5) / rows - 0.75)
        reach = wide * rng.uniform(0.3, 0.6) * np.sqrt(1 - ((y - middle) / long) ** 2)
        for side in (-1, 1):
            cv2.circle(canvas.picture, (int(MIDDLE + side * reach), int(y)), int(radius), spots, -1, cv2.LINE_AA)
    if rng.random() < 0.4:
        at = (MIDDLE, int(middle + long * rng.uniform(-0.7, 0.1)))
        cv2.circle(canvas.picture, at, int(radius * rng.uniform(0.8, 1.3)), spots, -1, cv2.LINE_AA)


def domino(canvas: Canvas) -> None:
    """A domino, one of its halves in the middle."""
    rng, half = canvas.rng, DOMINO_PX
    round_px = int(rng.integers(0, 8))
    corners = (MIDDLE - half + round_px, MIDDLE - half + round_px), (MIDDLE + half - round_px, SIDE_PX - 2 - round_px)

    def draw(on: Picture, ink: Colour) -> None:
        cv2.rectangle(on, *corners, ink, -1)
        cv2.rectangle(on, *corners, ink, max(1, 2 * round_px), cv2.LINE_AA)

    canvas.both(draw, canvas.body)
    if rng.random() < 0.85:
        bar, reach = MIDDLE + half, int(half * rng.uniform(0.6, 1.0))
        cv2.line(canvas.picture, (MIDDLE - reach, bar), (MIDDLE + reach, bar), canvas.ink, int(rng.integers(1, 5)))
    radius, apart = int(rng.integers(3, 7)), half * rng.uniform(0.45, 0.62)
    for middle in (MIDDLE, MIDDLE + 2 * half):
        for x, y in PIPS.get(str(rng.integers(7)), ()):
            at = (round(MIDDLE + apart * x), round(middle + apart * y))
            cv2.circle(canvas.picture, at, radius, canvas.ink, -1, cv2.LINE_AA)


def _suits(canvas: Canvas) -> None:
    """A card with as many suit signs as it counts, and that number in two corners."""
    rng = canvas.rng
    half = rng.uniform(38, 54), rng.uniform(58, 78)
    box(canvas, half, rng.uniform(1, 8), (250, 250, 250) if rng.random() < 0.6 else None)
    count, size = int(rng.integers(1, 11)), rng.uniform(5, 11)
    ink = ((20, 20, 200), BLACK)[int(rng.integers(2))] if rng.random() < 0.8 else canvas.ink
    suit = rng.integers(4)
    reach = half[0] * rng.uniform(0.4, 0.62), half[1] * rng.uniform(0.5, 0.7)
    for x, y in PIPS.get(str(count)) or _in_columns(count):
        _suit(canvas, (MIDDLE + reach[0] * x, MIDDLE + reach[1] * y), size, int(suit), ink)
    if rng.random() < 0.8:
        for sign in (-1, 1):
            at = MIDDLE + sign * 0.84 * half[0], MIDDLE + sign * 0.86 * half[1]
            write(Canvas(canvas.picture, canvas.cover, canvas.body, ink, rng), str(count), at, float(size))


def _in_columns(count: int) -> tuple[tuple[float, float], ...]:
    rows = count // 2
    sides = [(x, 2 * row / (rows - 1) - 1) for row in range(rows) for x in (-1, 1)]
    return (*sides, (0.0, 0.0)) if count % 2 else tuple(sides)


def _suit(canvas: Canvas, at: tuple[float, float], size: float, suit: int, ink: Colour) -> None:
    """A diamond, a heart, a spade or a club, from triangles and circles."""
    x, y = at
    tip = -1 if suit == 2 else 1
    shapes = {
        0: [(0.0, -1.3), (0.9, 0.0), (0.0, 1.3), (-0.9, 0.0)],
        3: [(0.0, -0.2), (0.5, 1.2), (-0.5, 1.2)],
    }
    points = np.array(shapes.get(suit, [(-1.0, -0.15 * tip), (1.0, -0.15 * tip), (0.0, 1.3 * tip)]))
    cv2.fillPoly(canvas.picture, [np.round(points * size + at).astype(np.int32)], ink, cv2.LINE_AA)
    lobes = {0: [], 3: [(0.0, -0.6), (-0.6, 0.2), (0.6, 0.2)]}.get(suit, [(-0.5, -0.3 * tip), (0.5, -0.3 * tip)])
    for across, down in lobes:
        cv2.circle(canvas.picture, (round(x + size * across), round(y + size * down)), round(size * 0.55), ink, -1)
    if suit == 2:
        cv2.line(canvas.picture, (round(x), round(y)), (round(x), round(y + 1.2 * size)), ink, max(1, round(size / 3)))


def _brick(canvas: Canvas) -> None:
    """A building brick from above: studs of its own colour, each with a lit and a shaded rim."""
    rng = canvas.rng
    across, down = ((1, 1), (1, 2), (2, 2), (2, 3), (2, 4), (1, 3))[int(rng.integers(6))]
    step = min(76 / across, 76 / down, 44)
    box(canvas, (step * across, step * down), rng.uniform(0, 3))
    radius = step * rng.uniform(0.5, 0.68)
    body = np.array(canvas.body, np.float64)
    lit, shaded, top = (np.clip(body * by + more, 0, 255).tolist() for by, more in ((1.3, 30), (0.55, 0), (1.08, 8)))
    lean = radius * rng.uniform(0.06, 0.2) * np.array([np.cos(angle := rng.uniform(0, 2 * np.pi)), np.sin(angle)])
    for column in range(across):
        for row in range(down):
            at = MIDDLE + step * (2 * np.array([column, row]) + 1 - np.array([across, down]))
            for shift, colour in ((lean, shaded), (-lean, lit), (0 * lean, top)):
                middle = np.round(at + shift).astype(int).tolist()
                cv2.circle(canvas.picture, middle, int(radius), colour, -1, cv2.LINE_AA)


SPOTTED: tuple[Callable[[Canvas], None], ...] = (_ladybird, domino, _suits, _brick)
