"""How the dice of one set look, by lot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from tests.bench.staged.chance import Array, hsv, pick

PLACES = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
RIGHT_HANDED, LEFT_HANDED = (1, 6, 2, 5, 3, 4), (1, 6, 5, 2, 3, 4)  # values on +z, -z, +x, -x, +y, -y
BLACK, WHITE = np.array([0.02, 0.02, 0.022]), np.array([0.95, 0.95, 0.95])
NO_BALL = 9.0


@dataclass(frozen=True, slots=True)
class Design:
    """Lengths on faces are in half edges, -1 to 1 from rim to rim; colours are sRGB, 0–1."""

    style: str
    values: tuple[int, ...]  # on +z, -z, +x, -x, +y, -y
    spread: float  # of pips, from the middle
    spread_six: float  # across the two rows of a six
    pip: float  # radius
    ace: float  # radius of the pip of a one, in pips
    rounding: float  # radius of edges
    ball: float  # radius of the ball that cuts corners off
    depth: float  # of pips
    profile: str  # of pips: sphere, flat or cone
    rim: bool  # a burr around each pip
    red: tuple[int, ...]  # faces with red pips
    roughness: float
    clear: float
    metal: bool
    wear: float
    scratched: float
    edge_mm: float
    body: Array
    second: Array
    ink: Array
    turned: tuple[bool, ...]  # by a quarter, the pips of 1 to 6
    shift: float  # where in its veins, grains and spots a die is cut from


def pips(design: Design, value: int) -> list[tuple[float, float, float]]:
    """Middles and radii on the face of a value."""
    across = design.spread_six if value == 6 else design.spread
    radius = design.pip * (design.ace if value == 1 else 1)
    turned = design.turned[value - 1]
    places = ((-v, u) if turned else (u, v) for u, v in PLACES[value])
    return [(u * across, v * design.spread, radius) for u, v in places]


def random_design(rng: np.random.Generator) -> Design:
    style = pick(rng, list(STYLES), [weight for _, weight in STYLES.values()])
    design = STYLES[style][0](_plain(rng, style), rng)
    if style != "asian" and rng.random() < 0.06 and design.ink.mean() < 0.3 and design.body.mean() > 0.5:
        design = replace(design, red=(1,))
    turned = tuple(bool(rng.integers(2)) for _ in range(6))
    shift = float(rng.uniform(0, 100))
    return replace(design, turned=turned, shift=shift, scratched=pick(rng, [0, 0, rng.uniform(0.05, 0.25)]))


def _plain(rng: np.random.Generator, style: str) -> Design:
    """Black pips in white, whatever else is in store for them."""
    left = style == "asian" or rng.random() < 0.1
    spread = rng.uniform(0.46, 0.58)
    pip = pick(rng, [rng.uniform(0.10, 0.14), rng.uniform(0.14, 0.19), rng.uniform(0.19, 0.23)])
    spread_six = spread * rng.uniform(0.85, 1.0) if rng.random() < 0.3 else spread
    rounding, ball = rng.uniform(0.10, 0.32), NO_BALL
    if rng.random() < 0.3:
        rounding, ball = rng.uniform(0.05, 0.1), rng.uniform(1.32, 1.5)
    depth = rng.uniform(0.04, 0.11)
    profile = pick(rng, ["sphere", "flat", "cone"], [0.55, 0.3, 0.15])
    roughness = pick(rng, [rng.uniform(0.08, 0.2), rng.uniform(0.2, 0.45)])
    wear = pick(rng, [0, 0, 0, rng.uniform(0.1, 0.4)])
    edge_mm = pick(rng, [16, 16, 15, 14, 12, 18, 19]) + rng.uniform(-0.3, 0.3)
    white = np.array([0.9, 0.89, 0.86]) * rng.uniform(0.88, 1.05)
    if rng.random() < 0.35:  # ivory, or yellowed
        white = np.array([0.88, 0.82, 0.66]) * rng.uniform(0.85, 1.05)
    return Design(
        style=style,
        values=LEFT_HANDED if left else RIGHT_HANDED,
        spread=spread,
        spread_six=spread_six,
        pip=min(pip, spread * 0.44),
        ace=1.0,
        rounding=rounding,
        ball=ball,
        depth=depth,
        profile=profile,
        rim=False,
        red=(),
        roughness=roughness,
        clear=0.0,
        metal=False,
        wear=wear,
        scratched=0.0,
        edge_mm=edge_mm,
        body=white,
        second=white,
        ink=BLACK,
        turned=(False,) * 6,
        shift=0.0,
    )


def _classic(plain: Design, rng: np.random.Generator) -> Design:
    if rng.random() < 0.4:
        return plain
    hue = pick(rng, [0, 0, 0.02, 0.12, 0.33, 0.38, 0.55, 0.6, 0.63, 0.75, 0.08])
    body = hsv(hue, rng.uniform(0.7, 0.95), rng.uniform(0.35, 0.85))
    light = rng.random() < 0.8 or body.sum() < 0.6
    ink = np.array([0.92, 0.92, 0.9]) if light and body.mean() <= 0.55 else BLACK
    return replace(plain, body=body, ink=ink)


def _black(plain: Design, rng: np.random.Generator) -> Design:
    body, ink = BLACK * rng.uniform(0.7, 2), np.array([0.9, 0.9, 0.88])
    if rng.random() >= 0.75:
        ink = np.array([0.8, 0.6, 0.2] if rng.random() < 0.6 else [0.8, 0.05, 0.05])
    return replace(plain, body=body, ink=ink)


def _asian(plain: Design, rng: np.random.Generator) -> Design:
    """A large deep one, it and perhaps the four red, and a body as if cut from a ball."""
    red = (1, 4) if rng.random() < 0.6 else (1,)
    ace = min(rng.uniform(1.3, 2.0), 0.36 / plain.pip)
    depth, edge_mm = rng.uniform(0.08, 0.15), pick(rng, [10, 12, 14, 16, 20])
    ball = rng.uniform(1.3, 1.42)
    return replace(plain, red=red, ace=ace, depth=depth, edge_mm=edge_mm, rounding=0.08, ball=ball, profile="sphere")


def _cheap(plain: Design, rng: np.random.Generator) -> Design:
    red = (1,) if rng.random() < 0.4 else ()
    return replace(plain, red=red, wear=rng.uniform(0, 0.5), edge_mm=pick(rng, [8, 10, 12, 14, 16]), rim=True)


def _casino(plain: Design, rng: np.random.Generator) -> Design:
    """Clear, sharp-edged and large, its pips flush."""
    body = hsv(pick(rng, [0.985, 0.0, 0.35, 0.6, 0.08]), 0.9, 0.85)
    roughness, pip = pick(rng, [0.04, 0.3]), rng.uniform(0.17, 0.2)
    sharp = replace(plain, rounding=0.02, ball=NO_BALL, depth=0.004, edge_mm=19, pip=pip, spread=0.56, spread_six=0.56)
    return replace(sharp, clear=0.97, body=body, ink=WHITE, roughness=roughness, wear=0)


def _translucent(plain: Design, rng: np.random.Generator) -> Design:
    clear, body = rng.uniform(0.8, 0.95), hsv(rng.random(), rng.uniform(0.6, 0.9), 0.85)
    return replace(plain, clear=clear, body=body, ink=WHITE, roughness=rng.uniform(0.05, 0.25))


def _frosted(plain: Design, rng: np.random.Generator) -> Design:
    roughness, body = rng.uniform(0.45, 0.7), hsv(rng.random(), rng.uniform(0.1, 0.7), 0.9)
    ink = WHITE if rng.random() < 0.4 and body.min() <= 0.5 else BLACK
    return replace(plain, clear=0.85, roughness=roughness, body=body, ink=ink)


def _wooden(plain: Design, rng: np.random.Generator) -> Design:
    body = np.array([0.66, 0.45, 0.26]) * rng.uniform(0.5, 1.15)
    second, burnt = body * rng.uniform(0.65, 0.85), np.array([0.07, 0.035, 0.02])
    roughness, rounding = rng.uniform(0.5, 0.8), rng.uniform(0.08, 0.25)
    return replace(plain, body=body, second=second, ink=burnt, roughness=roughness, rounding=rounding)


def _metal(plain: Design, rng: np.random.Generator) -> Design:
    body = np.array(pick(rng, [(0.72, 0.72, 0.74), (0.8, 0.6, 0.3), (0.75, 0.42, 0.28), (0.35, 0.35, 0.38)]))
    roughness = rng.uniform(0.18, 0.42)
    ink = BLACK if rng.random() < 0.7 else body * 0.35
    return replace(
        plain, body=body, metal=True, roughness=roughness, ink=ink, rounding=rng.uniform(0.05, 0.2), depth=0.12
    )


def _swirled(plain: Design, rng: np.random.Generator) -> Design:
    """Two colours poured together."""
    hue = rng.random()
    body = hsv(hue, rng.uniform(0.5, 0.95), rng.uniform(0.3, 0.75))
    second = hsv(hue + rng.uniform(-0.2, 0.3), rng.uniform(0.2, 0.9), rng.uniform(0.15, 0.95))
    brightness = (body.mean() + second.mean()) / 2
    ink = WHITE if brightness < 0.55 else BLACK
    if rng.random() < 0.2 and brightness < 0.4:
        ink = np.array([0.85, 0.65, 0.2])
    return replace(plain, body=body, second=second, ink=ink)


def _glittering(plain: Design, rng: np.random.Generator) -> Design:
    return replace(plain, body=hsv(rng.random(), 0.8, rng.uniform(0.2, 0.6)), ink=WHITE)


def _halved(plain: Design, rng: np.random.Generator) -> Design:
    hue = rng.random()
    return replace(plain, body=hsv(hue, 0.8, 0.4), second=hsv(hue + 0.4, 0.8, 0.5), ink=WHITE)


def _round(plain: Design, rng: np.random.Generator) -> Design:
    rounding, spread, pip = rng.uniform(0.4, 0.55), rng.uniform(0.38, 0.44), rng.uniform(0.1, 0.15)
    ball = replace(plain, rounding=rounding, spread=spread, spread_six=spread, pip=pip)
    if rng.random() >= 0.5:
        return ball
    body = hsv(rng.random(), 0.85, rng.uniform(0.4, 0.8))
    return replace(ball, body=body, ink=np.array([0.93, 0.93, 0.93]) if body.mean() < 0.5 else BLACK)


STYLES: dict[str, tuple[Callable[[Design, np.random.Generator], Design], float]] = {
    "classic": (_classic, 9),
    "asian": (_asian, 3),
    "cheap": (_cheap, 3),
    "casino": (_casino, 2),
    "wood": (_wooden, 1.5),
    "metal": (_metal, 1),
    "swirl": (_swirled, 2),
    "pearl": (_swirled, 1.5),
    "glitter": (_glittering, 1),
    "frost": (_frosted, 1),
    "half": (_halved, 0.8),
    "translucent": (_translucent, 1.8),
    "round": (_round, 2),
    "black": (_black, 2),
}
"""How each is made, and how likely it is."""
