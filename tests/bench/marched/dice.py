"""Dice: their style by lot, what their faces show, and how a surface looks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tests.bench.marched.linear import Array, F, hue, length, light_of, lin, mix, smooth


@dataclass
class Look:
    """What a surface is made of at points."""

    albedo: Array
    f0: float = 0.04
    rough: float = 0.2
    metal: bool = False


@dataclass(frozen=True)
class Style:
    """How the dice of one set look."""

    body: Array
    second: Array
    pip: Array
    ace: Array  # colour of the pip on the 1
    stuff: str  # plain, speckled, marbled, clear, wood, metal
    edge: float
    round: float  # edge radius over the edge
    ball: float  # radius of the intersecting sphere over the edge, 0 for none
    depth: float  # pip depth over pip radius, 0 for painted
    dot: float
    ace_dot: float
    spread: float
    hand: int
    gloss: float
    swirl: Array


def pick_style(rng: np.random.Generator, hard: bool) -> Style:
    stuff = rng.choice(
        ["plain", "speckled", "marbled", "clear", "wood", "metal"],
        p=[0.2, 0.22, 0.25, 0.23, 0.05, 0.05] if hard else [0.7, 0.05, 0.09, 0.08, 0.04, 0.04],
    )
    h, body = rng.random(), None
    if stuff in ("plain", "speckled", "marbled"):
        body = [
            lambda: lin(np.array([0.93, 0.91, 0.88]) + rng.uniform(-0.04, 0.04)),
            lambda: lin([0.92, 0.86, 0.72]),
            lambda: lin([0.08, 0.08, 0.09]),
            lambda: hue(h, rng.uniform(0.55, 0.95), rng.uniform(0.45, 0.9)),
            lambda: hue(h, rng.uniform(0.2, 0.5), rng.uniform(0.6, 0.95)),
            lambda: hue(rng.choice([0, 0.99, 0.6, 0.38, 0.14]), 0.85, rng.uniform(0.5, 0.85)),
        ]
        body = body[rng.choice(6, p=[0.32, 0.1, 0.12, 0.18, 0.1, 0.18])]()
    elif stuff == "clear":
        body = hue(rng.choice([0, 0.33, 0.45, 0.6, 0.76, 0.08]), rng.uniform(0.75, 0.97), rng.uniform(0.5, 0.72))
    else:
        body = (
            lin([0.74, 0.55, 0.34]) if stuff == "wood" else lin([[0.75, 0.75, 0.77], [0.8, 0.66, 0.4]][rng.integers(2)])
        )
    second = hue((h + rng.uniform(-0.12, 0.12)) % 1, rng.uniform(0.2, 0.9), rng.uniform(0.3, 0.9))
    second = mix(body, second, np.array(0.4 if stuff == "marbled" else 0.65))
    inks = [
        lin([0.03, 0.03, 0.04]),
        lin([0.95, 0.95, 0.93]),
        lin([0.85, 0.68, 0.25]),
        lin([0.1, 0.15, 0.5]),
        lin([0.6, 0.05, 0.05]),
    ]
    base = light_of(body) * (0.75 if stuff == "clear" else 1)
    tones = (base, light_of(second)) if stuff == "marbled" else (base,)
    gap = [min(abs(light_of(i) - tone) for tone in tones) for i in inks]
    fits = [i for i, g in enumerate(gap) if g > (0.5 if i > 1 else 0.38)] or [int(np.argmax(gap))]
    if stuff == "clear":
        fits = [1]
    weights = np.array([5, 5, 1.2, 1, 0.6])[fits]
    pip = inks[rng.choice(fits, p=weights / weights.sum())]
    spread, dot = rng.uniform(0.215, 0.275), rng.uniform(0.075, 0.11)
    dot = min(dot, spread * 0.42)
    asian = base > 0.75 and rng.random() < 0.4
    return Style(
        body,
        second,
        pip,
        lin([0.75, 0.04, 0.05]) if asian else pip,
        str(stuff),
        float(rng.choice([1, rng.uniform(0.75, 1.15)])),
        rng.uniform(0.025, 0.2),
        rng.uniform(0.7, 0.79) if rng.random() < 0.4 else 0.0,
        rng.choice([0, rng.uniform(0.35, 0.8)], p=[0.3, 0.7]),
        dot,
        rng.uniform(0.13, 0.19) if asian else dot,
        spread,
        int(rng.choice([-1, 1])),
        rng.uniform(0.05, 0.45),
        rng.normal(0, 1, (3, 3)),
    )


def spots(value: int, s: float, flip: bool) -> Array:
    """Pip places on a face, filled up to six with far ones."""
    corner = [(-s, -s), (s, s), (-s, s), (s, -s)]
    at = {
        1: [(0, 0)],
        2: corner[:2],
        3: [*corner[:2], (0, 0)],
        4: corner,
        5: [*corner, (0, 0)],
        6: [*corner, (-s, 0), (s, 0)],
    }[value]
    out = np.full((6, 2), 9.0, F)
    out[:value] = at
    return (out[:, ::-1] if value == 6 else out * np.array([-1, 1], F)) if flip else out


class Die:
    """A cube with pips; faces are in the order +x -x +y -y +z -z, axes in die edges."""

    def __init__(self, style: Style, value: int, rng: np.random.Generator) -> None:
        self.style, self.value = style, value
        side = int(rng.choice([v for v in range(1, 7) if v not in (value, 7 - value)]))
        for front in (v for v in range(1, 7) if v not in (value, 7 - value, side, 7 - side)):
            self.faces = (side, 7 - side, front, 7 - front, value, 7 - value)
            axes = np.zeros((3, 3))
            for axis, v in enumerate((side, front, value)):
                axes[min(v, 7 - v) - 1, axis] = 1 if v < 4 else -1
            if np.linalg.det(axes) * style.hand > 0:
                break
        self.pips = np.stack([spots(v, style.spread, rng.random() < 0.5) for v in self.faces])
        self.dots = np.array([style.ace_dot if v == 1 else style.dot for v in self.faces], F)
        deep = np.maximum(style.depth, 0.05) * self.dots * np.where(self.dots > 0.12, 0.6, 1)
        self.bowl = (self.dots**2 + deep**2) / (2 * deep)
        self.lift = 0.5 + self.bowl - deep

    def hull(self, p: Array) -> Array:
        r = F(self.style.round)
        q = np.abs(p) - (F(0.5) - r)
        d = length(np.maximum(q, 0)) + np.minimum(q.max(-1), 0) - r
        if self.style.ball:
            b = length(p) - F(self.style.ball)
            h = np.maximum(F(0.025) - np.abs(d - b), 0)
            d = np.maximum(d, b) + h * h * F(10)
        return d

    def nearest(self, p: Array) -> tuple[Array, Array, Array]:
        """Face index, distance to the nearest pip axis, height along the face."""
        a, rows = np.abs(p).argmax(-1), np.arange(len(p))
        w = p[rows, a]
        face = 2 * a + (w < 0)
        uv = np.stack([p[rows, (a + 1) % 3], p[rows, (a + 2) % 3]], -1)
        return face, np.sqrt(((self.pips[face] - uv[:, None]) ** 2).sum(-1).min(-1)), np.abs(w)

    def sdf(self, p: Array) -> Array:
        d = self.hull(p)
        near = np.flatnonzero(d < 0.05) if self.style.depth else []
        if len(near):
            face, off, w = self.nearest(p[near])
            cap = np.hypot(off, w - self.lift[face].astype(F)) - self.bowl[face].astype(F)
            d[near] = np.maximum(d[near], -cap)
        return d

    def ink(self, p: Array) -> tuple[Array, Array]:
        """Pip cover 0..1 and the pip's colour at points of the surface."""
        face, off, _ = self.nearest(p)
        dots = self.dots[face]
        ace = np.array([v == 1 for v in self.faces])[face]
        return 1 - smooth(-0.008, 0.008, off - dots), np.where(ace[:, None], self.style.ace, self.style.pip)

    def look(self, p: Array) -> Look:
        s = self.style
        body = np.broadcast_to(s.body.astype(F), p.shape)
        if s.stuff == "marbled":
            q = p + 0.22 * np.sin(p @ (5 * s.swirl.astype(F)) + 2)
            q = q + 0.1 * np.sin(q[:, ::-1] * 11 + 1)
            body = mix(s.body, s.second, 0.5 + 0.5 * np.sin(q @ s.swirl[0].astype(F) * 6 + 3 * np.sin(q[:, 1] * 5)))
        elif s.stuff == "speckled":
            for scale in (11.0, 17.0):
                cell = np.floor(p * scale + 50 + s.swirl[1].astype(F))
                h = np.mod(
                    np.sin(cell @ np.array([[127.1, 311.7, 74.7], [269.5, 183.3, 246.1], [113.5, 271.9, 124.6]]))
                    * 43758.5,
                    1,
                )
                off = length(p * scale + 50 + s.swirl[1].astype(F) - cell - 0.3 - 0.4 * h)
                body = mix(body, s.second, (off < 0.12 + 0.18 * h[:, 0]) * (h[:, 1] > 0.45))
        elif s.stuff == "wood":
            ring = np.sin(length(p[:, 1:] + s.swirl[0, :2] * 0.6 + 0.03 * np.sin(p[:, :1] * 5)) * 38)
            body = mix(s.body, s.body * 0.62, 0.5 + 0.5 * ring)
        cover, colour = self.ink(p)
        metal = s.stuff == "metal"
        return Look(
            mix(1, 0, cover) * body + mix(0, 1, cover) * colour,
            0.5 if metal else 0.04,
            0.35 if metal else s.gloss,
            metal,
        )
