"""Damaged journals: kept beside the one in use under names of their own, and never deleted."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

LOG, MAP = "-wal", "-shm"
PARTS = ("", LOG, MAP)  # the files one journal consists of


def move(path: Path, when: datetime) -> Path:
    """Renames a journal, with the files beside it, to `name.corrupt-DATE`, in UTC, and returns its new name.

    Nothing that already bears the name is overwritten. Raises OSError.
    """
    aside = _free_name(path.with_name(f"{path.name}.corrupt-{when:%Y-%m-%dT%H%M%S}"))
    for ending in present(path):
        path.with_name(path.name + ending).rename(aside.with_name(aside.name + ending))
    return aside


def present(path: Path) -> tuple[str, ...]:
    """Which of a journal's files lie there, by their endings."""
    return tuple(ending for ending in PARTS if path.with_name(path.name + ending).exists())


def holds_lines(path: Path) -> bool:
    """Whether there are any in the log of a journal that is gone; the map to it holds none."""
    log = path.with_name(path.name + LOG)
    return log.exists() and log.stat().st_size > 0


def clear(path: Path) -> None:
    """Removes the log and the map of a journal that is gone, which hold nothing. Raises OSError."""
    for ending in (LOG, MAP):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def kept_aside(path: Path) -> tuple[Path, ...]:
    """The damaged journals that lie beside this one, oldest first."""
    begin = f"{path.name}.corrupt-"
    found = (file for file in path.parent.iterdir() if file.name.startswith(begin))
    return tuple(sorted(file for file in found if not file.name.endswith(PARTS[1:])))


def _free_name(path: Path) -> Path:
    tries = (path.with_name(path.name + (f".{number}" if number else "")) for number in range(1000))
    return next(name for name in tries if not present(name))
