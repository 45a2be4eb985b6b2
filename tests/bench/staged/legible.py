"""Which dice nobody could read: hidden, cut off, tiny, or with too little left of their pips in the picture."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np

from companion.ports import Picture
from tests.bench.staged.chance import Array
from tests.bench.staged.design import Design, pips
from tests.bench.staged.lens import Lens
from tests.bench.staged.model import INNER, Die, Scene

SHOWN = 0.67  # of a die: of what faces the camera, and of its box within the picture
SMALLEST_PX = 10  # of the shorter way across the upper face
SIDE = 96  # pixels of an upper face that is looked at
FAINT, WEAK, PALE = 25.0, 45.0, 70.0  # levels of 255 between pips and body: so many are needed in less and less grain
WEAKEST = 6.0  # likewise, of the weakest pip
SEEN_PX = 2  # a box narrower than that is none

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Sight:
    """How much of a die the things before it leave."""

    shown: float  # share of what faces the camera
    whole: bool  # all of its upper pips


@dataclass(frozen=True, slots=True)
class Told:
    """What a label says of a die: what is up, its box (x, y, w, h) within the picture, and whether nobody could say."""

    value: int
    box: Box
    ignored: bool


@dataclass(frozen=True, slots=True)
class Pips:
    """How well they can be told, in levels of 255 along the colour that parts them from the body."""

    contrast: float  # on the mean
    weakest: float
    gap: float  # between the weakest of them and the strongest place without one, in what is between both on the mean
    signal: float  # their contrast in how much the body's brightness varies
    grain: float

    def lost(self) -> bool:
        """Whether nobody could be sure of their number."""
        if self.gap < 0.25 or (self.signal < 4 and self.gap < 0.7) or (self.signal < 5 and self.gap < 0.6):
            return True
        grainy = self.contrast < WEAK and self.contrast < 14 * self.grain
        pale = self.contrast < PALE and self.gap < 0.7 and self.signal < 6 and self.grain > 2.5
        return self.contrast < FAINT or grainy or pale or self.weakest < WEAKEST


def told(picture: Picture, scene: Scene, lens: Lens, sights: tuple[Sight, ...]) -> tuple[Told, ...]:
    """The label of each die of which the picture shows any."""
    labels = []
    for die, sight in zip(scene.dice, sights, strict=True):
        ends = lens.pixels(scene.camera.pixels(die.surface()))
        low, high = ends.min(0), ends.max(0)
        inside = np.clip(high, 0, (lens.width, lens.height)) - np.clip(low, 0, (lens.width, lens.height))
        if inside.min() < SEEN_PX:
            continue
        x, y = (float(at) for at in np.maximum(low, 0))
        cut = inside.prod() / (high - low).prod() < SHOWN or not _within(lens, scene.camera.pixels(die.pips()))
        ignored = cut or sight.shown < SHOWN or not sight.whole or _illegible(picture, scene, lens, die)
        labels.append(Told(die.value, (x, y, float(inside[0]), float(inside[1])), bool(ignored)))
    return tuple(labels)


def _within(lens: Lens, places: Array) -> bool:
    bent = lens.pixels(places)
    return bool(((bent > 1) & (bent < (lens.width - 1, lens.height - 1))).all())


def _illegible(picture: Picture, scene: Scene, lens: Lens, die: Die) -> bool:
    corners = lens.pixels(scene.camera.pixels(die.top())).astype(np.float32)
    if narrowest(corners) < SMALLEST_PX:
        return True
    square = np.array([(0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE)], np.float32)
    top = cv2.warpPerspective(
        picture.astype(np.float32), cv2.getPerspectiveTransform(corners, square), (SIDE, SIDE), flags=cv2.INTER_LINEAR
    )
    return measured(np.asarray(top), die.design, die.value).lost()


def narrowest(corners: Array) -> float:
    """The shorter axis of the parallelogram that four corners nearly are."""
    along = (corners[1] - corners[0] + corners[2] - corners[3]) / 2
    aside = (corners[3] - corners[0] + corners[2] - corners[1]) / 2
    return float(np.linalg.svd(np.stack([along, aside]), compute_uv=False)[1])


def measured(top: Array, design: Design, value: int) -> Pips:
    """How well the pips of a value are told in a picture of the upper face, its first row the lowest."""
    face, dots = _Face(top, design, value), pips(design, value)
    there = np.array([face.differs(x, y, radius) for x, y, radius in dots])
    way = there.mean(0)
    contrast = float(np.linalg.norm(way)) + 1e-6
    way = way / contrast
    on = there @ way
    off = np.array([face.differs(x, y, design.pip) for x, y in _gaps(design, value)]).reshape(-1, 3) @ way
    most = off.max() if len(off) else 0.0
    usual = off.mean() if len(off) else 0.0
    return Pips(
        contrast=contrast,
        weakest=float(on.min()),
        gap=float((on.min() - most) / (on.mean() - usual + 1e-6)),
        signal=float(on.mean() / (face.variation(way) + 0.5)),
        grain=face.grain(),
    )


def _gaps(design: Design, value: int) -> list[tuple[float, float]]:
    """Of nine places for pips, those without one."""
    spread = design.spread_six if value == 6 else design.spread
    there = pips(design, value)
    places = ((u * spread, v * spread) for u, v in product((-1, 0, 1), repeat=2))
    return [(x, y) for x, y in places if all(np.hypot(x - a, y - b) > design.pip + radius for a, b, radius in there)]


class _Face:
    """An upper face as it was taken."""

    def __init__(self, top: Array, design: Design, value: int) -> None:
        down, across = np.mgrid[0:SIDE, 0:SIDE]
        self.u, self.v = (INNER * (2 * (part + 0.5) / SIDE - 1) for part in (across, down))
        self.top, self.design, self.dots = top, design, pips(design, value)
        self.bare = ~self._near(1.12)

    def _near(self, share: float) -> Array:
        """The pips, so many times as large."""
        return np.any([np.hypot(self.u - x, self.v - y) < radius * share for x, y, radius in self.dots], axis=0)

    def differs(self, x: float, y: float, radius: float) -> Array:
        """The colour of a place less that of the body around."""
        away = np.hypot(self.u - x, self.v - y)
        core = away < max(radius * 0.62, 0.06)
        ring = (away > radius * 1.15) & (away < radius * 1.15 + 0.18) & self.bare
        if ring.sum() < 5:
            ring = self.bare
        return np.asarray(self.top[core].mean(0) - np.median(self.top[ring], 0))

    def grain(self) -> float:
        rough = self.top - cv2.GaussianBlur(self.top, (0, 0), 3)
        return float(np.median(np.abs(rough[self.bare]))) if self.bare.any() else 0.0

    def variation(self, way: Array) -> float:
        """How much the body alone differs from a smooth shade, along a colour, in spots as large as pips."""
        sigma = max(1.2, self.design.pip * SIDE / 2 * 0.45)
        soft = np.asarray(cv2.GaussianBlur((self.top @ way).astype(np.float32), (0, 0), sigma))
        body = (np.abs(self.u) < 0.8) & (np.abs(self.v) < 0.8) & ~self._near(1.5)
        if body.sum() <= 50:
            return 0.0
        u, v = self.u[body], self.v[body]
        shades = np.stack([u, v, np.ones_like(u), u**2, v**2, u * v], 1)
        return float(np.std(soft[body] - shades @ np.linalg.lstsq(shades, soft[body], rcond=None)[0]))
