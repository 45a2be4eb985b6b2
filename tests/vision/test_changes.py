"""A changed photo's label must say where its dice went."""

import cv2
import numpy as np
import pytest

from companion.vision.labels import Label, Wanted
from tests.bench.bench_changed import main
from tests.bench.changes import CHANGES, PATTERNED, blurred, smeared, soft, turned
from tests.vision.drawn_photos import add_collection

DIE = Wanted(1, (100.0, 60.0, 40.0, 40.0))


def scene():
    """A white square where the label says, on a slightly bluer ground."""
    picture = np.full((240, 320, 3), (110, 90, 80), np.uint8)
    cv2.rectangle(picture, (100, 60), (139, 99), (255, 255, 255), cv2.FILLED)
    return picture


@pytest.mark.parametrize("change", [change for change in CHANGES if change.move], ids=lambda change: change.name)
def test_the_box_goes_where_the_die_goes(change, tmp_path):
    picture, label = change.of(scene(), Label("a.jpg", tmp_path, (DIE,)), np.random.default_rng(1))
    rows, columns = np.nonzero(picture.min(axis=2) > 180)
    x, y, w, h = label.dice[0].box
    assert (columns.min(), rows.min()) == pytest.approx((x, y), abs=2)
    assert (columns.max() + 1, rows.max() + 1) == pytest.approx((x + w, y + h), abs=2)


@pytest.mark.parametrize("change", [change for change in CHANGES if not change.move], ids=lambda change: change.name)
def test_other_light_leaves_the_label_and_shape(change, tmp_path):
    before, label = scene(), Label("a.jpg", tmp_path, (DIE,))
    picture, after = change.of(before, label, np.random.default_rng(1))
    assert (picture.shape, picture.dtype, after) == (before.shape, np.dtype(np.uint8), label)
    assert change.tint is None or np.abs(picture.astype(int) - before).max() > 3


def test_a_die_without_a_box_has_none_after_a_change(tmp_path):
    for change in CHANGES:
        _, label = change.of(scene(), Label("a.jpg", tmp_path, (Wanted(4, None),)), np.random.default_rng(1))
        assert label.dice == (Wanted(4, None),)


@pytest.mark.parametrize("change", PATTERNED, ids=lambda change: change.name)
def test_other_ground_leaves_the_dice_as_they_are(change, tmp_path):
    before, label = scene(), Label("a.jpg", tmp_path, (DIE,))
    picture, after = change.of(before, label, np.random.default_rng(1))
    apart = np.abs(picture.astype(int) - before).max(axis=2)
    assert after == label
    assert apart[66:94, 106:134].max() <= 8
    assert np.median(apart[:, 200:]) > 20


def falls(picture, axis):
    """How many pixels along an axis lie between the white of the square and its ground."""
    line = picture[80, :, 2] if axis else picture[:, 120, 2]
    return int(((line > 100) & (line < 235)).sum())


def test_a_picture_taken_in_motion_is_blurred_along_one_direction_only():
    before = scene()
    spread = []
    for seed in range(30):
        moved = smeared(30).of_picture(before, np.random.default_rng(seed))
        spread.append((falls(moved, 0), falls(moved, 1)))
    assert max(abs(down - across) for down, across in spread) > 10
    assert moved.shape == before.shape
    assert abs(float(moved.mean()) - float(before.mean())) < 1


def test_a_lens_out_of_focus_blurs_the_table_and_not_the_noise_of_the_sensor():
    grain = [
        change(12).of_picture(scene(), np.random.default_rng(1))[:40].std(axis=(0, 1)) for change in (blurred, soft)
    ]
    assert grain[0].max() < 1
    assert grain[1].min() > 3


def test_a_picture_alone_is_changed_as_with_its_label(tmp_path):
    for change in (turned(30), soft(5)):
        with_label, _ = change.of(scene(), Label("a.jpg", tmp_path, (DIE,)), np.random.default_rng(1))
        assert np.array_equal(change.of_picture(scene(), np.random.default_rng(1)), with_label)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (("--photos", "0"), "argument --photos: '0' is no whole number, 1 or more"),
        ((), "1.png: no such file; check the labels"),
        (("--networks", "nowhere"), "nowhere/without-some/finder.onnx: no such file"),
    ],
)
def test_what_cannot_be_measured_under_changes_is_told_in_a_line(more, why, tmp_path, capsys):
    add_collection(tmp_path, "some", (1, 6), (3, 4))
    if not more:
        (tmp_path / "some/1.png").unlink()
    with pytest.raises(SystemExit, match="2"):
        main([str(tmp_path), *more])
    assert why in capsys.readouterr().err.splitlines()[-1]
