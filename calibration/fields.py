"""What each field of a profile may hold, however it came there: by a step, or by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from companion.config.kinds import MOST_PX
from companion.config.parts import LONGEST_BOUNCE_MS, MOST_LEDS
from companion.games.roll import FACES
from companion.vision.wild import NUMBER

_MOST_DICE, _MOST_COUNTED = 100, 1_000_000  # beyond any table, and any patience
_COUNTS = {"corners": 4, "to_mm": 9, "body": 3, "pips": 3}
_RANGES: Mapping[str, tuple[float, float]] = {
    "size": (1, MOST_PX),
    "corners": (-MOST_PX, 2 * MOST_PX),  # a corner of the floor may lie a little outside the picture
    "tray_mm": (1, 10_000),
    "mm_per_px": (0.001, 100),
    "tilt_deg": (0, 60),  # judging accepts a little more than half of it
    "blur_mm": (0, 1000),
    "brightness": (0, 255),
    "edge_mm": (1, 1000),
    "width_px": (1, MOST_PX),
    "whole_px": (1, MOST_PX),
    "width": (1, MOST_PX),
    "dice": (1, _MOST_DICE),
    "body": (0, 255),
    "pips": (0, 255),
    "least": (-1, 1),  # a correlation
    "leds": (1, MOST_LEDS),
    "first": (0, MOST_LEDS - 1),
    "seats": (0, MOST_LEDS - 1),
    "spaces": (0, MOST_LEDS - 1),
    "debounce_ms": (0, LONGEST_BOUNCE_MS),
    **dict.fromkeys(("throws", "presses", "bounces", "exact", "unsure", "wrong"), (0, _MOST_COUNTED)),
}
_WORDS = {"face": (*FACES, NUMBER), "confused": FACES}


def value_of(name: str, kind: str, raw: object) -> Any:
    """A field's value as TOML gives it, made into its `kind`. Raises ValueError, which tells what was expected."""
    fits, expected, made = _KINDS[kind]
    many = _COUNTS.get(name)
    if not fits(raw) or (many is not None and len(raw) != many):  # type: ignore[arg-type]
        raise ValueError(f"{expected if many is None else f'{many} of: {expected}'} was expected")
    value = made(raw)
    within = _RANGES.get(name)
    if within is not None and not all(within[0] <= number <= within[1] for number in _flat(value)):
        raise ValueError(f"{expected} from {within[0]} to {within[1]} was expected")
    words = _WORDS.get(name)
    if words is not None and not all(word in words for word in _flat(value)):
        raise ValueError(f"{expected} out of {', '.join(words)} was expected")
    return value


def _flat(value: Any) -> list[Any]:
    """The single ones of a value, or of a list, or of a list of pairs."""
    return [one for part in value for one in _flat(part)] if isinstance(value, tuple) else [value]


def _is_number(raw: object) -> bool:
    return isinstance(raw, int | float) and not isinstance(raw, bool) and abs(raw) < 1e9


def _is_whole(raw: object) -> bool:
    return isinstance(raw, int) and not isinstance(raw, bool)


def _list_of(fits: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda raw: isinstance(raw, list) and all(fits(item) for item in raw)


def _pair_of(fits: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda raw: isinstance(raw, list) and len(raw) == 2 and all(fits(item) for item in raw)


def _numbers(raw: Any) -> tuple[float, ...]:
    return tuple(float(item) for item in raw)


_KINDS: Mapping[str, tuple[Callable[[object], bool], str, Callable[[Any], Any]]] = {
    "date": (lambda raw: type(raw) is date, "a date like 2026-05-31", lambda raw: raw),
    "str": (lambda raw: isinstance(raw, str) and bool(raw), "a text", str),
    "bool": (lambda raw: isinstance(raw, bool), "true or false", bool),
    "int": (lambda raw: _is_whole(raw), "a whole number", int),
    "float": (_is_number, "a number", float),
    "Point": (_pair_of(_is_number), "two numbers", _numbers),
    "tuple[int, int]": (_pair_of(_is_whole), "two whole numbers", tuple),
    "tuple[int, ...]": (_list_of(_is_whole), "a list of whole numbers", tuple),
    "tuple[float, ...]": (_list_of(_is_number), "a list of numbers", _numbers),
    "tuple[str, ...]": (_list_of(lambda raw: isinstance(raw, str)), "a list of texts", tuple),
    "tuple[Point, ...]": (
        _list_of(_pair_of(_is_number)),
        "a list of pairs of numbers",
        lambda raw: tuple(map(_numbers, raw)),
    ),
}
