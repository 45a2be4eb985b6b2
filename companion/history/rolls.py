"""The rolls of a game: what was thrown, by whom, and what was thrown again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.history.retelling import Step


@dataclass(frozen=True, slots=True)
class Throw:
    """Dice that left the hand together. `dice`: only those thrown now. `wild`: the Wild die's face, if it was that one.

    `shown`: all dice of the turn as they lie afterwards. `again`: whether it was a re-roll.
    """

    turn: int
    player: int
    at_s: float
    dice: tuple[int, ...] = ()
    wild: str | None = None
    shown: tuple[int, ...] = ()
    again: bool = False

    @property
    def total(self) -> int | None:
        return sum(self.shown) if self.shown else None


def throws(steps: Iterable[Step]) -> tuple[Throw, ...]:
    """All throws of the steps that count, in order."""
    return tuple(_throw(step) for step in steps if step.do in ("roll", "reroll", "wild"))


def _throw(step: Step) -> Throw:
    assert step.before is not None
    before, after = step.before.public, step.after.public
    turn, player, again = before["turn"], before["player"], step.do == "reroll"
    if "face" in step.message:
        return Throw(turn, player, step.at_s, wild=step.message["face"], again=again)
    dice = tuple(step.message["dice"])
    return Throw(turn, player, step.at_s, dice, shown=tuple(after["dice"]), again=again)
