"""Buttons that press themselves, as a script file says (hardware.script has its lines)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from companion.events import Press
from companion.ports import Clock, DeviceLost
from hardware.script import GRAMMAR, Key, Presses, ScriptError, Step, Until, Wait, read_script

POLL_S = 0.01  # how often `until` looks at the table, and how soon close() is noticed


class ScriptButtons:
    """Presses what `script` says, from its own thread.

    `at_step(step)` tells whether the table waits for `step` now, with every press delivered so far already judged;
    `other(key)` gets the keys that are no buttons; `ended()` is called after the last line.
    """

    def __init__(
        self,
        script: Path,
        *,
        clock: Clock,
        at_step: Callable[[str], bool],
        other: Callable[[str], None] | None = None,
        ended: Callable[[], None] | None = None,
    ) -> None:
        self._clock = clock
        self._at_step = at_step
        self._other = other or (lambda key: None)
        self._ended = ended or (lambda: None)
        self._script = script
        self._steps = _read(script)
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    def listen(self, pressed: Callable[[Press], None], ailing: Callable[[str], None]) -> None:
        if self._thread is not None or self._closed.is_set():
            raise DeviceLost("buttons", f"the script {self._script} is closed or already running", "open it again")
        self._thread = threading.Thread(target=self._run, args=(pressed, ailing), name="script", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._closed.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self, pressed: Callable[[Press], None], ailing: Callable[[str], None]) -> None:
        for number, step in self._steps:
            if self._closed.is_set():
                return
            if not self._do(step, pressed):
                if not self._closed.is_set():
                    ailing(
                        f"{self._script}, line {number}: the table did not come to this step; look at the line before"
                    )
                return
        self._ended()

    def _do(self, step: Step, pressed: Callable[[Press], None]) -> bool:
        """Whether the script may go on."""
        match step:
            case Presses(press, times):
                for _ in range(times):
                    pressed(press)
            case Key(key):
                self._other(key)
            case Wait(seconds):
                return self._pause(seconds, done=lambda: False) is not None
            case Until(name, patience_s):
                return self._pause(patience_s, done=lambda: self._at_step(name)) is True
        return True

    def _pause(self, seconds: float, *, done: Callable[[], bool]) -> bool | None:
        """True once `done`, false when the time is over, None when closed."""
        end_s = self._clock.now_s() + seconds
        while not done():
            left_s = end_s - self._clock.now_s()
            if left_s <= 0:
                return False
            if self._closed.is_set():
                return None
            self._clock.sleep(min(POLL_S, left_s))
        return True


def _read(script: Path) -> tuple[tuple[int, Step], ...]:
    try:
        return read_script(script.read_text(encoding="utf-8"))
    except ScriptError as error:
        raise DeviceLost(
            "buttons", f"the script {script} has mistakes: {error}", f"lines look like this:\n{GRAMMAR}"
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise DeviceLost(
            "buttons", f"the script {script} cannot be read: {error}", "name a text file that is there"
        ) from error
