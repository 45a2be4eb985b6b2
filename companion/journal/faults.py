"""What can be wrong with a journal, each with the cause and what to do about it."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.paths import way_in
from companion.typed import to_type

MAP_BYTES = 64 * 1024  # SQLite's map of a small log, with its folder's entry


class JournalError(Exception):
    """The journal cannot be used. `path`, `cause`, and `remedy`: what the user can do. Nothing was changed."""

    def __init__(self, path: Path, cause: str, remedy: str) -> None:
        super().__init__(f"journal {path}: {cause}; {remedy}")
        self.path = path
        self.cause = cause
        self.remedy = remedy


class JournalLocked(JournalError):
    """Another process writes it."""


class JournalCorrupt(JournalError):
    """Its content is damaged. `mend` keeps the damaged file under another name, and what is sound in its place."""


class JournalUnread(JournalError):
    """What a sitting holds is sound, and still not to be read by this companion. All others can be."""


class JournalNewer(JournalError):
    """A newer companion wrote it; it is left untouched."""


class JournalOlder(JournalError):
    """A companion wrote it whose journals were of another form; it is left untouched."""


class JournalFull(JournalError):
    """The disk has no room. The same call may be repeated once there is some."""


class JournalReadOnly(JournalError):
    """The disk or the file may not be written."""


class JournalClosed(JournalError):
    """This user may not look at it."""


class JournalGone(JournalError):
    """Its files were removed, moved or replaced while it was open. The same call may be repeated once they are back."""


class JournalOutOfReach(JournalError):
    """The disk or the system fails at it, e.g. in reading, for too many open files, or as it leads to a drive that is
    not plugged in. The same call may be repeated once it does not."""


class NotAJournal(JournalError):
    """Something else lies at that path, or none can."""


def missing(path: Path) -> JournalError:
    return JournalError(path, "it does not exist", "name the journal with --journal, or play a game first")


def locked(path: Path) -> JournalLocked:
    return JournalLocked(path, "another companion writes it", "stop the other one, or name another file")


def corrupt(path: Path, what: str) -> JournalCorrupt:
    command = to_type("companion", "games", "set-aside", "--journal", path)
    remedy = f"keep it, and what is sound of it in its place, with: {command}"
    return JournalCorrupt(path, f"it is damaged ({what})", remedy)


def unread(path: Path, number: int, what: str) -> JournalUnread:
    remedy = "read it with the companion that wrote it; it keeps no other game from being read"
    return JournalUnread(path, f"game {number} is not as this companion writes it ({what})", remedy)


def newer(path: Path, version: int, known: int) -> JournalNewer:
    cause = f"a newer companion wrote it (format {version}, this one knows up to {known})"
    return JournalNewer(path, cause, "update the companion, or name another file")


def older(path: Path) -> JournalOlder:
    remedy = "read it with the companion that wrote it, and name another file, or rename it to begin a new one"
    return JournalOlder(path, "an older companion wrote it, in another form", remedy)


def gone(path: Path) -> JournalGone:
    cause = "its files were removed or replaced while the companion ran"
    return JournalGone(path, cause, "put them back, or start the companion anew: without this game")


def not_a_journal(path: Path, what: str) -> NotAJournal:
    return NotAJournal(path, what, "name another file")


def unplugged(path: Path, link: Path) -> JournalOutOfReach:
    """`link`: the journal or its folder."""
    what = "it" if link == path else link
    cause = f"{what} is a link to {link.readlink()}, which is not there"
    return JournalOutOfReach(path, cause, "plug in or mount the drive that it leads to, or name another file")


def full(path: Path) -> JournalFull:
    return JournalFull(path, "the disk is full", "free some space; the game goes on from here")


def read_only(path: Path, cause: str = "the disk is read-only") -> JournalReadOnly:
    return JournalReadOnly(path, cause, "make the folder and the file writable, or name another file")


def closed(path: Path, cause: str) -> JournalClosed:
    return JournalClosed(path, cause, way_in(path, own="make the folder and the file readable"))


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Around what SQLite or the system is asked: raises the fault behind whatever ends it."""
    try:
        yield
    except OSError as error:
        raise from_os(path, error) from error
    except UnicodeDecodeError as error:  # damage so deep that SQLite's own message cannot be read
        raise corrupt(path, "its pages are scrambled") from error
    except MemoryError as error:  # a damaged length, for which SQLite found no room
        raise corrupt(path, "a length in it is beyond all measure") from error
    except sqlite3.DatabaseError as error:
        raise from_sqlite(path, error) from error


def from_sqlite(path: Path, error: sqlite3.Error) -> JournalError:
    """The fault behind an error of SQLite, told by its primary result code (https://www.sqlite.org/rescode.html)."""
    extended = getattr(error, "sqlite_errorcode", None)
    if extended is None:  # not SQLite's own answer
        return corrupt(path, str(error))
    if extended == sqlite3.SQLITE_IOERR_SHMSIZE and not _has_room(path.parent):  # for the memory map beside the journal
        return full(path)
    match extended & 0xFF:
        case sqlite3.SQLITE_FULL:
            return full(path)
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            return read_only(path, "it may not be written")
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_ERROR | sqlite3.SQLITE_TOOBIG:
            # our statements are right, and our lines short: a table is damaged or gone, or a length in it
            return corrupt(path, str(error))
        case sqlite3.SQLITE_NOTADB:
            return corrupt(path, "its first page is no longer that of a database")
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return locked(path)
        case sqlite3.SQLITE_CANTOPEN if not _takes_files(path.parent):
            return full(path)
        case sqlite3.SQLITE_CANTOPEN:
            return read_only(path, "it or the files beside it cannot be opened")
        case sqlite3.SQLITE_IOERR | sqlite3.SQLITE_NOMEM | sqlite3.SQLITE_PROTOCOL:
            return JournalOutOfReach(path, f"the disk answers: {error}", "check the disk or SD card, and free space")
        case _:
            return JournalError(path, f"the disk answers: {error}", "check the disk or SD card, and free space")


def from_os(path: Path, error: OSError) -> JournalError:
    """The fault behind an error of the operating system."""
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return full(path)
        case errno.EROFS:
            return read_only(path)
        case errno.EACCES | errno.EPERM:
            return read_only(path, f"access is denied to {error.filename or path}")
        case errno.EEXIST if error.filename and _leads_nowhere(Path(error.filename)):
            return unplugged(path, Path(error.filename))
        case errno.ENOTDIR | errno.EEXIST:
            return not_a_journal(path, f"{error.filename or path} is not a folder")
        case errno.EINVAL | errno.EISDIR | errno.ELOOP | errno.ENAMETOOLONG | errno.ENOSYS | errno.EOPNOTSUPP:
            return not_a_journal(path, f"the system answers: {error.strerror}")  # however often it is asked
        case _:
            return JournalOutOfReach(path, f"the system answers: {error.strerror}", "check the disk and the path")


def _leads_nowhere(link: Path) -> bool:
    return link.is_symlink() and not link.exists()


def _has_room(folder: Path) -> bool:
    found = _disk(folder)
    return found is not None and found.f_bavail * found.f_frsize >= MAP_BYTES


def _takes_files(folder: Path) -> bool:
    """Whether there is a number left for one more; file systems that do not number theirs name none at all."""
    found = _disk(folder)
    return found is None or not found.f_files or found.f_favail > 0


def _disk(folder: Path) -> os.statvfs_result | None:
    try:
        return os.statvfs(folder)
    except OSError:
        return None
