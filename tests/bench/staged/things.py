"""What else lies on tables: each thing's parts, by lot, its foot's middle at 0 and its length along x or y."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tests.bench.staged import printed
from tests.bench.staged.chance import Array, hsv, pick
from tests.bench.staged.solids import (
    Finish,
    Flesh,
    Mesh,
    Part,
    Point,
    Prism,
    Relief,
    Tube,
    box,
    lathe,
    rings,
    strip,
    torus,
)

Rng = np.random.Generator
Parts = list[Part]
BRIGHT = (0, 0.12, 0.33, 0.6)  # hues of pawns
SUIT = 0.0004  # thickness of a card and a page


@dataclass(frozen=True, slots=True)
class Kind:
    """How a thing is made, half its foot, and how likely it lies there."""

    make: Callable[[Rng], Parts]
    half: tuple[float, float]
    weight: float = 1.0
    flat: float = 0.0  # its thickness where dice may lie on it
    tall: bool = False  # it can hide what is behind it


def _tone(red: float, green: float, blue: float) -> Array:
    return np.array([red, green, blue])


def _grey(share: float) -> Array:
    return np.full(3, share)


def _rough(scale: float, strength: float) -> Relief:
    return Relief(scale, strength, detail=4)


def _card(rng: Rng) -> Parts:
    return [Part(box(0.063, 0.088, SUIT), Finish(printed.card(rng), 0.35))]


def _score_pad(rng: Rng) -> Parts:
    return [Part(box(0.10, 0.145, 0.0006), Finish(printed.score_sheet(rng), 0.8))]


def _paper(rng: Rng) -> Parts:
    return [Part(box(0.148, 0.21, SUIT), Finish(printed.page(rng), 0.85))]


def _book(rng: Rng) -> Parts:
    cover = printed.book_cover(rng)
    return [Part(box(0.12, 0.17, rng.uniform(0.006, 0.03)), Finish(cover, 0.3))]


def _pencil(rng: Rng) -> Parts:
    paint, long, radius = hsv(rng.random(), 0.8, 0.75), 0.15, 0.0036
    turns = np.arange(6) * math.pi / 3
    outline = radius * np.column_stack([np.cos(turns), np.sin(turns)])
    ends = ((-long / 2, 1.0), (long / 2 - 0.02, 1.0), (long / 2 - 0.005, 0.3), (long / 2, 0.02))
    sections = [(x, outline * share + (0, radius * 0.87)) for x, share in ends]
    stuffs = (Finish(paint, 0.3), Finish(_tone(0.8, 0.62, 0.42), 0.7), Finish(_grey(0.08)))
    return [Part(strip(sections, (at, at + 1)), stuff) for at, stuff in enumerate(stuffs)]


def _pen(rng: Rng) -> Parts:
    body = Tube([(x, 0, 0.005) for x in (-0.07, -0.03, 0.02, 0.065)], 0.0045)
    tip = Tube([(x, 0, 0.005) for x in (0.06, 0.065, 0.072, 0.075)], 0.002)
    colour = hsv(rng.random(), 0.8, rng.uniform(0.1, 0.7))
    return [Part(body, Finish(colour, 0.15)), Part(tip, Finish(_grey(0.7), 0.2, metal=True))]


def _cable(rng: Rng) -> Parts:
    points = [(rng.uniform(-0.03, 0.03) + x, rng.uniform(-0.012, 0.012), 0.003) for x in np.linspace(-0.2, 0.2, 9)]
    radius, colour = rng.uniform(0.0014, 0.0028), _grey(pick(rng, [0.03, 0.9, 0.4]))
    return [Part(Tube(points, radius), Finish(colour, 0.45))]


def _coin(rng: Rng) -> Parts:
    colour = _tone(*pick(rng, [(0.72, 0.45, 0.28), (0.8, 0.66, 0.35), (0.75, 0.75, 0.75)]))
    r, step = rng.uniform(0.008, 0.0125), 0.0001 * rng.integers(2)
    relief = [(0.0, 0.0013), (r * 0.4, 0.0014 + step), (r * 0.55, 0.0015), (r * 0.8, 0.0013), (r * 0.88, 0.0013)]
    rim = [(r * 0.92, 0.0018), (r * 0.98, 0.0018), (r, 0.0015), (r, 0.0)]
    return [Part(lathe(relief + rim), Finish(colour, rng.uniform(0.25, 0.45), metal=True, relief=_rough(500, 0.8)))]


def _mug(rng: Rng) -> Parts:
    r, h = rng.uniform(0.036, 0.044), rng.uniform(0.08, 0.1)
    glaze = Finish(hsv(rng.random(), rng.uniform(0, 0.8), rng.uniform(0.15, 0.95)), 0.12, coat=0.3)
    outside = [(0, 0), (r * 0.93, 0), (r, 0.005), (r, h), (r - 0.0015, h + 0.0015)]
    inside = [(r - 0.004, h), (r - 0.004, 0.006), (0, 0.006)]
    drink = _tone(0.12, 0.06, 0.03) if rng.random() < 0.6 else _tone(0.5, 0.35, 0.2)
    ear = ((r - 0.003, 0.85), (r + 0.03, 0.9), (r + 0.03, 0.2), (r - 0.003, 0.2))
    return [
        Part(lathe(outside + inside, 48), glaze),
        Part(lathe([(0, h * 0.8), (r - 0.004, h * 0.8)], 32), Finish(drink, 0.05)),
        Part(Tube([(x, 0, h * share) for x, share in ear], 0.0055), glaze),
    ]


def _glass(rng: Rng) -> Parts:
    r, h = 0.033, 0.1
    profile = [(0, 0), (r * 0.85, 0), (r, h), (r - 0.002, h), (r * 0.85 - 0.002, 0.008), (0, 0.008)]
    return [Part(lathe(profile), Finish(_tone(0.97, 0.98, 0.98), 0.02, clear=1))]


def _dice_cup(rng: Rng) -> Parts:
    r, h = 0.038, 0.095
    colour = _tone(*pick(rng, [(0.25, 0.13, 0.07), (0.05, 0.05, 0.05)]))
    outside = [(0, 0), (r * 0.95, 0), (r, 0.004), (r * 0.96, h * 0.5), (r, h - 0.003), (r - 0.002, h)]
    inside = [(r - 0.005, h - 0.003), (r - 0.006, 0.004), (0, 0.004)]
    return [Part(lathe(outside + inside, 48), Finish(colour, relief=_rough(400, 0.5)))]


def _keys(rng: Rng) -> Parts:
    metal = Finish(_tone(*pick(rng, [(0.75, 0.72, 0.65), (0.78, 0.66, 0.35)])), 0.3, metal=True)
    bow = [(0.011 * math.cos(t), 0.011 * math.sin(t)) for t in np.linspace(0.3, 2 * math.pi - 0.3, 18)]
    back = [(0.018, -0.0033), (0.042, -0.0033), (0.045, 0), (0.042, 0.003)]
    teeth = [(0.039, 0.001), (0.036, 0.003), (0.032, 0.001), (0.029, 0.0032), (0.018, 0.0032)]
    key = Prism([*bow, *back, *teeth], 0.0015, 0.0003)
    count = int(rng.integers(1, 4))
    keys = [Part(key, metal, (0, 0, 0.0021 * number), 0.5 * number) for number in range(count)]
    return [*keys, Part(torus(0.013, 0.0009), Finish(_grey(0.7), 0.2, metal=True), (-0.012, 0, 0.004))]


def _meeple(rng: Rng) -> Parts:
    size, colour = 0.016, hsv(pick(rng, [*BRIGHT, 0.05]), 0.85, rng.uniform(0.1, 0.8))
    head = [(0, 1.0), (0.22, 0.95), (0.3, 0.78), (0.25, 0.62)]
    body = [(0.6, 0.5), (0.62, 0.36), (0.36, 0.3), (0.6, -0.02), (0.55, -0.1), (0.16, -0.1), (0, 0.12)]
    right = [(x * size, y * size - 0.008) for x, y in head + body]
    left = [(-x, y) for x, y in right[-2:0:-1]]
    return [Part(Prism(right + left, 0.009, 0.0006), Finish(colour, 0.35))]


def _bottle_cap(rng: Rng) -> Parts:
    r, colour = 0.0155, hsv(rng.random(), 0.8, 0.6)
    profile = [(0, 0.0061), (r * 0.5, 0.0061), (r * 0.75, 0.006), (r * 0.85, 0.0052), (r * 0.92, 0.003), (r, 0.0003)]
    crown = lathe(profile, 126, (0, 0, 0, 0, 0.02, 0.035))
    return [Part(crown, Finish(colour, 0.25, metal=True))]


def _chocolate(rng: Rng) -> Parts:
    brown, piece = Finish(_tone(0.16, 0.075, 0.04), 0.3), _piece()
    return [
        Part(piece, brown, ((row - 1) * 0.0185, (column - 1.5) * 0.0185, 0))
        for row in range(3)
        for column in range(int(rng.integers(2, 5)))
    ]


def _piece() -> Mesh:
    """Of chocolate: smaller above, open below."""
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    levels = ((1.0, 0.0), (1.0, 0.005), (0.75, 0.008))
    vertices = np.concatenate([np.column_stack([square * 0.009 * share, np.full(4, z)]) for share, z in levels])
    return Mesh(vertices, np.array([*rings(3, 4), [8, 9, 10, 11]]), smooth=False)


def _button(rng: Rng) -> Parts:
    r = rng.uniform(0.007, 0.011)
    colour = hsv(rng.random(), rng.uniform(0, 0.8), rng.uniform(0.2, 0.95))
    profile = [(0, 0.0018), (r * 0.55, 0.0018), (r * 0.7, 0.0028), (r * 0.9, 0.003), (r, 0.0018), (r, 0)]
    hole, dark = lathe([(0, 0.0019), (r * 0.13, 0.0019)], 12), Finish(_grey(0.02), 0.9)
    ways = [k * math.pi / 2 for k in range(4)]
    holes = [Part(hole, dark, (r * 0.25 * math.cos(way), r * 0.25 * math.sin(way), 0)) for way in ways]
    return [Part(lathe(profile, 32), Finish(colour, 0.3)), *holes]


def _phone(rng: Rng) -> Parts:
    glass = Finish(_tone(0.01, 0.01, 0.012), 0.05 if rng.random() < 0.6 else 0.4, coat=0.5)
    return [Part(box(0.072, 0.148, 0.008), glass, bevel=(0.003, 3))]


def _token(rng: Rng) -> Parts:
    r, colour = rng.uniform(0.009, 0.019), hsv(rng.random(), 0.8, 0.6)
    inside = [(0, 0.0028), (r * 0.6, 0.0028), (r * 0.62, 0.0033)]
    rim = [(r * 0.95, 0.0033), (r, 0.0028), (r, 0.0004)]
    return [Part(lathe(inside + rim, 36), Finish(colour, 0.4))]


def _pawn(rng: Rng) -> Parts:
    foot = [(0, 0), (0.008, 0), (0.008, 0.003), (0.0045, 0.008), (0.003, 0.016)]
    head = [(0.0042, 0.0175), (0.0055, 0.021), (0.0042, 0.0255), (0, 0.0268)]
    return [Part(lathe(foot + head, 28), Finish(hsv(pick(rng, BRIGHT), 0.85, rng.uniform(0.1, 0.8)), 0.25))]


def _domino(rng: Rng) -> Parts:
    return [Part(box(0.024, 0.048, 0.008), Finish(printed.domino(rng), 0.25))]


def _hand(rng: Rng) -> Parts:
    """Four fingers forward along x, bent onto the table, a thumb, and an arm that comes from behind."""
    balls: list[tuple[Point, float]] = []
    for y, long in ((-0.033, 0.065), (-0.011, 0.075), (0.011, 0.07), (0.032, 0.052)):
        aside = rng.uniform(-0.1, 0.1)
        knuckle = (long * 0.5, y * 1.15 + aside * 0.02, 0.028)
        balls += _limb((0, y, 0.024), knuckle, 0.0095)
        balls += _limb(knuckle, (long, y * 1.25 + aside * 0.04, 0.012), 0.0082)
    balls += _limb((-0.05, -0.04, 0.02), (-0.005, -0.068, 0.014), 0.011)
    for y in (-0.03, -0.01, 0.01, 0.03):
        balls += _limb((-0.07, y * 0.8, 0.024), (0, y, 0.024), 0.013)
    for y in (-0.012, 0.012):
        balls += _limb((-0.26, y, 0.034), (-0.07, y, 0.027), 0.024)
    skin = pick(rng, [(0.85, 0.63, 0.52), (0.7, 0.48, 0.36), (0.45, 0.29, 0.2), (0.9, 0.72, 0.62)])
    return [Part(Flesh(balls), Finish(_tone(*skin), relief=Relief(300, 0.3, detail=3)))]


def _limb(start: Point, end: Point, radius: float) -> list[tuple[Point, float]]:
    one, other = np.array(start), np.array(end)
    count = max(2, int(np.linalg.norm(other - one) / (radius * 0.5)))
    points = ((float(x), float(y), float(z)) for x, y, z in np.linspace(one, other, count))
    return [(point, radius * 1.25) for point in points]


THINGS = {
    "card": Kind(_card, (0.032, 0.044), 2.5, flat=SUIT),
    "pad": Kind(_score_pad, (0.05, 0.073), flat=0.0006),
    "paper": Kind(_paper, (0.074, 0.105), flat=SUIT),
    "book": Kind(_book, (0.06, 0.085), tall=True),
    "pencil": Kind(_pencil, (0.077, 0.004), 1.5),
    "pen": Kind(_pen, (0.075, 0.005)),
    "cable": Kind(_cable, (0.2, 0.015), 0.8),
    "coin": Kind(_coin, (0.0125, 0.0125), 2.5),
    "mug": Kind(_mug, (0.05, 0.045), tall=True),
    "glass": Kind(_glass, (0.034, 0.034), tall=True),
    "cup": Kind(_dice_cup, (0.039, 0.039), tall=True),
    "keys": Kind(_keys, (0.047, 0.02)),
    "meeple": Kind(_meeple, (0.011, 0.014)),
    "cap": Kind(_bottle_cap, (0.016, 0.016)),
    "chocolate": Kind(_chocolate, (0.029, 0.04)),
    "button": Kind(_button, (0.011, 0.011)),
    "phone": Kind(_phone, (0.036, 0.074)),
    "token": Kind(_token, (0.019, 0.019)),
    "pawn": Kind(_pawn, (0.009, 0.009)),
    "domino": Kind(_domino, (0.012, 0.024), 0.25),
}
HAND = Kind(_hand, (0.11, 0.085))  # its foot is somewhat behind its middle
