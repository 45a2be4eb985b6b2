"""The camera and the tray under it, by markers: first the stickers, then the empty tray."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache

import cv2
import numpy as np

from calibration.bare import Bare, hand_between, hand_since, how_bare
from calibration.facts import CameraFacts, Profile
from calibration.judging import Fault, Verdict, judge
from calibration.place import WINDOW, Place
from calibration.rescaled import under
from calibration.steps.step import Done, Labels, Left, Next, Review, Step, Wants
from calibration.telling import Told, told_after
from calibration.tray import Found, Tray, find_markers
from companion.events import Button
from companion.locale import Texts
from companion.ports import Locks, Picture
from companion.view import Page, Prompt, Sign

BY_HAND = "by hand"
PUSHED_MM = 1.0  # ten times what noise moves marks by, and half of what is noticed in play


@dataclass(frozen=True, slots=True)
class Watched:
    """The camera that is measured: `kind`, `device` as the configuration names it, and what it fixed itself to."""

    kind: str
    device: str
    today: date
    locks: Locks = field(default_factory=Locks)


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A picture with the stickers in it, and what was made of it."""

    picture: Picture
    found: Found
    verdict: Verdict


@dataclass(frozen=True, slots=True, eq=False)
class Emptied:
    """A picture of the tray that is to be empty. `fault`: why it cannot be kept; `doubtful`: people must say."""

    picture: Picture
    fault: Fault | None = None
    doubtful: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class CameraStep(Step):
    """`shown`: the newest picture with stickers; once `accepted`, `emptied` is the newest one without.

    `told`: what is, or was, wrong with the pictures with stickers.
    Pictures of another size than before begin it anew.
    """

    camera: Watched
    shown: Shown | None = None
    accepted: bool = False
    emptied: Emptied | None = None
    told: Told | None = None

    @property
    def wants(self) -> Wants:
        return Wants(stickers=not self.accepted)

    def seen(self, picture: Picture, now_s: float) -> CameraStep:
        if self.shown is not None and self.shown.picture.shape != picture.shape:
            return CameraStep(self.camera).seen(picture, now_s)
        found = find_markers(picture)
        if self.accepted and self.shown is not None:
            before = None if self.emptied is None else self.emptied.picture
            return replace(self, emptied=_emptied(picture, found, before, self.shown))
        verdict = judge(picture, found)
        told = told_after(self.told, verdict.faults, now_s)
        return replace(self, shown=Shown(picture, found, verdict), told=told)

    def pressed(self, button: Button, now_s: float, *, held: bool = False) -> Next:
        match button:
            case Button.BACK:
                return CameraStep(self.camera) if self.accepted else Left()
            case Button.OK if not self.accepted and self._good:
                return replace(self, accepted=True)
            case Button.OK if self._empty and self.shown is not None and self.emptied is not None:
                return reviewed(self.camera, self.shown.verdict, self.emptied.picture, CameraStep(self.camera))
        return self

    @property
    def _good(self) -> bool:
        return self.shown is not None and self.shown.verdict.good

    @property
    def _empty(self) -> bool:
        return self.accepted and self.emptied is not None and self.emptied.fault is None

    def page(self, _: Texts) -> Page:
        if self.accepted:
            return emptied_page(self.emptied, _("Take the markers out"), _)
        if self.shown is None:
            return Prompt(_("Markers into the corners"), (_("0 far left, then clockwise"),), Sign.DICE)
        if self.told is not None and not self.shown.verdict.good:
            return fault_page(self.told.fault, _)
        return Prompt(_("Tray found"), found_lines(self.shown.verdict, _))

    def labels(self, _: Texts) -> Labels:
        ready = self._empty if self.accepted else self._good
        return (_("Back"), "", "", _("OK") if ready else "")


def _emptied(picture: Picture, found: Found, before: Picture | None, shown: Shown) -> Emptied:
    tray, stickers = shown.verdict.tray, shown.verdict.stickers
    assert tray is not None
    assert stickers is not None
    if found.numbers:
        return Emptied(picture, Fault("markers"))
    if before is not None and hand_between(before, picture):
        return Emptied(picture, Fault("hand"))
    if _pushed(_place(shown), picture):
        return Emptied(picture, Fault("moved"))
    if hand_since(shown.picture, tray, stickers, shown.found, picture):
        return Emptied(picture, Fault("hand"))
    return _bare(picture, tray)


@lru_cache(1)
def _place(shown: Shown) -> Place:
    """Where the camera stood when the stickers were shown; made once for all pictures after that."""
    tray, (height, width) = shown.verdict.tray, shown.picture.shape[:2]
    assert tray is not None
    floor = np.asarray(cv2.dilate(tray.mask(width, height), np.ones(WINDOW, np.uint8)), np.uint8)  # and what shows it
    return Place(tray.mm_per_px, shown.picture, floor)


