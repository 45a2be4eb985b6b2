"""Things with marks of their own kind: keys, labels, print, buttons, coins, balls, plates, codes, cards, plugs.

None is a square with one spot or sign in its middle, as a one or a die of icons is.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.scene.faces import PIPS
from companion.vision.train.canvas import MIDDLE, SIDE_PX, Canvas, box, lay_over, letters, write
from companion.vision.train.photometry import waves

SWIRLED = 0.6  # of the balls are of several colours


def _key(canvas: Canvas) -> None:
    """A key of a keyboard or a machine."""
    rng = canvas.rng
    half = rng.uniform(40, 76), rng.uniform(40, 60)
    box(canvas, half, rng.uniform(2, 14))
    sign = -1 if rng.random() < 0.5 else 1
    at = MIDDLE + rng.uniform(-0.6, 0.6) * half[0], MIDDLE + sign * rng.uniform(0.35, 0.6) * half[1]
    write(canvas, letters(rng, 1, 6), at, float(rng.uniform(8, 26)))
    if rng.random() < 0.3:
        write(canvas, letters(rng, 1, 2), (2 * MIDDLE - at[0], 2 * MIDDLE - at[1]), float(rng.uniform(8, 20)))


def _label(canvas: Canvas) -> None:
    """A label: lines of print, at times bars, a filled box, a frame."""
    rng = canvas.rng
    half = rng.uniform(50, 78), rng.uniform(26, 70)
    box(canvas, half, rng.uniform(0, 6))
    rows = int(rng.integers(1, 5))
    for row in range(rows):
        y = MIDDLE + half[1] * (2 * (row + 0.5) / rows - 1) * 0.85
        high = min(rng.uniform(6, 34), 1.2 * half[1] / rows)
        write(canvas, letters(rng, 3, 9), (MIDDLE + rng.uniform(-12, 12), y), float(high))
    if rng.random() < 0.4:
        _bars(canvas, MIDDLE + rng.uniform(-40, 10), MIDDLE + rng.uniform(-25, 5))
    if rng.random() < 0.4:
        x, y, side = MIDDLE + rng.uniform(-55, 25), MIDDLE + rng.uniform(-40, 10), rng.uniform(14, 36)
        cv2.rectangle(canvas.picture, (int(x), int(y)), (int(x + side), int(y + side)), canvas.ink, -1)
        write(_swapped(canvas), letters(rng, 1, 1), (x + side / 2, y + side / 2), float(side * 0.6))


def _swapped(canvas: Canvas) -> Canvas:
    return Canvas(canvas.picture, canvas.cover, canvas.ink, canvas.body, canvas.rng)


def _bars(canvas: Canvas, left: float, top: float) -> None:
    x, bottom = left, top + canvas.rng.uniform(14, 40)
    for _ in range(int(canvas.rng.integers(8, 20))):
        wide = canvas.rng.uniform(1, 4)
        cv2.rectangle(canvas.picture, (int(x), int(top)), (int(x + wide), int(bottom)), canvas.ink, -1)
        x += wide + canvas.rng.uniform(1, 4)


def _print(canvas: Canvas) -> None:
    """Large print without a body of its own."""
    write(canvas, letters(canvas.rng, 1, 4), (MIDDLE, MIDDLE), float(canvas.rng.uniform(30, 90)), covers=True)


def _button(canvas: Canvas) -> None:
    """A round thing: a button with holes near its middle, a coin, a lid, a screw, a lens, a ring."""
    rng = canvas.rng
    radius = rng.uniform(45, 75)
    canvas.both(lambda on, ink: cv2.circle(on, (MIDDLE, MIDDLE), int(radius), ink, -1, cv2.LINE_AA), canvas.body)
    for _ in range(int(rng.integers(0, 4))):
        thick = int(rng.integers(1, 9))
        cv2.circle(
            canvas.picture, (MIDDLE, MIDDLE), int(radius * rng.uniform(0.3, 0.95)), canvas.ink, thick, cv2.LINE_AA
        )
    kind = rng.random()
    if kind < 0.15:
        _holes_near_middle(canvas, radius)
    elif kind < 0.35:
        _slot(canvas, radius)
    elif kind < 0.6:
        write(canvas, letters(rng, 1, 3), (MIDDLE, MIDDLE), float(radius * rng.uniform(0.4, 0.9)))


def _holes_near_middle(canvas: Canvas, radius: float) -> None:
    reach, size = radius * canvas.rng.uniform(0.16, 0.3), int(radius * canvas.rng.uniform(0.07, 0.14))
    for x, y in PIPS[str(canvas.rng.choice((2, 4)))]:
        cv2.circle(
            canvas.picture, (int(MIDDLE + reach * x), int(MIDDLE + reach * y)), size, canvas.ink, -1, cv2.LINE_AA
        )


def _slot(canvas: Canvas, radius: float) -> None:
    reach, thick = int(radius * canvas.rng.uniform(0.3, 0.9)), int(canvas.rng.integers(4, 16))
    cv2.line(canvas.picture, (MIDDLE - reach, MIDDLE), (MIDDLE + reach, MIDDLE), canvas.ink, thick, cv2.LINE_AA)
    if canvas.rng.random() < 0.6:
        cv2.line(canvas.picture, (MIDDLE, MIDDLE - reach), (MIDDLE, MIDDLE + reach), canvas.ink, thick, cv2.LINE_AA)


def ball(canvas: Canvas) -> None:
    """A marble, a bead or a pawn's head from above: shaded, with a gleam or a hole where a one has its pip."""
    rng = canvas.rng
    radius, body = rng.uniform(40, 78), np.array(canvas.body, np.float32)
    x, y = ((np.arange(SIDE_PX, dtype=np.float32) - MIDDLE) / radius for _ in range(2))
    across, down = np.meshgrid(x, y)
    up = np.sqrt(np.maximum(1 - across**2 - down**2, 0))
    angle, low = rng.uniform(0, 2 * np.pi), rng.uniform(0, 1.2)
    light = np.array([np.cos(angle) * np.sin(low), np.sin(angle) * np.sin(low), np.cos(low)])
    facing = np.maximum(across * light[0] + down * light[1] + up * light[2], 0)
    ambient = rng.uniform(0.2, 0.8)
    shade = ambient + (1 - ambient) * (facing if rng.random() < 0.8 else 1 - facing)  # glass is bright on its far side
    skin = _swirls(canvas) if rng.random() < SWIRLED else body
    canvas.picture[:] = np.clip(shade[..., None] * skin, 0, 255)
    cv2.circle(canvas.cover, (MIDDLE, MIDDLE), int(radius), 255, -1, cv2.LINE_AA)
    for _ in range(int(rng.integers(1, 3))):
        _gleam(canvas, radius, light)


