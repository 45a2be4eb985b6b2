"""`python -m tests.bench.marched FOLDER`: labelled pictures of dice on tables, made by marching along rays in numpy.

A judge of the reader by another hand: of these tables, dice, grounds and things nothing was ever taught, and nothing
may be, or the judge is lost. The folder gets a `labels.jsonl` as collections of photos have it, so that `companion
bench FOLDER` measures a reader on it, kind by kind: `rig` from above, `table` hand-held with up to 12 dice, `hard` ones
dark, far, slanted, patterned or strewn with things, `empty` ones without dice. A picture takes some 1 to 4 s.

Lengths are in edges of a usual die, the table is the plane z = 0, and colours are linear RGB until the end. A solid is
a signed distance, after Hart's sphere tracing (1996); its soft shadows are estimated from how near a ray passes to it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np

from tests.bench.labelled import Shown, command

Array = np.ndarray
F = np.float32
KINDS = ("rig", "table", "hard", "empty")
FINE = 2  # picture samples per pixel and axis


def lin(rgb: Array | list[float]) -> Array:
    """sRGB 0..1 to linear."""
    return np.clip(np.asarray(rgb, F), 0, 1) ** F(2.2)


def smooth(low: float, high: float, x: Array) -> Array:
    t = np.clip((x - F(low)) / F(high - low), 0, 1)
    return t * t * (3 - 2 * t)


def mix(a: Array | float, b: Array | float, t: Array) -> Array:
    t = np.asarray(t, F)[..., None]
    return np.asarray(a, F) * (1 - t) + np.asarray(b, F) * t


def length(v: Array) -> Array:
    return np.sqrt(np.einsum("...i,...i->...", v, v))


def unit(v: Array) -> Array:
    return v / np.maximum(length(v), 1e-9)[..., None]


def hue(h: float, s: float, v: float) -> Array:
    """Linear RGB of a hue (0..1), saturation, value."""
    k = (np.array([5, 3, 1]) + h * 6) % 6
    return lin(v - v * s * np.clip(np.minimum(k, 4 - k), 0, 1))


def light_of(rgb: Array) -> float:
    """Lightness 0..1 as an eye sees it."""
    return float(np.dot(rgb, (0.2126, 0.7152, 0.0722)) ** (1 / 2.2))


class Noise:
    """Smooth tiling noise on the plane, about 0 mean and 1 deviation, faded where pixels are too coarse."""

    def __init__(self, rng: np.random.Generator) -> None:
        raw = np.tile(rng.standard_normal((512, 512)).astype(F), (2, 2))
        tile = cv2.GaussianBlur(raw, (0, 0), 1.7)[256:768, 256:768]
        self.tile, self.foot = np.ascontiguousarray(tile / tile.std()), None

    def __call__(self, u: Array, v: Array, fade: float = 0.0) -> Array:
        out = cv2.remap(
            self.tile,
            np.mod(u * F(4), 512).astype(F),
            np.mod(v * F(4), 512).astype(F),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_WRAP,
        )
        return out * np.clip(1.3 - 2 * F(fade) * self.foot, 0, 1) if fade else out

    def fbm(self, u: Array, v: Array, freq: float, octaves: int = 3, gain: float = 0.5) -> Array:
        return sum(
            F(gain**i) * self(u * F(freq * 2**i) + 7 * i, v * F(freq * 2**i) + 3 * i, freq * 2**i)
            for i in range(octaves)
        )


@dataclass(frozen=True)
class Camera:
    """Pinhole at eye; axes are the rows right, down, forward."""

    eye: Array
    axes: Array
    focal: float
    width: int
    height: int

    def project(self, points: Array) -> tuple[Array, Array]:
        q = (np.asarray(points, np.float64) - self.eye) @ self.axes.T
        middle = ((self.width - 1) / 2, (self.height - 1) / 2)
        return q[:, :2] / np.maximum(q[:, 2:], 1e-3) * self.focal + middle, q[:, 2]

    def rays(self, xs: Array, ys: Array) -> Array:
        v = np.stack(
            [(xs - (self.width - 1) / 2) / self.focal, (ys - (self.height - 1) / 2) / self.focal, np.ones_like(xs)], -1
        ).astype(F)
        return unit(v @ self.axes.astype(F))

    def floor_at(self, x: float, y: float) -> Array:
        d = self.rays(np.array([x]), np.array([y]))[0]
        return self.eye + d * (self.eye[2] / max(-d[2], 0.02))


@dataclass(frozen=True)
class Lamp:
    place: Array
    colour: Array
    radius: float


@dataclass
class Look:
    """What a surface is made of at points."""

    albedo: Array
    f0: float = 0.04
    rough: float = 0.2
    metal: bool = False


@dataclass
class Solid:
    """A thing on the table with a signed distance in its own turned frame."""

    centre: Array
    yaw: float
    half: Array  # half sides of its bounding box
    sdf: Callable[[Array], Array]
    look: Callable[[Array], Look]
    die: Die | None = None
    turn: Array = field(init=False)  # columns: own axes in the world
    reach: Array = field(init=False)  # corners of the bounding box in the world
    radius: float = field(init=False)

    def __post_init__(self) -> None:
        c, s = np.cos(self.yaw), np.sin(self.yaw)
        self.turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]], F)
        signs = np.array([[x, y, z] for z in (-1, 1) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
        self.reach = (signs * self.half) @ self.turn.T + self.centre
        self.radius = float(np.linalg.norm(self.half))

    def own(self, points: Array) -> Array:
        return (points - self.centre.astype(F)) @ self.turn


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


def die_solid(style: Style, value: int, x: float, y: float, yaw: float, rng: np.random.Generator) -> Solid:
    die = Die(style, value, rng)
    e = F(style.edge)
    return Solid(
        np.array([x, y, style.edge / 2]),
        yaw,
        np.full(3, style.edge / 2),
        lambda p: die.sdf(p / e) * e,
        lambda p: die.look(p / e),
        die,
    )


def slab(p: Array, half: Array | tuple[float, ...], r: float) -> Array:
    q = np.abs(p) - (np.asarray(half, F) - F(r))
    return length(np.maximum(q, 0)) + np.minimum(q.max(-1), 0) - F(r)


def tube(p: Array, radius: float, half: float, r: float = 0.03) -> Array:
    q = np.stack([np.hypot(p[:, 0], p[:, 1]) - F(radius - r), np.abs(p[:, 2]) - F(half - r)], -1)
    return length(np.maximum(q, 0)) + np.minimum(q.max(-1), 0) - F(r)


def thing(name: str, x: float, y: float, yaw: float, rng: np.random.Generator) -> Solid:
    a, b = hue(rng.random(), rng.uniform(0, 0.8), rng.uniform(0.1, 0.95)), hue(rng.random(), 0.6, rng.uniform(0.2, 0.9))
    if name == "coin":
        r, tone = (
            rng.uniform(0.55, 0.8),
            [lin([0.75, 0.75, 0.74]), lin([0.72, 0.42, 0.26]), lin([0.8, 0.65, 0.35])][rng.integers(3)],
        )
        half, sdf = np.array([r, r, 0.06]), lambda p: tube(p, r, 0.06)

        def relief(p: Array) -> Array:
            return 0.75 + 0.25 * np.sin(9 * p[:, 0] + 4 * np.sin(7 * p[:, 1])) * (np.hypot(p[:, 0], p[:, 1]) < r * 0.7)

        def look(p: Array) -> Look:
            return Look(
                tone * np.where(np.abs(np.hypot(p[:, 0], p[:, 1]) - r * 0.88) < 0.03, 0.5, relief(p))[:, None],
                0.5,
                0.3,
                True,
            )
    elif name == "pen":
        half = np.array([4.2, 0.27, 0.27])

        def sdf(p: Array) -> Array:
            return np.maximum(
                np.hypot(p[:, 1], p[:, 2]) - 0.27 * (1 - smooth(3.2, 4.2, p[:, 0])) - 0.02, np.abs(p[:, 0]) - 4.18
            ) * F(0.8)

        def look(p: Array) -> Look:
            return Look(mix(a, b, (p[:, 0] > 1) & (np.abs(p[:, 0] - 1.2) > 0.1)), 0.05, 0.15)
    elif name == "cup":
        r, h = rng.uniform(1.8, 2.5), rng.uniform(1.6, 2.6)
        half = np.array([r + 0.9, r, h])

        def sdf(p: Array) -> Array:
            q = p + np.array([0.45, 0, 0], F)
            bowl = np.maximum(tube(q, r, h, 0.08), -tube(q - np.array([0, 0, 0.9], F), r - 0.16, h, 0.05))
            ring = np.hypot(np.hypot(q[:, 0] - r, q[:, 2]) - F(h * 0.5), q[:, 1]) - F(0.2)
            return np.minimum(bowl, np.maximum(ring, F(r - 0.05) - np.hypot(q[:, 0], q[:, 1])))

        def look(p: Array) -> Look:
            return Look(
                mix(a, lin([0.25, 0.13, 0.06]), (np.hypot(p[:, 0] + 0.45, p[:, 1]) < r - 0.18) & (p[:, 2] < 0.95 - h)),
                0.05,
                0.08,
            )
    elif name == "key":
        half = np.array([1.7, 0.6, 0.07])

        def sdf(p: Array) -> Array:
            bow = tube(p + np.array([1.1, 0, 0], F), 0.6, 0.07, 0.02)
            bow = np.maximum(bow, 0.2 - np.hypot(p[:, 0] + 1.3, p[:, 1]))
            teeth = 0.16 + 0.05 * np.sign(np.sin(p[:, 0] * 14)) * (p[:, 1] < 0)
            blade = np.maximum(slab(p - np.array([0.5, 0, 0], F), (1.2, 0.25, 0.06), 0.02), np.abs(p[:, 1]) - teeth)
            return np.minimum(bow, blade) * F(0.7)

        def look(p: Array) -> Look:
            return Look(
                np.broadcast_to(lin([0.76, 0.68, 0.48]) if a[0] > 0.3 else lin([0.72, 0.73, 0.75]), p.shape),
                0.5,
                0.3,
                True,
            )
    else:
        half = {
            "box": rng.uniform([1.2, 1, 0.5], [3, 2, 1.3]),
            "rubber": np.array([1.2, 0.6, 0.35]),
            "block": rng.uniform(0.35, 0.6, 3),
        }[name]

        def sdf(p: Array) -> Array:
            return slab(p, half, 0.04)

        def look(p: Array) -> Look:
            return Look(mix(a, b, np.abs(p[:, 0] - half[0] * 0.2) < half[0] * 0.4), 0.04, 0.4)

    return Solid(np.array([x, y, half[2]]), yaw, half, sdf, look)


def flat_art(name: str, rng: np.random.Generator, scale: float) -> tuple[Array, tuple[float, float]]:
    """RGBA (0..1, sRGB) drawing of a flat thing and its size in die edges."""
    w, h = {
        "card": (3.9, 5.5),
        "back": (3.9, 5.5),
        "note": (4.7, 4.7),
        "sheet": (11, 14),
        "coaster": (5.8, 5.8),
        "napkin": (9, 9),
    }[name]
    k = float(np.clip(scale, 16, 60))

    def at(x: float, y: float) -> tuple[int, int]:
        return (int(x * k), int(y * k))

    art = np.zeros((int(h * k), int(w * k), 4), F)
    tint = hue(rng.random(), rng.uniform(0, 0.35), rng.uniform(0.75, 0.97)) ** (1 / 2.2)
    ink = (*tuple(map(float, rng.choice([(0.8, 0.05, 0.08), (0.05, 0.05, 0.06), (0.1, 0.2, 0.6)]))), 1.0)
    art[...] = (*(tint if name in ("note", "napkin", "coaster") else (0.95, 0.95, 0.93)), 1)
    if name == "card":
        rank, n = rng.choice(list("A2345678K")), int(rng.integers(1, 9))
        for i in range(n):
            x, y = w * (0.32 if i % 2 == 0 else 0.68), h * (0.2 + 0.6 * (i // 2) / 3)
            shape = np.array([at(x, y - 0.42), at(x + 0.33, y), at(x, y + 0.42), at(x - 0.33, y)])
            cv2.fillConvexPoly(art, shape, ink, cv2.LINE_AA)
        letter = np.zeros(art.shape[:2], np.uint8)
        cv2.putText(letter, str(rank), at(0.15, 0.85), cv2.FONT_HERSHEY_DUPLEX, k / 32, 255, max(1, int(k / 16)))
        art[letter > 99] = ink
    elif name == "back":
        art[at(0, 0.25)[1] : -at(0, 0.25)[1], at(0.25, 0)[0] : -at(0.25, 0)[0]] = ink
        for i in np.arange(-h, w + h, 0.45):
            for j in (-1, 1):
                cv2.line(art, at(i, 0), at(i + j * h, h), (0.9, 0.9, 0.9, 1), max(1, int(k * 0.05)), cv2.LINE_AA)
    elif name in ("note", "sheet"):
        for y in np.arange(0.8, h - 0.5, 0.5):
            x = 0.5
            while x < w * rng.uniform(0.6, 0.9):
                step = rng.uniform(0.2, 0.9)
                cv2.line(
                    art, at(x, y), at(x + step, y + rng.uniform(-0.05, 0.05)), ink, max(1, int(k * 0.07)), cv2.LINE_AA
                )
                x += step + 0.2
    elif name == "coaster":
        disc = np.zeros(art.shape, F)
        for r, c in ((0.49, tint), (0.44, ink[:3]), (0.40, tint), (0.2, ink[:3]), (0.17, tint)):
            cv2.circle(disc, at(w / 2, h / 2), int(r * w * k), (*map(float, c), 1.0), -1, cv2.LINE_AA)
        art = disc
    else:
        for x in np.arange(0.5, w, 1.1):
            for y in np.arange(0.5, h, 1.1):
                cv2.circle(art, at(x, y), int(0.2 * k), ink, -1, cv2.LINE_AA)
    return art, (w, h)


@dataclass(frozen=True)
class Ground:
    name: str
    a: Array
    b: Array
    turn: float
    pattern: str
    size: float
    gloss: float


def pick_ground(kind: str, rng: np.random.Generator) -> Ground:
    name = str(
        rng.choice(
            {"rig": ["felt", "mat", "paper", "cloth", "felt"]}.get(
                kind, ["wood", "wood", "cloth", "felt", "paper", "stone", "mat"]
            )
        )
    )
    odds = 0.75 if kind == "hard" else 0.3
    a, b = (
        hue(rng.random(), rng.uniform(0.1, 0.7), rng.uniform(0.15, 0.85)),
        hue(rng.random(), 0.5, rng.uniform(0.2, 0.9)),
    )
    pattern = "plain"
    if name == "wood":
        a = lin(
            np.array(
                [[0.70, 0.52, 0.34], [0.45, 0.29, 0.18], [0.80, 0.68, 0.50], [0.30, 0.20, 0.14], [0.6, 0.56, 0.5]][
                    rng.integers(5)
                ]
            )
            * rng.uniform(0.85, 1.1)
        )
        b = a * rng.uniform(0.3, 0.6)
    elif name == "felt":
        a = hue(rng.choice([0.38, 0.42, 0.6, 0.99, 0.75, 0.1]), rng.uniform(0.3, 0.85), rng.uniform(0.12, 0.55))
    elif name == "paper":
        a, b = lin(rng.uniform(0.78, 0.95) * np.array([1, 0.99, 0.95])), lin([0.4, 0.55, 0.75])
        pattern = str(rng.choice(["ruled", "squared"])) if rng.random() < odds else "plain"
    elif name == "stone":
        pattern = str(rng.choice(["marble", "granite", "slate"]))
        a = lin(
            np.full(3, {"marble": 0.86, "granite": 0.5, "slate": 0.27}[pattern]) + rng.uniform(-0.05, 0.05, 3) * 0.5
        )
        b = a * rng.uniform(0.25, 0.6) if pattern == "marble" else lin(rng.uniform(0.1, 0.8, 3) * 0.3 + 0.3)
    elif name == "mat":
        a = hue(rng.random(), rng.uniform(0, 0.3), rng.uniform(0.08, 0.3))
    elif rng.random() < odds:
        pattern = str(rng.choice(["stripes", "gingham", "dots", "tartan", "blotches"]))
    gloss = {"wood": rng.uniform(0.0, 0.6), "stone": rng.uniform(0.1, 0.6), "mat": 0.15}.get(name, 0.0)
    return Ground(name, a, b, rng.uniform(0, np.pi), pattern, rng.uniform(0.7, 1.6), gloss)


def pattern_of(g: Ground, u: Array, v: Array, noise: Noise) -> Array:
    """How much of the second colour, 0..1, over the plane."""
    s, edge = g.size, noise.foot * 1.5 + 0.01

    def band(x: Array, period: float, share: float) -> Array:
        return np.clip((share * period / 2 - np.abs(np.mod(x, period) - period / 2)) / edge + 0.5, 0, 1)

    if g.pattern == "stripes":
        return band(u, 3 * s, 0.45)
    if g.pattern == "gingham":
        return 0.5 * band(u, 2 * s, 0.5) + 0.5 * band(v, 2 * s, 0.5)
    if g.pattern == "tartan":
        return 0.5 * np.maximum(band(u, 5 * s, 0.3), band(v, 5 * s, 0.3)) + 0.4 * np.maximum(
            band(u + 1, 5 * s, 0.05), band(v, 2.5 * s, 0.05)
        )
    if g.pattern == "dots":
        row = np.floor(v / (1.6 * s))
        off = np.hypot(np.mod(u + row * 0.8 * s, 1.6 * s) - 0.8 * s, np.mod(v, 1.6 * s) - 0.8 * s)
        return np.clip((0.35 * s - off) / edge + 0.5, 0, 1)
    if g.pattern == "blotches":
        return smooth(-0.15, 0.15, noise.fbm(u, v, 0.25 / s, 2))
    if g.pattern in ("ruled", "squared"):
        lines = band(v, 0.55 * s, 0.06)
        return 0.7 * (np.maximum(lines, band(u, 0.55 * s, 0.06)) if g.pattern == "squared" else lines)
    return np.zeros_like(u)


def paint(g: Ground, x: Array, y: Array, noise: Noise) -> Array:
    c, s = np.cos(g.turn), np.sin(g.turn)
    u, v = (c * x + s * y + 31).astype(F), (c * y - s * x + 17).astype(F)
    if g.name == "wood":
        wide = 5 * g.size
        plank = np.floor(v / wide)
        u2, v2 = u + plank * 37, v + plank * 11
        warp = noise(u2 * 0.06, v2 * 0.12) * 0.9
        ring = 0.5 + 0.5 * np.sin((v2 + warp * 1.5) * F(4.5) + noise(u2 * 0.2, v2 * 0.7) * 0.8)
        grain = noise(u2 * 0.25, v2 * 7, 7) * 0.16 + noise(u2 * 0.6, v2 * 15, 15) * 0.12
        out = mix(g.a, g.b, np.clip(0.25 + 0.4 * ring + grain + 0.12 * np.sin(plank * 5), 0, 1))
        gap = np.abs(np.mod(v, wide) - wide / 2) > wide / 2 - 0.035
        return out * (1 - 0.6 * gap[..., None])
    out = mix(g.a, g.b, pattern_of(g, u, v, noise))
    if g.name == "cloth":
        threads = noise(u * 1.2, v * 13, 13) * 0.07 + noise(u * 13, v * 1.2, 13) * 0.07
        fold = noise(u * 0.07, v * 0.09) * 0.07
        weave = np.sin(u * 38) * np.sin(v * 38) * 0.08 * np.clip(1.2 - 14 * noise.foot, 0, 1)
        return out * np.clip(1 + threads + fold + weave, 0.2, 2)[..., None]
    if g.name == "felt":
        return out * np.clip(1 + 0.06 * noise.fbm(u, v, 7, 3, 0.9) + 0.03 * noise(u * 0.3, v * 0.3), 0.2, 2)[..., None]
    if g.name == "stone" and g.pattern == "marble":
        vein = np.exp(-np.abs(noise.fbm(u, v, 0.12, 4, 0.55)) * 9)
        return mix(g.a, g.b, 0.75 * vein + 0.1 * np.clip(noise(u * 0.1, v * 0.1), 0, 1))
    if g.name == "stone":
        k = noise.fbm(u, v, 4 if g.pattern == "granite" else 0.6, 3, 0.7)
        return mix(out, g.b, np.clip(k * 0.35, 0, 1)) * np.clip(1 + 0.12 * k, 0.3, 2)[..., None]
    grit = 0.05 * np.abs(noise(u * 6, v * 6, 6)) if g.name == "mat" else 0.008 * noise.fbm(u, v, 3, 3)
    return out * (1 + grit + 0.015 * noise(u * 0.1, v * 0.1))[..., None]


@dataclass
class Scene:
    kind: str
    camera: Camera
    ground: Ground
    lamps: list[Lamp]
    sky: Array  # ambient light from above
    window: Array  # where the room's window is
    exposure: float
    edge: float  # the table ends here (y), beyond is the room
    solids: list[Solid] = field(default_factory=list)
    flats: list[tuple[Array, Array]] = field(default_factory=list)  # drawing, its corners on the table

    def dice(self) -> list[Solid]:
        return [s for s in self.solids if s.die]


def pick_camera(kind: str, die_px: float, size: tuple[int, int], rng: np.random.Generator) -> Camera:
    low, high = {"rig": (0, 12), "table": (15, 45), "hard": (30, 60)}[kind]
    tilt, roll = np.radians(rng.uniform(low, high)), np.radians(rng.normal(0, 4))
    focal = size[0] * rng.uniform(1.0, 1.7)
    away = focal / die_px
    s, c = np.sin(tilt), np.cos(tilt)
    right, down, ahead = np.array([1.0, 0, 0]), np.array([0, -c, -s]), np.array([0, s, -c])
    cr, sr = np.cos(roll), np.sin(roll)
    axes = np.stack([cr * right + sr * down, cr * down - sr * right, ahead])
    return Camera(-ahead * away, axes, focal, *size)


def pick_lamps(kind: str, dark: bool, rng: np.random.Generator) -> list[Lamp]:
    tints = [(1, 0.97, 0.92), (1, 0.86, 0.68), (1, 0.72, 0.45), (0.85, 0.93, 1), (1, 1, 1)]
    if kind == "hard":
        tints += [(1, 0.5, 0.45), (0.55, 0.65, 1), (0.7, 1, 0.75)]
    lamps = []
    for i in range(int(rng.integers(2, 4) if kind == "rig" else rng.integers(1, 4))):
        rise = np.radians(rng.uniform(50, 85) if kind == "rig" else rng.uniform(32, 80))
        far, turn = rng.uniform(14, 25) if dark else rng.uniform(22, 60), rng.uniform(0, 2 * np.pi)
        place = far * np.array([np.cos(rise) * np.cos(turn), np.cos(rise) * np.sin(turn), np.sin(rise)])
        wide = far * (
            rng.uniform(0.12, 0.35) if kind == "rig" else rng.choice([rng.uniform(0.02, 0.06), rng.uniform(0.08, 0.3)])
        )
        power = rng.uniform(0.6, 1) if kind == "rig" else rng.uniform(0.3, 1) * 0.7**i
        lamps.append(Lamp(place, lin(tints[rng.integers(len(tints))]) * power * far**2, float(wide)))
    return lamps


def apart(a: Array, b: Array) -> bool:
    """Whether two convex outlines on the table are apart."""
    for p in (a, b):
        e = np.roll(p, -1, 0) - p
        n = np.stack([-e[:, 1], e[:, 0]], -1)
        if np.any(((a @ n.T).max(0) < (b @ n.T).min(0)) | ((b @ n.T).max(0) < (a @ n.T).min(0))):
            return True
    return False


def cover_of(camera: Camera, points: Array) -> Array:
    mask = np.zeros((camera.height, camera.width), np.uint8)
    px, depth = camera.project(points)
    if depth.min() < 0.5:
        mask[:] = 1
    else:
        cv2.fillConvexPoly(mask, cv2.convexHull(np.round(np.clip(px, -9999, 9999)).astype(np.int32)), 1)
    return mask


def fits(scene: Scene, new: Solid) -> bool:
    """Whether a solid may join: no overlap on the table, dice stay seen."""
    if not all(apart(new.reach[:4, :2], s.reach[:4, :2]) for s in scene.solids):
        return False
    both, camera = [*scene.solids, new], scene.camera
    masks = [cover_of(camera, s.reach) for s in both]
    far = [np.linalg.norm(s.centre - camera.eye) for s in both]
    for i, s in enumerate(both):
        if not s.die or (s is not new and not np.any(masks[i] & masks[-1])):
            continue
        over = [m for j, m in enumerate(masks) if j != i and (far[j] < far[i] or not both[j].die)]
        hidden = np.max(over, 0) if over else np.zeros_like(masks[i])
        top = cover_of(camera, s.reach[4:])
        if (hidden & masks[i]).sum() > 0.16 * masks[i].sum() or (hidden & top).sum() > 0.07 * top.sum():
            return False
    return True


def place_dice(scene: Scene, count: int, span: tuple[float, float], hard: bool, rng: np.random.Generator) -> None:
    camera, styles = scene.camera, [pick_style(rng, hard) for _ in range(rng.choice([1, 2, 3], p=[0.5, 0.3, 0.2]))]
    middle = rng.uniform(0.3, 0.7, 2) * (camera.width, camera.height)
    loose, touch = rng.uniform(0.1, 0.4), rng.choice([0, 0.25, 0.6])
    for _ in range(count * 40):
        if len(scene.dice()) >= count:
            break
        style, yaw = styles[rng.integers(len(styles))], rng.uniform(0, 2 * np.pi)
        if scene.dice() and rng.random() < touch:
            other = scene.dice()[rng.integers(len(scene.dice()))]
            yaw = other.yaw + rng.integers(4) * np.pi / 2 + rng.choice([0, rng.normal(0, 0.03)])
            way = rng.integers(4) * np.pi / 2 + other.yaw
            gap, slip = rng.uniform(1.01, 1.06) * (style.edge + other.die.style.edge) / 2, rng.uniform(-0.5, 0.5)
            x, y = (
                other.centre[:2]
                + gap * np.array([np.cos(way), np.sin(way)])
                + slip * np.array([-np.sin(way), np.cos(way)])
            )
        else:
            px = middle + rng.normal(0, loose, 2) * (camera.width, camera.height)
            x, y = camera.floor_at(*np.clip(px, 10, (camera.width - 10, camera.height - 10)))[:2]
        new = die_solid(style, int(rng.integers(1, 7)), x, y, yaw, rng)
        px, depth = camera.project(np.vstack([new.reach, new.centre]))
        inside = np.all((px > 4) & (px < (camera.width - 5, camera.height - 5)))
        if (
            inside
            and span[0] <= camera.focal * style.edge / depth[-1] <= span[1]
            and depth.min() > 1
            and y < scene.edge - 1
            and fits(scene, new)
        ):
            scene.solids.append(new)


def place_things(scene: Scene, count: int, flats: int, die_px: float, rng: np.random.Generator) -> None:
    camera = scene.camera

    def spot() -> Array:
        return camera.floor_at(*(rng.uniform(-0.05, 1.05, 2) * (camera.width, camera.height)))[:2]

    for _ in range(flats):
        art, (w, h) = flat_art(str(rng.choice(["card", "back", "note", "sheet", "coaster", "napkin"])), rng, 2 * die_px)
        turn, (x, y) = rng.uniform(0, 2 * np.pi), spot()
        c, s = np.cos(turn), np.sin(turn)
        corners = np.array([[-w, h], [w, h], [w, -h], [-w, -h]]) / 2 @ np.array([[c, s], [-s, c]]) + (x, y)
        corners = np.column_stack([corners, np.zeros(4)])
        if corners[:, 1].max() < scene.edge - 0.3 and camera.project(corners)[1].min() > 1:
            scene.flats.append((art, corners))
    for _ in range(count * 8):
        if count <= 0:
            break
        x, y = spot()
        new = thing(
            str(rng.choice(["coin", "coin", "pen", "cup", "key", "box", "rubber", "block"])),
            x,
            y,
            rng.uniform(0, 2 * np.pi),
            rng,
        )
        if new.reach[:, 1].max() < scene.edge - 0.3 and camera.project(new.reach)[1].min() > 2 and fits(scene, new):
            scene.solids.append(new)
            count -= 1


def add_tray(scene: Scene, rng: np.random.Generator) -> None:
    """Four walls about the view of a rig."""
    camera, tone, high = (
        scene.camera,
        hue(rng.random(), rng.uniform(0, 0.6), rng.uniform(0.1, 0.9)),
        rng.uniform(0.4, 1.2),
    )
    reach = np.abs(camera.floor_at(0, camera.height - 1)[:2]) * rng.uniform(0.85, 0.97)
    for axis in (0, 1):
        for sign in (-1, 1):
            half = np.array([0.3, 0.3, high / 2])
            half[1 - axis] = reach[1 - axis] + (0.6 if axis else 0)
            at = np.array([0, 0, high / 2])
            at[axis] = sign * (reach[axis] + 0.3)
            scene.solids.append(
                Solid(
                    at,
                    0.0,
                    half,
                    lambda p, half=half: slab(p, half, 0.08),
                    lambda p: Look(np.broadcast_to(tone.astype(F), p.shape), 0.04, 0.4),
                )
            )


def build(kind: str, size: tuple[int, int], rng: np.random.Generator) -> Scene:
    as_kind = kind if kind != "empty" else str(rng.choice(["rig", "table", "hard"], p=[0.2, 0.45, 0.35]))
    hard = as_kind == "hard"
    far, dark = hard and rng.random() < 0.35, hard and rng.random() < 0.35
    low, high = {"rig": (35, 80), "table": (22, 60), "hard": (16, 26) if far else (24, 60)}[as_kind]
    die_px = rng.uniform(low + 0.12 * (high - low), low + 0.85 * (high - low)) * size[0] / 640
    camera = pick_camera(as_kind, die_px, size, rng)
    edge = camera.floor_at(size[0] / 2, size[1] * rng.uniform(-0.05, 0.15))[1] if as_kind != "rig" else 1e6
    edge = edge if rng.random() < 0.5 else camera.eye[2] * 8
    lamps = pick_lamps(as_kind, dark, rng)
    flux = sum(lamp.colour * lamp.place[2] / np.linalg.norm(lamp.place) ** 3 for lamp in lamps)
    sky = flux.mean() * lin(rng.uniform(0.85, 1, 3)) * rng.uniform(*((0.6, 1.1) if as_kind == "rig" else (0.25, 0.8)))
    exposure = rng.uniform(0.75, 1.05) * (rng.uniform(0.24, 0.45) if dark else 1) / float((flux + sky).mean())
    scene = Scene(
        as_kind,
        camera,
        pick_ground(as_kind, rng),
        lamps,
        sky,
        unit(rng.normal(0, 1, 3) * (1, 1, 0.2) + (0, 0, 0.5)),
        exposure,
        edge,
    )
    if as_kind == "rig" and rng.random() < 0.5:
        add_tray(scene, rng)
    if kind != "empty":
        count = int(rng.integers(1, {"rig": 7, "table": 13, "hard": 9}[kind]))
        scale = size[0] / 640
        for _ in range(9):
            place_dice(scene, count, (low * scale, high * scale), hard, rng)
            if scene.dice():
                break
    clutter = int(rng.integers(2, 7)) if (hard and rng.random() < 0.6) or kind == "empty" else int(rng.integers(0, 2))
    if as_kind != "rig" or kind == "empty":
        place_things(scene, clutter, int(rng.integers(0, 4)) if clutter > 1 else int(rng.random() < 0.3), die_px, rng)
    return scene


def march(sdf: Callable[[Array], Array], o: Array, d: Array, radius: float) -> tuple[Array, Array]:
    """Distances along rays (own frame) and which of them hit."""
    mid = -(d @ o)
    t, end, hit = np.maximum(mid - radius * F(1.02), 0), mid + radius, np.zeros(len(d), bool)
    live = np.arange(len(d))
    for _ in range(70):
        h = sdf(o + d[live] * t[live, None])
        t[live] += h
        hit[live[h < 0.0015]] = True
        live = live[(h >= 0.0015) & (t[live] < end[live])]
        if not len(live):
            break
    return t, hit


def normals(sdf: Callable[[Array], Array], p: Array) -> Array:
    k = np.array([[1, -1, -1], [-1, -1, 1], [-1, 1, -1], [1, 1, 1]], F)
    return unit(sum(e * sdf(p + e * F(0.004))[:, None] for e in k))


def lit(solid: Solid, points: Array, lamp: Lamp) -> Array:
    """Share of a lamp's disc seen from points past a solid (soft shadow)."""
    p = solid.own(points)
    way = solid.own(lamp.place.astype(F)[None])[0] - p
    far = length(way)
    d, k = way / far[:, None], far / F(lamp.radius)
    mid = -np.einsum("ij,ij->i", p, d)
    miss = np.sqrt(np.maximum(np.einsum("ij,ij->i", p, p) - mid**2, 0))
    out = np.ones(len(p), F)
    live = np.flatnonzero((mid > -solid.radius) & (miss < solid.radius + np.maximum(mid, 0) / k))
    if not len(live):
        return out
    p, d, k, mid = p[live], d[live], k[live], mid[live]
    t, res = np.maximum(mid - solid.radius * 1.05, 0.02), np.ones(len(live), F)
    shape = solid.die.hull if solid.die else solid.sdf
    steps, least = (50, 0.015) if solid.half[2] > 1.5 else (22, 0.04)  # fine for the thin walls of cups
    for _ in range(steps):
        h = shape(p + d * t[:, None])
        res = np.minimum(res, k * h / t)
        t = t + np.clip(h, least * solid.radius, 0.5 * solid.radius)
        if np.all((t > mid + solid.radius) | (res < -1)):
            break
    res = np.clip(res, -1, 1)
    out[live] = 0.25 * (1 + res) ** 2 * (2 - res)
    return out


