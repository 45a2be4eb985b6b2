"""Staged tables: what is known of them before light is traced, and, where Blender is installed, that it is shown."""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from companion.ports import Picture
from companion.vision.labels import labels_in
from tests.bench.labelled import Shown
from tests.bench.staged import __main__ as command
from tests.bench.staged.camera import Camera, random_camera
from tests.bench.staged.chance import Array
from tests.bench.staged.design import LEFT_HANDED, RIGHT_HANDED, STYLES, Design, pips, random_design
from tests.bench.staged.develop import developed
from tests.bench.staged.dice import lifted
from tests.bench.staged.grounds import GROUNDS, SIDE, random_ground
from tests.bench.staged.lamps import LIGHTS, WEIGHTS
from tests.bench.staged.legible import Pips, Sight, Told, measured, narrowest, told
from tests.bench.staged.lens import Lens
from tests.bench.staged.model import Die, Foot, Scene
from tests.bench.staged.shape import CELL_PX, FRAMES, shape
from tests.bench.staged.solids import Finish, Mesh, Part, box
from tests.bench.staged.table import BARE, KINDS, random_scene
from tests.bench.staged.things import HAND, THINGS

pytestmark = pytest.mark.once

DESIGNS = [random_design(np.random.default_rng(seed)) for seed in range(200)]
CLEAR_SIGHT = Sight(1.0, True)


def scene(kind: str, number: int) -> Scene:
    return random_scene(np.random.default_rng(number), kind, number)


def a_die(value: int = 5, *, x: float = 0.0, y: float = 0.0, design: Design | None = None) -> Die:
    design = design or next(one for one in DESIGNS if one.style == "classic" and not one.wear)
    return Die(design, shape(design, 24), value, x, y, yaw=0.7, edge=0.016)


@pytest.mark.parametrize("values", [RIGHT_HANDED, LEFT_HANDED])
def test_opposite_faces_make_seven(values: tuple[int, ...]) -> None:
    assert [one + two for one, two in zip(values[::2], values[1::2], strict=True)] == [7, 7, 7]
    assert (FRAMES[::2, 2] == -FRAMES[1::2, 2]).all()


def test_faces_are_told_the_right_way_round_and_dice_are_of_either_hand() -> None:
    assert np.linalg.det(FRAMES) == pytest.approx(1)
    hands = {}
    for values in {design.values for design in DESIGNS}:
        one, two, three = (FRAMES[values.index(value)][2] for value in (1, 2, 3))
        hands[values] = round(float(np.cross(one, two) @ three))
    assert hands == {RIGHT_HANDED: 1, LEFT_HANDED: -1}


@pytest.mark.parametrize("value", range(1, 7))
def test_the_face_of_the_value_is_up(value: int) -> None:
    die = a_die(value)
    face = FRAMES[die.design.values.index(value)]
    assert die.turn @ face[2] == pytest.approx([0, 0, 1])
    assert np.linalg.det(die.turn) == pytest.approx(1)
    own = (die.pips() - die.middle) @ die.turn * 2 / die.edge  # as the face itself has them
    assert own @ face[:2].T == pytest.approx(np.array(pips(die.design, value))[:, :2])
    assert die.surface()[:, 2].min() == pytest.approx(0, abs=1e-4)


def test_every_style_comes_and_a_design_is_the_same_for_the_same_chance() -> None:
    assert {design.style for design in DESIGNS} == set(STYLES)
    again = random_design(np.random.default_rng(7))
    assert repr(again) == repr(DESIGNS[7]) != repr(DESIGNS[8])


def test_each_face_is_inked_with_as_many_pips_as_its_value() -> None:
    for design in DESIGNS[:20]:
        ink = shape(design, 24).atlas[..., 0]
        cells = [ink[row : row + CELL_PX, column : column + CELL_PX] for row in (0, 256) for column in (0, 256, 512)]
        assert tuple(cv2.connectedComponents((cell > 0.5).astype(np.uint8))[0] - 1 for cell in cells) == design.values


