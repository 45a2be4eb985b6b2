"""The pictures of `companion demo --record`: each screen, and each tray that was read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
from PIL import Image

from companion.compose import SCREEN_SCALE
from companion.events import Settled, WildSettled
from companion.paths import put_whole, reason
from companion.ports import DeviceLost, Picture
from companion.vision.overlay import overlay, wild_overlay
from hardware.display_png import PngDisplay, pictures_in

SCREENS, TRAYS = "screens", "trays"


class NoAlbum(Exception):
    """No pictures can be kept there; the text says why."""


class Album:
    """Keeps pictures in `folder`, after those that are there.

    A game needs none of them: one that cannot be written is counted, and `say` hears of the first.
    """

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        """Raises NoAlbum."""
        self._folder = folder
        self._say = say
        self._faults: list[str] = []  # of each picture that is missing; screens and trays come from two threads
        try:
            (folder / TRAYS).mkdir(parents=True, exist_ok=True)
            self._trays = pictures_in(folder / TRAYS)
            self.screens = _Screens(folder / SCREENS, self._miss)
        except OSError as fault:
            raise NoAlbum(f"no pictures can be kept in {folder}: {reason(fault)}") from None
        except DeviceLost as lost:
            raise NoAlbum(str(lost)) from None

    @property
    def whole(self) -> bool:
        """Whether no picture is missing."""
        return not self._faults

    def told(self) -> str:
        """Where the pictures are; how many are missing, and why the first one is."""
        if self.whole:
            return f"the pictures are in {self._folder}"
        return f"the pictures are in {self._folder}, but for {len(self._faults)} that are missing: {self._faults[0]}"

    def tray(self, picture: Picture, fact: Settled | WildSettled) -> None:
        """Keeps what the camera saw, with what was read."""
        path = self._folder / TRAYS / f"{self._trays + 1:04}.png"
        _done, coded = cv2.imencode(".png", _drawn_on(picture, fact))
        try:
            put_whole(path, coded.tobytes())
        except OSError as fault:
            self._miss(f"pictures cannot be written to {path.parent}: {reason(fault)}")
        else:
            self._trays += 1

    def _miss(self, fault: str) -> None:
        if self.whole:
            self._say(fault)
        self._faults.append(fault)


class _Screens(PngDisplay):
    """To a table these are no screen that is lost; `miss` hears why one cannot be written."""

    def __init__(self, folder: Path, miss: Callable[[str], None]) -> None:
        super().__init__(folder, scale=SCREEN_SCALE)
        self._miss = miss

    def show(self, image: Image.Image) -> None:
        try:
            super().show(image)
        except DeviceLost as lost:
            self._miss(lost.cause)

    def close(self) -> None:
        """It is opened once, whatever a table makes of it."""


def _drawn_on(picture: Picture, fact: Settled | WildSettled) -> Picture:
    match fact:
        case Settled(reading):
            return overlay(picture, reading)
        case WildSettled(die):
            return wild_overlay(picture, die)
