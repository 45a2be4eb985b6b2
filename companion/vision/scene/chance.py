"""Scenes by chance, as wide as tables are: dice, grounds, lights and cameras nobody has told us of."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np

from companion.ports import Picture
from companion.vision.scene.draw import draw
from companion.vision.scene.faces import ICONS
from companion.vision.scene.geometry import View, top_frame
from companion.vision.scene.model import (
    PIP_FACES,
    Camera,
    Colour,
    Cube,
    Finish,
    Ground,
    Lamp,
    Light,
    Look,
    Rim,
    Scene,
    Seen,
    Thing,
)
from companion.vision.scene.things import SIZES

_SEEDS = 8  # patterns of each kind of ground: all of them kept are some 100 MB

_BODIES: tuple[Colour, ...] = (
    (0.93, 0.95, 0.96),
    (0.78, 0.9, 0.95),
    (0.62, 0.82, 0.95),
    (0.05, 0.05, 0.05),
    (0.12, 0.1, 0.75),
    (0.15, 0.12, 0.5),
    (0.6, 0.25, 0.08),
    (0.85, 0.55, 0.15),
    (0.2, 0.55, 0.12),
    (0.15, 0.85, 0.75),
    (0.1, 0.8, 0.95),
    (0.1, 0.45, 0.95),
    (0.55, 0.15, 0.45),
    (0.65, 0.35, 0.9),
    (0.5, 0.5, 0.5),
    (0.3, 0.45, 0.65),
)


def random_scene(
    rng: np.random.Generator,
    *,
    hardness: float = 0.5,
    size: tuple[int, int] = (400, 300),
    dice: int | None = None,
    die_px: tuple[float, float] = (16, 110),
) -> Scene:
    """A table somewhere. `hardness` 0 is a kind rig, 1 a dark, slanted, cluttered one.

    `dice`: how many, else by chance, with none at times. `die_px`: bounds of a die's side in the picture,
    in pixels at a width of 640.
    """
    hard = float(np.clip(hardness, 0, 1))
    count = dice if dice is not None else _count(rng)
    camera = _camera(rng, hard, size, count, die_px)
    light = _light(rng, hard)
    ground = _ground(rng)
    rim = _rim(rng, camera) if rng.random() < 0.2 else None
    cubes = _cubes(rng, hard, camera, count)
    things = _things(rng, hard, camera, cubes)
    hand = _hand(rng, camera) if rng.random() < 0.03 + 0.05 * hard else None
    return Scene(cubes, camera, light, ground, rim, things, hand, _legible(_finish(rng, hard, light, ground), camera))


def _count(rng: np.random.Generator) -> int:
    if rng.random() < 0.07:
        return 0
    return int(rng.integers(1, 7)) if rng.random() < 0.8 else int(rng.integers(7, 16))


def _between(rng: np.random.Generator, low: float, high: float) -> float:
    return float(rng.uniform(low, high))


def _jitter(rng: np.random.Generator, colour: Colour, by: float) -> Colour:
    blue, green, red = (float(np.clip(c + rng.normal(0, by), 0.02, 0.98)) for c in colour)
    return blue, green, red


def _any_colour(rng: np.random.Generator) -> Colour:
    if rng.random() < 0.6:
        return _jitter(rng, _BODIES[int(rng.integers(0, len(_BODIES)))], 0.06)
    blue, green, red = (float(c) for c in rng.uniform(0.02, 0.97, 3))
    return blue, green, red


def _muted(rng: np.random.Generator, colour: Colour) -> Colour:
    """A colour as cloth and walls have it: mostly greyer than those of dice."""
    share, grey = _between(rng, 0.15, 1.0) ** 1.5, _grey(colour)
    blue, green, red = (float(np.clip(grey + share * (c - grey), 0.03, 0.97)) for c in colour)
    return blue, green, red


def _grey(colour: Colour) -> float:
    return 0.11 * colour[0] + 0.59 * colour[1] + 0.3 * colour[2]


def random_look(rng: np.random.Generator, *, hardness: float = 0.5) -> Look:
    """A die as shops sell them; odd ones more often the higher the hardness."""
    body = _BODIES[int(rng.integers(0, 3))] if rng.random() < 0.3 else _any_colour(rng)
    body = _jitter(rng, body, 0.03)
    pattern = str(rng.choice(["solid", "marble", "halves", "swirl", "speckle"], p=[0.6, 0.18, 0.07, 0.12, 0.03]))
    second = _any_colour(rng) if rng.random() < 0.5 else _jitter(rng, body, 0.2)
    radius = _between(rng, 0.065, 0.125)
    one = _between(rng, 0.1, 0.19) if rng.random() < 0.15 else radius
    round_kind = rng.random()
    return Look(
        body=body,
        second=second,
        pattern=pattern,
        pips=_pip_colour(rng, body, second, pattern, hardness),
        one=(0.15, 0.12, 0.75) if rng.random() < 0.07 and _grey(body) > 0.6 else None,
        pip_radius=radius,
        one_radius=one,
        spread=_between(rng, 0.2, 0.29),
        rounding=_between(rng, 0.015, 0.07) if round_kind < 0.25 else _between(rng, 0.07, 0.22),
        ball=_between(rng, 0.66, 0.78) if round_kind > 0.55 else 0.0,
        dent=0.0 if rng.random() < 0.25 else _between(rng, 0.1, 0.9),
        gloss=float(rng.beta(1.2, 1.6)),
        clear=_between(rng, 0.25, 0.7) if rng.random() < 0.12 else 0.0,
        mirrored=bool(rng.random() < 0.4),
        turns=(bool(rng.random() < 0.5), bool(rng.random() < 0.5), bool(rng.random() < 0.5)),
        seed=int(rng.integers(0, 1 << 30)),
    )


def _pip_colour(rng: np.random.Generator, body: Colour, second: Colour, pattern: str, hardness: float) -> Colour:
    """Mostly white on dark and black on pale; at times another colour, at times hardly to be told from the body."""
    bright = _grey(body) if pattern == "solid" else (_grey(body) + _grey(second)) / 2
    choice = rng.random()
    if choice < 0.62:
        return _jitter(rng, (0.93, 0.94, 0.95) if bright < 0.52 else (0.05, 0.05, 0.05), 0.03)
    wanted = 0.3 - 0.18 * hardness * _between(rng, 0, 1)
    for _ in range(20):
        colour = _jitter(rng, (0.3, 0.7, 0.85), 0.05) if choice < 0.72 else _any_colour(rng)  # gold, or any
        if (
            max(abs(a - b) for a, b in zip(colour, body, strict=True)) > wanted
            and abs(_grey(colour) - bright) > wanted / 3
        ):
            return colour
        choice = 1.0
    return (0.95, 0.95, 0.95) if bright < 0.5 else (0.05, 0.05, 0.05)


def strange_look(rng: np.random.Generator, look: Look) -> Look:
    """The same die with faces that are no pips: numerals, letters, icons, or nothing."""
    names = sorted(ICONS)
    match int(rng.integers(0, 4)):
        case 0:
            faces = tuple(f"digit {n}" for n in range(1, 7))
        case 1:
            faces = tuple(f"letter {c}" for c in rng.choice(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), 6))
        case 2:
            faces = ("blank",) * 6 if rng.random() < 0.4 else tuple(str(n) for n in rng.choice(names, 6))
        case _:
            faces = tuple(str(n) for n in rng.choice(names, 6))
    return replace(look, faces=faces)


def _camera(
    rng: np.random.Generator, hard: float, size: tuple[int, int], count: int, die_px: tuple[float, float]
) -> Camera:
    width, height = size
    tilt = abs(rng.normal(0, 12 + 20 * hard)) if rng.random() < 0.75 else _between(rng, 20, 30 + 32 * hard)
    tilt = min(tilt, 62.0)
    low, high = (math.log(p * width / 640) for p in die_px)
    wanted = math.exp(_between(rng, low, high))
    fit = 0.55 * math.sqrt(width * height / max(count, 1))  # so that all dice have room
    wanted = min(wanted, fit)
    focal = width * _between(rng, 0.75, 1.6)
    return Camera(
        width=width,
        height=height,
        target=(0.0, 0.0),
        distance=focal * 1.6 / wanted,
        tilt_deg=tilt,
        heading_deg=_between(rng, 0, 360),
        focal_px=focal,
        stretch=_between(rng, 0.75, 1.33) if rng.random() < 0.12 else 1.0,
    )


def _light(rng: np.random.Generator, hard: float) -> Light:
    warm = rng.normal(0, 0.07 + 0.06 * hard)
    colour = (float(1 - 1.3 * warm), 1.0, float(1 + 0.9 * warm))
    lamps = tuple(
        Lamp(
            azimuth_deg=_between(rng, 0, 360),
            elevation_deg=float(np.clip(rng.normal(58, 18), 18, 88)),
            strength=_between(rng, 0.35, 1.0) * (1.0 if k == 0 else 0.5),
            colour=colour if k == 0 else (1.0, 1.0, 1.0),
            softness_deg=float(np.clip(rng.lognormal(1.6, 0.9), 0.5, 30)),
        )
        for k in range(1 + int(rng.random() < 0.25))
    )
    return Light(
        lamps=lamps,
        ambient=float(rng.beta(2, 2) * 0.9 + 0.06),
        ambient_colour=(float(1 + 0.6 * abs(warm)), 1.0, float(1 - 0.5 * abs(warm))),
        window=_between(rng, 0.5, 3.0) if rng.random() < 0.25 else 0.0,
        window_deg=(_between(rng, 0, 360), _between(rng, 35, 85), _between(rng, 5, 22)),
        pool=_between(rng, 0.0, 0.9) ** 2 * (0.5 + hard),
        pool_at=(_between(rng, 0, 1), _between(rng, 0, 1)),
        cover=_between(rng, 0.3, 0.75) if rng.random() < 0.08 + 0.08 * hard else 0.0,
        cover_deg=_between(rng, 0, 360),
        cover_at=_between(rng, -0.2, 0.45),
    )


_GROUNDS: tuple[tuple[str, float], ...] = (
    ("plain", 0.2),
    ("felt", 0.14),
    ("leather", 0.07),
    ("carpet", 0.07),
    ("shag", 0.03),
    ("weave", 0.05),
    ("knit", 0.04),
    ("wood", 0.13),
    ("planks", 0.07),
    ("stone", 0.03),
    ("granite", 0.03),
    ("stripes", 0.02),
    ("checks", 0.025),
    ("spots", 0.015),
    ("scatter", 0.02),
    ("playmat", 0.03),
    ("print", 0.01),
    ("holes", 0.01),
    ("herringbone", 0.01),
)
_MEAN_COLOURS: dict[str, tuple[Colour, ...]] = {
    "plain": ((0.8, 0.82, 0.84), (0.9, 0.9, 0.9), (0.6, 0.62, 0.64), (0.15, 0.15, 0.15)),
    "wood": (
        (0.62, 0.76, 0.85),
        (0.3, 0.48, 0.66),
        (0.15, 0.27, 0.45),
        (0.13, 0.22, 0.55),
        (0.45, 0.5, 0.54),
        (0.1, 0.14, 0.2),
    ),
    "carpet": ((0.5, 0.58, 0.66), (0.35, 0.4, 0.45), (0.2, 0.22, 0.25), (0.55, 0.3, 0.25)),
    "felt": (
        (0.3, 0.45, 0.1),
        (0.15, 0.1, 0.6),
        (0.5, 0.2, 0.1),
        (0.15, 0.15, 0.15),
        (0.5, 0.25, 0.5),
        (0.2, 0.5, 0.55),
    ),
}


def _ground(rng: np.random.Generator) -> Ground:
    names, weights = zip(*_GROUNDS, strict=True)
    kind = str(rng.choice(names, p=np.array(weights) / sum(weights)))
    family = {"planks": "wood", "shag": "carpet", "leather": "felt"}.get(kind, kind)
    known = _MEAN_COLOURS.get(family)
    base = (
        known[int(rng.integers(0, len(known)))]
        if known is not None and rng.random() < 0.7
        else _muted(rng, _any_colour(rng))
    )
    base = _jitter(rng, base, 0.05)
    if kind in ("plain", "felt", "leather"):
        palette: tuple[Colour, ...] = (_jitter(rng, base, 0.012), base)
    elif kind in ("wood", "planks", "carpet", "shag"):
        dark = _between(rng, 0.6, 0.92)
        palette = ((base[0] * dark, base[1] * dark, base[2] * dark), base)
    else:
        palette = tuple([base] + [_muted(rng, _any_colour(rng)) for _ in range(int(rng.integers(1, 4)))])
    rough = {"plain": 0.04, "felt": 0.09, "leather": 0.1, "carpet": 0.3, "shag": 0.3, "wood": 0.06, "planks": 0.08}.get(
        kind, 0.1
    )
    return Ground(
        kind=kind,
        palette=palette,
        grain=rough * _between(rng, 0.4, 1.6),
        scale=math.exp(_between(rng, math.log(5), math.log(24))),
        yaw_deg=_between(rng, 0, 360),
        seed=int(rng.integers(0, _SEEDS)),
    )


def _spread(camera: Camera) -> tuple[float, float]:
    """Centimetres across and along the picture on the table, near its middle."""
    scale = camera.distance / camera.focal_px
    return camera.width * scale, camera.height * scale / max(camera.stretch, 0.5)


def _rim(rng: np.random.Generator, camera: Camera) -> Rim:
    across, along = _spread(camera)
    sides = int(rng.choice([4, 4, 6, 8]))
    radius = _between(rng, 0.42, 0.62) * min(across, along)
    turn = math.radians(camera.heading_deg - 90) + (math.pi / 4 if sides == 4 else 0.0) + rng.normal(0, 0.15)
    squash = along / across if sides == 4 else 1.0
    angles = [turn + 2 * math.pi * k / sides for k in range(sides)]
    grow = 1.35 if sides == 4 else 1.0
    local = [(radius * grow * math.cos(a - turn), radius * grow * math.sin(a - turn)) for a in angles]
    corners = tuple(
        (
            x * math.cos(turn) - y * math.sin(turn),
            (x * math.sin(turn) + y * math.cos(turn)) * (1 if sides != 4 else max(squash, 0.8)),
        )
        for x, y in local
    )
    return Rim(
        corners=corners,
        height=_between(rng, 1.5, 4),
        flare=_between(rng, 0, 1.5),
        width=_between(rng, 0.15, 1.2),
        colour=_muted(rng, _any_colour(rng)),
        outside=_ground(rng),
    )


def _cubes(rng: np.random.Generator, hard: float, camera: Camera, count: int) -> tuple[Cube, ...]:
    """Dice where they fall: mostly apart, at times touching, seldom stacked or cocked."""
    across, along = _spread(camera)
    heading = math.radians(camera.heading_deg)
    right, away = (math.sin(heading), -math.cos(heading)), (math.cos(heading), math.sin(heading))
    look = random_look(rng, hardness=hard)
    same = rng.random() < 0.5
    strange = rng.random() < 0.08
    size = 1.6
    huddle = _between(rng, 0.25, 1.0)
    cubes: list[Cube] = []
    for _ in range(count):
        own = look if same else random_look(rng, hardness=hard)
        if strange or rng.random() < 0.02:
            own = strange_look(rng, own)
        own_size = size * (1.0 if same else _between(rng, 0.75, 1.25))
        for _ in range(30):
            a, b = rng.uniform(-0.46, 0.46, 2) * huddle
            x, y = (a * across * right[i] + b * along * away[i] for i in range(2))
            cube = Cube(int(rng.integers(1, 7)), x, y, _between(rng, 0, 360), own_size, own)
            if cubes and rng.random() < 0.12:
                cube = _pushed_against(rng, cube, cubes[int(rng.integers(0, len(cubes)))])
            if all(_apart(cube, c) for c in cubes):
                cubes.append(_odd(rng, hard, cube, cubes))
                break
    return tuple(cubes)


def _pushed_against(rng: np.random.Generator, cube: Cube, base: Cube) -> Cube:
    """The die side by side with another, flush or not."""
    flush = rng.random() < 0.5
    yaw = base.yaw_deg if flush else cube.yaw_deg
    angle = math.radians(base.yaw_deg + 90 * int(rng.integers(0, 4)))
    gap = (base.size + cube.size * (1.0 if flush else 1.3)) / 2 * _between(rng, 1.0, 1.05)
    side = _between(rng, -0.5, 0.5) * cube.size
    x = base.x + gap * math.cos(angle) - side * math.sin(angle)
    y = base.y + gap * math.sin(angle) + side * math.cos(angle)
    return replace(cube, x=x, y=y, yaw_deg=yaw)


def _apart(one: Cube, two: Cube) -> bool:
    """Do two dice not run into each other, seen from above."""
    if two.z or one.z:
        return math.hypot(one.x - two.x, one.y - two.y) > 1.3 * (one.size + two.size) / 2
    feet = [((c.x, c.y), (c.size * 0.99,) * 2, c.yaw_deg) for c in (one, two)]
    return cv2.rotatedRectangleIntersection(feet[0], feet[1])[0] == cv2.INTERSECT_NONE


def _odd(rng: np.random.Generator, hard: float, cube: Cube, cubes: list[Cube]) -> Cube:
    """Seldom, the die leans, or lies on another."""
    chance = rng.random()
    if chance < 0.012 + 0.02 * hard:
        return replace(cube, lean_deg=_between(rng, 12, 40), lean_to_deg=_between(rng, 0, 360))
    if chance > 0.985 and cubes and all(c.z == 0 and c.lean_deg == 0 for c in cubes):
        base = cubes[int(rng.integers(0, len(cubes)))]
        return replace(cube, x=base.x + _between(rng, -0.3, 0.3), y=base.y + _between(rng, -0.3, 0.3), z=base.size)
    return cube


def _things(rng: np.random.Generator, hard: float, camera: Camera, cubes: tuple[Cube, ...]) -> tuple[Thing, ...]:
    """Clutter around the dice, not under them."""
    across, along = _spread(camera)
    count = int(rng.poisson(0.7 + 2.2 * hard)) if rng.random() < 0.55 else 0
    kinds = sorted(SIZES)
    found: list[Thing] = []
    for _ in range(count):
        kind = str(rng.choice(kinds))
        size = _between(rng, *SIZES[kind])
        for _ in range(12):
            x, y = rng.uniform(-0.75, 0.75) * across, rng.uniform(-0.75, 0.75) * along
            room = 0.62 * size + 1.3
            if all(math.hypot(x - c.x, y - c.y) > room for c in cubes):
                found.append(
                    Thing(kind, float(x), float(y), _between(rng, 0, 360), size, int(rng.integers(0, 1 << 20)))
                )
                break
    return tuple(found)


def _hand(rng: np.random.Generator, camera: Camera) -> Thing:
    across, along = _spread(camera)
    angle = _between(rng, 0, 360)
    reach = _between(rng, -0.1, 0.4)
    x = -math.cos(math.radians(angle)) * reach * across
    y = -math.sin(math.radians(angle)) * reach * along
    return Thing("hand", x, y, angle, _between(rng, 6, 10), int(rng.integers(0, 1 << 20)))


_MIDDLE = 0.22  # linear brightness of the ground that a camera's automatic exposure leaves as it is


def _automatic(ground: Ground) -> float:
    """What a camera's automatic exposure makes of a pale or dark ground: it evens out about half of it."""
    mean = np.mean([_grey(c) ** 2 for c in ground.palette])
    return float(np.clip((_MIDDLE / mean) ** 0.5, 0.55, 2.2))


