"""What lies beside dice that were read, and was overlooked: spots as plain as their pips, of which a face is made.

The finder sees two dice that touch, or one behind another, as one at times, and what it does not see is not looked at.
Geometry sees spots without knowing dice, and the faces know dice without searching: together they tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.events import Box, Die, middle_of
from companion.vision.engines import Floats
from companion.vision.networks import CROP_PX, FILL, UNREAD, FaceNet, softmax
from companion.vision.pips import AT_ONCE, FAINTEST, responses
from companion.vision.views import Place, Views, usual_width

Points = NDArray[np.float64]
Indices = NDArray[np.intp]

ROOM = 2.2  # times a die: of such a size it is cut out, so that the crop shows 1.6 dice to each side of its middle
REACH = 1.3  # of a die, from its middle: spots further away are no neighbour's
OWN = 0.48  # of a die, from its middle: what is nearer is on it,
MIDDLE = 0.55  # and the middle of two spots of another die is not so near
AS_PLAIN = 0.6  # of the strength of a die's own pips, and of the stronger of two spots
ROUND = 0.55  # of a spot's steeper fall to its sides: at edges, and in print, one is much less steep
PAIR = (0.15, 1.0)  # of a die: distance of two pips of one face
MOST_SPOTS, MOST_PLACES = 10, 8  # of one channel around a die, and looked at in a picture
SAME = 0.15  # of a die: places so close are one
NEIGHBOURS = np.arange(-2, 3)[None, None]  # pixels of a crop around a pip's place in which its strength is looked for
SHIFTS = (0.0, 0.15, -0.15)  # of a die: so much lower, for a place may be off its middle
A_DIE = 0.5  # chance of a value, in the mean of these looks


def spotted(views: Views, dice: Sequence[Die], others: Sequence[Box] = ()) -> list[Place]:
    """Places between two spots that are none of the read dice's, as large as these, the plainest first.

    `others`: boxes (x, y, w, h in the picture's pixels) where dice lie that are read by someone else.
    """
    if not dice:
        return []
    usual = usual_width(die.box for die in dice)
    middles = np.array([die.centre for die in dice])
    taken = np.array([*middles, *map(middle_of, others)])
    sides = views.picture.shape[1], views.picture.shape[0]
    found: list[tuple[float, float, float]] = []
    for first in range(0, len(dice), AT_ONCE):
        some = slice(first, first + AT_ONCE)
        found += _between(_spots(views, dice[some], middles[some], usual), taken, sides, usual)
    kept: list[Place] = []
    for _, x, y in sorted(found, reverse=True):
        if len(kept) < MOST_PLACES and all(np.hypot(x - one.x, y - one.y) >= SAME * usual for one in kept):
            kept.append(Place(x, y, usual, 0.0))
    return kept


def faces_at(views: Views, places: Sequence[Place], net: FaceNet) -> list[Box]:
    """Boxes of those places that look like a die, whatever it shows."""
    if not places:
        return []
    shifted = [replace(place, y=place.y + shift * place.size) for place in places for shift in SHIFTS]
    chances = softmax(net(np.stack([views.crop(place) for place in shifted]))[0])
    a_die = chances[:, 1:UNREAD].max(axis=1).reshape(-1, len(SHIFTS)).mean(axis=1)
    return [place.box for place, chance in zip(places, a_die, strict=True) if chance >= A_DIE]


@dataclass(frozen=True, slots=True, eq=False)
class _Spots:
    """Round spots around dice. `at`: n×2, x and y in the picture. `plain`: n, in strengths of that die's own pips.

    `layer`: n, spots of one are around one die, in one channel, all lighter or all darker than what is around them.
    """

    at: Points
    plain: Floats
    layer: Indices


def _spots(views: Views, dice: Sequence[Die], middles: Points, usual: float) -> _Spots:
    """Those as plain as the pips of the die around which they lie, and no further from it than a neighbour's."""
    step = ROOM * usual / FILL  # of a crop's pixels in the picture's
    planes = responses(np.stack([views.crop(Place(x, y, ROOM * usual, 0.0)) for x, y in middles.tolist()]))
    pips = [
        (np.array(die.pips).reshape(-1, 2) - middle) / step + CROP_PX / 2
        for die, middle in zip(dice, middles, strict=True)
    ]
    own = _strengths(planes, pips)
    rows, columns, layer = _round_spots(planes, AS_PLAIN * np.tile(np.repeat(own, 3), 2))
    die = layer // 3 % len(dice)
    off = (np.stack([columns, rows], axis=1) + 0.5 - CROP_PX / 2) * step
    plain = planes[rows, columns, layer] / own[die]
    near = np.linalg.norm(off, axis=1) < REACH * usual
    return _Spots((off + middles[die])[near], plain[near], layer[near])


def _between(spots: _Spots, taken: Points, sides: tuple[int, int], usual: float) -> list[tuple[float, float, float]]:
    """How plain the plainer of each two spots of one face is, and the place between them.

    `taken`: the middles of all dice. `sides`: width and height of the picture.
    """
    free = _away(spots.at, taken, OWN * usual) & (spots.at > 0).all(axis=1) & (spots.at < sides).all(axis=1)
    found = []
    for layer in np.unique(spots.layer[free]).tolist():
        its = np.nonzero(free & (spots.layer == layer))[0]
        its = its[np.argsort(-spots.plain[its], kind="stable")[:MOST_SPOTS]]
        one, two = (its[part] for part in np.triu_indices(len(its), 1))
        apart = np.linalg.norm(spots.at[one] - spots.at[two], axis=1) / usual
        middle = (spots.at[one] + spots.at[two]) / 2
        fits = (apart > PAIR[0]) & (apart < PAIR[1]) & (spots.plain[two] >= AS_PLAIN * spots.plain[one])
        fits &= _away(middle, taken, MIDDLE * usual)
        found += [(float(spots.plain[i]), x, y) for i, (x, y) in zip(one[fits], middle[fits].tolist(), strict=True)]
    return found


def _away(at: Points, taken: Points, least: float) -> NDArray[np.bool_]:
    """Which points are so far from all that are taken."""
    return np.asarray((np.linalg.norm(at[:, None] - taken, axis=2) >= least).all(axis=1))


def _strengths(planes: Floats, pips: Sequence[Points]) -> Floats:
    """How strong each die's pips, m×2 in its crop, are in the channel that shows them best; without any, infinitely."""
    whose = np.repeat(np.arange(len(pips)), [len(own) for own in pips])
    at = np.concatenate(pips).astype(int)
    inside = ((at >= 2) & (at < CROP_PX - 2)).all(axis=1)
    at, whose = at[inside], whose[inside]
    layers = np.arange(planes.shape[2]).reshape(2, -1, 3)[:, whose].transpose(1, 0, 2).reshape(-1, 1, 1, 6)
    columns, rows = (part[:, None, None] + NEIGHBOURS for part in at.T)
    around = planes[rows.transpose(0, 2, 1)[..., None], columns[..., None], layers].max(axis=(1, 2))
    its = [around[whose == number] for number in range(len(pips))]
    return np.array([np.median(some, axis=0).max() if len(some) else np.inf for some in its], np.float32)


def _round_spots(planes: Floats, least: Floats) -> tuple[Indices, ...]:
    """Row, column and layer of the peaks that fall to all sides, of each layer those that are at least so strong."""
    highest = cv2.dilate(planes, np.ones((3, 3), np.uint8))
    peaks = (planes >= highest) & (planes >= np.maximum(least, np.float32(FAINTEST)))
    peaks[[0, -1]] = peaks[:, [0, -1]] = False
    rows, columns, layers = np.unravel_index(np.flatnonzero(peaks), planes.shape)
    across, down = _fall(planes, rows, columns, layers, 0, 1), _fall(planes, rows, columns, layers, 1, 0)
    skew = (_fall(planes, rows, columns, layers, 1, 1) - _fall(planes, rows, columns, layers, 1, -1)) / 4
    mean, lean = (across + down) / 2, np.hypot((across - down) / 2, skew)
    spots = mean - lean >= ROUND * (mean + lean)
    return rows[spots], columns[spots], layers[spots]


def _fall(planes: Floats, rows: Indices, columns: Indices, layers: Indices, down: int, across: int) -> Floats:
    """Second difference, downwards positive, of each peak to two opposite sides."""
    sides = planes[rows + down, columns + across, layers] + planes[rows - down, columns - across, layers]
    return np.asarray(2 * planes[rows, columns, layers] - sides, np.float32)
