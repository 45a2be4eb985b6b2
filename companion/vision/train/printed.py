"""What tables are covered with, drawn by chance: score sheets, boards, print, patterned cloth. No die lies there.

Photos show few such grounds, and a reader that has seen none overlooks dice on print, and takes flowers for dice.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Picture
from companion.vision.train.canvas import FONTS, Colour, letters
from companion.vision.train.clutter import turned
from companion.vision.train.pictures import PLAIN, SIZES, Example
from companion.vision.train.spread import spread

SHEET_PX = 1400  # side of what is printed, before a camera sees it
PRINTED_SEED = 6
SLANT_DEG = (0.0, 55.0)
SHOWN = (0.45, 1.0)  # of what a picture can show of a sheet: from nearer, or as far off as it fills the picture
LEAST_CONTRAST = 50  # grey levels between paper and ink
PALE = 0.6  # of the papers are white, cream or grey
WORDS = 0.8  # of a sheet's cells have some
FOCAL = 1.3  # of the camera's lens, in the picture's longer side
LIGHT = (0.7, 1.1)  # from one side of a table to the other


def printed_examples(count: int, *, processes: int = 1) -> list[Example]:
    """So many pictures without dice; the same ones each time."""
    made = spread(lambda number: printed(np.random.default_rng([PRINTED_SEED, number])), range(count), processes)
    return [Example(picture, [], PLAIN, f"printed {number}") for number, picture in enumerate(made)]


def printed(rng: np.random.Generator) -> Picture:
    """One sheet by chance, as a camera sees it that somebody holds above it."""
    kind = KINDS[int(rng.integers(len(KINDS)))]
    return _seen(kind(rng), rng)


def _paper(rng: np.random.Generator) -> tuple[Picture, Colour]:
    """A sheet, and an ink that stands out from it."""
    paper = rng.uniform(150, 255) + rng.normal(0, 8, 3) if rng.random() < PALE else rng.uniform(0, 255, 3)
    while True:
        ink = rng.uniform(0, 255, 3) if rng.random() < 0.4 else np.full(3, rng.uniform(0, 60))
        if abs(float(ink.mean() - paper.mean())) > LEAST_CONTRAST:
            break
    return np.full((SHEET_PX, SHEET_PX, 3), np.clip(paper, 0, 255), np.uint8), _colour(ink)


def _colour(levels: NDArray[np.float64]) -> Colour:
    blue, green, red = (int(level) for level in np.clip(levels, 0, 255))
    return blue, green, red


def _write(sheet: Picture, rng: np.random.Generator, at: tuple[float, float], high_px: float, ink: Colour) -> None:
    font, thick = FONTS[int(rng.integers(len(FONTS)))], 1 + int(high_px > 18) + int(high_px > 40)
    corner = int(at[0]), int(at[1])
    cv2.putText(sheet, letters(rng, 1, 8), corner, font, high_px / 22, ink, thick, cv2.LINE_AA)


def _score_sheet(rng: np.random.Generator) -> Picture:
    """A table of boxes, most with a word or a number."""
    sheet, ink = _paper(rng)
    across, down = rng.uniform(70, 260), rng.uniform(36, 110)
    columns = np.cumsum(across * rng.uniform(0.5, 1.6, 40)) - across
    rows = np.cumsum(down * rng.uniform(0.8, 1.3 if rng.random() < 0.5 else 1.01, 60)) - down
    thick = int(rng.integers(1, 6))
    for x in columns[columns < SHEET_PX]:
        cv2.line(sheet, (int(x), 0), (int(x), SHEET_PX), ink, thick, cv2.LINE_AA)
    for y in rows[rows < SHEET_PX]:
        cv2.line(sheet, (0, int(y)), (SHEET_PX, int(y)), ink, thick, cv2.LINE_AA)
    high = down * rng.uniform(0.25, 0.55)
    for x in columns[columns < SHEET_PX]:
        for y in rows[rows < SHEET_PX]:
            if rng.random() < WORDS:
                _write(sheet, rng, (x + 8, y + (down + high) / 2), high, ink)
    return sheet


def _page(rng: np.random.Generator) -> Picture:
    """Lines of print, at times a heading among them."""
    sheet, ink = _paper(rng)
    usual, y = rng.uniform(12, 48), 0.0
    while y < SHEET_PX:
        high = usual * (rng.uniform(1.6, 3) if rng.random() < 0.06 else 1)
        y += 1.8 * high
        x = rng.uniform(0, 40)
        while x < SHEET_PX:
            _write(sheet, rng, (x, y), high, ink)
            x += high * rng.uniform(2, 7)
    return sheet


def _board(rng: np.random.Generator) -> Picture:
    """A board of coloured fields in rows, in turn or by chance, with words, discs and frames."""
    sheet, ink = _paper(rng)
    colours = [_colour(rng.uniform(0, 255, 3)) for _ in range(int(rng.integers(2, 7)))]
    side, in_turn, bare = rng.uniform(90, 300), rng.random() < 0.4, rng.uniform(0, 0.6)
    high = side * rng.uniform(0.12, 0.4)
    for row in range(math.ceil(SHEET_PX / side)):
        for column in range(math.ceil(SHEET_PX / side)):
            if not in_turn and rng.random() < bare:
                continue
            kind = (row + column) % 2 if in_turn else int(rng.integers(len(colours)))
            start = int(column * side), int(row * side)
            end = int((column + 1) * side), int((row + 1) * side)
            cv2.rectangle(sheet, start, end, colours[kind], -1)
            if in_turn:
                continue
            cv2.rectangle(sheet, start, end, ink, 3)
            if rng.random() < WORDS:
                _write(sheet, rng, (start[0] + 8, (start[1] + end[1] + high) / 2), high, ink)
    for _ in range(int(rng.integers(0, 12))):
        x, y = (int(at) for at in rng.integers(0, SHEET_PX, 2))
        cv2.circle(sheet, (x, y), int(rng.uniform(0.2, 0.6) * side), colours[0], -1, cv2.LINE_AA)
    return sheet


def _cloth(rng: np.random.Generator) -> Picture:
    """Cloth or paper with one motif again and again: flowers, leaves, stars, rings, spots."""
    sheet, _ = _paper(rng)
    colours = [_colour(rng.uniform(0, 255, 3)) for _ in range(3)]
    size, strewn = rng.uniform(14, 60), rng.uniform(0, 0.5)
    step = size * rng.uniform(2.2, 6)
    petals, hollow = int(rng.integers(0, 9)), rng.random() < 0.3
    for row in range(-1, math.ceil(SHEET_PX / step) + 1):
        for column in range(-1, math.ceil(SHEET_PX / step) + 1):
            odd = row % 2 / 2
            at = step * (np.array([column + odd, row]) + strewn * rng.uniform(-1, 1, 2))
            turn = rng.uniform(0, 2 * np.pi) if strewn > 0.1 else 0.0
            leaf = colours[int(rng.integers(2))]
            for angle in turn + 2 * np.pi * np.arange(petals) / max(petals, 1):
                middle = at + 0.62 * size * np.array([np.cos(angle), np.sin(angle)])
                shape = (middle.tolist(), (0.9 * size, 0.6 * size), float(np.degrees(angle)))
                cv2.ellipse(sheet, shape, leaf, -1, cv2.LINE_AA)
            disc = int(at[0]), int(at[1])
            cv2.circle(sheet, disc, max(2, int(0.35 * size)), colours[2], 3 if hollow else -1, cv2.LINE_AA)
    return sheet


KINDS: tuple[Callable[[np.random.Generator], Picture], ...] = (_score_sheet, _page, _board, _cloth)


def _seen(sheet: Picture, rng: np.random.Generator) -> Picture:
    """From above or from a slant, turned, in uneven light, not quite sharp, with a camera's noise."""
    width, height = SIZES[int(rng.integers(len(SIZES)))]
    matrix = _onto_sheet(width, height, rng)
    finer = float(np.abs(np.linalg.det(matrix[:2, :2]))) ** 0.5  # pixels of the sheet to one of the picture
    soft = cv2.GaussianBlur(sheet, (0, 0), max(0.5, 0.45 * finer))
    seen = cv2.warpPerspective(
        soft, matrix, (width, height), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REFLECT
    )
    lamps = np.asarray(rng.uniform(*LIGHT, (3, 4)), np.float32)
    light = cv2.resize(lamps, (width, height), interpolation=cv2.INTER_CUBIC)
    noise = np.asarray(rng.normal(0, rng.uniform(0.5, 6), seen.shape), np.float32)
    return np.asarray(np.clip(seen * light[..., None] + noise, 0, 255), np.uint8)


def _onto_sheet(width: int, height: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Pixels of the picture to those of the sheet, 3×3: a pinhole that looks at it from a chance slant, any way up.

    What is above in the picture lies further off.
    """
    slant, turn = math.radians(rng.uniform(*SLANT_DEG)), rng.uniform(0, 2 * np.pi)
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    rays = (corners - [width / 2, height / 2]) / (FOCAL * max(width, height))
    at = rays / (1 + rays[:, 1:] * math.tan(slant)) / [1, math.cos(slant)]
    at -= (at.min(axis=0) + at.max(axis=0)) / 2
    at *= rng.uniform(*SHOWN) * SHEET_PX / 2 / np.hypot(*at.T).max()
    on_sheet = at @ turned(turn).T + SHEET_PX / 2
    return np.asarray(cv2.getPerspectiveTransform(corners, on_sheet.astype(np.float32)), np.float64)
