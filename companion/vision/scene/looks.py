"""How dice look, by lot: as shops sell them, and odd ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.vision.scene.faces import ICONS
from companion.vision.scene.model import Colour, Look, Point

_BODIES: tuple[Colour, ...] = (  # what shops sell: ivory to black, red to purple
    (0.93, 0.95, 0.96),
    (0.78, 0.9, 0.95),
    (0.62, 0.82, 0.95),
    (0.05, 0.05, 0.05),
    (0.12, 0.1, 0.75),
    (0.15, 0.12, 0.5),
    (0.6, 0.25, 0.08),
    (0.85, 0.55, 0.15),
    (0.2, 0.55, 0.12),
    (0.15, 0.85, 0.75),
    (0.1, 0.8, 0.95),
    (0.1, 0.45, 0.95),
    (0.55, 0.15, 0.45),
    (0.65, 0.35, 0.9),
    (0.5, 0.5, 0.5),
    (0.3, 0.45, 0.65),
)
RARE_RADII, RARE_SPREADS = (0.04, 0.16), (0.17, 0.33)


def between(rng: np.random.Generator, low: float, high: float) -> float:
    """Any number from low to high."""
    return float(rng.uniform(low, high))


def jitter(rng: np.random.Generator, colour: Colour, by: float) -> Colour:
    """A colour close to this one; `by` is one sigma."""
    blue, green, red = (float(np.clip(c + rng.normal(0, by), 0.02, 0.98)) for c in colour)
    return blue, green, red


def apart(rng: np.random.Generator) -> np.random.Generator:
    """A generator of its own, that draws nothing from this one: as `Generator.spawn`, which numpy 1.24 has not."""
    seeds: np.random.SeedSequence = rng.bit_generator._seed_seq  # type: ignore[attr-defined]  # public from 1.25 on
    return np.random.default_rng(seeds.spawn(1)[0])


def any_colour(rng: np.random.Generator) -> Colour:
    """A colour that dice come in, or now and then any at all."""
    if rng.random() < 0.6:
        return jitter(rng, _BODIES[int(rng.integers(0, len(_BODIES)))], 0.06)
    blue, green, red = (float(c) for c in rng.uniform(0.02, 0.97, 3))
    return blue, green, red


def muted(rng: np.random.Generator, colour: Colour) -> Colour:
    """A colour as cloth and walls have it: mostly greyer than those of dice."""
    share, pale = between(rng, 0.15, 1.0) ** 1.5, grey(colour)
    blue, green, red = (float(np.clip(pale + share * (c - pale), 0.03, 0.97)) for c in colour)
    return blue, green, red


def grey(colour: Colour) -> float:
    """How bright a colour looks, 0–1."""
    return 0.11 * colour[0] + 0.59 * colour[1] + 0.3 * colour[2]


def random_look(rng: np.random.Generator, *, hardness: float = 0.5) -> Look:
    """A die as shops sell them; odd ones more often the higher the hardness."""
    body = _BODIES[int(rng.integers(0, 3))] if rng.random() < 0.3 else any_colour(rng)
    body = jitter(rng, body, 0.03)
    pattern = str(rng.choice(["solid", "marble", "halves", "swirl", "speckle"], p=[0.6, 0.18, 0.07, 0.12, 0.03]))
    second = any_colour(rng) if rng.random() < 0.5 else jitter(rng, body, 0.2)
    radius = between(rng, 0.065, 0.125)
    one = between(rng, 0.1, 0.19) if rng.random() < 0.15 else radius
    round_kind = rng.random()
    return Look(
        body=body,
        second=second,
        pattern=pattern,
        pips=_pip_colour(rng, body, second, pattern, hardness),
        one=(0.15, 0.12, 0.75) if rng.random() < 0.07 and grey(body) > 0.6 else None,
        pip_radius=radius,
        one_radius=one,
        spreads=random_spreads(apart(rng), between(rng, 0.2, 0.29), radius),
        rounding=between(rng, 0.015, 0.07) if round_kind < 0.25 else between(rng, 0.07, 0.22),
        ball=between(rng, 0.66, 0.78) if round_kind > 0.55 else 0.0,
        dent=0.0 if rng.random() < 0.25 else between(rng, 0.1, 0.9),
        gloss=float(rng.beta(1.2, 1.6)),
        clear=between(rng, 0.25, 0.7) if rng.random() < 0.12 else 0.0,
        mirrored=bool(rng.random() < 0.4),
        turns=(bool(rng.random() < 0.5), bool(rng.random() < 0.5), bool(rng.random() < 0.5)),
        seed=int(rng.integers(0, 1 << 30)),
    )


def random_spreads(rng: np.random.Generator, usual: float, radius: float) -> tuple[Point, ...]:
    """From a face's middle to its outer pips, by value; `usual` on dice whose pips all lie on one grid.

    Most moulds have no such grid: the pips of a two often lie half as far from the middle, a six's columns closer to
    each other than its rows are long. Pips of radius `radius` hardly overlap.
    """
    if rng.random() < 0.3:
        return ((usual, usual),) * 6
    two, three, four, five = (usual * between(rng, *by) for by in ((0.5, 1.12), (0.7, 1.15), (0.75, 1.1), (0.8, 1.12)))
    across, along = usual * between(rng, 0.5, 1.05), usual * between(rng, 0.9, 1.25)
    corners = (usual, max(two, 0.8 * radius), max(three, 1.45 * radius), four, max(five, 1.45 * radius))
    return *((far, far) for far in corners), (max(across, 1.05 * radius), max(along, 1.8 * radius))


def rare_pips(rng: np.random.Generator) -> tuple[float, tuple[Point, ...]]:
    """Radius and places of pips as few moulds have them: tiny or fat, close to the middle or out at the edges."""
    radius = float(np.exp(between(rng, *np.log(RARE_RADII))))
    usual = between(rng, max(RARE_SPREADS[0], 1.4 * radius), min(RARE_SPREADS[1], (0.48 - radius) / 1.25))
    return radius, random_spreads(rng, usual, radius)


def _pip_colour(rng: np.random.Generator, body: Colour, second: Colour, pattern: str, hardness: float) -> Colour:
    """Mostly white on dark and black on pale; at times another colour, at times hardly to be told from the body."""
    bright = grey(body) if pattern == "solid" else (grey(body) + grey(second)) / 2
    choice = rng.random()
    if choice < 0.62:
        return jitter(rng, (0.93, 0.94, 0.95) if bright < 0.52 else (0.05, 0.05, 0.05), 0.03)
    wanted = 0.3 - 0.18 * hardness * between(rng, 0, 1)
    for _ in range(20):
        colour = jitter(rng, (0.3, 0.7, 0.85), 0.05) if choice < 0.72 else any_colour(rng)  # gold, or any
        if (
            max(abs(a - b) for a, b in zip(colour, body, strict=True)) > wanted
            and abs(grey(colour) - bright) > wanted / 3
        ):
            return colour
        choice = 1.0
    return (0.95, 0.95, 0.95) if bright < 0.5 else (0.05, 0.05, 0.05)


def strange_look(rng: np.random.Generator, look: Look) -> Look:
    """The same die with faces that are no pips: numerals, letters, icons, or nothing."""
    names = sorted(ICONS)
    match int(rng.integers(0, 4)):
        case 0:
            faces = tuple(f"digit {n}" for n in range(1, 7))
        case 1:
            faces = tuple(f"letter {c}" for c in rng.choice(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), 6))
        case 2:
            faces = ("blank",) * 6 if rng.random() < 0.4 else tuple(str(n) for n in rng.choice(names, 6))
        case _:
            faces = tuple(str(n) for n in rng.choice(names, 6))
    return replace(look, faces=faces)
