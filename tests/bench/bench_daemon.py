"""How quick, hungry and large the daemon is, beside a reference in the same run: `python -m tests.bench.bench_daemon`.

Pictures of throws are drawn beforehand, so that only the daemon's own work is measured: watching, reading, deciding,
writing to the disk, drawing. It tells the time from the picture that settles a roll to the changed screen, the share of
one core while no dice are expected and while dice are watched, and the resident memory. The reference is one copy and
one adaptive threshold of the same picture.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import cv2
from PIL import Image

from companion.compose import house_of
from companion.config import Config
from companion.demo.robot import Lying
from companion.demo.tray import DrawnTray
from companion.events import Press
from companion.journal import Journal
from companion.lights import RingLayout
from companion.ports import Picture
from companion.serve import Rig, Running
from companion.table.state import Table
from companion.vision.eyes import Eyes
from companion.vision.reader import Reader
from companion.vision.settle import Settler
from companion.watch import Watch
from hardware.camera_simulated import SimulatedCamera
from hardware.clock import SystemClock
from tests.app.household import press

FPS = 10.0
STILL = 8  # pictures of a still tray, shown over and over, each with noise of its own


class Screen:
    """A display that notes when a picture came."""

    def __init__(self) -> None:
        self.shown_s: list[float] = []

    def show(self, image: Image.Image) -> None:
        self.shown_s.append(time.monotonic())

    def refresh(self) -> None: ...

    def close(self) -> None: ...


class Film:
    """Drawn throws as a camera shows them; each is begun by `next`."""

    def __init__(self, throws: int, seed: int) -> None:
        tray, now_s = DrawnTray(seed), 0.0
        self._throws: list[list[Picture]] = []
        for number in range(throws):
            tray.throw(Lying(tuple((number + die) % 6 + 1 for die in range(number % 3 + 1))))
            pictures = []
            for _frame in range(int(3.0 * FPS) + STILL):
                now_s += 1 / FPS
                pictures.append(tray.picture(now_s))
            self._throws.append(pictures)
        self._place, self._frame = 0, 0
        self.last_s = 0.0

    @property
    def still(self) -> Picture:
        return self._throws[0][-1]

    def next(self) -> None:
        self._place, self._frame = self._place + 1, 0

    def picture(self, _now_s: float) -> Picture:
        pictures = self._throws[self._place % len(self._throws)]
        frame = self._frame if self._frame < len(pictures) else len(pictures) - 1 - self._frame % STILL
        self._frame += 1
        self.last_s = time.monotonic()
        return pictures[frame]


def timed(work: Callable[[], object], times: int = 50) -> float:
    """Median milliseconds of one call."""
    took = []
    for _time in range(times):
        begun_s = time.perf_counter()
        work()
        took.append(1000 * (time.perf_counter() - begun_s))
    return statistics.median(took)


def cpu_share(seconds: float) -> float:
    """Share of one core that this process takes for a while."""
    before, begun_s = time.process_time(), time.monotonic()
    time.sleep(seconds)
    return (time.process_time() - before) / (time.monotonic() - begun_s)


def resident_mb() -> float:
    """Resident memory now, in MB (Linux: /proc/self/statm counts pages)."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def wait_for(ready: Callable[[], bool], longest_s: float = 15.0) -> bool:
    """Whether it became true in time."""
    end_s = time.monotonic() + longest_s
    while time.monotonic() < end_s:
        if ready():
            return True
        time.sleep(0.002)
    return False


def step(table: Table) -> str:
    return table.match.ask.step if table.match is not None else "setup"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_daemon", description=__doc__)
    parser.add_argument("--throws", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=10.0, help="how long CPU use is measured")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    film, screen, clock = Film(options.throws, seed=1), Screen(), SystemClock()
    house = house_of(Config())
    base_mb = resident_mb()
    rig = Rig(
        camera=lambda: SimulatedCamera(film.picture, clock=clock, fps=FPS),
        displays=(lambda: screen,),
        layout=RingLayout(60),
    )
    with tempfile.TemporaryDirectory() as folder, Journal.open(Path(folder) / "journal.db") as journal:
        running = Running(rig, house, journal, Watch(Eyes(Reader()), Settler()), clock=clock)
        decider = threading.Thread(target=running.run)
        decider.start()
        latencies, asked = _play(running, film, screen, options.throws)
        _leave_dice(running)
        watching = cpu_share(options.seconds)
        for fact in press("back"):  # in the menu no dice are expected
            running.loop.put(fact)
        idle = cpu_share(options.seconds)
        full_mb = resident_mb()
        running.stop()
        decider.join()
    print(f"pictures            {film.still.shape[1]}×{film.still.shape[0]}, {FPS:.0f} a second")
    print(f"settled to screen   median {statistics.median(latencies):.1f} ms, worst {max(latencies):.1f} ms")
    print(f"rolls               {len(latencies)}, of which {asked} were asked about")
    print(f"reference           {reference(film.still)}")
    print(
        f"one core            {100 * watching:.1f} % while dice are watched, {100 * idle:.1f} % while none are expected"
    )
    print(f"resident memory     {full_mb:.0f} MB, of which {full_mb - base_mb:.0f} MB since before the first reading")


def reference(picture: Picture) -> str:
    """What the least that any reader does costs here and now."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    threshold = timed(lambda: cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 31, 5))
    return f"copy {timed(picture.copy):.2f} ms, adaptive threshold {threshold:.2f} ms"


def _play(running: Running, film: Film, screen: Screen, throws: int) -> tuple[list[float], int]:
    """Milliseconds from the picture that settles each roll to its screen, and how many were asked about."""
    latencies, asked = [], 0
    for fact in press(*["ok"] * 9):
        running.loop.put(fact)
    for _throw in range(throws):
        wait_for(lambda: step(running.loop.table) == "roll")
        shown = len(screen.shown_s)
        film.next()
        if not wait_for(lambda: step(running.loop.table) == "accept" or running.loop.table.sighting is not None):
            raise SystemExit("a throw was never told")
        asked += running.loop.table.sighting is not None
        wait_for(partial(_more, screen.shown_s, shown))
        latencies.append(1000 * (screen.shown_s[-1] - film.last_s))
        _leave_dice(running)
    return latencies, asked


def _more(those: list[float], than: int) -> bool:
    return len(those) > than


def _leave_dice(running: Running) -> None:
    """Plays on until dice are expected again, by taking the first answer to everything."""
    while step(running.loop.table) != "roll" or running.loop.table.sighting is not None:
        running.loop.put(Press(press("ok")[0].button))
        time.sleep(0.02)


if __name__ == "__main__":
    main()
