"""How long reading takes, beside the cheapest things one can do with a frame, on drawn tables of known size."""

from __future__ import annotations

import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from multiprocessing import get_context, resource_tracker
from multiprocessing.pool import Pool
from pathlib import Path

import cv2
import numpy as np

from companion.events import Reading
from companion.ports import Picture
from companion.vision.eyes import alone
from companion.vision.reader import Reader
from companion.vision.scene import Drawn, draw, random_scene
from companion.vision.words import in_words

REPEATS = 15
FRAME = (640, 480)
SIZES = ((320, 240), (640, 480), (960, 720), (1280, 960))
COUNTS = (0, 1, 2, 4, 8, 12)
SEED = 11
SPARSE_PX, CROWDED_PX = (44.0, 60.0), (30.0, 44.0)  # width of dice, and where there are more than CROWD
CROWD = 6
STATUS = Path("/proc/self/status")


@dataclass(frozen=True, slots=True)
class Pace:
    """Median and longest time of one thing, milliseconds.

    `unsure`: why a reading of it was, in words, which takes longer; None where it was sure, or nothing was read.
    """

    what: str
    median_ms: float
    most_ms: float
    unsure: str | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """The most that was held, megabytes, and what of it now are program files; None where the system does not tell.

    Of these a system maps what it likes: the more of them it has read lately, the more.
    """

    most_mb: float
    files_mb: float | None


def table(dice: int, size: tuple[int, int]) -> Drawn:
    """A kind rig with so many dice."""
    rng = np.random.default_rng(SEED + dice)
    return draw(random_scene(rng, hardness=0.0, size=size, dice=dice, die_px=_die_px(dice)), rng)


def tables() -> dict[tuple[int, tuple[int, int]], Picture]:
    """All that are read, by number of dice and size; drawn by another process: that takes more memory than reading."""
    wanted = [(4, size) for size in SIZES] + [(dice, FRAME) for dice in COUNTS]
    with _apart() as other:
        return {asked: drawn.picture for asked, drawn in zip(wanted, other.imap(_table, wanted), strict=True)}


def _table(asked: tuple[int, tuple[int, int]]) -> Drawn:
    return table(*asked)


def _apart() -> Pool:
    """Another process, to which Ctrl-C is nothing from its beginning: half loaded, it would tell of it by a traceback.

    It is ended where what is left is not waited for.
    """
    resource_tracker.ensure_running()  # which lets Ctrl-C through, once it runs
    kept = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        return get_context("spawn").Pool(1)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, kept)


def _die_px(dice: int) -> tuple[float, float]:
    return CROWDED_PX if dice > CROWD else SPARSE_PX


def pace(what: str, act: Callable[[], object], repeats: int = REPEATS) -> Pace:
    """`act` timed after one run that does not count."""
    act()
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        act()
        times.append(1000 * (time.perf_counter() - began))
    return Pace(what, float(np.median(times)), max(times))


def floors(frame: Picture) -> list[Pace]:
    """What no reader can be faster than: copying the frame, and one adaptive threshold."""
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    method, kind = cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY
    return [
        pace("copying the frame", frame.copy),
        pace("one adaptive threshold", lambda: cv2.adaptiveThreshold(grey, 255, method, kind, 31, 5)),
    ]


def paces() -> Iterator[Pace]:
    """Floors, then reading by both looks, at a known scale and at first sight, by frame size and number of dice; each
    as soon as it is measured.

    One thread.
    """
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        drawn = tables()
        frame = drawn[4, FRAME]
        yield from floors(frame)
        yield _reading(f"{_named(4, FRAME)}, alone: both looks", lambda: alone(frame).reading)
        yield from (_known(drawn[4, size], 4) for size in SIZES)
        yield from (_first(drawn[4, size], 4) for size in SIZES)
        yield from (_known(drawn[dice, FRAME], dice) for dice in COUNTS if dice != 4)
    finally:
        cv2.setNumThreads(threads)


def _named(dice: int, size: tuple[int, int]) -> str:
    return f"{size[0]}×{size[1]}, {dice} {'die' if dice == 1 else 'dice'}"


def _first(frame: Picture, dice: int) -> Pace:
    return _reading(f"{_named(dice, frame.shape[1::-1])}, first sight", lambda: Reader().read(frame))


def _known(frame: Picture, dice: int) -> Pace:
    """As of a camera that has seen dice of that width before, also where none lies there now."""
    reader = Reader(scale_px=sum(_die_px(dice)) / 2)
    return _reading(f"{_named(dice, frame.shape[1::-1])}, scale known", lambda: reader.read(frame))


def _reading(what: str, read: Callable[[], Reading]) -> Pace:
    return replace(pace(what, read), unsure=in_words(read()))


def memory() -> Memory:
    """Of this process. Linux tells it in its status; `getrusage` adds what began the process."""
    lines = STATUS.read_text().splitlines() if STATUS.exists() else []
    told = dict(line.split(":", 1) for line in lines)
    if {"VmHWM", "RssFile"} <= told.keys():
        most, files = (int(told[name].split()[0]) / 1024 for name in ("VmHWM", "RssFile"))
        return Memory(most, files)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Memory(most if sys.platform != "darwin" else most / 1024, None)
