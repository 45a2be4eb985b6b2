"""A large picture in parts that show all of it, each with what lies around it: as much as has a say in its answer."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple, TypeAlias

MOST_CUTS = 8  # of either side


class Part(NamedTuple):
    """A part of a side, in pixels: `own`, and what is `seen` for it."""

    own: slice
    seen: slice

    def cells(self, cell_px: int) -> slice:
        """Its own cells, of those of the whole side."""
        return slice(self.own.start // cell_px, self.own.stop // cell_px)

    def cells_seen(self, cell_px: int) -> slice:
        """Its own cells, of those that it sees."""
        before = self.seen.start
        return slice((self.own.start - before) // cell_px, (self.own.stop - before) // cell_px)

    @property
    def length(self) -> int:
        return int(self.seen.stop - self.seen.start)


Parts: TypeAlias = tuple[Part, ...]


@cache
def parted(height: int, width: int, *, most_px: int, reach_px: int, block_px: int) -> tuple[Parts, Parts]:
    """The parts of a picture's height and of its width: as few pixels seen in all as can be, `most_px` at a time.

    `reach_px`: how far a part sees beyond itself. Sides, which are multiples of `block_px`, are cut at such multiples.
    A picture too large for that is cut MOST_CUTS times.
    """
    rows, columns = (
        [_cut(side, pieces, reach_px, block_px) for pieces in range(1, MOST_CUTS + 1)] for side in (height, width)
    )
    few = [(down, across) for down in rows for across in columns if _longest(down) * _longest(across) <= most_px]
    return min(few, key=lambda cuts: _total(cuts[0]) * _total(cuts[1]), default=(rows[-1], columns[-1]))


def _longest(parts: Parts) -> int:
    return max(part.length for part in parts)


def _total(parts: Parts) -> int:
    return sum(part.length for part in parts)


def _cut(side: int, pieces: int, reach_px: int, block_px: int) -> Parts:
    step = -(-side // (block_px * pieces)) * block_px
    owned = (slice(first, min(first + step, side)) for first in range(0, side, step))
    return tuple(Part(own, slice(max(0, own.start - reach_px), min(side, own.stop + reach_px))) for own in owned)
