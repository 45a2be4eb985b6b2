"""Large pictures in parts: all of them once, and what lies around each part."""

from __future__ import annotations

import pytest

from companion.vision.parting import MOST_CUTS, parted

MOST_PX, REACH_PX, BLOCK_PX = 190_000, 56, 8


@pytest.mark.parametrize(("height", "width"), [(16, 16), (240, 320), (840, 1120), (16, 2560), (8, 8000), (4000, 4000)])
def test_parts_are_all_of_a_side_once_and_see_what_lies_around_them(height: int, width: int) -> None:
    sides = parted(height, width, most_px=MOST_PX, reach_px=REACH_PX, block_px=BLOCK_PX)
    for parts, side in zip(sides, (height, width), strict=True):
        ends = [0, *(part.own.stop for part in parts)]
        assert [part.own.start for part in parts] == ends[:-1]
        assert ends[-1] == side
        assert all(end % BLOCK_PX == 0 for end in ends)
        assert all(part.seen.start == max(0, part.own.start - REACH_PX) for part in parts)
        assert all(part.seen.stop == min(side, part.own.stop + REACH_PX) for part in parts)
        for part in parts:
            own = slice(*(part.seen.start + 2 * cell for cell in (part.cells_seen(2).start, part.cells_seen(2).stop)))
            assert own == part.own == slice(2 * part.cells(2).start, 2 * part.cells(2).stop)


@pytest.mark.parametrize(
    ("height", "width", "cuts"),
    [(240, 320, (1, 1)), (480, 640, (1, 2)), (1200, 160, (2, 1)), (600, 800, (2, 2)), (168, 1200, (1, 2))],
)
def test_a_picture_is_cut_so_that_little_is_seen_twice(height: int, width: int, cuts: tuple[int, int]) -> None:
    down, across = parted(height, width, most_px=MOST_PX, reach_px=REACH_PX, block_px=BLOCK_PX)
    assert (len(down), len(across)) == cuts
    assert max(part.length for part in down) * max(part.length for part in across) <= MOST_PX


def test_a_picture_too_large_for_that_is_cut_as_often_as_can_be() -> None:
    down, across = parted(40_000, 40_000, most_px=MOST_PX, reach_px=REACH_PX, block_px=BLOCK_PX)
    assert (len(down), len(across)) == (MOST_CUTS, MOST_CUTS)
