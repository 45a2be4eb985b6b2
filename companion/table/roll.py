"""The dialogue of Rat-a-Tat Roll: what is asked at each step, and what the answers make (rules R7-R20)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeAlias

from companion.events import Button, Reading, Why
from companion.games.roll.board import Board
from companion.locale import Texts
from companion.table.asking import Asking, Doing, Given, Leaving, Message, Narrowing, Next, Words
from companion.table.house import House
from companion.table.questions import Dice, Keys, Number, Pick, Value
from companion.view import Prompt, Rolled, Row, Sign, Winner
from companion.words import sign, why

Action: TypeAlias = Callable[[tuple[int, ...]], Message]

MOST_DICE = 3  # R8
CARDS = range(10)  # R3


@dataclass(frozen=True, slots=True)
class Landing:
    """The space that the pawn would reach: where it lies, what it means, and the pictogram for that."""

    place: str = ""
    meaning: str = ""
    sign: Sign | None = None


@dataclass(frozen=True, slots=True)
class Moment:
    """What the dialogue looks at: the public state, what is legal, and what the camera saw.

    `sighting`: a reading that waits for the players' word. `landing`: what the space means that the pawn would reach.
    """

    state: Any
    legal: Iterable[Message]
    sighting: Reading | None = None
    landing: Landing = Landing()


def dialogue(now: Moment, given: Given, _: Texts) -> Next:
    """The next question of the present step, or the actions that the answers make."""
    match now.state["step"]:
        case "roll":
            return _roll(now, given, _)
        case "accept":
            return _accept(now, given, _)
        case "wild":
            return _narrowed(now, given, _)
        case "wild_accept":
            return _wild_accept(now, given, _)
        case "take" | "peek" | "swap" | "discard":
            return _narrowed(now, given, _)
        case "refill":
            return _refill(given, _)
        case "redeal":
            return _redeal(given, _)
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


def landing(state: Any, house: House, _: Texts) -> Landing:
    """What the space means that the pawn would reach (R10), in the players' words."""
    number = landing_space(state, house.board)
    if number is None:
        return Landing()
    space = house.board.spaces[number]
    means = Sign(space.kind)
    words = sign(means, _)
    region = words.name if space.region is None else house.regions[space.region].name
    return Landing(region, words.help, means)


# --- number dice ------------------------------------------------------------------------------------------------------


def _roll(now: Moment, given: Given, _: Texts) -> Next:
    if given.get("how") == "enter":
        return _entered(given, now.sighting, _roll_action, None, _)
    if given.get("how") == "as seen":
        assert now.sighting is not None
        return Doing(({"do": "roll", "dice": list(now.sighting.values)},))
    if now.sighting is not None:
        return Asking("how", _doubt(now.sighting, _, lawful=1 <= len(now.sighting.dice) <= MOST_DICE))
    page = Prompt(_("Roll the dice"), (_("1, 2 or 3 dice"),), Sign.DICE)
    return Asking("how", Keys(page, {Button.LESS: ("enter", _("Type"))}))


def _roll_action(dice: tuple[int, ...]) -> Message:
    return {"do": "roll", "dice": list(dice)}


def _doubt(sighting: Reading, _: Texts, *, lawful: bool) -> Keys:
    """Shows what was seen, never as a total, and asks."""
    words = why((sighting.why or Why.FAINT) if lawful else Why.COUNT, _)
    page = Rolled(sighting.values, None, words.name, _("Is this right?") if lawful else words.help, sign=Sign.ASK)
    meanings: dict[Button, tuple[Value, str]] = {Button.LESS: ("enter", _("Type"))}
    if lawful and None not in sighting.values:
        meanings[Button.OK] = ("as seen", _("Yes"))
    return Keys(page, meanings)


def _entered(given: Given, sighting: Reading | None, action: Action, count: int | None, _: Texts) -> Next:
    """Number of dice (unless known), then the dice, beginning with what the camera made of them."""
    guess = tuple(value or 1 for value in sighting.values) if sighting else ()
    if count is None:
        if "number" not in given:
            start = min(max(len(guess), 1), MOST_DICE)
            return Asking("number", Number(_("How many dice?"), 1, MOST_DICE, start))
        number = given["number"]
        assert isinstance(number, int)
        count = number
    if "dice" not in given:
        return Asking("dice", Dice(_("Type the dice"), (*guess, 1, 1, 1)[:count]))
    dice = given["dice"]
    assert isinstance(dice, tuple)
    return Doing((action(dice),))


