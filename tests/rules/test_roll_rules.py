"""R1–R23, each rule cited by the test that holds it."""

from __future__ import annotations

from itertools import islice

import pytest
from at_the_table import (
    ACCEPT,
    DECLINE,
    SKIP,
    after,
    all_complete,
    cards,
    collect,
    do,
    finish,
    illegal,
    land,
    legal_lines,
    malformed,
    market_card,
    new,
    picked,
    refusal,
    refused,
    roll,
    to_reveal,
    tokens,
    until_complete,
    wild,
)

from companion.core import Audit, Malformed, Outcome
from companion.games.roll import Board
from companion.referee import begin, legal


def test_R1_number_dice_show_one_to_six_and_there_are_three():
    match = new("roll", 2)
    for dice in ([0], [7], [1, 1, 1, 1], [], [True], [1.0], ["1"], 3):
        malformed(match, do("roll", dice=dice))
    assert refused(match, roll(3, 7)) == ("malformed", "die 2 shows 7; number dice show 1–6")


def test_R1_number_cards_are_0_to_9():
    match = new("roll", 2, cards="track", market=[0, 1, 2, 3, 4])
    malformed(match, do("refill", value=10))
    malformed(match, do("refill", value=-1))
    malformed(match, do("redeal", market=[0, 1, 2, 3, 10]))
    malformed(match, do("redeal", market=[0, 1, 2, 3, -1]))


def test_R2_the_default_board_has_20_spaces_each_region_after_its_wild_space():
    kinds = [(space.kind, space.region) for space in Board().spaces]
    assert kinds == [
        space
        for region in range(5)
        for space in (("wild", None), ("choice", region), ("token", region), ("peek", region))
    ]


def test_R2_any_layout_with_a_space_in_each_region_is_played():
    board = Board((("peek",), ("token", "token"), ("choice",), ("choice", "peek", "token", "choice"), ("peek",)))
    assert [space.kind for space in board.spaces] == [
        *("wild", "peek", "wild", "token", "token", "wild", "choice"),
        *("wild", "choice", "peek", "token", "choice", "wild", "peek"),
    ]
    start = do("start", game="roll", players=["Ana", "Bo"], pawn=12)
    match = after(begin(start, board=board), roll(1), ACCEPT)
    assert picked(match, "pawn", "step") == {"pawn": 13, "step": "take"}
    assert after(begin(start, board=board), roll(2), ACCEPT).public["pawn"] == 0
    with pytest.raises(Malformed, match="R6"):
        begin(start | {"pawn": 1}, board=board)
    with pytest.raises(Malformed, match="0 to 13"):
        begin(start | {"pawn": 14}, board=board)


@pytest.mark.parametrize(
    ("regions", "reason"),
    [
        ((("peek",),) * 4, "5 regions, not 4"),
        ((("peek",),) * 6, "5 regions, not 6"),
        ((("peek",), ("peek",), (), ("peek",), ("peek",)), "region 2 has no space"),
        ((("peek",), ("wild",), ("peek",), ("peek",), ("peek",)), "region 1 holds a Wild space"),
        ((("peek",), ("hop",), ("peek",), ("peek",), ("peek",)), "region 1 holds 'hop'"),
    ],
)
def test_R2_no_other_layout_is_a_board(regions, reason):
    with pytest.raises(ValueError, match=reason):
        Board(regions)


@pytest.mark.parametrize(("card", "paid"), [(6, 0), (7, 1), (8, 1), (9, 1)])
def test_R3_seven_eight_and_nine_are_rats(card, paid):
    match = collect(new("roll", 2, cards="track", market=[card, 0, 0, 0, 0]), "peek")
    assert tokens(match) == [2 + paid, 2]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_R4_everybody_starts_with_one_card_and_two_tokens_beside_a_pool_of_twenty(players):
    match = new("roll", players)
    assert (tokens(match), cards(match), match.public["pool"]) == ([2] * players, [1] * players, 20)


