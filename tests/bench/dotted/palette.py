"""Colours that things have, and what makes them uneven: by lot, by shade, clouded, or grained as wood."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Colour = tuple[int, int, int]  # blue, green, red
Point = tuple[float, float]
BLACK, WHITE, IVORY = (25, 24, 24), (240, 242, 243), (205, 228, 236)
GREY, STEEL, BRASS = (128, 128, 128), (186, 182, 178), (70, 150, 190)
RED, GREEN, BLUE, YELLOW = (40, 35, 200), (60, 140, 40), (170, 90, 30), (50, 200, 240)
ORANGE, PURPLE, PINK, TURQUOISE = (30, 120, 235), (130, 65, 110), (170, 130, 235), (170, 170, 40)
VIVID = (RED, GREEN, BLUE, YELLOW, ORANGE, PURPLE, PINK, TURQUOISE)
PLAIN = (WHITE, IVORY, GREY, BLACK, (60, 55, 50), (200, 205, 210), (150, 175, 195), (110, 100, 80), (60, 75, 100))
WOODS = ((70, 110, 160), (50, 80, 120), (110, 160, 200), (40, 55, 85), (130, 175, 205))


def cloud(shape: tuple[int, ...], rng: np.random.Generator, cells: Sequence[int]) -> Floats:
    """Noise of some sizes of grain, about −1 to 1."""
    h, w = shape[:2]
    whole = np.zeros((h, w), np.float32)
    for cell in cells:
        grain = rng.standard_normal((h // cell + 2, w // cell + 2), np.float32)
        if cell > 1:
            grain = cv2.resize(grain, (w + 2 * cell, h + 2 * cell), interpolation=cv2.INTER_LINEAR)
        whole += grain[:h, :w]
    return whole / np.float32(1.5 * math.sqrt(len(cells)))


def near(rng: np.random.Generator, colour: Colour, by: float = 14.0) -> Colour:
    """A colour much like another."""
    bright = 1 + rng.normal(0, by / 90)
    b, g, r = (int(np.clip(v * bright + rng.normal(0, by / 3), 8, 248)) for v in colour)
    return b, g, r


def shaded(colour: Colour, by: float) -> Colour:
    """A colour made darker or brighter."""
    b, g, r = (int(np.clip(v * by, 0, 255)) for v in colour)
    return b, g, r


def one_of(rng: np.random.Generator, colours: Sequence[Colour], by: float = 14.0) -> Colour:
    """One colour by lot, not quite as listed."""
    return near(rng, colours[int(rng.integers(len(colours)))], by)


def wood(shape: tuple[int, ...], rng: np.random.Generator, colour: Colour) -> Bytes:
    """Wood whose grain runs across."""
    h, w = shape[:2]
    bent = cloud((h, w), rng, (170,)) * 20 + np.arange(h, dtype=np.float32)[:, None]
    rings = np.sin(bent * np.float32(rng.uniform(0.08, 0.3)) + 2 * cloud((h, w), rng, (50,)))
    change = 1 + np.float32(rng.uniform(0.02, 0.06)) * rings
    for long, strength in ((25, 0.05), (140, 0.06)):
        fibre = rng.standard_normal((h, w // long + 2), np.float32)
        change += np.float32(strength) * cv2.resize(fibre, (w, h), interpolation=cv2.INTER_LINEAR)
    return np.clip(np.asarray(colour, np.float32) * change[..., None], 0, 255).astype(np.uint8)
