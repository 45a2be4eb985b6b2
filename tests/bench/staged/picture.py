"""A staged picture by its kind and number, and what its label says. Needs `bpy`."""

from __future__ import annotations

import numpy as np

from tests.bench.labelled import Shown
from tests.bench.staged.blender import staged
from tests.bench.staged.develop import developed
from tests.bench.staged.legible import told
from tests.bench.staged.lens import random_lens
from tests.bench.staged.table import KINDS, random_scene

SALT = 0x57A6  # these chances are no other judge's


def render(kind: str, number: int) -> Shown:
    """A picture of a kind, the same for the same number."""
    rng = np.random.default_rng([KINDS.index(kind), number, SALT])
    scene = random_scene(rng, kind, number)
    light, sights = staged(scene, number)
    lens = random_lens(rng, kind, scene.camera)
    picture = developed(lens.bent(light), scene, rng)
    dice = told(picture, scene, lens, sights)
    ignored = frozenset(at for at, die in enumerate(dice) if die.ignored)
    return Shown(picture, tuple(die.value for die in dice), tuple(die.box for die in dice), ignored)
