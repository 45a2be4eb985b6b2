"""Tables as text that lines up, and as CSV."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Sequence

Rows = Sequence[Sequence[str | int | None]]


def plain(text: str) -> str:
    """Text that cannot move a terminal's cursor: what is not printable becomes a dot."""
    return "".join(letter if letter.isprintable() else "·" for letter in text)


def as_text(columns: Sequence[str], rows: Rows) -> str:
    """A table whose numbers stand right and whose words stand left; nothing is a dash."""
    cells = [list(columns), *[["–" if cell is None else plain(str(cell)) for cell in row] for row in rows]]
    widths = [max(_width(row[place]) for row in cells) for place in range(len(columns))]
    right = [all(isinstance(row[place], int | None) for row in rows) for place in range(len(columns))]
    lines = ("  ".join(_padded(*each) for each in zip(row, widths, right, strict=True)) for row in cells)
    return "\n".join(line.rstrip() for line in lines)


def as_csv(columns: Sequence[str], rows: Rows) -> str:
    """RFC 4180 with `\\n`; a cell that a spreadsheet would take for a formula begins with an apostrophe, and none can
    move a terminal's cursor."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([[_harmless(cell) for cell in row] for row in rows])
    return written.getvalue()


def _harmless(cell: str | int | None) -> str | int | None:
    if not isinstance(cell, str):
        return cell
    shown = plain(cell)  # a tab or a return before a formula, which a spreadsheet would skip, is a dot
    return f"'{shown}" if shown.startswith(("=", "+", "-", "@")) else shown


def _padded(cell: str, width: int, right: bool) -> str:
    blanks = " " * (width - _width(cell))
    return blanks + cell if right else cell + blanks


def _width(text: str) -> int:
    """Columns on a terminal: wide letters take two, combining marks none (Unicode Standard Annex 11)."""
    return sum(
        2 if unicodedata.east_asian_width(letter) in "WF" else not unicodedata.combining(letter) for letter in text
    )
