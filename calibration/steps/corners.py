"""The camera and the tray under it, by four corners that people read off a picture."""

from __future__ import annotations

from dataclasses import dataclass, replace

from calibration.judging import Verdict, judge_bare
from calibration.steps.camera import Emptied, Watched, emptied, emptied_page, fault_page, found_lines, reviewed
from calibration.steps.step import Labels, Left, Next, Step
from calibration.telling import Told, told_after
from calibration.tray import Tray
from companion.events import Button
from companion.locale import Texts
from companion.ports import Picture
from companion.view import Page


@dataclass(frozen=True, slots=True, eq=False)
class CornersStep(Step):
    """`tray`: as the corners given by hand make it. The tray must be empty from the beginning.

    `told`: what is, or was, wrong with its pictures.
    """

    camera: Watched
    tray: Tray
    emptied: Emptied | None = None
    verdict: Verdict | None = None
    told: Told | None = None

    def seen(self, picture: Picture, now_s: float) -> CornersStep:
        verdict = judge_bare(picture, self.tray)
        before = None if self.emptied is None else self.emptied.picture
        now = emptied(picture, before, self.tray) if verdict.good else None
        return replace(self, emptied=now, verdict=verdict, told=told_after(self.told, verdict.faults, now_s))

    def pressed(self, button: Button, now_s: float, *, held: bool = False) -> Next:
        match button:
            case Button.BACK:
                return Left()
            case Button.OK if self._ready and self.verdict is not None and self.emptied is not None:
                return reviewed(self.camera, self.verdict, self.emptied.picture, CornersStep(self.camera, self.tray))
        return self

    @property
    def _ready(self) -> bool:
        return self.emptied is not None and self.emptied.fault is None

    def page(self, _: Texts) -> Page:
        if self.told is not None and self.verdict is not None and not self.verdict.good:
            return fault_page(self.told.fault, _)
        size = "" if self.verdict is None else found_lines(self.verdict, _)[0]
        return emptied_page(self.emptied, size, _)

    def labels(self, _: Texts) -> Labels:
        return (_("Back"), "", "", _("OK") if self._ready else "")
