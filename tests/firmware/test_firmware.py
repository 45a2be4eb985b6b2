"""The ring's own firmware, compiled for the ATmega328P and run in simavr, with a strip that is strict about pulses.

Needs Debian's gcc-avr, avr-libc, libsimavr-dev and gcc.
"""

from __future__ import annotations

import shutil
import subprocess
from itertools import chain, count, islice
from pathlib import Path

import pytest
from pseudo import Line
from standins import nudged

from companion.lights import RingLayout, colours
from companion.table.picture import view
from hardware.adalight import frame, pause_s
from hardware.ring_serial import SerialRing
from tests.app.household import house, play

HERE = Path(__file__).parent
SOURCE = HERE.parents[1] / "hardware" / "firmware" / "ring.c"
NEEDED = ("avr-gcc", "gcc")
HEADERS = (Path("/usr/include/simavr/sim_avr.h"),)
GREETING = b"companion ring 1\n"
LEDS = 60
FRAMES = 300

missing = [name for name in NEEDED if shutil.which(name) is None] + [str(path) for path in HEADERS if not path.exists()]
pytestmark = pytest.mark.skipif(
    bool(missing), reason=f"NOT TESTED: {', '.join(missing)} missing; apt install gcc-avr avr-libc libsimavr-dev gcc"
)

Shown = tuple[tuple[int, int, int], ...]


