"""From places to dice: what the face network and geometry each see there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from companion.vision.again import FIRST, LIKE_NOTHING, PLAINLY_NOTHING, Further, further_looks, look_again
from companion.vision.engines import Floats
from companion.vision.first_sight import glimpses
from companion.vision.gleam import Gleam, gleaming
from companion.vision.heaps import parts_of_others
from companion.vision.networks import CROP_PX, NOTHING, PIP_MASS, UNREAD, FaceNet, likeliest, softmax
from companion.vision.pip_map import pip_peaks
from companion.vision.pips import forms_six, values_near
from companion.vision.surface import Surface, surfaces
from companion.vision.views import Place, Points, Views, in_picture

NO_GLEAM = Gleam()
STRIKING = 0.16  # heat of a place that is kept in mind, whatever the face network says: most empty tables have none
RIM = 0.02  # of a die's size from the picture's rim: part of it may be outside
EDGE = 0.35  # of a die's size outside the picture: it is cut off


@dataclass(frozen=True, eq=False)
class Look:
    """One place looked at. `chances`: of nothing, 1–6, unreadable. `pips`: centres in the picture, by the first look.

    `pip_sum`: how many pips that sees, none of them for certain. `apart`: how far further looks differ from the first,
    0–1. `spotted`: value by geometry alone, None for none. `bright`: grey level, 0–255, that the brightest tenth of its
    middle reaches in the picture as taken; `glare`: share of that which is burnt out. `sharp`: the steepest edge, as a
    share of the contrast a pixel of the crop. `cut`: more than EDGE of it is outside the picture; `at_rim`: some of it
    may be. `recounts`: pips in further looks; `least_nothing`: the least chance of nothing that one of these gave, or
    all looks together. `filling`: of the picture's shorter side that it is wide. `gleam`: a lamp mirrored in its
    middle may hide a pip, or look like one. `explained`: pips that a further look sees and that are as many as the
    value, where those of the first look are not.
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
    least_nothing: float = 1.0
    filling: float = 0.0
    gleam: Gleam = NO_GLEAM
    explained: Points | None = None

    @cached_property
    def value(self) -> int:
        return likeliest(self.chances)

    @property
    def shown(self) -> Points:
        """The pips that explain the value best."""
        return self.explained or self.pips

    @property
    def chance(self) -> float:
        return float(self.chances[self.value])

    @property
    def chance_nothing(self) -> float:
        return float(self.chances[NOTHING])

    @property
    def chance_something(self) -> float:
        return float(1 - self.chances[NOTHING])

    @property
    def chance_unread(self) -> float:
        return float(self.chances[UNREAD])


def look(views: Views, places: list[Place], net: FaceNet, keen: Sequence[FaceNet] = ()) -> list[Look]:
    """All places that are not plainly nothing, looked at up to four times by networks and once by geometry.

    `keen`: the networks that are asked first where the other one is in doubt, if there are any.
    """
    if not places:
        return []
    crops, logits, pips = glimpses(views, places, net)
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
    both, further = look_again(views, places, further_looks(net, keen), counts, spotted, logits, first)
    seen = zip(kept, surfaces(crops[kept]), strict=True)
    return [
        _look(
            views, places[i], surface, pips[i], centres[i], both[i], further[i], spotted.get(i), gleams.get(i, NO_GLEAM)
        )
        for i, surface in seen
    ]


def _look(
    views: Views,
    place: Place,
    surface: Surface,
    pips: Floats,
    centres: NDArray[np.float64],
    chances: Floats,
    further: Further,
    spotted: int | None,
    gleam: Gleam,
) -> Look:
    """What is known of a place: chances by all looks, and what else the first, the `further` ones and geometry tell."""
    # A six with thick pips is at times taken for a four or five; its pips know better.
    seen_as_six = likeliest(chances) in (4, 5) and forms_six(centres)
    chances = _as_six(chances) if seen_as_six else chances
    pips_seen, value = in_picture(centres, place, FIRST), likeliest(chances)
    explained = next((some for some in further.pips if len(some) == value), None)
    height, width = views.picture.shape[:2]
    x, y, w, h = place.box
    outside = max(-x, -y, x + w - width, y + h - height) / place.size
    return Look(
        place=place,
        chances=chances,
        pips=pips_seen,
        pip_sum=float(pips.sum()) / PIP_MASS,
        apart=1.0 if seen_as_six else further.apart,
        spotted=spotted,
        bright=surface.bright / views.gain,
        glare=surface.glare,
        sharp=surface.sharp,
        cut=outside > EDGE,
        at_rim=outside > -RIM,
        recounts=further.counts,
        least_nothing=min(float(chances[NOTHING]), further.nothing),
        filling=place.size / min(height, width),
        gleam=gleam,
        explained=explained if len(pips_seen) != value else None,
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
    return dict(zip(likely, values_near(crops[likely], np.array(middles)), strict=True))
