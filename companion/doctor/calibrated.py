"""What was measured of this table, and whether it holds."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from calibration.parsed import ProfileClosed, ProfileError
from calibration.place import FAR_MM
from calibration.play import MOVED_MM, place_of
from calibration.profile import load
from calibration.use import dice_in_empty, in_place, wild_of
from companion.config import Camera, Config
from companion.doctor.finding import Finding, degraded, ok
from companion.ports import Picture


def calibrated(camera: Camera, folder: Path) -> Finding:
    """Without a profile dice are read all the same, so nothing here is broken."""
    try:
        profile = load(folder)
        wild_of(profile, folder)
        place_of(profile, folder)
    except ProfileClosed as closed:
        return degraded("profile", f"what is calibrated cannot be told: {closed.wrong}", closed.remedy)
    except (ProfileError, ValueError) as error:
        return degraded("profile", f"dice are read without it: {error}", "companion calibrate")
    if stale := profile.stale(camera):
        return degraded("profile", f"dice are read without it: {stale}", "companion calibrate camera")
    if dice_in_empty(profile, folder):
        return degraded("profile", "dice lie in its picture of the empty tray", "companion calibrate camera")
    done = [step.name for step in fields(profile) if getattr(profile, step.name) is not None]
    if not done:
        return ok("profile", f"nothing is calibrated yet in {folder}; dice are read all the same")
    return ok("profile", f"{folder}: {', '.join(done)}")


def moved(camera: Camera, folder: Path, picture: Picture) -> str:
    """How camera and tray stand otherwise than when they were calibrated; "" where they do not, or nothing tells.

    Where it was another camera that was calibrated, nothing does.
    """
    try:
        profile = load(folder)
        place = place_of(profile, folder)
    except (ProfileError, ValueError):
        return ""  # told by `calibrated`
    if profile.camera is None or place is None or profile.stale(camera):
        return ""
    height, width = picture.shape[:2]
    if profile.camera.size != (width, height):
        return f"pictures had {profile.camera.size[0]}×{profile.camera.size[1]} pixels when the table was calibrated"
    off_mm = place.moved_mm(picture)
    if off_mm is None or off_mm <= MOVED_MM:
        return ""
    return f"it or the tray moved{'' if off_mm == FAR_MM else f' by {off_mm:.0f} mm'} since the table was calibrated"


def as_measured(config: Config, folder: Path) -> Config:
    """The configuration as play takes it: ring and buttons are tried as they were measured."""
    try:
        return in_place(config, load(folder))
    except ProfileError:
        return config
