"""Each collection is read by networks that have not seen it; here those of the package stand for them."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from companion.vision.ruler import Ruler
from companion.vision.train import folds
from tests.vision.drawn_photos import add_collection

WEIGHTS = Path(folds.__file__).parents[1] / "weights"


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """Two drawn collections of two tables each."""
    folder = tmp_path / "photos"
    folder.mkdir()
    add_collection(folder, "one", (1, 6), (3, 4))
    add_collection(folder, "other", (2, 5), (6, 6))
    return folder


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """Both folds are trained."""
    for name in ("one", "other"):
        (tmp_path / f"work/without-{name}").mkdir(parents=True)
        for part in ("finder", "faces"):
            shutil.copy(WEIGHTS / f"{part}.onnx", tmp_path / f"work/without-{name}")
    return tmp_path / "work"


def test_the_table_has_a_line_for_each_collection_and_the_ruler_is_one(
    photos: Path, work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = work / "ruler.json"
    assert folds.main(["--photos", str(photos), "--work", str(work), "--ruler", str(written)]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    assert [line[:3] for line in lines] == [["one", "2", "100.0"], ["other", "2", "100.0"], ["all", "4", "100.0"]]
    assert set(json.loads(written.read_text())) == set(Ruler.__slots__)


def test_photos_labelled_anew_are_judged_by_their_new_labels(
    photos: Path, work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def exact() -> str:
        assert folds.main(["--photos", str(photos), "--work", str(work), "--sets", "other"]) == 0
        return capsys.readouterr().out.splitlines()[1].split()[2]

    assert exact() == "100.0"
    *others, last = (photos / "labels.jsonl").read_text().splitlines(keepends=True)
    label = json.loads(last)
    label["dice"][0]["value"] = 5
    (photos / "labels.jsonl").write_text("".join([*others, json.dumps(label) + "\n"]))
    assert exact() == "50.0"


def test_only_the_named_collections_are_read(photos: Path, work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert folds.main(["--photos", str(photos), "--work", str(work), "--sets", "other"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[1:]] == ["other", "all"]


def test_a_collection_that_is_not_there_is_told_with_those_that_are(
    photos: Path, work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert folds.main(["--photos", str(photos), "--work", str(work), "--sets", "others"]) == 2
    assert "no label tells of a collection others, but of one, other" in capsys.readouterr().err


def test_a_label_that_is_none_is_told_in_a_line(photos: Path, work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (photos / "labels.jsonl").open("a") as stream:
        stream.write('{"image": "one/0.png"\n')
    assert folds.main(["--photos", str(photos), "--work", str(work)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "labels.jsonl:5" in line


def test_a_photo_that_is_gone_is_told_in_a_line(photos: Path, work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (photos / "other/1.png").unlink()
    assert folds.main(["--photos", str(photos), "--work", str(work)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "other/1.png" in line


def test_a_fold_is_trained_without_its_collection_and_a_failing_training_ends_it(
    photos: Path, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (work / "without-one/faces.onnx").unlink()
    asked: list[list[str]] = []

    def failing(command: list[str], *, check: bool) -> None:
        assert check
        asked.append(command)
        raise subprocess.CalledProcessError(3, command)

    monkeypatch.setattr(subprocess, "run", failing)
    assert folds.main(["--photos", str(photos), "--work", str(work)]) == 3
    (command,) = asked
    assert command[command.index("--only") + 1] == "faces"
    assert {f"--photos={photos}", f"--work={work}", "--hold-out=one", f"--out={work / 'without-one'}"} < set(command)
    assert not any(argument.startswith(("--plain", "--traced")) for argument in command), "none were told"
