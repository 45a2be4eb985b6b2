"""`companion referee` as others start it: a process with pipes."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

FULL = Path("/dev/full")
COMMAND = [sys.executable, "-m", "companion", "referee"]


def start(*options):
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([*COMMAND, *options], **pipes)


def test_each_line_is_answered_at_once_and_the_end_of_input_ends_it_with_0():
    with start() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line, ok in (
            (b'{"do":"start","game":"roll","players":["Ana","Bo"]}\n', True),
            (b'{"do":"roll","dice":[3,7]}\n', False),
            (b"\xff\n", False),
        ):
            process.stdin.write(line)
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["ok"] is ok
        rest, complaints = process.communicate(b'{"do":"roll","dice":[3,4]}', timeout=300)
    assert json.loads(rest)["state"]["total"] == 7
    assert (complaints, process.returncode) == (b"", 0)


def test_ctrl_c_ends_it_quietly():
    with start() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b'{"do":"state"}\n')
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        rest, complaints = process.communicate(timeout=300)
    assert (rest, complaints, process.returncode) == (b"", b"", 130)


def test_a_closed_pipe_ends_it_quietly():
    with start() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b'{"do":"state"}\n')
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(b'{"do":"state"}\n')
        process.stdin.flush()
        complaints = process.stderr.read()
        assert (complaints, process.wait(timeout=300)) == (b"", 141)


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
def test_a_full_disk_is_told():
    with FULL.open("wb") as full:
        process = subprocess.run(COMMAND, input=b"\n", stdout=full, stderr=subprocess.PIPE, timeout=300, check=False)
    assert process.stderr == b"lines cannot be read or answered: No space left on device\n"
    assert process.returncode == 1


REGION = """
[[board.region]]
name = "green"
colour = "#00ff00"
spaces = ["peek"]
"""
START = b'{"do":"start","game":"roll","players":["Ana","Bo"],"pawn":'


def test_R2_the_board_is_the_configured_one(tmp_path):
    file = tmp_path / "companion.toml"
    file.write_text(REGION * 5)
    with start("--config", str(file)) as process:
        told, complaints = process.communicate(START + b"8}\n" + START + b"12}\n", timeout=300)
    assert [json.loads(line)["ok"] for line in told.splitlines()] == [True, False]
    assert (complaints, process.returncode) == (b"", 0)


def test_a_wrong_configuration_is_told_and_nothing_is_played(tmp_path):
    with start("--config", str(tmp_path / "none.toml")) as process:
        told, complaints = process.communicate(START + b"0}\n", timeout=300)
    assert (told, process.returncode) == (b"", 1)
    assert b"none.toml" in complaints
    assert b"Traceback" not in complaints
