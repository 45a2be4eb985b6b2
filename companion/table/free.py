"""The dialogue of the free table: whose turn it is, the dice, the totals and every roll (F1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.events import Button
from companion.games.free import MOST_DICE, Settings
from companion.locale import Texts
from companion.table import dice
from companion.table.asking import Asking, Doing, Given, Leaving, Next, Starting
from companion.table.company import Company
from companion.table.ending import over, whether_to_end
from companion.table.house import House
from companion.table.moment import Moment
from companion.table.questions import Keys, Leaves, Marks, Meanings, Number, Pick
from companion.table.sheets import paged
from companion.view import Prompt, Rolled, Row, Sheet, Sign, Winner

ROLLS = 3  # of a player on one page, with room for six dice each


# --- the questions before it ------------------------------------------------------------------------------------------


def settings(house: House, company: Company, given: Given, _: Texts) -> Next:
    """Who starts, and how many dice at most; then the start."""
    first = given.get("first", 0 if len(company.names) == 1 else None)
    if first is None:
        return Asking("first", Pick(_("Who starts?"), tuple(enumerate(company.names))))
    if "dice" not in given:
        usual = {"dice": 2, **house.usual.get("free", {}), **company.agreed_on("dice")}
        return Asking("dice", Number(_("Dice at most?"), 1, MOST_DICE, usual["dice"]))
    assert isinstance(first, int)
    names = company.names[first:] + company.names[:first]
    seats = company.seats[first:] + company.seats[:first]
    message = {"do": "start", "game": "free", "players": list(names), "dice": given["dice"]}
    return Starting(message, seats)


def most_dice(agreed: Any) -> int:
    """Of one throw."""
    assert isinstance(agreed, Settings)
    return agreed.dice


# --- the game ---------------------------------------------------------------------------------------------------------


def dialogue(now: Moment, given: Given, _: Texts) -> Next:
    """The next question of the present step, or the actions that the answers make."""
    match now.state["step"]:
        case "roll":
            return _roll(now, given, _)
        case "accept":
            return _accept(now, given, _)
        case "over":
            return _over(now, given, _)
        case step:
            raise AssertionError(f"no dialogue for step {step!r}")


def _roll(now: Moment, given: Given, _: Texts) -> Next:
    match given.get("how"):
        case "sheet":
            return Asking("sheet", Leaves(tuple(sheets(now, _))))
        case "close":
            return _close(given, _)
    others: Meanings = {Button.MORE: ("sheet", _("Rolls")), Button.OK: ("close", _("End"))}
    return dice.throw(_roll_page(now, _), others, given, now.sighting, most_dice(now.match.settings), _)


def _roll_page(now: Moment, _: Texts) -> Prompt:
    line = _("Turn {n} · sum {sum}").format(n=now.state["turn"], sum=_sum(now))
    return Prompt(_("Roll the dice"), (line,), Sign.DICE)


def _sum(now: Moment) -> int:
    """Of all that the player rolled in this game so far."""
    return int(now.state["players"][now.state["player"]]["sum"])


def _close(given: Given, _: Texts) -> Next:
    if "sure" not in given:
        return whether_to_end(_)
    return Doing(({"do": "end"},)) if given["sure"] else Leaving()


def _accept(now: Moment, given: Given, _: Texts) -> Next:
    rolled = tuple(now.state["dice"])
    match given.get("how"):
        case "next":
            return Doing(({"do": "accept"},))
        case "fix":
            return dice.fixed(now, most_dice(now.match.settings), given, _)
        case "reroll":
            return _reroll(now, rolled, given, _)
        case "rethrown":
            assert now.sighting is not None
            return Doing((dice.rethrown_action(rolled, now.sighting),))
    if given.get("how") != "no" and dice.rethrown(rolled, now.sighting):
        assert now.sighting is not None
        return Asking("how", dice.ask_rethrown(now.sighting, _("Rolled again?"), _))
    note = dice.beside(rolled, now.sighting, now.seen, _)
    keys: Meanings = {
        Button.LESS: ("fix", _("Fix")),
        Button.MORE: ("reroll", _("Re-roll")),
        Button.OK: ("next", _.pgettext("player", "Next")),
    }
    text = _("Sum: {n} + {roll}").format(n=_sum(now), roll=now.state["total"])
    return Asking("how", Keys(Rolled(rolled, now.state["total"], text, note), keys))


def _reroll(now: Moment, rolled: tuple[int, ...], given: Given, _: Texts) -> Next:
    if "which" not in given and len(rolled) > 1:
        return Asking("which", Marks(_("Re-roll which?"), rolled))
    which = given.get("which", (0,))
    assert isinstance(which, tuple)
    return dice.again(rolled, which, given, now.sighting, _)


def _over(now: Moment, given: Given, _: Texts) -> Next:
    rows = tuple(Row(player["name"], str(player["sum"])) for player in now.state["players"])
    return over(given, Winner(_("The end"), (), rows), _("Rolls"), sheets(now, _), _)


# --- what was rolled --------------------------------------------------------------------------------------------------


def sheets(now: Moment, _: Texts) -> Iterator[Sheet]:
    """Everybody's sum, then each player's rolls, the latest first."""
    players = now.state["players"]
    sums = tuple(
        Row(player["name"], str(player["sum"]), "turn" if number == now.state["player"] else "")
        for number, player in enumerate(players)
    )
    yield from paged(_("Sums"), sums)
    for player in players:
        yield from _rolls(player)


def _rolls(player: Any) -> tuple[Sheet, ...]:
    rows = tuple(
        Row(f"{number}: {' '.join(str(pips) for pips in thrown)}", str(sum(thrown)))
        for number, thrown in reversed(tuple(enumerate(player["rolls"], 1)))
    )
    return tuple(Sheet(player["name"], rows[at : at + ROLLS]) for at in range(0, len(rows), ROLLS))
