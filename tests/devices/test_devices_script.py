from __future__ import annotations

import queue

import pytest
from standins import FakeClock

from companion.events import Button, Press
from companion.ports import DeviceLost
from hardware.buttons_script import ScriptButtons
from hardware.script import GRAMMAR, Key, Presses, ScriptError, Until, Wait, read_script


def test_the_grammar_shown_to_makers_is_itself_a_script():
    assert read_script(GRAMMAR) == (
        (2, Presses(Press(Button.OK))),
        (3, Presses(Press(Button.MORE), 3)),
        (4, Presses(Press(Button.BACK, held=True))),
        (5, Key(" ")),
        (6, Wait(0.5)),
        (7, Until("roll")),
        (8, Until("roll", 120.0)),
    )


def test_all_mistakes_are_named_with_their_lines():
    with pytest.raises(ScriptError) as caught:
        read_script("OK\nUP\nMORE 0\nwait long\nwait nan\nhold\nOK OK OK\nkey ab\n")
    assert caught.value.mistakes == (
        (2, "'UP' is not a button; the buttons are BACK, LESS, MORE, OK"),
        (3, "'0' is not a number of presses from 1 to 100"),
        (4, "'long' is not a number of seconds from 0 to 86400"),
        (5, "'nan' is not a number of seconds from 0 to 86400"),
        (6, "'hold' is not a button; the buttons are BACK, LESS, MORE, OK"),
        (7, "'OK OK OK' is not understood; expected BUTTON [TIMES], hold, key, wait or until"),
        (8, "'ab' is not one character; write SPACE for the space bar"),
    )


def play(tmp_path, text, at_step=lambda step: True):
    """Everything a script did, in order, up to its end or its failure."""
    script = tmp_path / "game.txt"
    script.write_text(text)
    clock = FakeClock()
    done: queue.SimpleQueue[object] = queue.SimpleQueue()
    buttons = ScriptButtons(script, clock=clock, at_step=at_step, other=done.put, ended=lambda: done.put("ended"))
    buttons.listen(done.put, lambda text: done.put(("ailing", text.removeprefix(str(tmp_path)))))
    got: list[object] = []
    while not (got and (got[-1] == "ended" or isinstance(got[-1], tuple))):
        got.append(done.get(timeout=10))
    buttons.close()
    return got, clock.now_s() - 100


def test_a_script_presses_waits_and_strikes_keys(tmp_path):
    got, took_s = play(tmp_path, "MORE 2\nhold BACK\nwait 0.5\nkey SPACE")
    more = Press(Button.MORE)
    assert got == [more, more, Press(Button.BACK, held=True), " ", "ended"]
    assert took_s == pytest.approx(0.5)


def test_until_waits_for_the_table_to_come_to_a_step(tmp_path):
    steps = iter(["roll", "roll", "accept", "wild"])
    got, took_s = play(tmp_path, "until wild\nOK", at_step=lambda step: next(steps) == step)
    assert got == [Press(Button.OK), "ended"]
    assert took_s == pytest.approx(0.03)


def test_a_step_that_does_not_come_ends_the_script_with_its_line(tmp_path):
    got, took_s = play(tmp_path, "\nuntil wild 2\nOK", at_step=lambda step: False)
    assert got == [("ailing", "/game.txt, line 2: the table did not come to this step; look at the line before")]
    assert took_s == pytest.approx(2)


def test_a_script_with_mistakes_or_none_at_all_is_refused_with_the_reason(tmp_path):
    script = tmp_path / "game.txt"
    with pytest.raises(DeviceLost, match=r"cannot be read: .*No such file"):
        ScriptButtons(script, clock=FakeClock(), at_step=bool)
    script.write_bytes(b"\xff")
    with pytest.raises(DeviceLost, match="cannot be read"):
        ScriptButtons(script, clock=FakeClock(), at_step=bool)
    script.write_text("OK\nOOPS")
    with pytest.raises(DeviceLost, match="line 2: 'OOPS' is not a button"):
        ScriptButtons(script, clock=FakeClock(), at_step=bool)
