"""Traced scenes: what is known of them before any light is traced, and, where Blender is installed, that it is true."""

from __future__ import annotations

import json
import re
import signal
import sys
from contextlib import suppress
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from companion.pictures import BadPicture
from companion.vision.labels import BadLabels, labels_in
from companion.vision.scene import PIP_FACES
from companion.vision.traced import __main__ as command
from companion.vision.traced import chance, decoys, looks, prints
from companion.vision.traced.exposure import exposed
from companion.vision.traced.geometry import corners, on_top, pip_places, pixels, place, pose, sides, solid
from companion.vision.traced.legible import contrasts
from companion.vision.traced.model import Camera, Cube, Exposure, Floats, Lamp, Look, Mark, Print, Scene, Seen, Sky
from companion.vision.train.pictures import TRACED, UNREAD
from companion.vision.train.traced import traced_examples

pytestmark = pytest.mark.once

WHITE = Look("plain", ((0.8, 0.8, 0.8),), (0.0, 0.0, 0.0), Print(PIP_FACES))
ABOVE = Camera(640, 480, distance=20.0, slant=0.0, heading=0.0, roll=0.0, fov=0.8)


def cube(value: int = 5, *, look: Look = WHITE, lean: float = 0.0) -> Cube:
    return Cube(look, value, 0.0, 0.0, yaw=0.7, lean=lean)


@pytest.mark.parametrize("mirrored", [False, True])
def test_opposite_faces_make_seven_and_the_hand_of_a_die_is_told(mirrored: bool) -> None:
    normals = sides(Look("plain", ((1, 1, 1),), (0, 0, 0), WHITE.print, mirrored=mirrored))
    assert (normals + normals[::-1] == 0).all()
    hand = float(np.dot(np.cross(normals[0], normals[1]), normals[2]))
    assert hand == pytest.approx(-1 if mirrored else 1)


@pytest.mark.parametrize("value", range(1, 7))
def test_the_face_of_the_value_is_up(value: int) -> None:
    axes, middle = pose(cube(value))
    assert axes @ sides(WHITE)[value - 1] == pytest.approx([0, 0, 1])
    assert np.linalg.det(axes) == pytest.approx(1)
    assert middle[2] == pytest.approx(0.5)


def test_a_leaning_die_touches_the_table_with_one_corner() -> None:
    lowest = np.sort(corners(cube(lean=0.5))[:, 2])
    assert lowest[0] == pytest.approx(0, abs=1e-9)
    assert lowest[1] > 0.01


def test_a_camera_sees_the_middle_of_the_table_in_its_middle() -> None:
    for slant in (0.0, 0.4, 0.9):
        camera = Camera(640, 480, distance=20.0, slant=slant, heading=2.0, roll=0.3, fov=0.8)
        axes, at = place(camera)
        assert np.linalg.det(axes) == pytest.approx(1)
        assert np.linalg.norm(at - [0, 0, 0.5]) == pytest.approx(20)
        assert pixels(camera, np.array([[0, 0, 0.5]])) == pytest.approx(np.array([[320, 240]]))


def test_a_pinhole_shows_an_edge_as_long_as_its_focal_length_says() -> None:
    ends = pixels(ABOVE, np.array([[0, 0, 0.5], [1, 0, 0.5]]))
    assert np.linalg.norm(ends[1] - ends[0]) == pytest.approx(320 / np.tan(0.4) / 20)


def test_pips_lie_within_the_face_that_is_up() -> None:
    for value in range(1, 7):
        places = pixels(ABOVE, on_top(cube(value), pip_places(WHITE.print, value)))
        assert len(places) == value
        assert np.abs(places.mean(axis=0) - [320, 240]).max() < 0.01
        assert np.abs(places - [320, 240]).max() < 16


@pytest.mark.parametrize(("faces", "corners_of", "corners_a_face"), [(8, 6, 3), (10, 12, 4), (12, 20, 5), (20, 12, 3)])
def test_a_solid_lies_flat_and_is_as_high_as_a_cube(faces: int, corners_of: int, corners_a_face: int) -> None:
    ends, normal = solid(faces)
    heights = ends @ normal
    assert len(np.unique(ends.round(6), axis=0)) == corners_of
    assert np.linalg.norm(normal) == pytest.approx(1)
    assert heights.max() == pytest.approx(0.5)
    assert (heights > 0.5 - 1e-9).sum() == (heights < -0.5 + 1e-9).sum() == corners_a_face


