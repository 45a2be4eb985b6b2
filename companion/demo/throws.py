"""Throws by hand: in `companion demo --play` the space bar throws what is due, and a digit so many dice."""

from __future__ import annotations

import random
from collections.abc import Callable

from companion.demo.robot import Lying, Throw, due, throw
from companion.demo.tray import DrawnTray
from companion.table.house import House
from companion.table.picture import expects_dice
from companion.table.state import Table


class Throws:
    """`struck` hears every key that is no button."""

    def __init__(self, table: Callable[[], Table], house: House, tray: DrawnTray, chance: random.Random) -> None:
        self._table = table
        self._house = house
        self._tray = tray
        self._chance = chance
        self._lying = Lying()

    def struck(self, key: str) -> None:
        table = self._table()
        if due(table, self._house) is None:
            return
        if key == " ":
            self._into_the_tray(throw(table, self._lying, self._chance))
        elif _is_count(key, table):
            self._into_the_tray(Throw(Lying(tuple(self._chance.randint(1, 6) for _die in range(int(key))))))

    def _into_the_tray(self, thrown: Throw) -> None:
        self._lying = self._tray.throw(thrown.lying, thrown.kept, wild_stays=thrown.wild_stays)


def _is_count(key: str, table: Table) -> bool:
    """Whether so many dice may be thrown first."""
    expected = expects_dice(table)
    return (
        table.match is not None
        and table.match.ask.step == "roll"
        and expected is not None
        and key in map(str, range(expected[0], expected[1] + 1))
    )
