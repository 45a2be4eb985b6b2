"""How one game went, drawn: the totals of Cat over its rounds, or what was rolled over the turns of the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import Any

from companion.games.cat import Limit
from companion.history.drawing import GRID, HEIGHT, INK, PALE, PAPER, WIDTH, Box, Dot, Letters, Shape, Stroke, Word
from companion.history.retelling import Step
from companion.history.rolls import throws
from companion.screen.lettering import cut

LEFT, RIGHT, TOP, BOTTOM = 60, 150, 60, 60
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#7f5539", "#000000")  # at most 8 (F1)
DASH, GAP = 6, 5
WIDEST_NAME = 104  # of the 118 units beside the plot: letters of an SVG may be an eighth wider than those measured

Totals = tuple[int | None, ...]  # one a player; None: was out before the round


@dataclass(frozen=True, slots=True)
class Rolled:
    """`total`: of all dice of the turn as they lay then. `given_up`: it was rolled again."""

    turn: int
    player: int
    total: int
    given_up: bool


@dataclass(frozen=True, slots=True)
class _Axes:
    """From number to place on the picture; both axes begin at 0."""

    across: float
    up: float

    def x(self, number: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * number / self.across

    def y(self, number: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * number / self.up


def totals(steps: Sequence[Step]) -> tuple[Totals, ...]:
    """Cat: the totals after each round that was scored to its end; rounds won where points do not count (C12)."""
    rounds = []
    for step in steps:
        if step.before and step.do == "score" and step.after.public["step"] != "score":
            were = step.before.public["players"]
            rounds.append(tuple(map(_total, were, step.after.public["players"])))
    return tuple(rounds)


def _total(before: dict[str, Any], after: dict[str, Any]) -> int | None:
    if before["out"]:
        return None
    total: int = after["wins"] if after["total"] is None else after["total"]
    return total


def rolled(steps: Sequence[Step]) -> tuple[Rolled, ...]:
    """Every throw of number dice, in order."""
    thrown = [throw for throw in throws(steps) if throw.total is not None]
    return tuple(
        Rolled(throw.turn, throw.player, throw.total or 0, given_up=later is not None and later.again)
        for throw, later in zip_longest(thrown, thrown[1:])
    )


def wild(steps: Sequence[Step]) -> tuple[tuple[int, int], ...]:
    """Turn and player of every turn in which the Wild die was thrown, in order; its face is no total."""
    return tuple(dict.fromkeys((throw.turn, throw.player) for throw in throws(steps) if throw.wild is not None))


def drawn(steps: Sequence[Step], title: str) -> Iterator[Shape]:
    """The shapes, from back to front."""
    state = steps[-1].after.public
    yield Box(0, 0, WIDTH, HEIGHT, PAPER)
    yield Word(WIDTH / 2, 22, title, 18)
    yield from _names([player["name"] for player in state["players"]])
    yield from _cat(steps) if state["game"] == "cat" else _rolls(rolled(steps), wild(steps))


def _names(names: Sequence[str]) -> Iterator[Shape]:
    for place, (name, colour) in enumerate(zip(names, COLOURS, strict=False)):
        y = TOP + 10 + 22 * place
        yield Dot(WIDTH - RIGHT + 20, y, colour, 5)
        yield Word(WIDTH - RIGHT + 32, y, cut(name, Letters(12), WIDEST_NAME), 12, "start")


def _cat(steps: Sequence[Step]) -> Iterator[Shape]:
    rounds, settings = totals(steps), steps[-1].after.settings
    end = getattr(settings, "end", None)
    limit = end.points if isinstance(end, Limit) else 0
    scores = getattr(settings, "scores", True)
    most = max([limit, 1, *(total for round_ in rounds for total in round_ if total is not None)])
    axes = _Axes(max(len(rounds), 1), most * 1.08)
    yield from _grid(axes, "Round", "no round is scored yet" if not rounds else "Total" if scores else "Rounds won")
    if limit:
        yield from _dashed(axes.y(limit))
        yield Word(LEFT + 4, axes.y(limit) - 9, f"out at {limit}", 12, "start", PALE)  # lines begin low
    for player, colour in enumerate(COLOURS[: len(steps[-1].after.public["players"])]):
        own = [0, *(round_[player] for round_ in rounds)]
        yield from _course([total for total in own if total is not None], colour, axes)


def _course(own: Sequence[int], colour: str, axes: _Axes) -> Iterator[Shape]:
    """Who is out has no more totals: there the line ends."""
    places = [(axes.x(round_), axes.y(total)) for round_, total in enumerate(own)]
    for one, next_ in pairwise(places):
        yield Stroke(*one, *next_, colour)
    for x, y in places[1:]:
        yield Dot(x, y, colour)


def _rolls(rolls: Sequence[Rolled], wild: Sequence[tuple[int, int]]) -> Iterator[Shape]:
    most = max((roll.total for roll in rolls), default=1)
    last = max([1, *(roll.turn for roll in rolls), *(turn for turn, _player in wild)])
    axes = _Axes(last + 0.5, most * 1.08)
    yield from _grid(axes, "Turn", "Total of the dice" if rolls or wild else "nothing was thrown")
    for turn, player in wild:
        yield Word(axes.x(turn), HEIGHT - BOTTOM - 9, "W", 12, colour=COLOURS[player])
    for roll in rolls:
        yield Dot(axes.x(roll.turn), axes.y(roll.total), COLOURS[roll.player], hollow=roll.given_up)
    if any(roll.given_up for roll in rolls):
        yield Word(WIDTH - RIGHT + 20, HEIGHT - BOTTOM - 8, "hollow: rolled again", 12, "start", PALE)
    if wild:
        yield Word(WIDTH - RIGHT + 20, HEIGHT - BOTTOM - 26, "W: the Wild die", 12, "start", PALE)


def _grid(axes: _Axes, across: str, up: str) -> Iterator[Shape]:
    for number in _ticks(axes.up):
        yield Stroke(LEFT, axes.y(number), WIDTH - RIGHT, axes.y(number), GRID, 1)
        yield Word(LEFT - 8, axes.y(number), str(number), 12, "end", PALE)
    for number in _ticks(axes.across):
        yield Word(axes.x(number), HEIGHT - BOTTOM + 16, str(number), 12, colour=PALE)
    yield Stroke(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, INK, 1)
    yield Word((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 20, across, 12, colour=PALE)
    yield Word(LEFT, 46, up, 12, "start", PALE)


def _ticks(most: float) -> range:
    """Round numbers from 0, at most eleven."""
    step = next(
        step * ten for ten in (10**power for power in range(12)) for step in (1, 2, 5) if most <= 10 * step * ten
    )
    return range(0, int(most) + 1, step)


def _dashed(y: float) -> Iterator[Shape]:
    for left in range(LEFT, WIDTH - RIGHT - DASH, DASH + GAP):
        yield Stroke(left, y, left + DASH, y, PALE, 1.5)
