from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image
from standins import FakeClock

from companion.compose import camera_of
from companion.config import Camera
from companion.pictures import SUFFIXES
from companion.ports import DeviceLost
from hardware.camera_folder import FolderCamera
from hardware.pictures import emptied, ordered


def plain(level, size=(40, 60)):
    return np.full((*size, 3), level, np.uint8)


def save(path, level):
    """A plain picture that can be told by its level."""
    cv2.imwrite(str(path), plain(level))


def watch(camera, seconds, rolled_at=()):
    """The levels seen, one a run of equal ones; the roll is taken at each second in `rolled_at`."""
    seen: list[int] = []
    for second in range(seconds):
        if second in rolled_at:
            camera.rolled()
        frame = camera.frame(1.0)
        level = round(float(frame.picture.mean()))
        if not seen or seen[-1] != level:
            seen.append(level)
    return seen


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


def test_pictures_come_by_name_between_empty_trays_each_once_its_roll_was_taken(tmp_path, clock):
    for name, level in (("b.png", 20), ("a.png", 10), ("empty.png", 200)):
        save(tmp_path / name, level)
    camera = FolderCamera(tmp_path, clock=clock, fps=1, empty_s=3)
    assert watch(camera, 10) == [200, 10]
    assert watch(camera, 10, rolled_at=(2,)) == [10, 200, 20]
    assert watch(camera, 10, rolled_at=(2,)) == [20, 200]
    assert watch(camera, 10, rolled_at=(2,)) == [200]


@pytest.mark.parametrize("suffix", sorted(SUFFIXES))
def test_every_kind_of_picture_that_can_be_read_is_played(tmp_path, clock, suffix):
    if suffix not in Image.registered_extensions():
        pytest.skip(f"this Pillow knows no {suffix}")
    for name, level in ((f"a{suffix}", 10), (f"B{suffix.upper()}", 20), (f"Empty{suffix.upper()}", 200)):
        Image.new("L", (60, 40), level).save(tmp_path / name)
    (tmp_path / "a.txt").write_text("no picture")
    assert watch(FolderCamera(tmp_path, clock=clock, fps=1, empty_s=3), 20, (10,)) == [200, 20, 200, 10]


def test_a_roll_taken_while_the_tray_is_empty_does_not_skip_a_picture(tmp_path, clock):
    save(tmp_path / "a.png", 10)
    save(tmp_path / "empty.png", 200)
    camera = FolderCamera(tmp_path, clock=clock, fps=1, empty_s=5)
    assert watch(camera, 10, rolled_at=(1,)) == [200, 10]


def test_a_list_gives_the_order_and_may_repeat(tmp_path, clock):
    for name, level in (("a.png", 10), ("b.png", 20), ("empty.jpg", 200)):
        save(tmp_path / name, level)
    order = tmp_path / "order.txt"
    order.write_text("b.png\n\n# the same again\nb.png # here\na.png\n")
    warnings: list[str] = []
    camera = FolderCamera(tmp_path, clock=clock, order=order, fps=1, empty_s=1, warn=warnings.append)
    assert watch(camera, 20, rolled_at=(5, 10)) == [200, 20, 200, 20, 200, 10]
    assert warnings == []


def test_a_byte_order_mark_is_no_part_of_the_first_name(tmp_path):
    (tmp_path / "order.txt").write_bytes(b"\xef\xbb\xbfa.png\r\nb.png\r\n")
    assert ordered(tmp_path, tmp_path / "order.txt") == [tmp_path / "a.png", tmp_path / "b.png"]


def test_what_is_no_picture_is_left_out_with_a_warning(tmp_path, clock):
    save(tmp_path / "c.png", 30)
    save(tmp_path / "empty.png", 200)
    (tmp_path / "a.png").write_bytes(b"")
    (tmp_path / "b.jpg").write_bytes(b"torn")
    for notes in ("A.txt", "empty.md"):
        (tmp_path / notes).write_text("not a picture, not tried")
    warnings: list[str] = []
    camera = FolderCamera(tmp_path, clock=clock, fps=1, warn=warnings.append)
    assert watch(camera, 5) == [200, 30]
    assert warnings == [
        f"{tmp_path / 'a.png'} is left out: the file is empty; save or copy it again",
        f"{tmp_path / 'b.jpg'} is left out: not a picture, or of a kind that is not known; save it as JPEG or PNG",
    ]


def test_photos_of_a_kind_that_is_not_known_are_told_and_what_systems_hide_beside_them_is_passed_over(tmp_path, clock):
    save(tmp_path / "b.png", 30)
    save(tmp_path / "empty.png", 200)
    for name in ("a.HEIC", "empty.HEIC", "._b.png", ".empty.png"):
        (tmp_path / name).write_bytes(b"\0\0\0\x18ftypheic")
    warnings: list[str] = []
    camera = FolderCamera(tmp_path, clock=clock, fps=1, warn=warnings.append)
    assert watch(camera, 5) == [200, 30]
    told = f"{tmp_path / 'a.HEIC'} is left out: not a picture, or of a kind that is not known; save it as JPEG or PNG"
    assert warnings == [told]


