"""Names beside boxes: each in the picture, and on nothing that it does not name, wherever there is room."""

from itertools import combinations
from random import Random

import pytest

from companion.vision.naming import Rect, Sheet, names

SHEET = Sheet(width=640, height=480, rim=2, line=20, apart=3)
TEXTS = (("4 99%", 51), ("4", 11))


def told(*boxes, sheet=SHEET):
    return names(sheet, boxes, [TEXTS for _ in boxes])


def overlap(one, other):
    return one.left < other.right and other.left < one.right and one.top < other.foot and other.top < one.foot


def box(x, y, side=40):
    return Rect(x, y, x + side, y + side)


def test_a_name_stands_above_a_box_that_lies_alone():
    assert told(box(100, 200)) == [("4 99%", (100, 180, 151, 200))]


@pytest.mark.parametrize(
    ("at", "place"),
    [((100, 5), (100, 45, 151, 65)), ((-9, 200), (2, 180, 53, 200)), ((610, 200), (587, 180, 638, 200))],
)
def test_at_the_rim_it_is_written_whole(at, place):
    assert told(box(*at)) == [("4 99%", place)]


def test_at_the_foot_of_a_box_as_large_as_the_picture():
    assert told(Rect(-5, -5, 700, 500)) == [("4 99%", (2, 460, 53, 480))]


def test_one_that_covers_least_where_there_is_room_for_none():
    wall = [box(x, y, 18) for x in range(0, 640, 18) for y in range(0, 480, 18)]
    name = told(box(300, 200), *wall)[0]
    assert name.text == "4"
    assert not overlap(name.at, box(300, 200))


@pytest.mark.parametrize("seed", range(40))
def test_in_a_crowd_no_name_lies_on_another_box_or_name(seed):
    """Dice anywhere, some of them face to face, but never on each other."""
    chance, boxes = Random(seed), []
    while len(boxes) < 20:
        new = box(chance.randrange(0, 600), chance.randrange(0, 440), chance.randrange(24, 48))
        if not any(overlap(new, old) for old in boxes):
            boxes.append(new)
    found = told(*boxes)
    for number, name in enumerate(found):
        assert name.at.left >= 2
        assert name.at.right <= 638
        assert name.at.top > 0
        assert name.at.foot <= 480
        assert not any(overlap(name.at, other) for other in boxes), number
    assert not any(overlap(one.at, other.at) for one, other in combinations(found, 2))
    assert sum(name.text == "4 99%" for name in found) >= 10