def closed(solid: Solid, points: Array, normal: Array) -> Array:
    """Ambient light left by a solid near points (occlusion)."""
    out = np.ones(len(points), F)
    for far, weight in ((0.1, 0.3), (0.3, 0.3), (0.7, 0.25)):
        out *= 1 - F(weight) * np.clip(1 - solid.sdf(solid.own(points + normal * F(far))) / F(far), 0, 1)
    return out


def room(scene: Scene, d: Array, rough: float) -> Array:
    """What a mirror sees in a direction: ceiling, walls, window, table."""
    up, blur = d[:, 2], 0.05 + rough
    out = mix(scene.sky * 0.35, scene.sky * 1.1, smooth(-0.2, 1, up))
    w = scene.window
    side = unit(np.array([-w[1], w[0], 1e-6]))
    x, y = d @ side.astype(F), d @ np.cross(w, side).astype(F)
    pane = (1 - smooth(0.28 - blur * 0.2, 0.28 + blur, np.abs(x))) * (
        1 - smooth(0.2 - blur * 0.2, 0.2 + blur, np.abs(y))
    )
    out = out + (pane * (d @ w.astype(F) > 0) * (1 - 0.8 * (np.abs(x) < 0.02)))[:, None] * scene.sky * F(3)
    table = scene.ground.a * (scene.sky + sum(lamp.colour / (lamp.place @ lamp.place) for lamp in scene.lamps) * 0.5)
    return mix(table, out, smooth(-0.12, 0.08, up))