def test_no_other_solid_is_known() -> None:
    with pytest.raises(ValueError, match="7 faces"):
        solid(7)


def test_dice_of_many_faces_show_numbers_that_they_have() -> None:
    rng = np.random.default_rng(1)
    dice = [looks.many_sided(rng) for _ in range(200)]
    assert {die.faces for die in dice} == {8, 10, 12, 20}
    for die in dice:
        numbers = [int(sign.removeprefix("numeral ")) for sign in die.print.signs]
        assert len(set(numbers)) == 6
        assert 1 <= min(numbers) <= max(numbers) <= die.faces
    assert not die.print.pips


def fonts_are_installed() -> bool:
    try:
        prints.check_fonts()
    except prints.MissingFonts:
        return False
    return True


needs_fonts = pytest.mark.skipif(not fonts_are_installed(), reason=f"fonts are not installed: {prints.FETCH}")


@needs_fonts
def test_a_number_of_two_digits_is_printed_once_in_the_middle() -> None:
    ink = prints.atlas(Print(("numeral 1", "numeral 17", *("numeral 8",) * 4)))[:256, :, 3] > 0.5
    one, seventeen = (np.argwhere(ink[:, start : start + 256]) for start in (0, 256))
    assert len(seventeen) > 1.5 * len(one)
    assert np.abs((seventeen.min(axis=0) + seventeen.max(axis=0)) / 2 - 127.5).max() < 6


def test_a_six_has_its_rows_where_its_spreads_say_either_way() -> None:
    spreads = ((0.25, 0.25),) * 5 + ((0.15, 0.3),)
    upright, turned = (
        sorted(pip_places(Print(PIP_FACES, spreads=spreads, turned=(turn,) * 6), 6)) for turn in (False, True)
    )
    assert upright == [(-0.15, -0.3), (-0.15, 0), (-0.15, 0.3), (0.15, -0.3), (0.15, 0), (0.15, 0.3)]
    assert turned == [(-0.3, -0.15), (-0.3, 0.15), (0, -0.15), (0, 0.15), (0.3, -0.15), (0.3, 0.15)]


@pytest.mark.parametrize("kind", chance.KINDS)
def test_a_scene_holds_what_its_kind_says(kind: str) -> None:
    lot = chance.KINDS[kind]
    for seed in range(40):
        scene = chance.random_scene(np.random.default_rng(seed), kind)
        assert len(scene.dice) <= lot.dice[1]
        assert len(scene.things) <= lot.things[1]
        assert all((thing.top is not None) == lot.decoys for thing in scene.things)
        for die in scene.dice:
            box = pixels(scene.camera, corners(die))
            assert (box > 0).all()
            assert (box < [640, 480]).all()
            apart = [np.hypot(die.x - other.x, die.y - other.y) for other in scene.dice if other is not die]
            assert min(apart, default=9) >= chance.NEAR
            assert lot.glossy or min(others_brightness(die.look)) >= 0.66 * looks.LEGIBLE
            assert die.look.print.pips or lot.pips < 1


def others_brightness(look: Look) -> list[float]:
    """How much brighter or darker than each colour of its body a die's ink is."""
    return [abs(looks.brightness(look.ink) - looks.brightness(colour)) for colour in look.colours]


def test_the_ink_of_a_glossy_die_may_be_as_bright_as_its_body_but_has_another_colour() -> None:
    rng = np.random.default_rng(1)
    dice = [looks.glossy_look(rng) for _ in range(300)]
    as_bright = [die for die in dice if min(others_brightness(die)) < 0.2]
    assert len(as_bright) > 60
    for die in as_bright:
        assert min(looks.unlikeness(die.ink, colour) for colour in die.colours) > 0.66 * looks.LEGIBLE_HUE
    assert looks.unlikeness((0, 0, 0), (1, 1, 1)) == pytest.approx(100, abs=0.1)


