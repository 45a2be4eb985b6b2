"""A picture that leaves something to ask, looked at once more as if it were less wide, or less high.

Photos are pressed into squares where they are stored, and from a slant all that lies flat is seen less high than wide:
networks know dice the less, the more they are pressed. And what one look doubts another one may see plainly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import cv2
import numpy as np

from companion.events import Die, Reading, Why
from companion.lie import compare, same_lie
from companion.ports import Picture
from companion.vision.twice import BY_ONE, CERTAIN, distinct

ITS_OWN = 1.0  # times as wide, beside its height, a picture is made;
NARROWER, WIDER = 3 / 4, 4 / 3  # the second makes a photo of 4:3 that was pressed square what it was
PLAINER = 0.2  # mean log odds by which dice are plainer in another shape than in the picture's own
LEAST, MOST = -3.0, 6.0  # log odds: as which a die counts that is not read, and one that is beyond doubt
DOUBTED, PART = -1.0, 0.5  # log odds of what it may lack, and how much each of that counts beside a die

Look = Callable[[Picture], Reading]


def seen_otherwise(reading: Reading, picture: Picture, look: Look) -> Reading:
    """A reading that is sure, or shows nothing; else what looks at the picture in other shapes make of it.

    It is sure if one of them is, and another one sees the same dice. If all leave something to ask, or see other dice,
    it is the plainest; where dice are plainer in another shape, one more of that kind is tried. What a mirrored lamp or
    the picture's rim may hide no shape shows.
    """
    if reading.sure or not reading.dice or _hidden(reading):
        return reading
    seen = {ITS_OWN: reading}
    for shape in (NARROWER, WIDER):
        if sure := _seen(shape, seen, picture, look):
            return sure
    best = _plainest(seen)
    if best != ITS_OWN and (sure := _seen(best**2, seen, picture, look)):
        return sure
    return _asked(seen[_plainest(seen)], reading)


def _seen(shape: float, seen: dict[float, Reading], picture: Picture, look: Look) -> Reading | None:
    """The sure reading of two that see the same dice, one of them in that shape, which is kept.

    All are seen in the picture's own shape, too: in another one, a side of a die may look like one more. And no shape
    shows what is rather a die, and overlooked there.
    """
    other = in_shape(picture, shape, look)
    found = [one for before in seen.values() if (one := agreed(before, other)) is not None]
    seen[shape] = other
    return next((one for one in found if not _more(seen[ITS_OWN], one) and not _overlooks(one, seen.values())), None)


def _overlooks(reading: Reading, others: Iterable[Reading]) -> bool:
    """Does it lack what another one rather takes for a die."""
    return any(die.confidence >= BY_ONE for other in others for die in _more(reading, other))


def _more(reading: Reading, other: Reading) -> list[Die]:
    """The dice that only the other one shows."""
    return [other.dice[i] for i in compare(reading, other).come]


def in_shape(picture: Picture, shape: float, look: Look) -> Reading:
    """What a look at the picture made `shape` times as wide, beside its height, shows, in the picture's own pixels."""
    height, width = picture.shape[:2]
    size = max(1, round(width * min(1.0, shape))), max(1, round(height * min(1.0, 1 / shape)))
    pressed = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    return look(pressed).times(width / size[0], height / size[1])


def agreed(one: Reading, other: Reading) -> Reading | None:
    """The sure one of two readings of the same dice, neither of which tells that something may be hidden.

    None where neither is; nor of a thing alone, the value of which one of them doubts, as nothing beside it tells that
    it is a die at all.
    """
    alone = len(one.dice) == 1 and Why.FAINT in (one.why, other.why)
    if not one.dice or alone or _hidden(one) or _hidden(other) or not same_lie(one, other):
        return None
    return next((reading for reading in (one, other) if reading.sure), None)


def _hidden(reading: Reading) -> bool:
    """Is a lamp mirrored in a die, or does the rim cut off what may be one more."""
    return reading.dazzled or reading.why is Why.CUT


def plainness(reading: Reading, others: Iterable[Reading] = ()) -> float:
    """Mean log odds that its dice are as told, and of what it may lack. Minus infinity where it shows none.

    That is what may be one more die, and what is plainly one to the others.
    """
    if not reading.dice:
        return -math.inf
    boxes = [die.box for die in reading.dice]
    plain = [die.box for other in others for die in other.dice if die.confidence >= CERTAIN]
    lacking = distinct([*reading.doubts, *plain], boxes)
    told = sum(_log_odds(die.confidence) for die in reading.dice)
    return (told + PART * DOUBTED * len(lacking)) / (len(boxes) + PART * len(lacking))


def _plainest(seen: Mapping[float, Reading]) -> float:
    """The shape in which dice are plainest."""
    return max(seen, key=lambda shape: plainness(seen[shape], seen.values()) + PLAINER * (shape == ITS_OWN))


def _log_odds(chance: float) -> float:
    if not 0 < chance < 1:
        return MOST if chance else LEAST
    return min(MOST, max(LEAST, math.log(chance / (1 - chance))))


def _asked(plainest: Reading, reading: Reading) -> Reading:
    """It, unsure: where it alone is sure, of those dice that the picture's own shape shows otherwise."""
    if not plainest.sure:
        return replace(plainest, if_twice=False)
    lie = compare(reading, plainest)
    others = sorted({*lie.come, *(later for _, later in lie.turned)})
    return plainest.unsure(reading.why or Why.FAINT, tuple(plainest.dice[i].box for i in others))
