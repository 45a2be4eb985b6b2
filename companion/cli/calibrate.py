"""`companion calibrate`: camera, tray, dice, Wild die, ring and buttons measured, each step repeatable alone."""

from __future__ import annotations

import argparse
import os
import queue
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TypeVar

from calibration import steps, use
from calibration.profile import FILE, Profile, ProfileError, keep, load, save, written
from calibration.sheet import PAPERS, sheet
from calibration.simulated import DrawnHands
from companion import config as settings
from companion.compose import rig_of
from companion.events import Button, Press
from companion.locale import Texts, texts
from companion.ports import Buttons, Camera, DeviceLost, Display, Ring
from companion.screen import draw
from companion.serve import Rig
from companion.view import Choose, Count, Header, Mood, Page, Prompt, RingView, Rolled, View
from companion.vision.reader import Reader
from hardware.clock import SystemClock

D = TypeVar("D", Display, Ring, Buttons)
STEPS = ("camera", "dice", "wild", "ring", "buttons", "check")
FRAME_S = 0.3
LOST_S = 10.0  # without a picture, a camera is not there
AUTO_TRIES = 60  # pictures that --auto waits on one page before it gives up


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "step",
        nargs="?",
        choices=("all", "sheet", "show", *STEPS),
        default="all",
        help="one step alone; all by default",
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration")
    parser.add_argument("--folder", type=Path, help="where the profile is kept; the configuration's by default")
    parser.add_argument("--paper", choices=sorted(PAPERS), default="a4", help="sheet: its size")
    parser.add_argument(
        "--out", type=Path, default=Path("markers.pdf"), metavar="FILE", help="sheet: where to write it"
    )
    parser.add_argument("--simulated", action="store_true", help="calibrate a drawn table: no hardware needed")
    parser.add_argument("--seed", type=int, default=0, help="of the drawn table")
    parser.add_argument("--auto", action="store_true", help="with --simulated: press the buttons by itself")


