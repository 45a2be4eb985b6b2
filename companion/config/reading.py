"""Reads the configuration file, and tells everything that is wrong with it at once."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

from companion.address import HIDDEN, without_secrets
from companion.config.advice import advice
from companion.config.kinds import Kind, Problems, Unexpected, name_of, toml
from companion.config.likely import likely
from companion.config.presets import filled_in, misfits
from companion.config.sections import Config
from companion.paths import content_of, text_of, way_in

VALUE_LONGEST = 60  # characters of a wrong value that are repeated
MOST_ENTRIES = 8  # of a list, that are told to be wrong one by one

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake. `key` with its tables, e.g. "display[2].port"; "" for the file as a whole. `value` as TOML."""

    key: str
    value: str
    expected: str

    def __str__(self) -> str:
        where = " = ".join(part for part in (self.key, self.value) if part)
        return f"{where}: {self.expected}" if where else self.expected


class ConfigError(Exception):
    """The configuration cannot be used. `problems`: all there are, in the order of the file's keys as documented.

    `file`: None where none was found and the defaults hold.
    """

    def __init__(self, file: Path | None, problems: tuple[Problem, ...]) -> None:
        where = "no configuration file was found" if file is None else str(file)
        super().__init__("\n".join(f"{where}: {problem}" for problem in problems))
        self.file = file
        self.problems = problems


class ConfigUnread(ConfigError):
    """Its file could not be read just now: all others stay wrong until somebody mends them."""


class ConfigMissing(ConfigUnread):
    """There is no file of that name."""


class ConfigClosed(ConfigUnread):
    """This user may not read its file. `why`: without what to do about it."""

    file: Path

    def __init__(self, file: Path, why: str) -> None:
        super().__init__(file, (Problem("", "", f"{why}; {way_in(file)}"),))
        self.why = why


def load(file: Path | None) -> Config:
    """The configuration in `file`, or the defaults for None. Raises ConfigError."""
    return Config() if file is None else parse(_read(file), file)


def parse(content: bytes, file: Path) -> Config:
    """The configuration in `content`; `file` names it in errors, and its folder is where relative paths begin."""
    raw = _toml(content, file)
    reading = _Reading(file.absolute().parent, raw)
    config = reading.section(Config, filled_in(raw), "")
    for key, expected in misfits(raw):
        reading.tell(key, None, f"{expected} was expected")
    if config is None or reading.problems:
        raise ConfigError(file, tuple(reading.problems))
    return config


def _toml(content: bytes, file: Path) -> dict[str, Any]:
    try:
        text = text_of(content)
    except ValueError as error:
        raise _whole(file, str(error)) from None
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a TOMLDecodeError, or a number or nesting too large to read
        told = advice(text, str(error))
        raise _whole(file, f"it is not TOML: {error}{told and f'; {told}'}") from None


def _read(file: Path) -> bytes:
    try:
        return content_of(file, "a configuration")
    except OSError as error:
        raise _unread(error, file) from None
    except ValueError as error:
        raise _whole(file, str(error)) from None


def _unread(error: OSError, file: Path) -> ConfigUnread:
    why = f"it cannot be read: {error.strerror}"
    match error:
        case FileNotFoundError():
            return ConfigMissing(file, (Problem("", "", why),))
        case PermissionError():
            return ConfigClosed(file, why)
        case _:
            return ConfigUnread(file, (Problem("", "", why),))


def _whole(file: Path, text: str) -> ConfigError:
    return ConfigError(file, (Problem("", "", text),))


