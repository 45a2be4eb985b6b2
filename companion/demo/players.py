"""The players of the demo: a thread that looks at the table when it rests, and acts."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from companion.demo.occasion import Occasions
from companion.demo.robot import Lying, Push, Throw, due, move
from companion.events import Press, Reading
from companion.loop import Loop
from companion.ports import Clock
from companion.table.acting import upcoming
from companion.table.asking import Asking
from companion.table.house import House
from companion.table.picture import expects_dice, expects_wild
from companion.table.questions import Value
from companion.table.state import Table

LOOK_S = 0.02  # how often the players look whether it is their turn to act
PATIENCE_S = 20.0  # after which dice that nobody reads are entered by button


class Tray(Protocol):
    """Where dice are thrown, drawn ones or those of recorded pictures."""

    def throw(self, lying: Lying, kept: int = 0, *, wild_stays: bool = False) -> Lying:
        """Throws what is wished for; returns how the dice come to lie."""
        ...


class Players:
    """Play by chance until the game is over, then call `ended`. One that was over before they came is played again.

    `seed`: the same plays the same game, whenever the camera reads, and surely or not, what it reads rightly.
    `wants`: what a question is to be answered with, where that is not left to chance. `think_s`: between two presses.
    `clock`: the tray's. `rests`: whether the table does, and shows it: nobody acts before.
    """

    def __init__(
        self,
        loop: Loop,
        house: House,
        tray: Tray,
        *,
        seed: int,
        wants: Callable[[Table], Value],
        think_s: float,
        clock: Clock,
        ended: Callable[[], None],
        rests: Callable[[], bool] | None = None,
    ) -> None:
        self._loop = loop
        self._rests = rests or loop.rests
        self._house = house
        self._tray = tray
        self._occasions = Occasions(seed, house)
        self._wants = wants
        self._think_s = think_s
        self._clock = clock
        self._ended = ended
        self._before = loop.table.match
        self._lying = Lying()
        self._goal: Value = None
        self._thrown: _Thrown | None = None
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="players", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._closing.is_set():
            table = self._loop.table if self._rests() else None
            if table is None or not self._may_act(table):
                self._closing.wait(LOOK_S)
            elif table.match is not None and table.match.outcome is not None and table.match is not self._before:
                self._ended()
                return
            else:
                self._act(table)
                self._closing.wait(self._think_s)

    def _may_act(self, table: Table) -> bool:
        """Whether no throw is still rolling or being read."""
        thrown = self._thrown
        if thrown is None or thrown.due != due(table, self._house):
            return True
        if table.sighting not in (None, thrown.sighting) or table.wild is not None:
            return True
        return self._clock.now_s() - thrown.at_s > PATIENCE_S

    def _act(self, table: Table) -> None:
        now_due = due(table, self._house)
        thrown = self._thrown is not None and self._thrown.due == now_due
        goal = self._wants(table) if self._goal is None else self._goal
        made, self._goal = move(table, self._house, self._lying, goal, self._occasions.chance(table), thrown=thrown)
        match made:
            case Throw(lying, kept, wild_stays):
                self._lying = self._tray.throw(lying, kept, wild_stays=wild_stays)
                read = expects_dice(table) is not None or expects_wild(table, self._house)
                self._thrown = _Thrown(now_due, table.sighting, self._clock.now_s() if read else float("-inf"))
            case Push(button):
                self._loop.put(Press(button))


@dataclass(frozen=True, slots=True)
class _Thrown:
    """A throw: for which one that was due, what waited to be judged then, and when."""

    due: Value
    sighting: Reading | None
    at_s: float


def so_many(players: int, house: House) -> Callable[[Table], Value]:
    """Wants that so many play, be they those of the game before or others, and leaves the rest to chance."""

    def wants(table: Table) -> Value:
        match upcoming(table, house):
            case Asking("players"):
                return players
            case Asking("again") if not table.menu and table.match is None and table.last is not None:
                return len(table.last.seats) == players
            case _:
                return None

    return wants
