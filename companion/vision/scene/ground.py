"""The table in the picture: the pattern laid flat under the camera, a tray's walls, and the shadows that fall there."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Floats
from companion.vision.scene.geometry import Matrix, View, cube_corners
from companion.vision.scene.model import Camera, Cube, Ground, Lamp, Light, Rim
from companion.vision.scene.solid import toward
from companion.vision.scene.tiles import SIDE, TONE, tile

_BITS = 4  # fractional bits of OpenCV's polygons
_DEEPEST = 3  # a tile is halved at most so often


def flat_light(light: Light) -> Floats:
    """Light that arrives on the open table: (3,), linear."""
    total = light.ambient * np.array(light.ambient_colour, np.float32)
    for lamp in light.lamps:
        total = total + lamp.strength * math.sin(math.radians(lamp.elevation_deg)) * np.array(lamp.colour, np.float32)
    return total


def mean_colour(ground: Ground) -> Floats:
    return np.asarray(np.square(np.mean(np.array(ground.palette, np.float32), axis=0)), np.float32)


def lay(ground: Ground, camera: Camera, view: View, light: Light) -> Floats:
    """The ground, evenly lit, all over the picture: height × width × 3, linear."""
    per_cm = camera.focal_px / camera.distance
    level = int(np.clip(round(math.log2(max(SIDE / ground.scale / per_cm, 1))), 0, _DEEPEST))
    pattern = tile(ground.kind, ground.seed, level)
    unit = pattern.shape[0] / ground.scale
    cos, sin = unit * math.cos(math.radians(ground.yaw_deg)), unit * math.sin(math.radians(ground.yaw_deg))
    into_tile = np.array([[cos, sin, 0.37 * SIDE], [-sin, cos, 0.61 * SIDE], [0, 0, 1.0]])
    seen = cv2.warpPerspective(
        pattern,
        view.table() @ np.linalg.inv(into_tile),
        (camera.width, camera.height),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_WRAP,
    )
    place, tone = cv2.split(seen)
    ramp = _ramp(ground) * flat_light(light)
    gain = np.maximum(1 + ground.grain * (np.arange(256, dtype=np.float32) - 128) / (127 * TONE), 0.05)
    colour = cv2.LUT(cv2.merge([place, place, place]), ramp[None].astype(np.float32))
    rough = cv2.LUT(tone, gain.astype(np.float32))
    return np.asarray(cv2.multiply(colour, cv2.merge([rough, rough, rough])), np.float32)


def _ramp(ground: Ground) -> Floats:
    """256 × 3: the palette's colours in a row, linear."""
    stops = np.square(np.array(ground.palette, np.float32))
    ticks = np.linspace(0, len(stops) - 1, 256)
    return np.stack([np.interp(ticks, np.arange(len(stops)), stops[:, c]) for c in range(3)], axis=1).astype(np.float32)


def polygon(points: Matrix) -> NDArray[np.int32]:
    """Pixels as OpenCV's polygons want them, with fractional bits."""
    return np.asarray(np.round(np.clip(points, -4e3, 8e3) * (1 << _BITS)), np.int32)


def mask_of(points: Matrix, width: int, height: int) -> NDArray[np.uint8]:
    canvas = np.zeros((height, width), np.uint8)
    cv2.fillPoly(canvas, [polygon(points)], 255, cv2.LINE_AA, _BITS)
    return canvas


def flat(points: Matrix, height: float = 0.0) -> Matrix:
    """N × 2 places on the table as N × 3 of the world, so high above it."""
    return np.column_stack([points, np.full(len(points), height)])


def enclose(picture: Floats, rim: Rim, floor: Floats, camera: Camera, view: View, light: Light) -> Floats:
    """A tray around its floor: `floor` inside, walls, and `picture` outside."""
    corners = np.array(rim.corners)
    middle = corners.mean(axis=0)
    outward = (corners - middle) / np.linalg.norm(corners - middle, axis=1, keepdims=True)
    brow, edge = corners + outward * rim.flare, corners + outward * (rim.flare + rim.width)
    low, high, far = (view.pixels(flat(p, z)) for p, z in ((corners, 0.0), (brow, rim.height), (edge, rim.height)))
    size = (camera.width, camera.height)
    whole = mask_of(far, *size)
    tone = floor / np.maximum(floor.mean(axis=(0, 1)), 1e-4)
    shaded = np.zeros_like(picture)
    colour = np.square(np.array(rim.colour, np.float32))
    order = sorted(range(len(corners)), key=lambda i: -view.depth(np.array([*corners[i], 0.0])))
    for i in order:
        j = (i + 1) % len(corners)
        inward = middle - (corners[i] + corners[j]) / 2
        normal = np.array([*(inward / np.linalg.norm(inward) * rim.height), rim.flare])
        wall = np.array([low[i], low[j], high[j], high[i]])
        cv2.fillPoly(shaded, [polygon(wall)], _lit(colour, normal, light), cv2.LINE_AA, _BITS)
    for i in order:
        j = (i + 1) % len(corners)
        top = np.array([high[i], high[j], far[j], far[i]])
        cv2.fillPoly(shaded, [polygon(top)], _lit(colour * 1.1, np.array([0, 0, 1.0]), light), cv2.LINE_AA, _BITS)
    share = (whole.astype(np.float32) / 255)[..., None]
    inside = (mask_of(low, *size).astype(np.float32) / 255)[..., None]
    tray = shaded * np.clip(0.5 + 0.5 * tone, 0, 2) * (1 - inside) + floor * inside
    mixed = np.asarray(picture * (1 - share) + tray * share, np.float32)
    for i in range(len(corners)):
        j = (i + 1) % len(corners)
        crest = np.array([[*brow[i], rim.height], [*brow[j], rim.height], [*corners[i], 0], [*corners[j], 0]])
        for lamp in light.lamps:
            shade(mixed, _cast(crest, lamp, 5), view, _part(lamp, light) * 0.9, cover=inside[..., 0])
    return mixed


