"""`python -m tests.bench.drawn FOLDER`: labelled pictures from the drawing that teaches the reader, with other numbers.

They tell how well what was taught was learned, and nothing of dice that nobody drew: any number of dice of every kind
on tables of any hardness, many cocked, stacked, of signs or under a hand. `drawn` ones are seen as by a camera above
the table, mostly, `steep` ones as by somebody who sits there. Dice of which less than half is in view, or that move,
are to be ignored. The folder gets a `labels.jsonl` as collections of photos have it.
"""

from __future__ import annotations

from companion.vision.labels import UNREADABLE
from companion.vision.networks import UNREAD
from companion.vision.train.pictures import Truth, drawn_example
from tests.bench.labelled import Shown, command

KINDS = DRAWN, STEEP = "drawn", "steep"
FIRST = 300_001  # training has those below 24,001


def render(kind: str, number: int) -> Shown:
    """The same picture for the same number."""
    example = drawn_example(number, steep=kind == STEEP)
    return Shown(
        example.picture,
        tuple(UNREADABLE if die.value == UNREAD else die.value for die in example.dice),
        tuple(_box(die) for die in example.dice),
        frozenset(at for at, die in enumerate(example.dice) if die.skip),
    )


def _box(die: Truth) -> tuple[float, float, float, float]:
    x, y, width, height = die.box.tolist()
    return x, y, width, height


def main(arguments: list[str] | None = None) -> None:
    command(
        arguments,
        prog="python -m tests.bench.drawn",
        description=__doc__,
        kinds=KINDS,
        count=40,
        first=FIRST,
        render=render,
    )


if __name__ == "__main__":
    main()
