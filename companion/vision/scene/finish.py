"""From light to a file: lens, sensor, camera electronics and JPEG."""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np

from companion.ports import Floats, Picture
from companion.vision.scene.geometry import Matrix
from companion.vision.scene.model import Finish, Light

_BANK = 1 << 21  # numbers of noise kept; a picture takes a stretch of them from a random place
_COARSE = 16  # pixels a cell of the slowly changing brightness


@lru_cache(maxsize=1)
def _bank() -> Floats:
    return np.random.default_rng(1).standard_normal(_BANK, np.float32)


def noise(shape: tuple[int, int, int], rng: np.random.Generator) -> Floats:
    """Normal noise of sigma 1: a stretch of kept numbers, over and over where the picture is larger."""
    count = shape[0] * shape[1] * shape[2]
    start = int(rng.integers(0, _BANK))
    if start + count <= _BANK:
        return _bank()[start : start + count].reshape(shape)
    return np.resize(np.roll(_bank(), -start), count).reshape(shape)


def bright_spot(width: int, height: int, light: Light, finish: Finish) -> Floats:
    """Gain all over the picture (height × width): the lamp's pool, somebody's shadow, and the lens's vignette."""
    columns, rows = max(width // _COARSE, 2), max(height // _COARSE, 2)
    if light.cover:
        columns, rows = max(width // 4, 2), max(height // 4, 2)
    x, y = np.meshgrid(np.linspace(0, 1, columns, dtype=np.float32), np.linspace(0, 1, rows, dtype=np.float32))
    aspect = height / width
    away = np.hypot(x - light.pool_at[0], (y - light.pool_at[1]) * aspect)
    corner = ((x - 0.5) ** 2 + ((y - 0.5) * aspect) ** 2) / (0.25 * (1 + aspect * aspect))
    gain = (1 - light.pool * np.clip(away, 0, 1.2) / 1.2) * (1 - finish.vignette * corner)
    if light.cover:
        angle = math.radians(light.cover_deg)
        depth = (
            (x - 0.5) * math.cos(angle) + (y - 0.5) * math.sin(angle) - light.cover_at + 0.05 * np.sin(9 * x + 5 * y)
        )
        gain = gain * (1 - light.cover * np.clip(depth * 14 + 0.5, 0, 1))
    return np.asarray(cv2.resize(gain, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def develop(scene_light: Floats, light: Light, finish: Finish, rng: np.random.Generator) -> Picture:
    """The picture a camera makes of linear light (height × width × 3). Draws noise from `rng` and nothing else."""
    height, width = scene_light.shape[:2]
    gain = bright_spot(width, height, light, finish) * np.float32(finish.exposure)
    blue, green, red = finish.white
    picture = cv2.multiply(
        scene_light, cv2.merge([gain * np.float32(blue), gain * np.float32(green), gain * np.float32(red)])
    )
    picture = _lens(np.asarray(picture, np.float32), finish)
    small = finish.shrink < 0.99
    if small:
        size = (max(round(width * finish.shrink), 8), max(round(height * finish.shrink), 8))
        picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    picture = _electronics(np.asarray(picture, np.float32), finish, rng)
    if small:
        picture = cv2.resize(picture, (width, height), interpolation=cv2.INTER_CUBIC)
    if finish.sharpen:
        picture = cv2.addWeighted(
            picture, 1 + finish.sharpen, cv2.GaussianBlur(picture, (0, 0), 1.2), -finish.sharpen, 0
        )
    plain = cv2.convertScaleAbs(np.maximum(picture, 0), alpha=255)
    return np.asarray(as_jpeg(plain, finish.jpeg) if finish.jpeg else plain, np.uint8)


def as_jpeg(picture: cv2.typing.MatLike, quality: int) -> Picture:
    """As the picture comes out of a JPEG of this quality, 1-100."""
    _, code = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)


def _lens(picture: Floats, finish: Finish) -> Floats:
    if finish.disc_px >= 0.7:
        size = 2 * math.ceil(finish.disc_px) + 1
        disc = np.zeros((size, size), np.float32)
        cv2.circle(disc, (size // 2 << 4, size // 2 << 4), round(finish.disc_px * 16), 1, cv2.FILLED, cv2.LINE_8, 4)
        picture = np.asarray(cv2.filter2D(picture, -1, disc / disc.sum()), np.float32)
    if finish.motion_px >= 0.7:
        kernel = smear_kernel(
            finish.motion_px * math.cos(math.radians(finish.motion_deg)),
            finish.motion_px * math.sin(math.radians(finish.motion_deg)),
        )
        picture = np.asarray(cv2.filter2D(picture, -1, kernel), np.float32)
    if finish.blur_px >= 0.25:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), finish.blur_px), np.float32)
    if finish.barrel:
        across, down = _barrel_maps(picture.shape[1], picture.shape[0], finish.barrel)
        picture = np.asarray(
            cv2.remap(
                picture,
                across,
                down,
                cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REPLICATE,
            ),
            np.float32,
        )
    return picture


def smear_kernel(dx: float, dy: float) -> Floats:
    """What moving by (dx, dy) pixels while the shutter is open does to a point."""
    reach = math.ceil(max(abs(dx), abs(dy)) / 2) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.uint8)
    ends = [(round((reach + s * dx / 2) * 16), round((reach + s * dy / 2) * 16)) for s in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 255, 1, cv2.LINE_AA, 4)
    return np.asarray(kernel / kernel.sum(dtype=np.float32), np.float32)


@lru_cache(maxsize=2)
def _barrel_maps(width: int, height: int, barrel: float) -> tuple[Floats, Floats]:
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    return bend_out(x, y, width, height, barrel)


def bend_out(x: Floats, y: Floats, width: int, height: int, barrel: float) -> tuple[Floats, Floats]:
    """Where in the undistorted picture a pixel comes from: r → r · (1 + barrel · r²), with r = 1 at the corner."""
    middle = ((width - 1) / 2, (height - 1) / 2)
    square = ((x - middle[0]) ** 2 + (y - middle[1]) ** 2) / (middle[0] ** 2 + middle[1] ** 2)
    stretch = 1 + barrel * square
    return np.asarray(middle[0] + (x - middle[0]) * stretch, np.float32), np.asarray(
        middle[1] + (y - middle[1]) * stretch, np.float32
    )


def distort(points: Matrix, width: int, height: int, barrel: float) -> Matrix:
    """Pixels of the undistorted picture (N × 2) to where the lens puts them: inverts `bend_out` by iteration."""
    if not barrel:
        return points
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    wanted = (points - middle) / np.linalg.norm(middle)
    found = wanted.copy()
    for _ in range(8):
        found = wanted / (1 + barrel * (found * found).sum(axis=1, keepdims=True))
    result: Matrix = middle + found * np.linalg.norm(middle)
    return result


def _electronics(picture: Floats, finish: Finish, rng: np.random.Generator) -> Floats:
    """Clipping, a gamma of 2, contrast, saturation and noise, which is stronger in the dark."""
    picture = np.asarray(cv2.sqrt(np.clip(picture, 0, 1)), np.float32)
    if finish.saturation != 1.0:
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        picture = np.asarray(
            cv2.addWeighted(picture, finish.saturation, cv2.merge([grey, grey, grey]), 1 - finish.saturation, 0),
            np.float32,
        )
    if finish.contrast != 1.0 or finish.lift:
        scale = finish.contrast * (1 - finish.lift)
        picture = picture * np.float32(scale)
        picture += np.float32(0.5 * (1 - finish.contrast) * (1 - finish.lift) + finish.lift)
    if finish.noise:
        grain = noise((picture.shape[0], picture.shape[1], 3), rng)
        sigma = finish.noise
        if finish.blotch_px:
            grain = np.asarray(cv2.GaussianBlur(grain, (0, 0), finish.blotch_px), np.float32)
            sigma *= 1 + 1.6 * finish.blotch_px
        picture = np.asarray(cv2.scaleAdd(grain, sigma, picture), np.float32)
    return picture
