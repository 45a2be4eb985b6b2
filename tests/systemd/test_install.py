"""The installer, as far as it can be tried without changing this machine; boot.py tries the rest in a real systemd."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "systemd"
INSTALL = FOLDER / "install.sh"
UNIT = FOLDER / "companion.service"


def install(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([INSTALL, *words], capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="NOT TESTED: install.sh needs shellcheck")
def test_shellcheck_finds_nothing() -> None:
    judged = subprocess.run(["shellcheck", INSTALL], capture_output=True, text=True, check=False, timeout=60)
    assert judged.stdout == ""


def test_a_dry_run_says_every_step_and_does_none() -> None:
    before = {path for path in (Path("/opt"), Path("/etc"), Path("/etc/systemd/system")) for path in path.iterdir()}
    told = install("--dry-run")
    after = {path for path in (Path("/opt"), Path("/etc"), Path("/etc/systemd/system")) for path in path.iterdir()}
    assert (told.returncode, told.stderr) == (0, "")
    for step in ("-m venv --system-site-packages", "pip install", "mv -T", "systemctl restart companion.service"):
        assert step in told.stdout
    assert told.stdout.endswith("nothing was done\n")
    assert after == before


def test_help_tells_every_option() -> None:
    told = install("--help").stdout
    taken = set(re.findall(r"^\s+(--[a-z-]+)\)", INSTALL.read_text(), re.MULTILINE))
    assert {option for option in taken if option not in told} == set()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--upgarde"], "there is no option --upgarde; see --help"),
        (["--wheels"], "--wheels needs a folder of Python packages; there is none at ''"),
        (["--wheels", "/no/such"], "there is none at '/no/such'"),
        (["--dry-run", "--upgrade"], "nothing is installed; install it without --upgrade"),
    ],
)
def test_a_wrong_call_is_told(words: list[str], told: str) -> None:
    if Path("/opt/companion/current").exists():
        pytest.skip("NOT TESTED: the companion is installed here")
    answer = install(*words)
    assert answer.returncode == 1
    assert told in answer.stderr


def test_the_installer_makes_the_user_groups_and_places_that_the_unit_names() -> None:
    script, keys = INSTALL.read_text(), dict(re.findall(r"^(\w+)=(.*)$", UNIT.read_text(), re.MULTILINE))
    assert f'GROUPS_NEEDED="{keys["SupplementaryGroups"]}"' in script
    assert f"STATE=/var/lib/{keys['StateDirectory']}" in script
    command, _, config = keys["ExecStart"].partition(" run --config ")
    assert command == "/opt/companion/current/bin/companion"
    assert f"CONFIG={config}" in script
