"""A staged table in Blender: bodies are built, what hides dice is found, and Cycles traces the light. Needs `bpy`."""

from __future__ import annotations

import math
from typing import Any

import bpy  # isort: skip  # brings the next one
import cv2
import numpy as np
from mathutils import Matrix as Frame
from mathutils import Vector

from companion.vision.traced.blender import rendered
from tests.bench.staged import materials
from tests.bench.staged.camera import Camera
from tests.bench.staged.chance import Array
from tests.bench.staged.lamps import colour
from tests.bench.staged.legible import Sight
from tests.bench.staged.model import Die, Lamp, Scene
from tests.bench.staged.solids import Flesh, Mesh, Part, Prism, Tube

SAMPLES = 3  # paths of light a pixel; the denoiser does the rest
SHARE = {"rig": 100, "table": 64, "hard": 64}  # hundredths of a side that are traced
PROBES = 70  # places of a die that may be hidden
NEAR = 0.0004  # metres before a place: there it is not hidden
NEAREST = 0.01  # that the camera sees


def staged(scene: Scene, number: int) -> tuple[Array, tuple[Sight, ...]]:
    """The light that reaches each pixel (height × width × red, green, blue; linear), and how much of each die is seen.

    `number` makes the noise of the light another one.
    """
    bpy.ops.wm.read_factory_settings(use_empty=True)
    _settings(scene, number)
    _camera(scene.camera)
    stage = _Stage()
    for part in scene.parts:
        stage.add(part)
    bodies = [stage.die(die) for die in scene.dice]
    bpy.context.view_layer.update()
    rng = np.random.default_rng(1)
    sights = tuple(_sight(rng, scene.camera, die, body) for die, body in zip(scene.dice, bodies, strict=True))
    for shade in scene.shades:
        stage.add(shade).visible_camera = False
    for lamp in scene.light.lamps:
        _lamp(lamp)
    _room(scene.light.room)
    light = np.nan_to_num(np.maximum(rendered()[..., ::-1], 0))
    size = scene.camera.width, scene.camera.height
    return np.maximum(cv2.resize(light, size, interpolation=cv2.INTER_CUBIC), 0), sights


def _settings(scene: Scene, number: int) -> None:
    """Few paths and few bounces, more of them where dice are clear."""
    cycles, render = bpy.context.scene.cycles, bpy.context.scene.render
    clear = any(die.design.clear for die in scene.dice)
    render.engine, cycles.device = "CYCLES", "CPU"
    cycles.samples, cycles.use_adaptive_sampling, cycles.seed = SAMPLES, False, number
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 6 if clear else 3, 1, 2
    cycles.transmission_bounces, cycles.sample_clamp_indirect, cycles.blur_glossy = 6, 3.0, 1.0
    cycles.caustics_reflective, cycles.caustics_refractive = False, clear
    cycles.use_denoising, cycles.denoising_quality, cycles.denoising_prefilter = True, "FAST", "FAST"
    render.resolution_x, render.resolution_y = scene.camera.width, scene.camera.height
    render.resolution_percentage = SHARE[scene.kind]
    render.image_settings.file_format, render.image_settings.color_mode = "OPEN_EXR", "RGB"


def _linked(name: str, content: Any) -> Any:
    body = bpy.data.objects.new(name, content)
    bpy.context.scene.collection.objects.link(body)
    return body


def _camera(camera: Camera) -> None:
    lens = bpy.data.cameras.new("camera")
    lens.sensor_width, lens.clip_start = camera.sensor_mm, NEAREST
    lens.lens = camera.sensor_mm / 2 / math.tan(math.radians(camera.view_deg / 2))
    lens.dof.use_dof, lens.dof.focus_distance, lens.dof.aperture_fstop = True, camera.focus, camera.fstop
    eye = _linked("camera", lens)
    eye.matrix_world = Frame.Translation(Vector(camera.eye)) @ Frame(camera.axes.tolist()).to_4x4()
    bpy.context.scene.camera = eye


class _Stage:
    """What is built once though it is there several times."""

    def __init__(self) -> None:
        self.finishes: dict[int, Any] = {}
        self.sets: dict[int, Any] = {}

    def add(self, part: Part) -> Any:
        content = _content(part)
        if id(part.finish) not in self.finishes:
            self.finishes[id(part.finish)] = materials.finished(part.finish)
        content.materials.append(self.finishes[id(part.finish)])
        body, (x, y, z) = _linked("part", content), part.at
        if isinstance(part.body, Prism):
            z += part.body.height / 2 + part.body.bevel
        turn = Frame.Rotation(part.yaw, 4, "Z") if part.axes is None else Frame(part.axes.tolist()).to_4x4()
        body.matrix_world = Frame.Translation((x, y, z)) @ turn
        if part.bevel is not None:
            bevel = body.modifiers.new("bevel", "BEVEL")
            (bevel.width, bevel.segments), bevel.limit_method = part.bevel, "ANGLE"
        return body

    def die(self, die: Die) -> Any:
        if id(die.design) not in self.sets:
            mesh = _mesh(die.shape.mesh)
            mesh.materials.append(materials.die(die.design, die.shape.atlas))
            self.sets[id(die.design)] = mesh
        body = _linked("die", self.sets[id(die.design)])
        turn = Frame(die.turn.tolist()).to_4x4()
        body.matrix_world = Frame.Translation(Vector(die.middle)) @ turn @ Frame.Scale(die.edge, 4)
        return body


