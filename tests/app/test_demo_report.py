"""What the demo tells of a game."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.demo.report import NEXT, Report, ended, told
from companion.events import NOWHERE, Die, Reading, Settled, Why, WildDie, WildSettled
from companion.games import cat, free, roll
from companion.referee import ACTIONS, begin, play
from companion.table.acting import Decision
from companion.table.company import Sitting
from companion.table.questions import Value
from companion.table.state import Table

CAT = {"do": "start", "game": "cat", "players": ["Ana", "Bo"], "end": {"rounds": 1}}


@pytest.mark.parametrize(
    ("scores", "totals", "told"),
    [
        (True, (7, 3), "winner: Bo with 3 points"),
        (True, (1, 3), "winner: Ana with 1 point"),
        (True, (0, 0), "winner: Ana and Bo with 0 points"),
        (False, (7, 3), "winner: Bo with 1 round"),
    ],
)
def test_who_won_is_told_with_what(scores: bool, totals: tuple[int, int], told: str) -> None:
    actions: tuple[dict[str, Any], ...] = (
        {"do": "knock"},
        {"do": "end"},
        *({"do": "score", "player": player, "total": total} for player, total in enumerate(totals)),
    )
    match = begin(CAT | {"scores": scores})
    for action in actions:
        match = play(match, action, 0.0)
    assert ended(match) == told


ROLL = {"do": "start", "game": "roll", "players": ["Ana", "Bo"]}
FREE = {"do": "start", "game": "free", "players": ["Ana", "Bo"]}
TOLD: list[tuple[dict[str, Any], str, str]] = [
    (ROLL, '{"do": "roll", "dice": [3, 4]}', "Ana: rolls 3 + 4 = 7"),
    (ROLL, '{"do": "accept"}', "Ana: keeps what was rolled"),
    (ROLL, '{"do": "reroll", "face": "swap"}', "Ana: spends a token and re-rolls the Wild die: swap"),
    (ROLL, '{"do": "wild", "face": "lowest"}', "Ana: rolls the Wild die: lowest"),
    (ROLL, '{"do": "skip"}', "Ana: has all cards, and does not roll"),
    (ROLL, '{"do": "take", "from": "market", "rat": true}', "Ana: takes from the market, a rat"),
    (ROLL, '{"do": "peek", "player": 0}', "Ana: looks at all own cards"),
    (ROLL, '{"do": "peek", "player": 1, "slot": 0}', "Ana: looks at a card of Bo"),
    (ROLL, '{"do": "swap", "mine": 0, "player": 1, "theirs": 0}', "Ana: swaps a card with Bo"),
    (ROLL, '{"do": "decline"}', "Ana: swaps no card"),
    (ROLL, '{"do": "discard", "slot": 0}', "Ana: puts an older card under the deck"),
    (ROLL, '{"do": "refill", "value": 7}', "Ana: a 7 is dealt"),
    (ROLL, '{"do": "redeal", "market": [1, 2, 3, 4, 5]}', "Ana: five new cards are dealt: 1 2 3 4 5"),
    (ROLL, '{"do": "reveal", "player": 1, "cards": [1, 2, 3, 4]}', "Bo has 10 points"),
    (ROLL, '{"do": "undo"}', "Ana: takes the last step back"),
    (CAT, '{"do": "draw", "from": "discard"}', "Bo: draws from the discard"),
    (CAT, '{"do": "draw", "from": "deck", "card": "peek"}', "Bo: draws from the deck: peek"),
    (CAT, '{"do": "replace", "slot": 0, "discarded": "power"}', "Bo: keeps the card, and discards a power card"),
    (CAT, '{"do": "discard"}', "Bo: discards the drawn card"),
    (CAT, '{"do": "peek", "slot": 0}', "Bo: looks at a card"),
    (CAT, '{"do": "draw2"}', "Bo: uses Draw 2"),
    (CAT, '{"do": "knock"}', "Bo: knocks"),
    (CAT, '{"do": "end"}', "Bo: ends the turn"),
    (CAT, '{"do": "score", "player": 0, "total": 7}', "Ana has 7 points in this round"),
    (CAT, '{"do": "score", "player": 1, "cards": [0, 0, 1, 0]}', "Bo has 1 point in this round"),
    (CAT, '{"do": "deal"}', "Bo: deals the next round"),
    (FREE, '{"do": "end"}', "Ana: ends the game"),
]


@pytest.mark.parametrize(("start", "action", "words"), TOLD)
def test_an_action_is_told_in_words(start: dict[str, Any], action: str, words: str) -> None:
    assert told(begin(start), json.loads(action)) == words


@pytest.mark.parametrize(
    ("start", "dice", "which", "thrown", "words"),
    [
        (ROLL, [1, 4], [0], [3], "Ana: spends a token and re-rolls the 1: 3 + 4 = 7"),
        (ROLL, [1, 4, 2], [0, 2], [5, 2], "Ana: spends a token and re-rolls the 1 and 2: 5 + 4 + 2 = 11"),
        (FREE, [3], [0], [3], "Ana: re-rolls the 3: 3"),
    ],
)
def test_a_re_roll_is_told_with_the_dice_thrown_again_and_what_lies_there_then(
    start: dict[str, Any], dice: list[int], which: list[int], thrown: list[int], words: str
) -> None:
    rolled = play(begin(start), {"do": "roll", "dice": dice}, 0.0)
    assert told(rolled, {"do": "reroll", "which": which, "dice": thrown}) == words


def test_a_re_roll_put_right_is_told_by_the_dice_before_it() -> None:
    said: list[str] = []
    rolled = play(begin(ROLL), {"do": "roll", "dice": [1, 4]}, 0.0)
    wrong, meant = ({"do": "reroll", "which": [0], "dice": [value]} for value in (3, 5))
    report = Report(said.append)
    report.begin(Table(match=play(rolled, wrong, 0.0)))
    said.clear()
    report.decided(Decision(Table(match=play(rolled, meant, 0.0)), actions=({"do": "undo"}, meant)))
    assert said == ["Ana: takes the last step back", "Ana: spends a token and re-rolls the 1: 5 + 4 = 9"]


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (
            Settled(Reading((Die(3, NOWHERE, 1.0), Die(None, NOWHERE, 0.0)), False, Why.FAINT)),
            "3 ? (unsure: a face is hard to read)",
        ),
        (Settled(Reading((Die(5, NOWHERE, 1.0),), True)), "5 (sure)"),
        (Settled(Reading((), True)), "nothing (sure)"),
        (Settled(Reading((), False, Why.FAINT)), "nothing (unsure: nothing can be told apart in this picture)"),
        (Settled(Reading((Die(5, NOWHERE, 1.0),), False)), "5 (unsure)"),
        (WildSettled(WildDie("swap", NOWHERE, 1.0)), "Wild die swap (sure)"),
        (WildSettled(WildDie(None, NOWHERE, 0.0, Why.CHANGED)), "Wild die ? (unsure: a die changed after it was read)"),
    ],
)
def test_what_lies_in_the_tray_is_told_with_how_sure_it_is(fact: Settled | WildSettled, words: str) -> None:
    said: list[str] = []
    Report(said.append).seen(fact)
    assert said == [f"tray: {words}"]


@pytest.mark.parametrize(
    ("asked", "needs"),
    [
        ((None, None), ""),
        (("cat", 2), ""),
        (("roll", None), "--game roll"),
        (("cat", 4), "--players 4"),
        (("roll", 3), "--game roll --players 3"),
    ],
)
def test_a_game_that_was_left_is_told_with_its_players_and_what_is_not_as_asked(
    asked: tuple[str | None, int | None], needs: str
) -> None:
    said: list[str] = []
    Report(said.append).begin(Table(match=begin(CAT)), *asked)
    other = f"the game that was left is played first: {needs} needs another --journal"
    assert said == ["Rat-a-Tat Cat of Ana and Bo goes on: round 1, it is Bo's turn", *([other] if needs else [])]


@pytest.mark.parametrize(
    ("names", "whose"), [(["Ana"], "Ana"), (["Ana", "Bo", "Cleo"], "Ana, Bo and Cleo")], ids=["one", "three"]
)
def test_however_many_play_are_told_when_their_game_goes_on(names: list[str], whose: str) -> None:
    said: list[str] = []
    Report(said.append).begin(Table(match=begin(FREE | {"players": names})))
    assert said == [f"Free table of {whose} goes on: turn 1, Ana is to roll"]


def test_every_step_of_a_game_that_runs_has_words() -> None:
    rules = (roll.legal.STEP_RULE, cat.legal.STEP_RULE, free.STEP_RULE)
    assert set(NEXT) == set().union(*rules) - {"over"}


BEFORE = Sitting({"game": "cat", "players": ["Ana", "Bo", "Cleo"]}, (0, 1, 2))


@pytest.mark.parametrize(
    ("answers", "asked", "told"),
    [
        ((), 4, None),
        ((("welcome", True),), 4, None),
        ((("welcome", True), ("players", 2)), None, (2, False)),
        ((("welcome", True), ("players", 2), ("name 0", "Ana")), 2, (2, False)),
        ((("welcome", True), ("players", 2), ("name 0", "Ana")), 4, (2, True)),
        ((("welcome", True), ("again", True)), 4, (3, True)),
        ((("welcome", True), ("again", False)), 4, None),
    ],
)
def test_how_many_were_being_seated_is_told_and_whether_that_is_not_as_asked(
    answers: tuple[tuple[str, Value], ...], asked: int | None, told: tuple[int, bool] | None
) -> None:
    said: list[str] = []
    Report(said.append).begin(Table(answers=answers, last=BEFORE), "cat", asked)
    assert said == (
        []
        if told is None
        else [
            f"a game was being set up for {told[0]} players: that goes on",
            *([f"what was answered then holds: --players {asked} needs another --journal"] if told[1] else []),
        ]
    )


def test_no_action_is_without_words() -> None:
    assert {json.loads(action)["do"] for _start, action, _words in TOLD} == {*ACTIONS, "undo"}
