"""From traced light to a picture: automatic exposure, a soft shoulder, lens blur, noise and JPEG."""

from __future__ import annotations

import cv2
import numpy as np

from companion.ports import Picture
from companion.vision.scene.finish import as_jpeg
from companion.vision.traced.model import Exposure, Floats

SHOULDER = 0.75  # linear light above which a sensor gains less and less
BRIGHTEST = 99  # hundredths: glare must not darken the rest


def exposed(light: Floats, how: Exposure, rng: np.random.Generator) -> Picture:
    """The picture of linear light (height × width × 3: blue, green, red). Draws its noise from `rng`."""
    grey = light @ np.array([0.0722, 0.7152, 0.2126], np.float32)
    usual = float(np.mean(np.minimum(grey, np.percentile(grey, BRIGHTEST))))
    linear = light * (how.mean / max(1e-4, usual)) * np.array(how.white[::-1], np.float32)
    rest = 1 - SHOULDER
    linear = np.where(linear > SHOULDER, SHOULDER + rest * (1 - np.exp((SHOULDER - linear) / rest)), linear)
    shown = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * np.maximum(linear, 1e-6) ** (1 / 2.4) - 0.055)
    shown = 255 * np.clip(shown + how.contrast * (shown - 0.5), 0, 1)
    blurred = cv2.GaussianBlur(shown.astype(np.float32), (0, 0), how.blur)
    grain = cv2.GaussianBlur(rng.standard_normal(shown.shape, np.float32), (0, 0), 0.5)
    return as_jpeg(np.clip(blurred + 1.6 * how.noise * grain, 0, 255).astype(np.uint8), how.jpeg)
