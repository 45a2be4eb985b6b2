"""What to do about the commonest mistakes in TOML, which its parser tells in the words of those who wrote it.

No value is repeated, for it may be a password. Where it is not sure what is meant, nothing is said.
"""

from __future__ import annotations

import re

CURLY = "“”„‟‘’‚‛«»′″´`"
KEY = r"(?<![A-Za-z0-9_.-])([A-Za-z0-9_.-]+)\s*=\s*"
SEVERAL = ("display", "buttons", "table.seat", "board.region")  # tables that there may be several of
HEADER = r"\s*(\[\[?)\s*([A-Za-z0-9_.-]+)\s*\]"
TEXT = r"""(?sx) (?: [^"'#]+ | \#[^\n]*+  # up to the first text without an end
    | \"""(?: [^"\\] | \\. | "(?!"") )*+"{3,5} | \'''(?: [^'] | '(?!'') )*+'{3,5}
    | "(?!"")(?: [^"\\\n] | \\. )*+" | '(?!'')[^'\n]*+' )*+"""
UNIT = "(?i)ms|s|sec|seconds?|min|minutes?|fps|hz|°|deg|degrees?|px|leds?|%"
DECIMAL = "a decimal number has a point, as in 0.5"
NO_ZERO = "a whole number begins with no 0"
SEVERAL_NUMBERS = "several numbers stand in brackets"
BACKSLASH = "a backslash stands for itself only between single quotes: '…'; in a path / does as well"


def advice(text: str, said: str) -> str:
    """A sentence to add to what the parser `said` of a file's `text`; "" where it is not sure what would help."""
    lines = text.replace("\r\n", "\n").split("\n")
    what, _, where = said.partition(" (at ")
    if where == "end of document)" and (what == "Unterminated string" or what.startswith("Expected \"'")):
        return _endless_to_the_end(text, lines)
    number, column = _place(lines, said)
    before, after = lines[number - 1][: column - 1], lines[number - 1][column - 1 :]
    match what:
        case "Invalid value":
            return _no_value(before, after)
        case "Expected newline or end of document after a statement":
            return _number(before, after)
        case "Unclosed array":
            return _zero(before, after)
        case "Invalid statement" if re.match(r"//|;|--|/\*", after):
            return "a comment begins with #"
        case "Expected '=' after a key in a key/value pair":
            return _colon(before, after)
        case "Unescaped '\\' in a string" | "Invalid hex value":
            return BACKSLASH
        case r"Illegal character '\n'" | r"Found invalid character '\n'":
            return _endless(lines[number - 1]) if not re.search("\"\"\"|'''", text) else ""
        case words if words.startswith(("Cannot overwrite a value", "Cannot declare ")):
            return _twice(lines, number)
        case _:
            return ""


def _place(lines: list[str], said: str) -> tuple[int, int]:
    """Line and column, from 1; the end of the last line where the parser came to the end."""
    if told := re.search(r"\(at line (\d+), column (\d+)\)", said):
        return min(int(told[1]), len(lines)), int(told[2])
    return len(lines), len(lines[-1]) + 1


def _no_value(before: str, after: str) -> str:
    entry = re.split(r"[,\]}#]", after)[0].strip()
    key = re.search(KEY + "$", before)
    written = f"{key[1]} = " if key else ""
    if entry[:1] and entry[0] in CURLY:
        return f'the quotes around a text are straight: {written}"…"'
    if entry.lower() in ("true", "false"):
        return f"{entry.lower()} is written in small letters"
    if entry.lower() in ("yes", "no", "on", "off"):
        return "yes and no are written true and false, and a text stands in quotes"
    if key and key[1].endswith("colour") and re.match(r"#[0-9a-fA-F]{6}\b", after):
        return f'a colour stands in quotes: {written}"#…"'
    if gpio := re.fullmatch(r"(?i)(?:gpio|bcm)[ _]?0*(\d+)", entry):
        return f"a GPIO is told by its number alone: {written}{gpio[1]}"
    return f"a text stands in quotes: {written}{_quoted(entry)}" if _is_text(entry, written) else ""


def _is_text(entry: str, written: str) -> bool:
    """Whether it looks like a text that lacks its quotes, and not like the wish for nothing at all."""
    if entry.lower() in ("none", "null", "nil", "nan", "inf") and not written.endswith("kind = "):
        return False
    if re.match(r"(?i)(gpio|bcm|pin|d)[ _]?\d", entry):
        return False
    return bool(re.match(r"[^\W\d_]|~?/|\.\.?/", entry)) and not re.search(f"[\"'{CURLY}]", entry)


