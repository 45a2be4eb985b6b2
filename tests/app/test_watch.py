"""The watch over the tray: what becomes of a reading that was overtaken."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from companion.events import Die, Fact, Reading, Settled, Stirred
from companion.ports import Frame, Picture
from companion.vision.eyes import Eyes
from companion.vision.settle import Patience, Settler
from companion.watch import Watch

SURE = Reading((Die(3, (10.0, 10.0, 20.0, 20.0), 0.99),), True)


class Reader:
    """A reader that always sees the same die; `meanwhile` happens while it looks."""

    def __init__(self) -> None:
        self.meanwhile: Callable[[], None] = lambda: None

    def read(self, _picture: Picture, *, count: int | None = None) -> Reading:
        self.meanwhile()
        return SURE


def picture(die: bool) -> Picture:
    shown = np.full((72, 96, 3), 60, np.uint8)
    if die:
        shown[10:30, 10:30] = 220
    return shown


@pytest.mark.parametrize(("typed", "told"), [(False, [Stirred(), Settled(SURE)]), (True, [Stirred()])])
def test_dice_that_were_entered_by_button_while_they_were_read_are_no_other_roll(typed: bool, told: list[Fact]) -> None:
    reader = Reader()
    watch = Watch(Eyes(reader), Settler(Patience(still_s=0.1, readings=1)))  # type: ignore[arg-type]
    reader.meanwhile = watch.taken if typed else reader.meanwhile
    facts: list[Fact] = []
    for step in range(6):
        facts += watch.look(Frame(picture(step > 0), step / 10))
    assert facts == told


def test_the_watch_tells_of_each_frame_whether_its_eyes_had_to_look_at_it() -> None:
    watch = Watch(Eyes(Reader()), Settler(Patience(still_s=0.1, readings=1)))  # type: ignore[arg-type]
    looked = []
    for step in range(5):
        watch.look(Frame(picture(step > 0), step / 10))
        looked.append(watch.looked)
    assert looked == [False, False, True, False, False]
