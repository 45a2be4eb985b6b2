"""From places to dice: what the face network and geometry each see there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.finding import (
    FINE_LEVELS_PX,
    LEVELS_PX,
    TINY_PX,
    beside,
    find,
    find_at_all_scales,
    find_finer,
    find_touching,
    one_each,
)
from companion.vision.gleam import gleaming
from companion.vision.heaps import parts_of_others, plainly_read
from companion.vision.networks import (
    CROP_PX,
    NOTHING,
    PIP_MASS,
    UNREAD,
    FaceNet,
    FinderNet,
    decorrelated,
    inner,
)
from companion.vision.pip_map import pip_peaks
from companion.vision.pips import forms_six, values_near
from companion.vision.sight import burnt_out
from companion.vision.views import Place, View, Views

Floats = NDArray[np.float32]
Points = tuple[tuple[float, float], ...]
ROUGHLY = 7  # places looked at to learn the scale
GOOD_SCORE = 0.4
OTHERS_HEAT = 0.4  # a die of quite another size must be this likely
LIKE_HEAT = 0.16  # one of about the usual size, that only the rough search saw, this likely
MOST_OTHERS = 8
CLOSELY = 1.7  # times larger or smaller than usual: found by the close search
PLAINLY_NOTHING = 0.9
HOPELESS, HOPELESS_HEAT = 0.7, 0.25  # chance of no die, and heat: beside plain dice that comes to nothing
LIKE_NOTHING = 0.5  # chance of no die from which neither geometry nor gleams are asked about
STRIKING = 0.16  # heat of a place that is kept in mind, whatever the face network says: most empty tables have none
BEYOND_DOUBT = 0.93  # of dice never seen, what is as certain at first is as often right as after a second look
DISPUTED = 0.95  # and so where geometry names another number: with less, one opinion for it and one against it tie
KEENER = 2.0  # times as much as another look's: what the keen network says, which of dice never seen is oftener right
FIRST: View = {}
SECOND: View = {"turn_deg": 12.0, "zoom": 0.93, "flip": True}  # as unlike the first as the training allows
STEEPLY: View = {"flip": True, "tall": 1.7, "lift": 0.2}  # or, from a slant, as if the upper face were seen from above
THIRD: View = {"turn_deg": -8.0, "zoom": 1.06}
FACE_PX = 36.0  # usual width of the top face in a crop, for geometry
INNER_PX = CROP_PX // 2  # side of a crop's inner half
BRIGHT = round(0.9 * INNER_PX**2)  # rank, among the pixels of a crop's inner half, of its brightest tenth
MEAN = np.full((1, 3), 1 / 3, np.float32)  # of the three colours
BURNT = 250  # level of all colours from which a pixel is glare
ODD = 12  # so many pixels may be odd ones: noise, or a speck
FAINTEST_CONTRAST = 6.0  # grey levels
FEW = 1e-6  # of a chance
RIM = 0.02  # of a die's size from the picture's rim: part of it may be outside
EDGE = 0.35  # of a die's size outside the picture: it is cut off


@dataclass(frozen=True, eq=False)
class Look:
    """One place looked at. `chances`: of nothing, 1–6, unreadable. `pips`: centres in the picture, by the first look.

    `apart`: how far further looks differ from the first, 0–1. `spotted`: value by geometry alone, None for none;
    `sharp`: the steepest edge, as a share of the contrast a pixel of the crop. `recounts`: pips in further looks;
    `nothing`: the least chance of nothing that one of these gave, or all looks together. `filling`: of the picture's
    shorter side that it is wide. `gleams`: a lamp mirrored in its middle may hide a pip, or look like one. `explained`:
    pips that a further look sees and that are as many as the value, where those of the first look are not.
    """

    place: Place
    chances: Floats
    pips: Points
    pip_sum: float
    apart: float
    spotted: int | None
    bright: float
    glare: float
    sharp: float
    cut: bool
    at_rim: bool = False
    recounts: tuple[int, ...] = ()
    nothing: float = 1.0
    filling: float = 0.0
    gleams: bool = False
    explained: Points | None = None

    @cached_property
    def value(self) -> int:
        return likeliest(self.chances)

    @property
    def chance(self) -> float:
        return float(self.chances[self.value])


def likeliest(chances: Floats) -> int:
    """The likeliest of 1–6."""
    return int(np.argmax(chances[1:UNREAD])) + 1


def first_sight(views: Views, finder: FinderNet, faces: FaceNet, *, finer: bool = True) -> list[Place]:
    """Places of dice of unknown size: roughly at all scales, then closely at the scale of what looks most like dice.

    `finer`: where no die is seen, or only tiny ones, look for tiny ones; that takes several times as long.
    """
    rough = find_at_all_scales(views, finder)
    telling = rough[:ROUGHLY]
    for level in range(len(FINE_LEVELS_PX) if finer else 0):
        if _good_enough(views, telling, faces, level):
            break
        rough = telling = find_finer(views, finder, level)[:ROUGHLY] + telling
    telling = sorted(telling, key=lambda place: -place.heat)[:ROUGHLY]
    scores = _scores(views, telling, faces)
    if not any(scores):
        return rough[:ROUGHLY]
    usual = weighted_median([place.size for place in telling], scores)
    close = find(views, finder, usual)
    close += find_touching(views, finder, usual, close)
    likely = [p for p in rough if p.heat > (LIKE_HEAT if 1 / CLOSELY < p.size / usual < CLOSELY else OTHERS_HEAT)]
    return close + one_each(beside(likely, close))[:MOST_OTHERS]


def _scores(views: Views, places: list[Place], faces: FaceNet) -> list[float]:
    """How much each place looks like a die, 0–1."""
    if not places:
        return []
    chances = softmax(_glimpses(views, places, faces)[1])
    return [place.heat * float(row[1:].max()) for place, row in zip(places, chances, strict=True)]


def _glimpses(views: Views, places: list[Place], net: FaceNet) -> tuple[NDArray[np.uint8], Floats, Floats]:
    """Crops of places, their logits and planes of pips; what was looked at before is not looked at again."""
    fresh = [place for place in places if place not in views.glimpsed]
    if fresh:
        new = np.stack([views.crop(place) for place in fresh])
        views.glimpsed.update(zip(fresh, zip(new, *net(new), strict=True), strict=True))
    crops, logits, pips = zip(*(views.glimpsed[place] for place in places), strict=True)
    return np.stack(crops), np.stack(logits), np.stack(pips)


def _good_enough(views: Views, places: list[Place], faces: FaceNet, level: int) -> bool:
    """Is there a likely die that is not so small that a finer search would see it much better.

    No place scores more than its heat: the others are not looked at.
    """
    searched = ([LEVELS_PX[0], *FINE_LEVELS_PX])[level]
    large = [p for p in places if p.heat > GOOD_SCORE and p.size * searched / views.longer_px >= TINY_PX]
    return any(score > GOOD_SCORE for score in _scores(views, large, faces))


def weighted_median(sizes: list[float], weights: list[float]) -> float:
    """The size up to which half of the squared weights lie: what looks most like a die counts most."""
    order = np.argsort(sizes)
    heaped = np.cumsum(np.array(weights)[order] ** 2)
    return float(sizes[order[int(np.searchsorted(heaped, heaped[-1] / 2))]])


def look(views: Views, places: list[Place], net: FaceNet, keen: Sequence[FaceNet] = ()) -> list[Look]:
    """All places that are not plainly nothing, looked at up to four times by networks and once by geometry.

    `keen`: the networks that are asked first where the other one is in doubt, if there are any.
    """
    if not places:
        return []
    crops, logits, pips = _glimpses(views, places, net)
    first = softmax(logits)
    parts = parts_of_others(places, first)
    kept = [
        i
        for i in range(len(places))
        if i not in parts and (first[i, NOTHING] < PLAINLY_NOTHING or places[i].heat > STRIKING)
    ]
    if not kept:
        return []
    centres = dict(zip(kept, pip_peaks(pips[kept]), strict=True))
    likely = [i for i in kept if first[i, NOTHING] < LIKE_NOTHING]
    spotted, gleams = _by_geometry(crops, centres, likely), gleaming(crops, {i: centres[i] for i in likely})
    counts = {i: len(centres[i]) for i in kept}
    both, further = _look_again(views, places, _further_looks(net, keen), counts, spotted, logits, first)
    seen = zip(kept, _surfaces(crops[kept]), strict=True)
    return [
        _look(views, places[i], surface, pips[i], centres[i], both[i], further[i], spotted.get(i), gleams=i in gleams)
        for i, surface in seen
    ]


class _Again(NamedTuple):
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
class _Further:
    """What further looks at a place say: how far they differ from the first, their pips, their chances of nothing."""

    apart: float = 0.0
    pips: tuple[Points, ...] = ()
    nothing: float = 1.0

    @property
    def counts(self) -> tuple[int, ...]:
        return tuple(len(some) for some in self.pips)


def _look_again(
    views: Views,
    places: list[Place],
    again: Sequence[_Again],
    counts: dict[int, int],
    spotted: dict[int, int | None],
    logits: Floats,
    first: Floats,
) -> tuple[Floats, dict[int, _Further]]:
    """Chances by all looks, as many as a place needs, and what the further ones say of each place that is kept.

    `counts`: the pips that the first look counts there; `spotted`: the values that geometry sees. `logits`, and the
    chances they come to: of the `first` look at each place.
    """
    chances, logits, further = first.copy(), logits.copy(), {i: _Further() for i in counts}
    weight = 1.0
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
        weight += way.weight
        likely = np.flatnonzero(chances[doubted, NOTHING] < LIKE_NOTHING)
        seen = _seen(views, [places[i] for i in doubted], way, logits[doubted], weight, likely)
        logits[doubted] = seen.sums
        chances[doubted] = softmax(seen.sums / weight)
        for i, view, alone, pips in zip(doubted, seen.taken, softmax(seen.logits), pip_peaks(seen.planes), strict=True):
            known = further[i]
            known.apart = max(known.apart, float(np.abs(first[i] - alone).sum()) / 2)
            known.pips += (_in_picture(pips, places[i], view),)
            known.nothing = min(known.nothing, float(alone[NOTHING]))
    return chances, further


class _Seen(NamedTuple):
    """What a further look shows of n places: logits by it and by all so far, planes of pips, and how each was taken."""

    logits: Floats
    sums: Floats
    planes: Floats
    taken: Sequence[View]


def _seen(
    views: Views, places: Sequence[Place], way: _Again, before: Floats, weight: float, likely: NDArray[np.intp]
) -> _Seen:
    """A further look, in either way that it may be taken.

    All dice of a picture are seen from much the same slant, so of the `likely` ones the one way counts, with the first,
    in which their values are plainest. `before`: the sums of the looks so far, n×8; `weight`: of those and this one.
    """
    logits, planes = way.see(views, places, way.view)
    sums = before + way.weight * logits
    taken = [way.view] * len(places)
    if way.or_as is not None and len(likely):
        others, other_planes = way.see(views, [places[k] for k in likely], way.or_as)
        other_sums = before[likely] + way.weight * others
        if _plainer(softmax(other_sums / weight), softmax(sums[likely] / weight)):
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


def _further_looks(net: FaceNet, keen: Sequence[FaceNet]) -> list[_Again]:
    """How a place in doubt is looked at again, until it is in doubt no more: first by keen networks, if any."""
    third = _Again(THIRD, net, 1.0, stretched=True)
    if not keen:
        return [_Again(SECOND, net, 1.0), third]
    return [_Again(FIRST, keen[0], KEENER, ones=True), _Again(SECOND, keen[-1], KEENER, or_as=STEEPLY), third]


def _surely_none(place: Place, first: Floats, *, beside_dice: bool) -> bool:
    """Does the first look leave no chance that further ones would tell a die there, or a reason to ask."""
    hopeless = beside_dice and place.heat < HOPELESS_HEAT and first[NOTHING] > HOPELESS
    return bool(hopeless or first[NOTHING] >= PLAINLY_NOTHING)


def _in_doubt(chances: Floats, counts: tuple[int, ...], spotted: int | None) -> bool:
    """Is a place's value not certain, or named by none of the counts of its pips. `spotted`: by geometry alone."""
    value = likeliest(chances)
    least = BEYOND_DOUBT if spotted in (None, value) else DISPUTED
    return bool(chances[value] < least) or value not in counts


