"""What a rendered scene costs, in CPU time of one thread; run by hand: python -m tests.bench.bench_scene."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import cv2
import numpy as np

from companion.vision.scene import Moment, Painter, draw, new_table, random_scene, scatter
from companion.vision.scene.tiles import KINDS, tile

ROUNDS = 60


def main() -> None:
    argparse.ArgumentParser(prog="python -m tests.bench.bench_scene", description=__doc__).parse_args()
    cv2.setNumThreads(1)
    for kind in KINDS:  # as after some hundred scenes
        for seed in range(8):
            tile(kind, seed, 0)
    measure("scene 640×480, 4 dice", lambda rng: draw(random_scene(rng, size=(640, 480), dice=4), rng))
    measure("scene 400×300, dice by lot", lambda rng: draw(random_scene(rng, size=(400, 300)), rng))
    table = new_table(np.random.default_rng(0))
    painter = Painter(table)
    still = Moment(scatter(table, (1, 2, 3, 4), np.random.default_rng(0)))
    measure("tray 640×480, still", lambda rng: painter.picture(still, rng))
    measure(
        "tray 640×480, 4 dice that moved",
        lambda rng: painter.picture(Moment(scatter(table, (1, 2, 3, 4), rng)), rng),
    )


def measure(name: str, work: Callable[[np.random.Generator], object]) -> None:
    spent_ms = []
    for seed in range(ROUNDS):
        rng = np.random.default_rng(seed)
        began = time.thread_time()
        work(rng)
        spent_ms.append((time.thread_time() - began) * 1000)
    print(f"{name:32} median {np.median(spent_ms):6.1f} ms, 90 % below {np.percentile(spent_ms, 90):6.1f} ms")


if __name__ == "__main__":
    main()
