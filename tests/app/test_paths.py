"""What lies at a path, told or not told by the system."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.paths import first_missing, is_file, is_folder, put_whole


@pytest.fixture
def around(tmp_path: Path) -> Path:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    for link, to in (("to folder", "folder"), ("to file", "file"), ("astray", "nothing"), ("loop", "loop")):
        (tmp_path / link).symlink_to(to)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "folder", "file"),
    [
        ("folder", True, False),
        ("to folder", True, False),
        ("file", False, True),
        ("to file", False, True),
        ("nothing", False, False),
        ("file/below", False, False),
        ("astray", False, False),
        ("loop", False, False),
        ("no\0name", False, False),
    ],
)
def test_what_lies_there_is_told(around: Path, name: str, folder: bool, file: bool) -> None:
    path = around / name
    assert (is_folder(path), is_file(path), is_file(path, unknown=True)) == (folder, file, file)


def test_where_the_system_does_not_tell_it_may_be_a_file(around: Path) -> None:
    path = around / ("x" * 300)
    assert (is_folder(path), is_file(path), is_file(path, unknown=True)) == (False, False, True)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_file_that_finds_no_room_is_not_left_torn_and_a_device_stays(tmp_path: Path) -> None:
    put_whole(tmp_path / "file", b"all of it")
    assert (tmp_path / "file").read_bytes() == b"all of it"
    (tmp_path / "full").symlink_to("/dev/full")
    for file in (tmp_path / "full", Path("/dev/full")):
        with pytest.raises(OSError, match="No space left"):
            put_whole(file, b"some of it")
    assert [file.name for file in tmp_path.iterdir()] == ["file"]
    assert Path("/dev/full").exists()


@pytest.mark.parametrize(
    ("name", "missing"), [("folder", None), ("new", "new"), ("folder/new/deep", "folder/new"), ("x" * 300, None)]
)
def test_the_outermost_folder_that_is_not_there_is_named(around: Path, name: str, missing: str | None) -> None:
    assert first_missing(around / name) == (None if missing is None else around / missing)
