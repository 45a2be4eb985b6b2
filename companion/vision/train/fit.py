"""The training loop of both networks: the rate falls, or it stays and the mean of many weights is what counts.

Several networks may learn from the same batches, all but one of them each without one collection: batches cost most,
and networks that have not seen a collection tell what dice never seen come to.

Each step's batch is made by a generator of its own, seeded by the run's seed and the step: a run that goes on from what
it kept learns from the same batches as one that was not cut off, by however many processes they are made.
"""

from __future__ import annotations

import math
import pickle
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from companion.paths import whole
from companion.vision.train.ahead import ahead
from companion.vision.train.crops import MINED, FaceBatch, FinderBatch, Patch, face_batch, finder_batch
from companion.vision.train.hardware import HERE, Hardware
from companion.vision.train.losses import faces_loss, finder_loss
from companion.vision.train.nets import Finder
from companion.vision.train.pictures import Example
from companion.vision.train.pupil import Loss, Parts, Pupil

AVERAGING = 0.998
WARM = 200  # steps
SETTLING = 0.25  # of a steady run: its weights are left out of the mean
MEASURED = 150  # batches: of batch statistics, for a mean of weights has none of its own
KEEP_EVERY, SAY_EVERY = 500, 250  # steps

Net = TypeVar("Net", bound=nn.Module)
Named = Mapping[str | None, Net]
"""Networks by the collection that each does not learn from; None: it learns from all."""


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
    nets: Named[Net],
    draw_patches: Callable[[np.random.Generator, int], list[Patch]],
    plan: Plan,
    kept: Path | None = None,
    hardware: Hardware = HERE,
) -> dict[str | None, Net]:
    """Returns the averaged networks, `Faces` or `Keen`; those given are changed.

    `kept`: a file that keeps the run every KEEP_EVERY steps and when it is done. One that is there is gone on from;
    raises BadRun where that cannot be done.
    """
    return _fit(nets, lambda rng: face_batch(draw_patches(rng, plan.batch), rng), faces_loss, plan, kept, hardware)


def fit_finder(
    nets: Named[Finder],
    draw_examples: Callable[[np.random.Generator, int], list[Example]],
    plan: Plan,
    kept: Path | None = None,
    hardware: Hardware = HERE,
) -> dict[str | None, Finder]:
    """Returns the averaged networks; those given are changed. `kept`: as of `fit_faces`."""
    return _fit(nets, lambda rng: finder_batch(draw_examples(rng, plan.batch), rng), finder_loss, plan, kept, hardware)


def _fit(
    nets: Named[Net],
    make: Callable[[np.random.Generator], FaceBatch | FinderBatch],
    loss_of: Loss,
    plan: Plan,
    kept: Path | None,
    hardware: Hardware,
) -> dict[str | None, Net]:
    device = torch.device(hardware.device)
    pupils = {held_out: Pupil(net, loss_of, device) for held_out, net in nets.items()}
    name = next(type(net).__name__.lower() for net in nets.values())
    first = _go_on(pupils, kept)

    def lesson(step: int) -> tuple[list[Tensor], list[Tensor]]:
        rng = np.random.default_rng([plan.seed, step])
        batch = make(rng)
        rows = [rows_without(held_out, batch.sources, rng) for held_out in pupils if held_out is not None]
        return [torch.from_numpy(part) for part in batch.parts()], [torch.from_numpy(some) for some in rows]

    def given(lessons: Iterator[tuple[list[Tensor], list[Tensor]]]) -> Iterator[tuple[Pupil, Parts, Tensor | None]]:
        """Each pupil's part in the next lesson."""
        parts, rows = ([part.to(device, non_blocking=True) for part in some] for some in next(lessons))
        own = iter(rows)
        for held_out, pupil in pupils.items():
            yield pupil, parts, None if held_out is None else next(own)
        for pupil in pupils.values():
            pupil.wait()

    lessons = ahead(lesson, first, hardware.processes, pinned=device.type == "cuda")
    began = time.monotonic()
    try:
        for step in range(first, plan.steps):
            for pupil, parts, rows in given(lessons):
                pupil.learn(parts, rows, rate=_rate(plan, step), share=_share_kept(plan, step))
            done = step + 1
            if done % SAY_EVERY == 0 or done == plan.steps:
                losses = " ".join(f"{pupil.loss:.4f}" for pupil in pupils.values())
                pace = 1000 * (time.monotonic() - began) / (done - first)
                print(f"{name} {done}/{plan.steps} loss {losses} {pace:.0f} ms a step", file=sys.stderr, flush=True)
            if kept is not None and (done % KEEP_EVERY == 0 or done == plan.steps):
                _keep(pupils, done, kept)
        if plan.steady:
            for pupil in pupils.values():
                pupil.take_average()
            for _ in range(MEASURED):
                for pupil, parts, rows in given(lessons):
                    pupil.see(parts, rows)
    finally:
        lessons.close()
    taught = {held_out: pupil.net if plan.steady else pupil.average for held_out, pupil in pupils.items()}
    return {held_out: net.cpu() for held_out, net in taught.items()}


def rows_without(held_out: str, sources: tuple[str, ...], rng: np.random.Generator) -> NDArray[np.int64]:
    """Which rows of a batch a network sees that must not learn from one collection: others instead of those of it."""
    foreign = np.array([source in (held_out, MINED) for source in sources])
    rows = np.arange(len(sources))
    if foreign.any():
        rows[foreign] = rng.choice(rows[~foreign], int(foreign.sum()))
    return rows


def _keep(pupils: Mapping[str | None, Pupil], step: int, path: Path) -> None:
    with whole(path, durable=True) as stream:
        torch.save({"step": step, "pupils": {held_out: pupil.state() for held_out, pupil in pupils.items()}}, stream)


def _go_on(pupils: Mapping[str | None, Pupil], path: Path | None) -> int:
    """Brings all to where a run was kept; the step it had come to, 0 where none was."""
    if path is None or not path.exists():
        return 0
    try:
        kept: dict[str, Any] = torch.load(path, map_location=next(pupil.device for pupil in pupils.values()))
        for held_out, pupil in pupils.items():
            pupil.resume(kept["pupils"][held_out])
        return int(kept["step"])
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
