"""The examples of `companion referee --help` and of its messages: lines that it takes, and of every action."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from companion import referee
from companion.core import Malformed
from companion.games import examples
from companion.games.members import Message
from companion.games.roll import ACTIONS as OF_ROLL
from companion.referee import GAMES, begin, parse

TRACK = {"cards": "track", "market": [1, 2, 3, 4, 5]}


def is_well_formed(game: str, line: Message) -> bool:
    """Whether a game of some settings could take it."""
    start = examples.START[game][0]
    every: tuple[Message, ...] = ({}, TRACK, {"players": ["Ana", "Bo", "Cy"]}) if game == "roll" else ({},)
    for settings in every:
        try:
            parse(begin({**start, **settings}), line)
        except Malformed:
            continue
        return True
    return False


@pytest.mark.parametrize("game", GAMES)
def test_every_action_of_a_game_has_an_example_that_it_takes(game: str) -> None:
    lines = [line for line, _says in examples.ACTIONS[game]]
    assert {line["do"] for line in lines} == GAMES[game].ACTIONS
    assert [line for line in lines if not is_well_formed(game, line)] == []


@pytest.mark.parametrize("settings", [{}, TRACK])
def test_the_first_example_of_an_action_of_roll_is_one_whatever_is_tracked(settings: dict[str, object]) -> None:
    match = begin({**examples.START["roll"][0], **settings})
    for do in OF_ROLL:
        assert parse(match, first_of(do)).do == do


def first_of(do: str) -> Message:
    return next(line for line, _says in examples.ACTIONS["roll"] if line["do"] == do)


@pytest.mark.parametrize(
    "more",
    [
        ("roll", {"first": 0, "pawn": 0, "pool": 20, "cards": "ask"}),
        ("roll", TRACK),
        *(("cat", {"end": end, "pace": "full"}) for end in ({"limit": 100}, {"rounds": 3}, {"minutes": 30})),
        ("cat", {"dealer": 0, "scores": True, "younger": False, "pace": "light"}),
        ("free", {"dice": 2}),
    ],
)
def test_what_a_start_may_have_more_is_told_as_it_is_taken(more: tuple[str, dict[str, object]]) -> None:
    game, members = more
    line, told = examples.START[game]
    begin({**line, **members})
    assert [name for name in members if f'"{name}"' not in told] == []


def test_help_tells_every_line_and_what_the_numbers_of_rules_are() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "companion", "referee", "--help"], capture_output=True, text=True, check=True
    ).stdout
    lines = [line for game in GAMES for line, _says in (examples.START[game], *examples.ACTIONS[game])]
    for line in (*map(examples.written, (*lines, {"do": "state"}, {"do": "undo"})), "A message may name a rule"):
        assert line in told
    assert max(map(len, told.splitlines())) <= 120


@pytest.mark.parametrize("do", sorted(referee.ACTIONS))
def test_a_line_without_its_members_is_answered_with_an_example(do: str) -> None:
    game = next(name for name, rules in GAMES.items() if do in rules.ACTIONS)
    with pytest.raises(Malformed, match="unknown member 'why'") as refused:
        parse(begin(examples.START[game][0]), {"do": do, "why": 1})
    assert refused.value.message.endswith(f"; an example: {examples.of(game, do)}")
    assert refused.value.code == "malformed"


MATCHES = {
    "roll, two, ask": {},
    "roll, two, track": TRACK,
    "roll, three, ask": {"players": ["Ana", "Bo", "Cy"]},
    "roll, five, track": {"players": ["Ana", "Bo", "Cy", "Di", "Ed"], **TRACK},
    "cat, full": {"pace": "full"},
    "free, one die": {"dice": 1},
}


@pytest.mark.parametrize("named", MATCHES)
def test_an_example_is_a_line_that_the_game_which_goes_on_could_take(named: str) -> None:
    """Whatever member of whatever line is left out, and with one that nobody knows."""
    game = named.split(",")[0]
    match = begin({**examples.START[game][0], **MATCHES[named]})
    told = 0
    for line, _says in examples.ACTIONS[game]:
        for left in ("do", *line):
            without = {name: value for name, value in line.items() if name == "do" or name != left}
            for sent in (without, {**without, "why": 1}):
                try:
                    parse(match, sent)
                except Malformed as refused:
                    _, found, example = refused.message.partition("; an example: ")
                    if found:
                        told += 1
                        assert parse(match, json.loads(example)).do == line["do"]
    assert told > len(examples.ACTIONS[game])


@pytest.mark.parametrize(
    ("do", "told"), [("draw", {"pace": "full"}), ("refill", {"cards": "track"}), ("redeal", {"cards": "track"})]
)
def test_before_a_game_that_start_is_told_which_allows_the_action_at_all(do: str, told: dict[str, object]) -> None:
    start = json.loads(examples.of_any(do))
    assert start.items() >= told.items()
    begin(start)
