"""Where in its die each face is seen: all dice of a picture lie flat under one camera, so it is much alike for all.

From a slant the face up lies above the middle of what is seen of a die, and away from the camera's foot, further the
further away the die is: half a face over the height of the camera for each die further, since the face is so much
nearer to it than the table. A face seen elsewhere is another one: a side of a die, one of a die that leans, or the spot
of a thing that is none.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.vision.looking import Look
from companion.vision.views import usual_width

PLAIN = 0.9  # chance of a value whose pips tell where its die's face is
GROWTH = np.linspace(0.0, 0.06, 7)  # of a die, for each die further: a camera eight dice and more above the table
APART = 0.22  # of a die: of 3,700 right dice in sure rolls two lie further from where the others tell
ALIKE = 0.08  # most of them are nearer, and few dice that are misread,
ALL_ALIKE = 0.12  # where no other die's face lies further aside, as that of one that leans a little does


def aside(looks: Sequence[Look]) -> list[float | None]:
    """How far each look at a die sees its pips from where in their dice it sees those of the others, in a die's size.

    What shows another number of pips than its value tells nothing of others, and nothing, None, is told of it.
    """
    if len(looks) < 2:
        return [None] * len(looks)
    at = np.array([(look.place.x, look.place.y) for look in looks]) / usual_width(look.place.box for look in looks)
    faces = np.array([_face(look) for look in looks])
    whole = np.array([len(look.shown) == look.value for look in looks])
    plain = whole & np.array([look.chance >= PLAIN for look in looks])
    return [_aside(k, at, faces, plain) if whole[k] else None for k in range(len(looks))]


def _aside(number: int, at: NDArray[np.float64], faces: NDArray[np.float64], plain: NDArray[np.bool_]) -> float | None:
    """`at`: where n dice lie, in dice, n×2. `faces`: where in it each one's face is, in its size, n×2."""
    others = plain & (np.arange(len(at)) != number)
    if not others.any():
        return None
    further = at[number] - at[others]
    told = np.median(faces[others] + GROWTH[:, None, None] * further, axis=1)
    return float(np.linalg.norm(faces[number] - told, axis=1).min())


def _face(look: Look) -> tuple[float, float]:
    """Where in its die its face's middle is seen, in its size; the die's middle where no pip is."""
    if not look.shown:
        return (0.0, 0.0)
    x, y = np.mean(look.shown, axis=0)
    return (float(x) - look.place.x) / look.place.size, (float(y) - look.place.y) / look.place.size