def _in_picture(centres: NDArray[np.float64], place: Place, view: View) -> Points:
    """Where in the picture what lies at these places, n×2, of a crop lies."""
    matrix = cv2.invertAffineTransform(Views.crop_matrix(place, **view))
    return tuple(map(tuple, (centres @ matrix[:, :2].T + matrix[:, 2]).tolist()))


def softmax(logits: NDArray[np.floating[Any]]) -> Floats:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), np.float32)


@dataclass(frozen=True, slots=True)
class _Surface:
    """What a die's face looks like: its brightest tenth in grey levels, the share burnt out, and `Look.sharp`."""

    bright: float
    glare: float
    sharp: float


def _surfaces(crops: NDArray[np.uint8]) -> list[_Surface]:
    """Of the middles of n crops, all measured at once: no more than 128, as OpenCV takes no more planes."""
    n = len(crops)
    faces = np.ascontiguousarray(inner(crops)).reshape(-1, INNER_PX, 3)
    burnt = burnt_out(faces, BURNT).reshape(n, -1)
    grey = np.asarray(cv2.transform(faces.astype(np.float32), MEAN), np.float32).reshape(n, INNER_PX, INNER_PX)
    levels = np.partition(grey.reshape(n, -1), (ODD, BRIGHT, -ODD), axis=1)
    side_by_side = np.ascontiguousarray(grey.transpose(1, 2, 0))
    across, down = (cv2.Sobel(side_by_side, cv2.CV_32F, *step, scale=1 / 8) for step in ((1, 0), (0, 1)))
    steps = cv2.magnitude(across, down).reshape(-1, n)
    steepest = np.partition(steps, -ODD, axis=0)[-ODD] / np.maximum(levels[:, -ODD] - levels[:, ODD], FAINTEST_CONTRAST)
    shares = np.count_nonzero(burnt, axis=1) / burnt.shape[1]
    return [_Surface(*row) for row in np.column_stack([levels[:, BRIGHT], shares, steepest]).tolist()]


