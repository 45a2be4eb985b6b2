"""The training loop of both networks: Muon, and AdamW where that is not meant for; the rate falls, or it stays and the
mean of many weights is what counts.

Each step's batch is made by a generator of its own, seeded by the run's seed and the step: a run that goes on from what
it kept learns from the same batches as one that was not cut off.
"""

from __future__ import annotations

import copy
import functools
import itertools
import math
import pickle
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from companion.vision.networks import HEAT_PLANES
from companion.vision.train.ahead import ahead
from companion.vision.train.crops import (
    COUNTED_PIPS,
    KNOWN_PIPS,
    PIP_SIGMA,
    FaceBatch,
    FinderBatch,
    Patch,
    face_batch,
    finder_batch,
)
from companion.vision.train.keep import whole
from companion.vision.train.muon import Muon, hidden
from companion.vision.train.nets import Faces, Finder
from companion.vision.train.pictures import DRAWN, Example
from companion.vision.train.pools import Patches

PIP_MASS = 2 * math.pi * PIP_SIGMA**2  # what one pip's dot sums to
PLACED, COUNTED = 1.5, 0.1  # weights of pips where they lie, and of their number, beside the class: the second opinion
FASTER = 5.0  # times AdamW's rate: Muon's
AVERAGING = 0.998
WARM = 200  # steps
SETTLING = 0.25  # of a steady run: its weights are left out of the mean
MEASURED = 150  # batches: of batch statistics, for a mean of weights has none of its own
KEEP_EVERY = SAY_EVERY = 250  # steps
CHANCES = 4
UNREADABLE = 0.12
MOST_UNREADABLE = 0.1  # share of the dice of one value that may be left out: a network that reads none judges none

Net = TypeVar("Net", bound=nn.Module)
Batch = TypeVar("Batch")


class BadRun(Exception):
    """A file that should keep a run does not."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One run. `batch`: pictures or crops a step; `rate`: the highest learning rate of AdamW.

    `steady`: the rate stays, and the mean of the weights on the way is the result (stochastic weight averaging,
    Izmailov et al. 2018), to follow a run whose rate fell. Dice never seen are read better so.
    """

    steps: int
    batch: int
    rate: float
    seed: int
    steady: bool = False


def fit_faces(
    net: Faces, draw_patches: Callable[[np.random.Generator, int], list[Patch]], plan: Plan, kept: Path | None = None
) -> Faces:
    """Returns the averaged network; `net` itself is changed.

    `kept`: a file that keeps the run every KEEP_EVERY steps and when it is done. One that is there is gone on from;
    raises BadRun where that cannot be done.
    """
    return _fit(net, lambda rng: face_batch(draw_patches(rng, plan.batch), rng), _faces_loss, plan, kept)


def fit_finder(
    net: Finder,
    draw_examples: Callable[[np.random.Generator, int], list[Example]],
    plan: Plan,
    kept: Path | None = None,
) -> Finder:
    """Returns the averaged network; `net` itself is changed. `kept`: as of `fit_faces`."""
    return _fit(net, lambda rng: finder_batch(draw_examples(rng, plan.batch), rng), _finder_loss, plan, kept)


def _fit(
    net: Net,
    make: Callable[[np.random.Generator], Batch],
    loss_of: Callable[[Net, Batch], Tensor],
    plan: Plan,
    kept: Path | None,
) -> Net:
    name = type(net).__name__.lower()
    net.train().to(memory_format=torch.channels_last)
    average = copy.deepcopy(net)
    inner, others = hidden(net)
    muon, adam = Muon(inner, lr=FASTER * plan.rate), torch.optim.AdamW(others, lr=plan.rate, weight_decay=1e-3)
    parts: dict[str, nn.Module | torch.optim.Optimizer] = {"net": net, "average": average, "muon": muon, "adam": adam}
    first = _go_on(parts, kept)
    seeds = itertools.count(first)
    losses = (loss_of(net, batch) for batch in ahead(lambda: make(np.random.default_rng([plan.seed, next(seeds)]))))
    began, running = time.monotonic(), math.nan
    for step in range(first, plan.steps):
        for optimiser, times in ((muon, FASTER), (adam, 1.0)):
            optimiser.param_groups[0]["lr"] = times * _rate(plan, step)
        net.zero_grad()
        loss = next(losses)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        muon.step()
        adam.step()
        _follow(average, net, _share_kept(plan, step))
        now = float(loss.detach())
        running = now if math.isnan(running) else 0.98 * running + 0.02 * now
        done = step + 1
        if done % SAY_EVERY == 0 or done == plan.steps:
            pace = 1000 * (time.monotonic() - began) / (done - first)
            print(f"{name} {done}/{plan.steps} loss {running:.4f} {pace:.0f} ms a step", file=sys.stderr, flush=True)
        if kept is not None and (done % KEEP_EVERY == 0 or done == plan.steps):
            _keep(parts, done, kept)
    if plan.steady:
        net.load_state_dict(average.state_dict())
        _measure_anew(net, losses)
        return net
    return average


