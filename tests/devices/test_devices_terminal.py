from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from PIL import Image
from pseudo import Line

from companion.ports import DeviceLost
from hardware.ansi import image_lines
from hardware.job_control import gives_way
from hardware.terminal import (
    BEGIN,
    END,
    ENTER,
    LEAVE,
    RESTORE,
    SAVE,
    Terminal,
    TerminalDisplay,
    TerminalRing,
    TerminalText,
    can_be_drawn_on,
)


class Window(Line):
    def read(self) -> str:
        return self.received().decode()


@pytest.fixture
def window():
    window = Window(140, 50)
    yield window
    window.close()


def picture(x: int = 5) -> Image.Image:
    image = Image.new("1", (128, 64))
    image.putpixel((x, 7), 1)
    return image


def test_the_terminal_is_entered_once_and_left_as_it_was_with_the_last(window):
    terminal = Terminal(window.slave)
    display, ring = TerminalDisplay(terminal), TerminalRing(terminal)
    assert window.read() == ENTER
    display.close()
    display.close()
    assert LEAVE not in window.read()
    ring.close()
    assert window.read() == LEAVE


def test_a_terminal_that_was_left_is_drawn_on_from_the_beginning(window):
    terminal = Terminal(window.slave)
    for _ in range(2):
        display = TerminalDisplay(terminal)
        display.show(picture())
        assert rows(window.read()) == image_lines(picture())
        display.close()


OPENS = "from hardware.terminal import Terminal, TerminalDisplay; display = TerminalDisplay(Terminal())"


@pytest.mark.parametrize("then", ["", "; display.close()"])
def test_a_program_that_ends_leaves_the_terminal_as_it_was_once(window, then):
    subprocess.run([sys.executable, "-c", OPENS + then], stdout=window.slave, check=True)
    assert window.read() == ENTER + LEAVE


def test_of_a_stop_hears_only_a_terminal_that_is_drawn_on(window, monkeypatch):
    monkeypatch.setattr(os, "isatty", lambda _fd: True)
    terminal, told = Terminal(window.slave), []
    monkeypatch.setattr(terminal, "take_again", lambda: told.append("take again"))
    with gives_way():
        signal.raise_signal(signal.SIGCONT)
        display = TerminalDisplay(terminal)
        signal.raise_signal(signal.SIGCONT)
        display.close()
        signal.raise_signal(signal.SIGCONT)
    assert told == ["take again"]


def test_only_lines_that_changed_are_sent(window):
    terminal = Terminal(window.slave)
    display = TerminalDisplay(terminal)
    display.show(picture(5))
    sent = window.read()
    assert all(line in sent for line in image_lines(picture(5)))
    display.show(picture(5))
    assert window.read() == ""
    display.show(picture(9))
    assert window.read() == f"{BEGIN}{SAVE}\x1b[4;1H{image_lines(picture(9))[3]}\x1b[0m\x1b[K{RESTORE}{END}"
    display.close()


def test_the_cursor_waits_below_all_that_is_drawn_for_what_a_log_says(window):
    terminal = Terminal(window.slave)
    ring, words = TerminalRing(terminal), TerminalText(terminal)
    ring.show([(0, 0, 0)])
    assert window.read().endswith(f"\x1b[2;1H{END}")
    words.show(["Ana rolls"])
    assert window.read().endswith(f"\x1b[3;1H{END}")
    words.show(["Bo rolls"])
    assert window.read() == f"{BEGIN}{SAVE}\x1b[2;1HBo rolls\x1b[0m\x1b[K{RESTORE}{END}"
    ring.close()
    words.show(["Cleo rolls"])
    assert window.read().endswith(f"\x1b[2;1H{END}")
    words.close()


def test_words_stand_below_the_picture_of_the_display(window):
    display = TerminalDisplay(Terminal(window.slave), below=("keys: a s d f",))
    display.show(picture())
    assert f"\x1b[{len(image_lines(picture())) + 1};1Hkeys: a s d f" in window.read()
    display.close()


def test_words_below_the_picture_are_folded_where_only_they_are_too_wide(window):
    window.resize(64, 18)
    display = TerminalDisplay(Terminal(window.slave), below=("word " * 12 + "to-be read",))
    display.show(picture())
    assert rows(window.read()) == [*image_lines(picture(), 64), ("word " * 12).strip(), "to-be read"]
    window.resize(64, 17)
    display.refresh()
    assert "make the terminal at least 64 × 18" in window.read()
    display.close()


def test_words_stand_below_the_ring_where_it_is_alone_and_before_it_is_lit(window):
    ring = TerminalRing(Terminal(window.slave), below=("keys: a s d f",))
    assert rows(window.read()) == ["", "keys: a s d f"]
    ring.show([(0, 0, 0)] * 3)
    assert rows(window.read()) == ["···"]
    ring.close()


