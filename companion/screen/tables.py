"""The pages that list players: a score sheet and the end of the game."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from companion.screen.font import SIZES, Font, font
from companion.screen.lettering import Block, Box, block, clipped, cut, one_line, paragraph, set_block, write
from companion.screen.pieces import SIGN, crown, icon, stamp
from companion.view import Row, Sheet, Winner

TITLE_ROWS = 12
MARKS = ("turn", "winner", "out", "done")
MARK_WIDTH = 9
GAP = 3
COLUMN_GAP = 6
WINNER_ROWS = TITLE_ROWS + 10  # that the title and a name in middling letters need
CROWN_ROWS = SIGN - 1  # the last one is dark


@dataclass(frozen=True, slots=True)
class Grid:
    """One way of setting the rows: columns of rows `pitch` pixels high in one size of letters."""

    columns: int
    size: int
    pitch: int


# tried in this order; the first that shows every row whole is taken
GRIDS = (Grid(1, 12, 15), Grid(1, 10, 13), Grid(2, 10, 13), Grid(1, 8, 11), Grid(2, 8, 11))
CLOSEST, SCROLLED = GRIDS[-1], Grid(1, 10, 13)  # else long names are cut short, or rows too many for that scrolled


def sheet(image: Image.Image, box: Box, shown: Sheet) -> None:
    """Names on the left, values on the right, a mark before the name; the rows from `top` on where not all fit."""
    if shown.title:
        line = box.top_part(TITLE_ROWS)
        set_block(image, line, one_line(shown.title, line, (10, 8)), align="centre")
        box = box.without_top(TITLE_ROWS)
    table(image, box, shown.rows, shown.top)


def table(image: Image.Image, box: Box, rows: tuple[Row, ...], top: int = 0) -> None:
    crowded = len(rows) > CLOSEST.columns * (box.h // CLOSEST.pitch)
    grid = next((grid for grid in GRIDS if _holds(grid, box, rows)), SCROLLED if crowded else CLOSEST)
    per_column = max(1, box.h // grid.pitch)
    room = per_column * grid.columns
    first = min(max(0, top), max(0, len(rows) - room))
    if len(rows) > room:
        _more_arrows(image, box, up=first > 0, down=first + room < len(rows))
        box = box.without_right(icon("up").width + GAP)
    marks = any(row.mark in MARKS for row in rows)
    spare = max(0, box.h - min(per_column, len(rows)) * grid.pitch) // 2
    for n, row in enumerate(rows[first : first + room]):
        column = _column(box, grid, n // per_column)
        place = Box(column.x, box.y + spare + n % per_column * grid.pitch, column.w, grid.pitch)
        _row(image, place, row, grid.size, marks=marks)


def _column(box: Box, grid: Grid, n: int) -> Box:
    width = (box.w + COLUMN_GAP) // grid.columns - COLUMN_GAP
    return Box(box.x + n * (width + COLUMN_GAP), box.y, width, box.h)


def _holds(grid: Grid, box: Box, rows: tuple[Row, ...]) -> bool:
    marks = MARK_WIDTH if any(row.mark in MARKS for row in rows) else 0
    room = _column(box, grid, 0).w - marks - GAP
    letters = font(grid.size)
    fits = all(letters.width(row.name) + letters.width(row.value) <= room for row in rows)
    low = all(block([row.name + row.value], letters).height <= grid.pitch for row in rows)
    return fits and low and len(rows) <= grid.columns * (box.h // grid.pitch)


def _row(image: Image.Image, place: Box, row: Row, size: int, *, marks: bool) -> None:
    letters = font(size)
    value = cut(row.value, letters, place.w // 2)
    width = letters.width(value)
    if row.mark in MARKS:
        picture = icon(row.mark)
        stamp(image, place.x, place.y + (place.h - picture.height) // 2, picture)
    words = place.without_left(MARK_WIDTH if marks else 0)
    name = cut(row.name, letters, words.w - width - GAP)
    line = block([name + value], letters)
    baseline = place.y + (place.h + line.over - line.under + 1) // 2
    write(image, words.x, baseline, name, letters)
    write(image, words.right - width, baseline, value, letters)


def _more_arrows(image: Image.Image, box: Box, *, up: bool, down: bool) -> None:
    arrow = icon("up")
    if up:
        stamp(image, box.right - arrow.width, box.y + 2, arrow)
    if down:
        stamp(image, box.right - arrow.width, box.bottom - 2 - arrow.height, icon("down"))


def winner(image: Image.Image, box: Box, shown: Winner) -> None:
    """The crown where there is room for it, who won as large as it goes, and every total below."""
    totals = _totals(shown.rows, box)
    gap = min(GAP, max(1, box.h - totals.height - WINNER_ROWS))
    words = top = box.top_part(box.h - totals.height - gap if totals.lines else box.h)
    if top.h + gap >= CROWN_ROWS:
        crown(image, top.x, top.y + max(0, top.h - SIGN) // 2)
        words = top.without_left(SIGN + GAP)
    if shown.title:
        line = words.top_part(TITLE_ROWS)
        set_block(image, line, one_line(shown.title, line, (10, 8)))
        words = words.without_top(TITLE_ROWS)
    set_block(image, words, paragraph(" + ".join(shown.names), words, SIZES))
    set_block(image, Box(box.x, box.bottom - totals.height, box.w, totals.height), totals, align="centre")


def _totals(rows: tuple[Row, ...], box: Box) -> Block:
    """Every player's total in two lines, or in three small ones; a player and the total stay together."""
    parts = [f"{row.name} {row.value}".strip() for row in rows]
    half, room = box.h // 2, max(box.h // 2, box.h - WINNER_ROWS - 1)
    for size, most, rows_free in ((10, 2, half), (8, 2, half), (8, 3, room)):
        lines = _gathered(parts, font(size), box.w)
        if len(lines) <= most and block(lines, font(size)).height <= rows_free:
            return block(lines, font(size))
    return clipped([cut(line, font(8), box.w) for line in lines], font(8), box.top_part(room))


def _gathered(parts: list[str], letters: Font, width: int) -> list[str]:
    lines: list[str] = []
    for part in parts:
        longer = f"{lines[-1]} · {part}" if lines else part
        if lines and letters.width(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(part)
    return lines
