"""`python -m tests.bench.staged FOLDER`: labelled pictures of dice on tables, staged in Blender.

A judge of the reader by another hand: of these dice, grounds, things, lights and cameras nothing was ever taught, and
nothing may be, nor any bound be chosen by them, or the judge is lost. The folder gets a `labels.jsonl` as collections
of photos have it, so that `companion bench FOLDER` measures a reader on it, kind by kind: `rig` from above, often into
a tray, `table` hand-held with up to 12 dice, a tenth of them without any, `hard` ones slanted, far, dark or burnt out.
Boxes are of whole dice, as far as they are in the picture. Dice that are hidden, cut off or tiny, or whose pips the
finished picture has lost, are to be ignored. A picture takes some 5 s of one core.
"""

from __future__ import annotations

import sys

from tests.bench.labelled import Shown, command
from tests.bench.staged.table import KINDS

PROG = "python -m tests.bench.staged"


def main(arguments: list[str] | None = None) -> int:
    """0; 2 where Blender is missing."""
    try:
        command(arguments, prog=PROG, description=__doc__, kinds=KINDS, count=40, first=1, render=_render)
    except ImportError as fault:
        sys.stderr.write(f"{PROG}: Blender is missing ({fault}): pip install '.[traced]' in a checkout\n")
        return 2
    return 0


def _render(kind: str, number: int) -> Shown:
    from tests.bench.staged.picture import render

    return render(kind, number)


if __name__ == "__main__":
    sys.exit(main())
