"""Cat and the free table over a real journal: resumed after every fact, timed without any wall clock."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from companion.events import Fact, Knocked, Settled, Stirred
from companion.journal import Journal
from companion.loop import Loop, Outlets
from companion.table.house import House
from companion.table.resume import resume
from companion.table.state import Table
from companion.view import Prompt, View
from tests.app.household import house, play, press, slept
from tests.app.test_loop import StillClock


def lived(journal: Journal, home: House, clock: StillClock, *facts: Fact) -> tuple[Table, View]:
    """The table after a daemon over this journal judged the facts and was stopped, and what it showed last."""
    shown: list[View] = []
    outlets = Outlets(lambda view, _beat: shown.append(view))
    loop = Loop(resume(journal, home), house=home, journal=journal, clock=clock, outlets=outlets)
    for fact in facts:
        loop.put(fact)
    loop.stop()
    loop.run()
    return loop.table, shown[-1]


def test_two_games_in_one_journal_are_resumed_after_every_single_fact(tmp_path: Path) -> None:
    home = house(6, games=("cat",), usual={"cat": {"end": {"rounds": 1}}})
    clock = StillClock()
    with Journal.open(tmp_path / "journal.db") as journal:
        for game in ("cat", "free"):
            home = replace(home, games=(game,))
            last = resume(journal, home).table
            for fact, decision in play(home, 5, last, misread=0.0):
                if isinstance(fact, Stirred):
                    continue
                facts = (Stirred(), fact) if isinstance(fact, Settled) else (fact,)
                table, _view = lived(journal, home, clock, *facts)
                assert slept(table) == slept(decision.table)
            again, _view = lived(journal, home, clock, *press("ok", "more", "ok"))
            assert again.match is None
            assert again.last is not None
        assert [game.finish is not None for game in journal.games()] == [True, True]


TIMED: dict[str, Any] = {"cat": {"end": {"minutes": 10}}}
START = press(*["ok"] * 8)


def lines(view: View) -> tuple[str, ...]:
    assert isinstance(view.page, Prompt)
    return view.page.lines


def test_C9_a_timed_game_goes_on_where_it_was_when_the_computer_comes_back(tmp_path: Path) -> None:
    home, clock = house(6, games=("cat",), usual=TIMED), StillClock()
    with Journal.open(tmp_path / "journal.db") as journal:
        _table, shown = lived(journal, home, clock, *START)
        assert lines(shown)[0] == "Round 1, 10 min left"

        class Later(StillClock):
            """A clock that stands four minutes on when it is first asked for a fact."""

            def __init__(self, at_s: float) -> None:
                super().__init__()
                self.asked = False
                self.at_s = at_s

            def now_s(self) -> float:
                before, self.asked = self.asked, True
                return self.at_s + (240.0 if before else 0.0)

        _table, shown = lived(journal, home, Later(1000.0), *press("ok"))
        assert lines(shown)[0] == "Round 1, 6 min left"
        _table, shown = lived(journal, home, Later(3.0), *press("ok"))  # switched off for days, or the clock set back
        assert lines(shown)[0] == "Round 1, 2 min left"
        table, _view = lived(journal, home, StillClock(), Knocked(), *press("ok"))
        assert table.match is not None
        assert table.match.times_s == (0, 240.0, 480.0, 480.0, 480.0)
        table, _view = lived(journal, home, Later(9e9), *press("more", "ok", "more", "ok"))
        assert table.match is not None
        assert table.match.outcome is not None


def waited(journal: Journal, home: House, clock: StillClock, beats: int, beat_s: float) -> list[View]:
    """What a daemon over this journal shows while nothing happens; then its power goes, or so it writes no more."""
    shown: list[View] = []

    def show(view: View, _beat: int) -> None:
        shown.append(view)
        if len(shown) > beats:
            raise KeyboardInterrupt
        clock.sleep(beat_s)

    loop = Loop(resume(journal, home), house=home, journal=journal, clock=clock, outlets=Outlets(show))
    with pytest.raises(KeyboardInterrupt):
        loop.run()
    return shown


def noted(journal: Journal) -> list[float]:
    record = journal.latest()
    assert record is not None
    return [entry.at_s for entry in record.presses]


def test_C9_an_orderly_end_gives_no_time_back(tmp_path: Path) -> None:
    home, clock = house(6, games=("cat",), usual=TIMED), StillClock()
    with Journal.open(tmp_path / "journal.db") as journal:
        lived(journal, home, clock, *START)
        loop = Loop(resume(journal, home), house=home, journal=journal, clock=clock, outlets=Outlets(lambda *_: None))
        clock.sleep(250.0)  # nobody presses anything
        loop.stop()
        loop.run()
        assert loop.rests()
        assert resume(journal, home).at_s == 250.0
        assert resume(journal, home).table == loop.table
        _table, shown = lived(journal, home, clock)
    assert lines(shown)[0] == "Round 1, 6 min left"


def test_C9_a_power_cut_gives_no_minute_back_and_time_is_written_once_a_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.loop.BEAT_S", 0.001)
    home, clock = house(6, games=("cat",), usual=TIMED), StillClock()
    with Journal.open(tmp_path / "journal.db") as journal:
        lived(journal, home, clock, *START)
        before = len(noted(journal))
        shown = waited(journal, home, clock, beats=30, beat_s=10.0)
        assert lines(shown[-1])[0] == "Round 1, 5 min left"
        assert len(noted(journal)) - before == 5
        _table, again = lived(journal, home, clock)
        assert lines(again) == lines(shown[-1])
        waited(journal, home, clock, beats=100, beat_s=10.0)
        late = len(noted(journal))
        waited(journal, home, clock, beats=100, beat_s=10.0)  # the time is up: it plays no part any more
        assert len(noted(journal)) == late
        assert len(journal.read(1).lines) == 1  # the start: time is no part of what is replayed


def test_C9_a_power_cut_gives_no_minute_back_though_what_came_last_was_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.loop.BEAT_S", 0.001)
    home, clock, shown = house(6, games=("cat",), usual=TIMED), StillClock(), []

    def show(view: View, _beat: int) -> None:
        shown.append(view)
        if len(shown) == 1:
            clock.sleep(70.0)
            loop.put(Stirred())
        elif len(shown) == 4:
            raise KeyboardInterrupt

    with Journal.open(tmp_path / "journal.db") as journal:
        lived(journal, home, clock, *START)
        loop = Loop(resume(journal, home), house=home, journal=journal, clock=clock, outlets=Outlets(show))
        with pytest.raises(KeyboardInterrupt):
            loop.run()
        _table, again = lived(journal, home, clock)
    assert lines(again)[0] == lines(shown[-1])[0] == "Round 1, 9 min left"


@pytest.mark.parametrize("usual", [{"cat": {"end": {"rounds": 5}}}, TIMED])
def test_where_no_time_counts_none_is_written(usual: dict[str, Any], tmp_path: Path) -> None:
    home, clock = house(6, games=("cat",), usual=usual), StillClock()
    facts = START if usual is not TIMED else START[:7]  # rounds, or a game that has not begun
    with Journal.open(tmp_path / "journal.db") as journal:
        lived(journal, home, clock, *facts)
        before = noted(journal)
        clock.sleep(1000.0)
        lived(journal, home, clock)
        assert noted(journal) == before


def test_C9_the_time_before_a_game_began_is_not_counted_after_a_restart(tmp_path: Path) -> None:
    home, clock = house(6, games=("cat",), usual=TIMED), StillClock()
    with Journal.open(tmp_path / "journal.db") as journal:
        shown: list[View] = []
        outlets = Outlets(lambda view, _beat: shown.append(view))
        loop = Loop(resume(journal, home), house=home, journal=journal, clock=clock, outlets=outlets)
        clock.sleep(7200.0)  # the table stood idle for two hours
        for fact in START:
            loop.put(fact)
        loop.stop()
        loop.run()
        _table, again = lived(journal, home, StillClock())
    assert lines(shown[-1])[0] == lines(again)[0] == "Round 1, 10 min left"


def test_C9_the_clock_on_the_wall_has_no_say_in_a_timed_game(tmp_path: Path) -> None:
    home = house(6, games=("cat",), usual=TIMED)
    walls = iter([datetime(1970, 1, 1, tzinfo=UTC), *[datetime(2038, 1, 19, tzinfo=UTC)] * 50])
    with Journal.open(tmp_path / "journal.db", wall=lambda: next(walls)) as journal:
        lived(journal, home, StillClock(), *START)
        table, shown = lived(journal, home, StillClock(), Knocked(), *press("ok", "more", "ok", "more", "ok", "ok"))
        assert table.match is not None
        assert table.match.outcome is None
        assert lines(shown)[0] == "Round 2, 10 min left"
