"""The dialogue of Rat-a-Tat Roll: what is asked at each step, and what the answers make (rules R7-R20)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from companion.events import Button
from companion.games.roll.board import Board
from companion.games.roll.lines import MOST_DICE
from companion.locale import Texts
from companion.table import dice, wild
from companion.table.asking import Asking, Doing, Given, Leaving, Narrowing, Next, Words
from companion.table.ending import over, winner_page
from companion.table.house import House
from companion.table.moment import Moment
from companion.table.questions import Keys, Meanings, Number, Pick
from companion.table.redeal import reminder
from companion.table.sheets import paged
from companion.view import Prompt, RingView, Rolled, Row, Sheet, Sign
from companion.words import sign

CARDS = range(10)  # R3
WILD_COLOUR = (255, 255, 255)  # black spaces cannot be lit: Wild spaces shine white


@dataclass(frozen=True, slots=True)
class Landing:
    """The space that the pawn would reach: where it lies, what it means, and the pictogram for that."""

    place: str = ""
    meaning: str = ""
    sign: Sign | None = None


def dialogue(now: Moment, given: Given, _: Texts) -> Next:
    """The next question of the present step, or the actions that the answers make."""
    match now.state["step"]:
        case "roll":
            return _roll(now, given, _)
        case "accept":
            return _accept(now, given, _)
        case "wild":
            return wild.throw(now, given, _)
        case "wild_accept":
            return wild.thrown(now, given, _)
        case "take" | "peek" | "swap" | "discard":
            return _narrowed(now, given, _)
        case "refill":
            return _refill(now, given, _)
        case "redeal":
            return _redeal(now, given, _)
        case "reveal":
            return _reveal(now, given, _)
        case "over":
            return _over(now, given, _)
        case step:
            raise AssertionError(f"no dialogue for step {step!r}")


def landing_space(state: Any, board: Board) -> int | None:
    """Where the pawn will come to stand, while a roll waits to be accepted; then where it stands, to the turn's end."""
    match state["step"]:
        case "accept":
            return board.move(state["pawn"], state["total"])
        case "wild" | "wild_accept" | "take" | "peek" | "swap" if state["total"] is not None:
            return int(state["pawn"])
        case _:
            return None


def landing(now: Moment, _: Texts) -> Landing:
    """What the space means that the pawn would reach (R10), in the players' words."""
    number = landing_space(now.state, now.house.board)
    if number is None:
        return Landing()
    space = now.house.board.spaces[number]
    means = Sign(space.kind)
    words = sign(means, _)
    region = words.name if space.region is None else now.house.regions[space.region].name
    return Landing(region, words.help, means)


# --- number dice ------------------------------------------------------------------------------------------------------


def _roll(now: Moment, given: Given, _: Texts) -> Next:
    page = Prompt(_("Roll the dice"), (reminder(now, _) or _("1, 2 or 3 dice"),), Sign.DICE)
    return dice.throw(page, {}, given, now.sighting, MOST_DICE, _)


def _accept(now: Moment, given: Given, _: Texts) -> Next:
    rolled = tuple(now.state["dice"])
    match given.get("how"):
        case "move":
            return Doing(({"do": "accept"},))
        case "fix":
            return dice.fixed(now, MOST_DICE, given, _)
        case "reroll":
            return _reroll(now, given, _)
        case "rethrown":
            assert now.sighting is not None
            return Doing((dice.rethrown_action(rolled, now.sighting),))
    if given.get("how") != "no" and _tokens(now.state) and dice.rethrown(rolled, now.sighting):
        assert now.sighting is not None
        return Asking("how", dice.ask_rethrown(now.sighting, _("Re-roll for 1 token?"), _))
    return Asking("how", _rolled(now, _))


def _rolled(now: Moment, _: Texts) -> Keys:
    state = now.state
    space = landing(now, _)
    note = dice.beside(state["dice"], now.sighting, now.seen, _) or space.meaning
    page = Rolled(tuple(state["dice"]), state["total"], space.place, note, sign=space.sign)
    meanings: Meanings = {
        Button.LESS: ("fix", _("Fix")),
        Button.OK: ("move", _("Move")),
    }
    if _tokens(state):
        meanings[Button.MORE] = ("reroll", _("Re-roll"))
    return Keys(page, meanings)


def _tokens(state: Any) -> int:
    return int(state["players"][state["player"]]["tokens"])


