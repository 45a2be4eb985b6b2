"""How long the table needs after a fault, as the README's fault table says: `python -m tests.bench.bench_faults`.

Time is that of a virtual clock, which stands still while code runs: what is measured is how long the workers wait, not
how long a bus takes. Each cable is pulled for different lengths of time; told are the longest and the usual time from
its return until the newest picture, colours or frames are there again, and until its loss was told.
"""

from __future__ import annotations

import argparse
import errno
import statistics
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from luma.core.interface.serial import i2c
from PIL import Image

from companion.demo.robot import Lying
from companion.demo.tray import DrawnTray
from companion.devices import CameraWorker, DisplayWorker, RingWorker, Worker
from companion.events import Button, DeviceChanged, Fact, Health, Settled, Why
from companion.ports import Camera, DeviceLost, Frame, Picture
from companion.vision.eyes import Eyes
from companion.vision.reader import Reader
from companion.vision.settle import Settler
from companion.watch import Watch
from hardware.camera_simulated import SimulatedCamera
from hardware.debounce import Debouncer
from hardware.display_oled import OledDisplay
from hardware.oled_panel import Panel
from hardware.ring_serial import SerialRing
from hardware.sim_panel import SimBus, SimPanel
from hardware.sim_ring import SimReceiver
from tests.pseudo import Line
from tests.standins import FakeClock

AWAY_S = (*(0.3 + 0.37 * number for number in range(40)), 60.1, 120.7)
LEDS = 16
FIRST = ((10, 20, 30),) * LEDS
NEWEST = ((200, 100, 50),) * LEDS
TRIES_S = 30.0  # by then it is not coming back
STEP_S = 0.01

Times = tuple[float, float]  # until the loss was told, and from the return until all is well again


class Trial:
    """One worker on one clock, and what it said."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.said: list[DeviceChanged] = []

    def until(self, worker: Worker, done: Callable[[], bool], within_s: float = TRIES_S) -> float:
        """Lets the worker take its turns as its thread would. Returns the seconds until `done`, inf for never."""
        began_s = self.clock.now_s()
        due_s = began_s if worker._supervised.device is None else self._due_s
        while self.clock.now_s() - began_s <= within_s:
            if self.clock.now_s() >= due_s:
                wait_s = worker.turn(self.clock.now_s())
                due_s = self.clock.now_s() + (STEP_S if wait_s is None else wait_s)
            self._due_s = due_s
            if done():
                return self.clock.now_s() - began_s
            self.clock.sleep(STEP_S)
        return float("inf")

    def runs(self, worker: Worker, seconds: float) -> None:
        self.until(worker, lambda: False, seconds)

    def lost(self) -> bool:
        return self.said[-1].health is Health.LOST

    _due_s = float("-inf")


def picture(x: int) -> Image.Image:
    image = Image.new("1", (128, 64))
    image.paste(1, (x, 10, x + 20, 40))
    return image


def oled(trial: Trial, bus: SimBus) -> DisplayWorker:
    panel = Panel("ssd1306")
    worker = DisplayWorker(
        lambda: OledDisplay(panel, lambda: i2c(bus=bus), where="here"), trial.said.append, clock=trial.clock
    )
    worker.show(picture(0))
    return worker


def oled_unplugged(away_s: float) -> Times:
    trial, bus = Trial(), SimBus(SimPanel())
    worker = oled(trial, bus)
    trial.runs(worker, 1 + away_s % 3)
    bus.fail(errno.ENXIO)
    bus.panel.power_off()
    told_s = trial.until(worker, trial.lost)
    worker.show(picture(9))
    trial.runs(worker, away_s)
    bus.mend()
    bus.panel.power_on()
    return told_s, trial.until(worker, lambda: bus.panel.glass().tobytes() == picture(9).tobytes())


def oled_without_power_for_a_moment(away_s: float) -> Times:
    trial, bus = Trial(), SimBus(SimPanel())
    worker = oled(trial, bus)
    trial.runs(worker, away_s)
    bus.panel.power_off()
    bus.panel.power_on()
    return 0.0, trial.until(worker, lambda: bus.panel.glass().tobytes() == picture(0).tobytes())


def ring_unplugged(away_s: float, *, renamed: bool = False) -> Times:
    """`renamed`: it comes back under another name, which the configuration's pattern finds."""
    with tempfile.TemporaryDirectory() as folder:
        trial, line = Trial(), Line()
        (Path(folder) / "ring0").symlink_to(line.name)
        pattern = f"{folder}/ring*"
        worker = RingWorker(
            lambda: SerialRing(pattern, leds=LEDS, clock=trial.clock), trial.said.append, clock=trial.clock
        )
        worker.show(FIRST)
        trial.runs(worker, 1 + away_s % 1)
        (Path(folder) / "ring0").unlink()
        line.close()
        told_s = trial.until(worker, trial.lost)
        worker.show(NEWEST)
        trial.runs(worker, away_s)
        line = Line()
        (Path(folder) / ("ring1" if renamed else "ring0")).symlink_to(line.name)
        back_s = trial.until(worker, partial(_shows, SimReceiver(), line))
        worker.finish()
        line.close()
        return told_s, back_s


def ring_reset(away_s: float) -> Times:
    """The receiver forgets all in the middle of a frame; the port stays."""
    with tempfile.TemporaryDirectory() as folder:
        trial, line = Trial(), Line()
        (Path(folder) / "ring").symlink_to(line.name)
        worker = RingWorker(
            lambda: SerialRing(f"{folder}/ring", leds=LEDS, clock=trial.clock), trial.said.append, clock=trial.clock
        )
        worker.show(NEWEST)
        trial.runs(worker, away_s)
        line.received()
        forgetful = SimReceiver()
        forgetful.take(b"Ada\x00\x0f\x5a\x00\x00")  # the head of a frame whose rest never comes
        back_s = trial.until(worker, partial(_shows, forgetful, line))
        worker.finish()
        line.close()
        return 0.0, back_s


