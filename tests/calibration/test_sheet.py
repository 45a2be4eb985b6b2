"""The printed sheet: markers of their true size, which a camera finds."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.markers import LARGE, SETS, SMALL
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


def test_everything_fits_on_either_paper() -> None:
    assert 17 + 4 * LARGE.whole_mm + 12 < min(width for width, _ in PAPERS.values()) - 10
    assert 4 * SMALL.whole_mm < 4 * LARGE.whole_mm


def test_a_paper_nobody_prints_on_is_refused() -> None:
    with pytest.raises(KeyError):
        sheet("a9")
