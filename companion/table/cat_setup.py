"""The questions before a game of Cat: who deals, how it ends, scores, the younger players' variant, and the pace."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from companion.locale import Texts
from companion.table.asking import Asking, Given, Next, Starting
from companion.table.company import Company
from companion.table.house import House
from companion.table.questions import Pick, Value

ENDS: Mapping[str, Any] = {"limit": 100, "rounds": 5, "minutes": 30}
USUAL: Mapping[str, Any] = {"end": {"limit": ENDS["limit"]}, "scores": True, "younger": False, "pace": "light"}
AMOUNTS = {"limit": (30, 50, 75, 100, 150, 200), "rounds": tuple(range(1, 13)), "minutes": (10, 15, 20, 30, 45, 60, 90)}


def settings(house: House, company: Company, given: Given, _: Texts) -> Next:
    """Who deals, and what differs from the usual; then the start."""
    usual = {**USUAL, **house.usual.get("cat", {}), **company.agreed_on(*USUAL)}
    if "dealer" not in given:
        return Asking("dealer", Pick(_("Who deals?"), tuple(enumerate(company.names)), company.dealer))
    if "usual" not in given:
        yes_or_no = ((True, _("Yes")), (False, _("Change")))
        return Asking("usual", Pick(_("{how}?").format(how=_how(usual, _)), yes_or_no))
    if not given["usual"]:
        changed = _changed(given, usual, {**ENDS, **house.ends}, _)
        if isinstance(changed, Asking):
            return changed
        usual = changed
    message = {"do": "start", "game": "cat", "players": list(company.names), "dealer": given["dealer"], **usual}
    return Starting(message, company.seats)


def _how(usual: Mapping[str, Any], _: Texts) -> str:
    """All that a yes agrees to, as far as it is not what everybody expects."""
    parts = (
        _end_text(usual["end"], _),
        # Translators: these follow how the game ends, as in "5 rounds, no points, younger players, every draw?"
        "" if usual["scores"] else _("no points"),
        _("younger players") if usual["younger"] else "",
        _("every draw") if usual["pace"] == "full" else "",
    )
    return ", ".join(part for part in parts if part)


def _changed(given: Given, usual: Mapping[str, Any], ends: Mapping[str, Any], _: Texts) -> Asking | dict[str, Any]:
    """C9, C11, C12: each setting once, beginning at the usual. `ends`: the usual amount of each way to end."""
    if "scores" not in given:
        counted = ((True, _("Points")), (False, _("Rounds won")))
        return Asking("scores", _pick(_("What is counted?"), counted, usual["scores"]))
    if "end" not in given:
        ways = {"limit": _("Points limit"), "rounds": _("Rounds"), "minutes": _("Minutes")}
        left = tuple((end, text) for end, text in ways.items() if given["scores"] or end != "limit")
        return Asking("end", _pick(_("How does it end?"), left, next(iter(usual["end"]))))
    end = str(given["end"])
    if "amount" not in given:
        first = usual["end"].get(end, ends[end])
        amounts = sorted({*AMOUNTS[end], ends[end], first})
        options = tuple((number, _end_text({end: number}, _)) for number in map(_whole, amounts))
        return Asking("amount", _pick(_("When?"), options, _whole(first)))
    if "younger" not in given:
        variant = ((False, _("No")), (True, _("Yes")))
        return Asking("younger", _pick(_("For younger players?"), variant, usual["younger"]))
    if "pace" not in given:
        paces = (("light", _("Only the turns")), ("full", _("Every draw")))
        return Asking("pace", _pick(_("Pace: what is told?"), paces, usual["pace"]))
    return {"end": {end: given["amount"]}} | {key: given[key] for key in ("scores", "younger", "pace")}


def _end_text(end: Mapping[str, Any], _: Texts) -> str:
    ((kind, amount),) = end.items()
    match kind:
        case "limit":
            return _.ngettext("Up to {n} point", "Up to {n} points", amount).format(n=amount)
        case "rounds":
            return _.ngettext("{n} round", "{n} rounds", amount).format(n=amount)
        case _:
            many = math.ceil(amount)  # a minute and a half is more than one
            return _.ngettext("{n} minute", "{n} minutes", many).format(n=_.decimal(str(_whole(amount))))


def _whole(amount: Any) -> Any:
    """Minutes without a fraction where they have none."""
    return int(amount) if amount == int(amount) else amount


def _pick(title: str, options: tuple[tuple[Value, str], ...], usual: Value) -> Pick:
    """The cursor begins at the usual."""
    values = [value for value, _label in options]
    return Pick(title, options, values.index(usual) if usual in values else 0)
