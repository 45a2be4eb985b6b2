"""The watch over the tray: frame by frame, facts about dice. Runs in the camera's thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from companion.events import (
    DeviceChanged,
    Die,
    Fact,
    Health,
    Reading,
    Settled,
    Stilled,
    Stirred,
    Why,
    WildDie,
    WildSettled,
    WildStilled,
)
from companion.games.roll import FACES
from companion.pictures import normalise
from companion.ports import Frame, Picture
from companion.vision.eyes import Sight
from companion.vision.settle import Settler

DARK_S = 3.0  # a hand close to the lens is gone by then


class Seeing(Protocol):
    """What looks at a still picture. `knows_wild`: whether it was taught the Wild die."""

    @property
    def knows_wild(self) -> bool: ...
    def see(self, picture: Picture, *, count: int | None = None, afresh: bool = False) -> Sight: ...
    def facts(self) -> tuple[Fact, ...]:
        """What became known since the last call beside the dice."""
        ...


class Watch:
    """Feeds frames to a settler of the number dice and, where the Wild die was taught, to another one of that.

    `settler` is that of the number dice, `wild` the other one. `seen` hears what settled, with its picture.
    """

    def __init__(
        self,
        eyes: Seeing,
        settler: Settler,
        *,
        wild: Settler | None = None,
        seen: Callable[[Picture, Settled | WildSettled], None] = lambda _picture, _fact: None,
    ) -> None:
        self._eyes = eyes
        self._numbers = settler
        self._wild = wild if eyes.knows_wild else None
        self._seen = seen
        self._expected: tuple[tuple[int, int] | None, int | None] = (None, None)
        self._count: int | None = None  # of number dice that are to be thrown, where that is no matter of choice
        self._sight: Sight | None = None  # of the frame that is looked at, once a settler asked
        self._looked = False
        self._bumped = False  # the camera was moved, or put back, and nothing has moved since
        self._taken = threading.Event()
        self._taken_as: tuple[int, ...] = ()
        self._lit_s: float | None = None  # when something was seen last
        self._blind = False
        self._wild_taken = threading.Event()

    def expect(self, dice: tuple[int, int] | None, most: int | None = None) -> None:
        """From now on so many dice (fewest, most) are to be thrown; None where none are. From any thread.

        `most`: as many as may ever be thrown at once in this game, be they due or not; None without a game of dice.
        """
        self._expected = (dice, most)

    def taken(self, values: tuple[int, ...] = ()) -> None:
        """The number dice in view became a roll of these values, be it by button. From any thread."""
        self._taken_as = values
        self._taken.set()

    def wild_taken(self) -> None:
        """The Wild die in view did. From any thread."""
        self._wild_taken.set()

    def resumed(self) -> None:
        """Nobody looked between the last frame and the next, and nobody knows what was before it. From its thread."""
        if not self._blind:
            self._lit_s = None
        for settler in filter(None, (self._numbers, self._wild)):
            settler.resumed()

    @property
    def looked(self) -> bool:
        """Whether the eyes had to look at the last frame: not while all moves, nor once all is told."""
        return self._looked

    def look(self, frame: Frame) -> tuple[Fact, ...]:
        """What this frame, a picture of any kind, tells that was not known before. Raises BadPicture for no picture."""
        frame = replace(frame, picture=normalise(frame.picture))
        facts = self._look_at_all(frame)
        for fact in facts:
            if isinstance(fact, Settled | WildSettled):
                self._seen(frame.picture, fact)
        return facts

    def _look_at_all(self, frame: Frame) -> tuple[Fact, ...]:
        self._sight = None
        facts = self._look_at_numbers(frame)
        if self._wild is not None:
            facts += self._look_at_wild(self._wild, frame, stirred=any(isinstance(fact, Stirred) for fact in facts))
        self._looked = self._sight is not None
        news = self._eyes.facts()
        self._bumped = bool(news) or (self._bumped and not any(isinstance(fact, Stirred) for fact in facts))
        return (*news, *(_doubted(fact) for fact in facts)) if self._bumped else facts

    def _look_at_numbers(self, frame: Frame) -> tuple[Fact, ...]:
        if self._taken.is_set():
            self._taken.clear()
            self._numbers.taken(self._taken_as)
        dice, most = self._expected
        self._count = dice[0] if dice is not None and dice[0] == dice[1] else None
        facts = self._numbers.feed(frame.picture, frame.taken_s, self._read, count=self._count, most=most)
        if self._taken.is_set():  # while they were read: they became a roll already
            facts = tuple(fact for fact in facts if not isinstance(fact, Settled))
        return (*self._light(frame.taken_s), *facts)

    def _light(self, now_s: float) -> tuple[Fact, ...]:
        """That a covered lens, or a dark room, leaves nothing to see, and that there is light again."""
        if not self._numbers.dark or self._lit_s is None:
            self._lit_s = now_s
        blind = now_s - self._lit_s >= DARK_S
        if blind == self._blind:
            return ()
        self._blind = blind
        detail = "the pictures are black; light the tray, or take away what covers the lens" if blind else ""
        return (DeviceChanged("light", Health.LOST if blind else Health.OK, detail),)

    def _look_at_wild(self, settler: Settler, frame: Frame, *, stirred: bool) -> tuple[Fact, ...]:
        if self._wild_taken.is_set():
            self._wild_taken.clear()
            settler.taken()
        told: tuple[Fact, ...] = ()
        for fact in settler.feed(frame.picture, frame.taken_s, self._read_wild, count=1):
            match fact:
                case Settled(reading, found) if reading.dice:
                    told += (WildSettled(_face_up(reading), found),)
                case Stilled():
                    told += (WildStilled(),)
                case Stirred() if not stirred:
                    told += (fact,)
        return told

    def _read(self, picture: Picture, *, afresh: bool = False) -> Reading:
        sight = self._eyes.see(picture, count=self._count, afresh=True) if afresh else self._see(picture)
        return sight.reading

    def _read_wild(self, picture: Picture, *, afresh: bool = False) -> Reading:
        """To a settler the Wild die is a die of three values; it is looked at alike whatever was seen before."""
        sight = self._see(picture)
        wild = sight.wild
        if wild is None:
            return Reading((), sure=not sight.blind, why=Why.FAINT if sight.blind else None)
        value = None if wild.face is None else FACES.index(wild.face) + 1
        return Reading((Die(value, wild.box, wild.confidence),), sure=value is not None, why=wild.why)

    def _see(self, picture: Picture) -> Sight:
        """Both settlers ask about the same picture; it is looked at once."""
        if self._sight is None:
            self._sight = self._eyes.see(picture, count=self._count)
        return self._sight


def _face_up(reading: Reading) -> WildDie:
    """Back from a die of three values. One that turned over without a throw is unsure, whatever it shows."""
    (die,) = reading.dice
    face = FACES[die.value - 1] if die.value is not None and reading.sure else None
    return WildDie(face, die.box, die.confidence if face else 0.0, None if face else reading.why or Why.FAINT)


def _doubted(fact: Fact) -> Fact:
    """Dice that lie elsewhere in the picture since the camera was moved were not thrown."""
    match fact:
        case Settled(reading):
            return replace(fact, reading=reading.unsure(Why.CHANGED))
        case WildSettled(die):
            return replace(fact, die=replace(die, face=None, confidence=0.0, why=Why.CHANGED))
        case _:
            return fact
