"""The printed sheet: markers of their true size, which a camera finds."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.markers import CELLS, LARGE, SETS, SMALL, cells
from calibration.sheet import PAPERS, sheet
from calibration.tray import find_markers

DPI = 300  # the renderer moves edges to whole pixels


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="needs pdftoppm (apt install poppler-utils)")
@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_markers_print_true_to_scale(paper: str, tmp_path: Path) -> None:
    (tmp_path / "sheet.pdf").write_bytes(sheet(paper))
    command = ["pdftoppm", "-r", str(DPI), "-png", "-singlefile", "sheet.pdf", "sheet"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=60)
    page = np.asarray(cv2.imread(str(tmp_path / "sheet.png")), np.uint8)
    width_mm, height_mm = PAPERS[paper]
    assert (page.shape[1], page.shape[0]) == pytest.approx((width_mm / 25.4 * DPI, height_mm / 25.4 * DPI), abs=2)
    found = find_markers(page)
    assert sorted(found.numbers) == list(range(8))
    for stickers in SETS:
        for quad in found.of(stickers).values():
            sides_mm = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1) / DPI * 25.4
            assert sides_mm == pytest.approx(np.full(4, stickers.side_mm), abs=0.15)


def test_all_black_of_a_marker_is_one_path_so_that_no_hairline_shows_where_its_parts_meet() -> None:
    lines = sheet("a4").decode("latin1").splitlines()
    filled = [line.removesuffix(" f").split(" re") for line in lines if line.endswith(" re f")]
    paths = [[tuple(map(float, box.split())) for box in boxes if box] for boxes in filled]
    markers = [path for path in paths if len(path) > 1]
    for path, (stickers, place) in zip(markers, [(set_, n) for set_ in SETS for n in range(4)], strict=True):
        assert np.array_equal(drawn(path), cells(stickers.first + place))
        assert drawn_mm(path) == pytest.approx(stickers.side_mm, abs=0.001)
    ruler = [path for path in paths if len(path) == 1]
    assert len(ruler) == 1 + 21


def drawn(path: list[tuple[float, ...]]) -> np.ndarray:
    """The cells of a marker, each as its middle is filled; PDF counts from the bottom."""
    left, top, side = min(x for x, *_ in path), max(y + h for _, y, _, h in path), drawn_mm(path) * 72 / 25.4
    at = (np.arange(CELLS) + 0.5) * side / CELLS
    filled = [[any(x < left + a < x + w and y < top - b < y + h for x, y, w, h in path) for a in at] for b in at]
    return np.where(filled, 0, 255)


def drawn_mm(path: list[tuple[float, ...]]) -> float:
    return (max(x + w for x, _, w, _ in path) - min(x for x, *_ in path)) / 72 * 25.4


def test_everything_fits_on_either_paper() -> None:
    assert 17 + 4 * LARGE.whole_mm + 12 < min(width for width, _ in PAPERS.values()) - 10
    assert 4 * SMALL.whole_mm < 4 * LARGE.whole_mm


def test_a_paper_nobody_prints_on_is_refused() -> None:
    with pytest.raises(KeyError):
        sheet("a9")
