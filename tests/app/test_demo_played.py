"""`companion demo --play` in a terminal: whole games of Cat, typed key by key as people play them."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from companion.cli import main, parser
from companion.cli.demo import KEYS
from companion.demo.players import Players, so_many
from companion.demo.robot import Lying
from companion.demo.tray import DrawnTray
from companion.journal import Journal
from companion.loop import Loop, Outlets
from companion.screen import draw
from companion.table.games import GAMES
from companion.table.resume import resume
from companion.view import Count, Header, Mood, Page, Prompt, RingView, Row, Sheet, Sign, View, Winner
from hardware.ansi import image_lines
from hardware.clock import SystemClock
from hardware.terminal import ENTER, LEAVE
from tests.app.household import house
from tests.typist import Typist

Demo = Callable[..., Typist]

# Keys: a s d f are back, less, more and ok; k knocks on the table
SUM_10 = "d f"  # as its entry begins
SUM_36 = f"d {'s ' * 11} f"
SIT_DOWN = f"""
f f                                  # Hello! Three players
s f  f {"d " * 11} f {"s " * 12} f   # the first has a new name: A, l, done
f  f f  f f                          # and the first seat; Ana and Bo have the next ones
f f                                  # Al deals; up to 100 points
"""
LIGHT = f"""
s d d d d d f                        # Ana looks what Peek, Swap, Draw 2 and a knock allow
f                                    # and ends her turn
k k                                  # Bo knocks on the table, and a second time: refused
f f                                  # the last turns of Al and Ana
f s f s f s s f d f                  # Al: 9 9 8 1
a s s f f                            # no: 9 9 8 9
s d f d d f                          # Bo first: 11 points
a d f                                # taken back
s d f {SUM_10}                       # he has 10
{SUM_10}                             # as has Ana
s d d f f                            # a look at the score sheet; Ana has dealt
f f d f f                            # Bo and Al play, Ana knocks by button
{SUM_36} {SUM_10} {SUM_10} f         # Bo has dealt
k f f
{SUM_36} {SUM_10} {SUM_10} f         # Al is out; Ana has dealt
k f
{SUM_36} d s s s s f f               # Bo has 6, and has dealt
f k f
{SUM_36} {SUM_10}                    # Ana is out, too
s d d d d d d f                      # the whole score sheet
"""
SHORT = f"""
f f  f f  f f  f f                   # Hello! Ana, Bo and Cleo
f  d f  f f s s s f f f              # Ana deals; up to 30 points, the rest as usual
k f f
{SUM_36} {SUM_36} {SUM_10}           # Cleo wins
f d f  f f f                         # once more, with the same players: Bo's turn to deal has come
d f  f f f                           # again up to 30, as it was,
d f  d f                             # but for younger players, and every draw is told
"""
FULL = """
s d f                                # Cleo looks what a Swap allows,
f f f d f f f                        # draws a number card and replaces her second card
d f f f                              # Ana takes the top card for her first
f d f f f f                          # Bo draws a Peek,
f d d f f f f f f                    # Cleo a Swap: her second card for Ana's first
f s f f f d                          # Ana a Draw 2; what does she draw first?
"""
GO_ON = f"""
s f d f d d f d d                    # a number card and a Swap: she discards both, and knocks
f f d f                              # the last turns
f f d f
{SUM_36} {SUM_10} {SUM_36}
"""
TOLD = [
    {"do": "draw", "from": "deck", "card": "number"},
    {"do": "replace", "slot": 1, "discarded": "number"},
    {"do": "end"},
    {"do": "draw", "from": "discard"},
    {"do": "replace", "slot": 0, "discarded": "number"},
    {"do": "end"},
    {"do": "draw", "from": "deck", "card": "peek"},
    {"do": "peek", "slot": 0},
    {"do": "end"},
    {"do": "draw", "from": "deck", "card": "swap"},
    {"do": "swap", "mine": 1, "player": 0, "theirs": 0},
    {"do": "end"},
    {"do": "draw", "from": "deck", "card": "draw2"},
    {"do": "draw2"},
    {"do": "draw", "from": "deck", "card": "number"},
    {"do": "discard"},
    {"do": "draw", "from": "deck", "card": "swap"},
    {"do": "discard"},
    {"do": "knock"},
    *2 * [{"do": "draw", "from": "deck", "card": "number"}, {"do": "discard"}, {"do": "end"}],
    *({"do": "score", "player": player, "total": total} for player, total in enumerate((36, 10, 36))),
]


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    """Sits down at the demo, whose journal and pictures are kept in `tmp_path`."""
    kept = ["--journal", str(tmp_path / "journal.db"), "--record", str(tmp_path / "pictures")]
    opened: list[Typist] = []

    def sit_down(game: str | None = "cat", *options: str) -> Typist:
        played = () if game is None else ("--game", game)
        opened.append(Typist([sys.executable, "-m", "companion", "demo", *played, "--play", *kept, *options]))
        return opened[-1]

    yield sit_down
    for typist in opened:
        typist.close()


def shown(page: Page, labels: tuple[str, str, str, str], header: Header | None = None) -> Image.Image:
    return draw(View(header or Header(), page, labels, RingView(Mood.IDLE)))


BO_WINS = shown(
    Winner("Winner!", ("Bo",), (Row("Bo", "46", "winner"), Row("Ana", "102", "out"), Row("Al", "107", "out"))),
    ("Menu", "Scores", "", "New game"),
)
ON_THE_WAY = [
    shown(
        Prompt("Somebody knocked already", (), Sign.KNOCK), ("Menu", "Help", "", "Done"), Header("Al", None, True, 2)
    ),
    shown(Prompt("35 points", ("Al", "9 + 9 + 8 + 9")), ("Back", "", "", "Right")),
    shown(
        Sheet("Deal, Ana!", (Row("Al", "107", "out"), Row("Ana", "30", "turn"), Row("Bo", "30"))),
        ("Menu", "Scores", "", "Dealt"),
    ),
]
SHEET = """\
Player  Round 1  Round 2  Round 3  Round 4  Round 5  Total  Won
Al           35       36       36        –        –    107  no
Ana          10       10       10       36       36    102  no
Bo           10       10       10        6       10     46  yes
"""


def test_a_game_to_100_points_is_typed_in_a_terminal(
    demo: Demo, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    typist = demo()
    typist.play(SIT_DOWN + LIGHT)
    typist.sees(tuple(image_lines(BO_WINS)))
    typist.type("q")
    assert typist.ended() == 0
    assert typist.left_clean()
    assert "winner: Bo with 46 points" in typist.after
    assert "goes on with" not in typist.after
    assert [picture for picture in ON_THE_WAY if tuple(image_lines(picture)) not in typist.pictures] == []
    with Image.open(max((tmp_path / "pictures" / "screens").iterdir())) as last:
        assert last.resize((128, 64)).convert("1").tobytes() == BO_WINS.tobytes()
    assert main(["games", "--journal", str(tmp_path / "journal.db"), "show"]) == 0
    assert capsys.readouterr().out.partition("\n\n")[2] == SHEET


def test_the_rematch_goes_on_after_a_kill_where_it_was(demo: Demo, tmp_path: Path) -> None:
    killed = demo()
    killed.play(SHORT + FULL)
    killed.kill()
    typist = demo()
    typist.play(GO_ON)
    typist.type("q")
    assert typist.ended() == 0
    assert "winner: Bo with 10 points" in typist.after
    with Journal.look(tmp_path / "journal.db") as journal:
        first, second = (journal.read(game.number) for game in journal.games())
    before, start = json.loads(first.start or ""), json.loads(second.start or "")
    assert start == before | {"dealer": 1, "younger": True, "pace": "full"}
    assert [json.loads(entry.line) for entry in second.actions] == TOLD


class NoTray:
    def throw(self, lying: Lying, kept: int = 0) -> Lying:
        raise AssertionError("Cat has no dice")


def test_players_by_chance_play_once_more_where_the_last_game_is_over(tmp_path: Path) -> None:
    home = house(6, games=("cat",), usual={"cat": {"end": {"rounds": 1}}})
    outlets = Outlets(lambda _view, _beat: None)
    with Journal.open(tmp_path / "journal.db") as journal:
        for seed in range(2):
            clock = SystemClock()
            loop = Loop(resume(journal, home), house=home, journal=journal, clock=clock, outlets=outlets)
            wants = so_many(2, home)
            players = Players(loop, home, NoTray(), seed=seed, wants=wants, think_s=0, clock=clock, ended=loop.stop)
            players.start()
            loop.run()
            players.close()
        assert [game.finish is not None for game in journal.games()] == [True, True]


@pytest.mark.parametrize("again", [False, True])
def test_as_many_play_as_were_asked_for_whoever_played_before(again: bool, tmp_path: Path) -> None:
    home = house(6, games=("cat",), usual={"cat": {"end": {"rounds": 1}}})
    outlets = Outlets(lambda _view, _beat: None)
    counts = (4, 4) if again else (2, 4)
    with Journal.open(tmp_path / "journal.db") as journal:
        for count in counts:
            clock = SystemClock()
            loop = Loop(resume(journal, home), house=home, journal=journal, clock=clock, outlets=outlets)
            wants = so_many(count, home)
            players = Players(loop, home, NoTray(), seed=1, wants=wants, think_s=0, clock=clock, ended=loop.stop)
            players.start()
            loop.run()
            players.close()
        sat = [json.loads(game.start)["players"] for game in journal.games()]
        assert tuple(map(len, sat)) == counts
        assert (sat[0] == sat[1]) is again


def test_ctrl_c_leaves_the_terminal_as_it_was(demo: Demo) -> None:
    typist = demo()
    typist.play("f")
    typist.interrupt()
    assert typist.ended() == 130
    assert typist.left_clean()


SHELL = """
import fcntl, os, signal, sys, termios
os.setsid()
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
job = os.fork()
if job == 0:
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpid())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    os.execv(sys.argv[1], sys.argv[1:])
for way in (os.WUNTRACED, os.WUNTRACED, 0):
    _, status = os.waitpid(job, way)
    if not os.WIFSTOPPED(status):
        sys.exit(os.waitstatus_to_exitcode(status))
    os.tcsetpgrp(0, os.getpgrp())
    print("stopped by", signal.Signals(os.WSTOPSIG(status)).name, flush=True)
    if sys.stdin.readline() == "fg\\n":
        os.tcsetpgrp(0, job)
    os.killpg(job, signal.SIGCONT)
