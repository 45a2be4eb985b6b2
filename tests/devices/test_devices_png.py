from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from companion.ports import DeviceLost
from hardware.display_png import PngDisplay


def screen(x: int) -> Image.Image:
    image = Image.new("1", (128, 64))
    image.putpixel((x, 0), 1)
    return image


def test_each_new_picture_is_a_numbered_file_after_those_that_are_there(tmp_path):
    display = PngDisplay(tmp_path / "new" / "folder")
    for x in (1, 1, 2, 1):
        display.show(screen(x))
    again = PngDisplay(tmp_path / "new" / "folder", scale=4)
    again.show(screen(3))
    files = sorted((tmp_path / "new" / "folder").iterdir())
    assert [file.name for file in files] == ["0001.png", "0002.png", "0003.png", "0004.png"]
    shown = [Image.open(file) for file in files]
    assert [image.size for image in shown] == [(128, 64)] * 3 + [(512, 256)]
    assert [image.tobytes() for image in shown[:3]] == [screen(x).tobytes() for x in (1, 2, 1)]
    assert shown[3].resize((128, 64), Image.Resampling.NEAREST).tobytes() == screen(3).tobytes()


def test_files_of_other_names_are_left_alone_and_not_counted(tmp_path):
    for name in ("cat.png", "12.txt", "0007.png"):
        (tmp_path / name).write_text("")
    PngDisplay(tmp_path).show(screen(1))
    assert sorted(file.name for file in tmp_path.iterdir()) == ["0007.png", "0008.png", "12.txt", "cat.png"]


def test_a_scale_at_which_nothing_would_be_seen_is_refused(tmp_path):
    with pytest.raises(ValueError, match="scale is 0; 1 or more was expected"):
        PngDisplay(tmp_path, scale=0)


def test_a_folder_that_cannot_be_written_is_a_lost_display(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DeviceLost, match=r"file: (File exists|Not a directory); choose a folder"):
        PngDisplay(tmp_path / "file")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_disk_that_fills_up_is_a_lost_display_and_leaves_no_torn_file(tmp_path, monkeypatch):
    display, open_ = PngDisplay(tmp_path), Path.open

    def filling(path, mode="r"):
        if path.parent == tmp_path:
            with open_(path, mode) as torn:
                torn.write(b"torn")
            return open_(Path("/dev/full"), mode)
        return open_(path, mode)

    monkeypatch.setattr(Path, "open", filling)
    with pytest.raises(DeviceLost, match="No space left on device; choose a folder that can be written"):
        display.show(screen(1))
    assert list(tmp_path.iterdir()) == []