def test_glossy_dice_have_lamps_where_level_tops_mirror_them() -> None:
    askew, kinds = [], set()
    for seed in range(60):
        scene = chance.random_scene(np.random.default_rng(seed), "gloss")
        _, eye = place(scene.camera)
        for lamp in scene.lamps:
            way = np.array(lamp.at) * (-1, -1, 1)  # where a mirror that lies on the table shows it
            askew.append(np.arccos(way @ eye / np.linalg.norm(way) / np.linalg.norm(eye)))
            kinds.add(lamp.kind)
    assert "RING" in kinds
    assert np.mean(np.array(askew) < 3 * chance.ASKEW) > 0.4  # one to three of two to six lamps in most scenes


def test_a_crowd_is_many_dice_some_of_which_mirror() -> None:
    scenes = [chance.random_scene(np.random.default_rng(seed), "crowd", (544, 408)) for seed in range(40)]
    dice = [die for scene in scenes for die in scene.dice]
    assert len(dice) / len(scenes) > 20
    assert np.mean([die.look.dome != 0 for die in dice]) == pytest.approx(chance.KINDS["crowd"].glossy, abs=0.05)
    assert 0.2 < np.mean([any(lamp.kind == "RING" for lamp in scene.lamps) for scene in scenes]) < 0.8
    drilled = [die.look.drilled > 0 for die in dice if die.look.print.pips]
    assert np.mean(drilled) == pytest.approx(chance.KINDS["crowd"].drilled, abs=0.08)
    assert not any(die.look.drilled for die in dice if not die.look.print.pips)


@pytest.mark.parametrize("kind", decoys.DECOYS)
def test_what_has_spots_is_told_for_no_die_by_what_is_around_them(kind: str) -> None:
    rng = np.random.default_rng(1)
    some = [decoys.decoy(rng, kind, 0.0, 0.0) for _ in range(200)]
    for thing in some:
        assert thing.top is not None
        wide, long, high = thing.shape
        for mark in (*thing.top.marks, *thing.top.studs):
            assert abs(mark.x) + mark.across <= wide / 2 + 1e-9
            assert abs(mark.y) + mark.along <= long / 2 + 1e-9
        spots = [mark for mark in thing.top.marks if not mark.square and mark.across == mark.along]
        as_a_die = len(spots) <= 6 and 0.8 < long / wide < 1.25 and high > 0.6 * wide
        assert not as_a_die or kind in ("socket", "brick", "ladybird")  # a rim, studs of its colour, a head and a bend
    assert len({thing.shape for thing in some}) == len(some)


def test_things_with_spots_lie_apart_and_in_half_of_the_scenes_all_are_of_one_kind() -> None:
    kinds = []
    for seed in range(100):
        things = decoys.decoys(np.random.default_rng(seed), 6, 8.0)
        assert 1 <= len(things) <= 6
        for one, other in combinations(things, 2):
            reach = (np.hypot(*one.shape[:2]) + np.hypot(*other.shape[:2])) / 2
            assert np.hypot(one.x - other.x, one.y - other.y) > reach
        kinds.append(len({thing.kind for thing in things}))
    assert 35 < kinds.count(1) < 65
    assert max(kinds) > 3


def test_marks_are_drawn_where_they_lie_and_as_large_as_they_are() -> None:
    share = prints.marked([Mark(0.5, 0.25, 0.2, 0.1, square=True), Mark(-0.5, -0.5, 0.25, 0.25)], 2.0)
    assert share.shape == (512, 512)
    assert share[192, 384] == share[384, 128] == 1  # up is up
    assert share.sum() / 512**2 * 4 == pytest.approx(0.4 * 0.2 + np.pi / 16, rel=0.03)


def test_a_name_is_a_scene() -> None:
    (one, _), (same, _), (other, _) = (command.by_name(name, (640, 480)) for name in ("rig/1", "rig/1", "rig/2"))
    assert one == same
    assert one != other


def test_no_sign_could_be_taken_for_pips() -> None:
    rng = np.random.default_rng(1)
    signs = {face.split(" ", 1)[1] for _ in range(2000) for face in prints.symbols(rng) if face != "blank"}
    assert not signs & set(prints.LIKE_PIPS)
    assert {sign[0] for sign in signs if len(sign) > 1} == set("".join(prints.REPEATED.values()))
    assert len(signs & set(prints.SIGNS)) > 350  # nearly all others come, too
    assert len(signs & set(prints.SYMBOLS)) == len(prints.SYMBOLS) - 4


