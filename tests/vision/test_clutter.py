"""Things that are no dice, laid beside dice and on ground."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from companion.vision.train import clutter, oddments
from companion.vision.train.canvas import SIDE_PX
from companion.vision.train.clutter import lay, thing
from companion.vision.train.oddments import ODDMENTS, ball
from companion.vision.train.spotted import SPOTTED, domino


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch) -> Callable[[object], None]:
    def set_both(kind: object) -> None:
        monkeypatch.setattr(clutter, "ODDMENTS", (kind,))
        monkeypatch.setattr(clutter, "SPOTTED", (kind,))

    return set_both


@pytest.mark.parametrize("kind", ODDMENTS + SPOTTED)
def test_every_kind_covers_something_and_not_all(kind: object, only: Callable[[object], None]) -> None:
    only(kind)
    for seed in range(20):
        made = thing(np.random.default_rng(seed))
        assert 0.005 < (made.cover > 128).mean() < 0.98
        assert made.flat is (kind is not ball)


def test_a_thing_changes_the_picture_where_it_lies_only() -> None:
    for seed in range(40):
        picture = np.full((200, 300, 3), 128, np.uint8)
        lay(picture, np.random.default_rng(seed), at=(200.0, 90.0), size_px=60.0)
        rows, columns = np.nonzero((picture != 128).any(axis=2))
        assert len(rows)
        assert np.hypot(columns - 200, rows - 90).max() < 60


@pytest.mark.parametrize(("left", "top"), [(0, 0), (90, 40), (150, 60)])
def test_a_thing_that_reaches_over_the_rim_is_cut_there(left: int, top: int) -> None:
    for seed in range(20):
        whole = np.full((200, 300, 3), 128, np.uint8)
        picture = whole[top:, left:].copy()
        lay(whole, np.random.default_rng(seed), at=(150.0, 60.0), size_px=60.0)
        lay(picture, np.random.default_rng(seed), at=(150.0 - left, 60.0 - top), size_px=60.0)
        assert np.abs(picture.astype(int) - whole[top:, left:]).max() <= 8


def test_a_thing_beside_the_picture_leaves_it_as_it_is() -> None:
    picture = np.full((200, 300, 3), 128, np.uint8)
    lay(picture, np.random.default_rng(1), at=(-90.0, 500.0), size_px=60.0)
    assert (picture == 128).all()


def test_a_dominos_half_is_as_wide_as_a_die_and_the_other_lies_beside_it(only: Callable[[object], None]) -> None:
    only(domino)
    for seed in range(20):
        picture = np.full((400, 400, 3), 128, np.uint8)
        lay(picture, np.random.default_rng(seed), at=(200.0, 200.0), size_px=60.0, of_part=True)
        changed = np.asarray((picture != 128).any(axis=2), np.uint8)
        _, sides, _ = cv2.minAreaRect(max(cv2.findContours(changed, 0, 1)[0], key=len))
        assert 25 < min(sides) < 75
        assert 55 < max(sides) < 145
        assert changed[200, 200]
        x, y, w, h = cv2.boundingRect(changed)
        assert np.hypot(x + w / 2 - 200, y + h / 2 - 200) > 8


def test_balls_stay_round_and_have_a_mark(only: Callable[[object], None]) -> None:
    only(ball)
    for seed in range(40):
        made = thing(np.random.default_rng(seed))
        inside = cv2.cvtColor(made.picture, cv2.COLOR_BGR2GRAY)[made.cover == 255]
        assert int(inside.max()) - int(inside.min()) > 15
        dark, pale = (np.full((SIDE_PX, SIDE_PX, 3), grey, np.uint8) for grey in (0, 255))
        for ground in (dark, pale):
            lay(ground, np.random.default_rng(seed), at=(80.0, 80.0), size_px=120.0)
        covered = np.asarray(cv2.absdiff(dark, pale).max(axis=2) < 128, np.uint8)
        outline = max(cv2.findContours(covered, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0], key=len)
        _, sides, _ = cv2.minAreaRect(outline)
        assert min(sides) / max(sides) > 0.7


def test_many_balls_are_of_several_colours(only: Callable[[object], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Marbles with a gleam are much like ones: those of one colour alone taught no network that."""
    only(ball)

    def hues(share: float) -> float:
        monkeypatch.setattr(oddments, "SWIRLED", share)
        spread = []
        for seed in range(30):
            made = thing(np.random.default_rng(seed))
            colours = made.picture[made.cover == 255].astype(float) + 1
            spread.append(float(np.std(colours / colours.sum(axis=1, keepdims=True), axis=0).max()))
        return float(np.median(spread))

    assert hues(1.0) > 2 * hues(0.0)
