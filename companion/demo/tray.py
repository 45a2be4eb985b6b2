"""The tray of a table that needs no hardware: dice are thrown into it, and a camera may take pictures of it."""

from __future__ import annotations

import threading

import numpy as np

from companion.demo.robot import Lying
from companion.ports import Picture
from companion.vision.scene import Cube, Moment, Painter, Throw, moment, new_table, scatter, throw


class DrawnTray:
    """One tray with its dice, chosen by `seed`: each throw falls, and the pictures after it are noisy, by its number,
    however many pictures were taken before. Any thread may throw; one camera takes pictures."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._throws = 0
        self._noise = np.random.default_rng([seed, 0])
        self._table = new_table(np.random.default_rng(seed))
        self._painter = Painter(self._table)
        self._lock = threading.Lock()
        self._lying: tuple[Cube, ...] = ()
        self._thrown: Throw | None = None
        self._since_s: float | None = None

    def throw(self, lying: Lying, kept: int = 0, *, wild_stays: bool = False) -> Lying:
        """A hand takes up what lies there and throws; the first `kept` dice stay, and with `wild_stays` the Wild die.

        Returns how they come to lie.
        """
        with self._lock:
            self._throws += 1
            rng = np.random.default_rng([self._seed, 2 * self._throws])
            self._noise = np.random.default_rng([self._seed, 2 * self._throws + 1])
            stay = self._staying(lying.dice[:kept])
            if wild_stays:
                stay |= {len(lying.dice): cube for cube in self._lying if cube.look == self._table.wild}
            after = scatter(self._table, lying.dice, rng, kept=stay, wild=lying.face)
            self._thrown, self._since_s = throw(self._lying, after, rng), None
            self._lying = after
            return lying

    def picture(self, now_s: float) -> Picture:
        """What the camera sees at `now_s`; a throw begins with the first picture after it."""
        with self._lock:
            return self._painter.picture(self._moment(now_s), self._noise).picture

    def _moment(self, now_s: float) -> Moment:
        if self._thrown is None:
            return Moment(self._lying)
        self._since_s = now_s if self._since_s is None else self._since_s
        at_s = now_s - self._since_s
        if at_s >= self._thrown.lasts_s:
            self._thrown = None
            return Moment(self._lying)
        return moment(self._thrown, at_s)

    def _staying(self, values: tuple[int, ...]) -> dict[int, Cube]:
        """Of the dice that lie there, one for each value that is kept."""
        left = [cube for cube in self._lying if cube.look != self._table.wild]
        stay: dict[int, Cube] = {}
        for place, value in enumerate(values):
            twin = next((cube for cube in left if cube.value == value), None)
            if twin is not None:
                left.remove(twin)
                stay[place] = twin
        return stay
