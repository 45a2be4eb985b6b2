"""The tray in a picture: its corners, how large it is, and how the camera looks at it.

Each sticker is a square of known size in the floor's plane, pressed into a corner of the tray. That alone fixes the
plane's homography but for the tray's width and depth; those two are found by least squares over all sixteen corners.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.edges import mapped, refined
from calibration.markers import CELLS, DICTIONARY, SETS, Stickers, cells
from companion.ports import Floats, Mask, Picture

ROUNDS = 12  # Gauss-Newton converges in about five
STEP_MM = 0.05
GUESSED_FOCAL = 1.2  # of the picture's width: where a tray seen straight down does not tell
AROUND = 1.15  # times a sticker: its edge is soft, and it may have been pushed
SMALLEST_PX = 1.5 * CELLS  # a marker's shortest side: what looks like a smaller one is spotted cloth, or noise


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Markers that were seen: number of each and its four corners in pixels, far left first, clockwise."""

    numbers: tuple[int, ...]
    corners: tuple[Floats, ...]

    def of(self, stickers: Stickers) -> dict[int, Floats]:
        """By place in the tray, 0-3."""
        pairs = zip(self.numbers, self.corners, strict=True)
        return {number - stickers.first: c for number, c in pairs if 0 <= number - stickers.first < 4}


@dataclass(frozen=True, slots=True, eq=False)
class Tray:
    """`corners`: of the floor, pixels, far left first, clockwise (4 × 2). `to_mm`: 3 × 3 from pixels to the floor.

    `off_mm`: how far the markers lie from where they belong, at most: stickers not in their corners, or a bent lens.
    """

    corners: Floats
    size_mm: tuple[float, float]
    to_mm: Floats
    off_mm: float = 0.0

    @property
    def mm_per_px(self) -> float:
        """At the middle of the tray: the side of a square as large as the floor that a pixel covers there."""
        middle = mapped(np.linalg.inv(self.to_mm), np.array([[self.size_mm[0] / 2, self.size_mm[1] / 2]]))[0]
        return self.mm_per_px_at(middle)

    def mm_per_px_at(self, pixel: Floats) -> float:
        """As `mm_per_px`, at a pixel."""
        (a, b), (c, d) = self.to_mm_near(pixel)
        return math.sqrt(abs(float(a * d - b * c)))

    def to_mm_near(self, pixel: Floats) -> Floats:
        """2 × 2: from pixels to millimetres around a pixel."""
        at, right, down = self.mm(pixel + np.array([(0, 0), (1, 0), (0, 1)]))
        return np.column_stack([right - at, down - at])

    def mm(self, points: Floats) -> Floats:
        """N × 2 pixels to millimetres on the floor."""
        return mapped(self.to_mm, points)

    def in_picture(self, width: int, height: int) -> tuple[bool, ...]:
        """Which of the corners lie in a picture of that size."""
        return in_picture(self.corners, width, height)

    def mask(self, width: int, height: int) -> Mask:
        """Non-zero where the floor is, and so where dice can lie."""
        drawn = np.zeros((height, width), np.uint8)
        cv2.fillConvexPoly(drawn, np.asarray(np.round(self.corners), np.int32), 255)
        return drawn

    def floor(self, width: int, height: int, quads: Iterable[Floats], grown: float) -> Mask:
        """As `mask`, but for where stickers lie. `quads`: their black squares; a whole one is `grown` times as wide."""
        drawn = self.mask(width, height)
        for quad in quads:
            middle = quad.mean(axis=0)
            cv2.fillConvexPoly(drawn, np.asarray(np.round(middle + AROUND * grown * (quad - middle)), np.int32), 0)
        return drawn


def find_markers(picture: Picture) -> Found:
    """All markers of the sets. Corners are refined where light is linear, so that blur moves no edge."""
    detector = cv2.aruco.ArucoDetector(DICTIONARY, _looking())
    quads, numbers, _rejected = detector.detectMarkers(picture)
    if numbers is None:
        return Found((), ())
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32) / 255
    linear = np.asarray(grey * grey, np.float32)
    seen = [
        (int(number), np.asarray(quad.reshape(4, 2), np.float64))
        for number, quad in zip(numbers.ravel(), quads, strict=True)  # OpenCV 4 gives n × 1, 5 gives n
    ]
    seen = [(number, quad) for number, quad in seen if _of_the_sets(number) and _shortest_px(quad) >= SMALLEST_PX]
    return Found(
        tuple(number for number, _ in seen), tuple(refined(linear, quad, cells(number)) for number, quad in seen)
    )


