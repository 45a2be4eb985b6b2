"""Facts that come in at the hardware edge and wait in the one inbox."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeAlias


class Button(Enum):
    """The four buttons, left to right under the screen. A joystick maps left, up, down, press onto them."""

    BACK = "back"
    LESS = "less"
    MORE = "more"
    OK = "ok"


@dataclass(frozen=True, slots=True)
class Press:
    """A debounced press. `held` is true once for a long press, which then is not also a short one."""

    button: Button
    held: bool = False


class Why(Enum):
    """Why a reading is unsure. The catalogue holds the words players see."""

    TOUCHING = "touching"  # dice touch or overlap
    COCKED = "cocked"  # a die leans
    GLARE = "glare"
    DARK = "dark"
    BLURRED = "blurred"
    NOT_PIPS = "not_pips"  # a die without readable pips
    HAND = "hand"  # a hand or large thing in view
    COUNT = "count"  # not the number of dice that must lie there
    STRAY = "stray"  # something else lies there that may be a die
    CUT = "cut"  # a die is partly outside the picture
    FAINT = "faint"  # the two opinions differ, or the value is not certain
    SMALL = "small"  # the picture has too few pixels to show dice
    EMPTY = "empty"  # no dice where some were expected
    MOVING = "moving"
    CHANGED = "changed"  # a die changed after it was read
    SAME = "same"  # dice that were to be thrown again lie as they lay


Box: TypeAlias = tuple[float, float, float, float]
"""x, y, width and height in pixels of a picture, from its top left."""
NOWHERE = (0.0, 0.0, 0.0, 0.0)  # the box of a die that no camera saw


def box_times(box: Box, across: float, down: float | None = None) -> Box:
    """The same place in a picture so many times as wide, and as high, or as large."""
    x, y, w, h = box
    down = across if down is None else down
    return x * across, y * down, w * across, h * down


def box_moved(box: Box, right: float, down: float) -> Box:
    """The same place in a picture of which so many pixels more are seen on the left and at the top."""
    x, y, w, h = box
    return x + right, y + down, w, h


def middle_of(box: Box) -> tuple[float, float]:
    x, y, w, h = box
    return x + w / 2, y + h / 2


@dataclass(frozen=True, slots=True)
class Die:
    """One die as seen. `value` 1-6, or None for a die that is seen and not read.

    `box`: of the whole die. `confidence`: 0-1, the measured chance that the value is right. `pips`: centres (x, y) of
    the pips that explain the value, in pixels.
    """

    value: int | None
    box: Box
    confidence: float
    pips: tuple[tuple[float, float], ...] = ()

    @property
    def centre(self) -> tuple[float, float]:
        return middle_of(self.box)

    def times(self, across: float, down: float | None = None) -> Die:
        """As `box_times`."""
        pips = tuple((x * across, y * (across if down is None else down)) for x, y in self.pips)
        return replace(self, box=box_times(self.box, across, down), pips=pips)

    def moved(self, right: float, down: float) -> Die:
        """The same in a picture of which so many pixels more are seen on the left and at the top."""
        pips = tuple((x + right, y + down) for x, y in self.pips)
        return replace(self, box=box_moved(self.box, right, down), pips=pips)


@dataclass(frozen=True, slots=True)
class Reading:
    """What one picture shows. `sure` is false whenever a human must look; `why` then says the reason.

    `doubts`: boxes (x, y, w, h in pixels) of what is asked about and no die of these, or not surely: what could be one,
    where glare may hide one, and a die that two looks do not both read surely and alike. `if_twice`: one look alone is
    unsure of these dice, but two that see the same are sure. `dazzled`: a lamp is mirrored so that a pip may be hidden,
    or none, whatever another look sees.
    """

    dice: tuple[Die, ...]
    sure: bool
    why: Why | None = None
    doubts: tuple[Box, ...] = ()
    if_twice: bool = False
    dazzled: bool = False

    @property
    def asks(self) -> bool:
        """Whether a human must look, even if a second look sees the same."""
        return not (self.sure or self.if_twice)

    def unsure(self, why: Why, doubts: tuple[Box, ...] | None = None) -> Reading:
        """The same, to be asked about. `doubts`: these instead of its own."""
        return replace(self, sure=False, why=why, if_twice=False, doubts=self.doubts if doubts is None else doubts)

    def times(self, across: float, down: float | None = None) -> Reading:
        """As `box_times`."""
        dice = tuple(die.times(across, down) for die in self.dice)
        return replace(self, dice=dice, doubts=tuple(box_times(box, across, down) for box in self.doubts))

    def moved(self, right: float, down: float) -> Reading:
        """The same in a picture of which so many pixels more are seen on the left and at the top."""
        dice = tuple(die.moved(right, down) for die in self.dice)
        return replace(self, dice=dice, doubts=tuple(box_moved(box, right, down) for box in self.doubts))

    @property
    def values(self) -> tuple[int | None, ...]:
        return tuple(die.value for die in self.dice)

    @property
    def placeless(self) -> bool:
        """Whether nothing is known but the values: they were entered by button."""
        return all(die.box == NOWHERE for die in self.dice)

    @property
    def total(self) -> int | None:
        """The sum of all values, or None while one is not read."""
        known = [die.value for die in self.dice if die.value is not None]
        return sum(known) if len(known) == len(self.dice) else None


@dataclass(frozen=True, slots=True)
class WildDie:
    """The Wild die as seen. `face`: "lowest", "highest" or "swap"; None where it is not sure, and `why` says why.

    `box`: as of a Die. `confidence`: 0-1, the measured chance that the face is right; 0 without one.
    """

    face: str | None
    box: Box
    confidence: float
    why: Why | None = None

    @property
    def centre(self) -> tuple[float, float]:
        return middle_of(self.box)

    @property
    def placeless(self) -> bool:
        """Whether nothing is known but the face: it was entered by button."""
        return self.box == NOWHERE


@dataclass(frozen=True, slots=True)
class Settled:
    """The dice lie still: one fact a throw. An unsure reading is a result, too.

    `found`: they may have lain there before the watch began: nobody saw them come.
    """

    reading: Reading
    found: bool = False


@dataclass(frozen=True, slots=True)
class WildSettled:
    """The same of the Wild die, whatever lies beside it."""

    die: WildDie
    found: bool = False


@dataclass(frozen=True, slots=True)
class Stirred:
    """The tray is moving, or a hand is in it; what lay there may change."""

    why: Why = Why.MOVING


@dataclass(frozen=True, slots=True)
class Stilled:
    """All is still again, and the dice that were told last lie there as they did: no news, but an end of the stir."""


@dataclass(frozen=True, slots=True)
class WildStilled:
    """The same of the Wild die, whatever became of others."""


@dataclass(frozen=True, slots=True)
class Cleared:
    """The tray is still, and empty but for a Wild die."""


@dataclass(frozen=True, slots=True)
class Knocked:
    """Somebody knocked on the table."""


class Health(Enum):
    OK = "ok"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class DeviceChanged:
    """A device came or went. `detail` tells the maker what to do about it."""

    device: str  # "camera", "light" for the camera to see by, "oled", "ring", "buttons", "knock"
    health: Health
    detail: str = ""


class Fit(Enum):
    """Whether what was calibrated fits what the camera sees."""

    HOLDS = "holds"  # also where nothing was ever calibrated
    MOVED = "moved"  # camera or tray stand elsewhere
    OTHER = "other"  # another camera, or another size of pictures
    BROKEN = "broken"  # what was calibrated cannot be read any more


@dataclass(frozen=True, slots=True)
class CalibrationTold:
    """What was calibrated does, or no longer does, fit; the game goes on without it. Comes when that changes."""

    fit: Fit


@dataclass(frozen=True, slots=True)
class ComputerTold:
    """What the computer is called. Comes where the table may switch it, and again when its address changes."""

    version: str
    name: str
    address: str


@dataclass(frozen=True, slots=True)
class TimePassed:
    """So much time went by that a restart must know of it."""


@dataclass(frozen=True, slots=True)
class NotSwitched:
    """The computer would not be switched off; why, is in the log."""


Fact = (
    Press
    | Settled
    | WildSettled
    | Stirred
    | Stilled
    | WildStilled
    | Cleared
    | Knocked
    | DeviceChanged
    | CalibrationTold
    | ComputerTold
    | TimePassed
    | NotSwitched
)
