"""What stands around every page: whose turn it is above, what the buttons do below."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image, ImageDraw

from companion.ports import SCREEN_SIZE
from companion.screen.font import font
from companion.screen.lettering import DARK, LIT, Box, block, cut, one_line, set_block, write
from companion.screen.pieces import icon, stamp
from companion.view import Header

WIDTH, HEIGHT = SCREEN_SIZE
HEADER = Box(0, 0, WIDTH, 13)
LABELS = Box(0, 53, WIDTH, 11)
BODY = Box(0, HEADER.bottom, WIDTH, LABELS.y - HEADER.bottom - 1)
BODY_WITHOUT_HEADER = Box(0, 0, WIDTH, LABELS.y - 1)
ROLES = ("camera", "light", "oled", "ring", "buttons", "knock")
MARK_GAP = 3
NAME_ROOM = 36  # columns that a name needs at least
KEY_GAP = 2  # columns between two labels
KEY_MARGIN = 2  # columns of light beside a label's letters


@dataclass(frozen=True, slots=True)
class Mark:
    """Something small at the right of the header, drawn with its left edge at the column given."""

    width: int
    draw: Callable[[Image.Image, int], None]


def header(image: Image.Image, top: Header, lost: tuple[str, ...], *, unfit: bool = False) -> None:
    right = WIDTH
    for mark in _marks(top, lost, unfit=unfit):
        right -= mark.width
        mark.draw(image, right)
        right -= MARK_GAP
    room = Box(0, 0, max(0, right - MARK_GAP if right < WIDTH else right), HEADER.h)
    set_block(image, room, one_line(top.name, room, (12, 10)))


def shows_header(top: Header, lost: tuple[str, ...], *, unfit: bool = False) -> bool:
    return bool(top.name or lost or unfit or top.final or top.tokens is not None)


def _marks(top: Header, lost: tuple[str, ...], *, unfit: bool) -> list[Mark]:
    """From the right: tokens, final round, a moved camera, what is lost; of that as many as leave room for the name."""
    marks = [_counted("coin", top.tokens)] if top.tokens is not None else []
    if top.final:
        marks.append(_counted("flag", top.left))
    if unfit:
        marks.append(_picture("moved"))
    alarm = [_picture("lost")] if lost else []
    room = WIDTH - NAME_ROOM - sum(mark.width + MARK_GAP for mark in marks + alarm)
    for device in (_picture(role) for role in ROLES if role in lost):
        room -= device.width + MARK_GAP
        marks += [device] if room >= 0 else []
    return marks + alarm


def _picture(name: str) -> Mark:
    picture = icon(name)
    return Mark(picture.width, lambda image, x: stamp(image, x, (HEADER.h - picture.height) // 2, picture))


def _counted(name: str, number: int | None) -> Mark:
    picture = _picture(name)
    if number is None:
        return picture
    text = block([str(number)], font(12))

    def draw(image: Image.Image, x: int) -> None:
        picture.draw(image, x)
        set_block(image, Box(x + picture.width + 2, 0, text.width, HEADER.h), text)

    return Mark(picture.width + 2 + text.width, draw)


def labels(image: Image.Image, texts: tuple[str, ...]) -> None:
    """Each button's label above that button, as a key of light; a long one takes the room of neighbours without."""
    size = next((size for size in (10, 8) if _fits(texts, size)), 8)
    shown = texts if _fits(texts, size) else _shortened(texts)
    common = block(["".join(shown)], font(size))
    baseline = LABELS.y + min(max(common.over, (LABELS.h + common.font.caps) // 2), LABELS.h - common.under)
    for box, text in zip(_places(shown, size), shown, strict=True):
        if text:
            ImageDraw.Draw(image).rounded_rectangle((box.x, box.y, box.right - 1, box.bottom - 1), radius=1, fill=LIT)
            write(image, box.x + (box.w - common.font.width(text)) // 2, baseline, text, common.font, ink=DARK)


def _key_width(text: str, size: int) -> int:
    return font(size).width(text) + 2 * KEY_MARGIN if text else 0


def _fits(texts: tuple[str, ...], size: int) -> bool:
    keys = [_key_width(text, size) for text in texts if text]
    low = block(["".join(texts)], font(size)).height <= LABELS.h
    return low and sum(keys) + KEY_GAP * (len(keys) - 1) <= WIDTH


def _shortened(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Cut to what four equal keys hold."""
    room = WIDTH // len(texts) - KEY_GAP - 2 * KEY_MARGIN
    return tuple(cut(text, font(8), room) for text in texts)


def _widths(texts: tuple[str, ...], size: int) -> list[int]:
    """Equal keys where the labels allow it; long labels take from the short ones what they need."""
    needs = [_key_width(text, size) for text in texts]
    room = WIDTH - KEY_GAP * (sum(map(bool, needs)) - 1)
    equal = next(
        (width for width in range(WIDTH // len(texts) - KEY_GAP, 0, -1) if sum(_at_least(needs, width)) <= room), 0
    )
    return _at_least(needs, equal)


def _at_least(needs: list[int], width: int) -> list[int]:
    return [max(need, width) if need else 0 for need in needs]


def _places(texts: tuple[str, ...], size: int) -> list[Box]:
    """A box a label: centred over its button where it can be, pushed aside by its neighbours where it must."""
    pitch = WIDTH // len(texts)
    widths = _widths(texts, size)
    lefts, free = [], 0
    for n, width in enumerate(widths):
        lefts.append(max(free, n * pitch + (pitch - width) // 2) if width else free)
        free = lefts[-1] + width + KEY_GAP if width else free
    limit = WIDTH
    for n in reversed(range(len(texts))):
        lefts[n] = min(lefts[n], limit - widths[n])
        limit = lefts[n] - KEY_GAP if widths[n] else limit
    return [Box(left, LABELS.y, width, LABELS.h) for left, width in zip(lefts, widths, strict=True)]
