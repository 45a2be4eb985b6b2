"""Work on many things by several processes, in the things' order."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import cv2

T = TypeVar("T")
R = TypeVar("R")

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
        with multiprocessing.get_context("fork").Pool(processes, cv2.setNumThreads, (1,)) as pool:
            yield from pool.imap(_one, range(len(things)), chunk)
    finally:
        _jobs.pop()


def _one(number: int) -> Any:
    work, things = _jobs[-1]
    return work(things[number])
