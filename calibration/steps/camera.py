"""The camera and the tray under it, by markers: first the stickers, then the empty tray."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date

from calibration.judging import Fault, Verdict, judge
from calibration.profile import CameraFacts, Profile
from calibration.steps.step import Done, Labels, Left, Next, Review, Step, Wants
from calibration.tray import find_markers
from companion.events import Button
from companion.locale import Texts
from companion.ports import Locks, Picture
from companion.view import Page, Prompt, Sign

BY_HAND = "by hand"


@dataclass(frozen=True, slots=True)
class Watched:
    """The camera that is measured: `kind`, `device` as the configuration names it, and what it fixed itself to."""

    kind: str
    device: str
    today: date
    locks: Locks = field(default_factory=Locks)


@dataclass(frozen=True, slots=True, eq=False)
class CameraStep(Step):
    camera: Watched
    verdict: Verdict | None = None
    accepted: Verdict | None = None
    empty: Picture | None = None
    fault: Fault | None = None

    @property
    def wants(self) -> Wants:
        return Wants(stickers=self.accepted is None)

    def seen(self, picture: Picture, now_s: float) -> CameraStep:
        found = find_markers(picture)
        if self.accepted is None:
            return replace(self, verdict=judge(picture, found))
        return replace(self, empty=picture, fault=Fault("not_empty") if found.numbers else None)

    def pressed(self, button: Button, now_s: float, *, held: bool = False) -> Next:
        match button:
            case Button.BACK:
                return Left() if self.accepted is None else replace(self, accepted=None, empty=None, verdict=None)
            case Button.OK if self.accepted is None and self.verdict is not None and self.verdict.good:
                return replace(self, accepted=self.verdict)
            case Button.OK if self.accepted is not None and self.empty is not None and self.fault is None:
                return reviewed(self.camera, self.accepted, self.empty, CameraStep(self.camera))
        return self

    def page(self, _: Texts) -> Page:
        if self.accepted is not None:
            if self.fault is not None:
                return Prompt(_("Markers out, please"), (_("The tray must be empty"),), Sign.HAND)
            return Prompt(_("Empty the tray"), (_("Take the markers out"), _("OK when it is empty")), Sign.HAND)
        if self.verdict is None:
            return Prompt(_("Markers into the corners"), (_("0 far left, then clockwise"),), Sign.DICE)
        if not self.verdict.good:
            return fault_page(self.verdict, _)
        return Prompt(_("Tray found"), found_lines(self.verdict, _))

    def labels(self, _: Texts) -> Labels:
        ready = self.verdict is not None and self.verdict.good if self.accepted is None else self.fault is None
        return (_("Back"), "", "", _("OK") if ready else "")


def fault_page(verdict: Verdict, _: Texts) -> Prompt:
    """The worst of what is wrong, and what to do about it."""
    title, remedy = verdict.faults[0].words(_)
    return Prompt(title, (remedy,), Sign.TROUBLE)


def found_lines(verdict: Verdict, _: Texts) -> tuple[str, str]:
    assert verdict.tray is not None
    size = _("{width} × {depth} mm").format(width=round(verdict.tray.size_mm[0]), depth=round(verdict.tray.size_mm[1]))
    return size, _("Tilt {deg}°, sharp and bright").format(deg=round(verdict.tilt_deg))


def reviewed(camera: Watched, verdict: Verdict, empty: Picture, again: Step) -> Review:
    """What was measured of the camera, for people to accept."""
    facts = camera_facts(camera, verdict, empty)

    def made(profile: Profile, names: Mapping[str, str]) -> Profile:
        return replace(profile, camera=replace(facts, empty=names["empty"]))

    def told(_: Texts) -> Prompt:
        size = _("Tray {width} × {depth} mm").format(width=round(facts.tray_mm[0]), depth=round(facts.tray_mm[1]))
        scale = _("{mm} mm a pixel, tilt {deg}°").format(mm=f"{facts.mm_per_px:.2f}", deg=round(facts.tilt_deg))
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
