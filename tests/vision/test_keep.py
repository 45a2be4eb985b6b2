"""What training writes is there as a whole or not at all, and what it lacks is told with what makes it."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from companion.vision.ruler import ruler
from companion.vision.train.keep import told
from companion.vision.train.measure import write_ruler


def test_a_ruler_that_finds_no_room_leaves_the_one_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    written = tmp_path / "ruler.json"
    written.write_text("the one before")
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left"):
            write_ruler(ruler(), written)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("ruler.json", "the one before")]


def test_a_fault_of_a_file_is_told_by_its_name_and_without_a_number() -> None:
    assert told(PermissionError(errno.EACCES, "Permission denied", "photos")) == "photos: Permission denied"
    assert told(OSError(errno.ENOSPC, "No space left on device")) == "No space left on device"
    assert told(ValueError("no photos")) == "no photos"
