"""What dice in the tray make of the table: a roll, a question, or nothing. Pure."""

from __future__ import annotations

from dataclasses import replace

from companion.events import Reading, Why, WildDie
from companion.table import dice
from companion.table.acting import Decision, done, go_on, pinned
from companion.table.games import most_dice, throws_dice
from companion.table.house import House
from companion.table.latest import lies_as_rolled, wild_lies_as_rolled, wild_lies_otherwise
from companion.table.state import Table


def stirred(table: Table) -> Table:
    """What lay in the tray is no longer what will be read; a player who is typing keeps what was seen so far."""
    typing = dice.typing(table.played)
    return replace(
        table,
        stirred=True,
        fresh=True,
        sighting=table.sighting if typing else None,
        hidden=table.sighting or table.hidden,
        wild=table.wild if typing else None,
        wild_hidden=table.wild or table.wild_hidden,
    )


def stilled(table: Table, hidden: Reading | None, house: House, at_s: float) -> Decision:
    """Nothing has become of the dice: what was asked about them before is asked again."""
    if hidden is None or table.sighting is not None:
        return Decision(table)
    return go_on(replace(pinned(table, house, at_s), sighting=hidden), house, at_s)


def wild_stilled(table: Table, hidden: WildDie | None, house: House, at_s: float) -> Decision:
    """Nothing has become of the Wild die: what was asked about it before is asked again."""
    if hidden is None or table.wild is not None:
        return Decision(table)
    return Decision(replace(pinned(table, house, at_s), wild=hidden))


def settled(table: Table, reading: Reading, house: House, at_s: float, *, found: bool) -> Decision:
    seen, fresh = replace(table, sighting=reading), table.fresh and not found
    if table.match is None:  # dice that lie there when the game begins are asked about
        return Decision(seen)
    if not throws_dice(table.match) or (lies_as_rolled(table, reading) and not fresh):
        return Decision(table)  # no new roll, whatever became of the daemon since
    match table.match.ask.step:
        case "roll" if dice.typing(table.played):
            return Decision(replace(pinned(table, house, at_s), sighting=reading))
        case "roll":
            return _roll_settled(seen.asked_anew(), reading, house, at_s, fresh=fresh)
        case "accept":
            return _reroll_settled(table, seen, house, at_s, fresh=fresh)
        case _:
            return Decision(seen if fresh or found else table)


def _roll_settled(table: Table, reading: Reading, house: House, at_s: float, *, fresh: bool) -> Decision:
    assert table.match is not None
    thrown = fresh and not lies_as_rolled(table, reading)
    if thrown and not table.menu and reading.sure and 1 <= len(reading.dice) <= most_dice(table.match):
        return done(table, ({"do": "roll", "dice": list(reading.values)},), house, at_s)
    return Decision(table)


def _reroll_settled(table: Table, seen: Table, house: House, at_s: float, *, fresh: bool) -> Decision:
    """What may be a re-roll is one only if it was seen to come, and lies otherwise: else it is asked about."""
    assert table.match is not None
    assert seen.sighting is not None
    rolled = tuple(table.match.public["dice"])
    if dice.rerolling(table.played):
        same = lies_as_rolled(table, seen.sighting)
        if fresh and not same:
            return go_on(seen, house, at_s)
        why = seen.sighting.why or (Why.SAME if same else Why.CHANGED)
        return Decision(replace(seen, sighting=seen.sighting.unsure(why)))
    if seen.sighting.sure and sorted(rolled) == sorted(value or 0 for value in seen.sighting.values):
        return Decision(replace(table, sighting=None, seen=seen.sighting))
    return Decision(seen if dice.typing(table.played) else seen.asked_anew())


def wild_settled(table: Table, die: WildDie, house: House, at_s: float, *, found: bool) -> Decision:
    """The Wild die lies in the tray: a roll where one is due, a question where something speaks against it."""
    fresh = table.fresh and not found
    if table.match is None or (wild_lies_as_rolled(table, die) and not fresh):
        return Decision(table)
    seen = replace(table, wild=die)
    match table.match.ask.step:
        case "wild" | "wild_accept" if dice.typing(table.played):
            return Decision(seen)
        case "wild":
            return _wild_thrown(seen, "wild", house, at_s, fresh=fresh)
        case "wild_accept" if dice.rerolling(table.played):
            return _wild_thrown(seen, "reroll", house, at_s, fresh=fresh)
        case "wild_accept" if wild_lies_otherwise(table, die):
            return Decision(seen.asked_anew())
        case "wild_accept" if die.face is not None:
            return Decision(replace(table, wild_seen=die))  # from now on it is known where it lies
        case "accept" if fresh:
            return Decision(seen)
        case _:
            return Decision(table)


def _wild_thrown(table: Table, action: str, house: House, at_s: float, *, fresh: bool) -> Decision:
    """What lies as it lay when it was read last is asked about, as such number dice are."""
    assert table.wild is not None
    thrown = fresh and not wild_lies_as_rolled(table, table.wild)
    if thrown and not table.menu and table.wild.face is not None:
        return done(table, ({"do": action, "face": table.wild.face},), house, at_s)
    return Decision(table)
