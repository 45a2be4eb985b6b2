"""Number dice at the table, whatever the game: read from the tray, entered by button, put right, thrown again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from companion.events import Button, Reading, Why
from companion.locale import Texts
from companion.table.asking import Asking, Doing, Given, Message, Next
from companion.table.moment import Moment
from companion.table.questions import Dice, Keys, Meanings, Number
from companion.view import Prompt, Rolled, Sign
from companion.words import Words, why

Action: TypeAlias = Callable[[tuple[int, ...]], Message]
Throw: TypeAlias = tuple[int, ...]

UNDOUBTED = Words("", "")


def throw(page: Prompt, others: Meanings, given: Given, seen: Reading | None, most: int, _: Texts) -> Next:
    """A first throw of up to `most` dice is due, as `page` says. `others`: what the buttons mean beside entering."""
    if given.get("how") == "enter":
        return entered(given, seen, roll_action, None, most, _)
    if given.get("how") == "as seen":
        assert seen is not None
        return Doing(({"do": "roll", "dice": list(seen.values)},))
    if seen is not None:
        return Asking("how", doubt(seen, _, lawful=1 <= len(seen.dice) <= most))
    return Asking("how", Keys(page, {Button.LESS: ("enter", _("Type")), **others}))


def typing(given: Given) -> bool:
    """Whether a player enters by button what lies in the tray, or puts it right."""
    return given.get("how") in ("enter", "fix") or given.get("again") == "enter"


def roll_action(dice: Throw) -> Message:
    return {"do": "roll", "dice": list(dice)}


def correct_action(dice: Throw) -> Message:
    return {"do": "correct", "dice": list(dice)}


def reroll_action(which: Throw, new: Throw) -> Message:
    return {"do": "reroll", "which": list(which), "dice": list(new)}


def doubt(sighting: Reading, _: Texts, *, lawful: bool, words: Words | None = None, turns_back: bool = False) -> Keys:
    """Shows what was seen, never as a total, and asks. `words`: what is not right about it, where that is known.

    Nothing is wrong with a sure reading that came while the dice were typed.
    """
    may_be_right = lawful and None not in sighting.values
    words = words or (UNDOUBTED if sighting.sure and may_be_right else why(_reason(sighting, lawful=lawful), _))
    note = _("Are these the dice?") if may_be_right else words.help
    page = Rolled(sighting.values, None, words.name, note, sign=Sign.ASK)
    meanings: Meanings = {Button.LESS: ("enter", _("Type"))}
    if may_be_right:
        meanings[Button.OK] = ("as seen", _("Yes"))
    return Keys(page, meanings, turns_back=turns_back)


def _reason(sighting: Reading, *, lawful: bool) -> Why:
    """Where no die is seen, what keeps them from being seen; it would be wrong to count them."""
    if not sighting.dice:
        return sighting.why or Why.EMPTY
    return sighting.why or Why.FAINT if lawful else Why.COUNT


def entered(given: Given, sighting: Reading | None, action: Action, count: int | None, most: int, _: Texts) -> Next:
    """Number of dice (unless known), then the dice, beginning with what the camera made of them."""
    return _typed(given, sighting.values if sighting else (), action, count, most, _)


def fixed(now: Moment, most: int, given: Given, _: Texts) -> Next:
    """The reading was wrong: the roll is entered as it lies, up to `most` dice.

    After a re-roll as many lie there as were agreed to be rolled again or to stay.
    """
    dice = tuple(now.state["dice"])
    known = len(this_turns_rolls(now.standing)) > 1
    return _typed(given, dice, correct_action, len(dice) if known else None, most, _)


def _typed(given: Given, guess: Sequence[int | None], action: Action, count: int | None, most: int, _: Texts) -> Next:
    if most == 1:
        count = 1
    if count is None:
        if "number" not in given:
            start = min(max(len(guess), 1), most)
            return Asking("number", Number(_("How many dice?"), 1, most, start))
        number = given["number"]
        assert isinstance(number, int)
        count = number
    if "dice" not in given:
        return Asking("dice", Dice(_("Type the dice"), (*guess, *[None] * most)[:count]))
    dice = given["dice"]
    assert isinstance(dice, tuple)
    return Doing((action(dice),))


def beside(dice: Sequence[int], sighting: Reading | None, seen: Reading | None, _: Texts) -> str:
    """What must be said beside the roll shown: that other dice lie in the tray, as after a re-roll was taken back."""
    if sighting is not None:
        return why(Why.CHANGED, _).name
    others = seen is not None and sorted(dice) != sorted(value or 0 for value in seen.values)
    return _("Other dice lie there") if others else ""


def this_turns_rolls(newest: Iterable[Message]) -> tuple[Message, ...]:
    """The roll under discussion and its re-rolls, oldest first, of a game's actions, newest first."""
    rolls: list[Message] = []
    for action in newest:
        rolls.insert(0, action)
        if action["do"] != "reroll":
            break
    return tuple(rolls)


