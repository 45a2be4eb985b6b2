"""`companion read` by its contract: one object a picture, errors beside answers, never a traceback."""

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.events import Reading
from companion.vision.eyes import Sight
from companion.vision.networks import packed
from tests.rights import as_nobody
from tests.vision.drawn_photos import add_collection, add_large


@pytest.fixture
def grey(tmp_path: Path) -> Path:
    path = tmp_path / "grey.png"
    cv2.imwrite(str(path), np.full((60, 80, 3), 120, np.uint8))
    return path


def rows(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


def test_one_object_a_picture_as_the_scorer_takes_it(grey, capsys):
    assert main(["read", "--json", str(grey)]) == 0
    (row,) = rows(capsys.readouterr().out)
    assert row["image"] == str(grey)
    assert row["dice"] == []
    assert row["total"] == 0
    assert set(row) == {"image", "dice", "doubts", "total", "sure", "why", "reason", "ms"}


def test_dice_and_doubts_are_told_by_the_files_own_pixels(tmp_path, capsys):
    """A lamp that may hide a die beside two, in a photo so large that it is shrunk on opening."""
    add_large(tmp_path, "set", (2, 5), width=4000)
    photo = cv2.imread(str(tmp_path / "set/0.png"))
    labels = json.loads((tmp_path / "labels.jsonl").read_text())["dice"]
    (width,) = {round(die["box"][2], -2) for die in labels}
    cv2.circle(photo, (2000, 400), int(width), (255, 255, 255), cv2.FILLED)
    cv2.imwrite(str(tmp_path / "lamp.png"), photo)
    assert main(["read", "--json", str(tmp_path / "lamp.png")]) == 0
    (row,) = rows(capsys.readouterr().out)
    assert (row["total"], row["reason"]) == (7, "glare")
    told = {die["value"]: die["box"] for die in row["dice"]}
    for die in labels:
        assert told[die["value"]] == pytest.approx(die["box"], abs=0.35 * width)
    (lamp,) = row["doubts"]
    assert lamp == pytest.approx([2000 - width, 400 - width, 2 * width, 2 * width], abs=0.35 * width)


def test_what_is_no_die_is_nothing_else_and_what_cannot_be_told_apart_has_no_face(tmp_path, capsys):
    cv2.imwrite(str(tmp_path / "flat.png"), np.full((480, 640, 3), 128, np.uint8))
    assert main(["read", str(tmp_path / "flat.png")]) == 0
    assert capsys.readouterr().out.endswith("no dice, unsure: nothing can be told apart in this picture\n")


def test_a_missing_and_a_broken_file_are_error_objects_and_the_rest_goes_on(grey, tmp_path, capsys):
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"\xff\xd8\xff nothing more")
    assert main(["read", "--json", str(tmp_path / "no.png"), str(broken), str(grey)]) == 1
    missing, torn, good = rows(capsys.readouterr().out)
    none = {"image": str(tmp_path / "no.png"), "dice": [], "sure": False, "error": "no such file; check the path"}
    assert missing == none
    assert (torn["sure"], torn["dice"]) == (False, [])
    assert "not a picture" in torn["error"]
    assert "error" not in good


def test_without_json_errors_go_to_stderr(tmp_path, grey, capsys):
    assert main(["read", str(tmp_path / "no.png"), str(grey)]) == 1
    told = capsys.readouterr()
    assert told.err == f"{tmp_path / 'no.png'}: no such file; check the path\n"
    assert told.out.startswith(f"{grey}: no dice")


def test_a_folder_gives_its_pictures_by_name(grey, capsys):
    cv2.imwrite(str(grey.parent / "a.jpg"), np.zeros((50, 50, 3), np.uint8))
    (grey.parent / "notes.txt").write_text("no picture")
    assert main(["read", "--json", str(grey.parent)]) == 0
    assert [row["image"] for row in rows(capsys.readouterr().out)] == [str(grey.parent / "a.jpg"), str(grey)]


def test_photos_of_a_kind_that_is_not_known_are_told_among_those_of_a_folder(grey, capsys):
    (grey.parent / "a.HEIC").write_bytes(b"\0\0\0\x18ftypheic")
    assert main(["read", "--json", str(grey.parent)]) == 1
    heic, good = rows(capsys.readouterr().out)
    assert heic["error"] == "not a picture, or of a kind that is not known; save it as JPEG or PNG"
    assert "error" not in good


def test_a_pipe_among_photos_is_none_of_them(grey, capsys):
    os.mkfifo(grey.parent / "pipe.png")
    assert main(["read", "--json", str(grey.parent)]) == 0
    assert [row["image"] for row in rows(capsys.readouterr().out)] == [str(grey)]


