"""Sheets, boards and cloth that teach where no die lies: seen as a table is seen."""

import numpy as np
import pytest

from companion.vision.train import printed as module
from companion.vision.train.pictures import PLAIN, SIZES
from companion.vision.train.printed import KINDS, SHEET_PX, printed, printed_examples


def test_the_same_sheets_are_printed_each_time_and_no_die_lies_on_them() -> None:
    once, again = printed_examples(6), printed_examples(6)
    assert [(e.source, e.dice) for e in once] == [(PLAIN, [])] * 6
    assert all(np.array_equal(one.picture, other.picture) for one, other in zip(once, again, strict=True))
    assert all(e.picture.shape[1::-1] in SIZES and e.picture.dtype == np.uint8 for e in once)
    assert len({e.picture.tobytes() for e in once}) == 6


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_what_is_printed_stands_out(kind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KINDS", (kind,))
    for seed in range(5):
        picture = printed(np.random.default_rng(seed))
        assert np.ptp(np.percentile(picture, (2, 98))) > 25


def stripes(rng: np.random.Generator) -> np.ndarray:
    """Of 20 pixels, along the sheet."""
    row = np.where(np.arange(SHEET_PX) // 20 % 2 == 0, 230, 20).astype(np.uint8)
    return np.tile(row[None, :, None], (SHEET_PX, 1, 3))


@pytest.mark.parametrize(("slant", "times"), [(0.0, (0.9, 1.1)), (50.0, (1.5, 4.0))])
def test_from_a_slant_what_is_above_lies_further_off(
    slant: float, times: tuple[float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "KINDS", (stripes,))
    monkeypatch.setattr(module, "SLANT_DEG", (slant, slant))
    monkeypatch.setattr(module, "turned", lambda angle: np.eye(2))

    def edges(row: np.ndarray) -> int:
        light = row.mean(axis=1) > row.mean()
        return int(np.count_nonzero(light[1:] != light[:-1]))

    picture = printed(np.random.default_rng(4)).astype(float)
    assert times[0] < edges(picture[2]) / edges(picture[-3]) < times[1]
