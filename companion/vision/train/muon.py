"""Muon (K. Jordan et al. 2024, "Muon: an optimizer for hidden layers in neural networks").

The running mean of a convolution's gradients, a row for each plane that comes out, is replaced by the nearest matrix
that stretches nothing: of gradients as they are a few directions make up nearly all of a step, and the others are
hardly learned. Libraries do that in bfloat16, which takes a processor that does not know it fifteen times as long as
floats do; so here it is done in floats.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor, nn

MOMENTUM = 0.95
ROUNDS = 5  # of Newton and Schulz's iteration,
QUINTIC = (3.4445, -4.7750, 2.0315)  # by a polynomial that soon brings every length to 0.7–1.2


class Muon(torch.optim.Optimizer):
    """Of weights of convolutions, planes × … × rows × columns; all else is for another optimiser.

    `lr`: on the weights' device, so that a step that a GPU has recorded goes on with another rate.
    """

    def __init__(self, weights: Iterable[nn.Parameter], lr: Tensor) -> None:
        super().__init__(weights, {"lr": lr})

    def step(self) -> None:
        """One step along the gradients that lie there: by few kernels, as on a GPU each takes as long as its start."""
        with torch.no_grad():
            for group in self.param_groups:
                self._step(group["params"], group["lr"])

    def _step(self, weights: list[Tensor], rate: Tensor) -> None:
        gradients, means = [weight.grad for weight in weights], [self._mean(weight) for weight in weights]
        torch._foreach_mul_(means, MOMENTUM)
        torch._foreach_add_(means, gradients)
        ahead = torch._foreach_add(gradients, means, alpha=MOMENTUM)  # Nesterov's
        matrices = [each.reshape(len(each), -1) for each in ahead]
        steps = [orthogonal(matrix) for matrix in matrices]
        torch._foreach_mul_(steps, [max(1.0, rows / columns) ** 0.5 for rows, columns in map(Tensor.size, matrices)])
        torch._foreach_mul_(steps, rate)
        torch._foreach_sub_(weights, [each.reshape(weight.shape) for each, weight in zip(steps, weights, strict=True)])

    def _mean(self, weight: Tensor) -> Tensor:
        state = self.state[weight]
        if not state:
            state["mean"] = torch.zeros_like(weight)
        mean: Tensor = state["mean"]
        return mean


def orthogonal(matrix: Tensor) -> Tensor:
    """A rows × columns matrix with singular values of some 0.7 to 1.2 instead of its own, those of 0 excepted."""
    wide = matrix if matrix.shape[0] <= matrix.shape[1] else matrix.T
    wide = wide / wide.norm().clamp(min=1e-7)
    one, three, five = QUINTIC
    for _ in range(ROUNDS):
        square = wide @ wide.T
        wide = torch.addmm(wide, torch.addmm(square, square, square, beta=three, alpha=five), wide, beta=one)
    return wide if matrix.shape[0] <= matrix.shape[1] else wide.T


def hidden(net: nn.Module) -> tuple[list[nn.Parameter], list[nn.Parameter]]:
    """The weights that Muon is for, and all others: convolutions over an area, but for that of the picture itself."""
    inner = [part for part in net.parameters() if part.ndim == 4 and part.shape[1] > 3 and part.shape[-1] > 1]
    chosen = {id(part) for part in inner}
    return inner, [part for part in net.parameters() if id(part) not in chosen]
