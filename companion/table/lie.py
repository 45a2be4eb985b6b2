"""Whether dice lie as they lay before: what tells a new roll from dice that nobody has touched."""

from __future__ import annotations

from companion.events import Die, Reading

STILL = 0.35  # of a die's width: less than any throw moves a die, more than boxes waver from picture to picture


def same_lie(before: Reading, now: Reading) -> bool:
    """Whether every die of `before` lies in `now` at its place with its value, and no other."""
    left = list(now.dice)
    for die in before.dice:
        twin = next((other for other in left if _same(die, other)), None)
        if twin is None:
            return False
        left.remove(twin)
    return not left


def _same(die: Die, other: Die) -> bool:
    (x, y), (other_x, other_y) = die.centre, other.centre
    reach = STILL * max(die.box[2], die.box[3])
    return die.value == other.value and abs(x - other_x) <= reach and abs(y - other_y) <= reach
