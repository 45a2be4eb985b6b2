"""A script of button presses: what each line means. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from companion.events import Button, Press

BUTTONS = {button.name: button for button in Button}
MOST_PRESSES = 100
GRAMMAR = """\
# what follows a hash is a remark
OK              # press a button: BACK, LESS, MORE or OK
MORE 3          # press it three times
hold BACK       # press it long
key SPACE       # strike a key that is no button: one character, or SPACE
wait 0.5        # wait half a second
until roll      # go on once the table is at this step
until roll 120  # the same, but give up after 120 s instead of 60
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
class Key:
    key: str


@dataclass(frozen=True, slots=True)
class Wait:
    seconds: float


@dataclass(frozen=True, slots=True)
class Until:
    step: str
    patience_s: float = 60.0


Step = Presses | Key | Wait | Until


def read_script(text: str) -> tuple[tuple[int, Step], ...]:
    """The steps, each with its line number from 1. Raises ScriptError with every mistake."""
    steps: list[tuple[int, Step]] = []
    mistakes: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split("#", 1)[0].split()
        if not words:
            continue
        try:
            steps.append((number, _step(words)))
        except ValueError as error:
            mistakes.append((number, str(error)))
    if mistakes:
        raise ScriptError(tuple(mistakes))
    return tuple(steps)


def _step(words: list[str]) -> Step:
    match words:
        case ["hold", name]:
            return Presses(Press(_button(name), held=True))
        case ["wait", seconds]:
            return Wait(_seconds(seconds))
        case ["until", step]:
            return Until(step)
        case ["until", step, patience]:
            return Until(step, _seconds(patience))
        case ["key", key]:
            return Key(_key(key))
        case [name]:
            return Presses(Press(_button(name)))
        case [name, times]:
            return Presses(Press(_button(name)), _times(times))
    raise ValueError(f"{' '.join(words)!r} is not understood; expected BUTTON [TIMES], hold, key, wait or until")


def _button(name: str) -> Button:
    if name not in BUTTONS:
        raise ValueError(f"{name!r} is not a button; the buttons are {', '.join(BUTTONS)}")
    return BUTTONS[name]


def _times(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST_PRESSES:
        raise ValueError(f"{text!r} is not a number of presses from 1 to {MOST_PRESSES}")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 86_400:
        raise ValueError(f"{text!r} is not a number of seconds from 0 to 86400")
    return seconds


def _key(name: str) -> str:
    if name == "SPACE":
        return " "
    if len(name) != 1:
        raise ValueError(f"{name!r} is not one character; write SPACE for the space bar")
    return name
