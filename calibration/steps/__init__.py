"""The steps of a calibration, one a module."""

from calibration.steps.buttons import ButtonsStep
from calibration.steps.camera import CameraStep
from calibration.steps.check import CheckStep
from calibration.steps.corners import CornersStep
from calibration.steps.dice import DiceStep
from calibration.steps.ring import RingStep
from calibration.steps.step import Done, Labels, Left, Next, Review, Step, Wants
from calibration.steps.wild import WildStep

__all__ = [
    "ButtonsStep",
    "CameraStep",
    "CheckStep",
    "CornersStep",
    "DiceStep",
    "Done",
    "Labels",
    "Left",
    "Next",
    "Review",
    "RingStep",
    "Step",
    "Wants",
    "WildStep",
]
