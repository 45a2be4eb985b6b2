"""The ruler: how certain it is that a look is at a die, and that its value is right."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from companion.vision.first_sight import weighted_median
from companion.vision.looking import Look
from companion.vision.networks import UNREAD


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
    weights = [look.place.heat * look.chance_something * look.chance for look in looks]
    return weighted_median([look.place.size for look in looks], weights)


def die_features(look: Look, usual: float) -> tuple[float, ...]:
    """What tells a die from something else.

    The chance of nothing counts as it is, not as odds: of a face it has never seen, the network is at times wrong with
    a great certainty.
    """
    return (
        1.0,
        4 * look.chance_something,
        _logit(look.place.heat),
        -min(1.5, abs(math.log(look.place.size / usual))),
        1.0 if len(look.pips) == look.value else 0.0,
        -look.apart,
        -1.0 if look.at_rim else 0.0,
    )


def value_features(look: Look, usual: float) -> tuple[float, ...]:
    """What tells a right value from a wrong one: the network's chances, its pips counted, a second look, geometry."""
    return (
        1.0,
        _logit(look.chance),
        -_logit(float(np.sort(look.chances[1:UNREAD])[-2])),
        math.log(max(look.place.heat, 1e-3)),
        -look.apart,
        1.0 if len(look.pips) == look.value else 0.0,
        -min(2.0, abs(look.pip_sum - look.value)),
        1.0 if look.spotted == look.value else 0.0,
        0.0 if look.spotted in (None, look.value) else -1.0,
        -min(1.5, abs(math.log(look.place.size / usual))),
    )


def _logit(chance: float) -> float:
    clipped = min(max(chance, 1e-4), 1 - 1e-4)
    return math.log(clipped / (1 - clipped))


def logistic(weights: Sequence[float], features: Sequence[float]) -> float:
    """The chance, 0–1, of a weighted sum."""
    total = sum(weight * feature for weight, feature in zip(weights, features, strict=True))
    return 1 / (1 + math.exp(-min(max(total, -30.0), 30.0)))
