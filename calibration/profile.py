"""The profile: what was measured at one table, as one readable file beside the pictures it was measured from.

`profile.toml` holds a table a step, each with the day it was made; a step that was never done has no table. Pictures
are named by their content, so a new one never overwrites what an accepted profile still needs. The folder may be copied
to another computer as it is.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
import tomllib
from dataclasses import MISSING, Field, dataclass, fields
from datetime import date
from pathlib import Path
from typing import Any, TypeAlias

import cv2
import numpy as np

from calibration.fields import value_of
from calibration.tray import by_hand
from companion.config import Camera
from companion.config.kinds import name_of, toml
from companion.paths import content_of, is_file
from companion.ports import Picture
from companion.vision.colours import Kind

VERSION = 2
FLOOR_SHARE = 0.5  # the floor is as large as its corners say, give or take what fingers read off a picture
OLDEST = 1  # its dice had one body and one pip colour, be they of one kind or not
FILE = "profile.toml"
BROKEN = "profile-broken-{n}.toml"  # one that cannot be used, put aside once another takes its place
ANEW = "calibrate anew, or put the file's copy back"
_KEPT = re.compile(r"(?:empty|wild-[a-z]+-\d+)-[0-9a-f]{10}\.png")  # as `keep` names the pictures of steps
_HALF = re.compile(rf"\.(?:{re.escape(FILE)}|{_KEPT.pattern})\.[a-z0-9_]{{8}}")  # as `_replace` names what it writes
Point: TypeAlias = tuple[float, float]


class ProfileError(Exception):
    """A profile that is there and cannot be used: `file`, `where` in it ("" for all of it), and what was expected.

    `wrong`: all that without what to do about it.
    """

    def __init__(self, file: Path, where: str, expected: str, remedy: str = ANEW) -> None:
        self.wrong = f"{file}: {where}: {expected}" if where else f"{file}: {expected}"
        super().__init__(f"{self.wrong}; {remedy}")
        self.file = file
        self.where = where
        self.expected = expected


@dataclass(frozen=True, slots=True)
class CameraFacts:
    """The camera and the tray under it. `corners`: of the tray's floor in pixels, far left first, clockwise.

    `device`: what tells the camera from others of its kind, as `source` of the configuration's.
    `to_mm`: the homography (3 × 3, by rows) from pixels to millimetres on the floor, whose far left corner is (0, 0).
    `tilt_deg`: between the line of sight and straight down. `exposure_us` to `focus`: what the camera was locked to
    (companion.ports.Locks), where it tells. `empty`: the picture of the empty tray. `markers`: the set that was used,
    or "by hand".
    """

    made: date
    kind: str
    device: str
    size: tuple[int, int]
    corners: tuple[Point, ...]
    tray_mm: Point
    to_mm: tuple[float, ...]
    mm_per_px: float
    tilt_deg: float
    blur_mm: float
    brightness: float
    markers: str
    empty: str
    exposure_us: float | None = None
    gain: float | None = None
    white_gains: Point | None = None
    white_k: float | None = None
    lens_dioptres: float | None = None
    focus: float | None = None


@dataclass(frozen=True, slots=True)
class DiceFacts:
    """The table's number dice. `dice`: the most that were thrown at once.

    `width_px`: of a die's top. `whole_px`: of a whole die as the reader sees it, turned and with its sides. `kinds`:
    the colours of each kind of them that was thrown; none where they were never told apart.
    """

    made: date
    edge_mm: float
    width_px: float
    whole_px: float
    dice: int
    throws: int
    kinds: tuple[Kind, ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """One face as it was shown: `picture` is a square cut around the die, `width` the die's width in its pixels."""

    face: str
    picture: str
    width: float


@dataclass(frozen=True, slots=True)
class WildFacts:
    """The Wild die's faces, and "number" for what else lies there.

    `least`: correlation below which a face is none of these. `confused`: faces that leave-one-out mixed up.
    """

    made: date
    width_px: float
    least: float
    examples: tuple[Example, ...]
    confused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RingFacts:
    """LEDs by their number on the ring. `first`: in front of the first seat. `seats`, `spaces`: of each, clockwise."""

    made: date
    leds: int
    first: int
    clockwise: bool
    seats: tuple[int, ...] = ()
    spaces: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ButtonsFacts:
    """`bounces`: edges that no finger made; before the slowest one the contact was quiet for `longest_ms`.

    `debounce_ms`: for how long a contact should be quiet to count. None for keys, whose edges nobody sees.
    """

    made: date
    presses: int
    bounces: int
    longest_ms: float | None = None
    debounce_ms: int | None = None


@dataclass(frozen=True, slots=True)
class CheckFacts:
    """Throws whose reading people confirmed. `wrong`: sure and not what lay there. `settle_s`: None if not measured."""

    made: date
    throws: int
    exact: int
    unsure: int
    wrong: int
    settle_s: float | None = None


@dataclass(frozen=True, slots=True)
class Profile:
    """All that is known of one table; None for a step that was not done."""

    camera: CameraFacts | None = None
    dice: DiceFacts | None = None
    wild: WildFacts | None = None
    ring: RingFacts | None = None
    buttons: ButtonsFacts | None = None
    check: CheckFacts | None = None

    def stale(self, camera: Camera) -> str:
        """Why what was measured does not hold for this camera; "" where it does, or nothing was measured.

        How large its pictures are only they tell: streams and many webcams give others than were asked for. Before a
        video was known by its address, it had the device that its configuration named.
        """
        made = self.camera
        if made is None:
            return ""
        if made.kind != camera.kind or made.device not in (camera.source, camera.device):
            return f"calibrated for camera {made.kind} {made.device}, and now it is {camera.kind} {camera.source}"
        return ""


