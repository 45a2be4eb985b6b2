"""A household for tests, and a way to play through the decisions alone: no thread, no camera, no clock."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from companion.demo.robot import Lying, Push, Throw, due, move
from companion.events import Button, Die, Fact, Press, Reading, Settled, Stirred, Why, WildDie, WildSettled
from companion.notify import Notifier
from companion.table.acting import Decision
from companion.table.decide import decide
from companion.table.house import House, HouseSeat, Region
from companion.table.picture import expects_dice, expects_wild
from companion.table.state import Table, to_note, with_note

COLOURS = {
    "Red": (255, 0, 0),
    "Yellow": (255, 200, 0),
    "Green": (0, 200, 0),
    "Blue": (0, 80, 255),
    "Pink": (255, 0, 160),
    "Cyan": (0, 170, 170),
    "Violet": (140, 0, 255),
    "White": (160, 160, 160),
}


class Told(Notifier):
    """A notifier that keeps what systemd would hear."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []

    def _send(self, message: str) -> None:
        self.messages.append(message)


def house(places: int = 5, **members: object) -> House:
    """A table with so many seats, 5 to 8."""
    colours = list(COLOURS.items())
    seats = tuple(HouseSeat(name, colour, n / places) for n, (name, colour) in enumerate(colours[:places]))
    regions = tuple(Region(name, colour) for name, colour in colours[:5])
    return House(seats, regions, **members)  # type: ignore[arg-type]


def reading(*values: int | None, sure: bool = True, shift: float = 0.0) -> Reading:
    dice = tuple(Die(value, (50.0 * at + shift, 20.0, 30.0, 30.0), 0.99) for at, value in enumerate(values))
    return Reading(dice, sure)


def wild(face: str | None, x: float = 200.0, why: Why | None = None) -> WildSettled:
    """The Wild die came to lie at `x`."""
    return WildSettled(WildDie(face, (x, 100.0, 30.0, 30.0), 0.99 if face else 0.0, why))


def slept(table: Table) -> Table:
    """Without what only this life of the daemon knows of the tray."""
    return replace(table, fresh=False, stirred=False, hidden=None, wild_hidden=None)


def press(*names: str) -> tuple[Press, ...]:
    return tuple(Press(Button(name)) for name in names)


def after(table: Table, home: House, *facts: Fact) -> Table:
    for fact in facts:
        table = decide(table, fact, home, 0.0).table
    return table


def play(
    home: House, seed: int, table: Table | None = None, misread: float = 0.1, pace_s: float = 0.0
) -> Iterator[tuple[Fact, Decision]]:
    """A whole sitting by chance, from the first press to the winner: each fact and what was decided on it.

    `pace_s`: seconds between two facts.
    """
    at_s = 0.0
    chance = random.Random(seed)
    table, lying, goal, thrown = table or Table(), Lying(), None, None
    while table.match is None or table.match.outcome is None:
        made, goal = move(table, home, lying, goal, chance, thrown=thrown == due(table, home))
        match made:
            case Push(button):
                facts: tuple[Fact, ...] = (Press(button),)
            case Throw(now, _kept):
                lying, facts, thrown = now, (), due(table, home)
                if expects_wild(table, home):
                    unsure = chance.random() < misread
                    place = chance.random() * 600
                    facts = (Stirred(), wild(None if unsure else now.face, place, Why.FAINT if unsure else None))
                elif expects_dice(table):
                    sure = chance.random() >= misread
                    seen = now.dice if sure else (*now.dice[1:], chance.randint(1, 6))
                    facts = (Stirred(), Settled(reading(*seen, sure=sure, shift=chance.random() * 200)))
        for fact in facts:
            decision = decide(table, fact, home, at_s)
            at_s = 0.0 if decision.started else at_s + pace_s
            table = decision.table
            yield fact, decision


def started(**usual: object) -> Table:
    """Two players, the first to roll."""
    home = house(usual={"roll": usual})
    start = press(*["ok"] * 9)
    table = after(Table(), home, *start)
    assert table.match is not None
    return table


def dice_of(table: Table) -> tuple[int, ...] | None:
    assert table.match is not None
    dice = table.match.public["dice"]
    return None if dice is None else tuple(dice)


def step_of(table: Table) -> str:
    assert table.match is not None
    return str(table.match.public["step"])


def restarted(table: Table) -> Table:
    """In the next life of the daemon."""
    return with_note(replace(slept(table), sighting=None, wild=None), to_note(table))


def found(*values: int, shift: float = 0.0) -> Settled:
    """Dice that lay in the tray before anybody watched it."""
    return replace(reading_of(*values, shift=shift), found=True)


def reading_of(*values: int, shift: float = 0.0) -> Settled:
    return Settled(reading(*values, shift=shift))


def landed(pips: int) -> tuple[dict[str, object], ...]:
    return {"do": "roll", "dice": [pips]}, {"do": "accept"}
