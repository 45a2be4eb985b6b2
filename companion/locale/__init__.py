"""The one catalogue of every text that players see.

Code that builds texts takes a `Texts`, by convention named `_`, so that marking and translating read alike:

    def prompt(state: State, _: Texts) -> Prompt:
        title = _("Roll 1–3 dice")
        line = _.ngettext("{n} token", "{n} tokens", n).format(n=n)
        label = _.pgettext("button", "Back")      # a context, where one English word needs two translations

A text kept in a constant is marked with `N_` where it stands and translated with `_(CONSTANT)` where it is used.
Source texts are English, whole sentences or whole labels, never glued together from parts; what varies is a named
`{placeholder}` filled by `str.format` after translation. Words are those of the printed rules. A comment beginning with
`Translators:` above the line reaches the translators.

`python -m companion.locale.update` collects the texts into `companion.pot`, merges new ones into every
`<language>/LC_MESSAGES/companion.po` and compiles those; a test fails while it has not been run. It tells what is wrong
with a translation, and how much of it is missing: that stays English.

A new language begins as an empty file of that name, in a folder called by the language's two letters, and as one more
of `LANGUAGES`; `table.language` in `companion/config/games.py` tells users its name. Its letters are those that the
screen can draw: Latin ones.
"""

from __future__ import annotations

import logging
import struct
from dataclasses import dataclass
from gettext import GNUTranslations, NullTranslations
from pathlib import Path

DOMAIN = "companion"
FOLDER = Path(__file__).parent
SOURCE_LANGUAGE = "en"
LANGUAGES = (SOURCE_LANGUAGE, "es", "fi", "da")  # those of the printed rules


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts in one language; what the catalogue lacks stays English."""

    language: str
    catalogue: NullTranslations

    def __call__(self, message: str) -> str:
        # gettext answers the empty text with the catalogue's own header
        return self.catalogue.gettext(message) if message else ""

    def ngettext(self, singular: str, plural: str, n: int) -> str:
        return self.catalogue.ngettext(singular, plural, n)

    def pgettext(self, context: str, message: str) -> str:
        return self.catalogue.pgettext(context, message)

    def decimal(self, number: str) -> str:
        """As it is written in that language: "1.5" with a comma, but in English."""
        return number if self.language == SOURCE_LANGUAGE else number.replace(".", ",")


def N_(message: str) -> str:  # noqa: N802  (the name that every gettext tool knows)
    """Marks a text for the catalogue and leaves it as it is."""
    return message


class Unread(Exception):
    """A language's texts are missing or torn; says which file, and why."""


def texts(language: str = SOURCE_LANGUAGE) -> Texts:
    """The texts in `language` ("es", "es_MX.UTF-8", "da-DK"); English for another language, and with a warning where
    its texts cannot be read: the game goes on."""
    try:
        return translated(language)
    except Unread as fault:
        logging.getLogger(__name__).warning("%s; the screens are in English", fault)
        return ENGLISH


def translated(language: str) -> Texts:
    """The texts in `language`; English for another language. Raises Unread."""
    name = language.replace("-", "_").split("_")[0].split(".")[0].split("@")[0].lower()
    if name not in LANGUAGES or name == SOURCE_LANGUAGE:
        return ENGLISH
    path = FOLDER / name / "LC_MESSAGES" / f"{DOMAIN}.mo"
    try:
        with path.open("rb") as file:
            return Texts(name, GNUTranslations(file))
    except FileNotFoundError:
        raise Unread(f"there is no {path}") from None
    except (OSError, ValueError, LookupError, struct.error) as fault:
        raise Unread(f"{path} cannot be read: {fault}") from fault


ENGLISH = Texts(SOURCE_LANGUAGE, NullTranslations())
