"""`python -m companion.vision.bench.trial`: whether dice are read here, what runs the networks, and how quickly.

In a process of its own: a wheel may hold instructions that this processor lacks, as that of ONNX Runtime 1.21.0 does
for a Raspberry Pi 4, and whoever loads it is ended by a signal, which nothing in Python can catch. Status 1 where the
drawn dice are misread.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

import cv2
import numpy as np

from companion.vision.bench.speed import FRAME, pace, table
from companion.vision.engines import named
from companion.vision.eyes import alone
from companion.vision.networks import AGAIN, CROP_PX, FIRST, packed

DICE = 4
REPEATS = 5


def main() -> int:
    words = argparse.ArgumentParser(
        prog="python -m companion.vision.bench.trial",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    words.parse_args()
    cv2.setNumThreads(1)
    for pair in (FIRST, AGAIN):  # also what no plain die would ask
        finder, *faces = packed(pair)
        finder(np.zeros((*FRAME, 3), np.uint8))
        for net in faces:
            if net is not None:
                net(np.zeros((DICE, CROP_PX, CROP_PX, 3), np.uint8))
    drawn = table(DICE, FRAME)
    seen = alone(drawn.picture).reading
    if not seen.sure or Counter(die.value for die in seen.dice) != Counter(die.value for die in drawn.truth):
        print(f"{named()} misreads drawn dice")
        return 1
    took = pace("both looks", lambda: alone(drawn.picture), REPEATS)
    print(f"{named()} reads {DICE} dice in {took.median_ms:.0f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
