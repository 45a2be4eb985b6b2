"""The README's pictures of what the reader says."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.bench.gallery import ACROSS, TILE_PX, main, sheet


def test_pictures_of_any_shape_fill_their_tiles_and_no_more() -> None:
    wide, tall = np.full((300, 900, 3), 90, np.uint8), np.full((900, 300, 3), 90, np.uint8)
    made = sheet([wide, tall] * 2)
    assert made.shape == (2 * TILE_PX[1], ACROSS * TILE_PX[0], 3)
    shown = made.reshape(2, TILE_PX[1], ACROSS, TILE_PX[0], 3).max(axis=(1, 3, 4)) > 0
    assert shown.tolist() == [[True] * 3, [True, False, False]]
    across, down = (made[: TILE_PX[1], : TILE_PX[0]].max(axis=(axis, 2)) > 0 for axis in (0, 1))
    assert across.all()
    assert not down.all()


def test_named_pictures_are_shown(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((480, 640, 3), 90, np.uint8))
    assert main([str(tmp_path / "all.png"), str(tmp_path / "grey.png")]) == 0
    assert cv2.imread(str(tmp_path / "all.png")).shape == (TILE_PX[1], ACROSS * TILE_PX[0], 3)


@pytest.mark.parametrize("name", ["x.gif", "x", ""])
def test_what_is_written_is_a_jpeg_or_a_png(tmp_path: Path, name: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([name])


@pytest.mark.parametrize("name", ["nowhere/all.png", "grey.png"])
def test_where_nothing_can_be_written_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((48, 64, 3), 90, np.uint8))
    assert main([str(tmp_path / name), str(tmp_path / "grey.png")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert name in line
    assert cv2.imread(str(tmp_path / "grey.png")).shape == (48, 64, 3)


def test_a_picture_that_is_gone_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "all.png"), str(tmp_path / "gone.png")]) == 2
    assert "gone.png" in capsys.readouterr().err
