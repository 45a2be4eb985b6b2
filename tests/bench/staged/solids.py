"""Bodies as meshes and curves, in metres, and what they are made of."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tests.bench.staged.chance import Array

Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Mesh:
    """Vertices n × 3, faces m × corners, and of each face's corners where on a picture they lie."""

    vertices: Array
    faces: Array
    unfolded: Array | None = None
    smooth: bool = True


@dataclass(frozen=True, slots=True)
class Tube:
    """Along a smooth way."""

    points: Sequence[Point]
    radius: float


@dataclass(frozen=True, slots=True)
class Prism:
    """An outline that stands upright, its edges broken by `bevel`."""

    outline: Sequence[tuple[float, float]]
    height: float
    bevel: float


@dataclass(frozen=True, slots=True)
class Flesh:
    """Balls that flow into each other: middles and radii."""

    balls: Sequence[tuple[Point, float]]


@dataclass(frozen=True, slots=True)
class Relief:
    """Bumps: `cells` of leather or soft noise, so many to a metre. `shift` is where in the noise they begin."""

    scale: float
    strength: float
    deep: float = 0.001
    detail: float = 2.0
    bend: float = 0.0
    shift: float = 0.0
    cells: bool = False


@dataclass(frozen=True, slots=True)
class Finish:
    """Colour: sRGB, or a picture, height × width × 3 from the bottom, that is mirrored at its rims."""

    colour: Array
    roughness: float = 0.5
    metal: bool = False
    clear: float = 0.0
    coat: float = 0.0
    sheen: float = 0.0
    relief: Relief | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """A body that stands on the table, turned by `yaw`; or one that floats, as its axes (columns) say."""

    body: Mesh | Tube | Prism | Flesh
    finish: Finish
    at: Point = (0.0, 0.0, 0.0)
    yaw: float = 0.0
    axes: Array | None = None
    bevel: tuple[float, int] | None = None  # width, and parts of it


def moved(shape: Part, x: float, y: float, z: float, yaw: float) -> Part:
    """A part of a thing whose middle comes to lie there."""
    c, s = math.cos(yaw), math.sin(yaw)
    u, v, w = shape.at
    at = (x + u * c - v * s, y + u * s + v * c, z + w)
    return Part(shape.body, shape.finish, at, shape.yaw + yaw, shape.axes, shape.bevel)


def box(x: float, y: float, z: float) -> Mesh:
    """Its foot's middle at 0; each face shows a whole picture."""
    vertices = [[a, b, c] for c in (0, z) for b in (-y / 2, y / 2) for a in (-x / 2, x / 2)]
    faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
    unfolded = np.tile([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]], (6, 1))
    return Mesh(np.array(vertices), np.array(faces), unfolded, smooth=False)


def plane(x: float, y: float, picture: float, shift: Array) -> Mesh:
    """From -x, -y to x, y, with a picture that is so wide, shifted by so much of itself."""
    vertices = np.array([[-x, -y, 0], [x, -y, 0], [x, y, 0], [-x, y, 0]])
    return Mesh(vertices, np.array([[0, 1, 2, 3]]), vertices[:, :2] / picture + shift, smooth=False)


def lathe(profile: Sequence[tuple[float, float]], parts: int = 40, crimped: Sequence[float] | None = None) -> Mesh:
    """Radii and heights, turned about the upright; `crimped`: how much of each radius 21 waves around make."""
    radius, height = np.array(profile, float).T[..., None]
    turns = np.linspace(0, 2 * np.pi, parts, endpoint=False)
    if crimped is not None:
        radius = radius * (1 + np.array(crimped)[:, None] * np.cos(turns * 21))
    upright = np.broadcast_to(height, (len(height), parts))
    vertices = np.stack([radius * np.cos(turns), radius * np.sin(turns), upright], -1).reshape(-1, 3)
    return Mesh(vertices, rings(len(height), parts))


def torus(radius: float, thick: float, parts: int = 48) -> Mesh:
    """Lying, `thick` the radius of what is bent."""
    turns = np.linspace(0, 2 * np.pi, 13)
    ring = lathe(list(zip(radius + thick * np.cos(turns), thick * np.sin(turns), strict=True)), parts)
    return Mesh(ring.vertices, ring.faces, smooth=False)


def strip(sections: Sequence[tuple[float, Array]], parts: tuple[int, int]) -> Mesh:
    """Between two of several outlines of as many corners, along x."""
    corners = np.concatenate([np.column_stack([np.full(len(o), x), o]) for x, o in (sections[i] for i in parts)])
    count = len(corners) // 2
    faces = rings(2, count)
    return Mesh(corners, faces, smooth=False)


def rings(rings: int, parts: int) -> Array:
    """The faces between rings of vertices that follow each other."""
    here = np.arange(rings * parts).reshape(rings, parts)
    beside = np.roll(here, -1, 1)
    return np.stack([here[:-1], beside[:-1], beside[1:], here[1:]], -1).reshape(-1, 4)
