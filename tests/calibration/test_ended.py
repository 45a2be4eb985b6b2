"""A calibration that is ended from without: the terminal is as it was, and so is what was kept."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from calibration import steps
from companion.cli import main
from hardware.terminal import ENTER, LEAVE

SOON_S = 20.0


def said(terminal: int, until_s: float) -> bytes:
    ready, _, _ = select.select([terminal], [], [], max(0.0, until_s - time.monotonic()))
    assert ready, "nothing more is said"
    return os.read(terminal, 65536)


@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGTERM, 130), (signal.SIGHUP, 130), (signal.SIGINT, 130), (signal.SIGQUIT, -signal.SIGQUIT)],
)
def test_a_calibration_that_is_ended_leaves_the_terminal_as_it_was(
    number: signal.Signals, status: int, tmp_path: Path
) -> None:
    ours, its = pty.openpty()
    try:
        termios.tcsetwinsize(its, (50, 140))
        before = termios.tcgetattr(its)
        words = [sys.executable, "-m", "companion", "calibrate", "--simulated", "--folder", str(tmp_path)]
        env = os.environ | {"TERM": "xterm-256color"}
        with subprocess.Popen(words, stdin=its, stdout=its, stderr=its, start_new_session=True, env=env) as process:
            shown, until_s = b"", time.monotonic() + SOON_S
            try:
                while ENTER.encode() not in shown or termios.tcgetattr(its) == before:
                    shown += said(ours, until_s)
                process.send_signal(number)
                while LEAVE.encode() not in shown:
                    shown += said(ours, until_s)
                assert process.wait(SOON_S) == status, shown[-2000:]
            finally:
                process.kill()
        assert termios.tcgetattr(its) == before
    finally:
        os.close(ours)
        os.close(its)
    assert list(tmp_path.iterdir()) == []


def test_who_ends_a_calibration_is_heard_as_before_once_it_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(self: steps.CameraStep, picture: object, now_s: float) -> steps.Step:
        signal.raise_signal(signal.SIGTERM)
        return self

    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(steps.CameraStep, "seen", ended)
    assert main(["calibrate", "camera", "--simulated", "--auto", "--folder", str(tmp_path)]) == 130
    assert signal.getsignal(signal.SIGTERM) is before


def test_an_end_that_a_library_makes_another_fault_of_is_an_end_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(self: steps.CameraStep, picture: object, now_s: float) -> steps.Step:
        try:
            signal.raise_signal(signal.SIGTERM)
        except KeyboardInterrupt:
            raise ValueError("a driver failed") from None
        return self

    monkeypatch.setattr(steps.CameraStep, "seen", ended)
    assert main(["calibrate", "camera", "--simulated", "--auto", "--folder", str(tmp_path)]) == 130
