"""What a table is made of: camera, lamps, ground, and solids as signed distances."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from tests.bench.marched.dice import Die, Look
from tests.bench.marched.linear import Array, F, length, unit


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


def slab(p: Array, half: Array | tuple[float, ...], r: float) -> Array:
    q = np.abs(p) - (np.asarray(half, F) - F(r))
    return length(np.maximum(q, 0)) + np.minimum(q.max(-1), 0) - F(r)


def tube(p: Array, radius: float, half: float, r: float = 0.03) -> Array:
    q = np.stack([np.hypot(p[:, 0], p[:, 1]) - F(radius - r), np.abs(p[:, 2]) - F(half - r)], -1)
    return length(np.maximum(q, 0)) + np.minimum(q.max(-1), 0) - F(r)


@dataclass(frozen=True)
class Ground:
    name: str
    a: Array
    b: Array
    turn: float
    pattern: str
    size: float
    gloss: float


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
