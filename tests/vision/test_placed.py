"""Pips of photographed dice, placed by a network that was taught already."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.vision.engines import Floats
from companion.vision.networks import CROP_PX, CropReader, packed
from companion.vision.scene import Cube, Scene, draw
from companion.vision.train.crops import PATCH_FILL, PATCH_PX, Patch, die_patch
from companion.vision.train.pictures import Truth
from companion.vision.train.placed import SAME_PIP, place_pips
from companion.vision.train.pools import Patches

CELLS = 32


def pool_of(patch: Patch) -> Patches:
    pool = Patches()
    pool.add(patch)
    return pool


def bare(value: int) -> Patch:
    return Patch(np.full((PATCH_PX, PATCH_PX, 3), 90, np.uint8), value, None, "some")


def says(*looks: tuple[tuple[int, int], ...]) -> CropReader:
    """A network that sees pips in these (column, row) cells: at its first look, and at its second, mirrored one."""
    left = list(looks)

    def faces(crops: NDArray[np.uint8]) -> tuple[Floats, Floats]:
        planes = np.zeros((len(crops), CELLS, CELLS), np.float32)
        for column, row in left.pop(0):
            planes[:, row, column] = 0.9
        return np.zeros((len(crops), 8), np.float32), planes

    return faces


def mirrored(*cells: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    return tuple((CELLS - 1 - column, row) for column, row in cells)


def test_pips_that_both_looks_see_are_placed() -> None:
    patch, seen = bare(2), ((12, 10), (20, 22))
    assert place_pips(pool_of(patch), says(seen, mirrored(*seen))) == 1
    assert patch.pips is not None
    scale = PATCH_FILL / 44
    expected = [((2 * x + 1 - CROP_PX / 2) * scale + PATCH_PX / 2) for cell in seen for x in cell]
    assert np.sort(patch.pips, axis=0).ravel() == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize(
    ("value", "first", "second"),
    [
        (2, ((12, 10), (20, 22)), ((12, 10),)),  # the other look sees one only
        (3, ((12, 10), (20, 22)), ((12, 10), (20, 22))),  # both see one less than the label says
        (2, ((12, 10), (20, 22)), ((12, 10), (20, 27))),  # not at the same place
        (2, ((12, 10), (20, 22)), ((12, 10), (12, 12))),  # both near the same one
        (1, (), ()),
    ],
)
def test_looks_that_differ_leave_pips_counted_only(
    value: int, first: tuple[tuple[int, int], ...], second: tuple[tuple[int, int], ...]
) -> None:
    patch = bare(value)
    assert place_pips(pool_of(patch), says(first, mirrored(*second))) == 0
    assert patch.pips is None


def test_what_is_placed_already_and_ground_stay_as_they_are() -> None:
    known, ground = bare(2), bare(0)
    known.pips = np.ones((2, 2), np.float32)
    pool = pool_of(known)
    pool.add(ground)
    assert place_pips(pool, says()) == 0
    assert known.pips.tolist() == [[1, 1], [1, 1]]
    assert ground.pips is None


def test_the_package_places_the_pips_of_drawn_dice_where_they_lie() -> None:
    scene = Scene(tuple(Cube(value, 4.0 * value - 14, 0.0, 25.0 * value) for value in range(1, 7)))
    drawn = draw(scene, np.random.default_rng(3))
    for seen in drawn.truth:
        assert seen.value is not None
        truth = Truth(np.array(seen.box, np.float32), seen.value)
        patch = die_patch(drawn.picture, truth, "some")
        assert place_pips(pool_of(patch), packed().faces) == 1
        assert patch.pips is not None
        factor = PATCH_FILL / truth.size
        wanted = (np.array(seen.pips) - truth.centre) * factor + PATCH_PX / 2
        apart = np.hypot(*(wanted[:, None] - patch.pips[None]).transpose(2, 0, 1))
        assert apart.min(axis=1).max() < SAME_PIP
