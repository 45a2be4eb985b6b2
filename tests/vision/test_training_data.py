"""What the networks are taught with: chance changes must leave the truth true."""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.ports import Picture
from companion.vision.networks import CELL_PX, CROP_PX, FILL, packed
from companion.vision.scene import random_scene
from companion.vision.train import crops
from companion.vision.train.ahead import ahead
from companion.vision.train.cover import HIDDEN, covered
from companion.vision.train.crops import (
    COUNTED_PIPS,
    KNOWN_PIPS,
    MINED,
    NO_PIPS,
    PATCH_FILL,
    PATCH_PX,
    FaceBatch,
    Patch,
    _altered,
    _worn,
    face_batch,
    finder_batch,
    plain_crop,
)
from companion.vision.train.learned import learned_from
from companion.vision.train.paste import pasted
from companion.vision.train.photometry import (
    FAINT,
    _halo,
    _marble,
    degrade,
    dimmed,
    faded,
    mirroring,
    recolour,
    recolour_gently,
    shade,
)
from companion.vision.train.pictures import (
    DRAWN,
    PLAIN,
    RARE,
    TRACED,
    UNREAD,
    Example,
    Truth,
    _with_rare_pips,
    drawn_example,
)
from companion.vision.train.plain import plain_examples
from companion.vision.train.pools import (
    PLAIN_GROUNDS,
    PLAIN_WINDOWS,
    REAL_SHARE,
    Patches,
    clutter,
    face_draw,
    finder_draw,
    mined,
    patches,
)
from companion.vision.train.printed import printed_examples
from companion.vision.train.spread import spread


def die(value: int = 5) -> Patch:
    """A white die with black pips in the middle of a brown patch, its pips known."""
    picture = np.full((PATCH_PX, PATCH_PX, 3), (60, 90, 120), np.uint8)
    middle = PATCH_PX // 2
    cv2.rectangle(picture, (middle - 36, middle - 36), (middle + 36, middle + 36), (235, 235, 235), cv2.FILLED)
    pips = np.array([(middle + 18 * x, middle + 18 * y) for x, y in ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1))])
    for x, y in pips:
        cv2.circle(picture, (int(x), int(y)), 7, (20, 20, 20), cv2.FILLED)
    return Patch(picture, value, pips.astype(np.float32), "drawn")


@pytest.fixture
def never_covered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crops, "COVERED", 0.0)


@pytest.mark.usefixtures("never_covered")
def test_every_pip_stays_marked_where_chance_moved_it() -> None:
    batch = face_batch([die()] * 64, np.random.default_rng(1))
    assert set(batch.values) == {5}
    assert set(batch.known) == {KNOWN_PIPS}
    marks = (batch.pips > 0.5) & (batch.pips >= np.array([cv2.dilate(p, np.ones((3, 3))) for p in batch.pips]))
    assert np.median(marks.sum((1, 2))) == 5


def test_a_die_under_something_is_one_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crops, "COVERED", 1.0)
    batch = face_batch([die()] * 16, np.random.default_rng(2))
    assert set(batch.values) == {UNREAD}
    assert set(batch.known) == {NO_PIPS}
    assert not batch.pips.any()


def test_ground_is_never_turned_into_a_die_by_covering_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crops, "COVERED", 1.0)
    ground = Patch(np.full((PATCH_PX, PATCH_PX, 3), 90, np.uint8), 0, None, "drawn")
    assert set(face_batch([ground] * 16, np.random.default_rng(3)).values) == {0}


@pytest.mark.usefixtures("never_covered")
def test_where_pips_are_not_known_they_are_counted_only() -> None:
    patch = die()
    batch = face_batch([Patch(patch.picture, 5, None, "photo")] * 4, np.random.default_rng(4))
    assert set(batch.known) == {COUNTED_PIPS}


