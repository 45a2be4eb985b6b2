"""Each collection is read by networks that have not seen it; here those of the package stand for them."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import cv2
import pytest

from companion.vision.eyes import alone
from companion.vision.labels import labels_in
from companion.vision.networks import pair_in
from companion.vision.reader import Reader
from companion.vision.ruler import Ruler, ruler
from companion.vision.train import folds
from companion.vision.train.keep import without
from companion.vision.train.measure import Seen, marked
from companion.vision.train.pictures import load_named
from companion.vision.views import Views
from tests.vision.drawn_photos import add_collection, add_large

WEIGHTS = Path(folds.__file__).parents[1] / "weights/first"


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """Two drawn collections of two tables each."""
    folder = tmp_path / "photos"
    folder.mkdir()
    add_collection(folder, "one", (1, 6), (3, 4))
    add_collection(folder, "other", (2, 5), (6, 6))
    return folder


@pytest.fixture
def networks(tmp_path: Path) -> Path:
    for name in ("one", "other"):
        there = without(name, tmp_path / "networks")
        there.mkdir(parents=True)
        for part in ("finder", "faces"):
            shutil.copy(WEIGHTS / f"{part}.onnx", there)
    return tmp_path / "networks"


def run(photos: Path, networks: Path, *more: str) -> int:
    return folds.main(["--photos", str(photos), "--networks", str(networks), *more])


def relabel_last(photos: Path) -> None:
    """Another value for one die of the last photo, which is of the collection `other`."""
    *others, last = (photos / "labels.jsonl").read_text().splitlines(keepends=True)
    label = json.loads(last)
    label["dice"][0]["value"] = 5
    (photos / "labels.jsonl").write_text("".join([*others, json.dumps(label) + "\n"]))


def tables(out: str) -> list[list[list[str]]]:
    """The words of each line of both tables, without their headings: what first sight tells, and what both looks do."""
    lines = out.splitlines()
    middle = next(i for i, line in enumerate(lines) if line.startswith("both looks"))
    return [[line.split() for line in some] for some in (lines[1:middle], lines[middle + 1 :])]


def test_the_tables_have_a_line_for_each_collection_and_the_ruler_is_one(
    photos: Path, networks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = networks / "ruler.json"
    assert run(photos, networks, "--ruler", str(written)) == 0
    for lines in tables(capsys.readouterr().out):
        assert [line[:3] for line in lines] == [["one", "2", "100.0"], ["other", "2", "100.0"], ["all", "4", "100.0"]]
    assert set(json.loads(written.read_text())) == set(Ruler.__slots__)


def test_a_photo_that_is_shrunk_on_opening_is_judged_by_the_pixels_that_are_looked_at(tmp_path: Path) -> None:
    add_large(tmp_path, "one", (2, 5), width=4000)
    label, pair = *labels_in(tmp_path), pair_in(WEIGHTS)
    (row,) = folds._judged([label], lambda _label, picture: Reader(networks=pair).read(picture))
    assert sorted(row.pairs) == [("2", "2"), ("5", "5")]
    (seen,) = folds._looked_at([label], {"one": pair})
    assert sum(is_die for _look, is_die, _right in marked(seen)) >= 2


def test_photos_are_judged_by_their_labels(photos: Path, networks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    relabel_last(photos)
    assert run(photos, networks) == 0
    for lines in tables(capsys.readouterr().out):
        assert [line[2] for line in lines] == ["100.0", "50.0", "75.0"]


def test_a_collection_is_read_by_the_networks_without_it(
    photos: Path, networks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(WEIGHTS / "faces.onnx", without("one", networks) / "finder.onnx")
    assert run(photos, networks, "--sets", "other") == 0
    capsys.readouterr()
    assert run(photos, networks, "--sets", "one") == 2
    assert "folds: it takes no input of" in capsys.readouterr().err


def test_each_photo_is_looked_at_as_if_it_were_the_first(photos: Path, networks: Path) -> None:
    """A reader remembers the scale of the picture before: a table of photos never seen must not."""
    picture = cv2.imread(str(photos / "one/1.png"))
    cv2.imwrite(str(photos / "one/1.png"), cv2.resize(picture, None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA))
    labels = labels_in(photos)
    pairs = {name: folds.networks_without(name, networks) for name in ("one", "other")}
    for seen in folds._looked_at(labels, pairs):
        first = Reader(networks=pairs[seen.label.group]).survey(Views(load_named(seen.label.path))).looks
        assert [look.place for look in seen.looks] == [look.place for look in first]
    read_by = {name: folds._Reading(pair, ruler()) for name, pair in pairs.items()}
    for label in labels:
        picture = load_named(label.path)
        assert read_by[label.group].once(picture) == Reader(networks=pairs[label.group]).read(picture)
        assert read_by[label.group].twice(picture) == alone(picture, networks=pairs[label.group]).reading


def test_the_ruler_of_a_collection_knows_nothing_of_it(
    photos: Path, networks: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here the one that is measured on the other collection alone is sure of nothing, and that judges the one."""
    measured: list[set[str]] = []

    def fitted(photos: list[Seen], **limits: float) -> Ruler:
        measured.append({photo.label.group for photo in photos})
        return replace(ruler(), sure_die=1.0 if measured[-1] == {"other"} else 0.0)

    monkeypatch.setattr(folds, "fit_ruler", fitted)
    assert run(photos, networks) == 0
    assert measured == [{"other"}, {"one"}], "that without one, and that without other"
    for lines in tables(capsys.readouterr().out):
        assert [line[4] for line in lines[:2]] == ["100.0", "0.0"]


