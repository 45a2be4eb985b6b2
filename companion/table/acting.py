"""What the table comes to ask next, or what the referee is told: by answers, and by what the camera saw. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from companion import words
from companion.core import Audit, Refused
from companion.referee import Match, begin, play
from companion.table import dice, menu, setup
from companion.table.asking import Asking, Doing, Leaving, Message, Next, Starting, Switching
from companion.table.games import GAMES, throws_dice
from companion.table.house import House
from companion.table.latest import as_taken, lies_as_rolled, typed, wild_as_taken
from companion.table.moment import Moment
from companion.table.state import Table


@dataclass(frozen=True, slots=True)
class Decision:
    """`started`: the start line of a new game, with its seats. `actions`: lines the referee accepted.

    `noted`: what else a restart needs; None where nothing of it changed. `rolled`: what the dice in view were taken as,
    and the camera may go on; None where none were. `wild_rolled`: the Wild die in view was. `switch`: how the computer
    shall be switched, "" for not at all.
    """

    table: Table
    started: Starting | None = None
    actions: tuple[Message, ...] = ()
    noted: dict[str, Any] | None = None
    rolled: tuple[int, ...] | None = None
    wild_rolled: bool = False
    switch: str = ""


def upcoming(table: Table, house: House, at_s: float = 0.0) -> Next:
    """What the present dialogue asks or does next."""
    now = moment(table, house, at_s)
    if table.menu:
        return menu.dialogue(now, table.computer, table.given, house.texts, table.lost)
    if now is None:
        return setup.dialogue(house, table.last, table.given, house.texts)
    return GAMES[now.match.game].dialogue(now, table.given, house.texts)


def moment(table: Table, house: House, at_s: float) -> Moment | None:
    """What the game's dialogue looks at; None without a game."""
    match = table.match
    if match is None:
        return None
    lying = None if table.fresh or typed(table) else table.seen
    return Moment(match, match.public, house, table.sighting, at_s, table.wild, lying)


def pinned(table: Table, house: House, at_s: float) -> Table:
    """With the cursor where it stands, also where nobody moved it yet."""
    asking = upcoming(table, house, at_s)
    assert isinstance(asking, Asking), "a dialogue rests on a question"
    return replace(table, cursor=asking.question.at(table.cursor).cursor)


def go_on(table: Table, house: House, at_s: float) -> Decision:
    """After an answer or a reading: act, as soon as the dialogue has an action."""
    match upcoming(table, house, at_s):
        case Asking():
            return Decision(table)
        case Doing(messages):
            return done(table, messages, house, at_s)
        case Starting() as starting:
            return _started(table, starting, house)
        case Switching(how):
            return replace(go_on(table.without_menu(), house, at_s), switch=how)
        case Leaving(game=False):
            return Decision(table.without_game())
        case Leaving() if table.menu:
            return go_on(table.without_menu(), house, at_s)
        case Leaving():
            return Decision(table.anew())


def _started(table: Table, starting: Starting, house: House) -> Decision:
    match = begin(starting.message, board=house.board)
    fresh = replace(table.anew(), match=match, seats=starting.seats, last=None, seen=None, wild=None, wild_seen=None)
    return Decision(fresh if throws_dice(match) else replace(fresh, sighting=None, hidden=None), started=starting)


def done(table: Table, messages: tuple[Message, ...], house: House, at_s: float) -> Decision:
    """All of the actions, or none. A refusal is shown; a hand that contradicts what was public is asked about (R20)."""
    assert table.match is not None
    put_right = any(message["do"] == "correct" for message in messages)
    messages = tuple(real for message in messages for real in _corrected(table.match, message))
    match = table.match
    try:
        for message in messages:
            match = play(match, message, at_s)
    except Audit as audit:
        return Decision(table.answered("audit", audit.slots))
    except Refused as refused:
        return Decision(replace(table.anew(), notice=words.attention(refused.message, house.texts)))
    rolled = any(message["do"] in ("roll", "reroll") and "dice" in message for message in messages)
    wild_rolled = any("face" in message for message in messages)
    after = _left_to_ask(table, match, rolled=rolled)
    if wild_rolled:
        after = replace(after, wild_seen=wild_as_taken(table, match, put_right=put_right))
    taken = tuple(match.public.get("dice") or ()) if rolled else None
    return Decision(after, actions=messages, rolled=taken, wild_rolled=wild_rolled)


def _left_to_ask(table: Table, match: Match, *, rolled: bool) -> Table:
    """The table once actions led to `match`: what is still to be asked about. `rolled`: they were of number dice.

    A Wild die that was thrown before the pawn is moved waits for that, whatever becomes of the number dice meanwhile.
    """
    assert table.match is not None
    after = replace(table, match=match, aside=None).anew()
    if table.match.ask.step != "accept" or match.ask.step not in ("accept", "wild"):
        after = replace(after, wild=None, wild_hidden=None)
    if rolled:
        return replace(after, seen=as_taken(table.sighting, match), sighting=None, hidden=None, fresh=False)
    asked = table.sighting or table.hidden
    if asked is not None and lies_as_rolled(table, asked) and not typed(table):
        return replace(after, sighting=None, hidden=None)  # nothing that the next step could ask about
    return after


def _corrected(match: Match, message: Message) -> tuple[Message, ...]:
    """A wrong roll is taken back and done again as it was meant; spent tokens stay spent."""
    if message["do"] != "correct":
        return (message,)
    rolls = dice.this_turns_rolls(match.standing)
    return (*({"do": "undo"} for _each in rolls), *dice.as_meant(rolls, message))
