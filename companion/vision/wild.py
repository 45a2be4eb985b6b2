"""The Wild die: faces that were shown a few times are known again, at any rotation, or are not sure.

A face is seen as rings of colour around its middle. Turning the die shifts every ring alike, so one correlation along
the rings compares a face with an example at all rotations at once. The middle is searched for near where a die was
found, since a slanted view puts a die's top beside its middle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Picture

Floats: TypeAlias = NDArray[np.floating[Any]]
Spectra: TypeAlias = NDArray[np.complexfloating[Any, Any]]

NUMBER = "number"  # an example that is no face of the Wild die
CROP = 1.6  # side of an example's picture, in widths of the die
_DIE_PX = 48  # width of a die where faces are compared
_RINGS, _ANGLES = 20, 96
_INNER, _OUTER = 0.06, 0.45  # of a die's width: the top's largest circle, less its rounded edge
_REACH, _STEP = 0.18, 0.06  # of a die's width: how far and how finely the middle is searched
_SCALES = (0.92, 1.0, 1.09)  # dice far away look smaller
_LEAST = 0.62  # correlation from which on a face can be the one
_SLACK = 0.06  # below the least alike examples of one face
_MARGIN = 0.04  # by which it must be better than every other face
_CLOSER = 0.6  # of the best other face's distance from a perfect likeness, at most
_RIVAL = 0.10  # two dice whose likeness differs by less could each be the Wild die
_FOREGROUND = 22.0  # colour distance (Lab) from the empty tray
_COVERED = 0.55  # share of a die's square that must not look like the empty tray
_APART = 0.75  # widths between two dice, at least


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """An example: `face`, and a square picture with the die's middle in its middle. `width`: the die's, in pixels."""

    face: str
    picture: Picture
    width: float


@dataclass(frozen=True, slots=True)
class Wild:
    """A die that is or may be the Wild die. `face`: None where it is not sure.

    `box`: x, y, w, h in pixels. `confidence`: 0-1.
    """

    face: str | None
    box: tuple[float, float, float, float]
    confidence: float


@dataclass(frozen=True, slots=True)
class Likeness:
    """How a die looks most: `face`, its correlation, that of the best other face, and where the middle was found."""

    face: str
    score: float
    second: float
    middle: tuple[float, float]

    @property
    def sure(self) -> bool:
        close = (1 - self.score) <= _CLOSER * (1 - self.second)
        return self.score >= _LEAST and close and self.score - self.second >= _MARGIN

    @property
    def confidence(self) -> float:
        """0-1: how far it is beyond what could be another face, and above what nothing shown looks like."""
        distance, other = 1 - self.score, max(1 - self.second, 1e-3)
        return round(float(np.clip(1 - distance / other / 2, 0, 1) * np.clip(self.score / _LEAST, 0, 1)), 3)


class WildReader:
    """Knows the faces it was shown. `width_px`: of a die in the pictures to be read; the examples' where it is None.

    `empty`: the picture of the empty tray; without it the ground must be of one colour.
    """

    def __init__(
        self,
        examples: Sequence[Shown],
        *,
        width_px: float | None = None,
        empty: Picture | None = None,
        mask: Picture | None = None,
        least: float = _LEAST,
    ) -> None:
        """`least`: see `least_likeness`. Raises ValueError without examples."""
        if not examples:
            raise ValueError("no face of the Wild die was ever shown; run companion calibrate wild")
        self._width = width_px or float(np.median([shown.width for shown in examples]))
        self._faces = tuple(shown.face for shown in examples)
        self._known = np.stack([_example(shown) for shown in examples])
        self._empty = empty
        self._mask = mask
        self._least = least

    def read(self, picture: Picture) -> Wild | None:
        """The Wild die in a picture; None where there is none. Two that could be it are both not sure."""
        found = [self.like(picture, place) for place in self.places(picture)]
        wild = [like for like in found if like.face != NUMBER and (like.score >= _LEAST or NUMBER not in self._faces)]
        if not wild:
            return None
        best = max(wild, key=lambda like: like.score)
        rivals = [like for like in wild if like is not best and like.score > best.score - _RIVAL]
        sure = best.sure and best.score >= self._least and not rivals
        return Wild(best.face if sure else None, _box(best.middle, self._width), best.confidence if sure else 0.0)

    @property
    def empty(self) -> Picture | None:
        return self._empty

    def places(self, picture: Picture) -> list[tuple[float, float]]:
        """Middles of everything as large as a die."""
        return places(picture, self._width, empty=self._empty, mask=self._mask)

    def like(self, picture: Picture, place: tuple[float, float]) -> Likeness:
        """What the die at this place looks like."""
        scores, offsets = _compare(_normal(picture, place, self._width), self._known)
        best = scores.max(axis=0)
        winner = int(np.argmax(best))
        others = [score for score, face in zip(best, self._faces, strict=True) if face != self._faces[winner]]
        dx, dy = offsets[int(np.argmax(scores[:, winner]))]
        middle = (place[0] + dx * self._width / _DIE_PX, place[1] + dy * self._width / _DIE_PX)
        return Likeness(self._faces[winner], float(best[winner]), float(max(others, default=0.0)), middle)


def places(
    picture: Picture, width_px: float, *, empty: Picture | None = None, mask: Picture | None = None
) -> list[tuple[float, float]]:
    """Middles of all that differs from the empty tray and is at least as large as a die."""
    foreground = _foreground(picture, empty)
    if mask is not None and mask.shape[:2] == picture.shape[:2]:
        foreground = np.asarray(foreground * (mask > 0), np.float32)
    side = max(3, round(width_px)) | 1
    covered = cv2.blur(foreground, (side, side), borderType=cv2.BORDER_CONSTANT)
    covered = cv2.GaussianBlur(covered, (0, 0), width_px / 10)
    found: list[tuple[float, float]] = []
    near = max(3, round(2 * _APART * width_px)) | 1
    peaks = (covered >= cv2.dilate(covered, np.ones((near, near), np.uint8))) & (covered > _COVERED)
    _, _, _, middles = cv2.connectedComponentsWithStats(np.asarray(peaks, np.uint8))
    for x, y in middles[1:]:
        found.append((float(x), float(y)))
    return found


def cut(picture: Picture, place: tuple[float, float], width_px: float) -> Picture:
    """A square around a die, as an example keeps it."""
    side = max(8, round(CROP * width_px))
    return np.asarray(cv2.getRectSubPix(picture, (side, side), place), np.uint8)


def leave_one_out(examples: Sequence[Shown]) -> tuple[tuple[str, str], ...]:
    """For each example that the others do not tell for sure: its face, and the face it was taken for ("" for none)."""
    missed = []
    for i, shown in enumerate(examples):
        others = [other for j, other in enumerate(examples) if j != i]
        if shown.face == NUMBER or not others:
            continue
        side = shown.picture.shape[0]
        like = WildReader(others, width_px=shown.width).like(shown.picture, ((side - 1) / 2, (side - 1) / 2))
        if not like.sure or like.face != shown.face:
            missed.append((shown.face, like.face if like.score >= _LEAST and like.face != shown.face else ""))
    return tuple(missed)


def without(picture: Picture, wild: Wild, empty: Picture | None = None) -> Picture:
    """The picture as if the Wild die were not there, so that a reader of pips does not stumble over it.

    What lies under it comes from the empty tray, else it is the colour of what lies around it.
    """
    x, y, w, h = wild.box
    grow = 0.2 * w
    height, width = picture.shape[:2]
    left, top = int(np.clip(x - grow, 0, width - 1)), int(np.clip(y - grow, 0, height - 1))
    right, bottom = int(np.clip(x + w + grow, left + 1, width)), int(np.clip(y + h + grow, top + 1, height))
    clean = picture.copy()
    if empty is not None and empty.shape == picture.shape:
        clean[top:bottom, left:right] = empty[top:bottom, left:right]
        return clean
    rim = [picture[top, left:right], picture[bottom - 1, left:right], picture[top:bottom, left]]
    clean[top:bottom, left:right] = np.median(np.concatenate([*rim, picture[top:bottom, right - 1]]), axis=0)
    return clean


def least_likeness(examples: Sequence[Shown]) -> float:
    """Correlation below which a face is none of those shown: a little less than examples of one face have.

    Dice of one design share frames and edges, so a face nobody showed may look much like one that was.
    """
    scores = []
    for i, shown in enumerate(examples):
        same = [other for j, other in enumerate(examples) if j != i and other.face == shown.face != NUMBER]
        if same:
            side = shown.picture.shape[0]
            like = WildReader(same, width_px=shown.width).like(shown.picture, ((side - 1) / 2, (side - 1) / 2))
            scores.append(like.score)
    return round(max(_LEAST, min(scores, default=_LEAST) - _SLACK), 3)


def _foreground(picture: Picture, empty: Picture | None) -> Floats:
    """1 where something lies, else 0. Shadows, which change brightness more than colour, count half."""
    lab = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB).astype(np.float32)
    if empty is not None and empty.shape == picture.shape:
        ground = cv2.GaussianBlur(cv2.cvtColor(empty, cv2.COLOR_BGR2LAB).astype(np.float32), (0, 0), 1.5)
        seen = cv2.GaussianBlur(lab, (0, 0), 1.0)
    else:
        rim = max(2, min(picture.shape[:2]) // 20)
        edge = np.concatenate([part.reshape(-1, 3) for part in (lab[:rim], lab[-rim:], lab[:, :rim], lab[:, -rim:])])
        ground = np.broadcast_to(np.median(edge, axis=0).astype(np.float32), lab.shape)
        seen = lab
    apart = np.abs(seen - ground)
    distance = np.hypot(np.hypot(apart[..., 1], apart[..., 2]) * 1.6, apart[..., 0] * 0.6)
    return np.asarray(distance > _FOREGROUND, np.float32)


def _box(middle: tuple[float, float], width: float) -> tuple[float, float, float, float]:
    return (round(middle[0] - width / 2, 1), round(middle[1] - width / 2, 1), round(width, 1), round(width, 1))


def _normal(picture: Picture, place: tuple[float, float], width_px: float) -> Picture:
    """The die at `place`, its width _DIE_PX, in a square of CROP widths."""
    side = round(CROP * _DIE_PX)
    scale = _DIE_PX / width_px
    at = (side - 1) / 2
    move = np.array([[scale, 0, at - scale * place[0]], [0, scale, at - scale * place[1]]])
    if scale < 0.7:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.4 / scale), np.uint8)
    return np.asarray(cv2.warpAffine(picture, move, (side, side), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _example(shown: Shown) -> Spectra:
    side = shown.picture.shape[0]
    normal = _normal(shown.picture, ((side - 1) / 2, (side - 1) / 2), shown.width)
    return np.asarray(_spectra(normal, ((0.0, 0.0),), 1.0)[0])


def _compare(normal: Picture, known: Spectra) -> tuple[Floats, list[tuple[float, float]]]:
    """Correlation of each offset and scale (rows) with each example (columns), at the best rotation."""
    steps = np.arange(-_REACH, _REACH + _STEP / 2, _STEP) * _DIE_PX
    offsets = tuple((float(x), float(y)) for x in steps for y in steps)
    scores = []
    for scale in _SCALES:
        spectra = _spectra(normal, offsets, scale)
        cross = np.einsum("orcf,ercf->oef", spectra, known.conj())
        scores.append(np.fft.irfft(cross, _ANGLES, axis=2).max(axis=2))
    return np.concatenate(scores), list(offsets) * len(_SCALES)


def _spectra(normal: Picture, offsets: Sequence[tuple[float, float]], scale: float) -> Spectra:
    """Offsets × rings × colours × frequencies; of unit strength, so that a product is a correlation."""
    columns, rows, weight = _rings(scale)
    middle = (normal.shape[0] - 1) / 2
    x = np.concatenate([columns + middle + dx for dx, _ in offsets]).astype(np.float32)
    y = np.concatenate([rows + middle + dy for _, dy in offsets]).astype(np.float32)
    smooth = cv2.GaussianBlur(normal, (0, 0), 0.8)
    seen = cv2.remap(smooth, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    rings = np.asarray(seen, np.float32).reshape(len(offsets), _RINGS, _ANGLES, 3)
    share = weight[None, :, None, None]
    mean = (rings * share).sum(axis=(1, 2), keepdims=True) / (share.sum() * _ANGLES)
    weighed = np.asarray((rings - mean) * np.sqrt(share))
    strength = np.sqrt((weighed**2).sum(axis=(1, 2, 3), keepdims=True))
    even = weighed / np.maximum(strength, _FAINTEST)
    return np.asarray(np.fft.rfft(np.moveaxis(even, 3, 2), axis=3))


_FAINTEST = 6.0 * np.sqrt(3 * _ANGLES)  # strength below which a face is plain, and noise must not become a pattern


@lru_cache(maxsize=8)
def _rings(scale: float) -> tuple[Floats, Floats, Floats]:
    """Columns and rows (rings × angles) around a middle, and each ring's weight: its area."""
    radii = np.linspace(_INNER, _OUTER, _RINGS) * _DIE_PX * scale
    angles = np.arange(_ANGLES) * 2 * np.pi / _ANGLES
    weight = radii / radii.sum()
    return np.outer(radii, np.cos(angles)), np.outer(radii, np.sin(angles)), np.asarray(weight)
