"""Profiles: readable, whole or not there at all, and a broken one is named by file and field."""

from __future__ import annotations

import os
import struct
import zlib
from dataclasses import replace
from datetime import date
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.facts import ButtonsFacts, CameraFacts, CheckFacts, DiceFacts, Example, Profile, RingFacts, WildFacts
from calibration.parsed import ProfileError, parse
from calibration.profile import FILE, keep, load, opened, save, tidy, written
from calibration.tray import by_hand
from companion.config import Camera
from companion.vision.colours import Kind

DAY = date(2026, 5, 31)
CAMERA = CameraFacts(
    DAY, "usb", "0", (640, 480), ((1.5, 2.0), (600.0, 3.0), (610.0, 400.0), (2.0, 398.0)), (180.0, 130.0),
    (0.3, 0.0, 0.0, 0.0, 0.3, 0.0, 0.0, 0.0, 1.0), 0.3, 4.0, 0.2, 180.0, "large", "empty.png", gain=1.5,
    white_gains=(1.2, 2.0),
)  # fmt: skip
FULL = Profile(
    CAMERA,
    DiceFacts(
        DAY,
        16.0,
        53.0,
        66.0,
        3,
        4,
        (Kind((230.0, 231.0, 232.0), (10.0, 11.0, 12.0)), Kind((9.0, 9.0, 200.0), (250.0, 250.0, 250.0))),
    ),
    WildFacts(DAY, 54.0, 0.8, (Example("swap", "wild.png", 54.5),), ("lowest", "swap")),
    RingFacts(DAY, 60, 3, False, (3, 20, 40), (3, 0, 57)),
    ButtonsFacts(DAY, 4, 2, 3.5, 7),
    CheckFacts(DAY, 20, 19, 1, 0, 0.9),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, size in (("empty.png", (480, 640)), ("wild.png", (80, 80))):
        cv2.imwrite(str(tmp_path / name), np.zeros((*size, 3), np.uint8))
    return tmp_path


def test_a_profile_is_read_as_it_was_written(folder: Path) -> None:
    save(FULL, folder)
    assert load(folder) == FULL


@pytest.mark.parametrize("sign", [1, -1])
def test_a_tray_that_is_seen_from_a_slant_is_one_whatever_its_homography_is_scaled_by(sign: int, folder: Path) -> None:
    corners = ((200.0, 50.0), (440.0, 50.0), (620.0, 470.0), (20.0, 470.0))
    tray = by_hand(np.array(corners), (400.0, 100.0))
    to_mm = tuple(sign * float(value) for value in tray.to_mm.ravel())
    camera = replace(CAMERA, corners=corners, tray_mm=tray.size_mm, to_mm=to_mm, mm_per_px=tray.mm_per_px)
    save(Profile(camera), folder)
    assert load(folder) == Profile(camera)


def test_a_profile_moves_to_another_folder(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    save(FULL, folder)
    other = tmp_path_factory.mktemp("other") / "calibration"
    folder.rename(other)
    assert load(other) == FULL


def test_a_profile_of_the_first_version_is_read_without_its_mean_colours(folder: Path) -> None:
    one = replace(FULL.dice, kinds=()) if FULL.dice else None
    text = written(replace(FULL, dice=one)).replace("version = 2", "version = 1")
    text = text.replace("dice = 3\n", "body = [230, 231, 232]\npips = [10, 11, 12]\ndice = 3\n")
    assert parse(text.encode(), folder / FILE) == replace(FULL, dice=one)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"version = 1\ndice = 5\n", "dice: a table was expected"),
        (b"a = " + b"[" * 100_000, "it is not TOML"),
        (b"version = 2\n\x00", "it is not TOML"),
    ],
    ids=["no table", "nested", "no text"],
)
def test_what_is_no_profile_at_all_is_told(content: bytes, told: str) -> None:
    with pytest.raises(ProfileError, match=told):
        parse(content, Path(FILE))


