"""The buttons: each pressed as it is named, and how long its contact bounces. A long press leaves."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from datetime import date
from typing import TypeAlias

from calibration.facts import ButtonsFacts
from calibration.steps.step import Done, Labels, Left, Next, Review, Step
from companion.events import Button
from companion.locale import Texts
from companion.view import Page, Prompt, Sign

BURST_MS = 40.0  # edges closer than that are one contact's bounces: no finger lets go so soon
TWICE = 2.0  # a contact must be quiet for twice the longest quiet that was seen between two bounces
LEAST_MS, MOST_MS = 5, 80  # of a debounce time: a contact that never bounced may yet; more makes buttons slow
FROM_LEFT = tuple(Button)

Edge: TypeAlias = tuple[Button, float]


@dataclass(frozen=True, slots=True)
class ButtonsStep(Step):
    """`edges`: each time a contact opened or closed, as it came from the line. `told`: buttons pressed as named."""

    today: date
    edges: tuple[Edge, ...] = ()
    presses: int = 0
    told: int = 0
    wrong: bool = False

    def edge(self, button: Button, at_s: float) -> ButtonsStep:
        return replace(self, edges=(*self.edges, (button, at_s)))

    def pressed(self, button: Button, now_s: float, *, held: bool = False) -> Next:
        if held:
            return Left()
        step = replace(self, presses=self.presses + 1, wrong=button is not FROM_LEFT[self.told])
        if step.wrong:
            return step
        step = replace(step, told=self.told + 1)
        return step if step.told < len(FROM_LEFT) else step._reviewed()

    def _reviewed(self) -> Review:
        gaps = gaps_ms(self.edges)
        longest = round(max(gaps, default=0.0), 1)
        debounce = round(min(MOST_MS, max(LEAST_MS, math.ceil(TWICE * longest)))) if self.edges else None
        facts = ButtonsFacts(self.today, self.presses, len(gaps), longest if self.edges else None, debounce)

        def told(_: Texts) -> Prompt:
            if facts.debounce_ms is None:
                return Prompt(_("The buttons work"), (_("Keys do not bounce"),))
            bounced = _.ngettext("{n} bounce", "{n} bounces", facts.bounces).format(n=facts.bounces)
            wait = _("Quiet for {ms} ms counts").format(ms=facts.debounce_ms)
            worn = facts.debounce_ms == MOST_MS
            return Prompt(
                _("A button is worn") if worn else _("The buttons work"),
                (bounced, wait),
                Sign.TROUBLE if worn else None,
            )

        return Review(Done(lambda profile, _names: replace(profile, buttons=facts)), ButtonsStep(self.today), told)

    def page(self, _: Texts) -> Page:
        names = (_("1st button"), _("2nd button"), _("3rd button"), _("4th button"))
        title = _("Press the {button}").format(button=names[self.told])
        hint = _("That was another one") if self.wrong else _("Counted from the left")
        return Prompt(title, (hint, _("Hold any to leave")))

    def labels(self, _: Texts) -> Labels:
        marks = ["", "", "", ""]
        marks[self.told] = _("This")
        return (marks[0], marks[1], marks[2], marks[3])


def gaps_ms(edges: tuple[Edge, ...]) -> tuple[float, ...]:
    """The quiet before each bounce: between two edges of one contact that no finger made."""
    last: dict[Button, float] = {}
    found = []
    for button, at_s in edges:
        gap = 1000 * (at_s - last.get(button, -math.inf))
        last[button] = at_s
        if gap < BURST_MS:
            found.append(gap)
    return tuple(found)
