"""Files of training are there as a whole or not at all: a run cut off while it writes one leaves the one before."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def whole(path: Path) -> Iterator[BinaryIO]:
    """A stream to a file that takes the place of `path` once all is written."""
    partial = path.with_name(f"{path.name}.part")
    try:
        with partial.open("wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def checksum(facts: object) -> str:
    """Eight digits that tell these facts from others, for the name of a file that was made from them."""
    return f"{zlib.crc32(repr(facts).encode()):08x}"


def without(collection: str, folder: Path) -> Path:
    """Where networks are kept, beside those of all collections, that have not seen one."""
    return folder / f"without-{collection}"