def _quoted(entry: str) -> str:
    return "'…'" if "\\" in entry else '"…"'


def _number(before: str, after: str) -> str:
    """What to do about a number that goes on after its end."""
    key = re.search(KEY + r"([+-]?\d+(?:\.\d+)?)\s*$", before)
    if not key:
        return ""
    number, more = key[2], re.split("#", after)[0].strip()
    if key[1].endswith("address") and re.fullmatch("[0-9A-Fa-f]+", number + more):
        return f"an address is written with 0x: {key[1]} = 0x…"
    if number == "0" and re.fullmatch(r"\d+", more):
        return f"{NO_ZERO}: {key[1]} = {more.lstrip('0') or '0'}"
    if re.fullmatch(r"\s*[x×]\s*\d+", more):
        return f"{SEVERAL_NUMBERS}: {key[1]} = [{number}, …]"
    if re.fullmatch(UNIT, more):
        return f"a number has no unit: {key[1]} = {number}"
    return f"{DECIMAL}; {SEVERAL_NUMBERS}, as in [1, 2]" if re.fullmatch(r",\s*\d+", more) else ""


def _zero(before: str, after: str) -> str:
    return NO_ZERO if re.search(r"[\[,]\s*0$", before) and re.match(r"\d", after) else ""


def _colon(before: str, after: str) -> str:
    key = re.fullmatch(r"\s*([A-Za-z0-9_.-]+)\s*", before)
    return f"= stands between a key and its value: {key[1]} = …" if key and after.startswith(":") else ""


def _endless_to_the_end(text: str, lines: list[str]) -> str:
    """What to do about a text that nothing ends: the parser does not tell where it begins."""
    whole = re.match(TEXT, text)
    if whole is None or whole.end() == len(text):
        return ""
    number = text.count("\n", 0, whole.end()) + 1
    told = _endless(lines[number - 1])
    return f"on line {number}: {told}" if told else f"the text that begins on line {number} does not end"


def _endless(line: str) -> str:
    """What to do about a text that does not end on its line."""
    text = re.match(rf"\s*{KEY}(\"\"\"|'''|[\"'])([^\"']*)$", line)
    if text and any(mark in CURLY for mark in text[3]):
        return f"the quotes around a text are straight: {text[1]} = {text[2]}…{text[2]}"
    if text:
        quotes = "quote" if len(text[2]) == 1 else "quotes"
        return f"a text ends with the {quotes} that it begins with: {text[1]} = {text[2]}…{text[2]}"
    return BACKSLASH if re.match(rf'\s*{KEY}"[^"]*\\"\s*$', line) else ""


def _twice(lines: list[str], number: int) -> str:
    """What to do about a table or a key that stands on an earlier line, too."""
    if header := re.match(HEADER, lines[number - 1]):
        return _table_twice(lines, number, header)
    if key := re.match(rf"\s*{KEY}", lines[number - 1]):
        return _key_twice(lines, number, key[1])
    return ""


def _table_twice(lines: list[str], number: int, header: re.Match[str]) -> str:
    brackets, name = header.groups()
    here = _table(brackets, name)
    for earlier in range(number - 1, 0, -1):
        if (found := re.match(HEADER, lines[earlier - 1])) and found[2] == name:
            if name in SEVERAL:
                there = f"{_table(*found.groups())} on line {earlier} and {here} on line {number}"
                return f"{there}: each is written [[{name}]] where there are several"
            both = f"{_table(*found.groups())} on line {earlier} and {here} on line {number} are the same table"
            return f"{both}: keep one of them, with the keys of both"
    return ""


def _key_twice(lines: list[str], number: int, key: str) -> str:
    between = ""  # a table's line that is still commented out, as in the example
    for earlier in range(number - 1, 0, -1):
        line = lines[earlier - 1]
        if re.match(HEADER, line):
            return ""
        if (hidden := re.match(rf"\s*#{HEADER}", line)) and hidden[1] == "[[" and not between:
            between = f", or take away the # before {_table(*hidden.groups())} on line {earlier}, too"
        if (found := re.match(rf"\s*{KEY}", line)) and found[1] == key:
            return f"{key} stands on line {earlier} and on line {number}: keep one of them{between}"
    return ""


def _table(brackets: str, name: str) -> str:
    return f"{brackets}{name}{']' * len(brackets)}"
