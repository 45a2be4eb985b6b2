"""Batches made by others while a network learns from those before."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

T = TypeVar("T")

EACH = 4  # batches that a process makes ahead


def ahead(
    make: Callable[[int], T], first: int, processes: int = 1, *, pinned: bool = False
) -> Generator[T, None, None]:
    """What `make` returns for `first` and each number after it, without end, made while those before are used.

    By one thread, or by several processes, which are forked: what they make must be tensors, and groups of them.
    `pinned`: in memory that a GPU fetches them from by itself. What a call raises is raised here, too. Closed, it
    leaves nothing behind that runs.
    """
    yield from _by_a_thread(make, first) if processes < 2 else _by_processes(make, first, processes, pinned=pinned)


def _by_a_thread(make: Callable[[int], T], first: int) -> Iterator[T]:
    with ThreadPoolExecutor(1) as worker:
        coming = worker.submit(make, first)
        for number in itertools.count(first + 1):
            ready = coming.result()
            coming = worker.submit(make, number)
            yield ready


def _by_processes(make: Callable[[int], T], first: int, processes: int, *, pinned: bool) -> Iterator[T]:
    from torch.utils.data import DataLoader  # a thread does without it

    yield from DataLoader(
        _Made(make),
        batch_size=None,
        sampler=itertools.count(first),
        num_workers=processes,
        prefetch_factor=EACH,
        collate_fn=_as_it_is,
        multiprocessing_context="fork",
        pin_memory=pinned,
    )


class _Made(Generic[T]):
    """PyTorch asks for a thing's number in brackets."""

    def __init__(self, make: Callable[[int], T]) -> None:
        self._make = make

    def __getitem__(self, number: int) -> T:
        return self._make(number)


def _as_it_is(made: object) -> object:
    return made
