"""Materials of traced scenes, as Blender's shader nodes. Needs `bpy`; every call works on its open scene."""

from __future__ import annotations

from typing import Any

import bpy
import cv2
import numpy as np

from companion.vision.traced.model import Colour, Floats, Ground, Look, Thing, Top
from companion.vision.traced.prints import CELL_PX, atlas, coloured, marked

Socket = Any
DENT = 0.08  # of an edge: how deep a dent is at strength 1
MARK_ROUGHNESS, MARK_SOFT = 0.5, 3.0  # of what is printed on a thing; and its rim, in pixels


class Shader:
    """One new material and its nodes."""

    def __init__(self, name: str) -> None:
        self.material = bpy.data.materials.new(name)
        self.nodes, self.links = self.material.node_tree.nodes, self.material.node_tree.links
        self.body = self.nodes["Principled BSDF"]
        self.out = self.nodes["Material Output"].inputs["Surface"]

    def add(self, kind: str, **inputs: Socket) -> Any:
        """A node; what comes out of another is linked, all else is set."""
        node = self.nodes.new(f"ShaderNode{kind}")
        self.set(node, **inputs)
        return node

    def set(self, node: Any, **inputs: Socket) -> None:
        for name, value in inputs.items():
            self._plug(value, node.inputs[name.replace("_", " ")])

    def _plug(self, value: Socket, socket: Socket) -> None:
        if isinstance(value, bpy.types.NodeSocket):
            self.links.new(value, socket)
        else:
            socket.default_value = value

    def places(self, grain: tuple[float, float, float], yaw: float = 0.0, shift: float = 0.0) -> Socket:
        """Where on the object a point is, so many times finer, and shifted along each axis."""
        mapping = self.add("Mapping", Vector=self.add("TexCoord").outputs["Object"], Scale=grain)
        mapping.inputs["Location"].default_value = (shift,) * 3
        mapping.inputs["Rotation"].default_value[2] = yaw
        return mapping.outputs[0]

    def ramp(
        self,
        share: Socket,
        colours: tuple[Colour, ...],
        *,
        hard: bool = False,
        over: tuple[float, float] = (0.3, 0.7),
    ) -> Socket:
        """A colour for each share from the first to the last, in their order."""
        node = self.add("ValToRGB", Fac=share)
        elements = node.color_ramp.elements
        for _ in colours[2:]:
            elements.new(0.5)
        for element, at, colour in zip(elements, np.linspace(*over, len(colours)), colours, strict=True):
            element.position, element.color = float(at), (*colour, 1)
        if hard:
            node.color_ramp.interpolation = "CONSTANT"
        return node.outputs[0]

    def relief(
        self, height: Socket, strength: float, depth: float, *, inward: bool = False, normal: Socket = None
    ) -> Socket:
        node = self.add("Bump", Height=height, Strength=strength, Distance=depth)
        node.invert = inward
        if normal is not None:
            self.set(node, Normal=normal)
        return node.outputs[0]

    def vector(self, operation: str, *inputs: Socket, output: str = "Vector") -> Socket:
        """What an operation on vectors comes to."""
        node = self.add("VectorMath")
        node.operation = operation
        for value, socket in zip(inputs, node.inputs, strict=False):  # it has room for three
            self._plug(value, socket)
        return node.outputs[output]

    def domed(self, slope: float) -> Socket:
        """The way that a flat face seems to look whose slope grows by so much per length from its middle."""
        turn = self.add("VectorTransform", Vector=self.add("TexCoord").outputs["Object"])
        turn.convert_from, turn.convert_to, turn.vector_type = "OBJECT", "WORLD", "VECTOR"
        outwards = self.add("NewGeometry").outputs["Normal"]
        height = self.vector("DOT_PRODUCT", outwards, turn.outputs[0], output="Value")
        middle = self.vector("MULTIPLY", outwards, height)
        along = self.vector("SUBTRACT", turn.outputs[0], middle)
        tilted = self.vector("ADD", outwards, self.vector("MULTIPLY", along, (slope,) * 3))
        return self.vector("NORMALIZE", tilted)

    def dents(self, share: Floats, soft: float, strength: float, at: Socket = None, normal: Socket = None) -> Socket:
        """The way that a surface looks which is lower where a share, height × width of 0–1, is more."""
        height = cv2.GaussianBlur(share, (0, 0), soft)
        heights = self.picture("dents", np.dstack([height] * 3 + [np.ones_like(height)]), data=True, at=at)
        return self.relief(heights.outputs["Color"], strength, DENT, inward=True, normal=normal)

    def blend(self, share: Socket, other: Any) -> None:
        """So much of another surface shows in place of the body."""
        mixed = self.add("MixShader", Fac=share)
        self.links.new(self.body.outputs[0], mixed.inputs[1])
        self.links.new(other.outputs[0], mixed.inputs[2])
        self.links.new(mixed.outputs[0], self.out)

    def picture(self, name: str, pixels: Floats, *, data: bool = False, at: Socket = None) -> Any:
        """A node that shows pixels, height × width × 4 of 0–1; nothing beyond them. `at`: else the body is unfolded."""
        image = bpy.data.images.new(name, pixels.shape[1], pixels.shape[0], alpha=True)
        image.alpha_mode = "CHANNEL_PACKED"
        if data:
            image.colorspace_settings.name = "Non-Color"
        image.pixels.foreach_set(np.ascontiguousarray(pixels[::-1], np.float32).ravel())
        image.pack()
        node = self.add("TexImage")
        node.image, node.extension = image, "CLIP"
        if at is not None:
            self.set(node, Vector=at)
        return node


