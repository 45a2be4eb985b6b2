"""How the program ends: with its status, whatever a device is doing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from companion.cli import main
from companion.journal import Journal

FULL = Path("/dev/full")
HERE = Path(__file__).resolve().parents[2]

BUSY = """
import atexit, threading
import cv2, numpy
from companion.cli.leaving import leave

begun = threading.Event()

def read():
    picture = numpy.zeros((700, 700, 3), numpy.uint8)
    while True:
        cv2.GaussianBlur(picture, (31, 31), 5)
        begun.set()

atexit.register(print, "the terminal is put back")
threading.Thread(target=read, daemon=True).start()
begun.wait()
print("bye")
leave(3)
"""


def test_a_thread_inside_a_driver_does_not_abort_the_end() -> None:
    ended = subprocess.run([sys.executable, "-c", BUSY], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (3, "bye\nthe terminal is put back\n", "")


def test_a_driver_that_hangs_at_the_end_does_not_hold_it_up() -> None:
    hangs = BUSY.replace("atexit.register(", "atexit.register(threading.Event().wait)\natexit.register(", 1)
    ended = subprocess.run(
        [sys.executable, "-c", hangs], capture_output=True, text=True, cwd=HERE, check=False, timeout=30
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (3, "bye\nthe terminal is put back\n", "")


ASKED = """
import atexit, os, signal
from companion.cli.leaving import leave

def ask():
    for end in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(os.getpid(), end)

atexit.register(ask)
leave(3)
"""


def test_what_asks_it_to_end_while_it_ends_changes_nothing() -> None:
    ended = subprocess.run([sys.executable, "-c", ASKED], capture_output=True, text=True, cwd=HERE, check=False)
    assert (ended.returncode, ended.stderr) == (3, "")


@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        ("ascii", b"\\xe9\\udcff.png"),
        ("ascii:surrogateescape", b"\\xe9\\udcff.png"),  # as in a C locale
        ("utf-8:strict", b"\xc3\xa9\\udcff.png"),
    ],
)
def test_a_name_that_cannot_be_shown_is_shown_in_signs_that_can(encoding: str, said: bytes, tmp_path: Path) -> None:
    name = os.fsdecode("é".encode() + b"\xff.png")
    Image.new("RGB", (64, 48)).save(tmp_path / name, "PNG")
    command = [sys.executable, "-m", "companion", "read", name]
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONPATH": str(HERE), "PYTHONUTF8": "1"}
    ended = subprocess.run(command, capture_output=True, cwd=tmp_path, env=environment, check=False)
    assert (ended.stdout.partition(b":")[0], ended.stderr, ended.returncode) == (said, b"", 0)


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
@pytest.mark.parametrize(
    ("words", "before"),
    [("config example", ""), ("read --json none.png", ""), ("bench . --no-speed --json", f"\n[{'#' * 30}] 1/1\n")],
)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_what_finds_no_room_is_told_in_a_line(words: str, before: str, unbuffered: str, tmp_path: Path) -> None:
    (tmp_path / "labels.jsonl").write_text('{"image": "a.png", "dice": []}')
    Image.new("L", (64, 48)).save(tmp_path / "a.png")
    with FULL.open("w") as full:
        command = [sys.executable, "-m", "companion", *words.split()]
        environment = from_here(PYTHONUNBUFFERED=unbuffered)
        ended = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, cwd=tmp_path, env=environment, text=True, check=False
        )
    assert ended.stderr == f"{before}companion: what it says cannot be written: No space left on device\n"
    assert ended.returncode == 1


@pytest.mark.parametrize(
    "words",
    [
        "--version",
        "read --help",
        "read a.png",
        "config example",
        "games --journal journal.db",
        "calibrate camera --simulated --auto --folder kept",
        "demo --game free --players 1 --seed 3 --speed max",
    ],
)
@pytest.mark.parametrize("also", ["", "<&-"])
def test_with_its_output_closed_from_the_beginning_what_it_says_is_told_to_be_lost(
    words: str, also: str, tmp_path: Path
) -> None:
    Image.new("L", (64, 48)).save(tmp_path / "a.png")
    Journal.open(tmp_path / "journal.db").close()
    command = ["sh", "-c", f'"$@" >&- {also}', "sh", sys.executable, "-m", "companion", *words.split()]
    ended = subprocess.run(command, capture_output=True, cwd=tmp_path, env=from_here(), text=True, check=False)
    assert ended.stderr == "companion: what it says cannot be written: standard output is closed\n"
    assert (ended.stdout, ended.returncode) == ("", 1)


def test_with_its_output_closed_what_has_nothing_to_say_does_its_work(tmp_path: Path) -> None:
    command = ["sh", "-c", '"$@" >&- 2>&-', "sh", sys.executable, "-m", "companion", "referee"]
    ended = subprocess.run(command, input=b"", capture_output=True, cwd=tmp_path, env=from_here(), check=False)
    assert (ended.stdout, ended.stderr, ended.returncode) == (b"", b"", 0)


def test_complaints_that_nobody_hears_are_not_among_the_answers(tmp_path: Path) -> None:
    (tmp_path / "labels.jsonl").write_text('{"image": "a.png", "dice": []}')
    Image.new("L", (64, 48)).save(tmp_path / "a.png")
    for words, status, said in (("read none.png", 1, b""), ("bench . --no-speed", 0, b"photos")):
        command = ["sh", "-c", '"$@" 2>&-', "sh", sys.executable, "-m", "companion", *words.split()]
        ended = subprocess.run(command, stdout=subprocess.PIPE, cwd=tmp_path, env=from_here(), check=False)
        assert (ended.stdout.strip()[:6], ended.returncode) == (said, status)


def test_without_a_command_one_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([])
    assert ended.value.code == 2
    assert capsys.readouterr().err.endswith("companion: error: the following arguments are required: COMMAND\n")


@pytest.mark.parametrize("words", ["read -dash.jpg", "read a.jpg -dash.jpg", "read --jsn -dash.jpg"])
def test_a_file_that_looks_like_an_option_is_told_how_to_write(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "-dash.jpg").write_bytes(b"")
    with pytest.raises(SystemExit) as ended:
        main(words.split())
    assert ended.value.code == 2
    assert capsys.readouterr().err.endswith("; -dash.jpg is a file: write ./-dash.jpg\n")


def from_here(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(HERE), **more}


INTERRUPTING = """
import signal, sys
from importlib.abc import MetaPathFinder

