"""How much a camera's noise strays: told from one picture, whatever it shows."""

from __future__ import annotations

import cv2
import numpy as np

from companion.ports import Floats, Mask

_KERNEL = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)  # second differences: flat and sloping light is 0
_SPREAD = 6.0  # times the noise that they stray: the root of the sum of their squares
_MEDIAN_OFF = 0.6745  # of a normal distribution's deviation


def noise(levels: Floats, where: Mask | None = None) -> float:
    """Deviation of the noise in levels, of the noisiest colour; 0 where there is nothing to tell it by.

    `levels`: height × width, or with as many colours. `where`: non-zero where it is asked for. After Immerkær 1996, who
    takes the mean; edges hardly change the median.
    """
    rough = np.abs(cv2.filter2D(levels, -1, _KERNEL))
    told = rough[where > 0] if where is not None else rough.reshape(-1, *levels.shape[2:])
    return float(np.median(told, axis=0).max()) / (_MEDIAN_OFF * _SPREAD) if told.size else 0.0
