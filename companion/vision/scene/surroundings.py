"""What dice lie on and among, by lot: grounds, trays, clutter, hands."""

from __future__ import annotations

import math

import numpy as np

from companion.vision.scene.looks import any_colour, between, jitter, muted
from companion.vision.scene.model import Camera, Colour, Cube, Ground, Rim, Thing
from companion.vision.scene.things import SIZES

_SEEDS = 8  # patterns of each kind of ground: all of them kept are some 100 MB

_GROUNDS: tuple[tuple[str, float], ...] = (
    ("plain", 0.2),
    ("felt", 0.14),
    ("leather", 0.07),
    ("carpet", 0.07),
    ("shag", 0.03),
    ("weave", 0.05),
    ("knit", 0.04),
    ("wood", 0.13),
    ("planks", 0.07),
    ("stone", 0.03),
    ("granite", 0.03),
    ("stripes", 0.02),
    ("checks", 0.025),
    ("spots", 0.015),
    ("scatter", 0.02),
    ("playmat", 0.03),
    ("print", 0.01),
    ("holes", 0.01),
    ("herringbone", 0.01),
)

_MEAN_COLOURS: dict[str, tuple[Colour, ...]] = {
    "plain": ((0.8, 0.82, 0.84), (0.9, 0.9, 0.9), (0.6, 0.62, 0.64), (0.15, 0.15, 0.15)),
    "wood": (
        (0.62, 0.76, 0.85),
        (0.3, 0.48, 0.66),
        (0.15, 0.27, 0.45),
        (0.13, 0.22, 0.55),
        (0.45, 0.5, 0.54),
        (0.1, 0.14, 0.2),
    ),
    "carpet": ((0.5, 0.58, 0.66), (0.35, 0.4, 0.45), (0.2, 0.22, 0.25), (0.55, 0.3, 0.25)),
    "felt": (
        (0.3, 0.45, 0.1),
        (0.15, 0.1, 0.6),
        (0.5, 0.2, 0.1),
        (0.15, 0.15, 0.15),
        (0.5, 0.25, 0.5),
        (0.2, 0.5, 0.55),
    ),
}


def random_ground(rng: np.random.Generator) -> Ground:
    names, weights = zip(*_GROUNDS, strict=True)
    kind = str(rng.choice(names, p=np.array(weights) / sum(weights)))
    family = {"planks": "wood", "shag": "carpet", "leather": "felt"}.get(kind, kind)
    known = _MEAN_COLOURS.get(family)
    base = (
        known[int(rng.integers(0, len(known)))]
        if known is not None and rng.random() < 0.7
        else muted(rng, any_colour(rng))
    )
    base = jitter(rng, base, 0.05)
    if kind in ("plain", "felt", "leather"):
        palette: tuple[Colour, ...] = (jitter(rng, base, 0.012), base)
    elif kind in ("wood", "planks", "carpet", "shag"):
        dark = between(rng, 0.6, 0.92)
        palette = ((base[0] * dark, base[1] * dark, base[2] * dark), base)
    else:
        palette = tuple([base] + [muted(rng, any_colour(rng)) for _ in range(int(rng.integers(1, 4)))])
    rough = {"plain": 0.04, "felt": 0.09, "leather": 0.1, "carpet": 0.3, "shag": 0.3, "wood": 0.06, "planks": 0.08}.get(
        kind, 0.1
    )
    return Ground(
        kind=kind,
        palette=palette,
        grain=rough * between(rng, 0.4, 1.6),
        scale=math.exp(between(rng, math.log(5), math.log(24))),
        yaw_deg=between(rng, 0, 360),
        seed=int(rng.integers(0, _SEEDS)),
    )


def spread(camera: Camera) -> tuple[float, float]:
    """Centimetres across and along the picture on the table, near its middle."""
    scale = camera.distance / camera.focal_px
    return camera.width * scale, camera.height * scale / max(camera.stretch, 0.5)


def random_rim(rng: np.random.Generator, camera: Camera) -> Rim:
    across, along = spread(camera)
    sides = int(rng.choice([4, 4, 6, 8]))
    radius = between(rng, 0.42, 0.62) * min(across, along)
    turn = math.radians(camera.heading_deg - 90) + (math.pi / 4 if sides == 4 else 0.0) + rng.normal(0, 0.15)
    squash = along / across if sides == 4 else 1.0
    angles = [turn + 2 * math.pi * k / sides for k in range(sides)]
    grow = 1.35 if sides == 4 else 1.0
    local = [(radius * grow * math.cos(a - turn), radius * grow * math.sin(a - turn)) for a in angles]
    corners = tuple(
        (
            x * math.cos(turn) - y * math.sin(turn),
            (x * math.sin(turn) + y * math.cos(turn)) * (1 if sides != 4 else max(squash, 0.8)),
        )
        for x, y in local
    )
    return Rim(
        corners=corners,
        height=between(rng, 1.5, 4),
        flare=between(rng, 0, 1.5),
        width=between(rng, 0.15, 1.2),
        colour=muted(rng, any_colour(rng)),
        outside=random_ground(rng),
    )


def random_things(rng: np.random.Generator, hard: float, camera: Camera, cubes: tuple[Cube, ...]) -> tuple[Thing, ...]:
    """Clutter around the dice, not under them."""
    across, along = spread(camera)
    count = int(rng.poisson(0.7 + 2.2 * hard)) if rng.random() < 0.55 else 0
    kinds = sorted(SIZES)
    found: list[Thing] = []
    for _ in range(count):
        kind = str(rng.choice(kinds))
        size = between(rng, *SIZES[kind])
        for _ in range(12):
            x, y = rng.uniform(-0.75, 0.75) * across, rng.uniform(-0.75, 0.75) * along
            room = 0.62 * size + 1.3
            if all(math.hypot(x - c.x, y - c.y) > room for c in cubes):
                found.append(Thing(kind, float(x), float(y), between(rng, 0, 360), size, int(rng.integers(0, 1 << 20))))
                break
    return tuple(found)


def random_hand(rng: np.random.Generator, camera: Camera) -> Thing:
    across, along = spread(camera)
    angle = between(rng, 0, 360)
    reach = between(rng, -0.1, 0.4)
    x = -math.cos(math.radians(angle)) * reach * across
    y = -math.sin(math.radians(angle)) * reach * along
    return Thing("hand", x, y, angle, between(rng, 6, 10), int(rng.integers(0, 1 << 20)))
