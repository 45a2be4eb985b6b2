"""The Wild die: faces that were shown a few times are known again, at any rotation, or are not sure."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np

from companion.events import Box, Why, WildDie
from companion.ports import Floats, Picture
from companion.vision.comparing import (
    AS_SEEN,
    CROP,
    DIE_PX,
    Face,
    Fit,
    Spectra,
    Turn,
    compare,
    framed,
    laid_over,
    spectra,
)

Top: TypeAlias = Callable[[tuple[float, float]], tuple[float, float]]
Level: TypeAlias = Callable[[tuple[float, float]], Floats]

NUMBER = "number"  # an example that is no face of the Wild die
_TRIED = 3  # examples of each face that are laid over what is seen
_NEAREST = 1e-3  # distance from a perfect likeness below which nothing is measured any more
_LEAST = 0.62  # correlation from which on a face can be the one
_SLACK = 0.06  # below the least alike examples of one face
_CERTAIN = 0.25  # by which it is more like the Wild die than like a number die: measured, number dice 0.16 at most
_RIVAL = 0.10  # two dice whose likeness differs by less could each be the Wild die
_LEANS = 0.85  # squeeze of a die that leans by 30°
_CLOSER = 0.8  # of the best other face's distance from a perfect likeness, at most
# logistic sum over `features`: 259 rendered Wild dice of 4 tables, leaning ones and faces never shown among them
_CHANCE = (-24.7, -2.06, 18.5)
SURE = 0.95  # least confidence of a face that is told
_FOREGROUND = 22.0  # colour distance (Lab) from the empty tray
_DARK, _BURNT = 8, 250  # levels of a colour: what is beyond shows no light
_TELLING = 0.1  # share of the pixels that must show it
_EACH = 4  # every fourth pixel each way tells it
_LIGHT_STEP = 1.05  # times by which light must differ for examples to be made as bright
UNLIT: Floats = np.ones(3)
_COVERED = 0.55  # share of a die's square that must not look like the empty tray
_SMALLER = 0.75  # times: where faces are compared in pictures made that small, dice are looked for in such, too
_APART = 0.75  # widths between two dice, at least


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """An example: `face`, and a square picture with the die's middle in its middle. `width`: the die's, in pixels."""

    face: str
    picture: Picture
    width: float


@dataclass(frozen=True, slots=True)
class Likeness:
    """How a die looks most: a `face` of the Wild die, its correlation, and the best other face's; or NUMBER, and none.

    `number`: the correlation with the number die that looks most like it, found less finely. `squeeze`: how much
    narrower it is seen one way than the other, beside the example: 1 for not at all; a die that leans is narrower.
    `middle`: of its top, in pixels.
    """

    face: str
    score: float
    second: float
    number: float
    squeeze: float
    middle: tuple[float, float]

    @property
    def may_be(self) -> bool:
        """Whether this may be the Wild die at all."""
        return self.score > max(self.number, _LEAST)

    @property
    def confidence(self) -> float:
        """0-1: the chance that this is the Wild die with this face up, as measured on rendered tables."""
        return round(float(1 / (1 + np.exp(-np.dot(_CHANCE, self.features)))), 4)

    @property
    def features(self) -> tuple[float, float, float]:
        """What tells a right face from a wrong one: the distance from a perfect likeness, and whether it leans."""
        return (1.0, math.log(max(1 - self.score, _NEAREST)), self.squeeze)

    @property
    def sure(self) -> bool:
        """Whether the chance is high, and no other face comes near."""
        return self.confidence >= SURE and 1 - self.score <= _CLOSER * (1 - max(self.second, self.number))


@dataclass(frozen=True, slots=True)
class Found:
    """`certain`: it is the Wild die beyond doubt, whether or not its face is read."""

    die: WildDie
    certain: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """Examples as they look in so many times the light, colour by colour: roughly, and closely."""

    light: Floats
    spectra: Spectra
    closely: tuple[Face, ...]

    @classmethod
    def of(cls, normal: Sequence[Picture], light: Floats) -> _Known:
        bright = [_lit(one, light) for one in normal]
        return cls(light, np.stack([spectra(one)[0] for one in bright]), tuple(Face.of(one) for one in bright))


def here(place: tuple[float, float]) -> tuple[float, float]:
    """Where a die is seen from straight above."""
    return place


def as_seen(place: tuple[float, float]) -> Floats:
    """How it then looks from there."""
    return AS_SEEN


class WildReader:
    """Knows the faces it was shown. `width_px`: of a die in the pictures to be read; the examples' where it is None.

    `empty`: the picture of the empty tray; without it the ground must be of one colour. `top`: from the middle of all
    that is seen of a die to its top's. `level`: of a place, see `framed`.
    """

    def __init__(
        self,
        examples: Sequence[Shown],
        *,
        width_px: float | None = None,
        empty: Picture | None = None,
        mask: Picture | None = None,
        least: float = _LEAST,
        top: Top = here,
        level: Level = as_seen,
    ) -> None:
        """`least`: see `least_likeness`. Raises ValueError without examples."""
        if not examples:
            raise ValueError("no face of the Wild die was ever shown; run companion calibrate wild")
        self._width = width_px or float(np.median([shown.width for shown in examples]))
        self._faces = tuple(shown.face for shown in examples)
        self._normal = [_example(shown) for shown in examples]
        self._shown = self._latest = _Known.of(self._normal, UNLIT)
        self._empty = empty
        self._mask = mask
        self._least = least
        self._top = top
        self._level = level

    def read(self, picture: Picture) -> WildDie | None:
        """The Wild die in a picture; None where there is none. Two that could be it are both not sure."""
        found = self.find(picture)
        return None if found is None else found.die

    def find(self, picture: Picture) -> Found | None:
        """As `read`, and whether what was found is surely no number die."""
        light = UNLIT if self._empty is None else _times_the_light(picture, self._empty)
        looks = [(_lit(picture, 1 / light), self._known_in(light))]
        if np.abs(np.log(light)).max() > np.log(_LIGHT_STEP):
            # the examples may have been shown in this light, and not in the tray's
            looks.append((picture, self._shown))
        likes = [
            max((self.like(seen, place, known) for seen, known in looks), key=lambda like: (like.may_be, like.score))
            for place in self.places(picture, light)
        ]
        wild = [like for like in likes if like.may_be]
        if not wild:
            return None
        best = max(wild, key=lambda like: like.score)
        rivals = [like for like in wild if like is not best and like.score > best.score - _RIVAL]
        die = self._told(best, rivals)
        certain = best.score - best.number > _CERTAIN if NUMBER in self._faces else best.score >= self._least
        return Found(die, certain and not rivals)

    def _told(self, best: Likeness, rivals: list[Likeness]) -> WildDie:
        box = _box(best.middle, self._width)
        if best.squeeze < _LEANS:
            return WildDie(None, box, 0.0, Why.COCKED)
        if not best.sure or best.score < self._least or rivals:
            return WildDie(None, box, 0.0, Why.FAINT)
        return WildDie(best.face, box, best.confidence)

    def places(self, picture: Picture, light: Floats) -> list[tuple[float, float]]:
        """Middles of the tops of everything as large as a die. `light`: as many times that of the empty tray."""
        seen = places(picture, self._width, empty=self._empty, mask=self._mask, light=light)
        return [self._top(place) for place in seen]

    def _known_in(self, light: Floats) -> _Known:
        """The examples as they look where there is more light than they were shown in: burnt out as what is seen is."""
        more = np.maximum(light, 1.0)  # where there is less, what is seen is made brighter
        for known in (self._shown, self._latest):
            if np.abs(np.log(more / known.light)).max() <= np.log(_LIGHT_STEP):
                return known
        self._latest = _Known.of(self._normal, more)
        return self._latest

    def like(self, picture: Picture, place: tuple[float, float], known: _Known | None = None) -> Likeness:
        """What the die at this place looks like. `known`: the examples in this light, else as they were shown.

        Every example at every turn is compared roughly, and then, unless it is plainly a number die, the likeliest of
        each face closely.
        """
        known = known or self._shown
        level = self._level(place)
        normal = framed(picture, place, self._width, level)
        rough, turns = compare(normal, known.spectra)
        of_numbers = np.array([face == NUMBER for face in self._faces])
        number = float(rough[of_numbers].max(initial=0.0))
        if number >= rough[~of_numbers].max(initial=0.0):
            return Likeness(NUMBER, 0.0, 0.0, number, 1.0, place)
        seen = Face.of(normal)
        fits = {
            face: self._fit(seen, face, known, rough, turns) for face in dict.fromkeys(self._faces) if face != NUMBER
        }
        face = max(fits, key=lambda face: fits[face].score)
        second = max((fit.score for other, fit in fits.items() if other != face), default=0.0)
        best = fits[face]
        x, y = np.linalg.solve(level, best.middle) * self._width / DIE_PX
        middle = (place[0] + float(x), place[1] + float(y))
        return Likeness(face, best.score, second, number, best.squeeze, middle)

    def _fit(self, seen: Face, face: str, known: _Known, rough: Floats, turns: list[Turn]) -> Fit:
        """How well the examples of a face can be laid over what is seen; only the likeliest of them are tried."""
        of_face = [i for i, other in enumerate(self._faces) if other == face]
        likeliest = sorted(of_face, key=lambda i: -rough[i])[:_TRIED]
        return max((laid_over(known.closely[i], seen, turns[i]) for i in likeliest), key=lambda fit: fit.score)


def places(
    picture: Picture,
    width_px: float,
    *,
    empty: Picture | None = None,
    mask: Picture | None = None,
    light: Floats | None = None,
) -> list[tuple[float, float]]:
    """Middles of all that differs from the empty tray and is at least as large as a die.

    `light`: how many times more of it than in the empty tray, of each colour; measured where it is None.
    """
    times = DIE_PX / width_px
    if times < _SMALLER:
        sides = picture.shape[:2]
        bare, where = (
            _shrunk(one, times) if one is not None and one.shape[:2] == sides else None for one in (empty, mask)
        )
        small = places(_shrunk(picture, times), DIE_PX, empty=bare, mask=where, light=light)
        return [((x + 0.5) / times - 0.5, (y + 0.5) / times - 0.5) for x, y in small]
    foreground = _foreground(picture, empty, light)
    if mask is not None and mask.shape[:2] == picture.shape[:2]:
        foreground = np.asarray(foreground * (mask > 0), np.float32)
    side = max(3, round(width_px)) | 1
    covered = cv2.blur(foreground, (side, side), borderType=cv2.BORDER_CONSTANT)
    covered = cv2.GaussianBlur(covered, (0, 0), width_px / 10)
    near = max(3, round(2 * _APART * width_px)) | 1
    peaks = (covered >= cv2.dilate(covered, np.ones((near, near), np.uint8))) & (covered > _COVERED)
    _, _, _, middles = cv2.connectedComponentsWithStats(np.asarray(peaks, np.uint8))
    return [(float(x), float(y)) for x, y in middles[1:]]


def cut(picture: Picture, place: tuple[float, float], width_px: float, level: Floats = AS_SEEN) -> Picture:
    """A square around a die as seen from straight above, as an example keeps it. `level`: see `framed`."""
    side = max(8, round(CROP * width_px))
    move = np.column_stack([level, (side - 1) / 2 - level @ np.array(place)])
    return np.asarray(cv2.warpAffine(picture, move, (side, side), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def leave_one_out(examples: Sequence[Shown]) -> tuple[tuple[str, str], ...]:
    """For each example that the others do not tell for sure: its face, and the face it was taken for ("" for none)."""
    missed = []
    for i, shown in enumerate(examples):
        others = [other for j, other in enumerate(examples) if j != i]
        if shown.face == NUMBER or not others:
            continue
        side = shown.picture.shape[0]
        like = WildReader(others, width_px=shown.width).like(shown.picture, ((side - 1) / 2, (side - 1) / 2))
        if not like.sure or like.face != shown.face:
            missed.append((shown.face, like.face if like.score >= _LEAST and like.face != shown.face else ""))
    return tuple(missed)


def least_likeness(examples: Sequence[Shown]) -> float:
    """Correlation below which a face is none of those shown: a little less than examples of one face have.

    Dice of one design share frames and edges, so a face nobody showed may look much like one that was.
    """
    scores = []
    for i, shown in enumerate(examples):
        same = [other for j, other in enumerate(examples) if j != i and other.face == shown.face != NUMBER]
        if same:
            side = shown.picture.shape[0]
            like = WildReader(same, width_px=shown.width).like(shown.picture, ((side - 1) / 2, (side - 1) / 2))
            scores.append(like.score)
    return round(max(_LEAST, min(scores, default=_LEAST) - _SLACK), 3)


def _shrunk(picture: Picture, times: float) -> Picture:
    height, width = (max(1, round(side * times)) for side in picture.shape[:2])
    return np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _foreground(picture: Picture, empty: Picture | None, light: Floats | None) -> Floats:
    """1 where something lies, else 0. Shadows, which change brightness more than colour, count half."""
    if empty is not None and empty.shape == picture.shape:
        light = _times_the_light(picture, empty) if light is None else light
        ground = cv2.GaussianBlur(_lab(_lit(empty, light)), (0, 0), 1.5)
        seen = cv2.GaussianBlur(_lab(_lit(picture, 1 / light)), (0, 0), 1.0)
    else:
        seen = _lab(picture)
        rim = max(2, min(picture.shape[:2]) // 20)
        edge = np.concatenate(
            [part.reshape(-1, 3) for part in (seen[:rim], seen[-rim:], seen[:, :rim], seen[:, -rim:])]
        )
        ground = np.full_like(seen, np.median(edge, axis=0))
    lightness, red, yellow = cv2.split(cv2.absdiff(seen, ground).astype(np.float32))
    distance = cv2.magnitude(cv2.magnitude(red, yellow) * 1.6, lightness * 0.6)
    return np.asarray(distance > _FOREGROUND, np.float32)


def _times_the_light(picture: Picture, empty: Picture) -> Floats:
    """How much more of each colour most of the picture has than the empty tray; 1 where that cannot be told.

    What is dark or burnt out in either picture, or one of another size, tells nothing of it.
    """
    if picture.shape != empty.shape:
        return UNLIT
    picture, empty = picture[::_EACH, ::_EACH], empty[::_EACH, ::_EACH]
    tells = np.all([(one >= _DARK) & (one <= _BURNT) for one in (picture, empty)], axis=0)
    return np.array(
        [
            np.median(seen[told].astype(np.float32) / before[told]) if told.mean() >= _TELLING else 1.0
            for seen, before, told in zip(cv2.split(picture), cv2.split(empty), np.moveaxis(tells, 2, 0), strict=True)
        ]
    )


def _lit(picture: Picture, times: Floats) -> Picture:
    """The picture in so many times the light, colour by colour, as that exposure takes it; never in less."""
    levels = np.arange(256)[:, None] * np.maximum(times, 1.0)
    return np.asarray(cv2.LUT(picture, np.clip(np.rint(levels), 0, 255).astype(np.uint8)[None]), np.uint8)


def _lab(picture: Picture) -> Picture:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB), np.uint8)


def _box(middle: tuple[float, float], width: float) -> Box:
    return (round(middle[0] - width / 2, 1), round(middle[1] - width / 2, 1), round(width, 1), round(width, 1))


def _example(shown: Shown) -> Picture:
    middle = (shown.picture.shape[0] - 1) / 2
    return framed(shown.picture, (middle, middle), shown.width)
