"""Changes of labelled photos of which the truth is known: darker, farther, slanted, squeezed, noisier."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ports import Picture
from companion.vision.labels import Label, Wanted

Floats = NDArray[np.float64]
AROUND = (120, 110, 90)  # BGR of what lies outside a picture that was made farther


@dataclass(frozen=True, slots=True)
class Change:
    """What is done to a picture. `move`: width and height to a homography and the size of what it makes.

    `around`: a picture, and where in it dice lie (0–1), to one with other ground; labels must have boxes of whole dice.
    """

    name: str
    move: Callable[[int, int], tuple[Floats, tuple[int, int]]] | None = None
    tint: Callable[[Picture, np.random.Generator], NDArray[np.generic]] | None = None
    around: Callable[[Picture, Floats, np.random.Generator], NDArray[np.generic]] | None = None

    def of(self, picture: Picture, label: Label, rng: np.random.Generator) -> tuple[Picture, Label]:
        """The picture and its label, changed alike."""
        if self.move is not None:
            matrix, size = self.move(picture.shape[1], picture.shape[0])
            picture = _warped(picture, matrix, size)
            label = replace(label, dice=tuple(_moved(die, matrix) for die in label.dice))
        picture = self._tinted(picture, rng)
        if self.around is not None:
            picture = np.asarray(np.clip(self.around(picture, _dice(picture, label), rng), 0, 255), np.uint8)
        return picture, label

    def of_picture(self, picture: Picture, rng: np.random.Generator) -> Picture:
        """The picture alone, changed alike, where places do not matter; `around` is left out."""
        if self.move is not None:
            picture = _warped(picture, *self.move(picture.shape[1], picture.shape[0]))
        return self._tinted(picture, rng)

    def _tinted(self, picture: Picture, rng: np.random.Generator) -> Picture:
        return picture if self.tint is None else np.asarray(np.clip(self.tint(picture, rng), 0, 255), np.uint8)


def _dice(picture: Picture, label: Label) -> Floats:
    """1 where dice lie, softly falling to 0 around them."""
    mask = np.zeros(picture.shape[:2], np.float64)
    sizes = [1.0]
    for x, y, w, h in (die.box for die in label.dice if die.box is not None):
        cv2.ellipse(mask, (round(x + w / 2), round(y + h / 2)), (round(0.62 * w), round(0.62 * h)), 0, 0, 360, 1, -1)
        sizes.append((w + h) / 2)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), max(1.0, 0.05 * float(np.median(sizes)))), np.float64)


def _warped(picture: Picture, matrix: Floats, size: tuple[int, int]) -> Picture:
    shrink = 1 / np.sqrt(abs(np.linalg.det(matrix[:2, :2])))
    smooth = cv2.GaussianBlur(picture, (0, 0), 0.45 * shrink) if shrink > 1.2 else picture
    return np.asarray(cv2.warpPerspective(smooth, matrix, size, borderValue=AROUND), np.uint8)


def _moved(die: Wanted, matrix: Floats) -> Wanted:
    if die.box is None:
        return die
    x, y, w, h = die.box
    corners = np.array([[[x, y], [x + w, y], [x + w, y + h], [x, y + h]]])
    at = cv2.perspectiveTransform(corners, matrix)[0]
    (left, top), (right, low) = at.min(axis=0), at.max(axis=0)
    return replace(die, box=(float(left), float(top), float(right - left), float(low - top)))


def squeezed(ratio: float) -> Change:
    """Pressed into a picture so many times as wide for its height."""
    wide, high = ratio**0.5, ratio**-0.5

    def move(width: int, height: int) -> tuple[Floats, tuple[int, int]]:
        return np.diag([wide, high, 1.0]), (round(width * wide), round(height * high))

    return Change(f"squeezed {ratio:.3g}", move)


def slanted(share: float) -> Change:
    """The far side that share of the width shorter at both ends, and as much lower."""

    def move(width: int, height: int) -> tuple[Floats, tuple[int, int]]:
        whole = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        far = np.array([[width * share, height * share], [width * (1 - share), height * share]], np.float32)
        matrix = cv2.getPerspectiveTransform(whole, np.vstack([far, whole[2:]]))
        return np.asarray(matrix, np.float64), (width, height)

    return Change(f"slanted {share:g}", move)


def turned(degrees: float) -> Change:
    """Turned about the middle; nothing is cut off."""

    def move(width: int, height: int) -> tuple[Floats, tuple[int, int]]:
        turn = np.vstack([cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0), [0, 0, 1]])
        across, up = (float(side) for side in np.abs(turn[:2, :2]) @ (width, height))
        turn[0, 2] += (across - width) / 2
        turn[1, 2] += (up - height) / 2
        return turn, (round(across), round(up))

    return Change(f"turned {degrees:g}", move)


def far(times: int) -> Change:
    """In the middle of a picture so many times as wide and high."""

    def move(width: int, height: int) -> tuple[Floats, tuple[int, int]]:
        aside = np.array([[1, 0, (times - 1) * width / 2], [0, 1, (times - 1) * height / 2], [0, 0, 1]])
        return aside, (times * width, times * height)

    return Change(f"far {times}", move)


def coarse(longer_px: int) -> Change:
    """Shrunk to so many pixels."""

    def move(width: int, height: int) -> tuple[Floats, tuple[int, int]]:
        factor = min(1.0, longer_px / max(width, height))
        return np.diag([factor, factor, 1.0]), (round(width * factor), round(height * factor))

    return Change(f"coarse {longer_px}", move)


def dark(light: float) -> Change:
    """So much of the light, and a camera's noise."""
    return Change(f"dark {light:g}", tint=lambda picture, rng: light * picture + rng.normal(0, 3, picture.shape))


