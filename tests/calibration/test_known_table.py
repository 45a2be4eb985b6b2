"""A calibrated reader is surer of the table's own dice, and never loses a die that is not the table's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from leading import DAY

from calibration.profile import keep, save
from calibration.simulated import DrawnHands
from calibration.steps import Wants
from calibration.taught import measured
from calibration.use import dice_in_empty, reader_of
from companion.config import Camera
from companion.doctor.calibrated import calibrated
from companion.doctor.finding import State
from companion.events import Reading
from companion.ports import Picture
from companion.vision.reader import Reader
from companion.vision.scene import WILD_FACES
from companion.vision.scene.model import Cube, Look
from tests.bench.hard_tables import calibrating, playing, thrown

pytestmark = pytest.mark.once

SEED = 100
PLAIN, STREWN, SCATTERED = 0, 6, 9
"""Tables of `hard_tables`: plain felt and checks with tokens on them, both played in less light, and strewn chips."""


@pytest.fixture(scope="module", params=[PLAIN, SCATTERED], ids=["felt", "chips"])
def table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[int, Callable[[], Reader]]:
    """The number of a table, and readers of its calibration."""
    folder = tmp_path_factory.mktemp("calibrated")
    profile = measured(calibrating(request.param, SEED), folder, DAY)
    return request.param, lambda: reader_of(profile, folder)


def right(reading: Reading, values: tuple[int, ...]) -> bool:
    return sorted(value or 0 for value in reading.values) == sorted(values)


STRANGERS = {
    "another color": {"body": (0.5, 0.13, 0.42), "pips": (0.95, 0.93, 0.95)},
    "the floor's color": {"body": (0.3, 0.3, 0.31), "pips": (0.9, 0.9, 0.9)},
    "icons": {"faces": WILD_FACES, "dent": 0.0},
    "numerals": {"faces": tuple(f"digit {n}" for n in range(1, 7)), "dent": 0.0},
}


def with_stranger(number: int, size: float, changes: dict[str, object]) -> tuple[Picture, tuple[int, ...]]:
    """One of the table's dice, and another die, far from it; and the value of the table's own."""
    hands = playing(number, SEED)
    hands.lay(Wants(dice=1, throw=7))
    (own,) = hands.lying
    look: Look = replace(hands.look, **changes)
    if "body" in changes:
        look = replace(look, second=look.body)
    hands.lay_beside(Cube(4, -5.0 if own.x > 0 else 5.0, 1.0, 30.0, size, look))
    return hands.picture(0.0), hands.values


@pytest.mark.parametrize("changes", STRANGERS.values(), ids=STRANGERS.keys())
@pytest.mark.parametrize("size", [1.2, 1.6, 2.2])
def test_a_strange_die_never_vanishes_from_a_sure_total(table, changes: dict[str, object], size: float) -> None:
    number, reader = table
    picture, values = with_stranger(number, size, changes)
    reading = reader().read(picture)
    assert not reading.sure or right(reading, (*values, 4))


@pytest.mark.parametrize("changes", STRANGERS.values(), ids=STRANGERS.keys())
def test_beside_a_strange_die_the_one_that_must_lie_there_is_told_right_or_asked_about(table, changes) -> None:
    number, reader = table
    picture, values = with_stranger(number, 1.6, changes)
    reading = reader().read(picture, count=1)
    assert not reading.sure or right(reading, values)


@pytest.mark.parametrize("table", [STREWN], ids=["tokens"], indirect=True)
def test_less_is_asked_of_a_calibrated_table_and_nothing_told_wrong(table) -> None:
    number, reader = table
    hands, plain, known = playing(number, SEED), Reader(), reader()
    said = []
    for throw in range(40):
        one = thrown(hands, throw)
        readings = [reader.read(one.picture, count=len(one.values)) for reader in (plain, known)]
        said.append([reading.sure and right(reading, one.values) for reading in readings])
        assert not any(reading.sure and not right(reading, one.values) for reading in readings)
    asked_plain, asked_known = (sum(not sure for sure in column) for column in zip(*said, strict=True))
    assert asked_known < asked_plain / 2


def test_the_kinds_of_mixed_dice_are_kept_apart(tmp_path: Path) -> None:
    hands = DrawnHands(3)
    dice = measured(hands, tmp_path, DAY).dice
    assert dice is not None
    assert len(dice.kinds) == 3


def test_a_picture_with_dice_in_it_is_none_of_an_empty_tray(tmp_path: Path) -> None:
    hands = playing(PLAIN, SEED)
    profile = measured(calibrating(PLAIN, SEED), tmp_path, DAY)
    assert profile.camera is not None
    assert not dice_in_empty(profile, tmp_path)
    hands.lay(Wants(dice=1, throw=7))
    picture = hands.picture(0.0)
    old = replace(profile, camera=replace(profile.camera, empty=keep(picture, "empty", tmp_path)))
    assert dice_in_empty(old, tmp_path)
    save(old, tmp_path)
    told = calibrated(Camera(kind="simulated"), tmp_path)
    assert (told.state, told.remedy) == (State.DEGRADED, "companion calibrate camera")
    reading = reader_of(old, tmp_path).read(picture)
    assert not reading.sure or right(reading, hands.values)