def compiled(firmware: Path, *defines: str) -> Path:
    """The firmware as the instructions in its source build it, with every warning an error."""
    avr = ["-std=c99", "-mmcu=atmega328p", "-DF_CPU=16000000UL", "-Os", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(["avr-gcc", *avr, *defines, "-o", firmware, SOURCE], check=True)
    return firmware


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> tuple[Path, Path]:
    """The firmware, and the board around it."""
    folder = tmp_path_factory.mktemp("firmware")
    receiver = folder / "receiver"
    subprocess.run(["gcc", "-O2", "-Wall", "-Wextra", "-o", receiver, HERE / "receiver.c", "-lsimavr"], check=True)
    return compiled(folder / "ring.elf"), receiver


class Board:
    """The simulated board; time passes only in `run`."""

    def __init__(self, firmware: Path, receiver: Path) -> None:
        self._process = subprocess.Popen(
            [receiver, firmware], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.overruns = 0
        self.faults = 0
        self.said = b""
        self.shown: list[Shown] = []
        self.run(0.01)

    def run(self, seconds: float, data: bytes = b"") -> bytes:
        """Lets `data` arrive from now on, as fast as the line allows; returns what the board says in this time."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{round(seconds * 1e6)} {data.hex() or '-'}\n")
        self._process.stdin.flush()
        overruns, faults, said, frames = self._line().split()
        self.overruns += int(overruns)
        self.faults += int(faults)
        self.shown += [_colours(bytes.fromhex(shown)) for shown in frames.split(",") if shown != "-"]
        answer = b"" if said == "-" else bytes.fromhex(said)
        self.said += answer
        return answer

    def _line(self) -> str:
        assert self._process.stdout is not None
        while True:
            line = self._process.stdout.readline()
            assert line, "the simulated board stopped"
            if not line.startswith("Loaded"):  # simavr tells what it loads
                return line

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        assert self._process.wait(30) == 0


def _colours(data: bytes) -> Shown:
    parts = iter(data)
    return tuple(zip(parts, parts, parts, strict=True))


@pytest.fixture
def board(built):
    board = Board(*built)
    yield board
    board.close()


class BoardClock:
    """The board's time. While it passes, the board gets what was written to the line, and the line what it says."""

    def __init__(self, board: Board, line: Line) -> None:
        self._board = board
        self._line = line
        self._now_s = 0.0

    def now_s(self) -> float:
        return self._now_s

    def sleep(self, seconds: float) -> None:
        self._now_s += seconds
        if answer := self._board.run(seconds, self._line.received()):
            self._line.send(answer)


def test_300_frames_of_a_game_reach_the_leds_through_a_serial_port_with_every_colour_right(board):
    layout = RingLayout(LEDS, first=7, brightness=0.8)
    games = chain.from_iterable(play(house(), seed) for seed in count())
    tables = [decision.table for _fact, decision in islice(games, FRAMES)]
    wanted = [colours(view(table, house()).ring, layout, beat) for beat, table in enumerate(tables)]
    assert len(wanted) == FRAMES
    assert len(set(wanted)) > 50
    line = Line()
    clock = BoardClock(board, line)
    ring = SerialRing(line.name, leds=LEDS, clock=clock)
    for one in wanted:
        ring.show(one)
    clock.sleep(0.1)
    ring.close()
    line.close()
    assert board.shown == [nudged(one) for one in wanted]
    assert (board.overruns, board.faults) == (0, 0)


def test_the_firmware_says_its_name_when_it_starts_and_when_it_is_asked(board):
    assert board.said == GREETING
    board.run(0.05, b"\0\0v")
    assert board.said == 2 * GREETING
    line = Line()
    ring = SerialRing(line.name, leds=LEDS, clock=BoardClock(board, line))
    assert ring.greeting() == "companion ring 1"
    ring.close()
    line.close()


@pytest.mark.parametrize("leds", [1, 2, 60, 74, 256, 300, 512])
def test_rings_of_any_length_are_driven(board, leds):
    wanted = [(led % 200, 255 - led % 50, led // 3 % 40) for led in range(leds)]
    message = frame(wanted)
    for _ in range(3):
        board.run(pause_s(len(message), leds, 115200), message)
    board.run(0.05)
    assert [shown[:leds] for shown in board.shown] == [nudged(wanted)] * 3
    assert (board.overruns, board.faults) == (0, 0)


def test_of_a_frame_longer_than_its_memory_the_first_leds_are_driven_and_the_next_frame_is_understood(board):
    for first in (10, 20):
        wanted = [(first, led % 60, 3) for led in range(700)]
        message = frame(wanted)
        board.run(pause_s(len(message), 700, 115200) + 0.01, message)
    assert [shown[0][0] for shown in board.shown] == [10, 20]
    assert {len(shown) for shown in board.shown} == {512}


def test_without_the_pause_between_frames_most_of_them_are_lost(board):
    """Which is why the sender leaves it: the board hears nothing while it drives its LEDs."""
    message = frame([(1, 2, 3)] * LEDS)
    board.run(len(message) * 50 * 10 / 115200 + 0.05, message * 50)
    assert board.overruns > 100
    assert len(board.shown) < 30


def test_a_frame_that_stops_is_dropped_and_the_next_one_shown(board):
    message = frame([(9, 9, 9)] * LEDS)
    board.run(0.2, message[:100])
    board.run(0.05, message)
    assert board.shown == [((9, 9, 9),) * LEDS]


def test_a_header_that_contradicts_itself_is_no_frame(board):
    message = bytearray(frame([(9, 9, 9)] * LEDS))
    message[5] ^= 1
    board.run(0.2, bytes(message))
    assert board.shown == []


@pytest.fixture
def impatient(built, tmp_path):
    """With the time until the LEDs go dark cut from 10 s to 1 s, which simulates faster."""
    board = Board(compiled(tmp_path / "impatient.elf", "-DDARK_S=1"), built[1])
    yield board
    board.close()


ALL_DARK = ((0, 0, 0),) * 512


def test_the_leds_go_dark_once_when_nothing_comes_any_more(impatient):
    impatient.run(0.9, frame([(9, 9, 9)] * LEDS))
    assert impatient.shown == [((9, 9, 9),) * LEDS]
    impatient.run(2.5)
    assert impatient.shown == [((9, 9, 9),) * LEDS, ALL_DARK]
    message = frame([(8, 8, 8)] * LEDS)
    impatient.run(0.9, message)
    impatient.run(1.5)
    assert impatient.shown[2:] == [((8, 8, 8),) * LEDS, ((0, 0, 0),) * LEDS]
    assert (impatient.overruns, impatient.faults) == (0, 0)


def test_leds_that_still_show_the_frame_before_a_reset_go_dark_all_of_them_and_once(impatient):
    impatient.run(0.9)
    assert impatient.shown == []
    impatient.run(1.5)
    assert impatient.shown == [ALL_DARK]
    impatient.run(0.1, frame([(9, 9, 9)] * LEDS))
    assert impatient.shown[1:] == [((9, 9, 9),) * LEDS]
