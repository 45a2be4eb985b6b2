"""What a lens bends: straight lines into barrels or cushions, each colour a little differently."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from tests.bench.staged.camera import Camera
from tests.bench.staged.chance import Array, pick

STEPS = 12  # until a bent place is found
WIDE_DEG = 75  # from there on lenses make barrels


@dataclass(frozen=True, slots=True)
class Lens:
    """Lengths are in half widths from the picture's middle; a barrel's corners stay where they are."""

    width: int
    height: int
    bend: float  # less than 0 makes barrels
    fringe: float  # by so much red is larger, and blue smaller

    def bent(self, picture: Array) -> Array:
        """A picture, height × width × red, green, blue, as the lens shows it."""
        down, across = np.mgrid[0 : self.height, 0 : self.width].astype(np.float32)
        half = self.width / 2
        x, y = (across - half) / half, (down - self.height / 2) / half
        share = self._share(x * x + y * y)
        layers = []
        for colour, size in enumerate((1 + self.fringe, 1, 1 - self.fringe)):
            places = (half + x * share * size * half, self.height / 2 + y * share * size * half)
            at_x, at_y = (place.astype(np.float32) for place in places)
            layer = np.ascontiguousarray(picture[..., colour])
            layers.append(cv2.remap(layer, at_x, at_y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT))
        return np.maximum(np.stack(layers, -1), 0)

    def pixels(self, places: Array) -> Array:
        """Where the lens shows what a pinhole shows at places, … × 2, in pixels."""
        middle, half = np.array([self.width / 2, self.height / 2]), self.width / 2
        straight = (np.asarray(places, float) - middle) / half
        bent = straight
        for _ in range(STEPS):
            bent = straight / self._share((bent**2).sum(-1, keepdims=True))
        return np.asarray(bent * half + middle)

    def _share(self, squared: Array) -> Array:
        """How much nearer to the middle the lens takes from what it shows there."""
        corner = 1 + (self.height / self.width) ** 2
        share = 1 - self.bend * squared
        return np.asarray(share / (1 - self.bend * corner) if self.bend < 0 else share)


def random_lens(rng: np.random.Generator, kind: str, camera: Camera) -> Lens:
    bend = rng.uniform(-0.03, 0.03) if camera.view_deg < WIDE_DEG else rng.uniform(-0.22, -0.05)
    if kind == "rig" and rng.random() < 0.3:
        bend = rng.uniform(-0.2, -0.05)
    return Lens(camera.width, camera.height, bend, pick(rng, [0, 0, rng.uniform(0, 0.0018)]))
