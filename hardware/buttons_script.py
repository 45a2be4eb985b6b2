"""Buttons that press themselves, as a script file says (hardware.script has its lines)."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection
from pathlib import Path

from companion.events import Button, Press
from companion.paths import content_of, reason, text_of
from companion.ports import Clock, DeviceLost
from hardware.script import (
    GRAMMAR,
    MOST_PRESSES,
    PATIENCE_S,
    If,
    Key,
    Line,
    Presses,
    ScriptError,
    Seek,
    Step,
    Until,
    Wait,
    read_script,
    strangers,
)

log = logging.getLogger(__name__)

POLL_S = 0.01  # how often the table is looked at, and how soon close() is noticed
SOON_S = 2.0  # what the table comes to within so long is awaited without a word
SAVED = "a saved game may be going on; one begins anew where its journal is removed, or another one named"


class ScriptButtons:
    """Presses what `script` says, from its own thread.

    `stands()` tells where the table stands: the names that a script may wait for, or None while a press delivered so
    far is not judged yet, or passing words keep OK from what it would answer. `known`: such names, where they are
    known beforehand: one that is misspelt is a mistake. `other(key)` gets the keys that are no buttons. `ended(whole)`
    is called after the last line, or, with `whole` false, where the script had to be broken off.
    """

    def __init__(
        self,
        script: Path,
        *,
        clock: Clock,
        stands: Callable[[], tuple[str, ...] | None],
        known: Collection[str] = (),
        other: Callable[[str], None] = lambda _key: None,
        ended: Callable[[bool], None] = lambda _whole: None,
    ) -> None:
        self._clock = clock
        self._stands = stands
        self._other = other
        self._ended = ended
        self._script = script
        self._lines = read(script, known)
        self._strangers = tuple(strangers(self._lines, known)) if known else ()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    def listen(
        self, pressed: Callable[[Press], None], ailing: Callable[[str], None], _failed: Callable[[Exception], None]
    ) -> None:
        """What a script breaks off at is an ailment: opened anew it would begin anew, in the middle of a game."""
        if self._thread is not None or self._closed.is_set():
            raise DeviceLost("buttons", f"the script {self._script} is closed or already running", "open it again")
        self._thread = threading.Thread(target=self._run, args=(pressed, ailing), name="script", daemon=True)
        self._thread.start()

    def feel(self, edge: Callable[[Button, float], None]) -> None:
        """A script tells no edges."""

    def down(self) -> tuple[Button, ...]:
        return ()

    def looking_since_s(self) -> float | None:
        return None

    def close(self) -> None:
        self._closed.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self, pressed: Callable[[Press], None], ailing: Callable[[str], None]) -> None:
        for number, place in self._strangers:
            log.info(
                "%s, line %d: no step is called %r: the cursor must come to stand there", self._script, number, place
            )
        ailment = self._ailment(pressed)
        if self._closed.is_set():
            return
        if ailment:
            ailing(ailment)
        self._ended(not ailment)

    def _ailment(self, pressed: Callable[[Press], None]) -> str:
        """Does the script; what it broke off at, "" where all was done."""
        try:
            failed = self._first_failure(self._lines, pressed)
        except Exception as error:
            log.exception("the script %s broke off", self._script)
            return f"the script {self._script} broke off: {str(error) or type(error).__name__}"
        return "" if failed is None else self._stuck(*failed)

    def _stuck(self, number: int, awaited: str) -> str:
        remedy = SAVED if self._is_first(number) else "look at the line before"
        return f"{self._script}, line {number}: {awaited} was awaited, but {self._stance()}; {remedy}"

    def _waits(self, number: int, awaited: str, left_s: float) -> str:
        hint = f"; {SAVED}" if self._is_first(number) else ""
        return f"{self._script}, line {number}: waiting {left_s:g} s more for {awaited}, but {self._stance()}{hint}"

    def _stance(self) -> str:
        places = self._stands()
        return f"the table stands at {', '.join(places)}" if places else "the table has not judged the last press"

    def _is_first(self, number: int) -> bool:
        """Whether it is the first line that the table has to come to something for."""
        return number == next((number for number, step in self._lines if isinstance(step, Seek | Until)), 0)

    def _first_failure(self, lines: tuple[Line, ...], pressed: Callable[[Press], None]) -> tuple[int, str] | None:
        """Does the lines; the number of the one after which the script cannot go on, and what it awaits: "" where it
        was closed. None where all were done."""
        for number, step in lines:
            if self._closed.is_set():
                return number, ""
            if isinstance(step, If):
                failed = self._first_failure(step.lines, pressed) if self._is_at(step.places) else None
            else:
                failed = None if self._do(number, step, pressed) else (number, _awaited(step))
            if failed is not None:
                return failed
        return None

    def _do(self, number: int, step: Presses | Seek | Key | Wait | Until, pressed: Callable[[Press], None]) -> bool:
        """Whether the script may go on."""
        match step:
            case Presses(press, times):
                for _ in range(times):
                    pressed(press)
            case Seek(press, place):
                return self._seek(press, place, pressed)
            case Key(key):
                self._other(key)
            case Wait(seconds, ()):
                return self._pause(seconds) is not None
            case Wait(seconds, places):
                return self._await(number, seconds, places) is not None
            case Until(places, patience_s):
                return self._await(number, patience_s, places) is True
        return True

    def _seek(self, press: Press, place: str, pressed: Callable[[Press], None]) -> bool:
        """Looks after each press where the cursor stands now."""
        for _ in range(MOST_PRESSES):
            if self._is_at((place,)):
                return True
            if self._closed.is_set():
                return False
            pressed(press)
        return self._is_at((place,))

    def _is_at(self, places: tuple[str, ...]) -> bool:
        """Whether the table is at one of `places`, with every press judged."""
        end_s = self._clock.now_s() + PATIENCE_S
        while (stands := self._stands()) is None:
            if self._closed.is_set() or self._clock.now_s() >= end_s:
                return False
            self._clock.sleep(POLL_S)
        return not set(places).isdisjoint(stands)

    def _await(self, number: int, seconds: float, places: tuple[str, ...]) -> bool | None:
        """As `_pause`; the log tells of a long one: a script that waits without a word looks like one that hangs."""
        came = self._pause(min(SOON_S, seconds), places)
        if came is not False or seconds <= SOON_S:
            return came
        log.info("%s", self._waits(number, " or ".join(places), seconds - SOON_S))
        return self._pause(seconds - SOON_S, places)

    def _pause(self, seconds: float, places: tuple[str, ...] = ()) -> bool | None:
        """True once the table is at one of `places`, false when the time is over, None when closed."""
        end_s = self._clock.now_s() + seconds
        while set(places).isdisjoint(self._stands() or ()):
            left_s = end_s - self._clock.now_s()
            if left_s <= 0:
                return False
            if self._closed.is_set():
                return None
            self._clock.sleep(min(POLL_S, left_s))
        return True


def _awaited(step: Step) -> str:
    match step:
        case Seek(_press, place):
            return place
        case Until(places) | Wait(_, places):
            return " or ".join(places)
        case _:
            raise AssertionError(f"{step} waits for nothing")


def read(script: Path, known: Collection[str] = ()) -> tuple[Line, ...]:
    """Its lines. `known`: as `read_script`. Raises DeviceLost with every mistake and its line, and for one without any
    line, which presses nothing."""
    try:
        lines = read_script(text_of(content_of(script, "a script")), known)
    except ScriptError as error:
        raise DeviceLost(
            "buttons", f"the script {script} has mistakes: {error}", f"lines look like this:\n{GRAMMAR}"
        ) from error
    except (OSError, ValueError) as error:
        raise DeviceLost(
            "buttons", f"the script {script} cannot be read: {reason(error)}", "name a text file that is there"
        ) from error
    if not lines:
        raise DeviceLost("buttons", f"the script {script} presses nothing", f"lines look like this:\n{GRAMMAR}")
    return lines