_SIDE = 1.6  # centimetres of a die, as a rule


def _legible(finish: Finish, camera: Camera) -> Finish:
    """Blur that leaves pips of dice as small as these apart: nobody could label more."""
    side = _SIDE * camera.focal_px / camera.distance
    return replace(
        finish,
        blur_px=min(finish.blur_px, 0.2 + 0.035 * side),
        disc_px=min(finish.disc_px, 0.06 * side),
        motion_px=min(finish.motion_px, 0.13 * side),
        shrink=max(finish.shrink, min(1.0, 13 / side)),
        noise=min(finish.noise, 0.012 + 0.0012 * side),
    )


def _finish(rng: np.random.Generator, hard: float, light: Light, ground: Ground) -> Finish:
    level = light.ambient + sum(lamp.strength * math.sin(math.radians(lamp.elevation_deg)) for lamp in light.lamps)
    stops = rng.normal(-0.1, 0.35 + 0.4 * hard)
    if rng.random() < 0.06 * hard + 0.02:
        stops -= _between(rng, 1, 3.2)
    dim = max(-stops, 0)
    cast = 0.04 + 0.05 * hard
    return Finish(
        blur_px=_between(rng, 0.25, 0.8 + 0.9 * hard),
        disc_px=_between(rng, 0.7, 1 + 2 * hard) if rng.random() < 0.12 else 0.0,
        motion_px=_between(rng, 1, 2 + 5 * hard) if rng.random() < 0.08 else 0.0,
        motion_deg=_between(rng, 0, 180),
        noise=float(min(rng.exponential(0.006 + 0.009 * hard) * (1 + 0.7 * dim), 0.07)),
        blotch_px=_between(rng, 0.4, 1.2) if rng.random() < 0.6 else 0.0,
        exposure=float(0.95 / level * _automatic(ground) * 2.0**stops),
        white=(float(1 + rng.normal(0, cast)), 1.0, float(1 + rng.normal(0, cast))),
        contrast=_between(rng, 0.8, 1.25),
        saturation=_between(rng, 0.6, 1.35),
        lift=float(max(rng.normal(0, 0.04), 0)),
        vignette=float(abs(rng.normal(0, 0.15))),
        barrel=float(rng.normal(0, 0.05)) if rng.random() < 0.3 else 0.0,
        sharpen=_between(rng, 0.2, 1.0) if rng.random() < 0.35 else 0.0,
        shrink=_between(rng, 0.5, 0.95) if rng.random() < 0.25 else 1.0,
        jpeg=int(rng.integers(35, 97)) if rng.random() < 0.85 else 0,
    )


