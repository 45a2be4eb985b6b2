"""What calibration is worth where dice are hard to read: the same pictures, read with it and without.

    python -m tests.bench.bench_hard [--throws N] [--tables N] [--seed N] [--parts] [--keep FOLDER]

Each drawn table (`hard_tables`) is calibrated, tray and dice, and then played at, at times in less light. Every
reader is told the number of dice, and tells what it would at a table. With --parts two stand beside them that know less
of the same profile: where dice can lie and how large they are ("tray"), and the empty tray's picture too ("empty").
Wrong and sure is counted apart, and such a picture kept in --keep.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2

from calibration.facts import Profile
from calibration.taught import measured
from calibration.use import empty_of, mask_of, reader_of
from companion.events import Reading
from companion.vision.emptiness import EmptyTray
from companion.vision.known import Known
from companion.vision.reader import Reader
from tests.bench.hard_tables import HARD, Thrown, calibrating, playing, thrown, told_at_a_table

SEED = 500  # limits were chosen on tables of seed 100


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.bench_hard",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--throws", type=int, default=30, help="at each table")
    parser.add_argument("--tables", type=int, default=len(HARD))
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--parts", action="store_true", help="also with parts of the calibration")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="for what was wrong and sure")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    whole: dict[str, Counter[str]] = {}
    for number in range(options.tables):
        with TemporaryDirectory() as folder:
            try:
                profile = measured(calibrating(number, options.seed), Path(folder), date.today())
            except ValueError as refused:
                print(f"table {number}: {refused}", flush=True)
                continue
            readers = readers_of(profile, Path(folder))
        if not options.parts:
            readers = {name: readers[name] for name in ("uncalibrated", "calibrated")}
        told = _played(number, options.seed, options.throws, readers, options.keep)
        print(f"table {number}: { ({name: dict(counts) for name, counts in told.items()}) }", flush=True)
        for name, counts in told.items():
            whole[name] = whole.get(name, Counter()) + counts
    for name, counts in whole.items():
        print(f"{name:12} {dict(counts)}")


def readers_of(profile: Profile, folder: Path) -> Mapping[str, Reader]:
    """From one that knows nothing to one that knows all of the profile."""
    empty = empty_of(profile, folder)
    assert profile.dice is not None
    assert empty is not None
    scale_px, mask = profile.dice.whole_px, mask_of(profile)
    return {
        "uncalibrated": Reader(),
        "tray": Reader(scale_px=scale_px, mask=mask),
        "empty": Reader(scale_px=scale_px, mask=mask, known=Known(EmptyTray(empty))),
        "calibrated": reader_of(profile, folder),
    }


def _played(
    number: int, seed: int, throws: int, readers: Mapping[str, Reader], kept: Path | None
) -> dict[str, Counter[str]]:
    hands = playing(number, seed)
    told: dict[str, Counter[str]] = {name: Counter() for name in readers}
    for throw in range(throws):
        one = thrown(hands, throw)
        for name, reader in readers.items():
            said = verdict(told_at_a_table(reader, one.picture, len(one.values)), one)
            told[name][said] += 1
            if said == "wrong and sure" and kept is not None:
                cv2.imwrite(str(kept / f"{name}_{number}_{throw}_{'-'.join(map(str, one.values))}.png"), one.picture)
    return told


def verdict(reading: Reading, truth: Thrown) -> str:
    if not reading.sure:
        return "unsure"
    return "exact" if sorted(value or 0 for value in reading.values) == sorted(truth.values) else "wrong and sure"


if __name__ == "__main__":
    main()
