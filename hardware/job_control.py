"""Ctrl-Z: while the program is stopped its terminal is as it was, and then it is taken again (POSIX job control)."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
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
    """Meanwhile Ctrl-Z hands the terminal back before it stops the program. For the main thread, which alone hears
    signals; without a terminal, or where Ctrl-Z stops nothing, nothing is changed."""
    if not _may_be_stopped():
        yield
        return
    control = _JobControl()
    before = {number: signal.getsignal(number) for number in (signal.SIGTSTP, signal.SIGCONT)}
    signal.signal(signal.SIGTSTP, control.stop)
    signal.signal(signal.SIGCONT, control.go_on)
    try:
        yield
    finally:
        for number, heard in before.items():
            signal.signal(number, heard)


def _may_be_stopped() -> bool:
    return (
        threading.current_thread() is threading.main_thread()
        and any(map(os.isatty, (0, 1)))
        and signal.getsignal(signal.SIGTSTP) is signal.SIG_DFL
    )


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