def _look(
    views: Views,
    place: Place,
    surface: _Surface,
    pips: Floats,
    centres: NDArray[np.float64],
    chances: Floats,
    further: _Further,
    spotted: int | None,
    *,
    gleams: bool,
) -> Look:
    # A six with thick pips is at times taken for a four or five; its pips know better.
    seen_as_six = likeliest(chances) in (4, 5) and forms_six(centres, FACE_PX)
    chances = _as_six(chances) if seen_as_six else chances
    in_picture, value = _in_picture(centres, place, FIRST), likeliest(chances)
    explained = next((pips for pips in further.pips if len(pips) == value), None)
    height, width = views.picture.shape[:2]
    x, y, w, h = place.box
    outside = max(-x, -y, x + w - width, y + h - height) / place.size
    return Look(
        place,
        chances,
        in_picture,
        float(pips.sum()) / PIP_MASS,
        1.0 if seen_as_six else further.apart,
        spotted,
        surface.bright / views.gain,
        surface.glare,
        surface.sharp,
        outside > EDGE,
        outside > -RIM,
        further.counts,
        min(float(chances[NOTHING]), further.nothing),
        place.size / min(height, width),
        gleams,
        explained if len(in_picture) != value else None,
    )


def _as_six(chances: Floats) -> Floats:
    """The chances with those of six and of the likeliest value exchanged."""
    changed = chances.copy()
    best = likeliest(chances)
    changed[[best, 6]] = chances[[6, best]]
    return changed


def _by_geometry(
    crops: NDArray[np.uint8], centres: dict[int, NDArray[np.float64]], likely: list[int]
) -> dict[int, int | None]:
    """The value that round spots form in the middle of each crop; the network only says where the face's middle is."""
    if not likely:
        return {}
    middles = [centres[i].mean(axis=0) if len(centres[i]) else np.full(2, CROP_PX / 2) for i in likely]
    return dict(zip(likely, values_near(crops[likely], np.array(middles), FACE_PX), strict=True))
