"""Labels of photos: a file of a JSON object a line that tells which dice lie in each photo, and where."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from companion.events import Box, box_times
from companion.paths import is_file, is_folder, is_named_pipe
from companion.pictures import SUFFIXES

UNREADABLE = "unreadable"  # a die's value where who drew it drew a face that nobody can read
PIPS = 6  # the most that a die with pips shows
MOST_SHOWN = 100  # by the die with most faces that is made
MOST_BYTES = 50_000_000  # of a labels file, which is some 100,000 photos: the 454 real ones have 0.2 MB

LINE = 'expected {"image": …, "dice": [{"value": …, "box": …}]} in a line'
BOX = "a box is x, y, width and height in pixels"
EXPECTED = "give a folder with labels.jsonl, or such a file"


class BadLabels(Exception):
    """A labels file that is none; the text says where and what to do."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A labelled die. `box`: None where the label has none.

    `value`: 1–6, more on a die of more faces, or a string for a face without pips.
    """

    value: int | str
    box: Box | None
    ignore: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    """A labelled photo. `group`: its collection, which is the folder that it is named with, or lies in."""

    image: str
    path: Path
    dice: tuple[Wanted, ...]

    @property
    def group(self) -> str:
        named, slash, _ = self.image.rpartition("/")
        return named if slash else self.path.absolute().parent.name or "."

    def times(self, factor: float) -> Label:
        """The same of a photo so many times as large."""
        dice = (replace(die, box=die.box and box_times(die.box, factor)) for die in self.dice)
        return replace(self, dice=tuple(dice))


def labels_in(path: Path) -> list[Label]:
    """The labels of a folder (its labels.jsonl) or of a labels file. Raises BadLabels.

    Photos are named from the folder of the labels, or from the one above.
    """
    file = labels_file(path)
    return [_label(line, file, number) for number, line in lines_in(file)]


def labels_file(path: Path) -> Path:
    """Where the labels lie: in a folder, or in that file itself."""
    return path / "labels.jsonl" if is_folder(path) else path


def collections(labels: Sequence[Label], named: Sequence[str] = ()) -> list[str]:
    """The collections that labels tell of. Raises BadLabels where one of those `named` is none of them."""
    there = sorted({label.group for label in labels})
    if strange := [name for name in named if name not in there]:
        raise BadLabels(f"no label tells of a collection {', '.join(strange)}, but of {', '.join(there)}")
    return there


def lines_in(file: Path) -> list[tuple[int, str]]:
    """The lines of a labels file that hold something, numbered from 1. Raises BadLabels."""
    try:
        if is_named_pipe(file):
            raise OSError(f"{file} is a pipe")
        with file.open("rb") as opened:
            content = opened.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise BadLabels(f"{file} has more than {MOST_BYTES // 1_000_000} MB and cannot be labels; check the path")
        lines = content.decode("utf-8-sig").split("\n")
    except FileNotFoundError:
        raise BadLabels(f"there is no {file}; {EXPECTED}") from None
    except UnicodeDecodeError:
        if file.suffix.lower() in SUFFIXES:
            raise BadLabels(f"{file} is a picture; {EXPECTED}") from None
        raise BadLabels(f"{file} is no text in UTF-8; save it as such") from None
    except OSError:
        raise BadLabels(f"{file} cannot be read; {EXPECTED}") from None
    return [(number, line) for number, line in enumerate(lines, 1) if line.strip()]


def _label(line: str, file: Path, number: int) -> Label:
    try:
        row: dict[str, Any] = json.loads(line)
        image, dice = row["image"], row["dice"]
        if not (isinstance(image, str) and image and "\0" not in image and isinstance(dice, list)):
            raise ValueError
        wanted = tuple(map(_wanted, dice))
        _add_up(row.get("total"), wanted)
        return Label(image, _photo(file.parent, image), wanted)
    except BadLabels as fault:
        raise BadLabels(f"{file}:{number}: {fault}") from None
    except json.JSONDecodeError as fault:
        raise BadLabels(
            f"{file}:{number}: {LINE}, but it is no JSON from column {fault.colno} on: {fault.msg}"
        ) from None
    except KeyError as fault:
        raise BadLabels(f'{file}:{number}: {LINE}, but "{fault.args[0]}" is missing') from None
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError):
        raise BadLabels(f"{file}:{number}: {LINE}") from None


def _photo(folder: Path, image: str) -> Path:
    """Where a photo lies: beside its labels, or below the folder above, as in one set of a collection."""
    beside, above = folder / image, folder / ".." / image
    return above if is_file(above) and not is_file(beside) else beside


def _wanted(die: dict[str, Any]) -> Wanted:
    value, box, ignore = die["value"], die.get("box"), die.get("ignore")
    if isinstance(value, str) and value.strip().isdecimal():
        raise BadLabels(
            f'write {int(value)} for so many pips, not "{value}"; a sign is better called "numeral {value}"'
        )
    if not _can_be_up(value):
        raise BadLabels(f"a value is {json.dumps(value)}; it is a number of pips, 1 or more, or in quotes a sign")
    if isinstance(value, int) and value > MOST_SHOWN:
        raise BadLabels(f"a die shows {value}; no die shows more than {MOST_SHOWN}")
    if not isinstance(ignore, bool | None):
        raise BadLabels('"ignore" is true or false')
    return Wanted(value, None if box is None else _box(box), bool(ignore))


def _can_be_up(value: object) -> bool:
    return bool(value.strip()) if isinstance(value, str) else type(value) is int and value > 0


def _add_up(total: object, dice: Sequence[Wanted]) -> None:
    """A label may tell the sum of its dice, with or without those that are to be ignored; signs have none. Raises
    BadLabels for another one."""
    if total is None or any(isinstance(die.value, str) for die in dice):
        return
    every, wanted = (
        sum(die.value for die in dice if isinstance(die.value, int) and (counted or not die.ignore))
        for counted in (True, False)
    )
    if total not in (every, wanted):
        raise BadLabels(f'the dice show {wanted}, and "total" says {json.dumps(total)}; put right what is wrong')


def _box(sides: object) -> Box:
    """Raises BadLabels for what is none, or one in which nothing lies, and OverflowError for one beyond all measure."""
    if not (isinstance(sides, list) and len(sides) == 4 and all(map(_is_number, sides))):
        raise BadLabels(f"a box is {json.dumps(sides)}; {BOX}")
    x, y, w, h = map(float, sides)
    if w <= 0 or h <= 0:
        raise BadLabels(f"a box is {w:g} wide and {h:g} high; {BOX}")
    return x, y, w, h


def _is_number(side: object) -> bool:
    return type(side) in (int, float) and math.isfinite(side)  # type: ignore[arg-type]
