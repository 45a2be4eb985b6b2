"""The line with which the demo ends."""

from __future__ import annotations

from typing import Any

import pytest

from companion.demo.report import ended
from companion.referee import begin, play

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
