"""A table whose journal does not open at once when it is switched on: it says why.

It begins as soon as it can where its disk is full, read-only or fails, where another program holds the journal (a trial
by hand, or a daemon that hangs), or where damage is mended first; and not at all where that is no journal of its own,
or what ails it has no name.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from types import TracebackType

from companion.devices import DisplayWorker, close_all
from companion.journal import (
    Journal,
    JournalFull,
    JournalLocked,
    JournalNewer,
    JournalOlder,
    JournalOutOfReach,
    JournalReadOnly,
    NotAJournal,
    Progress,
)
from companion.locale import Texts
from companion.notify import Notifier
from companion.ports import Clock
from companion.screen import draw
from companion.serve import Rig
from companion.status import WAITING
from companion.supervised import Roles
from companion.view import NO_LABELS, Header, Mood, Prompt, RingView, View
from companion.words import attention

log = logging.getLogger(__name__)

AGAIN_S = 0.5  # between two tries, and between two words on how far a mend has come
SOON_S = 1.0  # a mend that takes no longer needs no words
READ_S = 5.0  # so long a page can be read on any screen; on a panel it stays when the service ends
PASSING = (JournalFull, JournalReadOnly, JournalLocked, JournalOutOfReach)  # what waiting mends
LASTING = (JournalNewer, JournalOlder, NotAJournal)  # what neither waiting nor another start mends


def cannot_save(_: Texts) -> View:
    return View(Header(), attention(_("The game cannot be saved!"), _), NO_LABELS, RingView(Mood.TROUBLE))


def cannot_open(_: Texts) -> View:
    text = _("I cannot open the saved games! Run: companion doctor")
    return View(Header(), attention(text, _), NO_LABELS, RingView(Mood.TROUBLE))


def mending(done: int, whole: int, _: Texts) -> View:
    """How far it has come, of so many games."""
    far = _("{done} of {whole} done").format(done=done, whole=whole)
    return View(Header(), Prompt(_("Looking after the saved games"), (far,)), NO_LABELS, RingView(Mood.IDLE))


class Screens:
    """The displays before the table stands: opened with the first page that is shown, and closed before the table opens
    them."""

    def __init__(self, rig: Rig, clock: Clock) -> None:
        self._clock = clock
        told = Roles(lambda _fact: None)  # in the log; there is no table yet that would show it
        self._workers = [DisplayWorker(one, told.one(), clock=clock) for one in rig.displays]
        self._shown: View | None = None
        self._meanwhile: View | None = None

    def show(self, page: View) -> None:
        before, self._shown = self._shown, page
        for worker in self._workers if page != before else ():
            worker.show(draw(page))
            if before is None:
                worker.start()

    def show_meanwhile(self, page: View) -> None:
        """Unless another page tells why this is tried again and again."""
        if self._shown == self._meanwhile:
            self._meanwhile = page
            self.show(page)

    def __enter__(self) -> Screens:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._shown is not None:
            close_all(self._workers, clock=self._clock)


def when_writable(
    opened: Callable[[], Journal],
    screens: Screens,
    *,
    said: View,
    clock: Clock,
    notifier: Notifier,
    stopped: Callable[[], bool] = lambda: False,
) -> Journal | None:
    """The journal that `opened` opens, as soon as it can be written; until then the screens show `said`.

    None where it is `stopped` before that. Raises JournalError for what is not mended by waiting.
    """
    waits = _Waits(notifier)
    journal = waits.tried(opened)
    while journal is None and not stopped():
        screens.show(said)
        notifier.alive()
        clock.sleep(AGAIN_S)
        if stopped():
            break
        journal = waits.tried(opened)
    if journal is None:
        notifier.stopping()
    return journal


class _Waits:
    """Tells that the service is up, though it waits; what it waits for, whenever that changes; and that it no longer
    does."""

    def __init__(self, notifier: Notifier) -> None:
        self._notifier = notifier
        self._cause = ""

    def tried(self, opened: Callable[[], Journal]) -> Journal | None:
        """The journal that `opened` opens; None where what keeps it from that may pass."""
        try:
            journal = opened()
        except PASSING as error:
            if not self._cause:
                self._notifier.ready()
            if error.cause != self._cause:
                log.error("%s", error)
            self._cause = error.cause
            self._notifier.status(f"{WAITING}{error.cause}")
            return None
        self._notifier.status("")
        return journal


def show_long_enough(screens: Screens, page: View, *, clock: Clock, stopped: Callable[[], bool]) -> None:
    """For as long as it takes to read it, or until it is `stopped`."""
    screens.show(page)
    end_s = clock.now_s() + READ_S
    while clock.now_s() < end_s and not stopped():
        clock.sleep(AGAIN_S)


def telling_of_a_mend(notifier: Notifier, clock: Clock, screens: Screens, _: Texts) -> Progress:
    """Tells systemd and the players how far the mending of a journal has come, which takes minutes after years of
    play."""
    began_s: float | None = None
    due_s = float("-inf")

    def progress(done: int, whole: int) -> None:
        nonlocal began_s, due_s
        now_s = clock.now_s()
        began_s = now_s if began_s is None else began_s
        if now_s >= due_s:
            due_s = now_s + AGAIN_S
            notifier.busy(f"mending {done} of {whole} games")
            if now_s >= began_s + SOON_S:
                screens.show_meanwhile(mending(done, whole, _))

    return progress