def plain(colour: Colour, roughness: float, *, metal: bool = False, glass: bool = False) -> Any:
    """A thing of one colour."""
    shader = Shader("thing")
    shader.set(shader.body, Base_Color=(*colour, 1), Roughness=roughness, Metallic=float(metal))
    shader.set(shader.body, Transmission_Weight=float(glass))
    return shader.material


def glowing(colour: Colour, radiance: float) -> Any:
    """What gives light all around, in watts a square length and steradian."""
    shader = Shader("glowing")
    light = shader.add("Emission", Color=(*colour, 1), Strength=radiance)
    shader.links.new(light.outputs[0], shader.out)
    return shader.material


def die(look: Look) -> Any:
    """Body and ink of a die, its dents included; of a drilled one the body alone. Raises MissingFonts."""
    shader = Shader("die")
    body = shader.body
    shader.set(body, Roughness=look.roughness, Transmission_Weight=look.clear, Metallic=float(look.body == "metal"))
    shader.set(body, Base_Color=_body(shader, look))
    if look.body == "marbled":
        shader.set(body, Subsurface_Weight=0.2, Subsurface_Radius=(0.1, 0.1, 0.1))
    parts, normal = [body], shader.domed(look.dome) if look.dome else None
    if not look.drilled:
        faces, ink = atlas(look.print), shader.add("BsdfPrincipled", Roughness=look.ink_roughness)
        painted = shader.picture("ink", faces)
        shader.set(ink, Base_Color=painted.outputs["Color"] if coloured(look.print) else (*look.ink, 1))
        shader.blend(painted.outputs["Alpha"], ink)
        parts.append(ink)
        if look.dent:
            normal = shader.dents(faces[..., 3], look.print.soft * CELL_PX, look.dent, normal=normal)
    if normal is not None:
        for part in parts:
            shader.set(part, Normal=normal)
    return shader.material


def spotted(thing: Thing, top: Top) -> Any:
    """A body with marks on it, seen from above: they go down through all of it."""
    shader, span = Shader("spotted"), max(thing.shape[:2])
    at = shader.places((1 / span,) * 3, shift=0.5)
    share = marked(top.marks, span)
    colour: Socket = (*thing.colour, 1)
    if top.rough:
        red, green, blue = (part * (1 - top.rough) for part in thing.colour)
        noise = shader.add("TexNoise", Vector=shader.places((top.grain,) * 3), Detail=4.0)
        colour = shader.ramp(noise.outputs[0], ((red, green, blue), thing.colour))
    shader.set(shader.body, Base_Color=colour, Roughness=thing.roughness, Metallic=float(top.metal))
    if top.through:
        mark = shader.add("BsdfTransparent")
    else:
        mark = shader.add("BsdfPrincipled", Base_Color=(*top.ink, 1), Roughness=MARK_ROUGHNESS)
    if top.dent:
        normal = shader.dents(share, MARK_SOFT, top.dent, at)
        shader.set(shader.body, Normal=normal)
        if not top.through:
            shader.set(mark, Normal=normal)
    shader.blend(shader.picture("marks", np.dstack([share] * 4), data=True, at=at).outputs["Alpha"], mark)
    return shader.material


def _body(shader: Shader, look: Look) -> Socket:
    """The colour of a die's body."""
    if len(look.colours) == 1:
        return (*look.colours[0], 1)
    if look.body == "speckled":
        spots = shader.add("TexVoronoi", Vector=shader.places((look.grain,) * 3))
        return shader.ramp(spots.outputs["Distance"], (*look.colours[1:], look.colours[0]))
    grain = (2.0, 2.0, 16.0) if look.body == "wood" else (look.grain,) * 3
    places = shader.places(grain, shift=look.shift)
    noise = shader.add("TexNoise", Vector=places, Detail=look.detail, Distortion=look.bend)
    return shader.ramp(noise.outputs[0], look.colours, over=(0.47, 0.53) if look.hard else (0.3, 0.7))


def ground(what: Ground) -> Any:
    """Table, cloth, leather or print."""
    shader = Shader("ground")
    main, dark, other = what.colours
    places = shader.places((what.grain, what.grain * what.stretch, what.grain), what.yaw)
    two = (*main, 1), (*(other if what.hard else dark), 1)
    height = None
    match what.kind:
        case "check" | "brick":
            node = shader.add("TexChecker" if what.kind == "check" else "TexBrick", Vector=places)
            shader.set(node, Color1=two[0], Color2=two[1])
            colour = node.outputs["Color"]
        case "print":
            spots = shader.add("TexVoronoi", Vector=places, Randomness=min(1.0, what.relief))
            colour = shader.ramp(spots.outputs["Distance"], (main, other, dark), hard=what.hard)
        case "waves":
            waves = shader.add("TexWave", Vector=places, Distortion=3 * what.bend)
            colour = shader.ramp(waves.outputs[0], (main, other))
        case "stone":
            noise = shader.add("TexNoise", Vector=places, Detail=12.0, Distortion=what.bend)
            colour = shader.ramp(noise.outputs[0], (dark, main, other, main))
        case "leather":
            cells = shader.add("TexVoronoi", Vector=places)
            height, colour = cells.outputs[0], shader.ramp(cells.outputs[0], (dark, main))
        case "wood":
            rings = shader.add("TexNoise", Vector=places, Detail=8.0, Distortion=what.bend / 4)
            height, colour = rings.outputs[0], shader.ramp(rings.outputs[0], (dark, main, dark))
        case _:
            fibres = shader.add("TexNoise", Vector=places)
            height, colour = fibres.outputs[0], shader.ramp(fibres.outputs[0], (dark, main))
    shader.set(shader.body, Base_Color=colour, Roughness=what.roughness)
    if height is not None and what.kind != "plain":
        shader.set(shader.body, Normal=shader.relief(height, what.relief, 0.05))
    return shader.material