def test_missing_is_not_corrupt(tmp_path: Path) -> None:
    assert load(tmp_path / "never") == Profile()


@pytest.mark.parametrize(
    ("before", "after", "where", "expected"),
    [
        ("version = 2", "version = 0", "version", "1 to 2 was expected"),
        ("version = 2", "version = 9", "version", "it was written by a newer companion; this one reads 1 to 2"),
        ("version = 2", 'version = "2"', "version", "1 to 2 was expected"),
        ("version = 2", "version = true", "version", "1 to 2 was expected"),
        ("version = 2\n", "", "version", "1 to 2 was expected"),
        ("throws = 4\n", "throws = 4\nbody = [9, 9, 9]\n", "dice.body", "there is no such key"),
        ("tilt_deg = 4.0", 'tilt_deg = "steep"', "camera.tilt_deg", "a number was expected"),
        ("tilt_deg = 4.0", "tilt_deg = nan", "camera.tilt_deg", "a number was expected"),
        ("tilt_deg = 4.0\n", "", "camera.tilt_deg", "it is missing"),
        ("clockwise = false", "clockwise = 0", "ring.clockwise", "true or false was expected"),
        ('markers = "large"', "markers = 5", "camera.markers", "a text was expected"),
        ('markers = "large"', 'markers = ""', "camera.markers", "a text was expected"),
        ("[ring]", "[rings]", "rings", "there is no such part of a profile"),
        ("leds = 60", "leds = 60\nled = 1", "ring.led", "there is no such key"),
        ("[1.5, 2.0], ", "", "camera.corners", "4 of: a list of pairs of numbers was expected"),
        ('{face = "swap", picture = "wild.png", width = 54.5}', "5", "wild.examples[1]", "a table was expected"),
        ('[\n  {face = "swap", picture = "wild.png", width = 54.5},\n]', "5", "wild.examples", "a list of tables was"),
        ('{face = "swap", picture = "wild.png", width = 54.5},', "", "wild.examples", "a face of the Wild die was"),
        ('face = "swap"', 'face = "number"', "wild.examples", "a face of the Wild die was expected among them"),
        ("width = 54.5", "width = []", "wild.examples[1].width", "a number was expected"),
        (
            "width = 54.5",
            "width = 80.5",
            "wild.examples[1].width",
            "a number up to 80 was expected, since wild.png is no",
        ),
        ("width = 54.5", "width = 0", "wild.examples[1].width", "a number from 1 to 8192 was expected"),
        ("width = 54.5", "width = 9e8", "wild.examples[1].width", "a number from 1 to 8192 was expected"),
        ("width_px = 53.0", "width_px = -5", "dice.width_px", "a number from 1 to 8192 was expected"),
        ("width_px = 54.0", "width_px = -5", "wild.width_px", "a number from 1 to 8192 was expected"),
        ("whole_px = 66.0", "whole_px = 0", "dice.whole_px", "a number from 1 to 8192 was expected"),
        ("edge_mm = 16.0", "edge_mm = 0", "dice.edge_mm", "a number from 1 to 1000 was expected"),
        ("mm_per_px = 0.3", "mm_per_px = 0", "camera.mm_per_px", "a number from 0.001 to 100 was expected"),
        ("[180.0, 130.0]", "[180.0, 0]", "camera.tray_mm", "two numbers from 1 to 10000 was expected"),
        ("size = [640, 480]", "size = [0, 0]", "camera.size", "two whole numbers from 1 to 8192 was expected"),
        ("leds = 60", "leds = 0", "ring.leds", "a whole number from 1 to 512 was expected"),
        ('face = "swap"', 'face = "Swap"', "wild.examples[1].face", "a text out of lowest, highest, swap, number was"),
        ('["lowest", "swap"]', '["low"]', "wild.confused", "a list of texts out of lowest, highest, swap was expected"),
        ("debounce_ms = 7", "debounce_ms = 100000", "buttons.debounce_ms", "a whole number from 0 to 200 was expected"),
        ("dice = 3", "dice = 0", "dice.dice", "a whole number from 1 to 100 was expected"),
        ("throws = 20", "throws = -1", "check.throws", "a whole number from 0 to 1000000 was expected"),
        ("tilt_deg = 4.0", "tilt_deg = -1e8", "camera.tilt_deg", "a number from 0 to 60 was expected"),
        ("least = 0.8", "least = 5.0", "wild.least", "a number from -1 to 1 was expected"),
        ("[9.0, 9.0, 200.0]", "[9.0, -9.0, 200.0]", "dice.kinds[2].body", "a list of numbers from 0 to 255 was"),
        ("first = 3", "first = 60", "ring.first", "numbers below leds = 60 were expected"),
        ("[3, 20, 40]", "[3, 20, 99]", "ring.seats", "numbers below leds = 60 were expected"),
        ("[3, 0, 57]", "[-5]", "ring.spaces", "a list of whole numbers from 0 to 511 was expected"),
        ("[1.5, 2.0]", "[-9e8, 2.0]", "camera.corners", "a list of pairs of numbers from -8192 to 16384 was expected"),
        ("[1.5, 2.0]", "[600.0, 3.0]", "camera.corners", "the four corners of a tray go clockwise"),
        (", 3.0], [610.0, 400.0]", ", 400.0], [610.0, 3.0]", "camera.corners", "the four corners of a tray go"),
        ("size = [640, 480]", "size = [1, 1]", "camera.corners", "corners of a tray in the picture were expected"),
        ("to_mm = [0.3", "to_mm = [0.0", "camera.to_mm", "what makes millimetres of the tray's corners was expected"),
        ("0.0, 1.0]", "0.0, 0.0]", "camera.to_mm", "what makes millimetres of the tray's corners was expected"),
        ("0.0, 1.0]", "1e9, 1.0]", "camera.to_mm", "9 of: a list of numbers was expected"),
        ("mm_per_px = 0.3", "mm_per_px = 3.0", "camera.mm_per_px", "about 0.30 was expected, as to_mm says"),
        ("[camera]", "[camera", "", "it is not TOML"),
    ],
)
def test_a_broken_profile_names_file_and_field(
    folder: Path, before: str, after: str, where: str, expected: str
) -> None:
    assert before in written(FULL)
    (folder / FILE).write_text(written(FULL).replace(before, after, 1), encoding="utf-8")
    with pytest.raises(ProfileError) as told:
        load(folder)
    assert told.value.file == folder / FILE
    assert told.value.where == where
    assert told.value.expected.startswith(expected)


