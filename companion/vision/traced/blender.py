"""A traced scene in Blender: its things are built, and Cycles traces the light, on the processor. Needs `bpy`."""

from __future__ import annotations

import contextlib
import math
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy  # isort: skip  # brings the next two
import bmesh
import numpy as np
from mathutils import Matrix as Frame
from mathutils import Vector
from numpy.typing import NDArray

from companion.vision.traced import nodes
from companion.vision.traced.geometry import (
    PRINTED,
    across,
    corners,
    on_top,
    pip_places,
    pixels,
    place,
    pose,
    sides,
    solid,
)
from companion.vision.traced.model import Camera, Cube, Floats, Lamp, Look, Scene, Seen, Sky
from companion.vision.traced.things import build, dress, embody

ROOMS = Path(bpy.utils.system_resource("DATAFILES")) / "studiolights" / "world"  # panoramas that come with Blender
PROBES = ((0.0, 0.0), (0.3, 0.3), (0.3, -0.3), (-0.3, 0.3), (-0.3, -0.3))  # places of a top that may be hidden
BOXED = 0.92  # of a die's edge: its corners are round
BALL = 1.36  # diameter of the ball that cuts corners off, in edges
FAR = 1000.0
RING = 0.12  # thickness of a ring lamp, in its diameter
FLAT = 0.02  # radians between two parts of one face
ROUND = 16  # corners of a cut pip
RIM = 0.6  # radians: two parts that meet at more than that do not go over into each other


def trace(scene: Scene, *, samples: int = 8) -> tuple[Floats, tuple[Seen, ...]]:
    """The light that reaches each pixel (height × width × 3: blue, green, red; linear), and the truth of each die.

    Raises MissingFonts.
    """
    bpy.ops.wm.read_factory_settings(use_empty=True)
    _settings(scene.camera, samples)
    eye = _camera(scene.camera)
    bpy.ops.mesh.primitive_plane_add(size=2 * FAR / 5)
    dress(bpy.context.object, nodes.ground(scene.ground))
    _sky(scene.sky)
    for lamp in scene.lamps:
        _lamp(lamp)
    for thing in scene.things:
        build(thing)
    bodies = [_die(cube) for cube in scene.dice]
    bpy.context.view_layer.update()
    seen = tuple(_seen(scene.camera, cube, body, eye) for cube, body in zip(scene.dice, bodies, strict=True))
    return rendered(), seen


def _settings(camera: Camera, samples: int) -> None:
    """Some paths for each pixel, and what noise they leave taken off (Intel's Open Image Denoise)."""
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    cycles, render = scene.cycles, scene.render
    cycles.device, cycles.samples, cycles.use_adaptive_sampling = "CPU", samples, True
    cycles.use_denoising, cycles.denoising_quality, cycles.denoising_prefilter = True, "FAST", "FAST"
    cycles.max_bounces, cycles.sample_clamp_indirect = 7, 4.0
    cycles.caustics_reflective = cycles.caustics_refractive = False
    render.resolution_x, render.resolution_y, render.resolution_percentage = camera.width, camera.height, 100
    render.image_settings.file_format, render.image_settings.color_mode = "OPEN_EXR", "RGB"


def _camera(camera: Camera) -> Any:
    axes, at = place(camera)
    data = bpy.data.cameras.new("camera")
    eye = bpy.data.objects.new("camera", data)
    bpy.context.collection.objects.link(eye)
    eye.matrix_world = Frame.Translation(Vector(at)) @ Frame(axes.tolist()).to_4x4()
    data.angle, data.clip_end = camera.fov, FAR
    if camera.aperture:
        data.dof.use_dof, data.dof.aperture_fstop = True, camera.aperture
        data.dof.focus_distance = camera.distance * camera.focus
    bpy.context.scene.camera = eye
    return eye


