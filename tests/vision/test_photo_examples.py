"""Labelled photos as examples: where their dice lie, whether labels tell it or not."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.networks import packed
from companion.vision.scene import draw
from companion.vision.train.photos import WHOLE_DIE, photo_examples
from companion.vision.train.pictures import UNREAD, Example
from tests.vision.drawn_photos import add_collection, add_large, two_dice


def examples(folder: Path, *, found: float = 1.0) -> list[Example]:
    return photo_examples(folder, packed().finder, packed().faces, found=found)


@pytest.mark.parametrize("collection", sorted(WHOLE_DIE))
def test_a_box_is_drawn_in_around_its_middle_as_its_collection_needs(tmp_path: Path, collection: str) -> None:
    (tmp_path / collection).mkdir()
    cv2.imwrite(str(tmp_path / collection / "0.png"), np.zeros((200, 300, 3), np.uint8))
    dice = [{"value": 4, "box": [100, 80, 60, 40]}, {"value": "star", "box": [10, 10, 20, 20], "ignore": True}]
    label = {"image": f"{collection}/0.png", "dice": dice}
    (tmp_path / "labels.jsonl").write_text(json.dumps(label) + "\n", encoding="utf-8")
    (example,) = examples(tmp_path)
    share = WHOLE_DIE[collection]
    four, star = example.dice
    assert (four.value, four.skip, star.value, star.skip) == (4, False, UNREAD, True)
    np.testing.assert_allclose(four.centre, (130, 100))
    np.testing.assert_allclose(four.box[2:], (60 * share, 40 * share), rtol=1e-6)


def test_where_a_label_has_no_boxes_the_finder_says_where_its_dice_lie(tmp_path: Path) -> None:
    tables = (2, 5), (6, 1)
    add_collection(tmp_path, "other", *tables)
    for example, values in zip(examples(tmp_path), tables, strict=True):
        lie = {seen.value: seen for seen in draw(two_dice(values), np.random.default_rng(0)).truth}
        for die in example.dice:
            x, y, w, h = lie[die.value].box
            assert np.hypot(*(die.centre - (x + w / 2, y + h / 2))) < 0.2 * w
            assert 0.7 < die.size / w < 1.4


def test_a_finder_that_sees_dice_too_large_is_put_right(tmp_path: Path) -> None:
    add_collection(tmp_path, "other", (2, 5))
    (as_found,), (smaller,) = examples(tmp_path), examples(tmp_path, found=0.8)
    for one, two in zip(as_found.dice, smaller.dice, strict=True):
        np.testing.assert_allclose(two.centre, one.centre, atol=1e-3)
        assert two.size == pytest.approx(0.8 * one.size)


@pytest.mark.parametrize(("collection", "share"), [("skovy", 1.0), ("other", 0.7)], ids=["whole dice", "pips"])
def test_dice_of_a_photo_that_is_shrunk_on_opening_lie_where_it_shows_them(
    tmp_path: Path, collection: str, share: float
) -> None:
    add_large(tmp_path, collection, (2, 5), width=4000, share=share)
    (example,) = examples(tmp_path)
    shown = example.picture.shape[1] / 4000
    label = json.loads((tmp_path / "labels.jsonl").read_text())
    for die, labelled in zip(example.dice, label["dice"], strict=True):
        x, y, w, h = (shown * side for side in labelled["box"])
        assert np.hypot(*(die.centre - (x + w / 2, y + h / 2))) < 0.2 * w


@pytest.mark.parametrize("share", [0.6, None], ids=["pips", "no boxes"])
def test_a_die_to_be_ignored_is_neither_wanted_nor_forbidden_whatever_its_box_holds(
    tmp_path: Path, share: float | None
) -> None:
    add_large(tmp_path, "mine", (2, 5), width=800, share=share or 1.0)
    label = json.loads((tmp_path / "labels.jsonl").read_text())
    label["dice"][1]["ignore"] = True
    for die in label["dice"] if share is None else ():
        die["box"] = None
    (tmp_path / "labels.jsonl").write_text(json.dumps(label) + "\n", encoding="utf-8")
    (example,) = examples(tmp_path)
    assert [(die.value, die.skip) for die in example.dice] == [(2, False), (5, True)]


def test_a_photo_that_does_not_fit_its_label_is_left_out(tmp_path: Path) -> None:
    add_collection(tmp_path, "other", (2, 5))
    label = {"image": "other/0.png", "dice": [{"value": v, "box": None} for v in (2, 5, 3)]}
    (tmp_path / "labels.jsonl").write_text(json.dumps(label) + "\n", encoding="utf-8")
    assert examples(tmp_path) == []
