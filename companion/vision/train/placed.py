"""Where the pips of photographed dice lie: their labels say how many, a network that was taught already says where.

Two looks at a die, one of them mirrored, must each find as many pips as its label says, at the same places; else its
pips stay only counted. Drawn dice alone teach where pips lie on drawn dice; this is self-training (Lee 2013).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.vision.engines import Floats
from companion.vision.networks import CROP_PX, FILL, CropReader
from companion.vision.pip_map import pip_peaks
from companion.vision.train.crops import PATCH_FILL, PATCH_PX, Patch, answers, plain_crop
from companion.vision.train.pools import Patches

SAME_PIP = 3.0  # pixels of a crop: two looks place a pip no further apart
REACH = 1  # cells around a peak that tell where in its cell it lies


def place_pips(pool: Patches, faces: CropReader) -> int:
    """Gives pips to the patches of dice that have none, where that can be done; how many got them."""
    bare = [p for kinds in pool.of.values() for value in range(1, 7) for p in kinds[value] if p.pips is None]
    if not bare:
        return 0
    crops = np.stack([plain_crop(patch) for patch in bare])
    planes, mirrored = (answers(look, faces)[1] for look in (crops, crops[:, :, ::-1]))
    for patch, plane, other in zip(bare, planes, mirrored[:, :, ::-1], strict=True):
        patch.pips = _placed(patch, plane, np.ascontiguousarray(other))
    return sum(patch.pips is not None for patch in bare)


def _placed(patch: Patch, *planes: Floats) -> Floats | None:
    """The pips in a patch's pixels, None where the looks do not agree with each other and the label."""
    one, two = (_centres(plane) for plane in planes)
    if not len(one) == len(two) == patch.value:
        return None
    apart = np.hypot(*(one[:, None] - two[None]).transpose(2, 0, 1))
    nearest = apart.argmin(axis=1)
    if len(set(nearest)) < len(one) or apart.min(axis=1).max() > SAME_PIP:
        return None
    middle = (one + two[nearest]) / 2
    return np.asarray((middle - CROP_PX / 2) * (PATCH_FILL / FILL) + PATCH_PX / 2, np.float32)


def _centres(plane: Floats) -> NDArray[np.float64]:
    """Peaks in a crop's pixels, each at the centre of what is plain around it."""
    cell = CROP_PX / plane.shape[0]
    found = []
    for x, y in pip_peaks(plane[None])[0] / cell - 0.5:
        left, top = max(0, round(x) - REACH), max(0, round(y) - REACH)
        around = plane[top : top + 2 * REACH + 1, left : left + 2 * REACH + 1]
        rows, columns = np.mgrid[: around.shape[0], : around.shape[1]]
        weight = around / around.sum()
        found.append((left + (weight * columns).sum(), top + (weight * rows).sum()))
    return np.asarray((np.array(found, np.float64).reshape(-1, 2) + 0.5) * cell, np.float64)
