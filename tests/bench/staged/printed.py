"""What is printed, as pictures of 0–1 whose first row is the lowest. Letters are those that Pillow brings."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from tests.bench.staged.chance import Array, hsv, letters, pick
from tests.bench.staged.design import PLACES

Colour = tuple[int, int, int]
CARD, INDEX = (250, 350), (195, 285, 250, 350)  # a card, and its lower corner
COLUMNS = (10, 160, 222, 284, 346, 410)  # of a score sheet
ROWS = (
    *("Ones", "Twos", "Threes", "Fours", "Fives", "Sixes", "Bonus", "Total", "3 of a kind", "4 of a kind"),
    *("Full house", "Small", "Large", "Chance", "Sum"),
)


@lru_cache(maxsize=64)
def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _pixels(drawn: Image.Image) -> Array:
    return np.asarray(drawn, np.float32)[::-1] / 255


def _shade(colour: Array) -> Colour:
    red, green, blue = (int(part * 255) for part in colour)
    return red, green, blue


def card(rng: np.random.Generator) -> Array:
    drawn = Image.new("RGB", CARD, (245, 244, 240))
    draw = ImageDraw.Draw(drawn)
    if rng.random() < 0.35:
        _back(draw, _shade(hsv(pick(rng, [0, 0.6, 0.33, 0.8]), 0.8, 0.6)))
    else:
        red = rng.random() < 0.5
        _front(draw, int(rng.integers(1, 11)), red=red)
        drawn.paste(drawn.rotate(180).crop(INDEX), INDEX[:2])
    return _pixels(drawn)


def _back(draw: ImageDraw.ImageDraw, colour: Colour) -> None:
    draw.rectangle([14, 14, 236, 336], fill=colour)
    for y in range(14, 336, 14):
        for x in range(14, 236, 14):
            draw.ellipse([x + 3, y + 3, x + 10, y + 10], outline=(240, 240, 240))


def _front(draw: ImageDraw.ImageDraw, value: int, *, red: bool) -> None:
    colour = (200, 20, 30) if red else (15, 15, 20)
    draw.text((12, 6), "A" if value == 1 else str(value), fill=colour, font=font(46))
    for x, y in _suits(value):
        if red:
            draw.polygon([(x, y - 24), (x + 17, y), (x, y + 24), (x - 17, y)], fill=colour)
            continue
        for u, v in ((0, -9), (-9, 5), (9, 5)):
            draw.ellipse([x + u - 10, y + v - 10, x + u + 10, y + v + 10], fill=colour)
        draw.rectangle([x - 2, y, x + 2, y + 20], fill=colour)


def _suits(value: int) -> list[tuple[int, int]]:
    if value <= 3:
        return [(125, y) for y in ((175,), (80, 270), (80, 175, 270))[value - 1]]
    sides = [(x, int(y)) for x in (80, 170) for y in np.linspace(70, 280, value // 2)]
    return [*sides, (125, 175)] if value % 2 else sides


def score_sheet(rng: np.random.Generator) -> Array:
    drawn = Image.new("RGB", (420, 600), (250, 249, 244) if rng.random() < 0.7 else (250, 240, 170))
    draw, ruled = ImageDraw.Draw(drawn), (60, 60, 80)
    draw.text((120, 8), "SCORE CARD", fill=(20, 20, 20), font=font(26))
    for row, name in enumerate(ROWS):
        y = 48 + row * 36
        draw.line([10, y, 410, y], fill=ruled, width=2)
        draw.text((16, y + 8), name, fill=(30, 30, 30), font=font(18))
        for column in range(4):
            if rng.random() < 0.4:
                score = str(rng.integers(1, 40))
                draw.text((172 + column * 62, y + 6), score, fill=(20, 30, 130), font=font(24))
    for x in COLUMNS:
        draw.line([x, 48, x, 590], fill=ruled, width=2)
    return _pixels(drawn)


def page(rng: np.random.Generator) -> Array:
    """Lines of writing."""
    drawn = Image.new("RGB", (300, 420), (246, 245, 242))
    draw = ImageDraw.Draw(drawn)
    for y in range(20, 400, int(rng.integers(12, 24))):
        draw.text((20, y), letters(rng, "abcdefghijklmno   prstu", 26), fill=(60, 60, 90), font=font(12))
    return _pixels(drawn)


def book_cover(rng: np.random.Generator) -> Array:
    drawn = Image.new("RGB", (220, 300), _shade(hsv(rng.random(), rng.uniform(0.2, 0.9), rng.uniform(0.2, 0.8))))
    draw = ImageDraw.Draw(drawn)
    draw.text((20, 40), letters(rng, "AEIORSTLNM", 7), fill=(250, 240, 220), font=font(40))
    red, green, blue = (int(part) for part in rng.integers(0, 255, 3))
    draw.ellipse([60, 130, 160, 230], fill=(red, green, blue))
    return _pixels(drawn)


def domino(rng: np.random.Generator) -> Array:
    drawn = Image.new("RGB", (200, 400), (240, 236, 222))
    draw = ImageDraw.Draw(drawn)
    draw.line([20, 200, 180, 200], fill=(30, 30, 30), width=5)
    for y in (100, 300):
        for u, v in PLACES[int(rng.integers(1, 7))]:
            at = (100 + u * 52, y + v * 52)
            draw.ellipse([at[0] - 17, at[1] - 17, at[0] + 17, at[1] + 17], fill=(15, 15, 15))
    return _pixels(drawn)


def newspaper(rng: np.random.Generator, side: int) -> Array:
    """Columns of text with headlines and grey photos: brightness, 0–1."""
    drawn = Image.new("L", (side, side), int(rng.integers(200, 232)))
    draw = ImageDraw.Draw(drawn)
    size, wide = int(rng.integers(11, 17)), side // int(rng.integers(5, 8))  # of letters, and of a column
    some = "etaoin shrdlu cmfwyp vbgkqjxz  EAST  0123456789 "
    for x in range(8, side, wide):
        y = int(rng.integers(0, 30))
        while y < side:
            what = rng.random()
            if what < 0.02:
                draw.rectangle([x, y, x + wide - 14, y + 150], fill=int(rng.integers(90, 170)))
                y += 160
            elif what < 0.05:
                draw.text((x, y), letters(rng, some, 14).title(), fill=25, font=font(int(size * 2.4)))
                y += size * 3
            else:
                draw.text((x, y), letters(rng, some, int(wide / size * 2)), fill=55, font=font(size))
                y += int(size * 1.2)
        draw.rectangle([x + wide - 10, 0, x + wide - 2, side], fill=225)
    return _pixels(drawn)


def stamped(rng: np.random.Generator, side: int) -> Array:
    """Three words on cardboard: where ink is, 0–1."""
    drawn = Image.new("L", (side, side), 0)
    draw = ImageDraw.Draw(drawn)
    for _ in range(3):
        x, y = (int(at) for at in rng.integers(0, side - 300, 2))
        word = letters(rng, "ABCDEFGHKLMNRSTU 0123456789", 9)
        draw.text((x, y), word, fill=255, font=font(int(rng.integers(40, 110))))
    return _pixels(drawn)
