"""The companion that is at the table now, systemd's service or another one; and what the service is kept from."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from companion import reach
from companion.config import Config
from companion.doctor.finding import Finding, broken, degraded, ok
from companion.doctor.host import Host
from companion.events import Fit
from companion.status import NOT_BEGUN, WAITING, Status
from companion.supervised import spoken

UP = ("active", "activating", "reloading", "deactivating")  # of a unit's states; its last status line outlives them
CALIBRATION = {  # where it does not hold
    Fit.MOVED: ("the camera or the tray moved", "put it back, or: companion calibrate camera"),
    Fit.OTHER: ("it was made for another camera or size of pictures", "companion calibrate camera"),
    Fit.BROKEN: ("it cannot be read any more", "companion calibrate"),
}


def running(host: Host, roles: Sequence[str]) -> list[Finding]:
    """Of a companion that writes the journal: what the service says of itself, and of each device it uses. Nobody
    knows of a table that is another one's."""
    line = _status_line(host)
    if not line or line.startswith((WAITING, NOT_BEGUN)):
        text = "another companion holds the journal; no device was tried"
        return [degraded("service", text, "end it, then: companion doctor")]
    status = Status.of(line)
    findings = [ok("service", f"a companion is running: {line}")]
    if "light" in status.lost:
        remedy = "light the tray, or take away what covers the lens"
        findings.append(degraded("light", "the running companion sees black pictures", remedy))
    if status.fit in CALIBRATION:
        text, remedy = CALIBRATION[status.fit]
        findings.append(degraded("profile", f"dice are read without it: {text}", remedy))
    for role in roles:
        part = spoken(role)
        if role in status.lost:
            findings.append(broken(part, "the running companion has lost it", "look at: journalctl -u companion -n 50"))
        else:
            findings.append(ok(part, "in use by the running companion; to test it: sudo systemctl stop companion"))
    return findings


def reached(config: Config, host: Host) -> Iterator[Finding]:
    """Each place of the service's configuration that its unit keeps it from: what it writes, and what it only reads."""
    unit = _shown(host, "ProtectSystem", "ProtectHome", "ReadWritePaths")
    added = [Path(each.lstrip("-+")) for each in _listed(unit.get("ReadWritePaths", ""))]
    for folder in _written(config):
        if unit.get("ProtectSystem") == "strict" and not reach.may_write(folder, added):
            yield broken("service", f"its unit does not let it write into {folder}", reach.remedy(folder))
    for path in _read(config):
        if unit.get("ProtectHome") == "yes" and reach.hides(path):
            yield broken("service", f"its unit does not let it see {path}", reach.remedy(path))


def _listed(paths: str) -> list[str]:
    """Those of a list as systemctl shows it, with what holds blanks in quotes."""
    try:
        return shlex.split(paths)
    except ValueError:  # a quote that an older systemctl leaves as it is
        return paths.split()


def _written(config: Config) -> Iterator[Path]:
    """The folders, but for the state folder."""
    if config.files.journal is not None:
        yield config.files.journal.resolve().parent
    yield from (display.folder for display in config.display if display.kind == "png" and display.folder is not None)


def _read(config: Config) -> Iterator[Path]:
    camera = config.camera
    named = {"folder": (camera.path, camera.order), "video": (camera.url,)}.get(camera.kind, ())
    scripts = (buttons.script for buttons in config.buttons if buttons.kind == "script")
    yield from (path for path in (config.files.calibration, *named, *scripts) if isinstance(path, Path))


def _status_line(host: Host) -> str:
    """The service's; "" where it is not up, or has none."""
    unit = _shown(host, "ActiveState", "StatusText")
    return unit.get("StatusText", "") if unit.get("ActiveState") in UP else ""


def _shown(host: Host, *properties: str) -> dict[str, str]:
    """Of the service's unit, as systemd has it; what is not installed has the values of any other."""
    told = host.tells(["systemctl", "show", f"--property={','.join(properties)}", "companion.service"]) or ""
    return dict(line.split("=", 1) for line in told.splitlines() if "=" in line)
