"""Words for the facts every output names: why a reading is unsure, which device is lost, what a space or a face means,
what a colour is called.

Short enough for one line of the small screen; the catalogue translates them.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.events import Fit, Why
from companion.locale import N_, Texts
from companion.view import Prompt, Sign


@dataclass(frozen=True, slots=True)
class Words:
    """`name`: what it is, a few words. `help`: what it means for the players or what to do, one short line."""

    name: str
    help: str


WHY: dict[Why, Words] = {
    Why.TOUCHING: Words(N_("The dice touch"), N_("Push them apart")),
    Why.COCKED: Words(N_("A die leans"), N_("Lay it flat or re-roll")),
    Why.GLARE: Words(N_("It dazzles me"), N_("Move the lamp a little")),
    Why.DARK: Words(N_("It is too dark"), N_("More light, please")),
    Why.BLURRED: Words(N_("I see it blurred"), N_("Wipe the camera")),
    Why.NOT_PIPS: Words(N_("I see no dots"), N_("Type it")),
    Why.HAND: Words(N_("I see a hand"), N_("Hands off the tray")),
    Why.COUNT: Words(N_("Wrong number of dice"), N_("Count!")),
    Why.STRAY: Words(N_("More dice?"), N_("Check the tray")),
    Why.CUT: Words(N_("Half a die"), N_("Push it to the middle")),
    Why.FAINT: Words(N_("I am not sure"), N_("Check the dice")),
    Why.SMALL: Words(N_("Tiny picture"), N_("Larger pictures, please")),
    Why.EMPTY: Words(N_("I see no dice"), N_("Roll into the tray")),
    Why.MOVING: Words(N_("Still rolling"), N_("Wait a moment")),
    Why.CHANGED: Words(N_("A die moved"), N_("Check the dice")),
    Why.SAME: Words(N_("As before?"), N_("Roll them again")),
}

DEVICES: dict[str, Words] = {
    "camera": Words(N_("Camera lost"), N_("Type the dice")),
    "oled": Words(N_("Screen lost"), N_("Check its cable")),
    "ring": Words(N_("Light ring lost"), N_("Check its cable")),
    "buttons": Words(N_("Button trouble"), N_("Held down? Cable off?")),
    "light": Words(N_("I see nothing"), N_("Lens covered? Lamp off?")),
    "knock": Words(N_("Knock sensor lost"), N_("Knock by button")),
}

FITS: dict[Fit, str] = {
    Fit.MOVED: N_("Put the camera back"),
    Fit.OTHER: N_("Please calibrate"),
    Fit.BROKEN: N_("Please calibrate"),
}

MENDED = Words(N_("Games damaged"), N_("Look at the game, please"))
LOST = Words(N_("Saved games lost"), N_("The old file is kept"))

SIGNS: dict[Sign, Words] = {
    Sign.CHOICE: Words(N_("Choice space"), N_("Take this card or the pile")),
    Sign.TOKEN: Words(N_("Token space"), N_("Take the card and 1 token")),
    Sign.PEEK: Words(N_("Peek space"), N_("Take the card, then peek")),
    Sign.WILD: Words(N_("Wild space"), N_("Roll the Wild die")),
    Sign.LOWEST: Words(N_("Lowest"), N_("Take the lowest card")),
    Sign.HIGHEST: Words(N_("Highest"), N_("Take the highest card")),
    Sign.SWAP: Words(N_("Swap"), N_("You may swap a card")),
}


def why(reason: Why, _: Texts) -> Words:
    """Why a reading is unsure, and what the players can do."""
    return _translated(WHY[reason], _)


def device(role: str, _: Texts) -> Words:
    """A lost device and how the game goes on without it; a role nobody knows is named as it is."""
    return _translated(DEVICES.get(role, Words(role, N_("Check its cable"))), _)


def fit(told: Fit, _: Texts) -> str:
    """What to do where what was calibrated does not hold. Raises KeyError where it does."""
    return _(FITS[told])


def damage(_: Texts, *, mended: bool) -> Words:
    """What became of a journal that was found damaged: sound lines were saved, or none."""
    return _translated(MENDED if mended else LOST, _)


def attention(text: str, _: Texts) -> Prompt:
    """The page of what must not be overlooked, in one finished text."""
    return Prompt(_("Attention!"), (text,), Sign.TROUBLE)


def sign(shown: Sign, _: Texts) -> Words:
    """What a board space or a face of the Wild die means. Raises KeyError for other pictograms."""
    return _translated(SIGNS[shown], _)


def colour(name: str, _: Texts) -> str:
    """A colour in the players' language; what is none of these is left as it is."""
    return {
        "black": _.pgettext("color", "black"),
        "blue": _.pgettext("color", "blue"),
        "cyan": _.pgettext("color", "cyan"),
        "gray": _.pgettext("color", "gray"),
        "green": _.pgettext("color", "green"),
        "orange": _.pgettext("color", "orange"),
        "pink": _.pgettext("color", "pink"),
        "purple": _.pgettext("color", "purple"),
        "red": _.pgettext("color", "red"),
        "white": _.pgettext("color", "white"),
        "yellow": _.pgettext("color", "yellow"),
    }.get(name, name)


def _translated(words: Words, _: Texts) -> Words:
    return Words(_(words.name), _(words.help))
