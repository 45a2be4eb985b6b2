"""What was accepted is put into the profile's folder: nothing that was there is lost before the new is whole."""

from __future__ import annotations

import errno
from itertools import count
from pathlib import Path

from calibration.facts import Profile
from calibration.profile import BROKEN, FILE, keep, save, tidy
from calibration.steps import Done
from companion.paths import keeps_files, reason, there_for_a_while, way_in

FULL = (errno.ENOSPC, errno.EDQUOT)
CLOSED = (errno.EACCES, errno.EPERM)


def tried(folder: Path) -> None:
    """Nothing is left of it. Raises ValueError where nothing can be kept in the folder, or it cannot be made."""
    try:
        with there_for_a_while(folder):
            keeps_files(folder)
    except OSError as error:
        raise _unwritten(folder, error) from error


def kept(done: Done, profile: Profile, folder: Path) -> Profile:
    """Pictures first, then the profile that names them: a full disk leaves the old one whole. Raises ValueError."""
    try:
        names = {name: keep(picture, name, folder) for name, picture in done.pictures.items()}
        profile = done.made(profile, names)
        save(profile, folder)
    except OSError as error:
        raise _unwritten(folder, error) from error
    return profile


def kept_anew(done: Done, folder: Path) -> tuple[Profile, Path]:
    """The same beside a profile that cannot be used, which goes on under the name that is told. Raises ValueError."""
    aside = next(name for n in count(1) if not _there(name := folder / BROKEN.format(n=n)))
    try:
        (folder / FILE).rename(aside)
    except OSError as error:
        raise _unwritten(folder, error) from error
    try:
        return kept(done, Profile(), folder), aside
    except ValueError:
        aside.rename(folder / FILE)
        raise


def tidied(profile: Profile, folder: Path) -> str:
    """Takes away what nothing names any more; tells why it could not, which harms nobody."""
    try:
        tidy(profile, folder)
    except OSError as error:
        return f"pictures of earlier calibrations stay in {folder}: {reason(error)}"
    return ""


def _there(file: Path) -> bool:
    return file.exists() or file.is_symlink()


def _unwritten(folder: Path, error: OSError) -> ValueError:
    remedy = _remedy(folder, error.errno)
    return ValueError(
        f"{folder} cannot be written: {reason(error)}; {remedy}name another --folder. What was kept before is as it was"
    )


def _remedy(folder: Path, fault: int | None) -> str:
    """What to do about it, before another folder is named; "" where nothing else helps."""
    if fault in FULL:
        return "make room there, or "
    if fault in CLOSED:
        return f"{way_in(folder, own='make it writable')}, or "
    return "make it writable, or " if fault == errno.EROFS else ""
