"""The latest roll as it was seen: whether dice that are read now lie as those of it did. Pure."""

from __future__ import annotations

from collections import Counter

from companion.events import NOWHERE, Die, Reading, WildDie
from companion.lie import same_lie, same_wild
from companion.referee import Match
from companion.table.state import Table


def as_taken(sighting: Reading | None, match: Match) -> Reading | None:
    """The roll as it was seen; where no camera saw it, or not all of it, as the players said it lies."""
    values = match.public.get("dice")
    if values is None:
        return sighting
    if sighting is not None and Counter(sighting.values) == Counter(values):
        return sighting
    return Reading(tuple(Die(value, NOWHERE, 1.0) for value in values), sure=True)


def lies_as_rolled(table: Table, reading: Reading) -> bool:
    """Whether these dice lie as those of the latest roll did; of typed ones nobody knows where."""
    return table.seen is not None and same_lie(table.seen, reading)


def typed(table: Table) -> bool:
    """Whether the latest roll was entered by button, as no camera saw it, or not all of it."""
    return table.seen is not None and table.seen.placeless


def wild_as_taken(table: Table, match: Match, *, put_right: bool) -> WildDie:
    """The Wild die as it was seen, whatever the players then said it shows; else as they said it lies.

    `put_right`: it is the one that was taken before.
    """
    seen = table.wild_seen if put_right and table.wild is None else table.wild
    return WildDie(match.public["wild"], NOWHERE, 1.0) if seen is None or seen.placeless else seen


def wild_lies_as_rolled(table: Table, die: WildDie) -> bool:
    """Whether the Wild die lies as it did when it was taken last; a typed one may lie anywhere."""
    return table.wild_seen is not None and same_wild(table.wild_seen, die)


def wild_lies_otherwise(table: Table, die: WildDie) -> bool:
    """Whether the Wild die shows another face than the one that waits to be accepted.

    One that cannot be read does only if that face was read, and not typed.
    """
    assert table.match is not None
    accepted, seen = table.match.public["wild"], table.wild_seen
    if die.face is None:
        return seen is not None and not seen.placeless and seen.face == accepted
    return bool(die.face != accepted)
