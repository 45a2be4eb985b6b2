"""Work on many things by several processes, in the things' order."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.pool import Pool
from typing import Any, TypeVar

import cv2

T = TypeVar("T")
R = TypeVar("R")

ENDING = {signal.SIGTERM}  # by which a pool ends its processes

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
        with _forked(processes) as pool:
            yield from pool.imap(_one, range(len(things)), chunk)
    finally:
        _jobs.pop()


def _forked(processes: int) -> Pool:
    """Processes without what a fork takes along of its parent: OpenCV's threads, and handlers of signals.

    Threads are not there after a fork, and whoever waits for them waits for ever. A handler that only takes note lets
    the pool wait for ever for a process that it has told to end: the signal is kept until there is none.
    """
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    kept = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        return multiprocessing.get_context("fork").Pool(processes, _begin)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, kept)
        cv2.setNumThreads(threads)


def _begin() -> None:
    for number in ENDING:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)


def _one(number: int) -> Any:
    work, things = _jobs[-1]
    return work(things[number])
