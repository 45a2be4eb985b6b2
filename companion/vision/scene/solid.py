"""One die in light: rays against a rounded cube, then its faces, lamps, reflections and its neighbours' shadows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Floats
from companion.vision.scene.faces import atlas
from companion.vision.scene.geometry import Matrix, View, cube_corners, face_frames, pose
from companion.vision.scene.model import Cube, Lamp, Light

_STEPS = 9  # of the march into a rounded edge; more change nothing that one sees
_NEAR = 0.004  # share of half an edge at which a ray has arrived
_SEAM = 0.05  # how softly the ball that cuts the corners meets the faces


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """A die's part of the picture: `light` (h × w × 3, linear, times cover) and `cover`, from pixel (x, y) on."""

    x: int
    y: int
    light: Floats
    cover: Floats
    glare: float


@dataclass(frozen=True, slots=True, eq=False)
class _Hits:
    """Where rays meet the die: which rays, points and normals in its own axes in half edges, and directions."""

    which: NDArray[np.intp]
    point: list[Floats]
    normal: list[Floats]
    way: list[Floats]


def bounds(cube: Cube, view: View) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the die as if its edges were sharp, in pixels."""
    pixels = view.pixels(cube_corners(cube))
    left, top = pixels.min(axis=0)
    right, bottom = pixels.max(axis=0)
    return float(left), float(top), float(right), float(bottom)


def draw_cube(
    cube: Cube, others: Sequence[Cube], view: View, light: Light, floor: Floats, size: tuple[int, int]
) -> Patch | None:
    """The die as the camera sees it, or None where it is outside the picture of `size` (width, height).

    `floor`: colour (3,) of the ground around, linear: it shines onto the sides and through a clear body.
    """
    left, top, right, bottom = bounds(cube, view)
    x0, y0 = max(math.floor(left) - 1, -8), max(math.floor(top) - 1, -8)
    x1, y1 = min(math.ceil(right) + 2, size[0] + 8), min(math.ceil(bottom) + 2, size[1] + 8)
    if x1 <= x0 or y1 <= y0:
        return None
    fine = float(np.clip(110 / max(x1 - x0, y1 - y0), 1.2, 3))
    columns, rows = max(round((x1 - x0) * fine), 1), max(round((y1 - y0) * fine), 1)
    u = x0 - 0.5 + (np.arange(columns, dtype=np.float32) + 0.5) * np.float32((x1 - x0) / columns)
    v = y0 - 0.5 + (np.arange(rows, dtype=np.float32) + 0.5) * np.float32((y1 - y0) / rows)
    axes, centre = pose(cube)
    half = cube.size / 2
    eye = (view.at - centre) @ axes / half
    hits = _meet(cube, eye, axes.T @ view.rays(), u, v)
    canvas = np.zeros((rows * columns, 4), np.float32)
    glare = 0.0
    if len(hits.which):
        colour, glare = _shade(cube, hits, axes, centre, others, light, floor, (right - left) * fine)
        canvas[hits.which, :3] = colour
        canvas[hits.which, 3] = 1
    shrunk = cv2.resize(canvas.reshape(rows, columns, 4), (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)
    return Patch(x0, y0, np.ascontiguousarray(shrunk[..., :3]), np.ascontiguousarray(shrunk[..., 3]), glare)


def _meet(cube: Cube, eye: Matrix, rays: Matrix, u: Floats, v: Floats) -> _Hits:
    """Rays of the pixel grid u × v against the die: first its sharp box, then a march to its rounded one.

    `rays`: as of `View`, but in the die's own axes.
    """
    t = rays.astype(np.float32)
    ways = [(t[i, 0] * u[None, :] + (t[i, 1] * v[:, None] + t[i, 2])).ravel() for i in range(3)]
    scale = 1 / np.sqrt(ways[0] ** 2 + ways[1] ** 2 + ways[2] ** 2)
    ways = [w * scale for w in ways]
    enter = np.full(len(scale), -np.inf, np.float32)
    leave = np.full(len(scale), np.inf, np.float32)
    for start, way in zip(eye.astype(np.float32), ways, strict=True):
        inverse = 1 / np.where(np.abs(way) < 1e-9, np.float32(1e-9), way)
        one, two = (-1 - start) * inverse, (1 - start) * inverse
        np.maximum(enter, np.minimum(one, two), out=enter)
        np.minimum(leave, np.maximum(one, two), out=leave)
    which = np.flatnonzero((enter < leave) & (enter > 0))
    ways = [w[which] for w in ways]
    reach, leave = enter[which], leave[which]
    eye32 = eye.astype(np.float32)
    active = np.arange(len(which))
    for _ in range(_STEPS):
        gap = _distance(cube, [e + reach[active] * w[active] for e, w in zip(eye32, ways, strict=True)])[0]
        reach[active] += gap
        active = active[(gap > _NEAR) & (reach[active] < leave[active])]
        if not len(active):
            break
    met = np.ones(len(which), bool)
    met[active] = False
    met &= reach < leave
    ways = [w[met] for w in ways]
    reach = reach[met]
    point = [e + reach * w for e, w in zip(eye32, ways, strict=True)]
    return _Hits(which[met], point, _distance(cube, point)[1], ways)


def _distance(cube: Cube, point: list[Floats]) -> tuple[Floats, list[Floats]]:
    """Distance to the die's surface in half edges, and the surface's normal nearby (a rounded box, cut by a ball)."""
    edge = np.float32(max(cube.look.rounding, 0.015) * 2)
    over = [np.maximum(np.abs(p) - (1 - edge), 0) for p in point]
    length = np.sqrt(over[0] ** 2 + over[1] ** 2 + over[2] ** 2)
    gap = length - edge
    scale = 1 / np.maximum(length, 1e-6)
    normal = [np.copysign(o, p) * scale for o, p in zip(over, point, strict=True)]
    if cube.look.ball:
        radius = np.sqrt(point[0] ** 2 + point[1] ** 2 + point[2] ** 2)
        rise = radius - np.float32(2 * cube.look.ball)
        share = np.clip(0.5 + (rise - gap) / (2 * _SEAM), 0, 1)
        gap = gap + share * (rise - gap) + _SEAM * share * (1 - share)
        normal = [n + share * (p / radius - n) for n, p in zip(normal, point, strict=True)]
        scale = 1 / np.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2)
        normal = [n * scale for n in normal]
    return gap, normal


def _paint(cube: Cube, point: list[Floats], side: int) -> tuple[Floats, Floats, NDArray[np.intp]]:
    """Colour (n × 3) and relief (n × 3: slopes, ink) of the faces at points of the surface, and the face's index."""
    frames = face_frames(cube.look)
    stacked = np.stack(point)
    axis = np.argmax(np.abs(stacked), axis=0)
    positive = np.take_along_axis(stacked, axis[None], 0)[0] > 0
    table = np.zeros((3, 2), np.intp)
    for index, (normal, _, _) in enumerate(frames):
        place = int(np.argmax(np.abs(normal)))
        table[place, int(normal[place] > 0)] = index
    face = table[axis, positive.astype(np.intp)]
    us, vs = frames[:, 1].astype(np.float32)[face], frames[:, 2].astype(np.float32)[face]
    u = us[:, 0] * point[0] + us[:, 1] * point[1] + us[:, 2] * point[2]
    v = vs[:, 0] * point[0] + vs[:, 1] * point[1] + vs[:, 2] * point[2]
    limit = np.float32(side / 2 - 1)
    column = (face * side + side / 2 - 0.5 + np.clip(u * side / 2, -limit, limit)).astype(np.float32)
    row = (side / 2 - 0.5 + np.clip(v * side / 2, -limit, limit)).astype(np.float32)
    colours, relief = atlas(cube.look, side)
    return _sample(colours, column, row), _sample(relief, column, row), face