def _sky(sky: Sky) -> None:
    world = bpy.data.worlds.new("sky")
    bpy.context.scene.world = world
    tree = world.node_tree
    light = tree.nodes["Background"]
    light.inputs["Color"].default_value, light.inputs["Strength"].default_value = (*sky.colour, 1), sky.strength
    if sky.room is None:
        return
    rooms = sorted(ROOMS.glob("*.exr"))
    around, turn = tree.nodes.new("ShaderNodeTexEnvironment"), tree.nodes.new("ShaderNodeMapping")
    around.image = bpy.data.images.load(str(rooms[sky.room % len(rooms)]))
    turn.inputs["Rotation"].default_value[2] = sky.yaw
    tree.links.new(tree.nodes.new("ShaderNodeTexCoord").outputs["Generated"], turn.inputs[0])
    tree.links.new(turn.outputs[0], around.inputs[0])
    tree.links.new(around.outputs[0], light.inputs["Color"])


def _lamp(lamp: Lamp) -> None:
    if lamp.kind == "RING":
        _ring(lamp)
        return
    data = bpy.data.lights.new("lamp", lamp.kind)
    data.energy, data.color = lamp.energy, lamp.colour
    setattr(data, {"AREA": "size", "POINT": "shadow_soft_size", "SUN": "angle"}[lamp.kind], lamp.size)
    body = bpy.data.objects.new("lamp", data)
    bpy.context.collection.objects.link(body)
    _aim(body, lamp)


def _aim(body: Any, lamp: Lamp) -> None:
    body.location = lamp.at
    body.rotation_euler = (Vector((*lamp.aim, 0)) - body.location).to_track_quat("-Z", "Y").to_euler()


def _ring(lamp: Lamp) -> None:
    """A glowing ring; the camera does not see it, but what mirrors it."""
    thick = RING * lamp.size
    bpy.ops.mesh.primitive_torus_add(major_radius=lamp.size / 2, minor_radius=thick / 2, major_segments=32)
    body = bpy.context.object
    _aim(body, lamp)
    glowing = math.pi**2 * lamp.size * thick  # square lengths, all around
    dress(body, nodes.glowing(lamp.colour, lamp.energy / (math.pi * glowing)))
    body.visible_camera = body.visible_shadow = False


def _die(cube: Cube) -> Any:
    body = _body(cube)
    dress(body, nodes.die(cube.look))
    if cube.look.drilled:
        _drill(body, cube.look)
    axes, middle = pose(cube)
    body.matrix_world = Frame.Translation(Vector(middle)) @ Frame(axes.tolist()).to_4x4()
    return body


