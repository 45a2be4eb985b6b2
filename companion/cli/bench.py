"""`companion bench`: how well and how fast dice are read."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

import cv2

from companion.events import Reading
from companion.paths import first_among, put_whole, writable
from companion.pictures import BadPicture, open_photo
from companion.progress import bar, beside_bar
from companion.typed import file_ending_in, typed_path
from companion.vision.bench import accuracy, speed
from companion.vision.bench.accuracy import Judged, Sum
from companion.vision.bench.plot import plot
from companion.vision.engines import BadNetwork
from companion.vision.eyes import alone
from companion.vision.labels import PIPS, BadLabels, Label, labels_file, labels_in
from companion.vision.networks import Networks, load_packed, pair_in

PLACELESS = "these labels have no boxes, so nothing can be compared by place"
MOST_MISTAKES = 12  # kinds of them that are told
NAME_COLUMNS = 15, 40  # a name of a set has at least and at most
LABELS = """\
labels.jsonl has a line a photo, each an object in JSON:
  {"image": "tray/1.jpg", "dice": [{"value": 5, "box": [12, 40, 60, 58]}, …]}
  image   its file; its folder is the set that it is counted in
  value   1 to 6 pips, or more; in quotes a sign, such as "star", which is never read
  box     x, y, width and height in the photo's pixels, turned upright; may be left out
  ignore  true for a die that need not be read, such as one half outside; may be left out
Beside the dice "total" may tell their sum, which must then be right.
"""
COLUMNS = """\
The table tells, of each set of photos and of all, in percent of the photos:
  exact       every value is right, and none is missing or too many
  wrong+sure  not exact, and told as sure
  unsure      asked about, right or wrong; so is a photo that could not be opened
  count       as many dice were found as lie there
  ms          no percentage, but how long a photo took: the middle one, the most