def test_picture_ring_and_words_are_stacked(window):
    terminal = Terminal(window.slave)
    words, ring, display = TerminalText(terminal), TerminalRing(terminal), TerminalDisplay(terminal)
    words.show(["Ana rolls"])
    ring.show([(255, 0, 0), (0, 0, 0)])
    display.show(picture())
    sent = window.read()
    assert "\x1b[33;1H\x1b[38;2;255;0;0m●\x1b[0m·" in sent
    assert "\x1b[34;1HAna rolls" in sent
    for device in (words, ring, display):
        device.close()


@pytest.mark.parametrize(
    ("columns", "lines", "line_count", "width"),
    [
        (140, 50, 32, 128),
        (128, 38, 32, 128),
        (128, 37, 16, 64),
        (140, 24, 16, 64),
        (80, 50, 16, 64),
        (64, 16, 16, 64),
        (0, 0, 16, 64),
    ],
)
def test_the_picture_fits_the_window(window, columns, lines, line_count, width):
    window.resize(columns, lines)
    display = TerminalDisplay(Terminal(window.slave))
    window.read()
    display.show(picture())
    rows = window.read().split("\x1b[0m\x1b[K")[:-1]
    assert len(rows) == line_count
    assert {len(row.split("H", 1)[1]) for row in rows} == {width}
    display.close()


def test_a_resized_window_is_drawn_anew(window):
    display = TerminalDisplay(Terminal(window.slave))
    display.show(picture())
    window.read()
    window.resize(70, 20)
    display.refresh()
    sent = window.read()
    assert "\x1b[2J" in sent
    assert image_lines(picture(), 64)[1] in sent
    display.close()


def rows(sent: str) -> list[str]:
    """The lines that were sent, each without its place."""
    return [row.split("H", 1)[1] for row in sent.split("\x1b[0m\x1b[K")[:-1]]


def stacked(window, columns, lines):
    """The lines that are sent once a picture is shown above a ring and words, in a window of that size."""
    window.resize(columns, lines)
    terminal = Terminal(window.slave)
    display, ring, words = TerminalDisplay(terminal), TerminalRing(terminal), TerminalText(terminal)
    ring.show([(0, 0, 0)] * 60)
    words.show(["space throws"])
    window.read()
    display.show(picture())
    sent = rows(window.read())
    for device in (words, ring, display):
        device.close()
    return sent


@pytest.mark.parametrize(
    ("columns", "lines", "told"),
    [
        (40, 24, ["make the terminal at least 64 × 18"]),
        (64, 15, ["make the terminal at least 64 × 18"]),
        (30, 10, ["make the terminal at least 64", "× 18"]),
        (20, 10, ["make the terminal at", "least 64 × 18"]),
        (20, 1, ["make the terminal at"]),
    ],
)
def test_a_window_that_would_cut_the_picture_off_says_only_how_large_it_must_be(window, columns, lines, told):
    assert stacked(window, columns, lines) == [f"\x1b[7m{line}" for line in told]


def test_a_window_as_large_as_the_picture_shows_that_alone(window):
    assert stacked(window, 64, 16) == image_lines(picture(), 64)


def test_a_window_that_holds_everything_is_told_nothing(window):
    assert stacked(window, 64, 18) == [*image_lines(picture(), 64), "·" * 60, "space throws"]


def test_words_below_the_picture_are_part_of_what_a_window_must_hold(window):
    window.resize(64, 16)
    display = TerminalDisplay(Terminal(window.slave), below=("keys: a s d f",))
    window.read()
    display.show(picture())
    assert rows(window.read()) == ["\x1b[7mmake the terminal at least 64 × 17"]
    display.close()


def test_a_window_that_cuts_words_off_says_how_large_it_must_be_above_the_picture(window):
    first, *others = stacked(window, 64, 17)
    assert first.endswith("\x1b[7mmake the terminal at least 64 × 18")
    assert others == image_lines(picture(), 64)


def test_a_window_that_grows_says_so_no_more(window):
    window.resize(63, 24)
    display = TerminalDisplay(Terminal(window.slave))
    display.show(picture())
    assert "make the terminal at least" in window.read()
    window.resize(64, 24)
    display.show(picture())
    assert rows(window.read())[1:] == image_lines(picture(), 64)[1:]
    window.resize(63, 24)
    display.refresh()
    assert "make the terminal at least" in window.read()
    display.close()


def test_the_lines_of_whoever_has_left_are_wiped_with_the_next_picture(window):
    terminal = Terminal(window.slave)
    display, ring = TerminalDisplay(terminal), TerminalRing(terminal)
    display.show(picture(5))
    ring.show([(0, 0, 0)])
    ring.close()
    window.read()
    display.show(picture(9))
    wiped = "\x1b[33;1H\x1b[J"
    assert window.read() == f"{BEGIN}\x1b[4;1H{image_lines(picture(9))[3]}\x1b[0m\x1b[K{wiped}\x1b[33;1H{END}"
    display.close()


def test_a_window_that_was_too_small_for_whoever_has_left_says_so_no_more(window):
    window.resize(64, 17)
    terminal = Terminal(window.slave)
    display, words = TerminalDisplay(terminal), TerminalText(terminal)
    words.show(["space throws", "q leaves"])
    display.show(picture(5))
    assert "make the terminal at least" in window.read()
    words.close()
    display.refresh()
    assert rows(window.read().rpartition("\x1b[2J")[2]) == image_lines(picture(5), 64)
    display.close()


