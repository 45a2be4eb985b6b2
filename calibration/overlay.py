"""The camera's picture with a grid to read coordinates off, the markers that were seen and the tray's corners."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.tray import Found, Tray
from companion.ports import Picture

STEP_PX, NUMBERED_PX = 20, 100  # between two lines; and between two with a number
TEXT_PX = 90  # of a corner written out
FONT = cv2.FONT_HERSHEY_SIMPLEX
LINE, INK = (255, 255, 0), (0, 255, 255)
MARKER, FLOOR = (255, 0, 255), (0, 255, 0)


def gridded(picture: Picture, found: Found, tray: Tray | None = None) -> Picture:
    """A copy, each coordinate as it counts for `--corners`: pixels from the left and from the top."""
    drawn = picture.copy()
    height, width = drawn.shape[:2]
    for x in range(0, width, STEP_PX):
        _line(drawn, (x, 0), (x, height - 1), strong=x % NUMBERED_PX == 0)
    for y in range(0, height, STEP_PX):
        _line(drawn, (0, y), (width - 1, y), strong=y % NUMBERED_PX == 0)
    for x in range(0, width, NUMBERED_PX):
        _write(drawn, str(x), (x + 2, 12))
    for y in range(NUMBERED_PX, height, NUMBERED_PX):
        _write(drawn, str(y), (2, y - 3))
    for number, corners in zip(found.numbers, found.corners, strict=True):
        cv2.polylines(drawn, [np.asarray(np.round(corners), np.int32)], True, MARKER, 2, cv2.LINE_AA)
        _write(drawn, str(number % 4), tuple(int(c) for c in corners.mean(axis=0)), MARKER)
    if tray is not None:
        _tray(drawn, tray)
    return drawn


def _tray(drawn: Picture, tray: Tray) -> None:
    corners = np.asarray(np.round(tray.corners), np.int32)
    cv2.polylines(drawn, [corners], True, FLOOR, 2, cv2.LINE_AA)
    for number, (x, y) in enumerate(corners):
        cv2.circle(drawn, (int(x), int(y)), 6, FLOOR, 2, cv2.LINE_AA)
        _write(drawn, f"{number} ({x},{y})", (min(int(x) + 8, drawn.shape[1] - TEXT_PX), int(y) - 8), FLOOR)


def _line(drawn: Picture, start: tuple[int, int], end: tuple[int, int], *, strong: bool) -> None:
    """Half transparent, so that the corner below stays visible."""
    layer = drawn[start[1] : end[1] + 1, start[0] : end[0] + 1]
    share = 0.55 if strong else 0.2
    layer[:] = np.asarray((1 - share) * layer + share * np.array(LINE), np.uint8)


def _write(drawn: Picture, text: str, at: tuple[int, ...], colour: tuple[int, int, int] = INK) -> None:
    place = (at[0], at[1])
    cv2.putText(drawn, text, place, FONT, 0.4, (0, 0, 0), 3, cv2.LINE_AA)
    cv2.putText(drawn, text, place, FONT, 0.4, colour, 1, cv2.LINE_AA)
