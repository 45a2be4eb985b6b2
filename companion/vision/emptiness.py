"""What looks just as the empty tray looked there is no die, whatever it resembles: a pattern, a print, a wall."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Floats, Picture
from companion.vision.noise import noise
from companion.vision.surface import MEAN
from companion.vision.views import Place

AROUND = 1.2  # of the place's size: a little of the ground around it must look alike, too
SMOOTH = (0.03, 0.06)  # of the place's size: noise goes, and pips, at least as wide, stay
LEAST_LEVELS = 5.0  # grey levels that differ between any two pictures of one thing
SIGMAS = 3.5  # of the noise that is left
MOST_LEVELS = 9.0  # where noise alone differs more, nothing can be told
FLOOR_SHARE = 0.08  # of the level: JPEG and sensor differ more where it is bright
ODD_SHARE = 0.01  # of the pixels may differ
BRIGHTER, CAST = 2.5, 1.2  # times more or less light than then, and one colour's more than another's
DARKEST = 16.0  # levels of grey or of one colour: what is no brighter shows nothing
LIGHT_SHARE = 0.1  # of the pixels that must be brighter


class EmptyTray:
    """The picture of the empty tray, to hold places against."""

    def __init__(self, picture: Picture) -> None:
        self._empty = picture

    def looks_empty(self, picture: Picture, place: Place) -> bool:
        """Does this place look as it did when the tray was empty, but for the light.

        False wherever that cannot be told: in a picture of another size, in the dark, or in strong noise.
        """
        if picture.shape != self._empty.shape:
            return False
        window = _window(place, picture.shape)
        if window is None:
            return False
        now, then = (np.asarray(whole[window], np.float32) for whole in (picture, self._empty))
        both = float(np.hypot(noise(now), noise(then)))
        return all(_same(now, then, noise=both, sigma=max(1.0, share * place.size)) for share in SMOOTH)


def _same(now: Floats, then: Floats, *, noise: float, sigma: float) -> bool:
    """Are both the same, but for their light, once noise finer than `sigma` is taken out."""
    allowed = max(LEAST_LEVELS, SIGMAS * noise / (2 * sigma * np.sqrt(np.pi)))
    if allowed > MOST_LEVELS:
        return False
    smooth, before = (np.asarray(cv2.GaussianBlur(one, (0, 0), sigma), np.float32) for one in (now, then))
    expected = _relit(before, smooth)
    if expected is None:
        return False
    off = _most(cv2.absdiff(smooth, expected))
    return bool((off > allowed + FLOOR_SHARE * _most(expected)).mean() <= ODD_SHARE)


def _most(levels: NDArray[Any]) -> Floats:
    """The most of each pixel's colours: planes are quicker to compare than what lies side by side."""
    blue, green, red = cv2.split(levels)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.float32)


def _window(place: Place, shape: tuple[int, ...]) -> tuple[slice, slice] | None:
    reach = AROUND * place.size / 2
    top, left = max(0, round(place.y - reach)), max(0, round(place.x - reach))
    bottom, right = min(shape[0], round(place.y + reach)), min(shape[1], round(place.x + reach))
    return None if bottom - top < 8 or right - left < 8 else (slice(top, bottom), slice(left, right))


def _relit(before: Floats, now: Floats) -> Floats | None:
    """The empty tray in the present light, which may rise or fall evenly across; None where it is quite another."""
    grey, level = (np.asarray(cv2.transform(one, MEAN), np.float32) for one in (before, now))
    if not (_shows(grey) and _shows(level)):
        return None
    height, width = grey.shape
    across, down = np.arange(width) / width - 0.5, (np.arange(height) / height - 0.5)[:, None]
    slopes = np.stack([grey, grey * across, grey * down]).reshape(3, -1)
    (base, right, near), *_rest = np.linalg.lstsq(slopes @ slopes.T, slopes @ level.ravel(), rcond=None)
    gain = base + right * across + near * down
    if gain.min() <= 1 / BRIGHTER or gain.max() >= BRIGHTER:
        return None
    lit = before * np.asarray(gain, np.float32)[..., None]
    share = _cast(lit, now)
    return None if share is None else np.asarray(cv2.transform(lit, np.diag(share)), np.float32)


def _cast(lit: Floats, now: Floats) -> Floats | None:
    """How much more of each colour there is than in even light; None where it is quite another light.

    A colour that is dark both ways tells nothing of that: what a sensor adds or cuts off is most of it.
    """
    told = np.array([_shows(one) or _shows(two) for one, two in zip(cv2.split(lit), cv2.split(now), strict=True)])
    before, after = (np.array(cv2.sumElems(one)[:3]) for one in (lit, now))
    share = np.where(told, after / np.maximum(before, 1.0), 1.0)
    even = share.max(where=told, initial=0.0) < CAST * share.min(where=told, initial=np.inf)
    return share if even else None


def _shows(levels: NDArray[Any]) -> bool:
    """Whether enough of grey or of one colour is light enough to show something."""
    return bool(np.count_nonzero(levels >= DARKEST) >= LIGHT_SHARE * levels.size)
