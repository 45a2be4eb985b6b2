"""What tables are covered with, by lot, as pictures of 0–1 in sRGB."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from tests.bench.staged.chance import Array, clouds, hsv, noise, paint, pick
from tests.bench.staged.printed import newspaper, stamped
from tests.bench.staged.solids import Finish, Relief

SIDE = 1024  # pixels
FOLDED = ("gingham", "flowers", "linen")  # cloths that may lie in folds
CREAM, WEAVE = np.array([0.88, 0.86, 0.8]), 1500.0


@dataclass(frozen=True, slots=True)
class Ground:
    finish: Finish
    wide: float = 0.62  # metres that its picture covers


def random_ground(rng: np.random.Generator, kind: str) -> Ground:
    ground = GROUNDS[kind](rng)
    finish = ground.finish
    if kind != "glass" and rng.random() < 0.35:
        finish = replace(finish, colour=_crumbs(rng, finish.colour))
    if kind in FOLDED and rng.random() < 0.6:
        scale, shift = rng.uniform(6, 14), rng.uniform(0, 9)
        finish = replace(finish, relief=Relief(scale, rng.uniform(0.3, 0.8), deep=0.015, bend=1, shift=shift))
    picture = np.clip(finish.colour, 0, 1).astype(np.float32)
    return replace(ground, finish=replace(finish, colour=picture))


def _crumbs(rng: np.random.Generator, picture: Array) -> Array:
    dirty = _drawable(picture)
    for _ in range(int(rng.integers(3, 30))):
        at, size = _spot(rng), int(rng.integers(1, 4))
        cv2.circle(dirty, at, size, paint(np.array([0.6, 0.45, 0.25]) * rng.uniform(0.3, 1.3)), -1, cv2.LINE_AA)
    return dirty


def _spot(rng: np.random.Generator) -> tuple[int, int]:
    x, y = rng.integers(0, SIDE, 2)
    return int(x), int(y)


def _drawable(picture: Array) -> Array:
    return np.ascontiguousarray(np.broadcast_to(picture, (SIDE, SIDE, 3)), np.float32).copy()


def _grained(rng: np.random.Generator) -> Array:
    """Wood: years that run along it, and fibres."""
    tones = ((0.62, 0.43, 0.27), (0.45, 0.28, 0.16), (0.75, 0.6, 0.42), (0.3, 0.18, 0.1), (0.55, 0.35, 0.22))
    tone = np.array(pick(rng, [*tones, (0.7, 0.66, 0.6)]))
    bend = clouds(rng, SIDE, 3, 3, 0.4)
    down = np.linspace(0, 1, SIDE, dtype=np.float32)[:, None] + 0.06 * bend
    years = 0.5 + 0.5 * np.sin(2 * np.pi * down * rng.uniform(12, 40) + 3 * clouds(rng, SIDE, 6, 3, 0.15))
    fibres = noise(rng, SIDE, 30, SIDE) + 0.7 * noise(rng, SIDE, 12, SIDE // 2)
    light = 1 + 0.28 * (years - 0.5) + 0.22 * fibres + 0.25 * clouds(rng, SIDE, 4, 2, 0.3)
    return np.asarray(light[..., None] * tone)


def _wood(rng: np.random.Generator) -> Ground:
    picture = _grained(rng)
    return Ground(Finish(picture, rng.uniform(0.35, 0.65), relief=Relief(800, 0.1)))


def _planks(rng: np.random.Generator) -> Ground:
    picture = _grained(rng)
    count = int(rng.integers(5, 11))
    high = SIDE // count
    for plank in range(count + 1):
        top, along = plank * high, int(rng.integers(SIDE))
        here = slice(top, min(SIDE, top + high))
        picture[here] = np.roll(picture[here], along, 1) * rng.uniform(0.82, 1.15)
        if top < SIDE:
            picture[max(0, top - 2) : top + 1] *= rng.uniform(0.25, 0.5)
    return Ground(Finish(picture, rng.uniform(0.35, 0.65), relief=Relief(800, 0.1)))


def _glossy_wood(rng: np.random.Generator) -> Ground:
    return Ground(Finish(_grained(rng), rng.uniform(0.12, 0.25), coat=0.5, relief=Relief(800, 0.1)))


def _fibrous(rng: np.random.Generator, colour: Array) -> Ground:
    light = 1 + 0.5 * noise(rng, SIDE, SIDE) + 0.3 * noise(rng, SIDE, SIDE // 3) + 0.2 * clouds(rng, SIDE, 4, 3)
    return Ground(Finish(light[..., None] * colour, 1.0, sheen=0.3, relief=Relief(WEAVE, 0.6)))


def _felt(rng: np.random.Generator) -> Ground:
    return _fibrous(rng, hsv(rng.random(), rng.uniform(0.2, 0.85), rng.uniform(0.12, 0.6)))


def _baize(rng: np.random.Generator) -> Ground:
    return _fibrous(rng, np.array([0.06, 0.36, 0.2]) * rng.uniform(0.7, 1.4))


def _leather(rng: np.random.Generator) -> Ground:
    tones = ((0.3, 0.17, 0.09), (0.06, 0.055, 0.05), (0.35, 0.08, 0.07), (0.45, 0.3, 0.18), (0.1, 0.14, 0.25))
    tone = np.array(pick(rng, tones))
    picture = (1 + 0.35 * clouds(rng, SIDE, 6, 4))[..., None] * tone
    return Ground(Finish(picture, rng.uniform(0.35, 0.6), relief=Relief(350, 0.5, cells=True)))


def _neoprene(rng: np.random.Generator) -> Ground:
    """A mat with a painted nebula, and perhaps a grid, stars or orbits on it."""
    one, other, hue = clouds(rng, SIDE, 3, 5), clouds(rng, SIDE, 4, 5), rng.random()
    hues, saturations = (hue + 0.25 * one) % 1 * 360, np.clip(0.6 + 0.5 * other, 0, 1)
    values = np.clip(0.4 + 0.6 * one + 0.3 * other, 0.03, 0.95)
    painted = cv2.cvtColor(np.stack([hues, saturations, values], -1).astype(np.float32), cv2.COLOR_HSV2RGB)
    picture = _drawable(np.asarray(painted))
    match int(rng.integers(4)):
        case 0:
            for line in range(0, SIDE, SIDE // 24):
                picture[line : line + 2] *= 0.5
                picture[:, line : line + 2] *= 0.5
        case 1:
            for _ in range(250):
                cv2.circle(picture, _spot(rng), int(rng.integers(1, 4)), (0.95, 0.95, 0.9), -1, cv2.LINE_AA)
        case 2:
            x, y = (int(at) for at in rng.integers(SIDE // 3, 2 * SIDE // 3, 2))
            for radius in range(60, SIDE, int(rng.integers(60, 140))):
                colour = paint(hsv(rng.random(), 0.4, 0.9))
                cv2.circle(picture, (x, y), radius, colour, int(rng.integers(1, 6)), cv2.LINE_AA)
    picture *= (1 + 0.12 * noise(rng, SIDE, SIDE))[..., None]
    return Ground(Finish(picture, 0.8, relief=Relief(1600, 0.3)))


def _gingham(rng: np.random.Generator) -> Ground:
    hue = pick(rng, [0, 0.33, 0.6, 0.58, 0.1, 0.9])
    colour, step = hsv(hue, rng.uniform(0.5, 0.9), rng.uniform(0.5, 0.8)), int(rng.integers(22, 90))
    stripes = ((np.arange(SIDE) // step) % 2).astype(np.float32)
    share = ((stripes[:, None] + stripes[None]) / 2)[..., None]
    picture = np.array([0.92, 0.91, 0.88]) * (1 - share) + colour * share
    if rng.random() < 0.35:
        thread = (np.arange(SIDE) % (step * 4)) < 3
        lines = np.maximum(thread[:, None], thread[None])[..., None]
        picture = np.where(lines, hsv(rng.random(), 0.8, 0.3), picture)
    picture *= (1 + 0.25 * noise(rng, SIDE, SIDE, SIDE // 2) + 0.1 * clouds(rng, SIDE, 4, 3))[..., None]
    return Ground(Finish(picture, 0.9, relief=Relief(WEAVE, 0.4)))


def _printed_cloth(rng: np.random.Generator) -> Array:
    return _drawable(CREAM if rng.random() < 0.6 else hsv(rng.random(), 0.5, rng.uniform(0.2, 0.7)))


def _uneven(rng: np.random.Generator, picture: Array) -> Array:
    return np.asarray(picture * (1 + 0.12 * noise(rng, SIDE, SIDE) + 0.12 * clouds(rng, SIDE, 4, 3))[..., None])


def _dots(rng: np.random.Generator) -> Ground:
    picture, step = _printed_cloth(rng), int(rng.integers(30, 80))
    radius = int(step * rng.uniform(0.12, 0.3))
    colour = paint(hsv(rng.random(), 0.8, 0.6) if picture.mean() > 0.6 else np.array([0.95, 0.94, 0.9]))
    for row, y in enumerate(range(0, SIDE + step, step)):
        for x in range(0, SIDE + step, step):
            cv2.circle(picture, (x + (step // 2) * (row % 2), y), radius, colour, -1, cv2.LINE_AA)
    roughness = rng.uniform(0.25, 0.8)
    return Ground(Finish(_uneven(rng, picture), roughness))


def _flowers(rng: np.random.Generator) -> Ground:
    picture = _printed_cloth(rng)
    for _ in range(int(rng.integers(60, 160))):
        _flower(rng, picture)
    return Ground(Finish(_uneven(rng, picture), 0.85, relief=Relief(800, 0.3)))


def _flower(rng: np.random.Generator, picture: Array) -> None:
    (x, y), size = _spot(rng), int(rng.integers(10, 34))
    colour = paint(hsv(pick(rng, [0, 0.95, 0.12, 0.6, 0.8, 0.05]), 0.75, 0.8))
    for _ in range(2):
        way = rng.uniform(0, 360)
        leaf = (int(x + 1.5 * size * math.cos(math.radians(way))), int(y + 1.5 * size * math.sin(math.radians(way))))
        cv2.ellipse(picture, leaf, (size, size // 3), way, 0, 360, (0.15, 0.4, 0.15), -1, cv2.LINE_AA)
    petals, first = int(rng.integers(5, 8)), rng.uniform(0, 6)
    for petal in range(petals):
        turn = first + petal * 2 * math.pi / petals
        at = (int(x + 0.6 * size * math.cos(turn)), int(y + 0.6 * size * math.sin(turn)))
        axes = (int(size * 0.55), int(size * 0.34))
        cv2.ellipse(picture, at, axes, math.degrees(turn), 0, 360, colour, -1, cv2.LINE_AA)
    cv2.circle(picture, (x, y), max(2, size // 4), (0.85, 0.7, 0.1), -1, cv2.LINE_AA)


def _news(rng: np.random.Generator) -> Ground:
    text = newspaper(rng, SIDE)[..., None] * np.array([1, 0.98, 0.92])
    return Ground(Finish(text * (1 + 0.1 * clouds(rng, SIDE, 3, 3))[..., None], 0.9), wide=0.5)


def _carpet(rng: np.random.Generator) -> Ground:
    one = hsv(rng.random(), rng.uniform(0.1, 0.6), rng.uniform(0.25, 0.7))
    other = hsv(rng.random(), rng.uniform(0.2, 0.7), rng.uniform(0.2, 0.7))
    pattern = (clouds(rng, SIDE, 5, 3) > 0.1).astype(np.float32)
    if rng.random() < 0.5:
        tiles = np.arange(SIDE) // 80
        pattern = ((tiles[:, None] + tiles[None]) % 2).astype(np.float32)
    share = np.asarray(cv2.GaussianBlur(pattern, (0, 0), 2)) if rng.random() < 0.6 else np.zeros_like(pattern)
    tufts = 1 + 0.9 * noise(rng, SIDE, SIDE // 3) + 0.5 * noise(rng, SIDE, SIDE)
    picture = (one * (1 - share[..., None]) + other * share[..., None]) * tufts[..., None]
    return Ground(Finish(picture, 1.0, relief=Relief(420, 1.0)))


def _marble(rng: np.random.Generator) -> Ground:
    tones = ((0.85, 0.84, 0.82), (0.12, 0.12, 0.13), (0.6, 0.58, 0.55), (0.4, 0.42, 0.4))
    tone = np.array(pick(rng, tones))
    veins = np.exp(-((clouds(rng, SIDE, 4, 5) / 0.04) ** 2))
    lighter = pick(rng, [-1, 1]) if 0.3 < tone.mean() < 0.7 else (-1 if tone.mean() > 0.5 else 1)
    cloudy = (1 + 0.2 * clouds(rng, SIDE, 5, 5))[..., None] * tone
    strength = np.asarray(cv2.GaussianBlur(noise(rng, SIDE, 6) + 0.5, (0, 0), 5))
    picture = cloudy + lighter * 0.28 * (veins * strength)[..., None]
    if rng.random() < 0.4:
        picture = picture * (1 + 0.7 * noise(rng, SIDE, SIDE // 4))[..., None]
    return Ground(Finish(picture, rng.uniform(0.06, 0.25)))


def _cardboard(rng: np.random.Generator) -> Ground:
    waves = np.sin(np.arange(SIDE) * 2 * np.pi / 11)[:, None]
    tone = np.array([0.62, 0.47, 0.32]) * rng.uniform(0.8, 1.15)
    light = 1 + 0.03 * waves + 0.12 * noise(rng, SIDE, SIDE) + 0.12 * clouds(rng, SIDE, 5, 4)
    picture = light[..., None] * tone
    if rng.random() < 0.5:
        picture *= 1 - 0.8 * stamped(rng, SIDE)[..., None]
    return Ground(Finish(picture, 0.85))


def _glass(rng: np.random.Generator) -> Ground:
    """On what is dark, or on brown wood."""
    if rng.random() < 0.5:
        picture = np.broadcast_to(np.array([0.05, 0.07, 0.07]), (SIDE, SIDE, 3))
    else:
        picture = (1 + 0.3 * clouds(rng, SIDE, 4, 4, 0.2))[..., None] * np.array([0.3, 0.2, 0.12])
    return Ground(Finish(picture, 0.02, coat=1))


def _laminate(rng: np.random.Generator) -> Ground:
    tones = ((0.85, 0.84, 0.82), (0.6, 0.6, 0.6), (0.78, 0.72, 0.62), (0.25, 0.25, 0.27), (0.7, 0.8, 0.85))
    tone = np.array(pick(rng, tones))
    picture = (1 + 0.05 * noise(rng, SIDE, SIDE) + 0.04 * clouds(rng, SIDE, 4, 3))[..., None] * tone
    if rng.random() < 0.4:
        picture = picture - rng.uniform(0.05, 0.2) * (noise(rng, SIDE, SIDE // 3) > 0.46)[..., None]
    return Ground(Finish(picture, rng.uniform(0.15, 0.5)))


def _board(rng: np.random.Generator) -> Ground:
    """A board game's, its fields in rows and columns."""
    picture, step = _drawable(hsv(rng.random(), 0.35, 0.8)), int(rng.integers(70, 120))
    picture += 0.3 * clouds(rng, SIDE, 4, 4)[..., None]
    for along in range(0, SIDE, step):
        for aside in (step, SIDE // 2, SIDE - 2 * step):
            for x, y in ((along, aside), (aside, along)):
                end, colour = (x + step - 4, y + step - 4), hsv(pick(rng, [0, 0.12, 0.33, 0.6, 0.8]), 0.75, 0.8)
                cv2.rectangle(picture, (x, y), end, paint(colour), -1)
                cv2.rectangle(picture, (x, y), end, (0.1, 0.1, 0.1), 2)
                if rng.random() < 0.3:
                    middle = (x + step // 2, y + step // 2)
                    cv2.circle(picture, middle, step // 4, (0.95, 0.95, 0.9), -1, cv2.LINE_AA)
    return Ground(Finish(picture, rng.uniform(0.25, 0.6)))


def _linen(rng: np.random.Generator) -> Ground:
    plain = rng.random() < 0.5
    tone = np.array([0.75, 0.7, 0.6]) if plain else hsv(rng.random(), rng.uniform(0.1, 0.6), rng.uniform(0.3, 0.8))
    threads = noise(rng, SIDE, SIDE // 40, SIDE) + noise(rng, SIDE, SIDE, SIDE // 40)
    picture = (1 + 0.3 * threads + 0.1 * clouds(rng, SIDE, 4, 3))[..., None] * tone
    return Ground(Finish(picture, 0.95, relief=Relief(1400, 0.4)))


GROUNDS: dict[str, Callable[[np.random.Generator], Ground]] = {
    "planks": _planks,
    "wood": _wood,
    "woodgloss": _glossy_wood,
    "felt": _felt,
    "baize": _baize,
    "leather": _leather,
    "neoprene": _neoprene,
    "gingham": _gingham,
    "flowers": _flowers,
    "news": _news,
    "carpet": _carpet,
    "marble": _marble,
    "cardboard": _cardboard,
    "glass": _glass,
    "laminate": _laminate,
    "dots": _dots,
    "board": _board,
    "linen": _linen,
}
