"""A drawn tray that can be calibrated: stickers in its corners, and all that goes wrong on a real table."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.markers import CELLS, LARGE, Stickers, cells
from calibration.steps.step import Wants
from companion.ports import Floats, Picture
from companion.vision.scene import Cube, Moment, Scene, Table, Throw, draw_backdrop, moment, new_table, scatter, throw
from companion.vision.scene.draw import light_up
from companion.vision.scene.finish import develop
from companion.vision.scene.geometry import View
from companion.vision.scene.model import Colour, Ground, Look, Thing

PAPER = 0.82  # light that white paper throws back, beside a floor's colour
INK = 0.02
CELL_PX = 24  # pixels a cell of a drawn sticker has


@dataclass(frozen=True, slots=True)
class Wrongs:
    """What goes wrong. `hidden`: markers under something. `glare`: a lamp's mirror image at these millimetres.

    `light`: share of the usual light. `shade`: how much darker one side is. `white`: gains that give a colour cast.
    `floor`: another one than the table's own. `clutter`: what lies around the tray, or in it, all the time.
    """

    light: float = 1.0
    blur_px: float = 0.0
    noise: float = 0.0
    tilt_deg: float | None = None
    distance: float = 1.0  # times the usual
    shade: float = 0.0
    hidden: tuple[int, ...] = ()
    glare: tuple[float, float] | None = None
    shift_cm: tuple[float, float] = (0.0, 0.0)  # of the camera, since it was calibrated
    white: Colour = (1.0, 1.0, 1.0)
    floor: Ground | None = None
    clutter: tuple[Thing, ...] = ()


WRONGS = {
    "blurred": Wrongs(blur_px=3.0),
    "dark": Wrongs(light=0.05),
    "far": Wrongs(distance=2.2),
    "glare": Wrongs(glare=(90, 65)),
    "grainy": Wrongs(noise=0.2),
    "hidden": Wrongs(hidden=(2,)),
    "tilted": Wrongs(tilt_deg=42),
    "uneven": Wrongs(shade=0.7),
}
"""What the camera step can be tried with, and of these the dice step with what it is wrong for, too."""


def wronged(scene: Scene, wrongs: Wrongs) -> Scene:
    """The scene under these circumstances."""
    camera, finish = scene.camera, scene.finish
    return replace(
        scene,
        camera=replace(
            camera,
            tilt_deg=camera.tilt_deg if wrongs.tilt_deg is None else wrongs.tilt_deg,
            distance=camera.distance * wrongs.distance,
            target=(camera.target[0] + wrongs.shift_cm[0], camera.target[1] + wrongs.shift_cm[1]),
        ),
        finish=replace(
            finish,
            exposure=finish.exposure * wrongs.light,
            blur_px=math.hypot(finish.blur_px, wrongs.blur_px),
            noise=finish.noise + wrongs.noise,
            white=wrongs.white,
        ),
        ground=wrongs.floor or scene.ground,
        things=(*scene.things, *wrongs.clutter),
        light=replace(scene.light, cover=max(scene.light.cover, wrongs.shade), cover_at=0.0),
    )


class DrawnSetup:
    """One tray under one camera. `picture` draws it with or without stickers and with dice."""

    def __init__(self, scene: Scene, wrongs: Wrongs | None = None) -> None:
        """The tray must have walls (`scene.rim`), four corners counter-clockwise from the near left."""
        assert scene.rim is not None
        self._wrongs = wrongs or Wrongs()
        self.scene = wronged(scene, self._wrongs)
        self.view = View(self.scene.camera)
        xs, ys = zip(*scene.rim.corners, strict=True)
        self._left, self._far = min(xs), max(ys)
        self.tray_mm = (10 * (max(xs) - min(xs)), 10 * (max(ys) - min(ys)))
        self._bare = draw_backdrop(self.scene)
        self._last: tuple[tuple[Stickers | None, Moment], Floats] | None = None

    def pixels(self, places_mm: Floats) -> Floats:
        """N × 2 places on the floor, from its far left corner, to pixels: the truth."""
        world = [(self._left + x / 10, self._far - y / 10, 0.0) for x, y in places_mm]
        return self.view.pixels(np.array(world))

    @property
    def corners(self) -> Floats:
        width, depth = self.tray_mm
        return self.pixels(np.array([(0, 0), (width, 0), (width, depth), (0, depth)]))

    def picture(
        self, rng: np.random.Generator, *, stickers: Stickers | None = LARGE, now: Moment | None = None
    ) -> Picture:
        """With fresh noise. What lies still is drawn once."""
        shown = (stickers, now or Moment())
        if self._last is None or self._last[0] != shown:
            self._last = (shown, self._light(*shown))
        return develop(self._last[1], self.scene.light, self.scene.finish, rng)

    def _light(self, stickers: Stickers | None, now: Moment) -> Floats:
        light = self._bare.copy()
        if stickers is not None:
            for place in range(4):
                if place not in self._wrongs.hidden:
                    self._lay(light, stickers, place)
        if self._wrongs.glare is not None:
            self._dazzle(light, self._wrongs.glare)
        return light_up(replace(self.scene, dice=now.dice, hand=now.hand), light)[0]

    def _lay(self, light: Floats, stickers: Stickers, place: int) -> None:
        quiet = round(stickers.quiet_mm / stickers.side_mm * CELLS * CELL_PX)
        drawn = np.kron(cells(stickers.first + place), np.ones((CELL_PX, CELL_PX), np.uint8))
        whole = cv2.copyMakeBorder(drawn, quiet, quiet, quiet, quiet, cv2.BORDER_CONSTANT, value=255)
        side = CELLS * CELL_PX
        at = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32) + quiet - 0.5
        target = np.asarray(self.pixels(stickers.corners_mm(place, self.tray_mm)), np.float32)
        homography = cv2.getPerspectiveTransform(at, target)
        size = (light.shape[1], light.shape[0])
        # drawn at twice the size and halved, so that edges come out as soft as a sensor sees them
        double = np.array([[2, 0, 0.5], [0, 2, 0.5], [0, 0, 1.0]])
        grown = (2 * size[0], 2 * size[1])
        paper = np.asarray(INK + (PAPER - INK) * whole.astype(np.float32) / 255, np.float32)
        seen = _halved(cv2.warpPerspective(paper, double @ homography, grown), size)
        cover = _halved(cv2.warpPerspective(np.ones_like(paper), double @ homography, grown), size)
        light[:] = light * (1 - cover)[..., None] + seen[..., None] * 0.9

    def _dazzle(self, light: Floats, at_mm: tuple[float, float]) -> None:
        x, y = self.pixels(np.array([at_mm]))[0]
        columns, rows = np.meshgrid(np.arange(light.shape[1]), np.arange(light.shape[0]))
        away = np.hypot(columns - x, rows - y) / (0.06 * light.shape[1])
        light += (3.0 * np.exp(-(away**2))).astype(np.float32)[..., None]


class DrawnHands:
    """Lays into a drawn tray what a step wants, so that a calibration can be gone through without hardware."""

    def __init__(
        self,
        seed: int,
        wrongs: Wrongs | None = None,
        *,
        dice: tuple[Colour, Colour] | None = None,
        wild: tuple[Colour, Colour] | None = None,
    ) -> None:
        """`dice`: colours of all number dice and their pips, `wild`: of the Wild die and its icons; else by lot."""
        self._rng = np.random.default_rng(seed)
        self._table = new_table(np.random.default_rng(seed))
        if dice is not None:
            look = replace(self._table.looks[0], body=dice[0], second=dice[0], pips=dice[1])
            self._table = replace(self._table, looks=(look,) * len(self._table.looks))
        if wild is not None:
            look = replace(self._table.wild, body=wild[0], second=wild[0], pips=wild[1])
            self._table = replace(self._table, wild=look)
        self.setup = DrawnSetup(self._table.scene, wrongs)
        self._wanted = Wants()
        self._lying: tuple[Cube, ...] = ()
        self._strangers: tuple[Cube, ...] = ()
        self._thrown: Throw | None = None
        self._since_s: float | None = None

    def lay(self, wants: Wants) -> None:
        """From now on this lies there, or is thrown; the same wants leave everything as it is."""
        if wants == self._wanted:
            return
        values = [int(value) for value in self._rng.integers(1, 7, wants.dice)]
        lying = scatter(self._table, values, self._rng, wild=wants.face)
        self._thrown = throw(self._lying, lying, self._rng) if wants.rolling else None
        self._wanted, self._lying, self._since_s = wants, lying, None
        self._strangers = ()

    def tilt(self, lean_deg: float, lean_to_deg: float) -> None:
        """The Wild die, which lies there, leans."""
        *others, wild = self._lying
        self._lying = (*others, replace(wild, lean_deg=lean_deg, lean_to_deg=lean_to_deg))

    def lay_beside(self, *strangers: Cube) -> None:
        """What nobody asked for lies there, too, until something else is wanted; `values` knows nothing of it."""
        self._strangers = strangers

    @property
    def table(self) -> Table:
        """Tray and dice as they are drawn, before anything went wrong."""
        return self._table

    @property
    def look(self) -> Look:
        """How the first number die is made."""
        return self._table.looks[0]

    @property
    def lying(self) -> tuple[Cube, ...]:
        """The dice that were asked for, as they lie there."""
        return self._lying

    @property
    def values(self) -> tuple[int, ...]:
        """Of the number dice that lie there: the truth."""
        return tuple(cube.value for cube in self._lying if cube.look != self._table.wild)

    def picture(self, now_s: float) -> Picture:
        """What the camera sees at `now_s`; a throw begins with the first picture after it."""
        stickers = LARGE if self._wanted.stickers else None
        return self.setup.picture(self._rng, stickers=stickers, now=self._moment(now_s))

    def _moment(self, now_s: float) -> Moment:
        if self._thrown is None:
            return Moment((*self._lying, *self._strangers))
        self._since_s = now_s if self._since_s is None else self._since_s
        return moment(self._thrown, now_s - self._since_s)


def _halved(drawn: cv2.typing.MatLike, size: tuple[int, int]) -> Floats:
    return np.asarray(cv2.resize(drawn, size, interpolation=cv2.INTER_AREA), np.float32)
