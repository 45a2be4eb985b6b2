"""Things that are no dice but have marks in a patch of their own: keys, labels, buttons, balls, coins, print, grids.

Scenes are drawn with things that have a body; most of what deceives a finder in real rooms is flat and printed. None
is a square with one spot or sign in its middle, as a one or a die of icons is. Those that have spots set as on a die
are plainly something else by what is around them: a ladybird's head, a domino's other half, a card's corners, a
brick's studs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Picture
from companion.vision.scene.faces import PIPS

SIDE_PX = 160  # of the canvas a thing is drawn on
MIDDLE = SIDE_PX // 2
FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_PLAIN)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.:/-+"
LEAST_STEP = 60.0  # grey levels between a thing and its marks
ROUNDEST = 0.88  # of a ball's width: its height, from any side
SPOTTED_SHARE = 0.4  # of the things have spots as dice do
BLACK: tuple[int, int, int] = (22, 20, 18)

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """A thing on a SIDE_PX square canvas: its picture, how much it covers, 0–255, and whether it lies flat.

    `part`: how wide what looks most like a die is, in its middle, of the canvas.
    """

    picture: Picture
    cover: NDArray[np.uint8]
    flat: bool
    part: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class _Canvas:
    picture: Picture
    cover: NDArray[np.uint8]
    body: Colour
    ink: Colour
    rng: np.random.Generator

    def both(self, draw: Callable[[Picture, Colour], object], colour: Colour) -> None:
        """Draws on the picture and on what it covers."""
        draw(self.picture, colour)
        draw(self.cover, (255, 255, 255))


def thing(rng: np.random.Generator) -> Thing:
    """One thing by chance."""
    body, ink = _colours(rng)
    picture = np.full((SIDE_PX, SIDE_PX, 3), body, np.uint8)
    canvas = _Canvas(picture, np.zeros((SIDE_PX, SIDE_PX), np.uint8), body, ink, rng)
    kinds = SPOTTED if rng.random() < SPOTTED_SHARE else KINDS
    kind = kinds[int(rng.integers(len(kinds)))]
    kind(canvas)
    part = 2 * DOMINO_PX / SIDE_PX if kind is _domino else 1.0
    return Thing(canvas.picture, canvas.cover, flat=kind is not _ball, part=part)


def lay(
    picture: Picture, rng: np.random.Generator, *, at: tuple[float, float], size_px: float, of_part: bool = False
) -> None:
    """Lays one thing by chance on a picture, turned and, if it is flat, slanted, about `size_px` wide, in place.

    `of_part`: so wide is the part of it that looks most like a die.
    """
    made = thing(rng)
    size_px /= made.part if of_part else 1.0
    matrix = _slanted(rng, at, size_px, flattest=0.5 if made.flat else ROUNDEST)
    height, width = picture.shape[:2]
    shrunk = size_px / SIDE_PX
    soft = 0.4 / shrunk if shrunk < 0.8 else 0.0
    flat, cover = made.picture, made.cover
    if soft:
        flat, cover = (np.asarray(cv2.GaussianBlur(part, (0, 0), soft), np.uint8) for part in (flat, cover))
    warped = cv2.warpPerspective(flat, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    _cover(picture, warped, cv2.warpPerspective(cover, matrix, (width, height)))


def _cover(picture: Picture, over: NDArray[Any], cover: NDArray[Any]) -> None:
    """Lays `over` on a picture, in place, as far as `cover`, h×w, 0–255, hides what is there."""
    share = cover[..., None].astype(np.float32) / 255
    picture[:] = (share * over + (1 - share) * picture).astype(np.uint8)


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


def _colours(rng: np.random.Generator) -> tuple[Colour, Colour]:
    """Of a body and its marks; three of four are grey, black or white."""
    while True:
        pair = [_colour(rng), _colour(rng)]
        if abs(sum(pair[0]) - sum(pair[1])) / 3 > LEAST_STEP:
            return pair[0], pair[1]


def _colour(rng: np.random.Generator) -> Colour:
    grey = rng.uniform(0, 255)
    tint = rng.normal(0, 60 if rng.random() < 0.4 else 6, 3)
    blue, green, red = (int(part) for part in np.clip(grey + tint, 0, 255))
    return blue, green, red


def _box(canvas: _Canvas, half: tuple[float, float], round_px: float, colour: Colour | None = None) -> None:
    """A box with round corners about the middle."""
    wide, high = int(half[0] - round_px), int(half[1] - round_px)

    def draw(on: Picture, ink: Colour) -> None:
        thick = max(1, 2 * int(round_px))
        corners = (MIDDLE - wide, MIDDLE - high), (MIDDLE + wide, MIDDLE + high)
        cv2.rectangle(on, *corners, ink, -1)
        if round_px >= 1:
            cv2.rectangle(on, *corners, ink, thick, cv2.LINE_AA)

    canvas.both(draw, colour or canvas.body)


def _write(canvas: _Canvas, text: str, at: tuple[float, float], high_px: float, *, covers: bool = False) -> None:
    """Text about a place."""
    font = FONTS[int(canvas.rng.integers(len(FONTS)))]
    thick = int(canvas.rng.integers(1, 2 + int(high_px > 20) + 2 * int(high_px > 35)))
    (_, high), _ = cv2.getTextSize(text, font, 1.0, thick)
    scale = high_px / max(high, 1)
    (wide, high), _ = cv2.getTextSize(text, font, scale, thick)
    corner = (round(at[0] - wide / 2), round(at[1] + high / 2))

    def draw(on: Picture, ink: Colour) -> None:
        cv2.putText(on, text, corner, font, scale, ink, thick, cv2.LINE_AA)

    if covers:
        canvas.both(draw, canvas.ink)
    else:
        draw(canvas.picture, canvas.ink)


def _text(rng: np.random.Generator, least: int, most: int) -> str:
    return "".join(LETTERS[i] for i in rng.integers(0, len(LETTERS), int(rng.integers(least, most + 1))))


def _key(canvas: _Canvas) -> None:
    """A key of a keyboard or a machine."""
    rng = canvas.rng
    half = rng.uniform(40, 76), rng.uniform(40, 60)
    _box(canvas, half, rng.uniform(2, 14))
    sign = -1 if rng.random() < 0.5 else 1
    at = MIDDLE + rng.uniform(-0.6, 0.6) * half[0], MIDDLE + sign * rng.uniform(0.35, 0.6) * half[1]
    _write(canvas, _text(rng, 1, 6), at, float(rng.uniform(8, 26)))
    if rng.random() < 0.3:
        _write(canvas, _text(rng, 1, 2), (2 * MIDDLE - at[0], 2 * MIDDLE - at[1]), float(rng.uniform(8, 20)))


def _label(canvas: _Canvas) -> None:
    """A label: lines of print, at times bars, a filled box, a frame."""
    rng = canvas.rng
    half = rng.uniform(50, 78), rng.uniform(26, 70)
    _box(canvas, half, rng.uniform(0, 6))
    rows = int(rng.integers(1, 5))
    for row in range(rows):
        y = MIDDLE + half[1] * (2 * (row + 0.5) / rows - 1) * 0.85
        high = min(rng.uniform(6, 34), 1.2 * half[1] / rows)
        _write(canvas, _text(rng, 3, 9), (MIDDLE + rng.uniform(-12, 12), y), float(high))
    if rng.random() < 0.4:
        _bars(canvas, MIDDLE + rng.uniform(-40, 10), MIDDLE + rng.uniform(-25, 5))
    if rng.random() < 0.4:
        x, y, side = MIDDLE + rng.uniform(-55, 25), MIDDLE + rng.uniform(-40, 10), rng.uniform(14, 36)
        cv2.rectangle(canvas.picture, (int(x), int(y)), (int(x + side), int(y + side)), canvas.ink, -1)
        _write(_swapped(canvas), _text(rng, 1, 1), (x + side / 2, y + side / 2), float(side * 0.6))


def _swapped(canvas: _Canvas) -> _Canvas:
    return _Canvas(canvas.picture, canvas.cover, canvas.ink, canvas.body, canvas.rng)


def _bars(canvas: _Canvas, left: float, top: float) -> None:
    x, bottom = left, top + canvas.rng.uniform(14, 40)
    for _ in range(int(canvas.rng.integers(8, 20))):
        wide = canvas.rng.uniform(1, 4)
        cv2.rectangle(canvas.picture, (int(x), int(top)), (int(x + wide), int(bottom)), canvas.ink, -1)
        x += wide + canvas.rng.uniform(1, 4)


def _print(canvas: _Canvas) -> None:
    """Large print without a body of its own."""
    _write(canvas, _text(canvas.rng, 1, 4), (MIDDLE, MIDDLE), float(canvas.rng.uniform(30, 90)), covers=True)


def _button(canvas: _Canvas) -> None:
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
        _write(canvas, _text(rng, 1, 3), (MIDDLE, MIDDLE), float(radius * rng.uniform(0.4, 0.9)))


def _holes_near_middle(canvas: _Canvas, radius: float) -> None:
    reach, size = radius * canvas.rng.uniform(0.16, 0.3), int(radius * canvas.rng.uniform(0.07, 0.14))
    for x, y in PIPS[str(canvas.rng.choice((2, 4)))]:
        cv2.circle(
            canvas.picture, (int(MIDDLE + reach * x), int(MIDDLE + reach * y)), size, canvas.ink, -1, cv2.LINE_AA
        )


def _slot(canvas: _Canvas, radius: float) -> None:
    reach, thick = int(radius * canvas.rng.uniform(0.3, 0.9)), int(canvas.rng.integers(4, 16))
    cv2.line(canvas.picture, (MIDDLE - reach, MIDDLE), (MIDDLE + reach, MIDDLE), canvas.ink, thick, cv2.LINE_AA)
    if canvas.rng.random() < 0.6:
        cv2.line(canvas.picture, (MIDDLE, MIDDLE - reach), (MIDDLE, MIDDLE + reach), canvas.ink, thick, cv2.LINE_AA)


def _ball(canvas: _Canvas) -> None:
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
    canvas.picture[:] = np.clip(shade[..., None] * body, 0, 255)
    cv2.circle(canvas.cover, (MIDDLE, MIDDLE), int(radius), 255, -1, cv2.LINE_AA)
    for _ in range(int(rng.integers(1, 3))):
        _gleam(canvas, radius, light)


def _gleam(canvas: _Canvas, radius: float, light: NDArray[np.float64]) -> None:
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
    _cover(canvas.picture, np.array(colour, np.float32), soft)


def _holes(canvas: _Canvas) -> None:
    """A plate of many holes, studs or keys, at least four by three."""
    rng = canvas.rng
    _box(canvas, (rng.uniform(60, 79), rng.uniform(60, 79)), rng.uniform(0, 8))
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


def _checks(canvas: _Canvas) -> None:
    """Squares filled by chance, as of a printed code, or in turn, as of a board."""
    rng = canvas.rng
    _box(canvas, (76, 76), 1)
    n = int(rng.integers(3, 12))
    in_turn = rng.random() < 0.4
    side = 130 / n
    for column in range(n):
        for row in range(n):
            if (column + row) % 2 == 0 if in_turn else rng.random() < 0.5:
                x, y = 15 + column * side, 15 + row * side
                cv2.rectangle(canvas.picture, (int(x), int(y)), (int(x + side), int(y + side)), canvas.ink, -1)


def _card(canvas: _Canvas) -> None:
    """A card with a number in opposite corners and a figure in the middle."""
    rng = canvas.rng
    half = rng.uniform(38, 56), rng.uniform(60, 78)
    _box(canvas, half, rng.uniform(1, 8))
    text = _text(rng, 1, 2)
    for sign in (-1, 1):
        _write(
            canvas, text, (MIDDLE + sign * 0.7 * half[0], MIDDLE + sign * 0.75 * half[1]), float(rng.uniform(10, 22))
        )
    _figure(canvas, min(half) * 0.7)


def _figure(canvas: _Canvas, reach: float) -> None:
    """A filled figure with corners, such as a star, a heart's outline, a leaf."""
    rng = canvas.rng
    corners = int(rng.integers(3, 12))
    angles = np.sort(rng.uniform(0, 2 * np.pi, corners))
    points = MIDDLE + reach * rng.uniform(0.25, 1, (corners, 1)) * np.column_stack([np.cos(angles), np.sin(angles)])
    cv2.fillPoly(canvas.picture, [points.astype(np.int32)], canvas.ink, cv2.LINE_AA)


