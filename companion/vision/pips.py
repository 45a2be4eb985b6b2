"""Pips by geometry alone: round spots in a picture, and the six faces they can form.

The picture must be scaled so that a die is about DIE_PX wide. Nothing here is learned; this is the opinion that a
network's value is held against.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Picture

Floats = NDArray[np.float32]

DIE_PX = 48  # the apparent width of a die that all constants below are made for
SIGMAS = (1.9, 2.5, 3.3, 4.3, 5.6)  # blob radius / √2: pips of 3 to 7 px in radius, seen flat or slanted
CHANNEL_WEIGHTS = np.array(
    [1.0, 1.6, 1.6], np.float32
)  # L, a, b: colour steps are smaller in 8-bit Lab than lightness steps
FAINTEST = 2.5  # weaker differences are noise in any picture
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


@dataclass(frozen=True, slots=True, eq=False)
class Spots:
    """Round spots of one channel and polarity, strongest first: `xy` n×2, `strength` n."""

    xy: Floats
    strength: Floats


@dataclass(frozen=True, slots=True)
class Face:
    """A face that spots form. `score`: the share of strength near it that it explains, 0-1."""

    value: int
    centre: tuple[float, float]
    pips: tuple[tuple[float, float], ...]
    score: float
    strength: float


def spots(picture: Picture) -> list[Spots]:
    """Round spots, in six layers: light and dark in each of L, a and b."""
    lab = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB) * CHANNEL_WEIGHTS
    smooth = [cv2.GaussianBlur(lab, (0, 0), sigma, borderType=cv2.BORDER_REFLECT) for sigma in SIGMAS]
    steps = np.stack([fine - coarse for fine, coarse in pairwise(smooth)])
    found = []
    for responses in (steps.max(axis=0), -steps.min(axis=0)):
        highest = cv2.dilate(responses, np.ones((5, 5), np.uint8))
        peaks = (responses >= highest) & (responses > FAINTEST)
        found += [_peaks(responses[:, :, channel], peaks[:, :, channel]) for channel in range(3)]
    return found


def _peaks(response: Floats, at: NDArray[np.bool_]) -> Spots:
    ys, xs = np.nonzero(at)
    strength = response[ys, xs]
    order = np.argsort(-strength, kind="stable")
    return Spots(xy=np.stack([xs, ys], axis=1).astype(np.float32)[order], strength=strength[order])


def face_near(layers: list[Spots], centre: tuple[float, float], die_px: float = DIE_PX) -> Face | None:
    """The face that spots around `centre` form best, None for none."""
    here = np.array(centre, np.float32)
    near = [_near(layer, here, die_px) for layer in layers]
    strongest = max((float(layer.strength[0]) for layer in near if len(layer.xy)), default=0.0)
    plain = [layer for layer in near if len(layer.xy) and layer.strength[0] >= FAINT_LAYER * strongest]
    faces = [face for layer in plain if (face := _best_face(layer, here, die_px)) is not None]
    return max(faces, key=lambda face: face.score, default=None)


def _near(layer: Spots, here: Floats, die_px: float) -> Spots:
    """The strongest spots of a layer that may belong to the die."""
    chosen = np.nonzero(np.hypot(*(layer.xy - here).T) < FACE_RADIUS * die_px)[0][:MOST_NEAR]
    return Spots(layer.xy[chosen], layer.strength[chosen])


def _best_face(layer: Spots, centre: Floats, die_px: float) -> Face | None:
    """The best of all faces that spots of one layer can form, judged all at once."""
    xy, strength, n = layer.xy, layer.strength, len(layer.xy)
    groups = [*grids(xy, die_px), *_lines(xy, die_px), *((i,) for i in range(min(3, n)))]
    member = np.zeros((len(groups), n), bool)
    for row, group in enumerate(groups):
        member[row, list(group)] = True
    values = member.sum(axis=1)
    strongest = np.where(member, strength, 0).max(axis=1)
    evenness = np.where(member, strength, np.inf).min(axis=1) / strongest
    middles = (member @ xy) / values[:, None]
    away = np.hypot(*(middles - centre).T) / die_px
    near = ~member & (np.hypot(*(xy[None] - middles[:, None]).transpose(2, 0, 1)) < STRAY_RADIUS * die_px)
    stray = (near * np.minimum(strength[None], strongest[:, None])).sum(axis=1) / strongest
    central = 1 - np.minimum(1, OFF_CENTRE * away * away)
    scores = np.where(evenness >= LEAST_EVEN, central * (0.5 + 0.5 * evenness) * values / (values + stray), 0)
    best = int(np.argmax(scores))
    if scores[best] <= 0:
        return None
    pips = tuple((float(x), float(y)) for x, y in xy[list(groups[best])])
    x, y = (float(part) for part in middles[best])
    return Face(len(groups[best]), (x, y), pips, float(scores[best]), float(strongest[best]))


def grids(xy: Floats, die_px: float) -> list[tuple[int, ...]]:
    """Fours, fives and sixes: four corners of a parallelogram, with a centre or two opposite middles."""
    n = len(xy)
    if n < 4:
        return []
    step = xy[None] - xy[:, None]
    length = np.hypot(step[..., 0], step[..., 1])
    usable = (length > SIDE_RANGE[0] * die_px) & (length < SIDE_RANGE[1] * die_px)
    i, j, k = np.nonzero(usable[:, :, None] & usable[:, None, :] & np.triu(np.ones((n, n), bool), 1)[None])
    u, v = step[i, j], step[i, k]
    sine = np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]) / (length[i, j] * length[i, k])
    keep = (sine > LEAST_SINE) & (np.maximum(length[i, j], length[i, k]) > LONG_SIDE * die_px)
    a, b, c = xy[i[keep]], xy[j[keep]], xy[k[keep]]
    reach = FIT * die_px
    fourth = _at(xy, b + c - a, reach)
    whole = fourth >= 0
    a, b, c, fourth = a[whole], b[whole], c[whole], fourth[whole]
    corners = np.column_stack([i[keep][whole], j[keep][whole], k[keep][whole], fourth])
    between = np.concatenate([(b + c) / 2, (a + b) / 2, c + (b - a) / 2, (a + c) / 2, b + (c - a) / 2])
    middles = _at(xy, between, reach).reshape(5, -1).T
    grids: set[tuple[int, ...]] = set()
    for base, (centre, *rows) in zip(corners.tolist(), middles.tolist(), strict=True):
        if len(set(base)) == 4:
            for extra in ((), (centre,), tuple(rows[:2]), tuple(rows[2:])):
                group = {*base, *extra}
                if min(group) >= 0 and len(group) == 4 + len(extra):
                    grids.add(tuple(sorted(group)))
    return sorted(grids)


def _lines(xy: Floats, die_px: float) -> list[tuple[int, ...]]:
    """Twos and threes."""
    step = xy[None] - xy[:, None]
    length = np.hypot(step[..., 0], step[..., 1])
    a, b = np.nonzero(np.triu((length > LINE_RANGE[0] * die_px) & (length < LINE_RANGE[1] * die_px), 1))
    middle = _at(xy, np.asarray((xy[a] + xy[b]) / 2, np.float32), FIT * die_px)
    pairs: list[tuple[int, ...]] = [(int(one), int(two)) for one, two in zip(a, b, strict=True)]
    threes: list[tuple[int, ...]] = [
        (*pair, int(m)) for pair, m in zip(pairs, middle, strict=True) if m >= 0 and m not in pair
    ]
    return pairs + threes


def _at(xy: Floats, places: Floats, reach: float) -> NDArray[np.intp]:
    """For each place the spot nearest to it, -1 where none is within reach."""
    if not len(places):
        return np.zeros(0, np.intp)
    away = np.hypot(*(xy[None] - places[:, None]).transpose(2, 0, 1))
    nearest = np.argmin(away, axis=1)
    return np.where(away[np.arange(len(places)), nearest] < reach, nearest, -1)