def shine(scene: Scene, p: Array, mirror: Array, rough: float, shares: list[Array], cap: Array | float = 60.0) -> Array:
    """Lamps seen in the gloss, no stronger than the cap."""
    out = np.zeros((len(p), 3), F)
    for lamp, share in zip(scene.lamps, shares, strict=True):
        way = lamp.place.astype(F) - p
        far = length(way)
        wide = (lamp.radius / far) ** 2 + rough**2 * 0.35 + 0.0006
        lobe = np.exp(-(1 - np.einsum("ij,ij->i", way, mirror) / far) * 2 / wide) / wide
        out += (np.minimum(lobe * 0.9, cap) * share / far**2)[:, None] * lamp.colour.astype(F)
    return out


def shade(scene: Scene, solid: Solid, own: Array, d: Array, image: Array) -> Array:
    """Light towards the eye from own-frame surface points seen along world rays d."""
    n_own = normals(solid.sdf, own)
    n, p, look = n_own @ solid.turn.T, own @ solid.turn.T + solid.centre.astype(F), solid.look(own)
    near = [
        s
        for s in scene.solids
        if s is not solid and np.linalg.norm(s.centre - solid.centre) < s.radius + solid.radius + 4
    ]
    ao = np.ones(len(p), F)
    for other in near:
        ao *= closed(other, p, n)
    shares = []
    for lamp in scene.lamps:
        share = np.ones(len(p), F)
        for other in near:
            share *= lit(other, p + n * F(0.01), lamp)
        shares.append(share)
    sunk = np.zeros(len(p), F)
    if solid.die and solid.die.style.depth:
        sunk = np.clip(-solid.die.hull(own / solid.die.style.edge) * 6, 0, 0.5)
    table = scene.ground.a * (scene.sky + sum(lamp.colour / (lamp.place @ lamp.place) for lamp in scene.lamps)) * 0.55
    foot = np.clip(0.35 + p[:, 2] * 1.3, 0, 1)[:, None]
    up = (0.5 + 0.5 * n[:, 2])[:, None]
    light = (up * (0.4 + 0.6 * foot) * scene.sky + (1 - up) * foot * table) * (ao * (1 - sunk))[:, None]
    for lamp, share in zip(scene.lamps, shares, strict=True):
        way = lamp.place.astype(F) - p
        far = length(way)
        face = np.clip((np.einsum("ij,ij->i", n, way) / far + 0.06) / 1.06, 0, 1)
        if not solid.die and solid.half[2] > 1.5:
            share *= lit(solid, p + n * F(0.08), lamp)
        light = light + (face * share * (1 - sunk * 0.5) / far**2)[:, None] * lamp.colour.astype(F)
    cos = np.clip(-np.einsum("ij,ij->i", n, d), 0, 1)
    mirror = d + 2 * cos[:, None] * n
    fresnel = (look.f0 + (1 - look.f0) * (1 - cos) ** 5 * (1 - look.rough) ** 2)[:, None].astype(F)
    cap = 60 - 54 * smooth(0.9, 0.99, n[:, 2]) if solid.die else 60.0  # a lamp in a flat top would drown the pips
    glow = room(scene, mirror, look.rough) * (ao * foot[:, 0])[:, None] + shine(
        scene, p, mirror, look.rough, shares, cap
    )
    if solid.die and solid.die.style.stuff == "clear":
        through = see_through(scene, solid, own, n_own, d, image)
        cover = solid.die.ink(own / solid.die.style.edge)[0][:, None]
        body = light * look.albedo * (0.15 + 0.85 * cover) + through * (1 - cover)
        return body * (1 - fresnel) + fresnel * glow
    tint = look.albedo if look.metal else 1
    return look.albedo * light * (1 - fresnel) * (0.45 if look.metal else 1) + fresnel * glow * tint


