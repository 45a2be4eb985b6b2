"""What moved between two pictures, and what is only light: each limit held from both sides."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.stillness import Change, Glance, change, dark, differs, reached_into, veiled

ROWS, COLUMNS = 72, 96
STRIPES = np.where(np.arange(COLUMNS) // 6 % 2, 90.0, 130.0)  # a table with something on it to know again


def seen(*, grey: float = 120.0) -> Glance:
    return Glance(np.full((ROWS, COLUMNS, 3), grey, np.float32))


def striped() -> Glance:
    return Glance(np.broadcast_to(STRIPES[None, :, None], (ROWS, COLUMNS, 3)).astype(np.float32))


def with_spot(before: Glance, by: float, *, high: int, wide: int) -> Glance:
    """So many cells lighter by so many grey levels."""
    cells = before.cells.copy()
    cells[20 : 20 + high, 60 : 60 + wide] += by
    return Glance(cells)


def lit(before: Glance, gain: float) -> Glance:
    return Glance(np.minimum(before.cells * np.float32(gain), 255))


@pytest.mark.parametrize(
    ("by", "high", "wide", "found"),
    [(4, 3, 3, Change.NONE), (7, 3, 3, Change.MOTION), (60, 1, 1, Change.NONE), (60, 1, 2, Change.MOTION)],
)
def test_two_cells_side_by_side_that_change_more_than_a_jpeg_flickers_have_moved(
    by: float, high: int, wide: int, found: Change
) -> None:
    before = seen()
    assert change(before, with_spot(before, by, high=high, wide=wide)) is found
    assert change(with_spot(before, by, high=high, wide=wide), before) is found


@pytest.mark.parametrize(("by", "found"), [(18, Change.NONE), (30, Change.MOTION)])
def test_the_noisier_a_picture_is_the_more_must_change(by: float, found: Change) -> None:
    """Nearly each cell is six grey levels off, up or down."""
    row, column = np.indices((ROWS, COLUMNS)) // 2
    noise = np.where(column > 44, 0.0, np.where((row + column) % 2, 6.0, -6.0))[..., None]
    before = seen()
    noisy = Glance((before.cells + noise).astype(np.float32))
    assert change(before, noisy) is Change.NONE
    assert change(before, with_spot(noisy, by, high=1, wide=12)) is found


@pytest.mark.parametrize(("gain", "found"), [(1.03, Change.NONE), (1.05, Change.LIGHT), (0.95, Change.LIGHT)])
def test_brightness_that_changes_for_all_alike_is_light(gain: float, found: Change) -> None:
    before = seen(grey=200.0)
    assert change(before, lit(before, gain)) is found


def test_a_lamp_of_another_colour_is_light() -> None:
    before = seen(grey=200.0)
    assert change(before, Glance(before.cells * np.array([1, 1, 1.1], np.float32))) is Change.LIGHT


@pytest.mark.parametrize(("part", "found"), [(0.5, Change.LIGHT), (0.9, Change.MOTION)])
def test_a_camera_need_not_brighten_all_things_alike(part: float, found: Change) -> None:
    """A die gains so much less than the table where a lamp brightens that by half."""
    before = with_spot(seen(grey=100.0), 40, high=6, wide=6)
    after = lit(before, 1.5)
    after.cells[20:26, 60:66] -= part * 70
    assert change(before, after) is found


@pytest.mark.parametrize(("wide", "found"), [(0.4, Change.LIGHT), (0.25, Change.HAND)])
def test_a_shade_over_much_of_the_picture_is_light_where_the_same_things_are_seen_in_it(
    wide: float, found: Change
) -> None:
    before = striped()
    shaded, hidden = before.cells.copy(), before.cells.copy()
    shaded[:, : round(wide * COLUMNS)] *= 0.5
    hidden[:, : round(wide * COLUMNS)] = 40
    assert change(before, Glance(shaded)) is found
    assert change(before, Glance(hidden)) is Change.HAND


def test_a_covered_lens_that_is_freed_is_light() -> None:
    assert change(seen(grey=3.0), striped()) is Change.LIGHT
    assert change(seen(grey=3.0), seen(grey=12.0)) is Change.NONE  # still too dark to see anything
    assert change(Glance(np.zeros((ROWS, COLUMNS, 3), np.float32)), seen(grey=60.0)) is Change.LIGHT


@pytest.mark.parametrize(("share", "found"), [(0.1, Change.MOTION), (0.15, Change.HAND)])
def test_what_moves_in_a_large_spot_is_a_hand(share: float, found: Change) -> None:
    before = seen()
    assert change(before, with_spot(before, 80, high=50, wide=round(share * ROWS * COLUMNS / 50))) is found


@pytest.mark.parametrize(("share", "gone"), [(0.5, False), (0.75, True)])
def test_a_die_is_away_where_most_of_its_place_changed_whatever_the_light(share: float, gone: bool) -> None:
    before = seen()
    box = (60 / COLUMNS, 20 / ROWS, 19.5 / COLUMNS, 19.5 / ROWS)
    after = with_spot(before, 60, high=20, wide=round(20 * share))
    assert differs(before, after, box) is gone
    assert differs(before, lit(after, 1.3), box) is gone
    assert not differs(before, lit(before, 1.3), box)


def test_a_white_die_stays_what_it_is_where_a_lamp_leaves_no_lighter_white() -> None:
    table = seen(grey=130.0)
    before = with_spot(table, 110, high=20, wide=20)
    assert not differs(before, lit(before, 1.35), (60 / COLUMNS, 20 / ROWS, 19.5 / COLUMNS, 19.5 / ROWS))
    assert differs(before, lit(table, 1.35), (60 / COLUMNS, 20 / ROWS, 19.5 / COLUMNS, 19.5 / ROWS))


def test_a_box_outside_the_picture_tells_nothing_and_one_at_its_rim_what_is_in_it() -> None:
    before, after = seen(), seen()
    after.cells[:10, :10] = 200
    assert not differs(before, after, (1.2, 0.2, 0.1, 0.1))
    other = Glance(striped().cells[:, ::-1])
    assert not differs(striped(), other, (-0.2, 0.2, 0.1, 0.1))
    assert not differs(striped(), other, (0.2, -0.2, 0.1, 0.1))
    assert differs(before, after, (-0.05, -0.05, 0.1, 0.1))


def test_a_picture_is_dark_where_hardly_a_cell_shows_anything() -> None:
    assert dark(seen(grey=18.0))
    assert not dark(seen(grey=22.0))
    assert not dark(with_spot(seen(grey=3.0), 60, high=20, wide=20))


@pytest.mark.parametrize("gain", [1.12, 0.88])
def test_what_moves_is_seen_in_a_light_that_flickers_from_picture_to_picture(gain: float) -> None:
    before = striped()
    assert change(before, lit(with_spot(before, 60, high=4, wide=4), gain)) is Change.MOTION


@pytest.mark.parametrize(("high", "wide", "hidden"), [(20, 20, False), (34, 34, False), (52, 36, True)])
def test_a_die_is_veiled_by_what_goes_on_beyond_it_and_its_shadow(high: int, wide: int, hidden: bool) -> None:
    before = seen()
    box = (60 / COLUMNS, 20 / ROWS, 19.5 / COLUMNS, 19.5 / ROWS)
    after = with_spot(before, 60, high=high, wide=wide)
    assert veiled(before, after, [box]) is hidden
    assert veiled(before, lit(after, 1.3), [box]) is hidden
    assert not veiled(before, lit(before, 1.3), [box])


def test_a_die_is_not_veiled_by_its_shadow_whichever_way_that_falls() -> None:
    before = seen()
    after = with_spot(before, 60, high=34, wide=34)
    assert not veiled(before, after, [(74 / COLUMNS, 34 / ROWS, 19.5 / COLUMNS, 19.5 / ROWS)])


def test_a_die_is_not_veiled_by_a_lamp_from_the_side_that_changes_the_whole_picture() -> None:
    before = striped()
    after = Glance(np.asarray(before.cells * np.linspace(0.5, 1.5, COLUMNS)[None, :, None], np.float32))
    assert not veiled(before, after, [(60 / COLUMNS, 20 / ROWS, 19.5 / COLUMNS, 19.5 / ROWS)])


def test_a_die_is_not_veiled_by_what_lies_elsewhere() -> None:
    before = seen()
    after = with_spot(before, 60, high=50, wide=30)
    after.cells[20:30, 10:20] += 60  # taken up, and beside it a hand
    assert not veiled(before, after, [(10 / COLUMNS, 20 / ROWS, 9.5 / COLUMNS, 9.5 / ROWS)])


def test_a_sheet_over_everything_veils_each_die() -> None:
    box = (60 / COLUMNS, 20 / ROWS, 19.5 / COLUMNS, 19.5 / ROWS)
    before, sheet = striped(), striped().cells[:, ::-1] + np.indices((ROWS, COLUMNS))[0][..., None] % 7 * 20
    assert veiled(before, Glance(np.asarray(sheet, np.float32)), [box])
    assert not veiled(before, Glance(np.asarray(sheet, np.float32)), [])


DIE = (0.2, 0.2, 8 / COLUMNS, 8 / ROWS)  # 9 × 9 cells, as its rim lies in two


@pytest.mark.parametrize(("first", "high", "wide", "found"), [(0, 18, 9, False), (0, 19, 9, True), (1, 20, 40, False)])
def test_what_reaches_in_comes_from_the_rim_and_is_larger_than_two_dice(
    first: int, high: int, wide: int, found: bool
) -> None:
    before = striped()
    cells = before.cells.copy()
    cells[first : first + high, 50 : 50 + wide] += 60
    assert reached_into(before, Glance(cells), [DIE]) is found


@pytest.mark.parametrize(("high", "found"), [(20, False), (21, True)])
def test_a_hand_whose_wrist_looks_like_the_rim_is_told_by_its_size(high: int, found: bool) -> None:
    before = striped()
    cells = before.cells.copy()
    cells[30 : 30 + high, 40 : 40 + 41] += 60
    assert reached_into(before, Glance(cells), [DIE]) is found
    assert reached_into(before, Glance(cells), []) is found


@pytest.mark.parametrize(("high", "found"), [(9, False), (10, True)])
def test_an_arm_beside_the_tray_does_not_reach_in(high: int, found: bool) -> None:
    before = striped()
    cells = before.cells.copy()
    cells[:high, 20:60] += 60
    assert reached_into(before, Glance(cells), [DIE]) is found


def test_fingers_reach_in_together() -> None:
    before = striped()
    cells = before.cells.copy()
    for left in (40, 52, 64):
        cells[60:, left : left + 6] += 60
    assert reached_into(before, Glance(cells), [DIE])
    cells[60:, 52:58] = before.cells[60:, 52:58]
    assert not reached_into(before, Glance(cells), [DIE])


def test_dice_that_lie_at_the_rim_with_their_shadows_do_not_reach_in() -> None:
    before = striped()
    cells = before.cells.copy()
    cells[:16, 30:60] += 60
    dice = [(32 / COLUMNS, 0.0, 10 / COLUMNS, 10 / ROWS), (46 / COLUMNS, 0.0, 10 / COLUMNS, 10 / ROWS)]
    assert not reached_into(before, Glance(cells), dice)


@pytest.mark.parametrize("gain", [0.5, 1.5])
def test_a_lamp_does_not_reach_in_be_it_for_all_or_for_one_side(gain: float) -> None:
    before = striped()
    assert not reached_into(before, lit(before, gain), [DIE])
    ramp = np.linspace(gain, 1, COLUMNS, dtype=np.float32)[None, :, None]
    assert not reached_into(before, Glance(before.cells * ramp), [DIE])
