"""What a training is asked for, as its command line says."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from companion.vision.train.hardware import Hardware


@dataclass(frozen=True, slots=True)
class Options:
    """`out`, `work`: where networks go, and what is kept. `photos`, `plain`, `traced`: folders of what is learned from.

    `without_each`: networks without each collection of photos, too. `start`: the folder of networks to go on from.
    `only`: one of the networks, None for all. `share`: of the steps on photos. `threads` learn, `processes` make what
    they learn from. `device`: PyTorch's.
    """

    out: Path
    work: Path
    photos: Path | None
    plain: Path | None
    traced: Path | None
    without_each: bool
    start: Path | None
    seed: int
    only: str | None
    share: float
    threads: int
    processes: int
    device: str

    @property
    def hardware(self) -> Hardware:
        return Hardware(self.device, self.processes)

    @property
    def mines_anew(self) -> bool:
        """Do the faces learn from what the finder just trained takes for dice, not from the first one's dice alone."""
        return self.start is None

    @property
    def trained_finder(self) -> Path:
        return self.out / "finder.onnx"
