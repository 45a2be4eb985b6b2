"""Light: what each ray from the camera meets, and how bright that is."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from tests.bench.marched.ground import paint
from tests.bench.marched.linear import Array, F, Noise, length, mix, smooth, unit
from tests.bench.marched.model import Camera, Lamp, Scene, Solid
from tests.bench.marched.table import cover_of

FINE = 2  # picture samples per pixel and axis


def march(sdf: Callable[[Array], Array], o: Array, d: Array, radius: float) -> tuple[Array, Array]:
    """Distances along rays (own frame) and which of them hit."""
    mid = -(d @ o)
    t, end, hit = np.maximum(mid - radius * F(1.02), 0), mid + radius, np.zeros(len(d), bool)
    live = np.arange(len(d))
    for _ in range(70):
        h = sdf(o + d[live] * t[live, None])
        t[live] += h
        hit[live[h < 0.0015]] = True
        live = live[(h >= 0.0015) & (t[live] < end[live])]
        if not len(live):
            break
    return t, hit


def normals(sdf: Callable[[Array], Array], p: Array) -> Array:
    k = np.array([[1, -1, -1], [-1, -1, 1], [-1, 1, -1], [1, 1, 1]], F)
    return unit(sum(e * sdf(p + e * F(0.004))[:, None] for e in k))


def lit(solid: Solid, points: Array, lamp: Lamp) -> Array:
    """Share of a lamp's disc seen from points past a solid (soft shadow)."""
    p = solid.own(points)
    way = solid.own(lamp.place.astype(F)[None])[0] - p
    far = length(way)
    d, k = way / far[:, None], far / F(lamp.radius)
    mid = -np.einsum("ij,ij->i", p, d)
    miss = np.sqrt(np.maximum(np.einsum("ij,ij->i", p, p) - mid**2, 0))
    out = np.ones(len(p), F)
    live = np.flatnonzero((mid > -solid.radius) & (miss < solid.radius + np.maximum(mid, 0) / k))
    if not len(live):
        return out
    p, d, k, mid = p[live], d[live], k[live], mid[live]
    t, res = np.maximum(mid - solid.radius * 1.05, 0.02), np.ones(len(live), F)
    shape = solid.die.hull if solid.die else solid.sdf
    steps, least = (50, 0.015) if solid.half[2] > 1.5 else (22, 0.04)  # fine for the thin walls of cups
    for _ in range(steps):
        h = shape(p + d * t[:, None])
        res = np.minimum(res, k * h / t)
        t = t + np.clip(h, least * solid.radius, 0.5 * solid.radius)
        if np.all((t > mid + solid.radius) | (res < -1)):
            break
    res = np.clip(res, -1, 1)
    out[live] = 0.25 * (1 + res) ** 2 * (2 - res)
    return out


def closed(solid: Solid, points: Array, normal: Array) -> Array:
    """Ambient light left by a solid near points (occlusion)."""
    out = np.ones(len(points), F)
    for far, weight in ((0.1, 0.3), (0.3, 0.3), (0.7, 0.25)):
        out *= 1 - F(weight) * np.clip(1 - solid.sdf(solid.own(points + normal * F(far))) / F(far), 0, 1)
    return out


def room(scene: Scene, d: Array, rough: float) -> Array:
    """What a mirror sees in a direction: ceiling, walls, window, table."""
    up, blur = d[:, 2], 0.05 + rough
    out = mix(scene.sky * 0.35, scene.sky * 1.1, smooth(-0.2, 1, up))
    w = scene.window
    side = unit(np.array([-w[1], w[0], 1e-6]))
    x, y = d @ side.astype(F), d @ np.cross(w, side).astype(F)
    pane = (1 - smooth(0.28 - blur * 0.2, 0.28 + blur, np.abs(x))) * (
        1 - smooth(0.2 - blur * 0.2, 0.2 + blur, np.abs(y))
    )
    out = out + (pane * (d @ w.astype(F) > 0) * (1 - 0.8 * (np.abs(x) < 0.02)))[:, None] * scene.sky * F(3)
    table = scene.ground.a * (scene.sky + sum(lamp.colour / (lamp.place @ lamp.place) for lamp in scene.lamps) * 0.5)
    return mix(table, out, smooth(-0.12, 0.08, up))