def draw_die_crop(
    rng: np.random.Generator,
    *,
    size_px: int = 64,
    fill: float = 0.55,
    jitter: float = 0.08,
    hardness: float = 0.5,
    die_px: tuple[float, float] = (14, 90),
    faces: tuple[str, ...] | None = None,
) -> tuple[Picture, Seen | None]:
    """A square crop around one die's top face, with what surrounds it, and its truth in pixels of the crop.

    The die's side fills `fill` of the crop, give or take `jitter`, and its middle is off by up to `jitter` of the
    crop. It was seen at `die_px` pixels in its picture, then scaled, as a reader's crops are. `faces` overrides the
    dice's faces. The second value is None for a crop of a place without a die (one in twelve).
    """
    scene = random_scene(rng, hardness=hardness, size=(640, 480), die_px=die_px, dice=int(rng.integers(1, 7)))
    if not scene.dice:
        return draw_die_crop(
            rng, size_px=size_px, fill=fill, jitter=jitter, hardness=hardness, die_px=die_px, faces=faces
        )
    if faces is not None:
        scene = replace(scene, dice=tuple(replace(c, look=replace(c.look, faces=faces)) for c in scene.dice))
    view = View(scene.camera)
    middle, _, half_u, half_v = top_frame(scene.dice[0])
    ends = view.pixels(np.array([middle, middle + half_u, middle + half_v]))
    native = max(2 * float(np.linalg.norm(ends[1:] - ends[0], axis=1).mean()), 8.0)
    share = fill * (1 + _between(rng, -jitter, jitter))
    window = int(np.clip(round(native / share), 12, 400))
    empty = rng.random() < 1 / 12
    aim = ends[0] + rng.uniform(-jitter, jitter, 2) * window
    if empty:
        aim = aim + rng.choice([-1, 1], 2) * rng.uniform(0.7, 1.4, 2) * window
    camera = _window(scene.camera, aim, window)
    finish = replace(scene.finish, barrel=0.0, vignette=0.0)
    light = replace(scene.light, cover=0.0)
    near = _in_window(scene, camera)
    drawn = draw(replace(scene, camera=camera, finish=finish, light=light, dice=near, hand=None), rng)
    flags = cv2.INTER_LINEAR if window < size_px else cv2.INTER_AREA
    crop = np.asarray(cv2.resize(drawn.picture, (size_px, size_px), interpolation=flags), np.uint8)
    if empty or scene.dice[0] not in near:
        return crop, None
    return crop, _scaled(drawn.truth[near.index(scene.dice[0])], size_px / window)


