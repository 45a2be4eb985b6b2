"""Drawn tables that are hard to read, each within what calibration still accepts; at times dice lie beside the tray."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from calibration.simulated import DrawnHands, Wrongs
from calibration.steps import Wants
from companion.events import Reading
from companion.ports import Picture
from companion.vision.reader import Reader
from companion.vision.scene.model import Colour, Cube, Ground, Thing
from companion.vision.twice import both

Dice: TypeAlias = tuple[Colour, Colour]

LEFT, RIGHT, FAR, NEAR = (-11.6, 0.0), (11.6, 0.0), (0.0, 8.9), (0.0, -8.9)
"""Places on the table beside the tray, whose floor is 18 × 13 cm and whose wall takes another centimetre."""
PLACES = (LEFT, RIGHT, FAR, NEAR, (-11.4, 5.0), (11.4, 4.0), (5.0, 8.9), (-5.0, -8.9))

CARPET = Ground("carpet", ((0.25, 0.28, 0.33), (0.42, 0.46, 0.5)), grain=0.4, scale=10, seed=1)
CHECKS = Ground("checks", ((0.25, 0.3, 0.5), (0.62, 0.66, 0.7)), grain=0.1, scale=9, seed=2)
SPOTS = Ground("spots", ((0.3, 0.36, 0.2), (0.85, 0.86, 0.88)), grain=0.1, scale=11, seed=3)
PRINT = Ground("print", ((0.8, 0.82, 0.84), (0.2, 0.2, 0.25)), grain=0.1, scale=12, seed=1)
PLAYMAT = Ground("playmat", ((0.3, 0.45, 0.25), (0.7, 0.75, 0.72), (0.3, 0.3, 0.62)), grain=0.1, scale=14, seed=2)
SCATTER = Ground("scatter", ((0.22, 0.3, 0.42), (0.75, 0.78, 0.8)), grain=0.1, scale=12, seed=4)
GRANITE = Ground("granite", ((0.3, 0.32, 0.33), (0.75, 0.76, 0.78)), grain=0.4, scale=12, seed=1)
KNIT = Ground("knit", ((0.2, 0.2, 0.4), (0.45, 0.45, 0.6)), grain=0.4, scale=8, seed=2)


@dataclass(frozen=True, slots=True)
class Circumstances:
    """`calibrated`: under which the table was calibrated; played in `light`, a share of the light there then was."""

    calibrated: Wrongs
    dice: Dice | None = None
    light: float = 1.0

    @property
    def played(self) -> Wrongs:
        return replace(self.calibrated, light=self.light * self.calibrated.light)


TOKENS = (
    Thing("dots", -6.5, -4.2, 30.0, 1.9, 1),
    Thing("token", 6.8, 4.4, 10.0, 1.8, 2),
    Thing("button", 6.6, -4.6, 0.0, 1.7, 3),
)
INDIGO: Dice = ((0.42, 0.2, 0.16), (0.7, 0.55, 0.5))
SLATE: Dice = ((0.3, 0.29, 0.27), (0.12, 0.11, 0.1))
ROSE: Dice = ((0.62, 0.6, 0.85), (0.85, 0.86, 0.95))
HONEY: Dice = ((0.2, 0.5, 0.7), (0.1, 0.28, 0.45))
MOSS: Dice = ((0.2, 0.34, 0.2), (0.45, 0.6, 0.45))

HARD = (
    Circumstances(Wrongs(light=0.35, noise=0.035), light=0.4),
    Circumstances(Wrongs(tilt_deg=30, noise=0.03, distance=1.4), INDIGO),
    Circumstances(Wrongs(floor=CARPET, light=0.6, noise=0.03, distance=1.45), HONEY),
    Circumstances(Wrongs(floor=SPOTS, light=0.8, noise=0.01)),
    Circumstances(Wrongs(white=(0.5, 0.9, 1.4), light=0.4, noise=0.03, distance=1.2), SLATE),
    Circumstances(Wrongs(floor=PRINT, light=0.7, tilt_deg=15, noise=0.015, distance=1.2), ROSE),
    Circumstances(Wrongs(floor=CHECKS, shade=0.4, noise=0.03, distance=1.4, clutter=TOKENS), light=0.6),
    Circumstances(Wrongs(light=0.25, tilt_deg=24, noise=0.03, distance=1.15), SLATE, light=0.5),
    Circumstances(Wrongs(floor=PLAYMAT, white=(1.4, 1.0, 0.7), light=0.5, blur_px=1.0, distance=1.4), MOSS),
    Circumstances(Wrongs(floor=SCATTER, tilt_deg=18, light=0.6, noise=0.03, distance=1.2)),
    Circumstances(Wrongs(floor=GRANITE, light=0.4, noise=0.04, blur_px=0.8, distance=1.5)),
    Circumstances(Wrongs(floor=KNIT, light=0.4, tilt_deg=18, shade=0.4, noise=0.04, distance=1.4), INDIGO, light=0.7),
)
"""Dim, noisy, slanted, patterned, in coloured light, with dice whose pips stand out little, or played in less light."""


@dataclass(frozen=True, slots=True, eq=False)
class Thrown:
    """One throw: what lies in the tray, `beside` it so many dice, and the picture.

    `truth`: of each die in the tray: the middle of its top, and its value.
    """

    values: tuple[int, ...]
    beside: int
    picture: Picture
    truth: tuple[tuple[float, float, int], ...]


def calibrating(number: int, seed: int) -> DrawnHands:
    """The table of that number as it was calibrated; tray, dice and noise are drawn by lot of `seed`."""
    where = HARD[number % len(HARD)]
    return DrawnHands(seed + number, where.calibrated, dice=where.dice)


def playing(number: int, seed: int) -> DrawnHands:
    """The same table as it is played at."""
    where = HARD[number % len(HARD)]
    return DrawnHands(seed + number, where.played, dice=where.dice)


def thrown(hands: DrawnHands, throw: int) -> Thrown:
    """One to three dice in the tray; in every tenth throw one or two of the same kind lie beside it."""
    count = 1 + throw % 3
    hands.lay(Wants(dice=count, throw=1000 + throw))
    rng = np.random.default_rng(throw)
    beside = int(rng.integers(1, 3)) if throw % 10 == 8 else 0
    places = [PLACES[int(i)] for i in rng.permutation(len(PLACES))[:beside]]
    look = hands.lying[0].look
    hands.lay_beside(*(_die(place, look_of, rng) for place, look_of in zip(places, (look, look), strict=False)))
    tops = hands.setup.view.pixels(np.array([(cube.x, cube.y, cube.size) for cube in hands.lying]))
    truth = tuple((float(x), float(y), cube.value) for (x, y), cube in zip(tops, hands.lying, strict=True))
    return Thrown(hands.values, beside, hands.picture(0.0), truth)


def told_at_a_table(reader: Reader, picture: Picture, count: int) -> Reading:
    """What a frame shows and what a look afresh does, before dice are told, come to."""
    frame = reader.read(picture, count=count)
    return both(frame, reader.read(picture, count=count, afresh=True))


def _die(place: tuple[float, float], look: object, rng: np.random.Generator) -> Cube:
    value, yaw = int(rng.integers(1, 7)), math.degrees(float(rng.uniform(0, 2 * math.pi)))
    return Cube(value, *place, yaw, look=look)  # type: ignore[arg-type]
