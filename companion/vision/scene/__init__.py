"""Dice scenes as pictures, with their truth: for training the reader, and for the simulated table."""

from companion.vision.scene.chance import random_scene
from companion.vision.scene.draw import draw, draw_backdrop
from companion.vision.scene.looks import random_look, strange_look
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
from companion.vision.scene.table import Moment, Painter, Table, Throw, moment, new_table, scatter, throw

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
    "Moment",
    "Painter",
    "Rim",
    "Scene",
    "Seen",
    "Table",
    "Thing",
    "Throw",
    "draw",
    "draw_backdrop",
    "moment",
    "new_table",
    "random_look",
    "random_scene",
    "scatter",
    "strange_look",
    "throw",
]
