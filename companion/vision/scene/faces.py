"""What is on a die's faces: pips where they belong, numerals, letters, icons; drawn once a die into a small atlas."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np

from companion.ports import Floats
from companion.vision.scene.geometry import face_frames
from companion.vision.scene.model import Colour, Look, Point

# Places of the pips, in units of the face's spreads.
PIPS: dict[str, tuple[Point, ...]] = {
    "1": ((0, 0),),
    "2": ((-1, -1), (1, 1)),
    "3": ((-1, -1), (0, 0), (1, 1)),
    "4": ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    "5": ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    "6": ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
_TURNING = {"2": 0, "3": 1, "6": 2}
_BITS = 4  # fractional bits of OpenCV's drawing


def pip_places(look: Look, face: str) -> tuple[Point, ...]:
    """Centres of the pips on a face, (u, v) as shares of the edge from the face's middle; none without pips."""
    if face not in PIPS:
        return ()
    turned = face in _TURNING and look.turns[_TURNING[face]]
    return laid(face, look.spreads[int(face) - 1], turned=turned)


def laid(face: str, spreads: Point, *, turned: bool) -> tuple[Point, ...]:
    """The pips of one face, its outer ones so far from its middle along both sides, at times turned by a quarter."""
    across, along = spreads
    places = tuple((u * across, v * along) for u, v in PIPS[face])
    return tuple((-v, u) for u, v in places) if turned else places


@lru_cache(maxsize=8)
def atlas(look: Look, side: int) -> tuple[Floats, Floats]:
    """The six faces in a row, `side` pixels each: colours (side × 6·side × 3, linear), and slope u, slope v, ink."""
    ink = np.concatenate([_ink(look, face, side) for face in look.faces], axis=1)
    soft = cv2.GaussianBlur(ink, (0, 0), max(side * 0.012, 0.3))
    depth = cv2.GaussianBlur(ink, (0, 0), max(side * look.pip_radius * 0.35, 0.5))
    slope = look.dent * side * look.pip_radius
    relief = np.dstack(
        [
            cv2.Sobel(depth, cv2.CV_32F, 1, 0, scale=slope / 8),
            cv2.Sobel(depth, cv2.CV_32F, 0, 1, scale=slope / 8),
            soft,
        ]
    )
    paint = np.empty((side, 6 * side, 3), np.float32)
    for index, face in enumerate(look.faces):
        paint[:, index * side : (index + 1) * side] = _linear(_pip_colour(look, face))
    body = _body(look, side)
    return body + soft[..., None] * (paint - body), relief.astype(np.float32)


def _pip_colour(look: Look, face: str) -> Colour:
    return look.one if face == "1" and look.one is not None else look.pips


def _linear(colour: Colour) -> Floats:
    return np.square(np.array(colour, np.float32))


def _ink(look: Look, face: str, side: int) -> Floats:
    """Where a face is painted, 0–1."""
    if face in PIPS:
        radius = look.one_radius if face == "1" else look.pip_radius
        return _dots(pip_places(look, face), radius, side)
    kind, _, sign = face.partition(" ")
    if kind in ("digit", "letter"):
        return _text(sign, side)
    return _icon(kind, side)


def _dots(places: tuple[Point, ...], radius: float, side: int) -> Floats:
    canvas = np.zeros((side, side), np.uint8)
    unit = side * (1 << _BITS)
    for u, v in places:
        middle = (round((0.5 + u) * unit - (1 << _BITS) / 2), round((0.5 + v) * unit - (1 << _BITS) / 2))
        cv2.circle(canvas, middle, round(radius * unit), 255, cv2.FILLED, cv2.LINE_AA, _BITS)
    return canvas.astype(np.float32) / 255


