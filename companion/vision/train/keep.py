"""Files of training are there as a whole or not at all: a run cut off while it writes one leaves the one before."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from companion.paths import is_file, reason


@contextmanager
def whole(path: Path) -> Iterator[BinaryIO]:
    """A stream to a file that takes the place of `path` once all is written; to a device or a pipe, which stays."""
    if path.exists() and not path.is_file():
        with path.open("wb") as stream:
            yield stream
        return
    path = path.resolve()  # what links to a file goes on doing so
    partial = path.with_name(f"{path.name}.part")
    try:
        with partial.open("wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def all_made(paths: Iterable[Path], *, by: str) -> None:
    """Raises FileNotFoundError for the first that is not there, and says which command makes it."""
    for path in paths:
        if not is_file(path, unknown=True):
            raise FileNotFoundError(f"{path}: no such file; {by} makes it")


def told(fault: Exception) -> str:
    """A fault in a line: of a file its name, and why it is no use in the system's words."""
    name = fault.filename if isinstance(fault, OSError) else None
    return reason(fault) if name is None else f"{name}: {reason(fault)}"


def checksum(facts: object) -> str:
    """Eight digits that tell these facts from others, for the name of a file that was made from them."""
    return f"{zlib.crc32(repr(facts).encode()):08x}"


def without(collection: str, folder: Path) -> Path:
    """Where networks are kept, beside those of all collections, that have not seen one."""
    return folder / f"without-{collection}"
