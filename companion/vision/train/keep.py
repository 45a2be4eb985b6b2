"""What training keeps in files: where, and what is told of what is missing or cannot be read."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from pathlib import Path

from companion.paths import first_among, is_file, reason, writable


def all_made(paths: Iterable[Path], *, by: str) -> None:
    """Raises FileNotFoundError for the first that is not there, and says which command makes it."""
    for path in paths:
        if not is_file(path, unknown=True):
            raise FileNotFoundError(f"{path}: no such file; {by} makes it")


def can_be_written(path: Path, *, read: Iterable[Path]) -> None:
    """Leaves all as it is. Raises OSError for a file that cannot be written, or is one of those that are `read`."""
    if first_among([path], read) is not None:
        raise FileExistsError(f"{path} is one of the files that are read; name another")
    try:
        writable(path)
    except OSError as fault:
        raise OSError(fault.errno, fault.strerror, str(path)) from None


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
