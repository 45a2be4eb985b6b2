"""Dice are found at any scale, and no picture makes the finder search without end."""

import math
from importlib.resources import files

import cv2
import numpy as np
import pytest

from companion.vision import finding
from companion.vision.finding import (
    MOST_WEAK,
    _tiles,
    beside,
    find,
    find_again,
    find_at_all_scales,
    find_finer,
    find_touching,
    one_each,
    peaks_of,
    places_at,
)
from companion.vision.first_sight import first_sight
from companion.vision.networks import FIRST, FinderNet, packed
from companion.vision.scene import draw, random_scene
from companion.vision.train.pictures import drawn_example
from companion.vision.views import TILE_PX, Place, Views

FACES = packed().faces
ENOUGH_PX = 500_000  # less than a picture of 832 px alone has


class Counting(FinderNet):
    """The finder, and how many pixels it was given."""

    def __init__(self):
        super().__init__((files("companion.vision") / "weights" / FIRST / "finder.onnx").read_bytes())
        self.searched_px = 0

    def windows(self, pictures):
        self.searched_px += sum(picture.shape[0] * picture.shape[1] for picture in pictures)
        return super().windows(pictures)


def far_table(dice: int, die_px: float, seed: int = 1):
    """Dice of so many pixels in one corner of a large picture; the truth with it."""
    rng = np.random.default_rng(seed)
    return draw(random_scene(rng, hardness=0.0, size=(1280, 960), dice=dice, die_px=(die_px, die_px + 2)), rng)


