from __future__ import annotations

import queue
import threading
from pathlib import Path

import pytest
from standins import FakeClock

from companion.events import Button, Press
from companion.ports import DeviceLost
from hardware.buttons_script import SAVED, ScriptButtons, read
from hardware.clock import SystemClock
from hardware.script import (
    GRAMMAR,
    MOST_PRESSES,
    PATIENCE_S,
    If,
    Key,
    Presses,
    ScriptError,
    Seek,
    Until,
    Wait,
    read_script,
)


def test_the_grammar_shown_to_makers_is_itself_a_script():
    assert read_script(GRAMMAR) == (
        (2, Presses(Press(Button.OK))),
        (3, Presses(Press(Button.MORE), 3)),
        (4, Seek(Press(Button.MORE), "Lowest card")),
        (5, Presses(Press(Button.BACK, held=True))),
        (6, Key(" ")),
        (7, Wait(0.5)),
        (8, Until(("roll",))),
        (9, Until(("accept", "doubt"), 120.0)),
        (10, Wait(20.0, ("accept",))),
        (11, If(("doubt",), ((12, Presses(Press(Button.LESS))),))),
    )


def test_a_byte_order_mark_is_no_mistake(tmp_path):
    script = tmp_path / "presses.txt"
    script.write_bytes(b"\xef\xbb\xbfuntil setup\r\nOK\r\n")
    assert read(script) == ((1, Until(("setup",))), (2, Presses(Press(Button.OK))))


def test_conditions_hold_conditions():
    inner = If(("doubt",), ((3, Presses(Press(Button.OK))),))
    assert read_script("if roll\n if doubt\n  OK\n end\n LESS\nend\nMORE") == (
        (1, If(("roll",), ((2, inner), (5, Presses(Press(Button.LESS)))))),
        (7, Presses(Press(Button.MORE))),
    )


def test_all_mistakes_are_named_with_their_lines():
    with pytest.raises(ScriptError) as caught:
        read_script(
            "OK\nUP\nMORE 0\nwait long\nwait nan\nhold\nOK OK OK\nkey ab\nend\nuntil\nuntil roll or\nif roll\nA\n"
            "MORE until\nLESS 101\nwait 86401\nuntil or roll\nuntil roll or or doubt"
        )
    assert caught.value.mistakes == (
        (2, "'UP' is not a button; the buttons are BACK, LESS, MORE, OK"),
        (3, "'0' is not a number of presses from 1 to 100"),
        (4, "'long' is not a number of seconds from 0 to 86400"),
        (5, "'nan' is not a number of seconds from 0 to 86400"),
        (6, "'hold' is not a button; the buttons are BACK, LESS, MORE, OK"),
        (7, "'OK OK OK' is not understood; expected BUTTON [TIMES], hold, key, wait, until or if"),
        (8, "'ab' is not one character; write SPACE for the space bar"),
        (9, "'end' ends nothing: there is no 'if' before it"),
        (10, "where the table has to be is missing: a step of the game, setup, menu or doubt"),
        (11, "where the table has to be is missing: a step of the game, setup, menu or doubt"),
        (12, "this 'if' has no 'end'"),
        (13, "'A' is not a button; the buttons are BACK, LESS, MORE, OK"),
        (14, "'until' is not a number of presses from 1 to 100"),
        (15, "'101' is not a number of presses from 1 to 100"),
        (16, "'86401' is not a number of seconds from 0 to 86400"),
        (17, "where the table has to be is missing: a step of the game, setup, menu or doubt"),
        (18, "where the table has to be is missing: a step of the game, setup, menu or doubt"),
    )
    assert str(caught.value).startswith("line 2: 'UP' is not a button; the buttons are BACK, LESS, MORE, OK; line 3: ")


def test_the_least_and_the_most_of_everything_are_no_mistakes():
    assert read_script("OK 1\nOK 100\nwait 0\nwait 86400\nkey k") == (
        (1, Presses(Press(Button.OK), 1)),
        (2, Presses(Press(Button.OK), 100)),
        (3, Wait(0.0)),
        (4, Wait(86400.0)),
        (5, Key("k")),
    )


def test_a_place_of_several_words_is_one_and_one_that_holds_or_is_too():
    assert read_script("until Lowest card or order") == ((1, Until(("Lowest card", "order"))),)


KNOWN = frozenset(("setup", "doubt", "roll", "accept", "wild_accept", "mia"))


def test_a_step_that_is_misspelt_is_a_mistake_and_what_the_cursor_may_stand_at_is_none():
    text = "until acept\nwait 20 until roll or dout\nif rol\nif wild_acept\nend\nend\nMORE 0"
    with pytest.raises(ScriptError) as caught:
        read_script(text, KNOWN)
    assert caught.value.mistakes == (
        (1, "no step is called 'acept'; did you mean accept?"),
        (2, "no step is called 'dout'; did you mean doubt?"),
        (3, "no step is called 'rol'; did you mean roll?"),
        (4, "no step is called 'wild_acept'; did you mean wild_accept?"),
        (7, "'0' is not a number of presses from 1 to 100"),
    )
    for place in ("Accepted", "Roll", "New name", "5", "a", "?", "mia", "raspberrypi"):
        assert read_script(f"until {place}", KNOWN) == ((1, Until((place,))),)


