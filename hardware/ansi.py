"""Pictures and lights as text for a terminal. Pure: characters out, nothing written.

Block elements and Braille patterns are laid out as in the Unicode charts U+2580 and U+2800.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from companion.ports import Colour

RESET = "\x1b[0m"
HALVES = " ▀▄█"  # by upper + 2 × lower pixel
BRAILLE = 0x2800
BRAILLE_BITS = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])  # by row, column of a 4×2 cell
LIT, UNLIT = "●", "·"
LETTERS = " RGYBMCW"  # by red + 2 × green + 4 × blue
EYE_GAMMA = 2.2  # an LED at a tenth of its current looks far brighter than a tenth; terminals show encoded values


def image_lines(image: Image.Image, columns: int = 128) -> list[str]:
    """A 1-bit picture as lines of text, at most `columns` wide.

    As half blocks (one column a pixel, one line two pixel rows) where they fit, else as Braille (2×4 pixels a
    character), cut off on the right where even that is too wide.
    """
    pixels = np.asarray(image.convert("1"), dtype=bool)
    lines = _half_blocks(pixels) if image.width <= columns else _braille(pixels)
    return [line[:columns] for line in lines]


def ring_line(colours: Sequence[Colour]) -> str:
    """One dot an LED in its colour; a dark LED is a small dot."""
    dots = [
        _painted(colour, LIT * len(list(run))) if any(colour) else UNLIT * len(list(run))
        for colour, run in groupby(colours)
    ]
    return "".join(dots)


def ring_lines(colours: Sequence[Colour], columns: int = 128) -> list[str]:
    """The ring's LEDs in order, broken into lines of `columns` dots."""
    return [ring_line(colours[start : start + columns]) for start in range(0, len(colours) or 1, columns)]


def ring_letters(colours: Sequence[Colour], columns: int = 128) -> list[str]:
    """The same without colours: R, G, B, and Y, M, C, W for what these make together, small where an LED is dim."""
    letters = "".join(map(_letter, colours))
    return [letters[start : start + columns] for start in range(0, len(colours) or 1, columns)]


def _letter(colour: Colour) -> str:
    most = max(colour)
    if most == 0:
        return UNLIT
    red, green, blue = (2 * part >= most for part in colour)
    letter = LETTERS[red + 2 * green + 4 * blue]
    return letter if 2 * _as_seen(most) > 255 else letter.lower()


def _half_blocks(pixels: NDArray[np.bool_]) -> list[str]:
    even = _padded(pixels, rows=2, columns=1)
    index = even[0::2] + 2 * even[1::2].astype(int)
    return ["".join(HALVES[i] for i in row) for row in index]


def _braille(pixels: NDArray[np.bool_]) -> list[str]:
    even = _padded(pixels, rows=4, columns=2)
    height, width = even.shape
    cells = even.reshape(height // 4, 4, width // 2, 2).transpose(0, 2, 1, 3)
    codes = BRAILLE + (cells * BRAILLE_BITS).sum(axis=(2, 3))
    return ["".join(chr(code) for code in row) for row in codes]


def _padded(pixels: NDArray[np.bool_], *, rows: int, columns: int) -> NDArray[np.bool_]:
    height, width = pixels.shape
    return np.pad(pixels, ((0, -height % rows), (0, -width % columns)))


def _painted(colour: Colour, text: str) -> str:
    red, green, blue = (_as_seen(part) for part in colour)
    return f"\x1b[38;2;{red};{green};{blue}m{text}{RESET}"


def _as_seen(part: int) -> int:
    return round(255 * math.pow(part / 255, 1 / EYE_GAMMA))
