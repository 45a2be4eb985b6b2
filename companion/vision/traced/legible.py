"""How well pips can be seen in the finished picture: glare, shade and blur may have left nothing of them."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Picture
from companion.vision.traced.model import Point, Seen

BLANK = 9.0  # levels of 255 between pips and the body around them: below it nobody could tell the value
AROUND = 0.2  # of a die's size: from a pip's middle to the body around it
WORST_OF = 3  # a third of the pips may be worse: one lies in glare


def contrasts(picture: Picture, dice: Sequence[Seen]) -> list[float]:
    """Of each die, the levels between its pips and its body; 0 for one without pips."""
    soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.float32)
    return [_of_die(soft, die) for die in dice]


def _of_die(soft: NDArray[np.float32], die: Seen) -> float:
    reach = AROUND * (die.box[2] + die.box[3]) / 2
    found = sorted(_of_pip(soft, pip, reach) for pip in die.pips)
    return found[len(found) // WORST_OF] if found else 0.0


def _of_pip(soft: NDArray[np.float32], pip: Point, reach: float) -> float:
    turns = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    ring = pip + reach * np.column_stack([np.cos(turns), 0.8 * np.sin(turns)])
    x, y = np.round(np.vstack([pip, ring])).astype(int).T
    height, width = soft.shape[:2]
    colours = soft[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
    return float(np.linalg.norm(colours[0] - np.median(colours[1:], axis=0)))
