"""`python -m companion.vision.train.folds`: each collection is held out once, and read by networks without it.

Writes the ruler (confidence and limits of sureness) and prints the table of the model card. The networks are kept in
`--work` for what they learned from, and what they saw for its labels, too: photos labelled anew are trained on anew.
"""

from __future__ import annotations

import argparse
import pickle
import subprocess
import sys
import time
from pathlib import Path

import cv2

from companion.pictures import BadPicture
from companion.vision.bench.accuracy import BadLabels, Judged, Label, collections, judge, labels_in, total
from companion.vision.networks import FaceNet, FinderNet
from companion.vision.reader import Reader
from companion.vision.train.keep import checksum, whole
from companion.vision.train.learned import learned_from
from companion.vision.train.measure import Seen, fit_ruler, write_ruler
from companion.vision.train.pictures import load_named
from companion.vision.verdict import verdict

LIMITS = {"sure_die": 0.9, "sure_roll": 0.92, "doubt": 0.2, "likeness": 0.25}


def main(arguments: list[str] | None = None) -> int:
    """0; 2 when the photos or their labels are no use; that of the training where it failed."""
    parser = argparse.ArgumentParser(prog="python -m companion.vision.train.folds", description=__doc__.split("\n")[0])
    parser.add_argument("--photos", type=Path, required=True, help="folder of labelled photos, with labels.jsonl")
    parser.add_argument("--work", type=Path, required=True, help="as for training")
    parser.add_argument("--plain", type=Path, help="as for training")
    parser.add_argument("--traced", type=Path, help="as for training")
    parser.add_argument("--ruler", type=Path, help="write the ruler here")
    parser.add_argument("--sets", nargs="*", help="only these collections")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    try:
        labels = labels_in(options.photos)
        there = collections(labels, options.sets or ())
        seen = [photo for name in options.sets or there for photo in _fold(name, labels, options)]
    except (OSError, BadLabels, BadPicture) as fault:
        sys.stderr.write(f"companion.vision.train.folds: {fault}\n")
        return 2
    except subprocess.CalledProcessError as fault:  # it has said why
        return fault.returncode
    if options.ruler is not None:
        write_ruler(fit_ruler(seen, **LIMITS), options.ruler)
    tell(seen)
    return 0


def _fold(name: str, labels: list[Label], options: argparse.Namespace) -> list[Seen]:
    """The looks at one collection by networks that have not seen it; both kept, as long as their labels stay."""
    photos = [label for label in labels if label.group == name]
    others = [label for label in labels if label.group != name]
    learned = learned_from(others, plain=options.plain, traced=options.traced)
    out = options.work / f"without-{name}-{checksum(learned)}"
    kept = out / f"looks-{checksum(photos)}.pickle"
    if not kept.exists():
        given = {what: getattr(options, what) for what in ("photos", "work", "plain", "traced")}
        folders = [f"--{what}={folder}" for what, folder in given.items() if folder is not None]
        for part in ("finder", "faces"):
            if not (out / f"{part}.onnx").exists():
                command = [sys.executable, "-m", "companion.vision.train", "--quick", "--only", part]
                subprocess.run([*command, *folders, f"--hold-out={name}", f"--out={out}"], check=True)
        networks = _networks_in(out)
        seen = [_look(label, networks) for label in photos]
        with whole(kept) as stream:
            pickle.dump(seen, stream, protocol=5)
    with kept.open("rb") as stream:
        found: list[Seen] = pickle.load(stream)
    return found


def networks_without(name: str, work: Path) -> tuple[FinderNet, FaceNet] | None:
    """The networks that have not seen a collection, as they were trained last; None where none were."""
    trained = sorted(work.glob(f"without-{name}-????????/faces.onnx"), key=lambda faces: faces.stat().st_mtime)
    return _networks_in(trained[-1].parent) if trained else None


def _networks_in(folder: Path) -> tuple[FinderNet, FaceNet]:
    return FinderNet((folder / "finder.onnx").read_bytes()), FaceNet((folder / "faces.onnx").read_bytes())


def _look(label: Label, networks: tuple[FinderNet, FaceNet]) -> Seen:
    picture = load_named(label.path)
    began = time.perf_counter()
    looks = Reader(networks=networks).looks(picture)
    return Seen(label, tuple(looks), 1000 * (time.perf_counter() - began))


def tell(seen: list[Seen]) -> None:
    """The table: each collection judged with a ruler that was measured on the others alone."""
    print(f"{'held out':14s}photos  exact  wrong+sure  unsure  sure of exact  count   ms")
    everything = []
    for name in sorted({photo.label.group for photo in seen}):
        others = [photo for photo in seen if photo.label.group != name] or seen
        measure = fit_ruler(others, **LIMITS)
        rows = [judge(p.label, verdict(p.looks, measure, count=None), p.ms) for p in seen if p.label.group == name]
        everything += rows
        _line(name, rows)
    _line("all", everything)


def _line(name: str, rows: list[Judged]) -> None:
    s = total(rows)
    shares = [100 * share for share in (s.exact, s.wrong_and_sure, s.unsure, s.sure_of_exact, s.counted)]
    exact, wrong, unsure, sure, counted = (f"{share:5.1f}" for share in shares)
    print(
        f"{name:14s}{s.photos:6d}  {exact}       {wrong}   {unsure}          {sure}  {counted}  {s.ms_median or 0:3.0f}"
    )


if __name__ == "__main__":
    sys.exit(main())
