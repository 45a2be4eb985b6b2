"""The reader over drawn tables and bad pictures: right, or unsure; never a confident invention."""

import itertools
from collections import Counter

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.events import Why
from companion.pictures import BadPicture
from companion.vision.networks import AGAIN, FIRST, Networks, packed
from companion.vision.reader import Reader
from companion.vision.scene import draw, random_scene
from companion.vision.sight import DIM_GAIN, lit
from companion.vision.views import Views

KIND = 0.0


def table(seed: int, dice: int, *, size=(640, 480), die_px=(44.0, 60.0)):
    rng = np.random.default_rng(seed)
    return draw(random_scene(rng, hardness=KIND, size=size, dice=dice, die_px=die_px), rng)


def fresh_scale_px(picture):
    reader = Reader()
    reader.read(picture)
    return reader.scale_px


def dots(rows: int, columns: int, *, ground=210, ink=30, step=40, radius=9):
    picture = np.full((rows * step + 80, columns * step + 80, 3), ground, np.uint8)
    for row in range(rows):
        for column in range(columns):
            cv2.circle(
                picture,
                (40 + step // 2 + column * step, 40 + step // 2 + row * step),
                radius,
                (ink,) * 3,
                -1,
                cv2.LINE_AA,
            )
    return picture


def test_drawn_rolls_are_read_right_or_called_unsure():
    """Some scenes hold touching, hidden, cocked and strange dice. Told their number, it is never wrong and sure."""
    right = wrong_and_sure = wrong_and_sure_counted = 0
    for seed in range(12):
        drawn = table(seed, 3)
        wanted = sorted(str(seen.value) for seen in drawn.truth)
        reading, counted = Reader().read(drawn.picture), Reader().read(drawn.picture, count=3)
        right += sorted(map(str, reading.values)) == wanted
        wrong_and_sure += reading.sure and sorted(map(str, reading.values)) != wanted
        wrong_and_sure_counted += counted.sure and sorted(map(str, counted.values)) != wanted
    assert wrong_and_sure_counted == 0
    assert wrong_and_sure <= 1
    assert right >= 6


def test_the_same_picture_gives_the_same_reading():
    picture = table(3, 4).picture
    assert Reader().read(picture) == Reader().read(picture)


def test_pips_explain_the_value_and_lie_in_the_box():
    drawn = table(1, 2)
    dice = Reader().read(drawn.picture).dice
    assert sorted(die.value for die in dice) == sorted(seen.value for seen in drawn.truth)
    for die in dice:
        x, y, w, h = die.box
        assert len(die.pips) == die.value
        assert all(x <= px <= x + w and y <= py <= y + h for px, py in die.pips)


def test_another_number_of_dice_than_must_lie_there_is_unsure():
    reading = Reader().read(table(1, 2).picture, count=3)
    assert (reading.sure, reading.why) == (False, Why.COUNT)


def test_no_dice_where_some_must_lie_is_unsure():
    reading = Reader().read(table(1, 0).picture, count=2)
    assert (reading.dice, reading.sure, reading.why) == ((), False, Why.EMPTY)


@pytest.mark.parametrize("size", [(20, 20), (64, 48), (160, 120), (1000, 60)])
def test_an_empty_picture_too_small_to_show_dice_is_unsure(size):
    wide, high = size
    reading = Reader().read(cv2.resize(table(1, 0).picture, (wide, high), interpolation=cv2.INTER_AREA))
    assert (reading.dice, reading.sure, reading.why) == ((), False, Why.SMALL)


def test_a_mask_hides_what_lies_outside_the_tray():
    drawn = table(1, 2)
    reading = Reader(mask=np.zeros((48, 64), np.uint8)).read(drawn.picture)
    assert reading.dice == ()


def test_the_scale_is_kept_between_frames():
    drawn = table(4, 3)
    reader = Reader()
    assert reader.scale_px is None
    reader.read(drawn.picture)
    sizes = [cv2.arcLength(np.float32(seen.corners), True) / 4 for seen in drawn.truth]
    assert reader.scale_px == pytest.approx(np.median(sizes) * 1.2, rel=0.35)
    assert sorted(map(str, reader.read(drawn.picture).values)) == sorted(str(seen.value) for seen in drawn.truth)


def test_a_picture_is_read_afresh_as_at_first_sight_and_the_scale_is_kept():
    reader, picture = Reader(), table(21, 3).picture
    reader.read(table(20, 3, die_px=(70.0, 80.0)).picture)
    scale_px = reader.scale_px
    assert reader.read(picture, afresh=True) == Reader().read(picture)
    assert reader.scale_px == scale_px


def asked_of(part: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pairs whose faces or keen faces readers ask from now on, call by call."""
    asked: list[str] = []

    def pair(name: str) -> Networks:
        own = packed(name)
        read = getattr(own, part)
        assert read is not None

        def remembered(crops: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
            asked.append(name)
            return read(crops)

        return own._replace(**{part: remembered})

    monkeypatch.setattr("companion.vision.reader.packed", pair)
    return asked


def test_dice_of_a_known_size_are_looked_for_by_another_pair_of_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = asked_of("faces", monkeypatch)
    reader, picture = Reader(), table(21, 3).picture
    for afresh in (False, False, True, False):
        reader.read(picture, afresh=afresh, count=3)  # where the number is told, no others are searched for
    assert [name for name, _ in itertools.groupby(asked)] == [FIRST, AGAIN, FIRST, AGAIN]


def test_a_pair_that_is_given_looks_for_both() -> None:
    picture = table(21, 3).picture
    given, both = Reader(networks=packed(AGAIN)), Reader()
    assert given.read(picture) != both.read(picture), "the first look is not the package's"
    scale_px = given.scale_px
    assert given.read(picture) == Reader(scale_px=scale_px).read(picture), "the second is"


def test_keen_faces_of_both_pairs_look_at_first_sight_and_in_a_close_look_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = asked_of("keen", monkeypatch)
    blurred = np.asarray(cv2.GaussianBlur(table(22, 3).picture, (0, 0), 4), np.uint8)
    reader = Reader()
    reader.read(blurred)
    assert asked == [FIRST, AGAIN]
    assert reader.scale_px is not None
    reader.read(blurred)
    assert asked == [FIRST, AGAIN]
    first = reader.survey(Views(blurred), afresh=True)
    asked.clear()
    reader.at_scale(first)
    assert set(asked) == {FIRST, AGAIN}


def test_another_camera_is_read_as_well_as_the_one_before():
    near, far = table(1, 2, die_px=(90.0, 110.0)).picture, table(1, 2, die_px=(28.0, 34.0)).picture
    reader = Reader()
    assert sorted(reader.read(near).values) == sorted(Reader().read(near).values)
    assert sorted(reader.read(far).values) == sorted(Reader().read(far).values)
    assert reader.scale_px == pytest.approx(fresh_scale_px(far), rel=0.2)


@pytest.mark.parametrize(
    "picture",
    [
        pytest.param(np.full((480, 640, 3), 0, np.uint8), id="black"),
        pytest.param(np.full((480, 640, 3), 255, np.uint8), id="white"),
        pytest.param(np.full((1, 1, 3), 9, np.uint8), id="one pixel"),
        pytest.param(np.full((3, 2000, 3), 9, np.uint8), id="a line"),
        pytest.param(np.random.default_rng(5).integers(0, 255, (300, 400, 3), np.uint8), id="noise"),
        pytest.param(dots(6, 9), id="perforated metal"),
        pytest.param(dots(6, 9, ground=40, ink=220), id="pegboard"),
        pytest.param(dots(1, 1, radius=14), id="one button"),
    ],
)
def test_pictures_without_dice_never_give_a_confident_number(picture):
    reading = Reader().read(picture)
    assert not (reading.sure and reading.dice)


@pytest.mark.parametrize("count", [None, 2])
@pytest.mark.parametrize(("grey", "why"), [(4, Why.DARK), (90, Why.FAINT), (255, Why.GLARE)])
def test_where_nothing_could_be_seen_no_dice_is_unsure_whatever_must_lie_there(grey, why, count):
    reading = Reader().read(np.full((480, 640, 3), grey, np.uint8), count=count)
    assert (reading.dice, reading.sure, reading.why) == ((), False, why)


def noise(grain_px: int, size=(640, 480), *, smooth=False, jpeg: int | None = None):
    rough = np.random.default_rng(grain_px).integers(0, 256, (size[1] // grain_px, size[0] // grain_px, 3), np.uint8)
    picture = cv2.resize(rough, size, interpolation=cv2.INTER_CUBIC if smooth else cv2.INTER_NEAREST)
    return (
        picture if jpeg is None else cv2.imdecode(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, jpeg])[1], 1)
    )


@pytest.mark.parametrize(
    "picture",
    [
        pytest.param(np.full((480, 640, 3), 128, np.uint8), id="one colour"),
        pytest.param(noise(1), id="static"),
        pytest.param(noise(1, (1280, 960)), id="static of a large picture"),
        pytest.param(noise(4), id="coarse static"),
        pytest.param(noise(4, smooth=True), id="soft static"),
        pytest.param(noise(6, jpeg=8), id="static, packed hard"),
        pytest.param(
            np.dstack([np.repeat(np.arange(8) * 36, 80)[None].repeat(480, 0).astype(np.uint8)] * 3), id="bars"
        ),
    ],
)
def test_noise_and_test_pictures_are_no_empty_table(picture):
    reading = Reader().read(picture)
    assert not reading.sure
    assert reading.why in (Why.FAINT, Why.STRAY, Why.BLURRED)


def test_an_empty_table_under_a_grainy_camera_is_sure():
    grain = np.random.default_rng(2).normal(120, 8, (480, 640, 3))
    assert Reader().read(np.clip(grain, 0, 255).astype(np.uint8)).sure


def test_a_plain_empty_table_is_sure_though_one_side_is_darker():
    shade = np.broadcast_to(np.linspace(90, 160, 640), (480, 640)).astype(np.uint8)
    assert Reader().read(np.dstack([shade] * 3)).sure


@pytest.mark.parametrize("count", [None, 2])
def test_an_empty_table_out_of_focus_is_unsure_and_said_to_be_blurred(count):
    board = np.where(np.indices((480, 640)).sum(axis=0) // 160 % 2, 230, 30).astype(np.uint8)
    reading = Reader().read(cv2.GaussianBlur(np.dstack([board] * 3), (0, 0), 20), count=count)
    assert (reading.dice, reading.sure, reading.why) == ((), False, Why.BLURRED)


@pytest.mark.once
def test_dice_out_of_focus_are_read_as_before_or_unsure_and_said_to_be_blurred():
    pictures = [table(seed, 2).picture for seed in range(24)]
    sharp = {i: Reader().read(picture) for i, picture in enumerate(pictures)}
    before = {i: reading for i, reading in sharp.items() if len(reading.dice) == 2 and reading.sure}
    assert len(before) > 6
    after = {
        (soft, count): {i: Reader().read(cv2.GaussianBlur(pictures[i], (0, 0), soft), count=count) for i in before}
        for soft in (3, 4, 6, 8)
        for count in (None, 2)
    }
    for readings in after.values():
        for i, reading in readings.items():
            assert not reading.sure or sorted(reading.values) == sorted(before[i].values)
    assert sum(reading.sure for reading in after[3, 2].values()) > len(before) / 2
    assert not any(reading.sure for count in (None, 2) for reading in after[6, count].values())
    assert Why.BLURRED in [reading.why for reading in after[6, None].values()]


def test_a_burnt_out_place_as_large_as_a_die_may_hide_one():
    drawn = next(t for seed in range(20) if Reader().read((t := table(seed, 2)).picture).sure)
    free = max(
        ((x, y) for x in range(60, 580, 40) for y in range(60, 420, 40)),
        key=lambda at: min(np.hypot(at[0] - s.box[0] - 25, at[1] - s.box[1] - 25) for s in drawn.truth),
    )
    lamp, gleam, grainy = (drawn.picture.copy() for _ in range(3))
    cv2.circle(lamp, free, 45, (255, 255, 255), cv2.FILLED)
    cv2.circle(gleam, free, 5, (255, 255, 255), cv2.FILLED)
    cv2.circle(grainy, free, 45, (245, 245, 245), cv2.FILLED)  # of a sensor that gains less and less, and its noise
    grainy = np.clip(grainy + np.random.default_rng(1).normal(0, 4, grainy.shape), 0, 255).astype(np.uint8)
    for burnt in (lamp, grainy):
        reading = Reader().read(burnt)
        assert (reading.sure, reading.why) == (False, Why.GLARE)
        assert np.allclose(reading.doubts, [(free[0] - 45, free[1] - 45, 90, 90)], atol=20)
    assert Reader().read(gleam).sure
    assert Reader().read(lamp, count=2).why is not Why.GLARE


@pytest.mark.parametrize(("wide_px", "why", "why_of_two"), [(40, None, Why.EMPTY), (190, Why.GLARE, Why.EMPTY)])
def test_white_dice_close_up_that_are_burnt_out_leave_no_empty_table(wide_px, why, why_of_two):
    ground = np.array((40, 60, 90)) + np.linspace(0, 25, 640)[:, None]  # wood, lighter towards one side
    noise = np.random.default_rng(1).normal(0, 4, (480, 640, 3))
    picture = np.clip(np.broadcast_to(ground, (480, 640, 3)) + noise, 0, 255).astype(np.uint8)
    for middle, turn_deg in (((180, 200), 20), ((430, 250), 50)):
        corners = cv2.boxPoints((middle, (wide_px, wide_px), turn_deg))
        cv2.fillConvexPoly(picture, corners.astype(int), (250, 250, 250))
    alone, of_two = Reader().read(picture), Reader().read(picture, count=2)
    assert (alone.dice, alone.sure, alone.why) == ((), why is None, why)
    assert (of_two.sure, of_two.why) == (False, why_of_two)


def in_the_dark(picture, light, seed):
    """As a camera sees it in so little light, with its noise."""
    noise = np.random.default_rng(seed).normal(0, 2, picture.shape)
    return np.clip(light * picture + noise, 0, 255).astype(np.uint8)


@pytest.mark.once
def test_dice_in_little_light_are_read_as_in_plenty_or_asked_about():
    pictures = [table(seed, 3).picture for seed in range(40)]
    bright, dark = [
        [Reader().read(in_the_dark(picture, light, seed)) for seed, picture in enumerate(pictures)]
        for light in (1.0, 0.12)
    ]
    same = [Counter(one.values) == Counter(two.values) for one, two in zip(bright, dark, strict=True)]
    assert all(known or not reading.sure for known, reading in zip(same, dark, strict=True))
    assert sum(same) >= 0.8 * len(same)


def test_in_the_dark_another_die_may_lie_unseen_unless_their_number_is_told():
    dim = [in_the_dark(table(seed, 3).picture, 0.07, seed) for seed in range(10)]
    dim = [picture for picture in dim if lit(picture)[1] >= DIM_GAIN]
    alone = [Reader().read(picture) for picture in dim]
    told = [Reader().read(picture, count=3) for picture in dim]
    sure = [one for one, known in zip(alone, told, strict=True) if known.sure]
    assert len(sure) >= 3
    assert all((len(reading.dice), reading.sure) == (3, False) for reading in sure)
    assert Why.DARK in [reading.why for reading in sure]


def test_frames_of_every_kind_are_read():
    grey = cv2.cvtColor(table(1, 2).picture, cv2.COLOR_BGR2GRAY)
    for frame in (grey, grey[:, :, None], grey.astype(np.uint16) * 256, grey.astype(np.float32) / 255):
        assert len(Reader().read(frame).dice) == 2


@pytest.mark.parametrize("frame", [np.zeros((0, 5, 3), np.uint8), np.zeros((4, 4, 9), np.uint8)])
def test_what_is_no_picture_is_refused(frame):
    with pytest.raises(BadPicture):
        Reader().read(frame)
