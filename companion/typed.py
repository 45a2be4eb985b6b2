"""What is typed on a command line: the types of options that several commands take."""

from __future__ import annotations

import argparse
import os
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
