"""From looks to a reading: which places are dice, how certain each is, and whether a human must be asked."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from types import MappingProxyType

import numpy as np

from companion.events import Die, Reading, Why
from companion.vision.doubt import Beside, doubted
from companion.vision.looking import UNREAD, Look
from companion.vision.ruler import Ruler, die_features, logistic, usual_px, value_features

TOO_DARK = 45.0  # grey levels: where even a die's brightest tenth is darker, light is what is missing
BLURRED = 0.16  # sharpness below which edges are wider than some 6 of the die's 44 pixels; sharp photos have 0.22–0.48
GLARING = 0.12  # share of a face's pixels that are burnt out beside pips that do not add up
TOUCHING = 0.86  # of the mean size: centres closer than that are dice that touch or overlap
INTO_EACH_OTHER = 0.84  # nearer still, one may be the other's side face, or lie on it; hardly any two dice come so near
AGREES, DIFFERS = 3.0, 1 / 3  # times the odds of a value, where pips counted by colours name it, or another one
NOT_COUNTED: Mapping[Look, int] = MappingProxyType({})
LIKELIEST = 0.6  # least chance of a sure value, whatever others say: glare that joins two pips deceives all of them
SHORT = 0.01  # of the least sure confidence: as much as a die is given whose value is asked about for another reason
ONE_AT_LEAST = 0.5  # confidence, or chance of being unreadable: where no die has it, all may be other things
PLAIN = 0.9  # chance of a value that another opinion names too, from which it is a die
FAINTLY = 0.25  # heat: where a die was found no better, another one may not have been found at all
UNLIKE = 1.75  # times larger or smaller than the usual die of the roll


def verdict(
    looks: Sequence[Look], measure: Ruler, *, count: int | None, counted: Mapping[Look, int] = NOT_COUNTED
) -> Reading:
    """The dice among the looks, and whether all of them, and their number, are certain.

    `count`: how many there must be; where fewer are likely to be dice, the likeliest doubts are shown as dice, too, and
    the reading is unsure. `counted`: pips of dice by the colours of the table's own, one more opinion where they are
    known. Where as many must lie there as they confirm, what has other colours and no certain value is none of them.
    """
    usual = usual_px(looks)
    chances = {look: logistic(measure.die_weights, die_features(look, usual)) for look in looks}

    def sure_of(look: Look) -> float:
        return _with_colours(logistic(measure.value_weights, value_features(look, usual)), look, counted.get(look))

    dice = [look for look in looks if (chances[look] >= measure.die or _plain(look)) and not look.cut]
    if not any(max(sure_of(look), float(look.chances[UNREAD])) >= ONE_AT_LEAST for look in dice):
        dice = []
    beside = Beside(usual, float(np.median([look.place.heat for look in dice]))) if dice else None
    doubts = [look for look in looks if look not in dice and doubted(look, chances[look], measure, beside)]
    own = [look for look in dice if counted.get(look) == look.value and sure_of(look) >= measure.sure_die]
    if len(own) == count:
        dice = [look for look in dice if look in own or look in counted or sure_of(look) >= ONE_AT_LEAST]
        doubts = [look for look in doubts if look in counted or look.cut]
    missing = 0 if count is None else max(0, count - len(dice))
    dice += sorted((look for look in doubts if not look.cut), key=lambda look: -chances[look])[:missing]
    confidences = [sure_of(look) for look in dice]
    why = _why(dice, doubts, confidences, measure, count, counted)
    read = tuple(
        _die(look, sure if _certain(look, sure, measure, counted) else min(sure, measure.sure_die - SHORT))
        for look, sure in zip(dice, confidences, strict=True)
    )
    left = tuple(look.place.box for look in doubts if look not in dice)
    return Reading(read, sure=why is None, why=why, doubts=left)


def _unread(look: Look) -> bool:
    return float(look.chances[UNREAD]) > look.chance


def _plain(look: Look) -> bool:
    """A face that is plainly read, however faintly the finder saw a die there: on ground strewn with spots, say."""
    return look.chance >= PLAIN and opinions_agree(look)


def opinions_agree(look: Look, counted: int | None = None) -> bool:
    """Do other opinions name the class's value: one at least, and no other number more often.

    They are the network's pips, counted in each look, and the spots that geometry finds. The pips `counted` by the
    colours of the table's dice are enough alone.
    """
    votes = Counter((len(look.pips), *look.recounts, look.spotted))
    del votes[None]
    return counted == look.value or (0 < votes[look.value] == max(votes.values()) and not _lacks_middle(look))


def _lacks_middle(look: Look) -> bool:
    """A two or four, not read at first glance, in which geometry sees one pip more: glare hides one in the middle."""
    return bool(look.recounts) and look.value in (2, 4) and look.spotted == look.value + 1


def _with_colours(chance: float, look: Look, counted: int | None) -> float:
    """The chance of the value, once pips were counted by colours too; as it was where they were not."""
    if counted is None:
        return chance
    clipped = min(max(chance, 1e-9), 1 - 1e-9)
    odds = clipped / (1 - clipped) * (AGREES if counted == look.value else DIFFERS)
    return odds / (1 + odds)


def _die(look: Look, confidence: float) -> Die:
    unread = _unread(look)
    pips = () if unread else look.pips
    return Die(None if unread else look.value, look.place.box, 0.0 if unread else round(confidence, 4), pips)


def _why(
    dice: Sequence[Look],
    doubts: Sequence[Look],
    confidences: Sequence[float],
    measure: Ruler,
    count: int | None,
    counted: Mapping[Look, int],
) -> Why | None:
    """The reason to ask a human, None for none; what a player can mend first comes first."""
    if count is not None and len(dice) != count:
        return Why.EMPTY if not dice else Why.COUNT
    weak = [look for look, sure in zip(dice, confidences, strict=True) if not _certain(look, sure, measure, counted)]
    if weak:
        return _why_weak(weak[0], dice)
    if _into_each_other(dice):
        return Why.TOUCHING
    if any(map(_unread, dice)):
        return Why.NOT_PIPS
    if any(look.cut for look in doubts):
        return Why.COUNT
    unclear = doubts or any(look.at_rim or look.place.heat < FAINTLY for look in dice)
    if unclear or _unlike(dice) or math.prod(confidences) < measure.sure_roll:
        return Why.FAINT
    return None


def _certain(look: Look, sure: float, measure: Ruler, counted: Mapping[Look, int]) -> bool:
    """Is this die's value beyond question, whatever lies beside it."""
    likely = sure >= measure.sure_die and look.chance >= LIKELIEST
    return likely and opinions_agree(look, counted.get(look)) and look.sharp >= BLURRED


