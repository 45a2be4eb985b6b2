"""The steps of `companion calibrate` at their beginning: what each needs of the table and of the steps before it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path

from calibration import steps, use
from calibration.facts import Profile
from calibration.steps.camera import Watched
from calibration.steps.ring import Place
from calibration.tray import GUESSED_FOCAL, Tray
from companion.compose import house_of, settler_of
from companion.config import Config
from companion.vision.reader import Reader

ON_THE_TRAY = ("dice", "wild", "check")  # steps that need the camera's


def begun(
    name: str,
    profile: Profile,
    config: Config,
    folder: Path,
    *,
    tray: Tray | None = None,
    size: tuple[int, int] | None = None,
    first: str = "companion calibrate camera",
) -> steps.Step:
    """A step at its beginning. `size`: of the camera's pictures, where it is known.

    Raises ValueError when an earlier one is needed, which `first` begins with.
    """
    today = date.today()
    made = profile.camera
    width = use.width_px(profile)
    if name in ON_THE_TRAY:
        if made is None or width is None:
            raise ValueError(f"the tray is not known yet: first run {first}")
        if stale := profile.stale(config.camera):
            raise ValueError(f"{stale}: first run {first}")
        if size is not None and size != made.size:
            now, then = ("×".join(map(str, sides)) for sides in (size, made.size))
            raise ValueError(f"pictures have {now} pixels now, and had {then} in the calibration: first run {first}")
    match name:
        case "camera":
            camera = Watched(config.camera.kind, config.camera.source, today)
            return steps.CameraStep(camera) if tray is None else steps.CornersStep(camera, tray)
        case "dice":
            assert made is not None
            read = use.reading_twice(replace(profile, dice=None), folder)
            return steps.DiceStep(read, today, made.mm_per_px, GUESSED_FOCAL * made.size[0])
        case "wild":
            assert width is not None
            empty, mask = use.empty_of(profile, folder), use.mask_of(profile)
            return steps.WildStep(today, width, empty, mask, use.top_of(profile), use.level_of(profile))
        case "ring":
            return _ring_step(use.in_place(config, profile), today)
        case "buttons":
            return steps.ButtonsStep(today)
        case _:
            return _check_step(profile, config, today, use.reader_of(profile, folder))


def _check_step(profile: Profile, config: Config, today: date, reader: Reader) -> steps.CheckStep:
    """As many dice as the table has, up to the three of Rat-a-Tat Roll."""
    dice = 3 if profile.dice is None else min(3, profile.dice.dice)
    return steps.CheckStep(partial(reader.read, count=dice), settler_of(config.settle), today, dice)


def _ring_step(config: Config, today: date) -> steps.RingStep:
    """Board spaces are only walked to where there is a board."""
    house, ring = house_of(config), config.ring
    away = house.seats[0].place
    seats = tuple(Place(seat.name, seat.colour, (seat.place - away) % 1) for seat in house.seats[1:])
    spaces, wilds = len(house.board.spaces), house.wild_spaces if "roll" in house.games else ()
    regions = tuple((end - start) for start, end in zip(wilds, (*wilds[1:], spaces), strict=False))
    places = tuple(
        Place(region.name, region.colour, wild / spaces) for region, wild in zip(house.regions, wilds, strict=False)
    )
    return steps.RingStep(today, ring.leds, ring.first, ring.clockwise, seats, places, regions)
