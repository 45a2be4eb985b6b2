"""Reads dice on the processor of a Raspberry Pi, emulated, with the packages that a Pi gets.

    python tests/systemd/emulated.py [bookworm] [trixie] [--pi 3 4 5] [--photos FILE ...] [--package SPEC ...]

Drawn dice must be read right and sure there, too: networks of eight bits are other instructions on each processor, and
a wheel may hold some that a Pi lacks. `--photos` reads these as well, there and here, and tells where that differs;
`--package onnxruntime==1.21.0` tries another version than pip would choose. It says nothing of speed.

Needs qemu-user-static and debootstrap; where they are missing it says so and exits 77. Debian and the wheels for arm64
are fetched once and kept in /var/tmp/companion-roots. Exit status 1 where a Pi reads otherwise than it must.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
from boot import NOT_TESTED, PYTHONS, ROOTS, SOURCE, Unable, debian, say
from wheels import PLATFORMS, download, needed

from companion.vision.bench.speed import FRAME, table

EMULATOR = "qemu-aarch64-static"
NEEDED = (EMULATOR, "debootstrap", "dpkg-deb")
COUNTS = (0, 2, 4, 5, 6, 13)  # dice on drawn tables that are read right and sure here, too
CORES = 4


@dataclass(frozen=True, slots=True)
class Processor:
    """As the emulator calls it, and what the kernel of a Pi tells of it; libraries choose their code by both."""

    name: str
    part: int
    features: str = "fp asimd evtstrm crc32 cpuid"

    def told(self) -> str:
        core = (
            f"Features\t: {self.features}\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU part\t: 0x{self.part:x}\n"
        )
        return "".join(f"processor\t: {number}\n{core}CPU revision\t: 3\n\n" for number in range(CORES))


NEWER = "fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm lrcpc dcpop asimddp"
PIS = {
    3: Processor("cortex-a53", 0xD03),
    4: Processor("cortex-a72", 0xD08),
    5: Processor("cortex-a76", 0xD0B, NEWER),
}


def system(suite: str) -> Path:
    """A Debian of that name for arm64 with its Python, unpacked, but not set up by its own programs. Raises Unable."""
    folder = ROOTS / f"arm64-{suite}"
    if not (folder / "usr/bin/python3").exists():
        say(f"fetching Debian {suite} for arm64 into {folder}")
        debian(folder, suite, "--foreign", "--arch=arm64", "--include=python3")
        for archive in sorted((folder / "var/cache/apt/archives").glob("*.deb")):
            subprocess.run(["dpkg-deb", "--extract", archive, folder], check=True)
    return folder


def packages(python: str, others: Sequence[str]) -> Path:
    """What pip installs on a Pi for that Python, unpacked, with `others` in the place of those. Raises Unable."""
    folder = ROOTS / f"arm64-packages-{python}"
    unpacked(needed(python), python, folder)
    if not others:
        return folder
    apart = ROOTS / f"arm64-others-{python}"
    shutil.rmtree(apart, ignore_errors=True)
    unpacked(["--no-deps", *others], python, apart)
    for package in folder.iterdir():
        if not (apart / package.name).exists() and not package.name.endswith(".dist-info"):
            (apart / package.name).symlink_to(package)
    return apart


def unpacked(requirements: Sequence[str], python: str, folder: Path) -> None:
    wanted = folder / "wanted.json"
    if wanted.exists() and json.loads(wanted.read_text()) == list(requirements):
        return
    say(f"fetching Python packages of {python} for arm64 into {folder}")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as wheels:
        try:
            download(Path(wheels), python, PLATFORMS, requirements)
        except subprocess.CalledProcessError:
            raise Unable(f"Python packages of {python} for arm64 could not be fetched") from None
        for wheel in sorted(Path(wheels).glob("*.whl")):
            zipfile.ZipFile(wheel).extractall(folder)
    wanted.write_text(json.dumps(list(requirements)))


def read(photos: Sequence[Path], program: Sequence[str], site: Path | None) -> list[dict[str, Any]]:
    """What `companion read --json` says of each photo. Raises CalledProcessError, its status below 0 for a signal."""
    paths = [str(SOURCE), *([str(site)] if site else [])]
    told = subprocess.run(
        [*program, "-m", "companion", "read", "--json", *map(str, photos)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in told.stdout.splitlines()]


def values(seen: dict[str, Any]) -> list[str]:
    return sorted(str(die["value"]) for die in seen["dice"])


def differences(there: Sequence[dict[str, Any]], here: Sequence[dict[str, Any]]) -> list[str]:
    """One line for each photo that a Pi reads otherwise."""
    return [
        f"{one['image']}: {' '.join(values(one))} ({'sure' if one['sure'] else one['reason']}), "
        f"here {' '.join(values(two))} ({'sure' if two['sure'] else two['reason']})"
        for one, two in zip(there, here, strict=True)
        if (values(one), one["sure"]) != (values(two), two["sure"])
    ]


def tried(suite: str, pi: int, photos: Sequence[Path], site: Path, drawn: Sequence[tuple[Path, list[str]]]) -> bool:
    """Whether a Pi reads the drawn dice as they lie there."""
    folder, processor = system(suite), PIS[pi]
    for name, text in {
        "proc/cpuinfo": processor.told(),
        **{f"sys/devices/system/cpu/{which}": f"0-{CORES - 1}\n" for which in ("possible", "present", "online")},
    }.items():  # the emulator looks there first; this machine's own are those of another processor
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    program = [EMULATOR, "-cpu", processor.name, "-L", str(folder), str(folder / "usr/bin/python3")]
    try:
        seen = read([path for path, _ in drawn], program, site)
        wrong = [
            each for each, (_, truth) in zip(seen, drawn, strict=True) if not each["sure"] or values(each) != truth
        ]
        say(f"{suite}, Pi {pi}: {len(drawn) - len(wrong)} of {len(drawn)} drawn tables right and sure")
        for each in wrong:
            say(f"  {each['image']}: {values(each)}, {each['reason']}")
        if photos:
            unlike = differences(read(photos, program, site), read(photos, [sys.executable], None))
            say("\n  ".join([f"{suite}, Pi {pi}: {len(photos) - len(unlike)} of {len(photos)} read as here", *unlike]))
    except subprocess.CalledProcessError as died:
        say(f"{suite}, Pi {pi}: reading ended with {died.returncode}")
        return False
    return not wrong


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python tests/systemd/emulated.py",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=" or ".join(PYTHONS))
    parser.add_argument("--pi", nargs="+", type=int, choices=PIS, default=[4], help="its model, 4 if not given")
    parser.add_argument("--photos", nargs="+", type=Path, default=[], metavar="FILE")
    parser.add_argument("--package", nargs="+", default=[], metavar="SPEC", help="for pip, as onnxruntime==1.21.0")
    options = parser.parse_args()
    if unknown := [suite for suite in options.suites if suite not in PYTHONS]:
        parser.error(f"there is no suite {unknown[0]}; choose from {', '.join(PYTHONS)}")
    missing = [tool for tool in NEEDED if shutil.which(tool) is None]
    if missing:
        say(f"!! NOT TESTED: reading dice on an emulated Pi needs {', '.join(missing)}")
        return NOT_TESTED
    with tempfile.TemporaryDirectory() as pictures:
        drawn = []
        for dice in COUNTS:
            path, one = Path(pictures) / f"{dice}-dice.png", table(dice, FRAME)
            cv2.imwrite(str(path), one.picture)
            drawn.append((path, sorted(str(die.value) for die in one.truth)))
        try:
            well = [
                tried(suite, pi, options.photos, packages(PYTHONS[suite], options.package), drawn)
                for suite in options.suites or PYTHONS
                for pi in options.pi
            ]
        except Unable as unable:
            say(f"!! NOT TESTED: reading dice on an emulated Pi: {unable}")
            return NOT_TESTED
    return 0 if all(well) else 1


if __name__ == "__main__":
    sys.exit(main())
