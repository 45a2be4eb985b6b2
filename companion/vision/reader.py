"""The dice reader: a picture in, what lies on the table out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.events import Box, Die, Reading, Why, middle_of
from companion.pictures import normalise
from companion.ports import Picture
from companion.vision.alike import like_dice
from companion.vision.beside import faces_at, spotted
from companion.vision.finding import find, find_again
from companion.vision.first_sight import first_sight
from companion.vision.known import Known
from companion.vision.looking import Look, look
from companion.vision.networks import AGAIN, FIRST, FaceNet, Networks, packed
from companion.vision.overlooked import PLAIN, lacking, with_overlooked
from companion.vision.rim import cut_off, within
from companion.vision.ruler import Ruler, ruler
from companion.vision.sight import DIM_GAIN, blind, burnt_places
from companion.vision.verdict import verdict
from companion.vision.views import Place, Views

SMALLEST_PX = 24  # no picture smaller than that shows a die whose pips can be told apart
SURELY_A_DIE = 0.9  # chance of a value from which a die's size is worth remembering
OTHER_SCALE = 1.4  # times larger or smaller than remembered: the camera or the dice are others
CLOSE_UP = 0.2  # of a shorter side: a white die so large, burnt out, shows nothing that finders know of dice
FOLLOW = 0.2  # share of the way to the last frame's scale that the working scale moves


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """What one look over a picture comes to. `looks`: at every place that could be a die, with all known of it.

    `first`: at first sight, so there is time to search the picture's rim, too.
    """

    views: Views
    looks: Sequence[Look]
    first: bool = False

    @property
    def plainest(self) -> float:
        """The chance of the likeliest value in it, 0 where nothing was seen."""
        return max((look.chance for look in self.looks), default=0.0)


class Reader:
    """Reads dice. Calls share only the working scale: a camera does not move between frames.

    Dice of unknown size are looked for by one pair of networks, those of a known one by another: two opinions of one
    table. `scale_px`: the apparent size of a whole die in the pictures, if it is known. `mask`: non-zero where dice can
    lie, height × width of any size: it covers the whole of a picture. `known`: what else is known of the table.
    `networks`: one pair for both, instead of the package's two. Keen faces of either pair look at first sight, and
    where there is time. `measure`: the ruler, instead of the package's. One reader belongs to one thread.
    """

    def __init__(
        self,
        *,
        scale_px: float | None = None,
        mask: NDArray[Any] | None = None,
        known: Known | None = None,
        networks: Networks | None = None,
        measure: Ruler | None = None,
    ) -> None:
        self._scale_px = scale_px
        self._mask = mask
        self._known = known
        self._networks = networks
        self.measure = measure or ruler()

    @property
    def scale_px(self) -> float | None:
        """The working scale, None before any die was seen."""
        return self._scale_px

    def read(self, picture: Picture, *, count: int | None = None, afresh: bool = False) -> Reading:
        """All dice in a picture of any size. `count`: how many must lie there; another number is unsure.

        `afresh`: as if no picture had been read before: a slower look, and an opinion of its own. Raises BadPicture for
        what is no picture.
        """
        return self.judged(self.survey(Views(normalise(picture)), afresh=afresh), count=count)

    def judged(
        self, survey: Survey, *, count: int | None = None, others: Sequence[Box] = (), again: bool = False
    ) -> Reading:
        """The reading that a survey, or a part of one, comes to; unsure where dice may lie there unseen.

        `others`: boxes of dice that are read by someone else. `again`: after a survey of this picture that was sure:
        beside its dice it was searched, and is not now.
        """
        views, looks = survey.views, survey.looks
        counted = {} if self._known is None else self._known.counted(views.taken, looks)
        reading = verdict(looks, self.measure, count=count, counted=counted)
        shown = replace(reading, doubts=tuple(within(box, views.taken) for box in reading.doubts))
        reading = _as_seen(shown, views.taken, told=count is not None, known=self._known is not None)
        if count is not None or reading.asks:
            return reading
        return self._none_left(reading, survey, others, again=again)

    def _none_left(self, reading: Reading, survey: Survey, others: Sequence[Box], *, again: bool) -> Reading:
        """The same, or unsure in the dark, or where something that may be one more die was left out.

        That is what is much like its dice, a face beside them, or what the picture's rim cuts off.
        """
        views = survey.views
        if views.gain >= DIM_GAIN and self._known is None:
            return reading.unsure(Why.DARK)
        dice = [die.box for die in reading.dice]
        found = [] if again else like_dice(views.taken, dice, others) or self._beside(views, reading.dice, others)
        if left := self._where_dice_lie(found, views):
            return reading.unsure(Why.STRAY, left)
        cut = cut_off(views, [*dice, *others], self._pairs()) if survey.first else []
        if left := self._where_dice_lie(cut, views):
            return reading.unsure(Why.CUT, left)
        return reading

    def _pairs(self) -> tuple[Networks, ...]:
        return (packed(FIRST), packed(AGAIN)) if self._networks is None else (self._networks,)

    def _keen(self) -> tuple[FaceNet, ...]:
        return tuple(pair.keen for pair in self._pairs() if pair.keen is not None)

    def _where_dice_lie(self, boxes: Sequence[Box], views: Views) -> tuple[Box, ...]:
        return tuple(box for box in boxes if self._inside(*middle_of(box), views.taken))

    def _beside(self, views: Views, dice: Sequence[Die], others: Sequence[Box]) -> list[Box]:
        """Boxes of dice that the finder took for a part of one of these, or for nothing."""
        places = spotted(views, dice, others)
        return faces_at(views, places, self._pairs()[-1].faces) if places else []

    def survey(self, views: Views, *, afresh: bool = False) -> Survey:
        """A look over a normalised picture. `afresh`: the scale is neither taken as known nor remembered."""
        survey = self._sifted(self._survey(views, None if afresh else self._scale_px))
        if not afresh:
            self._remember(_sizes(survey.looks))
        return survey

    def at_scale(self, first: Survey) -> Survey | None:
        """A look at the known scale over a picture seen at first sight, whatever it shows; None where none is known.

        It is a close look, as there is time: keen faces are asked, too, and its networks look at the plain dice of the
        first survey that their finder overlooks. Where it shows no die beyond doubt, and first sight does, that tells
        the scale from now on.
        """
        if self._scale_px is None:
            return None
        views = first.views
        dice = [seen.place for seen in first.looks if seen.chance > PLAIN]
        found = [] if _tiny(views) else self._at_scale(views.unsearched(), self._scale_px, self._keen(), dice)
        survey = self._sifted(Survey(views, found))
        self._remember(_sizes(survey.looks) or _sizes(first.looks))
        return survey

    def _sifted(self, survey: Survey) -> Survey:
        if self._known is None:
            return survey
        return replace(survey, looks=self._known.sifted(survey.views.taken, survey.looks))

    def _survey(self, views: Views, scale_px: float | None) -> Survey:
        if _tiny(views):
            return Survey(views, [], first=scale_px is None)
        if scale_px is None:
            return Survey(views, self._at_first_sight(views), first=True)
        return self._at_known_scale(views, scale_px)

    def _at_first_sight(self, views: Views, *, finer: bool = True) -> list[Look]:
        fresh, pair = views.unsearched(), self._pairs()[0]
        places = first_sight(fresh, pair.finder, pair.faces, finer=finer)
        return self._look(fresh, places, pair.faces, self._keen())

    def _at_known_scale(self, views: Views, scale_px: float) -> Survey:
        """As at the frame before.

        What was seen at the known scale stays where no scale shows a die beyond doubt; nothing was seen, and what first
        sight thinks likely counts, lest a table be called empty by a scale that is not its own.
        """
        found = self._at_scale(views.unsearched(), scale_px)
        if _sizes(found):
            return Survey(views, found)
        first = self._at_first_sight(views, finer=False)
        return Survey(views, first if _sizes(first) or not found else found)

    def _at_scale(
        self, fresh: Views, scale_px: float, keen: Sequence[FaceNet] = (), dice: Sequence[Place] = ()
    ) -> list[Look]:
        """As at that scale, unless dice are plainly of another size: then the camera, or the dice, are others.

        `dice`: what is looked at, too, where this finds nothing.
        """
        pair = self._pairs()[-1]
        places = find_again(fresh, pair.finder, scale_px)
        found = self._look(fresh, [*places, *lacking(places, dice)], pair.faces, keen)
        sizes = _sizes(found)
        if not sizes or _alike(usual := median(sizes), scale_px):
            return found
        return self._look(fresh, find(fresh, pair.finder, usual), pair.faces, keen)

    def _look(self, views: Views, places: Sequence[Place], faces: FaceNet, keen: Sequence[FaceNet]) -> list[Look]:
        """Where there is time for keen faces, with what touches a plain die and was overlooked."""
        inside = self._on_tray(places, views.picture)
        if keen:
            inside = self._on_tray(with_overlooked(views, inside, faces, keen[0]), views.picture)
        return look(views, inside, faces, keen)

    def _on_tray(self, places: Sequence[Place], picture: Picture) -> list[Place]:
        return [place for place in places if self._inside(place.x, place.y, picture)]

    def _inside(self, x: float, y: float, picture: Picture) -> bool:
        if self._mask is None:
            return True
        height, width = self._mask.shape[:2]
        column, row = int(x * width / picture.shape[1]), int(y * height / picture.shape[0])
        return bool(np.any(self._mask[min(row, height - 1), min(column, width - 1)]))

    def _remember(self, sizes: list[float]) -> None:
        if not sizes:
            return
        usual, before = median(sizes), self._scale_px
        if before is not None and _alike(usual, before):
            usual = before + FOLLOW * (usual - before)
        self._scale_px = usual


def _tiny(views: Views) -> bool:
    return bool(min(views.taken.shape[:2]) < SMALLEST_PX)


def _alike(size_px: float, scale_px: float) -> bool:
    return 1 / OTHER_SCALE < size_px / scale_px < OTHER_SCALE


def _sizes(looks: Sequence[Look]) -> list[float]:
    """Of the dice that are dice beyond doubt."""
    return [seen.place.size for seen in looks if seen.chance > SURELY_A_DIE]


def _as_seen(reading: Reading, picture: Picture, *, told: bool, known: bool) -> Reading:
    """As it is only where dice could have been seen: some, for an empty table; each, where their number is not told.

    At a `known` table dice are not so large, and a lamp may be mirrored in its tray.
    """
    if reading.asks and reading.why is not Why.EMPTY:
        return reading
    why = None if reading.dice else blind(picture)
    if why is not None:
        return reading.unsure(why)
    if told or (known and not reading.dice):
        return reading
    size = median(die.box[2] for die in reading.dice) if reading.dice else CLOSE_UP * min(picture.shape[:2])
    burnt = burnt_places(picture, size)
    return reading.unsure(Why.GLARE, tuple(burnt)) if burnt else reading


cv2.ocl.setUseOpenCL(False)  # a reader must not depend on, nor wait for, a graphics driver
