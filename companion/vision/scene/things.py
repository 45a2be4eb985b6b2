"""What else lies on tables: cards, coins, dominoes, buttons, cables, pawns, hands. None of it is a die."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.scene.geometry import Floats, Matrix, View
from companion.vision.scene.ground import flat, flat_light, polygon, shade
from companion.vision.scene.model import Light, Thing
from companion.vision.scene.solid import toward

_Canvas: TypeAlias = NDArray[np.uint8]  # rows × columns × 4: blue, green, red, cover
_Ink: TypeAlias = tuple[int, int, int, int]

_TEXELS = 160  # of a sprite's longer side
_LAYERS_PX = 1.5  # pixels between two slices of a thing's side


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A thing from above. `height`: share of its longer side."""

    canvas: _Canvas
    height: float


def _ink(blue: float, green: float, red: float) -> _Ink:
    return int(blue), int(green), int(red), 255


def _any(rng: np.random.Generator, low: int = 20, high: int = 235) -> _Ink:
    return _ink(*rng.integers(low, high, 3))


def _blank(rows: int, columns: int) -> _Canvas:
    return np.zeros((rows, columns, 4), np.uint8)


def _slab(rows: int, columns: int, ink: _Ink, corner: int) -> _Canvas:
    """A rectangle with round corners."""
    canvas = _blank(rows, columns)
    r = max(min(corner, rows // 2 - 1, columns // 2 - 1), 1)
    for a, b in (((r, 0), (columns - r, rows)), ((0, r), (columns, rows - r))):
        cv2.rectangle(canvas, a, (b[0] - 1, b[1] - 1), ink, -1)
    for x in (r, columns - 1 - r):
        for y in (r, rows - 1 - r):
            cv2.circle(canvas, (x, y), r, ink, -1, cv2.LINE_AA)
    return canvas


def _disc(ink: _Ink) -> _Canvas:
    canvas = _blank(_TEXELS, _TEXELS)
    cv2.circle(canvas, (_TEXELS // 2, _TEXELS // 2), _TEXELS // 2 - 2, ink, -1, cv2.LINE_AA)
    return canvas


def _card(rng: np.random.Generator) -> Sprite:
    n = _TEXELS
    canvas = _slab(n, int(n * 0.66), _ink(*rng.integers(215, 250, 3)), 9)
    ink = _any(rng, 0, 200)
    match int(rng.integers(0, 4)):
        case 0:  # a large number, and it again in the corners
            sign = str(rng.integers(0, 10))
            cv2.putText(canvas, sign, (28, 108), cv2.FONT_HERSHEY_DUPLEX, 2.6, ink, 6, cv2.LINE_AA)
            cv2.putText(canvas, sign, (6, 26), cv2.FONT_HERSHEY_DUPLEX, 0.7, ink, 2, cv2.LINE_AA)
        case 1:  # suit signs in rows, as playing cards have
            red = _ink(30, 20, 190) if rng.random() < 0.5 else _ink(20, 20, 20)
            for x in (34, 72):
                for y in np.linspace(32, 128, int(rng.integers(1, 5))):
                    cv2.circle(canvas, (x, int(y)), int(rng.integers(6, 10)), red, -1, cv2.LINE_AA)
        case 2:  # a back with a pattern
            cv2.rectangle(canvas, (7, 7), (canvas.shape[1] - 8, n - 8), ink, -1)
            for k in range(-n, n, int(rng.integers(8, 18))):
                cv2.line(canvas, (k, 7), (k + n, n - 8), _any(rng), 2, cv2.LINE_AA)
            canvas[..., 3] = _slab(n, int(n * 0.66), (0, 0, 0, 255), 9)[..., 3]
        case _:  # a picture
            for _ in range(14):
                a, b = (int(v) for v in rng.integers(6, 30, 2))
                middle = (int(rng.integers(14, 90)), int(rng.integers(14, 145)))
                cv2.ellipse(canvas, middle, (a, b), float(rng.uniform(0, 180)), 0, 360, _any(rng), -1, cv2.LINE_AA)
            canvas[..., 3] = _slab(n, int(n * 0.66), (0, 0, 0, 255), 9)[..., 3]
    return Sprite(canvas, 0.004)


def _coin(rng: np.random.Generator) -> Sprite:
    tone = rng.choice(np.array([[80, 130, 190], [170, 175, 180], [90, 160, 200], [60, 90, 150]]))
    canvas = _disc(_ink(*tone))
    dark, pale = _ink(*(tone * 0.6)), _ink(*np.minimum(tone * 1.25, 255))
    n = _TEXELS // 2
    cv2.circle(canvas, (n, n), n - 9, dark, 3, cv2.LINE_AA)
    cv2.putText(canvas, str(rng.integers(1, 100)), (36, 104), cv2.FONT_HERSHEY_TRIPLEX, 1.9, pale, 6, cv2.LINE_AA)
    return Sprite(canvas, 0.08)


def _domino(rng: np.random.Generator) -> Sprite:
    from companion.vision.scene.faces import _PIPS

    pale = rng.random() < 0.5
    body, ink = (_ink(225, 235, 238), _any(rng, 0, 60)) if pale else (_any(rng, 5, 60), _ink(235, 235, 235))
    side = _TEXELS // 2
    canvas = _slab(_TEXELS, side, body, 8)
    cv2.line(canvas, (10, side), (side - 10, side), ink, 2)
    for top in (0, side):
        value = str(rng.integers(0, 7))
        for u, v in _PIPS.get(value, ()):
            cv2.circle(
                canvas, (round(side * (0.5 + 0.26 * u)), round(top + side * (0.5 + 0.26 * v))), 7, ink, -1, cv2.LINE_AA
            )
    return Sprite(canvas, 0.16)


def _button(rng: np.random.Generator) -> Sprite:
    body = _any(rng)
    canvas = _disc(body)
    n = _TEXELS // 2
    rim = _ink(*(np.array(body[:3]) * 0.75))
    cv2.circle(canvas, (n, n), int(n * 0.68), rim, 5, cv2.LINE_AA)
    holes = ((-1, -1), (1, 1), (-1, 1), (1, -1))[: 4 if rng.random() < 0.7 else 2]
    for u, v in holes:
        cv2.circle(canvas, (n + 17 * u, n + 17 * v), 9, _ink(20, 20, 20), -1, cv2.LINE_AA)
    return Sprite(canvas, 0.12)


def _ladybird(rng: np.random.Generator) -> Sprite:
    canvas = _blank(_TEXELS, int(_TEXELS * 0.8))
    cv2.circle(canvas, (64, 30), 24, _ink(15, 15, 15), -1, cv2.LINE_AA)
    cv2.ellipse(canvas, (64, 92), (56, 64), 0, 0, 360, _ink(25, 30, int(rng.integers(150, 225))), -1, cv2.LINE_AA)
    cv2.line(canvas, (64, 30), (64, 155), _ink(15, 15, 15), 3, cv2.LINE_AA)
    for u, v in ((-26, 64), (26, 64), (-30, 100), (30, 100), (-18, 134), (18, 134))[: int(rng.choice([2, 4, 6]))]:
        cv2.circle(canvas, (64 + u, v), 10, _ink(15, 15, 15), -1, cv2.LINE_AA)
    return Sprite(canvas, 0.35)


def _magnet(rng: np.random.Generator) -> Sprite:
    grey = int(rng.integers(60, 190))
    canvas = _disc(_ink(grey, grey, grey))
    if rng.random() < 0.4:
        cv2.circle(
            canvas,
            (_TEXELS // 2, _TEXELS // 2),
            _TEXELS // 5,
            _ink(grey * 0.4, grey * 0.4, grey * 0.4),
            -1,
            cv2.LINE_AA,
        )
    return Sprite(canvas, float(rng.uniform(0.05, 0.35)))


def _chip(rng: np.random.Generator) -> Sprite:
    body, mark = _any(rng), _any(rng, 150, 255)
    canvas = _disc(body)
    n = _TEXELS // 2
    for k in range(8):
        cv2.ellipse(canvas, (n, n), (n - 8, n - 8), k * 45, 0, 18, mark, 14, cv2.LINE_AA)
    cv2.circle(canvas, (n, n), int(n * 0.55), mark, 3 if rng.random() < 0.6 else -1, cv2.LINE_AA)
    return Sprite(canvas, 0.1)


def _plate(rng: np.random.Generator) -> Sprite:
    """Perforated metal, a sieve, a power strip: rows of holes."""
    grey = int(rng.integers(90, 210))
    canvas = _slab(_TEXELS, _TEXELS, _ink(grey, grey, grey), 12)
    step = int(rng.integers(16, 42))
    for y in range(step, _TEXELS - step // 2, step):
        for x in range(step, _TEXELS - step // 2, step):
            cv2.circle(canvas, (x, y), int(step * 0.28), _ink(30, 30, 30), -1, cv2.LINE_AA)
    return Sprite(canvas, 0.02)


def _brick(rng: np.random.Generator) -> Sprite:
    """A building brick with studs: 2 × 2 and 2 × 3 look like a 4 and a 6."""
    body = _any(rng)
    rows, columns = int(rng.integers(2, 5)), 2
    cell = _TEXELS // max(rows, columns)
    canvas = _slab(rows * cell, columns * cell, body, 2)
    shadow, pale = _ink(*(np.array(body[:3]) * 0.6)), _ink(*np.minimum(np.array(body[:3]) * 1.15 + 12, 255))
    for r in range(rows):
        for c in range(columns):
            middle = (int((c + 0.5) * cell), int((r + 0.5) * cell))
            cv2.circle(canvas, (middle[0] + 3, middle[1] + 3), int(cell * 0.31), shadow, -1, cv2.LINE_AA)
            cv2.circle(canvas, middle, int(cell * 0.29), pale, -1, cv2.LINE_AA)
    return Sprite(canvas, 0.4)


def _block(rng: np.random.Generator) -> Sprite:
    """A wooden cube or tile without pips."""
    return Sprite(_slab(_TEXELS, _TEXELS, _any(rng), int(rng.integers(2, 30))), float(rng.uniform(0.1, 1.0)))


def _pen(rng: np.random.Generator) -> Sprite:
    body = _any(rng)
    canvas = _slab(12, _TEXELS, body, 5)
    canvas[2:4, 6:-6, :3] = np.minimum(canvas[2:4, 6:-6, :3].astype(int) + 70, 255)
    canvas[:, -26:, :3] = _any(rng)[:3]
    return Sprite(canvas, 0.06)


def _paper(rng: np.random.Generator) -> Sprite:
    canvas = _slab(_TEXELS, int(_TEXELS * 0.71), _ink(*rng.integers(215, 252, 3)), 1)
    for y in range(14, _TEXELS - 10, int(rng.integers(7, 13))):
        end = int(rng.integers(40, canvas.shape[1] - 10))
        cv2.line(canvas, (10, y), (end, y), _any(rng, 30, 140), int(rng.integers(1, 3)))
    return Sprite(canvas, 0.003)


def _phone(rng: np.random.Generator) -> Sprite:
    canvas = _slab(_TEXELS, _TEXELS // 2, _ink(*rng.integers(8, 40, 3)), 10)
    for k in range(int(rng.integers(0, 4))):
        cv2.circle(canvas, (14, 14 + 16 * k), 6, _ink(60, 50, 50), -1, cv2.LINE_AA)
    return Sprite(canvas, 0.05)


def _laptop(rng: np.random.Generator) -> Sprite:
    grey = int(rng.integers(60, 190))
    canvas = _slab(int(_TEXELS * 0.7), _TEXELS, _ink(grey, grey, grey), 5)
    for r in range(6):
        for c in range(14):
            cv2.rectangle(canvas, (9 + c * 10, 10 + r * 10), (16 + c * 10, 17 + r * 10), _ink(25, 25, 25), -1)
    return Sprite(canvas, 0.03)


def _ruler(rng: np.random.Generator) -> Sprite:
    canvas = _slab(18, _TEXELS, _ink(*rng.integers(150, 235, 3)), 1)
    for x in range(4, _TEXELS - 2, 4):
        cv2.line(canvas, (x, 0), (x, 9 if x % 20 == 4 else 5), _ink(20, 20, 20), 1)
    return Sprite(canvas, 0.01)


def _meeple(rng: np.random.Generator) -> Sprite:
    canvas = _blank(_TEXELS, _TEXELS)
    ink = _any(rng)
    n = _TEXELS
    cv2.circle(canvas, (n // 2, n // 4), n // 6, ink, -1, cv2.LINE_AA)
    outline = np.array([[0.08, 0.42], [0.92, 0.42], [0.68, 0.62], [0.86, 0.95], [0.14, 0.95], [0.32, 0.62]]) * n
    cv2.fillPoly(canvas, [outline.astype(np.int32)], ink, cv2.LINE_AA)
    return Sprite(canvas, 0.45)


def _crumbs(rng: np.random.Generator) -> Sprite:
    canvas = _blank(_TEXELS, _TEXELS)
    ink = _any(rng, 0, 160)
    for _ in range(int(rng.integers(3, 14))):
        x, y = (int(v) for v in rng.integers(8, _TEXELS - 8, 2))
        cv2.circle(canvas, (x, y), int(rng.integers(2, 7)), ink, -1, cv2.LINE_AA)
    return Sprite(canvas, 0.01)


def _tile(rng: np.random.Generator) -> Sprite:
    """A letter or number tile."""
    canvas = _slab(_TEXELS, _TEXELS, _ink(150, 205, 228), 12)
    sign = "ABCDEFGHIJKLMNOPRSTUVWXZ1234567890"[int(rng.integers(0, 34))]
    cv2.putText(canvas, sign, (38, 122), cv2.FONT_HERSHEY_DUPLEX, 3.6, _any(rng, 5, 60), 8, cv2.LINE_AA)
    return Sprite(canvas, 0.22)


def _token(rng: np.random.Generator) -> Sprite:
    """A round counter with a dot or ring in its middle."""
    canvas = _disc(_any(rng))
    n = _TEXELS // 2
    cv2.circle(canvas, (n, n), int(n * rng.uniform(0.15, 0.6)), _any(rng), int(rng.choice([-1, 6, 12])), cv2.LINE_AA)
    return Sprite(canvas, 0.1)


def _cube_of_dots(rng: np.random.Generator) -> Sprite:
    """A square tile with dots in a pattern that no die has."""
    body = _any(rng)
    canvas = _slab(_TEXELS, _TEXELS, body, 14)
    ink = _ink(240, 240, 240) if sum(body[:3]) < 380 else _ink(20, 20, 20)
    for _ in range(int(rng.integers(3, 10))):
        x, y = (int(v) for v in rng.integers(22, _TEXELS - 22, 2))
        cv2.circle(canvas, (x, y), 13, ink, -1, cv2.LINE_AA)
    return Sprite(canvas, 0.05)


_FLAT: dict[str, Callable[[np.random.Generator], Sprite]] = {
    "card": _card,
    "coin": _coin,
    "domino": _domino,
    "button": _button,
    "ladybird": _ladybird,
    "magnet": _magnet,
    "chip": _chip,
    "plate": _plate,
    "brick": _brick,
    "block": _block,
    "pen": _pen,
    "paper": _paper,
    "phone": _phone,
    "laptop": _laptop,
    "ruler": _ruler,
    "meeple": _meeple,
    "crumbs": _crumbs,
    "tile": _tile,
    "token": _token,
    "dots": _cube_of_dots,
}
SIZES: dict[str, tuple[float, float]] = {
    "card": (8, 9),
    "coin": (1.6, 2.8),
    "domino": (3.5, 5.5),
    "button": (1, 2.5),
    "ladybird": (0.7, 2.5),
    "magnet": (1, 3),
    "chip": (2.5, 4),
    "plate": (3, 14),
    "brick": (1.6, 3.2),
    "block": (0.8, 3),
    "pen": (13, 16),
    "paper": (15, 30),
    "phone": (14, 17),
    "laptop": (30, 38),
    "ruler": (15, 30),
    "meeple": (1.4, 2),
    "crumbs": (2, 6),
    "tile": (1.7, 2.6),
    "token": (1.2, 3),
    "dots": (1.5, 3),
    "pawn": (1, 1.8),
    "cable": (8, 20),
    "cap": (2, 9),
}
KINDS = tuple(sorted(SIZES))


@lru_cache(maxsize=128)
def _sprite(kind: str, seed: int) -> Sprite:
    return _FLAT[kind](np.random.default_rng(seed))


def draw_thing(picture: Floats, thing: Thing, view: View, light: Light) -> None:
    """Draws a thing and its shadow into linear light, in place."""
    match thing.kind:
        case "cable":
            _draw_cable(picture, thing, view, light)
        case "pawn" | "cap":
            _draw_turned(picture, thing, view, light)
        case kind if kind in _FLAT:
            _draw_flat(picture, thing, view, light)
        case _:
            raise ValueError(f"no thing is called {thing.kind!r}; there are {', '.join(KINDS)}")


def _draw_flat(picture: Floats, thing: Thing, view: View, light: Light) -> None:
    """A sprite laid on the table, and raised slice by slice to its height."""
    sprite = _sprite(thing.kind, thing.seed)
    rows, columns = sprite.canvas.shape[:2]
    unit = thing.size / max(rows, columns)
    angle = math.radians(thing.yaw_deg)
    cos, sin = unit * math.cos(angle), unit * math.sin(angle)
    into_table = np.array([[cos, sin, 0.0], [sin, -cos, 0.0], [0, 0, 1.0]]) @ np.array(
        [[1, 0, -columns / 2], [0, 1, -rows / 2], [0, 0, 1.0]]
    )
    into_table[:2, 2] += (thing.x, thing.y)
    height = sprite.height * thing.size
    ends = np.array([[0, 0, 1.0], [columns, 0, 1], [columns, rows, 1], [0, rows, 1]]) @ into_table.T
    round_thing = thing.kind in ("coin", "button", "magnet", "chip", "token")
    outline = _circle(thing) if round_thing else ends[:, :2]
    for lamp in light.lamps:
        way = toward(lamp.azimuth_deg, max(lamp.elevation_deg, 15))
        slid = outline - way[:2] / way[2] * height
        if height > 0.02:
            share = lamp.strength * way[2] / max(float(flat_light(light).mean()), 1e-6)
            shade(picture, [np.concatenate([outline, slid])], view, 0.9 * share, blur_px=1.0)
    box = _window_of(
        view, np.concatenate([np.column_stack([ends[:, :2], np.full(4, z)]) for z in (0.0, height)]), picture.shape
    )
    if box is None:
        return
    x0, y0, x1, y1 = box
    colours = np.square(sprite.canvas[..., :3].astype(np.float32) / 255) * flat_light(light)
    cover = sprite.canvas[..., 3:].astype(np.float32) / 255
    whole = np.concatenate([colours * cover, cover], axis=2)
    side = whole.copy()
    side[..., :3] *= 0.55
    rise_px = float(
        np.linalg.norm(np.diff(view.pixels(np.array([[thing.x, thing.y, 0], [thing.x, thing.y, height]])), axis=0))
    )
    slices = int(np.clip(math.ceil(rise_px / _LAYERS_PX), 1, 24)) if height > 0.02 else 0
    for k in range(slices + 1):
        level = height * k / max(slices, 1)
        move = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1.0]]) @ view.table(level) @ into_table
        layer = cv2.warpPerspective(whole if k == slices else side, move, (x1 - x0, y1 - y0), flags=cv2.INTER_AREA)
        picture[y0:y1, x0:x1] = picture[y0:y1, x0:x1] * (1 - layer[..., 3:]) + layer[..., :3]


def _window_of(view: View, points: Matrix, shape: tuple[int, ...]) -> tuple[int, int, int, int] | None:
    """Pixels from (x0, y0) up to (x1, y1) that hold the points, inside the picture; None if there are none."""
    if min(view.depth(p) for p in points) < 0.5:
        return None
    pixels = view.pixels(points)
    x0, y0 = (max(math.floor(v) - 2, 0) for v in pixels.min(axis=0))
    x1, y1 = (min(math.ceil(v) + 3, m) for v, m in zip(pixels.max(axis=0), (shape[1], shape[0]), strict=True))
    return (x0, y0, x1, y1) if x1 > x0 and y1 > y0 else None


def _circle(thing: Thing, share: float = 1.0) -> Matrix:
    angles = np.linspace(0, 2 * math.pi, 20, endpoint=False)
    return np.array([thing.x, thing.y]) + thing.size / 2 * share * np.column_stack([np.cos(angles), np.sin(angles)])


def _draw_turned(picture: Floats, thing: Thing, view: View, light: Light) -> None:
    """A pawn, or a cup or bottle cap: discs upon discs."""
    rng = np.random.default_rng(thing.seed)
    colour = np.square(rng.uniform(0.08, 0.9, 3)).astype(np.float32)
    if thing.kind == "pawn":
        profile = [
            (0.0, 1.0),
            (0.25, 0.95),
            (0.4, 0.6),
            (1.1, 0.35),
            (1.25, 0.42),
            (1.4, 0.55),
            (1.65, 0.6),
            (1.9, 0.5),
            (2.05, 0.2),
        ]
    else:
        profile = [(0.0, 0.95), (float(rng.uniform(0.2, 1.4)), 1.0)]
    unit = thing.size / 2
    heights = np.linspace(0, profile[-1][0], 16)
    shares = np.interp(heights, [h for h, _ in profile], [s for _, s in profile])
    lamp = light.lamps[0] if light.lamps else None
    if lamp is not None:
        way = toward(lamp.azimuth_deg, max(lamp.elevation_deg, 15))
        hull = np.concatenate(
            [_circle(thing, s) - way[:2] / way[2] * h * unit for h, s in zip(heights, shares, strict=True)]
        )
        share = lamp.strength * way[2] / max(float(flat_light(light).mean()), 1e-6)
        shade(picture, [hull], view, 0.85 * share, blur_px=1.5)
    for k, (height, share) in enumerate(zip(heights, shares, strict=True)):
        ring = view.pixels(flat([(float(x), float(y)) for x, y in _circle(thing, float(share))], float(height * unit)))
        if view.depth(np.array([thing.x, thing.y, height * unit])) < 1:
            return
        bright = (0.35 + 0.5 * k / 15) if k < 15 else 1.0
        cv2.fillConvexPoly(
            picture, polygon(ring), [float(v) for v in colour * flat_light(light) * bright], cv2.LINE_AA, 4
        )
    if thing.kind == "cap" and rng.random() < 0.6:
        inner = view.pixels(flat([(float(x), float(y)) for x, y in _circle(thing, 0.8)], float(heights[-1] * unit)))
        shade_of = float(rng.uniform(0.1, 0.7))
        cv2.fillConvexPoly(
            picture, polygon(inner), [float(v) for v in colour * flat_light(light) * shade_of], cv2.LINE_AA, 4
        )


def _draw_cable(picture: Floats, thing: Thing, view: View, light: Light) -> None:
    rng = np.random.default_rng(thing.seed)
    ends = rng.normal(0, thing.size / 2, (4, 2))
    t = np.linspace(0, 1, 30)[:, None]
    curve = (1 - t) ** 3 * ends[0] + 3 * t * (1 - t) ** 2 * ends[1] + 3 * t * t * (1 - t) * ends[2] + t**3 * ends[3]
    angle = math.radians(thing.yaw_deg)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    points = flat([(float(x), float(y)) for x, y in curve @ turn.T + (thing.x, thing.y)], 0.2)
    if min(view.depth(p) for p in points) < 1:
        return
    thick = max(round(0.4 * view.lens[0, 0] / view.depth(points[15])), 1)
    colour = np.square(rng.choice(np.array([[0.1, 0.1, 0.1], [0.9, 0.9, 0.9], [0.2, 0.2, 0.6]]))) * flat_light(light)
    for level, width, tone in ((0.0, thick, 0.35), (0.2, thick, 1.0), (0.3, max(thick // 3, 1), 1.5)):
        line = view.pixels(np.column_stack([points[:, :2], np.full(len(points), level)]))
        cv2.polylines(picture, [polygon(line)], False, [float(v) for v in colour * tone], width, cv2.LINE_AA, 4)


_SKINS = ((0.55, 0.66, 0.86), (0.45, 0.56, 0.78), (0.32, 0.43, 0.64), (0.2, 0.28, 0.44), (0.62, 0.72, 0.93))
_HAND_STEP = 3  # pixels a cell that a hand is worked out at
_HAND_HEIGHT = 6.0  # centimetres above the table


def draw_hand(picture: Floats, owner: NDArray[np.uint8], hand: Thing, light: Light, view: View) -> None:
    """Fingers that reach along `yaw_deg` up to (x, y), with a shadow, in place; `owner` forgets what is hidden."""
    rng = np.random.default_rng(hand.seed)
    height, width = owner.shape
    tip, ahead = view.pixels(np.array([[hand.x, hand.y, _HAND_HEIGHT], [hand.x + 1, hand.y, _HAND_HEIGHT]]))
    unit = float(np.linalg.norm(ahead - tip))
    rows, columns = height // _HAND_STEP + 1, width // _HAND_STEP + 1
    x, y = np.meshgrid(
        np.arange(columns, dtype=np.float32) * _HAND_STEP, np.arange(rows, dtype=np.float32) * _HAND_STEP
    )
    bulge = np.zeros((rows, columns), np.float32)
    for start, end, thin, thick in _bones(hand, rng, tip, unit):
        bulge = np.maximum(bulge, _capsule(x, y, start, end, thin, thick))
    slope_x, slope_y = cv2.Sobel(bulge, cv2.CV_32F, 1, 0), cv2.Sobel(bulge, cv2.CV_32F, 0, 1)
    skin = np.square(np.array(_SKINS[int(rng.integers(0, len(_SKINS)))], np.float32) * float(rng.uniform(0.85, 1.1)))
    tone = np.clip(0.62 + 0.35 * bulge - 0.1 * slope_x - 0.14 * slope_y, 0.12, 1.2)
    cover = np.clip(bulge * 6, 0, 1)
    if light.lamps:
        away = -toward(light.lamps[0].azimuth_deg, light.lamps[0].elevation_deg)[:2]
        slide = (away[0] * 4 * unit / _HAND_STEP, -away[1] * 4 * unit / _HAND_STEP)
        fallen = cv2.warpAffine(
            cv2.GaussianBlur(cover, (0, 0), max(unit / _HAND_STEP, 0.5)),
            np.array([[1, 0, slide[0]], [0, 1, slide[1]]]),
            (columns, rows),
        )
        dark = cv2.resize(np.asarray(1 - 0.55 * fallen, np.float32), (width, height))
        picture *= dark[..., None]
    small = np.dstack([tone[..., None] * skin * flat_light(light), cover])
    large = cv2.resize(
        np.asarray(small, np.float32), (columns * _HAND_STEP, rows * _HAND_STEP), interpolation=cv2.INTER_LINEAR
    )[:height, :width]
    share = large[..., 3:]
    picture *= 1 - share
    picture += large[..., :3] * share
    owner[large[..., 3] > 0.5] = 0


def _bones(
    hand: Thing, rng: np.random.Generator, tip: Matrix, unit: float
) -> list[tuple[Matrix, Matrix, float, float]]:
    """A forearm, a palm and up to five fingers: start, end, and radius at both, in pixels."""
    angle = math.radians(hand.yaw_deg)
    ahead = np.array([math.cos(angle), -math.sin(angle)])
    aside = np.array([-ahead[1], ahead[0]])
    size = hand.size / 9 * unit
    palm = tip - ahead * 9 * size
    bones: list[tuple[Matrix, Matrix, float, float]] = [
        (palm - ahead * 40 * size, palm - ahead * 3 * size, 3.4 * size, 2.8 * size)
    ]
    bones += [
        (palm + aside * k * size - ahead * 3 * size, palm + aside * k * 1.3 * size, 2.0 * size, 1.7 * size)
        for k in (-2, 0, 2)
    ]
    for k in range(4):
        root = palm + aside * (k - 1.5) * 2.0 * size
        reach = rng.uniform(4.5, 9.0) if k else 8.5
        end = root + (ahead + aside * (k - 1.5) * rng.uniform(0.02, 0.22)) * reach * size
        bones.append((root, end, 0.95 * size, 0.7 * size))
    thumb = palm - aside * 3.2 * size - ahead * 2 * size
    bones.append((thumb, thumb + (ahead * 4 - aside * rng.uniform(0.5, 3)) * size, 1.1 * size, 0.85 * size))
    return bones


def _capsule(x: Floats, y: Floats, start: Matrix, end: Matrix, thick: float, thin: float) -> Floats:
    """A bone's height over the picture, 0–1: round across."""
    way = end - start
    along = np.clip(((x - start[0]) * way[0] + (y - start[1]) * way[1]) / max(float(way @ way), 1e-6), 0, 1)
    across = np.hypot(x - start[0] - along * way[0], y - start[1] - along * way[1])
    radius = thick + (thin - thick) * along
    return np.asarray(np.sqrt(np.clip(1 - (across / radius) ** 2, 0, 1)), np.float32)
