"""The one decision of the daemon, pure: a fact comes in; a new table and the lines to be durable before it come out."""

from __future__ import annotations

from dataclasses import replace

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
    Settled,
    Stilled,
    Stirred,
    TimePassed,
    WildSettled,
    WildStilled,
)
from companion.locale import Texts
from companion.table import dice, losses
from companion.table.acting import Decision, done, go_on, moment, pinned, upcoming
from companion.table.asking import Asking, Doing
from companion.table.computer import Computer
from companion.table.games import GAMES
from companion.table.house import House
from companion.table.questions import Chosen, Left, Menu, Value, pointing, speaks
from companion.table.setup import being_set_up
from companion.table.state import Table, to_note
from companion.table.tray import settled, stilled, stirred, wild_settled, wild_stilled
from companion.view import Prompt, Sign

LINGERS_S = 0.3  # so long it may still be on the screen, which is drawn anew once a beat


def decide(table: Table, fact: Fact, house: House, at_s: float) -> Decision:
    """What the table makes of one fact, `at_s` seconds after the start of its game."""
    after = _decided(replace(table, trouble="", deaf=False), fact, house, at_s)
    note = to_note(after.table)
    changed = after.actions or after.started or note != to_note(table) or isinstance(fact, TimePassed)
    return replace(after, noted=note | _of_game(after.table, house) if changed else None)


def _of_game(table: Table, house: House) -> dict[str, str]:
    """The game that is being set up: where only one is played, no answer tells it to a restart that may play others."""
    game = being_set_up(house, table.played) if table.match is None else None
    return {} if game is None else {"game": game}


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
            return settled(replace(table, stirred=False, hidden=None), reading, house, at_s, found=found)
        case WildSettled(die, found):
            return wild_settled(replace(table, stirred=False, wild_hidden=None), die, house, at_s, found=found)
        case Stirred():
            return Decision(stirred(table))
        case Stilled():
            return stilled(replace(table, stirred=False, hidden=None), table.hidden, house, at_s)
        case WildStilled():
            return wild_stilled(replace(table, wild_hidden=None), table.wild_hidden, house, at_s)
        case Cleared():
            return Decision(replace(stirred(table), stirred=False, hidden=None, wild=table.wild))
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


def _pressed(table: Table, button: Button, house: House, at_s: float, *, held: bool) -> Decision:
    if _opens_menu(button, held=held):
        return Decision(_menu(table, house, at_s))
    asking = upcoming(table, house, at_s)
    assert isinstance(asking, Asking), "a dialogue rests on a question"
    question = asking.question.at(table.cursor)
    match question.pressed(button):
        case Chosen(value):
            return go_on(_answered(table, asking.key, value), house, at_s)
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
    """To the question before, or on at once, where the dice it waits for have come to lie meanwhile; or to the menu."""
    if table.answers:
        return go_on(_taken_back(table, house, at_s), house, at_s)
    if table.menu:
        return go_on(table.without_menu(), house, at_s)
    return Decision(_menu(table, house, at_s))


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
    return not (table.menu or table.answers)


def _menu(table: Table, house: House, at_s: float) -> Table:
    """What was entered so far stands when the menu is closed, whatever comes to lie in the tray meanwhile."""
    return table if table.menu else pinned(table, house, at_s).with_menu()


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
            return done(table, messages, house, at_s)
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
