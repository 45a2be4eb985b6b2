"""What lies at a path, told or not told by the system."""

from __future__ import annotations

import grp
import os
import pwd
import resource
import signal
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from companion.paths import (
    first_missing,
    is_file,
    is_folder,
    put_whole,
    text_of,
    there_for_a_while,
    way_in,
    whole,
    writable,
)


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


def test_a_file_takes_the_place_of_the_one_before_with_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "file"
    put_whole(file, b"the one before")
    file.chmod(0o640)
    put_whole(file, b"all of it")
    assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (b"all of it", 0o640)
    put_whole(file, b"all of it", durable=True, mode=0o644)
    assert stat.S_IMODE(file.stat().st_mode) == 0o644
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("old", [None, b"the one before"])
def test_one_that_finds_no_room_leaves_the_one_before(tmp_path: Path, old: bytes | None) -> None:
    file = tmp_path / "file"
    if old is not None:
        file.write_bytes(old)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    heard = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (64, before[1]))
        with pytest.raises(OSError, match="too large") as raised:
            put_whole(file, bytes(99_999))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, heard)
    assert raised.value.filename == str(file)
    assert [each.read_bytes() for each in tmp_path.iterdir()] == ([] if old is None else [old])


@pytest.mark.parametrize(("folder", "fault"), [("none", FileNotFoundError), ("file", NotADirectoryError)])
def test_one_for_which_there_is_no_folder_is_named_as_itself(folder: str, fault: type[OSError], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(fault) as raised:
        put_whole(tmp_path / folder / "new", b"all of it")
    assert raised.value.filename == str(tmp_path / folder / "new")


def test_one_that_is_not_written_to_its_end_leaves_the_one_before(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"the one before")
    with suppress(KeyboardInterrupt), whole(file) as stream:
        stream.write(b"some of it")
        raise KeyboardInterrupt
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [b"the one before"]


def test_a_link_goes_on_leading_to_its_file(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("file")
    put_whole(tmp_path / "link", b"all of it")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"all of it"


@pytest.mark.parametrize("name", ["x" * 255, "ä" * 127])
def test_the_longest_names_are_written(tmp_path: Path, name: str) -> None:
    writable(tmp_path / name)
    assert not list(tmp_path.iterdir())
    put_whole(tmp_path / name, b"all of it")
    assert [file.name for file in tmp_path.iterdir()] == [name]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_device_stays_one(tmp_path: Path) -> None:
    (tmp_path / "full").symlink_to("/dev/full")
    for file in (tmp_path / "full", Path("/dev/full")):
        writable(file)
        with pytest.raises(OSError, match="No space left"):
            put_whole(file, b"some of it")
    assert [file.name for file in tmp_path.iterdir()] == ["full"]
    assert Path("/dev/full").is_char_device()


def test_the_file_that_a_programs_output_is_stays_the_same(tmp_path: Path) -> None:
    script = "import sys, pathlib, companion.paths as p; p.put_whole(pathlib.Path(sys.argv[1]), b'it')"
    with (tmp_path / "out").open("wb") as out:
        for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
            subprocess.run([sys.executable, "-c", script, name], stdout=out, check=True)
    assert (tmp_path / "out").read_bytes() == b"it"


@pytest.mark.parametrize(
    ("name", "missing"), [("folder", None), ("new", "new"), ("folder/new/deep", "folder/new"), ("x" * 300, None)]
)
def test_the_outermost_folder_that_is_not_there_is_named(around: Path, name: str, missing: str | None) -> None:
    assert first_missing(around / name) == (None if missing is None else around / missing)


@pytest.mark.parametrize("name", ["folder", "to folder", "new", "folder/new/deep"])
def test_a_folder_that_is_there_for_a_while_is_taken_away_again(around: Path, name: str) -> None:
    before = {*around.rglob("*")}
    with there_for_a_while(around / name):
        assert (around / name).is_dir()
    assert {*around.rglob("*")} == before


@pytest.mark.parametrize("name", ["file", "astray", "loop", "file/below", "x" * 300])
def test_of_a_folder_that_cannot_be_made_nothing_is_left(around: Path, name: str) -> None:
    before = {*around.rglob("*")}
    with pytest.raises(OSError, match=name), there_for_a_while(around / name):
        pass
    assert {*around.rglob("*")} == before


def test_what_others_put_into_a_folder_meanwhile_stays(around: Path) -> None:
    with there_for_a_while(around / "new" / "deep"):
        (around / "new" / "theirs").touch()
    assert [*(around / "new").iterdir()] == [around / "new" / "theirs"]


class Owned:
    """What lies in a folder that is closed to this user: who owns the folder, and who belongs to its group."""

    def __init__(self, mode: int, uid: int, gid: int = 0) -> None:
        self._found = os.stat_result((mode, 0, 0, 0, uid, gid, 0, 0, 0, 0))

    def stat(self, path: Path) -> os.stat_result:
        if path.name != "state":
            raise PermissionError
        return self._found


COMPANION = pwd.struct_passwd(("companion", "", 990, 990, "", "", ""))
GROUPS = {0: "root", 7: "lp", 990: "companion"}
NAMES = {0: pwd.struct_passwd(("root", "", 0, 0, "", "", "")), 990: COMPANION}


@pytest.mark.parametrize(
    ("owned", "told"),
    [
        (Owned(0o40750, 990, 990), "do it as one who may: sudo -u companion companion …"),
        (Owned(0o40750, 0, 990), "do it as one who may: sudo -u companion companion …"),
        (Owned(0o40700, 0, 990), "do it as one who may: sudo companion …"),
        (Owned(0o40750, 0, 7), "do it as one who may: sudo companion …"),
        (Owned(0o40750, 55, 990), "do it as one who may: sudo companion …"),
        (Owned(0o40000, 1000), "make it readable"),
    ],
)
def test_what_is_closed_to_a_user_is_opened_by_one_who_may(
    owned: Owned, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setattr("pwd.getpwuid", NAMES.__getitem__)
    monkeypatch.setattr("pwd.getpwnam", {"companion": COMPANION}.__getitem__)
    monkeypatch.setattr("grp.getgrgid", lambda gid: grp.struct_group((GROUPS[gid], "", gid, [])))
    monkeypatch.setattr("pathlib.Path.stat", lambda path: owned.stat(path))
    assert way_in(Path("/var/state/calibration/profile.toml")) == told


def test_what_is_closed_up_to_the_root_is_opened_by_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.paths._status", lambda _path: None)
    assert way_in(Path("/a/b"), "companion doctor") == "do it as one who may: sudo companion doctor"


@pytest.mark.parametrize("content", [b"Zo\xc3\xab\n", b"\xef\xbb\xbfZo\xc3\xab\n"])
def test_text_is_read_be_there_a_mark_before_it_or_not(content: bytes) -> None:
    assert text_of(content) == "Zoë\n"


def test_of_what_is_not_in_utf_8_the_line_is_told() -> None:
    with pytest.raises(ValueError, match=r"^text in UTF-8 was expected, but line 2 is not$"):
        text_of(b"Ana\nZo\xeb\n")
