"""Players who play by chance, through the very buttons and dice that people use. Chance comes in as a generator."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, TypeAlias

from companion.events import Button
from companion.table.acting import upcoming
from companion.table.asking import Asking
from companion.table.house import House
from companion.table.picture import expects_dice, expects_wild
from companion.table.questions import DONE, LETTERS, Dice, Keys, Leaves, Marks, Name, Number, Pick, Question, Value
from companion.table.state import Table

SKIP_CHANCE = 0.15
LEFT_CHANCE = 0.5  # that dice which are not thrown stay in the tray
# Of what players do now and then, where a button offers it
CHANCES = {"skip": SKIP_CHANCE, "reroll": 0.25, "knock": 0.12, "take": 0.35, "discard": 0.4, "total": 0.3, "other": 0.2}
CURIOSITY = {"help": 0.03, "sheet": 0.05}
WILD_STEPS = ("wild", "wild_accept")
FREE_ROLLS = 4  # of each player, before the free table is closed
FACES = ("lowest", "lowest", "highest", "highest", "swap", "swap")  # R12: each face twice


@dataclass(frozen=True, slots=True)
class Lying:
    """What truly lies in the tray: the number dice, and the Wild die's face if it lies there."""

    dice: tuple[int, ...] = ()
    face: str | None = None


@dataclass(frozen=True, slots=True)
class Throw:
    """Dice go into the tray. `lying`: how all come to rest. `kept`: how many number dice stay where they are.

    `wild_stays`: so does the Wild die.
    """

    lying: Lying
    kept: int = 0
    wild_stays: bool = False


@dataclass(frozen=True, slots=True)
class Push:
    """The next button to be pressed."""

    button: Button


Move: TypeAlias = Throw | Push


def due(table: Table, house: House) -> Value:
    """Names the throw that is due now, a different name for each; None where no dice are to be thrown."""
    if table.match is None or table.menu:
        return None
    asking = upcoming(table, house)
    assert isinstance(asking, Asking)
    wild = asking.key == "face" or expects_wild(table, house)
    if expects_dice(table) is None and not wild:
        return None
    which = table.given.get("which", ())
    assert isinstance(which, tuple)
    return (table.match.length, int(wild), *which)


def throw(table: Table, lying: Lying, chance: random.Random) -> Throw:
    """The throw that is due: the Wild die, all number dice of a first throw, or those chosen to be thrown again.

    What else is `lying` there is left, or taken up before.
    """
    assert table.match is not None
    state: Any = table.match.public
    left = chance.random() < LEFT_CHANCE
    if state["step"] == "roll":
        count = chance.randint(*(expects_dice(table) or (1, 1)))
        face = lying.face if left else None
        return Throw(Lying(tuple(chance.randint(1, 6) for _die in range(count)), face), wild_stays=face is not None)
    if state["step"] != "accept":
        dice = lying.dice if left else ()
        return Throw(Lying(dice, chance.choice(FACES)), kept=len(dice))
    which = table.given.get("which", (0,))
    assert isinstance(which, tuple)
    kept = tuple(value for index, value in enumerate(state["dice"]) if index not in which)
    thrown = tuple(chance.randint(1, 6) for _die in which)
    return Throw(Lying((*kept, *thrown), lying.face), len(kept), wild_stays=lying.face is not None)


def move(
    table: Table, house: House, lying: Lying, goal: Value, chance: random.Random, *, thrown: bool
) -> tuple[Move, Value]:
    """The robot's next move, and what it wants the present question to be answered with (None: not decided yet).

    `thrown`: whether the throw that is due was made, and `lying` is how it came to rest.
    """
    asking = upcoming(table, house)
    assert isinstance(asking, Asking)
    question = asking.question.at(table.cursor)
    chosen = asking.key != "which"  # else what comes to lie may be read as the new roll, or as one before it
    if chosen and due(table, house) is not None and not thrown and not _had_enough(table):
        if _may_skip(question) and chance.random() < SKIP_CHANCE:
            return Push(toward(question, "skip")), None
        return throw(table, lying, chance), None
    if _had_enough(table) and due(table, house) is not None and table.sighting is not None and not thrown:
        return Throw(Lying()), None  # or what still lies there would be one roll more
    wanted = goal if fits(question, goal) else wish(table, asking.key, question, lying, chance)
    button = toward(question, wanted)
    return Push(button), None if button is Button.OK or isinstance(question, Keys) else wanted


def fits(question: Question, goal: Value) -> bool:
    """Whether that can answer the question; the camera may have put another one since it was decided."""
    match question:
        case Pick(options=options):
            return goal is not None and goal in [value for value, _label in options]
        case Keys(meanings=meanings):
            return goal is not None and goal in [value for value, _label in meanings.values()]
        case Number(low=low, high=high):
            return isinstance(goal, int) and low <= goal <= high
        case Dice(values=values):
            return isinstance(goal, tuple) and len(goal) == len(values)
        case Marks():
            return isinstance(goal, tuple)
        case Name():
            return isinstance(goal, str)
        case Leaves():
            return True