def textured(size=(960, 1280)):
    rng = np.random.default_rng(3)
    fine = rng.integers(60, 190, (size[0] // 4, size[1] // 4, 3), np.uint8)
    return cv2.resize(fine, size[::-1], interpolation=cv2.INTER_CUBIC)


@pytest.mark.parametrize("die_px", [24.0, 40.0, 90.0, 200.0])
def test_dice_of_any_size_are_found_at_first_sight(die_px):
    drawn = far_table(2, die_px)
    places = first_sight(Views(drawn.picture), packed().finder, FACES)
    for seen in drawn.truth:
        middle = seen.box[0] + seen.box[2] / 2, seen.box[1] + seen.box[3] / 2
        half = cv2.arcLength(np.float32(seen.corners), True) / 8
        assert any(np.hypot(p.x - middle[0], p.y - middle[1]) < half for p in places)


@pytest.mark.parametrize("seed", [40069, 40076, 40093, 40233])
def test_a_die_that_touches_another_is_found_where_dice_are_searched_in_a_larger_picture(seed):
    example = drawn_example(seed)
    views, net = Views(example.picture), packed().finder
    places = first_sight(views, net, FACES)
    usual = float(np.median([place.size for place in places]))
    known = find(views, net, usual)

    def overlooked(places):
        return sum(all(np.hypot(p.x - d.centre[0], p.y - d.centre[1]) > 0.4 * d.size for p in places) for d in dice)

    dice = [die for die in example.dice if not die.skip]
    assert overlooked(places) < overlooked(known)
    assert find_touching(views, net, usual, []) == [], "beside nothing, no die touches another"


def test_two_dice_that_touch_are_looked_at_though_a_rougher_search_saw_one_between_them(monkeypatch):
    seam, left, right = Place(100, 50, 40, 0.6), Place(80, 50, 40, 0.5), Place(121, 52, 40, 0.5)
    again = Place(108, 50, 40, 0.3)  # the same peak, seen at another scale
    views = Views(np.zeros((100, 200, 3), np.uint8))
    for closer, told in (([left, right], [left, right]), ([again], [])):
        monkeypatch.setattr(finding, "_search_near_hints", lambda *_, closer=closer: closer)
        assert find_touching(views, packed().finder, 40.0, [seam]) == told


def test_no_picture_is_searched_without_end():
    for picture in (textured(), far_table(2, 24.0).picture, far_table(0, 50.0).picture):
        net = Counting()
        first_sight(Views(picture), net, FACES)
        assert net.searched_px < ENOUGH_PX


def test_a_finer_search_looks_only_where_a_rough_one_saw_a_hint():
    views, net = Views(far_table(2, 24.0).picture), Counting()
    find_at_all_scales(views, net)
    whole = net.searched_px
    assert find_finer(views, net, 1)
    assert 0 < net.searched_px - whole <= 8 * TILE_PX**2


def test_however_many_dice_lie_there_weak_hints_are_searched_too():
    """Of a dozen far dice one may be as faint as a speck on the table: all but it would make a wrong total."""
    spread = [(x, y) for y in range(60, 1200, 120) for x in range(60, 1200, 120)]
    strong = [(0.9, *at) for at in spread[:12]]
    weak = [(0.1, *at) for at in spread[12:]]
    corners = _tiles([*strong, *weak], 1280, 1280, enough=50)
    assert len(corners) == 12 + MOST_WEAK
    for _, x, y in strong + weak[:MOST_WEAK]:
        assert any(0 < x - left < TILE_PX and 0 < y - top < TILE_PX for left, top in corners)


def test_no_more_tiles_are_laid_out_than_are_worth_a_search_of_the_whole_picture():
    """Else noise, in which a finder sees thousands of things, would be compared with each other one by one."""
    hints = [(0.9, float(x), float(y)) for y in range(0, 1280, 16) for x in range(0, 1280, 16)]
    assert len(_tiles(hints, 1280, 1280, enough=12.5)) == 13


def test_the_first_finer_search_looks_everywhere():
    """A pale die, or one in the shade, leaves no rougher hint; what lies beside it would be a wrong total."""
    views, net = Views(far_table(1, 24.0).picture), Counting()
    find_at_all_scales(views, net)
    rough = net.searched_px
    find_finer(views, net, 0)
    assert net.searched_px - rough >= 560 * 420


def test_what_was_searched_is_not_searched_again():
    views, net = Views(far_table(2, 40.0).picture), Counting()
    found = find(views, net, 40.0)
    before = net.searched_px
    assert find(views, net, 42.0) == found
    assert net.searched_px == before


def test_another_look_at_a_picture_searches_it_anew_but_shares_its_halves():
    views, net = Views(far_table(2, 40.0).picture), Counting()
    found = find(views, net, 40.0)
    other, before = views.unsearched(), net.searched_px
    assert (other.searched, other.hints, other.glimpsed) == ({}, {}, {})
    assert find(other, net, 40.0) == found
    assert net.searched_px == 2 * before
    assert len(views.searched) == 1
    assert other._halves is views._halves


@pytest.mark.parametrize("die_px", [24.0, 40.0, 70.0, 110.0])
@pytest.mark.parametrize("dice", [1, 3])
def test_frame_after_frame_less_is_searched_and_the_same_dice_are_found(die_px, dice):
    drawn = far_table(dice, die_px)
    first, again = Counting(), Counting()
    scale_px = float(np.median([seen.box[2] for seen in drawn.truth]))
    first_sight(Views(drawn.picture), first, FACES)
    places = find_again(Views(drawn.picture), again, scale_px)
    assert again.searched_px < first.searched_px
    assert all(near(seen, places) for seen in drawn.truth)


@pytest.mark.parametrize("share", [0.6, 1.5])
def test_dice_much_larger_or_smaller_than_those_before_are_found_still(share):
    drawn = far_table(3, 40.0)
    scale_px = float(np.median([seen.box[2] for seen in drawn.truth]))
    places = find_again(Views(drawn.picture), packed().finder, scale_px / share)
    assert all(near(seen, places) for seen in drawn.truth)


def near(seen, places):
    middle = seen.box[0] + seen.box[2] / 2, seen.box[1] + seen.box[3] / 2
    return any(math.hypot(p.x - middle[0], p.y - middle[1]) < seen.box[2] / 5 for p in places)


def test_tiles_answer_alike_alone_and_together():
    net = packed().finder
    picture = far_table(3, 40.0).picture
    tiles = [np.ascontiguousarray(picture[y : y + TILE_PX, x : x + TILE_PX]) for x, y in ((0, 0), (500, 300))]
    together = net.windows(tiles)
    for i, tile in enumerate(tiles):
        np.testing.assert_allclose(together[0][i], net.windows([tile])[0][0], atol=1e-5)


@pytest.mark.parametrize(("size", "factor"), [((1280, 960), 0.875), ((1280, 960), 0.4375), ((700, 933), 0.6)])
@pytest.mark.parametrize("at", [(0, 0), (37, 211), "end"])
def test_a_tile_shows_what_the_whole_picture_at_that_scale_does(size, factor, at):
    picture = cv2.GaussianBlur(textured(size), (0, 0), 3)
    views = Views(picture)
    whole = views.scaled(factor)
    left, top = (whole.shape[1] - TILE_PX, whole.shape[0] - TILE_PX) if at == "end" else at
    tile, scale, corner = views.tile(factor, left, top)
    assert tile.shape == (TILE_PX, TILE_PX, 3)
    assert np.abs(tile.astype(int) - whole[top : top + TILE_PX, left : left + TILE_PX]).mean() < 4
    assert corner == pytest.approx((left / factor, top / factor), abs=2)
    assert scale == pytest.approx((1 / factor, 1 / factor), rel=0.02)


SURE = Place(100, 100, 40, 0.8)


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (Place(120, 100, 40, 0.5), True),
        (Place(126, 100, 40, 0.5), False),
        (Place(100, 126, 40, 0.5), False),
        (Place(100, 100, 56, 0.5), True),
        (Place(100, 100, 64, 0.5), False),
        (Place(100, 100, 24, 0.5), False),
    ],
)
def test_one_thing_seen_twice_is_its_surest_place_and_what_lies_beside_it_or_in_it_another(other, same):
    assert one_each([other, SURE]) == ([SURE] if same else [SURE, other])
    assert beside([other], [SURE]) == ([] if same else [other])