def test_a_profile_that_is_not_in_utf_8_is_told_with_its_line(folder: Path) -> None:
    (folder / FILE).write_bytes(b"version = 2\n# Zo\xeb\n")
    with pytest.raises(ProfileError) as told:
        load(folder)
    assert told.value.wrong == f"{folder / FILE}: text in UTF-8 was expected, but line 2 is not"


def test_a_profile_that_would_never_end_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE).symlink_to("/dev/zero")
    with pytest.raises(ProfileError, match=r"profile\.toml: a file was expected, but it is something else"):
        load(tmp_path)


def test_a_profile_that_the_system_does_not_give_is_no_missing_one(tmp_path: Path) -> None:
    (tmp_path / FILE).symlink_to(FILE)
    with pytest.raises(ProfileError, match=r"profile\.toml: it cannot be read: Too many levels of symbolic links"):
        load(tmp_path)


def test_what_is_no_profile_under_the_name_of_one_put_aside_keeps_nothing(folder: Path) -> None:
    (folder / "profile-broken-1.toml").mkdir()
    empty = keep(np.zeros((480, 640, 3), np.uint8), "empty", folder)
    old = keep(np.ones((480, 640, 3), np.uint8), "empty", folder)
    tidy(Profile(replace(CAMERA, empty=empty)), folder)
    assert ((folder / empty).exists(), (folder / old).exists()) == (True, False)


