"""What happens at the table, a line an event, for those who watch a terminal or read a log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.events import Settled, WildSettled
from companion.games import members
from companion.locale import ENGLISH
from companion.referee import Match, play
from companion.table.acting import Decision
from companion.table.games import GAMES
from companion.table.state import Table
from companion.vision.words import WORDS, in_words

NEXT = {
    "roll": "{who} is to roll",
    "accept": "{who} is to keep what was rolled, or to roll again",
    "wild": "{who} is to roll the Wild die",
    "wild_accept": "{who} is to keep the Wild die, or to roll it again",
    "take": "{who} is to take a card",
    "peek": "{who} may look at cards",
    "swap": "{who} may swap a card",
    "discard": "{who} is to put an older card under the deck",
    "refill": "a card is to be dealt to the market",
    "redeal": "five new cards are to be dealt",
    "reveal": "all show their cards",
    "turn": "it is {who}'s turn",
    "replace": "{who} is to replace a card",
    "use": "{who} is to use the drawn card, or to discard it",
    "draw": "{who} is to draw a card",
    "end": "{who} is to end the turn, or to knock",
    "score": "the cards are counted",
    "deal": "{who} is to deal the next round",
}
"""What is due at each step of a game that runs."""


class Report:
    """Tells `say` a line for each action, and what the tray showed."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._before: Match | None = None

    def begin(self, table: Table, game: str | None = None, players: int | None = None) -> None:
        """The game as it stands when the telling begins, or how far it is set up.

        `game`, `players`: what was asked for; None for anything.
        """
        self._before = match = table.match
        if match is None and (seated := _seated(table)) is not None:
            self._say(f"a game was being set up for {seated} player{'' if seated == 1 else 's'}: that goes on")
            if players not in (None, seated):
                self._say(f"what was answered then holds: --players {players} needs another --journal")
        if match is not None and match.outcome is None:
            self._say(goes_on(match))
            if other := _otherwise(match, game, players):
                self._say(f"the game that was left is played first: {other} needs another --journal")

    def decided(self, decision: Decision) -> None:
        match = decision.table.match
        if decision.started is not None and match is not None:
            self._say("new game: " + ", ".join(player["name"] for player in match.public["players"]))
        for action in decision.actions:
            assert self._before is not None, "a game begins with a decision of its own"
            self._say(told(self._before, action))
            self._before = play(self._before, action, self._before.bound_s)
        self._before = match
        if decision.actions and match is not None and match.outcome is not None:
            self._say(ended(match))

    def seen(self, fact: Settled | WildSettled) -> None:
        self._say(f"tray: {_lying(fact)}")


def _lying(fact: Settled | WildSettled) -> str:
    match fact:
        case Settled(reading):
            values = " ".join("?" if value is None else str(value) for value in reading.values)
            return f"{values or 'nothing'} ({_verdict(in_words(reading), sure=reading.sure)})"
        case WildSettled(die):
            why = None if die.why is None else WORDS[die.why]
            return f"Wild die {die.face or '?'} ({_verdict(why, sure=die.face is not None)})"


def _verdict(why: str | None, *, sure: bool) -> str:
    if sure:
        return "sure"
    return "unsure" if why is None else f"unsure: {why}"


def _seated(table: Table) -> int | None:
    """For how many players a game is being set up; None where that was not answered."""
    if table.played.get("again") and table.last is not None:
        return len(table.last.seats)
    players = table.played.get("players")
    return players if isinstance(players, int) else None


def goes_on(match: Match) -> str:
    """Which game is taken up again, whose, and where it stands."""
    names = [player["name"] for player in match.public["players"]]
    whose = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    at = "turn" if "turn" in match.public else "round"
    name = GAMES[match.game].name(ENGLISH)
    who = "" if match.ask.player is None else names[match.ask.player]
    return f"{name} of {whose} goes on: {at} {match.public[at]}, {NEXT[match.ask.step].format(who=who)}"


def is_left(table: Table) -> bool:
    """Whether a game, or how far it is set up, is kept in the journal and can be taken up again."""
    if table.deaf:
        return False
    return _seated(table) is not None if table.match is None else table.match.outcome is None


def _otherwise(match: Match, game: str | None, players: int | None) -> str:
    """The options that this game is not played by; "" where it is as they ask."""
    others = []
    if game not in (None, match.game):
        others.append(f"--game {game}")
    if players not in (None, len(match.public["players"])):
        others.append(f"--players {players}")
    return " ".join(others)


def told(before: Match, action: Mapping[str, Any]) -> str:
    """An action in words, with who took it or whom it is about."""
    names = [player["name"] for player in before.public["players"]]
    match action["do"]:
        case "score":
            return f"{names[action['player']]} has {_points(action)} in this round"
        case "reveal":
            return f"{names[action['player']]} has {_points(action)}"
    who = "the table" if before.ask.player is None else names[before.ask.player]
    return f"{who}: {_words(action, before, names)}"


def _words(action: Mapping[str, Any], before: Match, names: Sequence[str]) -> str:
    match action["do"]:
        case "roll":
            return f"rolls {_sum(action['dice'])}"
        case "accept":
            return "keeps what was rolled"
        case "reroll" if before.game == "free":
            return _rerolls(action, before)
        case "reroll":
            return f"spends a token and {_rerolls(action, before)}"
        case "wild":
            return f"rolls the Wild die: {action['face']}"
        case "skip":
            return "has all cards, and does not roll"
        case "take":
            return f"takes from the {action['from']}" + (", a rat" if action.get("rat") else "")
        case "draw":
            return f"draws from the {action['from']}" + (f": {action['card']}" if "card" in action else "")
        case "replace":
            return f"keeps the card, and discards a {action['discarded']} card"
        case "discard":
            return "discards the drawn card" if before.game == "cat" else "puts an older card under the deck"
        case "peek" if "player" not in action:
            return "looks at a card"
        case "peek" if "slot" not in action:
            return "looks at all own cards"
        case "peek":
            return f"looks at a card of {names[action['player']]}"
        case "swap":
            return f"swaps a card with {names[action['player']]}"
        case "decline":
            return "looks at no card" if before.ask.step == "peek" else "swaps no card"
        case "draw2":
            return "uses Draw 2"
        case "refill":
            return f"a {action['value']} is dealt"
        case "redeal":
            return f"five new cards are dealt: {' '.join(map(str, action['market']))}"
        case "knock":
            return "knocks"
        case "deal":
            return "deals the next round"
        case "end":
            return "ends the game" if before.game == "free" else "ends the turn"
        case "undo":
            return "takes the last step back"
        case do:
            raise AssertionError(f"no words for {do!r}")


def _rerolls(action: Mapping[str, Any], before: Match) -> str:
    """Which dice are thrown again, and all that lie there then."""
    if "face" in action:
        return f"re-rolls the Wild die: {action['face']}"
    dice = list(before.public["dice"])
    again = " and ".join(str(dice[place]) for place in action["which"])
    for place, value in zip(action["which"], action["dice"], strict=True):
        dice[place] = value
    return f"re-rolls the {again}: {_sum(dice)}"


def _points(action: Mapping[str, Any]) -> str:
    points = members.points(action)
    return f"{points} {'point' if points == 1 else 'points'}"


def _sum(dice: Sequence[int]) -> str:
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
