"""From light to a picture, as cameras make it by themselves: exposure, white, glare, grain, tone, sharpening, JPEG."""

from __future__ import annotations

import math

import cv2
import numpy as np

from companion.ports import Picture
from tests.bench.staged.chance import Array, pick
from tests.bench.staged.model import Scene

SHAKEN = {"rig": 0.1, "table": 0.25, "hard": 0.35}
GREY = np.array([0.25, 0.6, 0.15], np.float32)
GAMMA = 1 / 2.2
DIM = {"candle": 1.5, "desk": 0.6}  # lights that a camera raises its gain for, and by how much


def developed(light: Array, scene: Scene, rng: np.random.Generator) -> Picture:
    """The picture (BGR) of light as the lens lets it through: height × width × red, green, blue, linear."""
    right, stops = _right(rng, light), _stops(rng, scene)
    image = _white(rng, scene.kind, light * (right * 2**stops))
    image = _vignetted(rng, _glare(rng, image))
    image = _blurred(rng, scene, image)
    image = _toned(rng, _grainy(rng, scene, stops, image))
    return _filed(rng, _sharpened(rng, (np.clip(image, 0, 1) * 255 + 0.5).astype(np.uint8)))


def _right(rng: np.random.Generator, light: Array) -> float:
    """What light is to be multiplied by; dark tables stay somewhat dark, and bright ones bright."""
    grey = light @ GREY
    height, width = grey.shape
    inner = grey[height // 6 : -height // 6, width // 6 : -width // 6]
    usual, wanted = math.exp(np.mean(np.log(inner + 1e-4))), rng.uniform(0.14, 0.24)
    return wanted / (0.6 * usual + 0.4 * float(grey.mean()) + 1e-6)


def _stops(rng: np.random.Generator, scene: Scene) -> float:
    """How much lighter a picture is than it should be."""
    stops = rng.normal(0, 0.4)
    if scene.kind == "hard":
        stops = pick(rng, [rng.uniform(-1.5, -0.4), rng.uniform(0.8, 1.6), rng.normal(0, 0.5)], [4, 2, 4])
    elif scene.light.kind == "candle":
        stops -= rng.uniform(0.5, 1.5)
    elif rng.random() < 0.12:
        stops = rng.uniform(-1.8, 1.3)
    return stops


def _white(rng: np.random.Generator, kind: str, image: Array) -> Array:
    """Most of a cast goes, some stays, and some comes."""
    mean = image.reshape(-1, 3).mean(0)
    balance = (mean.mean() / (mean + 1e-6)) ** rng.uniform(0.2, 0.9)
    cast = np.exp(rng.normal(0, 0.12 if kind == "hard" else 0.06, 3)) * np.array([1, rng.uniform(0.96, 1.02), 1])
    return np.asarray(image * (balance * cast).astype(np.float32))


def _glare(rng: np.random.Generator, image: Array) -> Array:
    """Around what is brighter than white."""
    over, wide = np.clip(image - 1, 0, 6), image.shape[1]
    if over.max() <= 0:
        return image
    near = cv2.GaussianBlur(over, (0, 0), wide / 160) * rng.uniform(0.02, 0.15)
    return np.asarray(image + near + cv2.GaussianBlur(over, (0, 0), wide / 18) * rng.uniform(0, 0.05))


def _vignetted(rng: np.random.Generator, image: Array) -> Array:
    height, width = image.shape[:2]
    down, across = np.mgrid[0:height, 0:width].astype(np.float32)
    squared = ((across - width / 2) ** 2 + (down - height / 2) ** 2) / ((width / 2) ** 2 + (height / 2) ** 2)
    return np.asarray(image * (1 - rng.uniform(0, 0.4) * squared)[..., None])


def _blurred(rng: np.random.Generator, scene: Scene, image: Array) -> Array:
    """A hand that shook, and a lens that is not quite sharp."""
    if rng.random() < SHAKEN[scene.kind]:
        long, way = rng.uniform(2, scene.camera.die_px * 0.13 + 2), rng.uniform(0, 3.14)
        image = np.asarray(cv2.filter2D(image, -1, _stroke(long, way)))
    if rng.random() < 0.35:
        sigma = rng.uniform(0.5, 1.5 if scene.kind == "hard" else 1.0)
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), sigma))
    return image


def _stroke(long: float, way: float) -> Array:
    """A kernel that smears so many pixels in a direction."""
    side = max(3, (int(long) | 1) + 2)
    fine, middle = np.zeros((side * 4, side * 4), np.float32), side * 2
    x, y = math.cos(way) * long * 2, math.sin(way) * long * 2
    ends = (int(middle - x), int(middle - y)), (int(middle + x), int(middle + y))
    cv2.line(fine, *ends, (1,), 3, cv2.LINE_AA)
    stroke = np.asarray(cv2.resize(fine, (side, side), interpolation=cv2.INTER_AREA))
    return np.asarray(stroke / stroke.sum())


def _grainy(rng: np.random.Generator, scene: Scene, stops: float, image: Array) -> Array:
    """A sensor's grain, more of it in the dark, and seldom lines and bands across."""
    dark = DIM.get(scene.light.kind, 0) + max(0, -stops) * 0.5
    gain = rng.uniform(0.002, 0.010) * (1 + dark) * (1.1 if scene.kind == "hard" else 1)
    grain = rng.normal(0, 1, image.shape).astype(np.float32)
    if rng.random() < 0.5:
        grain = np.asarray(cv2.GaussianBlur(grain, (0, 0), 0.8)) * 1.7
    spread = np.sqrt(np.maximum(image, 0) * gain * 0.6 + gain**2)
    image = image + grain * spread * np.array([1.2, 0.9, 1.5], np.float32)
    rows = len(image)
    if rng.random() < 0.15:
        image = image + (rng.normal(0, 1, (rows, 1, 1)) * gain * 0.35).astype(np.float32)
    if rng.random() < 0.06:
        strength = rng.uniform(0.04, 0.15)
        bands = np.sin(np.arange(rows) / rng.uniform(20, 90) + rng.uniform(0, 6))
        image = image * (1 + strength * bands)[:, None, None].astype(np.float32)
    return np.maximum(image, 0)


def _toned(rng: np.random.Generator, image: Array) -> Array:
    """A soft shoulder, gamma, contrast and colour."""
    knee = rng.uniform(0.6, 1.0) * 0.7
    rest = 1.02 - knee
    image = np.where(image < knee, image, knee + rest * (1 - np.exp(-(image - knee) / rest)))
    image = np.clip(image, 0, 1) ** GAMMA
    contrast = rng.uniform(0, 0.45)
    image = image * (1 - contrast) + contrast * (image * image * (3 - 2 * image))
    grey = image.mean(-1, keepdims=True)
    return np.asarray(grey + (image - grey) * rng.uniform(0.7, 1.3))


def _sharpened(rng: np.random.Generator, image: Array) -> Array:
    """Grain smoothed away, rims made harder."""
    if rng.random() < 0.35:
        image = np.asarray(cv2.bilateralFilter(image, 5, rng.uniform(10, 35), 3))
    if rng.random() < 0.5:
        soft, strength = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.8, 1.6)), rng.uniform(0.3, 1.2)
        image = np.asarray(cv2.addWeighted(image, 1 + strength, soft, -strength, 0))
    return image


def _filed(rng: np.random.Generator, image: Array) -> Picture:
    """What is left of red, green, blue in a JPEG, as blue, green, red."""
    quality = int(pick(rng, [rng.integers(40, 65), rng.integers(65, 85), rng.integers(85, 96)], [2, 4, 4]))
    _, code = cv2.imencode(".jpg", image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
