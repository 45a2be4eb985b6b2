"""`companion games`: past games told again, from journals of whole games of every kind."""

from __future__ import annotations

import csv
import io
import itertools
import json
import random
import re
import shlex
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image

from companion import referee
from companion.cli import main
from companion.core import Refused
from companion.games import RULES_VERSION
from companion.games.roll import Board
from companion.history.retelling import kept, retell
from companion.history.rolls import Throw, throws
from companion.history.statistics import Fairness, chance_of_more, number_dice, throws_to_notice, wild_die
from companion.history.writing import as_csv, as_text
from companion.journal import Journal, kept_aside

ROLL = {"do": "start", "game": "roll", "players": ["Ana", "Bo", "Åse"]}
TRACK = {**ROLL, "cards": "track", "market": [0, 1, 2, 3, 9]}
CAT = {"do": "start", "game": "cat", "players": ["Ana", "Bo"], "end": {"rounds": 2}, "pace": "full"}
FREE = {"do": "start", "game": "free", "players": ["Ana", "Bo"], "dice": 3}
BOARD = Board((("peek",), ("choice", "choice"), ("token",), ("peek",), ("token", "peek")))


def play(journal: Journal, start: dict[str, Any], seed: int = 1, *, lines: int = 100_000) -> referee.Match:
    """A random game into the journal, as the daemon would keep it: undo now and then, presses between, the end."""
    chance, match = random.Random(seed), referee.begin(start, board=BOARD)
    journal.begin(json.dumps(start))
    for at_s in range(1, lines):
        if match.outcome or not match.ask.actions or (start["game"] == "free" and at_s > 30):
            break
        line = {"do": "undo"} if match.can_undo and chance.random() < 0.1 else _choice(chance, match)
        try:
            match = referee.play(match, line, at_s)
        except Refused:  # a revealed hand that contradicts what was seen
            match = referee.play(match, {**line, "force": True}, at_s)
            line = {**line, "force": True}
        journal.append(json.dumps(line), at_s)
        journal.note("{}", at_s)
    if match.outcome:
        journal.finish(json.dumps({"winners": match.outcome.winners, "totals": match.outcome.totals}))
    return match


def _choice(chance: random.Random, match: referee.Match) -> dict[str, Any]:
    if match.ask.step == "reveal":
        player = next(n for n, each in enumerate(match.public["players"]) if not each["revealed"])
        return {
            "do": "reveal",
            "player": player,
            "cards": [chance.randrange(10) for _ in range(match.public["needed"])],
        }
    return chance.choice(list(itertools.islice(referee.legal(match), 300)))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def games(path: Path, *words: str) -> int:
    return main(["games", *words, "--journal", str(path)])


def fill(path: Path, *starts: dict[str, Any], lines: int = 100_000) -> list[referee.Match]:
    with Journal.open(path, board=BOARD) as journal:
        return [play(journal, start, seed, lines=lines) for seed, start in enumerate(starts, 1)]


# -- replay and export


@pytest.mark.parametrize("start", [ROLL, TRACK, CAT, FREE], ids=["roll", "track", "cat", "free"])
def test_every_game_replays_to_the_same_state(path: Path, start: dict[str, Any]) -> None:
    (match,) = fill(path, start)
    with Journal.look(path) as journal:
        *_, last = retell(journal.read(1))
    assert last.after == match