def test_as_many_spots_are_printed_as_the_value_says() -> None:
    rng = np.random.default_rng(1)
    for _ in range(10):
        ink = prints.atlas(looks.random_print(rng))[..., 3]
        cells = [ink[row : row + 256, column : column + 256] for row in (0, 256) for column in (0, 256, 512)]
        spots = [cv2.connectedComponents((cell > 0.5).astype(np.uint8))[0] - 1 for cell in cells]
        assert spots == [1, 2, 3, 4, 5, 6] or spots == [1, 2, 3, 4, 5, 2]  # thick pips of a six may meet


def test_a_sign_without_its_font_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(prints, "FONTS", tmp_path)
    with pytest.raises(prints.MissingFonts, match=r"apt install .*fonts-symbola"):
        prints.atlas(Print(("numeral 1",) * 6))


def test_exposure_makes_a_dark_table_as_bright_as_wanted() -> None:
    how = Exposure(mean=0.2, white=(1, 1, 1), contrast=0.0, blur=0.5, noise=2.0, jpeg=90)
    light = np.full((64, 64, 3), 0.003, np.float32)
    light[:2, :2] = 50.0  # a lamp's mirror image darkens nothing
    picture = exposed(light, how, np.random.default_rng(1))
    assert picture[8:, 8:].mean() == pytest.approx(255 * 0.485, abs=4)  # sRGB of 0.2
    assert (exposed(light, how, np.random.default_rng(1)) == picture).all()


def test_without_blender_it_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "companion.vision.traced.blender", None)
    assert command.main([str(tmp_path)]) == 2
    assert "pip install '.[traced]' in a checkout" in capsys.readouterr().err


@pytest.mark.parametrize("size", ["640", "10x480", "640x99999", "ax9"])
def test_a_size_that_is_none_is_told(size: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["there", "--size", size])
    assert "as 640x480" in capsys.readouterr().err


def folder_of(path: Path, dice: list[Seen], picture: np.ndarray) -> Path:  # type: ignore[type-arg]
    (path / "train").mkdir()
    cv2.imwrite(str(path / "train/1.png"), picture)
    told = [command.label(die, contrast) for die, contrast in zip(dice, contrasts(picture, dice), strict=True)]
    row = {"image": "train/1.png", "dice": told}
    (path / "labels.jsonl").write_text(json.dumps(row) + "\n")
    return path


def test_labels_can_be_judged_and_learned_from(tmp_path: Path) -> None:
    picture = np.full((120, 300, 3), 200, np.uint8)
    cv2.circle(picture, (30, 60), 6, (20, 20, 20), cv2.FILLED)
    dice = [
        Seen(1, (10, 40, 40, 40), ((30, 60),), 0.0),
        Seen(1, (70, 40, 40, 40), ((90, 60),), 0.0),  # its pip cannot be seen
        Seen(None, (130, 40, 40, 40), (), 0.0),
        Seen(1, (190, 40, 40, 40), ((210, 60),), 0.6),
    ]
    folder = folder_of(tmp_path, dice, picture)
    (label,) = labels_in(folder)
    assert [die.value for die in label.dice] == [1, 1, "unreadable", 1]
    assert [die.ignore for die in label.dice] == [False, True, False, True]
    (example,) = traced_examples(folder)
    assert example.source == TRACED
    assert [die.value for die in example.dice] == [1, UNREAD, UNREAD, UNREAD]
    assert [die.skip for die in example.dice] == [False, False, False, True]
    assert example.dice[0].pips is not None


WHOLE = '{"image": "train/1.png", "dice": []}'


@pytest.mark.parametrize("line", ['{"image": "rig/1.', "7", "[]", '{"image": "rig/1.png", "dice": [{"value": 1}]}'])
def test_a_label_that_cannot_be_learned_from_is_told_by_its_line(line: str, tmp_path: Path) -> None:
    folder_of(tmp_path, [], np.zeros((9, 9, 3), np.uint8))
    (tmp_path / "labels.jsonl").write_text(f"{WHOLE}\n\n{line}\n")
    with pytest.raises(BadLabels, match=r"labels\.jsonl:3: expected a label that python -m companion\.vision\.traced"):
        traced_examples(tmp_path)


