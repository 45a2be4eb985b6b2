"""`companion demo` where a game was left in its journal: that one is played first, whatever --game names."""

from __future__ import annotations

import argparse
import json
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.cli import demo, main
from companion.cli.demo import SHOWN, UNHEARD, Demo, how_to_go_on
from companion.cli.ends import ENDS
from companion.demo.report import is_left
from companion.events import Button, Press
from companion.journal import Journal
from companion.referee import begin, play
from companion.table.resume import left, left_in_set_up
from companion.table.state import Table
from tests.app.household import house, press
from tests.app.test_loop import StillClock
from tests.app.test_loop_games import lived

Words = tuple[str, ...]


@pytest.fixture
def endings() -> Iterator[None]:
    """What ends a process hears of it again as before."""
    before = [(number, signal.getsignal(number)) for number in ENDS]
    yield
    for number, heard in before:
        signal.signal(number, heard)


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Demo]]:
    """A demo by such options at its beginning, at which the Wild die is taught in no time."""
    monkeypatch.setattr(demo, "taught", lambda *_given: None)
    monkeypatch.setattr(demo, "Keyboard", lambda: None)
    parser = argparse.ArgumentParser()
    demo.arguments(parser)
    with ExitStack() as opened:
        journal = opened.enter_context(Journal.open(tmp_path / "journal.db"))

        def make(game: str | None, options: Words) -> Demo:
            if game is not None:
                journal.begin(json.dumps({"do": "start", "game": game, "players": ["Ana", "Bo"]}))
            return Demo(parser.parse_args(["--players", "2", *options]), 1, journal, tmp_path, opened)

        yield make


@pytest.mark.parametrize(
    ("game", "options", "shown"),
    [
        (None, (), True),
        (None, ("--game", "cat"), False),
        ("roll", (), True),
        ("roll", ("--game", "cat"), True),
        ("roll", ("--untaught",), False),
        ("free", (), False),
        ("free", ("--play",), False),
        ("cat", ("--game", "roll"), False),
    ],
)
def test_the_camera_is_shown_the_wild_die_where_the_game_that_is_played_first_throws_it(
    game: str | None, options: Words, shown: bool, made: Callable[..., Demo], capsys: pytest.CaptureFixture[str]
) -> None:
    made(game, options)
    assert capsys.readouterr().out == (f"{SHOWN}\n" if shown else "") + "seed 1\n"


@pytest.mark.parametrize(("game", "asked"), [("cat", "roll"), ("roll", "free")])
def test_people_may_play_on_after_the_game_that_was_left_and_throw_the_wild_die_in_either(
    game: str, asked: str, made: Callable[..., Demo], capsys: pytest.CaptureFixture[str]
) -> None:
    made(game, ("--play", "--game", asked))
    assert capsys.readouterr().out == f"{SHOWN}{UNHEARD}\nseed 1\n"


@pytest.mark.parametrize(("options", "following"), [((), "cat"), (("--game", "free"), "free")])
def test_the_game_after_the_one_that_was_left_is_another_of_it_unless_another_is_asked_for(
    options: Words, following: str, made: Callable[..., Demo]
) -> None:
    assert made("cat", options)._house.games == (following,)


def test_a_game_that_is_over_or_does_not_fit_was_not_left(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.db") as journal:
        assert left(journal, house()) is None
        journal.begin('{"do":"start","game":"free","players":["Ana"]}')
        match = left(journal, house())
        assert match is not None
        assert match.game == "free"
        journal.append('{"do":"end"}', 1.0)
        assert left(journal, house()) is None
        journal.begin('{"do":"start","game":"free","players":["Ana"]}')
        journal.append('{"do":"fly"}', 1.0)
        assert left(journal, house()) is None


@pytest.mark.parametrize(
    ("options", "command"),
    [
        ((), "companion demo"),
        (("--play",), "companion demo --play"),
        (("--untaught",), "companion demo --untaught"),
        (("--language", "fi"), "companion demo --language fi"),
    ],
)
def test_how_a_game_goes_on_is_told_as_it_was_played(options: Words, command: str) -> None:
    parser = argparse.ArgumentParser()
    demo.arguments(parser)
    told = how_to_go_on(parser.parse_args([*options, "--journal", "a b.db"]), None)
    assert told == f"the game is kept, and goes on with: {command} --journal 'a b.db'"


def test_a_set_up_goes_on_only_as_the_game_that_it_is_of() -> None:
    parser = argparse.ArgumentParser()
    demo.arguments(parser)
    options = parser.parse_args(["--players", "6", "--language", "es", "--journal", "c.db"])
    command = "companion demo --game cat --language es --journal c.db"
    assert how_to_go_on(options, "cat") == f"the game is kept, and goes on with: {command}"


@pytest.mark.parametrize(("options", "following"), [((), "free"), (("--game", "cat"), "cat")])
def test_a_set_up_that_was_left_goes_on_as_its_game_unless_another_is_asked_for(
    options: Words, following: str, made: Callable[..., Demo]
) -> None:
    first = made(None, ("--game", "free"))
    for fact in press("ok", "ok"):
        first._running.loop._take(fact)
    again = made(None, options)
    assert again._house.games == (following,)
    assert again._running.loop.table.played == {"welcome": True, "players": 2}


def test_the_game_of_a_set_up_is_known_from_its_first_answer_to_its_start(journal: Journal) -> None:
    home = house(games=("free",))
    assert left_in_set_up(journal) is None
    for presses, game in ((0, None), (1, "free"), (1, "free"), (6, None)):
        lived(journal, home, StillClock(), *press(*["ok"] * presses))
        assert left_in_set_up(journal) == game


def test_where_several_games_are_played_the_one_that_was_chosen_is_set_up(journal: Journal) -> None:
    home = house(games=("roll", "cat"))
    lived(journal, home, StillClock(), *press("ok"))
    assert left_in_set_up(journal) is None
    lived(journal, home, StillClock(), *press("more", "ok"), Press(Button.BACK, held=True))
    assert left_in_set_up(journal) == "cat"


@pytest.mark.parametrize("line", ["{}", "[]", '{"game":"chess"}', '{"game":["cat"]}', '{"game":'])
def test_a_set_up_of_no_game_that_is_known_is_of_none(line: str, journal: Journal) -> None:
    journal.new_sitting()
    journal.note(line)
    assert left_in_set_up(journal) is None


GAME = begin({"do": "start", "game": "free", "players": ["Ana"]})


@pytest.mark.parametrize(
    ("table", "told"),
    [
        (Table(), False),
        (Table(answers=(("welcome", True), ("players", 2))), True),
        (Table(match=GAME), True),
        (Table(match=GAME, deaf=True), False),
        (Table(match=play(GAME, {"do": "end"}, 1.0)), False),
    ],
)
def test_a_game_is_left_that_is_kept_and_not_over(table: Table, told: bool) -> None:
    assert is_left(table) is told


@pytest.mark.usefixtures("endings")
def test_a_folder_that_was_made_for_the_journal_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "new" / "deep" / "journal.db"
    words = ["demo", "--game", "free", "--players", "1", "--speed", "max", "--seed", "1", "--journal", str(file)]
    assert main(words) == 0
    assert capsys.readouterr().err == f"{tmp_path / 'new'} is a new folder, made for the journal\n"
