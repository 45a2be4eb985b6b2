"""`python -m tests.bench.gallery FILE [PICTURE …]`: what the reader says of tables, as one picture, for the README.

Without pictures, six drawn tables: `gallery.jpg`. `traced.jpg` shows hard/00009, table/00018, table/00005,
symbols/00002, table/00007 and table/00016 of a folder by `python -m companion.vision.traced FOLDER --count 30`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np

from companion.paths import put_whole
from companion.pictures import BadPicture
from companion.ports import Picture
from companion.typed import file_ending_in
from companion.vision.eyes import alone
from companion.vision.overlay import overlay
from companion.vision.scene import draw, random_scene
from companion.vision.train.keep import can_be_written, told
from companion.vision.train.pictures import load_named

TABLES = ((4004, 0.3), (4028, 0.3), (4035, 0.5), (4019, 0.3), (4027, 0.1), (4011, 0.5))  # seed, hardness
ACROSS = 3
TILE_PX = (420, 337)  # width, height: pictures of another shape get a rim


def table(seed: int, hardness: float) -> Picture:
    """A drawn table of two to five dice."""
    rng = np.random.default_rng(seed)
    dice = int(rng.integers(2, 6))
    return draw(random_scene(rng, hardness=hardness, size=(640, 480), dice=dice, die_px=(40.0, 80.0)), rng).picture


def tile(picture: Picture) -> Picture:
    """What is read in a picture, TILE_PX wide and high."""
    drawn = overlay(picture, alone(picture).reading)
    share = min(full / side for full, side in zip(TILE_PX, drawn.shape[1::-1], strict=True))
    size = [round(side * share) for side in drawn.shape[1::-1]]
    made = np.zeros((TILE_PX[1], TILE_PX[0], 3), np.uint8)
    left, top = ((full - side) // 2 for full, side in zip(TILE_PX, size, strict=True))
    made[top : top + size[1], left : left + size[0]] = cv2.resize(drawn, size, interpolation=cv2.INTER_AREA)
    return made


def sheet(pictures: Iterable[Picture]) -> Picture:
    """Their tiles, ACROSS in a row."""
    tiles = [tile(picture) for picture in pictures]
    tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % ACROSS)
    rows = [np.hstack(tiles[start : start + ACROSS]) for start in range(0, len(tiles), ACROSS)]
    return np.asarray(np.vstack(rows), np.uint8)


def main(arguments: list[str] | None = None) -> int:
    """0; 2 where a picture cannot be read or written."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.gallery", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    kind = file_ending_in("what is written", ".jpg", ".jpeg", ".png")
    parser.add_argument("file", type=kind, metavar="FILE", help="the picture to write, .jpg or .png")
    parser.add_argument("pictures", type=Path, metavar="PICTURE", nargs="*", help="pictures to show")
    options = parser.parse_args(arguments)
    try:
        can_be_written(options.file, read=options.pictures)
        shown = [load_named(path) for path in options.pictures] or [table(*which) for which in TABLES]
        _, code = cv2.imencode(options.file.suffix, sheet(shown), [cv2.IMWRITE_JPEG_QUALITY, 85])
        put_whole(options.file, code.tobytes())
    except (OSError, BadPicture) as fault:
        sys.stderr.write(f"tests.bench.gallery: {told(fault)}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