def test_what_systems_hide_among_photos_is_none_of_them(grey, tmp_path, capsys):
    hidden = (tmp_path / "._grey.png", tmp_path / ".thumbnails" / "small.png")
    for file in hidden:
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(grey.read_bytes())
    assert main(["read", "--json", str(tmp_path)]) == 0
    assert [row["image"] for row in rows(capsys.readouterr().out)] == [str(grey)]
    assert main(["read", "--json", *map(str, hidden)]) == 0, "whoever names one means it"


def test_no_picture_is_timed_before_the_networks_are_there(grey, monkeypatch):
    there = []

    def seen(*_given, **_named):
        there.append(packed.cache_info().currsize)
        return Sight(Reading((), sure=True))

    packed.cache_clear()
    monkeypatch.setattr("companion.cli.read.alone", seen)
    assert main(["read", str(grey)]) == 0
    assert there == [2]


def test_links_of_a_folder_that_lead_nowhere_are_told(grey, capsys):
    for name, to in (("a.png", "gone.png"), ("b.jpg", "b.jpg"), ("c.txt", "gone.txt"), ("d.png", "grey.png")):
        (grey.parent / name).symlink_to(to)
    assert main(["read", "--json", str(grey.parent)]) == 1
    told = [(Path(row["image"]).name, row.get("error", "")) for row in rows(capsys.readouterr().out)]
    assert told == [
        ("a.png", "no such file; check the path"),
        ("b.jpg", "this file cannot be read (Too many levels of symbolic links); check the path"),
        ("d.png", ""),
        ("grey.png", ""),
    ]


def test_linked_folders_are_told_unless_what_they_lead_to_is_read_all_the_same(grey, tmp_path, monkeypatch, capsys):
    for folder in ("photos/inside", "elsewhere"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "grey.png").write_bytes(grey.read_bytes())
    for name, to in (("far", "../elsewhere"), ("near", "inside"), ("inside/up", ".."), (".hidden", "../elsewhere")):
        (tmp_path / "photos" / name).symlink_to(to)
    monkeypatch.chdir(tmp_path)
    assert main(["read", "--json", "photos"]) == 0
    read, told = capsys.readouterr()
    assert [row["image"] for row in rows(read)] == ["photos/inside/grey.png"]
    assert told == "photos/far links to a folder elsewhere, and is not followed; name it to read it, too\n"
    assert main(["read", "--json", "photos", "photos/far"]) == 0
    read, told = capsys.readouterr()
    assert [row["image"] for row in rows(read)] == ["photos/inside/grey.png", "photos/far/grey.png"]
    assert told == ""


def test_a_folder_without_pictures_is_said_to_have_none(tmp_path, capsys):
    (tmp_path / "notes.txt").write_text("no picture")
    assert main(["read", "--json", str(tmp_path)]) == 1
    (row,) = rows(capsys.readouterr().out)
    assert row["image"] == str(tmp_path)
    assert row["error"].startswith("this folder holds no picture (.avif, ")


def test_a_name_that_no_file_can_have_is_told_and_the_rest_goes_on(grey, capsys):
    assert main(["read", "--json", "x" * 300 + ".png", str(grey)]) == 1
    long, good = rows(capsys.readouterr().out)
    assert long["error"] == "this file cannot be read (File name too long); check the path"
    assert "error" not in good


@pytest.fixture
def nobody():
    """Rights as most users have them, also where the tests run as root."""
    importlib.import_module("companion.cli.read")  # with all it needs, while that may be read
    with as_nobody():
        yield


@pytest.fixture
def closed(tmp_path, monkeypatch):
    """A folder whose files may be listed and no more, and one that may not even be listed."""
    tmp_path.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    for name, mode in (("listed", 0o444), ("shut", 0o000)):
        (tmp_path / name).mkdir()
        cv2.imwrite(str(tmp_path / name / "a.png"), np.zeros((4, 4, 3), np.uint8))
        (tmp_path / name).chmod(mode)
    yield
    for name in ("listed", "shut"):
        (tmp_path / name).chmod(0o755)


@pytest.mark.usefixtures("closed", "nobody")
def test_what_may_not_be_looked_at_is_told(capsys):
    assert main(["read", "listed", "listed/a.png", "shut"]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "listed/a.png: not allowed to read this file; check its permissions",
        "listed/a.png: not allowed to read this file; check its permissions",
        "shut: this folder cannot be looked into (Permission denied); check its permissions",
    ]


