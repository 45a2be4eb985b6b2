"""The guide between a step and the devices: what is shown, what is heard, and what a lost device changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from queue import Empty, SimpleQueue

import numpy as np
import pytest
from leading import DAY, SIMULATED
from PIL import Image
from standins import FakeClock

from calibration import steps
from calibration.facts import Profile, RingFacts
from calibration.guide import LOST_S, REFUSALS, Guide, Table, line_of
from calibration.tray import by_hand
from companion.events import Button, Press
from companion.locale import ENGLISH, Texts
from companion.ports import Colour, DeviceLost, Frame, Locks
from companion.screen import draw
from companion.view import Header, Mood, Page, Prompt, RingView, View
from hardware.camera_simulated import SimulatedCamera

GREY = np.full((48, 64, 3), 90, np.uint8)


@dataclass
class Screen:
    """Keeps what it is shown, until its cable is pulled after so many pictures."""

    holds: int = 1000
    shown: list[Image.Image] = field(default_factory=list)

    def show(self, image: Image.Image) -> None:
        if len(self.shown) == self.holds:
            raise DeviceLost("oled", "the panel is gone", "check its wires")
        self.shown.append(image)

    def refresh(self) -> None: ...

    def close(self) -> None: ...


@dataclass
class Strip:
    """As a serial ring: it takes frames of exactly as many LEDs as it was opened for."""

    leds: int
    shown: list[Sequence[Colour]] = field(default_factory=list)

    def show(self, colours: Sequence[Colour]) -> None:
        if self.leds and len(colours) != self.leds:
            raise ValueError(f"the ring has {self.leds} LEDs, not {len(colours)}")
        self.shown.append(colours)

    def close(self) -> None: ...


def table(clock: FakeClock, *presses: Button) -> Table:
    waiting: SimpleQueue[Press] = SimpleQueue()
    for button in presses:
        waiting.put(Press(button))
    return Table(SimulatedCamera(lambda _now_s: GREY, clock=clock), (), None, 0, waiting, SimpleQueue())


def guided(step: steps.Step, led: Table, clock: FakeClock) -> tuple[steps.Done | None, list[str]]:
    said: list[str] = []
    return Guide(led, clock=clock, texts=ENGLISH, say=said.append).through(step, "Ring 4/6"), said


@pytest.mark.parametrize("leds", [512, 0])
def test_a_ring_of_unknown_length_is_lit_whole_and_one_that_takes_any_number_as_it_is(leds: int) -> None:
    clock, ring = FakeClock(), Strip(leds)
    led = replace(table(clock, Button.LESS, *[Button.OK] * 4), ring=ring, ring_leds=leds)
    done, _said = guided(steps.RingStep(DAY, leds=12), led, clock)
    assert done is not None
    assert done.made(Profile(), {}).ring == RingFacts(DAY, 11, 0, True, (0,))
    assert {len(shown) for shown in ring.shown} == ({512} if leds else {12, 11})
    assert not any(any(led) for shown in ring.shown for led in shown[12:])


@pytest.mark.parametrize(("leds", "dark"), [(512, 509), (0, 0)])
def test_steps_that_light_nothing_of_their_own_are_measured_in_the_light_of_play(leds: int, dark: int) -> None:
    clock, ring, dim = FakeClock(), Strip(leds), ((20, 20, 20),) * 3
    led = replace(table(clock, *Button, Button.OK), ring=ring, ring_leds=leds)
    done = Guide(led, clock=clock, texts=ENGLISH, say=lambda _line: None).through(steps.ButtonsStep(DAY), reading=dim)
    assert done is not None
    assert ring.shown == [(*dim, *((0, 0, 0),) * dark)] * 5  # in each turn, since a receiver forgets


def test_a_step_that_lights_the_ring_is_not_lit_otherwise() -> None:
    clock, ring = FakeClock(), Strip(0)
    led = replace(table(clock, Button.OK, Button.BACK, Button.BACK), ring=ring)
    step = steps.RingStep(DAY, leds=12)
    Guide(led, clock=clock, texts=ENGLISH, say=lambda _line: None).through(step, reading=((20, 20, 20),) * 12)
    assert ring.shown[0] == step.lights


class Unplugged(Strip):
    """A ring whose cable is pulled after so many frames."""

    def show(self, colours: Sequence[Colour]) -> None:
        if len(self.shown) == self.leds:
            raise GONE
        self.shown.append(colours)


GONE = DeviceLost("ring", "the ring is gone", "check its cable")
PULLED = DeviceLost("buttons", "the buttons are gone", "check their wires")


@pytest.mark.parametrize("holds", [0, 2])
def test_a_ring_that_does_not_answer_in_its_own_step_is_not_measured(holds: int) -> None:
    clock = FakeClock()
    led = replace(table(clock, *[Button.OK] * 5), ring=Unplugged(holds))
    with pytest.raises(DeviceLost, match="the ring is gone; check its cable"):
        guided(steps.RingStep(DAY, leds=12), led, clock)


def test_a_ring_that_was_lost_before_its_step_is_not_measured_and_other_steps_are() -> None:
    clock = FakeClock()
    for led in (replace(table(clock), ring=Unplugged(0)), replace(table(clock), ring_lost=GONE)):
        for button in (*Button, Button.OK, *[Button.OK] * 5):
            led.presses.put(Press(button))
        guide = Guide(led, clock=clock, texts=ENGLISH, say=lambda _line: None)
        assert guide.through(steps.ButtonsStep(DAY), reading=((20, 20, 20),)) is not None
        with pytest.raises(DeviceLost, match="the ring is gone"):
            guide.through(steps.RingStep(DAY, leds=12))


def test_without_a_screen_each_page_is_said_once() -> None:
    clock = FakeClock()
    done, said = guided(steps.ButtonsStep(DAY), table(clock, *Button, Button.OK), clock)
    assert done is not None
    assert said[0] == "Press the 1st button – Counted from the left – Hold any to leave   [This |  |  | ]"
    assert said[-1] == "The buttons work – Keys do not bounce   [Again |  |  | Keep]"
    assert len(said) == len(set(said)) == 5


def test_a_page_is_said_without_its_empty_lines() -> None:
    tray = by_hand(np.array([(7, 7), (57, 7), (57, 41), (7, 41)]), (180.0, 130.0))
    assert line_of(steps.CornersStep(SIMULATED, tray).page(ENGLISH)) == "Empty the tray – OK when it is empty"


def test_a_ring_that_is_lost_on_the_way_is_told_once_and_gone_without() -> None:
    clock, said = FakeClock(), list[str]()
    led = replace(table(clock, *Button, Button.OK), ring=Unplugged(2))
    guide = Guide(led, clock=clock, texts=ENGLISH, say=said.append)
    assert guide.through(steps.ButtonsStep(DAY), reading=((20, 20, 20),)) is not None
    assert said.count("the ring is gone; check its cable") == 1


def test_a_screen_that_is_lost_on_the_way_is_told_and_its_pages_are_said() -> None:
    clock, screen = FakeClock(), Screen(holds=2)
    led = replace(table(clock, *Button, Button.OK), displays=(screen,))
    done, said = guided(steps.ButtonsStep(DAY), led, clock)
    assert done is not None
    assert len(screen.shown) == 2
    assert said[0] == "the panel is gone; check its wires"
    assert said[-1].startswith("The buttons work")


def test_edges_come_to_the_step_before_the_press_they_made() -> None:
    clock = FakeClock()
    led = table(clock, *Button, Button.OK)
    for edge in ((Button.BACK, 1.0), (Button.BACK, 1.004)):
        led.edges.put(edge)
    done, said = guided(steps.ButtonsStep(DAY), led, clock)
    assert done is not None
    assert said[-1].startswith("The buttons work – 1 bounce – Quiet for 8 ms counts")


def test_what_the_camera_locked_comes_with_its_pictures() -> None:
    clock = FakeClock()
    camera = SimulatedCamera(lambda _now_s: GREY, clock=clock)
    camera.locks = lambda: Locks(exposure_us=9000.0)  # type: ignore[method-assign]
    guide = Guide(replace(table(clock), camera=camera), clock=clock, texts=ENGLISH, say=lambda _line: None)
    looked = guide._look(steps.CameraStep(SIMULATED))
    assert isinstance(looked, steps.CameraStep)
    assert looked.camera.locks == Locks(exposure_us=9000.0)


def test_a_camera_that_gives_no_pictures_is_lost_after_a_while() -> None:
    clock = FakeClock()

    class Blind:
        remedy = "look after it"

        def frame(self, timeout_s: float) -> Frame | None:
            clock.sleep(timeout_s)
            return None

        def locks(self) -> Locks:
            return Locks()

        def rolled(self) -> None: ...

        def close(self) -> None: ...

    before_s = clock.now_s()
    with pytest.raises(DeviceLost, match="the camera gives no pictures; look after it"):
        guided(steps.CameraStep(SIMULATED), replace(table(clock), camera=Blind(), hand=lambda _step: None), clock)
    assert clock.now_s() - before_s == pytest.approx(LOST_S, abs=0.5)


def test_players_who_turn_back_leave_everything_as_it_was() -> None:
    clock = FakeClock()
    assert guided(steps.RingStep(DAY), table(clock, Button.BACK), clock)[0] is None


@dataclass(frozen=True, slots=True)
class Picky(steps.Step):
    """Takes what is shown every `takes`-th time, and is done after so many `good` ones."""

    takes: int
    good: int
    presses: int = 0

    @property
    def refused(self) -> bool:
        return self.presses % self.takes != 0

    def pressed(self, button: Button, now_s: float, *, held: bool = False) -> steps.Next:
        step = replace(self, presses=self.presses + 1)
        done = steps.Done(lambda profile, _names: profile)
        return done if step.presses == self.takes * self.good else step

    def page(self, _: Texts) -> Page:
        return Prompt("Refused" if self.refused else "Taken")

    def labels(self, _: Texts) -> steps.Labels:
        return ("", "", "", "")


def test_a_hand_that_presses_by_itself_gives_up_what_is_refused_again_and_again() -> None:
    clock = FakeClock()
    led = replace(table(clock), hand=lambda _step: Press(Button.OK))
    assert guided(Picky(takes=2, good=REFUSALS), led, clock)[0] is not None
    for never in (Picky(takes=2, good=100), Picky(takes=100, good=1)):
        with pytest.raises(ValueError, match=r"^the drawn table does not pass: Refused$"):
            guided(never, led, clock)


def test_people_may_be_refused_for_as_long_as_they_try() -> None:
    clock = FakeClock()
    assert guided(Picky(takes=20, good=2), table(clock, *[Button.OK] * 40), clock)[0] is not None


class Later(SimpleQueue[Press]):
    """Presses that come only once somebody waited for them in vain."""

    def __init__(self) -> None:
        self._waited = False

    def get(self, block: bool = True, timeout: float | None = None) -> Press:
        if not self._waited:
            self._waited = True
            raise Empty
        return super().get(block, timeout)


def test_buttons_that_hear_no_more_are_told_and_gone_without_where_others_do() -> None:
    clock = FakeClock()
    led = replace(table(clock), listening=2, presses=Later())
    led.deaf.put(PULLED)
    led.presses.put(Press(Button.BACK))
    done, said = guided(steps.RingStep(DAY), led, clock)
    assert (done, said[1]) == (None, "the buttons are gone; check their wires")


def screen_of(step: steps.Step, name: str, *lost: str) -> Image.Image:
    return draw(View(Header(name), step.page(ENGLISH), step.labels(ENGLISH), RingView(Mood.SETUP), lost))


def test_buttons_with_trouble_are_shown_above_each_page_until_they_are_well_again() -> None:
    clock, screen, step = FakeClock(), Screen(), steps.RingStep(DAY)
    ailing = iter((False, True, False))
    led = replace(table(clock, Button.LESS, Button.MORE, Button.BACK), displays=(screen,), ails=lambda: next(ailing))
    guided(step, led, clock)
    fewer = replace(step, leds=59)
    assert screen.shown == [
        screen_of(step, "Ring 4/6"), screen_of(fewer, "Button trouble", "buttons"), screen_of(step, "Ring 4/6"),
    ]  # fmt: skip


def test_buttons_that_hear_no_more_are_shown_above_each_page_where_others_do() -> None:
    clock, screen, step = FakeClock(), Screen(), steps.RingStep(DAY)
    led = replace(table(clock), listening=2, presses=Later(), displays=(screen,))
    led.deaf.put(PULLED)
    led.presses.put(Press(Button.BACK))
    guided(step, led, clock)
    assert screen.shown == [screen_of(step, "Ring 4/6"), screen_of(step, "Button trouble", "buttons")]


def test_the_last_buttons_that_hear_no_more_end_it_once_their_presses_were_heeded() -> None:
    clock = FakeClock()
    led = replace(table(clock, *Button, Button.OK), listening=2)
    led.deaf.put(PULLED)
    led.deaf.put(RuntimeError())
    guide = Guide(led, clock=clock, texts=ENGLISH, say=lambda _line: None)
    assert guide.through(steps.ButtonsStep(DAY)) is not None
    with pytest.raises(DeviceLost, match="the buttons failed: RuntimeError; begin again"):
        guide.through(steps.RingStep(DAY))
