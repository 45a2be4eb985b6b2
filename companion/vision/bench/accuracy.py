"""A reader's answers held against labels, photo by photo, and what they add up to.

The rules are those of the scorer that comes with the photos: a photo is exact when its values, as a multiset, are the
labelled ones; a die the label ignores is neither wanted nor held against the reader, who may see it once: a second
die there counts, and without the ignored die's place one die anywhere is forgiven; a die seen and not read makes a
photo not exact; a photo that could not be opened is one that the reader is unsure of. Unlike there, it is not exact
either where no die lies on it: nobody has seen that.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from companion.events import Box, Die, Reading, box_times, middle_of
from companion.lie import lies_in
from companion.paths import is_file, is_folder

NONE, MISSED = "none", "missed"
STEPS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999)
"""Confidences from which dice are counted together: most have more than 0.98, and differ in the mistakes left."""
MOST_BYTES = 50_000_000  # of a labels file, which is some 100,000 photos: the 454 real ones have 0.2 MB


class BadLabels(Exception):
    """A labels file that is none; the text says where and what to do."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A labelled die. `box`: None where the label has none.

    `value`: 1–6, more on a die of more faces, or a string for a face without pips.
    """

    value: int | str
    box: Box | None
    ignore: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    """A labelled photo. `group`: the folder it lies in, which is its collection."""

    image: str
    path: Path
    dice: tuple[Wanted, ...]

    @property
    def group(self) -> str:
        return self.image.rsplit("/", 1)[0] if "/" in self.image else "."

    def times(self, factor: float) -> Label:
        """The same of a photo so many times as large."""
        dice = (replace(die, box=die.box and box_times(die.box, factor)) for die in self.dice)
        return replace(self, dice=tuple(dice))


@dataclass(frozen=True, slots=True)
class Judged:
    """One answer beside its label. `marks`: each die's confidence and whether its value was right.

    `ms`: how long the reader took; None where the photo could not be opened.
    """

    label: Label
    exact: bool
    sure: bool
    counted: bool
    ms: float | None
    pairs: tuple[tuple[str, str], ...]
    marks: tuple[tuple[float, bool], ...]


@dataclass(frozen=True, slots=True)
class Sum:
    """What a group of photos adds up to; shares 0–1, and times of the photos that could be opened."""

    photos: int
    dice: int
    exact: float
    wrong_and_sure: float
    unsure: float
    counted: float
    sure_of_exact: float
    ms_median: float | None
    ms_most: float | None


def labels_in(path: Path) -> list[Label]:
    """The labels of a folder (its labels.jsonl) or of a labels file. Raises BadLabels.

    Photos are named from the folder of the labels, or from the one above.
    """
    file = labels_file(path)
    return [_label(line, file, number) for number, line in lines_in(file)]


def labels_file(path: Path) -> Path:
    """Where the labels lie: in a folder, or in that file itself."""
    return path / "labels.jsonl" if is_folder(path) else path


def collections(labels: Sequence[Label], named: Sequence[str] = ()) -> list[str]:
    """The collections that labels tell of. Raises BadLabels where one of those `named` is none of them."""
    there = sorted({label.group for label in labels})
    if strange := [name for name in named if name not in there]:
        raise BadLabels(f"no label tells of a collection {', '.join(strange)}, but of {', '.join(there)}")
    return there


def lines_in(file: Path) -> list[tuple[int, str]]:
    """The lines of a labels file that hold something, numbered from 1. Raises BadLabels."""
    try:
        if not is_file(file, unknown=True):
            raise OSError(f"{file} is no file")  # a pipe would be waited for without end
        with file.open("rb") as opened:
            content = opened.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise BadLabels(f"{file} has more than {MOST_BYTES // 1_000_000} MB and cannot be labels; check the path")
        lines = content.decode("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError):
        raise BadLabels(f"{file} cannot be read; give a folder with labels.jsonl, or such a file") from None
    return [(number, line) for number, line in enumerate(lines, 1) if line.strip()]


def _label(line: str, file: Path, number: int) -> Label:
    try:
        row: dict[str, Any] = json.loads(line)
        image, dice = row["image"], row["dice"]
        if not (isinstance(image, str) and isinstance(dice, list)):
            raise ValueError
        return Label(image, _photo(file.parent, image), tuple(map(_wanted, dice)))
    except BadLabels as fault:
        raise BadLabels(f"{file}:{number}: {fault}") from None
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise BadLabels(f'{file}:{number}: expected {{"image": …, "dice": [{{"value": …, "box": …}}]}}') from None


def _photo(folder: Path, image: str) -> Path:
    """Where a photo lies: beside its labels, or below the folder above, as in one set of a collection."""
    beside, above = folder / image, folder / ".." / image
    return above if is_file(above) and not is_file(beside) else beside


def _wanted(die: dict[str, Any]) -> Wanted:
    value, box, ignore = die["value"], die.get("box"), die.get("ignore")
    if isinstance(value, str) and value.strip().isdecimal():
        raise BadLabels(
            f'write {int(value)} for so many pips, not "{value}"; a sign is better called "numeral {value}"'
        )
    if not isinstance(value, int | str) or isinstance(value, bool) or (isinstance(value, int) and value < 1):
        raise ValueError
    if not isinstance(ignore, bool | None):
        raise BadLabels('"ignore" is true or false')
    return Wanted(value, None if box is None else _box(box), bool(ignore))


def _box(sides: object) -> Box:
    """Raises ValueError for what is none."""
    if not (isinstance(sides, list) and all(isinstance(side, int | float) for side in sides)):
        raise ValueError
    x, y, w, h = map(float, sides)
    if not all(map(math.isfinite, (x, y, w, h))):
        raise ValueError
    return x, y, w, h


def unopened(label: Label) -> Judged:
    """A photo that nothing could be read of: neither its values nor how many dice lie on it were told."""
    return replace(judge(label, Reading((), sure=False), None), exact=False, counted=False)


def judge(label: Label, reading: Reading, ms: float | None) -> Judged:
    """One reading beside its label."""
    wanted = [die for die in label.dice if not die.ignore]
    ignored = [die for die in label.dice if die.ignore]
    dropped = _on_ignored(reading.dice, ignored, wanted)
    kept = [die for i, die in enumerate(reading.dice) if i not in dropped]
    want: Counter[int | str] = Counter(die.value for die in wanted)
    got: Counter[int | str] = Counter(die.value for die in kept if die.value is not None)
    surplus = (got - want).total()
    forgiven = min(_anywhere(ignored, dropped), surplus)
    exact = not want - got and surplus == forgiven and all(die.value is not None for die in kept)
    pairs, marks = _paired(kept, wanted)
    return Judged(label, exact, reading.sure, len(kept) - forgiven == len(wanted), ms, pairs, marks)


def _on_ignored(dice: Sequence[Die], ignored: Sequence[Wanted], wanted: Sequence[Wanted]) -> set[int]:
    """Which dice are dropped, as one lies on an ignored die and on no wanted one: the nearest to each, no second."""
    mates = _mates(dice, ignored)
    return {i for i in mates if not any(die.box and _touch(dice[i].box, die.box) for die in wanted)}


def _anywhere(ignored: Sequence[Wanted], dropped: set[int]) -> int:
    """How many more dice may lie wherever they like, for not every ignored die's place is known."""
    return 0 if all(die.box for die in ignored) else len(ignored) - len(dropped)


