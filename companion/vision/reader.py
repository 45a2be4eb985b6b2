"""The dice reader: a picture in, what lies on the table out."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from companion.events import Die, Reading, Why
from companion.ports import Picture
from companion.vision.pictures import normalise
from companion.vision.pips import DIE_PX, Face, Spots, faces_near, spots

LADDER = tuple(
    24 * 1.3**step for step in range(11)
)  # apparent die sizes tried, in px: three eighths of an octave apart
MOST_DICE = 30
LONGEST_PX = 1280


class Reader:
    """Reads dice. Calls share only the working scale: a camera does not move between frames.

    `scale_px`: the apparent width of a die, if it is known. `mask`: same size as the pictures, non-zero where dice
    can lie.
    """

    def __init__(self, *, scale_px: float | None = None, mask: Picture | None = None) -> None:
        self._scale_px = scale_px
        self._mask = mask

    def read(self, picture: Picture, *, count: int | None = None) -> Reading:
        """All dice in a picture of any size. `count`: how many must lie there; another number is unsure.

        Raises BadPicture for what is no picture.
        """
        clean = normalise(picture)
        ladder = LADDER if self._scale_px is None else (self._scale_px,)
        best: list[Die] = []
        best_score = 0.0
        for die_px in ladder:
            if die_px > 0.7 * min(clean.shape[:2]):
                continue
            found, score = _dice_at(clean, die_px)
            if score > best_score:
                best, best_score, scale = found, score, die_px
        if best and self._scale_px is None:
            self._scale_px = scale
        dice = tuple(die for die in best if self._inside(die))
        return _verdict(dice, count=count)

    def _inside(self, die: Die) -> bool:
        if self._mask is None:
            return True
        x, y = die.centre
        return bool(self._mask[int(y), int(x)])


def _dice_at(picture: Picture, die_px: float) -> tuple[list[Die], float]:
    factor = DIE_PX / die_px
    if max(picture.shape[:2]) * factor > 2 * LONGEST_PX:
        return [], 0.0
    small = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA if factor < 1 else 1)
    layers = [_strong(layer) for layer in spots(np.asarray(small, np.uint8))[:2]]
    candidates: list[Face] = []
    for layer in layers:
        for centre in _centres(layer):
            faces = faces_near([layer], centre)
            candidates += [face for face in faces[:2] if face.value > 1 and face.score > 0.7]
    kept = _cover(candidates)
    dice = [_die(face, factor) for face in kept]
    return dice, sum((face.score - 0.6) * (face.value - 1) for face in kept)


def _strong(layer: Spots) -> Spots:
    if not len(layer.strength):
        return layer
    keep = layer.strength > 0.3 * np.percentile(layer.strength, 97)
    return Spots(layer.xy[keep][:70], layer.strength[keep][:70])


def _centres(layer: Spots) -> list[tuple[float, float]]:
    """Where a face could have its middle: between two spots of about equal strength, and on spots."""
    found: set[tuple[float, float]] = set()
    for a in range(len(layer.xy)):
        away = np.hypot(*(layer.xy - layer.xy[a]).T)
        for b in np.nonzero((away < 0.98 * DIE_PX) & (away > 0.3 * DIE_PX))[0]:
            x, y = (layer.xy[a] + layer.xy[b]) / 2
            found.add((8 * round(float(x) / 8), 8 * round(float(y) / 8)))
    return sorted(found)


def _cover(candidates: list[Face]) -> list[Face]:
    """The best faces of which no two share room."""
    kept: list[Face] = []
    for face in sorted(candidates, key=lambda face: -face.score * (face.value + 1)):
        if all(np.hypot(face.centre[0] - k.centre[0], face.centre[1] - k.centre[1]) > 0.75 * DIE_PX for k in kept):
            kept.append(face)
        if len(kept) == MOST_DICE:
            break
    return kept


def _die(face: Face, factor: float) -> Die:
    x, y = face.centre[0] / factor, face.centre[1] / factor
    side = DIE_PX / factor
    pips = tuple((px / factor, py / factor) for px, py in face.pips)
    return Die(face.value, (x - side / 2, y - side / 2, side, side), min(0.9, face.score), pips)


def _verdict(dice: tuple[Die, ...], *, count: int | None) -> Reading:
    """Geometry alone cannot know what it missed: without a count it is never sure."""
    dice = tuple(replace(die, confidence=round(die.confidence, 3)) for die in dice)
    if count is not None and len(dice) != count:
        return Reading(dice, sure=False, why=Why.EMPTY if not dice else Why.COUNT)
    if count is None or any(die.confidence < 0.75 for die in dice):
        return Reading(dice, sure=False, why=Why.FAINT)
    return Reading(dice, sure=True)
