from __future__ import annotations

import atexit
import os
import queue
import termios
import threading
from pathlib import Path

import pytest
from pseudo import Line

from companion.events import Button, Press
from companion.ports import DeviceLost
from hardware import job_control
from hardware.buttons_keyboard import GONE, REMEDY, Keyboard


@pytest.fixture
def line():
    line = Line()
    yield line
    line.close()


@pytest.fixture
def window(line):
    """As a shell leaves a terminal: whole lines are edited, and seen."""
    attributes = termios.tcgetattr(line.slave)
    attributes[3] |= termios.ICANON | termios.ECHO
    termios.tcsetattr(line.slave, termios.TCSANOW, attributes)
    return line


@pytest.fixture
def told():
    return queue.SimpleQueue()


def test_keys_that_are_no_buttons_go_elsewhere_and_a_lone_escape_is_back(line, told):
    keyboard = Keyboard(fd=line.slave, other=lambda key: told.put(("other", key)))
    keyboard.listen(told.put, told.put, told.put)
    line.type(" ä".encode())
    assert [told.get(timeout=10), told.get(timeout=10)] == [("other", " "), ("other", "ä")]
    line.type(b"\x1b")
    assert told.get(timeout=10) == Press(Button.BACK)
    keyboard.close()


def test_an_arrow_that_comes_in_two_parts_is_one_key(line, told, monkeypatch):
    monkeypatch.setattr("hardware.buttons_keyboard.ESCAPE_S", 10)
    keyboard = Keyboard(fd=line.slave, other=told.put)
    keyboard.listen(told.put, told.put, told.put)
    line.type(b"x\x1b[")
    assert told.get(timeout=10) == "x"
    line.type(b"A")
    assert told.get(timeout=10) == Press(Button.LESS)
    keyboard.close()


def test_keys_that_are_no_buttons_are_nothing_where_nobody_asks_for_them(line, told):
    keyboard = Keyboard(fd=line.slave)
    keyboard.listen(told.put, told.put, told.put)
    line.type(b"xf")
    assert told.get(timeout=10) == Press(Button.OK)
    keyboard.close()


def test_keys_are_read_one_by_one_unseen_and_the_terminal_is_put_back(window):
    before = termios.tcgetattr(window.slave)
    keyboard = Keyboard(fd=window.slave)
    local = termios.tcgetattr(window.slave)[3]
    assert not local & (termios.ICANON | termios.ECHO)
    keyboard.close()
    assert termios.tcgetattr(window.slave) == before


def test_ctrl_c_stays_a_signal(line):
    attributes = termios.tcgetattr(line.slave)
    attributes[3] |= termios.ISIG
    termios.tcsetattr(line.slave, termios.TCSANOW, attributes)
    keyboard = Keyboard(fd=line.slave)
    assert termios.tcgetattr(line.slave)[3] & termios.ISIG
    keyboard.close()


def test_a_terminal_that_is_closed_meanwhile_is_told_and_closes_quietly(line, told):
    keyboard = Keyboard(fd=line.slave)
    keyboard.listen(told.put, told.put, told.put)
    line.unplug()
    assert str(told.get(timeout=10)) == f"{GONE}; {REMEDY}"
    with pytest.raises(DeviceLost):
        Keyboard(fd=line.slave)
    keyboard.close()
    assert "keyboard" not in {thread.name for thread in threading.enumerate()}


def test_an_unforeseen_error_is_told(line, told):
    def explode(key):
        raise ZeroDivisionError(key)

    keyboard = Keyboard(fd=line.slave, other=explode)
    keyboard.listen(told.put, told.put, told.put)
    line.type(b"x")
    assert repr(told.get(timeout=10)) == "ZeroDivisionError('x')"
    keyboard.close()


def test_what_is_no_terminal_is_refused_with_a_remedy():
    read, write = os.pipe()
    with pytest.raises(DeviceLost, match="standard input is not a terminal; run the companion in a terminal"):
        Keyboard(fd=read)
    os.close(read)
    os.close(write)


def test_the_terminal_is_handed_back_and_taken_again_until_it_is_closed(window):
    before = termios.tcgetattr(window.slave)
    keyboard = Keyboard(fd=window.slave)
    reading = termios.tcgetattr(window.slave)
    assert reading != before
    keyboard.hand_back()
    assert termios.tcgetattr(window.slave) == before
    keyboard.take_again()
    assert termios.tcgetattr(window.slave) == reading
    keyboard.close()
    keyboard.take_again()
    assert termios.tcgetattr(window.slave) == before


@pytest.fixture
def at_the_end(monkeypatch):
    """What is still to be done when the program ends."""
    left = []
    monkeypatch.setattr(atexit, "register", left.append)
    monkeypatch.setattr(atexit, "unregister", left.remove)
    return left


def test_the_terminal_is_put_back_when_a_program_ends_that_did_not_close_the_keyboard(window, at_the_end):
    before = termios.tcgetattr(window.slave)
    keyboard = Keyboard(fd=window.slave)
    for put_back in at_the_end:
        put_back()
    assert termios.tcgetattr(window.slave) == before
    keyboard.close()


def test_a_keyboard_that_was_closed_leaves_no_file_and_nothing_to_put_back(window, told, at_the_end):
    before = len(list(Path("/dev/fd").iterdir())), list(job_control._occupants)
    keyboard = Keyboard(fd=window.slave)
    keyboard.listen(told.put, told.put, told.put)
    keyboard.close()
    assert (len(list(Path("/dev/fd").iterdir())), job_control._occupants) == before
    assert at_the_end == []