def test_what_a_terminal_takes_in_pieces_is_sent_to_its_end(window, monkeypatch):
    write = os.write
    display = TerminalDisplay(Terminal(window.slave))
    monkeypatch.setattr(os, "write", lambda fd, text: write(fd, text[:7]))
    display.show(picture())
    monkeypatch.undo()
    assert rows(window.read()) == image_lines(picture())
    display.close()


def test_lights_alone_need_no_wide_window(window):
    window.resize(20, 5)
    ring = TerminalRing(Terminal(window.slave))
    ring.show([(0, 0, 0)] * 60)
    assert rows(window.read())[1:] == ["·" * 20] * 2
    ring.close()


def test_a_terminal_that_is_handed_back_is_drawn_on_only_once_it_is_taken_again(window):
    terminal = Terminal(window.slave)
    display = TerminalDisplay(terminal)
    display.show(picture(5))
    window.read()
    terminal.hand_back()
    assert window.read() == LEAVE
    display.show(picture(9))
    assert window.read() == ""
    terminal.take_again()
    sent = window.read()
    assert sent.startswith(ENTER)
    assert [line for line in image_lines(picture(9)) if line not in sent] == []
    assert ends(lambda: display.show(picture(5)))
    display.close()
    window.read()
    terminal.take_again()
    assert window.read() == ""


def test_a_terminal_that_is_gone_is_handed_back_and_taken_again_quietly(window):
    terminal = Terminal(window.slave)
    display = TerminalDisplay(terminal)
    window.unplug()
    terminal.hand_back()
    terminal.take_again()
    display.close()


def test_a_stream_can_be_drawn_on_where_it_is_a_terminal_whose_cursor_moves(window, monkeypatch):
    with open(window.slave, "w", closefd=False) as stream, Path(os.devnull).open("w") as nothing:
        assert [can_be_drawn_on(each) for each in (stream, nothing, None)] == [True, False, False]
        monkeypatch.setenv("TERM", "dumb")
        assert not can_be_drawn_on(stream)


def test_what_is_no_terminal_is_refused_with_a_remedy():
    read, write = os.pipe()
    with pytest.raises(DeviceLost, match="not a terminal; run the companion in a terminal"):
        TerminalDisplay(Terminal(write))
    os.close(read)
    os.close(write)


def test_a_dumb_terminal_is_refused_with_a_remedy_and_not_written_to(window, monkeypatch):
    monkeypatch.setenv("TERM", "dumb")
    with pytest.raises(DeviceLost, match="TERM=dumb says that its cursor stays; run the companion in a terminal that"):
        TerminalDisplay(Terminal(window.slave))
    assert window.read() == ""


@pytest.mark.parametrize(("asked", "shown"), [("1", "rG·"), ("", "\x1b[38;2;99;0;0m●\x1b[0m")])
def test_the_ring_has_no_colours_where_none_are_wanted(window, monkeypatch, asked, shown):
    monkeypatch.setenv("NO_COLOR", asked)
    ring = TerminalRing(Terminal(window.slave))
    ring.show([(32, 0, 0), (0, 255, 0), (0, 0, 0)])
    assert rows(window.read())[-1].startswith(shown)
    ring.close()


def test_a_terminal_that_is_closed_meanwhile_is_lost_and_closes_quietly():
    window = Window(140, 50)
    display = TerminalDisplay(Terminal(window.slave))
    window.unplug()
    for draw in (partial(display.show, picture()), display.refresh):
        with pytest.raises(DeviceLost, match="cannot be drawn on"):
            draw()
    display.close()
    window.close()


def is_held(terminal: Terminal) -> bool:
    """Whether another thread draws on it."""
    if free := terminal._lock.acquire(blocking=False):
        terminal._lock.release()
    return not free


def ends(what) -> bool:
    thread = threading.Thread(target=what, daemon=True)
    thread.start()
    thread.join(10)
    return not thread.is_alive()


def test_a_terminal_that_is_stopped_holds_up_nobody_who_closes_it(window):
    display = TerminalDisplay(Terminal(window.slave))
    os.set_blocking(window.slave, False)
    with suppress(BlockingIOError):
        while True:  # nobody reads, as after Ctrl-S
            os.write(window.slave, b" ")
    os.set_blocking(window.slave, True)
    assert ends(display.close)


def test_a_terminal_that_stops_somebody_who_draws_holds_up_no_end_of_the_program(window):
    terminal = Terminal(window.slave)
    display = TerminalDisplay(terminal)

    def draw() -> None:
        with suppress(DeviceLost):
            while True:
                display.refresh()
                display.show(picture())

    window.clog()
    drawing = threading.Thread(target=draw)
    drawing.start()
    held = 0
    while held < 20:  # by then it is in the midst of a line that never ends
        time.sleep(0.01)
        held = held + 1 if is_held(terminal) else 0
    for what in (terminal._restore, terminal.hand_back, terminal.take_again):
        assert ends(what)
    window.unplug()
    drawing.join(10)
    display.close()
