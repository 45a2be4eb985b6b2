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
CHANNEL_WEIGHTS = (1.0, 1.6, 1.6)  # L, a, b: colour steps are smaller in 8-bit Lab than lightness steps
FAINTEST = 2.5  # weaker differences are noise in any picture
MOST_NEAR = 10  # spots looked at around one die; a face has six, a side face adds some
FACE_RADIUS = 0.62  # of a die: how far from its centre a pip of the top face can be
SIDE_RANGE = (0.24, 0.72)  # of a die: distance of neighbouring corner pips, the lower end for slanted views
LINE_RANGE = (0.36, 0.98)  # of a die: distance of the outer pips of a two or a three
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
    lab = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB).astype(np.float32)
    found = []
    for channel, weight in enumerate(CHANNEL_WEIGHTS):
        plane = lab[:, :, channel] * weight
        smooth = [cv2.GaussianBlur(plane, (0, 0), sigma, borderType=cv2.BORDER_REFLECT) for sigma in SIGMAS]
        steps = np.stack([fine - coarse for fine, coarse in pairwise(smooth)])
        found.append(_peaks(steps.max(axis=0)))
        found.append(_peaks((-steps).max(axis=0)))
    return found


def _peaks(response: Floats) -> Spots:
    highest = cv2.dilate(response, np.ones((5, 5), np.uint8))
    ys, xs = np.nonzero((response >= highest) & (response > FAINTEST))
    strength = response[ys, xs]
    order = np.argsort(-strength, kind="stable")
    return Spots(xy=np.stack([xs, ys], axis=1).astype(np.float32)[order], strength=strength[order])


def faces_near(layers: list[Spots], centre: tuple[float, float], die_px: float = DIE_PX) -> list[Face]:
    """The faces that spots around `centre` can form, best first."""
    here = np.array(centre, np.float32)
    found: list[Face] = []
    for layer in layers:
        near = np.hypot(*(layer.xy - here).T) < FACE_RADIUS * die_px if len(layer.xy) else np.zeros(0, bool)
        chosen = np.nonzero(near)[0][:MOST_NEAR]
        if len(chosen):
            found += _faces(layer.xy[chosen], layer.strength[chosen], here, die_px)
    return sorted(found, key=lambda face: -face.score)


def _faces(xy: Floats, strength: Floats, centre: Floats, die_px: float) -> list[Face]:
    found = []
    for members in (*_grids(xy, die_px), *_lines(xy, die_px), *((i,) for i in range(min(3, len(xy))))):
        face = _judge(members, xy, strength, centre, die_px)
        if face is not None:
            found.append(face)
    return found


def _grids(xy: Floats, die_px: float) -> list[tuple[int, ...]]:
    """Fours, fives and sixes: four corners of a parallelogram, with a centre or two opposite middles."""
    n = len(xy)
    if n < 4:
        return []
    shortest, longest = SIDE_RANGE[0] * die_px, SIDE_RANGE[1] * die_px
    step = xy[None] - xy[:, None]
    length = np.hypot(step[..., 0], step[..., 1])
    usable = (length > shortest) & (length < longest)
    i, j, k = np.nonzero(usable[:, :, None] & usable[:, None, :] & np.triu(np.ones((n, n), bool), 1)[None])
    u, v = step[i, j], step[i, k]
    sine = np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]) / (length[i, j] * length[i, k])
    big = np.maximum(length[i, j], length[i, k]) > 0.36 * die_px
    keep = (sine > 0.6) & big
    grids: set[tuple[int, ...]] = set()
    reach = FIT * die_px
    for a, b, c in zip(i[keep], j[keep], k[keep], strict=True):
        fourth = _at(xy, xy[b] + xy[c] - xy[a], reach)
        if fourth is None or fourth in (a, b, c):
            continue
        corners = tuple(sorted((int(a), int(b), int(c), fourth)))
        grids.add(corners)
        middle = _at(xy, (xy[b] + xy[c]) / 2, reach)
        if middle is not None:
            grids.add((*corners, middle))
        for one, two in ((b, c), (c, b)):
            first = _at(xy, (xy[a] + xy[one]) / 2, reach)
            second = _at(xy, xy[two] + (xy[one] - xy[a]) / 2, reach)
            if first is not None and second is not None and len({*corners, first, second}) == 6:
                grids.add((*corners, *sorted((first, second))))
    return sorted(grids)


def _lines(xy: Floats, die_px: float) -> list[tuple[int, ...]]:
    """Twos and threes."""
    found: list[tuple[int, ...]] = []
    for a in range(len(xy)):
        for b in range(a + 1, len(xy)):
            length = float(np.hypot(*(xy[a] - xy[b])))
            if not LINE_RANGE[0] * die_px < length < LINE_RANGE[1] * die_px:
                continue
            found.append((a, b))
            middle = _at(xy, (xy[a] + xy[b]) / 2, FIT * die_px)
            if middle is not None and middle not in (a, b):
                found.append((a, b, middle))
    return found


def _at(xy: Floats, place: Floats, reach: float) -> int | None:
    away = np.hypot(xy[:, 0] - place[0], xy[:, 1] - place[1])
    nearest = int(np.argmin(away))
    return nearest if away[nearest] < reach else None


def _judge(members: tuple[int, ...], xy: Floats, strength: Floats, centre: Floats, die_px: float) -> Face | None:
    """How well the members alone explain what lies on their face; None where they are too unlike each other."""
    chosen = list(members)
    weakest, strongest = float(strength[chosen].min()), float(strength[chosen].max())
    if weakest < 0.35 * strongest:
        return None
    middle = xy[chosen].mean(axis=0)
    away = float(np.hypot(*(middle - centre))) / die_px
    others = np.ones(len(xy), bool)
    others[chosen] = False
    radius = 0.42 * die_px
    near = others & (np.hypot(*(xy - middle).T) < radius)
    stray = float(np.minimum(strength[near], strongest).sum()) / strongest
    evenness = weakest / strongest
    score = (1.0 - min(1.0, 2.2 * away * away * 4)) * (0.5 + 0.5 * evenness) * len(chosen) / (len(chosen) + stray)
    pips = tuple((float(x), float(y)) for x, y in xy[chosen])
    return Face(len(chosen), (float(middle[0]), float(middle[1])), pips, score, weakest)
