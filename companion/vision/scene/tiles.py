"""Patterns of grounds, as small tiles that repeat without a seam: where each colour goes, and how rough it is."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Floats

SIDE = 512  # texels of a whole tile
TONE = 0.25  # shares of full roughness that one sigma of `tone` is drawn with
Tile: TypeAlias = NDArray[np.uint8]  # SIDE × SIDE × 2: place in the palette, and tone (128 is even)
_Made: TypeAlias = tuple[Floats, Floats]
_Maker: TypeAlias = Callable[[np.random.Generator], _Made]


@lru_cache(maxsize=320)
def tile(kind: str, seed: int, level: int) -> Tile:
    """The tile of a kind of ground, halved `level` times. Kept, since making one takes some 20 ms."""
    if level:
        whole = tile(kind, seed, level - 1)
        return np.asarray(cv2.resize(whole, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    if kind not in KINDS:
        raise ValueError(f"no ground is called {kind!r}; there are {', '.join(sorted(KINDS))}")
    mix, tone = KINDS[kind](np.random.default_rng(seed))
    return np.dstack([np.clip(mix, 0, 1) * 255, np.clip(128 + tone * 127 * TONE, 0, 255)]).astype(np.uint8)


def _cloud(rng: np.random.Generator, shortest: float, longest: float, *, along: float = 1.0) -> Floats:
    """Seamless noise, mean 0, sigma 1, of waves between two lengths in texels; stretched in x by 1 / `along`."""
    waves = np.fft.rfft2(rng.standard_normal((SIDE, SIDE), np.float32))
    fx, fy = np.fft.rfftfreq(SIDE)[None, :] / along, np.fft.fftfreq(SIDE)[:, None]
    size = np.sqrt(fx * fx + fy * fy)
    waves *= np.exp(-((size * shortest) ** 2)) * (1 - np.exp(-((size * longest) ** 2)))
    field = np.fft.irfft2(waves, (SIDE, SIDE)).astype(np.float32)
    return np.asarray(field / max(float(field.std()), 1e-6), np.float32)


def _grid() -> tuple[Floats, Floats]:
    ticks = np.arange(SIDE, dtype=np.float32) / SIDE
    return np.tile(ticks, (SIDE, 1)), np.tile(ticks[:, None], (1, SIDE))


def _wave(turns: Floats) -> Floats:
    return np.asarray(np.sin(turns * np.float32(2 * np.pi)), np.float32)


def _plain(rng: np.random.Generator) -> _Made:
    return 0.5 + 0.2 * _cloud(rng, 60, 400), 0.4 * _cloud(rng, 1.5, 6) + 0.3 * _cloud(rng, 30, 200)


def _felt(rng: np.random.Generator) -> _Made:
    return 0.5 + 0.18 * _cloud(rng, 20, 200), 0.8 * _cloud(rng, 2, 12) + 0.3 * _cloud(rng, 12, 60)


def _leather(rng: np.random.Generator) -> _Made:
    cells = _cloud(rng, 5, 14)
    return 0.5 + 0.15 * _cloud(rng, 40, 300), 1.2 * np.tanh(1.5 * cells) - 0.8 * (np.abs(cells) < 0.15)


def _carpet(rng: np.random.Generator) -> _Made:
    curls = np.abs(_cloud(rng, 7, 22))
    return 0.45 + 0.25 * _cloud(rng, 10, 40), 1.8 * (curls - 0.8) + 0.5 * _cloud(rng, 2, 6)


def _shag(rng: np.random.Generator) -> _Made:
    threads = _cloud(rng, 2, 10, along=0.4)
    return 0.5 + 0.5 * _cloud(rng, 5, 18), 1.6 * threads


def _weave(rng: np.random.Generator) -> _Made:
    count = float(rng.integers(20, 60))
    x, y = _grid()
    bend = 0.12 * _cloud(rng, 12, 60)
    warp, weft = _wave(x * count + bend), _wave(y * count + 0.12 * _cloud(rng, 12, 60))
    over = np.tanh(4 * warp * weft)
    return 0.5 + 0.5 * over + 0.15 * _cloud(rng, 3, 10), 0.7 * np.abs(warp) + 0.7 * np.abs(weft) - 0.8


def _knit(rng: np.random.Generator) -> _Made:
    x, y = _grid()
    count = float(rng.integers(16, 40))
    rows = np.floor(y * count)
    dashes = _wave(x * count + rows * 0.5 + 0.2 * _cloud(rng, 8, 40)) + 0.6 * _wave(y * count)
    return 0.5 + 0.9 * dashes + 0.25 * _cloud(rng, 3, 10), 0.8 * dashes + 0.5 * _cloud(rng, 1.5, 5)


def _wood(rng: np.random.Generator) -> _Made:
    """Year rings, cut lengthwise, and fine fibres and pores along them."""
    rings = _cloud(rng, 30, 200, along=0.3)
    lines = _wave(float(rng.uniform(0.4, 1.1)) * rings + 0.06 * _cloud(rng, 6, 40, along=0.2))
    fibres = _cloud(rng, 2, 16, along=0.04)
    pores = _cloud(rng, 1.2, 5, along=0.1)
    mix = 0.5 + 0.2 * lines + 0.16 * fibres + 0.1 * _cloud(rng, 60, 300, along=0.5)
    return mix, 0.7 * fibres + 0.5 * lines - 1.2 * np.clip(pores - 1.4, 0, 2)


def _planks(rng: np.random.Generator) -> _Made:
    mix, tone = _wood(rng)
    count = int(rng.integers(2, 5))
    _, y = _grid()
    shades = rng.normal(0, 0.16, count).astype(np.float32)
    board = np.minimum((y * count).astype(int), count - 1)
    seam = np.abs(y * count - np.round(y * count)) < 0.008 * count
    return mix + shades[board], np.where(seam, -3.0, tone).astype(np.float32)


def _stone(rng: np.random.Generator) -> _Made:
    veins = np.abs(_cloud(rng, 10, 120))
    return 0.3 + 0.35 * veins + 0.1 * _cloud(rng, 3, 20), 0.5 * _cloud(rng, 1.5, 6)


def _granite(rng: np.random.Generator) -> _Made:
    return 0.5 + 0.45 * _cloud(rng, 3, 9), 0.9 * _cloud(rng, 1.5, 5)


def _stripes(rng: np.random.Generator) -> _Made:
    x, y = _grid()
    count = float(rng.integers(3, 14))
    step = np.tanh(8 * _wave(x * count + 0.25 + 0.02 * _cloud(rng, 30, 100)))
    return 0.5 + 0.5 * step, 0.5 * _wave(y * 80) + 0.5 * _cloud(rng, 1.5, 6)


def _checks(rng: np.random.Generator) -> _Made:
    x, y = _grid()
    count = float(rng.integers(4, 14))
    a, b = np.tanh(8 * _wave(x * count + 0.25)), np.tanh(8 * _wave(y * count + 0.25))
    mix = 0.5 + 0.25 * (a + b) if rng.random() < 0.6 else 0.5 + 0.5 * a * b
    return mix.astype(np.float32), 0.6 * _cloud(rng, 1.5, 5)


def _spots(rng: np.random.Generator) -> _Made:
    """Polka dots: round like pips, and no pips."""
    x, y = _grid()
    count = int(rng.integers(6, 20))
    row = np.floor(y * count)
    a = (x * count + 0.5 * (row % 2)) % 1 - 0.5
    b = (y * count) % 1 - 0.5
    radius = float(rng.uniform(0.14, 0.32))
    return np.clip((radius - np.hypot(a, b)) * 25 + 0.5, 0, 1).astype(np.float32), 0.5 * _cloud(rng, 1.5, 6)


def _scatter(rng: np.random.Generator) -> _Made:
    """Random dots, petals and crumbs of many sizes."""
    canvas = np.zeros((SIDE, SIDE), np.uint8)
    for _ in range(int(rng.integers(40, 200))):
        x, y = (int(v) for v in rng.integers(0, SIDE, 2))
        a, b = (int(v) for v in rng.integers(2, 16, 2))
        cv2.ellipse(
            canvas, (x, y), (a, b), float(rng.uniform(0, 180)), 0, 360, int(rng.integers(60, 255)), -1, cv2.LINE_AA
        )
    return canvas.astype(np.float32) / 255, 0.5 * _cloud(rng, 1.5, 6)


def _playmat(rng: np.random.Generator) -> _Made:
    bend = _cloud(rng, 50, 300)
    return 0.5 + 0.3 * _wave(0.3 * bend + 0.4 * _cloud(rng, 20, 150)) + 0.15 * _cloud(rng, 5, 60), 0.3 * _cloud(
        rng, 1.5, 5
    )


def _print(rng: np.random.Generator) -> _Made:
    """Lines of text on paper."""
    canvas = np.zeros((SIDE, SIDE), np.uint8)
    letters = "abcdefghijklmnopqrstuvwxyz    0123456789.,:o8"
    step = int(rng.integers(18, 44))
    for y in range(step, SIDE, step):
        text = "".join(letters[i] for i in rng.integers(0, len(letters), 90))
        cv2.putText(canvas, text, (4, y), cv2.FONT_HERSHEY_SIMPLEX, step / 40, 255, 1 + step // 24, cv2.LINE_AA)
    return canvas.astype(np.float32) / 255, 0.3 * _cloud(rng, 1.5, 6)


def _holes(rng: np.random.Generator) -> _Made:
    """Perforated metal: dark holes in a shiny sheet."""
    mix, tone = _spots(rng)
    return mix, np.where(mix > 0.5, -1.5, 0.4 * tone + 0.5 * _cloud(rng, 2, 20, along=0.05)).astype(np.float32)


def _herringbone(rng: np.random.Generator) -> _Made:
    x, y = _grid()
    count = float(rng.integers(10, 30))
    fold = np.abs((x * count / 4) % 1 - 0.5) * 4
    return 0.5 + 0.6 * _wave(y * count + fold) + 0.15 * _cloud(rng, 2, 8), 0.7 * _cloud(rng, 1.5, 6)


KINDS: dict[str, _Maker] = {
    "plain": _plain,
    "felt": _felt,
    "leather": _leather,
    "carpet": _carpet,
    "shag": _shag,
    "weave": _weave,
    "knit": _knit,
    "wood": _wood,
    "planks": _planks,
    "stone": _stone,
    "granite": _granite,
    "stripes": _stripes,
    "checks": _checks,
    "spots": _spots,
    "scatter": _scatter,
    "playmat": _playmat,
    "print": _print,
    "holes": _holes,
    "herringbone": _herringbone,
}
