"""What networks learn from: a run, or a network, that learned from something else is another one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from companion.paths import is_file
from companion.vision.labels import Label, lines_in
from companion.vision.train.plain import pictures_below


def learned_from(labels: Sequence[Label], *, plain: Path | None, traced: Path | None) -> tuple[object, ...]:
    """What tells one set of data from another: its labels, and the names of pictures that have none.

    `labels`: of the photos that are learned from. `plain`, `traced`: the folders of the other pictures. Raises
    BadLabels, and FileNotFoundError for a photo that is not there or a folder without pictures.
    """
    all_there(labels)
    return (
        tuple(labels),
        pictures_below(plain) if plain is not None else None,
        lines_in(traced / "labels.jsonl") if traced is not None else None,
    )


def all_there(labels: Sequence[Label]) -> None:
    """Raises FileNotFoundError for the first photo that is not: hours may pass until it is opened."""
    for label in labels:
        if not is_file(label.path, unknown=True):
            raise FileNotFoundError(f"{label.path}: no such file; check the labels")
