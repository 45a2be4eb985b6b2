"""Where the configuration and the state lie when nobody says otherwise."""

from __future__ import annotations

import os
import pwd
from collections.abc import Mapping
from pathlib import Path

from companion.config.reading import ConfigError, Problem
from companion.config.sections import Config

SYSTEM_FILE = Path("/etc/companion/companion.toml")
SYSTEM_STATE = Path("/var/lib/companion")  # what systemd names to the service


class Homeless(ConfigError):
    """Where this user's own things are kept is not known, and was not said."""

    def __init__(self, file: Path | None) -> None:
        expected = "this user has no home folder to keep things in: set HOME, or name journal and calibration here"
        super().__init__(file, (Problem("files", "", expected),))


def find(chosen: Path | None, environ: Mapping[str, str]) -> Path | None:
    """The configuration file: the chosen one, $COMPANION_CONFIG, the user's, the system's; None where there is none.

    A file that was named is returned though it may not exist; that is an error to be told when it is read.
    """
    named = chosen or _path(environ, "COMPANION_CONFIG")
    if named is not None:
        return named
    usual = (users_file(environ), SYSTEM_FILE)
    return next((file for file in usual if file is not None and _exists(file)), None)


def users_file(environ: Mapping[str, str]) -> Path | None:
    """Where this user's configuration lies, if there is one; None where the user's home is not known."""
    own = _own(environ, "XDG_CONFIG_HOME", ".config")
    return None if own is None else own / "companion.toml"


def state_folder(environ: Mapping[str, str], file: Path | None = None) -> Path:
    """Where the companion keeps what must last: systemd's state folder, else the user's.

    By hand the configuration `file` tells: the system's is that of the service, and goes with its state where that is.
    Raises Homeless.
    """
    given = environ.get("STATE_DIRECTORY", "").split(":")[0]
    if given:
        return Path(given)
    if is_systems(file) and _exists(SYSTEM_STATE):
        return SYSTEM_STATE
    own = _own(environ, "XDG_STATE_HOME", ".local/state")
    if own is None:
        raise Homeless(file)
    return own


def is_systems(file: Path | None) -> bool:
    """Whether that configuration is the service's, by whatever name."""
    return file is not None and _are_same(file, SYSTEM_FILE)


def journal_file(config: Config, environ: Mapping[str, str], file: Path | None = None) -> Path:
    """`file`: where the configuration was read. Raises Homeless."""
    return config.files.journal or state_folder(environ, file) / "journal.db"


def calibration_folder(config: Config, environ: Mapping[str, str], file: Path | None = None) -> Path:
    """A drawn table's lies below the real one's, so that neither ever takes the other's place.

    `file`: where the configuration was read. Raises Homeless.
    """
    folder = config.files.calibration or state_folder(environ, file) / "calibration"
    return folder / "simulated" if config.camera.kind == "simulated" else folder


def _path(environ: Mapping[str, str], name: str) -> Path | None:
    return Path(environ[name]) if environ.get(name) else None


def _own(environ: Mapping[str, str], name: str, below: str) -> Path | None:
    """The companion's folder in the one that `name` tells, else `below` the user's home; None where that is not known.

    What is relative is not heeded (https://specifications.freedesktop.org/basedir-spec): it would be another folder
    wherever one stands.
    """
    folder, home = _path(environ, name), _home(environ)
    if folder is not None and folder.is_absolute():
        return folder / "companion"
    return None if home is None else home / below / "companion"


def _home(environ: Mapping[str, str]) -> Path | None:
    """$HOME, else what the system's list of users says, as for a login; None where it does not know this one."""
    home = _path(environ, "HOME")
    if home is not None and home.is_absolute():
        return home
    try:
        listed = Path(pwd.getpwuid(os.getuid()).pw_dir)
    except KeyError:
        return None
    return listed if listed.is_absolute() else None


def _are_same(file: Path, other: Path) -> bool:
    """By whatever name or link; not where the system does not tell."""
    try:
        return file.samefile(other)
    except OSError:
        return False


def _exists(file: Path) -> bool:
    """A folder that may not be looked into counts as one where nothing is."""
    try:
        return file.exists()
    except OSError:
        return False
