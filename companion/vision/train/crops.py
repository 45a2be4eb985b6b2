"""What the networks are fed: windows of pictures for the finder, single dice for the faces, with their truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Picture
from companion.vision.engines import Floats, in_parts
from companion.vision.networks import (
    CELL_PX,
    CROP_PX,
    FILL,
    NATURAL_PX,
    PIP_SIGMA,
    UNREAD,
    CropReader,
    standard,
)
from companion.vision.train.clutter import lay, turned
from companion.vision.train.cover import covered
from companion.vision.train.paste import Disc, pasted
from companion.vision.train.photometry import degrade, dimmed, faded, mirroring, recolour, recolour_gently, shade
from companion.vision.train.pictures import NOT_PHOTOS, PLAIN, Example, Truth

WINDOW_PX = 256
FOUND_PX = (11.0, 52.0)  # sizes of dice the finder must find; it may find others
WANTED_PX = (12.0, 46.0)
TINY_PX = (3.5, 12.0)  # dice too small to be found: their heap must not be taken for one die
PATCH_PX = 144
PATCH_FILL = 72.0  # a die's size in a stored patch
PIP_CELLS = 32
AT_ONCE = 64  # crops that are made floats of in one go
LEAST_SIGMA = 1.0  # cells: of the mark of a small die's middle
DIM = 0.12  # of the windows are seen in little light
CLUTTERED = 0.35  # of the windows have flat things laid beside their dice
THING_PX = (8.0, 64.0)
UPRIGHT = 0.65  # of the crops are seen by a camera that stands upright, give or take ROLL_RAD
ROLL_RAD = 0.25
USUAL_SHAPE = 0.75  # of windows and crops are stretched a little only: pictures in another shape than taken are seldom;
SQUEEZED = 0.22  # how much the others are, see `_stretch`
PASTED = 0.25  # of the windows and crops show their dice, and pieces without any, on ground of a picture without dice
PIECES = 3  # at most, laid beside the dice: a cut must not tell a die
GENTLY = 0.7  # of the crops are changed gently: of those changed at will nobody could read a tenth,
SPARED = 0.5  # and of these gently changed ones, so many stay as bright, and so many as sharp, as they are
FADED, MIRRORING = 0.3, 0.25  # of the dice whose pips are known have some of little contrast, and mirror a lamp
COVERED = 0.05  # of the dice lie under something
APART = 0.6  # of a die's size: a crop whose middle is further from any die shows no die
MINED = "mined"  # instead of a patch's source: it belongs to all collections
NO_PIPS, KNOWN_PIPS, COUNTED_PIPS = 0, 1, 2  # what is known of a patch's pips: nothing, where they are, how many


@dataclass(slots=True, eq=False)
class Patch:
    """A die (or nothing) and what surrounds it, PATCH_PX square, the die PATCH_FILL wide in its middle."""

    picture: Picture
    value: int
    pips: Floats | None
    source: str
    mined: bool = False  # found by a finder that has seen every collection


def die_patch(picture: Picture, truth: Truth, source: str) -> Patch:
    """The patch around one die."""
    matrix = _to_patch(truth.centre, truth.size)
    pips = None if truth.pips is None else truth.pips @ matrix[:, :2].T + matrix[:, 2]
    return Patch(_warp_patch(picture, matrix, truth.size), truth.value, pips, source)


def ground_patch(example: Example, rng: np.random.Generator) -> Patch | None:
    """A patch that is no die: ground, often beside one; a part of a die; a heap of dice. None if chance finds none."""
    height, width = example.picture.shape[:2]
    at = rng.uniform((0, 0), (width, height)).astype(np.float32)
    size = float(rng.uniform(24, 120))
    if example.dice:
        near = example.dice[int(rng.integers(len(example.dice)))]
        kind = rng.random()
        if kind < 0.2:
            at = near.centre + near.size * rng.uniform(-0.5, 0.5, 2).astype(np.float32)
            size = near.size * float(rng.uniform(0.12, 0.42))
        elif kind < 0.4:
            size = near.size * float(rng.uniform(2.2, 4.5))
            at = near.centre + size * rng.uniform(-0.4, 0.4, 2).astype(np.float32)
        else:
            size = near.size * float(np.exp(rng.uniform(-0.6, 0.4)))
        if 0.4 <= kind < 0.7:
            angle = rng.uniform(0, 2 * np.pi)
            at = near.centre + near.size * rng.uniform(0.6, 1.4) * np.array([np.cos(angle), np.sin(angle)], np.float32)
    if not (0 <= at[0] < width and 0 <= at[1] < height) or any(shows(at, size, die) for die in example.dice):
        return None
    return Patch(_warp_patch(example.picture, _to_patch(at, size), size), 0, None, example.source)


def shows(at: Floats, size: float, die: Truth) -> bool:
    """Would a crop of this size here show that die, more or less."""
    return bool(np.hypot(*(at - die.centre)) < APART * max(die.size, size * 0.8)) and 0.5 < size / die.size < 2


def _to_patch(centre: Floats, size: float) -> Floats:
    return _into_middle(centre, PATCH_FILL / size, PATCH_PX)


def _into_middle(at: Floats, factor: float, side_px: int) -> Floats:
    """So many times larger, that place in the middle of a square: 2×3."""
    shift = side_px / 2 - factor * at
    return np.array([[factor, 0, shift[0]], [0, factor, shift[1]]], np.float32)


def _warp_patch(picture: Picture, matrix: Floats, size: float) -> Picture:
    """Like a resize by area where it shrinks, so that small pips do not alias."""
    shrink = size / PATCH_FILL
    if shrink > 1.5:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.45 * shrink), np.uint8)
    warped = cv2.warpAffine(
        picture, matrix, (PATCH_PX, PATCH_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(warped, np.uint8)


def plain_crop(patch: Patch) -> Picture:
    """CROP_PX square, the die FILL wide in its middle: nothing left to chance."""
    matrix = _into_middle(np.full(2, PATCH_PX / 2, np.float32), FILL / PATCH_FILL, CROP_PX)
    return np.asarray(cv2.warpAffine(patch.picture, matrix, (CROP_PX, CROP_PX)), np.uint8)


def answers(crops: NDArray[np.uint8], faces: CropReader) -> tuple[Floats, Floats]:
    """What a network says of any number of crops: logits n×8, pip chances n×32×32."""
    logits, planes = in_parts(faces, crops, AT_ONCE)
    return logits, planes


@dataclass(slots=True, eq=False)
class FaceBatch:
    crops: Floats  # n×3×64×64, standardised
    values: NDArray[np.int64]
    pips: Floats  # n×32×32, 0–1
    known: NDArray[np.int64]  # NO_PIPS, KNOWN_PIPS, COUNTED_PIPS
    sources: tuple[str, ...]

    def parts(self) -> tuple[NDArray[Any], ...]:
        """What a network sees, then what it should say of it."""
        return self.crops, self.values, self.pips, self.known


def face_batch(patches: list[Patch], rng: np.random.Generator) -> FaceBatch:
    """Each patch turned, tilted, shifted, scaled, mirrored, recoloured and worn by chance."""
    n = len(patches)
    pictures = np.empty((n, CROP_PX, CROP_PX, 3), np.uint8)
    values = np.array([patch.value for patch in patches], np.int64)
    pips = np.zeros((n, PIP_CELLS, PIP_CELLS), np.float32)
    known = np.zeros(n, np.int64)
    grounds = [patch.picture for patch in patches if patch.source == PLAIN and not patch.mined]
    for i, patch in enumerate(patches):
        matrix = _chance_view(rng)
        crop = _seen(patch.picture, matrix)
        if grounds and rng.random() < PASTED:
            x, y = matrix @ (PATCH_PX / 2, PATCH_PX / 2, 1)
            size = PATCH_FILL * float(np.abs(np.linalg.det(matrix[:, :2]))) ** 0.5
            ground = _seen(grounds[int(rng.integers(len(grounds)))], matrix)
            crop = pasted(crop, [(float(x), float(y), size)], ground, rng)
        if patch.value not in (0, UNREAD) and rng.random() < COVERED:
            others = [one for one in patches if one.source in (patch.source, *NOT_PHOTOS) and not one.mined]
            crop, values[i] = covered(crop, others[int(rng.integers(len(others)))].picture, rng), UNREAD
        elif patch.pips is not None:
            places = patch.pips @ matrix[:, :2].T + matrix[:, 2]
            _dot(pips[i], places * (PIP_CELLS / CROP_PX))
            if len(places):
                crop = _altered(crop, places, rng)
        pictures[i] = _worn(crop, rng, one_die=patch.value != 0)
        known[i] = _known(int(values[i]), placed=patch.pips is not None)
    sources = tuple(MINED if patch.mined else patch.source for patch in patches)
    return FaceBatch(standard(pictures), values, pips, known, sources)


def _seen(patch: Picture, matrix: Floats) -> Picture:
    """CROP_PX square, of a patch."""
    flags, border = cv2.INTER_LINEAR, cv2.BORDER_REFLECT
    return np.asarray(cv2.warpAffine(patch, matrix, (CROP_PX, CROP_PX), flags=flags, borderMode=border), np.uint8)


def _altered(crop: Picture, pips: Floats, rng: np.random.Generator) -> Picture:
    """A crop of a die, at times with pips of little contrast, or with a lamp mirrored around them, or both."""
    if rng.random() < FADED:
        crop = faded(crop, pips, rng)
    return mirroring(crop, pips, rng) if rng.random() < MIRRORING else crop


def _worn(crop: Picture, rng: np.random.Generator, *, one_die: bool) -> Picture:
    """A crop in other light, by another camera and in other colours; mostly so that it can still be read."""
    gently = rng.random() < GENTLY
    if not (gently and rng.random() < SPARED):
        crop = shade(crop, rng)
    if not (gently and rng.random() < SPARED):
        crop = degrade(crop, rng, most_blur=1.6)
    return recolour_gently(crop, rng) if gently else recolour(crop, rng, one_die=one_die)


def _known(value: int, *, placed: bool) -> int:
    """What is known of the pips of a crop: of a die that cannot be read, nothing."""
    if value == UNREAD:
        return NO_PIPS
    return KNOWN_PIPS if placed or value == 0 else COUNTED_PIPS


def _chance_view(rng: np.random.Generator) -> Floats:
    """Patch to crop: turned, mirrored or not, the die FILL wide give or take, shifted, stretched along a line.

    Most cameras stand upright, and seen from a slant the face up is then the upper one: a network that sees most dice
    upright learns that.
    """
    factor = FILL / PATCH_FILL * float(np.exp(rng.normal(0, 0.1)))
    turn = rng.normal(0, ROLL_RAD) if rng.random() < UPRIGHT else rng.uniform(0, 2 * np.pi)
    along = rng.uniform(0, 2 * np.pi)
    stretch = _stretch(rng, usual=0.1)
    flip = -1.0 if rng.random() < 0.5 else 1.0
    linear = (
        turned(turn) @ turned(along) @ np.diag([stretch, 1 / stretch]) @ turned(-along) @ np.diag([flip, 1.0]) * factor
    )
    shift = CROP_PX / 2 + rng.normal(0, 0.05 * FILL, 2) - linear @ np.full(2, PATCH_PX / 2)
    return np.column_stack([linear, shift]).astype(np.float32)


def _stretch(rng: np.random.Generator, usual: float) -> float:
    """How many times longer one way, and shorter the other: by a deviation of `usual` in its logarithm, or SQUEEZED."""
    return float(np.exp(rng.normal(0, usual if rng.random() < USUAL_SHAPE else SQUEEZED)))


def _dot(plane: Floats, centres: Floats) -> None:
    """Marks pips, given by their middles (n×2: x, y, in cells), in a plane of 0 to 1."""
    cells, middles = np.arange(PIP_CELLS), (centres - 0.5)[..., None]
    first = np.floor(middles) - 2
    heights = np.exp(-((cells - middles) ** 2) / (2 * PIP_SIGMA**2)) * ((first <= cells) & (cells < first + 6))
    np.maximum(plane, (heights[:, 1, :, None] * heights[:, 0, None, :]).max(axis=0, initial=0.0), out=plane)


@dataclass(slots=True, eq=False)
class FinderBatch:
    windows: Floats  # n×3×256×256
    heat: Floats  # n×128×128, 1 at a die's centre
    matters: Floats  # n×128×128: 0 where a die may or may not be found
    log_size: Floats  # n×64×64
    at_die: Floats  # n×64×64: where log_size counts
    sources: tuple[str, ...]

    def parts(self) -> tuple[NDArray[Any], ...]:
        """As of FaceBatch."""
        return self.windows, self.heat, self.matters, self.log_size, self.at_die


def finder_batch(examples: list[Example], rng: np.random.Generator) -> FinderBatch:
    n, cells = len(examples), WINDOW_PX // CELL_PX
    windows = np.empty((n, WINDOW_PX, WINDOW_PX, 3), np.uint8)
    heat, matters = np.zeros((n, cells, cells), np.float32), np.ones((n, cells, cells), np.float32)
    log_size, at_die = (np.zeros((n, cells // 2, cells // 2), np.float32) for _ in range(2))
    grounds = [example.picture for example in examples if example.source == PLAIN]
    for i, example in enumerate(examples):
        windows[i], dice = _window(example, grounds, rng)
        dice.sort(key=lambda die: _sought(die[1], skip=die[2]))  # those that must be found have their way, as the last
        for centre, size, skip in dice:
            if _mark(centre, size, skip, heat[i], matters[i]):
                _mark_size(centre, size, log_size[i], at_die[i])
    coloured = windows.astype(np.float32)
    return FinderBatch(
        np.ascontiguousarray((coloured / 255 - 0.5).transpose(0, 3, 1, 2)),
        heat,
        matters,
        log_size,
        at_die,
        tuple(example.source for example in examples),
    )


def _window(
    example: Example, grounds: list[Picture], rng: np.random.Generator
) -> tuple[Picture, list[tuple[Floats, float, bool]]]:
    """A window of an example, at times its dice on other ground; middle, size and `skip` of each die."""
    height, width = example.picture.shape[:2]
    wanted = [die for die in example.dice if not die.skip]
    if wanted and rng.random() < 0.9:
        die = wanted[int(rng.integers(len(wanted)))]
        smallest, largest = TINY_PX if rng.random() < 0.2 else WANTED_PX
        factor = float(np.exp(rng.uniform(np.log(smallest), np.log(largest)))) / die.size
        reach = 0.42 * WINDOW_PX / factor
        middle = die.centre + rng.uniform(-reach, reach, 2).astype(np.float32)
    else:
        factor = float(np.exp(rng.uniform(np.log(0.2), np.log(1.0))))
        middle = rng.uniform((0, 0), (width, height)).astype(np.float32)
    picture = example.picture
    if factor < 0.7:
        small = cv2.resize(picture, None, fx=factor * 1.25, fy=factor * 1.25, interpolation=cv2.INTER_AREA)
        picture, shrunk = np.asarray(small, np.uint8), small.shape[1] / width
    else:
        shrunk = 1.0
    stretch = _stretch(rng, usual=0.08)
    turn = rng.uniform(0, 2 * np.pi) if rng.random() < 0.4 else rng.integers(4) * np.pi / 2
    flip = -1.0 if rng.random() < 0.5 else 1.0
    linear = turned(turn) @ np.diag([flip * stretch, 1 / stretch]) * (factor / shrunk)
    shift = WINDOW_PX / 2 - linear @ (middle * shrunk)
    matrix = np.column_stack([linear, shift]).astype(np.float32)
    border = cv2.BORDER_REPLICATE if rng.random() < 0.7 else cv2.BORDER_CONSTANT
    warped = cv2.warpAffine(picture, matrix, (WINDOW_PX, WINDOW_PX), flags=cv2.INTER_LINEAR, borderMode=border)
    dice = []
    for die in example.dice:
        centre = (matrix[:, :2] @ (die.centre * shrunk) + matrix[:, 2]).astype(np.float32)
        dice.append((centre, die.size * factor, die.skip))
    window = np.asarray(warped, np.uint8)
    discs = [(float(centre[0]), float(centre[1]), size) for centre, size, _ in dice]
    if grounds and rng.random() < PASTED:
        whole = [disc for disc, (_, _, skip) in zip(discs, dice, strict=True) if not skip]
        ground = _ground(grounds[int(rng.integers(len(grounds)))], rng)
        window = pasted(window, whole + _pieces(whole, rng), ground, rng)
    if rng.random() < CLUTTERED:
        _clutter(window, discs, rng)
    if rng.random() < DIM:
        return dimmed(degrade(window, rng, most_blur=1.2), rng), dice
    return recolour(degrade(window, rng, most_blur=1.2), rng), dice


def _pieces(dice: list[Disc], rng: np.random.Generator) -> list[Disc]:
    """Some places where no die lies, as large as dice."""
    usual = dice[0][2] if dice else float(np.exp(rng.uniform(*np.log(WANTED_PX))))
    made = []
    for _ in range(int(rng.integers(1, PIECES + 1))):
        x, y = (float(at) for at in rng.uniform(0, WINDOW_PX, 2))
        size = usual * float(np.exp(rng.normal(0, 0.2)))
        if _away((x, y, size), dice, 0.9):
            made.append((x, y, size))
    return made


def _away(place: Disc, dice: list[Disc], apart: float) -> bool:
    """Is a place further from all dice than so much of their sizes and its own."""
    x, y, size = place
    return all(np.hypot(x - die_x, y - die_y) > apart * (size + die) for die_x, die_y, die in dice)


def _ground(picture: Picture, rng: np.random.Generator) -> Picture:
    """A part of a picture, WINDOW_PX square, at a chance scale."""
    side = int(min(picture.shape[:2]) * rng.uniform(0.3, 1.0))
    top, left = (int(rng.integers(length - side + 1)) for length in picture.shape[:2])
    part = picture[top : top + side, left : left + side]
    return np.asarray(cv2.resize(part, (WINDOW_PX, WINDOW_PX), interpolation=cv2.INTER_AREA), np.uint8)


def _clutter(window: Picture, dice: list[Disc], rng: np.random.Generator) -> None:
    """Lays up to four flat things where no die lies."""
    for _ in range(int(rng.integers(1, 5))):
        size = float(np.exp(rng.uniform(*np.log(THING_PX))))
        x, y = (float(at) for at in rng.uniform(0, WINDOW_PX, 2))
        if _away((x, y, size), dice, 0.75):
            lay(window, rng, at=(x, y), size_px=size)


def _sought(size: float, *, skip: bool) -> bool:
    """Must a die of this size be found, unless the labels skip it."""
    return not skip and FOUND_PX[0] <= size <= FOUND_PX[1]


def _mark(centre: Floats, size: float, skip: bool, heat: Floats, matters: Floats) -> bool:
    """Marks a die's middle, or that none need be found there: whether it must be."""
    x, y = centre / CELL_PX - 0.5
    cells = heat.shape[0]
    reach = int(np.ceil(size / CELL_PX))
    column, row = round(float(x)), round(float(y))
    rows = slice(max(0, min(cells, row - reach)), max(0, min(cells, row + reach + 1)))
    columns = slice(max(0, min(cells, column - reach)), max(0, min(cells, column + reach + 1)))
    if not (_sought(size, skip=skip) and 0 <= column < cells and 0 <= row < cells):
        matters[rows, columns] = 0
        return False
    sigma = max(LEAST_SIGMA, 0.14 * size / CELL_PX)
    ys, xs = np.mgrid[rows, columns].astype(np.float32)
    bump = np.exp(-((ys - y) ** 2 + (xs - x) ** 2) / (2 * sigma**2))
    heat[rows, columns] = np.maximum(heat[rows, columns], bump)
    heat[row, column] = 1
    matters[rows, columns] = np.maximum(matters[rows, columns], bump > 0.3)
    return True


def _mark_size(centre: Floats, size: float, log_size: Floats, at_die: Floats) -> None:
    column, row = (round(float(at)) for at in centre / (2 * CELL_PX) - 0.5)
    close = (slice(max(0, row - 1), row + 2), slice(max(0, column - 1), column + 2))
    log_size[close] = np.log(size / NATURAL_PX)
    at_die[close] = 1
