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


def wild_lies_as_rolled(table: Table, die: WildDie) -> bool:
    """As of number dice."""
    return table.wild_seen is not None and same_wild(table.wild_seen, die)


def wild_lies_otherwise(table: Table, die: WildDie) -> bool:
    """Than it was accepted; one that cannot be read does only if it was read before, and not typed."""
    assert table.match is not None
    accepted = table.match.public["wild"]
    if die.face is None:
        return table.wild_seen is not None and table.wild_seen.face == accepted
    return bool(die.face != accepted)
