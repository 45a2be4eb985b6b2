"""Cameras and light, by lot: from a kind rig to a phone in a dark room."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from companion.vision.scene.looks import between, grey
from companion.vision.scene.model import DIE_CM, Camera, Finish, Ground, Lamp, Light

_MIDDLE = 0.22  # linear brightness of the ground that a camera's automatic exposure leaves as it is


def random_camera(
    rng: np.random.Generator, hard: float, size: tuple[int, int], count: int, die_px: tuple[float, float]
) -> Camera:
    width, height = size
    tilt = abs(rng.normal(0, 12 + 20 * hard)) if rng.random() < 0.75 else between(rng, 20, 30 + 32 * hard)
    tilt = min(tilt, 62.0)
    low, high = (math.log(p * width / 640) for p in die_px)
    wanted = math.exp(between(rng, low, high))
    fit = 0.55 * math.sqrt(width * height / max(count, 1))  # so that all dice have room
    wanted = min(wanted, fit)
    focal = width * between(rng, 0.75, 1.6)
    return Camera(
        width=width,
        height=height,
        target=(0.0, 0.0),
        distance=focal * DIE_CM / wanted,
        tilt_deg=tilt,
        heading_deg=between(rng, 0, 360),
        focal_px=focal,
        stretch=between(rng, 0.75, 1.33) if rng.random() < 0.12 else 1.0,
    )


def random_light(rng: np.random.Generator, hard: float) -> Light:
    warm = rng.normal(0, 0.07 + 0.06 * hard)
    colour = (float(1 - 1.3 * warm), 1.0, float(1 + 0.9 * warm))
    lamps = tuple(
        Lamp(
            azimuth_deg=between(rng, 0, 360),
            elevation_deg=float(np.clip(rng.normal(58, 18), 18, 88)),
            strength=between(rng, 0.35, 1.0) * (1.0 if k == 0 else 0.5),
            colour=colour if k == 0 else (1.0, 1.0, 1.0),
            softness_deg=float(np.clip(rng.lognormal(1.6, 0.9), 0.5, 30)),
        )
        for k in range(1 + int(rng.random() < 0.25))
    )
    return Light(
        lamps=lamps,
        ambient=float(rng.beta(2, 2) * 0.9 + 0.06),
        ambient_colour=(float(1 + 0.6 * abs(warm)), 1.0, float(1 - 0.5 * abs(warm))),
        window=between(rng, 0.5, 3.0) if rng.random() < 0.25 else 0.0,
        window_deg=(between(rng, 0, 360), between(rng, 35, 85), between(rng, 5, 22)),
        pool=between(rng, 0.0, 0.9) ** 2 * (0.5 + hard),
        pool_at=(between(rng, 0, 1), between(rng, 0, 1)),
        cover=between(rng, 0.3, 0.75) if rng.random() < 0.08 + 0.08 * hard else 0.0,
        cover_deg=between(rng, 0, 360),
        cover_at=between(rng, -0.2, 0.45),
    )


def _automatic(ground: Ground) -> float:
    """What a camera's automatic exposure makes of a pale or dark ground: it evens out about half of it."""
    mean = np.mean([grey(c) ** 2 for c in ground.palette])
    return float(np.clip((_MIDDLE / mean) ** 0.5, 0.55, 2.2))


def legible(finish: Finish, camera: Camera) -> Finish:
    """Blur that leaves pips of dice as small as these apart: nobody could label more."""
    side = DIE_CM * camera.focal_px / camera.distance
    return replace(
        finish,
        blur_px=min(finish.blur_px, 0.2 + 0.035 * side),
        disc_px=min(finish.disc_px, 0.06 * side),
        motion_px=min(finish.motion_px, 0.13 * side),
        shrink=max(finish.shrink, min(1.0, 13 / side)),
        noise=min(finish.noise, 0.012 + 0.0012 * side),
    )


def random_finish(rng: np.random.Generator, hard: float, light: Light, ground: Ground) -> Finish:
    level = light.ambient + sum(lamp.strength * math.sin(math.radians(lamp.elevation_deg)) for lamp in light.lamps)
    stops = rng.normal(-0.1, 0.35 + 0.4 * hard)
    if rng.random() < 0.06 * hard + 0.02:
        stops -= between(rng, 1, 3.2)
    dim = max(-stops, 0)
    cast = 0.04 + 0.05 * hard
    return Finish(
        blur_px=between(rng, 0.25, 0.8 + 0.9 * hard),
        disc_px=between(rng, 0.7, 1 + 2 * hard) if rng.random() < 0.12 else 0.0,
        motion_px=between(rng, 1, 2 + 5 * hard) if rng.random() < 0.08 else 0.0,
        motion_deg=between(rng, 0, 180),
        noise=float(min(rng.exponential(0.006 + 0.009 * hard) * (1 + 0.7 * dim), 0.07)),
        blotch_px=between(rng, 0.4, 1.2) if rng.random() < 0.6 else 0.0,
        exposure=float(0.95 / level * _automatic(ground) * 2.0**stops),
        white=(float(1 + rng.normal(0, cast)), 1.0, float(1 + rng.normal(0, cast))),
        contrast=between(rng, 0.8, 1.25),
        saturation=between(rng, 0.6, 1.35),
        lift=float(max(rng.normal(0, 0.04), 0)),
        vignette=float(abs(rng.normal(0, 0.15))),
        barrel=float(rng.normal(0, 0.05)) if rng.random() < 0.3 else 0.0,
        sharpen=between(rng, 0.2, 1.0) if rng.random() < 0.35 else 0.0,
        shrink=between(rng, 0.5, 0.95) if rng.random() < 0.25 else 1.0,
        jpeg=int(rng.integers(35, 97)) if rng.random() < 0.85 else 0,
    )
