from __future__ import annotations

import pytest

from companion.events import Button, Press
from hardware.keys import PRESSES, keys


@pytest.mark.parametrize(
    ("struck", "found"),
    [
        (b"asdf", ["a", "s", "d", "f"]),
        (b"\x1b[A\x1b[B\x1b[C\x1b[D", ["up", "down", "right", "left"]),
        (b"\x1bOA\x1b[1;5C", ["up", "right"]),
        (b"\r\n\x7f\x08", ["enter", "enter", "backspace", "backspace"]),
        (b"\x1b[3~\x1b[15~x", ["x"]),
        (" äé€😀".encode(), [" ", "ä", "é", "€", "😀"]),
        ("£ߊก（".encode(), ["£", "ߊ", "ก", "（"]),  # the first and the last of each length
        (b"\xff\xfe\xfd\xfc ", [" "]),
        (b"\xc0\xc1\xf5 ", [" "]),  # they begin no letter (RFC 3629)
        (b"\x1bx", ["esc", "x"]),
        (b"\x00\x01", []),
    ],
)
def test_keys_are_told_from_what_a_terminal_sends(struck, found):
    assert keys(struck, last=False) == (found, b"")


@pytest.mark.parametrize("struck", [b"\x1b[A\x1b[1;5C", "€😀".encode()])
def test_a_key_cut_in_two_is_put_together(struck):
    whole = keys(struck, last=True)[0]
    for cut in range(1, len(struck)):
        first, rest = keys(struck[:cut], last=False)
        second, rest = keys(rest + struck[cut:], last=False)
        assert (first + second, rest) == (whole, b"")


def test_a_lone_escape_is_a_key_once_nothing_follows():
    assert keys(b"\x1b", last=False) == ([], b"\x1b")
    assert keys(b"\x1b", last=True) == (["esc"], b"")
    assert keys(b"\xe2\x82", last=True) == ([], b"")


def test_keys_press_the_four_buttons_from_the_left_and_with_shift_hold_them():
    assert [PRESSES[key] for key in "asdf"] == [Press(button) for button in Button]
    assert [PRESSES[key] for key in "ASDF"] == [Press(button, held=True) for button in Button]
    assert PRESSES["enter"] == Press(Button.OK)
    assert PRESSES["esc"] == PRESSES["backspace"] == Press(Button.BACK)
    assert PRESSES["up"] == PRESSES["left"] == Press(Button.LESS)
    assert PRESSES["down"] == PRESSES["right"] == Press(Button.MORE)