@pytest.mark.parametrize("start", [ROLL, TRACK, CAT], ids=["roll", "track", "cat"])
def test_replay_prints_every_step_and_says_that_it_is_the_same(
    path: Path, start: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    fill(path, start)
    assert games(path, "replay") == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[-1] == "game 1: every line is lawful, and it ends as recorded"
    with Journal.look(path) as journal:
        assert len(printed) == 1 + 2 * len(journal.read(1).lines)


def test_an_exported_game_is_input_for_the_referee(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal.open(path) as journal:
        match = play(journal, {**CAT, "pace": "light"})
    assert games(path, "export", "1") == 0
    lines = capsys.readouterr().out
    answers = subprocess.run(
        [sys.executable, "-m", "companion", "referee"],
        input=lines,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout.splitlines()
    assert [json.loads(answer)["ok"] for answer in answers] == [True] * len(lines.splitlines())
    assert json.loads(answers[-1])["state"] == json.loads(json.dumps(match.public))


def test_a_game_that_ends_otherwise_than_recorded_is_told(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(path, CAT)
    with Journal.open(path) as journal:
        winners = json.loads(str(journal.read(1).finish))["winners"]
        journal.finish(json.dumps({"winners": [1 - winners[0]]}))
        lines = len(journal.read(1).lines)
    assert games(path, "replay") == 1
    told = f"it ended with the winners [{1 - winners[0]}], retold with {winners}"
    assert capsys.readouterr().err == f"game 1 differs at line {lines}: {told}\n"


def test_a_line_that_the_referee_refuses_is_named(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal.open(path) as journal:
        journal.begin(json.dumps(FREE))
        journal.append('{"do":"roll","dice":[7]}', 1)
    assert games(path, "replay") == 1
    assert capsys.readouterr().err.startswith(
        'game 1 differs at line 2: {"do": "roll", "dice": [7], "at": 1.0} is refused'
    )


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        (RULES_VERSION, ""),
        (RULES_VERSION - 1, f" (it was played by rules version {RULES_VERSION - 1}, these are {RULES_VERSION})"),
    ],
)
def test_that_a_game_differs_is_told_with_the_versions_of_the_rules_where_they_are_two(
    path: Path, rules: int, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("companion.journal.store.RULES_VERSION", rules)
    with Journal.open(path) as journal:
        journal.begin(json.dumps(FREE))
        journal.append('{"do":"deal"}', 1)
    assert games(path, "replay") == 1
    refused = "'deal' is no action of free; these are: accept, end, reroll, roll"
    assert capsys.readouterr().err == (
        f'game 1 differs at line 2: {{"do": "deal", "at": 1.0}} is refused: {refused}{told}\n'
    )


def test_R21_the_lines_of_a_running_game_with_known_cards_are_not_shown(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(path, TRACK, lines=40)
    for action in ("export", "replay"):
        assert games(path, action) == 1
        told = capsys.readouterr()
        assert told.out == ""
        assert "its cards lie face-down (R21)" in told.err


def test_R21_of_a_running_game_whose_cards_are_not_followed_there_is_nothing_to_hide(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(path, ROLL, lines=10)
    assert games(path, "export") == 0
    assert len(capsys.readouterr().out.splitlines()) == 10


def test_R21_once_another_game_is_played_they_may_be_shown(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(path, TRACK, FREE, lines=40)
    assert games(path, "export", "1") == 0
    assert len(capsys.readouterr().out.splitlines()) == 40


# -- list


@pytest.fixture
def east(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Where clocks show five and a half hours more."""
    monkeypatch.setenv("TZ", "XXX-05:30")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def here(opened: str) -> str:
    return f"{datetime.fromisoformat(opened) + timedelta(hours=5.5):%Y-%m-%d %H:%M}"


@pytest.mark.usefixtures("east")
def test_the_list_has_a_line_a_game(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal.open(path) as journal:
        journal.begin(json.dumps(ROLL))
        journal.append('{"do":"roll","dice":[1]}', 200)
        journal.finish('{"winners": [0, 2]}', 300)
        journal.begin(json.dumps({**FREE, "players": ["Zoë\x1b[2J"]}))
        started = [game.opened for game in journal.games()]
    assert games(path) == 0
    assert capsys.readouterr().out == (
        "No  Started           Game            Players       Actions  Minutes  Ended\n"
        f" 1  {here(started[0])}  Rat-a-Tat Roll  Ana, Bo, Åse        1        5  won by Ana, Åse\n"
        f" 2  {here(started[1])}  Free table      Zoë·[2J             0        0  not finished\n"
    )
    assert games(path, "list", "--json") == 0
    said = capsys.readouterr().out
    assert said.isascii()  # what reads it may expect any encoding
    listed = json.loads(said)
    assert [game["ended"] for game in listed] == ["won by Ana, Åse", "not finished"]
    assert [game["started"] for game in listed] == started
    assert games(path, "list", "--csv") == 0
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert [row[1] for row in rows] == ["Started", *started]


@pytest.mark.usefixtures("east")
def test_a_game_is_shown_with_when_it_started_here(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(path, FREE, lines=3)
    with Journal.look(path) as journal:
        (game,) = journal.games()
    assert games(path, "show") == 0
    assert capsys.readouterr().out.startswith(f"Game 1: Free table, started {here(game.opened)}\n")


def test_a_form_may_be_named_without_an_action(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(path, FREE, lines=3)
    for form in ("--json", "--csv"):
        assert main(["games", "--journal", str(path), "list", form]) == 0
        named = capsys.readouterr().out
        for words in ((form,), (form, "list")):
            assert main(["games", "--journal", str(path), *words]) == 0
            assert capsys.readouterr().out == named


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "--rolls"), "--rolls needs --csv; in the other forms the rolls follow the score sheet\n"),
        (("show", "--rolls", "--json"), "--rolls needs --csv; in the other forms the rolls follow the score sheet\n"),
        (("--csv", "export"), "--csv belongs to list, show and stats\n"),
        (("--json", "set-aside"), "--json belongs to list, show and stats\n"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["games", *words]) == 2
    assert capsys.readouterr() == ("", said)


def test_of_a_game_whose_ends_are_of_another_shape_the_list_tells_the_rest(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal.open(path) as journal:
        for players, winners in ((5, [0]), (["Ana", "Bo"], 5), (["Ana", "Bo"], [[1], "a", True, 1.0, 1]), (None, None)):
            journal.begin(json.dumps({**FREE, "players": players}))
            journal.finish(json.dumps({"winners": winners}), 300)
        journal.begin("[" * 100_000)
    assert games(path, "list", "--json") == 0
    listed = json.loads(capsys.readouterr().out)
    assert [(game["players"], game["ended"]) for game in listed] == [
        (["?"], "won by ?"),
        (["Ana", "Bo"], "finished"),
        (["Ana", "Bo"], "won by Bo"),
        (["?"], "finished"),
        (["?"], "not finished"),
    ]


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (("xyz",), "its line 0 is no JSON object"),
        (("[1]",), "its line 0 is no JSON object"),
        ((json.dumps(FREE), "[]"), "its line 1 is no JSON object"),
        ((json.dumps(FREE), "[" * 100_000), "its line 1 is no JSON object"),
    ],
)
def test_a_game_that_another_companion_wrote_otherwise_is_told_and_hides_no_other(
    lines: tuple[str, ...], what: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay(path, FREE, {"do": "roll", "dice": [6]})
    with Journal.open(path) as journal:
        journal.begin(lines[0])
        for line in lines[1:]:
            journal.append(line, 1.0)
    told = (
        f"journal {path}: game 2 is not as this companion writes it ({what}); read it with the companion that wrote it"
    )
    for words in (("show",), ("show", "--json"), ("export",), ("replay",)):
        assert games(path, *words) == 1
        assert capsys.readouterr().err.startswith(told)
    for words in (("list",), ("export", "1"), ("stats",)):
        assert games(path, *words) == 0
    assert capsys.readouterr().err.startswith(f"left out: {told}")
    assert games(path, "set-aside") == 1
    assert "it is not damaged" in capsys.readouterr().err


@pytest.mark.parametrize("board", ['{"a": 1}', '[["', "5", "null", '[["x"], ["y"]]'])
def test_a_game_on_a_board_that_is_none_is_told(board: str, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal.open(path) as journal:
        journal._board = board
        journal.begin(json.dumps(FREE))
    assert games(path, "list") == 0
    assert games(path, "show") == 1
    assert "game 1 is not as this companion writes it" in capsys.readouterr().err


def test_a_game_without_end_in_time_is_listed(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal.open(path) as journal:
        journal.begin(json.dumps(FREE))
        journal.append('{"do":"roll","dice":[1]}', float("inf"))
    assert games(path, "list", "--json") == 0
    assert json.loads(capsys.readouterr().out)[0]["minutes"] == 0
    assert games(path, "show") == 1


def test_no_form_of_the_list_can_move_the_cursor(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay(path, {**FREE, "players": ["\x1b[2JAna", "Bo"]})
    for form in ("--csv", "--json"):
        assert games(path, "list", form) == 0
        assert "\x1b" not in capsys.readouterr().out


def test_without_games_that_is_said(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Journal.open(path).close()
    assert games(path, "list") == 0
    assert capsys.readouterr().out == "no game was played yet\n"
    assert games(path, "show") == 1
    assert capsys.readouterr().err == "no game was played yet\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_list_that_finds_no_room_is_told_once(path: Path) -> None:
    Journal.open(path).close()
    command = [sys.executable, "-u", "-m", "companion", "games", "--journal", str(path)]
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ended.stderr == "companion: what it says cannot be written: No space left on device\n"
    assert ended.returncode == 1


@pytest.mark.parametrize("wanted", ["7", "-1", "x", "²", "9" * 5000])
def test_a_game_that_is_not_there_is_told(path: Path, wanted: str, capsys: pytest.CaptureFixture[str]) -> None:
    fill(path, FREE, lines=3)
    assert main(["games", "--journal", str(path), "show", "--", wanted]) == 1
    told = f"there is no game {wanted}; companion games list --journal {path} shows those there are\n"
    assert capsys.readouterr().err == told


def test_the_list_of_games_is_advised_with_the_configuration_that_was_named(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(path, FREE, lines=3)
    config = path.with_name("a table.toml")
    config.write_text(f'[files]\njournal = "{path}"\n')
    assert main(["games", "show", "7", "--config", str(config)]) == 1
    listing = f"companion games list --config '{config}'"
    assert capsys.readouterr().err == f"there is no game 7; {listing} shows those there are\n"


def test_the_journal_is_found_by_the_configuration(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(path, FREE, lines=3)
    config = path.with_name("c.toml")
    config.write_text('files.journal = "journal.db"')
    assert main(["games", "export", "--config", str(config)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3


# -- show


def lay(path: Path, start: dict[str, Any], *lines: dict[str, Any]) -> None:
    with Journal.open(path) as journal:
        journal.begin(json.dumps(start))
        for at_s, line in enumerate(lines, 60):
            journal.append(json.dumps(line), at_s)


def test_a_roll_game_shows_players_and_throws_without_those_taken_back(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay(
        path,
        ROLL,
        {"do": "roll", "dice": [6, 6]},
        {"do": "undo"},
        {"do": "roll", "dice": [3, 2]},
        {"do": "reroll", "which": [1], "dice": [3]},
        {"do": "accept"},
        {"do": "take", "from": "market", "rat": True},
    )
    assert games(path, "show") == 0
    told = capsys.readouterr().out.split("\n", 2)[2]
    assert told == (
        "Player  Rolls  Re-rolls  Tokens  Cards  Total  Won\n"
        "Ana         1         1       3      2      –    –\n"
        "Bo          0         0       2      1      –    –\n"
        "Åse         0         0       2      1      –    –\n"
        "\n"
        "Turn  Time     Player  Thrown     Total\n"
        "   1  0:01:02  Ana     2+3            5\n"
        "   1  0:01:03  Ana     3 (again)      6\n"
    )


def test_throws_tell_what_left_the_hand_and_what_lies_there(path: Path) -> None:
    lay(path, ROLL, {"do": "roll", "dice": [3, 2]}, {"do": "reroll", "which": [1], "dice": [5]})
    with Journal.look(path) as journal:
        thrown = throws(kept(retell(journal.read(1))))
    assert thrown == (Throw(1, 0, 60.0, (3, 2), shown=(3, 2)), Throw(1, 0, 61.0, (5,), shown=(3, 5), again=True))


def test_a_cat_game_shows_a_column_a_round_and_who_won(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    start = {**CAT, "pace": "light"}
    knock = ({"do": "knock"}, {"do": "end"})
    scores = ({"do": "score", "player": 1, "total": 3}, {"do": "score", "player": 0, "cards": [0, 1, 9, 2]})
    lay(path, start, *knock, *scores, {"do": "deal"}, *knock, *scores)
    assert games(path, "show", "--csv") == 0
    assert capsys.readouterr().out == "Player,Round 1,Round 2,Total,Won\nAna,12,12,24,no\nBo,3,3,6,yes\n"


def test_a_roll_game_that_is_over_shows_the_totals_and_who_won(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (match,) = fill(path, ROLL)
    assert match.outcome
    assert games(path, "show", "--json") == 0
    rows = json.loads(capsys.readouterr().out)["sheet"]
    assert [row["Total"] for row in rows] == list(match.outcome.totals)
    assert [row["Won"] for row in rows] == ["yes" if each in match.outcome.winners else "no" for each in range(3)]


def test_before_a_round_of_cat_is_scored_it_has_no_column(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay(path, CAT)
    assert games(path, "show", "--csv") == 0
    assert capsys.readouterr().out == "Player,Total,Won\nAna,0,\nBo,0,\n"


def test_cat_without_scores_counts_rounds_won(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    start = {**CAT, "pace": "light", "scores": False}
    scores = ({"do": "score", "player": 1, "total": 3}, {"do": "score", "player": 0, "total": 4})
    lay(path, start, {"do": "knock"}, {"do": "end"}, *scores)
    assert games(path, "show", "--csv") == 0
    assert capsys.readouterr().out == "Player,Round 1,Rounds won,Won\nAna,4,0,\nBo,3,1,\n"


def test_a_free_table_shows_every_roll_and_the_sum(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    accept = {"do": "accept"}
    lay(path, FREE, {"do": "roll", "dice": [2, 1]}, accept, {"do": "roll", "dice": [6]}, accept)
    assert games(path, "show", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["sheet"] == [{"Player": "Ana", "Roll 1": "1+2", "Sum": 3}, {"Player": "Bo", "Roll 1": "6", "Sum": 6}]
    assert [roll["dice"] for roll in told["rolls"]] == [[2, 1], [6]]  # as a re-roll names them
    assert games(path, "show", "--csv", "--rolls") == 0
    table = "Turn,Time,Player,Thrown,Total\n1,0:00:00,Ana,1+2,3\n2,0:00:00,Bo,6,6\n"
    assert re.sub("0:..:..", "0:00:00", capsys.readouterr().out) == table


@pytest.mark.parametrize(
    ("rolls", "told"),
    [
        ((), "Player,Sum\nAna,0\nBo,0\n"),
        (([1, 2], [6], [5]), "Player,Roll 1,Roll 2,Sum\nAna,1+2,5,8\nBo,6,,6\n"),
    ],
)
def test_a_free_table_has_a_column_for_each_roll_of_who_rolled_most(
    path: Path, rolls: tuple[list[int], ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lay(path, FREE, *(line for dice in rolls for line in ({"do": "roll", "dice": dice}, {"do": "accept"})))
    assert games(path, "show", "--csv") == 0
    assert capsys.readouterr().out == told


def test_a_game_as_json_is_ascii_whatever_the_names(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay(path, {**FREE, "players": ["Zoë", "李"]}, {"do": "roll", "dice": [1, 2]}, {"do": "accept"})
    assert games(path, "show", "--json") == 0
    said = capsys.readouterr().out
    assert said.isascii()
    assert [row["Player"] for row in json.loads(said)["sheet"]] == ["Zoë", "李"]


# -- statistics


def test_statistics_count_every_die_thrown_and_none_taken_back(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay(path, FREE, {"do": "roll", "dice": [1, 1]}, {"do": "undo"}, {"do": "roll", "dice": [6, 2]})
    lay(path, FREE, {"do": "roll", "dice": [6]}, {"do": "reroll", "which": [0], "dice": [5]})
    assert games(path, "stats", "--json") == 0
    told = json.loads(capsys.readouterr().out)["number_dice"]
    assert told["counts"] == {"1": 0, "2": 1, "3": 0, "4": 0, "5": 1, "6": 2}
    assert told["enough"] is False
    assert told["verdict"] == "4 throws are too few to say anything; the test begins to hold at 30."
    assert games(path, "stats", "2", "2", "02", "--csv") == 0
    assert capsys.readouterr().out.splitlines()[-4:-2] == ["number,6,1", "wild,lowest,0"]


def test_statistics_as_text_end_with_an_honest_word(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(path, ROLL, TRACK)
    assert games(path, "stats") == 0
    told = capsys.readouterr().out
    assert "with 5 degrees of freedom, p = " in told
    assert "Wild die" in told
    assert told.endswith(
        "takes 257 throws of it; a fifth of the time, 1604. All number dice are counted together, so one bad die among "
        "good ones shows even later.\n"
    )


def test_where_no_dice_were_thrown_that_is_told_and_no_table_of_zeros(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Journal.open(path).close()
    for words in (("stats",), ("stats", "--plot", str(path.with_name("dice.svg")))):
        games(path, *words)
    nothing = "no game was played yet\n"
    assert capsys.readouterr() == (nothing, f"nothing is drawn: {nothing}")
    fill(path, CAT)
    lay(path, FREE)
    for words, where in (((), "any game yet"), (("1",), "game 1"), (("1", "2"), "games 1, 2")):
        assert games(path, "stats", *words) == 0
        assert capsys.readouterr().out == (
            f"no dice were thrown in {where}; they are in Rat-a-Tat Roll and at the free table: "
            f"see companion games list --journal {path}\n"
        )
    assert games(path, "stats", "--json") == 0
    assert json.loads(capsys.readouterr().out)["number_dice"]["thrown"] == 0


def test_no_empty_plot_is_drawn(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(path, CAT)
    file = path.with_name("dice.svg")
    assert games(path, "stats", "1", "--plot", str(file)) == 1
    told = capsys.readouterr()
    assert told.err.startswith("nothing is drawn: no dice were thrown in game 1; ")
    assert told.out == ""
    assert not file.exists()


def test_one_throw_is_told_as_one(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay(path, FREE, {"do": "roll", "dice": [6]})
    assert games(path, "stats") == 0
    told = capsys.readouterr().out
    assert told.startswith("Number dice: 1 throw\n")
    assert "\n1 throw is too few to say anything; the test begins to hold at 30.\n" in told


class Watched(io.StringIO):
    """A terminal, with somebody before it."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("many", "ends"), [(2, [1, 1, 0]), (3, [0, 0, 0])])
def test_who_waits_for_the_statistics_of_years_sees_how_far_they_have_come(
    path: Path, monkeypatch: pytest.MonkeyPatch, many: int, ends: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    """And then what was left out; where nobody watches, only that."""
    monkeypatch.setattr("companion.progress.MANY", many)
    lay(path, FREE, {"do": "roll", "dice": [7]})
    lay(path, FREE, {"do": "roll", "dice": [6]})
    with monkeypatch.context() as watching:
        watching.setattr(sys, "stderr", seen := Watched())
        assert games(path, "stats") == 0
    assert games(path, "stats") == 0
    told = (seen.getvalue().count("] 1/2"), seen.getvalue().count("] 2/2\n"), capsys.readouterr().err.count("2/2"))
    assert list(told) == ends
    assert seen.getvalue().splitlines()[-1].startswith("left out: game 1 differs")


def test_a_game_that_does_not_retell_is_left_out_and_told(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay(path, FREE, {"do": "roll", "dice": [7]})
    lay(path, FREE, {"do": "roll", "dice": [6]})
    assert games(path, "stats", "--json") == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["number_dice"]["thrown"] == 1
    assert told.err.startswith("left out: game 1 differs at line 2")
    assert games(path, "stats", "1") == 1


@pytest.mark.parametrize(
    ("chi_square", "freedom", "p"),  # from tables of the chi-square distribution
    [
        (0, 5, 1.0),
        (11.0705, 5, 0.05),
        (15.0863, 5, 0.01),
        (4.3515, 5, 0.5),
        (5.9915, 2, 0.05),
        (9.4877, 4, 0.05),
        (3.8415, 1, 0.05),
    ],
)
def test_the_p_value_is_that_of_the_tables(chi_square: float, freedom: int, p: float) -> None:
    assert chance_of_more(chi_square, freedom) == pytest.approx(p, abs=1e-5)


def test_the_p_values_of_fair_dice_are_evenly_spread() -> None:
    chance = random.Random(4)
    ps = sorted(number_dice(chance.choices(range(1, 7), k=300)).p or 0 for _ in range(400))
    assert max(abs(p - (place + 0.5) / 400) for place, p in enumerate(ps)) < 0.08  # Kolmogorov–Smirnov, 1 % level


def test_a_loaded_die_is_noticed_as_often_as_said() -> None:
    chance = random.Random(5)
    weights = (0.15, 0.15, 0.15, 0.15, 0.15, 0.25)
    found = sum(
        (number_dice(chance.choices(range(1, 7), weights, k=throws_to_notice(0.25))).p or 0) < 0.05 for _ in range(400)
    )
    assert 0.74 < found / 400 < 0.86


def test_verdicts_say_unusual_only_where_it_is() -> None:
    assert number_dice([]).verdict == "Nothing was thrown."
    assert number_dice([1, 2, 3, 4, 5, 6] * 5).verdict == (
        "Of 100 sets of fair dice, 100 would stray at least so far. Nothing unusual."
    )
    assert number_dice([*[1, 2, 3, 4, 5, 6] * 4, 1, 2, 3, 4, 5]).verdict == (
        "29 throws are too few to say anything; the test begins to hold at 30."
    )
    assert number_dice([1, 2, 3, 4, 5, 6] * 10).verdict == (
        "Of 100 sets of fair dice, 100 would stray at least so far. Nothing unusual."
    )
    assert number_dice([1] * 60).verdict == (
        "Of 100 sets of fair dice, fewer than 1 would stray at least so far. That is unusual, and no proof: who looks "
        "at 20 fair sets finds one such."
    )
    for counts, told in (
        ((18, 9, 9, 8, 8, 8), "17 would stray at least so far. Nothing unusual."),
        ((20, 8, 8, 8, 8, 8), "3 would stray at least so far. That is unusual, "),
        ((21, 9, 8, 8, 7, 7), "1 would stray at least so far. That is unusual, "),
    ):
        assert Fairness(tuple("123456"), counts).verdict.startswith(f"Of 100 sets of fair dice, {told}")
    assert wild_die(["swap"] * 3 + ["lowest"]).counts == (1, 0, 3)


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_a_plot_is_drawn(path: Path, ending: str, capsys: pytest.CaptureFixture[str]) -> None:
    fill(path, ROLL)
    file = path.with_name(f"dice.{ending}")
    assert games(path, "stats", "--plot", str(file)) == 0
    assert capsys.readouterr().err == f"the plot is in {file}\n"
    if ending == "png":
        with Image.open(file) as image:
            assert image.size == (1280, 800)
    else:
        assert ElementTree.parse(file).getroot().tag.endswith("svg")


def test_a_plot_of_another_kind_or_in_no_folder_is_told(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(path, FREE, lines=3)
    with pytest.raises(SystemExit, match="2"):
        games(path, "stats", "--plot", "dice.gif")
    assert "argument --plot: 'dice.gif': a plot is a .svg or .png file\n" in capsys.readouterr().err
    assert games(path, "stats", "--plot", "/no/such/folder/dice.svg") == 1
    assert capsys.readouterr().err == (
        "/no/such/folder/dice.svg: the plot cannot be written there: No such file or directory\n"
    )


@pytest.mark.parametrize("action", [("stats",), ("show", "1")])
@pytest.mark.parametrize("ending", ["", "-wal", "-shm", ".lock"])
def test_no_plot_is_drawn_over_the_journal_whatever_it_is_called(
    path: Path, ending: str, action: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    journal, file = path.with_name("games.svg"), path.with_name("plot.svg")
    fill(journal, FREE, lines=3)
    before = journal.read_bytes()
    file.symlink_to(f"games.svg{ending}")
    for plot in (file, *((journal,) if not ending else ())):
        assert games(journal, *action, "--plot", str(plot)) == 1
        assert capsys.readouterr() == ("", f"{plot} belongs to the journal; name another file for the plot\n")
    assert journal.read_bytes() == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("ending", ["svg", "png"])
def test_a_plot_that_finds_no_room_is_told(path: Path, ending: str, capsys: pytest.CaptureFixture[str]) -> None:
    fill(path, FREE, lines=3)
    file = path.with_name(f"dice.{ending}")
    file.symlink_to("/dev/full")
    assert games(path, "stats", "--plot", str(file)) == 1
    assert capsys.readouterr().err == f"{file}: the plot cannot be written there: No space left on device\n"
    assert file.is_symlink()


# -- damage


def test_only_a_damaged_journal_is_set_aside(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(path, FREE, lines=10)
    assert games(path, "set-aside") == 1
    assert "it is not damaged" in capsys.readouterr().err
    path.write_bytes(path.read_bytes().replace(b'"free"', b'"fret"'))
    assert games(path, "list") == 0
    assert "fret" in capsys.readouterr().out
    assert games(path, "show") == 1
    assert "the lines of game 1 were changed" in capsys.readouterr().err
    assert games(path, "set-aside") == 0
    assert capsys.readouterr().out.endswith("; nothing in it is sound, and a new one is begun\n")
    assert games(path, "list") == 0
    assert capsys.readouterr().out == "no game was played yet\n"


def test_a_letter_that_cannot_be_read_hides_no_other_game(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(path, {**FREE, "players": ["Zed", "Bo"]}, {**FREE, "players": ["Cy", "Di"]}, lines=10)
    path.write_bytes(path.read_bytes().replace(b'"Zed"', b'"\xdaed"'))
    assert games(path, "list", "--json") == 0
    assert [game["players"] for game in json.loads(capsys.readouterr().out)] == [["\ufffded", "Bo"], ["Cy", "Di"]]
    assert games(path, "show", "last") == 0
    assert games(path, "show", "1") == 1
    assert "the lines of game 1 were changed" in capsys.readouterr().err
    assert games(path, "set-aside") == 0
    assert capsys.readouterr().out.endswith("; one game is carried into a new one; of game 1 nothing is sound\n")


def test_the_command_that_sets_a_damaged_journal_aside_can_be_copied_whatever_its_folder_is_called(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "CLUB'S DRIVE" / "journal.db"
    path.parent.mkdir()
    path.touch()
    assert games(path) == 1
    advised = capsys.readouterr().err.rsplit("with: ", 1)[1]
    assert shlex.split(advised) == ["companion", "games", "set-aside", "--journal", str(path)]
    assert main(shlex.split(advised)[1:]) == 0
    assert kept_aside(path)


def test_a_damaged_index_and_a_damaged_set_up_are_set_aside_too(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(path, FREE, lines=10)
    with closing(sqlite3.connect(path)) as database:
        (index,) = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'spoken'").fetchone()
    content = path.read_bytes()
    path.write_bytes(content[: (index - 1) * 4096] + content[4096:8192] + content[index * 4096 :])
    assert games(path, "set-aside") == 0
    assert capsys.readouterr().out.endswith("; one game is carried into a new one\n")
    with Journal.open(path) as journal:
        journal.new_sitting()
        journal.note('{"seats": []}')
    path.write_bytes(path.read_bytes().replace(b'"seats"', b'"sects"'))
    assert games(path, "set-aside") == 0
    assert capsys.readouterr().out.endswith("; one game is carried into a new one\n")


def test_what_is_sound_of_a_journal_that_is_set_aside_stays_and_the_list_tells_of_the_other(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(path, {**FREE, "players": ["Zed", "Bo"]}, CAT, {**FREE, "players": ["Cy", "Di"]}, lines=10)
    path.chmod(0o640)
    path.write_bytes(path.read_bytes().replace(b'"Zed"', b'"Eve"'))
    assert games(path, "show", "1") == 1
    assert games(path, "set-aside") == 0
    (aside,) = kept_aside(path)
    told = capsys.readouterr().out
    assert (
        told
        == f"the damaged journal is kept as {aside}; 2 games are carried into a new one; of game 1 nothing is sound\n"
    )
    assert path.stat().st_mode & 0o777 == 0o640
    assert games(path, "show", "3") == 0
    assert games(path, "list", "--json") == 0
    listed = capsys.readouterr()
    assert [game["number"] for game in json.loads(listed.out[listed.out.rindex("\n[") :])] == [2, 3]
    assert listed.err == f"a damaged journal is kept as {aside}; games of it may be missing here, or cut short\n"


@pytest.mark.usefixtures("east")
def test_a_journal_is_set_aside_under_the_time_that_the_daemon_names_too(path: Path) -> None:
    fill(path, FREE, lines=3)
    path.write_bytes(path.read_bytes().replace(b'"free"', b'"fret"'))
    began = datetime.now(UTC).replace(microsecond=0, tzinfo=None)
    assert games(path, "set-aside") == 0
    (aside,) = kept_aside(path)
    named = datetime.strptime(aside.name, "journal.db.corrupt-%Y-%m-%dT%H%M%S")
    assert timedelta(0) <= named - began < timedelta(hours=1)


def test_a_journal_that_is_not_there_is_told(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert games(path, "list") == 1
    assert "it does not exist" in capsys.readouterr().err


# -- tables


def test_tables_line_up_with_wide_letters_and_cannot_move_the_cursor() -> None:
    rows = [("Åse\x1b[H", 5), ("山田", None)]
    assert as_text(("Name", "Sum"), rows) == "Name    Sum\nÅse·[H    5\n山田      –"


def test_a_column_of_words_and_numbers_stands_left_as_words_do() -> None:
    assert as_text(("Won", "Of"), [("no", 1), (12, 10)]) == "Won  Of\nno    1\n12   10"


def test_csv_holds_no_formula() -> None:
    assert as_csv(("Name",), [("=1+1",), ("a,b",), (None,), (-3,)]) == 'Name\n\'=1+1\n"a,b"\n""\n-3\n'
    begun = "".join(f"{mark}1+1\n" for mark in ("'=", "'+", "'-", "'@", "·", "·"))
    assert as_csv(("Name",), [(f"{mark}1+1",) for mark in "=+-@\t\r"]) == f"Name\n{begun}"
