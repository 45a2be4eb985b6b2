"""Number dice, which several games throw: all that could be thrown anew."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

PIPS = range(1, 7)


def rerolls(count: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Of so many dice each choice of some, and all that these may show then: `which` and `dice` of a reroll."""
    for chosen in range(1, count + 1):
        for which in combinations(range(count), chosen):
            yield from ((which, dice) for dice in product(PIPS, repeat=chosen))
