"""`python -m tests.bench.judges FOLDER`: what the README and the model card tell of tables that nobody photographed.

All judges whose pictures are made by number, each made where it is not there yet, which takes hours, most of them for
the traced and staged ones, and read as `companion read` does it. Printed are how many are exact, sure and right, and
wrong and sure, and of those whose dice all have pips, and that have any, how many are so once their number is told.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2

from companion.progress import bar
from companion.vision.bench.accuracy import Judged, judge
from companion.vision.eyes import alone
from companion.vision.labels import BadLabels, Label, labels_in
from companion.vision.train.pictures import load_labelled
from tests.bench.dotted.kinds import KINDS as DOTTED

MAKERS = {
    "marched": "tests.bench.marched.__main__",
    "traced": "companion.vision.traced.__main__",
    "staged": "tests.bench.staged.__main__",
    "dotted": "tests.bench.dotted.__main__",
    "drawn": "tests.bench.drawn",
}
NEWER = ("phones", "pictures", "ludo")  # each told by itself, the other dotted things as one
FACES = range(1, 7)


@dataclass(frozen=True, slots=True)
class Run:
    """One call of a maker. `count`: pictures of each kind, `first`: the number of the first. `told`: all as one row."""

    maker: str
    kinds: tuple[str, ...]
    first: int
    count: int
    told: str = ""

    @property
    def folder(self) -> str:
        return f"{self.maker}-{'-'.join(self.kinds)[:40]}-{self.first}"

    def row(self, label: Label) -> str:
        return self.told or f"{self.maker}: {label.group}"


RUNS = (
    Run("marched", ("rig", "empty"), 17_000, 100),
    *(Run("marched", ("table", "hard"), first, count) for first, count in ((21_000, 100), (25_000, 100), (29_000, 50))),
    Run("marched", ("rig", "table", "hard"), 33_000, 100),
    Run("traced", ("rig", "table", "hard"), 103_000, 60),
    Run("traced", ("rig", "table", "hard"), 97_000, 30),
    Run("traced", ("rig", "symbols", "polyhedra"), 101_000, 100),
    Run("traced", ("rig",), 105_000, 200),
    Run("traced", ("rig",), 107_000, 157),
    Run("traced", ("empty", "decoys", "symbols", "polyhedra"), 97_000, 30),
    Run("staged", ("rig", "table", "hard"), 2_001, 60),
    Run("dotted", tuple(kind for kind in DOTTED if kind not in NEWER), 1, 50, told="dotted: all older kinds"),
    Run("dotted", NEWER, 1, 50),
    *(Run("drawn", ("drawn",), first, 400) for first in (300_001, 320_001, 340_001, 360_001)),
    *(Run("drawn", ("steep",), first, 300) for first in (310_001, 330_001, 350_001, 370_001)),
)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.judges", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="for all pictures, some 3 GB; kept")
    parser.add_argument("--only", nargs="+", choices=MAKERS, default=list(MAKERS), help="these judges alone")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    tell([run for run in RUNS if run.maker in options.only], options.folder)


def tell(runs: Sequence[Run], folder: Path) -> None:
    """Makes what is not in the folder yet, reads all, and prints a table in Markdown, one row for each kind."""
    rows: dict[str, list[Label]] = {}
    for run in runs:
        for label in made(run, folder):
            rows.setdefault(run.row(label), []).append(label)
    print("| pictures | | exact; sure and right; wrong and sure | of pips alone | the same, their number told |")
    print("|---|---|---|---|---|")
    for name, labels in rows.items():
        print(_line(name, labels), flush=True)


def made(run: Run, folder: Path) -> list[Label]:
    """The pictures of a run, made where they are not all there; none where what makes them is missing, as it says."""
    place = folder / run.folder
    if len(_there(place)) < run.count * len(run.kinds):
        numbers = ["--count", str(run.count), "--first", str(run.first)]
        importlib.import_module(MAKERS[run.maker]).main([str(place), *numbers, "--kinds", *run.kinds])
    return _there(place)


def _there(place: Path) -> list[Label]:
    """What a run has made so far, none of it where a kill left its last label torn."""
    try:
        return labels_in(place) if (place / "labels.jsonl").exists() else []
    except BadLabels:
        return []


def _line(name: str, labels: Sequence[Label]) -> str:
    judged, told = [], []
    for done, label in enumerate(labels, 1):
        judged.append(_judged(label))
        wanted = [die.value for die in label.dice if not die.ignore]
        if wanted and all(value in FACES for value in wanted):
            told.append(_judged(label, count=len(wanted)))
        bar(done, len(labels))
    return f"| {name} | {len(judged)} | {_counted(judged)} | {len(told)} | {_counted(told)} |"


def _judged(label: Label, *, count: int | None = None) -> Judged:
    picture, label = load_labelled(label)
    return judge(label, alone(picture, count=count).reading, None)


def _counted(rows: Sequence[Judged]) -> str:
    exact = sum(row.exact for row in rows)
    right = sum(row.exact and row.sure for row in rows)
    return f"{exact}; {right}; {sum(row.sure for row in rows) - right}"


if __name__ == "__main__":
    main()
