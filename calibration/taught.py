"""A drawn table that is calibrated by itself: the steps that people go through, with hands that lay what is wanted."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from calibration import steps, use
from calibration.facts import Profile
from calibration.profile import keep, save
from calibration.simulated import DrawnHands
from calibration.steps.camera import Watched
from calibration.tray import GUESSED_FOCAL
from companion.events import Button

PATIENCE = 40  # pictures and presses a step may take


def measured(hands: DrawnHands, folder: Path, today: date) -> Profile:
    """Camera and number dice of the drawn table, kept in `folder`. Raises ValueError where a step does not pass."""
    profile = _through(steps.CameraStep(Watched("simulated", "0", today)), hands, Profile(), folder)
    assert profile.camera is not None
    read = use.reading_twice(profile, folder)
    focal_px = GUESSED_FOCAL * profile.camera.size[0]
    profile = _through(steps.DiceStep(read, today, profile.camera.mm_per_px, focal_px), hands, profile, folder)
    save(profile, folder)
    return profile


def taught(hands: DrawnHands, folder: Path, today: date) -> Profile:
    """The same, and its Wild die."""
    profile = measured(hands, folder, today)
    width, empty, mask = use.width_px(profile), use.empty_of(profile, folder), use.mask_of(profile)
    assert width is not None
    step = steps.WildStep(today, width, empty, mask, use.top_of(profile), use.level_of(profile))
    profile = _through(step, hands, profile, folder)
    save(profile, folder)
    return profile


def _through(step: steps.Next, hands: DrawnHands, profile: Profile, folder: Path) -> Profile:
    for _try in range(PATIENCE):
        if isinstance(step, steps.Done):
            return step.made(profile, {name: keep(picture, name, folder) for name, picture in step.pictures.items()})
        assert not isinstance(step, steps.Left)
        hands.lay(step.wants)
        step = step.seen(hands.picture(0.0), 0.0).pressed(Button.OK, 0.0)
    raise ValueError("the drawn table does not pass its calibration")
