"""The pictures that the demo keeps, and what it tells where some cannot be written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from companion.cli import demo_album
from companion.cli.demo_album import Album, NoAlbum
from companion.events import Die, Reading, Settled, WildDie, WildSettled
from companion.ports import SCREEN_SIZE
from hardware import display_png

TRAY = np.full((480, 640, 3), 90, np.uint8)
BOX = (100.0, 100.0, 40.0, 40.0)
ROLLED = Settled(Reading((Die(3, BOX, 0.99),), True))
FULL = OSError(28, "No space left on device")


def screen(x: int) -> Image.Image:
    image = Image.new("1", SCREEN_SIZE)
    image.putpixel((x, 0), 1)
    return image


def kept(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.glob("*/*"))


def test_screens_and_trays_of_both_kinds_of_dice_are_kept(tmp_path: Path) -> None:
    said: list[str] = []
    album = Album(tmp_path, said.append)
    album.screens.show(screen(1))
    album.tray(TRAY, ROLLED)
    album.tray(TRAY, WildSettled(WildDie("swap", BOX, 0.99)))
    assert kept(tmp_path) == ["screens/0001.png", "trays/0001.png", "trays/0002.png"]
    assert (album.whole, album.told(), said) == (True, f"the pictures are in {tmp_path}", [])


def test_a_folder_that_becomes_a_file_loses_no_screen_to_the_table_and_takes_pictures_once_it_is_back(
    tmp_path: Path,
) -> None:
    said: list[str] = []
    album = Album(tmp_path, said.append)
    (tmp_path / "screens").rmdir()
    (tmp_path / "screens").write_text("")
    album.screens.show(screen(1))
    assert said == [f"pictures cannot be written to {tmp_path}/screens: Not a directory"]
    (tmp_path / "screens").unlink()
    (tmp_path / "screens").mkdir()
    album.screens.close()  # as a table does with what it loses
    album.screens.show(screen(2))
    assert kept(tmp_path) == ["screens/0001.png"]


def test_pictures_that_find_no_room_are_told_counted_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_given: object) -> None:
        raise FULL

    said: list[str] = []
    album = Album(tmp_path, said.append)
    album.screens.show(screen(1))
    with monkeypatch.context() as disk:
        for module in (display_png, demo_album):
            disk.setattr(module, "put_whole", full)
        album.screens.show(screen(2))
        album.screens.show(screen(3))
        album.tray(TRAY, ROLLED)
    album.tray(TRAY, ROLLED)
    fault = f"pictures cannot be written to {tmp_path}/screens: No space left on device"
    assert said == [fault]
    assert not album.whole
    assert album.told() == f"the pictures are in {tmp_path}, but for 3 that are missing: {fault}"
    assert kept(tmp_path) == ["screens/0001.png", "trays/0001.png"]


@pytest.mark.parametrize(
    ("taken", "told"),
    [
        (
            "screens",
            "pictures cannot be written to {folder}/screens: File exists; "
            "choose a folder that can be written, with room left",
        ),
        ("trays", "no pictures can be kept in {folder}: File exists"),
        ("", "no pictures can be kept in {folder}: Not a directory"),
    ],
    ids=["screens", "trays", "all"],
)
def test_no_album_is_begun_where_a_folder_cannot_be_made(taken: str, told: str, tmp_path: Path) -> None:
    folder = tmp_path / "album"
    if taken:
        folder.mkdir()
    (folder / taken).touch()
    with pytest.raises(NoAlbum) as none:
        Album(folder, print)
    assert str(none.value) == told.format(folder=folder)
