"""`python -m companion.vision.train.folds`: each collection is read by networks that have not seen it.

Writes the ruler (confidence and limits of sureness) and prints the tables of the model card: what the looks at first
sight come to, and what `companion read` makes of it, which looks twice; both with a ruler that knows as little of the
collection as the networks do. These are made first, for all collections in one folder:

    python -m companion.vision.train --photos PHOTOS --work WORK --out WEIGHTS --without-each
    python -m companion.vision.train.folds --photos PHOTOS --networks WEIGHTS --ruler WEIGHTS/ruler.json

A line a collection: how many photos; of 100 of them, how many are exact, wrong and yet sure, unsure; of 100 exact ones,
how many are sure; of 100 photos, in how many all dice are counted; the milliseconds of the median one. Every photo is
looked at three times, each with a bar of its own.
"""

from __future__ import annotations

import sys

if __name__ == "__main__":
    from companion.vision.command import run

    sys.exit(run("companion.vision.train.folds"))

import argparse
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import cv2

from companion.events import Reading
from companion.pictures import BadPicture
from companion.ports import Picture
from companion.progress import bar
from companion.typed import file_ending_in, to_type, typed_path
from companion.vision.bench.accuracy import Judged, by_group, judge, total
from companion.vision.engines import BadNetwork
from companion.vision.eyes import alone
from companion.vision.labels import BadLabels, Label, collections, labels_file, labels_in
from companion.vision.looking import Look
from companion.vision.networks import PARTS, Networks, pair_in
from companion.vision.reader import Reader
from companion.vision.ruler import Ruler
from companion.vision.train.keep import all_made, can_be_written, told, without
from companion.vision.train.learned import all_there
from companion.vision.train.measure import Seen, fit_ruler, write_ruler
from companion.vision.train.pictures import load_labelled
from companion.vision.twice import CERTAIN
from companion.vision.views import Views

T = TypeVar("T")

LIMITS = {"sure_die": CERTAIN, "sure_roll": 0.92, "doubt": 0.2, "likeness": 0.25}


def main(arguments: list[str] | None = None) -> int:
    """0; 2 when the photos, their labels, the networks or the ruler's place are no use; 130 when interrupted."""
    parser = argparse.ArgumentParser(
        prog="python -m companion.vision.train.folds",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--photos", type=typed_path, required=True, help="folder of labelled photos, with labels.jsonl")
    parser.add_argument("--networks", type=typed_path, required=True, help="--out of the training --without-each")
    json = file_ending_in("a ruler", ".json")
    parser.add_argument(
        "--ruler", type=json, metavar="JSON", help="write the ruler here: the package has one in weights/ruler.json"
    )
    parser.add_argument("--sets", nargs="*", metavar="SET", help="only these collections, by their folders")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    try:
        labels = labels_in(options.photos)
        if options.ruler is not None:
            can_be_written(options.ruler, read=[labels_file(options.photos), *(label.path for label in labels)])
        sets = options.sets or collections(labels)
        collections(labels, sets)
        labels = [label for label in labels if label.group in sets]
        all_there(labels)
        networks = {name: networks_without(name, options.networks) for name in sets}
        seen = list(_looked_at(labels, networks))
        rulers = {name: _ruler_without(name, seen) for name in sets}
        read_by = {name: _Reading(networks[name], rulers[name]) for name in sets}
        once = list(_judged(labels, lambda label, picture: read_by[label.group].once(picture)))
        twice = list(_judged(labels, lambda label, picture: read_by[label.group].twice(picture)))
        _tell("first sight", once)
        _tell("both looks", twice)
        if options.ruler is not None:
            write_ruler(fit_ruler(seen, **LIMITS), options.ruler)
    except (OSError, BadLabels, BadPicture, BadNetwork) as fault:
        sys.stderr.write(f"companion.vision.train.folds: {told(fault)}\n")
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


@dataclass(frozen=True, slots=True)
class _Reading:
    """How a collection's photos are read: by networks and a ruler that do not know it."""

    networks: Networks
    measure: Ruler

    def once(self, picture: Picture) -> Reading:
        """At first sight."""
        return Reader(networks=self.networks, measure=self.measure).read(picture)

    def twice(self, picture: Picture) -> Reading:
        return alone(picture, networks=self.networks, measure=self.measure).reading


def _looked_at(labels: Sequence[Label], networks: Mapping[str, Networks]) -> Iterator[Seen]:
    """The looks at first sight at each photo, by the networks of its collection."""

    def look(label: Label, picture: Picture) -> Sequence[Look]:
        reader = Reader(networks=networks[label.group])  # one of its own: it remembers a scale
        return reader.survey(Views(picture)).looks

    return (Seen(label, tuple(looks)) for label, looks, _ in _timed(labels, look))


def _judged(labels: Sequence[Label], read: Callable[[Label, Picture], Reading]) -> Iterator[Judged]:
    return (judge(label, reading, ms) for label, reading, ms in _timed(labels, read))


def _timed(labels: Sequence[Label], work: Callable[[Label, Picture], T]) -> Iterator[tuple[Label, T, float]]:
    """Each label, by the pixels of the picture that is looked at, what comes of it, and after how many milliseconds."""
    for done, named in enumerate(labels, 1):
        picture, label = load_labelled(named)
        began = time.perf_counter()
        made = work(label, picture)
        yield label, made, 1000 * (time.perf_counter() - began)
        bar(done, len(labels))


def _ruler_without(name: str, seen: Sequence[Seen]) -> Ruler:
    """Measured on the other collections, where there are such."""
    return fit_ruler([photo for photo in seen if photo.label.group != name] or seen, **LIMITS)


def networks_without(name: str, folder: Path) -> Networks:
    """The networks that have not seen a collection. Raises FileNotFoundError where there are none."""
    there = without(name, folder)
    by = to_type("python", "-m", "companion.vision.train", "--without-each", "--out", folder)
    all_made((there / f"{part}.onnx" for part in PARTS), by=by)
    return pair_in(there)


def _tell(what: str, rows: list[Judged]) -> None:
    print(f"{what:14s}photos  exact  wrong+sure  unsure  sure of exact  count   ms")
    for name, some in sorted(by_group(rows).items()):
        _line(name, some)
    _line("all", rows)


def _line(name: str, rows: list[Judged]) -> None:
    s = total(rows)
    shares = [100 * share for share in (s.exact, s.wrong_and_sure, s.unsure, s.sure_of_exact, s.counted)]
    exact, wrong, unsure, sure, counted = (f"{share:5.1f}" for share in shares)
    print(
        f"{name:14s}{s.photos:6d}  {exact}       {wrong}   {unsure}          {sure}  {counted}  {s.ms_median or 0:3.0f}"
    )
