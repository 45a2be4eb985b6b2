"""A network that learns: its weights, their mean, and the optimisers that change them, step by step.

On a GPU a step is some thousand small kernels, which take longer to start than to run. So the first steps are made one
by one, then one is recorded (a CUDA graph) and played again with other batches; networks that learn side by side do so
in streams of their own.
"""

from __future__ import annotations

import copy
import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from companion.vision.train.muon import Muon, hidden

FASTER = 5.0  # times AdamW's rate: Muon's
DECAY = 1e-3
STEEPEST = 5.0  # norm of all gradients
MEMORY = 0.98  # of the loss that is told
WARMING = 3  # steps on a GPU before one is recorded

Parts = Sequence[Tensor]  # of a batch: what a network sees, then what it should say of it
Loss = Callable[[Any, Parts], Tensor]


class Pupil:
    """One network, on a device, with its mean, `average`. What it says on the CPU is in floats or bfloat16."""

    def __init__(self, net: nn.Module, loss_of: Loss, device: torch.device) -> None:
        self.net = net.train().to(device, memory_format=torch.channels_last)
        self.average = copy.deepcopy(self.net)
        self.device, self._loss_of = device, loss_of
        inner, others = hidden(self.net)
        graphic = device.type == "cuda"
        self.muon = Muon(inner, lr=self._number(0.0))
        self.adam = torch.optim.AdamW(others, lr=self._number(0.0), weight_decay=DECAY, capturable=graphic)
        torch.backends.cudnn.benchmark = graphic
        self._share, self._loss = self._number(0.0), self._number(math.nan)
        self._stream = torch.cuda.Stream(device) if graphic else None
        self._steps = 0
        self._recorded: tuple[torch.cuda.CUDAGraph, list[Tensor]] | None = None

    def _number(self, value: float) -> Tensor:
        return torch.tensor(value, device=self.device)

    @property
    def loss(self) -> float:
        """A running mean."""
        return float(self._loss)

    def learn(self, parts: Parts, rows: Tensor | None, *, rate: float, share: float) -> None:
        """One step by a batch on the device, or by its `rows`. `rate`: AdamW's; `share`: of the mean that stays."""
        for optimiser, times in ((self.muon, FASTER), (self.adam, 1.0)):
            optimiser.param_groups[0]["lr"].fill_(times * rate)
        self._share.fill_(share)
        if self._stream is None:
            self._step(_chosen(parts, rows))
            return
        self._stream.wait_stream(torch.cuda.current_stream(self.device))
        with torch.cuda.stream(self._stream):
            if self._steps < WARMING:
                self._step(_chosen(parts, rows))
            else:
                self._play(parts, rows)
        self._steps += 1

    def _play(self, parts: Parts, rows: Tensor | None) -> None:
        if self._recorded is None:
            graph, seen = torch.cuda.CUDAGraph(), [part.clone() for part in parts]
            with torch.cuda.graph(graph, stream=self._stream, capture_error_mode="thread_local"):
                self._step(seen)
            self._recorded = graph, seen
        graph, seen = self._recorded
        for place, part in zip(seen, _chosen(parts, rows), strict=True):
            place.copy_(part)
        graph.replay()

    def wait(self) -> None:
        """Until the device has done what it was asked, so that what the step learned from may be overwritten."""
        if self._stream is not None:
            torch.cuda.current_stream(self.device).wait_stream(self._stream)

    def _step(self, parts: Parts) -> None:
        self.net.zero_grad()
        loss = self._told(parts)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), STEEPEST)
        self.muon.step()
        self.adam.step()
        with torch.no_grad():
            self._follow()
            now = loss.detach()
            self._loss.copy_(torch.where(self._loss.isnan(), now, MEMORY * self._loss + (1 - MEMORY) * now))

    def _told(self, parts: Parts) -> Tensor:
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self._halved(), cache_enabled=False):
            said = self.net(parts[0].contiguous(memory_format=torch.channels_last))
        return self._loss_of(said, parts[1:])

    def _halved(self) -> bool:
        return self.device.type != "cpu" or has_bfloat16()

    def _follow(self) -> None:
        """The mean comes nearer to the weights, and to the statistics of the norms."""
        pairs = list(zip(self._kept(self.average), self._kept(self.net), strict=True))
        means, now = ([pair[i] for pair in pairs if pair[i].is_floating_point()] for i in range(2))
        ways = torch._foreach_sub(now, means)
        torch._foreach_mul_(ways, 1 - self._share)
        torch._foreach_add_(means, ways)
        for mean, number in pairs:
            if not mean.is_floating_point():
                mean.copy_(number)

    @staticmethod
    def _kept(net: nn.Module) -> list[Tensor]:
        return [part.detach() for part in (*net.parameters(), *net.buffers())]

    def take_average(self) -> None:
        """The mean of the weights takes their place; batch statistics, of which it has none of its own, are unknown.

        But for those of norms that do not learn.
        """
        self._recorded = None
        self.net.load_state_dict(self.average.state_dict())
        for part in self.net.modules():
            if isinstance(part, nn.BatchNorm2d) and part.training:
                part.reset_running_stats()
                part.momentum = None

    def see(self, parts: Parts, rows: Tensor | None) -> None:
        """Measures batch statistics by one batch more."""
        with torch.no_grad():
            self._told(_chosen(parts, rows))

    def state(self) -> dict[str, Any]:
        return {name: part.state_dict() for name, part in self._parts().items()}

    def resume(self, state: dict[str, Any]) -> None:
        for name, part in self._parts().items():
            part.load_state_dict(state[name])

    def _parts(self) -> dict[str, Any]:
        return {"net": self.net, "average": self.average, "muon": self.muon, "adam": self.adam}


def _chosen(parts: Parts, rows: Tensor | None) -> Parts:
    return parts if rows is None else [part.index_select(0, rows) for part in parts]


@functools.cache
def has_bfloat16() -> bool:
    """Does this processor multiply bfloat16 itself: one that does not takes ten times as long as with floats.

    Taken for granted where PyTorch is too old to say.
    """
    known = getattr(torch.cpu, "get_capabilities", lambda: {"bf16": True})()
    return any(there for name, there in known.items() if name.endswith("bf16"))