def noisy(levels: float) -> Change:
    return Change(f"noisy {levels:g}", tint=lambda picture, rng: picture + rng.normal(0, levels, picture.shape))


def blurred(share: float) -> Change:
    """By so many thousandths of the longer side."""
    return Change(
        f"blurred {share:g}",
        tint=lambda picture, rng: cv2.GaussianBlur(picture, (0, 0), share / 1000 * max(picture.shape)),
    )


def soft(share: float) -> Change:
    """A lens out of focus before a grainy sensor: blurred by so many thousandths, then noisy."""

    def tint(picture: Picture, rng: np.random.Generator) -> NDArray[np.generic]:
        smooth = cv2.GaussianBlur(picture, (0, 0), share / 1000 * max(picture.shape))
        return np.asarray(smooth + rng.normal(0, 4, picture.shape))

    return Change(f"soft {share:g}", tint=tint)


def smeared(share: float) -> Change:
    """Moved while it was taken, in any direction, by so many thousandths of the longer side."""

    def tint(picture: Picture, rng: np.random.Generator) -> NDArray[np.generic]:
        reach, angle = share / 2000 * max(picture.shape), rng.uniform(0, np.pi)
        side = 2 * int(np.ceil(reach)) + 1
        path = np.zeros((side, side), np.float32)
        for along in np.linspace(-reach, reach, 8 * side):
            x, y = side // 2 + along * np.cos(angle), side // 2 + along * np.sin(angle)
            path[round(y), round(x)] += 1
        return np.asarray(cv2.filter2D(picture, -1, path / path.sum(), borderType=cv2.BORDER_REPLICATE))

    return Change(f"smeared {share:g}", tint=tint)


def shaded(light: float) -> Change:
    """So much of the light beyond an edge of shadow through the middle."""

    def tint(picture: Picture, rng: np.random.Generator) -> NDArray[np.generic]:
        height, width = picture.shape[:2]
        y, x = np.mgrid[:height, :width]
        angle = rng.uniform(0, 2 * np.pi)
        across = (x - width / 2) * np.cos(angle) + (y - height / 2) * np.sin(angle)
        gain = light + (1 - light) / (1 + np.exp(np.clip(-across / 3, -30, 30)))
        return np.asarray(picture * gain[..., None])

    return Change(f"shaded {light:g}", tint=tint)