def _swirls(canvas: Canvas) -> NDArray[np.float32]:
    """The canvas in two or three colours, in swirls or specks, as marbles of glass and stone are."""
    rng = canvas.rng
    fine, coarse = (waves(rng, (cells, cells), (SIDE_PX, SIDE_PX)) for cells in (int(rng.integers(3, 24)), 4))
    bands = np.sin(np.float32(rng.uniform(0.5, 4)) * fine + 2 * coarse)[..., None]
    colours = [np.array(canvas.body), *rng.uniform(0, 255, (2, 3))]
    edge, hard = np.float32(rng.uniform(-0.3, 0.9)), np.float32(rng.uniform(2, 30))
    share = 1 / (1 + np.exp(-hard * (bands - edge)))
    skin = (1 - share) * colours[0] + share * colours[1]
    if rng.random() < 0.4:
        skin = np.where(bands < -rng.uniform(0.3, 0.9), colours[2], skin)
    return np.asarray(skin, np.float32)


def _gleam(canvas: Canvas, radius: float, light: NDArray[np.float64]) -> None:
    """A lamp, a window, or a hole, halfway between the ball's middle and its brightest place, more or less."""
    rng = canvas.rng
    at = MIDDLE + radius * (rng.uniform(0, 0.9) * light[:2] + rng.normal(0, 0.06, 2))
    size, colour = radius * rng.uniform(0.05, 0.28), canvas.ink if rng.random() < 0.3 else (250, 250, 250)
    spot = np.zeros((SIDE_PX, SIDE_PX), np.uint8)
    shape = size * rng.uniform(0.6, 1.0), size
    if rng.random() < 0.25:
        corners = cv2.boxPoints((at.tolist(), (2 * shape[0], 2 * shape[1]), float(rng.uniform(0, 90))))
        cv2.fillPoly(spot, [corners.astype(np.int32)], 255, cv2.LINE_AA)
    else:
        cv2.ellipse(spot, (at.tolist(), (2 * shape[0], 2 * shape[1]), float(rng.uniform(0, 180))), 255, -1)
    soft = cv2.GaussianBlur(spot, (0, 0), float(size * rng.uniform(0.05, 0.6)))
    lay_over(canvas.picture, np.array(colour, np.float32), soft)