def _accept(now: Moment, given: Given, _: Texts) -> Next:
    match given.get("how"):
        case "move":
            return Doing(({"do": "accept"},))
        case "fix":
            return _fixed(now, given, _)
        case "reroll":
            return _reroll(now, given, _)
        case "rethrown":
            return Doing((_rethrown_action(now),))
    if given.get("how") != "no" and rethrown(now):
        return Asking("how", _ask_rethrown(now, _))
    return Asking("how", _rolled(now, _))


def _rolled(now: Moment, _: Texts) -> Keys:
    state = now.state
    landing = now.landing
    note = why(Why.CHANGED, _).name if now.sighting is not None else landing.meaning
    page = Rolled(tuple(state["dice"]), state["total"], landing.place, note, sign=landing.sign)
    meanings: dict[Button, tuple[Value, str]] = {
        Button.LESS: ("fix", _("Fix")),
        Button.OK: ("move", _("Move")),
    }
    if _tokens(state):
        meanings[Button.MORE] = ("reroll", _("Reroll"))
    return Keys(page, meanings)


def _tokens(state: Any) -> int:
    return int(state["players"][state["player"]]["tokens"])


def _fixed(now: Moment, given: Given, _: Texts) -> Next:
    """The reading was wrong: the roll is entered as it lies. A token already spent stays spent."""
    if "dice" not in given:
        return Asking("dice", Dice(_("Type the dice"), tuple(now.state["dice"])))
    return Doing(({"do": "correct", "dice": given["dice"]},))


def this_turns_rolls(actions: Sequence[Message]) -> tuple[Message, ...]:
    """The roll under discussion and its re-rolls, oldest first: the newest actions, back to the first of their kind."""
    rolls: list[Message] = []
    for action in reversed(actions):
        rolls.insert(0, action)
        if action["do"] != "reroll":
            break
    return tuple(rolls)


def as_meant(rolls: tuple[Message, ...], correction: Message) -> tuple[Message, ...]:
    """The same rolls, ending with the corrected dice or face: each value is changed where it was thrown last."""
    if "face" in correction:
        return (*rolls[:-1], {**rolls[-1], "face": correction["face"]})
    meant: list[Message] = []
    left = dict(enumerate(correction["dice"]))
    for action in reversed(rolls):
        which = action.get("which", range(len(correction["dice"])))
        dice = [left.pop(index, thrown) for index, thrown in zip(which, action["dice"], strict=True)]
        meant.insert(0, {**action, "dice": dice})
    return tuple(meant)


def rerolling(given: Given) -> bool:
    """Whether dice are expected to be thrown again now."""
    return given.get("how") == "reroll"


def _reroll(now: Moment, given: Given, _: Texts) -> Next:
    """R9: which dice, then their new values, from the tray or by button."""
    dice = tuple(now.state["dice"])
    if "which" not in given:
        options = tuple((which, _which_text(which, dice, _)) for which in subsets(dice))
        if len(options) > 1:
            return Asking("which", Pick(_("Re-roll which?"), options))
    which = given.get("which", (0,))
    assert isinstance(which, tuple)
    if given.get("again") == "enter":
        return _entered(given, None, lambda new: _reroll_action(which, new), len(which), _)
    if now.sighting is not None:
        new = replaced(dice, which, now.sighting.values)
        if new is not None and now.sighting.sure:
            return Doing((_reroll_action(which, new),))
        if given.get("again") == "as seen" and new is not None:
            return Doing((_reroll_action(which, new),))
        return Asking("again", _doubt(now.sighting, _, lawful=new is not None))
    text = _.ngettext("Roll {n} die again", "Roll {n} dice again", len(which)).format(n=len(which))
    page = Prompt(text, (_which_text(which, dice, _),), Sign.DICE)
    return Asking("again", Keys(page, {Button.LESS: ("enter", _("Type"))}, turns_back=True))


def _reroll_action(which: tuple[int, ...], new: tuple[int, ...]) -> Message:
    return {"do": "reroll", "which": list(which), "dice": list(new)}


