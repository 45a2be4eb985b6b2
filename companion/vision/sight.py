"""Can a picture show dice at all: one too dark, burnt out or blurred says nothing about an empty table."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.events import Why
from companion.ports import Picture

SEEN_PX = 320  # longer side that a picture is judged at
BLACK = 20.0  # grey level that only one in fifty places of a black picture reaches
WHITE = 248.0  # grey level that nearly all pass in a burnt-out one
PLAIN = 90.0  # grey levels: a picture of less contrast may be of a plain, empty table, lit from one side
SOFT = 0.08  # steepest edge, as a share of the contrast a pixel: blurred by 5 of 320 pixels
FEW = 0.002  # share of pixels that may be odd ones


def black(levels: NDArray[Any]) -> bool:
    """Whether these grey levels, or levels of colours, 0–255, are of a picture too dark to tell what lies there."""
    return float(np.percentile(levels, 98)) < BLACK


def blind(picture: Picture) -> Why | None:
    """Why no die could be seen in a picture, None if one could."""
    height, width = picture.shape[:2]
    factor = min(1.0, SEEN_PX / max(height, width))
    size = max(8, round(width * factor)), max(8, round(height * factor))
    grey = cv2.cvtColor(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    smooth = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 0.7)
    darkest, tenth, brightest = np.quantile(smooth, (FEW, 0.1, 1 - FEW))
    if black(smooth):
        return Why.DARK
    if tenth > WHITE:
        return Why.GLARE
    across, down = (cv2.Sobel(smooth, cv2.CV_32F, *step, scale=1 / 8) for step in ((1, 0), (0, 1)))
    steepest = float(np.quantile(cv2.magnitude(across, down), 1 - FEW))
    contrast = float(brightest - darkest)
    return Why.BLURRED if contrast > PLAIN and steepest < SOFT * contrast else None