def test_of_places_without_number_the_surest_are_looked_at():
    many = [Place(100 * i, 0, 40, 0.9 - i / 100) for i in range(40)]
    assert one_each(many[::-1]) == many[:32]


def found(heat, size, beside=(0.0, 0.0)):
    """The place of a peak in the sixth row and fifth column, with the heat left and right of it."""
    map_of_heat, sizes = np.zeros((10, 10), np.float32), np.full((10, 10), size, np.float32)
    map_of_heat[5, 4], map_of_heat[5, 3], map_of_heat[5, 5] = heat, *beside
    return places_at(peaks_of(map_of_heat), map_of_heat, sizes, (2.0, 3.0), (10.0, 20.0))


def test_a_peak_in_the_finders_map_is_a_place_in_the_picture():
    (place,) = found(0.9, 20.0)
    assert (place.x, place.y, place.size, place.heat) == pytest.approx((28, 53, 50, 0.9))
    (place,) = found(0.9, 20.0, (0.5, 0.7))  # between its cells, nearer to the hotter neighbour
    assert (place.x, place.y) == pytest.approx((28 + 4 / 6, 53))


@pytest.mark.parametrize(
    ("heat", "size", "places"),
    [(0.06, 20, 0), (0.08, 20, 1), (0.9, 9, 0), (0.9, 13, 1), (0.9, 50, 1), (0.9, 60, 0)],
)
def test_faint_peaks_and_sizes_that_the_finder_cannot_tell_are_no_places(heat, size, places):
    assert len(found(heat, size)) == places


def test_a_crop_may_show_a_picture_higher_around_a_place_above_the_die() -> None:
    place = Place(120.0, 80.0, 44.0, 0.5)  # as large as in the crop
    matrix = Views.crop_matrix(place, tall=1.5, lift=0.25)
    for (x, y), there in (((120, 69), (32, 32)), ((130, 69), (42, 32)), ((120, 79), (32, 47))):
        assert matrix @ (x, y, 1) == pytest.approx(there)
    flipped = Views.crop_matrix(place, tall=1.5, lift=0.25, flip=True)
    assert flipped @ (130, 79, 1) == pytest.approx((22, 47))
    assert np.array_equal(
        Views.crop_matrix(place, turn_deg=9.0), Views.crop_matrix(place, turn_deg=9.0, tall=1, lift=0)
    )
