"""Further looks at places in doubt: who looks, how the crops are taken, and what the looks come to together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.vision.engines import Floats
from companion.vision.heaps import plainly_read
from companion.vision.networks import NOTHING, UNREAD, FaceNet, decorrelated, likeliest, softmax
from companion.vision.pip_map import pip_peaks
from companion.vision.views import Place, Points, View, Views, in_picture

PLAINLY_NOTHING = 0.9
HOPELESS, HOPELESS_HEAT = 0.7, 0.25  # chance of no die, and heat: beside plain dice that comes to nothing
LIKE_NOTHING = 0.5  # chance of no die from which neither geometry nor gleams are asked about
BEYOND_DOUBT = 0.93  # of dice never seen, what is as certain at first is as often right as after a second look
DISPUTED = 0.95  # and so where geometry names another number: with less, one opinion for it and one against it tie
KEENER = 2.0  # times as much as another look's: what the keen network says, which of dice never seen is oftener right
FIRST: View = {}
SECOND: View = {"turn_deg": 12.0, "zoom": 0.93, "flip": True}  # as unlike the first as the training allows
STEEPLY: View = {"flip": True, "tall": 1.7, "lift": 0.2}  # or, from a slant, as if the upper face were seen from above
THIRD: View = {"turn_deg": -8.0, "zoom": 1.06}
FEW = 1e-6  # of a chance


class Again(NamedTuple):
    """A further look: how its crop is taken, the network that sees it, and how much that counts beside a first look.

    `or_as`: another way to take it, of what is likely a die, if values are plainer so. `stretched`: in stretched
    colours: pips of another hue than the die's, but no darker, are plain in them. `ones`: of each one, too, however
    plain it is: flowers, cards and gleams have one spot as well, and small networks are as certain of these.
    """

    view: View
    by: FaceNet
    weight: float
    or_as: View | None = None
    stretched: bool = False
    ones: bool = False

    def see(self, views: Views, places: Sequence[Place], view: View) -> tuple[Floats, Floats]:
        """Logits and planes of pips of places that are seen so."""
        taken = [views.crop(place, **view) for place in places]
        return self.by(np.stack([decorrelated(crop) for crop in taken] if self.stretched else taken))


@dataclass(slots=True)
class Further:
    """What further looks at a place say: how far they differ from the first, their pips, their chances of nothing."""

    apart: float = 0.0
    pips: tuple[Points, ...] = ()
    nothing: float = 1.0

    @property
    def counts(self) -> tuple[int, ...]:
        return tuple(len(some) for some in self.pips)


def look_again(
    views: Views,
    places: list[Place],
    again: Sequence[Again],
    counts: dict[int, int],
    spotted: dict[int, int | None],
    logits: Floats,
    first: Floats,
) -> tuple[Floats, dict[int, Further]]:
    """Chances by all looks, as many as a place needs, and what the further ones say of each place that is kept.

    `counts`: the pips that the first look counts there; `spotted`: the values that geometry sees. `logits`, and the
    chances they come to: of the `first` look at each place.
    """
    chances, logits, further = first.copy(), logits.copy(), {i: Further() for i in counts}
    weights = np.ones((len(places), 1), np.float32)
    beside_dice = any(plainly_read(first))
    worth = [i for i in counts if not _surely_none(places[i], first[i], beside_dice=beside_dice)]
    for way in again:
        doubted = [
            i
            for i in worth
            if (way.ones and likeliest(chances[i]) == 1)
            or _in_doubt(chances[i], (counts[i], *further[i].counts), spotted.get(i))
        ]
        if not doubted:
            break
        weights[doubted] += way.weight
        likely = np.flatnonzero(chances[doubted, NOTHING] < LIKE_NOTHING)
        seen = _seen(views, [places[i] for i in doubted], way, logits[doubted], weights[doubted], likely)
        logits[doubted] = seen.sums
        chances[doubted] = softmax(seen.sums / weights[doubted])
        for i, view, alone, pips in zip(doubted, seen.taken, softmax(seen.logits), pip_peaks(seen.planes), strict=True):
            known = further[i]
            known.apart = max(known.apart, float(np.abs(first[i] - alone).sum()) / 2)
            known.pips += (in_picture(pips, places[i], view),)
            known.nothing = min(known.nothing, float(alone[NOTHING]))
    return chances, further


class _Seen(NamedTuple):
    """What a further look shows of n places: logits by it and by all so far, planes of pips, and how each was taken."""

    logits: Floats
    sums: Floats
    planes: Floats
    taken: Sequence[View]


def _seen(
    views: Views, places: Sequence[Place], way: Again, before: Floats, weights: Floats, likely: NDArray[np.intp]
) -> _Seen:
    """A further look, in either way that it may be taken.

    All dice of a picture are seen from much the same slant, so of the `likely` ones the one way counts, with the first,
    in which their values are plainest. `before`: the sums of the looks so far, n×8; `weights`: of those and this one,
    n×1.
    """
    logits, planes = way.see(views, places, way.view)
    sums = before + way.weight * logits
    taken = [way.view] * len(places)
    if way.or_as is not None and len(likely):
        others, other_planes = way.see(views, [places[k] for k in likely], way.or_as)
        other_sums = before[likely] + way.weight * others
        if _plainer(softmax(other_sums / weights[likely]), softmax(sums[likely] / weights[likely])):
            logits[likely], planes[likely] = others, other_planes
            sums[likely] = (sums[likely] + other_sums) / 2
            taken = [way.or_as if k in likely else way.view for k in range(len(places))]
    return _Seen(logits, sums, planes, taken)


def _plainer(chances: Floats, others: Floats) -> bool:
    """Does one way to look at some places show plainer values than another, by the chances, n×8, that each tells.

    A place counts as far as it shows a die, and its value as if it did: a way in which things look more like dice is no
    plainer for that.
    """
    counts = (2 - chances[:, NOTHING] - others[:, NOTHING]) / 2
    values = [some[:, 1:UNREAD].max(axis=1) / np.maximum(1 - some[:, NOTHING], FEW) for some in (chances, others)]
    return bool(counts @ values[0] > counts @ values[1])


def further_looks(net: FaceNet, keen: Sequence[FaceNet]) -> list[Again]:
    """How a place in doubt is looked at again, until it is in doubt no more: first by keen networks, if any."""
    third = Again(THIRD, net, 1.0, stretched=True)
    if not keen:
        return [Again(SECOND, net, 1.0), third]
    return [Again(FIRST, keen[0], KEENER, ones=True), Again(SECOND, keen[-1], KEENER, or_as=STEEPLY), third]


def _surely_none(place: Place, first: Floats, *, beside_dice: bool) -> bool:
    """Does the first look leave no chance that further ones would tell a die there, or a reason to ask."""
    hopeless = beside_dice and place.heat < HOPELESS_HEAT and first[NOTHING] > HOPELESS
    return bool(hopeless or first[NOTHING] >= PLAINLY_NOTHING)


def _in_doubt(chances: Floats, counts: tuple[int, ...], spotted: int | None) -> bool:
    """Is a place's value not certain, or named by none of the counts of its pips. `spotted`: by geometry alone."""
    value = likeliest(chances)
    least = BEYOND_DOUBT if spotted in (None, value) else DISPUTED
    return bool(chances[value] < least) or value not in counts