def _plug(canvas: _Canvas) -> None:
    """A box in a box, at times with a lead: a plug, a socket, a switch, a chip."""
    rng = canvas.rng
    outer = rng.uniform(40, 74), rng.uniform(30, 60)
    if rng.random() < 0.5:
        lead = int(rng.integers(4, 20))
        end = int(rng.integers(SIDE_PX))
        canvas.both(lambda on, ink: cv2.line(on, (MIDDLE, MIDDLE), (end, 0), ink, lead, cv2.LINE_AA), canvas.ink)
    _box(canvas, outer, rng.uniform(1, 12))
    share = rng.uniform(0.3, 0.8)
    wide, high = int(outer[0] * share), int(outer[1] * share)
    corners = (MIDDLE - wide, MIDDLE - high), (MIDDLE + wide, MIDDLE + high)
    cv2.rectangle(canvas.picture, *corners, canvas.ink, -1 if rng.random() < 0.5 else int(rng.integers(2, 8)))


def _lines(canvas: _Canvas) -> None:
    """Stripes, strokes or a frame."""
    rng = canvas.rng
    if rng.random() < 0.6:
        _box(canvas, (rng.uniform(60, 78), rng.uniform(20, 40)), rng.uniform(0, 10))
    for _ in range(int(rng.integers(2, 9))):
        _stroke(canvas)


