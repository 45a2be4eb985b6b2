"""`companion bench`: how well and how fast dice are read."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import cv2

from companion.events import Reading
from companion.pictures import BadPicture, load
from companion.vision.bench import accuracy, speed
from companion.vision.bench.accuracy import BadLabels, Judged, Label, Sum
from companion.vision.bench.plot import plot
from companion.vision.bench.progress import bar
from companion.vision.reader import Reader


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "labels", nargs="*", type=Path, metavar="PATH", help="a folder with labels.jsonl, or such a file"
    )
    parser.add_argument("--plot", type=Path, metavar="PNG", help="write confusion and calibration as a picture")
    parser.add_argument("--predictions", type=Path, metavar="JSONL", help="write every answer, as the scorer takes it")
    parser.add_argument("--count", action="store_true", help="tell the reader how many dice each label has")
    parser.add_argument("--no-speed", action="store_true", help="accuracy alone")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")


def run(options: argparse.Namespace) -> int:
    """0; 1 when a photo could not be opened, 2 when the labels or an output file are no use."""
    try:
        labels = [label for path in options.labels for label in accuracy.labels_in(path)]
    except BadLabels as fault:
        print(f"companion bench: {fault}", file=sys.stderr)
        return 2
    rows = list(_judge(labels, options))
    try:
        _write(rows, options)
    except OSError as fault:
        print(f"companion bench: cannot write {fault.filename}: {fault.strerror}", file=sys.stderr)
        return 2
    paces = [] if options.no_speed else speed.paces()
    if options.json:
        print(json.dumps(_as_json(rows, paces), indent=1))
    else:
        _tell(rows, paces)
    return 1 if any(row.ms is None for row in rows) else 0


def _judge(labels: Sequence[Label], options: argparse.Namespace) -> Iterator[Judged]:
    """Each photo read afresh, with a bar on stderr. One that cannot be opened is told, and has no answer."""
    answers = []
    for number, label in enumerate(labels, 1):
        try:
            reading, ms = _read(label, told=options.count)
        except BadPicture as fault:
            print(f"\r{label.image}: {fault}", file=sys.stderr)
            row = accuracy.unopened(label)
        else:
            row = accuracy.judge(label, reading, ms)
            dice = [{"value": d.value, "box": d.box, "confidence": d.confidence} for d in reading.dice]
            answers.append({"image": label.image, "dice": dice, "sure": reading.sure, "ms": round(ms, 1)})
        bar(number, len(labels))
        yield row
    if options.predictions is not None:
        options.predictions.write_text("".join(json.dumps(answer) + "\n" for answer in answers))


def _read(label: Label, *, told: bool) -> tuple[Reading, float]:
    """A photo's reading and how many ms it took; `told`: the reader knows how many dice lie there."""
    picture = load(label.path)
    count = sum(not die.ignore for die in label.dice) if told else None
    began = time.perf_counter()
    reading = Reader().read(picture, count=count)
    return reading, 1000 * (time.perf_counter() - began)


def _write(rows: Sequence[Judged], options: argparse.Namespace) -> None:
    if options.plot is not None:
        drawn = plot(accuracy.confusion(rows), list(accuracy.calibration(rows)))
        _, coded = cv2.imencode(".png", drawn)
        options.plot.write_bytes(coded.tobytes())


def _as_json(rows: Sequence[Judged], paces: Sequence[speed.Pace]) -> dict[str, object]:
    groups = {name: asdict(accuracy.total(part)) for name, part in accuracy.by_group(rows).items()}
    return {
        "sets": groups,
        "overall": asdict(accuracy.total(rows)) if rows else None,
        "not_opened": [row.label.image for row in rows if row.ms is None],
        "confusion": {f"{one}>{two}": count for (one, two), count in sorted(accuracy.confusion(rows).items())},
        "calibration": list(accuracy.calibration(rows)),
        "speed": [asdict(pace) for pace in paces],
        "memory_mb": round(speed.memory_mb()),
    }


def _took(s: Sum) -> str:
    return "  -" if s.ms_median is None else f"{s.ms_median:3.0f} (most {s.ms_most:.0f})"


def _tell(rows: Sequence[Judged], paces: Sequence[speed.Pace]) -> None:
    if rows:
        print(f"{'':16s}photos  dice   exact  wrong+sure  unsure  count   ms")
        for name, part in [*accuracy.by_group(rows).items(), ("all", list(rows))]:
            s = accuracy.total(part)
            shares = (
                f"{100 * s.exact:6.1f}  {100 * s.wrong_and_sure:10.1f}  {100 * s.unsure:6.1f}  {100 * s.counted:5.1f}"
            )
            print(f"{name[:15]:16s}{s.photos:6d}{s.dice:6d}  {shares}  {_took(s)}")
        if missing := [row.label.image for row in rows if row.ms is None]:
            print(f"not opened, and so unsure: {', '.join(missing)}")
        wrong = {pair: n for pair, n in accuracy.confusion(rows).items() if pair[0] != pair[1]}
        told = ", ".join(
            f"{one} as {two}: {n}" for (one, two), n in sorted(wrong.items(), key=lambda item: -item[1])[:12]
        )
        print(f"by place, what went wrong: {told or 'nothing'}")
    for pace in paces:
        print(f"{pace.what:40s}{pace.median_ms:8.2f} ms  (most {pace.most_ms:.2f})")
    print(f"memory at most {speed.memory_mb():.0f} MB")
