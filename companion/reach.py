"""What the service may write and see: its unit gives it the state folder, and hides the homes from it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from companion.config.places import SYSTEM_STATE

HOMES = (Path("/home"), Path("/root"), Path("/run/user"))  # what ProtectHome=yes hides (man systemd.exec)


def may_write(folder: Path, others: Sequence[Path] = ()) -> bool:
    """Whether the service may, by its unit. `others`: folders that a drop-in adds to its own."""
    return any(folder.resolve().is_relative_to(each.resolve()) for each in (SYSTEM_STATE, *others))


def hides(path: Path) -> Path | None:
    """The folder of homes in which it lies, which the service sees empty; None where it lies elsewhere."""
    return next((homes for homes in HOMES if path.resolve().is_relative_to(homes)), None)


def remedy(folder: Path) -> str:
    """What to do for the service to write into a folder."""
    if (homes := hides(folder)) is not None:
        return f"the service sees nothing below {homes} (ProtectHome): name a place elsewhere"
    unit = f"sudo systemctl edit companion, with the lines [Service] and ReadWritePaths={_in_unit(folder)}"
    return f"make it writable for companion, and let the service write there: {unit}"


def _in_unit(folder: Path) -> str:
    """A folder in a list of a unit file: in quotes where it would be several, and no specifier (man systemd.syntax)."""
    text = str(folder).replace("\\", "\\\\").replace("%", "%%")
    return text if re.fullmatch(r"[^\s\"';]+", text) else '"' + text.replace('"', '\\"') + '"'
