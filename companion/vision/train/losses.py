"""How wrong a network's answers are: the losses of both, which training makes small."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from companion.vision.networks import HEAT_PLANES, PIP_MASS
from companion.vision.train.crops import COUNTED_PIPS, KNOWN_PIPS
from companion.vision.train.pupil import Parts

PLACED, COUNTED = 1.5, 0.1  # weights of pips where they lie, and of their number, beside the class: the second opinion


def faces_loss(said: tuple[Tensor, Tensor], wanted: Parts) -> Tensor:
    """Of the faces: the class, where pips lie if that is known, and how many there are. `wanted`: as of `FaceBatch`."""
    (logits, planes), (values, dots, known) = said, wanted
    classes = functional.cross_entropy(logits.float(), values, label_smoothing=0.03)
    pips = functional.pixel_shuffle(planes.float(), 2)[:, 0]
    placed = _focal(pips, dots).sum((1, 2)) / dots.sum((1, 2)).clamp(min=PIP_MASS)
    counted = (torch.sigmoid(pips).sum((1, 2)) / PIP_MASS - values.float()).abs()
    at_places = (placed * (known == KNOWN_PIPS)).sum() / (known == KNOWN_PIPS).sum().clamp(min=1)
    by_count = (counted.clamp(max=3) * (known == COUNTED_PIPS)).sum() / len(pips)
    return classes + PLACED * at_places + COUNTED * by_count


def _focal(logits: Tensor, wanted: Tensor) -> Tensor:
    """Cross entropy with soft targets, weighted by how wrong the answer is (quality focal loss, Li et al. 2020)."""
    return functional.binary_cross_entropy_with_logits(logits, wanted, reduction="none") * (
        (torch.sigmoid(logits) - wanted).abs() ** 1.5
    )


def finder_loss(said: Tensor, wanted: Parts) -> Tensor:
    """Of the finder: heat where it matters, and the sizes of dice. `wanted`: as of `FinderBatch`."""
    heat, log_size = functional.pixel_shuffle(said[:, :-1].float(), 2)[:, 0], said[:, -1].float()
    bumps, matters, log_sizes, at_die = wanted
    dice = (bumps == 1).sum().clamp(min=1)
    found = (_focal(heat, bumps) * matters).sum() / (dice * HEAT_PLANES)
    sized = ((log_size - log_sizes).abs() * at_die).sum() / at_die.sum().clamp(min=1)
    return found + 0.5 * sized
