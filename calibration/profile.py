"""The profile: what was measured at one table, as one readable file beside the pictures it was measured from.

`profile.toml` holds a table a step, each with the day it was made; a step that was never done has no table. Pictures
are named by their content, so a new one never overwrites what an accepted profile still needs. The folder may be copied
to another computer as it is.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import cv2

from calibration.facts import SECTIONS, Example, Profile, pictures
from calibration.parsed import VERSION, ProfileClosed, ProfileError, parse
from companion.config.kinds import name_of, toml
from companion.paths import PART, content_of, is_file, put_whole, way_in
from companion.pictures import LARGEST_PIXELS, BadPicture, open_photo
from companion.ports import Picture
from companion.vision.colours import Kind

FILE = "profile.toml"
BROKEN = "profile-broken-{n}.toml"  # one that cannot be used, put aside once another takes its place
_KEPT = re.compile(r"(?:empty|wild-[a-z]+-\d+)-[0-9a-f]{10}\.png")  # as `keep` names the pictures of steps
MODE = 0o644  # whoever runs the doctor may read what the service measured


# --- writing ----------------------------------------------------------------------------------------------------------


def save(profile: Profile, folder: Path) -> Path:
    """Writes the profile's file, whole or not at all. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    put_whole(folder / FILE, written(profile).encode("utf-8"), durable=True, mode=MODE)
    return folder / FILE


def keep(picture: Picture, name: str, folder: Path) -> str:
    """Keeps a picture beside the profile and gives its name there, which its content is part of. Raises OSError."""
    coded = cv2.imencode(".png", picture)[1].tobytes()
    file = folder / f"{name}-{hashlib.sha256(coded).hexdigest()[:10]}.png"
    folder.mkdir(parents=True, exist_ok=True)
    put_whole(file, coded, durable=True, mode=MODE)  # also over one of that name, which may be torn
    return file.name


def tidy(profile: Profile, folder: Path) -> None:
    """Takes away pictures of earlier calibrations, which nothing names any more, nor a profile that was put aside.

    And what was half written when the power went. Raises OSError.
    """
    named = {name for _where, name in pictures(profile)}
    for aside in folder.glob(BROKEN.format(n="*")):
        named |= {found[0] for found in _KEPT.finditer(_text_of(aside))}
    for file in folder.glob("*.png"):
        if _KEPT.fullmatch(file.name) and file.name not in named:
            file.unlink(missing_ok=True)
    for file in folder.glob(f"*.png{PART}"):
        if _KEPT.fullmatch(file.name.removesuffix(PART)):
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


# --- reading ----------------------------------------------------------------------------------------------------------


def load(folder: Path) -> Profile:
    """The profile kept in a folder; an empty one where none was ever kept. Raises ProfileError for a broken one."""
    file = folder / FILE
    try:
        raw = content_of(file, "a profile")
    except FileNotFoundError:
        return Profile()
    except PermissionError as error:
        raise ProfileClosed(file, "", f"it cannot be read: {error.strerror}", way_in(file)) from None
    except OSError as error:
        raise ProfileError(file, "", f"it cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise ProfileError(file, "", str(error)) from None
    profile = parse(raw, file)
    sides: dict[str, int] = {}
    for where, name in pictures(profile):
        if not is_file(folder / name):
            raise ProfileError(file, where, f"the picture {name} is not beside it")
        try:
            height, width = opened(folder / name).shape[:2]
        except ValueError:
            raise ProfileError(file, where, f"the picture {name} is torn") from None
        if where == "camera.empty" and profile.camera is not None and profile.camera.size != (width, height):
            wanted = "×".join(map(str, profile.camera.size))
            raise ProfileError(file, where, f"the picture {name} has {width}×{height} pixels, not {wanted}")
        sides[name] = min(width, height)
    for number, example in enumerate(() if profile.wild is None else profile.wild.examples, 1):
        if example.width > (side := sides[example.picture]):
            wanted = f"a number up to {side} was expected, since {example.picture} is no wider"
            raise ProfileError(file, f"wild.examples[{number}].width", wanted)
    return profile


def of_drawn(folder: Path) -> bool:
    """Does the profile there say that it is a drawn table's, be it broken or not."""
    return re.search(r'^kind = "simulated"$', _text_of(folder / FILE), re.MULTILINE) is not None


def opened(file: Path) -> Picture:
    """A kept picture. Raises ValueError for one that is torn, or says that it is larger than any that is read."""
    try:
        return open_photo(file, longest_px=LARGEST_PIXELS).picture
    except BadPicture:
        raise ValueError(f"{file} is no picture any more; calibrate anew") from None
