"""Picture files: reading them without trusting them, and what a tray looks like with nothing on it."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from companion.ports import Picture

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})
LONGEST_SIDE = 2592  # pixels; larger than any mode the tray is watched in, small enough for a Pi with 1 GB
EMPTY = "empty"  # the stem of a file that shows the empty tray


class BadPicture(ValueError):
    """A file that is no picture; the message names it and says why."""


def read_picture(path: Path) -> Picture:
    """The picture in BGR, made smaller if a side is longer than LONGEST_SIDE. Raises BadPicture."""
    try:
        encoded = np.fromfile(path, dtype=np.uint8)
        picture = cv2.imdecode(encoded, cv2.IMREAD_COLOR) if encoded.size else None
    except OSError as error:
        raise BadPicture(f"{path} cannot be read: {error.strerror or error}") from error
    except cv2.error as error:  # e.g. more pixels than OpenCV is willing to decode
        raise BadPicture(f"{path} cannot be decoded: {error.err}") from error
    if picture is None:
        raise BadPicture(f"{path} is not a picture, or torn")
    return _limited(np.asarray(picture, dtype=np.uint8))


def _limited(picture: Picture) -> Picture:
    height, width = picture.shape[:2]
    scale = LONGEST_SIDE / max(height, width)
    if scale >= 1:
        return picture
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


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


def listed(folder: Path, order: Path | None) -> list[Path]:
    """The pictures of a folder by name, or in the order of the file `order`: one name a line, # begins a remark.

    The empty tray's picture is not among them. Raises OSError; whether a name in `order` is there shows on reading.
    """
    if order is not None:
        lines = (line.split("#", 1)[0].strip() for line in order.read_text(encoding="utf-8").splitlines())
        return [folder / line for line in lines if line]
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES and path.stem.lower() != EMPTY)


def empty_file(folder: Path) -> Path | None:
    """The picture of the empty tray, if the folder has one. Raises OSError."""
    found = sorted(p for p in folder.iterdir() if p.stem.lower() == EMPTY and p.suffix.lower() in SUFFIXES)
    return found[0] if found else None
