"""Chance changes of colour, light and sharpness, so that a network leans on shape."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from companion.ports import Picture
from companion.vision.engines import Floats
from companion.vision.networks import decorrelated, inner
from companion.vision.scene.finish import as_jpeg
from companion.vision.sight import lit

_GREY = np.array([0.114, 0.587, 0.299], np.float32)
MARBLED, DIE_MARBLED = 0.15, 0.22  # of the pictures, and of crops of dice, get blotches of another colour
GENTLY_MARBLED = 0.08  # of the pictures that are changed gently, their bodies
BODY_ONLY = 0.6  # of the marbled dice are so on their bodies alone,
BODY_STRENGTH = 2.2  # times as strongly
CROSSED = 0.2  # of the pictures have their colours turned about every axis
DECORRELATED = 0.15  # of the pictures have their colours stretched apart, as a last look does
FLOORS = (0.02, 0.3)  # least and most of how little an axis is stretched
HALO_REACH = 0.3  # of a crop: what is mirrored in a face ends about there
DIM_LIGHT = (0.08, 0.5)
DIM_NOISE = (0.3, 2.5)  # grey levels of deviation
FAINT = (20.0, 90.0)  # grey levels that pips of little contrast keep
PIP_REACH, ONE_REACH = 0.12, 0.2  # of a crop's side: so far from its middle a pip is changed, and a single one
PIP_SPREAD = (0.05, 0.1)  # of a crop's side: how wide the hollow of a pip is, around which a mirrored lamp winds
BODY_PX = 25  # more than two pips wide: the median of so many pixels is the body's colour
BENT = 0.2  # of the pictures have some grey levels pushed together, others apart, in each channel


def recolour(picture: Picture, rng: np.random.Generator, *, one_die: bool = False) -> Picture:
    """Other gains, hues, saturation, polarity, contrast, brightness, gamma; at times marbled, or in crossed colours.

    `one_die`: the picture is a crop of a die, whose body may be marbled strongly.
    """
    if rng.random() < (DIE_MARBLED if one_die else MARBLED):
        picture = _marble(picture, rng, body_only=one_die and rng.random() < BODY_ONLY)
    if rng.random() < DECORRELATED:
        picture = decorrelated(picture, float(np.exp(rng.uniform(*np.log(FLOORS)))))
    chance = rng.random()
    if chance < CROSSED:
        return _cross(picture, rng)
    if chance < CROSSED + BENT:
        picture = _bend(picture, rng)
    return _tint(picture, rng)


def recolour_gently(picture: Picture, rng: np.random.Generator) -> Picture:
    """As `recolour`, but no colour comes nearer to another: pips stand out as they did, but on some marbled bodies."""
    if rng.random() < GENTLY_MARBLED:
        picture = _marble(picture, rng, body_only=True)
    return _tint(picture, rng)


def _tint(picture: Picture, rng: np.random.Generator) -> Picture:
    """Other gains, hues, saturation, polarity, contrast, brightness, gamma."""
    mixed = np.asarray(cv2.transform(picture, _mix(rng)), np.uint8)
    return np.asarray(cv2.LUT(mixed, _curve(float(mixed.mean()), rng)), np.uint8)


def _cross(picture: Picture, rng: np.random.Generator) -> Picture:
    """Colours turned about any axis through their mean: black pips on white become, say, red ones on a grey as dark."""
    axes, _ = np.linalg.qr(rng.standard_normal((3, 3)))
    middle = picture.reshape(-1, 3).mean(axis=0)
    gain = float(np.exp(rng.uniform(-1.2, 0.1)))
    shift = rng.uniform(70, 185) + rng.normal(0, 12, 3) - gain * axes @ middle
    return _u8(cv2.transform(picture, np.column_stack([gain * axes, shift]).astype(np.float32)))


def _bend(picture: Picture, rng: np.random.Generator) -> Picture:
    """Each channel through a rising curve of its own: dark dice grow darker still beside white cloth, or pips paler."""
    knots = np.linspace(0, 255, 7)
    curves = np.empty((256, 1, 3), np.uint8)
    steps = rng.exponential(1, 6)
    for channel in range(3):
        heights = np.concatenate([[0], np.cumsum(steps * np.exp(rng.normal(0, 0.4, 6)) + 0.08)])
        curves[:, 0, channel] = np.interp(np.arange(256), knots, heights * (255 / heights[-1]))
    return _u8(cv2.LUT(picture, curves))


def _marble(picture: Picture, rng: np.random.Generator, *, body_only: bool) -> Picture:
    """Blotches or streaks of one other colour, fainter than what the picture shows.

    `body_only`: strong ones, on what has about the colour of the picture's middle: of a die, the body, not the pips.
    """
    height, width = picture.shape[:2]
    rows, columns = (int(count) for count in rng.integers(2, 9, 2))
    hills = waves(rng, (rows, columns), (width, height))
    blotches = np.tanh(hills * np.float32(rng.uniform(1, 6)))[..., None]
    way = rng.standard_normal(3).astype(np.float32)
    way *= np.float32(1.7 * rng.uniform(0.15, 0.6) * max(float(picture.std()), 8.0) / float(np.linalg.norm(way)))
    if body_only:
        blotches = blotches * (_of_middle_colour(picture) * np.float32(BODY_STRENGTH))[..., None]
    return np.asarray(np.clip(picture + blotches * way, 0, 255), np.uint8)


def _of_middle_colour(picture: Picture) -> Floats:
    """How near each pixel's colour is to the commonest of the picture's middle, 0–1, as h×w."""
    middle = inner(picture).reshape(-1, 3).astype(np.float32)
    colour = np.median(middle, axis=0)
    usual = max(float(middle.std(axis=0).mean()), 6.0)
    away = ((picture - colour) ** 2).sum(axis=2) / np.float32(3 * usual**2)
    return np.asarray(np.exp(-away / 2), np.float32)


def waves(rng: np.random.Generator, cells: tuple[int, int], size: tuple[int, int]) -> Floats:
    """Smooth chance heights around 0, with one hill or hollow a cell. `cells`: rows, columns; `size`: width, height."""
    heights = rng.standard_normal(cells).astype(np.float32)
    return np.asarray(cv2.resize(heights, size, interpolation=cv2.INTER_CUBIC), np.float32)


def _curve(middle: float, rng: np.random.Generator) -> Picture:
    """256 grey levels for 256: one in five times inverted."""
    levels = np.arange(256, dtype=np.float32)
    if rng.random() < 0.2:
        levels, middle = 255 - levels, 255 - middle
    contrast, bright, gamma = np.exp(rng.normal(0, 0.3)), rng.normal(0, 22), np.exp(rng.normal(0, 0.3))
    stretched = np.clip((levels - middle) * contrast + middle + bright, 0, 255) / 255
    return np.asarray(np.clip(255 * stretched**gamma, 0, 255), np.uint8)


def _mix(rng: np.random.Generator) -> Floats:
    """A 3×3 colour matrix: saturation, a turn of the hues for every second picture, gains."""
    turn = rng.uniform(-np.pi, np.pi) if rng.random() < 0.5 else rng.normal(0, 0.15)
    saturation = 0.0 if rng.random() < 0.1 else float(np.exp(rng.normal(0, 0.35)))
    grey = np.outer(np.ones(3), _GREY)
    chroma = np.eye(3) - grey
    axis = np.ones(3) / np.sqrt(3)
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    around = np.cos(turn) * np.eye(3) + np.sin(turn) * cross + (1 - np.cos(turn)) * np.outer(axis, axis)
    gains = np.exp(rng.normal(0, 0.12, 3))
    return np.asarray(gains[:, None] * (grey + saturation * around @ chroma), np.float32)


def faded(crop: Picture, pips: Floats, rng: np.random.Generator) -> Picture:
    """A crop of a die whose pips nearly have its body's colour, as red ones on black have.

    `pips`: n×2, x and y of their middles in the crop.
    """
    reach = crop.shape[1] * (ONE_REACH if len(pips) == 1 else PIP_REACH)
    here = np.exp(-((_squares_to(pips, crop).min(axis=2) / np.float32(reach**2)) ** 2))
    apart = crop.astype(np.float32) - cv2.medianBlur(crop, BODY_PX)
    ink = (apart * here[..., None]).sum(axis=(0, 1))
    ink /= max(float(np.linalg.norm(ink)), 1e-3)
    depth = apart @ ink  # of each pixel, how far it is from the body towards the pips
    most = max(float(np.quantile(depth[here > 0.5], 0.9)), 1.0)
    way = np.abs(rng.standard_normal(3)).astype(np.float32) * np.sign(ink.sum() or 1.0)
    way *= np.float32(min(1.0, float(np.exp(rng.uniform(*np.log(FAINT)))) / most) / float(np.linalg.norm(way)))
    changed = crop + here[..., None] * (depth[..., None] * way - apart)
    return np.asarray(np.clip(changed, 0, 255), np.uint8)


def mirroring(crop: Picture, pips: Floats, rng: np.random.Generator) -> Picture:
    """A crop of a die whose glossy face mirrors a lamp around its pips. `pips`: as of `faded`."""
    wide = crop.shape[1] * np.float32(rng.uniform(*PIP_SPREAD))
    hollow = np.exp(-_squares_to(pips, crop) / (2 * wide**2)).sum(axis=2)
    return _lines_around(np.asarray(hollow, np.float32), crop, rng)


def _squares_to(places: Floats, crop: Picture) -> Floats:
    """h×w×n: of each pixel the squared distance to each place."""
    y, x = np.mgrid[: crop.shape[0], : crop.shape[1]].astype(np.float32)
    return np.asarray((x[..., None] - places[:, 0]) ** 2 + (y[..., None] - places[:, 1]) ** 2, np.float32)


def degrade(picture: Picture, rng: np.random.Generator, *, most_blur: float) -> Picture:
    """Blur (round or along a line), lost resolution, noise, JPEG; each at times only."""
    chance = rng.random()
    if chance < 0.3:
        picture = _u8(cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.4, most_blur))))
    elif chance < 0.4:
        picture = _u8(cv2.filter2D(picture, -1, _line(rng, 1.8 * most_blur)))
    if rng.random() < 0.22:
        picture = _coarse(picture, float(rng.uniform(0.33, 0.9)))
    if rng.random() < 0.35:
        channels = 3 if rng.random() < 0.5 else 1
        noise = rng.standard_normal((*picture.shape[:2], channels), np.float32) * np.float32(rng.uniform(1, 14))
        picture = np.clip(picture + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.2:
        picture = as_jpeg(picture, int(rng.integers(25, 90)))
    return picture


def _coarse(picture: Picture, share: float) -> Picture:
    height, width = picture.shape[:2]
    small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return _u8(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR))


def _line(rng: np.random.Generator, most_px: float) -> Floats:
    length, angle = rng.uniform(1, max(1.5, most_px)), rng.uniform(0, np.pi)
    side = 2 * int(np.ceil(length)) + 1
    kernel = np.zeros((side, side), np.float32)
    dx, dy = np.cos(angle) * length / 2, np.sin(angle) * length / 2
    middle = side // 2
    ends = [
        (round(16 * (middle - dx)), round(16 * (middle - dy))),
        (round(16 * (middle + dx)), round(16 * (middle + dy))),
    ]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
    return kernel / max(float(kernel.sum()), 1e-6)


def _u8(picture: cv2.typing.MatLike) -> Picture:
    return np.asarray(picture, np.uint8)


def dimmed(picture: Picture, rng: np.random.Generator) -> Picture:
    """As a camera sees it in a half to a twelfth of the light, with its noise, and as the reader then brightens it."""
    light = np.float32(np.exp(rng.uniform(*np.log(DIM_LIGHT))))
    noise = rng.standard_normal(picture.shape, np.float32) * np.float32(rng.uniform(*DIM_NOISE))
    return lit(np.asarray(np.clip(picture * light + noise, 0, 255), np.uint8))[0]


def shade(picture: Picture, rng: np.random.Generator) -> Picture:
    """At times a soft edge of shadow, a bright spot of glare, or the bent gleam of a window or lamp, across a crop."""
    chance = rng.random()
    if chance > 0.55:
        return picture
    if chance > 0.45:
        return _halo(picture, rng)
    if chance > 0.35:
        return _sheen(picture, rng)
    if chance > 0.25:
        return _gleam(picture, rng)
    height, width = picture.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    if chance < 0.15:
        angle = rng.uniform(0, 2 * np.pi)
        across = (x - width * rng.uniform(0.2, 0.8)) * np.cos(angle) + (y - height * rng.uniform(0.2, 0.8)) * np.sin(
            angle
        )
        dark = rng.uniform(0.25, 0.8)
        gain = dark + (1 - dark) / (1 + np.exp(np.clip(-across / rng.uniform(0.5, 8), -30, 30)))
        return np.asarray(np.clip(picture * gain[..., None], 0, 255), np.uint8)
    spot = np.exp(
        -((x - width * rng.uniform(0.2, 0.8)) ** 2 + (y - height * rng.uniform(0.2, 0.8)) ** 2)
        / (2 * (width * rng.uniform(0.03, 0.12)) ** 2)
    )
    return np.asarray(np.clip(picture + (rng.uniform(60, 220) * spot)[..., None], 0, 255), np.uint8)


def _gleam(picture: Picture, rng: np.random.Generator) -> Picture:
    """One to three thin bright arcs, as glossy edges and hollow pips show them."""
    height, width = picture.shape[:2]
    light = np.zeros((height, width), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        at = (int(width * rng.uniform(0.15, 0.85)), int(height * rng.uniform(0.15, 0.85)))
        axes = (int(width * rng.uniform(0.03, 0.3)), int(height * rng.uniform(0.03, 0.3)))
        start = rng.uniform(0, 360)
        end = start + rng.uniform(40, 220)
        thick = int(rng.integers(1, 4))
        cv2.ellipse(light, at, axes, rng.uniform(0, 180), start, end, rng.uniform(0.4, 1), thick, cv2.LINE_AA)
    light = np.asarray(cv2.GaussianBlur(light, (0, 0), float(rng.uniform(0.3, 1.2))), np.float32)
    return _lit(picture, light, rng)


def _sheen(picture: Picture, rng: np.random.Generator) -> Picture:
    """Bright winding lines across a face, as a lamp above is mirrored where glossy hollows run together."""
    height, width = picture.shape[:2]
    cells = int(rng.integers(3, 8))
    height_of, place_of = (waves(rng, (cells, cells), (width, height)) for _ in range(2))
    lines = np.exp(-((height_of / np.float32(rng.uniform(0.06, 0.25))) ** 2))
    here = 1 / (1 + np.exp(-4 * (place_of - np.float32(rng.uniform(0.2, 1.2)))))
    light = cv2.GaussianBlur(lines * here, (0, 0), float(rng.uniform(0.4, 0.9)))
    return _lit(picture, light, rng)


def _halo(picture: Picture, rng: np.random.Generator) -> Picture:
    """Bright lines that wind around what looks like pips: a lamp mirrored in a glossy face."""
    pips = (1 - _of_middle_colour(picture)) * _inside(*picture.shape[:2])
    spread = cv2.GaussianBlur(pips, (0, 0), picture.shape[1] * float(rng.uniform(0.03, 0.07)))
    return _lines_around(np.asarray(spread, np.float32), picture, rng)


@cache
def _inside(height: int, width: int) -> Floats:
    """1 in the middle of a crop of a die, 0 where its face ends."""
    y, x = np.mgrid[:height, :width].astype(np.float32)
    away = ((x / width - 0.5) ** 2 + (y / height - 0.5) ** 2) / np.float32(HALO_REACH**2)
    return np.asarray(np.exp(-(away**2)), np.float32)


def _lines_around(spread: Floats, picture: Picture, rng: np.random.Generator) -> Picture:
    """Bright lines along one height of a face's hollows, h×w, broken here and there."""
    height, width = picture.shape[:2]
    inside = _inside(height, width)
    spread = spread + np.float32(0.04) * waves(rng, (5, 5), (width, height))
    lines = np.exp(-(((spread - np.float32(rng.uniform(0.1, 0.35))) / np.float32(rng.uniform(0.03, 0.1))) ** 2))
    here = 1 / (1 + np.exp(-6 * (waves(rng, (3, 3), (width, height)) + np.float32(rng.uniform(-0.3, 1.2)))))
    light = cv2.GaussianBlur(lines * here * inside, (0, 0), float(rng.uniform(0.3, 0.8)))
    return _lit(picture, light, rng)


def _lit(picture: Picture, light: cv2.typing.MatLike, rng: np.random.Generator) -> Picture:
    """The picture under so much more light, h×w, 1 being 80 to 255 grey levels."""
    levels = np.float32(rng.uniform(80, 255)) * light
    return np.asarray(np.clip(picture + levels[..., None], 0, 255), np.uint8)
