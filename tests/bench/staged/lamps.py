"""Light by lot: lamps of one kind or another, and the room that gloss mirrors."""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np

from tests.bench.staged.camera import Camera
from tests.bench.staged.chance import Array, hsv, paint, pick
from tests.bench.staged.model import Lamp, Light
from tests.bench.staged.solids import Finish, Part, Point, box

ROOM = (96, 192)  # height and width of its picture
MIDDLE = (0.0, 0.0, 0.0)
WEIGHTS = {
    "rig": [3, 3, 2, 1.5, 2, 0.5, 1, 0, 2],
    "table": [4, 3, 2, 0.3, 2, 0.5, 1.5, 1, 2],
    "hard": [1.5, 1.5, 1, 0.7, 3, 2.5, 2, 2, 0.5],
}
RING = 10  # small lamps in a ring

Some = tuple[float, list[Lamp]]
"""What is left of the room's own light, and the lamps."""


def random_light(rng: np.random.Generator, kind: str, camera: Camera) -> Light:
    name = pick(rng, list(LIGHTS), WEIGHTS[kind])
    way, day, ambient = rng.uniform(0, 6.28), rng.random() < 0.6, rng.uniform(0.15, 0.6)
    share, lamps = LIGHTS[name](rng, way, camera)
    strength = 1.0 if name == "overcast" else ambient * share
    return Light(name, way, tuple(lamps), _room(rng, day=day and name != "candle") * np.float32(strength))


def random_shades(rng: np.random.Generator, kind: str, camera: Camera, light: Light) -> list[Part]:
    """What is between lamp and table, and the phone that a hand holds."""
    shades = []
    if rng.random() < 0.15:
        something = box(rng.uniform(0.04, 0.3), rng.uniform(0.04, 0.4), 0.005)
        at = _from(light.way, rng.uniform(0.6, 1.1), rng.uniform(0.3, 0.5))
        shades.append(Part(something, Finish(np.full(3, 0.3)), at, rng.uniform(0, 6)))
    if kind != "rig" and camera.tilt_deg < 50:
        phone, beside = box(0.075, 0.15, 0.008), _point(camera.beside(0.02, 0.03, 0.03))
        shades.append(Part(phone, Finish(np.full(3, 0.05)), beside, axes=camera.axes))
    return shades


def colour(kelvin: float) -> tuple[float, float, float]:
    """Linear, its brightest part 1: of a black body, roughly."""
    k = kelvin / 100
    red = 1 if k <= 66 else 1.29 * (k - 60) ** -0.133
    green = 0.39 * math.log(k) - 0.63 if k <= 66 else 1.13 * (k - 60) ** -0.0755
    blue = 1 if k >= 66 else max(0.05, 0.543 * math.log(max(k - 10, 1.1)) - 1.196)
    light = np.clip([red, green, blue], 0, 1) ** 2.2
    return paint(light / light.max())


def _from(way: float, high: float, far: float) -> Point:
    """A place so far from the middle in a direction, seen from there `high` radians above the table."""
    flat = far * math.cos(high)
    return flat * math.cos(way), flat * math.sin(way), far * math.sin(high)


def _point(at: Array) -> Point:
    x, y, z = (float(part) for part in at)
    return x, y, z


def _window(rng: np.random.Generator, way: float, _camera: Camera) -> Some:
    at = _from(way, rng.uniform(0.25, 0.7), 1.4)
    return 1, [Lamp("AREA", at, MIDDLE, rng.uniform(40, 80), rng.uniform(5500, 9000), rng.uniform(0.7, 1.2))]


def _ceiling(rng: np.random.Generator, _way: float, _camera: Camera) -> Some:
    at = (rng.normal(0, 0.2), rng.normal(0, 0.2), 1.5)
    return 1, [Lamp("AREA", at, MIDDLE, 40, rng.uniform(2700, 4500), rng.uniform(0.15, 0.5))]


def _two(rng: np.random.Generator, way: float, _camera: Camera) -> Some:
    lamps = []
    for number in range(2):
        kind = "SPOT" if rng.random() < 0.3 else "AREA"
        at = _from(way + number * rng.uniform(1.5, 3.5), rng.uniform(0.5, 1.3), 1.1)
        watts, kelvin = rng.uniform(10, 35), rng.uniform(2700, 6000)
        lamps.append(Lamp(kind, at, MIDDLE, watts, kelvin, rng.uniform(0.06, 0.25)))
    return 1, lamps


