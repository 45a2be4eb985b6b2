"""The pips that the face network sees: where its map of a crop is highest."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.engines import Floats
from companion.vision.networks import CROP_PX

PIP_CHANCE = 0.1  # less is no pip
MOST_PIPS = 6


def pip_peaks(planes: Floats) -> list[NDArray[np.float64]]:
    """Centres of pips in n crops, by the network's n×32×32 chances: of each crop's peaks those before the largest fall.

    Pips of faces that are not up are peaks, too, but less plain ones, by how much depends on the die.
    """
    side = planes.shape[1]
    apart = np.zeros((len(planes), side + 1, side), np.float32)  # one below the other, a row of zeros between
    apart[:, :side] = planes
    highest = cv2.dilate(apart.reshape(-1, side), np.ones((3, 3), np.uint8)).reshape(apart.shape)[:, :side]
    peaks = np.nonzero((planes >= highest) & (planes > PIP_CHANCE))
    found: list[list[tuple[float, float, float]]] = [[] for _ in planes]
    for number, row, column, chance in zip(*(part.tolist() for part in peaks), planes[peaks].tolist(), strict=True):
        found[number].append((chance, column, row))
    scale = CROP_PX / side
    return [(np.array(_before_fall(some)).reshape(-1, 2) + 0.5) * scale for some in found]


def _before_fall(peaks: list[tuple[float, float, float]]) -> list[tuple[float, float]]:
    """Column and row of the peaks (chance, column, row) before the largest fall of chance."""
    chances = sorted((chance for chance, _, _ in peaks), reverse=True)
    falls = [one - next_one for one, next_one in pairwise([*chances, PIP_CHANCE])][:MOST_PIPS]
    least = chances[falls.index(max(falls))] if falls else 1.0
    return [(column, row) for chance, column, row in peaks if chance >= least]