def _stroke(canvas: _Canvas) -> None:
    (x, y), (to_x, to_y) = canvas.rng.integers(20, 140, (2, 2)).tolist()
    thick = int(canvas.rng.integers(2, 10))
    canvas.both(lambda on, ink: cv2.line(on, (x, y), (to_x, to_y), ink, thick, cv2.LINE_AA), canvas.ink)


def _ladybird(canvas: _Canvas) -> None:
    """A ladybird: a round back of two halves with spots on both, a head at one end."""
    rng = canvas.rng
    back = ((20, 20, 200), (20, 110, 240), (30, 200, 235))[int(rng.integers(3))] if rng.random() < 0.7 else canvas.body
    spots = BLACK if rng.random() < 0.7 else canvas.ink
    wide, long = rng.uniform(38, 56), rng.uniform(48, 62)
    head = wide * rng.uniform(0.35, 0.7), long * rng.uniform(0.2, 0.35)
    middle = MIDDLE + int(head[1] / 2)
    _ellipse(canvas, (MIDDLE, middle - long), head, BLACK)
    _ellipse(canvas, (MIDDLE, middle), (wide, long), back)
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


def _ellipse(canvas: _Canvas, middle: tuple[float, float], half: tuple[float, float], colour: Colour) -> None:
    box = (middle, (2 * half[0], 2 * half[1]), 0.0)
    canvas.both(lambda on, ink: cv2.ellipse(on, box, ink, -1, cv2.LINE_AA), colour)


