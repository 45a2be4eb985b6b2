"""Pictures of dice: printed on boxes, sheets and cards, and on lit screens."""

from __future__ import annotations

import math

import cv2
import numpy as np

from tests.bench.dotted.palette import (
    BLACK,
    BLUE,
    GREEN,
    IVORY,
    ORANGE,
    RED,
    STEEL,
    VIVID,
    WHITE,
    YELLOW,
    Bytes,
    Point,
    cloud,
    near,
    one_of,
    shaded,
)
from tests.bench.dotted.phones import PHONE_LONG, PHONE_THICK, PHONE_WIDE, reflection, smudges
from tests.bench.dotted.pictured_dice import cube, dice_colours, front
from tests.bench.dotted.piece import (
    Piece,
    area,
    bevel,
    blank,
    disc,
    dye,
    ellipse,
    lift,
    line,
    mottle,
    polygon,
    slab,
    write,
)
from tests.bench.dotted.scene import FINE, Scene, any_turn, place, turned


def pictures(scene: Scene) -> None:
    """Dice in pictures: on a game's box, on a sheet of rules, on a phone's lit screen, as signs on cards."""
    rng = scene.rng
    make = (_box, _rules, _screen, _sign_cards)[int(rng.integers(4))]
    make(scene)


def _printing(piece: Piece, rng: np.random.Generator) -> None:
    """Print is not quite even, and its colours are duller than on a screen."""
    mottle(piece, rng, 3, (40, 2))
    piece.colour = np.clip(piece.colour.astype(np.float32) * 0.93 + 9, 0, 255).astype(np.uint8)


def _box(scene: Scene) -> None:
    """The lid of a game's box, with a title and dice that tumble; from near, a part of it."""
    rng = scene.rng
    h = scene.span(200, 700) * rng.uniform(1.2, 2.6)
    w = h * rng.choice((0.7, 1.0, 1.4))
    ground, other = one_of(rng, (*VIVID, BLACK, IVORY, (110, 60, 40))), one_of(rng, (*VIVID, BLACK, WHITE))
    piece = blank(w, h, ground, h * rng.uniform(0.04, 0.16), 0.25)
    slab(piece.mask, 2, 2, w - 4, h - 4, h * 0.008)
    down = np.linspace(0, 1, piece.mask.shape[0], dtype=np.float32)[:, None, None]
    fade = np.float32(rng.uniform(0.1, 0.8))
    blend = np.asarray(ground, np.float32) * (1 - down * fade) + np.asarray(other, np.float32) * down * fade
    piece.colour[:] = np.clip(blend, 0, 255).astype(np.uint8)
    middle = (w * rng.uniform(0.4, 0.6), h * rng.uniform(0.55, 0.66))
    if rng.random() < 0.5:  # rays from behind the dice
        pale = shaded(ground, 1.25)
        for turn in np.arange(0, 2 * math.pi, math.pi / 9):
            ends = [(middle[0] + 2 * h * math.cos(a), middle[1] + 2 * h * math.sin(a)) for a in (turn, turn + 0.17)]
            polygon(piece.colour, [middle, *ends], pale)
    band = h * 0.1
    title = str(rng.choice(("DICE DASH", "SIX UP", "ROLL IT!", "LUCKY 7", "FARM RACE", "THE DUKE", "KNIFFLIG")))
    high = min(band * 0.9, w * 0.8 / len(title))
    for edge, colour in ((0.3, BLACK), (0.16, near(rng, one_of(rng, (WHITE, YELLOW, IVORY)), 3))):
        write(piece.colour, title, (w / 2, h * 0.14), high, colour, edge)
    body, ink = dice_colours(rng)
    outline = one_of(rng, (BLACK, (60, 30, 20)), 4) if rng.random() < 0.4 else None
    size, count, mixed = min(w, h) * rng.uniform(0.14, 0.3), int(rng.integers(1, 6)), rng.random() < 0.4
    start = any_turn(rng)
    for number in range(count):
        off = 0.0 if count == 1 else size * (1.0 + 0.2 * count) * rng.uniform(0.75, 1.0)
        way = start + number * 2 * math.pi / count
        at = (middle[0] + off * math.cos(way), middle[1] + off * math.sin(way) * 0.75)
        if mixed:
            body, ink = dice_colours(rng)
        if rng.random() < 0.6 and outline is None:
            _dark_below(piece, at, size)
        cube(piece.colour, rng, at, size * rng.uniform(0.85, 1.1), body, ink, outline)
    signs = ("2-4", "8+", "30 min", "2-6", "99")
    for number in range(3):
        at = (w * (0.1 + 0.11 * number), h * 0.94)
        disc(piece.colour, at, h * 0.035, WHITE)
        write(piece.colour, signs[int(rng.integers(len(signs)))], at, h * 0.014, BLACK)
    _printing(piece, rng)
    if rng.random() < 0.4:
        reflection(piece, rng, rng.uniform(0.08, 0.25))
    bevel(piece, h * 0.004, h * 0.003)
    turn = any_turn(rng) if rng.random() < 0.3 else float(rng.normal(0, 0.3))
    off = ((middle[0] - w / 2) * rng.uniform(0.5, 1), (middle[1] - h / 2) * rng.uniform(0.5, 1))
    place(scene, piece, turned(scene.middle, turn, -off[0], -off[1]), turn)