def test_only_the_named_collections_are_read(photos: Path, networks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(without("one", networks))
    assert run(photos, networks, "--sets", "other") == 0
    for lines in tables(capsys.readouterr().out):
        assert [line[0] for line in lines] == ["other", "all"]


def test_its_help_tells_what_is_made_first_and_what_the_tables_say(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        folds.main(["--help"])
    told = capsys.readouterr().out
    assert "companion.vision.train --photos PHOTOS --work WORK --out WEIGHTS --without-each\n" in told
    assert "A line a collection: how many photos; " in told


def test_a_command_that_makes_networks_can_be_copied(
    photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "no such"
    assert run(photos, folder) == 2
    assert f"python -m companion.vision.train --without-each --out '{folder}' makes it" in capsys.readouterr().err


def test_networks_that_are_not_there_are_told_with_what_makes_them(
    photos: Path, networks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (without("other", networks) / "faces.onnx").unlink()
    assert run(photos, networks) == 2
    by = f"python -m companion.vision.train --without-each --out {networks}"
    lacking = f"{networks}/without-other/faces.onnx: no such file; {by} makes it"
    assert capsys.readouterr().err == f"companion.vision.train.folds: {lacking}\n"


def test_a_collection_that_is_not_there_is_told_with_those_that_are(
    photos: Path, networks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(photos, networks, "--sets", "others") == 2
    assert "no label tells of a collection others, but of one, other" in capsys.readouterr().err


def test_a_label_that_is_none_is_told_in_a_line(
    photos: Path, networks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (photos / "labels.jsonl").open("a") as stream:
        stream.write('{"image": "one/0.png"\n')
    assert run(photos, networks) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "labels.jsonl:5" in line


@pytest.mark.parametrize("gone", ["a place for the ruler", "a photo"])
def test_what_cannot_be_done_is_told_before_any_photo_is_read(
    photos: Path, networks: Path, capsys: pytest.CaptureFixture[str], gone: str
) -> None:
    if gone == "a photo":
        (photos / "other/1.png").unlink()
    ruler = networks / ("none/ruler.json" if gone == "a place for the ruler" else "ruler.json")
    assert run(photos, networks, "--ruler", str(ruler)) == 2
    told = capsys.readouterr()
    (line,) = told.err.splitlines()
    assert ("other/1.png" if gone == "a photo" else "none/ruler.json") in line
    assert (told.out, ruler.exists()) == ("", False)


def test_a_ruler_takes_the_place_of_nothing_that_is_read(
    photos: Path, networks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = (photos / "labels.jsonl").read_text()
    with pytest.raises(SystemExit, match="2"):
        run(photos, networks, "--ruler", str(photos / "labels.jsonl"))
    assert "a ruler is a .json file" in capsys.readouterr().err
    named = (photos / "labels.jsonl").rename(photos / "labels.json")
    assert run(named, networks, "--ruler", str(named)) == 2
    assert f"{named} is one of the files that are read; name another" in capsys.readouterr().err
    assert named.read_text() == labels


def test_folds_that_are_interrupted_end_in_no_traceback(
    photos: Path, networks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(seen: list[Seen], **limits: float) -> Ruler:
        raise KeyboardInterrupt

    monkeypatch.setattr(folds, "fit_ruler", interrupted)
    assert run(photos, networks) == 130
