"""C1–C12, each rule cited by the test that holds it."""

from __future__ import annotations

import pytest
from at_the_table import after, do, illegal, legal_lines, malformed, new, picked, refused

from companion.core import Malformed, Outcome
from companion.referee import play

END, KNOCK, DISCARD, DEAL, DRAW2 = do("end"), do("knock"), do("discard"), do("deal"), do("draw2")


def deck(card):
    return do("draw", source="deck", card=card)


def put(slot, discarded="number"):
    return do("replace", slot=slot, discarded=discarded)


def full(players=3, **settings):
    return new("cat", players, pace="full", **settings)


def to_score(match):
    """Whoever is on knocks at once; the others end their turns."""
    for leave in (KNOCK, *[END] * (len(match.public["players"]) - 1)):
        if match.ask.step == "turn" and "draw" in match.ask.actions:
            match = after(match, deck("number"), DISCARD)
        if match.ask.step in ("turn", "end"):
            match = after(match, leave)
    return match


def scored(match, *totals):
    """A whole round and its scores, by player number; None for who is out."""
    match = to_score(match)
    return after(
        match, *(do("score", player=player, total=total) for player, total in enumerate(totals) if total is not None)
    )


def test_C1_cards_are_numbers_peek_swap_or_draw_2():
    match = full()
    assert [line.get("card") for line in legal_lines(match)] == [None, "number", "peek", "swap", "draw2"]
    malformed(match, deck("joker"))
    malformed(match, do("draw", source="deck"))
    malformed(match, do("draw", source="discard", card="number"))


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_C2_two_to_six_players_and_a_number_card_is_up(players):
    match = full(players)
    assert picked(match, "discard_top", "round", "step") == {"discard_top": "number", "round": 1, "step": "turn"}
    assert legal_lines(match)[0] == do("draw", source="discard")
    assert new("cat", players).public["discard_top"] is None


def test_C2_everybody_has_four_cards():
    match = after(full(), deck("peek"))
    malformed(match, do("peek", slot=4))
    malformed(match, do("peek", slot=-1))
    assert [line["slot"] for line in legal_lines(match) if line["do"] == "peek"] == [0, 1, 2, 3]


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_C3_the_player_to_the_dealers_left_starts_and_play_is_clockwise(dealer):
    match = new("cat", 3, dealer=dealer)
    order = []
    for _ in range(3):
        order.append(match.ask.player)
        match = after(match, END)
    assert order == [(dealer + step) % 3 for step in (1, 2, 3)]


def test_C3_the_next_dealer_is_the_player_to_the_left():
    match = scored(new("cat", 3, dealer=2), 1, 2, 3)
    assert picked(match, "step", "player", "dealer", "round") == {"step": "deal", "player": 0, "dealer": 2, "round": 1}
    match = after(match, DEAL)
    assert picked(match, "step", "player", "dealer", "round") == {"step": "turn", "player": 1, "dealer": 0, "round": 2}


def test_C4_the_top_discard_must_replace_an_own_card():
    match = after(full(), do("draw", source="discard"))
    assert picked(match, "step", "card", "discard_top") == {
        "step": "replace",
        "card": "number",
        "discard_top": "number",
    }
    assert match.ask.actions == ("replace",)
    illegal(match, DISCARD, "C4")
    match = after(match, put(2, "power"))
    assert picked(match, "step", "card", "discard_top") == {"step": "end", "card": None, "discard_top": "power"}


def test_C4_a_power_card_cannot_be_taken_from_the_discard_pile():
    match = after(full(), deck("peek"), DISCARD, END)
    assert match.public["discard_top"] == "power"
    illegal(match, do("draw", source="discard"), "C4")
    assert do("draw", source="discard") not in legal_lines(match)