def test_R5_the_market_has_five_cards():
    start = do("start", game="roll", players=["Ana", "Bo"], cards="track")
    for market, count in (
        ([1], "1 value"),
        ([1, 2, 3, 4], "4 values"),
        ([1, 2, 3, 4, 5, 6], "6 values"),
        ([], "0 values"),
    ):
        with pytest.raises(Malformed, match=f"market has {count}; it must have 5"):
            begin(start | {"market": market})
    assert begin(start | {"market": [1, 2, 3, 4, 5]}).public["market"] == [1, 2, 3, 4, 5]


def test_R6_the_pawn_starts_on_any_wild_space_and_on_no_other():
    for space in range(20):
        if space % 4 == 0:
            assert new("roll", 2, pawn=space).public["pawn"] == space
        else:
            with pytest.raises(Malformed, match="R6"):
                new("roll", 2, pawn=space)


def test_R6_the_first_player_is_chosen_and_play_is_clockwise():
    match = new("roll", 3, first=1)
    turns = []
    for _ in range(4):
        turns.append((match.public["turn"], match.ask.player))
        match = collect(match)
    assert turns == [(1, 1), (2, 2), (3, 0), (4, 1)]


@pytest.mark.parametrize(("players", "needed"), [(2, 5), (3, 4), (4, 4), (5, 4)])
def test_R7_five_cards_are_needed_with_two_players_else_four(players, needed):
    match = until_complete(new("roll", players), 0)
    assert (match.public["needed"], cards(match)[0]) == (needed, needed)


@pytest.mark.parametrize("dice", [[1], [6, 5], [6, 6, 6]])
def test_R8_one_to_three_dice_by_choice_and_the_total_is_the_way(dice):
    match = after(new("roll", 2, pawn=4), do("roll", dice=dice))
    assert picked(match, "dice", "total", "pawn", "step") == {
        "dice": dice,
        "total": sum(dice),
        "pawn": 4,
        "step": "accept",
    }
    assert after(match, ACCEPT).public["pawn"] == (4 + sum(dice)) % 20


def test_R9_a_token_rerolls_any_dice_of_this_turn_and_goes_back_to_the_pool_at_once():
    match = after(new("roll", 2), roll(1, 2, 3), do("reroll", which=[0, 2], dice=[5, 6]))
    assert picked(match, "dice", "total", "pool", "step") == {
        "dice": [5, 2, 6],
        "total": 13,
        "pool": 21,
        "step": "accept",
    }
    assert tokens(match) == [1, 2]


def test_R9_rerolls_last_while_tokens_last():
    match = after(new("roll", 2), roll(1, 2))
    match = after(match, do("reroll", which=[0], dice=[1]), do("reroll", which=[0, 1], dice=[1, 1]))
    assert (match.ask.actions, tokens(match)) == (("accept",), [0, 2])
    illegal(match, do("reroll", which=[1], dice=[6]), "R9")


def test_R9_only_dice_rolled_this_turn_and_none_added():
    match = after(new("roll", 2), roll(4, 4))
    illegal(match, do("reroll", which=[2], dice=[1]), "R9")
    illegal(match, do("reroll", which=[0, 2], dice=[1, 1]), "R9")
    for which, dice in (([], []), ([0, 0], [1, 1]), ([1, 0], [1, 1]), ([0], [1, 1]), ([3], [1]), ([-1], [1])):
        malformed(match, do("reroll", which=which, dice=dice))


def test_R9_nothing_is_rerolled_before_it_was_rolled():
    match = new("roll", 2)
    illegal(match, do("reroll", which=[0], dice=[1]), "R8")
    illegal(land(match, "wild"), do("reroll", face="swap"), "R12")


def test_R10_choice_gives_the_market_card_or_the_top_of_the_draw_pile():
    match = land(new("roll", 2), "choice")
    for source in ("market", "deck"):
        taken = after(match, do("take", source=source, rat=False))
        assert (cards(taken), tokens(taken), taken.ask.player) == ([2, 1], [2, 2], 1)


