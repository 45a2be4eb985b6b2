"""A lamp mirrored in the middle of a face: it looks like a pip on a two or four, or hides one of a three or five.

Light is added there, so that what is mirrored is lighter than what it lies among. A lamp has neither a pip's size nor
its place: a face's pips are alike, and the middle one lies where its diagonals cross, from whatever side it is seen.
Colours are CIE 1976 L*a*b*, in which a distance of some 2 is just seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Picture
from companion.vision.alike import LEVELS
from companion.vision.networks import inner
from companion.vision.sight import burnt_out

Middles = NDArray[np.float64]  # of pips in a crop, n×2: x and y
Colours = NDArray[np.float64]  # n×3, or one: L*, a* and b*

WITH_MIDDLE, WITHOUT = (3, 5), (2, 4)  # pips of the faces that differ by one in the middle
UNLIKE = 12.0  # distance of the middle pip's colour from the others' that is more than noise,
MORE, MUCH = 0.25, 14.0  # and, less how far these differ, share of what they stand out from the die by, or distance;
HUE = 25.0  # or distance by a* and b* alone, as of a faint gleam on a blue die from its white pips
FAINT = 4.0  # pips that stand out by less
LIGHTER = 20.0  # L* by which the middle of a face without a pip there is lighter than the die,
DAZZLING = 88.0  # if some of it is so light: light adds to pip and die alike, and hides it only near white;
BURNT = 252  # or level of all colours from which nothing is left to see,
BURNT_THERE, BURNT_ALL = 0.3, 0.75  # on so much of the middle at least, and on less of the whole face;
BURNT_MUCH = 0.4  # a bright white face has more, without any lamp in its middle
MIDDLE_PX = 6  # half the side of what is looked at: a pip, and where light around it hides its edge

SPOT_PX, CORE_PX = 9.0, 1.6  # how far a spot reaches at most, and not beyond half-way to the next; what is surely spot
NEAR_PX = 2.0  # spots that reach less far are too near to each other to be measured
AROUND = (0.9, 1.25)  # of how far they reach: a ring of the die's body
PLAINLY = 25.0  # distance of colours of a light spot whose size and place can be told,
TOO_FAINT = 20.0  # and of others that can be measured beside it
SMALLER, ASIDE = 0.2, 0.16  # log of a size, beyond what others differ by, and share of their distance, that no pip has
NO_FACE = 0.45  # nor has a spot as far aside anything to do with a face
FEW = 1e-6  # of a pixel


class Gleam(NamedTuple):
    """Whether a lamp is mirrored in the middle of a face.

    `likely`: by its colour, so that a pip may be hidden, or none, unless another look sees plainly. `plain`: whatever
    other looks see, for it burns out all there, or its spot has another size or place than a pip.
    """

    likely: bool = False
    plain: bool = False


def gleaming(crops: NDArray[np.uint8], centres: Mapping[int, Middles]) -> dict[int, Gleam]:
    """Which crops show a face that may have one pip more or less, for a lamp is mirrored in its middle.

    `crops`: n×h×w×3, BGR, a die in the middle of each. `centres`: of some of them, its pips, m×2, x and y.
    Of all others nothing is told.
    """
    some = [number for number, pips in centres.items() if len(pips) in (*WITH_MIDDLE, *WITHOUT)]
    if not some:
        return {}
    lab = _colours(crops[some])
    bodies = np.median(inner(lab)[:, ::2, ::2].reshape(len(some), -1, 3), axis=1) * LEVELS
    looked = zip(some, lab, bodies, strict=True)
    return {number: _gleam(crops[number], colours, centres[number], body) for number, colours, body in looked}


def _colours(crops: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Smoothed, in OpenCV's L*, a* and b*; all at once."""
    below = np.ascontiguousarray(crops).reshape(-1, *crops.shape[2:])
    return np.asarray(cv2.cvtColor(cv2.blur(below, (3, 3)), cv2.COLOR_BGR2LAB), np.uint8).reshape(crops.shape)


def _gleam(crop: Picture, colours: NDArray[np.uint8], pips: Middles, body: Colours) -> Gleam:
    if len(pips) in WITH_MIDDLE:
        middle = int(np.argmin(np.linalg.norm(pips - pips.mean(axis=0), axis=1)))
        first = np.concatenate([pips[middle, None], np.delete(pips, middle, axis=0)])
        seen = _at(colours, first)
        return Gleam(_shows_one_more(seen, body), bool(seen[0, 0] > body[0]) and _no_pip(colours, first))
    among = pips.mean(axis=0)
    burnt = _burnt_out(crop, among)
    lighter = bool(_at(colours, among[None])[0, 0] > body[0] + LIGHTER)
    dazzling = bool(_middle(colours, among)[..., 0].max() * LEVELS[0] > DAZZLING)
    return Gleam((lighter and dazzling) or burnt, burnt and _share_burnt(inner(crop)) < BURNT_MUCH)