def test_C4_a_drawn_number_card_replaces_an_own_card_or_is_discarded():
    match = after(full(), deck("number"))
    assert (match.ask.step, match.ask.actions, match.public["card"]) == ("use", ("discard", "replace"), "number")
    for line, top in ((put(0), "number"), (put(3, "power"), "power"), (DISCARD, "number")):
        played = after(match, line)
        assert picked(played, "step", "card", "discard_top", "player") == {
            "step": "end",
            "card": None,
            "discard_top": top,
            "player": 1,
        }
    illegal(match, do("peek", slot=0), "C4")


@pytest.mark.parametrize("card", ["peek", "swap", "draw2"])
def test_C4_a_power_card_is_used_or_simply_discarded(card):
    match = after(full(), deck(card))
    assert match.ask.actions == tuple(sorted(("discard", card)))
    assert picked(after(match, DISCARD), "step", "discard_top") == {"step": "end", "discard_top": "power"}
    illegal(match, put(0), "C4")


def test_C4_light_pace_declares_no_card():
    match = new("cat", 3)
    assert (match.ask.step, match.ask.actions) == ("turn", ("end", "knock"))
    for line in (deck("number"), put(0), DISCARD, do("peek", slot=0), do("swap", mine=0, player=0, theirs=0), DRAW2):
        illegal(match, line, "C4")
    assert refused(match, DRAW2)[1] == 'C4: with pace "light" the cards are not declared; draw2 is not played'
    assert refused(full(), DRAW2)[1] == "C4: the player draws a card; draw2 is not played now"


def test_C5_peek_looks_at_one_own_card():
    match = after(full(), deck("peek"), do("peek", slot=3))
    assert picked(match, "step", "discard_top") == {"step": "end", "discard_top": "power"}
    malformed(after(full(), deck("peek")), do("peek", player=0, slot=3))


def test_C5_swap_exchanges_with_another_player():
    match = after(full(), deck("swap"))
    assert len(legal_lines(match)) == 1 + 4 * 2 * 4
    illegal(match, do("swap", mine=0, player=1, theirs=0), "C5")
    malformed(match, do("swap", mine=0, player=3, theirs=0))
    match = after(match, do("swap", mine=3, player=0, theirs=0))
    assert picked(match, "step", "discard_top") == {"step": "end", "discard_top": "power"}


def chain(match):
    return picked(match, "step", "chances", "card", "discard_top")


def test_C5_draw_2_gives_two_chances_and_the_second_only_after_a_discard():
    match = after(full(), deck("draw2"), DRAW2)
    assert chain(match) == {"step": "draw", "chances": 2, "card": None, "discard_top": "power"}
    assert match.ask.actions == ("draw",)
    illegal(match, do("draw", source="discard"), "C5")
    illegal(match, END, "C5")
    match = after(match, deck("number"))
    assert chain(match) == {"step": "use", "chances": 1, "card": "number", "discard_top": "power"}
    used = after(match, put(1))
    assert chain(used) == {"step": "end", "chances": None, "card": None, "discard_top": "number"}
    match = after(match, DISCARD)
    assert chain(match) == {"step": "draw", "chances": 1, "card": None, "discard_top": "number"}
    match = after(match, deck("swap"))
    assert chain(match) == {"step": "use", "chances": 0, "card": "swap", "discard_top": "number"}
    for line in (DISCARD, do("swap", mine=0, player=2, theirs=0)):
        assert chain(after(match, line)) == {"step": "end", "chances": None, "card": None, "discard_top": "power"}


@pytest.mark.parametrize("before", [[], [deck("peek"), DISCARD]])
def test_C5_a_draw_2_among_them_starts_the_two_chances_again(before):
    match = after(full(), deck("draw2"), DRAW2, *before, deck("draw2"))
    assert match.public["chances"] == 1 - len(before) // 2
    again = after(match, DRAW2)
    assert chain(again) == {"step": "draw", "chances": 2, "card": None, "discard_top": "power"}
    discarded = after(match, DISCARD)
    assert discarded.public["chances"] == (None if before else 1)


