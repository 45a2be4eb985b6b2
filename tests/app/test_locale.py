"""Every text that players see comes from one catalogue."""

from __future__ import annotations

import io
import subprocess
import sys
from gettext import GNUTranslations

import pytest
from babel.messages.catalog import Catalog

from companion import words
from companion.events import Why
from companion.locale import ENGLISH, N_, Texts, languages, texts, update
from companion.view import Sign


def translated(messages: dict[str, str]) -> Texts:
    """A compiled catalogue with these translations."""
    catalogue = Catalog()
    for source, translation in messages.items():
        catalogue.add(source, translation)
    return Texts("xx", GNUTranslations(io.BytesIO(update.compiled(catalogue))))


def test_the_template_holds_every_marked_text() -> None:
    collected = update.texts_of(update.template())
    assert update.texts_of(update.read(update.TEMPLATE)) == collected, "run: python -m companion.locale.update"
    assert (None, "I am not sure") in collected
    assert (None, "Then press Type") in collected  # asked of a house


def test_every_translation_knows_every_text_and_is_compiled() -> None:
    expected = update.texts_of(update.template())
    for language, path in update.catalogues():
        translation = update.read(path, language)
        assert update.texts_of(translation) == expected, "run: python -m companion.locale.update"
        assert path.with_suffix(".mo").read_bytes() == update.compiled(translation)


def test_what_collects_texts_is_missing_in_a_line() -> None:
    without = (
        "import runpy, sys; sys.modules['babel'] = None; sys.argv[1:] = ['--help'];"
        "runpy.run_module('companion.locale.update', run_name='__main__', alter_sys=True)"
    )
    ran = subprocess.run([sys.executable, "-c", without], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("what collects texts is missing (")
    assert ran.stderr.endswith("): pip install '.[dev]' in a checkout\n")


def test_translations_keep_their_placeholders() -> None:
    wrong = {
        (language, message.id): errors
        for language, path in update.catalogues()
        for message, errors in update.read(path, language).check()
        if errors
    }
    assert wrong == {}


def test_english_is_the_source_and_comes_first() -> None:
    assert languages()[0] == "en"
    assert texts("en")("Lowest") == "Lowest"
    assert texts().ngettext("{n} token", "{n} tokens", 2) == "{n} tokens"
    assert texts().pgettext("button", "Back") == "Back"
    assert N_("Lowest") == "Lowest"


@pytest.mark.parametrize("unknown", ["xx", "", "../..", "C.UTF-8", "-"])
def test_a_language_without_a_catalogue_is_english(unknown: str) -> None:
    assert texts(unknown) is ENGLISH


def test_the_empty_text_stays_empty() -> None:
    assert texts("en")("") == ""


def test_every_reason_space_and_face_has_words() -> None:
    assert {why: bool(words.why(why, ENGLISH).help) for why in Why} == dict.fromkeys(Why, True)
    spaces = (Sign.CHOICE, Sign.TOKEN, Sign.PEEK, Sign.WILD, Sign.LOWEST, Sign.HIGHEST, Sign.SWAP)
    assert all(words.sign(sign, ENGLISH).name for sign in spaces)


def test_words_are_translated() -> None:
    _ = translated({"A die leans": "Un dado está torcido"})
    assert words.why(Why.COCKED, _) == words.Words("Un dado está torcido", "Lay it flat or re-roll")


def test_an_unknown_device_is_named_as_it_is() -> None:
    assert words.device("piezo", ENGLISH) == words.Words("piezo", "Check its cable")
    assert words.device("camera", ENGLISH) == words.Words("Camera lost", "Type the dice")


def test_to_throw_again_is_spelled_one_way() -> None:
    collected = [text for _context, text in update.texts_of(update.template()) if "roll" in str(text).lower()]
    assert "Re-roll" in collected
    assert not [text for text in collected if "reroll" in str(text).lower()]
