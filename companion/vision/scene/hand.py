"""A hand above the table."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Floats
from companion.vision.scene.geometry import Matrix, View
from companion.vision.scene.ground import flat_light
from companion.vision.scene.model import Light, Thing
from companion.vision.scene.solid import toward

_SKINS = ((0.55, 0.66, 0.86), (0.45, 0.56, 0.78), (0.32, 0.43, 0.64), (0.2, 0.28, 0.44), (0.62, 0.72, 0.93))

_HAND_STEP = 3  # pixels a cell that a hand is worked out at

_HAND_HEIGHT = 6.0  # centimetres above the table


def draw_hand(picture: Floats, owner: NDArray[np.uint8], hand: Thing, light: Light, view: View) -> None:
    """Fingers that reach along `yaw_deg` up to (x, y), with a shadow, in place; `owner` forgets what is hidden."""
    rng = np.random.default_rng(hand.seed)
    height, width = owner.shape
    tip, ahead = view.pixels(np.array([[hand.x, hand.y, _HAND_HEIGHT], [hand.x + 1, hand.y, _HAND_HEIGHT]]))
    unit = float(np.linalg.norm(ahead - tip))
    rows, columns = height // _HAND_STEP + 1, width // _HAND_STEP + 1
    x, y = np.meshgrid(
        np.arange(columns, dtype=np.float32) * _HAND_STEP, np.arange(rows, dtype=np.float32) * _HAND_STEP
    )
    bulge = np.zeros((rows, columns), np.float32)
    for start, end, thick, thin in _bones(hand, rng, tip, unit):
        bulge = np.maximum(bulge, _capsule(x, y, start, end, thick, thin))
    slope_x, slope_y = cv2.Sobel(bulge, cv2.CV_32F, 1, 0), cv2.Sobel(bulge, cv2.CV_32F, 0, 1)
    skin = np.square(np.array(_SKINS[int(rng.integers(0, len(_SKINS)))], np.float32) * float(rng.uniform(0.85, 1.1)))
    tone = np.clip(0.62 + 0.35 * bulge - 0.1 * slope_x - 0.14 * slope_y, 0.12, 1.2)
    cover = np.clip(bulge * 6, 0, 1)
    if light.lamps:
        away = -toward(light.lamps[0].azimuth_deg, light.lamps[0].elevation_deg)[:2]
        slide = (away[0] * 4 * unit / _HAND_STEP, -away[1] * 4 * unit / _HAND_STEP)
        fallen = cv2.warpAffine(
            cv2.GaussianBlur(cover, (0, 0), max(unit / _HAND_STEP, 0.5)),
            np.array([[1, 0, slide[0]], [0, 1, slide[1]]]),
            (columns, rows),
        )
        dark = cv2.resize(np.asarray(1 - 0.55 * fallen, np.float32), (width, height))
        picture *= dark[..., None]
    small = np.dstack([tone[..., None] * skin * flat_light(light), cover])
    large = cv2.resize(
        np.asarray(small, np.float32), (columns * _HAND_STEP, rows * _HAND_STEP), interpolation=cv2.INTER_LINEAR
    )[:height, :width]
    share = large[..., 3:]
    picture *= 1 - share
    picture += large[..., :3] * share
    owner[large[..., 3] > 0.5] = 0


def _bones(
    hand: Thing, rng: np.random.Generator, tip: Matrix, unit: float
) -> list[tuple[Matrix, Matrix, float, float]]:
    """A forearm, a palm and five fingers: start, end, and radius at both, in pixels."""
    angle = math.radians(hand.yaw_deg)
    ahead = np.array([math.cos(angle), -math.sin(angle)])
    aside = np.array([-ahead[1], ahead[0]])
    size = hand.size / 9 * unit
    palm = tip - ahead * 9 * size
    bones: list[tuple[Matrix, Matrix, float, float]] = [
        (palm - ahead * 40 * size, palm - ahead * 3 * size, 3.4 * size, 2.8 * size)
    ]
    bones += [
        (palm + aside * k * size - ahead * 3 * size, palm + aside * k * 1.3 * size, 2.0 * size, 1.7 * size)
        for k in (-2, 0, 2)
    ]
    for k in range(4):
        root = palm + aside * (k - 1.5) * 2.0 * size
        reach = rng.uniform(4.5, 9.0) if k else 8.5
        end = root + (ahead + aside * (k - 1.5) * rng.uniform(0.02, 0.22)) * reach * size
        bones.append((root, end, 0.95 * size, 0.7 * size))
    thumb = palm - aside * 3.2 * size - ahead * 2 * size
    bones.append((thumb, thumb + (ahead * 4 - aside * rng.uniform(0.5, 3)) * size, 1.1 * size, 0.85 * size))
    return bones


def _capsule(x: Floats, y: Floats, start: Matrix, end: Matrix, thick: float, thin: float) -> Floats:
    """A bone's height over the picture, 0–1: round across, so `thick` at its start and `thin` at its end."""
    way = end - start
    along = np.clip(((x - start[0]) * way[0] + (y - start[1]) * way[1]) / max(float(way @ way), 1e-6), 0, 1)
    across = np.hypot(x - start[0] - along * way[0], y - start[1] - along * way[1])
    radius = thick + (thin - thick) * along
    return np.asarray(np.sqrt(np.clip(1 - (across / radius) ** 2, 0, 1)), np.float32)
