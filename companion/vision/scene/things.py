"""What else lies on tables: cards, coins, dominoes, buttons, cables, pawns. None of it is a die."""

from __future__ import annotations

import math

import cv2
import numpy as np

from companion.ports import Floats
from companion.vision.scene.geometry import Matrix, View
from companion.vision.scene.ground import flat, flat_light, polygon, shade
from companion.vision.scene.model import Light, Thing
from companion.vision.scene.solid import toward
from companion.vision.scene.sprites import FLAT, sprite_of

_LAYERS_PX = 1.5  # pixels between two slices of a thing's side

SIZES: dict[str, tuple[float, float]] = {
    "card": (8, 9),
    "coin": (1.6, 2.8),
    "domino": (3.5, 5.5),
    "button": (1, 2.5),
    "ladybird": (0.7, 2.5),
    "magnet": (1, 3),
    "chip": (2.5, 4),
    "plate": (3, 14),
    "brick": (1.6, 3.2),
    "block": (0.8, 3),
    "pen": (13, 16),
    "paper": (15, 30),
    "phone": (14, 17),
    "laptop": (30, 38),
    "ruler": (15, 30),
    "meeple": (1.4, 2),
    "crumbs": (2, 6),
    "tile": (1.7, 2.6),
    "token": (1.2, 3),
    "dots": (1.5, 3),
    "pawn": (1, 1.8),
    "cable": (8, 20),
    "cap": (2, 9),
}

KINDS = tuple(sorted(SIZES))


def draw_thing(picture: Floats, thing: Thing, view: View, light: Light) -> None:
    """Draws a thing and its shadow into linear light, in place."""
    match thing.kind:
        case "cable":
            _draw_cable(picture, thing, view, light)
        case "pawn" | "cap":
            _draw_turned(picture, thing, view, light)
        case kind if kind in FLAT:
            _draw_flat(picture, thing, view, light)
        case _:
            raise ValueError(f"no thing is called {thing.kind!r}; there are {', '.join(KINDS)}")


def _draw_flat(picture: Floats, thing: Thing, view: View, light: Light) -> None:
    """A sprite laid on the table, and raised slice by slice to its height."""
    sprite = sprite_of(thing.kind, thing.seed)
    rows, columns = sprite.canvas.shape[:2]
    unit = thing.size / max(rows, columns)
    angle = math.radians(thing.yaw_deg)
    cos, sin = unit * math.cos(angle), unit * math.sin(angle)
    into_table = np.array([[cos, sin, 0.0], [sin, -cos, 0.0], [0, 0, 1.0]]) @ np.array(
        [[1, 0, -columns / 2], [0, 1, -rows / 2], [0, 0, 1.0]]
    )
    into_table[:2, 2] += (thing.x, thing.y)
    height = sprite.height * thing.size
    ends = np.array([[0, 0, 1.0], [columns, 0, 1], [columns, rows, 1], [0, rows, 1]]) @ into_table.T
    box = _window_of(
        view, np.concatenate([np.column_stack([ends[:, :2], np.full(4, z)]) for z in (0.0, height)]), picture.shape
    )
    if box is None:
        return
    hull = sprite.outline()
    outline = (np.column_stack([hull, np.ones(len(hull))]) @ into_table.T)[:, :2]
    for lamp in light.lamps:
        way = toward(lamp.azimuth_deg, max(lamp.elevation_deg, 15))
        slid = outline - way[:2] / way[2] * height
        if height > 0.02:
            share = lamp.strength * way[2] / max(float(flat_light(light).mean()), 1e-6)
            shade(picture, [np.concatenate([outline, slid])], view, 0.9 * share, blur_px=1.0)
    x0, y0, x1, y1 = box
    colours = np.square(sprite.canvas[..., :3].astype(np.float32) / 255) * flat_light(light)
    cover = sprite.canvas[..., 3:].astype(np.float32) / 255
    whole = np.concatenate([colours * cover, cover], axis=2)
    side = whole.copy()
    side[..., :3] *= 0.55
    rise_px = float(
        np.linalg.norm(np.diff(view.pixels(np.array([[thing.x, thing.y, 0], [thing.x, thing.y, height]])), axis=0))
    )
    slices = int(np.clip(math.ceil(rise_px / _LAYERS_PX), 1, 24)) if height > 0.02 else 0
    for k in range(slices + 1):
        level = height * k / max(slices, 1)
        move = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1.0]]) @ view.table(level) @ into_table
        layer = cv2.warpPerspective(whole if k == slices else side, move, (x1 - x0, y1 - y0))
        picture[y0:y1, x0:x1] = picture[y0:y1, x0:x1] * (1 - layer[..., 3:]) + layer[..., :3]


