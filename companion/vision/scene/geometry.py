"""Where things are: poses of dice, the camera's projection, and back from pixels to the table."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TypeAlias

import cv2
import numpy as np

from companion.ports import Floats
from companion.vision.scene.model import Camera, Cube, Look

Matrix: TypeAlias = Floats

# Of the faces 1–6 of a die whose 1, 2, 3 run counter-clockwise: outward normal, and the face's own u and v.
_FRAMES = (
    ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
    ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    ((0, 1, 0), (0, 0, 1), (1, 0, 0)),
    ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
    ((-1, 0, 0), (0, 0, 1), (0, 1, 0)),
    ((0, 0, -1), (0, 1, 0), (1, 0, 0)),
)


def _mirror_image(frames: Matrix) -> Matrix:
    return np.asarray(frames * np.array([-1.0, 1.0, 1.0]), np.float64)


_COMMON: Matrix = np.array(_FRAMES, dtype=np.float64)
_MIRRORED = _mirror_image(_COMMON)


def face_frames(look: Look) -> Matrix:
    """6 × 3 × 3: for each face its normal, u and v in the die's own axes. A mirrored die is the mirror image in x."""
    return _MIRRORED if look.mirrored else _COMMON


def cross(one: Matrix, two: Matrix) -> Matrix:
    """Cross product of two vectors; NumPy's takes ten times as long."""
    (a, b, c), (d, e, f) = one, two
    return np.array([b * f - c * e, c * d - a * f, a * e - b * d])


def turned(axis: Matrix, angle_deg: float) -> Matrix:
    """The rotation by `angle_deg` about the unit vector `axis` (Rodrigues)."""
    angle = math.radians(angle_deg)
    x, y, z = axis
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    result: Matrix = np.eye(3) + math.sin(angle) * skew + (1 - math.cos(angle)) * skew @ skew
    return result


@lru_cache(maxsize=64)
def pose(cube: Cube) -> tuple[Matrix, Matrix]:
    """A die's axes (3 × 3, columns in the world) and its centre; its lowest point rests at height z."""
    normal, u, _ = face_frames(cube.look)[cube.value - 1]
    upright = np.array([u, cross(normal, u), normal])  # brings the face's normal to z
    axes = turned(np.array([0.0, 0.0, 1.0]), cube.yaw_deg) @ upright
    if cube.lean_deg:
        to = math.radians(cube.lean_to_deg)
        axes = turned(np.array([-math.sin(to), math.cos(to), 0.0]), cube.lean_deg) @ axes
    edge = cube.size * cube.look.rounding
    rest = np.abs(axes[2]).sum() * (cube.size / 2 - edge) + edge
    return axes, np.array([cube.x, cube.y, cube.z + rest])


class View:
    """A camera's projection: `at` (its place), `turn` (3 × 3, rows right, down, forward) and `lens` (3 × 3)."""

    def __init__(self, camera: Camera) -> None:
        tilt, heading = math.radians(camera.tilt_deg), math.radians(camera.heading_deg)
        forward = np.array([math.sin(tilt) * math.cos(heading), math.sin(tilt) * math.sin(heading), -math.cos(tilt)])
        right = np.array([math.sin(heading), -math.cos(heading), 0.0])
        self.turn: Matrix = np.array([right, cross(forward, right), forward])
        self.at: Matrix = np.array([*camera.target, 0.0]) - camera.distance * forward
        focal = camera.focal_px
        self.lens: Matrix = np.array(
            [
                [focal, 0.0, (camera.width - 1) / 2],
                [0.0, focal * camera.stretch, (camera.height - 1) / 2],
                [0.0, 0.0, 1.0],
            ]
        )

    def pixels(self, points: Matrix) -> Matrix:
        """N × 3 points of the world to N × 2 pixels. What lies behind the camera comes out far away."""
        seen = (points - self.at) @ self.turn.T @ self.lens.T
        depth = np.maximum(seen[:, 2:], 1e-3)
        result: Matrix = seen[:, :2] / depth
        return result

    def depth(self, point: Matrix) -> float:
        return float((point - self.at) @ self.turn[2])

    def table(self, height: float = 0.0) -> Matrix:
        """The homography from (x, y) on the plane z = height to pixels."""
        shift = self.turn @ (np.array([0.0, 0.0, height]) - self.at)
        result: Matrix = self.lens @ np.column_stack([self.turn[:, 0], self.turn[:, 1], shift])
        return result

    def rays(self) -> Matrix:
        """3 × 3: maps a pixel (u, v, 1) to its ray's direction in the world, not of unit length."""
        result: Matrix = self.turn.T @ np.linalg.inv(self.lens)
        return result


def cube_corners(cube: Cube) -> Matrix:
    """8 × 3: the die's corners in the world, as if its edges were sharp."""
    axes, centre = pose(cube)
    signs = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], dtype=np.float64)
    result: Matrix = centre + signs * (cube.size / 2) @ axes.T
    return result


def feet_overlap(one: Cube, two: Cube, times: float) -> bool:
    """Do the squares on which two dice stand, made so many times as wide, overlap; leaning and height left aside."""
    feet = [((cube.x, cube.y), (cube.size * times, cube.size * times), cube.yaw_deg) for cube in (one, two)]
    return cv2.rotatedRectangleIntersection(feet[0], feet[1])[0] != cv2.INTERSECT_NONE


def top_frame(cube: Cube) -> Matrix:
    """4 × 3: the top face's middle, outward normal, and half its u and v edges, in the world."""
    axes, centre = pose(cube)
    normal, u, v = face_frames(cube.look)[cube.value - 1] @ axes.T
    half = cube.size / 2
    return np.array([centre + half * normal, normal, half * u, half * v])
