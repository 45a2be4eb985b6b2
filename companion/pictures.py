"""Picture files and camera frames, made into the one shape the reader takes: height × width × 3, BGR, 8 bits."""

from __future__ import annotations

import logging
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import ExifTags, Image, UnidentifiedImageError

from companion.paths import is_named_pipe
from companion.ports import Picture

SUFFIXES = frozenset(
    {
        ".jpg",
        ".jpeg",
        ".jfif",
        ".mpo",
        ".png",
        ".bmp",
        ".webp",
        ".tif",
        ".tiff",
        ".ppm",
        ".pgm",
        ".gif",
        ".jp2",
        ".avif",
    }
)
"""Of the files that are taken for pictures where a folder is given; a file that is named itself may have any."""
OF_PHONES = frozenset({".heic", ".heif"})  # none is read; they are told to be of no known kind, not passed over
HIDDEN = "."  # begins the names of what systems keep beside photos, such as a Mac's on another disk
DRAWN_BY_OTHERS = frozenset({"EPS"})  # a program, which Pillow would hand to Ghostscript to be run
LARGEST_PIXELS = 120_000_000  # beyond it a file is refused before it is decoded: a small file can unpack to gigabytes
KEPT_PX = 2560  # longer sides are shrunk to this on opening: no die that a reader could use needs more
TILE_PX = 256  # pictures are converted in pieces of about this side: as a whole it would take several times their size
GREY_BEHIND = 128  # what transparent pixels lie on
TURNED = {2: (0, True), 3: (2, False), 4: (2, True), 5: (3, True), 6: (3, False), 7: (1, True), 8: (1, False)}
"""EXIF's orientation: quarter turns counterclockwise, and whether it is mirrored after them."""


logging.getLogger("PIL").addHandler(logging.NullHandler())  # of a file that is no picture we tell ourselves


class BadPicture(Exception):
    """A file or frame that is no picture; the text says what is wrong and what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A picture from a file. `shrunk`: pixels of the file (upright) to one pixel of `picture`, 1 or more."""

    picture: Picture
    shrunk: float


def is_taken(file: Path) -> bool:
    """Whether a file of a folder is taken for a picture, by its name."""
    return file.suffix.lower() in SUFFIXES | OF_PHONES and not file.name.startswith(HIDDEN)


def load(path: Path | str) -> Picture:
    """The file as a BGR picture, upright, at most KEPT_PX long. Raises BadPicture."""
    return open_photo(path).picture


