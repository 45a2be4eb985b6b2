"""What a traced scene is made of. Frozen, by lot from a seed, and known before anything is rendered.

Lengths are edges of a die, x to the right, y away, z up; angles are radians. Colours are (red, green, blue), linear.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.vision.scene.model import EVEN, PIP_FACES

Colour: TypeAlias = tuple[float, float, float]
Point: TypeAlias = tuple[float, float]
Floats: TypeAlias = NDArray[np.float32]

BODIES = ("plain", "marbled", "clear", "speckled", "wood", "metal")
PLAIN_GROUNDS = ("wood", "felt", "leather", "plain", "stone")
PATTERNED_GROUNDS = ("check", "brick", "print", "waves")
THINGS = ("coin", "token", "pawn", "card", "cable", "block", "bead", "pen")


@dataclass(frozen=True, slots=True)
class Print:
    """What is on the faces. `signs`: "1"–"6" for pips, else what `prints.py` finds in its fonts; by value, 1 first."""

    signs: tuple[str, ...]
    font: int = 0
    radius: float = 0.09  # of a pip; lengths are shares of the edge
    one_radius: float = 0.09
    spreads: tuple[Point, ...] = EVEN  # by value, from the face's middle to its outer pips along both sides
    turned: tuple[bool, ...] = (False,) * 6
    square: bool = False
    hollow: bool = False
    size: float = 0.65  # of a sign
    soft: float = 0.02  # of a dent's rim

    @property
    def pips(self) -> bool:
        return self.signs == PIP_FACES


@dataclass(frozen=True, slots=True)
class Look:
    """How a die is made. `colours`: of the body, the main one first. `grain`: how fine its pattern is, per edge."""

    body: str
    colours: tuple[Colour, ...]
    ink: Colour
    print: Print
    roughness: float = 0.2
    ink_roughness: float = 0.4
    dent: float = 0.5  # strength of the relief; 0: painted
    drilled: float = 0.0  # how deep its pips are cut into it, in their radius; 0: not at all, but printed
    milled: bool = False  # they are cut with a flat end, not a round one
    grain: float = 1.5
    detail: float = 3.0  # how often its pattern has one twice as fine in it
    bend: float = 1.0  # how far its pattern is distorted, as Blender counts it; 0: not at all
    clear: float = 0.0
    shift: float = 0.0  # of its pattern, in lengths of it: no two dice show the same part
    hard: bool = False  # its colours meet with hardly a transition
    dome: float = 0.0  # how much its faces bulge, or below 0 are hollow: their slope, per edge from their middle
    rounding: float = 0.1
    ball: bool = False  # rounded like a ball instead
    mirrored: bool = False  # 1, 2, 3 run clockwise around their corner
    faces: int = 6  # 8, 10, 12 or 20: a die of other games, as high as it were a cube


@dataclass(frozen=True, slots=True)
class Cube:
    """A die: the middle of its foot, the value up, and whether it leans so far that nobody could say."""

    look: Look
    value: int
    x: float
    y: float
    yaw: float
    lean: float = 0.0
    lean_to: float = 0.0


@dataclass(frozen=True, slots=True)
class Ground:
    """The table, or what a card shows. `kind`: one of PLAIN_GROUNDS or PATTERNED_GROUNDS.

    `colours`: the main one, a darker one, and any other. `grain`: how fine its pattern is, per edge of a die, of a card
    per side. `yaw`: of its pattern.
    """

    kind: str
    colours: tuple[Colour, ...]
    grain: float
    yaw: float
    roughness: float  # 0–1, of a mirror to of chalk
    relief: float  # strength of its bumps, 0–1; of a print, how unevenly its spots lie
    bend: float  # how far its pattern is distorted, as Blender counts it; 0: not at all
    stretch: float = 1.0  # how fine its pattern is in y, as a share of how fine it is in x
    hard: bool = False  # its colours meet without a transition


@dataclass(frozen=True, slots=True)
class Mark:
    """An ellipse or a rectangle on a top: its middle, and half its sides."""

    x: float
    y: float
    across: float
    along: float
    square: bool = False


@dataclass(frozen=True, slots=True)
class Top:
    """What is on the top of a thing that has spots. `dent`: strength of their relief; 0: painted."""

    marks: tuple[Mark, ...]
    ink: Colour
    dent: float = 0.0
    through: bool = False  # they are holes
    metal: bool = False
    rounding: float = 0.0  # of the body's edges
    rim: float = 0.0  # a ring of the body's colour lies on it: its radius, or on a round body its thickness
    studs: tuple[Mark, ...] = ()  # of the body's colour
    grain: float = 1.0  # how fine the body's pattern is, per edge,
    rough: float = 0.0  # and by what share of its colour it is darker there


@dataclass(frozen=True, slots=True)
class Thing:
    """What lies there and is no die. `kind`: one of THINGS, or of `decoys.py`. `x`, `y`: the middle of its foot."""

    kind: str
    x: float
    y: float
    size: float  # times as large as its kind is as a rule; 1 of what has spots
    yaw: float
    colour: Colour
    roughness: float  # 0–1, of a mirror to of chalk
    cover: Ground | None = None  # what a card shows
    shape: tuple[float, ...] = ()  # of a block and of what has spots its sides, of a cable its bends
    top: Top | None = None  # of what has spots as a die has


@dataclass(frozen=True, slots=True)
class Lamp:
    """`kind`: AREA, POINT, RING or SUN. `size`: of the light in lengths, of a SUN its angle."""

    kind: str
    at: tuple[float, float, float]
    aim: Point
    energy: float
    size: float
    colour: Colour


@dataclass(frozen=True, slots=True)
class Sky:
    """Light from all around. `room`: which of Blender's panoramas it is, counted; None: even light of a colour."""

    colour: Colour
    strength: float
    room: int | None = None
    yaw: float = 0.0


@dataclass(frozen=True, slots=True)
class Camera:
    """A lens that looks at the table's middle. `slant`: from straight down. `fov`: across the picture."""

    width: int
    height: int
    distance: float
    slant: float
    heading: float
    roll: float
    fov: float
    focus: float = 1.0  # of the distance, where it is sharp
    aperture: float = 0.0  # f-number; 0: all is sharp


@dataclass(frozen=True, slots=True)
class Exposure:
    """What sensor and file make of the light. `mean`: the picture's linear brightness. Noise and blur in pixels."""

    mean: float
    white: Colour
    contrast: float
    blur: float
    noise: float
    jpeg: int


@dataclass(frozen=True, slots=True)
class Scene:
    camera: Camera
    ground: Ground
    sky: Sky
    lamps: tuple[Lamp, ...]
    dice: tuple[Cube, ...]
    things: tuple[Thing, ...]
    exposure: Exposure


@dataclass(frozen=True, slots=True)
class Seen:
    """The truth of one die, in pixels. `value`: None for signs and dice that lean. `box`: x, y, w, h of the whole die.

    `pips`: their middles; none without. `hidden`: share of its top that something else hides.
    """

    value: int | None
    box: tuple[float, float, float, float]
    pips: tuple[Point, ...]
    hidden: float