def test_pictures_of_a_profile_put_aside_stay_though_it_is_not_in_utf_8(folder: Path) -> None:
    first, second, now = (keep(np.full((480, 640, 3), n, np.uint8), "empty", folder) for n in range(3))
    (folder / "profile-broken-1.toml").write_bytes(f'# Zoé\n[camera]\nempty = "{first}"\n'.encode("latin-1"))
    tidy(Profile(replace(CAMERA, empty=now)), folder)
    assert [(folder / name).exists() for name in (first, second, now)] == [True, False, True]


def test_a_picture_of_the_largest_camera_is_opened_as_it_was_kept(tmp_path: Path) -> None:
    assert opened(tmp_path / keep(np.zeros((2592, 4608, 3), np.uint8), "empty", tmp_path)).shape == (2592, 4608, 3)


def test_a_missing_example_picture_is_named(folder: Path) -> None:
    save(FULL, folder)
    (folder / "wild.png").unlink()
    with pytest.raises(ProfileError, match=r"wild\.examples\[1\]\.picture: the picture wild\.png is not beside it"):
        load(folder)


@pytest.mark.parametrize("name", ["a" * 300 + ".png", "a\0b.png"])
def test_a_name_that_no_picture_can_have_is_named(name: str, folder: Path) -> None:
    save(replace(FULL, camera=replace(CAMERA, empty=name)), folder)
    with pytest.raises(ProfileError, match=r"camera\.empty: the picture a.*b?\.png is not beside it"):
        load(folder)


def test_a_torn_picture_is_whole_again_once_the_same_is_kept_anew(folder: Path) -> None:
    empty = np.full((480, 640, 3), 90, np.uint8)
    name = keep(empty, "empty", folder)
    (folder / name).write_bytes((folder / name).read_bytes()[:100])
    assert keep(empty, "empty", folder) == name
    assert np.array_equal(opened(folder / name), empty)


def png(side: int) -> bytes:
    """A small one, which says that it is so wide and high."""
    whole = cv2.imencode(".png", np.zeros((min(side, 64), min(side, 64), 3), np.uint8))[1].tobytes()
    header = b"IHDR" + struct.pack(">II", side, side) + whole[24:29]
    return whole[:12] + header + struct.pack(">I", zlib.crc32(header)) + whole[33:]


