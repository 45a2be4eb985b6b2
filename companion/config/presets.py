"""What a preset fills in, as if it stood in the file; keys of the file go before it. Pins by their BCM numbers.

A HAT's joystick does what four buttons do: left, up, down, press are back, less, more, ok.
"""

from __future__ import annotations

from typing import Any

WITHOUT_KEYS = ("terminal", "keyboard")  # kinds that take none: keys without a kind are of other hardware
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
    """The file's tables laid over those of its preset.

    Of several tables the first that names no kind is of the preset's hardware, where that has keys of its own; with
    none such they replace it.
    """
    preset = raw.get("preset")
    below = PRESETS.get(preset, {}) if isinstance(preset, str) else {}
    return {**below, **{name: _laid_over(below.get(name), value) for name, value in raw.items()}}


def _laid_over(below: Any, value: Any) -> Any:
    match below, value:
        case [dict(one)], dict(table):
            return [{**one, **table}]
        case [dict(one)], [*tables] if one.get("kind") not in WITHOUT_KEYS:
            here = next(
                (at for at, table in enumerate(tables) if isinstance(table, dict) and "kind" not in table), None
            )
            return [{**one, **table} if at == here else table for at, table in enumerate(tables)]
        case dict(one), dict(table):
            return {**one, **table}
        case _:
            return value
