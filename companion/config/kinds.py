"""Kinds of values a key may have: each knows what it expects, how to read it and how it is written in TOML."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, time
from pathlib import Path
from typing import Any, Generic, TypeVar

T = TypeVar("T")

Colour = tuple[int, int, int]  # red, green, blue, 0-255
# key, and what was expected; several keys, from the top of the file, where the first that is written is at fault
Problems = Iterator[tuple[str | tuple[str, ...], str]]
GPIO_LAST = 27  # the Pi's header carries GPIO 0-27
PRINTED = {0x78: 0x3C, 0x7A: 0x3D}  # addresses of panels
LEAST_PX, MOST_PX = 64, 8192  # a side of the smallest and of the largest picture that a camera can be set to


@dataclass(frozen=True, slots=True)
class Wrong:
    """An entry of a list, by its number from 1, and what was expected there."""

    number: int
    entry: object
    expected: str


class Unexpected(Exception):
    """A value is not of its kind. `expected`: what was, where the kind says less. `entries`: all that is wrong in a
    list, unless that is the list itself."""

    def __init__(self, expected: str = "", entries: tuple[Wrong, ...] = ()) -> None:
        super().__init__(expected)
        self.expected = expected
        self.entries = entries


def toml(value: object) -> str:
    """A value as TOML; raises ValueError for what is none.

    JSON's strings are TOML's basic strings, except for DEL, which only the latter escape.
    """
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return str(value)
        case str() | Path():
            return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
        case tuple() | list():
            return "[" + ", ".join(toml(item) for item in value) + "]"
        case Mapping():
            return "{" + ", ".join(f"{name_of(name)} = {toml(item)}" for name, item in value.items()) + "}"
        case date() | time():  # they look in TOML as Python writes them; a datetime is a date
            return str(value)
        case _:
            raise ValueError(f"TOML has no {type(value).__name__}")


def name_of(key: str) -> str:
    """A key as TOML: bare where that is allowed (https://toml.io/en/v1.0.0#keys)."""
    return key if re.fullmatch("[A-Za-z0-9_-]+", key) else toml(key)


@dataclass(frozen=True, slots=True)
class Kind(Generic[T]):
    """`expected`: completes "… was expected". `read` raises Unexpected. `write` gives TOML, `tell` of any value."""

    expected: str
    read: Callable[[object], T]
    write: Callable[[T], str]
    tell: Callable[[object], str] = toml


def key(kind: Kind[T], default: T, doc: str) -> T:
    """A key of a section, as the default of its dataclass field. `doc`: what the example file says of it."""
    return field(default=default, metadata={"kind": kind, "doc": doc})


def optional(kind: Kind[T], sample: T, doc: str) -> T | None:
    """A key that may be left out, and then is None. `sample` stands in the example file, commented out."""
    return field(default=None, metadata={"kind": kind, "doc": doc, "sample": sample})


def section(kind: type[T], doc: str) -> T:
    """A table of keys; missing keys and a missing table have their defaults."""
    return field(default_factory=kind, metadata={"section": kind, "doc": doc})


def sections(kind: type[T], default: tuple[T, ...], doc: str, *, low: int, high: int) -> tuple[T, ...]:
    """From `low` to `high` tables of one kind; a single one may be written as a plain table."""
    metadata = {"sections": kind, "doc": doc, "low": low, "high": high}
    return field(default=default, metadata=metadata)


def _kind(expected: str, matches: Callable[[Any], bool], made: Callable[[Any], T]) -> Kind[T]:
    def read(value: object) -> T:
        if not matches(value):
            raise Unexpected
        return made(value)

    return Kind(expected, read, toml)


def yes_no() -> Kind[bool]:
    return _kind("true or false", lambda value: isinstance(value, bool), bool)


def whole(low: int, high: int) -> Kind[int]:
    def matches(value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high

    return _kind(f"a whole number from {low} to {high}", matches, int)


def number(low: float, high: float) -> Kind[float]:
    def matches(value: object) -> bool:
        return isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high

    return _kind(f"a number from {low:g} to {high:g}", matches, float)


def text(longest: int = 200) -> Kind[str]:
    def matches(value: object) -> bool:
        return isinstance(value, str) and 0 < len(value) <= longest and value.isprintable() and value.strip() == value

    return _kind(f"a text of 1 to {longest} printable characters, without blanks around it", matches, str)


def name(longest: int) -> Kind[str]:
    """A text that the screen can show: letters that it cannot are boxes, one like the other."""
    told = text(longest)

    def read(value: object) -> str:
        named = told.read(value)
        if lacking := _undrawn(named):
            raise Unexpected(f"a spelling in Latin letters (the screen cannot draw {', '.join(lacking)})")
        return named

    return Kind(told.expected, read, toml)


def _undrawn(name: str) -> Sequence[str]:
    """The letters that the screen has no picture of."""
    if name.isascii():  # every font has these
        return ()
    from companion.screen.font import SIZES, font  # what draws takes long to load, and few names need it

    return font(SIZES[0]).lacking(name)


def one_of(*words: str) -> Kind[str]:
    return _kind("one of " + ", ".join(f'"{word}"' for word in words), lambda value: value in words, str)


def one_number_of(*numbers: int) -> Kind[int]:
    listed = ", ".join(str(each) for each in numbers)
    return _kind(f"one of {listed}", lambda value: not isinstance(value, bool) and value in numbers, int)


def path() -> Kind[Path]:
    """`~` is the home folder; a relative path is taken from the folder of the configuration file (see reading.py)."""

    def read(value: object) -> Path:
        if not isinstance(value, str) or not value:
            raise Unexpected
        if not value.isprintable() or value.strip() != value:
            raise Unexpected("a path of printable characters, without blanks around it")
        try:
            return Path(value).expanduser()
        except RuntimeError:  # there is no such user
            raise Unexpected from None

    return Kind("a path", read, toml)


def film() -> Kind[str | Path]:
    """The address of a stream, which has a scheme, as text; else a path."""
    told, lies = text(1000), path()

    def read(value: object) -> str | Path:
        named = told.read(value)
        if "://" not in named:
            return lies.read(named)
        if not re.match(r"[A-Za-z][A-Za-z0-9+.-]*://[^?#]*\w", named):
            raise Unexpected('an address that names a place, such as "http://192.168.1.20:8080/video"')
        return named

    return Kind(told.expected, read, toml)


def device() -> Kind[str]:
    """A device file by name, or a camera by number, also in quotes; always as text."""
    told = text()

    def read(value: object) -> str:
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 99:
            return str(value)
        named = told.read(value)
        if re.fullmatch("[0-9]{1,2}", named):
            return str(int(named))
        if not named.startswith("/dev/"):
            raise Unexpected
        return named

    def write(name: str) -> str:
        return name if name.isdigit() else toml(name)

    return Kind('a number, or a name such as "/dev/video0"', read, write)


def port() -> Kind[str]:
    """A serial port's device file, or a pattern of such; what the ring opens is no address."""
    told = text()

    def read(value: object) -> str:
        named = told.read(value)
        if not named.startswith("/"):
            raise Unexpected
        return named

    return Kind('the name of a port, such as "/dev/ttyUSB0"', read, toml)


def colour() -> Kind[Colour]:
    def read(value: object) -> Colour:
        if not isinstance(value, str) or not re.fullmatch("#[0-9a-fA-F]{6}", value):
            raise Unexpected
        if value == "#000000":
            raise Unexpected('a colour other than black, which no LED can show, such as "#ff8800"')
        return int(value[1:3], 16), int(value[3:5], 16), int(value[5:7], 16)

    return Kind('a colour such as "#ff8800"', read, hashed)


def hashed(colour: Colour) -> str:
    return '"#{:02x}{:02x}{:02x}"'.format(*colour)


def size() -> Kind[tuple[int, int]]:
    side = whole(LEAST_PX, MOST_PX)

    def read(value: object) -> tuple[int, int]:
        if not isinstance(value, list) or len(value) != 2:
            raise Unexpected
        return side.read(value[0]), side.read(value[1])

    return Kind(f"width and height in pixels, each from {LEAST_PX} to {MOST_PX}, such as [640, 480]", read, toml)


def list_of(kind: Kind[T], low: int, high: int, *, distinct: bool = True) -> Kind[tuple[T, ...]]:
    def read(value: object) -> tuple[T, ...]:
        if not isinstance(value, list) or not low <= len(value) <= high:
            raise Unexpected
        good: list[T] = []
        wrong: list[Wrong] = []
        for number, raw in enumerate(value, 1):
            try:
                entry = kind.read(raw)
            except Unexpected as unexpected:
                wrong.append(Wrong(number, raw, unexpected.expected or kind.expected))
                continue
            if distinct and entry in good:
                wrong.append(Wrong(number, raw, "an entry unlike those before it"))
            good.append(entry)
        if wrong:
            raise Unexpected(entries=tuple(wrong))
        return tuple(good)

    different = " different" if distinct else ""
    return Kind(f"a list of {low} to {high}{different} entries, each {kind.expected}", read, toml)


def pin() -> Kind[int]:
    """A GPIO by its BCM number."""
    return whole(0, GPIO_LAST)


def address() -> Kind[int]:
    """An I2C address (https://www.i2c-bus.org/addressing/), written as data sheets do.

    Boards often print it as it is sent, with one more bit: 0x78 for 0x3C.
    """
    told = whole(0x03, 0x77)
    expected = "an I2C address from 0x03 to 0x77"

    def read(value: object) -> int:
        if isinstance(value, int) and value in PRINTED:
            raise Unexpected(f"{expected} ({tell(PRINTED[value])}, where a board prints {tell(value)})")
        return told.read(value)

    def tell(value: object) -> str:
        return f"0x{value:02X}" if type(value) is int and value >= 0 else toml(value)

    return Kind(expected, read, tell, tell)
