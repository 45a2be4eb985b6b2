"""A damaged journal gives way to a new one that holds all of it that is sound: the table must play."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from companion.games.roll import DEFAULT, Board
from companion.journal import aside, faults, schema
from companion.journal.lock import LOCK, held_alone, real
from companion.journal.salvage import Carried, Progress, Salvage, Sound, sound
from companion.journal.store import Journal, utc_now


def mend(path: Path, when: datetime, progress: Progress = lambda _done, _whole: None) -> Salvage:
    """Keeps a damaged journal under another name, which ends with `when` in UTC, and carries what is sound of it into a
    new one in its place.

    A power cut at any moment loses nothing: what is saved lies whole beside the damaged one before that is moved, and
    notes that the players do not know of it yet. A link to it stays one. `progress` gets, again and again, how many
    sittings are done, and of how many. Raises JournalError.
    """
    path = real(path)
    try:
        with held_alone(path):
            _give(path.with_name(path.name + LOCK), like=path)
            saved, carried, lost = schema.saved(path), list[Carried](), set[int]()
            schema.create(saved, _noted(sound(path, progress, lost.add), carried))
            saved.chmod(path.stat().st_mode & 0o777)
            _give(saved, like=path)
            found = Salvage.of(aside.move(path, when), carried, lost)
            schema.begin(path)
            return found
    except OSError as error:
        raise faults.from_os(path, error) from error


def open_telling(
    path: Path,
    tell: Callable[[str], None],
    *,
    board: Board = DEFAULT,
    wall: Callable[[], datetime] = utc_now,
    progress: Progress = lambda _done, _whole: None,
) -> Journal:
    """Opens the journal; a damaged one is set aside, what is sound of it is kept, and `mended` of the journal says so.

    `tell` gets finished texts: what was damaged, and then what became of it; `progress` what `mend` gives it. Raises as
    `Journal.open`, but for damage.
    """
    path = real(path)
    try:
        return Journal.open(path, board=board, wall=wall)
    except faults.JournalCorrupt as damage:
        salvage = mend(path, wall(), progress)
        tell(f"journal {path}: {damage.cause}")
        tell(str(salvage))
        return Journal.open(path, board=board, wall=wall)


def _noted(sittings: Iterable[Sound], carried: list[Carried]) -> Iterator[Sound]:
    """The sittings as they pass, whose lines nobody keeps; `carried` gets what is told of them."""
    for sitting in sittings:
        carried.append(sitting.carried)
        yield sitting


def _give(file: Path, *, like: Path) -> None:
    """Root may mend the journal of the service, which must be able to lock and write it afterwards. No link that lies
    there gives away what it leads to."""
    owner = like.stat()
    with suppress(PermissionError):
        os.chown(file, owner.st_uid, owner.st_gid, follow_symlinks=False)