def see_through(scene: Scene, solid: Solid, own: Array, n: Array, d: Array, image: Array) -> Array:
    """Light that comes through a clear die: bent in, once out, from the ground picture."""
    style, view = solid.die.style, d @ solid.turn
    ratio, cos = F(1 / 1.45), np.clip(-np.einsum("ij,ij->i", n, view), 0, 1)
    bent = ratio * view + (ratio * cos - np.sqrt(1 - ratio**2 * (1 - cos**2)))[:, None] * n
    side = np.where(np.abs(bent) < 1e-5, 1e-5, bent)
    path = np.maximum(((np.sign(side) * style.edge / 2 - own) / side).min(-1), 0)
    out = own + bent * path[:, None]
    cover, ink = solid.die.ink(out / style.edge)
    leave = out @ solid.turn.T + solid.centre.astype(F)
    way = bent @ solid.turn.T
    leave = leave + way * (leave[:, 2:] / np.maximum(-way[:, 2:], 0.2))
    px = scene.camera.project(leave)[0] * FINE + (FINE - 1) / 2
    h, w = image.shape[:2]
    x, y = np.clip(px[:, 0], 0, w - 1).astype(int), np.clip(px[:, 1], 0, h - 1).astype(int)
    tint = np.power(np.clip(style.body * 1.1 + 0.02, 0, 1), (0.25 + 0.8 * path)[:, None])
    seen = image[y, x] * (1 - 0.7 * cover[:, None]) + 0.25 * cover[:, None] * ink * scene.sky
    return (seen * 1.15 + scene.sky * 0.1) * tint


