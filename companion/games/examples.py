"""A line of each action, as help and error messages show it, with what it says and the rule that it goes by."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TypeAlias

from companion.games.members import Message

Example: TypeAlias = tuple[Message, str]

STATE: Message = {"do": "state"}
TITLES: Mapping[str, str] = {
    "roll": "Rat-a-Tat Roll",
    "cat": "Rat-a-Tat Cat",
    "free": "Free table",
}
START: Mapping[str, Example] = {
    "roll": (
        {"do": "start", "game": "roll", "players": ["Ana", "Bo"]},
        'also "first":0, "pawn":0, "pool":20, "cards":"ask", or "cards":"track" with "market":[1,2,3,4,5]',
    ),
    "cat": (
        {"do": "start", "game": "cat", "players": ["Ana", "Bo"]},
        'also "dealer":0, "end":{"limit":100}, {"rounds":3} or {"minutes":30}, "scores":true, "younger":false, '
        '"pace":"full"',
    ),
    "free": ({"do": "start", "game": "free", "players": ["Ana"]}, 'also "dice":2, the most of one roll'),
}
FULL: Message = {"pace": "full"}
TRACK: Message = {"cards": "track", "market": [1, 2, 3, 4, 5]}
NEEDED: Mapping[str, Message] = {"draw": FULL, "replace": FULL, "draw2": FULL, "refill": TRACK, "redeal": TRACK}
"""What a start must say for an action to be allowed at all."""
ACTIONS: Mapping[str, tuple[Example, ...]] = {
    "roll": (
        ({"do": "roll", "dice": [3, 4]}, "R8: 1 to 3 number dice, as they lie"),
        ({"do": "reroll", "which": [1], "dice": [6]}, "R9: for a token; which dice, from 0, and what they show now"),
        ({"do": "accept"}, "R9: no more re-rolls"),
        ({"do": "wild", "face": "lowest"}, "R12: the Wild die: lowest, highest or swap"),
        ({"do": "reroll", "face": "swap"}, "R12: the Wild die again, for a token"),
        ({"do": "skip"}, "R16: who has all cards does not roll"),
        ({"do": "take", "from": "deck", "rat": True}, "R10: a rat is a 7, 8 or 9"),
        ({"do": "take", "from": "market", "rat": False}, 'R22: with cards "ask"; here no rat'),
        ({"do": "take", "from": "market", "region": 2}, 'R23: with cards "track"; region where there is a choice'),
        ({"do": "peek", "player": 0}, "R10: at all own cards, by one's own number"),
        ({"do": "peek", "player": 1, "slot": 0}, "R10: at one card of another player"),
        ({"do": "swap", "mine": 0, "player": 1, "theirs": 2}, "R12: an own card for another player's, by their slots"),
        ({"do": "decline"}, "R10, R12: no peek, or no swap"),
        ({"do": "discard", "slot": 0}, "R17: the older card that goes"),
        ({"do": "refill", "value": 7}, 'R14: with cards "track": the card that is dealt to the market'),
        ({"do": "redeal", "market": [1, 2, 3, 4, 5]}, 'R14: with cards "track": five new ones'),
        ({"do": "reveal", "player": 0, "total": 19}, 'R19: also "force":true, against the audit (R20)'),
        ({"do": "reveal", "player": 0, "cards": [0, 3, 9, 2, 5]}, "R19: card by card; each of two players has five"),
        ({"do": "reveal", "player": 0, "cards": [0, 3, 9, 2]}, "R19: each of three to five players has four"),
    ),
    "cat": (
        ({"do": "end"}, "C4: the turn is over"),
        ({"do": "knock"}, "C6: it is over, and all others have one more"),
        ({"do": "draw", "from": "deck", "card": "peek"}, 'C4: with pace "full"; number, peek, swap or draw2'),
        ({"do": "draw", "from": "discard"}, "C4: the number card on top"),
        ({"do": "replace", "slot": 0, "discarded": "number"}, "C4: the own card that goes; number or power"),
        ({"do": "discard"}, "C4: the drawn card is not used"),
        ({"do": "peek", "slot": 3}, "C5: at an own card"),
        ({"do": "swap", "mine": 0, "player": 1, "theirs": 3}, "C5: an own card for another player's, by their slots"),
        ({"do": "draw2"}, "C5: two chances"),
        ({"do": "score", "player": 0, "cards": [0, 3, 9, 2]}, "C7: a player's cards at the end of a round"),
        ({"do": "score", "player": 0, "total": 14}, "C7: their total alone"),
        ({"do": "deal"}, "C2: the next round is dealt"),
    ),
    "free": (
        ({"do": "roll", "dice": [3]}, "F1: the dice, as they lie"),
        ({"do": "reroll", "which": [0], "dice": [6]}, "F1: which dice, from 0, and what they show now"),
        ({"do": "accept"}, "F1: the roll counts, and the next player is on"),
        ({"do": "end"}, "F1: the game is closed"),
    ),
}


def written(line: Message) -> str:
    """A line as it is sent, without its end."""
    return json.dumps(line, separators=(",", ":"))


def of(game: str, do: str, like: Message = STATE, taken: Callable[[Message], bool] = lambda _line: True) -> str:
    """One line of that action; of several the first of those that share most with a line that it is to be `like`.

    `taken`: whether the game that goes on could take it, by its settings; where it could take none, any may be.
    """
    lines = [line for line, _says in (START[game], *ACTIONS[game]) if line["do"] == do]
    return written(max([*filter(taken, lines)] or lines, key=lambda line: _shared(line, like)))


def _shared(line: Message, like: Message) -> int:
    """How many members both have, those that say the same counted twice."""
    return sum(1 + (like[name] == value) for name, value in line.items() if name in like)


def of_any(do: str) -> str:
    """A start of the first game that has such an action, as that needs it, or of the first."""
    game = next((game for game, lines in ACTIONS.items() if any(line["do"] == do for line, _says in lines)), "roll")
    return written({**START[game][0], **NEEDED.get(do, {})})
