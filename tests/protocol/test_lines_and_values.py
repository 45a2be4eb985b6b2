"""The protocol's lines, values, errors, undo and time: each sentence of the fine print that is no game's own."""

from __future__ import annotations

import io
import itertools
import json

import pytest
from talking import Table

from companion import protocol

ROLL = {"do": "start", "game": "roll", "players": ["Ana", "Bo"]}
CAT = {"do": "start", "game": "cat", "players": ["Ana", "Bo"]}
FREE = {"do": "start", "game": "free", "players": ["Ana", "Bo"]}
LARGEST = 9007199254740991


@pytest.fixture
def table():
    return Table()


def answers(said: bytes) -> list[bytes]:
    told = io.BytesIO()
    protocol.talk(io.BytesIO(said), told, lambda: 0.0)
    return told.getvalue().splitlines(keepends=True)


def test_the_example_of_the_protocol(table):
    first = table.tell('{"do":"start","game":"roll","players":["Ana","Bo"],"first":0}')
    assert (first["ok"], first["ask"]) == (True, {"player": 0, "actions": ["roll"]})
    second = table.tell('{"do":"roll","dice":[3,7]}')
    assert second["error"] == {"code": "malformed", "message": "die 2 shows 7; number dice show 1–6"}
    assert (second["ok"], second["state"], second["ask"]) == (False, first["state"], first["ask"])


def test_a_line_ends_at_newline_only():
    for inside in ("\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028"):
        said = f'{{"do":"state"}}{inside}{{"do":"state"}}\n'.encode()
        (only,) = answers(said)
        assert b'"malformed"' in only
    assert len(answers(b'{"do":"state"}\r\n{"do":"state"}\r\n')) == 2
    assert b'"ok":true' in answers(b'{"do":"state"}\r\n')[0]


def test_the_last_line_is_answered_without_a_newline_and_no_input_has_no_answer():
    assert len(answers(b'{"do":"state"}\n{"do":"state"}')) == 2
    assert answers(b"") == []
    assert len(answers(b"\n\n ")) == 3


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"   ",
        b"\n",
        b"nonsense",
        b"[]",
        b"3",
        b"null",
        b'"state"',
        b'[{"do":"state"}]',
        b'{"do":"state"',
        b'{"do":"state"}}',
        b'{"do":"state"}{"do":"state"}',
        b"{'do':'state'}",
        b'{"do":"state",}',
        b'{do:"state"}',
        b'{"do":"state"} // look',
        b'{"do":"st\nate"}',
        b'{"do":"state","at":01}',
        b'{"do":"state","at":.5}',
        b'{"do":"state","at":+5}',
        b'{"do":"state","at":0x5}',
        b'{"do":"state","at":NaN}',
        b'{"do":"state","at":Infinity}',
        b'{"do":"state","at":-Infinity}',
        b'{"do":"state","at":1e999}',
        b'{"do":"state","at":' + b"9" * 400 + b"}",
        b'{"do":"state","at":' + b"9" * 5000 + b"}",
        b'{"do":"state","do":"state"}',
        b'{"do":"state","\\u0064o":"state"}',
        b'{"do":"state","at":1,"at":1}',
        b'{"do":"state\xff"}',
        b'\xef\xbb\xbf{"do":"state"}',
        b'{"do":"\xed\xa0\x80"}',
        b"\x00",
        b"\x80\x81\x82",
        b"[" * 100_000,
        b"[" * 100_000 + b"]" * 100_000,
        b'{"do":' * 100_000,
        b'{"do":"state","at":' + b"[" * 900 + b"]" * 900 + b"}",
    ],
)
def test_what_is_not_a_json_object_is_malformed(table, line):
    table.start()
    assert table.code(line) == "malformed"
    assert table.code({"do": "state"}) == "ok"


@pytest.mark.parametrize("name", ["NaN", "Infinity", "-Infinity"])
def test_what_python_alone_takes_for_a_number_is_told_to_be_none(table, name):
    told = {"code": "malformed", "message": f"{name} is no JSON number"}
    assert table.tell(f'{{"do":"state","at":{name}}}')["error"] == told