def grid_of(camera: Camera, fine: int) -> tuple[Array, Array, Array]:
    """World rays, distances to the table and table points of a picture's samples."""
    xs, ys = np.meshgrid(
        (np.arange(camera.width * fine, dtype=F) + 0.5) / fine - 0.5,
        (np.arange(camera.height * fine, dtype=F) + 0.5) / fine - 0.5,
    )
    d = camera.rays(xs, ys)
    t = F(camera.eye[2]) / np.maximum(-d[..., 2], F(0.03))
    return d, t, camera.eye.astype(F) + d * t[..., None]


def ground_light(scene: Scene) -> tuple[Array, list[Array]]:
    """Openness of the ground and each lamp's share on it, a value per pixel."""
    camera = scene.camera
    p = grid_of(camera, 1)[2]
    ao, shares = np.ones(p.shape[:2], F), [np.ones(p.shape[:2], F) for _ in scene.lamps]
    for s in scene.solids:
        glassy = 0.5 if s.die and s.die.style.stuff == "clear" else 1.0
        spread = (s.reach - s.centre) * (1 + 0.8 / np.abs(s.half).min()) if s.radius < 1 else (s.reach - s.centre) * 1.5
        around = (s.centre + spread) * (1, 1, 0)
        where = np.nonzero(cover_of(camera, around))
        ao[where] *= 1 - glassy * (1 - closed(s, p[where], np.array([0, 0, 1], F)))
        for lamp, share in zip(scene.lamps, shares, strict=True):
            rim = [
                lamp.place + lamp.radius * np.array(o)
                for o in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, -0.9))
            ]
            thrown = np.vstack([r + (s.reach - r) * (r[2] / np.maximum(r[2] - s.reach[:, 2:], 0.5)) for r in rim])
            where = np.nonzero(cover_of(camera, thrown))
            share[where] *= 1 - glassy * (1 - lit(s, p[where], lamp))
    return ao, shares


