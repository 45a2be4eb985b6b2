"""Real photos: COMPANION_DICE names their folder, else ../shared/dice beside the project is looked for."""

import json
import os
from pathlib import Path

import pytest

from companion.pictures import load
from companion.vision.bench.accuracy import judge, labels_in, total
from companion.vision.reader import Reader

BESIDE = Path(__file__).resolve().parents[2].parent / "shared" / "dice"
FOLDER = Path(os.environ.get("COMPANION_DICE", BESIDE))

pytestmark = pytest.mark.skipif(
    not (FOLDER / "labels.jsonl").exists(),
    reason=f"NO REAL PHOTOS: {FOLDER} has no labels.jsonl; set COMPANION_DICE to a folder of labelled photos",
)
EVERY = 12  # the whole is `companion bench`; a test must be quick


def test_real_rolls_are_hardly_ever_wrong_and_sure():
    rows = [judge(label, Reader().read(load(label.path)), 0.0) for label in labels_in(FOLDER)[::EVERY]]
    found = total(rows)
    assert found.wrong_and_sure <= 0.03
    assert found.exact >= 0.8


def test_symbols_are_never_a_confident_number():
    labels = [json.loads(line) for line in (FOLDER / "symbols" / "labels.jsonl").read_text().splitlines()]
    for label in labels:
        reading = Reader().read(load(FOLDER / label["image"]))
        assert not reading.sure, label["image"]
