"""What a preset fills in, as if it stood in the file; keys of the file go before it. Pins by their BCM numbers.

A HAT's joystick does what four buttons do: left, up, down, press are back, less, more, ok.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from companion.config.parts import Buttons, Display

TAKES = {"terminal": ("kind",), "keyboard": ("kind", "hold_s", "stuck_s")}  # keys of a kind that takes but a few
PRESETS: dict[str, dict[str, Any]] = {
    "plain": {},
    "adafruit-bonnet": {  # joystick U17 D22 L27 C4, buttons A 5 and B 6; its right (23) has no fifth meaning
        "display": [{"driver": "ssd1306", "bus": "i2c", "address": 0x3C}],
        "buttons": [{"back": [27, 6], "less": [17], "more": [22], "ok": [4, 5]}],
    },
    "waveshare-hat": {  # joystick L5 U6 D19 press 13, keys 21 20 16 from top to bottom
        "display": [{"driver": "sh1106", "bus": "spi", "dc": 24, "rst": 25, "rotate": 180}],
        "buttons": [{"back": [5, 21], "less": [6], "more": [19, 20], "ok": [13, 16]}],
    },
    "laptop": {
        "camera": {"kind": "usb"},
        "display": [{"kind": "terminal"}],
        "buttons": [{"kind": "keyboard"}],
        "ring": {"kind": "terminal"},
    },
    "custom": {},
}


def filled_in(raw: dict[str, Any]) -> dict[str, Any]:
    """The file's tables laid over those of its preset. Of several the first that names no kind is of its hardware."""
    below = _below(raw)
    return {**below, **{name: _laid_over(below.get(name), value) for name, value in raw.items()}}


def misfits(raw: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Tables that name no kind, but have keys that the preset's hardware has not: key, and what was expected."""
    for name, section in (("display", Display), ("buttons", Buttons)):
        for number, table, kind in _nameless(_below(raw).get(name), raw.get(name)):
            other = [each.name for each in fields(section) if each.name in table and each.name not in TAKES[kind]]
            if other:
                this = f'without a kind this is the {kind} of preset = "{raw["preset"]}"'
                yield f"{name}[{number}].kind", f"one that has {' and '.join(other)} ({this})"


def _below(raw: dict[str, Any]) -> dict[str, Any]:
    preset = raw.get("preset")
    return PRESETS.get(preset, {}) if isinstance(preset, str) else {}


def _nameless(below: Any, value: Any) -> Iterator[tuple[int, dict[str, Any], str]]:
    """The table that takes the preset's kind, where this takes but a few keys: its number, itself and the kind."""
    match below, [value] if isinstance(value, dict) else value:
        case [{"kind": kind}], [*tables] if kind in TAKES and (here := _first_nameless(tables)) is not None:
            yield here + 1, tables[here], kind


def _laid_over(below: Any, value: Any) -> Any:
    match below, value:
        case [dict(one)], dict(table):
            return [{**one, **table}]
        case [dict(one)], [*tables]:
            here = _first_nameless(tables)
            return [{**one, **table} if at == here else table for at, table in enumerate(tables)]
        case dict(one), dict(table):
            return {**one, **table}
        case _:
            return value


def _first_nameless(tables: list[Any]) -> int | None:
    """Where the first table without a kind stands."""
    return next((at for at, table in enumerate(tables) if isinstance(table, dict) and "kind" not in table), None)
