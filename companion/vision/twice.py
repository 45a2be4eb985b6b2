"""What two looks at the same dice come to: one at a known scale, one as at first sight, each with faults of its own.

A picture whose scale is known is searched once: a die close to another may be overlooked, in every frame alike. At
first sight it is searched several times: that shows more, at times things that are no dice. Each look has its own pair
of networks, taught apart, so that seldom both overlook a die, or read it wrong.
"""

from __future__ import annotations

from dataclasses import replace

from companion.events import Reading, Why
from companion.lie import compare, same_lie


def both(reading: Reading, second: Reading) -> Reading:
    """A sure reading, `confirmed`; an unsure one, `seconded` or else the one of the two that sees more dice.

    What each of them is unsure of only if it is seen but once is sure where both see the same.
    """
    if reading.sure:
        return confirmed(reading, second)
    if reading.if_twice and second.if_twice and same_lie(reading, second):
        return replace(reading, sure=True, why=None, if_twice=False)
    told = seconded(reading, second)
    if told.sure or len(second.dice) <= len(reading.dice):
        return told
    return second.unsure(second.why or Why.FAINT)


def confirmed(reading: Reading, second: Reading) -> Reading:
    """A sure reading as it is, or unsure where a second one sees one more die, a part of one, or another value."""
    if second.why is Why.CUT:
        return reading.unsure(Why.CUT, (*reading.doubts, *second.doubts))
    lie = compare(reading, second)
    if not (lie.come or lie.turned):
        return reading
    more = tuple(second.dice[i].box for i in lie.come)
    return reading.unsure(Why.STRAY if more else Why.FAINT, (*reading.doubts, *more))


def seconded(reading: Reading, second: Reading) -> Reading:
    """An unsure reading, or a sure second one that sees the same dice: then what was doubted was seen plainly.

    What may be one more die, and is none to the second, stays a doubt: it may have been overlooked.
    """
    plain = second.sure and reading.why not in (Why.STRAY, Why.CUT) and same_lie(reading, second)
    return second if plain else reading
