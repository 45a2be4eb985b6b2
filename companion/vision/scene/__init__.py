"""Dice scenes as pictures, with their truth: for training the reader, and for the simulated table."""

from companion.vision.scene.chance import draw_die_crop, random_look, random_scene, strange_look
from companion.vision.scene.draw import draw, draw_backdrop
from companion.vision.scene.model import (
    PIP_FACES,
    WILD_FACES,
    Camera,
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

__all__ = [
    "PIP_FACES",
    "WILD_FACES",
    "Camera",
    "Cube",
    "Drawn",
    "Finish",
    "Ground",
    "Lamp",
    "Light",
    "Look",
    "Rim",
    "Scene",
    "Seen",
    "Thing",
    "draw",
    "draw_backdrop",
    "draw_die_crop",
    "random_look",
    "random_scene",
    "strange_look",
]
