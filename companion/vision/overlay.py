"""What the reader saw, drawn onto the picture: to learn where it errs and why it asks."""

from __future__ import annotations

import cv2
import numpy as np

from companion.events import Die, Reading
from companion.ports import Picture
from companion.vision.words import WORDS

SMALLEST_PX = 640  # smaller pictures are enlarged, so that the writing is readable
SURE = (80, 200, 60)
UNSURE = (0, 160, 255)
UNREAD = (60, 60, 255)
CERTAIN = 0.9  # a die below it is drawn in the colour of doubt
FONT = cv2.FONT_HERSHEY_SIMPLEX


def overlay(picture: Picture, reading: Reading) -> Picture:
    """A copy with boxes, values, confidences and pips, under a bar that says the verdict in words."""
    factor = max(1.0, SMALLEST_PX / max(picture.shape[:2]))
    height, width = (max(1, round(side * factor)) for side in picture.shape[:2])
    drawn = np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
    for doubt in reading.doubts:
        _draw_doubt(drawn, doubt, factor)
    for die in reading.dice:
        _draw_die(drawn, die, factor)
    return np.vstack([_bar(reading, width), drawn])


def _draw_die(drawn: Picture, die: Die, factor: float) -> None:
    x, y, w, h = (round(side * factor) for side in die.box)
    colour = UNREAD if die.value is None else SURE if die.confidence >= CERTAIN else UNSURE
    thick = 2 if w < 80 else 3
    cv2.rectangle(drawn, (x, y), (x + w, y + h), colour, thick)
    for px, py in die.pips:
        centre = (round(px * factor), round(py * factor))
        cv2.circle(drawn, centre, max(2, w // 18), (0, 0, 0), -1)
        cv2.circle(drawn, centre, max(1, w // 18 - 1), colour, -1)
    text = f"{'?' if die.value is None else die.value} {100 * die.confidence:.0f}%"
    _write(drawn, text, (x, y - 5 if y > 20 else y + h + 18), colour)


def _draw_doubt(drawn: Picture, box: tuple[float, float, float, float], factor: float) -> None:
    """Corners only: something that is no die, or one that was not recognised."""
    x, y, w, h = (round(side * factor) for side in box)
    for left, top, dx, dy in ((x, y, 1, 1), (x + w, y, -1, 1), (x, y + h, 1, -1), (x + w, y + h, -1, -1)):
        cv2.line(drawn, (left, top), (left + dx * w // 4, top), UNSURE, 2)
        cv2.line(drawn, (left, top), (left, top + dy * h // 4), UNSURE, 2)
    _write(drawn, "a die?", (x, y - 5 if y > 20 else y + h + 18), UNSURE)


def _write(drawn: Picture, text: str, at: tuple[int, int], colour: tuple[int, int, int]) -> None:
    cv2.putText(drawn, text, at, FONT, 0.6, (0, 0, 0), 4, cv2.LINE_AA)
    cv2.putText(drawn, text, at, FONT, 0.6, colour, 2, cv2.LINE_AA)


def _bar(reading: Reading, width: int) -> Picture:
    bar = np.full((34, width, 3), 32, np.uint8)
    _write(bar, verdict(reading), (8, 24), SURE if reading.sure else UNSURE)
    return bar


def verdict(reading: Reading) -> str:
    """The reading in one line: "3 + 5 = 8, sure", or what is in the way."""
    if not reading.dice:
        return "no dice, sure" if reading.sure else f"no dice; unsure: {WORDS[reading.why] if reading.why else '?'}"
    values = " + ".join("?" if value is None else str(value) for value in sorted(reading.values, key=lambda v: v or 0))
    total = "?" if reading.total is None else reading.total
    ending = "sure" if reading.sure else f"unsure: {WORDS[reading.why] if reading.why else '?'}"
    return f"{values} = {total}, {ending}"
