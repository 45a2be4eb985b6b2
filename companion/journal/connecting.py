"""How SQLite opens a journal: to write it, or to read it, also where nothing can be written beside it.

SQLite reads a journal through a map that it lays beside it. A full disk has no room for one, and a read-only one takes
none; there a journal is read as it lies, or, where a log of its newest lines lies beside it, in a copy in memory.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from companion.journal import faults, lock

BUSY_S = 2.0  # how long another program may hold the file, e.g. a backup
WRITER_BUSY_S = 0.5  # who writes tries again by itself, and must stop within 2 s, its devices' 1.2 s among them
PLACES = ("/dev/shm", os.environ.get("TMPDIR", "/tmp"))  # for copies: in memory first, as on every Linux
VERSIONS = slice(18, 20)  # in a header: of the file's form, by which SQLite decides whether to write and to read it
WITH_LOG = b"\x02\x02"
KNOWN_VERSIONS = (WITH_LOG, b"\x01\x01")  # without a log: of a journal that another program copied, e.g. VACUUM INTO
UNSEEN = "its newest lines lie in {log} and cannot be seen: there is no room for a copy of it; free some space"


@contextmanager
def connection(path: Path, name: str, *, busy_s: float = BUSY_S) -> Iterator[sqlite3.Connection]:
    """`name`: of the file, or a "file:" one; `path`: what a fault is about.

    Letters that damage made unreadable are replaced, and no seal fits what is replaced.
    """
    try:
        database = sqlite3.connect(
            name, timeout=busy_s, isolation_level=None, check_same_thread=False, uri=name.startswith("file:")
        )
    except sqlite3.Error as error:
        raise faults.from_sqlite(path, error) from error
    database.text_factory = lambda raw: raw.decode("utf-8", "replace")
    try:
        yield database
    finally:
        database.close()


@contextmanager
def reading(path: Path, tell: Callable[[str], None]) -> Iterator[sqlite3.Connection]:
    """A connection that only reads, also while a companion writes. `tell` gets what cannot be seen, if anything."""
    with ExitStack() as held:
        yield _beside(path, held) or held.enter_context(aloof(path, tell))


def _beside(path: Path, held: ExitStack) -> sqlite3.Connection | None:
    """With SQLite's map beside the journal; None where there is no room for it, and nobody who made one."""
    if lock.in_use(path):
        return held.enter_context(_opened(path))
    if not _has_room(path.parent, faults.MAP_BYTES):
        return None
    try:
        return held.enter_context(_opened(path))
    except (faults.JournalFull, faults.JournalReadOnly, faults.JournalOutOfReach):  # promised and not given: a quota
        return None


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    with connection(path, _read_only(path)) as database:
        with faults.told(path):
            database.execute("PRAGMA schema_version").fetchone()  # until then nothing is opened
        yield database


@contextmanager
def aloof(path: Path, tell: Callable[[str], None]) -> Iterator[sqlite3.Connection]:
    """A connection that reads a journal which nobody writes, and neither changes it nor leaves anything beside it.

    Where damage made its header name versions that there are not, for which SQLite would not read it, or not its log,
    those of a copy are set right.
    """
    log = path.with_name(path.name + "-wal")
    has_log, is_misnamed = log.exists() and log.stat().st_size > 0, _versions(path) not in KNOWN_VERSIONS
    name = f"{_read_only(path)}&immutable=1"
    with ExitStack() as held:
        if has_log or is_misnamed:
            copy = _copied((path, log) if has_log else (path,), held)
            if copy is None:
                tell(f"journal {path}: {UNSEEN.format(log=log)}")
            else:
                name = _read_only(copy)
                if is_misnamed:
                    _set_versions(copy)
        yield held.enter_context(connection(path, name))


def _versions(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(VERSIONS.stop)[VERSIONS]


def _set_versions(path: Path) -> None:
    with path.open("rb+") as file:
        file.seek(VERSIONS.start)
        file.write(WITH_LOG)


def _copied(files: tuple[Path, ...], held: ExitStack) -> Path | None:
    """The first of the files, copied with the others to where there is room; None where there is none."""
    needed = sum(file.stat().st_size for file in files) + faults.MAP_BYTES
    for place in PLACES:
        try:
            if _has_room(Path(place), needed):
                folder = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="companion-", dir=place)))
                for file in files:
                    shutil.copy(file, folder)
                return folder / files[0].name
        except OSError:  # full all the same, or not there
            continue
    return None


def _has_room(folder: Path, needed: int) -> bool:
    return os.access(folder, os.W_OK) and shutil.disk_usage(folder).free >= needed


def _read_only(path: Path) -> str:
    return f"{path.absolute().as_uri()}?mode=ro"
