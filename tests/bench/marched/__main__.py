"""`python -m tests.bench.marched FOLDER`: labelled pictures of dice on tables, made by marching along rays in numpy.

A judge of the reader by another hand: of these tables, dice, grounds and things nothing was ever taught, and nothing
may be, or the judge is lost. The folder gets a `labels.jsonl` as collections of photos have it, so that `companion
bench FOLDER` measures a reader on it, kind by kind: `rig` from above, `table` hand-held with up to 12 dice, `hard` ones
dark, far, slanted, patterned or strewn with things, `empty` ones without dice. A picture takes some 1 to 4 s.

Lengths are in edges of a usual die, the table is the plane z = 0, and colours are linear RGB until the end. A solid is
a signed distance, after Hart's sphere tracing (1996); its soft shadows are estimated from how near a ray passes to it.
"""

from __future__ import annotations

from tests.bench.labelled import command
from tests.bench.marched.picture import render
from tests.bench.marched.table import KINDS

PROG = "python -m tests.bench.marched"


def main(arguments: list[str] | None = None) -> None:
    command(arguments, prog=PROG, description=__doc__, kinds=KINDS, count=40, first=1000, render=render)


if __name__ == "__main__":
    main()
