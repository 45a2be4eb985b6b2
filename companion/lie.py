"""How dice lie: which of them stayed where they were. Pure, for the watch and the table."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from itertools import combinations

from companion.events import Box, Die, Reading, WildDie, middle_of

HERE = 0.35  # of a die's width: boxes waver less from picture to picture
NEAR = 1.3  # of a die's width: as far as a knock or a turn over one edge takes a die


@dataclass(frozen=True, slots=True)
class Lie:
    """What became of the dice of an earlier reading, as places in both readings' `dice`.

    `kept`: (earlier, later) of dice that lie where they lay with the value they had. `shoved`: the same value, but a
    little aside. `turned`: in place or a little aside, with another value. `gone` and `come`: the others of the
    earlier and of the later reading.
    """

    kept: tuple[tuple[int, int], ...]
    shoved: tuple[tuple[int, int], ...]
    turned: tuple[tuple[int, int], ...]
    gone: tuple[int, ...]
    come: tuple[int, ...]

    @property
    def untouched(self) -> bool:
        return not (self.shoved or self.turned or self.gone or self.come)

    @property
    def only_gone(self) -> bool:
        """Some are gone, and the others show what they showed."""
        return bool(self.gone) and not (self.come or self.turned)


def compare(before: Reading, after: Reading) -> Lie:
    """What became of the dice of `before`, by place and value. A die whose value is not read counts as having any."""
    pairs = sorted(
        (_apart(one, two), i, j)
        for i, one in enumerate(before.dice)
        for j, two in enumerate(after.dice)
        if _apart(one, two) <= NEAR
    )
    match: dict[int, tuple[int, float]] = {}
    for distance, i, j in pairs:
        if i not in match and all(j != other for other, _ in match.values()):
            match[i] = (j, distance)
    groups: dict[str, list[tuple[int, int]]] = {"kept": [], "shoved": [], "turned": []}
    for i, (j, distance) in sorted(match.items()):
        one, two = before.dice[i].value, after.dice[j].value
        same = one == two or one is None or two is None
        groups["turned" if not same else "kept" if distance <= HERE else "shoved"].append((i, j))
    taken = {j for j, _ in match.values()}
    return Lie(
        kept=tuple(groups["kept"]),
        shoved=tuple(groups["shoved"]),
        turned=tuple(groups["turned"]),
        gone=tuple(i for i in range(len(before.dice)) if i not in match),
        come=tuple(j for j in range(len(after.dice)) if j not in taken),
    )


def same_lie(before: Reading, after: Reading) -> bool:
    """Whether every die of `before` lies in `after` at its place with its value, an unread one unread, and no other.

    Dice that nobody saw lie at any place.
    """
    if before.placeless:
        return Counter(before.values) == Counter(after.values)
    lie = compare(before, after)
    return lie.untouched and all(before.dice[i].value == after.dice[j].value for i, j in lie.kept)


def moved_as_one(before: Reading, after: Reading) -> bool:
    """Whether the same dice lie elsewhere as they lay to each other: thrown dice hardly ever do, a pushed camera's do.

    One die alone tells nothing of that.
    """
    if len(before.dice) < 2 or Counter(before.values) != Counter(after.values):
        return False
    return all(abs(one - two) <= HERE for one, two in zip(_distances(before), _distances(after), strict=True))


def _distances(reading: Reading) -> list[float]:
    """Of all pairs of dice, in widths of the larger, each pair's by its values."""
    pairs = combinations(sorted(reading.dice, key=lambda die: die.value or 0), 2)
    return [d for _, d in sorted(((one.value or 0, two.value or 0), _apart(one, two)) for one, two in pairs)]


def lies_in(box: Box, other: Box) -> bool:
    """Does the middle of a box lie in another one."""
    x, y = middle_of(box)
    left, top, width, height = other
    return left <= x <= left + width and top <= y <= top + height


def same_wild(before: WildDie, after: WildDie) -> bool:
    """Whether the Wild die lies at its place with its face; one that is not read may show any.

    One that nobody saw lies at any place.
    """
    same = before.face == after.face or None in (before.face, after.face)
    return same and (before.placeless or _apart(before, after) <= HERE)


def _apart(one: Die | WildDie, two: Die | WildDie) -> float:
    """Distance of two dice in widths of the larger."""
    return math.dist(one.centre, two.centre) / max(*one.box[2:], *two.box[2:], 1e-6)
