"""Tables by another hand, marched along rays: what is labelled there is what is shown."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from companion.vision.bench.accuracy import judge
from companion.vision.labels import labels_in
from companion.vision.reader import Reader
from companion.vision.train.pictures import load_named
from tests.bench.marched.__main__ import main
from tests.bench.marched.dice import Die, pick_style
from tests.bench.marched.picture import render

pytestmark = pytest.mark.once


def test_opposite_faces_make_seven_and_each_face_has_its_pips_whichever_way_round_the_die_is() -> None:
    hands = set()
    for seed in range(60):
        rng = np.random.default_rng(seed)
        die = Die(pick_style(rng, hard=True), 1 + seed % 6, rng)
        assert sorted(die.faces) == [1, 2, 3, 4, 5, 6]
        assert [one + two for one, two in zip(die.faces[::2], die.faces[1::2], strict=True)] == [7, 7, 7]
        assert die.faces[4] == die.value == 1 + seed % 6
        assert [(np.abs(spots) < 1).all(axis=1).sum() for spots in die.pips] == list(die.faces)
        hands.add(die.style.hand)
    assert hands == {-1, 1}


def test_a_table_is_the_same_each_time_and_another_for_another_number() -> None:
    one, same, other = (render("table", seed, (160, 120)) for seed in (3, 3, 4))
    assert np.array_equal(one.picture, same.picture)
    assert (one.values, one.boxes) == (same.values, same.boxes)
    assert not np.array_equal(one.picture, other.picture)


def test_dice_lie_wholly_in_the_picture_and_empty_tables_have_none() -> None:
    rig, empty = render("rig", 5, (160, 120)), render("empty", 5, (160, 120))
    assert rig.values
    for x, y, width, height in rig.boxes:
        assert min(x, y) > 0
        assert x + width < 160
        assert y + height < 120
    assert empty.values == ()


def test_labels_that_it_made_are_made_anew(tmp_path: Path) -> None:
    for count in ("2", "1"):
        main([str(tmp_path), "--kinds", "rig", "--count", count])
        assert len(labels_in(tmp_path)) == int(count)


@pytest.mark.parametrize("others", ["mine/1.jpg", "rig/1.png", "rigs/00001.png", "00001.png"])
def test_labels_that_others_made_stay_as_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], others: str
) -> None:
    labels = "".join(json.dumps({"image": name, "dice": []}) + "\n" for name in ("rig/00001.png", others))
    (tmp_path / "labels.jsonl").write_text(labels)
    with pytest.raises(SystemExit, match="2"):
        main([str(tmp_path), "--kinds", "rig", "--count", "1"])
    assert f"{tmp_path}/labels.jsonl tells of {others}, which is made elsewhere" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["labels.jsonl"]
    assert (tmp_path / "labels.jsonl").read_text() == labels


def test_a_folder_of_them_is_measured_as_labelled_photos_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main([str(tmp_path), "--kinds", "rig", "--count", "4", "--first", "20"])
    labels = labels_in(tmp_path)
    assert Counter(label.group for label in labels) == {"rig": 4}
    exact = [judge(label, Reader().read(load_named(label.path)), 0.0).exact for label in labels]
    assert sum(exact) >= 3, [label.dice for label in labels]
