"""A whole game of Roll whose number dice are photos of real ones: a folder for the camera, a script for the buttons.

The game is played once in the mind: which photo comes next, what the eyes make of it, and which buttons people would
press. The daemon then has to play it for real.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.compose import house_of
from companion.config import Config
from companion.demo.robot import Lying, Push, Throw, due, move
from companion.events import Fact, Press, Settled
from companion.loop import places
from companion.ports import Frame
from companion.table.decide import decide
from companion.table.house import House
from companion.table.questions import Value
from companion.table.state import Table
from companion.vision.reader import Reader
from companion.vision.settle import Settler
from companion.watch import Watch
from hardware.pictures import emptied, read_picture

FPS = 10.0
EMPTY_S = 1.0
LONGEST_LOOK_S = 6.0


@dataclass(frozen=True, slots=True)
class Photo:
    """One photo and the faces that are up in it."""

    path: Path
    values: tuple[int, ...]


def photos(folder: Path, most: int = 3) -> tuple[Photo, ...]:
    """The labelled photos of at most `most` dice, none of which is to be ignored."""
    lines = (json.loads(line) for line in (folder / "labels.jsonl").read_text().splitlines())
    return tuple(
        Photo(folder / label["image"], tuple(die["value"] for die in label["dice"]))
        for label in lines
        if 1 <= len(label["dice"]) <= most and not any(die.get("ignore") for die in label["dice"])
    )


@dataclass(frozen=True, slots=True)
class Plan:
    """`order`: photos as they come. `script`: the presses. `rolls`: each roll. `asked`: whether after a question."""

    order: tuple[Photo, ...]
    script: str
    rolls: tuple[tuple[int, ...], ...]
    asked: tuple[bool, ...]


def plan(found: tuple[Photo, ...], seed: int) -> Plan:
    """Plays the game in the mind."""
    return _Mind(found, seed).play()


class _Mind:
    def __init__(self, found: tuple[Photo, ...], seed: int) -> None:
        self._chance = random.Random(seed)
        self._left = list(found)
        self._chance.shuffle(self._left)
        self._house: House = house_of(Config())
        self._table = Table()
        self._at_s = 0.0
        self._watch = Watch(Reader(), Settler())
        self._order: list[Photo] = []
        self._lines: list[str] = []
        self._rolls: list[tuple[int, ...]] = []
        self._asked: list[bool] = []

    def play(self) -> Plan:
        lying, goal, thrown = Lying(), None, None
        while self._table.match is None or self._table.match.outcome is None:
            now_due = due(self._table, self._house)
            made, goal = move(
                self._table, self._house, lying, goal or self._wish(), self._chance, thrown=thrown == now_due
            )
            match made:
                case Push(button):
                    self._lines += [f"until {places(self._table)[-1]}", button.name]
                    self._judge(Press(button))
                case Throw(Lying(dice=()) as lying):
                    thrown = now_due
                case Throw(wanted):
                    lying, thrown = Lying(self._thrown(len(wanted.dice))), now_due
        return Plan(tuple(self._order), "\n".join(self._lines) + "\n", tuple(self._rolls), tuple(self._asked))

    def _wish(self) -> Value:
        """Nobody re-rolls: the dice that stay would have to lie in the next photo, too."""
        state: Any = self._table.match.public if self._table.match else {"step": "setup"}
        return "move" if state["step"] == "accept" and self._table.sighting is None else None

    def _thrown(self, count: int) -> tuple[int, ...]:
        """Looks at the next photo of so many dice that the watch makes anything of, sure or not."""
        while True:
            photo = next(photo for photo in self._left if len(photo.values) == count)
            self._left.remove(photo)
            facts = self._looked(photo)
            if any(isinstance(fact, Settled) for fact in facts):
                break
        self._order.append(photo)
        self._rolls.append(photo.values)
        for fact in facts:
            self._judge(fact)
        self._asked.append(self._table.sighting is not None)
        return photo.values

    def _looked(self, photo: Photo) -> list[Fact]:
        """What the watch tells of an empty tray and then this photo."""
        picture = read_picture(photo.path)
        told: list[Fact] = []
        for shown, seconds in ((emptied(picture), EMPTY_S), (picture, LONGEST_LOOK_S)):
            for _frame in range(int(seconds * FPS)):
                self._at_s += 1 / FPS
                told += self._watch.look(Frame(shown, self._at_s))
                if told and isinstance(told[-1], Settled):
                    return told
        return told

    def _judge(self, fact: Fact) -> None:
        decision = decide(self._table, fact, self._house, 0.0)
        self._table = decision.table
        if decision.rolled:
            self._watch.taken()
