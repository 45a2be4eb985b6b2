"""What the face of a die looks like: how bright it is, how much of it is burnt out, and how steep its edges are."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.networks import CROP_PX, inner
from companion.vision.sight import burnt_out

INNER_PX = CROP_PX // 2  # side of a crop's inner half
BRIGHT = round(0.9 * INNER_PX**2)  # rank, among the pixels of a crop's inner half, of its brightest tenth
MEAN = np.full((1, 3), 1 / 3, np.float32)  # of the three colours, for `cv2.transform`
BURNT = 250  # level of all colours from which a pixel is glare
ODD = 12  # so many pixels may be odd ones: noise, or a speck
FAINTEST_CONTRAST = 6.0  # grey levels


@dataclass(frozen=True, slots=True)
class Surface:
    """What a die's face looks like: its brightest tenth in grey levels, the share burnt out, and `Look.sharp`."""

    bright: float
    glare: float
    sharp: float


def surfaces(crops: NDArray[np.uint8]) -> list[Surface]:
    """Of the middles of n crops, all measured at once: no more than 128, as OpenCV 5 takes no more planes (4: 512)."""
    n = len(crops)
    faces = np.ascontiguousarray(inner(crops)).reshape(-1, INNER_PX, 3)
    burnt = burnt_out(faces, BURNT).reshape(n, -1)
    grey = np.asarray(cv2.transform(faces.astype(np.float32), MEAN), np.float32).reshape(n, INNER_PX, INNER_PX)
    levels = np.partition(grey.reshape(n, -1), (ODD, BRIGHT, -ODD), axis=1)
    side_by_side = np.ascontiguousarray(grey.transpose(1, 2, 0))
    across, down = (cv2.Sobel(side_by_side, cv2.CV_32F, *step, scale=1 / 8) for step in ((1, 0), (0, 1)))
    steps = cv2.magnitude(across, down).reshape(-1, n)
    steepest = np.partition(steps, -ODD, axis=0)[-ODD] / np.maximum(levels[:, -ODD] - levels[:, ODD], FAINTEST_CONTRAST)
    shares = np.count_nonzero(burnt, axis=1) / burnt.shape[1]
    return [Surface(*row) for row in np.column_stack([levels[:, BRIGHT], shares, steepest]).tolist()]
