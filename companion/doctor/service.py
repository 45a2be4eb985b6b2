"""The companion that is at the table now: systemd's service, or another one."""

from __future__ import annotations

from collections.abc import Sequence

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


def _status_line(host: Host) -> str:
    """The service's; "" where it is not up, or has none."""
    told = host.tells(["systemctl", "show", "--property=ActiveState,StatusText", "companion.service"]) or ""
    says = dict(line.split("=", 1) for line in told.splitlines() if "=" in line)
    return says.get("StatusText", "") if says.get("ActiveState") in UP else ""
