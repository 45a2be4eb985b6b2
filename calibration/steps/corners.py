"""The camera and the tray under it, by four corners that people read off a picture."""

from __future__ import annotations

from dataclasses import dataclass, replace

from calibration.judging import Verdict, judge_bare
from calibration.steps.camera import Watched, fault_page, found_lines, reviewed
from calibration.steps.step import Labels, Left, Next, Step
from calibration.tray import Tray
from companion.events import Button
from companion.locale import Texts
from companion.ports import Picture
from companion.view import Page, Prompt, Sign


@dataclass(frozen=True, slots=True, eq=False)
class CornersStep(Step):
    """`tray`: as the corners given by hand make it. The tray must be empty from the beginning."""

    camera: Watched
    tray: Tray
    empty: Picture | None = None
    verdict: Verdict | None = None

    def seen(self, picture: Picture, now_s: float) -> CornersStep:
        return replace(self, empty=picture, verdict=judge_bare(picture, self.tray))

    def pressed(self, button: Button, now_s: float, *, held: bool = False) -> Next:
        match button:
            case Button.BACK:
                return Left()
            case Button.OK if self.verdict is not None and self.verdict.good and self.empty is not None:
                return reviewed(self.camera, self.verdict, self.empty, CornersStep(self.camera, self.tray))
        return self

    def page(self, _: Texts) -> Page:
        if self.verdict is None:
            return Prompt(_("Empty the tray"), (_("OK when it is empty"),), Sign.HAND)
        if not self.verdict.good:
            return fault_page(self.verdict, _)
        return Prompt(_("Empty the tray"), (found_lines(self.verdict, _)[0], _("OK when it is empty")), Sign.HAND)

    def labels(self, _: Texts) -> Labels:
        return (_("Back"), "", "", _("OK") if self.verdict is not None and self.verdict.good else "")