def _content(part: Part) -> Any:
    match part.body:
        case Mesh() as mesh:
            return _mesh(mesh)
        case Tube() as tube:
            return _tube(tube)
        case Prism() as prism:
            return _prism(prism)
        case Flesh() as flesh:
            return _flesh(flesh)


def _mesh(what: Mesh) -> Any:
    mesh, (count, corners) = bpy.data.meshes.new("mesh"), what.faces.shape
    mesh.vertices.add(len(what.vertices))
    mesh.vertices.foreach_set("co", what.vertices.astype(np.float32).ravel())
    mesh.loops.add(count * corners)
    mesh.loops.foreach_set("vertex_index", what.faces.astype(np.int32).ravel())
    mesh.polygons.add(count)
    mesh.polygons.foreach_set("loop_start", np.arange(0, count * corners, corners, dtype=np.int32))
    mesh.update(calc_edges=True)
    mesh.polygons.foreach_set("use_smooth", np.full(count, what.smooth))
    if what.unfolded is not None:
        places = mesh.uv_layers.new(name="unfolded").data
        places.foreach_set("uv", what.unfolded.astype(np.float32).ravel())
    mesh.validate()
    mesh.update()
    return mesh


def _tube(what: Tube) -> Any:
    curve = bpy.data.curves.new("tube", "CURVE")
    curve.dimensions, curve.bevel_depth, curve.bevel_resolution, curve.use_fill_caps = "3D", what.radius, 2, True
    spline = curve.splines.new("NURBS")
    spline.points.add(len(what.points) - 1)
    spline.order_u, spline.use_endpoint_u = 4, True
    for point, at in zip(spline.points, what.points, strict=True):
        point.co = (*at, 1)
    return curve


def _prism(what: Prism) -> Any:
    curve = bpy.data.curves.new("prism", "CURVE")
    curve.dimensions, curve.fill_mode, curve.extrude, curve.bevel_depth = "2D", "BOTH", what.height / 2, what.bevel
    spline = curve.splines.new("POLY")
    spline.points.add(len(what.outline) - 1)
    spline.use_cyclic_u = True
    for point, (x, y) in zip(spline.points, what.outline, strict=True):
        point.co = (x, y, 0, 1)
    return curve


def _flesh(what: Flesh) -> Any:
    flesh = bpy.data.metaballs.new("flesh")
    flesh.resolution, flesh.render_resolution, flesh.threshold = 0.006, 0.005, 0.15
    for at, radius in what.balls:
        ball = flesh.elements.new()
        ball.co, ball.radius = at, radius
    return flesh


def _sight(rng: np.random.Generator, camera: Camera, die: Die, body: Any) -> Sight:
    """Looks along rays at places of a die that face the camera, and at the middles of its upper pips."""
    surface = die.surface()
    facing = np.flatnonzero(((camera.eye - surface) * (surface - die.middle)).sum(1) > 0)
    probes = rng.choice(facing, PROBES)
    shown = np.mean([_seen(camera, surface[probe], body) for probe in probes])
    above = np.array([0, 0, NEAR / 2])
    return Sight(float(shown), all(_seen(camera, pip + above, body) for pip in die.pips()))


def _seen(camera: Camera, place: Array, body: Any) -> bool:
    """Whether nothing but the die itself is before a place."""
    eye = Vector(camera.eye)
    way = Vector(place) - eye
    graph = bpy.context.evaluated_depsgraph_get()
    hit, at, _, _, what, _ = bpy.context.scene.ray_cast(graph, eye, way.normalized(), distance=way.length + 0.01)
    return not hit or what.name == body.name or (at - eye).length > way.length - NEAR


def _lamp(lamp: Lamp) -> None:
    data = bpy.data.lights.new("lamp", lamp.kind)
    data.energy, data.color = lamp.watts, colour(lamp.kelvin)
    if lamp.kind == "AREA":
        data.size = lamp.wide
    else:
        data.shadow_soft_size = lamp.wide
    if lamp.cone:
        data.spot_size, data.spot_blend = lamp.cone, 0.3
    body = _linked("lamp", data)
    body.location = lamp.at
    body.rotation_euler = (Vector(lamp.aim) - body.location).to_track_quat("-Z", "Y").to_euler()


def _room(light: Array) -> None:
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    image = bpy.data.images.new("room", light.shape[1], light.shape[0], float_buffer=True)
    image.colorspace_settings.name = "Non-Color"
    opaque = np.dstack([light, np.ones(light.shape[:2])])
    image.pixels.foreach_set(opaque.astype(np.float32).ravel())
    image.update()
    around = world.node_tree.nodes.new("ShaderNodeTexEnvironment")
    around.image = image
    world.node_tree.links.new(around.outputs[0], world.node_tree.nodes["Background"].inputs["Color"])
