"""Scenes by lot, as wide as tables are: dice, grounds, lights and cameras nobody has told us of."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from companion.vision.scene.exposure import legible, random_camera, random_finish, random_light
from companion.vision.scene.geometry import feet_overlap
from companion.vision.scene.looks import between, random_look, strange_look
from companion.vision.scene.model import DIE_CM, Camera, Cube, Scene
from companion.vision.scene.surroundings import random_ground, random_hand, random_rim, random_things, spread

_FEET = 0.99  # times as wide: feet that overlap so run into each other, and those of dice side by side do not


def random_scene(
    rng: np.random.Generator,
    *,
    hardness: float = 0.5,
    size: tuple[int, int] = (400, 300),
    dice: int | None = None,
    die_px: tuple[float, float] = (16, 110),
) -> Scene:
    """A table somewhere. `hardness` 0 is a kind rig, 1 a dark, slanted, cluttered one.

    `dice`: how many, else by chance, with none at times. `die_px`: bounds of a die's side in the picture,
    in pixels at a width of 640.
    """
    hard = float(np.clip(hardness, 0, 1))
    count = dice if dice is not None else _count(rng)
    camera = random_camera(rng, hard, size, count, die_px)
    light = random_light(rng, hard)
    ground = random_ground(rng)
    rim = random_rim(rng, camera) if rng.random() < 0.2 else None
    cubes = _cubes(rng, hard, camera, count)
    things = random_things(rng, hard, camera, cubes)
    hand = random_hand(rng, camera) if rng.random() < 0.03 + 0.05 * hard else None
    return Scene(
        cubes, camera, light, ground, rim, things, hand, legible(random_finish(rng, hard, light, ground), camera)
    )


def _count(rng: np.random.Generator) -> int:
    if rng.random() < 0.07:
        return 0
    return int(rng.integers(1, 7)) if rng.random() < 0.8 else int(rng.integers(7, 16))


def _cubes(rng: np.random.Generator, hard: float, camera: Camera, count: int) -> tuple[Cube, ...]:
    """Dice where they fall: mostly apart, at times touching, seldom stacked or cocked."""
    across, along = spread(camera)
    heading = math.radians(camera.heading_deg)
    right, away = (math.sin(heading), -math.cos(heading)), (math.cos(heading), math.sin(heading))
    look = random_look(rng, hardness=hard)
    same = rng.random() < 0.5
    strange = rng.random() < 0.08
    huddle = between(rng, 0.25, 1.0)
    cubes: list[Cube] = []
    for _ in range(count):
        own = look if same else random_look(rng, hardness=hard)
        if strange or rng.random() < 0.02:
            own = strange_look(rng, own)
        own_size = DIE_CM * (1.0 if same else between(rng, 0.75, 1.25))
        for _ in range(30):
            a, b = rng.uniform(-0.46, 0.46, 2) * huddle
            x, y = (a * across * right[i] + b * along * away[i] for i in range(2))
            cube = Cube(int(rng.integers(1, 7)), x, y, between(rng, 0, 360), own_size, own)
            if cubes and rng.random() < 0.12:
                cube = _pushed_against(rng, cube, cubes[int(rng.integers(0, len(cubes)))])
            if all(_apart(cube, c) for c in cubes):
                cubes.append(_odd(rng, hard, cube, cubes))
                break
    return tuple(cubes)


def _pushed_against(rng: np.random.Generator, cube: Cube, base: Cube) -> Cube:
    """The die side by side with another, flush or not."""
    flush = rng.random() < 0.5
    yaw = base.yaw_deg if flush else cube.yaw_deg
    angle = math.radians(base.yaw_deg + 90 * int(rng.integers(0, 4)))
    gap = (base.size + cube.size * (1.0 if flush else 1.3)) / 2 * between(rng, 1.0, 1.05)
    side = between(rng, -0.5, 0.5) * cube.size
    x = base.x + gap * math.cos(angle) - side * math.sin(angle)
    y = base.y + gap * math.sin(angle) + side * math.cos(angle)
    return replace(cube, x=x, y=y, yaw_deg=yaw)


def _apart(one: Cube, two: Cube) -> bool:
    """Do two dice not run into each other, seen from above."""
    if two.z or one.z:
        return math.hypot(one.x - two.x, one.y - two.y) > 1.3 * (one.size + two.size) / 2
    return not feet_overlap(one, two, _FEET)


def _odd(rng: np.random.Generator, hard: float, cube: Cube, cubes: list[Cube]) -> Cube:
    """Seldom, the die leans, or lies on another."""
    chance = rng.random()
    if chance < 0.012 + 0.02 * hard:
        return replace(cube, lean_deg=between(rng, 12, 40), lean_to_deg=between(rng, 0, 360))
    if chance > 0.985 and cubes and all(c.z == 0 and c.lean_deg == 0 for c in cubes):
        base = cubes[int(rng.integers(0, len(cubes)))]
        return replace(cube, x=base.x + between(rng, -0.3, 0.3), y=base.y + between(rng, -0.3, 0.3), z=base.size)
    return cube
