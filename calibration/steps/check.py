"""The check: throws that people confirm by button, and how long it takes until dice that lie still are read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from calibration.facts import CheckFacts
from calibration.steps.step import Done, Labels, Left, Next, Review, Step, Wants
from companion.events import Button, Reading, Settled
from companion.locale import Texts
from companion.ports import Picture
from companion.view import Page, Prompt, Rolled, Sign
from companion.vision.settle import Read, Settler
from companion.vision.stillness import Change, Glance, change, glance

THROWS = 20


@dataclass(frozen=True, slots=True, eq=False)
class CheckStep(Step):
    """`settler` keeps the watch, as in play; it is told every picture in its order. `dice`: how many are thrown.

    `told`: what people said of each throw: "exact", "unsure" or "wrong". `moved_s`: when a picture last differed from
    the one before it (`last`). `settle_s`: of each throw, from then until it was read.
    """

    read: Read
    settler: Settler
    today: date
    dice: int = 3
    throws: int = THROWS
    reading: Reading | None = None
    told: tuple[str, ...] = ()
    settle_s: tuple[float, ...] = ()
    last: Glance | None = None
    moved_s: float | None = None

    @property
    def wants(self) -> Wants:
        return Wants(dice=self.dice, throw=len(self.told), rolling=True)

    def seen(self, picture: Picture, now_s: float) -> CheckStep:
        """While a reading waits for its answer nothing is read."""
        if self.reading is not None:
            return self
        step = self._noticed(glance(picture), now_s)
        facts = step.settler.feed(picture, now_s, step.read, count=step.dice)
        read = next((fact.reading for fact in facts if isinstance(fact, Settled)), None)
        if read is None:
            return step
        took = () if step.moved_s is None else (now_s - step.moved_s,)
        return replace(step, reading=read, settle_s=(*step.settle_s, *took), last=None, moved_s=None)

    def _noticed(self, now: Glance, now_s: float) -> CheckStep:
        moved = self.last is not None and change(self.last, now) in (Change.MOTION, Change.HAND)
        return replace(self, last=now, moved_s=now_s if moved else self.moved_s)

    def pressed(self, button: Button, now_s: float, *, held: bool = False) -> Next:
        match button:
            case Button.BACK:
                return Left()
            case Button.OK | Button.MORE if self.reading is not None:
                said = "unsure" if not self.reading.sure else "exact" if button is Button.OK else "wrong"
                self.settler.taken()
                step = replace(self, told=(*self.told, said), reading=None)
                return step if len(step.told) < self.throws else step._reviewed()
        return self

    def _reviewed(self) -> Review:
        count = self.told.count
        settle_s = round(float(np.median(self.settle_s)), 2) if self.settle_s else None
        facts = CheckFacts(self.today, len(self.told), count("exact"), count("unsure"), count("wrong"), settle_s)

        def told(_: Texts) -> Prompt:
            right = _("{n} of {all} right").format(n=facts.exact, all=facts.throws)
            unsure = _("{n} not sure").format(n=facts.unsure)
            slow = "" if settle_s is None else _("Read after {s} s").format(s=_.decimal(f"{settle_s:.1f}"))
            if facts.wrong:
                wrong = _("{n} wrong: calibrate again").format(n=facts.wrong)
                return Prompt(right, (wrong, unsure), Sign.TROUBLE)
            return Prompt(right, (unsure, slow) if slow else (unsure,), Sign.DICE)

        again = CheckStep(self.read, self.settler, self.today, self.dice, self.throws)
        return Review(Done(lambda profile, _names: replace(profile, check=facts)), again, told)

    def page(self, _: Texts) -> Page:
        count = _("{n} of {all}").format(n=len(self.told) + (self.reading is not None), all=self.throws)
        if self.reading is None:
            return Prompt(
                _.ngettext("Roll {n} die", "Roll {n} dice", self.dice).format(n=self.dice),
                (_("Wait until I read them"), count),
                Sign.DICE,
            )
        asks = _("Is that right?") if self.reading.sure else _("I am not sure")
        return Rolled(self.reading.values, self.reading.total, asks, count)

    def labels(self, _: Texts) -> Labels:
        if self.reading is None:
            return (_("Back"), "", "", "")
        return (_("Back"), "", _("Wrong") if self.reading.sure else "", _("OK"))