def _dark_below(piece: Piece, at: Point, size: float) -> None:
    """The shadow that is drawn with a die."""
    dark = area(piece)
    polygon(dark, ellipse((at[0] + size * 0.15, at[1] + size * 0.5), size * 0.75, size * 0.35))
    soft = cv2.GaussianBlur(dark, (0, 0), size * 0.1)
    dye(piece, cv2.convertScaleAbs(soft, alpha=0.45), (20, 18, 18))


def _text(image: Bytes, rng: np.random.Generator, box: tuple[float, float, float, float], high: float) -> None:
    """Lines of print in a box (left, top, width, height): too small to be more than words of grey."""
    left, top, wide, deep = box
    for y in np.arange(top + high / 2, top + deep, high * 1.6):
        x, end = left, left + wide * (1 if rng.random() < 0.85 else rng.uniform(0.3, 0.9))
        while x < end:
            long = min(high * rng.uniform(0.8, 4.5), end - x)
            slab(image, x, y - high * 0.22, long, high * 0.44, high * 0.15, (95, 92, 90))
            for up in np.arange(x + high * 0.3, x + long, high * 0.75):
                if rng.random() < 0.35:
                    slab(image, up, y - high * 0.5, high * 0.16, high * 0.6, 1, (95, 92, 90))
            x += long + high * 0.45


def _rules(scene: Scene) -> None:
    """A sheet or a booklet of rules: columns of text, and dice that show what counts."""
    rng = scene.rng
    h = scene.span(250, 700) * rng.uniform(1.4, 2.6)
    w = h * rng.uniform(0.66, 0.75)
    piece = blank(w, h, near(rng, (230, 236, 238), 6), 3, 0.06)
    slab(piece.mask, 1, 1, w - 2, h - 2, 2)
    accent = one_of(rng, (*VIVID, BLACK))
    size = w * rng.uniform(0.09, 0.2)
    body, ink = dice_colours(rng)
    outlined, solid = rng.random() < 0.6, rng.random() < 0.5
    if not outlined and max(body) > 150 and min(body) > 150:
        body, ink = shaded(accent, 0.9), WHITE
    high = h * rng.uniform(0.008, 0.012)
    y = h * 0.05
    write(piece.colour, str(rng.choice(("RULES", "HOW TO PLAY", "SPIELREGEL"))), (w / 2, y), h * 0.026, accent, 0.16)
    y += h * 0.03
    while y < h * 0.9:
        slab(piece.colour, w * 0.08, y, w * rng.uniform(0.2, 0.4), high * 1.1, 1, accent)
        y += high * 3
        deep = h * rng.uniform(0.03, 0.09)
        _text(piece.colour, rng, (w * 0.08, y, w * 0.84, deep), high)
        y += deep + size * 0.8
        if y + size > h * 0.95:
            break
        if rng.random() < 0.35:
            slab(piece.colour, w * 0.06, y - size * 0.75, w * 0.88, size * 1.5, size * 0.15, shaded(accent, 1.5))
        count = int(rng.integers(1, 6))
        step = min(size * 1.3, w * 0.8 / count)
        for number in range(count):
            at = (w * 0.1 + size / 2 + step * number, y)
            if solid:
                cube(piece.colour, rng, at, min(size, step) * 0.68, body, ink, ink if outlined else None)
            else:
                front(
                    piece.colour,
                    at,
                    min(size, step) * 0.9,
                    int(rng.integers(1, 7)),
                    body,
                    ink,
                    rng.normal(0, 0.1),
                    outlined=outlined,
                )
        room = w * 0.9 - (w * 0.1 + size + step * count)
        if room > w * 0.1:
            _text(piece.colour, rng, (w * 0.92 - room, y - size * 0.3, room, size * 0.6), high)
        y += size * 0.95
    _printing(piece, rng)
    folds = int(rng.integers(0, 3))
    for number in range(folds):
        fold = area(piece)
        across = h * (number + 1) / (folds + 1)
        line(fold, ((0, across), (w, across)), 4, 255)
        lift(piece, fold, float(rng.choice((-4, 4))), 3)
    swell = cloud(piece.mask.shape, rng, (int(w / 2) + 8,))
    piece.relief += cv2.GaussianBlur(swell, (0, 0), w * 0.06) * np.float32(w * 0.02)
    turn = any_turn(rng) if rng.random() < 0.3 else float(rng.normal(0, 0.3))
    place(scene, piece, turned(scene.middle, turn, 0, rng.uniform(-0.25, 0.25) * h), turn)