_ROW = 1024  # OpenCV's remap wants pictures less than 32768 wide


def _sample(texture: Floats, column: Floats, row: Floats) -> Floats:
    count = len(column)
    rows = -(-count // _ROW)
    where = np.zeros((2, rows * _ROW), np.float32)
    where[0, :count], where[1, :count] = column, row
    found = cv2.remap(texture, where[0].reshape(rows, _ROW), where[1].reshape(rows, _ROW), cv2.INTER_LINEAR)
    return np.asarray(found.reshape(-1, 3)[:count], np.float32)


def _side(pixels: float) -> int:
    """Texels a face: about as many as it has pixels, a power of two."""
    return int(2 ** np.clip(round(math.log2(max(pixels, 1) * 0.8)), 4, 7))


def toward(azimuth_deg: float, elevation_deg: float) -> Matrix:
    """The unit vector toward a light."""
    azimuth, elevation = math.radians(azimuth_deg), math.radians(elevation_deg)
    return np.array(
        [math.cos(elevation) * math.cos(azimuth), math.cos(elevation) * math.sin(azimuth), math.sin(elevation)]
    )


def _shade(
    cube: Cube,
    hits: _Hits,
    axes: Matrix,
    centre: Matrix,
    others: Sequence[Cube],
    light: Light,
    floor: Floats,
    pixels: float,
) -> tuple[Floats, float]:
    """Light that leaves each hit toward the camera (n × 3, linear), and the share of the top face lost to glare."""
    look = cube.look
    colour, relief, face = _paint(cube, hits.point, _side(pixels))
    bent = _bend(cube, hits.normal, relief, face)
    turn = axes.astype(np.float32)
    normal = np.stack([turn[i, 0] * bent[0] + turn[i, 1] * bent[1] + turn[i, 2] * bent[2] for i in range(3)], axis=1)
    way = np.stack(
        [turn[i, 0] * hits.way[0] + turn[i, 1] * hits.way[1] + turn[i, 2] * hits.way[2] for i in range(3)], axis=1
    )
    half = np.float32(cube.size / 2)
    place = np.stack(hits.point, axis=1) @ turn.T * half + centre.astype(np.float32)
    facing = -(normal * way).sum(axis=1)
    mirror = way + 2 * facing[:, None] * normal
    fresnel = 0.04 + 0.6 * np.clip(1 - facing, 0, 1) ** 4
    height = np.clip((place[:, 2] - cube.z) / cube.size, 0, 1)
    sky = 0.5 + 0.5 * normal[:, 2]
    open_sky = (sky * (0.7 + 0.3 * height))[:, None]
    ambient = light.ambient * np.array(light.ambient_colour, np.float32)
    arriving = ambient * (open_sky + (1 - sky)[:, None] * 0.6 * floor)
    shine = np.zeros((len(place), 3), np.float32)
    for lamp in light.lamps:
        lit, glint = _lamp(lamp, place, normal, mirror, others)
        tint = np.float32(lamp.strength) * np.array(lamp.colour, np.float32)
        arriving += lit[:, None] * tint
        shine += (glint * look.gloss)[:, None] * tint
    shine += (fresnel * look.gloss * light.ambient * np.clip(mirror[:, 2] + 0.3, 0, 1))[:, None] * ambient
    shine += (look.gloss * (0.08 + fresnel) * light.ambient * _horizon(mirror[:, 2]))[:, None] * ambient
    if light.window:
        shine += (look.gloss * (0.25 + fresnel) * light.window * _window(light, mirror))[:, None]
    if look.clear:
        colour = colour + (look.clear * (1 - relief[:, 2]))[:, None] * (_through(cube, hits, colour, floor) - colour)
    top = face == cube.value - 1
    washed = float((shine[top].max(axis=1) > 0.45).mean()) if top.any() else 0.0
    return np.asarray(colour * arriving + shine, np.float32), washed


def _bend(cube: Cube, normal: list[Floats], relief: Floats, face: NDArray[np.intp]) -> list[Floats]:
    """Normals bent into the dents of the pips."""
    if not cube.look.dent:
        return normal
    frames = face_frames(cube.look).astype(np.float32)
    us, vs = frames[:, 1][face], frames[:, 2][face]
    bent = [n + relief[:, 0] * us[:, i] + relief[:, 1] * vs[:, i] for i, n in enumerate(normal)]
    scale = 1 / np.sqrt(bent[0] ** 2 + bent[1] ** 2 + bent[2] ** 2)
    return [b * scale for b in bent]


def _lamp(lamp: Lamp, place: Floats, normal: Floats, mirror: Floats, others: Sequence[Cube]) -> tuple[Floats, Floats]:
    """How much of the lamp's light arrives, and how brightly the surface mirrors the lamp itself."""
    way = toward(lamp.azimuth_deg, lamp.elevation_deg)
    straight = normal @ way.astype(np.float32)
    soft = np.float32(math.radians(lamp.softness_deg))
    lit = np.clip((straight + soft) / (1 + soft), 0, 1)
    for other in others:
        lit = lit * (1 - _blocked(other, place, way, soft))
    toward_lamp = np.clip(mirror @ way.astype(np.float32), 0, 1)
    sharpness = 20 + 200 / (1 + 400 * float(soft) ** 2)
    glint = toward_lamp**sharpness * (0.15 + 0.85 * min(1.0, sharpness / 200)) * (straight > 0)
    return lit, np.asarray(glint * 1.2, np.float32)


def _blocked(other: Cube, place: Floats, way: Matrix, soft: np.float32) -> Floats:
    """0–1: how much of the lamp another die hides from points, as a ball of its volume."""
    _, centre = pose(other)
    away = centre.astype(np.float32) - place
    along = away @ way.astype(np.float32)
    across = np.sqrt(np.maximum((away * away).sum(axis=1) - along * along, 0))
    radius = 0.6 * other.size
    blur = 0.12 * other.size + np.maximum(along, 0) * soft
    return np.asarray(np.where(along > 0, np.clip((radius - across) / blur + 0.5, 0, 1), 0) * 0.9, np.float32)


def _horizon(rise: Floats) -> Floats:
    """Walls and windows, brightest low in the room: they gleam along rounded edges, seldom on a face that lies flat."""
    return np.asarray(1.6 * np.exp(-(((rise - 0.45) / 0.22) ** 2)), np.float32)


def _window(light: Light, mirror: Floats) -> Floats:
    """0–1: does a mirrored ray end in the window or tube."""
    azimuth, elevation, width = light.window_deg
    middle = toward(azimuth, elevation)
    across = np.array([-math.sin(math.radians(azimuth)), math.cos(math.radians(azimuth)), 0.0])
    upward = np.cross(middle, across)
    half = math.sin(math.radians(width))
    a = np.abs(mirror @ across.astype(np.float32)) / half
    b = np.abs(mirror @ upward.astype(np.float32)) / (half * 0.45)
    ahead = mirror @ middle.astype(np.float32) > 0
    edge = np.clip((1.1 - np.maximum(a, b)) / 0.2, 0, 1)
    return np.asarray(edge * ahead, np.float32)


def _through(cube: Cube, hits: _Hits, colour: Floats, floor: Floats) -> Floats:
    """What a clear body shows: the ground tinted, and the pips of the far faces."""
    spans = [
        (np.copysign(1, w) - p) / np.where(np.abs(w) < 1e-6, np.float32(1e-6), w)
        for p, w in zip(hits.point, hits.way, strict=True)
    ]
    span = np.minimum(np.minimum(spans[0], spans[1]), spans[2])
    back: list[Floats] = [p + span * w for p, w in zip(hits.point, hits.way, strict=True)]
    inside, relief, _ = _paint(cube, back, 32)
    tinted = 0.55 * colour + 0.75 * floor * np.sqrt(np.maximum(colour, 0))
    return np.asarray(tinted + 0.6 * relief[:, 2:] * (inside - tinted), np.float32)