def _keep(parts: dict[str, nn.Module | torch.optim.Optimizer], step: int, path: Path) -> None:
    with whole(path) as stream:
        torch.save({"step": step, **{name: part.state_dict() for name, part in parts.items()}}, stream)


def _go_on(parts: dict[str, nn.Module | torch.optim.Optimizer], path: Path | None) -> int:
    """Brings all parts to where a run was kept; the step it had come to, 0 where none was."""
    if path is None or not path.exists():
        return 0
    try:
        state = torch.load(path)
        for name, part in parts.items():
            part.load_state_dict(state[name])
        return int(state["step"])
    except (OSError, RuntimeError, KeyError, ValueError, TypeError, EOFError, pickle.UnpicklingError) as fault:
        raise BadRun(f"{path} keeps no run of this network ({fault}): without it, the run begins anew") from fault


def _rate(plan: Plan, step: int) -> float:
    warm = plan.rate * min(1.0, (step + 1) / min(WARM, plan.steps // 10 + 1))
    return warm if plan.steady else warm * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * step / plan.steps)))


def _share_kept(plan: Plan, step: int) -> float:
    """How much of the average stays when this step's weights join it."""
    if plan.steady:
        joined = max(0, step - int(SETTLING * plan.steps))
        return joined / (joined + 1)
    return min(AVERAGING, (step + 1) / (step + 20))


def _measure_anew(net: nn.Module, losses: Iterator[Tensor]) -> None:
    """Batch statistics of these weights, of MEASURED batches."""
    for part in net.modules():
        if isinstance(part, nn.BatchNorm2d):
            part.reset_running_stats()
            part.momentum = None
    with torch.no_grad():
        for _, _ in zip(range(MEASURED), losses, strict=False):
            pass


def own_norms(net: nn.Module, inputs: Iterable[Tensor]) -> None:
    """Norms that change nothing (`nets.teach`) get statistics of what comes to them, and undo what these do.

    The network says what it said before, and can be trained. `inputs`: some batches.
    """
    sums: dict[nn.BatchNorm2d, list[Tensor]] = {
        part: [torch.zeros(part.num_features, dtype=torch.float64) for _ in range(2)]
        for part in net.modules()
        if isinstance(part, nn.BatchNorm2d)
    }
    counts = dict.fromkeys(sums, 0)

    def see(norm: nn.Module, coming: tuple[Tensor]) -> None:
        assert isinstance(norm, nn.BatchNorm2d)
        planes = coming[0].double()
        sums[norm][0] += planes.sum((0, 2, 3))
        sums[norm][1] += (planes**2).sum((0, 2, 3))
        counts[norm] += planes.numel() // planes.shape[1]

    watched = [norm.register_forward_pre_hook(see) for norm in sums]
    net.eval()
    with torch.no_grad():
        for batch in inputs:
            net(batch)
        for norm, (total, squares) in sums.items():
            assert norm.running_mean is not None
            assert norm.running_var is not None
            norm.running_mean.copy_(total / counts[norm])
            norm.running_var.copy_((squares / counts[norm] - (total / counts[norm]) ** 2).clamp(min=0))
            norm.weight.copy_(torch.sqrt(norm.running_var + norm.eps))
            norm.bias += norm.running_mean
    for watch in watched:
        watch.remove()


