"""What comes next at the table: a question put to the players, or actions for the referee.

A dialogue is a pure function of the answers given so far. It asks one thing at a time until it has an action; turning
back drops the latest answer. So a dialogue cannot get lost, and a restart resumes it from its answers alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from companion.table.questions import Pick, Question, Value

Message: TypeAlias = Mapping[str, Any]  # an action of the referee protocol
Given: TypeAlias = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Asking:
    """Put `question`; its answer is kept under `key`."""

    key: str
    question: Question


@dataclass(frozen=True, slots=True)
class Doing:
    """The referee shall take these actions, all or none."""

    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Starting:
    """A new game begins: its `start` line, and each player's seat (an index into the configured seats)."""

    message: Message
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Leaving:
    """The dialogue ends with nothing done: back to the game, or, with `game` false, away from it."""

    game: bool = True


@dataclass(frozen=True, slots=True)
class Switching:
    """The computer shall be switched: "poweroff" or "reboot"."""

    how: str


Next: TypeAlias = Asking | Doing | Starting | Leaving | Switching


@dataclass(frozen=True, slots=True)
class Words:
    """How a field of an action is asked for and how its values are called."""

    title: Callable[[Given], str]
    label: Callable[[Any, Given], str]


@dataclass(frozen=True, slots=True)
class Narrowing:
    """The legal actions, and the words for each field in the order in which players decide them."""

    legal: tuple[Message, ...]
    words: Mapping[str, Words] = field(default_factory=dict)

    def next(self, given: Given) -> Asking | Doing:
        """Asks for the first field in which the remaining legal actions differ; one action left is done."""
        left = self.legal
        for name, words in self.words.items():
            if name in given:
                left = tuple(message for message in left if message.get(name) == given[name])
                continue
            values = distinct(message[name] for message in left if name in message)
            if len(values) > 1:
                options = tuple((value, words.label(value, given)) for value in values)
                return Asking(name, Pick(words.title(given), options))
        assert len(left) == 1, f"{len(left)} actions left after every field was asked for"
        return Doing((left[0],))


def distinct(values: Iterable[Value]) -> tuple[Value, ...]:
    """The different values in the order of their first appearance."""
    return tuple(dict.fromkeys(values))
