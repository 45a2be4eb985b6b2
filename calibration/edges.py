"""A marker's corners to a small part of a pixel.

First by its four sides, whose crossings blur does not round. Then by all the edges between its black and white cells:
spread ink, an overexposed white and the camera's gamma move an edge from black to white one way and one from white to
black the other, so both kinds together tell that shift, which the outer sides alone cannot tell from the size.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.markers import CELLS
from companion.ports import Floats, Picture

FARTHEST_PX = 6.0  # that a side's line may move a corner; beyond, something else was taken for a side
SMALLEST_CELL_PX = 3.0  # of cells that are narrower, blur mixes the edges
REACH = 0.45  # of a cell, to each side of an edge
TICK_PX = 0.5  # between two samples across an edge: sharp edges lie between two of them
ENDS = 0.2  # of the samples across an edge, at either end: black, and white
ALONG = (0.2, 0.35, 0.5, 0.65, 0.8)  # of a cell's side: where its edge is looked at
ROUNDS = 3
ODD = 3.0  # times the median miss: an edge that something lies on
FEWEST = 40  # edge points for nine unknowns


def refined(linear: Floats, quad: Floats, pattern: Picture) -> Floats:
    """Of a marker whose cells are `pattern`, in a picture of linear light: 4 × 2 pixels, as `quad` roughly has them."""
    rough = by_sides(linear, quad)
    found = rough
    for _ in range(ROUNDS):
        better = _by_cells(linear, found, pattern)
        if better is None or np.linalg.norm(better - rough, axis=1).max() > FARTHEST_PX:
            return found
        found = better
    return found


def by_sides(linear: Floats, quad: Floats) -> Floats:
    """The corners as crossings of the four sides: blur rounds a corner inward, but leaves a straight side in place."""
    rough = np.asarray(quad, np.float64)
    sides = [_side(linear, rough[i], rough[(i + 1) % 4]) for i in range(4)]
    corners = [_crossing(sides[i - 1], sides[i]) for i in range(4)]
    good = all(c is not None and np.linalg.norm(c - r) < FARTHEST_PX for c, r in zip(corners, rough, strict=True))
    return np.array(corners) if good else rough


def _side(linear: Floats, start: Floats, end: Floats) -> Floats:
    """The line (a, b, c with ax + by = c) along which black turns white, halfway between both in linear light."""
    along = (end - start) / np.linalg.norm(end - start)
    outward = np.array([along[1], -along[0]])  # corners run clockwise in a picture whose y points down
    reach = max(2.5, float(np.linalg.norm(end - start)) / 14)  # less than a cell
    ticks = _ticks(reach, reach)
    places = start + np.linspace(0.15, 0.85, 24)[:, None] * (end - start)
    grid = places[:, None, :] + ticks[None, :, None] * outward
    columns, rows = (np.ascontiguousarray(grid[..., i], np.float32) for i in (0, 1))
    seen = cv2.remap(linear, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    edge = np.array([halfway(row, ticks) for row in np.asarray(seen, np.float64)])
    points = (places + edge[:, None] * outward)[np.isfinite(edge)].astype(np.float32)
    if len(points) < 6:
        points = np.array([start, end], np.float32)
    vx, vy, x, y = cv2.fitLine(points, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
    return np.array([vy, -vx, vy * x - vx * y])


def halfway(profile: Floats, ticks: Floats) -> float:
    """Where a rising profile passes the middle between its ends; not-a-number where it does not rise."""
    end = max(2, round(ENDS * len(profile)))
    low, high = float(profile[:end].mean()), float(profile[-end:].mean())
    level = (low + high) / 2
    over = np.flatnonzero((profile[:-1] < level) & (profile[1:] >= level))
    if high - low < 0.05 or not len(over):
        return math.nan
    i = int(over[np.argmin(np.abs(ticks[over]))])
    share = (level - profile[i]) / (profile[i + 1] - profile[i])
    return float(ticks[i] + share * (ticks[i + 1] - ticks[i]))


def _crossing(one: Floats, two: Floats) -> Floats | None:
    turn = np.array([one[:2], two[:2]])
    return None if abs(np.linalg.det(turn)) < 0.1 else np.asarray(np.linalg.solve(turn, [one[2], two[2]]))


def _ticks(reach: float, reach_px: float) -> Floats:
    """Where a profile is sampled: as far as `reach` to each side, which is so many pixels."""
    return np.linspace(-reach, reach, 2 * max(6, math.ceil(reach_px / TICK_PX)) + 1)


@dataclass(frozen=True, slots=True)
class Edge:
    """A point of an edge in cells from the marker's corner. `axis`: 0 where u crosses it, 1 where v does.

    `way`: 1 where black turns white as that coordinate grows, else -1.
    """

    u: float
    v: float
    axis: int
    way: int


def _edges(pattern: Picture) -> Iterator[Edge]:
    """Between every two cells that differ, and between the black border and the white around it."""
    white = np.pad(pattern > 127, 1, constant_values=True)
    for row in range(CELLS):
        for line in range(CELLS + 1):
            across = int(white[row + 1, line + 1]) - int(white[row + 1, line])
            down = int(white[line + 1, row + 1]) - int(white[line, row + 1])
            for along in ALONG:
                if across:
                    yield Edge(line, row + along, 0, across)
                if down:
                    yield Edge(row + along, line, 1, down)


def _by_cells(linear: Floats, quad: Floats, pattern: Picture) -> Floats | None:
    """The corners that fit all edges best; None where too few were seen.

    The homography is corrected by its eight first-order terms; a ninth unknown is the shift of black into white.
    """
    if np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1).mean() < SMALLEST_CELL_PX * CELLS:
        return None
    to_px = cv2.getPerspectiveTransform(SQUARE.astype(np.float32), quad.astype(np.float32)).astype(np.float64)
    edges = tuple(_edges(pattern))
    off = _offsets(linear, to_px, edges)
    seen = np.isfinite(off)
    terms = np.array([_terms(edge) for edge in edges])
    for _ in range(2):
        if seen.sum() < FEWEST:
            return None
        solved, *_rest = np.linalg.lstsq(terms[seen], off[seen], rcond=None)
        miss = np.abs(terms @ solved - off)
        seen &= miss <= max(ODD * float(np.median(miss[seen])), 0.01)
    moved = [(u + _shift(u, v, 0, solved), v + _shift(u, v, 1, solved)) for u, v in SQUARE]
    return mapped(to_px, np.array(moved))


SQUARE = np.array([(0, 0), (CELLS, 0), (CELLS, CELLS), (0, CELLS)], np.float64)


def _terms(edge: Edge) -> Floats:
    return np.append(_slopes(edge.u, edge.v, edge.axis), edge.way)


def _slopes(u: float, v: float, axis: int) -> Floats:
    """How far a point moves along `axis` with each of a homography's eight first-order terms."""
    x, y = 2 * u / CELLS - 1, 2 * v / CELLS - 1
    straight = (1, x, y, 0, 0, 0) if axis == 0 else (0, 0, 0, 1, x, y)
    along = x if axis == 0 else y
    return np.array([*straight, x * along, y * along], np.float64)