def _screen(scene: Scene) -> None:
    """A phone that lies on its back; an app on its lit screen throws dice."""
    rng = scene.rng
    unit = scene.span(90, 400) * rng.uniform(1.0, 2.2) / PHONE_WIDE
    w, h = PHONE_WIDE * unit, PHONE_LONG * unit
    piece = blank(w + 4, h + 4, BLACK, PHONE_THICK * unit, 0.3)
    slab(piece.mask, 2, 2, w, h, 9 * unit)
    piece.side = one_of(rng, (BLACK, STEEL, (90, 85, 80)), 8)
    image, edge = piece.colour.copy(), 3 * unit
    ground = one_of(rng, (GREEN, (70, 100, 35), BLUE, BLACK, WHITE, (60, 40, 40), (235, 225, 215), RED, (120, 60, 90)))
    image[:] = ground
    if rng.random() < 0.4:
        near_middle = np.hypot(
            *np.meshgrid(*(np.linspace(-1, 1, n, dtype=np.float32) for n in (image.shape[1], image.shape[0])))
        )
        image = np.clip(image * (1.15 - 0.3 * near_middle)[..., None], 0, 255).astype(np.uint8)
    dark = sum(ground) < 380
    word = WHITE if dark else BLACK
    write(image, "12:41", (w * 0.16, h * 0.035), 3 * unit, word)
    slab(image, w * 0.82, h * 0.03, w * 0.08, 2.4 * unit, unit, word)
    write(image, str(rng.choice(("Dice", "Roll 3", "Player 2", "Total"))), (w / 2, h * 0.11), 5 * unit, word)
    button = one_of(rng, (ORANGE, RED, BLUE, (200, 160, 40)))
    slab(image, w * 0.25, h * 0.87, w * 0.5, h * 0.065, 5 * unit, button)
    write(image, str(rng.choice(("ROLL", "THROW", "AGAIN"))), (w / 2, h * 0.903), 4 * unit, WHITE)
    body, ink = dice_colours(rng)
    if abs(sum(body) - sum(ground)) < 150:
        body, ink = (WHITE, BLACK) if dark else (RED, WHITE)
    columns, rows = ((1, 1), (1, 2), (2, 2), (2, 3), (1, 3))[int(rng.integers(5))]
    style = int(rng.integers(3))
    step = min(w * 0.86 / columns, h * 0.66 / rows)
    size = step * rng.uniform(0.55, 0.8)
    for number in range(columns * rows):
        row, column = divmod(number, columns)
        at = (w / 2 + step * (column - (columns - 1) / 2), h * 0.49 + step * (row - (rows - 1) / 2))
        turn = rng.normal(0, 0.4) if style == 1 else 0.0
        if style == 2:
            cube(image, rng, at, size * 0.75, body, ink, None)
        else:
            value = int(rng.integers(1, 7))
            if style == 1:
                below = (at[0] + size * 0.06, at[1] + size * 0.08)
                front(image, below, size, 1, *(shaded(ground, 0.6),) * 2, turn, outlined=False)
            front(image, at, size, value, body, ink, turn, outlined=style == 0 and rng.random() < 0.5)
    glow = np.clip(image.astype(np.float32) * rng.uniform(0.85, 1.15) + np.asarray((14, 9, 6), np.float32), 0, 255)
    lit = area(piece)
    slab(lit, 2 + edge, 2 + edge, w - 2 * edge, h - 2 * edge, 6.5 * unit)
    dye(piece, lit, glow.astype(np.uint8))
    disc(piece.colour, (w / 2 + 2, 7 * unit), 1.7 * unit, (12, 12, 12))
    reflection(piece, rng, rng.uniform(0.03, 0.25))
    smudges(piece, rng)
    bevel(piece, unit, unit * 0.8)
    turn = any_turn(rng) if rng.random() < 0.5 else float(rng.normal(0, 0.25))
    near_it = rng.uniform(-0.12, 0.12) * min(scene.size) * FINE
    place(scene, piece, (scene.middle[0] + near_it, scene.middle[1] - near_it), turn)


