"""`companion referee` as others start it: a process with pipes."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import termios
import threading
import time
from pathlib import Path

import pytest

FULL = Path("/dev/full")
START = b'{"do":"start","game":"roll","players":["Ana","Bo"],"pawn":'
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


STATES = 3000  # whose answers no pipe holds
NEARLY_FULL = 60_000  # bytes: of a pipe's 65,536


def impatient_pipe():
    """Both ends of a pipe that is never waited for."""
    ends = os.pipe()
    for end in ends:
        os.set_blocking(end, False)
    return ends


def unread(pipe):
    """Bytes that wait in a pipe."""
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_who_takes_their_time_loses_no_answer(unbuffered):
    reading, writing = impatient_pipe()
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    said = START + b"0}\n" + b'{"do":"state"}\n' * STATES
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=writing, env=environment) as process:
        os.close(writing)
        assert process.stdin is not None
        threading.Thread(target=lambda: (process.stdin.write(said), process.stdin.close()), daemon=True).start()
        while process.poll() is None and unread(reading) < NEARLY_FULL:
            time.sleep(0.01)
        time.sleep(0.5)  # for one that does not wait to go wrong
        os.set_blocking(reading, True)
        with os.fdopen(reading, "rb") as told:
            answers = told.readlines()
    assert [json.loads(answer)["ok"] for answer in answers] == [True] * (STATES + 1)
    assert process.returncode == 0


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_line_that_comes_in_two_parts_is_waited_for(unbuffered):
    reading, writing = impatient_pipe()
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with subprocess.Popen(COMMAND, stdin=reading, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        os.write(writing, START + b'0}\n{"do":"st')
        assert json.loads(process.stdout.readline())["ok"]
        os.close(reading)
        time.sleep(0.5)  # for one that does not wait to go wrong
        os.write(writing, b'ate"}\n')
        assert json.loads(process.stdout.readline())["ok"]
        os.close(writing)
    assert process.returncode == 0


def test_answers_that_can_go_nowhere_are_told():
    closed = "import os, sys; os.close(1); os.execv(sys.executable, sys.argv[1:])"
    told = subprocess.run(
        [sys.executable, "-c", closed, *COMMAND], stderr=subprocess.PIPE, input=b"\n", timeout=300, check=False
    )
    assert (told.stderr, told.returncode) == (b"lines cannot be read or answered: standard output is closed\n", 1)


REGION = """
[[board.region]]
name = "green {}"
colour = "#00ff00"
spaces = ["peek"]
"""


def test_R2_the_board_is_the_configured_one(tmp_path):
    file = tmp_path / "companion.toml"
    file.write_text("".join(REGION.format(number) for number in range(5)))
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
