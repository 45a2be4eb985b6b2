"""Is the tray empty in the picture that is kept of it: what lies in that picture later counts as a part of the tray."""

from __future__ import annotations

from enum import Enum

import numpy as np
from numpy.typing import NDArray

from calibration.markers import Stickers
from calibration.tray import Found, Tray
from companion.events import Reading, Why
from companion.ports import Mask, Picture
from companion.vision.reader import Reader
from companion.vision.ruler import ruler
from companion.vision.stillness import Change, change, glance

SOFT = 8.0  # grey levels: noise says nothing in the dark
OTHER = 0.25  # natural logarithm of what a colour changed by, beside the rest of the floor
HAND_SHARE = 0.1  # of the floor: more than some dice and their shadows cover


class Bare(Enum):
    """`DOUBTFUL`: something looks like a die, and may be a print; people must say."""

    EMPTY = "empty"
    DOUBTFUL = "doubtful"
    DICE = "dice"


def how_bare(picture: Picture, mask: Mask | None) -> Bare:
    """What is seen within the mask by a reader that knows nothing else of the table."""
    return bare_as_read(Reader(mask=mask).read(picture))


def bare_as_read(reading: Reading) -> Bare:
    """Plain dice, whose pips were seen one by one, are dice; a print or a sign is at most like one, a lamp is not."""
    if any(die.confidence >= ruler().sure_die and len(die.pips) == die.value for die in reading.dice):
        return Bare.DICE
    seen = reading.dice or (reading.doubts and reading.why is not Why.GLARE)
    return Bare.DOUBTFUL if seen else Bare.EMPTY


def hand_between(before: Picture, after: Picture) -> bool:
    """Did a hand, or anything else, move between two pictures that came one after the other."""
    return change(glance(before), glance(after)) in (Change.MOTION, Change.HAND)


def hand_since(before: Picture, tray: Tray, stickers: Stickers, found: Found, after: Picture) -> bool:
    """Is much of the floor between the stickers, which were taken out since, of another colour: a hand hides it."""
    floor = _floor(before, tray, stickers, found)
    then, now = (glance(picture).cells[floor] + SOFT for picture in (before, after))
    changed = np.log(now / then)
    odd = np.abs(changed - np.median(changed, axis=0)).max(axis=1) > OTHER if len(changed) else np.zeros(1)
    return float(odd.mean()) > HAND_SHARE


def _floor(picture: Picture, tray: Tray, stickers: Stickers, found: Found) -> NDArray[np.bool_]:
    """The cells of a glance that show nothing but the floor."""
    height, width = picture.shape[:2]
    drawn = tray.floor(width, height, found.of(stickers).values(), stickers.whole_mm / stickers.side_mm)
    return np.asarray(glance(np.dstack([drawn] * 3)).cells.min(axis=2) > 254)
