"""From what cameras deliver to the pictures of the Camera port. Pure."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Picture


def as_bgr(raw: object) -> Picture | None:
    """A picture in BGR from one in grey, BGR or BGRA; None from anything else (OpenCV promises nothing)."""
    if not isinstance(raw, np.ndarray) or raw.dtype != np.uint8 or raw.size == 0:
        return None
    match raw.shape:
        case (_, _):
            return _array(cv2.cvtColor(raw, cv2.COLOR_GRAY2BGR))
        case (_, _, 1):
            return _array(cv2.cvtColor(raw[..., 0], cv2.COLOR_GRAY2BGR))
        case (_, _, 3):
            return raw
        case (_, _, 4):
            return _array(raw[..., :3])
    return None


def from_libcamera(raw: NDArray[np.uint8], pixel_format: str, size: tuple[int, int]) -> Picture:
    """BGR of width × height = `size`, from a buffer as picamera2 gives it. Raises ValueError for other formats.

    libcamera names formats by their order in a little-endian word: its RGB888 is B, G, R in memory. Rows may be longer
    than the picture (the stride); the planes of YUV formats are as long together, so they are cut after conversion.
    """
    match pixel_format:
        case "RGB888" | "XRGB8888":
            bgr = raw[..., :3]
        case "BGR888" | "XBGR8888":
            bgr = raw[..., 2::-1]
        case "YUV420":
            bgr = _array(cv2.cvtColor(raw, cv2.COLOR_YUV2BGR_I420))
        case "NV12":
            bgr = _array(cv2.cvtColor(raw, cv2.COLOR_YUV2BGR_NV12))
        case _:
            raise ValueError(f"pictures in {pixel_format} are not understood")
    width, height = size
    return np.ascontiguousarray(bgr[:height, :width])


def turned(picture: Picture, degrees: int) -> Picture:
    """Turned clockwise by 0, 90, 180 or 270 degrees."""
    return np.ascontiguousarray(np.rot90(picture, -degrees // 90)) if degrees else picture


def _array(picture: object) -> Picture:
    return np.ascontiguousarray(picture, dtype=np.uint8)
