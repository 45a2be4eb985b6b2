"""Plots as SVG or PNG, from a handful of shapes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from xml.sax.saxutils import escape

from PIL import Image, ImageDraw, ImageFont

from companion.history.writing import plain
from companion.paths import put_whole
from companion.screen.font import SIZES, Font, font
from companion.screen.lettering import write

WIDTH, HEIGHT = 640, 400
INK, PALE, PAPER, GRID = "#222222", "#777777", "#ffffff", "#e4e4e4"
FINER = 2  # PNG pixels a unit
# what Pillow's own font has; the screen's letters have "Å" too
SMOOTH = frozenset(map(chr, range(32, 127))) | set("·…")


class NotDrawn(Exception):
    """A plot's file cannot be written; the text says why."""


@dataclass(frozen=True, slots=True)
class Box:
    left: float
    top: float
    right: float
    bottom: float
    colour: str


@dataclass(frozen=True, slots=True)
class Stroke:
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    colour: str
    width: float = 2.5


@dataclass(frozen=True, slots=True)
class Dot:
    """`hollow`: only its rim."""

    x: float
    y: float
    colour: str
    radius: float = 3.5
    hollow: bool = False


@dataclass(frozen=True, slots=True)
class Word:
    """`anchor`: which part of the text lies at x: "start", "middle" or "end". y is its middle."""

    x: float
    y: float
    text: str
    size: int = 14
    anchor: str = "middle"
    colour: str = INK


Shape = Box | Stroke | Dot | Word


@dataclass(frozen=True, slots=True)
class Letters:
    """The letters that a PNG has, in a size of its words; those of an SVG are its viewer's, mostly somewhat wider."""

    size: int

    def width(self, text: str) -> float:
        """How far a text reaches, in units of the picture."""
        shown = plain(text)
        return (_smooth(self.size).getlength(shown) if _is_smooth(shown) else _coarse(self.size).width(shown)) / FINER


def save(shapes: tuple[Shape, ...], file: Path) -> None:
    """Draws shapes, from back to front, into a file whose name ends in one of PLOTS. Raises NotDrawn."""
    try:
        put_whole(file, _PLOTTERS[file.suffix.lower()](shapes))
    except OSError as error:
        raise NotDrawn(f"{file}: the plot cannot be written there: {error.strerror or error}") from error


def _as_png(shapes: tuple[Shape, ...]) -> bytes:
    coded = BytesIO()
    as_image(shapes).save(coded, format="PNG")
    return coded.getvalue()


def _svg_file(shapes: tuple[Shape, ...]) -> bytes:
    return as_svg(shapes).encode("utf-8")


_PLOTTERS: dict[str, Callable[[tuple[Shape, ...]], bytes]] = {".svg": _svg_file, ".png": _as_png}
PLOTS = tuple(_PLOTTERS)


def as_svg(shapes: tuple[Shape, ...]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">'
    return "\n".join((head, *(_svg(shape) for shape in shapes), "</svg>\n"))


def _svg(shape: Shape) -> str:
    match shape:
        case Box(left, top, right, bottom, colour):
            size = f'width="{right - left:.1f}" height="{bottom - top:.1f}"'
            return f'<rect x="{left:.1f}" y="{top:.1f}" {size} fill="{colour}"/>'
        case Stroke(x1, y1, x2, y2, colour, width):
            ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
            return f'<line {ends} stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>'
        case Dot(x, y, colour, radius, hollow):
            inside = PAPER if hollow else colour
            return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{inside}" stroke="{colour}"/>'
        case Word(x, y, text, size_px, anchor, colour):
            place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" dominant-baseline="central"'
            return f'<text {place} font-size="{size_px}" fill="{colour}">{escape(plain(text))}</text>'


def as_image(shapes: tuple[Shape, ...]) -> Image.Image:
    image = Image.new("RGB", (WIDTH * FINER, HEIGHT * FINER))
    draw = ImageDraw.Draw(image)
    for shape in shapes:
        _draw(draw, shape)
    return image


def _draw(draw: ImageDraw.ImageDraw, shape: Shape) -> None:
    match shape:
        case Box(_left, top, _right, bottom) if bottom - top < 1 / FINER:
            pass  # nothing to be seen of it, as in SVG, and Pillow refuses it
        case Box(left, top, right, bottom, colour):
            draw.rectangle((left * FINER, top * FINER, right * FINER - 1, bottom * FINER - 1), fill=colour)
        case Stroke(x1, y1, x2, y2, colour, width):
            ends = (x1 * FINER, y1 * FINER, x2 * FINER, y2 * FINER)
            draw.line(ends, fill=colour, width=round(width * FINER))
        case Dot(x, y, colour, radius, hollow):
            inside = PAPER if hollow else colour
            box = ((x - radius) * FINER, (y - radius) * FINER, (x + radius) * FINER, (y + radius) * FINER)
            draw.ellipse(box, fill=inside, outline=colour, width=FINER)
        case Word():
            _write(draw, shape)


def _write(draw: ImageDraw.ImageDraw, word: Word) -> None:
    text = plain(word.text)
    if _is_smooth(text):
        side = {"start": "lm", "middle": "mm", "end": "rm"}[word.anchor]
        place = (word.x * FINER, word.y * FINER)
        draw.text(place, text, fill=word.colour, font=_smooth(word.size), anchor=side)
        return
    letters = _coarse(word.size)
    mask = Image.new("1", (letters.width(text), letters.height))
    write(mask, 0, letters.ascent, text, letters)
    left = word.x * FINER - {"start": 0, "middle": mask.width // 2, "end": mask.width}[word.anchor]
    draw.bitmap((round(left), round(word.y * FINER + letters.caps / 2 - letters.ascent)), mask, fill=word.colour)


def _is_smooth(text: str) -> bool:
    return set(text) <= SMOOTH


def _smooth(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size * FINER)


def _coarse(size: int) -> Font:
    """Letters of the screen, as tall as the smooth ones."""
    return font(max(each for each in SIZES if each <= max(SIZES[-1], size * FINER * 3 // 4)))