def _touch(one: Box, two: Box) -> bool:
    return lies_in(one, two) or lies_in(two, one)


def _paired(
    dice: Sequence[Die], wanted: Sequence[Wanted]
) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[float, bool], ...]]:
    """Who was read as what, by place; empty where the label has no boxes."""
    if not all(die.box for die in wanted):
        return (), ()
    mate = _mates(dice, wanted)
    pairs = [(str(wanted[j].value), _said(dice[i])) for i, j in sorted(mate.items())]
    pairs += [(str(want.value), MISSED) for j, want in enumerate(wanted) if j not in mate.values()]
    pairs += [(NONE, _said(die)) for i, die in enumerate(dice) if i not in mate]
    marks = [
        (die.confidence, i in mate and wanted[mate[i]].value == die.value) for i, die in enumerate(dice) if die.value
    ]
    return tuple(pairs), tuple(marks)


def _mates(dice: Sequence[Die], labelled: Sequence[Wanted]) -> dict[int, int]:
    """Which die lies on which labelled one: the nearest of those that touch first, each at most once."""
    near = sorted(
        (math.dist(middle_of(die.box), middle_of(want.box)), i, j)
        for i, die in enumerate(dice)
        for j, want in enumerate(labelled)
        if want.box and _touch(die.box, want.box)
    )
    mate: dict[int, int] = {}
    for _, i, j in near:
        if i not in mate and j not in mate.values():
            mate[i] = j
    return mate


def _said(die: Die) -> str:
    return "?" if die.value is None else str(die.value)


def total(rows: Sequence[Judged]) -> Sum:
    """The shares over photos. Raises ValueError for none."""
    n = len(rows)
    if not n:
        raise ValueError("no photos")
    times = sorted(row.ms for row in rows if row.ms is not None)
    exact = sum(row.exact for row in rows)
    return Sum(
        photos=n,
        dice=sum(not die.ignore for row in rows for die in row.label.dice),
        exact=exact / n,
        wrong_and_sure=sum(row.sure and not row.exact for row in rows) / n,
        unsure=sum(not row.sure for row in rows) / n,
        counted=sum(row.counted for row in rows) / n,
        sure_of_exact=sum(row.sure and row.exact for row in rows) / exact if exact else 0.0,
        ms_median=times[len(times) // 2] if times else None,
        ms_most=times[-1] if times else None,
    )


def by_group(rows: Iterable[Judged]) -> dict[str, list[Judged]]:
    groups: dict[str, list[Judged]] = {}
    for row in rows:
        groups.setdefault(row.label.group, []).append(row)
    return groups


def confusion(rows: Iterable[Judged]) -> Counter[tuple[str, str]]:
    return Counter(pair for row in rows for pair in row.pairs)


def calibration(rows: Iterable[Judged]) -> Iterator[tuple[float, float, int]]:
    """Mean confidence, share right and number of dice, from the least to the most certain; see STEPS."""
    marks = [mark for row in rows for mark in row.marks]
    for low, high in pairwise((*STEPS, math.inf)):
        if part := [mark for mark in marks if low <= mark[0] < high]:
            yield sum(c for c, _ in part) / len(part), sum(right for _, right in part) / len(part), len(part)
