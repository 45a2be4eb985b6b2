"""The package as it is described: what is installed is whole, and every room of it is held by import contracts."""

from __future__ import annotations

import pkgutil
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
PACKAGES = ("companion", "hardware", "calibration")
LEFT_BEHIND = {".py", ".pyc"}  # modules come along by themselves
DESCRIBED = tomllib.loads((ROOT / "pyproject.toml").read_text())
CONTRACTS = DESCRIBED["tool"]["importlinter"]["contracts"]
ROOMS = {each.name for each in pkgutil.iter_modules([str(ROOT / "companion")])}


def files(patterns: Mapping[str, Sequence[str]]) -> set[Path]:
    """What setuptools finds by patterns for each package."""
    return {
        file
        for package, some in patterns.items()
        for pattern in some
        for file in (ROOT / package.replace(".", "/")).glob(pattern)
    }


def test_every_file_beside_the_modules_is_installed_but_the_networks_that_only_training_goes_on_from() -> None:
    told = DESCRIBED["tool"]["setuptools"]
    installed = files(told["package-data"]) - files(told["exclude-package-data"])
    there = {
        file
        for package in PACKAGES
        for file in (ROOT / package).rglob("*")
        if file.is_file() and file.suffix not in LEFT_BEHIND
    }
    assert {str(file.relative_to(ROOT / "companion/vision/weights")) for file in there - installed} == {
        "first/keen.onnx",
        "again/keen.onnx",
    }


def test_a_source_distribution_holds_what_its_readme_tells_to_use_beside_what_is_installed() -> None:
    lines = [line.split() for line in (ROOT / "MANIFEST.in").read_text().splitlines()]
    named = {
        file for word, *names in lines if word in ("graft", "include") for name in names for file in ROOT.glob(name)
    }
    left_out = {ROOT / "companion/vision/weights" / pair / "keen.onnx" for pair in ("first", "again")}
    assert named == {ROOT / "tests", ROOT / "systemd", ROOT / "CHANGELOG.md", *left_out}
    assert DESCRIBED["tool"]["setuptools"]["include-package-data"] is False, "or the wheel would hold that, too"


def test_the_licences_of_fonts_and_networks_lie_beside_them_and_are_named() -> None:
    """And lie in what the installer copies, or nothing could be built of that."""
    project = DESCRIBED["project"]
    assert project["license"].split(" AND ") == ["MIT", "Apache-2.0", "LicenseRef-scancode-x11-adobe-dec"]
    weights = ROOT / "companion/vision/weights"
    licences = [
        ROOT / "LICENSE",
        ROOT / "companion/screen/fonts/COPYRIGHT",
        weights / "APACHE-2.0",
        weights / "COPYRIGHT",
    ]
    assert [ROOT / name for name in project["license-files"]] == licences
    first_lines = [text.split("\n")[0] for text in (licence.read_text().strip() for licence in licences)]
    assert [line.split()[0] for line in first_lines] == ["MIT", "helvR08.bdf,", "Apache", "first/keen.onnx"]
    (copied,) = re.findall(r"cp -r \"\$SOURCE\"/\{(.*)\} ", (ROOT / "systemd/install.sh").read_text())
    assert {name.split("/")[0] for name in project["license-files"]} <= set(copied.split(","))
    assert "weights/APACHE-2.0" in (ROOT / "companion/vision/MODEL_CARD.md").read_text()
    linked = {ROOT / link for link in re.findall(r"\]\(([^:#)]+)\)", README)}
    assert {*licences, ROOT / "companion/vision/MODEL_CARD.md"} - linked == {weights / "APACHE-2.0"}
    assert all(link.is_file() for link in linked)


def test_the_readmes_contents_lead_to_its_chapters() -> None:
    chapters = [title.lower().replace(" ", "-") for title in re.findall(r"^##+ (.*)$", README, re.MULTILINE)]
    assert set(re.findall(r"\]\(#([^)]+)\)", README)) <= set(chapters)


def test_the_oldest_python_that_is_told_is_the_one_that_is_needed() -> None:
    told = [each.split(" :: ")[-1] for each in DESCRIBED["project"]["classifiers"] if "Python :: 3." in each]
    assert f">={min(told, key=lambda version: int(version[2:]))}" == DESCRIBED["project"]["requires-python"]


@pytest.mark.parametrize(
    ("kept_out", "may_know_it"),
    [
        ("companion.cli", {"cli", "__main__"}),
        ("hardware", {"cli", "__main__", "compose", "doctor"}),
        ("calibration", {"cli", "__main__", "compose", "doctor"}),
    ],
)
def test_no_room_is_forgotten_by_the_contracts_that_keep_commands_and_devices_out(
    kept_out: str, may_know_it: set[str]
) -> None:
    held = {room for each in CONTRACTS if kept_out in each["forbidden_modules"] for room in each["source_modules"]}
    assert {room for room in ROOMS if f"companion.{room}" not in held} == may_know_it


@pytest.mark.parametrize(
    ("source", "may_know"),
    [
        ("hardware", {"address", "events", "paths", "pictures", "ports"}),
        ("companion.vision", {"events", "lie", "paths", "pictures", "ports", "progress", "typed", "vision"}),
        (
            "calibration",
            {
                *("address", "config", "events", "lie", "paths", "pictures", "ports", "progress", "vision"),
                *("core", "games", "lights", "locale", "screen", "view", "words"),  # what its pages are drawn by
            },
        ),
    ],
)
def test_hardware_reading_and_calibrating_know_no_room_that_nobody_allowed_them(
    source: str, may_know: set[str]
) -> None:
    """A new room is refused by name, or allowed here."""
    [refused] = (each["forbidden_modules"] for each in CONTRACTS if source == each["source_modules"][0])
    assert {room for room in ROOMS - {"__main__"} if f"companion.{room}" not in refused} == may_know
