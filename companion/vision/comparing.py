"""How alike two faces of dice are, however they are turned and a little slanted.

A face is seen as rings of colour around its middle. Turning the die shifts every ring alike, so one correlation along
the rings compares a face with an example at all rotations at once. The middle is searched for near where a die was
found, since a slanted view puts a die's top beside its middle. From the best of these an example is laid over the face
and slanted until it fits; only then is it told how alike they are, since faces of one die often share most of their
ink.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Floats, Picture

Spectra: TypeAlias = NDArray[np.complexfloating[Any, Any]]

CROP = 1.6  # side of an example's picture, in widths of the die
DIE_PX = 48  # width of a die where faces are compared
_SIDE = round(CROP * DIE_PX)
_SMOOTH_PX = 0.8
_RIM = 4.0  # pixels of a normal picture around it: as far as smoothing reaches, and more
_RINGS, _ANGLES = 12, 64
_INNER, _OUTER = 0.06, 0.45  # of a die's width: the top's largest circle, less its rounded edge
_REACH, _STEP = 0.18, 0.09  # of a die's width: how far and how finely the middle is searched
AS_SEEN: Floats = np.eye(2)  # `level` of what is looked at from straight above
_HERE = ((0.0, 0.0),)
_FACE = 0.42  # of a die's width: radius of the circle that is compared closely; beyond it a slanted view shows sides
_EDGE = 0.5  # the same of a face without ink, of which only its edges tell
_BLANK = 20.0  # grey levels (standard deviation) below which a face has no ink
_ROUNDS = (3, 25, 1e-3)  # cv2.TERM_CRITERIA_COUNT + EPS; ECC converges in about ten rounds, or never
_ECC_FILTER = 3
_LARGEST = 1.35  # times larger or smaller than the example, one way: beyond, it was not the die that was fitted
_PLAIN = 6.0  # grey levels of contrast below which a face is plain, and noise must not become a pattern


class Turn(NamedTuple):
    """An example's way to what is seen: moved by pixels of a normal picture, then turned, in radians."""

    dx: float
    dy: float
    angle: float