def test_a_member_that_occurs_twice_inside_is_malformed(table):
    assert table.code('{"do":"start","game":"cat","players":["Ana","Bo"],"end":{"rounds":1,"rounds":2}}') == "malformed"


def test_a_huge_line_is_malformed_and_the_next_is_answered():
    huge = b'{"do":"' + b"x" * (protocol.LONGEST_LINE + 1) + b'"}\n'
    first, second = answers(huge + b'{"do":"state"}')
    assert b'"malformed"' in first
    assert b'"ok":true' in second
    assert len(answers(b"x" * (2 * protocol.LONGEST_LINE))) == 1


def test_the_longest_line_that_is_read_is_as_long_as_the_refusal_of_a_longer_one_says():
    longest = b'{"do":"state"}'.ljust(protocol.LONGEST_LINE)
    assert [json.loads(answer)["ok"] for answer in answers(longest[:-1] + b"\n" + longest)] == [True, True]
    (refused,) = answers(longest + b"\n")
    told = {"code": "malformed", "message": f"the line and its end are longer than {protocol.LONGEST_LINE} bytes"}
    assert json.loads(refused)["error"] == told


class Endless(io.RawIOBase):
    """100 MB without a newline; counts how much was wanted at once."""

    def __init__(self) -> None:
        self.left = 100_000_000
        self.most = 0

    def readline(self, size: int | None = -1, /) -> bytes:
        assert size is not None
        assert size > 0
        self.most = max(self.most, size)
        piece = b"x" * min(size, self.left)
        self.left -= len(piece)
        return piece


def test_a_line_of_100_megabytes_is_never_held():
    endless = Endless()
    assert list(protocol.lines(endless)) == [None]  # type: ignore[arg-type]
    assert endless.left == 0
    assert endless.most <= protocol.LONGEST_LINE + 1


def test_a_long_line_that_is_well_formed_is_read():
    name = "A" * 1_000_000
    (answer,) = answers(b'{"do":"start","game":"free","players":["' + name.encode() + b'"]}')
    assert b'"ok":true' in answer


@pytest.mark.parametrize(
    "line",
    [
        {},
        {"do": None},
        {"do": 3},
        {"do": ["state"]},
        {"do": "State"},
        {"do": "state "},
        {"do": "jump"},
        {"do": "state", "why": 1},
        {"do": "undo", "steps": 1},
        {"do": "state", "game": "roll"},
        {"do": "roll"},
        {"do": "roll", "dice": [1], "extra": None},
        {"do": "roll", "dice": None},
        {"do": "roll", "dice": "3"},
        {"do": "roll", "dice": {"0": 3}},
        {"do": "accept", "at": None},
        {"do": "accept", "at": "1"},
        {"do": "accept", "at": True},
        {"do": "accept", "at": -1},
        {"do": "accept", "at": -0.001},
        {"do": "accept", "at": [1]},
    ],
)
def test_unknown_and_missing_members_and_wrong_types_are_malformed(table, line):
    table.start()
    assert table.code(line) == "malformed"


def test_an_integer_is_written_without_fraction_or_exponent_and_true_is_none(table):
    for value in ("0.0", "0e0", "0E0", "true", "false", "null", '"0"', "[0]"):
        line = f'{{"do":"start","game":"roll","players":["Ana","Bo"],"first":{value}}}'
        assert table.code(line) == "malformed"
    assert table.code('{"do":"start","game":"roll","players":["Ana","Bo"],"first":-0}') == "ok"


def test_integers_without_a_stated_maximum_go_up_to_the_largest_safe_one(table):
    for line, member in ((ROLL, "pool"), (CAT, "limit"), (CAT, "rounds")):
        for value, code in ((1, "ok"), (LARGEST, "ok"), (LARGEST + 1, "malformed"), (10**30, "malformed")):
            assert table.code(line | ({"pool": value} if member == "pool" else {"end": {member: value}})) == code
    assert table.code(ROLL | {"pool": -1}) == "malformed"


