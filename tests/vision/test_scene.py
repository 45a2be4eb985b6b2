"""The renderer of dice scenes: the same seed gives the same picture, and its truth is where the dice are."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.vision.scene import (
    Camera,
    Cube,
    Finish,
    Look,
    Scene,
    Thing,
    draw,
    random_look,
    random_scene,
)
from companion.vision.scene.faces import PIPS, pip_places
from companion.vision.scene.geometry import face_frames, pose
from companion.vision.scene.model import EVEN
from companion.vision.scene.things import KINDS as THINGS
from companion.vision.scene.things import SIZES
from companion.vision.scene.tiles import KINDS as GROUNDS
from companion.vision.scene.tiles import tile


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


CLEAN = Finish(blur_px=0, noise=0, jpeg=0, vignette=0)


def test_the_same_seed_gives_the_same_scene_and_picture() -> None:
    one, two = (random_scene(rng(3), size=(160, 120)) for _ in range(2))
    assert one == two
    assert np.array_equal(draw(one, rng(1)).picture, draw(two, rng(1)).picture)
    assert not np.array_equal(draw(one, rng(1)).picture, draw(one, rng(2)).picture)


@pytest.mark.parametrize("mirrored", [False, True])
def test_opposite_faces_sum_to_seven(mirrored: bool) -> None:
    normals = face_frames(Look(mirrored=mirrored))[:, 0]
    assert np.array_equal(normals, -normals[::-1])


def test_one_two_three_run_counter_clockwise_or_are_mirrored() -> None:
    for mirrored, hand in ((False, 1), (True, -1)):
        one, two, three = face_frames(Look(mirrored=mirrored))[:3, 0]
        assert np.dot(np.cross(one, two), three) == hand


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("value", range(1, 7))
def test_the_value_lies_up_and_the_die_stands_on_the_table(value: int, mirrored: bool) -> None:
    cube = Cube(value, 1, 2, 37, look=Look(mirrored=mirrored))
    axes, centre = pose(cube)
    assert axes @ face_frames(cube.look)[value - 1][0] == pytest.approx([0, 0, 1])
    assert np.linalg.det(axes) == pytest.approx(1)
    assert centre == pytest.approx([1, 2, cube.size / 2])


def test_a_leaning_die_is_cocked_and_has_no_value() -> None:
    scene = Scene(dice=(Cube(4, 0, 0, lean_deg=25, lean_to_deg=50),), finish=CLEAN)
    (seen,) = draw(scene, rng()).truth
    assert (seen.value, seen.face, seen.tags) == (None, "4", frozenset({"cocked"}))


def test_the_two_three_and_six_lie_either_way() -> None:
    for face in "236":
        ways = {frozenset(pip_places(Look(turns=(t, t, t)), face)) for t in (False, True)}
        assert len(ways) == 2
    assert len(pip_places(Look(), "6")) == 6


def test_faces_are_laid_out_as_moulds_have_them_and_their_pips_hardly_overlap() -> None:
    looks = [random_look(rng(seed)) for seed in range(300)]
    for look in looks:
        for face in PIPS:
            places = np.array(pip_places(look, face))
            radius = look.one_radius if face == "1" else look.pip_radius
            assert len(places) == int(face)
            assert np.abs(places).max() + radius < 0.5
            apart = np.linalg.norm(places[:, None] - places[None], axis=2)[np.triu_indices(len(places), 1)]
            assert apart.min(initial=1) > 1.59 * radius
    even = sum(len(set(look.spreads)) == 1 for look in looks) / len(looks)
    assert 0.2 < even < 0.4
    columns = [2 * look.spreads[5][0] / look.spreads[5][1] for look in looks]
    assert min(columns) < 1.4
    assert max(columns) > 1.9


class OldGenerator(np.random.Generator):
    """As numpy 1.24 has it."""

    def __getattribute__(self, name: str) -> object:
        if name == "spawn":
            raise AttributeError(name)
        return super().__getattribute__(name)


def test_layouts_are_drawn_apart_with_any_numpy_and_change_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    one, old = rng(4), OldGenerator(np.random.PCG64(4))
    assert [random_look(one) for _ in range(5)] == [random_look(old) for _ in range(5)]
    looks = [random_look(rng(seed)) for seed in range(20)]
    monkeypatch.setattr("companion.vision.scene.looks.random_spreads", lambda *_: EVEN)
    assert [replace(look, spreads=EVEN) for look in looks] == [random_look(rng(seed)) for seed in range(20)]


@pytest.mark.parametrize("seed", range(12))
def test_pips_lie_in_the_top_face_and_the_top_face_in_the_box(seed: int) -> None:
    scene = random_scene(rng(seed), size=(320, 240), dice=4)
    for cube, seen in zip(scene.dice, draw(scene, rng()).truth, strict=True):
        corners = np.array(seen.corners, np.float32)
        if seen.value is not None:
            assert (seen.value, len(seen.pips)) == (cube.value, cube.value)
        for pip in seen.pips:
            assert cv2.pointPolygonTest(corners, pip, False) > 0
        x, y, w, h = seen.box
        assert x <= seen.centre[0] <= x + w
        assert y <= seen.centre[1] <= y + h
        assert 0 <= seen.visible <= 1


def test_pips_are_dark_where_the_truth_says() -> None:
    for value in range(1, 7):
        scene = Scene(
            dice=(Cube(value, 0.4, -0.3, 20),),
            camera=Camera(distance=22, tilt_deg=35),
            finish=replace(CLEAN, barrel=0.1),
        )
        drawn = draw(scene, rng())
        (seen,) = drawn.truth
        at = [drawn.picture[round(y), round(x)].mean() for x, y in seen.pips]
        assert len(at) == value
        assert max(at) < 90
        first, second = (np.array(seen.corners[i]) * 0.9 + np.array(seen.centre) * 0.1 for i in (0, 1))
        between = ((first + second) / 2).round().astype(int)
        assert drawn.picture[between[1], between[0]].mean() > 120


def test_a_die_behind_another_is_less_visible() -> None:
    camera = Camera(distance=25, tilt_deg=60)
    front, back = Cube(1, 0, 0), Cube(2, 0, 2.0)
    near, far = draw(Scene((front, back), camera, finish=CLEAN), rng()).truth
    assert near.visible == 1
    assert 0.4 < far.visible < 0.95


def test_a_die_cut_by_the_rim_of_the_picture_is_less_visible() -> None:
    (seen,) = draw(Scene((Cube(5, 18.2, 0),), Camera(tilt_deg=0), finish=CLEAN), rng()).truth
    assert 0.1 < seen.visible < 0.9


def test_icon_faces_have_no_value() -> None:
    look = replace(random_look(rng(1)), faces=("star",) * 6)
    (seen,) = draw(Scene((Cube(3, 0, 0, look=look),), finish=CLEAN), rng()).truth
    assert (seen.value, seen.face, seen.pips) == (None, "star", ())
    assert "icon" in seen.tags


@pytest.mark.parametrize("kind", THINGS)
def test_every_thing_can_be_seen_and_is_no_die(kind: str) -> None:
    camera = Camera(80, 60, distance=40, focal_px=90)
    empty, drawn = (
        draw(Scene(camera=camera, things=things, finish=CLEAN), rng())
        for things in ((), (Thing(kind, 0, 0, 20, SIZES[kind][1], 5),))
    )
    assert drawn.truth == ()
    assert np.abs(drawn.picture.astype(int) - empty.picture).max() > 20


@pytest.mark.parametrize("kind", sorted(GROUNDS))
def test_every_ground_is_the_same_for_a_seed_and_repeats_without_a_seam(kind: str) -> None:
    pattern = tile(kind, 3, 1).astype(int)
    assert pattern.shape == (256, 256, 2)
    assert np.array_equal(pattern, tile.__wrapped__(kind, 3, 1))
    within = np.abs(pattern[:, 1:] - pattern[:, :-1]).mean()
    assert np.abs(pattern[:, 0] - pattern[:, -1]).mean() < 3 * within + 12


def test_unknown_names_are_refused_with_what_there_is() -> None:
    with pytest.raises(ValueError, match=r"no die face is called 'sun'; there are .*star"):
        draw(Scene((Cube(1, 0, 0, look=Look(faces=("sun",) * 6)),)), rng())
