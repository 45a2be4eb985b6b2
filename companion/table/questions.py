"""Questions that four buttons can answer, each a frozen value: what it shows, and what a press makes of it.

A press on a question gives the same question with its cursor moved, `Chosen` with the answer, or `Left` when the player
turns back. `cursor` is what the presses so far made of a question, small enough to be kept over a restart;
`at(cursor)` is the same question with it. No question knows which game it serves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from companion.events import Button
from companion.locale import Texts
from companion.view import Choose, Count, Page, Rolled, Spell

Value: TypeAlias = str | int | bool | tuple[int, ...] | None
Cursor: TypeAlias = int | str | tuple[int | None, ...] | None
Labels: TypeAlias = tuple[str, str, str, str]
Meanings: TypeAlias = dict[Button, tuple[Value, str]]  # what each button answers, and its label


@dataclass(frozen=True, slots=True)
class Chosen:
    value: Value


@dataclass(frozen=True, slots=True)
class Left:
    """The player turned back: the answer before this question is to be given again."""


@dataclass(frozen=True, slots=True)
class Menu:
    """The player wants the menu."""


@dataclass(frozen=True, slots=True)
class Pick:
    """One of several: LESS and MORE move the cursor (round the ends), OK takes, BACK leaves."""

    title: str
    options: tuple[tuple[Value, str], ...]
    index: int = 0

    @property
    def cursor(self) -> Cursor:
        return self.index

    def at(self, cursor: Cursor) -> Pick:
        return replace(self, index=cursor) if isinstance(cursor, int) and cursor < len(self.options) else self

    def page(self) -> Page:
        return Choose(self.title, tuple(label for _value, label in self.options), self.index)

    def labels(self, _: Texts) -> Labels:
        less, more = ("◀", "▶") if len(self.options) > 1 else ("", "")
        return (_("Back"), less, more, _("OK"))

    def pressed(self, button: Button) -> Pick | Chosen | Left:
        match button:
            case Button.BACK:
                return Left()
            case Button.LESS:
                return replace(self, index=(self.index - 1) % len(self.options))
            case Button.MORE:
                return replace(self, index=(self.index + 1) % len(self.options))
            case Button.OK:
                return Chosen(self.options[self.index][0])


@dataclass(frozen=True, slots=True)
class Number:
    """A number from `low` to `high`; LESS and MORE go round the ends, so that no number is far away."""

    title: str
    low: int
    high: int
    value: int
    entered: tuple[int, ...] = ()

    @property
    def cursor(self) -> Cursor:
        return self.value

    def at(self, cursor: Cursor) -> Number:
        return replace(self, value=cursor) if isinstance(cursor, int) and self.low <= cursor <= self.high else self

    def page(self) -> Page:
        return Count(self.title, self.value, self.low, self.high, self.entered)

    def labels(self, _: Texts) -> Labels:
        less, more = ("−", "+") if self.low < self.high else ("", "")
        return (_("Back"), less, more, _("OK"))

    def pressed(self, button: Button) -> Number | Chosen | Left:
        span = self.high - self.low + 1
        match button:
            case Button.BACK:
                return Left()
            case Button.LESS:
                return replace(self, value=self.low + (self.value - self.low - 1) % span)
            case Button.MORE:
                return replace(self, value=self.low + (self.value - self.low + 1) % span)
            case Button.OK:
                return Chosen(self.value)


@dataclass(frozen=True, slots=True)
class Dice:
    """Dice entered one after the other: LESS and MORE turn the die under the cursor, OK goes to the next.

    A die that nobody read is None until it is turned; OK does not pass it.
    """

    title: str
    values: tuple[int | None, ...]
    index: int = 0

    @property
    def cursor(self) -> Cursor:
        return (*self.values, self.index)

    def at(self, cursor: Cursor) -> Dice:
        match cursor:
            case (*values, int(index)) if len(values) == len(self.values):
                return replace(self, values=tuple(values), index=index)
            case _:
                return self

    def page(self) -> Page:
        return Rolled(self.values, self._total(), self.title, cursor=self.index)

    def labels(self, _: Texts) -> Labels:
        last = self.index == len(self.values) - 1
        ok = _("OK") if last else _.pgettext("die", "Next")
        return (_("Back"), "−", "+", "" if self.values[self.index] is None else ok)

    def pressed(self, button: Button) -> Dice | Chosen | Left:
        match button:
            case Button.BACK:
                return replace(self, index=self.index - 1) if self.index else Left()
            case Button.LESS:
                return self._turned(-1)
            case Button.MORE:
                return self._turned(1)
            case Button.OK if self.values[self.index] is None:
                return self
            case Button.OK if self.index < len(self.values) - 1:
                return replace(self, index=self.index + 1)
            case Button.OK:
                return Chosen(tuple(value for value in self.values if value is not None))

    def _total(self) -> int | None:
        read = [value for value in self.values if value is not None]
        return sum(read) if len(read) == len(self.values) else None

    def _turned(self, by: int) -> Dice:
        values = list(self.values)
        value = values[self.index]
        values[self.index] = (1 if by > 0 else 6) if value is None else (value - 1 + by) % 6 + 1
        return replace(self, values=tuple(values))


DONE = "✓"
BLANK = "␣"  # how a blank is shown
ERASE = "←"
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZÁÄÅÆÉÍÑÓÖØÚ0123456789- "
LETTERS = (*ALPHABET, ERASE, DONE)
NAME_LENGTH = 10  # letters of usual width: what the screen's top line holds beside a lost device's mark, too


@dataclass(frozen=True, slots=True)
class Name:
    """A name, letter by letter: OK adds the letter shown, DONE ends it, BACK erases and, at the start, leaves.

    What would change nothing, as a blank to begin with, OK does not do, nor does its label say so.
    """

    title: str
    text: str = ""
    place: int = 0

    @property
    def cursor(self) -> Cursor:
        return f"{self.place}:{self.text}"

    def at(self, cursor: Cursor) -> Name:
        if not isinstance(cursor, str):
            return self
        place, _colon, text = cursor.partition(":")
        return replace(self, text=text, place=int(place))

    def page(self) -> Page:
        less, letter, more = (self._letter(away).replace(" ", BLANK) for away in (-1, 0, 1))
        return Spell(self.title, self.text, letter, less, more)

    def labels(self, _: Texts) -> Labels:
        ok = {DONE: _("Done"), ERASE: _("Erase")}.get(self._letter(), _("Add"))
        return (_("Erase") if self.text else _("Back"), "◀", "▶", "" if self._taken() == self else ok)

    def pressed(self, button: Button) -> Name | Chosen | Left:
        match button:
            case Button.BACK:
                return replace(self, text=self.text[:-1]) if self.text else Left()
            case Button.LESS:
                return replace(self, place=(self.place - 1) % len(LETTERS))
            case Button.MORE:
                return replace(self, place=(self.place + 1) % len(LETTERS))
            case Button.OK:
                return self._taken()

    def _letter(self, away: int = 0) -> str:
        letter: str = LETTERS[(self.place + away) % len(LETTERS)]
        return letter.lower() if self.text else letter

    def _taken(self) -> Name | Chosen:
        match self._letter():
            case "✓":
                name = self.text.strip()
                return Chosen(name) if name else self
            case "←":
                return replace(self, text=self.text[:-1])
            case letter if len(self.text) == NAME_LENGTH or not (self.text + letter).strip():
                return self
            case letter if len(self.text) < NAME_LENGTH - 1:
                return replace(self, text=self.text + letter)
            case letter:  # full: the next OK ends it
                return replace(self, text=self.text + letter, place=LETTERS.index(DONE))


@dataclass(frozen=True, slots=True)
class Keys:
    """A page whose buttons each mean one thing at once; one without a meaning does nothing.

    BACK opens the menu, unless it has a meaning or `turns_back`.
    """

    shown: Page
    meanings: Mapping[Button, tuple[Value, str]] = field(default_factory=dict)
    turns_back: bool = False

    @property
    def cursor(self) -> Cursor:
        return None

    def at(self, cursor: Cursor) -> Keys:
        return self

    def page(self) -> Page:
        return self.shown

    def labels(self, _: Texts) -> Labels:
        back, less, more, ok = (self.meanings.get(button, (None, ""))[1] for button in Button)
        return (back or (_("Back") if self.turns_back else _("Menu")), less, more, ok)

    def pressed(self, button: Button) -> Keys | Chosen | Left | Menu:
        if button in self.meanings:
            return Chosen(self.meanings[button][0])
        if button is Button.BACK:
            return Left() if self.turns_back else Menu()
        return self


@dataclass(frozen=True, slots=True)
class Leaves:
    """Pages to look at: LESS and MORE turn them (round the ends), BACK and OK lay them away."""

    pages: tuple[Page, ...]
    index: int = 0

    @property
    def cursor(self) -> Cursor:
        return self.index

    def at(self, cursor: Cursor) -> Leaves:
        return replace(self, index=cursor) if isinstance(cursor, int) and cursor < len(self.pages) else self

    def page(self) -> Page:
        return self.pages[self.index]

    def labels(self, _: Texts) -> Labels:
        less, more = ("◀", "▶") if len(self.pages) > 1 else ("", "")
        return (_("Back"), less, more, _("OK"))

    def pressed(self, button: Button) -> Leaves | Left:
        match button:
            case Button.LESS:
                return replace(self, index=(self.index - 1) % len(self.pages))
            case Button.MORE:
                return replace(self, index=(self.index + 1) % len(self.pages))
            case _:
                return Left()


@dataclass(frozen=True, slots=True)
class Marks:
    """Some of the dice: MORE goes to the next (round the end), LESS marks it or not, OK takes those marked, or all."""

    title: str
    values: tuple[int, ...]
    marked: tuple[int, ...] = ()
    index: int = 0

    @property
    def cursor(self) -> Cursor:
        return (*self.marked, self.index)

    def at(self, cursor: Cursor) -> Marks:
        if isinstance(cursor, tuple) and cursor:
            *marked, index = (place for place in cursor if place is not None)
            return replace(self, marked=tuple(marked), index=index)
        return self

    def page(self) -> Page:
        return Rolled(self.values, sum(self.values), self.title, selected=self.marked, cursor=self.index)

    def labels(self, _: Texts) -> Labels:
        mark = _("Unmark") if self.index in self.marked else _("Mark")
        return (_("Back"), mark, "▶", _("OK") if self.marked else _("All"))

    def pressed(self, button: Button) -> Marks | Chosen | Left:
        match button:
            case Button.BACK:
                return Left()
            case Button.LESS:
                return replace(self, marked=tuple(sorted({*self.marked} ^ {self.index})))
            case Button.MORE:
                return replace(self, index=(self.index + 1) % len(self.values))
            case Button.OK:
                return Chosen(self.marked or tuple(range(len(self.values))))


Question: TypeAlias = Pick | Number | Dice | Name | Keys | Leaves | Marks


def speaks(question: Question, button: Button, _: Texts) -> bool:
    """Whether the button's label says what it does even while another page stands in front of the question."""
    if not isinstance(question, Keys):
        return False
    label = question.labels(_)[tuple(Button).index(button)]
    return label not in ("", _("OK"), _("Yes"), _("Right"))  # these agree to whatever is read just then


def offers(question: Question, value: Value) -> bool:
    """Whether it may be answered so."""
    match question:
        case Pick(options=options):
            return value in (offered for offered, _label in options)
        case Number(low=low, high=high):
            return isinstance(value, int) and low <= value <= high
        case _:
            return True


def pointing(question: Question, answer: Value) -> Cursor:
    """The cursor with which OK would answer so; None where that is not told by a cursor."""
    match question, answer:
        case Pick(options=options), _ if offers(question, answer):
            return [value for value, _label in options].index(answer)
        case Number(), int(number):
            return number
        case Name(), str(name):
            return f"{LETTERS.index(DONE)}:{name}"
        case Marks(), (*marked,):
            return (*marked, 0)
        case _:
            return None