def _lit(colour: Floats, normal: Matrix, light: Light) -> tuple[float, float, float]:
    normal = normal / np.linalg.norm(normal)
    total = light.ambient * np.array(light.ambient_colour, np.float32) * (0.6 + 0.4 * normal[2])
    for lamp in light.lamps:
        total = total + lamp.strength * max(
            float(normal @ toward(lamp.azimuth_deg, lamp.elevation_deg)), 0.0
        ) * np.array(lamp.colour)
    blue, green, red = (float(v) for v in colour * total)
    return blue, green, red


def _part(lamp: Lamp, light: Light) -> float:
    """Share of the light on the open table that this lamp gives."""
    own = lamp.strength * math.sin(math.radians(lamp.elevation_deg))
    return own / max(float(flat_light(light).mean()), 1e-6)


def _cast(points: Matrix, lamp: Lamp, samples: int) -> list[Matrix]:
    """Shadows on the table of the hull of `points`, from places all over the lamp: each N × 2 on the table."""
    found = []
    for k in range(samples):
        turn = 2.4 * k
        radius = lamp.softness_deg * math.sqrt(k / max(samples - 1, 1))
        azimuth = lamp.azimuth_deg + radius * math.cos(turn) / max(math.cos(math.radians(lamp.elevation_deg)), 0.2)
        way = toward(azimuth, float(np.clip(lamp.elevation_deg + radius * math.sin(turn), 8, 89)))
        found.append(points[:, :2] - points[:, 2:] * way[:2] / way[2])
    return found


def shade(
    picture: Floats,
    shadows: Sequence[Matrix],
    view: View,
    depth: float,
    *,
    cover: Floats | None = None,
    blur_px: float = 0.6,
) -> None:
    """Darkens the picture in place by the mean of shadows on the table; `depth` 0–1."""
    rows, columns = picture.shape[:2]
    outlines = [view.pixels(flat(s)) for s in shadows]
    joined = np.concatenate(outlines)
    pad = 3 * blur_px + 2
    x0, y0 = (max(int(v), 0) for v in np.floor(joined.min(axis=0) - pad))
    x1, y1 = (int(min(v, m)) for v, m in zip(np.ceil(joined.max(axis=0) + pad), (columns, rows), strict=True))
    if x1 <= x0 or y1 <= y0:
        return
    total = np.zeros((y1 - y0, x1 - x0), np.uint16)
    canvas = np.empty((y1 - y0, x1 - x0), np.uint8)
    for outline in outlines:
        canvas[:] = 0
        hull = cv2.convexHull(outline.astype(np.float32)).reshape(-1, 2)
        cv2.fillConvexPoly(canvas, polygon(hull - (x0, y0)), 255, cv2.LINE_AA, _BITS)
        total += canvas
    dark = total.astype(np.float32) * np.float32(depth / 255 / len(outlines))
    dark = np.asarray(cv2.GaussianBlur(dark, (0, 0), blur_px), np.float32)
    if cover is not None:
        dark = dark * cover[y0:y1, x0:x1]
    picture[y0:y1, x0:x1] *= (1 - dark)[..., None]


def shadow_of(picture: Floats, cube: Cube, view: View, light: Light) -> None:
    """A die's shadows of all lamps, and the dark line where it stands, drawn into the picture in place."""
    corners = cube_corners(cube)
    middle = corners.mean(axis=0)
    slim = 1 - 0.9 * cube.look.rounding if not cube.look.ball else 0.86
    body = middle + (corners - middle) * (0.5 + 0.5 * slim)
    body[:, 2] = np.maximum(body[:, 2], 0)
    pixel_cm = view.lens[0, 0] / max(view.depth(middle), 1e-3)
    clear = 1 - 0.6 * cube.look.clear
    for lamp in light.lamps:
        samples = int(np.clip(lamp.softness_deg * pixel_cm * cube.size / 40, 1, 7))
        blur = 0.6 + 0.012 * lamp.softness_deg * pixel_cm * cube.size / samples
        shade(picture, _cast(body, lamp, samples), view, _part(lamp, light) * clear, blur_px=blur)
    if cube.z < 0.2 * cube.size:
        foot = np.array([c[:2] for c in corners if c[2] <= middle[2]])
        near = light.ambient / max(float(flat_light(light).mean()), 1e-6)
        for grow, depth in ((1.25, 0.35), (1.0, 0.6)):
            spread = foot.mean(axis=0) + (foot - foot.mean(axis=0)) * grow
            shade(
                picture,
                [spread],
                view,
                depth * min(near, 1.0) * clear,
                blur_px=0.4 + 0.1 * cube.size * pixel_cm * grow,
            )
