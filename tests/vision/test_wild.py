"""The Wild die: known at any rotation after a few examples, apart from number dice; what was not shown is not sure."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from companion.ports import Picture
from companion.vision.scene import Moment, Painter, Table, new_table, scatter
from companion.vision.wild import NUMBER, Likeness, Shown, WildReader, cut, leave_one_out, places
from tests.bench.bench_wild import main

WIDTH = 50.0
FACES = ("lowest", "highest", "swap")


@cache
def table() -> tuple[Table, Painter, Picture]:
    made = new_table(np.random.default_rng(1))
    painter = Painter(made)
    return made, painter, painter.picture(Moment(), np.random.default_rng(2)).picture


def thrown(values: tuple[int, ...], face: str | None, seed: int) -> Picture:
    made, painter, _empty = table()
    rng = np.random.default_rng(seed)
    return painter.picture(Moment(scatter(made, values, rng, wild=face)), rng).picture


def shown(face: str, picture: Picture) -> Shown:
    (place,) = places(picture, WIDTH, empty=table()[2])
    return Shown(face, cut(picture, place, WIDTH), WIDTH)


@cache
def examples() -> tuple[Shown, ...]:
    wild = [shown(face, thrown((), face, 10 * i + turn)) for i, face in enumerate(FACES) for turn in range(3)]
    return (*wild, *(shown(NUMBER, thrown((value,), None, 50 + value)) for value in range(1, 7)))


@pytest.mark.parametrize("face", FACES)
def test_a_face_is_known_at_any_rotation_beside_number_dice(face: str) -> None:
    reader = WildReader(examples(), empty=table()[2])
    told = [reader.read(thrown((3, 6), face, seed)) for seed in (100, 101)]
    assert [wild.face if wild else None for wild in told] == [face] * 2


@pytest.mark.parametrize("light", [(0.3, 0.3, 0.3), (0.7, 0.6, 0.5), (1.3, 1.3, 1.3), (1.4, 1.6, 1.6)])
def test_a_face_is_known_in_less_light_and_in_more(light: tuple[float, float, float]) -> None:
    reader = WildReader(examples(), empty=table()[2])
    lit = [np.clip(thrown((3, 6), "swap", seed) * np.array(light), 0, 255).astype(np.uint8) for seed in (100, 101, 102)]
    told = [reader.read(picture) for picture in lit]
    assert [wild.face if wild else None for wild in told] == ["swap"] * 3


@pytest.mark.parametrize("light", [0.6, 1.4])
def test_a_face_is_known_in_the_light_it_was_shown_in_though_the_empty_tray_was_seen_in_another(light: float) -> None:
    """The Wild die is taught anew on another day."""
    then = np.clip(table()[2] * light, 0, 255).astype(np.uint8)
    told = [WildReader(examples(), empty=then).read(thrown((3, 6), face, 100)) for face in FACES]
    assert [wild.face if wild else None for wild in told] == list(FACES)


def test_number_dice_in_more_light_are_no_wild_die() -> None:
    bright = np.clip(thrown((1, 5, 6), None, 110) * 1.6, 0, 255).astype(np.uint8)
    assert WildReader(examples(), empty=table()[2]).read(bright) is None


def test_number_dice_alone_are_no_wild_die() -> None:
    assert WildReader(examples(), empty=table()[2]).read(thrown((1, 5, 6), None, 110)) is None


def test_an_empty_tray_holds_no_wild_die() -> None:
    assert WildReader(examples(), empty=table()[2]).read(table()[2]) is None


def test_a_face_that_was_never_shown_is_not_sure() -> None:
    few = [one for one in examples() if one.face != "swap"]
    wild = WildReader(few, empty=table()[2]).read(thrown((), "swap", 120))
    assert wild is None or wild.face is None


@pytest.mark.parametrize(("score", "confidence", "sure"), [(0.9905, 0.9447, False), (0.991, 0.9502, True)])
def test_a_face_is_sure_from_its_least_confidence_on(score: float, confidence: float, sure: bool) -> None:
    like = Likeness("swap", score, second=0.5, number=0.4, squeeze=0.97, middle=(0.0, 0.0))
    assert (like.confidence, like.sure) == (confidence, sure)


def test_a_face_to_which_another_comes_near_is_not_sure() -> None:
    near, far = (Likeness("swap", 0.998, second, 0.4, squeeze=1.0, middle=(0.0, 0.0)) for second in (0.9976, 0.9974))
    assert (near.sure, far.sure) == (False, True)


def test_faces_that_look_alike_are_named_by_leaving_one_out() -> None:
    wild = [one for one in examples() if one.face != NUMBER]
    assert leave_one_out(wild) == ()
    twins = [*wild, *(Shown("lowest", one.picture, one.width) for one in wild if one.face == "swap")]
    assert {face for face, _taken in leave_one_out(twins)} == {"swap", "lowest"}


def test_without_examples_there_is_nothing_to_know() -> None:
    with pytest.raises(ValueError, match="companion calibrate wild"):
        WildReader(())


def test_symbols_of_which_there_are_no_photos_are_told_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder, why in ((tmp_path / "nowhere", "there is no"), (tmp_path, "gone.jpg: no such file")):
        (tmp_path / "labels.jsonl").write_text('{"image": "gone.jpg", "dice": [{"value": "star"}]}\n')
        with pytest.raises(SystemExit, match="2"):
            main([str(folder)])
        assert why in capsys.readouterr().err.splitlines()[-1]
