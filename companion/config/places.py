"""Where the configuration and the state lie when nobody says otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from companion.config.sections import Config

SYSTEM_FILE = Path("/etc/companion/companion.toml")
SYSTEM_STATE = Path("/var/lib/companion")  # what systemd names to the service


def find(chosen: Path | None, environ: Mapping[str, str]) -> Path | None:
    """The configuration file: the chosen one, $COMPANION_CONFIG, the user's, the system's; None where there is none.

    A file that was named is returned though it may not exist; that is an error to be told when it is read.
    """
    named = chosen or _path(environ, "COMPANION_CONFIG")
    if named is not None:
        return named
    usual = (_home(environ, "XDG_CONFIG_HOME", ".config") / "companion" / "companion.toml", SYSTEM_FILE)
    return next((file for file in usual if _exists(file)), None)


def state_folder(environ: Mapping[str, str], file: Path | None = None) -> Path:
    """Where the companion keeps what must last: systemd's state folder, else the user's.

    By hand the configuration `file` tells: the system's is that of the service, and goes with its state where that is.
    """
    given = environ.get("STATE_DIRECTORY", "").split(":")[0]
    if given:
        return Path(given)
    if file is not None and _are_same(file, SYSTEM_FILE) and _exists(SYSTEM_STATE):
        return SYSTEM_STATE
    return _home(environ, "XDG_STATE_HOME", ".local/state") / "companion"


def journal_file(config: Config, environ: Mapping[str, str], file: Path | None = None) -> Path:
    """`file`: where the configuration was read."""
    return config.files.journal or state_folder(environ, file) / "journal.db"


def calibration_folder(config: Config, environ: Mapping[str, str], file: Path | None = None) -> Path:
    """A drawn table's lies below the real one's, so that neither ever takes the other's place.

    `file`: where the configuration was read.
    """
    folder = config.files.calibration or state_folder(environ, file) / "calibration"
    return folder / "simulated" if config.camera.kind == "simulated" else folder


def _path(environ: Mapping[str, str], name: str) -> Path | None:
    return Path(environ[name]) if environ.get(name) else None


def _home(environ: Mapping[str, str], name: str, below: str) -> Path:
    home = Path(environ["HOME"]) if environ.get("HOME") else Path("/")
    return _path(environ, name) or home / below


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