def test_what_is_no_step_is_told_before_it_is_waited_for(tmp_path, caplog):
    caplog.set_level("INFO")
    play(tmp_path, "until Roll 1", known=KNOWN)
    told = f"{tmp_path}/game.txt, line 1: no step is called 'Roll': the cursor must come to stand there"
    assert caplog.messages == [told]


def play(tmp_path, text, stands=lambda: ("roll",), known=()):
    """Everything a script did, in order, up to its end or its failure, and how long it took."""
    script = tmp_path / "game.txt"
    script.write_text(text)
    clock = FakeClock()
    done: queue.SimpleQueue[object] = queue.SimpleQueue()
    buttons = ScriptButtons(
        script,
        clock=clock,
        stands=stands,
        known=known,
        other=done.put,
        ended=lambda whole: done.put("ended" if whole else "broken off"),
    )
    buttons.listen(done.put, lambda text: done.put(("ailing", text.removeprefix(str(tmp_path)))), done.put)
    got: list[object] = []
    while not (got and got[-1] in ("ended", "broken off")):
        got.append(done.get(timeout=10))
    buttons.close()
    return got, clock.now_s() - 100


def test_a_script_presses_waits_and_strikes_keys(tmp_path):
    got, took_s = play(tmp_path, "MORE 2\nhold BACK\nwait 0.5\nkey SPACE")
    more = Press(Button.MORE)
    assert got == [more, more, Press(Button.BACK, held=True), " ", "ended"]
    assert took_s == pytest.approx(0.5)


def test_until_waits_for_the_table_to_come_to_a_step(tmp_path):
    steps = iter([("roll",), None, ("accept",), ("wild",)])
    got, took_s = play(tmp_path, "until swap or wild\nOK", stands=lambda: next(steps))
    assert got == [Press(Button.OK), "ended"]
    assert took_s == pytest.approx(0.03)


def test_a_wait_ends_sooner_where_the_table_comes_to_a_step_and_else_goes_on(tmp_path):
    steps = iter([("roll",), ("accept",)])
    assert play(tmp_path, "wait 20 until accept\nOK", lambda: next(steps)) == (
        [Press(Button.OK), "ended"],
        pytest.approx(0.01),
    )
    assert play(tmp_path, "wait 20 until accept\nOK") == ([Press(Button.OK), "ended"], pytest.approx(20))


def test_what_a_script_waits_for_in_vain_is_told_long_before_it_is_given_up(tmp_path, caplog):
    caplog.set_level("INFO")
    (_, _), took_s = play(tmp_path, "until setup 5")
    told = f"{tmp_path}/game.txt, line 1: waiting 3 s more for setup, but the table stands at roll; "
    assert (caplog.messages, took_s) == ([told + SAVED], pytest.approx(5))


def test_a_wait_is_told_with_what_it_is_for_where_it_is_no_short_one(tmp_path, caplog):
    caplog.set_level("INFO")
    _, took_s = play(tmp_path, "until roll\nwait 9\nwait 3 until accept or doubt\nwait 2 until accept\nuntil menu 2")
    told = f"{tmp_path}/game.txt, line 3: waiting 1 s more for accept or doubt, but the table stands at roll"
    assert (caplog.messages, took_s) == ([told], pytest.approx(16))


def test_a_step_that_does_not_come_breaks_the_script_off_with_its_line(tmp_path):
    got, took_s = play(tmp_path, "if roll\nuntil wild or accept 2\nend\nOK", lambda: ("roll", "Re-roll"))
    text = (
        "/game.txt, line 2: wild or accept was awaited, but the table stands at roll, Re-roll; look at the line before"
    )
    assert got == [("ailing", text), "broken off"]
    assert took_s == pytest.approx(2)


def test_where_the_first_awaited_step_does_not_come_a_saved_game_may_go_on(tmp_path):
    script = "OK\nuntil setup\nuntil roll"
    assert play(tmp_path, script, lambda: ("accept",))[0] == [
        Press(Button.OK),
        (
            "ailing",
            "/game.txt, line 2: setup was awaited, but the table stands at accept; a saved game may be going on; "
            "one begins anew where its journal is removed, or another one named",
        ),
        "broken off",
    ]
    stands = iter([("setup",), *[None] * 7000])
    assert play(tmp_path, script, lambda: next(stands))[0] == [
        Press(Button.OK),
        (
            "ailing",
            "/game.txt, line 3: roll was awaited, but the table has not judged the last press; look at the line before",
        ),
        "broken off",
    ]


def test_what_stands_under_a_condition_is_done_only_where_the_table_is_there(tmp_path):
    assert play(tmp_path, "if doubt or menu\nOK\nend\nLESS", lambda: ("roll", "doubt"))[0] == [
        Press(Button.OK),
        Press(Button.LESS),
        "ended",
    ]
    assert play(tmp_path, "if doubt or menu\nOK\nend\nLESS", lambda: ("roll",))[0] == [Press(Button.LESS), "ended"]