def shine(scene: Scene, p: Array, mirror: Array, rough: float, shares: list[Array], cap: Array | float = 60.0) -> Array:
    """Lamps seen in the gloss, no stronger than the cap."""
    out = np.zeros((len(p), 3), F)
    for lamp, share in zip(scene.lamps, shares, strict=True):
        way = lamp.place.astype(F) - p
        far = length(way)
        wide = (lamp.radius / far) ** 2 + rough**2 * 0.35 + 0.0006
        lobe = np.exp(-(1 - np.einsum("ij,ij->i", way, mirror) / far) * 2 / wide) / wide
        out += (np.minimum(lobe * 0.9, cap) * share / far**2)[:, None] * lamp.colour.astype(F)
    return out


def shade(scene: Scene, solid: Solid, own: Array, d: Array, image: Array) -> Array:
    """Light towards the eye from own-frame surface points seen along world rays d."""
    n_own = normals(solid.sdf, own)
    n, p, look = n_own @ solid.turn.T, own @ solid.turn.T + solid.centre.astype(F), solid.look(own)
    near = [
        s
        for s in scene.solids
        if s is not solid and np.linalg.norm(s.centre - solid.centre) < s.radius + solid.radius + 4
    ]
    ao = np.ones(len(p), F)
    for other in near:
        ao *= closed(other, p, n)
    shares = []
    for lamp in scene.lamps:
        share = np.ones(len(p), F)
        for other in near:
            share *= lit(other, p + n * F(0.01), lamp)
        shares.append(share)
    sunk = np.zeros(len(p), F)
    if solid.die and solid.die.style.depth:
        sunk = np.clip(-solid.die.hull(own / solid.die.style.edge) * 6, 0, 0.5)
    table = scene.ground.a * (scene.sky + sum(lamp.colour / (lamp.place @ lamp.place) for lamp in scene.lamps)) * 0.55
    foot = np.clip(0.35 + p[:, 2] * 1.3, 0, 1)[:, None]
    up = (0.5 + 0.5 * n[:, 2])[:, None]
    light = (up * (0.4 + 0.6 * foot) * scene.sky + (1 - up) * foot * table) * (ao * (1 - sunk))[:, None]
    for lamp, share in zip(scene.lamps, shares, strict=True):
        way = lamp.place.astype(F) - p
        far = length(way)
        face = np.clip((np.einsum("ij,ij->i", n, way) / far + 0.06) / 1.06, 0, 1)
        if not solid.die and solid.half[2] > 1.5:
            share *= lit(solid, p + n * F(0.08), lamp)
        light = light + (face * share * (1 - sunk * 0.5) / far**2)[:, None] * lamp.colour.astype(F)
    cos = np.clip(-np.einsum("ij,ij->i", n, d), 0, 1)
    mirror = d + 2 * cos[:, None] * n
    fresnel = (look.f0 + (1 - look.f0) * (1 - cos) ** 5 * (1 - look.rough) ** 2)[:, None].astype(F)
    cap = 60 - 54 * smooth(0.9, 0.99, n[:, 2]) if solid.die else 60.0  # a lamp in a flat top would drown the pips
    glow = room(scene, mirror, look.rough) * (ao * foot[:, 0])[:, None] + shine(
        scene, p, mirror, look.rough, shares, cap
    )
    if solid.die and solid.die.style.stuff == "clear":
        through = see_through(scene, solid, own, n_own, d, image)
        cover = solid.die.ink(own / solid.die.style.edge)[0][:, None]
        body = light * look.albedo * (0.15 + 0.85 * cover) + through * (1 - cover)
        return body * (1 - fresnel) + fresnel * glow
    tint = look.albedo if look.metal else 1
    return look.albedo * light * (1 - fresnel) * (0.45 if look.metal else 1) + fresnel * glow * tint


