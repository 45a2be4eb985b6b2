"""Dice of one to five sets on a table by lot: scattered, in a row, in a clump, in pairs or far apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tests.bench.staged.camera import Camera
from tests.bench.staged.chance import Array, pick
from tests.bench.staged.design import Design, random_design
from tests.bench.staged.model import Die, Foot
from tests.bench.staged.shape import Shape, shape

MOST = {"rig": 6, "table": 12, "hard": 9}
EMPTY = (10, 5)  # of so many tables, the one without dice
TRIES, NEXT_TO = 60, {"row": 10, "pairs": 25}  # to place one; of them, to place it next to the last one
AT_WALL = 20
ODD_MM = (5, 7, 8, 25, 22)
SMALLEST_PX = 13  # that all dice may be
TOUCH = 0.0002

Set = tuple[Design, Shape]


def random_dice(rng: np.random.Generator, kind: str, number: int, camera: Camera, tray: Foot | None) -> list[Die]:
    """None of them in another one, all of them in the tray, if there is one, and in the picture."""
    count = int(rng.integers(1, MOST[kind] + 1))
    if kind == "table" and number % EMPTY[0] == EMPTY[1]:
        count = 0
    sets = _sets(rng, camera.die_px)
    layout = _Layout(rng, camera, tray, count)
    for _ in range(count):
        layout.throw(*pick(rng, sets))
    return layout.dice


def _sets(rng: np.random.Generator, die_px: float) -> list[Set]:
    sets = []
    for _ in range(pick(rng, [1, 2, 3, 5], [5, 3, 2, 1])):
        design = random_design(rng)
        if rng.random() < 0.12:
            design = replace(design, edge_mm=pick(rng, ODD_MM))
        sets.append((design, shape(design, int(np.clip(die_px * 0.9, 24, 48)))))
    if len(sets) == 1 and sets[0][0].edge_mm * die_px / 16 < SMALLEST_PX:
        sets = [(replace(sets[0][0], edge_mm=16), sets[0][1])]
    return sets


class _Layout:
    """Where the next die comes to lie."""

    def __init__(self, rng: np.random.Generator, camera: Camera, tray: Foot | None, count: int) -> None:
        self.rng, self.camera, self.tray, self.count = rng, camera, tray, count
        self.dice: list[Die] = []
        self.thrown = 0
        self.way = pick(rng, ["scatter", "row", "clump", "pairs", "wide"], [4, 1.5, 2, 1.5, 2])
        self.middle = np.array([rng.normal(0, camera.sees * 0.12), rng.normal(0, camera.sees * 0.09)])
        self.along = rng.uniform(0, 2 * math.pi)

    def throw(self, design: Design, form: Shape) -> None:
        """Adds a die, if there is room for it."""
        edge, value = design.edge_mm / 1000, int(self.rng.integers(1, 7))
        for tried in range(TRIES):
            place = self._place(edge, tried)
            if place is not None and self._fits(Foot(place[0], place[1], edge / 2, edge / 2, place[2])):
                x, y, yaw = place
                self.dice.append(Die(design, form, value, x, y, yaw, edge))
                break
        self.thrown += 1

    def _place(self, edge: float, tried: int) -> tuple[float, float, float] | None:
        """x, y and turn; None beyond the table."""
        rng, yaw = self.rng, self.rng.uniform(0, 2 * math.pi)
        if self.way == "row" and (not self.dice or tried < NEXT_TO["row"]):
            x, y, yaw = self._in_row(edge)
        elif self.way == "pairs" and self.dice and self.thrown % 2 and tried < NEXT_TO["pairs"]:
            x, y, yaw = self._beside_last(edge)
        elif self.way == "wide":
            at = self.camera.ground(
                rng.uniform(0.06, 0.94) * self.camera.width, rng.uniform(0.1, 0.94) * self.camera.height
            )
            if at is None or np.linalg.norm(at - self.camera.eye) > self.camera.distance * 2.2:
                return None
            x, y = at[:2]
        else:
            x, y = self.middle + rng.normal(0, self._spread(edge, tried), 2)
        if self.tray is not None and tried < AT_WALL and rng.random() < 0.15:
            x, y, yaw = self._at_wall(edge, self.tray)
        return float(x), float(y), yaw

    def _spread(self, edge: float, tried: int) -> float:
        if self.way == "clump":
            return edge * (1 + 0.3 * math.sqrt(self.count)) * (1 + tried / 30)
        return self.camera.sees * 0.13 * (1 + tried / 40)

    def _quarters(self) -> float:
        return int(self.rng.integers(4)) * math.pi / 2

    def _in_row(self, edge: float) -> tuple[float, float, float]:
        ahead = np.array([math.cos(self.along), math.sin(self.along)])
        if not self.dice:
            yaw = self.along + self._quarters()
            x, y = self.middle + self.rng.normal(0, 0.01, 2) - ahead * edge * self.count / 2 * 0.9
            return x, y, yaw
        last = self.dice[-1]
        apart = (last.edge + edge) / 2
        x = last.x + ahead[0] * (apart + self.rng.uniform(0.0003, 0.0015))
        return x, last.y + ahead[1] * (apart + 0.0004), self.along + self._quarters()

    def _beside_last(self, edge: float) -> tuple[float, float, float]:
        last = self.dice[-1]
        yaw, aside = last.yaw + self._quarters(), self.rng.uniform(-0.6, 0.6) * edge
        away, c, s = (last.edge + edge) / 2 + 0.0003, math.cos(yaw), math.sin(yaw)
        return last.x + c * away - s * aside, last.y + s * away + c * aside, yaw

    def _at_wall(self, edge: float, tray: Foot) -> tuple[float, float, float]:
        yaw = tray.yaw + self._quarters()
        u = self.rng.uniform(edge - tray.half_x, tray.half_x - edge)
        v = pick(self.rng, [-1, 1]) * (tray.half_y - edge / 2 - 0.0004)
        c, s = math.cos(tray.yaw), math.sin(tray.yaw)
        return u * c - v * s, u * s + v * c, yaw

    def _fits(self, foot: Foot) -> bool:
        camera, rim = self.camera, self.camera.die_px / 2 + 6
        x, y = camera.pixels(np.array([foot.x, foot.y, 0.005]))
        if not (rim < x < camera.width - rim and rim < y < camera.height - rim):
            return False
        if self.tray is not None and not _within(self.tray, foot):
            return False
        return not any(foot.meets(die.foot, TOUCH) for die in self.dice)


def _within(tray: Foot, foot: Foot) -> bool:
    """Whether all of a foot is in a tray, whose middle is at 0."""
    c, s = math.cos(tray.yaw), math.sin(tray.yaw)
    own: Array = np.abs(foot.corners() @ np.array([[c, -s], [s, c]]))
    return bool((own <= (tray.half_x, tray.half_y)).all())


def lifted(dice: Sequence[Die], flats: Sequence[tuple[Foot, float]]) -> tuple[Die, ...]:
    """Dice lie on the uppermost of the flat things, told with how high they are, that are under them."""
    return tuple(
        replace(die, lifted=max((high for foot, high in flats if die.foot.meets(foot)), default=0.0)) for die in dice
    )
