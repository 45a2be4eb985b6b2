"""What networks learn from: a run, or a network, that learned from something else is another one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from companion.vision.bench.accuracy import Label, lines_in
from companion.vision.train.plain import pictures_below


def learned_from(labels: Sequence[Label], *, plain: Path | None, traced: Path | None) -> tuple[object, ...]:
    """What tells one set of data from another: its labels, and the names of pictures that have none. Raises BadLabels.

    `labels`: of the photos that are learned from. `plain`, `traced`: the folders of the other pictures.
    """
    return (
        tuple(labels),
        pictures_below(plain) if plain is not None else None,
        lines_in(traced / "labels.jsonl") if traced is not None else None,
    )
