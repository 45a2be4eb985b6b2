"""A conversation with the referee in one process, on a clock that the test sets."""

from __future__ import annotations

import json
from typing import Any

from companion.protocol import Talk

Answer = dict[str, Any]


class Table:
    """`tell` takes an object, a text or raw bytes and gives the answer, after seeing that it is well-made."""

    def __init__(self) -> None:
        self.clock_s = 1000.0
        self._talk = Talk(lambda: self.clock_s)
        self.latest: Answer = {"state": None, "ask": None}

    def tell(self, line: Answer | str | bytes) -> Answer:
        if isinstance(line, dict):
            line = json.dumps(line)
        raw = self._talk.answer(line.encode() if isinstance(line, str) else line)
        assert raw.endswith(b"\n")
        assert raw.count(b"\n") == 1
        answer: Answer = json.loads(raw)
        well_made(answer)
        if not answer["ok"]:
            assert (answer["state"], answer["ask"]) == (self.latest["state"], self.latest["ask"])
        self.latest = answer
        return answer

    def code(self, line: Answer | str | bytes) -> str:
        """ "ok", or the code of the error."""
        answer = self.tell(line)
        return "ok" if answer["ok"] else answer["error"]["code"]

    def start(self, game: str = "roll", players: int = 2, **settings: Any) -> Answer:
        names = ["Ana", "Bo", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal"][:players]
        answer = self.tell({"do": "start", "game": game, "players": names} | settings)
        assert answer["ok"], answer
        return answer


def well_made(answer: Answer) -> None:
    """No members other than those the protocol shows, and `state.player` is `ask.player`."""
    assert list(answer) == (["ok", "state", "ask"] if answer["ok"] else ["ok", "error", "state", "ask"])
    if not answer["ok"]:
        error = answer["error"]
        assert error["code"] in ("malformed", "illegal", "audit")
        assert list(error) == ["code", "message"] + ["slots"] * (error["code"] == "audit")
        assert error["message"]
    state, ask = answer["state"], answer["ask"]
    assert (state is None) == (ask is None)
    if state is not None:
        assert list(ask) == ["player", "actions"]
        assert ask["player"] == state["player"]
        assert ask["actions"] == sorted(set(ask["actions"]))
        assert (ask["actions"] == []) == (state["step"] == "over")
        assert not {"undo", "state", "start"} & set(ask["actions"])
        assert list(state) == MEMBERS[state["game"]]
        for player in state["players"]:
            assert list(player) == PLAYER_MEMBERS[state["game"]]


MEMBERS = {
    "roll": [
        *("game", "turn", "player", "step", "dice", "wild", "total", "pawn", "pool", "market", "players", "needed"),
        *("final_round", "turns_left", "totals", "winners"),
    ],
    "cat": [
        *("game", "round", "dealer", "player", "step", "knocked", "turns_left", "discard_top", "card", "chances"),
        *("players", "winners"),
    ],
    "free": ["game", "turn", "player", "step", "dice", "total", "players"],
}
PLAYER_MEMBERS = {
    "roll": ["name", "tokens", "cards", "complete", "revealed"],
    "cat": ["name", "total", "wins", "out", "scored"],
    "free": ["name", "rolls", "sum"],
}
