"""From the bytes a terminal sends to the keys that were struck. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.events import Button, Press

ESCAPE = b"\x1b"
# CSI and SS3 sequences (ECMA-48): parameters, then one final byte
_SEQUENCE = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*([@-~])|O([@-~]))")
_UNFINISHED = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*|O)?")
_ARROWS = {b"A": "up", b"B": "down", b"C": "right", b"D": "left"}
_UTF8_LEADS = ((2, range(0xC2, 0xE0)), (3, range(0xE0, 0xF0)), (4, range(0xF0, 0xF5)))  # RFC 3629
_NAMED = {"\r": "enter", "\n": "enter", "\x7f": "backspace", "\x08": "backspace", "\x1b": "esc"}

PRESSES: dict[str, Press] = {
    **{
        key: Press(button)
        for button, keys in {
            Button.BACK: ("a", "esc", "backspace"),
            Button.LESS: ("s", "left", "up"),
            Button.MORE: ("d", "right", "down"),
            Button.OK: ("f", "enter"),
        }.items()
        for key in keys
    },
    **{
        key: Press(button, held=True)
        for key, button in zip("ASDF", (Button.BACK, Button.LESS, Button.MORE, Button.OK), strict=True)
    },
}
"""What a key presses: arrows, enter, backspace, escape; or a s d f for the four from the left, with shift held."""
LEGEND = "buttons: a s d f (Shift: long) or Esc, arrows, Enter"


def legend(*, knocks: bool) -> str:
    """What keys do where a table is answered in a terminal, in a line of it. `knocks`: whether a knock is heard."""
    return f"{LEGEND}; {'k knocks, ' if knocks else ''}Ctrl-C leaves"


def keys(struck: bytes, *, last: bool) -> tuple[list[str], bytes]:
    """The keys in `struck`, and the bytes of one that is not complete yet. With `last`, none are kept back.

    A key is one character, or one of up, down, left, right, enter, backspace, esc. Other sequences are left out.
    """
    found: list[str] = []
    while struck:
        length, key = _complete(struck, last=last)
        if length == 0:
            break
        found.extend(_name(key))
        struck = struck[length:]
    return found, struck


def _complete(struck: bytes, *, last: bool) -> tuple[int, bytes | str]:
    """Length and content of the first key: a sequence's final byte as bytes, else a character; length 0 if cut off."""
    if struck[:1] == ESCAPE:
        if sequence := _SEQUENCE.match(struck):
            return sequence.end(), sequence[1] or sequence[2]
        return (0, b"") if not last and _UNFINISHED.fullmatch(struck) else (1, "\x1b")
    length = next((n for n, leads in _UTF8_LEADS if struck[0] in leads), 1)
    if len(struck) < length and not last:
        return 0, b""
    try:
        return length, struck[:length].decode()
    except UnicodeDecodeError:
        return 1, ""


def _name(key: bytes | str) -> Iterator[str]:
    if isinstance(key, bytes):
        if key in _ARROWS:
            yield _ARROWS[key]
    elif key in _NAMED:
        yield _NAMED[key]
    elif key.isprintable() and key:
        yield key
