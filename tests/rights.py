"""Rights as most users have them, also where the tests run as root, to whom nothing is closed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NOBODY = 65534


@contextmanager
def as_nobody() -> Iterator[None]:
    """Root is another user meanwhile."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@contextmanager
def closed(place: Path) -> Iterator[None]:
    """A file, or folder, that this process may not look into."""
    mode = place.stat().st_mode
    place.chmod(0)
    try:
        with as_nobody():
            yield
    finally:
        place.chmod(mode)