@pytest.mark.usefixtures("closed", "nobody")
def test_a_folder_below_that_may_not_be_looked_into_is_told_among_the_pictures(capsys):
    assert main(["read", "."]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "listed/a.png: not allowed to read this file; check its permissions",
        "shut: this folder cannot be looked into (Permission denied); check its permissions",
    ]


def test_a_count_that_does_not_fit_is_unsure(grey, tmp_path, capsys):
    empty = tmp_path / "empty.png"
    cv2.imwrite(str(empty), np.broadcast_to(np.linspace(90, 140, 320), (240, 320)).astype(np.uint8))
    assert main(["read", "--json", "--count", "3", str(empty), str(grey)]) == 0
    told = [(row["sure"], row["reason"]) for row in rows(capsys.readouterr().out)]
    assert told == [(False, "empty"), (False, "small")]


def test_a_count_that_does_not_fit_is_told_with_what_was_found(tmp_path, capsys):
    add_collection(tmp_path, "set", (2, 5))
    photo = str(tmp_path / "set/0.png")
    for form in ((), ("--json",)):
        assert main(["read", "--count", "3", *form, photo]) == 0
    text, row = capsys.readouterr().out.splitlines()
    assert text == f"{photo}: 2 + 5 = 7, unsure: 2 dice were found, and 3 must lie there"
    assert (json.loads(row)["why"], json.loads(row)["reason"]) == ("2 dice were found, and 3 must lie there", "count")


def test_overlays_are_written_beside_each_other(grey, tmp_path):
    assert main(["read", "--overlay", str(tmp_path / "seen"), str(grey)]) == 0
    (drawn,) = (tmp_path / "seen").iterdir()
    assert cv2.imread(str(drawn)).shape[1] >= 640


@pytest.mark.parametrize("words", [(), ("--json",)])
def test_where_overlays_are_is_told_beside_the_readings_once_one_is_written(grey, tmp_path, capsys, words):
    seen, missing = tmp_path / "seen", tmp_path / "missing.png"
    assert main(["read", *words, "--overlay", str(seen), str(grey)]) == 0
    assert capsys.readouterr().err == f"the overlays are in {seen}\n"
    assert main(["read", *words, "--overlay", str(seen), str(missing)]) == 1
    assert "the overlays are in" not in capsys.readouterr().err


@pytest.mark.parametrize("place", [".", "seen", "seen/deep", "../link", "../link/seen"])
def test_no_overlay_is_put_among_the_photos_of_a_folder_that_is_read(grey, tmp_path, monkeypatch, capsys, place):
    photos = tmp_path / "photos"
    photos.mkdir()
    grey = grey.rename(photos / "grey.png")
    (tmp_path / "link").symlink_to(photos)
    monkeypatch.chdir(photos)
    assert main(["read", "--overlay", place, "grey.png", "../photos"]) == 2
    told = f"overlays in {place} would be read as photos of ../photos the next time; name a folder beside it"
    assert capsys.readouterr() == ("", f"companion read: {told}\n")
    assert list(photos.iterdir()) == [grey]
    assert main(["read", "--overlay", "../photos of dice", "."]) == 0


@pytest.mark.parametrize("photo", ["grey.png", "../photos/grey.png", "linked.png"])
def test_no_overlay_is_put_beside_a_photo_that_is_read(photo, grey, tmp_path, monkeypatch, capsys):
    photos = tmp_path / "photos"
    photos.mkdir()
    (photos / "linked.png").symlink_to(grey)
    grey = grey.rename(photos / "grey.png")
    monkeypatch.chdir(photos)
    assert main(["read", "--overlay", ".", photo]) == 2
    told = f"overlays in . would be read as photos of {Path(photo).parent} the next time; name a folder beside it"
    assert capsys.readouterr() == ("", f"companion read: {told}\n")
    assert main(["read", "--overlay", "seen", "grey.png"]) == 0


def test_a_folder_for_overlays_that_cannot_be_made_is_told(grey, tmp_path, monkeypatch, capsys):
    assert main(["read", "--overlay", str(grey / "two\nlines"), str(grey)]) == 2
    assert capsys.readouterr().err == f"companion read: cannot make folder {grey}/two\\nlines: Not a directory\n"
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert main(["read", "--overlay", "seen", str(grey)]) == 2
    assert capsys.readouterr().err == "companion read: cannot make folder seen: No such file or directory\n"


