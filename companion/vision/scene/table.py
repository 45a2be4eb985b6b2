"""A well-behaved dice tray under a fixed camera, and throws into it: what a simulated table shows its camera.

A game's `Table` is drawn by lot once. `scatter` says where dice come to lie, `throw` how they get there, `moment` where
everything is meanwhile, and a `Painter` makes the pictures.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.ports import Floats
from companion.vision.scene.draw import draw_backdrop, light_up
from companion.vision.scene.finish import develop
from companion.vision.scene.model import (
    WILD_FACES,
    Camera,
    Colour,
    Cube,
    Drawn,
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

MOST_DICE = 6
REACH_S, LIFT_S, PAUSE_S, ROLL_S = 0.5, 0.4, 0.2, 0.8
SHUTTER_S = 1 / 50  # how long a picture is exposed, for motion blur

_TRAY_CM = (18.0, 13.0)
_ROOM_CM = 1.7  # between a die's middle and the wall, at least
_APART = 1.9  # edges between the middles of two dice, at least: none touch
_TRIES = 400
_DICE: tuple[tuple[Colour, Colour], ...] = (  # body and pips
    ((0.92, 0.94, 0.95), (0.06, 0.06, 0.06)),
    ((0.72, 0.88, 0.95), (0.08, 0.06, 0.07)),
    ((0.14, 0.1, 0.72), (0.93, 0.94, 0.95)),
    ((0.65, 0.28, 0.1), (0.94, 0.94, 0.94)),
    ((0.07, 0.06, 0.06), (0.92, 0.93, 0.93)),
    ((0.18, 0.5, 0.1), (0.93, 0.95, 0.93)),
    ((0.12, 0.78, 0.93), (0.07, 0.05, 0.05)),
    ((0.5, 0.13, 0.42), (0.95, 0.93, 0.95)),
)
_FLOORS: tuple[Colour, ...] = (
    (0.2, 0.36, 0.1),
    (0.33, 0.16, 0.1),
    (0.13, 0.1, 0.42),
    (0.3, 0.3, 0.31),
    (0.24, 0.38, 0.5),
)
_WOOD: tuple[Colour, ...] = ((0.2, 0.35, 0.55), (0.12, 0.2, 0.33), (0.45, 0.6, 0.72))


@dataclass(frozen=True, slots=True)
class Table:
    """What stays the same for a whole game: the empty tray, and how the dice look. Die i has `looks[i]`."""

    scene: Scene
    looks: tuple[Look, ...]
    wild: Look


@dataclass(frozen=True, slots=True)
class Moment:
    """What lies or moves in the tray at one time."""

    dice: tuple[Cube, ...] = ()
    hand: Thing | None = None


@dataclass(frozen=True, slots=True)
class Throw:
    """From what lay there to what will lie there. Dice that are the same in both never move."""

    before: tuple[Cube, ...]
    after: tuple[Cube, ...]
    starts: tuple[Cube, ...]  # where each die of `after` enters the tray; the die itself if it stays
    hand_seed: int

    @property
    def lasts_s(self) -> float:
        """From the hand's coming (if there is anything to pick up) to the last die's rest."""
        return self.rolls_at_s + (ROLL_S if self.rolled else 0.0)

    @property
    def rolls_at_s(self) -> float:
        return REACH_S + LIFT_S + PAUSE_S if self.picked else PAUSE_S

    @property
    def picked(self) -> tuple[Cube, ...]:
        """Dice that the hand takes away."""
        return tuple(cube for cube in self.before if cube not in self.after)

    @property
    def rolled(self) -> tuple[Cube, ...]:
        return tuple(cube for cube in self.after if cube not in self.before)


def new_table(rng: np.random.Generator, *, width: int = 640, height: int = 480) -> Table:
    """A tray, its light and its dice, chosen by lot. All number dice of a game look alike, or each has its colour."""
    body, pips = _DICE[int(rng.integers(0, len(_DICE)))]
    common = Look(
        body=body,
        second=body,
        pips=pips,
        rounding=float(rng.uniform(0.08, 0.15)),
        ball=float(rng.uniform(0.7, 0.78)) if rng.random() < 0.5 else 0.0,
        pip_radius=float(rng.uniform(0.085, 0.105)),
        gloss=float(rng.uniform(0.1, 0.4)),
        mirrored=bool(rng.random() < 0.3),
        turns=(bool(rng.random() < 0.5), bool(rng.random() < 0.5), bool(rng.random() < 0.5)),
    )
    looks = (common,) * MOST_DICE
    if rng.random() < 0.4:
        order = rng.permutation(len(_DICE))[:MOST_DICE]
        looks = tuple(replace(common, body=_DICE[i][0], pips=_DICE[i][1]) for i in order)
    wild_body, wild_ink = _DICE[int(rng.integers(2, 6))]
    wild = replace(common, body=wild_body, pips=wild_ink, faces=WILD_FACES, dent=0.0)
    return Table(_empty(rng, width, height), looks, wild)


def _empty(rng: np.random.Generator, width: int, height: int) -> Scene:
    floor = _FLOORS[int(rng.integers(0, len(_FLOORS)))]
    wood = _WOOD[int(rng.integers(0, len(_WOOD)))]
    half_x, half_y = _TRAY_CM[0] / 2, _TRAY_CM[1] / 2
    darker = (wood[0] * 0.75, wood[1] * 0.75, wood[2] * 0.75)
    return Scene(
        camera=Camera(
            width=width,
            height=height,
            distance=40.0,
            focal_px=1130.0 * width / 640,
            tilt_deg=float(rng.uniform(2, 14)),
        ),
        light=Light(
            lamps=(
                Lamp(
                    azimuth_deg=float(rng.uniform(0, 360)),
                    elevation_deg=float(rng.uniform(50, 70)),
                    strength=float(rng.uniform(0.4, 0.65)),
                    softness_deg=float(rng.uniform(6, 14)),
                ),
            ),
            ambient=float(rng.uniform(0.4, 0.55)),
            pool=float(rng.uniform(0.05, 0.25)),
        ),
        ground=Ground("felt", (floor, floor), grain=0.06, scale=14, seed=int(rng.integers(0, 8))),
        rim=Rim(
            corners=((-half_x, -half_y), (half_x, -half_y), (half_x, half_y), (-half_x, half_y)),
            height=2.0,
            flare=0.3,
            width=0.8,
            colour=wood,
            outside=Ground("wood", (darker, wood), grain=0.05, scale=20, seed=int(rng.integers(0, 8))),
        ),
        finish=Finish(blur_px=0.6, noise=0.012, blotch_px=0.4, exposure=1.15, jpeg=90, vignette=0.08),
    )


def scatter(
    table: Table,
    values: Sequence[int],
    rng: np.random.Generator,
    *,
    kept: Mapping[int, Cube] | None = None,
    wild: str | None = None,
) -> tuple[Cube, ...]:
    """Dice with these values lying in the tray, none touching; with `wild`, the Wild die behind them with that face up.

    `kept`: dice, by their place in `values` (the Wild die's is behind them), that stay exactly where they are; their
    value must be the same.
    Raises ValueError for what no die shows, or where there is no room.
    """
    stay = dict(kept or {})
    if len(values) > MOST_DICE or any(value not in range(1, 7) for value in values):
        raise ValueError(f"number dice show 1–6 and there are up to {MOST_DICE} of them, not {tuple(values)}")
    wanted = [(table.looks[place], value) for place, value in enumerate(values)]
    if wild is not None:
        if wild not in table.wild.faces:
            raise ValueError(f"the Wild die shows {', '.join(sorted(set(table.wild.faces)))}, not {wild!r}")
        wanted.append((table.wild, table.wild.faces.index(wild) + 1))
    if any(place >= len(wanted) or not _shows(cube, *wanted[place]) for place, cube in stay.items()):
        raise ValueError("a die that is kept keeps its value")
    for _ in range(_TRIES):
        lying = dict(stay)
        for place, (look, value) in enumerate(wanted):
            if place not in lying:
                spot = _free_spot(rng, list(lying.values()))
                if spot is None:
                    break
                lying[place] = Cube(value, *spot, float(rng.uniform(0, 360)), look=look)
        else:
            return tuple(lying[place] for place in range(len(wanted)))
    raise ValueError(f"no room in the tray for {len(wanted)} dice")


def _shows(cube: Cube, look: Look, value: int) -> bool:
    return look.faces[cube.value - 1] == look.faces[value - 1]


def _free_spot(rng: np.random.Generator, lying: Sequence[Cube]) -> tuple[float, float] | None:
    reach_x, reach_y = _TRAY_CM[0] / 2 - _ROOM_CM, _TRAY_CM[1] / 2 - _ROOM_CM
    for _ in range(40):
        x, y = float(rng.uniform(-reach_x, reach_x)), float(rng.uniform(-reach_y, reach_y))
        if all(math.hypot(x - c.x, y - c.y) > _APART * c.size for c in lying):
            return x, y
    return None


def throw(before: Sequence[Cube], after: Sequence[Cube], rng: np.random.Generator) -> Throw:
    """From one lie to another: a hand takes up what changes, what is new rolls in from the near side."""
    starts = []
    for cube in after:
        if cube in before:
            starts.append(cube)
            continue
        x = float(rng.uniform(-3, 3))
        turns = float(rng.choice([-1, 1]) * rng.uniform(200, 500))
        starts.append(
            replace(
                cube, x=x, y=-_TRAY_CM[1] / 2 - 2, z=3.0, yaw_deg=cube.yaw_deg + turns, value=int(rng.integers(1, 7))
            )
        )
    return Throw(tuple(before), tuple(after), tuple(starts), int(rng.integers(0, 1 << 20)))


def moment(thrown: Throw, at_s: float) -> Moment:
    """Where everything is `at_s` seconds after the throw began; at and after `lasts_s` all lies still."""
    rolling_s = at_s - thrown.rolls_at_s
    if rolling_s >= ROLL_S or (rolling_s >= 0 and not thrown.rolled):
        return Moment(thrown.after)
    if rolling_s >= 0:
        return Moment(
            tuple(_rolling(s, e, rolling_s / ROLL_S) for s, e in zip(thrown.starts, thrown.after, strict=True))
        )
    staying = tuple(cube for cube in thrown.before if cube in thrown.after)
    if not thrown.picked or at_s >= REACH_S + LIFT_S:
        return Moment(staying)
    aim_x = sum(c.x for c in thrown.picked) / len(thrown.picked)
    aim_y = max(c.y for c in thrown.picked)
    far_y = -_TRAY_CM[1] / 2 - 6.0
    near = at_s / REACH_S if at_s < REACH_S else 1 - (at_s - REACH_S) / LIFT_S
    hand = Thing("hand", aim_x, far_y + _eased(near) * (aim_y + 1.5 - far_y), 90.0, 9.0, thrown.hand_seed)
    return Moment(thrown.before if at_s < REACH_S else staying, hand)


def _eased(share: float) -> float:
    return share * share * (3 - 2 * share)


def _rolling(start: Cube, end: Cube, share: float) -> Cube:
    """A die on its way, slowing down; it hops and leans less and less. `share`: of its time, 0–1."""
    if start == end:
        return end
    left = (1 - share) ** 2
    speed = 2 * (1 - share) / ROLL_S * SHUTTER_S
    way = (end.x - start.x, end.y - start.y)
    tumble = 7.0 * left
    return replace(
        end,
        value=end.value if share > 0.8 else (start.value + int(tumble * 2)) % 6 + 1,
        x=end.x - way[0] * left,
        y=end.y - way[1] * left,
        z=max(start.z * left * abs(math.cos(9 * share)), 0.001),
        yaw_deg=end.yaw_deg + (start.yaw_deg - end.yaw_deg) * left,
        lean_deg=44 * abs(math.sin(9 * tumble)) * min(1.0, 3 * (1 - share)),
        lean_to_deg=math.degrees(math.atan2(way[1], way[0])),
        smear=(way[0] * speed, way[1] * speed),
    )


class Painter:
    """Pictures of one table. Keeps what does not change, so that a still tray costs only its noise."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._backdrop = draw_backdrop(table.scene)
        self._last: tuple[Moment, Floats, tuple[Seen, ...]] | None = None

    def picture(self, now: Moment, rng: np.random.Generator, *, brightness: float = 1.0) -> Drawn:
        """What the camera sees now, with fresh noise. `brightness`: of the room's light, 1 as usual."""
        scene = replace(self._table.scene, dice=now.dice, hand=now.hand)
        if self._last is None or self._last[0] != now:
            light, truth = light_up(scene, self._backdrop.copy())
            self._last = (now, light, truth)
        _, light, truth = self._last
        finish = replace(scene.finish, exposure=scene.finish.exposure * brightness)
        return Drawn(develop(light, scene.light, finish, rng), truth)
