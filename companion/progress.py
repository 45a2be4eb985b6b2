"""A bar on stderr for long work; nothing but its end where nobody watches."""

from __future__ import annotations

import sys

BAR = 30


def bar(done: int, whole: int) -> None:
    if sys.stderr.isatty() or done == whole:
        full = BAR * done // whole
        end = "\n" if done == whole else ""
        sys.stderr.write(f"\r[{'#' * full}{'.' * (BAR - full)}] {done}/{whole}{end}")
        sys.stderr.flush()
