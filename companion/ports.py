"""What the daemon wants of a device. Adapters and simulators live in `hardware`, behind these.

An adapter opens its device when it is made and raises DeviceLost when that fails; every later call may raise it
too. `close()` twice is harmless. No call blocks for longer than it says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from companion.events import Button, Press

Picture: TypeAlias = NDArray[np.uint8]  # height × width × 3, BGR
Mask: TypeAlias = NDArray[np.uint8]  # height × width, non-zero where something is so
Floats: TypeAlias = NDArray[np.floating[Any]]  # of what is measured in pictures
Colour: TypeAlias = tuple[int, int, int]  # red, green, blue, 0-255

SCREEN_SIZE = (128, 64)


class DeviceLost(Exception):
    """A device is not there or stopped answering: `device` is its role, `cause` what happened, `remedy` what to do."""

    def __init__(self, device: str, cause: str, remedy: str) -> None:
        super().__init__(f"{cause}; {remedy}")
        self.device = device
        self.cause = cause
        self.remedy = remedy


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture and when it was taken, in monotonic seconds."""

    picture: Picture
    taken_s: float


@dataclass(frozen=True, slots=True)
class Locks:
    """What a camera fixed itself to; None for what it has not or does not tell.

    `gain`: a factor, or a USB camera's own number. `white_gains`: of red and blue, or `white_k`: kelvin.
    `lens_dioptres`, or `focus`: a USB camera's own number. `brightness`: mean of the picture that came of it, 0-255.
    """

    exposure_us: float | None = None
    gain: float | None = None
    white_gains: tuple[float, float] | None = None
    white_k: float | None = None
    lens_dioptres: float | None = None
    focus: float | None = None
    brightness: float | None = None


class Camera(Protocol):
    @property
    def remedy(self) -> str:
        """What to do where no picture comes."""
        ...

    def frame(self, timeout_s: float) -> Frame | None:
        """The next picture not yet delivered; None if none came within `timeout_s`. Raises DeviceLost."""
        ...

    def rolled(self) -> None:
        """The roll in view was taken and the next is due: a camera that plays recorded pictures goes on.

        May be called from any thread, while another waits in `frame`.
        """
        ...

    def locks(self) -> Locks:
        """What it is fixed to now. From any thread."""
        ...

    def close(self) -> None: ...


class Display(Protocol):
    def show(self, image: Image.Image) -> None:
        """Shows a 128×64 image of mode "1"; any other is a ValueError. Skips one equal to what is shown.

        Raises DeviceLost.
        """
        ...

    def refresh(self) -> None:
        """Called every few seconds: re-initialises a panel that may have lost power, and shows its picture again."""
        ...

    def close(self) -> None:
        """Leaves on the panel what was shown last: whoever wants it dark shows black before."""
        ...


class Ring(Protocol):
    def show(self, colours: Sequence[Colour]) -> None:
        """Sends one whole frame, one colour an LED, first LED first. Raises DeviceLost."""
        ...

    def close(self) -> None: ...


class Buttons(Protocol):
    def listen(
        self, pressed: Callable[[Press], None], ailing: Callable[[str], None], failed: Callable[[Exception], None]
    ) -> None:
        """From now on calls `pressed` for each press, and `ailing` with what is wrong and what to do about it.

        `ailing("")` says that all is right again; `failed`, once, that no press will ever be heard: close these buttons
        and open them anew. All are called from any thread and only enqueue. A button that is down when listening begins
        does not count until it was let go. Raises DeviceLost.
        """
        ...

    def feel(self, edge: Callable[[Button, float], None]) -> None:
        """To be called before `listen`: from then on tells each time a contact opens or closes, bounces and all, and
        when, in monotonic seconds; from any thread. Keys, which tell presses only, tell none."""
        ...

    def down(self) -> tuple[Button, ...]:
        """The buttons whose contact is closed now, in their order, listened to or not; from any thread. Keys, which
        tell presses only, tell none. Raises DeviceLost."""
        ...

    def looking_since_s(self) -> float | None:
        """When a look at the contacts began that has not come to its end, in monotonic seconds; None while none is
        under way. From any thread. Keys are waited for, and not looked at."""
        ...

    def close(self) -> None: ...


class Clock(Protocol):
    def now_s(self) -> float:
        """Monotonic seconds."""
        ...

    def sleep(self, seconds: float) -> None: ...