def dazzled(reach: float) -> Change:
    """A spot that is burnt out, its light falling off by so much of the width."""

    def tint(picture: Picture, rng: np.random.Generator) -> NDArray[np.generic]:
        height, width = picture.shape[:2]
        y, x = np.mgrid[:height, :width]
        away = (x - width * rng.uniform(0.2, 0.8)) ** 2 + (y - height * rng.uniform(0.2, 0.8)) ** 2
        return np.asarray(picture + 220 * np.exp(-away / (2 * (reach * width) ** 2))[..., None])

    return Change(f"dazzled {reach:g}", tint=tint)


def gleam(picture: Picture, at: tuple[float, float], die_px: float, rng: np.random.Generator) -> Picture:
    """A lamp mirrored at a place in a die so wide: round or long, soft or sharp, faint or burnt out, by lot."""
    y, x = np.mgrid[: picture.shape[0], : picture.shape[1]]
    x, y, angle = x - at[0], y - at[1], rng.uniform(0, np.pi)
    width, longer = rng.uniform(0.04, 0.14) * die_px, rng.choice([1.0, rng.uniform(1, 2.2)])
    along, across = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
    away = np.hypot(along / longer, across) / width
    light = np.exp(-(away**2) / 2) if rng.random() < 0.6 else 1 / (1 + np.exp(np.clip(6 * (away - 1.2), -30, 30)))
    colour = np.array([rng.uniform(0.8, 1), rng.uniform(0.9, 1), 1])
    lit = picture + rng.uniform(120, 420) * light[..., None] * colour
    return np.asarray(np.clip(lit, 0, 255), np.uint8)


def patterned(share: float) -> Change:
    """Ground of which so much is a pattern of two colours: stripes, checks, dots, rings or waves."""

    def around(picture: Picture, dice: Floats, rng: np.random.Generator) -> NDArray[np.generic]:
        height, width = picture.shape[:2]
        y, x = np.mgrid[:height, :width] / (width * rng.uniform(0.02, 0.12))
        angle = rng.uniform(0, np.pi)
        along, across = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
        waves = (
            np.sin(np.pi * along),
            np.sin(np.pi * along) * np.sin(np.pi * across),
            0.35 - np.hypot(along % 1 - 0.5, across % 1 - 0.5),
            np.sin(2 * np.pi * (np.hypot(along % 3 - 1.5, across % 3 - 1.5))),
            np.sin(np.pi * along + np.sin(np.pi * across)),
        )
        drawn = waves[int(rng.integers(len(waves)))] > 0
        colours = rng.uniform(0, 255, (2, 3))
        ground = np.where(drawn[..., None], colours[0], colours[1])
        amount = share * (1 - dice[..., None])
        return np.asarray(picture + amount * (ground - picture))

    return Change(f"patterned {share:g}", around=around)


def packed(quality: int) -> Change:
    def tint(picture: Picture, rng: np.random.Generator) -> NDArray[np.generic]:
        _, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)

    return Change(f"packed {quality}", tint=tint)


def lit(name: str, *gains: float) -> Change:
    """`gains`: of blue, green, red."""
    return Change(name, tint=lambda picture, rng: picture * np.array(gains, np.float32))


def bent(gamma: float) -> Change:
    return Change(f"gamma {gamma:g}", tint=lambda picture, rng: 255 * (picture / 255) ** gamma)


CHANGES = (
    Change("as it is"),
    *(squeezed(ratio) for ratio in (9 / 16, 3 / 4, 4 / 3, 16 / 9)),
    *(slanted(share) for share in (0.15, 0.25)),
    *(turned(degrees) for degrees in (30, 90, 180)),
    far(2),
    coarse(400),
    *(dark(light) for light in (0.35, 0.15, 0.08)),
    *(noisy(levels) for levels in (12, 25)),
    *(blurred(share) for share in (1.5, 3)),
    shaded(0.35),
    dazzled(0.12),
    packed(20),
    lit("warm", 0.45, 0.8, 1.15),
    lit("cold", 1.2, 0.85, 0.5),
    bent(2),
    bent(0.5),
    Change("negative", tint=lambda picture, rng: 255 - picture),
)
PATTERNED = (patterned(0.5), patterned(1.0))
