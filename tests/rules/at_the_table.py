"""What the rules' tests share: matches brought to a position by playing lines, never by building states."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core import Refused
from companion.referee import Match, begin, legal, play

NAMES = ("Ana", "Bo", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal")

Line = dict[str, Any]


def do(name: str, **members: object) -> Line:
    """A line. `source` stands for the protocol's `from`, which Python keeps for itself."""
    return {"do": name} | {"from" if member == "source" else member: value for member, value in members.items()}


def new(game: str, players: int, **settings: Any) -> Match:
    return begin(do("start", game=game, players=list(NAMES[:players]), **settings))


def after(match: Match, *lines: Line) -> Match:
    for line in lines:
        match = play(match, line, 0)
    return match


def refusal(match: Match, line: Line) -> Refused:
    """How a line is refused; the match is seen to be unchanged."""
    before = match.public, match.ask, match.log
    with pytest.raises(Refused) as caught:
        play(match, line, 0)
    assert (match.public, match.ask, match.log) == before
    return caught.value


def refused(match: Match, line: Line) -> tuple[str, str]:
    """Code and message with which a line is refused."""
    why = refusal(match, line)
    return why.code, why.message


def illegal(match: Match, line: Line, rule: str) -> None:
    """The line is well-formed and forbidden, by this rule."""
    code, message = refused(match, line)
    assert (code, message.split(":")[0]) == ("illegal", rule), message


def malformed(match: Match, line: Line) -> None:
    code, message = refused(match, line)
    assert code == "malformed", message


def legal_lines(match: Match) -> list[Line]:
    return list(legal(match))


def picked(match: Match, *members: str) -> dict[str, Any]:
    """Some members of the public state."""
    return {member: match.public[member] for member in members}


# --- Roll -------------------------------------------------------------------------------------------------------------

ACCEPT, SKIP, DECLINE = do("accept"), do("skip"), do("decline")


def roll(*dice: int) -> Line:
    return do("roll", dice=list(dice))


def land(match: Match, kind: str) -> Match:
    """The acting player rolls one die so that the pawn comes to the next space of this kind, and accepts."""
    spaces = match.state.settings.board.spaces
    pips = next(pips for pips in range(1, 7) if spaces[(match.state.pawn + pips) % len(spaces)].kind == kind)
    return after(match, roll(pips), ACCEPT)


def market_card(match: Match, *, rat: bool = False) -> Line:
    """Taking the market card, the first region's where several may be taken."""
    lines = [line for line in legal_lines(match) if line["from"] == "market"]
    return next(line for line in lines if line.get("rat", rat) is rat)


def collect(match: Match, kind: str = "token", *, rat: bool = False, refill: int = 0) -> Match:
    """A whole turn that takes the market card of the next space of this kind."""
    match = land(match, kind)
    return finish(after(match, market_card(match, rat=rat)), refill=refill)


def finish(match: Match, *, refill: int = 0) -> Match:
    """The rest of the turn after a taken card: no peek, and this market card dealt."""
    if match.ask.step == "peek":
        match = after(match, DECLINE)
    if match.ask.step == "refill":
        match = after(match, do("refill", value=refill))
    return match


def wild(match: Match, face: str) -> Match:
    """The acting player rolls the Wild die and accepts it, after landing on a Wild space where dice are rolled."""
    if match.ask.step == "roll":
        match = land(match, "wild")
    return after(match, do("wild", face=face), ACCEPT)


def until_complete(match: Match, *complete: int) -> Match:
    """Plays turns, each of these players taking a card and the others none, until just these have all cards needed."""
    while not all(match.public["players"][player]["complete"] for player in complete):
        player = match.ask.player
        if match.public["players"][player]["complete"]:
            match = after(match, SKIP)
        elif player in complete:
            match = collect(match)
        else:
            match = after(wild(match, "swap"), DECLINE)
    return match


def all_complete(match: Match) -> Match:
    """The final round has just been triggered, and its first player is to act."""
    return until_complete(match, *range(len(match.public["players"])))


def to_reveal(match: Match) -> Match:
    """The final round skipped through."""
    match = all_complete(match)
    while match.ask.step == "wild":
        match = after(match, SKIP)
    return match


def tokens(match: Match) -> list[int]:
    return [player["tokens"] for player in match.public["players"]]


def cards(match: Match) -> list[int]:
    return [player["cards"] for player in match.public["players"]]
