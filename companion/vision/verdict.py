"""From looks to a reading: which places are dice, how certain each is, and whether a human must be asked."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import combinations
from types import MappingProxyType
from typing import Any

import numpy as np

from companion.events import Die, Reading, Why
from companion.vision.looking import NOTHING, STRIKING, UNREAD, Look

TOO_DARK = 45.0  # grey levels: where even a die's brightest tenth is darker, light is what is missing
BLURRED = 0.16  # sharpness below which edges are wider than some 6 of the die's 44 pixels; sharp photos have 0.22–0.48
GLARING = 0.12  # share of a face's pixels that are burnt out beside pips that do not add up
TOUCHING = 0.86  # of the mean size: centres closer than that are dice that touch or overlap
INTO_EACH_OTHER = 0.84  # nearer still, one may be the other's side face, or lie on it; hardly any two dice come so near
EMPTIER = 0.4  # of the likeness allowed beside dice: nothing found at all is the easiest way to be wrong
AGREES, DIFFERS = 3.0, 1 / 3  # times the odds of a value, where pips counted by colours name it, or another one
NOT_COUNTED: Mapping[Look, int] = MappingProxyType({})
NO_DIE_BESIDE = 3.2  # times larger or smaller than the dice beside it: dice in shops are 10 to 25 mm wide
LIKELIEST = 0.6  # least chance of a sure value, whatever others say: glare that joins two pips deceives all of them
PLAIN = 0.9  # chance of a value that another opinion names too, from which it is a die
FAINTLY = 0.25  # heat: where a die was found no better, another one may not have been found at all
TOO_HOT = 0.5  # heat of what is surely a die to the finder: asked about whatever the face network says
ONE_LOOK = 1.3  # times the likeness to a die that all looks together need, one alone needs
USUAL_HEAT = 0.5  # of a die in a clear picture
UNLIKE = 1.9  # times larger or smaller than the usual die of the roll


@dataclass(frozen=True, slots=True)
class Ruler:
    """What was measured on collections that the networks had not seen; see the model card.

    `die_weights`, `value_weights`: of the logistic sums over `die_features` and `value_features`. `sure_die`,
    `sure_roll`: least confidence of each die, and of all together, in a sure roll. `die`: least chance of being one.
    `doubt`: chance of being one, and `likeness` to one by both networks, from which a place that is not taken for a die
    is a reason to ask.
    """

    die_weights: tuple[float, ...]
    value_weights: tuple[float, ...]
    sure_die: float
    sure_roll: float
    die: float
    doubt: float
    likeness: float


@cache
def ruler() -> Ruler:
    """The ruler that belongs to the weights in the package."""
    row = json.loads((files("companion.vision") / "weights" / "ruler.json").read_text())
    made: dict[str, Any] = {name: tuple(part) if isinstance(part, list) else part for name, part in row.items()}
    return Ruler(**made)


def usual_px(looks: Sequence[Look]) -> float:
    """The size of the dice in this picture: the median, what looks most like a die counting most."""
    if not looks:
        return 1.0
    order = sorted(looks, key=lambda look: look.place.size)
    weights = np.cumsum([(look.place.heat * float(1 - look.chances[NOTHING]) * look.chance) ** 2 for look in order])
    return order[int(np.searchsorted(weights, weights[-1] / 2))].place.size


def die_features(look: Look, usual: float) -> tuple[float, ...]:
    """What tells a die from something else."""
    return (
        1.0,
        _logit(1 - float(look.chances[NOTHING])),
        math.log(max(look.place.heat, 1e-3)),
        max(look.chance, float(look.chances[UNREAD])),
        -min(1.5, abs(math.log(look.place.size / usual))),
        1.0 if len(look.pips) == look.value else 0.0,
        -look.apart,
    )


def value_features(look: Look, usual: float) -> tuple[float, ...]:
    """What tells a right value from a wrong one: the network's chances, its pips counted, a second look, geometry."""
    return (
        1.0,
        _logit(look.chance),
        math.log(max(look.place.heat, 1e-3)),
        -look.apart,
        1.0 if len(look.pips) == look.value else 0.0,
        -min(2.0, abs(look.pip_sum - look.value)),
        1.0 if look.spotted == look.value else 0.0,
        -min(1.5, abs(math.log(look.place.size / usual))),
    )


def _logit(chance: float) -> float:
    clipped = min(max(chance, 1e-4), 1 - 1e-4)
    return math.log(clipped / (1 - clipped))


def logistic(weights: Sequence[float], features: Sequence[float]) -> float:
    """The chance, 0–1, of a weighted sum."""
    total = sum(weight * feature for weight, feature in zip(weights, features, strict=True))
    return 1 / (1 + math.exp(-min(max(total, -30.0), 30.0)))


