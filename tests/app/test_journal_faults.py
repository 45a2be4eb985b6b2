"""Everything that can be wrong with a journal: told by cause, nothing lost, nothing changed."""

from __future__ import annotations

import errno
import fcntl
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

import pytest

from companion.cli.leaving import EXIT_S
from companion.devices import STOP_S
from companion.journal import (
    Journal,
    JournalClosed,
    JournalCorrupt,
    JournalError,
    JournalFull,
    JournalGone,
    JournalLocked,
    JournalNewer,
    JournalOlder,
    JournalOutOfReach,
    JournalReadOnly,
    NotAJournal,
    faults,
    in_use,
    kept_aside,
    mend,
    open_telling,
)
from tests.rights import closed

START = '{"do":"start","game":"free","players":["Ana"]}'
LINE = '{"do":"roll","dice":[6]}'
WHEN = datetime(2026, 1, 31, 12, 0, 5)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def played(path: Path) -> Path:
    """A journal with one unfinished game of 20 rolls."""
    with Journal.open(path) as journal:
        journal.begin(START)
        for at_s in range(20):
            journal.append(LINE, at_s)
    return path


@contextmanager
def mounted(folder: Path, options: str) -> Iterator[Path]:
    """A disk of its own on `folder`; skips the test where this process may not mount one."""
    folder.mkdir(exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("NOT TESTED: a full or read-only disk needs root and mount")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def actions(path: Path) -> list[float]:
    with Journal.look(path) as journal:
        return [entry.at_s for entry in journal.read(1).actions]


def append_until_refused(journal: Journal) -> tuple[int, JournalError]:
    """How many lines were taken, and what the next one was answered."""
    for written in range(10_000):
        try:
            journal.append(LINE, written)
        except JournalError as told:
            return written, told
    raise AssertionError("the journal took everything")


# -- another process


def test_a_second_daemon_is_refused_and_told_what_to_do(path: Path) -> None:
    with Journal.open(path), pytest.raises(JournalLocked) as told:
        Journal.open(path)
    assert str(told.value) == (f"journal {path}: another companion writes it; stop the other one, or name another file")
    Journal.open(path).close()


def test_whether_a_companion_writes_it_can_be_seen_without_disturbing_it(path: Path) -> None:
    assert not in_use(path)
    with Journal.open(path):
        assert in_use(path)
    assert not in_use(path)


@pytest.fixture
def looking(path: Path) -> Iterator[int]:
    """Another process that looks, at this very instant, whether a companion writes the journal."""
    Journal.open(path).close()
    handle = os.open(f"{path}.lock", os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_SH)
    yield handle
    os.close(handle)


def test_who_looks_whether_a_companion_writes_is_not_taken_for_one(path: Path, looking: int) -> None:
    assert not in_use(path)


def test_who_looks_whether_a_companion_writes_keeps_none_from_starting(
    path: Path, looking: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_yield", lambda: fcntl.flock(looking, fcntl.LOCK_UN))
    Journal.open(path).close()


def test_where_a_user_may_not_look_nobody_says_that_no_companion_writes_it(path: Path) -> None:
    with Journal.open(path), closed(path.parent):
        assert in_use(path) is None


def test_a_journal_that_this_user_may_not_look_at_is_told_with_who_may(played: Path) -> None:
    way_in = "make the folder and the file readable" if os.geteuid() else "do it as one who may: sudo companion …"
    with closed(played.parent), pytest.raises(JournalClosed) as told:
        Journal.look(played)
    assert str(told.value) == f"journal {played}: access is denied to {played}; {way_in}"


def test_a_file_held_by_another_program_is_told_and_the_same_call_works_later(played: Path) -> None:
    with Journal.open(played) as journal, closing(sqlite3.connect(played, isolation_level=None)) as other:
        journal._database.execute("PRAGMA busy_timeout = 0")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalLocked):
            journal.append(LINE, 20)
        other.execute("ROLLBACK")
        journal.append(LINE, 20)
    assert actions(played) == list(range(21))


# -- removed, moved or replaced while it is written


def test_a_game_waits_no_longer_for_another_program_than_its_end_may_take(played: Path) -> None:
    with Journal.open(played) as journal, closing(sqlite3.connect(played, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        (waits_ms,) = journal._database.execute("PRAGMA busy_timeout").fetchone()
        with pytest.raises(JournalLocked):
            journal.append(LINE, 1)
    unit = (Path(__file__).parents[2] / "systemd" / "companion.service").read_text()
    assert "TimeoutStopSec=2\n" in unit
    assert waits_ms / 1000 + STOP_S + EXIT_S <= 2


def without(ending: str) -> Callable[[Path], object]:
    return lambda path: path.with_name(path.name + ending).unlink()


def replaced(path: Path) -> None:
    shutil.rmtree(path.parent)
    Journal.open(path).close()


@pytest.mark.parametrize(
    "happens",
    [lambda path: shutil.rmtree(path.parent), replaced, *(without(end) for end in ("", "-wal", "-shm", ".lock"))],
    ids=["folder", "replaced", "journal", "log", "map", "lock"],
)
def test_a_journal_that_no_longer_lies_at_its_place_takes_no_line_and_says_so(
    tmp_path: Path, happens: Callable[[Path], object]
) -> None:
    path = tmp_path / "state" / "journal.db"
    with Journal.open(path) as journal:
        journal.begin(START)
        journal.append(LINE, 0)
        happens(path)
        for write in (
            lambda: journal.append(LINE, 1),
            lambda: journal.note("{}"),
            lambda: journal.begin(START),
            journal.new_sitting,
        ):
            with pytest.raises(JournalGone) as told, journal.together():
                write()
        assert str(told.value).startswith(f"journal {path}: its files were removed or replaced while the companion ran")
        record = journal.latest()
        assert record is not None
        assert (record.number, len(record.actions)) == (1, 1)


def test_a_folder_that_comes_back_is_written_again(tmp_path: Path) -> None:
    path = tmp_path / "state" / "journal.db"
    with Journal.open(path) as journal:
        journal.begin(START)
        path.parent.rename(tmp_path / "elsewhere")
        with pytest.raises(JournalGone):
            journal.append(LINE, 0)
        (tmp_path / "elsewhere").rename(path.parent)
        journal.append(LINE, 0)
    assert actions(path) == [0.0]


# -- not a journal, or a newer one


def linked(played: Path, tmp_path: Path) -> Path:
    """Another name of this journal, in another folder."""
    link = tmp_path / "elsewhere" / "journal.db"
    link.parent.mkdir()
    link.symlink_to(played)
    return link


def test_a_journal_is_held_alone_whatever_links_lead_to_it(played: Path, tmp_path: Path) -> None:
    link = linked(played, tmp_path)
    for one, other in ((played, link), (link, played)):
        with Journal.open(one):
            assert (in_use(one), in_use(other)) == (True, True)
            with pytest.raises(JournalLocked):
                Journal.open(other)
    assert [path.name for path in link.parent.iterdir()] == ["journal.db"]


@pytest.mark.parametrize("content", [b"torn", None], ids=["nothing sound", "a flipped bit"])
def test_a_damaged_journal_behind_a_link_is_kept_beside_itself_and_the_link_stays(
    played: Path, tmp_path: Path, content: bytes | None
) -> None:
    link = linked(played, tmp_path)
    played.write_bytes(content or played.read_bytes().replace(b'"roll"', b'"rolk"', 1))
    with open_telling(link, lambda _text: None) as journal:
        assert journal.mended is (content is None)
        (aside,) = kept_aside(journal.path)
        assert aside.parent == played.parent
    assert (link.readlink(), [path.name for path in link.parent.iterdir()]) == (played, ["journal.db"])


def test_a_link_to_nothing_stays_and_is_told(tmp_path: Path) -> None:
    link = tmp_path / "journal.db"
    link.symlink_to("unplugged/journal.db")
    with pytest.raises(JournalOutOfReach, match=r"it is a link to unplugged/journal\.db, which is not there; plug in"):
        Journal.open(link)
    assert [file.name for file in tmp_path.iterdir()] == ["journal.db"]
    assert link.is_symlink()


def test_a_journal_in_a_folder_that_is_a_link_to_nothing_may_come(tmp_path: Path) -> None:
    link = tmp_path / "state"
    link.symlink_to("unplugged")
    with pytest.raises(JournalOutOfReach, match=r"state is a link to unplugged, which is not there; plug in"):
        Journal.open(link / "journal.db")
    (tmp_path / "unplugged").write_text("x")
    with pytest.raises(NotAJournal, match="is not a folder"):
        Journal.open(link / "journal.db")


def test_a_folder_is_not_a_journal(tmp_path: Path) -> None:
    with pytest.raises(NotAJournal, match="it is not a file"):
        Journal.open(tmp_path)


def test_a_file_in_place_of_the_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(NotAJournal, match="/file is not a folder"):
        Journal.open(tmp_path / "file" / "journal.db")


def test_a_text_file_is_left_as_it_is(path: Path) -> None:
    path.write_text("my shopping list")
    with pytest.raises(NotAJournal, match="another kind of file"):
        Journal.open(path)
    assert path.read_text() == "my shopping list"


def test_the_database_of_another_program_is_left_as_it_is(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE photos (name)")
    before = path.read_bytes()
    with pytest.raises(NotAJournal, match="another program"):
        Journal.open(path)
    assert path.read_bytes() == before


def test_a_newer_journal_is_refused_and_not_touched(played: Path) -> None:
    with closing(sqlite3.connect(played)) as database:
        database.execute("PRAGMA user_version = 9")
    (played.parent / "journal.db.lock").unlink()
    before = {file.name: file.read_bytes() for file in played.parent.iterdir()}
    for opening in (Journal.open, Journal.look):
        with pytest.raises(JournalNewer, match=r"a newer companion wrote it \(format 9, this one knows up to 1\)"):
            opening(played)
    assert {file.name: file.read_bytes() for file in played.parent.iterdir()} == before


@pytest.mark.parametrize("gone", [("sittings", "board"), ("entries", "seal")])
def test_a_journal_of_an_older_form_is_refused_and_not_taken_for_damage(played: Path, gone: tuple[str, str]) -> None:
    table, column = gone
    with closing(sqlite3.connect(played)) as database:
        database.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = played.read_bytes()
    for opening in (Journal.open, Journal.look, lambda path: open_telling(path, lambda _text: None)):
        with pytest.raises(JournalOlder, match="an older companion wrote it, in another form; read it with"):
            opening(played)
    assert played.read_bytes() == before


@pytest.mark.parametrize("bit", range(8, 32))
def test_a_format_that_no_companion_will_have_is_damage_where_one_wrote_and_all_is_carried(
    played: Path, bit: int
) -> None:
    header = bytearray(played.read_bytes())
    header[60:64] = (1 ^ 1 << bit).to_bytes(4, "big")
    played.write_bytes(bytes(header))
    with open_telling(played, lambda _text: None) as journal:
        assert journal.mended
    played.write_bytes(bytes(header))
    (played.parent / "journal.db.lock").unlink()
    with pytest.raises(NotAJournal, match="its format is"):
        Journal.open(played)


def test_looking_makes_no_journal(path: Path) -> None:
    with pytest.raises(JournalError, match="it does not exist"):
        Journal.look(path)
    assert not path.exists()


# -- damage


@pytest.mark.parametrize("left", [0, 50])
def test_a_file_cut_short_in_its_header_is_damaged(played: Path, left: int) -> None:
    os.truncate(played, left)
    with pytest.raises(JournalCorrupt):
        Journal.open(played)


@pytest.mark.parametrize("part", [0.3, 0.6, 0.9])
def test_a_file_cut_short_is_damaged(played: Path, part: float) -> None:
    os.truncate(played, int(played.stat().st_size * part))
    with pytest.raises(JournalCorrupt):
        Journal.open(played)


def test_a_flipped_bit_in_a_line_is_noticed_though_the_database_is_sound(played: Path) -> None:
    content = played.read_bytes()
    assert content.count(b'"dice":[6]') == 20
    played.write_bytes(content.replace(b'"dice":[6]', b'"dice":[4]', 1))
    with pytest.raises(JournalCorrupt, match="the lines of game 1 were changed"):
        Journal.open(played)


def test_flipped_bytes_are_never_taken_for_another_game(played: Path) -> None:
    """Wherever a byte is flipped: the same game comes back, or the journal says that it is damaged."""
    whole, sound = played.read_bytes(), actions(played)
    chance = random.Random(1)
    told = 0
    for _ in range(150):
        place = chance.randrange(len(whole))
        flipped = bytearray(whole)
        flipped[place] ^= 1 << chance.randrange(8)
        played.write_bytes(bytes(flipped))
        try:
            assert actions(played) == sound
        except JournalError:
            told += 1
    assert told > 0


def test_a_damaged_old_game_does_not_stop_a_new_one(played: Path) -> None:
    with Journal.open(played) as journal:
        journal.finish("{}")
        journal.begin(START)
    played.write_bytes(played.read_bytes().replace(b'"dice":[6]', b'"dice":[4]', 1))
    with Journal.open(played) as journal:
        journal.append(LINE, 1)
        with pytest.raises(JournalCorrupt):
            journal.read(1)
        assert len(journal.games()) == 2


def test_a_damaged_journal_is_kept_aside_only_when_told_to_and_a_new_one_begun(played: Path) -> None:
    played.write_bytes(played.read_bytes()[:5000])
    damaged = played.read_bytes()
    with pytest.raises(JournalCorrupt):
        Journal.open(played)
    assert played.read_bytes() == damaged
    aside = mend(played, WHEN).aside
    assert aside == played.with_name("journal.db.corrupt-2026-01-31T120005")
    assert aside.read_bytes() == damaged
    with Journal.open(played) as journal:
        assert journal.games() == ()


def test_what_was_set_aside_is_never_overwritten(path: Path) -> None:
    for content in ("one", "two", "three"):
        path.write_text(content)
        mend(path, WHEN)
    kept = {file.read_text() for file in path.parent.glob("journal.db.corrupt-*")}
    assert kept == {"one", "two", "three"}


def test_a_journal_in_use_is_not_set_aside(path: Path) -> None:
    with Journal.open(path), pytest.raises(JournalLocked):
        mend(path, WHEN)
    assert path.exists()


# -- the disk


def test_a_full_disk_loses_nothing_and_the_game_goes_on_when_there_is_room(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "size=400k") as disk, Journal.open(disk / "journal.db") as journal:
        journal.begin(START)
        (disk / "photos").write_bytes(b"x" * 200_000)
        written, told = append_until_refused(journal)
        assert str(told) == (
            f"journal {disk / 'journal.db'}: the disk is full; free some space; the game goes on from here"
        )
        with pytest.raises(JournalFull):
            journal.append(LINE, written)
        assert [entry.at_s for entry in journal.read(1).actions] == list(range(written))
        (disk / "photos").unlink()
        journal.append(LINE, written)
        assert [entry.at_s for entry in journal.read(1).actions] == list(range(written + 1))


def test_a_journal_that_cannot_grow_says_so(played: Path) -> None:
    with Journal.open(played) as journal:
        journal._database.execute("PRAGMA max_page_count = 1")
        _, told = append_until_refused(journal)
    assert isinstance(told, JournalFull)


@pytest.mark.parametrize("room", ["4k", "16k", "40k"])
def test_no_room_for_a_new_journal_is_told_and_leaves_no_half_of_one(tmp_path: Path, room: str) -> None:
    with mounted(tmp_path / "disk", f"size={room}") as disk:
        with pytest.raises(JournalFull):
            Journal.open(disk / "journal.db")
        assert not (disk / "journal.db").exists() or (disk / "journal.db").stat().st_size > 0


def test_a_disk_that_takes_no_more_files_is_full(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "size=1m,nr_inodes=20") as disk:
        with Journal.open(disk / "journal.db") as journal:
            journal.begin(START)
        with suppress(OSError):
            for number in range(20):
                (disk / str(number)).touch()
        with pytest.raises(JournalFull, match="the disk is full"):
            Journal.open(disk / "journal.db")
        for number in range(3):
            (disk / str(number)).unlink()
        Journal.open(disk / "journal.db").close()


@pytest.mark.parametrize(("files", "left"), [(1000, 900), (0, 0)])
def test_a_disk_that_takes_files_or_does_not_count_them_is_not_called_full(
    files: int, left: int, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = os.statvfs_result((4096, 4096, 1000, 900, 900, files, left, left, 0, 255))
    monkeypatch.setattr(os, "statvfs", lambda _folder: disk)
    answer = sqlite3.OperationalError("unable to open database file")
    answer.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
    told = faults.from_sqlite(path, answer)
    assert (type(told), told.cause) == (JournalReadOnly, "it or the files beside it cannot be opened")


def test_where_access_is_denied_to_nothing_that_is_named_it_is_to_the_journal(path: Path) -> None:
    denied = OSError(errno.EACCES, os.strerror(errno.EACCES))
    assert faults.from_os(path, denied).cause == f"access is denied to {path}"


def test_a_disk_with_room_on_which_no_map_can_be_laid_is_not_called_full(path: Path) -> None:
    answer = sqlite3.OperationalError("disk I/O error")
    answer.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
    told = faults.from_sqlite(path, answer)
    assert (type(told), told.cause) == (JournalOutOfReach, "the disk answers: disk I/O error")


def test_a_disk_that_fails_or_too_many_open_files_may_pass(path: Path) -> None:
    answer = sqlite3.OperationalError("disk I/O error")
    answer.sqlite_errorcode = sqlite3.SQLITE_IOERR_READ
    system = [OSError(code, os.strerror(code)) for code in (errno.EMFILE, errno.ENOTCONN, errno.EBUSY, errno.ENOENT)]
    told = (faults.from_sqlite(path, answer), *(faults.from_os(path, error) for error in system))
    assert [type(fault) for fault in told] == [JournalOutOfReach] * 5


def test_a_lock_that_the_system_cannot_give_just_now_may_pass(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unlocked(*_: object) -> NoReturn:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", unlocked)
    with pytest.raises(JournalOutOfReach, match="the system answers: No locks available; check the disk"):
        Journal.open(path)


def test_a_path_that_cannot_be_and_a_fault_of_our_own_pass_for_nothing_that_passes(path: Path) -> None:
    answer = sqlite3.OperationalError("bad parameter")
    answer.sqlite_errorcode = sqlite3.SQLITE_MISUSE
    system = OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))
    told = (faults.from_sqlite(path, answer), faults.from_os(path, system))
    assert [type(fault) for fault in told] == [JournalError, NotAJournal]


def test_a_read_only_disk_is_told_but_its_games_can_be_read(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "size=1m") as disk:
        with Journal.open(disk / "journal.db") as journal:
            journal.begin(START)
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        with pytest.raises(JournalReadOnly, match="the disk is read-only"):
            Journal.open(disk / "journal.db")
        with Journal.look(disk / "journal.db") as journal:
            assert journal.read(1).start == START


def fill(disk: Path) -> None:
    """Leaves no byte free."""
    with suppress(OSError), (disk / "photos").open("wb", buffering=0) as file:
        while file.write(b"x" * 4096):
            pass


def crashed(path: Path, disk: Path) -> Path:
    """A journal on the disk as a power cut left it: every one of its lines lies in the log beside it."""
    with Journal.open(path) as journal:
        journal.begin(START)
        journal.append(LINE, 0)
        for ending in ("", "-wal"):
            shutil.copy(f"{path}{ending}", f"{disk / 'journal.db'}{ending}")
    return disk / "journal.db"


def contents(disk: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in disk.iterdir()}


def test_on_a_full_disk_games_can_be_read_and_nothing_is_left_there(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "size=400k") as disk:
        with Journal.open(disk / "journal.db") as journal:
            journal.begin(START)
            journal.append(LINE, 0)
        fill(disk)
        before = contents(disk)
        assert actions(disk / "journal.db") == [0.0]
        assert contents(disk) == before


@pytest.mark.parametrize("remount", [(), ("mount", "-o", "remount,ro")], ids=["full", "read-only"])
def test_a_log_that_a_power_cut_left_on_such_a_disk_is_read_too(tmp_path: Path, remount: tuple[str, ...]) -> None:
    with mounted(tmp_path / "disk", "size=400k") as disk:
        path = crashed(tmp_path / "journal.db", disk)
        fill(disk)
        before = contents(disk)
        if remount:
            subprocess.run([*remount, str(disk)], check=True)
        assert actions(path) == [0.0]
        assert contents(disk) == before


def test_without_room_for_a_copy_what_the_log_holds_is_told_to_be_unseen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with mounted(tmp_path / "disk", "size=400k") as disk:
        path = crashed(tmp_path / "journal.db", disk)
        fill(disk)
        monkeypatch.setattr("companion.journal.connecting.PLACES", (str(disk), str(tmp_path / "nowhere")))
        told: list[str] = []
        with Journal.look(path, told.append) as journal:
            assert journal.games() == ()
    log = f"{path}-wal"
    assert told == [
        f"journal {path}: its newest lines lie in {log} and cannot be seen: there is no room for a copy of it; "
        "free some space"
    ]


def test_on_a_full_disk_games_can_be_read_while_one_is_played(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "size=400k") as disk, Journal.open(disk / "journal.db") as journal:
        journal.begin(START)
        fill(disk)
        written, _ = append_until_refused(journal)
        with Journal.look(disk / "journal.db") as reader:
            assert [entry.at_s for entry in reader.read(1).actions] == list(range(written))


def test_a_disk_that_gives_less_room_than_it_promises_is_read_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.journal.faults.MAP_BYTES", 0)  # as a quota: it is full only when asked for room
    with mounted(tmp_path / "disk", "size=400k") as disk:
        path = crashed(tmp_path / "journal.db", disk)
        fill(disk)
        assert actions(path) == [0.0]


def test_a_disk_that_turns_read_only_during_a_game_is_told(played: Path) -> None:
    with Journal.open(played) as journal:
        journal._database.execute("PRAGMA query_only = 1")  # answers as a disk that the kernel remounted
        with pytest.raises(JournalReadOnly):
            journal.append(LINE, 20)
        journal._database.execute("PRAGMA query_only = 0")
        journal.append(LINE, 20)
    assert actions(played) == list(range(21))


# -- sudden death

WRITER = """
import sys
from pathlib import Path
from companion.journal import Journal
with Journal.open(Path(sys.argv[1])) as journal:
    for at_s in range(100_000):
        if at_s % 100 == 0:
            journal.begin('{"do":"start"}')
        journal.append('{"do":"roll"}', at_s)
        print(at_s, flush=True)
"""


def killed_writer(path: Path, after_lines: int) -> int:
    """Starts a writer, kills it after so many acknowledged lines; the last line it had acknowledged."""
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        for _ in range(after_lines):
            last = int(writer.stdout.readline())
        writer.kill()
        rest = writer.stdout.read().splitlines(keepends=True)
        return max([last, *(int(line) for line in rest if line.endswith("\n"))])


def test_kill_at_any_moment_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    chance = random.Random(2)
    for number in range(10):
        path = tmp_path / f"{number}.db"
        acknowledged = killed_writer(path, chance.randrange(1, 150))
        with Journal.open(path) as journal:
            times = [entry.at_s for game in journal.games() for entry in journal.read(game.number).actions]
        assert times == list(range(len(times)))
        assert len(times) in (acknowledged + 1, acknowledged + 2)


def test_a_power_cut_in_the_middle_of_a_write_leaves_whole_lines(tmp_path: Path) -> None:
    """The tail of the write-ahead log is cut anywhere, as a power cut tears it: what comes back is a beginning."""
    source, copy = tmp_path / "source.db", tmp_path / "copy" / "journal.db"
    with Journal.open(source) as journal:
        journal.begin(START)
        for at_s in range(50):
            journal.append(LINE, at_s)
        files = {ending: Path(f"{source}{ending}").read_bytes() for ending in ("", "-wal")}
    chance = random.Random(3)
    lengths = set()
    for _ in range(60):
        copy.parent.mkdir()
        copy.write_bytes(files[""])
        Path(f"{copy}-wal").write_bytes(files["-wal"][: chance.randrange(len(files["-wal"]))])
        with Journal.open(copy) as journal:
            record = journal.latest()
        times = [entry.at_s for entry in record.actions] if record else []
        assert times == list(range(len(times)))
        lengths.add(len(times))
        shutil.rmtree(copy.parent)
    assert len(lengths) > 10


def test_a_damaged_journal_is_replaced_by_the_daemon_only_after_telling(played: Path) -> None:
    os.truncate(played, 5000)
    told: list[str] = []
    with open_telling(played, told.append, wall=lambda: WHEN.replace(tzinfo=UTC)) as journal:
        assert journal.games() == ()
    aside = played.with_name("journal.db.corrupt-2026-01-31T120005")
    assert told[0].startswith(f"journal {played}: it is damaged")
    assert "set-aside" not in told[0]  # that is done at once
    assert told[1] == f"the damaged journal is kept as {aside}; nothing in it is sound, and a new one is begun"
    assert aside.stat().st_size == 5000


def test_a_sound_journal_is_opened_without_a_word(played: Path) -> None:
    told: list[str] = []
    with open_telling(played, told.append) as journal:
        assert len(journal.games()) == 1
    assert told == []


def test_a_half_made_journal_of_an_earlier_start_is_replaced(path: Path) -> None:
    path.with_name("journal.db.new").write_bytes(b"half")
    Journal.open(path).close()
    assert sorted(file.name for file in path.parent.iterdir()) == ["journal.db", "journal.db.lock"]
