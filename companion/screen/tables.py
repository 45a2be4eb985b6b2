"""The pages that list players: a score sheet and the end of the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from PIL import Image

from companion.screen.font import SIZES, Font, font
from companion.screen.lettering import (
    Block,
    Box,
    block,
    cut,
    one_line,
    paragraph,
    set_block,
    whole_words,
    wrapped,
    write,
)
from companion.screen.pieces import SIGN, crown, icon, stamp
from companion.view import Row, Sheet, Winner

TITLE_ROWS = 12
MARKS = ("turn", "winner", "out")
MARK_WIDTH = 9
GAP = 3
COLUMN_GAP = 6
WINNER_ROWS = TITLE_ROWS + 10  # that the title and a name in middling letters need
TOTALS_ROWS = 22  # two lines in middling letters; three would crowd the winner
CROWN_ROWS = SIGN - 1  # the last one is dark
NOTHING = block([], font(8))


@dataclass(frozen=True, slots=True)
class Grid:
    """One way of setting the rows: columns of rows `pitch` pixels high in one size of letters."""

    columns: int
    size: int
    pitch: int


@dataclass(frozen=True, slots=True)
class Place:
    """One way of setting the end of a game: the totals, what stays above them, and therein the names."""

    totals: Block
    top: Box
    names: Box
    crowned: bool


# tried in this order; the first that shows every row whole is taken
GRIDS = (Grid(1, 12, 15), Grid(1, 10, 13), Grid(2, 10, 13), Grid(1, 8, 11), Grid(2, 8, 11))
CLOSEST = GRIDS[-1]  # else long names are cut short, and rows too many for that left out


def sheet(image: Image.Image, box: Box, shown: Sheet) -> None:
    """Names on the left, values on the right, a mark before the name."""
    if shown.title:
        line = box.top_part(TITLE_ROWS)
        set_block(image, line, one_line(shown.title, line, (10, 8)), align="centre")
        box = box.without_top(TITLE_ROWS)
    table(image, box, shown.rows)


def table(image: Image.Image, box: Box, rows: tuple[Row, ...]) -> None:
    grid = next((grid for grid in GRIDS if _holds(grid, box, rows)), CLOSEST)
    per_column = max(1, box.h // grid.pitch)
    marks = any(row.mark in MARKS for row in rows)
    spare = max(0, box.h - min(per_column, len(rows)) * grid.pitch) // 2
    for n, row in enumerate(rows[: per_column * grid.columns]):
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


def winner(image: Image.Image, box: Box, shown: Winner) -> None:
    """Who won, as large as it goes, the crown and every total; what does not fit whole beside the names is left out."""
    if not shown.names:
        _standings(image, box, shown)
        return
    names = " + ".join(shown.names)
    places = tuple(_places(box, shown))
    place = next((place for place in places if _whole(names, place.names)), places[-1])
    if place.crowned:
        crown(image, box.x, box.y + max(0, place.top.h - SIGN) // 2)
    if shown.title:
        line = Box(place.names.x, box.y, place.names.w, TITLE_ROWS)
        set_block(image, line, one_line(shown.title, line, (10, 8)))
    set_block(image, place.names, paragraph(names, place.names, SIZES))
    set_block(image, box.without_top(box.h - place.totals.height), place.totals, align="centre")


def _places(box: Box, shown: Winner) -> Iterator[Place]:
    """The ways of setting the page, the fullest first."""
    half, room = box.h // 2, max(box.h // 2, box.h - WINNER_ROWS - 1)
    for totals in (_totals(shown.rows, box.w, {10: min(half, TOTALS_ROWS), 8: room}), NOTHING):
        gap = min(GAP, max(1, box.h - totals.height - WINNER_ROWS)) if totals.lines else 0
        top = box.top_part(box.h - totals.height - gap)
        names = top.without_top(TITLE_ROWS if shown.title else 0)
        if top.h + gap >= CROWN_ROWS:
            yield Place(totals, top, names.without_left(SIGN + GAP), crowned=True)
        yield Place(totals, top, names, crowned=False)


def _whole(text: str, box: Box) -> bool:
    """Whether the text fits in letters that are easily read."""
    letters = font(10)
    return whole_words(text, letters, box.w) and block(wrapped(text, letters, box.w), letters).height <= box.h


def _standings(image: Image.Image, box: Box, shown: Winner) -> None:
    """Where nobody has won: every total, as large as they go."""
    below = box.without_top(TITLE_ROWS)
    totals = _totals(shown.rows, below.w, dict.fromkeys((18, 14, 12, 10, 8), below.h))
    line, sizes = (box.top_part(TITLE_ROWS), (10, 8)) if totals.lines else (box, SIZES)
    set_block(image, line, one_line(shown.title, line, sizes), align="centre")
    set_block(image, below, totals, align="centre")


def _totals(rows: tuple[Row, ...], width: int, rooms: Mapping[int, int]) -> Block:
    """Every player's total, in the first size of letters in which all fit into its room; none where they never do."""
    parts = [f"{row.name} {row.value}".strip() for row in rows]
    for size, height in rooms.items():
        totals = block(_gathered(parts, font(size), width), font(size))
        if totals.width <= width and totals.height <= height:
            return totals
    return NOTHING


def _gathered(parts: list[str], letters: Font, width: int) -> list[str]:
    """As many as fit on each line; a player and the total stay together."""
    lines: list[str] = []
    for part in parts:
        longer = f"{lines[-1]} · {part}" if lines else part
        if lines and letters.width(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(part)
    return lines
