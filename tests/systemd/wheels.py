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
from pathlib import Path

PROJECT = Path(__file__).parents[2] / "pyproject.toml"
# Bookworm's C library is 2.36, Trixie's 2.41: both take these wheels (PEP 600).
PLATFORMS = ("manylinux_2_28_aarch64", "manylinux_2_17_aarch64", "manylinux2014_aarch64")
# Bookworm's picamera2 needs numpy 1 (install.sh has the same bounds).
PYTHONS = {"3.11": ("numpy<2", "opencv-python-headless<4.12"), "3.13": ()}


def wheels(python: str, requirements: list[str]) -> list[str]:
    """The files that pip would install on a Pi. Raises CalledProcessError where there is no wheel."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        chosen = [word for platform in PLATFORMS for word in ("--platform", platform)]
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
        only = ["--only-binary=:all:", "--implementation", "cp", "--python-version", python, "--target", folder]
        subprocess.run([*asked, *only, *chosen, *requirements], check=True)
        return [each["download_info"]["url"].rsplit("/", 1)[1] for each in json.loads(report.read_text())["install"]]


def main() -> int:
    needed = tomllib.loads(PROJECT.read_text())["project"]["dependencies"]
    failed = 0
    for python, bounds in PYTHONS.items():
        try:
            found = wheels(python, [*needed, *bounds])
        except subprocess.CalledProcessError:
            print(f"Python {python} on aarch64: not everything comes as a wheel (see above)")
            failed += 1
        else:
            print(f"Python {python} on aarch64: {len(found)} wheels\n  " + "\n  ".join(sorted(found)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
