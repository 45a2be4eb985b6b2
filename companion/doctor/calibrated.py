"""What was measured of this table, and whether it holds."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from calibration.profile import ProfileError, load
from companion.config import Camera
from companion.doctor.finding import Finding, degraded, ok


def calibrated(camera: Camera, folder: Path) -> Finding:
    """Without a profile dice are read all the same, so nothing here is broken."""
    try:
        profile = load(folder)
    except ProfileError as error:
        return degraded("profile", f"dice are read without it: {error}", "companion calibrate")
    if stale := profile.stale(camera.kind, camera.device, camera.turned_size):
        return degraded("profile", f"dice are read without it: {stale}", "companion calibrate camera")
    done = [step.name for step in fields(profile) if getattr(profile, step.name) is not None]
    if not done:
        return ok("profile", f"nothing is calibrated yet in {folder}; dice are read all the same")
    return ok("profile", f"{folder}: {', '.join(done)}")