def _holes(canvas: Canvas) -> None:
    """A plate of many holes, studs or keys, at least four by three."""
    rng = canvas.rng
    box(canvas, (rng.uniform(60, 79), rng.uniform(60, 79)), rng.uniform(0, 8))
    across, down = int(rng.integers(4, 9)), int(rng.integers(3, 9))
    radius = rng.uniform(0.18, 0.4) * 120 / max(across, down)
    square = rng.random() < 0.4
    for column in range(across):
        for row in range(down):
            x, y = 22 + 116 * (column + 0.5) / across, 22 + 116 * (row + 0.5) / down
            if square:
                corner = (int(x - radius), int(y - radius)), (int(x + radius), int(y + radius))
                cv2.rectangle(canvas.picture, *corner, canvas.ink, -1)
            else:
                cv2.circle(canvas.picture, (int(x), int(y)), int(radius), canvas.ink, -1, cv2.LINE_AA)


def _checks(canvas: Canvas) -> None:
    """Squares filled by chance, as of a printed code, or in turn, as of a board."""
    rng = canvas.rng
    box(canvas, (76, 76), 1)
    n = int(rng.integers(3, 12))
    in_turn = rng.random() < 0.4
    side = 130 / n
    for column in range(n):
        for row in range(n):
            if (column + row) % 2 == 0 if in_turn else rng.random() < 0.5:
                x, y = 15 + column * side, 15 + row * side
                cv2.rectangle(canvas.picture, (int(x), int(y)), (int(x + side), int(y + side)), canvas.ink, -1)


def _card(canvas: Canvas) -> None:
    """A card with a number in opposite corners and a figure in the middle."""
    rng = canvas.rng
    half = rng.uniform(38, 56), rng.uniform(60, 78)
    box(canvas, half, rng.uniform(1, 8))
    text = letters(rng, 1, 2)
    for sign in (-1, 1):
        write(canvas, text, (MIDDLE + sign * 0.7 * half[0], MIDDLE + sign * 0.75 * half[1]), float(rng.uniform(10, 22)))
    _figure(canvas, min(half) * 0.7)


def _figure(canvas: Canvas, reach: float) -> None:
    """A filled figure with corners, such as a star, a heart's outline, a leaf."""
    rng = canvas.rng
    corners = int(rng.integers(3, 12))
    angles = np.sort(rng.uniform(0, 2 * np.pi, corners))
    points = MIDDLE + reach * rng.uniform(0.25, 1, (corners, 1)) * np.column_stack([np.cos(angles), np.sin(angles)])
    cv2.fillPoly(canvas.picture, [points.astype(np.int32)], canvas.ink, cv2.LINE_AA)


def _plug(canvas: Canvas) -> None:
    """A box in a box, at times with a lead: a plug, a socket, a switch, a chip."""
    rng = canvas.rng
    outer = rng.uniform(40, 74), rng.uniform(30, 60)
    if rng.random() < 0.5:
        lead = int(rng.integers(4, 20))
        end = int(rng.integers(SIDE_PX))
        canvas.both(lambda on, ink: cv2.line(on, (MIDDLE, MIDDLE), (end, 0), ink, lead, cv2.LINE_AA), canvas.ink)
    box(canvas, outer, rng.uniform(1, 12))
    share = rng.uniform(0.3, 0.8)
    wide, high = int(outer[0] * share), int(outer[1] * share)
    corners = (MIDDLE - wide, MIDDLE - high), (MIDDLE + wide, MIDDLE + high)
    cv2.rectangle(canvas.picture, *corners, canvas.ink, -1 if rng.random() < 0.5 else int(rng.integers(2, 8)))


def _lines(canvas: Canvas) -> None:
    """Stripes, strokes or a frame."""
    rng = canvas.rng
    if rng.random() < 0.6:
        box(canvas, (rng.uniform(60, 78), rng.uniform(20, 40)), rng.uniform(0, 10))
    for _ in range(int(rng.integers(2, 9))):
        _stroke(canvas)


def _stroke(canvas: Canvas) -> None:
    (x, y), (to_x, to_y) = canvas.rng.integers(20, 140, (2, 2)).tolist()
    thick = int(canvas.rng.integers(2, 10))
    canvas.both(lambda on, ink: cv2.line(on, (x, y), (to_x, to_y), ink, thick, cv2.LINE_AA), canvas.ink)


ODDMENTS: tuple[Callable[[Canvas], None], ...] = (
    _key,
    _label,
    _print,
    _button,
    ball,
    _holes,
    _checks,
    _card,
    _plug,
    _lines,
)
