"""A whole table by lot: camera, lamps, dice and things that do not lie in each other."""

from __future__ import annotations

import cv2
import numpy as np

from tests.bench.marched.dice import Look, pick_style
from tests.bench.marched.ground import pick_ground
from tests.bench.marched.linear import Array, F, hue, lin, unit
from tests.bench.marched.model import Camera, Lamp, Scene, Solid, slab
from tests.bench.marched.things import die_solid, flat_art, thing

KINDS = ("rig", "table", "hard", "empty")


def pick_camera(kind: str, die_px: float, size: tuple[int, int], rng: np.random.Generator) -> Camera:
    low, high = {"rig": (0, 12), "table": (15, 45), "hard": (30, 60)}[kind]
    tilt, roll = np.radians(rng.uniform(low, high)), np.radians(rng.normal(0, 4))
    focal = size[0] * rng.uniform(1.0, 1.7)
    away = focal / die_px
    s, c = np.sin(tilt), np.cos(tilt)
    right, down, ahead = np.array([1.0, 0, 0]), np.array([0, -c, -s]), np.array([0, s, -c])
    cr, sr = np.cos(roll), np.sin(roll)
    axes = np.stack([cr * right + sr * down, cr * down - sr * right, ahead])
    return Camera(-ahead * away, axes, focal, *size)


def pick_lamps(kind: str, dark: bool, rng: np.random.Generator) -> list[Lamp]:
    tints = [(1, 0.97, 0.92), (1, 0.86, 0.68), (1, 0.72, 0.45), (0.85, 0.93, 1), (1, 1, 1)]
    if kind == "hard":
        tints += [(1, 0.5, 0.45), (0.55, 0.65, 1), (0.7, 1, 0.75)]
    lamps = []
    for i in range(int(rng.integers(2, 4) if kind == "rig" else rng.integers(1, 4))):
        rise = np.radians(rng.uniform(50, 85) if kind == "rig" else rng.uniform(32, 80))
        far, turn = rng.uniform(14, 25) if dark else rng.uniform(22, 60), rng.uniform(0, 2 * np.pi)
        place = far * np.array([np.cos(rise) * np.cos(turn), np.cos(rise) * np.sin(turn), np.sin(rise)])
        wide = far * (
            rng.uniform(0.12, 0.35) if kind == "rig" else rng.choice([rng.uniform(0.02, 0.06), rng.uniform(0.08, 0.3)])
        )
        power = rng.uniform(0.6, 1) if kind == "rig" else rng.uniform(0.3, 1) * 0.7**i
        lamps.append(Lamp(place, lin(tints[rng.integers(len(tints))]) * power * far**2, float(wide)))
    return lamps


def apart(a: Array, b: Array) -> bool:
    """Whether two convex outlines on the table are apart."""
    for p in (a, b):
        e = np.roll(p, -1, 0) - p
        n = np.stack([-e[:, 1], e[:, 0]], -1)
        if np.any(((a @ n.T).max(0) < (b @ n.T).min(0)) | ((b @ n.T).max(0) < (a @ n.T).min(0))):
            return True
    return False


def cover_of(camera: Camera, points: Array) -> Array:
    mask = np.zeros((camera.height, camera.width), np.uint8)
    px, depth = camera.project(points)
    if depth.min() < 0.5:
        mask[:] = 1
    else:
        cv2.fillConvexPoly(mask, cv2.convexHull(np.round(np.clip(px, -9999, 9999)).astype(np.int32)), 1)
    return mask


def fits(scene: Scene, new: Solid) -> bool:
    """Whether a solid may join: no overlap on the table, dice stay seen."""
    if not all(apart(new.reach[:4, :2], s.reach[:4, :2]) for s in scene.solids):
        return False
    both, camera = [*scene.solids, new], scene.camera
    masks = [cover_of(camera, s.reach) for s in both]
    far = [np.linalg.norm(s.centre - camera.eye) for s in both]
    for i, s in enumerate(both):
        if not s.die or (s is not new and not np.any(masks[i] & masks[-1])):
            continue
        over = [m for j, m in enumerate(masks) if j != i and (far[j] < far[i] or not both[j].die)]
        hidden = np.max(over, 0) if over else np.zeros_like(masks[i])
        top = cover_of(camera, s.reach[4:])
        if (hidden & masks[i]).sum() > 0.16 * masks[i].sum() or (hidden & top).sum() > 0.07 * top.sum():
            return False
    return True


def place_dice(scene: Scene, count: int, span: tuple[float, float], hard: bool, rng: np.random.Generator) -> None:
    camera, styles = scene.camera, [pick_style(rng, hard) for _ in range(rng.choice([1, 2, 3], p=[0.5, 0.3, 0.2]))]
    middle = rng.uniform(0.3, 0.7, 2) * (camera.width, camera.height)
    loose, touch = rng.uniform(0.1, 0.4), rng.choice([0, 0.25, 0.6])
    for _ in range(count * 40):
        if len(scene.dice()) >= count:
            break
        style, yaw = styles[rng.integers(len(styles))], rng.uniform(0, 2 * np.pi)
        if scene.dice() and rng.random() < touch:
            other = scene.dice()[rng.integers(len(scene.dice()))]
            yaw = other.yaw + rng.integers(4) * np.pi / 2 + rng.choice([0, rng.normal(0, 0.03)])
            way = rng.integers(4) * np.pi / 2 + other.yaw
            gap, slip = rng.uniform(1.01, 1.06) * (style.edge + other.die.style.edge) / 2, rng.uniform(-0.5, 0.5)
            x, y = (
                other.centre[:2]
                + gap * np.array([np.cos(way), np.sin(way)])
                + slip * np.array([-np.sin(way), np.cos(way)])
            )
        else:
            px = middle + rng.normal(0, loose, 2) * (camera.width, camera.height)
            x, y = camera.floor_at(*np.clip(px, 10, (camera.width - 10, camera.height - 10)))[:2]
        new = die_solid(style, int(rng.integers(1, 7)), x, y, yaw, rng)
        px, depth = camera.project(np.vstack([new.reach, new.centre]))
        inside = np.all((px > 4) & (px < (camera.width - 5, camera.height - 5)))
        if (
            inside
            and span[0] <= camera.focal * style.edge / depth[-1] <= span[1]
            and depth.min() > 1
            and y < scene.edge - 1
            and fits(scene, new)
        ):
            scene.solids.append(new)


