"""Is the camera's picture of the tray good enough to read dice in, and if not, what is wrong, in plain words.

Everything is measured on the stickers, whose black and white are known, before anything is stored.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.markers import CELLS, Stickers
from calibration.tray import Found, Tray, measure, mixed_up, set_in, tilt_deg, turned
from companion.locale import N_, Texts
from companion.ports import Floats, Mask, Picture
from companion.vision.noise import noise

# Limits, each by what a die of 16 mm with pips of 3 mm needs.
DARKEST_WHITE = 95.0  # grey level of white paper
BRIGHTEST_BLACK = 140.0  # of printer's black: haze or a lamp in the lens
BURNT = 250  # noise and JPEG keep burnt-out white a little below 255
WIDEST_BLUR_CELLS = 0.19  # sigma of an edge in cells of a marker: beyond, its sides are not where they seem
BURNT_SHARE = 0.5  # of a sticker's white that may be burnt out before whites tell nothing
WIDEST_BLUR_MM = 0.75  # sigma of an edge: a quarter of a pip
STEEPEST_DEG = 33.0  # beyond, side faces show as much as the top
COARSEST_MM_PER_PX = 0.62  # a die of 26 pixels
NOISIEST = 14.0  # grey levels of noise on the floor
UNEVEN = 0.55  # the darkest sticker's white to the brightest's
GLARE_MM2 = 60.0  # a burnt-out spot as large as half a face of a die
LOOSE_MM = 1.2  # that stickers may lie off their corners
DARKEST_LIGHT = 60.0  # grey level that the brightest fiftieth of a picture without stickers reaches


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong. `kind`: one of FAULTS, in which its title and remedy are, in the players' words.

    `where`: what stands for {where} in the title: one of PLACES, or a marker's number; "" where there is none.
    """

    kind: str
    where: str = ""

    def words(self, _: Texts) -> tuple[str, str]:
        title, remedy = FAULTS[self.kind]
        where = _(self.where) if self.where else ""
        return _(title).format(where=where), _(remedy)

    @property
    def of_markers(self) -> bool:
        """Is it single markers, and not the whole picture: grain and a steep view alone can make it seem so."""
        return self.kind in ("none", "hidden", "mixed", "turned", "loose")


FAULTS: dict[str, tuple[str, str]] = {
    "none": (N_("I see no markers"), N_("Lay them into the corners")),
    "hidden": (N_("Marker {where} is hidden"), N_("Uncover it")),
    "mixed": (N_("Markers are mixed up"), N_("0 far left, then clockwise")),
    "turned": (N_("Marker {where} is turned"), N_("Its number away from you")),
    "loose": (N_("Markers lie askew"), N_("Push them into the corners")),
    "dark": (N_("Too dark"), N_("More light, please")),
    "bright": (N_("Too bright"), N_("Less light, please")),
    "hazy": (N_("The picture is hazy"), N_("Wipe the lens, turn the lamp")),
    "uneven": (N_("Dark at marker {where}"), N_("Light it more evenly")),
    "glare": (N_("Glare {where}"), N_("Move the lamp a little")),
    "blurred": (N_("Blurred"), N_("Focus the lens, wipe it")),
    "small": (N_("The markers are too small"), N_("Use the large ones")),
    "tilted": (N_("The camera is tilted"), N_("Let it look straight down")),
    "far": (N_("The camera is too far away"), N_("Bring it nearer")),
    "grainy": (N_("The picture is grainy"), N_("More light, please")),
    "moved": (N_("The camera has moved"), N_("Put it back, or calibrate")),
    "outside": (N_("A corner is cut off"), N_("Move the camera higher")),
    "markers": (N_("Markers out, please"), N_("The tray must be empty")),
    "hand": (N_("Hands away, please"), N_("Only the tray shall be seen")),
    "not_empty": (N_("The tray is not empty"), N_("Take everything out")),
}
PLACES = (
    N_("far left"),
    N_("far"),
    N_("far right"),
    N_("left"),
    N_("in the middle"),
    N_("right"),
    N_("near left"),
    N_("near"),
    N_("near right"),
)


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """`tray`: None while the markers do not tell it. `faults`: the worst first; none when all is well."""

    tray: Tray | None
    stickers: Stickers | None
    faults: tuple[Fault, ...]
    blur_mm: float = 0.0
    tilt_deg: float = 0.0
    brightness: float = 0.0

    @property
    def good(self) -> bool:
        return self.tray is not None and not self.faults


def judge(picture: Picture, found: Found) -> Verdict:
    """The tray in a picture whose markers were found, and all that is wrong with it."""
    stickers = set_in(found)
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    if stickers is None:
        dark = float(np.percentile(grey, 95)) < DARKEST_WHITE
        return Verdict(None, None, (Fault("dark"),) if dark else (Fault("none"),))
    seen = found.of(stickers)
    missing = tuple(Fault("hidden", str(place)) for place in range(4) if place not in seen)
    if missing:
        return Verdict(None, stickers, missing)
    if mixed_up(seen):
        return Verdict(None, stickers, (Fault("mixed"),))
    if askew := turned(seen):
        return Verdict(None, stickers, tuple(Fault("turned", str(place)) for place in askew))
    try:
        tray = measure(found, stickers)
    except ValueError:
        return Verdict(None, stickers, (Fault("loose"),))
    patches = [_patch(grey, seen[place], stickers) for place in range(4)]
    size = (picture.shape[1], picture.shape[0])
    tilt = tilt_deg(tray, size)
    blur_mm = max(_blur_px(patch) for patch in patches) * tray.mm_per_px
    blur_cells = blur_mm / (stickers.side_mm / CELLS)
    whites = [float(np.percentile(patch, 85)) for patch in patches]
    faults = (
        *_of_light(patches, whites),
        *_of_view(tray, tilt, blur_mm, blur_cells),
        *_of_floor(picture, grey, tray, seen, stickers.whole_mm / stickers.side_mm),
        *((Fault("loose"),) if tray.off_mm > LOOSE_MM else ()),
    )
    return Verdict(tray, stickers, faults, blur_mm, tilt, float(np.mean(whites)))