"""


def test_ctrl_z_hands_the_terminal_back_until_the_demo_comes_to_the_front_again(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "companion", "demo", "--play", "--game", "cat", "--journal"]
    typist = Typist([sys.executable, "-c", SHELL, *command, str(tmp_path / "journal.db")])
    try:
        typist.play("f")
        shown = typist.pictures[-1]
        typist.type("\x1a")
        typist.reads("stopped by SIGTSTP")
        assert typist.left_clean()
        typist.type("bg\n")
        typist.reads("stopped by SIGTTOU")
        assert typist.left_clean()
        typist.type("fg\n")
        typist.play("d")
        again = typist.told.partition("SIGTTOU")[2].partition(ENTER)[2]
        assert [row for row in shown if row not in again] == []
        typist.type("q")
        assert typist.ended() == 0
        assert typist.left_clean()
    finally:
        typist.close()


def test_the_keys_are_shown_once_they_are_heard_before_a_game_has_begun(demo: Demo) -> None:
    typist = demo("cat", "--seed", "1")
    typist.reads(KEYS)
    typist.type("q")
    typist.reads(LEAVE)
    assert typist.ended() == 0
    assert "seed 1" in typist.told


def test_no_keys_are_shown_nor_echoed_while_the_camera_is_shown_the_wild_die(demo: Demo) -> None:
    typist = demo("roll")
    typist.reads("one moment: the camera is shown the Wild die; keys are heard then, Ctrl-C now")
    typist.type("zzz")
    typist.reads("seed ")
    assert KEYS not in typist.told.partition("seed ")[0]
    typist.reads(KEYS)
    assert "zzz" not in typist.told
    typist.interrupt()
    assert typist.ended() == 130
    assert typist.left_clean()
    assert "one moment" not in typist.told.partition(KEYS)[2], "it is over"


def test_ctrl_c_while_the_camera_is_shown_the_wild_die_leaves_the_terminal_as_it_was(demo: Demo) -> None:
    typist = demo("roll")
    typist.reads("the camera is shown the Wild die")
    typist.interrupt()
    assert typist.ended() == 130
    assert typist.left_clean()


def test_nobody_can_play_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--play"]) == 2
    assert capsys.readouterr().err == (
        "--play needs a terminal for its keys and its screen; without --play the demo plays by itself\n"
    )


@pytest.mark.usefixtures("endings")
@pytest.mark.parametrize("game", GAMES)
def test_more_or_fewer_than_can_play_are_refused(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    fewest, most = GAMES[game].players
    for players in (fewest - 1, most + 1):
        assert main(["demo", "--game", game, "--players", str(players), "--play"]) == 2
        assert capsys.readouterr().err == f"{game} is for {fewest} to {most} players, not {players}\n"
    for players in (fewest, most):
        assert main(["demo", "--game", game, "--players", str(players), "--play"]) == 2
        assert capsys.readouterr().err.startswith("--play needs a terminal")


@pytest.mark.parametrize("game", ["cat", "free"])
def test_where_no_wild_die_is_thrown_none_is_untaught(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--game", game, "--untaught"]) == 2
    told = f"--untaught belongs to --game roll; no Wild die is thrown in {game}\n"
    assert capsys.readouterr() == ("", told)


@pytest.mark.usefixtures("endings")
def test_nobody_plays_at_a_dumb_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert main(["demo", "--play"]) == 2
    assert capsys.readouterr().err == (
        "--play draws on the terminal, which TERM=dumb does not allow; set TERM to what your terminal is, such as "
        "xterm-256color, or leave out --play: the demo then plays by itself\n"
    )


def test_a_folder_that_can_keep_no_pictures_is_told_before_the_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.touch()
    assert main(["demo", "--record", str(file)]) == 1
    assert capsys.readouterr().err == f"no pictures can be kept in {file}: Not a directory\n"


def test_without_a_temporary_folder_it_is_told_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def none(*_given: Any, **_named: Any) -> str:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found in ['/tmp']")

    monkeypatch.setattr(tempfile, "mkdtemp", none)
    assert main(["demo", "--seed", "1"]) == 1
    assert capsys.readouterr().err == (
        "no temporary folder can be made: No usable temporary directory found in ['/tmp']; make room, or set TMPDIR\n"
    )


@pytest.mark.usefixtures("endings")
def test_a_temporary_folder_that_is_full_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fsync = os.fsync

    def full(file: int) -> None:
        if "companion-demo-" in str(Path(f"/proc/self/fd/{file}").readlink()):
            raise OSError(errno.ENOSPC, "No space left on device")
        fsync(file)

    monkeypatch.setattr(os, "fsync", full)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert main(["demo", "--seed", "1", "--journal", str(tmp_path / "journal.db")]) == 1
    assert capsys.readouterr().err == (
        f"nothing can be kept in the temporary folder {tmp_path}: No space left on device; make room, or set TMPDIR\n"
    )
    assert not list(tmp_path.glob("companion-demo-*"))


@pytest.mark.parametrize(
    ("speed", "said"),
    [
        *(
            (speed, f"{speed} is out of range; 0.1 to 100, or max")
            for speed in ("0.09", "100.1", "-1", "0", "inf", "nan")
        ),
        ("fast", "'fast' is neither a number nor \"max\""),
    ],
)
def test_a_speed_that_nobody_can_play_at_is_refused(speed: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["demo", "--speed", speed])
    assert capsys.readouterr().err.endswith(f"argument --speed: {said}\n")


@pytest.mark.parametrize(("given", "speed"), [("0.1", 0.1), ("1", 1.0), ("100", 100.0), ("max", None)])
def test_a_speed_is_a_number_or_as_fast_as_can_be(given: str, speed: float | None) -> None:
    assert parser(["demo"]).parse_args(["demo", "--speed", given]).speed == speed


def test_a_seed_is_a_whole_number(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["demo", "--seed", "-5"])
    assert "'-5' is no whole number, 0 or more" in capsys.readouterr().err


@pytest.mark.parametrize("players", ["two", "-1", "2.5", ""])
def test_so_many_players_are_a_whole_number(players: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["demo", f"--players={players}"])
    assert f"argument --players: {players!r} is no number of players" in capsys.readouterr().err


def test_a_demo_that_is_ended_while_it_begins_leaves_nothing_behind(tmp_path: Path) -> None:
    for ending in (signal.SIGTERM, signal.SIGHUP):
        command = [sys.executable, "-m", "companion", "demo", "--seed", "5"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ | {"TMPDIR": str(tmp_path)}) as process:
            assert process.stdout is not None
            while not list(tmp_path.glob("companion-demo-*")):
                assert process.poll() is None
                time.sleep(0.01)
            process.send_signal(ending)
        assert process.returncode == 130
        assert not list(tmp_path.iterdir())


def test_a_demo_begun_with_nohup_goes_on_where_its_terminal_is_closed() -> None:
    command = ["nohup", sys.executable, "-m", "companion", "demo", "--game", "free", "--seed", "1", "--speed", "max"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL) as demo:
        assert demo.stdout is not None
        begun = demo.stdout.readline()
        demo.send_signal(signal.SIGHUP)
        played = [demo.stdout.readline() for _ in range(2)]
        demo.terminate()
        demo.communicate()  # its output stays open until it has ended
    assert (begun, played[0]) == (b"seed 1\n", b"new game: Cleo, Ana, Bo\n")
    assert played[1]
    assert demo.returncode == 130


@pytest.fixture
def endings() -> Iterator[None]:
    """What ends a process hears of it again as before."""
    before = [(number, signal.getsignal(number)) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    yield
    for number, heard in before:
        signal.signal(number, heard)


def test_a_demo_that_nobody_hears_any_more_ends_quietly() -> None:
    command = [sys.executable, "-m", "companion", "demo", "--game", "free", "--seed", "1", "--speed", "max"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        heard = [process.stdout.readline() for _ in range(2)]
        process.stdout.close()
        assert (heard, process.stderr.read()) == ([b"seed 1\n", b"new game: Cleo, Ana, Bo\n"], b"")
    assert process.returncode == 141


FINNISH = ("Hei!", ("Paina Aloita",))


def shows(folder: Path, page: Prompt) -> int:
    """How many of the kept screens show this page, whatever the buttons do."""
    above_labels = (0, 0, 128, 52)
    wanted = draw(View(Header(), page, ("", "", "", ""), RingView(Mood.IDLE))).crop(above_labels).tobytes()
    kept = [Image.open(file).resize((128, 64), Image.Resampling.NEAREST).convert("1") for file in folder.iterdir()]
    return sum(picture.crop(above_labels).tobytes() == wanted for picture in kept)


@pytest.mark.usefixtures("endings")
def test_pictures_of_a_second_demo_follow_those_of_the_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["demo", "--game", "free", "--players", "1", "--speed", "max", "--record", str(tmp_path), "--seed"]
    assert main([*words, "1"]) == 0
    first = {file: file.read_bytes() for file in (tmp_path / "trays").iterdir()}
    assert main([*words, "2", "--language", "fi"]) == 0
    assert [shows(tmp_path / "screens", Prompt(*hello)) for hello in (("Hello!", ("Press Start",)), FINNISH)] == [1, 1]
    both = {file: file.read_bytes() for file in sorted((tmp_path / "trays").iterdir())}
    told = capsys.readouterr()
    assert len(both) == told.out.count("tray:")
    assert told.err == f"the pictures are in {tmp_path}\n" * 2
    assert [file.name for file in both] == [f"{number:04}.png" for number in range(1, len(both) + 1)]
    assert first.items() < both.items()


@pytest.mark.usefixtures("endings")
def test_a_demo_some_of_whose_pictures_are_missing_says_so_at_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_given: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("companion.cli.demo_album.put_whole", full)
    words = ["demo", "--game", "free", "--players", "1", "--speed", "max", "--seed", "1", "--record", str(tmp_path)]
    assert main(words) == 1
    told = capsys.readouterr()
    fault = f"pictures cannot be written to {tmp_path}/trays: No space left on device"
    missing = told.out.count("tray:")
    assert told.out.count(fault) == 1
    assert told.err == f"the pictures are in {tmp_path}, but for {missing} that are missing: {fault}\n"


@pytest.mark.usefixtures("endings")
def test_a_demo_that_is_ended_just_as_its_folder_is_made_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = tempfile.mkdtemp

    def ended(*given: Any, **named: Any) -> str:
        folder = make(*given, **named)
        os.kill(os.getpid(), signal.SIGTERM)
        return folder

    monkeypatch.setattr(tempfile, "mkdtemp", ended)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert main(["demo", "--seed", "5"]) == 130
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("endings")
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGHUP])
def test_a_demo_that_is_ended_twice_leaves_nothing_behind(
    ending: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove = shutil.rmtree

    def ended(*_given: Any, **_named: Any) -> None:
        os.kill(os.getpid(), signal.SIGTERM)

    def ended_again(*given: Any, **named: Any) -> None:
        os.kill(os.getpid(), ending)
        remove(*given, **named)

    monkeypatch.setattr("companion.cli.demo.taught", ended)
    monkeypatch.setattr(shutil, "rmtree", ended_again)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert main(["demo", "--seed", "5"]) == 130
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("endings")
def test_a_demo_that_is_ended_where_python_loses_it_ends_before_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def loses(*_given: Any) -> None:
        with suppress(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr("companion.cli.demo.taught", loses)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert main(["demo", "--seed", "5", "--players", "2", "--speed", "max"]) == 130
    assert capsys.readouterr().out == "one moment: the camera is shown the Wild die\nseed 5\n"


@pytest.mark.parametrize("asked", [[], ["--game", "free"]])
def test_a_game_that_was_left_is_told_with_the_options_that_it_is_not_played_by_and_how_to_go_on(
    asked: list[str], demo: Demo, tmp_path: Path
) -> None:
    left = demo()
    left.play("f f  f f  f f  f f  f f")
    left.kill()
    typist = demo(None, *asked)
    typist.play("d")
    typist.type("q")
    assert typist.ended() == 0
    assert "Rat-a-Tat Cat of Ana, Bo and Cleo goes on: round 1, it is Bo's turn" in typist.after
    going_on = f"goes on with: companion demo --play --journal {tmp_path / 'journal.db'}"
    assert f"the game is kept, and {going_on}" in typist.after
    assert ("--game free needs another --journal" in typist.after) is bool(asked)


@pytest.mark.parametrize("seed", [1, 2])
def test_however_many_pictures_are_taken_the_same_dice_are_thrown(seed: int) -> None:
    one, other = DrawnTray(seed), DrawnTray(seed)
    pictures = []
    for tray, times in ((one, 2), (other, 5)):
        for dice in ((3, 4), (6, 4, 1)):
            tray.throw(Lying(dice))
            for now_s in range(times):
                tray.picture(10.0 * now_s)
        pictures.append(tray.picture(100.0).astype(int))
    assert np.abs(pictures[0] - pictures[1]).mean() < 4  # noise alone


def test_the_question_how_many_play_begins_with_those_told(demo: Demo) -> None:
    typist = demo("free", "--players", "5")
    typist.play("f")
    five = shown(Count("How many players?", 5, 1, 8), ("Back", "−", "+", "OK"))
    typist.sees(tuple(image_lines(five)))
