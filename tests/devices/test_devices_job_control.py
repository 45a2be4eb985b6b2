from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from hardware.job_control import gives_way, left, occupies

HERE = Path(__file__).resolve().parents[2]
SIGNALS = (signal.SIGTSTP, signal.SIGCONT, signal.SIGQUIT)


class Occupant:
    def __init__(self):
        self.told = []

    def hand_back(self):
        self.told.append("hand back")

    def take_again(self):
        self.told.append("take again")


@pytest.fixture
def occupant():
    occupant = Occupant()
    occupies(occupant)
    yield occupant
    left(occupant)


@pytest.fixture
def in_a_terminal(monkeypatch):
    monkeypatch.setattr(os, "isatty", lambda _fd: True)


def heard():
    return tuple(map(signal.getsignal, SIGNALS))


@pytest.mark.usefixtures("in_a_terminal")
def test_what_the_shell_made_of_the_terminal_meanwhile_is_put_right_and_then_nothing_is_heard_any_more(occupant):
    before = heard()
    with gives_way():
        signal.raise_signal(signal.SIGCONT)  # as after SIGSTOP, which nobody hears
        assert occupant.told == ["take again"]
    assert heard() == before


@pytest.mark.parametrize(("terminal", "hears"), [(0, True), (1, True), (2, False), (None, False)])
def test_only_where_keys_or_pictures_go_through_a_terminal_is_anything_changed(terminal, hears, monkeypatch):
    monkeypatch.setattr(os, "isatty", lambda fd: fd == terminal)
    before = heard()
    with gives_way():
        assert (heard() != before) is hears
    assert heard() == before


@pytest.mark.usefixtures("in_a_terminal")
def test_who_has_left_the_terminal_hears_of_no_stop():
    gone = Occupant()
    occupies(gone)
    left(gone)
    with gives_way():
        signal.raise_signal(signal.SIGCONT)
    assert gone.told == []


@pytest.mark.usefixtures("in_a_terminal")
@pytest.mark.parametrize("number", [signal.SIGTSTP, signal.SIGQUIT])
def test_a_program_that_ctrl_z_shall_not_stop_nor_ctrl_backslash_end_is_left_alone(number):
    before = signal.signal(number, signal.SIG_IGN)
    with gives_way():
        assert heard()[SIGNALS.index(number)] is signal.SIG_IGN
    signal.signal(number, before)


QUITS = """
import os, resource, signal
from hardware import job_control

class Occupant:
    def hand_back(self):
        print("hand back", flush=True)

resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
os.isatty = lambda _fd: True
signal.signal(signal.SIGQUIT, signal.SIG_DFL)
job_control.occupies(Occupant())
with job_control.gives_way():
    signal.raise_signal(signal.SIGQUIT)
    print("still here")
"""


def test_a_program_that_ctrl_backslash_ends_hands_the_terminal_back_before():
    ended = subprocess.run([sys.executable, "-c", QUITS], capture_output=True, text=True, cwd=HERE, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGQUIT, "hand back\n", "")


STAYS = """
import os, signal
from hardware import job_control

class Occupant:
    def hand_back(self):
        print("hand back", flush=True)

    def take_again(self):
        print("take again", flush=True)

os.isatty = lambda _fd: True
signal.signal(signal.SIGTSTP, signal.SIG_DFL)
job_control.occupies(Occupant())
with job_control.gives_way():
    for _ in range(2):
        signal.raise_signal(signal.SIGTSTP)
        print("still here", flush=True)
"""


def test_a_program_that_no_shell_could_wake_is_not_stopped_and_takes_the_terminal_again_each_time():
    ended = subprocess.run(
        [sys.executable, "-c", STAYS], capture_output=True, text=True, cwd=HERE, check=False, start_new_session=True
    )
    assert (ended.stdout, ended.stderr) == ("hand back\ntake again\nstill here\n" * 2, "")


@pytest.mark.usefixtures("in_a_terminal")
def test_a_thread_that_hears_no_signals_changes_nothing():
    found = []

    def look():
        with gives_way():
            found.append(heard())

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert found == [heard()]