def test_the_body_of_a_die_is_closed() -> None:
    mesh = a_die().shape.mesh
    edges = np.sort(np.concatenate([np.roll(mesh.faces, turn, 1)[:, :2] for turn in range(4)]), axis=1)
    _, counts = np.unique(edges, axis=0, return_counts=True)
    assert (counts == 2).all()
    assert np.abs(mesh.vertices).max() == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_no_two_dice_lie_in_each_other_and_all_are_aimed_at(kind: str) -> None:
    for number in range(10):
        table = scene(kind, number)
        for one, other in combinations(table.dice, 2):
            assert not one.foot.meets(other.foot)
        for die in table.dice:
            x, y = table.camera.pixels(die.middle)
            assert 0 < x < table.camera.width
            assert 0 < y < table.camera.height


def test_a_tenth_of_tables_is_empty() -> None:
    assert [number for number in (4, 5, 6, 15) if not scene("table", number).dice] == [5, 15]


def test_a_table_is_the_same_for_the_same_number() -> None:
    one, same, other = (scene("table", number) for number in (3, 3, 4))
    assert [(die.value, die.x, die.y) for die in one.dice] == [(die.value, die.x, die.y) for die in same.dice]
    assert np.array_equal(one.light.room, same.light.room)
    assert not np.array_equal(one.camera.eye, other.camera.eye)


def test_feet_that_are_turned_meet_where_their_corners_do() -> None:
    square = Foot(0, 0, 1, 1, 0)
    assert square.meets(Foot(2.3, 0, 1, 1, np.pi / 4))
    assert not square.meets(Foot(2.3, 2.3, 1, 1, np.pi / 4))
    assert not square.meets(Foot(2.1, 0, 1, 1, 0))
    assert square.meets(Foot(2.1, 0, 1, 1, 0), gap=0.2)


def test_dice_lie_on_the_uppermost_card_that_is_under_them() -> None:
    cards = [(Foot(0, 0, 0.03, 0.04, 0.3), 0.001), (Foot(0.01, 0, 0.03, 0.04, 1.0), 0.002)]
    on, beside = lifted([a_die(), a_die(x=0.2)], cards)
    assert (on.lifted, beside.lifted) == (0.002, 0)


@pytest.mark.parametrize("kind", GROUNDS)
def test_a_ground_is_a_picture(kind: str) -> None:
    picture = random_ground(np.random.default_rng(1), kind).finish.colour
    assert picture.shape == (SIDE, SIDE, 3)
    assert picture.min() >= 0
    assert picture.max() <= 1
    assert np.array_equal(random_ground(np.random.default_rng(1), kind).finish.colour, picture)


@pytest.mark.parametrize("name", [*THINGS, "hand"])
def test_a_thing_stands_on_the_table_and_on_no_more_of_it_than_its_foot(name: str) -> None:
    kind = THINGS.get(name, HAND)
    parts = kind.make(np.random.default_rng(1))
    assert parts
    for part in parts:
        if isinstance(part.body, Mesh):
            low, high = part.body.vertices.min(0) + part.at, part.body.vertices.max(0) + part.at
            assert low[2] >= -1e-9
            assert (np.maximum(-low, high)[:2] <= np.array(kind.half) + 0.001).all()


def test_what_is_weighed_is_there() -> None:
    assert {len(weights) for weights in BARE.values()} == {len(GROUNDS)}
    assert {len(weights) for weights in WEIGHTS.values()} == {len(LIGHTS)}


def test_a_camera_sees_the_ground_where_it_shows_it() -> None:
    for seed, kind in enumerate(KINDS * 5):
        camera = random_camera(np.random.default_rng(seed), kind)
        assert np.linalg.det(camera.axes) == pytest.approx(1)
        assert camera.pixels(np.array([0, 0, 0.005])) == pytest.approx([camera.width / 2, camera.height / 2])
        at = camera.ground(0.3 * camera.width, 0.9 * camera.height)
        assert at is not None
        assert at[2] == pytest.approx(0, abs=1e-9)
        assert camera.pixels(at) == pytest.approx([0.3 * camera.width, 0.9 * camera.height])


