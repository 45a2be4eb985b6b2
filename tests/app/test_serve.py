"""A running table beyond its loop: when the watchdog is fed, and how it begins where it cannot write."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest
from PIL import Image
from standins import FakeClock

from companion.events import Button, Press
from companion.farewell import resting
from companion.journal import Journal, JournalFull, JournalLocked, JournalNewer, JournalOutOfReach, JournalReadOnly
from companion.locale import texts
from companion.ports import DeviceLost
from companion.screen import draw
from companion.serve import Rig, Running
from companion.table.picture import view
from companion.vision.eyes import Eyes
from companion.vision.settle import Settler
from companion.waiting import (
    AGAIN_S,
    READ_S,
    Screens,
    cannot_open,
    cannot_save,
    mending,
    show_long_enough,
    telling_of_a_mend,
    when_writable,
)
from companion.watch import Watch
from hardware.clock import SystemClock
from tests.app.household import Told, house

SAID = cannot_save(texts("en"))


def test_the_watchdog_is_fed_only_while_every_worker_works(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    notifier, works = Told(), [True, False, True]
    running = Running(
        Rig(camera=lambda: None),  # type: ignore[arg-type, return-value]
        house(),
        journal,
        Watch(Eyes(None), Settler()),  # type: ignore[arg-type]
        clock=FakeClock(),
        notifier=notifier,
    )
    monkeypatch.setattr("companion.devices.CameraWorker.works", lambda _worker, _now_s: works.pop(0))
    for _beat in range(3):
        running._alive()
    assert notifier.messages == ["WATCHDOG=1"] * 2


@pytest.mark.parametrize("removed", [False, True])
def test_a_game_that_cannot_be_saved_is_not_said_to_be_kept(removed: bool, tmp_path: Path) -> None:
    shown, farewell = Shown(), resting(texts("en"), playing=True)
    with Journal.open(tmp_path / "state" / "journal.db") as journal:
        running = Running(
            Rig(displays=(lambda: shown,)),
            house(),
            journal,
            Watch(Eyes(None), Settler()),  # type: ignore[arg-type]
            clock=SystemClock(),
            farewell=lambda _table: farewell,
        )
        if removed:
            shutil.rmtree(tmp_path / "state")
        running.loop.put(Press(Button.OK))
        running.stop()
        running.run()
    last = draw(view(running.loop.table, house()) if removed else farewell)
    assert shown.images[-1].tobytes() == last.tobytes()


def test_a_table_rests_once_each_of_its_screens_shows_what_it_asks(journal: Journal) -> None:
    quick, slow = Shown(), Slow()
    running = Running(
        Rig(displays=(lambda: quick, lambda: slow)),
        house(),
        journal,
        Watch(Eyes(None), Settler()),  # type: ignore[arg-type]
        clock=SystemClock(),
    )
    rested = [running.rests()]
    table = threading.Thread(target=running.run)
    table.start()
    assert slow.asked.wait(10)
    rested.append(running.rests())
    slow.answers.set()
    while not running.rests():
        time.sleep(0.01)
    running.stop()
    table.join()
    assert rested == [False, False]
    assert [image.tobytes() for image in quick.images] == [image.tobytes() for image in slow.images]


# -- a journal that cannot be written when the table is switched on


class Shown:
    """A display that keeps what it showed."""

    def __init__(self) -> None:
        self.images: list[Image.Image] = []

    def show(self, image: Image.Image) -> None:
        self.images.append(image)

    def refresh(self) -> None: ...

    def close(self) -> None: ...


class Slow(Shown):
    """One that shows nothing until it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.answers = threading.Event(), threading.Event()

    def show(self, image: Image.Image) -> None:
        self.asked.set()
        self.answers.wait(10)
        super().show(image)


def opening(*refusals: type[Exception], journal: Journal) -> Callable[[], Journal]:
    """Opens the journal once each of the refusals was raised."""
    left = list(refusals)

    def opened() -> Journal:
        if left:
            raise left.pop(0)(journal.path, "the disk is full", "free some space")
        return journal

    return opened


def test_a_table_whose_disk_is_full_says_so_and_begins_when_there_is_room(journal: Journal) -> None:
    clock, notifier, shown = FakeClock(), Told(), Shown()
    began_s = clock.now_s()
    refused = opening(JournalFull, JournalFull, JournalReadOnly, JournalOutOfReach, journal=journal)
    with Screens(Rig(displays=(lambda: shown,)), clock) as screens:
        assert when_writable(refused, screens, said=SAID, clock=clock, notifier=notifier) is journal
    assert clock.now_s() - began_s == 4 * AGAIN_S
    assert notifier.messages == ["READY=1", "STATUS=waiting: the disk is full", *["WATCHDOG=1"] * 4, "STATUS="]
    assert [image.tobytes() for image in shown.images[-1:]] == [draw(SAID).tobytes()]