def test_minutes_and_at_are_finite_numbers_with_fractions(table):
    for minutes, code in ((0.5, "ok"), (1, "ok"), (0, "malformed"), (-1, "malformed"), (True, "malformed")):
        assert table.code(CAT | {"end": {"minutes": minutes}}) == code
    assert table.code('{"do":"start","game":"cat","players":["A","B"],"end":{"minutes":1e999}}') == "malformed"
    for at, code in ((0, "ok"), (0.25, "ok"), (1e300, "ok"), (-1, "malformed")):
        assert table.code(CAT | {"at": at}) == code


@pytest.mark.parametrize("start", [ROLL, CAT, FREE])
def test_names_are_compared_as_written_untrimmed(table, start):
    for names, code in (
        (["Ana", "Ana "], "ok"),
        (["Ana", "ana"], "ok"),
        ([" ", "  "], "ok"),
        (["A\u030a", "\u00c5"], "ok"),
        (["Ana", "Ana"], "malformed"),
        (["Ana", ""], "malformed"),
        (["Ana", 3], "malformed"),
        (["Ana", None], "malformed"),
        (["Ana", "\ud800"], "malformed"),
        (["Ana", "Bo\udfff"], "malformed"),
        ("Ana", "malformed"),
        ([], "malformed"),
    ):
        assert table.code(start | {"players": names}) == code


@pytest.mark.parametrize(
    ("start", "low", "high"),
    [(ROLL, 2, 5), (CAT, 2, 6), (FREE, 1, 8)],
)
def test_the_number_of_players(table, start, low, high):
    for count in range(10):
        players = [f"player {number}" for number in range(count)]
        assert table.code(start | {"players": players}) == ("ok" if low <= count <= high else "malformed")


@pytest.mark.parametrize(
    "line",
    [
        {"do": "start"},
        {"do": "start", "game": "roll"},
        {"do": "start", "players": ["Ana", "Bo"]},
        ROLL | {"game": "chess"},
        ROLL | {"game": None},
        ROLL | {"first": 2},
        ROLL | {"first": -1},
        ROLL | {"pawn": 1},
        ROLL | {"pawn": 20},
        ROLL | {"pawn": -4},
        ROLL | {"cards": "both"},
        ROLL | {"cards": "track"},
        ROLL | {"market": [0, 1, 2, 3, 4]},
        ROLL | {"cards": "track", "market": [0, 1, 2, 3]},
        ROLL | {"cards": "track", "market": [0, 1, 2, 3, 10]},
        ROLL | {"cards": "track", "market": [0, 1, 2, 3, None]},
        ROLL | {"dealer": 0},
        ROLL | {"dice": 2},
        ROLL | {"board": []},
        CAT | {"first": 0},
        CAT | {"dealer": 2},
        CAT | {"dealer": -1},
        CAT | {"end": {}},
        CAT | {"end": {"rounds": 0}},
        CAT | {"end": {"limit": 0}},
        CAT | {"end": {"rounds": 1, "limit": 1}},
        CAT | {"end": {"turns": 1}},
        CAT | {"end": {"rounds": 1.5}},
        CAT | {"end": "rounds"},
        CAT | {"end": None},
        CAT | {"scores": False},
        CAT | {"scores": False, "end": {"limit": 100}},
        CAT | {"scores": 0},
        CAT | {"younger": "no"},
        CAT | {"pace": "slow"},
        FREE | {"dice": 0},
        FREE | {"dice": 7},
        FREE | {"first": 0},
        ROLL | {"at": -1},
    ],
)
def test_a_start_that_is_not_accepted_is_malformed_and_changes_nothing(table, line):
    assert table.code(line) == "malformed"
    assert table.latest["state"] is None
    table.start("free", 3)
    assert table.code(line) == "malformed"
    assert table.latest["state"]["game"] == "free"


def test_a_start_without_a_game_or_with_an_unknown_one_says_so(table):
    missing = 'member "game" is missing; an example: {"do":"start","game":"roll","players":["Ana","Bo"]}'
    for game, message in (({}, missing), ({"game": 0}, "game must be one of roll, cat, free")):
        line = {"do": "start", "players": ["Ana"]} | game
        assert table.tell(line)["error"] == {"code": "malformed", "message": message}


