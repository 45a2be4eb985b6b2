"""What happens at the table, a line an event, for those who watch a terminal or read a log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.events import Reading
from companion.referee import Match
from companion.table.decide import Decision


class Report:
    """Tells `say` a line for each action, and what the tray showed."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._before: Match | None = None

    def begin(self, match: Match | None) -> None:
        """The game as it stands when the telling begins."""
        self._before = match
        if match is not None and match.outcome is None:
            at = "turn" if "turn" in match.public else "round"
            self._say(f"the game goes on: {at} {match.public[at]}, step {match.ask.step}")

    def decided(self, decision: Decision) -> None:
        match = decision.table.match
        if decision.started is not None and match is not None:
            self._say("new game: " + ", ".join(player["name"] for player in match.public["players"]))
        for action in decision.actions:
            self._say(told(self._before, action))
        self._before = match
        if decision.actions and match is not None and match.outcome is not None:
            self._say(ended(match))

    def seen(self, reading: Reading) -> None:
        values = " ".join("?" if value is None else str(value) for value in reading.values)
        verdict = "sure" if reading.sure else f"unsure: {reading.why.value if reading.why else 'no reason'}"
        self._say(f"tray: {values or 'nothing'} ({verdict})")


def told(before: Match | None, action: Mapping[str, Any]) -> str:
    """An action in words, with who took it."""
    player = before.ask.player if before is not None else None
    name = before.public["players"][player]["name"] if before is not None and player is not None else "the table"
    return f"{name}: {_words(action, before.game if before is not None else '')}"


def _words(action: Mapping[str, Any], game: str) -> str:
    match action["do"]:
        case "roll":
            return f"rolls {_sum(action['dice'])}"
        case "reroll" if "dice" in action and game == "free":
            return f"rolls {_sum(action['dice'])} again"
        case "reroll" if "dice" in action:
            return f"spends a token and rolls {_sum(action['dice'])} again"
        case "reroll":
            return f"spends a token and rolls the Wild die again: {action['face']}"
        case "wild":
            return f"rolls the Wild die: {action['face']}"
        case "take":
            return f"takes from the {action['from']}" + (", a rat" if action.get("rat") else "")
        case "draw":
            return f"draws from the {action['from']}" + (f": {action['card']}" if "card" in action else "")
        case "score":
            points = action["total"] if "total" in action else sum(action["cards"])
            return f"player {action['player']} has {points} points"
        case "reveal":
            return f"reveal of player {action['player']}"
        case do:
            return str(do)


def _sum(dice: list[int]) -> str:
    return f"{' + '.join(map(str, dice))} = {sum(dice)}" if len(dice) > 1 else str(dice[0])


def ended(match: Match) -> str:
    """The last line: who won, with which total; at the free table everybody's sum."""
    outcome = match.outcome
    assert outcome is not None
    names = [player["name"] for player in match.public["players"]]
    if not outcome.winners:
        return "the end: " + ", ".join(f"{name} {total}" for name, total in zip(names, outcome.totals, strict=True))
    winners = " and ".join(names[player] for player in outcome.winners)
    reached = outcome.totals[outcome.winners[0]]
    one, more = ("round", "rounds") if match.public["players"][0].get("wins") is not None else ("point", "points")
    return f"winner: {winners} with {reached} {one if reached == 1 else more}"