def _shift(u: float, v: float, axis: int, solved: Floats) -> float:
    return float(_slopes(u, v, axis) @ solved[:8])


def _offsets(linear: Floats, to_px: Floats, edges: tuple[Edge, ...]) -> Floats:
    """How far from its place each edge is seen, in cells; not-a-number where none is seen."""
    cell_px = float(np.linalg.norm(mapped(to_px, SQUARE[1:2]) - mapped(to_px, SQUARE[:1]))) / CELLS
    ticks = _ticks(REACH, REACH * cell_px)
    steps = np.array([((1, 0), (0, 1))[edge.axis] for edge in edges], np.float64)
    places = np.array([(edge.u, edge.v) for edge in edges])
    grid = places[:, None, :] + ticks[None, :, None] * steps[:, None, :]
    at = mapped(to_px, grid.reshape(-1, 2)).reshape(grid.shape)
    columns, rows = (np.ascontiguousarray(at[..., i], np.float32) for i in (0, 1))
    seen = cv2.remap(linear, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    profiles = np.asarray(seen, np.float64)
    return np.array(
        [
            halfway(profile, ticks) if edge.way > 0 else -halfway(profile[::-1], ticks)
            for edge, profile in zip(edges, profiles, strict=True)
        ]
    )


def mapped(homography: Floats, points: Floats) -> Floats:
    """N × 2 points through a 3 × 3 homography."""
    flat = np.column_stack([points, np.ones(len(points))]) @ homography.T
    return np.asarray(flat[:, :2] / flat[:, 2:])
