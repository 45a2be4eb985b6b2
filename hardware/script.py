"""A script of button presses: what each line means. Pure."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from companion.events import Button, Press

BUTTONS = {button.name: button for button in Button}
MOST_PRESSES = 100
PATIENCE_S = 60.0
GRAMMAR = """\
# what follows a hash is a remark
OK                         # press a button: BACK, LESS, MORE or OK
MORE 3                     # press it three times
MORE until Lowest card     # press it until the cursor stands there: at an entry, a number, the face of a die, a letter
hold BACK                  # press it long
key SPACE                  # strike a key that is no button: one character, or SPACE
wait 0.5                   # wait half a second
until roll                 # go on once the table is at this step of the game, or at "setup", "menu", "notice", "doubt"
until accept or doubt 120  # go on once it is at one of these, and give up after 120 s instead of 60
wait 20 until accept       # go on once it is there, or after 20 s all the same
if doubt                   # do what follows only if the table is there now (doubt: what the camera saw is asked about),
  LESS
end                        # up to here
"""


class ScriptError(ValueError):
    """A script with mistakes: `mistakes` holds (line number, what is wrong), all of them."""

    def __init__(self, mistakes: tuple[tuple[int, str], ...]) -> None:
        super().__init__("; ".join(f"line {number}: {text}" for number, text in mistakes))
        self.mistakes = mistakes


@dataclass(frozen=True, slots=True)
class Presses:
    press: Press
    times: int = 1


@dataclass(frozen=True, slots=True)
class Seek:
    """Presses until the cursor stands at `place`, which may take none."""

    press: Press
    place: str


@dataclass(frozen=True, slots=True)
class Key:
    key: str


@dataclass(frozen=True, slots=True)
class Wait:
    """`places`: where the table may be to end it sooner."""

    seconds: float
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Until:
    places: tuple[str, ...]
    patience_s: float = PATIENCE_S


@dataclass(frozen=True, slots=True)
class If:
    """`lines` are done only where the table is at one of `places`."""

    places: tuple[str, ...]
    lines: tuple[Line, ...]


Step: TypeAlias = Presses | Seek | Key | Wait | Until | If
Line: TypeAlias = tuple[int, Step]  # its number from 1


def read_script(text: str, known: Collection[str] = ()) -> tuple[Line, ...]:
    """The steps. `known`: places where a table may be, of which one may be misspelt. Raises ScriptError with every
    mistake."""
    mistakes: list[tuple[int, str]] = []
    numbered = ((number, line.split("#", 1)[0].split()) for number, line in enumerate(text.splitlines(), start=1))
    lines = iter([(number, words) for number, words in numbered if words])
    steps = _block(lines, mistakes, begun=None)
    for number, place in strangers(steps, known):
        if meant := _meant(place, known):
            mistakes.append((number, f"no step is called {place!r}; did you mean {meant}?"))
    if mistakes:
        raise ScriptError(tuple(sorted(mistakes)))
    return steps


def strangers(lines: Sequence[Line], known: Collection[str]) -> Iterator[tuple[int, str]]:
    """The places that lines wait for or ask about and that are not `known`: what the cursor may stand at."""
    for number, step in lines:
        match step:
            case Until(places) | Wait(_, places) | If(places):
                yield from ((number, place) for place in places if place not in known)
        if isinstance(step, If):
            yield from strangers(step.lines, known)


def _meant(place: str, known: Collection[str]) -> str:
    """The one that is misspelt, "" for none: what the cursor stands at begins large, or is a letter or number alone."""
    if not re.fullmatch("[a-z_]{2,}", place):
        return ""
    return next(iter(difflib.get_close_matches(place, sorted(known), n=1)), "")


def _block(
    lines: Iterator[tuple[int, list[str]]], mistakes: list[tuple[int, str]], *, begun: int | None
) -> tuple[Line, ...]:
    """The lines up to the end of the block that line `begun` began, or of the script."""
    steps: list[Line] = []
    for number, words in lines:
        try:
            match words:
                case ["if", *places]:
                    inner = _block(lines, mistakes, begun=number)
                    steps.append((number, If(_places(places), inner)))
                case ["end"] if begun is not None:
                    return tuple(steps)
                case ["end"]:
                    raise ValueError("'end' ends nothing: there is no 'if' before it")
                case _:
                    steps.append((number, _step(words)))
        except ValueError as error:
            mistakes.append((number, str(error)))
    if begun is not None:
        mistakes.append((begun, "this 'if' has no 'end'"))
    return tuple(steps)


def _step(words: list[str]) -> Step:
    match words:
        case ["hold", name]:
            return Presses(Press(_button(name), held=True))
        case ["wait", seconds]:
            return Wait(_seconds(seconds))
        case ["wait", seconds, "until", *places]:
            return Wait(_seconds(seconds), _places(places))
        case ["until", *places, patience] if places and _is_number(patience):
            return Until(_places(places), _seconds(patience))
        case ["until", *places]:
            return Until(_places(places))
        case ["key", key]:
            return Key(_key(key))
        case [name, "until", *place] if place:
            return Seek(Press(_button(name)), " ".join(place))
        case [name]:
            return Presses(Press(_button(name)))
        case [name, times]:
            return Presses(Press(_button(name)), _times(times))
    raise ValueError(f"{' '.join(words)!r} is not understood; expected BUTTON [TIMES], hold, key, wait, until or if")


def _places(words: Sequence[str]) -> tuple[str, ...]:
    places = tuple(place.strip() for place in re.split(r"(?<!\S)or(?!\S)", " ".join(words)))
    if "" in places:
        raise ValueError("where the table has to be is missing: a step of the game, setup, menu or doubt")
    return places


def _button(name: str) -> Button:
    if name not in BUTTONS:
        raise ValueError(f"{name!r} is not a button; the buttons are {', '.join(BUTTONS)}")
    return BUTTONS[name]


def _times(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST_PRESSES:
        raise ValueError(f"{text!r} is not a number of presses from 1 to {MOST_PRESSES}")
    return int(text)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _seconds(text: str) -> float:
    seconds = float(text) if _is_number(text) else -1.0
    if not 0 <= seconds <= 86_400:
        raise ValueError(f"{text!r} is not a number of seconds from 0 to 86400")
    return seconds


def _key(name: str) -> str:
    if name == "SPACE":
        return " "
    if len(name) != 1:
        raise ValueError(f"{name!r} is not one character; write SPACE for the space bar")
    return name