@pytest.mark.parametrize(
    "content",
    [b"", png(8)[:4], png(8)[:40], png(64)[:70], png(60_000)],
    ids=["nothing", "four bytes", "its beginning", "without its end", "beyond measure"],
)
def test_a_torn_picture_is_named(content: bytes, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    save(FULL, folder)
    (folder / "empty.png").write_bytes(content)
    with pytest.raises(ProfileError, match=r"camera\.empty: the picture empty\.png is torn"):
        load(folder)
    assert capfd.readouterr() == ("", "")


def test_a_picture_of_the_empty_tray_of_another_size_is_named(folder: Path) -> None:
    save(FULL, folder)
    cv2.imwrite(str(folder / "empty.png"), np.zeros((100, 90, 3), np.uint8))
    with pytest.raises(ProfileError, match=r"camera\.empty: the picture empty\.png has 90×100 pixels, not 640×480"):
        load(folder)


def test_a_profile_that_cannot_be_written_leaves_the_old_one(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(FULL, folder)

    def full_disk(_fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full_disk)
    with pytest.raises(OSError, match="No space"):
        save(Profile(), folder)
    monkeypatch.undo()
    assert load(folder) == FULL
    assert sorted(p.name for p in folder.iterdir()) == ["empty.png", FILE, "wild.png"]


def test_pictures_are_named_by_their_content(tmp_path: Path) -> None:
    grey, white = np.full((4, 4, 3), 90, np.uint8), np.full((4, 4, 3), 255, np.uint8)
    names = [keep(picture, "empty", tmp_path) for picture in (grey, white, grey)]
    assert names[0] == names[2] != names[1]
    assert sorted({names[0], names[1]}) == sorted(p.name for p in tmp_path.iterdir())


@pytest.mark.parametrize(
    ("kind", "device", "stale"),
    [
        ("usb", "0", ""),
        ("usb", "1", "calibrated for camera usb 0, and now it is usb 1"),
        ("picamera2", "0", "calibrated for camera usb 0, and now it is picamera2 0"),
    ],
)
def test_another_camera_is_noticed(kind: str, device: str, stale: str) -> None:
    assert FULL.stale(Camera(kind=kind, device=device)) == stale


def test_another_stream_is_another_camera_and_its_password_is_not_kept() -> None:
    here = Camera(kind="video", url="rtsp://us:secret@10.0.0.5/cam")
    assert here.source == "rtsp://10.0.0.5/cam"
    made = Profile(replace(CAMERA, kind="video", device=here.source))
    assert made.stale(here) == made.stale(replace(here, url="rtsp://10.0.0.5/cam")) == ""
    assert made.stale(replace(here, url="rtsp://us:secret@10.0.0.9/cam")) == (
        "calibrated for camera video rtsp://10.0.0.5/cam, and now it is video rtsp://10.0.0.9/cam"
    )


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("http://us:sec@ret@10.0.0.5/cam", "http://ret@10.0.0.5/cam"),
        ("http://10.0.0.5/cam?user=us&pwd=secret", "http://10.0.0.5/cam?user=us&pwd=secret"),
        ("rtsp://10.0.0.5/user=us&password=secret", "rtsp://10.0.0.5/user=us&password=secret"),
    ],
)
def test_a_stream_that_was_calibrated_with_more_of_its_address_holds_and_that_is_kept_no_longer(
    url: str, kept: str
) -> None:
    made = parse(written(Profile(replace(CAMERA, kind="video", device=kept))).encode(), Path("p"))
    here = Camera(kind="video", url=url)
    assert made == Profile(replace(CAMERA, kind="video", device=here.source))
    assert made.stale(here) == ""
    assert [secret for secret in ("sec", "ret", "us:", "us&") if secret in written(made)] == []


def test_a_video_that_was_calibrated_before_it_was_known_by_its_address_holds() -> None:
    made = Profile(replace(CAMERA, kind="video", device="0"))
    assert made.stale(Camera(kind="video", url="http://10.0.0.5/cam")) == ""


def test_a_film_that_was_calibrated_before_it_was_known_by_its_whole_path_holds() -> None:
    made = Profile(replace(CAMERA, kind="video", device="films/a.avi"))
    assert made.stale(Camera(kind="video", url=Path("/etc/companion/films/a.avi"))) == ""
    assert made.stale(Camera(kind="video", url=Path("/etc/companion/a.avi"))) != ""
    assert made.stale(Camera(kind="video", url="http://10.0.0.5/films/a.avi")) != ""


def test_a_film_in_a_folder_of_any_name_is_kept_and_holds(folder: Path) -> None:
    here, there = (Camera(kind="video", url=Path(os.fsdecode(name), "a.avi")) for name in (b"/t\xff6", b"/t\xfe6"))
    save(replace(FULL, camera=replace(CAMERA, kind="video", device=here.source)), folder)
    assert load(folder).stale(here) == ""
    assert load(folder).stale(there) == (
        r"calibrated for camera video /t\xff6/a.avi, and now it is video /t\xfe6/a.avi"
    )


def test_a_picture_in_a_folder_of_any_name_is_opened(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"t\xff6")
    folder.mkdir()
    drawn = np.full((3, 4, 3), 7, np.uint8)
    (folder / "a.png").write_bytes(cv2.imencode(".png", drawn)[1].tobytes())
    assert np.array_equal(opened(folder / "a.png"), drawn)


def test_a_profile_says_its_version_first() -> None:
    assert written(Profile()).splitlines()[1] == "version = 2"
    assert parse(written(Profile()).encode(), Path("p")) == Profile()
