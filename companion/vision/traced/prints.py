"""What is printed on the faces of a traced die: pips, numerals in several fonts, symbols, coloured pictures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from companion.vision.traced.geometry import pip_places
from companion.vision.traced.model import Mark, Print

FONTS = Path("/usr/share/fonts/truetype")
NUMERAL_FONTS = (
    "dejavu/DejaVuSans-Bold.ttf",
    "dejavu/DejaVuSerif.ttf",
    "dejavu/DejaVuSansMono.ttf",
    "liberation/LiberationSans-Bold.ttf",
    "liberation/LiberationSerif-Italic.ttf",
    "liberation/LiberationMono-Bold.ttf",
)
SYMBOL_FONT = "ancient-scripts/Symbola_hint.ttf"
SIGN_FONT = "font-awesome/fontawesome-webfont.ttf"
PICTURE_FONT = "noto/NotoColorEmoji.ttf"
PICTURE_PX = 109  # the one size that font has
FETCH = "apt install fonts-dejavu fonts-liberation fonts-symbola fonts-font-awesome fonts-noto-color-emoji"
SYMBOLS = "★☆☀☂☃☎☠☢☣☮☯☸☹☺♔♕♖♗♘♙♚♛♜♝♞♟♠♣♥♦♨♻⚓⚔⚖⚙⚛⚜⚡✂✈✉✌✎✓✖✚✠✡✦✪✶✿❀❄❖❤➤⬆⬇▲▼◆●■♀♂♪♫⚑⚒✝☘⌂∞◎◉✹✺"
PICTURES = "🐱🐭🐶🍎🍌🍒🍕⭐🌙☀🔥💧🌈🚀🚗🏠🎈🎁⚽🏀👑💎🔑🔔❤💀👻🐟🐢🦋🌵🌲🍄🌻😀😎😡👍✋👁🦴🧀🐀🐈"
SIGNS = "".join(map(chr, range(0xF001, 0xF1A0)))
LIKE_PIPS = "●■◎◉" + "\uf009\uf00a\uf04d\uf096\uf0c8\uf10c\uf111\uf140\uf141\uf142\uf192"
"""Discs, rings and squares, alone, in rows and in grids: on a die nobody could say that they are no pips."""
REPEATED = {"symbol": "☂♪♫⚑⚓⚔⚡✂✈✌✎✓✝➤⬆", "sign": "\uf00c\uf062\uf072\uf0e7\uf0c4\uf084"}
"""Signs that are no pips even two or three to a face, each small: a compact one would be."""
CELL_PX = 256
FINER = 2


class MissingFonts(Exception):
    """Fonts that symbols are printed with are not installed; the text says how to get them."""


def check_fonts() -> None:
    """Raises MissingFonts."""
    wanted = (*NUMERAL_FONTS, SYMBOL_FONT, SIGN_FONT, PICTURE_FONT)
    gone = [name for name in wanted if not (FONTS / name).is_file()]
    if gone:
        raise MissingFonts(f"no font {', '.join(gone)} below {FONTS}: {FETCH}")


def symbols(rng: np.random.Generator) -> tuple[str, ...]:
    """Six faces by lot, of one of three kinds; on some dice a few are blank, or repeat their sign."""
    kind = str(rng.choice(["picture", "symbol", "sign"], p=[0.45, 0.35, 0.2]))
    some_blank = rng.random() < 0.3
    return tuple("blank" if some_blank and rng.random() < 0.4 else f"{kind} {_sign(rng, kind)}" for _ in range(6))


def _sign(rng: np.random.Generator, kind: str) -> str:
    if kind == "picture":
        return PICTURES[int(rng.integers(len(PICTURES)))]
    signs = SYMBOLS if kind == "symbol" else SIGNS
    at = int(rng.integers(len(signs)))
    times = int(rng.integers(1, 4)) if rng.random() < 0.25 else 1
    if times > 1:
        return REPEATED[kind][at % len(REPEATED[kind])] * times
    return next(sign for sign in signs[at:] + signs if sign not in LIKE_PIPS)


def atlas(what: Print) -> NDArray[np.float32]:
    """512 × 768 × 4, 0–1: red, green, blue of pictures, and where ink is. Faces 1, 2, 3 above 4, 5, 6.

    Raises MissingFonts.
    """
    if not what.pips:
        check_fonts()
    cells = [_face(what, value) for value in range(1, 7)]
    return np.asarray(np.vstack([np.hstack(cells[:3]), np.hstack(cells[3:])]), np.float32)


def marked(marks: Sequence[Mark], span: float) -> NDArray[np.float32]:
    """512 × 512, 0–1: where marks are on a square top that is `span` wide."""
    side = 2 * CELL_PX * FINER
    ink = Image.new("L", (side, side), 0)
    draw = ImageDraw.Draw(ink)
    for mark in marks:
        x, y = side * (0.5 + mark.x / span), side * (0.5 - mark.y / span)
        across, along = side * mark.across / span, side * mark.along / span
        box = (x - across, y - along, x + across, y + along)
        (draw.rectangle if mark.square else draw.ellipse)(box, fill=255)
    small = ink.resize((2 * CELL_PX, 2 * CELL_PX), Image.Resampling.LANCZOS)
    return np.asarray(small, np.float32) / np.float32(255)


def coloured(what: Print) -> bool:
    """Do its faces bring colours of their own."""
    return any(sign.startswith("picture") for sign in what.signs)


def _face(what: Print, value: int) -> NDArray[np.float32]:
    side = CELL_PX * FINER
    kind, _, sign = what.signs[value - 1].partition(" ")
    if kind == "picture":
        painted = _picture(sign, round(what.size * side), side)
    else:
        ink = Image.new("L", (side, side), 0)
        if what.pips:
            _pips(ink, what, value)
        elif kind != "blank":
            _signs(ink, what, kind, sign)
        painted = Image.merge("RGBA", [Image.new("L", (side, side), 0)] * 3 + [ink])
    small = painted.resize((CELL_PX, CELL_PX), Image.Resampling.LANCZOS)
    return np.asarray(small, np.float32) / np.float32(255)


def _pips(ink: Image.Image, what: Print, value: int) -> None:
    draw, side = ImageDraw.Draw(ink), ink.width
    radius = side * (what.one_radius if value == 1 else what.radius)
    for right, up in pip_places(what, value):
        x, y = side * (0.5 + right), side * (0.5 - up)
        box = (x - radius, y - radius, x + radius, y + radius)
        (draw.rectangle if what.square else draw.ellipse)(box, fill=255)
        if what.hollow:
            draw.ellipse((x - radius / 2, y - radius / 2, x + radius / 2, y + radius / 2), fill=0)


def _signs(ink: Image.Image, what: Print, kind: str, sign: str) -> None:
    """One sign or number in the middle; several signs as pips would lie."""
    draw, side = ImageDraw.Draw(ink), ink.width
    name = {"numeral": NUMERAL_FONTS[what.font], "symbol": SYMBOL_FONT, "sign": SIGN_FONT}[kind]
    text, times = (sign, 1) if kind == "numeral" else (sign[0], len(sign))
    font = _font(name, round((what.size if times == 1 else 0.33) * side))
    left, top, right, bottom = draw.textbbox((0, 0), text, font=font)
    for u, v in pip_places(what, times):
        draw.text((side * (0.5 + u) - (left + right) / 2, side * (0.5 - v) - (top + bottom) / 2), text, 255, font)


def _picture(sign: str, size: int, side: int) -> Image.Image:
    drawn = Image.new("RGBA", (150, 150))
    ImageDraw.Draw(drawn).text((5, 5), sign, font=_font(PICTURE_FONT, PICTURE_PX), embedded_color=True)
    painted = Image.new("RGBA", (side, side))
    if (box := drawn.getbbox()) is not None:
        drawn = drawn.crop(box)
        factor = size / max(drawn.size)
        drawn = drawn.resize((max(1, round(drawn.width * factor)), max(1, round(drawn.height * factor))))
        painted.paste(drawn, ((side - drawn.width) // 2, (side - drawn.height) // 2))
    return painted


@lru_cache(maxsize=64)
def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONTS / name, size)