def test_a_cover_hides_about_as_much_of_the_face_as_it_is_told() -> None:
    rng = np.random.default_rng(5)
    black, white = np.zeros((CROP_PX, CROP_PX, 3), np.uint8), np.full((PATCH_PX, PATCH_PX, 3), 255, np.uint8)
    y, x = np.mgrid[:CROP_PX, :CROP_PX] - (CROP_PX - 1) / 2
    face = np.hypot(x, y) < 18
    shares = [float((covered(black, white, rng)[face].max(axis=1) > 20).mean()) for _ in range(200)]
    assert HIDDEN[0] - 0.12 < np.quantile(shares, 0.02)
    assert np.quantile(shares, 0.98) < HIDDEN[1] + 0.15


def changed(picture: Picture, seed: int) -> Picture:
    rng = np.random.default_rng(seed)
    return recolour(degrade(shade(picture, rng), rng, most_blur=1.6), rng)


def test_changes_of_colour_and_light_keep_shape_and_kind_and_most_pictures_legible() -> None:
    picture = die().picture[40:104, 40:104]
    pictures = [changed(picture, seed) for seed in range(200)]
    assert {(p.shape, p.dtype) for p in pictures} == {((64, 64, 3), np.dtype(np.uint8))}
    assert np.mean([p.std() > 4 for p in pictures]) > 0.95


def test_crossed_colours_can_leave_pips_and_body_equally_bright() -> None:
    """Red pips on a grey as dark: only a network that has seen such dice reads them."""
    picture = die().picture[40:104, 40:104]
    step = []
    for seed in range(300):
        grey = cv2.cvtColor(changed(picture, seed), cv2.COLOR_BGR2GRAY).astype(float)
        colours = changed(picture, seed).astype(float)
        body, pip = (slice(38, 42), slice(30, 34)), (slice(30, 34), slice(30, 34))
        apart = np.abs(colours[body].mean((0, 1)) - colours[pip].mean((0, 1))).max()
        step.append(apart > 40 and abs(grey[body].mean() - grey[pip].mean()) < 12)
    assert 3 < sum(step) < 100


def test_gently_changed_pips_stand_out_still() -> None:
    picture = die().picture[40:104, 40:104]
    body, pips = picture[..., 0] > 200, picture[..., 0] < 40
    gently = [recolour_gently(picture, np.random.default_rng(seed)).astype(int) for seed in range(300)]
    apart = [np.abs(np.median(one[body], axis=0) - np.median(one[pips], axis=0)).max() for one in gently]
    assert np.quantile(apart, 0.01) > 50


def test_a_gently_changed_crop_may_stay_as_bright_and_sharp_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    picture, rng = die().picture[40:104, 40:104], np.random.default_rng(1)
    monkeypatch.setattr(crops, "recolour_gently", lambda picture, _: picture)
    monkeypatch.setattr(crops, "GENTLY", 1.0)
    assert 0.2 < np.mean([np.array_equal(_worn(picture, rng, one_die=True), picture) for _ in range(300)]) < 0.7
    monkeypatch.setattr(crops, "GENTLY", 0.0)
    assert not any(np.array_equal(_worn(picture, rng, one_die=True), picture) for _ in range(100))


def test_marbling_the_body_of_a_die_leaves_its_pips_as_they_are() -> None:
    picture = die().picture[40:104, 40:104]
    body, pips = picture[..., 0] > 200, picture[..., 0] < 40
    marbled = [_marble(picture, np.random.default_rng(seed), body_only=True).astype(int) for seed in range(8)]
    assert np.median([np.abs(one - picture)[body].mean() for one in marbled]) > 20
    assert max(np.abs(one - picture)[pips].max() for one in marbled) <= 10


