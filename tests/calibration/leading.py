"""What the tests of the steps share: leading a step through a drawn table."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from calibration import steps
from calibration.facts import Profile
from calibration.profile import keep, load, save
from calibration.simulated import DrawnHands, Wrongs
from calibration.steps.camera import Watched
from companion.events import Button
from companion.locale import ENGLISH
from companion.screen import draw
from companion.view import Header, Mood, Prompt, RingView, View

DAY = date(2026, 5, 31)
SIMULATED = Watched("simulated", "0", DAY)


def title(step: steps.Next) -> str:
    """What a step asks, once it was seen that its page can be drawn."""
    page = going(step).page(ENGLISH)
    draw(View(Header(), page, going(step).labels(ENGLISH), RingView(Mood.SETUP)))
    return page.title if isinstance(page, Prompt) else ""


def lines(step: steps.Next) -> tuple[str, ...]:
    page = going(step).page(ENGLISH)
    assert isinstance(page, Prompt)
    return page.lines


def going(step: steps.Next) -> steps.Step:
    assert isinstance(step, steps.Step)
    return step


def ok(step: steps.Next) -> steps.Next:
    return going(step).pressed(Button.OK, 0.0)


def made(step: steps.Next) -> Profile:
    """What comes of a step whose review is accepted."""
    assert isinstance(step, steps.Review)
    done = step.pressed(Button.OK, 0.0)
    assert isinstance(done, steps.Done)
    return done.made(Profile(), {name: f"{name}.png" for name in done.pictures})


def kept(step: steps.Next, profile: Profile, folder: Path) -> Profile:
    """The same, kept in a folder."""
    assert isinstance(step, steps.Review)
    done = step.done
    names = {name: keep(picture, name, folder) for name, picture in done.pictures.items()}
    profile = done.made(profile, names)
    save(profile, folder)
    assert load(folder) == profile
    return profile


def seen(step: steps.Next, hands: DrawnHands) -> steps.Step:
    hands.lay(going(step).wants)
    return going(step).seen(hands.picture(0.0), 0.0)


def camera_step(wrongs: Wrongs | None = None) -> tuple[steps.Step, DrawnHands]:
    """The camera's step once it has seen the stickers."""
    hands = DrawnHands(1, wrongs)
    return seen(steps.CameraStep(SIMULATED), hands), hands


def measured_camera() -> tuple[steps.Step, DrawnHands]:
    """Its review: markers and empty tray were accepted."""
    step, hands = camera_step()
    return going(ok(seen(ok(step), hands))), hands
