"""The overlay shows what was seen, and what it is unsure of."""

import numpy as np

from companion.events import Die, Reading, Why
from companion.vision.overlay import UNSURE, overlay

GROUND = np.full((480, 640, 3), 90, np.uint8)
BAR_PX = 34  # the verdict above the picture


def changed(reading):
    """Where the picture below the bar was drawn on."""
    drawn = overlay(GROUND, reading)
    assert drawn.shape == (480 + BAR_PX, 640, 3)
    return np.any(drawn[BAR_PX:] != 90, axis=2)


def test_a_die_is_framed_and_its_pips_are_dotted():
    seen = changed(Reading((Die(1, (100, 200, 60, 60), 0.99, ((130, 230),)),), sure=True))
    assert seen[200, 130]
    assert seen[230, 130]
    assert not seen[300:, :].any()


def test_what_could_be_a_die_has_marked_corners():
    seen = changed(Reading((), sure=False, why=Why.FAINT, doubts=((400, 100, 80, 80),)))
    assert seen[100, 405]
    assert seen[180, 475]
    assert not seen[140, 400]  # corners only: no frame, as a die has
    drawn = overlay(GROUND, Reading((), sure=False, why=Why.FAINT, doubts=((400, 100, 80, 80),)))
    assert tuple(drawn[BAR_PX + 100, 405]) == UNSURE
