"""A bar on stderr for long work; nothing but its end where nobody watches."""

from __future__ import annotations

import sys

BAR = 30
WIDEST = BAR + len("[] 999999/999999")
MANY = 100  # games: fewer take no longer than one waits without a word, also on a Pi


def bar(done: int, whole: int) -> None:
    if sys.stderr.isatty() or done == whole:
        full = BAR * done // whole
        end = "\n" if done == whole else ""
        sys.stderr.write(f"\r[{'#' * full}{'.' * (BAR - full)}] {done}/{whole}{end}")
        sys.stderr.flush()


def beside_bar(line: str) -> None:
    """What is to be said meanwhile takes the place of the bar, whose next one stands below it."""
    wiped = f"\r{'':{WIDEST}}\r" if sys.stderr.isatty() else ""
    sys.stderr.write(f"{wiped}{line}\n")


def bar_of_many(done: int, whole: int) -> None:
    """The same, where somebody watches so much that it takes long."""
    if whole >= MANY and sys.stderr is not None and sys.stderr.isatty():
        bar(done, whole)
