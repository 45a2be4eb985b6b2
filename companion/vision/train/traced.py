"""Traced scenes as examples: a folder that `python -m companion.vision.traced FOLDER --kinds train` has made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from companion.vision.labels import BadLabels, lines_in
from companion.vision.networks import UNREAD
from companion.vision.traced.__main__ import HIDDEN
from companion.vision.traced.legible import BLANK
from companion.vision.train.pictures import TRACED, Example, Truth, load_named
from companion.vision.train.spread import spread

FAINT = 16.0  # levels of contrast: less than this teaches neither a value nor doubt


def traced_examples(folder: Path, *, processes: int = 1) -> list[Example]:
    """Every picture of labels.jsonl. A die whose pips glare or blur has taken away is one that cannot be read.

    Raises BadLabels or BadPicture, whose text names the file.
    """
    file = folder / "labels.jsonl"

    def one(numbered: tuple[int, str]) -> Example:
        number, line = numbered
        return _example(folder, line, f"{file}:{number}")

    return list(spread(one, lines_in(file), processes))


def pictures_in(folder: Path) -> list[Path]:
    """The pictures that labels.jsonl names, in its order, be they there or not. Raises BadLabels."""
    file = folder / "labels.jsonl"
    return [folder / _read(line, f"{file}:{number}")[0] for number, line in lines_in(file)]


def _example(folder: Path, line: str, where: str) -> Example:
    name, dice = _read(line, where)
    return Example(load_named(folder / name), dice, TRACED, name)


def _read(line: str, where: str) -> tuple[str, list[Truth]]:
    """A label's picture and dice. Raises BadLabels."""
    try:
        label = json.loads(line)
        return str(label["image"]), [_truth(die) for die in label["dice"]]
    except (ValueError, KeyError, TypeError):
        raise BadLabels(f"{where}: expected a label that python -m companion.vision.traced wrote") from None


def _truth(die: dict[str, Any]) -> Truth:
    box, hidden = np.array(die["box"], np.float32), die["hidden"] >= HIDDEN
    if "pips" not in die or die["contrast"] < BLANK:
        return Truth(box, UNREAD, skip=hidden)
    return Truth(box, int(die["value"]), np.array(die["pips"], np.float32), skip=hidden or die["contrast"] < FAINT)
