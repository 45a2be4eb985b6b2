"""The simulated tray: dice lie where they are told, kept ones never move, a throw ends as it must."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from companion.vision.scene import Moment, Painter, moment, new_table, scatter, throw


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_the_tray_shows_the_values_it_was_given() -> None:
    table, chance = new_table(rng()), rng(2)
    drawn = Painter(table).picture(Moment(scatter(table, (1, 3, 6), chance, wild="swap")), chance)
    assert drawn.picture.shape == (480, 640, 3)
    assert [seen.value for seen in drawn.truth] == [1, 3, 6, None]
    assert [seen.face for seen in drawn.truth] == ["1", "3", "6", "swap"]
    assert all(seen.visible > 0.95 for seen in drawn.truth)
    assert {tag for seen in drawn.truth for tag in seen.tags} <= {"icon"}


def test_dice_in_the_tray_never_touch() -> None:
    table = new_table(rng())
    for seed in range(20):
        dice = scatter(table, (1, 2, 3, 4, 5), rng(seed), wild="lowest")
        gaps = [math.dist((a.x, a.y), (b.x, b.y)) for a, b in itertools.combinations(dice, 2)]
        assert min(gaps) > 1.8 * dice[0].size


def test_kept_dice_stay_exactly_where_they_were() -> None:
    table = new_table(rng())
    before = scatter(table, (2, 5, 6), rng(1))
    after = scatter(table, (2, 1, 6), rng(2), kept={0: before[0], 2: before[2]})
    thrown = throw(before, after, rng(3))
    assert thrown.rolled == (after[1],)
    for at_s in np.linspace(0, thrown.lasts_s + 1, 40):
        assert {before[0], before[2]} <= set(moment(thrown, float(at_s)).dice)


def test_a_throw_begins_and_ends_as_it_must() -> None:
    table = new_table(rng())
    before = scatter(table, (1, 2), rng(1))
    after = scatter(table, (6, 4, 3), rng(2))
    thrown = throw(before, after, rng(3))
    assert moment(thrown, 0).dice == before
    assert moment(thrown, 0.3).hand is not None
    assert any(cube.smear != (0, 0) for cube in moment(thrown, thrown.rolls_at_s + 0.2).dice)
    assert moment(thrown, thrown.lasts_s) == Moment(after)
    assert moment(throw(after, (), rng()), 5) == Moment()


def test_still_pictures_differ_by_noise_alone() -> None:
    table = new_table(rng(5))
    painter, still = Painter(table), Moment(scatter(table, (4, 4), rng(1)))
    one, two = (painter.picture(still, rng(seed)).picture.astype(int) for seed in (1, 2))
    assert 0 < np.abs(one - two).mean() < 5
    assert np.array_equal(one, Painter(table).picture(still, rng(1)).picture)


@pytest.mark.parametrize("values", [(0,), (7,), (1,) * 7])
def test_values_no_dice_show_are_refused(values: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="number dice show 1–6"):
        scatter(new_table(rng()), values, rng())


def test_unknown_wild_faces_are_refused() -> None:
    with pytest.raises(ValueError, match="the Wild die shows highest, lowest, swap, not 'seven'"):
        scatter(new_table(rng()), (1,), rng(), wild="seven")
