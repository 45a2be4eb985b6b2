"""The whole table at one moment: the game, the dialogue about it, and what the camera saw. Frozen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from companion.events import Die, Fit, Reading, Why, WildDie
from companion.referee import Match
from companion.table.asking import Given
from companion.table.company import Sitting, sitting
from companion.table.computer import Computer
from companion.table.questions import Cursor, Value
from companion.view import Prompt

ASIDE_S = 4.0  # long enough to read a line


@dataclass(frozen=True, slots=True)
class Dialogue:
    """`answers`: given so far, oldest first. `cursor`: where its question's cursor stands."""

    answers: tuple[tuple[str, Value], ...] = ()
    cursor: Cursor = None


@dataclass(frozen=True, slots=True)
class Table:
    """`answers`, `cursor`: of the present dialogue. `under`: the one that the menu lies over, None outside the menu.

    `last`: who played the game before, for a rematch.
    `sighting`: a reading that waits for the players' word. `hidden`: one that did until something stirred in the tray.
    `seen`: the reading that the latest roll was taken from, or, if it was entered unseen, its values alone. `wild`,
    `wild_hidden`, `wild_seen`: the same of the Wild die.
    `fresh`: whether the tray was seen to be stirred since that roll, in this life of the daemon: else the dice may be
    those of that roll, or were read in an earlier life.
    `lost`: roles of the devices that are lost. `fit`: whether what was calibrated holds. `trouble`: what must be said
    before all else, "" for nothing.
    `notice`: what must be read before the game goes on; it stands until a button is pressed, which does nothing else.
    `deaf`: whether no button is heard, since the game cannot be saved.
    `aside`: a short word that stands in front of the page until `aside_until_s`, and disturbs nothing; None for none.
    `computer`: what is known of the computer below the table; None where the table may not switch it.
    """

    match: Match | None = None
    seats: tuple[int, ...] = ()
    last: Sitting | None = None
    answers: tuple[tuple[str, Value], ...] = ()
    cursor: Cursor = None
    under: Dialogue | None = None
    sighting: Reading | None = None
    hidden: Reading | None = None
    seen: Reading | None = None
    wild: WildDie | None = None
    wild_hidden: WildDie | None = None
    wild_seen: WildDie | None = None
    fresh: bool = False
    stirred: bool = False
    lost: tuple[str, ...] = ()
    fit: Fit = Fit.HOLDS
    trouble: str = ""
    notice: Prompt | None = None
    deaf: bool = False
    aside: Prompt | None = None
    aside_until_s: float = 0.0
    computer: Computer | None = None

    @property
    def menu(self) -> bool:
        """Whether the players are in the menu."""
        return self.under is not None

    @property
    def given(self) -> Given:
        return dict(self.answers)

    @property
    def played(self) -> Given:
        """What was answered so far in the game or its set-up, be the menu open or not."""
        return dict(self.answers if self.under is None else self.under.answers)

    @property
    def sitting(self) -> Sitting | None:
        """Who plays, or played last."""
        return self.last if self.match is None else sitting(self.match, self.seats)

    def word(self, at_s: float) -> Prompt | None:
        """The short word that stands in front of the page now, but never of dice that are asked about."""
        asked = self.sighting is not None or self.wild is not None
        return self.aside if at_s < self.aside_until_s and not asked else None

    def saying(self, said: Prompt, at_s: float) -> Table:
        """A short word comes to stand in front of the page."""
        return replace(self, aside=said, aside_until_s=at_s + ASIDE_S)

    def answered(self, key: str, value: Value) -> Table:
        """The answer replaces an earlier one under the same key."""
        others = tuple(answer for answer in self.answers if answer[0] != key)
        return replace(self, answers=(*others, (key, value)), cursor=None)

    def unanswered(self) -> Table:
        return replace(self, answers=self.answers[:-1], cursor=None)

    def with_menu(self) -> Table:
        """The menu is opened; the dialogue waits below."""
        return replace(self, answers=(), cursor=None, under=Dialogue(self.answers, self.cursor))

    def without_menu(self) -> Table:
        """The dialogue below goes on as it was."""
        assert self.under is not None
        return replace(self, answers=self.under.answers, cursor=self.under.cursor, under=None)

    def anew(self) -> Table:
        """Another dialogue begins; the answers of the old one are gone, and so is the menu."""
        return replace(self, answers=(), cursor=None, under=None)

    def asked_anew(self) -> Table:
        """The same step's first question; the menu stays open."""
        return replace(self, under=Dialogue()) if self.menu else self.anew()

    def without_game(self) -> Table:
        """The game is left; the same players may play the next one."""
        return replace(
            self.anew(),
            match=None,
            seats=(),
            last=self.sitting,
            sighting=None,
            hidden=None,
            seen=None,
            wild=None,
            wild_hidden=None,
            wild_seen=None,
        )


def to_note(table: Table) -> dict[str, Any]:
    """What a restart needs beside the referee's actions to resume the very same dialogue, as JSON values.

    Without a game that is no reading: dice come and go, and those that lie there then are seen again.
    """
    return {
        "seats": list(table.seats),
        "menu": table.menu,
        **_dialogue_note(Dialogue(table.answers, table.cursor)),
        "under": None if table.under is None else _dialogue_note(table.under),
        "sighting": _reading_note(None if table.match is None else table.sighting),
        "seen": _reading_note(table.seen),
        "wild": _wild_note(table.wild),
        "wild_seen": _wild_note(table.wild_seen),
    }


def with_note(table: Table, note: dict[str, Any]) -> Table:
    """The table as it was when `note` was made. What lies in the tray since then may be new, and is asked about."""
    now = _dialogue(note)
    return replace(
        table,
        seats=tuple(note["seats"]),
        answers=now.answers,
        cursor=now.cursor,
        under=_dialogue(note.get("under") or {"answers": [], "cursor": None}) if note["menu"] else None,
        sighting=_reading(note["sighting"]),
        seen=_reading(note["seen"]),
        wild=_wild(note.get("wild")),  # notes of earlier versions have none, nor what lies under the menu
        wild_seen=_wild(note.get("wild_seen")),
        fresh=False,
    )


def _dialogue_note(dialogue: Dialogue) -> dict[str, Any]:
    return {"answers": [list(answer) for answer in dialogue.answers], "cursor": dialogue.cursor}


def _dialogue(note: dict[str, Any]) -> Dialogue:
    return Dialogue(tuple((key, _value(value)) for key, value in note["answers"]), _value(note["cursor"]))


def _value(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _reading_note(reading: Reading | None) -> dict[str, Any] | None:
    if reading is None:
        return None
    return {
        "dice": [[die.value, list(die.box), die.confidence] for die in reading.dice],
        "sure": reading.sure,
        "why": reading.why.value if reading.why else None,
    }


def _reading(note: dict[str, Any] | None) -> Reading | None:
    if note is None:
        return None
    dice = tuple(Die(value, tuple(box), confidence) for value, box, confidence in note["dice"])
    return Reading(dice, note["sure"], Why(note["why"]) if note["why"] else None)


def _wild_note(die: WildDie | None) -> dict[str, Any] | None:
    if die is None:
        return None
    return {
        "face": die.face,
        "box": list(die.box),
        "confidence": die.confidence,
        "why": die.why.value if die.why else None,
    }


def _wild(note: dict[str, Any] | None) -> WildDie | None:
    if note is None:
        return None
    why = Why(note["why"]) if note["why"] else None
    return WildDie(note["face"], tuple(note["box"]), note["confidence"], why)
