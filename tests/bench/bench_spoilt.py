"""Drawn tables whose pictures are spoilt more and more: what is read there must be right, or asked about. By hand:

    python -m tests.bench.bench_spoilt [--tables N] [--first SEED] [--die-px LEAST MOST] [--changes NAME,NAME] [--list]

Every table shows two to four dice with pips, each of them to be seen nearly whole, on a ground, with things and light
drawn by lot. A reader that overlooks a blurred die is more dangerous than one that cannot read it: counted are the
tables that are exact, those that are sure and right, and those that are wrong and sure, as `companion read` tells them.
`gleam`: a lamp is mirrored in the middle of each die of two to five in turn: it may hide a pip or look like one more.
`cut`: the left side of the picture is away as far as into so much of the leftmost die, which counts all the same.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from companion.ports import Picture
from companion.vision.eyes import alone
from companion.vision.scene import Seen, draw, random_scene
from tests.bench.changes import Change, blurred, coarse, dark, gleam, noisy, packed, smeared, soft

CHANGES = (
    Change("as it is"),
    *(blurred(share) for share in (3, 5.5, 7, 8.5, 10, 12.5)),
    *(soft(share) for share in (5.5, 8.5)),
    *(smeared(share) for share in (10, 20, 30, 40)),
    *(noisy(levels) for levels in (12, 25)),
    *(dark(light) for light in (0.15, 0.08)),
    packed(10),
    coarse(240),
)
CUTS = {f"cut {share:g}": share for share in (0.3, 0.4, 0.5, 0.6, 0.7)}
CLEAR_PX, LEAST_PX = 4, 320  # from the cut to the next die, and what must be left of the picture's width
GLEAM, GLEAMING, OFF = "gleam", range(2, 6), 0.03  # of a die: how far such a gleam lies from the middle, mostly
SIZE = (640, 480)
WHOLE = 0.7  # of a die's face must be seen: one that another one covers is nobody's to read


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.bench_spoilt",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--tables", type=int, default=200, help="drawn; those with covered dice or signs are left out")
    parser.add_argument("--first", type=int, default=30_000, help="seed of the first table; training has below 24,001")
    parser.add_argument("--die-px", nargs=2, type=float, default=(44.0, 60.0), metavar=("LEAST", "MOST"))
    parser.add_argument("--hardness", type=float, default=0.0, help="0 to 1, of the tables before they are spoilt")
    parser.add_argument("--changes", metavar="NAME,NAME", type=lambda told: told.split(","), help="only these")
    parser.add_argument("--list", action="store_true", help="name the tables that are wrong and sure")
    options = parser.parse_args()
    known = [*(change.name for change in CHANGES), GLEAM, *CUTS]
    if unknown := [name for name in options.changes or () if name not in known]:
        parser.error(f"not known: {', '.join(unknown)}; there are: {', '.join(known)}")
    cv2.setNumThreads(1)
    seeds = range(options.first, options.first + options.tables)
    tables = list(_tables(seeds, (options.die_px[0], options.die_px[1]), options.hardness))
    print(f"{'':14}tables   exact  sure and right  wrong and sure")
    for name in known:
        if options.changes is None or name in options.changes:
            count, exact, right, wrong = _told(_spoilt(tables, name))
            seeds_told = f"   {', '.join(map(str, wrong))}" if options.list else ""
            print(f"{name:14}{count:6}{exact:8}{right:16}{len(wrong):16}{seeds_told}", flush=True)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """`values`: in order. `dice`: the truth of each."""

    seed: int
    picture: Picture
    values: tuple[int, ...]
    dice: tuple[Seen, ...]


def _tables(seeds: range, die_px: tuple[float, float], hardness: float) -> Iterator[Table]:
    """The tables on which all dice have pips and are seen."""
    for seed in seeds:
        rng = np.random.default_rng(seed)
        scene = random_scene(rng, hardness=hardness, size=SIZE, dice=2 + seed % 3, die_px=die_px)
        drawn = draw(scene, rng)
        values = tuple(seen.value for seen in drawn.truth if seen.value is not None and seen.visible >= WHOLE)
        if len(values) == len(drawn.truth):
            yield Table(seed, drawn.picture, tuple(sorted(values)), drawn.truth)


def _spoilt(tables: list[Table], name: str) -> Iterator[tuple[Table, Picture]]:
    """Tables and what became of their pictures; without those on which that cannot be done."""
    change = next((change for change in CHANGES if change.name == name), None)
    for table in tables:
        rng = np.random.default_rng(table.seed)
        if change is not None:
            yield table, change.of_picture(table.picture, rng)
            continue
        if name == GLEAM:
            yield from ((table, _gleaming(table.picture, die, rng)) for die in table.dice if die.value in GLEAMING)
            continue
        first, *others = sorted(table.dice, key=lambda die: die.box[0])
        cut = int(first.box[0] + CUTS[name] * first.box[2])
        if all(die.box[0] >= cut + CLEAR_PX for die in others) and SIZE[0] - cut >= LEAST_PX:
            yield table, np.ascontiguousarray(table.picture[:, cut:])


def _gleaming(picture: Picture, die: Seen, rng: np.random.Generator) -> Picture:
    x, y = np.mean(die.pips, axis=0) + rng.normal(0, OFF * die.box[2], 2)
    return gleam(picture, (float(x), float(y)), die.box[2], rng)


def _told(spoilt: Iterator[tuple[Table, Picture]]) -> tuple[int, int, int, list[int]]:
    """How many tables, how many are exact, how many of these sure, and the seeds of those sure and not exact."""
    count, exact, right, wrong = 0, 0, 0, []
    for table, picture in spoilt:
        reading = alone(picture).reading
        as_it_is = tuple(sorted(value or 0 for value in reading.values)) == table.values
        count += 1
        exact += as_it_is
        right += as_it_is and reading.sure
        if reading.sure and not as_it_is:
            wrong.append(table.seed)
    return count, exact, right, wrong


if __name__ == "__main__":
    main()
