"""Fitting words into boxes: as large as they go, wrapped at words, cut with "…" where nothing else helps."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from PIL import Image

from companion.screen.font import SIZES, Font, font

LIT, DARK = 255, 0
ELLIPSIS = "…"
LEADING = 1  # empty rows between two lines
LONGEST = 200  # letters of one text that can matter on this screen; a novel must not cost time

Align = Literal["left", "centre", "right"]


class Measured(Protocol):
    """Letters of which it is known how wide a text is in them."""

    def width(self, text: str) -> float: ...


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of pixels: left, top, width, height."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        """The first column beyond the box."""
        return self.x + self.w

    @property
    def bottom(self) -> int:
        """The first row below the box."""
        return self.y + self.h

    def left_part(self, width: int) -> Box:
        return Box(self.x, self.y, width, self.h)

    def without_left(self, width: int) -> Box:
        return Box(self.x + width, self.y, max(0, self.w - width), self.h)

    def without_right(self, width: int) -> Box:
        return Box(self.x, self.y, max(0, self.w - width), self.h)

    def top_part(self, height: int) -> Box:
        return Box(self.x, self.y, self.w, height)

    def without_top(self, height: int) -> Box:
        return Box(self.x, self.y + height, self.w, max(0, self.h - height))


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of one font. `over`, `under`: rows of ink that the tallest line has above and below its baseline."""

    font: Font
    lines: tuple[str, ...]
    over: int
    under: int

    @property
    def height(self) -> int:
        return len(self.lines) * (self.over + self.under + LEADING) - LEADING if self.lines else 0

    @property
    def width(self) -> int:
        return max((self.font.width(line) for line in self.lines), default=0)


def block(lines: Sequence[str], letters: Font) -> Block:
    glyphs = [glyph for line in lines for glyph in letters.spell(line)]
    over = max((glyph.top for glyph in glyphs), default=0)
    under = max((glyph.picture.height - glyph.top for glyph in glyphs), default=0)
    return Block(letters, tuple(lines), max(over, letters.caps), max(under, 0))


def one_line(text: str, box: Box, sizes: Sequence[int] = SIZES) -> Block:
    """The text on one line, in the largest of `sizes` that fits the box; cut in the last one if none does."""
    for size in sizes:
        fitted = block([text[:LONGEST]], font(size))
        if fitted.width <= box.w and fitted.height <= box.h:
            return fitted
    smallest = font(sizes[-1])
    return block([cut(text, smallest, box.w)], smallest)


def paragraph(text: str, box: Box, sizes: Sequence[int] = SIZES) -> Block:
    """The text wrapped at words, in the largest of `sizes` that fits the box; in the last one cut if need be."""
    for size in sizes:
        fitted = block(wrapped(text, font(size), box.w), font(size))
        if whole_words(text, font(size), box.w) and fitted.height <= box.h:
            return fitted
    return clipped(wrapped(text, font(sizes[-1]), box.w), font(sizes[-1]), box)


def clipped(lines: Sequence[str], letters: Font, box: Box) -> Block:
    """As many of the lines as fit the box's height, the last one ending in "…" if some had to go."""
    room = next((n for n in range(len(lines), 1, -1) if block(lines[:n], letters).height <= box.h), 1)
    kept = list(lines[:room])
    if room < len(lines):
        kept[-1] = cut(kept[-1] + ELLIPSIS, letters, box.w)
    return block(kept, letters)


def wrapped(text: str, letters: Font, width: int) -> list[str]:
    """Lines of at most `width` columns, broken between words; a word that is wider than a line is broken inside."""
    lines: list[str] = []
    for word in _pieces(text, letters, width):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and letters.width(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def whole_words(text: str, letters: Font, width: int) -> bool:
    return all(letters.width(word) <= width for word in text[:LONGEST].split())


def cut(text: str, letters: Measured, width: float, *, keep_end: bool = False) -> str:
    """The text, shortened with "…" to `width`, in the unit of `letters`, if it is wider; `keep_end` drops its beginning
    instead."""
    brief = text[-LONGEST:] if keep_end else text[:LONGEST]
    if letters.width(brief) <= width:
        return brief

    def shortened(n: int) -> str:
        return ELLIPSIS + brief[len(brief) - n :].lstrip() if keep_end else brief[:n].rstrip() + ELLIPSIS

    n = bisect_right(range(len(brief)), width, key=lambda n: letters.width(shortened(n))) - 1
    return shortened(n) if n >= 0 else ""


def write(image: Image.Image, x: int, baseline: int, text: str, letters: Font, *, ink: int = LIT) -> None:
    """Writes with the first letter's left edge at column `x` and the letters standing on the row above `baseline`."""
    glyphs = letters.spell(text)
    pen = x - glyphs[0].left if glyphs else x
    for glyph in glyphs:
        image.paste(ink, (pen + glyph.left, baseline - glyph.top), glyph.picture)
        pen += glyph.advance


def set_block(
    image: Image.Image, box: Box, words: Block, *, align: Align = "left", middle: bool = True, ink: int = LIT
) -> None:
    """Writes the lines into the box, in the middle of its height or from its top."""
    y = box.y + (max(0, box.h - words.height) // 2 if middle else 0)
    for line in words.lines:
        write(image, _left(line, words.font, box, align), y + words.over, line, words.font, ink=ink)
        y += words.over + words.under + LEADING


def _left(line: str, letters: Font, box: Box, align: Align) -> int:
    spare = box.w - letters.width(line)
    match align:
        case "left":
            return box.x
        case "centre":
            return box.x + max(0, spare) // 2
        case "right":
            return box.x + spare


def _pieces(text: str, letters: Font, width: int) -> Iterator[str]:
    for word in text[:LONGEST].split():
        rest = word
        while letters.width(rest) > width and len(rest) > 1:
            n = next((n for n in range(len(rest) - 1, 1, -1) if letters.width(rest[:n]) <= width), 1)
            yield rest[:n]
            rest = rest[n:]
        yield rest
