"""Bitmap letters: the same pixels on every machine, crisp at one bit.

The fonts are BDF files (Glyph Bitmap Distribution Format 2.1, Adobe 1993); their licence lies beside them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from itertools import zip_longest

from PIL import Image

from companion.screen.art import pictures

FILES = {
    24: "helvB24.bdf",
    18: "helvB18.bdf",
    14: "helvB14.bdf",
    12: "helvB12.bdf",
    10: "helvB10.bdf",
    8: "helvR08.bdf",
}
SIZES = tuple(FILES)  # nominal; capitals are 19, 14, 11, 9, 8 and 6 pixels tall; all have the same letters
STEMMED = frozenset("mnpruiı")  # whose upright stroke, after an r's arm, would make another letter of both
STAND_INS = {"′": "'", "″": '"', "ẞ": "ß", "•": "●", "✔": "✓", "✘": "✗"}  # what is lacking, in letters there are


@dataclass(frozen=True, slots=True)
class Glyph:
    """One letter: its picture, where that sits relative to pen and baseline, and how far the pen moves on.

    `left`: columns from the pen to the picture; `top`: rows from the baseline up to the picture's upper edge.
    """

    picture: Image.Image
    left: int
    top: int
    advance: int

    @property
    def right(self) -> int:
        """Columns from the pen to the end of the picture, or to the gap before the next letter where that is wider."""
        return max(self.left + self.picture.width, self.advance - 1)


@dataclass(frozen=True, slots=True)
class Font:
    """`ascent`, `descent`: rows that any letter may need above and below the baseline; `caps`: height of capitals."""

    size: int
    ascent: int
    descent: int
    caps: int
    glyphs: Mapping[str, Glyph]

    @property
    def height(self) -> int:
        return self.ascent + self.descent

    def spell(self, text: str) -> tuple[Glyph, ...]:
        """The glyphs of a text, left to right; a letter that the font lacks is a box."""
        return _spelled(self.size, text)

    def width(self, text: str) -> int:
        """Columns that the text covers, from its first letter's picture to its last one's, without gaps beside them."""
        glyphs = self.spell(text)
        return sum(glyph.advance for glyph in glyphs[:-1]) + glyphs[-1].right - glyphs[0].left if glyphs else 0

    def of(self, letter: str) -> tuple[Glyph, ...]:
        """The glyph of one letter, or none for what has no width."""
        if letter in self.glyphs:
            return (self.glyphs[letter],)
        if letter.isspace():
            return (self.glyphs[" "],)
        if unicodedata.category(letter) in ("Mn", "Me", "Cf", "Cc"):
            return ()  # marks on a letter that has no composed form, and what is invisible
        plain = STAND_INS.get(letter) or unicodedata.normalize("NFKD", letter)[0]
        return (self.glyphs.get(plain) or self._box(),)

    def lacking(self, text: str) -> tuple[str, ...]:
        """The letters of a text that are boxes, each once, in their order."""
        letters = dict.fromkeys(unicodedata.normalize("NFC", text))
        return tuple(letter for letter in letters if self.of(letter) == (self._box(),))

    def _box(self) -> Glyph:
        width = max(3, self.caps * 2 // 3)
        box = Image.new("1", (width, self.caps), 255)
        box.paste(0, (1, 1, width - 1, self.caps - 1))
        return Glyph(box, left=0, top=self.caps, advance=width + 2)


@cache
def font(size: int) -> Font:
    """The font of one of SIZES."""
    lines = files(__package__).joinpath("fonts", FILES[size]).read_text("latin-1").splitlines()
    glyphs = _drawn() | dict(_glyphs(iter(lines)))
    return Font(
        size=size,
        ascent=max(glyphs[letter].top for letter in ("Å", "Ñ", "É", "Ö")),
        descent=max(glyph.picture.height - glyph.top for glyph in (glyphs[letter] for letter in "gjpqyç,;")),
        caps=glyphs["H"].top,
        glyphs=glyphs,
    )


@lru_cache(maxsize=4096)
def _spelled(size: int, text: str) -> tuple[Glyph, ...]:
    letters = font(size)
    composed = unicodedata.normalize("NFC", text)
    return tuple(
        _apart(glyph, letters.glyphs[following]) if letter == "r" and _stemmed(following, letters) else glyph
        for letter, following in zip_longest(composed, composed[1:], fillvalue="")
        for glyph in letters.of(letter)
    )


def _stemmed(letter: str, letters: Font) -> bool:
    """Whatever is above or below it."""
    return letter in letters.glyphs and unicodedata.normalize("NFD", letter)[:1] in STEMMED


def _apart(arm: Glyph, stem: Glyph) -> Glyph:
    """With a gap of one column before the stem, where there is none: else "Turn" is read as "Tum"."""
    touch = max(0, arm.left + arm.picture.width + 1 - arm.advance - stem.left)
    return replace(arm, advance=arm.advance + touch)


def _drawn() -> dict[str, Glyph]:
    """Arrows and marks, of one size whatever the font."""
    return {
        letter: Glyph(picture, left=0, top=picture.height, advance=picture.width + 1)
        for letter, picture in pictures("letters").items()
    }


def _glyphs(lines: Iterator[str]) -> Iterator[tuple[str, Glyph]]:
    encoding, advance, box = 0, 0, (0, 0, 0, 0)
    for line in lines:
        match line.split():
            case ["ENCODING", code]:
                encoding = int(code)
            case ["DWIDTH", columns, _]:
                advance = int(columns)
            case ["BBX", width, height, left, bottom]:
                box = (int(width), int(height), int(left), int(bottom))
            case ["BITMAP"]:
                width_px, height_px, left_px, bottom_px = box
                rows = bytes.fromhex("".join(next(lines) for _ in range(height_px)))
                picture = Image.frombytes("1", (width_px, height_px), rows)
                yield chr(encoding), Glyph(picture, left_px, bottom_px + height_px, advance)
