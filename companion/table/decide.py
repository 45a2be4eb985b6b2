"""The one decision of the daemon, pure: a fact comes in; a new table and the lines to be durable before it come out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from companion import words
from companion.core import Audit, Refused
from companion.events import (
    Button,
    CalibrationTold,
    Cleared,
    ComputerTold,
    DeviceChanged,
    Fact,
    Health,
    Knocked,
    NotSwitched,
    Press,
    Reading,
    Settled,
    Stilled,
    Stirred,
    TimePassed,
    Why,
    WildDie,
    WildSettled,
    WildStilled,
)
from companion.locale import Texts
from companion.referee import Match, begin, play
from companion.table import dice, losses, menu, setup
from companion.table.asking import Asking, Doing, Leaving, Message, Next, Starting, Switching
from companion.table.computer import Computer
from companion.table.games import GAMES, throws_dice
from companion.table.house import House
from companion.table.latest import (
    as_taken,
    lies_as_rolled,
    typed,
    wild_as_taken,
    wild_lies_as_rolled,
    wild_lies_otherwise,
)
from companion.table.moment import Moment
from companion.table.questions import Chosen, Left, Menu, Value, pointing, speaks
from companion.table.state import Table, to_note
from companion.view import Prompt, Sign

LINGERS_S = 0.3  # so long it may still be on the screen, which is drawn anew once a beat


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


def decide(table: Table, fact: Fact, house: House, at_s: float) -> Decision:
    """What the table makes of one fact, `at_s` seconds after the start of its game."""
    after = _decided(replace(table, trouble="", deaf=False), fact, house, at_s)
    note = to_note(after.table)
    changed = after.actions or after.started or note != to_note(table) or isinstance(fact, TimePassed)
    return replace(after, noted=note if changed else None)


def _decided(table: Table, fact: Fact, house: House, at_s: float) -> Decision:
    match fact:
        case Press() if table.notice is not None:
            return Decision(replace(table, notice=None))
        case Press(button, held):
            after = replace(table, aside=None)
            if hides(table, button, house, at_s) and not _opens_menu(button, held=held):
                return Decision(after)
            return _pressed(after, button, house, at_s, held=held)
        case Settled(reading, found):
            return _settled(replace(table, stirred=False, hidden=None), reading, house, at_s, found=found)
        case WildSettled(die, found):
            return _wild_settled(replace(table, stirred=False, wild_hidden=None), die, house, at_s, found=found)
        case Stirred():
            return Decision(_stirred(table))
        case Stilled():
            return _stilled(replace(table, stirred=False, hidden=None), table.hidden, house, at_s)
        case WildStilled():
            return _wild_stilled(replace(table, wild_hidden=None), table.wild_hidden, house, at_s)
        case Cleared():
            return Decision(replace(_stirred(table), stirred=False, hidden=None, wild=table.wild))
        case Knocked():
            return _knocked(table, house, at_s)
        case ComputerTold(version, name, address):
            return Decision(replace(table, computer=Computer(version, name, address)))
        case CalibrationTold(fit):
            return Decision(replace(table, fit=fit))
        case TimePassed():
            return Decision(table)
        case NotSwitched():
            return Decision(replace(table, notice=_stays_on(house.texts)))
        case DeviceChanged(device, Health.OK):
            return Decision(losses.came(table, device, house))
        case DeviceChanged(device):
            return Decision(losses.went(table, device, house, at_s))


def _stays_on(_: Texts) -> Prompt:
    return Prompt(_("It stays on"), (_("Pull the plug:"), _("your game is kept")), Sign.TROUBLE)


# --- the dialogue -----------------------------------------------------------------------------------------------------


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


def _pressed(table: Table, button: Button, house: House, at_s: float, *, held: bool) -> Decision:
    if _opens_menu(button, held=held):
        return Decision(_menu(table, house, at_s))
    asking = upcoming(table, house, at_s)
    assert isinstance(asking, Asking), "a dialogue rests on a question"
    question = asking.question.at(table.cursor)
    match question.pressed(button):
        case Chosen(value):
            return _go_on(_answered(table, asking.key, value), house, at_s)
        case Left():
            return _turned_back(table, house, at_s)
        case Menu():
            return Decision(_menu(table, house, at_s))
        case moved:
            return Decision(replace(table, cursor=moved.cursor))


def _opens_menu(button: Button, *, held: bool) -> bool:
    return held and button is Button.BACK


def hides(table: Table, button: Button, house: House, at_s: float) -> bool:
    """Whether a short word stands in front of what the button would answer, and the press only takes the word away."""
    if table.word(at_s - LINGERS_S) is None:
        return False
    asking = upcoming(table, house, at_s)
    assert isinstance(asking, Asking), "a dialogue rests on a question"
    return not speaks(asking.question, button, house.texts)


def _answered(table: Table, key: str, value: Value) -> Table:
    """R9: only what comes to lie after a re-roll was chosen is one; what was seen before may have been denied."""
    after = table.answered(key, value)
    chosen = dice.rerolling(after.given) and not dice.rerolling(table.given)
    return replace(after, sighting=None, hidden=None, wild=None, wild_hidden=None) if chosen else after


def _turned_back(table: Table, house: House, at_s: float) -> Decision:
    """To the question before, or on at once, where the dice it waits for have come to lie meanwhile."""
    if table.answers:
        return _go_on(_taken_back(table, house, at_s), house, at_s)
    if table.menu:
        return _go_on(table.without_menu(), house, at_s)
    return Decision(_menu(table, house, at_s) if leads_to_menu(table) else table)


def _taken_back(table: Table, house: House, at_s: float) -> Table:
    """Without the latest answer; its question's cursor stands on it, since it may be wrong in one letter only. One that
    is asked for again, such as a name that is taken, was no answer: the one before it goes, too."""
    match upcoming(table, house, at_s):
        case Asking(again, _) if again == table.answers[-1][0]:
            table = table.unanswered()
    if not table.answers:
        return table
    key, value = table.answers[-1]
    before = table.unanswered()
    match upcoming(before, house, at_s):
        case Asking(asked, question) if asked == key:
            return replace(before, cursor=pointing(question, value))
        case _:
            return before


def leads_to_menu(table: Table) -> bool:
    """Whether turning back opens the menu: before the first answer of a turn nothing else takes anything back."""
    return table.match is not None and not table.menu and not table.answers


def _menu(table: Table, house: House, at_s: float) -> Table:
    """What was entered so far stands when the menu is closed, whatever comes to lie in the tray meanwhile."""
    return table if table.menu else _pinned(table, house, at_s).with_menu()


def _pinned(table: Table, house: House, at_s: float) -> Table:
    """With the cursor where it stands, also where nobody moved it yet."""
    asking = upcoming(table, house, at_s)
    assert isinstance(asking, Asking), "a dialogue rests on a question"
    return replace(table, cursor=asking.question.at(table.cursor).cursor)


def _go_on(table: Table, house: House, at_s: float) -> Decision:
    """After an answer or a reading: act, as soon as the dialogue has an action."""
    match upcoming(table, house, at_s):
        case Asking():
            return Decision(table)
        case Doing(messages):
            return _done(table, messages, house, at_s)
        case Starting() as starting:
            return _started(table, starting, house)
        case Switching(how):
            return replace(_go_on(table.without_menu(), house, at_s), switch=how)
        case Leaving(game=False):
            return Decision(table.without_game())
        case Leaving() if table.menu:
            return _go_on(table.without_menu(), house, at_s)
        case Leaving():
            return Decision(table.anew())


def _started(table: Table, starting: Starting, house: House) -> Decision:
    match = begin(starting.message, board=house.board)
    fresh = replace(table.anew(), match=match, seats=starting.seats, last=None, seen=None, wild=None, wild_seen=None)
    return Decision(fresh if throws_dice(match) else replace(fresh, sighting=None, hidden=None), started=starting)


# --- the referee ------------------------------------------------------------------------------------------------------


def _done(table: Table, messages: tuple[Message, ...], house: House, at_s: float) -> Decision:
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


def _knocked(table: Table, house: House, at_s: float) -> Decision:
    """A knock on the table does what its button does; where it is not allowed it is said why, and nothing else.

    Behind the menu, or a notice that must be read first, nobody sees what it would do.
    """
    now = None if table.menu or table.notice is not None else moment(table, house, at_s)
    knock = GAMES[now.match.game].knock if now is not None else None
    if now is None or knock is None:
        return Decision(table)
    match knock(now, house.texts):
        case Doing(messages):
            return _done(table, messages, house, at_s)
        case "":
            return Decision(table)
        case refused:
            return Decision(table.saying(Prompt(refused, (), Sign.KNOCK), at_s))


# --- time -------------------------------------------------------------------------------------------------------------


def minutes_left(table: Table, at_s: float) -> int | None:
    """As shown, where a running game ends by the clock (C9); None where time plays no part."""
    match = table.match
    if match is None or match.outcome is not None:
        return None
    return GAMES[match.game].minutes_left(match.settings, at_s)


# --- the tray ---------------------------------------------------------------------------------------------------------


def _stirred(table: Table) -> Table:
    """What lay in the tray is no longer what will be read; a player who is typing keeps what was seen so far."""
    typing = dice.typing(table.played)
    return replace(
        table,
        stirred=True,
        fresh=True,
        sighting=table.sighting if typing else None,
        hidden=table.sighting or table.hidden,
        wild=table.wild if typing else None,
        wild_hidden=table.wild or table.wild_hidden,
    )


def _stilled(table: Table, hidden: Reading | None, house: House, at_s: float) -> Decision:
    """Nothing has become of the dice: what was asked about them before is asked again."""
    if hidden is None or table.sighting is not None:
        return Decision(table)
    return _go_on(replace(_pinned(table, house, at_s), sighting=hidden), house, at_s)


def _wild_stilled(table: Table, hidden: WildDie | None, house: House, at_s: float) -> Decision:
    """Nothing has become of the Wild die: what was asked about it before is asked again."""
    if hidden is None or table.wild is not None:
        return Decision(table)
    return Decision(replace(_pinned(table, house, at_s), wild=hidden))


def _settled(table: Table, reading: Reading, house: House, at_s: float, *, found: bool) -> Decision:
    seen, fresh = replace(table, sighting=reading), table.fresh and not found
    if table.match is None:  # dice that lie there when the game begins are asked about
        return Decision(seen)
    if not throws_dice(table.match) or (lies_as_rolled(table, reading) and not fresh):
        return Decision(table)  # no new roll, whatever became of the daemon since
    match table.match.ask.step:
        case "roll" if dice.typing(table.played):
            return Decision(replace(_pinned(table, house, at_s), sighting=reading))
        case "roll":
            return _roll_settled(seen.asked_anew(), reading, house, at_s, fresh=fresh)
        case "accept":
            return _reroll_settled(table, seen, house, at_s, fresh=fresh)
        case _:
            return Decision(seen if fresh or found else table)


def _roll_settled(table: Table, reading: Reading, house: House, at_s: float, *, fresh: bool) -> Decision:
    assert table.match is not None
    most = GAMES[table.match.game].most_dice(table.match.settings)
    thrown = fresh and not lies_as_rolled(table, reading)
    if thrown and not table.menu and reading.sure and 1 <= len(reading.dice) <= most:
        return _done(table, ({"do": "roll", "dice": list(reading.values)},), house, at_s)
    return Decision(table)


def _reroll_settled(table: Table, seen: Table, house: House, at_s: float, *, fresh: bool) -> Decision:
    """What may be a re-roll is one only if it was seen to come, and lies otherwise: else it is asked about."""
    assert table.match is not None
    assert seen.sighting is not None
    rolled = tuple(table.match.public["dice"] or ())
    if dice.rerolling(table.played):
        same = lies_as_rolled(table, seen.sighting)
        if fresh and not same:
            return _go_on(seen, house, at_s)
        why = seen.sighting.why or (Why.SAME if same else Why.CHANGED)
        return Decision(replace(seen, sighting=seen.sighting.unsure(why)))
    if seen.sighting.sure and sorted(rolled) == sorted(value or 0 for value in seen.sighting.values):
        return Decision(replace(table, sighting=None, seen=seen.sighting))
    return Decision(seen if dice.typing(table.played) else seen.asked_anew())


def _wild_settled(table: Table, die: WildDie, house: House, at_s: float, *, found: bool) -> Decision:
    """The Wild die lies in the tray: a roll where one is due, a question where something speaks against it."""
    fresh = table.fresh and not found
    if table.match is None or (wild_lies_as_rolled(table, die) and not fresh):
        return Decision(table)
    seen = replace(table, wild=die)
    match table.match.ask.step:
        case "wild" | "wild_accept" if dice.typing(table.played):
            return Decision(seen)
        case "wild":
            return _wild_thrown(seen, "wild", house, at_s, fresh=fresh)
        case "wild_accept" if dice.rerolling(table.played):
            return _wild_thrown(seen, "reroll", house, at_s, fresh=fresh)
        case "wild_accept" if wild_lies_otherwise(table, die):
            return Decision(seen.asked_anew())
        case "wild_accept" if die.face is not None:
            return Decision(replace(table, wild_seen=die))  # from now on it is known where it lies
        case "accept" if fresh:
            return Decision(seen)
        case _:
            return Decision(table)


def _wild_thrown(table: Table, action: str, house: House, at_s: float, *, fresh: bool) -> Decision:
    """What lies as it lay when it was read last is asked about, as such number dice are."""
    assert table.wild is not None
    thrown = fresh and not wild_lies_as_rolled(table, table.wild)
    if thrown and not table.menu and table.wild.face is not None:
        return _done(table, ({"do": action, "face": table.wild.face},), house, at_s)
    return Decision(table)