def test_before_the_first_start(table):
    for action in (
        *("roll", "accept", "reroll", "wild", "skip", "take", "peek", "swap", "decline", "discard", "refill", "redeal"),
        *("reveal", "end", "knock", "draw", "replace", "draw2", "score", "deal", "undo"),
    ):
        assert table.code({"do": action}) == "illegal", action
    assert table.code({"do": "state"}) == "ok"
    assert table.latest == {"ok": True, "state": None, "ask": None}
    for other in ("jump", "", "Roll", "over"):
        assert table.code({"do": other}) == "malformed"
    assert table.code({"do": "roll", "dice": [1]}) == "illegal"
    assert table.code({"do": "undo", "why": 1}) == "malformed"
    assert table.code({"do": "state", "why": 1}) == "malformed"
    assert table.code({"do": "roll", "at": -1}) == "malformed"
    assert table.latest["state"] is None


def test_an_action_is_known_if_the_running_games_table_has_it_whatever_the_settings(table):
    table.start("roll")
    for unknown in ({"do": "knock"}, {"do": "end"}, {"do": "deal"}, {"do": "score", "player": 0, "total": 1}):
        assert table.code(unknown) == "malformed"
    assert table.code({"do": "refill", "value": 1}) == "illegal"
    assert table.code({"do": "refill", "value": 10}) == "malformed"
    assert table.code({"do": "redeal", "market": [0, 0, 0, 0, 0]}) == "illegal"
    table.start("cat")
    assert table.code({"do": "draw", "from": "discard"}) == "illegal"
    assert table.code({"do": "draw2"}) == "illegal"
    assert table.code({"do": "roll", "dice": [1]}) == "malformed"
    assert table.code({"do": "accept"}) == "malformed"
    table.start("free")
    assert table.code({"do": "wild", "face": "swap"}) == "malformed"
    assert table.code({"do": "knock"}) == "malformed"


@pytest.mark.parametrize(
    ("game", "actions"),
    [
        ("roll", ["accept", "skip", "decline"]),
        ("cat", ["end", "knock", "discard", "draw2", "deal"]),
        ("free", ["accept", "end"]),
    ],
)
def test_an_action_without_members_takes_none_but_at(table, game, actions):
    for action in actions:
        table.start(game)
        assert table.code({"do": action, "player": 0}) == "malformed", action
        assert table.code({"do": action, "at": 0}) in ("ok", "illegal"), action


def test_malformed_is_judged_first(table):
    table.start("roll")
    table.tell({"do": "roll", "dice": [1], "at": 10})
    assert table.code({"do": "reveal", "player": 2, "total": 0}) == "malformed"
    assert table.code({"do": "reveal", "player": 1, "total": 0}) == "illegal"
    assert table.code({"do": "accept", "at": 9, "why": 0}) == "malformed"
    assert table.code({"do": "knock", "at": 9}) == "malformed"
    assert table.code({"do": "peek", "player": 0, "slot": 5}) == "malformed"
    assert table.code({"do": "peek", "player": 0, "slot": 4}) == "illegal"


def test_state_changes_nothing_and_answers_the_current_state(table):
    first = table.start("cat", 3)
    assert table.tell({"do": "state"}) == first
    assert table.tell({"do": "state", "at": 3}) == first


def test_undo_takes_back_actions_back_to_the_start(table):
    told = [table.start("roll", 2)]
    assert table.code({"do": "undo"}) == "illegal"
    for line in (
        {"do": "roll", "dice": [4]},
        {"do": "accept"},
        {"do": "wild", "face": "swap"},
        {"do": "reroll", "face": "lowest"},
        {"do": "accept"},
        {"do": "take", "from": "market", "rat": True},
    ):
        told.append(table.tell(line))
        assert told[-1]["ok"], told[-1]
    for earlier in reversed(told[:-1]):
        assert table.code({"do": "jump"}) == "malformed"
        assert table.tell({"do": "undo"}) == earlier
    assert table.code({"do": "undo"}) == "illegal"
    assert table.tell({"do": "roll", "dice": [4]}) == told[1]


def test_undo_reaches_back_from_a_finished_game(table):
    table.start("free")
    before = table.tell({"do": "roll", "dice": [4]})
    assert table.tell({"do": "end"})["ask"] == {"player": None, "actions": []}
    assert table.tell({"do": "undo"}) == before


