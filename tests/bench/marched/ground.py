"""What the dice lie on, by lot, and its colours."""

from __future__ import annotations

import numpy as np

from tests.bench.marched.linear import Array, F, Noise, hue, lin, mix, smooth
from tests.bench.marched.model import Ground


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
