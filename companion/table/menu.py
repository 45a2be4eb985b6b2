"""The menu behind the BACK button: what players may want at any time."""

from __future__ import annotations

from companion.locale import Texts
from companion.table import computer
from companion.table.asking import Asking, Doing, Given, Leaving, Next
from companion.table.computer import Computer
from companion.table.games import GAMES
from companion.table.moment import Moment
from companion.table.questions import Leaves, Pick, Value


def dialogue(now: Moment | None, switched: Computer | None, given: Given, _: Texts) -> Next:
    """The menu, or what was chosen from it."""
    match given.get("menu"):
        case "computer" if switched is not None:
            return computer.dialogue(switched, given, _)
        case None | "computer":
            return Asking("menu", Pick(_("Menu"), (*_entries(now, _), *computer.entry(switched, _))))
        case "undo":
            return Doing(({"do": "undo"},))
        case "sheets":
            assert now is not None
            return Asking("sheet", Leaves(GAMES[now.match.game].sheets(now, _)))
        case "new":
            return _new_game(given, _)
        case _:
            return Leaving()


def _entries(now: Moment | None, _: Texts) -> tuple[tuple[Value, str], ...]:
    back: tuple[Value, str] = ("back", _("Go on"))
    if now is None:
        return (back,)
    undo: tuple[tuple[Value, str], ...] = (("undo", _("Undo last step")),) if now.match.can_undo else ()
    sheets = (("sheets", _("Scores")),) if GAMES[now.match.game].sheets(now, _) else ()
    return (back, *undo, *sheets, ("new", _("New game")))


def _new_game(given: Given, _: Texts) -> Next:
    if "sure" not in given:
        return Asking("sure", Pick(_("End this game?"), ((False, _("No, go on")), (True, _("Yes, end it")))))
    return Leaving(game=not given["sure"])