def draw_ground(scene: Scene, d: Array, t: Array, p: Array, rng: np.random.Generator) -> Array:
    """The lit table, its flat things and the room behind it."""
    camera, g, noise = scene.camera, scene.ground, Noise(rng)
    wide = (camera.width * FINE, camera.height * FINE)
    noise.foot = t / (camera.focal * FINE) / np.sqrt(np.clip(-d[..., 2], 0.05, 1))
    albedo = paint(g, p[..., 0], p[..., 1], noise)
    for art, corners in scene.flats:
        h, w = art.shape[:2]
        to = (camera.project(corners)[0] * FINE + (FINE - 1) / 2).astype(F)
        m = cv2.getPerspectiveTransform(np.array([[0, 0], [w, 0], [w, h], [0, h]], F), to)
        laid = cv2.warpPerspective(art, m, wide, flags=cv2.INTER_LINEAR)
        dim = cv2.GaussianBlur(laid[..., 3], (0, 0), 3)
        albedo = albedo * (1 - 0.35 * dim * (1 - laid[..., 3]))[..., None]
        albedo = albedo * (1 - laid[..., 3:]) + np.clip(laid[..., :3], 0, 1) ** 2.2 * laid[..., 3:]
    ao, shares = ground_light(scene)
    light = cv2.resize(ao, wide)[..., None] * scene.sky.astype(F)
    flat, gloss = p.reshape(-1, 3), 0
    mirror = (d * np.array([1, 1, -1], F)).reshape(-1, 3)
    big = [cv2.resize(s, wide) for s in shares]
    for lamp, share in zip(scene.lamps, big, strict=True):
        far = length(lamp.place.astype(F) - p)
        light = light + (F(lamp.place[2]) / far**3 * share)[..., None] * lamp.colour.astype(F)
    if g.gloss:
        gloss = (shine(scene, flat, mirror, 0.3, [s.reshape(-1) for s in big]) * F(0.03 * g.gloss)).reshape(p.shape)
        gloss = gloss + (g.gloss * 0.6 * (1 + d[..., 2]) ** 5)[..., None] * scene.sky.astype(F)
    out = albedo * light + gloss
    away = (p[..., 1] > scene.edge) | (d[..., 2] > -0.035)
    if away.any():
        dim = cv2.GaussianBlur(cv2.resize(noise.tile[:24, :32], wide, interpolation=cv2.INTER_CUBIC), (0, 0), 12)
        back = scene.sky * (0.25 + 0.12 * dim[..., None] * np.array([1, 0.9, 0.7], F)) * scene.ground.b**0.3
        out = np.where(away[..., None], back, out)
    return out.astype(F)