def _ring(rng: np.random.Generator, _way: float, camera: Camera) -> Some:
    """Around the camera."""
    radius, lamps = rng.uniform(0.04, 0.12), []
    for turn in np.arange(RING) * 2 * math.pi / RING:
        at = camera.beside(radius * math.cos(turn), radius * math.sin(turn), 0.01)
        lamps.append(Lamp("AREA", _point(at), MIDDLE, 4 * camera.distance**2, rng.uniform(4800, 6500), 0.02))
    return 0.4, lamps


def _desk(rng: np.random.Generator, way: float, _camera: Camera) -> Some:
    share, at = rng.uniform(0.15, 0.6), _from(way, rng.uniform(0.35, 1.2), rng.uniform(0.35, 0.7))
    aim = (rng.normal(0, 0.03), rng.normal(0, 0.03), 0.0)
    watts, kelvin, wide = rng.uniform(12, 30), rng.uniform(2700, 5500), rng.uniform(0.01, 0.04)
    return share, [Lamp("SPOT", at, aim, watts, kelvin, wide, rng.uniform(0.9, 1.8))]


def _candle(rng: np.random.Generator, way: float, _camera: Camera) -> Some:
    at = _from(way, rng.uniform(0.25, 0.8), rng.uniform(0.25, 0.5))
    return 0.06, [Lamp("POINT", at, MIDDLE, 3, rng.uniform(1800, 2300), 0.015)]


def _mixed(rng: np.random.Generator, way: float, _camera: Camera) -> Some:
    """Daylight and a warm lamp."""
    sky = Lamp("AREA", _from(way, 0.5, 1.4), MIDDLE, 40, 7500, 0.9)
    at = _from(way + rng.uniform(1.5, 4), 1.1, 1.0)
    return 1, [sky, Lamp("AREA", at, MIDDLE, rng.uniform(10, 25), 2700, 0.15)]


def _flash(_rng: np.random.Generator, _way: float, camera: Camera) -> Some:
    at = _point(camera.beside(0.02, 0.01, 0))
    return 0.3, [Lamp("AREA", at, MIDDLE, camera.distance**2 * 25, 5500, 0.008)]


def _overcast(_rng: np.random.Generator, way: float, _camera: Camera) -> Some:
    return 1, [Lamp("AREA", _from(way, 1.0, 2), MIDDLE, 40, 6500, 2.0)]


LIGHTS: dict[str, Callable[[np.random.Generator, float, Camera], Some]] = {
    "window": _window,
    "ceiling": _ceiling,
    "two": _two,
    "ring": _ring,
    "desk": _desk,
    "candle": _candle,
    "mixed": _mixed,
    "flash": _flash,
    "overcast": _overcast,
}


def _room(rng: np.random.Generator, *, day: bool) -> Array:
    """Walls, a floor, a ceiling, furniture, and windows by day or lamps by night; its first row is the lowest."""
    height, width = ROOM
    up = np.linspace(-1, 1, height)
    room = np.zeros((height, width, 3), np.float32)
    wall = np.array([0.5, 0.48, 0.44]) * rng.uniform(0.3, 1.2)
    room[:] = wall * (0.6 + 0.4 * (up > -0.1))[:, None, None]
    room[up < -0.1] *= 0.5
    room[up > 0.55] = np.array([0.75, 0.74, 0.7]) * rng.uniform(0.4, 1.2)
    for _ in range(int(rng.integers(3, 9))):
        left, low = int(rng.integers(width)), int(rng.integers(height // 3, height * 2 // 3))
        here = slice(low, low + int(rng.integers(4, 20))), slice(left, left + int(rng.integers(4, 24)))
        room[here] *= rng.uniform(0.1, 1.6) * hsv(rng.random(), 0.4, 1)
    if day:
        for _ in range(int(rng.integers(1, 3))):
            left, wide, light = int(rng.integers(width - 24)), int(rng.integers(8, 24)), rng.uniform(5, 16)
            pane = room[50:74, left : left + wide]
            pane[:] = np.array([0.85, 0.95, 1.1]) * light
            pane[:, wide // 2] = pane[12] = 0.2
    else:
        for _ in range(int(rng.integers(0, 3))):
            at, size = (int(rng.integers(width)), int(rng.integers(70, height - 2))), int(rng.integers(2, 5))
            cv2.circle(room, at, size, paint(np.array([1.1, 0.85, 0.55]) * rng.uniform(6, 20)), -1)
    return room