def _body(cube: Cube) -> Any:
    """Round edges, or corners cut off by a ball, and its prints' places on each face."""
    look, shape = cube.look, bmesh.new()
    if look.faces == 6:
        bmesh.ops.create_cube(shape, size=1.0)
    else:
        _solid(shape, cube)
    if look.ball:
        bmesh.ops.subdivide_edges(shape, edges=shape.edges[:], cuts=7, use_grid_fill=True)
        for corner in shape.verts:
            corner.co *= min(1.0, BALL / 2 / corner.co.length)
    body = embody(shape)
    if look.ball:
        smoother = body.modifiers.new("smooth", "SUBSURF")
        smoother.levels = smoother.render_levels = 1
    else:
        edges = body.modifiers.new("edges", "BEVEL")
        edges.width, edges.segments = look.rounding, 5
    body.data = bpy.data.meshes.new_from_object(body.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    body.modifiers.clear()
    _print_places(body.data, look)
    return body


def _solid(shape: Any, cube: Cube) -> None:
    """A die that is no cube, one of its faces where a cube of this value has its upper one."""
    ends, normal = solid(cube.look.faces)
    upwards = Vector(normal).rotation_difference(Vector(sides(cube.look)[cube.value - 1]))
    for end in ends:
        shape.verts.new(upwards @ Vector(end))
    bmesh.ops.convex_hull(shape, input=shape.verts[:])
    bmesh.ops.dissolve_limit(shape, angle_limit=FLAT, verts=shape.verts[:], edges=shape.edges[:])


def _drill(body: Any, look: Look) -> None:
    """Cuts its pips into a dressed die, and paints them."""
    shape = bmesh.new()
    for normal, value in zip(sides(look), range(1, 7), strict=True):
        right, up = across(normal)
        wide = (look.print.one_radius if value == 1 else look.print.radius) / PRINTED
        deep = look.drilled * look.print.radius / PRINTED
        axes = Frame(np.column_stack([wide * right, wide * up, deep * normal]).tolist()).to_4x4()
        for u, v in pip_places(look.print, value):
            at = Frame.Translation(Vector((right * u + up * v) / PRINTED + normal / 2)) @ axes
            if look.milled:
                bmesh.ops.create_cone(shape, cap_ends=True, segments=ROUND, radius1=1, radius2=1, depth=2, matrix=at)
            else:
                bmesh.ops.create_uvsphere(shape, u_segments=ROUND, v_segments=ROUND // 2, radius=1, matrix=at)
    for part in shape.faces:
        part.material_index, part.smooth = 1, True
    cutter = embody(shape)
    body.data.materials.append(nodes.plain(look.ink, look.ink_roughness))
    for material in body.data.materials:
        cutter.data.materials.append(material)
    cut = body.modifiers.new("pips", "BOOLEAN")
    cut.object, cut.operation, cut.solver = cutter, "DIFFERENCE", "MANIFOLD"
    body.data = bpy.data.meshes.new_from_object(body.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    body.modifiers.clear()
    bpy.data.objects.remove(cutter)
    body.data.set_sharp_from_angle(angle=RIM)


def _print_places(mesh: Any, look: Look) -> None:
    """Each point of the body gets its place in the atlas of prints (see `prints.atlas`)."""
    normals, faces = sides(look), _each(mesh.polygons, "normal", 3)
    face = np.argmax(faces @ normals.T, axis=1)
    mesh.polygons.foreach_set("use_smooth", np.full(len(face), look.faces == 6))
    face = np.repeat(face, _each(mesh.polygons, "loop_total", 1, np.int32)[:, 0])  # corners lie polygon by polygon
    corner = _each(mesh.loops, "vertex_index", 1, np.int32)[:, 0]
    at = _each(mesh.vertices, "co", 3)[corner]
    axes = np.array([across(normal) for normal in normals])[face]
    uv = np.clip(PRINTED * np.einsum("nij,nj->ni", axes, at) + 0.5, 0.01, 0.99)
    row, column = np.divmod(face, 3)
    places = mesh.uv_layers[0] if mesh.uv_layers else mesh.uv_layers.new()
    unfolded = np.column_stack([(column + uv[:, 0]) / 3, (1 - row + uv[:, 1]) / 2])
    places.data.foreach_set("uv", unfolded.astype(np.float32).ravel())


def _each(parts: Any, name: str, width: int, kind: type = np.float32) -> NDArray[Any]:
    """One property of all parts of a mesh, parts × width."""
    found: NDArray[Any] = np.empty(len(parts) * width, kind)
    parts.foreach_get(name, found)
    return found.reshape(-1, width)


def _seen(camera: Camera, cube: Cube, body: Any, eye: Any) -> Seen:
    ends = pixels(camera, corners(cube, BOXED))
    (left, top), (right, bottom) = ends.min(axis=0), ends.max(axis=0)
    read = cube.look.print.pips and not cube.lean
    pips = pixels(
        camera, on_top(cube, [(u / PRINTED, v / PRINTED) for u, v in pip_places(cube.look.print, cube.value)])
    )
    return Seen(
        value=cube.value if read else None,
        box=(float(left), float(top), float(right - left), float(bottom - top)),
        pips=tuple((float(x), float(y)) for x, y in pips) if read else (),
        hidden=float(np.mean([_behind(Vector(at), body, eye.location) for at in on_top(cube, list(PROBES))])),
    )


def _behind(at: Any, body: Any, eye: Any) -> bool:
    """Is something else than this die between the camera and a place on it."""
    way = at - eye
    graph = bpy.context.evaluated_depsgraph_get()
    hit, *_, what, _ = bpy.context.scene.ray_cast(graph, eye, way.normalized(), distance=way.length - 0.08)
    return bool(hit) and what.name != body.name


def rendered() -> Floats:
    """The light of the open scene, height × width × blue, green, red, linear, as its settings trace it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "light.exr"
        bpy.context.scene.render.filepath = str(path)
        with _quiet():
            bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(str(path))
        light = np.empty(len(image.pixels), np.float32)
        image.pixels.foreach_get(light)
        width, height = image.size
    return light.reshape(height, width, 4)[::-1, :, 2::-1]


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Blender's own C code tells of each file it saved on standard output."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)
