"""What networks learn from: a run, or a network, that learned from something else is another one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from companion.paths import is_file
from companion.vision.labels import BadLabels, Label, labels_in, lines_in
from companion.vision.train.crops import MINED
from companion.vision.train.pictures import NOT_PHOTOS
from companion.vision.train.plain import pictures_below
from companion.vision.train.traced import pictures_in


def labelled(folder: Path) -> list[Label]:
    """The labels of photos to learn from. Raises BadLabels for none, and for a collection that is called as what is no
    photo is: it would be taken for that."""
    labels = labels_in(folder)
    if not labels:
        raise BadLabels(f"the labels of {folder} name no photo; check the path")
    if taken := sorted({label.group for label in labels} & {*NOT_PHOTOS, MINED}):
        raise BadLabels(
            f"photos in a folder called {taken[0]} would be taken for others; rename it, also in the labels"
        )
    return labels


def learned_from(labels: Sequence[Label], *, plain: Path | None, traced: Path | None) -> tuple[object, ...]:
    """What tells one set of data from another: its labels, and the pictures by their names and stamps.

    `labels`: of the photos that are learned from. `plain`, `traced`: the folders of the other pictures. Raises
    BadLabels, and FileNotFoundError for a picture that is not there or a folder without pictures.
    """
    all_there(labels)
    return (tuple(labels), stamps(label.path for label in labels), _of_plain(plain), _of_traced(traced))


def _of_plain(folder: Path | None) -> tuple[object, ...]:
    if folder is None:
        return ()
    found = pictures_below(folder)
    return found, stamps(found)


def _of_traced(folder: Path | None) -> tuple[object, ...]:
    if folder is None:
        return ()
    return lines_in(folder / "labels.jsonl"), stamps(pictures_in(folder))


def stamps(files: Iterable[Path]) -> tuple[tuple[int, int], ...]:
    """What tells a picture from another that took its place: its size, and when it was written. Raises OSError."""
    return tuple((found.st_size, found.st_mtime_ns) for found in (file.stat() for file in files))


def all_there(labels: Sequence[Label]) -> None:
    """Raises FileNotFoundError for the first photo that is not: hours may pass until it is opened."""
    for label in labels:
        if not is_file(label.path, unknown=True):
            raise FileNotFoundError(f"{label.path}: no such file; check the labels")
