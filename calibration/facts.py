"""What is known of one table, step by step: frozen facts, each with the day it was measured."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, TypeAlias

from companion.config import Camera
from companion.vision.colours import Kind

Point: TypeAlias = tuple[float, float]


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
        video was known by its address, it had the device that its configuration named; before a film was known by its
        whole path, the one from the configuration's folder.
        """
        made = self.camera
        if made is None:
            return ""
        same = made.device in (camera.source, camera.device) or _ends_with(camera.url, made.device)
        if made.kind != camera.kind or not same:
            return f"calibrated for camera {made.kind} {made.device}, and now it is {camera.kind} {camera.source}"
        return ""


def _ends_with(url: Path | str | None, end: str) -> bool:
    parts = Path(end).parts
    return isinstance(url, Path) and bool(parts) and url.parts[-len(parts) :] == parts


SECTIONS: dict[str, type[Any]] = {
    "camera": CameraFacts,
    "dice": DiceFacts,
    "wild": WildFacts,
    "ring": RingFacts,
    "buttons": ButtonsFacts,
    "check": CheckFacts,
}


def pictures(profile: Profile) -> list[tuple[str, str]]:
    """Where the profile names a picture, and the picture's name."""
    found = [("camera.empty", profile.camera.empty)] if profile.camera is not None else []
    if profile.wild is not None:
        found += [(f"wild.examples[{n}].picture", e.picture) for n, e in enumerate(profile.wild.examples, 1)]
    return found