def test_R10_token_gives_the_market_card_and_a_token():
    match = after(land(new("roll", 2), "token"), do("take", source="market", rat=False))
    assert (cards(match), tokens(match), match.public["pool"]) == ([2, 1], [3, 2], 19)


@pytest.mark.parametrize("kind", ["token", "peek"])
def test_R10_only_a_choice_space_has_the_draw_pile(kind):
    illegal(land(new("roll", 2), kind), do("take", source="deck", rat=False), "R10")


def test_R10_wild_has_no_draw_pile():
    illegal(wild(new("roll", 2), "lowest"), do("take", source="deck", rat=False), "R10")


def test_R10_peek_may_look_at_all_own_cards_or_at_one_of_an_opponent_or_at_none():
    match = after(land(new("roll", 3), "peek"), do("take", source="market", rat=False))
    assert picked(match, "step", "player") == {"step": "peek", "player": 0}
    assert cards(match) == [2, 1, 1]
    for line in (do("peek", player=0), do("peek", player=2, slot=0), DECLINE):
        assert picked(after(match, line), "step", "player") == {"step": "roll", "player": 1}
    illegal(match, do("peek", player=0, slot=0), "R10")
    illegal(match, do("peek", player=1), "R10")
    illegal(match, do("peek", player=1, slot=1), "R10")
    malformed(match, do("peek", player=1, slot=4))
    malformed(match, do("peek", player=3, slot=0))


def test_R10_track_takes_the_card_of_the_pawns_region_and_no_other():
    match = land(new("roll", 2, cards="track", market=[1, 2, 3, 4, 5], pawn=8), "token")
    illegal(match, do("take", source="market", region=1), "R10")
    named = after(match, do("take", source="market", region=2))
    assert named.public["market"] == [1, 2, None, 4, 5]
    assert after(match, do("take", source="market")) == named


@pytest.mark.parametrize("source", ["market", "deck"])
def test_R11_a_rat_earns_a_token_from_market_and_draw_pile(source):
    match = after(land(new("roll", 2), "choice"), do("take", source=source, rat=True))
    assert (tokens(match), match.public["pool"]) == ([3, 2], 19)


def test_R11_a_rat_on_a_token_space_earns_two():
    match = collect(new("roll", 2), "token", rat=True)
    assert (tokens(match), match.public["pool"]) == ([4, 2], 18)


@pytest.mark.parametrize(("pool", "paid"), [(0, 0), (1, 1), (2, 2)])
def test_R11_the_pool_pays_what_it_has(pool, paid):
    match = collect(new("roll", 2, pool=pool), "token", rat=True)
    assert (tokens(match), match.public["pool"]) == ([2 + paid, 2], pool - paid)


def test_R11_a_token_spent_in_this_turn_can_be_earned_back_from_an_empty_pool():
    match = after(new("roll", 2, pool=0), roll(6), do("reroll", which=[0], dice=[2]), ACCEPT)
    match = after(match, do("take", source="market", rat=True))
    assert (tokens(match), match.public["pool"]) == ([2, 2], 0)


def test_R12_lowest_and_highest_take_that_card_of_the_market():
    match = new("roll", 2, cards="track", market=[4, 1, 6, 2, 5])
    for face, region, wrong in (("lowest", 1, 3), ("highest", 2, 4)):
        rolled = wild(match, face)
        illegal(rolled, do("take", source="market", region=wrong), "R12")
        taken = after(rolled, do("take", source="market"))
        assert taken.public["market"][region] is None
        assert taken == after(rolled, do("take", source="market", region=region))


def test_R12_among_equal_cards_the_player_chooses():
    match = wild(new("roll", 2, cards="track", market=[4, 1, 6, 1, 5]), "lowest")
    illegal(match, do("take", source="market"), "R12")
    illegal(match, do("take", source="market", region=0), "R12")
    for region in (1, 3):
        assert after(match, do("take", source="market", region=region)).public["market"][region] is None