def _why_weak(look: Look, dice: Sequence[Look]) -> Why:
    if any(_apart(look, other) < TOUCHING for other in dice if other is not look):
        return Why.TOUCHING
    if look.bright < TOO_DARK:
        return Why.DARK
    if look.sharp < BLURRED:
        return Why.BLURRED
    if look.glare > GLARING and len(look.pips) != look.value:
        return Why.GLARE
    if float(look.chances[UNREAD]) > 0.25:
        return Why.COCKED if len(look.pips) > 1 else Why.NOT_PIPS
    return Why.FAINT


def _apart(one: Look, two: Look) -> float:
    """Distance of two dice, in their mean size."""
    distance = math.hypot(one.place.x - two.place.x, one.place.y - two.place.y)
    return 2 * distance / (one.place.size + two.place.size)


def _into_each_other(dice: Sequence[Look]) -> bool:
    return any(_apart(one, two) < INTO_EACH_OTHER for one, two in combinations(dice, 2))


def _unlike(dice: Sequence[Look]) -> bool:
    """Is one much larger or smaller than the usual die, or of two, than the other: held up, say, or two seen as one."""
    if len(dice) < 2:
        return False
    sizes = sorted(look.place.size for look in dice)
    lower, upper = sizes[(len(sizes) - 1) // 2], sizes[len(sizes) // 2]
    return sizes[-1] > lower * UNLIKE or sizes[0] < upper / UNLIKE