@pytest.mark.parametrize("pace", ["light", "full"])
@pytest.mark.parametrize("players", [2, 3, 6])
def test_C6_after_a_knock_every_other_player_has_exactly_one_more_turn(players, pace):
    match = new("cat", players, pace=pace, dealer=1)
    turns = []
    while match.ask.step != "score":
        turns.append((match.ask.player, match.public["knocked"], match.public["turns_left"]))
        if pace == "full":
            match = after(match, deck("number"), DISCARD)
        match = after(match, KNOCK if len(turns) == 2 else END)
    first, second = 2 % players, 3 % players
    others = [((second + step) % players, second, players - step) for step in range(1, players)]
    assert turns == [(first, None, None), (second, None, None), *others]
    assert picked(match, "player", "knocked", "turns_left") == {"player": None, "knocked": second, "turns_left": None}


def test_C6_power_cards_work_as_usual_after_a_knock():
    match = after(full(), deck("number"), DISCARD, KNOCK, deck("swap"))
    assert after(match, do("swap", mine=0, player=1, theirs=0)).ask.actions == ("end",)


def test_C6_nobody_knocks_a_second_time():
    match = after(new("cat", 3), KNOCK)
    assert match.ask.actions == ("end",)
    assert refused(match, KNOCK) == ("illegal", "C6: nobody can knock a second time in the round")
    illegal(after(match, END, END), KNOCK, "C7")


def test_C6_a_turn_at_full_pace_does_not_end_before_a_card_is_played():
    for match in (full(), after(full(), deck("number"))):
        illegal(match, END, "C4")
        illegal(match, KNOCK, "C4")


def test_C7_a_score_is_four_number_cards_or_a_total():
    match = to_score(new("cat", 2))
    assert (match.ask.player, match.ask.actions) == (None, ("score",))
    for wrong in (
        {"cards": [1, 2, 3]},
        {"cards": [1, 2, 3, 10]},
        {"cards": [1, 2, 3, -1]},
        {"cards": [1, 2, 3, "peek"]},
        {"total": 37},
        {"total": -1},
        {},
        {"cards": [1, 2, 3, 4], "total": 10},
    ):
        malformed(match, do("score", player=0, **wrong))
    match = after(match, do("score", player=1, cards=[1, 2, 3, 4]))
    assert match.public["players"] == [
        {"name": "Ana", "total": 0, "wins": None, "out": False, "scored": False},
        {"name": "Bo", "total": 10, "wins": None, "out": False, "scored": True},
    ]
    illegal(match, do("score", player=1, total=0), "C7")
    illegal(new("cat", 2), do("score", player=1, total=0), "C6")


def test_C8_an_empty_draw_pile_is_not_declared():
    match = full(2)
    for _ in range(60):  # more draws than there are cards
        match = after(match, deck("number"), DISCARD, END)
    assert picked(match, "step", "round") == {"step": "turn", "round": 1}


def test_C9_rounds_end_the_game_and_the_lowest_total_wins():
    match = scored(new("cat", 3, end={"rounds": 2}), 5, 20, 36)
    assert picked(match, "step", "winners") == {"step": "deal", "winners": None}
    assert match.outcome is None
    match = scored(after(match, DEAL), 15, 0, 0)
    assert picked(match, "step", "player", "winners", "round") == {
        "step": "over",
        "player": None,
        "winners": [0, 1],
        "round": 2,
    }
    assert match.outcome == Outcome((0, 1), (20, 20, 36))
    illegal(match, DEAL, "C9")


def at(line, seconds):
    return line | {"at": seconds}


def test_C9_minutes_end_the_game_when_the_round_in_play_is_finished():
    match = to_score(new("cat", 2, end={"minutes": 1.5}))
    match = after(match, do("score", player=0, total=3))
    early = after(match, at(do("score", player=1, total=4), 89.9))
    assert early.ask.step == "deal"
    assert picked(after(early, at(DEAL, 89.95)), "step", "round") == {"step": "turn", "round": 2}
    late = after(match, at(do("score", player=1, total=4), 90))
    assert picked(late, "step", "winners") == {"step": "over", "winners": [0]}


