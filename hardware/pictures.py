"""The pictures of a folder, and what a tray looks like with nothing on it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from companion.paths import content_of, text_of
from companion.pictures import OF_PHONES, is_taken
from companion.ports import Picture

EMPTY = "empty"  # the stem of a file that shows the empty tray


def emptied(picture: Picture) -> Picture:
    """A tray of this picture's size and ground with nothing on it: the median colour of its rim, with some noise.

    The rim (a twentieth of each side) shows the ground even where dice fill the middle. The noise, two levels and
    always the same, keeps it from looking like a covered lens.
    """
    height, width = picture.shape[:2]
    rim = max(1, min(height, width) // 20)
    edge = np.concatenate(
        [part.reshape(-1, 3) for part in (picture[:rim], picture[-rim:], picture[:, :rim], picture[:, -rim:])]
    )
    ground = np.median(edge, axis=0)
    noise = np.random.default_rng(0).normal(0, 2, (height, width, 1))
    return np.asarray(np.clip(ground + noise, 0, 255), dtype=np.uint8)


def ordered(folder: Path, order: Path) -> list[Path]:
    """The pictures of a folder that the file `order` names: one name a line, # begins a remark.

    Raises OSError, and ValueError for no text file; whether a name in it is there shows on reading.
    """
    text = text_of(content_of(order, "a list of pictures"))
    lines = (line.split("#", 1)[0].strip() for line in text.splitlines())
    return [folder / line for line in lines if line]


def listed(folder: Path) -> list[Path]:
    """The pictures of a folder by name; the empty tray's is not among them. Raises OSError."""
    return sorted(path for path in folder.iterdir() if is_taken(path) and path.stem.lower() != EMPTY)


def empty_file(folder: Path) -> Path | None:
    """The picture of the empty tray, if the folder has one: the first that can be read. Raises OSError."""
    found = (path for path in folder.iterdir() if is_taken(path) and path.stem.lower() == EMPTY)
    return min(found, key=lambda path: (path.suffix.lower() in OF_PHONES, path), default=None)