def open_photo(path: Path | str, *, longest_px: int | None = None) -> Photo:
    """Like `load`, with how much it was shrunk; at most `longest_px` long where told. Raises BadPicture."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow warns of large and of odd files; the limits here are our own
            return _decoded(Path(path), longest_px or KEPT_PX)
    except BadPicture:
        raise
    except FileNotFoundError:
        raise BadPicture("no such file; check the path") from None
    except IsADirectoryError:
        raise BadPicture("this is a folder, not a picture") from None
    except PermissionError:
        raise BadPicture("not allowed to read this file; check its permissions") from None
    except (UnidentifiedImageError, NotImplementedError):
        raise BadPicture("not a picture, or of a kind that is not known; save it as JPEG or PNG") from None
    except Image.DecompressionBombError:
        raise BadPicture(f"more than {LARGEST_PIXELS // 1_000_000} million pixels; save it smaller") from None
    except MemoryError:
        raise BadPicture("there is not enough memory for this picture; save it smaller") from None
    except Exception as fault:  # whatever a decoder meets in a file: each has its own errors, and none lists them
        raise BadPicture(_broken(fault)) from None


def _broken(fault: Exception) -> str:
    if isinstance(fault, OSError) and fault.strerror:  # of the file, not of what it holds
        return f"this file cannot be read ({fault.strerror}); check the path"
    said = " ".join(str(fault).split()) or type(fault).__name__
    return f"the picture is broken ({said}); save or copy it again"


def _decoded(path: Path, longest_px: int) -> Photo:
    if is_named_pipe(path):
        raise BadPicture("this is a pipe, not a picture file; save what comes out of it to a file")
    if path.is_file() and path.stat().st_size == 0:
        raise BadPicture("the file is empty; save or copy it again")
    with Image.open(path) as image:
        if image.format in DRAWN_BY_OTHERS:
            raise UnidentifiedImageError
        width, height = image.size
        if width * height > LARGEST_PIXELS:
            raise BadPicture(f"more than {LARGEST_PIXELS // 1_000_000} million pixels; save it smaller")
        image.draft(
            "RGB", (longest_px // 2, longest_px // 2)
        )  # a JPEG decodes at a half, quarter, eighth for less memory
        image.load()
        small = _small(image, longest_px)
        return Photo(picture=_upright(small, *_turned(image)), shrunk=max(width, height) / max(small.shape[:2]))


def _turned(image: Image.Image) -> tuple[int, bool]:
    """How the camera was held, as TURNED tells it. Where EXIF is broken the picture is taken as it lies."""
    try:
        return TURNED.get(image.getexif().get(ExifTags.Base.Orientation, 1), (0, False))
    except Exception:  # of every kind, as Pillow's readers of EXIF raise them
        return (0, False)


def _upright(picture: Picture, quarters: int, mirrored: bool) -> Picture:
    turned = np.rot90(picture, quarters)
    return np.ascontiguousarray(turned[:, ::-1] if mirrored else turned)


def _small(image: Image.Image, longest_px: int) -> Picture:
    """8-bit BGR, at most so long, of any mode Pillow knows; converted and shrunk piece by piece."""
    width, height = image.size
    factor = -(-max(width, height) // longest_px)
    tiles = _tiles(width, height, factor * max(1, TILE_PX // factor))
    top = max(_top(np.asarray(image.crop(tile))) for tile in tiles) if _is_deep(image) else 0.0
    small = np.empty((-(-height // factor), -(-width // factor), 3), np.uint8)
    for tile in tiles:
        piece = np.asarray(_rgb(image.crop(tile), top).reduce(factor))
        x, y = tile[0] // factor, tile[1] // factor
        small[y : y + piece.shape[0], x : x + piece.shape[1]] = piece[:, :, ::-1]
    return small


def _tiles(width: int, height: int, side: int) -> list[tuple[int, int, int, int]]:
    """Left, top, right and bottom of the squares that cover a picture; those at its rim may be smaller."""
    corners = ((x, y) for y in range(0, height, side) for x in range(0, width, side))
    return [(x, y, min(x + side, width), min(y + side, height)) for x, y in corners]


def _is_deep(image: Image.Image) -> bool:
    return image.mode.startswith("I") or image.mode == "F"


def _rgb(image: Image.Image, top: float) -> Image.Image:
    """8-bit RGB; transparent pixels lie on grey. `top`: the most in the deep picture of which this may be a piece."""
    if _is_deep(image):
        return Image.fromarray(_scaled(np.asarray(image), top)).convert("RGB")
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        over = image.convert("RGBA")
        behind = Image.new("RGBA", over.size, (GREY_BEHIND, GREY_BEHIND, GREY_BEHIND, 255))
        image = Image.alpha_composite(behind, over)
    return image.convert("RGB")


def normalise(frame: NDArray[Any]) -> Picture:
    """A frame of any depth and 1, 2, 3 or 4 channels as BGR of 8 bits. Raises BadPicture for what is no picture.

    16-bit frames lose their low byte (or are stretched, when a 10 or 12-bit camera fills only the low bits); floats
    of 0 to 1 are stretched; not-a-number counts as black; a fourth channel is blended onto grey.
    """
    if not isinstance(frame, np.ndarray) or frame.ndim not in (2, 3) or 0 in frame.shape:
        raise BadPicture("the frame is empty or no picture; check the camera")
    if frame.ndim == 3 and frame.shape[2] not in (1, 2, 3, 4):
        raise BadPicture(f"a frame of {frame.shape[2]} channels is no picture; 1, 3 or 4 are")
    shallow = _eight_bits(frame)
    if shallow.ndim == 2:
        return np.ascontiguousarray(cv2.cvtColor(shallow, cv2.COLOR_GRAY2BGR), dtype=np.uint8)
    match shallow.shape[2]:
        case 1 | 2:
            return np.ascontiguousarray(np.repeat(shallow[:, :, :1], 3, axis=2))
        case 3:
            return np.ascontiguousarray(shallow)
        case _:
            alpha = shallow[:, :, 3:].astype(np.float32) / 255
            return np.ascontiguousarray((shallow[:, :, :3] * alpha + GREY_BEHIND * (1 - alpha)).astype(np.uint8))


def _eight_bits(frame: NDArray[Any]) -> Picture:
    if frame.dtype == np.uint8:
        return frame
    if frame.dtype == np.bool_:
        return frame.astype(np.uint8) * np.uint8(255)
    if frame.dtype.kind not in "uif":
        raise BadPicture(f"a frame of {frame.dtype} is no picture")
    return _scaled(frame, _top(frame))


def _finite(frame: NDArray[Any]) -> NDArray[np.float32]:
    with np.errstate(over="ignore"):  # of what is beyond all measure, too
        return np.nan_to_num(frame.astype(np.float32), nan=0.0, posinf=0.0, neginf=0.0)


def _top(frame: NDArray[Any]) -> float:
    return float(_finite(frame).max())


def _scaled(frame: NDArray[Any], top: float) -> Picture:
    """8 bits of a frame whose whole, of which it may be a piece, reaches up to `top`."""
    if frame.dtype.kind == "f":
        scale = 255.0 if top <= 1 else 1.0 if top <= 255 else 255.0 / top
    else:
        bits = max(8, int(np.ceil(np.log2(top + 1))) if top > 0 else 8)
        scale = 255.0 / (2**bits - 1)
    return np.asarray(np.clip(_finite(frame) * scale, 0, 255), dtype=np.uint8)