def test_C9_no_new_round_starts_once_the_time_is_up():
    match = scored(new("cat", 2, end={"minutes": 1}), 3, 4)
    over = after(match, at(DEAL, 60))
    assert picked(over, "step", "player", "round", "dealer", "winners") == {
        "step": "over",
        "player": None,
        "round": 1,
        "dealer": 0,
        "winners": [0],
    }
    assert play(match, DEAL, 60).public == over.public
    assert play(match, DEAL, 59.9).ask.step == "turn"


def test_C9_the_running_round_goes_on_when_the_time_is_up():
    match = after(new("cat", 2, end={"minutes": 1}), at(END, 1000), at(KNOCK, 2000), at(END, 3000))
    assert match.ask.step == "score"


def test_C9_who_reaches_the_limit_is_out_and_the_last_one_in_wins():
    match = scored(new("cat", 3, end={"limit": 30}), 30, 29, 36)
    assert picked(match, "step", "winners") == {"step": "over", "winners": [1]}
    assert [player["out"] for player in match.public["players"]] == [True, False, True]


def test_C9_the_limit_is_100_by_default():
    match = new("cat", 2)
    for _ in range(3):
        match = scored(match, 33, 1)
        assert match.ask.step == "deal"
        match = after(match, DEAL)
    assert picked(scored(match, 0, 1), "step") == {"step": "deal"}
    assert picked(scored(match, 1, 1), "step", "winners") == {"step": "over", "winners": [1]}


def test_C9_a_round_that_puts_out_everybody_left_is_won_by_the_lowest_total_among_them():
    match = after(scored(new("cat", 4, end={"limit": 20}), 5, 36, 6, 7), DEAL)
    over = scored(match, 20, None, 18, 17)
    assert picked(over, "step", "winners") == {"step": "over", "winners": [2, 3]}
    assert [player["total"] for player in over.public["players"]] == [25, 36, 24, 24]
    assert [player["out"] for player in over.public["players"]] == [True] * 4


def test_C9_who_was_out_before_does_not_win_with_a_lower_total():
    match = after(scored(new("cat", 3, end={"limit": 20}), 20, 0, 0), DEAL)
    assert scored(match, None, 30, 36).public["winners"] == [1]


def test_C10_players_who_are_out_are_skipped_for_turns_dealing_and_scoring():
    match = scored(new("cat", 4, dealer=0, end={"limit": 20}), 0, 20, 0, 0)
    assert picked(match, "step", "player") == {"step": "deal", "player": 2}
    match = after(match, DEAL)
    order = []
    while match.ask.step == "turn":
        order.append(match.ask.player)
        match = after(match, KNOCK if len(order) == 3 else END)
    assert order == [3, 0, 2, 3, 0]
    illegal(match, do("score", player=1, total=0), "C10")
    match = after(match, *(do("score", player=player, total=0) for player in (0, 2, 3)))
    assert (match.ask.step, match.public["players"][1]["scored"]) == ("deal", False)


def test_C10_the_next_dealer_is_found_from_the_old_one_even_if_that_one_is_out():
    match = scored(new("cat", 3, dealer=1, end={"limit": 20}), 0, 20, 0)
    assert picked(match, "dealer", "player") == {"dealer": 1, "player": 2}


def test_C10_there_is_no_swap_with_a_player_who_is_out():
    match = after(scored(full(3, end={"limit": 20}), 0, 20, 0), DEAL, deck("swap"))
    illegal(match, do("swap", mine=0, player=1, theirs=0), "C10")
    assert {line["player"] for line in legal_lines(match) if line["do"] == "swap"} == {2}