@lru_cache(maxsize=256)
def _text(sign: str, side: int) -> Floats:
    canvas = np.zeros((64, 64), np.uint8)
    fonts = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_DUPLEX)
    font = fonts[(ord(sign[0]) * 7) % len(fonts)]
    (width, height), _ = cv2.getTextSize(sign, font, 1.5, 4)
    cv2.putText(canvas, sign, ((64 - width) // 2, (64 + height) // 2), font, 1.5, 255, 4, cv2.LINE_AA)
    # v runs up on a face, rows run down in a picture
    return cv2.resize(canvas[::-1], (side, side), interpolation=cv2.INTER_AREA).astype(np.float32) / 255


@lru_cache(maxsize=256)
def _icon(kind: str, side: int) -> Floats:
    if kind not in ICONS:
        raise ValueError(
            f"no die face is called {kind!r}; there are 1–6, digit N, letter N, {', '.join(sorted(ICONS))}"
        )
    canvas = np.zeros((96, 96), np.uint8)
    ICONS[kind](canvas)
    return cv2.resize(canvas[::-1], (side, side), interpolation=cv2.INTER_AREA).astype(np.float32) / 255


def _polygon(canvas: cv2.typing.MatLike, points: list[Point]) -> None:
    cv2.fillPoly(canvas, [np.round(np.array(points) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)


def _star(canvas: cv2.typing.MatLike) -> None:
    spikes = [(34 if i % 2 == 0 else 14, math.pi * i / 5) for i in range(10)]
    _polygon(canvas, [(48 + r * math.sin(a), 48 - r * math.cos(a)) for r, a in spikes])


def _down(canvas: cv2.typing.MatLike) -> None:
    _polygon(canvas, [(38, 14), (58, 14), (58, 46), (76, 46), (48, 82), (20, 46), (38, 46)])


def _up(canvas: cv2.typing.MatLike) -> None:
    """Upside down it must not be the other arrow: it stands on a bar, and a die has no upside."""
    _polygon(canvas, [(48, 8), (76, 42), (58, 42), (58, 66), (38, 66), (38, 42), (20, 42)])
    _polygon(canvas, [(20, 74), (76, 74), (76, 88), (20, 88)])


def _swap(canvas: cv2.typing.MatLike) -> None:
    _polygon(canvas, [(14, 24), (58, 24), (58, 12), (84, 32), (58, 52), (58, 40), (14, 40)])
    canvas[:] = np.maximum(canvas, canvas[::-1, ::-1])


def _cross(canvas: cv2.typing.MatLike) -> None:
    cv2.line(canvas, (24, 24), (72, 72), 255, 11, cv2.LINE_AA)
    cv2.line(canvas, (72, 24), (24, 72), 255, 11, cv2.LINE_AA)


def _plus(canvas: cv2.typing.MatLike) -> None:
    cv2.line(canvas, (48, 18), (48, 78), 255, 13, cv2.LINE_AA)
    cv2.line(canvas, (18, 48), (78, 48), 255, 13, cv2.LINE_AA)


def _minus(canvas: cv2.typing.MatLike) -> None:
    cv2.line(canvas, (18, 48), (78, 48), 255, 13, cv2.LINE_AA)


def _heart(canvas: cv2.typing.MatLike) -> None:
    cv2.circle(canvas, (35, 38), 15, 255, cv2.FILLED, cv2.LINE_AA)
    cv2.circle(canvas, (61, 38), 15, 255, cv2.FILLED, cv2.LINE_AA)
    _polygon(canvas, [(22, 46), (74, 46), (48, 78)])


def _ring(canvas: cv2.typing.MatLike) -> None:
    cv2.circle(canvas, (48, 48), 27, 255, 8, cv2.LINE_AA)


def _frame(canvas: cv2.typing.MatLike) -> None:
    cv2.rectangle(canvas, (14, 14), (82, 82), 255, 5, cv2.LINE_AA)
    cv2.circle(canvas, (48, 48), 12, 255, 4, cv2.LINE_AA)


def _skull(canvas: cv2.typing.MatLike) -> None:
    cv2.circle(canvas, (48, 42), 26, 255, cv2.FILLED, cv2.LINE_AA)
    cv2.rectangle(canvas, (36, 60), (60, 80), 255, cv2.FILLED)
    cv2.circle(canvas, (38, 42), 7, 0, cv2.FILLED, cv2.LINE_AA)
    cv2.circle(canvas, (58, 42), 7, 0, cv2.FILLED, cv2.LINE_AA)


def _bolt(canvas: cv2.typing.MatLike) -> None:
    _polygon(canvas, [(56, 10), (26, 54), (46, 54), (38, 86), (70, 40), (50, 40)])


def _diamond(canvas: cv2.typing.MatLike) -> None:
    _polygon(canvas, [(48, 12), (72, 48), (48, 84), (24, 48)])


def _triangle(canvas: cv2.typing.MatLike) -> None:
    _polygon(canvas, [(48, 16), (80, 76), (16, 76)])


def _moon(canvas: cv2.typing.MatLike) -> None:
    cv2.circle(canvas, (48, 48), 28, 255, cv2.FILLED, cv2.LINE_AA)
    cv2.circle(canvas, (60, 42), 23, 0, cv2.FILLED, cv2.LINE_AA)


def _squares(canvas: cv2.typing.MatLike) -> None:
    for x, y in ((20, 20), (54, 20), (20, 54), (54, 54)):
        cv2.rectangle(canvas, (x, y), (x + 22, y + 22), 255, cv2.FILLED)


def _paw(canvas: cv2.typing.MatLike) -> None:
    cv2.ellipse(canvas, (48, 62), (20, 16), 0, 0, 360, 255, cv2.FILLED, cv2.LINE_AA)
    for x, y in ((22, 42), (38, 26), (58, 26), (74, 42)):
        cv2.ellipse(canvas, (x, y), (8, 11), 0, 0, 360, 255, cv2.FILLED, cv2.LINE_AA)


ICONS: dict[str, Callable[[cv2.typing.MatLike], None]] = {
    "blank": lambda canvas: None,
    "star": _star,
    "lowest": _down,
    "highest": _up,
    "swap": _swap,
    "cross": _cross,
    "plus": _plus,
    "minus": _minus,
    "heart": _heart,
    "ring": _ring,
    "frame": _frame,
    "skull": _skull,
    "bolt": _bolt,
    "diamond": _diamond,
    "triangle": _triangle,
    "moon": _moon,
    "squares": _squares,
    "paw": _paw,
}

_COARSE = 24  # texels a face at which marbling is worked out; it has no finer detail


def _body(look: Look, side: int) -> Floats:
    """The body's own colours over the six faces, linear."""
    if look.pattern == "solid":
        return np.broadcast_to(_linear(look.body), (side, 6 * side, 3)).astype(np.float32)
    share = cv2.resize(_mix(look, _COARSE), (6 * side, side), interpolation=cv2.INTER_LINEAR)[..., None]
    first, second = _linear(look.body), _linear(look.second)
    return (first + share * (second - first)).astype(np.float32)


def _mix(look: Look, side: int) -> Floats:
    """Share of the second colour at each texel, continuous across edges: waves in space, bent by other waves."""
    rng = np.random.default_rng(look.seed)
    ticks = (np.arange(side, dtype=np.float32) + 0.5) * 2 / side - 1
    u, v = np.tile(ticks, side), np.repeat(ticks, side)
    frames = face_frames(look).astype(np.float32)
    places = np.concatenate([f[0] + u[:, None] * f[1] + v[:, None] * f[2] for f in frames])
    bend = np.sin(places @ rng.normal(0, 2.2, (3, 3)).astype(np.float32) + rng.uniform(0, 6.28, 3))
    way = rng.normal(0, 1, 3)
    way /= np.linalg.norm(way)
    if look.pattern == "halves":
        value = 0.5 + 4 * (places @ way + 0.25 * bend[:, 0])
    elif look.pattern == "swirl":
        value = 0.5 + 1.6 * np.sin(2.2 * places @ way + 1.6 * bend[:, 0] + 0.9 * bend[:, 1])
    elif look.pattern == "speckle":
        value = (rng.random(len(places)) < 0.12).astype(np.float32)
    else:
        fine = np.sin(places @ rng.normal(0, 5, (3, 3)) + 2 * bend)
        value = 0.5 + 0.35 * bend[:, 0] + 0.3 * fine[:, 1] + 0.2 * fine[:, 2]
    grid = np.clip(value, 0, 1).astype(np.float32).reshape(6, side, side)
    return np.concatenate(list(grid), axis=1)
