"""A plot of how often each face came: bars, what fair dice give, and how far chance alone goes."""

from __future__ import annotations

import math
from collections.abc import Iterator

from companion.history.drawing import HEIGHT, INK, PALE, PAPER, WIDTH, Box, Shape, Word
from companion.history.statistics import Fairness

LEFT, RIGHT, TOP, BOTTOM = 60, 20, 60, 60
BAR, BAND, LINE = "#3b78c3", "#f2d7a0", "#c0392b"


def drawn(fairness: Fairness, title: str) -> Iterator[Shape]:
    """The shapes, from back to front. Something was thrown."""
    spread = 2 * math.sqrt(fairness.expected * (1 - 1 / len(fairness.faces)))  # binomial, about 95 of 100 bars
    most = max(*fairness.counts, fairness.expected + spread) * 1.1
    yield Box(0, 0, WIDTH, HEIGHT, PAPER)
    yield Word(WIDTH / 2, 22, title, 18)
    yield Word(WIDTH / 2, 44, _told(fairness), 12, colour=PALE)
    yield Box(LEFT, _y(fairness.expected + spread, most), WIDTH - RIGHT, _y(fairness.expected - spread, most), BAND)
    for place, (face, count) in enumerate(zip(fairness.faces, fairness.counts, strict=True)):
        yield from _bar(place, len(fairness.faces), face, count, most)
    yield Box(LEFT, _y(fairness.expected, most) - 1, WIDTH - RIGHT, _y(fairness.expected, most) + 1, LINE)
    yield Word(LEFT - 6, _y(fairness.expected, most), f"{fairness.expected:.1f}", 12, "end", LINE)
    yield Word(LEFT - 6, HEIGHT - BOTTOM, "0", 12, "end", PALE)
    yield Word(
        WIDTH / 2, HEIGHT - 14, "line: fair dice · shaded: where 95 of 100 bars of fair dice end", 12, colour=PALE
    )


def _bar(place: int, places: int, face: str, count: int, most: float) -> Iterator[Shape]:
    slot = (WIDTH - LEFT - RIGHT) / places
    middle = LEFT + slot * (place + 0.5)
    yield Box(middle - slot * 0.3, _y(count, most), middle + slot * 0.3, HEIGHT - BOTTOM, BAR)
    inside = _y(count, most) < HEIGHT - BOTTOM - 24  # a low bar has its number on top
    yield Word(
        middle, HEIGHT - BOTTOM - 12 if inside else _y(count, most) - 10, str(count), colour=PAPER if inside else INK
    )
    yield Word(middle, HEIGHT - BOTTOM + 16, face)


def _y(count: float, most: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * max(0.0, count) / most


def _told(fairness: Fairness) -> str:
    few = "" if fairness.enough else " · too few throws to judge"
    return f"{fairness.told} · chi-square {fairness.chi_square:.2f} · p = {fairness.p:.3f}{few}"