def _sign_cards(scene: Scene) -> None:
    """Cards of a game with dice as signs on them: large, in a frame, or small in the corners."""
    rng = scene.rng
    high = scene.span(120, 420) * rng.uniform(1.0, 1.5)
    wide, count = high * 0.69, int(rng.integers(1, 6))
    ground = one_of(rng, (*VIVID, WHITE, IVORY, (90, 120, 150)))
    start, step = float(rng.normal(0, 0.4)), rng.uniform(-0.2, 0.2)
    style = int(rng.integers(3))
    body, ink = dice_colours(rng)
    for number in range(count):
        piece = blank(wide + 4, high + 4, near(rng, WHITE, 4), 3, 0.15)
        slab(piece.mask, 2, 2, wide, high, high * 0.04)
        inner = area(piece)
        slab(inner, wide * 0.06, wide * 0.06, wide * 0.89, high - wide * 0.11, high * 0.03)
        dye(piece, inner, ground if rng.random() < 0.7 else one_of(rng, (*VIVID, IVORY)))
        middle = (wide / 2 + 2, high * 0.42)
        frame = rng.random() < 0.5
        if frame:
            disc(piece.colour, middle, wide * 0.34, shaded(ground, 0.6))
            disc(piece.colour, middle, wide * 0.31, one_of(rng, (WHITE, IVORY, (200, 215, 225)), 5))
        size = wide * (0.34 if frame else rng.uniform(0.3, 0.55))
        if style == 0:
            cube(piece.colour, rng, middle, size * 0.85, body, ink, ink)
        elif style == 1:
            front(piece.colour, middle, size, int(rng.integers(1, 7)), body, ink, rng.normal(0, 0.2))
        else:
            for way in (-1, 1):
                at = (middle[0] + way * size * 0.36, middle[1] + way * size * 0.2)
                cube(piece.colour, rng, at, size * 0.55, body, ink, None)
        slab(piece.colour, wide * 0.1, high * 0.7, wide * 0.81, high * 0.24, high * 0.02, (225, 235, 238))
        _text(piece.colour, rng, (wide * 0.15, high * 0.73, wide * 0.7, high * 0.18), high * 0.024)
        if rng.random() < 0.6:
            for x in (0.17, 0.83):
                front(piece.colour, (wide * x + 2, high * 0.1), wide * 0.14, int(rng.integers(1, 7)), WHITE, BLACK)
        _printing(piece, rng)
        turn = start + step * (number - count / 2)
        along = (number - (count - 1) / 2) * wide * rng.uniform(0.7, 1.1)
        place(scene, piece, turned(scene.middle, turn, along, rng.normal(0, high * 0.05)), turn)