def _reroll(now: Moment, given: Given, _: Texts) -> Next:
    """R9: which dice, then their new values, from the tray or by button."""
    rolled = tuple(now.state["dice"])
    if "which" not in given:
        options = tuple((which, dice.which_text(which, rolled, _)) for which in subsets(rolled))
        if len(options) > 1:
            return Asking("which", Pick(_("Re-roll which?"), options))
    which = given.get("which", (0,))
    assert isinstance(which, tuple)
    return dice.again(rolled, which, given, now.sighting, _)


def subsets(rolled: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """All dice first, then every other non-empty choice, single dice before pairs; of dice that show the same, one."""
    every = tuple(range(len(rolled)))
    found = {every: every} | {
        tuple(sorted(rolled[index] for index in which)): which
        for size in range(len(rolled) - 1, 0, -1)
        for which in reversed(tuple(combinations(every, size)))
    }
    return tuple(sorted(found.values(), key=lambda which: (which != every, len(which), which)))


# --- cards and Wild die -----------------------------------------------------------------------------------------------


def _narrowed(now: Moment, given: Given, _: Texts) -> Next:
    """Asks for what is open; an action without a choice is only told, so that the players do it and press OK."""
    found = Narrowing(tuple(now.legal), _words(now, _)).next(given)
    if isinstance(found, Doing) and not given:
        return Asking("told", Keys(_task(now, _), {Button.OK: (True, _("OK"))}))
    return found


def _task(now: Moment, _: Texts) -> Prompt:
    """Which card to take, where there is no choice."""
    face, space = now.state["wild"], landing(now, _)
    means = sign(Sign(face), _).help if face else space.meaning
    return Prompt(_take_title(now, _), (means,), Sign(face) if face else space.sign)


def _words(now: Moment, _: Texts) -> dict[str, Words]:
    """The words for every field of the card and Wild die actions, in the order in which they are decided."""
    names = [player["name"] for player in now.state["players"]]
    me = now.state["player"]
    regions = now.state["market"]

    def player_label(player: int, _given: Given) -> str:
        return _("My own cards") if player == me else names[player]

    def rat_title(given: Given) -> str:
        return _("{card}: a rat? (7-9)").format(card=_taken(now, given, _))

    def card_label(slot: int, _given: Given) -> str:
        return _("Card {n}").format(n=slot + 1)

    def region_label(region: int, _given: Given) -> str:
        return _("{region}: {value}").format(region=now.house.regions[region].name, value=regions[region])

    return {
        "do": Words(lambda given: _do_title(now, _), lambda action, given: _do_label(action, _)),
        "from": Words(lambda given: _("Take which card?"), lambda pile, given: _pile_text(pile, _)),
        "region": Words(lambda given: _take_title(now, _), region_label),
        "rat": Words(rat_title, lambda rat, given: _("Yes, a rat") if rat else _("No")),
        "mine": Words(lambda given: _("Which of yours?"), card_label),
        "player": Words(lambda given: _player_title(now, _), player_label),
        "theirs": Words(lambda given: _("For which of theirs?"), card_label),
        "slot": Words(lambda given: _slot_title(now, _), card_label),
    }


def _do_title(now: Moment, _: Texts) -> str:
    return _("Peek at cards?") if now.state["step"] == "peek" else _("Swap two cards?")


def _do_label(action: str, _: Texts) -> str:
    return {
        "peek": _("Yes, peek"),
        "swap": _("Yes, swap"),
        "decline": _("No"),
    }[action]


def _pile_text(pile: str, _: Texts) -> str:
    return {"market": _("Face-up card"), "deck": _("Draw pile")}[pile]


def _taken(now: Moment, given: Given, _: Texts) -> str:
    """The card that is being taken."""
    if given.get("from") == "deck":
        return _pile_text("deck", _)
    return (
        wild.face_text(now.state["wild"], _)
        if now.state["wild"]
        else _("{region} card").format(region=landing(now, _).place)
    )


def _take_title(now: Moment, _: Texts) -> str:
    return _("Take: {card}").format(card=_taken(now, {}, _))


def _player_title(now: Moment, _: Texts) -> str:
    return _("Look at whose?") if now.state["step"] == "peek" else _("Swap with whom?")


def _slot_title(now: Moment, _: Texts) -> str:
    return _("Discard which?") if now.state["step"] == "discard" else _("Which card?")


# --- the market, entered card by card (R23) ---------------------------------------------------------------------------


def _refill(now: Moment, given: Given, _: Texts) -> Next:
    if "value" not in given:
        region = now.house.regions[now.state["market"].index(None)].name
        return Asking("value", Number(_("New {region} card").format(region=region), min(CARDS), max(CARDS), 0))
    return Doing(({"do": "refill", "value": given["value"]},))


def _redeal(now: Moment, given: Given, _: Texts) -> Next:
    match market(given, now.house, _("Rats! New {region} card")):
        case Asking() as asking:
            return asking
        case values:
            return Doing(({"do": "redeal", "market": list(values)},))


def market(given: Given, house: House, title: str) -> Asking | tuple[int, ...]:
    """The five face-up cards, one question each (R5); `title` holds {region}, which the card lies in front of."""
    return _numbers(given, "market", 5, lambda n: title.format(region=house.regions[n - 1].name))


def _numbers(given: Given, key: str, count: int, title: Callable[[int], str]) -> Asking | tuple[int, ...]:
    values: list[int] = []
    for index in range(count):
        value = given.get(f"{key} {index}")
        if value is None:
            return Asking(f"{key} {index}", Number(title(index + 1), min(CARDS), max(CARDS), 0, tuple(values)))
        assert isinstance(value, int)
        values.append(value)
    return tuple(values)


# --- the reveal -------------------------------------------------------------------------------------------------------


def _reveal(now: Moment, given: Given, _: Texts) -> Next:
    """R19: each hand card by card, so that the referee adds up; R20: a contradiction is asked about."""
    players = now.state["players"]
    left = tuple((index, player["name"]) for index, player in enumerate(players) if not player["revealed"])
    if "player" not in given:
        if len(left) > 1:
            return Asking("player", Pick(_("All cards up! Whose?"), left))
        given = {**given, "player": left[0][0]}
    player = given["player"]
    assert isinstance(player, int)
    name = players[player]["name"]

    def title(n: int) -> str:
        return _("{name}: card {n}").format(name=name, n=n)

    match _numbers(given, "card", now.state["needed"], title):
        case Asking() as asking:
            return asking
        case cards:
            return _revealed(given, player, list(cards), _)


def _revealed(given: Given, player: int, cards: list[int], _: Texts) -> Next:
    message: dict[str, Any] = {"do": "reveal", "player": player, "cards": cards}
    slots = given.get("audit")
    if slots is None:
        return Doing((message,))
    assert isinstance(slots, tuple)
    match given.get("audited"):
        case "as played":
            return Doing(({**message, "force": True},))
        case "again":
            return Leaving()
    text = _.ngettext("Card {n} looks wrong", "Cards {n} look wrong", len(slots))
    page = Prompt(text.format(n=" ".join(str(slot + 1) for slot in slots)), (_("Look again?"),), Sign.ASK)
    meanings: Meanings = {
        Button.BACK: ("again", _("Again")),
        Button.OK: ("as played", _("Keep")),
    }
    return Asking("audited", Keys(page, meanings))


# --- the end ----------------------------------------------------------------------------------------------------------


def _over(now: Moment, given: Given, _: Texts) -> Next:
    return over(given, winner_page(now.state, _ranked(now.state), _), _("Scores"), sheets(now, _), _)


def sheets(now: Moment, _: Texts) -> tuple[Sheet, ...]:
    """Everybody's total, once all cards are known (R21)."""
    return paged(_("Points"), _ranked(now.state)) if now.state["step"] == "over" else ()


def _ranked(state: Any) -> tuple[Row, ...]:
    return tuple(
        Row(state["players"][player]["name"], str(total), "winner" if player in state["winners"] else "")
        for player, total in sorted(enumerate(state["totals"]), key=lambda pair: pair[1])
    )


# --- the ring ---------------------------------------------------------------------------------------------------------


def ring(seats: RingView, state: Any, house: House) -> RingView:
    """The seats with the board: the pawn, and where it would land."""
    return replace(
        seats,
        spaces=len(house.board.spaces),
        space_colours=tuple(
            WILD_COLOUR if space.region is None else house.regions[space.region].colour for space in house.board.spaces
        ),
        pawn=state["pawn"],
        landing=landing_space(state, house.board) if state["step"] == "accept" else None,
    )