def test_a_condition_waits_for_the_presses_before_it_to_be_judged(tmp_path):
    stands = iter([None, None, ("roll", "doubt")])
    got, took_s = play(tmp_path, "LESS\nif doubt\nOK\nend", lambda: next(stands))
    assert got == [Press(Button.LESS), Press(Button.OK), "ended"]
    assert took_s == pytest.approx(0.02)


def test_a_condition_is_given_up_where_the_presses_before_it_are_never_judged(tmp_path):
    got, took_s = play(tmp_path, "if roll\nOK\nend\nLESS", lambda: None)
    assert got == [Press(Button.LESS), "ended"]
    assert took_s == pytest.approx(PATIENCE_S, abs=0.1)


def test_an_error_that_says_nothing_is_told_by_its_kind(tmp_path):
    def stands():
        raise ZeroDivisionError

    assert play(tmp_path, "until roll", stands)[0] == [
        ("ailing", f"the script {tmp_path}/game.txt broke off: ZeroDivisionError"),
        "broken off",
    ]


def test_a_button_is_pressed_until_the_cursor_stands_where_it_shall(tmp_path):
    cursor = iter(["1", "2", "3", "3"])
    got, _took_s = play(tmp_path, "MORE until 3\nOK", lambda: ("roll", next(cursor)))
    assert got == [Press(Button.MORE), Press(Button.MORE), Press(Button.OK), "ended"]


def test_a_cursor_that_never_stands_there_breaks_the_script_off(tmp_path):
    got, _took_s = play(tmp_path, "MORE until Highest card\nOK", lambda: ("wild", "Lowest card"))
    assert got[:-2] == [Press(Button.MORE)] * MOST_PRESSES
    assert "line 1: Highest card was awaited, but the table stands at wild, Lowest card; " in str(got[-2])
    assert got[-1] == "broken off"


def test_an_unforeseen_error_breaks_the_script_off_instead_of_beginning_it_anew(tmp_path, caplog):
    def stands():
        raise ZeroDivisionError("table")

    got, _took_s = play(tmp_path, "OK\nuntil roll\nOK", stands)
    assert got == [Press(Button.OK), ("ailing", f"the script {tmp_path}/game.txt broke off: table"), "broken off"]
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("wait 3600", ("roll",)),
        ("until menu 3600", ("roll",)),
        ("wait 3600 until menu", ("roll",)),
        ("if menu\nend", None),
        ("MORE until 5", None),
    ],
)
def test_a_script_that_is_closed_presses_nothing_more_and_tells_no_end(tmp_path, text, stands):
    script = tmp_path / "game.txt"
    script.write_text(f"OK\n{text}\nLESS")
    done: queue.SimpleQueue[object] = queue.SimpleQueue()
    buttons = ScriptButtons(script, clock=SystemClock(), stands=lambda: stands, ended=done.put)
    buttons.listen(done.put, done.put, done.put)
    assert done.get(timeout=10) == Press(Button.OK)
    closing = threading.Thread(target=buttons.close, daemon=True)
    closing.start()
    closing.join(10)
    assert (closing.is_alive(), done.empty()) == (False, True)


def test_a_script_may_be_closed_by_what_it_pressed(tmp_path):
    script = tmp_path / "game.txt"
    script.write_text("OK\nLESS")
    done: queue.SimpleQueue[object] = queue.SimpleQueue()
    buttons = ScriptButtons(script, clock=SystemClock(), stands=tuple)

    def pressed(press: Press) -> None:
        buttons.close()
        done.put(press)

    buttons.listen(pressed, done.put, done.put)
    assert done.get(timeout=10) == Press(Button.OK)
    buttons.close()
    assert done.empty()


def test_a_script_with_mistakes_or_none_at_all_is_refused_with_the_reason(tmp_path):
    script = tmp_path / "game.txt"

    def opened():
        return ScriptButtons(script, clock=FakeClock(), stands=tuple)

    with pytest.raises(DeviceLost, match="cannot be read: No such file or directory; name a text file"):
        opened()
    script.write_bytes(b"OK\n\xff")
    with pytest.raises(DeviceLost, match="cannot be read: text in UTF-8 was expected, but line 2 is not; name a text"):
        opened()
    script.write_bytes(b"OK\n" * 400_000)
    with pytest.raises(DeviceLost, match="cannot be read: a script was expected, but it is larger than 1 MB"):
        opened()
    script.write_text("OK\nOOPS")
    with pytest.raises(DeviceLost, match="has mistakes: line 2: 'OOPS' is not a button") as lost:
        opened()
    assert lost.value.remedy == f"lines look like this:\n{GRAMMAR}"
    script.write_text("# nothing yet\n")
    with pytest.raises(DeviceLost, match="presses nothing; lines look like this"):
        opened()


def test_a_script_that_would_never_end_is_refused():
    with pytest.raises(DeviceLost, match="/dev/zero cannot be read: a file was expected, but it is something else"):
        ScriptButtons(Path("/dev/zero"), clock=FakeClock(), stands=tuple)
