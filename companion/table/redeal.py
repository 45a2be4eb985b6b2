"""The market where nobody follows its values (R22): that too many rats lie face-up is not known, but reminded of."""

from __future__ import annotations

from collections.abc import Iterable

from companion.locale import Texts
from companion.table.asking import Message
from companion.table.moment import Moment


def reminder(now: Moment, _: Texts) -> str:
    """R14: what the players do where more than three rats may lie face-up as a turn begins; else ""."""
    if now.state["market"] is not None or not _may_be_due(now.standing):
        return ""
    return _("4 rats? 5 new cards")


def _may_be_due(newest: Iterable[Message]) -> bool:
    """After the setup, and after a turn in which a card that is no rat made room for another: what takes the place of
    a rat makes them no more."""
    for action in newest:
        match action["do"]:
            case "take":
                return action["from"] == "market" and not action["rat"]
            case "roll" | "wild" | "skip":
                return False
    return True
