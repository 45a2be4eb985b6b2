"""The two networks as they run: weights from the package, pictures in, chances out.

The package holds two pairs of them, taught apart: what one of them overlooks or misreads, the other seldom does, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Picture
from companion.vision.engines import AT_ONCE, BadNetwork, Engine, Floats, engine_of, in_parts, takes_eight_bits
from companion.vision.parting import parted

CropReader = Callable[[NDArray[np.uint8]], tuple[Floats, Floats]]
"""What FaceNet does: n×64×64×3 crops -> logits n×8, pip chances n×32×32."""

PARTS, KEEN = ("finder", "faces"), "keen"  # files of a pair of networks, and of the keen one that may be with them,
EIGHT_BITS = ".int8.onnx"  # and how those of eight bits end
FIRST, AGAIN = "first", "again"  # the pair that looks for dice of unknown size, and that for those of a known one
CROP_PX = 64  # side of the crops the face network takes
FILL = 44.0  # a die's size in such a crop
CELL_PX = 2  # pixels of the picture to one cell of the finder's answer
SELDOM = 0.5  # logit: a window of the finder's training shows dice so much oftener than a part of a table does
NATURAL_PX = 24.0  # size whose logarithm is 0 in the finder's answer
BLOCK_PX = 8  # the finder takes multiples of this
MOST_PX = 190_000  # that it takes at a time, so that what flows through it takes few MB;
REACH_PX = 56  # beyond itself each part is seen: no pixel further away than 51 has a say in what it tells of a place
RIM_PX = 16  # a small picture is continued so far beyond its rim: the finder has learned in windows, not at rims
SMALL_PX = 130  # its longer side; in a larger one dice have room enough
MIDDLE = slice(14, 50)  # most of a die's face, little of what it lies on
MOST = 5.0  # deviations from the middle's mean beyond which a pixel is only bright or dark
FLATTEST = 6.0  # grey levels: a crop with less contrast is not stretched further
FLOOR = 0.03  # of the mean variance: an axis with less is noise rather than a hue
NOISE = 6.0  # grey levels of deviation that may be noise: no axis is stretched as if it had less
STRETCHED = 60.0  # grey levels of deviation after stretching
SHARES = (np.arange(256, dtype=np.float32) - np.float32(127.5)) * np.float32(1 / 255)  # of each level, for the finder
CLASSES = 8  # no die, 1–6, and a die that cannot be read: it leans, or shows no pips
NOTHING, UNREAD = 0, CLASSES - 1
PIP_SIGMA = 0.9  # cells: how wide a pip's dot is that the face network learns to draw,
PIP_MASS = 2 * math.pi * PIP_SIGMA**2  # and what it sums to
PIP_PLANES = HEAT_PLANES = 4  # of half the resolution each, see `unfold`


def standard(crops: NDArray[np.float32] | NDArray[np.uint8]) -> Floats:
    """n×h×w×3 crops, each less its middle's mean colour and over its middle's deviation, as n×3×h×w.

    Light and white balance drop out, and pips stand out as much on a dark die before a white cloth as elsewhere.
    """
    planes = np.ascontiguousarray(crops.transpose(0, 3, 1, 2), np.float32)
    middle = np.ascontiguousarray(planes[:, :, MIDDLE, MIDDLE]).reshape(*planes.shape[:2], -1)
    mean = middle.mean(axis=2, keepdims=True)
    middle -= mean
    spread = np.sqrt(np.einsum("ncp,ncp->n", middle, middle) / middle[0].size)
    planes -= mean[..., None]
    planes /= np.maximum(spread, FLATTEST)[:, None, None, None]
    return np.asarray(np.clip(planes, -MOST, MOST, out=planes), np.float32)


def inner(picture: Picture) -> Picture:
    """The half in the middle, of one picture or of each of several of a size: of a crop of a die, its face."""
    height, width = picture.shape[-3:-1]
    return picture[..., height // 4 : -height // 4, width // 4 : -width // 4, :]


def decorrelated(crop: Picture, floor: float = FLOOR) -> Picture:
    """The crop with its colours stretched apart, so that pips of another hue but the die's brightness stand out.

    Each principal axis of the middle's colours gets nearly the same spread (decorrelation stretch, Gillespie et al.
    1986), less where it has little: a share `floor` of the mean variance, or NOISE, shows no more than noise.
    """
    colours = inner(crop).reshape(-1, 3).astype(np.float32)
    mean = colours.mean(axis=0)
    colours -= mean
    spread, axes = np.linalg.eigh(colours.T @ colours / len(colours))
    gains = 1 / np.sqrt((np.maximum(spread, 0) + NOISE**2) / max(float(spread.mean()), 1e-3) + floor)
    matrix = (axes * gains) @ axes.T
    matrix *= STRETCHED / max(float(np.sqrt((np.maximum(spread, 0) * gains**2).mean())), FLATTEST)
    return np.asarray(cv2.transform(crop, np.column_stack([matrix, 127.5 - matrix @ mean])), np.uint8)


def _planes(pictures: Sequence[Picture]) -> Floats:
    """n h×w×3 pictures as n×3×h×w shares of full brightness, less a half. Raises ValueError for several sizes."""
    if len({picture.shape for picture in pictures}) > 1:
        raise ValueError(
            "pictures of several sizes"
        )  # OpenCV would write elsewhere, and leave these planes as they are
    shown = np.empty((len(pictures), 3, *pictures[0].shape[:2]), np.float32)
    for picture, colours in zip(pictures, shown, strict=True):
        for levels, plane in zip(cv2.split(picture), colours, strict=True):
            cv2.LUT(levels, SHARES, plane)
    return shown


class FinderNet:
    """Where dice could be, in a picture whose dice are some 12–50 px wide."""

    def __init__(self, weights: bytes, engine: Callable[[bytes], Engine] = engine_of) -> None:
        self._run = engine(weights)

    def __call__(self, picture: Picture) -> tuple[Floats, Floats]:
        """Chance of a die's centre, and its size in px, for each cell of CELL_PX."""
        height, width = picture.shape[:2]
        rim = RIM_PX if max(height, width) < SMALL_PX else 0
        low, right = rim + (-height - 2 * rim) % BLOCK_PX, rim + (-width - 2 * rim) % BLOCK_PX
        padded = np.asarray(cv2.copyMakeBorder(picture, rim, low, rim, right, cv2.BORDER_REPLICATE), np.uint8)
        heat, sizes = self._in_parts(padded)
        rows = slice(rim // CELL_PX, (rim + height - 1) // CELL_PX + 1)
        columns = slice(rim // CELL_PX, (rim + width - 1) // CELL_PX + 1)
        return heat[rows, columns], sizes[rows, columns]

    def _in_parts(self, picture: Picture) -> tuple[Floats, Floats]:
        """As of the whole picture, whose sides are multiples of BLOCK_PX."""
        heat, sizes = (np.empty([side // CELL_PX for side in picture.shape[:2]], np.float32) for _ in range(2))
        parts = parted(*picture.shape[:2], most_px=MOST_PX, reach_px=REACH_PX, block_px=BLOCK_PX)
        for down, across in product(*parts):
            answers = self.windows([picture[down.seen, across.seen]])
            for whole, (answer,) in zip((heat, sizes), answers, strict=True):
                seen = answer[down.cells_seen(CELL_PX), across.cells_seen(CELL_PX)]
                whole[down.cells(CELL_PX), across.cells(CELL_PX)] = seen
        return heat, sizes

    def windows(self, pictures: list[Picture]) -> tuple[Floats, Floats]:
        """The same for n pictures of one size, whose sides are multiples of BLOCK_PX: n×h/2×w/2 each.

        Raises BadNetwork where it answers otherwise.
        """
        answer, *others = in_parts(lambda some: self._run(_planes(some)), pictures)
        if others or answer.shape[1] != HEAT_PLANES + 1:
            raise BadNetwork("it is no finder")
        sizes = NATURAL_PX * np.exp(np.clip(answer[:, HEAT_PLANES], -2, 2))
        heat = unfold(_sigmoid(np.asarray(answer[:, :HEAT_PLANES] - SELDOM, np.float32)))
        return heat, np.asarray(sizes, np.float32).repeat(2, axis=1).repeat(2, axis=2)


class FaceNet:
    """What crops show: chances of the eight classes, and of a pip's centre in each of 32×32 cells."""

    def __init__(
        self, weights: bytes, engine: Callable[[bytes], Engine] = engine_of, *, at_once: int = AT_ONCE
    ) -> None:
        self._run = engine(weights)
        self._at_once = at_once

    def __call__(self, crops: NDArray[np.uint8]) -> tuple[Floats, Floats]:
        """n×64×64×3 crops -> logits n×8, pip chances n×32×32. Raises BadNetwork where it answers otherwise."""
        answers = {answer.shape[1]: answer for answer in in_parts(self._run, standard(crops), self._at_once)}
        if not {CLASSES, PIP_PLANES} <= set(answers):
            raise BadNetwork("it is no network of faces")
        return answers[CLASSES].reshape(-1, CLASSES), unfold(_sigmoid(answers[PIP_PLANES]))


def unfold(planes: Floats) -> Floats:
    """n×4×h×w planes as n×2h×2w: plane 0 top left, 1 top right, 2 bottom left, 3 bottom right of each cell."""
    n, _, height, width = planes.shape
    return planes.reshape(n, 2, 2, height, width).transpose(0, 3, 1, 4, 2).reshape(n, 2 * height, 2 * width)


def _sigmoid(logits: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))), np.float32)


def softmax(logits: NDArray[np.floating[Any]]) -> Floats:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), np.float32)


