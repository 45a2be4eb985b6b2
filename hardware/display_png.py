"""A display that keeps every picture it shows as a numbered PNG file."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from PIL import Image

from companion.paths import put_whole
from companion.ports import DeviceLost
from hardware.glass import require_screen, same_picture


class PngDisplay:
    """Writes 0001.png, 0002.png … into `folder`, `scale` pixels a screen pixel, after those that are there already.

    Equal pictures in a row are one file.
    """

    def __init__(self, folder: Path, *, scale: int = 1) -> None:
        if scale < 1:
            raise ValueError(f"scale is {scale}; 1 or more was expected")
        self._folder = folder
        self._scale = scale
        self._shown: Image.Image | None = None
        self._closed = False
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._number = pictures_in(folder)
        except OSError as error:
            raise self._lost(error) from error

    def show(self, image: Image.Image) -> None:
        require_screen(image)
        if self._closed:
            raise DeviceLost("oled", "the display is closed", "open it again")
        if not same_picture(self._shown, image):
            self._write(image)
            self._shown = image.copy()

    def refresh(self) -> None:
        """Files keep what was written."""

    def close(self) -> None:
        self._closed = True

    def _write(self, image: Image.Image) -> None:
        width, height = image.size
        large = image.resize((width * self._scale, height * self._scale), Image.Resampling.NEAREST)
        coded = BytesIO()
        large.save(coded, "PNG")
        try:
            put_whole(self._folder / f"{self._number + 1:04d}.png", coded.getvalue())
        except OSError as error:
            raise self._lost(error) from error
        self._number += 1

    def _lost(self, error: OSError) -> DeviceLost:
        cause = f"pictures cannot be written to {self._folder}: {error.strerror or error}"
        return DeviceLost("oled", cause, "choose a folder that can be written, with room left")


def pictures_in(folder: Path) -> int:
    """The highest number of those that are numbered, 0 for none."""
    return max((int(path.stem) for path in folder.glob("*.png") if path.stem.isdecimal()), default=0)
