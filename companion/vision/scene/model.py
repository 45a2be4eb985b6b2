"""What a picture of a table with dice is made of. Frozen: the same scene and the same seed give the same picture.

Lengths are centimetres on the table, x to the right, y away, z up; angles are degrees; what is `px` is pixels of the
picture. A look's lengths are shares of the die's edge. Colours are (blue, green, red), 0–1, as a screen shows them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from companion.ports import Picture

Colour: TypeAlias = tuple[float, float, float]
Point: TypeAlias = tuple[float, float]

DIE_CM = 1.6  # edge of a die, as a rule
EVEN: tuple[Point, ...] = ((0.25, 0.25),) * 6
PIP_FACES = ("1", "2", "3", "4", "5", "6")
WILD_FACES = ("lowest", "highest", "swap", "swap", "highest", "lowest")


@dataclass(frozen=True, slots=True)
class Look:
    """How a die is made. Face i of `faces` is where a common die has the value i + 1: i and 5 - i are opposite.

    A face is "1"–"6" (pips), "blank", "digit 4", "letter A", or an icon: see `faces.ICONS`.
    """

    body: Colour = (0.9, 0.92, 0.93)
    second: Colour = (0.9, 0.92, 0.93)  # the other colour of marble, halves, swirl and speckle
    pattern: str = "solid"  # solid, marble, halves, swirl, speckle
    pips: Colour = (0.06, 0.06, 0.06)
    one: Colour | None = None  # colour of the single pip, where it differs
    pip_radius: float = 0.09
    one_radius: float = 0.09
    spreads: tuple[Point, ...] = EVEN  # by value, from the face's middle to its outer pips along both sides
    rounding: float = 0.12  # radius of the edges
    ball: float = 0.0  # radius of a ball that cuts the corners off; 0: none
    dent: float = 0.4  # depth of the pips, 0: painted
    gloss: float = 0.4
    clear: float = 0.0  # how much of what lies behind shines through
    faces: tuple[str, ...] = PIP_FACES
    mirrored: bool = False  # 1, 2, 3 run clockwise around their corner, as on many Asian dice
    turns: tuple[bool, bool, bool] = (False, False, False)  # are 2, 3 and 6 turned by a quarter
    seed: int = 0  # of the marbling


@dataclass(frozen=True, slots=True)
class Cube:
    """A die on the table. `value`: the face up, 1–6. `z`: height of what it lies on. It may lean over."""

    value: int
    x: float
    y: float
    yaw_deg: float = 0.0
    size: float = DIE_CM
    look: Look = Look()
    z: float = 0.0
    lean_deg: float = 0.0
    lean_to_deg: float = 0.0
    smear: Point = (0.0, 0.0)  # how far it moves while the shutter is open, centimetres


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole that looks at `target` on the table. `tilt_deg`: 0 is straight down. `stretch`: of the picture in y."""

    width: int = 640
    height: int = 480
    target: Point = (0.0, 0.0)
    distance: float = 40.0
    tilt_deg: float = 20.0
    heading_deg: float = 90.0  # what is up in the picture: 90 is away (y)
    focal_px: float = 700.0
    stretch: float = 1.0


@dataclass(frozen=True, slots=True)
class Lamp:
    """A light far away. `softness_deg`: half the angle it fills in the sky."""

    azimuth_deg: float = 130.0
    elevation_deg: float = 55.0
    strength: float = 0.7
    colour: Colour = (1.0, 1.0, 1.0)
    softness_deg: float = 6.0


@dataclass(frozen=True, slots=True)
class Light:
    """Lamps, and light from all around. `pool`: how much darker the picture's far rim is than its bright spot, 0–1.

    `cover`: 0–1, how dark the shadow is that somebody throws across the table, along `cover_deg`, from `cover_at` on.
    """

    lamps: tuple[Lamp, ...] = (Lamp(),)
    ambient: float = 0.5
    ambient_colour: Colour = (1.0, 1.0, 1.0)
    window: float = 0.0  # strength of a window or tube that shiny faces mirror
    window_deg: tuple[float, float, float] = (200.0, 60.0, 15.0)  # its azimuth, elevation and half width
    pool: float = 0.1
    pool_at: Point = (0.5, 0.5)  # share of the picture's width and height
    cover: float = 0.0
    cover_deg: float = 0.0
    cover_at: float = 0.3


@dataclass(frozen=True, slots=True)
class Ground:
    """What lies under the dice. `kind`: see `tiles.KINDS`. `palette`: the colours its pattern runs through."""

    kind: str = "plain"
    palette: tuple[Colour, ...] = ((0.6, 0.6, 0.6), (0.65, 0.65, 0.65))
    grain: float = 0.1  # how strongly its roughness shows
    scale: float = 12.0  # centimetres that a pattern tile covers
    yaw_deg: float = 0.0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Rim:
    """A tray's wall. `corners`: of its floor, counter-clockwise. Outside it lies `outside`."""

    corners: tuple[Point, ...]
    height: float = 2.5
    flare: float = 0.6  # how far outward the wall's top lies
    width: float = 0.4  # of the wall's top
    colour: Colour = (0.2, 0.3, 0.45)
    outside: Ground = Ground()


@dataclass(frozen=True, slots=True)
class Thing:
    """What lies there and is no die. `kind`: see `things.KINDS`. `size`: its longer side."""

    kind: str
    x: float
    y: float
    yaw_deg: float = 0.0
    size: float = 3.0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Finish:
    """What lens, sensor and file format do to the picture."""

    blur_px: float = 0.5  # sigma
    disc_px: float = 0.0  # radius of out of focus points
    motion_px: float = 0.0
    motion_deg: float = 0.0
    noise: float = 0.01  # sigma in the mid tones
    blotch_px: float = 0.0  # size of the noise's grain
    exposure: float = 1.0
    white: Colour = (1.0, 1.0, 1.0)  # gains
    contrast: float = 1.0
    saturation: float = 1.0
    lift: float = 0.0  # haze: how far black is raised
    vignette: float = 0.1
    barrel: float = 0.0  # radial distortion at the picture's corner, share of the radius
    sharpen: float = 0.0
    shrink: float = 1.0  # the sensor's resolution as share of the picture's
    jpeg: int = 90  # 0: none


@dataclass(frozen=True, slots=True)
class Scene:
    dice: tuple[Cube, ...] = ()
    camera: Camera = Camera()
    light: Light = Light()
    ground: Ground = Ground()
    rim: Rim | None = None
    things: tuple[Thing, ...] = ()
    hand: Thing | None = None  # a hand above everything; x, y: where its fingers end
    finish: Finish = Finish()


@dataclass(frozen=True, slots=True)
class Seen:
    """The truth of one die in a picture, in pixels from the top left of the picture.

    `value`: what is up; None where nobody could tell (cocked) or it is no pip face. `box`: x, y, w, h of the whole die,
    also of what another hides or the picture's rim cuts off. `corners`: of the top face, as if the edges were sharp.
    `pips`: centres on the top face. `visible`: share of the die's pixels that are in the picture and not hidden.
    `tags`: any of cocked, touching, stacked, icon, glare, moving. `face`: its name.
    """

    value: int | None
    box: tuple[float, float, float, float]
    centre: Point
    corners: tuple[Point, ...]
    pips: tuple[Point, ...]
    visible: float
    tags: frozenset[str]
    face: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A picture and its truth, die by die in the scene's order."""

    picture: Picture
    truth: tuple[Seen, ...]