wanted, sys.argv = sys.argv[1], ["companion", "bench"]

class Interrupts(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == wanted:
            sys.meta_path.remove(self)
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Interrupts())
from companion.__main__ import run
run()
"""


@pytest.mark.parametrize("module", ["companion.cli", "argparse", "companion.cli.bench", "numpy.linalg", "cv2"])
def test_ctrl_c_while_it_is_loaded_ends_it_quietly(module: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", INTERRUPTING, module], capture_output=True, text=True, cwd=HERE, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


TAKEN_AMISS = """
import signal, sys
from importlib.abc import MetaPathFinder
from companion.__main__ import run

class TakesAmiss(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "onnxruntime":
            try:
                signal.raise_signal(signal.SIGINT)
            except KeyboardInterrupt:  # as what is written with pybind11 does
                raise ImportError("initialization failed") from None

sys.meta_path.insert(0, TakesAmiss())
run()
"""


def test_ctrl_c_while_what_runs_the_networks_is_loaded_is_not_lost(tmp_path: Path) -> None:
    Image.new("L", (64, 48)).save(tmp_path / "a.png")
    command = [sys.executable, "-c", TAKEN_AMISS, "read", "a.png"]
    ended = subprocess.run(command, capture_output=True, cwd=tmp_path, env=from_here(), text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


def test_ctrl_c_that_is_ignored_stays_so() -> None:
    ignoring = f"import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n{INTERRUPTING}".replace(
        "bench", "--version"
    )
    command = [sys.executable, "-c", ignoring, "companion.cli"]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=HERE, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_wrong_argument_ends_it_with_2() -> None:
    ended = subprocess.run([sys.executable, "-m", "companion", "dance"], capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert "invalid choice: 'dance'" in ended.stderr


@pytest.mark.parametrize(
    ("words", "usage"),
    [
        ("read --jsn full.png", "usage: companion read "),
        ("games show --jsn", "usage: companion games show "),
        ("--jsn read full.png", "usage: companion [-h] "),
        ("--jsn", "usage: companion [-h] "),
    ],
)
def test_a_word_that_is_not_known_is_told_with_what_is(
    words: str, usage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words.split())
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith(usage)
    assert said.endswith(" error: unrecognized arguments: --jsn\n")


@pytest.mark.parametrize(
    "words",
    [
        "demo --record",
        "demo --journal",
        "run --config",
        "config check",
        "games --journal",
        "games show --plot",
        "games stats --plot",
        "bench",
        "bench --plot",
        "bench --predictions",
        "calibrate --folder",
        "calibrate sheet --out",
        "calibrate camera --grid",
    ],
)
def test_an_empty_name_of_a_file_or_a_folder_is_refused(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*words.split(), ""])
    assert ended.value.code == 2
    assert capsys.readouterr().err.endswith(": the name is empty; name a file or a folder\n")


@pytest.mark.parametrize("bench", ["bench_faults", "virtual_camera", "bench_cables"])
def test_a_bench_that_is_asked_what_it_does_only_tells(bench: str) -> None:
    command = [sys.executable, "-m", f"tests.bench.{bench}", "--help"]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=HERE, timeout=60, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("usage: ")
    assert "[]" not in ended.stdout
