"""The score sheet of a game: a row a player, whatever game it was."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games import members
from companion.history.retelling import Step
from companion.history.rolls import throws

NAMES = {"roll": "Rat-a-Tat Roll", "cat": "Rat-a-Tat Cat", "free": "Free table"}

Cell = str | int | None  # None: nothing to tell (yet)


@dataclass(frozen=True, slots=True)
class Sheet:
    """`columns`: their headings; the first column holds the players' names, as written. `rows`: one a player."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def sheet(steps: Sequence[Step]) -> Sheet:
    """The score sheet as the last of the steps that count left it. There is at least the start."""
    state = steps[-1].after.public
    match state["game"]:
        case "roll":
            return _roll(state, steps)
        case "cat":
            return _cat(state, steps)
        case _:
            return _free(state)


def _roll(state: dict[str, Any], steps: Sequence[Step]) -> Sheet:
    thrown = throws(steps)
    rows = []
    for number, player in enumerate(state["players"]):
        own = [throw for throw in thrown if throw.player == number]
        again = sum(throw.again for throw in own)
        total = state["totals"][number] if state["totals"] else None
        rows.append((player["name"], len(own) - again, again, player["tokens"], player["cards"], total))
    columns = ("Player", "Rolls", "Re-rolls", "Tokens", "Cards", "Total", "Won")
    return Sheet(columns, _with_winners(rows, state["winners"]))


def _cat(state: dict[str, Any], steps: Sequence[Step]) -> Sheet:
    scored = {
        (step.before.public["round"], step.message["player"]): members.points(step.message) for step in _scores(steps)
    }
    rounds = range(1, 1 + max((round_ for round_, _ in scored), default=0))
    sums = "Total" if state["players"][0]["total"] is not None else "Rounds won"
    rows = [
        (player["name"], *(scored.get((round_, number)) for round_ in rounds), _sum(player))
        for number, player in enumerate(state["players"])
    ]
    columns = ("Player", *(f"Round {round_}" for round_ in rounds), sums, "Won")
    return Sheet(columns, _with_winners(rows, state["winners"]))


def _scores(steps: Sequence[Step]) -> list[Any]:
    return [step for step in steps if step.do == "score"]


def _sum(player: dict[str, Any]) -> Cell:
    total: int | None = player["total"] if player["total"] is not None else player["wins"]
    return total


def _free(state: dict[str, Any]) -> Sheet:
    rolls = range(max(len(player["rolls"]) for player in state["players"]))
    rows = tuple(
        (player["name"], *(_faces(player["rolls"], roll) for roll in rolls), player["sum"])
        for player in state["players"]
    )
    return Sheet(("Player", *(f"Roll {roll + 1}" for roll in rolls), "Sum"), rows)


def _faces(rolls: Sequence[Iterable[int]], place: int) -> Cell:
    return summed(rolls[place]) if place < len(rolls) else None


def summed(dice: Iterable[int]) -> str:
    """Dice as they are told everywhere, the smallest first: in which order they were seen tells nothing of the roll."""
    return "+".join(str(die) for die in sorted(dice))


def _with_winners(rows: Sequence[tuple[Cell, ...]], winners: list[int] | None) -> tuple[tuple[Cell, ...], ...]:
    def won(number: int) -> Cell:
        return None if winners is None else "yes" if number in winners else "no"

    return tuple((*row, won(number)) for number, row in enumerate(rows))