def judge_bare(picture: Picture, tray: Tray) -> Verdict:
    """All that is wrong with an empty tray whose corners people gave; how sharp it is, no sticker tells."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    height, width = grey.shape
    tilt = tilt_deg(tray, (width, height))
    light = light_of(picture)
    faults = (
        *(() if all(tray.in_picture(width, height)) else (Fault("outside"),)),
        *((Fault("dark"),) if light < DARKEST_LIGHT else ()),
        *_of_view(tray, tilt, 0.0, 0.0),
        *_of_floor(picture, grey, tray, {}, 1.0),
    )
    return Verdict(tray, None, faults, 0.0, tilt, light)


def light_of(picture: Picture) -> float:
    """The grey level that its brightest fiftieth reaches."""
    return float(np.percentile(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), 98))


def _of_light(patches: list[Floats], whites: list[float]) -> list[Fault]:
    faults = []
    if max(whites) < DARKEST_WHITE:
        faults.append(Fault("dark"))
    elif min(whites) < UNEVEN * max(whites):
        faults.append(Fault("uneven", str(int(np.argmin(whites)))))
    if min(_burnt(patch) for patch in patches) > BURNT_SHARE:
        faults.append(Fault("bright"))
    if min(float(np.percentile(patch, 10)) for patch in patches) > BRIGHTEST_BLACK:
        faults.append(Fault("hazy"))
    return faults


def _burnt(patch: Floats) -> float:
    white = patch[patch > np.percentile(patch, 10) + 0.5 * np.ptp(patch)]
    return float((white >= BURNT).mean()) if white.size else 0.0


def _of_view(tray: Tray, tilt: float, blur_mm: float, blur_cells: float) -> list[Fault]:
    """From afar every blur is as wide as many millimetres, so that is told first."""
    faults = []
    if tray.mm_per_px > COARSEST_MM_PER_PX:
        faults.append(Fault("far"))
    if blur_mm > WIDEST_BLUR_MM:
        faults.append(Fault("blurred"))
    elif blur_cells > WIDEST_BLUR_CELLS:
        faults.append(Fault("small"))
    if tilt > STEEPEST_DEG:
        faults.append(Fault("tilted"))
    return faults


def _of_floor(picture: Picture, grey: Floats, tray: Tray, seen: dict[int, Floats], grown: float) -> list[Fault]:
    """Glare and noise on the floor between the stickers, whose whole is `grown` times their black square."""
    height, width = grey.shape
    floor = tray.floor(width, height, seen.values(), grown)
    faults = []
    place = _glare(picture, floor, tray)
    if place:
        faults.append(Fault("glare", place))
    if noise(grey, floor) > NOISIEST:
        faults.append(Fault("grainy"))
    return faults


def _glare(picture: Picture, floor: Mask, tray: Tray) -> str:
    """Where the largest burnt-out spot lies; "" where none is large."""
    burnt = np.asarray((picture.min(axis=2) >= BURNT) & (floor > 0), np.uint8)
    _, _, spots, middles = cv2.connectedComponentsWithStats(burnt)
    if len(spots) < 2:
        return ""
    largest = 1 + int(np.argmax(spots[1:, cv2.CC_STAT_AREA]))
    if spots[largest, cv2.CC_STAT_AREA] * tray.mm_per_px**2 < GLARE_MM2:
        return ""
    return place_of(tray, np.asarray(middles[largest]))


def place_of(tray: Tray, pixel: Floats) -> str:
    """Which of PLACES a pixel lies in."""
    x, y = tray.mm(np.asarray(pixel).reshape(1, 2))[0]
    column = int(np.clip(3 * x / tray.size_mm[0], 0, 2))
    row = int(np.clip(3 * y / tray.size_mm[1], 0, 2))
    return PLACES[3 * row + column]


def _patch(grey: Floats, quad: Floats, stickers: Stickers) -> Floats:
    """A sticker and its white, laid flat at about the picture's own scale."""
    side = float(np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1).mean())
    margin = 0.7 * stickers.quiet_mm / stickers.side_mm * side
    at = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32) + np.float32(margin)
    whole = max(8, round(side + 2 * margin))
    flat = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), at)
    return np.asarray(cv2.warpPerspective(grey, flat, (whole, whole), flags=cv2.INTER_LINEAR), np.float32)


def _blur_px(patch: Floats) -> float:
    """Sigma of the blur: a step blurred so has the slope contrast / (sigma · √2π) in its middle."""
    smooth = cv2.GaussianBlur(patch, (0, 0), 0.7)
    across = cv2.Sobel(smooth, cv2.CV_32F, 1, 0) / 8
    along = cv2.Sobel(smooth, cv2.CV_32F, 0, 1) / 8
    low, high = np.percentile(patch, (10, 88))
    slope = float(np.percentile(np.hypot(across, along), 97))
    sigma = float(high - low) / (max(slope, 1e-3) * np.sqrt(2 * np.pi))
    cell = patch.shape[0] / (CELLS + 2)
    return float(min(np.sqrt(max(sigma**2 - 0.8, 0.0)), cell))
