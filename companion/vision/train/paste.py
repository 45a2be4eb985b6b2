"""Dice cut out and laid on other ground (copy and paste, Ghiasi et al. 2021): collections show few tables each."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.ports import Picture
from companion.vision.engines import Floats

Disc = tuple[float, float, float]  # x and y of a middle, and a size

REACH = (1.0, 1.45)  # times a die's size: what is cut out with it, from some corners missing to some ground around it
ROUNDNESS = (2.0, 5.0)  # exponent of the outline: from an ellipse to nearly a square
SOFT = (0.015, 0.07)  # of a die's size: how soft the cut is
LIGHT = 0.25  # deviation of the logarithm of the ground's light
SHADOW = 0.5  # at most
SHADOW_OFFSET = 0.15  # of a die's size


def pasted(picture: Picture, discs: Sequence[Disc], ground: Picture, rng: np.random.Generator) -> Picture:
    """Some discs of a picture on ground of the same shape, with soft shadows; what else it showed is gone."""
    if not discs:
        return ground
    shape = picture.shape[:2]
    cuts, shades = [], []
    reach, roundness = float(rng.uniform(*REACH)), float(rng.uniform(*ROUNDNESS))
    offset = rng.uniform(-SHADOW_OFFSET, SHADOW_OFFSET, 2)
    usual = float(np.median([size for _, _, size in discs]))
    for x, y, size in discs:
        turn = rng.normal(0, 0.2)
        cuts.append(_outline(shape, (x, y), reach * size / 2, roundness, turn))
        fallen = (x + offset[0] * size, y + offset[1] * size)
        shades.append(_outline(shape, fallen, 1.1 * reach * size / 2, 2.0, turn))
    cut = cv2.GaussianBlur(np.max(cuts, axis=0), (0, 0), max(0.5, float(rng.uniform(*SOFT)) * usual))[..., None]
    shade = cv2.GaussianBlur(np.max(shades, axis=0), (0, 0), max(0.5, 0.1 * usual))[..., None]
    lit = ground * np.float32(np.exp(rng.normal(0, LIGHT))) * (1 - np.float32(rng.uniform(0, SHADOW)) * shade)
    return np.asarray(np.clip(lit + cut * (picture - lit), 0, 255), np.uint8)


def _outline(shape: tuple[int, ...], middle: tuple[float, float], half: float, roundness: float, turn: float) -> Floats:
    """1 within a superellipse, 0 outside."""
    ys, xs = np.mgrid[: shape[0], : shape[1]].astype(np.float32)
    xs, ys = xs + np.float32(0.5 - middle[0]), ys + np.float32(0.5 - middle[1])
    along, across = (np.cos(turn) * xs + np.sin(turn) * ys) / half, (np.cos(turn) * ys - np.sin(turn) * xs) / half
    return np.asarray(np.abs(along) ** roundness + np.abs(across) ** roundness < 1, np.float32)
