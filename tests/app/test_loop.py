"""The deciding loop over a real journal: nothing is shown that is not durable, and every moment can be resumed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from companion.events import Button, DeviceChanged, Fact, Health, Knocked, Press, Settled, Stirred
from companion.journal import Journal, JournalCorrupt, JournalFull, open_telling
from companion.loop import BEAT_S, Loop, Outlets, places
from companion.table.resume import resume
from companion.table.state import Table
from companion.view import Prompt, Sign, View
from tests.app.household import after, house, play, press, reading, slept

ATTENTION = Prompt("Attention!", ("The game cannot be saved!",), Sign.TROUBLE)


class StillClock:
    """Time that passes only by being slept."""

    def __init__(self) -> None:
        self.at_s = 100.0

    def now_s(self) -> float:
        return self.at_s

    def sleep(self, seconds: float) -> None:
        self.at_s += seconds


class TickingClock(StillClock):
    """A second goes by whenever it is looked at."""

    def now_s(self) -> float:
        self.at_s += 1
        return self.at_s


class Shown:
    """What the loop showed, and as what dice were taken."""

    def __init__(self) -> None:
        self.views: list[View] = []
        self.rolled: list[tuple[int, ...]] = []
        self.expected: list[tuple[int, int] | None] = []

    def outlets(self) -> Outlets:
        return Outlets(
            lambda view, _beat: self.views.append(view),
            lambda dice, _wild, _most: self.expected.append(dice),
            self._roll,
        )

    def _roll(self, dice: tuple[int, ...]) -> None:
        self.rolled.append(dice)


def decided(journal: Journal, *facts: Fact, clock: StillClock | None = None) -> tuple[Table, Shown]:
    """The table after a daemon over this journal judged the facts and was stopped."""
    shown, home = Shown(), house()
    loop = Loop(
        resume(journal, home), house=home, journal=journal, clock=clock or StillClock(), outlets=shown.outlets()
    )
    for fact in facts:
        loop.put(fact)
    loop.stop()
    loop.run()
    return loop.table, shown


@pytest.mark.parametrize("seed", [1])
def test_a_daemon_that_is_started_anew_for_every_single_fact_plays_the_same_game(seed: int, tmp_path: Path) -> None:
    home, path = house(), tmp_path / "journal.db"
    with Journal.open(path) as journal:
        for fact, decision in play(home, seed, misread=0.0):
            if isinstance(fact, Stirred):
                continue
            facts = (Stirred(), fact) if isinstance(fact, Settled) else (fact,)
            table, _shown = decided(journal, *facts)
            assert slept(table) == slept(decision.table)
        again = resume(journal, home).table
        assert again.match is not None
        assert again.match.outcome is not None
        assert journal.games()[-1].finish is not None


START = press(*["ok"] * 9)


def test_a_roll_is_on_the_disk_before_any_output_shows_it(tmp_path: Path) -> None:
    home = house()
    with Journal.open(tmp_path / "journal.db") as journal:
        decided(journal, *START)
        written: list[int] = []

        def show(_view: View, _beat: int) -> None:
            record = journal.latest()
            written.append(0 if record is None else len(record.actions))

        loop = Loop(resume(journal, home), house=home, journal=journal, clock=StillClock(), outlets=Outlets(show))
        for fact in (Stirred(), Settled(reading(2, 3))):
            loop.put(fact)
        loop.stop()
        loop.run()
        assert written == [0, 0, 1]


def test_a_decision_takes_no_longer_the_more_lines_were_written_before(tmp_path: Path) -> None:
    home = house()
    with Journal.open(tmp_path / "journal.db") as journal:
        decided(journal, *START)
        loop = Loop(resume(journal, home), house=home, journal=journal, clock=StillClock(), outlets=Shown().outlets())
        asked: list[str] = []
        journal._database.set_trace_callback(asked.append)
        for fact in (Stirred(), Settled(reading(2, 3))):
            loop.put(fact)
        loop.stop()
        loop.run()
        assert any(words.startswith("INSERT INTO entries") for words in asked)
        assert [words for words in asked if words.startswith("SELECT seq, kind, at_s, line")] == []


def test_dice_that_come_and_go_before_a_game_are_not_written_nor_is_the_set_up_read_again(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.db") as journal:
        asked: list[str] = []
        decided(journal, *press("ok"))
        journal._database.set_trace_callback(asked.append)
        throws = [fact for value in (1, 2, 3) for fact in (Stirred(), Settled(reading(value, 4)))]
        loop = Loop(
            resume(journal, house()), house=house(), journal=journal, clock=StillClock(), outlets=Shown().outlets()
        )
        asked.clear()
        for fact in (*throws, *press("ok")):
            loop.put(fact)
        loop.stop()
        loop.run()
        assert sum(words.startswith("INSERT INTO entries") for words in asked) == 1
        assert [words for words in asked if words.startswith("SELECT seq, kind, at_s, line")] == []


def test_time_goes_on_where_it_was_and_never_back(tmp_path: Path) -> None:
    clock = TickingClock()
    with Journal.open(tmp_path / "journal.db") as journal:
        decided(journal, *START, *[Stirred()] * 30, Settled(reading(2, 3)), clock=clock)
        clock.at_s = 3.0  # the machine was started anew
        table, _shown = decided(journal, *press("ok"), clock=clock)
        assert table.match is not None
        started_s, rolled_s, accepted_s = table.match.times_s
        assert started_s == 0
        assert 30 < rolled_s < accepted_s < rolled_s + 30


@pytest.mark.parametrize("waited_s", [0.0, 0.3, 0.5])
def test_a_press_before_anybody_can_have_seen_a_roll_answers_nothing(waited_s: float, tmp_path: Path) -> None:
    clock, home = StillClock(), house()
    with Journal.open(tmp_path / "journal.db") as journal:
        decided(journal, *START)
        loop = Loop(
            resume(journal, home), house=home, journal=journal, clock=clock, outlets=Shown().outlets(), unseen_s=0.4
        )
        for facts in ((Stirred(), Settled(reading(2, 3))), press("ok")):
            for fact in facts:
                loop.put(fact)
            loop.stop()
            loop.run()
            assert loop.rests()
            clock.at_s += waited_s
        table = loop.table
        assert table.match is not None
        seen = waited_s > 0.4
        assert len(table.match.times_s) == 2 + seen
        assert (loop.stands() is not None) == (waited_s > 0.0)


def test_presses_as_quick_as_fingers_are_heard_and_a_long_one_always(tmp_path: Path) -> None:
    """What a press brought was awaited; whoever holds a button for a second has seen what it stands for."""
    home = house()
    with Journal.open(tmp_path / "journal.db") as journal:
        outlets = Shown().outlets()
        loop = Loop(
            resume(journal, home), house=home, journal=journal, clock=StillClock(), outlets=outlets, unseen_s=0.4
        )
        for fact in (*START, Stirred(), Settled(reading(2, 3)), Press(Button.BACK, held=True)):
            loop.put(fact)
        loop.stop()
        loop.run()
        assert loop.table.match is not None
        assert loop.table.menu


class FullDisk:
    """A journal whose disk is full for some writes."""

    def __init__(self, journal: Journal, failures: int) -> None:
        self._journal = journal
        self._failures = failures

    def __getattr__(self, name: str) -> object:
        return getattr(self._journal, name)

    def append(self, line: str, at_s: float) -> None:
        if self._failures:
            self._failures -= 1
            raise JournalFull(self._journal.path, "the disk is full", "free some space")
        self._journal.append(line, at_s)


def test_a_full_disk_is_shown_and_no_throw_is_lost_but_presses_for_pages_that_nobody_saw_are_not_heard(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    home, shown = house(), Shown()
    with Journal.open(tmp_path / "journal.db") as journal:
        decided(journal, *START)
        full: Journal = FullDisk(journal, 3)  # type: ignore[assignment]
        outlets = replace(shown.outlets(), decided=lambda decision: loop.stop() if decision.table.lost else None)
        loop = Loop(resume(journal, home), house=home, journal=full, clock=StillClock(), outlets=outlets)
        for fact in (Stirred(), Settled(reading(2, 3)), *press("ok", "ok"), DeviceChanged("ring", Health.LOST)):
            loop.put(fact)
        loop.run()
        assert loop.table.match is not None
        assert [line["do"] for line in loop.table.match.log] == ["start", "roll"]
        assert (shown.rolled, loop.table.lost, loop.rests()) == ([(2, 3)], ("ring",), True)
        assert {view.labels for view in shown.views if view.page == ATTENTION} == {("", "", "", "")}
        assert caplog.text.count("the disk is full") == 1


def test_a_knock_while_the_game_cannot_be_saved_is_not_heard_either(tmp_path: Path) -> None:
    home = house(games=("cat",))
    with Journal.open(tmp_path / "journal.db") as journal:
        full: Journal = FullDisk(journal, 3)  # type: ignore[assignment]
        outlets = Outlets(lambda _view, _beat: None, decided=lambda told: loop.stop() if told.table.lost else None)
        loop = Loop(resume(journal, home), house=home, journal=full, clock=StillClock(), outlets=outlets)
        for fact in (*START, *press("ok"), Knocked(), DeviceChanged("ring", Health.LOST)):
            loop.put(fact)
        loop.run()
        assert loop.table.match is not None
        assert [line["do"] for line in loop.table.match.log] == ["start", "end"]
        assert loop.rests()


def test_no_roll_is_taken_while_the_journal_is_away_but_as_soon_as_it_is_back(tmp_path: Path) -> None:
    home, shown = house(), Shown()
    here, away = tmp_path / "state", tmp_path / "away"
    with Journal.open(here / "journal.db") as journal:
        decided(journal, *START)
        here.rename(away)
        rolled: list[tuple[bool, int]] = []

        def show(view: View, _beat: int) -> None:
            rolled.append((view.page == ATTENTION, len(shown.rolled)))
            if view.page == ATTENTION:
                away.rename(here)

        outlets = replace(shown.outlets(), show=show, decided=lambda decision: loop.stop() if decision.rolled else None)
        loop = Loop(resume(journal, home), house=home, journal=journal, clock=StillClock(), outlets=outlets)
        for fact in (Stirred(), Settled(reading(2, 3))):
            loop.put(fact)
        loop.run()
        assert rolled == [(False, 0), (False, 0), (True, 0), (False, 1)]
    with Journal.look(here / "journal.db") as journal:
        assert len(journal.read(1).actions) == 1


def test_a_journal_damaged_meanwhile_ends_the_loop_and_the_next_start_goes_on_where_it_was(tmp_path: Path) -> None:
    home, shown, path = house(), Shown(), tmp_path / "journal.db"
    with Journal.open(path) as journal:
        before, _ = decided(journal, *START)
        with closing(sqlite3.connect(path)) as database:
            database.execute("DROP TRIGGER entries_stay")
            database.execute("CREATE TRIGGER entries_stay BEFORE INSERT ON entries BEGIN SELECT new.kynd; END")
        loop = Loop(resume(journal, home), house=home, journal=journal, clock=StillClock(), outlets=shown.outlets())
        for fact in (Stirred(), Settled(reading(2, 3))):
            loop.put(fact)
        with pytest.raises(JournalCorrupt):
            loop.run()
        assert (shown.rolled, shown.views[-1].page) == ([], ATTENTION)
    with open_telling(path, lambda _text: None) as journal:
        again = resume(journal, home).table
        assert again == replace(before, fresh=again.fresh, stirred=again.stirred, notice=again.notice)
        _table, shown = decided(journal, *press("ok"), Stirred(), Settled(reading(2, 3)))
    assert shown.rolled == [(2, 3)]


def test_the_lights_move_on_while_nothing_can_be_written(tmp_path: Path) -> None:
    home, beats, clock = house(), [], StillClock()
    began_s = clock.now_s()
    with Journal.open(tmp_path / "journal.db") as journal:
        decided(journal, *START)
        full: Journal = FullDisk(journal, 8)  # type: ignore[assignment]
        outlets = Outlets(lambda _view, beat: beats.append(beat), rolled=lambda _dice: loop.stop())
        loop = Loop(resume(journal, home), house=home, journal=full, clock=clock, outlets=outlets)
        for fact in (Stirred(), Settled(reading(2, 3))):
            loop.put(fact)
        loop.run()
    assert beats == [0, 0, *range(8), 8]
    assert clock.now_s() - began_s == pytest.approx(8 * BEAT_S)  # and no core is kept busy by trying


def test_a_loop_that_cannot_write_still_stops(tmp_path: Path) -> None:
    home = house()
    with Journal.open(tmp_path / "journal.db") as journal:
        decided(journal, *START)
        full: Journal = FullDisk(journal, 10**9)  # type: ignore[assignment]
        loop = Loop(resume(journal, home), house=home, journal=full, clock=StillClock(), outlets=Shown().outlets())
        for fact in (Stirred(), Settled(reading(2, 3))):
            loop.put(fact)
        loop.stop()
        loop.run()
        assert not loop.rests()


def test_a_script_hears_the_step_the_doubt_and_what_the_cursor_stands_at() -> None:
    home, table = house(), Table()
    told = [places(table, home)]
    for fact in (*START, Stirred(), Settled(reading(2, None, sure=False)), *press("less", "ok", "more")):
        table = after(table, home, fact)
        told.append(places(table, home))
    assert told == [
        ("setup",),
        ("setup", "2"),  # players
        ("setup", "Red"),  # the first one's name
        ("setup", "Red"),  # and seat
        ("setup", "Yellow"),
        ("setup", "Yellow"),
        ("setup", "Red"),  # who starts
        ("setup", "Yes"),  # the usual settings
        ("setup", "Before Red"),  # the pawn
        ("roll",),
        ("roll",),  # stirred
        ("roll", "doubt"),
        ("roll", "doubt", "2"),  # so many dice
        ("roll", "doubt", "2"),  # the first die
        ("roll", "doubt", "3"),
    ]
    assert places(after(table, home, Press(Button.BACK, held=True)), home) == ("menu", "Go on")
