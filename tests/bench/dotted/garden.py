"""Ladybirds, toadstools and biscuits."""

from __future__ import annotations

import math

import cv2
import numpy as np

from tests.bench.dotted.palette import BLACK, ORANGE, PURPLE, RED, WHITE, YELLOW, Point, cloud, near, one_of
from tests.bench.dotted.piece import (
    Piece,
    area,
    bevel,
    blank,
    button_shape,
    disc,
    dome,
    dye,
    ellipse,
    lift,
    line,
    mottle,
    oval,
    polygon,
    slab,
)
from tests.bench.dotted.scene import Scene, any_turn, place, some, spots


def ladybirds(scene: Scene) -> None:
    """Ladybirds from above, live or wooden."""
    for at, span in spots(scene, some(scene)):
        piece = _ladybird(scene.rng, span)
        place(scene, piece, at, any_turn(scene.rng), tall=0.3)


def _ladybird(rng: np.random.Generator, span: float) -> Piece:
    side = span * 1.3
    shell = one_of(rng, (RED, RED, (35, 70, 215), ORANGE, YELLOW))
    piece = blank(side, side, BLACK, span * 0.05, rng.uniform(0.3, 0.9))
    mid = side / 2
    for way in (-1, 1):
        for leg, (x, y) in enumerate(((-0.34, 0.46), (0.0, 0.54), (0.3, 0.5))):
            root, knee = (mid + span * x * 0.7, mid + way * span * 0.3), (mid + span * x, mid + way * span * y * 0.9)
            end = (mid + span * (x + 0.06 * (leg - 1)), mid + way * span * y * 1.1)
            line(piece.mask, (root, knee, end), span * 0.035, 255)
        feeler = ((mid + span * 0.45, mid + way * span * 0.08), (mid + span * 0.6, mid + way * span * 0.2))
        line(piece.mask, feeler, span * 0.02, 255)
    body, head = area(piece), area(piece)
    oval(head, (mid + span * 0.4, mid), span * 0.15, span * 0.2)
    oval(body, (mid - span * 0.06, mid), span * 0.44, span * 0.39)
    neck = area(piece)
    oval(neck, (mid + span * 0.3, mid), span * 0.17, span * 0.3)
    piece.mask |= head | body | neck
    for way in (-1, 1):
        cheek = area(piece)
        oval(cheek, (mid + span * 0.35, mid + way * span * 0.18), span * 0.05, span * 0.075, way * 0.5)
        dye(piece, cheek, WHITE)
    dye(piece, body, shell)
    marks = area(piece)
    pairs = ((-0.02, 0.2), (-0.25, 0.16), (0.14, 0.25), (-0.16, 0.3))[: int(rng.integers(1, 5))]
    for x, y in pairs:
        size = span * rng.uniform(0.055, 0.085)
        for way in (-1, 1):
            oval(marks, (mid + span * x, mid + way * span * y), size, size * rng.uniform(0.85, 1.1), way * 0.3)
    oval(marks, (mid + span * 0.24, mid), span * 0.1, span * 0.07)
    line(marks, ((mid + span * 0.3, mid), (mid - span * 0.5, mid)), span * 0.018, 255)
    dye(piece, marks & body, BLACK)
    dome(piece, (mid - span * 0.06, mid), span * 0.45, span * 0.4, span * 0.26)
    dome(piece, (mid + span * 0.38, mid), span * 0.18, span * 0.24, span * 0.12)
    return piece


def toadstools(scene: Scene) -> None:
    """Toadstools with white spots, from above or lying on their side."""
    rng = scene.rng
    for at, span in spots(scene, some(scene)):
        if rng.random() < 0.6:
            place(scene, _cap(rng, span), at, any_turn(rng), tall=0.4)
        else:
            place(scene, _lying(rng, span), at, any_turn(rng), tall=0.3)


def _cap(rng: np.random.Generator, span: float) -> Piece:
    piece, middle, radius = button_shape(span, one_of(rng, (RED, RED, (30, 70, 210), (60, 100, 150))), span * 0.1, 0.5)
    piece.mask[:] = 0
    rim = ellipse(middle, radius, radius, corners=36) - middle
    wobble = cv2.GaussianBlur(rng.normal(0, 0.05, (1, 36)), (0, 0), 2)[0]
    polygon(piece.mask, rim * (0.97 + wobble)[:, None] + middle)
    dome(piece, middle, radius * 1.02, radius * 1.02, span * rng.uniform(0.2, 0.4))
    _warts(piece, rng, middle, radius * 0.85, span)
    return piece