def test_where_no_picture_can_be_read_the_camera_is_lost_and_each_warned_of_once(tmp_path, clock, caplog):
    save(tmp_path / "empty.png", 200)
    (tmp_path / "a.jpg").write_bytes(b"\0\0\0\x18ftypheic")
    opening = camera_of(Camera(kind="folder", path=tmp_path, fps=1), clock=clock)
    for _ in range(2):
        with pytest.raises(DeviceLost, match=f"no picture in {tmp_path} can be read; put pictures there"):
            opening()
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [f"{tmp_path}/a.jpg is left out"]
    save(tmp_path / "a.jpg", 30)
    assert watch(opening(), 5) == [200, 30]


def test_a_name_in_the_list_that_is_not_there_is_left_out_with_a_warning(tmp_path, clock):
    save(tmp_path / "a.png", 10)
    save(tmp_path / "empty.png", 200)
    order = tmp_path / "order.txt"
    order.write_text("gone.png\na.png\n")
    warnings: list[str] = []
    camera = FolderCamera(tmp_path, clock=clock, order=order, fps=1, warn=warnings.append)
    assert warnings == [f"{tmp_path / 'gone.png'} is left out: no such file; check the path"]
    assert watch(camera, 5) == [200, 10]


def test_without_an_empty_picture_the_tray_is_the_ground_of_the_next_one(tmp_path, clock):
    picture = np.full((100, 120, 3), (60, 120, 30), np.uint8)
    picture[30:70, 40:80] = 255
    cv2.imwrite(str(tmp_path / "a.png"), picture)
    warnings: list[str] = []
    first = FolderCamera(tmp_path, clock=clock, warn=warnings.append).frame(1)
    assert warnings == []
    assert first.picture.shape == picture.shape
    assert np.abs(np.median(first.picture, axis=(0, 1)) - (60, 120, 30)).max() <= 1
    assert 1 < first.picture[..., 0].std() < 3


def test_without_an_empty_picture_the_tray_stays_empty_after_the_last_one(tmp_path, clock):
    picture = plain(80, (100, 100))
    picture[10:90, 10:90] = 255
    cv2.imwrite(str(tmp_path / "a.png"), picture)
    camera = FolderCamera(tmp_path, clock=clock, fps=1, empty_s=3)
    dice = round(float(picture.mean()))
    assert watch(camera, 20, rolled_at=(10,)) == [80, dice, 80]


def test_an_empty_tray_never_shows_the_dice(tmp_path):
    """However much of it they fill, and whatever line lies around it."""
    picture = np.full((100, 100, 3), 255, np.uint8)
    picture[1:-1, 1:-1] = 80
    picture[6:94, 6:94] = 255
    assert emptied(picture).max() < 100


def test_the_ground_of_the_brightest_and_darkest_tray_is_as_bright_and_dark():
    assert emptied(plain(255)).min() > 240
    assert emptied(plain(0)).max() < 15


def test_pictures_of_a_folder_are_turned_as_configured_and_come_one_after_the_other(tmp_path, clock):
    for name, level in (("a.png", 10), ("b.png", 20), ("empty.png", 200)):
        save(tmp_path / name, level)
    camera = camera_of(Camera(kind="folder", path=tmp_path, fps=1, rotate=90), clock=clock)()
    assert camera.frame(1).picture.shape == (60, 40, 3)
    assert watch(camera, 10, rolled_at=(5,)) == [10, 200, 20]


def test_frames_come_at_their_pace_and_not_before(tmp_path, clock):
    save(tmp_path / "a.png", 10)
    camera = FolderCamera(tmp_path, clock=clock, fps=2)
    assert camera.frame(1.0).taken_s == 100.0
    assert camera.frame(0.25) is None
    assert clock.now_s() == 100.25
    assert camera.frame(1.0).taken_s == 100.5
    clock.sleep(10)  # nobody looks for a while, and gets no backlog
    assert [camera.frame(1.0).taken_s for _ in range(2)] == [110.5, 111.0]


@pytest.mark.parametrize("fps", [0, -1])
def test_a_pace_at_which_nothing_would_ever_come_is_refused(tmp_path, clock, fps):
    save(tmp_path / "a.png", 10)
    with pytest.raises(ValueError, match=f"fps is {fps}; more than 0 was expected"):
        FolderCamera(tmp_path, clock=clock, fps=fps)


def test_a_folder_that_is_missing_or_bare_is_a_lost_camera_with_a_reason(tmp_path, clock):
    with pytest.raises(DeviceLost, match="holds no picture"):
        FolderCamera(tmp_path, clock=clock)
    cause = f"the pictures in {tmp_path}/none cannot be listed: No such file or directory; name a folder of pictures"
    with pytest.raises(DeviceLost, match=f"^{cause}$"):
        FolderCamera(tmp_path / "none", clock=clock)


def test_an_order_that_cannot_be_read_is_named_with_its_own_remedy(tmp_path, clock):
    save(tmp_path / "a.png", 10)
    (tmp_path / "torn.txt").write_bytes(b"\xff")
    for order, why in (
        (tmp_path / "none.txt", "No such file or directory"),
        (tmp_path / "torn.txt", "text in UTF-8 was expected, but line 1 is not"),
        (Path("/dev/zero"), "a file was expected, but it is something else"),
    ):
        with pytest.raises(DeviceLost, match=f"the order {order} cannot be read: {why}") as lost:
            FolderCamera(tmp_path, clock=clock, order=order)
        assert lost.value.remedy == "name a text file with the name of a picture in each line"