def _no_pip(colours: NDArray[np.uint8], pips: Middles) -> bool:
    """Is the first of these spots, in the middle of the others, a light one of another size, or beside their middle."""
    widest = min(float(np.linalg.norm(pips[1:] - pips[0], axis=1).min()) / 2, SPOT_PX)
    if widest < NEAR_PX:
        return False
    reach = int(AROUND[1] * widest) + 1
    down, right = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
    away = np.hypot(down, right)
    corners = np.clip(pips.astype(int), 0, len(colours) - 1)
    there = _cut_out(colours, corners, reach)
    bodies = np.median(there[:, (away > AROUND[0] * widest) & (away < AROUND[1] * widest)], axis=1)
    cores = there[:, away < CORE_PX].mean(axis=1)
    plain = np.linalg.norm(cores - bodies, axis=1)
    if cores[0, 0] <= bodies[0, 0] or plain[0] < PLAINLY or plain.min() < TOO_FAINT:
        return False
    within = away <= widest
    shares = _shares(there[:, within], cores, bodies)
    sizes = shares.sum(axis=1)
    places = corners + np.stack([shares @ right[within], shares @ down[within]], axis=1) / sizes[:, None]
    # around the others the die may end, or be of another colour: what lies around the middle one is the die for sure
    again = _shares(there[1:, within], cores[1:], bodies[:1]).sum(axis=1)
    return _aside(places) or _of_another_size(sizes[0], np.stack([sizes[1:], again]))


def _cut_out(colours: NDArray[np.uint8], corners: NDArray[np.int_], reach: int) -> NDArray[np.float32]:
    """What lies around n points, x and y, so far to each side: n×side×side×3, L*, a* and b*."""
    padded = np.asarray(cv2.copyMakeBorder(colours, *(reach,) * 4, cv2.BORDER_REPLICATE), np.uint8)
    side = 2 * reach + 1
    there = np.stack([padded[y : y + side, x : x + side] for x, y in corners.tolist()])
    return np.asarray(there * LEVELS, np.float32)


def _shares(there: NDArray[np.float32], cores: NDArray[np.float32], bodies: NDArray[np.float32]) -> NDArray[np.float32]:
    """How much of each pixel is spot, and not the die it lies on: n×pixels, 0 to 1, some for each of n spots."""
    ink = cores - bodies
    alike = np.einsum("npc,nc->np", there - bodies[:, None], ink)
    shares = np.clip(alike / np.maximum(1, (ink**2).sum(axis=1))[:, None], 0, 1)
    return np.asarray(np.maximum(shares, FEW), np.float32)


def _aside(places: Middles) -> bool:
    """Does the first of these lie beside the middle of the others, and yet in their face."""
    cross = _crossing(places[1:])
    aside = float(np.linalg.norm(places[0] - cross) / max(1.0, np.linalg.norm(places[1:] - cross, axis=1).mean()))
    return ASIDE < aside < NO_FACE


def _of_another_size(size: float, others: NDArray[np.float32]) -> bool:
    """Is it of another size than n others, each measured in some ways: the likeliest of these."""
    apart = np.log(others / size)
    nearest = np.take_along_axis(apart, np.abs(apart).argmin(axis=0)[None], axis=0)[0]
    usual = float(np.median(nearest))
    return abs(usual) - float(np.abs(nearest - usual).max()) > SMALLER


def _crossing(places: Middles) -> Middles:
    """Where the diagonals of four cross, or half-way between two."""
    around = places[np.argsort(np.arctan2(*(places - places.mean(axis=0)).T))]
    if len(around) == 2:
        return np.asarray(around.mean(axis=0))
    one, other, apart = around[2] - around[0], around[3] - around[1], around[1] - around[0]
    turn = one[0] * other[1] - one[1] * other[0]
    if abs(turn) < 1:
        return np.asarray(around.mean(axis=0))
    return np.asarray(around[0] + one * (apart[0] * other[1] - apart[1] * other[0]) / turn)


def _shows_one_more(colours: Colours, body: Colours) -> bool:
    """Is the first of these pips, the middle one, so much lighter than the others, or of such another hue, that it may
    be none."""
    middle, others = colours[0], colours[1:]
    usual = np.sort(others, axis=0)[(len(others) - 1) // 2 : len(others) // 2 + 1].mean(axis=0)  # the median, sooner
    unlike = float(np.linalg.norm(middle - usual))
    differ = float(np.linalg.norm(others - usual, axis=1).max())
    least = min(MUCH, MORE * max(FAINT, float(np.linalg.norm(usual - body))))
    lighter = bool(middle[0] > usual[0]) and unlike > UNLIKE and unlike - differ > least
    return lighter or float(np.linalg.norm((middle - usual)[1:])) > HUE


def _burnt_out(crop: Picture, middle: Middles) -> bool:
    """Is nothing left to see in the middle of a face of which the rest is not so bright."""
    return _share_burnt(_middle(crop, middle)) > BURNT_THERE and _share_burnt(inner(crop)) < BURNT_ALL


def _middle(crop: NDArray[np.uint8], at: Middles) -> NDArray[np.uint8]:
    column, row = np.clip(at.astype(int), MIDDLE_PX, len(crop) - MIDDLE_PX).tolist()
    return crop[row - MIDDLE_PX : row + MIDDLE_PX, column - MIDDLE_PX : column + MIDDLE_PX]


def _share_burnt(part: Picture) -> float:
    """The share of its pixels."""
    burnt = burnt_out(part, BURNT)
    return float(cv2.countNonZero(burnt) / burnt.size)


def _at(colours: NDArray[np.uint8], points: Middles) -> Colours:
    """L*, a* and b* at points, n×2, x and y: n×3."""
    columns, rows = np.clip(points.astype(int), 0, len(colours) - 1).T
    return np.asarray(colours[rows, columns] * LEVELS, np.float64)
