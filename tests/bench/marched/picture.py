"""From light to a picture, as a lens, a sensor and a file make it; and where its dice lie."""

from __future__ import annotations

import cv2
import numpy as np

from tests.bench.labelled import Shown
from tests.bench.marched.linear import Array, F, lin
from tests.bench.marched.model import Camera, Scene, Solid
from tests.bench.marched.rays import trace
from tests.bench.marched.table import KINDS, build


def develop(image: Array, scene: Scene, rng: np.random.Generator) -> Array:
    """Lens, sensor and JPEG: linear samples to the BGR picture."""
    size = (scene.camera.width, scene.camera.height)
    x = np.clip(image * F(scene.exposure), 0, 3)
    x = cv2.resize(x, size, interpolation=cv2.INTER_AREA)
    x = cv2.GaussianBlur(x, (0, 0), rng.uniform(0.3, 0.75 if scene.kind != "hard" else 0.6))
    x = x + cv2.GaussianBlur(np.maximum(x - 0.9, 0), (0, 0), 6) * 0.15
    yy, xx = np.mgrid[-1 : 1 : size[1] * 1j, -1 : 1 : size[0] * 1j].astype(F)
    x = x * (1 - rng.uniform(0, 0.35) * (xx**2 + yy**2)[..., None] / 2) * lin(rng.uniform(0.94, 1, 3))
    dark = x.mean() < 0.06
    grain = rng.uniform(0.0002, 0.0012) * (2 if dark else 1)
    spread = np.sqrt(grain * np.maximum(x, 0) + (grain * 3) ** 2) * 0.55
    speck = rng.standard_normal(x.shape).astype(F)
    x = x + spread * (speck * 0.7 + 0.5 * cv2.GaussianBlur(speck, (0, 0), 0.8))
    x = np.where(x < 0.7, x, 0.7 + 0.3 * np.tanh((x - 0.7) / 0.42))
    y = np.clip(x, 0, 1) ** F(1 / 2.2)
    y = y + rng.uniform(0, 0.5) * (y - cv2.GaussianBlur(y, (0, 0), 1.2))
    bgr = np.clip(y[..., ::-1] * 255 + 0.5, 0, 255).astype(np.uint8)
    return cv2.imdecode(cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(68, 96))])[1], 1)


def render(kind: str, seed: int, size: tuple[int, int] = (640, 480)) -> Shown:
    """A picture of a kind, the same for the same (kind, seed, size)."""
    rng = np.random.default_rng([KINDS.index(kind), seed, 0x3A9C])
    scene = build(kind, size, rng)
    dice = scene.dice()
    picture = develop(trace(scene, rng)[0], scene, rng)
    return Shown(picture, tuple(s.die.value for s in dice), tuple(box_of(scene.camera, s) for s in dice))


def box_of(camera: Camera, solid: Solid) -> tuple[float, float, float, float]:
    px = camera.project(solid.reach)[0]
    (x, y), (w, h) = px.min(axis=0), np.ptp(px, axis=0)
    return float(x), float(y), float(w), float(h)