SECTIONS: dict[str, type[Any]] = {
    "camera": CameraFacts,
    "dice": DiceFacts,
    "wild": WildFacts,
    "ring": RingFacts,
    "buttons": ButtonsFacts,
    "check": CheckFacts,
}


# --- writing ----------------------------------------------------------------------------------------------------------


def save(profile: Profile, folder: Path) -> Path:
    """Writes the profile's file, whole or not at all. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    _replace(folder / FILE, written(profile).encode("utf-8"))
    return folder / FILE


def keep(picture: Picture, name: str, folder: Path) -> str:
    """Keeps a picture beside the profile and gives its name there, which its content is part of. Raises OSError."""
    coded = cv2.imencode(".png", picture)[1].tobytes()
    file = folder / f"{name}-{hashlib.sha256(coded).hexdigest()[:10]}.png"
    folder.mkdir(parents=True, exist_ok=True)
    if not file.exists():
        _replace(file, coded)
    return file.name


def tidy(profile: Profile, folder: Path) -> None:
    """Takes away pictures of earlier calibrations, which nothing names any more, nor a profile that was put aside.

    And what was half written when the power went. Raises OSError.
    """
    named = {name for _where, name in _pictures(profile)}
    for aside in folder.glob(BROKEN.format(n="*")):
        named |= {found[0] for found in _KEPT.finditer(_text_of(aside))}
    for file in folder.glob("*.png"):
        if _KEPT.fullmatch(file.name) and file.name not in named:
            file.unlink(missing_ok=True)
    for file in folder.glob(".*"):
        if _HALF.fullmatch(file.name):
            file.unlink(missing_ok=True)


def _text_of(file: Path) -> str:
    """Whatever lies there under such a name; "" where it cannot be read."""
    try:
        return content_of(file, "a profile").decode("utf-8", errors="replace")
    except (OSError, ValueError):
        return ""


def written(profile: Profile) -> str:
    """The profile as TOML."""
    parts = [f"# What was measured at this table: `companion calibrate` writes it.\nversion = {VERSION}\n"]
    for name in SECTIONS:
        facts = getattr(profile, name)
        if facts is not None:
            parts.append(_section(name, facts))
    return "\n".join(parts)


def _section(name: str, facts: Any) -> str:
    lines = [f"[{name}]"]
    for each in fields(facts):
        value = getattr(facts, each.name)
        if value is not None:
            lines.append(f"{name_of(each.name)} = {_value(value)}")
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, tuple) and value and isinstance(value[0], Example):
        rows = [toml({"face": e.face, "picture": e.picture, "width": e.width}) for e in value]
        return "[\n  " + ",\n  ".join(rows) + ",\n]"
    if isinstance(value, tuple) and value and isinstance(value[0], Kind):
        rows = [toml({"body": kind.body, "pips": kind.pips}) for kind in value]
        return "[\n  " + ",\n  ".join(rows) + ",\n]"
    return toml(value)


def _replace(file: Path, content: bytes) -> None:
    """Durable before it is seen: written beside, flushed to the disk, and renamed. Raises OSError, with the file."""
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "wb") as beside:
            beside.write(content)
            beside.flush()
            os.fsync(beside.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(file)
    except OSError as fault:
        Path(name).unlink(missing_ok=True)
        raise OSError(fault.errno, fault.strerror, str(file)) from None  # a disk that is full names none
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


# --- reading ----------------------------------------------------------------------------------------------------------


def load(folder: Path) -> Profile:
    """The profile kept in a folder; an empty one where none was ever kept. Raises ProfileError for a broken one."""
    file = folder / FILE
    try:
        raw = content_of(file, "a profile")
    except FileNotFoundError:
        return Profile()
    except OSError as error:
        raise ProfileError(file, "", f"it cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise ProfileError(file, "", str(error)) from None
    profile = parse(raw, file)
    for where, name in _pictures(profile):
        if not is_file(folder / name):
            raise ProfileError(file, where, f"the picture {name} is not beside it")
        shown = _picture(folder / name)
        if shown is None:
            raise ProfileError(file, where, f"the picture {name} is torn")
        height, width = shown.shape[:2]
        if where == "camera.empty" and profile.camera is not None and profile.camera.size != (width, height):
            wanted = "×".join(map(str, profile.camera.size))
            raise ProfileError(file, where, f"the picture {name} has {width}×{height} pixels, not {wanted}")
    return profile


def _picture(file: Path) -> Picture | None:
    """None for one that is torn, or says that it is larger than OpenCV reads."""
    try:
        shown = cv2.imread(str(file))
    except cv2.error:
        return None
    return None if shown is None else np.asarray(shown, np.uint8)


def parse(content: bytes, file: Path) -> Profile:
    """The profile in `content`; `file` names it in errors. Raises ProfileError."""
    try:
        raw = tomllib.loads(content.decode("utf-8"))
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
    return Profile(**{name: _facts(SECTIONS[name], raw[name], name, file) for name in raw})


def _renewed(raw: dict[str, Any]) -> dict[str, Any]:
    """A profile of the oldest version as one of today: the mean colour of dice of several kinds is none's."""
    dice = raw.get("dice")
    if not isinstance(dice, dict):
        return raw
    return {**raw, "dice": {name: value for name, value in dice.items() if name not in ("body", "pips")}}


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


def _pictures(profile: Profile) -> list[tuple[str, str]]:
    found = [("camera.empty", profile.camera.empty)] if profile.camera is not None else []
    if profile.wild is not None:
        found += [(f"wild.examples[{n}].picture", e.picture) for n, e in enumerate(profile.wild.examples, 1)]
    return found
