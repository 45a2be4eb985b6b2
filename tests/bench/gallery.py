"""`python -m tests.bench.gallery FILE`: what the reader says of six drawn tables, as one picture, for the README."""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np

from companion.ports import Picture
from companion.vision.overlay import overlay
from companion.vision.reader import Reader
from companion.vision.scene import draw, random_scene

TABLES = ((4004, 0.3), (4028, 0.3), (4035, 0.5), (4019, 0.3), (4027, 0.1), (4011, 0.5))  # seed, hardness
ACROSS = 3
WIDE_PX = 420


def table(seed: int, hardness: float) -> Picture:
    """A drawn table of two to five dice."""
    rng = np.random.default_rng(seed)
    dice = int(rng.integers(2, 6))
    return draw(random_scene(rng, hardness=hardness, size=(640, 480), dice=dice, die_px=(40.0, 80.0)), rng).picture


def tile(picture: Picture) -> Picture:
    drawn = overlay(picture, Reader().read(picture))
    size = (WIDE_PX, round(WIDE_PX * drawn.shape[0] / drawn.shape[1]))
    return np.asarray(cv2.resize(drawn, size, interpolation=cv2.INTER_AREA), np.uint8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, help="the picture to write, .jpg or .png")
    tiles = [tile(table(*table_of)) for table_of in TABLES]
    rows = [np.hstack(tiles[start : start + ACROSS]) for start in range(0, len(tiles), ACROSS)]
    cv2.imwrite(str(parser.parse_args().file), np.vstack(rows), [cv2.IMWRITE_JPEG_QUALITY, 85])


if __name__ == "__main__":
    main()