def test_a_start_while_a_game_runs_begins_a_new_one_and_empties_the_history(table):
    table.start("free")
    table.tell({"do": "roll", "dice": [1]})
    table.start("cat")
    assert table.code({"do": "undo"}) == "illegal"
    assert table.latest["state"]["game"] == "cat"


def test_at_never_goes_back(table):
    table.start("free")
    for at, code in ((5, "ok"), (5, "ok"), (4.999, "illegal"), (6.5, "ok"), (6, "illegal")):
        line = {"do": "roll", "dice": [1], "at": at}
        if table.latest["state"]["step"] == "accept":
            line = {"do": "accept", "at": at}
        assert table.code(line) == code


def test_at_is_checked_on_every_line_and_raised_by_accepted_ones_undone_ones_too(table):
    table.start("free", at=2)
    assert table.code({"do": "roll", "dice": [1], "at": 1}) == "illegal"
    assert table.code({"do": "state", "at": 1}) == "illegal"
    assert table.code({"do": "state", "at": 50}) == "ok"  # does not raise the bound
    assert table.code({"do": "accept", "at": 60}) == "illegal"  # nor does a refused line
    assert table.code({"do": "roll", "dice": [1], "at": 10}) == "ok"
    assert table.code({"do": "undo", "at": 9}) == "illegal"
    assert table.code({"do": "undo", "at": 12}) == "ok"
    assert table.code({"do": "roll", "dice": [1], "at": 11}) == "illegal"
    assert table.code({"do": "undo"}) == "illegal"  # nothing left to undo
    assert table.code({"do": "roll", "dice": [1], "at": 12}) == "ok"
    assert table.code({"do": "undo"}) == "ok"
    assert table.code({"do": "state", "at": 11.9}) == "illegal"


def test_start_resets_the_bound_to_its_own_at(table):
    table.start("free", at=100)
    assert table.code({"do": "state", "at": 99}) == "illegal"
    table.start("free", at=7)
    assert table.code({"do": "state", "at": 7}) == "ok"
    assert table.code({"do": "state", "at": 6}) == "illegal"
    table.start("free")
    assert table.code({"do": "state", "at": 0}) == "ok"


def test_a_line_without_at_happens_by_the_clock_and_does_not_raise_the_bound(table):
    table.start("free")
    table.clock_s += 500
    assert table.code({"do": "roll", "dice": [1]}) == "ok"
    assert table.code({"do": "accept", "at": 3}) == "ok"


def timed_round(table, clock_s, minutes=1, **bound):
    """A game of so many minutes whose last score is entered at this time of the clock."""
    table.clock_s = 1000
    table.start("cat", end={"minutes": minutes})
    for line in ({"do": "knock"}, {"do": "end"}, {"do": "score", "player": 0, "total": 1} | bound):
        assert table.code(line) == "ok"
    table.clock_s = 1000 + clock_s
    return table.tell({"do": "score", "player": 1, "total": 2})["state"]["step"]


def test_a_line_without_at_happens_at_the_later_of_the_bound_and_the_clock(table):
    assert timed_round(table, 59.9) == "deal"
    assert timed_round(table, 60) == "over"
    assert timed_round(table, 5, at=60) == "over"
    assert timed_round(table, 5, at=59.9) == "deal"


def test_the_time_is_up_at_exactly_60_times_the_minutes_as_written(table):
    """Fine print, Cat: "it is up at >= 60·minutes seconds"; in binary fractions, 60 times 8.3 is more than 498."""
    for minutes, up_s in ((8.3, 498), (16.1, 966), (0.00001, 0.0006), (1e300, 6e301)):
        assert timed_round(table, 0, minutes, at=up_s) == "over"
    assert timed_round(table, 0, 8.3, at=497.999999) == "deal"


def test_the_clock_counts_from_each_start(table):
    table.start("cat", end={"minutes": 1})
    table.clock_s += 1000
    table.start("cat", end={"minutes": 1})
    for line in ({"do": "knock"}, {"do": "end"}, {"do": "score", "player": 0, "total": 1}):
        table.tell(line)
    assert table.tell({"do": "score", "player": 1, "total": 2})["state"]["step"] == "deal"