def trace(scene: Scene, rng: np.random.Generator) -> tuple[Array, Array]:
    """Linear picture and, for each sample, 1 + the index of the solid seen (0: ground)."""
    d, depth, p = grid_of(scene.camera, FINE)
    image = draw_ground(scene, d, depth, p, rng)
    bare, owner, depth = image.copy(), np.zeros(depth.shape, np.int32), depth.copy()
    eye = scene.camera.eye.astype(F)
    for i, s in enumerate(scene.solids):
        mask = cv2.resize(
            cv2.dilate(cover_of(scene.camera, s.reach), np.ones((3, 3), np.uint8)),
            None,
            fx=FINE,
            fy=FINE,
            interpolation=cv2.INTER_NEAREST,
        )
        ys, xs = np.nonzero(mask)
        view = d[ys, xs]
        own_eye, own_view = s.own(eye[None])[0], view @ s.turn
        t, hit = march(s.sdf, own_eye, own_view, s.radius)
        hit &= t < depth[ys, xs] + 0.01
        ys, xs, t, own_view = ys[hit], xs[hit], t[hit], own_view[hit]
        if len(t):
            image[ys, xs] = shade(scene, s, own_eye + own_view * t[:, None], view[hit], bare)
            depth[ys, xs], owner[ys, xs] = t, i + 1
    return image, owner


