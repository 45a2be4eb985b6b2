"""Pictures drawn by hand as text: a name on a line, then its rows, `#` lit and `.` dark, then an empty line."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from PIL import Image


@cache
def pictures(sheet: str) -> Mapping[str, Image.Image]:
    """The 1-bit pictures of one sheet ("digits", "signs", "icons", "letters") by name. Do not draw on them."""
    text = files(__package__).joinpath(f"{sheet}.txt").read_text("utf-8")
    return {name: _picture(rows) for name, *rows in (block.split("\n") for block in text.strip().split("\n\n"))}


def _picture(rows: list[str]) -> Image.Image:
    image = Image.new("1", (len(rows[0]), len(rows)))
    image.putdata([255 if mark == "#" else 0 for row in rows for mark in row])
    return image
