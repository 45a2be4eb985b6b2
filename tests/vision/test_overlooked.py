"""Dice that touch others are looked for where little hints at them; what is none is not found there."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from companion.vision.first_sight import first_sight
from companion.vision.networks import packed
from companion.vision.overlooked import MOST_HINTS, STEPS, lacking, with_overlooked
from companion.vision.scene import Cube, draw, random_scene
from companion.vision.scene.looks import random_look
from companion.vision.scene.model import DIE_CM
from companion.vision.views import Place, Views

pytestmark = pytest.mark.once
SIZE = (640, 480)
PAIR = packed()


def block(seed: int):
    """Eight dice of one mould, face by face in two rows, and the truth about them."""
    rng = np.random.default_rng(seed)
    scene = random_scene(rng, hardness=0.5, size=SIZE, dice=1, die_px=(34, 60))
    camera = replace(scene.camera, tilt_deg=max(scene.camera.tilt_deg, 30.0))
    look, yaw = random_look(rng, hardness=0.5), math.radians(rng.uniform(0, 360))
    dice = []
    for across, down in product((-1.5, -0.5, 0.5, 1.5), (-0.5, 0.5)):
        x, y = 1.03 * DIE_CM * across, 1.03 * DIE_CM * down
        at = x * math.cos(yaw) - y * math.sin(yaw), x * math.sin(yaw) + y * math.cos(yaw)
        turned = math.degrees(yaw) + 90 * int(rng.integers(4))
        dice.append(Cube(int(rng.integers(1, 7)), *at, turned, DIE_CM, look))
    return draw(replace(scene, camera=camera, dice=tuple(dice), hand=None, things=()), rng)


def at_first_sight(picture):
    views = Views(picture).unsearched()
    return views, first_sight(views, PAIR.finder, PAIR.faces)


def found(places, truth):
    """Which of the dice lie at one of the places."""
    middles = [
        (x + width / 2, y + height / 2, max(width, height)) for x, y, width, height in (one.box for one in truth)
    ]
    return [any(math.hypot(p.x - x, p.y - y) < 0.3 * size for p in places) for x, y, size in middles]


def test_of_dice_that_touch_some_that_were_overlooked_are_found():
    before = after = 0
    for seed in (3, 15, 19, 21, 23, 28, 36, 38):
        drawn = block(seed)
        views, places = at_first_sight(drawn.picture)
        before += sum(found(places, drawn.truth))
        after += sum(found(with_overlooked(views, places, PAIR.faces, PAIR.keen), drawn.truth))
    assert after >= before + 3


@pytest.mark.parametrize("seed", range(1, 7))
def test_dice_that_lie_apart_are_left_where_they_were_found(seed):
    rng = np.random.default_rng(seed)
    scene = random_scene(rng, hardness=0.0, size=SIZE, dice=1, die_px=(40, 50))
    two = [replace(scene.dice[0], x=x, y=0.0, z=0.0, lean_deg=0.0) for x in (-2.0 * DIE_CM, 2.0 * DIE_CM)]
    views, places = at_first_sight(draw(replace(scene, dice=tuple(two), hand=None, things=()), rng).picture)
    assert with_overlooked(views, places, PAIR.faces, PAIR.keen) == places


def test_where_nothing_was_found_nothing_is_looked_for():
    views = Views(np.full((*SIZE[::-1], 3), 128, np.uint8))
    assert with_overlooked(views, [], PAIR.faces, PAIR.keen) == []
    assert not views.glimpsed


class Faces:
    """A face where the picture is bright, and there alone; counts what it was asked about."""

    def __init__(self, nothing=0.0):
        self.asked, self.nothing = 0, nothing

    def __call__(self, crops):
        self.asked += len(crops)
        logits = np.full((len(crops), 8), -1.0, np.float32)
        logits[:, 5] = (crops[:, 32, 32, 0].astype(float) - 200) / 8
        logits[:, 0] = self.nothing
        return logits, np.zeros((len(crops), 6, 16, 16), np.float32)


def spotted_table(*middles):
    """Grey, with a bright square of 12 px at each of these places."""
    picture = np.full((300, 300, 3), 64, np.uint8)
    for x, y in middles:
        picture[y - 6 : y + 7, x - 6 : x + 7] = 255
    return Views(picture).unsearched()


DIE = Place(100.0, 150.0, 40.0, 0.8)


def test_a_hint_leads_to_a_face_that_lies_beside_it():
    views = spotted_table((100, 150), (149, 150))
    views.hints[0.5] = [(0.04, 140.0, 150.0)]  # x is 9 px short of the face: 0.22 of a die
    places = with_overlooked(views, [DIE], Faces(), Faces())
    assert places == [DIE, Place(pytest.approx(148.8), 150.0, 40.0, 0.04)]


def test_keen_faces_may_contradict():
    views = spotted_table((100, 150), (149, 150))
    views.hints[0.5] = [(0.04, 140.0, 150.0)]
    assert with_overlooked(views, [DIE], Faces(), keen := Faces(nothing=20.0)) == [DIE]
    assert keen.asked == 1, "places so near to it are the same thing"


def test_nothing_is_found_in_a_plain_die_nor_far_from_all():
    views = spotted_table((100, 150), (118, 150), (200, 150))
    views.hints[0.5] = [(0.3, 118.0, 150.0), (0.3, 200.0, 150.0)]  # 0.45 and 2.5 sizes away
    assert with_overlooked(views, [DIE], Faces(), Faces()) == [DIE]


def test_a_place_that_shows_no_face_gives_way_to_one_beside_it_that_does_and_lends_it_its_heat():
    views, vague = spotted_table((100, 150), (149, 150)), Place(140.0, 150.0, 44.0, 0.5)
    assert with_overlooked(views, [DIE, vague], Faces(), Faces()) == [
        DIE,
        Place(pytest.approx(148.8), 150.0, 40.0, 0.5),
    ]


@pytest.mark.parametrize("x", [60, 140, 220])
def test_a_row_hints_at_the_dice_before_between_and_after_those_that_are_found(x):
    row = [60, 100, 140, 180, 220]
    views = spotted_table(*((at, 150) for at in row))
    known = [replace(DIE, x=float(at)) for at in row if at != x]
    places = with_overlooked(views, known, Faces(), Faces())
    assert [place for place in places if place not in known] == [Place(float(x), 150.0, 40.0, 0.05)]


def test_however_many_hints_there_are_only_so_many_are_followed():
    views, faces = spotted_table((100, 150)), Faces()
    ring = [(math.cos(math.radians(turn)), math.sin(math.radians(turn))) for turn in range(0, 360, 5)]
    views.hints[0.5] = [(0.1, 100 + far * x, 150 + far * y) for far in (30.0, 40.0, 50.0) for x, y in ring]
    with_overlooked(views, [DIE], faces, Faces())
    assert MOST_HINTS < faces.asked <= 1 + MOST_HINTS * (1 + len(STEPS) ** 2)


def test_what_the_others_show_where_no_place_lies_is_lacking():
    there = [DIE, replace(DIE, x=145.0)]
    others = [replace(DIE, x=110.0), replace(DIE, y=190.0), replace(DIE, x=145.0, size=44.0)]
    assert lacking(there, others) == [others[1]]
    assert lacking([], others) == others