def test_a_mirrored_lamp_winds_around_the_pips_of_a_face_and_not_beside_it() -> None:
    white = die().picture[40:104, 40:104]
    grey = np.where(white > 200, 90, white).astype(np.uint8)
    added = [_halo(grey, np.random.default_rng(seed)).astype(int) - grey for seed in range(12)]
    light = np.mean(added, axis=(0, 3))
    to_pip = cv2.distanceTransform((grey[..., 0] > 40).astype(np.uint8), cv2.DIST_L2, 3)
    y, x = np.mgrid[:64, :64] - 31.5
    assert min(one.min() for one in added) >= 0
    assert light[(to_pip > 1) & (to_pip < 6) & (np.hypot(x, y) < 18)].mean() > 10
    assert light[np.hypot(x, y) > 26].max() < 2


def plainly_cropped(patch: Patch) -> tuple[Picture, np.ndarray]:
    """The crop of a patch, and where its pips are in it."""
    assert patch.pips is not None
    share = FILL / PATCH_FILL
    return plain_crop(patch), (patch.pips - PATCH_PX / 2) * share + CROP_PX / 2


@pytest.mark.parametrize("seed", range(12))
def test_faded_pips_stand_out_a_little_and_all_else_stays_as_it_is(seed: int) -> None:
    crop, pips = plainly_cropped(die())
    made = faded(crop, pips.astype(np.float32), np.random.default_rng(seed)).astype(int)
    away = [np.linalg.norm(made[round(float(y)), round(float(x))] - 235) for x, y in pips]
    assert min(away) > 0.6 * FAINT[0]
    assert max(away) < 1.2 * FAINT[1]
    far = np.hypot(*(np.indices(crop.shape[:2])[::-1, ..., None] - pips.T[:, None, None])).min(axis=2) > 14
    assert far.sum() > 1000
    assert np.abs(made - crop)[far].max() <= 2


@pytest.mark.parametrize("seed", range(12))
def test_a_lamp_that_is_mirrored_around_the_pips_leaves_their_middles_and_the_ground(seed: int) -> None:
    crop, pips = plainly_cropped(die())
    lighter = mirroring(crop, pips.astype(np.float32), np.random.default_rng(seed)).astype(int) - crop
    assert lighter.min() >= 0
    assert np.mean([lighter[round(float(y)), round(float(x))].mean() for x, y in pips]) < 25
    assert lighter[:4].max() <= 8
    assert lighter[-4:].max() <= 8


def test_some_dice_whose_pips_are_known_are_faded_and_mirror_a_lamp(monkeypatch: pytest.MonkeyPatch) -> None:
    crop, pips = plainly_cropped(die())
    rng = np.random.default_rng(3)

    def changed_ones(faint: float, lamps: float) -> int:
        monkeypatch.setattr(crops, "FADED", faint)
        monkeypatch.setattr(crops, "MIRRORING", lamps)
        return sum(bool((_altered(crop, pips.astype(np.float32), rng) != crop).any()) for _ in range(40))

    assert changed_ones(0.0, 0.0) == 0
    assert changed_ones(1.0, 0.0) == 40
    assert 8 < changed_ones(0.5, 0.0) < 32
    assert changed_ones(0.0, 1.0) > 30


def test_pasted_dice_keep_their_faces_and_lose_their_ground() -> None:
    white, ground = die(), np.full((PATCH_PX, PATCH_PX, 3), (0, 0, 200), np.uint8)
    middle = (PATCH_PX / 2, PATCH_PX / 2, 72.0)
    y, x = np.mgrid[:PATCH_PX, :PATCH_PX] - (PATCH_PX - 1) / 2
    face, away = np.hypot(x, y) < 24, np.maximum(abs(x), abs(y)) > 60
    for seed in range(20):
        made = pasted(white.picture, [middle], ground, np.random.default_rng(seed)).astype(int)
        assert np.abs(made - white.picture)[face].max() <= 3
        assert made[away][:, 2].mean() > 90
        assert made[away][:, :2].max() <= 30


