"""The kinds of things, and a picture of each by number."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tests.bench.dotted.games import balls, boards, bricks, cards, chips, dominoes, tokens
from tests.bench.dotted.garden import biscuits, ladybirds, toadstools
from tests.bench.dotted.grounds import TABLES, cloth, felt, moss, wall
from tests.bench.dotted.household import buttons, colanders, keys, lamps, perforated, sockets
from tests.bench.dotted.ludo import ludo
from tests.bench.dotted.palette import Bytes
from tests.bench.dotted.phones import phones
from tests.bench.dotted.pictures import pictures
from tests.bench.dotted.printed import drawn, napkins, targets, wrappings
from tests.bench.dotted.scene import Scene, begin, photo

Drawer = Callable[[Scene], None]
SIZES = ((640, 480), (480, 640), (800, 600))
STEEPEST = 0.75  # radians that a camera looks aslant
# Each kind: what draws it, what it may lie on, and how steeply it may be looked at.
DRAWERS: dict[str, tuple[Drawer, tuple[Callable[..., Bytes], ...], float]] = {
    "dominoes": (dominoes, TABLES, STEEPEST),
    "ladybirds": (ladybirds, (*TABLES, moss, moss, moss), 0.5),
    "buttons": (buttons, (*TABLES, cloth, cloth), STEEPEST),
    "perforated": (perforated, TABLES, STEEPEST),
    "bricks": (bricks, TABLES, STEEPEST),
    "cards": (cards, (*TABLES, felt, felt), STEEPEST),
    "chips": (chips, (*TABLES, felt, felt), STEEPEST),
    "toadstools": (toadstools, (*TABLES, moss, moss, moss), 0.5),
    "sockets": (sockets, (*TABLES, wall, wall, wall, wall), 0.4),
    "biscuits": (biscuits, TABLES, STEEPEST),
    "napkins": (napkins, TABLES, STEEPEST),
    "balls": (balls, TABLES, STEEPEST),
    "keys": (keys, TABLES, STEEPEST),
    "lamps": (lamps, (*TABLES, wall, wall), 0.45),
    "colanders": (colanders, TABLES, 0.5),
    "boards": (boards, TABLES, 0.6),
    "tokens": (tokens, TABLES, 0.6),
    "targets": (targets, (*TABLES, wall, wall), 0.5),
    "wrappings": (wrappings, TABLES, STEEPEST),
    "drawn": (drawn, TABLES, STEEPEST),
    "phones": (phones, TABLES, STEEPEST),
    "pictures": (pictures, TABLES, STEEPEST),
    "ludo": (ludo, TABLES, STEEPEST),
}
KINDS = tuple(DRAWERS)


def render(kind: str, seed: int, size: tuple[int, int] | None = None) -> Bytes:
    """A picture of things of a kind; the same seed gives the same one. `size`: width and height, else by lot."""
    rng = np.random.default_rng([KINDS.index(kind), seed])
    by_lot = SIZES[int(rng.integers(len(SIZES)))]
    draw, grounds, steep = DRAWERS[kind]
    scene = begin(rng, size or by_lot, grounds, steep)
    draw(scene)
    return photo(scene)
