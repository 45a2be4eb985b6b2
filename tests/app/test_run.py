"""`companion run` as a command: how it begins, and with what status it ends."""

from __future__ import annotations

import argparse
import os
import signal
import socket
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NoReturn

import pytest
from PIL import Image
from standins import FakeClock
from typist import Typist

from companion.cli.run import Evening, nothing_there, run
from companion.compose import known_places, legend_of, rig_of
from companion.config import parse
from companion.farewell import resting
from companion.games import cat, free, roll
from companion.journal import Journal, JournalError, JournalFull, JournalReadOnly
from companion.journal.faults import corrupt
from companion.locale import ENGLISH, texts
from companion.loop import STEPS
from companion.ports import SCREEN_SIZE, DeviceLost
from companion.screen import draw
from companion.waiting import cannot_open
from hardware.keys import legend
from hardware.terminal import FALLBACK_SIZE

BARE = '[camera]\nkind = "none"\n[[display]]\nkind = "none"\n'
SHOWN = 'camera.kind = "none"\n[[display]]\nkind = "png"\nfolder = "screens"'


@contextmanager
def systemd(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """What a service is told of and tells: the socket that hears it."""
    monkeypatch.setenv("NOTIFY_SOCKET", str(folder / "notify"))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as hearing:
        hearing.bind(str(folder / "notify"))
        hearing.settimeout(10)
        yield hearing


def shows_that_it_cannot_be_opened(folder: Path) -> bool:
    (screen,) = (folder / "screens").glob("*.png")
    with Image.open(screen) as image:
        small = image.resize(SCREEN_SIZE, Image.Resampling.NEAREST).convert("1")
    return small.tobytes() == draw(cannot_open(texts("en"))).convert("1").tobytes()


@pytest.fixture(autouse=True)
def _signals() -> Iterator[None]:
    """As they were before; a signal that nobody waits for fails the test and ends nothing else."""

    def unexpected(number: int, _frame: object) -> NoReturn:
        raise AssertionError(f"nobody waited for signal {number}")

    before = {number: signal.signal(number, unexpected) for number in ENDED}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Runs the command with a configuration, and a state folder of its own."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))

    def begin(config: str, *, exit_at_end: bool = False) -> int:
        (tmp_path / "companion.toml").write_text(config)
        return run(argparse.Namespace(config=tmp_path / "companion.toml", exit_at_end=exit_at_end))

    return begin


ENDED = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
ENDS = pytest.mark.parametrize("number", ENDED)


@ENDS
def test_a_service_that_waits_for_its_full_disk_ends_with_0_when_it_is_asked_to(
    number: signal.Signals, begun: Callable[..., int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: Path, *_: object, **__: object) -> NoReturn:
        raise JournalFull(file, "the disk is full", "free some space")

    told: list[bytes] = []
    monkeypatch.setattr("companion.cli.run.open_telling", full)
    with systemd(tmp_path, monkeypatch) as hearing:

        def ask() -> None:
            while told[-1:] != [b"WATCHDOG=1"]:
                told.append(hearing.recv(200))
            os.kill(os.getpid(), number)

        asking = threading.Thread(target=ask)
        asking.start()
        status = begun(BARE)
        asking.join()
        while told[-1] == b"WATCHDOG=1":
            told.append(hearing.recv(200))
    assert status == 0
    assert list(dict.fromkeys(told)) == [b"READY=1", b"STATUS=waiting: the disk is full", b"WATCHDOG=1", b"STOPPING=1"]


@pytest.mark.parametrize(
    ("journal", "remedy"),
    [
        ("/var/lib/companion/journal.db", "free it"),
        ("/mnt/usb/journal.db", "make it writable for companion, and let the service write there: sudo systemctl edit"),
        ("/home/ana/journal.db", "the service sees nothing below /home (ProtectHome)"),
    ],
)
def test_a_service_that_may_not_write_its_journal_is_told_what_lets_it(
    journal: str,
    remedy: str,
    begun: Callable[..., int],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def read_only(file: Path, *_: object, **__: object) -> NoReturn:
        raise JournalReadOnly(file, "the disk is read-only", "free it")

    def ended(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr("companion.cli.run.open_telling", read_only)
    monkeypatch.setattr("companion.waiting.Screens.show", ended)
    with systemd(tmp_path, monkeypatch):
        assert begun(f'files.journal = "{journal}"\n{BARE}') == 0
    (told,) = (record.getMessage() for record in caplog.records if "read-only" in record.getMessage())
    assert told.startswith(f"journal {journal}: the disk is read-only; {remedy}")


@ENDS
def test_a_service_that_says_why_it_does_not_begin_ends_with_0_when_it_is_asked_to(
    number: signal.Signals, begun: Callable[..., int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked(*_: object, **__: object) -> None:
        os.kill(os.getpid(), number)

    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "journal.db").write_text("no journal")
    monkeypatch.setattr("companion.waiting.Screens.show", asked)
    with systemd(tmp_path, monkeypatch) as hearing:
        assert begun(BARE) == 0
        assert hearing.recv(200) == b"STATUS=not begun: it is another kind of file"
        assert hearing.recv(200) == b"STOPPING=1"


def test_a_service_that_mends_its_journal_asks_for_more_time_before_its_table_stands(
    begun: Callable[..., int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "state" / "journal.db"
    with Journal.open(file) as journal:
        journal.begin('{"do":"start","game":"free","players":["Ana"]}')
    file.write_bytes(file.read_bytes().replace(b"Ana", b"Eve"))
    (tmp_path / "presses.txt").write_text("OK")
    with systemd(tmp_path, monkeypatch) as hearing:
        begun(SCRIPTED, exit_at_end=True)
        told = [hearing.recv(200) for _ in range(4)]
    assert told == [b"STATUS=mending 0 of 1 games", b"EXTEND_TIMEOUT_USEC=60000000", b"STATUS=", b"READY=1"]


@pytest.mark.parametrize("version", [0, 2])
def test_a_service_whose_journal_is_of_another_version_says_so_and_is_not_started_again(
    begun: Callable[..., int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    version: int,
) -> None:
    file = tmp_path / "state" / "journal.db"
    Journal.open(file).close()
    with closing(sqlite3.connect(file)) as database:
        database.execute(f"PRAGMA user_version = {version}")
    file.with_name("journal.db.lock").unlink()
    monkeypatch.setattr("companion.waiting.READ_S", 0.1)
    with systemd(tmp_path, monkeypatch) as told:
        assert begun(SHOWN) == os.EX_CONFIG
        assert told.recv(200).startswith(b"STATUS=not begun: ")
    assert capsys.readouterr().err.endswith("name another file\n")
    assert shows_that_it_cannot_be_opened(tmp_path)


def test_a_service_whose_journal_has_a_fault_without_a_name_says_so_and_is_started_again(
    begun: Callable[..., int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def misused(file: Path, *_: object, **__: object) -> NoReturn:
        raise JournalError(file, "the disk answers: bad parameter", "check the disk or SD card, and free space")

    monkeypatch.setattr("companion.cli.run.open_telling", misused)
    monkeypatch.setattr("companion.waiting.READ_S", 0.1)
    with systemd(tmp_path, monkeypatch) as told:
        assert begun(SHOWN) == 1
        assert told.recv(200) == b"STATUS=not begun: the disk answers: bad parameter"
    assert shows_that_it_cannot_be_opened(tmp_path)


def test_a_journal_damaged_while_it_is_played_ends_the_command_with_1_and_the_remedy(
    begun: Callable[..., int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def damaged(journal: Journal, *_: object) -> NoReturn:
        raise corrupt(journal.path, "its pages are scrambled")

    monkeypatch.setattr(Journal, "note", damaged)
    (tmp_path / "presses.txt").write_text("OK")
    assert begun(SCRIPTED) == 1
    journal = tmp_path / "state" / "journal.db"
    assert capsys.readouterr().err.endswith(
        f"journal {journal}: it is damaged (its pages are scrambled); keep it, and what is sound of it in its place, "
        f"with: companion games set-aside --journal {journal}\n"
    )


@pytest.mark.parametrize(
    ("config", "told"), [("[ring", "it is not TOML"), ('[ring]\nkind = "none"\nled = 3', "ring.led")]
)
def test_a_configuration_with_mistakes_ends_it_with_the_status_with_which_no_service_is_started_again(
    begun: Callable[..., int], capsys: pytest.CaptureFixture[str], config: str, told: str
) -> None:
    assert begun(config) == os.EX_CONFIG
    assert told in capsys.readouterr().err


def test_a_configuration_that_cannot_be_read_now_may_be_the_next_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(argparse.Namespace(config=tmp_path / "gone.toml", exit_at_end=False)) == 1
    assert "it cannot be read: No such file" in capsys.readouterr().err


class Table:
    """Stands in for a running table."""

    def __init__(self) -> None:
        self.stopped = 0

    def stop(self) -> None:
        self.stopped += 1


@pytest.mark.parametrize("late", [False, True])
def test_an_evening_may_be_ended_before_its_table_stands_and_after(late: bool) -> None:
    evening, table = Evening(), Table()
    assert (evening.is_over(), evening.stands()) == (False, None)
    evening.knocked()
    steps = [evening.end, lambda: evening.begin(table)]  # type: ignore[arg-type]
    for step in reversed(steps) if late else steps:
        step()
    assert (evening.is_over(), evening.broken_off, table.stopped) == (True, False, 1)


@pytest.mark.parametrize(("script", "playing"), [("until setup", False), ("until roll", True)])
def test_a_game_is_said_to_be_kept_where_there_is_one(
    script: str, playing: bool, begun: Callable[..., int], tmp_path: Path
) -> None:
    (tmp_path / "presses.txt").write_text(script)
    if playing:
        with Journal.open(tmp_path / "state" / "journal.db") as journal:
            journal.begin('{"do":"start","game":"free","players":["Ana"]}')
            journal.note('{"seats":[0]}', 0.0)
    assert begun(SCRIPTED.replace('"none"\n[[b', '"png"\nfolder = "screens"\n[[b'), exit_at_end=True) == 0
    with Image.open(max((tmp_path / "screens").glob("*.png"))) as last:
        wanted = draw(resting(ENGLISH, playing=playing))
        assert last.convert("1").resize(wanted.size, Image.Resampling.NEAREST).tobytes() == wanted.tobytes()


# -- the keys of a keyboard


@pytest.mark.parametrize(
    ("screen", "row"), [("", 33), ('display = {kind = "png", folder = "screens"}', 2)], ids=["screen", "ring alone"]
)
def test_the_keys_are_told_below_all_that_is_in_the_terminal(screen: str, row: int, tmp_path: Path) -> None:
    """The ring would hide what was told before it."""
    file = tmp_path / "companion.toml"
    files = 'files = {journal = "j.db", calibration = "c"}'
    file.write_text(f'preset = "laptop"\ncamera.kind = "none"\n{screen}\n{files}\n')
    typist = Typist([sys.executable, "-m", "companion", "run", "--config", str(file)])
    try:
        typist.reads(f"\x1b[{row};1H{legend(knocks=True)}")
        typist.interrupt()
        assert typist.ended() == 0
        assert typist.left_clean()
    finally:
        typist.close()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('preset = "laptop"', ""),
        ('preset = "laptop"\ndisplay.kind = "oled"', legend(knocks=True)),
        ('buttons = [{}, {kind = "keyboard"}]', legend(knocks=True)),
        ("", ""),
    ],
)
def test_the_keys_are_told_before_where_no_screen_in_the_terminal_tells_them(
    text: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    assert legend_of(parse(text.encode(), Path("companion.toml")), knocks=True) == told


def test_no_keys_are_told_where_none_can_be_pressed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False)
    assert legend_of(parse(b'preset = "laptop"', Path("companion.toml")), knocks=True) == ""


@pytest.mark.parametrize(("terminal", "term"), [(False, "xterm"), (True, "dumb")])
def test_the_keys_are_told_before_where_the_terminal_cannot_be_drawn_on(
    terminal: bool, term: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    monkeypatch.setenv("TERM", term)
    assert legend_of(parse(b'preset = "laptop"', Path("companion.toml")), knocks=True) == legend(knocks=True)


def test_the_keys_fit_a_terminal_and_a_knock_is_told_where_it_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False)
    laptop = parse(b'preset = "laptop"', Path("companion.toml"))
    assert legend_of(laptop, knocks=True).endswith("; k knocks, Ctrl-C leaves")
    assert legend_of(laptop, knocks=False).endswith("Enter; Ctrl-C leaves")
    assert len(legend_of(laptop, knocks=True)) <= FALLBACK_SIZE[0]


# -- the end of a script

SCRIPTED = f'{BARE}[[buttons]]\nkind = "script"\nscript = "presses.txt"\n'


@pytest.mark.parametrize(("script", "status"), [("until setup", 0), ("until menu 0", 1)])
def test_with_exit_at_end_it_ends_with_its_script_and_tells_whether_it_stood_still(
    script: str, status: int, begun: Callable[..., int], tmp_path: Path
) -> None:
    (tmp_path / "presses.txt").write_text(script)
    assert begun(SCRIPTED, exit_at_end=True) == status


def test_a_folder_that_was_made_for_the_journal_is_told(
    begun: Callable[..., int], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    (tmp_path / "presses.txt").write_text("until setup")
    kept = f'{SCRIPTED}[files]\njournal = "new/deep/journal.db"\n'
    told = f"{tmp_path / 'new'} is a new folder, made for the journal"
    for times in (1, 1):  # the second time it is there
        assert begun(kept, exit_at_end=True) == 0
        assert caplog.messages.count(told) == times


def test_where_nothing_can_be_played_with_the_doctor_and_the_laptop_are_named() -> None:
    told = nothing_there(parse(b"", Path("companion.toml")), None)
    assert told.startswith("nothing to play with is connected, neither a screen nor buttons: companion doctor tells ")
    assert told.endswith('; a laptop needs no more than preset = "laptop" in its configuration')
    laptop = nothing_there(parse(b'preset = "laptop"', Path("companion.toml")), Path("a b.toml"))
    assert laptop.endswith(": companion doctor --config 'a b.toml' tells what is missing")


def test_with_exit_at_end_a_script_with_mistakes_is_refused_with_its_file_and_lines(
    begun: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "presses.txt").write_text("OK\nOOPS\nMORE 0")
    assert begun(SCRIPTED, exit_at_end=True) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"the script {tmp_path}/presses.txt has mistakes: line 2: 'OOPS' is not a button; ")
    assert "line 3: '0' is not a number of presses" in said


@pytest.mark.parametrize("script", ["", "\n", "# OK\n"], ids=["empty", "a blank line", "a remark"])
def test_with_exit_at_end_a_script_that_presses_nothing_is_refused_as_one_that_is_missing(
    script: str, begun: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "presses.txt").write_text(script)
    assert begun(SCRIPTED, exit_at_end=True) == 1
    told = f"the script {tmp_path}/presses.txt presses nothing; lines look like this:\n"
    assert capsys.readouterr().err.startswith(told)


def test_a_step_that_a_script_misspells_is_told_and_not_waited_for(
    begun: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "presses.txt").write_text("until setup\nOK\nuntil acept")
    told = f"the script {tmp_path}/presses.txt has mistakes: line 3: no step is called 'acept'; did you mean accept?"
    assert begun(SCRIPTED, exit_at_end=True) == 1
    assert told in capsys.readouterr().err
    (script,) = rig_of(parse(SCRIPTED.encode(), tmp_path / "companion.toml"), clock=FakeClock()).buttons
    with pytest.raises(DeviceLost, match="did you mean accept"):
        script()


def test_a_name_that_looks_like_a_step_is_none_misspelt() -> None:
    assert "acept" in known_places(parse(b'table.names = ["acept"]', Path("companion.toml")))


def test_the_steps_of_every_game_are_known_before_it_is_played() -> None:
    rules = (roll.legal.STEP_RULE, cat.legal.STEP_RULE, free.STEP_RULE)
    assert set().union(*rules, {"setup", "menu", "notice", "doubt"}) == STEPS


def test_with_exit_at_end_a_script_is_expected(
    begun: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert begun(SCRIPTED, exit_at_end=True) == 1
    assert "No such file" in capsys.readouterr().err
    assert begun(f'{BARE}[[buttons]]\nkind = "none"\n', exit_at_end=True) == 1
    said = 'companion.toml: buttons: one with kind = "script" was expected, since --exit-at-end ends with it\n'
    assert capsys.readouterr().err == f"{tmp_path}/{said}"


def test_with_exit_at_end_and_no_configuration_none_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("COMPANION_CONFIG", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("companion.config.places.SYSTEM_FILE", tmp_path / "companion.toml")
    assert run(argparse.Namespace(config=None, exit_at_end=True)) == 1
    assert capsys.readouterr().err == (
        'no configuration file was found: buttons: one with kind = "script" was expected, since --exit-at-end ends '
        "with it\n"
    )
