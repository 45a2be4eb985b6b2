"""A profile's file read into facts: each mistake is named by file and field, and what was expected."""

from __future__ import annotations

import tomllib
from dataclasses import MISSING, Field, fields, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.facts import SECTIONS, CameraFacts, Example, Profile, RingFacts, WildFacts
from calibration.fields import value_of
from calibration.tray import by_hand
from companion.address import without_secrets
from companion.paths import text_of
from companion.vision.colours import Kind
from companion.vision.wild import NUMBER

VERSION = 2
OLDEST = 1  # its dice had one body and one pip colour, be they of one kind or not
FLOOR_SHARE = 0.5  # the floor is as large as its corners say, give or take what fingers read off a picture
ANEW = "calibrate anew, or put the file's copy back"


class ProfileError(Exception):
    """A profile that is there and cannot be used: `file`, `where` in it ("" for all of it), and what was expected.

    `wrong`: all that without what to do about it, which `remedy` says.
    """

    def __init__(self, file: Path, where: str, expected: str, remedy: str = ANEW) -> None:
        self.wrong = f"{file}: {where}: {expected}" if where else f"{file}: {expected}"
        super().__init__(f"{self.wrong}; {remedy}")
        self.file = file
        self.where = where
        self.expected = expected
        self.remedy = remedy


class ProfileClosed(ProfileError):
    """This user may not read it."""


def parse(content: bytes, file: Path) -> Profile:
    """The profile in `content`; `file` names it in errors. Raises ProfileError."""
    try:
        text = text_of(content)
    except ValueError as error:
        raise ProfileError(file, "", str(error)) from None
    try:
        raw = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProfileError(file, "", f"it is not TOML: {error}") from None
    version = raw.pop("version", None)
    if isinstance(version, int) and version > VERSION:
        newer = f"it was written by a newer companion; this one reads {OLDEST} to {VERSION}"
        raise ProfileError(file, "version", newer, "update companion, or calibrate anew")
    if version not in range(OLDEST, VERSION + 1) or isinstance(version, bool):
        raise ProfileError(file, "version", f"{OLDEST} to {VERSION} was expected")
    if version == OLDEST:
        raw = _renewed(raw)
    for name in raw:
        if name not in SECTIONS:
            raise ProfileError(file, name, "there is no such part of a profile")
    return _discreet(Profile(**{name: _facts(SECTIONS[name], raw[name], name, file) for name in raw}))


def _renewed(raw: dict[str, Any]) -> dict[str, Any]:
    """A profile of the oldest version as one of today: the mean colour of dice of several kinds is none's."""
    dice = raw.get("dice")
    if not isinstance(dice, dict):
        return raw
    return {**raw, "dice": {name: value for name, value in dice.items() if name not in ("body", "pips")}}


def _discreet(profile: Profile) -> Profile:
    """A video by what of its address may be told; more of it was kept once, and its passwords with that."""
    match profile.camera:
        case CameraFacts(kind="video") as camera:
            return replace(profile, camera=replace(camera, device=without_secrets(camera.device)))
        case _:
            return profile


def _facts(kind: type[Any], raw: object, where: str, file: Path) -> Any:
    if not isinstance(raw, dict):
        raise ProfileError(file, where, "a table was expected")
    known = {each.name: each for each in fields(kind)}
    for name in raw:
        if name not in known:
            raise ProfileError(file, f"{where}.{name}", "there is no such key")
    values = {}
    for name, each in known.items():
        if name in raw:
            values[name] = _read(each, raw[name], f"{where}.{name}", file)
        elif each.default is MISSING:
            raise ProfileError(file, f"{where}.{name}", "it is missing")
    facts = kind(**values)
    if (wrong := _at_odds(facts)) is not None:
        raise ProfileError(file, f"{where}.{wrong[0]}", wrong[1])
    return facts


def _at_odds(facts: Any) -> tuple[str, str] | None:
    """The field whose value cannot be beside the others, and what was expected."""
    match facts:
        case CameraFacts():
            return _no_tray(facts)
        case RingFacts(leds=leds):
            for name, numbers in (("first", (facts.first,)), ("seats", facts.seats), ("spaces", facts.spaces)):
                if any(number >= leds for number in numbers):
                    return name, f"numbers below leds = {leds} were expected"
        case WildFacts(examples=examples) if all(one.face == NUMBER for one in examples):
            return "examples", "a face of the Wild die was expected among them"
    return None


def _no_tray(facts: CameraFacts) -> tuple[str, str] | None:
    try:
        tray = by_hand(np.array(facts.corners), facts.tray_mm)
    except ValueError as error:
        return "corners", str(error)
    if not tray.mask(*facts.size).any():
        return "corners", "corners of a tray in the picture were expected"
    if not FLOOR_SHARE < _floor_mm2(facts) / (facts.tray_mm[0] * facts.tray_mm[1]) < 1 / FLOOR_SHARE:
        return "to_mm", "what makes millimetres of the tray's corners was expected"
    mean = (_floor_mm2(facts) / cv2.contourArea(np.array(facts.corners, np.float32))) ** 0.5
    if not FLOOR_SHARE < facts.mm_per_px / mean < 1 / FLOOR_SHARE:
        return "mm_per_px", f"about {mean:.2f} was expected, as to_mm says"
    return None


def _floor_mm2(facts: CameraFacts) -> float:
    """How large the floor between the corners is by `to_mm`; 0 where that makes no places of them."""
    x, y, depth = np.array(facts.to_mm).reshape(3, 3) @ np.column_stack([facts.corners, np.ones(4)]).T
    if not (depth > 0).all() and not (depth < 0).all():
        return 0.0
    return float(cv2.contourArea(np.column_stack([x / depth, y / depth]).astype(np.float32)))


def _read(each: Field[Any], raw: object, where: str, file: Path) -> Any:
    kind = str(each.type).removesuffix(" | None")
    if kind == "tuple[Example, ...]":
        return _rows(Example, raw, where, file)
    if kind == "tuple[Kind, ...]":
        return _rows(Kind, raw, where, file)
    try:
        return value_of(each.name, kind, raw)
    except ValueError as error:
        raise ProfileError(file, where, str(error)) from None


def _rows(kind: type[Any], raw: object, where: str, file: Path) -> tuple[Any, ...]:
    if not isinstance(raw, list):
        raise ProfileError(file, where, "a list of tables was expected")
    return tuple(_facts(kind, one, f"{where}[{number}]", file) for number, one in enumerate(raw, 1))
