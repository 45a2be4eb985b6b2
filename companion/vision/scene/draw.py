"""A scene becomes a picture and its truth."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Floats
from companion.vision.scene.faces import pip_places
from companion.vision.scene.finish import develop, distort, smear_kernel
from companion.vision.scene.geometry import View, feet_overlap, pose, top_frame
from companion.vision.scene.ground import enclose, lay, mean_colour, shadow_of
from companion.vision.scene.hand import draw_hand
from companion.vision.scene.model import PIP_FACES, Cube, Drawn, Scene, Seen
from companion.vision.scene.solid import Patch, bounds, draw_cube
from companion.vision.scene.things import draw_thing

_TOUCH = 1.06  # dice whose feet, grown so much, overlap count as touching
_GLARE = 0.3  # share of a top face that glare washes out from which on it is said
_BENT_DEG = 4.0  # a die that leans more is cocked


def draw(scene: Scene, rng: np.random.Generator) -> Drawn:
    """The picture of a scene. Only noise is drawn from `rng`."""
    light, truth = light_up(scene, draw_backdrop(scene))
    return Drawn(develop(light, scene.light, scene.finish, rng), truth)


def light_up(scene: Scene, picture: Floats) -> tuple[Floats, tuple[Seen, ...]]:
    """The dice and the hand drawn over a backdrop, in place, before lens and sensor; and the dice's truth."""
    camera, light = scene.camera, scene.light
    view = View(camera)
    floor = mean_colour(scene.ground)
    for cube in scene.dice:
        shadow_of(picture, cube, view, light)
    owner = np.zeros(picture.shape[:2], np.uint8)
    patches: dict[int, Patch] = {}
    for index in _far_to_near(scene.dice, view):
        cube = scene.dice[index]
        patch = draw_cube(cube, _near(cube, scene.dice), view, light, floor, (camera.width, camera.height))
        if patch is not None:
            patches[index] = _smeared(patch, cube, view)
            _lay_over(picture, owner, patches[index], index + 1)
    if scene.hand is not None:
        draw_hand(picture, owner, scene.hand, light, view)
    return picture, tuple(_seen(i, scene, view, patches.get(i), owner) for i in range(len(scene.dice)))


def draw_backdrop(scene: Scene) -> Floats:
    """Ground, tray and things, without dice: height × width × 3, linear light."""
    camera, light = scene.camera, scene.light
    view = View(camera)
    picture = lay(scene.ground, camera, view, light)
    if scene.rim is not None:
        picture = enclose(lay(scene.rim.outside, camera, view, light), scene.rim, picture, camera, view, light)
    for thing in scene.things:
        draw_thing(picture, thing, view, light)
    return picture


def _far_to_near(dice: Sequence[Cube], view: View) -> list[int]:
    """The order to draw in: what lies deeper first. What is stacked lies over its base."""
    return sorted(range(len(dice)), key=lambda i: (dice[i].z, -float(np.linalg.norm(pose(dice[i])[1] - view.at))))


def _near(cube: Cube, dice: Sequence[Cube]) -> list[Cube]:
    """Dice close enough to throw a shadow on this one."""
    reach = 3.0
    return [
        d for d in dice if d is not cube and math.hypot(d.x - cube.x, d.y - cube.y) < reach * (d.size + cube.size) / 2
    ]


def _smeared(patch: Patch, cube: Cube, view: View) -> Patch:
    """A moving die, blurred over the way it moves while the shutter is open."""
    if cube.smear == (0.0, 0.0):
        return patch
    x, y, z = pose(cube)[1]
    start, end = view.pixels(np.array([[x, y, z], [x + cube.smear[0], y + cube.smear[1], z]]))
    kernel = smear_kernel(float(end[0] - start[0]), float(end[1] - start[1]))
    pad = kernel.shape[0] // 2
    whole = cv2.copyMakeBorder(np.dstack([patch.light, patch.cover]), pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0)
    blurred = cv2.filter2D(whole, -1, kernel)
    return Patch(
        patch.x - pad,
        patch.y - pad,
        np.asarray(blurred[..., :3], np.float32),
        np.asarray(blurred[..., 3], np.float32),
        patch.glare,
    )


