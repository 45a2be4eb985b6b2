"""Leads people through the steps: shows each page on all displays, and hands the step what the devices tell."""

from __future__ import annotations

import queue
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from calibration.steps import CameraStep, CornersStep, Done, Left, Step, Wants
from calibration.steps.buttons import Edge
from companion import words
from companion.events import Press
from companion.locale import Texts
from companion.ports import Camera, Clock, Colour, DeviceLost, Display, Ring
from companion.screen import draw
from companion.view import Header, Mood, Page, Prompt, RingView, Rolled, View

FRAME_S = 0.3
LOST_S = 10.0  # without a picture, a camera is not there
PATIENCE = 120  # pictures that a hand which presses by itself waits on one page before it gives up
SHORT_PATIENCE = 10  # pictures of the same while the tray is looked for: what is wrong with a drawn one stays so
REFUSALS = 5  # presses of such a hand that one step may refuse: a throw by chance, but not one after the other
PRESS_S = 0.02


@dataclass(frozen=True, slots=True)
class Table:
    """What a calibration is led with. `ring_leds`: how many colours the ring takes; 0 for any number.

    `ring_lost`: why a ring that is configured does not answer. A step that needs its light cannot be led then.
    `lay` lays into a drawn tray what a step wants. `hand` presses by itself; None where people press, whose presses
    then come in `presses`. `listening`: how many devices these come from, each of which tells in `deaf`, once, why it
    will never hear any more. `ails`: whether one of them has told what is wrong with it, such as a stuck button, and
    not yet that all is right again.
    """

    camera: Camera
    displays: Sequence[Display]
    ring: Ring | None
    ring_leds: int
    presses: queue.SimpleQueue[Press]
    edges: queue.SimpleQueue[Edge]
    lay: Callable[[Wants], None] = lambda _wants: None
    hand: Callable[[Step], Press | None] | None = None
    ring_lost: DeviceLost | None = None
    listening: int = 1
    deaf: queue.SimpleQueue[Exception] = field(default_factory=queue.SimpleQueue)
    ails: Callable[[], bool] = lambda: False


class Guide:
    """`say` is told each new page as a line, for those who have no screen, and what was lost."""

    def __init__(self, table: Table, *, clock: Clock, texts: Texts, say: Callable[[str], None]) -> None:
        self._table = table
        self._clock = clock
        self._texts = texts
        self._say = say
        self._displays = list(table.displays)
        self._ring, self._ring_lost = table.ring, table.ring_lost
        self._listening = table.listening
        self._told = ""
        self._pictured_s = clock.now_s()

    def through(self, step: Step, name: str = "", *, reading: tuple[Colour, ...] = ()) -> Done | None:
        """One step from its first page to its end; None when the players turned back. `name`: for the screen's top.

        `reading`: the ring's light while dice are read in play, first LED first: all steps are measured in it that
        light the ring with nothing of their own.
        Raises DeviceLost when the camera is gone, or all buttons are, or the ring in a step that lights it, and
        ValueError when the hand that presses by itself gets nowhere.
        """
        waited = refused = 0
        while True:
            step = self._felt(self._look(step))
            self._show(step, name)
            self._shine(step.lights or reading)
            if step.lights and self._ring_lost is not None:
                raise self._ring_lost
            press = self._press(step)
            if press is None:
                waited += 1
                if self._table.hand is not None and waited > _patience(step):
                    raise ValueError(self._does_not_pass(step))
                continue
            waited = 0
            match self._felt(step).pressed(press.button, self._clock.now_s(), held=press.held):
                case Done() as done:
                    return done
                case Left():
                    return None
                case Step() as going:
                    step = going
                    refused += going.refused
                    if self._table.hand is not None and refused > REFUSALS:
                        raise ValueError(self._does_not_pass(step))

    def _does_not_pass(self, step: Step) -> str:
        return f"the drawn table does not pass: {line_of(step.page(self._texts))}"

    def _look(self, step: Step) -> Step:
        self._table.lay(step.wants)
        frame = self._table.camera.frame(FRAME_S)
        now_s = self._clock.now_s()
        if frame is None:
            if now_s - self._pictured_s > LOST_S:
                raise DeviceLost("camera", "the camera gives no pictures", self._table.camera.remedy)
            return step
        self._pictured_s = now_s
        if isinstance(step, CameraStep | CornersStep):
            step = replace(step, camera=replace(step.camera, locks=self._table.camera.locks()))
        return step.seen(frame.picture, frame.taken_s)

    def _felt(self, step: Step) -> Step:
        while not self._table.edges.empty():
            step = step.edge(*self._table.edges.get())
        return step

    def _show(self, step: Step, name: str) -> None:
        page, labels = step.page(self._texts), step.labels(self._texts)
        lost = ("buttons",) if self._table.ails() or self._listening < self._table.listening else ()
        trouble = words.device("buttons", self._texts).name if lost else ""
        image = draw(View(Header(trouble or name), page, labels, RingView(Mood.SETUP), lost))
        for display in tuple(self._displays):
            if not self._shown(lambda display=display: display.show(image)):  # type: ignore[misc]
                self._displays.remove(display)
        said = f"{line_of(page)}   [{' | '.join(labels)}]"
        if not self._displays and said != self._told:
            self._say(said)
        self._told = said

    def _shine(self, lights: tuple[Colour, ...]) -> None:
        """Again and again, since a receiver forgets what it was sent."""
        if self._ring is None or not lights:
            return
        try:
            self._light(lights)
        except DeviceLost as lost:
            self._say(str(lost))
            self._ring, self._ring_lost = None, lost

    def _light(self, lights: tuple[Colour, ...]) -> None:
        """A ring of unknown length is opened for the longest: what is behind its end nobody sees."""
        assert self._ring is not None
        self._ring.show((*lights, *((0, 0, 0),) * (self._table.ring_leds - len(lights))))

    def _shown(self, showing: Callable[[], None]) -> bool:
        """A device that is lost on the way is told, and gone without."""
        try:
            showing()
        except DeviceLost as lost:
            self._say(str(lost))
            return False
        return True

    def _press(self, step: Step) -> Press | None:
        if self._table.hand is not None:
            return self._table.hand(step)
        try:
            return self._table.presses.get(timeout=PRESS_S)
        except queue.Empty:
            self._heed_the_deaf()
            return None

    def _heed_the_deaf(self) -> None:
        """Buttons that hear no more are told, and gone without; the last ones are not."""
        while not self._table.deaf.empty():
            lost = _lost(self._table.deaf.get())
            self._listening -= 1
            if self._listening == 0:
                raise lost
            self._say(str(lost))


def _lost(error: Exception) -> DeviceLost:
    if isinstance(error, DeviceLost):
        return error
    return DeviceLost("buttons", f"the buttons failed: {str(error) or type(error).__name__}", "begin again")


def _patience(step: Step) -> int:
    match step:
        case CameraStep(shown=None) | CornersStep(verdict=None):  # no picture came yet: that is told as a lost camera
            return PATIENCE
        case CameraStep() | CornersStep():
            return SHORT_PATIENCE
        case _:
            return PATIENCE


def line_of(page: Page) -> str:
    """A page as one line for a plain terminal."""
    match page:
        case Prompt(title, lines):
            return " – ".join(filter(None, (title, *lines)))
        case Rolled(dice, total, text, note):
            shown = " + ".join("?" if die is None else str(die) for die in dice)
            return f"{shown} = {'?' if total is None else total}  {text}  {note}"
        case _:
            return page.title
