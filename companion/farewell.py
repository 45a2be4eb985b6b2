"""What the screen says last: that the companion rests, and when the plug may be pulled."""

from __future__ import annotations

from companion.locale import Texts
from companion.view import NO_LABELS, Header, Mood, Prompt, RingView, View


def resting(_: Texts, *, playing: bool) -> View:
    """While the companion stops, and perhaps the computer with it. `playing`: whether there is a game, to be kept."""
    kept = (_("Your game is kept."),) if playing else ()
    # Translators: the companion stops; the computer may still be writing
    return _said(Prompt(_("Good night"), (*kept, _("Leave the plug in."))))


def unplug(_: Texts) -> View:
    """Once everything is on the disk and nothing will be written any more."""
    return _said(Prompt(_("Switched off"), (_("You may unplug it."),)))


def again(_: Texts) -> View:
    """While the computer starts anew."""
    return _said(Prompt(_("Starting again"), (_("Leave the plug in."),)))


def _said(prompt: Prompt) -> View:
    return View(Header(), prompt, NO_LABELS, RingView(Mood.IDLE))
