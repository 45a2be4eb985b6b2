"""Which of the faults that are seen is told: one that people have time to read, and that is true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calibration.judging import Fault

HELD_S = 2.0  # since it was last seen: grain and a steep view hide a marker in one picture and show it in the next


@dataclass(frozen=True, slots=True)
class Told:
    """The fault that is told, and when it was last seen (seconds of the pictures' clock)."""

    fault: Fault
    seen_s: float


def told_after(told: Told | None, faults: Sequence[Fault], now_s: float) -> Told | None:
    """What is told once a picture showed these faults, the worst first.

    What was told stays while it is seen, and a little longer; but what is wrong with the whole picture may be why
    markers are not seen where they are, and takes their place at once. None where nothing was ever wrong.
    """
    if not faults:
        return told
    worst = faults[0]
    if told is None or told.fault.of_markers > worst.of_markers:
        return Told(worst, now_s)
    if told.fault in faults:
        return Told(told.fault, now_s)
    return told if now_s - told.seen_s < HELD_S else Told(worst, now_s)
