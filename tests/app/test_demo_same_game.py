"""The same seed plays the same game, however fast the machine is."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from companion.demo.ordered import ordered
from companion.demo.players import Players, so_many
from companion.demo.robot import Lying
from companion.events import Die, Reading, Settled, Stirred, Why, WildDie, WildSettled
from companion.journal import Journal
from companion.loop import Loop, Outlets
from companion.ports import Clock
from companion.table.acting import Decision
from companion.table.resume import resume
from hardware.clock import SystemClock
from tests.app.household import house


class Camera:
    """Sees dice at once, in any order; by `moods` surely or not, once or twice, or something else beside them."""

    def __init__(self, moods: random.Random) -> None:
        self.loop: Loop
        self._moods = moods
        self._lying = Lying()
        self._places: list[int] = []

    def throw(self, lying: Lying, kept: int = 0, *, wild_stays: bool = False) -> Lying:
        self._lying = lying
        self._places = self._moods.sample(range(0, 600, 40), len(lying.dice) + 1)
        self.loop.put(Stirred())
        for _time in range(self._moods.randint(1, 2)):
            self._look(sure=self._moods.random() < 0.7)
        return lying

    def decided(self, decision: Decision) -> None:
        """Now and then it takes what lies there for something else, once it was a roll."""
        if decision.rolled is not None and self._moods.random() < 0.3:
            self._lying = replace(self._lying, dice=tuple(7 - value for value in self._lying.dice))
            self._look(sure=True)

    def _look(self, *, sure: bool) -> None:
        if self._lying.face is not None:
            face = self._lying.face if sure else None
            box = (float(self._places[-1]), 90.0, 30.0, 30.0)
            self.loop.put(WildSettled(WildDie(face, box, 0.9, None if sure else Why.FAINT)))
        if self._lying.dice:
            boxes = [(float(place), 20.0, 30.0, 30.0) for place in self._places[:-1]]
            seen = [Die(value, box, 0.9) for value, box in zip(self._lying.dice, boxes, strict=True)]
            dice = tuple(self._moods.sample(seen, len(seen)))
            self.loop.put(Settled(ordered(Reading(dice, sure, None if sure else Why.FAINT))))


class Patient(Clock):
    """A clock by which a throw that nobody reads is given up soon: a tenth of a second is more than patience."""

    def __init__(self) -> None:
        self._clock = SystemClock()

    def now_s(self) -> float:
        return 200.0 * self._clock.now_s()

    def sleep(self, seconds: float) -> None:
        raise AssertionError("players do not sleep by the tray's clock")


@contextmanager
def opened(game: str, moods: int, seed: int, file: Path) -> Iterator[Journal]:
    """The journal of a game that was played by `seed` before a camera of such `moods`."""
    home = house(6, games=(game,), reads_wild=True)
    camera = Camera(random.Random(moods))
    with Journal.open(file) as journal:
        outlets = Outlets(lambda _view, _beat: None, decided=camera.decided)
        loop = Loop(resume(journal, home), house=home, journal=journal, clock=SystemClock(), outlets=outlets)
        camera.loop = loop
        wants = so_many(2, home)
        crew = Players(loop, home, camera, seed=seed, wants=wants, think_s=0, clock=Patient(), ended=loop.stop)
        crew.start()
        loop.run()
        crew.close()
        yield journal


@pytest.mark.parametrize("game", ["roll", "free"])
@pytest.mark.parametrize("seed", [1, 21])
def test_the_same_seed_plays_the_same_game_however_the_dice_are_read(
    game: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.demo.players.LOOK_S", 0.001)
    told = []
    for moods in range(3):
        with opened(game, moods, seed, tmp_path / f"{moods}.db") as journal:
            (last,) = journal.games()
            told.append((last.start, [entry.line for entry in journal.read(last.number).actions], last.finish))
    assert told[1:] == told[:1] * 2


def test_dice_are_named_in_the_same_order_however_they_lie() -> None:
    box = (10.0, 20.0, 30.0, 30.0)
    seen = [Die(6, box, 0.9), Die(None, box, 0.0), Die(4, box, 0.9), Die(4, (0.0, *box[1:]), 0.9)]
    one, other = (ordered(Reading(tuple(dice), sure=False, why=Why.FAINT)) for dice in (seen, seen[::-1]))
    assert one == other == Reading((seen[1], seen[3], seen[2], seen[0]), sure=False, why=Why.FAINT)
