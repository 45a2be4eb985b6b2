"""Who may write a journal: one companion at a time, for as long as it lives."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from companion.journal import faults

LOCK = ".lock"
TRIES = 10_000  # some hundredths of a second: a busy computer may hold up who looks


def real(path: Path) -> Path:
    """The file itself, where the name is a link to one: the same journal has one lock, whatever leads to it."""
    return Path(os.path.realpath(path)) if os.path.exists(path) else path  # noqa: PTH110  (which raises nothing)


@contextmanager
def held_alone(path: Path) -> Iterator[None]:
    """Holds `path` against a second daemon for as long as this process lives; a killed process lets go of it."""
    try:
        handle = os.open(_lock_file(path), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise faults.from_os(path, error) from error
    try:
        if not _taken(handle):
            raise faults.locked(path)
        yield
    finally:
        os.close(handle)


def in_use(path: Path) -> bool | None:
    """Whether a companion writes this journal now; None where this user may not look. Makes no file."""
    try:
        handle = os.open(_lock_file(real(path)), os.O_RDONLY | os.O_CLOEXEC)
    except PermissionError:
        return None
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)  # as many may look at once as like
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def _taken(handle: int) -> bool:
    """Who only looks whether somebody writes holds it for an instant, too: such a one is let finish."""
    for _ in range(TRIES):
        with suppress(BlockingIOError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        os.sched_yield()
    return False


def lies_beside(path: Path) -> bool:
    """Whether a companion ever wrote a journal here: it left its lock, which is empty, and which no other file gets."""
    file = _lock_file(path)
    return file.is_file() and file.stat().st_size == 0


def _lock_file(path: Path) -> Path:
    return path.with_name(path.name + LOCK)