def _overlap(patch: Patch, size: tuple[int, ...]) -> tuple[tuple[slice, slice], tuple[slice, slice]] | None:
    """Rows and columns that the patch and the picture share, in the picture and in the patch."""
    rows, columns = patch.cover.shape
    x0, y0 = max(patch.x, 0), max(patch.y, 0)
    x1, y1 = min(patch.x + columns, size[1]), min(patch.y + rows, size[0])
    if x1 <= x0 or y1 <= y0:
        return None
    inside = (slice(y0 - patch.y, y1 - patch.y), slice(x0 - patch.x, x1 - patch.x))
    return (slice(y0, y1), slice(x0, x1)), inside


def _lay_over(picture: Floats, owner: NDArray[np.uint8], patch: Patch, number: int) -> None:
    shared = _overlap(patch, picture.shape)
    if shared is None:
        return
    where, inside = shared
    cover = patch.cover[inside]
    picture[where] = picture[where] * (1 - cover)[..., None] + patch.light[inside]
    owner[where][cover > 0.5] = number


def _seen(index: int, scene: Scene, view: View, patch: Patch | None, owner: NDArray[np.uint8]) -> Seen:
    """The truth of one die, where the lens puts it."""
    cube, camera = scene.dice[index], scene.camera
    middle, _, half_u, half_v = top_frame(cube)
    face = cube.look.faces[cube.value - 1]
    rim = np.array([middle + a * half_u + b * half_v for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    pips = np.array([middle + 2 * (u * half_u + v * half_v) for u, v in pip_places(cube.look, face)]).reshape(-1, 3)
    flat = distort(view.pixels(np.concatenate([[middle], rim, pips])), camera.width, camera.height, scene.finish.barrel)
    points = [(float(x), float(y)) for x, y in flat]
    tags = _tags(index, scene, face, patch)
    value = int(face) if face in PIP_FACES and "cocked" not in tags else None
    return Seen(
        value=value,
        box=_box(cube, view, patch, scene, owner),
        centre=points[0],
        corners=tuple(points[1:5]),
        pips=tuple(points[5:]),
        visible=_visible(index, cube, view, patch, owner),
        tags=tags,
        face=face,
    )


def _box(
    cube: Cube, view: View, patch: Patch | None, scene: Scene, owner: NDArray[np.uint8]
) -> tuple[float, float, float, float]:
    """The whole die's box: of its rounded outline where that is in the picture, else as if its edges were sharp."""
    left, top, right, bottom = bounds(cube, view)
    height, width = owner.shape
    if patch is not None and left > 0 and top > 0 and right < width and bottom < height:
        rows, columns = np.flatnonzero((patch.cover > 0.3).any(axis=1)), np.flatnonzero((patch.cover > 0.3).any(axis=0))
        if len(rows) and len(columns):
            left, right = patch.x + float(columns[0]), patch.x + float(columns[-1]) + 1
            top, bottom = patch.y + float(rows[0]), patch.y + float(rows[-1]) + 1
    ends = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    bent = distort(ends, width, height, scene.finish.barrel)
    left, top = bent.min(axis=0)
    right, bottom = bent.max(axis=0)
    return float(left), float(top), float(right - left), float(bottom - top)


def _visible(index: int, cube: Cube, view: View, patch: Patch | None, owner: NDArray[np.uint8]) -> float:
    if patch is None:
        return 0.0
    shared = _overlap(patch, owner.shape)
    if shared is None:
        return 0.0
    where, inside = shared
    whole = int((patch.cover[inside] > 0.5).sum())
    if not whole:
        return 0.0
    left, top, right, bottom = bounds(cube, view)
    width = min(right, owner.shape[1]) - max(left, 0)
    height = min(bottom, owner.shape[0]) - max(top, 0)
    in_picture = max(width, 0) * max(height, 0) / max((right - left) * (bottom - top), 1e-6)
    return float((owner[where] == index + 1).sum() / whole * in_picture)


def _tags(index: int, scene: Scene, face: str, patch: Patch | None) -> frozenset[str]:
    cube = scene.dice[index]
    others = [d for i, d in enumerate(scene.dice) if i != index]
    said = {
        "cocked": cube.lean_deg > _BENT_DEG,
        "icon": face not in PIP_FACES,
        "glare": patch is not None and patch.glare > _GLARE,
        "moving": cube.smear != (0.0, 0.0),
        "stacked": cube.z > 0 or any(d.z > 0 and feet_overlap(cube, d, _TOUCH) for d in others),
        "touching": any(feet_overlap(cube, d, _TOUCH) for d in others),
    }
    return frozenset(name for name, true in said.items() if true)