def as_meant(rolls: tuple[Message, ...], correction: Message) -> tuple[Message, ...]:
    """The same rolls, ending with the corrected dice or face: each value is changed where it was thrown last.

    Of a roll without re-rolls the number of dice may be another one, too.
    """
    if "face" in correction:
        return (*rolls[:-1], {**rolls[-1], "face": correction["face"]})
    if len(rolls) == 1:
        return ({**rolls[0], "dice": correction["dice"]},)
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


def again(dice: Throw, which: Throw, given: Given, sighting: Reading | None, _: Texts) -> Next:
    """The new values of the dice `which`, from the tray or by button."""
    if given.get("again") == "enter":
        return entered(given, None, lambda new: reroll_action(which, new), len(which), len(dice), _)
    if sighting is not None:
        new = replaced(dice, which, sighting.values)
        if new is not None and (sighting.sure or given.get("again") == "as seen"):
            return Doing((reroll_action(which, new),))
        words = _not_again(dice, which, sighting, _)
        return Asking("again", doubt(sighting, _, lawful=new is not None, words=words, turns_back=True))
    text = _.ngettext("Roll {n} die again", "Roll {n} dice again", len(which)).format(n=len(which))
    page = Prompt(text, (which_text(which, dice, _),), Sign.DICE)
    return Asking("again", Keys(page, {Button.LESS: ("enter", _("Type"))}, turns_back=True))


def _not_again(dice: Throw, which: Throw, sighting: Reading, _: Texts) -> Words:
    """Why the dice in the tray are not the new roll: their number, a doubt, or a die that was to stay."""
    if not sighting.sure or len(sighting.dice) != len(dice):
        return why(_reason(sighting, lawful=len(sighting.dice) == len(dice)), _)
    kept = [str(value) for index, value in enumerate(dice) if index not in which]
    help_ = _.ngettext("Put it back as it was", "Put them back as they were", len(kept))
    return Words(_("{dice} must stay").format(dice=" ".join(kept)), help_)


def which_text(which: Throw, dice: Throw, _: Texts) -> str:
    """The chosen dice in words."""
    if len(which) == len(dice) > 1:
        return _("All dice")
    return _("The {dice}").format(dice=" ".join(str(dice[index]) for index in which))


def replaced(dice: Throw, which: Throw, values: Iterable[int | None]) -> Throw | None:
    """The new values of the dice `which`, given all dice as they lie now; None if the kept ones are not among them."""
    now = tuple(values)
    if len(now) != len(dice) or None in now:
        return None
    kept = Counter(value for index, value in enumerate(dice) if index not in which)
    lying = Counter(value for value in now if value is not None)
    if kept - lying:
        return None
    return tuple((lying - kept).elements())


def rethrown(dice: Throw, sighting: Reading | None) -> Throw:
    """The dice that lie differently from the roll, where that can be one re-roll; else none."""
    if sighting is None or not sighting.sure or len(sighting.dice) != len(dice):
        return ()
    changed = Counter(dice) - Counter(value for value in sighting.values if value is not None)
    which = []
    for index, value in enumerate(dice):
        if changed[value] > 0:
            changed[value] -= 1
            which.append(index)
    return tuple(which)


def rethrown_action(dice: Throw, sighting: Reading) -> Message:
    """The re-roll that the dice in the tray tell of."""
    which = rethrown(dice, sighting)
    new = replaced(dice, which, sighting.values)
    assert new is not None
    return reroll_action(which, new)


def ask_rethrown(sighting: Reading, text: str, _: Texts) -> Keys:
    """Dice were thrown again without a word: whether that was meant."""
    page = Rolled(sighting.values, None, text, sign=Sign.ASK)
    meanings: Meanings = {
        Button.BACK: ("no", _("No")),
        Button.LESS: ("fix", _("Fix")),
        Button.OK: ("rethrown", _("Yes")),
    }
    return Keys(page, meanings)