def wish(table: Table, key: str, question: Question, lying: Lying, chance: random.Random) -> Value:
    """What the players would answer: the truth about dice, and else whatever comes to mind."""
    match question:
        case Pick(options=options):
            return _picked(key, [value for value, _label in options], lying, chance)
        case Dice(values=values):
            return _as_they_lie(lying, len(values)) or tuple(value or 1 for value in values)
        case Number(low=low, high=high):
            return _number(key, low, high, lying, chance)
        case Name():
            return key.replace("spelled", "Robo")  # each player's is another one
        case Keys():
            return _key(table, question, lying, chance)
        case Leaves():
            return None
        case Marks(values=values):
            return tuple(sorted(chance.sample(range(len(values)), chance.randint(1, len(values)))))


def _as_they_lie(lying: Lying, count: int) -> tuple[int, ...]:
    """The newest of the dice, in order, as they are read; none where so many do not lie there."""
    return tuple(sorted(lying.dice[-count:])) if len(lying.dice) >= count else ()


def _may_skip(question: Question) -> bool:
    return isinstance(question, Keys) and any(value == "skip" for value, _label in question.meanings.values())


def _number(key: str, low: int, high: int, lying: Lying, chance: random.Random) -> int:
    """Hands are better than the pile they came from."""
    if key == "number":
        return max(low, len(lying.dice))
    if key.startswith("card"):
        return min(chance.randint(low, high), chance.randint(low, high))
    if key == "points":
        return sum(_number("card", 0, 9, lying, chance) for _slot in range(4))
    return chance.randint(low, high)


def _had_enough(table: Table) -> bool:
    """Nothing but the players ends a free table."""
    if table.match is None or table.match.game != "free":
        return False
    return bool(table.match.public["turn"] > FREE_ROLLS * len(table.match.public["players"]))


def _picked(key: str, values: list[Value], lying: Lying, chance: random.Random) -> Value:
    match key:
        case "face":
            return lying.face
        case "usual" | "again" | "sure":
            return True
        case _ if key.startswith("name"):
            return values[0]
        case _:
            return chance.choice(values)


def _key(table: Table, question: Keys, lying: Lying, chance: random.Random) -> Value:
    """Which meaning of the buttons is wanted: what is seen is confirmed only where it is true."""
    values = [value for value, _label in question.meanings.values()]
    if (
        table.wild is not None
        and "as seen" in values
        and table.match is not None
        and table.match.ask.step in WILD_STEPS
    ):
        return "as seen" if table.wild.face == lying.face else "enter"
    if table.sighting is not None and "as seen" in values:
        true = sorted(lying.dice) == sorted(value or 0 for value in table.sighting.values)
        return "as seen" if true else "enter"
    if "rethrown" in values:  # they never throw again without a word
        return "no"
    for value, odds in (CHANCES | CURIOSITY).items():
        if value in values and chance.random() < odds:
            return value
    if "enter" in values and not _had_enough(table):
        return "enter"
    return question.meanings[Button.OK][0]


def toward(question: Question, wanted: Value) -> Button:
    """The press that brings a question nearer to an answer."""
    match question:
        case Pick(options=options, index=index):
            target = [value for value, _label in options].index(wanted)
            return _round(index, target, len(options))
        case Number(low=low, high=high, value=value):
            assert isinstance(wanted, int)
            return _round(value - low, wanted - low, high - low + 1)
        case Dice(values=values, index=index):
            assert isinstance(wanted, tuple)
            return _round((values[index] or 0) - 1, wanted[index] - 1, 6)
        case Name(text=text, place=place):
            return _spelled(text, place, str(wanted))
        case Leaves():
            return Button.OK
        case Marks(values=values, marked=marked, index=index):
            assert isinstance(wanted, tuple)
            return _marked(len(values), marked, index, wanted)
        case Keys(meanings=meanings):
            return next(button for button, (value, _label) in meanings.items() if value == wanted)


def _marked(count: int, marked: tuple[int, ...], index: int, wanted: tuple[int, ...]) -> Button:
    if marked == wanted or (not marked and len(wanted) == count):
        return Button.OK
    return Button.LESS if (index in marked) != (index in wanted) else Button.MORE


def _round(at: int, target: int, span: int) -> Button:
    """The shorter way round."""
    if at == target:
        return Button.OK
    return Button.MORE if (target - at) % span <= span // 2 else Button.LESS


def _spelled(text: str, place: int, wanted: str) -> Button:
    letter = DONE if text == wanted else wanted[len(text)].upper()
    return _round(place, LETTERS.index(letter), len(LETTERS))
