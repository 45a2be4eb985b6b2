"""Where things of a traced scene are in its picture. As in Blender, a camera looks along its -z, and its y is up."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from companion.vision.scene.faces import laid
from companion.vision.scene.geometry import turned
from companion.vision.traced.model import Camera, Cube, Look, Point, Print

Matrix = NDArray[np.float64]

SIDES = ((0, 0, 1), (0, -1, 0), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, 0, -1))
"""Outward normals of the faces 1–6 of a die whose 1, 2, 3 run counter-clockwise."""
UP = (0.0, 0.0, 1.0)
STRAIGHT_DOWN = math.radians(3)  # a camera nearer to it has no up of its own
PRINTED = 0.98  # of an edge is what a face's print covers


def sides(look: Look) -> Matrix:
    """6 × 3: outward normals of the faces 1–6. A mirrored die has its 3 and 4 the other way round."""
    normals = np.array(SIDES, np.float64)
    return normals[[0, 1, 3, 2, 4, 5]] if look.mirrored else normals


def across(normal: Matrix) -> tuple[Matrix, Matrix]:
    """The two directions of a face's print: to its right, and up."""
    right = np.array([1.0, 0, 0]) if abs(normal[0]) < 0.5 else np.array([0, 1.0, 0])
    return right, np.cross(normal, right)


def around(axis: tuple[float, float, float], angle: float) -> Matrix:
    """The rotation about a unit vector."""
    return np.asarray(turned(np.array(axis), math.degrees(angle)), np.float64)


def pose(cube: Cube) -> tuple[Matrix, Matrix]:
    """A die's axes (3 × 3, columns in the world) and its middle; its lowest corner is on the table."""
    normal = sides(cube.look)[cube.value - 1]
    right, up = across(normal)
    upright = np.array([right, up, normal])
    axes = around(UP, cube.yaw) @ upright
    if cube.lean:
        axes = around((math.cos(cube.lean_to), math.sin(cube.lean_to), 0), cube.lean) @ axes
    return axes, np.array([cube.x, cube.y, np.abs(axes[2]).sum() / 2])


def place(camera: Camera) -> tuple[Matrix, Matrix]:
    """A camera's axes (3 × 3, columns right, up, back in the world) and its place."""
    if camera.slant < STRAIGHT_DOWN:
        axes, at = around(UP, camera.heading), np.array([0.0, 0, camera.distance])
    else:
        flat = camera.distance * math.sin(camera.slant)
        at = np.array(
            [
                flat * math.cos(camera.heading),
                flat * math.sin(camera.heading),
                camera.distance * math.cos(camera.slant),
            ]
        )
        back = at / np.linalg.norm(at)
        right = np.cross(UP, back)
        right /= np.linalg.norm(right)
        axes = np.column_stack([right, np.cross(back, right), back])
    return axes @ around(UP, camera.roll), at + np.array([0, 0, 0.5])


def pixels(camera: Camera, points: Matrix) -> Matrix:
    """N × 3 points of the world to N × 2 pixels from the picture's top left corner."""
    axes, at = place(camera)
    seen = (points - at) @ axes
    focal = camera.width / 2 / math.tan(camera.fov / 2)
    depth = np.maximum(-seen[:, 2:], 1e-6)
    return np.asarray(np.array([camera.width, camera.height]) / 2 + focal * seen[:, :2] * [1, -1] / depth)


def corners(cube: Cube, share: float = 1.0) -> Matrix:
    """8 × 3: the die's corners in the world; `share` of them, as edges are rounded."""
    axes, middle = pose(cube)
    signs = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], np.float64)
    return np.asarray(middle + signs * share / 2 @ axes.T)


def on_top(cube: Cube, places: Iterable[Point]) -> Matrix:
    """N × 3: places on the face up, (right, up) as shares of the edge from its middle, in the world."""
    axes, middle = pose(cube)
    normal = sides(cube.look)[cube.value - 1]
    right, up = across(normal)
    local = np.array([right * u + up * v + normal / 2 for u, v in places]).reshape(-1, 3)
    return np.asarray(middle + local @ axes.T)


def solid(faces: int) -> tuple[Matrix, Matrix]:
    """The corners of a die of 8, 10, 12 or 20 faces, n × 3, opposite ones 1 apart; and the normal of one of them.

    The Platonic solids by coordinates in the golden ratio; ten kites round an axis (a pentagonal trapezohedron), which
    are flat for one height of the axis alone. Raises ValueError for another number of faces.
    """
    golden = (1 + math.sqrt(5)) / 2
    if faces == 8:
        ends, normal = _turns(0, 0, 1), np.ones(3)
    elif faces == 12:
        ends, normal = np.vstack([_turns(1, 1, 1), _turns(0, 1 / golden, golden)]), np.array([0, golden, 1])
    elif faces == 20:
        ends, normal = _turns(0, 1, golden), np.ones(3)
    elif faces == 10:
        step = np.pi / 5 * np.arange(10)
        flat = (1 - math.cos(step[1])) / (1 + math.cos(step[1]))
        belt = np.column_stack([np.cos(step), np.sin(step), flat * (-1) ** np.arange(10)])
        ends, normal = np.vstack([belt, [UP], [(0, 0, -1)]]), np.cross(belt[0] - UP, belt[2] - UP)
    else:
        raise ValueError(f"no die of {faces} faces is known")
    upwards = normal / np.linalg.norm(normal)
    return ends / (2 * (ends @ upwards).max()), upwards


def _turns(x: float, y: float, z: float) -> Matrix:
    """A corner with every sign, its coordinates in each of three orders; each once."""
    signs = np.array([(a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])
    return np.unique(np.vstack([np.roll(signs * (x, y, z), turn, axis=1) for turn in range(3)]), axis=0)


def pip_places(what: Print, value: int) -> tuple[Point, ...]:
    """Middles of the pips of a face, (right, up) as shares of the edge from the face's middle."""
    return laid(str(value), what.spreads[value - 1], turned=what.turned[value - 1])
