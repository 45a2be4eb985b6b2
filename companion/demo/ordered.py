"""Eyes for the demo that name the dice they see in order, however these lie: what is made of them is no chance."""

from __future__ import annotations

from dataclasses import replace

from companion.events import Fact, Reading
from companion.ports import Picture
from companion.vision.eyes import Sight
from companion.watch import Seeing


class OrderedEyes:
    """As `eyes`, but for the order of the number dice."""

    def __init__(self, eyes: Seeing) -> None:
        self._eyes = eyes

    @property
    def knows_wild(self) -> bool:
        return self._eyes.knows_wild

    def see(self, picture: Picture, *, count: int | None = None, afresh: bool = False) -> Sight:
        sight = self._eyes.see(picture, count=count, afresh=afresh)
        return replace(sight, reading=ordered(sight.reading))

    def facts(self) -> tuple[Fact, ...]:
        return self._eyes.facts()


def ordered(reading: Reading) -> Reading:
    """The same with its dice by value, those that are not read first; of the same value, by place."""
    return replace(reading, dice=tuple(sorted(reading.dice, key=lambda die: (die.value or 0, die.box))))