def develop(image: Array, scene: Scene, rng: np.random.Generator) -> Array:
    """Lens, sensor and JPEG: linear samples to the BGR picture."""
    size = (scene.camera.width, scene.camera.height)
    x = np.clip(image * F(scene.exposure), 0, 3)
    x = cv2.resize(x, size, interpolation=cv2.INTER_AREA)
    x = cv2.GaussianBlur(x, (0, 0), rng.uniform(0.3, 0.75 if scene.kind != "hard" else 0.6))
    x = x + cv2.GaussianBlur(np.maximum(x - 0.9, 0), (0, 0), 6) * 0.15
    yy, xx = np.mgrid[-1 : 1 : size[1] * 1j, -1 : 1 : size[0] * 1j].astype(F)
    x = x * (1 - rng.uniform(0, 0.35) * (xx**2 + yy**2)[..., None] / 2) * lin(rng.uniform(0.94, 1, 3))
    dark = x.mean() < 0.06
    grain = rng.uniform(0.0002, 0.0012) * (2 if dark else 1)
    spread = np.sqrt(grain * np.maximum(x, 0) + (grain * 3) ** 2) * 0.55
    speck = rng.standard_normal(x.shape).astype(F)
    x = x + spread * (speck * 0.7 + 0.5 * cv2.GaussianBlur(speck, (0, 0), 0.8))
    x = np.where(x < 0.7, x, 0.7 + 0.3 * np.tanh((x - 0.7) / 0.42))
    y = np.clip(x, 0, 1) ** F(1 / 2.2)
    y = y + rng.uniform(0, 0.5) * (y - cv2.GaussianBlur(y, (0, 0), 1.2))
    bgr = np.clip(y[..., ::-1] * 255 + 0.5, 0, 255).astype(np.uint8)
    return cv2.imdecode(cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(68, 96))])[1], 1)


def render(kind: str, seed: int, size: tuple[int, int] = (640, 480)) -> Shown:
    """A picture of a kind, the same for the same (kind, seed, size)."""
    rng = np.random.default_rng([KINDS.index(kind), seed, 0x3A9C])
    scene = build(kind, size, rng)
    dice = scene.dice()
    picture = develop(trace(scene, rng)[0], scene, rng)
    return Shown(picture, tuple(s.die.value for s in dice), tuple(box_of(scene.camera, s) for s in dice))


def box_of(camera: Camera, solid: Solid) -> tuple[float, float, float, float]:
    px = camera.project(solid.reach)[0]
    (x, y), (w, h) = px.min(axis=0), np.ptp(px, axis=0)
    return float(x), float(y), float(w), float(h)


def main(arguments: list[str] | None = None) -> None:
    command(arguments, description=__doc__, kinds=KINDS, count=40, first=1000, render=render)


if __name__ == "__main__":
    main()