def _window(camera: Camera, aim: np.ndarray[tuple[int, ...], np.dtype[np.float64]], side: int) -> Camera:
    """The same camera, of which only a square around a pixel is kept."""
    centre = ((camera.width - 1) / 2 + camera.shift_px[0], (camera.height - 1) / 2 + camera.shift_px[1])
    shift = (float(centre[0] - aim[0]), float(centre[1] - aim[1]))
    return replace(camera, width=side, height=side, shift_px=shift)


def _in_window(scene: Scene, camera: Camera) -> tuple[Cube, ...]:
    """Dice that can be seen in the window, or throw a shadow there."""
    view = View(camera)
    margin = camera.width * 0.6
    places = view.pixels(np.array([[c.x, c.y, c.size / 2] for c in scene.dice]))
    inside = np.all((places > -margin) & (places < camera.width + margin), axis=1)
    return tuple(cube for index, cube in enumerate(scene.dice) if inside[index])


def _scaled(seen: Seen, by: float) -> Seen:
    def moved(point: tuple[float, float]) -> tuple[float, float]:
        return (point[0] + 0.5) * by - 0.5, (point[1] + 0.5) * by - 0.5

    x, y = moved((seen.box[0] - 0.5, seen.box[1] - 0.5))
    return replace(
        seen,
        box=(x + 0.5, y + 0.5, seen.box[2] * by, seen.box[3] * by),
        centre=moved(seen.centre),
        corners=tuple(moved(p) for p in seen.corners),
        pips=tuple(moved(p) for p in seen.pips),
        size_px=seen.size_px * by,
    )


__all__ = ["PIP_FACES", "draw_die_crop", "random_look", "random_scene", "strange_look"]
