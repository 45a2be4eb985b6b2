"""A whole table by lot: its ground, perhaps a tray, dice and things on it, and the light they lie in."""

from __future__ import annotations

import math

import numpy as np

from tests.bench.staged.camera import Camera, random_camera
from tests.bench.staged.chance import Array, pick
from tests.bench.staged.dice import lifted, random_dice
from tests.bench.staged.grounds import GROUNDS, Ground, random_ground
from tests.bench.staged.lamps import random_light, random_shades
from tests.bench.staged.model import Die, Foot, Scene
from tests.bench.staged.solids import Finish, Part, box, moved, plane
from tests.bench.staged.things import HAND, THINGS, Kind

KINDS = ("rig", "table", "hard")
BARE = {  # how likely each ground is where there is no tray
    "rig": [3, 3, 2, 4, 3, 3, 1.5, 1, 0.5, 0.7, 0.5, 1.5, 1.5, 0.6, 4, 0.5, 0.3, 2],
    "table": [4, 3, 3, 1.5, 1.5, 1.5, 2, 2, 1.5, 1, 1.5, 2, 1, 1, 3, 1.5, 1.5, 2],
    "hard": [2, 1, 2, 1, 1, 1.5, 3, 2.5, 3, 3, 2.5, 2, 1, 2, 1, 3, 3, 1],
}
TRAYS = {"rig": 0.45, "table": 0.3, "hard": 0.2}
LININGS = ("felt", "baize", "leather", "neoprene", "wood", "cardboard")
HANDS = {"rig": 0.05, "table": 0.22, "hard": 0.22}
LEVEL_DEG = 8  # up to there a camera looks straight down
SUNK = 0.003  # how far a tray's walls go below its ground
SMALL = ("coin", "token", "pawn", "meeple", "button")  # what may lie in a tray, too
LEAF = 0.0005  # between flat things that lie on each other
SHADED, STEEP_DEG = 0.12, 25  # so near behind a tall thing, in a view so far from straight down, a die is hidden


def random_scene(rng: np.random.Generator, kind: str, number: int) -> Scene:
    camera = random_camera(rng, kind)
    parts, tray = _ground(rng, kind, camera)
    dice = random_dice(rng, kind, number, camera, tray)
    things = _Things(rng, camera, tray, dice)
    count = _thing_count(rng, kind, len(dice))
    if rng.random() < HANDS[kind]:
        things.add_hand()
    for _ in range(count):
        things.add(pick(rng, list(THINGS), [thing.weight for thing in THINGS.values()]))
    light = random_light(rng, kind, camera)
    shades = random_shades(rng, kind, camera, light)
    return Scene(kind, camera, lifted(dice, things.flats), tuple(parts + things.parts), tuple(shades), light)


def _thing_count(rng: np.random.Generator, kind: str, dice: int) -> int:
    match kind:
        case "rig":
            return pick(rng, [0, 1, 2], [6, 3, 1])
        case "hard":
            return int(rng.integers(2, 12))
        case _:
            return int(rng.integers(3, 11) if dice else rng.integers(5, 14))


def _ground(rng: np.random.Generator, kind: str, camera: Camera) -> tuple[list[Part], Foot | None]:
    """The table, and a tray, if there is one."""
    yaw = rng.uniform(0, 2 * math.pi)
    if rng.random() >= TRAYS[kind]:
        return [_spread(rng, random_ground(rng, pick(rng, list(GROUNDS), BARE[kind])), (2, 2), 0, yaw)], None
    half_x, half_y = camera.sees * rng.uniform(0.3, 0.55), camera.sees * rng.uniform(0.25, 0.42)
    if kind != "rig":
        half_x, half_y = max(half_x, 0.07), max(half_y, 0.06)
    high = rng.uniform(0.012, 0.04) if camera.tilt_deg < 35 else rng.uniform(0.008, 0.02)
    thick = rng.uniform(0.004, 0.012)
    tray = Foot(0, 0, half_x, half_y, _turned(rng, camera))
    around = _spread(rng, random_ground(rng, pick(rng, list(GROUNDS))), (2, 2), -SUNK, yaw)
    return [around, *_tray(rng, tray, thick, high)], tray


def _turned(rng: np.random.Generator, camera: Camera) -> float:
    """A tray stands as a camera straight above it does, and any way else."""
    if camera.tilt_deg > LEVEL_DEG:
        return rng.uniform(0, 6.28)
    return camera.roll + camera.heading + rng.normal(0, 0.15)


def _spread(rng: np.random.Generator, ground: Ground, half: tuple[float, float], z: float, yaw: float) -> Part:
    return Part(plane(*half, ground.wide, rng.uniform(0, 1, 2)), ground.finish, (0, 0, z), yaw)