def test_R12_swap_exchanges_two_slots_or_nothing():
    match = wild(new("roll", 3), "swap")
    assert picked(match, "step", "wild") == {"step": "swap", "wild": "swap"}
    for line in (do("swap", mine=0, player=2, theirs=0), DECLINE):
        swapped = after(match, line)
        assert (cards(swapped), tokens(swapped), swapped.ask.player) == ([1, 1, 1], [2, 2, 2], 1)
    illegal(match, do("swap", mine=0, player=0, theirs=0), "R12")
    illegal(match, do("swap", mine=1, player=1, theirs=0), "R12")
    illegal(match, do("swap", mine=0, player=1, theirs=3), "R12")
    malformed(match, do("swap", mine=4, player=1, theirs=0))
    malformed(match, do("swap", mine=0, player=3, theirs=0))


def test_R12_the_wild_die_is_rerolled_for_tokens_before_it_counts():
    match = after(land(new("roll", 2), "wild"), do("wild", face="swap"))
    assert match.ask.actions == ("accept", "reroll")
    match = after(match, do("reroll", face="swap"), do("reroll", face="lowest"))
    assert (match.public["wild"], match.public["pool"], match.ask.actions) == ("lowest", 22, ("accept",))
    assert tokens(match) == [0, 2]
    illegal(match, do("reroll", face="swap"), "R9")
    assert after(match, ACCEPT).ask.step == "take"


def test_R12_each_die_is_rerolled_in_its_own_form():
    match = after(new("roll", 2), roll(4))
    illegal(match, do("reroll", face="swap"), "R9")
    malformed(match, do("reroll", face="swap", which=[0], dice=[1]))
    match = after(match, ACCEPT, do("wild", face="swap"))
    illegal(match, do("reroll", which=[0], dice=[1]), "R12")
    malformed(match, do("reroll", face="joker"))


def test_R13_cards_keep_their_slot_and_a_new_one_takes_the_next():
    match = new("roll", 2, cards="track", market=[1, 2, 3, 4, 5])
    match = collect(match, "peek", refill=6)  # Ana: 1 from region 0
    match = collect(match, "peek", refill=6)  # Bo: 2 from region 1
    match = collect(match, "peek", refill=6)  # Ana: 3 from region 2
    assert [player.row for player in match.state.players] == [(None, 1, 3), (None, 2)]


def test_R13_a_swap_exchanges_two_slots_and_their_cards():
    match = new("roll", 2, cards="track", market=[1, 2, 3, 4, 5])
    match = collect(collect(match, "peek", refill=6), "peek", refill=6)
    match = after(wild(match, "swap"), do("swap", mine=1, player=1, theirs=1))
    assert [player.row for player in match.state.players] == [(None, 2), (None, 1)]


def test_R14_a_taken_market_card_is_replaced_as_the_last_step_of_the_turn():
    match = after(land(new("roll", 2, cards="track", market=[1, 2, 3, 4, 5]), "peek"), do("take", source="market"))
    illegal(match, do("refill", value=8), "R10")
    match = after(match, DECLINE)
    assert picked(match, "step", "market", "player") == {"step": "refill", "market": [None, 2, 3, 4, 5], "player": 0}
    match = after(match, do("refill", value=8))
    assert picked(match, "step", "market", "player") == {"step": "roll", "market": [8, 2, 3, 4, 5], "player": 1}


def test_R14_the_draw_pile_leaves_no_gap_in_the_market():
    match = land(new("roll", 2, cards="track", market=[1, 2, 3, 4, 5]), "choice")
    match = after(match, do("take", source="deck", rat=False))
    assert picked(match, "step", "market", "player") == {"step": "roll", "market": [1, 2, 3, 4, 5], "player": 1}


