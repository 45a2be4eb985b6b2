"""OpenCV and its FFmpeg, kept from telling on standard error, at every try, what a lost camera says once."""

from __future__ import annotations

import os

import cv2

FFMPEG, OPENCV = "OPENCV_FFMPEG_LOGLEVEL", "OPENCV_LOG_LEVEL"
AV_LOG_QUIET = "-8"  # of libavutil/log.h


def hush() -> None:
    """To be called before a capture is opened: FFmpeg's level is read with the first one. Who set a level in the
    environment hears what it lets through."""
    os.environ.setdefault(FFMPEG, AV_LOG_QUIET)
    if OPENCV not in os.environ:
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)
