"""Chance for the players of the demo: for each decision one of its own, so that no other use of chance moves it."""

from __future__ import annotations

import random

from companion.table.acting import upcoming
from companion.table.asking import Asking
from companion.table.house import House
from companion.table.questions import Leaves
from companion.table.state import Table

DENIED = ("how", "no")  # what the camera took for a new roll was none; a faster machine may not even have asked


class Occasions:
    """The chance of a decision depends on `seed` and on what is decided, not on when, nor after how many readings.

    What is decided: by the actions that stand in the game, the question, and the answers given on the way to it. Pages
    that were looked at meanwhile count, too, or they would be looked at for ever.
    """

    def __init__(self, seed: int, house: House) -> None:
        self._seed = seed
        self._house = house
        self._stands: int | None = None
        self._looks = 0
        self._looking = False

    def chance(self, table: Table) -> random.Random:
        """For what `table` asks now; the same as before where it asks the same again."""
        asking = upcoming(table, self._house)
        assert isinstance(asking, Asking)
        self._look_on(table, looking=isinstance(asking.question, Leaves))
        answers = tuple(answer for answer in table.answers if answer != DENIED)
        return random.Random(f"{self._seed}/{self._stands}/{asking.key}/{answers}/{self._looks}")

    def _look_on(self, table: Table, *, looking: bool) -> None:
        stands = None if table.match is None else sum(1 for _action in table.match.standing)
        if stands != self._stands:
            self._stands, self._looks = stands, 0
        if looking and not self._looking:
            self._looks += 1
        self._looking = looking