def test_R14_more_than_three_rats_are_dealt_anew_again_and_again():
    match = land(new("roll", 2, cards="track", market=[0, 7, 8, 9, 5]), "peek")
    match = after(match, do("take", source="market"), DECLINE)
    assert after(match, do("refill", value=6)).ask.player == 1  # three rats may stay
    match = after(match, do("refill", value=7))
    assert picked(match, "step", "player", "turn") == {"step": "redeal", "player": 0, "turn": 1}
    match = after(match, do("redeal", market=[9, 9, 9, 9, 0]))
    assert picked(match, "step", "player", "turn") == {"step": "redeal", "player": 0, "turn": 1}
    match = after(match, do("redeal", market=[9, 9, 9, 0, 0]))
    assert picked(match, "step", "player", "turn") == {"step": "roll", "player": 1, "turn": 2}


def test_R14_holds_at_setup_too():
    match = new("roll", 3, first=2, cards="track", market=[7, 7, 8, 9, 0])
    assert picked(match, "step", "player", "turn") == {"step": "redeal", "player": 2, "turn": 1}
    illegal(match, roll(1), "R14")
    match = after(match, do("redeal", market=[9, 9, 9, 9, 9]), do("redeal", market=[0, 1, 2, 3, 4]))
    assert picked(match, "step", "player", "turn") == {"step": "roll", "player": 2, "turn": 1}


def test_R14_a_redeal_after_a_complete_players_card_passes_the_turn():
    match = new("roll", 2, cards="track", market=[0, 0, 0, 0, 0])
    while match.ask.step == "roll":
        match = collect(match, refill=9 if match.public["turn"] >= 6 else 0)
    assert match.public["market"] == [9, 9, 9, 0, 0]
    match = after(wild(match, "lowest"), do("take", source="market", region=4), do("discard", slot=1))
    match = after(match, do("refill", value=7))
    assert picked(match, "step", "player", "turns_left") == {"step": "redeal", "player": 0, "turns_left": 2}
    match = after(match, do("redeal", market=[1, 2, 3, 4, 5]))
    assert picked(match, "step", "player", "turns_left") == {"step": "wild", "player": 1, "turns_left": 1}


@pytest.mark.parametrize("kind", ["choice", "token", "peek", "wild"])
def test_R15_at_most_one_card_a_turn(kind):
    match = wild(new("roll", 2), "highest") if kind == "wild" else land(new("roll", 2), kind)
    match = finish(after(match, do("take", source="market", rat=False)))
    assert (cards(match), match.ask.player, match.ask.step) == ([2, 1], 1, "roll")


def test_R16_a_complete_player_skips_or_rolls_the_wild_die():
    match = after(wild(until_complete(new("roll", 2), 0), "swap"), DECLINE)
    assert (match.ask.player, match.ask.step, match.ask.actions) == (0, "wild", ("skip", "wild"))
    illegal(match, roll(1), "R16")
    pawn = match.public["pawn"]
    illegal(after(match, do("wild", face="swap")), roll(1), "R12")
    skipped = after(match, SKIP)
    assert picked(skipped, "player", "step", "pawn") == {"player": 1, "step": "roll", "pawn": pawn}


def test_R16_a_collecting_player_does_not_skip():
    illegal(land(new("roll", 2), "wild"), SKIP, "R16")
    illegal(land(new("roll", 2), "wild"), roll(1), "R12")
    illegal(new("roll", 2), SKIP, "R8")


@pytest.mark.parametrize("kind", ["choice", "token", "peek"])
def test_R16_the_space_under_the_pawn_no_longer_matters(kind):
    match = collect(until_complete(new("roll", 2), 0), kind)
    assert match.state.settings.board.spaces[match.state.pawn].kind == kind
    pool, had = match.public["pool"], tokens(match)
    match = after(match, do("wild", face="lowest"), ACCEPT)
    illegal(match, do("take", source="deck", rat=False), "R16")
    match = after(match, do("take", source="market", rat=False), do("discard", slot=0))
    assert (match.ask.player, match.ask.step) == (1, "roll")
    assert (match.public["pool"], tokens(match)) == (pool, had)


def test_R16_rerolls_by_token_are_allowed():
    match = all_complete(new("roll", 3))
    had = tokens(match)[0]
    match = after(match, do("wild", face="swap"), do("reroll", face="lowest"))
    assert (match.public["wild"], tokens(match)[0]) == ("lowest", had - 1)


