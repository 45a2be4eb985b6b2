"""Traced scenes as examples: a folder that `python -m companion.vision.traced FOLDER --kinds train` has made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.pictures import load
from companion.ports import Picture
from companion.vision.train.pictures import TRACED, UNREAD, Example, Truth

BLANK, FAINT = 9.0, 16.0  # levels of 255 between a pip and the body around it: not to be seen; hardly
AROUND = 0.2  # of a die's size: from a pip's middle to the body around it
WORST_OF = 3  # a third of the pips may be worse: one lies in glare


def traced_examples(folder: Path) -> list[Example]:
    """Every picture of labels.jsonl. A die whose pips glare or blur has taken away is one that cannot be read."""
    labels = [json.loads(line) for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()]
    return [_example(load(folder / label["image"]), label) for label in labels]


def _example(picture: Picture, label: dict[str, Any]) -> Example:
    soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.float32)
    return Example(picture, [_truth(soft, die) for die in label["dice"]], TRACED, label["image"])


def _truth(soft: np.ndarray[Any, np.dtype[np.float32]], die: dict[str, Any]) -> Truth:
    box, hidden = np.array(die["box"], np.float32), bool(die.get("ignore"))
    if "pips" not in die:
        return Truth(box, UNREAD, skip=hidden)
    pips = np.array(die["pips"], np.float32)
    contrasts = np.sort([_contrast(soft, pip, AROUND * float(box[2:].mean())) for pip in pips])
    seen = float(contrasts[len(contrasts) // WORST_OF])
    if seen < BLANK:
        return Truth(box, UNREAD, skip=hidden)
    return Truth(box, int(die["value"]), pips, skip=hidden or seen < FAINT)


def _contrast(
    soft: np.ndarray[Any, np.dtype[np.float32]], pip: np.ndarray[Any, np.dtype[np.float32]], reach: float
) -> float:
    """Levels between a pip's middle and what lies around it."""
    turns = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    ring = pip + reach * np.column_stack([np.cos(turns), 0.8 * np.sin(turns)])
    x, y = np.round(np.vstack([pip, ring])).astype(int).T
    height, width = soft.shape[:2]
    colours = soft[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
    return float(np.linalg.norm(colours[0] - np.median(colours[1:], axis=0)))