@pytest.mark.parametrize("bend", [-0.2, 0.03])
def test_a_lens_shows_things_where_its_labels_are(bend: float) -> None:
    lens, straight = Lens(320, 240, bend, 0.0), np.zeros((240, 320, 3), np.float32)
    cv2.circle(straight, (60, 50), 3, (1, 1, 1), cv2.FILLED)
    down, across = np.nonzero(lens.bent(straight)[..., 1] > 0.5)
    assert lens.pixels(np.array([60, 50])) == pytest.approx([across.mean(), down.mean()], abs=0.5)
    assert abs(across.mean() - 60) > 0.3


def drawn(value: int, design: Design, *, ink: int = 20, missing: int = 0) -> Array:
    """The upper face of a white die, its first row the lowest."""
    top, half = np.full((96, 96, 3), 200, np.float32), 96 / 2 / 0.98
    for x, y, radius in pips(design, value)[missing:]:
        at = (round(48 + x * half), round(48 + y * half))
        cv2.circle(top, at, round(radius * half), (ink,) * 3, cv2.FILLED)
    return top


@pytest.mark.parametrize("value", range(1, 7))
def test_pips_that_are_plain_can_be_told_and_those_that_are_not_cannot(value: int) -> None:
    design = a_die().design
    assert not measured(drawn(value, design), design, value).lost()
    assert measured(drawn(value, design, ink=190), design, value).lost()
    assert measured(drawn(value, design, missing=1), design, value).lost()


@pytest.mark.parametrize(("contrast", "lost"), [(69.0, True), (71.0, False)])
def test_what_is_rather_pale_must_be_told_plainly_in_grain(contrast, lost):
    assert Pips(contrast, weakest=30.0, gap=0.65, signal=5.5, grain=3.0).lost() is lost
    assert not Pips(contrast, weakest=30.0, gap=0.65, signal=5.5, grain=2.0).lost()


def test_a_face_seen_aslant_is_as_narrow_as_its_shorter_axis() -> None:
    assert narrowest(np.array([(0, 0), (40, 0), (40, 8), (0, 8)])) == pytest.approx(8)


def labelled(die: Die, *, sight: Sight = CLEAR_SIGHT, die_px: float = 60) -> tuple[Told, ...]:
    """Its label, its upper face as plain as can be."""
    rig = scene("rig", 1)
    eye = np.array([0, 0, 0.005 + 640 * 0.016 / die_px])
    camera = replace(rig.camera, view_deg=53.13, eye=eye, axes=np.eye(3))
    table = replace(rig, camera=camera, dice=(die,))
    picture, lens = np.full((480, 640, 3), 200, np.uint8), Lens(640, 480, 0.0, 0.0)
    for at, (*_, radius) in zip(camera.pixels(die.pips()), pips(die.design, die.value), strict=True):
        cv2.circle(picture, tuple(np.round(at).astype(int)), round(radius * die_px / 2), (20, 20, 20), cv2.FILLED)
    return told(picture, table, lens, (sight,))


def test_a_label_has_the_value_and_the_box_of_the_whole_die() -> None:
    ((value, (x, y, width, height), ignored),) = [(one.value, one.box, one.ignored) for one in labelled(a_die())]
    assert (value, ignored) == (5, False)
    assert (x + width / 2, y + height / 2) == pytest.approx((320, 240), abs=2)
    assert 60 < width < 1.5 * 60
    assert 60 < height < 1.5 * 60


def test_dice_that_are_hidden_cut_off_or_tiny_are_ignored_and_those_beyond_the_picture_untold() -> None:
    assert [one.ignored for one in labelled(a_die(), sight=Sight(0.66, True))] == [True]
    assert [one.ignored for one in labelled(a_die(), sight=Sight(0.9, False))] == [True]
    assert [one.ignored for one in labelled(a_die(), die_px=9)] == [True]
    (cut,) = labelled(a_die(x=-0.083))
    assert cut.ignored
    assert cut.box[0] == 0
    assert cut.box[2] < cut.box[3] / 1.5
    assert labelled(a_die(x=0.2)) == ()


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_is_developed_the_same_for_the_same_chance(kind: str) -> None:
    table = scene(kind, 1)
    light = np.full((table.camera.height, table.camera.width, 3), 0.01, np.float32)
    light[:40, :40] = 5.0
    one, same, other = (developed(light, table, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)
    assert one.dtype == np.uint8
    assert 20 < one[60:].mean() < 250


def test_without_blender_it_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "tests.bench.staged.picture", None)
    assert command.main([str(tmp_path), "--count", "1"]) == 2
    assert "pip install '.[traced]' in a checkout" in capsys.readouterr().err