class _Reading:
    """`written`: what stands in the file, without what a preset fills in."""

    def __init__(self, folder: Path, written: Mapping[str, Any]) -> None:
        self._folder = folder
        self._written = written
        self.problems: list[Problem] = []

    def section(self, kind: type[S], raw: object, where: str) -> S | None:
        """The section, or None if something in it is wrong."""
        if not isinstance(raw, dict):
            self.tell(where, raw, f"a table of keys was expected{_in_single_brackets(raw, where)}")
            return None
        before = len(self.problems)
        known = {each.name: each for each in fields(kind)}  # type: ignore[arg-type]
        for name in [name for name in raw if name not in known]:
            self._unknown(name, known, where)
        values = {name: self._value(known[name], raw[name], _join(where, name)) for name in known if name in raw}
        if len(self.problems) > before:
            return None
        made = kind(**values)
        for name, expected in _problems(made):
            key = name if isinstance(name, str) else self._at_fault(name)
            self.tell(f"{where}.{key}".lstrip("."), _found(raw, made, key), f"{expected} was expected")
        return made

    def _at_fault(self, keys: Sequence[str]) -> str:
        """The first of several keys that is written."""
        return next((key for key in keys if _at(self._written, key) is not None), keys[0])

    def _value(self, each: Field[Any], raw: object, where: str) -> object:
        match each.metadata:
            case {"section": kind}:
                return self.section(kind, raw, where)
            case {"sections": kind, "low": low, "high": high}:
                return self._sections(kind, raw, where, low, high)
            case metadata:
                return self._plain(metadata, raw, where)

    def _sections(self, kind: type[S], raw: object, where: str, low: int, high: int) -> tuple[S | None, ...]:
        tables = [raw] if isinstance(raw, dict) else raw
        if not isinstance(tables, list) or not low <= len(tables) <= high:
            many = f"{low}" if low == high else f"{low} to {high}"
            self.tell(where, raw, f"{many} tables [[{where}]] were expected")
            tables = tables if isinstance(tables, list) else []
        return tuple(self.section(kind, table, f"{where}[{number}]") for number, table in enumerate(tables, 1))

    def _plain(self, metadata: Mapping[str, Any], raw: object, where: str) -> object:
        try:
            value = metadata["kind"].read(raw)
        except Unexpected as unexpected:
            self._unexpected(metadata["kind"], raw, where, unexpected)
            return None
        return self._folder / value if isinstance(value, Path) else value

    def _unexpected(self, kind: Kind[object], raw: object, where: str, found: Unexpected) -> None:
        """The first few entries of a list that are wrong, one by one; else all of the value."""
        for wrong in found.entries[:MOST_ENTRIES]:
            told = f"{wrong.expected} was expected{_meant(kind, wrong.entry, listed=True)}"
            self.tell(f"{where}[{wrong.number}]", wrong.entry, told)
        if (more := len(found.entries) - MOST_ENTRIES) > 0:
            self.tell(where, None, f"{more} more of its entries are wrong")
        if not found.entries:
            self.tell(where, raw, f"{found.expected or kind.expected} was expected{_meant(kind, raw)}", kind.tell)

    def _unknown(self, name: str, known: Mapping[str, Field[Any]], where: str) -> None:
        """Its value may be anything, also a password, and is not repeated."""
        near = difflib.get_close_matches(name, known, n=1)
        below = _below(name, known, where) if where else ""
        if near:
            meant = f"{below}; or did you mean {near[0]}?" if below else f"did you mean {near[0]}?"
        else:
            meant = below or f"known are: {', '.join(known)}"
        key = _join(where, without_secrets(name))
        self.tell(key, None, f"there is no such key; {_elsewhere(name) or meant}")

    def tell(self, where: str, raw: object, text: str, write: Callable[[object], str] = toml) -> None:
        self.problems.append(Problem(where, _short(raw, write), text))


def _meant(kind: Kind[object], raw: object, *, listed: bool = False) -> str:
    """What may have been meant; "" where that is not sure. `listed`: of one entry of a list of that kind."""
    for near in (raw, *likely(raw)):
        try:
            kind.read([near] if listed else near)
        except Unexpected:
            continue
        return "" if near is raw else f"; did you mean {_short(near, kind.tell)}?"  # itself: it is there twice
    return ""


def _short(raw: object, write: Callable[[object], str]) -> str:
    """The beginning of a value as TOML, of addresses what may be told, of tables nothing; "" where there is none."""
    try:
        value = "" if raw is None else write(_discreet(raw))
    except (ValueError, RecursionError):  # more digits, or lists in lists, than Python writes
        return HIDDEN
    return value if len(value) <= VALUE_LONGEST else value[: VALUE_LONGEST - 1] + "…"


def _discreet(raw: object) -> object:
    match raw:
        case str() | Path():
            return without_secrets(str(raw))
        case list() | tuple():
            return [_discreet(item) for item in raw]
        case Mapping():
            raise ValueError("its keys may be unknown, and their values anything")
        case _:
            return raw


def _join(where: str, name: str) -> str:
    return f"{where}.{name_of(name)}" if where else name_of(name)


def _in_single_brackets(raw: object, where: str) -> str:
    """How a table's line is written that stands in double brackets by mistake; "" for what is no such table."""
    is_listed = isinstance(raw, list) and all(isinstance(each, dict) for each in raw)
    return f": [{where}] in single brackets, as there is only one" if is_listed and raw else ""


def _elsewhere(name: str) -> str:
    """Where a key of the file as a whole belongs, which only stands below a section by mistake; "" for other keys."""
    match {each.name: each.metadata for each in fields(Config)}.get(name):
        case None:
            return ""
        case {"section": _}:
            return f"{name} is a section of its own: [{name}]"
        case {"sections": _}:
            return f"{name} is a section of its own: [[{name}]]"
        case _:
            return f"{name} belongs above the first [section]"


def _below(name: str, known: Mapping[str, Field[Any]], where: str) -> str:
    """Where a key belongs that one of the tables below this one has, whose line may be commented out; "" for others."""
    for each in known.values():
        kind = each.metadata.get("sections")
        if kind is not None and name in (inner.name for inner in fields(kind)):
            table = f"[[{_join(where, each.name)}]]"
            return f"{name} belongs below {table}: where a # stands before that line, take it away, too"
    return ""


def _found(raw: Mapping[str, Any], made: object, key: str) -> object:
    """The value of a key, which may be one of a section below; its default where it is not written."""
    written = _at(raw, key)
    return getattr(made, key, None) if written is None else written


def _at(raw: Mapping[str, Any], key: str) -> object:
    """What stands at a key such as "display[2].port"; None where there is nothing."""
    found: Any = raw
    for name, number in re.findall(r"(\w+)(?:\[(\d+)\])?", key):
        found = found.get(name) if isinstance(found, Mapping) else None
        if number and isinstance(found, list):
            found = found[int(number) - 1]
    return found


def _problems(made: object) -> Problems:
    return made.problems() if hasattr(made, "problems") else iter(())
