"""Throws as a camera sees them: rendered frame by frame, with the time of each, and a reader that knows the truth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from companion.events import Die, Fact, Reading, Settled, Why
from companion.ports import Picture
from companion.vision.scene import Cube, Moment, Painter, Seen, Table, moment, new_table, throw
from companion.vision.settle import Read, Settler

FPS = 10.0
SIZE = (240, 180)


def truth_reading(truth: Sequence[Seen], hand: bool) -> Reading:
    """What a perfect reader says: it sees no die that is mostly hidden, and is unsure with a hand in view."""
    dice = tuple(
        Die(seen.value, seen.box, 1.0, seen.pips) for seen in truth if seen.visible > 0.4 and "icon" not in seen.tags
    )
    if hand:
        return Reading(dice, False, Why.HAND)
    if any(seen.tags & {"cocked", "moving"} for seen in truth):
        return Reading(dice, False, Why.COCKED)
    return Reading(dice, True) if dice else Reading((), False, Why.EMPTY)


def told(facts: Sequence[Fact]) -> list[Settled]:
    return [fact for fact in facts if isinstance(fact, Settled)]


@dataclass
class Tape:
    """Feeds a settler with frames of one table; time goes on by a frame each."""

    seed: int = 0
    settler: Settler = field(default_factory=Settler)
    now_s: float = 100.0
    reads: int = 0
    size: tuple[int, int] = SIZE
    fps: float = FPS
    reader: Read | None = None  # a real one instead of the truth
    flicker: float = 0.0  # so much brighter is every other picture that a bench shows

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)
        self.table: Table = new_table(self.rng, width=self.size[0], height=self.size[1])
        self.painter = Painter(self.table)
        self.truth: tuple[Seen, ...] = ()
        self.hand = False

    def read(self, picture: Picture, *, afresh: bool = False) -> Reading:
        self.reads += 1
        if self.reader is not None:
            return self.reader(picture, afresh=afresh)
        return truth_reading(self.truth, self.hand)

    def show(self, now: Moment, *, brightness: float = 1.0, count: int | None = None) -> tuple[Fact, ...]:
        """One frame."""
        drawn = self.painter.picture(now, self.rng, brightness=brightness)
        self.truth, self.hand = drawn.truth, now.hand is not None
        self.now_s += 1 / self.fps
        return self.settler.feed(drawn.picture, self.now_s, self.read, count=count)

    def seen(self) -> Reading:
        """What lies there, as the reader sees it now."""
        return truth_reading(self.truth, self.hand)

    def hold(
        self, dice: Sequence[Cube], seconds: float, *, brightness: float = 1.0, count: int | None = None
    ) -> list[Fact]:
        """The dice lie still for so long."""
        frames = range(round(seconds * self.fps))
        return [fact for _ in frames for fact in self.show(Moment(tuple(dice)), brightness=brightness, count=count)]

    def throw(self, before: Sequence[Cube], after: Sequence[Cube], *, count: int | None = None) -> list[Fact]:
        """A throw up to the moment in which the last die comes to rest."""
        return [fact for now in self.moments(before, after) for fact in self.show(now, count=count)]

    def moments(self, before: Sequence[Cube], after: Sequence[Cube]) -> Iterator[Moment]:
        thrown = throw(before, after, self.rng)
        return (moment(thrown, at_s) for at_s in np.arange(0, thrown.lasts_s, 1 / self.fps))
