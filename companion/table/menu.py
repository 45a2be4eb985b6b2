"""The menu behind the BACK button: what players may want at any time."""

from __future__ import annotations

from companion import words
from companion.locale import Texts
from companion.table import computer
from companion.table.asking import Asking, Doing, Given, Leaving, Next
from companion.table.computer import Computer
from companion.table.ending import whether_to_end
from companion.table.games import GAMES
from companion.table.moment import Moment
from companion.table.questions import Leaves, Pick, Value


def dialogue(now: Moment | None, switched: Computer | None, given: Given, _: Texts, lost: tuple[str, ...] = ()) -> Next:
    """The menu, or what was chosen from it. `lost`: roles of the devices that are lost."""
    match given.get("menu"):
        case "computer" if switched is not None:
            return computer.dialogue(switched, given, _)
        case None | "computer":
            entries = (*_entries(now, _), *computer.entry(switched, _), *_lost_entry(lost, _))
            return Asking("menu", Pick(_("Menu"), entries))
        case "lost":
            return Leaving() if "told" in given else Asking("told", Pick(_("What is lost?"), _losses(lost, _)))
        case "undo":
            return Doing(({"do": "undo"},))
        case "sheets":
            assert now is not None
            return Asking("sheet", Leaves(tuple(GAMES[now.match.game].sheets(now, _))))
        case "new":
            return _new_game(given, _)
        case _:
            return Leaving()


def _entries(now: Moment | None, _: Texts) -> tuple[tuple[Value, str], ...]:
    back: tuple[Value, str] = ("back", _("Go on"))
    if now is None:
        return (back,)
    undo: tuple[tuple[Value, str], ...] = (("undo", _("Undo last step")),) if now.match.can_undo else ()
    sheets = (("sheets", _("Scores")),) if any(GAMES[now.match.game].sheets(now, _)) else ()
    return (back, *undo, *sheets, ("new", _("New game")))


def _lost_entry(lost: tuple[str, ...], _: Texts) -> tuple[tuple[Value, str], ...]:
    """The last one, so that no other moves under a player's finger when a cable is pulled."""
    return (("lost", _("What is lost?")),) if lost else ()


def _losses(lost: tuple[str, ...], _: Texts) -> tuple[tuple[Value, str], ...]:
    """What it was that the screen said for a moment; everything may be well again by now."""
    told = [text for role in lost for said in (words.device(role, _),) for text in (said.name, said.help)]
    return tuple((None, text) for text in told or [_("All is well")])


def _new_game(given: Given, _: Texts) -> Next:
    if "sure" not in given:
        return whether_to_end(_)
    return Leaving(game=not given["sure"])
