"""Real photos and their scorer: COMPANION_DICE names the folder, else ../shared/dice beside the project is used."""

import json
import os
import runpy
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.events import Die, Reading
from companion.pictures import load
from companion.vision.bench.accuracy import judge, total
from companion.vision.labels import Label, Wanted, labels_in
from companion.vision.reader import Reader

BESIDE = Path(__file__).resolve().parents[2].parent / "shared" / "dice"
FOLDER = Path(os.environ.get("COMPANION_DICE", BESIDE))

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(
        not (FOLDER / "labels.jsonl").exists(),
        reason=f"NO REAL PHOTOS: {FOLDER} has no labels.jsonl; set COMPANION_DICE to a folder of labelled photos",
    ),
]
SCORER = runpy.run_path(str(FOLDER / "score.py")) if (FOLDER / "score.py").exists() else {}
EVERY = 12  # the whole is `companion bench`; a test must be quick


def test_real_rolls_are_hardly_ever_wrong_and_sure():
    rows = [judge(label, Reader().read(load(label.path)), 0.0) for label in labels_in(FOLDER)[::EVERY]]
    found = total(rows)
    assert found.wrong_and_sure <= 0.03
    assert found.exact >= 0.8


def test_symbols_are_never_a_confident_number():
    labels = [json.loads(line) for line in (FOLDER / "symbols" / "labels.jsonl").read_text().splitlines()]
    assert labels
    for label in labels:
        reading = Reader().read(load(FOLDER / label["image"]))
        assert not reading.sure, label["image"]


def boxes():
    """Of a few places and sizes, so that many touch."""
    place, side = st.integers(0, 6).map(lambda step: 10.0 * step), st.sampled_from((4.0, 20.0, 30.0))
    return st.tuples(place, place, side, side)


VALUES = st.integers(1, 3)
LABELLED = st.lists(st.builds(Wanted, VALUES, st.none() | boxes(), ignore=st.booleans()), max_size=5)
SEEN = st.lists(st.builds(Die, st.none() | VALUES, boxes(), st.just(0.9)), max_size=6)


@pytest.mark.skipif(not (FOLDER / "score.py").exists(), reason=f"no scorer in {FOLDER}")
@settings(deadline=None, max_examples=1500)
@given(labelled=LABELLED, seen=SEEN, sure=st.booleans())
def test_the_bench_judges_as_the_scorer_does(labelled, seen, sure):
    row = judge(Label("set/a.png", FOLDER, tuple(labelled)), Reading(tuple(seen), sure=sure), 1.0)
    label = {"image": "set/a.png", "dice": [{"value": d.value, "box": d.box, "ignore": d.ignore} for d in labelled]}
    answer = {"dice": [{"value": d.value, "box": d.box} for d in seen], "sure": sure}
    scored = SCORER["score_photo"](answer, label)
    assert (row.exact, row.sure, row.counted) == (scored["exact"], scored["sure"], scored["count_ok"])
    if any(not die.ignore for die in labelled):  # on an empty table the bench tells of invented dice, too
        told = Counter({(str(one), "?" if two is None else str(two)): n for (one, two), n in scored["conf"].items()})
        assert Counter(row.pairs) == told