def _warts(piece: Piece, rng: np.random.Generator, middle: Point, reach: float, span: float) -> None:
    warts = area(piece)
    toy = rng.random() < 0.4
    for _ in range(int(rng.integers(5, 22))):
        away, around = reach * math.sqrt(rng.random()), any_turn(rng)
        size = span * (rng.uniform(0.05, 0.085) if toy else rng.uniform(0.02, 0.06))
        at = (middle[0] + away * math.cos(around), middle[1] + away * math.sin(around))
        squeeze = max(0.45, math.sqrt(max(0.0, 1 - (away / reach) ** 2)))
        points = ellipse(at, size * squeeze, size, around, 14)
        polygon(warts, points if toy else points + rng.normal(0, size * 0.14, points.shape))
    warts &= piece.mask
    dye(piece, warts, near(rng, (215, 228, 235), 8))
    if not toy:
        lift(piece, warts, span * 0.02, span * 0.01)


def _lying(rng: np.random.Generator, span: float) -> Piece:
    piece = blank(span + 4, span + 4, near(rng, (195, 215, 228), 8), span * 0.02, 0.3)
    mid = span / 2 + 2
    stem = [
        (mid - span * 0.1, span * 0.4),
        (mid + span * 0.1, span * 0.4),
        (mid + span * 0.15, span),
        (mid - span * 0.15, span),
    ]
    polygon(piece.mask, stem)
    oval(piece.mask, (mid, span * 0.97), span * 0.15, span * 0.05)
    lift(piece, piece.mask, span * 0.12, span * 0.04)
    cap, gills = area(piece), area(piece)
    arc = ellipse((mid, span * 0.5), span * 0.48, span * 0.46)
    polygon(cap, [(x, min(y, span * 0.52)) for x, y in arc])
    oval(gills, (mid, span * 0.52), span * 0.46, span * 0.06)
    piece.mask |= cap | gills
    dye(piece, gills, (165, 190, 205))
    dye(piece, cap, one_of(rng, (RED, RED, (30, 70, 210), PURPLE)))
    lift(piece, cap, span * 0.2, span * 0.09)
    only = blank(span + 4, span + 4, RED)
    only.mask = cap
    only.colour = piece.colour
    _warts(only, rng, (mid, span * 0.32), span * 0.38, span)
    piece.colour, piece.relief = only.colour, piece.relief + only.relief
    return piece


def biscuits(scene: Scene) -> None:
    """Biscuits and crackers with the holes that a baker pricks."""
    rng = scene.rng
    shape = int(rng.integers(3))
    for at, span in spots(scene, some(scene, 50)):
        place(scene, _biscuit(rng, span, shape), at, any_turn(rng))


def _biscuit(rng: np.random.Generator, span: float, shape: int) -> Piece:
    wide, high = span, span * (1.0 if shape == 0 else rng.choice((0.6, 0.72, 1.0)))
    piece = blank(wide + 8, high + 8, near(rng, (115, 175, 220), 10), span * 0.09, 0.05)
    mid = ((wide + 8) / 2, (high + 8) / 2)
    if shape == 0:
        disc(piece.mask, mid, span / 2)
    else:
        slab(piece.mask, 4, 4, wide, high, span * 0.06)
    if rng.random() < 0.6:  # a wavy edge
        step = span * 0.07
        if shape == 0:
            edge = [(mid[0] + span / 2 * math.cos(a), mid[1] + span / 2 * math.sin(a)) for a in np.arange(0, 6.28, 0.2)]
        else:
            across, down = np.arange(4 + step / 2, wide + 4, step), np.arange(4 + step / 2, high + 4, step)
            edge = [(x, y) for x in across for y in (4.0, high + 4)] + [(x, y) for y in down for x in (4.0, wide + 4)]
        for at in edge:
            disc(piece.mask, at, step * 0.3, 0)
    baked = cv2.GaussianBlur(255 - piece.mask, (0, 0), span * 0.05)
    dye(piece, cv2.convertScaleAbs(baked, alpha=1.3), (45, 95, 150))
    mottle(piece, rng, 9, (int(span / 5) + 2, 5, 2))
    holes = area(piece)
    nx = int(rng.integers(2, 6))
    ny = nx if shape == 0 else max(2, round(nx * high / wide))
    size = span * rng.uniform(0.014, 0.028)
    for x in np.linspace(-0.32, 0.32, nx) * wide:
        for y in np.linspace(-0.3, 0.3, ny) * high:
            disc(holes, (mid[0] + x + rng.normal(0, 1), mid[1] + y + rng.normal(0, 1)), size)
    dye(piece, holes, (45, 75, 110))
    lift(piece, holes, -span * 0.04, span * 0.012)
    bevel(piece, span * 0.02, span * 0.05)
    piece.relief += cloud(piece.mask.shape, rng, (int(span / 8) + 2, 6)) * np.float32(span * 0.006)
    return piece
