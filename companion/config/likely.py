"""What a value may have been meant for that is not of its key's kind: the same, written another way."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

LONGEST = 60  # characters of a text that may be meant for something else


def likely(value: object) -> Iterator[object]:
    """The same without its quotes or brackets, with brackets, or as another key is written. None may be right."""
    if isinstance(value, list):
        if len(value) == 1:
            yield from (value[0], *_alike(value[0]))
        return
    alike = list(_alike(value))
    yield from alike
    yield from ([each] for each in (value, *alike))


def _alike(value: object) -> Iterator[object]:
    match value:
        case float() if value.is_integer():
            yield int(value)
        case str() if 0 < len(value) <= LONGEST and value.isprintable():
            yield from (text for text in _texts(value.strip()) if text != value)
            yield from _unquoted(value.strip().lower())


def _texts(text: str) -> Iterator[str]:
    yield text
    yield text.lower()
    if re.fullmatch("[0-9a-fA-F]{6}", text):
        yield f"#{text}"
    if re.fullmatch(r"(tty|serial|video)\w+", text):
        yield f"/dev/{text}"


def _unquoted(text: str) -> Iterator[object]:
    """A number, "true", "gpio5", or a list of such."""
    if gpio := re.fullmatch(r"(?:gpio|bcm)[ _]?(\d+)", text):
        yield int(gpio[1])
    try:
        yield from tomllib.loads(f"a = {text}").values()
    except (ValueError, RecursionError):
        return
