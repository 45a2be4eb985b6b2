"""Exposure, gain, white balance and focus of a USB camera (V4L2 through OpenCV): fixed, read back, and freed again.

Cameras differ in what they have, and while a control is automatic many do not tell where it stands: so once it was
fixed the picture is compared with the one before. What is not alike goes back to automatic and counts as refused.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import Any, Protocol

import cv2

from companion.ports import Locks, Picture
from hardware.exposure import Exposure, ExposureWatch, kept

log = logging.getLogger(__name__)

SAMPLE = 8  # every 8th pixel each way is enough for means
LOOK_S = 0.6  # from a control's change to a picture that shows it
TRIES = 5  # corrections of the exposure before it is given up
BRIGHT_ENOUGH = 1.12  # ratio of brightness from one picture to the next that counts as the same
GAMMA = 2.2  # of cameras: twice the light is 1.37 times the grey level
WIDEST_STEP = 4.0  # of one correction
OTHER_COLOURS = 0.12  # change of the share of blue or red to green that shows another white balance
LESS_SHARP = 0.6  # of the sharpness before: the lens has moved
EXPOSURE_UNIT_US = 100.0  # of V4L2_CID_EXPOSURE_ABSOLUTE
FROM_NOTHING = ("gain", "focus")  # may stand at 0; any other that says so does not tell


class Adjustable(Protocol):
    """What is used of cv2.VideoCapture to see to its controls."""

    def get(self, setting: int) -> float: ...

    def set(self, setting: int, value: float) -> bool: ...


@dataclass(frozen=True, slots=True)
class Control:
    """`automatic`: what switches it, and its values for by hand and by itself; None for what is always by hand."""

    setting: int
    lock: str
    unit: float = 1.0
    automatic: tuple[int, float, float] | None = None


CONTROLS = (
    Control(cv2.CAP_PROP_EXPOSURE, "exposure_us", EXPOSURE_UNIT_US, (cv2.CAP_PROP_AUTO_EXPOSURE, 1, 3)),
    Control(cv2.CAP_PROP_GAIN, "gain"),
    Control(cv2.CAP_PROP_WB_TEMPERATURE, "white_k", 1.0, (cv2.CAP_PROP_AUTO_WB, 0, 1)),
    Control(cv2.CAP_PROP_FOCUS, "focus", 1.0, (cv2.CAP_PROP_AUTOFOCUS, 0, 1)),
)


@dataclass(frozen=True, slots=True)
class Sight:
    """What of a picture shows whether a control has changed."""

    brightness: float
    blue: float
    red: float
    sharpness: float


class UsbControls:
    """Belongs to the thread that reads the capture; only `locks` may be read by others. `asked`: as calibrated."""

    def __init__(self, asked: Locks | None) -> None:
        self.locks = Locks()
        self._asked = asked if asked is not None and asked.exposure_us is not None else None
        self._watch: ExposureWatch | None = None
        self._target: Sight | None = None
        self._tries = 0
        self._look_s = 0.0

    def begin(self, capture: Adjustable, now_s: float) -> None:
        """The calibrated settings, or automatic ones until they settled."""
        if self._asked is None:
            free(capture)
            self._watch = ExposureWatch(now_s)
            return
        self.locks = replace(fix(capture, self._asked), brightness=self._asked.brightness)
        log.info("%s", kept(self._asked, self.locks))
        self._watch = ExposureWatch(now_s, locked_at=self._asked.brightness)

    def see(self, capture: Adjustable, picture: Picture, now_s: float) -> None:
        assert self._watch is not None
        now = sight(picture)
        if self._target is not None:
            if now_s >= self._look_s:
                self._compare(capture, self._target, now, now_s)
            return
        match self._watch.see(now.brightness, now_s):
            case Exposure.LOCK:
                self._target, self._tries, self._look_s = now, 0, now_s + LOOK_S
                self.locks = fix(capture, told(capture))
            case Exposure.FREE:
                log.info("the light changed: the camera finds a new exposure")
                self.locks = Locks()
                free(capture)

    def _compare(self, capture: Adjustable, before: Sight, now: Sight, now_s: float) -> None:
        """Is the picture still what it was before everything was fixed."""
        ratio = max(now.brightness, 1.0) / max(before.brightness, 1.0)
        if self.locks.exposure_us is not None and not 1 / BRIGHT_ENOUGH < ratio < BRIGHT_ENOUGH:
            if self._tries < TRIES:
                self._tries, self._look_s = self._tries + 1, now_s + LOOK_S
                step = min(WIDEST_STEP, max(1 / WIDEST_STEP, ratio**-GAMMA))
                self.locks = fix(capture, Locks(exposure_us=self.locks.exposure_us * step), self.locks)
                return
            self._give_up(capture, "exposure_us")
        other = max(abs(now.blue / before.blue - 1), abs(now.red / before.red - 1))
        if self.locks.white_k is not None and other > OTHER_COLOURS:
            self._give_up(capture, "white_k")
        if self.locks.focus is not None and now.sharpness < LESS_SHARP * before.sharpness:
            self._give_up(capture, "focus")
        self._target = None
        self.locks = replace(self.locks, brightness=now.brightness)

    def _give_up(self, capture: Adjustable, lock: str) -> None:
        log.info(
            "the camera does not tell its %s: that stays automatic",
            lock.split("_")[0].replace("white", "white balance"),
        )
        free(capture, lock)
        self.locks = replace(self.locks, **{lock: None})


def told(capture: Adjustable) -> Locks:
    """Where each control stands; None for one that it has not, which OpenCV answers with -1."""
    found: dict[str, Any] = {}
    for control in CONTROLS:
        value = capture.get(control.setting)
        known = value >= 0 if control.lock in FROM_NOTHING else value > 0
        found[control.lock] = value * control.unit if known else None
    return Locks(**found)


def fix(capture: Adjustable, wanted: Locks, before: Locks | None = None) -> Locks:
    """Fixes what `wanted` names, and tells where each of those stands now: None for one that was refused.

    `before`: what was fixed before, and stays.
    """
    found: dict[str, Any] = {}
    for control in CONTROLS:
        value = getattr(wanted, control.lock)
        if value is None:
            found[control.lock] = None if before is None else getattr(before, control.lock)
            continue
        if control.automatic is not None:
            setting, by_hand, _by_itself = control.automatic
            capture.set(setting, by_hand)  # a camera without an automatic refuses, and is by hand already
        took = capture.set(control.setting, value / control.unit)
        found[control.lock] = capture.get(control.setting) * control.unit if took else None
    return Locks(**found)


def free(capture: Adjustable, lock: str | None = None) -> None:
    """Makes one control automatic, or all."""
    for control in CONTROLS:
        if control.automatic is not None and lock in (None, control.lock):
            setting, _by_hand, by_itself = control.automatic
            capture.set(setting, by_itself)


def sight(picture: Picture) -> Sight:
    small = picture[::SAMPLE, ::SAMPLE].astype(float)
    blue, green, red = (max(float(small[..., channel].mean()), 1.0) for channel in range(3))
    sharpness = float(cv2.Laplacian(picture[..., 1], cv2.CV_32F).std())
    return Sight(float(small.mean()), blue / green, red / green, sharpness)
