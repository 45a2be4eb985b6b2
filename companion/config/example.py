"""The commented example, made from the sections themselves: every key with its meaning, its kind and its default.

A key that has no default stands there with an example, and says so.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import Field, fields
from typing import Any

from companion.config.sections import Config

WIDTH = 100
EXAMPLE = "Left out by default; an example:"
HEAD = """\
# The table companion's configuration. Take away the # before a key to change it. Every key is here with its default,
# or, where "Left out by default" stands above it, with an example.
# Where the next line in brackets above a key is a #[[…]], take away the # of that line, too.
# Looked for: --config FILE, $COMPANION_CONFIG, ~/.config/companion/companion.toml, /etc/companion/companion.toml.
# A relative path begins at this file's folder. Check your changes with: companion config check
"""


def example() -> str:
    """A whole configuration file that says the same as none at all."""
    return "\n".join([HEAD, *_table(Config(), "")]).rstrip() + "\n"


def _table(values: Any, where: str) -> Iterator[str]:
    for each in fields(values):
        yield from _entry(each, getattr(values, each.name), f"{where}.{each.name}" if where else each.name)


def _entry(each: Field[Any], value: Any, where: str) -> Iterator[str]:
    match each.metadata:
        case {"section": _, "doc": doc}:
            yield from ("", *_comment(doc), f"[{where}]", *_table(value, where))
        case {"sections": _, "doc": doc} if len(value) == 1:  # a plain table leaves a preset's other keys as they are
            yield from ("", *_comment(doc), f"[{where}]", *_table(value[0], where))
        case {"sections": _, "doc": doc}:
            yield from ("", *_comment(doc), f"#[[{where}]]", *_table(value[0], where))
            for one in value[1:]:
                yield from _brief(one, where)
        case metadata:
            yield from _key(each.name, metadata, value)


def _key(name: str, metadata: Any, value: Any) -> Iterator[str]:
    kind = metadata["kind"]
    yield from _comment(metadata["doc"])
    expected = kind.expected[0].upper() + kind.expected[1:] + "."
    yield from _comment(expected if value is not None else f"{expected} {EXAMPLE}")
    yield f"#{name} = {kind.write(metadata['sample'] if value is None else value)}"


def _brief(one: Any, where: str) -> Iterator[str]:
    """A further table of the same kind: its keys that say more than the default, without their meaning again."""
    yield f"#[[{where}]]"
    for each in fields(one):
        value = getattr(one, each.name)
        if value != each.default:
            yield f"#{each.name} = {each.metadata['kind'].write(value)}"


def _comment(text: str) -> Iterator[str]:
    for paragraph in text.splitlines():
        yield from (f"# {line}" for line in textwrap.wrap(paragraph, WIDTH))