def test_every_answer_is_ascii_on_one_line(table):
    names = ["Zoë\n\u2028", "\U0001f400"]
    raw = protocol.Talk(lambda: 0.0).answer(protocol.json.dumps(FREE | {"players": names}).encode())
    assert raw.isascii()
    assert raw.count(b"\n") == 1
    assert [player["name"] for player in protocol.json.loads(raw)["state"]["players"]] == names


ACCEPT = 'an example: {"do":"accept"}'
REVEAL = 'an example: {"do":"reveal","player":0,"total":19}'


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            {"do": "jump"},
            "'jump' is no action of roll; these are: accept, decline, discard, peek, redeal, refill, reroll, reveal, "
            "roll, skip, swap, take, wild",
        ),
        ({}, 'member "do" is missing; an example: {"do":"state"}'),
        ({"do": "accept", "why": 1}, f"unknown member 'why'; {ACCEPT}"),
        ({"do": "accept", "\x1b[2Jé\n": 1}, rf"unknown member '\x1b[2J\xe9\n'; {ACCEPT}"),
        ({"do": "accept", "x" * 40: 1}, f"unknown member '{'x' * 40}'; {ACCEPT}"),
        ({"do": "accept", "x" * 41: 1}, f"unknown member '{'x' * 40}...'; {ACCEPT}"),
        ({"do": "roll"}, 'member "dice" is missing; an example: {"do":"roll","dice":[3,4]}'),
        ({"do": "reveal", "player": 0}, f"a reveal has either cards or total; {REVEAL}"),
        ({"do": "roll", "dice": [LARGEST]}, f"die 1 shows {LARGEST}; number dice show 1–6"),
        ({"do": "roll", "dice": [LARGEST + 1]}, "die 1 shows too much; number dice show 1–6"),
        ({"do": "roll", "dice": [1, 1, 1, 1]}, "dice has 4 values; it must have 1 to 3"),
        ({"do": "redeal", "market": [0, 0, 0, 0]}, "market has 4 values; it must have 5"),
        ({"do": "discard", "slot": 5}, "slot is 5; it must be 0 to 4"),
        ({"do": "discard", "slot": -LARGEST}, f"slot is -{LARGEST}; it must be 0 to 4"),
        ({"do": "discard", "slot": -LARGEST - 1}, "slot is too large; it must be 0 to 4"),
    ],
)
def test_a_message_repeats_what_was_wrong_short_and_harmless_on_any_terminal(table, line, message):
    table.start("roll")
    assert table.tell(line)["error"] == {"code": "malformed", "message": message}


WHICH = 'an example: {"do":"reroll","which":[1],"dice":[6]}'


@pytest.mark.parametrize(
    ("game", "line", "message"),
    [
        (
            {"game": "roll"},
            {"do": "reroll", "which": [0], "dice": [1], "face": "swap"},
            f"R9, R12: a re-roll is either which and dice, or face; {WHICH}",
        ),
        (
            {"game": "roll"},
            {"do": "reroll", "which": [0], "face": "swap"},
            'R9, R12: a re-roll is either which and dice, or face; an example: {"do":"reroll","face":"swap"}',
        ),
        (
            {"game": "cat", "pace": "full"},
            {"do": "draw", "from": "discard", "card": "number"},
            'C4: card is given only with from deck; an example: {"do":"draw","from":"deck","card":"peek"}',
        ),
        ({"game": "free", "dice": 1}, {"do": "reroll", "which": [1], "dice": [1]}, "a die in which is 1; it must be 0"),
        (
            {"game": "free"},
            {"do": "reroll", "which": [0], "dice": [1, 2]},
            "which names 1 die, and 2 new values are given",
        ),
        (
            {"game": "free"},
            {"do": "reroll", "which": [0, 1], "dice": [1]},
            "which names 2 dice, and 1 new value is given",
        ),
    ],
)
def test_a_message_says_what_may_stand_together(table, game, line, message):
    table.start(**game)
    assert table.tell(line)["error"] == {"code": "malformed", "message": message}


