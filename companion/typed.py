"""What is typed on a command line: the types of options that several commands take, and commands to copy there."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Callable
from pathlib import Path


def typed_name(text: str) -> str:
    """The name of a file or a folder, which is not empty: by that nobody means the folder that they are in."""
    if not text:
        raise argparse.ArgumentTypeError("the name is empty; name a file or a folder")
    return text


def typed_path(text: str) -> Path:
    """The value of an option that names a file or a folder."""
    return Path(typed_name(text))


def file_ending_in(what: str, *endings: str) -> Callable[[str], Path]:
    """The type of an option whose file is of one kind, and so is named: "a plot" ends in ".png"."""

    def file_of(text: str) -> Path:
        file = typed_path(text)
        if file.suffix.lower() not in endings or text.endswith(os.sep):  # which Path leaves out
            raise argparse.ArgumentTypeError(f"{text!r}: {what} is a {' or '.join(endings)} file")
        return file

    return file_of


def whole_number(least: int) -> Callable[[str], int]:
    """The type of an option that is a whole number, `least` or more."""

    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number, {least} or more")
        return int(text)

    return number


def to_type(*words: str | int | Path) -> str:
    """A command, or the end of one, as a shell takes it whatever files are called: none is an option, and none has
    letters that a terminal obeys or cannot show."""
    return " ".join(map(_word, words))


def _word(word: str | int | Path) -> str:
    text = f".{os.sep}{word}" if isinstance(word, Path) and str(word).startswith("-") else str(word)
    return shlex.quote(text) if text.isprintable() else f"$'{''.join(map(_coded, text))}'"


def _coded(letter: str) -> str:
    """A letter in bash's $'…' (also of POSIX 2024, XCU 2.2.4)."""
    if letter in "'\\":
        return f"\\{letter}"
    return letter if letter.isprintable() else "".join(f"\\{byte:03o}" for byte in os.fsencode(letter))
