"""Picture files and frames of every kind become one shape, or a clear error."""

import os
import struct
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import PIL
import pytest
from PIL import Image, ImageFile, ImageOps

from companion import pictures
from companion.pictures import KEPT_PX, BadPicture, load, normalise, open_photo


def save(tmp_path, array, name="x.png"):
    Image.fromarray(array).save(tmp_path / name)
    return tmp_path / name


def test_grey_alpha_and_deep_files_become_bgr(tmp_path):
    grey = save(tmp_path, np.full((4, 5), 7, np.uint8), "grey.png")
    assert np.array_equal(load(grey), np.full((4, 5, 3), 7, np.uint8))
    clear = save(tmp_path, np.zeros((4, 5, 4), np.uint8), "clear.png")
    assert np.array_equal(load(clear), np.full((4, 5, 3), 128, np.uint8))
    deep = save(tmp_path, np.full((4, 5), 65535, np.uint16), "deep.png")
    assert np.array_equal(load(deep), np.full((4, 5, 3), 255, np.uint8))
    cv2.imwrite(str(tmp_path / "deep3.png"), np.full((4, 5, 3), 0x8000, np.uint16))
    assert load(tmp_path / "deep3.png")[0, 0, 0] in (127, 128)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_rotation_is_followed(tmp_path, orientation):
    exif = Image.Exif()
    exif[0x0112] = orientation
    path = tmp_path / "turned.png"
    Image.fromarray(np.arange(20 * 30 * 3, dtype=np.uint8).reshape(20, 30, 3)).save(path, exif=exif)
    with Image.open(path) as image:
        upright = np.asarray(ImageOps.exif_transpose(image))
    assert np.array_equal(load(path)[:, :, ::-1], upright)


TURNED_AND_ODD = b"Exif\0\0II*\0" + struct.pack(
    "<IH HHII HHII I8s", 8, 2, 0x0112, 3, 1, 6, 0x011A, 2, 8, 38, 0, b"72 dpi"
)
"""EXIF of a picture that was turned (6), whose horizontal resolution is a text."""


def test_an_odd_exif_tag_does_not_keep_a_sound_picture_from_being_read_upright(tmp_path):
    Image.new("RGB", (30, 20)).save(tmp_path / "x.jpg", exif=TURNED_AND_ODD)
    assert load(tmp_path / "x.jpg").shape == (30, 20, 3)


@pytest.mark.parametrize("exif", [b"neither nor", b"II*\0" + b"\xff" * 4])
def test_a_picture_whose_exif_is_broken_is_read_as_it_lies(tmp_path, exif):
    Image.new("RGB", (30, 20)).save(tmp_path / "x.png", exif=exif)
    assert load(tmp_path / "x.png").shape == (20, 30, 3)


FAULTS = [
    (RuntimeError("Failed to decode\nframe 0"), r"broken \(Failed to decode frame 0\)"),
    (struct.error("bad char"), "broken"),
    (TypeError(), r"broken \(TypeError\)"),
    (NotImplementedError("Unimplemented pixel format"), "of a kind that is not known"),
    (MemoryError(), "not enough memory"),
]


@pytest.mark.parametrize(("fault", "says"), FAULTS, ids=lambda part: type(part).__name__)
def test_whatever_a_decoder_raises_is_said_of_the_picture(tmp_path, monkeypatch, fault, says):
    def fail(image):
        raise fault

    path = save(tmp_path, np.zeros((4, 5, 3), np.uint8))
    monkeypatch.setattr(ImageFile.ImageFile, "load", fail)
    with pytest.raises(BadPicture, match=says):
        load(path)


def test_ctrl_c_while_a_picture_is_decoded_is_no_fault_of_the_picture(tmp_path, monkeypatch):
    def stop(image):
        raise KeyboardInterrupt

    path = save(tmp_path, np.zeros((4, 5, 3), np.uint8))
    monkeypatch.setattr(ImageFile.ImageFile, "load", stop)
    with pytest.raises(KeyboardInterrupt):
        load(path)


def test_a_huge_picture_is_shrunk_and_says_by_how_much(tmp_path):
    path = save(tmp_path, np.zeros((100, 3 * KEPT_PX), np.uint8), "wide.png")
    photo = open_photo(path)
    assert max(photo.picture.shape) <= KEPT_PX
    assert photo.shrunk == pytest.approx(3.0, rel=0.01)


MODES = ("1", "L", "LA", "P", "PA", "RGB", "RGBA", "CMYK", "YCbCr", "I", "I;16", "F")


def slope(mode):
    """A picture of this kind that is dark on its left and light on its right, 90 wide and 70 high."""
    grey = Image.fromarray(np.tile(np.linspace(0, 255, 90).astype(np.uint8), (70, 1)))
    if mode == "I;16":
        return Image.fromarray(np.asarray(grey).astype(np.uint16) * 257)
    return grey.convert("RGB").convert(mode) if mode in ("P", "PA", "YCbCr", "CMYK") else grey.convert(mode)


