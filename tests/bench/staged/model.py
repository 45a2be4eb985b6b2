"""What a staged table holds. Lengths are in metres, the table is z = 0."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tests.bench.staged.camera import Camera
from tests.bench.staged.chance import Array
from tests.bench.staged.design import Design, pips
from tests.bench.staged.shape import Shape, upright
from tests.bench.staged.solids import Part, Point

INNER = 0.98  # of a die's upper face: the square that is looked at


@dataclass(frozen=True, slots=True)
class Foot:
    """A rectangle on the table: its middle, half its sides and its turn."""

    x: float
    y: float
    half_x: float
    half_y: float
    yaw: float

    def corners(self) -> Array:
        c, s = math.cos(self.yaw), math.sin(self.yaw)
        signs = np.array([(1, 1), (1, -1), (-1, -1), (-1, 1)]) * (self.half_x, self.half_y)
        return np.asarray(signs @ np.array([[c, s], [-s, c]]) + (self.x, self.y))

    def meets(self, other: Foot, gap: float = 0.0) -> bool:
        """Whether less than a gap is between them: no side has one of them all on it, and the other beyond."""
        one, two = self.corners(), other.corners()
        for yaw in (self.yaw, self.yaw + math.pi / 2, other.yaw, other.yaw + math.pi / 2):
            way = np.array([math.cos(yaw), math.sin(yaw)])
            here, there = one @ way, two @ way
            if here.max() + gap <= there.min() or there.max() + gap <= here.min():
                return False
        return True


@dataclass(frozen=True, slots=True)
class Die:
    design: Design
    shape: Shape
    value: int
    x: float
    y: float
    yaw: float
    edge: float
    lifted: float = 0.0  # what lies under it

    @property
    def foot(self) -> Foot:
        return Foot(self.x, self.y, self.edge / 2, self.edge / 2, self.yaw)

    @property
    def middle(self) -> Array:
        return np.array([self.x, self.y, self.lifted + self.edge / 2])

    @property
    def turn(self) -> Array:
        """From its own axes to the table's."""
        c, s = math.cos(self.yaw), math.sin(self.yaw)
        return np.asarray(np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ upright(self.design, self.value))

    def surface(self) -> Array:
        """All places of its surface."""
        return np.asarray(self.shape.mesh.vertices * self.edge @ self.turn.T + self.middle)

    def on_top(self, places: Array) -> Array:
        """Places of its upper face, of which `places` are told in half edges."""
        flat = np.column_stack([places, np.ones(len(places))])
        c, s = math.cos(self.yaw), math.sin(self.yaw)
        return np.asarray(flat @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]) * self.edge / 2 + self.middle)

    def pips(self) -> Array:
        """Middles of those that are up."""
        return self.on_top(np.array(pips(self.design, self.value))[:, :2])

    def top(self) -> Array:
        """The corners of the square that is looked at, counter-clockwise."""
        return self.on_top(INNER * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]))


@dataclass(frozen=True, slots=True)
class Lamp:
    kind: str  # AREA, SPOT or POINT
    at: Point
    aim: Point
    watts: float
    kelvin: float
    wide: float
    cone: float = 0.0  # radians that a spot lights


@dataclass(frozen=True, slots=True)
class Light:
    """Lamps of one kind, and the room around: linear light, height × width × 3 from the bottom."""

    kind: str
    way: float  # that lamps stand in, most of them
    lamps: tuple[Lamp, ...]
    room: Array


@dataclass(frozen=True, slots=True)
class Scene:
    kind: str
    camera: Camera
    dice: tuple[Die, ...]
    parts: tuple[Part, ...]
    shades: tuple[Part, ...]  # cast shadows, but are not in the picture
    light: Light
