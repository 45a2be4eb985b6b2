"""The pieces that pages are laid out from: dice, cards, large digits, pictograms."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw

from companion.screen.art import pictures
from companion.screen.font import font
from companion.screen.lettering import DARK, LIT, Box, one_line, set_block, write
from companion.view import Sign

DIE = 13  # pixels a side: three pips of 3 with a gap of 1 between and beside them
DIGIT_HEIGHT = 28
DIGIT_GAP = 3
SIGN = 24
CARD = (11, 13)  # width, height
PIP_CELLS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (2, 0), (0, 2), (2, 2)),
    5: ((0, 0), (2, 0), (1, 1), (0, 2), (2, 2)),
    6: ((0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2)),
}


def stamp(image: Image.Image, x: int, y: int, picture: Image.Image) -> None:
    """Lights the pixels of a picture, its upper left corner at x, y."""
    image.paste(LIT, (x, y), picture)


def icon(name: str) -> Image.Image:
    return pictures("icons")[name]


def sign(image: Image.Image, box: Box, shown: Sign) -> None:
    """A pictogram in the middle of the box."""
    picture = pictures("signs")[shown.value]
    stamp(image, box.x + (box.w - SIGN) // 2, box.y + (box.h - SIGN) // 2, picture)


def crown(image: Image.Image, x: int, y: int) -> None:
    stamp(image, x, y, pictures("signs")["crown"])


def digits_width(text: str) -> int:
    sheet = pictures("digits")
    return sum(sheet[digit].width + DIGIT_GAP for digit in text) - DIGIT_GAP


def digits(image: Image.Image, x: int, y: int, text: str) -> None:
    """A number, or "?", in the large digits."""
    for digit in text:
        picture = pictures("digits")[digit]
        stamp(image, x, y, picture)
        x += picture.width + DIGIT_GAP


def die(image: Image.Image, x: int, y: int, value: int | None) -> None:
    """A die showing its pips, or "?" where it is not read."""
    pen = ImageDraw.Draw(image)
    pen.rectangle((x, y, x + DIE - 1, y + DIE - 1), fill=LIT)
    pen.point([(x + dx, y + dy) for dx in (0, DIE - 1) for dy in (0, DIE - 1)], fill=DARK)
    if value not in PIP_CELLS:
        set_block(image, Box(x, y, DIE, DIE), one_line("?", Box(x, y, DIE, DIE), (12,)), align="centre", ink=DARK)
        return
    for column, row in PIP_CELLS[value]:
        left, top = x + 1 + 4 * column, y + 1 + 4 * row
        pen.rectangle((left, top, left + 2, top + 2), fill=DARK)


def cards(image: Image.Image, box: Box, values: Sequence[int]) -> None:
    """Small face-up cards in rows of as many as fit the box; those beyond its height are left out."""
    width, height = CARD
    per_row = max(1, (box.w + 2) // (width + 2))
    for n, value in enumerate(values):
        x, y = box.x + n % per_row * (width + 2), box.y + n // per_row * (height + 2)
        if y + height <= box.bottom:
            _card(image, Box(x, y, width, height), value)


def _card(image: Image.Image, box: Box, value: int) -> None:
    ImageDraw.Draw(image).rectangle((box.x, box.y, box.right - 1, box.bottom - 1), fill=LIT)
    letters = font(10 if value < 10 else 8)
    text = str(value)
    left = box.x + max(0, box.w - letters.width(text)) // 2
    write(image, left, box.y + (box.h + letters.caps) // 2, text, letters, ink=DARK)
