"""Drawn dice that cannot be read: what a network taught on drawn dice makes nothing of is left out of a pool."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from companion.vision.train.crops import Patch, face_batch
from companion.vision.train.hardware import HERE, Hardware
from companion.vision.train.nets import Faces
from companion.vision.train.pictures import DRAWN
from companion.vision.train.pools import Patches
from companion.vision.train.spread import spread

CHANCES, AT_ONCE = 4, 256
UNREADABLE = 0.12
MOST_UNREADABLE = 0.1  # share of the dice of one value that may be left out: a network that reads none judges none


def leave_out_unreadable(pool: Patches, net: Faces, hardware: Hardware = HERE) -> int:
    """Takes drawn dice out of a pool that a network taught on drawn dice cannot read in any of CHANCES looks.

    They are hidden, in the dark, or smaller than their noise: what they teach is doubt. Returns how many went.
    """
    gone = 0
    for value in range(1, 7):
        dice = pool.of[DRAWN][value]
        best = np.max([_chances(net, dice, value, look, hardware) for look in range(CHANCES)], axis=0, initial=0.0)
        least = min(UNREADABLE, float(np.quantile(best, MOST_UNREADABLE))) if len(best) else 0.0
        pool.of[DRAWN][value] = [die for die, chance in zip(dice, best, strict=True) if chance >= least]
        gone += len(dice) - len(pool.of[DRAWN][value])
    return gone


def _chances(net: Faces, dice: list[Patch], value: int, look: int, hardware: Hardware) -> NDArray[np.float32]:
    """The network's chance of a value for each of some dice, each seen by chance."""

    def crops(start: int) -> NDArray[np.float32]:
        return face_batch(dice[start : start + AT_ONCE], np.random.default_rng([look, value, start])).crops

    net.eval().to(hardware.device)
    found = [np.zeros(0, np.float32)]
    for seen in spread(crops, range(0, len(dice), AT_ONCE), hardware.processes):
        with torch.no_grad():
            chances = net(torch.from_numpy(seen).to(hardware.device))[0].softmax(1)[:, value]
        found.append(chances.cpu().numpy())
    net.cpu()
    return np.concatenate(found)
