"""Modules that are run as commands and load for seconds: how they begin, and how Ctrl-C ends them."""

from __future__ import annotations

import importlib
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

INTERRUPTED = 128 + signal.SIGINT  # the status that shells tell of what Ctrl-C ended


def run(module: str) -> int:
    """Loads a module and runs its `main`. Its status, or INTERRUPTED.

    For the module itself, as the first thing it does where it is run as a command: so it is loaded once more, by its
    name, and nothing but this is done before Ctrl-C is provided for.
    """
    with loading():
        command = importlib.import_module(module)
    try:
        return int(command.main())
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        _end_at_once()


@contextmanager
def loading() -> Iterator[None]:
    """Ctrl-C ends the process at once while libraries load.

    Half loaded, or half ended, they take an exception amiss: what uses NumPy tells tracebacks of its own, Blender
    crashes.
    """
    before = signal.getsignal(signal.SIGINT)
    _end_at_once()
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C is heard once all is done that is done in here; a second one ends the process at once.

    Blender takes an exception that comes while it calls Python for a fault of what it calls, and goes on.
    """
    heard = False

    def hear(*_: object) -> None:
        nonlocal heard
        if heard:
            os._exit(INTERRUPTED)
        heard = True

    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, hear)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if heard:
        raise KeyboardInterrupt


@contextmanager
def whole() -> Iterator[None]:
    """What is raised where a signal comes, as Ctrl-C does, is raised once all is done that is done in here.

    Raised within a library that loads, it may come out as one that is not installed. The main thread alone hears it.
    """
    heard: list[int] = []
    own = signal.valid_signals() if threading.current_thread() is threading.main_thread() else ()
    before = {number: earlier for number in own if callable(earlier := signal.getsignal(number))}
    try:
        for number in before:
            signal.signal(number, lambda number, _: heard.append(number))
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)
        for late in heard:
            signal.raise_signal(late)


def _end_at_once() -> None:
    """From now on Ctrl-C ends the process, unless it is ignored, as in the background."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
