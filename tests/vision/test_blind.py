"""What networks that have seen no photo make of photos: the measure of what drawn scenes lack."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.vision.engines import Floats
from companion.vision.networks import CLASSES, CROP_PX
from companion.vision.train import blind
from companion.vision.train.crops import PATCH_PX, Patch
from companion.vision.train.pools import Patches
from tests.vision.drawn_photos import add_collection

WEIGHTS = Path(blind.__file__).parents[1] / "weights/first"


def grey(value: int, source: str = "some") -> Patch:
    """A patch as bright as a network that reads brightness needs."""
    return Patch(np.full((PATCH_PX, PATCH_PX, 3), 20 * value, np.uint8), value, None, source)


def of(*patches: Patch) -> Patches:
    pool = Patches()
    for patch in patches:
        pool.add(patch)
    return pool


def brightness(crops: NDArray[np.uint8]) -> tuple[Floats, Floats]:
    """Reads 20 grey levels a pip, but takes each six for a five, with a chance of 0.9."""
    values = np.minimum(crops[:, 0, 0, 0] // 20, 5)
    logits = np.full((len(crops), CLASSES), np.log(0.1 / 7), np.float32)
    logits[np.arange(len(crops)), values] = np.log(0.9)
    pips = np.zeros((len(crops), 32, 32), np.float32)
    for plane, count in zip(pips, values, strict=True):
        plane[4, 4 : 4 + 3 * count : 3] = 1
    return logits, pips


def test_each_collection_is_judged_by_itself() -> None:
    pool = of(*(grey(value) for value in (0, 0, 1, 4, 6, 6)), *(grey(value, "other") for value in (5, 2)))
    other, some = blind.judged(pool, brightness)
    assert (other.source, other.dice, other.right, other.counted, other.grounds, other.taken) == (
        "other",
        2,
        2,
        2,
        0,
        0,
    )
    assert (some.source, some.dice, some.right, some.counted, some.grounds, some.taken) == ("some", 4, 2, 2, 2, 0)
    assert other.loss == pytest.approx(-np.log(0.9), abs=1e-4)
    assert some.loss == pytest.approx(-(np.log(0.9) + np.log(0.1 / 7)) / 2, abs=1e-4)
    assert [(m.value, m.taken_for) for m in some.misread] == [(6, 5), (6, 5)]
    assert not other.misread


def test_ground_that_is_taken_for_a_die_counts() -> None:
    bright = Patch(np.full((PATCH_PX, PATCH_PX, 3), 60, np.uint8), 0, None, "some")
    (row,) = blind.judged(of(bright, grey(0), grey(3)), brightness)
    assert (row.grounds, row.taken) == (2, 1)


def test_a_collection_without_dice_cannot_be_judged() -> None:
    with pytest.raises(ValueError, match="shows no die"):
        list(blind.judged(of(grey(0)), brightness))


@pytest.mark.parametrize("count", [0, 1, 12, 13])
def test_the_picture_has_a_tile_for_each_misread_die(count: int) -> None:
    misread = (blind.Misread(np.full((CROP_PX, CROP_PX, 3), 200, np.uint8), 6, 5),) * count
    picture = blind.plot([blind.Blind("some", 20, 20 - count, 20, 0.1, 0, 0, misread)])
    rows = max(1, -(-count // blind.TILES))
    assert picture.shape == (rows * blind.TILE_PX, blind.TILES * blind.TILE_PX, 3)
    tiles = picture.reshape(rows, blind.TILE_PX, blind.TILES, blind.TILE_PX, 3).max(axis=(1, 3, 4))
    assert int((tiles > 0).sum()) == count


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """Two drawn tables as a collection whose labels have no boxes."""
    add_collection(tmp_path, "tables", (1, 6), (3, 4))
    return tmp_path


def test_the_command_reads_photos_and_shows_what_was_misread(photos: Path, capsys: pytest.CaptureFixture[str]) -> None:
    faces, shown = WEIGHTS / "faces.onnx", photos / "misread.png"
    assert blind.main(["--photos", str(photos), "--faces", str(faces), "--plot", str(shown)]) == 0
    line = capsys.readouterr().out.splitlines()[-1].split()
    assert line[:4] == ["tables", "4", "100.0", "100.0"]
    assert cv2.imread(str(shown)) is not None


def test_the_command_tells_of_collections_that_it_leaves_out(photos: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add_collection(photos, "others", (1, 6))
    *labels, last = (photos / "labels.jsonl").read_text().splitlines()
    (photos / "labels.jsonl").write_text("\n".join([*labels, last.replace("[", "[" + 5 * '{"value": 3},')]) + "\n")
    assert blind.main(["--photos", str(photos), "--faces", str(WEIGHTS / "faces.onnx")]) == 0
    told = capsys.readouterr()
    assert "others: 0 of 1 photos are used; 1 left out: more than 6 dice" in told.err
    assert "tables: 2 of 2 photos are used" in told.err
    assert "others" not in told.out


@pytest.mark.parametrize("name", ["labels.jsonl", "tables/0.jpg"])
def test_a_plot_is_a_png(photos: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        blind.main(["--photos", str(photos), "--faces", str(WEIGHTS / "faces.onnx"), "--plot", str(photos / name)])
    assert f"{name}': a plot is a .png file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("tables/0.png", "tables/0.png is one of the files that are read; name another"),
        ("tables/../tables/1.png", "1.png is one of the files that are read; name another"),
        ("nowhere/x.png", "nowhere/x.png: No such file or directory"),
    ],
)
def test_where_no_plot_can_be_written_is_told_before_any_photo_is_read(
    photos: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, why: str
) -> None:
    monkeypatch.delattr(blind, "photo_examples")
    before = {path: path.read_bytes() for path in photos.rglob("*.*")}
    given = ["--photos", str(photos), "--faces", str(WEIGHTS / "faces.onnx")]
    assert blind.main([*given, "--plot", str(photos / name)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert name in line
    assert why in line
    assert {path: path.read_bytes() for path in photos.rglob("*.*")} == before


def test_the_table_is_told_although_the_plot_finds_no_room(
    photos: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(file: Path, content: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(file))

    monkeypatch.setattr(blind, "put_whole", full)
    given = ["--photos", str(photos), "--faces", str(WEIGHTS / "faces.onnx")]
    assert blind.main([*given, "--plot", str(photos / "x.png")]) == 2
    told = capsys.readouterr()
    assert told.out.splitlines()[-1].split()[0] == "tables"
    assert told.err.splitlines()[-1].endswith("x.png: No space left on device")


@pytest.mark.parametrize("without_onnx_runtime", [False, True])
@pytest.mark.parametrize("missing", ["photos", "gone", "faces", "other"])
def test_what_cannot_be_read_is_told_in_a_line(
    missing: str,
    without_onnx_runtime: bool,
    photos: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if without_onnx_runtime:
        monkeypatch.setitem(sys.modules, "onnxruntime", None)
    (tmp_path / "torn.onnx").write_bytes(b"no network")
    words = {"photos": str(photos), "faces": str(WEIGHTS / "faces.onnx")}
    words |= {
        "photos": {"photos": str(tmp_path / "nowhere")},
        "gone": {"faces": str(tmp_path / "faces0.onnx")},
        "faces": {"faces": str(tmp_path / "torn.onnx")},
        "other": {"faces": str(WEIGHTS / "finder.onnx")},
    }[missing]
    assert blind.main([word for name, path in words.items() for word in (f"--{name}", path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()  # before any photo is looked at
    assert {
        "photos": "nowhere",
        "gone": f"{tmp_path}/faces0.onnx: no such file; python -m companion.vision.train makes it",
        "faces": f"{tmp_path}/torn.onnx: no network can be read",
        "other": "finder.onnx: it is no network of faces",
    }[missing] in line


@pytest.mark.parametrize("torn", ['{"image": "tables/0.png"}', '{"image": "tables/0.png", "dice": [{}]}', "no label"])
def test_a_label_that_is_none_is_told_in_a_line(torn: str, photos: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (photos / "labels.jsonl").open("a") as stream:
        stream.write(torn + "\n")
    assert blind.main(["--photos", str(photos), "--faces", str(WEIGHTS / "faces.onnx")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "labels.jsonl:3" in line


@pytest.mark.parametrize("name", ["plain", "traced", "drawn", "mined"])
def test_photos_in_a_folder_called_as_other_pictures_are_refused_as_in_training(
    photos: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (photos / "tables").rename(photos / name)
    labels = (photos / "labels.jsonl").read_text()
    (photos / "labels.jsonl").write_text(labels.replace("tables/", f"{name}/"))
    assert blind.main(["--photos", str(photos), "--faces", str(WEIGHTS / "faces.onnx")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"photos in a folder called {name} would be taken for others; rename it" in line


def test_a_photo_that_is_gone_is_told_in_a_line(photos: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (photos / "tables/1.png").unlink()
    assert blind.main(["--photos", str(photos), "--faces", str(WEIGHTS / "faces.onnx")]) == 2
    assert "1.png" in capsys.readouterr().err.splitlines()[-1]


def test_dice_of_signs_or_of_twenty_faces_are_not_judged(photos: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (photos / "labels.jsonl").open("a") as stream:
        dice = [{"value": value, "box": None} for value in (20, "star")]
        stream.write(json.dumps({"image": "tables/0.png", "dice": dice}) + "\n")
    assert blind.main(["--photos", str(photos), "--faces", str(WEIGHTS / "faces.onnx")]) == 0
    assert capsys.readouterr().out.splitlines()[-1].split()[:2] == ["tables", "4"]


def test_a_reading_that_is_interrupted_ends_in_no_traceback(photos: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(pool: Patches, faces: object) -> Iterator[object]:
        raise KeyboardInterrupt

    monkeypatch.setattr(blind, "judged", interrupted)
    assert blind.main(["--photos", str(photos), "--faces", str(WEIGHTS / "faces.onnx")]) == 130