def test_a_folder_without_traced_scenes_or_with_one_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadLabels, match=r"there is no .*labels\.jsonl; "):
        traced_examples(tmp_path)
    (tmp_path / "labels.jsonl").write_text(WHOLE)
    with pytest.raises(BadPicture, match=r"train/1\.png: "):
        traced_examples(tmp_path)


def test_a_label_that_lacks_nothing_but_the_end_of_its_line_is_kept(tmp_path: Path) -> None:
    (tmp_path / "labels.jsonl").write_text('{"image": "rig/1.png"}\n{"image": "rig/2.png"}')
    assert list(command._labelled(tmp_path)) == ["rig/1.png", "rig/2.png"]
    assert (tmp_path / "labels.jsonl").read_text() == '{"image": "rig/1.png"}\n{"image": "rig/2.png"}\n'


def test_a_torn_label_is_made_again(tmp_path: Path) -> None:
    (tmp_path / "labels.jsonl").write_text('{"image": "rig/1.png", "dice": []}\n{"image": "ri')
    assert list(command._labelled(tmp_path)) == ["rig/1.png"]
    assert (tmp_path / "labels.jsonl").read_text() == '{"image": "rig/1.png", "dice": []}\n'


def test_labels_of_others_stay_as_they_are_though_their_last_line_is_torn(tmp_path: Path) -> None:
    (tmp_path / "labels.jsonl").write_text(own := '{"image": "tray/1.jpg", "dice": []}\n{"image": "tr')
    with pytest.raises(ValueError, match=r"line 1 of labels\.jsonl is no label of this command; name another folder"):
        command._labelled(tmp_path)
    assert (tmp_path / "labels.jsonl").read_text() == own


@pytest.mark.parametrize("words", [["--count", "0"], ["--first", "-1"], ["--samples", "0"], [""]])
def test_what_traces_nothing_is_refused(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "companion.vision.traced.blender", None)
    with pytest.raises(SystemExit):
        command.main(["there", *words] if any(words) else words)
    assert re.search(r"is no whole number|the name is empty", capsys.readouterr().err)


@pytest.mark.parametrize("line", ["{}", "[]", "7", "nonsense", '{"image": "tray/1.jpg"}', '{"image": 5}'])
def test_a_folder_whose_labels_are_none_is_told_by_the_line(line: str, tmp_path: Path) -> None:
    (tmp_path / "labels.jsonl").write_text(f'{{"image": "rig/1.png", "dice": []}}\n{line}\n')
    with pytest.raises(ValueError, match=r"line 2 of labels\.jsonl is no label of this command"):
        list(command._labelled(tmp_path))


def test_what_was_traced_before_an_interruption_stays_and_the_next_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[int] = []

    def trace(scene: Scene, *, samples: int) -> tuple[Floats, tuple[Seen, ...]]:
        asked.append(samples)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return np.full((48, 64, 3), 0.2, np.float32), ()

    monkeypatch.setitem(sys.modules, "companion.vision.traced.blender", SimpleNamespace(trace=trace))
    words = [str(tmp_path), "--kinds", "rig", "--count", "3"]
    assert command.main(words) == 130
    assert "Traceback" not in capsys.readouterr().err
    assert [label.image for label in labels_in(tmp_path)] == ["rig/00000.png"]
    assert command.main(words) == 0
    assert [label.image for label in labels_in(tmp_path)] == ["rig/00000.png", "rig/00001.png", "rig/00002.png"]
    assert len(asked) == 4


def test_ctrl_c_is_heard_once_a_picture_is_kept_though_blender_swallows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def trace(scene: Scene, *, samples: int) -> tuple[Floats, tuple[Seen, ...]]:
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        return np.full((48, 64, 3), 0.2, np.float32), ()

    monkeypatch.setitem(sys.modules, "companion.vision.traced.blender", SimpleNamespace(trace=trace))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it is ignored
    try:
        assert command.main([str(tmp_path), "--kinds", "rig", "--count", "3"]) == 130
    finally:
        signal.signal(signal.SIGINT, before)
    assert [label.image for label in labels_in(tmp_path)] == ["rig/00000.png"]