def windows_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the colours, light and sharpness of their pictures, with nothing laid on them."""
    monkeypatch.setattr(crops, "recolour", lambda picture, _: picture)
    monkeypatch.setattr(crops, "degrade", lambda picture, *_, **__: picture)
    monkeypatch.setattr(crops, "CLUTTERED", 0.0)
    monkeypatch.setattr(crops, "DIM", 0.0)


def test_windows_show_dice_on_ground_without_any_where_they_were_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crops, "PASTED", 1.0)
    monkeypatch.setattr(crops, "recolour", lambda picture, rng, **_: picture)
    monkeypatch.setattr(crops, "degrade", lambda picture, rng, **_: picture)
    monkeypatch.setattr(crops, "CLUTTERED", 0.0)
    monkeypatch.setattr(crops, "DIM", 0.0)
    white = Example(die().picture, [Truth(np.array([36, 36, 72, 72], np.float32), 5)], "photo")
    plain = Example(np.full((300, 300, 3), (0, 0, 200), np.uint8), [], PLAIN)
    batch = finder_batch([white] * 8 + [plain], np.random.default_rng(2))
    assert (batch.heat == 1).sum() >= 5
    assert (batch.heat[8] == 1).sum() == 0
    for window, heat in zip(batch.windows[:8], batch.heat[:8], strict=True):
        blue = window[0] > 0
        for row, column in CELL_PX * np.argwhere(heat == 1):
            assert blue[max(0, row - 8) : row + 10, max(0, column - 8) : column + 10].any()
        assert np.median(window[0]) < -0.45  # the brown of the photo, 60 of 255, is gone


def test_a_die_is_marked_in_the_cell_of_its_middle_and_told_its_size_around_it(monkeypatch: pytest.MonkeyPatch) -> None:
    disc = np.zeros((240, 240, 3), np.uint8)
    cv2.circle(disc, (120, 120), 60, (255, 255, 255), cv2.FILLED)
    windows_as_they_are(monkeypatch)
    batch = finder_batch(
        [Example(disc, [Truth(np.array([60, 60, 120, 120], np.float32), 3)], DRAWN)] * 20, np.random.default_rng(1)
    )
    marked = 0
    for window, heat, log_size, at_die in zip(batch.windows, batch.heat, batch.log_size, batch.at_die, strict=True):
        white = window[0] > 0
        for row, column in np.argwhere(heat == 1):
            y, x = np.argwhere(white).mean(axis=0)
            across = 2 * math.sqrt(white.sum() / math.pi)
            if min(x, y, 255 - x, 255 - y) > across:
                marked += 1
                assert math.hypot((column + 0.5) * CELL_PX - 0.5 - x, (row + 0.5) * CELL_PX - 0.5 - y) < CELL_PX
                assert at_die[row // 2, column // 2] == 1
                assert 24 * math.exp(log_size[row // 2, column // 2]) == pytest.approx(across, rel=0.06)
    assert marked >= 5


def test_a_dimmed_picture_shows_the_same_in_fewer_levels_and_more_noise() -> None:
    """As the reader sees it: brightened as far as it brightens pictures."""
    bright = np.zeros((128, 128, 3), np.uint8)
    bright[:] = np.linspace(20, 240, 128).astype(np.uint8)[:, None]  # from left to right
    for seed in range(20):
        dark = dimmed(bright, np.random.default_rng(seed))
        assert np.corrcoef(bright.mean(axis=(0, 2)), dark.mean(axis=(0, 2)))[0, 1] > 0.98
        assert np.percentile(dark, 99) >= 110
        assert dark.std(axis=0).mean() > 0.5


def test_a_window_may_be_seen_in_little_light(monkeypatch: pytest.MonkeyPatch) -> None:
    grey = Example(np.full((300, 300, 3), 200, np.uint8), [], PLAIN)
    windows_as_they_are(monkeypatch)
    for share, least, most in ((0.0, 0, 0), (1.0, 4, 6)):  # the noise of the best camera is less than a level
        monkeypatch.setattr(crops, "DIM", share)
        windows = finder_batch([grey] * 6, np.random.default_rng(3)).windows
        assert least <= sum(np.median(np.abs(np.diff(window))) > 0 for window in windows) <= most


def test_a_window_may_show_its_picture_squeezed(monkeypatch: pytest.MonkeyPatch) -> None:
    disc = np.zeros((240, 240, 3), np.uint8)
    cv2.circle(disc, (120, 120), 70, (255, 255, 255), cv2.FILLED)
    windows_as_they_are(monkeypatch)
    round_thing = Example(disc, [Truth(np.array([50, 50, 140, 140], np.float32), 3)], "photo", "disc")
    shapes = []
    for window in finder_batch([round_thing] * 300, np.random.default_rng(5)).windows:
        edges, _ = cv2.findContours(np.asarray(window[0] > 0, np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        x, y, wide, high = cv2.boundingRect(max(edges, key=cv2.contourArea)) if edges else (0, 0, 1, 1)
        if x > 0 and y > 0 and x + wide < window.shape[2] and y + high < window.shape[1]:
            shapes.append(max(wide, high) / min(wide, high))
    assert len(shapes) > 100
    assert np.median(shapes) < 1.2
    assert 0.04 < np.mean(np.array(shapes) > 1.5) < 0.25


def test_chance_is_the_seed_s() -> None:
    picture = die().picture[40:104, 40:104]
    assert np.array_equal(changed(picture, 7), changed(picture, 7))
    assert not np.array_equal(changed(picture, 7), changed(picture, 8))


def noisy(path: Path, shape: tuple[int, int], seed: int) -> None:
    picture = np.random.default_rng(seed).integers(0, 255, (*shape, 3)).astype(np.uint8)
    path.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(path), cv2.resize(picture, None, fx=40, fy=40, interpolation=cv2.INTER_NEAREST))


def test_pictures_without_dice_are_taken_once_each_and_only_where_they_show_enough(tmp_path: Path) -> None:
    noisy(tmp_path / "b" / "room.png", (10, 12), 1)
    noisy(tmp_path / "a.jpg", (30, 40), 2)
    noisy(tmp_path / "small.png", (3, 3), 3)
    noisy(tmp_path / "long.png", (6, 40), 4)
    cv2.imwrite(str(tmp_path / "flat.png"), np.full((400, 400, 3), 200, np.uint8))
    (tmp_path / "torn.jpg").write_bytes((tmp_path / "a.jpg").read_bytes()[:300])
    (tmp_path / "copy.png").write_bytes((tmp_path / "b" / "room.png").read_bytes())
    found = plain_examples(tmp_path)
    assert [(e.name, e.source, e.dice, e.picture.shape) for e in found] == [
        ("a.jpg", PLAIN, [], (750, 1000, 3)),
        ("b/room.png", PLAIN, [], (400, 480, 3)),
    ]


def test_a_folder_without_pictures_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no pictures"):
        plain_examples(tmp_path)


@pytest.mark.parametrize(("source", "places"), [(DRAWN, 4), (TRACED, 4), ("photo", 20), (PLAIN, 20)])
def test_of_scenes_that_can_be_made_at_will_less_ground_is_taken(source: str, places: int) -> None:
    """Most of it is bare; what the finder takes for dice there is to be learned, too."""
    ground = np.random.default_rng(1).integers(0, 255, (400, 500, 3), dtype=np.uint8)
    assert len(patches([Example(ground, [], source)], 1).of[source][0]) == places


def test_pictures_without_dice_teach_ground_only() -> None:
    """They must not thin out the photographed dice."""
    pool = Patches()
    for value in range(8):
        for source in ("photo", DRAWN):
            pool.add(Patch(np.zeros((1, 1, 3), np.uint8), value, None, source))
    pool.add(Patch(np.zeros((1, 1, 3), np.uint8), 0, None, PLAIN))
    drawn = Counter((p.value, p.source) for p in face_draw(pool)(np.random.default_rng(1), 8000))
    of_nothing = sum(drawn[0, source] for source in ("photo", DRAWN, PLAIN))
    assert drawn[0, PLAIN] / of_nothing == pytest.approx(PLAIN_GROUNDS, abs=0.03)
    assert {source for value, source in drawn if value} == {"photo", DRAWN}
    assert drawn[3, "photo"] / (drawn[3, "photo"] + drawn[3, DRAWN]) == pytest.approx(REAL_SHARE, abs=0.06)
    windows = Counter(
        e.source
        for e in finder_draw([Example(np.zeros((1, 1, 3), np.uint8), [], s) for s in ("photo", DRAWN, PLAIN)])(
            np.random.default_rng(2), 4000
        )
    )
    assert windows[PLAIN] / 4000 == pytest.approx(PLAIN_WINDOWS, abs=0.03)


def test_some_dice_of_a_table_have_pips_as_few_moulds_have_them() -> None:
    changed, dice = [], 0
    for seed in range(200):
        usual = random_scene(np.random.default_rng(seed), size=(640, 480), hardness=0.5)
        other = _with_rare_pips(usual, seed)
        assert replace(other, dice=()) == replace(usual, dice=())
        assert len({die.look for die in other.dice}) == len({die.look for die in usual.dice}), "alike stays alike"
        pairs = [(one.look, two.look) for one, two in zip(usual.dice, other.dice, strict=True)]
        changed += [look for before, look in pairs if look != before]
        dice += len(pairs)
    assert len(changed) / dice == pytest.approx(RARE, abs=0.08)
    assert min(look.pip_radius for look in changed) < 0.045
    assert max(look.pip_radius for look in changed) > 0.15
    assert max(max(map(max, look.spreads)) + look.pip_radius for look in changed) < 0.5, "pips lie on their face"


def test_a_steep_scene_is_the_same_table_from_a_slant() -> None:
    usual, steep, again = drawn_example(20007), drawn_example(20007, steep=True), drawn_example(20007, steep=True)
    assert np.array_equal(steep.picture, again.picture)
    assert [die.value for die in steep.dice] == [die.value for die in usual.dice]
    shape = [np.mean([die.box[3] / die.box[2] for die in example.dice]) for example in (usual, steep)]
    assert not np.allclose(shape[0], shape[1], rtol=0.02)


def test_what_is_made_ahead_comes_in_its_order_one_ahead() -> None:
    made: list[int] = []
    threads = threading.active_count()

    def make(number: int) -> int:
        made.append(number)
        return number

    coming = ahead(make, 3)
    assert [next(coming) for _ in range(5)] == [3, 4, 5, 6, 7]
    coming.close()
    assert made == [3, 4, 5, 6, 7, 8]
    assert threading.active_count() == threads


def test_what_is_made_ahead_while_the_one_before_is_used_is_made_by_another_thread() -> None:
    made = ahead(lambda _: threading.get_ident(), 0)
    assert next(made) != threading.get_ident()
    made.close()


def test_a_batch_that_cannot_be_made_ends_what_is_made_ahead() -> None:
    coming = ahead(lambda number: {0: "a batch"}[number], 0)
    assert next(coming) == "a batch"
    with pytest.raises(KeyError, match="1"):
        next(coming)


@pytest.mark.parametrize("processes", [1, 3])
def test_work_that_is_spread_comes_back_in_the_order_of_the_things(processes: int) -> None:
    def work(number: int) -> tuple[int, int]:
        time.sleep(0.01 * (number % 3))
        return number, os.getpid()

    done = list(spread(work, range(10, 40), processes))
    assert [number for number, _ in done] == list(range(10, 40))
    assert (os.getpid() in {maker for _, maker in done}) is (processes == 1)
    with pytest.raises(ZeroDivisionError):
        list(spread(lambda number: 1 // number, range(5, -5, -1), processes))
    assert not multiprocessing.active_children()


CLOSED_EARLY = """
signal.signal(signal.SIGTERM, lambda *_: None)

