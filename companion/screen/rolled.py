"""The page of a roll: the total large, the dice small beside it, below what it means."""

from __future__ import annotations

from PIL import Image, ImageDraw

from companion.screen.font import font
from companion.screen.lettering import DARK, LIT, Box, block, one_line, set_block
from companion.screen.pieces import DIE, DIGIT_HEIGHT, SIGN, die, digits, digits_width, icon, sign, stamp
from companion.view import Rolled

GAP = 6
DICE_GAPS = (4, 2, 1)  # between two dice: the widest that fits
TEXT_SIZES = (12, 10, 8)
TEXT_ROWS = 11
ONE_ROW = 6  # dice beside a total of two digits; more go into two rows
LIFT = 4  # a die chosen for the next throw is lifted off its line
LINE_GAP, LINE_ROWS = 2, 2


def rolled(image: Image.Image, box: Box, shown: Rolled) -> None:
    total = "?" if shown.total is None else str(max(0, shown.total))
    beside = box.without_left(digits_width(total) + GAP)
    signed = shown.sign is not None and _dice_width(len(shown.dice), 1) + SIGN + GAP <= beside.w
    beside_dice, below = _texts(shown, beside.w - (SIGN + GAP if signed else 0))
    beside = beside.top_part(box.h - TEXT_ROWS) if below else beside
    digits(image, box.x, beside.y + max(0, beside.h - DIGIT_HEIGHT) // 2, total)
    if below:
        words = one_line(below, Box(box.x, box.y, box.w, TEXT_ROWS), TEXT_SIZES)
        under = box.without_top(box.h - words.height)
        image.paste(DARK, (box.x, under.y - 1, box.right, under.y))  # between the total and high letters
        set_block(image, under, words, align="centre")
    if shown.sign is not None and signed:
        sign(image, Box(beside.right - SIGN, beside.y, SIGN, beside.h), shown.sign)
        beside = beside.without_right(SIGN + GAP)
    if beside_dice:
        under_dice = beside.without_top(DIE + 3)
        set_block(image, under_dice, one_line(beside_dice, under_dice, TEXT_SIZES))
        beside = beside.top_part(DIE + 3)
    _dice(image, beside, shown)


def _marked(shown: Rolled) -> bool:
    return bool(shown.selected) or shown.cursor is not None


def _texts(shown: Rolled, room: int) -> tuple[str, str]:
    """What is written below the dice only, in so many columns, and what below everything: first text, then note.

    A text too wide for that goes below everything if the note is narrower: rather out of order than cut.
    """
    both = [part for part in (shown.text, shown.note) if part]
    if len(both) < 2 or _marked(shown) or len(shown.dice) > ONE_ROW:
        return "", " · ".join(both)
    text, note = (font(TEXT_SIZES[-1]).width(part) for part in both)
    return (shown.text, shown.note) if text <= max(room, note) else (shown.note, shown.text)


def _dice(image: Image.Image, box: Box, shown: Rolled) -> None:
    if len(shown.dice) > ONE_ROW:
        _many_dice(image, box, shown)
    elif _marked(shown):
        _marked_dice(image, box, shown)
    else:
        _row(image, box, shown.dice)


def _dice_width(number: int, gap: int) -> int:
    return number * (DIE + gap) - gap


def _lefts(box: Box, number: int) -> list[int]:
    gap = next((gap for gap in DICE_GAPS if _dice_width(number, gap) <= box.w), DICE_GAPS[-1])
    return [box.x + n * (DIE + gap) for n in range(number)]


def _row(image: Image.Image, box: Box, dice: tuple[int | None, ...]) -> None:
    for x, value in zip(_lefts(box, len(dice)), dice, strict=True):
        die(image, x, box.y + (box.h - DIE) // 2, value)


def _marked_dice(image: Image.Image, box: Box, shown: Rolled) -> None:
    """Chosen dice are lifted off a line; the one that the buttons act on has an arrow below."""
    pen = ImageDraw.Draw(image)
    y = box.y + LIFT
    line = y + DIE + LINE_GAP - 1
    arrow = icon("up")
    for n, (x, value) in enumerate(zip(_lefts(box, len(shown.dice)), shown.dice, strict=True)):
        chosen = n in shown.selected
        die(image, x, y - LIFT if chosen else y, value)
        if chosen:
            pen.rectangle((x, line - 1, x + DIE - 1, line - 1 + LINE_ROWS - 1), fill=LIT)
        if n == shown.cursor:
            stamp(image, x + (DIE - arrow.width) // 2, line + LINE_ROWS + 1, arrow)


def _many_dice(image: Image.Image, box: Box, shown: Rolled) -> None:
    per_row = max(1, (box.w + 1) // (DIE + 1))
    fitting = min(len(shown.dice), 2 * per_row)
    kept = fitting if fitting == len(shown.dice) else fitting - 1
    for n in range(kept):
        x, y = box.x + n % per_row * (DIE + 1), box.y + n // per_row * (DIE + 1)
        die(image, x, y, shown.dice[n])
    if kept < len(shown.dice):
        rest = Box(box.x + (per_row - 1) * (DIE + 1), box.y + DIE + 1, DIE, DIE)
        set_block(image, rest, block([f"+{min(99, len(shown.dice) - kept)}"], font(8)), align="centre")