def run(options: argparse.Namespace) -> int:
    """0 when every step was accepted, 1 when something is lost or broken, 2 when the players turned back."""
    if options.auto and not options.simulated:
        print("companion calibrate: --auto needs --simulated; at a real table people press", file=sys.stderr)
        return 1
    try:
        if options.step == "sheet":
            return _sheet(options.paper, options.out)
        config = settings.load(settings.find(options.config, os.environ))
        folder = options.folder or settings.calibration_folder(config, os.environ)
        profile = load(folder)
        if options.step == "show":
            print(written(profile) if (folder / FILE).exists() else f"nothing is calibrated yet in {folder}")
            return 0
        return _calibrate(config, options, folder, profile)
    except (settings.ConfigError, ProfileError, DeviceLost, OSError, ValueError) as error:
        print(f"companion calibrate: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _sheet(paper: str, out: Path) -> int:
    out.write_bytes(sheet(paper))
    print(f"{out}: print it at 100 % on {paper.upper() if paper == 'a4' else paper.capitalize()}")
    return 0


def _calibrate(config: settings.Config, options: argparse.Namespace, folder: Path, profile: Profile) -> int:
    wanted = STEPS if options.step == "all" else (options.step,)
    with ExitStack() as opened:
        guide = Guide(config, options, opened)
        for name in wanted:
            step = begun(name, profile, config, folder, simulated=options.simulated)
            done = guide.through(step)
            if done is None:
                print(f"{name}: left as it was")
                return 2
            names = {name: keep(picture, name, folder) for name, picture in done.pictures.items()}
            profile = done.made(profile, names)
            save(profile, folder)
            print(f"{name}: kept in {folder / FILE}")
    return 0


def begun(name: str, profile: Profile, config: settings.Config, folder: Path, *, simulated: bool) -> steps.Step:
    """A step at its beginning. Raises ValueError when an earlier one is needed first."""
    today = date.today()
    kind = "simulated" if simulated else config.camera.kind
    width = use.width_px(profile)
    if name in ("dice", "wild", "check") and (profile.camera is None or width is None):
        raise ValueError("the tray is not known yet: run companion calibrate camera first")
    match name:
        case "camera":
            return steps.CameraStep(kind, config.camera.device, today)
        case "dice":
            assert profile.camera is not None
            return steps.DiceStep(Reader(mask=use.mask_of(profile)).read, today, profile.camera.mm_per_px)
        case "wild":
            assert width is not None
            empty = use.empty_of(profile, folder)
            return steps.WildStep(today, width, empty, use.mask_of(profile))
        case "ring":
            return steps.RingStep(today, config.ring.leds, config.ring.first, config.ring.clockwise)
        case "buttons":
            return steps.ButtonsStep(today)
        case _:
            reader = Reader(scale_px=width, mask=use.mask_of(profile))
            return steps.CheckStep(lambda picture: reader.read(picture, count=3), today)


class Guide:
    """The devices that lead people through the steps; without a screen, printed lines and the keyboard's Enter."""

    def __init__(self, config: settings.Config, options: argparse.Namespace, opened: ExitStack) -> None:
        self._texts: Texts = texts(config.table.language)
        self._clock = SystemClock()
        self._auto: bool = options.auto
        self._hands = DrawnHands(options.seed) if options.simulated else None
        self._presses: queue.Queue[Press] = queue.Queue()
        self._said = ""
        rig = Rig() if self._auto else rig_of(config, clock=self._clock)
        self._camera: Camera | None = None
        if self._hands is None:
            if rig.camera is None:
                raise ValueError("the configuration has no camera; nothing can be measured without one")
            self._camera = rig.camera()
            opened.callback(self._camera.close)
        self._displays: list[Display] = [one for one in (_try(display, opened) for display in rig.displays) if one]
        self._ring: Ring | None = _try(rig.ring, opened) if rig.ring is not None else None
        listening = [one for one in (_try(buttons, opened) for buttons in rig.buttons) if one]
        for buttons in listening:
            buttons.listen(self._presses.put, lambda trouble: print(trouble, file=sys.stderr) if trouble else None)
        if not listening and not self._auto:
            raise ValueError('no buttons answer; with kind = "keyboard" in [buttons] a terminal is enough')

    def through(self, step: steps.Step) -> steps.Done | None:
        """One step from its first page to its end; None when the players turned back."""
        waited, seen_s = 0, self._clock.now_s()
        while True:
            step, seen_s = self._look(step, seen_s)
            self._show(step)
            press = self._press(step)
            if press is None:
                waited += 1
                if self._auto and waited > AUTO_TRIES:
                    raise ValueError(f"the drawn table does not pass: {line_of(step.page(self._texts))}")
                continue
            waited = 0
            match step.pressed(press.button, self._clock.now_s()):
                case steps.Done() as done:
                    return done
                case steps.Left():
                    return None
                case going:
                    step = going

    def _look(self, step: steps.Step, seen_s: float) -> tuple[steps.Step, float]:
        now_s = self._clock.now_s()
        if self._hands is not None:
            self._hands.lay(step.wants)
            return step.seen(self._hands.picture(now_s)), now_s
        assert self._camera is not None
        frame = self._camera.frame(FRAME_S)
        if frame is None:
            if now_s - seen_s > LOST_S:
                raise DeviceLost("camera", "the camera gives no pictures", "check its cable")
            return step, seen_s
        if isinstance(step, steps.CameraStep):
            step = replace(step, locks=getattr(self._camera, "locked", {}))
        return step.seen(frame.picture), now_s

    def _show(self, step: steps.Step) -> None:
        page, labels = step.page(self._texts), step.labels(self._texts)
        view = View(Header(), page, labels, RingView(Mood.SETUP))
        for display in self._displays:
            display.show(draw(view))
        if self._ring is not None and step.lights:
            self._ring.show(step.lights)
        said = f"{line_of(page)}   [{' | '.join(labels)}]"
        if not self._displays and said != self._said:
            print(said, flush=True)
        self._said = said

    def _press(self, step: steps.Step) -> Press | None:
        if self._auto:
            return self._by_itself(step)
        try:
            return self._presses.get(timeout=0.05)
        except queue.Empty:
            return None

    def _by_itself(self, step: steps.Step) -> Press | None:
        """What a patient person would press at a drawn table, whose truth is known."""
        assert self._hands is not None
        if isinstance(step, steps.ButtonsStep):
            self._clock.sleep(0.1)
            return Press(tuple(Button)[step.told])
        if isinstance(step, steps.CheckStep) and step.reading is not None and step.reading.sure:
            right = sorted(v or 0 for v in step.reading.values) == sorted(self._hands.values)
            return Press(Button.OK if right else Button.MORE)
        return Press(Button.OK) if step.labels(self._texts)[3] else None


def _try(opening: Callable[[], D], opened: ExitStack) -> D | None:
    """A device that does not answer is told, and gone without."""
    try:
        device = opening()
    except DeviceLost as lost:
        print(lost, file=sys.stderr)
        return None
    opened.callback(device.close)
    return device


def line_of(page: Page) -> str:
    """A page as one line for a plain terminal."""
    match page:
        case Prompt(title, lines):
            return " – ".join((title, *lines))
        case Rolled(dice, total, text, note):
            shown = " + ".join("?" if die is None else str(die) for die in dice)
            return f"{shown} = {'?' if total is None else total}  {text}  {note}"
        case Choose(title, options, index):
            return f"{title} {options[index]}"
        case Count(title, value):
            return f"{title} {value}"
        case _:
            return page.title