def _pushed(place: Place, picture: Picture) -> bool:
    """Was the camera, or the tray, pushed since then: the tray's place is kept from that picture."""
    off_mm = place.pushed_mm(picture)
    return off_mm is not None and off_mm > PUSHED_MM


def emptied(picture: Picture, before: Picture | None, tray: Tray) -> Emptied:
    """A picture of a tray without stickers. `before`: the picture that came before it, if one did."""
    if before is not None and hand_between(before, picture):
        return Emptied(picture, Fault("hand"))
    return _bare(picture, tray)


def _bare(picture: Picture, tray: Tray) -> Emptied:
    """What lies in a tray that is in full view."""
    height, width = picture.shape[:2]
    bare = how_bare(picture, tray.mask(width, height))
    return Emptied(picture, Fault("not_empty") if bare is Bare.DICE else None, bare is Bare.DOUBTFUL)


def emptied_page(emptied: Emptied | None, told: str, _: Texts) -> Prompt:
    """What is still to be done until the tray is empty. `told`: where there is nothing else to say."""
    if emptied is not None and emptied.fault is not None:
        return fault_page(emptied.fault, _, Sign.HAND)
    if emptied is not None and emptied.doubtful:
        return Prompt(_("Is it quite empty?"), (_("I see what may be a die"), _("OK if it is a print")), Sign.HAND)
    return Prompt(_("Empty the tray"), (told, _("OK when it is empty")), Sign.HAND)


def fault_page(fault: Fault, _: Texts, sign: Sign = Sign.TROUBLE) -> Prompt:
    """What is wrong, and what to do about it."""
    title, remedy = fault.words(_)
    return Prompt(title, (remedy,), sign)


def found_lines(verdict: Verdict, _: Texts) -> tuple[str, str]:
    assert verdict.tray is not None
    size = _("{width} × {depth} mm").format(width=round(verdict.tray.size_mm[0]), depth=round(verdict.tray.size_mm[1]))
    return size, _("Tilt {deg}°, sharp and bright").format(deg=round(verdict.tilt_deg))


def reviewed(camera: Watched, verdict: Verdict, empty: Picture, again: Step) -> Review:
    """What was measured of the camera, for people to accept."""
    facts = camera_facts(camera, verdict, empty)

    def made(profile: Profile, names: Mapping[str, str]) -> Profile:
        return under(replace(facts, empty=names["empty"]), profile)

    def told(_: Texts) -> Prompt:
        size = _("Tray {width} × {depth} mm").format(width=round(facts.tray_mm[0]), depth=round(facts.tray_mm[1]))
        scale = _("{mm} mm a pixel, tilt {deg}°").format(
            mm=_.decimal(f"{facts.mm_per_px:.2f}"), deg=round(facts.tilt_deg)
        )
        return Prompt(size, (scale, locks_line(camera.locks, _)))

    return Review(Done(made, {"empty": empty}), again, told)


def locks_line(locks: Locks, _: Texts) -> str:
    """What the camera keeps as it is now."""
    kept = [
        name
        for name, value in (
            (_("exposure"), locks.exposure_us),
            (_("colors"), locks.white_gains or locks.white_k),
            (_("focus"), locks.focus if locks.lens_dioptres is None else locks.lens_dioptres),
        )
        if value is not None
    ]
    return _("Locked: {what}").format(what=", ".join(kept)) if kept else _("The camera locks nothing")


def camera_facts(camera: Watched, verdict: Verdict, empty: Picture) -> CameraFacts:
    """As the profile keeps it; the empty tray's picture has no name yet."""
    assert verdict.tray is not None
    tray, (height, width) = verdict.tray, empty.shape[:2]
    locks = camera.locks
    return CameraFacts(
        made=camera.today,
        kind=camera.kind,
        device=camera.device,
        size=(width, height),
        corners=tuple((round(float(x), 2), round(float(y), 2)) for x, y in tray.corners),
        tray_mm=(round(tray.size_mm[0], 2), round(tray.size_mm[1], 2)),
        to_mm=tuple(float(value) for value in (tray.to_mm / tray.to_mm[2, 2]).ravel()),
        mm_per_px=round(tray.mm_per_px, 5),
        tilt_deg=round(verdict.tilt_deg, 1),
        blur_mm=round(verdict.blur_mm, 2),
        brightness=round(verdict.brightness, 1),
        markers=BY_HAND if verdict.stickers is None else verdict.stickers.name,
        empty="empty",
        exposure_us=locks.exposure_us,
        gain=locks.gain,
        white_gains=locks.white_gains,
        white_k=locks.white_k,
        lens_dioptres=locks.lens_dioptres,
        focus=locks.focus,
    )
