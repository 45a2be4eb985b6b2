"""Whatever is run as a module tells what it does when it is asked for help, and does nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
NOT_BY_PEOPLE = {  # run by others, with what they need
    "tests.bench.modelled_wires",  # `companion` itself, on wires of bench_cables
    "tests.bench.virtual_camera.inside",  # by virtual_camera, on another system
}
ASK = """
import runpy, sys

for command in sys.argv[1:]:
    sys.argv[:] = [command, "--help"]
    print("##", command)
    try:
        runpy.run_module(command, run_name="__main__", alter_sys=True)
        print("it went on")
    except SystemExit as ended:
        print("\\nended with", ended.code)
"""


def commands() -> list[str]:
    """Modules that are run as such."""
    found = [
        path.relative_to(ROOT).with_suffix("")
        for files in (
            "companion/**/*.py",
            "calibration/**/*.py",
            "hardware/**/*.py",
            "tests/*.py",
            "tests/bench/**/*.py",
        )
        for path in ROOT.glob(files)
        if 'if __name__ == "__main__":' in path.read_text()
    ]
    names = {".".join(path.parts).removesuffix(".__main__") for path in found}
    return sorted(names - NOT_BY_PEOPLE)


def test_every_command_tells_what_it_does_and_does_nothing_when_asked_for_help() -> None:
    """In one process, which loads libraries once. Training needs an extra: where that is missing, it says so."""
    asked = [sys.executable, "-c", ASK, *commands()]
    ran = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    answers = dict(part.split("\n", 1) for part in ran.stdout.split("## ")[1:])
    assert list(answers) == commands(), ran.stderr
    usual = {"companion": "companion"}  # what is also installed as a command
    helped = [
        name
        for name, told in answers.items()
        if told.startswith(f"usage: {usual.get(name, f'python -m {name}')} ") and told.endswith("ended with 0\n")
    ]
    lacking = {"companion.vision.train", "companion.vision.train.quantise"}
    assert set(answers) - set(helped) <= (lacking if "what trains networks is missing" in ran.stderr else set())
