"""Batches made by a thread of their own while a network learns from those before."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def ahead(make: Callable[[], T]) -> Iterator[T]:
    """What calls of `make` return, one after the other, without end, each made while the one before it is used.

    What a call raises is raised here, too. Closed, it leaves no thread behind.
    """
    with ThreadPoolExecutor(1) as worker:
        coming = worker.submit(make)
        while True:
            ready = coming.result()
            coming = worker.submit(make)
            yield ready
