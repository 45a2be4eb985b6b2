"""Commands that load for seconds: Ctrl-C ends them quietly whenever it comes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from signal import SIGINT

import pytest

INTERRUPTED = 130
SLOW = """
import runpy, sys, time

awaited, command = sys.argv[1:3]
del sys.argv[1:3]

class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == awaited:
            print("loading", flush=True)
            time.sleep(60)

sys.meta_path.insert(0, Slow())
runpy.run_module(command, run_name="__main__", alter_sys=True)
"""
ENDING = """
import atexit, sys, time
from companion.vision.command import run

def end():
    print("ending", flush=True)
    time.sleep(60)

def main():
    atexit.register(end)
    return 0

sys.modules["ended"] = sys.modules["__main__"]
sys.exit(run("ended"))
"""
IGNORED = """
import signal, sys
from companion.vision.command import loading, run

def main():
    signal.raise_signal(signal.SIGINT)
    return 0

signal.signal(signal.SIGINT, signal.SIG_IGN)
with loading():
    signal.raise_signal(signal.SIGINT)
sys.modules["ignored"] = sys.modules["__main__"]
sys.exit(run("ignored"))
"""
TWICE = """
import signal, sys
from companion.vision.command import run, undisturbed

def main():
    with undisturbed():
        print("begun", flush=True)
        for again in range(int(sys.argv[1])):
            signal.raise_signal(signal.SIGINT)
        print("whole", flush=True)
    print("never")

sys.modules["undisturbed"] = sys.modules["__main__"]
sys.exit(run("undisturbed"))
"""


def interrupted(*words: str) -> tuple[int, str]:
    """The status of a script that is interrupted after its first line, and what it tells of it."""
    with subprocess.Popen(
        [sys.executable, "-c", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as apart:
        try:
            assert apart.stdout is not None
            assert apart.stdout.readline()
            apart.send_signal(SIGINT)
            _, told = apart.communicate(timeout=30)
        finally:
            apart.kill()
    return apart.returncode, told


@pytest.mark.parametrize(
    ("awaited", "command"),
    [
        ("torch", "companion.vision.train"),
        ("cv2", "companion.vision.train.folds"),
        ("onnx", "companion.vision.train.quantise"),
        ("cv2", "companion.vision.train.blind"),
        ("cv2", "companion.vision.traced"),
        ("bpy", "companion.vision.traced"),
    ],
)
def test_a_command_that_is_interrupted_while_it_loads_ends_in_no_traceback(
    awaited: str, command: str, tmp_path: Path
) -> None:
    assert interrupted(SLOW, awaited, command, str(tmp_path)) == (INTERRUPTED, "")


def test_a_command_that_is_interrupted_as_it_ends_does_so_in_no_traceback() -> None:
    assert interrupted(ENDING) == (INTERRUPTED, "")


@pytest.mark.parametrize(("times", "done"), [(1, "begun\nwhole\n"), (2, "begun\n")])
def test_what_must_not_be_disturbed_is_done_unless_ctrl_c_comes_twice(times: int, done: str) -> None:
    words = [sys.executable, "-c", TWICE, str(times)]
    ran = subprocess.run(words, capture_output=True, text=True, check=False, timeout=30)
    assert (ran.returncode, ran.stdout, ran.stderr) == (INTERRUPTED, done, "")


def test_a_command_in_the_background_does_not_hear_what_is_ignored_there() -> None:
    ran = subprocess.run([sys.executable, "-c", IGNORED], capture_output=True, text=True, check=False, timeout=30)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