def framed(picture: Picture, place: tuple[float, float], width_px: float, level: Floats = AS_SEEN) -> Picture:
    """A normal picture: the die at `place`, its width DIE_PX, in a square of CROP widths.

    `level`: 2 × 2, from pixels to pixels as seen from straight above.
    """
    scale = DIE_PX / width_px
    at = (_SIDE - 1) / 2
    if scale < 0.7:
        wide = float(np.linalg.norm(np.linalg.inv(level), np.inf))
        picture, place = _around(picture, place, wide * (at + _RIM) / scale)
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.4 / scale), np.uint8)
    move = np.column_stack([scale * level, at - scale * level @ np.array(place)])
    return np.asarray(cv2.warpAffine(picture, move, (_SIDE, _SIDE), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _around(picture: Picture, place: tuple[float, float], reach_px: float) -> tuple[Picture, tuple[float, float]]:
    """What lies so near to a place, and where the place is in it."""
    x, y = round(place[0]), round(place[1])
    reach = math.ceil(reach_px)
    part = cv2.getRectSubPix(picture, (2 * reach + 1, 2 * reach + 1), (x, y))
    return np.asarray(part, np.uint8), (place[0] - x + reach, place[1] - y + reach)


# --- at every turn at once --------------------------------------------------------------------------------------------


def compare(normal: Picture, known: Spectra) -> tuple[Floats, list[Turn]]:
    """For each example: its correlation at the best offset and turn, and those. `known`: the examples' spectra."""
    steps = np.arange(-_REACH, _REACH + _STEP / 2, _STEP) * DIE_PX
    offsets = tuple((float(x), float(y)) for x in steps for y in steps)
    seen, shown = (one.reshape(len(one), -1, one.shape[-1]) for one in (spectra(normal, offsets), known.conj()))
    cross = shown.transpose(2, 0, 1) @ seen.transpose(2, 1, 0)  # frequencies × examples × offsets
    scores = np.fft.irfft(cross.transpose(1, 2, 0), _ANGLES).reshape(len(known), -1)
    best = np.argmax(scores, axis=1)
    turns = [Turn(*offsets[int(i) // _ANGLES], 2 * math.pi * (int(i) % _ANGLES) / _ANGLES) for i in best]
    return np.asarray(scores.max(axis=1)), turns


def spectra(normal: Picture, offsets: Sequence[tuple[float, float]] = _HERE) -> Spectra:
    """Offsets × rings × colours × frequencies; of unit strength, so that a product is a correlation."""
    columns, rows, weight = _rings()
    middle = (normal.shape[0] - 1) / 2
    x = np.concatenate([columns + middle + dx for dx, _ in offsets]).astype(np.float32)
    y = np.concatenate([rows + middle + dy for _, dy in offsets]).astype(np.float32)
    smooth = cv2.GaussianBlur(normal, (0, 0), _SMOOTH_PX)
    seen = cv2.remap(smooth, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    rings = np.asarray(seen, np.float32).reshape(len(offsets), _RINGS, _ANGLES, 3)
    share = weight[None, :, None, None]
    mean = (rings * share).sum(axis=(1, 2), keepdims=True) / (share.sum() * _ANGLES)
    weighed = np.asarray((rings - mean) * np.sqrt(share))
    strength = np.sqrt((weighed**2).sum(axis=(1, 2, 3), keepdims=True))
    even = weighed / np.maximum(strength, _PLAIN * np.sqrt(3 * _ANGLES))
    return np.asarray(np.fft.rfft(np.moveaxis(even, 3, 2), axis=3))


@lru_cache(maxsize=1)
def _rings() -> tuple[Floats, Floats, Floats]:
    """Columns and rows (rings × angles) around a middle, and each ring's weight: its area."""
    radii = np.linspace(_INNER, _OUTER, _RINGS) * DIE_PX
    angles = np.arange(_ANGLES) * 2 * np.pi / _ANGLES
    weight = radii / radii.sum()
    return np.outer(radii, np.cos(angles)), np.outer(radii, np.sin(angles)), np.asarray(weight, np.float32)


# --- one laid over the other ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """A face as it is compared closely: in colour, and its brightness alone for finding how it lies.

    `disc`: non-zero where it is compared as an example; on a plain face that is as far as its edges.
    """

    colours: Floats
    grey: Floats
    disc: Picture

    @classmethod
    def of(cls, normal: Picture) -> Face:
        smooth = cv2.GaussianBlur(normal.astype(np.float32), (0, 0), _SMOOTH_PX)
        grey = np.asarray(cv2.cvtColor(smooth, cv2.COLOR_BGR2GRAY), np.float32)
        plain = float(grey[_disc(_FACE) > 0].std()) < _BLANK
        return cls(np.asarray(smooth), grey, _disc(_EDGE if plain else _FACE))


@dataclass(frozen=True, slots=True)
class Fit:
    """Correlation; how much narrower it is seen one way than the other; its middle, in pixels from the picture's."""

    score: float
    squeeze: float
    middle: tuple[float, float]


def laid_over(known: Face, seen: Face, turn: Turn) -> Fit:
    """An example moved, turned and slanted until it fits best (ECC, Evangelidis and Psarakis 2008)."""
    at = (_SIDE - 1) / 2
    cos, sin = math.cos(turn.angle), math.sin(turn.angle)
    start = np.array(
        [[cos, -sin, turn.dx + at * (1 - cos + sin)], [sin, cos, turn.dy + at * (1 - sin - cos)]], np.float32
    )
    fits = [_fit(known, seen, start)]
    try:
        _, better = cv2.findTransformECC(
            known.grey, seen.grey, start.copy(), cv2.MOTION_AFFINE, _ROUNDS, known.disc, _ECC_FILTER
        )
        fits.append(_fit(known, seen, np.asarray(better, np.float32)))
    except cv2.error:  # it does not fit at all, or one of the two is plain
        pass
    return max(fits, key=lambda fit: fit.score)


def _fit(known: Face, seen: Face, move: Floats) -> Fit:
    """The correlation inside the example's circle once `move` (2 × 3, from its pixels to those seen) is undone."""
    wide, narrow = np.linalg.svd(move[:, :2])[1]
    if wide > _LARGEST or narrow < 1 / _LARGEST:
        return Fit(0.0, 1.0, (0.0, 0.0))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    back = cv2.warpAffine(seen.colours, move, (_SIDE, _SIDE), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    inside = known.disc > 0
    one, two = known.colours[inside], np.asarray(back)[inside]
    one, two = one - one.mean(axis=0), two - two.mean(axis=0)
    least = _PLAIN * math.sqrt(one.size)
    strength = max(float(np.linalg.norm(one)), least) * max(float(np.linalg.norm(two)), least)
    at = (_SIDE - 1) / 2
    x, y = move @ (at, at, 1.0) - at
    return Fit(float((one * two).sum()) / strength, float(narrow / wide), (float(x), float(y)))


@lru_cache(maxsize=2)
def _disc(radius: float) -> Picture:
    ticks = np.arange(_SIDE) - (_SIDE - 1) / 2
    return np.asarray(np.hypot(ticks[None, :], ticks[:, None]) < radius * DIE_PX, np.uint8)