def see_through(scene: Scene, solid: Solid, own: Array, n: Array, d: Array, image: Array) -> Array:
    """Light that comes through a clear die: bent in, once out, from the ground picture."""
    style, view = solid.die.style, d @ solid.turn
    ratio, cos = F(1 / 1.45), np.clip(-np.einsum("ij,ij->i", n, view), 0, 1)
    bent = ratio * view + (ratio * cos - np.sqrt(1 - ratio**2 * (1 - cos**2)))[:, None] * n
    side = np.where(np.abs(bent) < 1e-5, 1e-5, bent)
    path = np.maximum(((np.sign(side) * style.edge / 2 - own) / side).min(-1), 0)
    out = own + bent * path[:, None]
    cover, ink = solid.die.ink(out / style.edge)
    leave = out @ solid.turn.T + solid.centre.astype(F)
    way = bent @ solid.turn.T
    leave = leave + way * (leave[:, 2:] / np.maximum(-way[:, 2:], 0.2))
    px = scene.camera.project(leave)[0] * FINE + (FINE - 1) / 2
    h, w = image.shape[:2]
    x, y = np.clip(px[:, 0], 0, w - 1).astype(int), np.clip(px[:, 1], 0, h - 1).astype(int)
    tint = np.power(np.clip(style.body * 1.1 + 0.02, 0, 1), (0.25 + 0.8 * path)[:, None])
    seen = image[y, x] * (1 - 0.7 * cover[:, None]) + 0.25 * cover[:, None] * ink * scene.sky
    return (seen * 1.15 + scene.sky * 0.1) * tint


def grid_of(camera: Camera, fine: int) -> tuple[Array, Array, Array]:
    """World rays, distances to the table and table points of a picture's samples."""
    xs, ys = np.meshgrid(
        (np.arange(camera.width * fine, dtype=F) + 0.5) / fine - 0.5,
        (np.arange(camera.height * fine, dtype=F) + 0.5) / fine - 0.5,
    )
    d = camera.rays(xs, ys)
    t = F(camera.eye[2]) / np.maximum(-d[..., 2], F(0.03))
    return d, t, camera.eye.astype(F) + d * t[..., None]


def ground_light(scene: Scene) -> tuple[Array, list[Array]]:
    """Openness of the ground and each lamp's share on it, a value per pixel."""
    camera = scene.camera
    p = grid_of(camera, 1)[2]
    ao, shares = np.ones(p.shape[:2], F), [np.ones(p.shape[:2], F) for _ in scene.lamps]
    for s in scene.solids:
        glassy = 0.5 if s.die and s.die.style.stuff == "clear" else 1.0
        spread = (s.reach - s.centre) * (1 + 0.8 / np.abs(s.half).min()) if s.radius < 1 else (s.reach - s.centre) * 1.5
        around = (s.centre + spread) * (1, 1, 0)
        where = np.nonzero(cover_of(camera, around))
        ao[where] *= 1 - glassy * (1 - closed(s, p[where], np.array([0, 0, 1], F)))
        for lamp, share in zip(scene.lamps, shares, strict=True):
            rim = [
                lamp.place + lamp.radius * np.array(o)
                for o in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, -0.9))
            ]
            thrown = np.vstack([r + (s.reach - r) * (r[2] / np.maximum(r[2] - s.reach[:, 2:], 0.5)) for r in rim])
            where = np.nonzero(cover_of(camera, thrown))
            share[where] *= 1 - glassy * (1 - lit(s, p[where], lamp))
    return ao, shares


