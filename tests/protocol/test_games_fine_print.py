"""What the protocol says of each game's states, told in whole answers."""

from __future__ import annotations

from talking import Table

TAKE = {"do": "take", "from": "market"}
ACCEPT, DECLINE, SKIP = {"do": "accept"}, {"do": "decline"}, {"do": "skip"}


def told(table, *lines):
    answer = {}
    for line in lines:
        answer = table.tell(line)
        assert answer["ok"], answer
    return answer


def rolled(pips):
    return {"do": "roll", "dice": [pips]}


def test_roll_a_turn_with_track_in_whole_states():
    table = Table()
    player = {"name": "Ana", "tokens": 2, "cards": 1, "complete": False, "revealed": False}
    state = {
        "game": "roll",
        "turn": 1,
        "player": 1,
        "step": "roll",
        "dice": None,
        "wild": None,
        "total": None,
        "pawn": 16,
        "pool": 20,
        "market": [7, 1, 2, 3, 1],
        "players": [player, player | {"name": "Bo"}, player | {"name": "Cleo"}],
        "needed": 4,
        "final_round": False,
        "turns_left": None,
        "totals": None,
        "winners": None,
    }
    first = table.start("roll", 3, first=1, pawn=16, cards="track", market=[7, 1, 2, 3, 1])
    assert first == {"ok": True, "state": state, "ask": {"player": 1, "actions": ["roll"]}}
    state |= {"step": "accept", "dice": [2, 6], "total": 8}
    assert told(table, {"do": "roll", "dice": [2, 6]})["state"] == state
    state |= {"dice": [2, 2], "total": 4, "pool": 21, "players": [*state["players"]]}
    state["players"][1] = player | {"name": "Bo", "tokens": 1}
    assert told(table, {"do": "reroll", "which": [1], "dice": [2]})["state"] == state
    state |= {"step": "wild", "pawn": 0}
    assert told(table, ACCEPT) == {"ok": True, "state": state, "ask": {"player": 1, "actions": ["wild"]}}
    state |= {"step": "wild_accept", "wild": "highest"}
    assert told(table, {"do": "wild", "face": "highest"})["state"] == state
    state |= {"step": "take"}
    assert told(table, ACCEPT)["state"] == state
    state |= {"step": "refill", "market": [None, 1, 2, 3, 1], "pool": 20, "players": [*state["players"]]}
    state["players"][1] = player | {"name": "Bo", "tokens": 2, "cards": 2}
    assert told(table, TAKE) == {"ok": True, "state": state, "ask": {"player": 1, "actions": ["refill"]}}
    state |= {"step": "roll", "market": [0, 1, 2, 3, 1], "turn": 2, "player": 2}
    state |= {"dice": None, "wild": None, "total": None}
    assert told(table, {"do": "refill", "value": 0})["state"] == state


def roll_to_the_end(table):
    """Two players take deck cards from choice spaces until both have five; then both skip."""
    table.start("roll", 2)
    pips = 1
    while table.latest["ask"]["actions"] == ["roll"]:
        told(table, rolled(pips), ACCEPT, {"do": "take", "from": "deck", "rat": False})
        pips = 4
    assert table.latest["state"]["turn"] == 9
    return told(table, SKIP, SKIP)


def test_roll_dice_and_wild_stay_to_the_end_of_the_turn_and_are_null_at_reveal_and_over():
    table = Table()
    table.start("roll", 2)
    answer = told(table, rolled(3), ACCEPT, TAKE | {"rat": False})
    assert (answer["state"]["step"], answer["state"]["dice"], answer["state"]["total"]) == ("peek", [3], 3)
    answer = told(table, DECLINE, rolled(1), ACCEPT, {"do": "wild", "face": "swap"}, ACCEPT)
    assert (answer["state"]["step"], answer["state"]["dice"], answer["state"]["wild"]) == ("swap", [1], "swap")
    answer = told(table, DECLINE)
    assert (answer["state"]["step"], answer["state"]["dice"], answer["state"]["wild"]) == ("roll", None, None)
    for answer in (
        roll_to_the_end(table),
        told(table, *({"do": "reveal", "player": player, "total": 9} for player in (0, 1))),
    ):
        state = answer["state"]
        assert (state["dice"], state["wild"], state["total"], state["player"]) == (None, None, None, None)
        assert (state["turn"], state["final_round"], state["turns_left"]) == (10, True, None)
    assert answer["ask"] == {"player": None, "actions": []}


def test_roll_the_wild_die_of_a_complete_player_leaves_dice_null():
    table = Table()
    roll_to_the_end(table)
    told(table, {"do": "undo"}, {"do": "undo"})
    state = told(table, {"do": "wild", "face": "lowest"}, ACCEPT, TAKE | {"rat": True})["state"]
    assert (state["step"], state["wild"], state["dice"], state["total"]) == ("discard", "lowest", None, None)
    assert (state["players"][0]["cards"], state["players"][0]["tokens"]) == (5, 3)


