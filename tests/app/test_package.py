"""What is installed is whole: every file beside the modules comes along."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("companion", "hardware", "calibration")
LEFT_BEHIND = {".py", ".pyc"}  # modules come along by themselves


def test_every_file_beside_the_modules_is_package_data() -> None:
    described = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    taken = {
        file
        for package, patterns in described.items()
        for pattern in patterns
        for file in (ROOT / package.replace(".", "/")).glob(pattern)
    }
    there = {
        file
        for package in PACKAGES
        for file in (ROOT / package).rglob("*")
        if file.is_file() and file.suffix not in LEFT_BEHIND
    }
    assert {str(file.relative_to(ROOT)) for file in there - taken} == set()
