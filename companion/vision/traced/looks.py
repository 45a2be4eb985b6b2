"""How traced dice look, by lot, and what colours are."""

from __future__ import annotations

import colorsys
from dataclasses import replace
from typing import TypeAlias

import cv2
import numpy as np

from companion.vision.scene.looks import apart, random_spreads, rare_pips
from companion.vision.scene.model import PIP_FACES
from companion.vision.traced.model import BODIES, Colour, Look, Print
from companion.vision.traced.prints import NUMERAL_FONTS, symbols

Pair: TypeAlias = tuple[float, float]

BODY_SHARES = (0.45, 0.22, 0.15, 0.06, 0.07, 0.05)
GLOSSY_SHARES = (0.32, 0.42, 0.1, 0.06, 0.03, 0.07)
LEGIBLE = 0.3  # of brightness, as the eye has it, between ink and body
LEGIBLE_HUE = 34.0  # of CIE 1976 L*a*b*, where they may be as bright as each other
OTHER_COLOUR = 0.5  # of the further colours in such a body are any that leave its ink legible
TOLD_BY_HUE, POLISHED, POURED = 0.6, 0.75, 0.4  # of the glossy dice
SMOOTH = (0.02, 0.12)
DOMES = (-0.4, 0.4)
DEPTHS, MILLED, RARE, BARE = (0.25, 1.0), 0.25, 0.5, 0.12  # of drilled pips
SHADED = (0.6, 1.0)  # of the body's colour, on bare ones


def between(rng: np.random.Generator, pair: Pair) -> float:
    return float(rng.uniform(*pair))


def screen_colour(hue: float, saturation: float, value: float) -> Colour:
    """Linear, of what a screen shows for these, 0–1 each (sRGB, IEC 61966-2-1)."""
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in colorsys.hsv_to_rgb(hue % 1, min(1.0, max(0.0, saturation)), min(1.0, max(0.0, value)))
    )
    return red, green, blue


def brightness(colour: Colour) -> float:
    """As the eye has it, 0–1."""
    return float((0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2]) ** 0.45)


def unlikeness(one: Colour, two: Colour) -> float:
    """Distance of two linear colours in CIE 1976 L*a*b*; black and white are 100 apart."""
    lab = cv2.cvtColor(np.array([[one, two]], np.float32), cv2.COLOR_LRGB2LAB)[0]
    return float(np.linalg.norm(lab[0] - lab[1]))


def any_colour(rng: np.random.Generator) -> Colour:
    return screen_colour(rng.random(), rng.random(), between(rng, (0.05, 1)))


def random_look(
    rng: np.random.Generator,
    *,
    pips: float = 1.0,
    shares: tuple[float, ...] = BODY_SHARES,
    told_by_hue: bool = False,
) -> Look:
    """A die that can be read: its ink is brighter or darker than all of its body. `pips`: how likely it has them.

    `shares`: of each of BODIES. `told_by_hue`: its ink is of another colour, but perhaps as bright.
    """
    legible = _other_colour if told_by_hue else _other_brightness
    body = str(rng.choice(BODIES, p=shares))
    while True:
        hue, saturation = rng.random(), 0.0 if rng.random() < 0.3 else between(rng, (0.5, 1))
        value = between(rng, ((0.02, 0.15), (0.3, 0.9), (0.85, 1))[int(rng.choice(3, p=(0.25, 0.45, 0.3)))])
        if body == "wood":
            hue, saturation, value = (between(rng, pair) for pair in ((0.05, 0.1), (0.3, 0.7), (0.3, 0.9)))
        if body == "metal":
            hue, saturation, value = between(rng, (0.05, 0.15)), 0.5 * (rng.random() < 0.5), between(rng, (0.4, 0.9))
        main, ink = screen_colour(hue, saturation, value), _strong(rng) if told_by_hue else _ink(rng)
        if legible(main, ink, 1):
            break
    colours = [main]
    if body in ("marbled", "speckled", "wood"):
        for _ in range(int(rng.integers(1, 4))):
            near = (hue + rng.normal(0, 0.12), saturation + rng.normal(0, 0.3), max(0.02, value + rng.normal(0, 0.25)))
            colour = any_colour(rng) if told_by_hue and rng.random() < OTHER_COLOUR else screen_colour(*near)
            if legible(colour, ink, 2 / 3):
                colours.append(colour)
    sharp = rng.random() < 0.5
    return Look(
        body=body,
        colours=tuple(colours),
        ink=ink,
        print=random_print(rng, pips),
        roughness=between(
            rng, {"clear": (0, 0.35), "metal": (0.15, 0.45)}.get(body, (0.05, 0.2) if sharp else (0.2, 0.6))
        ),
        ink_roughness=between(rng, (0.2, 0.7)),
        dent=0.0 if rng.random() < 0.25 else between(rng, (0.2, 1)),
        grain=between(rng, (6, 16) if body == "speckled" else (0.6, 2.5)),
        detail=between(rng, (1, 6)),
        bend=between(rng, (0, 3)),
        clear=between(rng, (0.6, 1)) if body == "clear" else 0.0,
        rounding=between(rng, (0.02, 0.06) if rng.random() < 0.5 else (0.06, 0.2)),
        ball=rng.random() < 0.25,
        mirrored=rng.random() < 0.5,
    )


