"""What all is drawn from: lots, colours and noise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
T = TypeVar("T")


def pick(rng: np.random.Generator, some: Sequence[T], weights: Sequence[float] | None = None) -> T:
    """One of some, all as likely as their weights say."""
    shares = None if weights is None else np.array(weights) / sum(weights)
    return some[int(rng.choice(len(some), p=shares))]


def letters(rng: np.random.Generator, some: str, count: int) -> str:
    return "".join(rng.choice(list(some), count))


def hsv(hue: float, saturation: float, value: float) -> Array:
    """The sRGB colour, 0–1, of a hue that goes once round from 0 to 1."""
    colour = np.array([[[hue * 360 % 360, saturation, value]]], np.float32)
    return np.asarray(cv2.cvtColor(colour, cv2.COLOR_HSV2RGB)[0, 0])


def paint(colour: Array) -> tuple[float, float, float]:
    """A colour as OpenCV draws it."""
    red, green, blue = (float(part) for part in colour)
    return red, green, blue


def linear(colour: Array) -> tuple[float, float, float, float]:
    """The light of an sRGB colour, as Blender takes it."""
    c = np.clip(np.asarray(colour, float), 0, 1)
    red, green, blue = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    return float(red), float(green), float(blue), 1.0


def noise(rng: np.random.Generator, side: int, across: float, down: float | None = None) -> Array:
    """A square of smooth values about 0, from so many lots across and down."""
    lots = rng.random((max(2, int(down or across)), max(2, int(across))), dtype=np.float32)
    return np.asarray(cv2.resize(lots, (side, side), interpolation=cv2.INTER_CUBIC)) - 0.5


def clouds(rng: np.random.Generator, side: int, grain: float, octaves: int = 4, stretch: float = 1.0) -> Array:
    """Noise on noise, each twice as fine and half as strong; `stretch`: so many times as many lots across as down."""
    whole, weight = np.zeros((side, side), np.float32), 1.0
    for _ in range(octaves):
        whole += weight * noise(rng, side, min(side, grain * stretch), min(side, grain))
        grain, weight = grain * 2.1, weight * 0.52
    return whole