def _follow(average: nn.Module, net: nn.Module, keep: float) -> None:
    with torch.no_grad():
        for mean, now in zip(average.parameters(), net.parameters(), strict=True):
            mean.lerp_(now, 1 - keep)
        for mean, now in zip(average.buffers(), net.buffers(), strict=True):
            if mean.is_floating_point():
                mean.lerp_(now, 1 - keep)
            else:
                mean.copy_(now)


@functools.cache
def has_bfloat16() -> bool:
    """Does this processor multiply bfloat16 itself: one that does not takes ten times as long as with floats.

    Taken for granted where PyTorch is too old to say.
    """
    known = getattr(torch.cpu, "get_capabilities", lambda: {"bf16": True})()
    return any(there for name, there in known.items() if name.endswith("bf16"))


def _faces_loss(net: Faces, batch: FaceBatch) -> Tensor:
    crops = torch.from_numpy(batch.crops).contiguous(memory_format=torch.channels_last)
    with torch.autocast("cpu", torch.bfloat16, enabled=has_bfloat16()):
        values, planes = net(crops)
    classes = functional.cross_entropy(values.float(), torch.from_numpy(batch.values), label_smoothing=0.03)
    pips = functional.pixel_shuffle(planes.float(), 2)[:, 0]
    wanted, known = torch.from_numpy(batch.pips), torch.from_numpy(batch.known)
    placed = _focal(pips, wanted).sum((1, 2)) / wanted.sum((1, 2)).clamp(min=PIP_MASS)
    counted = (torch.sigmoid(pips).sum((1, 2)) / PIP_MASS - torch.from_numpy(batch.values).float()).abs()
    at_places = (placed * (known == KNOWN_PIPS)).sum() / (known == KNOWN_PIPS).sum().clamp(min=1)
    by_count = (counted.clamp(max=3) * (known == COUNTED_PIPS)).sum() / len(pips)
    return classes + PLACED * at_places + COUNTED * by_count


def _focal(logits: Tensor, wanted: Tensor) -> Tensor:
    """Cross entropy with soft targets, weighted by how wrong the answer is (quality focal loss, Li et al. 2020)."""
    return functional.binary_cross_entropy_with_logits(logits, wanted, reduction="none") * (
        (torch.sigmoid(logits) - wanted).abs() ** 1.5
    )


def _finder_loss(net: Finder, batch: FinderBatch) -> Tensor:
    windows = torch.from_numpy(batch.windows).contiguous(memory_format=torch.channels_last)
    with torch.autocast("cpu", torch.bfloat16, enabled=has_bfloat16()):
        answer = net(windows)
    heat, log_size = functional.pixel_shuffle(answer[:, :-1].float(), 2)[:, 0], answer[:, -1].float()
    wanted, matters, at_die = (torch.from_numpy(part) for part in (batch.heat, batch.matters, batch.at_die))
    dice = (wanted == 1).sum().clamp(min=1)
    found = (_focal(heat, wanted) * matters).sum() / (dice * HEAT_PLANES)
    sized = ((log_size - torch.from_numpy(batch.log_size)).abs() * at_die).sum() / at_die.sum().clamp(min=1)
    return found + 0.5 * sized


def leave_out_unreadable(pool: Patches, net: Faces) -> int:
    """Takes drawn dice out of a pool that a network taught on drawn dice cannot read in any of CHANCES looks.

    They are hidden, in the dark, or smaller than their noise: what they teach is doubt. Returns how many went.
    """
    net.eval()
    rng = np.random.default_rng(1)
    gone = 0
    for value in range(1, 7):
        dice = pool.of[DRAWN][value]
        best = np.max([_chances(net, dice, value, rng) for _ in range(CHANCES)], axis=0, initial=0.0)
        least = min(UNREADABLE, float(np.quantile(best, MOST_UNREADABLE))) if len(best) else 0.0
        pool.of[DRAWN][value] = [die for die, chance in zip(dice, best, strict=True) if chance >= least]
        gone += len(dice) - len(pool.of[DRAWN][value])
    return gone


def _chances(net: Faces, dice: list[Patch], value: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """The network's chance of a value for each of some dice, each seen by chance."""
    found = [np.zeros(0, np.float32)]
    for start in range(0, len(dice), 256):
        crops = torch.from_numpy(face_batch(dice[start : start + 256], rng).crops)
        with torch.no_grad():
            found.append(net(crops)[0].softmax(1)[:, value].numpy())
    return np.concatenate(found)
