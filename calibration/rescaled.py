"""What was measured in an earlier camera's pixels, as the camera that was measured since then sees it."""

from __future__ import annotations

from dataclasses import replace

from calibration.facts import CameraFacts, DiceFacts, Profile, WildFacts


def under(camera: CameraFacts, profile: Profile) -> Profile:
    """The profile under the camera as it was measured now: the table's dice stay as large as they are, in mm.

    Another camera, or other pictures of the same one, show other colours, and nobody has checked how they are read.
    """
    before = profile.camera
    if before is None:
        return replace(profile, camera=camera)
    larger = before.mm_per_px / camera.mm_per_px
    profile = replace(profile, camera=camera, dice=_dice(profile.dice, larger), wild=_wild(profile.wild, larger))
    if (before.kind, before.device, before.size) == (camera.kind, camera.device, camera.size):
        return profile
    return replace(profile, dice=None if profile.dice is None else replace(profile.dice, kinds=()), check=None)


def _dice(dice: DiceFacts | None, larger: float) -> DiceFacts | None:
    if dice is None:
        return None
    return replace(dice, width_px=round(dice.width_px * larger, 1), whole_px=round(dice.whole_px * larger, 1))


def _wild(wild: WildFacts | None, larger: float) -> WildFacts | None:
    """Its examples are cut to size by their own widths, and stay."""
    return None if wild is None else replace(wild, width_px=round(wild.width_px * larger, 1))
