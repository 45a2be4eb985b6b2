"""What a profile is good for in play: a mask, a scale, a Wild die that is known, and devices as they were measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from calibration.bare import Bare, how_bare
from calibration.facts import ButtonsFacts, Profile, RingFacts, WildFacts
from calibration.profile import opened
from calibration.tray import GUESSED_FOCAL, Tray
from companion.config import Buttons, Config, Ring, Table
from companion.events import Reading
from companion.lights import RingLayout
from companion.ports import Floats, Locks, Mask, Picture
from companion.vision.emptiness import EmptyTray
from companion.vision.eyes import Eyes
from companion.vision.known import Known
from companion.vision.reader import Reader
from companion.vision.wild import Level, Shown, Top, WildReader, as_seen, here

USUAL_DIE_MM = 16.0
SLOPE_PX = 20  # over which it is seen which side of the tray is nearer to the camera
LIGHT_STEP = 16  # every 16th pixel each way is enough for a mean


def tray_of(profile: Profile) -> Tray | None:
    """The tray as it was measured; None where it never was."""
    made = profile.camera
    if made is None:
        return None
    return Tray(np.array(made.corners), made.tray_mm, np.array(made.to_mm).reshape(3, 3))


def mask_of(profile: Profile) -> Mask | None:
    """Non-zero where dice can lie."""
    tray = tray_of(profile)
    return None if tray is None or profile.camera is None else tray.mask(*profile.camera.size)


def width_px(profile: Profile) -> float | None:
    """How wide a die's top appears: as measured, else as a usual die at the tray's scale."""
    if profile.dice is not None:
        return profile.dice.width_px
    return None if profile.camera is None else USUAL_DIE_MM / profile.camera.mm_per_px


def reading_twice(profile: Profile, folder: Path) -> Callable[[Picture], Reading]:
    """What two looks at a picture come to, by a reader of that profile. Raises ValueError for a torn picture."""
    eyes = Eyes(reader_of(profile, folder))
    return lambda picture: eyes.see_twice(picture).reading


def reader_of(profile: Profile, folder: Path) -> Reader:
    """A reader that knows where dice can lie and how the empty tray looks; and these dice, once they were measured.

    A picture in which dice lie is none of an empty tray. Raises ValueError for a torn picture.
    """
    empty = empty_of(profile, folder)
    if empty is not None and _dice_lie_in(empty, profile):
        empty = None
    kinds = () if profile.dice is None else profile.dice.kinds
    return Reader(
        scale_px=None if profile.dice is None else profile.dice.whole_px,
        mask=mask_of(profile),
        known=Known(None if empty is None else EmptyTray(empty), kinds),
    )


def in_place(config: Config, profile: Profile) -> Config:
    """The configuration with what was measured of ring, seats and buttons in place of what was supposed."""
    return replace(
        config,
        ring=_ring(config.ring, profile.ring),
        table=_seated(config.table, profile.ring),
        buttons=tuple(_quiet(section, profile.buttons) for section in config.buttons),
    )


def _ring(ring: Ring, made: RingFacts | None) -> Ring:
    """Where no board was walked round, its spaces lie as configured; evenly where that is for a longer ring."""
    if made is None:
        return ring
    fits = all(led < made.leds for led in ring.spaces)
    spaces = made.spaces or (ring.spaces if fits else ())
    return replace(ring, leds=made.leds, first=made.first, clockwise=made.clockwise, spaces=spaces)


def _seated(table: Table, made: RingFacts | None) -> Table:
    """Where other seats are configured than were walked to, they lie as configured."""
    if made is None or len(made.seats) != len(table.seat):
        return table
    layout = RingLayout(made.leds, made.first, made.clockwise)
    places = (round(layout.clockwise_of(led) / made.leds, 4) for led in made.seats)
    return replace(
        table, seat=tuple(replace(seat, place=place) for seat, place in zip(table.seat, places, strict=True))
    )


def _quiet(section: Buttons, made: ButtonsFacts | None) -> Buttons:
    """Contacts that bounce for longer than was supposed are waited for; a few clean presses make nobody hurry."""
    if made is None or made.debounce_ms is None:
        return section
    return replace(section, debounce_ms=max(section.debounce_ms, made.debounce_ms))


def locks_of(profile: Profile, folder: Path) -> Locks | None:
    """What the camera was fixed to while it was calibrated, and how bright the empty tray then was."""
    made = profile.camera
    if made is None:
        return None
    brightness = round(float(opened(folder / made.empty)[::LIGHT_STEP, ::LIGHT_STEP].mean()), 1)
    return Locks(
        made.exposure_us, made.gain, made.white_gains, made.white_k, made.lens_dioptres, made.focus, brightness
    )


def empty_of(profile: Profile, folder: Path) -> Picture | None:
    """The picture of the empty tray."""
    return None if profile.camera is None else opened(folder / profile.camera.empty)


def dice_in_empty(profile: Profile, folder: Path) -> bool:
    """Do dice lie in the picture of the empty tray, which a calibration of today would refuse."""
    empty = empty_of(profile, folder)
    return empty is not None and _dice_lie_in(empty, profile)


def _dice_lie_in(empty: Picture, profile: Profile) -> bool:
    return how_bare(empty, mask_of(profile)) is Bare.DICE


def top_of(profile: Profile) -> Top:
    """From the middle of all that is seen of a die to its top's: from a slant, sides are seen on one side of it.

    What stands on the floor points away from where the camera hangs above it, more so the higher it is.
    """
    made, tray = profile.camera, tray_of(profile)
    if made is None or tray is None:
        return here
    middle = tray.corners.mean(axis=0)
    at, right, down = (tray.mm_per_px_at(middle + step) for step in np.array([(0, 0), (SLOPE_PX, 0), (0, SLOPE_PX)]))
    nearer = np.array([at - right, at - down])
    focal_px, tilt = GUESSED_FOCAL * made.size[0], np.radians(made.tilt_deg)
    below = middle + focal_px * np.tan(tilt) * nearer / max(float(np.linalg.norm(nearer)), 1e-9)
    height_mm = USUAL_DIE_MM if profile.dice is None else profile.dice.edge_mm
    rise = height_mm / 2 / (made.mm_per_px * focal_px * np.cos(tilt))

    def top(place: tuple[float, float]) -> tuple[float, float]:
        x, y = place + rise * (np.array(place) - below)
        return float(x), float(y)

    return top


def level_of(profile: Profile) -> Level:
    """How the floor, and so a die's top, is stretched around a place as if seen from straight above; not turned."""
    tray = tray_of(profile)
    if tray is None:
        return as_seen

    def level(place: tuple[float, float]) -> Floats:
        _, stretches, axes = np.linalg.svd(tray.to_mm_near(np.array(place)))
        return np.asarray(axes.T @ np.diag(stretches / np.sqrt(stretches.prod())) @ axes)

    return level


def wild_of(profile: Profile, folder: Path) -> WildReader | None:
    """Knows the Wild die; None where it was never shown."""
    if profile.wild is None:
        return None
    facts: WildFacts = profile.wild
    shown = [Shown(one.face, opened(folder / one.picture), one.width) for one in facts.examples]
    empty = empty_of(profile, folder)
    mask, top, level = mask_of(profile), top_of(profile), level_of(profile)
    return WildReader(shown, width_px=facts.width_px, empty=empty, mask=mask, least=facts.least, top=top, level=level)
