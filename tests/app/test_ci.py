"""What CI runs tells of each Python how its tests went, whichever of them fails."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

CI = Path(__file__).resolve().parents[2] / ".ci" / "run"
pytestmark = pytest.mark.skipif(not CI.is_file(), reason="a source distribution holds no CI")
IMITATION = """#!/usr/bin/env bash
# a Python, and the one and the pip of each environment that it makes
case "$*" in
    "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" && cp "$0" "$3/bin/pip" ;;
    "-m tests" | "-m pytest -m not once" | "-m pytest -q tests/devices"*)
        echo "the suite of $0"
        case "$0 $*" in *$FAILING*) exit 1 ;; esac
        ;;
esac
"""
NOBODY = "#!/bin/sh\necho 1000\n"  # so that nothing is fetched


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The script beside programs that are played: two versions of Python, and a user who is not root."""
    programs = tmp_path / "programs"
    for file, text in (
        (programs / "python3.11", IMITATION),
        (programs / "python3.13", IMITATION),
        (programs / "id", NOBODY),
    ):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)
    (tmp_path / ".ci").mkdir()
    shutil.copy(CI, tmp_path / ".ci" / "run")
    return tmp_path


def run(checkout: Path, failing: str) -> tuple[int, str]:
    """Status and output where the suites fail in whose Python's path, or arguments, `failing` is."""
    environ = {
        "PATH": f"{checkout / 'programs'}:{os.environ['PATH']}",
        "HOME": str(checkout),
        "TMPDIR": str(checkout),
        "FAILING": failing or "none of them",
    }
    done = subprocess.run(
        [checkout / ".ci" / "run"], capture_output=True, check=False, env=environ, text=True, timeout=60
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    ("failing", "named"),
    [(".venv-3.13", "3.13"), (".venv-3.11", "3.11"), (".venv-3", "3.13 3.11"), ("-q tests/devices", "3.11")],
)
def test_the_suites_of_all_versions_are_shown_whichever_fails(checkout: Path, failing: str, named: str) -> None:
    status, told = run(checkout, failing)
    assert status == 1
    for version in ("3.11", "3.13"):
        assert f"the suite of {checkout}/.venv-{version}/bin/python\n" in told
    assert told.endswith(f"!! failed on Python {named}\n")


def test_where_all_pass_what_comes_after_is_run(checkout: Path) -> None:
    status, told = run(checkout, "")
    assert status == 0
    assert told.count("beside what Debian 12 has\n") == 1
    assert told.endswith("== the service in a real systemd\n")
