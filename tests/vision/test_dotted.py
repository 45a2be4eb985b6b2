"""Pictures of dotted things that are no dice: the same seed draws the same, every kind shows something, labels hold."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.labels import labels_in
from tests.bench.dotted.__main__ import main
from tests.bench.dotted.kinds import KINDS, render

pytestmark = pytest.mark.once

SMALL = (160, 120)


def test_the_same_seed_draws_the_same_picture_and_another_seed_another():
    first, again, other = (render("dominoes", seed, SMALL) for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_two_kinds_with_one_seed_differ():
    assert not np.array_equal(render("dominoes", 1, SMALL), render("buttons", 1, SMALL))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_draws_a_picture_that_is_neither_blank_nor_flat(kind: str):
    for seed in (1, 2):
        picture = render(kind, seed, SMALL)
        assert picture.shape == (120, 160, 3)
        assert picture.dtype == np.uint8
        assert 8 < picture.mean() < 248
        smooth = cv2.GaussianBlur(picture, (0, 0), 2)
        assert np.ptp(smooth.astype(int), axis=(0, 1)).max() > 25  # noise alone does not reach that


def test_a_picture_of_any_size_by_lot_is_one_of_those_that_cameras_give():
    assert render("cards", 1).shape[1::-1] in ((640, 480), (480, 640), (800, 600))


def test_the_command_writes_pictures_and_labels_without_dice(tmp_path: Path):
    main([str(tmp_path), "--kinds", "cards", "buttons", "--count", "2", "--first", "7"])
    labels = labels_in(tmp_path)
    assert [label.image for label in labels] == [
        f"{kind}/{seed:05d}.png" for kind in ("cards", "buttons") for seed in (7, 8)
    ]
    assert {label.group for label in labels} == {"cards", "buttons"}
    assert all(label.dice == () for label in labels)
    for label in labels:
        kind, seed = label.group, int(label.path.stem)
        assert np.array_equal(cv2.imread(str(label.path)), render(kind, seed))


def test_the_command_refuses_a_kind_that_it_does_not_know(tmp_path: Path):
    with pytest.raises(SystemExit):
        main([str(tmp_path), "--kinds", "dice"])
    assert not list(tmp_path.iterdir())