def test_R17_a_taken_card_takes_the_place_of_an_older_one():
    match = wild(all_complete(new("roll", 3, cards="track", market=[5, 5, 5, 5, 6])), "highest")
    row, highest = match.state.players[0].row, max(match.public["market"])
    match = after(match, market_card(match))
    assert picked(match, "step", "player") == {"step": "discard", "player": 0}
    assert cards(match) == [4, 4, 4]
    malformed(match, do("discard", slot=4))
    match = after(match, do("discard", slot=2))
    assert match.state.players[0].row == (*row[:2], highest, row[3])
    assert match.ask.step == "refill"
    assert match.state.held is None


def test_R17_rats_still_earn_a_token_and_the_market_is_refilled():
    match = new("roll", 3, cards="track", market=[0, 0, 0, 0, 0])
    while match.ask.step == "roll":
        match = collect(match, refill=9 if match.public["turn"] == 9 else 0)
    had, pool = tokens(match)[0], match.public["pool"]
    rat = match.public["market"].index(9)
    match = after(wild(match, "highest"), do("take", source="market"))
    assert (tokens(match)[0], match.public["pool"]) == (had + 1, pool - 1)
    match = after(match, do("discard", slot=0), do("refill", value=8))
    assert (match.ask.player, match.public["market"][rat]) == (1, 8)


def test_R17_swap_stays_optional_and_changes_no_card_count():
    match = wild(all_complete(new("roll", 3)), "swap")
    for line in (do("swap", mine=3, player=1, theirs=2), DECLINE):
        assert (cards(after(match, line)), after(match, line).ask.player) == ([4, 4, 4], 1)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_R18_final_round_ends_with_the_trigger(players):
    match = all_complete(new("roll", players, first=1))
    trigger = (match.ask.player - 1) % players
    order = []
    while match.ask.step == "wild":
        assert match.public["final_round"] is True
        order.append((match.ask.player, match.public["turns_left"]))
        match = after(match, SKIP)
    assert order == [((trigger + 1 + turn) % players, players - turn) for turn in range(players)]
    assert picked(match, "step", "player", "final_round", "turns_left") == {
        "step": "reveal",
        "player": None,
        "final_round": True,
        "turns_left": None,
    }


def test_R18_turns_of_complete_players_before_the_trigger_are_ordinary():
    match = until_complete(new("roll", 2), 0)
    for _ in range(3):
        match = after(wild(match, "swap"), DECLINE, SKIP)
        assert picked(match, "final_round", "turns_left") == {"final_round": False, "turns_left": None}
    match = until_complete(match, 1)
    assert picked(match, "final_round", "turns_left", "player") == {"final_round": True, "turns_left": 2, "player": 0}


def test_R18_the_triggering_turn_is_played_to_its_end_first():
    match = until_complete(new("roll", 3, cards="track", market=[0, 0, 0, 0, 0]), 1, 2)
    while match.ask.player != 0 or cards(match)[0] < 3:
        match = collect(match) if match.ask.step == "roll" else after(match, SKIP)
    match = after(land(match, "peek"), do("take", source="market"))
    trigger = picked(match, "step", "player", "final_round", "turns_left")
    assert trigger == {"step": "peek", "player": 0, "final_round": False, "turns_left": None}
    assert match.public["players"][0]["complete"] is True
    match = after(match, DECLINE)
    assert picked(match, "step", "final_round") == {"step": "refill", "final_round": False}
    match = after(match, do("refill", value=0))
    assert picked(match, "player", "final_round", "turns_left") == {"player": 1, "final_round": True, "turns_left": 3}