def test_roll_an_audit_answers_with_ascending_slots_and_is_forced():
    table = Table()
    table.start("roll", 2, cards="track", market=[1, 1, 1, 1, 1])
    while table.latest["state"]["step"] == "roll":
        told(table, rolled(4 if table.latest["state"]["pawn"] else 2), ACCEPT, TAKE, {"do": "refill", "value": 1})
    told(table, SKIP, SKIP)
    hand = {"do": "reveal", "player": 1, "cards": [0, 2, 1, 1, 2]}
    error = table.tell(hand)["error"]
    assert (error["code"], error["slots"]) == ("audit", [1, 4])
    assert table.code(hand | {"force": False}) == "audit"
    assert table.tell(hand | {"force": True})["state"]["players"][1]["revealed"] is True
    assert table.code(hand | {"force": True}) == "illegal"
    assert table.code({"do": "reveal", "player": 0, "total": 45, "force": True}) == "ok"
    assert table.latest["state"]["totals"] == [45, 6]


def test_cat_light_round_in_whole_states():
    table = Table()
    player = {"name": "Ana", "total": 0, "wins": None, "out": False, "scored": False}
    bo = player | {"name": "Bo"}
    state = {
        "game": "cat",
        "round": 1,
        "dealer": 0,
        "player": 1,
        "step": "turn",
        "knocked": None,
        "turns_left": None,
        "discard_top": None,
        "card": None,
        "chances": None,
        "players": [player, bo],
        "winners": None,
    }
    assert table.start("cat")["state"] == state
    state |= {"player": 0, "knocked": 1, "turns_left": 1}
    assert told(table, {"do": "knock"}) == {"ok": True, "state": state, "ask": {"player": 0, "actions": ["end"]}}
    state |= {"player": None, "step": "score", "turns_left": None}
    assert told(table, {"do": "end"})["state"] == state
    state |= {"players": [player | {"total": 36, "scored": True}, bo]}
    assert told(table, {"do": "score", "player": 0, "cards": [9, 9, 9, 9]})["state"] == state
    state |= {"step": "deal", "player": 1, "players": [state["players"][0], bo | {"scored": True}]}
    last = told(table, {"do": "score", "player": 1, "total": 0})
    assert last == {"ok": True, "state": state, "ask": {"player": 1, "actions": ["deal"]}}
    state |= {"step": "turn", "round": 2, "dealer": 1, "player": 0, "knocked": None}
    state |= {"players": [player | {"total": 36}, bo]}
    assert told(table, {"do": "deal"})["state"] == state


def test_cat_a_deal_after_the_time_is_up_is_accepted_and_ends_the_game():
    table = Table()
    table.start("cat", scores=False, end={"minutes": 0.5})
    told(table, {"do": "knock"}, {"do": "end"}, {"do": "score", "player": 0, "total": 1})
    told(table, {"do": "score", "player": 1, "total": 2, "at": 29.5})
    answer = told(table, {"do": "deal", "at": 30})
    assert answer["ask"] == {"player": None, "actions": []}
    assert answer["state"] == {
        "game": "cat",
        "round": 1,
        "dealer": 0,
        "player": None,
        "step": "over",
        "knocked": 1,
        "turns_left": None,
        "discard_top": None,
        "card": None,
        "chances": None,
        "players": [
            {"name": "Ana", "total": None, "wins": 1, "out": False, "scored": True},
            {"name": "Bo", "total": None, "wins": 0, "out": False, "scored": True},
        ],
        "winners": [0],
    }
    assert told(table, {"do": "undo"})["state"]["step"] == "deal"


def test_cat_out_and_wins_change_only_with_the_last_score():
    table = Table()
    table.start("cat", 3, end={"limit": 10})
    told(table, {"do": "knock"}, {"do": "end"}, {"do": "end"})
    for player, out in ((0, [False] * 3), (2, [False] * 3), (1, [True, True, False])):
        answer = told(table, {"do": "score", "player": player, "total": 9 if player == 2 else 10})
        assert [seat["out"] for seat in answer["state"]["players"]] == out
    assert (answer["state"]["step"], answer["state"]["winners"]) == ("over", [2])


def test_R21_holds_for_every_byte_of_output():
    tables = []
    for first in (2, 3):
        table = Table()
        table.start("roll", cards="track", market=[first, 1, 4, 5, 6])
        told(table, rolled(3), ACCEPT, TAKE, DECLINE, {"do": "refill", "value": 6})
        tables.append(table)
    for line in (
        *(rolled(2), ACCEPT, TAKE, {"do": "refill", "value": 0}),
        *(rolled(2), {"do": "reroll", "which": [0], "dice": [3]}, ACCEPT, {"do": "wild", "face": "swap"}, ACCEPT),
        *({"do": "take", "from": "deck", "rat": True}, {"do": "swap", "mine": 1, "player": 1, "theirs": 1}),
        *({"do": "state"}, {"do": "undo"}, DECLINE, {"do": "reveal", "player": 0, "cards": [0, 0, 0, 0, 0]}),
        *(b"nonsense", {"do": "discard", "slot": 4}, {"do": "swap", "mine": 1, "player": 1, "theirs": 3}),
    ):
        one, other = (table.tell(line) for table in tables)
        assert one == other
