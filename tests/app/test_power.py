"""The table's power menu asks the system, and tells what the system says."""

from __future__ import annotations

import errno
import re
import socket
import subprocess
from pathlib import Path
from typing import NoReturn

import pytest

from companion import __version__
from companion.power import About, PowerRefused, about, switch


@pytest.fixture
def systemctl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A system that obeys: it notes what it was asked."""
    script = tmp_path / "systemctl"
    script.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return script


def test_switching_off_and_restarting_ask_systemd(systemctl: Path) -> None:
    switch("poweroff")
    switch("reboot")
    assert (systemctl.parent / "asked").read_text() == "poweroff\nreboot\n"


def test_a_system_that_refuses_is_told_with_its_reason(systemctl: Path) -> None:
    words = ("Call to PowerOff failed:", "Interactive authentication required.")
    systemctl.write_text("#!/bin/sh\n" + "".join(f"echo {line} >&2\n" for line in words) + "exit 1\n")
    with pytest.raises(PowerRefused) as refused:
        switch("poweroff")
    assert refused.value.cause == "the system refuses: Interactive authentication required."
    assert "by hand" in refused.value.remedy


def test_a_system_that_refuses_without_a_word_is_told(systemctl: Path) -> None:
    systemctl.write_text("#!/bin/sh\nexit 1\n")
    with pytest.raises(PowerRefused, match="without a reason"):
        switch("reboot")


def test_without_systemd_that_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PowerRefused, match="systemd does not run here"):
        switch("poweroff")


def test_a_system_that_does_not_answer_is_told(systemctl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    systemctl.write_text("#!/bin/sh\nexec tail -f /dev/null\n")
    monkeypatch.setattr("companion.power.COMMAND_S", 0.05)
    with pytest.raises(PowerRefused, match="does not answer"):
        switch("poweroff")


def none_left(*_args: object, **_settings: object) -> NoReturn:
    raise OSError(errno.EMFILE, "Too many open files")


def test_a_system_that_cannot_even_be_asked_is_told(systemctl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    systemctl.chmod(0o644)
    monkeypatch.setenv("PATH", str(systemctl.parent))
    with pytest.raises(PowerRefused, match="the system cannot be asked: Permission denied; shut the computer down by"):
        switch("poweroff")
    monkeypatch.setattr(subprocess, "Popen", none_left)
    with pytest.raises(PowerRefused, match="the system cannot be asked: Too many open files"):
        switch("reboot")


def test_where_nothing_can_be_opened_any_more_the_address_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "socket", none_left)
    assert about().address == ""


def test_the_menu_can_tell_version_name_and_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "table")
    told = about()
    assert told == About(__version__, "table", told.address)
    assert re.fullmatch(r"|\d+\.\d+\.\d+\.\d+", told.address)
    assert told.address != "0.0.0.0"  # where nobody would find it