def _window_of(view: View, points: Matrix, shape: tuple[int, ...]) -> tuple[int, int, int, int] | None:
    """Pixels from (x0, y0) up to (x1, y1) that hold the points, inside the picture; None if there are none."""
    if min(view.depth(p) for p in points) < 0.5:
        return None
    pixels = view.pixels(points)
    x0, y0 = (max(math.floor(v) - 2, 0) for v in pixels.min(axis=0))
    x1, y1 = (min(math.ceil(v) + 3, m) for v, m in zip(pixels.max(axis=0), (shape[1], shape[0]), strict=True))
    return (x0, y0, x1, y1) if x1 > x0 and y1 > y0 else None


def _circle(thing: Thing, share: float) -> Matrix:
    angles = np.linspace(0, 2 * math.pi, 20, endpoint=False)
    return np.array([thing.x, thing.y]) + thing.size / 2 * share * np.column_stack([np.cos(angles), np.sin(angles)])


def _draw_turned(picture: Floats, thing: Thing, view: View, light: Light) -> None:
    """A pawn, or a cup or bottle cap: discs upon discs."""
    rng = np.random.default_rng(thing.seed)
    colour = np.square(rng.uniform(0.08, 0.9, 3)).astype(np.float32)
    if thing.kind == "pawn":
        profile = [
            (0.0, 1.0),
            (0.25, 0.95),
            (0.4, 0.6),
            (1.1, 0.35),
            (1.25, 0.42),
            (1.4, 0.55),
            (1.65, 0.6),
            (1.9, 0.5),
            (2.05, 0.2),
        ]
    else:
        profile = [(0.0, 0.95), (float(rng.uniform(0.2, 1.4)), 1.0)]
    unit = thing.size / 2
    heights = np.linspace(0, profile[-1][0], 16)
    shares = np.interp(heights, [h for h, _ in profile], [s for _, s in profile])
    lamp = light.lamps[0] if light.lamps else None
    if lamp is not None:
        way = toward(lamp.azimuth_deg, max(lamp.elevation_deg, 15))
        hull = np.concatenate(
            [_circle(thing, s) - way[:2] / way[2] * h * unit for h, s in zip(heights, shares, strict=True)]
        )
        share = lamp.strength * way[2] / max(float(flat_light(light).mean()), 1e-6)
        shade(picture, [hull], view, 0.85 * share, blur_px=1.5)
    for k, (height, share) in enumerate(zip(heights, shares, strict=True)):
        ring = view.pixels(flat(_circle(thing, float(share)), float(height * unit)))
        if view.depth(np.array([thing.x, thing.y, height * unit])) < 1:
            return
        bright = (0.35 + 0.5 * k / 15) if k < 15 else 1.0
        cv2.fillConvexPoly(
            picture, polygon(ring), [float(v) for v in colour * flat_light(light) * bright], cv2.LINE_AA, 4
        )
    if thing.kind == "cap" and rng.random() < 0.6:
        inner = view.pixels(flat(_circle(thing, 0.8), float(heights[-1] * unit)))
        shade_of = float(rng.uniform(0.1, 0.7))
        cv2.fillConvexPoly(
            picture, polygon(inner), [float(v) for v in colour * flat_light(light) * shade_of], cv2.LINE_AA, 4
        )


def _draw_cable(picture: Floats, thing: Thing, view: View, light: Light) -> None:
    rng = np.random.default_rng(thing.seed)
    ends = rng.normal(0, thing.size / 2, (4, 2))
    t = np.linspace(0, 1, 30)[:, None]
    curve = (1 - t) ** 3 * ends[0] + 3 * t * (1 - t) ** 2 * ends[1] + 3 * t * t * (1 - t) * ends[2] + t**3 * ends[3]
    angle = math.radians(thing.yaw_deg)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    points = flat(curve @ turn.T + (thing.x, thing.y), 0.2)
    if min(view.depth(p) for p in points) < 1:
        return
    thick = max(round(0.4 * view.lens[0, 0] / view.depth(points[15])), 1)
    colour = np.square(rng.choice(np.array([[0.1, 0.1, 0.1], [0.9, 0.9, 0.9], [0.2, 0.2, 0.6]]))) * flat_light(light)
    for level, width, tone in ((0.0, thick, 0.35), (0.2, thick, 1.0), (0.3, max(thick // 3, 1), 1.5)):
        line = view.pixels(np.column_stack([points[:, :2], np.full(len(points), level)]))
        cv2.polylines(picture, [polygon(line)], False, [float(v) for v in colour * tone], width, cv2.LINE_AA, 4)
