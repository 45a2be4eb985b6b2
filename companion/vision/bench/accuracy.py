"""A reader's answers held against labels, photo by photo, and what they add up to.

The rules are those of the scorer that comes with the photos: a photo is exact when its values, as a multiset, are the
labelled ones; a die the label ignores is neither wanted nor held against the reader, who may see it once: a second
die there counts, and without the ignored die's place one die anywhere is forgiven; a die seen and not read makes a
photo not exact; a photo that could not be opened is one that the reader is unsure of. Unlike there, it is not exact
either where no die lies on it: nobody has seen that.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from companion.events import Box, Die, Reading, middle_of
from companion.lie import lies_in
from companion.vision.labels import Label, Wanted

NONE, MISSED = "none", "missed"
STEPS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999)
"""Confidences from which dice are counted together: most have more than 0.98, and differ in the mistakes left."""


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


def unopened(label: Label) -> Judged:
    """A photo that nothing could be read of: neither its values, nor how many dice lie on it and where, were told."""
    return Judged(label, exact=False, sure=False, counted=False, ms=None, pairs=(), marks=())


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
    if not placed(wanted):
        return (), ()
    mate = _mates(dice, wanted)
    pairs = [(str(wanted[j].value), _said(dice[i])) for i, j in sorted(mate.items())]
    pairs += [(str(want.value), MISSED) for j, want in enumerate(wanted) if j not in mate.values()]
    pairs += [(NONE, _said(die)) for i, die in enumerate(dice) if i not in mate]
    marks = [
        (die.confidence, i in mate and wanted[mate[i]].value == die.value) for i, die in enumerate(dice) if die.value
    ]
    return tuple(pairs), tuple(marks)


def placed(dice: Iterable[Wanted]) -> bool:
    """Whether a label tells where all its dice lie, so that those seen can be held against them."""
    return all(die.box for die in dice if not die.ignore)


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


def unplaced(rows: Iterable[Judged]) -> int:
    """How many photos were opened and not read exactly, and by place nothing of that is known: labels lack boxes."""
    return sum(not row.exact and row.ms is not None and all(one == two for one, two in row.pairs) for row in rows)


def elsewhere(rows: Iterable[Judged]) -> list[Judged]:
    """Photos that are read exactly, though no die was read in a box of their labels: these boxes are no places."""
    return [row for row in rows if row.exact and row.pairs and not any(one == two for one, two in row.pairs)]


def calibration(rows: Iterable[Judged]) -> Iterator[tuple[float, float, int]]:
    """Mean confidence, share right and number of dice, from the least to the most certain; see STEPS."""
    marks = [mark for row in rows for mark in row.marks]
    for low, high in pairwise((*STEPS, math.inf)):
        if part := [mark for mark in marks if low <= mark[0] < high]:
            yield sum(c for c, _ in part) / len(part), sum(right for _, right in part) / len(part), len(part)
