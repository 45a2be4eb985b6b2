"""Flat things from above: cards, coins, dominoes, buttons, each with its own marks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.scene.faces import PIPS

_Canvas: TypeAlias = NDArray[np.uint8]  # rows × columns × 4: blue, green, red, cover

_Ink: TypeAlias = tuple[int, int, int, int]

_TEXELS = 160  # of a sprite's longer side


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A thing from above. `height`: share of its longer side."""

    canvas: _Canvas
    height: float

    def outline(self) -> NDArray[np.float64]:
        """N × 2: the hull of what is not clear, in texels."""
        rows, columns = np.nonzero(self.canvas[..., 3] > 127)
        return np.asarray(cv2.convexHull(np.stack([columns, rows], axis=1).astype(np.int32)).reshape(-1, 2), np.float64)


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
    pale = rng.random() < 0.5
    body, ink = (_ink(225, 235, 238), _any(rng, 0, 60)) if pale else (_any(rng, 5, 60), _ink(235, 235, 235))
    side = _TEXELS // 2
    canvas = _slab(_TEXELS, side, body, 8)
    cv2.line(canvas, (10, side), (side - 10, side), ink, 2)
    for top in (0, side):
        value = str(rng.integers(0, 7))
        for u, v in PIPS.get(value, ()):
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
    return Sprite(canvas, 0.0)


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


FLAT: dict[str, Callable[[np.random.Generator], Sprite]] = {
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


@lru_cache(maxsize=128)
def sprite_of(kind: str, seed: int) -> Sprite:
    return FLAT[kind](np.random.default_rng(seed))
