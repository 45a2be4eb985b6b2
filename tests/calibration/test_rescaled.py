"""A camera that was measured anew: what was measured in the old one's pixels goes on as the new one sees it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from leading import DAY, SIMULATED, going, ok, seen

from calibration import steps
from calibration.facts import CheckFacts, DiceFacts, Example, Profile, WildFacts
from calibration.rescaled import under
from calibration.simulated import DrawnHands, Wrongs
from companion.vision.colours import Kind

DICE = DiceFacts(DAY, 16.0, 48.0, 60.0, 3, 3, (Kind((200.0, 200.0, 200.0), (9.0, 9.0, 9.0)),))
WILD = WildFacts(DAY, 50.0, 0.8, (Example("swap", "wild.png", 54.5),))
CHECK = CheckFacts(DAY, 20, 20, 0, 0)


def through_camera(profile: Profile, distance: float) -> Profile:
    hands = DrawnHands(1, Wrongs(distance=distance))
    step: steps.Next = steps.CameraStep(SIMULATED)
    while not isinstance(step, steps.Done):
        step = ok(seen(going(step), hands))
    return step.made(profile, {"empty": "empty.png"})


def test_under_a_camera_that_was_hung_higher_dice_are_as_much_smaller_as_the_tray() -> None:
    before = through_camera(Profile(dice=DICE, wild=WILD, check=CHECK), 1.0)
    assert (before.dice, before.wild, before.check) == (DICE, WILD, CHECK)
    after = through_camera(before, 1.3)
    assert after.camera is not None
    assert after.dice is not None
    assert after.wild is not None
    assert after.dice == replace(DICE, width_px=after.dice.width_px, whole_px=after.dice.whole_px)
    assert after.wild == replace(WILD, width_px=after.wild.width_px)
    assert after.check == CHECK
    assert after.dice.width_px == pytest.approx(48 / 1.3, rel=0.01)
    assert after.dice.whole_px == pytest.approx(60 / 1.3, rel=0.01)
    assert after.wild.width_px == pytest.approx(50 / 1.3, rel=0.01)


@pytest.mark.parametrize("other", [{"size": (1280, 960)}, {"device": "1"}, {"kind": "usb"}])
def test_another_cameras_colours_and_check_do_not_go_on(other: dict[str, object]) -> None:
    before = through_camera(Profile(dice=DICE, wild=WILD, check=CHECK), 1.0)
    assert before.camera is not None
    now = replace(before.camera, mm_per_px=before.camera.mm_per_px / 2, **other)  # type: ignore[arg-type]
    assert under(now, before) == Profile(
        now, replace(DICE, width_px=96.0, whole_px=120.0, kinds=()), replace(WILD, width_px=100.0)
    )
