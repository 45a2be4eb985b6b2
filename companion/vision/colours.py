"""The table's own dice by their colours: pips counted where a die has them, relative to the light it lies in.

Light, exposure and white balance multiply each colour; so a die's pips are its own present body colour times what was
measured of pips to body. Nothing here is learned, and nothing looks at the networks' values: one more opinion.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Floats, Picture
from companion.vision.networks import CROP_PX, FILL
from companion.vision.pips import values_near
from companion.vision.views import Place

BODY_PX = 13.0  # radius around the face's middle of which most is body, even on a six
BODY_SHARES = (0.1, 0.45)  # of its pixels, in order from body to pips: those that are taken for body
PIP_SHARES = (0.96, 0.99)  # those that are taken for pips: a single pip covers one in eighteen
DARKER_OFF = 0.4  # of the step from body to pips that the darker of them may differ from what the light makes of it
LIGHTER = 0.8  # natural logarithm: so much lighter are dice of one kind on a tray's bright side
CAST = 0.3  # natural logarithm: how far a colour's share of the light may have moved since it was measured
DARKEST = 6.0  # grey levels below which a colour is noise
LEAST_STEP = 8.0  # grey levels between body and pips, as they now would be, below which they cannot be told
BODY_GREY, STEP_GREY = 90.0, 21.0  # grey levels: spots that geometry just sees are then a ninth as clear as pips
STEEPEST = 1.5  # steps: glare and dirt count no more than that


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of dice of a table: colours (blue, green, red, 0-255) of body and pips."""

    body: tuple[float, ...]
    pips: tuple[float, ...]


def kinds_of(dice: Sequence[Kind]) -> tuple[Kind, ...]:
    """The kinds that these dice are of, in the order of their first one; each the median of its dice."""
    groups: list[list[Kind]] = []
    for die in dice:
        group = next((group for group in groups if alike(group[0], die)), None)
        if group is None:
            groups.append([die])
        else:
            group.append(die)
    return tuple(_median(group) for group in groups)


def alike(one: Kind, two: Kind) -> bool:
    """Are two dice of one kind, though one lies in more light."""
    known, seen = (np.array((die.body, die.pips)) for die in (one, two))
    expected = _as_lit(known, seen)
    return expected is not None and abs(_ratio(expected, known)[_brighter(known)].mean()) < LIGHTER


def _median(dice: Sequence[Kind]) -> Kind:
    body, pips = (np.median(colours, axis=0) for colours in ([d.body for d in dice], [d.pips for d in dice]))
    return Kind(tuple(float(round(c)) for c in body), tuple(float(round(c)) for c in pips))


def counted(
    picture: Picture, dice: Sequence[tuple[Place, tuple[float, float]]], kinds: Sequence[Kind]
) -> list[int | None]:
    """The pips of each die, if it is of one of these kinds; None where it is not, or they form no face.

    `dice`: where each lies, and the middle of its top, in pixels of the picture.
    """
    crops = [_crop(picture, *die) for die in dice]
    drawn = [(i, pips) for i, (crop, at) in enumerate(crops) for pips in _pips_drawn(crop, at, kinds)]
    told: list[set[int]] = [set() for _ in dice]
    if drawn:
        middles = np.array([crops[i][1] for i, _ in drawn])
        values = values_near(np.stack([pips for _, pips in drawn]), middles)
        for (i, _), value in zip(drawn, values, strict=True):
            if value is not None:
                told[i].add(value)
    return [values.pop() if len(values) == 1 else None for values in told]


def _crop(picture: Picture, place: Place, middle: tuple[float, float]) -> tuple[Floats, tuple[float, float]]:
    """The die FILL wide in a square, and its top's middle there; one larger than that is sampled, not averaged."""
    scale = FILL / place.size
    at = CROP_PX / 2 - 0.5
    move = np.array([[scale, 0, at - scale * place.x], [0, scale, at - scale * place.y]])
    crop = cv2.warpAffine(picture, move, (CROP_PX, CROP_PX), borderMode=cv2.BORDER_REPLICATE)
    x, y = (float(part) for part in move @ (*middle, 1.0))
    return np.asarray(crop, np.float32), (x, y)


def _pips_drawn(crop: Floats, at: tuple[float, float], kinds: Sequence[Kind]) -> Iterator[NDArray[np.uint8]]:
    """The die in grey: BODY_GREY where it has the body's colour of a kind, lighter by STEP_GREY where the pips'.

    None of a kind that the die is not of, nor where the two cannot be told apart.
    """
    top = _top(crop, at)
    for kind in kinds:
        known = np.array((kind.body, kind.pips))
        seen = _body_and_pips(top, known[1] - known[0])
        expected = _as_lit(known, seen)
        if expected is None:
            continue
        step = expected[1] - expected[0]
        length = float(np.linalg.norm(step))
        if length >= LEAST_STEP:
            share = np.clip((crop - seen[0]) @ step / length**2, -STEEPEST, STEEPEST)
            yield np.repeat(np.asarray(np.round(BODY_GREY + STEP_GREY * share), np.uint8)[..., None], 3, axis=2)


def _as_lit(known: Floats, seen: Floats) -> Floats | None:
    """Body and pips of a kind in the light in which such a die is seen; None where that die is of another kind.

    The brighter of the two tells the light: the other may be nearly black.
    """
    bright = _brighter(known)
    if not _same_colour(seen[bright], known[bright]):
        return None
    expected = known * seen[bright] / np.maximum(known[bright], 1.0)
    off, length = (
        np.linalg.norm(seen[0] + seen[1] - expected[0] - expected[1]),
        np.linalg.norm(expected[1] - expected[0]),
    )
    return np.asarray(expected) if off <= DARKER_OFF * length else None


def _brighter(known: Floats) -> int:
    return int(known[1].sum() > known[0].sum())


def _top(crop: Floats, at: tuple[float, float]) -> Floats:
    """Its pixels, n × 3, around its middle."""
    rows, columns = np.ogrid[: crop.shape[0], : crop.shape[1]]
    return np.asarray(cv2.GaussianBlur(crop, (0, 0), 0.8)[np.hypot(columns - at[0], rows - at[1]) < BODY_PX])


def _body_and_pips(top: Floats, step: Floats) -> Floats:
    """Both colours here: the pixels of the top that lie furthest along the `step` from body to pips, and least far."""
    order = top[np.argsort(top @ step)]
    parts = (order[round(low * len(order)) : round(high * len(order))] for low, high in (BODY_SHARES, PIP_SHARES))
    return np.stack([part.mean(axis=0) for part in parts])


def _same_colour(seen: Floats, known: Floats) -> bool:
    """The same but for how much light there is, and a little for its colour."""
    bright = np.maximum(known, seen) > 2 * DARKEST
    return bool(np.ptp(_ratio(seen, known)[bright]) < CAST) if bright.any() else True


def _ratio(one: Floats, two: Floats) -> Floats:
    return np.asarray(np.log(np.maximum(one, DARKEST) / np.maximum(two, DARKEST)))
