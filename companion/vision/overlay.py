"""What the reader saw, drawn onto the picture: to learn where it errs and why it asks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np

from companion.events import Box, Die, Reading, Why, WildDie
from companion.lie import lies_in
from companion.ports import Picture
from companion.vision.naming import Rect, Sheet, names
from companion.vision.twice import CERTAIN
from companion.vision.verdict import TOUCHING
from companion.vision.words import WORDS, in_words

SMALLEST_PX = 640  # smaller pictures are enlarged, so that the writing is readable
LEAST_WIDE_PX = 400  # narrower ones get ground beside them, for the verdict
LARGE_PX = 1000  # in larger ones writing and lines grow with them
SURE = (80, 200, 60)
UNSURE = (0, 160, 255)
NO_VALUE = (60, 60, 255)
BLACK = (0, 0, 0)
DARK = 32  # grey level of the bar, and beside a narrow picture
FONT = cv2.FONT_HERSHEY_SIMPLEX
LETTERS = 0.6  # OpenCV's scale of writing, some 18 px high
BAR_PX, LINE_PX, MARGIN_PX = 34, 24, 8
NAME_PX, BASE_PX = 20, 16  # height of a box's name, and of it what is above its base line
MOST_PERCENT = 99  # no value is beyond all doubt
LARGER = 1.5  # times a die: what is in doubt and so large is more than that die
APART_PX = 3  # of a name from what it does not name
DOUBT = ("a die?", "?")
RIM_PX = 2  # of a name's outline, which stays in the picture

Colour = tuple[int, int, int]


def overlay(picture: Picture, reading: Reading, *, count: int | None = None, wild: WildDie | None = None) -> Picture:
    """A copy with boxes, values, confidences and pips, under a bar that says the verdict in words.

    `count`: how many number dice must lie there, where that is known. `wild`: the Wild die, where it lies there.
    """
    pen = _pen_on(picture)
    apart = [doubt for doubt in reading.doubts if not any(_is_of(doubt, die.box) for die in reading.dice)]
    colours = [_colour(die, reading) for die in reading.dice]
    for doubt in apart:
        _draw_doubt(pen, doubt)
    for die, colour in zip(reading.dice, colours, strict=True):
        _draw_die(pen, die, colour)
    boxes = [*(die.box for die in reading.dice), *apart]
    texts = [*map(_names, reading.dice, colours), *(DOUBT for _ in apart)]
    colours += [UNSURE for _ in apart]
    if wild is not None:
        _draw_wild(pen, wild)
        boxes, texts, colours = [*boxes, wild.box], [*texts, [wild.face or "?"]], [*colours, _of_wild(wild)]
    pen.name(boxes, texts, colours)
    sure = reading.sure and (wild is None or wild.face is not None)
    return _under_bar(pen, _told(reading, count, wild), _verdict(sure=sure))


def wild_overlay(picture: Picture, die: WildDie) -> Picture:
    """The same of the Wild die: a copy with its box and face."""
    pen, colour = _pen_on(picture), _of_wild(die)
    _draw_wild(pen, die)
    pen.name([die.box], [[die.face or "?"]], [colour])
    how = "sure" if die.why is None else f"unsure: {WORDS[die.why]}"
    return _under_bar(pen, (f"Wild die: {die.face or '?'}", how), colour)


def _draw_wild(pen: _Pen, die: WildDie) -> None:
    x, y, w, h = pen.at(die.box)
    cv2.rectangle(pen.drawn, (x, y), (x + w, y + h), _of_wild(die), pen.px(2))


def _of_wild(die: WildDie) -> Colour:
    return _verdict(sure=die.face is not None)


def _verdict(*, sure: bool) -> Colour:
    return SURE if sure else UNSURE


def _is_of(doubt: Box, die: Box) -> bool:
    """Whether what is in doubt is that die, or a part of it, and not glare, say, in whose middle it lies."""
    return lies_in(doubt, die) and doubt[2] < LARGER * die[2]


@dataclass(frozen=True, slots=True, eq=False)
class _Pen:
    """What is drawn on. `factor`: its pixels to one of the photo; `unit`: pixels to one of a picture of usual size."""

    drawn: Picture
    factor: float
    unit: float

    def at(self, box: tuple[float, ...]) -> list[int]:
        return [round(side * self.factor) for side in box]

    def px(self, usual: float) -> int:
        return round(usual * self.unit)

    def name(self, boxes: Sequence[Box], texts: Sequence[Sequence[str]], colours: Sequence[Colour]) -> None:
        """Writes the name of each box beside it. `texts`: of each, the most telling first, the shortest last."""
        height, width = self.drawn.shape[:2]
        sheet = Sheet(int(width), int(height), self.px(RIM_PX), self.px(NAME_PX), self.px(APART_PX))
        rects = [Rect(x, y, x + w, y + h) for x, y, w, h in map(self.at, boxes)]
        wide = [[(text, _wide(text, self.unit)) for text in some] for some in texts]
        for (text, at), colour in zip(names(sheet, rects, wide), colours, strict=True):
            _write(self.drawn, text, (at.left, at.top + self.px(BASE_PX)), colour, self.unit)


def _pen_on(picture: Picture) -> _Pen:
    """On a copy, large and wide enough to be written on."""
    longer = max(picture.shape[:2])
    factor = max(1.0, SMALLEST_PX / longer)
    height, width = (max(1, round(side * factor)) for side in picture.shape[:2])
    drawn = np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
    unit = max(1.0, longer / LARGE_PX)
    if (beside := round(LEAST_WIDE_PX * unit) - width) > 0:
        drawn = np.hstack([drawn, np.full((height, beside, 3), DARK, np.uint8)])
    return _Pen(drawn, factor, unit)


def _colour(die: Die, reading: Reading) -> Colour:
    """That of doubt, too, for a die at the place of a doubt, and where the reason is that dice touch, for those."""
    if die.value is None:
        return NO_VALUE
    doubted = any(lies_in(doubt, die.box) for doubt in reading.doubts)
    touching = reading.why is Why.TOUCHING and any(_touch(die, other) for other in reading.dice if other is not die)
    return UNSURE if die.confidence < CERTAIN or doubted or touching else SURE


def _touch(one: Die, other: Die) -> bool:
    return 2 * math.dist(one.centre, other.centre) < TOUCHING * (one.box[2] + other.box[2])


def _draw_die(pen: _Pen, die: Die, colour: Colour) -> None:
    x, y, w, h = pen.at(die.box)
    cv2.rectangle(pen.drawn, (x, y), (x + w, y + h), colour, pen.px(2 if w < pen.px(80) else 3))
    for pip in die.pips:
        px, py = pen.at(pip)
        cv2.circle(pen.drawn, (px, py), max(2, w // 18), BLACK, -1)
        cv2.circle(pen.drawn, (px, py), max(1, w // 18 - 1), colour, -1)


def _names(die: Die, colour: Colour) -> list[str]:
    """Its value with how certain that is, or, among other dice, alone; where it is asked about with a question mark,
    since to many eyes the colours of doubt and of none are the same."""
    value = ("" if die.value is None else str(die.value)) + ("" if colour == SURE else "?")
    return [f"{value} {min(MOST_PERCENT, round(100 * die.confidence))}%", value]


def _draw_doubt(pen: _Pen, box: Box) -> None:
    """Corners only: something that is no die, or one that was not recognised."""
    x, y, w, h = pen.at(box)
    for left, top, dx, dy in ((x, y, 1, 1), (x + w, y, -1, 1), (x, y + h, 1, -1), (x + w, y + h, -1, -1)):
        cv2.line(pen.drawn, (left, top), (left + dx * w // 4, top), UNSURE, pen.px(2))
        cv2.line(pen.drawn, (left, top), (left, top + dy * h // 4), UNSURE, pen.px(2))


def _write(drawn: Picture, text: str, at: tuple[int, int], colour: Colour, unit: float) -> None:
    """In an outline of black: the same beside it in all directions, as OpenCV 5 writes hardly wider if told thicker."""
    thick, rim = max(1, round(2 * unit)), max(1, round(unit))
    beside = [((at[0] + dx, at[1] + dy), BLACK) for dx, dy in product((-rim, 0, rim), repeat=2) if dx or dy]
    for place, shade in (*beside, (at, colour)):
        cv2.putText(drawn, text, place, FONT, LETTERS * unit, shade, thick, cv2.LINE_AA)


def _under_bar(pen: _Pen, told: tuple[str, str], colour: Colour) -> Picture:
    return np.vstack([_bar(told, colour, pen.drawn.shape[1], pen.unit), pen.drawn])


def _bar(told: tuple[str, str], colour: Colour, width: int, unit: float) -> Picture:
    """The verdict, on a second line and smaller where the picture is too narrow for it."""
    room = max(1, width - 2 * round(MARGIN_PX * unit))
    lines = [", ".join(told)]
    if _wide(lines[0], unit) > room:
        what, how = told
        lines = [f"{what},", how]
    shrunk = unit * min(1.0, room / max(_wide(line, unit) for line in lines))
    bar = np.full((round((BAR_PX + LINE_PX * (len(lines) - 1)) * unit), width, 3), DARK, np.uint8)
    for number, line in enumerate(lines):
        at = (round(MARGIN_PX * unit), round(LINE_PX * (number + 1) * unit))
        _write(bar, line, at, colour, shrunk)
    return bar


def _wide(text: str, unit: float) -> int:
    (width, _), _ = cv2.getTextSize(text, FONT, LETTERS * unit, max(1, round(2 * unit)))
    return int(width)


def headline(reading: Reading, *, count: int | None = None, wild: WildDie | None = None) -> str:
    """The reading in one line: "3 + 5 = 8, sure", "3, sure", or what is in the way; and the Wild die. `count`, `wild`:
    as for `overlay`."""
    return ", ".join(_told(reading, count, wild))


def _told(reading: Reading, count: int | None, wild: WildDie | None) -> tuple[str, str]:
    """What lies there, and how sure that is."""
    how = "sure" if reading.sure else f"unsure: {in_words(reading, count=count) or '?'}"
    if wild is not None:
        how += f"; Wild die: {wild.face or f'unsure: {WORDS[wild.why or Why.FAINT]}'}"
    if not reading.dice:
        return "no dice", how
    values = " + ".join("?" if value is None else str(value) for value in sorted(reading.values, key=lambda v: v or 0))
    if len(reading.dice) == 1:
        return values, how
    return f"{values} = {'?' if reading.total is None else reading.total}", how
