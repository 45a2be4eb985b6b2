"""How far the reader bears pictures to change: labelled photos made darker, farther, slanted, squeezed, noisier.

    python -m tests.bench.bench_changed FOLDER [--photos N] [--changes NAME,NAME] [--patterned SET,SET] [--networks DIR]

What a reader makes of one collection tells little of the next. The same photos under changes of which the truth is
known tell where it would fail. For each collection: exact, wrong and sure, sure, and dice read right, in percent.
With --networks each collection is read by networks that have never seen it (`companion.vision.train --without-each`);
else by those of the package, which have. The ruler is the package's.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from companion.pictures import BadPicture
from companion.typed import whole_number
from companion.vision.bench.accuracy import judge, total
from companion.vision.engines import BadNetwork
from companion.vision.eyes import alone
from companion.vision.labels import BadLabels, Label, collections, labels_in
from companion.vision.networks import Networks
from companion.vision.train.folds import networks_without
from companion.vision.train.keep import told
from companion.vision.train.learned import all_there
from companion.vision.train.pictures import load_labelled
from tests.bench.changes import CHANGES, PATTERNED, Change


def main(arguments: Sequence[str] | None = None) -> None:
    """Ends the process with 2 and a line where labels, photos or networks are no use."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.bench_changed",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, help="labelled photos, each collection in a folder of its own")
    parser.add_argument(
        "--photos", type=whole_number(1), default=40, help="of each collection, evenly chosen; 40 unless told"
    )
    parser.add_argument("--changes", metavar="NAME,NAME", type=_names, help="only these; --changes ? names them")
    parser.add_argument(
        "--patterned", metavar="SET,SET", type=_names, default=[], help="collections with boxes of whole dice"
    )
    parser.add_argument("--networks", type=Path, help="of the folds: --out of the training --without-each")
    options = parser.parse_args(arguments)
    known = [change.name for change in (*CHANGES, *PATTERNED)]
    wanted = options.changes or known
    if unknown := [name for name in wanted if name not in known]:
        parser.error(f"not known: {', '.join(unknown)}; there are: {', '.join(known)}")
    if not options.patterned and set(wanted) <= {change.name for change in PATTERNED}:
        parser.error("patterns are laid around the dice of --patterned SET,SET: none is told")
    cv2.setNumThreads(1)
    try:
        labels = labels_in(options.folder)
        collections(labels, options.patterned)
        all_there(labels)
        _tell(labels, wanted, options)
    except (OSError, BadLabels, BadPicture, BadNetwork) as fault:
        parser.error(told(fault))


def _tell(every: Sequence[Label], wanted: Sequence[str], options: argparse.Namespace) -> None:
    """The table, a line as soon as it is measured."""
    groups: dict[str, list[Label]] = {}
    for label in every:
        groups.setdefault(label.group, []).append(label)
    print(f"{'exact / wrong+sure / sure / dice':34}{'':14}")
    for group, labels in groups.items():
        networks = None if options.networks is None else networks_without(group, options.networks)
        chosen = labels[:: max(1, len(labels) // options.photos)]
        for change in (*CHANGES, *(PATTERNED if group in options.patterned else ())):
            if change.name in wanted:
                print(f"{group:14}{change.name:16}{_told(chosen, change, networks)}", flush=True)


def _names(typed: str) -> list[str]:
    return typed.split(",")


def _told(labels: list[Label], change: Change, networks: Networks | None) -> str:
    rows, right, dice = [], 0, 0
    for number, named in enumerate(labels):
        picture, label = load_labelled(named)
        picture, moved = change.of(picture, label, np.random.default_rng(number))
        reading = alone(picture, networks=networks).reading
        rows.append(judge(moved, reading, 0.0))
        values: Counter[int | str | None] = Counter(die.value for die in label.dice if not die.ignore)
        read: Counter[int | str | None] = Counter(reading.values)
        right += sum((values & read).values())
        dice += sum(values.values())
    whole = total(rows)
    shares = (whole.exact, whole.wrong_and_sure, 1 - whole.unsure, right / max(1, dice))
    return " / ".join(f"{100 * share:5.1f}" for share in shares)


if __name__ == "__main__":
    main()
