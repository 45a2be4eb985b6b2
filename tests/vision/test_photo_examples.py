"""Labelled photos as examples: where their dice lie, whether labels tell it or not."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.labels import BadLabels
from companion.vision.networks import packed
from companion.vision.scene import draw
from companion.vision.train.photos import DOUBTFUL, TOO_MANY, UNSEEN, WHOLE_DIE, LeftOut, photo_examples, used_of
from companion.vision.train.pictures import UNREAD, Example
from tests.vision.drawn_photos import PIPS, WHOLE, add_collection, add_large, two_dice


def made(folder: Path, *, found: float = 1.0) -> list[Example | LeftOut]:
    return photo_examples(folder, packed().finder, packed().faces, found=found)


def examples(folder: Path, *, found: float = 1.0) -> list[Example]:
    return used_of(made(folder, found=found), folder)


def relabelled(folder: Path, image: str, values: Sequence[int]) -> None:
    """That photo alone, with such dice, wherever they lie."""
    dice = [{"value": value, "box": None} for value in values]
    (folder / "labels.jsonl").write_text(json.dumps({"image": image, "dice": dice}) + "\n", encoding="utf-8")


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


@pytest.mark.parametrize("shares", [WHOLE, PIPS], ids=["whole dice", "pips"])
def test_dice_of_a_photo_that_is_shrunk_on_opening_lie_where_it_shows_them(
    tmp_path: Path, shares: tuple[float, float]
) -> None:
    add_large(tmp_path, "mine", (1, 5), width=4000, shares=shares)
    (example,) = examples(tmp_path)
    shown = example.picture.shape[1] / 4000
    label = json.loads((tmp_path / "labels.jsonl").read_text())
    for die, labelled in zip(example.dice, label["dice"], strict=True):
        x, y, w, h = (shown * side for side in labelled["box"])
        assert np.hypot(*(die.centre - (x + w / 2, y + h / 2))) < 0.2 * w


@pytest.mark.parametrize("share", [0.95, 1.0, 1.3], ids=["tight", "exact", "loose"])
@pytest.mark.parametrize("values", [(1, 5), (2, 5)], ids=["a one", "none"])
def test_boxes_of_whole_dice_in_ones_own_photos_are_taken_as_they_are_labelled(
    tmp_path: Path, values: tuple[int, int], share: float
) -> None:
    add_large(tmp_path, "mine", values, width=800, shares=(share, share))
    (example,) = examples(tmp_path)
    label = json.loads((tmp_path / "labels.jsonl").read_text())
    for die, labelled in zip(example.dice, label["dice"], strict=True):
        np.testing.assert_allclose(die.box, labelled["box"], rtol=1e-5)


def test_boxes_of_pips_alone_are_told_by_those_of_ones(tmp_path: Path) -> None:
    add_large(tmp_path, "mine", (1, 5), width=800, shares=PIPS)
    (example,) = examples(tmp_path)
    assert [0.8 < die.size / 50 < 1.2 for die in example.dice] == [True] * 2, "what the finder sees"


@pytest.mark.parametrize("shares", [WHOLE, PIPS, None], ids=["whole dice", "pips", "no boxes"])
def test_a_die_to_be_ignored_is_neither_wanted_nor_forbidden_whatever_its_box_holds(
    tmp_path: Path, shares: tuple[float, float] | None
) -> None:
    add_large(tmp_path, "mine", (1, 5), width=800, shares=shares or WHOLE)
    label = json.loads((tmp_path / "labels.jsonl").read_text())
    label["dice"][1]["ignore"] = True
    for die in label["dice"] if shares is None else ():
        die["box"] = None
    (tmp_path / "labels.jsonl").write_text(json.dumps(label) + "\n", encoding="utf-8")
    (example,) = examples(tmp_path)
    assert [(die.value, die.skip) for die in example.dice] == [(1, False), (5, True)]


@pytest.mark.parametrize(("values", "why"), [((2, 5, 3), DOUBTFUL), ((2, 5, 3, 1, 1, 1, 1), TOO_MANY)])
def test_a_photo_that_does_not_fit_its_label_is_left_out(tmp_path: Path, values: tuple[int, ...], why: str) -> None:
    add_collection(tmp_path, "other", (2, 5))
    relabelled(tmp_path, "other/0.png", values)
    assert made(tmp_path) == [LeftOut("other", why)]


def test_a_box_of_pips_where_no_die_is_seen_leaves_its_photo_out(tmp_path: Path) -> None:
    add_large(tmp_path, "mine", (1, 5), width=800, shares=PIPS)
    label = json.loads((tmp_path / "labels.jsonl").read_text())
    label["dice"].append({"value": 1, "box": [5, 5, 12, 12]})
    (tmp_path / "labels.jsonl").write_text(json.dumps(label) + "\n", encoding="utf-8")
    assert made(tmp_path) == [LeftOut("mine", UNSEEN)]


def test_of_each_collection_it_is_told_how_many_photos_are_used_and_why_others_are_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    used = Example(np.zeros((1, 1, 3), np.uint8), [], "mine")
    assert used_of([used, LeftOut("his", UNSEEN), LeftOut("mine", DOUBTFUL), LeftOut("his", UNSEEN)], tmp_path) == [
        used
    ]
    assert capsys.readouterr().err.splitlines() == [
        f"his: 0 of 2 photos are used; 2 left out: {UNSEEN}",
        f"mine: 1 of 2 photos are used; 1 left out: {DOUBTFUL}",
    ]


def test_photos_of_which_none_can_be_used_are_refused(tmp_path: Path) -> None:
    add_collection(tmp_path, "other", (2, 5))
    relabelled(tmp_path, "other/0.png", (2, 5, 3))
    with pytest.raises(BadLabels, match=f"of the photos of {tmp_path} none can be used"):
        examples(tmp_path)