def test_no_overlay_is_written_over_another_of_the_same_run(tmp_path):
    paths = []
    for folder, grey in (("here", 60), ("there", 120), ("there too", 180)):
        path = tmp_path / folder / "a" / "b" / "c" / "x.png"
        path.parent.mkdir(parents=True)
        cv2.imwrite(str(path), np.full((480, 640, 3), grey, np.uint8))
        paths.append(str(path))
    assert main(["read", "--overlay", str(tmp_path / "seen"), *paths]) == 0
    drawn = [cv2.imread(str(tmp_path / "seen" / f"a__b__c__x.png{end}.png")) for end in ("", "-2", "-3")]
    assert [picture[400, 320, 0] for picture in drawn] == [60, 120, 180]


def test_an_overlay_that_cannot_be_written_leaves_the_reading(grey, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "seen").mkdir()
    (tmp_path / "seen" / "grey.png.png").symlink_to("/dev/full")
    assert main(["read", "--json", "--overlay", "seen", "grey.png"]) == 1
    (row,) = rows(capsys.readouterr().out)
    assert row["error"] == "cannot write seen/grey.png.png: No space left on device"
    assert row["total"] == 0
    assert [file.name for file in (tmp_path / "seen").iterdir()] == ["grey.png.png"]
    (tmp_path / "seen" / "grey.png.png").unlink()
    (tmp_path / "seen" / "grey.png.png").mkdir()
    assert main(["read", "--overlay", "seen", "grey.png"]) == 1
    told = capsys.readouterr()
    assert told.out.startswith("grey.png: no dice")
    assert told.err == "grey.png: cannot write seen/grey.png.png: Is a directory\n"


def test_overlays_of_long_paths_have_names_that_a_file_can_have(tmp_path):
    paths = []
    for first in "äö":
        path = tmp_path / (first * 100) / ("ü" * 100) / "x.png"
        path.parent.mkdir(parents=True)
        cv2.imwrite(str(path), np.full((480, 640, 3), 60, np.uint8))
        paths.append(str(path))
    assert main(["read", "--overlay", str(tmp_path / "seen"), *paths]) == 0
    assert sorted(file.name[-15:] for file in (tmp_path / "seen").iterdir()) == ["üü__x.png-2.png", "üüüü__x.png.png"]


@pytest.mark.parametrize("count", ["-1", "two", "61"])
def test_a_count_that_is_none_is_refused(count, grey):
    with pytest.raises(SystemExit) as ended:
        main(["read", "--count", count, str(grey)])
    assert ended.value.code == 2


@pytest.mark.parametrize("words", [("",), ("--overlay", "", "grey.png"), ("--wild", "", "grey.png")])
def test_an_empty_name_is_refused(words, grey, monkeypatch, capsys):
    monkeypatch.chdir(grey.parent)
    with pytest.raises(SystemExit) as ended:
        main(["read", *words])
    assert ended.value.code == 2
    assert "the name is empty; name a file or a folder" in capsys.readouterr().err


@pytest.mark.parametrize("end", ["", ".toml", "/profile.toml"])
def test_a_profile_that_is_not_there_is_told(end, grey, tmp_path, capsys):
    assert main(["read", "--wild", f"{tmp_path}/none{end}", str(grey)]) == 2
    assert capsys.readouterr() == (
        "",
        f"companion read: there is no folder or profile {tmp_path}/none{end}; check the path\n",
    )
    assert main(["read", "--wild", str(tmp_path), str(grey)]) == 2
    assert "no Wild die was shown in" in capsys.readouterr().err
    assert main(["read", "--wild", str(grey), str(grey)]) == 2
    assert f"{grey} is no profile.toml; give that, or the folder that it lies in" in capsys.readouterr().err


def test_reading_number_dice_loads_no_game_no_configuration_and_no_drawing_of_dice(grey):
    """They take a tenth of the memory that reading takes."""
    words = f"main(['read', {str(grey)!r}]); print(*sys.modules, sep='\\n')"
    told = subprocess.run(
        [sys.executable, "-c", f"import sys; from companion.cli import main; {words}"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert "companion.vision.reader" in told
    unneeded = ("calibration", "companion.config", "companion.games", "companion.vision.scene", "numpy.random")
    assert [name for name in told if name.startswith(unneeded)] == []


def test_names_do_not_move_the_cursor(grey, monkeypatch, capsys):
    monkeypatch.chdir(grey.parent)
    grey.rename("\x1b[2Jgrey\n\u202e.png")
    assert main(["read", "\x1b[2Jgrey\n\u202e.png", "none\r.png"]) == 1
    told = capsys.readouterr()
    assert told.out.startswith(r"\x1b[2Jgrey\n\u202e.png: no dice")
    assert told.err == "none\\r.png: no such file; check the path\n"
