"""The questions before a game of Roll: who starts, how closely cards are followed, the tokens and the pawn (R4-R6)."""

from __future__ import annotations

from typing import Any

from companion.locale import Texts
from companion.table.asking import Asking, Given, Next, Starting
from companion.table.company import Company
from companion.table.house import House
from companion.table.questions import Number, Pick
from companion.table.roll import market

PAWN = "pawn"  # the key under which its space is answered, and the start message tells it


def settings(house: House, company: Company, given: Given, _: Texts) -> Next:
    """Who starts, what differs from the usual, and where the pawn is put, which nobody else sees; then the start."""
    if "first" not in given:
        return Asking("first", Pick(_("Who starts?"), tuple(enumerate(company.names))))
    if "usual" not in given:
        title = _("As last time?") if company.start else _("Usual settings?")
        return Asking("usual", Pick(title, ((True, _("Yes")), (False, _("Change")))))
    usual = {"cards": "ask", "pool": 20, **house.usual.get("roll", {}), **_as_before(house, company)}
    if not given["usual"]:
        asking = _changed(house, given, usual, _)
        if asking:
            return asking
        usual |= {key: given[key] for key in ("cards", "pool")}
    if PAWN not in given:
        return _pawn(house, usual.get(PAWN, house.wild_spaces[0]), _)
    usual[PAWN] = given[PAWN]
    if usual["cards"] == "track":
        cards = market(given, house, _("{region} card"))
        if isinstance(cards, Asking):
            return cards
        usual["market"] = list(cards)
    message = {"do": "start", "game": "roll", "players": list(company.names), "first": given["first"], **usual}
    return Starting(message, company.seats)


def _as_before(house: House, company: Company) -> dict[str, Any]:
    """The board may be another one since."""
    before = company.agreed_on("cards", "pool", PAWN)
    return {key: value for key, value in before.items() if key != PAWN or value in house.wild_spaces}


def _changed(house: House, given: Given, usual: dict[str, Any], _: Texts) -> Asking | None:
    if "cards" not in given:
        ways = {"ask": _("No, just ask"), "track": _("Yes, by value")}
        return Asking("cards", Pick(_("Follow the cards?"), tuple(ways.items()), tuple(ways).index(usual["cards"])))
    if "pool" not in given:
        return Asking("pool", Number(_("Tokens in the pool"), 0, max(40, usual["pool"]), usual["pool"]))
    return None


def _pawn(house: House, usual: int, _: Texts) -> Asking:
    spaces = tuple((space, _before(house, space, _)) for space in house.wild_spaces)
    return Asking(PAWN, Pick(_("Where is the pawn?"), spaces, house.wild_spaces.index(usual)))


def _before(house: House, space: int, _: Texts) -> str:
    """A Wild space by the region that follows, since no number is printed on it (R2)."""
    region = house.board.spaces[(space + 1) % len(house.board.spaces)].region
    assert region is not None
    return _("Before {region}").format(region=house.regions[region].name)
