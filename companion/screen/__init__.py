"""The small screen: one View in, one picture out. Pure, and the same to the pixel on every machine."""

from __future__ import annotations

from dataclasses import replace

from PIL import Image

from companion.events import Fit
from companion.ports import SCREEN_SIZE
from companion.screen import frame
from companion.screen.pages import page
from companion.view import Header, Page, Sheet, View


def draw(view: View) -> Image.Image:
    """The 128×64 picture of mode "1" that shows the view. Any text is drawn; what does not fit is cut with "…"."""
    image = Image.new("1", SCREEN_SIZE)
    top, shown = _titled(view.header, view.page)
    unfit = view.fit is not Fit.HOLDS
    if frame.shows_header(top, view.lost, unfit=unfit):
        frame.header(image, top, view.lost, unfit=unfit)
        page(image, frame.BODY, shown)
    else:
        page(image, frame.BODY_WITHOUT_HEADER, shown)
    frame.labels(image, view.labels)
    return image


def _titled(top: Header, shown: Page) -> tuple[Header, Page]:
    """A table needs the rows more than a name above it: its title takes the name's place."""
    match shown:
        case Sheet(title=title) if title:
            return replace(top, name=title), replace(shown, title="")
        case _:
            return top, shown
