"""The things of a traced scene that are no dice, as meshes. Needs `bpy`; every call works on Blender's open scene."""

from __future__ import annotations

import math
from typing import Any

import bpy  # isort: skip  # brings the next two
import bmesh
from mathutils import Matrix as Frame
from mathutils import Vector

from companion.vision.traced import nodes
from companion.vision.traced.model import Thing, Top

ROUND = ("button", "ladybird")  # from above
STUD = 0.2  # height of a stud, in its brick's step
HEAD, FORWARD = 0.25, 0.48  # of a ladybird: its head's radius in its width, and its middle in its length


def embody(shape: Any) -> Any:
    """A new body of a `bmesh`, which is used up, in the open scene."""
    mesh = bpy.data.meshes.new("body")
    shape.to_mesh(mesh)
    shape.free()
    body = bpy.data.objects.new("body", mesh)
    bpy.context.collection.objects.link(body)
    return body


def dress(body: Any, material: Any) -> None:
    body.data.materials.clear()
    body.data.materials.append(material)


def build(thing: Thing) -> None:
    """On the open scene's table."""
    if thing.top is not None:
        _spotted(thing, thing.top)
        return
    x, y, size = thing.x, thing.y, thing.size
    add, material = bpy.ops.mesh, nodes.plain(thing.colour, thing.roughness, metal=thing.kind == "coin")
    match thing.kind:
        case "coin" | "token":
            add.primitive_cylinder_add(radius=0.6 * size, depth=0.14, vertices=48, location=(x, y, 0.07))
        case "pawn":
            add.primitive_cone_add(
                radius1=0.45 * size, radius2=0.12 * size, depth=1.1 * size, location=(x, y, 0.55 * size)
            )
            dress(bpy.context.object, material)
            add.primitive_uv_sphere_add(radius=0.28 * size, location=(x, y, 1.2 * size))
        case "card":
            add.primitive_cube_add(size=1, location=(x, y, 0.02), rotation=(0, 0, thing.yaw))
            bpy.context.object.scale = (2.6 * size, 3.6 * size, 0.03)
            assert thing.cover is not None
            material = nodes.ground(thing.cover)
        case "cable":
            _cable(thing)
        case "block":
            a, b, c = (size * side for side in thing.shape)
            add.primitive_cube_add(size=1, location=(x, y, c / 2), rotation=(0, 0, thing.yaw))
            bpy.context.object.scale = (a, b, c)
        case "bead":
            add.primitive_uv_sphere_add(radius=0.4 * size, location=(x, y, 0.4 * size))
            bpy.ops.object.shade_smooth()
            material = nodes.plain(thing.colour, thing.roughness, glass=thing.yaw < math.pi)
        case "pen":
            lying = (math.pi / 2, 0, thing.yaw)
            add.primitive_cylinder_add(radius=0.3 * size, depth=9 * size, location=(x, y, 0.3 * size), rotation=lying)
    dress(bpy.context.object, material)


def _cable(thing: Thing) -> None:
    curve = bpy.data.curves.new("cable", "CURVE")
    curve.dimensions, curve.bevel_depth = "3D", 0.08 + 0.04 * abs(thing.shape[10])
    points = curve.splines.new("BEZIER").bezier_points
    points.add(4)
    for index, point in enumerate(points):
        along, aside = 3 * thing.size * (index - 2) + thing.shape[index], 2 * thing.shape[5 + index]
        point.co = (along, aside, curve.bevel_depth)
        point.handle_left_type = point.handle_right_type = "AUTO"
    body = bpy.data.objects.new("cable", curve)
    bpy.context.collection.objects.link(body)
    body.location, body.rotation_euler = (thing.x, thing.y, 0), (0, 0, thing.yaw)
    bpy.context.view_layer.objects.active = body


def _spotted(thing: Thing, top: Top) -> None:
    """A dome, a disc or a box, its marks on it, then what lies on these."""
    wide, long, high = thing.shape
    body = _mesh(thing, top)
    dress(body, nodes.spotted(thing, top))
    standing = Frame.Translation((thing.x, thing.y, 0)) @ Frame.Rotation(thing.yaw, 4, "Z")
    body.matrix_world = standing
    plain = nodes.plain(thing.colour, thing.roughness, metal=top.metal)
    if top.rim:
        major, minor = (wide / 2 - top.rim, top.rim) if thing.kind in ROUND else (top.rim, wide / 16)
        bpy.ops.mesh.primitive_torus_add(major_radius=major, minor_radius=minor)
        _put(standing, (0, 0, high), plain)
    for stud in top.studs:
        step = wide / len({other.x for other in top.studs})
        bpy.ops.mesh.primitive_cylinder_add(radius=stud.across, depth=2 * STUD * step, vertices=32)
        _put(standing, (stud.x, stud.y, high), plain)
    if thing.kind == "ladybird":
        bpy.ops.mesh.primitive_uv_sphere_add(radius=HEAD * wide)
        _put(standing, (0, FORWARD * long, 0), nodes.plain(top.ink, thing.roughness))


def _put(standing: Any, at: tuple[float, float, float], material: Any) -> None:
    """What was just added, on a thing that stands there."""
    bpy.context.object.matrix_world = standing @ Frame.Translation(at)
    dress(bpy.context.object, material)


def _mesh(thing: Thing, top: Top) -> Any:
    """The body, its foot's middle where its object is; of a dome the lower half is under the table."""
    (wide, long, high), shape = thing.shape, bmesh.new()
    middle = high / 2
    if thing.kind == "ladybird":
        bmesh.ops.create_uvsphere(shape, u_segments=32, v_segments=16, radius=0.5)
        middle, high = 0.0, 2 * high
    elif thing.kind in ROUND:
        bmesh.ops.create_cone(shape, cap_ends=True, segments=48, radius1=0.5, radius2=0.5, depth=1.0)
    else:
        bmesh.ops.create_cube(shape, size=1.0)
    bmesh.ops.scale(shape, vec=Vector((wide, long, high)), verts=shape.verts[:])
    bmesh.ops.translate(shape, vec=Vector((0, 0, middle)), verts=shape.verts[:])
    body = embody(shape)
    if top.rounding:
        edges = body.modifiers.new("edges", "BEVEL")
        edges.width, edges.segments = top.rounding, 4
    if thing.kind == "ladybird":
        body.data.polygons.foreach_set("use_smooth", [True] * len(body.data.polygons))
    return body
