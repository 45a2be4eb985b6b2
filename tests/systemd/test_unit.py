"""The unit file, judged by systemd's own tools."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

UNIT = Path(__file__).parents[2] / "systemd" / "companion.service"
EXPOSURE_MOST = 2.0

analyzes = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None,
    reason="NOT TESTED: the unit file needs systemd-analyze (apt install systemd)",
)


def analyze(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, check=False, timeout=60)


@analyzes
def test_systemd_finds_nothing_to_say_about_the_unit(tmp_path: Path) -> None:
    unit = tmp_path / UNIT.name
    unit.write_text(re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", UNIT.read_text(), flags=re.MULTILINE))
    judged = analyze("verify", "--man=no", str(unit))
    assert (judged.stderr, judged.returncode) == ("", 0)


@analyzes
def test_a_key_that_systemd_does_not_know_would_be_noticed(tmp_path: Path) -> None:
    unit = tmp_path / UNIT.name
    unit.write_text(re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true\nWatchDog=1", UNIT.read_text(), flags=re.MULTILINE))
    assert "WatchDog" in analyze("verify", "--man=no", str(unit)).stderr


@analyzes
def test_the_service_is_exposed_to_little() -> None:
    judged = analyze("security", "--offline=yes", "--no-pager", str(UNIT))
    found = re.search(r"Overall exposure level for companion\.service: ([\d.]+)", judged.stdout)
    assert found is not None, judged.stderr
    assert float(found[1]) <= EXPOSURE_MOST


BUILT_IN = {"char-gpiochip", "char-dma_heap", "char-ttyAMA", "char-ttyS"}
BROUGHT_BY = {
    "char-i2c": "i2c-dev",
    "char-spi": "spidev",
    "char-video4linux": "videodev",
    "char-media": "videodev",
    "char-ttyUSB": "usbserial",
    "char-ttyACM": "cdc_acm",
}


def test_every_class_of_devices_that_the_unit_allows_is_there_before_it_starts() -> None:
    allowed = set(re.findall(r"^DeviceAllow=(\S+) rw$", UNIT.read_text(), re.MULTILINE))
    lines = (UNIT.parent / "companion-modules.conf").read_text().splitlines()
    assert allowed == BUILT_IN | BROUGHT_BY.keys()
    assert {line for line in lines if not line.startswith("#")} == set(BROUGHT_BY.values())


def test_the_unit_is_a_watched_notifying_service_of_its_own_user_that_stops_within_two_seconds() -> None:
    keys = dict(re.findall(r"^(\w+)=(.*)$", UNIT.read_text(), re.MULTILINE))
    wanted = {
        "Type": "notify",
        "WatchdogSec": "20",
        "TimeoutStopSec": "2",
        "Restart": "on-failure",
        "RestartSec": "1",
        "RestartPreventExitStatus": str(os.EX_CONFIG),
        "StartLimitBurst": "20",
        "User": "companion",
        "StateDirectory": "companion",
        "WorkingDirectory": "/run/companion",
    }
    assert {name: keys.get(name) for name in wanted} == wanted
