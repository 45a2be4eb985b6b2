"""The Wild die at the table: taken from the tray where it was taught, asked about where it is unsure (R9, R12, R16)."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from companion.events import (
    NOWHERE,
    CalibrationTold,
    Cleared,
    Fit,
    Settled,
    Stilled,
    Stirred,
    Why,
    WildDie,
    WildStilled,
)
from companion.serve import status_line
from companion.table.acting import Decision
from companion.table.decide import decide
from companion.table.picture import expects_wild, view
from companion.table.state import Table, to_note, with_note
from companion.view import Choose, Mood, Page, Prompt, Sign
from companion.words import fit
from tests.app.household import after, house, play, press, reading, restarted, started, step_of, wild

HOME = house(reads_wild=True)
ON_WILD_SPACE = (Stirred(), Settled(reading(4)), *press("ok"))  # space 4 of the usual board


def page(table: Table) -> Page:
    return view(table, HOME).page


def at_wild() -> Table:
    table = after(started(), HOME, *ON_WILD_SPACE)
    assert step_of(table) == "wild"
    return table


def face_of(table: Table) -> str | None:
    assert table.match is not None
    face: str | None = table.match.public["wild"]
    return face


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("misread", [0.0, 0.3])
def test_whole_games_whose_wild_die_the_camera_reads(seed: int, misread: float) -> None:
    table, read, typed = Table(), 0, 0
    for fact, decision in play(HOME, seed, misread=misread):
        table = decision.table
        shown = view(table, HOME)
        again = with_note(Table(match=table.match, last=table.last), json.loads(json.dumps(to_note(table))))
        assert view(again, HOME) == view(replace(table, stirred=False), HOME)
        assert (table.trouble, table.notice) == ("", None)
        assert shown.ring.mood is not Mood.READING or table.match is not None
        if decision.wild_rolled:
            read, typed = (read, typed + 1) if fact in press("ok", "less") else (read + 1, typed)
    assert table.match is not None
    assert table.match.outcome is not None
    assert read > 0
    assert misread > 0 or typed == 0


def test_R12_a_sure_face_is_taken_at_once_and_shown_before_it_counts() -> None:
    decision = decide(after(at_wild(), HOME, Stirred()), wild("swap"), HOME, 0.0)
    assert (decision.actions, decision.rolled, decision.wild_rolled) == (({"do": "wild", "face": "swap"},), None, True)
    assert step_of(decision.table) == "wild_accept"
    assert page(decision.table) == Prompt("Swap", ("You may swap a card",), Sign.SWAP)
    fixed = after(decision.table, HOME, *press("less", "ok"))
    assert (step_of(fixed), face_of(fixed)) == ("wild_accept", "lowest")


def test_R9_a_wild_die_that_shall_be_rolled_again_leads_back_before_it_is_thrown() -> None:
    table = after(at_wild(), HOME, Stirred(), wild("swap"), *press("more"))
    assert view(table, HOME).labels[:2] == ("Back", "Type")
    back = after(table, HOME, *press("back"))
    assert (page(back), back.menu) == (Prompt("Swap", ("You may swap a card",), Sign.SWAP), False)


def test_the_line_of_a_face_that_was_read_is_the_line_of_one_that_was_entered() -> None:
    read = after(at_wild(), HOME, Stirred(), wild("highest"))
    typed = after(at_wild(), HOME, *press("less", "more", "ok"))
    assert read.match is not None
    assert typed.match is not None
    assert read.match.log == typed.match.log


def test_the_ring_holds_still_while_the_wild_die_is_awaited() -> None:
    assert view(at_wild(), HOME).ring.mood is Mood.READING
    assert expects_wild(at_wild(), HOME)
    assert not expects_wild(after(at_wild(), HOME, Stirred(), wild("swap")), HOME)
    assert not expects_wild(at_wild(), house())
    assert not expects_wild(after(at_wild(), HOME, *press("back")), HOME), "behind the menu none is due"


def test_the_ring_holds_still_where_the_wild_die_may_be_thrown_before_the_pawn_is_moved() -> None:
    before, beside = (after(started(), HOME, Stirred(), Settled(reading(space))) for space in (4, 3))
    assert (view(before, HOME).ring.still, view(beside, HOME).ring.still) == (True, False)
    assert not view(before, house()).ring.still  # whose camera cannot read it
    assert not view(replace(before, lost=("camera",)), HOME).ring.still


def test_the_ring_holds_still_from_the_moment_dice_are_touched_until_they_are_read() -> None:
    number = after(started(), HOME, Stirred(), Settled(reading(3)))
    face = after(at_wild(), HOME, Stirred(), wild("swap"))
    for table, read in ((number, Settled(reading(3))), (face, wild("swap")), (number, Stilled()), (number, Cleared())):
        touched = after(table, HOME, Stirred())
        assert view(touched, HOME).ring == replace(view(table, HOME).ring, still=True)
        assert not view(after(touched, HOME, read), HOME).ring.still


@pytest.mark.parametrize(
    ("why", "shown"),
    [
        (Why.FAINT, Prompt("I am not sure", ("Which face is up?",), Sign.ASK)),
        (Why.COCKED, Prompt("A die leans", ("Lay it flat or re-roll",), Sign.ASK)),
        (Why.CHANGED, Prompt("A die moved", ("Which face is up?",), Sign.ASK)),
    ],
)
def test_an_unsure_face_is_asked_about_and_entered_by_button(why: Why, shown: Prompt) -> None:
    table = after(at_wild(), HOME, Stirred(), wild(None, why=why))
    assert step_of(table) == "wild"
    assert page(table) == shown
    assert face_of(after(table, HOME, *press("less", "more", "ok"))) == "highest"


def test_an_unsure_die_that_is_put_right_is_taken() -> None:
    table = after(at_wild(), HOME, Stirred(), wild(None, why=Why.COCKED), Stirred(), wild("lowest"))
    assert face_of(table) == "lowest"


def test_an_unsure_die_does_not_disturb_a_player_who_types() -> None:
    typing = after(at_wild(), HOME, *press("less", "more"))
    assert page(after(typing, HOME, Stirred(), wild(None, why=Why.FAINT))) == page(typing)


def test_a_sure_die_does_not_disturb_a_player_who_types_or_puts_right() -> None:
    typing = after(at_wild(), HOME, Stirred(), wild(None, why=Why.FAINT), *press("less", "more"))
    fixing = after(at_wild(), HOME, Stirred(), wild("swap"), *press("less", "more"))
    again = after(at_wild(), HOME, Stirred(), wild("swap"), *press("more", "less", "more"))
    for table in (typing, fixing, again):
        meanwhile = after(table, HOME, Stirred(), wild("lowest", 300.0))
        assert page(meanwhile) == page(table)
        assert face_of(after(meanwhile, HOME, *press("ok"))) == "highest"


def test_a_typed_face_is_not_said_to_have_moved_where_the_camera_cannot_read_it() -> None:
    typed = after(at_wild(), HOME, Stirred(), *press("less", "ok"))
    assert step_of(typed) == "wild_accept"
    assert page(after(typed, HOME, wild(None, why=Why.FAINT))) == page(typed)
    assert page(after(typed, HOME, wild("swap"))) != page(typed)


def test_R9_a_wild_die_that_was_typed_unseen_spends_no_token_once_it_comes_to_light() -> None:
    """It lay under a hand; the one that was seen in an earlier turn lay elsewhere."""
    before = replace(at_wild(), wild_seen=wild("highest", 300.0).die)
    typed = after(before, HOME, Stirred(Why.HAND), *press("less", "more", "more", "ok", "more"))
    assert (face_of(typed), typed.wild_seen) == ("swap", WildDie("swap", NOWHERE, 1.0))
    for table in (typed, restarted(typed)):
        seen = after(table, HOME, Stirred(Why.HAND), wild("swap"))
        assert seen.match == typed.match
        assert page(seen) == Prompt("Swap", ("Is this right?",), Sign.SWAP)
    assert face_of(after(typed, HOME, Stirred(Why.HAND), wild("lowest"))) == "lowest"


def test_a_wild_die_that_was_typed_unseen_is_known_where_it_comes_to_light() -> None:
    typed = after(at_wild(), HOME, *press("less", "more", "more", "ok"))
    seen = after(typed, HOME, Stirred(Why.HAND), wild("swap"))
    assert (page(seen), seen.wild_seen) == (page(typed), wild("swap").die)
    assert face_of(after(seen, HOME, *press("more"), Stirred(), wild("swap", 500.0))) == "swap"
    assert after(seen, HOME, *press("more"), Stirred(), wild("swap")).match == seen.match


def test_R9_a_face_that_was_typed_is_known_though_the_camera_cannot_read_it_where_it_lies() -> None:
    typed = after(at_wild(), HOME, *press("less", "ok"), Stirred(Why.HAND), wild(None, why=Why.FAINT))
    assert face_of(after(typed, HOME, *press("more"), Stirred(), wild("swap"))) == "swap"


def test_an_unsure_wild_die_keeps_its_place_while_its_face_is_typed_under_a_hand() -> None:
    unsure = wild(None, why=Why.FAINT)
    for meanwhile in ((), (Stirred(Why.HAND),)):
        table = after(at_wild(), HOME, Stirred(), unsure, *press("less"), *meanwhile, *press("ok"))
        assert (face_of(table), table.wild_seen) == ("lowest", unsure.die)


def test_a_face_that_is_put_right_is_that_of_the_die_that_was_seen() -> None:
    read = after(at_wild(), HOME, Stirred(), wild("swap"))
    fixed = after(read, HOME, *press("less", "ok"))
    assert (face_of(fixed), fixed.wild_seen) == ("lowest", read.wild_seen)
    assert after(restarted(fixed), HOME, replace(wild("swap"), found=True)) == restarted(fixed)


def test_R9_a_face_that_is_put_right_since_the_die_lies_elsewhere_is_known_to_lie_there() -> None:
    turned = after(at_wild(), HOME, Stirred(), wild("swap"), Stirred(), wild("highest", 300.0))
    fixed = after(turned, HOME, *press("less", "more", "ok"))
    assert (face_of(fixed), fixed.wild_seen) == ("highest", wild("highest", 300.0).die)
    under = after(fixed, HOME, *press("more"), Stirred(Why.HAND), wild("highest", 300.0))
    assert under.match == fixed.match


def test_R9_a_face_that_was_typed_unseen_and_put_right_spends_no_token_once_it_comes_to_light() -> None:
    table = after(at_wild(), HOME, Stirred(Why.HAND), *press("less", "ok", "less", "more", "more", "ok", "more"))
    assert (face_of(table), table.wild_seen) == ("swap", WildDie("swap", NOWHERE, 1.0))
    assert after(table, HOME, Stirred(Why.HAND), wild("swap")).match == table.match


def test_a_wild_die_thrown_before_the_pawn_is_moved_waits_for_the_hand_that_moves_it() -> None:
    hand, still = Stirred(Why.HAND), WildStilled()
    thrown = after(started(), HOME, Stirred(), Settled(reading(4)), Stirred(), wild("lowest"), hand)
    asked = Prompt("Lowest", ("Is this right?",), Sign.LOWEST)
    assert page(after(thrown, HOME, still, *press("ok"))) == asked
    assert page(after(thrown, HOME, *press("ok"), still)) == asked
    assert page(after(thrown, HOME, wild("swap", 300.0), still, *press("ok"))) == replace(
        asked, title="Swap", sign=Sign.SWAP
    )
    typing = after(thrown, HOME, *press("ok", "less", "more"))
    assert page(after(typing, HOME, still)) == page(typing)
    again = after(thrown, HOME, *press("more", "ok"), still)
    assert (step_of(again), again.wild) == ("accept", None)
    assert after(restarted(thrown), HOME, still).wild is None


def test_a_question_about_the_wild_die_is_asked_again_once_a_hand_has_passed_but_not_once_it_was_denied() -> None:
    hand = (Stirred(Why.HAND), WildStilled())
    table = after(at_wild(), HOME, Stirred(), wild("swap"), Stirred(), wild("highest", 300.0))
    assert view(after(table, HOME, *hand), HOME).page == page(table)
    assert view(after(table, HOME, Stirred(), *hand), HOME).page == page(table)
    denied = after(table, HOME, *press("back"))
    assert page(after(denied, HOME, *hand)) == page(denied)
    assert after(table, HOME, hand[0], *press("ok"), hand[1]).wild is None, "the next step asks about no Wild die"


def test_a_wild_die_thrown_before_a_roll_is_put_right_is_not_lost() -> None:
    thrown = after(started(), HOME, Stirred(), Settled(reading(3)), Stirred(), wild("lowest"), Stilled())
    table = after(thrown, HOME, *press("less", "ok", "more", "ok", "ok"))
    assert step_of(table) == "wild"
    assert page(table) == Prompt("Lowest", ("Is this right?",), Sign.LOWEST)


def test_a_wild_die_thrown_before_a_roll_is_taken_back_is_no_roll() -> None:
    thrown = after(started(), HOME, Stirred(), Settled(reading(4)), Stirred(), wild("lowest"), Stilled())
    back = after(thrown, HOME, *press("back", "more", "ok", "ok"))
    assert (step_of(back), back.wild) == ("roll", None)


def test_a_wild_die_thrown_before_the_pawn_is_moved_is_asked_about_and_not_lost() -> None:
    thrown = (Stirred(), wild("lowest"), Stilled(), Cleared())
    table = after(started(), HOME, Stirred(), Settled(reading(4)), *thrown, *press("ok"))
    assert step_of(table) == "wild"
    assert page(table) == Prompt("Lowest", ("Is this right?",), Sign.LOWEST)
    assert face_of(after(table, HOME, *press("ok"))) == "lowest"
    assert face_of(after(table, HOME, *press("less", "more", "ok"))) == "highest"


def test_a_wild_die_from_before_the_daemon_began_is_no_roll() -> None:
    table = after(replace(at_wild(), fresh=False), HOME, wild("swap"))
    assert step_of(table) == "wild"
    assert view(table, HOME).labels == ("Menu", "Type", "", "Yes")


def test_a_wild_die_that_comes_to_lie_while_players_sit_down_is_nothing_to_them() -> None:
    sitting = after(Table(), HOME, *press("ok", "ok"), Stirred())
    assert after(sitting, HOME, wild("swap")) == replace(sitting, stirred=False)


def test_the_same_wild_die_read_again_after_a_restart_is_no_news() -> None:
    table = after(at_wild(), HOME, Stirred(), wild("swap"))
    again = with_note(table, to_note(table))
    assert after(again, HOME, wild("swap", 202.0)) == again
    assert after(again, HOME, wild("lowest", 300.0)).wild is not None


def test_a_wild_die_left_from_an_earlier_turn_is_no_roll_after_a_restart() -> None:
    """The tray is empty but for it, and a hand may pass over it; only a die that was seen to come is a roll."""
    turn = after(at_wild(), HOME, Stirred(), wild("swap"))
    table = restarted(replace(at_wild(), wild_seen=turn.wild_seen))
    for lying in (wild("swap"), replace(wild("swap"), found=True), replace(wild("lowest", 300.0), found=True)):
        for before in (Cleared(), Stirred(Why.HAND)):
            assert step_of(after(table, HOME, before, lying)) == "wild"
    typed = restarted(replace(at_wild(), wild_seen=None))
    assert step_of(after(typed, HOME, Cleared(), replace(wild("swap"), found=True))) == "wild"
    assert face_of(after(typed, HOME, Cleared(), Stirred(), wild("swap"))) == "swap"


def test_a_wild_die_that_was_thrown_after_a_restart_counts_though_number_dice_lay_there_before() -> None:
    table = restarted(after(started(), HOME, Stirred(), Settled(reading(4))))
    assert after(table, HOME, Stirred(), replace(Settled(reading(4)), found=True), wild("swap")).wild is not None


def test_R9_a_wild_die_that_lay_there_before_a_restart_spends_no_token() -> None:
    table = restarted(after(at_wild(), HOME, Stirred(), wild("swap"), *press("more")))
    for lying in (wild("swap"), replace(wild("highest", 300.0), found=True)):
        assert after(table, HOME, Cleared(), lying).match == table.match


def test_notes_of_a_version_that_read_no_wild_die_are_understood() -> None:
    table = at_wild()
    note = {key: value for key, value in to_note(table).items() if not key.startswith("wild")}
    assert view(with_note(table, note), HOME) == view(table, HOME)


def test_R9_the_wild_die_is_rolled_again_for_a_token_from_the_tray() -> None:
    table = after(at_wild(), HOME, Stirred(), wild("swap"), *press("more"))
    assert page(table) == Prompt("Roll the Wild die again", ("Into the tray",), Sign.WILD)
    assert expects_wild(table, HOME)
    again = decide(after(table, HOME, Stirred()), wild("highest", 300.0), HOME, 0.0)
    assert (again.rolled, again.wild_rolled) == (None, True)
    assert again.table.match is not None
    assert (face_of(again.table), again.table.match.public["players"][0]["tokens"]) == ("highest", 1)


def test_R9_a_misread_wild_die_is_put_right_after_a_reroll_and_the_token_stays_spent() -> None:
    table = after(at_wild(), HOME, Stirred(), wild("swap"), *press("more"), Stirred(), wild("highest", 300.0))
    table = after(table, HOME, *press("less", "ok"))
    assert table.match is not None
    assert table.match.log[-2:] == ({"do": "wild", "face": "swap"}, {"do": "reroll", "face": "lowest"})
    assert (face_of(table), table.match.public["players"][0]["tokens"]) == ("lowest", 1)


def test_why_a_wild_die_cannot_be_read_is_told_after_a_restart_too() -> None:
    table = after(at_wild(), HOME, Stirred(), wild(None, 300.0, Why.COCKED))
    again = with_note(Table(match=table.match), json.loads(json.dumps(to_note(table))))
    assert (again.wild, page(again)) == (table.wild, page(table))
    assert page(table) == Prompt("A die leans", ("Lay it flat or re-roll",), Sign.ASK)


def test_R9_the_wild_die_thrown_again_without_a_word_is_asked_about() -> None:
    table = after(at_wild(), HOME, Stirred(), wild("swap"), Stirred(), wild("highest", 300.0))
    assert face_of(table) == "swap"
    assert page(table) == Prompt("Highest", ("Re-roll for 1 token?",), Sign.HIGHEST)
    yes, no = after(table, HOME, *press("ok")), after(table, HOME, *press("back"))
    assert (face_of(yes), face_of(no)) == ("highest", "swap")
    assert page(no) == Prompt("Swap", ("You may swap a card", "A die moved"), Sign.SWAP)


def test_R9_a_wild_die_that_was_not_thrown_again_is_no_reroll_when_one_is_chosen_later() -> None:
    table = after(at_wild(), HOME, Stirred(), wild("swap"), Stirred(), wild("highest", 300.0), *press("back", "more"))
    assert face_of(table) == "swap"
    assert page(table) == Prompt("Roll the Wild die again", ("Into the tray",), Sign.WILD)


def test_R9_a_doubt_about_the_wild_die_rolled_again_leads_back_to_its_first_face() -> None:
    table = after(at_wild(), HOME, Stirred(), wild("swap"), *press("more"), Stirred(), wild(None, 300.0))
    assert page(table) == Prompt("I am not sure", ("Which face is up?",), Sign.ASK)
    assert view(table, HOME).labels == ("Back", "Type", "", "")
    assert not expects_wild(after(table, HOME, *press("back")), HOME)


def test_R9_without_a_token_a_second_throw_changes_nothing() -> None:
    table = after(at_wild(), HOME, Stirred(), wild("swap"))
    for face, x in (("highest", 300.0), ("lowest", 400.0)):
        table = after(table, HOME, *press("more"), Stirred(), wild(face, x))
    assert page(table) == Prompt("Lowest", ("Take the lowest card",), Sign.LOWEST)
    for face in ("swap", None):
        later = after(table, HOME, Stirred(), wild(face, 500.0))
        assert page(later) == Prompt("Lowest", ("Take the lowest card", "A die moved"), Sign.LOWEST)
        assert page(after(later, HOME, Stirred(), wild("lowest", 500.0))) == page(table)


def test_a_wild_die_that_lies_there_while_number_dice_are_thrown_is_no_roll() -> None:
    table = after(started(), HOME, Stirred(), wild("swap"), Settled(reading(3)))
    assert step_of(table) == "accept"
    assert table.wild is None


def test_a_face_cannot_slip_in_while_the_menu_is_open() -> None:
    table = after(at_wild(), HOME, *press("back"), Stirred(), wild("swap"))
    assert step_of(table) == "wild"
    assert table.menu


@pytest.mark.parametrize("out", ["ok", "back"])
def test_a_face_that_was_read_while_the_menu_was_open_is_asked_about(out: str) -> None:
    table = after(at_wild(), HOME, *press("back"), Stirred(), wild("swap"), *press(out))
    assert page(table) == Prompt("Swap", ("Is this right?",), Sign.SWAP)
    assert face_of(after(table, HOME, *press("ok"))) == "swap"


def test_R16_a_player_with_all_cards_may_roll_or_skip() -> None:
    seen = set()
    for _fact, decision in play(replace(HOME, usual={"roll": {"cards": "track"}}), 2, misread=0.0):
        table = decision.table
        if table.match is not None and "skip" in table.match.ask.actions and not table.menu:
            assert page(table) == Prompt("Roll the Wild die", ("or skip the turn",), Sign.WILD)
            skipped = decide(table, press("more")[0], HOME, 0.0)
            seen |= {skipped.actions[0]["do"], after(table, HOME, Stirred(), wild("swap", 9.0)).match.log[-1]["do"]}  # type: ignore[union-attr]
    assert seen == {"skip", "wild"}


@pytest.mark.parametrize("reads_wild", [False, True])
def test_R14_R22_players_with_all_cards_are_reminded_of_too_many_rats(reads_wild: bool) -> None:
    home = house(reads_wild=reads_wild)
    seen = set()
    for _fact, decision in (step for seed in range(4) for step in play(home, seed, misread=0.0)):
        table = decision.table
        if table.match is not None and "skip" in table.match.ask.actions and not table.menu and not table.answers:
            shown = view(table, home).page
            assert isinstance(shown, Prompt)
            seen.add((shown.title, *shown.lines))
    untaught = () if reads_wild else ("Then press Type",)
    assert seen == {
        ("Roll the Wild die", *(untaught or ("or skip the turn",))),
        ("Roll the Wild die", "4 rats? 5 new cards", *untaught),
    }


def test_R16_untaught_the_face_is_typed_or_the_turn_skipped_but_never_by_a_tap_too_many_on_ok() -> None:
    home = house()
    seen = []
    for _fact, decision in play(home, 2, misread=0.0):
        table = decision.table
        if table.match is not None and "skip" in table.match.ask.actions and not table.answers:
            assert view(table, home).labels == ("Menu", "Type", "Skip", "")
            assert after(table, home, *press("ok")) == table
            skipped = decide(table, press("more")[0], home, 0.0)
            typed = decide(after(table, home, *press("less", "more")), press("ok")[0], home, 0.0)
            assert [made.actions for made in (skipped, typed)] == [
                ({"do": "skip"},),
                ({"do": "wild", "face": "highest"},),
            ]
            assert after(table, home, *press("less", "back")) == table
            seen.append(decision)
    assert seen


def test_untaught_the_face_is_entered_by_button_as_ever() -> None:
    home = house()
    table = after(started(), home, *ON_WILD_SPACE)
    assert view(table, home).page == Choose("Wild die shows?", ("Lowest card", "Highest card", "Swap"), 0)


# --- a camera that was moved ------------------------------------------------------------------------------------------


def test_a_moved_camera_is_said_where_dice_are_thrown_until_it_is_back() -> None:
    before = started()
    moved = after(before, HOME, CalibrationTold(Fit.MOVED))
    assert page(moved) == Prompt("Roll the dice", ("4 rats? 5 new cards", "Put the camera back"), Sign.DICE)
    assert view(moved, HOME).fit is Fit.MOVED
    assert after(moved, HOME, CalibrationTold(Fit.HOLDS)) == before
    assert status_line(Decision(moved)) == "roll: roll; calibration: moved"


@pytest.mark.parametrize("told", [Fit.MOVED, Fit.OTHER, Fit.BROKEN])
def test_which_dice_are_to_be_thrown_again_is_said_wherever_the_camera_is(told: Fit) -> None:
    rolled = after(started(), HOME, Stirred(), Settled(reading(2, 4, 6)), *press("more", "more", "ok"))
    shown, unfit = page(rolled), page(after(rolled, HOME, CalibrationTold(told)))
    assert isinstance(shown, Prompt)
    assert unfit == replace(shown, lines=(*shown.lines, fit(told, HOME.texts)))


def test_a_moved_camera_stops_no_game() -> None:
    table = after(started(), HOME, CalibrationTold(Fit.MOVED), Stirred(), Settled(reading(4)), *press("ok"))
    assert page(table) == Prompt("Roll the Wild die", ("Into the tray", "Put the camera back"), Sign.WILD)
    assert face_of(after(table, HOME, *press("less", "ok"))) == "lowest"
