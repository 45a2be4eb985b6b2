"""How well a drawn table is calibrated, where it refuses, and what calibration is worth to the reader.

    python -m tests.bench.bench_calibration grid [--tables N]
    python -m tests.bench.bench_calibration throws [--throws N] [--seed N] [--tables N] [--alone]

`grid`: tilt, light, blur, noise and distance, one after the other and some together; a table either passes and is
measured against the truth, or is refused with a reason. `throws`: drawn tables, each under other circumstances, go
through every step of `companion calibrate`, pressed by itself; then their dice are thrown, and read with calibration
and without, the same pictures. Wrong and sure is counted apart, and such a picture kept in --keep.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory

import cv2
import numpy as np

from calibration import steps, use
from calibration.facts import Profile
from calibration.guide import Guide, Table
from calibration.judging import judge
from calibration.markers import SETS
from calibration.profile import keep
from calibration.simulated import DrawnHands, DrawnSetup, Wrongs
from calibration.tray import by_hand, find_markers
from companion.cli.calibrate import STEPS
from companion.cli.calibrate_steps import begun
from companion.cli.calibrate_table import by_itself
from companion.config import Camera, Config
from companion.config.parts import MOST_LEDS
from companion.demo.clocks import FastClock
from companion.events import Reading
from companion.locale import ENGLISH
from companion.vision.reader import Reader
from companion.vision.scene import new_table
from hardware.camera_simulated import SimulatedCamera
from tests.bench.hard_tables import told_at_a_table

DRAWN = Config(camera=Camera(kind="simulated"))
GRID: dict[str, tuple[Wrongs, ...]] = {
    "tilt_deg": tuple(Wrongs(tilt_deg=t) for t in (0, 10, 20, 30, 36, 45)),
    "light": tuple(Wrongs(light=x) for x in (2.0, 1.0, 0.5, 0.25, 0.15, 0.1, 0.05)),
    "blur_px": tuple(Wrongs(blur_px=x) for x in (0.0, 0.8, 1.5, 2.2, 3.0, 4.0)),
    "noise": tuple(Wrongs(noise=x) for x in (0.0, 0.02, 0.05, 0.1, 0.2)),
    "distance": tuple(Wrongs(distance=x) for x in (0.9, 1.0, 1.3, 1.6, 2.0, 2.4)),
    "together": (
        Wrongs(tilt_deg=20, light=0.5, blur_px=0.8, noise=0.02, distance=1.2),
        Wrongs(tilt_deg=28, light=0.35, blur_px=1.2, noise=0.03, distance=1.4),
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.bench_calibration",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("what", choices=("grid", "throws"))
    parser.add_argument("--tables", type=int, default=3)
    parser.add_argument("--throws", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--alone", action="store_true", help="throws: without the readings without calibration")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="throws: for what was wrong and sure")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if options.what == "grid":
        _grid(options.tables)
    else:
        _throws(options.throws, options.seed, options.tables, options.keep, alone=options.alone)


def _grid(tables: int) -> None:
    print("set    what      value   passed   worst corner mm   worst scale %   refused for")
    for stickers in SETS:
        for name, values in GRID.items():
            for wrongs in values:
                corners, scales, refused = [], [], Counter[str]()
                for seed in range(tables):
                    setup = DrawnSetup(new_table(np.random.default_rng(seed)).scene, wrongs)
                    picture = setup.picture(np.random.default_rng(seed + 100), stickers=stickers)
                    verdict = judge(picture, find_markers(picture))
                    if not verdict.good or verdict.tray is None:
                        refused[verdict.faults[0].kind] += 1
                        continue
                    width, depth = setup.tray_mm
                    floor = np.array([(0, 0), (width, 0), (width, depth), (0, depth)])
                    off = np.linalg.norm(verdict.tray.mm(setup.corners) - floor, axis=1)
                    truth = by_hand(setup.corners, setup.tray_mm)
                    corners.append(float(off.max()))
                    scales.append(100 * abs(verdict.tray.mm_per_px / truth.mm_per_px - 1))
                value = "" if name == "together" else getattr(wrongs, name)
                worst = f"{max(corners):10.2f} {max(scales):17.2f}" if corners else f"{'-':>10} {'-':>17}"
                print(
                    f"{stickers.name:6} {name:9} {value!s:>5} {len(corners):4}/{tables} {worst}       {dict(refused)}"
                )


CIRCUMSTANCES = (
    Wrongs(),
    Wrongs(light=0.5, shade=0.2),
    Wrongs(tilt_deg=22),
    Wrongs(blur_px=0.8, noise=0.01),
    Wrongs(distance=1.3),
    Wrongs(tilt_deg=15, light=0.35, noise=0.02),
)


def _calibrated(hands: DrawnHands, folder: Path) -> Profile:
    """Every step of `companion calibrate`. Raises ValueError for a table that does not pass."""
    clock = FastClock(None)
    table = Table(
        SimulatedCamera(hands.picture, clock=clock),
        (),
        None,
        MOST_LEDS,
        SimpleQueue(),
        SimpleQueue(),
        hands.lay,
        lambda step: by_itself(step, hands),
    )
    guide = Guide(table, clock=clock, texts=ENGLISH, say=lambda _line: None)
    profile = Profile()
    for name in STEPS:
        done = guide.through(begun(name, profile, DRAWN, folder))
        assert done is not None
        profile = done.made(profile, {key: keep(picture, key, folder) for key, picture in done.pictures.items()})
    return profile


def _throws(throws: int, seed: int, tables: int, kept: Path | None, *, alone: bool) -> None:
    """`throws` in all, as many at each table."""
    whole: dict[str, Counter[str]] = {"calibrated": Counter(), "uncalibrated": Counter()}
    for number in range(tables):
        hands = DrawnHands(seed + number, CIRCUMSTANCES[number % len(CIRCUMSTANCES)])
        with TemporaryDirectory() as folder:
            try:
                profile = _calibrated(hands, Path(folder))
            except ValueError as refused:
                print(f"table {seed + number}: {CIRCUMSTANCES[number % len(CIRCUMSTANCES)]}: {refused}", flush=True)
                continue
            with_it = use.reader_of(profile, Path(folder))
        told = _thrown(hands, with_it, throws // tables, kept, alone=alone)
        for name, counts in told.items():
            whole[name] += counts
        print(f"table {seed + number}: check {profile.check}; confused {profile.wild and profile.wild.confused}")
        print(f"  { ({name: dict(counts) for name, counts in told.items()}) }", flush=True)
    print("all", {name: dict(counts) for name, counts in whole.items()})


def _thrown(
    hands: DrawnHands, with_it: Reader, throws: int, kept: Path | None, *, alone: bool
) -> dict[str, Counter[str]]:
    without = None if alone else Reader()
    told: dict[str, Counter[str]] = {"calibrated": Counter(), "uncalibrated": Counter()}
    for throw in range(throws):
        count = 1 + throw % 3
        hands.lay(steps.Wants(dice=count, throw=1000 + throw))
        picture = hands.picture(0.0)
        verdict = _verdict(told_at_a_table(with_it, picture, count), hands)
        told["calibrated"][verdict] += 1
        if without is not None:
            told["uncalibrated"][_verdict(without.read(picture), hands)] += 1
        if verdict == "wrong and sure" and kept is not None:
            cv2.imwrite(str(kept / f"{'-'.join(map(str, hands.values))}_{throw}.png"), picture)
    return told


def _verdict(reading: Reading, hands: DrawnHands) -> str:
    if not reading.sure:
        return "unsure"
    return "exact" if reading.total == sum(hands.values) else "wrong and sure"


if __name__ == "__main__":
    main()