def place_things(scene: Scene, count: int, flats: int, die_px: float, rng: np.random.Generator) -> None:
    camera = scene.camera

    def spot() -> Array:
        return camera.floor_at(*(rng.uniform(-0.05, 1.05, 2) * (camera.width, camera.height)))[:2]

    for _ in range(flats):
        art, (w, h) = flat_art(str(rng.choice(["card", "back", "note", "sheet", "coaster", "napkin"])), rng, 2 * die_px)
        turn, (x, y) = rng.uniform(0, 2 * np.pi), spot()
        c, s = np.cos(turn), np.sin(turn)
        corners = np.array([[-w, h], [w, h], [w, -h], [-w, -h]]) / 2 @ np.array([[c, s], [-s, c]]) + (x, y)
        corners = np.column_stack([corners, np.zeros(4)])
        if corners[:, 1].max() < scene.edge - 0.3 and camera.project(corners)[1].min() > 1:
            scene.flats.append((art, corners))
    for _ in range(count * 8):
        if count <= 0:
            break
        x, y = spot()
        new = thing(
            str(rng.choice(["coin", "coin", "pen", "cup", "key", "box", "rubber", "block"])),
            x,
            y,
            rng.uniform(0, 2 * np.pi),
            rng,
        )
        if new.reach[:, 1].max() < scene.edge - 0.3 and camera.project(new.reach)[1].min() > 2 and fits(scene, new):
            scene.solids.append(new)
            count -= 1


def add_tray(scene: Scene, rng: np.random.Generator) -> None:
    """Four walls about the view of a rig."""
    camera, tone, high = (
        scene.camera,
        hue(rng.random(), rng.uniform(0, 0.6), rng.uniform(0.1, 0.9)),
        rng.uniform(0.4, 1.2),
    )
    reach = np.abs(camera.floor_at(0, camera.height - 1)[:2]) * rng.uniform(0.85, 0.97)
    for axis in (0, 1):
        for sign in (-1, 1):
            half = np.array([0.3, 0.3, high / 2])
            half[1 - axis] = reach[1 - axis] + (0.6 if axis else 0)
            at = np.array([0, 0, high / 2])
            at[axis] = sign * (reach[axis] + 0.3)
            scene.solids.append(
                Solid(
                    at,
                    0.0,
                    half,
                    lambda p, half=half: slab(p, half, 0.08),
                    lambda p: Look(np.broadcast_to(tone.astype(F), p.shape), 0.04, 0.4),
                )
            )


def build(kind: str, size: tuple[int, int], rng: np.random.Generator) -> Scene:
    as_kind = kind if kind != "empty" else str(rng.choice(["rig", "table", "hard"], p=[0.2, 0.45, 0.35]))
    hard = as_kind == "hard"
    far, dark = hard and rng.random() < 0.35, hard and rng.random() < 0.35
    low, high = {"rig": (35, 80), "table": (22, 60), "hard": (16, 26) if far else (24, 60)}[as_kind]
    die_px = rng.uniform(low + 0.12 * (high - low), low + 0.85 * (high - low)) * size[0] / 640
    camera = pick_camera(as_kind, die_px, size, rng)
    edge = camera.floor_at(size[0] / 2, size[1] * rng.uniform(-0.05, 0.15))[1] if as_kind != "rig" else 1e6
    edge = edge if rng.random() < 0.5 else camera.eye[2] * 8
    lamps = pick_lamps(as_kind, dark, rng)
    flux = sum(lamp.colour * lamp.place[2] / np.linalg.norm(lamp.place) ** 3 for lamp in lamps)
    sky = flux.mean() * lin(rng.uniform(0.85, 1, 3)) * rng.uniform(*((0.6, 1.1) if as_kind == "rig" else (0.25, 0.8)))
    exposure = rng.uniform(0.75, 1.05) * (rng.uniform(0.24, 0.45) if dark else 1) / float((flux + sky).mean())
    scene = Scene(
        as_kind,
        camera,
        pick_ground(as_kind, rng),
        lamps,
        sky,
        unit(rng.normal(0, 1, 3) * (1, 1, 0.2) + (0, 0, 0.5)),
        exposure,
        edge,
    )
    if as_kind == "rig" and rng.random() < 0.5:
        add_tray(scene, rng)
    if kind != "empty":
        count = int(rng.integers(1, {"rig": 7, "table": 13, "hard": 9}[kind]))
        scale = size[0] / 640
        for _ in range(9):
            place_dice(scene, count, (low * scale, high * scale), hard, rng)
            if scene.dice():
                break
    clutter = int(rng.integers(2, 7)) if (hard and rng.random() < 0.6) or kind == "empty" else int(rng.integers(0, 2))
    if as_kind != "rig" or kind == "empty":
        place_things(scene, clutter, int(rng.integers(0, 4)) if clutter > 1 else int(rng.random() < 0.3), die_px, rng)
    return scene