def glossy_look(rng: np.random.Generator, *, pips: float = 1.0) -> Look:
    """A die that mostly mirrors well, of faces that bulge or are hollow, often of colours poured into each other.

    More often than not its ink may be as bright as its body: red on black, or on blue and black.
    """
    look = random_look(rng, pips=pips, shares=GLOSSY_SHARES, told_by_hue=rng.random() < TOLD_BY_HUE)
    return replace(
        look,
        roughness=between(rng, SMOOTH) if rng.random() < POLISHED else look.roughness,
        grain=look.grain if look.body == "speckled" else between(rng, (0.3, 2.5)),
        shift=between(rng, (0, 100)),
        hard=rng.random() < POURED,
        dome=between(rng, DOMES),
    )


def drilled(rng: np.random.Generator, look: Look) -> Look:
    """The same die, its pips cut into it: their walls hide and shade them, and mirror lamps in sickles.

    Half of these have pips as few moulds have them, and some are hardly or not painted at all.
    """
    what, ink = look.print, look.ink
    if rng.random() < RARE:
        radius, spreads = rare_pips(rng)
        what = replace(what, radius=radius, one_radius=radius * what.one_radius / what.radius, spreads=spreads)
    if rng.random() < BARE:
        red, green, blue = (part * between(rng, SHADED) for part in look.colours[0])
        ink = (red, green, blue)
    return replace(look, print=what, ink=ink, drilled=between(rng, DEPTHS), milled=rng.random() < MILLED)


def _other_brightness(body: Colour, ink: Colour, share: float) -> bool:
    return abs(brightness(body) - brightness(ink)) > LEGIBLE * share


def _other_colour(body: Colour, ink: Colour, share: float) -> bool:
    return unlikeness(body, ink) > LEGIBLE_HUE * share


def many_sided(rng: np.random.Generator) -> Look:
    """A die of 8, 10, 12 or 20 faces, with numerals on those that show."""
    look, faces = random_look(rng), int(rng.choice((8, 10, 12, 20)))
    signs = tuple(f"numeral {n}" for n in rng.choice(np.arange(1, faces + 1), 6, replace=False))
    return replace(look, faces=faces, ball=False, rounding=0.03, print=replace(look.print, signs=signs, size=0.42))


def _ink(rng: np.random.Generator) -> Colour:
    """White, black, gold, or any strong colour."""
    choice = rng.random()
    if choice < 0.12:
        return screen_colour(0.12, 0.6, 0.8)
    if choice < 0.52:
        return screen_colour(0, 0, between(rng, (0.9, 1)))
    if choice < 0.78:
        return screen_colour(0, 0, between(rng, (0, 0.08)))
    return _strong(rng)


def _strong(rng: np.random.Generator) -> Colour:
    return screen_colour(rng.random(), between(rng, (0.6, 1)), between(rng, (0.3, 1)))


def random_print(rng: np.random.Generator, pips: float = 1.0) -> Print:
    """Pips with a chance of `pips`, else numerals, symbols or pictures."""
    signs: tuple[str, ...] = PIP_FACES
    if rng.random() >= pips:
        signs = tuple(f"numeral {n}" for n in range(1, 7)) if rng.random() < 0.42 else symbols(rng)
    radius = between(rng, (0.075, 0.13))
    return Print(
        signs=signs,
        font=int(rng.integers(len(NUMERAL_FONTS))),
        radius=radius,
        one_radius=radius * (between(rng, (1.3, 1.9)) if rng.random() < 0.2 else 1),
        spreads=random_spreads(apart(rng), 0.25 * between(rng, (0.82, 1.12)), radius),
        turned=tuple(bool(turn) for turn in rng.random(6) < 0.5),
        square=rng.random() < 0.04,
        hollow=rng.random() < 0.05,
        size=between(rng, (0.5, 0.8)),
        soft=between(rng, (0.008, 0.03)),
    )