def test_R19_all_cards_are_added_up_and_the_lowest_total_wins():
    match = to_reveal(new("roll", 3))
    match = after(match, do("reveal", player=2, cards=[1, 2, 3, 4]), do("reveal", player=0, total=36))
    assert picked(match, "step", "totals", "winners") == {"step": "reveal", "totals": None, "winners": None}
    assert match.outcome is None
    assert [player["revealed"] for player in match.public["players"]] == [True, False, True]
    match = after(match, do("reveal", player=1, cards=[9, 9, 9, 9]))
    assert picked(match, "step", "player", "totals", "winners") == {
        "step": "over",
        "player": None,
        "totals": [36, 36, 10],
        "winners": [2],
    }
    assert match.outcome == Outcome(winners=(2,), totals=(36, 36, 10))
    assert match.ask.actions == ()
    illegal(match, do("reveal", player=1, total=0), "R19")


def test_R19_the_wild_die_of_the_last_turn_is_put_away_at_the_reveal():
    match = after(all_complete(new("roll", 2)), SKIP, do("wild", face="swap"), ACCEPT)
    assert picked(match, "step", "wild") == {"step": "swap", "wild": "swap"}
    assert picked(after(match, DECLINE), "step", "wild") == {"step": "reveal", "wild": None}


def test_R19_equal_lowest_totals_share_the_win():
    match = to_reveal(new("roll", 3))
    match = after(match, *(do("reveal", player=player, total=total) for player, total in ((0, 5), (1, 6), (2, 5))))
    assert match.public["winners"] == [0, 2]


def test_R19_each_player_reveals_once():
    match = after(to_reveal(new("roll", 2)), do("reveal", player=1, total=0))
    illegal(match, do("reveal", player=1, total=0), "R19")
    malformed(match, do("reveal", player=2, total=0))
    malformed(match, do("reveal", player=0, total=46))
    malformed(match, do("reveal", player=0, total=-1))
    malformed(match, do("reveal", player=0, cards=[0, 0, 0, 0]))
    illegal(new("roll", 2), do("reveal", player=1, total=0), "R8")


def known_hands():
    """Three players at the reveal; the market's cards were all 1, and 2 once refilled."""
    match = new("roll", 3, cards="track", market=[1, 1, 1, 1, 1])
    while match.ask.step == "roll":
        match = collect(match, refill=2)
    return to_reveal(match)


def test_R20_a_hand_that_contradicts_what_was_public_is_reported_with_its_slots():
    match = known_hands()
    row = match.state.players[1].row
    assert row[0] is None
    why = refusal(match, do("reveal", player=1, cards=[0, row[1] + 1, row[2], row[3] + 1]))
    assert isinstance(why, Audit)
    assert (why.code, why.slots, why.message.split(":")[0]) == ("audit", (1, 3), "R20")


def test_R20_a_contradicting_hand_is_entered_again_or_accepted_as_played():
    match = known_hands()
    row = match.state.players[1].row
    right = after(match, do("reveal", player=1, cards=[9, *row[1:]]))
    assert right.public["players"][1]["revealed"] is True
    forced = after(match, do("reveal", player=1, cards=[9, 9, 9, 9], force=True))
    assert forced.state.players[1].total == 36
    assert after(match, do("reveal", player=1, cards=[9, *row[1:]], force=True)) == right
    assert after(match, do("reveal", player=1, cards=[9, *row[1:]], force=False)) == right
    assert after(match, do("reveal", player=1, total=0)).state.players[1].total == 0


def test_R20_what_is_known_follows_swaps_and_discards():
    match = new("roll", 3, cards="track", market=[1, 2, 3, 4, 5])
    while match.ask.step == "roll":
        match = collect(match, refill=match.public["turn"] % 7)
    rows = [player.row for player in match.state.players]
    match = after(wild(match, "swap"), do("swap", mine=1, player=2, theirs=0))
    highest = max(match.public["market"])
    match = after(match, do("wild", face="highest"), ACCEPT)
    match = after(match, do("take", source="market", region=match.public["market"].index(highest)))
    match = after(match, do("discard", slot=1), do("refill", value=0), SKIP)
    assert [player.row for player in match.state.players] == [
        (rows[0][0], rows[2][0], *rows[0][2:]),
        (rows[1][0], highest, *rows[1][2:]),
        (rows[0][1], *rows[2][1:]),
    ]