def slow(number):
    time.sleep(0.2)
    return number

done = spread(slow, range(40), 3)
print(next(done))
done.close()
print(multiprocessing.active_children(), signal.pthread_sigmask(signal.SIG_BLOCK, ()))
"""
BY_THREADS = """
cv2.setNumThreads(4)
picture = numpy.zeros((1500, 1500, 3), numpy.uint8)

def blurred(by):
    return int(cv2.GaussianBlur(picture, (0, 0), by).sum())

print(blurred(9), list(spread(blurred, range(1, 7), 3)), cv2.getNumThreads())
"""


@pytest.mark.parametrize(
    ("script", "told"),
    [
        pytest.param(CLOSED_EARLY, "0\n[] set()\n", id="a handler that only takes note, as a service has one"),
        pytest.param(BY_THREADS, "0 [0, 0, 0, 0, 0, 0] 4\n", id="OpenCV that worked by threads before"),
    ],
)
def test_spread_work_ends_whatever_its_processes_are_forked_from(script: str, told: str) -> None:
    """Apart and with a limit: where it does not end, it waits for ever, and the processes it forked do, too."""
    needed = "import multiprocessing, signal, time, cv2, numpy\nfrom companion.vision.train.spread import spread\n"
    apart = subprocess.Popen(
        [sys.executable, "-c", needed + script], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    with apart:
        try:
            assert apart.communicate(timeout=60)[0] == told
        finally:
            with suppress(ProcessLookupError):
                os.killpg(apart.pid, signal.SIGKILL)


INTERRUPTED = """
import sys, time
from companion.vision.command import run
from companion.vision.train.spread import spread

