"""Crops around single dice, as a classifier of faces is trained on."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from companion.ports import Picture
from companion.vision.scene.chance import random_scene
from companion.vision.scene.draw import draw
from companion.vision.scene.geometry import Matrix, View, top_frame
from companion.vision.scene.looks import between
from companion.vision.scene.model import Camera, Cube, Scene, Seen


def draw_die_crop(
    rng: np.random.Generator,
    *,
    size_px: int = 64,
    fill: float = 0.55,
    jitter: float = 0.08,
    hardness: float = 0.5,
    die_px: tuple[float, float] = (14, 90),
    faces: tuple[str, ...] | None = None,
) -> tuple[Picture, Seen | None]:
    """A square crop around one die's top face, with what surrounds it, and its truth in pixels of the crop.

    The die's side fills `fill` of the crop, give or take `jitter`, and its middle is off by up to `jitter` of the
    crop. It was seen at `die_px` pixels in its picture, then scaled, as a reader's crops are. `faces` overrides the
    dice's faces. The second value is None for a crop of a place without a die (one in twelve).
    """
    scene = random_scene(rng, hardness=hardness, size=(640, 480), die_px=die_px, dice=int(rng.integers(1, 7)))
    if not scene.dice:
        return draw_die_crop(
            rng, size_px=size_px, fill=fill, jitter=jitter, hardness=hardness, die_px=die_px, faces=faces
        )
    if faces is not None:
        scene = replace(scene, dice=tuple(replace(c, look=replace(c.look, faces=faces)) for c in scene.dice))
    view = View(scene.camera)
    middle, _, half_u, half_v = top_frame(scene.dice[0])
    ends = view.pixels(np.array([middle, middle + half_u, middle + half_v]))
    native = max(2 * float(np.linalg.norm(ends[1:] - ends[0], axis=1).mean()), 8.0)
    share = fill * (1 + between(rng, -jitter, jitter))
    window = int(np.clip(round(native / share), 12, 400))
    empty = rng.random() < 1 / 12
    aim = ends[0] + rng.uniform(-jitter, jitter, 2) * window
    if empty:
        aim = aim + rng.choice([-1, 1], 2) * rng.uniform(0.7, 1.4, 2) * window
    camera = _window(scene.camera, aim, window)
    finish = replace(scene.finish, barrel=0.0, vignette=0.0)
    light = replace(scene.light, cover=0.0)
    near = _in_window(scene, camera)
    drawn = draw(replace(scene, camera=camera, finish=finish, light=light, dice=near, hand=None), rng)
    flags = cv2.INTER_LINEAR if window < size_px else cv2.INTER_AREA
    crop = np.asarray(cv2.resize(drawn.picture, (size_px, size_px), interpolation=flags), np.uint8)
    if empty or scene.dice[0] not in near:
        return crop, None
    return crop, _scaled(drawn.truth[near.index(scene.dice[0])], size_px / window)


def _window(camera: Camera, aim: Matrix, side: int) -> Camera:
    """The same camera, of which only a square around a pixel is kept."""
    centre = ((camera.width - 1) / 2 + camera.shift_px[0], (camera.height - 1) / 2 + camera.shift_px[1])
    shift = (float(centre[0] - aim[0]), float(centre[1] - aim[1]))
    return replace(camera, width=side, height=side, shift_px=shift)


def _in_window(scene: Scene, camera: Camera) -> tuple[Cube, ...]:
    """Dice that can be seen in the window, or throw a shadow there."""
    view = View(camera)
    margin = camera.width * 0.6
    places = view.pixels(np.array([[c.x, c.y, c.size / 2] for c in scene.dice]))
    inside = np.all((places > -margin) & (places < camera.width + margin), axis=1)
    return tuple(cube for index, cube in enumerate(scene.dice) if inside[index])


def _scaled(seen: Seen, by: float) -> Seen:
    def moved(point: tuple[float, float]) -> tuple[float, float]:
        return (point[0] + 0.5) * by - 0.5, (point[1] + 0.5) * by - 0.5

    x, y = moved((seen.box[0] - 0.5, seen.box[1] - 0.5))
    return replace(
        seen,
        box=(x + 0.5, y + 0.5, seen.box[2] * by, seen.box[3] * by),
        centre=moved(seen.centre),
        corners=tuple(moved(p) for p in seen.corners),
        pips=tuple(moved(p) for p in seen.pips),
        size_px=seen.size_px * by,
    )