With --json the shares are from 0 to 1. "confusion" counts dice by place, as
"labelled>read"; "calibration" has a list for dice of about the same confidence:
its mean, the share that is right, and how many they are.
"""
STATUSES = """\
Status: 0; 1 when a photo could not be opened, or there is nothing to draw;
2 when the labels, the networks or a file to write are no use, or nothing is
measured.
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = f"{LABELS}\n{COLUMNS}\n{STATUSES}"
    parser.add_argument(
        "labels",
        nargs="*",
        type=_labels,
        metavar="PATH",
        help="a folder with labels.jsonl, or such a file; photos are named from there, or from the folder above; "
        "without any, speed alone is measured",
    )
    png = file_ending_in("a plot", ".png")
    parser.add_argument("--plot", type=png, metavar="PNG", help="write confusion and calibration as a picture")
    parser.add_argument(
        "--predictions", type=typed_path, metavar="JSONL", help="write every answer, as the scorer takes it"
    )
    parser.add_argument("--count", action="store_true", help="tell the reader how many dice each label has")
    parser.add_argument("--no-speed", action="store_true", help="accuracy alone")
    parser.add_argument(
        "--networks",
        type=typed_path,
        metavar="DIR",
        help="accuracy by the pair of this folder, as companion.vision.train makes it, instead of the package's two; "
        "how sure it is, the package's ruler tells",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")


def _labels(text: str) -> Path:
    if text.isdecimal() and not Path(text).exists():
        raise argparse.ArgumentTypeError(f"there is no {text}; if it is meant for --count, the labels tell that here")
    return typed_path(text)


class CannotWrite(Exception):
    """A file that was asked for cannot be written; the text says which and why."""


class NothingToDo(Exception):
    """Without photos nothing that was asked for can be told."""


class NothingToDraw(Exception):
    """Of these photos no plot would show anything; the text says why."""


def run(options: argparse.Namespace) -> int:
    """0; 1 when a photo could not be opened, or there is nothing to draw; 2 when the labels, the networks or an output
    file are no use, or nothing is measured."""
    try:
        return _bench(options)
    except NothingToDraw as fault:
        print(f"companion bench: nothing is drawn: {fault}", file=sys.stderr)
        return 1
    except (BadLabels, BadNetwork, CannotWrite, NothingToDo) as fault:
        print(f"companion bench: {fault}", file=sys.stderr)
        return 2


def _bench(options: argparse.Namespace) -> int:
    if not options.labels and (options.no_speed or options.plot or options.predictions or options.networks):
        raise NothingToDo("without a folder of photos speed alone is measured; name a folder")
    labels = [label for path in options.labels for label in _labels_in(path)]
    _each_once(labels, told=options.predictions is not None)
    outputs = [path for path in (options.predictions, options.plot) if path is not None]
    _keep_apart(outputs, [*map(labels_file, options.labels), *(label.path for label in labels)])
    if options.plot is not None and not _placed(labels):
        raise NothingToDraw(PLACELESS)
    for path in outputs:
        _try(path)
    networks = None if options.networks is None else _pair(options.networks)
    _tell_of_more_faces(labels)
    rows, answers = _judged(labels, told=options.count, networks=networks)
    unwritten: CannotWrite | None = None
    try:
        _put("the answers are", options.predictions, "".join(json.dumps(answer) + "\n" for answer in answers).encode())
        if options.plot is not None:
            _put("the plot is", options.plot, _drawn(rows))
    except CannotWrite as fault:  # what was measured is told all the same
        unwritten = fault
    paces = iter(()) if options.no_speed or networks is not None else speed.paces()
    if options.json:
        print(json.dumps(_as_json(rows, list(paces)), indent=1))
    else:
        _tell(rows, paces)
    _tell_of_places(rows)
    if unwritten is not None:
        raise unwritten
    return 1 if any(row.ms is None for row in rows) else 0


def _pair(folder: Path) -> Networks:
    """Raises BadNetwork where a folder holds none, too."""
    try:
        return pair_in(folder)
    except OSError as fault:
        raise BadNetwork(f"there is no pair of networks in {folder}: {fault.filename}: {fault.strerror}") from None
    except BadNetwork as fault:
        raise BadNetwork(f"{folder}: {fault}") from None


def _labels_in(path: Path) -> list[Label]:
    """Raises BadLabels where there are none, too."""
    labels = labels_in(path)
    if not labels:
        raise BadLabels(f"the labels of {path} name no photo; check the path")
    return labels


def _placed(labels: Iterable[Label]) -> bool:
    """Whether anything can be compared by place."""
    return any(accuracy.placed(label.dice) for label in labels)


def _each_once(labels: Sequence[Label], *, told: bool) -> None:
    """`told`: to the scorer, who knows photos by their names alone. Raises BadLabels."""
    seen: dict[str, Label] = {}
    for label in labels:
        first = seen.setdefault(os.path.realpath(label.path), label)
        if first is not label:
            named_alike = first.path == label.path
            what = f"{first.image} is labelled twice" if named_alike else f"{first.path} and {label.path} are one photo"
            raise BadLabels(f"{what}; leave one of its labels out")
    for name, times in Counter(label.image for label in labels).items():
        if told and times > 1:
            raise BadLabels(f"{times} photos are called {name}; --predictions cannot tell them apart")


def _keep_apart(outputs: Sequence[Path], inputs: Sequence[Path]) -> None:
    """Whatever they are called: nothing that is read is written over, nor one output by another. Raises CannotWrite."""
    if (path := first_among(outputs, inputs)) is not None:
        raise CannotWrite(f"{path} is one of the files that are read; name another")
    if len(set(map(os.path.realpath, outputs))) < len(outputs):
        raise CannotWrite(f"{outputs[-1]} is named twice; --plot and --predictions are two files")


def _try(path: Path) -> None:
    """Leaves all as it is, but it is seen whether that can be done before all photos are read. Raises CannotWrite."""
    try:
        writable(path)
    except OSError as fault:
        raise _refused(path, fault) from None


def _put(told: str, path: Path | None, content: bytes) -> None:
    """Writes a file, where one was asked for, and tells what is where. Raises CannotWrite."""
    if path is None:
        return
    try:
        put_whole(path, content)
    except OSError as fault:
        raise _refused(path, fault) from None
    print(f"{told} in {path}", file=sys.stderr)


def _refused(path: Path, fault: OSError) -> CannotWrite:
    return CannotWrite(f"cannot write {path}: {fault.strerror}")


def _tell_of_more_faces(labels: Iterable[Label]) -> None:
    """They may be meant, or a slip of the finger: either way they are counted as read wrongly."""
    more = {
        f"{label.image} ({die.value})": None
        for label in labels
        for die in label.dice
        if not die.ignore and die.value not in range(1, PIPS + 1)
    }
    if more:
        told = f"labelled with what is never read, for only 1 to {PIPS} are, and so counted as wrong"
        print(f"{told}: {_the_first(more)}", file=sys.stderr)


def _tell_of_places(rows: Iterable[Judged]) -> None:
    """What is told by place is told by boxes, and says nothing where these are in other units, or of a photo that lay
    on its side."""
    if strange := [row.label.image for row in accuracy.elsewhere(rows)]:
        told = (
            "read exactly, but no die in a box of the label, which is x, y, width and height in pixels, turned upright"
        )
        print(f"{told}: {_the_first(strange)}", file=sys.stderr)


def _the_first(names: Iterable[str]) -> str:
    some = list(names)
    return ", ".join(some[:MOST_MISTAKES]) + (", …" if len(some) > MOST_MISTAKES else "")


def _judged(
    labels: Sequence[Label], *, told: bool, networks: Networks | None
) -> tuple[list[Judged], list[dict[str, object]]]:
    """Each photo read alone, as `companion read` does, with a bar on stderr, and the answers as the scorer takes them.

    `networks`: the pair for both looks, instead of the package's two. A photo that cannot be opened is said, and has no
    answer.
    """
    rows: list[Judged] = []
    answers: list[dict[str, object]] = []
    for number, label in enumerate(labels, 1):
        try:
            reading, ms = _read(label, told=told, networks=networks)
        except BadPicture as fault:
            beside_bar(f"{label.image}: {fault}")
            rows.append(accuracy.unopened(label))
        else:
            rows.append(accuracy.judge(label, reading, ms))
            answers.append(_answer(label, reading, ms))
        bar(number, len(labels))
    return rows, answers


def _answer(label: Label, reading: Reading, ms: float) -> dict[str, object]:
    dice = [{"value": die.value, "box": die.box, "confidence": die.confidence} for die in reading.dice]
    return {"image": label.image, "dice": dice, "sure": reading.sure, "ms": round(ms, 1)}


def _read(label: Label, *, told: bool, networks: Networks | None) -> tuple[Reading, float]:
    """A photo's reading, by the file's pixels, and how many ms it took; `told`: how many dice lie there is known."""
    photo = open_photo(label.path)
    count = sum(not die.ignore for die in label.dice) if told else None
    if networks is None:
        load_packed()  # no part of the first photo's time
    began = time.perf_counter()
    reading = alone(photo.picture, count=count, networks=networks).reading
    ms = 1000 * (time.perf_counter() - began)
    return reading.times(photo.shrunk), ms


def _drawn(rows: Sequence[Judged]) -> bytes:
    """Confusion and calibration as a PNG."""
    _, coded = cv2.imencode(".png", plot(accuracy.confusion(rows), list(accuracy.calibration(rows))))
    return coded.tobytes()


def _as_json(rows: Sequence[Judged], paces: Sequence[speed.Pace]) -> dict[str, object]:
    groups = {name: asdict(accuracy.total(part)) for name, part in accuracy.by_group(rows).items()}
    return {
        "sets": groups,
        "overall": asdict(accuracy.total(rows)) if rows else None,
        "not_opened": [row.label.image for row in rows if row.ms is None],
        "confusion": {f"{one}>{two}": count for (one, two), count in sorted(accuracy.confusion(rows).items())},
        "calibration": list(accuracy.calibration(rows)),
        "speed": [asdict(pace) for pace in paces],
        "memory": asdict(speed.memory()),
    }


def _took(s: Sum) -> str:
    return "  -" if s.ms_median is None else f"{s.ms_median:3.0f} (most {s.ms_most:.0f})"


def _tell(rows: Sequence[Judged], paces: Iterable[speed.Pace]) -> None:
    if rows:
        groups = accuracy.by_group(rows)
        names = shortened(list(groups))
        width = max(NAME_COLUMNS[0], *map(len, names.values()))
        print(f"{'':{width}} photos  dice  exact%  wrong+sure%  unsure%  count%   ms")
        for name, part in [*((names[group], part) for group, part in groups.items()), ("all", list(rows))]:
            s = accuracy.total(part)
            shares = (
                f"{100 * s.exact:6.1f}  {100 * s.wrong_and_sure:11.1f}  {100 * s.unsure:7.1f}  {100 * s.counted:6.1f}"
            )
            print(f"{name:{width}} {s.photos:6d}{s.dice:6d}  {shares}  {_took(s)}")
        if missing := [row.label.image for row in rows if row.ms is None]:
            print(f"not opened, and so unsure: {', '.join(missing)}")
        if len(missing) < len(rows):
            known = _placed(row.label for row in rows)
            print(f"by place, what went wrong: {', '.join(_by_place(rows)) or 'nothing'}" if known else PLACELESS)
    for pace in paces:
        unsure = "" if pace.unsure is None else f"  unsure: {pace.unsure}"
        print(f"{pace.what:40s}{pace.median_ms:8.2f} ms  (most {pace.most_ms:.2f}){unsure}")
    held = speed.memory()
    files = "" if held.files_mb is None else f", of which {held.files_mb:.0f} MB are program files"
    print(f"memory at most {held.most_mb:.0f} MB{files}")


def shortened(names: Sequence[str]) -> dict[str, str]:
    """Each name as the table shows it: a long one without its middle, where it can be told from the others so."""
    _, most = NAME_COLUMNS
    end = most // 2
    short = {name: name if len(name) <= most else f"{name[: most - end - 1]}…{name[-end:]}" for name in names}
    times = Counter(short.values())
    return {name: shown if times[shown] == 1 else name for name, shown in short.items()}


def _by_place(rows: Sequence[Judged]) -> list[str]:
    """The most frequent mistakes, and of how many photos none can be told."""
    wrong = Counter({pair: n for pair, n in accuracy.confusion(rows).items() if pair[0] != pair[1]})
    told = [f"{one} as {two}: {n}" for (one, two), n in wrong.most_common(MOST_MISTAKES)]
    if unplaced := accuracy.unplaced(rows):
        photos = "1 photo, whose label has" if unplaced == 1 else f"{unplaced} photos, whose labels have"
        told.append(f"not known of {photos} no boxes")
    return told
