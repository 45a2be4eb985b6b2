"""Whether camera and tray stand where they stood when they were calibrated, by what lies still around the floor."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Floats, Picture
from companion.vision.noise import noise
from companion.vision.sight import black

FAR_MM = float("inf")  # so far that next to nothing is found again
MOST, APART_PX, GOODNESS = 60, 14, 0.05  # marks, pixels between two, and of the best mark's quality
LOOKED_AT = 3  # times as many are looked at, and those kept that are none of the camera's noise
TIMES, STRONGER, LASTING_PX = 2, 3.0, 1.0  # of noise so much stronger a mark is found each time, and so near
FEWEST = 12  # marks without which nothing can be told
QUARTER_FEWEST = 4
WINDOW, LEVELS = (31, 31), 4
BACK_PX, PATCH_PX, ALIKE = 1.0, 25, 0.7  # a mark was found again: the way back ends there, and it looks alike
SEEN, LOST = 0.6, 0.5  # share of a quarter's marks that are found: from which on it is seen, and below which it is not
SMOOTH_PX, EVEN_PX = 2.5, 12.0  # noise is smoothed, and light evened out, over such a neighbourhood,
LESS = 4  # times smaller a picture for the latter


class Place:
    """Marks of the empty tray's picture that dice do not cover: its walls and the table around it."""

    def __init__(self, mm_per_px: float, empty: Picture, floor: Picture) -> None:
        """`floor`: non-zero where dice can lie."""
        self._mm_per_px = mm_per_px
        self._empty = _even(empty)
        around = 255 - cv2.erode(floor, np.ones((9, 9), np.uint8))
        marks = cv2.goodFeaturesToTrack(self._empty, LOOKED_AT * MOST, GOODNESS, APART_PX, mask=around)
        self._marks = np.zeros((0, 1, 2), np.float32) if marks is None else np.asarray(marks, np.float32)
        self._marks = self._marks[self._lasting(empty)][:MOST]
        height, width = empty.shape[:2]
        self._quarter = 2 * (self._marks[:, 0, 1] > height / 2) + (self._marks[:, 0, 0] > width / 2)

    def moved_mm(self, picture: Picture) -> float | None:
        """How far the marks lie from where they lay; FAR_MM where they are gone. None where it cannot be told.

        A hand that covers one side hides the marks there, and not those of the other side. `picture`: of the size of
        the empty tray's.
        """
        shifts = self._shifts(picture)
        if shifts is None:
            return None
        seen, lost = self._shares(shifts)
        if lost and not seen:
            return FAR_MM
        return float(np.nanmedian(shifts)) * self._mm_per_px if seen > lost else None

    def pushed_mm(self, picture: Picture) -> float | None:
        """As `moved_mm`, of a picture that nothing covers: told by the marks that are found, however many are not."""
        shifts = self._shifts(picture)
        if shifts is None:
            return None
        return float(np.nanmedian(shifts)) * self._mm_per_px if np.isfinite(shifts).sum() >= FEWEST else FAR_MM

    def _shifts(self, picture: Picture) -> Floats | None:
        """By how many pixels each mark has moved; None where too few are there, or the picture is black."""
        if len(self._marks) < FEWEST or black(picture):
            return None
        return self._found(_even(picture))

    def _lasting(self, empty: Picture) -> NDArray[np.bool_]:
        """Which marks are found again under more noise than there is: on even ground noise makes marks of its own."""
        lasting, rng = np.ones(len(self._marks), np.bool_), np.random.default_rng(0)
        if not len(self._marks):
            return lasting
        strength = STRONGER * noise(cv2.cvtColor(empty, cv2.COLOR_BGR2GRAY).astype(np.float32))
        for _ in range(TIMES):
            more = rng.normal(0, strength, empty.shape[:2])[..., None]
            noisier = np.asarray(np.clip(empty + more, 0, 255), np.uint8)
            lasting &= np.nan_to_num(self._found(_even(noisier)), nan=np.inf) < LASTING_PX
        return lasting

    def _found(self, now: Picture) -> Floats:
        """By how many pixels each mark has moved; not-a-number for one that is not found again (Lucas and Kanade)."""
        to = _followed(self._empty, now, self._marks)
        back = _followed(now, self._empty, to)
        shifts = np.linalg.norm((to - self._marks)[:, 0], axis=1)
        away = np.linalg.norm((back - self._marks)[:, 0], axis=1)
        for i, (mark, there) in enumerate(zip(self._marks[:, 0], to[:, 0], strict=True)):
            if not (away[i] < BACK_PX and _alike(self._empty, mark, now, there)):
                shifts[i] = np.nan
        return np.asarray(shifts, np.float64)

    def _shares(self, shifts: Floats) -> tuple[int, int]:
        """How many quarters of the picture are seen again, and how many are not."""
        quarters = [shifts[self._quarter == q] for q in range(4)]
        shares = [np.isfinite(part).mean() for part in quarters if len(part) >= QUARTER_FEWEST]
        return sum(share >= SEEN for share in shares), sum(share < LOST for share in shares)


def _followed(one: Picture, two: Picture, marks: Floats) -> Floats:
    nowhere = np.zeros_like(marks)
    to, _found, _off = cv2.calcOpticalFlowPyrLK(one, two, marks, nowhere, winSize=WINDOW, maxLevel=LEVELS)
    return np.asarray(to)


def _even(picture: Picture) -> Picture:
    """Grey with the light taken out, so that a lamp changes next to nothing."""
    grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (0, 0), SMOOTH_PX).astype(np.float32)
    off = cv2.subtract(grey, _wide(grey))
    contrast = cv2.sqrt(_wide(cv2.multiply(off, off)))
    return np.asarray(np.clip(128 + 40 * off / (contrast + 3), 0, 255), np.uint8)


def _wide(levels: NDArray[Any]) -> Floats:
    """Evened out, in a smaller picture: as smooth and quicker."""
    height, width = levels.shape
    small = cv2.resize(levels, (-(-width // LESS), -(-height // LESS)), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(cv2.GaussianBlur(small, (0, 0), EVEN_PX / LESS), (width, height)), np.float32)


def _alike(one: Picture, at: Floats, two: Picture, there: Floats) -> bool:
    size = (PATCH_PX, PATCH_PX)
    a, b = (
        cv2.getRectSubPix(picture, size, (float(x), float(y))).astype(np.float64)
        for picture, (x, y) in ((one, at), (two, there))
    )
    a, b = a - a.mean(), b - b.mean()
    return bool((a * b).sum() > ALIKE * np.sqrt((a * a).sum() * (b * b).sum() + 1e-6))
