"""OpenCV and its FFmpeg, kept from telling on standard error, at every try, what a lost camera says once."""

from __future__ import annotations

import os

import cv2

FFMPEG, OPENCV = "OPENCV_FFMPEG_LOGLEVEL", "OPENCV_LOG_LEVEL"
AV_LOG_QUIET = "-8"  # of libavutil/log.h
LOG_LEVEL_ERROR = 2  # of opencv2/core/utils/logger.defines.hpp


def hush() -> None:
    """To be called before a capture is opened: FFmpeg's level is read with the first one. Who set a level in the
    environment hears what it lets through."""
    os.environ.setdefault(FFMPEG, AV_LOG_QUIET)
    if OPENCV not in os.environ:
        _set_level(LOG_LEVEL_ERROR)


def _set_level(level: int) -> None:
    """OpenCV 5 moved it; what Bookworm's camera module goes together with is 4."""
    set_level = cv2.setLogLevel if hasattr(cv2, "setLogLevel") else cv2.utils.logging.setLogLevel
    set_level(level)
