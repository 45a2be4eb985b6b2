"""Ctrl-Z: while the program is stopped its terminal is as it was, and then it is taken again (POSIX job control).

And Ctrl-\\, which ends it at once: the terminal is left as it was before that.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol


class Occupant(Protocol):
    """Whoever changed something of a terminal. Both are called in the main thread, maybe twice, and raise nothing."""

    def hand_back(self) -> None: ...

    def take_again(self) -> None: ...


_occupants: list[Occupant] = []  # of the process, which is stopped as a whole


def occupies(occupant: Occupant) -> None:
    """From now on it hears of every stop, where the program `gives_way`. From any thread."""
    _occupants.append(occupant)


def left(occupant: Occupant) -> None:
    """It hears of no stop any more. From any thread."""
    _occupants.remove(occupant)


@contextmanager
def gives_way() -> Iterator[None]:
    """Meanwhile Ctrl-Z hands the terminal back before it stops the program, and Ctrl-\\ before it ends it. For the main
    thread, which alone hears signals; without a terminal nothing is changed, nor where they stop or end nothing."""
    heard = _heard()
    before = {number: signal.signal(number, hear) for number, hear in heard.items()}
    try:
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)


def _heard() -> dict[signal.Signals, Callable[..., None]]:
    """The signals that are heard, and by what."""
    if threading.current_thread() is not threading.main_thread() or not any(map(os.isatty, (0, 1))):
        return {}
    control = _JobControl()
    hearing: dict[signal.Signals, Callable[..., None]] = {}
    if signal.getsignal(signal.SIGTSTP) is signal.SIG_DFL:
        hearing |= {signal.SIGTSTP: control.stop, signal.SIGCONT: control.go_on}
    if signal.getsignal(signal.SIGQUIT) is signal.SIG_DFL:
        hearing[signal.SIGQUIT] = _quit
    return hearing


def _quit(*_: object) -> None:
    for occupant in tuple(_occupants):
        occupant.hand_back()
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)
    signal.raise_signal(signal.SIGQUIT)  # here it ends


class _JobControl:
    def __init__(self) -> None:
        self._handed_back = False

    def stop(self, *_: object) -> None:
        self._handed_back = True
        for occupant in tuple(_occupants):
            occupant.hand_back()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        signal.raise_signal(signal.SIGTSTP)  # here it stands still
        signal.signal(signal.SIGTSTP, self.stop)
        if self._handed_back:  # SIGCONT is not heard yet, or never comes: without a shell to wake it nothing is stopped
            self.go_on()

    def go_on(self, *_: object) -> None:
        """Also after SIGSTOP, of which nobody hears: the shell may have changed the terminal meanwhile."""
        self._handed_back = False
        for occupant in tuple(_occupants):
            occupant.take_again()
