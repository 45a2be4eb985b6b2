"""Looks at plain dice, as the networks would see them, and what a verdict over them tells."""

from __future__ import annotations

import numpy as np

from companion.events import Why
from companion.vision.looking import Look
from companion.vision.ruler import Ruler
from companion.vision.verdict import verdict
from companion.vision.views import Place

WIDTH = 40.0
RULER = Ruler(
    die_weights=(-2.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0),  # a die is what the face network takes for one
    value_weights=(0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    sure_die=0.85,
    sure_roll=0.8,
    die=0.5,
    doubt=0.3,
    likeness=0.22,
)


def look(value: int, *, nothing: float = 0.01, x: float = 50.0, size: float = WIDTH, heat: float = 0.7) -> Look:
    """A plain die of some value; `nothing`: the chance that it is none."""
    chances = np.full(8, 0.001, np.float32)
    chances[0], chances[value] = nothing, 0.993 - nothing
    return Look(
        Place(x, 50.0, size, heat),
        chances,
        tuple((x + pip - (value - 1) / 2, 50.0) for pip in range(value)),
        float(value),
        apart=0.0,
        spotted=value,
        bright=200.0,
        glare=0.0,
        sharp=0.3,
        cut=False,
    )


def read(*looks: Look, count: int | None = None) -> tuple[tuple[int | None, ...], Why | None]:
    reading = verdict(looks, RULER, count=count)
    return tuple(die.value for die in reading.dice), reading.why
