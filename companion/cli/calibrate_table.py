"""The devices that a calibration is led with: those of the configuration, or a drawn table that presses by itself."""

from __future__ import annotations

import argparse
import queue
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import TypeVar

import numpy as np

from calibration import steps
from calibration.guide import Table
from calibration.simulated import WRONGS, DrawnHands
from calibration.single import Single
from calibration.steps.buttons import Edge
from companion import config as settings
from companion.compose import camera_of, legend_of, rig_of
from companion.config.parts import MOST_LEDS
from companion.events import Button, Press
from companion.locale import texts
from companion.ports import Buttons, Camera, Clock, DeviceLost, Display, Frame, Locks, Ring
from companion.serve import Rig
from hardware.job_control import gives_way

D = TypeVar("D", Display, Buttons)
UNSEEING = ("ring", "buttons")  # steps that look at nothing
NOTHING_PX, PICTURE_S = (64, 64), 0.05


def table_of(config: settings.Config, options: argparse.Namespace, clock: Clock, opened: ExitStack) -> Table:
    """Opens the configured devices: the ring before the camera, which finds its exposure in the ring's light.

    For a grid over the camera's picture nothing but the camera; no camera for steps that need none. Raises DeviceLost
    without it and ValueError without any button.
    """
    opened.enter_context(gives_way())
    rig = Rig() if options.auto else _rig(config, clock)
    if options.grid is not None:
        rig = replace(rig, ring=None, displays=(), buttons=())
    tell = _once()
    presses: queue.SimpleQueue[Press] = queue.SimpleQueue()
    edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()
    deaf: queue.SimpleQueue[Exception] = queue.SimpleQueue()
    if (legend := legend_of(config, knocks=False)) and not options.auto and options.grid is None:
        print(legend, file=sys.stderr)
    hands = DrawnHands(options.seed or 0, WRONGS.get(options.wrong)) if options.simulated else None
    ring, ring_lost = _ring(rig, opened, tell)
    camera = Unseeing(clock) if options.step in UNSEEING and hands is None else _camera(config, hands, clock)
    opened.callback(camera.close)
    displays = [one for one in (_try(display, opened, tell) for display in rig.displays) if one]
    listening = [one for one in (_try(buttons, opened, tell) for buttons in rig.buttons) if one]
    ailments = Ailments()
    for number, buttons in enumerate(listening):
        buttons.feel(lambda button, at_s: edges.put((button, at_s)))
        buttons.listen(Single(clock, presses.put).heard, partial(ailments.tell, number), deaf.put)
    if not listening and not options.auto and options.grid is None:
        raise ValueError(f"no buttons answer; {_advice(config, simulated=options.simulated)}")
    leds = MOST_LEDS if config.ring.kind == "serial" else 0
    table = Table(
        camera,
        displays,
        ring,
        leds,
        presses,
        edges,
        ring_lost=ring_lost,
        listening=len(listening),
        deaf=deaf,
        ails=ailments.any,
    )
    if hands is None:
        return table
    return replace(table, lay=hands.lay, hand=(lambda step: by_itself(step, hands)) if options.auto else None)


class Unseeing:
    """In the place of a camera that no step needs: its pictures are black, and as many a second as a camera's."""

    remedy = ""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def frame(self, timeout_s: float) -> Frame:
        self._clock.sleep(min(timeout_s, PICTURE_S))
        return Frame(np.zeros((*NOTHING_PX, 3), np.uint8), self._clock.now_s())

    def rolled(self) -> None: ...

    def locks(self) -> Locks:
        return Locks()

    def close(self) -> None: ...


class Ailments:
    """What is wrong with buttons that answer; each tells it in a thread of its own."""

    def __init__(self) -> None:
        self._of: dict[int, str] = {}

    def tell(self, number: int, text: str) -> None:
        """Of one device, by its number; "" for nothing any more."""
        self._of[number] = text
        _tell(text)

    def any(self) -> bool:
        return any(tuple(self._of.values()))


def _advice(config: settings.Config, *, simulated: bool) -> str:
    """What is to be done where nobody can press."""
    if all(section.kind != "keyboard" for section in config.buttons):
        return 'with kind = "keyboard" in [[buttons]] a terminal is enough'
    by_itself = ", or let it press by itself with --auto" if simulated else ""
    return f"run it in a terminal{by_itself}"


def _once() -> Callable[[DeviceLost], None]:
    """Tells each trouble once: screen, ring and buttons may all be one terminal."""
    told: set[str] = set()

    def tell(lost: DeviceLost) -> None:
        if str(lost) not in told:
            told.add(str(lost))
            _tell(lost)

    return tell


def _tell(trouble: str | DeviceLost) -> None:
    if said := str(trouble):
        print(said, file=sys.stderr)


def _rig(config: settings.Config, clock: Clock) -> Rig:
    """The ring is opened for as many LEDs as any may have, since their number is among what is measured."""
    longest = replace(config, ring=replace(config.ring, leds=MOST_LEDS))
    return rig_of(longest, clock=clock)


def _ring(rig: Rig, opened: ExitStack, tell: Callable[[DeviceLost], None]) -> tuple[Ring | None, DeviceLost | None]:
    """The configured ring, or why it does not answer: without it only its own step cannot be led."""
    if rig.ring is None:
        return None, None
    try:
        ring = rig.ring()
    except DeviceLost as lost:
        tell(lost)
        return None, lost
    opened.callback(ring.close)
    return ring, None


def _camera(config: settings.Config, hands: DrawnHands | None, clock: Clock) -> Camera:
    opening = camera_of(config.camera, clock=clock, drawn=None if hands is None else hands.picture)
    if opening is None:
        alone = " or ".join(f"companion calibrate {step}" for step in UNSEEING)
        raise ValueError(f"the configuration has no camera; without one only {alone} can be called")
    return opening()


def by_itself(step: steps.Step, hands: DrawnHands) -> Press | None:
    """What a patient person would press at a drawn table, whose truth is known."""
    match step:
        case steps.ButtonsStep():
            return Press(tuple(Button)[step.told])
        case steps.CheckStep(reading=reading) if reading is not None and reading.sure:
            right = sorted(value or 0 for value in reading.values) == sorted(hands.values)
            return Press(Button.OK if right else Button.MORE)
        case steps.CheckStep(reading=None) | steps.CameraStep(shown=None):
            return None
    labels = step.labels(texts())
    return Press(Button.OK) if labels[3] else None


def _try(opening: Callable[[], D], opened: ExitStack, tell: Callable[[DeviceLost], None]) -> D | None:
    """A device that does not answer is told, and gone without."""
    try:
        device = opening()
    except DeviceLost as lost:
        tell(lost)
        return None
    opened.callback(device.close)
    return device
