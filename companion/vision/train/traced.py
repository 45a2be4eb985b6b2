"""Traced scenes as examples: a folder that `python -m companion.vision.traced FOLDER --kinds train` has made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from companion.pictures import load
from companion.vision.traced.__main__ import HIDDEN
from companion.vision.traced.legible import BLANK
from companion.vision.train.pictures import TRACED, UNREAD, Example, Truth

FAINT = 16.0  # levels of contrast: less than this teaches neither a value nor doubt


def traced_examples(folder: Path) -> list[Example]:
    """Every picture of labels.jsonl. A die whose pips glare or blur has taken away is one that cannot be read."""
    labels = [json.loads(line) for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()]
    return [
        Example(load(folder / label["image"]), [_truth(die) for die in label["dice"]], TRACED, label["image"])
        for label in labels
    ]


def _truth(die: dict[str, Any]) -> Truth:
    box, hidden = np.array(die["box"], np.float32), die["hidden"] >= HIDDEN
    if "pips" not in die or die["contrast"] < BLANK:
        return Truth(box, UNREAD, skip=hidden)
    return Truth(box, int(die["value"]), np.array(die["pips"], np.float32), skip=hidden or die["contrast"] < FAINT)