DOMINO_PX = 26  # half the width of a domino


def _domino(canvas: _Canvas) -> None:
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


def _suits(canvas: _Canvas) -> None:
    """A card with as many suit signs as it counts, and that number in two corners."""
    rng = canvas.rng
    half = rng.uniform(38, 54), rng.uniform(58, 78)
    _box(canvas, half, rng.uniform(1, 8), (250, 250, 250) if rng.random() < 0.6 else None)
    count, size = int(rng.integers(1, 11)), rng.uniform(5, 11)
    ink = ((20, 20, 200), BLACK)[int(rng.integers(2))] if rng.random() < 0.8 else canvas.ink
    suit = rng.integers(4)
    reach = half[0] * rng.uniform(0.4, 0.62), half[1] * rng.uniform(0.5, 0.7)
    for x, y in PIPS.get(str(count)) or _in_columns(count):
        _suit(canvas, (MIDDLE + reach[0] * x, MIDDLE + reach[1] * y), size, int(suit), ink)
    if rng.random() < 0.8:
        for sign in (-1, 1):
            at = MIDDLE + sign * 0.84 * half[0], MIDDLE + sign * 0.86 * half[1]
            _write(_Canvas(canvas.picture, canvas.cover, canvas.body, ink, rng), str(count), at, float(size))


def _in_columns(count: int) -> tuple[tuple[float, float], ...]:
    rows = count // 2
    sides = [(x, 2 * row / (rows - 1) - 1) for row in range(rows) for x in (-1, 1)]
    return (*sides, (0.0, 0.0)) if count % 2 else tuple(sides)


def _suit(canvas: _Canvas, at: tuple[float, float], size: float, suit: int, ink: Colour) -> None:
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


def _brick(canvas: _Canvas) -> None:
    """A building brick from above: studs of its own colour, each with a lit and a shaded rim."""
    rng = canvas.rng
    across, down = ((1, 1), (1, 2), (2, 2), (2, 3), (2, 4), (1, 3))[int(rng.integers(6))]
    step = min(76 / across, 76 / down, 44)
    _box(canvas, (step * across, step * down), rng.uniform(0, 3))
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


KINDS: tuple[Callable[[_Canvas], None], ...] = (
    _key,
    _label,
    _print,
    _button,
    _ball,
    _holes,
    _checks,
    _card,
    _plug,
    _lines,
)
SPOTTED: tuple[Callable[[_Canvas], None], ...] = (_ladybird, _domino, _suits, _brick)
