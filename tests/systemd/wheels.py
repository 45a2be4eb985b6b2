"""Asks the package index whether every run-time dependency comes as a wheel for the Pi, for each supported Python.

    python tests/systemd/wheels.py

Nothing is installed. Exit status 1 names what would have to be compiled on the Pi.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable
from pathlib import Path

PROJECT = Path(__file__).parents[2] / "pyproject.toml"
# Bookworm's C library is 2.36, Trixie's 2.41: both take these wheels (PEP 600).
PLATFORMS = ("manylinux_2_28_aarch64", "manylinux_2_17_aarch64", "manylinux2014_aarch64")
BOOKWORM = tuple(
    line for line in (PROJECT.parent / "systemd/bookworm.txt").read_text().splitlines() if not line.startswith("#")
)
PYTHONS = {"3.11": BOOKWORM, "3.13": ()}


def needed(python: str) -> list[str]:
    """What the companion needs to run, as pip takes it, on the system whose Python that is."""
    return [*tomllib.loads(PROJECT.read_text())["project"]["dependencies"], *PYTHONS[python]]


def of_wheels(python: str, platforms: Iterable[str]) -> list[str]:
    """Options of pip: for that Python, from wheels of these platforms alone."""
    chosen = [f"--platform={platform}" for platform in platforms]
    return ["--only-binary=:all:", "--implementation=cp", f"--python-version={python}", *chosen]


def download(folder: Path, python: str, platforms: Iterable[str], wanted: Iterable[str]) -> None:
    """Their wheels, and of what they need, into a folder. Raises CalledProcessError."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--dest", str(folder)]
    subprocess.run([*command, *of_wheels(python, platforms), *wanted], check=True)


def wheels(python: str, requirements: list[str]) -> list[str]:
    """The files that pip would install on a Pi. Raises CalledProcessError where there is no wheel."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        asked = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--dry-run",
            "--quiet",
            "--ignore-installed",
            "--report",
            report,
        ]
        subprocess.run([*asked, "--target", folder, *of_wheels(python, PLATFORMS), *requirements], check=True)
        return [each["download_info"]["url"].rsplit("/", 1)[1] for each in json.loads(report.read_text())["install"]]


def main() -> int:
    failed = 0
    for python in PYTHONS:
        try:
            found = wheels(python, needed(python))
        except subprocess.CalledProcessError:
            print(f"Python {python} on aarch64: not everything comes as a wheel (see above)")
            failed += 1
        else:
            print(f"Python {python} on aarch64: {len(found)} wheels\n  " + "\n  ".join(sorted(found)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
