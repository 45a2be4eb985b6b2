"""Devices that come and go while people play: what is said of it, and what a game does without."""

from __future__ import annotations

from dataclasses import replace

from companion import words
from companion.table.games import throws_dice
from companion.table.house import House
from companion.table.state import Table
from companion.view import Prompt, Sign

EYES = ("camera", "light")  # the devices that only dice need


def came(table: Table, device: str, house: House) -> Table:
    """It is back, and no more is said of it."""
    aside = None if table.aside == _loss(device, house) else table.aside
    return replace(table, lost=tuple(role for role in table.lost if role != device), aside=aside)


def went(table: Table, device: str, house: House, at_s: float) -> Table:
    """A loss is said in words, once; from then on the header's pictogram tells of it. What a game does without is not
    said: the words would tell of dice."""
    if device in table.lost:
        return table
    after = replace(table, lost=(*table.lost, device))
    return after.saying(_loss(device, house), at_s) if device in missed(after) else after


def missed(table: Table) -> tuple[str, ...]:
    """The devices that are lost, but for those which the game does without."""
    if table.match is None or throws_dice(table.match):
        return table.lost
    return tuple(role for role in table.lost if role not in EYES)


def _loss(device: str, house: House) -> Prompt:
    told = words.device(device, house.texts)
    return Prompt(told.name, (told.help,), Sign.TROUBLE)
