"""Pips by geometry alone: round spots in crops of dice, and the six faces they can form.

Nothing here is learned; this is the opinion that a network's value is held against. All crops of a picture are judged
at once: each step is one operation on arrays, however many dice there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.engines import Floats

Indices = NDArray[np.intp]

FACE_PX = 36.0  # usual width of the top face in a crop: lengths are told as shares of it, which is called a die here
SIGMAS = (0.95, 1.25, 1.65, 2.15, 2.8)  # blob radius / √2 in halved crops: pips of 3 to 7 px in radius in whole ones
KERNEL_REACH = 3.0  # sigmas: what lies further out weighs a quarter of a hundredth
# of L, a, b: colour steps are smaller in 8-bit Lab than lightness steps
CHANNEL_WEIGHTS = np.array([1.0, 1.6, 1.6], np.float32)
FAINTEST = 2.5  # weaker differences are noise in any picture
AT_ONCE = 16  # crops smoothed together: six channels each, and OpenCV 5 takes no more than 128
MOST_NEAR = 10  # spots looked at around one die; a face has six, a side face adds some
FACE_RADIUS = 0.62  # of a die: how far from its centre a pip of the top face can be
SIDE_RANGE = (0.24, 0.72)  # of a die: distance of neighbouring corner pips, the lower end for slanted views
LINE_RANGE = (0.36, 0.98)  # of a die: distance of the outer pips of a two or a three
LONG_SIDE = 0.36  # of a die: a face's pips are not all squeezed together
LEAST_SINE = 0.6  # of the angle between a face's sides: slanted views shear it so far
LEAST_EVEN = 0.35  # weakest to strongest pip of a face
FAINT_LAYER = 0.4  # of the strongest spot of all layers: where all are fainter, they are texture
STRAY_RADIUS = 0.42  # of a die: spots that near to a face's middle must be its pips
OFF_CENTRE = 8.8  # how fast a face counts less as its middle leaves the die's
FIT = 0.105  # of a die: how far a pip may lie from its place
_TURNS = np.arange(MOST_NEAR, dtype=np.float32)  # radians
# 2×MOST_NEAR, x and y in pixels: where spots lie that are not there, far from all that are and from each other
NOWHERE = np.asarray(1e5 * np.stack([np.cos(_TURNS), np.sin(_TURNS)]), np.float32)
ONE, TWO = np.triu_indices(MOST_NEAR, 1)  # all pairs of a layer's spots
BITS = np.append(1 << np.arange(MOST_NEAR), 0)  # of each spot in a group, and, for one that is not there (-1), none
PAIRS = BITS[ONE] | BITS[TWO]
MEMBERS = np.arange(1 << MOST_NEAR)[:, None] & BITS[:MOST_NEAR] != 0  # of each group: which spots belong to it,
COUNTS = MEMBERS.sum(axis=1)  # and how many


@dataclass(frozen=True, slots=True, eq=False)
class Layers:
    """The spots around dice, a layer for each die, channel and polarity, strongest spot first.

    `crop`: n, the die of each layer; `x`, `y`, `strength`: n×MOST_NEAR, spots that are not there at NOWHERE, with 0.
    """

    crop: Indices
    x: Floats
    y: Floats
    strength: Floats


def values_near(crops: NDArray[np.uint8], middles: NDArray[Any]) -> list[int | None]:
    """The value of the face that spots form around each crop's middle, None for none.

    `crops`: n×h×w×3, BGR, the faces of dice in them some FACE_PX wide; `middles`: n×2, x and y in the crop.
    """
    found: list[int | None] = []
    for first in range(0, len(crops), AT_ONCE):
        some, around = crops[first : first + AT_ONCE], np.asarray(middles[first : first + AT_ONCE], np.float32)
        around = np.asarray((around + 0.5) / 2 - 0.5, np.float32)
        found += _best_values(_layers(responses(_halved(some)), around, FACE_PX / 2), around, FACE_PX / 2)
    return found


def _halved(crops: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """By area: as many faces are right as in whole crops, in a third of the time."""
    n, height, width, _ = crops.shape
    size = (width // 2, n * height // 2)
    small = cv2.resize(crops.reshape(n * height, width, 3), size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8).reshape(n, height // 2, width // 2, 3)


def responses(crops: NDArray[np.uint8]) -> Floats:
    """How round and strong a spot is at each pixel: h×w×6n, light ones in L, a, b of each crop, then dark ones."""
    n, height, width, _ = crops.shape
    lab = cv2.cvtColor(crops.reshape(n * height, width, 3), cv2.COLOR_BGR2LAB) * CHANNEL_WEIGHTS
    smooth: Any = np.ascontiguousarray(
        lab.reshape(n, height, width, 3).transpose(1, 2, 0, 3).reshape(height, width, -1)
    )
    steps = []
    for kernel in _kernels():  # ever smoother, each from the one before: half the time of smoothing the crop itself
        before, smooth = smooth, cv2.sepFilter2D(smooth, cv2.CV_32F, kernel, kernel, borderType=cv2.BORDER_REFLECT)
        steps.append(cv2.subtract(before, smooth))
    light, dark = steps[1], steps[1]
    for step in steps[2:]:
        light, dark = cv2.max(light, step), cv2.min(dark, step)
    return np.asarray(np.concatenate([light, -dark], axis=2), np.float32)


@cache
def _kernels() -> list[Floats]:
    wider = [SIGMAS[0], *(float(np.sqrt(two**2 - one**2)) for one, two in pairwise(SIGMAS))]
    reaches = [2 * round(KERNEL_REACH * sigma) + 1 for sigma in wider]
    made = [cv2.getGaussianKernel(reach, sigma, cv2.CV_32F) for reach, sigma in zip(reaches, wider, strict=True)]
    return [np.asarray(kernel, np.float32) for kernel in made]


def _layers(responses: Floats, middles: Floats, die_px: float) -> Layers:
    """The strongest spots that may belong to each crop's die, without the layers that are plainly fainter."""
    highest = cv2.dilate(responses, np.ones((3, 3), np.uint8))
    ys, xs, layer = np.nonzero((responses >= highest) & (responses > FAINTEST))
    crop = layer // 3 % len(middles)
    near = np.hypot(xs - middles[crop, 0], ys - middles[crop, 1]) < FACE_RADIUS * die_px
    xs, ys, layer, crop = xs[near], ys[near], layer[near], crop[near]
    strength = responses[ys, xs, layer]
    strongest = np.zeros(len(middles), np.float32)
    np.maximum.at(strongest, crop, strength)
    order = np.lexsort((-strength, layer))
    _, starts, kind = np.unique(layer[order], return_index=True, return_inverse=True)
    rank = np.arange(len(order)) - starts[kind]
    first = order[starts]
    plain = strength[first] >= FAINT_LAYER * strongest[crop[first]]
    row = (np.cumsum(plain) - 1)[kind]
    kept = plain[kind] & (rank < MOST_NEAR)
    chosen, row, rank = order[kept], row[kept], rank[kept]
    x, y = (np.tile(at, (int(plain.sum()), 1)) for at in NOWHERE)
    weights: Floats = np.zeros(x.shape, np.float32)
    x[row, rank], y[row, rank], weights[row, rank] = xs[chosen], ys[chosen], strength[chosen]
    return Layers(crop[first][plain], x, y, weights)


