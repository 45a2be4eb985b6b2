"""What lies where a path of the configuration leads: where that is the wrong thing, nothing comes right by waiting.

Where nothing lies yet something may be made or plugged in, and what the system does not tell may be right.
"""

from __future__ import annotations

from pathlib import Path

from companion.paths import is_file, is_folder

FOLDER = "a folder, and not a file"


def folder_at(path: Path | None) -> str:
    """What is expected where a file lies instead of a folder, or on the way to it; "" for nothing."""
    if path is None:
        return ""
    return FOLDER if is_file(path) else _way_to(path)


def file_at(path: Path | None, expected: str = "a file, and not a folder") -> str:
    """What is expected where a folder lies instead of a file, or a file on the way to it; "" for nothing."""
    if path is None:
        return ""
    return expected if is_folder(path) else _way_to(path)


def _way_to(path: Path) -> str:
    file = next((each for each in path.parents if is_file(each)), None)
    return "" if file is None else f"a path through folders, and {file} is a file"