def test_a_screen_that_is_lost_before_the_table_stands_is_told_as_at_any_time(
    journal: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    def gone() -> Shown:
        raise DeviceLost("oled", "no answer at 0x3C", "check its cable")

    clock = FakeClock()
    with Screens(Rig(displays=(gone,)), clock) as screens:
        refused = opening(JournalFull, journal=journal)
        assert when_writable(refused, screens, said=SAID, clock=clock, notifier=Told()) is journal
    assert "screen: lost: no answer at 0x3C; check its cable" in caplog.messages


@pytest.mark.parametrize("passing", [JournalFull, JournalReadOnly, JournalLocked, JournalOutOfReach])
def test_a_table_waits_from_the_first_for_what_may_pass(passing: type[Exception], journal: Journal) -> None:
    refused, notifier, clock = opening(passing, journal=journal), Told(), FakeClock()
    assert when_writable(refused, Screens(Rig(), clock), said=SAID, clock=clock, notifier=notifier) is journal
    assert notifier.messages[0] == "READY=1"


def test_what_a_table_waits_for_is_told_and_logged_whenever_it_is_something_else(
    journal: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    causes, notifier, clock = ["the disk is full", "the disk is full", "the disk is read-only"], Told(), FakeClock()

    def opened() -> Journal:
        if causes:
            raise JournalFull(journal.path, causes.pop(0), "free some space")
        return journal

    assert when_writable(opened, Screens(Rig(), clock), said=SAID, clock=clock, notifier=notifier) is journal
    said = [message for message in notifier.messages if message.startswith("STATUS")]
    assert said == ["STATUS=waiting: the disk is full", "STATUS=waiting: the disk is read-only", "STATUS="]
    logged = [
        f"journal {journal.path}: {cause}; free some space" for cause in ("the disk is full", "the disk is read-only")
    ]
    assert caplog.messages == logged


def test_a_table_that_is_stopped_while_its_disk_is_full_waits_no_longer(journal: Journal) -> None:
    clock, notifier, stopped = FakeClock(), Told(), [False, False, False, True]
    full = opening(*[JournalFull] * 10, journal=journal)
    none = Screens(Rig(), clock)
    got = when_writable(full, none, said=SAID, clock=clock, notifier=notifier, stopped=lambda: stopped.pop(0))
    assert got is None
    assert notifier.messages[2:] == ["WATCHDOG=1", "WATCHDOG=1", "STOPPING=1"]


def test_a_service_whose_journal_another_one_holds_says_so_and_begins_when_it_is_free(tmp_path: Path) -> None:
    path, clock, notifier, shown = tmp_path / "journal.db", FakeClock(), Told(), Shown()
    with ExitStack() as held, Screens(Rig(displays=(lambda: shown,)), clock) as screens:
        held.enter_context(Journal.open(path))
        stopped = [*[lambda: False] * 4, lambda: held.close() is not None, lambda: False]
        got = when_writable(
            lambda: Journal.open(path),
            screens,
            said=SAID,
            clock=clock,
            notifier=notifier,
            stopped=lambda: stopped.pop(0)(),
        )
    assert got is not None
    got.close()
    told = ["READY=1", "STATUS=waiting: another companion writes it", *["WATCHDOG=1"] * 3, "STATUS="]
    assert (notifier.messages, shown.images[-1].tobytes()) == (told, draw(SAID).tobytes())


def test_what_waiting_does_not_mend_is_raised_at_once(journal: Journal) -> None:
    shown, notifier, clock = Shown(), Told(), SystemClock()
    with Screens(Rig(displays=(lambda: shown,)), clock) as screens, pytest.raises(JournalNewer):
        when_writable(opening(JournalNewer, journal=journal), screens, said=SAID, clock=clock, notifier=notifier)
    assert (shown.images, notifier.messages) == ([], [])


@pytest.mark.parametrize(("stopped", "after_s"), [([False] * 20, READ_S), ([False, True], AGAIN_S)])
def test_what_is_said_before_a_service_ends_can_be_read_unless_it_is_stopped(
    stopped: list[bool], after_s: float
) -> None:
    shown, clock, page = Shown(), FakeClock(), cannot_open(texts("en"))
    began_s = clock.now_s()
    with Screens(Rig(displays=(lambda: shown,)), clock) as screens:
        show_long_enough(screens, page, clock=clock, stopped=lambda: stopped.pop(0))
        assert clock.now_s() - began_s == after_s
    assert [image.tobytes() for image in shown.images] == [draw(page).tobytes()]


# -- a journal that is mended


def test_of_a_mend_systemd_is_told_how_far_it_has_come_no_oftener_than_it_reads() -> None:
    clock, notifier = FakeClock(), Told()
    progress = telling_of_a_mend(notifier, clock, Screens(Rig(), clock), texts("en"))
    for done in range(4):
        progress(done, 4)
        clock.sleep(AGAIN_S / 2)
    patience = "EXTEND_TIMEOUT_USEC=60000000"
    assert notifier.messages == ["STATUS=mending 0 of 4 games", patience, "STATUS=mending 2 of 4 games", patience]


def test_what_keeps_a_mend_from_its_end_stays_on_the_screen_while_it_is_tried_again() -> None:
    clock, shown = FakeClock(), Shown()
    with Screens(Rig(displays=(lambda: shown,)), clock) as screens:
        progress = telling_of_a_mend(Told(), clock, screens, texts("en"))
        for attempt in range(2):
            for done in range(9):
                progress(done, 9)
                clock.sleep(AGAIN_S)
            if not attempt:
                screens.show(SAID)
    assert shown.images[-1].tobytes() == draw(SAID).tobytes()


@pytest.mark.parametrize(("games", "last"), [(2, []), (9, [draw(mending(8, 9, texts("en"))).tobytes()])])
def test_the_players_are_told_how_far_a_mend_has_come_that_takes_long(games: int, last: list[bytes]) -> None:
    clock, shown = FakeClock(), Shown()
    with Screens(Rig(displays=(lambda: shown,)), clock) as screens:
        progress = telling_of_a_mend(Told(), clock, screens, texts("en"))
        for done in range(games):
            progress(done, games)
            clock.sleep(AGAIN_S)
    assert [image.tobytes() for image in shown.images[-1:]] == last
