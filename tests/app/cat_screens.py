"""Views of Cat and the free table as their dialogues make them, for golden pictures."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.events import Fact, Knocked, Settled, Stirred
from companion.table.picture import view
from companion.table.state import Table
from companion.view import Header, Mood, RingView, Row, Sheet, View
from tests.app.household import after, house, press, reading

TEN = press("more", "ok")  # a score as a total, as the entry begins
SIX = press("ok", *["more"] * 4, "ok", *["ok"] * 12, "ok", "ok")  # six sit down and play as usual
LAST_TURNS = press(*["ok"] * 5)


def cat(*facts: Fact, at_s: float = 0.0, names: tuple[str, ...] = (), **usual: Any) -> View:
    home = house(6, games=("cat",), names=names, usual={"cat": usual})
    return view(after(Table(), home, *SIX, *facts), home, at_s)


def asked(**usual: Any) -> View:
    """Whether the usual settings are to hold."""
    home = house(6, games=("cat",), usual={"cat": usual})
    return view(after(Table(), home, *press(*["ok"] * 7)), home)


def free(*facts: Fact) -> View:
    home = house(8, games=("free",), usual={"free": {"dice": 6}})
    return view(after(Table(), home, *press("ok", "ok", *["ok"] * 6), *facts), home)


def eight() -> Table:
    home = house(8, games=("free",))
    return after(Table(), home, *press("ok", *["more"] * 6, "ok", *["ok"] * 18, "more", "more"))


def thrown(*values: int) -> tuple[Fact, ...]:
    return Stirred(), Settled(reading(*values))


FULL: dict[str, Any] = {"pace": "full"}
REVEALED = (Knocked(), *LAST_TURNS)
SCORED = (*REVEALED, *TEN * 6)
OUT = (*REVEALED, *press("more", "more", "ok"), *TEN * 5)

LONG_NAMES = ("Wilhelmina", "Christophe", "Mohammed A", "Anna-Katha", "Bartholome", "Maximilian")
LONG_ROWS = tuple(Row(f"Maximilia {n}", "10") for n in range(6))

CAT_VIEWS: dict[str, View] = {
    "cat_usual": asked(younger=True, pace="full"),
    "cat_turn": cat(),
    "cat_turn_timed": cat(at_s=1201.0, end={"minutes": 30}),
    "cat_turn_late": cat(at_s=1800.0, end={"minutes": 30}),
    "cat_turn_of_rounds": cat(end={"rounds": 5}),
    "cat_knocked": cat(Knocked(), end={"minutes": 30}),
    "cat_knock_refused": cat(Knocked(), Knocked()),
    **{f"cat_help_{n + 1}": cat(*press("less", *["more"] * n)) for n in range(5)},
    "cat_help_younger": cat(*press("less", "more"), younger=True),
    "cat_full_turn": cat(**FULL),
    "cat_full_draw": cat(*press("ok"), **FULL),
    "cat_full_number": cat(*press("ok", "ok"), **FULL),
    "cat_full_peek": cat(*press("ok", "more", "ok"), **FULL),
    "cat_full_swap": cat(*press("ok", "more", "more", "ok"), **FULL),
    "cat_full_draw2": cat(*press("ok", "less", "ok"), **FULL),
    "cat_full_draw2_chances": cat(*press("ok", "less", "ok", "ok"), **FULL),
    "cat_full_replace": cat(*press("more"), **FULL),
    "cat_full_discarded": cat(*press("more", "ok"), **FULL),
    "cat_full_end": cat(*press("ok", "ok", "more"), **FULL),
    "cat_score": cat(*REVEALED),
    "cat_score_card": cat(*REVEALED, *press("ok", "more", "ok", "less")),
    "cat_score_sum": cat(*REVEALED, *press("ok", "more", "ok", "less", "ok", "ok", "ok")),
    "cat_score_total": cat(*REVEALED, *press("more")),
    "cat_deal": cat(*OUT, end={"limit": 11}),
    "cat_deal_long_names": cat(*SCORED, names=LONG_NAMES),
    "cat_deal_late": cat(*SCORED, at_s=1800.0, end={"minutes": 30}),
    "cat_deal_lost": replace(
        cat(*SCORED, names=LONG_NAMES),
        page=Sheet("Deal, Wilhelmina!", (Row("Wilhelmina", "10", "turn"), Row("Bartholome", "10"))),
        lost=("camera", "ring", "buttons"),
    ),
    "cat_sheet": cat(*SCORED, *press("less")),
    "cat_sheet_round": cat(*SCORED, *press("less", "more")),
    "cat_sheet_scoring": cat(*REVEALED, *TEN * 2, *press("back", "more", "more", "ok")),
    "cat_sheet_long_names": View(
        Header(),
        Sheet("Points", tuple(Row(f"Maximilia {n}", "10") for n in range(6))),
        ("", "", "", ""),
        RingView(Mood.IDLE),
    ),
    "cat_winner": cat(*OUT, end={"rounds": 1}),
    "free_roll": free(),
    "free_rolled": free(*thrown(1, 2, 3, 4, 5, 6)),
    "free_marked": free(*thrown(1, 2, 3, 4), *press("more", "less", "more")),
    "free_sums": view(eight(), house(8, games=("free",))),
    "free_rolls": free(*thrown(1, 2, 3, 4), *press("ok", "more", "more")),
    "free_end": free(*thrown(1, 2, 3, 4), *press("ok", "ok", "more", "ok")),
}