def likeliest(chances: Floats) -> int:
    """The likeliest of 1–6."""
    return int(np.argmax(chances[1:UNREAD])) + 1


class Networks(NamedTuple):
    """A pair that learned from the same pictures, and the keen faces that look where these are in doubt, if there are.

    Keen ones take two to three times as long, and learned from other photos before they learned from dice.
    """

    finder: FinderNet
    faces: FaceNet
    keen: FaceNet | None = None


def pair_in(folder: Path | Traversable) -> Networks:
    """The pair of a folder with finder.onnx and faces.onnx, and with keen.onnx where that is there.

    Those of eight bits, where they can be run. Raises FileNotFoundError, or BadNetwork.
    """
    finder, faces = (_file(folder, part).read_bytes() for part in PARTS)
    keen = _file(folder, KEEN)
    closely = FaceNet(keen.read_bytes(), at_once=1) if keen.is_file() else None  # as quick as two, and takes half
    return Networks(FinderNet(finder), FaceNet(faces), closely)


def _file(folder: Path | Traversable, part: str) -> Path | Traversable:
    quick = folder / f"{part}{EIGHT_BITS}"
    return quick if takes_eight_bits() and quick.is_file() else folder / f"{part}.onnx"


@cache
def packed(pair: str = FIRST) -> Networks:
    """A pair of the package, FIRST or AGAIN; loaded once a process, as networks keep nothing between pictures."""
    return pair_in(files("companion.vision") / "weights" / pair)


def load_packed() -> None:
    """All that the package holds, so that the first picture takes no longer than the next one."""
    for pair in (FIRST, AGAIN):
        packed(pair)