def test_R20_nothing_is_known_with_ask_nor_of_the_draw_pile():
    ask = to_reveal(new("roll", 2))
    assert {player.row for player in ask.state.players} == {(None,) * 5}
    match = land(new("roll", 2, cards="track", market=[0, 0, 0, 0, 0]), "choice")
    match = after(match, do("take", source="deck", rat=True))
    assert match.state.players[0].row == (None, None)


def two_that_differ_face_down():
    """Two games whose public story is one since the first turn, and whose first taken cards are not."""
    for first in (2, 3):
        yield collect(new("roll", 2, cards="track", market=[first, 1, 4, 5, 6]), "peek", refill=6)


def looks(match):
    """All that can be had of a match without playing on."""
    return match.public, match.ask, repr(match), repr(match.ask), str(match.settings), list(islice(legal(match), 100))


@pytest.mark.parametrize("stride", [1, 5, 7, 11])
def test_R21_games_that_differ_only_face_down_look_the_same_until_the_reveal(stride):
    one, other = two_that_differ_face_down()
    assert one != other
    while one.ask.step != "reveal":
        assert looks(one) == looks(other)
        lines = list(islice(legal(one), 100))
        for bad in (do("refill", value=3), do("take", source="deck", rat=True), do("swap", mine=0, player=0, theirs=4)):
            if bad not in lines:
                assert refused(one, bad) == refused(other, bad)
        line = lines[(stride * len(one.log) + 5) % len(lines)]
        one, other = after(one, line), after(other, line)
    assert (one.public, repr(one)) == (other.public, repr(other))


def test_R21_the_audit_names_slots_and_no_values():
    one, other = (to_reveal(match) for match in two_that_differ_face_down())
    wrong = do("reveal", player=0, cards=[9, 9, 9, 9, 9])
    assert refused(one, wrong) == refused(other, wrong)


def test_R21_a_held_card_is_not_shown():
    match = all_complete(new("roll", 2, cards="track", market=[0, 0, 0, 0, 0]))
    match = after(match, do("wild", face="lowest"), ACCEPT, do("take", source="market", region=3))
    assert match.state.held == 0
    assert "held" not in repr(match)
    assert picked(match, "market", "step") == {"market": [0, 0, 0, None, 0], "step": "discard"}


def test_R22_with_ask_the_referee_asks_rat_or_not_and_checks_no_market():
    match = wild(new("roll", 2), "highest")
    assert match.public["market"] is None
    assert legal_lines(match) == [do("take", source="market", rat=False), do("take", source="market", rat=True)]
    malformed(match, do("take", source="market"))
    code, message = refused(match, do("take", source="market", rat=True, region=0))
    assert (code, message.split(":")[0]) == ("malformed", "R22")
    illegal(match, do("refill", value=1), "R22")
    illegal(match, do("redeal", market=[1, 1, 1, 1, 1]), "R22")
    match = after(match, do("take", source="market", rat=False))
    for _ in range(6):
        match = collect(match, rat=True)
        assert match.ask.step == "roll"
    with pytest.raises(Malformed, match="R22"):
        new("roll", 2, market=[1, 2, 3, 4, 5])


def test_R23_with_track_the_referee_works_out_rats_and_asks_only_for_the_draw_pile():
    match = land(new("roll", 2, cards="track", market=[8, 0, 0, 0, 0]), "choice")
    malformed(match, do("take", source="market", rat=True))
    malformed(match, do("take", source="deck"))
    malformed(match, do("take", source="deck", rat=True, region=0))
    malformed(match, do("take", source="market", region=5))
    malformed(match, do("take", source="market", region=-1))
    assert tokens(after(match, do("take", source="market"))) == [3, 2]
    assert tokens(after(match, do("take", source="deck", rat=True))) == [3, 2]
    with pytest.raises(Malformed, match="R23"):
        new("roll", 2, cards="track")
