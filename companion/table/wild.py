"""The Wild die at the table (R12, R16): read from the tray, entered by button, put right, thrown again."""

from __future__ import annotations

from companion.events import Button, Why, WildDie
from companion.games.roll import FACES
from companion.locale import Texts
from companion.table.asking import Asking, Doing, Given, Message, Next
from companion.table.dice import rerolling
from companion.table.moment import Moment
from companion.table.questions import Keys, Meanings, Pick
from companion.table.redeal import reminder
from companion.view import Prompt, Sign
from companion.words import sign, why


def face_text(face: str, _: Texts) -> str:
    """The Wild die's face in the players' words (R12)."""
    return {"lowest": _("Lowest card"), "highest": _("Highest card"), "swap": _("Swap")}[face]


def throw(now: Moment, given: Given, _: Texts) -> Next:
    """The Wild die is due, read from the tray where a camera knows it; with all cards one may skip instead (R16)."""
    match given.get("how"):
        case "skip":
            return Doing(({"do": "skip"},))
        case "enter":
            return _entered(given, "wild", _)
        case "as seen":
            return Doing((_seen(now, "wild"),))
    if now.wild is not None:
        return Asking("how", _doubt(now.wild, _))
    if "skip" in now.match.ask.actions:
        return Asking("how", _or_skip(now, _))
    if not now.house.reads_wild:
        return _entered(given, "wild", _)
    page = Prompt(_("Roll the Wild die"), (_("Into the tray"),), Sign.WILD)
    return Asking("how", Keys(page, {Button.LESS: ("enter", _("Type"))}))


def _or_skip(now: Moment, _: Texts) -> Keys:
    """OK does neither, since a tap too many on it, at the end of the turn before, would."""
    rats = reminder(now, _)
    lines = (rats or _("or skip the turn"),) if now.house.reads_wild else (rats, _("Then press Type"))
    meanings: Meanings = {Button.LESS: ("enter", _("Type")), Button.MORE: ("skip", _("Skip"))}
    return Keys(Prompt(_("Roll the Wild die"), tuple(filter(None, lines)), Sign.WILD), meanings)


def thrown(now: Moment, given: Given, _: Texts) -> Next:
    """The face that is up, to be followed, put right, or rolled again for a token (R9)."""
    match given.get("how"):
        case "go":
            return Doing(({"do": "accept"},))
        case "fix":
            return _entered(given, "correct", _)
        case "rethrown":
            return Doing((_seen(now, "reroll"),))
    if rerolling(given):
        return _again(now, given, _) if now.house.reads_wild else _entered(given, "reroll", _)
    if given.get("how") != "no" and now.wild is not None and now.wild.face and _tokens(now):
        return Asking("how", _ask_rethrown(now.wild.face, _))
    return Asking("how", _shown(now, _))


def _shown(now: Moment, _: Texts) -> Keys:
    face = Sign(now.state["wild"])
    words = sign(face, _)
    meanings: Meanings = {Button.LESS: ("fix", _("Fix")), Button.OK: ("go", _("OK"))}
    if _tokens(now):
        meanings[Button.MORE] = ("reroll", _("Re-roll"))
    moved = () if now.wild is None else (why(Why.CHANGED, _).name,)
    return Keys(Prompt(words.name, (words.help, *moved), face), meanings)


def _again(now: Moment, given: Given, _: Texts) -> Next:
    """The new face, from the tray or by button."""
    match given.get("again"):
        case "enter":
            return _entered(given, "reroll", _)
        case "as seen":
            return Doing((_seen(now, "reroll"),))
    if now.wild is not None:
        return Asking("again", _doubt(now.wild, _, turns_back=True))
    page = Prompt(_("Roll the Wild die again"), (_("Into the tray"),), Sign.WILD)
    return Asking("again", Keys(page, {Button.LESS: ("enter", _("Type"))}, turns_back=True))


def _doubt(die: WildDie, _: Texts, *, turns_back: bool = False) -> Keys:
    """Shows what was seen, never as a roll, and asks."""
    meanings: Meanings = {Button.LESS: ("enter", _("Type"))}
    if die.face is None:
        words = why(die.why or Why.FAINT, _)
        help_ = words.help if die.why is Why.COCKED else _("Which face is up?")
        return Keys(Prompt(words.name, (help_,), Sign.ASK), meanings, turns_back)
    meanings[Button.OK] = ("as seen", _("Yes"))
    face = Sign(die.face)
    return Keys(Prompt(sign(face, _).name, (_("Is this right?"),), face), meanings, turns_back)


def _ask_rethrown(face: str, _: Texts) -> Keys:
    """The Wild die was thrown again without a word: whether that was meant."""
    meanings: Meanings = {
        Button.BACK: ("no", _("No")),
        Button.LESS: ("fix", _("Fix")),
        Button.OK: ("rethrown", _("Yes")),
    }
    return Keys(Prompt(sign(Sign(face), _).name, (_("Re-roll for 1 token?"),), Sign(face)), meanings)


def _entered(given: Given, action: str, _: Texts) -> Next:
    if "face" not in given:
        return Asking("face", Pick(_("Wild die shows?"), tuple((face, face_text(face, _)) for face in FACES)))
    return Doing(({"do": action, "face": given["face"]},))


def _seen(now: Moment, action: str) -> Message:
    assert now.wild is not None
    return {"do": action, "face": now.wild.face}


def _tokens(now: Moment) -> int:
    return int(now.state["players"][now.state["player"]]["tokens"])
