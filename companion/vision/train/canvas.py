"""The canvas that a thing which is no die is drawn on, and what many of them have: boxes, print, colours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Picture

SIDE_PX = 160  # of the canvas a thing is drawn on
MIDDLE = SIDE_PX // 2
FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_PLAIN)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.:/-+"
LEAST_STEP = 60.0  # grey levels between a thing and its marks
BLACK: tuple[int, int, int] = (22, 20, 18)

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Canvas:
    """SIDE_PX square. `cover`: where the thing hides what lies under it, 0–255; `body`, `ink`: its colours."""

    picture: Picture
    cover: NDArray[np.uint8]
    body: Colour
    ink: Colour
    rng: np.random.Generator

    def both(self, draw: Callable[[Picture, Colour], object], colour: Colour) -> None:
        """Draws on the picture and on what it covers."""
        draw(self.picture, colour)
        draw(self.cover, (255, 255, 255))


def colours(rng: np.random.Generator) -> tuple[Colour, Colour]:
    """Of a body and its marks; three of five are nearly grey, black or white."""
    while True:
        pair = [_colour(rng), _colour(rng)]
        if abs(sum(pair[0]) - sum(pair[1])) / 3 > LEAST_STEP:
            return pair[0], pair[1]


def _colour(rng: np.random.Generator) -> Colour:
    grey = rng.uniform(0, 255)
    tint = rng.normal(0, 60 if rng.random() < 0.4 else 6, 3)
    blue, green, red = (int(part) for part in np.clip(grey + tint, 0, 255))
    return blue, green, red


def box(canvas: Canvas, half: tuple[float, float], round_px: float, colour: Colour | None = None) -> None:
    """A box with round corners about the middle."""
    wide, high = int(half[0] - round_px), int(half[1] - round_px)

    def draw(on: Picture, ink: Colour) -> None:
        thick = max(1, 2 * int(round_px))
        corners = (MIDDLE - wide, MIDDLE - high), (MIDDLE + wide, MIDDLE + high)
        cv2.rectangle(on, *corners, ink, -1)
        if round_px >= 1:
            cv2.rectangle(on, *corners, ink, thick, cv2.LINE_AA)

    canvas.both(draw, colour or canvas.body)


def ellipse(canvas: Canvas, middle: tuple[float, float], half: tuple[float, float], colour: Colour) -> None:
    shape = (middle, (2 * half[0], 2 * half[1]), 0.0)
    canvas.both(lambda on, ink: cv2.ellipse(on, shape, ink, -1, cv2.LINE_AA), colour)


def write(canvas: Canvas, text: str, at: tuple[float, float], high_px: float, *, covers: bool = False) -> None:
    """Text about a place."""
    font = FONTS[int(canvas.rng.integers(len(FONTS)))]
    thick = int(canvas.rng.integers(1, 2 + int(high_px > 20) + 2 * int(high_px > 35)))
    (_, high), _ = cv2.getTextSize(text, font, 1.0, thick)
    scale = high_px / max(high, 1)
    (wide, high), _ = cv2.getTextSize(text, font, scale, thick)
    corner = (round(at[0] - wide / 2), round(at[1] + high / 2))

    def draw(on: Picture, ink: Colour) -> None:
        cv2.putText(on, text, corner, font, scale, ink, thick, cv2.LINE_AA)

    if covers:
        canvas.both(draw, canvas.ink)
    else:
        draw(canvas.picture, canvas.ink)


def letters(rng: np.random.Generator, least: int, most: int) -> str:
    return "".join(LETTERS[i] for i in rng.integers(0, len(LETTERS), int(rng.integers(least, most + 1))))


def lay_over(picture: Picture, over: NDArray[Any], cover: NDArray[Any]) -> None:
    """Lays `over` on a picture, in place, as far as `cover`, h×w, 0–255, hides what is there."""
    share = cover[..., None].astype(np.float32) / 255
    picture[:] = (share * over + (1 - share) * picture).astype(np.uint8)
