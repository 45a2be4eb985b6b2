"""Pictures in which no die lies, of rooms, print, parts, faces, screens: all of it must be left alone.

Collections of dice are taken on few tables; what lies about on others, these teach. Any folder of pictures will do; the
weights in the package learned from those of Debian's `opencv-doc` 4.6.0 (samples and tutorials).
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from companion.pictures import BadPicture, load
from companion.ports import Picture
from companion.vision.train.pictures import PLAIN, Example
from companion.vision.train.spread import spread

LONGEST_PX = 1000
SHORTEST_PX = 200
LONGEST_SHAPE = 4.0  # times longer than high, or higher than long
LEAST_COLOURS = 60  # of 4096 cells, of those with 32 grey levels a channel: diagrams of few colours teach little
KINDS = frozenset({".jpg", ".jpeg", ".png", ".webp"})


def plain_examples(folder: Path, *, processes: int = 1) -> list[Example]:
    """Every picture below a folder that shows enough and is not another's copy, in the order of their paths.

    Raises FileNotFoundError where there is none.
    """
    found: dict[bytes, Example] = {}
    paths = pictures_below(folder)
    for path, picture in zip(paths, spread(_picture, paths, processes), strict=True):
        if picture is not None:
            small = cv2.resize(picture, (16, 16), interpolation=cv2.INTER_AREA)
            found.setdefault((small // 24).tobytes(), Example(picture, [], PLAIN, str(path.relative_to(folder))))
    if not found:
        raise FileNotFoundError(f"no pictures of {SHORTEST_PX} px and more below {folder}")
    return list(found.values())


def pictures_below(folder: Path) -> list[Path]:
    """The picture files in and below a folder, in the order of their paths, whatever they show.

    Raises FileNotFoundError where there is none.
    """
    found = sorted(path for path in folder.rglob("*") if path.suffix.lower() in KINDS)
    if not found:
        raise FileNotFoundError(f"no pictures ({', '.join(sorted(KINDS))}) below {folder}")
    return found


def _picture(path: Path) -> Picture | None:
    """None for what is broken, small, very long, or of few colours."""
    try:
        picture = load(path)
    except BadPicture:
        return None
    longer, shorter = max(picture.shape[:2]), min(picture.shape[:2])
    if shorter < SHORTEST_PX or longer > LONGEST_SHAPE * shorter:
        return None
    cells = cv2.resize(picture, (64, 64), interpolation=cv2.INTER_AREA).reshape(-1, 3) // 8
    if len(np.unique(cells, axis=0)) < LEAST_COLOURS:
        return None
    factor = min(1.0, LONGEST_PX / longer)
    return np.asarray(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
