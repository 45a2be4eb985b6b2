"""What the demo says is whole, whichever of its threads say something at once."""

from __future__ import annotations

import argparse
import io
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.cli import demo
from companion.cli.demo import KEYS, Demo
from companion.journal import Journal
from hardware.terminal import BRAILLE_COLUMNS

WAITS_S = 0.3  # for another thread, which may have to wait itself


class Meeting:
    """Who says "one" is held up until another is through with saying something, or could not begin for a while."""

    def __init__(self) -> None:
        self.held, self.through = threading.Event(), threading.Event()

    def hold(self) -> None:
        self.held.set()
        self.through.wait(WAITS_S)

    def of(self, first: Callable[[], object], second: Callable[[], object]) -> None:
        thread = threading.Thread(target=first)
        thread.start()
        assert self.held.wait(10)
        second()
        self.through.set()
        thread.join(10)


class Log(io.StringIO):
    def __init__(self, meeting: Meeting) -> None:
        super().__init__()
        self._meeting = meeting

    def write(self, text: str) -> int:
        written = super().write(text)
        if text == "one":
            self._meeting.hold()
        return written


class Text:
    """Words on a terminal: `shown` are those drawn last."""

    def __init__(self, meeting: Meeting) -> None:
        self._meeting = meeting
        self.shown: tuple[str, ...] = ()

    def show(self, lines: Sequence[str]) -> None:
        if lines[-1] == "one" and KEYS not in lines:
            self._meeting.hold()
        self.shown = tuple(lines)

    def close(self) -> None:
        pass


@pytest.fixture
def meeting() -> Meeting:
    return Meeting()


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Callable[[], Demo]]:
    parser = argparse.ArgumentParser()
    demo.arguments(parser)
    options = parser.parse_args(["--players", "2", "--game", "free"])
    with ExitStack() as opened:
        journal = opened.enter_context(Journal.open(tmp_path / "journal.db"))
        yield lambda: Demo(options, 1, journal, tmp_path, opened)


def test_two_lines_of_a_log_are_two(
    made: Callable[[], Demo], meeting: Meeting, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = made()
    monkeypatch.setattr(sys, "stdout", log := Log(meeting))
    meeting.of(lambda: table._say("one"), lambda: table._say("two"))
    assert log.getvalue() == "one\ntwo\n"


@pytest.mark.parametrize("legend", [False, True])
def test_what_was_said_last_stays_on_a_terminal(
    made: Callable[[], Demo], meeting: Meeting, monkeypatch: pytest.MonkeyPatch, legend: bool
) -> None:
    text = Text(meeting)
    monkeypatch.setattr(demo, "can_be_drawn_on", lambda _stream: True)
    monkeypatch.setattr(demo, "TerminalText", lambda _terminal: text)
    monkeypatch.setattr(demo, "Keyboard", lambda other: None)
    table = made()
    second = (lambda: table._keyboard(lambda _key: None)) if legend else lambda: table._say("two")
    meeting.of(lambda: table._say("one"), second)
    assert text.shown == ((KEYS, "seed 1", "one") if legend else ("seed 1", "one", "two"))


def test_all_keys_are_told_where_the_picture_fits() -> None:
    assert len(KEYS) <= BRAILLE_COLUMNS
