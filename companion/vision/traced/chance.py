"""Traced scenes by lot. A kind says how hard they are; the same kind and seed are the same scene."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from companion.vision.traced.decoys import decoys
from companion.vision.traced.geometry import corners, pixels
from companion.vision.traced.looks import (
    Pair,
    any_colour,
    between,
    drilled,
    glossy_look,
    many_sided,
    random_look,
    screen_colour,
)
from companion.vision.traced.model import (
    PATTERNED_GROUNDS,
    PLAIN_GROUNDS,
    THINGS,
    Camera,
    Cube,
    Exposure,
    Ground,
    Lamp,
    Look,
    Scene,
    Sky,
    Thing,
)

GROUND_SHARES = (0.35, 0.25, 0.12, 0.2, 0.08)
PATTERN_SHARES = (0.3, 0.2, 0.3, 0.2)
IN_A_ROOM = 0.6
APERTURES = (0.4, 2.4)  # f-numbers at an edge away; a table seen from further is as blurred at smaller ones
ROOM = 1.43  # between the middles of dice that cannot touch however they are turned
NEAR = 1.22
MIRRORED, MOST_MIRRORED = 0.85, 3  # of the scenes of glossy dice have up to so many lamps that they mirror
ASKEW = 0.18  # radians, from where the middle of the table mirrors a lamp: one sigma
RINGS = 0.7  # of the mirrored lamps are rings
AROUND = 3.2  # between a die and a thing's middle
PATIENCE = 200


@dataclass(frozen=True, slots=True)
class Kind:
    """What a kind of scene is drawn from. Slants in degrees, dice in pixels of a picture 640 wide."""

    slant: Pair
    die_px: Pair
    dice: tuple[int, int]
    things: tuple[int, int]
    patterned: float = 0.08
    pips: float = 1.0  # share of the dice that have them
    leaning: float = 0.0
    blurred: float = 0.4  # share whose lens is not sharp everywhere
    one_look: float = 0.5  # share whose dice are all alike
    any_way_up: bool = False
    harsh: bool = False
    many_sided: bool = False  # no cubes
    glossy: float = 0.0  # share of the dice that mirror, and of the scenes that may have a lamp where they mirror it
    drilled: float = 0.0  # share of the dice whose pips are cut into them
    decoys: bool = False  # its things have spots as dice have


KINDS = {
    "rig": Kind((0, 15), (26, 80), (1, 6), (0, 1), blurred=0.15, any_way_up=True),
    "table": Kind((10, 42), (20, 60), (1, 10), (0, 4)),
    "hard": Kind((5, 55), (15, 60), (1, 7), (0, 6), patterned=0.5, harsh=True),
    "symbols": Kind((0, 40), (22, 70), (1, 4), (0, 2), pips=0.0),
    "polyhedra": Kind((0, 40), (22, 70), (1, 4), (0, 2), pips=0.0, many_sided=True),
    "empty": Kind((0, 40), (22, 70), (0, 0), (0, 7)),
    "train": Kind(
        (0, 56), (24, 90), (4, 12), (0, 5), patterned=0.22, pips=0.88, leaning=0.06, blurred=0.15, one_look=0.25
    ),
    "gloss": Kind((0, 45), (30, 90), (6, 14), (0, 3), patterned=0.15, blurred=0.1, one_look=0.1, glossy=1.0),
    "crowd": Kind(
        slant=(0, 56),
        die_px=(28, 60),
        dice=(24, 44),
        things=(0, 0),
        patterned=0.2,
        pips=0.92,
        leaning=0.03,
        blurred=0.1,
        one_look=0.05,
        glossy=0.6,
        drilled=0.6,
    ),
    "decoys": Kind((0, 50), (24, 80), (0, 0), (3, 9), patterned=0.15, blurred=0.2, decoys=True),
}
TEACHING = ("train", "gloss", "crowd")
"""These teach: many dice of many looks in each picture, in `crowd` as many as have room on it. All others judge a
reader; `empty` and `decoys` do both."""


def random_scene(rng: np.random.Generator, kind: str, size: tuple[int, int] = (640, 480)) -> Scene:
    """One scene of a kind. Raises KeyError for a kind that is none."""
    lot = KINDS[kind]
    camera, die_px = _camera(rng, lot, size)
    ground = _ground(rng, patterned=rng.random() < lot.patterned)
    half = min(size) / 2 / die_px
    dice = _dice(rng, lot, camera, half)
    sky, lamps = _sky(rng), _lamps(rng)
    if _among(rng, lot.glossy) and rng.random() < MIRRORED:
        lamps += tuple(_mirrored_lamp(rng, camera) for _ in range(int(rng.integers(1, MOST_MIRRORED + 1))))
    return Scene(camera, ground, sky, lamps, dice, _things(rng, lot, dice, half), _exposure(rng, lot))


def _camera(rng: np.random.Generator, lot: Kind, size: tuple[int, int]) -> tuple[Camera, float]:
    width, height = size
    die_px = math.exp(between(rng, (math.log(lot.die_px[0]), math.log(lot.die_px[1])))) * width / 640
    fov = math.radians(between(rng, (30, 68)))
    distance = width / 2 / math.tan(fov / 2) / die_px
    blurred = rng.random() < lot.blurred
    return (
        Camera(
            width=width,
            height=height,
            distance=distance,
            slant=math.radians(between(rng, lot.slant)),
            heading=between(rng, (0, 2 * math.pi)),
            roll=between(rng, (0, 2 * math.pi)) if lot.any_way_up else float(rng.normal(0, 0.15)),
            fov=fov,
            focus=between(rng, (0.92, 1.08)) if blurred else 1.0,
            aperture=between(rng, APERTURES) / max(distance, 1) if blurred else 0.0,
        ),
        die_px,
    )


def _ground(rng: np.random.Generator, *, patterned: bool) -> Ground:
    if patterned:
        kind = str(rng.choice(PATTERNED_GROUNDS, p=PATTERN_SHARES))
    else:
        kind = str(rng.choice(PLAIN_GROUNDS, p=GROUND_SHARES))
    hue, value = rng.random(), between(rng, (0.05, 0.95))
    saturation = 0.0 if rng.random() < 0.35 else between(rng, (0.2, 0.9))
    if kind == "wood":
        hue, saturation, value = (between(rng, pair) for pair in ((0.03, 0.11), (0.3, 0.7), (0.15, 0.85)))
    main, share = screen_colour(hue, saturation, value), between(rng, (0.3, 0.85))
    dark = (main[0] * share, main[1] * share, main[2] * share)
    grains = {"felt": (8, 30), "leather": (3, 9), "plain": (0.1, 0.5), "wood": (0.5, 3), "waves": (0.2, 1.2)}
    return Ground(
        kind=kind,
        colours=(main, dark, any_colour(rng)),
        grain=between(rng, grains.get(kind, (0.3, 2))),
        yaw=between(rng, (0, math.pi)),
        roughness=0.95 if kind == "felt" else between(rng, (0.25, 0.9)),
        relief=between(rng, (0.3, 1)),
        bend=0.0 if rng.random() < 0.3 else between(rng, (0, 4)),
        stretch=between(rng, (0.03, 0.1)) if kind == "wood" else 1.0,
        hard=rng.random() < 0.5,
    )


def _sky(rng: np.random.Generator) -> Sky:
    if rng.random() < IN_A_ROOM:
        return Sky((1, 1, 1), between(rng, (0.3, 1)), int(rng.integers(1 << 16)), between(rng, (0, 2 * math.pi)))
    return Sky(screen_colour(rng.random(), between(rng, (0, 0.25)), 0.8), between(rng, (0.15, 0.8)))


def _lamps(rng: np.random.Generator) -> tuple[Lamp, ...]:
    return tuple(_lamp(rng) for _ in range(int(rng.integers(1, 4))))


def _lamp(rng: np.random.Generator) -> Lamp:
    kind = str(rng.choice(["AREA", "POINT", "SUN"]))
    way, off, high = (between(rng, pair) for pair in ((0, 2 * math.pi), (2, 25), (6, 30)))
    warm = between(rng, (-1, 1))
    colour = (1.0, 1 - 0.3 * warm, 1 - 0.55 * warm) if warm > 0 else (1 + 0.3 * warm, 1 + 0.12 * warm, 1.0)
    sizes = {"AREA": (1, 10), "POINT": (0.2, 2), "SUN": (0.005, 0.2)}
    energy = between(rng, (0.3, 4)) if kind == "SUN" else (off**2 + high**2) * between(rng, (3, 30))
    aim = (float(rng.normal(0, 2)), float(rng.normal(0, 2)))
    at = (off * math.cos(way), off * math.sin(way), high)
    return Lamp(kind, at, aim, energy, between(rng, sizes[kind]), colour)


def _mirrored_lamp(rng: np.random.Generator, camera: Camera) -> Lamp:
    """A ring or a panel where a level top mirrors it to the camera, as lamps above a table and around a lens are."""
    way = camera.heading + math.pi + float(rng.normal(0, ASKEW))
    slant, far = abs(camera.slant + float(rng.normal(0, ASKEW))), camera.distance * between(rng, (0.5, 1.2))
    at = (far * math.sin(slant) * math.cos(way), far * math.sin(slant) * math.sin(way), far * math.cos(slant))
    kind = "RING" if rng.random() < RINGS else "AREA"
    size = far * between(rng, (0.1, 0.6))
    return Lamp(kind, at, (0.0, 0.0), far**2 * between(rng, (4, 40)), size, (1.0, 1.0, 1.0))


def _dice(rng: np.random.Generator, lot: Kind, camera: Camera, half: float) -> tuple[Cube, ...]:
    """Dice that lie apart and wholly in the picture, some of them nearly touching."""
    count = int(rng.integers(lot.dice[0], lot.dice[1] + 1))
    spread = min(between(rng, (1.2, 6)), 0.8 * half) * max(1.0, math.sqrt(count / 5))
    alike = _look(rng, lot) if rng.random() < lot.one_look else None
    dice: list[Cube] = []
    for _ in range(PATIENCE):
        if len(dice) == count:
            break
        x, y = (float(at) for at in rng.uniform(-spread, spread, 2))
        if dice and rng.random() < 0.15:
            beside, way = dice[int(rng.integers(len(dice)))], between(rng, (0, 2 * math.pi))
            x, y = beside.x + 1.24 * math.cos(way), beside.y + 1.24 * math.sin(way)
        apart = NEAR if rng.random() < 0.5 else ROOM
        if any(math.hypot(x - other.x, y - other.y) < apart for other in dice):
            continue
        die = Cube(
            look=alike or _look(rng, lot),
            value=int(rng.integers(1, 7)),
            x=x,
            y=y,
            yaw=between(rng, (0, 2 * math.pi)),
            lean=math.radians(between(rng, (20, 42))) if rng.random() < lot.leaning else 0.0,
            lean_to=between(rng, (0, 2 * math.pi)),
        )
        if _in_picture(camera, die):
            dice.append(die)
        else:
            spread *= 0.98
    return tuple(dice)


def _look(rng: np.random.Generator, lot: Kind) -> Look:
    if lot.many_sided:
        return many_sided(rng)
    look = (glossy_look if _among(rng, lot.glossy) else random_look)(rng, pips=lot.pips)
    return drilled(rng, look) if look.print.pips and _among(rng, lot.drilled) else look


def _among(rng: np.random.Generator, share: float) -> bool:
    """Is this one of a share; none and all draw nothing, so that scenes of such kinds stay the same."""
    return share > 0 and (share >= 1 or rng.random() < share)


def _in_picture(camera: Camera, die: Cube) -> bool:
    found = pixels(camera, corners(die))
    return bool((found > 0).all() and (found < [camera.width, camera.height]).all())


def _things(rng: np.random.Generator, lot: Kind, dice: tuple[Cube, ...], half: float) -> tuple[Thing, ...]:
    """What lies about, away from the dice."""
    count = int(rng.integers(lot.things[0], lot.things[1] + 1))
    if lot.decoys:
        return decoys(rng, count, half)
    found = []
    for _ in range(count):
        x, y = (float(at) for at in rng.uniform(-1.2 * half, 1.2 * half, 2))
        if all(math.hypot(x - die.x, y - die.y) > AROUND for die in dice):
            found.append(_thing(rng, x, y))
    return tuple(found)


def _thing(rng: np.random.Generator, x: float, y: float) -> Thing:
    kind = str(rng.choice(THINGS))
    colour = any_colour(rng)
    shape: tuple[float, ...] = ()
    if kind == "coin":
        colour = screen_colour(*(between(rng, pair) for pair in ((0.05, 0.14), (0.1, 0.6), (0.4, 0.9))))
    if kind == "cable":
        colour = screen_colour(0, 0, 0.05 if rng.random() < 0.5 else 0.9)
    if kind in ("cable", "block"):
        shape = tuple(float(part) for part in (rng.normal(0, 1, 11) if kind == "cable" else rng.uniform(0.5, 1.2, 3)))
    return Thing(
        kind=kind,
        x=x,
        y=y,
        size=between(rng, (0.6, 1.6)),
        yaw=between(rng, (0, 2 * math.pi)),
        colour=colour,
        roughness=between(rng, (0.1, 0.9)),
        cover=_ground(rng, patterned=True) if kind == "card" else None,
        shape=shape,
    )


def _exposure(rng: np.random.Generator, lot: Kind) -> Exposure:
    mean = between(rng, (0.12, 0.3))
    if lot.harsh and rng.random() < 0.4:
        mean = between(rng, (0.02, 0.06) if rng.random() < 0.5 else (0.35, 0.6))
    red, green, blue = (float(gain) for gain in np.exp(rng.normal(0, 0.08, 3)))
    return Exposure(
        mean=mean,
        white=(red, green, blue),
        contrast=between(rng, (-0.1, 0.15)),
        blur=between(rng, (0.4, 1.4) if lot.harsh else (0.3, 0.8)),
        noise=between(rng, (1, 10) if lot.harsh else (0.5, 4)),
        jpeg=int(rng.integers(60, 95)),
    )
