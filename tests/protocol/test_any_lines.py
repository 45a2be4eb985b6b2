"""Thousands of legal, illegal, malformed and binary lines: one answer each, and nothing changed by a refused one."""

from __future__ import annotations

import io
import json
import random
from itertools import islice
from typing import Any

import pytest
from talking import Table, well_made

from companion import protocol
from companion.referee import legal

Line = dict[str, Any]
NAMES = ["Ana", "Bo", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal"]
ODD = (
    None,
    True,
    False,
    -1,
    0,
    1,
    5,
    9,
    10,
    2**53,
    10**40,
    0.5,
    1e300,
    "",
    "x",
    "market",
    "deck",
    "swap",
    [],
    [[]],
    {},
)
MEMBERS = (
    *("do", "at", "dice", "which", "face", "from", "rat", "region", "player", "slot", "mine", "theirs", "value"),
    *("market", "cards", "total", "force", "card", "discarded", "game", "players", "end", "why", ""),
)
ACTIONS = (
    *("roll", "accept", "reroll", "wild", "skip", "take", "peek", "swap", "decline", "discard", "refill", "redeal"),
    *("reveal", "end", "knock", "draw", "replace", "draw2", "score", "deal", "undo", "state", "start", "jump"),
)


def start(chance: random.Random) -> Line:
    game = chance.choice(("roll", "roll", "cat", "free"))
    line: Line = {"do": "start", "game": game, "players": NAMES[: chance.randrange(2, 6)]}
    match game:
        case "roll" if chance.random() < 0.5:
            return line | {"cards": "track", "market": [chance.randrange(10) for _ in range(5)], "pool": 1}
        case "cat":
            end = chance.choice(({"rounds": 2}, {"minutes": 0.01}, {"limit": 30}))
            return line | {"pace": chance.choice(("light", "full")), "younger": chance.random() < 0.5, "end": end}
    return line


def legal_line(table: Table, chance: random.Random) -> Line:
    """One of the first legal lines, all of them where they are few."""
    match = table._talk._match
    lines = [] if match is None else list(islice(legal(match), chance.choice((2, 300))))
    return chance.choice(lines) if lines else start(chance)


def spoiled(line: Line, chance: random.Random) -> Line:
    line = dict(line)
    for _ in range(chance.randrange(1, 3)):
        member = chance.choice((*line, chance.choice(MEMBERS)))
        match chance.randrange(3):
            case 0:
                line.pop(member, None)
            case 1:
                line[member] = chance.choice(ODD)
            case 2 if isinstance(line.get(member), list):
                line[member] = [*line[member], chance.choice(ODD)]
    return line


def invented(chance: random.Random) -> Line:
    chosen = chance.sample(MEMBERS[1:], chance.randrange(4))
    return {"do": chance.choice(ACTIONS)} | {member: chance.choice(ODD) for member in chosen}


def junk(chance: random.Random) -> bytes:
    match chance.randrange(3):
        case 0:
            return chance.randbytes(chance.randrange(60)).replace(b"\n", b"")
        case 1:
            text = bytearray(json.dumps(start(chance)).encode())
            text[chance.randrange(len(text))] = chance.randrange(11, 256)
            return bytes(text)
    return b"".join(chance.choices((b"{", b"}", b"[", b"]", b'"do"', b":", b",", b'"state"', b"1e9", b"NaN"), k=9))


@pytest.mark.parametrize("seed", range(6))
def test_any_line_has_one_answer_and_a_refused_one_changes_nothing(seed):
    chance = random.Random(seed)
    table = Table()
    codes = set()
    for _ in range(1500):
        table.clock_s += chance.choice((0, 0, 0.1))
        match chance.choices(range(5), weights=(50, 20, 10, 10, 1))[0]:
            case 0:
                assert table.code(legal_line(table, chance)) == "ok"
            case 1:
                codes.add(table.code(spoiled(legal_line(table, chance), chance)))
            case 2:
                codes.add(table.code(invented(chance)))
            case 3:
                codes.add(table.code(junk(chance)))
            case 4:
                codes.add(table.code(start(chance)))
    assert codes >= {"ok", "malformed", "illegal"}


def test_a_whole_stream_of_lines_has_as_many_answers():
    chance = random.Random(11)
    said = []
    for _ in range(2000):
        line = chance.choice((invented, start, junk))(chance)
        said.append(line if isinstance(line, bytes) else json.dumps(line).encode())
    told = io.BytesIO()
    protocol.talk(io.BytesIO(b"\n".join(said)), told, lambda: 0.0)
    answers = told.getvalue().splitlines(keepends=True)
    assert len(answers) == len(said)
    for answer in answers:
        well_made(json.loads(answer))
