"""What lies at a path, also where the system does not tell: a name too long, a folder closed to this user.

And what people wrote into a file there, but nothing endless that was named by mistake: a device, a pipe, a film. And
files that are written whole, or not at all.
"""

from __future__ import annotations

import errno
import grp
import os
import pwd
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

LARGEST_BYTES = 1_000_000  # nothing that people write for a table is larger
TRIED = b"x" * 4096  # a full disk may still make a file of nothing
PART = ".part"  # behind the name of what is not whole yet
LONGEST_NAME = 250  # bytes, of the 255 that Linux gives a name
OPENED = ("/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/")
NOTHING = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)


def is_folder(path: Path) -> bool:
    """Whether a folder lies there, or what links to one; not where the system does not tell."""
    mode = _mode(path)
    return mode is not None and stat.S_ISDIR(mode)


def first_missing(folder: Path) -> Path | None:
    """The outermost folder on the way to `folder` that is not there; None where all are, or the system does not
    tell."""
    missing = [each for each in (folder, *folder.parents) if _mode(each) == 0]
    return missing[-1] if missing else None


def is_file(path: Path, *, unknown: bool = False) -> bool:
    """Whether a file lies there, or what links to one; `unknown` where the system does not tell."""
    mode = _mode(path)
    return unknown if mode is None else stat.S_ISREG(mode)


def first_among(files: Iterable[Path], others: Iterable[Path]) -> Path | None:
    """The first of some files that is one of the others, whatever they are called; None where none is."""
    taken = set(map(os.path.realpath, others))
    return next((file for file in files if os.path.realpath(file) in taken), None)


def is_named_pipe(path: Path) -> bool:
    """Whether a pipe lies there that has a name of its own: whoever opens it waits until somebody writes."""
    return path.is_fifo() and path.resolve().is_fifo()


def content_of(file: Path, expected: str) -> bytes:
    """What a file holds. Raises OSError, and ValueError for what is no file or is too large for what was `expected`."""
    if file.exists() and not file.is_file():
        raise ValueError("a file was expected, but it is something else")
    with file.open("rb") as opened:
        held = opened.read(LARGEST_BYTES + 1)
    if len(held) > LARGEST_BYTES:
        raise ValueError(f"{expected} was expected, but it is larger than 1 MB")
    return held


def text_of(content: bytes) -> str:
    """What people wrote into a file, be there a mark of the byte order before it or not. Raises ValueError, with the
    line, for what is not in UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = content.count(b"\n", 0, fault.start) + 1
        raise ValueError(f"text in UTF-8 was expected, but line {line} is not") from None


def reason(fault: Exception) -> str:
    """Why something cannot be done there: in the system's words, without its number and the path, or in the fault's."""
    return (fault.strerror if isinstance(fault, OSError) else None) or str(fault)


def way_in(path: Path, command: str = "companion …", *, own: str = "make it readable") -> str:
    """What to do where access is denied on the way to `path`: `command`, as a user who has it; `own` where it is this
    user's own."""
    found = next((each for each in map(_status, (path, *path.parents)) if each is not None), None)
    if found is not None and found.st_uid == os.geteuid():
        return own
    who = "root" if found is None else _who_may(found)
    return f"do it as one who may: {'sudo' if who == 'root' else f'sudo -u {who}'} {command}"


def _who_may(found: os.stat_result) -> str:
    """The owner; of what is root's and open to a group, the user of that name, as the service has one."""
    try:
        owner = pwd.getpwuid(found.st_uid).pw_name
        if owner == "root" and found.st_mode & stat.S_IRGRP:
            return pwd.getpwnam(grp.getgrgid(found.st_gid).gr_name).pw_name
    except KeyError:
        return "root"
    return owner


def _status(path: Path) -> os.stat_result | None:
    """None where the system does not tell."""
    try:
        return path.stat()
    except (OSError, ValueError):
        return None


def writable(file: Path) -> None:
    """Raises OSError where a file cannot be written; leaves all as it is."""
    if _stays(file):
        file.open("ab").close()
        return
    beside = _beside(file.resolve())
    beside.open("wb").close()
    beside.unlink()


def keeps_files(folder: Path) -> None:
    """Raises OSError where nothing can be kept in a folder; leaves all as it is."""
    with tempfile.TemporaryFile(dir=folder) as trial:
        trial.write(TRIED)
        trial.flush()


@contextmanager
def there_for_a_while(folder: Path) -> Iterator[None]:
    """A folder to try something in: as much of it as was not there is made, and taken away again. What others put into
    it meanwhile stays. Raises OSError where it cannot be made."""
    missing = [each for each in (folder, *folder.parents) if _mode(each) == 0]
    with ExitStack() as made:
        for each in reversed(missing):
            try:
                each.mkdir()
            except FileExistsError:
                if not is_folder(each):
                    raise
            else:
                made.callback(_take_away, each)
        folder.mkdir(exist_ok=True)  # raises for what is no folder, or where the system does not tell
        yield


def _take_away(folder: Path) -> None:
    with suppress(OSError):  # something was put into it
        folder.rmdir()


def put_whole(file: Path, content: bytes, *, durable: bool = False, mode: int | None = None) -> None:
    """Writes a file, as `whole` does."""
    with whole(file, durable=durable, mode=mode) as stream:
        stream.write(content)


@contextmanager
def whole(file: Path, *, durable: bool = False, mode: int | None = None) -> Iterator[BinaryIO]:
    """A stream to a file that takes the place of what lies there once all is written: nothing is ever torn, and where
    it cannot be written the old one stays. What leads to a file, and a device or a pipe, goes on doing so.

    `durable`: it is on the disk before it is seen, whenever the power goes. `mode`: who may do what with it, instead of
    what the old one, or the system, says. Raises OSError, with the file.
    """
    if _stays(file):
        with file.open("wb") as stream:
            yield stream
        return
    file = file.resolve()
    beside = _beside(file)
    try:
        with beside.open("wb") as stream:
            yield stream
            stream.flush()
            if durable:
                os.fsync(stream.fileno())
        if mode is not None or file.exists():
            beside.chmod(stat.S_IMODE(file.stat().st_mode) if mode is None else mode)
        beside.replace(file)
    except OSError as fault:
        if fault.filename not in (None, str(beside)):
            raise
        raise OSError(fault.errno, fault.strerror, str(file)) from None  # a full disk names none
    finally:
        with suppress(OSError):
            beside.unlink()
    if durable:
        sync_folder(file.parent)


def _stays(file: Path) -> bool:
    """Whether no other file can take its place: a device, a pipe, or what the program itself has open."""
    return (file.exists() and not file.is_file()) or str(file.absolute()).startswith(OPENED)


def _beside(file: Path) -> Path:
    """Where it is written until it is whole: always the same, so that no more than one is left by a power cut."""
    return file.with_name(os.fsdecode(os.fsencode(file.name)[:LONGEST_NAME]) + PART)


def sync_folder(folder: Path) -> None:
    """Returns once the names in a folder are on the disk: what was moved there stays there. Raises OSError."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _mode(path: Path) -> int | None:
    """What kind of thing it is, as in `stat`; 0 for nothing, None where the system does not tell."""
    try:
        return path.stat().st_mode
    except OSError as fault:
        return 0 if fault.errno in NOTHING else None
    except ValueError:  # a name that none can have
        return 0
