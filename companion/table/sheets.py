"""Score sheets on as many pages as it takes to show every row whole on the small screen."""

from __future__ import annotations

from companion.view import Row, Sheet

MANY, FEW = 6, 3  # rows of a page whose names are all short, and of others
SHORT, DIGITS = 8, 3  # letters and digits that two columns hold beside a mark


def paged(title: str, rows: tuple[Row, ...]) -> tuple[Sheet, ...]:
    """The rows in their order, about as many on each page; where one is long, few and large ones."""
    most = MANY if all(_is_short(row) for row in rows) else FEW
    pages = -(-len(rows) // most)
    each = -(-len(rows) // pages)
    return tuple(Sheet(title, rows[at : at + each]) for at in range(0, len(rows), each))


def _is_short(row: Row) -> bool:
    """What stands beside the digits is about as wide as two letters each."""
    return len(row.name) + 2 * max(0, len(row.value) - DIGITS) <= SHORT
