"""The command of a judge whose pictures are made by number: a folder of them, labelled as collections of photos are.

`companion bench FOLDER` measures a reader on it, kind by kind.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.paths import put_whole
from companion.progress import bar


@dataclass(frozen=True)
class Shown:
    """A picture (BGR), and of each die in it what is up (a word where that is no face of pips) and its box.

    A box is x, y, w, h of the whole die, in pixels.

    `ignored`: the places, in that order, of dice that nobody could read.
    """

    picture: NDArray[np.uint8]
    values: tuple[int | str, ...] = ()
    boxes: tuple[tuple[float, float, float, float], ...] = ()
    ignored: frozenset[int] = frozenset()


def command(
    arguments: Sequence[str] | None,
    *,
    prog: str,
    description: str | None,
    kinds: Sequence[str],
    count: int,
    first: int,
    render: Callable[[str, int], Shown],
) -> None:
    """Makes what is asked for. `count`, `first`: pictures of each kind, and the number of the first, if not given.

    Ends the process where labels in the folder name pictures that it does not make: they are somebody else's.
    """
    parser = argparse.ArgumentParser(
        prog=prog, description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="for pictures and labels.jsonl, made anew")
    parser.add_argument(
        "--kinds", nargs="+", choices=kinds, default=kinds, metavar="KIND", help=f"default: {' '.join(kinds)}"
    )
    parser.add_argument("--count", type=int, default=count, help="pictures of each kind")
    parser.add_argument("--first", type=int, default=first, help="number of the first one: others have other numbers")
    options = parser.parse_args(arguments)
    if (strange := _of_others(options.folder / "labels.jsonl", kinds)) is not None:
        parser.error(f"{options.folder}/labels.jsonl tells of {strange}, which is made elsewhere; name another folder")
    wanted = [(kind, options.first + number) for kind in options.kinds for number in range(options.count)]
    rows = []
    for done, (kind, seed) in enumerate(wanted, 1):
        shown, name = render(kind, seed), f"{kind}/{seed:05d}.png"
        (options.folder / kind).mkdir(parents=True, exist_ok=True)
        (options.folder / name).write_bytes(cv2.imencode(".png", shown.picture)[1].tobytes())
        row = {"image": name, "dice": _dice(shown), "w": shown.picture.shape[1], "h": shown.picture.shape[0]}
        rows.append(json.dumps(row))
        bar(done, len(wanted))
    put_whole(options.folder / "labels.jsonl", "".join(f"{row}\n" for row in rows).encode())


def _of_others(file: Path, kinds: Sequence[str]) -> str | None:
    """The first picture that a labels file, torn or not, names and such a command does not make."""
    if not file.exists():
        return None
    named = re.findall(r'"image"\s*:\s*"([^"]*)"', file.read_text(encoding="utf-8", errors="replace"))
    made = re.compile(rf"(?:{'|'.join(map(re.escape, kinds))})/\d{{5,}}\.png")
    return next((name for name in named if not made.fullmatch(name)), None)


def _dice(shown: Shown) -> list[dict[str, object]]:
    """As labels have them."""
    dice: list[dict[str, object]] = []
    for at, (value, box) in enumerate(zip(shown.values, shown.boxes, strict=True)):
        dice.append({"value": value, "box": [round(side, 1) for side in box]})
        if at in shown.ignored:
            dice[-1]["ignore"] = True
    return dice