@pytest.mark.usefixtures("blender")
class TestTraced:
    """Needs Blender: pip install '.[traced]'."""

    @pytest.mark.parametrize(("drilled", "milled"), [(0.0, False), (0.6, False), (0.6, True)])
    def test_pips_are_traced_where_the_truth_says(self, drilled: float, milled: bool) -> None:
        from companion.vision.traced.blender import trace

        scene, _ = command.by_name("rig/1", (640, 480))
        die = Cube(replace(WHITE, drilled=drilled, milled=milled), 6, 0.0, 0.0, yaw=0.3)
        camera = Camera(160, 120, distance=8.0, slant=0.5, heading=1.0, roll=0.1, fov=0.5)
        light, (seen,) = trace(chance.Scene(camera, scene.ground, scene.sky, scene.lamps, (die,), (), scene.exposure))
        assert light.shape == (120, 160, 3)
        assert seen.value == 6
        assert seen.hidden == 0
        assert len(seen.pips) == 6
        grey = light.mean(axis=2)
        columns, rows = np.round(np.array(seen.pips)).astype(int).T
        beside = np.round(np.array(seen.pips).mean(axis=0)).astype(int)
        assert grey[rows, columns].max() < 0.5 * grey[beside[1], beside[0]]

    @pytest.mark.parametrize("ball", [False, True])
    @pytest.mark.parametrize("milled", [False, True])
    def test_a_drilled_pip_is_shaded_by_its_wall(self, milled: bool, ball: bool) -> None:
        from companion.vision.traced.blender import trace

        scene, _ = command.by_name("rig/1", (640, 480))
        camera = Camera(160, 160, distance=8.0, slant=0.0, heading=0.0, roll=0.0, fov=0.2)
        sun = Lamp("SUN", (6, 0, 6), (0, 0), 3.0, 0.01, (1, 1, 1))
        shares = []
        for drilled in (0.9, 0.0):
            plain = replace(WHITE, ink=WHITE.colours[0], dent=0.0, drilled=drilled, milled=milled, ball=ball)
            die, dim = cube(1, look=plain), Sky((1, 1, 1), 0.05)
            light, (seen,) = trace(Scene(camera, scene.ground, dim, (sun,), (die,), (), scene.exposure))
            x, y = np.round(seen.pips[0]).astype(int)
            across = light.mean(axis=2)[y, x - 12 : x + 13]  # the sun is to the right, or to the left
            shares.append(across.min() / np.median(light.mean(axis=2)[y - 30 : y - 25, x - 5 : x + 6]))
        assert shares[0] < 0.5
        assert shares[1] > 0.9

    @pytest.mark.parametrize("faces", [8, 10, 12, 20])
    def test_a_die_of_many_faces_lies_on_the_table(self, faces: int) -> None:
        from companion.vision.traced.blender import trace

        scene, _ = command.by_name("rig/1", (640, 480))
        die = Cube(replace(WHITE, faces=faces), 6, 0.0, 0.0, yaw=0.3)
        camera = Camera(160, 120, distance=8.0, slant=0.5, heading=1.0, roll=0.1, fov=0.5)
        tables = (
            chance.Scene(camera, scene.ground, scene.sky, scene.lamps, dice, (), scene.exposure)
            for dice in ((die,), ())
        )
        (shown, (seen,)), (empty, _) = (trace(table, samples=2) for table in tables)
        changed = np.argwhere(np.abs(shown - empty).max(axis=2) > 0.25 * empty.mean())
        x, y, width, height = seen.box
        middle = changed.mean(axis=0)[::-1]
        assert np.abs(middle - (x + width / 2, y + height / 2)).max() < 0.5 * width
        assert len(changed) > 0.4 * width * height

    @needs_fonts
    def test_a_face_that_bulges_mirrors_a_ring_lamp_smaller(self) -> None:
        from companion.vision.traced.blender import trace

        scene, _ = command.by_name("rig/1", (640, 480))
        camera = Camera(120, 120, distance=8.0, slant=0.0, heading=0.0, roll=0.0, fov=0.2)
        ring = Lamp("RING", (0, 0, 6.5), (0, 0), 500.0, 3.0, (1, 1, 1))
        x, y = np.meshgrid(*(np.arange(120) - 59.5,) * 2)
        away = np.hypot(x, y) / 80  # in edges of the die
        seen_at = []
        for dome in (0.4, 0.0):
            print_ = replace(WHITE.print, signs=("blank",) * 6)
            black = replace(WHITE, colours=((0.0, 0.0, 0.0),), print=print_, roughness=0.05, dent=0.0, dome=dome)
            dark, die = Sky((0, 0, 0), 0.0), cube(1, look=black)
            light, _ = trace(Scene(camera, scene.ground, dark, (ring,), (die,), (), scene.exposure))
            grey = light.mean(axis=2)
            levels = [float(np.median(grey[(away >= at) & (away < at + 0.05)])) for at in np.arange(0, 0.5, 0.05)]
            seen_at.append(0.05 * int(np.argmax(levels)))
            assert max(levels) > 0.2
            assert levels[0] < 0.01
        assert seen_at[0] == pytest.approx(0.15)
        assert seen_at[1] > 0.25

    @pytest.mark.parametrize("kind", decoys.DECOYS)
    def test_what_has_spots_is_traced_where_it_lies(self, kind: str) -> None:
        from companion.vision.traced.blender import trace

        scene, _ = command.by_name("rig/1", (640, 480))
        thing = replace(decoys.decoy(np.random.default_rng(1), kind, 0.0, 0.0), yaw=0.0)
        assert thing.top is not None
        bare = replace(thing, top=replace(thing.top, marks=(), studs=()))
        wide, long, high = thing.shape
        camera = Camera(160, 120, distance=12.0, slant=0.0, heading=0.0, roll=0.0, fov=0.5)
        empty, plain, whole = (
            trace(chance.Scene(camera, scene.ground, scene.sky, scene.lamps, (), things, scene.exposure), samples=4)[0]
            for things in ((), (bare,), (thing,))
        )
        at = np.argwhere(np.abs(plain - empty).max(axis=2) > 0.2 * empty.mean())[:, ::-1]
        middle = pixels(camera, np.array([(0, 0, high)]))[0]
        sides = pixels(camera, np.array([(wide / 2, long / 2, high / 2)]))[0] - middle
        assert len(at) > 0.6 * 4 * abs(sides[0] * sides[1])
        assert np.abs(np.median(at, axis=0) - middle).max() < 0.4 * np.abs(sides).max()
        inner = max(
            (*thing.top.marks, *thing.top.studs), key=lambda mark: min(mark.across, mark.along) - abs(mark.x + mark.y)
        )
        spot = np.round(pixels(camera, np.array([(inner.x, inner.y, high)]))[0]).astype(int)
        changed = np.abs(whole - plain).max(axis=2)
        assert changed[spot[1] - 3 : spot[1] + 4, spot[0] - 3 : spot[0] + 4].max() > 0.05 * plain.mean()

    def test_fonts_are_needed_for_signs_alone(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(prints, "FONTS", tmp_path / "none")
        few = ["--count", "1", "--size", "96x72", "--samples", "1"]
        assert command.main([str(tmp_path), "--kinds", "symbols", *few]) == 2
        assert "apt install" in capsys.readouterr().err
        assert command.main([str(tmp_path), "--kinds", "rig", *few]) == 0

    def test_a_folder_is_filled_once(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        arguments = [str(tmp_path), "--kinds", "rig", "--count", "2", "--size", "96x72", "--samples", "1"]
        assert command.main(arguments) == 0
        first = (tmp_path / "labels.jsonl").read_text()
        made = (tmp_path / "rig/00000.png").stat().st_mtime_ns
        assert command.main(arguments) == 0
        assert (tmp_path / "labels.jsonl").read_text() == first
        assert (tmp_path / "rig/00000.png").stat().st_mtime_ns == made
        assert "2/2" in capsys.readouterr().err
        assert len(labels_in(tmp_path)) == 2
