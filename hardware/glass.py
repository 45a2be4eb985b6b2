"""What all displays have in common: which pictures they take, and telling equal ones apart."""

from __future__ import annotations

from PIL import Image

from companion.ports import SCREEN_SIZE


def require_screen(image: Image.Image) -> None:
    """Refuses what a real panel's driver refuses. Raises ValueError."""
    if image.mode != "1" or image.size != SCREEN_SIZE:
        width, height = SCREEN_SIZE
        raise ValueError(f'the screen takes {width}×{height} pixels of mode "1", not {image.size} of "{image.mode}"')


def same_picture(one: Image.Image | None, other: Image.Image) -> bool:
    return one is not None and one.tobytes() == other.tobytes()
