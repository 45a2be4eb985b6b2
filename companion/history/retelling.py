"""A recorded game, retold by the referee line by line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion import referee
from companion.games import RULES_VERSION
from companion.journal import Record
from companion.referee import Match


class Differs(Exception):
    """A record does not retell: the referee refuses a line, or the end is another. `line`: number from 1, the start."""

    def __init__(self, game: int, line: int, cause: str, *, rules: int) -> None:
        older = (
            "" if rules == RULES_VERSION else f" (it was played by rules version {rules}, these are {RULES_VERSION})"
        )
        super().__init__(f"game {game} differs at line {line}: {cause}{older}")
        self.line = line


@dataclass(frozen=True, slots=True)
class Step:
    """One accepted line. `before`: the match it met, None at the start. `at_s`: seconds since the start."""

    message: dict[str, Any]
    at_s: float
    before: Match | None
    after: Match

    @property
    def do(self) -> str:
        return str(self.message["do"])


def retell(record: Record) -> Iterator[Step]:
    """Every line of a record in order, undone ones and undo included. Raises Differs where the referee refuses one.

    At the end the outcome is compared with the one recorded.
    """
    match: Match | None = None
    number = 0
    for number, message in enumerate(record.messages, 1):
        try:
            after = referee.play(match, message, match.bound_s) if match else _begin(message, record)
        except ValueError as refused:
            line = record.lines[number - 1]
            raise Differs(record.number, number, f"{line} is refused: {refused}", rules=record.rules) from refused
        yield Step(message, message["at"], match, after)
        match = after
    _same_end(record, match, number)


def _begin(message: dict[str, Any], record: Record) -> Match:
    return referee.begin(message, board=record.board)


def _same_end(record: Record, match: Match | None, line: int) -> None:
    told = json.loads(record.finish).get("winners") if record.finish else None
    came = list(match.outcome.winners) if match and match.outcome else None
    if told is not None and told != came:
        raise Differs(record.number, line, f"it ended with the winners {told}, retold with {came}", rules=record.rules)


def kept(steps: Iterator[Step]) -> tuple[Step, ...]:
    """The steps that count: without those that were taken back, and without the undo."""
    standing: list[Step] = []
    for step in steps:
        if step.do == "undo":
            standing.pop()
        else:
            standing.append(step)
    return tuple(standing)


def may_be_told(record: Record, *, still_played: bool) -> bool:
    """Whether every line may be shown: R21 hides who took which market card while it lies face-down."""
    if not still_played or record.start is None:
        return True
    start = json.loads(record.start)
    return not (start.get("game") == "roll" and start.get("cards") == "track")