def _of_the_sets(number: int) -> bool:
    return any(0 <= number - stickers.first < 4 for stickers in SETS)


def _shortest_px(quad: Floats) -> float:
    """Of the four sides."""
    return float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).min())


def _looking() -> cv2.aruco.DetectorParameters:
    """Wider windows and rounder corners than usual: blurred markers are found, and then told to be blurred."""
    wanted = cv2.aruco.DetectorParameters()
    wanted.adaptiveThreshWinSizeMax = 63
    wanted.adaptiveThreshWinSizeStep = 10
    wanted.polygonalApproxAccuracyRate = 0.06
    wanted.perspectiveRemovePixelPerCell = 8
    return wanted


def set_in(found: Found) -> Stickers | None:
    """The set of which most lies there; None without any."""
    most = max(SETS, key=lambda stickers: len(found.of(stickers)))
    return most if found.of(most) else None


def mixed_up(seen: dict[int, Floats]) -> bool:
    """Do the four lie in each other's corners: not one after the other clockwise, or all of them turned alike."""
    middles = np.array([seen[place].mean(axis=0) for place in range(4)], np.float32)
    clockwise = cv2.isContourConvex(middles) and cv2.contourArea(middles, True) > 0
    return not clockwise or len(turned(seen)) == 4


def turned(seen: dict[int, Floats]) -> tuple[int, ...]:
    """The places of those among the four whose top does not lie at the tray's far side."""
    return tuple(place for place in range(4) if _quarters(seen, place) != place)


def _quarters(seen: dict[int, Floats], place: int) -> int:
    """Into which of its own directions the next one lies: 0 to its right, then clockwise.

    What slants the tray slants a marker's sides alike: along a wall they go on into each other.
    """
    quad = seen[place]
    right, down = (quad[1] + quad[2] - quad[0] - quad[3]) / 2, (quad[2] + quad[3] - quad[0] - quad[1]) / 2
    there = seen[(place + 1) % 4].mean(axis=0) - quad.mean(axis=0)
    x, y = np.linalg.solve(np.column_stack([right, down]), there)
    return round(math.atan2(y, x) / (math.pi / 2)) % 4


def measure(found: Found, stickers: Stickers) -> Tray:
    """The tray from its four markers. Raises ValueError when one is missing or they fit no tray."""
    seen = found.of(stickers)
    if len(seen) != 4:
        raise ValueError(f"{len(seen)} of 4 markers seen")
    if mixed_up(seen) or turned(seen):
        raise ValueError("the markers do not lie in the corners of one tray")
    pixels = np.concatenate([seen[place] for place in range(4)])
    size = _guess(seen, stickers)
    for _ in range(ROUNDS):
        size = _better(size, pixels, stickers)
        if not (np.isfinite(size).all() and (size > 2 * stickers.side_mm).all()):
            raise ValueError("the markers do not lie in the corners of one tray")
    to_px, off = _fit(size, pixels, stickers)
    to_mm = np.asarray(np.linalg.inv(to_px))
    width, depth = float(size[0]), float(size[1])
    floor = np.array([(0, 0), (width, 0), (width, depth), (0, depth)])
    tray = Tray(mapped(to_px, floor), (width, depth), to_mm)
    off_mm = float(np.abs(off).max()) * tray.mm_per_px
    return Tray(tray.corners, tray.size_mm, to_mm, off_mm)


def in_picture(pixels: Floats, width: int, height: int) -> tuple[bool, ...]:
    """Which of them (n × 2) lie in a picture of that size."""
    return tuple(bool(-0.5 < x < width - 0.5 and -0.5 < y < height - 0.5) for x, y in pixels)


