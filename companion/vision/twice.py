"""What two looks at the same dice come to: one at a known scale, one as at first sight, each with faults of its own.

A picture whose scale is known is searched once: a die close to another may be overlooked, in every frame alike. At
first sight it is searched several times: that shows more, at times things that are no dice. Each look has its own pair
of networks, taught apart, so that seldom both overlook a die, or read it wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.events import Box, Die, Reading, Why
from companion.lie import compare, lies_in, same_lie

CERTAIN = 0.9  # least confidence of a die that is not asked about: no ruler is sure of less
VALUES = (Why.FAINT, Why.TOUCHING)  # why a look may doubt what the other one reads plainly
BY_ONE = 0.5  # confidence from which a die that one of two looks sees, and the other does not, is shown as one


def both(reading: Reading, second: Reading, *, told: bool = False) -> Reading:
    """A sure reading, unless it is `contradicted`; an unsure one, `seconded`; else the two `joined`.

    What one of them is unsure of only if it is seen but once is sure where it is `borne_out` by the other; what dazzles
    one of them deceives the other. `told`: the number of dice is, so that none is overlooked.
    """
    if reading.dazzled or second.dazzled:
        asked = joined(reading, second)
        return asked if asked.why is Why.COUNT else replace(asked, why=Why.GLARE)
    if reading.sure:
        why = contradicted(reading, second)
        return reading if why is None else replace(joined(reading, second), why=why)
    for one, other in ((reading, second), (second, reading)):
        if borne_out(one, other, told=told):
            return replace(one, sure=True, why=None, if_twice=False)
    plain = seconded(reading, second)
    return plain if plain.sure else joined(reading, second)


def borne_out(reading: Reading, second: Reading, *, told: bool) -> bool:
    """Does a second look see the same as one that is unsure of it only if it is seen but once.

    The second is so, too; or, where the number of dice is `told`, unsure of values that are plain to the first, but for
    neither a lamp, blur nor the dark, and with nothing left that may be a die.
    """
    if not (reading.if_twice and same_lie(reading, second)):
        return False
    return second.if_twice or (told and second.why in VALUES and not second.doubts)


def contradicted(reading: Reading, second: Reading) -> Why | None:
    """Why a sure reading is none after all: a second one sees one more die or less, or another value.

    Or it sees a part of a die, or what may be one more: each pair of networks is blind to other ones.

    Where it sees less than must lie there, the number that is told speaks for the first one.
    """
    if second.why in (Why.CUT, Why.STRAY):
        return second.why
    lie = compare(reading, second)
    if lie.come:
        return Why.STRAY
    overlooked = lie.gone and second.why not in (Why.COUNT, Why.EMPTY)
    return Why.FAINT if lie.turned or overlooked else None


def unseconded(reading: Reading) -> Reading:
    """A reading that no other one confirms, nor a number that is told: unsure, if it shows dice."""
    return reading.unsure(reading.why or Why.FAINT) if reading.dice else reading


def seconded(reading: Reading, second: Reading) -> Reading:
    """An unsure reading, or a sure second one that sees the same dice: then what was doubted was seen plainly.

    What may be one more die, and is none to the second, stays a doubt: it may have been overlooked.
    """
    plain = second.sure and reading.why not in (Why.STRAY, Why.CUT) and same_lie(reading, second)
    return second if plain else reading


def joined(reading: Reading, second: Reading) -> Reading:
    """Two readings that leave something to ask made one: each die as the one sees it that is surer of it; unsure.

    What only one of them takes for a die is one if that is rather sure of it. It is a doubt, as is each die that they
    do not both read surely and alike. The reason is that of the unsure one, of two that of the one that sees more dice;
    but where its number was wrong, and is another one now, it is what only one saw.
    """
    lie = compare(reading, second)
    pairs = [(reading.dice[i], second.dice[j]) for i, j in sorted((*lie.kept, *lie.shoved, *lie.turned))]
    single = [*(reading.dice[i] for i in lie.gone), *(second.dice[j] for j in lie.come)]
    surer = [max(pair, key=lambda die: die.confidence) for pair in pairs]
    more = [die for die in single if die.confidence >= BY_ONE]
    asking = second if reading.sure or len(second.dice) > len(reading.dice) else reading
    dice = (*surer, *more)
    other_number = asking.why is Why.COUNT and len(dice) != len(asking.dice)
    why = Why.STRAY if other_number else asking.why or Why.FAINT
    doubted = [die for pair, die in zip(pairs, surer, strict=True) if not _agree(*pair)]
    boxes = [*reading.doubts, *second.doubts, *(die.box for die in (*single, *doubted))]
    return replace(asking.unsure(why, distinct(boxes)), dice=dice)


def _agree(one: Die, other: Die) -> bool:
    """Do both looks surely see the same."""
    return one.value == other.value and min(one.confidence, other.confidence) >= CERTAIN


def distinct(boxes: Sequence[Box], known: Sequence[Box] = ()) -> tuple[Box, ...]:
    """Of these boxes each that shows neither what a known one nor what a box before it shows."""
    kept: list[Box] = []
    for box in boxes:
        if not any(lies_in(box, one) for one in (*known, *kept)):
            kept.append(box)
    return tuple(kept)