def _tray(rng: np.random.Generator, tray: Foot, thick: float, high: float) -> list[Part]:
    """Its lining, its walls, and perhaps a seam along two of them."""
    kind = pick(rng, LININGS)
    ground = random_ground(rng, kind)
    parts = [_spread(rng, ground, (tray.half_x, tray.half_y), 0, tray.yaw)]
    wall = ground.finish
    if rng.random() < 0.7:
        wall = random_ground(rng, pick(rng, ["leather", "wood", "woodgloss", "leather"])).finish
    beyond = tray.half_x + thick / 2, tray.half_y + thick / 2
    for sign in (1, -1):
        for body, at in (
            (box(thick, 2 * (tray.half_y + thick), high + SUNK), (sign * beyond[0], 0, -SUNK)),
            (box(2 * tray.half_x, thick, high + SUNK), (0, sign * beyond[1], -SUNK)),
        ):
            parts.append(Part(body, wall, at, bevel=(min(thick * 0.4, 0.003), 3)))
    if kind == "leather" or rng.random() < 0.3:
        parts += _seam(tray)
    return parts[:1] + [moved(part, 0, 0, 0, tray.yaw) for part in parts[1:]]


def _seam(tray: Foot) -> list[Part]:
    stitch, thread = box(0.004, 0.0009, 0.0006), Finish(np.array([0.8, 0.75, 0.6]), 0.8)
    along = np.arange(0.006 - tray.half_x, tray.half_x - 0.006, 0.007)
    aside = tray.half_y - 0.006
    return [Part(stitch, thread, (float(x), sign * aside, 0)) for sign in (1, -1) for x in along]


class _Things:
    """What else lies there: not in dice, not in each other, and not between the camera and dice."""

    def __init__(self, rng: np.random.Generator, camera: Camera, tray: Foot | None, dice: list[Die]) -> None:
        self.rng, self.camera, self.tray, self.dice = rng, camera, tray, dice
        self.taken = [die.foot for die in dice]
        self.flats: list[tuple[Foot, float]] = []  # and how high one lies that lies on it
        self.parts: list[Part] = []

    def add_hand(self) -> None:
        """It reaches into the picture over one of its rims."""
        for _ in range(40):
            at, middle = self._at_rim(), self.camera.ground(self.camera.width / 2, self.camera.height / 2)
            if at is None or middle is None:
                continue
            yaw = math.atan2(middle[1] - at[1], middle[0] - at[0]) + self.rng.normal(0, 0.3)
            foot = Foot(at[0] - 0.02 * math.cos(yaw), at[1] - 0.02 * math.sin(yaw), *HAND.half, yaw)
            if not any(foot.meets(other, 0.01) for other in self.taken):
                self._lay(HAND, at[0], at[1], yaw)
                self.taken.append(foot)
                return

    def _at_rim(self) -> Array | None:
        rng, width, height = self.rng, self.camera.width, self.camera.height
        side = int(rng.integers(4))
        if side < 2:
            return self.camera.ground(rng.uniform(0.1, 0.9) * width, (1.0, 0.02)[side] * height)
        return self.camera.ground((-0.02, 1.02)[side - 2] * width, rng.uniform(0.2, 0.9) * height)

    def add(self, name: str) -> None:
        """A thing, if it finds a place."""
        kind = THINGS[name]
        for _ in range(25):
            foot = self._somewhere(kind)
            if foot is None or (self.tray is not None and name not in SMALL and foot.meets(self._round_tray())):
                continue
            met = any(foot.meets(other, 0 if kind.flat else 0.001) for other in self.taken)
            if kind.flat:
                if met and self.rng.random() < 0.7:
                    continue
                z = 0.0003 + LEAF * (len(self.flats) + 1)
                self._lay(kind, foot.x, foot.y, foot.yaw, z)
                self.flats.append((foot, z + kind.flat))
                return
            if not met and not (kind.tall and self._hides(foot)):
                self._lay(kind, foot.x, foot.y, foot.yaw)
                self.taken.append(foot)
                return

    def _lay(self, kind: Kind, x: float, y: float, yaw: float, z: float = 0.0) -> None:
        self.parts += [moved(part, float(x), float(y), z, yaw) for part in kind.make(self.rng)]

    def _somewhere(self, kind: Kind) -> Foot | None:
        """In the picture or a little beside it; None where the table is far or ends."""
        camera, rng = self.camera, self.rng
        at = camera.ground(rng.uniform(-0.03, 1.03) * camera.width, rng.uniform(-0.03, 1.03) * camera.height)
        yaw = rng.uniform(0, 6.28)
        if at is None or np.linalg.norm(at - camera.eye) > camera.distance * 2.6:
            return None
        return Foot(float(at[0]), float(at[1]), *kind.half, yaw)

    def _round_tray(self) -> Foot:
        assert self.tray is not None
        return Foot(0, 0, self.tray.half_x + 0.015, self.tray.half_y + 0.015, self.tray.yaw)

    def _hides(self, foot: Foot) -> bool:
        """Whether it stands near a die, on the camera's side of it."""
        if self.camera.tilt_deg <= STEEP_DEG:
            return False
        to_camera = self.camera.eye[:2] - (foot.x, foot.y)
        for die in self.dice:
            way = np.array([die.x - foot.x, die.y - foot.y])
            if way @ to_camera < 0 and np.linalg.norm(way) < SHADED:
                return True
        return False
