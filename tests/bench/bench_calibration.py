"""How well a drawn table is calibrated, where it refuses, and what calibration is worth to the reader.

    python tests/bench/bench_calibration.py grid [--tables N]
    python tests/bench/bench_calibration.py throws [--throws N] [--seed N]

`grid`: tilt, light, blur, noise and distance, one after the other and some together; a table either passes and is
measured against the truth, or is refused with a reason. `throws`: a drawn table is calibrated, and then read with
and without it, the same pictures; wrong and sure is counted apart.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import replace
from datetime import date

import cv2
import numpy as np

from calibration import steps, use
from calibration.judging import judge
from calibration.markers import SETS
from calibration.profile import Profile
from calibration.simulated import DrawnHands, DrawnSetup, Wrongs
from calibration.tray import by_hand, find_markers
from companion.events import Button, Reading
from companion.vision.reader import Reader
from companion.vision.scene import new_table

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
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("grid", "throws"))
    parser.add_argument("--tables", type=int, default=3)
    parser.add_argument("--throws", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=3)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if options.what == "grid":
        _grid(options.tables)
    else:
        _throws(options.throws, options.seed)


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


def _calibrated(hands: DrawnHands) -> Profile:
    today = date.today()
    step: steps.Next = steps.CameraStep("simulated", "0", today)
    profile = _through(step, hands, Profile())
    reader = Reader(mask=use.mask_of(profile))
    assert profile.camera is not None
    return _through(steps.DiceStep(reader.read, today, profile.camera.mm_per_px), hands, profile)


def _through(step: steps.Next, hands: DrawnHands, profile: Profile) -> Profile:
    for _try in range(30):
        assert not isinstance(step, steps.Done | steps.Left)
        hands.lay(step.wants)
        step = step.seen(hands.picture(0.0)).pressed(Button.OK, 0.0)
        if isinstance(step, steps.Done):
            return step.made(profile, {name: name for name in step.pictures})
    raise SystemExit("the drawn table does not pass")


def _throws(throws: int, seed: int) -> None:
    hands = DrawnHands(seed)
    profile = _calibrated(hands)
    with_it, without = use.reader_of(profile), Reader()
    told: dict[str, Counter[str]] = {"calibrated": Counter(), "uncalibrated": Counter()}
    for throw in range(throws):
        count = 1 + throw % 3
        hands.lay(replace(steps.Wants(), dice=count, throw=throw))
        picture = hands.picture(0.0)
        told["calibrated"][_verdict(with_it.read(picture, count=count), hands)] += 1
        told["uncalibrated"][_verdict(without.read(picture), hands)] += 1
        if (throw + 1) % 100 == 0:
            print(throw + 1, {name: dict(counts) for name, counts in told.items()}, flush=True)


def _verdict(reading: Reading, hands: DrawnHands) -> str:
    if not reading.sure:
        return "unsure"
    return "exact" if reading.total == sum(hands.values) else "wrong and sure"


if __name__ == "__main__":
    main()
