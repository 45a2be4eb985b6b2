"""The body of a die: rounded, its pips sunk into it, and the atlas that says where they are painted."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tests.bench.staged.chance import Array
from tests.bench.staged.design import Design, pips
from tests.bench.staged.solids import Mesh

CELL_PX = 256  # a face in the atlas
BENT = 5  # parts of an edge's rounding, on either side
FRAMES = np.array(
    [
        [(1, 0, 0), (0, 1, 0), (0, 0, 1)],
        [(1, 0, 0), (0, -1, 0), (0, 0, -1)],
        [(0, 1, 0), (0, 0, 1), (1, 0, 0)],
        [(0, -1, 0), (0, 0, 1), (-1, 0, 0)],
        [(-1, 0, 0), (0, 0, 1), (0, 1, 0)],
        [(1, 0, 0), (0, 0, 1), (0, -1, 0)],
    ],
    float,
)
"""Of each face, in the order of a design's values: its right, its up and the way it looks, a right-handed frame."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The mesh of a die whose edge is 1, and 2 × 3 faces, 0–1: red where ink is, green where it is a red pip's."""

    mesh: Mesh
    atlas: Array


def upright(design: Design, value: int) -> Array:
    """The turn that brings the face of a value up, its right and up to x and y."""
    return np.asarray(FRAMES[design.values.index(value)])


def shape(design: Design, parts: int) -> Shape:
    """`parts`: of the flat of each face, each way."""
    grid = _grid(design.rounding, parts)
    count, vertices, unfolded, faces = len(grid), [], [], []
    atlas = np.zeros((2 * CELL_PX, 3 * CELL_PX, 3), np.float32)
    u, v = np.meshgrid(grid, grid)
    square = np.arange(count * count).reshape(count, count)
    quads = np.stack([square[:-1, :-1], square[:-1, 1:], square[1:, 1:], square[1:, :-1]], -1).reshape(-1, 4)
    for face, frame in enumerate(FRAMES):
        row, column = divmod(face, 3)
        value = design.values[face]
        surface = _rounded(design, u, v, frame) - _sunk(design, value, u, v)[..., None] * frame[2]
        vertices.append(surface.reshape(-1, 3))
        across, up = (np.clip((part + 1) / 2, 0.004, 0.996) for part in (u, v))
        unfolded.append(np.stack([(column + across) / 3, (row + up) / 2], -1).reshape(-1, 2))
        faces.append(quads + face * count * count)
        cell = atlas[row * CELL_PX : (row + 1) * CELL_PX, column * CELL_PX : (column + 1) * CELL_PX]
        cell[..., 0], cell[..., 1] = _inked(design, value), value in design.red
    corners = np.concatenate(faces)
    places = np.concatenate(unfolded)[corners.reshape(-1)]
    welded, which = _welded(np.concatenate(vertices))
    return Shape(Mesh(welded * 0.5, which[corners], places), atlas)


def _grid(rounding: float, parts: int) -> Array:
    """Where faces are cut: evenly where they are flat, by angle where they bend."""
    flat = 1 - rounding
    bent = flat + rounding * np.tan(np.linspace(0, math.pi / 4, BENT + 1)[1:])
    return np.concatenate([-bent[::-1], np.linspace(-flat, flat, parts + 1), bent])


def _rounded(design: Design, u: Array, v: Array, frame: Array) -> Array:
    """Places on the body without pips, for places on a cube's face."""
    flat = 1 - design.rounding
    cube = np.stack([u, v, np.ones_like(u)], -1) @ frame
    core = np.clip(cube, -flat, flat)
    away = cube - core
    round_edged = core + design.rounding * away / np.linalg.norm(away, axis=-1, keepdims=True)
    far = np.linalg.norm(round_edged, axis=-1, keepdims=True)
    return np.asarray(np.where(far > design.ball, round_edged * design.ball / far, round_edged))


def _sunk(design: Design, value: int, u: Array, v: Array) -> Array:
    """How deep pips go."""
    depth = np.zeros_like(u)
    for x, y, radius in pips(design, value):
        away = np.hypot(u - x, v - y) / radius
        match design.profile:
            case "sphere":
                hollow = np.sqrt(np.clip(1 - away**2, 0, 1))
            case "flat":
                hollow = np.clip((1.04 - away) / 0.18, 0, 1)
            case _:
                hollow = np.clip(1 - away, 0, 1)
        depth += hollow * design.depth * (1.4 if radius > design.pip * 1.1 else 1)
        if design.rim:
            depth -= 0.012 * np.exp(-(((away - 1.1) / 0.12) ** 2))
    return depth


def _inked(design: Design, value: int) -> Array:
    down, across = np.mgrid[0:CELL_PX, 0:CELL_PX]
    u, v = (2 * (part + 0.5) / CELL_PX - 1 for part in (across, down))
    ink = np.zeros((CELL_PX, CELL_PX))
    for x, y, radius in pips(design, value):
        inside = (radius * 0.985 - np.hypot(u - x, v - y)) * CELL_PX / 2
        ink = np.maximum(ink, np.clip(inside / 1.2 + 0.5, 0, 1))
    return ink


def _welded(vertices: Array) -> tuple[Array, Array]:
    """Vertices of faces that meet made one, and which one each has become."""
    _, first, which = np.unique(
        np.round(vertices * 1e5).astype(np.int64), axis=0, return_index=True, return_inverse=True
    )
    return vertices[first], which.reshape(-1)