def by_hand(corners: Floats, size_mm: tuple[float, float]) -> Tray:
    """The tray from its corners in pixels, far left first and clockwise, and its measured size.

    Raises ValueError where they are no such corners.
    """
    points = np.asarray(corners, np.float32)
    if points.shape != (4, 2) or not cv2.isContourConvex(points) or cv2.contourArea(points, True) <= 0:
        raise ValueError("the four corners of a tray go clockwise, from the far left one, and cross nowhere")
    width, depth = size_mm
    floor = np.array([(0, 0), (width, 0), (width, depth), (0, depth)], np.float32)
    return Tray(np.asarray(points, np.float64), size_mm, np.asarray(cv2.getPerspectiveTransform(points, floor)))


def tilt_deg(tray: Tray, picture_size: tuple[int, int]) -> float:
    """Between the line of sight and straight down, for square pixels and a lens centred on the picture.

    The focal length follows from the two axes of the floor being at right angles and alike in scale (Zhang 2000,
    section 3.1), or is guessed where the view is too straight to tell.
    """
    one, two = axes(tray, picture_size)
    focal = _focal(one, two, GUESSED_FOCAL * picture_size[0])
    first, second = one / (focal, focal, 1), two / (focal, focal, 1)
    normal = np.cross(first / np.linalg.norm(first), second / np.linalg.norm(second))
    return math.degrees(math.acos(min(1.0, abs(float(normal[2])) / float(np.linalg.norm(normal)))))


def axes(tray: Tray, picture_size: tuple[int, int]) -> tuple[Floats, Floats]:
    """A millimetre of the floor's width and one of its depth, as homogeneous pixels from the picture's middle."""
    width, height = picture_size
    centred = np.array([[1, 0, -(width - 1) / 2], [0, 1, -(height - 1) / 2], [0, 0, 1.0]])
    to_px = centred @ np.linalg.inv(tray.to_mm)
    return np.asarray(to_px[:, 0]), np.asarray(to_px[:, 1])


def _focal(one: Floats, two: Floats, guess: float) -> float:
    plane = one[0] * two[0] + one[1] * two[1], one[0] ** 2 + one[1] ** 2 - two[0] ** 2 - two[1] ** 2
    depth = one[2] * two[2], one[2] ** 2 - two[2] ** 2
    strength = depth[0] ** 2 + depth[1] ** 2
    square = -(plane[0] * depth[0] + plane[1] * depth[1]) / strength if strength > 0 else -1.0
    focal = math.sqrt(square) if square > 0 else guess
    return focal if guess / 3 < focal < 4 * guess else guess


def _guess(seen: dict[int, Floats], stickers: Stickers) -> Floats:
    middles = [seen[place].mean(axis=0) for place in range(4)]
    sides = [np.linalg.norm(seen[p] - np.roll(seen[p], -1, axis=0), axis=1).mean() for p in range(4)]
    mm = stickers.side_mm / float(np.mean(sides))
    pairs = (((0, 1), (3, 2)), ((0, 3), (1, 2)))
    apart = [np.mean([np.linalg.norm(middles[b] - middles[a]) for a, b in pair]) * mm for pair in pairs]
    return np.array(apart) + stickers.whole_mm


def _better(size: Floats, pixels: Floats, stickers: Stickers) -> Floats:
    _, off = _fit(size, pixels, stickers)
    slopes = np.column_stack(
        [(_fit(size + np.eye(2)[i] * STEP_MM, pixels, stickers)[1] - off) / STEP_MM for i in (0, 1)]
    )
    change, *_rest = np.linalg.lstsq(slopes, -off, rcond=None)
    return np.asarray(size + change)


def _fit(size: Floats, pixels: Floats, stickers: Stickers) -> tuple[Floats, Floats]:
    """Homography to pixels for a tray of this size, and by how many pixels each coordinate misses it."""
    floor = np.concatenate([stickers.corners_mm(place, (float(size[0]), float(size[1]))) for place in range(4)])
    to_px, _inliers = cv2.findHomography(floor, pixels)
    if to_px is None:
        raise ValueError("the markers do not lie in the corners of one tray")
    matrix = np.asarray(to_px, np.float64)
    return matrix, np.asarray((mapped(matrix, floor) - pixels).ravel())