@pytest.mark.parametrize("mode", MODES)
def test_a_large_picture_of_every_kind_is_shrunk_to_what_the_whole_shows(tmp_path, monkeypatch, mode):
    if mode == "YCbCr" and int(PIL.__version__.split(".")[0]) < 13:
        pytest.skip("NOT TESTED: Pillow before 13 cannot read the YCbCr that it writes")
    slope(mode).save(tmp_path / "x.tif")
    whole = load(tmp_path / "x.tif")
    monkeypatch.setattr(pictures, "KEPT_PX", 30)
    monkeypatch.setattr(pictures, "TILE_PX", 16)  # 15, as pixels are taken by three
    photo = open_photo(tmp_path / "x.tif")
    assert (photo.picture.shape, photo.shrunk) == ((24, 30, 3), 3.0)
    mean = whole[:69].reshape(23, 3, 30, 3, 3).mean(axis=(1, 3))
    assert np.abs(photo.picture[:23] - mean).max() <= 1


PEAK = """
import sys
from pathlib import Path
from companion.pictures import load
load(sys.argv[1])
print(next(line.split()[1] for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line))
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs a system that tells a process's peak memory")
def test_a_large_deep_picture_is_not_converted_as_a_whole(tmp_path):
    path = save(tmp_path, np.full((6000, 6000), 4000, np.uint16))
    told = subprocess.run([sys.executable, "-c", PEAK, str(path)], capture_output=True, text=True, check=True)
    assert int(told.stdout) < 300_000  # kilobytes: its pixels are 72,000, and as floats twice that


def test_the_smallest_picture_is_not_shrunk(tmp_path):
    assert open_photo(save(tmp_path, np.zeros((1, 1), np.uint8))).shrunk == 1.0


def test_a_picture_that_unpacks_to_gigabytes_is_refused_before_it_is_decoded(tmp_path):
    path = tmp_path / "bomb.png"
    Image.new("1", (12_000, 12_000)).save(path)
    with pytest.raises(BadPicture, match="million pixels"):
        load(path)


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"", "empty"), (b"hello", "not a picture"), (b"\x89PNG\r\n\x1a\n0000", "broken|not a picture")],
)
def test_broken_files_say_so(tmp_path, content, says):
    (tmp_path / "bad.png").write_bytes(content)
    with pytest.raises(BadPicture, match=says):
        load(tmp_path / "bad.png")


def test_a_program_that_draws_a_picture_is_not_run(tmp_path):
    Image.new("RGB", (64, 64)).save(tmp_path / "drawn.eps")
    (tmp_path / "drawn.eps").rename(tmp_path / "drawn.jpg")
    with pytest.raises(BadPicture, match="not a picture, or of a kind that is not known"):
        load(tmp_path / "drawn.jpg")


def test_a_truncated_photo_is_refused(tmp_path):
    noise = np.random.default_rng(1).integers(0, 255, (200, 200, 3), np.uint8)
    whole = save(tmp_path, noise, "whole.jpg").read_bytes()
    (tmp_path / "torn.jpg").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BadPicture, match="broken"):
        load(tmp_path / "torn.jpg")


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "x.png")
    with pytest.raises(BadPicture, match="this is a pipe"):
        load(tmp_path / "x.png")


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="needs a system that names open files")
def test_a_picture_that_is_piped_in_is_read(tmp_path):
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(save(tmp_path, np.full((4, 5), 7, np.uint8)).read_bytes())
    assert load(f"/dev/fd/{reading}").shape == (4, 5, 3)
    os.close(reading)


def test_folders_and_missing_files_say_so(tmp_path):
    with pytest.raises(BadPicture, match="folder"):
        load(tmp_path)
    with pytest.raises(BadPicture, match="no such file"):
        load(tmp_path / "none.jpg")


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        (np.array([[True]]), 255),
        (np.array([[[9]]], np.uint8), 9),
        (np.array([[1.0, 0.5]], np.float32), 255),
        (np.array([[[0.0, np.nan, 0.0]]], np.float64), 0),
        (np.array([[4095]], np.uint16), 255),
        (np.array([[1e300, 1.0]], np.float64), 0),
    ],
)
@pytest.mark.filterwarnings("error")
def test_frames_of_any_depth(frame, expected):
    clean = normalise(frame)
    assert (clean.dtype, clean.shape[2], int(clean[0, 0, 0])) == (np.uint8, 3, expected)


def test_nothing_is_said_beside_why_a_file_is_no_picture(tmp_path):
    """Pillow itself logs that a file says to have more samples a pixel than can be read."""
    file = tmp_path / "samples.tif"
    Image.new("RGB", (8, 8)).save(file)
    whole = file.read_bytes()
    tag = struct.pack("<HHI", 277, 3, 1)  # SamplesPerPixel, one short
    assert tag in whole
    file.write_bytes(whole.replace(tag + struct.pack("<H", 3), tag + struct.pack("<H", 2048)))
    script = "import sys, companion.pictures as p\ntry: p.load(sys.argv[1])\nexcept p.BadPicture: print('none')"
    told = subprocess.run([sys.executable, "-c", script, str(file)], capture_output=True, text=True, check=True)
    assert (told.stdout, told.stderr) == ("none\n", "")


@pytest.mark.parametrize("frame", [np.zeros((0, 4, 3), np.uint8), np.zeros((3, 3, 7), np.uint8), np.zeros(5), "no"])
def test_what_is_no_frame_is_refused(frame):
    with pytest.raises(BadPicture):
        normalise(frame)
