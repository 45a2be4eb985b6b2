"""The markers for a tray's corners: what is printed on each sticker, and where its corners then lie on the floor.

Sticker 0 goes into the far left corner, then clockwise 1, 2, 3, each with its number's side away from the players. The
two sets carry different numbers, so a picture tells which one lies there.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Floats

CELLS = 6  # black and white cells along a marker's side, its black border included
DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


@dataclass(frozen=True, slots=True)
class Stickers:
    """`first`: number of the far left one. `side_mm`: of the black square; `quiet_mm`: white around it."""

    name: str
    first: int
    side_mm: float
    quiet_mm: float

    @property
    def whole_mm(self) -> float:
        return self.side_mm + 2 * self.quiet_mm

    def corners_mm(self, place: int, tray_mm: tuple[float, float]) -> Floats:
        """4 × 2: the black square's corners, far left first and clockwise, when sticker `place` lies in its corner."""
        width, depth = tray_mm
        left = width - self.quiet_mm - self.side_mm if place in (1, 2) else self.quiet_mm
        top = depth - self.quiet_mm - self.side_mm if place in (2, 3) else self.quiet_mm
        side = self.side_mm
        return np.array([(left, top), (left + side, top), (left + side, top + side), (left, top + side)])


LARGE = Stickers("large", 0, 30.0, 5.0)
SMALL = Stickers("small", 4, 12.0, 2.0)
SETS = (LARGE, SMALL)


def cells(number: int) -> NDArray[np.uint8]:
    """A marker as CELLS × CELLS pixels, 0 or 255."""
    return np.asarray(cv2.aruco.generateImageMarker(DICTIONARY, number, CELLS), np.uint8)