def subsets(dice: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """All dice first, then every other non-empty choice, single dice before pairs; of dice that show the same, one."""
    every = tuple(range(len(dice)))
    found = {every: every} | {
        tuple(sorted(dice[index] for index in which)): which
        for size in range(len(dice) - 1, 0, -1)
        for which in reversed(tuple(combinations(every, size)))
    }
    return tuple(sorted(found.values(), key=lambda which: (which != every, len(which), which)))


def _which_text(which: tuple[int, ...], dice: tuple[int, ...], _: Texts) -> str:
    if len(which) == len(dice) > 1:
        return _("All dice")
    return _("Only {dice}").format(dice=" ".join(str(dice[index]) for index in which))


def replaced(dice: tuple[int, ...], which: tuple[int, ...], values: Iterable[int | None]) -> tuple[int, ...] | None:
    """The new values of the dice `which`, given all dice as they lie now; None if the kept ones are not among them."""
    now = tuple(values)
    if len(now) != len(dice) or None in now:
        return None
    kept = Counter(value for index, value in enumerate(dice) if index not in which)
    lying = Counter(value for value in now if value is not None)
    if kept - lying:
        return None
    return tuple((lying - kept).elements())


def rethrown(now: Moment) -> tuple[int, ...]:
    """The dice that lie differently from the roll, where that can be one lawful re-roll; else none."""
    dice, sighting = tuple(now.state["dice"]), now.sighting
    if sighting is None or not sighting.sure or len(sighting.dice) != len(dice) or not _tokens(now.state):
        return ()
    changed = Counter(dice) - Counter(value for value in sighting.values if value is not None)
    which = []
    for index, value in enumerate(dice):
        if changed[value] > 0:
            changed[value] -= 1
            which.append(index)
    return tuple(which)


def _ask_rethrown(now: Moment, _: Texts) -> Keys:
    assert now.sighting is not None
    page = Rolled(now.sighting.values, None, _("Re-roll for 1 token?"), sign=Sign.ASK)
    return Keys(
        page,
        {
            Button.BACK: ("no", _("No")),
            Button.LESS: ("fix", _("Fix")),
            Button.OK: ("rethrown", _("Yes")),
        },
    )


def _rethrown_action(now: Moment) -> Message:
    which = rethrown(now)
    assert now.sighting is not None
    new = replaced(tuple(now.state["dice"]), which, now.sighting.values)
    assert new is not None
    return _reroll_action(which, new)


# --- cards and Wild die -----------------------------------------------------------------------------------------------


def _narrowed(now: Moment, given: Given, _: Texts) -> Next:
    """Asks for what is open; an action without a choice is only told, so that the players do it and press OK."""
    found = Narrowing(tuple(now.legal), _words(now, _)).next(given)
    if isinstance(found, Doing) and not given:
        return Asking("told", Keys(_task(now, _), {Button.OK: (True, _("OK"))}))
    return found


def _task(now: Moment, _: Texts) -> Prompt:
    match now.state["step"]:
        case "take":
            wild = now.state["wild"]
            return Prompt(_take_title(now, _), (now.landing.meaning,), Sign(wild) if wild else now.landing.sign)
        case _:
            return Prompt(_("{name}, your card!").format(name=now.state["players"][now.state["player"]]["name"]))


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
        return _("Card {n}: {value}").format(n=region + 1, value=regions[region])

    return {
        "do": Words(lambda given: _do_title(now, _), lambda action, given: _do_label(action, _)),
        "face": Words(lambda given: _("Wild die shows?"), lambda face, given: face_text(face, _)),
        "from": Words(lambda given: _("Take which card?"), lambda pile, given: _pile_text(pile, _)),
        "region": Words(lambda given: _take_title(now, _), region_label),
        "rat": Words(rat_title, lambda rat, given: _("Yes, a rat") if rat else _("No")),
        "mine": Words(lambda given: _("Swap my card"), card_label),
        "player": Words(lambda given: _player_title(now, _), player_label),
        "theirs": Words(lambda given: _("for their card"), card_label),
        "slot": Words(lambda given: _slot_title(now, _), card_label),
    }


def _do_title(now: Moment, _: Texts) -> str:
    match now.state["step"]:
        case "wild":
            return _("Your turn")
        case "peek":
            return _("Peek at cards?")
        case _:
            return _("Swap two cards?")


def _do_label(action: str, _: Texts) -> str:
    return {
        "wild": _("Roll the Wild die"),
        "skip": _("Skip the turn"),
        "peek": _("Yes, peek"),
        "swap": _("Yes, swap"),
        "decline": _("No"),
    }[action]


def face_text(face: str, _: Texts) -> str:
    """The Wild die's face in the players' words (R12)."""
    return {"lowest": _("Lowest card"), "highest": _("Highest card"), "swap": _("Swap")}[face]


def _pile_text(pile: str, _: Texts) -> str:
    return {"market": _("Face-up card"), "deck": _("Draw pile")}[pile]


def _taken(now: Moment, given: Given, _: Texts) -> str:
    """The card that is being taken."""
    if given.get("from") == "deck":
        return _pile_text("deck", _)
    return face_text(now.state["wild"], _) if now.state["wild"] else _("{region} card").format(region=now.landing.place)


def _take_title(now: Moment, _: Texts) -> str:
    return _("Take: {card}").format(card=_taken(now, {}, _))


def _player_title(now: Moment, _: Texts) -> str:
    return _("Look at whose?") if now.state["step"] == "peek" else _("Swap with whom?")


def _slot_title(now: Moment, _: Texts) -> str:
    return _("Discard which?") if now.state["step"] == "discard" else _("Which card?")


def _wild_accept(now: Moment, given: Given, _: Texts) -> Next:
    match given.get("how"):
        case "go":
            return Doing(({"do": "accept"},))
        case "fix":
            return _face(given, "correct", _)
        case "reroll":
            return _face(given, "reroll", _)
    face = Sign(now.state["wild"])
    words = sign(face, _)
    page = Prompt(words.name, (words.help,), face)
    meanings: dict[Button, tuple[Value, str]] = {Button.LESS: ("fix", _("Fix")), Button.OK: ("go", _("OK"))}
    if _tokens(now.state):
        meanings[Button.MORE] = ("reroll", _("Reroll"))
    return Asking("how", Keys(page, meanings))


def _face(given: Given, action: str, _: Texts) -> Next:
    if "face" not in given:
        faces = tuple((face, face_text(face, _)) for face in ("lowest", "highest", "swap"))
        return Asking("face", Pick(_("Wild die shows?"), faces))
    return Doing(({"do": action, "face": given["face"]},))


# --- the market, entered card by card (R23) ---------------------------------------------------------------------------


def _refill(given: Given, _: Texts) -> Next:
    if "value" not in given:
        return Asking("value", Number(_("New face-up card"), min(CARDS), max(CARDS), 0))
    return Doing(({"do": "refill", "value": given["value"]},))


def _redeal(given: Given, _: Texts) -> Next:
    match market(given, _("Too many rats! New card {n}")):
        case Asking() as asking:
            return asking
        case values:
            return Doing(({"do": "redeal", "market": list(values)},))


def market(given: Given, title: str) -> Asking | tuple[int, ...]:
    """The five face-up cards, one question each (R5); `title` holds {n}, the card's number."""
    return _numbers(given, "market", 5, title, 0)


def _numbers(given: Given, key: str, count: int, title: str, start: int) -> Asking | tuple[int, ...]:
    values: list[int] = []
    for index in range(count):
        value = given.get(f"{key} {index}")
        if value is None:
            return Asking(
                f"{key} {index}", Number(title.format(n=index + 1), min(CARDS), max(CARDS), start, tuple(values))
            )
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
    title = _("{name}: card {n}").replace("{name}", players[player]["name"])
    match _numbers(given, "card", now.state["needed"], title, 0):
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
    meanings: dict[Button, tuple[Value, str]] = {
        Button.BACK: ("again", _("Again")),
        Button.OK: ("as played", _("Keep")),
    }
    return Asking("audited", Keys(page, meanings))


# --- the end ----------------------------------------------------------------------------------------------------------


def _over(now: Moment, given: Given, _: Texts) -> Next:
    if "next" in given:
        return Leaving(game=False)
    return Asking("next", Keys(winner_page(now.state, _), {Button.OK: ("again", _("Again"))}))


def winner_page(state: Any, _: Texts) -> Winner:
    """R19: who won, and everybody's total, best first."""
    names = [player["name"] for player in state["players"]]
    rows = tuple(
        Row(names[player], str(total), "winner" if player in state["winners"] else "")
        for player, total in sorted(enumerate(state["totals"]), key=lambda pair: pair[1])
    )
    title = _.ngettext("Winner!", "Winners!", len(state["winners"]))
    return Winner(title, tuple(names[player] for player in state["winners"]), rows)
