"""What staged bodies are made of, as Blender's shader nodes. Needs `bpy`; every call works on its open scene."""

from __future__ import annotations

from typing import Any

import numpy as np

from companion.vision.traced.nodes import Shader
from tests.bench.staged.chance import Array, linear
from tests.bench.staged.design import Design
from tests.bench.staged.solids import Finish, Relief

Socket = Any
Range = tuple[float, float]
RED = linear(np.array([0.75, 0.04, 0.05]))  # of red pips
DULL, DULLER = 0.6, 0.2  # paint in pips is rougher than the body by the second, up to the first
GLITTER: Range = (0.8, 0.86)  # how bright a spot is that glitters


class Stuff(Shader):
    """One new material, with the nodes that these need."""

    def placed(self, at: tuple[float, float, float], scale: tuple[float, float, float] = (1, 1, 1)) -> Socket:
        """Where on the object a point is, scaled, then moved."""
        return self.add("Mapping", Vector=self.add("TexCoord").outputs["Object"], Location=at, Scale=scale).outputs[0]

    def noise(
        self, scale: float, detail: float, bend: float = 0.0, shift: float = 0.0, over: Range | None = None
    ) -> Socket:
        """0–1; `over`: what of it is stretched to that."""
        at = self.placed((shift, shift * 0.7, shift * 0.3))
        node = self.add("TexNoise", Vector=at, Scale=scale, Detail=detail, Distortion=bend)
        return node.outputs[0] if over is None else self.ranged(node.outputs[0], over)

    def ranged(self, share: Socket, over: Range = (0, 1), to: Range = (0, 1)) -> Socket:
        node = self.add("MapRange", Value=share, From_Min=over[0], From_Max=over[1], To_Min=to[0], To_Max=to[1])
        return node.outputs[0]

    def mixed(self, share: Socket, one: Socket, other: Socket) -> Socket:
        """Of two colours, so much of the other."""
        node = self.add("Mix")
        node.data_type = "RGBA"
        for at, value in ((0, share), (6, one), (7, other)):  # several inputs have one name
            self._plug(value, node.inputs[at])
        return node.outputs[2]

    def sum(self, share: Socket, factor: float, more: Socket) -> Socket:
        node = self.add("Math")
        node.operation = "MULTIPLY_ADD"
        for value, socket in zip((share, factor, more), node.inputs, strict=True):
            self._plug(value, socket)
        return node.outputs[0]

    def product(self, one: Socket, other: Socket) -> Socket:
        return self.sum(one, other, 0.0)

    def spots(self, scale: float) -> Any:
        return self.add("TexVoronoi", Vector=self.add("TexCoord").outputs["Object"], Scale=scale)

    def shown(self, picture: Array, *, data: bool = False) -> Socket:
        """The colours of a picture, its first row the lowest, where the body is unfolded."""
        opaque = np.dstack([picture[::-1], np.ones(picture.shape[:2])])
        node = self.picture("picture", opaque, data=data)
        node.extension = "EXTEND" if data else "MIRROR"
        return node.outputs["Color"]

    def embossed(self, what: Relief) -> None:
        if what.cells:
            cells = self.spots(what.scale)
            cells.feature = "SMOOTH_F1"
            height = cells.outputs[0]
        else:
            height = self.noise(what.scale, what.detail, what.bend, what.shift)
        self.set(self.body, Normal=self.relief(height, what.strength, what.deep))


def finished(what: Finish) -> Any:
    stuff = Stuff("finish")
    colour: Socket = linear(what.colour) if what.colour.ndim == 1 else stuff.shown(what.colour)
    stuff.set(stuff.body, Base_Color=colour, Roughness=what.roughness, Metallic=float(what.metal))
    stuff.set(stuff.body, Transmission_Weight=what.clear, Coat_Weight=what.coat, Sheen_Weight=what.sheen)
    if what.relief is not None:
        stuff.embossed(what.relief)
    return stuff.material


def die(design: Design, atlas: Array) -> Any:
    """Body, paint in pips, wear and scratches."""
    stuff = Stuff("die")
    painted = stuff.add("SeparateColor", Color=stuff.shown(atlas, data=True))
    ink, red = painted.outputs[0], painted.outputs[1]
    colour = _body(stuff, design)
    if design.wear:
        ink = stuff.product(ink, _left(stuff, design))
        colour = stuff.mixed(stuff.noise(3, 5, 1, design.shift + 3, (0.5, 0.85)), colour, _darker(design.body, 0.6))
    stuff.set(stuff.body, Base_Color=stuff.mixed(ink, colour, stuff.mixed(red, linear(design.ink), RED)))
    if design.clear:
        stuff.set(stuff.body, Transmission_Weight=stuff.sum(ink, -design.clear, design.clear))
    if design.metal or design.style == "pearl":
        stuff.set(stuff.body, Metallic=stuff.sum(ink, -1.0, 1.0) if design.metal else 0.35)
    if design.scratched or design.wear:
        stuff.embossed(Relief(14, design.scratched + 0.1, 0.02, detail=6, bend=2, shift=design.shift))
    dull = min(DULL, design.roughness + DULLER)
    stuff.set(stuff.body, Roughness=stuff.ranged(ink, to=(design.roughness, dull)))
    return stuff.material


def _left(stuff: Stuff, design: Design) -> Socket:
    """How much of the paint wear has left: it never takes all."""
    low, high = 0.28 + 0.15 * design.wear, 0.36 + 0.2 * design.wear
    return stuff.ranged(stuff.noise(5, 4, 0.5, design.shift + 7, (low, high)), to=(0.35, 1))


def _darker(colour: Array, share: float) -> tuple[float, float, float, float]:
    red, green, blue, _ = linear(colour)
    return red * share, green * share, blue * share, 1.0


def _own(design: Design, low: float, high: float) -> float:
    """A number that each die has for itself."""
    return low + (high - low) * ((design.shift * 13.37) % 1)


def _body(stuff: Stuff, design: Design) -> Socket:
    """The colour of a die's body, without what is painted on it."""
    body, second, shift = linear(design.body), linear(design.second), design.shift
    match design.style:
        case "swirl" | "pearl":
            veins = stuff.noise(_own(design, 1.2, 3), 4, _own(design, 1.5, 4), shift, (0.38, 0.62))
            return stuff.mixed(veins, body, second)
        case "wood":
            at = stuff.placed((shift, shift, 0), (1, 12, 12))
            return stuff.mixed(stuff.add("TexNoise", Vector=at, Scale=1.6, Detail=5).outputs[0], body, second)
        case "half":
            ways = stuff.add("SeparateXYZ", Vector=stuff.add("TexCoord").outputs["Object"])
            rim = stuff.sum(stuff.noise(3, 2, 1, shift), 0.4, ways.outputs[int(shift) % 3])
            return stuff.mixed(stuff.ranged(rim, (0.15, 0.25)), body, second)
        case "glitter":
            spots = stuff.spots(_own(design, 30, 60)).outputs["Color"]
            bright = stuff.ranged(stuff.add("SeparateColor", Color=spots).outputs[0], GLITTER)
            return stuff.mixed(bright, body, stuff.mixed(0.45, spots, body))
        case _:
            return stuff.mixed(stuff.noise(2.5, 4, 0, shift, (0.35, 0.75)), body, _darker(design.body, 0.9))