def test_what_is_ignored_is_said_in_the_label_of_its_die(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def render(kind: str, number: int) -> Shown:
        picture: Picture = np.full((48, 64, 3), number, np.uint8)
        return Shown(picture, (3, 4), ((1, 2, 9, 9), (20, 2, 9, 9)), frozenset({1}))

    monkeypatch.setitem(sys.modules, "tests.bench.staged.picture", SimpleNamespace(render=render))
    assert command.main([str(tmp_path), "--kinds", "hard", "--count", "2", "--first", "7"]) == 0
    labels = labels_in(tmp_path)
    assert [label.image for label in labels] == ["hard/00007.png", "hard/00008.png"]
    assert [(die.value, die.ignore) for die in labels[0].dice] == [(3, False), (4, True)]


@pytest.mark.usefixtures("blender")
class TestStaged:
    """Needs Blender: pip install '.[traced]'."""

    def small(self, *dice: Die, parts: tuple[Part, ...] = ()) -> Scene:
        """From straight above, with the ground and the light of some table."""
        table = scene("rig", 2)
        camera: Camera = replace(
            table.camera, width=160, height=120, view_deg=30, eye=np.array([0, 0, 0.2]), axes=np.eye(3), focus=0.19
        )
        return replace(table, camera=camera, dice=dice, parts=(*table.parts[:1], *parts), shades=())

    def test_pips_are_where_they_are_told(self) -> None:
        from tests.bench.staged.blender import staged

        white = next(one for one in DESIGNS if one.style == "classic" and one.ink.max() < 0.1 < 0.7 < one.body.min())
        table = self.small(a_die(6, design=replace(white, wear=0.0)))
        light, (sight,) = staged(table, 1)
        assert light.shape == (120, 160, 3)
        assert sight == CLEAR_SIGHT
        grey, places = light.mean(axis=2), table.camera.pixels(table.dice[0].pips())
        columns, rows = np.round(places).astype(int).T
        x, y = np.round(places.mean(axis=0)).astype(int)
        assert grey[rows, columns].max() < 0.6 * grey[y, x]

    def test_what_lies_over_a_die_hides_it(self) -> None:
        from tests.bench.staged.blender import staged

        die = a_die(4)
        roof = Part(box(0.02, 0.04, 0.001), Finish(np.full(3, 0.5)), (0.012, 0, 0.03))
        _, (beside, under) = staged(self.small(a_die(4, y=-0.03, x=-0.02), die, parts=(roof,)), 1)
        assert beside == CLEAR_SIGHT
        assert 0.2 < under.shown < 0.8
        assert not under.whole

    def test_every_thing_can_be_built(self) -> None:
        from tests.bench.staged.blender import staged

        rng = np.random.default_rng(1)
        things = tuple(part for kind in (*THINGS.values(), HAND) for part in kind.make(rng))
        light, _ = staged(self.small(parts=things), 1)
        assert np.isfinite(light).all()
        assert light.std() > 0

    def test_a_picture_is_the_same_for_its_number(self) -> None:
        from tests.bench.staged.picture import render

        one, same = render("rig", 1), render("rig", 1)
        assert np.array_equal(one.picture, same.picture)
        assert (one.values, one.boxes, one.ignored) == (same.values, same.boxes, same.ignored)
        assert one.picture.shape == (480, 640, 3)
        for (x, y, width, height), value in zip(one.boxes, one.values, strict=True):
            assert 1 <= value <= 6
            assert min(x, y) >= 0
            assert x + width <= 640
            assert y + height <= 480
