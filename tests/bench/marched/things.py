"""What lies on a table: dice and other things as solids, and flat things that are drawn."""

from __future__ import annotations

import cv2
import numpy as np

from tests.bench.marched.dice import Die, Look, Style
from tests.bench.marched.linear import Array, F, hue, lin, mix, smooth
from tests.bench.marched.model import Solid, slab, tube


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