def test_C11_outer_cards_lie_face_up_and_are_not_swapped():
    match = after(full(3, younger=True), deck("swap"))
    for mine, theirs in ((0, 1), (3, 2), (1, 0), (2, 3)):
        illegal(match, do("swap", mine=mine, player=2, theirs=theirs), "C11")
    swaps = {(line["mine"], line["theirs"]) for line in legal_lines(match) if line["do"] == "swap"}
    assert swaps == {(1, 1), (1, 2), (2, 1), (2, 2)}


def test_C11_a_replaced_outer_card_goes_back_face_down():
    match = after(full(3, younger=True), deck("number"), put(3), END, deck("swap"))
    assert after(match, do("swap", mine=1, player=1, theirs=3)).ask.step == "end"
    illegal(match, do("swap", mine=1, player=1, theirs=0), "C11")


def test_C11_outer_cards_lie_face_up_again_each_round():
    match = after(full(2, younger=True), deck("number"), put(0), END)
    match = after(scored(match, 1, 1), DEAL, deck("swap"))
    assert match.ask.player == 0
    illegal(match, do("swap", mine=1, player=1, theirs=0), "C11")


def test_C11_has_no_effect_at_light_pace():
    match = new("cat", 2, younger=True)
    assert match.public == new("cat", 2).public
    assert [player.face_up for player in match.state.players] == [frozenset()] * 2


def test_C12_without_scores_rounds_won_are_counted():
    match = new("cat", 3, scores=False, end={"rounds": 3})
    nothing = {"total": None, "out": False}
    assert match.public["players"][0] == nothing | {"name": "Ana", "wins": 0, "scored": False}
    match = to_score(match)
    match = after(match, do("score", player=0, total=7), do("score", player=1, total=7))
    assert [player["wins"] for player in match.public["players"]] == [0, 0, 0]
    match = after(match, do("score", player=2, total=8))
    assert [player["wins"] for player in match.public["players"]] == [1, 1, 0]
    match = after(scored(after(match, DEAL), 9, 8, 7), DEAL)
    match = scored(match, 30, 30, 1)
    assert [player["wins"] for player in match.public["players"]] == [1, 1, 2]
    assert match.public["winners"] == [2]
    assert match.outcome == Outcome((2,), (1, 1, 2))


def test_C12_most_wins_may_be_shared():
    match = scored(new("cat", 2, scores=False, end={"minutes": 5}), 3, 3)
    assert after(match, at(DEAL, 300)).public["winners"] == [0, 1]


@pytest.mark.parametrize("end", [{}, {"end": {"limit": 5}}])
def test_C12_without_scores_there_is_no_limit(end):
    with pytest.raises(Malformed, match="C12"):
        new("cat", 2, scores=False, **end)


def test_no_leftovers_of_a_round_reach_the_next():
    match = after(full(2), deck("peek"), DISCARD, KNOCK, deck("number"), DISCARD, END)
    match = after(match, do("score", player=0, total=1), do("score", player=1, total=2))
    assert picked(match, "step", "knocked", "turns_left", "discard_top") == {
        "step": "deal",
        "knocked": 1,
        "turns_left": None,
        "discard_top": "number",
    }
    match = after(match, DEAL)
    assert picked(match, "knocked", "turns_left", "discard_top", "card", "chances") == {
        "knocked": None,
        "turns_left": None,
        "discard_top": "number",
        "card": None,
        "chances": None,
    }
    assert [player["scored"] for player in match.public["players"]] == [False, False]


def test_every_refusal_names_a_rule():
    for match in (new("cat", 2), full(2), to_score(new("cat", 2)), scored(new("cat", 2, end={"rounds": 1}), 1, 2)):
        for line in (END, KNOCK, deck("peek"), put(0), DISCARD, do("peek", slot=0), DRAW2, DEAL):
            if line["do"] not in match.ask.actions:
                assert refused(match, line)[1][0] == "C"
