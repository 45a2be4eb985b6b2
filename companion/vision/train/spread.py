"""Work on many things by several processes, in the things' order."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar

import cv2

T = TypeVar("T")
R = TypeVar("R")

ENDING = signal.SIGTERM  # by which a pool ends its processes
CTRL_C = signal.SIGINT  # which a terminal sends to all of them; the parent ends them

_jobs: list[tuple[Callable[[Any], Any], Sequence[Any]]] = []


def spread(work: Callable[[T], R], things: Sequence[T], processes: int) -> Iterator[R]:
    """What `work` says of each thing. More than one process are forked: neither the work nor the things are copied.

    What a call raises is raised here, too.
    """
    if processes < 2 or len(things) < 2:
        yield from map(work, things)
        return
    _jobs.append((work, things))
    try:
        chunk = max(1, len(things) // (8 * processes))
        with ExitStack() as ended:
            with _forking():
                pool = ended.enter_context(multiprocessing.get_context("fork").Pool(processes, _begin))
            yield from pool.imap(_one, range(len(things)), chunk)
    finally:
        _jobs.pop()


@contextmanager
def _forking() -> Iterator[None]:
    """Processes forked in here are without what a fork takes along: OpenCV's threads, and handlers of signals.

    Threads are not there after a fork, and whoever waits for them waits for ever. A handler that only takes note lets
    the pool wait for ever for a process that it has told to end, and Python's own tells of Ctrl-C by a traceback of
    each: signals are kept until there are none.
    """
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    kept = signal.pthread_sigmask(signal.SIG_BLOCK, (ENDING, CTRL_C))
    try:
        yield
    finally:
        cv2.setNumThreads(threads)
        signal.pthread_sigmask(signal.SIG_SETMASK, kept)


def _begin() -> None:
    signal.signal(ENDING, signal.SIG_DFL)
    signal.signal(CTRL_C, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (ENDING, CTRL_C))


def _one(number: int) -> Any:
    work, things = _jobs[-1]
    return work(things[number])
