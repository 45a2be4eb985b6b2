"""What things lie on: wood, cloth, paper, felt, plastic, stone, moss or a wall."""

from __future__ import annotations

import math

import numpy as np

from tests.bench.dotted.palette import IVORY, PLAIN, VIVID, WHITE, WOODS, Bytes, cloud, one_of, shaded, wood
from tests.bench.dotted.piece import line


def _planks(shape: tuple[int, int], rng: np.random.Generator) -> Bytes:
    colour = one_of(rng, WOODS)
    ground = wood(shape, rng, colour)
    if rng.random() < 0.6:
        high = int(rng.uniform(60, 180))
        for top in range(int(rng.uniform(0, high)), shape[0], high):
            ground[top : top + high] = np.clip(ground[top : top + high] * rng.uniform(0.88, 1.1), 0, 255)
            ground[top : top + 2] = ground[top : top + 2] // 2
    return np.ascontiguousarray(ground)


def cloth(shape: tuple[int, int], rng: np.random.Generator) -> Bytes:
    colour = np.asarray(one_of(rng, (*VIVID, *PLAIN, *PLAIN)), np.float32)
    y, x = np.ogrid[: shape[0], : shape[1]]
    step = rng.uniform(1.2, 2.6)
    weave = (np.sin(x * step) * np.sin(y * step)).astype(np.float32) * 0.06
    change = 1 + weave + 0.03 * cloud(shape, rng, (1,)) + 0.05 * cloud(shape, rng, (90,))
    ground = colour * change[..., None]
    if rng.random() < 0.25:
        wide = int(rng.uniform(20, 80))
        ground[:, (np.arange(shape[1]) // wide) % 2 == 0] *= 0.8
        ground[(np.arange(shape[0]) // wide) % 2 == 0] *= 0.8
    return np.clip(ground, 0, 255).astype(np.uint8)


def _paper(shape: tuple[int, int], rng: np.random.Generator) -> Bytes:
    colour = np.asarray(one_of(rng, (WHITE, IVORY, (170, 200, 215), (225, 220, 210)), 8), np.float32)
    change = 1 + 0.015 * cloud(shape, rng, (1, 3)) + 0.02 * cloud(shape, rng, (70,))
    return np.clip(colour * change[..., None], 0, 255).astype(np.uint8)


def felt(shape: tuple[int, int], rng: np.random.Generator) -> Bytes:
    colour = np.asarray(
        one_of(rng, ((60, 100, 30), (110, 60, 25), (40, 30, 130), (60, 60, 60), (50, 60, 90))), np.float32
    )
    change = 1 + 0.12 * cloud(shape, rng, (1, 2)) + 0.06 * cloud(shape, rng, (60,))
    return np.clip(colour * change[..., None], 0, 255).astype(np.uint8)


def _plastic(shape: tuple[int, int], rng: np.random.Generator) -> Bytes:
    colour = np.asarray(one_of(rng, (*VIVID, *PLAIN, *PLAIN)), np.float32)
    change = 1 + 0.01 * cloud(shape, rng, (1,)) + 0.04 * cloud(shape, rng, (200,))
    return np.clip(colour * change[..., None] + 6 * cloud(shape, rng, (150,))[..., None], 0, 255).astype(np.uint8)


def _stone(shape: tuple[int, int], rng: np.random.Generator) -> Bytes:
    colour = np.asarray(one_of(rng, ((120, 125, 130), (190, 195, 200), (60, 60, 64), (140, 160, 180))), np.float32)
    change = 1 + 0.11 * cloud(shape, rng, (1, 3, 7)) + 0.05 * cloud(shape, rng, (50,))
    return np.clip(colour * change[..., None], 0, 255).astype(np.uint8)


def moss(shape: tuple[int, int], rng: np.random.Generator) -> Bytes:
    colour = np.asarray(one_of(rng, ((40, 110, 70), (45, 90, 60), (40, 80, 95))), np.float32)
    ground = colour * (1 + 0.2 * cloud(shape, rng, (2, 5, 20, 60)))[..., None]
    drawn = np.clip(ground, 0, 255).astype(np.uint8)
    for _ in range(shape[0] * shape[1] // 500):
        x, y, turn = rng.uniform(0, shape[1]), rng.uniform(0, shape[0]), rng.uniform(0, 2 * math.pi)
        blade = ((x, y), (x + 12 * math.cos(turn), y + 12 * math.sin(turn)))
        line(drawn, blade, 1, shaded((50, 120, 80), rng.uniform(0.4, 1.5)))
    return drawn


def wall(shape: tuple[int, int], rng: np.random.Generator) -> Bytes:
    colour = np.asarray(one_of(rng, (WHITE, IVORY, (200, 205, 190), (180, 190, 215), (150, 160, 130))), np.float32)
    bumps = cloud(shape, rng, (3, 6))
    relief = bumps - np.roll(bumps, 1, 0)
    return np.clip(colour * (1 + 0.05 * relief + 0.02 * cloud(shape, rng, (120,)))[..., None], 0, 255).astype(np.uint8)


TABLES = (_planks, _planks, cloth, _paper, felt, _plastic, _stone)
