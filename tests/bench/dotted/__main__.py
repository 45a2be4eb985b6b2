"""Pictures of things with dots that are no dice, drawn as photos of a table would show them.

    python -m tests.bench.dotted FOLDER [--kinds KIND ...] [--count N] [--first N]

It writes FOLDER/KIND/NNNNN.png and FOLDER/labels.jsonl; every label says that no dice lie in its picture. A reader of
dice that is sure of a die in any of them is wrong.

These drawings judge. Nothing may ever be taught with them, and no rule, bound or number chosen by them: a reader that
has been fitted to them passes, whatever it does on real tables, and the judge is lost. They were drawn from what such
things look like on real tables, without a look at what the reader is taught with; who changes them keeps to that.

A picture is drawn at twice its size on a flat ground, each thing as a piece with colour, outline and relief that one
light shades; a camera above or aslant then looks at the ground, and the lens, the sensor and the file add their part.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.bench.dotted.kinds import KINDS, render
from tests.bench.labelled import Shown, command

PROG = "python -m tests.bench.dotted"


def main(arguments: Sequence[str] | None = None) -> None:
    """Draws what the command line asks for; no dice lie in any picture."""

    def shown(kind: str, seed: int) -> Shown:
        return Shown(render(kind, seed))

    command(arguments, prog=PROG, description=__doc__, kinds=KINDS, count=50, first=1, render=shown)


if __name__ == "__main__":
    main()
