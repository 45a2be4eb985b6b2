"""Why a reading is unsure, in words for people at a table and for those who set a camera up."""

from __future__ import annotations

from companion.events import Reading, Why

WORDS: dict[Why, str] = {
    Why.TOUCHING: "dice touch or overlap",
    Why.COCKED: "a die leans",
    Why.GLARE: "glare that may hide pips, or a die",
    Why.DARK: "too dark",
    Why.BLURRED: "the picture is blurred",
    Why.NOT_PIPS: "something that is not a die with pips",
    Why.HAND: "a hand or a large thing in view",
    Why.COUNT: "not the number of dice that must lie there",
    Why.STRAY: "something else that may be a die",
    Why.CUT: "something partly outside the picture that may be a die",
    Why.FAINT: "a face is hard to read",
    Why.SMALL: "the picture is too small to show dice",
    Why.EMPTY: "no dice found",
    Why.MOVING: "something moves",
    Why.CHANGED: "a die changed after it was read",
    Why.SAME: "the dice lie as they lay before they were to be thrown again",
}
WITHOUT_DICE = {Why.STRAY: "something that may be a die", Why.FAINT: "nothing can be told apart in this picture"}


def in_words(reading: Reading, *, count: int | None = None) -> str | None:
    """Why it is unsure; None where no reason is told. Without dice there is no face, and nothing else than they.

    `count`: how many dice must lie there, where that is known.
    """
    if reading.why is None:
        return None
    seen = len(reading.dice)
    if reading.why is Why.COUNT and count not in (None, seen):
        return f"{seen} {'die was' if seen == 1 else 'dice were'} found, and {count} must lie there"
    if reading.dice:
        return WORDS[reading.why]
    why = Why.STRAY if reading.doubts and reading.why is Why.FAINT else reading.why
    return WITHOUT_DICE.get(why, WORDS[why])
