"""Each collection is read by networks that have not seen it; here those of the package stand for them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
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


@dataclass
class Training:
    """Stands for the training: writes the package's networks. `asked`: the command lines, as options and their values.

    `fails`: at this part.
    """

    fails: str = ""
    asked: list[dict[str, str]] = field(default_factory=list)

    def run(self, command: list[str], *, check: bool) -> None:
        assert check
        assert command[:6] == [sys.executable, "-m", "companion.vision.train", "--quick", "--only", command[5]]
        given = {"only": command[5]} | dict(word.removeprefix("--").split("=", 1) for word in command[6:])
        self.asked.append(given)
        if given["only"] == self.fails:
            raise subprocess.CalledProcessError(3, command)
        Path(given["out"]).mkdir(parents=True, exist_ok=True)
        shutil.copy(WEIGHTS / f"{given['only']}.onnx", given["out"])


@pytest.fixture(autouse=True)
def training(monkeypatch: pytest.MonkeyPatch) -> Training:
    training = Training()
    monkeypatch.setattr(subprocess, "run", training.run)
    return training


@pytest.fixture
def work(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


def relabel_last(photos: Path) -> None:
    """Another value for one die of the last photo, which is of the collection `other`."""
    *others, last = (photos / "labels.jsonl").read_text().splitlines(keepends=True)
    label = json.loads(last)
    label["dice"][0]["value"] = 5
    (photos / "labels.jsonl").write_text("".join([*others, json.dumps(label) + "\n"]))


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
    relabel_last(photos)
    assert exact() == "50.0"


def test_networks_are_trained_once_for_what_they_learn_from(photos: Path, work: Path, training: Training) -> None:
    def trained(*more: str) -> list[tuple[str, str]]:
        training.asked.clear()
        assert folds.main(["--photos", str(photos), "--work", str(work), *more]) == 0
        return [(given["hold-out"], given["only"]) for given in training.asked]

    without_one, without_other = [("one", "finder"), ("one", "faces")], [("other", "finder"), ("other", "faces")]
    assert trained() == without_one + without_other
    assert trained() == []
    relabel_last(photos)
    assert trained() == without_one, "the others have not learned from it"
    (work / "traced").mkdir()
    (work / "traced/labels.jsonl").write_text("a label\n")
    traced = ("--traced", str(work / "traced"), "--sets", "other")
    assert trained(*traced) == without_other
    assert trained(*traced) == []
    (work / "traced/labels.jsonl").write_text("another label\n")
    assert trained(*traced) == without_other
    (work / "plain").mkdir()
    assert trained(*traced, "--plain", str(work / "plain")) == without_other
    (work / "plain/a.png").touch()
    assert trained(*traced, "--plain", str(work / "plain")) == without_other


def test_the_networks_of_a_fold_are_those_trained_last(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for network in ("FinderNet", "FaceNet"):
        monkeypatch.setattr(folds, network, bytes)
    assert folds.networks_without("one", work) is None
    for fold, trained_s in (("one-0000000a", 1), ("one-00000001", 3), ("one-0000000b", 2), ("one-b-0000000c", 5)):
        folder = work / f"without-{fold}"
        folder.mkdir()
        for part in ("finder", "faces"):
            (folder / f"{part}.onnx").write_text(f"{part} {trained_s}")
            os.utime(folder / f"{part}.onnx", (trained_s, trained_s))
    (work / "without-one-0000000c").mkdir()
    assert folds.networks_without("one", work) == (b"finder 3", b"faces 3")


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
    photos: Path, work: Path, training: Training
) -> None:
    training.fails = "faces"
    assert folds.main(["--photos", str(photos), "--work", str(work)]) == 3
    finder, faces = training.asked
    assert (finder.pop("only"), faces.pop("only")) == ("finder", "faces")
    (out,) = work.glob("without-one-*")
    assert finder == faces == {"photos": str(photos), "work": str(work), "hold-out": "one", "out": str(out)}
    training.fails = ""
    training.asked.clear()
    assert folds.main(["--photos", str(photos), "--work", str(work), "--sets", "one"]) == 0
    assert [given["only"] for given in training.asked] == ["faces"], "the finder is there"