def draw(number):
    print(number, flush=True)
    time.sleep(0.1)

def main():
    list(spread(draw, range(4000), 3))

sys.modules["drawing"] = sys.modules["__main__"]
sys.exit(run("drawing"))
"""


def test_ctrl_c_while_work_is_spread_ends_all_processes_and_tells_nothing() -> None:
    """To the whole group, as a terminal sends it."""
    apart = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with apart:
        try:
            assert apart.stdout is not None
            assert apart.stdout.readline()
            os.killpg(apart.pid, signal.SIGINT)
            _, told = apart.communicate(timeout=60)
            assert (apart.returncode, told) == (130, "")
            with pytest.raises(ProcessLookupError):
                os.killpg(apart.pid, 0)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(apart.pid, signal.SIGKILL)


def all_of(pool: Patches) -> list[Patch]:
    return [patch for kinds in pool.of.values() for some in kinds.values() for patch in some]


def test_pictures_and_patches_are_the_same_by_several_processes() -> None:
    scenes = [drawn_example(seed) for seed in range(1, 5)]
    finder = packed().finder
    pools = [patches(scenes, 5, finder, processes=processes) for processes in (1, 2)]
    alarms = [mined(scenes, finder, processes=processes) for processes in (1, 2)]
    laid = [clutter(pools[0], 6, 5, processes=processes) for processes in (1, 2)]
    for one, other in (pools, alarms, laid):
        found = [all_of(pool) for pool in (one, other)]
        assert len(found[0]) == len(found[1]) > 0
        assert all(np.array_equal(mine.picture, its.picture) for mine, its in zip(*found, strict=True))
    assert {patch.mined for patch in all_of(alarms[0])} == {True}
    sheets = [printed_examples(3, processes=processes) for processes in (1, 2)]
    assert all(np.array_equal(mine.picture, its.picture) for mine, its in zip(*sheets, strict=True))


def test_what_takes_long_is_told_with_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    scenes, finder = [drawn_example(seed) for seed in (1, 2)], packed().finder
    pool = patches(scenes, 5)
    mined(scenes, finder)
    clutter(pool, 3, 5)
    half, whole = (f"\r[{'#' * full}{'.' * (30 - full)}]" for full in (15, 30))
    assert capsys.readouterr().err == (
        f"cutting dice and ground out of 2 pictures\n{half} 1/2{whole} 2/2\n"
        f"searching 2 pictures for what is taken for dice and is none\n{half} 1/2{whole} 2/2\n"
        f"laying 3 things on ground\n\r[{'#' * 10}{'.' * 20}] 1/3\r[{'#' * 20}{'.' * 10}] 2/3{whole} 3/3\n"
    )


def test_a_picture_that_took_anothers_place_without_dice_or_traced_makes_another_run(tmp_path: Path) -> None:
    folder = tmp_path / "others"
    folder.mkdir()
    (folder / "labels.jsonl").write_text('{"image": "1.png", "dice": []}\n', encoding="utf-8")
    picture = np.zeros((9, 9, 3), np.uint8)
    for given in ({"plain": folder, "traced": None}, {"plain": None, "traced": folder}):
        cv2.imwrite(str(folder / "1.png"), picture)
        before = learned_from([], **given)
        assert learned_from([], **given) == before
        cv2.imwrite(str(folder / "1.png"), cv2.resize(picture, (12, 12)))
        assert learned_from([], **given) != before
        (folder / "1.png").unlink()
        with pytest.raises(FileNotFoundError):
            learned_from([], **given)


def test_things_are_laid_on_no_photo() -> None:
    pool = Patches()
    for source, level in (("skovy", 255), (DRAWN, 0), (PLAIN, 0), (TRACED, 0)):
        pool.add(Patch(np.full((PATCH_PX, PATCH_PX, 3), level, np.uint8), 0, None, source))
    corners = [int(patch.picture[0, 0].max()) for patch in clutter(pool, 40, 1).of[DRAWN][0]]
    assert sorted(corners)[:35] == [0] * 35, "a few things reach as far"


def test_things_that_are_laid_bring_no_source_of_their_own() -> None:
    """What is there is drawn from, each for its share."""
    pool = Patches()
    pool.add(Patch(np.zeros((PATCH_PX, PATCH_PX, 3), np.uint8), 0, None, DRAWN))
    clutter(pool, 2, 1)
    assert set(pool.of) == {DRAWN}


def test_nothing_that_a_finder_of_all_collections_found_is_in_the_crops_of_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither as ground nor as what covers a die: networks without a collection see those crops."""
    for chance in ("PASTED", "COVERED"):
        monkeypatch.setattr(crops, chance, 1.0)
    grey = np.full((PATCH_PX, PATCH_PX, 3), 90, np.uint8)
    dice = [Patch(grey, 3, None, "skovy")] * 8

    def beside(level: int) -> FaceBatch:
        mined_one = Patch(np.full_like(grey, level), 0, None, PLAIN, mined=True)
        return face_batch([*dice, mined_one], np.random.default_rng(4))

    one, other = beside(0), beside(255)
    assert one.sources[-1] == MINED
    assert np.array_equal(one.crops[:-1], other.crops[:-1])


def test_a_die_that_must_be_found_has_its_way_beside_one_that_need_not() -> None:
    wanted, other = (
        Truth(np.array([100, 100, 30, 30], np.float32), 3),
        Truth(np.array([125, 100, 30, 30], np.float32), 2),
    )
    picture = np.full((240, 240, 3), 120, np.uint8)
    marked = [
        finder_batch([Example(picture, dice, DRAWN)], np.random.default_rng(2))
        for dice in ([wanted, replace(other, skip=True)], [replace(other, skip=True), wanted])
    ]
    for batch in marked:
        assert np.array_equal(batch.matters, marked[0].matters)
        assert batch.matters[batch.heat == 1].all()
        assert (batch.heat == 1).any()
