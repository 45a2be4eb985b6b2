"""What a training runs on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hardware:
    """`device`: PyTorch's, on which networks learn. `processes`: that draw, cut and wear pictures for them."""

    device: str = "cpu"
    processes: int = 1


HERE = Hardware()