def _best_values(layers: Layers, middles: Floats, die_px: float) -> list[int | None]:
    """The value of the best of all faces that each crop's spots can form within a layer, judged all at once."""
    middle = _between(layers.x, layers.y, die_px)
    groups = [_ones(layers), _lines(layers.x, layers.y, middle, die_px), _grids(layers.x, layers.y, middle, die_px)]
    layer, spots = (np.concatenate(parts) for parts in zip(*groups, strict=True))
    member, values = MEMBERS[spots], COUNTS[spots]
    x, y, strength, crop = layers.x[layer], layers.y[layer], layers.strength[layer], layers.crop[layer]
    rows = np.arange(len(layer))
    strongest = strength[rows, member.argmax(axis=1)]  # the strongest spot comes first
    evenness = strength[rows, MOST_NEAR - 1 - member[:, ::-1].argmax(axis=1)] / strongest
    across, down = (member * x).sum(axis=1) / values, (member * y).sum(axis=1) / values
    away = np.hypot(across - middles[crop, 0], down - middles[crop, 1]) / die_px
    near = ~member & ((x - across[:, None]) ** 2 + (y - down[:, None]) ** 2 < (STRAY_RADIUS * die_px) ** 2)
    stray = (near * np.minimum(strength, strongest[:, None])).sum(axis=1) / strongest
    central = 1 - np.minimum(1, OFF_CENTRE * away * away)
    scores = np.where(evenness >= LEAST_EVEN, central * (0.5 + 0.5 * evenness) * values / (values + stray), 0)
    found: list[int | None] = []
    for i in range(len(middles)):
        its = np.nonzero((crop == i) & (scores > 0))[0]
        found.append(int(values[its[np.argmax(scores[its])]]) if len(its) else None)
    return found


Groups = tuple[Indices, Indices]  # m: the layer of each group of spots, and the group: a bit for each of its spots


