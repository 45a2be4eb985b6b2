"""What lies at a path, also where the system does not tell: a name too long, a folder closed to this user."""

from __future__ import annotations

import errno
import stat
from pathlib import Path

NOTHING = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)


def is_folder(path: Path) -> bool:
    """Whether a folder lies there, or what links to one; not where the system does not tell."""
    mode = _mode(path)
    return mode is not None and stat.S_ISDIR(mode)


def is_file(path: Path, *, unknown: bool = False) -> bool:
    """Whether a file lies there, or what links to one; `unknown` where the system does not tell."""
    mode = _mode(path)
    return unknown if mode is None else stat.S_ISREG(mode)


def _mode(path: Path) -> int | None:
    """What kind of thing it is, as in `stat`; 0 for nothing, None where the system does not tell."""
    try:
        return path.stat().st_mode
    except OSError as fault:
        return 0 if fault.errno in NOTHING else None
    except ValueError:  # a name that none can have
        return 0