def draw_ground(scene: Scene, d: Array, t: Array, p: Array, rng: np.random.Generator) -> Array:
    """The lit table, its flat things and the room behind it."""
    camera, g, noise = scene.camera, scene.ground, Noise(rng)
    wide = (camera.width * FINE, camera.height * FINE)
    noise.foot = t / (camera.focal * FINE) / np.sqrt(np.clip(-d[..., 2], 0.05, 1))
    albedo = paint(g, p[..., 0], p[..., 1], noise)
    for art, corners in scene.flats:
        h, w = art.shape[:2]
        to = (camera.project(corners)[0] * FINE + (FINE - 1) / 2).astype(F)
        m = cv2.getPerspectiveTransform(np.array([[0, 0], [w, 0], [w, h], [0, h]], F), to)
        laid = cv2.warpPerspective(art, m, wide, flags=cv2.INTER_LINEAR)
        dim = cv2.GaussianBlur(laid[..., 3], (0, 0), 3)
        albedo = albedo * (1 - 0.35 * dim * (1 - laid[..., 3]))[..., None]
        albedo = albedo * (1 - laid[..., 3:]) + np.clip(laid[..., :3], 0, 1) ** 2.2 * laid[..., 3:]
    ao, shares = ground_light(scene)
    light = cv2.resize(ao, wide)[..., None] * scene.sky.astype(F)
    flat, gloss = p.reshape(-1, 3), 0
    mirror = (d * np.array([1, 1, -1], F)).reshape(-1, 3)
    big = [cv2.resize(s, wide) for s in shares]
    for lamp, share in zip(scene.lamps, big, strict=True):
        far = length(lamp.place.astype(F) - p)
        light = light + (F(lamp.place[2]) / far**3 * share)[..., None] * lamp.colour.astype(F)
    if g.gloss:
        gloss = (shine(scene, flat, mirror, 0.3, [s.reshape(-1) for s in big]) * F(0.03 * g.gloss)).reshape(p.shape)
        gloss = gloss + (g.gloss * 0.6 * (1 + d[..., 2]) ** 5)[..., None] * scene.sky.astype(F)
    out = albedo * light + gloss
    away = (p[..., 1] > scene.edge) | (d[..., 2] > -0.035)
    if away.any():
        dim = cv2.GaussianBlur(cv2.resize(noise.tile[:24, :32], wide, interpolation=cv2.INTER_CUBIC), (0, 0), 12)
        back = scene.sky * (0.25 + 0.12 * dim[..., None] * np.array([1, 0.9, 0.7], F)) * scene.ground.b**0.3
        out = np.where(away[..., None], back, out)
    return out.astype(F)


def trace(scene: Scene, rng: np.random.Generator) -> tuple[Array, Array]:
    """Linear picture and, for each sample, 1 + the index of the solid seen (0: ground)."""
    d, depth, p = grid_of(scene.camera, FINE)
    image = draw_ground(scene, d, depth, p, rng)
    bare, owner, depth = image.copy(), np.zeros(depth.shape, np.int32), depth.copy()
    eye = scene.camera.eye.astype(F)
    for i, s in enumerate(scene.solids):
        mask = cv2.resize(
            cv2.dilate(cover_of(scene.camera, s.reach), np.ones((3, 3), np.uint8)),
            None,
            fx=FINE,
            fy=FINE,
            interpolation=cv2.INTER_NEAREST,
        )
        ys, xs = np.nonzero(mask)
        view = d[ys, xs]
        own_eye, own_view = s.own(eye[None])[0], view @ s.turn
        t, hit = march(s.sdf, own_eye, own_view, s.radius)
        hit &= t < depth[ys, xs] + 0.01
        ys, xs, t, own_view = ys[hit], xs[hit], t[hit], own_view[hit]
        if len(t):
            image[ys, xs] = shade(scene, s, own_eye + own_view * t[:, None], view[hit], bare)
            depth[ys, xs], owner[ys, xs] = t, i + 1
    return image, owner
