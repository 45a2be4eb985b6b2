"""The ruler: how certain a reading is, measured on photos of collections that the networks have not seen."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.events import middle_of
from companion.paths import whole
from companion.vision.labels import Label, Wanted
from companion.vision.looking import Look
from companion.vision.ruler import Ruler, die_features, usual_px, value_features

RIDGE = 0.3  # pulls the weights to zero: a few hundred wrong dice cannot carry large ones
ROUNDS = 40
DIE = 0.5
SAME = 0.6  # of a die's size: a look this close to a labelled die is at that die


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A photo of a held-out collection and the looks at it."""

    label: Label
    looks: tuple[Look, ...]


def fit_ruler(photos: Sequence[Seen], *, sure_die: float, sure_roll: float, doubt: float, likeness: float) -> Ruler:
    """The logistic sums that best tell dice from other things and right values from wrong ones.

    Each collection weighs as the root of its size. A die whose value is wrong, and what is no die, are wrong values.
    """
    die_rows, value_rows, kinds, rights, weights = [], [], [], [], []
    sizes = Counter(photo.label.group for photo in photos)
    for photo in photos:
        usual = usual_px(photo.looks)
        for look, is_die, right in marked(photo):
            die_rows.append(die_features(look, usual))
            value_rows.append(value_features(look, usual))
            kinds.append(is_die)
            rights.append(right)
            weights.append(sizes[photo.label.group] ** -0.5)
    scale = np.array(weights) / np.mean(weights)
    die_weights = _logistic(np.array(die_rows), np.array(kinds, float), scale)
    value_weights = _logistic(np.array(value_rows), np.array(rights, float), scale)
    return Ruler(_rounded(die_weights), _rounded(value_weights), sure_die, sure_roll, DIE, doubt, likeness)


def _rounded(weights: NDArray[np.float64]) -> tuple[float, ...]:
    return tuple(round(float(weight), 4) for weight in weights)


def marked(photo: Seen) -> list[tuple[Look, bool, bool]]:
    """Each look, is it at a die, and is its value right; by place, or by the values where boxes are not known.

    Without boxes the likeliest looks are the dice. Looks at dice that the label ignores are left out.
    """
    looks = [look for look in photo.looks if not look.cut]
    if all(die.box is not None for die in photo.label.dice):
        by_place = [(look, _at(look, photo.label.dice)) for look in looks]
        found = [(look, die) for look, die in by_place if die is None or not die.ignore]
        return [(look, die is not None, die is not None and die.value == look.value) for look, die in found]
    left = Counter(die.value for die in photo.label.dice)
    number, marks = sum(left.values()), []
    for rank, look in enumerate(sorted(looks, key=lambda look: -look.chance * look.place.heat)):
        left[look.value] -= 1
        marks.append((look, rank < number, rank < number and left[look.value] >= 0))
    return marks


def _at(look: Look, wanted: Sequence[Wanted]) -> Wanted | None:
    """The labelled die this look is at."""
    place = look.place
    near = [
        (math.dist((place.x, place.y), middle_of(die.box)), i) for i, die in enumerate(wanted) if die.box is not None
    ]
    away, nearest = min(near, default=(np.inf, 0))
    return wanted[nearest] if away < SAME * place.size else None


def _logistic(
    rows: NDArray[np.float64], marks: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Newton's method with a ridge on all but the constant."""
    found = np.zeros(rows.shape[1])
    ridge = RIDGE * np.eye(rows.shape[1])
    ridge[0, 0] = 1e-6
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(rows @ found, -30, 30)))
        slope = rows.T @ (weights * (marks - chance)) - ridge @ found
        bend = (rows * (weights * chance * (1 - chance))[:, None]).T @ rows + ridge
        found = found + np.linalg.solve(bend, slope)
    return np.asarray(found)


def write_ruler(measure: Ruler, path: Path) -> None:
    with whole(path, durable=True) as stream:
        stream.write(f"{json.dumps(asdict(measure), indent=1)}\n".encode())