@pytest.mark.parametrize(
    ("game", "dice", "message"),
    [
        ("roll", [4], "R9: only the 1 die rolled this turn may be re-rolled"),
        ("roll", [4, 4], "R9: only the 2 dice rolled this turn may be re-rolled"),
        ("free", [4], "F1: only the 1 die rolled this turn may be re-rolled"),
    ],
)
def test_R9_F1_who_re_rolls_a_die_that_was_not_rolled_is_told_how_many_were(table, game, dice, message):
    table.start(game)
    table.tell({"do": "roll", "dice": dice})
    answer = table.tell({"do": "reroll", "which": [len(dice)], "dice": [6]})
    assert answer["error"] == {"code": "illegal", "message": message}


STATE = 'an example: {"do":"state"}'


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"\n", f"the line is empty; {STATE}"),
        (b" \t\r\n", f"the line is empty; {STATE}"),
        (b"x\n", f"the line is not JSON: Expecting value at character 1; {STATE}"),
        ("é x\n", f"the line is not JSON: Expecting value at character 1; {STATE}"),
        ('{"é": x}\n', f"the line is not JSON: Expecting value at character 7; {STATE}"),
        (b"\x80\n", "the line is not UTF-8 at byte 1"),
        (b'{"\xff":1}\n', "the line is not UTF-8 at byte 3"),
    ],
)
def test_what_a_message_counts_it_counts_from_1(table, line, message):
    assert table.tell(line)["error"] == {"code": "malformed", "message": message}


def test_a_byte_order_mark_before_the_first_line_is_named_and_the_next_line_is_read(table):
    """As .NET writes it before all that goes to a program's input in UTF-8."""
    told = table.tell(b'\xef\xbb\xbf{"do":"state"}\n')["error"]
    message = f"the line begins with a byte order mark; write UTF-8 without one; {STATE}"
    assert told == {"code": "malformed", "message": message}
    assert table.code(b'{"do":"state"}\n') == "ok"


def test_a_message_about_anything_is_short(table):
    table.start()
    for line in (
        {"do": "x" * 10_000},
        {"do": "roll", "x" * 10_000: 1},
        {"do": "roll", "dice": [10**4000]},
        {"do": "discard", "slot": -(10**4000)},
        {"do": "wild", "face": "y" * 10_000},
    ):
        assert len(table.tell(line)["error"]["message"]) < 200


def test_every_action_with_a_state_of_wrong_types_is_malformed(table):
    """No member of any action takes a value of another type than its own."""
    shapes = {
        "roll": [
            {"do": "roll", "dice": [1]},
            {"do": "reroll", "which": [0], "dice": [1]},
            {"do": "reroll", "face": "swap"},
            {"do": "wild", "face": "swap"},
            {"do": "take", "from": "deck", "rat": True},
            {"do": "peek", "player": 1, "slot": 0},
            {"do": "swap", "mine": 0, "player": 1, "theirs": 0},
            {"do": "discard", "slot": 0},
            {"do": "refill", "value": 0},
            {"do": "redeal", "market": [0, 0, 0, 0, 0]},
            {"do": "reveal", "player": 0, "total": 0, "force": True},
            {"do": "reveal", "player": 0, "cards": [0, 0, 0, 0, 0]},
        ],
        "cat": [
            {"do": "draw", "from": "deck", "card": "number"},
            {"do": "replace", "slot": 0, "discarded": "number"},
            {"do": "peek", "slot": 0},
            {"do": "swap", "mine": 0, "player": 1, "theirs": 0},
            {"do": "score", "player": 0, "total": 0},
            {"do": "score", "player": 0, "cards": [0, 0, 0, 0]},
        ],
        "free": [{"do": "roll", "dice": [1]}, {"do": "reroll", "which": [0], "dice": [1]}],
    }
    wrong_values = (None, 0.0, "0", [], {}, [[]], -1, 99, True)
    for game, lines in shapes.items():
        table.start(game)
        for line, value in itertools.product(lines, wrong_values):
            for member in set(line) - {"do"}:
                if type(value) is not type(line[member]):
                    assert table.code(line | {member: value}) == "malformed", (line, member, value)
                assert table.code({key: line[key] for key in line if key != member} | {"do": line["do"]}) in (
                    "malformed",
                    "illegal" if line["do"] in ("peek", "reveal") and member in ("slot", "force") else "malformed",
                )