def ring_busy(away_s: float) -> Times:
    trial, line = Trial(), Line()
    other = SerialRing(line.name, leds=LEDS, clock=trial.clock)
    worker = RingWorker(
        lambda: SerialRing(line.name, leds=LEDS, clock=trial.clock), trial.said.append, clock=trial.clock
    )
    worker.show(NEWEST)
    told_s = trial.until(worker, lambda: bool(trial.said))
    trial.runs(worker, away_s)
    line.received()
    other.close()
    back_s = trial.until(worker, partial(_shows, SimReceiver(), line))
    worker.finish()
    line.close()
    return told_s, back_s


def _shows(receiver: SimReceiver, line: Line) -> bool:
    receiver.take(line.received())
    return receiver.shown[-1:] == [NEWEST]


class Stalled:
    """A camera whose driver goes on answering that there is no new picture."""

    remedy = "check its cable"

    def __init__(self, trial: Trial, camera: Camera, cable: list[bool]) -> None:
        self._trial, self._camera, self._cable = trial, camera, cable

    def frame(self, timeout_s: float) -> Frame | None:
        if self._cable[0]:
            return self._camera.frame(timeout_s)
        self._trial.clock.sleep(timeout_s)
        return None

    def rolled(self) -> None: ...

    def close(self) -> None:
        self._camera.close()


def camera(away_s: float, *, stalls: bool) -> Times:
    trial, cable, frames = Trial(), [True], list[Frame]()

    def look(_now_s: float) -> Picture:
        if not cable[0] and not stalls:
            raise DeviceLost("camera", "the camera is gone", "check its cable")
        return np.zeros((4, 4, 3), np.uint8)

    def opened() -> Camera:
        look(0)
        made = SimulatedCamera(look, clock=trial.clock)
        return Stalled(trial, made, cable) if stalls else made

    worker = CameraWorker(opened, trial.said.append, clock=trial.clock, deliver=frames.append)
    trial.runs(worker, 1)
    cable[0] = False
    told_s = trial.until(worker, trial.lost)
    trial.runs(worker, away_s)
    cable[0] = True
    frames.clear()
    return told_s, trial.until(worker, lambda: bool(frames))


def lens_covered(away_s: float) -> Times:
    """While dice lie that were not yet read. Told is "too dark"; well again is the right reading."""
    trial, covered, facts = Trial(), [False], list[Fact]()
    tray, watch = DrawnTray(round(100 * away_s)), Watch(Eyes(Reader()), Settler())
    watch.expect((1, 2))

    def look(now_s: float) -> Picture:
        seen = tray.picture(now_s)
        return np.zeros_like(seen) if covered[0] else seen

    worker = CameraWorker(
        lambda: SimulatedCamera(look, clock=trial.clock),
        trial.said.append,
        clock=trial.clock,
        deliver=lambda frame: facts.extend(watch.look(frame)),
        every_s=0.1,
    )
    trial.runs(worker, 2)
    covered[0] = True
    tray.throw(Lying((2, 5)))
    facts.clear()
    told_s = trial.until(
        worker, lambda: any(isinstance(fact, Settled) and fact.reading.why is Why.DARK for fact in facts)
    )
    trial.runs(worker, away_s)
    covered[0] = False
    facts.clear()
    return told_s, trial.until(worker, lambda: any(isinstance(fact, Settled) and fact.reading.sure for fact in facts))


def button_stuck() -> Times:
    """Seconds until it is told, and from its release until that is taken back."""
    debouncer = Debouncer()
    debouncer.begin((), 0.0)
    debouncer.level(Button.OK, down=True, now_s=0.0)
    told_s = _told(debouncer, 0.0, 2)  # the long press comes first
    debouncer.level(Button.OK, down=False, now_s=100.0)
    return told_s, _told(debouncer, 100.0, 1)


def _told(debouncer: Debouncer, since_s: float, count: int) -> float:
    now_s, told = since_s, 0
    while told < count:
        due_s = debouncer.due_s()
        assert due_s is not None
        now_s = due_s
        told += len(debouncer.tick(now_s))
    return now_s - since_s


FAULTS: dict[str, tuple[Callable[[float], Times], tuple[float, ...]]] = {
    "OLED unplugged": (oled_unplugged, AWAY_S),
    "OLED lost power silently": (oled_without_power_for_a_moment, AWAY_S),
    "ring unplugged": (ring_unplugged, AWAY_S),
    "ring back under another name": (partial(ring_unplugged, renamed=True), AWAY_S),
    "ring busy": (ring_busy, AWAY_S),
    "ring reset in mid frame": (ring_reset, AWAY_S),
    "camera unplugged": (partial(camera, stalls=False), AWAY_S),
    "camera stalled": (partial(camera, stalls=True), AWAY_S),
    "lens covered": (lens_covered, AWAY_S[:40:5]),
    "button stuck": (lambda _away_s: button_stuck(), AWAY_S[:1]),
}


def main() -> None:
    words = argparse.ArgumentParser(
        prog="python -m tests.bench.bench_faults",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    words.parse_args()
    print(f"{'fault':30} {'told after':>11} {'back after, at most':>20} {'usually':>9}")
    for name, (fault, lengths) in FAULTS.items():
        told, back = zip(*map(fault, lengths), strict=True)
        print(f"{name:30} {max(told):9.2f} s {max(back):18.2f} s {statistics.median(back):7.2f} s")


if __name__ == "__main__":
    main()
