"""Cameras by lot: a rig's above a tray, a hand-held one, and one that makes it hard."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tests.bench.staged.chance import Array, pick

SIZES = {"rig": (640, 480), "table": (960, 720), "hard": (960, 720)}
AIM = np.array([0.0, 0.0, 0.005])  # what it looks at: metres, the table is z = 0
USUAL = 0.016  # edge of a die


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole at `eye`; the columns of `axes` are its right, its up and what is behind it."""

    width: int
    height: int
    view_deg: float  # across
    sensor_mm: float
    eye: Array
    axes: Array
    distance: float
    focus: float  # distance of what is sharp
    fstop: float
    tilt_deg: float  # 0 looks straight down
    heading: float  # where it stands
    roll: float
    die_px: float  # of a usual die's edge, before the distance was bounded

    @property
    def focal_px(self) -> float:
        return focal(self.width, self.view_deg)

    @property
    def sees(self) -> float:
        """Metres of the table across the picture, at its middle."""
        return self.distance * self.width / self.focal_px

    def pixels(self, places: Array) -> Array:
        """Where places, … × 3, are seen."""
        own = (np.asarray(places) - self.eye) @ self.axes
        middle = np.array([self.width / 2, self.height / 2])
        return np.asarray(middle + self.focal_px * own[..., :2] * (1, -1) / -own[..., 2:])

    def ground(self, x: float, y: float) -> Array | None:
        """The place on the table that a pixel shows, if it shows one."""
        way = self.axes @ np.array([(x - self.width / 2) / self.focal_px, -(y - self.height / 2) / self.focal_px, -1])
        far = -self.eye[2] / way[2]
        return None if far <= 0 else np.asarray(self.eye + far * way)

    def beside(self, right: float, up: float, behind: float) -> Array:
        """A place that moves with it."""
        return np.asarray(self.eye + self.axes @ np.array([right, up, behind]))


def focal(width: int, view_deg: float) -> float:
    """In pixels."""
    return width / 2 / math.tan(math.radians(view_deg / 2))


def random_camera(rng: np.random.Generator, kind: str) -> Camera:
    width, height = SIZES[kind]
    view_deg, tilt_deg, die_px = _view(rng, kind)
    nearest, farthest = (0.24, 0.8) if kind == "rig" else (0.16, 1.3)
    distance = float(np.clip(focal(width, view_deg) * USUAL / die_px, nearest, farthest))
    sensor_mm, heading, tilt = pick(rng, [3.7, 4.8, 5.7, 7.0]), rng.uniform(0, 2 * math.pi), math.radians(tilt_deg)
    out = np.array([math.sin(tilt) * math.cos(heading), math.sin(tilt) * math.sin(heading), math.cos(tilt)])
    roll = math.radians(rng.uniform(0, 360) if tilt_deg < 8 else rng.normal(0, 3 if kind == "rig" else 7))
    focus = distance * (rng.uniform(0.93, 1.08) if rng.random() < 0.8 else rng.uniform(0.7, 1.5))
    return Camera(
        width=width,
        height=height,
        view_deg=view_deg,
        sensor_mm=sensor_mm,
        eye=AIM + distance * out,
        axes=looking(-out, roll),
        distance=distance,
        focus=focus,
        fstop=rng.uniform(1.7, 2.8),
        tilt_deg=tilt_deg,
        heading=heading,
        roll=roll,
        die_px=die_px,
    )


def _view(rng: np.random.Generator, kind: str) -> tuple[float, float, float]:
    """How wide it sees and how it is tilted, in degrees, and how large it sees a usual die, in pixels."""
    match kind:
        case "rig":
            wide, sizes = pick(rng, [54, 62, 66, 78, 95], [3, 3, 3, 2, 0.7]), (18, 60)
            tilt = pick(rng, [rng.uniform(0, 8), rng.uniform(8, 40)], [6, 4])
        case "table":
            wide, sizes = pick(rng, [55, 65, 70, 80], [2, 3, 3, 1]), (24, 95)
            tilt = rng.uniform(12, 58)
        case _:
            wide, sizes = pick(rng, [60, 66, 75, 90, 102]), (15, 48)
            tilt = pick(rng, [rng.uniform(0, 30), rng.uniform(45, 68)], [3, 7])
    return wide, tilt, float(np.exp(rng.uniform(*np.log(sizes))))


def looking(way: Array, roll: float = 0.0) -> Array:
    """Axes (right, up, behind as columns) of what looks along a way, its up as far up as that allows, then rolled."""
    behind = -way / np.linalg.norm(way)
    right = np.cross((0.0, 0.0, 1.0), behind)
    right = right / np.linalg.norm(right)
    c, s = math.cos(roll), math.sin(roll)
    upright = np.column_stack([right, np.cross(behind, right), behind])
    return np.asarray(upright @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]))
