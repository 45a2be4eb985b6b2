"""Rat-a-Tat Cat at the table: whole games by button, and what knocks, scores, time and rematches make of it."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from companion.compose import house_of
from companion.config import Cat, Config
from companion.events import DeviceChanged, Fact, Health, Knocked, Settled, Stirred
from companion.lights import RingLayout, colours
from companion.table.company import Sitting
from companion.table.decide import decide
from companion.table.house import House
from companion.table.picture import view
from companion.table.state import Table, to_note, with_note
from companion.view import Choose, Count, Mood, Page, Prompt, Row, Sheet, Sign, Winner
from tests.app.cat_screens import LONG_NAMES, SIX
from tests.app.household import after, house, play, press, reading

ENDS: tuple[dict[str, Any], ...] = ({"rounds": 2}, {"minutes": 1}, {"limit": 40})
VARIANTS = [
    (end, pace, younger, scores)
    for end, pace, younger, scores in product(ENDS, ("light", "full"), (False, True), (True, False))
    if scores or "limit" not in end
]


def cat_house(**usual: Any) -> House:
    return house(6, games=("cat",), usual={"cat": usual})


@pytest.mark.parametrize(("seed", "variant"), list(enumerate(VARIANTS)))
def test_C1_to_C12_a_whole_game_by_chance_ends_with_a_winner(seed: int, variant: tuple[Any, ...]) -> None:
    end, pace, younger, scores = variant
    home = cat_house(end=end, pace=pace, younger=younger, scores=scores)
    table = Table()
    for _fact, decision in play(home, seed, pace_s=0.5):
        table = decision.table
        ring = view(table, home).ring
        assert (table.trouble, table.notice) == ("", None)
        if table.match is not None:
            state: Any = table.match.public
            assert ring.countdown == state["turns_left"]
            assert [seat.dark for seat in ring.seats] == [player["out"] for player in state["players"]]
            note = json.loads(json.dumps(to_note(table)))
            again = with_note(Table(match=table.match, last=table.last), note)
            assert view(again, home) == view(replace(table, aside=""), home)
    assert table.match is not None
    assert table.match.outcome is not None
    assert isinstance(view(table, home).page, Winner)
    assert view(table, home).ring.mood is Mood.WINNER


def test_two_to_six_play_cat() -> None:
    seen = set()
    for seed in range(12):
        decision = next(decision for _fact, decision in play(cat_house(), seed) if decision.started)
        assert decision.table.match is not None
        seen.add(len(decision.table.match.public["players"]))
    assert seen == {2, 3, 4, 5, 6}


# --- set-up -----------------------------------------------------------------------------------------------------------


def sat(players: int = 3, **usual: Any) -> Table:
    """So many players sit down; the first deals, with the usual settings."""
    more = press(*["more"] * (players - 2))
    return after(Table(), cat_house(**usual), *press("ok"), *more, *press("ok", *["ok"] * (2 * players), "ok", "ok"))


def start_of(table: Table) -> dict[str, Any]:
    assert table.match is not None
    return {key: value for key, value in table.match.log[0].items() if key != "do"}


def step_of(table: Table) -> str:
    assert table.match is not None
    return table.match.ask.step


def state_of(table: Table) -> Any:
    assert table.match is not None
    return table.match.public


def test_the_usual_game_is_two_presses_away_from_the_names() -> None:
    assert start_of(sat(2)) == {
        "game": "cat",
        "players": ["Red", "Yellow"],
        "dealer": 0,
        "end": {"limit": 100},
        "scores": True,
        "younger": False,
        "pace": "light",
    }


@pytest.mark.parametrize(("minutes", "said"), [(1.0, "1 minute?"), (1.5, "1.5 minutes?"), (30.0, "30 minutes?")])
def test_C9_one_minute_is_said_as_one(minutes: float, said: str) -> None:
    home = cat_house(end={"minutes": minutes})
    page = view(after(Table(), home, *press(*["ok"] * 7)), home).page
    assert isinstance(page, Choose)
    assert page.title == said


def test_every_setting_can_be_changed_by_button() -> None:
    home = cat_house()
    named = after(Table(), home, *press("ok", "ok", *["ok"] * 4))
    changing = after(named, home, *press("more", "ok", "more", "ok"))  # the second deals; change
    assert view(changing, home).page == Choose("What is counted?", ("Points", "Rounds won"))
    table = after(changing, home, *press("more", "ok", "more", "ok", "less", "less", "ok", "more", "ok", "more", "ok"))
    assert start_of(table) == {
        "game": "cat",
        "players": ["Red", "Yellow"],
        "dealer": 1,
        "end": {"minutes": 15},
        "scores": False,
        "younger": True,
        "pace": "full",
    }


@pytest.mark.parametrize(
    ("usual", "said"),
    [
        ({}, "Up to 100 points?"),
        ({"younger": True}, "Up to 100 points, younger players?"),
        ({"pace": "full", "end": {"rounds": 1}}, "1 round, every draw?"),
        (
            {"end": {"rounds": 5}, "scores": False, "younger": True, "pace": "full"},
            "5 rounds, no points, younger players, every draw?",
        ),
    ],
)
def test_all_that_a_yes_agrees_to_is_in_the_question(usual: dict[str, Any], said: str) -> None:
    home = cat_house(**usual)
    assert view(after(Table(), home, *press(*["ok"] * 7)), home).page == Choose(said, ("Yes", "Change"))


def asked_when(way: int, home: House | None = None) -> Choose:
    """The game is to end in the `way`th way: when?"""
    home = home or cat_house()
    page = view(after(Table(), home, *press(*["ok"] * 7, "more", "ok", "ok", *["more"] * way, "ok")), home).page
    assert isinstance(page, Choose)
    return page


def test_C9_each_way_to_end_begins_at_what_is_configured_whichever_is_usual() -> None:
    asked = [asked_when(way) for way in range(3)]
    assert [page.options[page.index] for page in asked] == ["Up to 100 points", "5 rounds", "30 minutes"]
    cat = replace(Config(), cat=Cat(end="rounds", limit=66, rounds=20, minutes=7.5))
    home = replace(house_of(cat), games=("cat",))
    asked = [asked_when(way, home) for way in (2, 0, 1)]  # from rounds on
    assert [page.options[page.index] for page in asked] == ["Up to 66 points", "20 rounds", "7.5 minutes"]


def test_C12_without_scores_no_points_limit_is_offered() -> None:
    home = cat_house()
    table = after(Table(), home, *press("ok", *["ok"] * 6, "more", "ok", "more", "ok"))
    assert view(table, home).page == Choose("How does it end?", ("Rounds", "Minutes"))


# --- turns and knocks -------------------------------------------------------------------------------------------------


def test_C4_light_one_button_ends_the_turn_and_one_knocks() -> None:
    home = cat_house()
    shown = view(sat(), home)
    assert shown.header.name == "Yellow"
    assert shown.labels == ("Menu", "Help", "Knock", "Done")
    assert shown.page == Prompt("Your turn", ("Round 1", "Red deals"), shown.page.sign)  # type: ignore[union-attr]
    assert view(after(sat(), home, *press("ok")), home).header.name == "Green"


def test_C6_after_a_knock_the_ring_counts_the_turns_down_and_nobody_knocks_again() -> None:
    home = cat_house()
    table = after(sat(), home, *press("more"))
    shown = view(table, home)
    assert (shown.ring.mood, shown.ring.countdown, shown.header.left) == (Mood.FINAL, 2, 2)
    assert shown.labels == ("Menu", "Help", "", "Done")
    assert view(after(table, home, *press("ok")), home).ring.countdown == 1
    assert step_of(after(table, home, *press("ok", "ok"))) == "score"


def test_C6_a_knock_on_the_table_is_the_knock_button() -> None:
    home = cat_house()
    by_button, by_table = after(sat(), home, *press("more")), after(sat(), home, Knocked())
    assert by_table.match == by_button.match
    assert view(by_table, home) == view(by_button, home)


def test_C6_a_knock_counts_while_somebody_reads_the_help() -> None:
    assert state_of(after(sat(), cat_house(), *press("less"), Knocked()))["knocked"] == 1


@pytest.mark.parametrize("menu", [("back",), ("back", "less"), ("back", "less", "ok")])
def test_C6_a_knock_does_nothing_unseen_behind_the_menu(menu: tuple[str, ...]) -> None:
    before = after(sat(), cat_house(), *press(*menu))
    assert after(before, cat_house(), Knocked()) == before


def test_C6_a_knock_is_not_answered_where_no_round_is_played() -> None:
    home = cat_house(end={"rounds": 2})
    score = revealed(end={"rounds": 2})
    deal = after(score, home, *TEN, *TEN)
    over = after(deal, home, *press("ok"), Knocked(), *press("ok"), *TEN, *TEN)
    for step, table in (("score", score), ("deal", deal), ("over", over)):
        assert step_of(table) == step
        assert after(table, home, Knocked()) == table


def test_C7_while_hands_are_scored_the_ring_shows_who_plays() -> None:
    ring = view(revealed(), cat_house()).ring
    lit = {colour for colour in colours(ring, RingLayout(60), 0) if colour != (0, 0, 0)}
    assert len(lit) == 2  # Red and Yellow


def aside(table: Table, home: House, at_s: float = 0.0) -> str:
    page = view(table, home, at_s).page
    assert isinstance(page, Prompt)
    return page.title


def test_C6_a_second_knock_is_refused_for_all_to_see_and_changes_nothing() -> None:
    home = cat_house()
    before = after(sat(), home, Knocked())
    table = after(before, home, Knocked())
    assert aside(table, home) == "Somebody knocked already"
    assert replace(table, aside=None, aside_until_s=0.0) == before
    assert view(table, home, 5.0) == view(before, home, 5.0)
    assert table.match == before.match
    assert view(after(table, home, *press("back")), home).page.title == "Menu"  # type: ignore[union-attr]


def test_C6_dice_that_lay_in_the_tray_during_the_set_up_hide_no_word() -> None:
    home = cat_house()
    plain = after(Table(), home, *press(*["ok"] * 8))
    table = after(Table(), home, *press("ok"), Settled(reading(3, 4)), *press(*["ok"] * 7))
    assert (table.match, table.sighting) == (plain.match, None)
    assert (
        view(after(table, home, *[Knocked()] * 2), home).page == view(after(plain, home, *[Knocked()] * 2), home).page
    )


def test_C6_full_a_knock_before_the_end_of_the_turn_is_refused_and_at_its_end_taken() -> None:
    home = cat_house(pace="full")
    early = after(sat(pace="full"), home, Knocked())
    assert aside(early, home) == "Knock at the end of your turn"
    drawn = after(early, home, *press("ok", "ok", "more"))  # draws a number card and discards it
    assert step_of(drawn) == "end"
    assert state_of(after(drawn, home, Knocked()))["knocked"] == 1


def test_a_knock_disturbs_neither_the_entry_of_a_score_nor_another_game_nor_an_empty_table() -> None:
    home = cat_house()
    entering = after(sat(2), home, Knocked(), *press("ok", "ok", "more", "more"))
    page = view(entering, home).page
    assert isinstance(page, Count)
    knocked = after(entering, home, Knocked())
    assert view(knocked, home, 9.0).page == page
    assert view(after(knocked, home, *press("more")), home).page == replace(page, value=3)
    assert after(Table(), home, Knocked()) == Table()
    roll = after(Table(), house(), *press("ok"), Knocked())
    assert roll == after(Table(), house(), *press("ok"))


def test_C5_help_tells_what_the_power_cards_allow() -> None:
    home = cat_house(younger=True)
    table = after(sat(younger=True), home, *press("less"))
    pages = []
    for _page in range(5):
        pages.append(view(table, home).page)
        table = after(table, home, *press("more"))
    told = [(page.title, page.lines) for page in pages if isinstance(page, Prompt)]
    assert [title for title, _lines in told] == ["Peek", "Swap", "Draw 2", "Draw 2", "Knock"]
    assert told[1][1] == ("Only face-down cards, unseen",)
    assert view(after(table, home, *press("ok")), home).labels[1] == "Help"


def facts_of(home: House, table: Table, *presses: str) -> list[dict[str, Any]]:
    match = after(table, home, *press(*presses)).match
    assert match is not None
    return list(match.log[1:])


def test_C4_C5_full_every_draw_is_declared_by_button() -> None:
    home, table = cat_house(pace="full"), sat(2, pace="full")
    take = facts_of(home, table, "more", "more", "ok", "more", "ok")
    assert take == [{"do": "draw", "from": "discard"}, {"do": "replace", "slot": 1, "discarded": "power"}]
    peek = facts_of(home, table, "ok", "more", "ok", "ok", "less", "ok")
    assert peek == [{"do": "draw", "from": "deck", "card": "peek"}, {"do": "peek", "slot": 3}]
    swap = facts_of(home, table, "ok", "more", "more", "ok", "ok", "ok", "more", "ok")
    assert swap[1] == {"do": "swap", "mine": 0, "player": 0, "theirs": 1}
    draw2 = facts_of(home, table, "ok", "less", "ok", "ok", "ok", "ok", "more", "ok", "ok", "ok")
    assert [line["do"] for line in draw2] == ["draw", "draw2", "draw", "discard", "draw"]


SLOTS = ("Card 1", "Card 2", "Card 3", "Card 4")
DECK = ("Number", "Peek", "Swap", "Draw 2")
NUMBER = Prompt("Number card", ("Replace one of your cards, or discard it",), Sign.CARD)
PEEK = Prompt("Peek", ("Look at one of your own cards",), Sign.PEEK)
SWAP = Prompt("Swap", ("Swap a card with a player, unseen",), Sign.SWAP)
DRAW2 = Prompt("Draw 2", ("Draw one: use it or draw one more",), Sign.CARD)


@pytest.mark.parametrize(
    ("presses", "page", "labels"),
    [
        ((), Prompt("Your turn", ("Round 1 of 3", "Red deals"), Sign.CAT), ("Menu", "Help", "Take", "Draw")),
        (("more",), Choose("Replace which?", SLOTS), ("Menu", "◀", "▶", "OK")),
        (("ok",), Choose("What did you draw?", DECK), ("Back", "◀", "▶", "OK")),
        (("ok", "ok"), NUMBER, ("Menu", "", "Discard", "Replace")),
        (("ok", "ok", "ok"), Choose("Replace which?", SLOTS), ("Back", "◀", "▶", "OK")),
        (("ok", "ok", "ok", "ok"), Choose("What lay there?", ("A number card", "A power card")), None),
        (("ok", "ok", "more"), Prompt("End of the turn", ("Round 1 of 3",), Sign.CAT), ("Menu", "", "Knock", "Done")),
        (("ok", "more", "ok"), PEEK, ("Menu", "", "Discard", "Peek")),
        (("ok", "more", "ok", "ok"), Choose("Look at which?", SLOTS), ("Back", "◀", "▶", "OK")),
        (("ok", "more", "more", "ok"), SWAP, ("Menu", "", "Discard", "Swap")),
        (("ok", "more", "more", "ok", "ok"), Choose("Which of yours?", SLOTS), None),
        (("ok", "more", "more", "ok", "ok", "ok"), Choose("Swap with whom?", ("Red", "Green")), None),
        (("ok", "more", "more", "ok", "ok", "ok", "ok"), Choose("For which of theirs?", SLOTS), None),
        (("ok", "less", "ok"), DRAW2, ("Menu", "", "Discard", "Use it")),
        (("ok", "less", "ok", "ok"), Prompt("Draw a card", ("2 chances left",), Sign.CARD), ("Menu", "", "", "Draw")),
        (("ok", "less", "ok", "ok", "ok"), Choose("What did you draw?", DECK), None),
        (("ok", "less", "ok", "ok", "ok", "ok", "more"), Prompt("Draw a card", ("1 chance left",), Sign.CARD), None),
    ],
)
def test_C4_C5_full_what_is_asked_of_a_draw_in_whole_pages(
    presses: tuple[str, ...], page: Page, labels: tuple[str, ...] | None
) -> None:
    usual: dict[str, Any] = {"pace": "full", "end": {"rounds": 3}}
    home = cat_house(**usual)
    shown = view(after(sat(3, **usual), home, *press(*presses)), home)
    assert shown.page == page
    assert labels in (None, shown.labels)


# --- scores -----------------------------------------------------------------------------------------------------------


def revealed(**usual: Any) -> Table:
    """Two players, all cards up."""
    return after(sat(2, **usual), cat_house(**usual), Knocked(), *press("ok"))


TEN = press("more", "ok")  # a total, as the entry begins


def test_C7_a_score_is_entered_card_by_card_added_up_and_confirmed() -> None:
    home = cat_house()
    table = after(revealed(), home, *press("ok", "more", "ok", "less", "ok", "ok", "more", "more", "ok"))
    assert view(table, home).page == Prompt("12 points", ("Red", "1 + 9 + 0 + 2"))
    scored = after(table, home, *press("ok"))
    assert state_of(scored)["players"][0] == {"name": "Red", "total": 12, "wins": None, "out": False, "scored": True}
    again = after(table, home, *press("back", "less", "ok", "ok"))
    assert state_of(again)["players"][0]["total"] == 11


def test_C7_a_score_is_entered_as_a_total_for_any_player_and_can_be_taken_back() -> None:
    home = cat_house()
    other = after(revealed(), home, *press("less", "more", "ok"))
    assert view(other, home).labels == ("Back", "", "Sum", "Cards")
    assert view(after(other, home, *press("more")), home).page == Count("Yellow: sum", 10, 0, 36)
    assert view(after(other, home, *press("ok", "more", "ok")), home).page == Count("Yellow: card 2", 0, 0, 9, (1,))
    table = after(revealed(), home, *press("less", "more", "ok", "more", "more", "ok"))
    assert [player["total"] for player in state_of(table)["players"]] == [0, 11]
    undone = after(table, home, *press("back", "more", "ok"))
    assert [player["total"] for player in state_of(undone)["players"]] == [0, 0]


def test_C7_no_other_players_cards_are_offered_once_only_one_players_are_missing() -> None:
    table, home = revealed(), cat_house()
    assert view(table, home).labels[1] == "Other"
    assert view(after(table, home, *TEN), home).labels[1] == ""


def test_C3_between_rounds_the_sheet_stands_there_and_the_next_dealer_deals() -> None:
    home = cat_house()
    table = after(revealed(), home, *TEN, *press("more", "more", "ok"))
    rows = (Row("Red", "10"), Row("Yellow", "11", "turn"))
    assert view(table, home).page == Sheet("Deal, Yellow!", rows)
    dealt = after(table, home, *press("ok"))
    assert (state_of(dealt)["round"], state_of(dealt)["dealer"], state_of(dealt)["player"]) == (2, 1, 0)


def test_where_the_sheet_takes_more_than_a_page_who_deals_is_told_without_it() -> None:
    home = house(6, games=("cat",), names=LONG_NAMES, usual={"cat": {"end": {"minutes": 2}}})
    table = after(Table(), home, *SIX, Knocked(), *press(*["ok"] * 5), *TEN * 6)
    assert view(table, home).page == Prompt("Deal, Christophe!", (), Sign.CAT)
    assert view(table, home, 120.0).page == Prompt("The time is up", (), Sign.CAT)
    rows = tuple(Row(name, "10", "turn" if name == "Christophe" else "") for name in LONG_NAMES)
    assert view(after(table, home, *press("less")), home).page == Sheet("Points", rows[:3])


def test_the_score_sheet_is_paged_round_by_round() -> None:
    home = cat_house()
    table = after(revealed(), home, *TEN, *TEN, *press("ok"), Knocked(), *press("ok"), *TEN)
    table = after(table, home, *press("back", "more", "more", "ok"))
    pages = []
    for _page in range(3):
        pages.append(view(table, home).page)
        table = after(table, home, *press("more"))
    assert pages == [
        Sheet("Points", (Row("Red", "20"), Row("Yellow", "10+?"))),
        Sheet("Round 2", (Row("Red", "10"), Row("Yellow", "–"))),
        Sheet("Round 1", (Row("Red", "10"), Row("Yellow", "10"))),
    ]
    assert view(after(table, home, *press("back", "back")), home).labels[3] == "Cards"


def test_C10_C12_nothing_is_missing_of_those_who_are_out_nor_where_rounds_are_counted() -> None:
    home, sheet = cat_house(end={"limit": 11}), press("back", "more", "more", "ok")
    table = after(sat(3, end={"limit": 11}), home, Knocked(), *press("ok", "ok"), *press("more", "more", "ok"))
    table = after(table, home, *TEN, *TEN, *press("ok"), Knocked(), *press("ok"), *sheet)
    rows = (Row("Red", "11", "out"), Row("Yellow", "10+?"), Row("Green", "10+?"))
    assert view(table, home).page == Sheet("Points", rows)
    wins: dict[str, Any] = {"end": {"rounds": 2}, "scores": False}
    won = after(revealed(**wins), cat_house(**wins), *sheet)
    assert view(won, cat_house(**wins)).page == Sheet("Rounds won", (Row("Red", "0"), Row("Yellow", "0")))


def test_C9_C10_who_is_out_is_dark_on_the_ring_and_marked_in_the_sheet() -> None:
    home = cat_house(end={"limit": 11})
    table = after(sat(3, end={"limit": 11}), home, Knocked(), *press("ok", "ok"), *press("more", "more", "ok"))
    table = after(table, home, *TEN, *TEN)
    shown = view(table, home)
    assert [seat.dark for seat in shown.ring.seats] == [True, False, False]
    assert isinstance(shown.page, Sheet)
    assert shown.page.rows[0] == Row("Red", "11", "out")


def test_C9_winners_who_went_out_together_stand_above_those_who_went_out_before() -> None:
    home = cat_house(end={"limit": 11})
    table = after(sat(3, end={"limit": 11}), home, Knocked(), *press("ok", "ok"), *press("more", "more", "ok"))
    table = after(table, home, *TEN, *TEN, *press("ok"), Knocked(), *press("ok"), *TEN, *TEN)
    rows = (Row("Yellow", "20", "winner"), Row("Green", "20", "winner"), Row("Red", "11", "out"))
    assert view(table, home).page == Winner("Winners!", ("Yellow", "Green"), rows)


def test_C9_the_winner_is_shown_and_the_rematch_has_the_next_dealer() -> None:
    home = cat_house(end={"rounds": 1})
    table = after(revealed(end={"rounds": 1}), home, *press("more", "more", "ok"), *TEN)
    shown = view(table, home)
    assert shown.page == Winner("Winner!", ("Yellow",), (Row("Yellow", "10", "winner"), Row("Red", "11")))
    assert shown.ring.winners == (1,)
    again = after(table, home, *press("ok", "more", "ok", "ok", "ok", "ok", "ok"))
    assert start_of(again)["players"] == ["Red", "Yellow"]
    assert start_of(again)["dealer"] == 1
    assert again.seats == (0, 1)


@pytest.mark.parametrize(("last", "next_"), [(0, 1), (1, 2), (2, 0), (None, 0)])
def test_C3_the_player_to_the_left_of_the_last_dealer_deals_the_next_game(last: int | None, next_: int) -> None:
    message = {"game": "cat", "players": ["Ana", "Bo", "Cleo"]}
    assert Sitting(message, (0, 1, 2), last).company.dealer == next_


def rematch(table: Table, home: House) -> Table:
    """The game is left, and the same players sit down again and are told how they will play."""
    return after(table, home, *press("back", "less", "ok", "more", "ok"), *press("ok", "ok", "ok"))


def test_a_rematch_is_played_as_the_last_game_was_and_says_so() -> None:
    home = cat_house()
    asked = after(Table(), home, *press(*["ok"] * 7))
    table = after(asked, home, *press("more", "ok", "more", "ok", "ok", "less", "ok", "more", "ok", "more", "ok"))
    played = {"end": {"rounds": 4}, "scores": False, "younger": True, "pace": "full"}
    assert {key: start_of(table)[key] for key in played} == played
    again = rematch(table, home)
    said = "4 rounds, no points, younger players, every draw?"
    assert view(again, home).page == Choose(said, ("Yes", "Change"))
    begun = start_of(after(again, home, *press("ok")))
    assert begun == start_of(table) | {"dealer": 1}
    changed = after(again, home, *press("more", *["ok"] * 6))  # each setting as it comes
    assert start_of(changed) == begun


def test_other_players_begin_at_the_usual_again() -> None:
    home = cat_house()
    asked = after(Table(), home, *press(*["ok"] * 7))
    table = after(asked, home, *press("more", "ok", "more", "ok", *["ok"] * 4))
    others = after(table, home, *press("back", "less", "ok", "more", "ok", "ok", "more", *["ok"] * 7))
    assert view(others, home).page == Choose("Up to 100 points?", ("Yes", "Change"))


# --- time -------------------------------------------------------------------------------------------------------------


def timed(table: Table, home: House, at_s: float, *facts: Fact) -> Table:
    for fact in facts:
        table = decide(table, fact, home, at_s).table
    return table


def lines(table: Table, home: House, at_s: float) -> tuple[str, ...]:
    page = view(table, home, at_s).page
    assert isinstance(page, Prompt)
    return page.lines


def test_C9_the_minutes_left_are_shown_and_change_the_view_once_a_minute() -> None:
    home, table = cat_house(end={"minutes": 2}), sat(2, end={"minutes": 2})
    assert lines(table, home, 0.0)[0] == "Round 1, 2 min left"
    assert lines(table, home, 61.0)[0] == "Round 1, 1 min left"
    assert lines(table, home, 120.0)[0] == "Time up: last round"
    assert view(table, home, 1.0) == view(table, home, 59.0)


def test_C9_the_running_round_is_finished_after_the_time_is_up() -> None:
    home = cat_house(end={"minutes": 2})
    table = timed(sat(2, end={"minutes": 2}), home, 119.0, Knocked(), *press("ok"))
    early = timed(table, home, 119.5, *TEN, *TEN)
    assert step_of(early) == "deal"
    assert view(early, home, 119.5).labels[3] == "Dealt"
    assert view(early, home, 120.0).page.title == "The time is up"  # type: ignore[union-attr]
    assert step_of(timed(early, home, 120.0, *press("ok"))) == "over"
    assert step_of(timed(table, home, 120.0, *TEN, *TEN)) == "over"


# --- devices ----------------------------------------------------------------------------------------------------------


def test_dice_in_the_tray_mean_nothing_to_cat() -> None:
    home = cat_house()
    table = after(sat(), home, Stirred(), Settled(reading(2, 3)))
    assert table.sighting is None
    assert view(table, home) == view(sat(), home)


@pytest.mark.parametrize("role", ["camera", "light"])
def test_what_only_dice_need_is_lost_to_cat_by_a_pictogram_alone(role: str) -> None:
    home, before = cat_house(), sat()
    table = after(before, home, DeviceChanged(role, Health.LOST, "gone"))
    assert view(table, home) == replace(view(before, home), lost=(role,))
    assert view(after(table, home, Knocked()), home).ring.mood is Mood.FINAL
    ring = after(table, home, DeviceChanged("ring", Health.LOST, "gone"))
    assert (view(ring, home).ring.mood, aside(ring, home)) == (Mood.TROUBLE, "Light ring lost")


def test_a_lost_knock_sensor_shows_and_the_button_still_knocks() -> None:
    home = cat_house()
    table = after(sat(), home, DeviceChanged("knock", Health.LOST, "gone"), *press("more"))
    assert view(table, home).lost == ("knock",)
    assert state_of(table)["knocked"] == 1
