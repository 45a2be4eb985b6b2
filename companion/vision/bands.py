"""Bands along the picture's rim beside their mirror images, in which the finder sees dice that the rim cuts off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from companion.ports import Picture
from companion.vision.finding import BEST_PX, LARGEST_FACTOR, peaks_of, places_at
from companion.vision.networks import FinderNet
from companion.vision.views import Place, Views

RIM_DEPTH = 1.3  # of a die, from the picture's rim: so wide a band shows of a die all that the rim leaves of it


@dataclass(frozen=True, slots=True, eq=False)
class Band:
    """A band along one side of a picture, `depth` pixels wide, right of its mirror image: h×2·depth×3.

    `scale`: pixels of the picture to one of it. `upright`: along the left or right side, else turned along the upper or
    lower one. `far`: None for the left and upper side, else where the right or lower one is, in pixels of the picture.
    """

    shown: Picture
    depth: int
    scale: float
    upright: bool
    far: float | None

    def search(self, net: FinderNet) -> list[Place]:
        """Places of dice in the picture, or beyond its rim, where whole dice of the band are found once more.

        Half a die is no die to the finder, but beside its mirror image it looks much like one.
        """
        heat, sizes = net(self.shown)
        across = places_at(peaks_of(heat), heat, sizes, (self.scale, self.scale), (-self.depth * self.scale, 0.0))
        return [self._in_picture(place) for place in across]

    def _in_picture(self, place: Place) -> Place:
        from_side = place.x if self.far is None else self.far - place.x
        x, y = (from_side, place.y) if self.upright else (place.y, from_side)
        return replace(place, x=x, y=y)


def bands(views: Views, scale_px: float) -> Iterator[Band]:
    """Those along the picture's four sides, so wide that they show of dice of that size all that the rim leaves."""
    small = views.scaled(min(BEST_PX / scale_px, LARGEST_FACTOR))
    scale = views.picture.shape[1] / small.shape[1]
    depth = min(round(RIM_DEPTH * scale_px / scale), *(side // 2 for side in small.shape[:2]))
    for upright in (True, False):
        picture = small if upright else small.transpose(1, 0, 2)
        for far in (None, picture.shape[1] * scale):
            band = (picture if far is None else picture[:, ::-1])[:, :depth]
            shown = np.ascontiguousarray(np.hstack([band[:, ::-1], band]))
            yield Band(shown, depth, scale, upright, far)