def verdict(
    looks: Sequence[Look], measure: Ruler, *, count: int | None, counted: Mapping[Look, int] = NOT_COUNTED
) -> Reading:
    """The dice among the looks, and whether all of them, and their number, are certain.

    `counted`: pips of dice by the colours of the table's own, one more opinion where they are known.
    """
    usual = usual_px(looks)
    chances = [logistic(measure.die_weights, die_features(look, usual)) for look in looks]
    dice = [
        look
        for look, chance in zip(looks, chances, strict=True)
        if (chance >= measure.die or _plain(look)) and not look.cut
    ]
    beside = _Beside(usual, float(np.median([look.place.heat for look in dice]))) if dice else None
    doubted = [
        look
        for look, chance in zip(looks, chances, strict=True)
        if look not in dice and _doubted(look, chance, measure, beside)
    ]
    confidences = [
        _with_colours(logistic(measure.value_weights, value_features(look, usual)), look, counted.get(look))
        for look in dice
    ]
    read = tuple(_die(look, sure) for look, sure in zip(dice, confidences, strict=True))
    why = _why(dice, doubted, confidences, measure, count, counted)
    return Reading(read, sure=why is None, why=why, doubts=tuple(look.place.box for look in doubted))


@dataclass(frozen=True, slots=True)
class _Beside:
    """The dice of a picture: their usual size, and how hot the finder found them."""

    size: float
    heat: float

    def might_be(self, look: Look) -> bool:
        return self.size / NO_DIE_BESIDE < look.place.size < self.size * NO_DIE_BESIDE


def _doubted(look: Look, chance: float, measure: Ruler, beside: _Beside | None) -> bool:
    """Could this be a die after all, though it is not taken for one. An empty table must be emptier than others.

    Where even the dice that are certain were found faintly, in noise or the dark, the same is asked of the others.
    """
    likeness = look.place.heat * float(1 - look.chances[NOTHING])
    if look.cut:
        return chance >= measure.die
    if beside is None:
        return look.place.heat > STRIKING or chance >= measure.doubt or likeness >= measure.likeness * EMPTIER
    if not beside.might_be(look):
        return False
    likeness = max(likeness, look.place.heat * (1 - look.nothing) / ONE_LOOK)
    faint = min(1.0, beside.heat / USUAL_HEAT)
    return chance >= measure.doubt or likeness >= measure.likeness * faint or look.place.heat >= TOO_HOT


def _plain(look: Look) -> bool:
    """A face that is plainly read, however faintly the finder saw a die there: on ground strewn with spots, say."""
    return look.chance >= PLAIN and opinions_agree(look)


def opinions_agree(look: Look, counted: int | None = None) -> bool:
    """Do other opinions name the class's value.

    One of them where the first look left no doubt: the network's pips counted, or the spots that geometry finds; two
    where it did, of these and the pips counted in further looks. The pips `counted` by the colours of the table's dice
    are enough alone.
    """
    opinions = (len(look.pips), look.spotted, *look.recounts)
    return counted == look.value or opinions.count(look.value) >= (2 if look.recounts else 1)


def _with_colours(chance: float, look: Look, counted: int | None) -> float:
    """The chance of the value, once pips were counted by colours too; as it was where they were not."""
    if counted is None:
        return chance
    clipped = min(max(chance, 1e-9), 1 - 1e-9)
    odds = clipped / (1 - clipped) * (AGREES if counted == look.value else DIFFERS)
    return odds / (1 + odds)


def _die(look: Look, confidence: float) -> Die:
    unread = float(look.chances[UNREAD]) > look.chance
    pips = () if unread else look.pips
    return Die(None if unread else look.value, look.place.box, 0.0 if unread else round(confidence, 4), pips)


def _why(
    dice: Sequence[Look],
    doubted: Sequence[Look],
    confidences: Sequence[float],
    measure: Ruler,
    count: int | None,
    counted: Mapping[Look, int],
) -> Why | None:
    """The reason to ask a human, None for none; what a player can mend first comes first."""
    if count is not None and len(dice) != count:
        return Why.EMPTY if not dice else Why.COUNT
    weak = [
        look
        for look, sure in zip(dice, confidences, strict=True)
        if sure < measure.sure_die
        or look.chance < LIKELIEST
        or not opinions_agree(look, counted.get(look))
        or look.sharp < BLURRED
    ]
    if weak:
        return _why_weak(weak[0], dice)
    if _into_each_other(dice):
        return Why.TOUCHING
    if any(look.chances[UNREAD] > look.chance for look in dice):
        return Why.NOT_PIPS
    if any(look.cut for look in doubted):
        return Why.COUNT
    unclear = doubted or any(look.at_rim or look.place.heat < FAINTLY for look in dice)
    if unclear or _unlike(dice) or math.prod(confidences) < measure.sure_roll:
        return Why.FAINT
    return None


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
    """Is one much larger or smaller than the others."""
    if len(dice) < 2:
        return False
    usual = float(np.median([look.place.size for look in dice]))
    return any(not usual / UNLIKE < look.place.size < usual * UNLIKE for look in dice)
