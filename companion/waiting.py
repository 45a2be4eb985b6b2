"""A table that cannot write its journal when it is switched on: it says so, and begins as soon as it can.

Its disk is full, read-only or fails, or another program holds the journal: a trial by hand, or a daemon that hangs.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from companion.devices import DisplayWorker, close_all
from companion.journal import Journal, JournalFull, JournalLocked, JournalOutOfReach, JournalReadOnly, Progress
from companion.locale import Texts
from companion.notify import Notifier
from companion.ports import Clock
from companion.screen import draw
from companion.serve import Rig
from companion.view import NO_LABELS, Header, Mood, RingView, View
from companion.words import attention

log = logging.getLogger(__name__)

AGAIN_S = 0.5  # between two tries, and between two words on how far a mend has come
PASSING = (JournalFull, JournalReadOnly, JournalLocked, JournalOutOfReach)  # what waiting mends


def cannot_save(_: Texts) -> View:
    return View(Header(), attention(_("The game cannot be saved!"), _), NO_LABELS, RingView(Mood.TROUBLE))


def when_writable(
    opened: Callable[[], Journal],
    rig: Rig,
    *,
    said: View,
    clock: Clock,
    notifier: Notifier,
    stopped: Callable[[], bool] = lambda: False,
) -> Journal | None:
    """The journal that `opened` opens, as soon as it can be written; until then the displays show `said`.

    None where it is `stopped` before that. Raises JournalError for what is not mended by waiting.
    """
    waits = _Waits(notifier)
    journal = waits.tried(opened)
    if journal is not None:
        return journal
    with _shown(rig, said, clock):
        while not stopped():
            notifier.alive()
            clock.sleep(AGAIN_S)
            if stopped():
                break
            journal = waits.tried(opened)
            if journal is not None:
                return journal
    notifier.stopping()
    return None


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
            self._notifier.status(f"waiting: {error.cause}")
            return None
        self._notifier.status("")
        return journal


def telling_of_a_mend(notifier: Notifier, clock: Clock) -> Progress:
    """Tells systemd how far the mending of a journal has come, which takes minutes after years of play."""
    due_s = float("-inf")

    def progress(done: int, whole: int) -> None:
        nonlocal due_s
        if clock.now_s() >= due_s:
            due_s = clock.now_s() + AGAIN_S
            notifier.busy(f"mending {done} of {whole} games")

    return progress


@contextmanager
def _shown(rig: Rig, said: View, clock: Clock) -> Iterator[None]:
    workers = [DisplayWorker(opened, lambda fact: log.info("%s", fact), clock=clock) for opened in rig.displays]
    try:
        for worker in workers:
            worker.show(draw(said))
            worker.start()
        yield
    finally:
        close_all(workers, clock=clock)
