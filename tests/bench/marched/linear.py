"""Vectors, linear colours, and smooth noise on the table."""

from __future__ import annotations

import cv2
import numpy as np

Array = np.ndarray
F = np.float32


def lin(rgb: Array | list[float]) -> Array:
    """sRGB 0..1 to linear."""
    return np.clip(np.asarray(rgb, F), 0, 1) ** F(2.2)


def smooth(low: float, high: float, x: Array) -> Array:
    t = np.clip((x - F(low)) / F(high - low), 0, 1)
    return t * t * (3 - 2 * t)


def mix(a: Array | float, b: Array | float, t: Array) -> Array:
    t = np.asarray(t, F)[..., None]
    return np.asarray(a, F) * (1 - t) + np.asarray(b, F) * t


def length(v: Array) -> Array:
    return np.sqrt(np.einsum("...i,...i->...", v, v))


def unit(v: Array) -> Array:
    return v / np.maximum(length(v), 1e-9)[..., None]


def hue(h: float, s: float, v: float) -> Array:
    """Linear RGB of a hue (0..1), saturation, value."""
    k = (np.array([5, 3, 1]) + h * 6) % 6
    return lin(v - v * s * np.clip(np.minimum(k, 4 - k), 0, 1))


def light_of(rgb: Array) -> float:
    """Lightness 0..1 as an eye sees it."""
    return float(np.dot(rgb, (0.2126, 0.7152, 0.0722)) ** (1 / 2.2))


class Noise:
    """Smooth tiling noise on the plane, about 0 mean and 1 deviation, faded where pixels are too coarse."""

    def __init__(self, rng: np.random.Generator) -> None:
        raw = np.tile(rng.standard_normal((512, 512)).astype(F), (2, 2))
        tile = cv2.GaussianBlur(raw, (0, 0), 1.7)[256:768, 256:768]
        self.tile, self.foot = np.ascontiguousarray(tile / tile.std()), None

    def __call__(self, u: Array, v: Array, fade: float = 0.0) -> Array:
        out = cv2.remap(
            self.tile,
            np.mod(u * F(4), 512).astype(F),
            np.mod(v * F(4), 512).astype(F),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_WRAP,
        )
        return out * np.clip(1.3 - 2 * F(fade) * self.foot, 0, 1) if fade else out

    def fbm(self, u: Array, v: Array, freq: float, octaves: int = 3, gain: float = 0.5) -> Array:
        return sum(
            F(gain**i) * self(u * F(freq * 2**i) + 7 * i, v * F(freq * 2**i) + 3 * i, freq * 2**i)
            for i in range(octaves)
        )
