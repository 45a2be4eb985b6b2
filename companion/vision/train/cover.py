"""Dice that something lies over: a hand, another die, a card. What of them is left to see must not be read."""

from __future__ import annotations

import cv2
import numpy as np

from companion.ports import Picture
from companion.vision.engines import Floats
from companion.vision.networks import CROP_PX, FILL
from companion.vision.train.photometry import waves

HIDDEN = (0.4, 0.75)  # share of a die's face that is covered: with less the pips may all be seen, with more nothing is
SKIN = 0.5  # of the covers are fingers or hands
FACE_SHARE = 0.42  # radius of the face's disc, of the die's width
_TONES = np.array([(96, 134, 198), (120, 160, 222), (150, 185, 235), (60, 90, 145), (38, 58, 100)], np.float32)

_Y, _X = np.mgrid[:CROP_PX, :CROP_PX].astype(np.float32) - np.float32((CROP_PX - 1) / 2)
_FACE = np.hypot(_X, _Y) < FACE_SHARE * FILL


def covered(crop: Picture, other: Picture, rng: np.random.Generator) -> Picture:
    """A crop with most of its die's face under skin or under what `other` (at least CROP_PX square) shows."""
    over = _finger(rng) if rng.random() < SKIN else _part(other, rng)
    share = _hidden(rng)[..., None]
    shaded = crop * (1 - np.float32(rng.uniform(0, 0.5)) * cv2.GaussianBlur(share[..., 0], (0, 0), 3.0)[..., None])
    return np.asarray(np.clip(shaded + share * (over - shaded), 0, 255), np.uint8)


def _hidden(rng: np.random.Generator) -> Floats:
    """0–1: from one side, up to a wavy edge, so far that a chance share of the face is hidden."""
    angle = rng.uniform(0, 2 * np.pi)
    edge_waves = waves(rng, (4, 4), (CROP_PX, CROP_PX))
    along = np.cos(angle) * _X + np.sin(angle) * _Y + np.float32(rng.uniform(0, 5)) * edge_waves
    across = np.abs(np.cos(angle) * _Y - np.sin(angle) * _X + np.float32(rng.normal(0, 4)))
    round_end = along - across * np.float32(rng.uniform(0, 1.2))
    edge = np.quantile(round_end[_FACE], 1 - rng.uniform(*HIDDEN))
    return np.asarray(1 / (1 + np.exp(np.clip(-2 * (round_end - edge), -30, 30))), np.float32)


def _finger(rng: np.random.Generator) -> Floats:
    """Skin, lit from one side, with creases as faint noise."""
    tone = _TONES[int(rng.integers(len(_TONES)))] * np.float32(np.exp(rng.normal(0, 0.3)))
    angle = rng.uniform(0, 2 * np.pi)
    light = 1 + np.float32(rng.uniform(0, 0.01)) * (np.cos(angle) * _X + np.sin(angle) * _Y)
    grain = cv2.GaussianBlur(rng.standard_normal((CROP_PX, CROP_PX)).astype(np.float32), (0, 0), 1.5)
    return np.asarray((light + np.float32(rng.uniform(0, 0.08)) * grain)[..., None] * tone, np.float32)


def _part(other: Picture, rng: np.random.Generator) -> Floats:
    side = other.shape[0] - CROP_PX
    top, left = (int(place) for place in rng.integers(0, side + 1, 2))
    return np.asarray(other[top : top + CROP_PX, left : left + CROP_PX], np.float32)
