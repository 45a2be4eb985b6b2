"""A plot of how often each face came, as SVG or PNG: bars, what fair dice give, and how far chance alone goes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from PIL import Image, ImageDraw, ImageFont

from companion.history.statistics import Fairness

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 60, 20, 60, 60
INK, PALE, PAPER, BAR, BAND, LINE = "#222222", "#777777", "#ffffff", "#3b78c3", "#f2d7a0", "#c0392b"
FINER = 2  # PNG pixels a unit


class UnknownPicture(ValueError):
    """The file's name ends neither in .svg nor in .png."""


@dataclass(frozen=True, slots=True)
class Box:
    left: float
    top: float
    right: float
    bottom: float
    colour: str


@dataclass(frozen=True, slots=True)
class Word:
    """`anchor`: which part of the text lies at x: "start", "middle" or "end". y is its middle."""

    x: float
    y: float
    text: str
    size: int = 14
    anchor: str = "middle"
    colour: str = INK


Shape = Box | Word


def save(fairness: Fairness, title: str, file: Path) -> None:
    """Draws into a file by its ending. Raises UnknownPicture, or OSError."""
    shapes = tuple(drawn(fairness, title))
    match file.suffix.lower():
        case ".svg":
            file.write_text(as_svg(shapes), encoding="utf-8")
        case ".png":
            as_image(shapes).save(file, format="PNG")
        case _:
            raise UnknownPicture(f"{file}: a plot is an .svg or a .png file")


def drawn(fairness: Fairness, title: str) -> Iterator[Shape]:
    """The shapes, from back to front."""
    spread = 2 * math.sqrt(fairness.expected * (1 - 1 / len(fairness.faces)))  # binomial, about 95 of 100 bars
    most = max(*fairness.counts, fairness.expected + spread, 1) * 1.1
    yield Box(0, 0, WIDTH, HEIGHT, PAPER)
    yield Word(WIDTH / 2, 22, title, 18)
    yield Word(WIDTH / 2, 44, _told(fairness), 12, colour=PALE)
    yield Box(LEFT, _y(fairness.expected + spread, most), WIDTH - RIGHT, _y(fairness.expected - spread, most), BAND)
    for place, (face, count) in enumerate(zip(fairness.faces, fairness.counts, strict=True)):
        yield from _bar(place, len(fairness.faces), face, count, most)
    yield Box(LEFT, _y(fairness.expected, most) - 1, WIDTH - RIGHT, _y(fairness.expected, most) + 1, LINE)
    yield Word(LEFT - 6, _y(fairness.expected, most), f"{fairness.expected:.1f}", 12, "end", LINE)
    yield Word(LEFT - 6, HEIGHT - BOTTOM, "0", 12, "end", PALE)
    yield Word(
        WIDTH / 2, HEIGHT - 14, "red: fair dice · shaded: where 95 of 100 bars of fair dice end", 12, colour=PALE
    )


def _bar(place: int, places: int, face: str, count: int, most: float) -> Iterator[Shape]:
    slot = (WIDTH - LEFT - RIGHT) / places
    middle = LEFT + slot * (place + 0.5)
    yield Box(middle - slot * 0.3, _y(count, most), middle + slot * 0.3, HEIGHT - BOTTOM, BAR)
    inside = _y(count, most) < HEIGHT - BOTTOM - 24  # a low bar has its number on top
    yield Word(
        middle, HEIGHT - BOTTOM - 12 if inside else _y(count, most) - 10, str(count), colour=PAPER if inside else INK
    )
    yield Word(middle, HEIGHT - BOTTOM + 16, face)


def _y(count: float, most: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * max(0.0, count) / most


def _told(fairness: Fairness) -> str:
    if fairness.p is None:
        return "nothing was thrown"
    few = "" if fairness.enough else " · too few throws to judge"
    return f"{fairness.thrown} throws · chi-square {fairness.chi_square:.2f} · p = {fairness.p:.3f}{few}"


def as_svg(shapes: tuple[Shape, ...]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">'
    return "\n".join((head, *(_svg(shape) for shape in shapes), "</svg>\n"))


def _svg(shape: Shape) -> str:
    match shape:
        case Box(left, top, right, bottom, colour):
            size = f'width="{right - left:.1f}" height="{bottom - top:.1f}"'
            return f'<rect x="{left:.1f}" y="{top:.1f}" {size} fill="{colour}"/>'
        case Word(x, y, text, size_px, anchor, colour):
            place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" dominant-baseline="central"'
            return f'<text {place} font-size="{size_px}" fill="{colour}">{escape(text)}</text>'


def as_image(shapes: tuple[Shape, ...]) -> Image.Image:
    image = Image.new("RGB", (WIDTH * FINER, HEIGHT * FINER))
    draw = ImageDraw.Draw(image)
    for shape in shapes:
        _draw(draw, shape)
    return image


def _draw(draw: ImageDraw.ImageDraw, shape: Shape) -> None:
    match shape:
        case Box(left, top, right, bottom, colour):
            draw.rectangle((left * FINER, top * FINER, right * FINER - 1, bottom * FINER - 1), fill=colour)
        case Word(x, y, text, size_px, anchor, colour):
            font = ImageFont.load_default(size_px * FINER)
            side = {"start": "lm", "middle": "mm", "end": "rm"}[anchor]
            draw.text((x * FINER, y * FINER), text, fill=colour, font=font, anchor=side)
