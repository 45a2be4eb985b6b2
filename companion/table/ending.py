"""The end of a game, whichever it was: who won, where everybody stands, and another one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.events import Button
from companion.locale import Texts
from companion.table.asking import Asking, Given, Leaving, Next
from companion.table.questions import Keys, Leaves, Meanings, Pick
from companion.view import Row, Sheet, Winner


def over(given: Given, shown: Winner, label: str, sheets: Iterable[Sheet], _: Texts) -> Next:
    """The last page, from which the sheets are opened by `label`, and the next game begins."""
    match given.get("next"):
        case "again":
            return _another(given, _)
        case "sheet":
            return Asking("sheet", Leaves(tuple(sheets)))
    keys: Meanings = {Button.LESS: ("sheet", label), Button.OK: ("again", _("New game"))}
    return Asking("next", Keys(shown, keys))


def _another(given: Given, _: Texts) -> Next:
    """Asked about, since a tap too many on the OK that ended the game comes here, and nothing brings the game back."""
    if "sure" not in given:
        return Asking("sure", Pick(_("New game?"), ((False, _("No")), (True, _("Yes")))))
    return Leaving(game=not given["sure"])


def whether_to_end(_: Texts) -> Asking:
    """Whether players mean it who end a game before its end. The answer is `sure`."""
    return Asking("sure", Pick(_("End this game?"), ((False, _("No, go on")), (True, _("Yes, end it")))))


def winner_page(state: Any, rows: tuple[Row, ...], _: Texts) -> Winner:
    """R19, C9, C12: who won. `rows`: everybody's total, best first."""
    names = tuple(state["players"][player]["name"] for player in state["winners"])
    return Winner(_.ngettext("Winner!", "Winners!", len(names)), names, rows)