def forms_six(xy: NDArray[np.float64]) -> bool:
    """Do six spots in a crop, n×2, lie as on a six."""
    if len(xy) != 6:
        return False
    x, y = np.hstack([np.asarray(xy.T, np.float32), NOWHERE[:, 6:]])
    spots = _grids(x[None], y[None], _between(x[None], y[None], FACE_PX), FACE_PX)[1]
    return bool((COUNTS[spots] == 6).any())


def _grids(x: Floats, y: Floats, middle: Indices, die_px: float) -> Groups:
    """Fours, fives and sixes: four corners whose diagonals halve each other, so a parallelogram, alone, with a spot in
    its middle, or with two in the middles of opposite sides. `middle`: the spot in the middle of each pair.
    """
    half_x, half_y = (x[:, ONE] + x[:, TWO]) / 2, (y[:, ONE] + y[:, TWO]) / 2
    one_pair, other_pair = _disjoint()
    off = (half_x[:, one_pair] - half_x[:, other_pair]) ** 2 + (half_y[:, one_pair] - half_y[:, other_pair]) ** 2
    layer, couple = np.nonzero(off < (FIT * die_px / 2) ** 2)
    p, q = one_pair[couple], other_pair[couple]
    a, d, b, c = ONE[p], TWO[p], ONE[q], TWO[q]
    ux, vx = (part / 2 for part in _sides(x, layer, a, b, c, d))
    uy, vy = (part / 2 for part in _sides(y, layer, a, b, c, d))
    one, two = np.hypot(ux, uy), np.hypot(vx, vy)
    shorter, longer = np.minimum(one, two), np.maximum(one, two)
    fits = (shorter > SIDE_RANGE[0] * die_px) & (longer < SIDE_RANGE[1] * die_px) & (longer > LONG_SIDE * die_px)
    fits &= np.abs(ux * vy - uy * vx) > LEAST_SINE * one * two
    layer, p, q, a, b, c, d = (part[fits] for part in (layer, p, q, a, b, c, d))
    corners = PAIRS[p] | PAIRS[q]
    pair = _pair_of()
    extras = [(p,), (q,), (pair[a, b], pair[c, d]), (pair[a, c], pair[b, d])]
    fuller = [_with(layer, corners, [middle[layer, half] for half in more]) for more in extras]
    layers, groups = zip((layer, corners), *fuller, strict=True)
    return np.concatenate(layers), np.concatenate(groups)


def _sides(at: Floats, layer: Indices, a: Indices, b: Indices, c: Indices, d: Indices) -> tuple[Floats, Floats]:
    """Twice the mean of opposite sides of the quadrangle a b d c."""
    along, across = at[layer, d] - at[layer, a], at[layer, b] - at[layer, c]
    return along + across, along - across


def _lines(x: Floats, y: Floats, middle: Indices, die_px: float) -> Groups:
    """Twos and threes. `middle`: as in `_grids`."""
    length = np.hypot(x[:, ONE] - x[:, TWO], y[:, ONE] - y[:, TWO])
    layer, pair = np.nonzero((length > LINE_RANGE[0] * die_px) & (length < LINE_RANGE[1] * die_px))
    threes = _with(layer, PAIRS[pair], [middle[layer, pair]])
    return np.concatenate([layer, threes[0]]), np.concatenate([PAIRS[pair], threes[1]])


def _ones(layers: Layers) -> Groups:
    """The strongest three spots, each by itself."""
    layer, spot = np.nonzero(layers.strength[:, :3] > 0)
    return layer, 1 << spot


def _with(layer: Indices, groups: Indices, more: list[Indices]) -> Groups:
    """The groups that further spots (-1: there is none) make larger by as many."""
    larger = groups.copy()
    for spot in more:
        larger |= BITS[spot]
    grown = np.nonzero(COUNTS[larger] == COUNTS[groups] + len(more))[0]
    return layer[grown], larger[grown]


def _between(x: Floats, y: Floats, die_px: float) -> Indices:
    """For each layer and pair the spot nearest to the pair's middle, -1 where none is within reach."""
    half_x, half_y = (x[:, ONE] + x[:, TWO]) / 2, (y[:, ONE] + y[:, TWO]) / 2
    off = (half_x[:, :, None] - x[:, None]) ** 2 + (half_y[:, :, None] - y[:, None]) ** 2
    return np.where(off.min(axis=2) < (FIT * die_px) ** 2, off.argmin(axis=2), -1)


@cache
def _pair_of() -> Indices:
    """The number of the pair of two spots."""
    pair = np.zeros((MOST_NEAR, MOST_NEAR), np.intp)
    pair[ONE, TWO] = pair[TWO, ONE] = np.arange(len(ONE))
    return pair


@cache
def _disjoint() -> tuple[Indices, Indices]:
    """The couples of pairs that share no spot, each once."""
    one, other = np.nonzero(np.triu(PAIRS[:, None] & PAIRS == 0))
    return one, other
