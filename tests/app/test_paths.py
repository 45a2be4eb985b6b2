"""What lies at a path, told or not told by the system."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.paths import is_file, is_folder


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
